#include "convex/outline.h"
#include "base/two.h"

#include <string.h>

/// Corners that an outline can have.
#define OUTLINE_CORNERS 64
/// |n|^2 above which the height of a plane, det / |n|, is known well enough for a glance, and how well: the error of n
/// is below 4 u times two edges of length at most 2 sqrt 3, and counts with |w| <= sqrt 3.
#define OUTLINE_AREA 0x1p-24
#define OUTLINE_ROUNDING 0x1p-34

/// Measures one face. Its squared height is -1 if it is small, or not seen from inside.
static inline void measure(const surface* x, outline* o, uint32_t f) {
    const uint8_t* c = o->corner[f];
    vec3 u = x->corner[c[0]].w, v = x->corner[c[1]].w, w = x->corner[c[2]].w;
    vec3 n = vec3_cross(vec3_sub(u, w), vec3_sub(v, w));
    double nn = vec3_dot(n, n), volume = vec3_dot(n, w);
    bool clear = (nn > OUTLINE_AREA) & (volume > 0);
    o->x[f] = n.x;
    o->y[f] = n.y;
    o->z[f] = n.z;
    o->volume[f] = volume;
    o->square[f] = clear ? volume * volume / nn : -1;
}

/// The same of two faces, from f on.
static inline void measure_two(const surface* x, outline* o, uint32_t f) {
    const uint8_t *c = o->corner[f], *d = o->corner[f + 1];
    two3 u = two3_of(x->corner[c[0]].w, x->corner[d[0]].w), v = two3_of(x->corner[c[1]].w, x->corner[d[1]].w);
    two3 w = two3_of(x->corner[c[2]].w, x->corner[d[2]].w), n = two3_cross(two3_sub(u, w), two3_sub(v, w));
    two nn = two3_dot(n, n), volume = two3_dot(n, w), square = volume * volume / nn;
    two_store(&o->x[f], n.x);
    two_store(&o->y[f], n.y);
    two_store(&o->z[f], n.z);
    two_store(&o->volume[f], volume);
    for (int i = 0; i < 2; ++i) {
        bool clear = (nn[i] > OUTLINE_AREA) & (volume[i] > 0);
        o->square[f + (uint32_t)i] = clear ? square[i] : -1;
    }
}

/// The squared height of the lowest face.
static inline double lowest(const outline* o) {
    double even = INFINITY, odd = INFINITY;
    uint32_t f = 0;
    for (; f + 1 < o->faces; f += 2) {
        even = smaller(o->square[f], even);
        odd = smaller(o->square[f + 1], odd);
    }
    if (f < o->faces) even = smaller(o->square[f], even);
    return smaller(even, odd);
}

/// The faces that are no higher than `reach`, and how many.
static inline int take_low(const outline* o, double reach, uint8_t low[APART_CACHE_FACES]) {
    int count = 0;
    for (uint32_t f = 0; f < o->faces; ++f) {
        low[count] = (uint8_t)f;
        count += o->square[f] <= reach * reach;
    }
    return count;
}

/// Edges of some faces: a bit for each corner that one leads to, or comes from.
typedef struct edges {
    uint64_t to[OUTLINE_CORNERS], from[OUTLINE_CORNERS];
} edges;

static inline void clear_edges(edges* e, int corners) {
    for (int i = 0; i < corners; ++i) e->to[i] = e->from[i] = 0;
}

/// Adds the edges of a face. Returns a bit if one is there already. Of an edge from a corner to itself only the end is
/// sure to be noted.
static inline uint64_t add_face(edges* e, const uint8_t c[3]) {
    const unsigned u = c[0], v = c[1], w = c[2];
    const uint64_t one = 1, bit_u = one << u, bit_v = one << v, bit_w = one << w;
    // All corners of faces have been cleared. NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign)
    uint64_t to_u = e->to[u], to_v = e->to[v], to_w = e->to[w];
    e->to[u] = to_u | bit_v;
    e->to[v] = to_v | bit_w;
    e->to[w] = to_w | bit_u;
    e->from[v] |= bit_u;
    e->from[w] |= bit_v;
    e->from[u] |= bit_w;
    return (to_u & bit_v) | (to_v & bit_w) | (to_w & bit_u);
}

/// Whether every edge occurs once in either direction.
static inline bool is_closed(int corners, const outline* o) {
    edges e;
    uint64_t wrong = 0;
    clear_edges(&e, corners);
    for (uint32_t f = 0; f < o->faces; ++f) wrong |= add_face(&e, o->corner[f]);
    for (int i = 0; i < corners; ++i) wrong |= (e.to[i] ^ e.from[i]) | (e.from[i] & UINT64_C(1) << i);
    return wrong == 0;
}

/// Takes the corners of the faces. False if there are no such corners.
static inline bool take_faces(int corners, uint32_t faces, const uint8_t (*corner)[3], outline* o) {
    // Up to a whole number of words, so that the loop has no end of its own.
    const size_t used = faces * sizeof corner[0], whole = (used + 15) / 16 * 16;
    uint8_t *to = o->corner[0], largest = 0;
    o->faces = faces;
    memcpy(to, corner, used);
    memset(to + used, 0, whole - used);
    for (size_t i = 0; i < whole; ++i) largest = to[i] > largest ? to[i] : largest;
    return largest < corners;
}

bool apart_outline_begin(const surface* x, uint32_t faces, const uint8_t (*corner)[3], outline* o) {
    if (x->corners > OUTLINE_CORNERS || !take_faces(x->corners, faces, corner, o)) return false;
    if (!is_closed(x->corners, o)) return false;
    uint32_t f = 0;
    for (; f + 1 < faces; f += 2) measure_two(x, o, f);
    if (f < faces) measure(x, o, f);
    return true;
}

void apart_outline_simplex(const surface* x, outline* o) {
    static const uint8_t opposite[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    static const uint8_t mirrored[4][3] = {{1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
    o->faces = 4;
    memcpy(o->corner, opposite, sizeof opposite);
    measure(x, o, 0);
    if (o->volume[0] < 0) {
        memcpy(o->corner, mirrored, sizeof mirrored);
        measure(x, o, 0);
    }
    for (uint32_t f = 1; f < 4; ++f) measure(x, o, f);
}

/// Whether a corner lies in the plane of a face.
static bool in_plane(const surface* x, const face* f, unsigned corner) {
    return fabs(vec3_dot(f->n, x->corner[corner].w) - f->height) <= 4 * SURFACE_ROUNDING;
}

/// It is taken from the one of these faces that holds it, or comes nearest to that.
void apart_outline_foot(const surface* x, const outline* o, sight* out) {
    double inside = -INFINITY;
    for (int i = 0; i < out->count && inside < 0; ++i) {
        const uint8_t* c = o->corner[out->level[i]];
        bool same = out->level[i] == out->nearest;
        if (!same && !(in_plane(x, &out->face, c[0]) && in_plane(x, &out->face, c[1]) && in_plane(x, &out->face, c[2])))
            continue;
        face f = {.n = out->face.n, .corner = {c[0], c[1], c[2]}};
        double weight[3];
        apart_surface_weigh(x, &f, weight);
        double least = smaller(weight[0], smaller(weight[1], weight[2]));
        if (!(least > inside)) continue;
        inside = least;
        memcpy(out->foot, f.corner, sizeof out->foot);
        memcpy(out->weight, weight, sizeof out->weight);
    }
    apart_surface_make_convex(out->weight);
}

bool apart_outline_nearest(const surface* x, const outline* o, sight* out) {
    double least = lowest(o);
    if (!(least > OUTLINE_CLEAR)) return false;
    // All others are certainly farther than those that are level to rounding.
    double reach = sqrt(least) + 4 * OUTLINE_ROUNDING;
    uint8_t level[APART_CACHE_FACES];
    int count = take_low(o, reach, level);
    if (count > OUTLINE_LEVEL) return false;
    out->count = count;
    memcpy(out->level, level, (size_t)count);
    for (int i = 0; i < count; ++i) {
        face seen = apart_surface_face(x, o->corner[level[i]]);
        if (!(seen.height > seen.slack)) return false;
        if (i > 0 && !(seen.bound < out->face.bound)) continue;
        out->nearest = level[i];
        out->face = seen;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------------ pushing ----

/// Takes out the faces below p, `nearest` among them. Their edges stay in e.
static inline void take_out(outline* o, vec3 p, uint16_t nearest, edges* e) {
    uint32_t kept = 0;
    for (uint32_t f = 0; f < o->faces; ++f) {
        if (f == nearest || o->x[f] * p.x + o->y[f] * p.y + o->z[f] * p.z > o->volume[f]) {
            add_face(e, o->corner[f]);
            continue;
        }
        memcpy(o->corner[kept], o->corner[f], sizeof o->corner[f]);
        o->x[kept] = o->x[f];
        o->y[kept] = o->y[f];
        o->z[kept] = o->z[f];
        o->volume[kept] = o->volume[f];
        o->square[kept] = o->square[f];
        kept += 1;
    }
    o->faces = kept;
}

/// The number of the lowest bit.
static inline uint8_t first_bit(uint64_t bits) { return (uint8_t)__builtin_ctzll(bits); }

bool apart_outline_push_out(surface* x, outline* o, uint16_t nearest) {
    const int apex = x->corners;
    if (apex == OUTLINE_CORNERS) return false;
    edges gone;
    clear_edges(&gone, apex);
    take_out(o, surface_next(x)->w, nearest, &gone);
    x->corners += 1;
    // Where one way only is left of an edge is the rim. It passes no corner twice, so that new edges occur once, too.
    for (int u = 0; u < apex; ++u) {
        uint64_t rim = gone.to[u] & ~gone.from[u];
        if (rim == 0) continue;
        if ((rim & (rim - 1)) != 0 || o->faces == APART_CACHE_FACES) return false;
        uint8_t* c = o->corner[o->faces];
        c[0] = (uint8_t)u;
        c[1] = first_bit(rim);
        c[2] = (uint8_t)apex;
        measure(x, o, o->faces);
        o->faces += 1;
    }
    return o->faces >= 4;
}

int apart_outline_low(const outline* o, double height, uint8_t low[APART_CACHE_FACES]) {
    return take_low(o, height + 4 * OUTLINE_ROUNDING, low);
}

// The closed surface of the expanding polytope: faces, horizon, the nearest face.
#include "depth/surface.h"
#include "convex/cache.h"
#include "convex/simplex.h"

#include <string.h>

/// sin^2 of an angle below which a triangle is narrow: its plane is then measured with care.
#define NARROW 0.01

/// Bounds that differ by less may be of one plane: a narrower slack of measure_face, and twice what it may be in error.
#define LEVEL (128 * SURFACE_ROUNDING)

static inline unsigned edge_of(unsigned id, unsigned number) { return 4 * id + number; }
static inline unsigned face_of(unsigned edge) { return edge >> 2; }
/// The next edge of a face, and the one before.
static inline unsigned edge_after(unsigned edge) { return (edge & ~3u) + (9u >> 2 * (edge & 3) & 3); }
static inline unsigned edge_before(unsigned edge) { return (edge & ~3u) + (18u >> 2 * (edge & 3) & 3); }

void apart_surface_clear(surface* x) {
    x->lowest = INFINITY;
    x->slivers = false;
    x->corners = 0;
    x->faces = x->free_count = 0;
}

// ----------------------------------------------------------------------------------------------------- one face ----

/// The nearest point of segment pq to the origin.
static vec3 nearest_on_edge(vec3 p, vec3 q) {
    vec3 e = vec3_sub(q, p);
    double ee = vec3_dot(e, e), t = -vec3_dot(p, e);
    if (!(t > 0)) return p;
    if (!(t < ee)) return q;
    return vec3_mad(p, t / ee, e);
}

/// How high the lowest corner is along d. No point of the triangle is nearer to the origin than this less
/// SURFACE_ROUNDING, whatever unit vector d is: d . x is least at a corner. A rounded d costs nothing but its own
/// length.
static inline double lowest_along(const vec3* w[3], vec3 d) {
    return smaller(vec3_dot(d, *w[0]), smaller(vec3_dot(d, *w[1]), vec3_dot(d, *w[2])));
}

/// The normal of a triangle, not normalised, from its two shorter sides, which know it best. longest: the number of the
/// corner before the longest side; thin: the product of these sides, divided by |n|.
static vec3 careful_normal(const vec3* w[3], int* longest, double* thin) {
    vec3 e[3];
    double ee[3];
    *longest = 0;
    for (int i = 0; i < 3; ++i) {
        e[i] = vec3_sub(*w[(i + 1) % 3], *w[i]);
        ee[i] = vec3_dot(e[i], e[i]);
        if (ee[i] > ee[*longest]) *longest = i;
    }
    int i = (*longest + 1) % 3, j = (*longest + 2) % 3;
    vec3 n = vec3_cross(e[i], e[j]);
    double nn = vec3_dot(n, n);
    *thin = nn > SHORTEST_NORMAL ? sqrt(ee[i] * ee[j] / nn) : INFINITY;
    return n;
}

static inline void get_corners(const surface* x, unsigned id, const vec3* w[3]) {
    for (unsigned i = 0; i < 3; ++i) w[i] = &surface_corner(x, id, i)->w;
}

/// A narrow triangle: its plane, and if that does not tell the side of the origin, how far it is along the way to its
/// longest side. thin is the product of the edges that n was taken from, divided by its length before: the rounding
/// error of n, below 4.7 u times the edges, counts with |w|.
static __attribute__((noinline)) bool measure_narrow(surface* x, unsigned id) {
    face* f = &x->face[id];
    const vec3* w[3];
    get_corners(x, id, w);
    int longest;
    double thin;
    vec3 n = careful_normal(w, &longest, &thin);
    double nn = larger(vec3_dot(n, n), SHORTEST_NORMAL);
    f->n = vec3_scale(nn > SHORTEST_NORMAL ? 1 / sqrt(nn) : 0, n);
    f->inverse = 1;
    double height = vec3_dot(f->n, *w[(longest + 2) % 3]), slack = SURFACE_ROUNDING * (1 + thin);
    bool certain = height > slack;
    f->top = height + slack;
    x->bound[id] = certain ? lowest_along(w, f->n) - SURFACE_ROUNDING : height - slack;
    // Or certainly from outside.
    if (certain || f->top < 0) return certain;
    // Seen from the origin such a sliver covers next to nothing, below 2^-12, whichever side it shows.
    vec3 v = nearest_on_edge(*w[longest], *w[(longest + 1) % 3]);
    if (!(sqrt(nn) < 0x1p-12 * vec3_dot(v, v))) return false;
    f->sliver = x->slivers = true;
    x->bound[id] = larger(x->bound[id], lowest_along(w, vec3_unit(v)) - SURFACE_ROUNDING);
    return false;
}

vec3 apart_surface_sliver_direction(const surface* x, unsigned id) {
    const vec3* w[3];
    get_corners(x, id, w);
    int longest;
    double thin;
    careful_normal(w, &longest, &thin);
    return vec3_unit(nearest_on_edge(*w[longest], *w[(longest + 1) % 3]));
}

// ------------------------------------------------------------------------------------------------- list of faces ----

/// From the last corner of a triangle to another, and its squared length.
typedef struct spoke {
    vec3 e;
    double ee;
} spoke;

static inline spoke spoke_to(vec3 to, vec3 from) {
    vec3 e = vec3_sub(to, from);
    return (spoke){e, vec3_dot(e, e)};
}

/// The plane of a face with last corner c, and a bound of how far it is; s and t go from c to the other two. Returns
/// whether the origin certainly sees it from inside.
///
/// With |n|, |s| and |t| and c at most sqrt(3) long, the error of n is below 4.7 u |s| |t|, which counts with |c|, that
/// of n . c below 6 u |n|: together below slack = 8 u |n| (1 + |s| |t| / |n|), where a + 1 / a is at least 2. In units
/// of |n| the same again covers the error of |n|, so that the plane is at least as far as the bound.
static inline bool measure_face(surface* x, unsigned id, vec3 c, spoke s, spoke t) {
    face* f = &x->face[id];
    vec3 n = vec3_cross(s.e, t.e);
    double nn = vec3_dot(n, n), sides = s.ee * t.ee;
    f->below = f->closed = f->capped = f->sliver = false;
    if (!(nn > NARROW * sides && nn > SHORTEST_NORMAL)) return measure_narrow(x, id);
    double length = sqrt(nn), inverse = 1 / length, height = vec3_dot(n, c);
    double slack = SURFACE_ROUNDING * (1.5 * length + 0.5 * (sides * inverse));
    f->n = n;
    f->inverse = inverse;
    f->top = height + slack;
    x->bound[id] = inverse * (height - 2 * slack);
    return x->bound[id] > 0;
}

/// Raises the bound of a face that is seen from inside to what its corners tell along its normal.
double apart_surface_raise(surface* x, unsigned id) {
    face* f = &x->face[id];
    const vec3* w[3];
    get_corners(x, id, w);
    if (x->bound[id] > 0 && !f->sliver)
        x->bound[id] = larger(x->bound[id], lowest_along(w, face_normal(f)) - SURFACE_ROUNDING);
    return x->bound[id];
}

void apart_surface_close(surface* x, unsigned id) { x->face[id].closed = true; }

void apart_surface_cap(surface* x, unsigned id) {
    x->face[id].capped = true;
    x->lowest = smaller(x->lowest, x->bound[id]);
    apart_surface_close(x, id);
}

/// The nearest face that is not closed, or NO_FACE if all of these are as far as `reach`.
static unsigned nearest_open(const surface* x, double reach) {
    unsigned least = NO_FACE;
    for (unsigned i = 0; i < x->faces; ++i) {
        if (!(x->bound[i] < reach) || x->face[i].closed) continue;
        reach = x->bound[i];
        least = i;
    }
    return least;
}

uint16_t apart_surface_nearest(surface* x, double reach) {
    // Without a branch on each bound, which would mostly be foretold wrongly, and in two rows.
    double even = reach, odd = reach;
    unsigned least = NO_FACE, other = NO_FACE;
    for (unsigned i = 0; i < x->faces; i += 2) {
        least = x->bound[i] < even ? i : least;
        even = smaller(x->bound[i], even);
        other = x->bound[i + 1] < odd ? i : other;
        odd = smaller(x->bound[i + 1], odd);
    }
    if (odd < even) least = other + 1;
    if (least == NO_FACE) return NO_FACE;
    if (x->face[least].closed) least = nearest_open(x, reach);
    return (uint16_t)least;
}

static inline void remove_face(surface* x, unsigned id) {
    x->bound[id] = INFINITY;
    x->free[x->free_count++] = (uint16_t)id;
}

/// A face that is neither measured nor open.
static inline unsigned new_face(surface* x, uint8_t a, uint8_t b, uint8_t c) {
    if (x->free_count == 0) {
        x->bound[x->faces + 1] = INFINITY;
        remove_face(x, x->faces++);
    }
    unsigned id = x->free[--x->free_count];
    uint8_t* start = &x->start[edge_of(id, 0)];
    start[0] = start[3] = a;
    start[1] = b;
    start[2] = c;
    return id;
}

static inline void join(surface* x, unsigned e, unsigned f) {
    x->beyond[e] = (uint16_t)f;
    x->beyond[f] = (uint16_t)e;
}

static bool measure_by_corners(surface* x, unsigned id) {
    const vec3* w[3];
    get_corners(x, id, w);
    return measure_face(x, id, *w[2], spoke_to(*w[0], *w[2]), spoke_to(*w[1], *w[2]));
}

// ---------------------------------------------------------------------------------------------------- one point ----

/// Finds the faces below p, from one of them on, and the rim around them, counter-clockwise: a face is entered through
/// one edge and left through the other two.
static inline void find_rim(surface* x, unsigned first, vec3 p) {
    unsigned gone = 1, rim = 0, depth = 3;
    x->gone[0] = (uint16_t)first;
    x->face[first].below = true;
    for (unsigned i = 0; i < 3; ++i) x->stack[i] = (uint16_t)edge_of(first, 2 - i);
    while (depth > 0) {
        const unsigned edge = x->beyond[x->stack[--depth]];
        face* f = &x->face[face_of(edge)];
        if (f->below) continue;
        if (vec3_dot(f->n, p) > f->top) {
            f->below = true;
            x->gone[gone++] = (uint16_t)face_of(edge);
            x->stack[depth++] = (uint16_t)edge_before(edge);
            x->stack[depth++] = (uint16_t)edge_after(edge);
        } else {
            x->rim[rim++] = (uint16_t)edge;
        }
    }
    x->gone_count = gone;
    x->rim_count = rim;
}

/// The faces from corner `apex` to the rim, joined to it and to each other. Returns whether the rim is a loop and none
/// of them is nearer than `least`; *certain: whether all are certainly seen from inside.
static inline bool make_cone(surface* x, uint8_t apex, double least, bool* certain) {
    const unsigned count = x->rim_count;
    const vec3 top = x->corner[apex].w;
    uint8_t before = x->start[x->rim[count - 1]];
    spoke s = spoke_to(x->corner[before].w, top);
    bool fit = count >= 3, all = true;
    unsigned first = 0, last = 0;
    for (unsigned i = 0; i < count; ++i) {
        const unsigned edge = x->rim[i];
        const uint8_t to = x->start[edge];
        const spoke t = spoke_to(x->corner[to].w, top);
        const unsigned id = x->stack[i] = (uint16_t)new_face(x, before, to, apex);
        all &= measure_face(x, id, top, s, t);
        fit &= x->bound[id] >= least && x->start[edge + 1] == before;
        join(x, edge_of(id, 0), edge);
        if (i > 0)
            join(x, edge_of(last, 1), edge_of(id, 2));
        else
            first = id;
        last = id;
        before = to;
        s = t;
    }
    join(x, edge_of(last, 1), edge_of(first, 2));
    *certain = all;
    return fit;
}

/// A face that was below, joined to those around it as before.
static void put_back(surface* x, unsigned id) {
    x->face[id].below = false;
    for (unsigned e = edge_of(id, 0); e < edge_of(id, 3); ++e) join(x, e, x->beyond[e]);
}

/// Takes the cone off again. Where it would come nearer than `least`, the face beyond the rim is in its way, most often
/// one that is too thin to tell that the point is above it: from now on it goes with whatever is next to it.
/// Returns whether there is one.
static bool take_back(surface* x, double least) {
    bool found = false;
    for (unsigned i = 0; i < x->rim_count; ++i) {
        const bool near = !(x->bound[x->stack[i]] > least);
        if (near) x->face[face_of(x->rim[i])].top = -INFINITY;
        found |= near;
        remove_face(x, x->stack[i]);
    }
    return found;
}

/// Puts the new point over the faces below it. False if it cannot be done; then all faces are where they were, and
/// *again tells whether it may be tried once more.
static bool replace_below(surface* x, unsigned id, double bound, bool* again) {
    const double least = bound > 0 ? larger(bound - LEVEL, 0) : -INFINITY;
    find_rim(x, id, surface_next(x)->w);
    bool room = x->rim_count > 0 && x->faces - x->free_count + x->rim_count <= MAX_FACES, certain = false;
    bool fit = room && make_cone(x, (uint8_t)x->corners, least, &certain) && (certain || !(bound > 0));
    if (!fit) {
        *again = room && take_back(x, least);
        for (unsigned i = 0; i < x->gone_count; ++i) put_back(x, x->gone[i]);
        return false;
    }
    for (unsigned i = 0; i < x->gone_count; ++i) remove_face(x, x->gone[i]);
    x->corners += 1;
    return true;
}

bool apart_surface_push_out(surface* x, unsigned id) {
    const double bound = smaller(x->bound[id], x->lowest);
    bool again;
    return replace_below(x, id, bound, &again) || (again && replace_below(x, id, bound, &again));
}

// ------------------------------------------------------------------------------------------------- the beginning ----

vec3 apart_surface_away(const surface* x, vec3 hint) {
    const vertex* c = x->corner;
    vec3 d = hint;
    if (x->corners == 2) {
        vec3 e = vec3_sub(c[1].w, c[0].w), v = nearest_on_edge(c[0].w, c[1].w);
        d = vec3_length(v) > 0x1p-40 ? vec3_unit(vec3_square_to(v, e)) : vec3_square(e);
    } else if (x->corners == 3) {
        const vec3* w[3] = {&c[0].w, &c[1].w, &c[2].w};
        int longest;
        double thin;
        d = vec3_unit(careful_normal(w, &longest, &thin));
    }
    return vec3_dot(d, c[0].w) > 0 ? vec3_neg(d) : d;
}

bool apart_surface_tetrahedron(surface* x) {
    vec3 w[4];
    for (int i = 0; i < 4; ++i) w[i] = x->corner[i].w;
    double v = apart_simplex_volume(w);
    if (v == 0) return false;
    if (v > 0) {
        vertex first = x->corner[0];
        x->corner[0] = x->corner[1];
        x->corner[1] = first;
    }
    // The base, and a cone from the last corner over its edges.
    new_face(x, 0, 1, 2);
    measure_by_corners(x, 0);
    for (unsigned i = 0; i < 3; ++i) x->rim[i] = (uint16_t)edge_of(0, 2 - i);
    x->rim_count = 3;
    bool certain;
    make_cone(x, 3, -INFINITY, &certain);
    return true;
}

bool apart_surface_octahedron(surface* x) {
    // Below the square of the first four corners, and then a cone from the last but one.
    static const uint8_t AROUND[4] = {0, 2, 1, 3};
    bool below = true, above;
    for (unsigned i = 0; i < 4; ++i) {
        new_face(x, AROUND[(i + 1) & 3], AROUND[i], 5);
        below &= measure_by_corners(x, i);
        x->rim[i] = (uint16_t)edge_of(i, 0);
    }
    for (unsigned i = 0; i < 4; ++i) join(x, edge_of(i, 2), edge_of((i + 1) & 3, 1));
    x->rim_count = 4;
    x->corners = 6;
    make_cone(x, 4, -INFINITY, &above);
    return below && above;
}

// ---------------------------------------------------------------------------------------------------- in a cache ----

/// The faces with these corners. False if they do not form a closed surface that is seen from inside by the origin.
static bool build_surface(surface* x, uint32_t faces, const uint8_t (*corner)[3]) {
    // The edge from one corner to another.
    uint16_t edge[CACHE_CORNERS * CACHE_CORNERS];
    const unsigned n = (unsigned)x->corners;
    for (unsigned i = 0; i < n * n; ++i) edge[i] = UINT16_MAX;
    for (unsigned f = 0; f < faces; ++f) {
        const uint8_t* c = corner[f];
        if (c[0] >= n || c[1] >= n || c[2] >= n) return false;
        new_face(x, c[0], c[1], c[2]); // number f
        for (unsigned e = edge_of(f, 0); e < edge_of(f, 3); ++e) {
            uint16_t* own = &edge[x->start[e] * n + x->start[e + 1]];
            if (*own != UINT16_MAX) return false;
            *own = (uint16_t)e;
        }
    }
    for (unsigned f = 0; f < faces; ++f) {
        if (!measure_by_corners(x, f)) return false;
        for (unsigned e = edge_of(f, 0); e < edge_of(f, 3); ++e) {
            x->beyond[e] = edge[x->start[e + 1] * n + x->start[e]];
            if (x->beyond[e] == UINT16_MAX) return false;
        }
    }
    return true;
}

/// Whether surfaces of these bodies can be kept: vertex numbers take 16 bits.
static bool can_keep(const difference* k) {
    return difference_is_numbered(k) && shape_vertex_count(k->a.shape) <= UINT16_MAX &&
           shape_vertex_count(k->b.shape) <= UINT16_MAX;
}

bool apart_surface_keep(const difference* k, const surface* s, apart_cache* cache) {
    cache_surface m = {.a = {0}};
    uint32_t faces = 0;
    if (!can_keep(k) || s->corners > CACHE_CORNERS || s->faces - s->free_count > CACHE_MOST_FACES) return false;
    for (int i = 0; i < s->corners; ++i) {
        m.a[i] = (uint16_t)s->corner[i].index_a;
        m.b[i] = (uint16_t)s->corner[i].index_b;
    }
    for (unsigned i = 0; i < s->faces; ++i) {
        if (!(s->bound[i] < INFINITY)) continue;
        memcpy(m.face[faces], &s->start[edge_of(i, 0)], 3);
        faces += 1;
    }
    cache->words[CACHE_KIND] = CACHE_SURFACE;
    cache->words[CACHE_COUNT_A] = cache->words[CACHE_COUNT_B] = (uint32_t)s->corners;
    cache->words[CACHE_FACES] = faces;
    memcpy(&cache->words[CACHE_A], &m, sizeof m);
    return true;
}

bool apart_surface_recall(difference* k, const apart_cache* cache, surface* s) {
    const uint32_t corners = cache->words[CACHE_COUNT_A], faces = cache->words[CACHE_FACES];
    if (cache->words[CACHE_KIND] != CACHE_SURFACE || !can_keep(k)) return false;
    if (corners > CACHE_CORNERS || faces < 4 || faces > CACHE_MOST_FACES) return false;
    cache_surface m;
    memcpy(&m, &cache->words[CACHE_A], sizeof m);
    const uint32_t count_a = shape_vertex_count(k->a.shape), count_b = shape_vertex_count(k->b.shape);
    apart_minkowski_place(k);
    s->corners = (int)corners;
    for (uint32_t i = 0; i < corners; ++i) {
        if (m.a[i] >= count_a || m.b[i] >= count_b) return false;
        apart_minkowski_vertex(k, m.a[i], m.b[i], &s->corner[i]);
    }
    return build_surface(s, faces, (const uint8_t(*)[3])m.face);
}

// ------------------------------------------------------------------------------------------------ what it proves ----

uint16_t apart_surface_nearest_of_all(const surface* x) {
    unsigned least = NO_FACE;
    for (unsigned i = 0; i < x->faces; ++i)
        if (!x->face[i].capped && x->bound[i] < (least == NO_FACE ? INFINITY : x->bound[least])) least = i;
    return (uint16_t)least;
}

double apart_surface_bound(surface* x, double most) {
    for (unsigned i = 0; i < x->faces; ++i)
        if (x->bound[i] < most && !x->face[i].capped) most = smaller(most, apart_surface_raise(x, i));
    return most;
}

/// A number not above the solid angle under which the origin sees a face, from inside.
static double solid_angle(const surface* x, unsigned id) {
    const vec3* w[3];
    get_corners(x, id, w);
    const vec3 a = *w[0], b = *w[1], c = *w[2];
    double la = vec3_length(a), lb = vec3_length(b), lc = vec3_length(c);
    double up = vec3_dot(a, vec3_cross(b, c));
    double down = la * lb * lc + vec3_dot(a, b) * lc + vec3_dot(b, c) * la + vec3_dot(c, a) * lb;
    // 2 atan(up / down), and atan(t) >= t / (1 + t).
    return down > 0 ? 2 * up / (up + down) : 1;
}

/// If all faces are seen from inside it does. So it does with slivers, if they cannot take away what the others give to
/// the sum of solid angles: each of at most MAX_FACES counts less than 2^-12.
bool apart_surface_goes_round(const surface* x) {
    double sum = 0;
    for (unsigned i = 0; x->slivers && i < x->faces; ++i)
        if (x->bound[i] < INFINITY && !x->face[i].sliver) sum += solid_angle(x, i);
    return !x->slivers || sum > 1;
}

/// The point of the face's plane that is nearest the origin; not all weights are positive if it lies outside.
static void plane_foot(const surface* x, unsigned id, double weight[3]) {
    const vec3 n = apart_surface_direction(x, id), *w[3];
    get_corners(x, id, w);
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += weight[i] = vec3_dot(n, vec3_cross(*w[(i + 1) % 3], *w[(i + 2) % 3]));
    for (int i = 0; i < 3; ++i) weight[i] = sum > 0 ? weight[i] / sum : 1. / 3;
}

/// Where no weight is negative but for rounding, or on an answer that is not final: the nearest point in the face.
static void make_convex(double weight[3]) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += weight[i] = larger(weight[i], 0);
    for (int i = 0; i < 3; ++i) weight[i] /= sum;
}

void apart_surface_foot(const surface* x, unsigned id, double open, combination* foot) {
    const vec3 n = face_normal(&x->face[id]);
    const double height = vec3_dot(n, surface_corner(x, id, 0)->w), rough = 4 * SURFACE_ROUNDING + open;
    plane_foot(x, id, foot->weight);
    for (int steps = 0; steps < MAX_FACES; ++steps) {
        const double* w = foot->weight;
        unsigned corner = w[1] < w[0] ? 1 : 0;
        if (w[2] < w[corner]) corner = 2;
        if (w[corner] >= 0) break;
        unsigned edge = x->beyond[edge_after(edge_of(id, corner))];
        vec3 apex = x->corner[x->start[edge_before(edge)]].w;
        if (x->face[face_of(edge)].sliver || fabs(vec3_dot(n, apex) - height) > rough) break;
        id = face_of(edge);
        plane_foot(x, id, foot->weight);
    }
    make_convex(foot->weight);
    foot->count = 3;
    for (unsigned i = 0; i < 3; ++i) foot->p[i] = *surface_corner(x, id, i);
}

#include "depth/surface.h"
#include "convex/cache.h"
#include "convex/simplex.h"

#include <string.h>

/// sin^2 of an angle below which a triangle is narrow: its plane is then measured with care.
#define NARROW 0.01

/// An edge, seen from a face: 4 * face + number of the corner that it leaves.
static inline unsigned edge_of(unsigned id, unsigned number) { return 4 * id + number; }
static inline unsigned face_of(unsigned edge) { return edge >> 2; }
static inline unsigned number_of(unsigned edge) { return edge & 3; }
/// The next corner or edge of a face, and the one before.
static inline unsigned next_of(unsigned number) { return 9u >> 2 * number & 3; }
static inline unsigned last_of(unsigned number) { return 18u >> 2 * number & 3; }

void apart_surface_clear(surface* x) {
    x->lowest = INFINITY;
    x->slivers = false;
    x->corners = x->faces = x->free_count = x->open_count = 0;
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

/// No point of the triangle is nearer to the origin than this, whatever unit vector d is: d . x is least at a corner. A
/// rounded d costs nothing but its own length.
static inline double least_along(const vec3* w[3], vec3 d) {
    double a = vec3_dot(d, *w[0]), b = vec3_dot(d, *w[1]), c = vec3_dot(d, *w[2]);
    return smaller(a, smaller(b, c)) - SURFACE_ROUNDING;
}

/// The plane with normal n through w. thin: the product of the edges that n was taken from, divided by |n|, or more:
/// the rounding error of n, below 4 u times the edges, counts with |w|. Returns whether it tells the side of the
/// origin.
static inline bool set_plane(face* f, const vec3* w[3], vec3 n, double inverse_length, double thin, int base) {
    f->n = vec3_scale(inverse_length, n);
    double height = vec3_dot(f->n, *w[base]), slack = SURFACE_ROUNDING * (1 + thin);
    f->top = height + slack;
    f->certain = height > slack;
    f->bound = f->certain ? least_along(w, f->n) : height - slack;
    f->sliver = false;
    return fabs(height) > slack;
}

/// The normal of a triangle, not normalised, from its two shorter sides, which know it best. longest: the number of the
/// corner before the longest side; thin: as above.
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
    *thin = nn > 0 ? sqrt(ee[i] * ee[j] / nn) : INFINITY;
    return n;
}

/// A narrow triangle: its plane, and if that does not tell the side of the origin, how far it is along the way to its
/// longest side.
static void measure_narrow(surface* x, const vec3* w[3], face* f) {
    int longest;
    double thin;
    vec3 n = careful_normal(w, &longest, &thin);
    double nn = vec3_dot(n, n);
    if (set_plane(f, w, n, nn > 0 ? 1 / sqrt(nn) : 0, thin, (longest + 2) % 3)) return;
    // Seen from the origin such a sliver covers next to nothing, below 2^-12, whichever side it shows.
    vec3 v = nearest_on_edge(*w[longest], *w[(longest + 1) % 3]);
    if (!(sqrt(nn) < 0x1p-12 * vec3_dot(v, v))) return;
    f->sliver = x->slivers = true;
    f->bound = larger(f->bound, least_along(w, vec3_unit(v)));
}

vec3 apart_surface_direction(const surface* x, const face* f) {
    if (!f->sliver && !vec3_is_zero(f->n)) return f->n;
    vec3 v = {0, 0, 0};
    double longest = -1;
    for (int i = 0; i < 3; ++i) {
        vec3 p = x->corner[f->corner[i]].w, q = x->corner[f->corner[(i + 1) % 3]].w, e = vec3_sub(q, p);
        if (!(vec3_dot(e, e) > longest)) continue;
        longest = vec3_dot(e, e);
        v = nearest_on_edge(p, q);
    }
    return vec3_unit(v);
}

/// From the last corner of a triangle to another, and its squared length.
typedef struct spoke {
    vec3 e;
    double ee;
} spoke;

static inline spoke spoke_to(vec3 to, vec3 from) {
    vec3 e = vec3_sub(to, from);
    return (spoke){e, vec3_dot(e, e)};
}

/// The plane of a face and how far it is; s and t go to its first two corners.
static inline void measure_face(surface* x, face* f, const vec3* w[3], spoke s, spoke t) {
    vec3 n = vec3_cross(s.e, t.e);
    double nn = vec3_dot(n, n), sides = s.ee * t.ee;
    if (!(nn > NARROW * sides)) {
        measure_narrow(x, w, f);
        return;
    }
    double inverse = 1 / sqrt(nn);
    set_plane(f, w, n, inverse, 0.5 + 0.5 * (sides * inverse * inverse), 2);
}

// ------------------------------------------------------------------------------------------------- list of faces ----

static void open_face(surface* x, uint16_t id, double reach) {
    face* f = &x->face[id];
    // Without a jump, as nobody can foretell it.
    const int count = x->open_count, near = f->bound < reach;
    x->open[count] = id;
    x->key[count] = f->bound;
    f->place = (uint16_t)(count | (near - 1));
    x->open_count = count + near;
}

void apart_surface_close(surface* x, uint16_t id) {
    face* f = &x->face[id];
    if (f->place == CLOSED) return;
    x->open_count -= 1;
    uint16_t last = x->open[x->open_count];
    x->open[f->place] = last;
    x->key[f->place] = x->key[x->open_count];
    x->face[last].place = f->place;
    f->place = CLOSED;
}

void apart_surface_cap(surface* x, uint16_t id) {
    x->face[id].capped = true;
    x->lowest = smaller(x->lowest, x->face[id].bound);
    apart_surface_close(x, id);
}

uint16_t apart_surface_nearest(const surface* x) {
    if (x->open_count == 0) return NO_FACE;
    int least = 0;
    for (int i = 1; i < x->open_count; ++i)
        if (x->key[i] < x->key[least]) least = i;
    return x->open[least];
}

/// A face that is not yet in the list, nor measured.
static inline uint16_t new_face(surface* x, uint8_t a, uint8_t b, uint8_t c) {
    // Without a jump, as nobody can foretell it.
    const int spare = x->free_count > 0;
    x->free_count -= spare;
    uint16_t id = x->free[x->free_count];
    if (!spare) id = (uint16_t)x->faces;
    x->faces += !spare;
    face* f = &x->face[id];
    f->corner[0] = a;
    f->corner[1] = b;
    f->corner[2] = c;
    f->place = CLOSED;
    f->below = f->capped = false;
    return id;
}

/// The same, measured.
static uint16_t new_measured_face(surface* x, uint8_t a, uint8_t b, uint8_t c) {
    uint16_t id = new_face(x, a, b, c);
    const vec3* w[3] = {&x->corner[a].w, &x->corner[b].w, &x->corner[c].w};
    measure_face(x, &x->face[id], w, spoke_to(*w[0], *w[2]), spoke_to(*w[1], *w[2]));
    return id;
}

static inline void remove_face(surface* x, uint16_t id) {
    apart_surface_close(x, id);
    x->face[id].place = REMOVED;
    x->free[x->free_count++] = id;
}

/// Joins two edges.
static inline void join(surface* x, unsigned e, unsigned f) {
    x->face[face_of(e)].beyond[number_of(e)] = (uint16_t)f;
    x->face[face_of(f)].beyond[number_of(f)] = (uint16_t)e;
}

// ---------------------------------------------------------------------------------------------------- one point ----

/// Finds the faces below p, from one of them on, and the rim around them, counter-clockwise: a face is entered through
/// one edge and left through the other two.
static inline void find_rim(surface* x, uint16_t first, vec3 p) {
    int gone = 1, rim = 0, depth = 3;
    x->gone[0] = first;
    x->face[first].below = true;
    for (unsigned i = 0; i < 3; ++i) x->stack[i] = (uint16_t)edge_of(first, 2 - i);
    while (depth > 0) {
        unsigned inner = x->stack[--depth];
        const face* f = &x->face[face_of(inner)];
        unsigned edge = f->beyond[number_of(inner)], entered = number_of(edge);
        face* other = &x->face[face_of(edge)];
        if (other->below) continue;
        rim_edge r = {(uint16_t)edge, NO_FACE, f->corner[number_of(inner)], f->corner[next_of(number_of(inner))]};
        if (vec3_dot(other->n, p) > other->top) {
            other->below = true;
            x->gone[gone++] = (uint16_t)face_of(edge);
            x->stack[depth++] = (uint16_t)edge_of(face_of(edge), last_of(entered));
            x->stack[depth++] = (uint16_t)edge_of(face_of(edge), next_of(entered));
        } else {
            x->rim[rim++] = r;
        }
    }
    x->gone_count = gone;
    x->rim_count = rim;
}

/// The faces from corner `apex` to the rim, not joined yet. Returns whether the rim is a loop and none of them is
/// nearer than `least`; *certain: whether all are certainly seen from inside.
static inline bool make_cone(surface* x, uint8_t apex, double least, bool* certain) {
    const vec3 *top = &x->corner[apex].w, *from = &x->corner[x->rim[0].from].w;
    spoke s = spoke_to(*from, *top);
    bool fit = x->rim_count >= 3;
    uint8_t before = x->rim[x->rim_count - 1].to;
    *certain = true;
    for (int i = 0; i < x->rim_count; ++i) {
        rim_edge* r = &x->rim[i];
        const vec3* w[3] = {from, &x->corner[r->to].w, top};
        spoke t = spoke_to(*w[1], *top);
        r->made = new_face(x, r->from, r->to, apex);
        face* f = &x->face[r->made];
        measure_face(x, f, w, s, t);
        *certain &= f->certain;
        fit &= f->bound >= least && r->from == before;
        before = r->to;
        from = w[1];
        s = t;
    }
    return fit;
}

/// Joins the cone to the rim and in itself.
static void join_cone(surface* x, double reach) {
    unsigned before = x->rim[x->rim_count - 1].made;
    for (int i = 0; i < x->rim_count; ++i) {
        const rim_edge* r = &x->rim[i];
        join(x, edge_of(r->made, 0), r->edge);
        join(x, edge_of(before, 1), edge_of(r->made, 2));
        open_face(x, r->made, reach);
        before = r->made;
    }
}

bool apart_surface_push_out(surface* x, uint16_t id, double reach) {
    const double bound = smaller(x->face[id].bound, x->lowest);
    const double least = bound > 0 ? bound - 4 * SURFACE_ROUNDING : -INFINITY;
    find_rim(x, id, surface_next(x)->w);
    bool room = x->rim_count > 0 && x->faces - x->free_count + x->rim_count <= MAX_FACES, certain = false;
    bool fit = room && make_cone(x, (uint8_t)x->corners, least, &certain) && (certain || !(bound > 0));
    if (!fit) {
        for (int i = 0; room && i < x->rim_count; ++i) remove_face(x, x->rim[i].made);
        for (int i = 0; i < x->gone_count; ++i) x->face[x->gone[i]].below = false;
        return false;
    }
    for (int i = 0; i < x->gone_count; ++i) remove_face(x, x->gone[i]);
    join_cone(x, reach);
    x->corners += 1;
    return true;
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

bool apart_surface_tetrahedron(surface* x, double reach) {
    // The base, and a cone from the last corner over its edges.
    static const rim_edge rim[3] = {{2, NO_FACE, 0, 2}, {1, NO_FACE, 2, 1}, {0, NO_FACE, 1, 0}};
    vec3 w[4];
    for (int i = 0; i < 4; ++i) w[i] = x->corner[i].w;
    double v = apart_simplex_volume(w);
    if (v == 0) return false;
    if (v > 0) {
        vertex first = x->corner[0];
        x->corner[0] = x->corner[1];
        x->corner[1] = first;
    }
    open_face(x, new_measured_face(x, 0, 1, 2), reach);
    memcpy(x->rim, rim, sizeof rim);
    x->rim_count = 3;
    bool certain;
    make_cone(x, 3, -INFINITY, &certain);
    join_cone(x, reach);
    return true;
}

// ---------------------------------------------------------------------------------------------------- in a cache ----

/// The faces with these corners. False if they do not form a closed surface that is seen from inside by the origin.
static bool build_surface(surface* x, uint32_t faces, const uint8_t (*corner)[3]) {
    _Static_assert(CACHE_MOST_FACES < UINT8_MAX, "a face fits a byte");
    // The face that has the edge from one corner to another.
    uint8_t owner[CACHE_CORNERS * CACHE_CORNERS];
    const unsigned n = (unsigned)x->corners;
    memset(owner, UINT8_MAX, (size_t)n * n);
    for (uint32_t f = 0; f < faces; ++f) {
        const uint8_t* c = corner[f];
        if (c[0] >= n || c[1] >= n || c[2] >= n) return false;
        for (unsigned i = 0; i < 3; ++i) {
            uint8_t* own = &owner[c[i] * n + c[next_of(i)]];
            if (c[i] == c[next_of(i)] || *own != UINT8_MAX) return false;
            *own = (uint8_t)f;
        }
    }
    for (uint32_t f = 0; f < faces; ++f) {
        const uint8_t* c = corner[f];
        uint16_t id = new_measured_face(x, c[0], c[1], c[2]);
        if (!x->face[id].certain) return false;
        for (unsigned i = 0; i < 3; ++i) {
            unsigned from = c[next_of(i)], other = owner[from * n + c[i]];
            if (other == UINT8_MAX) return false;
            const uint8_t* o = corner[other];
            x->face[id].beyond[i] = (uint16_t)edge_of(other, (unsigned)(o[1] == from) + 2 * (unsigned)(o[2] == from));
        }
        open_face(x, id, INFINITY);
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
    for (int i = 0; i < s->faces; ++i) {
        if (s->face[i].place == REMOVED) continue;
        for (int j = 0; j < 3; ++j) m.face[faces][j] = (uint8_t)s->face[i].corner[j];
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
        s->corner[i] = apart_minkowski_vertex(k, m.a[i], m.b[i]);
    }
    return build_surface(s, faces, (const uint8_t(*)[3])m.face);
}

// ------------------------------------------------------------------------------------------------ what it proves ----

uint16_t apart_surface_nearest_of_all(const surface* x) {
    uint16_t least = NO_FACE;
    for (int i = 0; i < x->faces; ++i)
        if (x->face[i].place != REMOVED && !x->face[i].capped &&
            (least == NO_FACE || x->face[i].bound < x->face[least].bound))
            least = (uint16_t)i;
    return least;
}

/// A number not above the solid angle under which the origin sees a face, from inside.
static double solid_angle(const surface* x, const face* f) {
    vec3 a = x->corner[f->corner[0]].w, b = x->corner[f->corner[1]].w, c = x->corner[f->corner[2]].w;
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
    for (int i = 0; x->slivers && i < x->faces; ++i)
        if (x->face[i].place != REMOVED && !x->face[i].sliver) sum += solid_angle(x, &x->face[i]);
    return !x->slivers || sum > 1;
}

/// The point of the face's plane that is nearest the origin; not all weights are positive if it lies outside.
static void plane_foot(const surface* x, const face* f, double weight[3]) {
    const vec3 *a = &x->corner[f->corner[0]].w, *b = &x->corner[f->corner[1]].w, *c = &x->corner[f->corner[2]].w;
    vec3 n = apart_surface_direction(x, f);
    weight[0] = vec3_dot(n, vec3_cross(*b, *c));
    weight[1] = vec3_dot(n, vec3_cross(*c, *a));
    weight[2] = vec3_dot(n, vec3_cross(*a, *b));
    double sum = weight[0] + weight[1] + weight[2];
    for (int i = 0; i < 3; ++i) weight[i] = sum > 0 ? weight[i] / sum : 1. / 3;
}

/// Where no weight is negative but for rounding, or on an answer that is not final: the nearest point in the face.
static void make_convex(double weight[3]) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += weight[i] = larger(weight[i], 0);
    for (int i = 0; i < 3; ++i) weight[i] /= sum;
}

void apart_surface_foot(const surface* x, const face* f, double open, combination* foot) {
    const vec3 n = f->n;
    const double height = vec3_dot(n, x->corner[f->corner[0]].w), rough = 4 * SURFACE_ROUNDING + open;
    plane_foot(x, f, foot->weight);
    for (int steps = 0; steps < MAX_FACES; ++steps) {
        const double* w = foot->weight;
        unsigned corner = w[1] < w[0] ? 1 : 0;
        if (w[2] < w[corner]) corner = 2;
        if (w[corner] >= 0) break;
        unsigned edge = f->beyond[next_of(corner)];
        const face* other = &x->face[face_of(edge)];
        vec3 apex = x->corner[other->corner[last_of(number_of(edge))]].w;
        if (other->sliver || fabs(vec3_dot(n, apex) - height) > rough) break;
        f = other;
        plane_foot(x, f, foot->weight);
    }
    make_convex(foot->weight);
    foot->count = 3;
    for (int i = 0; i < 3; ++i) foot->p[i] = x->corner[f->corner[i]];
}

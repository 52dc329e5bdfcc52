#include "depth/start.h"

#include <string.h>

/// Support points after which the better search takes over.
#define MAX_STEPS 20

/// A support plane: direction, not of unit length, and height times its length.
typedef struct plane {
    vec3 d;
    double height;
} plane;

/// The simplex, and the planes on the way. Points stay where they are when others are dropped.
typedef struct enclosure {
    int count;
    int at[4]; // where each point is, the newest last, and then the places that are free
    vertex* p; // the four of them
    bool compared;
    int steps;
    plane plane[MAX_STEPS];
} enclosure;

static inline vec3 point(const enclosure* x, int i) { return x->p[x->at[i]].w; }

static inline void exchange(enclosure* x, int i, int j) {
    int place = x->at[i];
    x->at[i] = x->at[j];
    x->at[j] = place;
}

/// d times a power of two, with a length between 1/2 and 4. False if it has none.
static inline bool bring_to_size(vec3* d) {
    double largest = vec3_max_abs(*d), inverse;
    uint64_t bits;
    memcpy(&bits, &largest, sizeof bits);
    uint64_t exponent = bits >> 52;
    bits = (2046 - exponent) << 52;
    memcpy(&inverse, &bits, sizeof inverse);
    *d = vec3_scale(inverse, *d);
    return exponent > 24 && exponent < 2020;
}

/// Directions that are no shorter serve as they are to compare vertices, and to tell the height of a plane: where the
/// square of the product vanishes, below 2^-1022, the height is below 2^-211, far less than rounding.
#define SHORTEST 0x1p-300

/// Whether the support points of a body are found by comparing all its vertices: no hill climb, which asks for a
/// certain length of the direction.
static inline bool is_compared(const difference* k, const posed_body* body) {
    const apart_shape* s = body->shape;
    return k->search == SEARCH_BEST && s->kind == SHAPE_POLYTOPE && s->polytope.count <= CLIMB_FROM;
}

/// Adds the support point along d. False if it is not beyond the origin.
static inline bool add(difference* k, enclosure* x, vec3 d) {
    if (!(x->compared ? vec3_max_abs(d) > SHORTEST : bring_to_size(&d))) return false;
    vertex* p = &x->p[x->at[x->count]];
    apart_minkowski_support(k, d, p);
    double height = vec3_dot(d, p->w);
    x->plane[x->steps] = (plane){d, height};
    x->steps += 1;
    x->count += 1;
    return height > 0 && k->status == APART_OK;
}

/// Keeps points i and j, j being the newest, and looks from their line towards the origin.
static inline vec3 from_edge(enclosure* x, int i, int j) {
    vec3 a = point(x, j), e = vec3_sub(point(x, i), a), d = vec3_cross(vec3_cross(a, e), e);
    exchange(x, 0, i);
    exchange(x, 1, j);
    x->count = 2;
    return vec3_is_zero(d) ? vec3_square(e) : d;
}

/// The same from the triangle of the first three points, or from one of the two sides at the newest.
static inline vec3 from_triangle(enclosure* x) {
    vec3 a = point(x, 2), b = vec3_sub(point(x, 0), a), c = vec3_sub(point(x, 1), a), n = vec3_cross(b, c);
    if (vec3_dot(vec3_cross(b, n), a) < 0) return from_edge(x, 0, 2);
    if (vec3_dot(vec3_cross(n, c), a) < 0) return from_edge(x, 1, 2);
    x->count = 3;
    return vec3_scale(-copysign(1, vec3_dot(n, a)), n);
}

/// The same from the tetrahedron. False if it holds the origin.
static inline bool from_tetrahedron(enclosure* x, vec3* d) {
    vec3 a = point(x, 3), e[3], n[3];
    for (int i = 0; i < 3; ++i) e[i] = vec3_sub(point(x, i), a);
    // The faces at the newest point, each opposite one of the others.
    for (int i = 0; i < 3; ++i) n[i] = vec3_cross(e[(i + 1) % 3], e[(i + 2) % 3]);
    double volume = vec3_dot(e[0], n[0]);
    for (int i = 0; i < 3; ++i) {
        if (!(vec3_dot(n[i], a) * volume > 0)) continue;
        exchange(x, i, 2);
        exchange(x, 2, 3);
        *d = from_triangle(x);
        return true;
    }
    return false;
}

/// The lowest plane.
static void take_plane(const enclosure* x, outcome* out) {
    double lowest = INFINITY;
    int best = 0;
    for (int i = 0; i < x->steps; ++i) {
        const plane* p = &x->plane[i];
        double square = p->height * p->height / vec3_dot(p->d, p->d);
        best = square < lowest ? i : best;
        lowest = smaller(square, lowest);
    }
    out->lower = -sqrt(lowest);
    out->normal = vec3_unit(x->plane[best].d);
}

bool apart_start_run(difference* k, const apart_cache* cache, outcome* out) {
    enclosure x;
    apart_minkowski_place(k);
    x.p = out->around.p;
    x.count = x.steps = 0;
    x.compared = is_compared(k, &k->a) && is_compared(k, &k->b);
    for (int i = 0; i < 4; ++i) x.at[i] = i;
    bool beyond = add(k, &x, apart_minkowski_line(k, cache));
    out->around.count = beyond ? 0 : x.count;
    if (!beyond) return false;
    vec3 d = vec3_neg(point(&x, 0));
    do {
        if (x.steps == MAX_STEPS || !add(k, &x, d)) return false;
        if (x.count == 2) d = from_edge(&x, 0, 1);
        if (x.count == 3) d = from_triangle(&x);
    } while (x.count < 4 || from_tetrahedron(&x, &d));
    take_plane(&x, out);
    out->upper = 0;
    out->iterations += x.steps;
    out->around.count = 4;
    return true;
}

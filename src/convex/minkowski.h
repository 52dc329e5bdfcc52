// The Minkowski difference K = A - B of two posed bodies, seen only through its support mapping (GJK 1988, sec. III):
// s_K(d) = s_A(d) - s_B(-d). The distance of A and B is the distance of K from the origin.
//
// Frame and unit. Axes are the world's, and the two translations are subtracted first, so that the place of the pair
// does not matter. Lengths are divided by a power of two, `unit`, chosen so that everything lies in the unit ball: the
// size does not matter either. (Working in A's own axes would save a product, but R^T R = I holds to 1e-6 only: a
// matrix that is used as given must not be inverted by its transpose.)
//
// Rounding. Let u = 2^-53, A and B the largest |a| and |b| over the cores, size >= A + B + |offset| + radii. A point w
// of K is computed as (R_a a - R_b b) + offset:
//   R p          three products and two sums per row, norm of R sqrt(3):        5.2 u (A + B)
//   a - b, + t   one rounding each, and one of offset itself:                   u (A + B) + u |w| + u |offset|
//   v = sum of lambda w, sum of lambda = 1 within 3 u, |v|, minus the radii:    less than 8 u size
// Together below 16 u size: `rounding_high`, by which every upper end is moved up. A lower end n . s_K(-n) has, on top
// of the errors of w,
//   the support  found from rounded products with a rounded direction:          2 (5.2 + 3) u (A + B)
//   the hull     points left out, HULL_SLACK of a body of size > 1/4:           16 u (A + B)
//   n . w        with |n| = 1 within 3 u, minus the radii:                      less than 8 u size
// Together below 64 u size: `rounding_low`. A body far from its own origin adds the rounding of R * origin and of its
// stored vertices, at most 8 u |origin|, to both, and a few of the smallest doubles if it is subnormal.
#ifndef APART_CONVEX_MINKOWSKI_H
#define APART_CONVEX_MINKOWSKI_H

#include "body/shape.h"

#include <string.h>

/// A shape and where it is.
typedef struct posed_shape {
    const apart_shape* shape;
    const apart_pose* pose;
} posed_shape;

/// Bodies of at most so many vertices have all of them placed: a support point is then one comparison and a load. By
/// the plain search, which asks for few, and where many are asked for.
#define PLACED 24
#define MOST_PLACED 64

/// The square of a product of two sides, in working units, above which it keeps its digits, and tells a plane.
#define SHORTEST_NORMAL 0x1p-900

/// One of the two bodies.
typedef struct posed_body {
    // Where all vertices of a small hull are, once they are placed: working units and world axes, relative to its
    // stored origin.
    _Alignas(64) double x[MOST_PLACED];
    double y[MOST_PLACED], z[MOST_PLACED];
    const apart_shape* shape;
    const apart_pose* pose;
    double factor; // stored coordinates * factor = working units
    double radius; // in working units
    uint32_t hint; // where the last hill climb ended
    bool placed;
} posed_body;

typedef struct difference {
    posed_body a, b;
    vec3 offset;          // from b's stored origin to a's, working units
    double unit;          // caller's length = unit * working length; a power of two
    double inverse;       // 1 / unit
    double size;          // nothing is farther from anything else than this
    double rounding_high; // see above
    double rounding_low;
    double slack;          // of the poses, in both of them; 0 = the poses are what they are
    support_search search; // how supports are found
    int supports, visits;  // how many so far
    apart_status status;   // not APART_OK once a caller's support function returned what cannot be
} difference;

/// A point of K and the points of A and B that it is the difference of, each relative to its body's stored origin.
typedef struct vertex {
    vec3 w, a, b;
    uint32_t index_a, index_b; // vertex numbers or NO_VERTEX
} vertex;

/// Whether two points of K are the same.
static inline bool vertex_equal(const vertex* p, const vertex* q) {
    bool numbered = p->index_a != NO_VERTEX && p->index_b != NO_VERTEX;
    if (numbered && q->index_a == p->index_a && q->index_b == p->index_b) return true;
    return q->w.x == p->w.x && q->w.y == p->w.y && q->w.z == p->w.z;
}

/// Whether all points of K are differences of numbered vertices.
static inline bool difference_is_numbered(const difference* k) {
    return shape_has_vertices(k->a.shape) && shape_has_vertices(k->b.shape);
}

/// A point of a body given in stored coordinates, in working units and world axes, relative to its stored origin.
static inline vec3 posed_point(const posed_body* body, vec3 stored) {
    return vec3_scale(body->factor, mat3_mul(&body->pose->rotation, stored));
}

/// The same of a numbered vertex.
static inline vec3 posed_vertex(const posed_body* body, uint32_t index) {
    if (body->placed) return vec3_make(body->x[index], body->y[index], body->z[index]);
    return posed_point(body, shape_vertex(body->shape, index));
}

/// The power of two next above x (0 <= x < 2^1020) and its inverse; at least 2^-1021, so that both are normal numbers.
static inline double power_above(double x, double* inverse) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint64_t exponent = (bits >> 52) + 1;
    if (exponent < 2) exponent = 2;
    bits = (2046 - exponent) << 52;
    memcpy(inverse, &bits, sizeof *inverse);
    bits = exponent << 52;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/// The unit of a pair, and what follows from it.
typedef struct pair_frame {
    vec3 offset;          // from b's stored origin to a's, working units
    double unit, inverse; // caller's length = unit * working length; a power of two
    double size, rounding_high, rounding_low;
} pair_frame;

/// How large a pair is, how far apart the stored origins are, and how far from the bodies' own, in the caller's unit.
static inline double pair_frame_size(const posed_shape* first, const posed_shape* second, vec3* offset,
                                     double* origins) {
    const apart_shape *a = first->shape, *b = second->shape;
    *offset = vec3_sub(first->pose->translation, second->pose->translation);
    *origins = vec3_sum_abs(a->origin) + vec3_sum_abs(b->origin);
    if (*origins > 0)
        *offset = vec3_add(*offset, vec3_sub(mat3_mul(&first->pose->rotation, a->origin),
                                             mat3_mul(&second->pose->rotation, b->origin)));
    double size = (a->scale * a->bound + b->scale * b->bound) + (a->radius + b->radius);
    return size + (vec3_sum_abs(*offset) + 0x1p-40 * *origins);
}

/// All but the unit, which is there.
static inline void pair_frame_fill(pair_frame* f, double size, vec3 offset, double origins) {
    f->offset = vec3_scale(f->inverse, offset);
    f->size = size * f->inverse;
    double far = origins > 0 ? (0x1p-50 * origins + 0x1p-1071) * f->inverse : 0;
    f->rounding_high = 0x1p-49 * f->size + far;
    f->rounding_low = 0x1p-47 * f->size + far;
}

/// A unit in which the whole problem has a size between 1/2 and 1, and the rounding of far origins is small.
static inline pair_frame pair_frame_of(const posed_shape* first, const posed_shape* second) {
    pair_frame f;
    vec3 offset;
    double origins, size = pair_frame_size(first, second, &offset, &origins);
    f.unit = power_above(size, &f.inverse);
    pair_frame_fill(&f, size, offset, origins);
    return f;
}

/// Both poses must have been checked.
void apart_minkowski_init(difference* k, const apart_shape* a, const apart_pose* pose_a, const apart_shape* b,
                          const apart_pose* pose_b, support_search search);

/// Puts all vertices of polytopes with at most MOST_PLACED of them in their places, for searches that ask for many
/// support points.
void apart_minkowski_place(difference* k);

/// Tells that the poses may be wrong by `slack` at any point of the bodies, in the caller's unit.
static inline void difference_blur(difference* k, double slack) {
    k->slack = slack * k->inverse;
    k->rounding_high += k->slack;
    k->rounding_low += k->slack;
}

/// Takes the places to climb from out of a cache.
void apart_minkowski_recall(difference* k, const apart_cache* cache);

/// Leaves those places and the normal (from a towards b) in a cache; what else is in it stays.
void apart_minkowski_note(const difference* k, vec3 normal, apart_cache* cache);

/// The same, and nothing else.
void apart_minkowski_remember(const difference* k, vec3 normal, apart_cache* cache);

/// The farthest point of body along unit vector d, in working units and world axes, relative to its stored origin.
vec3 apart_minkowski_body_support(difference* k, posed_body* body, vec3 d, uint32_t* index);

/// Notes in k->status a point that is not finite, or that is outside the box which the shape was built with.
void apart_minkowski_judge(difference* k, vec3 point);

/// The farthest point of K along unit vector d.
void apart_minkowski_support(difference* k, vec3 d, vertex* p);

/// The farthest points of K along each axis and, the next one, against it, where all vertices are placed.
void apart_minkowski_ends(difference* k, vertex end[6]);

/// h_K(d): how high that is above the origin.
double apart_minkowski_height(difference* k, vec3 d);

/// The point of K made from two numbered vertices.
void apart_minkowski_vertex(const difference* k, uint32_t index_a, uint32_t index_b, vertex* p);

/// From the centre of B to the centre of A.
vec3 apart_minkowski_centers(const difference* k);

/// The last normal, as a unit vector. False if the cache has none.
bool apart_minkowski_last(const apart_cache* cache, vec3* normal);

/// Where to begin, a unit vector from A towards B: the last normal if the cache (which may be NULL) has one, else along
/// the line of centres.
vec3 apart_minkowski_start(const difference* k, const apart_cache* cache);

/// A point of body (relative to its stored origin, working units) in world coordinates.
static inline vec3 difference_to_world(const difference* k, const posed_body* body, vec3 point) {
    vec3 local = vec3_scale(k->unit, point);
    vec3 origin = body->shape->origin;
    if (!vec3_is_zero(origin)) local = vec3_add(local, mat3_mul(&body->pose->rotation, origin));
    return vec3_add(local, body->pose->translation);
}

#endif

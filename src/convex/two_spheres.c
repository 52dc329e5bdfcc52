// The formulas are those of stick.c and pair.c for cores of one point each, at the origins of the bodies: both ends of
// the interval are |t|, the distance of the centres, but for rounding. Nothing is scaled: scaling by a power of two
// changes no digits, except near the ends of the range, which are left to the others.
#include "convex/two_spheres.h"

/// Sizes from and up to which nothing in here vanishes or overflows, and no result is close to subnormal.
#define SMALLEST 0x1p-400
#define LARGEST 0x1p400

/// Whether a body is a sphere about its origin: a point there, with a radius.
static inline bool is_sphere(const apart_shape* s) {
    if (s->kind != SHAPE_POLYTOPE || s->polytope.count != 1 || !(s->radius > 0)) return false;
    vec3 core = {s->polytope.x[0], s->polytope.y[0], s->polytope.z[0]};
    return vec3_is_zero(core) && vec3_is_zero(s->origin);
}

static inline void set_witness(const apart_shape* s, apart_witness* out) {
    *out = (apart_witness){.count = 1, .vertex = {s->polytope.caller[0]}, .weight = {1}};
}

static inline void remember(vec3 normal, apart_cache* cache) {
    cache->count_a = cache->count_b = cache->faces = 0;
    cache->hint_a = cache->hint_b = NO_VERTEX;
    cache->direction[0] = normal.x;
    cache->direction[1] = normal.y;
    cache->direction[2] = normal.z;
}

bool apart_two_spheres_measure(const posed_shape* a, const posed_shape* b, const apart_query* query, apart_cache* cache,
                               apart_result* result) {
    if (!is_sphere(a->shape) || !is_sphere(b->shape) || query->method != APART_METHOD_AUTO || query->trace)
        return false;
    const double radius_a = a->shape->radius, radius_b = b->shape->radius, radius = radius_a + radius_b;
    const vec3 to_a = a->pose->translation, to_b = b->pose->translation, t = vec3_sub(to_a, to_b);
    const double size = radius + vec3_sum_abs(t), rounding_high = 0x1p-49 * size, rounding_low = 0x1p-47 * size;
    const double upper = vec3_length(t);
    if (!(size > SMALLEST && size < LARGEST && upper > rounding_high)) return false;
    if (query->depth == APART_DEPTH_NONE && upper < radius) return false;
    const vec3 n = vec3_unit(t);
    const double lower = vec3_dot(n, t);
    // Rounding explains the difference: no goal asks for more.
    if (!(upper - lower <= rounding_high / 2)) return false;
    double high = upper + rounding_high - radius, low = lower - radius - rounding_low;
    result->distance = high;
    result->lower_bound = query->depth == APART_DEPTH_NONE ? larger(low, 0) : low;
    const vec3 zero = {0, 0, 0}, normal = vec3_neg(n);
    result->normal = vec3_add(normal, zero); // no negative zeros
    result->point_a = vec3_add(vec3_mad(zero, radius_a, normal), to_a);
    result->point_b = vec3_add(vec3_mad(zero, -radius_b, normal), to_b);
    set_witness(a->shape, &result->a);
    set_witness(b->shape, &result->b);
    result->iterations = 1;
    result->supports = result->visits = 2;
    if (cache) remember(normal, cache);
    return true;
}

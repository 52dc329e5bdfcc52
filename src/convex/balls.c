#include "convex/balls.h"

/// What a matrix that is a rotation to 1e-6 leaves of a ball: its squares are off by at most 3e-6.
#define KEPT (1 - 0x1p-19)

/// The lowest plane so far, and its support point.
typedef struct lowest {
    double height;
    vec3 normal;
    vertex point;
} lowest;

static void ask(difference* k, vec3 d, lowest* best) {
    vertex p;
    apart_difference_support(k, d, &p);
    double height = vec3_dot(d, p.w);
    if (!(height < best->height)) return;
    *best = (lowest){height, d, p};
}

bool apart_balls_run(difference* k, const goal* g, double ratio, apart_cache* cache, outcome* out) {
    const apart_shape *a = k->a.shape, *b = k->b.shape;
    if (!(a->inner > 0 && b->inner > 0)) return false;
    vec3 c = apart_difference_centers(k);
    double radii = KEPT * (k->a.factor * a->inner + k->b.factor * b->inner), reach = radii - vec3_length(c);
    if (!(reach > ratio * radii && reach > 2 * g->rounding_high)) return false;

    lowest best = {.height = INFINITY};
    ask(k, vec3_unit(mat3_mul(&k->a.pose->rotation, a->thin)), &best);
    ask(k, vec3_neg(vec3_unit(mat3_mul(&k->b.pose->rotation, b->thin))), &best);
    if (!vec3_is_zero(c)) ask(k, vec3_neg(vec3_unit(c)), &best);
    if (!(reach >= ratio * best.height)) return false;
    out->upper = -reach;
    out->lower = -best.height;
    out->normal = best.normal;
    out->overlap = true;
    out->iterations = 1;
    out->around_count = 0;
    apart_narrow_carry(&best.point, (double[]){1}, 1, &out->a, &out->b);
    if (cache) apart_difference_remember(k, out->normal, cache);
    if (g->trace) apart_narrow_trace(k, g, 1, &out->a, &out->b, out->upper, out->lower);
    return true;
}

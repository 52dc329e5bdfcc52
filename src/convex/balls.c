#include "convex/balls.h"

/// The planes, their support points, and which of them is the lowest.
typedef struct planes {
    int count, best;
    double height[4];
    vec3 normal[4];
    vertex point[4];
} planes;

static void ask(difference* k, vec3 d, planes* x) {
    int i = x->count;
    apart_difference_support(k, d, &x->point[i]);
    x->normal[i] = d;
    x->height[i] = vec3_dot(d, x->point[i].w);
    x->count += 1;
}

/// A point of K at height `reach` above the origin along the best normal: on the way from its support point to another
/// that is not so high. If there is none yet, the one on the other side is asked for.
static void take_point(difference* k, planes* x, double reach, outcome* out) {
    vec3 n = x->normal[x->best];
    double low = INFINITY;
    int other = 0;
    for (int i = 0; i < x->count; ++i) {
        double height = vec3_dot(n, x->point[i].w);
        if (!(height < low)) continue;
        low = height;
        other = i;
    }
    if (!(low < reach)) {
        other = x->count;
        ask(k, vec3_neg(n), x);
        low = -x->height[other];
    }
    double part = (reach - low) / (x->height[x->best] - low);
    vertex p[2] = {x->point[x->best], x->point[other]};
    apart_narrow_carry(p, (double[]){part, 1 - part}, 2, &out->a, &out->b);
}

/// What the matrix of its pose leaves of the ball in a body.
static double ball_of(const posed_body* body) {
    return (1 - mat3_stretch(&body->pose->rotation)) * body->factor * body->shape->inner;
}

double apart_balls_reach(const difference* k, double part) {
    if (!(k->a.shape->inner > 0 && k->b.shape->inner > 0)) return 0;
    double radii = ball_of(&k->a) + ball_of(&k->b), reach = radii - vec3_length(apart_difference_centers(k));
    return reach > part * radii && reach > 2 * k->rounding_high ? reach : 0;
}

bool apart_balls_run(difference* k, const goal* g, double ratio, apart_cache* cache, outcome* out) {
    const apart_shape *a = k->a.shape, *b = k->b.shape;
    double reach = apart_balls_reach(k, ratio);
    if (reach == 0) return false;
    vec3 c = apart_difference_centers(k);
    planes x;
    x.count = x.best = 0;
    ask(k, vec3_unit(mat3_mul(&k->a.pose->rotation, a->thin)), &x);
    ask(k, vec3_neg(vec3_unit(mat3_mul(&k->b.pose->rotation, b->thin))), &x);
    if (!vec3_is_zero(c)) ask(k, vec3_neg(vec3_unit(c)), &x);
    for (int i = 1; i < x.count; ++i)
        if (x.height[i] < x.height[x.best]) x.best = i;
    if (!(reach >= ratio * x.height[x.best])) return false;
    out->upper = -reach;
    out->lower = -x.height[x.best];
    out->normal = x.normal[x.best];
    out->overlap = true;
    out->iterations = 1;
    out->around_count = 0;
    take_point(k, &x, reach, out);
    if (cache) apart_difference_remember(k, out->normal, cache);
    if (g->trace) apart_narrow_trace(k, g, 1, &out->a, &out->b, out->upper, out->lower);
    return true;
}

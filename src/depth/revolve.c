// Which two bodies are solids of revolution with parallel axes.
#include "depth/revolve.h"

/// The largest deviation from parallel axes and true rotations for which the symmetry may still be of use.
#define MAX_SKEW 1e-3

/// The axis of a solid of revolution in local coordinates, and a point on it. A point and a ball turn about every axis
/// (zero vector). False if the core is no such solid.
static bool axis_of(const apart_shape* shape, vec3* axis, vec3* point) {
    vec3 e = shape->extent;
    *axis = *point = vec3_make(0, 0, 0);
    switch (shape->kind) {
    case SHAPE_CYLINDER:
    case SHAPE_CONE:
        *axis = vec3_make(0, 0, 1);
        return true;
    case SHAPE_ELLIPSOID:
        if (e.x != e.y || e.y != e.z) *axis = vec3_make(e.y == e.z, e.z == e.x, e.x == e.y);
        return e.x == e.y || e.y == e.z || e.z == e.x;
    case SHAPE_POLYTOPE:
        if (shape->polytope.count > 2) return false;
        *point = shape_vertex(shape, 0);
        if (shape->polytope.count == 2) *axis = vec3_unit(vec3_sub(shape_vertex(shape, 1), *point));
        return true;
    default:
        return false;
    }
}

bool apart_revolve_find(const difference* k, revolved_difference* r) {
    vec3 axis_a, axis_b, point_a, point_b;
    if (!axis_of(k->a.shape, &axis_a, &point_a) || !axis_of(k->b.shape, &axis_b, &point_b)) return false;
    axis_a = mat3_mul(&k->a.pose->rotation, axis_a);
    axis_b = mat3_mul(&k->b.pose->rotation, axis_b);
    double skew = mat3_skew(&k->a.pose->rotation) + mat3_skew(&k->b.pose->rotation);
    skew += vec3_length(vec3_cross(axis_a, axis_b));
    if (!(skew <= MAX_SKEW)) return false;

    vec3 center = vec3_add(vec3_sub(posed_point(&k->a, point_a), posed_point(&k->b, point_b)), k->offset);
    vec3 axis = vec3_is_zero(axis_a) ? axis_b : axis_a;
    bool ball = vec3_is_zero(axis);
    r->within = vec3_unit(ball ? center : axis);
    r->across = ball ? 2 : 1;
    // Square to the axis whatever is left of the offset from it; what the section misses of that is part of the error->
    vec3 n = vec3_unit(vec3_cross(r->within, center));
    n = vec3_mad(n, -vec3_dot(n, r->within), r->within);
    r->way[0] = vec3_length(n) > 0.5 ? vec3_unit(n) : vec3_square(r->within);
    r->way[1] = vec3_unit(vec3_cross(r->within, r->way[0]));
    double missed = 0;
    for (int i = 0; i < r->across; ++i) missed += fabs(vec3_dot(r->way[i], center));
    r->error = 8 * (skew + 0x1p-50) * k->size + missed;
    return true;
}

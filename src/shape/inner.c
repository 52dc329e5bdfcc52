// The ball inside a body: how far its centre is from its surface, and where the surface is nearest.
//
// The surface of a hull is closed. If the centre sees each of its triangles from inside, the surface goes round it
// (convex/surface.h has the argument), and the ball that reaches the nearest triangle is in the hull.
#include "shape/shape.h"

/// Above the rounding error of a height along a unit vector, with corners within 2 of the centre.
#define HEIGHT_ERROR 0x1p-48
/// The least sine of an angle, and the least height, for which it is certain that a triangle is seen from inside: the
/// rounding error of the normal is below 8 u / SHARP, and counts with a distance of at most 2.
#define SHARP 0x1p-20
#define CLEAR 0x1p-28

/// Takes in one triangle, seen from the centre. False if it may be seen from outside.
static bool look_at(apart_shape* shape, vec3 a, vec3 b, vec3 c) {
    vec3 e = vec3_sub(b, a), f = vec3_sub(c, a), n = vec3_cross(e, f);
    double area = vec3_length(n);
    if (!(area > SHARP * vec3_length(e) * vec3_length(f))) return false;
    n = vec3_scale(1 / area, n);
    double height = smaller(vec3_dot(n, a), smaller(vec3_dot(n, b), vec3_dot(n, c))) - HEIGHT_ERROR;
    if (!(height > CLEAR)) return false;
    if (height < shape->inner) {
        shape->inner = height;
        shape->thin = n;
    }
    return true;
}

void apart_inner_of_polytope(apart_shape* shape) {
    const polytope* p = &shape->polytope;
    if (shape->dimension != 3 || p->face_count < 4) return;
    shape->inner = INFINITY;
    for (uint32_t i = 0; i < p->face_count; ++i) {
        const uint32_t* corner = &p->face_vertex[p->face_first[i]];
        uint32_t count = p->face_first[i + 1] - p->face_first[i];
        vec3 first = vec3_sub(shape_vertex(shape, corner[0]), shape->center);
        for (uint32_t j = 2; j < count; ++j) {
            vec3 b = vec3_sub(shape_vertex(shape, corner[j - 1]), shape->center);
            vec3 c = vec3_sub(shape_vertex(shape, corner[j]), shape->center);
            if (look_at(shape, first, b, c)) continue;
            shape->inner = 0;
            return;
        }
    }
}

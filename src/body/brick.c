// Which shapes are parallelepipeds: boxes, and hulls that turn out to be.
#include "body/shape.h"

/// How far a corner may lie from where it belongs, in stored units: the errors that the depth of bricks allows for.
#define CORNER_SLACK 0x1p-51

/// The vertex next to a point; false if it is not where it belongs.
static bool vertex_near(const apart_shape* shape, vec3 point, uint32_t* found) {
    double least = INFINITY;
    for (uint32_t i = 0; i < shape->polytope.count; i++) {
        double off = vec3_max_abs(vec3_sub(shape_vertex(shape, i), point));
        if (off < least) least = off, *found = i;
    }
    return least <= CORNER_SLACK;
}

/// The corner with these bits.
static vec3 corner_at(const brick* b, unsigned bits) {
    vec3 p = b->middle;
    for (unsigned i = 0; i < 3; i++) p = vec3_mad(p, bits >> i & 1 ? 1 : -1, b->half[i]);
    return p;
}

void apart_brick_find(apart_shape* shape) {
    const polytope* p = &shape->polytope;
    brick* b = &shape->brick;
    if (shape->dimension != 3 || p->count != 8 || p->first[1] - p->first[0] != 3) return;
    vec3 corner = shape_vertex(shape, 0);
    b->middle = corner;
    for (int i = 0; i < 3; i++) {
        vec3 next = shape_vertex(shape, p->neighbour[p->first[0] + (uint32_t)i]);
        b->half[i] = vec3_scale(0.5, vec3_sub(next, corner));
        b->middle = vec3_add(b->middle, b->half[i]);
    }
    unsigned seen = 0;
    for (unsigned bits = 0; bits < 8; bits++) {
        if (!vertex_near(shape, corner_at(b, bits), &b->vertex[bits])) return;
        seen |= 1u << b->vertex[bits];
    }
    b->known = seen == 0xff;
}

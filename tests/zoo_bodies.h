// What the zoos of bodies are written in: a body in one line.
#ifndef APART_TESTS_ZOO_BODIES_H
#define APART_TESTS_ZOO_BODIES_H

#include "bodies.h"

typedef struct ingredient {
    body_kind kind;
    apart_vec3 size;
    double radius;
    int count;
    const apart_vec3* points;
} ingredient;

#define CLOUD(p, r)                                                                                                    \
    { BODY_POINTS, {0, 0, 0}, r, (int)(sizeof(p) / sizeof((p)[0])), p }
#define BOX(x, y, z, r)                                                                                                \
    { BODY_BOX, {x, y, z}, r, 0, NULL }
#define SPHERE(r)                                                                                                      \
    { BODY_SPHERE, {0, 0, 0}, r, 0, NULL }
#define CAPSULE(h, r)                                                                                                  \
    { BODY_CAPSULE, {0, 0, h}, r, 0, NULL }
#define CYLINDER(h, r)                                                                                                 \
    { BODY_CYLINDER, {r, r, h}, 0, 0, NULL }
#define CONE(h, r)                                                                                                     \
    { BODY_CONE, {r, r, h}, 0, 0, NULL }
#define ELLIPSOID(x, y, z)                                                                                             \
    { BODY_ELLIPSOID, {x, y, z}, 0, 0, NULL }
#define CUBE BOX(1, 1, 1, 0)

#define SQRT2 1.4142135623730951
#define SQRT3 1.7320508075688772
#define SQRT5 2.2360679774997897

static inline void cook(const ingredient* from, body* b) {
    b->kind = from->kind;
    b->callback = false;
    b->radius = from->radius;
    b->size = from->size;
    b->count = from->count;
    for (int i = 0; i < from->count; i++) b->points[i] = from->points[i];
}

#endif

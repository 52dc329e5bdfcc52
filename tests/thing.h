// A thing is a list of pieces in place: surfaces and convex bodies. One piece is a mesh or a convex body, more are a
// union.
#ifndef APART_TESTS_THING_H
#define APART_TESTS_THING_H

#include "bodies.h"
#include "mesh_models.h"

/// A surface or a convex body, and where it is.
typedef struct piece {
    const surface* surface; // or NULL
    const body* body;       // or NULL
    apart_pose pose;
} piece;

#define MOST_PIECES 64

/// One piece: a mesh or a convex body. More: a union, nested ones taken apart.
typedef struct thing {
    int count;
    piece piece[MOST_PIECES];
    double loose; // 1 if poses of pieces were multiplied out in double precision, else 0
} thing;

thing thing_surface(const surface* s, const apart_pose* pose);
thing thing_body(const body* b, const apart_pose* pose);
/// The pieces of t, all moved by `pose`. Multiplies poses out, unless one of the two is the identity.
void thing_add(thing* to, const thing* t, const apart_pose* pose);
/// world = outer (inner (local)), in double precision.
apart_pose pose_product(const apart_pose* outer, const apart_pose* inner);

#endif

// Two bodies in motion, and what is certain about the distance of two convex pieces of them over a stretch of time.
//
// Time is followed forwards or backwards; "elapsed" is what has passed since now, either way. Lengths are the caller's
// unless "working" is said: those are divided by a power of two, `unit`, in which the whole motion has a size below 1.
#ifndef APART_MOTION_MOVING_H
#define APART_MOTION_MOVING_H

#include "depth/pair.h"
#include "motion/path.h"

/// One of the two bodies.
typedef struct mover {
    const apart_shape* shape;
    path path;
    moment now;
} mover;

/// A convex piece of a body: the body itself, a part of a union, a triangle of a mesh. Against a half-space any body is
/// one piece: it is as near as its hull.
typedef struct moving_piece {
    const apart_shape* shape;
    const apart_pose* in_body; // where it is in the body; NULL = the body's coordinates are its own
    double blur;               // what in_body may be wrong by
    double reach;              // of any of its points from the pivot, its radius included
    double swing;              // the same from the axis of the motion,
    vec3 axis;                 // which was this when swing was computed: in the world, constant along a piece of path
} moving_piece;

typedef struct moving_pair {
    mover body[2];  // a, b
    double time;    // of both moments
    bool backwards; // time goes from 1 to 0
    double unit, inverse;
    double clearance, tolerance, time_tolerance;
    int steps, most_steps; // distances measured, and how many may be
    apart_cache cache;     // of the two bodies
} moving_pair;

/// Whether one of them is a half-space, which does not turn: its normal is the only direction that matters.
static inline bool moving_has_plane(const moving_pair* m) {
    return m->body[0].shape->kind == SHAPE_HALFSPACE || m->body[1].shape->kind == SHAPE_HALFSPACE;
}

/// Checks two shapes and motions, finds the unit, and fills in what a query leaves open. The moments are those of time
/// 0. APART_UNSUPPORTED: two half-spaces, or one that turns.
apart_status apart_moving_init(moving_pair* m, const apart_shape* a, const apart_motion* motion_a, const apart_shape* b,
                               const apart_motion* motion_b, const apart_motion_query* query);

/// Takes both bodies to a time.
apart_status apart_moving_go(moving_pair* m, double time, bool backwards);

/// The time at which a piece of one of the two motions ends, or `end` if that comes first.
static inline double moving_until(const moving_pair* m, double end) {
    double a = m->body[0].now.until, b = m->body[1].now.until;
    return m->backwards ? larger(larger(a, b), end) : smaller(smaller(a, b), end);
}
/// How much later time y is than time x.
static inline double moving_elapsed(const moving_pair* m, double x, double y) { return m->backwards ? x - y : y - x; }

/// The time `elapsed` after now, rounded towards now, but not beyond `end`.
double apart_moving_later(const moving_pair* m, double elapsed, double end);

/// A stored point of a shape in the coordinates of the body that it is a piece of.
static inline vec3 piece_point(const apart_shape* shape, const apart_pose* in_body, vec3 stored) {
    vec3 x = shape_to_local(shape, stored);
    return in_body ? vec3_add(mat3_mul(&in_body->rotation, x), in_body->translation) : x;
}

/// A piece: reach and swing are found from the box of the shape, or the corners of a small one.
moving_piece apart_moving_piece(const mover* body, const apart_shape* shape, const apart_pose* in_body, double blur);

/// The bodies themselves, whatever they are.
void apart_moving_bodies(const moving_pair* m, moving_piece piece[2]);

/// Its swing about the axis of the moment.
double apart_moving_swing(const mover* body, moving_piece* piece);

/// Where a piece is in the world at a moment; adds to *slack what that may be wrong by. room: for a pose.
posed_shape apart_moving_posed(const moment* now, const moving_piece* piece, apart_pose* room, double* slack);

/// The distance of two pieces now, what the poses may be wrong by included. Counts a step. cache: may be NULL.
apart_status apart_moving_measure(moving_pair* m, const moving_piece piece[2], apart_depth depth, apart_cache* cache,
                                  apart_result* result);

/// Change of distance per unit of elapsed time, as the nearest points of a result tell; as far as velocities are known.
double apart_moving_rate(const moving_pair* m, const apart_result* result);

/// A frame that turns as the normal of a result did on the way to it from an earlier one, and moves with its points.
moment apart_moving_frame(const moving_pair* m, const apart_result* result, vec3 earlier, double elapsed);

/// How fast any two points of the pieces come towards each other at most, on the way to moving_until.
double apart_moving_speed(const moving_pair* m, const moving_piece piece[2]);

/// How long two pieces are certainly farther apart than `clearance` (bounds.c): from now on, at least for the time that
/// is returned, and that is at most `horizon`, which must not lead beyond moving_until. 0 may mean that it is not
/// certain even now. n: a unit vector of the world, from a to b. with: a frame in which n may stay, beside the world
/// and the bodies, as a moment of it; NULL = none. *gap: how far apart they are at least during that time.
double apart_moving_free(const moving_pair* m, moving_piece piece[2], vec3 n, const moment* with, double clearance,
                         double horizon, double* gap);

#endif

// A motion made ready for queries.
//
// Every motion but a caller's function consists of pieces (one, or one between two keys) in each of which the pivot
// goes straight at a constant velocity while the body turns about an axis through the pivot that is fixed in the world
// and in the body. The rate of the turn is constant, but for NLERP. So the place of a body's point x at time t is
//     pivot(t) + Turn(axis, angle(t)) R_0 (x - p),     R_0 the rotation at the beginning of the piece, p the pivot in
// the body's own coordinates.
//
// The true motion is this in exact arithmetic, with each matrix replaced by the rotation nearest to it. What is
// computed differs from it by place_error + turn_error |x - p| at most, and so does what follows if the body goes on,
// exactly, from the pose, pivot, velocity, axis and rate of a moment until the end of its piece.
#ifndef APART_MOTION_PATH_H
#define APART_MOTION_PATH_H

#include "base/vec.h"

/// One piece. Lengths are the caller's.
typedef struct path_piece {
    double begin, end;   // times
    mat3 rotation;       // at begin: R_0
    vec3 pivot;          // at begin, in the world
    vec3 velocity;       // of the pivot, per unit of time
    vec3 axis;           // unit vector of the world
    double angle;        // turned from begin to end, not negative
    double sine, cosine; // of half the angle: NLERP
    double place_error;  // of the pivot's way, rounding at a time not counted
    double turn_error;   // of the rotation at any time
} path_piece;

typedef struct path {
    const apart_motion* motion; // the caller's; the path does not outlive the query
    path_piece piece;           // the one that was asked for last
    size_t key;                 // it begins at this one; SIZE_MAX: there is none yet
} path;

/// A body at an instant, and how it goes on from there in the direction in which time is followed.
typedef struct moment {
    double time;
    double until;        // what follows holds from `time` to here: the end of the piece (its beginning, backwards)
    apart_pose pose;     // a rotation to rounding
    vec3 pivot;          // in the world
    vec3 velocity, spin; // of the pivot, and the angular velocity, now, per unit of time, world axes; zero if not known
    vec3 axis;           // unit vector along the spin; of a body that does not turn any
    double rate;         // |spin| now
    double rate_most;    // |spin| at most, on the way to `until`; of a caller's function as well
    double rate_change;  // |d|spin|/dt| at most, on the way to `until`
    bool known;          // false: a caller's function; velocity and spin are zero, and
    double speed;        // the pivot goes at most so fast; else 0
    double place_error;  // a point x of the body is off by at most place_error + turn_error |x - pivot|, x and pivot
    double turn_error;   // in the body's own coordinates. 0 where every number is exact
} moment;

/// Checks a motion and makes it ready. APART_INVALID (kind, NULL, times, negative speed or spin), APART_NOT_FINITE,
/// APART_OUT_OF_RANGE, APART_NOT_A_ROTATION.
apart_status apart_path_init(path* p, const apart_motion* motion);

/// The moment at a time from 0 to 1. backwards: as time goes from 1 to 0; velocity and spin are then those of the
/// reversed motion, and a time between two pieces belongs to the earlier one. Only a caller's function can fail.
apart_status apart_path_at(path* p, double time, bool backwards, moment* m);

#endif

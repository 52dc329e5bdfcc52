// Following two bodies along their motions until they meet: conservative advancement. What is certain of one instant
// (bounds.c) takes time to the next; nothing is sampled on the way.
#ifndef APART_MOTION_FOLLOW_H
#define APART_MOTION_FOLLOW_H

#include "motion/moving.h"

/// What became of two bodies between two times. It is certain that they are farther apart than the clearance from the
/// first one until `time`, which is not included unless it is the second one and kind is APART_FREE.
typedef struct encounter {
    apart_contact_kind kind;
    double time;
    double hit;  // CONTACT: at some instant from `time` to here they are within the clearance
    double gap;  // never nearer until `time`
    vec3 normal; // of two pieces that did not stay free: from a to b, shortly before; zero if it was never measured
} encounter;

/// Follows two convex pieces from a time to another, which may be the earlier one.
void apart_follow_pieces(moving_pair* m, moving_piece piece[2], double begin, double end, encounter* e);

/// The same of two bodies one of which at least is a mesh or a union: a search of their trees (sweep.c).
void apart_sweep(moving_pair* m, double begin, double end, encounter* e);

/// The same of two bodies of any kind.
void apart_follow(moving_pair* m, double begin, double end, encounter* e);

#endif

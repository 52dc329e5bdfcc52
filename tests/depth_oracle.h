// The true signed distance of two bodies: how far apart, or how deep in each other.
//
// Below zero it is -min over unit d of h_K(d): h_K the support of the difference K = A - B, radii included. For bodies
// with corners the minimum lies at a normal of a face of K, and K has no faces but those of A, those of B, and those
// that an edge of A makes with an edge of B. All of them are tried, in quadruple precision, on corners that the oracle
// places itself: nothing here knows the library or Qhull. Directions that belong to no face do no harm, since each
// direction bounds the depth from above, so that hulls need only be known from outside.
#ifndef APART_TESTS_DEPTH_ORACLE_H
#define APART_TESTS_DEPTH_ORACLE_H

#include "oracle.h"

#define DEPTH_MOST_CORNERS 48

typedef struct depth_answer {
    quad lower, upper; // lower <= true signed distance <= upper
    qvec normal;       // unit, from a to b; where the cores meet the slab across it is `lower` wide
    quad size;         // as in oracle_answer
    bool exact;        // by brute force: the ends differ by 1e-20 of the size at most
    bool flat;         // by brute force: the cores meet, and their difference has no volume
} depth_answer;

/// Whether both bodies have corners, and not too many for brute force.
bool depth_has_corners(const body* a, const body* b);

/// By brute force where it applies, which is wherever a few dozen corners have a few dozen edges. Else `lower` is the
/// best direction that a search finds, and `upper` the oracle's ball: both true, not always near each other.
depth_answer depth_signed_distance(const body* a, const apart_pose* pose_a, const body* b, const apart_pose* pose_b);

/// The widest slab that a search by small steps finds from direction n on, as the direction (unit).
apart_vec3 depth_climb(const body* a, const apart_pose* pose_a, const body* b, const apart_pose* pose_b, apart_vec3 n);

#endif

// The true distance of two bodies that are not convex, by brute force.
//
// The distance of two things is the least over all pairs of their leaves, a leaf being a triangle or a convex body.
// Every pair is looked at: those that a slab shows to be too far are left out, the rest goes to the oracle for convex
// bodies, in quadruple precision and with a proof. What lies inside a solid is found by rays and by solid angles, in
// long double. Nothing here knows the library's trees.
#ifndef APART_TESTS_MESH_ORACLE_H
#define APART_TESTS_MESH_ORACLE_H

#include "anatomy.h"
#include "thing.h"

typedef enum thing_regime {
    THINGS_APART,
    THINGS_NEAR,
    THINGS_TOUCHING,
    THINGS_CROSSING,
    THINGS_NESTED, // one wholly or in part inside a solid of the other, surfaces apart
    THING_REGIMES
} thing_regime;
extern const char* const thing_regime_names[THING_REGIMES];

typedef struct thing_truth {
    quad lower, upper; // lower <= true distance <= upper
    quad surface;      // the distance of the surfaces and convex bodies, whatever is inside what: an upper bound
    quad depth;        // proven overlap of one pair of leaves
    double size;       // of both together
    double place;      // size of the numbers: |local coordinates| + |translations|
    bool nested;       // a piece of surface, or a convex body, lies inside a solid of the other
    bool unknown;      // whether something is nested cannot be said: a surface between open and closed
    bool round;        // a convex body without corners takes part
    long pairs;        // pairs of leaves that went to the oracle
} thing_truth;

thing_truth thing_distance(const thing* a, const thing* b);
thing_regime thing_regime_of(const thing_truth* t);

#endif

// A proof that two cores touch, for inputs on which the arithmetic happens to be exact.
#ifndef APART_CONVEX_OVERLAP_PROOF_H
#define APART_CONVEX_OVERLAP_PROOF_H

#include "convex/minkowski.h"

/// Two numbered vertices, one of each body.
typedef struct vertex_pair {
    uint32_t a, b;
} vertex_pair;

/// Whether the origin lies exactly in the hull of the given points of K (1 <= count <= 4), decided without a single
/// rounding. False means "no, or not known": most inputs round somewhere, but boxes that a person places face to face
/// do not, and should be told that they touch.
bool apart_overlap_proof_exactly(const difference* k, const vertex_pair* pairs, int count);

#endif

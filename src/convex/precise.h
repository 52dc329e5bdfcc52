// The length of a difference of two near points, and the gap along a normal, in twice the working precision.
#ifndef APART_CONVEX_PRECISE_H
#define APART_CONVEX_PRECISE_H

#include "convex/bracket.h"

/// |a - b| for the weighted points of the two carriers, correct to 8 u |a - b| + 2^-90 size. The vertices must be
/// numbered and stored exactly; INFINITY if they are not.
double apart_precise_distance(const difference* k, const carrier* a, const carrier* b);

/// What the true distance of those points is not above.
static inline double precise_upper(const difference* k, double distance) {
    return distance * (1 + 0x1p-50) + 0x1p-90 * k->size;
}

/// What the true distance is not below, if that is above 0: the gap between the bodies along a normal of length 1
/// within 4 u, from a to b. For the bodies that apart_precise_distance takes; -INFINITY if one has more than CLIMB_FROM
/// vertices, all of which would have to be looked at.
double apart_precise_lower(const difference* k, vec3 normal);

#endif

// The length of a difference of two near points, in twice the working precision.
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

#endif

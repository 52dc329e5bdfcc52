// A proof that two cores overlap.
#ifndef APART_CONVEX_EXPAND_H
#define APART_CONVEX_EXPAND_H

#include "convex/difference.h"

/// Whether K certainly holds the origin: a ball of radius `rounding` about it lies inside the hull of computed points
/// of K, so that their errors cannot matter. Starts from the points w[0..count-1] of K, 1 <= count <= 4.
/// False means "touching or not sure".
bool expand_proves_overlap(difference* k, const vec3* w, int count, double rounding);

#endif

// The distance of two convex bodies in the caller's unit: what apart_distance does with them, and what the trees do
// with their leaves.
#ifndef APART_DEPTH_PAIR_H
#define APART_DEPTH_PAIR_H

#include "convex/minkowski.h"

/// Measures two convex bodies. The query and the poses have been checked; cache may be NULL. slack: what the poses
/// themselves may be wrong by, at any point of the bodies, in the caller's unit. Writes *result and the cache only if
/// it returns APART_OK.
apart_status apart_pair_measure(const posed_shape* a, const posed_shape* b, const apart_query* query, double slack,
                                apart_cache* cache, apart_result* result);

#endif

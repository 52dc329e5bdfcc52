// The distance of two convex bodies in the caller's unit: what apart_distance does with them, and what the trees do
// with their leaves.
#ifndef APART_DEPTH_PAIR_H
#define APART_DEPTH_PAIR_H

#include "convex/cache.h"
#include "convex/minkowski.h"

/// Whether the plain search has the answer (convex/search.h): then the result and the cache are written. If not, *start
/// is where to go on from. The query has been checked, the poses need not have been. slack: what the poses may be wrong
/// by, at any point of the bodies, in the caller's unit.
bool apart_pair_search(const posed_shape* a, const posed_shape* b, const apart_query* query, double slack,
                       apart_cache* cache, simplex_start* start, apart_result* result);

/// Measures two convex bodies. The query and the poses have been checked; cache may be NULL. start: where the plain
/// search has ended without an answer, NULL if it was not tried. Writes *result and the cache only if it returns
/// APART_OK.
apart_status apart_pair_measure(const posed_shape* a, const posed_shape* b, const apart_query* query, double slack,
                                const simplex_start* start, apart_cache* cache, apart_result* result);

#endif

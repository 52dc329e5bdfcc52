// Two spheres: the commonest pair of all, with next to nothing to compute.
#ifndef APART_CONVEX_TWO_SPHERES_H
#define APART_CONVEX_TWO_SPHERES_H

#include "convex/pair.h"

/// The distance of two spheres about their own origins, the same bits as the way of all other bodies gives. False if
/// they are none, or if there is more to say: equal centres, no radii, an overlap without a depth, a trace, sizes close
/// to the ends of the range.
bool apart_two_spheres_measure(const posed_shape* a, const posed_shape* b, const apart_query* query, apart_cache* cache,
                               apart_result* result);

#endif

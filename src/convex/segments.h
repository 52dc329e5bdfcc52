// Points and segments against each other: spheres and capsules, once their radii are set aside.
#ifndef APART_CONVEX_SEGMENTS_H
#define APART_CONVEX_SEGMENTS_H

#include "convex/bracket.h"
#include "depth/pair.h"

/// Whether both cores have at most two vertices.
bool apart_segments_applies(const difference* k);

/// The distance of the cores by one closed form (Lumelsky 1985). False if the interval that it proves is not narrow
/// enough (the cores meet, or nearly), and another method must look closer: then no end is set.
/// cache (may be NULL): remembers the normal.
bool apart_segments_run(difference* k, const goal* g, apart_cache* cache, outcome* out);

/// Two spheres about their own origins, by METHOD_AUTO and without a trace: the whole answer, as it would come out of
/// the function above. False if they are no such spheres, so large or small that rounding needs more care, or so near
/// to concentric that the normal is lost; without a depth also if they overlap. Then nothing is written.
bool apart_segments_spheres(const posed_shape* a, const posed_shape* b, const apart_query* query, apart_cache* cache,
                            apart_result* result);

#endif

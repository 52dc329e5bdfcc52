// The plain search for the distance of two polytopes that are apart: GJK written for latency. It ends with the proof of
// its bracket, or hands its simplex to the careful search (gjk.c), which can tell touching from overlapping.
#ifndef APART_CONVEX_SEARCH_H
#define APART_CONVEX_SEARCH_H

#include "convex/bracket.h"
#include "convex/cache.h"

/// Narrows the distance of two bodies with numbered vertices until the goal is met, from the vertices in *start if
/// there are any. True: *out is the outcome, with a proven bracket, and *start its simplex. False: *start is where to
/// go on from; the cores overlap or almost touch, or rounding stopped the search.
typedef bool (*search_fn)(difference* k, const goal* g, simplex_start* start, outcome* out);

/// The search compiled for this machine.
search_fn apart_search(void);

#endif

// The plain search for the distance of two polytopes that are apart: GJK written for latency, one of the kernels. It
// ends with the proof of its bracket, or hands its simplex to the careful search (gjk.c).
#ifndef APART_CONVEX_SEARCH_H
#define APART_CONVEX_SEARCH_H

#include "convex/cache.h"
#include "convex/minkowski.h"

/// What the search is asked. Both bodies have numbered vertices; their poses have not been checked.
typedef struct search_task {
    posed_shape a, b;
    const apart_query* query; // cutoff 0 is none
    double slack;             // what the poses may be wrong by, at any point of the bodies, in the caller's unit
    apart_cache* cache;       // NULL = cold
    /// How large bodies are climbed: apart_support_find, which a kernel cannot call by name.
    support_point (*climb)(const apart_shape* shape, vec3 d, support_search search, uint32_t hint);
    /// Hands a step to the caller's trace function: at this simplex, with weights lambda.
    void (*trace)(const struct search_task* task, const simplex_start* simplex, const double* lambda, int iteration);
} search_task;

#endif

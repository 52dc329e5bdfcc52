// Points and segments against each other: spheres and capsules, once their radii are set aside.
#ifndef APART_CONVEX_SEGMENTS_H
#define APART_CONVEX_SEGMENTS_H

#include "convex/bracket.h"

/// Whether both cores have at most two vertices.
bool apart_segments_applies(const difference* k);

/// The distance of the cores by one closed form (Lumelsky 1985). False if the interval that it proves is not narrow
/// enough (the cores meet, or nearly), and another method must look closer: then no end is set.
/// cache (may be NULL): remembers the normal.
bool apart_segments_run(difference* k, const goal* g, apart_cache* cache, outcome* out);

#endif

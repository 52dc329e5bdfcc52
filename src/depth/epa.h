// How deep two overlapping cores are in each other: the distance of the origin from the boundary of K (Cameron's MTD).
#ifndef APART_DEPTH_EPA_H
#define APART_DEPTH_EPA_H

#include "convex/bracket.h"
#include "depth/revolve.h"

/// Turns the points around the origin, out->around, into a bracket of the depth: out->upper = -(what is proven from
/// inside), out->lower = -(the best support plane), with the points and the normal. False if the origin is not proven
/// to be inside: then only lower and normal are set. section: of a round K, to be searched in its place, or NULL. cache
/// may be NULL. Needs about 80 KB of stack.
bool apart_epa_run(difference* k, const goal* g, const revolved_difference* section, apart_cache* cache, outcome* out);

/// The same of two small polytopes that are probably deep in each other, before any other search: from the octahedron
/// of the farthest points along the axes. False if that does not prove the depth: then nothing is known.
bool apart_epa_begin(difference* k, const goal* g, apart_cache* cache, outcome* out);

/// The same from the polytope that the last query left in the cache. False if it left none or the origin has left it:
/// then nothing is known.
bool apart_epa_resume(difference* k, const goal* g, apart_cache* cache, outcome* out);

#endif

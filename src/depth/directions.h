// The depth of ellipsoids, cylinders, cones, capsules, boxes and points in each other by bounds over the whole sphere
// of directions, where an inscribed polytope would need too many corners: almost a circle or a sphere of directions is
// as near as the nearest.
//
// The depth is the least h_K(n) over unit vectors n. In a cell of directions h_K is at least a quadratic function of n
// (minorant.h), and the least value of that on the sphere is an eigenvalue problem (symmetric.h). Cells with a bound
// below the goal are split.
#ifndef APART_DEPTH_DIRECTIONS_H
#define APART_DEPTH_DIRECTIONS_H

#include "convex/bracket.h"

/// Narrows the interval of an exact depth from the direction out->normal on. False if the bodies are not of the kinds
/// above, or if nothing was gained. cache may be NULL.
bool apart_directions_run(difference* k, const goal* g, apart_cache* cache, outcome* out);

/// Finds the interval of an exact depth without anything before it, from the normal that apart_directions_run left in
/// the cache. False if it left none, or if the goal is not met soon; then nothing is known.
bool apart_directions_resume(difference* k, const goal* g, apart_cache* cache, outcome* out);

#endif

// The depth of ellipsoids, cylinders, cones, capsules, boxes and points in each other by bounds over the whole sphere
// of directions, where an inscribed polytope would need too many corners: almost a circle or a sphere of directions is
// as near as the nearest.
//
// The depth is the least h_K(n) over unit vectors n. For these bodies h_K is a sum of
//   roots   |U^T n|                 (ellipsoid: U of rank 3; disc: 2; segment: 1; a cylinder is a disc and a segment, a
//                                    box three segments),
//   cones   max(H x, r |P n|)       (x = n . axis, from the middle of the base), and
//   c . n.
// Where a root s lies in [low, high], s >= (s^2 + low high) / (low + high), as (s - low) (high - s) >= 0; if low is 0,
// also s >= t . U^T n + (1 - |t|) s^2 / high for any |t| <= 1. So in a cell, a range for every root, h_K is at least a
// quadratic function of n, and the least value of that on the sphere is an eigenvalue problem. What this loses is of
// second order in the width of the cell, and nothing at the ends of the range; outside the range the bound is above
// the root, so the rest of the sphere does not spoil it. Cells with a bound below the goal are split.
#ifndef APART_CONVEX_QUADRIC_H
#define APART_CONVEX_QUADRIC_H

#include "convex/narrow.h"

/// Narrows the interval of an exact depth from the direction out->normal on. False if the bodies are not of the kinds
/// above, or if nothing was gained. cache may be NULL.
bool apart_quadric_run(difference* k, const goal* g, apart_cache* cache, outcome* out);

/// The same without anything before it, from the normal that the function above left in the cache. False if it did not,
/// or if the goal is not met soon; then nothing is known.
bool apart_quadric_resume(difference* k, const goal* g, apart_cache* cache, outcome* out);

#endif

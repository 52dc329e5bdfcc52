// The depth of a body with a formula (ellipsoid, cylinder, cone, box) and one that is seen only through its support
// mapping, in each other: as quadric.h, where almost a circle or a sphere of directions is as near as the nearest.
//
// In a cell of directions the support function of the second body is at least a quadratic function, too, made of a few
// of its points (tips.h). Here cells are patches of the sphere, between two latitudes and two meridians.
#ifndef APART_CONVEX_UNSEEN_H
#define APART_CONVEX_UNSEEN_H

#include "convex/narrow.h"

/// Narrows the interval of an exact depth from the direction out->normal on. False if it is not just one of the bodies
/// that has a formula, or if nothing was gained. cache may be NULL.
bool apart_unseen_run(difference* k, const goal* g, apart_cache* cache, outcome* out);

/// The same without anything before it, from the normal that the function above left in the cache. False if it did not,
/// or if the goal is not met soon; then nothing is known.
bool apart_unseen_resume(difference* k, const goal* g, apart_cache* cache, outcome* out);

#endif

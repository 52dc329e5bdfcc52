// The surface around the origin that a cache keeps from one query to the next, of two bodies with corners: its faces,
// and its corners by the vertices of the two bodies that they are made of, so that a cache with any content is safe.
#ifndef APART_DEPTH_WARM_H
#define APART_DEPTH_WARM_H

#include "depth/surface.h"

/// Leaves the surface in the cache. False if it is too large, or if a body has no corners or too many: then nothing is
/// written.
bool apart_warm_keep(const difference* k, const surface* s, apart_cache* cache);

/// The surface in the cache, its corners in their places in K. False if the cache has none, or not of these bodies, or
/// if the origin does not see all its faces from inside.
bool apart_warm_surface(difference* k, const apart_cache* cache, surface* s);

#endif

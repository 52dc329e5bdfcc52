// The surface around the origin that a cache keeps from one query to the next: its faces, and its corners by the points
// of the two bodies that they are made of. Of a body with corners these are vertex numbers. Of an ellipsoid, a cylinder
// or a cone they are places in the body of half sizes 1, rounded inwards: at any pose a place in the unit body is a
// point of the body, so that a cache with any content is safe.
#ifndef APART_CONVEX_RECALL_H
#define APART_CONVEX_RECALL_H

#include "convex/surface.h"

/// Leaves the surface and the normal in the cache; if it is too large, or if a body is a caller's function, only the
/// normal.
void apart_recall_keep(const difference* k, const surface* s, vec3 normal, apart_cache* cache);

/// The surface in the cache, its corners in their places in K. Those of numbered vertices get no points on the bodies.
/// False if the cache has none, or not of these bodies, or if the origin does not see all its faces from inside.
bool apart_recall_surface(difference* k, const apart_cache* cache, surface* s);

#endif

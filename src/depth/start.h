// Four points of K around the origin, for bodies that overlap: the steps of GJK by signs alone.
//
// Where only an overlap is looked for, the nearest point of the simplex is not needed, nor are its weights, nor unit
// vectors: which side of the simplex the origin is on tells where to go. What is found is no proof; the surface that
// begins with it makes one (surface.h).
#ifndef APART_DEPTH_START_H
#define APART_DEPTH_START_H

#include "convex/bracket.h"

/// Sets out->around to four points whose hull seems to hold the origin, and lower and normal to the best support plane
/// on the way. False if the bodies are apart or only touch, or if the signs lead nowhere. Nothing is known then, but if
/// there is one point around, it is the support point that a cold start from this cache (which may be NULL) begins
/// with.
bool apart_start_run(difference* k, const apart_cache* cache, outcome* out);

#endif

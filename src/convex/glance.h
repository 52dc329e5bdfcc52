// The depth from few support points, without a surface being built.
#ifndef APART_CONVEX_GLANCE_H
#define APART_CONVEX_GLANCE_H

#include "convex/expansion.h"
#include "convex/outline.h"

/// The depth from an outline whose corners are those of x->surface. False if a closer look is needed; x then has its
/// corners as they were. *calls: support points that were asked for.
bool apart_glance_run(difference* k, const goal* g, expansion* x, outline* o, int* calls, outcome* out);

/// The same from the tetrahedron out->around. If x->opposite is set, one more point is known, and not counted:
/// x->surface.corner[4] lies x->asked_height above the face opposite the corner of this number.
bool apart_glance_simplex(difference* k, const goal* g, expansion* x, int* calls, outcome* out);

#endif

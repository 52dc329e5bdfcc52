// The depth of two polytopes by looking at the facets of their difference K, for those that are so large and so round
// that the surface of the expansion would need more corners than there is memory for.
#ifndef APART_DEPTH_FACETS_H
#define APART_DEPTH_FACETS_H

#include "convex/bracket.h"

/// Narrows the interval of an overlap that is proven (out->upper < 0). Does nothing if a body is no polytope, has too
/// many vertices, or there is too much to look at. Needs about 50 KB of stack.
void apart_facets_run(difference* k, const goal* g, outcome* out);

#endif

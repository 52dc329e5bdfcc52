// The distance algorithm of Gilbert, Johnson and Keerthi, in three versions that share one loop.
#ifndef APART_CONVEX_GJK_H
#define APART_CONVEX_GJK_H

#include "convex/bracket.h"
#include "convex/simplex.h"

/// Narrows the distance of the cores of k, from what *out knows already. cache may be NULL.
void apart_gjk_run(difference* k, const goal* g, simplex_solver solver, apart_cache* cache, outcome* out);

/// Sets out->overlap if the cores certainly meet, given points of K whose hull seems to hold the origin. If out->upper
/// is larger than rounding explains, a better common point is put in its place.
void apart_gjk_prove_overlap(difference* k, const goal* g, const combination* c, outcome* out);

#endif

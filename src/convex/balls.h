// A bracket of the depth from the balls that the two cores hold.
//
// Let a ball of radius r_a about c_a be in A, and one of r_b about c_b in B. Then K holds the ball of radius r_a + r_b
// about c = c_a - c_b, and so the ball of radius r_a + r_b - |c| about the origin. The other end is a support plane:
// along c, and where either body is thinnest.
#ifndef APART_CONVEX_BALLS_H
#define APART_CONVEX_BALLS_H

#include "convex/narrow.h"

/// The radius of that ball, if it is more than this part of r_a + r_b; else 0.
double apart_balls_reach(const difference* k, double part);

/// The bracket, if the balls overlap and its two ends are at least as 1 to `ratio`. False if not: then nothing is
/// known. cache may be NULL.
bool apart_balls_run(difference* k, const goal* g, double ratio, apart_cache* cache, outcome* out);

#endif

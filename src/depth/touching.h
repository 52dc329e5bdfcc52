// The points of bodies with formulas that touch when the bodies are moved out along a normal.
#ifndef APART_DEPTH_TOUCHING_H
#define APART_DEPTH_TOUCHING_H

#include "convex/bracket.h"
#include "depth/minorant.h"

/// The ranges of n alone, but for the kinks that n is at as far as `near` tells.
void apart_touching_ranges(const terms* p, vec3 n, double near, range* ranges);

/// What carries the point of a body with the slopes of h_K at n; sign: 1 for a, -1 for b. The slopes of a box or a
/// segment are weights of its corners.
void apart_carry(const terms* p, const minorant* x, const posed_body* body, double sign, vec3 n, carrier* out);

#endif

// Quadratic functions below h_K, in a cell of directions: a range of every root and cone.
//
// Where a root s lies in [low, high], s >= (s^2 + low high) / (low + high), as (s - low) (high - s) >= 0; if low is 0,
// also s >= t . U^T n + (1 - |t|) s^2 / high for any |t| <= 1. What this loses is of second order in the width of the
// range, and nothing at its ends; outside the range the bound is above the root, so the rest of the sphere does not
// spoil it. A cone has a kink, too, and a slope t there. The slopes may be chosen as is best.
#ifndef APART_DEPTH_MINORANT_H
#define APART_DEPTH_MINORANT_H

#include "depth/formulas.h"

/// No curvature is larger: it would cost more digits than it is worth.
#define MAX_CURVATURE 0x1p11

/// A part of h_K whose bound has a slope that may be chosen: t of a root down to zero, or the slope of a cone at its
/// kink.
typedef struct handle {
    const root* root; // NULL: a cone
    double high;      // of the root
    const cone* cone;
    range slope, x; // of the cone
    double t[3];    // the choice
    double bend;    // what is left for the square
} handle;

typedef struct handles {
    int count;
    handle handle[MAX_ROOTS + 2];
} handles;

/// The bounds of all parts of a cell, with the handles of part i from first[i] on.
typedef struct minorant {
    quadratic fixed[MAX_PARTS], sum;
    handles free;
    int first[MAX_PARTS + 1];
} minorant;

/// The bounds of all parts in their ranges.
void apart_minorant_make(const terms* p, const range* ranges, minorant* x);

/// Chooses the slopes so that f is level at `ref`, if that can be.
void apart_minorant_match(const quadratic* f, handles* free, vec3 ref);

/// The bound of a handle with its slope.
void apart_minorant_take(quadratic* f, handle* h);

/// The slope that the bound has at n, all in t: so the next bound is least nearer to the kink.
void apart_minorant_follow(handle* h, vec3 n);

/// Where to split the range r of part i, near `at`; outside the range if it had better not be split. Near a kink the
/// bounds beyond it would need more curvature than is allowed to stay above h_K.
double apart_minorant_split(const terms* p, int i, range r, double at);

#endif

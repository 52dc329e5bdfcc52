// The nearest point to the origin of a simplex of at most four points.
#ifndef APART_CONVEX_SIMPLEX_H
#define APART_CONVEX_SIMPLEX_H

#include "base/vec.h"

/// The nearest point and its weights: v = sum of lambda[i] w[i], lambda >= 0, sum 1; a zero weight means "dropped".
/// All four positive: the origin lies inside.
typedef struct nearest {
    double lambda[4];
    vec3 v;
    double vv;    // |v|^2
    int required; // the point that must be used, or -1
} nearest;

/// Points w[0..count-1], 1 <= count <= 4, of about unit size; the newest comes last.
/// insist: every side that uses the newest point is tried, and no other. The theory says that a new support point is
/// always used; where rounding has spoilt the signs, this finds the way on. vv may then be INFINITY: nothing found.
nearest apart_simplex_nearest(const vec3* w, int count, bool insist);

/// Such a function: that one, or Johnson's. again: what it answered before did not shorten v. vv that is INFINITY or
/// NAN tells that nothing was found.
typedef nearest (*simplex_solver)(const vec3* w, int count, bool again);

/// The unit vector along v (not zero), the nearest point of a simplex of at most three points, made exactly square to
/// the simplex. Where v is the small difference of large numbers, the edges know the direction better, unless they are
/// too short or too parallel themselves: the second choice trusts the other of the two.
vec3 apart_simplex_direction(const vec3* w, int count, vec3 v, bool second_choice);

/// Six times the signed volume of a tetrahedron, (w1 - w0) . ((w2 - w0) x (w3 - w0)); 0 if rounding leaves no sign.
double apart_simplex_volume(const vec3 w[4]);

/// The radius of the largest ball about the origin inside tetrahedron w, or a number <= 0 (GJK 1988, formulas 32, 33).
double apart_simplex_inner_ball(const vec3 w[4]);

#endif

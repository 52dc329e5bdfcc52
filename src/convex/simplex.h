// The nearest point to the origin of a simplex of at most four points.
#ifndef APART_CONVEX_SIMPLEX_H
#define APART_CONVEX_SIMPLEX_H

#include "base/vec.h"

/// The nearest point and its weights: v = sum of lambda[i] w[i], lambda >= 0, sum 1; a zero weight means "dropped".
/// All four positive: the origin lies inside.
typedef struct nearest {
    double lambda[4];
    vec3 v;
    double vv;  // |v|^2
} nearest;

/// Points w[0..count-1], 1 <= count <= 4, of about unit size; the newest comes last.
nearest simplex_nearest(const vec3* w, int count);

/// The unit normal of triangle w, on the side of v; false if the triangle is too thin to have one.
bool simplex_normal(const vec3 w[3], vec3 v, vec3* normal);

/// The radius of the largest ball about the origin inside tetrahedron w, or a number <= 0 (GJK 1988, formulas 32, 33).
double simplex_inner_ball(const vec3 w[4]);

#endif

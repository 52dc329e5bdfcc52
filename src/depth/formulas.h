// Bodies with formulas: the support function of K = A - B as a sum of roots, cones and c . n.
//
// For a unit vector n, h_K(n) is
//   roots   |U^T n|                 (ellipsoid: U of rank 3; disc: 2; segment: 1; a cylinder is a disc and a segment, a
//                                    box three segments),
//   cones   max(H x, r |P n|)       (x = n . axis, from the middle of the base), and
//   c . n.
#ifndef APART_DEPTH_FORMULAS_H
#define APART_DEPTH_FORMULAS_H

#include "base/symmetric.h"
#include "convex/bracket.h"

/// Two boxes are no matter for this room: a box and a cylinder have most.
#define MAX_ROOTS 5
/// The squares of lengths down to this are normal numbers: what is divided by a shorter one may have lost its digits.
#define ROOT_SHORT 0x1p-500
/// Roots and cones: the parts, in this order.
#define MAX_PARTS (MAX_ROOTS + 2)

typedef struct range {
    double low, high;
} range;

typedef struct root {
    vec3 u[3];
    int rank;
    symmetric square; // U U^T
    double trace;     // of that
    double reach;     // its root: no |U t| is longer for |t| <= 1
    double low, high; // |U^T n| is between these
} root;

/// max(height x, radius |P n|), where x is the cosine between the axis and n.
typedef struct cone {
    vec3 axis;
    double height, radius;
    double kink; // the x at which both are equal
    int disc;    // the root that is radius |P n|
    root length; // |R^T n|: 1, as far as the matrix is a rotation
} cone;

/// The roots of a cylinder or a box: the squares of root / size add up to 1, but for the skew.
typedef struct group {
    int first, count;
    double size[3], skew;
} group;

typedef struct terms {
    vec3 c;
    double weight; // of c
    int roots, cones;
    int roots_of_a, cones_of_a; // the first ones are a's
    root root[MAX_ROOTS];
    cone cone[2];
    int groups;
    group group[2];
} terms;

/// False if one of the bodies has no such formula. At most one of them may have corners.
bool apart_formulas_make(const difference* k, terms* p);

/// What carries a point of a body with formulas, given from the middle of the body (of a cone: of its base) or, if it
/// is a box or a segment, from -1 to 1 along its edges.
void apart_formulas_carry(const posed_body* body, vec3 point, const double along[3], carrier* out);

/// |U^T n|
double apart_formulas_root(const root* r, vec3 n);

/// The value of a part of h_K, and what its range is told in.
double apart_formulas_value(const terms* p, int i, vec3 n, double* at);

/// h_K(n), more or less.
double apart_formulas_height(const terms* p, vec3 n);

#endif

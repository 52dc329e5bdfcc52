// A bound of the support function of a convex body P that is seen only through its support mapping.
//
// Let v_i be points of P, lambda_i >= 0 weights that add up to 1, p the sum of lambda_i v_i, and a_i = (v_i - p) . n.
// Where all a_i >= -L,
//   h_P(n) >= p . n + (the sum of lambda_i a_i^2) / L:
// with r the largest a_i, the sum of lambda_i (a_i + L) (r - a_i) is not negative, and that of lambda_i a_i is 0. A
// corner is a linear function; an edge or a facet is a kink, and the bound is the sharper the smaller the cell of
// directions is, for which L is measured.
#ifndef APART_CONVEX_TIPS_H
#define APART_CONVEX_TIPS_H

#include "convex/terms.h"

/// Three carry a point of a facet, and one waits.
#define MAX_TIPS 4

/// A point of P.
typedef struct tip {
    vec3 point;
    uint32_t index; // vertex number or NO_VERTEX
} tip;

/// Weighted points of P.
typedef struct tips {
    int count;
    tip tip[MAX_TIPS];
    double weight[MAX_TIPS];
} tips;

/// The sum of the weighted points.
vec3 apart_tips_mean(const tips* t);

/// Adds the bound where n along each of three axes, unit and square to each other, is in its range.
void apart_tips_take(quadratic* f, const tips* t, const vec3* axis, const range* r);

/// Notes one more point, and weighs all anew so that f + h_P has a bound about *n that is as high as can be, in a cell
/// that is so wide. Returns whether more than one point is used, and then in *n where about they are level.
bool apart_tips_choose(tips* t, const tip* more, const quadratic* f, double wide, vec3* n);

#endif

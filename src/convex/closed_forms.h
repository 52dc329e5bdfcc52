// Closed forms in three dimensions, for numbers of about unit size: Sundaraj, d'Aulignac, Mazer 2000, section 4.
// They use differences of their arguments only, so place does not matter. No checks and no scaling; the public
// functions of apart.h do both and call these.
//
// Weights are convex: not negative, sum 1 within two roundings, and exactly 0 for a corner that is not used.
// Accuracy: the distance of the weighted points exceeds the true one by a few roundings of the size at most, in every
// case, parallel and degenerate ones included.
#ifndef APART_CONVEX_CLOSED_FORMS_H
#define APART_CONVEX_CLOSED_FORMS_H

#include "base/vec.h"

/// Squared distance of point p from edge e0 e1. One division at most.
double apart_closed_point_edge(vec3 p, vec3 e0, vec3 e1, double weight[2]);

/// Squared distance of edges a0 a1 and b0 b1. One division at most.
double apart_closed_edge_edge(vec3 a0, vec3 a1, vec3 b0, vec3 b1, double wa[2], double wb[2]);

/// Squared distance of point p from triangle f. Two divisions at most, three if the triangle has no area.
double apart_closed_point_facet(vec3 p, const vec3 f[3], double weight[3]);

/// Squared distance of two features of 1, 2 or 3 corners: points, edges, triangles. 0 if they meet, as far as the signs
/// of volumes tell, and their points agree within a few roundings. Fills as many weights as there are corners.
double apart_closed_features(const vec3* a, int count_a, const vec3* b, int count_b, double* wa, double* wb);

#endif

// The depth of two overlapping boxes (or other parallelepipeds) in closed form.
//
// The difference K of two bricks is a zonotope: c + the sum of r_k g_k, -1 <= r_k <= 1, where g_0..g_2 are half the
// edges of one and g_3..g_5 of the other. Every facet of K is spanned by two of the g, so its normal is one of 15
// products g_i x g_j, and h_K(d) = c . d + the sum of |g_k . d|. The depth is the least of the 15.
#ifndef APART_DEPTH_BOXES_H
#define APART_DEPTH_BOXES_H

#include "convex/bracket.h"

/// K of two parallelepipeds as a zonotope: edges 0..2 are a's, 3..5 are b's, and so on in turn, so that the edges that
/// come n places after each of eight edges lie side by side.
#define ZONOTOPE_EDGES 13
typedef struct zonotope {
    vec3 center;
    double x[ZONOTOPE_EDGES], y[ZONOTOPE_EDGES], z[ZONOTOPE_EDGES];
} zonotope;

/// The nearest plane of a facet.
typedef struct nearest_facet {
    double height; // above the origin
    double bound;  // no facet is nearer than this, rounding allowed for
    vec3 normal;   // unit, outwards
} nearest_facet;

/// Whether both cores are bricks.
static inline bool boxes_apply(const difference* k) { return k->a.shape->brick.known && k->b.shape->brick.known; }

/// The depth, if the bricks overlap by more than rounding and their edges are parallel or clearly not. False if not:
/// then nothing is known. cache may be NULL.
bool apart_boxes_run(difference* k, const goal* g, apart_cache* cache, outcome* out);

#endif

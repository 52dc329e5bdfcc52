// The way down to a least support plane of K, from a direction near it: Newton's steps on the sphere, over bodies with
// formulas (formulas.h).
//
// h_K is smooth but for kinks: where n is square to a segment or a disc, or on the line of a cone. There K touches its
// support plane with more than a point, and h_K is often least. A kink that is met on the way is held: n stays on it,
// and the place t at which the bodies touch is solved for. If that lies outside the body, the kink is left.
#ifndef APART_DEPTH_NEWTON_H
#define APART_DEPTH_NEWTON_H

#include "depth/formulas.h"

/// A root where the plane touches: smooth, with the sign of n . u if it is a segment, or at its kink, at U t.
typedef struct root_touch {
    bool kink;
    double side;
    double t[3];
} root_touch;

/// A cone touches with its apex, its rim, or a line between the two: at rim + t (apex - rim).
typedef enum cone_part { RIM, LINE, APEX } cone_part;
typedef struct cone_touch {
    cone_part part;
    double t;
} cone_touch;

/// Where K touches the support plane with normal n.
typedef struct touch {
    const terms* p;
    vec3 n;
    root_touch root[MAX_ROOTS];
    cone_touch cone[2];
} touch;

/// Roots whose squared sizes are below this count as nothing.
#define ROOT_TINY 0x1p-200

static inline bool root_is_nothing(const root* r) { return !(r->trace > ROOT_TINY); }

/// Whether root i belongs to a cone.
static inline bool terms_is_cone_disc(const terms* p, int i) {
    return (p->cones > 0 && p->cone[0].disc == i) || (p->cones > 1 && p->cone[1].disc == i);
}

/// U t
static inline vec3 root_along(const root* r, const double t[3]) {
    vec3 point = {0, 0, 0};
    for (int i = 0; i < r->rank; ++i) point = vec3_mad(point, t[i], r->u[i]);
    return point;
}

/// w (U U^T - q q^T): the curvature of a smooth root of rank 2 or 3 that touches at q, or at the kink (q = 0).
static inline void root_add_bend(symmetric* s, double w, const root* r, vec3 q) {
    for (int i = 0; i < 6; ++i) s->m[i] += w * r->square.m[i];
    symmetric_add(s, -w, q);
}

/// The point of a root's body that is farthest along n.
vec3 apart_newton_root_point(const root* r, const root_touch* s, vec3 n);

/// The least support plane near `start`, and where it touches. False if it is not found in a few steps, or if the plane
/// at the start is not below `limit`.
bool apart_newton_run(const terms* p, vec3 start, double limit, touch* x);

#endif

// A cap of directions about a least support plane, in which the curvature of the bodies proves the depth.
//
// A polytope inside a round K needs hundreds of corners to come within 1e-9 of a support plane. But where the bodies
// have formulas their curvature tells as much at once: near n0, h_K(n) is at least p . n + n . Q n, where p is the
// point at which K touches its support plane and Q n0 = 0. With p = h n0, and lambda the least curvature of Q across
// n0, this is at least h for all n with (1 + n . n0) lambda >= h: so the depth is h, as far as these directions tell.
// What is beyond them is left to the surface (surface.h).
//
// What each part of the bodies gives, from the directions of the cap alone (m = U^T n):
//   a root where it is smooth   |m| >= e . m + |m - e (e . m)|^2 / (2 high),  as |m|^2 = (e . m)^2 + the rest
//   a root at its kink          |m| >= t . m + (1 - |t|) |m|^2 / high,        |t| <= 1
// for |m| <= high.
//
// The way down to a least support plane, from a direction near it, goes by Newton's steps on the sphere.
// h_K is smooth but for kinks: where n is square to a segment or a disc, or on the line of a cone. There K touches its
// support plane with more than a point, and h_K is often least. A kink that is met on the way is held: n stays on it,
// and the place t at which the bodies touch is solved for. If that lies outside the body, the kink is left.
#ifndef APART_DEPTH_CURVATURE_H
#define APART_DEPTH_CURVATURE_H

#include "convex/bracket.h"
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

typedef struct cap {
    vec3 n;        // its middle
    double cosine; // n' belongs to it if n . n' is at least this: not negative
    double bound;  // h_K is at least this in all of it
    double plane;  // h_K(n)
} cap;

/// The least support plane near `start`, and where it touches. False if it is not found in a few steps, or if the plane
/// at the start is not below `limit`.
bool apart_curvature_descend(const terms* p, vec3 start, double limit, touch* x);

/// p . n + n . Q n, not above h_K for all n that are at most `sine` from x->n, as the sine of an angle below 90
/// degrees.
quadratic apart_curvature_minorant(const touch* x, double sine);

/// The points of the bodies that touch when they are moved out along x->n.
void apart_curvature_points(const touch* x, const difference* k, carrier* a, carrier* b);

/// The cap about the least support plane that is found from `start` on. False if there is none close by, or if it
/// proves less than the goal asks for. *x: where its plane touches.
bool apart_curvature_find(difference* k, const goal* g, const terms* p, vec3 start, cap* out, touch* x);

/// The distance of cores that are apart, from the last normal in the cache on: at the least plane the points that touch
/// it are the nearest ones, and prove it with the plane. False if the cache has no normal, if the cores are not apart,
/// or if the goal is not met.
bool apart_curvature_apart(difference* k, const goal* g, apart_cache* cache, outcome* out);

/// Whether a direction, not of unit length, belongs to the cap.
static inline bool cap_holds(const cap* c, vec3 w) {
    double along = vec3_dot(c->n, w), cosine = c->cosine + 0x1p-40;
    return along > 0 && along * along >= cosine * cosine * vec3_dot(w, w);
}

#endif

// A search for the depth (epa.c), and what its rooms share: the surface, the best plane, and when to stop.
#ifndef APART_DEPTH_EXPANSION_H
#define APART_DEPTH_EXPANSION_H

#include "convex/bracket.h"
#include "depth/curvature.h"
#include "depth/revolve.h"
#include "depth/surface.h"

/// Cameron: the nearest face of the simplex often is the answer; a support call tells. A bound needs no more.
#define BOUND_CALLS 1

/// Caps of one search, and the calls before the first one is looked for: until then the surface is too coarse to tell
/// where. The next ones follow after more than twice as many.
#define MAX_CAPS 8
#define FIRST_CAP 10

typedef struct expansion {
    double best;        // the lowest support plane
    vec3 best_n;        // and its normal
    apart_cache* cache; // where the surface is kept, or NULL
    bool prism;         // the prism over a section of K is searched in place of K
    revolved_difference round;
    double asked_height; // of the last support point; at the end of a search: above the nearest face
    int next_cap;        // after so many calls a cap is looked for
    int caps;
    double capped;     // the least bound of the caps
    const cap* lowest; // that of the best plane, or NULL
    cap cap[MAX_CAPS];
    terms terms;
    surface surface;
} expansion;

/// The support point along d; notes the plane that it proves. Returns the plane's height above the origin.
static inline double expansion_ask(difference* k, expansion* x, vec3 d, vertex* p) {
    apart_minkowski_support(k, d, p);
    double height = vec3_dot(d, p->w);
    if (height < x->best) {
        x->best = x->surface.reach = height;
        x->best_n = d;
        x->lowest = NULL;
    }
    return height;
}

/// A corner of the surface. Those from a cache have places in K and numbers only.
static inline vertex expansion_corner(const difference* k, const surface* s, unsigned i) {
    const vertex* p = &s->corner[i];
    return difference_is_numbered(k) ? apart_minkowski_vertex(k, p->index_a, p->index_b) : *p;
}

/// Whether the goal may be met before rounding.
static inline bool goal_can_end_early(const goal* g) {
    return g->relative > 0 || g->absolute > 0 || g->cutoff < INFINITY;
}

/// Whether the depth is known to the errors of the query, bound or not.
static inline bool goal_is_narrow(const goal* g, double bound, double height) {
    goal exact = *g;
    exact.depth = APART_DEPTH_EXACT;
    return narrow_enough(&exact, -bound, -height);
}

/// Whether a face lies on the boundary of K, or near enough, when the support point above it is so high.
static inline bool goal_is_settled(const goal* g, double bound, double height) {
    return height - bound <= g->floor + 2 * SURFACE_ROUNDING ||
           (goal_can_end_early(g) && goal_is_narrow(g, bound, height));
}

/// The normal n of the nearest face, and the point in it that is nearest the origin, which the corners p[0] to p[2]
/// carry. If another plane is lower than the one above the face: the normal of that, which proves the lower end, and
/// between the point of the face and the plane's support point the one that is `bound` high along this normal.
void apart_expansion_take_point(difference* k, const goal* g, const expansion* x, double bound, vec3 n, vertex p[4],
                                double weight[4], outcome* out);

#endif

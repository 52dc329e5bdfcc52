// The one idea of the library: a query narrows an interval [lower, upper] around the true distance until the caller's
// options are met. This is the interval between two cores, and the rule that says when it is narrow enough.
#ifndef APART_CONVEX_BRACKET_H
#define APART_CONVEX_BRACKET_H

#include "convex/minkowski.h"

/// When to stop, in working units.
typedef struct goal {
    apart_depth depth;
    double relative, absolute, cutoff;
    double radius;        // of both bodies together
    double rounding_high; // of an upper end
    double rounding_low;  // of a lower end
    double floor;         // a raw gap that rounding explains: nothing more to gain
    apart_trace_fn trace;
    void* trace_context;
} goal;

/// Points of K with weights, which carry a point of their hull.
typedef struct combination {
    int count;
    vertex p[4];
    double weight[4];
} combination;

/// The same on one body: the vertices and weights that carry a nearest point.
typedef struct carrier {
    int count;
    vec3 point[4];
    uint32_t index[4];
    double weight[4];
} carrier;

/// What is known of a pair: the interval, and what proves it. One method narrows it after the other. The ends are those
/// of the cores, not yet moved outwards.
typedef struct outcome {
    double upper, lower;
    vec3 normal;  // unit, from a towards b: the lowest support plane, lower = -h_K(normal)
    carrier a, b; // points relative to the bodies' stored origins
    bool overlap; // proven: the cores share a point
    int iterations;
    // Points of K to go on from. When a depth is asked for and the cores seem to meet, their hull seems to hold the
    // origin.
    combination around;
} outcome;

/// Nothing is known.
static inline void outcome_clear(outcome* out) {
    out->upper = INFINITY;
    out->lower = -INFINITY;
    out->normal = vec3_make(1, 0, 0);
    out->overlap = false;
    out->iterations = out->around.count = 0;
}

/// Closer than this part of the size half of the digits of a distance are gone: a search that ends without an answer
/// may well have passed into an overlap, and the upper end is evaluated again in twice the precision.
#define NEAR_CONTACT 0x1p-26

/// No run of a method takes more steps than this. Polytopes need 3 to 10; smooth bodies close in by a factor each step.
#define MAX_ITERATIONS 256

/// Whether [lower, upper] meets the goal. Written so that NaN never does.
static inline bool narrow_enough(const goal* g, double upper, double lower) {
    double high = upper - g->radius + g->rounding_high;
    double low = lower - g->radius - g->rounding_low;
    if (upper - lower <= g->floor || low >= g->cutoff) return true;
    if (high <= 0 && g->depth != APART_DEPTH_EXACT) return true;
    if (g->depth == APART_DEPTH_NONE) low = larger(low, 0);
    if (high - low <= g->absolute) return true;
    if (high < 0) return high <= (1 - g->relative) * low;
    return low > 0 && low >= (1 - g->relative) * high;
}

/// Whether a depth between `bound` and `height` meets the goal, as an exact one.
static inline bool depth_is_narrow(const goal* g, double bound, double height) {
    goal exact = *g;
    exact.depth = APART_DEPTH_EXACT;
    return narrow_enough(&exact, -bound, -height);
}

/// Keeps the points of an earlier run if a later one, which has the better lower end, is not narrow enough by itself
/// and did not come as near.
static inline void outcome_keep_nearer(const goal* g, outcome* out, const outcome* before) {
    if (out->overlap || !(before->upper < out->upper) || narrow_enough(g, out->upper, out->lower)) return;
    out->upper = before->upper;
    out->a = before->a;
    out->b = before->b;
}

/// The weighted sum of a carrier's points.
static inline vec3 carrier_point(const carrier* c) {
    vec3 p = {0, 0, 0};
    for (int i = 0; i < c->count; ++i) p = vec3_mad(p, c->weight[i], c->point[i]);
    return p;
}

/// Adds a vertex, with room for it.
static inline void carrier_add(carrier* c, uint32_t index, vec3 point, double weight) {
    c->index[c->count] = index;
    c->point[c->count] = point;
    c->weight[c->count] = weight;
    c->count += 1;
}

/// From the point that b's carrier carries to a's.
static inline vec3 carried_difference(const difference* k, const carrier* a, const carrier* b) {
    return vec3_add(vec3_sub(carrier_point(a), carrier_point(b)), k->offset);
}

/// What carries the point of a combination on either side; equal vertices are merged.
void apart_bracket_carry(const combination* c, carrier* a, carrier* b);

/// Hands one step to the caller's trace function.
void apart_bracket_trace(const difference* k, const goal* g, int iteration, const carrier* a, const carrier* b,
                         double upper, double lower);

/// The same of a simplex of K.
void apart_bracket_trace_simplex(const difference* k, const goal* g, int iteration, const combination* c, double upper,
                                 double lower);

#endif

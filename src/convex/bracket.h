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
    int iterations_before; // of another method that began the work, and its interval: for the trace
    double upper_before, lower_before;
    vec3 normal_before;  // that proves lower_before
    const vertex* first; // the support point that a cold start asks for, if it is known already
} goal;

/// The vertices and weights that carry a nearest point on one body.
typedef struct carrier {
    int count;
    vec3 point[4];
    uint32_t index[4];
    double weight[4];
} carrier;

/// What a method hands back. The ends are those of the cores, not yet moved outwards.
typedef struct outcome {
    double upper, lower;
    vec3 normal;  // unit, from a towards b; the direction that gave `lower`
    carrier a, b; // points relative to the bodies' stored origins
    bool overlap; // proven: the cores share a point
    int iterations;
    // When a depth is asked for and the cores seem to meet: points of K whose hull seems to hold the origin. Else none.
    int around_count;
    vertex around[4];
    double around_weight[4];
} outcome;

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

/// What carries the weighted sum of points of K on either side; equal vertices are merged.
void apart_bracket_carry(const vertex* p, const double* weight, int count, carrier* a, carrier* b);

/// Hands one step to the caller's trace function.
void apart_bracket_trace(const difference* k, const goal* g, int iteration, const carrier* a, const carrier* b,
                         double upper, double lower);

#endif

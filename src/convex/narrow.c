#include "convex/narrow.h"

/// Vertices and weights of one side, in world coordinates; returns the nearest point.
static vec3 trace_side(const difference* k, const posed_body* body, const carrier* c, vec3* place, double* weight) {
    for (int i = 0; i < c->count; ++i) {
        place[i] = apart_difference_to_world(k, body, c->point[i]);
        weight[i] = c->weight[i];
    }
    return apart_difference_to_world(k, body, carrier_point(c));
}

void apart_narrow_trace(const difference* k, const goal* g, int iteration, const carrier* a, const carrier* b,
                        double upper, double lower) {
    apart_step step = {.iteration = g->iterations_before + iteration, .count_a = a->count, .count_b = b->count};
    step.point_a = trace_side(k, &k->a, a, step.a, step.weight_a);
    step.point_b = trace_side(k, &k->b, b, step.b, step.weight_b);
    step.upper = k->unit * larger(0, smaller(upper, g->upper_before) - g->radius);
    step.lower = k->unit * larger(0, larger(lower, g->lower_before) - g->radius);
    g->trace(&step, g->trace_context);
}

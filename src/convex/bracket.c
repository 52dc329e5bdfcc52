#include "convex/bracket.h"

static void add_to(carrier* c, uint32_t index, vec3 point, double weight) {
    int i = 0;
    while (i < c->count && (index == NO_VERTEX || c->index[i] != index)) ++i;
    if (i == c->count) {
        c->index[i] = index;
        c->point[i] = point;
        c->weight[i] = 0;
        c->count += 1;
    }
    c->weight[i] += weight;
}

void apart_bracket_carry(const vertex* p, const double* weight, int count, carrier* a, carrier* b) {
    a->count = b->count = 0;
    for (int i = 0; i < count; ++i) {
        add_to(a, p[i].index_a, p[i].a, weight[i]);
        add_to(b, p[i].index_b, p[i].b, weight[i]);
    }
}

/// Vertices and weights of one side, in world coordinates; returns the nearest point.
static vec3 trace_side(const difference* k, const posed_body* body, const carrier* c, vec3* place, double* weight) {
    for (int i = 0; i < c->count; ++i) {
        place[i] = difference_to_world(k, body, c->point[i]);
        weight[i] = c->weight[i];
    }
    return difference_to_world(k, body, carrier_point(c));
}

void apart_bracket_trace(const difference* k, const goal* g, int iteration, const carrier* a, const carrier* b,
                         double upper, double lower) {
    apart_step step = {.iteration = g->iterations_before + iteration, .count_a = a->count, .count_b = b->count};
    step.point_a = trace_side(k, &k->a, a, step.a, step.weight_a);
    step.point_b = trace_side(k, &k->b, b, step.b, step.weight_b);
    double least = g->depth == APART_DEPTH_NONE ? 0 : -INFINITY;
    step.upper = k->unit * larger(least, smaller(upper, g->upper_before) - g->radius);
    step.lower = k->unit * larger(least, larger(lower, g->lower_before) - g->radius);
    g->trace(&step, g->trace_context);
}

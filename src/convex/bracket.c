// Which vertices carry the nearest points, and what a trace is told of a step.
#include "convex/bracket.h"

/// Adds a vertex, or weight to it if it is there already.
static void add_weight(carrier* c, uint32_t index, vec3 point, double weight) {
    int i = 0;
    while (i < c->count && (index == NO_VERTEX || c->index[i] != index)) ++i;
    if (i == c->count) carrier_add(c, index, point, 0);
    c->weight[i] += weight;
}

void apart_bracket_carry(const combination* c, carrier* a, carrier* b) {
    a->count = b->count = 0;
    for (int i = 0; i < c->count; ++i) {
        add_weight(a, c->p[i].index_a, c->p[i].a, c->weight[i]);
        add_weight(b, c->p[i].index_b, c->p[i].b, c->weight[i]);
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
    apart_step step = {.iteration = iteration, .count_a = a->count, .count_b = b->count};
    step.point_a = trace_side(k, &k->a, a, step.a, step.weight_a);
    step.point_b = trace_side(k, &k->b, b, step.b, step.weight_b);
    double least = g->depth == APART_DEPTH_NONE ? 0 : -INFINITY;
    step.upper = k->unit * larger(least, upper - g->radius);
    step.lower = k->unit * larger(least, lower - g->radius);
    g->trace(&step, g->trace_context);
}

void apart_bracket_trace_simplex(const difference* k, const goal* g, int iteration, const combination* c, double upper,
                                 double lower) {
    carrier a = {.count = 0}, b = {.count = 0};
    for (int i = 0; i < c->count; ++i) {
        carrier_add(&a, c->p[i].index_a, c->p[i].a, c->weight[i]);
        carrier_add(&b, c->p[i].index_b, c->p[i].b, c->weight[i]);
    }
    apart_bracket_trace(k, g, iteration, &a, &b, upper, lower);
}

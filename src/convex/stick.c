#include "convex/stick.h"
#include "convex/closed_forms.h"

static bool is_stick(const apart_shape* shape) { return shape->kind == SHAPE_POLYTOPE && shape->polytope.count <= 2; }

bool stick_applies(const difference* k) { return is_stick(k->a.shape) && is_stick(k->b.shape); }

/// The ends of a core in world axes, relative to its stored origin.
static void ends_of(const posed_body* body, carrier* c) {
    c->count = (int)body->shape->polytope.count;
    for (int i = 0; i < c->count; ++i) {
        vec3 local = shape_vertex(body->shape, (uint32_t)i);
        c->point[i] = vec3_scale(body->factor, mat3_mul(&body->pose->rotation, local));
        c->index[i] = (uint32_t)i;
        c->weight[i] = 1;
    }
}

/// The weights of the nearest points. a is given relative to b's origin.
static void weigh(const vec3* a, carrier* ca, carrier* cb) {
    const vec3* b = cb->point;
    if (ca->count == 2 && cb->count == 2) {
        closed_edge_edge(a[0], a[1], b[0], b[1], ca->weight, cb->weight);
    } else if (ca->count == 2) {
        closed_point_edge(b[0], a[0], a[1], ca->weight);
    } else if (cb->count == 2) {
        closed_point_edge(a[0], b[0], b[1], cb->weight);
    }
}

/// Whether the nearest point lies between the ends.
static bool is_inside(const carrier* c) { return c->count == 2 && c->weight[0] > 0 && c->weight[1] > 0; }

bool stick_run(difference* k, const goal* g, outcome* out) {
    ends_of(&k->a, &out->a);
    ends_of(&k->b, &out->b);
    vec3 a[2];
    for (int i = 0; i < out->a.count; ++i) a[i] = vec3_add(out->a.point[i], k->offset);
    weigh(a, &out->a, &out->b);
    vec3 v = vec3_add(vec3_sub(carrier_point(&out->a), carrier_point(&out->b)), k->offset);
    out->upper = vec3_length(v);
    if (!(out->upper > g->rounding_high)) return false;

    // The direction, square to a segment whose inside is nearest, and what it proves.
    const vec3* b = out->b.point;
    vec3 n = v;
    if (is_inside(&out->a)) n = vec3_square_to(n, vec3_sub(a[1], a[0]));
    if (is_inside(&out->b)) n = vec3_square_to(n, vec3_sub(b[1], b[0]));
    n = vec3_unit(n);
    double low = vec3_dot(n, a[0]), high = vec3_dot(n, b[0]);
    if (out->a.count == 2) low = fmin(low, vec3_dot(n, a[1]));
    if (out->b.count == 2) high = fmax(high, vec3_dot(n, b[1]));
    out->lower = low - high;
    out->normal = vec3_neg(n);
    out->overlap = false;
    out->iterations = 1;
    k->supports += 2;
    k->visits += out->a.count + out->b.count;
    if (!narrow_enough(g, out->upper, out->lower)) return false;
    if (g->trace) narrow_trace(k, g, 1, &out->a, &out->b, out->upper, out->lower);
    return true;
}

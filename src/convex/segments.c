#include "convex/segments.h"
#include "convex/cache.h"
#include "convex/closed_forms.h"

static bool is_stick(const apart_shape* shape) { return shape->kind == SHAPE_POLYTOPE && shape->polytope.count <= 2; }

bool apart_segments_applies(const difference* k) { return is_stick(k->a.shape) && is_stick(k->b.shape); }

/// One end of a core in world axes, relative to its stored origin.
static inline vec3 take_end(const posed_body* body, carrier* c, int i) {
    const polytope* p = &body->shape->polytope;
    vec3 stored = {p->x[i], p->y[i], p->z[i]};
    c->point[i] = vec3_is_zero(stored) ? stored : posed_point(body, stored);
    c->index[i] = (uint32_t)i;
    c->weight[i] = 1;
    return c->point[i];
}

static void take_ends(const posed_body* body, carrier* c) {
    c->count = (int)body->shape->polytope.count;
    for (int i = 0; i < c->count; ++i) take_end(body, c, i);
}

/// An order of two edges that does not depend on which body they belong to, so that exchanging the bodies mirrors every
/// bit: the longer first, then the larger coordinates. True both ways if nothing tells them apart.
static bool comes_first(vec3 e, vec3 f) {
    double ee = vec3_dot(e, e), ff = vec3_dot(f, f);
    if (ee != ff) return ee > ff;
    if (fabs(e.x) != fabs(f.x)) return fabs(e.x) > fabs(f.x);
    return fabs(e.y) >= fabs(f.y);
}

/// An order of two points by their coordinates.
static bool is_larger(vec3 p, vec3 q) {
    if (p.x != q.x) return p.x > q.x;
    return p.y != q.y ? p.y > q.y : p.z >= q.z;
}

/// The weights of the nearest points, of segments in a common frame.
static void weigh(const vec3* a, const vec3* b, carrier* ca, carrier* cb) {
    if (ca->count == 2 && cb->count == 2) {
        vec3 e = vec3_sub(a[1], a[0]), f = vec3_sub(b[1], b[0]);
        bool tie = comes_first(e, f) && comes_first(f, e);
        if (tie ? is_larger(a[0], b[0]) : comes_first(e, f)) {
            apart_closed_edge_edge(a[0], a[1], b[0], b[1], ca->weight, cb->weight);
        } else {
            apart_closed_edge_edge(b[0], b[1], a[0], a[1], cb->weight, ca->weight);
        }
    } else if (ca->count == 2) {
        apart_closed_point_edge(b[0], a[0], a[1], ca->weight);
    } else if (cb->count == 2) {
        apart_closed_point_edge(a[0], b[0], b[1], cb->weight);
    }
}

/// Whether the nearest point lies between the ends.
static bool is_inside(const carrier* c) { return c->count == 2 && c->weight[0] > 0 && c->weight[1] > 0; }

/// sin^2 below which two segments count as parallel: their own normal is then not to be trusted.
#define PARALLEL 1e-12

/// v, made square to the segments whose insides are nearest.
static vec3 direction_of(const carrier* a, const carrier* b, vec3 v) {
    vec3 none = {0, 0, 0};
    vec3 e = is_inside(a) ? vec3_sub(a->point[1], a->point[0]) : none;
    vec3 f = is_inside(b) ? vec3_sub(b->point[1], b->point[0]) : none;
    vec3 n = vec3_cross(e, f);
    if (vec3_dot(n, n) > PARALLEL * vec3_dot(e, e) * vec3_dot(f, f))
        return vec3_unit(vec3_dot(n, v) < 0 ? vec3_neg(n) : n);
    return vec3_unit(vec3_square_to(v, comes_first(e, f) ? e : f));
}

/// How far apart the two segments are along n.
static double gap_along(vec3 n, const vec3 a[2], const vec3 b[2]) {
    return smaller(vec3_dot(n, a[0]), vec3_dot(n, a[1])) - larger(vec3_dot(n, b[0]), vec3_dot(n, b[1]));
}

bool apart_segments_run(difference* k, const goal* g, apart_cache* cache, outcome* out) {
    take_ends(&k->a, &out->a);
    take_ends(&k->b, &out->b);
    // Both bodies move half the way to the common frame, so that exchanging them mirrors every bit.
    vec3 a[2], b[2], half = vec3_scale(0.5, k->offset);
    for (int i = 0; i < 2; ++i) {
        a[i] = vec3_add(out->a.point[i < out->a.count ? i : 0], half);
        b[i] = vec3_sub(out->b.point[i < out->b.count ? i : 0], half);
    }
    weigh(a, b, &out->a, &out->b);
    vec3 v = carried_difference(k, &out->a, &out->b);
    double upper = vec3_length(v);
    if (!(upper > g->rounding_high)) return false;

    // The direction, and what it proves.
    vec3 n = direction_of(&out->a, &out->b, v);
    double lower = gap_along(n, a, b);
    // Weights of a segment that is nothing beside the distance tell nothing, and neither does its direction.
    if (upper - lower > g->floor) {
        vec3 straight = vec3_unit(v);
        double gap = gap_along(straight, a, b);
        n = gap > lower ? straight : n;
        lower = larger(gap, lower);
    }
    k->supports += 2;
    k->visits += out->a.count + out->b.count;
    if (!narrow_enough(g, upper, lower)) return false;
    out->upper = upper;
    out->lower = lower;
    out->normal = vec3_neg(n);
    out->iterations = 1;
    if (cache) apart_minkowski_remember(k, out->normal, cache);
    if (g->trace) apart_bracket_trace(k, g, 1, &out->a, &out->b, upper, lower);
    return true;
}

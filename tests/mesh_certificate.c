// The certificate of an answer about things, and what to say where it fails.
#include "mesh_certificate.h"

#include "base/vec.h"

#include <string.h>

// The bracket of an exact answer, of the size: between corners, and where a body is round.
#define GAP_CORNERS 2e-12
#define GAP_ROUND 1e-9
#define POINT_ROUNDINGS 64

static void keep_most(double* most, double x) {
    if (x > *most) *most = x;
}

static bool all_finite(const apart_result* r) {
    return isfinite(r->distance) && isfinite(r->lower_bound) && isfinite(r->upper_bound) &&
           vec3_is_finite(r->point_a) && vec3_is_finite(r->point_b) && vec3_is_finite(r->normal);
}

static bool names_corner(const uint32_t* triangle, uint32_t vertex) {
    return triangle[0] == vertex || triangle[1] == vertex || triangle[2] == vertex;
}

// The part, triangle, vertices and weights are in range. A common point inside a solid has no witness there.
static const char* check_witness(const thing* t, const apart_witness* w, bool common) {
    if (w->part >= (uint32_t)t->count) return "the part is out of range";
    const piece* p = &t->piece[w->part];
    double total = 0;
    if (p->surface && w->triangle >= p->surface->triangle_count) return "the triangle is out of range";
    if (p->body && w->triangle != 0) return "a convex part has no triangle";
    bool corners = p->surface || (body_is_polytope(p->body) && !p->body->callback);
    if (common && w->count == 0) return NULL;
    if (!corners) return w->count == 0 ? NULL : "a body without corners has witnesses";
    if (w->count < 1 || w->count > (p->surface ? 3u : 4u)) return "the number of witnesses is out of range";
    for (uint32_t i = 0; i < w->count; i++) {
        if (p->surface && !names_corner(p->surface->triangle[w->triangle], w->vertex[i]))
            return "a witness is not a corner of the triangle";
        if (p->body && w->vertex[i] >= (uint32_t)body_corners(p->body)) return "a witness is not a vertex";
        if (!(w->weight[i] > 0 && w->weight[i] <= 1 + 16 * ROUNDING)) return "a weight is not in (0, 1]";
        for (uint32_t k = 0; k < i; k++)
            if (w->vertex[i] == w->vertex[k]) return "a vertex is named twice";
        total += w->weight[i];
    }
    return fabs(total - 1) <= 16 * ROUNDING ? NULL : "the weights do not sum to 1";
}

// How far the point is from what its witnesses carry, moved by the radius along the normal.
static double misplaced(const thing* t, const apart_witness* w, apart_vec3 point, apart_vec3 normal, int sign) {
    const piece* p = &t->piece[w->part];
    double radius = p->surface ? p->surface->radius : p->body->radius;
    if (w->count == 0) return (double)oracle_outside(p->body, &p->pose, point);
    qvec q = qvec_scale((quad)sign * radius, qvec_from(normal));
    for (uint32_t i = 0; i < w->count; i++) {
        apart_vec3 v = p->surface ? p->surface->vertex[w->vertex[i]] : body_corner(p->body, (int)w->vertex[i]);
        q = qvec_add(q, qvec_scale(w->weight[i], oracle_world(&p->pose, v)));
    }
    return (double)qvec_length(qvec_sub(qvec_from(point), q));
}

static bool same_place(apart_vec3 p, apart_vec3 q) { return p.x == q.x && p.y == q.y && p.z == q.z; }

// A common point belongs to both, up to `most`. The same point of the same pair is looked at once.
static const char* check_common(const thing* a, const thing* b, const thing_truth* t, const apart_result* r,
                                double most, thing_census* c) {
    static body dot_body;
    apart_pose here = {apart_pose_identity.rotation, r->point_a};
    if ((double)qvec_length(qvec_sub(qvec_from(r->point_a), qvec_from(r->point_b))) > most)
        return "on overlap the points differ";
    if (same_place(c->common, r->point_a) && c->common_size == t->size && c->common_place == t->place) return NULL;
    dot_body.kind = BODY_SPHERE;
    thing at = thing_body(&dot_body, &here);
    if (thing_distance(a, &at).lower > most) return "the common point is not in a";
    if (thing_distance(b, &at).lower > most) return "the common point is not in b";
    c->common = r->point_a;
    c->common_size = t->size;
    c->common_place = t->place;
    return NULL;
}

static const char* check_points(const thing* a, const thing* b, const thing_truth* t, const apart_result* r,
                                thing_census* c) {
    qvec n = qvec_from(r->normal);
    double scale = t->size + t->place, most = POINT_ROUNDINGS * ROUNDING * scale;
    if (fabs((double)(qvec_length(n) - 1)) > 16 * ROUNDING) return "the normal is not a unit vector";
    if (r->upper_bound == 0) return check_common(a, b, t, r, 1e-12 * t->size + most, c);
    double off_a = misplaced(a, &r->a, r->point_a, r->normal, 1),
           off_b = misplaced(b, &r->b, r->point_b, r->normal, -1);
    keep_most(&c->off, fmax(off_a, off_b) / (ROUNDING * scale));
    if (off_a > most || off_b > most) return "a point is not what its witnesses carry";
    qvec way = qvec_sub(qvec_from(r->point_b), qvec_from(r->point_a));
    if (fabs((double)qvec_dot(way, n) - r->distance) > 4 * most) return "(point_b - point_a) . normal is not distance";
    if (fabs((double)qvec_length(way) - r->distance) > 4 * most) return "|point_b - point_a| is not distance";
    return NULL;
}

// One of the reasons to stop is there, or the bracket is as tight as can be.
static const char* check_goal(const thing_truth* t, const apart_query* q, const apart_result* r, thing_census* c) {
    double gap = r->upper_bound - r->lower_bound;
    bool exact = q->relative_error == 0 && q->absolute_error == 0 && q->cutoff == (double)INFINITY;
    thing_regime how = thing_regime_of(t);
    bool meet = how == THINGS_NESTED || how == THINGS_CROSSING;
    if (r->lower_bound >= q->cutoff) return NULL;
    if (meet && q->absolute_error == 0 && r->upper_bound > 0) return "they overlap but distance is positive";
    if (q->relative_error > 0 && r->upper_bound > 0 && r->lower_bound >= (1 - q->relative_error) * r->upper_bound)
        return NULL;
    if (q->absolute_error > 0 && gap <= q->absolute_error) return NULL;
    if (exact && t->size > 0) keep_most(&c->gap, gap / t->size);
    double blur = 128 * ROUNDING * t->place; // poses of parts are rounded, too
    return gap <= (t->round ? GAP_ROUND : GAP_CORNERS) * t->size + blur ? NULL : "the bracket is not tight";
}

const char* thing_check(const thing* a, const thing* b, const thing_truth* t, const apart_query* q,
                        const apart_result* r, thing_census* c) {
    if (!all_finite(r)) return "a number is not finite";
    if (!(r->lower_bound >= 0)) return "lower_bound is negative";
    if (!(r->lower_bound <= r->distance && r->distance <= r->upper_bound)) return "distance is not between its bounds";
    if ((quad)r->lower_bound > t->upper) return "lower_bound is above the true distance";
    if ((quad)r->upper_bound < t->lower) return "upper_bound is below the true distance";
    if (t->size > 0) keep_most(&c->oracle, (double)(t->upper - t->lower) / t->size);
    const char* wrong = check_witness(a, &r->a, r->upper_bound == 0);
    if (!wrong) wrong = check_witness(b, &r->b, r->upper_bound == 0);
    if (!wrong) wrong = check_points(a, b, t, r, c);
    return wrong ? wrong : check_goal(t, q, r, c);
}

encounter encounter_swapped(const encounter* e) {
    return (encounter){e->name, e->b, e->a, e->shape_b, e->shape_a, e->pose_b, e->pose_a, e->truth};
}

void encounter_close(encounter* e) {
    apart_shape_release(e->shape_a);
    apart_shape_release(e->shape_b);
}

bool encounter_judge(const encounter* e, const apart_query* q, apart_cache* cache, thing_census* c) {
    const thing_truth* t = &e->truth;
    apart_result r;
    memset(&r, 0, sizeof r);
    apart_status status = apart_distance(e->shape_a, &e->pose_a, e->shape_b, &e->pose_b, q, cache, &r);
    const char* wrong = status == APART_OK ? thing_check(&e->a, &e->b, t, q, &r, c) : apart_status_text(status);
    c->judged[thing_regime_of(t)]++;
    c->unknown += t->unknown;
    if (!wrong) return true;
    if (c->wrong++ >= 20) return false;
    fprintf(stderr, "WRONG: %s: %s\n", e->name, wrong);
    fprintf(stderr, "  relative %g absolute %g cutoff %g: [%.17g, %.17g] parts %u %u triangles %u %u\n",
            q->relative_error, q->absolute_error, q->cutoff, r.lower_bound, r.upper_bound, r.a.part, r.b.part,
            r.a.triangle, r.b.triangle);
    fprintf(stderr, "  truth [%.17g, %.17g] surfaces %.17g depth %.3g size %.3g place %.3g, %s%s\n", (double)t->lower,
            (double)t->upper, (double)t->surface, (double)t->depth, t->size, t->place,
            thing_regime_names[thing_regime_of(t)], t->unknown ? " unknown" : "");
    return false;
}

bool thing_census_reached(const thing_census* c, long least) {
    for (int i = 0; i < THING_REGIMES; i++)
        if (c->judged[i] < least) return false;
    return true;
}

void thing_census_print(const char* title, const thing_census* c) {
    printf("%s:", title);
    for (int i = 0; i < THING_REGIMES; i++) printf(" %ld %s", c->judged[i], thing_regime_names[i]);
    printf(
        "; %ld wrong, %ld of unknown inside; gap %.2g of the size, points off by %.2g roundings, oracle's gap %.2g\n",
        c->wrong, c->unknown, c->gap, c->off, c->oracle);
}

// The distance of two convex bodies: chooses the way, and turns the interval between the cores into the answer in the
// caller's unit.
#include "depth/pair.h"

#include "convex/cache.h"
#include "convex/gjk.h"
#include "convex/precise.h"
#include "convex/primitive_pairs.h"
#include "convex/search.h"
#include "depth/boxes.h"
#include "depth/curvature.h"
#include "depth/directions.h"
#include "depth/epa.h"
#include "depth/facets.h"
#include "papers/gjk1988.h"
#include "papers/sundaraj2000.h"

/// The caller's options in working units.
static goal make_goal(const apart_query* q, const difference* k) {
    goal g = {.depth = q->depth,
              .relative = q->relative_error,
              .absolute = q->absolute_error * k->inverse,
              .cutoff = q->cutoff * k->inverse,
              .radius = k->a.radius + k->b.radius,
              .rounding_high = k->rounding_high,
              .rounding_low = k->rounding_low,
              .floor = k->rounding_high / 2,
              .trace = q->trace,
              .trace_context = q->trace_context};
    return g;
}

static support_search search_of(apart_method method) {
    if (method == APART_METHOD_GJK) return SEARCH_LINEAR;
    return method == APART_METHOD_AUTO ? SEARCH_BEST : SEARCH_CLIMB;
}

static void run_method(apart_method method, difference* k, const goal* g, apart_cache* cache, outcome* out) {
    switch (method) {
    case APART_METHOD_FEATURES:
        apart_features_run(k, g, cache, out);
        break;
    case APART_METHOD_GJK:
    case APART_METHOD_ENHANCED:
        apart_gjk_run(k, g, apart_johnson_nearest, cache, out);
        break;
    default:
        // With a depth this was tried before the bodies were looked at from inside.
        if (cache && g->depth == APART_DEPTH_NONE && !difference_is_numbered(k) &&
            apart_curvature_apart(k, g, cache, out))
            break;
        apart_gjk_run(k, g, apart_simplex_nearest, cache, out);
    }
}

/// The depth of smooth bodies is measured to this relative error, unless another is asked for.
#define SMOOTH 1e-9

/// An interval that is wider than rounding explains, in parts of the size.
#define WIDE 0x1p-40

/// Whether a proven interval is as narrow as was asked for, or as rounding allows.
static bool is_narrow(const difference* k, const goal* g, const outcome* o) {
    return o->upper - o->lower <= WIDE * k->size || narrow_enough(g, o->upper, o->lower);
}

/// Whether the bodies may be in each other by more than rounding.
static bool is_deep(const difference* k, const outcome* o) {
    return k->status == APART_OK && o->lower < -WIDE * k->size;
}

/// The points around the origin that a method ends with. False if the bodies are apart, or the query failed.
static bool find_simplex(apart_method method, difference* k, const goal* g, apart_cache* cache, outcome* out) {
    if (k->status == APART_OK) run_method(method, k, g, cache, out);
    // Two features that meet are often flat: GJK has a better simplex to begin with.
    if (method == APART_METHOD_FEATURES && k->status == APART_OK && out->around.count > 0) {
        outcome_clear(out);
        apart_gjk_run(k, g, apart_simplex_nearest, NULL, out);
    }
    return k->status == APART_OK && out->around.count > 0;
}

/// The signed distance, and the order of all ways to it: the first that has the answer ends the search.
static void run_to_depth(apart_method method, difference* k, const goal* g, apart_cache* cache, outcome* out) {
    const bool automatic = method == APART_METHOD_AUTO, exact = g->depth == APART_DEPTH_EXACT;
    const bool smooth = !difference_is_numbered(k);
    goal inner = *g;
    if (smooth && inner.relative == 0) inner.relative = SMOOTH;
    // What the last query left.
    if (cache && smooth && exact && apart_directions_resume(k, &inner, cache, out)) return;
    if (cache && smooth && automatic && apart_curvature_apart(k, g, cache, out)) return;
    // Solids of revolution with parallel axes: their section takes the place of A - B.
    revolved_difference round;
    const bool turned = smooth && exact && apart_revolve_find(k, &round);
    const revolved_difference* section = turned && revolve_is_symmetric(&round, k) ? &round : NULL;
    // A simplex around the origin, or the answer of bodies that are apart; and the surface that grows from it.
    const bool enclosed = out->around.count == 4; // by the plain search
    if (!enclosed) out->around.count = 0;
    if (enclosed) apart_minkowski_place(k);
    bool proven = enclosed && apart_epa_run(k, &inner, section, cache, out);
    if (!proven) {
        const int steps = out->iterations;
        if (enclosed) outcome_clear(out);
        out->iterations = steps;
        if (!find_simplex(method, k, g, cache, out)) return;
        proven = apart_epa_run(k, &inner, section, cache, out);
    }
    // Where that leaves more open than was asked for: bounds over all directions and, if the axes are almost parallel,
    // the section, which is off by the error of the symmetry; or all facets of A - B.
    if (exact && smooth && is_deep(k, out) && !(proven && is_narrow(k, &inner, out)))
        proven = apart_directions_run(k, &inner, cache, out) || proven;
    if (turned && !section && is_deep(k, out) && !(proven && is_narrow(k, &inner, out))) {
        const double lower = out->lower;
        const vec3 normal = out->normal;
        if (apart_epa_run(k, &inner, &round, NULL, out))
            proven = true;
        else // a plane that it found may be lower, but the points belong to the one before
            out->lower = lower, out->normal = normal;
    }
    if (exact && !smooth && proven && !is_narrow(k, &inner, out)) apart_facets_run(k, g, out);
    if (proven || k->status != APART_OK) return;
    // As good as touching.
    vec3 normal = out->normal;
    apart_bracket_carry(&out->around, &out->a, &out->b);
    apart_gjk_prove_overlap(k, g, &out->around, out);
    out->normal = normal;
}

/// Who carries the point: positive weights of numbered vertices, in the caller's numbers.
static void set_carrier_witness(const posed_body* body, const carrier* c, apart_witness* out) {
    *out = (apart_witness){0};
    if (!shape_has_vertices(body->shape)) return;
    const uint32_t* caller = body->shape->polytope.caller;
    uint32_t count = 0;
    for (int i = 0; i < c->count; ++i) {
        if (!(c->weight[i] > 0)) continue;
        out->vertex[count] = caller[c->index[i]];
        out->weight[count] = c->weight[i];
        count += 1;
    }
    out->count = count;
}

/// A length in the caller's unit. Close to the end of the range the numbers themselves have lost bits, when they were
/// scaled and when the hull was made: the result is moved outwards by 16 of the smallest doubles.
static double in_unit(const difference* k, double length, double outwards) {
    double x = k->unit * length;
    return fabs(x) < 0x1p-1000 ? x + outwards * 0x1p-1070 : x;
}

/// The same difference, where each point is the first vertex and a part of the way to the others: what is the same for
/// all vertices is not rounded, as the height of a face that is square to an axis.
static vec3 careful_difference(const difference* k, const outcome* o) {
    const carrier* side[2] = {&o->a, &o->b};
    vec3 p[2];
    for (int s = 0; s < 2; ++s) {
        const carrier* c = side[s];
        p[s] = c->count > 0 ? c->point[0] : vec3_make(0, 0, 0);
        vec3 first = p[s];
        for (int i = 1; i < c->count; ++i) p[s] = vec3_mad(p[s], c->weight[i], vec3_sub(c->point[i], first));
    }
    return vec3_add(vec3_sub(p[0], p[1]), k->offset);
}

/// The distance of the cores as the carried points tell it: how far they are from each other or, where the cores
/// overlap, how far along the normal.
static double carried_distance(const difference* k, const outcome* o) {
    vec3 v = careful_difference(k, o);
    return o->overlap ? -vec3_dot(o->normal, v) : vec3_length(v);
}

/// The ends of the interval in the caller's unit, and the best estimate between them.
typedef struct interval {
    double high, low, best;
} interval;

/// The interval with radii taken off and rounding allowed for.
static interval interval_of(const difference* k, const goal* g, const outcome* o) {
    // Two coincident points have no size and nothing to round.
    if (k->size == 0) return (interval){0, 0, 0};
    bool close_by = !o->overlap && !(g->radius > 0) && o->upper < NEAR_CONTACT * k->size;
    double precise = close_by ? apart_precise_distance(k, &o->a, &o->b) : INFINITY;
    double best = (precise < INFINITY ? precise : carried_distance(k, o)) - g->radius;
    double high = smaller(o->upper + g->rounding_high, precise_upper(k, precise)) - g->radius;
    double low = o->lower - g->radius - g->rounding_low;
    // Nearer than that, the normal is not good enough to gain by.
    if (precise > g->rounding_high && precise < INFINITY) low = larger(low, apart_precise_lower(k, o->normal));
    bool overlap = o->overlap || high <= 0;
    if (g->depth == APART_DEPTH_NONE) {
        high = overlap ? 0 : high;
        low = overlap ? 0 : larger(low, 0);
    } else if (overlap) {
        high = smaller(high, 0);
    }
    interval i = {high == 0 ? 0 : in_unit(k, high, 1), low == 0 ? 0 : in_unit(k, low, -1), k->unit * best};
    if (g->depth == APART_DEPTH_NONE && !(i.low > 0)) i.low = 0;
    i.best = smaller(larger(i.best, i.low), i.high) + 0; // no negative zero
    return i;
}

/// Ends that are the wrong way round, or no numbers: two proofs contradict each other, and neither is believed. What is
/// left is how far the points are from each other; and no depth is larger than everything.
static void distrust(const difference* k, outcome* o) {
    o->upper = vec3_length(carried_difference(k, &o->a, &o->b));
    o->lower = -2 * k->size;
    o->overlap = false;
}

/// Cores that are nearer than so many roundings: which way one lies from the other is lost, and makes no difference to
/// what is along it.
#define LOST 4

/// The nearest points: on the cores, moved along the normal by the radii. Where the radii overlap, and no proof of the
/// depth was asked for, the way goes straight from one core to the other; without a depth the points meet between them.
static void set_nearest_points(const difference* k, const goal* g, const outcome* o, apart_result* r) {
    double reach_a = k->a.radius, reach_b = k->b.radius;
    vec3 a = carrier_point(&o->a), b = carrier_point(&o->b), n = o->normal;
    bool meet = g->depth == APART_DEPTH_NONE, bound = g->depth == APART_DEPTH_BOUND;
    bool open = o->upper - o->lower > NEAR_CONTACT * k->size && o->upper > LOST * g->rounding_high;
    if (o->upper < g->radius && (meet || (bound && open))) n = vec3_unit(vec3_sub(vec3_sub(b, a), k->offset));
    if (o->upper < g->radius && meet) {
        reach_a = o->upper * (k->a.radius / g->radius);
        reach_b = o->upper - reach_a;
    }
    r->point_a = difference_to_world(k, &k->a, vec3_mad(a, reach_a, n));
    r->point_b = difference_to_world(k, &k->b, vec3_mad(b, -reach_b, n));
    r->normal = vec3_add(n, vec3_make(0, 0, 0)); // no negative zeros
}

/// Half of the shortest side of a body's own box.
static double least_half(const apart_shape* s) {
    const vec3 side = vec3_sub(s->upper, s->lower);
    return 0.5 * s->scale * smaller(side.x, smaller(side.y, side.z));
}

/// Where the middle of a body is.
static vec3 middle_of(const posed_shape* body) {
    const vec3 local = shape_to_local(body->shape, body->shape->center);
    return vec3_add(body->pose->translation, mat3_mul(&body->pose->rotation, local));
}

/// Whether two small polytopes are probably deep in each other: their middles are nearer than half of the distance at
/// which balls as large as they are thick would touch. Their poses need not have been checked.
static bool seem_deep(const posed_shape* a, const posed_shape* b) {
    if (a->shape->polytope.padded > MOST_PLACED || b->shape->polytope.padded > MOST_PLACED) return false;
    return vec3_length(vec3_sub(middle_of(a), middle_of(b))) < 0.5 * (least_half(a->shape) + least_half(b->shape));
}

/// Whether two polytopes in each other are answered at once: boxes in closed form, others from the surface that the
/// last query left, or from their extent along the axes.
static bool run_inside(apart_method method, bool deep, difference* k, const goal* g, apart_cache* cache, outcome* out) {
    if (g->depth == APART_DEPTH_NONE || !difference_is_numbered(k)) return false;
    if (method == APART_METHOD_AUTO && boxes_apply(k) && apart_boxes_run(k, g, cache, out)) return true;
    if (cache && g->depth == APART_DEPTH_EXACT && apart_epa_resume(k, g, cache, out)) return true;
    return deep && apart_epa_begin(k, g, cache, out);
}

static void trace_search(const search_task* task, const simplex_start* simplex, const double* lambda, int iteration) {
    difference k;
    apart_minkowski_init(&k, task->a.shape, task->a.pose, task->b.shape, task->b.pose, SEARCH_BEST);
    const goal g = make_goal(task->query, &k);
    combination c = {.count = simplex->count};
    for (int i = 0; i < c.count; ++i) {
        apart_minkowski_vertex(&k, simplex->a[i], simplex->b[i], &c.p[i]);
        c.weight[i] = lambda[i];
    }
    apart_bracket_trace_simplex(&k, &g, iteration, &c, k.inverse * simplex->upper, k.inverse * simplex->lower);
}

static bool search_plainly(const posed_shape* a, const posed_shape* b, const apart_query* query, double slack,
                           apart_cache* cache, simplex_start* start, apart_result* result) {
    const search_task task = {*a, *b, query, slack, cache, apart_support_find, trace_search};
    return apart_kernels_short()->search(&task, start, result);
}

bool apart_pair_search(const posed_shape* a, const posed_shape* b, const apart_query* query, double slack,
                       apart_cache* cache, simplex_start* start, apart_result* result) {
    start->count = start->steps = start->supports = start->visits = 0;
    start->later = start->deep = false;
    bool polytopes = shape_has_vertices(a->shape) && shape_has_vertices(b->shape);
    if (!polytopes || query->method != APART_METHOD_AUTO) return false;
    bool boxes = a->shape->brick.known && b->shape->brick.known;
    bool kept = cache && cache->words[CACHE_KIND] == CACHE_SURFACE;
    start->deep = !boxes && query->depth == APART_DEPTH_EXACT && seem_deep(a, b);
    start->later = query->depth != APART_DEPTH_NONE && (boxes || kept || start->deep);
    return !start->later && search_plainly(a, b, query, slack, cache, start, result);
}

/// What the plain search has found out, and the points of K that it ended with.
static void take_over(difference* k, const simplex_start* start, outcome* out) {
    outcome_clear(out);
    if (start->steps > 0) {
        out->upper = k->inverse * start->upper;
        out->lower = k->inverse * start->lower;
        out->normal = start->normal;
    }
    out->iterations = start->steps;
    k->supports += start->supports;
    k->visits += start->visits;
    out->around.count = start->count > 1 ? start->count : 0;
    for (int i = 0; i < out->around.count; ++i) apart_minkowski_vertex(k, start->a[i], start->b[i], &out->around.p[i]);
}

apart_status apart_pair_measure(const posed_shape* a, const posed_shape* b, const apart_query* query, double slack,
                                const simplex_start* start, apart_cache* cache, apart_result* result) {
    if (!start && primitive_pair_applies(a->shape, b->shape) &&
        apart_primitive_pairs_measure(a, b, query, slack, cache, result))
        return APART_OK;
    simplex_start begun;
    if (!start && apart_pair_search(a, b, query, slack, cache, &begun, result)) return APART_OK;
    if (!start) start = &begun;
    difference k;
    apart_minkowski_init(&k, a->shape, a->pose, b->shape, b->pose, search_of(query->method));
    difference_blur(&k, slack);
    goal g = make_goal(query, &k);
    outcome o;
    if (start->count == 4 && query->depth != APART_DEPTH_NONE) apart_minkowski_place(&k);
    take_over(&k, start, &o);
    bool inside = run_inside(query->method, start->deep, &k, &g, cache, &o);
    if (start->later && !inside) {
        simplex_start later = {.count = 0};
        if (search_plainly(a, b, query, slack, cache, &later, result)) return APART_OK;
        take_over(&k, &later, &o);
    }
    // Only a caller's support function can make the query fail from here on, by what it returns or because that
    // contradicts itself; then the cache is put back.
    bool can_fail = a->shape->kind == SHAPE_SUPPORT || b->shape->kind == SHAPE_SUPPORT;
    apart_cache kept;
    if (cache && can_fail) kept = *cache;
    if (query->depth == APART_DEPTH_NONE) {
        run_method(query->method, &k, &g, cache, &o);
    } else if (!inside) {
        run_to_depth(query->method, &k, &g, cache, &o);
    }
    interval ends = {0, 0, 0};
    if (k.status == APART_OK) ends = interval_of(&k, &g, &o);
    bool contradiction = !(ends.low <= ends.high);
    if (contradiction && can_fail) k.status = APART_INVALID;
    if (k.status != APART_OK) {
        if (cache && can_fail) *cache = kept;
        return k.status;
    }
    if (contradiction) {
        distrust(&k, &o);
        ends = interval_of(&k, &g, &o);
    }
    result->distance = ends.best;
    result->upper_bound = ends.high;
    result->lower_bound = ends.low;
    set_nearest_points(&k, &g, &o, result);
    set_carrier_witness(&k.a, &o.a, &result->a);
    set_carrier_witness(&k.b, &o.b, &result->b);
    result->iterations = o.iterations;
    result->supports = k.supports;
    result->visits = k.visits;
    return APART_OK;
}

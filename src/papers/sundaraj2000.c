// Sundaraj, d'Aulignac, Mazer 2000: keep a feature (vertex, edge, facet) on each body instead of a simplex of the
// difference. A closed-form local method gives the nearest points of the two features; the support mapping of ONE body
// then offers a vertex that extends its feature; the local method reduces the pair again to vertex-vertex, vertex-edge,
// vertex-facet or edge-edge. When neither body offers anything better, the supports have verified the answer.
//
// x and y stand for the body that is being updated and the other one; a new vertex comes last in x.
//
// Departures: the error test is the interval of bracket.h instead of A_e and R_e; the direction of an edge-edge or
// vertex-facet pair comes from the features themselves, not from the difference of two near points; when the features
// meet, GJK proves the overlap.
#include "papers/sundaraj2000.h"
#include "convex/cache.h"
#include "convex/closed_forms.h"
#include "convex/gjk.h"
#include "convex/simplex.h"

#include <string.h>

/// The features of a and b, as carriers whose points share one frame (relative to b's stored origin). They change in
/// place: a copy that is read before what it was made of has left the processor costs more than a local method.
typedef struct pair {
    carrier of[2];
    vec3 at[2];    // the nearest points
    vec3 v;        // at[0] - at[1]
    double upper;  // |v|
    double lower;  // of the distance, as two supports along n have proven
    vec3 n;        // from b to a
    int turn;      // which body is asked first
    bool crossing; // the features meet
    bool settled;  // the interval is narrow enough
} pair;

/// sin^2 below which two edges count as parallel: their normal is not to be trusted.
#define UNSTABLE 1e-12

/// The nearest points of two features, as weights of their corners; 0 = not needed.
typedef struct solution {
    double weight_x[4], weight_y[4];
    bool crossing; // the features meet
} solution;

/// The local method for every pair that extending a reduced pair by one vertex can give: the first `count` corners of x
/// against y.
static solution local_method(const carrier* x, int count, const carrier* y) {
    solution s = {.weight_y = {1}};
    if (count < 4) {
        double squared = apart_closed_features(x->point, count, y->point, y->count, s.weight_x, s.weight_y);
        s.crossing = squared == 0 && count + y->count > 4;
        return s;
    }
    // A tetrahedron against a vertex.
    vec3 w[4];
    for (int i = 0; i < 4; ++i) w[i] = vec3_sub(x->point[i], y->point[0]);
    nearest n = apart_simplex_nearest(w, 4, false);
    memcpy(s.weight_x, n.lambda, sizeof n.lambda);
    s.crossing = n.lambda[0] > 0 && n.lambda[1] > 0 && n.lambda[2] > 0 && n.lambda[3] > 0;
    return s;
}

static vec3 weighted(const vec3* point, int count, const double* weight) {
    vec3 p = {0, 0, 0};
    for (int i = 0; i < count; ++i) p = vec3_mad(p, weight[i], point[i]);
    return p;
}

/// Keeps those of the first `count` corners that carry weight.
static void keep_carrying(carrier* c, int count, const double* weight) {
    c->count = 0;
    for (int i = 0; i < count; ++i) {
        if (!(weight[i] > 0)) continue;
        int to = c->count++;
        c->weight[to] = weight[i];
        if (to == i) continue;
        c->index[to] = c->index[i];
        c->point[to] = c->point[i];
    }
}

/// Solves the first `count` corners of one body's feature, x, against the other's, and takes the reduced features if
/// they are nearer. True if they are.
static bool update_features(pair* p, int side, int count) {
    carrier *x = &p->of[side], *y = &p->of[!side];
    solution s = local_method(x, count, y);
    if (s.crossing) p->crossing = true;
    vec3 at[2];
    at[side] = weighted(x->point, count, s.weight_x);
    at[!side] = weighted(y->point, y->count, s.weight_y);
    vec3 v = vec3_sub(at[0], at[1]);
    double upper = vec3_length(v);
    if (!(upper < p->upper)) return false;
    keep_carrying(x, count, s.weight_x);
    keep_carrying(y, y->count, s.weight_y);
    memcpy(p->at, at, sizeof at);
    p->v = v;
    p->upper = upper;
    return true;
}

/// The normal that two edges of the features agree on, if the pair has one, it is stable, and the edges are longer than
/// v: points are known to the same rounding, so the longer vectors know the direction better.
static bool normal_of(const pair* p, vec3* n) {
    const carrier *a = &p->of[0], *b = &p->of[1];
    vec3 e, f;
    if (a->count == 3 || b->count == 3) {
        const vec3* corner = a->count == 3 ? a->point : b->point;
        e = vec3_sub(corner[0], corner[2]);
        f = vec3_sub(corner[1], corner[2]);
    } else if (a->count == 2 && b->count == 2) {
        e = vec3_sub(a->point[1], a->point[0]);
        f = vec3_sub(b->point[1], b->point[0]);
    } else {
        return false;
    }
    double ee = vec3_dot(e, e), ff = vec3_dot(f, f);
    *n = vec3_cross(e, f);
    if (!(smaller(ee, ff) > vec3_dot(p->v, p->v)) || !(vec3_dot(*n, *n) > UNSTABLE * ee * ff)) return false;
    *n = vec3_unit(*n);
    return true;
}

/// v, made exactly square to the edges of both features.
static vec3 direction_of(const pair* p) {
    vec3 n;
    if (normal_of(p, &n)) return vec3_dot(n, p->v) < 0 ? vec3_neg(n) : n;
    n = p->v;
    for (const carrier* c = p->of; c < p->of + 2; ++c)
        if (c->count == 2) n = vec3_square_to(n, vec3_sub(c->point[1], c->point[0]));
    return vec3_unit(n);
}

/// A vertex offered by one body, in the common frame.
typedef struct offer {
    vec3 point;
    uint32_t index;
    double value; // along the direction, signed so that smaller is nearer
} offer;

static offer ask_support(difference* k, int side, vec3 n) {
    offer o;
    o.point = apart_minkowski_body_support(k, side ? &k->b : &k->a, side ? n : vec3_neg(n), &o.index);
    if (side == 0) o.point = vec3_add(o.point, k->offset);
    apart_minkowski_judge(k, o.point);
    o.value = side ? -vec3_dot(n, o.point) : vec3_dot(n, o.point);
    return o;
}

static bool has_point(const carrier* c, vec3 p) {
    for (int i = 0; i < c->count; ++i)
        if (vec3_equal(c->point[i], p)) return true;
    return false;
}

/// Extends one body's feature by its offer, a facet against a vertex only. True if that brings the features nearer.
static bool extend_feature(pair* p, int side, const offer* o) {
    carrier* x = &p->of[side];
    if (has_point(x, o->point) || x->count == 4 || (x->count == 3 && p->of[!side].count > 1)) return false;
    x->index[x->count] = o->index;
    x->point[x->count] = o->point;
    return update_features(p, side, x->count + 1);
}

/// One side of the cached features at the new pose. False if cold or of another pair.
static bool side_warm(const posed_body* body, vec3 shift, uint32_t count, const uint32_t* index, carrier* c) {
    uint32_t vertices = shape_vertex_count(body->shape);
    if (count < 1 || count > 3) return false;
    c->count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (index[i] >= vertices) return false;
        vec3 point = vec3_add(posed_vertex(body, index[i]), shift);
        if (!has_point(c, point)) carrier_add(c, index[i], point, 0);
    }
    return true;
}

static bool start_warm(const difference* k, const apart_cache* cache, pair* p) {
    vec3 none = {0, 0, 0};
    const uint32_t *words = cache->words, count_a = words[CACHE_COUNT_A], count_b = words[CACHE_COUNT_B];
    if (words[CACHE_KIND] != CACHE_VERTICES || count_a + count_b > 4) return false;
    if (!side_warm(&k->a, k->offset, count_a, &words[CACHE_A], &p->of[0])) return false;
    if (!side_warm(&k->b, none, count_b, &words[CACHE_B], &p->of[1])) return false;
    return update_features(p, 0, p->of[0].count);
}

/// The supports of both bodies along the last normal, or along the line of centres.
static void start_cold(difference* k, const apart_cache* cache, pair* p) {
    p->n = vec3_neg(apart_minkowski_start(k, cache));
    p->upper = INFINITY;
    for (int side = 0; side < 2; ++side) {
        offer o = ask_support(k, side, p->n);
        p->of[side].count = 0;
        carrier_add(&p->of[side], o.index, o.point, 1);
    }
    update_features(p, 0, 1);
}

/// A feature with its points moved back to its body's own origin.
static void move_back(const carrier* c, vec3 shift, carrier* out) {
    out->count = 0;
    for (int i = 0; i < c->count; ++i) carrier_add(out, c->index[i], vec3_sub(c->point[i], shift), c->weight[i]);
}

static void features_leave_in_cache(const difference* k, const pair* p, apart_cache* cache) {
    const carrier *a = &p->of[0], *b = &p->of[1];
    apart_minkowski_remember(k, vec3_neg(p->n), cache);
    if (!difference_is_numbered(k)) return;
    cache_set_counts(cache, (uint32_t)a->count, (uint32_t)b->count);
    for (int i = 0; i < a->count; ++i) cache->words[CACHE_A + i] = a->index[i];
    for (int i = 0; i < b->count; ++i) cache->words[CACHE_B + i] = b->index[i];
}

/// Both bodies in turn, the last one updated second. Returns false when the interval is narrow enough (then it is
/// settled) or the features cannot be improved.
static bool features_step(difference* k, const goal* g, pair* p) {
    const int turn = p->turn;
    vec3 direction = direction_of(p);
    bool early = g->relative > 0 || g->absolute > 0 || g->cutoff < INFINITY;
    double from = vec3_dot(direction, p->at[turn]);
    offer first = ask_support(k, turn, direction);
    double gain = (turn == 0 ? from : -from) - first.value;
    if (gain > g->floor && !early && extend_feature(p, turn, &first)) {
        p->turn = !turn;
        return true;
    }
    // Verification: both supports along one direction prove a lower end.
    offer second = ask_support(k, !turn, direction);
    double low = first.value + second.value;
    p->settled = narrow_enough(g, p->upper, low);
    if (low > p->lower || p->settled) {
        p->lower = low;
        p->n = direction;
    }
    if (p->settled) return false;
    if (gain > g->floor && early && extend_feature(p, turn, &first)) return true;
    if (extend_feature(p, !turn, &second)) return true;
    p->turn = !turn;
    return false;
}

/// Where no feature can be improved and the interval is still wide (slivers near contact), or the features meet and a
/// depth is asked for, the paper stops; we go on from the same vertices in the difference.
static void continue_by_gjk(difference* k, const goal* g, const pair* p, outcome* out) {
    apart_cache start;
    features_leave_in_cache(k, p, &start);
    outcome before = *out;
    apart_gjk_run(k, g, apart_simplex_nearest, &start, out);
    outcome_keep_nearer(g, out, &before);
}

/// Features that meet: the differences of their vertices are points of K around the origin.
static void prove_overlap(difference* k, const goal* g, const pair* p, outcome* out) {
    const carrier *a = &p->of[0], *b = &p->of[1];
    combination c = {.count = 0};
    for (int i = 0; i < a->count; ++i)
        for (int j = 0; j < b->count && c.count < 4; ++j)
            c.p[c.count++] = (vertex){vec3_sub(a->point[i], b->point[j]), vec3_sub(a->point[i], k->offset), b->point[j],
                                      a->index[i], b->index[j]};
    apart_gjk_prove_overlap(k, g, &c, out);
}

void apart_features_run(difference* k, const goal* g, apart_cache* cache, outcome* out) {
    pair p;
    p.upper = INFINITY;
    p.lower = -INFINITY;
    p.n = vec3_make(1, 0, 0);
    p.turn = 0;
    p.crossing = p.settled = false;
    if (cache) apart_minkowski_recall(k, cache);
    if (!cache || !start_warm(k, cache, &p)) start_cold(k, cache, &p);
    p.crossing = false;

    int iteration = 0;
    for (bool more = true; more && iteration < MAX_ITERATIONS && k->status == APART_OK;) {
        iteration += 1;
        if (g->trace) move_back(&p.of[0], k->offset, &out->a);
        if (g->trace) apart_bracket_trace(k, g, iteration, &out->a, &p.of[1], p.upper, p.lower);
        if (p.crossing || p.upper <= g->rounding_high) break;
        more = features_step(k, g, &p);
    }
    outcome_clear(out);
    out->upper = p.upper;
    out->lower = p.lower;
    out->normal = vec3_neg(p.n);
    out->iterations = iteration;
    move_back(&p.of[0], k->offset, &out->a);
    out->b = p.of[1];
    if (cache && k->status == APART_OK) features_leave_in_cache(k, &p, cache);
    if (k->status != APART_OK || p.settled) return;
    if ((p.crossing || p.upper <= g->rounding_high) && g->depth == APART_DEPTH_NONE)
        prove_overlap(k, g, &p, out);
    else
        continue_by_gjk(k, g, &p, out);
}

// Certificates, and the bookkeeping of many of them.
//
// Tolerances. `rounding` is 2^-53. A point is asked to lie within a few dozen roundings of the numbers it is made of:
// the body's own extent and its translation. The bracket itself gets no tolerance at all.
//
// Depth. Both ends may be negative. An exact answer is as tight below zero as above; a bound may be wide, and its lower
// end may come from another direction than its normal.
#include "certificate.h"

#include "base/vec.h"

#include <string.h>

const char* const method_names[METHODS] = {"auto", "gjk", "enhanced", "features"};
const char* const depth_names[DEPTHS] = {"none", "bound", "exact"};

apart_query query_of(int method, apart_depth depth) {
    apart_query q = apart_query_default();
    q.method = (apart_method)method;
    q.depth = depth;
    return q;
}
const char* const regime_names[REGIMES] = {"apart", "near", "touching", "overlap"};

#define POINT_ROUNDINGS 64    // points and witnesses, of the body's own coordinates
#define PAIR_ROUNDINGS 512    // distance against points, lower bound against normal, of the pair's size
#define ESTIMATE_ROUNDINGS 16 // distance against the truth, of the pair's size
#define NORMAL_ROUNDINGS 16   // length of the normal, sum of the weights
#define COMMON 1e-12          // the two points on overlap, of the pair's size
#define GAP_CORNERS 1e-11     // of the size
#define GAP_ROUND 1e-9        // of the size
#define FULL_SUPPORTS 456     // a search for the depth with so many has filled its memory
#define GAP_FULL 0.1          // of the depth, then: where almost all directions are equally near, and no formula tells
#define GAP_FORMULA 1e-3      // of the depth, where one does: rare, and mostly a needle or a plate
#define GAP_TIP 8.9e-5        // of the size, and GAP_FULL of the depth, in a cone: see open_in_tip
#define GAP_ASKED 1.1e-9      // of the depth: what is asked for where bodies have no corners
#define GAP_THIN 1e-7         // of the size: needles and plates, whose planes are known to no more
#define DEEP 1e-7             // of the size: bodies that overlap by more must be known to
#define MOST_ITERATIONS 1000  // of any method
#define WRONG_IN_FULL 3       // wrong answers printed with all their inputs
#define WRONG_LINES 1000      // wrong answers printed at all

static double keep_most(double* most, double x) {
    if (x > *most) *most = x;
    return x;
}

// The least so far; 0 stands for "none yet", and a margin is at least a trace.
static void keep_least(double* least, double x) {
    if (*least == 0 || x < *least) *least = fmax(x, 1e-9);
}

static qvec sum(qvec a, quad s, qvec b) { return qvec_add(a, qvec_scale(s, b)); }
static double far_from_origin(apart_vec3 p) { return fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))); }

regime regime_of(const oracle_answer* truth) {
    if (truth->lower > (quad)1e-2 * truth->size) return REGIME_APART;
    if (truth->lower > (quad)1e-14 * truth->size) return REGIME_NEAR;
    return truth->depth > (quad)1e-12 * truth->size ? REGIME_OVERLAP : REGIME_TOUCHING;
}

// ----------------------------------------------------------------------------------------------------- one side ----

// One body of the pair and what the answer says of it.
typedef struct side {
    const body* body;
    const apart_pose* pose;
    const apart_witness* witness;
    apart_vec3 point;
    double sign;  // of the normal: +1 for a, -1 for b
    double scale; // size of the numbers the point is made of
    bool common;  // the point is one of both bodies: overlap without depth
} side;

static bool is_common(const apart_query* q, const apart_result* r) {
    return q->depth == APART_DEPTH_NONE && r->upper_bound == 0;
}

static side side_of(const trial* t, const apart_query* q, const apart_result* r, bool second) {
    side s = {.body = second ? &t->pair.b : &t->pair.a, .pose = second ? &t->pair.pose_b : &t->pair.pose_a};
    s.witness = second ? &r->b : &r->a;
    s.point = second ? r->point_b : r->point_a;
    s.sign = second ? -1 : 1;
    s.common = is_common(q, r);
    s.scale = (double)oracle_extent(s.body) + far_from_origin(s.pose->translation);
    return s;
}

static const char* check_weights(const side* s) {
    const apart_witness* w = s->witness;
    bool corners = body_is_polytope(s->body) && !s->body->callback;
    if (w->part != 0 || w->triangle != 0) return "a convex body has no part or triangle";
    if (!corners) return w->count == 0 ? NULL : "a body without corners has witnesses";
    if (w->count < 1 || w->count > 4) return "the number of witnesses is not 1 to 4";
    double total = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        if (w->vertex[i] >= (uint32_t)body_corners(s->body)) return "a witness is not a vertex";
        if (!(w->weight[i] > 0 && w->weight[i] <= 1 + NORMAL_ROUNDINGS * ROUNDING)) return "a weight is not in (0, 1]";
        for (uint32_t j = 0; j < i; j++)
            if (w->vertex[i] == w->vertex[j]) return "a vertex is named twice";
        total += w->weight[i];
    }
    return fabs(total - 1) <= NORMAL_ROUNDINGS * ROUNDING ? NULL : "the weights do not sum to 1";
}

// The point of the core that the witnesses carry, in the world.
static qvec carried_point(const side* s) {
    qvec p = {0, 0, 0};
    for (uint32_t i = 0; i < s->witness->count; i++)
        p = sum(p, s->witness->weight[i], oracle_world(s->pose, body_corner(s->body, (int)s->witness->vertex[i])));
    return p;
}

// How far the point is from where it must be. With witnesses: the radius away from the carried point, along the normal;
// for a common point of bodies that overlap in any direction, up to the radius. Without: in the body.
static double misplaced(const side* s, const apart_result* r, double enough) {
    if (s->witness->count > 0) {
        qvec off = qvec_sub(qvec_from(s->point), carried_point(s));
        if (s->common) return (double)qvec_length(off) - s->body->radius;
        return (double)qvec_length(sum(off, -(quad)s->sign * s->body->radius, qvec_from(r->normal)));
    }
    if (!body_is_polytope(s->body) && s->body->radius == 0) {
        double off = (double)oracle_outside_round(s->body, s->pose, s->point);
        if (off <= enough / 8) return off;
    }
    return (double)oracle_outside(s->body, s->pose, s->point);
}

static const char* check_side(const side* s, const apart_result* r, double size, double* worst_outside) {
    const char* wrong = check_weights(s);
    if (wrong) return wrong;
    double scale = s->scale + size, most = POINT_ROUNDINGS * ROUNDING * scale, off = misplaced(s, r, most);
    if (scale > 0) keep_most(worst_outside, off / (scale * ROUNDING));
    if (off <= most) return NULL;
    return s->witness->count > 0 ? "a point is not what its witnesses carry" : "a point lies outside its body";
}

// ---------------------------------------------------------------------------------------------------- the answer ----

typedef struct bracket {
    quad lower, upper;
} bracket;

static const char* check_numbers(const apart_result* r) {
    if (!isfinite(r->distance) || !isfinite(r->lower_bound) || !isfinite(r->upper_bound))
        return "a distance is not finite";
    if (!vec3_is_finite(r->point_a) || !vec3_is_finite(r->point_b) || !vec3_is_finite(r->normal))
        return "a vector is not finite";
    if (!(r->lower_bound <= r->distance)) return "lower_bound is above distance";
    return r->distance <= r->upper_bound ? NULL : "distance is above upper_bound";
}

// What is known of the distance, signed if depth is asked for.
static bracket bracket_of(const trial* t, const apart_query* q) {
    bracket k = {t->truth.lower, t->truth.upper};
    if (q->depth != APART_DEPTH_NONE) k.lower = t->depth.lower, k.upper = t->depth.upper;
    return k;
}

static const char* check_bracket(const trial* t, const apart_query* q, const apart_result* r) {
    if (q->depth != APART_DEPTH_NONE && !t->depth_known) return "the depth oracle was not asked";
    if (q->depth == APART_DEPTH_NONE && !(r->lower_bound >= 0)) return "lower_bound is negative";
    bracket known = bracket_of(t, q);
    if ((quad)r->lower_bound > known.upper) return "lower_bound is above the true distance";
    if ((quad)r->upper_bound < known.lower) return "upper_bound is below the true distance";
    return NULL;
}

// An exact answer between corners that are certainly apart is the truth, to a few roundings of the numbers that it is
// made of. Bodies that meet without a depth are 0 apart.
static const char* check_estimate(const trial* t, const apart_query* q, const apart_result* r, worst* w) {
    bool exact = q->relative_error == 0 && q->absolute_error == 0 && q->cutoff == (double)INFINITY;
    double size = (double)t->truth.size;
    bracket known = bracket_of(t, q);
    if (is_common(q, r)) return r->distance == 0 && r->lower_bound == 0 ? NULL : "on overlap a distance is not 0";
    if (!exact || !t->corners || !(r->lower_bound > 0)) return NULL;
    double off = fmax((double)(known.lower - r->distance), (double)(r->distance - known.upper));
    keep_most(&w->estimate, off / (size * ROUNDING));
    return off <= ESTIMATE_ROUNDINGS * ROUNDING * size + 0x1p-1070 ? NULL : "distance is not the true distance";
}

// Unit normal; the points differ by distance along it; its slab proves the lower bound.
static const char* check_normal(const trial* t, const apart_query* q, const apart_result* r, double scale, worst* w) {
    qvec n = qvec_from(r->normal);
    double off = fabs((double)(qvec_length(n) - 1));
    keep_most(&w->normal, off / ROUNDING);
    if (off > NORMAL_ROUNDINGS * ROUNDING) return "the normal is not a unit vector";
    double size = (double)t->truth.size;
    if (r->lower_bound > 0 || q->depth == APART_DEPTH_EXACT) {
        quad slab = oracle_separation(&t->pair.a, &t->pair.pose_a, &t->pair.b, &t->pair.pose_b, r->normal);
        off = (double)(r->lower_bound - slab);
        if (size > 0) keep_most(&w->slab, off / (size * ROUNDING));
        if (off > PAIR_ROUNDINGS * ROUNDING * size) return "the normal does not prove the lower bound";
    }
    if (is_common(q, r)) return NULL;
    quad along = qvec_dot(qvec_sub(qvec_from(r->point_b), qvec_from(r->point_a)), n);
    off = fabs((double)(along - r->distance));
    if (scale > 0) keep_most(&w->dot, off / (scale * ROUNDING));
    // Below zero an exact answer may be off by what is open: the points are those of the plane that gave the lower end.
    double open = r->upper_bound - r->lower_bound;
    if (r->lower_bound < 0 && (q->depth == APART_DEPTH_EXACT || r->upper_bound > 0 || along <= r->upper_bound))
        off -= open;
    return off <= PAIR_ROUNDINGS * ROUNDING * scale ? NULL : "(point_b - point_a) . normal is not distance";
}

// On overlap without depth the two points are one.
static const char* check_common(const apart_query* q, const apart_result* r, double scale) {
    if (!is_common(q, r)) return NULL;
    double off = (double)qvec_length(qvec_sub(qvec_from(r->point_a), qvec_from(r->point_b)));
    return off <= COMMON * scale ? NULL : "on overlap the points differ";
}

// A body whose support function is a formula: no callback, and no hull of more than a segment but the box.
static bool has_formula(const body* b, const apart_shape* shape) {
    apart_shape_info info;
    if (b->callback || apart_shape_describe(shape, &info) != APART_OK) return false;
    return info.vertices <= 2 || (b->kind == BODY_BOX && info.vertices == 8);
}

// What a full surface may leave open at the tip of a cone. Its corners are on the rim of radius R, at most 236: between
// two of them the rim stands out by R / 2 (pi / 236)^2. A detail at the tip that is smaller is not asked for, since the
// support along the normal of a face from tip to rim is on the rim.
static double open_in_tip(const trial* t) {
    bool cone = t->pair.a.kind == BODY_CONE || t->pair.b.kind == BODY_CONE;
    return cone ? GAP_TIP * (double)t->truth.size : 0;
}

// The widest bracket of a depth whose search has filled its memory.
static double full_gap(const trial* t, double depth) {
    if (!has_formula(&t->pair.a, t->a) || !has_formula(&t->pair.b, t->b)) return GAP_FULL * depth;
    return fmax(GAP_FORMULA * depth, fmin(GAP_FULL * depth, open_in_tip(t)));
}

// The options of the query hold on the answer: one of the reasons to stop is there, or the bracket is as tight as can
// be.
static const char* check_goal(const trial* t, const apart_query* q, const apart_result* r, worst* w) {
    double gap = r->upper_bound - r->lower_bound, size = (double)t->truth.size;
    bool deep = t->truth.depth > (quad)DEEP * t->truth.size;
    if (r->upper_bound > 0 && r->lower_bound > 0 && r->lower_bound >= (1 - q->relative_error) * r->upper_bound)
        return NULL;
    if (q->absolute_error > 0 && gap <= q->absolute_error) return NULL;
    if (r->lower_bound >= q->cutoff) return NULL;
    if (deep && r->upper_bound > 0) return "bodies overlap but distance is positive";
    if (deep && q->depth == APART_DEPTH_NONE && r->upper_bound != 0) return "bodies overlap but distance is not 0";
    // Below zero the error is relative to the depth; a bound promises no more than its two ends.
    if (q->depth == APART_DEPTH_BOUND && r->lower_bound <= 0) return NULL;
    if (q->depth == APART_DEPTH_EXACT && r->upper_bound < 0 && gap <= q->relative_error * -r->lower_bound) return NULL;
    bool open = gap > (t->corners ? GAP_CORNERS : fmax(GAP_ROUND, GAP_ASKED * -r->lower_bound / size)) * size;
    bool full = !t->corners && r->supports >= FULL_SUPPORTS && gap <= full_gap(t, -r->upper_bound);
    bool thin = gap <= GAP_THIN * size;
    if (q->depth == APART_DEPTH_EXACT && r->lower_bound < 0 && open && (full || thin)) {
        w->full += full;
        w->thin += thin && !full;
        return NULL;
    }
    if (t->corners && gap > GAP_CORNERS * size) return "the bracket is not tight";
    if (!t->corners && gap > GAP_ROUND * size) return "the bracket is not tight";
    if (size > 0) keep_most(t->corners ? &w->gap_corners : &w->gap_round, gap / size);
    return NULL;
}

static const char* check_counts(const apart_result* r, worst* w) {
    if (r->iterations > w->iterations) w->iterations = r->iterations;
    if (r->supports > w->supports) w->supports = r->supports;
    if (r->iterations < 0 || r->iterations > MOST_ITERATIONS) return "the number of iterations is out of bounds";
    return r->supports < 0 || r->visits < 0 ? "a count is negative" : NULL;
}

// How near the ends come to the truth, where rounding is all that keeps them from it.
static void keep_margins(const trial* t, const apart_query* q, const apart_result* r, worst* w) {
    bracket known = bracket_of(t, q);
    double size = (double)t->truth.size;
    if (size == 0) return;
    keep_most(&w->oracle, (double)((known.upper - known.lower) / t->truth.size));
    bool both = q->depth == APART_DEPTH_EXACT && t->depth.exact;
    if (both || known.lower > 0) keep_least(&w->above, (double)(r->upper_bound - known.lower) / (size * ROUNDING));
    if (both || r->lower_bound > 0) keep_least(&w->below, (double)(known.upper - r->lower_bound) / (size * ROUNDING));
}

const char* certificate_check(const trial* t, const apart_query* q, const apart_result* r, worst* w) {
    worst unused = {0};
    if (!w) w = &unused;
    const char* wrong = check_numbers(r);
    if (!wrong) wrong = check_bracket(t, q, r);
    if (wrong) return wrong;
    side a = side_of(t, q, r, false), b = side_of(t, q, r, true);
    double size = (double)t->truth.size, scale = a.scale + b.scale + size;
    keep_margins(t, q, r, w);
    wrong = check_counts(r, w);
    if (!wrong) wrong = check_estimate(t, q, r, w);
    if (!wrong) wrong = check_side(&a, r, size, &w->outside);
    if (!wrong) wrong = check_side(&b, r, size, &w->outside);
    if (!wrong) wrong = check_normal(t, q, r, scale, w);
    if (!wrong) wrong = check_common(q, r, scale);
    return wrong ? wrong : check_goal(t, q, r, w);
}

// ------------------------------------------------------------------------------------------------------- trials ----

void trial_ask_oracle(trial* t) {
    t->truth = oracle_distance(&t->pair.a, &t->pair.pose_a, &t->pair.b, &t->pair.pose_b);
    t->depth_known = false;
}

void trial_ask_depth(trial* t) {
    t->depth = depth_signed_distance(&t->pair.a, &t->pair.pose_a, &t->pair.b, &t->pair.pose_b);
    t->depth_known = true;
}

bool trial_shape(trial* t) {
    apart_error error = {0};
    t->a = body_shape(&t->pair.a, &error);
    t->b = t->a ? body_shape(&t->pair.b, &error) : NULL;
    t->corners =
        body_is_polytope(&t->pair.a) && body_is_polytope(&t->pair.b) && !t->pair.a.callback && !t->pair.b.callback;
    if (t->b) return true;
    fprintf(stderr, "shape refused: %s\n", error.message);
    pair_print(stderr, &t->pair);
    trial_close(t);
    return false;
}

bool trial_open(trial* t) {
    if (!trial_shape(t)) return false;
    trial_ask_oracle(t);
    return true;
}

void trial_close(trial* t) {
    apart_shape_release(t->a);
    apart_shape_release(t->b);
    t->a = t->b = NULL;
}

apart_status trial_query(const trial* t, const apart_query* q, apart_cache* cache, apart_result* result) {
    return apart_distance(t->a, &t->pair.pose_a, t->b, &t->pair.pose_b, q, cache, result);
}

static void print_wrong(const trial* t, const apart_query* q, const apart_result* r) {
    fprintf(stderr, "  query: relative %g absolute %g cutoff %g depth %s\n", q->relative_error, q->absolute_error,
            q->cutoff, depth_names[q->depth]);
    fprintf(stderr, "  result: distance %.17g in [%.17g, %.17g] iterations %d supports %d\n", r->distance,
            r->lower_bound, r->upper_bound, r->iterations, r->supports);
    fprintf(stderr, "  point_a %.17g %.17g %.17g point_b %.17g %.17g %.17g normal %.17g %.17g %.17g\n", r->point_a.x,
            r->point_a.y, r->point_a.z, r->point_b.x, r->point_b.y, r->point_b.z, r->normal.x, r->normal.y,
            r->normal.z);
    const apart_witness* sides[2] = {&r->a, &r->b};
    for (int s = 0; s < 2; s++)
        for (uint32_t i = 0; i < sides[s]->count && i < 4; i++)
            fprintf(stderr, "  witness %c: vertex %u weight %.17g\n", "ab"[s], sides[s] -> vertex[i],
                    sides[s] -> weight[i]);
    fprintf(stderr, "  truth: lower %.17g upper %.17g (difference %.3g) depth %.3g size %.3g\n", (double)t->truth.lower,
            (double)t->truth.upper, (double)(t->truth.upper - t->truth.lower), (double)t->truth.depth,
            (double)t->truth.size);
    if (t->depth_known)
        fprintf(stderr, "  signed truth: lower %.17g upper %.17g%s\n", (double)t->depth.lower, (double)t->depth.upper,
                t->depth.exact ? " by brute force" : "");
    pair_print(stderr, &t->pair);
}

// The same pair as a batch, where it may be measured by other means.
static const char* judge_batch(const trial* t, const apart_query* q, const apart_cache* cache, apart_result* r,
                               worst* w) {
    const apart_pair one = {t->a, t->b, t->pair.pose_a, t->pair.pose_b};
    apart_cache own = {{0}};
    if (cache) own = *cache;
    apart_status status = apart_distance_batch(&one, 1, q, cache ? &own : NULL, r, NULL, 1);
    return status == APART_OK ? certificate_check(t, q, r, w) : apart_status_text(status);
}

bool trial_judge(const trial* t, const apart_query* q, apart_cache* cache, census* c) {
    apart_result r;
    memset(&r, 0, sizeof r);
    worst* w = &c->worst[q->method];
    const char* wrong = NULL;
    if (q->method == APART_METHOD_AUTO && !q->trace) wrong = judge_batch(t, q, cache, &r, w);
    if (!wrong) {
        apart_status status = trial_query(t, q, cache, &r);
        wrong = status == APART_OK ? certificate_check(t, q, &r, w) : apart_status_text(status);
    }
    c->judged[q->method][regime_of(&t->truth)]++;
    if (!wrong) return true;
    // A line each, the first ones in full; a broken build must not fill the disk.
    if (c->wrong < WRONG_LINES)
        fprintf(stderr, "WRONG: %s (%s, depth %s, seed %llu)\n", wrong, method_names[q->method], depth_names[q->depth],
                (unsigned long long)t->pair.seed);
    if (c->wrong++ < WRONG_IN_FULL) print_wrong(t, q, &r);
    return false;
}

void trial_judge_methods(const trial* t, census* c) {
    c->placed[t->pair.placement]++;
    for (int m = 0; m < METHODS; m++) {
        apart_query q = query_of(m, APART_DEPTH_NONE);
        trial_judge(t, &q, NULL, c);
    }
}

// ------------------------------------------------------------------------------------------------------- census ----

static void worst_add(worst* into, const worst* from) {
    keep_most(&into->gap_corners, from->gap_corners);
    keep_most(&into->gap_round, from->gap_round);
    keep_most(&into->outside, from->outside);
    keep_most(&into->slab, from->slab);
    keep_most(&into->dot, from->dot);
    keep_most(&into->normal, from->normal);
    keep_most(&into->estimate, from->estimate);
    keep_most(&into->oracle, from->oracle);
    if (from->above > 0) keep_least(&into->above, from->above);
    if (from->below > 0) keep_least(&into->below, from->below);
    if (from->iterations > into->iterations) into->iterations = from->iterations;
    if (from->supports > into->supports) into->supports = from->supports;
    into->full += from->full;
    into->thin += from->thin;
}

void census_add(census* into, const census* from) {
    for (int i = 0; i < PLACEMENTS; i++) into->placed[i] += from->placed[i];
    for (int m = 0; m < METHODS; m++) {
        for (int i = 0; i < REGIMES; i++) into->judged[m][i] += from->judged[m][i];
        worst_add(&into->worst[m], &from->worst[m]);
    }
    into->wrong += from->wrong;
}

bool census_reached(const census* c, long least) {
    for (int i = 0; i < METHODS * REGIMES; i++)
        if (c->judged[i / REGIMES][i % REGIMES] < least) return false;
    return true;
}

long census_open(const census* c) {
    long open = 0;
    for (int m = 0; m < METHODS; m++) open += c->worst[m].full + c->worst[m].thin;
    return open;
}

void census_print(FILE* out, const census* c) {
    fprintf(out, "placed:");
    for (int i = 0; i < PLACEMENTS; i++) fprintf(out, " %s %ld", placement_names[i], c->placed[i]);
    fprintf(out, "\n%-9s", "judged");
    for (int i = 0; i < REGIMES; i++) fprintf(out, " %9s", regime_names[i]);
    fprintf(
        out,
        " | worst: gap, gap round, outside, slab, dot, normal, distance; least above, below; iterations, supports\n");
    for (int m = 0; m < METHODS; m++) {
        const worst* w = &c->worst[m];
        fprintf(out, "%-9s", method_names[m]);
        for (int i = 0; i < REGIMES; i++) fprintf(out, " %9ld", c->judged[m][i]);
        fprintf(out, " | %8.1e %8.1e %5.1f %5.1f %5.1f %4.1f %5.2f %5.2f %5.2f %4d %5d\n", w->gap_corners, w->gap_round,
                w->outside, w->slab, w->dot, w->normal, w->estimate, w->above, w->below, w->iterations, w->supports);
    }
    fprintf(out, "oracle's widest gap %.1e of the size; left open: %ld; wrong: %ld\n", c->worst[0].oracle,
            census_open(c), c->wrong);
}

// GJK: Gilbert, Johnson, Keerthi 1988 (sections IV to VI), with Cameron's 1997 tracking.
//
// K = A - B is the Minkowski difference, V = {w_0, ...} a simplex of at most four points of K, v the point of co V
// nearest the origin, lambda its weights. Each step gives two ends of an interval around the distance:
//   upper = |v|, since v is a point of K;
//   lower = n . s_K(-n) for any unit n, since the plane with normal n through the support point has K on one side.
// With n = v / |v| they meet at the solution: the gap is g(v) / |v| in the paper's words (Theorem 1).
//
// Departures from the paper, each for the sake of a true and tight interval:
//   - n is v made square to the edges of V. When the bodies almost touch, v is the difference of large numbers and
//     points anywhere, while the edges still know the direction.
//   - The loop ends when the gap is within rounding, not at g(v) <= eps D(K)^2, which would leave sqrt(eps) D.
//   - A simplex that seems to hold the origin is no proof of an overlap: a ball of the size of the rounding errors must
//     fit in K, or the arithmetic must have been exact (overlap_proof.c).
#include "convex/gjk.h"
#include "convex/cache.h"
#include "convex/overlap_proof.h"

#include <string.h>

/// Steps that may leave |v| as it is.
#define MAX_IDLE 16

/// The state between two steps.
typedef struct simplex {
    int count;
    vec3 w[4];
    vertex p[4];
    double lambda[4]; // of v
    vec3 v;           // nearest point of co V to the origin
    double upper;     // |v|
    double shortest;  // the smallest |v| so far; INFINITY before the first solve
    double slack;     // rounding error of |v|
    int idle;         // steps without a shorter v
} simplex;

/// Takes in the point after the last one.
static void append(simplex* s) {
    s->w[s->count] = s->p[s->count].w;
    s->lambda[s->count] = 0;
    s->count += 1;
}

/// Takes the new weights if they use the newest point and do not make v longer, as far as rounding can tell. Near
/// contact a step of the right kind may take less off |v| than its rounding error, and still turn the simplex towards
/// the solution; only so many steps without a visible gain are taken.
static bool accept(simplex* s, const nearest* n) {
    double upper = sqrt(n->vv);
    bool uses_newest = n->lambda[s->count - 1] > 0 || s->shortest == INFINITY;
    if (!(upper <= s->shortest + s->slack) || !uses_newest) return false;
    if (upper < s->shortest) {
        s->shortest = upper;
    } else if (++s->idle > MAX_IDLE) {
        return false;
    }
    memcpy(s->lambda, n->lambda, sizeof s->lambda);
    s->v = n->v;
    s->upper = upper;
    return true;
}

/// The distance subalgorithm, and once more where it fails or does not shorten v (section VI, steps 2-6).
static bool solve(simplex* s, simplex_solver solver) {
    nearest n = solver(s->w, s->count, false);
    if (accept(s, &n)) return true;
    n = solver(s->w, s->count, true);
    return accept(s, &n);
}

/// Where Johnson's inner products of far points have lost v and the paper stops, the other solver goes on from the same
/// simplex, which is kept in case that it does no better. False if the other solver is in charge already.
static bool change_solver(simplex_solver* solver, simplex* s, simplex* kept) {
    if (*solver == apart_simplex_nearest) return false;
    *solver = apart_simplex_nearest;
    *kept = *s;
    s->shortest = INFINITY;
    return true;
}

/// Drops the points that v does not need.
static void compact(simplex* s) {
    int kept = 0;
    for (int i = 0; i < s->count; ++i) {
        if (!(s->lambda[i] > 0)) continue;
        if (kept < i) {
            s->w[kept] = s->w[i];
            s->p[kept] = s->p[i];
            s->lambda[kept] = s->lambda[i];
        }
        kept += 1;
    }
    s->count = kept;
}

/// Whether all four points are needed: the simplex holds the origin.
static bool full(const simplex* s) {
    return s->count == 4 && s->lambda[0] > 0 && s->lambda[1] > 0 && s->lambda[2] > 0 && s->lambda[3] > 0;
}

/// Whether p is in the simplex already.
static bool holds(const simplex* s, const vertex* p) {
    for (int i = 0; i < s->count; ++i)
        if (vertex_equal(&s->p[i], p)) return true;
    return false;
}

/// The points that the search before this one ended with, or the vertices of the last answer at the new poses (section
/// VIII; Cameron sec. 3). False if there is neither.
static bool start_warm(const difference* k, const apart_cache* cache, const combination* before, simplex* s) {
    simplex_start last;
    cache_get_start(cache, shape_vertex_count(k->a.shape), shape_vertex_count(k->b.shape), &last);
    int count = before->count > 1 ? before->count : last.count;
    for (int i = 0; i < count; ++i) {
        if (before->count > 1)
            s->p[i] = before->p[i];
        else
            apart_minkowski_vertex(k, last.a[i], last.b[i], &s->p[i]);
        append(s);
    }
    return count > 0;
}

/// One support point, along the last normal if there is one, else along the line of centres.
static void start_cold(difference* k, const apart_cache* cache, simplex* s, outcome* out) {
    vec3 normal = apart_minkowski_start(k, cache);
    apart_minkowski_support(k, normal, &s->p[0]);
    append(s);
    double low = -vec3_dot(normal, s->w[0]);
    if (out->lower > low) return;
    out->lower = low;
    out->normal = normal;
}

static combination combination_of(const simplex* s) {
    combination c = {.count = s->count};
    memcpy(c.p, s->p, (size_t)s->count * sizeof c.p[0]);
    memcpy(c.weight, s->lambda, sizeof c.weight);
    return c;
}

/// Remembers simplex and direction for the next call.
static void gjk_leave_in_cache(const simplex* s, const difference* k, vec3 normal, apart_cache* cache) {
    apart_minkowski_remember(k, normal, cache);
    if (!difference_is_numbered(k)) return;
    simplex_start end = {.count = s->count};
    for (int i = 0; i < s->count; ++i) {
        end.a[i] = s->p[i].index_a;
        end.b[i] = s->p[i].index_b;
    }
    cache_set_start(cache, &end);
}

/// Whether v is not square to the simplex, by more than rounding explains.
static bool astray(const simplex* s, vec3 direction) {
    vec3 along = vec3_mad(s->v, -vec3_dot(s->v, direction), direction);
    return vec3_length(along) > s->slack;
}

/// The loop of the distance algorithm: from simplex s until the goal is met or rounding stops it. On return v, upper
/// and the weights of s are those of the nearest point, and the lower end and its normal are known.
static void narrow(difference* k, const goal* g, simplex_solver solver, simplex* s, outcome* out) {
    int iteration = 0;
    double upper = out->upper;
    bool second_choice = false, stuck = false;
    simplex kept;
    kept.upper = INFINITY;
    while (iteration < MAX_ITERATIONS && k->status == APART_OK) {
        // Nearest point of the simplex; points that it does not need are dropped.
        iteration += 1;
        bool shorter = solve(s, solver);
        bool inside = s->upper <= g->rounding_high;
        if ((!shorter || (!inside && full(s))) && change_solver(&solver, s, &kept)) {
            iteration -= 1;
            continue;
        }
        compact(s);
        upper = smaller(upper, s->upper);
        if (g->trace) {
            combination c = combination_of(s);
            apart_bracket_trace_simplex(k, g, out->iterations + iteration, &c, upper, out->lower);
        }
        if (inside || s->count == 4) break;
        if (!shorter) {
            // Stuck: look once along the other direction that the simplex offers.
            if (stuck) break;
            stuck = second_choice = true;
        }

        // Support point on the other side of the origin, and the lower end that it proves.
        vec3 direction = apart_simplex_direction(s->w, s->count, s->v, second_choice);
        vertex* p = &s->p[s->count];
        apart_minkowski_support(k, vec3_neg(direction), p);
        double low = vec3_dot(direction, p->w);
        bool enough = narrow_enough(g, s->upper, low);
        if (enough && astray(s, direction) && change_solver(&solver, s, &kept)) continue;
        if (low > out->lower || enough) {
            out->lower = low;
            out->normal = vec3_neg(direction);
        }
        if (enough) break;
        if (!holds(s, p)) {
            append(s);
            second_choice = false;
        } else if (!change_solver(&solver, s, &kept)) {
            if (second_choice) break;
            second_choice = true;
        }
    }
    if (kept.upper < s->upper) {
        *s = kept;
        compact(s);
    }
    out->iterations += iteration;
}

/// A point of K that is as near as this many roundings r to a corner of the tetrahedron of `holds_ball` will do: its
/// true place is within 2.5 r of the corner, less than 8/3 r by what the rounding of the shift, 1/16 r, may take.
#define REACHED 1.5

/// Whether K comes within rounding of point q, starting from simplex s. If it does and the simplex was farther from the
/// origin than that, the one that was found takes its place.
static bool reaches(const difference* k, const goal* g, simplex* s, vec3 q, int* supports, int* visits) {
    difference shifted = *k;
    shifted.offset = vec3_sub(k->offset, q);
    simplex t = {.count = s->count, .shortest = INFINITY, .slack = s->slack};
    for (int i = 0; i < s->count; ++i) {
        t.p[i] = s->p[i];
        t.p[i].w = t.w[i] = vec3_add(vec3_sub(s->p[i].a, s->p[i].b), shifted.offset);
    }
    goal contact = {.cutoff = 4 * g->rounding_low,
                    .rounding_high = g->rounding_high,
                    .rounding_low = g->rounding_low,
                    .floor = g->floor};
    outcome contact_out;
    outcome_clear(&contact_out);
    narrow(&shifted, &contact, apart_simplex_nearest, &t, &contact_out);
    *supports += shifted.supports - k->supports;
    *visits += shifted.visits - k->visits;
    bool reached = shifted.status == APART_OK && t.upper <= REACHED * g->rounding_high;
    vec3 v = vec3_add(t.v, q);
    if (reached && s->upper > 2 * vec3_length(v)) {
        *s = t;
        s->v = v;
        s->upper = vec3_length(v);
    }
    return reached;
}

/// Whether K certainly holds the origin, although its points are known to r = rounding_high only. A tetrahedron of
/// computed points with a ball of radius r about the origin proves it.
static bool is_deep_inside(const goal* g, const simplex* s) {
    return s->count == 4 && s->upper <= g->rounding_high && apart_simplex_inner_ball(s->w) >= g->rounding_high;
}

/// The same by four true points of K within 2.5 r of the corners of a regular tetrahedron of radius 8 r, whose inner
/// ball has radius 8/3 r: those of the corners that K reaches within 1.5 r. The corners are reached from the simplex in
/// a step or two.
static bool holds_ball(difference* k, const goal* g, simplex* s) {
    static const vec3 corner[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    double r = g->rounding_high;
    int supports = 0, visits = 0;
    bool proven = true;
    // The tetrahedron is turned over with the simplex, so that exchanging the bodies mirrors the proof.
    vec3 w = s->w[0];
    double side = w.x != 0 ? w.x : w.y != 0 ? w.y : w.z;
    double reach = copysign(8 * r / sqrt(3), side);
    for (int i = 0; i < 4 && proven; ++i) {
        vec3 q = vec3_scale(reach, corner[i]);
        proven = reaches(k, g, s, q, &supports, &visits);
    }
    k->supports += supports;
    k->visits += visits;
    return proven;
}

/// Whether the cores certainly meet, now that v is as short as rounding can tell.
static bool meets(difference* k, const goal* g, simplex* s) {
    if (is_deep_inside(g, s)) return true;
    vertex_pair pairs[4];
    for (int i = 0; i < s->count; ++i) pairs[i] = (vertex_pair){s->p[i].index_a, s->p[i].index_b};
    return (difference_is_numbered(k) && apart_overlap_proof_exactly(k, pairs, s->count)) || holds_ball(k, g, s);
}

static void carry_simplex(const simplex* s, outcome* out) {
    combination c = combination_of(s);
    out->upper = s->upper;
    apart_bracket_carry(&c, &out->a, &out->b);
}

void apart_gjk_prove_overlap(difference* k, const goal* g, const combination* c, outcome* out) {
    simplex s = {.count = 0, .upper = out->upper, .shortest = INFINITY, .slack = g->rounding_high / 2};
    memcpy(s.p, c->p, (size_t)c->count * sizeof s.p[0]);
    while (s.count < c->count) append(&s);
    out->overlap = meets(k, g, &s);
    if (s.upper >= out->upper) return;
    carry_simplex(&s, out);
    out->normal = vec3_neg(vec3_unit(s.v));
}

/// One run from what the cache remembers (NULL: nothing). Returns the final simplex for the next call.
static void attempt(difference* k, const goal* g, simplex_solver solver, const apart_cache* cache, simplex* s,
                    outcome* out) {
    s->count = s->idle = 0;
    s->v = vec3_make(0, 0, 0);
    s->upper = s->shortest = INFINITY;
    s->slack = g->rounding_high / 2;
    if (!start_warm(k, cache, &out->around, s)) start_cold(k, cache, s, out);
    narrow(k, g, solver, s, out);
    double upper = s->upper;
    bool around = k->status == APART_OK && (upper <= g->rounding_high || s->count == 4);
    out->around.count = 0;
    bool stuck = k->status == APART_OK && upper < NEAR_CONTACT * k->size && !narrow_enough(g, upper, out->lower);
    if ((around || stuck) && g->depth != APART_DEPTH_NONE) {
        // The proof and the rest is left to the search for the depth.
        out->overlap = false;
        out->upper = upper;
        out->around = combination_of(s);
        return;
    }
    out->overlap = around && meets(k, g, s);
    carry_simplex(s, out);
    // Where no lower end is proven, the normal is simply that of the points.
    bool unproven = out->lower <= 0 && upper > g->rounding_high && g->depth == APART_DEPTH_NONE;
    if (s->upper < upper || unproven) out->normal = vec3_neg(vec3_unit(s->v));
}

void apart_gjk_run(difference* k, const goal* g, simplex_solver solver, apart_cache* cache, outcome* out) {
    simplex s;
    bool warm = cache || out->around.count > 1;
    if (cache) apart_minkowski_recall(k, cache);
    attempt(k, g, solver, cache, &s, out);
    // A search can end in a degenerate simplex. Then begin again: from the centres, unless that is where it came from,
    // and then along the direction that it ended with.
    for (int cold = !warm; cold < 2 && k->status == APART_OK && !out->overlap && out->around.count == 0; ++cold) {
        if (!(out->upper > g->rounding_high) || narrow_enough(g, out->upper, out->lower)) break;
        outcome before = *out;
        apart_cache end = {{0}};
        cache_set_normal(&end, out->normal);
        attempt(k, g, apart_simplex_nearest, cold == 0 ? NULL : &end, &s, out);
        outcome_keep_nearer(g, out, &before);
    }
    if (cache && k->status == APART_OK) gjk_leave_in_cache(&s, k, out->normal, cache);
}

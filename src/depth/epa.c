// The expanding polytope (Cameron 1997, sec. 5, looks at the first simplex only; this goes on from there). The nearest
// face of a surface around the origin is pushed out to the support point along its normal, until it lies on the
// boundary of K. Every unit d gives depth <= h_K(d) = d . s_K(d), a support plane: the lower end of the signed
// distance. The surface gives the other one (surface.h). Faces farther than the best support plane need never be looked
// at.
#include "depth/epa.h"
#include "convex/cache.h"
#include "convex/simplex.h"
#include "depth/curvature.h"
#include "depth/expansion.h"
#include "depth/surface.h"
#include "depth/warm.h"

#include <limits.h>
#include <string.h>

/// Most support points of one search.
#define MAX_CALLS (2 * MAX_CORNERS)
/// Support points after which a search that has not even proven an overlap gives up.
#define MAX_UNPROVEN 64
/// The same of a search for a bound.
#define BOUND_UNPROVEN 8
/// The error of a symmetry that is next to none, in parts of the size.
#define SYMMETRIC 0x1p-42
/// Support points for the nearest face to become good enough by itself once another plane is.
#define LATE_CALLS 64
/// How much higher than the nearest face the best plane is, at the end, if it is a poor one.
#define POOR 1.0625
/// Most support points of a search that goes on from the last surface.
#define RESUMED_CALLS 128
/// Support points that may be spent in each query on bringing a surface up to date that has no room for more.
#define STALE_CALLS 96

static void begin(expansion* x, double best, vec3 normal) {
    x->best = best;
    x->best_n = normal;
    x->prism = false;
    x->cache = NULL;
    x->round.across = 0;
    x->next_cap = INT_MAX;
    x->caps = 0;
    x->capped = INFINITY;
    x->lowest = NULL;
    apart_surface_clear(&x->surface, best);
}

/// The support point along d of the prism over the section of a round K, which reaches from -1 to 1 across it. K lies
/// in the prism.
static double ask_prism(difference* k, expansion* x, vec3 d, vertex* p) {
    const revolved_difference* r = &x->round;
    vec3 within = d, beyond = {0, 0, 0};
    for (int i = 0; i < r->across; ++i) {
        double along = vec3_dot(d, r->way[i]);
        within = vec3_mad(within, -along, r->way[i]);
        beyond = vec3_mad(beyond, copysign(1, along), r->way[i]);
    }
    // Straight across, any point of the section will do.
    if (!(vec3_length(within) > 0x1p-20)) within = r->within;
    expansion_ask(k, x, vec3_unit(within), p);
    for (int i = 0; i < r->across; ++i) p->w = vec3_mad(p->w, -vec3_dot(p->w, r->way[i]), r->way[i]);
    p->w = vec3_add(p->w, beyond);
    return vec3_dot(d, p->w);
}

static double ask(difference* k, expansion* x, vec3 d, vertex* p) {
    return x->prism ? ask_prism(k, x, d, p) : expansion_ask(k, x, d, p);
}

// ---------------------------------------------------------------------------------------------------- the search ----

/// A tetrahedron from the 1 to 4 points around the origin. False if a support plane passes through the origin, as far
/// as rounding can tell: then the depth is zero.
static bool make_tetrahedron(difference* k, const goal* g, const outcome* start, vec3 normal, expansion* x) {
    surface* s = &x->surface;
    s->corners = start->around_count;
    memcpy(s->corner, start->around, (size_t)start->around_count * sizeof s->corner[0]);
    apart_surface_thin_out(s);
    while (s->corners < 4) {
        vec3 d = apart_surface_away(s, normal);
        double height = ask(k, x, d, surface_next(s));
        if (k->status != APART_OK || !(height - larger(0, vec3_dot(d, s->corner[0].w)) > g->floor)) return false;
        s->corners += 1;
    }
    return apart_surface_tetrahedron(s);
}

static void trace(const difference* k, const goal* g, int iteration, const expansion* x, const face* f) {
    carrier a = {.count = 3}, b = {.count = 3};
    double weight[3];
    f = apart_surface_foot(&x->surface, f, weight);
    for (int i = 0; i < 3; ++i) {
        vertex p = expansion_corner(k, &x->surface, f->corner[i]);
        a.weight[i] = b.weight[i] = weight[i];
        a.point[i] = p.a;
        b.point[i] = p.b;
    }
    apart_bracket_trace(k, g, iteration, &a, &b, -f->bound, -x->best);
}

/// Improves the best plane where the search had to stop: the nearest face, turned to touch the support point above it,
/// about each of its corners.
static void polish(difference* k, expansion* x, const face* f) {
    vec3 n = apart_surface_direction(&x->surface, f), w[3];
    for (int i = 0; i < 3; ++i) w[i] = x->surface.corner[f->corner[i]].w;
    vertex p, q;
    ask(k, x, n, &p);
    for (int i = 0; i < 3; ++i) {
        vec3 d = vec3_cross(vec3_sub(p.w, w[i]), vec3_sub(w[(i + 1) % 3], w[(i + 2) % 3]));
        if (!vec3_is_zero(d)) ask(k, x, vec3_unit(vec3_dot(d, n) < 0 ? vec3_neg(d) : d), &q);
    }
}

/// Whether nothing else can be asked but support points: no formula of both bodies, and no facets.
static bool is_opaque(const difference* k) {
    const apart_shape *a = k->a.shape, *b = k->b.shape;
    bool formula_a = a->kind != SHAPE_SUPPORT && (a->kind != SHAPE_POLYTOPE || a->polytope.count <= 2);
    bool formula_b = b->kind != SHAPE_SUPPORT && (b->kind != SHAPE_POLYTOPE || b->polytope.count <= 2);
    return !difference_is_numbered(k) && !(formula_a && formula_b);
}

/// The same, and where the best plane stays a poor one, from every face that may lie below a better one: at the tip of
/// a cone all faces to its rim are equally near, while few planes are.
static void polish_best(difference* k, expansion* x, const face* first) {
    const surface* s = &x->surface;
    double enough = POOR * first->bound;
    polish(k, x, first);
    if (!(enough > 0) || !is_opaque(k)) return;
    for (int i = 0; i < s->faces && x->best > enough && k->status == APART_OK; ++i)
        if (s->face[i].place != REMOVED && s->face[i].bound < x->best) polish(k, x, &s->face[i]);
}

/// How a search ended.
typedef enum ending {
    SETTLED,  // the nearest face lies on the boundary, or as near to it as the goal asks
    NARROWED, // it does not, but the interval is as narrow
    CAPPED,   // the same, but for faces whose directions belong to caps
    BOUNDED,  // only a bound was wanted
    TOUCHING, // no deeper than rounding
    EXHAUSTED // none of it within so many calls, with the memory there is
} ending;

/// Whether a face is no nearer than the best plane in all directions that do not belong to the cap. If its corners do,
/// there are none (a cap is at most half of the sphere, hence convex). In a direction d it is as far as its plane, that
/// is bound / (n . d), and beyond the cap n . d is at most the cosine of the angle between n and the rim of the cap.
static bool is_in_cap(const expansion* x, const cap* c, const face* f) {
    double along = vec3_dot(f->n, c->n);
    if (along > c->cosine && !f->sliver) {
        // 1 - along^2 would lose half of the digits of a small angle.
        double across = vec3_length(vec3_cross(f->n, c->n)) * sqrt((1 - c->cosine) * (1 + c->cosine));
        if (f->bound >= (along * c->cosine + across + 0x1p-40) * x->best) return true;
    }
    bool in = true;
    for (int j = 0; j < 3; ++j) in = in && cap_holds(c, x->surface.corner[f->corner[j]].w);
    return in;
}

static bool is_in_a_cap(const expansion* x, const face* f) {
    for (int i = 0; i < x->caps; ++i)
        if (is_in_cap(x, &x->cap[i], f)) return true;
    return false;
}

/// Looks for a cap about the least plane near n.
static bool look_for_cap(difference* k, const goal* g, expansion* x, vec3 n, int calls) {
    x->next_cap = 2 * calls + 4;
    cap* c = &x->cap[x->caps];
    if (x->caps == MAX_CAPS || !apart_curvature_find(k, g, &x->terms, n, c)) return false;
    x->caps += 1;
    x->capped = smaller(x->capped, c->bound);
    if (c->plane < x->best) {
        x->best = x->surface.reach = c->plane;
        x->best_n = c->n;
        x->lowest = c;
    }
    return true;
}

/// Depths of bodies with formulas are proven by caps where they can be. The least plane is most often near the last
/// one.
static void use_caps(difference* k, const goal* g, const apart_cache* cache, expansion* x) {
    vec3 last;
    if (!apart_formulas_make(k, &x->terms)) return;
    if (cache && apart_minkowski_last(cache, &last)) look_for_cap(k, g, x, last, 0);
    x->next_cap = FIRST_CAP;
}

/// Whether caps do for a face, if need be a new one.
static bool is_capped(difference* k, const goal* g, expansion* x, const face* f, int calls) {
    if (is_in_a_cap(x, f)) return true;
    if (calls < x->next_cap || !look_for_cap(k, g, x, apart_surface_direction(&x->surface, f), calls)) return false;
    return is_in_cap(x, &x->cap[x->caps - 1], f);
}

/// Pushes the nearest face out until one of the above. *id: the nearest face.
static ending search(difference* k, const goal* g, expansion* x, int most, int* calls, uint16_t* id) {
    surface* s = &x->surface;
    bool bounded = g->depth == APART_DEPTH_BOUND, complete = true; // complete: no face was left behind
    bool early = goal_can_end_early(g);
    int late = 0;
    while (*calls < most && s->corners < MAX_CORNERS) {
        *id = apart_surface_nearest(s);
        if (*id == NO_FACE) break;
        const face* f = &s->face[*id];
        bool proven = f->bound > g->rounding_high;
        if (proven && is_capped(k, g, x, f, *calls)) {
            apart_surface_cap(s, *id);
            continue;
        }
        if (complete && x->caps > 0 && goal_is_narrow(g, smaller(f->bound, x->capped), x->best)) return CAPPED;
        if (!proven && x->best <= 2 * g->rounding_high) return TOUCHING;
        if (!proven && *calls >= (bounded ? BOUND_UNPROVEN : MAX_UNPROVEN)) break;
        double height = ask(k, x, apart_surface_direction(s, f), surface_next(s));
        *calls += 1;
        if (g->trace) trace(k, g, *calls, x, f);
        if (k->status != APART_OK) break;
        bool settled = goal_is_settled(g, f->bound, height);
        late += early && goal_is_narrow(g, f->bound, x->best);
        x->asked_height = height;
        if (complete && settled) return SETTLED;
        if (complete && late > LATE_CALLS) return NARROWED;
        if (complete && proven && bounded && *calls >= BOUND_CALLS) return BOUNDED;
        if (settled) break;
        // The last surface that fits in the cache stays there.
        if (x->cache && s->corners == CACHE_CORNERS) apart_warm_keep(k, s, x->cache);
        if (apart_surface_push_out(s, *id)) continue;
        apart_surface_close(s, *id);
        complete = false;
    }
    *id = apart_surface_nearest_of_all(s);
    if (x->caps > 0 && complete && apart_surface_nearest(s) == NO_FACE) return CAPPED;
    if (k->status == APART_OK && *id != NO_FACE && !bounded) polish_best(k, x, &s->face[*id]);
    return EXHAUSTED;
}

// ------------------------------------------------------------------------------------------------------- the end ----

void apart_expansion_take_point(difference* k, const goal* g, const expansion* x, double bound, vec3 n, vertex p[4],
                                double weight[4], outcome* out) {
    int count = 3;
    out->normal = n;
    if (g->depth == APART_DEPTH_EXACT && x->asked_height - x->best > g->floor + 2 * SURFACE_ROUNDING) {
        out->normal = x->best_n;
        apart_minkowski_support(k, x->best_n, &p[3]);
        double at[4], foot = 0;
        for (int i = 0; i < 4; ++i) at[i] = vec3_dot(x->best_n, vec3_add(vec3_sub(p[i].a, p[i].b), k->offset));
        for (int i = 0; i < 3; ++i) foot += weight[i] * at[i];
        weight[3] = at[3] > foot ? smaller(larger((bound - foot) / (at[3] - foot), 0), 1) : 1;
        for (int i = 0; i < 3; ++i) weight[i] *= 1 - weight[3];
        count = 4;
    }
    apart_bracket_carry(p, weight, count, &out->a, &out->b);
}

/// The answer that a face of the surface carries.
static void take_face(difference* k, const goal* g, const expansion* x, const face* f, outcome* out) {
    const surface* s = &x->surface;
    vertex p[4];
    double weight[4];
    vec3 n = apart_surface_direction(s, f);
    double bound = f->bound;
    f = apart_surface_foot(s, f, weight);
    for (int i = 0; i < 3; ++i) p[i] = expansion_corner(k, s, f->corner[i]);
    apart_expansion_take_point(k, g, x, bound, n, p, weight, out);
}

/// The best plane and its support point: moved along its normal by the lower end, the bodies are certainly apart.
static void take_plane(difference* k, const expansion* x, outcome* out) {
    vertex p;
    apart_minkowski_support(k, x->best_n, &p);
    out->normal = x->best_n;
    apart_bracket_carry(&p, (double[]){1}, 1, &out->a, &out->b);
}

/// The points that touch at the middle of a cap.
static void take_cap(const cap* c, outcome* out) {
    out->normal = c->n;
    out->a = c->a;
    out->b = c->b;
}

/// The radius of the ball that the faces and the caps prove; id: the nearest face that is not capped. 0 = none.
static double proven_by_all(const expansion* x, uint16_t id) {
    if (id == NO_FACE) return x->caps > 0 ? x->capped : 0;
    return smaller(x->surface.face[id].bound, x->capped);
}

/// The interval and what carries it. False if the origin is not proven to be inside, or no deeper than is known
/// already.
static bool conclude(difference* k, const goal* g, const expansion* x, uint16_t id, ending end, outcome* out) {
    const surface* s = &x->surface;
    double error = x->prism ? x->round.error : 0;
    out->lower = larger(out->lower, -x->best);
    // No ball in K reaches through a plane that has K on one side, whatever rounding makes of a face.
    double bound = smaller(x->best, proven_by_all(x, id));
    if (!(bound > g->rounding_high + error)) return false;
    if (!(error - bound < out->upper) || !apart_surface_goes_round(s)) return false;
    out->upper = error - bound;
    out->overlap = true;
    // A face of the prism that leans out of the section is none of K.
    bool leans = x->prism && id != NO_FACE && fabs(vec3_dot(s->face[id].n, x->round.way[0])) > 0x1p-40;
    bool skewed = error > SYMMETRIC * k->size;
    if (end == CAPPED && x->lowest) {
        take_cap(x->lowest, out);
    } else if ((end == SETTLED || end == BOUNDED) && !leans && !skewed) {
        take_face(k, g, x, &s->face[id], out);
    } else {
        take_plane(k, x, out);
    }
    return true;
}

/// Nothing is known, after so many calls.
static void clear(int calls, outcome* out) {
    out->lower = -INFINITY;
    out->upper = INFINITY;
    out->iterations = calls;
    out->overlap = false;
    out->around_count = 0;
}

/// One search from the points around the origin; normal: where nothing is known.
static bool run_once(difference* k, const goal* g, vec3 normal, expansion* x, outcome* out, ending* end) {
    goal inner = *g;
    inner.iterations_before = out->iterations;
    int calls = 0;
    uint16_t id = NO_FACE;
    *end = EXHAUSTED;
    if (make_tetrahedron(k, g, out, normal, x)) *end = search(k, &inner, x, MAX_CALLS, &calls, &id);
    out->iterations += calls;
    return k->status == APART_OK && conclude(k, g, x, id, *end, out);
}

bool apart_epa_run(difference* k, const goal* g, apart_cache* cache, outcome* out) {
    expansion x;
    vec3 normal = out->normal;
    ending end;
    begin(&x, -out->lower, normal);
    bool smooth = g->depth == APART_DEPTH_EXACT && !difference_is_numbered(k);
    if (smooth) x.round = apart_revolve_find(k);
    x.prism = x.round.across > 0 && x.round.error <= SYMMETRIC * k->size;
    if (smooth && !x.prism) use_caps(k, g, cache, &x);
    if (cache) cache->words[CACHE_KIND] = CACHE_NOTHING;
    // Others have no numbered vertices, and a bound begins anew.
    if (g->depth == APART_DEPTH_EXACT && !smooth) x.cache = cache;
    bool proven = run_once(k, g, normal, &x, out, &end);
    if (end == EXHAUSTED && x.round.across > 0 && !x.prism && k->status == APART_OK) {
        // Almost round: the section is off by the error of the symmetry, which may be less than what is open.
        x.prism = true;
        x.next_cap = INT_MAX;
        x.caps = 0;
        x.capped = INFINITY;
        apart_surface_clear(&x.surface, x.best);
        proven = run_once(k, g, normal, &x, out, &end) || proven;
        if (proven && k->status == APART_OK) take_plane(k, &x, out);
    }
    if (k->status != APART_OK) return false;
    if (!proven) out->normal = x.best_n;
    if (x.cache && proven) apart_warm_keep(k, &x.surface, cache);
    if (cache && proven) apart_minkowski_note(k, out->normal, cache);
    if (cache && !proven) apart_minkowski_remember(k, out->normal, cache);
    return proven;
}

// ------------------------------------------------------------------------------------------------------ tracking ----

/// A surface that goes on from step to step only grows. Once it has no room in the cache the older one stays there, as
/// long as it serves; then the next query begins anew.
static void remember_resumed(const difference* k, const expansion* x, int calls, vec3 normal, apart_cache* cache) {
    apart_minkowski_note(k, normal, cache);
    if (calls > 1 && !apart_warm_keep(k, &x->surface, cache) && calls > STALE_CALLS)
        cache->words[CACHE_KIND] = CACHE_NOTHING;
}

bool apart_epa_resume(difference* k, const goal* g, apart_cache* cache, outcome* out) {
    expansion x;
    begin(&x, INFINITY, vec3_make(1, 0, 0));
    if (!apart_warm_surface(k, cache, &x.surface)) return false;
    apart_minkowski_recall(k, cache);
    int calls = 0;
    uint16_t id;
    // Where the bodies have turned the surface may not be convex, and the search can go in circles.
    ending end = search(k, g, &x, RESUMED_CALLS, &calls, &id);
    clear(calls, out);
    if (end == EXHAUSTED || end == TOUCHING || k->status != APART_OK || !conclude(k, g, &x, id, end, out)) return false;
    remember_resumed(k, &x, calls, out->normal, cache);
    return true;
}

// The expanding polytope (Cameron 1997, sec. 5, looks at the first simplex only; this goes on from there). The nearest
// face of a surface around the origin is pushed out to the support point along its normal, until it lies on the
// boundary of K. Every unit d gives depth <= h_K(d) = d . s_K(d), a support plane: the lower end of the signed
// distance. The surface gives the other one (surface.h). Faces farther than the best support plane need never be looked
// at. Of bodies with formulas, neither need faces whose directions belong to a cap (curvature.h).
#include "depth/epa.h"
#include "convex/cache.h"
#include "depth/curvature.h"
#include "depth/surface.h"

#include <limits.h>
#include <string.h>

/// Most support points of one search.
#define MAX_CALLS (2 * MAX_CORNERS)
/// Support points after which a search that has not even proven an overlap gives up.
#define MAX_UNPROVEN 64
/// The same of a search for a bound. Cameron: the nearest face of the simplex often is the answer; a support call
/// tells. A bound needs no more once the overlap is proven.
#define BOUND_UNPROVEN 8
/// How much higher than the nearest face the best plane is, at the end, if it is a poor one.
#define POOR 1.0625
/// Most support points of a search that goes on from the last surface.
#define RESUMED_CALLS 128
/// Support points that may be spent in each query on bringing a surface up to date that has no room for more.
#define STALE_CALLS 96
/// Caps of one search, and the calls before the first one is looked for: until then the surface is too coarse to tell
/// where. The next ones follow after more than twice as many.
#define MAX_CAPS 8
#define FIRST_CAP 10

/// A search. The best plane is out->lower and out->normal.
typedef struct expansion {
    outcome* out;
    apart_cache* cache;                 // where the surface is kept, or NULL
    const revolved_difference* section; // the prism over this section is searched in place of K; or NULL
    int calls;                          // support points asked for
    uint16_t nearest;                   // at the end: the nearest face that is not capped
    double asked_height;                // of the last support point
    int next_cap;                       // after so many calls a cap is looked for; INT_MAX: the bodies have no formulas
    int caps;
    double capped; // the least bound of the caps; INFINITY: there are none
    double plane;  // of the cap with this bound
    touch touch;   // and where it touches
    cap cap[MAX_CAPS];
    terms terms;
    surface surface;
} expansion;

static void epa_init(expansion* x, outcome* out) {
    x->out = out;
    x->cache = NULL;
    x->section = NULL;
    x->calls = 0;
    x->nearest = NO_FACE;
    x->next_cap = INT_MAX;
    x->caps = 0;
    x->capped = INFINITY;
    apart_surface_clear(&x->surface);
}

/// No face that is farther need be pushed out.
static double epa_reach(const expansion* x) { return -x->out->lower; }

// ------------------------------------------------------------------------------------------------ support points ----

/// The support point of K along d; notes the plane that it proves. Returns its height above the origin.
static double ask_difference(difference* k, expansion* x, vec3 d, vertex* p) {
    apart_minkowski_support(k, d, p);
    double height = vec3_dot(d, p->w);
    if (-height > x->out->lower) {
        x->out->lower = -height;
        x->out->normal = d;
    }
    return height;
}

/// What is left of a vector in the section.
static vec3 in_section(const revolved_difference* r, vec3 v) {
    for (int i = 0; i < r->across; ++i) v = vec3_mad(v, -vec3_dot(v, r->way[i]), r->way[i]);
    return v;
}

/// The same of the prism over the section of a round K, which reaches from -1 to 1 across it. K lies in the prism. A
/// round body holds the points in its own section; those of the others, at most two vertices, lie on its axis.
static double ask_prism(difference* k, expansion* x, vec3 d, vertex* p) {
    const revolved_difference* r = x->section;
    vec3 within = in_section(r, d), beyond = {0, 0, 0};
    for (int i = 0; i < r->across; ++i) beyond = vec3_mad(beyond, copysign(1, vec3_dot(d, r->way[i])), r->way[i]);
    // Straight across, any point of the section will do.
    if (!(vec3_length(within) > 0x1p-20)) within = r->within;
    ask_difference(k, x, vec3_unit(within), p);
    if (p->index_a == NO_VERTEX) p->a = in_section(r, p->a);
    if (p->index_b == NO_VERTEX) p->b = in_section(r, p->b);
    p->w = vec3_add(in_section(r, p->w), beyond);
    return vec3_dot(d, p->w);
}

static double ask(difference* k, expansion* x, vec3 d, vertex* p) {
    return x->section ? ask_prism(k, x, d, p) : ask_difference(k, x, d, p);
}

/// A tetrahedron from the 1 to 4 points around the origin; normal: where to look if that does not tell. False if a
/// support plane passes through the origin, as far as rounding can tell: then the depth is zero.
static bool make_tetrahedron(difference* k, const goal* g, vec3 normal, expansion* x) {
    surface* s = &x->surface;
    const combination* around = &x->out->around;
    s->corners = around->count;
    memcpy(s->corner, around->p, (size_t)around->count * sizeof s->corner[0]);
    while (s->corners < 4) {
        vec3 d = apart_surface_away(s, normal);
        double height = ask(k, x, d, surface_next(s));
        if (k->status != APART_OK || !(height - larger(0, vec3_dot(d, s->corner[0].w)) > g->floor)) return false;
        s->corners += 1;
    }
    return apart_surface_tetrahedron(s);
}

/// Improves the best plane where the search had to stop: the face, turned to touch the support point above it, about
/// each of its corners.
static void polish(difference* k, expansion* x, unsigned id) {
    vec3 n = apart_surface_direction(&x->surface, id), w[3];
    for (unsigned i = 0; i < 3; ++i) w[i] = surface_corner(&x->surface, id, i)->w;
    vertex p, q;
    ask(k, x, n, &p);
    for (int i = 0; i < 3; ++i) {
        vec3 d = vec3_cross(vec3_sub(p.w, w[i]), vec3_sub(w[(i + 1) % 3], w[(i + 2) % 3]));
        if (!vec3_is_zero(d)) ask(k, x, vec3_unit(vec3_dot(d, n) < 0 ? vec3_neg(d) : d), &q);
    }
}

/// From the nearest face and, where the best plane stays a poor one, from every face that may lie below a better one:
/// at the tip of a cone all faces to its rim are equally near, while few planes are.
static void polish_best(difference* k, expansion* x, unsigned first) {
    const surface* s = &x->surface;
    double enough = POOR * s->bound[first];
    polish(k, x, first);
    if (!(enough > 0) || difference_is_numbered(k) || x->next_cap < INT_MAX || x->section) return;
    for (unsigned i = 0; i < s->faces && epa_reach(x) > enough && k->status == APART_OK; ++i)
        if (s->bound[i] < epa_reach(x)) polish(k, x, i);
}

// ---------------------------------------------------------------------------------------------------------- caps ----

/// Whether a face is no nearer than the best plane in all directions that do not belong to the cap. If its corners do,
/// there are none (a cap is at most half of the sphere, hence convex). In a direction d it is as far as its plane, that
/// is bound / (n . d), and beyond the cap n . d is at most the cosine of the angle between n and the rim of the cap.
static bool is_in_cap(const expansion* x, const cap* c, unsigned id) {
    const face* f = &x->surface.face[id];
    const vec3 n = face_normal(f);
    double along = vec3_dot(n, c->n);
    if (along > c->cosine && !f->sliver) {
        // 1 - along^2 would lose half of the digits of a small angle.
        double across = vec3_length(vec3_cross(n, c->n)) * sqrt((1 - c->cosine) * (1 + c->cosine));
        if (x->surface.bound[id] >= (along * c->cosine + across + 0x1p-40) * epa_reach(x)) return true;
    }
    bool in = true;
    for (unsigned j = 0; j < 3; ++j) in = in && cap_holds(c, surface_corner(&x->surface, id, j)->w);
    return in;
}

/// Looks for a cap about the least plane near n.
static bool look_for_cap(difference* k, const goal* g, expansion* x, vec3 n) {
    x->next_cap = 2 * x->calls + 4;
    cap* c = &x->cap[x->caps];
    touch at;
    if (x->caps == MAX_CAPS || !apart_curvature_find(k, g, &x->terms, n, c, &at)) return false;
    x->caps += 1;
    if (c->bound < x->capped) {
        x->capped = c->bound;
        x->plane = c->plane;
        x->touch = at;
    }
    if (-c->plane > x->out->lower) {
        x->out->lower = -c->plane;
        x->out->normal = c->n;
    }
    return true;
}

/// Depths of bodies with formulas are proven by caps where they can be. The least plane is most often near the last
/// one.
static void use_caps(difference* k, const goal* g, const apart_cache* cache, expansion* x) {
    vec3 last;
    if (!apart_formulas_make(k, &x->terms)) return;
    if (cache && apart_minkowski_last(cache, &last)) look_for_cap(k, g, x, last);
    x->next_cap = FIRST_CAP;
}

/// Whether caps do for a face, if need be a new one.
static bool is_capped(difference* k, const goal* g, expansion* x, unsigned id) {
    for (int i = 0; i < x->caps; ++i)
        if (is_in_cap(x, &x->cap[i], id)) return true;
    if (x->calls < x->next_cap || !look_for_cap(k, g, x, apart_surface_direction(&x->surface, id))) return false;
    return is_in_cap(x, &x->cap[x->caps - 1], id);
}

// ---------------------------------------------------------------------------------------------------- the search ----

/// How a search ended.
typedef enum ending {
    SETTLED,  // the nearest face lies on the boundary, or as near to it as the goal asks
    CAPPED,   // so it does, but for faces whose directions belong to caps
    BOUNDED,  // only a bound was wanted
    TOUCHING, // no deeper than rounding
    EXHAUSTED // none of it within so many calls, with the memory there is
} ending;

/// How near the bound of a face must be to the support point above it for rounding to count.
#define NEAR_BOUND 0x1p-40

/// Whether a face lies on the boundary of K, or near enough, when the support point above it is so high.
static bool is_settled(const goal* g, surface* s, unsigned id, double height) {
    if (height - s->bound[id] < NEAR_BOUND) apart_surface_raise(s, id);
    const double bound = s->bound[id];
    bool early = g->relative > 0 || g->absolute > 0 || g->cutoff < INFINITY;
    return height - bound <= g->floor + 2 * SURFACE_ROUNDING || (early && depth_is_narrow(g, bound, height));
}

/// Pushes the nearest face out until one of the above, in at most so many calls.
static ending epa_search(difference* k, const goal* g, expansion* x, int most) {
    surface* s = &x->surface;
    bool bounded = g->depth == APART_DEPTH_BOUND, complete = true; // complete: no face was left behind
    while (x->calls < most && s->corners < MAX_CORNERS) {
        uint16_t id = x->nearest = apart_surface_nearest(s, epa_reach(x));
        if (id == NO_FACE) break;
        bool proven = s->bound[id] > g->rounding_high;
        if (proven && is_capped(k, g, x, id)) {
            apart_surface_cap(s, id);
            continue;
        }
        if (complete && x->capped <= s->bound[id]) return CAPPED;
        if (!proven && epa_reach(x) <= 2 * g->rounding_high) return TOUCHING;
        if (!proven && x->calls >= (bounded ? BOUND_UNPROVEN : MAX_UNPROVEN)) break;
        x->asked_height = ask(k, x, apart_surface_direction(s, id), surface_next(s));
        x->calls += 1;
        if (g->trace) {
            combination foot;
            apart_surface_foot(s, id, 0, &foot);
            apart_bracket_trace_simplex(k, g, x->out->iterations + x->calls, &foot, -s->bound[id], x->out->lower);
        }
        if (k->status != APART_OK) break;
        bool settled = is_settled(g, s, id, x->asked_height);
        if (complete && settled) return SETTLED;
        if (complete && proven && bounded) return BOUNDED;
        if (settled) break;
        // The last surface that fits in the cache stays there.
        if (x->cache && s->corners == CACHE_CORNERS) apart_surface_keep(k, s, x->cache);
        if (apart_surface_push_out(s, id)) continue;
        apart_surface_close(s, id);
        complete = false;
    }
    x->nearest = apart_surface_nearest_of_all(s);
    if (x->caps > 0 && complete && apart_surface_nearest(s, epa_reach(x)) == NO_FACE) return CAPPED;
    if (k->status == APART_OK && x->nearest != NO_FACE && !bounded) polish_best(k, x, x->nearest);
    return EXHAUSTED;
}

// ------------------------------------------------------------------------------------------------------- the end ----

/// The point of a face that is nearest the origin, and the face's normal with the plane that it proves: that of an
/// exact depth, though another one may be lower by what the goal allows.
static void take_face(const goal* g, const expansion* x, unsigned id, outcome* out) {
    combination foot;
    apart_surface_foot(&x->surface, id, larger(0, x->asked_height - x->surface.bound[id]), &foot);
    apart_bracket_carry(&foot, &out->a, &out->b);
    out->normal = apart_surface_direction(&x->surface, id);
    if (g->depth == APART_DEPTH_EXACT) out->lower = -x->asked_height;
}

/// The support point of the best plane: moved along its normal by the lower end, the bodies are certainly apart.
static void take_support_point(difference* k, outcome* out) {
    combination top = {.count = 1, .weight = {1}};
    apart_minkowski_support(k, out->normal, &top.p[0]);
    apart_bracket_carry(&top, &out->a, &out->b);
}

/// The interval and what carries it. False if the origin is not proven to be inside, or no deeper than is known
/// already.
static bool conclude(difference* k, const goal* g, expansion* x, ending end, outcome* out) {
    surface* s = &x->surface;
    const face* f = x->nearest == NO_FACE ? NULL : &s->face[x->nearest];
    double error = x->section ? x->section->error : 0;
    // No ball in K reaches through a plane that has K on one side, whatever rounding makes of a face.
    double bound = smaller(epa_reach(x), x->capped);
    if (f) bound = apart_surface_bound(s, bound);
    if (!f && x->caps == 0) return false;
    if (!(bound > g->rounding_high + error)) return false;
    if (!(error - bound < out->upper) || !apart_surface_goes_round(s)) return false;
    out->upper = error - bound;
    out->overlap = true;
    // A face of the prism that leans out of the section is none of K, and so is one of a section that is none.
    bool leans = x->section && f && fabs(vec3_dot(face_normal(f), x->section->way[0])) > 0x1p-40;
    bool skewed = x->section && !revolve_is_symmetric(x->section, k);
    if (end == CAPPED) {
        apart_curvature_points(&x->touch, k, &out->a, &out->b);
        out->normal = x->touch.n;
        out->lower = -x->plane;
    } else if (f && (end == SETTLED || end == BOUNDED) && !leans && !skewed) {
        take_face(g, x, x->nearest, out);
    } else {
        take_support_point(k, out);
    }
    return true;
}

/// The answer of a search before all others; if it has none, nothing is known.
static bool take_answer(difference* k, const goal* g, expansion* x, ending end, outcome* out) {
    const bool found = (end == SETTLED || end == BOUNDED) && k->status == APART_OK && conclude(k, g, x, end, out);
    if (!found) outcome_clear(out);
    if (found) out->iterations = x->calls;
    return found;
}

/// Leaves in the cache what a new search has found.
static void keep_search(difference* k, expansion* x, bool proven, const outcome* out, apart_cache* cache) {
    if (k->status != APART_OK || !cache) return;
    apart_minkowski_note(k, out->normal, cache);
    // From the surface that was left on the way the next query would need as many calls again, and may not have them.
    if (!proven || x->calls > RESUMED_CALLS) cache->words[CACHE_KIND] = CACHE_NOTHING;
    if (proven && x->cache) apart_surface_keep(k, &x->surface, cache);
}

bool apart_epa_run(difference* k, const goal* g, const revolved_difference* section, apart_cache* cache, outcome* out) {
    expansion x;
    bool exact = g->depth == APART_DEPTH_EXACT, smooth = !difference_is_numbered(k);
    epa_init(&x, out);
    x.section = section;
    if (exact && smooth && !section) use_caps(k, g, cache, &x);
    if (cache) cache->words[CACHE_KIND] = CACHE_NOTHING;
    // Others have no numbered vertices, and a bound begins anew.
    if (exact && !smooth) x.cache = cache;
    bool inside = make_tetrahedron(k, g, out->normal, &x);
    ending end = inside ? epa_search(k, g, &x, MAX_CALLS) : EXHAUSTED;
    bool proven = k->status == APART_OK && conclude(k, g, &x, end, out);
    out->iterations += x.calls;
    keep_search(k, &x, proven, out, cache);
    return proven;
}

bool apart_epa_begin(difference* k, const goal* g, apart_cache* cache, outcome* out) {
    expansion x;
    epa_init(&x, out);
    x.cache = cache;
    apart_minkowski_place(k);
    apart_minkowski_ends(k, x.surface.corner);
    if (!apart_surface_octahedron(&x.surface)) return false;
    if (!take_answer(k, g, &x, epa_search(k, g, &x, MAX_CALLS), out)) return false;
    keep_search(k, &x, true, out, cache);
    return true;
}

bool apart_epa_resume(difference* k, const goal* g, apart_cache* cache, outcome* out) {
    expansion x;
    epa_init(&x, out);
    if (!apart_surface_recall(k, cache, &x.surface)) return false;
    apart_minkowski_recall(k, cache);
    // Where the bodies have turned the surface may not be convex, and the search can go in circles.
    if (!take_answer(k, g, &x, epa_search(k, g, &x, RESUMED_CALLS), out)) return false;
    apart_minkowski_note(k, out->normal, cache);
    // A surface that goes on from step to step only grows. Once it has no room in the cache the older one stays there,
    // as long as it serves; then the next query begins anew.
    if (x.calls > 1 && !apart_surface_keep(k, &x.surface, cache) && x.calls > STALE_CALLS)
        cache->words[CACHE_KIND] = CACHE_NOTHING;
    return true;
}

// The expanding polytope (Cameron 1997, sec. 5, looks at the first simplex only; this goes on from there). The nearest
// face of a surface around the origin is pushed out to the support point along its normal, until it lies on the
// boundary of K. Every unit d gives depth <= h_K(d) = d . s_K(d), a support plane: the lower end of the signed
// distance. The surface gives the other one (surface.h). Faces farther than the best support plane need never be looked
// at.
#include "convex/expand.h"
#include "convex/round.h"
#include "convex/surface.h"

#include <limits.h>
#include <string.h>

/// Most support points of one search.
#define MAX_CALLS (2 * MAX_CORNERS)
/// Support points after which a search that has not even proven an overlap gives up.
#define MAX_UNPROVEN 64
/// Cameron: the nearest face of the simplex often is the answer; one or two support calls tell. A few more where the
/// overlap is not proven yet.
#define BOUND_CALLS 2
#define BOUND_UNPROVEN 8
/// The error of a symmetry that is next to none, in parts of the size.
#define SYMMETRIC 0x1p-42
/// Support points for the nearest face to become good enough by itself once another plane is.
#define LATE_CALLS 64
/// Most support points of a search that goes on from the last surface.
#define RESUMED_CALLS 32
/// Faces from which on such a surface is not taken over any more, and the support points that may be spent in each
/// query on bringing the older one up to date.
#define GROWN_FACES 60
#define STALE_CALLS 3

typedef struct expansion {
    double best; // the lowest support plane
    vec3 best_n; // and its normal
    bool prism;  // the prism over a section of K is searched in place of K
    round_difference round;
    surface surface;
} expansion;

static void begin(expansion* x, double best, vec3 normal) {
    x->best = best;
    x->best_n = normal;
    x->prism = false;
    x->round.across = 0;
    apart_surface_clear(&x->surface, best);
}

/// The support point along d; notes the plane that it proves. Returns the plane's height above the origin.
static double ask_difference(difference* k, expansion* x, vec3 d, vertex* p) {
    apart_difference_support(k, d, p);
    double height = vec3_dot(d, p->w);
    if (height < x->best) {
        x->best = x->surface.reach = height;
        x->best_n = d;
    }
    return height;
}

/// The same of the prism over the section of a round K, which reaches from -1 to 1 across it. K lies in the prism.
static double ask_prism(difference* k, expansion* x, vec3 d, vertex* p) {
    const round_difference* r = &x->round;
    vec3 within = d, beyond = {0, 0, 0};
    for (int i = 0; i < r->across; ++i) {
        double along = vec3_dot(d, r->way[i]);
        within = vec3_mad(within, -along, r->way[i]);
        beyond = vec3_mad(beyond, copysign(1, along), r->way[i]);
    }
    // Straight across, any point of the section will do.
    if (!(vec3_length(within) > 0x1p-20)) within = r->within;
    ask_difference(k, x, vec3_unit(within), p);
    for (int i = 0; i < r->across; ++i) p->w = vec3_mad(p->w, -vec3_dot(p->w, r->way[i]), r->way[i]);
    p->w = vec3_add(p->w, beyond);
    return vec3_dot(d, p->w);
}

static double ask(difference* k, expansion* x, vec3 d, vertex* p) {
    return x->prism ? ask_prism(k, x, d, p) : ask_difference(k, x, d, p);
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
        a.weight[i] = b.weight[i] = weight[i];
        a.point[i] = x->surface.corner[f->corner[i]].a;
        b.point[i] = x->surface.corner[f->corner[i]].b;
    }
    apart_narrow_trace(k, g, iteration, &a, &b, -f->bound, -x->best);
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

/// How a search ended.
typedef enum ending {
    SETTLED,  // the nearest face lies on the boundary, or as near to it as the goal asks
    NARROWED, // it does not, but the interval is as narrow
    BOUNDED,  // only a bound was wanted
    TOUCHING, // no deeper than rounding
    EXHAUSTED // none of it within so many calls, with the memory there is
} ending;

/// Pushes the nearest face out until one of the above. *id: the nearest face.
static ending search(difference* k, const goal* g, expansion* x, int most, int* calls, uint16_t* id) {
    surface* s = &x->surface;
    goal exact = *g;
    exact.depth = APART_DEPTH_EXACT;
    bool bounded = g->depth == APART_DEPTH_BOUND, complete = true;           // complete: no face was left behind
    bool early = g->relative > 0 || g->absolute > 0 || g->cutoff < INFINITY; // the goal may be met before rounding
    int late = 0;
    while (*calls < most && s->corners < MAX_CORNERS) {
        *id = apart_surface_nearest(s);
        if (*id == NO_FACE) break;
        const face* f = &s->face[*id];
        bool proven = f->bound > g->rounding_high;
        if (!proven && x->best <= 2 * g->rounding_high) return TOUCHING;
        if (!proven && *calls >= (bounded ? BOUND_UNPROVEN : MAX_UNPROVEN)) break;
        double height = ask(k, x, apart_surface_direction(s, f), surface_next(s));
        *calls += 1;
        if (g->trace) trace(k, g, *calls, x, f);
        if (k->status != APART_OK) break;
        bool settled = height - f->bound <= g->floor + 2 * SURFACE_ROUNDING;
        if (early) {
            settled = settled || narrow_enough(&exact, -f->bound, -height);
            late += narrow_enough(&exact, -f->bound, -x->best);
        }
        if (complete && settled) return SETTLED;
        if (complete && late > LATE_CALLS) return NARROWED;
        if (complete && proven && bounded && *calls >= BOUND_CALLS) return BOUNDED;
        if (settled) break;
        if (apart_surface_push_out(s, *id)) continue;
        apart_surface_close(s, *id);
        complete = false;
    }
    *id = apart_surface_nearest_of_all(s);
    if (k->status == APART_OK && *id != NO_FACE && !bounded) polish(k, x, &s->face[*id]);
    return EXHAUSTED;
}

// ------------------------------------------------------------------------------------------------------- the end ----

/// Leaves the surface for the next query, if it is small enough; else only the direction.
static void remember(const difference* k, const expansion* x, vec3 normal, apart_cache* cache) {
    const surface* s = &x->surface;
    apart_difference_remember(k, normal, cache);
    if (!difference_is_numbered(k) || s->faces - s->free_count > APART_CACHE_FACES) return;
    uint8_t number[MAX_CORNERS];
    memset(number, UINT8_MAX, sizeof number);
    uint32_t corners = 0, faces = 0;
    for (int i = 0; i < s->faces; ++i) {
        const face* f = &s->face[i];
        if (f->place == REMOVED) continue;
        for (int j = 0; j < 3; ++j) {
            uint16_t c = f->corner[j];
            if (number[c] == UINT8_MAX) {
                if (corners == APART_CACHE_VERTICES) return;
                cache->a[corners] = s->corner[c].index_a;
                cache->b[corners] = s->corner[c].index_b;
                number[c] = (uint8_t)corners++;
            }
            cache->face[faces][j] = number[c];
        }
        faces += 1;
    }
    cache->count_a = cache->count_b = corners;
    cache->faces = faces;
}

/// The nearest face: its normal, and the point in it that is nearest the origin.
static void take_face(const surface* s, const face* f, outcome* out) {
    vertex p[3];
    double weight[3];
    out->normal = apart_surface_direction(s, f);
    f = apart_surface_foot(s, f, weight);
    for (int i = 0; i < 3; ++i) p[i] = s->corner[f->corner[i]];
    apart_narrow_carry(p, weight, 3, &out->a, &out->b);
}

/// The best plane and its support point: moved along its normal by the lower end, the bodies are certainly apart.
static void take_plane(difference* k, const expansion* x, outcome* out) {
    vertex p;
    apart_difference_support(k, x->best_n, &p);
    out->normal = x->best_n;
    apart_narrow_carry(&p, (double[]){1}, 1, &out->a, &out->b);
}

/// The interval and what carries it. False if the origin is not proven to be inside, or no deeper than is known
/// already.
static bool conclude(difference* k, const goal* g, const expansion* x, uint16_t id, ending end, outcome* out) {
    const surface* s = &x->surface;
    double error = x->prism ? x->round.error : 0;
    out->lower = larger(out->lower, -x->best);
    if (id == NO_FACE || !(s->face[id].bound > g->rounding_high + error)) return false;
    if (!(error - s->face[id].bound < out->upper) || !apart_surface_goes_round(s)) return false;
    out->upper = error - s->face[id].bound;
    out->overlap = true;
    // A face of the prism that leans out of the section is none of K.
    bool leans = x->prism && fabs(vec3_dot(s->face[id].n, x->round.way[0])) > 0x1p-40;
    bool skewed = error > SYMMETRIC * k->size;
    if ((end == SETTLED || end == BOUNDED) && !leans && !skewed) {
        take_face(s, &s->face[id], out);
    } else {
        take_plane(k, x, out);
    }
    return true;
}

/// One search from the points around the origin; normal: where nothing is known.
static bool run_once(difference* k, const goal* g, vec3 normal, expansion* x, outcome* out, ending* end) {
    goal inner = *g;
    inner.iterations_before = out->iterations;
    int calls = 0;
    uint16_t id = NO_FACE;
    *end = make_tetrahedron(k, g, out, normal, x) ? search(k, &inner, x, MAX_CALLS, &calls, &id) : EXHAUSTED;
    out->iterations += calls;
    return k->status == APART_OK && conclude(k, g, x, id, *end, out);
}

bool apart_expand_run(difference* k, const goal* g, apart_cache* cache, outcome* out) {
    expansion x;
    vec3 normal = out->normal;
    ending end;
    begin(&x, -out->lower, normal);
    if (g->depth == APART_DEPTH_EXACT && !difference_is_numbered(k)) x.round = apart_round_find(k);
    x.prism = x.round.across > 0 && x.round.error <= SYMMETRIC * k->size;
    bool proven = run_once(k, g, normal, &x, out, &end);
    if (end == EXHAUSTED && x.round.across > 0 && !x.prism && k->status == APART_OK) {
        // Almost round: the section is off by the error of the symmetry, which may be less than what is open.
        x.prism = true;
        apart_surface_clear(&x.surface, x.best);
        proven = run_once(k, g, normal, &x, out, &end) || proven;
        if (proven && k->status == APART_OK) take_plane(k, &x, out);
    }
    if (k->status != APART_OK) return false;
    if (!proven) out->normal = x.best_n;
    if (cache) remember(k, &x, out->normal, cache);
    return proven;
}

// ------------------------------------------------------------------------------------------------------ tracking ----

/// The corners at the new poses. False if the cache has none, or not of these bodies.
static bool recall_corners(const difference* k, const apart_cache* cache, surface* s) {
    uint32_t last_a = shape_vertex_count(k->a.shape), last_b = shape_vertex_count(k->b.shape);
    if (cache->count_a != cache->count_b || cache->count_a > APART_CACHE_VERTICES) return false;
    if (cache->faces < 4 || cache->faces > APART_CACHE_FACES) return false;
    s->corners = (int)cache->count_a;
    for (int i = 0; i < s->corners; ++i) {
        if (cache->a[i] >= last_a || cache->b[i] >= last_b) return false;
        s->corner[i] = apart_difference_vertex(k, cache->a[i], cache->b[i]);
    }
    return true;
}

/// A surface that goes on from step to step only grows. From some size on the one that the cache holds stays there, as
/// long as it serves; then the next query begins anew.
static void remember_resumed(const difference* k, const expansion* x, int calls, vec3 normal, apart_cache* cache) {
    if (x->surface.faces - x->surface.free_count <= GROWN_FACES) {
        remember(k, x, normal, cache);
        return;
    }
    uint32_t corners = cache->count_a, faces = cache->faces;
    apart_difference_remember(k, normal, cache);
    if (calls > STALE_CALLS) return;
    cache->count_a = cache->count_b = corners;
    cache->faces = faces;
}

bool apart_expand_resume(difference* k, const goal* g, apart_cache* cache, outcome* out) {
    expansion x;
    begin(&x, INFINITY, vec3_make(1, 0, 0));
    if (!recall_corners(k, cache, &x.surface)) return false;
    if (!apart_surface_build(&x.surface, cache->faces, (const uint8_t(*)[3])cache->face)) return false;
    apart_difference_recall(k, cache);
    int calls = 0;
    uint16_t id;
    // Where the bodies have turned the surface may not be convex, and the search can go in circles.
    ending end = search(k, g, &x, RESUMED_CALLS, &calls, &id);
    *out = (outcome){.lower = -INFINITY, .upper = INFINITY, .iterations = calls};
    if (end == EXHAUSTED || end == TOUCHING || k->status != APART_OK || !conclude(k, g, &x, id, end, out)) return false;
    remember_resumed(k, &x, calls, out->normal, cache);
    return true;
}

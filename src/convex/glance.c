// Support points above the nearest faces, one at a time, until they are enough: with luck the first one is. No surface
// is built for it (outline.h).
#include "convex/glance.h"
#include "convex/simplex.h"

#include <string.h>

/// Most support points of a search by glances.
#define GLANCES 12

/// Whether the nearest face and the support point above it are enough. A bound from a cache may be poorer at once.
static bool is_enough(const goal* g, const expansion* x, double bound, int calls) {
    bool fair = calls == 1 ? bound >= BOUND_FAIR * x->best : expansion_is_good_bound(x, bound, calls);
    return (g->depth == APART_DEPTH_BOUND && fair) || goal_is_settled(g, bound, x->asked_height);
}

/// The answer; p: the corners that carry it, and room for one more.
static void take(difference* k, const goal* g, const expansion* x, int calls, double bound, vec3 n, vertex p[4],
                 const double weights[3], outcome* out) {
    double weight[4] = {weights[0], weights[1], weights[2]};
    out->upper = -smaller(bound, x->best);
    out->lower = -x->best;
    out->overlap = true;
    out->around_count = 0;
    apart_expansion_take_point(k, g, x, bound, n, p, weight, out);
    out->iterations = g->iterations_before + calls;
}

static void trace(const difference* k, const goal* g, const expansion* x, int calls, double bound, const vertex p[3],
                  const double weight[3]) {
    carrier a, b;
    apart_narrow_carry(p, weight, 3, &a, &b);
    apart_narrow_trace(k, g, calls, &a, &b, -bound, -x->best);
}

/// One look at the nearest face of an outline, and the support point above it, the number `calls`. True if that is
/// enough: then *out is the answer.
static bool look(difference* k, const goal* g, expansion* x, const outline* o, int calls, sight* near, outcome* out) {
    surface* s = &x->surface;
    const face* f = &near->face;
    x->asked_height = expansion_ask(k, x, f->n, surface_next(s));
    bool enough = is_enough(g, x, f->bound, calls);
    if (k->status != APART_OK || !(enough || g->trace)) return false;
    vertex p[4];
    apart_outline_foot(s, o, near);
    for (int i = 0; i < 3; ++i) p[i] = expansion_corner(k, s, near->foot[i]);
    if (g->trace) trace(k, g, x, calls, f->bound, p, near->weight);
    if (enough) take(k, g, x, calls, f->bound, f->n, p, near->weight, out);
    return enough;
}

/// Pushes the outline out until it is.
static bool run(difference* k, const goal* g, expansion* x, outline* o, int* calls, outcome* out) {
    sight near;
    while (*calls < GLANCES) {
        if (!apart_outline_nearest(&x->surface, o, &near) || !(near.face.bound > g->rounding_high)) return false;
        *calls += 1;
        if (look(k, g, x, o, *calls, &near, out)) return true;
        if (k->status != APART_OK || !apart_outline_push_out(&x->surface, o, near.nearest)) return false;
    }
    return false;
}

bool apart_glance_run(difference* k, const goal* g, expansion* x, outline* o, int* calls, outcome* out) {
    const int corners = x->surface.corners;
    *calls = 0;
    if (run(k, g, x, o, calls, out)) return true;
    x->surface.corners = corners;
    return false;
}

bool apart_glance_simplex(difference* k, const goal* g, expansion* x, int* calls, outcome* out) {
    const vertex* p = out->around;
    facing f;
    *calls = 0;
    if (!apart_simplex_facing((vec3[4]){p[0].w, p[1].w, p[2].w, p[3].w}, &f) || !(f.bound > g->rounding_high))
        return false;
    surface* s = &x->surface;
    x->asked_height = expansion_ask(k, x, f.n, &s->corner[4]);
    if (k->status != APART_OK) return false;
    // Bodies without numbered corners may need hundreds of points, and a surface.
    bool enough = is_enough(g, x, f.bound, 1);
    if (!enough && !difference_is_numbered(k)) {
        x->opposite = f.opposite;
        return false;
    }
    *calls = 1;
    vertex c[4] = {p[f.corner[0]], p[f.corner[1]], p[f.corner[2]]};
    if (g->trace) trace(k, g, x, 1, f.bound, c, f.weight);
    if (enough) {
        take(k, g, x, 1, f.bound, f.n, c, f.weight, out);
        return true;
    }
    outline o;
    s->corners = 4;
    memcpy(s->corner, p, 4 * sizeof p[0]);
    apart_outline_simplex(s, &o);
    return apart_outline_push_out(s, &o, (uint16_t)f.opposite) && run(k, g, x, &o, calls, out);
}

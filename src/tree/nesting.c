// A piece inside a solid of another: its surface may be far from the other's, and yet they overlap. Every component is
// looked for with a point or a few of it.
#include "tree/hunt.h"
#include "tree/inside.h"

/// Places to look from: the middle of a triangle, its corners, the middles of its edges, in this order.
#define SAMPLES 7
static const double sample_weight[SAMPLES][3] = {
    {1.0 / 3, 1.0 / 3, 1.0 / 3}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.5, 0.5, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}};

/// A point of one side, in its stored coordinates.
typedef struct sample {
    vec3 point;
    uint32_t item;
    const double* weight; // of the corners of a triangle
} sample;

static vec3 triangle_point(const mesh* m, uint32_t item, const double weight[3]) {
    vec3 p = {0, 0, 0};
    for (int i = 0; i < 3; ++i) p = vec3_mad(p, weight[i], m->vertex[m->triangle[item][i]]);
    return p;
}

/// Where a point of `inner` is, seen from the solid of the other side.
static inside where_point(const hunt* h, int inner, vec3 point) {
    double factor = inner == 0 ? h->k.b.factor : h->k.a.factor;
    return apart_inside(h->piece[!inner]->shape, apart_walk_carry(&h->walk, inner, point), margin(h) / factor);
}

/// Where a triangle of `inner` is, seen from the solid of the other side. Where a sample is on the surface, others are
/// tried.
static inside where_triangle(const hunt* h, int inner, sample* s) {
    inside where = ON_SURFACE;
    for (int i = 0; i < SAMPLES && where == ON_SURFACE; ++i) {
        s->weight = sample_weight[i];
        s->point = triangle_point(h->mesh[inner], s->item, s->weight);
        where = where_point(h, inner, s->point);
    }
    return where;
}

/// Triangles that are looked at where surfaces lie on each other.
#define MORE 32

/// Where a mesh is of which a triangle lies on the surface of the other, by others of its triangles: inside if one is;
/// outside if one is and all are connected. If that leaves a doubt, the distance will tell how near they are.
static inside look_further(const hunt* h, int inner, sample* s) {
    const mesh *m = h->mesh[inner], *outer = h->mesh[!inner];
    if (!m || !outer || outer->topology.solids == 0) return OUTSIDE;
    uint32_t stride = (m->triangle_count + MORE - 1) / MORE;
    inside found = ON_SURFACE;
    for (uint32_t i = 0; i < m->triangle_count; i += stride) {
        s->item = i;
        inside where = where_triangle(h, inner, s);
        if (where == INSIDE_SOLID) return where;
        if (where == OUTSIDE && m->sample_count == 1) found = where;
    }
    return found;
}

/// Whether a component of one side is inside the solid of the other. This is asked first: it answers most overlaps.
static inside look_inside(const hunt* h, int inner, sample* s) {
    const mesh *m = h->mesh[inner], *outer = h->mesh[!inner];
    if (!outer || outer->topology.solids == 0) return OUTSIDE;
    if (!m) {
        *s = (sample){.point = h->piece[inner]->shape->center};
        return where_point(h, inner, s->point);
    }
    bool doubtful = false;
    for (uint32_t i = 0; i < m->sample_count; ++i) {
        s->item = m->sample[i];
        inside where = where_triangle(h, inner, s);
        if (where == INSIDE_SOLID) return where;
        doubtful = doubtful || where == ON_SURFACE;
    }
    return doubtful ? look_further(h, inner, s) : OUTSIDE;
}

/// Triangles may name a vertex twice; witnesses do not.
static void add_weight(apart_witness* w, uint32_t number, double weight) {
    if (!(weight > 0)) return;
    uint32_t i = 0;
    while (i < w->count && w->vertex[i] != number) ++i;
    if (i == w->count) w->vertex[w->count++] = number;
    w->weight[i] += weight;
}

/// The answer of an overlap, given a point of `inner` inside the solid of the other.
static void take_inside(hunt* h, int inner, const sample* s) {
    const mesh* m = h->mesh[inner];
    const posed_body* body = inner == 0 ? &h->k.a : &h->k.b;
    apart_result r = {.normal = {1, 0, 0}};
    r.point_a = r.point_b = apart_difference_to_world(&h->k, body, posed_point(body, s->point));
    apart_witness* w = inner == 0 ? &r.a : &r.b;
    if (m) w->triangle = m->caller[s->item];
    for (int i = 0; m && i < 3; ++i) add_weight(w, m->triangle[s->item][i], s->weight[i]);
    uint32_t items[2] = {0, 0};
    items[inner] = m ? s->item : 0;
    apart_answer_take(h->best, &r, h->piece, items);
}

// ------------------------------------------------------------------------------------------------------- depth ----

/// How far a box reaches along n, in working units of the world; radius included.
static double reach_along(const posed_body* body, vec3 n) {
    vec3 corner[8];
    double reach = -INFINITY;
    shape_box_corners(body->shape, 0, corner);
    for (int i = 0; i < 8; ++i) reach = larger(reach, vec3_dot(n, posed_point(body, corner[i])));
    return reach + body->radius;
}

/// A way that certainly brings two bodies apart, in working units: the least that their boxes measure together, along
/// the axes of the world and the normal.
static double way_out(const hunt* h, vec3 normal) {
    const vec3 axis[4] = {normal, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double least = INFINITY;
    for (int i = 0; i < 8; ++i) {
        vec3 n = i & 1 ? vec3_neg(axis[i / 2]) : axis[i / 2];
        double both = reach_along(&h->k.a, n) + reach_along(&h->k.b, vec3_neg(n));
        least = smaller(least, both + vec3_dot(n, h->k.offset));
    }
    return least;
}

/// The depth of solids, between two ends that do not meet. A body inside a solid stays there as long as it moves less
/// than its surface is away from the solid's; surfaces that cross do so as long as they move less than their deepest
/// pair of triangles must.
static void measure_depth(hunt* h, bool nested, bool doubtful) {
    answer* best = h->best;
    // How near the walls are to a body inside is measured to the end: its points tell that distance.
    apart_query whole = *best->query;
    if (nested) {
        whole.relative_error = whole.absolute_error = 0;
        whole.cutoff = INFINITY;
    }
    answer own = {.query = &whole, .result = {.distance = INFINITY, .lower_bound = INFINITY}, .lower = INFINITY};
    h->best = &own;
    apart_hunt_search(h, NULL);
    h->best = best;
    best->supports += own.supports;
    best->visits += own.visits;
    best->measured += own.measured;
    if (own.status != APART_OK) best->status = own.status;
    apart_result* r = &own.result;
    double lower = smaller(own.lower, r->lower_bound);
    if (nested && r->distance > 0) {
        r->distance = -larger(lower, 0);
        r->normal = vec3_sub(vec3_make(0, 0, 0), r->normal);
    }
    // Surfaces that touch may have an overlap behind them: faces that lie on each other do not cross. The same goes for
    // a search that ended before it was clear that they do not touch.
    if (nested || doubtful || smaller(lower, r->distance) <= 2 * margin(h) * h->k.unit)
        lower = smaller(lower, certain_lower(h, (h->k.a.radius + h->k.b.radius) - way_out(h, r->normal)));
    r->lower_bound = smaller(lower, r->distance);
    const uint32_t items[2] = {own.place[0][1], own.place[1][1]};
    apart_answer_take(best, r, h->piece, items);
}

static bool has_solids(const mesh* m) { return m && m->topology.solids > 0; }

bool apart_nesting_find(hunt* h) {
    sample s;
    inside b_in_a = look_inside(h, 1, &s), a_in_b = b_in_a == INSIDE_SOLID ? OUTSIDE : look_inside(h, 0, &s);
    bool nested = b_in_a == INSIDE_SOLID || a_in_b == INSIDE_SOLID;
    bool doubtful = b_in_a == ON_SURFACE || a_in_b == ON_SURFACE;
    if (h->best->query->depth != APART_DEPTH_NONE && (has_solids(h->mesh[0]) || has_solids(h->mesh[1]))) {
        measure_depth(h, nested, doubtful);
        return true;
    }
    if (nested) take_inside(h, b_in_a == INSIDE_SOLID, &s);
    // So near to a wall that nobody can tell the side of it.
    if (doubtful) h->best->lower = smaller(h->best->lower, 0);
    return nested;
}

bool apart_nesting_find_touching(hunt* h) {
    sample s;
    bool b_in_a = look_further(h, 1, &s) == INSIDE_SOLID;
    bool nested = b_in_a || look_further(h, 0, &s) == INSIDE_SOLID;
    if (nested) take_inside(h, b_in_a, &s);
    return nested;
}

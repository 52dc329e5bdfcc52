// A piece inside a solid of another: its surface may be far from the other's, and yet they overlap. Every component is
// looked for with a point or a few of it.
#include "mesh/nearest.h"
#include "mesh/rays.h"

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

/// Where a point of `inner` is, seen from the solid of the other side.
static inside where_point(const mesh_pair* h, int inner, vec3 point) {
    return apart_inside(h->piece[!inner]->shape, apart_traverse_carry(&h->walk, inner, point),
                        h->margin / pair_body(h, !inner)->factor);
}

/// Where a triangle of `inner` is, seen from the solid of the other side. Where a sample is on the surface, others are
/// tried.
static inside where_triangle(const mesh_pair* h, int inner, sample* s) {
    inside where = ON_SURFACE;
    for (int i = 0; i < SAMPLES && where == ON_SURFACE; ++i) {
        s->weight = sample_weight[i];
        s->point = mesh_point(h->mesh[inner], s->item, s->weight);
        where = where_point(h, inner, s->point);
    }
    return where;
}

/// Triangles that are looked at where surfaces lie on each other.
#define MORE 32

/// Where a mesh is of which a triangle lies on the surface of the other, by others of its triangles: inside if one is;
/// outside if one is and all are connected. If that leaves a doubt, the distance will tell how near they are.
static inside look_further(const mesh_pair* h, int inner, sample* s) {
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

/// Samples of one side, in the order of its tree, that are asked about.
typedef struct survey {
    const mesh_pair* h;
    int inner;
    bool doubtful; // of one it is not known
    sample* found; // the last one asked
} survey;

/// Whether a triangle is inside.
static bool ask(survey* v, uint32_t item) {
    v->found->item = item;
    inside where = where_triangle(v->h, v->inner, v->found);
    v->doubtful = v->doubtful || where == ON_SURFACE;
    return where == INSIDE_SOLID;
}

/// Whether the surface of the other side keeps clear of a box: then all that is in it is on the same side. With holes
/// in that surface, it must keep clear by the size of the box, so that all that is in it sees about the same of them.
static bool is_clear(const survey* v, tree_place place) {
    const mesh_pair* h = v->h;
    const apart_shape* outer = h->piece[!v->inner]->shape;
    const posed_body *from = pair_body(h, v->inner), *to = pair_body(h, !v->inner);
    tree_box box = tree_place_box(&h->mesh[v->inner]->tree, place);
    vec3 center = apart_traverse_carry(&h->walk, v->inner, box.center);
    // Far away coordinates are not what they were.
    if (vec3_max_abs(center) > 0x1p16) return false;
    double reach = vec3_length(vec3_make(box.half[0], box.half[1], box.half[2]));
    if (outer->mesh->topology.leaky > 0) reach *= 3;
    // The axes of a box are square to 2^-22, the matrices as far as they are measured.
    double wide = 0x1p-20 + h->walk.widen;
    return apart_rays_are_clear(outer, center, (reach * from->factor * (1 + wide) + h->margin) / to->factor);
}

/// The first of samples `from` to `to` - 1 that is not below an item.
static uint32_t first_sample(const mesh* m, uint32_t from, uint32_t to, uint32_t item) {
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (m->sample[middle] < item)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/// Whether one of the samples `from` to `to` - 1, which lie below a place, is inside.
static bool ask_below(survey* v, tree_place place, uint32_t from, uint32_t to) {
    const mesh* m = v->h->mesh[v->inner];
    uint32_t child = tree_child(&m->tree, place);
    if (from == to) return false;
    if (to - from == 1 || is_clear(v, place)) return ask(v, m->sample[from]);
    const tree_node* node = &m->tree.nodes[child];
    for (uint32_t i = 0; i < LANE_COUNT && node->child[i] != TREE_NONE; ++i) {
        bool last = i + 1 == LANE_COUNT || node->child[i + 1] == TREE_NONE;
        uint32_t next = last ? to : first_sample(m, from, to, tree_first_item(&m->tree, node->child[i + 1]));
        if (ask_below(v, child * LANE_COUNT + i, from, next)) return true;
        from = next;
    }
    return false;
}

/// Whether a component of one side is inside the solid of the other. This is asked first: it answers most overlaps.
static inside look_inside(const mesh_pair* h, int inner, sample* s) {
    const mesh *m = h->mesh[inner], *outer = h->mesh[!inner];
    if (!outer || outer->topology.solids == 0) return OUTSIDE;
    if (!m) {
        *s = (sample){.point = h->piece[inner]->shape->center};
        return where_point(h, inner, s->point);
    }
    survey v = {.h = h, .inner = inner, .found = s};
    if (ask_below(&v, 0, 0, m->sample_count)) return INSIDE_SOLID;
    return v.doubtful ? look_further(h, inner, s) : OUTSIDE;
}

/// The answer of an overlap, given a point of `inner` inside the solid of the other.
static void take_inside(mesh_pair* h, int inner, const sample* s) {
    const mesh* m = h->mesh[inner];
    const posed_body* body = pair_body(h, inner);
    apart_result r = {.normal = {1, 0, 0}};
    r.point_a = r.point_b = difference_to_world(&h->k, body, posed_point(body, s->point));
    if (m) *(inner == 0 ? &r.a : &r.b) = mesh_witness(m, s->item, s->weight);
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

double apart_nearest_way_out(const mesh_pair* h, vec3 normal) {
    const vec3 axis[4] = {normal, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double least = INFINITY;
    for (int i = 0; i < 8; ++i) {
        vec3 n = i & 1 ? vec3_neg(axis[i / 2]) : axis[i / 2];
        double both = reach_along(&h->k.a, n) + reach_along(&h->k.b, vec3_neg(n));
        least = smaller(least, both + vec3_dot(n, h->k.offset));
    }
    return h->radii - least;
}

/// Of two that touch: the side that is partly inside the other, and a sample of it; -1 if there is none.
static int find_further(const mesh_pair* h, sample* s) {
    if (look_further(h, 1, s) == INSIDE_SOLID) return 1;
    return look_further(h, 0, s) == INSIDE_SOLID ? 0 : -1;
}

/// The depth of solids, between two ends that do not meet. A body inside a solid stays there as long as it moves less
/// than its surface is away from the solid's; surfaces that cross do so as long as they move less than their deepest
/// pair of triangles must.
static void measure_depth(mesh_pair* h, bool nested, bool doubtful) {
    answer* best = h->best;
    // How near the walls are to a body inside is measured to the end: its points tell that distance. Else far enough to
    // tell whether the surfaces touch: if they may, the lower end is a long way off.
    apart_query whole = *best->query;
    whole.relative_error = nested ? 0 : smaller(whole.relative_error, 0.5);
    whole.absolute_error = 0;
    whole.cutoff = nested ? (double)INFINITY : larger(whole.cutoff, 8 * h->margin * h->k.unit);
    answer own;
    answer_to(&whole, &own);
    apart_nearest_search(h, NULL, &own);
    best->supports += own.supports;
    best->visits += own.visits;
    best->measured += own.measured;
    if (own.status != APART_OK) best->status = own.status;
    apart_result* r = &own.result;
    double lower = smaller(own.lower, r->lower_bound);
    if (nested && r->upper_bound > 0) {
        r->upper_bound = 0 - larger(lower, 0);
        r->distance = smaller(0 - r->distance, r->upper_bound);
        r->normal = vec3_sub(vec3_make(0, 0, 0), r->normal);
    }
    // Surfaces that touch may have an overlap behind them: faces that lie on each other do not cross. The same goes for
    // a search that ended before it was clear that they do not touch.
    double touching = 2 * h->margin * h->k.unit;
    sample s;
    if (own.status == APART_OK && r->upper_bound > 0 && r->upper_bound <= touching && find_further(h, &s) >= 0)
        r->distance = r->upper_bound = 0;
    if (nested || doubtful || smaller(lower, r->upper_bound) <= touching)
        lower = smaller(lower, certain_lower(h, apart_nearest_way_out(h, r->normal)));
    r->lower_bound = smaller(lower, r->distance);
    const uint32_t items[2] = {own.place[0][1], own.place[1][1]};
    apart_answer_take(best, r, h->piece, items);
}

static bool has_solids(const mesh* m) { return m && m->topology.solids > 0; }

bool apart_containment_find(mesh_pair* h) {
    sample s;
    apart_traverse_turn(&h->walk);
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

void apart_containment_find_touching(mesh_pair* h) {
    sample s;
    apart_traverse_turn(&h->walk);
    int inner = find_further(h, &s);
    if (inner >= 0) take_inside(h, inner, &s);
}

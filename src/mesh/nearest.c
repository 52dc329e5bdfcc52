// Two pieces: the walk over their trees and what happens at its leaves. Pairs of triangles wait until there are eight
// of them, and plain formulas settle most; whatever these cannot settle, and the nearest pair in the end, is measured
// by the rooms for convex bodies.
#include "mesh/nearest.h"

#include "convex/simplex.h"
#include "mesh/nearest_point.h"

// ------------------------------------------------------------------------------------------------------ answer ----

double apart_query_limit(const apart_query* q, double upper, double inverse) {
    if (upper == INFINITY) return INFINITY;
    if (upper <= 0 && q->depth == APART_DEPTH_NONE) return -INFINITY;
    double limit = upper - q->absolute_error * inverse;
    if (upper > 0) limit = smaller(limit, upper * (1 - q->relative_error));
    return smaller(limit, q->cutoff * inverse);
}

void apart_answer_take(answer* best, const apart_result* r, const piece* const pieces[2], const uint32_t item[2]) {
    if (!(r->upper_bound < best->result.upper_bound)) {
        best->lower = smaller(best->lower, r->lower_bound);
        return;
    }
    best->lower = smaller(best->lower, best->result.lower_bound);
    best->result = *r;
    best->result.a.part = pieces[0]->number;
    best->result.b.part = pieces[1]->number;
    for (int s = 0; s < 2; ++s) {
        best->place[s][0] = pieces[s]->place;
        best->place[s][1] = item[s];
    }
}

// -------------------------------------------------------------------------------------------------- a triangle ----

static const uint32_t triangle_first[4] = {0, 2, 4, 6}, triangle_neighbour[6] = {1, 2, 0, 2, 0, 1};
static const uint32_t triangle_face_first[2] = {0, 3}, triangle_face[3] = {0, 1, 2};

// Field by field: compilers clear a whole shape by a loop, which takes as long as a good part of a short query.
void apart_triangle_init(lone_triangle* t, const apart_shape* from) {
    apart_shape* s = &t->shape;
    s->kind = SHAPE_POLYTOPE;
    s->dimension = 2;
    s->scale = from->scale;
    s->bound = from->bound;
    s->radius = from->radius;
    s->origin = from->origin;
    s->exact = from->exact;
    s->whole = s->brick.known = false;
    s->mesh = NULL;
    s->parts = NULL;
    polytope* p = &s->polytope;
    p->count = 3;
    p->padded = LANES;
    p->x = t->x;
    p->y = t->y;
    p->z = t->z;
    p->caller = t->caller;
    p->first = triangle_first;
    p->neighbour = triangle_neighbour;
    p->face_count = 1;
    p->face_first = triangle_face_first;
    p->face_vertex = triangle_face;
    p->climbable = true;
    p->cells = 0;
    p->list = NULL;
    p->argmax = apart_kernels_short()->argmax;
}

void apart_triangle_set(lone_triangle* t, const mesh* m, uint32_t item) {
    vec3 p[3];
    mesh_triangle_corners(m, item, p);
    memcpy(t->caller, m->triangle[item], sizeof t->caller);
    for (int i = 0; i < LANES; ++i) {
        int k = i < 3 ? i : 0;
        t->x[i] = p[k].x;
        t->y[i] = p[k].y;
        t->z[i] = p[k].z;
    }
    t->shape.lower = vec3_min(p[0], vec3_min(p[1], p[2]));
    t->shape.upper = vec3_max(p[0], vec3_max(p[1], p[2]));
    t->shape.center = vec3_scale(1.0 / 3, vec3_add(vec3_add(p[0], p[1]), p[2]));
}

// ------------------------------------------------------------------------------------------- one pair of items ----

static void set_threshold(mesh_pair* h) {
    double limit = apart_query_limit(h->best->query, h->upper - h->radii, h->k.inverse);
    // A little more than the limit, so that it is kept after rounding; never more than what was found.
    if (isfinite(limit)) limit = smaller(limit + h->radii + 3 * h->margin, h->upper);
    h->walk.threshold = smaller(h->walk.threshold, limit);
}

/// Measures one pair of items by the rooms for convex bodies. thorough: also if it turns out not to be the nearest.
/// If it is, that is the way to look, and the distance to beat. Returns the distance of the cores; -INFINITY if there
/// is none.
static double measure_items(mesh_pair* h, const uint32_t item[2], bool thorough) {
    answer* best = h->best;
    posed_shape posed[2];
    for (int s = 0; s < 2; ++s) {
        posed[s] = (posed_shape){h->piece[s]->shape, h->piece[s]->pose};
        if (!h->mesh[s]) continue;
        apart_triangle_set(&h->triangle[s], h->mesh[s], item[s]);
        posed[s].shape = &h->triangle[s].shape;
    }
    // Exactly: the errors that the caller allows are spent on the trees.
    apart_query q = *best->query;
    q.relative_error = q.absolute_error = 0;
    q.trace = NULL;
    if (q.method == APART_METHOD_SPHERES) q.method = APART_METHOD_GJK;
    q.cutoff = thorough ? (double)INFINITY : apart_query_limit(best->query, best->result.upper_bound, 1);
    apart_result r;
    best->status = apart_pair_measure(&posed[0], &posed[1], &q, h->slack, NULL, NULL, &r);
    if (best->status != APART_OK) {
        h->walk.threshold = -INFINITY;
        return -INFINITY;
    }
    best->measured += 1;
    best->supports += r.supports;
    if (h->mesh[0]) r.a.triangle = h->mesh[0]->caller[item[0]];
    if (h->mesh[1]) r.b.triangle = h->mesh[1]->caller[item[1]];
    bool nearer = r.upper_bound < best->result.upper_bound;
    double core = r.upper_bound * h->k.inverse + h->radii;
    apart_answer_take(best, &r, h->piece, item);
    if (!nearer) return core;
    h->upper = smaller(h->upper, core);
    apart_traverse_aim(&h->walk, r.normal);
    set_threshold(h);
    return core;
}

/// The nearest pair of triangles, measured exactly; unless another pair that was, is nearer.
static void settle(mesh_pair* h) {
    if (!h->unsettled || h->best->status != APART_OK) return;
    h->unsettled = false;
    if (h->best->result.upper_bound <= (h->upper - h->radii) * h->k.unit)
        h->lowest = smaller(h->lowest, h->own_lower);
    else
        measure_items(h, h->nearest, true);
    h->own_lower = INFINITY;
}

// ------------------------------------------------------------------------------------------- pairs of triangles ----

/// A pair whose lower end is this far below its upper one, in parts of the size, has been measured well enough.
#define CLOSED 0x1p-45

/// A pair came nearest: it is the new one to beat, and v, from a to b, the way to look.
static void lead(mesh_pair* h, const uint32_t item[2], double upper, double lower, vec3 v) {
    h->lowest = smaller(h->lowest, h->own_lower);
    h->upper = upper;
    h->own_lower = lower;
    h->nearest[0] = item[0];
    h->nearest[1] = item[1];
    h->unsettled = true;
    if (upper > 0) apart_traverse_aim(&h->walk, vec3_unit(v));
    set_threshold(h);
}

/// How far the normal of the walk separates two items. The corners of triangles are left in p.
static double separation(const mesh_pair* h, const uint32_t item[2], vec3 p[2][3]) {
    double apart = h->walk.gap;
    for (int s = 0; s < 2; ++s)
        apart -= h->mesh[s] ? walk_triangle_height(&h->walk, s, item[s], p[s]) : h->walk.side[s].highest;
    return apart;
}

/// So many pairs that plain formulas cannot settle are measured in any case, unless they overlap less than the best.
#define DOUBTS 64

/// Whether a pair is not nearer than the best, given how far a direction separates it. Of many pairs that touch, or are
/// as deep as the best, to rounding, the rest would only tell which.
static bool leave_out(mesh_pair* h, double apart) {
    double threshold = h->walk.threshold;
    bool enough = h->doubts >= DOUBTS, touching = threshold <= 2 * h->margin;
    if (!(enough || threshold <= 0) || !(apart >= threshold - (enough && touching ? h->margin : 0))) return false;
    h->lowest = smaller(h->lowest, apart);
    return true;
}

/// The points of triangles that touch may tell no direction: takes the one that separates a pair best, if that which is
/// looked along separates it less.
static void aim_better(mesh_pair* h, const wide_gaps* parted, int i) {
    double core = smaller(h->walk.threshold, h->upper), least = core - h->margin;
    vec3 p[2][3];
    if (!(fabs(core) <= 2 * h->margin) || !(parted->lower[i] >= least) || separation(h, h->waiting[i], p) >= least)
        return;
    apart_traverse_aim(&h->walk, vec3_make(parted->v[0][i], parted->v[1][i], parted->v[2][i]));
}

/// Measures what the formulas left open, by the rooms for convex bodies.
static void measure_doubtful(mesh_pair* h, const int lane[LANE_COUNT], int count) {
    wide_gaps parted;
    h->walk.wide->part(&h->pairs, &h->walk.frame, &parted);
    for (int k = 0; k < count && h->walk.threshold > -INFINITY; ++k) {
        int i = lane[k];
        if (leave_out(h, parted.lower[i])) {
            aim_better(h, &parted, i);
            continue;
        }
        h->doubts += 1;
        measure_items(h, h->waiting[i], false);
    }
}

/// Looks at the pairs that wait, eight at a time. Whatever plain formulas cannot settle is measured by the rooms for
/// convex bodies: triangles that meet, needles, gaps far below their size.
static void look_at_waiting(mesh_pair* h) {
    int count = h->waiting_count;
    if (count == 0) return;
    _Alignas(64) wide_gaps gaps;
    h->walk.wide->triangles(&h->pairs, &h->walk.frame, &gaps);
    h->waiting_count = 0;
    h->best->measured += count;
    int doubtful[LANE_COUNT], doubts = 0;
    for (int i = 0; i < count; ++i) {
        double upper = gaps.upper[i], lower = gaps.lower[i];
        // Pairs that may touch are not decided here.
        bool closed = upper - lower <= CLOSED * h->k.size && lower > 2 * h->margin;
        if (closed && upper < h->upper) {
            lead(h, h->waiting[i], upper, lower, vec3_make(gaps.v[0][i], gaps.v[1][i], gaps.v[2][i]));
        } else if (closed || lower >= h->walk.threshold) {
            h->lowest = smaller(h->lowest, lower);
        } else {
            doubtful[doubts++] = i;
        }
    }
    if (doubts > 0) measure_doubtful(h, doubtful, doubts);
}

/// Two triangles wait for others.
static void wait_for_others(mesh_pair* h, const uint32_t item[2], const vec3 p[2][3]) {
    // Lanes that are never filled must hold numbers.
    if (!h->filled) h->pairs = (wide_triangles){0};
    h->filled = true;
    int lane = h->waiting_count++;
    h->waiting[lane][0] = item[0];
    h->waiting[lane][1] = item[1];
    wide_set_triangle(h->pairs.a, lane, p[0]);
    wide_set_triangle(h->pairs.b, lane, p[1]);
    if (h->waiting_count == LANE_COUNT) look_at_waiting(h);
}

// -------------------------------------------------------------------------------------------------- the search ----

static bool are_triangles(const mesh_pair* h) { return h->mesh[0] && h->mesh[1]; }

/// Compares everything. Whether it came to the end.
static bool compare_all(mesh_pair* h) {
    walk* w = &h->walk;
    uint32_t item[2];
    vec3 p[2][3];
    while (apart_traverse_next(w, item)) {
        // Unless the direction of the nearest points already separates them.
        if (!(separation(h, item, p) < w->threshold)) continue;
        if (are_triangles(h))
            wait_for_others(h, item, (const vec3(*)[3])p);
        else
            measure_items(h, item, false);
    }
    look_at_waiting(h);
    return walk_is_complete(w);
}

/// The middle of a triangle.
static const double thirds[3] = {1.0 / 3, 1.0 / 3, 1.0 / 3};

/// Looks at one pair of triangles.
static void look_at_pair(mesh_pair* h, const uint32_t item[2]) {
    vec3 p[2][3];
    separation(h, item, p);
    wait_for_others(h, item, (const vec3(*)[3])p);
    look_at_waiting(h);
}

/// The shortest way from a point to a triangle.
static vec3 way_to_triangle(const mesh* m, uint32_t item, vec3 from) {
    vec3 corner[3];
    mesh_triangle_corners(m, item, corner);
    for (int i = 0; i < 3; ++i) corner[i] = vec3_sub(corner[i], from);
    return apart_simplex_nearest(corner, 3, false).v;
}

/// Moves *point, on side `from`, to the nearest point of the other side, and *item to the triangle there; each in the
/// coordinates of its side, as far as floats tell.
static void project(mesh_pair* h, int from, vec3* point, uint32_t* item) {
    const mesh* m = h->mesh[!from];
    vec3 at = apart_traverse_carry(&h->walk, from, *point);
    point_walk w;
    tree_leaf leaf;
    wide_reach reach;
    apart_point_walk_start(&w, m, h->walk.wide, at, vec3_length(way_to_triangle(m, *item, at)));
    while (apart_point_walk_next(&w, &leaf, &reach))
        for (unsigned left = leaf.meant; left; left &= left - 1) {
            uint32_t i = (uint32_t)__builtin_ctz(left);
            if (!(reach.upper[i] < w.limit)) continue;
            w.limit = reach.upper[i];
            *item = leaf.first + i;
        }
    h->walk.visits += w.visits;
    *point = vec3_add(at, way_to_triangle(m, *item, at));
}

/// How often that is tried before the search goes on.
#define PROJECTIONS 8

/// Goes back and forth between the surfaces, from a pair of triangles, always to the nearest point of the other one:
/// that ends at a pair that is the nearest for some way around it.
static void descend_from(mesh_pair* h, const uint32_t start[2]) {
    uint32_t item[2] = {start[0], start[1]};
    vec3 point = mesh_point(h->mesh[1], item[1], thirds);
    for (int i = 0; i < PROJECTIONS; ++i) {
        int to = i % 2;
        uint32_t before = item[to];
        project(h, !to, &point, &item[to]);
        if (i > 0 && item[to] == before) break;
    }
    look_at_pair(h, item);
}

/// From this relative error on, the first pair is mostly good enough.
#define HASTY 0.05

/// The first pair, so that there is a threshold. Where errors are allowed, any will do; else the nearest one that some
/// of the boxes below the root of a lead to, and then a way down.
static void begin_search(mesh_pair* h) {
    const tree* t = h->walk.side[0].tree;
    uint32_t item[2], next[2], node = tree_child(t, 0);
    double least = apart_traverse_descend(&h->walk, 0, 1 + h->best->query->relative_error, item);
    if (!are_triangles(h) || h->best->query->relative_error >= HASTY) {
        measure_items(h, item, false);
        return;
    }
    apart_traverse_turn(&h->walk);
    for (uint32_t i = 0; !tree_is_item(node) && i < LANE_COUNT; i += 2) {
        if (t->nodes[node].child[i] == TREE_NONE) break;
        double apart = apart_traverse_descend(&h->walk, node * LANE_COUNT + i, 1, next);
        if (!(apart < least)) continue;
        least = apart;
        item[0] = next[0];
        item[1] = next[1];
    }
    descend_from(h, item);
}

/// Boxes and pairs of triangles that a search among triangles that overlap may look at: a second or a few. Bodies that
/// almost coincide everywhere take 10 for each triangle.
#define DEEP_BUDGET 0x1000000
#define DEEP_BUDGET_EACH 20

static int64_t triangle_count(const mesh_pair* h) {
    return (int64_t)(h->mesh[0] ? h->mesh[0]->triangle_count : 0) + (h->mesh[1] ? h->mesh[1]->triangle_count : 0);
}

static bool hint_is_good(const mesh_pair* h, const uint32_t hint[2]) {
    for (int s = 0; s < 2; ++s)
        if (hint[s] >= (h->mesh[s] ? h->mesh[s]->triangle_count : 1)) return false;
    return true;
}

/// A threshold this small, in parts of the size, serves better than a first pair.
#define SMALL_THRESHOLD 0x1p-6

/// Whether a threshold is known before any distance: a search that need only tell whether the two meet, or come nearer
/// than a small cutoff. Surfaces that cross do so where boxes overlap most.
static bool begin_early(mesh_pair* h) {
    const apart_query* q = h->best->query;
    double least = h->radii + (q->relative_error < 1 ? larger(q->cutoff * h->k.inverse, 0) : 0);
    if (!(least <= SMALL_THRESHOLD * h->k.size)) return false;
    h->walk.threshold = least + 3 * h->margin;
    return h->walk.deepest = true;
}

/// After a search that has looked at no pair: one near each other.
static void end_early(mesh_pair* h) {
    uint32_t item[2];
    apart_traverse_descend(&h->walk, 0, 1 + h->best->query->relative_error, item);
    measure_items(h, item, true);
}

/// The walk over both trees.
static void search_trees(mesh_pair* h, const uint32_t hint[2]) {
    answer* best = h->best;
    walk* w = &h->walk;
    h->upper = best->result.upper_bound * h->k.inverse + h->radii;
    set_threshold(h);
    if (hint && hint_is_good(h, hint)) measure_items(h, hint, true);
    if (w->threshold == INFINITY && !begin_early(h))
        begin_search(h);
    else if (w->gap == -INFINITY)
        apart_traverse_aim_at_middles(w);
    apart_traverse_start(w, DEEP_BUDGET + DEEP_BUDGET_EACH * triangle_count(h));
    if (!compare_all(h)) h->lowest = smaller(h->lowest, apart_nearest_way_out(h, w->normal));
    settle(h);
    if (best->result.upper_bound == INFINITY && best->status == APART_OK) end_early(h);
    best->visits += w->visits;
    best->lower = smaller(best->lower, certain_lower(h, smaller(h->lowest, w->threshold)));
}

// ---------------------------------------------------------------------------------------------- Quinlan's trees ----

static double leaf_spheres(void* context, uint32_t item_a, uint32_t item_b) {
    return measure_items(context, (uint32_t[2]){item_a, item_b}, true);
}

/// His own trees and search. It ends where bodies touch; how deep they overlap is the affair of the other search.
static void search_spheres(mesh_pair* h) {
    const apart_query* q = h->best->query;
    apart_query shallow = *q;
    shallow.depth = APART_DEPTH_NONE;
    h->best->query = &shallow;
    const sphere_frame frame = {.rotation_a = &h->k.a.pose->rotation,
                                .rotation_b = &h->k.b.pose->rotation,
                                .factor_a = h->k.a.factor,
                                .factor_b = h->k.b.factor,
                                .offset = h->k.offset,
                                .error = h->margin};
    const sphere_goal goal = {.relative_error = q->relative_error,
                              .absolute_error = q->absolute_error * h->k.inverse,
                              .cutoff = q->cutoff * h->k.inverse,
                              .radii = h->radii,
                              .best = h->best->result.upper_bound * h->k.inverse + h->radii};
    sphere_outcome out;
    apart_spheres_search(&h->mesh[0]->spheres, &h->mesh[1]->spheres, &frame, &goal, leaf_spheres, h, &out);
    h->best->query = q;
    h->walk.threshold = INFINITY;
    h->best->visits += (int64_t)out.node_tests;
    h->best->lower = smaller(h->best->lower, (out.lower - h->radii) * h->k.unit);
}

// --------------------------------------------------------------------------------------------------- two pieces ----

tree apart_piece_tree(const apart_shape* s, bool thick, tree_node* node) {
    if (thick && s->kind == SHAPE_UNION) return s->parts->tree;
    if (!thick && s->kind == SHAPE_MESH) return s->mesh->tree;
    // As one item of a tree of parts.
    if (s->kind == SHAPE_MESH && s->radius == 0) {
        *node = s->mesh->tree.nodes[0];
        node->child[0] = TREE_ITEM;
        return (tree){.nodes = node, .node_count = 1};
    }
    vec3 corner[8];
    shape_box_corners(s, thick ? shape_stored_radius(s) : 0, corner);
    return apart_bvh_single(corner, node);
}

static void mesh_pair_init(mesh_pair* h, const piece* a, const piece* b, answer* best) {
    h->piece[0] = a;
    h->piece[1] = b;
    h->slack = a->slack + b->slack;
    h->best = best;
    h->upper = h->own_lower = h->lowest = INFINITY;
    h->nearest[0] = h->nearest[1] = 0;
    h->unsettled = h->filled = false;
    h->waiting_count = h->doubts = 0;
    apart_minkowski_init(&h->k, a->shape, a->pose, b->shape, b->pose, SEARCH_BEST);
    difference_blur(&h->k, h->slack);
    h->radii = h->k.a.radius + h->k.b.radius;
    h->margin = h->k.rounding_low + 0x1p-47 * h->k.size;
    for (int s = 0; s < 2; ++s) {
        h->mesh[s] = h->piece[s]->shape->mesh;
        if (h->mesh[s]) apart_triangle_init(&h->triangle[s], h->piece[s]->shape);
    }
}

void apart_nearest_search(mesh_pair* h, const uint32_t hint[2], answer* best) {
    const apart_query* q = best->query;
    answer* before = h->best;
    double lower = best->lower;
    h->best = best;
    if (q->method == APART_METHOD_SPHERES) search_spheres(h);
    bool deeper = q->depth != APART_DEPTH_NONE && best->result.upper_bound <= 0;
    // What spheres that overlap leave open, the other search closes: it looks at everything once more.
    if (deeper && q->method == APART_METHOD_SPHERES) best->lower = lower;
    if (q->method != APART_METHOD_SPHERES || deeper) search_trees(h, hint);
    h->best = before;
}

/// Whether the balls that hold the two pieces are apart: then neither is inside the other.
static bool balls_apart(const mesh_pair* h) {
    const posed_body *a = &h->k.a, *b = &h->k.b;
    double reach = a->factor * a->shape->bound + b->factor * b->shape->bound + h->radii;
    return vec3_length(h->k.offset) > (1 + 4 * MOST_SKEW) * reach + 2 * h->margin;
}

void apart_nearest_measure(const piece* a, const piece* b, const uint32_t hint[2], answer* best) {
    mesh_pair h;
    tree_node own[2];
    mesh_pair_init(&h, a, b, best);
    tree tree_a = apart_piece_tree(a->shape, false, &own[0]), tree_b = apart_piece_tree(b->shape, false, &own[1]);
    apart_traverse_init(&h.walk, &h.k, &tree_a, &tree_b, false, h.stack);
    h.walk.margin = h.margin;
    if (!h.mesh[0] && !h.mesh[1]) {
        measure_items(&h, (const uint32_t[2]){0, 0}, false);
        return;
    }
    // Asked first: it answers most overlaps.
    if (!balls_apart(&h) && apart_containment_find(&h)) return;
    apart_nearest_search(&h, hint, best);
    bool shallow = best->query->depth == APART_DEPTH_NONE && best->result.upper_bound > 0;
    bool touch = shallow && best->result.upper_bound <= 2 * h.margin * h.k.unit;
    if (touch && best->status == APART_OK) apart_containment_find_touching(&h);
}

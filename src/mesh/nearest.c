// Two pieces: the walk over their trees and what happens at its leaves. Pairs of triangles wait until there are eight
// of them, and plain formulas settle most; whatever these cannot settle, and the nearest pair in the end, is measured
// by the rooms for convex bodies.
#include "mesh/pair_search.h"

// ------------------------------------------------------------------------------------------------------ answer ----

double apart_answer_limit(const answer* best, double upper) {
    const apart_query* q = best->query;
    if (best->status != APART_OK) return -INFINITY;
    if (upper == INFINITY) return INFINITY;
    if (upper <= 0 && q->depth == APART_DEPTH_NONE) return -INFINITY;
    double limit = upper - q->absolute_error;
    if (upper > 0) limit = smaller(limit, upper * (1 - q->relative_error));
    return smaller(limit, q->cutoff);
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

/// Everything but the corners, which are the same for all triangles of a mesh.
static void lone_triangle_init(lone_triangle* t, const apart_shape* from) {
    t->shape = (apart_shape){.kind = SHAPE_POLYTOPE,
                             .dimension = 2,
                             .scale = from->scale,
                             .bound = from->bound,
                             .radius = from->radius,
                             .origin = from->origin,
                             .exact = from->exact};
    t->shape.polytope = (polytope){.count = 3,
                                   .padded = LANES,
                                   .x = t->x,
                                   .y = t->y,
                                   .z = t->z,
                                   .caller = t->caller,
                                   .first = triangle_first,
                                   .neighbour = triangle_neighbour,
                                   .face_count = 1,
                                   .face_first = triangle_face_first,
                                   .face_vertex = triangle_face,
                                   .climbable = true,
                                   .argmax = apart_kernels_short()->argmax};
}

static void lone_triangle_set(lone_triangle* t, const mesh* m, uint32_t item) {
    vec3 p[3];
    for (int i = 0; i < 3; ++i) {
        t->caller[i] = m->triangle[item][i];
        p[i] = m->vertex[t->caller[i]];
    }
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

// ------------------------------------------------------------------------------------------------- one leaf pair ----

static void set_threshold(mesh_pair* h) {
    double nearest = smaller(h->best->result.upper_bound, to_caller(h, h->upper));
    double limit = apart_answer_limit(h->best, nearest);
    // A little more than the limit, so that it is kept after rounding; never more than what was found.
    if (isfinite(limit)) limit = smaller(to_core(h, limit) + 3 * margin(h), to_core(h, nearest));
    h->walk.threshold = smaller(h->walk.threshold, limit);
}

/// Measures one pair of items by the rooms for convex bodies. thorough: also if it turns out not to be the nearest.
/// Returns the distance of the cores in working units; -INFINITY if there is none.
static double measure_items(mesh_pair* h, uint32_t item_a, uint32_t item_b, bool thorough) {
    answer* best = h->best;
    const uint32_t item[2] = {item_a, item_b};
    posed_shape posed[2];
    for (int s = 0; s < 2; ++s) {
        posed[s] = (posed_shape){h->piece[s]->shape, h->piece[s]->pose};
        if (!h->mesh[s]) continue;
        lone_triangle_set(&h->triangle[s], h->mesh[s], item[s]);
        posed[s].shape = &h->triangle[s].shape;
    }
    // Exactly: the errors that the caller allows are spent on the trees.
    apart_query q = *best->query;
    q.relative_error = q.absolute_error = 0;
    q.trace = NULL;
    if (q.method == APART_METHOD_SPHERES) q.method = APART_METHOD_GJK;
    q.cutoff = thorough ? (double)INFINITY : apart_answer_limit(best, best->result.upper_bound);
    apart_result r;
    apart_status status = apart_pair_measure(&posed[0], &posed[1], &q, h->slack, NULL, &r);
    if (status != APART_OK) {
        best->status = status;
        h->walk.threshold = -INFINITY;
        return -INFINITY;
    }
    best->measured += 1;
    best->supports += r.supports;
    if (h->mesh[0]) r.a.triangle = h->mesh[0]->caller[item_a];
    if (h->mesh[1]) r.b.triangle = h->mesh[1]->caller[item_b];
    apart_answer_take(best, &r, h->piece, item);
    return to_core(h, r.upper_bound);
}

/// The same during the walk: if they are the nearest, that is the way to look, and the distance to beat.
static void try_items(mesh_pair* h, uint32_t item_a, uint32_t item_b, bool thorough) {
    double before = h->best->result.upper_bound;
    measure_items(h, item_a, item_b, thorough);
    if (!(h->best->result.upper_bound < before)) return;
    apart_traverse_aim(&h->walk, h->best->result.normal);
    set_threshold(h);
}

/// The nearest pair of triangles, measured exactly; unless another pair that was, is nearer.
static void settle(mesh_pair* h) {
    if (!h->unsettled || h->best->status != APART_OK) return;
    h->unsettled = false;
    if (h->best->result.upper_bound <= to_caller(h, h->upper))
        h->lowest = smaller(h->lowest, h->own_lower);
    else
        try_items(h, h->nearest[0], h->nearest[1], true);
    h->upper = smaller(h->upper, to_core(h, h->best->result.upper_bound));
    h->own_lower = INFINITY;
}

// ------------------------------------------------------------------------------------------- pairs of triangles ----

/// A pair whose lower end is this far below its upper one, in parts of the size, has been measured well enough.
#define CLOSED 0x1p-45

/// A pair came nearest: it is the new one to beat, and the way to look.
static void lead(mesh_pair* h, int lane, const wide_gaps* gaps) {
    h->lowest = smaller(h->lowest, h->own_lower);
    h->upper = gaps->upper[lane];
    h->own_lower = gaps->lower[lane];
    h->nearest[0] = h->waiting[lane][0];
    h->nearest[1] = h->waiting[lane][1];
    h->unsettled = true;
    h->walk.nearest[0] = h->place[lane][0];
    h->walk.nearest[1] = h->place[lane][1];
    vec3 v = {gaps->v[0][lane], gaps->v[1][lane], gaps->v[2][lane]};
    if (h->upper > 0) apart_traverse_aim(&h->walk, vec3_unit(v));
    set_threshold(h);
}

/// How far a triangle reaches towards the other body along the normal of the walk. Its corners are left in p.
static double triangle_height(const mesh_pair* h, int side, uint32_t item, vec3 p[3]) {
    const walk_side* here = &h->walk.side[side];
    const mesh* m = h->mesh[side];
    double high = -INFINITY;
    for (int i = 0; i < 3; ++i) {
        p[i] = m->vertex[m->triangle[item][i]];
        double along = vec3_dot(here->toward, p[i]);
        high = larger(high, side == 0 ? along : -along);
    }
    return here->factor * high;
}

/// How far the normal of the walk separates two triangles.
static double separation(const mesh_pair* h, const uint32_t item[2]) {
    vec3 p[3];
    return h->walk.gap - triangle_height(h, 0, item[0], p) - triangle_height(h, 1, item[1], p);
}

/// So many pairs that plain formulas cannot settle are measured in any case, unless they overlap less than the best.
#define DOUBTS 64

/// Whether a pair is not nearer than the best, given how far a direction separates it. Of many pairs that touch, or are
/// as deep as the best, to rounding, the rest would only tell which.
static bool leave_out(mesh_pair* h, double apart) {
    double threshold = h->walk.threshold;
    bool enough = h->doubts >= DOUBTS, touching = threshold <= 2 * margin(h);
    if (!(enough || threshold <= 0) || !(apart >= threshold - (enough && touching ? margin(h) : 0))) return false;
    h->lowest = smaller(h->lowest, apart);
    return true;
}

/// The points of triangles that touch may tell no direction: takes the one that separates a pair best, if that which is
/// looked along separates it less.
static void aim_better(mesh_pair* h, const wide_gaps* parted, int i) {
    double core = smaller(h->walk.threshold, to_core(h, h->best->result.upper_bound)), least = core - margin(h);
    if (!(fabs(core) <= 2 * margin(h)) || !(parted->lower[i] >= least) || separation(h, h->waiting[i]) >= least) return;
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
        try_items(h, h->waiting[i][0], h->waiting[i][1], false);
    }
}

/// Looks at the pairs that wait, eight at a time. Whatever plain formulas cannot settle is measured by the rooms for
/// convex bodies: triangles that meet, needles, gaps far below their size.
static void look_at_waiting(mesh_pair* h) {
    int count = h->waiting_count;
    if (count == 0) return;
    wide_gaps gaps;
    h->walk.wide->triangles(&h->pairs, &h->walk.frame, &gaps);
    h->waiting_count = 0;
    h->best->measured += count;
    int doubtful[LANE_COUNT], doubts = 0;
    for (int i = 0; i < count; ++i) {
        // Pairs that may touch are not decided here.
        bool closed = gaps.upper[i] - gaps.lower[i] <= CLOSED * h->k.size && gaps.lower[i] > 2 * margin(h);
        if (closed && gaps.upper[i] < h->upper) {
            lead(h, i, &gaps);
        } else if (closed || gaps.lower[i] >= h->walk.threshold) {
            h->lowest = smaller(h->lowest, gaps.lower[i]);
        } else {
            doubtful[doubts++] = i;
        }
    }
    if (doubts > 0) measure_doubtful(h, doubtful, doubts);
}

/// Lanes that are never filled must hold numbers.
static void clear_pairs(mesh_pair* h) {
    h->pairs = (wide_triangles){0};
    h->cleared = true;
}

static void wait_corners(const vec3 p[3], double to[3][3][LANE_COUNT], int lane) {
    for (int i = 0; i < 3; ++i) {
        to[i][0][lane] = p[i].x;
        to[i][1][lane] = p[i].y;
        to[i][2][lane] = p[i].z;
    }
}

static void flush(walk* w) { look_at_waiting(w->context); }

/// How far any item reaches.
static double item_height(const walk* w, int side, uint32_t item) {
    const mesh_pair* h = w->context;
    vec3 p[3];
    return h->mesh[side] ? triangle_height(h, side, item, p) : w->side[side].highest;
}

/// Two triangles wait for others, unless the direction of the nearest points already separates them.
static void leaf_triangles(walk* w, tree_place a, tree_place b, double bound) {
    mesh_pair* h = w->context;
    (void)bound;
    uint32_t item_a = walk_item(w, 0, a), item_b = walk_item(w, 1, b);
    vec3 p[2][3];
    if (w->gap - triangle_height(h, 0, item_a, p[0]) - triangle_height(h, 1, item_b, p[1]) >= w->threshold) return;
    if (!h->cleared) clear_pairs(h);
    int lane = h->waiting_count++;
    h->waiting[lane][0] = item_a;
    h->waiting[lane][1] = item_b;
    h->place[lane][0] = a;
    h->place[lane][1] = b;
    wait_corners(p[0], h->pairs.a, lane);
    wait_corners(p[1], h->pairs.b, lane);
    if (h->waiting_count == LANE_COUNT) look_at_waiting(h);
}

/// Two triangles are not farther apart than their middles.
static void guess_triangles(walk* w, tree_place a, tree_place b) {
    mesh_pair* h = w->context;
    const tree_place place[2] = {a, b};
    const posed_body* body[2] = {&h->k.a, &h->k.b};
    vec3 middle[2];
    uint32_t item[2];
    for (int s = 0; s < 2; ++s) {
        item[s] = walk_item(w, s, place[s]);
        const mesh* m = h->mesh[s];
        vec3 sum = {0, 0, 0};
        for (int i = 0; i < 3; ++i) sum = vec3_add(sum, m->vertex[m->triangle[item[s]][i]]);
        middle[s] = posed_point(body[s], vec3_scale(1.0 / 3, sum));
    }
    vec3 v = vec3_sub(vec3_sub(middle[1], middle[0]), h->k.offset);
    double upper = vec3_length(v) + h->k.rounding_high;
    if (!(upper < h->upper)) return;
    h->lowest = smaller(h->lowest, h->own_lower);
    h->own_lower = INFINITY;
    h->upper = upper;
    for (int s = 0; s < 2; ++s) {
        h->nearest[s] = item[s];
        w->nearest[s] = place[s];
    }
    h->unsettled = true;
    apart_traverse_aim(w, vec3_unit(v));
    set_threshold(h);
}

static void guess_mixed(walk* w, tree_place a, tree_place b) {
    try_items(w->context, walk_item(w, 0, a), walk_item(w, 1, b), false);
}

/// A triangle and a convex body are measured at once, unless that direction separates them.
static void leaf_mixed(walk* w, tree_place a, tree_place b, double bound) {
    mesh_pair* h = w->context;
    uint32_t item_a = walk_item(w, 0, a), item_b = walk_item(w, 1, b);
    bound = larger(bound, w->gap - item_height(w, 0, item_a) - item_height(w, 1, item_b));
    if (bound < w->threshold) try_items(h, item_a, item_b, false);
}

// -------------------------------------------------------------------------------------------------- the search ----

/// The tree of a piece; that of a convex one is its box, in the caller's node.
static tree piece_tree(const apart_shape* s, tree_node* node) {
    if (s->kind == SHAPE_MESH) return s->mesh->tree;
    tree t;
    vec3 corner[8];
    shape_box_corners(s, 0, corner);
    apart_bvh_single(corner, 8, node, &t);
    return t;
}

static void mesh_pair_init(mesh_pair* h, const piece* a, const piece* b, answer* best) {
    h->piece[0] = a;
    h->piece[1] = b;
    h->slack = a->slack + b->slack;
    h->best = best;
    h->upper = h->own_lower = h->lowest = INFINITY;
    h->unsettled = h->cleared = false;
    h->waiting_count = h->doubts = 0;
    apart_minkowski_init(&h->k, a->shape, a->pose, b->shape, b->pose, SEARCH_BEST);
    difference_blur(&h->k, h->slack);
    for (int s = 0; s < 2; ++s) {
        h->mesh[s] = h->piece[s]->shape->mesh;
        if (h->mesh[s]) lone_triangle_init(&h->triangle[s], h->piece[s]->shape);
    }
}

static bool hint_is_good(const mesh_pair* h, const uint32_t hint[2]) {
    for (int s = 0; s < 2; ++s)
        if (hint[s] >= (h->mesh[s] ? h->mesh[s]->triangle_count : 1)) return false;
    return true;
}

/// From this relative error on, the first pair is mostly good enough; if it is, few boxes tell.
#define HASTY 0.05
#define FEW 64

/// Tries to do with the first pair; if that fails, with one near it. Whether all is said.
static bool search_hastily(mesh_pair* h) {
    settle(h);
    if (apart_traverse_compare(&h->walk, FEW)) return true;
    if (h->mesh[0] && h->mesh[1]) apart_traverse_chase(&h->walk);
    settle(h);
    return false;
}

/// Boxes and pairs of triangles that a search among triangles that overlap may look at: a second or a few. Bodies that
/// almost coincide everywhere take 10 for each triangle.
#define DEEP_BUDGET 0x1000000
#define DEEP_BUDGET_EACH 20

/// Compares everything. If the budget does not suffice, what was not looked at is not deeper than a way that brings
/// both bodies apart.
static void search_all(mesh_pair* h) {
    int64_t budget = DEEP_BUDGET;
    for (int s = 0; s < 2; ++s) budget += h->mesh[s] ? DEEP_BUDGET_EACH * (int64_t)h->mesh[s]->triangle_count : 0;
    if (apart_traverse_compare_deep(&h->walk, budget)) return;
    h->lowest = smaller(h->lowest, (h->k.a.radius + h->k.b.radius) - apart_nearest_way_out(h, h->walk.normal));
}

/// The walk over both trees.
static void search_trees(mesh_pair* h, const uint32_t hint[2]) {
    bool triangles = h->mesh[0] && h->mesh[1];
    h->walk.leaf = triangles ? leaf_triangles : leaf_mixed;
    h->walk.guess = triangles ? guess_triangles : guess_mixed;
    h->walk.context = h;
    h->walk.flush = flush;
    h->walk.height = item_height;
    h->walk.margin = margin(h);
    h->upper = INFINITY;
    set_threshold(h);
    if (hint && hint_is_good(h, hint)) try_items(h, hint[0], hint[1], true);
    bool hasty = h->best->query->relative_error >= HASTY, first = h->walk.threshold == INFINITY;
    apart_traverse_begin(&h->walk);
    if (!hasty && first && triangles) apart_traverse_improve(&h->walk);
    if (!hasty || !search_hastily(h)) search_all(h);
    look_at_waiting(h);
    settle(h);
    h->best->visits += h->walk.visits;
    h->best->lower = smaller(h->best->lower, certain_lower(h, smaller(h->lowest, h->walk.threshold)));
}

// ---------------------------------------------------------------------------------------------- Quinlan's trees ----

static double leaf_spheres(void* context, uint32_t item_a, uint32_t item_b) {
    return measure_items(context, item_a, item_b, true);
}

/// His own trees and search. It ends where bodies touch; how deep they overlap is the affair of the other search.
static void search_spheres(mesh_pair* h) {
    const apart_query* q = h->best->query;
    const sphere_frame frame = {.rotation_a = &h->k.a.pose->rotation,
                                .rotation_b = &h->k.b.pose->rotation,
                                .factor_a = h->k.a.factor,
                                .factor_b = h->k.b.factor,
                                .offset = h->k.offset,
                                .error = margin(h)};
    const double known = h->best->result.upper_bound;
    const sphere_goal goal = {.relative_error = q->relative_error,
                              .absolute_error = q->absolute_error * h->k.inverse,
                              .cutoff = q->cutoff * h->k.inverse,
                              .radii = h->k.a.radius + h->k.b.radius,
                              .best = isfinite(known) ? to_core(h, known) : INFINITY};
    sphere_outcome out;
    apart_spheres_search(&h->mesh[0]->spheres, &h->mesh[1]->spheres, &frame, &goal, leaf_spheres, h, &out);
    h->best->visits += (int64_t)out.node_tests;
    h->best->lower = smaller(h->best->lower, to_caller(h, out.lower));
}

// --------------------------------------------------------------------------------------------------- two pieces ----

void apart_nearest_search(mesh_pair* h, const uint32_t hint[2]) {
    const apart_query* q = h->best->query;
    double lower = h->best->lower;
    if (q->method == APART_METHOD_SPHERES) search_spheres(h);
    bool deeper = q->depth != APART_DEPTH_NONE && h->best->result.upper_bound <= 0;
    // What spheres that overlap leave open, the other search closes: it looks at everything once more.
    if (deeper && q->method == APART_METHOD_SPHERES) h->best->lower = lower;
    if (q->method != APART_METHOD_SPHERES || deeper) search_trees(h, hint);
}

/// Whether the balls that hold the two pieces are apart: then neither is inside the other.
static bool balls_apart(const mesh_pair* h) {
    const posed_body *a = &h->k.a, *b = &h->k.b;
    double reach = a->factor * a->shape->bound + b->factor * b->shape->bound + a->radius + b->radius;
    return vec3_length(h->k.offset) > (1 + h->walk.widen) * reach + 2 * margin(h);
}

void apart_nearest_measure(const piece* a, const piece* b, const uint32_t hint[2], answer* best) {
    mesh_pair h;
    tree_node own[2];
    mesh_pair_init(&h, a, b, best);
    tree tree_a = piece_tree(a->shape, &own[0]), tree_b = piece_tree(b->shape, &own[1]);
    apart_traverse_init(&h.walk, &h.k, &tree_a, &tree_b, false);
    if (!h.mesh[0] && !h.mesh[1]) {
        measure_items(&h, 0, 0, false);
        return;
    }
    // Asked first: it answers most overlaps.
    if (!balls_apart(&h) && apart_containment_find(&h)) return;
    apart_nearest_search(&h, hint);
    bool shallow = best->query->depth == APART_DEPTH_NONE && best->result.upper_bound > 0;
    bool touch = shallow && best->result.upper_bound <= 2 * margin(&h) * h.k.unit;
    if (touch && best->status == APART_OK) apart_containment_find_touching(&h);
}

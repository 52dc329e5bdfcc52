// A point and a mesh. The tree is searched in the mesh's own frame, nearest box first; eight triangles at a time are
// measured from their corners in floats. That leaves few that may be the nearest, often one; these are measured in
// doubles and in the axes of the world, each with the two ends of its own interval.
//
// What is kept true: every triangle is a candidate, or at least `threshold` away. So the whole distance lies between
// the least of the candidates' lower ends and the threshold, and the least of their upper ends.
#include "mesh/nearest_point.h"

#include "convex/bracket.h"
#include "convex/simplex.h"
#include "mesh/nearest.h"
#include "mesh/rays.h"

/// More candidates than this are left to the ordinary query.
#define MOST_CANDIDATES 32
/// A candidate whose two ends are farther apart than this part of the size has not been measured well enough.
#define CLOSED 0x1p-45
/// Coordinates of a point, in the mesh's own of at most 1, up to which the rounding of the kernels is small beside that
/// of the blocks.
#define FAR 0x1p10

// ------------------------------------------------------------------------------------------------------- the walk ----

void apart_point_walk_start(point_walk* w, const mesh* m, const kernels* wide, vec3 point, double limit) {
    w->tree = &m->tree;
    w->wide = wide;
    w->point = point;
    w->limit = limit;
    w->visits = 0;
    w->height = 1;
    w->stack[0] = (point_place){0, tree_child(&m->tree, 0)};
}

/// Puts the children of a node that are near enough on the stack, the nearest on top.
static void point_open(point_walk* w, const tree_node* node) {
    double square[LANE_COUNT];
    const int from = w->height;
    for (unsigned near = w->wide->near_boxes(node, w->point, w->limit, square); near; near &= near - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(near);
        if (node->child[i] == TREE_NONE) break;
        int k = w->height++;
        for (; k > from && w->stack[k - 1].square < square[i]; --k) w->stack[k] = w->stack[k - 1];
        w->stack[k] = (point_place){square[i], node->child[i]};
    }
}

bool apart_point_walk_next(point_walk* w, tree_leaf* leaf, wide_reach* reach) {
    while (w->height > 0) {
        point_place place = w->stack[--w->height];
        if (!(place.square < w->limit * w->limit)) continue;
        w->visits += LANE_COUNT;
        if (tree_find_leaf(w->tree, place.child, leaf)) {
            w->wide->near_triangles(&w->tree->blocks[leaf->first / LANE_COUNT], w->point, reach);
            return true;
        }
        point_open(w, &w->tree->nodes[place.child]);
    }
    return false;
}

// ----------------------------------------------------------------------------------------------------- the search ----

/// The search. Lengths are those of the mesh's own coordinates, but for k, margin and threshold: working units.
typedef struct point_search {
    difference k;
    const point_target* target;
    const mesh* mesh;
    const apart_query* allowed; // the errors that the caller allows
    point_walk walk;            // its limit: what is this far is at least the threshold away
    double margin;              // of lower ends
    double blur;                // of the point
    double upper;               // the length of the shortest way found, to the rounding of blocks
    uint32_t nearest;           // the triangle that it leads to
    double threshold;           // only sinks
    int count;
    bool crowded; // there were too many candidates
    uint32_t item[MOST_CANDIDATES + 1];
    double lower[MOST_CANDIDATES + 1]; // of each
} point_search;

/// What a distance from a block may be wrong by.
#define BLOCK_SLACK (4 * BLOCK_ROUNDING)

void apart_point_target_init(point_target* target, const posed_shape* body, const posed_shape* point) {
    difference k;
    walk w;
    apart_minkowski_init(&k, body->shape, body->pose, point->shape, point->pose, SEARCH_BEST);
    apart_traverse_init(&w, &k, &body->shape->mesh->tree, &body->shape->mesh->tree, false, NULL);
    apart_traverse_turn(&w);
    *target =
        (point_target){.body = *body, .inverse = w.side[0].turn, .keep = w.keep, .spread = 1 + w.widen, .wide = w.wide};
}

/// A way of this length to a triangle was found.
static void point_found(point_search* s, double upper, uint32_t item) {
    if (!(upper < s->upper)) return;
    s->upper = upper;
    s->nearest = item;
    double radius = s->k.a.radius, core = (upper + BLOCK_SLACK) * s->k.a.factor * s->target->spread + s->margin;
    double limit = apart_query_limit(s->allowed, (core - radius) * s->k.unit, 1);
    // A little more than the limit, so that it is kept after rounding; never more than what was found.
    core = smaller(core, limit * s->k.inverse + radius + 3 * s->margin);
    s->threshold = smaller(s->threshold, core);
    s->walk.limit = larger(s->threshold / (s->k.a.factor * s->target->keep), 0);
}

/// Keeps the candidates that still are.
static void point_drop(point_search* s) {
    int kept = 0;
    for (int i = 0; i < s->count; ++i) {
        if (!(s->lower[i] - BLOCK_SLACK < s->walk.limit)) continue;
        s->item[kept] = s->item[i];
        s->lower[kept++] = s->lower[i];
    }
    s->count = kept;
}

/// The triangles of a block that may be the nearest become candidates.
static void point_take_block(point_search* s, const tree_leaf* leaf, const wide_reach* reach) {
    for (unsigned left = leaf->meant; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left);
        point_found(s, reach->upper[i], leaf->first + i);
    }
    for (unsigned left = leaf->meant; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left);
        if (!(reach->lower[i] - BLOCK_SLACK < s->walk.limit)) continue;
        if (s->count == MOST_CANDIDATES) point_drop(s);
        s->crowded = s->count == MOST_CANDIDATES;
        if (s->crowded) return;
        s->item[s->count] = leaf->first + i;
        s->lower[s->count++] = reach->lower[i];
    }
}

/// Every triangle becomes a candidate, or is at least the threshold away.
static void point_search_tree(point_search* s) {
    tree_leaf leaf;
    wide_reach reach;
    while (!s->crowded && apart_point_walk_next(&s->walk, &leaf, &reach)) point_take_block(s, &leaf, &reach);
    point_drop(s);
    // Where errors are allowed, even the nearest may not be a candidate.
    int i = 0;
    while (i < s->count && s->item[i] != s->nearest) ++i;
    if (i == s->count) s->item[s->count++] = s->nearest;
}

// ------------------------------------------------------------------------------------------------- the candidates ----

/// A triangle in doubles: its corners from the point, in axes of the world, and the nearest of it.
typedef struct point_triangle {
    uint32_t item;
    vec3 corner[3];
    double weight[3], upper, lower;
    vec3 toward; // unit vector, from the point to the triangle: the direction that gave `lower`
} point_triangle;

static point_triangle point_measure_triangle(const point_search* s, uint32_t item) {
    point_triangle t = {.item = item, .lower = INFINITY};
    vec3 kept[3];
    int count = 0;
    mesh_triangle_corners(s->mesh, item, t.corner);
    for (int i = 0; i < 3; ++i) t.corner[i] = vec3_add(posed_point(&s->k.a, t.corner[i]), s->k.offset);
    nearest n = apart_simplex_nearest(t.corner, 3, false);
    for (int i = 0; i < 3; ++i) {
        t.weight[i] = n.lambda[i];
        if (n.lambda[i] > 0) kept[count++] = t.corner[i];
    }
    t.upper = sqrt(n.vv);
    if (!(t.upper > NEAR_CONTACT * s->k.size)) return t;
    t.toward = apart_simplex_direction(kept, count, n.v, false);
    for (int i = 0; i < 3; ++i) t.lower = smaller(t.lower, vec3_dot(t.toward, t.corner[i]));
    return t;
}

/// The nearest of the candidates, and the lower end of all triangles. False if one is as good as touched, or not
/// measured well enough.
static bool point_nearest(const point_search* s, point_triangle* best, double* lower) {
    best->upper = INFINITY;
    *lower = s->threshold;
    for (int i = 0; i < s->count; ++i) {
        point_triangle t = point_measure_triangle(s, s->item[i]);
        *lower = smaller(*lower, t.lower);
        if (!(t.upper > NEAR_CONTACT * s->k.size && t.upper - t.lower <= CLOSED * s->k.size)) return false;
        if (t.upper < best->upper) *best = t;
    }
    return best->upper - s->k.a.radius > 2 * s->margin;
}

// ----------------------------------------------------------------------------------------------------- the answer ----

/// The result of a point outside; lower: of the distance of the cores.
static void point_answer(const point_search* s, const point_triangle* t, double lower, apart_result* r) {
    const difference* k = &s->k;
    double high = (t->upper - k->a.radius) + k->rounding_high, low = larger((lower - k->a.radius) - s->margin, 0);
    double best = vec3_length(weighted_corners(t->corner, t->weight)) - k->a.radius;
    r->upper_bound = k->unit * high;
    r->lower_bound = k->unit * low;
    r->distance = k->unit * smaller(larger(best, low), high);
    r->normal = vec3_sub(vec3_make(0, 0, 0), t->toward); // no negative zeros
    vec3 core = posed_point(&k->a, mesh_point(s->mesh, t->item, t->weight));
    r->point_a = difference_to_world(k, &k->a, vec3_mad(core, k->a.radius, r->normal));
    r->point_b = k->b.pose->translation;
    r->a = mesh_witness(s->mesh, t->item, t->weight);
    r->b = (apart_witness){.count = 1, .weight = {1}};
    r->iterations = s->count;
    r->supports = 0;
    r->visits = s->walk.visits;
}

/// How far a point inside a solid must go to be outside, at most, in working units: through the nearest point of the
/// surface and a little farther, if a look from there says so; else out of the box.
static double point_way_out(const point_search* s, const point_triangle* t) {
    const apart_shape* shape = s->target->body.shape;
    vec3 q = mesh_point(s->mesh, t->item, t->weight), low = vec3_sub(s->walk.point, shape->lower),
         high = vec3_sub(shape->upper, s->walk.point);
    double farther = 0x1p-36 + 16 * (s->blur + s->mesh->topology.seam);
    vec3 beyond = vec3_mad(q, farther, vec3_unit(vec3_sub(q, s->walk.point)));
    if (apart_inside(shape, beyond, s->blur) == OUTSIDE)
        return vec3_length(vec3_add(posed_point(&s->k.a, beyond), s->k.offset));
    double way = smaller(smaller(smaller(low.x, low.y), low.z), smaller(smaller(high.x, high.y), high.z)) + s->blur;
    return way * s->k.a.factor * s->target->spread;
}

/// Turns the distance from the walls around a point into the signed one.
static void point_turn_inside(const point_search* s, const point_triangle* t, apart_result* r) {
    double out = (point_way_out(s, t) + s->margin) * s->k.unit, walls = r->lower_bound;
    r->lower_bound = -larger(out, r->upper_bound);
    r->upper_bound = 0 - walls;
    r->distance = -r->distance;
    r->normal = vec3_sub(vec3_make(0, 0, 0), r->normal);
}

/// A point inside a solid, where no depth is asked for.
static void point_overlap(const point_search* s, apart_result* r) {
    *r = (apart_result){.normal = {1, 0, 0}, .b = {.count = 1, .weight = {1}}, .visits = s->walk.visits};
    r->point_a = r->point_b = s->k.b.pose->translation;
}

bool apart_point_measure(const point_target* target, const posed_shape* point, const apart_query* query,
                         apart_result* result) {
    const apart_shape* shape = target->body.shape;
    point_search s;
    apart_minkowski_init(&s.k, shape, target->body.pose, point->shape, point->pose, SEARCH_BEST);
    vec3 seen = vec3_scale(-1 / s.k.a.factor, mat3_mul(&target->inverse, s.k.offset));
    bool ordinary = s.k.unit > 0x1p-900 && s.k.unit < 0x1p900 && vec3_max_abs(seen) < FAR;
    if (!ordinary) return false;
    apart_point_walk_start(&s.walk, shape->mesh, target->wide, seen, INFINITY);
    s.target = target;
    s.mesh = shape->mesh;
    s.upper = s.threshold = INFINITY;
    s.count = 0;
    s.crowded = false;
    s.margin = s.k.rounding_low + 0x1p-47 * s.k.size;
    s.blur = s.margin / s.k.a.factor;
    inside where = apart_inside(shape, seen, s.blur);
    if (where == INSIDE_SOLID && query->depth == APART_DEPTH_NONE) return point_overlap(&s, result), true;
    if (where == ON_SURFACE || (where == INSIDE_SOLID && shape->radius > 0)) return false;
    // How near the walls are to a point inside is measured to the end.
    const apart_query whole = {.cutoff = INFINITY};
    s.allowed = where == INSIDE_SOLID ? &whole : query;
    point_triangle best;
    double lower;
    point_search_tree(&s);
    if (s.crowded || !point_nearest(&s, &best, &lower)) return false;
    point_answer(&s, &best, lower, result);
    if (where == INSIDE_SOLID) point_turn_inside(&s, &best, result);
    return true;
}

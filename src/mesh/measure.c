// Bodies of one piece or many. Quinlan's meta-tree (1994, sec. 5): the boxes of the parts form a tree of their own;
// where two parts are near enough, their own trees are searched, with the best distance so far handed on.
#include "mesh/measure.h"
#include "convex/cache.h"

#include "base/pose.h"
#include "mesh/nearest.h"

/// A query between two bodies.
typedef struct meeting {
    difference k;
    walk walk;
    place_pair stack[WALK_STACK_OF_PARTS]; // of the walk
    piece body[2];                         // the whole ones
    apart_pose moved[2];                   // the poses of unions
    uint32_t done[2];                      // a pair of parts that was measured before the others
    answer best;
} meeting;

/// What the poses of all parts may be wrong by, at any point; 0 for a body that is no union.
static double union_slack(const piece* b) {
    if (b->shape->kind != SHAPE_UNION) return b->slack;
    double rounding = POSE_ROUNDING * (b->shape->parts->far + vec3_sum_abs(b->pose->translation)) + 0x1p-1070;
    return b->slack + b->shape->parts->loose + rounding;
}

/// Part k of a body, in the order of its tree; the body itself if it is no union. pose: room for a pose.
static piece piece_of(const piece* b, uint32_t k, apart_pose* pose) {
    if (b->shape->kind != SHAPE_UNION) return *b;
    const part_list* list = b->shape->parts;
    bool rounded;
    *pose = apart_pose_compose(b->pose, &list->part[k].pose, &rounded);
    piece p = {.shape = list->part[k].shape,
               .pose = pose,
               .slack = b->slack + list->slack[k],
               .number = list->number[k],
               .place = k};
    if (rounded) p.slack = union_slack(b);
    return p;
}

static void measure_parts(meeting* m, uint32_t part_a, uint32_t part_b, const uint32_t hint[2]) {
    apart_pose pose[2];
    piece a = piece_of(&m->body[0], part_a, &pose[0]), b = piece_of(&m->body[1], part_b, &pose[1]);
    apart_nearest_measure(&a, &b, hint, &m->best);
}

/// What lower ends of boxes may be wrong by.
static double margin(const meeting* m) {
    double slack = union_slack(&m->body[0]) + union_slack(&m->body[1]);
    return m->k.rounding_low + 0x1p-46 * m->k.size + slack * m->k.inverse;
}

static void set_threshold(meeting* m) {
    bool failed = m->best.status != APART_OK;
    double limit = failed ? -INFINITY : apart_query_limit(m->best.query, m->best.result.upper_bound, 1);
    // A little more than the limit, so that it is kept after rounding, which may be much beside a small part.
    if (isfinite(limit)) limit = limit * m->k.inverse + 3 * margin(m);
    m->walk.threshold = smaller(m->walk.threshold, limit);
}

/// Measures two parts: if they are the nearest, that is the way to look, and the distance to beat.
static void measure_next(meeting* m, uint32_t part_a, uint32_t part_b) {
    measure_parts(m, part_a, part_b, NULL);
    double upper = m->best.result.upper_bound;
    if (upper > 0 && upper < INFINITY) apart_traverse_aim(&m->walk, m->best.result.normal);
    set_threshold(m);
}

static uint32_t part_count(const apart_shape* s) { return s->kind == SHAPE_UNION ? s->parts->count : 1; }

/// All parts, one after the other.
static void measure_all(meeting* m) {
    for (uint32_t a = 0; a < part_count(m->body[0].shape); ++a)
        for (uint32_t b = 0; b < part_count(m->body[1].shape); ++b)
            if (m->best.status == APART_OK && (a != m->done[0] || b != m->done[1])) measure_parts(m, a, b, NULL);
}

static void search_parts(meeting* m) {
    if (piece_outgrows_tree(m->body[0].shape) || piece_outgrows_tree(m->body[1].shape)) {
        measure_all(m);
        return;
    }
    tree_node own[2];
    tree a = apart_piece_tree(m->body[0].shape, true, &own[0]), b = apart_piece_tree(m->body[1].shape, true, &own[1]);
    apart_minkowski_init(&m->k, m->body[0].shape, m->body[0].pose, m->body[1].shape, m->body[1].pose, SEARCH_BEST);
    apart_traverse_init(&m->walk, &m->k, &a, &b, true, m->stack);
    set_threshold(m);
    if (m->walk.threshold == INFINITY) {
        // A first pair, near each other, is measured at once, and not again.
        apart_traverse_descend(&m->walk, 0, 1, m->done);
        measure_next(m, m->done[0], m->done[1]);
    } else if (m->walk.gap == -INFINITY) {
        apart_traverse_aim_at_middles(&m->walk);
    }
    apart_traverse_start(&m->walk, FOREVER);
    for (uint32_t part[2]; apart_traverse_next(&m->walk, part);)
        if (part[0] != m->done[0] || part[1] != m->done[1]) measure_next(m, part[0], part[1]);
    m->best.visits += m->walk.visits;
    if (m->walk.threshold == INFINITY) return;
    double lowest = larger(m->walk.threshold, -2 * m->k.size) - margin(m);
    m->best.lower = smaller(m->best.lower, lowest * m->k.unit - 0x1p-1070);
}

/// Begins with the pair that the cache remembers, if there is such a pair.
static bool begin(meeting* m, const apart_cache* cache) {
    m->done[0] = m->done[1] = UINT32_MAX;
    if (!cache || cache->words[CACHE_KIND] != CACHE_VERTICES) return false;
    const uint32_t *a = &cache->words[CACHE_A], *b = &cache->words[CACHE_B], hint[2] = {a[1], b[1]};
    bool two = cache->words[CACHE_COUNT_A] == 2 && cache->words[CACHE_COUNT_B] == 2;
    if (!two || a[0] >= part_count(m->body[0].shape) || b[0] >= part_count(m->body[1].shape)) return false;
    m->done[0] = a[0];
    m->done[1] = b[0];
    measure_parts(m, m->done[0], m->done[1], hint);
    return true;
}

/// The counters of the result are ints.
static int counted(int64_t n) { return n < INT32_MAX ? (int)n : INT32_MAX; }

static void finish(const meeting* m, vec3 shift, apart_result* result) {
    const answer* best = &m->best;
    *result = best->result;
    result->lower_bound = smaller(result->lower_bound, best->lower);
    if (best->query->depth == APART_DEPTH_NONE) result->lower_bound = larger(result->lower_bound, 0);
    if (result->upper_bound == 0 && best->query->depth == APART_DEPTH_NONE) result->lower_bound = 0;
    result->point_a = vec3_add(result->point_a, shift);
    result->point_b = vec3_add(result->point_b, shift);
    result->iterations = counted(best->measured);
    result->supports = counted(best->supports);
    result->visits = counted(best->visits);
}

/// Whether all pieces of a body have Quinlan's tree.
static bool has_spheres(const apart_shape* s) {
    if (s->kind != SHAPE_UNION) return s->kind == SHAPE_MESH && s->mesh->spheres.leaf_count > 0;
    for (uint32_t i = 0; i < s->parts->count; ++i)
        if (!has_spheres(s->parts->part[i].shape)) return false;
    return true;
}

static void move_to_origin(meeting* m, vec3 shift) {
    bool rounded;
    for (int s = 0; s < 2; ++s) {
        m->moved[s] = *m->body[s].pose;
        m->body[s].pose = &m->moved[s];
    }
    m->moved[0].translation = vec3_make(0, 0, 0);
    vec3 t = m->moved[1].translation = apart_pose_sum(m->moved[1].translation, vec3_neg(shift), &rounded);
    if (rounded) m->body[1].slack = 0x1p-52 * vec3_sum_abs(t) + 0x1p-1070;
}

apart_status apart_bvh_measure(const posed_shape* a, const posed_shape* b, const apart_query* query, apart_cache* cache,
                               apart_result* result) {
    if (query->method == APART_METHOD_SPHERES && !(has_spheres(a->shape) && has_spheres(b->shape)))
        return APART_UNSUPPORTED;
    meeting m;
    m.body[0] = (piece){.shape = a->shape, .pose = a->pose};
    m.body[1] = (piece){.shape = b->shape, .pose = b->pose};
    answer_to(query, &m.best);
    // The place of the pair does not matter. Poses of parts are sums, which are rounded: so the world is moved first,
    // to where a's frame has its origin at 0.
    bool unions = a->shape->kind == SHAPE_UNION || b->shape->kind == SHAPE_UNION;
    vec3 shift = unions ? a->pose->translation : vec3_make(0, 0, 0);
    if (unions) move_to_origin(&m, shift);
    bool begun = begin(&m, cache);
    if (unions)
        search_parts(&m);
    else if (!begun)
        measure_parts(&m, 0, 0, NULL);
    if (m.best.status != APART_OK) return m.best.status;
    finish(&m, shift, result);
    if (cache) cache_set_pair(cache, m.best.place[0], m.best.place[1]);
    return APART_OK;
}

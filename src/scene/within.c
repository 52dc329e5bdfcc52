// apart_scene_within: all pairs of bodies nearer than a clearance.
#include "base/pose.h"
#include "query.h"
#include "scene/batch.h"
#include "scene/pairs.h"

typedef struct distance_task {
    apart_query query; // in plain numbers
    apart_pair_fn found;
    void* context;
} distance_task;

static double limit_of(const pair_search* s, const candidate* c) {
    return pair_limit(s->clearance, c->a->body.margin, c->b->body.margin);
}

static bool is_convex(const candidate* c) {
    return shape_is_convex(c->a->body.shape) && shape_is_convex(c->b->body.shape);
}

/// The end of a row of candidates that are measured with one cutoff, and the largest of their limits. A cutoff ends the
/// search of what is farther apart; of a mesh it may also change which of two places at the same distance is found, so
/// that it must be the pair's own.
static size_t end_of_row(const pair_search* s, const candidate* c, size_t from, size_t count, double* limit) {
    bool convex = true;
    size_t to = from;
    for (*limit = limit_of(s, &c[from]); to < count; ++to) {
        const double own = limit_of(s, &c[to]);
        convex = convex && is_convex(&c[to]);
        if (own != *limit && !convex) break;
        *limit = larger(*limit, own);
    }
    return to;
}

static apart_status measure_distances(const pair_search* s, const candidate* c, size_t count, found_list* found) {
    posed_pair pair[CANDIDATES] = {{0}}; // for the compiler, which does not know that count > 0
    apart_result result[CANDIDATES];
    apart_status status[CANDIDATES];
    for (size_t i = 0; i < count; ++i) {
        const apart_scene_body *a = &c[i].a->body, *b = &c[i].b->body;
        pair[i] = (posed_pair){a->shape, b->shape, &a->pose, &b->pose};
    }
    for (size_t from = 0, to; from < count; from = to) {
        apart_query query = ((const distance_task*)s->task)->query;
        double limit;
        to = end_of_row(s, c, from, count, &limit);
        const double cutoff = nextafter(limit, INFINITY);
        if (cutoff != 0) query.cutoff = smaller(query.cutoff, cutoff); // 0 would be none
        apart_batch_measure(pair + from, to - from, &query, result + from, status + from);
    }
    for (size_t i = 0; i < count; ++i) {
        if (status[i] != APART_OK) return status[i];
        if (result[i].lower_bound > limit_of(s, &c[i])) continue;
        const apart_scene_pair p = {c[i].a->id, c[i].b->id, result[i]};
        if (!apart_found_add(found, &p)) return APART_OUT_OF_MEMORY;
    }
    return APART_OK;
}

static bool report_pair(const pair_search* s, const void* item) {
    const distance_task* task = s->task;
    return task->found(item, task->context);
}

apart_status apart_scene_within(const apart_scene* scene, double clearance, const apart_query* query, int threads,
                                apart_pair_fn found, void* context) {
    distance_task task = {.found = found, .context = context};
    if (!scene || !found) return APART_INVALID;
    apart_status status = query_read_for_many(query, threads, &task.query);
    if (status == APART_OK) status = apart_number_check(clearance);
    if (status == APART_OK && clearance < 0 && task.query.depth == APART_DEPTH_NONE) status = APART_INVALID;
    if (status != APART_OK) return status;
    const pair_search s = {.scene = scene,
                           .tree = &scene->tree,
                           .clearance = clearance,
                           .size = sizeof(apart_scene_pair),
                           .slow = scene->long_count > 0,
                           .task = &task,
                           .measure = measure_distances,
                           .report = report_pair};
    return apart_pairs_run(&s, threads);
}

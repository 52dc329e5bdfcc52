// apart_scene_within: all pairs of bodies nearer than a clearance.
#include "base/pose.h"
#include "batch/batch.h"
#include "query.h"
#include "scene/pairs.h"

typedef struct distance_task {
    apart_query query; // in plain numbers
    apart_pair_fn found;
    void* context;
} distance_task;

static double limit_of(const pair_search* s, const candidate* c) {
    return pair_limit(s->clearance, c->a->body.margin, c->b->body.margin);
}

static apart_status measure_distances(const pair_search* s, const candidate* c, size_t count, found_list* found) {
    const apart_query* query = &((const distance_task*)s->task)->query;
    posed_pair pair[CANDIDATES] = {{0}}; // for the compiler, which does not know that count > 0
    apart_result result[CANDIDATES];
    for (size_t i = 0; i < count; ++i) {
        const apart_scene_body *a = &c[i].a->body, *b = &c[i].b->body;
        // Just above the limit; 0 would be none.
        const double cutoff = nextafter(limit_of(s, &c[i]), INFINITY);
        const double own = cutoff != 0 ? smaller(query->cutoff, cutoff) : query->cutoff;
        pair[i] = (posed_pair){a->shape, b->shape, &a->pose, &b->pose, own};
    }
    const batch all = {.posed = pair, .query = query, .results = result};
    failure lowest = {0};
    waiting w;
    apart_batch_begin(&all, &w);
    apart_batch_measure(&all, &w, 0, count, &lowest);
    for (size_t i = 0; i < count; ++i) {
        if (lowest.status != APART_OK && lowest.index == i) return lowest.status;
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

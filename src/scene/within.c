// apart_scene_within: all pairs of bodies nearer than a clearance.
#include "base/pose.h"
#include "batch/batch.h"
#include "query.h"
#include "scene/pairs.h"

/// So many pairs of convex bodies take longer than to start a thread.
#define GRAIN 1024

typedef struct distance_task {
    apart_query query; // in plain numbers
    apart_pair_fn found;
    void* context;
} distance_task;

static double limit_of(const pair_search* s, const scene_record* a, const scene_record* b) {
    return pair_limit(s->clearance, a->body.margin, b->body.margin);
}

static posed_pair pair_at(const void* context, size_t i) {
    const pair_search* s = context;
    const distance_task* task = s->task;
    const scene_record *a = pair_body(s, i, true), *b = pair_body(s, i, false);
    // Just above the limit; 0 would be none.
    const double cutoff = nextafter(limit_of(s, a, b), INFINITY);
    const double own = cutoff != 0 ? smaller(task->query.cutoff, cutoff) : task->query.cutoff;
    return (posed_pair){a->body.shape, b->body.shape, &a->body.pose, &b->body.pose, own};
}

static void measure_distances(const void* job, size_t from, size_t to, failure* lowest) {
    const pair_search* s = job;
    const distance_task* task = s->task;
    const batch all = {
        .posed = pair_at, .context = s, .query = &task->query, .results = s->answers, .statuses = s->statuses};
    waiting w;
    apart_batch_begin(&all, &w);
    apart_batch_measure(&all, &w, from, to, lowest);
}

static bool report_distance(const pair_search* s, size_t i) {
    const distance_task* task = s->task;
    const scene_record *a = pair_body(s, i, true), *b = pair_body(s, i, false);
    const apart_scene_pair p = {a->id, b->id, ((const apart_result*)s->answers)[i]};
    return p.result.lower_bound > limit_of(s, a, b) || task->found(&p, task->context);
}

apart_status apart_scene_within(const apart_scene* scene, double clearance, const apart_query* query, int threads,
                                apart_pair_fn found, void* context) {
    distance_task task = {.found = found, .context = context};
    if (!scene || !found) return APART_INVALID;
    apart_status status = query_read_for_many(query, threads, &task.query);
    if (status == APART_OK) status = apart_number_check(clearance);
    if (status == APART_OK && clearance < 0 && task.query.depth == APART_DEPTH_NONE) status = APART_INVALID;
    if (status != APART_OK) return status;
    pair_search s = {.scene = scene,
                     .tree = &scene->tree,
                     .clearance = clearance,
                     .size = sizeof(apart_result),
                     .grain = scene->long_count > 0 ? 1 : GRAIN,
                     .task = &task,
                     .measure = measure_distances,
                     .report = report_distance};
    return apart_pairs_run(&s, threads);
}

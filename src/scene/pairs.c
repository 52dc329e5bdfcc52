// All pairs of near boxes: found by a join of the tree with itself, sorted by their ids, and measured by several
// threads. So many at a time, so that memory is for what is found of these; then they are reported in order. And
// apart_scene_within, for which that is the distance.
#include "scene/pairs.h"

#include "base/pose.h"
#include "base/sort.h"
#include "batch/batch.h"
#include "query.h"

#include <stdlib.h>

/// Pairs that are measured at a time, at most.
#define ROUND 4096u
/// So many pairs of convex bodies take longer than to start a thread.
#define GRAIN 1024

/// Notes two bodies that are compared and whose boxes are near enough. False if there is no memory for it.
static bool note_pair(void* context, uint32_t one, uint32_t other, double bound) {
    pair_search* s = context;
    const scene_record *a = &s->scene->records[one], *b = &s->scene->records[other];
    if (bound > pair_limit(s->clearance, a, b) || !apart_scene_compares(a, b)) return true;
    if (!apart_box_make_room((void**)&s->keys, s->count + 1, &s->room, sizeof *s->keys)) return false;
    if (!shape_is_convex(a->body.shape) || !shape_is_convex(b->body.shape)) s->grain = 1;
    const uint64_t lower = a->id < b->id ? a->id : b->id, higher = a->id < b->id ? b->id : a->id;
    s->keys[s->count++] = lower << 32 | higher;
    return true;
}

/// Measures and reports the pairs that have been noted.
static apart_status run_rounds(pair_search* s, int threads) {
    const uint32_t most = s->count < ROUND ? s->count : ROUND;
    meter unlimited = {0};
    apart_sort_keys(s->keys, s->count, &unlimited);
    s->answers = malloc(most * s->size);
    s->statuses = malloc(most * sizeof *s->statuses);
    apart_status status = s->answers && s->statuses ? APART_OK : APART_OUT_OF_MEMORY;
    for (; s->first < s->count && status == APART_OK; s->first += most) {
        const uint32_t count = s->count - s->first < most ? s->count - s->first : most;
        status = apart_workers_run(s->measure, s, count, s->grain, threads);
        for (uint32_t i = 0; i < count && s->statuses[i] == APART_OK; ++i)
            if (!s->report(s, i)) return APART_OK;
    }
    return status;
}

apart_status apart_pairs_run(pair_search* s, const box_tree* tree, int threads) {
    const double margin = s->scene->largest_margin, most = s->clearance + (margin + margin);
    apart_status status = APART_OUT_OF_MEMORY;
    if (apart_box_search(tree, NULL, &most, note_pair, s)) status = s->count > 0 ? run_rounds(s, threads) : APART_OK;
    free(s->keys);
    free(s->answers);
    free(s->statuses);
    return status;
}

typedef struct distance_search {
    pair_search pairs;
    apart_query query; // in plain numbers
    apart_pair_fn found;
    void* context;
} distance_search;

static posed_pair pair_at(const void* context, size_t i) {
    const distance_search* d = context;
    const scene_record *a = pair_body(&d->pairs, i, true), *b = pair_body(&d->pairs, i, false);
    // Just above the limit; 0 would be none.
    const double cutoff = nextafter(pair_limit(d->pairs.clearance, a, b), INFINITY);
    const double own = cutoff != 0 ? smaller(d->query.cutoff, cutoff) : d->query.cutoff;
    return (posed_pair){a->body.shape, b->body.shape, &a->body.pose, &b->body.pose, own};
}

static void measure_distances(const void* job, size_t from, size_t to, failure* lowest) {
    const distance_search* d = job;
    const batch all = {
        .posed = pair_at, .context = d, .query = &d->query, .results = d->pairs.answers, .statuses = d->pairs.statuses};
    waiting w;
    apart_batch_begin(&all, &w);
    apart_batch_measure(&all, &w, from, to, lowest);
}

static bool report_distance(const pair_search* s, size_t i) {
    const distance_search* d = (const distance_search*)s;
    const scene_record *a = pair_body(s, i, true), *b = pair_body(s, i, false);
    const apart_result* result = (const apart_result*)s->answers + i;
    if (result->lower_bound > pair_limit(s->clearance, a, b)) return true;
    const apart_scene_pair found = {a->id, b->id, *result};
    return d->found(&found, d->context);
}

apart_status apart_scene_within(const apart_scene* scene, double clearance, const apart_query* query, int threads,
                                apart_pair_fn found, void* context) {
    distance_search d = {.found = found, .context = context};
    if (!scene || !found) return APART_INVALID;
    apart_status status = query_read_for_many(query, threads, &d.query);
    if (status == APART_OK) status = apart_number_check(clearance);
    if (status == APART_OK && clearance < 0 && d.query.depth == APART_DEPTH_NONE) status = APART_INVALID;
    if (status != APART_OK) return status;
    d.pairs = (pair_search){.scene = scene, .clearance = clearance, .size = sizeof(apart_result), .grain = GRAIN};
    d.pairs.measure = measure_distances;
    d.pairs.report = report_distance;
    return apart_pairs_run(&d.pairs, &scene->tree, threads);
}

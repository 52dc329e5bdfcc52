// All pairs of near boxes: found by a join of the tree with itself, sorted by their ids, and measured by several
// threads. A round of them at a time, so that memory is for what a round finds; then they are reported in order.
#include "scene/pairs.h"

#include "base/sort.h"

#include <stdlib.h>

/// Pairs of a round at most.
#define ROUND_PAIRS 4096

typedef struct pair_list {
    uint64_t* key;
    uint32_t count, room;
} pair_list;

/// All pairs that are compared and whose boxes are near enough, in order. False if there is no memory for them.
static bool find_pairs(const pair_search* s, pair_list* pairs) {
    const apart_scene* scene = s->scene;
    const double most = s->clearance + (scene->largest_margin + scene->largest_margin);
    box_search join;
    uint32_t one, other;
    double bound;
    apart_box_search_begin(&join, s->tree, NULL);
    while (apart_box_search_next(&join, most, &one, &other, &bound)) {
        const scene_record *a = &scene->records[one], *b = &scene->records[other];
        if (!(bound <= pair_limit(s->clearance, a, b)) || !apart_scene_compares(scene, a, b)) continue;
        if (!apart_box_make_room((void**)&pairs->key, pairs->count + 1, &pairs->room, sizeof *pairs->key)) return false;
        pairs->key[pairs->count++] = pair_key(a->id, b->id);
    }
    meter unlimited = {0};
    return apart_sort_keys(pairs->key, pairs->count, &unlimited);
}

/// Measures so many pairs, and reports them up to the first that fails. *more: whether the caller wants more.
static apart_status run_round(const pair_round* r, size_t count, int threads, bool* more) {
    const pair_search* s = r->search;
    apart_status status = apart_workers_run(s->measure, r, count, s->grain, threads);
    for (size_t i = 0; i < count && *more && r->statuses[i] == APART_OK; ++i) *more = s->report(r, i);
    return *more ? status : APART_OK;
}

apart_status apart_pairs_run(const pair_search* s, int threads) {
    pair_list pairs = {0};
    apart_status status = find_pairs(s, &pairs) ? APART_OK : APART_OUT_OF_MEMORY;
    const size_t most = pairs.count < ROUND_PAIRS ? pairs.count : ROUND_PAIRS;
    pair_round r = {.search = s, .key = pairs.key, .answers = malloc(most * s->size)};
    r.statuses = malloc(most * sizeof *r.statuses);
    if (pairs.count > 0 && (!r.answers || !r.statuses)) status = APART_OUT_OF_MEMORY;
    bool more = true;
    for (size_t left = pairs.count; left > 0 && more && status == APART_OK; r.key += most) {
        const size_t count = left < most ? left : most;
        status = run_round(&r, count, threads, &more);
        left -= count;
    }
    free(r.statuses);
    free(r.answers);
    free(pairs.key);
    return status;
}

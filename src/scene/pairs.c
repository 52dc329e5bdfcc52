// All pairs of near boxes: found by a join of the tree with itself, sorted by their ids, and measured in blocks by
// several threads. What they find is kept by block, so that it can be reported in order, whichever thread was first. A
// round of blocks at a time, so that memory is for what a round finds.
#include "scene/pairs.h"

#include "base/sort.h"
#include "batch/workers.h"

#include <stdlib.h>
#include <string.h>

#define ROUND_BLOCKS ((size_t)128)
/// So many blocks of pairs of convex bodies take longer than to start a thread.
#define GRAIN 8

bool apart_found_add(found_list* list, const void* item) {
    if (!apart_scene_make_room(&list->items, list->count, &list->room, list->size)) return false;
    memcpy((char*)list->items + list->count++ * list->size, item, list->size);
    return true;
}

// -------------------------------------------------------------------------------------------------- candidates ----

/// Notes a pair that is compared, by its ids. False if there is no memory for it.
static bool note_pair(found_list* pairs, const apart_scene* scene, const scene_record* a, const scene_record* b) {
    if (!apart_scene_compares(scene, a, b)) return true;
    const uint64_t key = pair_key(a->id, b->id);
    return apart_found_add(pairs, &key);
}

/// All pairs whose boxes are near enough, in order. False if there is no memory for them.
static bool find_candidates(const pair_search* s, found_list* pairs) {
    const apart_scene* scene = s->scene;
    const double margin = scene->largest_margin, most = pair_limit(s->clearance, margin, margin);
    box_search join;
    uint32_t one, other;
    double bound;
    apart_box_search_begin(&join, s->tree, NULL);
    while (apart_box_search_next(&join, most, &one, &other, &bound)) {
        const scene_record *a = &scene->records[one], *b = &scene->records[other];
        bool near = bound <= pair_limit(s->clearance, a->body.margin, b->body.margin);
        if (near && !note_pair(pairs, scene, a, b)) return false;
    }
    for (uint32_t i = 0; i < scene->unbounded_count; ++i)
        for (uint32_t id = 0; id < scene->ids; ++id) {
            const scene_record *a = &scene->records[scene->unbounded[i]], *b = scene_find(scene, id);
            if (b && !scene_is_unbounded(b) && !note_pair(pairs, scene, a, b)) return false;
        }
    meter unlimited = {0};
    return apart_sort_keys(pairs->items, pairs->count, &unlimited);
}

// ------------------------------------------------------------------------------------------------------ rounds ----

/// Some blocks of candidates.
typedef struct round_work {
    const pair_search* search;
    const uint64_t* key;
    size_t count;
    found_list* found; // by block
} round_work;

static apart_status measure_block(const round_work* r, size_t block) {
    const apart_scene* scene = r->search->scene;
    size_t from = block * CANDIDATES, count = r->count - from < CANDIDATES ? r->count - from : CANDIDATES;
    candidate c[CANDIDATES];
    for (size_t i = 0; i < count; ++i) {
        uint64_t key = r->key[from + i];
        c[i].a = &scene->records[scene->place[key >> 32]];
        c[i].b = &scene->records[scene->place[(uint32_t)key]];
    }
    return r->search->measure(r->search, c, count, &r->found[block]);
}

static void measure_blocks(const void* job, size_t from, size_t to, failure* lowest) {
    const round_work* r = job;
    for (size_t block = from; block < to; ++block) {
        r->found[block].status = measure_block(r, block);
        failure_note(lowest, block, r->found[block].status);
    }
}

/// Reports what a round has found. False: enough.
static bool report_round(const round_work* r, size_t blocks) {
    for (size_t k = 0; k < blocks; ++k) {
        const found_list* list = &r->found[k];
        for (size_t i = 0; i < list->count; ++i)
            if (!r->search->report(r->search, (const char*)list->items + i * list->size)) return false;
        if (list->status != APART_OK) break;
    }
    return true;
}

apart_status apart_pairs_run(const pair_search* s, int threads) {
    found_list pairs = {.size = sizeof(uint64_t)};
    apart_status status = find_candidates(s, &pairs) ? APART_OK : APART_OUT_OF_MEMORY;
    bool more = true;
    for (size_t from = 0; from < pairs.count && more && status == APART_OK; from += ROUND_BLOCKS * CANDIDATES) {
        found_list list[ROUND_BLOCKS];
        round_work r = {.search = s, .found = list};
        r.key = (const uint64_t*)pairs.items + from;
        r.count = pairs.count - from < ROUND_BLOCKS * CANDIDATES ? pairs.count - from : ROUND_BLOCKS * CANDIDATES;
        size_t blocks = (r.count + CANDIDATES - 1) / CANDIDATES;
        for (size_t k = 0; k < blocks; ++k) list[k] = (found_list){.size = s->size};
        status = apart_workers_run(measure_blocks, &r, blocks, s->slow ? 1 : GRAIN, threads);
        more = report_round(&r, blocks);
        for (size_t k = 0; k < blocks; ++k) free(list[k].items);
        if (!more) status = APART_OK;
    }
    free(pairs.items);
    return status;
}

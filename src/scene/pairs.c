// All pairs of near boxes: found by a join of the tree with itself, sorted by their ids, and measured by several
// threads. So many at a time, so that memory is for what is found of these; then they are reported in order.
#include "scene/pairs.h"

#include "base/sort.h"

#include <stdlib.h>

/// Pairs that are measured at a time, at most.
#define ROUND ((size_t)4096)

typedef struct pair_list {
    const pair_search* search;
    uint64_t* key;
    uint32_t count, room;
    bool failed; // there was no memory
} pair_list;

/// Notes two bodies that are compared and whose boxes are near enough, by their ids.
static bool note_pair(void* context, uint32_t one, uint32_t other, double bound) {
    pair_list* l = context;
    const scene_record *a = &l->search->scene->records[one], *b = &l->search->scene->records[other];
    if (!(bound <= pair_limit(l->search->clearance, a->body.margin, b->body.margin))) return true;
    if (!apart_scene_compares(l->search->scene, a, b)) return true;
    l->failed = !apart_box_make_room((void**)&l->key, l->count + 1, &l->room, sizeof *l->key);
    if (!l->failed) l->key[l->count++] = pair_key(a->id, b->id);
    return !l->failed;
}

apart_status apart_pairs_run(pair_search* s, int threads) {
    const double margin = s->scene->largest_margin, most = pair_limit(s->clearance, margin, margin);
    pair_list list = {.search = s};
    meter unlimited = {0};
    apart_box_search(s->tree, NULL, &most, note_pair, &list);
    apart_sort_keys(list.key, list.count, &unlimited);
    s->answers = malloc(s->size * (list.count < ROUND ? list.count : ROUND));
    s->statuses = malloc(sizeof *s->statuses * (list.count < ROUND ? list.count : ROUND));
    apart_status status =
        list.failed || (list.count > 0 && !(s->answers && s->statuses)) ? APART_OUT_OF_MEMORY : APART_OK;
    bool more = true;
    for (size_t from = 0; from < list.count && more && status == APART_OK; from += ROUND) {
        const size_t count = list.count - from < ROUND ? list.count - from : ROUND;
        s->key = list.key + from;
        status = apart_workers_run(s->measure, s, count, s->grain, threads);
        for (size_t i = 0; i < count && more && s->statuses[i] == APART_OK; ++i) more = s->report(s, i);
    }
    free(s->statuses);
    free(s->answers);
    free(list.key);
    return more ? status : APART_OK;
}

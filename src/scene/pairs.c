// All pairs of near boxes. Bodies are taken in groups of consecutive ids. Threads search the tree for the partners of
// each body in a group and measure them; what they found is kept by group, so that it can be reported in order,
// whichever thread was first. A round of groups at a time, so that memory is for what a round finds.
#include "scene/pairs.h"

#include "base/sort.h"
#include "scene/workers.h"

#include <stdlib.h>
#include <string.h>

#define GROUP_BODIES 64
#define ROUND_GROUPS 64
/// So many groups of convex bodies take longer than to start a thread.
#define GRAIN 8

bool apart_found_add(found_list* list, const void* item) {
    if (list->count == list->room) {
        size_t room = list->room > 0 ? 2 * list->room : 16;
        char* items = room <= SIZE_MAX / 2 / list->size ? realloc(list->items, room * list->size) : NULL;
        if (!items) return false;
        list->items = items;
        list->room = room;
    }
    memcpy(list->items + list->count * list->size, item, list->size);
    list->count += 1;
    return true;
}

/// The candidates of a group that wait to be measured.
typedef struct group_work {
    const pair_search* search;
    found_list* found;
    found_list partners; // of one body: id and place of each, as one number
    candidate waiting[CANDIDATES];
    size_t count;
} group_work;

static apart_status measure_waiting(group_work* w) {
    size_t count = w->count;
    w->count = 0;
    return count > 0 ? w->search->measure(w->search, w->waiting, count, w->found) : APART_OK;
}

/// All partners of a body that have a higher id, in order.
static apart_status take_partners(group_work* w, const scene_record* r) {
    const pair_search* s = w->search;
    const apart_scene* scene = s->scene;
    const double most = pair_limit(s->clearance, r->body.margin, scene->largest_margin);
    partner_search search;
    const scene_record* other;
    w->partners.count = 0;
    apart_partners_begin(&search, scene, s->tree, r, s->box ? &s->box[scene->place[r->id]] : &r->box);
    while ((other = apart_partners_next(&search, most))) {
        uint64_t key = (uint64_t)other->id << 32 | scene->place[other->id];
        if (other->id > r->id && !apart_found_add(&w->partners, &key)) return APART_OUT_OF_MEMORY;
    }
    uint64_t* key = (uint64_t*)(void*)w->partners.items;
    meter unlimited = {0};
    apart_sort_keys(key, w->partners.count, &unlimited);
    apart_status status = APART_OK;
    for (size_t i = 0; i < w->partners.count && status == APART_OK; ++i) {
        w->waiting[w->count++] = (candidate){r, &scene->records[(uint32_t)key[i]]};
        if (w->count == CANDIDATES) status = measure_waiting(w);
    }
    return status;
}

/// A round of groups, from some id on.
typedef struct round_work {
    const pair_search* search;
    uint32_t first; // id
    found_list* found;
    apart_status* status;
} round_work;

static apart_status search_group(const round_work* r, size_t group) {
    const apart_scene* scene = r->search->scene;
    group_work w = {.search = r->search, .found = &r->found[group], .partners = {.size = sizeof(uint64_t)}};
    apart_status status = APART_OK;
    for (uint32_t i = 0; i < GROUP_BODIES && status == APART_OK; ++i) {
        uint64_t id = r->first + group * GROUP_BODIES + i;
        const scene_record* record = id < scene->ids ? scene_find(scene, (uint32_t)id) : NULL;
        if (record) status = take_partners(&w, record);
    }
    if (status == APART_OK) status = measure_waiting(&w);
    free(w.partners.items);
    return status;
}

static void search_groups(const void* job, size_t from, size_t to, failure* lowest) {
    const round_work* r = job;
    for (size_t group = from; group < to; ++group) {
        r->status[group] = search_group(r, group);
        failure_note(lowest, group, r->status[group]);
    }
}

/// Reports what a round has found. False: enough.
static bool report_round(const round_work* r, size_t groups, found_fn found, void* context) {
    for (size_t g = 0; g < groups; ++g) {
        const found_list* list = &r->found[g];
        for (size_t i = 0; i < list->count; ++i)
            if (!found(list->items + i * list->size, context)) return false;
        if (r->status[g] != APART_OK) break;
    }
    return true;
}

apart_status apart_pairs_run(const pair_search* s, int threads, found_fn found, void* context) {
    const uint32_t ids = s->scene->ids;
    apart_status status = APART_OK;
    bool more = true;
    for (uint64_t first = 0; first < ids && more && status == APART_OK;
         first += (uint64_t)ROUND_GROUPS * GROUP_BODIES) {
        found_list list[ROUND_GROUPS];
        apart_status statuses[ROUND_GROUPS];
        const round_work r = {.search = s, .first = (uint32_t)first, .found = list, .status = statuses};
        size_t groups = (size_t)(ids - first + GROUP_BODIES - 1) / GROUP_BODIES;
        if (groups > ROUND_GROUPS) groups = ROUND_GROUPS;
        for (size_t g = 0; g < groups; ++g) list[g] = (found_list){.size = s->size};
        status = apart_workers_run(search_groups, &r, groups, s->slow ? 1 : GRAIN, threads);
        more = report_round(&r, groups, found, context);
        for (size_t g = 0; g < groups; ++g) free(list[g].items);
        if (!more) status = APART_OK;
    }
    return status;
}

// All pairs of a scene whose boxes are near each other, in order, measured on several threads.
#ifndef APART_SCENE_PAIRS_H
#define APART_SCENE_PAIRS_H

#include "batch/workers.h"
#include "scene/scene.h"

typedef struct pair_search pair_search;

/// Pairs that are measured before any of them is reported, by their ids, and what is found of each.
typedef struct pair_round {
    const pair_search* search;
    const uint64_t* key;
    void* answers; // of search->size bytes each
    apart_status* statuses;
} pair_round;

struct pair_search {
    const apart_scene* scene;
    const box_tree* tree; // of boxes of its bodies
    double clearance;     // margins not included
    size_t size;          // bytes of an answer
    size_t grain;         // so many pairs take longer than to start a thread
    const void* task;     // for the two functions
    work_fn measure;      // fills answers and statuses; its job is a pair_round
    /// Hands the answer about a pair to the caller, if it is to be reported. False: enough.
    bool (*report)(const pair_round* r, size_t i);
};

/// Two bodies of a round; a has the lower id.
static inline const scene_record* pair_first(const pair_round* r, size_t i) {
    return &r->search->scene->records[r->search->scene->place[r->key[i] >> 32]];
}
static inline const scene_record* pair_second(const pair_round* r, size_t i) {
    return &r->search->scene->records[r->search->scene->place[(uint32_t)r->key[i]]];
}

/// clearance + both margins, the same whoever is first. Rounding does not change the order of two such sums: one with
/// the largest margins is not less than any other.
static inline double pair_limit(double clearance, const scene_record* a, const scene_record* b) {
    return clearance + (a->body.margin + b->body.margin);
}

/// Reports from the caller's thread, in order of the pairs, until `report` says false or a pair fails: that status is
/// returned.
apart_status apart_pairs_run(const pair_search* s, int threads);

#endif

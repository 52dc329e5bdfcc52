// All pairs of a scene whose boxes are near each other, in order, measured on several threads.
#ifndef APART_SCENE_PAIRS_H
#define APART_SCENE_PAIRS_H

#include "batch/workers.h"
#include "scene/scene.h"

typedef struct pair_search {
    const apart_scene* scene;
    const box_tree* tree; // of boxes of its bodies
    double clearance;     // margins not included
    size_t size;          // bytes of an answer
    size_t grain;         // so many pairs take longer than to start a thread
    const void* task;     // for the two functions
    work_fn measure;      // fills answers and statuses; its job is the search
    /// Hands the answer about a pair to the caller, if it is to be reported. False: enough.
    bool (*report)(const struct pair_search* s, size_t i);

    // The pairs that are measured now, before any of them is reported.
    const uint64_t* key; // their ids
    void* answers;
    apart_status* statuses;
} pair_search;

/// A body of a pair that is measured now. first: the one with the lower id.
static inline const scene_record* pair_body(const pair_search* s, size_t i, bool first) {
    return scene_find(s->scene, (uint32_t)(first ? s->key[i] >> 32 : s->key[i]));
}

/// clearance + both margins, the same whoever is first. Rounding does not change the order of two such sums: one with
/// the largest margins is not less than any other.
static inline double pair_limit(double clearance, double margin, double other) { return clearance + (margin + other); }

/// Reports from the caller's thread, in order of the pairs, until `report` says false or a pair fails: that status is
/// returned.
apart_status apart_pairs_run(pair_search* s, int threads);

#endif

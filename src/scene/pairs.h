// All pairs of a scene whose boxes are near each other, in order, measured on several threads.
#ifndef APART_SCENE_PAIRS_H
#define APART_SCENE_PAIRS_H

#include "batch/workers.h"
#include "scene/scene.h"

/// The beginning of whatever else is known to the two functions.
typedef struct pair_search {
    const apart_scene* scene;
    double clearance; // margins not included
    size_t size;      // bytes of an answer
    size_t grain;     // so many pairs take longer than to start a thread; 1 with meshes or unions
    work_fn measure;  // fills answers and statuses; its job is the search
    /// Hands what is found of pair i to the caller, if it is to be reported. False: enough.
    bool (*report)(const struct pair_search* s, size_t i);
    uint64_t* keys; // all pairs, by their ids
    uint32_t count, room;
    uint32_t first; // of those that are measured now, before any of them is reported
    void* answers;  // about these
    apart_status* statuses;
} pair_search;

/// A body of pair i of those that are measured now. lower: the one with the lower id.
static inline const scene_record* pair_body(const pair_search* s, size_t i, bool lower) {
    const uint64_t key = s->keys[s->first + i];
    return scene_find(s->scene, (uint32_t)(lower ? key >> 32 : key));
}

/// clearance + both margins, the same whoever is first. Rounding does not change the order of two such sums: one with
/// the largest margins is not less than any other.
static inline double pair_limit(double clearance, const scene_record* a, const scene_record* b) {
    return clearance + (a->body.margin + b->body.margin);
}

/// Finds the pairs in a tree of boxes of the bodies. Reports from the caller's thread, in order of the pairs, until
/// `report` says false or a pair fails: that status is returned.
apart_status apart_pairs_run(pair_search* s, const box_tree* tree, int threads);

#endif

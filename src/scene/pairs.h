// All pairs of a scene whose boxes are near each other, in order, measured on several threads.
#ifndef APART_SCENE_PAIRS_H
#define APART_SCENE_PAIRS_H

#include "scene/scene.h"

/// Two bodies that are compared, whose boxes are near enough; a has the lower id.
typedef struct candidate {
    const scene_record *a, *b;
} candidate;

/// Things of one size, one after the other.
typedef struct found_list {
    void* items;
    uint32_t count, room;
    size_t size;         // bytes of an item
    apart_status status; // of the first that failed
} found_list;

/// Adds a copy of an item. False if there is no memory for it.
bool apart_found_add(found_list* list, const void* item);

/// So many candidates are measured at a time, at most.
#define CANDIDATES 128

typedef struct pair_search {
    const apart_scene* scene;
    const box_tree* tree; // of the places of the bodies
    double clearance;     // margins not included
    size_t size;          // bytes of an item
    bool slow;            // a pair may be worth a thread
    const void* task;     // for the two functions
    /// Measures up to CANDIDATES of them, in order, and adds what is to be reported, up to the first that fails.
    /// Called from any thread.
    apart_status (*measure)(const struct pair_search* s, const candidate* c, size_t count, found_list* found);
    /// Hands an item to the caller. False: enough.
    bool (*report)(const struct pair_search* s, const void* item);
} pair_search;

/// clearance + both margins, the same whoever is first. Rounding does not change the order of two such sums: one with
/// the largest margins is not less than any other.
static inline double pair_limit(double clearance, double margin, double other) { return clearance + (margin + other); }

/// Reports every item from the caller's thread, in order of the pairs, until `report` says false or a pair fails: that
/// status is returned.
apart_status apart_pairs_run(const pair_search* s, int threads);

#endif

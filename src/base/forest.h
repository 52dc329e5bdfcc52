// Disjoint sets of numbers: each number has a parent in its set, and the lowest of a set is its own.
#ifndef APART_BASE_FOREST_H
#define APART_BASE_FOREST_H

#include <stdint.h>

/// The lowest number of the set of i, as far as known. Halves the way there.
static inline uint32_t forest_root(uint32_t* parent, uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/// Makes two sets one. Lower numbers win, so that parent[i] <= i always.
static inline void forest_unite(uint32_t* parent, uint32_t a, uint32_t b) {
    a = forest_root(parent, a);
    b = forest_root(parent, b);
    if (a < b) parent[b] = a;
    if (b < a) parent[a] = b;
}

#endif

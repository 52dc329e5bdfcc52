// The distinct ones among points.
#ifndef APART_BODY_DISTINCT_H
#define APART_BODY_DISTINCT_H

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/// A hash of three doubles, in which 0 and -0 are the same (multiply and xor-shift, as in splitmix64).
static inline uint64_t hash_point(vec3 p) {
    double parts[3] = {p.x + 0.0, p.y + 0.0, p.z + 0.0};
    uint64_t hash = 0;
    for (int i = 0; i < 3; i++) {
        uint64_t bits;
        memcpy(&bits, &parts[i], sizeof bits);
        hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
        hash *= 0xbf58476d1ce4e5b9u;
        hash ^= hash >> 32;
    }
    return hash;
}

static inline bool same_point(vec3 a, vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/// Writes the index of the first of each group of equal points to `distinct` (room for `count`), and their number to
/// *found. The points are taken in order, so that the lowest index wins and the list ascends; an open hash table of at
/// least twice the size finds the equals. False when out of memory.
static inline bool find_distinct(const vec3* points, uint32_t count, uint32_t* distinct, uint32_t* found) {
    const uint32_t empty = UINT32_MAX;
    uint64_t size = 4;
    while (size < 2 * (uint64_t)count) size *= 2;
    uint32_t* table = size <= SIZE_MAX / sizeof *table ? malloc((size_t)size * sizeof *table) : NULL;
    if (!table) return false;
    memset(table, 0xff, (size_t)size * sizeof *table);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t slot = hash_point(points[i]) & (size - 1);
        while (table[slot] != empty && !same_point(points[table[slot]], points[i])) slot = (slot + 1) & (size - 1);
        if (table[slot] != empty) continue;
        table[slot] = i;
        distinct[(*found)++] = i;
    }
    free(table);
    return true;
}

#endif

// Equal vertices become one point, or near ones do: by a hash table, which gives way to a sort where many vertices
// share a slot, so that no input takes more than n log n.
#ifndef APART_BASE_WELD_H
#define APART_BASE_WELD_H

#include "base/progress.h"
#include "base/vec.h"

/// Nanoseconds: a vertex.
#define WELD_WORK 25.0

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

/// Numbers the points, in the order of their first vertices: point[v] is that of vertex v, *points their count. False
/// when out of memory, or if the meter ends the work.
bool apart_weld(const vec3* vertex, uint32_t count, uint32_t* point, uint32_t* points, meter* m);

/// A group of near places is at most this many widths wide along an axis.
#define WELD_WIDEST 8

/// Groups the places of `count` vertices, vertex[corner[i]], that are near: those within `width` along every axis are
/// in one group, and so are those that a chain of such steps of up to twice that connects, unless the group is wider
/// than WELD_WIDEST widths. first[i] is the first of the group of i. False when out of memory, or if the meter ends the
/// work.
bool apart_weld_near(const vec3* vertex, const uint32_t* corner, uint32_t count, double width, uint32_t* first,
                     meter* m);

#endif

// What the words of a cache mean. Whatever they are, they are checked when they are read, so that any content is safe.
#ifndef APART_CONVEX_MEMORY_H
#define APART_CONVEX_MEMORY_H

#include "base/vec.h"

#include <string.h>

/// What a cache holds beside hints and normal.
enum {
    MEMORY_NOTHING,
    MEMORY_VERTICES, // of the last simplex or features; of meshes and unions: part and triangle
    MEMORY_SURFACE,  // that measured the depth
    MEMORY_BOUNDS,   // nothing: but the depth was found by bounds over all directions
};

/// Places of the words. The normal takes six, three doubles; what comes after it depends on the kind.
enum {
    MEMORY_KIND,
    MEMORY_COUNT_A, // vertices of a and b
    MEMORY_COUNT_B,
    MEMORY_HINT_A, // where the last hill climb ended
    MEMORY_HINT_B,
    MEMORY_FACES,
    MEMORY_NORMAL,
    MEMORY_A = MEMORY_NORMAL + 6,
    MEMORY_B = MEMORY_A + 4,
    MEMORY_WORDS = 64,
};

/// Corners and faces of a surface that fit: by Euler, 2 v - 4 faces.
#define MEMORY_CORNERS 22
#define MEMORY_MOST_FACES (2 * MEMORY_CORNERS - 4)

/// Such a surface: vertices of a and b at each corner, corners of each face. From MEMORY_A on.
typedef struct memory_surface {
    uint16_t a[MEMORY_CORNERS], b[MEMORY_CORNERS];
    uint8_t face[MEMORY_MOST_FACES][3];
} memory_surface;

_Static_assert(sizeof(apart_cache) == MEMORY_WORDS * sizeof(uint32_t), "the words of a cache");
_Static_assert(sizeof(memory_surface) <= (MEMORY_WORDS - MEMORY_A) * sizeof(uint32_t), "a surface fits");

/// The last normal, or any three numbers.
static inline vec3 memory_normal(const apart_cache* cache) {
    double n[3];
    memcpy(n, &cache->words[MEMORY_NORMAL], sizeof n);
    return vec3_make(n[0], n[1], n[2]);
}

static inline void memory_set_normal(apart_cache* cache, vec3 normal) {
    const double n[3] = {normal.x, normal.y, normal.z};
    memcpy(&cache->words[MEMORY_NORMAL], n, sizeof n);
}

/// Leaves vertices of both bodies, at most four each.
static inline void memory_set_counts(apart_cache* cache, uint32_t count_a, uint32_t count_b) {
    cache->words[MEMORY_KIND] = MEMORY_VERTICES;
    cache->words[MEMORY_COUNT_A] = count_a;
    cache->words[MEMORY_COUNT_B] = count_b;
}

#endif

// What the words of a cache mean. Whatever they are, they are checked when they are read, so that any content is safe.
#ifndef APART_CONVEX_CACHE_H
#define APART_CONVEX_CACHE_H

#include "base/vec.h"

#include <string.h>

/// What a cache holds beside hints and normal.
enum {
    CACHE_NOTHING,
    CACHE_VERTICES, // of the last simplex or features; of meshes and unions: part and triangle
    CACHE_SURFACE,  // that measured the depth
    CACHE_BOUNDS,   // nothing: but the depth was found by bounds over all directions
};

/// Places of the words. The normal takes six, three doubles; what comes after it depends on the kind.
enum {
    CACHE_KIND,
    CACHE_COUNT_A, // vertices of a and b
    CACHE_COUNT_B,
    CACHE_HINT_A, // where the last hill climb ended
    CACHE_HINT_B,
    CACHE_FACES,
    CACHE_NORMAL,
    CACHE_A = CACHE_NORMAL + 6,
    CACHE_B = CACHE_A + 4,
    CACHE_WORDS = 64,
};

/// Corners and faces of a surface that fit: by Euler, 2 v - 4 faces.
#define CACHE_CORNERS 22
#define CACHE_MOST_FACES (2 * CACHE_CORNERS - 4)

/// Such a surface: vertices of a and b at each corner, corners of each face. From CACHE_A on.
typedef struct cache_surface {
    uint16_t a[CACHE_CORNERS], b[CACHE_CORNERS];
    uint8_t face[CACHE_MOST_FACES][3];
} cache_surface;

_Static_assert(sizeof(apart_cache) == CACHE_WORDS * sizeof(uint32_t), "the words of a cache");
_Static_assert(sizeof(cache_surface) <= (CACHE_WORDS - CACHE_A) * sizeof(uint32_t), "a surface fits");

/// The last normal, or any three numbers.
static inline vec3 cache_normal(const apart_cache* cache) {
    double n[3];
    memcpy(n, &cache->words[CACHE_NORMAL], sizeof n);
    return vec3_make(n[0], n[1], n[2]);
}

static inline void cache_set_normal(apart_cache* cache, vec3 normal) {
    const double n[3] = {normal.x, normal.y, normal.z};
    memcpy(&cache->words[CACHE_NORMAL], n, sizeof n);
}

/// Vertices to start from, as pairs of the two bodies': of a cache, or of a search that another takes over.
typedef struct simplex_start {
    int count;  // 0 to 4
    bool later; // the search was put off: the bodies may be known to be in each other
    bool deep;  // they probably overlap deeply
    uint32_t a[4], b[4];
    int supports, visits; // support points evaluated on the way to them, and vertices looked at
    int steps;            // that led to them in this query
    double upper;         // how near the steps that were traced came, in the caller's unit
    double lower;         // what they have proven, in the same, with the normal from a towards b
    vec3 normal;
} simplex_start;

/// As pairs the vertices that the last query left, of bodies with so many. Of two features the smaller one's last
/// vertex goes with the rest of the larger one's. None if there is no cache, or if it is of another pair.
static inline void cache_get_start(const apart_cache* cache, uint32_t vertices_a, uint32_t vertices_b,
                                   simplex_start* s) {
    s->count = 0;
    if (!cache || cache->words[CACHE_KIND] != CACHE_VERTICES) return;
    uint32_t count_a = cache->words[CACHE_COUNT_A], count_b = cache->words[CACHE_COUNT_B];
    uint32_t count = count_a > count_b ? count_a : count_b;
    if (count_a == 0 || count_b == 0 || count > 4) return;
    for (uint32_t i = 0; i < count; ++i) {
        s->a[i] = cache->words[CACHE_A + (i < count_a ? i : count_a - 1)];
        s->b[i] = cache->words[CACHE_B + (i < count_b ? i : count_b - 1)];
        if (s->a[i] >= vertices_a || s->b[i] >= vertices_b) return;
    }
    s->count = (int)count;
}

/// Leaves vertices of both bodies, at most four each.
static inline void cache_set_counts(apart_cache* cache, uint32_t count_a, uint32_t count_b) {
    cache->words[CACHE_KIND] = CACHE_VERTICES;
    cache->words[CACHE_COUNT_A] = count_a;
    cache->words[CACHE_COUNT_B] = count_b;
}

/// Leaves a pair of items of meshes and unions: part and triangle of either.
static inline void cache_set_pair(apart_cache* cache, const uint32_t a[2], const uint32_t b[2]) {
    cache_set_counts(cache, 2, 2);
    memcpy(&cache->words[CACHE_A], a, 2 * sizeof a[0]);
    memcpy(&cache->words[CACHE_B], b, 2 * sizeof b[0]);
}

/// Leaves a simplex.
static inline void cache_set_start(apart_cache* cache, const simplex_start* s) {
    cache_set_counts(cache, (uint32_t)s->count, (uint32_t)s->count);
    for (int i = 0; i < s->count; ++i) {
        cache->words[CACHE_A + i] = s->a[i];
        cache->words[CACHE_B + i] = s->b[i];
    }
}

#endif

#include "depth/warm.h"
#include "convex/cache.h"

/// Whether surfaces of these bodies can be kept: vertex numbers take 16 bits.
static bool can_keep(const difference* k) {
    return difference_is_numbered(k) && shape_vertex_count(k->a.shape) <= UINT16_MAX &&
           shape_vertex_count(k->b.shape) <= UINT16_MAX;
}

bool apart_warm_keep(const difference* k, const surface* s, apart_cache* cache) {
    cache_surface m = {.a = {0}};
    uint32_t faces = 0;
    if (!can_keep(k) || s->corners > CACHE_CORNERS || s->faces - s->free_count > CACHE_MOST_FACES) return false;
    for (int i = 0; i < s->corners; ++i) {
        m.a[i] = (uint16_t)s->corner[i].index_a;
        m.b[i] = (uint16_t)s->corner[i].index_b;
    }
    for (int i = 0; i < s->faces; ++i) {
        if (s->face[i].place == REMOVED) continue;
        for (int j = 0; j < 3; ++j) m.face[faces][j] = (uint8_t)s->face[i].corner[j];
        faces += 1;
    }
    cache->words[CACHE_KIND] = CACHE_SURFACE;
    cache->words[CACHE_COUNT_A] = cache->words[CACHE_COUNT_B] = (uint32_t)s->corners;
    cache->words[CACHE_FACES] = faces;
    memcpy(&cache->words[CACHE_A], &m, sizeof m);
    return true;
}

bool apart_warm_surface(difference* k, const apart_cache* cache, surface* s) {
    const uint32_t corners = cache->words[CACHE_COUNT_A], faces = cache->words[CACHE_FACES];
    if (cache->words[CACHE_KIND] != CACHE_SURFACE || !can_keep(k)) return false;
    if (corners > CACHE_CORNERS || faces < 4 || faces > CACHE_MOST_FACES) return false;
    cache_surface m;
    memcpy(&m, &cache->words[CACHE_A], sizeof m);
    const uint32_t count_a = shape_vertex_count(k->a.shape), count_b = shape_vertex_count(k->b.shape);
    apart_minkowski_place(k);
    s->corners = (int)corners;
    for (uint32_t i = 0; i < corners; ++i) {
        if (m.a[i] >= count_a || m.b[i] >= count_b) return false;
        s->corner[i] = apart_minkowski_vertex(k, m.a[i], m.b[i]);
    }
    return apart_surface_build(s, faces, (const uint8_t(*)[3])m.face);
}

#include "convex/recall.h"
#include "base/two.h"

#include <string.h>

void apart_recall_keep(const difference* k, const surface* s, vec3 normal, apart_cache* cache) {
    apart_difference_remember(k, normal, cache);
    if (!difference_is_numbered(k) || s->faces - s->free_count > APART_CACHE_FACES) return;
    uint8_t number[MAX_CORNERS];
    memset(number, UINT8_MAX, sizeof number);
    uint32_t corners = 0, faces = 0;
    for (int i = 0; i < s->faces; ++i) {
        const face* f = &s->face[i];
        if (f->place == REMOVED) continue;
        for (int j = 0; j < 3; ++j) {
            const vertex* p = &s->corner[f->corner[j]];
            uint8_t* n = &number[f->corner[j]];
            if (*n == UINT8_MAX) {
                if (corners == APART_CACHE_VERTICES) return;
                cache->a[corners] = p->index_a;
                cache->b[corners] = p->index_b;
                *n = (uint8_t)corners++;
            }
            cache->face[faces][j] = *n;
        }
        faces += 1;
    }
    cache->count_a = cache->count_b = corners;
    cache->faces = faces;
}

/// Row i of the matrices of both bodies.
static inline two3 row_of(const difference* k, int i) {
    const double *a = k->a.pose->rotation.m[i], *b = k->b.pose->rotation.m[i];
    return (two3){two_of(a[0], b[0]), two_of(a[1], b[1]), two_of(a[2], b[2])};
}

/// Puts corners that are made of numbered vertices in their places, both bodies at once.
static void place_corners(const difference* k, surface* s) {
    const two3 row[3] = {row_of(k, 0), row_of(k, 1), row_of(k, 2)};
    const two factor = two_of(k->a.factor, k->b.factor);
    for (int i = 0; i < s->corners; ++i) {
        vertex* p = &s->corner[i];
        two3 v = two3_of(shape_vertex(k->a.shape, p->index_a), shape_vertex(k->b.shape, p->index_b));
        two x = factor * two3_dot(row[0], v), y = factor * two3_dot(row[1], v), z = factor * two3_dot(row[2], v);
        p->w = vec3_add(vec3_make(x[0] - x[1], y[0] - y[1], z[0] - z[1]), k->offset);
    }
}

/// Puts the corners of the surface in their places in K, without points on the bodies.
static bool recall_corners(difference* k, const apart_cache* cache, surface* s) {
    if (cache->count_a != cache->count_b || cache->count_a > APART_CACHE_VERTICES) return false;
    if (cache->faces < 4 || cache->faces > APART_CACHE_FACES) return false;
    s->corners = (int)cache->count_a;
    apart_difference_place(k);
    const uint32_t count_a = shape_vertex_count(k->a.shape), count_b = shape_vertex_count(k->b.shape);
    for (int i = 0; i < s->corners; ++i) {
        vertex* p = &s->corner[i];
        p->index_a = cache->a[i];
        p->index_b = cache->b[i];
        if (p->index_a >= count_a || p->index_b >= count_b) return false;
        if (k->a.placed && k->b.placed) p->w = difference_place(k, p->index_a, p->index_b);
    }
    if (!(k->a.placed && k->b.placed)) place_corners(k, s);
    return true;
}

bool apart_recall_surface(difference* k, const apart_cache* cache, surface* s) {
    return recall_corners(k, cache, s) && apart_surface_build(s, cache->faces, cache->face);
}

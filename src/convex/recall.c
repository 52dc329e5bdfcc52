#include "convex/recall.h"
#include "base/two.h"

#include <string.h>

/// Words of a place that is not a vertex number: three coordinates of so many bits.
#define PLACE_WORDS 2
#define PLACE_BITS 21
/// A coordinate from -1 to 1 as a whole number: this is 1, and so much is added so that none is negative.
#define PLACE_UNIT (PLACE_ZERO - 1.0)
#define PLACE_ZERO (1 << (PLACE_BITS - 1))

/// Whether surfaces of these bodies can be kept: a caller's function has neither vertex numbers nor places.
static bool can_keep(const difference* k) {
    return k->a.shape->kind != SHAPE_SUPPORT && k->b.shape->kind != SHAPE_SUPPORT;
}

/// Words for a corner of a body.
static size_t words_of(const posed_body* body) { return shape_has_vertices(body->shape) ? 1 : PLACE_WORDS; }

/// The widest that a unit cone or cylinder is at height z.
static double radius_at(shape_kind kind, double z) { return kind == SHAPE_CONE ? 0.5 * (1 - z) : 1; }

/// Whether a place lies in the unit body.
static bool is_inside(shape_kind kind, vec3 p) {
    double across = p.x * p.x + p.y * p.y;
    if (kind == SHAPE_ELLIPSOID) return across + p.z * p.z <= 1;
    double radius = radius_at(kind, p.z);
    return fabs(p.z) <= 1 && across <= radius * radius;
}

/// The next place towards the middle; the middle itself where the body is so small or thin that nothing can be told.
static double inwards(double x) { return fabs(x) < 2 ? (double)(int32_t)(x * PLACE_UNIT) / PLACE_UNIT : 0; }

/// A place in the unit body for a point of the body, as near as the bits allow.
static vec3 place_of(const posed_body* body, vec3 point) {
    vec3 e = body->shape->extent, local = vec3_scale(1 / body->factor, mat3_tmul(&body->pose->rotation, point));
    vec3 p = {e.x > 0 ? local.x / e.x : 0, e.y > 0 ? local.y / e.y : 0, e.z > 0 ? local.z / e.z : 0};
    double shrink = 1 / larger(1, vec3_length(p));
    if (body->shape->kind != SHAPE_ELLIPSOID) {
        double across = sqrt(p.x * p.x + p.y * p.y);
        p.z = inwards(larger(-1, smaller(1, p.z)));
        double radius = radius_at(body->shape->kind, p.z);
        shrink = across > radius ? radius / across : 1;
        return vec3_make(inwards(shrink * p.x), inwards(shrink * p.y), p.z);
    }
    return vec3_make(inwards(shrink * p.x), inwards(shrink * p.y), inwards(shrink * p.z));
}

/// Coordinates as words, and back.
static void pack(vec3 p, uint32_t word[PLACE_WORDS]) {
    const double x[3] = {p.x, p.y, p.z};
    uint64_t bits = 0;
    for (int i = 0; i < 3; ++i) bits = bits << PLACE_BITS | (uint64_t)(x[i] * PLACE_UNIT + PLACE_ZERO + 0.5);
    word[0] = (uint32_t)bits;
    word[1] = (uint32_t)(bits >> 32);
}

static vec3 unpack(const uint32_t word[PLACE_WORDS]) {
    const uint64_t mask = (UINT64_C(1) << PLACE_BITS) - 1;
    uint64_t bits = (uint64_t)word[1] << 32 | word[0];
    double x[3];
    for (int i = 2; i >= 0; --i, bits >>= PLACE_BITS) x[i] = ((double)(bits & mask) - PLACE_ZERO) / PLACE_UNIT;
    return vec3_make(x[0], x[1], x[2]);
}

static void keep_corner(const posed_body* body, uint32_t index, const vec3* point, uint32_t* word) {
    if (shape_has_vertices(body->shape)) {
        *word = index;
        return;
    }
    pack(place_of(body, *point), word);
}

/// False if the words are no corner of this body.
static bool recall_corner(const posed_body* body, const uint32_t* word, uint32_t* index, vec3* point) {
    const apart_shape* s = body->shape;
    if (shape_has_vertices(s)) {
        *index = *word;
        if (*index >= shape_vertex_count(s)) return false;
        *point = posed_vertex(body, *index);
        return true;
    }
    vec3 p = unpack(word);
    *index = NO_VERTEX;
    *point = posed_point(body, vec3_make(p.x * s->extent.x, p.y * s->extent.y, p.z * s->extent.z));
    return is_inside(s->kind, p);
}

void apart_recall_keep(const difference* k, const surface* s, vec3 normal, apart_cache* cache) {
    const size_t words_a = words_of(&k->a), words_b = words_of(&k->b);
    const size_t most = APART_CACHE_VERTICES / (words_a > words_b ? words_a : words_b);
    apart_difference_remember(k, normal, cache);
    if (!can_keep(k) || s->faces - s->free_count > APART_CACHE_FACES) return;
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
                if (corners == most) return;
                keep_corner(&k->a, p->index_a, &p->a, &cache->a[words_a * corners]);
                keep_corner(&k->b, p->index_b, &p->b, &cache->b[words_b * corners]);
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

static bool recall_numbered(const difference* k, const apart_cache* cache, surface* s) {
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

/// Puts the corners of the surface in their places in K. Those of numbered vertices get no points on the bodies.
static bool recall_corners(difference* k, const apart_cache* cache, surface* s) {
    const size_t words_a = words_of(&k->a), words_b = words_of(&k->b);
    const size_t most = APART_CACHE_VERTICES / (words_a > words_b ? words_a : words_b);
    if (!can_keep(k)) return false;
    if (cache->count_a != cache->count_b || cache->count_a > most) return false;
    if (cache->faces < 4 || cache->faces > APART_CACHE_FACES) return false;
    s->corners = (int)cache->count_a;
    apart_difference_place(k);
    if (difference_is_numbered(k)) return recall_numbered(k, cache, s);
    for (uint32_t i = 0; i < cache->count_a; ++i) {
        vertex* p = &s->corner[i];
        bool known = recall_corner(&k->a, &cache->a[words_a * i], &p->index_a, &p->a);
        known = recall_corner(&k->b, &cache->b[words_b * i], &p->index_b, &p->b) && known;
        if (!known) return false;
        p->w = vec3_add(vec3_sub(p->a, p->b), k->offset);
    }
    return true;
}

bool apart_recall_surface(difference* k, const apart_cache* cache, surface* s) {
    return recall_corners(k, cache, s) && apart_surface_build(s, cache->faces, cache->face);
}

// Open addressing with linear probing; equality is exact, and 0 equals -0.
#include "weld.h"

#include <stdlib.h>
#include <string.h>

// Adding zero turns -0 into 0 and leaves everything else alone.
static uint64_t bits(double x) {
    uint64_t out = 0;
    x += 0.0;
    memcpy(&out, &x, sizeof out);
    return out;
}

// Coordinates of a model differ in the upper bits only, and lie on grids. So each one is folded (upper bits to the
// lower ones) and multiplied (lower bits to the upper ones) before the next is added; the last fold serves the table,
// which takes the lowest bits.
uint64_t weld_hash(apart_vec3 p) {
    uint64_t h = bits(p.x);
    h = (h ^ h >> 32) * 0xbf58476d1ce4e5b9u + bits(p.y);
    h = (h ^ h >> 32) * 0x94d049bb133111ebu + bits(p.z);
    h = (h ^ h >> 32) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 32;
}

static bool same(apart_vec3 p, apart_vec3 q) { return p.x == q.x && p.y == q.y && p.z == q.z; }

// The slot that holds `point`, or the free one where it belongs.
static size_t locate(const weld* table, const apart_vec3* points, apart_vec3 point, uint64_t hash) {
    size_t i = (size_t)hash & (table->slots - 1);
    while (table->slot[i] && !same(points[table->slot[i] - 1], point)) i = (i + 1) & (table->slots - 1);
    return i;
}

bool weld_reserve(weld* table, size_t count) {
    size_t slots = 1024;
    while (slots / 2 < count) slots *= 2;
    table->slot = calloc(slots, sizeof *table->slot);
    table->slots = table->slot ? slots : 0;
    return table->slot;
}

// Twice the slots, everything put in again.
static bool enlarge(weld* table, const apart_vec3* points, size_t count) {
    weld larger = {0};
    if (!weld_reserve(&larger, table->slots)) return false;
    for (size_t i = 0; i < count; i++)
        larger.slot[locate(&larger, points, points[i], weld_hash(points[i]))] = (uint32_t)i + 1;
    free(table->slot);
    *table = larger;
    return true;
}

uint32_t weld_find(weld* table, const apart_vec3* points, size_t count, apart_vec3 point, uint64_t hash) {
    if (count >= table->slots / 2 && !enlarge(table, points, count)) return WELD_FAILED;
    const size_t i = locate(table, points, point, hash);
    if (table->slot[i] == 0) table->slot[i] = (uint32_t)count + 1;
    return table->slot[i] - 1;
}

void weld_free(weld* table) {
    free(table->slot);
    *table = (weld){0};
}

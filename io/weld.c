// Open addressing with linear probing; equality is exact, and 0 equals -0.
#include "weld.h"

#include <stdlib.h>
#include <string.h>

// The finaliser of splitmix64: every bit of the input reaches every bit of the output.
static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// Adding zero turns -0 into 0 and leaves everything else alone.
static uint64_t bits(double x) {
    uint64_t out = 0;
    x += 0.0;
    memcpy(&out, &x, sizeof out);
    return out;
}

static uint64_t hash(apart_vec3 p) { return mix(bits(p.x) + mix(bits(p.y) + mix(bits(p.z) + 0x9e3779b97f4a7c15u))); }

static bool same(apart_vec3 p, apart_vec3 q) { return p.x == q.x && p.y == q.y && p.z == q.z; }

// The slot that holds `point`, or the free one where it belongs.
static size_t locate(const weld* table, const apart_vec3* points, apart_vec3 point) {
    size_t i = (size_t)hash(point) & (table->slots - 1);
    while (table->slot[i] && !same(points[table->slot[i] - 1], point)) i = (i + 1) & (table->slots - 1);
    return i;
}

// Twice the slots, everything put in again.
static bool enlarge(weld* table, const apart_vec3* points, size_t count) {
    weld larger = {.slots = table->slots ? 2 * table->slots : 1024};
    larger.slot = calloc(larger.slots, sizeof *larger.slot);
    if (!larger.slot) return false;
    for (size_t i = 0; i < count; i++) larger.slot[locate(&larger, points, points[i])] = (uint32_t)i + 1;
    free(table->slot);
    *table = larger;
    return true;
}

uint32_t weld_find(weld* table, const apart_vec3* points, size_t count, apart_vec3 point) {
    if (2 * (count + 1) > table->slots && !enlarge(table, points, count)) return WELD_FAILED;
    const size_t i = locate(table, points, point);
    if (table->slot[i] == 0) table->slot[i] = (uint32_t)count + 1;
    return table->slot[i] - 1;
}

void weld_free(weld* table) {
    free(table->slot);
    *table = (weld){0};
}

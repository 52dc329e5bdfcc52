// Merging points with equal coordinates: a hash table of indices.
#ifndef APART_IO_WELD_H
#define APART_IO_WELD_H

#include "apart/apart.h"
#include "names.h"

/// {0} is empty.
typedef struct weld {
    uint32_t* slot; // 1 + index of a point, 0 = free; a power of two of them, at most half in use
    size_t slots;
} weld;

#define WELD_FAILED UINT32_MAX

/// Makes room for `count` different points at once; more can come. False when out of memory. Only for an empty table.
bool weld_reserve(weld* table, size_t count);

/// A number made of the coordinates, the same for equal points.
uint64_t weld_hash(apart_vec3 point);

/// Tells the memory that a point with this hash will be looked for soon. Large tables are not in the cache.
static inline void weld_prefetch(const weld* table, uint64_t hash) {
#if defined(__GNUC__)
    if (table->slots) __builtin_prefetch(&table->slot[hash & (table->slots - 1)]);
#else
    (void)table, (void)hash;
#endif
}

/// The index of the point equal to `point` among points[0 .. count), all of which have been through this table. If
/// there is none, `count`: the caller appends the point under that number. WELD_FAILED when out of memory.
/// `hash` is weld_hash(point).
uint32_t weld_find(weld* table, const apart_vec3* points, size_t count, apart_vec3 point, uint64_t hash);
void weld_free(weld* table);

#endif

// Merging points with equal coordinates: a hash table of indices.
#ifndef APART_IO_WELD_H
#define APART_IO_WELD_H

#include "apart/apart.h"

/// {0} is empty.
typedef struct weld {
    uint32_t* slot; // 1 + index of a point, 0 = free; a power of two of them, at most half in use
    size_t slots;
} weld;

#define WELD_FAILED UINT32_MAX

/// The index of the point equal to `point` among points[0 .. count), all of which have been through this table. If
/// there is none, `count`: the caller appends the point under that number. WELD_FAILED when out of memory.
uint32_t weld_find(weld* table, const apart_vec3* points, size_t count, apart_vec3 point);
void weld_free(weld* table);

#endif

// Memory for arrays whose sizes come from the caller's counts.
#ifndef APART_BASE_MEMORY_H
#define APART_BASE_MEMORY_H

#include "base/progress.h"

#include <stdlib.h>
#include <string.h>

/// Nanoseconds: a byte of new memory.
#define TOUCH_WORK 0.3

/// Room for `count` things, all zero; never NULL for want of things.
static inline void* room(uint64_t count, size_t size) {
    count += count == 0;
    return count <= SIZE_MAX / size ? calloc((size_t)count, size) : NULL;
}

/// Room, all zero, for an array that will be written to here and there. All its pages are touched now, in order:
/// else the first writes would take as long all together, and no meter would count that.
static inline void* large_memory(uint64_t count, size_t size, meter* m) {
    count += count == 0;
    char* array = count <= SIZE_MAX / size ? malloc((size_t)count * size) : NULL;
    size_t bytes = (size_t)count * size, piece = 64 * (size_t)METER_ITEMS;
    for (size_t at = 0; array && at < bytes; at += piece) {
        if (piece > bytes - at) piece = bytes - at;
        memset(array + at, 0, piece);
        meter_add(m, TOUCH_WORK * (double)piece);
    }
    return array;
}

#endif

// Sorting in place: keys that are made of other numbers, n log n at most and stopped by the meter; short lists.
#ifndef APART_BASE_SORT_H
#define APART_BASE_SORT_H

#include "base/progress.h"
#include "base/vec.h"

#include <stddef.h>
#include <stdint.h>

/// How often so many things are halved until few are left.
static inline double rounds_of(size_t count) {
    int rounds = 0;
    while (count >> rounds > 16) rounds++;
    return rounds;
}

/// Sorts different keys. False if the meter ends the work.
bool apart_sort_keys(uint64_t* key, size_t count, meter* m);

/// An order of numbers.
typedef bool (*number_order)(const void* context, uint32_t a, uint32_t b);

/// Puts a number into a heap, the last on top, whose place k is free and above those that it may have to go below.
static inline void heap_sink(uint32_t* heap, uint32_t length, uint32_t k, uint32_t number, number_order before,
                             const void* context) {
    for (uint32_t child = 2 * k + 1; child < length; child = 2 * k + 1) {
        if (child + 1 < length && before(context, heap[child], heap[child + 1])) child++;
        if (!before(context, number, heap[child])) break;
        heap[k] = heap[child];
        k = child;
    }
    heap[k] = number;
}

/// Sorts numbers in place, n log n for any input (Williams 1964).
static inline void sort_numbers(uint32_t* list, uint32_t length, number_order before, const void* context) {
    for (uint32_t k = length / 2; k-- > 0;) heap_sink(list, length, k, list[k], before, context);
    while (length > 1) {
        uint32_t number = list[--length];
        list[length] = list[0];
        heap_sink(list, length, 0, number, before, context);
    }
}

/// Their own order, for sort_numbers.
static inline bool number_is_lower(const void* context, uint32_t a, uint32_t b) {
    (void)context;
    return a < b;
}

/// The order of points, the context, by x, then by y, then by z, then by number.
static inline bool point_is_before(const void* points, uint32_t a, uint32_t b) {
    const vec3 *all = points, p = all[a], q = all[b];
    if (p.x != q.x) return p.x < q.x;
    if (p.y != q.y) return p.y < q.y;
    return p.z != q.z ? p.z < q.z : a < b;
}

/// The end of the row of keys from `start` on that agree in all bits from `shift` upwards.
static inline size_t row_end(const uint64_t* key, size_t start, size_t count, int shift) {
    size_t i = start + 1;
    while (i < count && key[i] >> shift == key[start] >> shift) i++;
    return i;
}

#endif

// Sorting in place: keys that are made of other numbers, n log n at most and stopped by the meter; short lists.
#ifndef APART_BASE_SORT_H
#define APART_BASE_SORT_H

#include "base/progress.h"

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

/// Sorts numbers by any order (Shell's method); no memory is needed.
static inline void sort_numbers(uint32_t* list, uint32_t length,
                                bool (*before)(const void* context, uint32_t a, uint32_t b), const void* context) {
    uint32_t gap = 1;
    while (gap < length / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3) {
        for (uint32_t i = gap; i < length; i++) {
            uint32_t number = list[i], k = i;
            for (; k >= gap && before(context, number, list[k - gap]); k -= gap) list[k] = list[k - gap];
            list[k] = number;
        }
    }
}

/// Their own order, for sort_numbers.
static inline bool number_is_lower(const void* context, uint32_t a, uint32_t b) {
    (void)context;
    return a < b;
}

/// The end of the row of keys from `start` on that agree in all bits from `shift` upwards.
static inline size_t row_end(const uint64_t* key, size_t start, size_t count, int shift) {
    size_t i = start + 1;
    while (i < count && key[i] >> shift == key[start] >> shift) i++;
    return i;
}

#endif

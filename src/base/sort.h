// Sorting of numbers that are made of other numbers: in place, n log n at most, and stopped by the meter.
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

/// The end of the row of keys from `start` on that agree in all bits from `shift` upwards.
static inline size_t row_end(const uint64_t* key, size_t start, size_t count, int shift) {
    size_t i = start + 1;
    while (i < count && key[i] >> shift == key[start] >> shift) i++;
    return i;
}

#endif

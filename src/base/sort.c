// Sorting keys in place: by their highest differing bit, the last few by insertion.
#include "base/sort.h"

/// Nanoseconds: a key in one round of sorting.
#define SORT_WORK 1.5

/// The highest bit in which keys differ; 0 if they do not.
static uint64_t highest_difference(const uint64_t* key, size_t count) {
    uint64_t bits = 0;
    for (size_t i = 1; i < count; i++) bits |= key[i] ^ key[0];
    while (bits & (bits - 1)) bits &= bits - 1;
    return bits;
}

#define FEW_KEYS 16

/// Sorts keys by insertion. False if that takes more than so many moves: then they are in some other order.
static bool insert_keys(uint64_t* key, size_t count, size_t moves) {
    for (size_t i = 1; i < count; i++) {
        uint64_t k = key[i];
        size_t j = i;
        for (; j > 0 && key[j - 1] > k; j--) key[j] = key[j - 1];
        key[j] = k;
        if (i - j > moves) return false;
        moves -= i - j;
    }
    return true;
}

/// Sorts different keys: parts them by the highest bit in which they differ, in place, and the last few by insertion.
/// The recursion goes down one bit at least, so it is at most 64 deep. False if the meter ends the work.
static bool sort_keys(uint64_t* key, size_t count, meter* m) {
    while (count > FEW_KEYS) {
        uint64_t bit = highest_difference(key, count);
        size_t low = 0, high = count;
        for (size_t step = 0; low < high; step++) {
            uint64_t k = key[low];
            if (k & bit) {
                key[low] = key[--high];
                key[high] = k;
            } else {
                low++;
            }
            if (!meter_item(m, step, SORT_WORK)) return false;
        }
        if (!sort_keys(key, low, m)) return false;
        key += low;
        count -= low;
    }
    return insert_keys(key, count, SIZE_MAX);
}

// Keys that are many are work of their own. Those of scattered triangles are nearly in order.
bool apart_sort_keys(uint64_t* key, size_t count, meter* m) {
    if (count > FEW_KEYS && insert_keys(key, count, count)) return true;
    if (count > METER_ITEMS) meter_more(m, SORT_WORK * (double)count * rounds_of(count));
    return sort_keys(key, count, m);
}

// What the fuzz targets for queries share: bytes that turn into numbers, zeros when they run out.
#ifndef APART_FUZZ_SOURCE_H
#define APART_FUZZ_SOURCE_H

#include "apart/apart.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#define REQUIRE(condition)                                                                                             \
    if (!(condition)) abort()

typedef struct source {
    const uint8_t* at;
    size_t left;
} source;

static inline void take(source* s, void* out, size_t size) {
    memset(out, 0, size);
    const size_t taken = size < s->left ? size : s->left;
    if (taken) memcpy(out, s->at, taken);
    s->at += taken;
    s->left -= taken;
}

static inline unsigned take_byte(source* s) {
    uint8_t byte = 0;
    take(s, &byte, 1);
    return byte;
}

#endif

// What the fuzz targets share: bytes that turn into numbers, zeros when they run out; what holds of every answer.
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
    double (*number)(struct source* s); // how the target makes a number of bytes
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

static inline apart_vec3 take_point(source* s) {
    apart_vec3 p;
    p.x = s->number(s);
    p.y = s->number(s);
    p.z = s->number(s);
    return p;
}

static inline void check_numbers(const apart_result* r, apart_depth depth) {
    REQUIRE(isfinite(r->upper_bound) && isfinite(r->lower_bound) && r->lower_bound <= r->distance &&
            r->distance <= r->upper_bound);
    REQUIRE(depth != APART_DEPTH_NONE || r->lower_bound >= 0);
    const double x[9] = {r->point_a.x, r->point_a.y, r->point_a.z, r->point_b.x, r->point_b.y,
                         r->point_b.z, r->normal.x,  r->normal.y,  r->normal.z};
    for (int i = 0; i < 9; i++) REQUIRE(isfinite(x[i]));
    REQUIRE(fabs(x[6] * x[6] + x[7] * x[7] + x[8] * x[8] - 1) <= 1e-12);
    REQUIRE(r->iterations >= 0 && r->supports >= 0 && r->visits >= 0);
}

#endif

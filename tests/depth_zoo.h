// The hard cases of depth: aligned, identical, nested, flat, touching, tiny in huge, round; the signed distance of each
// worked out by hand.
#ifndef APART_TESTS_DEPTH_ZOO_H
#define APART_TESTS_DEPTH_ZOO_H

#include "bodies.h"

typedef struct depth_case {
    const char* name;
    double distance; // signed, to the last bits
    pair pair;
} depth_case;

int depth_zoo_count(void);
void depth_zoo_get(int index, depth_case* out);

#endif

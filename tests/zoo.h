// The hard cases every distance routine is tried on: parallel faces, touching features, nested, flat, thin, coincident.
#ifndef APART_TESTS_ZOO_H
#define APART_TESTS_ZOO_H

#include "bodies.h"

typedef enum zoo_relation {
    ZOO_APART,    // distance > 0
    ZOO_TOUCHING, // distance 0, but no depth: 0 up to rounding is right
    ZOO_OVERLAP   // an interior point is shared: the answer must be 0
} zoo_relation;

typedef struct zoo_case {
    const char* name;
    zoo_relation relation;
    double distance; // worked out by hand, to the last bits
    pair pair;
} zoo_case;

int zoo_count(void);
void zoo_get(int index, zoo_case* out);

#endif

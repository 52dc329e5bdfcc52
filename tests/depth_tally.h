// How many depths of each kind were judged, exact and bound beside each other, and how many were wrong.
#ifndef APART_TESTS_DEPTH_TALLY_H
#define APART_TESTS_DEPTH_TALLY_H

#include "certificate.h"

/// What the depth oracle says of a pair.
typedef enum place { APART, TOUCHING, SHALLOW, DEEP, FLAT, PLACES } place;

typedef struct tally {
    census exact, bound;
    long seen[PLACES];
    long disagree;       // a bound beside the exact answer
    long bounds;         // of bodies that overlap by more than rounding
    double inner, outer; // mean of depth from inside and outside over the depth, bound
} tally;

void tally_print(const tally* y);
/// Nothing was wrong, and few were left open.
void tally_check(const tally* y);

/// Opens the trial, asks all methods, exact and bound, and closes it.
void tally_judge(tally* y, trial* t);
/// All methods on an open trial: the exact depth is what it should be.
void tally_expect(tally* y, const trial* t, const char* name, double distance, double slack);

#endif

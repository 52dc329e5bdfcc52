// What every answer of apart_distance must satisfy, checked from outside: the bracket holds the oracle's, the points
// lie in the bodies, the witnesses carry the points, the supports along the normal reproduce the lower bound. Where
// depth is asked for, distances are signed and judged by the depth oracle.
#ifndef APART_TESTS_CERTIFICATE_H
#define APART_TESTS_CERTIFICATE_H

#include "bodies.h"
#include "depth_oracle.h"

#define METHODS 4
/// AUTO, GJK, ENHANCED, FEATURES: the index is the enumerator.
extern const char* const method_names[METHODS];
#define DEPTHS 3
/// NONE, BOUND, EXACT: the index is the enumerator.
extern const char* const depth_names[DEPTHS];
/// The default query, by this method and with this depth.
apart_query query_of(int method, apart_depth depth);

/// How far off the worst answer was. Lengths are in units of the pair's size, roundings in units of 2^-53 of it.
typedef struct worst {
    double gap_corners;  // upper_bound - lower_bound, both bodies with corners
    double gap_round;    // the same where a body has none
    double outside;      // of the nearest points, in roundings
    double slab;         // lower_bound above what the normal proves, in roundings
    double dot;          // (point_b - point_a) . normal against distance, in roundings
    double normal;       // | |normal| - 1 |, in roundings
    double estimate;     // distance against the truth, between corners, in roundings
    double oracle;       // the oracle's own gap
    double above, below; // the least that upper_bound stays above and lower_bound below the truth, in roundings
    int iterations, supports;
    long full, thin; // depths whose bracket stayed open: because the memory was full, or the difference too thin
} worst;

/// What the oracle says of a pair.
typedef enum regime { REGIME_APART, REGIME_NEAR, REGIME_TOUCHING, REGIME_OVERLAP, REGIMES } regime;
extern const char* const regime_names[REGIMES];
regime regime_of(const oracle_answer* truth);

/// How many answers of each kind were judged, and how many were wrong.
typedef struct census {
    long placed[PLACEMENTS];
    long judged[METHODS][REGIMES];
    long wrong;
    worst worst[METHODS];
} census;

/// A pair with its shapes and the truth about it.
typedef struct trial {
    pair pair;
    apart_shape *a, *b;
    oracle_answer truth;
    depth_answer depth; // once trial_ask_depth was called: only then may depth be asked for
    bool depth_known;
    bool corners; // both bodies have corners that the library knows of
} trial;

/// The shapes of t->pair. False (with a line on stderr) if one is refused.
bool trial_shape(trial* t);
/// Shapes and truth. False if a shape is refused.
bool trial_open(trial* t);
/// The truth again, after the poses have changed.
void trial_ask_oracle(trial* t);
/// The signed truth, for queries with depth; after trial_open and after each trial_ask_oracle.
void trial_ask_depth(trial* t);
void trial_close(trial* t);
/// apart_distance on the trial; everything is checked by the caller.
apart_status trial_query(const trial* t, const apart_query* q, apart_cache* cache, apart_result* result);

/// NULL if the result is right, else what is wrong with it. Updates *w (which may be NULL).
const char* certificate_check(const trial* t, const apart_query* q, const apart_result* r, worst* w);

/// Asks, checks and counts one query; prints the inputs on stderr if the answer is wrong. True if right.
bool trial_judge(const trial* t, const apart_query* q, apart_cache* cache, census* c);
/// The same by every method without a cache; counts the placement.
void trial_judge_methods(const trial* t, census* c);

void census_add(census* into, const census* from);
/// Whether every method met every regime so many times.
bool census_reached(const census* c, long least);
/// How many depths stayed open, all methods together.
long census_open(const census* c);
void census_print(FILE* out, const census* c);

#endif

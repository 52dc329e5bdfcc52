// Pairs of bodies that are too near each other: what 'apart check' finds.
#ifndef APART_CLI_FINDINGS_H
#define APART_CLI_FINDINGS_H

#include "apart/io.h"

/// Worst first.
typedef enum finding_class { DUPLICATE, CONTAINED, OVERLAP, TOUCH, NEAR_PAIR, CLASSES } finding_class;
extern const char* const class_names[CLASSES];

typedef enum finding_state { STATE_NEW, STATE_KNOWN } finding_state;

typedef struct finding {
    uint32_t a, b; // ids, a < b
    finding_class class;
    finding_state state;                       // beside a baseline
    double limit;                              // the clearance and both margins
    double distance, lower_bound, upper_bound; // of bodies that move: the least of all times
    apart_vec3 point_a, point_b;
    uint32_t inner;          // CONTAINED: the body that is inside
    bool moves;              // one of them moves; the next three mean something then
    double time, time_upper; // when they first come nearer than the limit: not before, not later
    double closest;          // when the points are where they are
} finding;

/// What counts.
typedef struct check_rules {
    double clearance;
    double permit;     // overlaps of at most this depth are no findings
    double touch;      // gaps and overlaps of at most this are touching; below 0: not said
    bool depth;        // how deep is asked for
    const char* group; // "G": one body is of this group; "G,H": one is of each. NULL = any
    const char** only; // names: one body is one of these, or an object of it; NULL = any
    size_t only_count;
    int threads;
} check_rules;

typedef struct findings {
    finding* items;
    size_t count, room;
    size_t permitted; // pairs that overlap or touch as the rules permit
} findings;

/// Fills an empty list, worst first. False, and a sentence in *error, on failure. Free the items.
bool findings_collect(const apart_io_scene* scene, const check_rules* rules, findings* out, apart_error* error);

#endif

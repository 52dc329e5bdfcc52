// What every answer about meshes and unions must satisfy, checked from outside: the bracket holds the oracle's, the
// witnesses are in range and carry the points, a common point is in both bodies, one of the reasons to stop is there.
#ifndef APART_TESTS_MESH_CERTIFICATE_H
#define APART_TESTS_MESH_CERTIFICATE_H

#include "certificate.h"
#include "mesh_oracle.h"

/// How far off the worst answer was.
typedef struct thing_census {
    long judged[THING_REGIMES];
    long wrong, unknown;
    double gap;        // upper_bound - lower_bound of exact queries, of the size
    double off;        // of the points, in roundings of the numbers they are made of
    double oracle;     // the oracle's own gap, of the size
    apart_vec3 common; // the last common point that was found to be one, and of which pair
    double common_size, common_place;
} thing_census;

/// NULL if the answer is right, else what is wrong with it.
const char* thing_check(const thing* a, const thing* b, const thing_truth* t, const apart_query* q,
                        const apart_result* r, thing_census* c);

/// Two things in the world, the shapes and poses to ask the library with, and the truth.
typedef struct encounter {
    const char* name;
    thing a, b;
    apart_shape *shape_a, *shape_b;
    apart_pose pose_a, pose_b;
    thing_truth truth;
} encounter;

/// The same two in the other order; the shapes are not retained.
encounter encounter_swapped(const encounter* e);
/// Releases the shapes.
void encounter_close(encounter* e);
/// Asks, checks and counts; says on stderr what is wrong. True if right.
bool encounter_judge(const encounter* e, const apart_query* q, apart_cache* cache, thing_census* c);

/// Whether every regime was met so many times.
bool thing_census_reached(const thing_census* c, long least);
void thing_census_print(const char* title, const thing_census* c);

#endif

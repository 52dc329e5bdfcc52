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
    double gap;        // distance - lower_bound of exact queries, of the size
    double off;        // of the points, in roundings of the numbers they are made of
    double oracle;     // the oracle's own gap, of the size
    apart_vec3 common; // the last common point that was found to be one, and of which pair
    double common_size, common_place;
} thing_census;

/// NULL if the answer is right, else what is wrong with it.
const char* thing_check(const thing* a, const thing* b, const thing_truth* t, const apart_query* q,
                        const apart_result* r, thing_census* c);

/// Asks, checks and counts; says on stderr what is wrong. `name` tells the case. True if right.
bool thing_judge(const char* name, const thing* a, const apart_shape* shape_a, const apart_pose* pose_a, const thing* b,
                 const apart_shape* shape_b, const apart_pose* pose_b, const thing_truth* t, const apart_query* q,
                 apart_cache* cache, thing_census* c);

void thing_census_print(const char* title, const thing_census* c);

#endif

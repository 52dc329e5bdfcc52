// Two unions of spheres, or one and a sphere: all are compared, eight at a time.
#ifndef APART_BATCH_SPHERES_H
#define APART_BATCH_SPHERES_H

#include "convex/minkowski.h"
#include "mesh/sphere_set.h"

/// Two sets, and what the kernel finds. Places are in axes of the world, relative to a's origin.
typedef struct sphere_task {
    sphere_set set[2];
    const apart_pose* pose[2];
    vec3 offset[2]; // of the origins
    double enough;  // spheres that are nearer than this end the search
    // The nearest two: their distance, negative if they overlap, their numbers and what they are.
    double distance, radius[2];
    uint32_t number[2];
    vec3 middle[2];
    int spheres, balls; // pairs that were compared
} sphere_task;

/// Whether the distance was found: then *result and the cache, if there is one, are written. Nothing is if not: other
/// bodies, a pose that is none, sizes near the ends of the range, spheres that touch to rounding, or that share their
/// middle where the depth is asked for.
bool apart_spheres_measure(const posed_shape* a, const posed_shape* b, const apart_query* query, apart_cache* cache,
                           apart_result* result);

#endif

/// The queries that every library answers: many pairs of bodies, many poses of each.
#ifndef APART_BENCH_WORKLOAD_H
#define APART_BENCH_WORKLOAD_H

#include "peers.h"

/// How the poses of one pair follow each other.
typedef enum motion {
    MOTION_COLD,    ///< unrelated poses, a gap of about one diameter
    MOTION_TRACKED, ///< the second body turns and drifts a little from step to step
    MOTION_NEAR     ///< unrelated poses, a gap of 1e-6 of the diameter
} motion;

/// What the bodies are.
typedef struct figure {
    const char* label; ///< "8", "box", ...
    bench_kind kind;
    size_t vertices; ///< of a hull; 8 means the corners of a box, more are random points of the unit sphere
} figure;

typedef struct workload {
    size_t body_count, pairs, steps;
    bench_body* bodies;
    uint32_t (*pair)[2]; ///< which two bodies
    apart_pose* pose_a;  ///< of query step * pairs + pair
    apart_pose* pose_b;
    bool tracked;
    double size; ///< diameter of a body, the unit of every error
} workload;

/// How many queries a workload has.
static inline size_t workload_queries(const workload* w) { return w->pairs * w->steps; }

/// Makes a workload; everything follows from the seed. degrees: turn per step, for MOTION_TRACKED.
/// Returns false when out of memory or when a hull cannot be built.
bool workload_make(workload* w, const figure* f, motion m, double degrees, size_t pairs, size_t steps, uint64_t seed);
void workload_free(workload* w);

/// The surface of the convex hull of points that are all corners, as triangles counter-clockwise from outside (Qhull).
bool hull_triangles(const apart_vec3* points, size_t count, uint32_t (**triangles)[3], size_t* triangle_count);

/// A bracket of a true distance.
typedef struct bracket {
    double lower, upper;
} bracket;

/// Brackets the distance of two placed bodies from the direction and the witnesses of a result alone, in wider
/// arithmetic and by looking at every vertex: lower by the two supports along the normal, upper by the weighted points.
bracket certify(const bench_body* a, const apart_pose* pose_a, const bench_body* b, const apart_pose* pose_b,
                const apart_result* result);

#endif

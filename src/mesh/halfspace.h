// A half-space against a bounded body of any kind: the lowest point of the body tells the distance, and the depth.
#ifndef APART_MESH_HALFSPACE_H
#define APART_MESH_HALFSPACE_H

#include "convex/minkowski.h"

/// The lowest point of a body.
typedef struct lowest_point {
    double height;         // g . point - radius
    double bound;          // no point of the body is lower than this or height; INFINITY: height is the least
    vec3 point;            // of the core, in the body's own coordinates
    double radius;         // of the body, or of the part that has the point
    apart_witness witness; // what the point is a vertex of
    uint32_t vertex;       // of a convex body: its number, or NO_VERTEX
    int64_t measured;      // convex bodies and triangles looked at
    int64_t supports, visits;
    apart_status status; // not APART_OK if a caller's support function returned what cannot be
} lowest_point;

/// The lowest point along g, a functional of the body's own coordinates: x -> g . x, |g| about 1. `base` is added to
/// all heights. query: whose errors may leave parts of a mesh or a union out, where heights are known to `rounding`;
/// NULL = none. hint: a vertex of a convex body to climb from; any number is safe.
void apart_halfspace_lowest(const apart_shape* shape, vec3 g, double base, const apart_query* query, double rounding,
                            uint32_t hint, lowest_point* lowest);

/// Measures two bodies of which one is a half-space. The query and the poses have been checked; slack: what the poses
/// may be wrong by, at the points that are nearest, in the caller's unit; cache may be NULL. Writes *result and the
/// cache only if it returns APART_OK. APART_UNSUPPORTED: both are half-spaces, or APART_METHOD_SPHERES.
apart_status apart_halfspace_measure(const posed_shape* a, const posed_shape* b, const apart_query* query, double slack,
                                     apart_cache* cache, apart_result* result);

#endif

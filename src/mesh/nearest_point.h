// The nearest point of a mesh to a point of the world, for many points.
#ifndef APART_MESH_NEAREST_POINT_H
#define APART_MESH_NEAREST_POINT_H

#include "depth/pair.h"
#include "mesh/traverse.h"

/// A mesh and where it is, made ready once for all points.
typedef struct point_target {
    posed_shape body;
    mat3 inverse;        // of the rotation
    double keep, spread; // lengths of the mesh's frame times these are at most, at least those of the world
    const kernels* wide;
} point_target;

void apart_point_target_init(point_target* target, const posed_shape* body, const posed_shape* point);

/// Measures a point against the mesh. False if that is left to the ordinary query, and nothing was written: where the
/// point may touch the surface, or is close to it or far from it beside the mesh's size, or too many triangles are
/// equally near. The query has been checked and is METHOD_AUTO.
bool apart_point_measure(const point_target* target, const posed_shape* point, const apart_query* query,
                         apart_result* result);

#endif

// The nearest point of a mesh to a point of the world, for many points.
#ifndef APART_MESH_NEAREST_POINT_H
#define APART_MESH_NEAREST_POINT_H

#include "depth/pair.h"
#include "mesh/traverse.h"

/// A node or an item that is still to be looked at, and how far its box is, squared.
typedef struct point_place {
    double square;
    uint32_t child;
} point_place;

/// The triangles of a mesh nearer to a point than a limit, block by block, nearest box first. Lengths are those of the
/// mesh's own coordinates.
typedef struct point_walk {
    const tree* tree;
    const kernels* wide;
    vec3 point;
    double limit; // lowered by the caller, never raised
    int visits, height;
    point_place stack[TREE_STACK];
} point_walk;

void apart_point_walk_start(point_walk* w, const mesh* m, const kernels* wide, vec3 point, double limit);
/// The next block, and what is known of its triangles. False if there is none.
bool apart_point_walk_next(point_walk* w, tree_leaf* leaf, wide_reach* reach);

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

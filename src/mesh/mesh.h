// What a mesh and a union are, beside what every shape has (body/shape.h).
#ifndef APART_MESH_MESH_H
#define APART_MESH_MESH_H

#include "body/shape.h"
#include "mesh/bvh.h"
#include "mesh/sphere_set.h"
#include "mesh/topology.h"
#include "papers/quinlan1994.h"

/// Triangles in the order of the tree. The arrays live in the shape's own block.
typedef struct mesh {
    uint32_t vertex_count, triangle_count;
    const vec3* vertex;            // stored coordinates, the caller's order
    const uint32_t (*triangle)[3]; // vertices of each
    const uint32_t* caller;        // the caller's number of each
    const uint8_t* wall;           // of each: is it part of a solid? mesh_wall
    uint32_t sample_count;         // one triangle of every component, and all that belong to none
    const uint32_t* sample;        // (numbers in the order of the tree)
    tree tree;
    topology topology;   // numbers only, no arrays
    sphere_tree spheres; // Quinlan's tree; owned. No leaves if it was not asked for
} mesh;

/// The corners of a triangle, in stored coordinates.
static inline void mesh_triangle_corners(const mesh* m, uint32_t item, vec3 p[3]) {
    for (int i = 0; i < 3; ++i) p[i] = m->vertex[m->triangle[item][i]];
}

/// The first of three points and a part of the way to the others: what is the same for all is not rounded.
static inline vec3 weighted_corners(const vec3 p[3], const double weight[3]) {
    return vec3_mad(vec3_mad(p[0], weight[1], vec3_sub(p[1], p[0])), weight[2], vec3_sub(p[2], p[0]));
}

/// The point of a triangle with these weights of its corners.
static inline vec3 mesh_point(const mesh* m, uint32_t item, const double weight[3]) {
    vec3 p[3];
    mesh_triangle_corners(m, item, p);
    return weighted_corners(p, weight);
}

/// The same as a witness. Triangles may name a vertex twice; witnesses do not.
static inline apart_witness mesh_witness(const mesh* m, uint32_t item, const double weight[3]) {
    apart_witness w = {.triangle = m->caller[item]};
    for (int i = 0; i < 3; ++i) {
        if (!(weight[i] > 0)) continue;
        uint32_t number = m->triangle[item][i], k = 0;
        while (k < w.count && w.vertex[k] != number) ++k;
        if (k == w.count) w.vertex[w.count++] = number;
        w.weight[k] += weight[i];
    }
    return w;
}

typedef enum mesh_wall {
    WALL_NONE,    // open surface: nothing is inside
    WALL_SIGNED,  // of a solid whose triangles agree which side is out: crossings count with their sign
    WALL_COUNTED, // of a solid whose triangles do not: crossings are counted
} mesh_wall;

/// The parts of a union, none of them a union, in the order of the tree.
typedef struct part_list {
    uint32_t count;
    apart_part* part;       // shapes are owned (one reference each)
    const double* slack;    // of each: what its pose may be wrong by, in the caller's unit; not 0 if it was nested
    const uint32_t* number; // of each, as witnesses tell it
    const uint32_t* place;  // the other way: where the part of a number is
    tree tree;
    double far;         // points of parts lie within this of the union's origin and, twice, of their own; caller's unit
    double loose;       // the largest slack
    sphere_set spheres; // all parts, if they are spheres
} part_list;

/// Adds the tree to a description.
static inline void tree_describe(const tree* t, apart_shape_info* info) {
    info->tree_depth = t->depth;
    for (uint32_t i = 0; i < t->node_count; i++)
        for (int lane = 0; lane < LANE_COUNT; lane++) info->tree_nodes += t->nodes[i].child[lane] != TREE_NONE;
}

#endif

// The parts of a union of spheres once more, in the form that comparing them in lanes asks for.
#ifndef APART_MESH_SPHERE_SET_H
#define APART_MESH_SPHERE_SET_H

#include "body/shape.h"

/// Eight spheres. Those that there are not have a radius of -INFINITY, and the middle of another.
typedef struct sphere_block {
    double x[LANE_COUNT], y[LANE_COUNT], z[LANE_COUNT], radius[LANE_COUNT];
} sphere_block;

/// Spheres in axes of the body and the caller's unit. After the blocks of spheres come blocks of balls: one around all
/// spheres of each block.
typedef struct sphere_set {
    uint32_t blocks; // of spheres; 0: the body is not of spheres alone, or of too many
    const sphere_block* block;
    double reach; // the largest sum of |x| + |y| + |z|, of the middle and in the sphere's own axes, and the radius
    double slack; // what the middles may be wrong by beside that
} sphere_set;

/// Of more spheres no set is made: a tree is as fast.
#define SPHERES_MOST 1024

static inline bool shape_is_sphere(const apart_shape* s) { return s->kind == SHAPE_POLYTOPE && s->polytope.count == 1; }

/// The blocks that n spheres, or balls, take.
static inline uint32_t sphere_blocks(uint32_t n) { return (n + LANE_COUNT - 1) / LANE_COUNT; }
/// All blocks of a set.
static inline uint32_t sphere_set_blocks(uint32_t n) { return sphere_blocks(n) + sphere_blocks(sphere_blocks(n)); }

/// Puts sphere number i of a set that begins as {0} into its block.
void apart_sphere_set_put(sphere_set* set, sphere_block* block, uint32_t i, const apart_shape* s,
                          const apart_pose* pose);
/// Completes a set of so many spheres.
void apart_sphere_set_close(sphere_set* set, sphere_block* block, uint32_t count);

#endif

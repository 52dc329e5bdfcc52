/// What bench/scene asks about: many bodies in the cells of a grid, some of which move, and which of them are near.
#ifndef APART_BENCH_ARRANGEMENT_H
#define APART_BENCH_ARRANGEMENT_H

#include "peers.h"
#include "surface.h"

#ifdef __cplusplus
extern "C" {
#endif

/// No shape reaches farther from its origin: hulls are in the unit ball, the corners of some boxes a little outside.
#define REACH 1.04

/// The shapes that all bodies share: boxes, balls, capsules and hulls of 20 points, equally many; then chess pieces.
#define CONVEX_SHAPES 64
#define MESH_SHAPES 6
typedef struct stock {
    bench_body bodies[CONVEX_SHAPES];
    surface surfaces[MESH_SHAPES];
    apart_shape* shapes[CONVEX_SHAPES + MESH_SHAPES];
} stock;

/// Makes all shapes from a seed. data: the folder of the models. Returns false, with a line, if that fails.
bool stock_make(stock* s, const char* data, uint64_t seed);
void stock_free(stock* s);

/// Bodies that do not overlap. Each has its origin in a cell of its own of a grid; some cells are empty.
typedef struct arrangement {
    const stock* source;
    size_t count, side; ///< bodies; cells along each axis
    double spacing;     ///< the edge of a cell
    uint32_t *shape, *cell;
    uint32_t* in_cell; ///< the body in each cell, or EMPTY
    apart_pose* pose;
    uint32_t* moved; ///< a tenth of the bodies
    size_t moved_count;
    uint64_t seed; ///< of the next moves
} arrangement;
#define EMPTY UINT32_MAX

/// count bodies, cells of this edge, more than 2 REACH; meshes: every second body is one. Returns false when out of
/// memory.
bool arrangement_make(arrangement* a, const stock* s, size_t count, double spacing, bool meshes, uint64_t seed);
void arrangement_free(arrangement* a);

/// Moves a tenth of the bodies: most to another place in their cells, every tenth of them to an empty cell, all turned
/// at will. One for which no place is found in a few tries stays.
void arrangement_move(arrangement* a);

/// Two bodies, one < other, and their distance.
typedef struct near_pair {
    uint32_t one, other;
    double distance;
} near_pair;

typedef struct near_list {
    near_pair* pairs;
    size_t count, room;
} near_list;

/// False when out of memory.
bool near_list_add(near_list* list, uint32_t one, uint32_t other, double distance);
/// Puts them in order of the bodies.
void near_list_sort(near_list* list);

/// All pairs within the clearance, in order, without a tree: all pairs of up to 2,000 bodies are measured, of more
/// those in cells that are near enough. Returns false when out of memory.
bool arrangement_truth(const arrangement* a, double clearance, near_list* list);

/// The same arrangement as objects of FCL in a dynamic tree of boxes. widen: by so much on all sides; shapes: FCL's
/// own, by the numbers in a->shape. NULL on failure.
void* fcl_scene_create(const arrangement* a, void* const* shapes, double widen);
void fcl_scene_destroy(void* scene);
/// Puts the bodies in a->moved where they are now.
void fcl_scene_move(void* scene, const arrangement* a);
/// All pairs within the clearance, in any order. False if FCL fails.
bool fcl_scene_within(void* scene, double clearance, near_list* list);
/// The closest pair. False if FCL fails.
bool fcl_scene_closest(void* scene, near_pair* closest);

#ifdef __cplusplus
}
#endif

#endif

// The search between two pieces: what nearest.c (the walk and its leaves) and containment.c (what is inside what)
// share.
#ifndef APART_MESH_PAIR_SEARCH_H
#define APART_MESH_PAIR_SEARCH_H

#include "mesh/nearest.h"

/// A triangle of a mesh as a convex shape, on the stack.
typedef struct lone_triangle {
    _Alignas(64) double x[LANES]; // as the kernels of support.c want them
    _Alignas(64) double y[LANES];
    _Alignas(64) double z[LANES];
    apart_shape shape;
    uint32_t caller[3];
} lone_triangle;

/// One pair of pieces under search.
typedef struct mesh_pair {
    lone_triangle triangle[2];
    difference k;
    walk walk;
    const piece* piece[2];
    const mesh* mesh[2]; // NULL for a convex piece
    double slack;
    answer* best;
    double upper;         // least distance of the cores known, working units
    double own_lower;     // of the pair that has it
    double lowest;        // of all other pairs of triangles that were looked at
    uint32_t nearest[2];  // that pair, if it has not been measured exactly yet
    bool unsettled;       // whether that is so
    bool cleared;         // whether all lanes of the next hold numbers
    wide_triangles pairs; // that wait to be looked at together
    uint32_t waiting[LANE_COUNT][2];
    tree_place place[LANE_COUNT][2];
    int waiting_count;
    int doubts; // pairs of triangles that plain formulas could not settle
} mesh_pair;

/// Lengths between cores in working units and distances in the caller's.
static inline double to_core(const mesh_pair* h, double distance) {
    return distance * h->k.inverse + (h->k.a.radius + h->k.b.radius);
}
static inline double to_caller(const mesh_pair* h, double core) {
    return (core - (h->k.a.radius + h->k.b.radius)) * h->k.unit;
}

/// What lower ends of boxes and of pairs of triangles may be wrong by: as those of minkowski.h, and the frames.
static inline double margin(const mesh_pair* h) { return h->k.rounding_low + 0x1p-47 * h->k.size; }

/// A certain lower end in the caller's unit from one that was computed with the errors of minkowski.h. Near the end of
/// the range the numbers themselves have lost bits.
static inline double certain_lower(const mesh_pair* h, double core) {
    if (core == INFINITY) return core;
    // No depth is larger than everything.
    double x = to_caller(h, larger(core, -2 * h->k.size) - margin(h));
    return fabs(x) < 0x1p-1000 ? x - 0x1p-1070 : x;
}

/// Searches the surfaces, whatever is inside what. hint: the items to begin with, or NULL.
void apart_nearest_search(mesh_pair* h, const uint32_t hint[2]);

/// A way that certainly brings two bodies apart, in working units: the least that their boxes measure together, along
/// the axes of the world and the normal.
double apart_nearest_way_out(const mesh_pair* h, vec3 normal);

/// Whether a component of one piece is inside a solid of the other, or the depth of solids is asked for. If so, that is
/// the answer, and it has been taken.
bool apart_containment_find(mesh_pair* h);
/// The same where the surfaces touch: faces that lie on each other hide an overlap from the samples, and from the
/// distance of triangles.
void apart_containment_find_touching(mesh_pair* h);

#endif

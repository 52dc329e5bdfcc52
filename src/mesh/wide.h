// What the inner loops of the trees work on (base/kernels.h, wide.inc): the boxes of two nodes, the triangles of two,
// pairs of triangles.
#ifndef APART_MESH_WIDE_H
#define APART_MESH_WIDE_H

#include "base/kernels.h"
#include "mesh/bvh.h"

/// Some boxes of one node against all boxes of another. Everything happens in the frame of the rows' tree: its own
/// coordinates times row_factor.
typedef struct wide_match {
    const tree_node *rows, *lanes;
    unsigned chosen;                // bit i: row i takes part
    double row_factor, lane_factor; // from the trees' coordinates to the unit of the rest
    const mat3* turn;               // directions of the lanes' frame in that of the rows
    vec3 shift;                     // the origin of the lanes' frame in that of the rows
    vec3 row_toward, lane_toward;   // the functional x -> n . (R x) as a vector of either frame; n: unit vector of the
                                    // world, from the rows' body towards the other
    double gap;                     // how far the origin of the lanes' frame lies beyond that of the rows, along n
    double highest;   // no row reaches farther along n than this, from its frame's origin; INFINITY = not known
    double widen;     // half sizes of the lanes' boxes grow by this part, so that turned axes may be taken as square
    double keep;      // distances in the rows' frame times this are at most those of the world
    double threshold; // pairs that are at least this far apart do not matter; below 0: less deep than that
    bool deepest;     // bounds of boxes that overlap tell how deep, not how far along n
} wide_match;

/// The boxes of a node that moves. World coordinates but for the node; one unit, any.
typedef struct wide_mover {
    const tree_node* node;
    mat3 turn;           // of its tree's frame
    double factor;       // from the tree's coordinates to the unit
    vec3 pivot, origin;  // the body's pivot; the origin of the tree's frame as seen from there
    vec3 velocity, spin; // of the pivot; of the body
    double rate;         // at least |spin|
    double widen;        // half sizes grow by this part, so that turned axes may be taken as square
} wide_mover;

/// Some boxes of one node against some of another, for a while.
typedef struct wide_motion {
    wide_mover rows, lanes;
    unsigned row_bits, lane_bits;
    vec3 toward;  // a direction to try first, of length 1
    double off;   // boxes that are this near count as touching
    double drift; // how much faster they may come together than the velocities tell
    double left;  // how long
} wide_motion;

/// How they are brought to the world: matrix (rotation times factor) of either, and what is added to those of a.
typedef struct wide_frame {
    mat3 a, b;
    vec3 offset;
} wide_frame;

/// Eight triangles of one tree against eight of another.
typedef struct wide_meet {
    const tree_block *a, *b;
    const wide_frame* frame;
    vec3 normal;      // unit vector of the world: from a to b as the nearest points known so far lie
    double threshold; // pairs that are at least this far apart do not matter; already widened by the rounding of blocks
} wide_meet;

/// Eight pairs of triangles. Corners are in stored coordinates: [corner][coordinate][lane].
typedef struct wide_triangles {
    double a[3][3][LANE_COUNT], b[3][3][LANE_COUNT];
} wide_triangles;

/// Puts a triangle in a lane of one side.
static inline void wide_set_triangle(double side[3][3][LANE_COUNT], int lane, const vec3 corner[3]) {
    for (int i = 0; i < 3; ++i) {
        side[i][0][lane] = corner[i].x;
        side[i][1][lane] = corner[i].y;
        side[i][2][lane] = corner[i].z;
    }
}

/// What is known of the eight distances: a vector v from a point of a to a point of b, its length, and a lower end:
/// how far v separates the corners. Rounding is left to the caller (minkowski.h).
typedef struct wide_gaps {
    double v[3][LANE_COUNT], upper[LANE_COUNT], lower[LANE_COUNT];
} wide_gaps;

/// What is known of the distances of a point from the eight triangles of a block: the length of a way to a point of
/// each, and a lower end: how far it separates the corners. To the rounding of blocks and 2^-44 of the corners'
/// distance.
typedef struct wide_reach {
    double upper[LANE_COUNT], lower[LANE_COUNT];
} wide_reach;

#endif

// One piece against another: a convex body or a mesh, neither of them a union. The walk over their trees and what
// happens at the leaves.
#ifndef APART_MESH_NEAREST_H
#define APART_MESH_NEAREST_H

#include "depth/pair.h"
#include "mesh/mesh.h"
#include "mesh/traverse.h"

/// What has been found so far, over all pairs of pieces, in the caller's unit. The whole distance lies between the
/// smaller of result.lower_bound and lower, and result.upper_bound.
typedef struct answer {
    const apart_query* query;
    apart_result result;  // of the nearest pair; upper_bound INFINITY = none yet
    double lower;         // of all other pairs
    uint32_t place[2][2]; // of the nearest: for either side the piece and the item, in the order of the trees
    int64_t supports, visits, measured;
    apart_status status;
} answer;

/// A piece: a shape that is no union, its pose and what that may be wrong by (see pair.h), its number as a witness
/// tells it, and its place in the union's tree.
typedef struct piece {
    const apart_shape* shape;
    const apart_pose* pose;
    double slack;
    uint32_t number, place;
} piece;

/// The lower end at which a pair of pieces is no more of interest, if the least upper one is this. -INFINITY once the
/// answer cannot get better.
double apart_answer_limit(const answer* best, double upper);

/// Takes a result into the answer if it is the nearest, and its lower end in any case.
void apart_answer_take(answer* best, const apart_result* r, const piece* const pieces[2], const uint32_t item[2]);

/// Measures two pieces. hint: the items to begin with, or NULL.
void apart_nearest_measure(const piece* a, const piece* b, const uint32_t hint[2], answer* best);

#endif

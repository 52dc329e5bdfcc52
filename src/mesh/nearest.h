// One piece against another: a convex body or a mesh, neither of them a union. nearest.c searches their surfaces,
// containment.c tells what is inside what.
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

/// Nothing is known yet. Not by assigning a whole one: compilers clear that by a loop.
static inline void answer_to(const apart_query* query, answer* best) {
    best->query = query;
    best->result.lower_bound = best->result.upper_bound = best->lower = INFINITY;
    best->supports = best->visits = best->measured = 0;
    best->status = APART_OK;
}

/// A piece: a shape that is no union, its pose and what that may be wrong by (see pair.h), its number as a witness
/// tells it, and its place in the union's tree.
typedef struct piece {
    const apart_shape* shape;
    const apart_pose* pose;
    double slack;
    uint32_t number, place;
} piece;

/// The tree of a shape. thick: of the parts of a union, radii included; else of the triangles of a mesh. Anything else
/// is its box, in the caller's node.
tree apart_piece_tree(const apart_shape* s, bool thick, tree_node* node);

/// Whether a body is too large beside its core for that box, whose numbers are floats.
static inline bool piece_outgrows_tree(const apart_shape* s) {
    return s->kind != SHAPE_UNION && shape_stored_radius(s) > 0x1p100;
}

/// The lower end at which a pair is no more of interest, if the least upper one is this; -INFINITY once the answer
/// cannot get better. Both in a unit of which the caller's has `inverse`.
double apart_query_limit(const apart_query* q, double upper, double inverse);

/// Takes a result into the answer if it is the nearest, and its lower end in any case.
void apart_answer_take(answer* best, const apart_result* r, const piece* const pieces[2], const uint32_t item[2]);

/// A triangle of a mesh as a convex shape, on the stack.
typedef struct lone_triangle {
    _Alignas(64) double x[LANES]; // as the kernels of support.c want them
    _Alignas(64) double y[LANES];
    _Alignas(64) double z[LANES];
    apart_shape shape;
    uint32_t caller[3];
} lone_triangle;

/// Everything but the corners, which is the same for all triangles of a mesh; and the corners of one of them.
void apart_triangle_init(lone_triangle* t, const apart_shape* from);
void apart_triangle_set(lone_triangle* t, const mesh* m, uint32_t item);

/// Two pieces under search. Lengths are working units, between cores.
typedef struct mesh_pair {
    lone_triangle triangle[2];
    difference k;
    const piece* piece[2];
    const mesh* mesh[2]; // NULL for a convex piece
    double slack;        // of the poses, in the caller's unit
    double radii;        // of both
    double margin;       // what lower ends of boxes and triangles may be wrong by: as minkowski.h, and the frames
    answer* best;
    double upper;                      // least distance known
    uint32_t nearest[2];               // the pair of triangles that has it, if found by formulas
    bool unsettled;                    // it has not been measured exactly yet
    double own_lower;                  // of it
    double lowest;                     // of all other pairs of triangles that were looked at
    _Alignas(64) wide_triangles pairs; // that wait to be looked at together
    uint32_t waiting[LANE_COUNT][2];
    int waiting_count;
    bool filled; // all lanes of pairs hold numbers
    int doubts;  // pairs of triangles that plain formulas could not settle
    walk walk;
    place_pair stack[WALK_STACK]; // of the walk
} mesh_pair;

/// The sides' bodies.
static inline const posed_body* pair_body(const mesh_pair* h, int side) { return side == 0 ? &h->k.a : &h->k.b; }

/// A certain lower end in the caller's unit from one that was computed with the errors of minkowski.h. Near the end of
/// the range the numbers themselves have lost bits.
static inline double certain_lower(const mesh_pair* h, double core) {
    if (core == INFINITY) return core;
    // No depth is larger than everything.
    double x = (larger(core, -2 * h->k.size) - h->margin - h->radii) * h->k.unit;
    return fabs(x) < 0x1p-1000 ? x - 0x1p-1070 : x;
}

/// Measures two pieces. hint: the items to begin with, or NULL.
void apart_nearest_measure(const piece* a, const piece* b, const uint32_t hint[2], answer* best);

/// Searches the surfaces for `best`, whatever is inside what. hint: the items to begin with, or NULL.
void apart_nearest_search(mesh_pair* h, const uint32_t hint[2], answer* best);

/// A lower end of any depth, in working units: minus a way that certainly brings the two bodies apart, the least that
/// their boxes measure together, along the axes of the world and the normal.
double apart_nearest_way_out(const mesh_pair* h, vec3 normal);

/// Whether a component of one piece is inside a solid of the other, or the depth of solids is asked for. If so, that is
/// the answer, and it has been taken.
bool apart_containment_find(mesh_pair* h);
/// The same where the surfaces touch: faces that lie on each other hide an overlap from the samples, and from the
/// distance of triangles.
void apart_containment_find_touching(mesh_pair* h);

#endif

// Searching two trees for the nearest pair of items: Quinlan's search (1994), depth first, larger box split, nearer
// pair first, on wide nodes. The caller takes one pair of items after the other and lowers the threshold as it finds
// nearer ones.
//
// What is kept true: every pair of items has either been handed out, or its distance is at least `threshold`, up to
// rounding. Lengths are working units (minkowski.h), and between cores: radii are the caller's affair.
#ifndef APART_MESH_TRAVERSE_H
#define APART_MESH_TRAVERSE_H

#include "convex/minkowski.h"
#include "mesh/mesh.h"
#include "mesh/wide.h"

/// One of the two trees, and how things look from its frame: its own coordinates times factor.
typedef struct walk_side {
    const tree* tree;
    const mesh* mesh; // whose triangles are the items, or NULL
    double factor;
    const mat3* rotation; // of the frame in the world
    mat3 turn;            // directions of the other's frame in this one, once it is known
    vec3 other;           // the other's origin in this one, likewise
    vec3 toward;          // the way to the other body along the normal, as a functional of this frame: x -> +-n . (R x)
    double radius;        // of a convex body, where lengths are between bodies; else 0
    double highest;       // how far a convex body reaches along that way; INFINITY for a tree
} walk_side;

/// Two places that are still to be compared, at least `bound` apart.
typedef struct place_pair {
    double bound;
    tree_place at[2];
} place_pair;

/// The most pairs that wait. Every step takes one pair off and puts at most 64 on, one level deeper in both trees, or
/// 8, one level deeper in one. So what leaves 63 more behind takes a level of either tree, and what leaves 7 takes a
/// level of one; there are TREE_MOST_DEPTH - 1 levels below a root. Parts of unions are split on one side at a time.
#define WALK_STACK ((TREE_MOST_DEPTH - 1) * (LANE_COUNT * LANE_COUNT - 1) + 1)
#define WALK_STACK_OF_PARTS (2 * (TREE_MOST_DEPTH - 1) * (LANE_COUNT - 1) + 1)
#define FOREVER (INT64_MAX / 2)

typedef struct walk {
    walk_side side[2]; // a, b
    difference* k;
    bool thick;        // between parts of unions: see apart_traverse_init
    wide_frame frame;  // of triangles
    vec3 normal;       // unit vector of the world: from a to b as the nearest points known so far lie
    double gap;        // the way from a's origin to b's along it
    double slack;      // rounding of blocks of triangles
    double widen;      // of boxes that change frames, in parts of their size: the matrices are not quite rotations
    double keep;       // see wide_match
    double threshold;  // lowered by the caller, never raised; -INFINITY ends the search
    double margin;     // of rounding: a lower end that is this far below the threshold is as good
    bool deepest;      // of boxes that overlap, those that do so most come first; else the foremost along the normal
    bool turned;       // either side knows how the other's frame lies in its own
    bool done;         // nothing is nearer than the threshold: proven without looking at all pairs
    int64_t patience;  // boxes compared before such a proof is tried
    int64_t visits;    // boxes compared
    int64_t pairs;     // of triangles handed out
    int64_t most_deep; // when to give up
    const kernels* wide;
    uint32_t first[2]; // items of two blocks of triangles, and which of them are near: bit `row` of rows, bit `lane`
    unsigned rows, near[LANE_COUNT]; // of near[row]
    int height;
    place_pair* stack;
} walk;

/// Sets up the frames; the threshold is INFINITY. k and the stack, of WALK_STACK pairs, must outlive the walk.
/// thick: the items are parts of unions. Lengths are between bodies, not cores; the boxes of the trees have the radii
/// in them. WALK_STACK_OF_PARTS pairs suffice.
void apart_traverse_init(walk* w, difference* k, const tree* a, const tree* b, bool thick, place_pair* stack);

/// Finds how the frames lie in each other, unless that is known: what apart_traverse_carry needs.
void apart_traverse_turn(walk* w);

/// Tells where the nearest points lie: a unit vector of the world, from a to b. Any is right; a good one leaves out
/// more.
void apart_traverse_aim(walk* w, vec3 normal);
void apart_traverse_aim_at_middles(walk* w);

/// A point of side `from` (0 or 1), in its own stored coordinates, seen from the other one, in that one's.
vec3 apart_traverse_carry(const walk* w, int from, vec3 stored);

/// Goes straight down from a place of a, and all of b, to a pair of items near each other; where the pairs of a level
/// differ in squared distance by less than a factor of `enough`, any will do. Returns the square of how far apart,
/// about.
double apart_traverse_descend(const walk* w, tree_place from, double enough, uint32_t item[2]);

/// How far a triangle reaches towards the other body along the normal, from its frame's origin. Its corners are left
/// in p.
static inline double walk_triangle_height(const walk* w, int side, uint32_t item, vec3 p[3]) {
    const walk_side* here = &w->side[side];
    double high = -INFINITY;
    mesh_triangle_corners(here->mesh, item, p);
    for (int i = 0; i < 3; ++i) high = larger(high, vec3_dot(here->toward, p[i]));
    return here->factor * high;
}

/// Begins to compare everything. Boxes that overlap cannot tell how deep, so that of n items at one place all n^2 pairs
/// are looked at: once the threshold is 0 or less, it gives up after `most_deep` boxes and pairs of triangles.
void apart_traverse_start(walk* w, int64_t most_deep);

/// The next pair of items that may be nearer than the threshold. False if there is none, or if it gives up.
bool apart_traverse_next(walk* w, uint32_t item[2]);
/// Whether it came to the end.
static inline bool walk_is_complete(const walk* w) { return w->height == 0 || w->done; }

#endif

// Searching two trees for the nearest pair of items: Quinlan's search (1994), depth first, larger box split, nearer
// pair first, on wide nodes.
//
// What is kept true: every pair of items has either been handed to `leaf`, or its distance is at least `threshold`, up
// to rounding. The leaf function lowers the threshold as it finds nearer pairs, and never raises it. Lengths are
// working units (minkowski.h), and between cores: radii are the caller's affair.
#ifndef APART_MESH_TRAVERSE_H
#define APART_MESH_TRAVERSE_H

#include "convex/minkowski.h"
#include "mesh/wide.h"

#include <limits.h>

/// One of the two trees, and how things look from its frame: its own coordinates times factor.
typedef struct walk_side {
    const tree* tree;
    double factor;
    const mat3* rotation; // of the frame in the world
    mat3 turn;            // directions of the other's frame in this one
    vec3 other;           // the other's origin in this one
    vec3 toward;          // the normal of the walk as a functional of this frame: x -> normal . (R x)
    double radius;        // of a convex body, where lengths are between bodies; else 0
    double highest;       // how far a convex body reaches towards the other along the normal; INFINITY for a tree
} walk_side;

typedef struct walk walk;
struct walk {
    walk_side side[2]; // a, b
    difference* k;
    wide_frame frame; // of triangles
    vec3 normal;      // unit vector of the world: from a to b as the nearest points known so far lie
    double gap;       // the way from a's origin to b's along it
    double slack;     // rounding of blocks of triangles
    double widen;     // of boxes that change frames, in parts of their size: the matrices are not quite rotations
    double keep;      // see wide_match
    double threshold;
    double margin;         // of rounding: a lower end that is this far below the threshold is as good
    bool done;             // nothing is nearer than the threshold: proven without looking at all pairs
    int64_t patience;      // boxes compared before such a proof is tried
    tree_place nearest[2]; // the leaf function may put the nearest pair here; {0, 0} = none
    int64_t visits;        // boxes compared
    int64_t pairs;         // of items handed to `leaf`
    const kernels* wide;
    /// Takes a pair of items, which may wait; `flush` ends the waiting.
    void (*leaf)(walk* w, tree_place a, tree_place b, double bound);
    /// Takes a pair that may be near, to have a lower threshold. It comes to `leaf` as well, if it is near enough.
    void (*guess)(walk* w, tree_place a, tree_place b);
    void (*flush)(walk* w);
    /// How far an item reaches towards the other body along the normal, from its frame's origin.
    double (*height)(const walk* w, int side, uint32_t item);
    void* context; // of these
};

static inline uint32_t walk_item(const walk* w, int side, tree_place p) {
    return tree_child(w->side[side].tree, p) & ~TREE_ITEM;
}

/// Sets up the frames; the threshold is INFINITY. k must outlive the walk.
/// thick: lengths are between bodies, not cores; the boxes of the trees have the radii in them.
void apart_traverse_init(walk* w, difference* k, const tree* a, const tree* b, bool thick);

/// Tells where the nearest points lie: a unit vector of the world, from a to b. Any is right; a good one leaves out
/// more.
void apart_traverse_aim(walk* w, vec3 normal);

/// Hands a first pair to `guess`, unless there is a threshold already: the item of a that is near the middle of b, and
/// that of b near it.
void apart_traverse_begin(walk* w);

/// Goes back and forth between items that are near each other, from the nearest pair known, as long as that leads to
/// others, and hands them to `guess`: a better pair for little.
void apart_traverse_chase(walk* w);

/// A good pair early leaves out most of the rest: from the nearest one known, the nearest triangle of b to that of a,
/// then of a to that of b, and so on. That ends at a pair that is the nearest around.
void apart_traverse_improve(walk* w);

/// Compares everything with everything; gives up after so many boxes. Whether it came to the end, which it does early
/// when the leaf function sets the threshold to -INFINITY.
bool apart_traverse_compare(walk* w, int64_t most);

/// The same where items may overlap: boxes that do cannot tell how deep, so that of n items at one place all n^2 pairs
/// are looked at. Once the threshold is 0 or less, it gives up after so many boxes and pairs of items.
bool apart_traverse_compare_deep(walk* w, int64_t most);
#define FOREVER (INT64_MAX / 2)

/// A point of side `from` (0 or 1), in its own stored coordinates, seen from the other one, in that one's.
vec3 apart_traverse_carry(const walk* w, int from, vec3 stored);

#endif

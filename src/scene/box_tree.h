// A dynamic tree of axis-aligned boxes, two children to a node: what is near a box?
//
// Invariants: the box of an inner node is the union of its children's; the heights of two children differ by one at
// most, so that the stack of a search has a fixed size. Boxes are not widened beyond what they hold: which items a
// search finds depends on their boxes alone, not on the order in which they came and moved.
#ifndef APART_SCENE_BOX_TREE_H
#define APART_SCENE_BOX_TREE_H

#include "base/vec.h"

typedef struct aabb {
    vec3 lower, upper;
} aabb;

static inline aabb aabb_union(const aabb* a, const aabb* b) {
    return (aabb){vec3_min(a->lower, b->lower), vec3_max(a->upper, b->upper)};
}
static inline bool aabb_holds(const aabb* outer, const aabb* inner) {
    return outer->lower.x <= inner->lower.x && outer->lower.y <= inner->lower.y && outer->lower.z <= inner->lower.z &&
           outer->upper.x >= inner->upper.x && outer->upper.y >= inner->upper.y && outer->upper.z >= inner->upper.z;
}

/// Gaps are cut off here before they are squared, so that no sum of squares overflows.
#define AABB_MOST_SQUARED 0x1p500

/// A lower end of the signed distance of anything in one box from anything in another. Boxes that overlap are free of
/// each other once one has moved the least of their overlaps along an axis, and so is what they hold. Differences and
/// the root are wrong by 4 roundings of the result at most.
static inline double aabb_bound(const aabb* a, const aabb* b) {
    double x = larger(a->lower.x - b->upper.x, b->lower.x - a->upper.x);
    double y = larger(a->lower.y - b->upper.y, b->lower.y - a->upper.y);
    double z = larger(a->lower.z - b->upper.z, b->lower.z - a->upper.z);
    double most = larger(x, larger(y, z));
    if (most > 0) {
        x = smaller(larger(x, 0), AABB_MOST_SQUARED);
        y = smaller(larger(y, 0), AABB_MOST_SQUARED);
        z = smaller(larger(z, 0), AABB_MOST_SQUARED);
        most = larger(most, sqrt(x * x + y * y + z * z));
    }
    return most - fabs(most) * 0x1p-50;
}

#define BOX_NONE UINT32_MAX

/// One cache line.
typedef struct box_node {
    aabb box;
    uint32_t parent;
    uint32_t child[2]; // of a leaf: its item, BOX_NONE
    uint32_t height;   // of a leaf 0
} box_node;

/// box_tree_empty is one without items. Nodes that are not in use form a list by their parents.
typedef struct box_tree {
    box_node* nodes;
    uint32_t root;
    uint32_t unused; // the first one
    uint32_t room;   // items that there are nodes for
} box_tree;

static const box_tree box_tree_empty = {.root = BOX_NONE, .unused = BOX_NONE};

/// Makes room for `items` of them, a power of two. False if there is no memory for it: nothing has changed then.
bool apart_box_tree_reserve(box_tree* t, uint32_t items);

/// Adds an item, for which there is room. Returns its leaf, which stays the same as long as it is in the tree.
uint32_t apart_box_tree_insert(box_tree* t, uint32_t item, const aabb* box);
void apart_box_tree_remove(box_tree* t, uint32_t leaf);
/// Gives an item another box. It looks for another place in the tree if it leaves the box of its parent.
void apart_box_tree_move(box_tree* t, uint32_t leaf, const aabb* box);

/// Heights differ by one at most: a tree of height h has at least as many leaves as the Fibonacci number h + 1, so that
/// 2^31 leaves mean h < 45. Each step of a search leaves one node behind.
#define BOX_STACK 48

typedef struct box_search {
    const box_tree* tree;
    aabb probe;
    int count;
    uint32_t node[BOX_STACK];
    double bound[BOX_STACK];
} box_search;

void apart_box_search_begin(box_search* s, const box_tree* t, const aabb* probe);
/// The next item whose bound to the probe is at most `limit`, which may change from call to call; the nearer of two
/// subtrees comes first. False if there is none.
bool apart_box_search_next(box_search* s, double limit, uint32_t* item, double* bound);

/// Two nodes are replaced by at most three pairs, one level lower on one side at least: two are left behind in each of
/// at most 90 steps.
#define BOX_JOIN_STACK 192

/// All pairs of items of one tree.
typedef struct box_join {
    const box_tree* tree;
    int count;
    uint32_t a[BOX_JOIN_STACK], b[BOX_JOIN_STACK];
    double bound[BOX_JOIN_STACK];
} box_join;

void apart_box_join_begin(box_join* j, const box_tree* t);
/// The next pair of different items whose bound is at most `limit`, which may change from call to call; the nearest of
/// three pairs of subtrees comes first. False if there is none.
bool apart_box_join_next(box_join* j, double limit, uint32_t* a, uint32_t* b, double* bound);

#endif

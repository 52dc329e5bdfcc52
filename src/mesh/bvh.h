// A tree of oriented boxes, eight children to a node, one item (a triangle, or a part of a union) to a leaf.
//
// Invariant, checked by the tests: lane i of a node is a box {x : |axis[j] . (x - center)| <= half[j], j = 0, 1, 2} in
// the tree's own coordinates (inside the unit ball) that holds every item below it. The numbers are floats, used as
// they are: half was rounded up after center and axes were rounded. The axes are unit vectors, square to each other
// within 2^-22. So that a support along d may be taken as d . center + sum of |d . axis[j]| half[j], as if they were
// exactly square, half was also widened by BOX_SLACK times the sum of the three.
//
// The shape of a tree depends on the number of items alone: every subtree but the last one of a node is full. So its
// depth is the least possible, and the stack of a search has a fixed size.
#ifndef APART_MESH_BVH_H
#define APART_MESH_BVH_H

#include "base/lanes.h"
#include "base/progress.h"
#include "base/vec.h"

/// More items than this are refused.
#define TREE_MOST_ITEMS 0x7fffffffu
/// 8^11 > 2^31 items, and the root.
#define TREE_MOST_DEPTH 12
/// Places that wait while one tree is searched: each step leaves at most 7 behind, and goes one level deeper.
#define TREE_STACK (TREE_MOST_DEPTH * (LANE_COUNT - 1) + LANE_COUNT)
#define BOX_SLACK 0x1p-21

/// child[i]: the number of a node, or TREE_ITEM | number of an item, or TREE_NONE for a lane that is not used. Such
/// lanes come last; the box in them is a copy of the first.
#define TREE_ITEM 0x80000000u
#define TREE_NONE 0xffffffffu

typedef struct tree_node {
    float center[3][LANE_COUNT];  // [coordinate][lane]
    uint32_t child[LANE_COUNT];   // beside the middles, which are all that a way straight down reads: two cache lines
    float axis[3][3][LANE_COUNT]; // [axis][coordinate][lane]
    float half[3][LANE_COUNT];    // [axis][lane]
} tree_node;

/// The corners of eight triangles that follow each other in a tree, rounded to floats: [corner][coordinate][lane].
/// Block k holds items 8 k to 8 k + 7, which are the children of one node whenever all its children are items; the last
/// block repeats its last item.
typedef struct tree_block {
    float corner[3][3][LANE_COUNT];
} tree_block;

/// What that rounding may move a corner by, in the tree's coordinates.
#define BLOCK_ROUNDING 0x1p-24

/// A place in a tree: eight times the node's number plus the lane. Place 0 is the whole tree.
typedef uint32_t tree_place;

/// nodes[0] has one lane in use: the box of everything.
typedef struct tree {
    const tree_node* nodes;
    const tree_block* blocks; // of triangles; NULL for other items
    uint32_t node_count;
    uint32_t depth; // levels of nodes below nodes[0]
} tree;

static inline uint32_t tree_child(const tree* t, tree_place p) {
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there is nodes[0] at least
    return t->nodes[p / LANE_COUNT].child[p % LANE_COUNT];
}
static inline bool tree_is_item(uint32_t child) { return (child & TREE_ITEM) != 0; }

/// The first item below a child of a node.
static inline uint32_t tree_first_item(const tree* t, uint32_t child) {
    while (!tree_is_item(child)) child = t->nodes[child].child[0];
    return child & ~TREE_ITEM;
}

/// A triangle, or a node whose children are all triangles: the first item of their block, and which of it are meant.
typedef struct tree_leaf {
    uint32_t first;
    unsigned meant;
} tree_leaf;

/// Whether a child is one of these.
static inline bool tree_find_leaf(const tree* t, uint32_t child, tree_leaf* leaf) {
    const tree_node* node = tree_is_item(child) ? NULL : &t->nodes[child];
    uint32_t item = node ? node->child[0] : child;
    if (!t->blocks || !tree_is_item(item)) return false;
    item &= ~TREE_ITEM;
    leaf->first = item - item % LANE_COUNT;
    leaf->meant = node ? (1u << LANE_COUNT) - 1 : 1u << item % LANE_COUNT;
    for (unsigned i = LANE_COUNT - 1; node && node->child[i] == TREE_NONE; --i) leaf->meant >>= 1;
    return true;
}

/// One box, in doubles, in whatever frame and unit the owner says.
typedef struct tree_box {
    vec3 center;
    vec3 axis[3];
    double half[3];
} tree_box;

/// The box of a lane, in the tree's coordinates.
static inline tree_box tree_lane_box(const tree_node* n, uint32_t i) {
    tree_box box = {.center = vec3_make((double)n->center[0][i], (double)n->center[1][i], (double)n->center[2][i])};
    for (int j = 0; j < 3; ++j) {
        box.axis[j] = vec3_make((double)n->axis[j][0][i], (double)n->axis[j][1][i], (double)n->axis[j][2][i]);
        box.half[j] = (double)n->half[j][i];
    }
    return box;
}
static inline tree_box tree_place_box(const tree* t, tree_place p) {
    return tree_lane_box(&t->nodes[p / LANE_COUNT], p % LANE_COUNT);
}

/// How far a box reaches from its middle along d.
static inline double tree_box_reach(const tree_box* box, vec3 d) {
    double reach = 0;
    for (int j = 0; j < 3; ++j) reach += box->half[j] * fabs(vec3_dot(d, box->axis[j]));
    return reach;
}

/// How many nodes a tree of `items` needs.
uint32_t apart_bvh_node_count(uint32_t items);

/// The corners of item i, into `points`: 3 of a triangle, or 8 of a box, bit j of whose number chooses the far end of
/// edge j. Returns how many.
typedef int (*tree_corners_fn)(const void* context, uint32_t item, vec3* points);

/// Bytes of scratch memory for each item while a tree is built.
#define TREE_SCRATCH 16

/// Builds a tree over items 0 .. count - 1, count >= 1, into nodes (apart_bvh_node_count of them, 64-byte aligned),
/// and reorders them: order[k] is the item at the k-th leaf, and leaves hold k, not order[k]. Items are convex hulls of
/// their corners, in the unit ball. blocks: filled if all items are triangles, NULL if not. scratch: TREE_SCRATCH bytes
/// for each item, aligned for numbers; they may be the last bytes of the blocks, which are filled from the front as
/// items get their places, and do not catch up. O(n log n) whatever the items. Adds apart_bvh_work(count) to the
/// meter, about; false if that ends the work.
bool apart_bvh_build(tree_corners_fn corners, const void* context, uint32_t count, tree_node* nodes, uint32_t* order,
                     tree_block* blocks, void* scratch, tree* out, meter* m);
double apart_bvh_work(uint32_t count);

/// A tree of one box, in one node of the caller's.
tree apart_bvh_single(const vec3 corner[8], tree_node* node);

#endif

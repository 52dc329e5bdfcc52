// A dynamic tree of axis-aligned boxes, up to eight to a node (an R-tree, Guttman 1984): what is near a box, which
// items are near each other?
//
// Invariants: the box of a node is the union of those in it; all items are at the same depth, so that two nodes that
// are compared are of one level. Which items a search finds depends on their boxes alone, not on the order in which
// they came and moved.
#ifndef APART_SCENE_BOX_TREE_H
#define APART_SCENE_BOX_TREE_H

#include "base/kernels.h"

typedef struct aabb {
    vec3 lower, upper;
} aabb;

/// Around anything, since APART_LIMIT is far less. Its middle is 0, its edges overflow.
static const aabb aabb_everywhere = {{-0x1p1023, -0x1p1023, -0x1p1023}, {0x1p1023, 0x1p1023, 0x1p1023}};

static inline aabb aabb_union(const aabb* a, const aabb* b) {
    return (aabb){vec3_min(a->lower, b->lower), vec3_max(a->upper, b->upper)};
}
static inline bool aabb_holds(const aabb* outer, const aabb* inner) {
    return outer->lower.x <= inner->lower.x && outer->lower.y <= inner->lower.y && outer->lower.z <= inner->lower.z &&
           outer->upper.x >= inner->upper.x && outer->upper.y >= inner->upper.y && outer->upper.z >= inner->upper.z;
}
static inline bool aabb_equal(const aabb* a, const aabb* b) { return aabb_holds(a, b) && aabb_holds(b, a); }

/// A lower end of the signed distance of anything in one box from anything in another. Boxes that overlap are free of
/// each other once one has moved the least of their overlaps along an axis, and so is what they hold. Differences and
/// the root are wrong by 4 roundings of the result at most. Gaps are cut off before they are squared, so that no sum of
/// squares overflows.
static inline double aabb_bound(const aabb* a, const aabb* b) {
    double x = larger(a->lower.x - b->upper.x, b->lower.x - a->upper.x);
    double y = larger(a->lower.y - b->upper.y, b->lower.y - a->upper.y);
    double z = larger(a->lower.z - b->upper.z, b->lower.z - a->upper.z);
    double most = larger(x, larger(y, z));
    if (most > 0) {
        x = smaller(larger(x, 0), 0x1p500);
        y = smaller(larger(y, 0), 0x1p500);
        z = smaller(larger(z, 0), 0x1p500);
        most = larger(most, sqrt(x * x + y * y + z * z));
    }
    return most - fabs(most) * 0x1p-50;
}

#define BOX_NONE UINT32_MAX
/// Boxes in a node at most, and when the tree is built: what comes later finds room. Levels of nodes at most.
#define BOX_FAN LANE_COUNT
#define BOX_FILL 6
#define BOX_LEVELS 16

/// A slot is a place for a box: number slot % BOX_FAN of node slot / BOX_FAN.
typedef struct box_node {
    double lower[3][BOX_FAN], upper[3][BOX_FAN];
    uint32_t entry[BOX_FAN]; // nodes, or items if level is 0
    uint32_t level, count;
    uint32_t parent; // the slot that it is in; BOX_NONE: the root
} box_node;

/// Items are numbered from 0 to items - 1. All zero is a tree without any.
typedef struct box_tree {
    box_node* nodes;
    uint32_t* slot; // of each item
    uint32_t root;
    uint32_t node_count, node_room; // used since it was built; there is no root if that is 0
    uint32_t items, item_room;
    uint32_t insertions; // that are left until it is built anew
} box_tree;

/// Makes an array hold `count` things at least, a quarter more if it must grow. False if there is no memory for it, or
/// if they are more than 2^31 - 1: it is as it was.
bool apart_box_make_room(void** array, uint64_t count, uint32_t* room, size_t size);

/// Makes room for one more item. False if there is no memory for it: nothing has changed then.
bool apart_box_tree_reserve(box_tree* t);
void apart_box_tree_free(box_tree* t);

/// Adds an item, for which room has been made, as number t->items.
void apart_box_tree_insert(box_tree* t, const aabb* box);
/// Takes an item out. The last one gets its number.
void apart_box_tree_remove(box_tree* t, uint32_t item);
/// Gives an item another box. It looks for another place in the tree if it leaves the neighbourhood of the old one.
void apart_box_tree_move(box_tree* t, uint32_t item, const aabb* box);

static inline aabb box_node_at(const box_node* n, uint32_t k) {
    return (aabb){vec3_make(n->lower[0][k], n->lower[1][k], n->lower[2][k]),
                  vec3_make(n->upper[0][k], n->upper[1][k], n->upper[2][k])};
}

/// Is handed an item `a` near the box or, without one, two different items. False: enough.
typedef bool (*box_visit_fn)(void* context, uint32_t a, uint32_t b, double bound);
/// Visits the items near a box or, if that is NULL, all pairs of items near each other: whose bound is at most *limit,
/// which may change from one to the next; of pairs in the same two nodes the nearest comes first, those with
/// half-spaces last. False if one of the visits was enough.
bool apart_box_search(const box_tree* t, const aabb* probe, const double* limit, box_visit_fn visit, void* context);

#endif

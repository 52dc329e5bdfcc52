// The dynamic tree of boxes: insertion where the boxes grow least (Goldsmith, Salmon 1987), balanced by rotations;
// built anew from the top down, by halves, after about as many changes as there are items.
#include "scene/box_tree.h"

#include <stdlib.h>

/// What a box costs: half the sum of its edges, to which the chance is proportional that a search meets it.
static double cost_of(const aabb* b) {
    vec3 d = vec3_sub(b->upper, b->lower);
    return d.x + d.y + d.z;
}

static double cost_of_union(const aabb* a, const aabb* b) {
    aabb both = aabb_union(a, b);
    return cost_of(&both);
}

/// Appends nodes from `first` on, for which there is room, to those that are not in use.
static void add_unused(box_tree* t, uint32_t first) {
    for (uint32_t i = 2 * t->room; i-- > first;) {
        t->nodes[i].parent = t->unused;
        t->unused = i;
    }
}

bool apart_box_tree_reserve(box_tree* t, uint32_t items) {
    const uint32_t room = t->room;
    if (items <= room) return true;
    if (items > INT32_MAX) return false;
    uint32_t* leaf = realloc(t->leaf, items * sizeof *leaf);
    if (leaf) t->leaf = leaf;
    box_node* nodes = leaf ? realloc(t->nodes, 2 * (size_t)items * sizeof *nodes) : NULL;
    if (!nodes) return false;
    for (uint32_t i = room; i < items; ++i) leaf[i] = BOX_NONE;
    t->nodes = nodes;
    t->room = items;
    add_unused(t, 2 * room);
    return true;
}

void apart_box_tree_free(box_tree* t) {
    free(t->nodes);
    free(t->leaf);
}

static uint32_t take_node(box_tree* t) {
    uint32_t i = t->unused;
    t->unused = t->nodes[i].parent;
    return i;
}

static void free_node(box_tree* t, uint32_t i) {
    t->nodes[i].parent = t->unused;
    t->unused = i;
}

static inline bool is_leaf(const box_node* n) { return n->height == 0; }

/// Box and height of an inner node, from its children.
static void fit_node(box_tree* t, uint32_t i) {
    box_node* n = &t->nodes[i];
    const box_node *a = &t->nodes[n->child[0]], *b = &t->nodes[n->child[1]];
    n->box = aabb_union(&a->box, &b->box);
    n->height = 1 + (a->height > b->height ? a->height : b->height);
}

/// Fits a node once more. False if it is what it was.
static bool refit(box_tree* t, uint32_t i) {
    const aabb box = t->nodes[i].box;
    const uint32_t height = t->nodes[i].height;
    fit_node(t, i);
    return height != t->nodes[i].height || !aabb_equal(&box, &t->nodes[i].box);
}

/// Puts `other` in the place of node i below i's parent.
static void take_place(box_tree* t, uint32_t i, uint32_t other) {
    uint32_t parent = t->nodes[i].parent;
    t->nodes[other].parent = parent;
    if (parent == BOX_NONE)
        t->root = other;
    else
        t->nodes[parent].child[t->nodes[parent].child[1] == i] = other;
}

static void set_child(box_tree* t, uint32_t parent, int side, uint32_t child) {
    t->nodes[parent].child[side] = child;
    t->nodes[child].parent = parent;
}

/// If one child is higher than the other by two, it takes the place of its parent, which gets its lower child instead.
/// Returns the node that is in this place now.
static uint32_t balance(box_tree* t, uint32_t i) {
    const uint32_t* child = t->nodes[i].child;
    int64_t lean = (int64_t)t->nodes[child[1]].height - (int64_t)t->nodes[child[0]].height;
    if (lean >= -1 && lean <= 1) return i;
    int side = lean > 0;
    uint32_t up = child[side];
    const uint32_t* grand = t->nodes[up].child;
    int lower = t->nodes[grand[1]].height < t->nodes[grand[0]].height;
    uint32_t down = grand[lower];
    take_place(t, i, up);
    set_child(t, up, lower, i);
    set_child(t, i, side, down);
    fit_node(t, i);
    fit_node(t, up);
    return up;
}

/// Refits the nodes above a change, up to where nothing changes any more.
static void mend_upwards(box_tree* t, uint32_t i) {
    for (bool changed = true; i != BOX_NONE && changed; i = t->nodes[i].parent) {
        changed = refit(t, i);
        uint32_t now = balance(t, i);
        changed = changed || now != i;
        i = now;
    }
}

/// The leaf that is to become the sibling of a new one: from node i down to where the boxes grow least.
static uint32_t find_sibling(const box_tree* t, uint32_t i, const aabb* box) {
    while (!is_leaf(&t->nodes[i])) {
        double grown[2];
        for (int k = 0; k < 2; ++k) {
            const box_node* c = &t->nodes[t->nodes[i].child[k]];
            grown[k] = cost_of_union(&c->box, box) - (is_leaf(c) ? 0 : cost_of(&c->box));
        }
        i = t->nodes[i].child[grown[1] < grown[0]];
    }
    return i;
}

/// Puts a leaf below node `near`, or anywhere if its box is not in that.
static void insert_leaf(box_tree* t, uint32_t leaf, uint32_t near) {
    const aabb* box = &t->nodes[leaf].box;
    if (t->root == BOX_NONE) {
        t->root = leaf;
        t->nodes[leaf].parent = BOX_NONE;
        return;
    }
    while (near != t->root && !aabb_holds(&t->nodes[near].box, box)) near = t->nodes[near].parent;
    uint32_t sibling = find_sibling(t, near, box), parent = take_node(t);
    take_place(t, sibling, parent);
    set_child(t, parent, 0, sibling);
    set_child(t, parent, 1, leaf);
    fit_node(t, parent);
    mend_upwards(t, t->nodes[parent].parent);
}

/// Takes a leaf out. Its sibling takes the place of their parent, and is returned.
static uint32_t remove_leaf(box_tree* t, uint32_t leaf) {
    uint32_t parent = t->nodes[leaf].parent;
    if (parent == BOX_NONE) {
        t->root = BOX_NONE;
        return BOX_NONE;
    }
    const box_node* n = &t->nodes[parent];
    uint32_t sibling = n->child[n->child[0] == leaf];
    take_place(t, parent, sibling);
    free_node(t, parent);
    mend_upwards(t, t->nodes[sibling].parent);
    return sibling;
}

// ------------------------------------------------------------------------------------------------------- built ----

/// A leaf and the middle of its box, times two.
typedef struct leaf_key {
    double middle[3];
    uint32_t leaf;
} leaf_key;

static int longest_axis(const leaf_key* keys, uint32_t count) {
    double low[3], high[3];
    for (int k = 0; k < 3; ++k) low[k] = high[k] = keys[0].middle[k];
    for (uint32_t i = 1; i < count; ++i)
        for (int k = 0; k < 3; ++k) {
            low[k] = smaller(low[k], keys[i].middle[k]);
            high[k] = larger(high[k], keys[i].middle[k]);
        }
    const double x = high[0] - low[0], y = high[1] - low[1], z = high[2] - low[2];
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

/// Puts the `half` keys that are lowest along an axis first (Hoare's selection). Pivots are drawn by a generator of
/// random numbers (Knuth's, MMIX), so that no order that is met is a bad one.
static void select_lowest(leaf_key* keys, uint32_t count, uint32_t half, int axis) {
    int64_t low = 0, high = (int64_t)count - 1, wanted = half;
    uint64_t random = count;
    while (low < high) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const double pivot = keys[low + (int64_t)((random >> 32) * (uint64_t)(high - low + 1) >> 32)].middle[axis];
        int64_t i = low, k = high;
        while (i <= k) {
            while (keys[i].middle[axis] < pivot) ++i;
            while (keys[k].middle[axis] > pivot) --k;
            if (i > k) break;
            const leaf_key kept = keys[i];
            keys[i++] = keys[k];
            keys[k--] = kept;
        }
        // What lies between them equals the pivot.
        if (wanted > k && wanted < i) return;
        if (wanted <= k)
            high = k;
        else
            low = i;
    }
}

/// A subtree of these leaves of the old tree, as node `at` and those that follow.
static void build_subtree(box_tree* t, const box_node* old, leaf_key* keys, uint32_t count, uint32_t at,
                          uint32_t parent) {
    box_node* n = &t->nodes[at];
    if (count == 1) {
        *n = old[keys->leaf];
        n->parent = parent;
        t->leaf[n->child[0]] = at;
        return;
    }
    const uint32_t half = count / 2, other = at + 2 * half;
    select_lowest(keys, count, half, longest_axis(keys, count));
    *n = (box_node){.parent = parent, .child = {at + 1, other}};
    build_subtree(t, old, keys, half, at + 1, at);
    build_subtree(t, old, keys + half, count - half, other, at);
    fit_node(t, at);
}

static uint32_t list_leaves(const box_tree* t, leaf_key* keys) {
    uint32_t count = 0;
    for (uint32_t item = 0; item < t->room; ++item) {
        if (t->leaf[item] == BOX_NONE) continue;
        const vec3 middle = vec3_add(t->nodes[t->leaf[item]].box.lower, t->nodes[t->leaf[item]].box.upper);
        keys[count++] = (leaf_key){{middle.x, middle.y, middle.z}, t->leaf[item]};
    }
    return count;
}

/// Builds the tree anew, its nodes in the order in which they are met from the left. Without memory it stays as it is.
static void rebuild(box_tree* t) {
    leaf_key* keys = calloc(t->room, sizeof *keys);
    box_node *nodes = keys ? malloc(2 * (size_t)t->room * sizeof *nodes) : NULL, *old = t->nodes;
    if (nodes) {
        const uint32_t count = list_leaves(t, keys);
        t->nodes = nodes;
        build_subtree(t, old, keys, count, 0, BOX_NONE);
        free(old);
        t->root = 0;
        t->unused = BOX_NONE;
        add_unused(t, 2 * count - 1);
        t->most_changes = count;
    }
    free(keys);
    t->changes = 0;
}

/// After that many changes it takes less time to build the tree than its searches lose.
static void note_change(box_tree* t) {
    t->changes += 1;
    if (t->changes > t->most_changes + 32 && t->root != BOX_NONE) rebuild(t);
}

void apart_box_tree_insert(box_tree* t, uint32_t item, const aabb* box) {
    uint32_t leaf = t->leaf[item] = take_node(t);
    t->nodes[leaf] = (box_node){.box = *box, .child = {item, BOX_NONE}};
    insert_leaf(t, leaf, t->root);
    note_change(t);
}

void apart_box_tree_remove(box_tree* t, uint32_t item) {
    remove_leaf(t, t->leaf[item]);
    free_node(t, t->leaf[item]);
    t->leaf[item] = BOX_NONE;
    note_change(t);
}

void apart_box_tree_move(box_tree* t, uint32_t item, const aabb* box) {
    uint32_t leaf = t->leaf[item], parent = t->nodes[leaf].parent;
    t->nodes[leaf].box = *box;
    if (parent == BOX_NONE) return;
    if (aabb_holds(&t->nodes[parent].box, box)) {
        mend_upwards(t, parent);
        return;
    }
    uint32_t sibling = remove_leaf(t, leaf);
    insert_leaf(t, leaf, sibling);
    note_change(t);
}

// ------------------------------------------------------------------------------------------------------ search ----

static void push_pair(box_search* s, const box_node* a, const box_node* b, double bound) {
    s->a[s->count] = a;
    s->b[s->count] = b;
    s->bound[s->count++] = bound;
}

void apart_box_search_begin(box_search* s, const box_tree* t, const aabb* probe) {
    s->nodes = t->nodes;
    s->count = 0;
    if (t->root == BOX_NONE) return;
    const box_node* root = &t->nodes[t->root];
    if (probe) s->probe = (box_node){.box = *probe, .child = {BOX_NONE, BOX_NONE}};
    push_pair(s, root, probe ? &s->probe : root, -INFINITY);
}

/// A subtree with itself: its children with each other, and each with itself.
static void open_one(box_search* s, const box_node* n) {
    const box_node *one = &s->nodes[n->child[0]], *other = &s->nodes[n->child[1]];
    push_pair(s, one, other, aabb_gap(&one->box, &other->box));
    if (!is_leaf(one)) push_pair(s, one, one, -INFINITY);
    if (!is_leaf(other)) push_pair(s, other, other, -INFINITY);
}

bool apart_box_search_next(box_search* s, double limit, uint32_t* a, uint32_t* b, double* bound) {
    // Gaps of subtrees are not above those of what is in them. The bound of a pair is a little below its gap.
    const double farthest = limit + fabs(limit) * 0x1p-49;
    while (s->count > 0) {
        const box_node *one = s->a[--s->count], *other = s->b[s->count];
        double least = s->bound[s->count];
        if (one == other) {
            if (!is_leaf(one)) open_one(s, one);
            continue;
        }
        // Down to the nearer child of the higher one; the other child waits.
        while (least <= farthest) {
            if (one->height < other->height) {
                const box_node* exchanged = one;
                one = other;
                other = exchanged;
            }
            if (is_leaf(one)) {
                *a = one->child[0];
                *b = other->child[0];
                *bound = aabb_bound(&one->box, &other->box);
                if (*bound <= limit) return true;
                break;
            }
            const box_node *near = &s->nodes[one->child[0]], *far = &s->nodes[one->child[1]];
            double near_bound = aabb_gap(&near->box, &other->box), far_bound = aabb_gap(&far->box, &other->box);
            bool turned = far_bound < near_bound;
            one = turned ? far : near;
            least = turned ? far_bound : near_bound;
            double later = turned ? near_bound : far_bound;
            if (later <= farthest) push_pair(s, turned ? near : far, other, later);
        }
    }
    return false;
}

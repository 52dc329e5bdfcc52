// The dynamic tree of boxes: insertion where the boxes grow least (Goldsmith, Salmon 1987), balanced by rotations.
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

bool apart_box_tree_reserve(box_tree* t, uint32_t items) {
    if (items <= t->room) return true;
    if (items > INT32_MAX) return false;
    box_node* nodes = realloc(t->nodes, 2 * (size_t)items * sizeof *nodes);
    if (!nodes) return false;
    for (uint32_t i = 2 * items; i-- > 2 * t->room;) {
        nodes[i].parent = t->unused;
        t->unused = i;
    }
    t->nodes = nodes;
    t->room = items;
    return true;
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

static bool is_leaf(const box_node* n) { return n->height == 0; }

/// Box and height of an inner node, from its children.
static void refit(box_tree* t, uint32_t i) {
    box_node* n = &t->nodes[i];
    const box_node *a = &t->nodes[n->child[0]], *b = &t->nodes[n->child[1]];
    n->box = aabb_union(&a->box, &b->box);
    n->height = 1 + (a->height > b->height ? a->height : b->height);
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
    refit(t, i);
    refit(t, up);
    return up;
}

static void mend_upwards(box_tree* t, uint32_t i) {
    for (; i != BOX_NONE; i = t->nodes[i].parent) {
        refit(t, i);
        i = balance(t, i);
    }
}

/// The node that is to become the sibling of a new leaf: down to where the boxes grow least, all in all.
static uint32_t find_sibling(const box_tree* t, const aabb* box) {
    uint32_t i = t->root;
    while (!is_leaf(&t->nodes[i])) {
        const box_node* n = &t->nodes[i];
        double both = cost_of_union(&n->box, box), grown = both - cost_of(&n->box), below[2];
        for (int k = 0; k < 2; ++k) {
            const box_node* c = &t->nodes[n->child[k]];
            below[k] = grown + cost_of_union(&c->box, box) - (is_leaf(c) ? 0 : cost_of(&c->box));
        }
        if (both < below[0] && both < below[1]) break;
        i = n->child[below[1] < below[0]];
    }
    return i;
}

static void insert_leaf(box_tree* t, uint32_t leaf) {
    if (t->root == BOX_NONE) {
        t->root = leaf;
        t->nodes[leaf].parent = BOX_NONE;
        return;
    }
    uint32_t sibling = find_sibling(t, &t->nodes[leaf].box), parent = take_node(t);
    take_place(t, sibling, parent);
    set_child(t, parent, 0, sibling);
    set_child(t, parent, 1, leaf);
    mend_upwards(t, parent);
}

/// Takes a leaf out. Its sibling takes the place of their parent.
static void remove_leaf(box_tree* t, uint32_t leaf) {
    uint32_t parent = t->nodes[leaf].parent;
    if (parent == BOX_NONE) {
        t->root = BOX_NONE;
        return;
    }
    const box_node* n = &t->nodes[parent];
    uint32_t sibling = n->child[n->child[0] == leaf];
    take_place(t, parent, sibling);
    free_node(t, parent);
    mend_upwards(t, t->nodes[sibling].parent);
}

uint32_t apart_box_tree_insert(box_tree* t, uint32_t item, const aabb* box) {
    uint32_t leaf = take_node(t);
    t->nodes[leaf] = (box_node){.box = *box, .child = {item, BOX_NONE}};
    insert_leaf(t, leaf);
    return leaf;
}

void apart_box_tree_remove(box_tree* t, uint32_t leaf) {
    remove_leaf(t, leaf);
    free_node(t, leaf);
}

void apart_box_tree_move(box_tree* t, uint32_t leaf, const aabb* box) {
    uint32_t parent = t->nodes[leaf].parent;
    t->nodes[leaf].box = *box;
    if (parent == BOX_NONE) return;
    if (aabb_holds(&t->nodes[parent].box, box)) {
        for (uint32_t i = parent; i != BOX_NONE; i = t->nodes[i].parent) refit(t, i);
        return;
    }
    remove_leaf(t, leaf);
    insert_leaf(t, leaf);
}

// ------------------------------------------------------------------------------------------------------ search ----

static void push(box_search* s, uint32_t node, double bound) {
    s->node[s->count] = node;
    s->bound[s->count++] = bound;
}

void apart_box_search_begin(box_search* s, const box_tree* t, const aabb* probe) {
    s->tree = t;
    s->probe = *probe;
    s->count = 0;
    if (t->root != BOX_NONE) push(s, t->root, aabb_bound(probe, &t->nodes[t->root].box));
}

bool apart_box_search_next(box_search* s, double limit, uint32_t* item, double* bound) {
    const box_node* nodes = s->tree->nodes;
    while (s->count > 0) {
        const box_node* n = &nodes[s->node[--s->count]];
        *bound = s->bound[s->count];
        if (!(*bound <= limit)) continue;
        if (is_leaf(n)) {
            *item = n->child[0];
            return true;
        }
        double below[2];
        for (int k = 0; k < 2; ++k) below[k] = aabb_bound(&s->probe, &nodes[n->child[k]].box);
        int nearer = below[1] < below[0];
        if (below[!nearer] <= limit) push(s, n->child[!nearer], below[!nearer]);
        if (below[nearer] <= limit) push(s, n->child[nearer], below[nearer]);
    }
    return false;
}

// ------------------------------------------------------------------------------------------------------- join ----

static void push_pair(box_join* j, uint32_t a, uint32_t b, double bound) {
    j->a[j->count] = a;
    j->b[j->count] = b;
    j->bound[j->count++] = bound;
}

void apart_box_join_begin(box_join* j, const box_tree* t) {
    j->tree = t;
    j->count = 0;
    if (t->root != BOX_NONE) push_pair(j, t->root, t->root, -INFINITY);
}

bool apart_box_join_next(box_join* j, double limit, uint32_t* a, uint32_t* b, double* bound) {
    const box_node* nodes = j->tree->nodes;
    while (j->count > 0) {
        uint32_t one = j->a[--j->count], other = j->b[j->count];
        *bound = j->bound[j->count];
        if (!(*bound <= limit)) continue;
        if (one == other) {
            // A subtree with itself.
            if (is_leaf(&nodes[one])) continue;
            const uint32_t* child = nodes[one].child;
            double across = aabb_bound(&nodes[child[0]].box, &nodes[child[1]].box);
            if (across <= limit) push_pair(j, child[0], child[1], across);
            for (int k = 0; k < 2; ++k)
                if (!is_leaf(&nodes[child[k]])) push_pair(j, child[k], child[k], -INFINITY);
            continue;
        }
        if (nodes[one].height < nodes[other].height) {
            uint32_t exchanged = one;
            one = other;
            other = exchanged;
        }
        if (is_leaf(&nodes[one])) {
            *a = nodes[one].child[0];
            *b = nodes[other].child[0];
            return true;
        }
        const uint32_t* child = nodes[one].child;
        double below[2];
        for (int k = 0; k < 2; ++k) below[k] = aabb_bound(&nodes[child[k]].box, &nodes[other].box);
        int nearer = below[1] < below[0];
        if (below[!nearer] <= limit) push_pair(j, child[!nearer], other, below[!nearer]);
        if (below[nearer] <= limit) push_pair(j, child[nearer], other, below[nearer]);
    }
    return false;
}

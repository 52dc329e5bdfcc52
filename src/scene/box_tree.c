// The dynamic tree of boxes: insertion where boxes grow least, nodes that are full are halved (Guttman 1984); built
// anew from the top down, by equal parts, after about as many changes as there are items.
#include "scene/box_tree.h"

#include <stdlib.h>

// ------------------------------------------------------------------------------------------------------- nodes ----

/// Appends nodes from `first` on, for which there is room, to those that are not in use.
static void add_unused(box_tree* t, uint32_t first) {
    for (uint32_t i = t->node_room; i-- > first;) {
        t->nodes[i].parent = t->unused;
        t->unused = i;
    }
    t->unused_count += t->node_room - first;
}

/// Whether an item can be inserted: each level may need a node, and one is for a new root.
static bool can_insert(const box_tree* t) {
    return t->unused_count > BOX_LEVELS && (t->root == BOX_NONE || t->nodes[t->root].level < BOX_LEVELS - 1);
}

// A tree that is built has at least BOX_FILL / 2 entries in each node but the root: two nodes for five items at most,
// and a few.
bool apart_box_tree_reserve(box_tree* t, uint32_t room) {
    const uint32_t used = t->node_room, nodes = t->items / 5 * 2 + 3 * BOX_LEVELS;
    if (room > INT32_MAX / BOX_FAN) return false;
    if (room > t->room) {
        uint32_t* slot = realloc(t->slot, room * sizeof *slot);
        if (!slot) return false;
        for (uint32_t i = t->room; i < room; ++i) slot[i] = BOX_NONE;
        t->slot = slot;
        t->room = room;
    }
    if (t->node_room < nodes || t->unused_count <= BOX_LEVELS) {
        const uint32_t least = nodes > used ? nodes : used, more = least + least / 4;
        box_node* larger_one = realloc(t->nodes, (size_t)more * sizeof *larger_one);
        if (!larger_one) return false;
        t->nodes = larger_one;
        t->node_room = more;
        add_unused(t, used);
    }
    return can_insert(t);
}

void apart_box_tree_free(box_tree* t) {
    free(t->nodes);
    free(t->slot);
}

static uint32_t take_node(box_tree* t, uint32_t level) {
    uint32_t i = t->unused;
    t->unused = t->nodes[i].parent;
    t->unused_count -= 1;
    t->nodes[i].level = level;
    t->nodes[i].count = 0;
    t->nodes[i].parent = BOX_NONE;
    return i;
}

static void free_node(box_tree* t, uint32_t i) {
    t->nodes[i].parent = t->unused;
    t->unused = i;
    t->unused_count += 1;
}

static void set_box(box_node* n, uint32_t k, const aabb* box) {
    n->lower[0][k] = box->lower.x, n->lower[1][k] = box->lower.y, n->lower[2][k] = box->lower.z;
    n->upper[0][k] = box->upper.x, n->upper[1][k] = box->upper.y, n->upper[2][k] = box->upper.z;
}

/// Puts a node or an item into a slot.
static void set_slot(box_tree* t, uint32_t slot, const aabb* box, uint32_t entry) {
    box_node* n = &t->nodes[slot / BOX_FAN];
    set_box(n, slot % BOX_FAN, box);
    n->entry[slot % BOX_FAN] = entry;
    if (n->level == 0)
        t->slot[entry] = slot;
    else
        t->nodes[entry].parent = slot;
}

/// The union of the boxes in a node.
static aabb bounds_of(const box_tree* t, uint32_t node) {
    aabb all = box_tree_at(t, node * BOX_FAN);
    for (uint32_t k = 1; k < t->nodes[node].count; ++k) {
        const aabb box = box_tree_at(t, node * BOX_FAN + k);
        all = aabb_union(&all, &box);
    }
    return all;
}

/// Fits the boxes of a node in which something has changed, and of those above, up to where nothing changes any more.
static void fit_upwards(box_tree* t, uint32_t node) {
    for (uint32_t slot; (slot = t->nodes[node].parent) != BOX_NONE; node = slot / BOX_FAN) {
        const aabb now = bounds_of(t, node), before = box_tree_at(t, slot);
        if (aabb_equal(&now, &before)) return;
        set_box(&t->nodes[slot / BOX_FAN], slot % BOX_FAN, &now);
    }
}

// ------------------------------------------------------------------------------------------------- equal parts ----

/// An entry and the middle of its box, times two.
typedef struct entry_key {
    double middle[3];
    uint32_t slot;
} entry_key;

static entry_key key_of(const box_tree* t, uint32_t slot) {
    const aabb box = box_tree_at(t, slot);
    const vec3 middle = vec3_add(box.lower, box.upper);
    return (entry_key){{middle.x, middle.y, middle.z}, slot};
}

static int longest_axis(const entry_key* keys, uint32_t count) {
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

/// Puts the `wanted` keys that are lowest along their longest axis first (Hoare's selection). Pivots are drawn by a
/// generator of random numbers (Knuth's, MMIX), so that no order that is met is a bad one.
static void part_keys(entry_key* keys, uint32_t count, int64_t wanted) {
    const int axis = longest_axis(keys, count);
    int64_t low = 0, high = (int64_t)count - 1;
    uint64_t random = count;
    while (low < high) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const double pivot = keys[low + (int64_t)((random >> 32) * (uint64_t)(high - low + 1) >> 32)].middle[axis];
        int64_t i = low, k = high;
        while (i <= k) {
            while (keys[i].middle[axis] < pivot) ++i;
            while (keys[k].middle[axis] > pivot) --k;
            if (i > k) break;
            const entry_key kept = keys[i];
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

/// Fills node `to` of a tree with items of another. Up to BOX_FILL^(level + 1) of them make a node of this level.
static void build_node(box_tree* t, const box_tree* from, entry_key* keys, uint32_t count, uint32_t to);

/// Items for `parts` entries of node `to`, as equally many as can be.
static void build_parts(box_tree* t, const box_tree* from, entry_key* keys, uint32_t count, uint32_t parts,
                        uint32_t to) {
    if (parts > 1) {
        const uint32_t half = parts / 2, low = (uint32_t)((uint64_t)count * half / parts);
        part_keys(keys, count, low);
        build_parts(t, from, keys, low, half, to);
        build_parts(t, from, keys + low, count - low, parts - half, to);
        return;
    }
    const uint32_t slot = to * BOX_FAN + t->nodes[to].count++, level = t->nodes[to].level;
    aabb box;
    uint32_t entry;
    if (level == 0) {
        box = box_tree_at(from, keys->slot);
        entry = from->nodes[keys->slot / BOX_FAN].entry[keys->slot % BOX_FAN];
    } else {
        entry = take_node(t, level - 1);
        build_node(t, from, keys, count, entry);
        box = bounds_of(t, entry);
    }
    set_slot(t, slot, &box, entry);
}

static void build_node(box_tree* t, const box_tree* from, entry_key* keys, uint32_t count, uint32_t to) {
    uint64_t most = 1;
    for (uint32_t i = 0; i < t->nodes[to].level; ++i) most *= BOX_FILL;
    build_parts(t, from, keys, count, (uint32_t)((count + most - 1) / most), to);
}

/// Builds the tree anew, its nodes in the order in which they are met. Without memory it stays as it is.
static void rebuild(box_tree* t) {
    const box_tree old = *t;
    entry_key* keys = calloc(t->items, sizeof *keys);
    box_node* nodes = keys ? calloc(t->node_room, sizeof *nodes) : NULL;
    t->changes = 0;
    t->most_changes = t->items;
    if (nodes) {
        uint32_t count = 0, level = 0;
        for (uint32_t item = 0; item < t->room; ++item)
            if (t->slot[item] != BOX_NONE) keys[count++] = key_of(t, t->slot[item]);
        for (uint64_t most = BOX_FILL; most < count; most *= BOX_FILL) ++level;
        t->nodes = nodes;
        t->unused = BOX_NONE;
        t->unused_count = 0;
        add_unused(t, 0);
        t->root = take_node(t, level);
        build_node(t, &old, keys, count, t->root);
        free(old.nodes);
    }
    free(keys);
}

/// After that many changes it takes less time to build the tree than its searches lose.
static void note_change(box_tree* t) {
    t->changes += 1;
    if (t->changes > t->most_changes + 32 && t->items > 0) rebuild(t);
}

// ----------------------------------------------------------------------------------------------------- changes ----

/// Half the sum of the edges of a box, to which the chance is proportional that a search meets it.
static double cost_of(const aabb* b) {
    vec3 d = vec3_sub(b->upper, b->lower);
    return d.x + d.y + d.z;
}

/// By how much the cost of a slot grows when a box is added to what is in it.
static double growth_of(const box_tree* t, uint32_t slot, const aabb* box) {
    const aabb before = box_tree_at(t, slot), after = aabb_union(&before, box);
    return cost_of(&after) - cost_of(&before);
}

static void add_entry(box_tree* t, uint32_t node, const aabb* box, uint32_t entry);

/// Moves half of a node that is full to a new one, which is returned.
static uint32_t halve_node(box_tree* t, uint32_t node) {
    const uint32_t other = take_node(t, t->nodes[node].level);
    const box_node full = t->nodes[node];
    entry_key keys[BOX_FAN];
    aabb boxes[BOX_FAN];
    for (uint32_t k = 0; k < BOX_FAN; ++k) {
        keys[k] = key_of(t, node * BOX_FAN + k);
        boxes[k] = box_tree_at(t, node * BOX_FAN + k);
    }
    part_keys(keys, BOX_FAN, BOX_FAN / 2);
    t->nodes[node].count = 0;
    for (uint32_t i = 0; i < BOX_FAN; ++i) {
        const uint32_t to = i < BOX_FAN / 2 ? node : other, k = keys[i].slot % BOX_FAN;
        set_slot(t, to * BOX_FAN + t->nodes[to].count++, &boxes[k], full.entry[k]);
    }
    const aabb one = bounds_of(t, node), two = bounds_of(t, other);
    if (full.parent == BOX_NONE) {
        t->root = take_node(t, full.level + 1);
        add_entry(t, t->root, &one, node);
    } else {
        set_box(&t->nodes[full.parent / BOX_FAN], full.parent % BOX_FAN, &one);
    }
    add_entry(t, t->nodes[node].parent / BOX_FAN, &two, other);
    return other;
}

/// Adds an entry to a node or, if that is full, to one of its halves.
static void add_entry(box_tree* t, uint32_t node, const aabb* box, uint32_t entry) {
    if (t->nodes[node].count == BOX_FAN) {
        const uint32_t other = halve_node(t, node);
        if (growth_of(t, t->nodes[other].parent, box) < growth_of(t, t->nodes[node].parent, box)) node = other;
    }
    set_slot(t, node * BOX_FAN + t->nodes[node].count++, box, entry);
    fit_upwards(t, node);
}

/// Goes down to where the boxes grow least.
static void insert_item(box_tree* t, uint32_t item, const aabb* box) {
    if (t->root == BOX_NONE) t->root = take_node(t, 0);
    uint32_t node = t->root;
    while (t->nodes[node].level > 0) {
        uint32_t best = 0;
        double least = INFINITY;
        for (uint32_t k = 0; k < t->nodes[node].count; ++k) {
            const double growth = growth_of(t, node * BOX_FAN + k, box);
            if (growth < least) best = k;
            least = smaller(growth, least);
        }
        node = t->nodes[node].entry[best];
    }
    add_entry(t, node, box, item);
}

/// Takes the entry out of a slot, and nodes that are empty then.
static void clear_slot(box_tree* t, uint32_t slot) {
    const uint32_t node = slot / BOX_FAN, last = --t->nodes[node].count, parent = t->nodes[node].parent;
    if (last == 0) {
        free_node(t, node);
        if (parent == BOX_NONE)
            t->root = BOX_NONE;
        else
            clear_slot(t, parent);
        return;
    }
    const aabb box = box_tree_at(t, node * BOX_FAN + last);
    if (slot % BOX_FAN != last) set_slot(t, slot, &box, t->nodes[node].entry[last]);
    fit_upwards(t, node);
}

void apart_box_tree_insert(box_tree* t, uint32_t item, const aabb* box) {
    insert_item(t, item, box);
    t->items += 1;
    note_change(t);
}

void apart_box_tree_remove(box_tree* t, uint32_t item) {
    clear_slot(t, t->slot[item]);
    t->slot[item] = BOX_NONE;
    t->items -= 1;
    note_change(t);
}

void apart_box_tree_move(box_tree* t, uint32_t item, const aabb* box) {
    const uint32_t slot = t->slot[item], parent = t->nodes[slot / BOX_FAN].parent,
                   above = parent == BOX_NONE ? BOX_NONE : t->nodes[parent / BOX_FAN].parent;
    const aabb around = above == BOX_NONE ? *box : box_tree_at(t, above);
    if (aabb_holds(&around, box) || !can_insert(t)) {
        set_box(&t->nodes[slot / BOX_FAN], slot % BOX_FAN, box);
        fit_upwards(t, slot / BOX_FAN);
        return;
    }
    clear_slot(t, slot);
    insert_item(t, item, box);
    note_change(t);
}

// ------------------------------------------------------------------------------------------------------ search ----

/// Adds a pair to those that have come since `first`, in order: the nearest is the last.
static void add_pair(box_search* s, int first, uint32_t a, uint32_t b, double gap) {
    int i = s->count++;
    for (; i > first && s->waiting[i - 1].gap < gap; --i) s->waiting[i] = s->waiting[i - 1];
    s->waiting[i] = (box_pair){a, b, gap};
}

/// Replaces two nodes, or a node and the box that is searched for, by the pairs in them that are near.
static void open_pair(box_search* s, uint32_t one, uint32_t other, const aabb* around_other, double farthest) {
    const box_node *a = &s->tree->nodes[one], *b = other == BOX_NONE ? &s->probe : &s->tree->nodes[other];
    const int first = s->count;
    unsigned near[BOX_FAN], rows;
    double gap[BOX_FAN][BOX_FAN];
    rows = s->kernels->near_nodes(a, b, around_other, farthest, near, gap);
    for (; rows; rows &= rows - 1) {
        const uint32_t row = (uint32_t)__builtin_ctz(rows), slot = one * BOX_FAN + row;
        // A node with itself: each pair once, and each entry with itself.
        if (a == b) near[row] &= ~1u << row;
        if (a == b && a->level > 0) add_pair(s, first, slot, slot, -INFINITY);
        for (unsigned lanes_left = near[row]; lanes_left; lanes_left &= lanes_left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(lanes_left);
            add_pair(s, first, slot, other == BOX_NONE ? BOX_NONE : other * BOX_FAN + lane, gap[row][lane]);
        }
    }
}

static uint32_t entry_at(const box_tree* t, uint32_t slot) {
    return slot == BOX_NONE ? BOX_NONE : t->nodes[slot / BOX_FAN].entry[slot % BOX_FAN];
}

void apart_box_search_begin(box_search* s, const box_tree* t, const aabb* probe) {
    static const aabb everywhere = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    s->tree = t;
    s->kernels = apart_kernels();
    s->count = 0;
    if (probe) set_box(&s->probe, 0, probe);
    s->probe.count = 1;
    if (t->root != BOX_NONE) open_pair(s, t->root, probe ? BOX_NONE : t->root, &everywhere, INFINITY);
}

bool apart_box_search_next(box_search* s, double limit, uint32_t* a, uint32_t* b, double* bound) {
    // Gaps of nodes are not above those of what is in them. The bound of a pair is a little below its gap.
    const double farthest = limit + fabs(limit) * 0x1p-49;
    while (s->count > 0) {
        const box_pair p = s->waiting[--s->count];
        if (!(p.gap <= farthest)) continue;
        const aabb other = p.b == BOX_NONE ? box_node_at(&s->probe, 0) : box_tree_at(s->tree, p.b);
        *a = entry_at(s->tree, p.a);
        *b = entry_at(s->tree, p.b);
        if (s->tree->nodes[p.a / BOX_FAN].level > 0) {
            open_pair(s, *a, *b, &other, farthest);
            continue;
        }
        const aabb box = box_tree_at(s->tree, p.a);
        *bound = aabb_bound(&box, &other);
        if (*bound <= limit) return true;
    }
    return false;
}

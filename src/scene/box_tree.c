// The dynamic tree of boxes: insertion where boxes grow least, nodes that are full are halved (Guttman 1984); built
// anew from the top down, by equal parts, after about as many insertions as there are items.
#include "scene/box_tree.h"

#include <stdlib.h>

/// An item or a node, and its box.
typedef struct box_entry {
    aabb box;
    uint32_t number;
} box_entry;

bool apart_box_make_room(void** array, uint64_t count, uint32_t* room, size_t size) {
    // On a machine of 32 bits the memory ends before the numbers do.
    const uint64_t fit = SIZE_MAX / size, most = fit < INT32_MAX ? fit : INT32_MAX;
    const uint64_t more = count + count / 4 + 16 < most ? count + count / 4 + 16 : most;
    if (count <= *room) return true;
    void* larger_one = count <= most ? realloc(*array, (size_t)more * size) : NULL;
    if (!larger_one) return false;
    *array = larger_one;
    *room = (uint32_t)more;
    return true;
}

void apart_box_tree_free(box_tree* t) {
    free(t->nodes);
    free(t->slot);
}

static uint32_t take_node(box_tree* t, uint32_t level) {
    t->nodes[t->node_count] = (box_node){.level = level, .parent = BOX_NONE};
    return t->node_count++;
}

static void set_box(box_node* n, uint32_t k, const aabb* box) {
    n->lower[0][k] = box->lower.x, n->lower[1][k] = box->lower.y, n->lower[2][k] = box->lower.z;
    n->upper[0][k] = box->upper.x, n->upper[1][k] = box->upper.y, n->upper[2][k] = box->upper.z;
}

static void set_entry(box_tree* t, uint32_t slot, const box_entry* e) {
    box_node* n = &t->nodes[slot / BOX_FAN];
    set_box(n, slot % BOX_FAN, &e->box);
    n->entry[slot % BOX_FAN] = e->number;
    if (n->level == 0)
        t->slot[e->number] = slot;
    else
        t->nodes[e->number].parent = slot;
}

static box_entry entry_in(const box_node* n, uint32_t k) { return (box_entry){box_node_at(n, k), n->entry[k]}; }

static box_entry entry_at(const box_tree* t, uint32_t slot) {
    return entry_in(&t->nodes[slot / BOX_FAN], slot % BOX_FAN);
}

/// Adds an entry to a node that is not full.
static void append_entry(box_tree* t, uint32_t node, const box_entry* e) {
    set_entry(t, node * BOX_FAN + t->nodes[node].count++, e);
}

/// A node and the union of the boxes in it.
static box_entry entry_of(const box_tree* t, uint32_t node) {
    box_entry e = {box_node_at(&t->nodes[node], 0), node};
    for (uint32_t k = 1; k < t->nodes[node].count; ++k) {
        const aabb box = box_node_at(&t->nodes[node], k);
        e.box = aabb_union(&e.box, &box);
    }
    return e;
}

/// Fits the boxes of a node in which something has changed, and of those above, up to where nothing changes any more.
static void fit_upwards(box_tree* t, uint32_t node) {
    for (uint32_t slot; (slot = t->nodes[node].parent) != BOX_NONE; node = slot / BOX_FAN) {
        const box_entry now = entry_of(t, node), before = entry_at(t, slot);
        if (aabb_equal(&now.box, &before.box)) return;
        set_entry(t, slot, &now);
    }
}

/// The middle of a box along an axis, times two.
static double middle_of(const box_entry* e, int axis) { return vec3_at(vec3_add(e->box.lower, e->box.upper), axis); }

static int longest_axis(const box_entry* list, uint32_t count) {
    vec3 low = vec3_add(list->box.lower, list->box.upper), high = low;
    for (uint32_t i = 1; i < count; ++i) {
        const vec3 middle = vec3_add(list[i].box.lower, list[i].box.upper);
        low = vec3_min(low, middle);
        high = vec3_max(high, middle);
    }
    const vec3 d = vec3_sub(high, low);
    return d.x >= d.y && d.x >= d.z ? 0 : d.y >= d.z ? 1 : 2;
}

/// Puts the `wanted` entries that are lowest along their longest axis first (Hoare's selection). Pivots are drawn by a
/// generator of random numbers (Knuth's, MMIX), so that no order that is met is a bad one.
static void part_entries(box_entry* list, uint32_t count, int64_t wanted) {
    const int axis = longest_axis(list, count);
    int64_t low = 0, high = (int64_t)count - 1;
    uint64_t random = count;
    while (low < high) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const double pivot = middle_of(&list[low + (int64_t)((random >> 32) * (uint64_t)(high - low + 1) >> 32)], axis);
        int64_t i = low, k = high;
        while (i <= k) {
            while (middle_of(&list[i], axis) < pivot) ++i;
            while (middle_of(&list[k], axis) > pivot) --k;
            if (i > k) break;
            const box_entry kept = list[i];
            list[i++] = list[k];
            list[k--] = kept;
        }
        // What lies between them equals the pivot.
        if (wanted > k && wanted < i) return;
        high = wanted <= k ? k : high;
        low = wanted <= k ? low : i;
    }
}

/// Adds `parts` entries to a node, of as equally many items as can be. Up to `most` of them make one entry.
static void build_parts(box_tree* t, uint32_t node, box_entry* items, uint32_t count, uint32_t parts, uint32_t most) {
    if (parts > 1) {
        const uint32_t half = parts / 2, low = (uint32_t)((uint64_t)count * half / parts);
        part_entries(items, count, low);
        build_parts(t, node, items, low, half, most);
        build_parts(t, node, items + low, count - low, parts - half, most);
    } else if (t->nodes[node].level == 0) {
        append_entry(t, node, items);
    } else {
        const uint32_t child = take_node(t, t->nodes[node].level - 1), below = most > BOX_FILL ? most / BOX_FILL : 1;
        build_parts(t, child, items, count, (count + below - 1) / below, below);
        const box_entry e = entry_of(t, child);
        append_entry(t, node, &e);
    }
}

/// Builds the tree anew, its nodes in the order in which they are met. False without memory: it stays as it is. At
/// least BOX_FILL / 2 entries are in each node but the root, which makes two nodes for five items at most. What is left
/// mostly lasts for as many insertions as there are items: then to build takes less time than searches lose.
static bool rebuild(box_tree* t) {
    const uint32_t count = t->items;
    uint32_t level = 0, most = 1;
    box_tree fresh = *t;
    fresh.node_count = 0;
    fresh.node_room = count / 2 + 3 * BOX_LEVELS;
    fresh.insertions = count + 33;
    fresh.nodes = malloc(fresh.node_room * sizeof *fresh.nodes);
    box_entry* items = malloc((count + 1) * sizeof *items);
    const bool good = fresh.nodes && items;
    if (good && count > 0) {
        for (uint32_t item = 0; item < count; ++item) items[item] = entry_at(t, t->slot[item]);
        for (; (uint64_t)most * BOX_FILL < count; most *= BOX_FILL) ++level;
        fresh.root = take_node(&fresh, level);
        build_parts(&fresh, fresh.root, items, count, (count + most - 1) / most, most);
    }
    free(items);
    free(good ? t->nodes : fresh.nodes);
    if (good) *t = fresh;
    return good;
}

/// Whether an item can be inserted: each level may need a node, and one is for a new root. The tree is built anew when
/// nodes or levels run out, or after many insertions.
static bool can_insert(box_tree* t) {
    return (t->insertions > 0 && t->node_room > t->node_count + BOX_LEVELS &&
            (t->node_count == 0 || t->nodes[t->root].level < BOX_LEVELS - 1)) ||
           rebuild(t);
}

bool apart_box_tree_reserve(box_tree* t) {
    return t->items < INT32_MAX / BOX_FAN &&
           apart_box_make_room((void**)&t->slot, t->items + 1, &t->item_room, sizeof *t->slot) && can_insert(t);
}

/// Adds an entry to a node. One half of a node that is full becomes a new node.
static void add_entry(box_tree* t, uint32_t node, const box_entry* e) {
    if (t->nodes[node].count < BOX_FAN) {
        append_entry(t, node, e);
        fit_upwards(t, node);
        return;
    }
    box_entry all[BOX_FAN + 1];
    for (uint32_t k = 0; k < BOX_FAN; ++k) all[k] = entry_at(t, node * BOX_FAN + k);
    all[BOX_FAN] = *e;
    part_entries(all, BOX_FAN + 1, BOX_FAN / 2);
    const uint32_t level = t->nodes[node].level, other = take_node(t, level);
    t->nodes[node].count = 0;
    for (uint32_t i = 0; i <= BOX_FAN; ++i) append_entry(t, i < BOX_FAN / 2 ? node : other, &all[i]);
    const box_entry half = entry_of(t, node), other_half = entry_of(t, other);
    if (node == t->root) {
        t->root = take_node(t, level + 1);
        append_entry(t, t->root, &half);
    }
    fit_upwards(t, node);
    add_entry(t, t->nodes[node].parent / BOX_FAN, &other_half);
}

/// The sum of the sides of a box, to which the chance is proportional that a search meets it. INFINITY of
/// aabb_everywhere: the growth of a node that holds it is no number, and not the least.
static double cost_of(const aabb* b) {
    vec3 d = vec3_sub(b->upper, b->lower);
    return d.x + d.y + d.z;
}

/// Goes down to where the boxes grow least.
static void insert_item(box_tree* t, uint32_t item, const aabb* box) {
    t->insertions -= 1;
    if (t->node_count == 0) t->root = take_node(t, 0);
    uint32_t node = t->root;
    while (t->nodes[node].level > 0) {
        uint32_t best = 0;
        double least = INFINITY;
        for (uint32_t k = 0; k < t->nodes[node].count; ++k) {
            const aabb before = box_node_at(&t->nodes[node], k), after = aabb_union(&before, box);
            const double growth = cost_of(&after) - cost_of(&before);
            if (growth < least) best = k;
            least = smaller(growth, least);
        }
        node = t->nodes[node].entry[best];
    }
    const box_entry e = {*box, item};
    add_entry(t, node, &e);
}

/// Takes the entry out of a slot, and nodes that are empty then.
static void clear_slot(box_tree* t, uint32_t slot) {
    const uint32_t node = slot / BOX_FAN, last = --t->nodes[node].count;
    if (last == 0 && node == t->root) {
        t->node_count = 0;
    } else if (last == 0) {
        clear_slot(t, t->nodes[node].parent);
    } else {
        const box_entry e = entry_at(t, node * BOX_FAN + last);
        if (slot % BOX_FAN != last) set_entry(t, slot, &e);
        fit_upwards(t, node);
    }
}

void apart_box_tree_insert(box_tree* t, const aabb* box) { insert_item(t, t->items++, box); }

void apart_box_tree_remove(box_tree* t, uint32_t item) {
    const uint32_t slot = t->slot[item], last = t->slot[--t->items];
    t->nodes[last / BOX_FAN].entry[last % BOX_FAN] = item;
    t->slot[item] = last;
    clear_slot(t, slot);
}

void apart_box_tree_move(box_tree* t, uint32_t item, const aabb* box) {
    const uint32_t slot = t->slot[item], node = slot / BOX_FAN, parent = t->nodes[node].parent,
                   above = parent == BOX_NONE ? BOX_NONE : t->nodes[parent / BOX_FAN].parent;
    const aabb around = above == BOX_NONE ? *box : entry_at(t, above).box;
    if (!aabb_holds(&around, box) && can_insert(t)) {
        clear_slot(t, t->slot[item]);
        insert_item(t, item, box);
    } else {
        set_box(&t->nodes[node], slot % BOX_FAN, box);
        fit_upwards(t, node);
    }
}

typedef struct box_search {
    const box_tree* tree;
    const kernels* kernels;
    const double* limit;
    box_visit_fn visit;
    void* context;
} box_search;

/// Two boxes of the nodes that are compared.
typedef struct box_pair {
    uint32_t a, b;
    double gap, rank; // the gap, or INFINITY with a half-space: its gap tells nothing
} box_pair;

/// The pairs of boxes of two nodes that are near, in order: those with half-spaces, then the others, of which the
/// nearest is the last. Of a node with itself each pair once, and each of its nodes with itself.
static int find_near(const box_search* s, const box_node* a, const box_node* b, const aabb* around_b,
                     box_pair list[BOX_FAN * BOX_FAN]) {
    // The bound of a pair is a little below its gap.
    const double farthest = *s->limit + fabs(*s->limit) * 0x1p-49;
    unsigned near[BOX_FAN];
    double gap[BOX_FAN][BOX_FAN];
    int count = 0;
    for (unsigned rows = s->kernels->near_nodes(a, b, around_b, farthest, near, gap); rows; rows &= rows - 1) {
        const int row = __builtin_ctz(rows);
        if (a == b) near[row] &= ~0u << row << (a->level == 0);
        for (; near[row]; near[row] &= near[row] - 1) {
            const int lane = __builtin_ctz(near[row]);
            const double g = gap[row][lane], rank = g < -0x1p1022 ? (double)INFINITY : g;
            int i = count++;
            for (; i > 0 && list[i - 1].rank < rank; --i) list[i] = list[i - 1];
            list[i] = (box_pair){(uint32_t)row, (uint32_t)lane, g, rank};
        }
    }
    return count;
}

/// Visits what is near in two nodes of one level, or below a node of any level and in a probe, which is of level 0. The
/// bound of two nodes is not above any in them, since rounding keeps the order of their gaps.
static bool search_nodes(const box_search* s, const box_node* a, const box_node* b, const aabb* around_b) {
    box_pair list[BOX_FAN * BOX_FAN];
    for (int i = find_near(s, a, b, around_b, list); i-- > 0;) {
        const box_entry one = entry_in(a, list[i].a), other = entry_in(b, list[i].b);
        const double gap = list[i].gap,
                     bound = a->level > 0 ? gap - fabs(gap) * 0x1p-50 : aabb_bound(&one.box, &other.box);
        if (!(bound <= *s->limit)) continue;
        const box_node *nodes = s->tree->nodes, *below_b = b->level > 0 ? &nodes[other.number] : b;
        const bool more = a->level > 0 ? search_nodes(s, &nodes[one.number], below_b, &other.box)
                                       : s->visit(s->context, one.number, other.number, bound);
        if (!more) return false;
    }
    return true;
}

bool apart_box_search(const box_tree* t, const aabb* probe, const double* limit, box_visit_fn visit, void* context) {
    const box_search s = {t, apart_kernels(), limit, visit, context};
    box_node single = {.count = 1};
    if (t->node_count == 0) return true;
    set_box(&single, 0, probe ? probe : &aabb_everywhere);
    return search_nodes(&s, &t->nodes[t->root], probe ? &single : &t->nodes[t->root], &aabb_everywhere);
}

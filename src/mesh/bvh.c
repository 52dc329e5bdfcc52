// Building a tree: items are split at the median along the longest side of the box of their middles, as PQP and its
// descendants do, but to the multiple of the size of a full subtree, so that nodes are full. Boxes are fitted from the
// bottom up: their axes are the principal ones of the corners below, their sizes those corners themselves. Corners that
// cannot matter to a large box are left out by the boxes below it, so that all fitting is linear.
#include "mesh/bvh.h"
#include "base/sort.h"
#include "base/symmetric.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/// An item on its way to its place: its middle, and its number.
typedef struct key {
    float middle[3];
    uint32_t item;
} key;

/// How points are spread: their number, their mean, and the sums of the products of their deviations from it
/// (xx, yy, zz, xy, xz, yz).
typedef struct spread {
    double count;
    vec3 mean;
    double sum[6];
} spread;

typedef struct builder {
    tree_corners_fn corners;
    const void* context;
    tree_node* nodes;
    uint32_t next;      // node to be handed out
    key* keys;          // of the items that have no place yet
    uint32_t* order;    // the others
    tree_block* blocks; // NULL if there are none
    uint32_t count;
    meter* meter;
} builder;

// Nanoseconds: the key of an item; its leaf and its part in boxes; a key in a split: looked at, and parted.
#define KEY_WORK 15.0
#define LEAF_WORK 250.0
#define LOOK_WORK 2.0
#define PART_WORK 4.0
/// How often a split parts a key, about.
#define PARTINGS 1.9

// ------------------------------------------------------------------------------------------------------ shape ----

/// How many items a full subtree below a node of `items` items has: the power of eight of which at most eight are
/// needed.
static uint32_t capacity(uint32_t items) {
    uint32_t c = 1;
    while ((uint64_t)LANE_COUNT * c < items) c *= LANE_COUNT;
    return c;
}

/// Nodes of the subtree that holds `items` items: none for a single one, which is a leaf.
static uint32_t nodes_below(uint32_t items) {
    if (items == 1) return 0;
    uint32_t c = capacity(items), full = 1 + items / c * nodes_below(c);
    return items % c == 0 ? full : full + nodes_below(items % c);
}

uint32_t apart_bvh_node_count(uint32_t items) { return 1 + nodes_below(items); }

double apart_bvh_work(uint32_t items) {
    double halvings = rounds_of(items) + 4; // which ends with 16
    return items * (KEY_WORK + LEAF_WORK + halvings * (LOOK_WORK + PARTINGS * PART_WORK));
}

// ----------------------------------------------------------------------------------------------------- middles ----

/// The axis along which the middles of keys[0 .. count) spread most.
static int longest_side(const key* keys, uint32_t count, meter* m) {
    float lower[3], upper[3];
    for (int i = 0; i < 3; ++i) lower[i] = upper[i] = keys[0].middle[i];
    for (uint32_t k = 0; k < count; ++k)
        for (int i = 0; i < 3; ++i) {
            float x = keys[k].middle[i];
            lower[i] = x < lower[i] ? x : lower[i];
            upper[i] = x > upper[i] ? x : upper[i];
        }
    meter_add(m, LOOK_WORK * count);
    int best = 0;
    for (int i = 1; i < 3; ++i)
        if (upper[i] - lower[i] > upper[best] - lower[best]) best = i;
    return best;
}

/// Moves the keys at most `pivot` to the front: every key trades places with the first that is above, which costs less
/// than a branch that nobody can foretell. Returns how many there are.
static uint32_t gather_at_most(key* keys, uint32_t count, int axis, float pivot, meter* m) {
    uint32_t front = 0;
    for (uint32_t k = 0; k < count; ++k) {
        key moved = keys[k];
        keys[k] = keys[front];
        keys[front] = moved;
        front += moved.middle[axis] <= pivot;
    }
    meter_add(m, PART_WORK * count);
    return front;
}

/// Keys that are looked at to choose a pivot, and how often that is tried: ten times suffice nearly always. A split
/// that is not quite at its place then makes a worse tree, but keeps the time within n log n.
#define SAMPLE 31u
#define ROUNDS 32

/// A value that about `wanted` of the keys do not exceed: the one of a sample that has its rank there.
static float sampled_pivot(const key* keys, uint32_t count, int axis, uint32_t wanted) {
    float sample[SAMPLE], pivot = 0;
    uint32_t size = count < SAMPLE ? count : SAMPLE, rank = (uint32_t)(((uint64_t)wanted * size - 1) / count);
    for (uint32_t i = 0; i < size; ++i) sample[i] = keys[(uint64_t)i * count / size].middle[axis];
    for (uint32_t i = 0; i < size; ++i) {
        uint32_t below = 0, up_to = 0;
        for (uint32_t k = 0; k < size; ++k) {
            below += sample[k] < sample[i];
            up_to += sample[k] <= sample[i];
        }
        if (below <= rank && rank < up_to) pivot = sample[i];
    }
    return pivot;
}

/// Puts the `wanted` smallest keys along the axis first, 0 < wanted < count.
static void select_smallest(key* keys, uint32_t count, int axis, uint32_t wanted, meter* m) {
    for (int round = 0; round < ROUNDS && wanted > 0 && wanted < count && !m->cancelled; ++round) {
        float pivot = sampled_pivot(keys, count, axis, wanted);
        uint32_t front = gather_at_most(keys, count, axis, pivot, m);
        if (front == count) {
            // None is above the pivot: those below it. The rest are equal.
            front = gather_at_most(keys, count, axis, nextafterf(pivot, -FLT_MAX), m);
            if (wanted >= front) return;
        }
        if (wanted < front) {
            count = front;
        } else {
            keys += front;
            count -= front;
            wanted -= front;
        }
    }
}

// ------------------------------------------------------------------------------------------------------ spread ----

static spread spread_of(const vec3* points, int count) {
    spread s = {.count = count};
    for (int i = 0; i < count; ++i) s.mean = vec3_add(s.mean, points[i]);
    s.mean = vec3_scale(1.0 / count, s.mean);
    for (int i = 0; i < count; ++i) {
        vec3 d = vec3_sub(points[i], s.mean);
        double products[6] = {d.x * d.x, d.y * d.y, d.z * d.z, d.x * d.y, d.x * d.z, d.y * d.z};
        for (int k = 0; k < 6; ++k) s.sum[k] += products[k];
    }
    return s;
}

/// The spread of two sets together (Chan, Golub, LeVeque 1983).
static spread spread_join(const spread* a, const spread* b) {
    if (a->count == 0) return *b;
    spread s = {.count = a->count + b->count};
    vec3 d = vec3_sub(b->mean, a->mean);
    double part = b->count / s.count, weight = a->count * part;
    s.mean = vec3_mad(a->mean, part, d);
    double products[6] = {d.x * d.x, d.y * d.y, d.z * d.z, d.x * d.y, d.x * d.z, d.y * d.z};
    for (int k = 0; k < 6; ++k) s.sum[k] = (a->sum[k] + b->sum[k]) + weight * products[k];
    return s;
}

// -------------------------------------------------------------------------------------------------------- axes ----

/// The nearest float. Volatile: gcc 12 at -O2 leaves out the rounding where it sees a conversion there and back.
static double nearest_float(double x) {
    volatile float f = (float)x;
    return (double)f;
}

static vec3 to_float(vec3 a) { return vec3_make(nearest_float(a.x), nearest_float(a.y), nearest_float(a.z)); }

/// Three unit vectors square to each other, the first along `first`, the second in the plane of both as far as they
/// tell; rounded to floats.
static void make_square(vec3 first, vec3 second, vec3 axis[3]) {
    axis[0] = vec3_unit(first);
    vec3 rest = vec3_mad(second, -vec3_dot(second, axis[0]), axis[0]);
    bool clear = vec3_dot(rest, rest) > 0x1p-60 * vec3_dot(second, second);
    axis[1] = clear ? vec3_unit(vec3_mad(rest, -vec3_dot(rest, axis[0]), axis[0])) : vec3_square(axis[0]);
    axis[2] = vec3_cross(axis[0], axis[1]);
    for (int j = 0; j < 3; ++j) axis[j] = to_float(axis[j]);
}

/// The principal axes of a spread. Three sweeps leave less than floats can tell.
static void principal_axes(const spread* s, vec3 axis[3]) {
    double largest = larger(s->sum[0], larger(s->sum[1], s->sum[2]));
    double scale = largest > 0x1p-900 ? 1 / largest : 0;
    double xx = scale * s->sum[0], yy = scale * s->sum[1], zz = scale * s->sum[2];
    double xy = scale * s->sum[3], xz = scale * s->sum[4], yz = scale * s->sum[5];
    double m[3][3] = {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < 3; ++sweep) {
        jacobi_rotate(m, v, 0, 1);
        jacobi_rotate(m, v, 0, 2);
        jacobi_rotate(m, v, 1, 2);
    }
    make_square(vec3_make(v[0][0], v[1][0], v[2][0]), vec3_make(v[0][1], v[1][1], v[2][1]), axis);
}

/// The axes of one item: along the longest edge of a triangle, or along the edges of a box (corner i is at the far end
/// of edge j where bit j of i is set).
static void item_axes(const vec3* p, int count, vec3 axis[3]) {
    vec3 e[3] = {vec3_sub(p[1], p[0]), vec3_sub(p[2], p[count == 3]), vec3_sub(p[0], p[2])};
    double square[3] = {vec3_dot(e[0], e[0]), vec3_dot(e[1], e[1]), vec3_dot(e[2], e[2])};
    int i = 0;
    if (count == 3 && square[1] > square[0]) i = 1;
    if (count == 3 && square[2] > square[i]) i = 2;
    make_square(e[i], e[(i + 1) % 3], axis);
}

// ------------------------------------------------------------------------------------------------------- boxes ----

/// How far the corners reach along three axes.
typedef struct reach {
    double lower[3], upper[3];
} reach;
static const reach reach_nowhere = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void reach_add(reach* r, const vec3 axis[3], const vec3* points, int count) {
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < 3; ++j) {
            double h = vec3_dot(axis[j], points[i]);
            r->lower[j] = smaller(r->lower[j], h);
            r->upper[j] = larger(r->upper[j], h);
        }
}

static float round_up(double x) {
    float f = (float)x;
    return (double)f < x ? nextafterf(f, FLT_MAX) : f;
}

/// Writes the box with these axes (already floats) and reach to a lane.
static void set_lane(tree_node* node, int lane, const vec3 axis[3], const reach* r) {
    vec3 c = {0, 0, 0};
    for (int j = 0; j < 3; ++j) c = vec3_mad(c, 0.5 * (r->lower[j] + r->upper[j]), axis[j]);
    c = to_float(c);
    node->center[0][lane] = (float)c.x;
    node->center[1][lane] = (float)c.y;
    node->center[2][lane] = (float)c.z;
    double half[3], sum = 0;
    for (int j = 0; j < 3; ++j) {
        double h = vec3_dot(axis[j], c);
        half[j] = larger(r->upper[j] - h, h - r->lower[j]);
        sum += half[j];
    }
    // The thinnest side first.
    int order[3] = {0, 1, 2};
    if (half[1] < half[0]) order[0] = 1, order[1] = 0;
    if (half[2] < half[order[0]]) order[2] = order[0], order[0] = 2;
    for (int j = 0; j < 3; ++j) {
        int from = order[j];
        // The products above are wrong by a few roundings of the unit ball.
        node->half[j][lane] = round_up(half[from] + BOX_SLACK * sum + 0x1p-50);
        node->axis[j][0][lane] = (float)axis[from].x;
        node->axis[j][1][lane] = (float)axis[from].y;
        node->axis[j][2][lane] = (float)axis[from].z;
    }
}

/// Fits the box of a lane around one item.
static void fit_item(tree_node* node, int lane, const vec3* corners, int count) {
    vec3 axis[3];
    reach r = reach_nowhere;
    item_axes(corners, count, axis);
    reach_add(&r, axis, corners, count);
    set_lane(node, lane, axis, &r);
}

/// The lanes from `used` on are not used: their boxes are copies of the first.
static void close_node(tree_node* node, uint32_t used) {
    for (uint32_t lane = used; lane < LANE_COUNT; ++lane) {
        node->child[lane] = TREE_NONE;
        for (int i = 0; i < 3; ++i) {
            node->center[i][lane] = node->center[i][0];
            node->half[i][lane] = node->half[i][0];
            for (int j = 0; j < 3; ++j) node->axis[i][j][lane] = node->axis[i][j][0];
        }
    }
}

/// The most that the products below, and those of reach_add, are wrong by: a dozen roundings of the unit ball.
#define REACH_ERROR 0x1p-48

/// Whether a box may reach farther than what was found before.
static bool is_farther(const tree_box* box, const vec3 axis[3], const reach* r) {
    bool farther = false;
    for (int j = 0; j < 3; ++j) {
        double middle = vec3_dot(axis[j], box->center), half = tree_box_reach(box, axis[j]) + REACH_ERROR;
        farther |= middle - half < r->lower[j] || middle + half > r->upper[j];
    }
    return farther;
}

/// How far the items below a child reach. Boxes that do not reach farther than what was found before are left out: the
/// result is the same to the last bit. That of an item is not asked, which costs as much as its corners.
static void reach_below(const builder* b, uint32_t child, const vec3 axis[3], reach* r) {
    if (tree_is_item(child)) {
        vec3 points[8];
        reach_add(r, axis, points, b->corners(b->context, b->order[child & ~TREE_ITEM], points));
        return;
    }
    const tree_node* node = &b->nodes[child];
    for (uint32_t i = 0; i < LANE_COUNT && node->child[i] != TREE_NONE; ++i) {
        tree_box box = tree_lane_box(node, i);
        if (tree_is_item(node->child[i]) || is_farther(&box, axis, r)) reach_below(b, node->child[i], axis, r);
    }
}

/// Fits the box of a lane around what is below it.
static void fit_lane(const builder* b, const spread* s, tree_node* node, int lane) {
    vec3 axis[3];
    principal_axes(s, axis);
    reach r = reach_nowhere;
    reach_below(b, node->child[lane], axis, &r);
    set_lane(node, lane, axis, &r);
}

// ------------------------------------------------------------------------------------------------------- nodes ----

/// A leaf: the box of one item. Returns the spread of its corners.
static spread build_leaf(const builder* b, tree_node* node, int lane, uint32_t place) {
    vec3 points[8];
    uint32_t item = b->order[place] = b->keys[place].item;
    int count = b->corners(b->context, item, points);
    fit_item(node, lane, points, count);
    node->child[lane] = TREE_ITEM | place;
    return spread_of(points, count);
}

static spread build_lane(builder* b, tree_node* node, int lane, uint32_t first, uint32_t count);

/// Splits a range of items among `units` lanes, from `lane` on, each full with `each` items but the last.
static spread split(builder* b, tree_node* node, int lane, uint32_t units, uint32_t each, uint32_t first,
                    uint32_t count) {
    if (b->meter->cancelled) return (spread){0};
    if (units == 1) return build_lane(b, node, lane, first, count);
    uint32_t left = units / 2, left_count = left * each;
    key* keys = b->keys + first;
    select_smallest(keys, count, longest_side(keys, count, b->meter), left_count, b->meter);
    spread s = split(b, node, lane, left, each, first, left_count);
    spread t = split(b, node, lane + (int)left, units - left, each, first + left_count, count - left_count);
    return spread_join(&s, &t);
}

/// Fills a block, all of whose items have their places. The last one repeats its last item.
static void fill_block(const builder* b, uint32_t number) {
    for (uint32_t lane = 0; lane < LANE_COUNT; ++lane) {
        uint32_t place = number * LANE_COUNT + lane;
        vec3 points[8];
        b->corners(b->context, b->order[place < b->count ? place : b->count - 1], points);
        for (int i = 0; i < 3; ++i) {
            float(*to)[LANE_COUNT] = b->blocks[number].corner[i];
            to[0][lane] = (float)points[i].x;
            to[1][lane] = (float)points[i].y;
            to[2][lane] = (float)points[i].z;
        }
    }
}

/// Builds what is below one lane, then its box. Returns the spread of its corners.
static spread build_lane(builder* b, tree_node* node, int lane, uint32_t first, uint32_t count) {
    if (count == 1) return build_leaf(b, node, lane, first);
    uint32_t number = b->next++, each = capacity(count), units = (count + each - 1) / each;
    tree_node* below = b->nodes + number;
    node->child[lane] = number;
    spread s = split(b, below, 0, units, each, first, count);
    close_node(below, units);
    if (each == 1) meter_add(b->meter, LEAF_WORK * count);
    // Items of a cancelled tree have no places.
    if (b->meter->cancelled) return s;
    if (b->blocks && count == LANE_COUNT) fill_block(b, first / LANE_COUNT);
    fit_lane(b, &s, node, lane);
    return s;
}

static void set_keys(const builder* b) {
    vec3 points[8];
    for (uint32_t i = 0; i < b->count; ++i) {
        int n = b->corners(b->context, i, points);
        vec3 middle = {0, 0, 0};
        for (int k = 0; k < n; ++k) middle = vec3_add(middle, points[k]);
        middle = vec3_scale(1.0 / n, middle);
        b->keys[i] = (key){{(float)middle.x, (float)middle.y, (float)middle.z}, i};
        if (!meter_item(b->meter, i, KEY_WORK)) return;
    }
}

_Static_assert(sizeof(key) == TREE_SCRATCH, "room for the keys");

bool apart_bvh_build(tree_corners_fn corners, const void* context, uint32_t count, tree_node* nodes, uint32_t* order,
                     tree_block* blocks, void* scratch, tree* out, meter* m) {
    builder b = {.corners = corners,
                 .context = context,
                 .nodes = nodes,
                 .next = 1,
                 .keys = scratch,
                 .blocks = blocks,
                 .count = count,
                 .meter = m};
    b.order = order;
    set_keys(&b);
    build_lane(&b, &nodes[0], 0, 0, count);
    if (m->cancelled) return false;
    close_node(&nodes[0], 1);
    if (blocks) fill_block(&b, (count - 1) / LANE_COUNT);
    *out = (tree){.nodes = nodes, .blocks = blocks, .node_count = b.next};
    for (uint32_t n = count; n > 1; n = capacity(n)) out->depth += 1;
    return true;
}

tree apart_bvh_single(const vec3 corner[8], tree_node* node) {
    fit_item(node, 0, corner, 8);
    close_node(node, 1);
    node->child[0] = TREE_ITEM;
    return (tree){.nodes = node, .node_count = 1};
}

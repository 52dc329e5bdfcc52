#include "mesh/traverse.h"

// ------------------------------------------------------------------------------------------------------ frames ----

/// The inverse of an almost orthogonal matrix, by its cofactors.
static mat3 mat3_inverse(const mat3* a) {
    vec3 row[3], column[3];
    for (int i = 0; i < 3; ++i) row[i] = vec3_make(a->m[i][0], a->m[i][1], a->m[i][2]);
    for (int i = 0; i < 3; ++i) column[i] = vec3_cross(row[(i + 1) % 3], row[(i + 2) % 3]);
    double inverse = 1 / vec3_dot(row[0], column[0]);
    mat3 r;
    for (int i = 0; i < 3; ++i) {
        r.m[0][i] = inverse * column[i].x;
        r.m[1][i] = inverse * column[i].y;
        r.m[2][i] = inverse * column[i].z;
    }
    return r;
}

static mat3 mat3_scaled(double s, const mat3* a) {
    mat3 r;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) r.m[i][j] = s * a->m[i][j];
    return r;
}

/// Ordinary searches compare fewer boxes than this.
#define PATIENCE 0x10000

void apart_traverse_init(walk* w, difference* k, const tree* a, const tree* b, bool thick) {
    w->k = k;
    const mat3 *ra = &k->a.pose->rotation, *rb = &k->b.pose->rotation;
    mat3 inverse_a = mat3_inverse(ra), inverse_b = mat3_inverse(rb);
    w->side[0] = (walk_side){.tree = a,
                             .highest = INFINITY,
                             .factor = k->a.factor,
                             .rotation = ra,
                             .radius = thick ? k->a.radius : 0,
                             .turn = mat3_product(&inverse_a, rb),
                             .other = vec3_neg(mat3_mul(&inverse_a, k->offset))};
    w->side[1] = (walk_side){.tree = b,
                             .highest = INFINITY,
                             .factor = k->b.factor,
                             .rotation = rb,
                             .radius = thick ? k->b.radius : 0,
                             .turn = mat3_product(&inverse_b, ra),
                             .other = mat3_mul(&inverse_b, k->offset)};
    // A matrix with |R^T R - I| <= s in every entry stretches by a factor within 1 +- 3 s, and so does its inverse.
    double skew = mat3_skew(ra) + mat3_skew(rb);
    w->widen = 4 * skew;
    w->keep = 1 - 8 * skew - 0x1p-20;
    w->threshold = INFINITY;
    w->margin = 0;
    w->done = false;
    w->visits = w->pairs = 0;
    w->patience = PATIENCE;
    w->frame = (wide_frame){mat3_scaled(k->a.factor, ra), mat3_scaled(k->b.factor, rb), k->offset};
    // Corners of either body, along any direction; twice that for the arithmetic.
    w->slack = 4 * BLOCK_ROUNDING * (k->a.factor + k->b.factor);
    w->nearest[0] = w->nearest[1] = 0;
    w->wide = apart_kernels();
    // No direction yet: along this one nothing is separated.
    w->normal = vec3_make(0, 0, 0);
    w->gap = -INFINITY;
}

/// How far a convex body reaches along d, from its stored origin: exactly, where its box only gives a bound.
static double highest_point(difference* k, posed_body* body, vec3 d) {
    uint32_t index;
    return shape_is_convex(body->shape) ? vec3_dot(d, apart_minkowski_body_support(k, body, d, &index)) : INFINITY;
}

void apart_traverse_aim(walk* w, vec3 normal) {
    w->normal = normal;
    w->side[0].toward = mat3_tmul(w->side[0].rotation, normal);
    w->side[1].toward = mat3_tmul(w->side[1].rotation, normal);
    w->gap = -vec3_dot(normal, w->frame.offset);
    w->side[0].highest = highest_point(w->k, &w->k->a, normal) + w->side[0].radius;
    w->side[1].highest = highest_point(w->k, &w->k->b, vec3_neg(normal)) + w->side[1].radius;
}

/// Far outside the unit ball it does not matter where; a body that is nothing beside the other has no coordinates.
static double within_reach(double x) { return x > 0x1p20 ? 0x1p20 : x < -0x1p20 ? -0x1p20 : x == x ? x : 0; }

vec3 apart_traverse_carry(const walk* w, int from, vec3 stored) {
    const walk_side* there = &w->side[!from];
    vec3 p = vec3_add(mat3_mul(&there->turn, vec3_scale(w->side[from].factor, stored)), there->other);
    double f = there->factor;
    return vec3_make(within_reach(p.x / f), within_reach(p.y / f), within_reach(p.z / f));
}

// ------------------------------------------------------------------------------------------------------- pairs ----

/// Two places that are still to be compared, at least `bound` apart.
typedef struct place_pair {
    double bound;
    tree_place at[2];
} place_pair;

/// Every step takes one pair off and puts at most 64 on, which are one level deeper in both trees, or 8 which are one
/// level deeper in one.
#define STACK_SIZE (2 * TREE_MOST_DEPTH * (LANE_COUNT * LANE_COUNT - 1) + LANE_COUNT * LANE_COUNT)

static double box_size(const walk_side* s, tree_place p) {
    const tree_node* n = &s->tree->nodes[p / LANE_COUNT];
    uint32_t i = p % LANE_COUNT;
    return s->factor * ((double)n->half[0][i] + (double)n->half[1][i] + (double)n->half[2][i]);
}

/// Boxes of sizes within this factor are split together; else the larger alone. Three levels of halving a surface make
/// children of about a third of the size.
#define SIMILAR 3.0

/// Which to split: bit 0 for a, bit 1 for b. 0: both are items.
static unsigned choose_sides(const walk* w, const place_pair* pair, const uint32_t child[2]) {
    if (tree_is_item(child[0])) return tree_is_item(child[1]) ? 0 : 2;
    if (tree_is_item(child[1])) return 1;
    double a = box_size(&w->side[0], pair->at[0]), b = box_size(&w->side[1], pair->at[1]);
    return a > SIMILAR * b ? 1 : b > SIMILAR * a ? 2 : 3;
}

/// Pairs of children that are nearer than the threshold, nearest first.
typedef struct near_list {
    int count;
    place_pair pair[LANE_COUNT * LANE_COUNT];
} near_list;

static void near_add(near_list* list, double bound, tree_place a, tree_place b) {
    int k = list->count++;
    for (; k > 0 && list->pair[k - 1].bound > bound; --k) list->pair[k] = list->pair[k - 1];
    list->pair[k] = (place_pair){bound, {a, b}};
}

/// Compares the children of one side of a pair with the other box, or with its children.
static void open_pair(walk* w, const place_pair* pair, const uint32_t child[2], unsigned sides, near_list* list) {
    // Lanes are always split; rows are the children of the other side, or its box alone.
    int rows = sides == 1, across = !rows;
    const walk_side *row_side = &w->side[rows], *lane_side = &w->side[across];
    uint32_t row_node = sides == 3 ? child[rows] : pair->at[rows] / LANE_COUNT, lane_node = child[across];
    wide_match m = {.rows = &row_side->tree->nodes[row_node],
                    .lanes = &lane_side->tree->nodes[lane_node],
                    .chosen = sides == 3 ? (1u << LANE_COUNT) - 1 : 1u << pair->at[rows] % LANE_COUNT,
                    .row_factor = row_side->factor,
                    .lane_factor = lane_side->factor,
                    .turn = &row_side->turn,
                    .shift = row_side->other,
                    .row_toward = rows == 0 ? row_side->toward : vec3_neg(row_side->toward),
                    .lane_toward = rows == 0 ? lane_side->toward : vec3_neg(lane_side->toward),
                    .gap = w->gap,
                    .highest = row_side->highest,
                    .widen = w->widen,
                    .keep = w->keep,
                    .threshold = w->threshold};
    unsigned near[LANE_COUNT];
    double bound[LANE_COUNT][LANE_COUNT];
    unsigned row_bits;
    w->visits += (int64_t)LANE_COUNT * w->wide->match(&m, &row_bits, near, bound);
    list->count = 0;
    for (; row_bits; row_bits &= row_bits - 1) {
        uint32_t row = (uint32_t)__builtin_ctz(row_bits);
        for (unsigned left = near[row]; left; left &= left - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(left);
            if (m.rows->child[row] == TREE_NONE || m.lanes->child[lane] == TREE_NONE) break;
            tree_place r = row_node * LANE_COUNT + row, l = lane_node * LANE_COUNT + lane;
            near_add(list, larger(bound[row][lane], pair->bound), rows == 0 ? r : l, rows == 0 ? l : r);
        }
    }
}

/// A triangle, or a node whose children are all triangles: a block of corners, and which of them are meant.
typedef struct last {
    const tree_block* block;
    unsigned meant;
    tree_place first; // place of bit 0
} last;

/// Whether the child at a place is one of these.
static bool find_last(const tree* t, tree_place place, uint32_t child, last* l) {
    if (!t->blocks) return false;
    uint32_t item = child;
    if (tree_is_item(child)) {
        uint32_t lane = (child & ~TREE_ITEM) % LANE_COUNT;
        l->meant = 1u << lane;
        l->first = place - lane;
    } else {
        const tree_node* node = &t->nodes[child];
        item = node->child[0];
        if (!tree_is_item(item)) return false;
        l->meant = (1u << LANE_COUNT) - 1;
        for (unsigned i = LANE_COUNT - 1; node->child[i] == TREE_NONE; --i) l->meant >>= 1;
        l->first = child * LANE_COUNT;
    }
    l->block = &t->blocks[(item & ~TREE_ITEM) / LANE_COUNT];
    return true;
}

/// Compares the triangles of two blocks, and hands on those that are near.
static void open_blocks(walk* w, const last* a, const last* b) {
    wide_meet m = {
        .a = a->block, .b = b->block, .frame = &w->frame, .normal = w->normal, .threshold = w->threshold + w->slack};
    unsigned near[LANE_COUNT];
    w->visits += LANE_COUNT;
    for (unsigned rows = w->wide->meet(&m, near) & a->meant; rows; rows &= rows - 1) {
        uint32_t row = (uint32_t)__builtin_ctz(rows);
        for (unsigned left = near[row] & b->meant; left; left &= left - 1, ++w->pairs)
            w->leaf(w, a->first + row, b->first + (uint32_t)__builtin_ctz(left), -INFINITY);
    }
}

/// One step: compares what is below a pair of places. Items are handed on; the rest is in the list, nearest first.
static void step(walk* w, const place_pair* pair, near_list* list) {
    uint32_t child[2] = {tree_child(w->side[0].tree, pair->at[0]), tree_child(w->side[1].tree, pair->at[1])};
    list->count = 0;
    last a, b;
    if (find_last(w->side[0].tree, pair->at[0], child[0], &a) &&
        find_last(w->side[1].tree, pair->at[1], child[1], &b)) {
        open_blocks(w, &a, &b);
        return;
    }
    unsigned sides = choose_sides(w, pair, child);
    if (sides == 0) {
        w->leaf(w, pair->at[0], pair->at[1], pair->bound);
        return;
    }
    open_pair(w, pair, child, sides, list);
}

/// How far all items of a tree reach towards the other body along the normal.
static double tree_height(const walk* w, int side) {
    const walk_side* here = &w->side[side];
    vec3 toward = side == 0 ? here->toward : vec3_neg(here->toward);
    uint32_t stack[TREE_MOST_DEPTH * LANE_COUNT] = {0};
    double highest = -INFINITY;
    for (int height = 1; height > 0;) {
        uint32_t number = stack[--height];
        for (uint32_t i = 0; i < LANE_COUNT; ++i) {
            tree_place place = number * LANE_COUNT + i;
            uint32_t child = tree_child(here->tree, place);
            if (child == TREE_NONE) break;
            tree_box box = apart_bvh_box(here->tree, place);
            double reach = 0;
            for (int j = 0; j < 3; ++j) reach += box.half[j] * fabs(vec3_dot(toward, box.axis[j]));
            if (here->factor * (vec3_dot(toward, box.center) + reach) <= highest) continue;
            if (tree_is_item(child))
                highest = larger(highest, w->height(w, side, child & ~TREE_ITEM));
            else
                stack[height++] = child;
        }
    }
    return highest;
}

/// Whether the normal alone separates the bodies by as much as the nearest pair. Where many pairs are equally near, as
/// between parallel plates, no comparison of two boxes can tell, but one look at either body does.
static bool prove_at_once(walk* w) {
    double apart = w->gap - tree_height(w, 0) - tree_height(w, 1);
    w->patience *= 16;
    if (!(apart >= w->threshold - w->margin)) return false;
    w->threshold = smaller(w->threshold, apart);
    return w->done = true;
}

/// When to give up: after so many boxes; after so many boxes and pairs of items that overlap.
typedef struct budget {
    int64_t boxes, deep;
} budget;

static bool is_spent(const walk* w, const budget* most) {
    return w->visits >= most->boxes || (w->threshold <= 0 && w->visits + w->pairs >= most->deep);
}

/// Compares all that is below two places, depth first. Whether it came to the end.
static bool descend(walk* w, tree_place a, tree_place b, budget most) {
    place_pair stack[STACK_SIZE];
    near_list list;
    int height = 1;
    stack[0] = (place_pair){-INFINITY, {a, b}};
    most.boxes += w->visits;
    most.deep += w->visits + w->pairs;
    while (height > 0 && !is_spent(w, &most)) {
        place_pair pair = stack[--height];
        if (w->visits > w->patience && w->height && prove_at_once(w)) break;
        if (!(pair.bound < w->threshold)) continue;
        step(w, &pair, &list);
        for (int k = list.count - 1; k >= 0; --k) stack[height++] = list.pair[k];
    }
    w->flush(w);
    return height == 0 || w->done;
}

/// An item of one side near the middle of a box of the other.
static tree_place hop(const walk* w, int from, tree_place place) {
    vec3 middle = apart_traverse_carry(w, from, tree_center(w->side[from].tree, place));
    return w->wide->approach(w->side[!from].tree, middle);
}

/// Aims along the line of the middles.
static void aim_at_middles(walk* w) {
    const posed_body *a = &w->k->a, *b = &w->k->b;
    vec3 way = vec3_sub(posed_point(b, b->shape->center), posed_point(a, a->shape->center));
    apart_traverse_aim(w, vec3_unit(vec3_sub(way, w->k->offset)));
}

void apart_traverse_begin(walk* w) {
    if (w->threshold < INFINITY) {
        if (w->gap == -INFINITY) aim_at_middles(w);
        return;
    }
    w->guess(w, hop(w, 1, 0), hop(w, 0, 0));
}

/// How often that is tried before the search goes on.
#define HOPS 8

void apart_traverse_chase(walk* w) {
    tree_place b = w->nearest[1];
    for (int i = 0; i < HOPS; ++i) {
        tree_place before = b, a = hop(w, 1, b);
        b = hop(w, 0, a);
        if (b == before) return;
        w->guess(w, a, b);
    }
}

/// How often the nearest pair is improved before the search proper.
#define ROUNDS 2

void apart_traverse_improve(walk* w) {
    for (int i = 0; i < ROUNDS && !w->done && (w->nearest[0] || w->nearest[1]); ++i) {
        tree_place before[2] = {w->nearest[0], w->nearest[1]};
        descend(w, w->nearest[0], 0, (budget){FOREVER, FOREVER});
        if (i > 0 && w->nearest[1] == before[1]) return;
        descend(w, 0, w->nearest[1], (budget){FOREVER, FOREVER});
        if (w->nearest[0] == before[0]) return;
    }
}

bool apart_traverse_compare(walk* w, int64_t most) { return w->done || descend(w, 0, 0, (budget){most, FOREVER}); }
bool apart_traverse_compare_deep(walk* w, int64_t most) { return w->done || descend(w, 0, 0, (budget){FOREVER, most}); }

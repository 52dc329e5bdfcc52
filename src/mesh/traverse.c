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

static walk_side side_of(const posed_body* body, const tree* t, bool thick, const mat3* inverse, const mat3* theirs,
                         vec3 other) {
    return (walk_side){.tree = t,
                       .mesh = thick ? NULL : body->shape->mesh,
                       .highest = INFINITY,
                       .factor = body->factor,
                       .rotation = &body->pose->rotation,
                       .radius = thick ? body->radius : 0,
                       .turn = mat3_product(inverse, theirs),
                       .other = mat3_mul(inverse, other)};
}

void apart_traverse_init(walk* w, difference* k, const tree* a, const tree* b, bool thick, place_pair* stack) {
    w->k = k;
    w->thick = thick;
    w->stack = stack;
    const mat3 *ra = &k->a.pose->rotation, *rb = &k->b.pose->rotation;
    mat3 inverse_a = mat3_inverse(ra), inverse_b = mat3_inverse(rb);
    w->side[0] = side_of(&k->a, a, thick, &inverse_a, rb, vec3_neg(k->offset));
    w->side[1] = side_of(&k->b, b, thick, &inverse_b, ra, k->offset);
    // A matrix with |R^T R - I| <= s in every entry stretches by a factor within 1 +- 3 s, and so does its inverse.
    double skew = mat3_skew(ra) + mat3_skew(rb);
    w->widen = 4 * skew;
    w->keep = 1 - 8 * skew - 0x1p-20;
    w->threshold = INFINITY;
    w->margin = 0;
    w->done = false;
    w->visits = w->pairs = 0;
    // Parts of a union cannot be proven far at once.
    w->patience = thick ? FOREVER : PATIENCE;
    w->frame = (wide_frame){mat3_scaled(k->a.factor, ra), mat3_scaled(k->b.factor, rb), k->offset};
    // Corners of either body, along any direction; twice that for the arithmetic.
    w->slack = 4 * BLOCK_ROUNDING * (k->a.factor + k->b.factor);
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
    vec3 back = vec3_neg(normal);
    w->normal = normal;
    w->gap = -vec3_dot(normal, w->frame.offset);
    w->side[0].toward = mat3_tmul(w->side[0].rotation, normal);
    w->side[1].toward = mat3_tmul(w->side[1].rotation, back);
    w->side[0].highest = highest_point(w->k, &w->k->a, normal) + w->side[0].radius;
    w->side[1].highest = highest_point(w->k, &w->k->b, back) + w->side[1].radius;
}

void apart_traverse_aim_at_middles(walk* w) {
    apart_traverse_aim(w, vec3_unit(vec3_neg(apart_minkowski_centers(w->k))));
}

/// Far outside the unit ball it does not matter where; a body that is nothing beside the other has no coordinates.
static double within_reach(double x) { return x > 0x1p20 ? 0x1p20 : x < -0x1p20 ? -0x1p20 : x == x ? x : 0; }

vec3 apart_traverse_carry(const walk* w, int from, vec3 stored) {
    const walk_side* there = &w->side[!from];
    vec3 p = vec3_add(mat3_mul(&there->turn, vec3_scale(w->side[from].factor, stored)), there->other);
    double f = there->factor;
    return vec3_make(within_reach(p.x / f), within_reach(p.y / f), within_reach(p.z / f));
}

tree_place apart_traverse_hop(const walk* w, int from, tree_place place) {
    vec3 middle = apart_traverse_carry(w, from, tree_place_box(w->side[from].tree, place).center);
    return w->wide->approach(w->side[!from].tree, middle);
}

// ------------------------------------------------------------------------------------------------------- pairs ----

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
    if (w->thick) return a > b ? 1 : 2;
    return a > SIMILAR * b ? 1 : b > SIMILAR * a ? 2 : 3;
}

/// Puts a pair on the stack, above those from `base` on that are farther apart.
static void push_pair(walk* w, int base, place_pair pair) {
    int k = w->height++;
    for (; k > base && w->stack[k - 1].bound < pair.bound; --k) w->stack[k] = w->stack[k - 1];
    w->stack[k] = pair;
}

/// Compares the children of one side of a pair with the other box, or with its children. Those that are nearer than
/// the threshold go on the stack, the nearest on top.
static void open_pair(walk* w, const place_pair* pair, const uint32_t child[2], unsigned sides) {
    // Lanes are always split; rows are the children of the other side, or its box alone.
    int rows = sides == 1, across = !rows, base = w->height;
    const walk_side *row_side = &w->side[rows], *lane_side = &w->side[across];
    uint32_t row_node = sides == 3 ? child[rows] : pair->at[rows] / LANE_COUNT, lane_node = child[across];
    wide_match m = {.rows = &row_side->tree->nodes[row_node],
                    .lanes = &lane_side->tree->nodes[lane_node],
                    .chosen = sides == 3 ? (1u << LANE_COUNT) - 1 : 1u << pair->at[rows] % LANE_COUNT,
                    .row_factor = row_side->factor,
                    .lane_factor = lane_side->factor,
                    .turn = &row_side->turn,
                    .shift = row_side->other,
                    .row_toward = row_side->toward,
                    .lane_toward = vec3_neg(lane_side->toward),
                    .gap = w->gap,
                    .highest = row_side->highest,
                    .widen = w->widen,
                    .keep = w->keep,
                    .threshold = w->threshold};
    unsigned near[LANE_COUNT], row_bits;
    _Alignas(64) double bound[LANE_COUNT][LANE_COUNT];
    w->visits += (int64_t)LANE_COUNT * w->wide->match(&m, &row_bits, near, bound);
    for (; row_bits; row_bits &= row_bits - 1) {
        uint32_t row = (uint32_t)__builtin_ctz(row_bits);
        for (unsigned left = near[row]; left; left &= left - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(left);
            if (m.rows->child[row] == TREE_NONE || m.lanes->child[lane] == TREE_NONE) break;
            tree_place r = row_node * LANE_COUNT + row, l = lane_node * LANE_COUNT + lane;
            double least = larger(bound[row][lane], pair->bound);
            push_pair(w, base, (place_pair){least, {rows == 0 ? r : l, rows == 0 ? l : r}});
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

/// Compares the triangles of two blocks.
static void open_blocks(walk* w, const last* a, const last* b) {
    wide_meet m = {
        .a = a->block, .b = b->block, .frame = &w->frame, .normal = w->normal, .threshold = w->threshold + w->slack};
    w->visits += LANE_COUNT;
    w->first[0] = a->first;
    w->first[1] = b->first;
    w->rows = w->wide->meet(&m, w->near) & a->meant;
    for (unsigned left = w->rows; left; left &= left - 1) {
        int row = __builtin_ctz(left);
        w->near[row] &= b->meant;
        if (!w->near[row]) w->rows ^= 1u << row;
    }
}

/// Takes a pair out of two blocks that were compared.
static void take_triangles(walk* w, place_pair* pair) {
    uint32_t row = (uint32_t)__builtin_ctz(w->rows), lane = (uint32_t)__builtin_ctz(w->near[row]);
    w->near[row] &= w->near[row] - 1;
    if (!w->near[row]) w->rows &= w->rows - 1;
    w->pairs += 1;
    *pair = (place_pair){-INFINITY, {w->first[0] + row, w->first[1] + lane}};
}

// ------------------------------------------------------------------------------------------------ proof at once ----

/// How far a body reaches towards the other along the normal.
static double body_height(const walk* w, int side) {
    const walk_side* here = &w->side[side];
    if (!here->mesh) return here->highest;
    uint32_t stack[TREE_MOST_DEPTH * LANE_COUNT] = {0};
    double highest = -INFINITY;
    vec3 p[3];
    for (int height = 1; height > 0;) {
        uint32_t number = stack[--height];
        for (uint32_t i = 0; i < LANE_COUNT; ++i) {
            tree_place place = number * LANE_COUNT + i;
            uint32_t child = tree_child(here->tree, place);
            if (child == TREE_NONE) break;
            tree_box box = tree_place_box(here->tree, place);
            double high = vec3_dot(here->toward, box.center) + tree_box_reach(&box, here->toward);
            if (here->factor * high <= highest) continue;
            if (tree_is_item(child))
                highest = larger(highest, walk_triangle_height(w, side, child & ~TREE_ITEM, p));
            else
                stack[height++] = child;
        }
    }
    return highest;
}

/// Whether the normal alone separates the bodies by as much as the nearest pair. Where many pairs are equally near, as
/// between parallel plates, no comparison of two boxes can tell, but one look at either body does.
static bool prove_at_once(walk* w) {
    double apart = w->gap - body_height(w, 0) - body_height(w, 1);
    w->patience *= 16;
    if (!(apart >= w->threshold - w->margin)) return false;
    w->threshold = smaller(w->threshold, apart);
    return w->done = true;
}

// -------------------------------------------------------------------------------------------------- the search ----

void apart_traverse_start(walk* w, int64_t most_visits, int64_t most_deep) {
    w->most_visits = w->visits + most_visits;
    w->most_deep = w->visits + w->pairs + most_deep;
    w->rows = 0;
    w->stack[0] = (place_pair){-INFINITY, {0, 0}};
    w->height = w->done ? 0 : 1;
}

static bool is_spent(const walk* w) {
    return w->visits >= w->most_visits || (w->threshold <= 0 && w->visits + w->pairs >= w->most_deep);
}

bool apart_traverse_next(walk* w, place_pair* pair) {
    for (; w->rows == 0;) {
        if (w->height == 0 || is_spent(w)) return false;
        if (w->visits > w->patience && prove_at_once(w)) return false;
        *pair = w->stack[--w->height];
        if (!(pair->bound < w->threshold)) continue;
        uint32_t child[2] = {tree_child(w->side[0].tree, pair->at[0]), tree_child(w->side[1].tree, pair->at[1])};
        last a, b;
        if (find_last(w->side[0].tree, pair->at[0], child[0], &a) &&
            find_last(w->side[1].tree, pair->at[1], child[1], &b)) {
            open_blocks(w, &a, &b);
            continue;
        }
        unsigned sides = choose_sides(w, pair, child);
        if (sides == 0) return true;
        open_pair(w, pair, child, sides);
    }
    take_triangles(w, pair);
    return true;
}

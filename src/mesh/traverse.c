// Pairs of nodes of two trees on a stack, nearer pair first.
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

static void set_side(walk_side* s, const posed_body* body, const tree* t, bool thick) {
    s->tree = t;
    s->mesh = thick ? NULL : body->shape->mesh;
    s->highest = INFINITY;
    s->factor = body->factor;
    s->rotation = &body->pose->rotation;
    s->toward = vec3_make(0, 0, 0);
    s->radius = thick ? body->radius : 0;
}

void apart_traverse_init(walk* w, difference* k, const tree* a, const tree* b, bool thick, place_pair* stack) {
    w->k = k;
    w->thick = thick;
    w->stack = stack;
    const mat3 *ra = &k->a.pose->rotation, *rb = &k->b.pose->rotation;
    set_side(&w->side[0], &k->a, a, thick);
    set_side(&w->side[1], &k->b, b, thick);
    w->threshold = INFINITY;
    w->margin = 0;
    w->deepest = w->done = w->turned = false;
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

static void turn_side(walk_side* s, const mat3* theirs, vec3 other) {
    mat3 inverse = mat3_inverse(s->rotation);
    s->turn = mat3_product(&inverse, theirs);
    s->other = mat3_mul(&inverse, other);
}

void apart_traverse_turn(walk* w) {
    if (w->turned) return;
    w->turned = true;
    const mat3 *ra = w->side[0].rotation, *rb = w->side[1].rotation;
    turn_side(&w->side[0], rb, vec3_neg(w->frame.offset));
    turn_side(&w->side[1], ra, w->frame.offset);
    // A matrix with |R^T R - I| <= s in every entry stretches by a factor within 1 +- 3 s, and so does its inverse.
    double skew = mat3_skew(ra) + mat3_skew(rb);
    w->widen = 4 * skew;
    w->keep = 1 - 8 * skew - 0x1p-20;
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

double apart_traverse_descend(const walk* w, tree_place from, double enough, uint32_t item[2]) {
    tree_place place[2] = {from, 0};
    double square = w->wide->descend(w->side[0].tree, w->side[1].tree, &w->frame, enough, place);
    for (int s = 0; s < 2; ++s) item[s] = tree_first_item(w->side[s].tree, tree_child(w->side[s].tree, place[s]));
    return square;
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
                    .threshold = w->threshold,
                    .deepest = w->deepest};
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

/// Compares the triangles of two blocks.
static void open_blocks(walk* w, const tree_leaf* a, const tree_leaf* b) {
    wide_meet m = {.a = &w->side[0].tree->blocks[a->first / LANE_COUNT],
                   .b = &w->side[1].tree->blocks[b->first / LANE_COUNT],
                   .frame = &w->frame,
                   .normal = w->normal,
                   .threshold = w->threshold + w->slack};
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
static void take_triangles(walk* w, uint32_t item[2]) {
    uint32_t row = (uint32_t)__builtin_ctz(w->rows), lane = (uint32_t)__builtin_ctz(w->near[row]);
    w->near[row] &= w->near[row] - 1;
    if (!w->near[row]) w->rows &= w->rows - 1;
    w->pairs += 1;
    item[0] = w->first[0] + row;
    item[1] = w->first[1] + lane;
}

// ------------------------------------------------------------------------------------------------ proof at once ----

/// How far a body reaches towards the other along the normal.
static double body_height(const walk* w, int side) {
    const walk_side* here = &w->side[side];
    if (!here->mesh) return here->highest;
    uint32_t stack[TREE_STACK] = {0};
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

/// How far the boxes below the root of a side reach towards the other body along the normal.
static double root_height(const walk* w, int side) {
    const walk_side* here = &w->side[side];
    uint32_t child = tree_child(here->tree, 0);
    const tree_node* node = &here->tree->nodes[tree_is_item(child) ? 0 : child];
    return smaller(w->wide->height(node, here->factor, here->toward), here->highest);
}

void apart_traverse_start(walk* w, int64_t most_deep) {
    w->most_deep = w->visits + w->pairs + most_deep;
    w->rows = 0;
    w->stack[0] = (place_pair){-INFINITY, {0, 0}};
    // Where errors are allowed, the first normal often proves the answer.
    w->done = w->done || w->gap - root_height(w, 0) - root_height(w, 1) >= w->threshold;
    w->height = w->done ? 0 : 1;
    if (!w->done) apart_traverse_turn(w);
}

static bool is_spent(const walk* w) { return w->threshold <= 0 && w->visits + w->pairs >= w->most_deep; }

bool apart_traverse_next(walk* w, uint32_t item[2]) {
    for (; w->rows == 0;) {
        if (w->height == 0 || is_spent(w)) return false;
        if (w->visits > w->patience && prove_at_once(w)) return false;
        place_pair pair = w->stack[--w->height];
        if (!(pair.bound < w->threshold)) continue;
        const tree *a = w->side[0].tree, *b = w->side[1].tree;
        uint32_t child[2] = {tree_child(a, pair.at[0]), tree_child(b, pair.at[1])};
        tree_leaf leaf[2];
        if (tree_find_leaf(a, child[0], &leaf[0]) && tree_find_leaf(b, child[1], &leaf[1])) {
            open_blocks(w, &leaf[0], &leaf[1]);
            continue;
        }
        unsigned sides = choose_sides(w, &pair, child);
        if (sides > 0) {
            open_pair(w, &pair, child, sides);
            continue;
        }
        for (int s = 0; s < 2; ++s) item[s] = child[s] & ~TREE_ITEM;
        return true;
    }
    take_triangles(w, item);
    return true;
}

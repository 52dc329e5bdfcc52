#include "tree/search.h"

// ------------------------------------------------------------------------------------------------------ frames ----

static mat3 mat3_product(const mat3* a, const mat3* b) {
    mat3 r;
    for (int j = 0; j < 3; ++j) {
        vec3 column = mat3_mul(a, vec3_make(b->m[0][j], b->m[1][j], b->m[2][j]));
        r.m[0][j] = column.x;
        r.m[1][j] = column.y;
        r.m[2][j] = column.z;
    }
    return r;
}

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

/// The largest entry of R^T R - I.
static double skewness(const mat3* r) {
    double largest = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j) {
            double dot = r->m[0][i] * r->m[0][j] + r->m[1][i] * r->m[1][j] + r->m[2][i] * r->m[2][j];
            largest = larger(largest, fabs(dot - (i == j)));
        }
    return largest;
}

void apart_walk_init(walk* w, const difference* k, const tree* a, const tree* b) {
    const mat3 *ra = &k->a.pose->rotation, *rb = &k->b.pose->rotation;
    mat3 inverse_a = mat3_inverse(ra), inverse_b = mat3_inverse(rb);
    w->side[0] = (walk_side){.tree = a,
                             .factor = k->a.factor,
                             .rotation = ra,
                             .turn = mat3_product(&inverse_a, rb),
                             .other = vec3_neg(mat3_mul(&inverse_a, k->offset))};
    w->side[1] = (walk_side){.tree = b,
                             .factor = k->b.factor,
                             .rotation = rb,
                             .turn = mat3_product(&inverse_b, ra),
                             .other = mat3_mul(&inverse_b, k->offset)};
    // A matrix with |R^T R - I| <= s in every entry stretches by a factor within 1 +- 3 s, and so does its inverse.
    double skew = skewness(ra) + skewness(rb);
    w->widen = 4 * skew;
    w->keep = 1 - 8 * skew - 0x1p-20;
    w->threshold = w->lowest = INFINITY;
    w->visits = 0;
    w->wide = apart_wide();
    vec3 centers = vec3_add(vec3_sub(posed_point(&k->a, k->a.shape->center), posed_point(&k->b, k->b.shape->center)),
                            k->offset);
    apart_walk_aim(w, vec3_unit(vec3_neg(centers)));
}

void apart_walk_aim(walk* w, vec3 normal) {
    w->side[0].toward = vec3_neg(mat3_tmul(w->side[0].rotation, normal));
    w->side[1].toward = mat3_tmul(w->side[1].rotation, normal);
}

vec3 apart_walk_carry(const walk* w, int from, vec3 stored) {
    const walk_side* there = &w->side[!from];
    vec3 p = vec3_add(mat3_mul(&there->turn, vec3_scale(w->side[from].factor, stored)), there->other);
    return vec3_scale(1 / there->factor, p);
}

// ------------------------------------------------------------------------------------------------------- pairs ----

/// Two places that are still to be compared, at least `bound` apart.
typedef struct place_pair {
    double bound;
    tree_place at[2];
} place_pair;

/// Every step takes one pair off and puts at most eight on, which are one level deeper in one tree.
#define STACK_SIZE (2 * TREE_MOST_DEPTH * (LANE_COUNT - 1) + LANE_COUNT)

/// The box at place p of the other side, as asked of nodes of `side`.
static wide_box carry_box(const walk* w, int side, tree_place p) {
    const walk_side *here = &w->side[side], *there = &w->side[!side];
    wide_box q = {.factor = here->factor, .box = apart_tree_box(there->tree, p), .toward = here->toward, .keep = w->keep};
    q.box.center = vec3_add(mat3_mul(&here->turn, vec3_scale(there->factor, q.box.center)), here->other);
    double sum = 0;
    for (int j = 0; j < 3; ++j) {
        q.box.axis[j] = mat3_mul(&here->turn, q.box.axis[j]);
        q.box.half[j] *= there->factor;
        sum += q.box.half[j];
    }
    for (int j = 0; j < 3; ++j) {
        q.box.half[j] += w->widen * sum;
        q.reach += q.box.half[j] * fabs(vec3_dot(q.toward, q.box.axis[j]));
    }
    return q;
}

static double box_size(const walk_side* s, tree_place p) {
    const tree_node* n = &s->tree->nodes[p / LANE_COUNT];
    uint32_t i = p % LANE_COUNT;
    return s->factor * ((double)n->half[0][i] + (double)n->half[1][i] + (double)n->half[2][i]);
}

/// Which of the two to split: the larger, unless it is an item. -1: both are.
static int choose_side(const walk* w, const place_pair* pair, const uint32_t child[2]) {
    if (tree_is_item(child[0])) return tree_is_item(child[1]) ? -1 : 1;
    if (tree_is_item(child[1])) return 0;
    return box_size(&w->side[1], pair->at[1]) > box_size(&w->side[0], pair->at[0]);
}

/// The lanes of a node that are nearer than the threshold, nearest first; the rest is left out. Returns how many.
static int near_lanes(walk* w, const tree_node* node, const double* bound, int* lane) {
    int count = 0;
    for (int i = 0; i < LANE_COUNT && node->child[i] != TREE_NONE; ++i) {
        if (!(bound[i] < w->threshold)) {
            w->lowest = smaller(w->lowest, bound[i]);
            continue;
        }
        int k = count++;
        for (; k > 0 && bound[lane[k - 1]] > bound[i]; --k) lane[k] = lane[k - 1];
        lane[k] = i;
    }
    return count;
}

/// Compares the children of one side of a pair with the other; leaves are handed on, the rest goes to the stack with the
/// nearest on top. Returns the new height of the stack.
static int open_pair(walk* w, const place_pair* pair, int side, uint32_t child, uint32_t other, place_pair* stack,
                     int height) {
    const tree_node* node = &w->side[side].tree->nodes[child];
    wide_box q = carry_box(w, side, pair->at[!side]);
    double bound[LANE_COUNT];
    int lane[LANE_COUNT];
    w->wide->bounds(node, &q, bound);
    int count = near_lanes(w, node, bound, lane);
    w->visits += LANE_COUNT;
    for (int k = count - 1; k >= 0; --k) {
        if (tree_is_item(other) && tree_is_item(node->child[lane[k]])) continue;
        place_pair* next = &stack[height++];
        *next = *pair;
        next->bound = larger(pair->bound, bound[lane[k]]);
        next->at[side] = child * LANE_COUNT + (tree_place)lane[k];
    }
    for (int k = 0; k < count; ++k) {
        uint32_t item = node->child[lane[k]];
        if (!tree_is_item(other) || !tree_is_item(item)) continue;
        uint32_t mine = item & ~TREE_ITEM, theirs = other & ~TREE_ITEM;
        w->leaf(w, side == 0 ? mine : theirs, side == 0 ? theirs : mine, bound[lane[k]]);
    }
    return height;
}

void apart_walk_run(walk* w) {
    place_pair stack[STACK_SIZE];
    int height = 1;
    stack[0] = (place_pair){-INFINITY, {0, 0}};
    while (height > 0) {
        place_pair pair = stack[--height];
        if (!(pair.bound < w->threshold)) {
            w->lowest = smaller(w->lowest, pair.bound);
            continue;
        }
        uint32_t child[2] = {tree_child(w->side[0].tree, pair.at[0]), tree_child(w->side[1].tree, pair.at[1])};
        int side = choose_side(w, &pair, child);
        if (side < 0)
            w->leaf(w, child[0] & ~TREE_ITEM, child[1] & ~TREE_ITEM, pair.bound);
        else
            height = open_pair(w, &pair, side, child[side], child[!side], stack, height);
    }
}

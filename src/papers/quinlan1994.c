// Quinlan 1994, sections 2 to 4: covering the triangles with spheres, the tree above them, and the search of two trees.
//
// Where this departs from the paper:
//  - A node that the mean would split too unevenly for the depth that is left is halved as it stands, so that building
//    is O(n log n) in the worst case and the search needs no more than a fixed stack.
//  - The hash table of compared pairs has a fixed size and lives on the stack; it forgets, and a forgotten pair is
//    measured again.
//  - Rounding: spheres are widened where they might not contain what is below them, and so are the bounds.
#include "papers/quinlan1994.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

// Rounding of lengths: a length computed from three differences, plus a radius, is off by less than 8 * 2^-53 of
// itself.
#define WIDEN (1 + 0x1p-50)

// ------------------------------------------------------------------------------------------- covering a triangle ----
//
// A triangle lies in its own plane with its longest edge on the x axis, from 0 to `length`, and its third corner above
// it, at (apex, height). Rows of equal height and columns of equal width divide the rectangle around it into cells. A
// cell that the triangle may reach into gets a sphere about its centre. A sphere covers its cell if the half diagonal
// is not longer than the radius r:
//   row height    h <= sqrt(2) r,             so that square cells fit
//   column width  w <= 2 sqrt(r^2 - h^2 / 4), that is, (h / 2)^2 + (w / 2)^2 <= r^2; at least sqrt(2) r
// The triangle narrows upwards, so within a row it is widest at the row's lower edge: y = t height, from t apex to
// length - t (length - apex). The cells between these two columns cover its part of the row, and the rows cover it all.
//
// Rounding. Coordinates are at most 1 and edges at most 2. With u = 2^-53 the axes, the lengths measured along them,
// the edges of the cells and the centres are each off by a few u times an edge; a thin triangle's second axis may be
// off by any angle, but its height, which it is multiplied by, is then a rounding itself. Together that is below 100 u:
// the leaves are larger than r by SLACK, 128 u.
#define SLACK 0x1p-46
#define LARGEST 2.0
#define SMALLEST 0x1p-48

typedef struct leaf {
    vec3 center;
    uint32_t triangle;
} leaf;

// The grid over one triangle. Counts are whole numbers; they may be too large for an integer.
typedef struct grid {
    vec3 origin, along, across; // corner of the longest edge, and the two axes
    double length, height, apex;
    double rows, columns;
} grid;

// a, or zero if there is no length to divide by.
static vec3 divided(vec3 a, double length) { return vec3_scale(length > 0 ? 1 / length : 0, a); }

static grid grid_over(const vec3* vertex, const uint32_t corner[3], double radius) {
    vec3 p[3] = {vertex[corner[0]], vertex[corner[1]], vertex[corner[2]]};
    double longest = -1;
    int from = 0;
    for (int i = 0; i < 3; i++) {
        vec3 edge = vec3_sub(p[(i + 1) % 3], p[i]);
        double squared = vec3_dot(edge, edge);
        if (squared > longest) from = i;
        longest = larger(longest, squared);
    }
    vec3 base = vec3_sub(p[(from + 1) % 3], p[from]), third = vec3_sub(p[(from + 2) % 3], p[from]);
    grid g = {.origin = p[from], .length = sqrt(longest)};
    g.along = divided(base, g.length);
    g.apex = smaller(larger(vec3_dot(third, g.along), 0), g.length);
    vec3 rest = vec3_mad(third, -g.apex, g.along);
    g.height = vec3_length(rest);
    g.across = divided(rest, g.height);
    g.rows = larger(1, ceil(g.height / (sqrt(2) * radius)));
    double half = 0.5 * g.height / g.rows;
    g.columns = larger(1, ceil(0.5 * g.length / sqrt(radius * radius - half * half)));
    return g;
}

// The columns of a row that the triangle may reach into: *first up to, but without, the one returned.
static double row_columns(const grid* g, uint32_t row, double* first) {
    double t = row / g->rows, left = g->length > 0 ? g->apex / g->length : 0;
    *first = smaller(floor(left * t * g->columns), g->columns - 1);
    return larger(*first + 1, smaller(ceil((1 - (1 - left) * t) * g->columns), g->columns));
}

static vec3 cell_center(const grid* g, uint32_t row, uint32_t column) {
    vec3 p = vec3_mad(g->origin, (column + 0.5) / g->columns * g->length, g->along);
    return vec3_mad(p, (row + 0.5) / g->rows * g->height, g->across);
}

// Covers a triangle with leaves, from `at` on, unless that is NULL. Returns how many it takes; any number above `most`
// if it takes more than that.
static double cover_triangle(const grid* g, uint32_t triangle, leaf* at, double most) {
    if (g->rows > most) return g->rows;
    double sum = 0, first = 0;
    for (uint32_t row = 0; row < (uint32_t)g->rows && sum <= most; row++) {
        double end = row_columns(g, row, &first);
        sum += end - first;
        for (uint32_t column = (uint32_t)first; at && column < (uint32_t)end; column++)
            *at++ = (leaf){cell_center(g, row, column), triangle};
    }
    return sum;
}

// ----------------------------------------------------------------------------------------------------- dividing ----

// The leaves are split between the two children, again and again, in place.
typedef struct builder {
    leaf* leaves;
    sphere_tree tree;
    uint32_t used; // nodes handed out
    meter* meter;
} builder;

// The mean of the centres, and the longest axis of the box around them.
static vec3 mean_center(const leaf* leaves, uint32_t count, int* longest) {
    vec3 sum = {0, 0, 0}, low = leaves[0].center, high = low;
    for (uint32_t i = 0; i < count; i++) {
        vec3 c = leaves[i].center;
        sum = vec3_add(sum, c);
        low = vec3_min(low, c);
        high = vec3_max(high, c);
    }
    vec3 size = vec3_sub(high, low);
    *longest = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    return vec3_scale(1 / (double)count, sum);
}

// Moves the leaves below `mean` to the front; returns their number.
static uint32_t split_at_mean(leaf* leaves, uint32_t count, int axis, double mean) {
    uint32_t front = 0;
    for (uint32_t i = 0; i < count; i++) {
        leaf moved = leaves[i];
        if (!(vec3_at(moved.center, axis) < mean)) continue;
        leaves[i] = leaves[front];
        leaves[front++] = moved;
    }
    return front;
}

// Levels of a balanced tree over `count` leaves: the base-2 logarithm, rounded up.
static int levels_of(uint32_t count) {
    int levels = 0;
    while (count > UINT32_C(1) << levels) levels++;
    return levels;
}

// Splits at the mean if either part can still be placed in `levels` levels, else (or if one is empty) into halves.
static uint32_t split_leaves(leaf* leaves, uint32_t count, int axis, double mean, int levels) {
    uint32_t front = split_at_mean(leaves, count, axis, mean);
    uint32_t most = front > count - front ? front : count - front;
    return most < count && levels_of(most) <= levels ? front : count / 2;
}

// ------------------------------------------------------------------------------------------------- inner spheres ----

// His first: the smallest sphere around those of the two children.
static sphere_node around_children(const sphere_node* p, const sphere_node* q) {
    vec3 way = vec3_sub(q->center, p->center);
    double apart = vec3_length(way);
    if (apart + q->radius <= p->radius) return (sphere_node){p->center, p->radius * WIDEN, 0, 0};
    if (apart + p->radius <= q->radius) return (sphere_node){q->center, q->radius * WIDEN, 0, 0};
    // From p's far side to q's far side, through both centres.
    double share = 0.5 * (1 + (q->radius - p->radius) / apart);
    vec3 center = vec3_mad(p->center, share, way);
    double to_p = vec3_length(vec3_sub(center, p->center)) + p->radius;
    double to_q = vec3_length(vec3_sub(center, q->center)) + q->radius;
    return (sphere_node){center, larger(to_p, to_q) * WIDEN, 0, 0};
}

// His second: around all leaves, about their mean.
static sphere_node around_leaves(const leaf* leaves, uint32_t count, vec3 mean, double radius) {
    double farthest = 0;
    for (uint32_t i = 0; i < count; i++) {
        vec3 way = vec3_sub(leaves[i].center, mean);
        farthest = larger(farthest, vec3_dot(way, way));
    }
    return (sphere_node){mean, (sqrt(farthest) + radius) * WIDEN, 0, 0};
}

// ---------------------------------------------------------------------------------------------------- the builder ----

// Nanoseconds: the grid over a triangle; a leaf, covering and placing; a leaf in each of the three walks of a split.
#define GRID_WORK 30.0
#define LEAF_WORK 20.0
#define WALK_WORK 3.0

static void place_node(sphere_tree* tree, uint32_t at, sphere_node n) {
    tree->node[at] = n;
    tree->reach = larger(tree->reach, (vec3_length(n.center) + n.radius) * WIDEN);
}

// Builds the subtree over some leaves, at most `levels` deep and `depth` below the root, as node `at`. False if the
// caller wants no more.
static bool grow_tree(builder* b, uint32_t at, leaf* leaves, uint32_t count, int depth, int levels) {
    if (depth > b->tree.depth) b->tree.depth = depth;
    if (count == 1) {
        place_node(&b->tree, at, (sphere_node){leaves->center, b->tree.radius, 0, leaves->triangle});
        return meter_add(b->meter, LEAF_WORK);
    }
    int axis = 0;
    vec3 mean = mean_center(leaves, count, &axis);
    if (!meter_add(b->meter, WALK_WORK * count)) return false;
    uint32_t front = split_leaves(leaves, count, axis, vec3_at(mean, axis), levels - 1);
    if (!meter_add(b->meter, WALK_WORK * count)) return false;
    uint32_t child = b->used;
    b->used += 2;
    if (!grow_tree(b, child, leaves, front, depth + 1, levels - 1)) return false;
    if (!grow_tree(b, child + 1, leaves + front, count - front, depth + 1, levels - 1)) return false;
    const sphere_node first = around_children(&b->tree.node[child], &b->tree.node[child + 1]);
    const sphere_node second = around_leaves(leaves, count, mean, b->tree.radius);
    sphere_node smaller_one = first.radius <= second.radius ? first : second;
    smaller_one.child = child;
    smaller_one.triangle = SPHERES_NO_TRIANGLE;
    place_node(&b->tree, at, smaller_one);
    return meter_add(b->meter, WALK_WORK * count);
}

_Static_assert(2 * 26 + 2 <= SPHERES_DEPTH && SPHERES_MOST_LEAVES <= UINT32_C(1) << 26, "the deepest tree fits");

// Covers the surface with leaves, unless there are none to fill in. Returns how many it takes, or more than there may
// be.
static double cover_all(const vec3* vertex, const uint32_t (*triangle)[3], uint32_t triangle_count, double radius,
                        leaf* leaves, meter* m) {
    double sum = 0;
    for (uint32_t i = 0; i < triangle_count && sum <= SPHERES_MOST_LEAVES && meter_item(m, i, GRID_WORK); i++) {
        grid g = grid_over(vertex, triangle[i], radius);
        sum += cover_triangle(&g, i, leaves ? leaves + (size_t)sum : NULL, SPHERES_MOST_LEAVES - sum);
    }
    return sum;
}

bool apart_spheres_build(const vec3* vertex, const uint32_t (*triangle)[3], uint32_t triangle_count, double radius,
                         meter* m, sphere_tree* out, apart_error* error) {
    radius = smaller(larger(radius, SMALLEST), LARGEST);
    double leaves = cover_all(vertex, triangle, triangle_count, radius, NULL, m);
    if (m->cancelled) return false;
    if (leaves > SPHERES_MOST_LEAVES) {
        apart_fail(error, APART_INVALID,
                   "spheres of this radius are too small: more than %u would be needed to cover the surface",
                   (unsigned)SPHERES_MOST_LEAVES);
        return false;
    }
    uint32_t count = (uint32_t)leaves;
    builder b = {.tree = {.leaf_count = count, .node_count = 2 * count - 1, .radius = radius + SLACK}, .meter = m};
    b.used = 1;
    b.leaves = malloc(count * sizeof *b.leaves);
    b.tree.node = malloc(b.tree.node_count * sizeof *b.tree.node);
    bool ok = b.leaves && b.tree.node;
    if (!ok) apart_fail(error, APART_OUT_OF_MEMORY, "out of memory for %u spheres", (unsigned)count);
    meter_rest(m, GRID_WORK * triangle_count + (LEAF_WORK + 3 * WALK_WORK * levels_of(count)) * leaves);
    if (ok) cover_all(vertex, triangle, triangle_count, radius, b.leaves, m);
    // Twice the levels of a balanced tree leave room for nearly every split at the mean.
    ok = ok && !m->cancelled && grow_tree(&b, 0, b.leaves, count, 0, 2 * levels_of(count) + 2);
    free(b.leaves);
    if (ok)
        *out = b.tree;
    else
        free(b.tree.node);
    return ok;
}

void apart_spheres_free(sphere_tree* tree) {
    if (!tree) return;
    free(tree->node);
    *tree = (sphere_tree){0};
}

// -------------------------------------------------------------------------------------------------- the search ----
//
// Rounding. With u = 2^-53, A and B the trees' reaches in working units: a mapped centre is off by 5.2 u (A + B) from
// the matrices (three products and two sums a row, norm of a rotation sqrt(3)) and by u (A + B) + 2 u |w| from the
// difference w = a - b + offset; |w| is off by 3 u |w|, the radii and what is taken off by 5 u (A + B). With |w| <= A +
// B + |offset|, all that is below 16 u (A + B + |offset|), half of `slack`. Squares that vanish do not matter beside
// it: a leaf's radius alone is 2^-48 of its body.

// The table of compared pairs. Repeats come from neighbouring leaves, one soon after the other, so that this much
// remembers nearly all that a table without end would.
#define SEEN_LOG2 12

// A node's sphere in working units. Nodes are mapped when they are visited, not before.
typedef struct mapped {
    const sphere_node* node;
    vec3 center; // b's: relative to b's origin; a's: offset included
    double radius;
} mapped;

typedef struct node_pair {
    mapped a, b;
    double gap; // distance of the two spheres, negative if they overlap; not yet rounded down
} node_pair;

// One tree with its place.
typedef struct posed_tree {
    const sphere_node* node;
    const mat3* rotation;
    double factor;
    double stretch; // factor times the norm of the rotation
    vec3 origin;    // of the stored coordinates
} posed_tree;

typedef struct search {
    posed_tree a, b;
    double slack; // see above
    const sphere_goal* goal;
    double limit; // pairs with at least this gap are left out
    sphere_outcome* out;
    uint64_t seen[1 << SEEN_LOG2];          // pairs of triangles that have been measured
    int count;                              // pairs on the stack
    node_pair stack[2 * SPHERES_DEPTH + 1]; // each level of either tree leaves at most one pair behind
} search;

static posed_tree pose_tree(const sphere_tree* tree, const mat3* rotation, double factor, vec3 origin) {
    return (posed_tree){tree->node, rotation, factor, factor * (1 + mat3_stretch(rotation)), origin};
}

static mapped map_node(const posed_tree* t, const sphere_node* node) {
    vec3 center = vec3_add(vec3_scale(t->factor, mat3_mul(t->rotation, node->center)), t->origin);
    return (mapped){node, center, t->stretch * node->radius};
}

static node_pair pair_of(mapped a, mapped b) {
    return (node_pair){a, b, vec3_length(vec3_sub(a.center, b.center)) - (a.radius + b.radius)};
}

// How far apart two spheres must be to be left out: as far as the goal asks for and rounding takes, but what lies as
// far away as the best pair, to within rounding, is left out in any case. Before there is a pair, nothing is.
static double limit_for(const search* s) {
    const sphere_goal* goal = s->goal;
    double best = s->out->upper;
    if (!(best < INFINITY)) return INFINITY;
    double enough = goal->radii + (1 - goal->relative_error) * (best - goal->radii);
    enough = smaller(smaller(enough, best - goal->absolute_error), goal->radii + goal->cutoff);
    return smaller(enough + 2 * s->slack, best - s->slack);
}

// Whether the two triangles were measured before, as far as the table knows; they are noted.
static bool was_measured(search* s, uint32_t triangle_a, uint32_t triangle_b) {
    uint64_t pair = (uint64_t)triangle_a << 32 | triangle_b;
    uint64_t* slot = &s->seen[pair * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SEEN_LOG2)];
    bool known = *slot == pair;
    *slot = pair;
    return known;
}

static void measure_leaves(search* s, const node_pair* p, sphere_leaf_fn leaf_distance, void* context) {
    uint32_t a = p->a.node->triangle, b = p->b.node->triangle;
    if (was_measured(s, a, b)) return;
    double distance = leaf_distance(context, a, b);
    s->out->leaf_tests++;
    if (!(distance < s->out->upper)) return;
    s->out->upper = distance;
    s->out->triangle_a = a;
    s->out->triangle_b = b;
    s->limit = limit_for(s);
}

// Replaces a pair by two: the larger sphere, or the one that is no leaf, by its children. The nearer pair comes first.
static void descend_pair(search* s, const node_pair* p) {
    bool split_a = p->b.node->child == 0 || (p->a.node->child != 0 && p->a.radius >= p->b.radius);
    node_pair pairs[2];
    for (int i = 0; i < 2; i++)
        pairs[i] = split_a ? pair_of(map_node(&s->a, s->a.node + p->a.node->child + i), p->b)
                           : pair_of(p->a, map_node(&s->b, s->b.node + p->b.node->child + i));
    s->out->node_tests += 2;
    int nearer = pairs[1].gap < pairs[0].gap;
    s->stack[s->count++] = pairs[!nearer];
    s->stack[s->count++] = pairs[nearer];
}

void apart_spheres_search(const sphere_tree* a, const sphere_tree* b, const sphere_frame* f, const sphere_goal* goal,
                          sphere_leaf_fn leaf_distance, void* context, sphere_outcome* out) {
    search s;
    s.a = pose_tree(a, f->rotation_a, f->factor_a, f->offset);
    s.b = pose_tree(b, f->rotation_b, f->factor_b, vec3_make(0, 0, 0));
    s.slack = 0x1p-48 * (f->factor_a * a->reach + f->factor_b * b->reach + vec3_length(f->offset)) + f->error;
    s.goal = goal;
    s.out = out;
    memset(s.seen, 0xff, sizeof s.seen); // no pair has these numbers
    *out = (sphere_outcome){SPHERES_NO_TRIANGLE, SPHERES_NO_TRIANGLE, goal->best, INFINITY, .node_tests = 1};
    s.limit = limit_for(&s);
    s.stack[0] = pair_of(map_node(&s.a, a->node), map_node(&s.b, b->node));
    // Once the bodies touch, nothing can be nearer.
    for (s.count = 1; s.count > 0 && out->upper > goal->radii;) {
        node_pair p = s.stack[--s.count];
        if (p.gap >= s.limit)
            out->lower = smaller(out->lower, p.gap - s.slack);
        else if (p.a.node->child == 0 && p.b.node->child == 0)
            measure_leaves(&s, &p, leaf_distance, context);
        else
            descend_pair(&s, &p);
    }
    if (out->upper <= goal->radii) out->lower = 0;
}

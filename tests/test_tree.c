// The builder of trees, from inside: every promise of bvh.h, for item sets that split badly. Boxes are judged in long
// double, corner by corner.
#include "mesh/bvh.h"

#include "allocation_count.h"
#include "mesh/mesh.h"
#include "progress.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// ------------------------------------------------------------------------------------------------------- items ----

typedef struct items {
    uint32_t count;
    int corners; // of each
    vec3* corner;
} items;

static int items_corners(const void* context, uint32_t item, vec3* points) {
    const items* all = context;
    memcpy(points, &all->corner[(size_t)item * (size_t)all->corners], (size_t)all->corners * sizeof *points);
    return all->corners;
}

static void* must(void* block) {
    assert_non_null(block);
    return block;
}

static items items_make(uint32_t count, int corners) {
    items all = {count, corners, must(calloc((size_t)count * (size_t)corners, sizeof *all.corner))};
    return all;
}

typedef enum kind {
    SOUP,        // anywhere, of all sizes
    SAME,        // all the same triangle
    ON_A_LINE,   // all corners on one line
    GRID,        // squares of a plane, halved
    MIXTURE,     // of size 1e-30 beside those of size 1
    NEEDLES,     // a corner far nearer to the line of the others than floats can tell
    POINTS,      // three equal corners
    SORTED,      // along an axis
    EXPONENTIAL, // each half as far from the origin as the one before, down to where floats end
    CLUSTERS,    // equal middles, different sizes
    LEAST,       // middles that differ by the least that floats can, zeros of both signs among them
    KINDS
} kind;

static const char* const kind_names[KINDS] = {"soup",   "same",   "on a line",   "grid",     "mixture", "needles",
                                              "points", "sorted", "exponential", "clusters", "least"};

static void fill_triangle(rng* r, kind which, uint32_t i, uint32_t count, vec3 p[3]) {
    static const vec3 line = {0.48, -0.31, 0.77};
    double size = rng_magnitude(r, -12, -3), part = (double)i / count;
    vec3 at = rng_in_cube(r, 0.45);
    uint32_t side = 1;
    while ((uint64_t)2 * side * side < count) side++;
    if (which == MIXTURE) size = i % 3 == 0 ? 1e-30 : 0.1, at = i % 3 == 1 ? at : vec3_scale(1e-29, at);
    if (which == SORTED) at = vec3_make(part - 0.5, 0.1, 0.2), size = 0.5 / count;
    if (which == EXPONENTIAL) at = vec3_scale(ldexp(0.5, -(int)(i % 1000)), line), size = ldexp(0.1, -(int)(i % 1000));
    if (which == CLUSTERS) at = vec3_make(0.25 * (i % 3), 0, 0);
    for (int k = 0; k < 3; k++) p[k] = vec3_mad(at, size, rng_in_cube(r, 1));
    if (which == CLUSTERS) p[2] = vec3_sub(vec3_scale(3, at), vec3_add(p[0], p[1]));
    if (which == LEAST) p[0] = p[1] = p[2] = vec3_scale(0x1p-149, vec3_make(0, rng_between(r, -2, 2), -0.0));
    if (which == SAME) p[0] = vec3_make(0.1, 0.2, 0.3), p[1] = vec3_make(-0.4, 0.1, 0), p[2] = vec3_make(0, 0.5, -0.2);
    if (which == NEEDLES) p[2] = vec3_mad(vec3_mad(p[0], 0.5, vec3_sub(p[1], p[0])), 1e-14 * size, rng_in_cube(r, 1));
    if (which == POINTS) p[1] = p[2] = p[0];
    for (int k = 0; k < 3 && which == ON_A_LINE; k++) p[k] = vec3_scale(rng_uniform(r, -0.9, 0.9), line);
    for (uint32_t k = 0; k < 3 && which == GRID; k++) {
        uint32_t cell = i / 2, x = cell % side + (k == 1 || (k == 2 && i % 2)),
                 y = cell / side + (k == 2 || (k == 1 && i % 2));
        p[k] = vec3_make((double)x / (side + 1) - 0.5, 0.125, (double)y / (side + 1) - 0.5);
    }
}

static items make_triangles(rng* r, kind which, uint32_t count) {
    items all = items_make(count, 3);
    for (uint32_t i = 0; i < count; i++) fill_triangle(r, which, i, count, &all.corner[(size_t)3 * i]);
    return all;
}

// ------------------------------------------------------------------------------------------------------- checks ----

typedef struct wide {
    long double x, y, z;
} wide;

static wide widen(vec3 p) { return (wide){p.x, p.y, p.z}; }
static long double wide_dot(vec3 a, wide b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// What is being walked: a tree, its items, and the boxes from the root down to here.
typedef struct inspection {
    const tree* tree;
    const uint32_t* order;
    tree_corners_fn corners;
    const void* context;
    tree_box path[TREE_MOST_DEPTH];
    uint32_t next_item; // leaves must come in this order
    uint32_t nodes;     // seen so far
    uint32_t deepest;
    bool* seen; // of each node
    rng r;
} inspection;

// A box holds a point: along its own axes, and by the formula for supports along any direction.
static void check_held(inspection* in, const tree_box* box, vec3 point) {
    wide p = widen(point), d = {p.x - box->center.x, p.y - box->center.y, p.z - box->center.z};
    for (int j = 0; j < 3; j++) assert_true(fabsl(wide_dot(box->axis[j], d)) <= box->half[j]);
    vec3 n = rng_unit_vector(&in->r);
    long double reach = 0;
    for (int j = 0; j < 3; j++) reach += fabsl(wide_dot(n, widen(box->axis[j]))) * box->half[j];
    assert_true(wide_dot(n, d) <= reach);
}

static void check_axes(const tree_box* box) {
    for (int j = 0; j < 3; j++) {
        assert_true(box->half[j] >= 0 && box->half[j] <= 2);
        for (int k = 0; k <= j; k++)
            assert_true(fabsl(wide_dot(box->axis[j], widen(box->axis[k])) - (j == k)) <= 0x1p-22L);
    }
}

static void check_item(inspection* in, uint32_t item, uint32_t depth) {
    vec3 points[8];
    assert_int_equal(item, in->next_item++);
    int count = in->corners(in->context, in->order[item], points);
    for (uint32_t level = 0; level <= depth; level++)
        for (int i = 0; i < count; i++) check_held(in, &in->path[level], points[i]);
    if (depth > in->deepest) in->deepest = depth;
}

// Lanes in use come first; the others hold a copy of the first.
static void check_unused(const tree_node* n, int lane) {
    assert_int_equal(n->child[lane], TREE_NONE);
    for (int i = 0; i < 3; i++) {
        assert_true(n->center[i][lane] == n->center[i][0] && n->half[i][lane] == n->half[i][0]);
        for (int j = 0; j < 3; j++) assert_true(n->axis[i][j][lane] == n->axis[i][j][0]);
    }
}

static uint32_t power_of_eight_below(uint32_t count) {
    uint64_t full = 1;
    while (full * LANE_COUNT < count) full *= LANE_COUNT;
    return (uint32_t)full;
}

// Checks what is below a node and returns how many items are.
static uint32_t check_node(inspection* in, uint32_t number, uint32_t depth) {
    assert_true(number < in->tree->node_count && depth < TREE_MOST_DEPTH);
    assert_false(in->seen[number]);
    in->seen[number] = true;
    in->nodes++;
    const tree_node* n = &in->tree->nodes[number];
    uint32_t below[LANE_COUNT], used = 0, total = 0;
    for (; used < LANE_COUNT && n->child[used] != TREE_NONE; used++) {
        in->path[depth] = tree_place_box(in->tree, number * LANE_COUNT + used);
        check_axes(&in->path[depth]);
        below[used] = 1;
        if (tree_is_item(n->child[used]))
            check_item(in, n->child[used] & ~TREE_ITEM, depth);
        else
            below[used] = check_node(in, n->child[used], depth + 1);
        total += below[used];
    }
    assert_true(number == 0 ? used == 1 : used >= 2);
    for (uint32_t i = used; i < LANE_COUNT; i++) check_unused(n, (int)i);
    // Every subtree but the last is full.
    for (uint32_t i = 0; number > 0 && i + 1 < used; i++) assert_int_equal(below[i], power_of_eight_below(total));
    return total;
}

static uint32_t least_depth(uint32_t count) {
    uint32_t depth = 0;
    for (uint64_t room = 1; room < count; room *= LANE_COUNT) depth++;
    return depth;
}

static void check_tree(const tree* t, uint32_t count, const uint32_t* order, tree_corners_fn corners,
                       const void* context) {
    inspection in = {.tree = t, .order = order, .corners = corners, .context = context, .r = rng_seed(count)};
    in.seen = must(calloc(t->node_count, sizeof *in.seen));
    assert_int_equal(t->node_count, apart_bvh_node_count(count));
    assert_int_equal(check_node(&in, 0, 0), count);
    assert_int_equal(in.nodes, t->node_count);
    assert_int_equal(in.next_item, count);
    assert_int_equal(t->depth, least_depth(count));
    assert_int_equal(in.deepest, t->depth);
    free(in.seen);
    bool* taken = must(calloc(count, sizeof *taken));
    for (uint32_t k = 0; k < count; k++) {
        assert_true(order[k] < count && !taken[order[k]]);
        taken[order[k]] = true;
    }
    free(taken);
}

// --------------------------------------------------------------------------------------------------------- tests ----

// A built tree with what belongs to it.
typedef struct built {
    tree_node* nodes;
    uint32_t* order;
    void* scratch;
    tree tree;
} built;

static bool build(const items* all, built* b, apart_progress_fn progress, void* context) {
    size_t bytes = apart_bvh_node_count(all->count) * sizeof(tree_node);
    b->nodes = must(aligned_alloc(64, (bytes + 63) / 64 * 64));
    b->order = must(malloc(all->count * sizeof *b->order));
    b->scratch = must(malloc((size_t)all->count * TREE_SCRATCH));
    meter told = {.progress = progress, .context = context, .work = apart_bvh_work(all->count)};
    return apart_bvh_build(items_corners, all, all->count, b->nodes, b->order, NULL, b->scratch, &b->tree, &told);
}

static void built_free(built* b) {
    free(b->nodes);
    free(b->order);
    free(b->scratch);
}

static void check_items(const items* all) {
    built b;
    assert_true(build(all, &b, NULL, NULL));
    assert_null(b.tree.blocks);
    check_tree(&b.tree, all->count, b.order, items_corners, all);
    built_free(&b);
}

static void test_small(void** state) {
    (void)state;
    for (int which = 0; which < KINDS; which++)
        for (uint32_t count = 1; count <= 100; count++) {
            rng r = rng_seed((uint64_t)which * 1000 + count);
            items all = make_triangles(&r, (kind)which, count);
            check_items(&all);
            free(all.corner);
        }
}

static void test_around_full(void** state) {
    (void)state;
    static const uint32_t counts[] = {511, 512, 513, 520, 521, 4095, 4096, 4097};
    for (int which = 0; which < KINDS; which++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            rng r = rng_seed((uint64_t)which * 100000 + counts[i]);
            items all = make_triangles(&r, (kind)which, counts[i]);
            check_items(&all);
            free(all.corner);
        }
}

// Items that split badly must not make the builder slow: these would take hours if it were quadratic.
static void test_large(void** state) {
    (void)state;
    static const kind hard[] = {SAME, SORTED, EXPONENTIAL, CLUSTERS, SOUP};
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) {
        rng r = rng_seed(i);
        items all = make_triangles(&r, hard[i], 200000);
        check_items(&all);
        free(all.corner);
        print_message("200,000 of %s\n", kind_names[hard[i]]);
    }
}

// A box as a part of a union gives it: flat or thin every now and then.
static void draw_box(rng* r, vec3 corner[8]) {
    vec3 at = rng_in_cube(r, 0.4), half = vec3_scale(rng_magnitude(r, -20, -4), rng_in_ball(r));
    mat3 turn = rng_rotation(r);
    if (rng_chance(r, 0.3)) half.z = 0;
    if (rng_chance(r, 0.2)) half.x = 0;
    for (int k = 0; k < 8; k++) {
        vec3 p = {k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z};
        corner[k] = vec3_add(at, mat3_mul(&turn, p));
    }
}

static void test_boxes(void** state) {
    (void)state;
    for (uint32_t count = 1; count <= 100; count++)
        for (uint64_t seed = 0; seed < 4; seed++) {
            rng r = rng_seed(count * 8 + seed);
            items all = items_make(count, 8);
            for (uint32_t i = 0; i < count; i++) draw_box(&r, &all.corner[8 * i]);
            check_items(&all);
            free(all.corner);
        }
}

static void test_single(void** state) {
    (void)state;
    static const uint32_t order[1] = {0};
    for (uint64_t seed = 0; seed < 1000; seed++) {
        rng r = rng_seed(seed);
        items all = items_make(1, 8);
        draw_box(&r, all.corner);
        tree_node node;
        tree t = apart_bvh_single(all.corner, &node);
        check_tree(&t, 1, order, items_corners, &all);
        free(all.corner);
    }
}

// By counting groups of 8, 64, 512... items: a node for each that is full, and one for the rest if it is more than a
// single group of the level below.
static uint64_t count_nodes(uint64_t count) {
    uint64_t nodes = 1;
    for (uint64_t below = 1; below < count; below *= LANE_COUNT)
        nodes += count / (LANE_COUNT * below) + (count % (LANE_COUNT * below) > below);
    return nodes;
}

static void test_node_count(void** state) {
    (void)state;
    assert_int_equal(apart_bvh_node_count(1), 1);
    assert_int_equal(apart_bvh_node_count(8), 2);
    assert_int_equal(apart_bvh_node_count(9), 3);
    assert_int_equal(apart_bvh_node_count(64), 10);
    for (uint32_t count = 1; count < 5000; count++) assert_int_equal(apart_bvh_node_count(count), count_nodes(count));
    rng r = rng_seed(3);
    for (int i = 0; i < 10000; i++) {
        uint32_t count = 1 + (uint32_t)(rng_next(&r) % TREE_MOST_ITEMS);
        assert_int_equal(apart_bvh_node_count(count), count_nodes(count));
    }
    assert_int_equal(apart_bvh_node_count(TREE_MOST_ITEMS), count_nodes(TREE_MOST_ITEMS));
}

// -------------------------------------------------------------------------------------------------------- meshes ----

typedef struct mesh_items {
    const mesh* m;
} mesh_items;

// By the caller's number, so that `caller` is put to the test as well.
static int mesh_corners(const void* context, uint32_t item, vec3* points) {
    const mesh* m = ((const mesh_items*)context)->m;
    for (uint32_t i = 0; i < 3; i++) points[i] = m->vertex[3 * item + i];
    return 3;
}

static void check_blocks(const mesh* m) {
    uint32_t last = m->triangle_count - 1;
    for (uint32_t k = 0; k < (last / LANE_COUNT + 1) * LANE_COUNT; k++) {
        uint32_t item = k < last ? k : last;
        for (int i = 0; i < 3; i++) {
            const float(*to)[LANE_COUNT] = m->tree.blocks[k / LANE_COUNT].corner[i];
            vec3 p = m->vertex[m->triangle[item][i]];
            assert_true(to[0][k % LANE_COUNT] == (float)p.x && to[1][k % LANE_COUNT] == (float)p.y);
            assert_true(to[2][k % LANE_COUNT] == (float)p.z);
            assert_true(fabs((double)to[0][k % LANE_COUNT] - p.x) <= BLOCK_ROUNDING);
            assert_int_equal(m->triangle[item][i], 3 * m->caller[item] + (uint32_t)i);
        }
    }
    // Nodes whose children are all items have a block to themselves.
    for (uint32_t n = 1; n < m->tree.node_count; n++) {
        const uint32_t* child = m->tree.nodes[n].child;
        bool only = true;
        for (int i = 0; i < LANE_COUNT; i++) only = only && (child[i] == TREE_NONE || tree_is_item(child[i]));
        for (uint32_t i = 0; only && i < LANE_COUNT && child[i] != TREE_NONE; i++)
            assert_int_equal((child[i] & ~TREE_ITEM) % LANE_COUNT, i);
    }
}

static apart_shape* mesh_of(const items* all, double unit, const apart_mesh_options* options, apart_error* error) {
    uint32_t(*triangle)[3] = malloc(all->count * sizeof *triangle);
    vec3* vertex = malloc(all->count * 3 * sizeof *vertex);
    apart_shape* shape = NULL;
    for (uint32_t i = 0; triangle && vertex && i < 3 * all->count; i++) {
        triangle[i / 3][i % 3] = i;
        vertex[i] = vec3_scale(unit, all->corner[i]);
    }
    if (triangle && vertex) shape = apart_shape_mesh(vertex, all->count * 3, triangle[0], all->count, options, error);
    free(triangle);
    free(vertex);
    return shape;
}

static void test_meshes(void** state) {
    (void)state;
    for (int which = 0; which < KINDS; which++)
        for (uint32_t count = 1; count <= 600; count += count < 100 ? 1 : 37) {
            rng r = rng_seed((uint64_t)which * 7000 + count);
            items all = make_triangles(&r, (kind)which, count);
            apart_shape* shape = must(mesh_of(&all, ldexp(1, rng_between(&r, -300, 300)), NULL, NULL));
            const mesh_items context = {shape->mesh};
            check_tree(&shape->mesh->tree, count, shape->mesh->caller, mesh_corners, &context);
            check_blocks(shape->mesh);
            apart_shape_release(shape);
            free(all.corner);
        }
}

// -------------------------------------------------------------------------------------------------------- unions ----

// The place of the leaf of each part: walks the tree and checks that the boxes on the way hold points of the part.
typedef struct part_walk {
    const apart_shape* all;
    rng r;
    tree_box path[TREE_MOST_DEPTH];
    long points;
} part_walk;

// A point of the part, the radius included: the farthest along a random direction, or one of a mesh's corners.
static wide part_point(rng* r, const apart_shape* s) {
    vec3 d = rng_unit_vector(r), stored;
    if (s->kind == SHAPE_MESH)
        stored = s->mesh->vertex[s->mesh->triangle[rng_below(r, (int)s->mesh->triangle_count)][rng_below(r, 3)]];
    else
        stored = apart_support_find(s, d, SEARCH_LINEAR, 0).point;
    return (wide){s->origin.x + (long double)s->scale * stored.x, s->origin.y + (long double)s->scale * stored.y,
                  s->origin.z + (long double)s->scale * stored.z};
}

// In the coordinates of the union's tree. A radius reaches equally far in all directions, whatever the pose.
static wide union_point(rng* r, const apart_shape* all, const apart_part* part) {
    const apart_shape* s = part->shape;
    wide p = part_point(r, s), q;
    vec3 d = rng_chance(r, 0.5) ? rng_unit_vector(r) : vec3_make(rng_chance(r, 0.5) ? 1 : -1, 0, 0);
    mat3 turn = rng_chance(r, 0.5) ? part->pose.rotation : rng_quarter_turns(r);
    d = vec3_unit(mat3_mul(&turn, d));
    const double(*m)[3] = part->pose.rotation.m;
    vec3 t = part->pose.translation;
    q.x = m[0][0] * p.x + m[0][1] * p.y + m[0][2] * p.z + t.x + (long double)s->radius * d.x;
    q.y = m[1][0] * p.x + m[1][1] * p.y + m[1][2] * p.z + t.y + (long double)s->radius * d.y;
    q.z = m[2][0] * p.x + m[2][1] * p.y + m[2][2] * p.z + t.z + (long double)s->radius * d.z;
    return (wide){(q.x - all->origin.x) / all->scale, (q.y - all->origin.y) / all->scale,
                  (q.z - all->origin.z) / all->scale};
}

static void check_part(part_walk* w, uint32_t k, uint32_t depth) {
    const apart_part* part = &w->all->parts->part[k];
    for (int i = 0; i < 40; i++) {
        wide p = union_point(&w->r, w->all, part);
        for (uint32_t level = 0; level <= depth; level++) {
            const tree_box* box = &w->path[level];
            wide d = {p.x - box->center.x, p.y - box->center.y, p.z - box->center.z};
            for (int j = 0; j < 3; j++) assert_true(fabsl(wide_dot(box->axis[j], d)) <= box->half[j]);
            w->points++;
        }
    }
}

static void check_parts(part_walk* w, uint32_t node, uint32_t depth) {
    const tree* t = &w->all->parts->tree;
    for (uint32_t i = 0; i < LANE_COUNT && t->nodes[node].child[i] != TREE_NONE; i++) {
        uint32_t child = t->nodes[node].child[i];
        w->path[depth] = tree_place_box(t, node * LANE_COUNT + i);
        if (tree_is_item(child))
            check_part(w, child & ~TREE_ITEM, depth);
        else
            check_parts(w, child, depth + 1);
    }
}

static apart_shape* make_part(rng* r) {
    vec3 n = {rng_magnitude(r, -6, 0), rng_magnitude(r, -6, 0), rng_magnitude(r, -6, 0)}, p[12];
    double radius = rng_chance(r, 0.5) ? rng_magnitude(r, -6, 1) : 0, far = rng_chance(r, 0.2) ? 1e4 : 0;
    switch (rng_below(r, 7)) {
    case 0:
        return apart_shape_box(n, radius, NULL);
    case 1:
        return apart_shape_sphere(n.x, NULL);
    case 2:
        return apart_shape_capsule(n.x, n.y, NULL);
    case 3:
        return apart_shape_cylinder(n.x, n.y, NULL);
    case 4:
        return apart_shape_ellipsoid(n, NULL);
    case 5:
        for (int i = 0; i < 12; i++) p[i] = vec3_add(rng_in_cube(r, n.x), vec3_make(far, 0, 0));
        return apart_shape_points(p, 12, radius, NULL);
    default:
        break;
    }
    items all = make_triangles(r, SOUP, (uint32_t)rng_between(r, 1, 20));
    apart_mesh_options options = {.radius = radius};
    apart_shape* shape = mesh_of(&all, n.x, &options, NULL);
    free(all.corner);
    return shape;
}

// A rotation, or one that shrinks as much as is allowed.
static apart_pose make_pose(rng* r) {
    apart_pose pose = rng_pose(r, rng_in_cube(r, rng_magnitude(r, -2, 4)));
    if (rng_chance(r, 0.3)) pose.rotation = rng_quarter_turns(r);
    double shrink = rng_chance(r, 0.3) ? 1 - 4.9e-7 : 1;
    for (int i = 0; i < 9; i++) pose.rotation.m[i / 3][i % 3] *= shrink;
    return pose;
}

static void test_unions(void** state) {
    (void)state;
    long points = 0;
    for (uint32_t count = 1; count <= 100; count++) {
        rng r = rng_seed(count);
        apart_part part[100];
        for (uint32_t i = 0; i < count; i++) part[i] = (apart_part){must(make_part(&r)), make_pose(&r)};
        apart_shape* all = must(apart_shape_union(part, count, NULL));
        bool taken[100] = {0};
        for (uint32_t k = 0; k < count; k++) {
            uint32_t number = all->parts->number[k];
            assert_true(number < count && !taken[number]);
            taken[number] = true;
            assert_ptr_equal(all->parts->part[k].shape, part[number].shape);
            assert_memory_equal(&all->parts->part[k].pose, &part[number].pose, sizeof part[number].pose);
        }
        part_walk w = {.all = all, .r = r};
        check_parts(&w, 0, 0);
        points += w.points;
        assert_int_equal(all->parts->tree.node_count, apart_bvh_node_count(count));
        assert_int_equal(all->parts->tree.depth, least_depth(count));
        apart_shape_release(all);
        for (uint32_t i = 0; i < count; i++) apart_shape_release(part[i].shape);
    }
    print_message("%ld points of parts in their boxes\n", points);
    assert_true(points >= 100000);
}

// ------------------------------------------------------------------------------------------------------ progress ----

// In order, as often as the work is long, and near the end when the end comes; whatever the number of items.
static void test_progress(void** state) {
    (void)state;
    static const uint32_t counts[] = {1, 2, 8, 9, 100, 4096, 4097, 32767, 32768, 32769, 40000, 100000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        rng r = rng_seed(i);
        items all = make_triangles(&r, SOUP, counts[i]);
        follower l = {0};
        built b;
        assert_true(build(&all, &b, follow, &l));
        double expected = apart_bvh_work(counts[i]) / METER_STRIDE;
        print_message("%u items: told %d times, last %g\n", counts[i], l.calls, l.last);
        assert_true(!l.disorder && l.calls >= 0.7 * expected - 1 && l.calls <= 1.3 * expected + 1);
        assert_true(counts[i] < 100000 || (l.calls >= 10 && l.last >= 0.85));
        built_free(&b);
        free(all.corner);
    }
}

// Given up at the first call, the second, ...: nothing is left, and nothing is told after that.
static void test_cancelled_tree(void** state) {
    (void)state;
    rng r = rng_seed(5);
    items all = make_triangles(&r, SOUP, 100000);
    int stopped = 0;
    for (int stop_at = 1;; stop_at++) {
        follower l = {.stop_at = stop_at};
        built b;
        allocation_watch(0, false);
        bool done = build(&all, &b, follow, &l);
        allocation_stop();
        // The three arrays of `build` itself.
        if (allocation_is_counted()) assert_int_equal(allocation.live, 3);
        built_free(&b);
        if (l.calls < stop_at) {
            assert_true(done);
            break;
        }
        assert_false(done);
        assert_int_equal(l.calls, stop_at);
        stopped++;
    }
    assert_true(stopped >= 3);
    free(all.corner);
}

static void test_cancelled_mesh(void** state) {
    (void)state;
    rng r = rng_seed(6);
    items all = make_triangles(&r, SOUP, 70000);
    int stopped = 0;
    for (int stop_at = 1;; stop_at++) {
        follower l = {.stop_at = stop_at};
        apart_mesh_options options = {.progress = follow, .progress_context = &l, .sphere_radius = 1};
        apart_error error = {APART_OK, ""};
        allocation_watch(0, false);
        apart_shape* shape = mesh_of(&all, 1, &options, &error);
        allocation_stop();
        assert_true(!l.disorder);
        if (shape) {
            assert_true(l.calls == stop_at - 1 && l.last == 1);
            apart_shape_release(shape);
            break;
        }
        stopped++;
        assert_int_equal(error.status, APART_CANCELLED);
        assert_int_equal(l.calls, stop_at);
        assert_int_equal(allocation.live, 0);
    }
    print_message("a mesh was given up at %d places\n", stopped);
    assert_true(stopped >= 4);
    free(all.corner);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),          cmocka_unit_test(test_around_full),    cmocka_unit_test(test_large),
        cmocka_unit_test(test_boxes),          cmocka_unit_test(test_single),         cmocka_unit_test(test_node_count),
        cmocka_unit_test(test_meshes),         cmocka_unit_test(test_unions),         cmocka_unit_test(test_progress),
        cmocka_unit_test(test_cancelled_tree), cmocka_unit_test(test_cancelled_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Quinlan's tree of spheres: every node contains its leaves and every leaf does its share of the cover; lopsided trees,
// repeated and tiny triangles; what is refused.
#include "allocation_count.h"
#include "progress.h"
#include "sphere_models.h"

#include <stdio.h>

// ---------------------------------------------------------------------------------------------------- invariants ----

static long double wide_distance(const long double p[3], vec3 q) {
    long double x = p[0] - q.x, y = p[1] - q.y, z = p[2] - q.z;
    return sqrtl(x * x + y * y + z * z);
}

// The smallest sphere around the two children is one of the two that an inner sphere is chosen from.
static void check_no_larger_than_needed(const sphere_node* n, const sphere_node* p, const sphere_node* q) {
    double across = 0.5 * (vec3_length(vec3_sub(q->center, p->center)) + p->radius + q->radius);
    assert_true(n->radius <= fmax(across, fmax(p->radius, q->radius)) * (1 + 1e-14));
}

// Checks that the nodes above contain a leaf, and returns how many leaves are below.
static uint32_t check_below(const sphere_tree* tree, const uint32_t* path, int depth, uint32_t at, uint32_t* seen) {
    const sphere_node* n = &tree->node[at];
    assert_true(at < tree->node_count);
    assert_int_equal(seen[at]++, 0);
    assert_true(depth <= tree->depth);
    assert_true(vec3_length(n->center) + n->radius <= tree->reach);
    uint32_t longer[SPHERES_DEPTH + 1];
    for (int i = 0; i < depth; i++) longer[i] = path[i];
    longer[depth] = at;
    if (n->child != 0) check_no_larger_than_needed(n, &tree->node[n->child], &tree->node[n->child + 1]);
    if (n->child != 0)
        return check_below(tree, longer, depth + 1, n->child, seen) +
               check_below(tree, longer, depth + 1, n->child + 1, seen);
    assert_true(n->radius == tree->radius);
    long double center[3] = {n->center.x, n->center.y, n->center.z};
    for (int i = 0; i < depth; i++) {
        const sphere_node* above = &tree->node[path[i]];
        assert_true(wide_distance(center, above->center) + n->radius <= above->radius);
    }
    return 1;
}

static int levels_of(uint32_t count) {
    int levels = 0;
    while (count > UINT32_C(1) << levels) levels++;
    return levels;
}

static void check_tree(const sphere_tree* tree) {
    uint32_t* seen = calloc(tree->node_count, sizeof *seen);
    assert_non_null(seen);
    assert_int_equal(tree->node_count, 2 * tree->leaf_count - 1);
    assert_int_equal(check_below(tree, NULL, 0, 0, seen), tree->leaf_count);
    for (uint32_t i = 0; i < tree->node_count; i++) assert_int_equal(seen[i], 1);
    assert_true(tree->depth <= 2 * levels_of(tree->leaf_count) + 2 && tree->depth <= SPHERES_DEPTH);
    free(seen);
}

// Whether some leaf of this triangle holds the point with these weights.
static bool is_covered(const surface* s, const sphere_tree* tree, const uint32_t* first, const uint32_t* leaf,
                       uint32_t triangle, const double weight[3]) {
    long double p[3] = {0, 0, 0}, sum = (long double)weight[0] + weight[1] + weight[2];
    for (int k = 0; k < 3; k++) {
        vec3 v = s->vertex[s->triangle[triangle][k]];
        p[0] += weight[k] / sum * v.x;
        p[1] += weight[k] / sum * v.y;
        p[2] += weight[k] / sum * v.z;
    }
    for (uint32_t i = first[triangle]; i < first[triangle + 1]; i++)
        if (wide_distance(p, tree->node[leaf[i]].center) <= tree->radius) return true;
    return false;
}

// Corners, points of edges, points inside: all must lie in leaves of their own triangle.
static void check_cover(rng* r, const surface* s, const sphere_tree* tree) {
    uint32_t* first = calloc(s->triangle_count + 2, sizeof *first);
    uint32_t* leaf = malloc(tree->leaf_count * sizeof *leaf);
    assert_non_null(first);
    assert_non_null(leaf);
    for (uint32_t i = 0; i < tree->node_count; i++)
        if (!tree->node[i].child) first[tree->node[i].triangle + 2]++;
    for (uint32_t t = 0; t < s->triangle_count; t++) first[t + 2] += first[t + 1];
    for (uint32_t i = 0; i < tree->node_count; i++)
        if (!tree->node[i].child) leaf[first[tree->node[i].triangle + 1]++] = i;
    for (uint32_t t = 0; t < s->triangle_count; t++)
        for (int i = 0; i < 24; i++) {
            double w[3] = {rng_unit(r), rng_unit(r), rng_unit(r)};
            if (i < 3) w[(i + 1) % 3] = w[(i + 2) % 3] = 0;
            if (i >= 3 && i < 9) w[i % 3] = 0;
            if (i < 3) w[i] = 1;
            assert_true(is_covered(s, tree, first, leaf, t, w));
        }
    free(leaf);
    free(first);
}

static void test_cover_and_containment(void** state) {
    (void)state;
    rng r = rng_seed(1994);
    uint64_t leaves = 0, several = 0, triangles = 0;
    for (int i = 0; i < 300; i++) {
        surface s = i % 3 == 0 ? make_blob(&r, (uint32_t)rng_between(&r, 3, 24))
                               : make_soup(&r, (uint32_t)rng_between(&r, 1, 60));
        double radius = rng_magnitude(&r, i % 3 == 0 ? -5 : -8, -1);
        if (i % 50 == 1) radius = 1e30;
        sphere_tree tree = build(&s, radius);
        assert_true(tree.radius >= fmin(radius, 2) && tree.radius <= fmin(radius, 2) * (1 + 1e-11));
        check_tree(&tree);
        check_cover(&r, &s, &tree);
        leaves += tree.leaf_count;
        triangles += s.triangle_count;
        several += tree.leaf_count > 2 * s.triangle_count;
        apart_spheres_free(&tree);
        surface_free(&s);
    }
    printf("  %llu leaves over %llu triangles; %llu surfaces with several leaves a triangle\n",
           (unsigned long long)leaves, (unsigned long long)triangles, (unsigned long long)several);
    assert_true(several >= 50 && several <= 250);
}

// Segments that so many spheres just cover, end to end: nothing is left for rounding but what the builder adds.
static void test_cover_is_safe(void** state) {
    (void)state;
    rng r = rng_seed(11);
    int tight = 0;
    surface s = surface_blank(3, 1);
    set_triangle(&s, 0, 0, 1, 2);
    for (int i = 0; i < 1000; i++) {
        int spheres = rng_between(&r, 1, 40);
        double radius = rng_uniform(&r, 0.1, 1) / (2.0 * spheres);
        s.vertex[0] = s.vertex[2] = vec3_scale(-0.5, rng_in_ball(&r));
        s.vertex[1] = vec3_mad(s.vertex[0], 2 * radius * spheres, rng_unit_vector(&r));
        sphere_tree tree = build(&s, radius);
        check_cover(&r, &s, &tree);
        tight += tree.leaf_count == (uint32_t)spheres;
        apart_spheres_free(&tree);
    }
    printf("  %d of 1000 without a sphere to spare\n", tight);
    assert_true(tight >= 200);
    surface_free(&s);
}

// The grid is no finer than it must be: squares of side sqrt(2) r inside, one extra row of them along the edges.
static void test_cover_is_frugal(void** state) {
    (void)state;
    rng r = rng_seed(2);
    surface s = surface_blank(3, 1);
    set_triangle(&s, 0, 0, 1, 2);
    for (int i = 0; i < 200; i++) {
        for (int k = 0; k < 3; k++) s.vertex[k] = rng_in_cube(&r, 0.5);
        vec3 e = vec3_sub(s.vertex[1], s.vertex[0]), f = vec3_sub(s.vertex[2], s.vertex[0]), g = vec3_sub(f, e);
        double area = 0.5 * vec3_length(vec3_cross(e, f)), radius = rng_magnitude(&r, -8, -4);
        double side = sqrt(2) * radius, round = vec3_length(e) + vec3_length(f) + vec3_length(g);
        sphere_tree tree = build(&s, radius);
        assert_true(tree.leaf_count >= area / (3.141592653589793 * radius * radius));
        assert_true(tree.leaf_count <= area / (side * side) + round / side + 3);
        apart_spheres_free(&tree);
    }
    // A segment is covered as a line is: spheres side by side.
    s.vertex[0] = s.vertex[2] = vec3_make(-0.5, 0, 0);
    s.vertex[1] = vec3_make(0.5, 0, 0);
    sphere_tree tree = build(&s, 0.05);
    assert_int_equal(tree.leaf_count, 10);
    apart_spheres_free(&tree);
    surface_free(&s);
}

// Points that crowd towards one end: at the mean, one or two would be split off at a time.
static void test_lopsided(void** state) {
    (void)state;
    surface s = surface_blank(1000, 1000);
    for (uint32_t i = 0; i < s.triangle_count; i++) {
        s.vertex[i] = vec3_make(ldexp(1, -(int)i), 0, 0);
        for (int k = 0; k < 3; k++) s.triangle[i][k] = i;
    }
    sphere_tree tree = build(&s, 1e-3);
    printf("  1000 leaves, depth %d\n", tree.depth);
    check_tree(&tree);
    assert_true(tree.depth > 11);
    apart_spheres_free(&tree);
    surface_free(&s);
}

// ------------------------------------------------------------------------------------------------ hard surfaces ----

static void test_repeated_triangles(void** state) {
    (void)state;
    rng r = rng_seed(5);
    surface s = surface_blank(3, 3000);
    for (int k = 0; k < 3; k++) s.vertex[k] = rng_in_cube(&r, 0.5);
    for (uint32_t t = 0; t < s.triangle_count; t++) set_triangle(&s, t, 0, 1, 2);
    sphere_tree tree = build(&s, 1);
    check_tree(&tree);
    assert_int_equal(tree.leaf_count, 3000);
    apart_spheres_free(&tree);
    surface_free(&s);
}

// Sizes far below the rounding of the whole, and the smallest doubles there are.
static void test_tiny_triangles(void** state) {
    (void)state;
    rng r = rng_seed(7);
    for (int i = 0; i < 40; i++) {
        surface s = make_soup(&r, 50);
        for (uint32_t v = 0; v < s.vertex_count; v++) {
            vec3 tiny = vec3_scale(i % 2 ? 1e-150 : 0x1p-1060, s.vertex[v]);
            s.vertex[v] = v < s.vertex_count / 2 ? tiny : vec3_add(vec3_make(0.5, 0.25, -0.5), tiny);
        }
        sphere_tree tree = build(&s, i % 4 < 2 ? 1e-160 : 0.25);
        assert_int_equal(tree.leaf_count, s.triangle_count);
        check_tree(&tree);
        check_cover(&r, &s, &tree);
        apart_spheres_free(&tree);
        surface_free(&s);
    }
}

// -------------------------------------------------------------------------------------------------------- errors ----

static void test_refusals(void** state) {
    (void)state;
    rng r = rng_seed(9);
    surface s = make_blob(&r, 20);
    static const double radii[] = {1e-6, 1e-9, 1e-300, 5e-324};
    for (size_t i = 0; i < sizeof radii / sizeof radii[0]; i++) {
        sphere_tree tree = {.leaf_count = 7};
        apart_error error = {0};
        allocation_watch(0, false);
        bool built = try_build(&s, radii[i], &(meter){0}, &tree, &error);
        assert_int_equal(allocation_stop(), 0);
        assert_false(built);
        assert_int_equal(error.status, APART_INVALID);
        assert_true(error.message[0] && tree.leaf_count == 7 && !tree.node);
    }
    follower f = {.stop_at = 1};
    sphere_tree tree = {0};
    meter told = {.progress = follow, .context = &f};
    assert_false(try_build(&s, 2e-3, &told, &tree, NULL));
    assert_true(f.calls == 1 && f.last > 0 && !f.disorder);
    assert_null(tree.node);
    apart_spheres_free(&tree);
    apart_spheres_free(NULL);
    surface_free(&s);
}

static void test_failing_allocations(void** state) {
    (void)state;
    if (!allocation_is_counted()) skip();
    rng r = rng_seed(10);
    surface s = make_blob(&r, 16);
    for (long step = 1; step <= 2; step++) {
        sphere_tree tree = {0};
        apart_error error = {0};
        allocation_watch(step, false);
        bool built = try_build(&s, 0.05, &(meter){0}, &tree, &error);
        allocation_stop();
        assert_false(built);
        assert_int_equal(error.status, APART_OUT_OF_MEMORY);
        assert_int_equal(allocation.live, 0);
        assert_null(tree.node);
    }
    surface_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cover_and_containment),
        cmocka_unit_test(test_cover_is_safe),
        cmocka_unit_test(test_cover_is_frugal),
        cmocka_unit_test(test_lopsided),
        cmocka_unit_test(test_repeated_triangles),
        cmocka_unit_test(test_tiny_triangles),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Quinlan's tree of spheres: every node contains its leaves and every leaf does its share of the cover; the search
// against brute force over all pairs of triangles; relative error, cutoff, radii; degenerate surfaces, lopsided trees.
#include "tree/spheres.h"

#include "allocation_count.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// ------------------------------------------------------------------------------------------------------ surfaces ----

typedef struct surface {
    vec3* vertex;
    uint32_t (*triangle)[3];
    uint32_t vertex_count, count;
} surface;

static surface surface_make(uint32_t vertices, uint32_t triangles) {
    surface s = {malloc(vertices * sizeof(vec3)), malloc(triangles * sizeof *s.triangle), vertices, triangles};
    assert_non_null(s.vertex);
    assert_non_null(s.triangle);
    return s;
}

static void surface_free(surface* s) {
    free(s->vertex);
    free(s->triangle);
}

// A closed, dented surface of 2 n^2 triangles or so, within the unit ball: not convex.
static surface make_blob(rng* r, uint32_t n) {
    surface s = surface_make(n * n, 2 * n * (n - 1));
    vec3 dent[3] = {rng_unit_vector(r), rng_unit_vector(r), rng_unit_vector(r)};
    for (uint32_t i = 0; i < n * n; i++) {
        double turn = 6.283185307179586 * (i % n) / n, tilt = 3.141592653589793 * (i / n) / (n - 1);
        vec3 p = {sin(tilt) * cos(turn), sin(tilt) * sin(turn), cos(tilt)};
        double size = 0.9;
        for (int k = 0; k < 3; k++) size -= 0.6 * fmax(0, vec3_dot(p, dent[k]) - 0.6);
        s.vertex[i] = vec3_scale(size, p);
    }
    uint32_t t = 0;
    for (uint32_t i = 0; i < n - 1; i++)
        for (uint32_t j = 0; j < n; j++) {
            uint32_t p = i * n + j, q = i * n + (j + 1) % n;
            memcpy(s.triangle[t++], (uint32_t[3]){p, q, p + n}, sizeof *s.triangle);
            memcpy(s.triangle[t++], (uint32_t[3]){q, q + n, p + n}, sizeof *s.triangle);
        }
    return s;
}

// Triangles of all sizes anywhere: ordinary ones, needles, segments, points, repeats.
static surface make_soup(rng* r, uint32_t triangles) {
    surface s = surface_make(3 * triangles, triangles);
    for (uint32_t t = 0; t < triangles; t++) {
        vec3 at = rng_in_cube(r, 0.5), *p = &s.vertex[(size_t)3 * t];
        double size = rng_chance(r, 0.05) ? 0 : rng_magnitude(r, -12, -3), thin = rng_magnitude(r, -60, 0);
        for (int k = 0; k < 3; k++) p[k] = vec3_mad(at, size, rng_in_cube(r, 1));
        if (rng_chance(r, 0.3))
            p[2] = vec3_mad(vec3_mad(p[0], rng_unit(r), vec3_sub(p[1], p[0])), thin * size, rng_in_cube(r, 1));
        if (rng_chance(r, 0.1)) p[2] = p[1];
        if (t > 0 && rng_chance(r, 0.05)) memcpy(p, p - 3, 3 * sizeof *p);
        for (uint32_t k = 0; k < 3; k++) s.triangle[t][k] = 3 * t + k;
    }
    return s;
}

static sphere_tree build(const surface* s, double radius) {
    sphere_tree tree = {0};
    sphere_options options = {.radius = radius};
    apart_error error = {0};
    assert_int_equal(apart_spheres_build((const vec3*)s->vertex, (const uint32_t(*)[3])s->triangle, s->count, &options,
                                         &tree, &error),
                     APART_OK);
    return tree;
}

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
    uint32_t* first = calloc(s->count + 2, sizeof *first);
    uint32_t* leaf = malloc(tree->leaf_count * sizeof *leaf);
    assert_non_null(first);
    assert_non_null(leaf);
    for (uint32_t i = 0; i < tree->node_count; i++)
        if (!tree->node[i].child) first[tree->node[i].triangle + 2]++;
    for (uint32_t t = 0; t < s->count; t++) first[t + 2] += first[t + 1];
    for (uint32_t i = 0; i < tree->node_count; i++)
        if (!tree->node[i].child) leaf[first[tree->node[i].triangle + 1]++] = i;
    for (uint32_t t = 0; t < s->count; t++)
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
        triangles += s.count;
        several += tree.leaf_count > 2 * s.count;
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
    surface s = surface_make(3, 1);
    memcpy(s.triangle[0], (uint32_t[3]){0, 1, 2}, sizeof *s.triangle);
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
    surface s = surface_make(3, 1);
    memcpy(s.triangle[0], (uint32_t[3]){0, 1, 2}, sizeof *s.triangle);
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

// The leaves below a node along x: from *low to *high. The two children's must not interleave.
static void check_order(const sphere_tree* tree, uint32_t at, double* low, double* high) {
    const sphere_node* n = &tree->node[at];
    *low = *high = n->center.x;
    if (n->child == 0) return;
    double middle_low = 0, middle_high = 0;
    check_order(tree, n->child, low, &middle_low);
    check_order(tree, n->child + 1, &middle_high, high);
    assert_true(middle_low <= middle_high);
}

// Points that crowd towards one end: at the mean, one or two would be split off at a time.
static void test_lopsided(void** state) {
    (void)state;
    surface s = surface_make(1000, 1000);
    for (uint32_t i = 0; i < s.count; i++) {
        s.vertex[i] = vec3_make(ldexp(1, -(int)i), 0, 0);
        for (int k = 0; k < 3; k++) s.triangle[i][k] = i;
    }
    sphere_tree tree = build(&s, 1e-3);
    printf("  1000 leaves, depth %d\n", tree.depth);
    check_tree(&tree);
    assert_true(tree.depth > 11);
    double low = 0, high = 0;
    check_order(&tree, 0, &low, &high);
    assert_true(low == s.vertex[s.count - 1].x && high == 1);
    apart_spheres_free(&tree);
    surface_free(&s);
}

// ----------------------------------------------------------------------------------------------------- the search ----

// Two surfaces in one frame.
typedef struct scene {
    surface a, b;
    sphere_tree tree_a, tree_b;
    mat3 rotation_a, rotation_b;
    sphere_frame frame;
    uint64_t calls;
} scene;

static void scene_corners(const scene* s, bool of_a, uint32_t triangle, vec3 out[3]) {
    const surface* body = of_a ? &s->a : &s->b;
    for (int k = 0; k < 3; k++) {
        vec3 p = mat3_mul(of_a ? &s->rotation_a : &s->rotation_b, body->vertex[body->triangle[triangle][k]]);
        p = vec3_scale(of_a ? s->frame.factor_a : s->frame.factor_b, p);
        out[k] = of_a ? vec3_add(p, s->frame.offset) : p;
    }
}

static double triangle_distance(void* context, uint32_t triangle_a, uint32_t triangle_b) {
    scene* s = context;
    vec3 a[3], b[3];
    scene_corners(s, true, triangle_a, a);
    scene_corners(s, false, triangle_b, b);
    s->calls++;
    return sqrt(apart_triangle_triangle(a, b, NULL, NULL));
}

static double brute_force(scene* s) {
    double best = INFINITY;
    for (uint32_t i = 0; i < s->a.count; i++)
        for (uint32_t j = 0; j < s->b.count && best > 0; j++) best = fmin(best, triangle_distance(s, i, j));
    return best;
}

static void scene_pose(scene* s, rng* r, double distance) {
    s->rotation_a = rng_rotation(r);
    s->rotation_b = rng_rotation(r);
    s->frame = (sphere_frame){&s->rotation_a, &s->rotation_b, 0.5, 0.25, vec3_scale(distance, rng_unit_vector(r)), 0};
}

static void scene_make(scene* s, surface a, surface b, double radius) {
    *s = (scene){.a = a, .b = b, .tree_a = build(&a, radius), .tree_b = build(&b, radius)};
}

static void scene_blobs(scene* s, rng* r, uint32_t n, double radius) {
    surface a = make_blob(r, n), b = make_blob(r, n);
    scene_make(s, a, b, radius);
}

static void scene_free(scene* s) {
    apart_spheres_free(&s->tree_a);
    apart_spheres_free(&s->tree_b);
    surface_free(&s->a);
    surface_free(&s->b);
}

static const sphere_goal EXACT = {.cutoff = INFINITY, .best = INFINITY};

static sphere_outcome run(scene* s, const sphere_goal* goal) {
    sphere_outcome out;
    s->calls = 0;
    apart_spheres_search(&s->tree_a, &s->tree_b, &s->frame, goal, triangle_distance, s, &out);
    assert_int_equal(s->calls, out.leaf_tests);
    assert_true(out.lower >= 0 && out.upper >= 0);
    return out;
}

// How far rounding may move a bound: the search's own slack is half of it.
static double rounding(const scene* s) {
    return 0x1p-47 *
           (s->frame.factor_a * s->tree_a.reach + s->frame.factor_b * s->tree_b.reach + vec3_length(s->frame.offset));
}

static void check_exact(scene* s, double truth) {
    sphere_outcome out = run(s, &EXACT), again = run(s, &EXACT);
    assert_true(memcmp(&out, &again, sizeof out) == 0);
    assert_true(out.upper >= truth && out.upper <= truth + rounding(s));
    assert_true(fmin(out.lower, out.upper) <= truth);
    assert_true(fmin(out.lower, out.upper) >= truth - rounding(s));
    assert_true(triangle_distance(s, out.triangle_a, out.triangle_b) == out.upper);
    assert_true(apart_spheres_gap(&s->tree_a, &s->tree_b, &s->frame) <= truth);
    if (out.upper == 0) assert_true(out.lower == 0);
}

static void check_relative(scene* s, double truth, double alpha) {
    sphere_goal goal = EXACT;
    goal.relative_error = alpha;
    sphere_outcome out = run(s, &goal);
    assert_true(out.upper >= truth);
    assert_true((1 - alpha) * out.upper <= truth + rounding(s));
    double lower = fmin(out.lower, out.upper);
    assert_true(lower <= truth + 0x1p-50);
    if (truth > rounding(s) / alpha) assert_true(lower >= (1 - alpha) * out.upper);
    if (truth == 0) assert_true(alpha == 1 || out.upper == 0);
    if (truth > rounding(s) && alpha < 1) assert_true(lower > 0);
}

static void test_search_against_brute_force(void** state) {
    (void)state;
    static const double alphas[] = {1e-6, 0.05, 0.2, 0.5, 0.9, 1};
    rng r = rng_seed(3);
    int meet = 0, apart = 0, near = 0;
    for (int i = 0; i < 120; i++) {
        scene s;
        surface a = i % 2 ? make_blob(&r, 9) : make_soup(&r, (uint32_t)rng_between(&r, 1, 100));
        surface b = i % 4 < 2 ? make_blob(&r, 9) : make_soup(&r, (uint32_t)rng_between(&r, 1, 100));
        scene_make(&s, a, b, rng_magnitude(&r, -7, -2));
        scene_pose(&s, &r, i % 3 == 0 ? rng_uniform(&r, 0, 0.3) : rng_uniform(&r, 0.4, 1.2));
        double truth = brute_force(&s);
        meet += truth == 0;
        near += truth > 0 && truth < 0.05;
        apart += truth >= 0.05;
        check_exact(&s, truth);
        for (size_t k = 0; k < sizeof alphas / sizeof alphas[0]; k++) check_relative(&s, truth, alphas[k]);
        scene_free(&s);
    }
    printf("  %d meet, %d near, %d apart\n", meet, near, apart);
    assert_true(meet >= 20 && near >= 20 && apart >= 20);
}

static void test_other_goals(void** state) {
    (void)state;
    rng r = rng_seed(4);
    scene s;
    scene_blobs(&s, &r, 9, 0.05);
    int beyond = 0, touching = 0;
    for (int i = 0; i < 60; i++) {
        scene_pose(&s, &r, rng_uniform(&r, 0.75, 1.1));
        double truth = brute_force(&s);
        sphere_outcome exact = run(&s, &EXACT);
        // A cutoff: either it is reached, or the answer is exact.
        sphere_goal goal = EXACT;
        goal.cutoff = rng_uniform(&r, 0, 0.4);
        sphere_outcome out = run(&s, &goal);
        assert_true(out.upper >= truth && out.upper < INFINITY && fmin(out.lower, out.upper) <= truth);
        assert_true(fmin(out.lower, out.upper) >= fmin(goal.cutoff, truth) - rounding(&s));
        if (truth > goal.cutoff + rounding(&s)) assert_true(out.lower >= goal.cutoff && ++beyond);
        // An absolute error.
        goal = EXACT;
        goal.absolute_error = 0.1;
        out = run(&s, &goal);
        assert_true(out.upper <= truth + 0.1 && out.upper >= truth && fmin(out.lower, out.upper) >= out.upper - 0.1);
        assert_true(out.node_tests <= exact.node_tests);
        // Radii: Quinlan's error is that of what is left between the extended bodies.
        goal = EXACT;
        goal.radii = rng_uniform(&r, 0, 0.6);
        goal.relative_error = 0.2;
        out = run(&s, &goal);
        if (truth > goal.radii + 10 * rounding(&s))
            assert_true(fmin(out.lower, out.upper) - goal.radii >= 0.8 * (out.upper - goal.radii));
        else if (truth < goal.radii)
            assert_true(out.upper <= goal.radii && out.lower == 0 && ++touching);
        goal.relative_error = 0;
        goal.cutoff = rng_uniform(&r, 0, 0.2);
        out = run(&s, &goal);
        if (truth > goal.radii)
            assert_true(fmin(out.lower, out.upper) >= fmin(truth, goal.radii + goal.cutoff) - rounding(&s));
        // A distance known from elsewhere: nothing better is found, and less is searched.
        goal = EXACT;
        goal.best = truth;
        out = run(&s, &goal);
        assert_true(out.upper == truth && out.triangle_a == SPHERES_NO_TRIANGLE);
        assert_true(out.node_tests <= exact.node_tests);
        goal.best = truth * 1.25 + 0.01;
        out = run(&s, &goal);
        assert_true(fabs(out.upper - truth) <= rounding(&s) && out.triangle_a != SPHERES_NO_TRIANGLE);
    }
    printf("  %d beyond the cutoff, %d touching\n", beyond, touching);
    assert_true(beyond >= 10 && touching >= 10);
    scene_free(&s);
}

// A matrix that is a rotation within 1e-6 only stretches the bodies, and so it must the spheres.
static void test_matrix_as_given(void** state) {
    (void)state;
    surface a = surface_make(2, 1), b = surface_make(2, 1);
    memcpy(a.triangle[0], (uint32_t[3]){0, 1, 1}, sizeof *a.triangle);
    memcpy(b.triangle[0], (uint32_t[3]){0, 1, 1}, sizeof *b.triangle);
    a.vertex[0] = b.vertex[0] = vec3_make(-0.5, 0, 0);
    a.vertex[1] = b.vertex[1] = vec3_make(0.5, 0, 0);
    scene s;
    scene_make(&s, a, b, 0.5); // one sphere around each segment, through its ends
    assert_int_equal(s.tree_a.node_count, 1);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) s.rotation_a.m[i][j] = i == j ? 1 + 4e-7 : 0;
    s.rotation_b = apart_pose_identity.rotation;
    s.frame = (sphere_frame){&s.rotation_a, &s.rotation_b, 1, 1, vec3_make(1.25, 0, 0), 0};
    double truth = brute_force(&s), gap = apart_spheres_gap(&s.tree_a, &s.tree_b, &s.frame);
    assert_true(gap <= truth && gap >= truth - 1e-12);
    // Shear, which the diagonal of R^T R does not show.
    s.rotation_a = (mat3){{{1, 4e-7, 0}, {4e-7, 1, 0}, {0, 0, 1}}};
    s.frame.offset = vec3_make(0.9, 0.9, 0);
    for (int i = 0; i < 2; i++) {
        vec3 tilted = vec3_scale(i ? sqrt(0.125) : -sqrt(0.125), vec3_make(1, 1, 0));
        a.vertex[i] = b.vertex[i] = tilted;
    }
    apart_spheres_free(&s.tree_a);
    apart_spheres_free(&s.tree_b);
    s.tree_a = build(&a, 0.5);
    s.tree_b = build(&b, 0.5);
    truth = brute_force(&s);
    gap = apart_spheres_gap(&s.tree_a, &s.tree_b, &s.frame);
    assert_true(gap <= truth && gap >= truth - 1e-12);
    scene_free(&s);
}

// --------------------------------------------------------------------------------------------------- hard surfaces
// ----

static void test_repeated_triangles(void** state) {
    (void)state;
    rng r = rng_seed(5);
    surface a = surface_make(3, 3000), b = surface_make(3, 1);
    for (int k = 0; k < 3; k++) {
        a.vertex[k] = rng_in_cube(&r, 0.5);
        b.vertex[k] = rng_in_cube(&r, 0.5);
    }
    for (uint32_t t = 0; t < a.count; t++) memcpy(a.triangle[t], (uint32_t[3]){0, 1, 2}, sizeof *a.triangle);
    memcpy(b.triangle[0], (uint32_t[3]){0, 1, 2}, sizeof *b.triangle);
    scene s;
    scene_make(&s, a, b, 1);
    check_tree(&s.tree_a);
    assert_int_equal(s.tree_a.leaf_count, 3000);
    assert_int_equal(s.tree_b.depth, 0);
    scene_pose(&s, &r, 3);
    check_exact(&s, brute_force(&s));
    scene_pose(&s, &r, 0.1);
    check_exact(&s, brute_force(&s));
    scene_free(&s);
}

// Bodies that are points beside their distance: all pairs are equally far apart, to rounding, and one is enough.
static void test_far_away(void** state) {
    (void)state;
    static const double factors[] = {1e-3, 1e-8, 1e-14, 1e-16, 1e-150, 1e-300};
    rng r = rng_seed(6);
    scene s;
    scene_blobs(&s, &r, 9, 0.03);
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
        scene_pose(&s, &r, 1);
        s.frame.factor_a = factors[i];
        s.frame.factor_b = factors[i] / 3;
        check_exact(&s, brute_force(&s));
        sphere_outcome out = run(&s, &EXACT);
        printf("  size %6g of the distance: %llu node tests, %llu leaf tests\n", factors[i],
               (unsigned long long)out.node_tests, (unsigned long long)out.leaf_tests);
        if (factors[i] < 1e-13) assert_true(out.node_tests < 200);
    }
    // An error that is hardly more than rounding is kept none the less.
    for (int i = 0; i < 500; i++) {
        scene_pose(&s, &r, 1);
        s.frame.factor_a = s.frame.factor_b = 1e-13;
        sphere_goal goal = EXACT;
        goal.relative_error = rng_uniform(&r, 3e-14, 1e-13);
        sphere_outcome out = run(&s, &goal);
        assert_true(out.lower >= (1 - goal.relative_error) * out.upper);
    }
    // One body is a point beside the other.
    scene_pose(&s, &r, 0.9);
    s.frame.factor_b = 1e-200;
    check_exact(&s, brute_force(&s));
    scene_free(&s);
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
        assert_int_equal(tree.leaf_count, s.count);
        check_tree(&tree);
        check_cover(&r, &s, &tree);
        apart_spheres_free(&tree);
        surface_free(&s);
    }
}

static long double wide_apart(const scene* s, uint32_t a, uint32_t b) {
    const vec3 p = s->a.vertex[a], q = s->b.vertex[b];
    const double* t = &s->frame.offset.x;
    long double sum = 0;
    for (int i = 0; i < 3; i++) {
        const double *m = s->rotation_a.m[i], *n = s->rotation_b.m[i];
        long double x = ((long double)m[0] * p.x + (long double)m[1] * p.y + (long double)m[2] * p.z);
        long double y = ((long double)n[0] * q.x + (long double)n[1] * q.y + (long double)n[2] * q.z);
        long double way = s->frame.factor_a * x - s->frame.factor_b * y + t[i];
        sum += way * way;
    }
    return sqrtl(sum);
}

// A point and two points far away: one distance is measured, the other only bounded, and by less than it really is.
static void test_bounds_are_rounded_down(void** state) {
    (void)state;
    rng r = rng_seed(12);
    surface a = surface_make(1, 1), b = surface_make(2, 2);
    for (uint32_t k = 0; k < 3; k++) a.triangle[0][k] = b.triangle[0][k] = 0, b.triangle[1][k] = 1;
    int bounded = 0;
    for (int i = 0; i < 2000; i++) {
        a.vertex[0] = rng_in_ball(&r);
        b.vertex[0] = rng_in_ball(&r);
        b.vertex[1] = vec3_neg(b.vertex[0]);
        scene s;
        scene_make(&s, a, b, 1e-9);
        scene_pose(&s, &r, 1);
        s.frame.factor_a = s.frame.factor_b = 0x1p-24;
        long double first = wide_apart(&s, 0, 0), second = wide_apart(&s, 0, 1);
        assert_true(apart_spheres_gap(&s.tree_a, &s.tree_b, &s.frame) <= fminl(first, second));
        sphere_outcome out = run(&s, &EXACT);
        assert_true(out.lower == INFINITY || out.leaf_tests == 1);
        if (out.leaf_tests == 1) assert_true(++bounded && out.lower <= (out.triangle_b == 0 ? second : first));
        apart_spheres_free(&s.tree_a);
        apart_spheres_free(&s.tree_b);
    }
    assert_true(bounded > 1000);
    surface_free(&a);
    surface_free(&b);
}

// -------------------------------------------------------------------------------------------------- cost and errors
// ----

typedef struct log {
    scene* scene;
    uint64_t* pair;
    size_t count;
} log_of_pairs;

static double logged_distance(void* context, uint32_t triangle_a, uint32_t triangle_b) {
    log_of_pairs* l = context;
    l->pair[l->count++] = (uint64_t)triangle_a << 32 | triangle_b;
    return triangle_distance(l->scene, triangle_a, triangle_b);
}

static int compare_pairs(const void* p, const void* q) {
    const uint64_t *a = p, *b = q;
    return (*a > *b) - (*a < *b);
}

// His two savings: the relative error, and no triangles measured twice.
static void test_cost(void** state) {
    (void)state;
    rng r = rng_seed(8);
    scene s;
    scene_blobs(&s, &r, 32, 0.02);
    double exact = 0, rough = 0, measured = 0, again = 0;
    log_of_pairs l = {&s, malloc(sizeof(uint64_t) << 22), 0};
    assert_non_null(l.pair);
    for (int i = 0; i < 50; i++) {
        scene_pose(&s, &r, rng_uniform(&r, 0.8, 1.6));
        sphere_goal goal = EXACT;
        sphere_outcome out;
        l.count = 0;
        apart_spheres_search(&s.tree_a, &s.tree_b, &s.frame, &goal, logged_distance, &l, &out);
        exact += (double)out.node_tests;
        measured += (double)out.leaf_tests;
        qsort(l.pair, l.count, sizeof *l.pair, compare_pairs);
        for (size_t k = 1; k < l.count; k++) again += l.pair[k] == l.pair[k - 1];
        goal.relative_error = 0.2;
        rough += (double)run(&s, &goal).node_tests;
    }
    printf("  node tests: exact %.0f, at 20 %% %.0f; triangle pairs %.0f, %.1f %% of them again\n", exact / 50,
           rough / 50, measured / 50, 100 * again / measured);
    assert_true(rough < exact / 5);
    assert_true(again < 0.1 * measured);
    // Where the bodies meet, the search ends as soon as it has found out.
    double meeting = 0;
    for (int i = 0; i < 20; i++) {
        scene_pose(&s, &r, 0.5);
        sphere_outcome out = run(&s, &EXACT);
        assert_true(out.upper == 0 && out.lower == 0);
        meeting += (double)out.node_tests;
    }
    printf("  meeting: %.0f node tests\n", meeting / 20);
    assert_true(meeting / 20 < exact / 50 / 20);
    free(l.pair);
    scene_free(&s);
}

static bool stop_at_once(double done, void* context) {
    ++*(int*)context;
    assert_true(done > 0 && done <= 1);
    return false;
}

static void test_refusals(void** state) {
    (void)state;
    rng r = rng_seed(9);
    surface s = make_blob(&r, 20);
    const uint32_t(*triangle)[3] = (const uint32_t(*)[3])s.triangle;
    static const double radii[] = {0, -1, NAN, 1e-6, 1e-9, 1e-300, 5e-324};
    for (size_t i = 0; i < sizeof radii / sizeof radii[0]; i++) {
        sphere_tree tree = {.leaf_count = 7};
        sphere_options options = {.radius = radii[i]};
        apart_error error = {0};
        allocation_watch(0, false);
        apart_status status = apart_spheres_build(s.vertex, triangle, s.count, &options, &tree, &error);
        assert_int_equal(allocation_stop(), 0);
        assert_int_equal(status, APART_INVALID);
        assert_int_equal(error.status, APART_INVALID);
        assert_true(error.message[0] && tree.leaf_count == 7 && !tree.node);
    }
    int calls = 0;
    sphere_tree tree = {0};
    meter told = {.progress = stop_at_once, .context = &calls};
    sphere_options options = {.radius = 2e-3, .meter = &told};
    assert_int_equal(apart_spheres_build(s.vertex, triangle, s.count, &options, &tree, NULL), APART_CANCELLED);
    assert_int_equal(calls, 1);
    assert_int_equal(apart_spheres_build(s.vertex, triangle, 0, &options, &tree, NULL), APART_EMPTY);
    assert_null(tree.node);
    apart_spheres_free(&tree);
    apart_spheres_free(NULL);
    surface_free(&s);
}

static void test_allocations(void** state) {
    (void)state;
    if (!allocation_is_counted()) skip();
    rng r = rng_seed(10);
    scene s;
    scene_blobs(&s, &r, 16, 0.05);
    scene_pose(&s, &r, 0.9);
    sphere_options options = {.radius = 0.05};
    for (long step = 1; step <= 2; step++) {
        sphere_tree tree = {0};
        apart_error error = {0};
        allocation_watch(step, false);
        apart_status status =
            apart_spheres_build(s.a.vertex, (const uint32_t(*)[3])s.a.triangle, s.a.count, &options, &tree, &error);
        allocation_stop();
        assert_int_equal(status, APART_OUT_OF_MEMORY);
        assert_int_equal(error.status, APART_OUT_OF_MEMORY);
        assert_int_equal(allocation.live, 0);
        assert_null(tree.node);
    }
    allocation_watch(0, false);
    run(&s, &EXACT);
    assert_int_equal(allocation_stop(), 0);
    scene_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cover_and_containment),
        cmocka_unit_test(test_cover_is_safe),
        cmocka_unit_test(test_cover_is_frugal),
        cmocka_unit_test(test_lopsided),
        cmocka_unit_test(test_search_against_brute_force),
        cmocka_unit_test(test_other_goals),
        cmocka_unit_test(test_matrix_as_given),
        cmocka_unit_test(test_repeated_triangles),
        cmocka_unit_test(test_far_away),
        cmocka_unit_test(test_tiny_triangles),
        cmocka_unit_test(test_bounds_are_rounded_down),
        cmocka_unit_test(test_cost),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// The search over Quinlan's trees of spheres, against brute force over all pairs of triangles; relative error, cutoff,
// radii; far bodies, repeated triangles; how much it saves.
#include "allocation_count.h"
#include "sphere_models.h"

#include <stdio.h>

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
    for (uint32_t i = 0; i < s->a.triangle_count; i++)
        for (uint32_t j = 0; j < s->b.triangle_count && best > 0; j++) best = fmin(best, triangle_distance(s, i, j));
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

static double leave_at_once(void* context, uint32_t triangle_a, uint32_t triangle_b) {
    (void)context, (void)triangle_a, (void)triangle_b;
    return -INFINITY;
}

// What the spheres alone say, from the roots down to the first that are apart; 0 if that would take triangles.
static double gap_of_spheres(const scene* s) {
    sphere_goal goal = {.relative_error = 1, .cutoff = INFINITY, .best = 1e300};
    sphere_outcome out;
    apart_spheres_search(&s->tree_a, &s->tree_b, &s->frame, &goal, leave_at_once, NULL, &out);
    return out.lower;
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
    assert_true(gap_of_spheres(s) <= truth);
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
    surface a = surface_blank(2, 1), b = surface_blank(2, 1);
    set_triangle(&a, 0, 0, 1, 1);
    set_triangle(&b, 0, 0, 1, 1);
    a.vertex[0] = b.vertex[0] = vec3_make(-0.5, 0, 0);
    a.vertex[1] = b.vertex[1] = vec3_make(0.5, 0, 0);
    scene s;
    scene_make(&s, a, b, 0.5); // one sphere around each segment, through its ends
    assert_int_equal(s.tree_a.node_count, 1);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) s.rotation_a.m[i][j] = i == j ? 1 + 4e-7 : 0;
    s.rotation_b = apart_pose_identity.rotation;
    s.frame = (sphere_frame){&s.rotation_a, &s.rotation_b, 1, 1, vec3_make(1.25, 0, 0), 0};
    double truth = brute_force(&s), gap = gap_of_spheres(&s);
    assert_true(gap <= truth && gap >= truth - 1e-5);
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
    gap = gap_of_spheres(&s);
    assert_true(gap <= truth && gap >= truth - 1e-5);
    scene_free(&s);
}

// ------------------------------------------------------------------------------------------------- hard surfaces ----

static void test_repeated_triangles(void** state) {
    (void)state;
    rng r = rng_seed(5);
    surface a = surface_blank(3, 3000), b = surface_blank(3, 1);
    for (int k = 0; k < 3; k++) {
        a.vertex[k] = rng_in_cube(&r, 0.5);
        b.vertex[k] = rng_in_cube(&r, 0.5);
    }
    for (uint32_t t = 0; t < a.triangle_count; t++) set_triangle(&a, t, 0, 1, 2);
    set_triangle(&b, 0, 0, 1, 2);
    scene s;
    scene_make(&s, a, b, 1);
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
    surface a = surface_blank(1, 1), b = surface_blank(2, 2);
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
        assert_true(gap_of_spheres(&s) <= fminl(first, second));
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

// ---------------------------------------------------------------------------------------------------------- cost ----

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

static void test_no_allocation(void** state) {
    (void)state;
    if (!allocation_is_counted()) skip();
    rng r = rng_seed(10);
    scene s;
    scene_blobs(&s, &r, 16, 0.05);
    scene_pose(&s, &r, 0.9);
    allocation_watch(0, false);
    run(&s, &EXACT);
    assert_int_equal(allocation_stop(), 0);
    scene_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_search_against_brute_force),
        cmocka_unit_test(test_other_goals),
        cmocka_unit_test(test_matrix_as_given),
        cmocka_unit_test(test_repeated_triangles),
        cmocka_unit_test(test_far_away),
        cmocka_unit_test(test_bounds_are_rounded_down),
        cmocka_unit_test(test_cost),
        cmocka_unit_test(test_no_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// The depth from Gauss maps, from inside: all kernels that this machine can run give the same bits; what they prove
// agrees with the expanding surface, also where bodies are aligned, or almost, or as thin as doubles can tell; and it
// is what answers for deep hulls.
#include "convex/overlay.h"

#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define PAIRS 4000
#define MOST_POINTS 72

enum { ROUND, GRID, PRISM, PLATE, OCTAHEDRON, KINDS };

static apart_shape* make_hull(rng* r, int kind) {
    vec3 p[MOST_POINTS];
    int count = kind == PRISM ? 2 * rng_between(r, 3, 20) : kind == OCTAHEDRON ? 6 : rng_between(r, 4, MOST_POINTS);
    double height = rng_uniform(r, 0.2, 1), scale = rng_chance(r, 0.3) ? rng_magnitude(r, -3, 3) : 1;
    for (int i = 0; i < count; i++) {
        double angle = 6.283185307179586 * (i / 2) / (count / 2.0);
        vec3 axis = {i < 2, i >= 2 && i < 4, i >= 4};
        if (kind == ROUND || kind == PLATE) p[i] = rng_unit_vector(r);
        if (kind == PLATE) p[i].z *= 1e-3;
        if (kind == GRID) p[i] = vec3_make(rng_below(r, 4) - 1.5, rng_below(r, 4) - 1.5, rng_below(r, 4) - 1.5);
        if (kind == PRISM) p[i] = vec3_make(cos(angle), sin(angle), i & 1 ? height : -height);
        if (kind == OCTAHEDRON) p[i] = vec3_scale(i & 1 ? 1 : -rng_uniform(r, 0.5, 1.5), axis);
        p[i] = vec3_scale(scale, p[i]);
    }
    return apart_shape_points(p, (size_t)count, rng_chance(r, 0.2) ? 0.1 : 0, NULL);
}

typedef struct scene {
    int kind;
    apart_shape *a, *b;
    apart_pose pose_a, pose_b;
    bool aligned; // exactly, or but for the last digits
} scene;

static void make_scene(scene* s, uint64_t seed) {
    rng r = rng_seed(seed);
    s->kind = rng_below(&r, KINDS);
    s->a = make_hull(&r, s->kind);
    s->b = make_hull(&r, rng_below(&r, KINDS));
    assert_true(s->a && s->b);
    s->pose_a = rng_pose(&r, rng_in_cube(&r, 1));
    s->pose_b = rng_pose(&r, vec3_add(s->pose_a.translation, rng_in_cube(&r, rng_chance(&r, 0.3) ? 0.01 : 0.2)));
    s->aligned = rng_chance(&r, 0.5);
    if (!s->aligned) return;
    s->pose_b.rotation = s->pose_a.rotation;
    if (rng_chance(&r, 0.3)) s->pose_a.rotation = s->pose_b.rotation = rng_quarter_turns(&r);
    double off = rng_chance(&r, 0.5) ? rng_magnitude(&r, -52, -23) : 0;
    for (int i = 0; i < 9; i++) s->pose_b.rotation.m[i / 3][i % 3] += off * rng_uniform(&r, -1, 1);
}

static void free_scene(scene* s) {
    apart_shape_release(s->a);
    apart_shape_release(s->b);
}

static bool same_carrier(const carrier* p, const carrier* q) {
    size_t n = (size_t)p->count;
    return p->count == q->count && memcmp(p->index, q->index, n * sizeof p->index[0]) == 0 &&
           memcmp(p->weight, q->weight, n * sizeof p->weight[0]) == 0 &&
           memcmp(p->point, q->point, n * sizeof p->point[0]) == 0;
}

static bool run(const scene* s, int kernel, outcome* out) {
    difference k;
    apart_difference_init(&k, s->a, &s->pose_a, s->b, &s->pose_b, SEARCH_BEST);
    goal g = {.depth = APART_DEPTH_EXACT,
              .cutoff = INFINITY,
              .rounding_high = k.rounding_high,
              .rounding_low = k.rounding_low,
              .floor = k.rounding_high / 2};
    return overlay_applies(&k) && apart_overlay_kernel(kernel)(&k, &g, out);
}

static void test_same_bits(void** state) {
    (void)state;
    int answers = 0, kernels = 0;
    while (apart_overlay_kernel(kernels)) kernels++;
    for (uint64_t seed = 1; seed <= PAIRS; seed++) {
        scene s;
        make_scene(&s, seed);
        outcome first, other;
        bool found = run(&s, 0, &first);
        answers += found;
        for (int i = 1; i < kernels; i++) {
            assert_int_equal(run(&s, i, &other), found);
            if (!found) continue;
            assert_true(first.upper == other.upper && first.lower == other.lower);
            assert_memory_equal(&first.normal, &other.normal, sizeof first.normal);
            assert_true(same_carrier(&first.a, &other.a) && same_carrier(&first.b, &other.b));
        }
        free_scene(&s);
    }
    printf("%d kernels, %d of %d pairs answered\n", kernels, answers, PAIRS);
    assert_true(answers > PAIRS / 2);
}

// The bracket is narrow, holds what the surface proves, and the points touch when b is moved out.
static void test_agrees(void** state) {
    (void)state;
    int answers[2][KINDS] = {{0}};
    double widest = 0;
    for (uint64_t seed = 1; seed <= PAIRS; seed++) {
        scene s;
        make_scene(&s, seed);
        outcome out;
        if (run(&s, 0, &out)) {
            apart_query query = {.depth = APART_DEPTH_EXACT}, surface = query;
            surface.method = APART_METHOD_GJK;
            apart_result r, other;
            assert_int_equal(apart_distance(s.a, &s.pose_a, s.b, &s.pose_b, &query, NULL, &r), APART_OK);
            assert_int_equal(apart_distance(s.a, &s.pose_a, s.b, &s.pose_b, &surface, NULL, &other), APART_OK);
            assert_true(r.lower_bound <= other.distance && other.lower_bound <= r.distance);
            double size = vec3_length(vec3_sub(s.pose_a.translation, s.pose_b.translation)) + s.a->scale + s.b->scale;
            vec3 apart = vec3_mad(vec3_sub(r.point_b, r.point_a), -r.distance, r.normal);
            assert_true(vec3_length(apart) <= 1e-10 * size);
            widest = fmax(widest, (r.distance - r.lower_bound) / size);
            answers[s.aligned][s.kind]++;
        }
        free_scene(&s);
    }
    for (int i = 0; i < 2; i++) {
        printf(i ? "aligned " : "any pose");
        for (int j = 0; j < KINDS; j++) {
            printf(" %d", answers[i][j]);
            assert_true(answers[i][j] > PAIRS / 50);
        }
        printf("\n");
    }
    printf("widest %.2g of the size\n", widest);
    assert_true(widest < 1e-12);
}

// A deep pair of hulls is answered so, in one step; bodies that are apart never are.
static void test_where(void** state) {
    (void)state;
    int steps = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        rng r = rng_seed(seed);
        scene s = {.a = make_hull(&r, OCTAHEDRON), .b = make_hull(&r, OCTAHEDRON)};
        s.pose_a = rng_pose(&r, rng_in_cube(&r, 1));
        s.pose_b = rng_pose(&r, s.pose_a.translation);
        apart_query query = {.depth = APART_DEPTH_EXACT};
        apart_result result;
        assert_int_equal(apart_distance(s.a, &s.pose_a, s.b, &s.pose_b, &query, NULL, &result), APART_OK);
        steps += result.iterations;
        outcome out;
        s.pose_b.translation.x += 1e4;
        assert_false(run(&s, 0, &out));
        free_scene(&s);
    }
    printf("%d steps for 200 pairs\n", steps);
    assert_true(steps < 210);
}

// A plate that is as thin as doubles can tell: the products of its short edges fade, and no normal is made of them.
static void test_hair(void** state) {
    (void)state;
    int maps = 0;
    for (uint64_t seed = 1; seed <= 600; seed++) {
        rng r = rng_seed(seed);
        vec3 p[8];
        double thin = rng_magnitude(&r, -600, -400);
        for (int i = 0; i < 8; i++) p[i] = vec3_make(i & 1 ? 0.5 : -0.5, i & 2 ? 0.4 : -0.4, i & 4 ? thin : -thin);
        scene s = {.a = apart_shape_points(p, 8, 0, NULL), .b = make_hull(&r, OCTAHEDRON)};
        s.pose_a = rng_pose(&r, rng_in_cube(&r, 1));
        s.pose_b = rng_pose(&r, vec3_add(s.pose_a.translation, rng_in_cube(&r, 0.1)));
        for (uint32_t i = 0; i < s.a->gauss.faces; i++) {
            vec3 n = {s.a->gauss.x[i], s.a->gauss.y[i], s.a->gauss.z[i]};
            assert_true(fabs(vec3_length(n) - 1) < 1e-15);
        }
        outcome out;
        if (run(&s, 0, &out)) {
            apart_query surface = {.depth = APART_DEPTH_EXACT, .method = APART_METHOD_GJK};
            apart_result result;
            assert_int_equal(apart_distance(s.a, &s.pose_a, s.b, &s.pose_b, &surface, NULL, &result), APART_OK);
            difference k;
            apart_difference_init(&k, s.a, &s.pose_a, s.b, &s.pose_b, SEARCH_BEST);
            assert_true(k.unit * (out.lower - k.rounding_low) - s.b->radius <= result.distance);
            assert_true(result.lower_bound <= k.unit * (out.upper + k.rounding_high) - s.b->radius);
        }
        maps += s.a->gauss.faces > 0;
        free_scene(&s);
    }
    printf("%d of 600 plates have a Gauss map\n", maps);
    assert_true(maps > 100 && maps < 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_bits), cmocka_unit_test(test_agrees),
                                       cmocka_unit_test(test_where), cmocka_unit_test(test_hair)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Pairs that almost touch: both ends in twice the precision (src/convex/precise.c). The oracle says where the truth is;
// what stays open may only be what the normal, in doubles, leans by.
#include "convex/cache.h"

#include "certificate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define PAIRS 400

// Asks with every method, both ways round. Returns the widest bracket in parts of what the oracle calls the size.
static double widest_bracket(const body* a, const apart_pose* pose_a, const body* b, const apart_pose* pose_b,
                             oracle_answer* truth) {
    apart_shape *shape_a = body_shape(a, NULL), *shape_b = body_shape(b, NULL);
    double widest = 0;
    assert_true(shape_a && shape_b);
    *truth = oracle_distance(a, pose_a, b, pose_b);
    for (int i = 0; i < 2 * METHODS; i++) {
        apart_query q = query_of(i / 2, APART_DEPTH_NONE);
        apart_result r;
        assert_int_equal(i % 2 ? apart_distance(shape_b, pose_b, shape_a, pose_a, &q, NULL, &r)
                               : apart_distance(shape_a, pose_a, shape_b, pose_b, &q, NULL, &r),
                         APART_OK);
        assert_true(r.lower_bound <= truth->upper && truth->lower <= r.upper_bound);
        widest = fmax(widest, (r.upper_bound - r.lower_bound) / (double)truth->size);
    }
    apart_shape_release(shape_a);
    apart_shape_release(shape_b);
    return widest;
}

// Sundaraj, d'Aulignac, Mazer 2000, experiment 2: cubes of edge 2000 and 1e-15, 1e-10 apart.
static void test_unequal_cubes(void** state) {
    (void)state;
    rng r = rng_seed(23);
    static body big = {.kind = BODY_BOX, .size = {1000, 1000, 1000}};
    static body small = {.kind = BODY_BOX, .size = {5e-16, 5e-16, 5e-16}};
    double widest = 0;
    for (int i = 0; i < 100; i++) {
        apart_pose pose = rng_pose(&r, (apart_vec3){1000 + 1e-10, 3, 5});
        oracle_answer truth;
        double bracket = widest_bracket(&big, &apart_pose_identity, &small, &pose, &truth);
        assert_true(truth.lower > 1e-10 && truth.upper < 1.01e-10);
        widest = fmax(widest, bracket * (double)truth.size / (double)truth.lower);
    }
    printf("unequal cubes: bracket within %.1e of the distance\n", widest);
    assert_true(widest <= 1e-4);
}

static void random_body(rng* r, int count, bool whole, body* b) {
    b->kind = BODY_POINTS;
    b->count = count;
    for (int i = 0; i < count; i++) b->points[i] = rng_unit_vector(r);
    // Points that the hull leaves out: on edges between others, to rounding.
    for (int i = count / 2; i < count && !whole; i++) b->points[i] = point_between(b->points[0], 0.5, b->points[i / 2]);
}

// Moves b along the line of the near points until the gap is about what is asked for.
static void bring_near(const body* a, const apart_pose* pose_a, const body* b, apart_pose* pose_b, double gap) {
    apart_shape *shape_a = body_shape(a, NULL), *shape_b = body_shape(b, NULL);
    for (int round = 0; round < 2; round++) {
        apart_result near;
        assert_int_equal(apart_distance(shape_a, pose_a, shape_b, pose_b, NULL, NULL, &near), APART_OK);
        double back = gap - near.distance;
        pose_b->translation.x += back * near.normal.x;
        pose_b->translation.y += back * near.normal.y;
        pose_b->translation.z += back * near.normal.z;
    }
    apart_shape_release(shape_a);
    apart_shape_release(shape_b);
}

// Random hulls, with and without points that are no vertices; gaps from 2^-28 to 2^-44 of the size.
static void test_hulls(void** state) {
    (void)state;
    rng r = rng_seed(1994);
    static body a, b;
    double widest[2] = {0, 0};
    int judged[2] = {0, 0};
    for (int i = 0; i < PAIRS; i++) {
        bool whole = i % 2 == 0;
        random_body(&r, rng_between(&r, 4, 60), whole, &a);
        random_body(&r, rng_between(&r, 4, 60), whole, &b);
        apart_pose pose_a = rng_pose(&r, rng_in_cube(&r, 1)), pose_b = rng_pose(&r, (apart_vec3){3, 2, 1});
        bring_near(&a, &pose_a, &b, &pose_b, ldexp(1, -rng_between(&r, 26, 42)));
        oracle_answer truth;
        double bracket = widest_bracket(&a, &pose_a, &b, &pose_b, &truth);
        if (!(truth.lower > 32 * ROUNDING * truth.size)) continue;
        judged[whole]++;
        widest[whole] = fmax(widest[whole], bracket);
    }
    printf("hulls: brackets within %.1f roundings of the size, %.1f with points left out\n", widest[1] / ROUNDING,
           widest[0] / ROUNDING);
    assert_true(judged[0] > PAIRS / 3 && judged[1] > PAIRS / 3);
    // Before: 16 + 64 roundings for the two allowances.
    assert_true(widest[1] <= 4 * ROUNDING && widest[0] <= 24 * ROUNDING);
}

// A long segment and a short one that cross, to a few roundings of that. From the last normal the search comes to three
// points of their difference, one of which carries nothing but rounding: the estimate is no worse than without it.
static void test_crossing_segments(void** state) {
    (void)state;
    const apart_mat3 turn = {{{-0x1.9f39c156d7918p-2, -0x1.ce8d5b619f722p-1, -0x1.1d46b884a2621p-3},
                              {0x1.d5c64c775df7bp-2, -0x1.54ecef1991598p-2, 0x1.a5cc8bb654654p-1},
                              {-0x1.94cea57983af6p-1, 0x1.14a2ee8c85e34p-2, 0x1.1952f134c9975p-1}}};
    static trial t = {
        .pair = {.a = {.kind = BODY_POINTS,
                       .count = 2,
                       .points = {{-0x1.2fe86c813eef4p-25, 0x1.cd0abb993c8b1p-27, 0x1.ab0c0c3beda3cp-1},
                                  {0x1.eef344db46f12p-26, 0x1.df9a71275ccc8p-25, -0x1.dbfb17b6399p-7}}},
                 .b = {.kind = BODY_POINTS,
                       .count = 2,
                       .points = {{-0x1.77f64bed6b4e7p-14, -0x1.bd46e215327e1p-12, -0x1.0ca7a4a84703fp-17},
                                  {-0x1.d6c124c64a80ap-12, -0x1.77aca32614e8p-12, -0x1.37f602e6b6147p-12}}},
                 .pose_b = {.translation = {-0x1.d79014fc7c692p-5, 0x1.59ceb7c5ce67dp-2, 0x1.cd1226e72d361p-3}}}};
    t.pair.pose_a.rotation = t.pair.pose_b.rotation = turn;
    assert_true(trial_open(&t));
    trial_ask_depth(&t);
    static census c;
    for (int i = 0; i < METHODS * DEPTHS; i++) {
        const apart_query q = query_of(i / DEPTHS, (apart_depth)(i % DEPTHS));
        apart_cache cache = {{0}};
        cache_set_normal(&cache, vec3_make(0x1.ec9244f6e479p-1, 0x1.f3d2c6bf404e6p-3, -0x1.f3d2c3c31ceb1p-4));
        assert_true(trial_judge(&t, &q, &cache, &c));
    }
    trial_close(&t);
}

// How far a hull reaches along d, or against it.
static quad reach(const body* b, const apart_pose* pose, apart_vec3 d, int sign) {
    quad most = 0;
    const double along[3] = {d.x, d.y, d.z}, at[3] = {pose->translation.x, pose->translation.y, pose->translation.z};
    for (int i = 0; i < b->count; i++) {
        const double p[3] = {b->points[i].x, b->points[i].y, b->points[i].z};
        quad h = 0;
        for (int row = 0; row < 3; row++) {
            quad x = at[row];
            for (int k = 0; k < 3; k++) x += (quad)pose->rotation.m[row][k] * p[k];
            h += sign * x * along[row];
        }
        if (i == 0 || h > most) most = h;
    }
    return most;
}

// A hull on itself, a trifle off, and a query that ends as soon as it may: the plane of its normal is no farther beyond
// the origin than the lower end says.
static void test_lower_below_zero(void** state) {
    (void)state;
    rng r = rng_seed(67);
    int open = 0;
    for (int run = 0; run < 20000; run++) {
        static body hull;
        random_body(&r, 4 + run % 5, true, &hull);
        apart_shape* s = body_shape(&hull, NULL);
        const double off = rng_magnitude(&r, -53, -30);
        apart_vec3 u = rng_unit_vector(&r);
        apart_pose pose = rng_pose(&r, (apart_vec3){off * u.x, off * u.y, off * u.z});
        if (run % 2) pose.rotation = apart_pose_identity.rotation;
        apart_query q = {.depth = run / 2 % 2 ? APART_DEPTH_EXACT : APART_DEPTH_BOUND};
        q.cutoff = run / 4 % 2 ? -1.5 : 0;
        q.absolute_error = run / 8 % 3 == 0 ? 0 : run / 8 % 3 == 1 ? 0.1 : 10;
        q.relative_error = run / 24 % 2;
        apart_result x;
        assert_int_equal(apart_distance(s, &apart_pose_identity, s, &pose, &q, NULL, &x), APART_OK);
        if (x.lower_bound < 0 && x.upper_bound > 0) {
            open++;
            const double n[3] = {x.normal.x, x.normal.y, x.normal.z};
            const quad nn = (quad)n[0] * n[0] + (quad)n[1] * n[1] + (quad)n[2] * n[2];
            const quad height = reach(&hull, &apart_pose_identity, x.normal, 1) + reach(&hull, &pose, x.normal, -1);
            assert_true(height / ((1 + nn) / 2) <= -x.lower_bound);
        }
        apart_shape_release(s);
    }
    printf("a hull on itself: %d of 20000 queries ended with zero inside\n", open);
    assert_true(open > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unequal_cubes),
        cmocka_unit_test(test_hulls),
        cmocka_unit_test(test_crossing_segments),
        cmocka_unit_test(test_lower_below_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

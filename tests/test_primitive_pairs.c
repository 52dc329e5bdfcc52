// The closed forms of spheres, capsules and boxes, against the searches: one interval holds what all of them know.
#include "apart/apart.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SPHERE, CAPSULE, BOX, KINDS };
enum { RANDOM, PARALLEL, FLUSH, SHORT, LOOSE, PLACES };

static apart_shape* make_shape(rng* r, int kind, double unit, bool shortened) {
    double half = unit * (shortened ? 1e-9 : 1) * rng_uniform(r, 0.1, 1), radius = unit * rng_uniform(r, 0.05, 0.5);
    if (kind == SPHERE) return apart_shape_sphere(radius, NULL);
    if (kind == CAPSULE) return apart_shape_capsule(half, radius, NULL);
    apart_vec3 extents = {half, unit * rng_uniform(r, 0.1, 1), unit * rng_uniform(r, 0.1, 1)};
    return apart_shape_box(extents, rng_chance(r, 0.5) ? 0 : radius, NULL);
}

/// Two bodies in one of the places: axes at random, parallel, square to each other along an axis of the world, of
/// nearly no length, and with matrices that are only almost rotations.
static void place_both(rng* r, int place, double unit, apart_pose pose[2]) {
    apart_vec3 u = rng_unit_vector(r), zero = {0, 0, 0};
    double way = unit * (rng_chance(r, 0.3) ? rng_uniform(r, 0, 1.5) : rng_uniform(r, 1, 6));
    pose[0] = rng_pose(r, zero);
    pose[1] = rng_pose(r, (apart_vec3){way * u.x, way * u.y, way * u.z});
    if (place == PARALLEL) pose[1].rotation = pose[0].rotation;
    if (place == FLUSH) {
        pose[0].rotation = rng_quarter_turns(r);
        pose[1].rotation = rng_quarter_turns(r);
        pose[1].translation = (apart_vec3){way, 0, rng_chance(r, 0.5) ? 0 : way};
    }
    for (int i = 0; place == LOOSE && i < 9; i++) pose[1].rotation.m[i / 3][i % 3] += rng_uniform(r, -1e-7, 1e-7);
}

static bool same_vec(apart_vec3 a, apart_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static void test_primitive_pairs(void** state) {
    (void)state;
    rng r = rng_seed(29);
    long closed = 0, apart = 0, overlap = 0, common = 0;
    for (int run = 0; run < 60000; run++) {
        const int kind_b = run % 3, kind_a = kind_b == BOX ? SPHERE : run / 3 % 2, place = run / 6 % PLACES;
        const double unit = ldexp(1, (int)rng_uniform(&r, -60, 60));
        apart_shape* s[2] = {make_shape(&r, kind_a, unit, place == SHORT),
                             make_shape(&r, kind_b, unit, place == SHORT)};
        apart_pose pose[2];
        place_both(&r, place, unit, pose);
        const apart_query q = {.depth = run / 30 % 2 ? APART_DEPTH_EXACT : APART_DEPTH_NONE};
        apart_query search = q;
        search.method = APART_METHOD_GJK;
        apart_result a, b, mirrored;
        assert_int_equal(apart_distance(s[0], &pose[0], s[1], &pose[1], &q, NULL, &a), APART_OK);
        assert_int_equal(apart_distance(s[0], &pose[0], s[1], &pose[1], &search, NULL, &b), APART_OK);
        assert_int_equal(apart_distance(s[1], &pose[1], s[0], &pose[0], &q, NULL, &mirrored), APART_OK);
        // Both intervals hold the truth, the best estimate is in its own, and exchanging the bodies changes no
        // bit of a closed form.
        assert_true(a.lower_bound <= b.upper_bound && b.lower_bound <= a.upper_bound);
        assert_true(a.lower_bound <= a.distance && a.distance <= a.upper_bound);
        assert_true(a.upper_bound - a.lower_bound <= 1e-12 * (unit + fabs(a.upper_bound)));
        if (a.iterations == 1 && a.visits == 2 && a.distance != 0) {
            closed++;
            assert_true(a.distance == mirrored.distance && a.lower_bound == mirrored.lower_bound);
            assert_true(same_vec(a.point_a, mirrored.point_b) && same_vec(a.point_b, mirrored.point_a));
        }
        if (a.iterations == 1 && a.visits == 2 && a.upper_bound == 0) {
            common++;
            assert_true(a.lower_bound == 0 && mirrored.upper_bound == 0);
            assert_true(same_vec(a.point_a, mirrored.point_b) && same_vec(a.point_b, mirrored.point_a));
        }
        apart += a.lower_bound > 0;
        overlap += a.upper_bound <= 0;
        for (int i = 0; i < 2; i++) apart_shape_release(s[i]);
    }
    printf("%ld of 60000 by a closed form; %ld apart, %ld overlap, %ld of them told at once\n", closed, apart, overlap,
           common);
    assert_true(closed > 30000 && apart > 20000 && overlap > 3000 && common > 1500);
}

// Capsules whose segments cross far apart, and are so short, both or one, that the square of their normal has few
// digits.
static void test_vanishing_segments(void** state) {
    (void)state;
    const apart_pose there = apart_pose_from_quaternion(1, 1, 0, 0, (apart_vec3){2, 0, 0});
    apart_shape* usual = apart_shape_capsule(0.1, 0.25, NULL);
    for (int i = 0; i < 640; i++) {
        const double half = ldexp(1 + i % 8 / 8.0, (i < 320 ? -290 : -560) + i % 320 / 8);
        apart_shape *brief = apart_shape_capsule(half, 0.25, NULL), *other = i < 320 ? brief : usual;
        apart_result r;
        assert_int_equal(apart_distance(brief, &apart_pose_identity, other, &there, NULL, NULL, &r), APART_OK);
        assert_true(r.lower_bound <= 1.5 && 1.5 <= r.upper_bound && r.upper_bound - r.lower_bound < 1e-13);
        apart_shape_release(brief);
    }
    apart_shape_release(usual);
}

// A sphere above the middle of a face, and boxes that vanish beside the sphere: weights are positive and sum to 1.
static void test_weights(void** state) {
    (void)state;
    static const struct {
        apart_vec3 half, place;
        double radius;
    } cases[] = {{{1, 1, 1}, {0, 0, 4}, 0.5},
                 {{1, 2, 3}, {0, 1, 9}, 0.5},
                 {{1e-250, 1e-250, 1e-250}, {3e80, 0, 0}, 1e80},
                 {{1e-300, 1, 1}, {0, 3e40, 0}, 1e40}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        apart_shape *box = apart_shape_box(cases[i].half, 0, NULL), *ball = apart_shape_sphere(cases[i].radius, NULL);
        apart_pose pose = apart_pose_identity;
        pose.translation = cases[i].place;
        apart_result r;
        assert_int_equal(apart_distance(box, &apart_pose_identity, ball, &pose, NULL, NULL, &r), APART_OK);
        assert_in_range(r.a.count, 1, 4);
        double sum = 0;
        for (uint32_t k = 0; k < r.a.count; k++) {
            assert_true(r.a.weight[k] > 0);
            sum += r.a.weight[k];
        }
        assert_true(fabs(sum - 1) <= 1e-15);
        apart_shape_release(box);
        apart_shape_release(ball);
    }
}

// Capsules that are almost parallel and overlap: one common point, though the normal that proves the bracket leans off
// the way from core to core.
static void test_common_points(void** state) {
    (void)state;
    rng r = rng_seed(61);
    int overlaps = 0;
    for (int run = 0; run < 20000; run++) {
        double radius = rng_magnitude(&r, -7, 1), half = rng_uniform(&r, 0.1, 3), e = rng_magnitude(&r, -33, -16);
        apart_shape* s = apart_shape_capsule(half, radius, NULL);
        apart_pose tilted =
            apart_pose_from_quaternion(1, rng_uniform(&r, -e, e), rng_uniform(&r, -e, e), 0,
                                       (apart_vec3){rng_uniform(&r, 0, 1.9 * radius), 0, rng_uniform(&r, -half, half)});
        apart_result x;
        assert_int_equal(apart_distance(s, &apart_pose_identity, s, &tilted, NULL, NULL, &x), APART_OK);
        if (x.upper_bound == 0) {
            overlaps++;
            apart_vec3 gap = {x.point_a.x - x.point_b.x, x.point_a.y - x.point_b.y, x.point_a.z - x.point_b.z};
            assert_true(fabs(gap.x) + fabs(gap.y) + fabs(gap.z) <= 0x1p-48 * (half + radius));
        }
        apart_shape_release(s);
    }
    assert_true(overlaps > 5000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_primitive_pairs),
                                       cmocka_unit_test(test_vanishing_segments), cmocka_unit_test(test_weights),
                                       cmocka_unit_test(test_common_points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// The normal of an exact depth: a plane that proves the lower end, whatever rounding has left of the way from body to
// body. (Every certificate asks for that; here are the pairs that make it hard.)
#include "base/vec.h"
#include "certificate.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static trial t;

// Every method, cold and then from the cache of the first answer.
static void judge(census* c) {
    assert_true(trial_open(&t));
    trial_ask_depth(&t);
    for (int m = 0; m < METHODS; m++) {
        apart_query q = query_of(m, APART_DEPTH_EXACT);
        apart_cache cache = {0};
        trial_judge(&t, &q, NULL, c);
        trial_judge(&t, &q, &cache, c);
        trial_judge(&t, &q, &cache, c);
    }
    trial_close(&t);
}

// Pairs of the soak whose normal once proved nothing: small rounded bodies with a point on their core, far from the
// origin, where the way from core to core is all rounding. A plate whose best plane was lost on the second try.
// Smooth bodies whose nearest face is not the best plane.
static void test_once_wrong(void** state) {
    (void)state;
    static const uint64_t seeds[] = {9017872,    9103076, 9106586, 9168253, 9170847,
                                     2000088050, 9063514, 7001009, 7000739, 7000543};
    census c = {0};
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        pair_random(&t.pair, seeds[i]);
        judge(&c);
    }
    assert_int_equal(c.wrong, 0);
}

// A point on the core of a capsule, near the origin or far from it, is as deep as the radius, to a few roundings, along
// a normal that is square to the core.
static void test_point_on_core(void** state) {
    (void)state;
    for (int i = 0; i < 400; i++) {
        rng r = rng_seed(7700 + (uint64_t)i);
        double far = i % 4 ? ldexp(1, i % 40) : 0, radius = 0.75, rounding = 0x1p-45 * (far + 4);
        apart_vec3 axis = rng_unit_vector(&r), at = vec3_scale(far, rng_unit_vector(&r)),
                   ends[2] = {vec3_neg(axis), axis};
        apart_shape *point = apart_shape_points(&at, 1, 0, NULL), *capsule = apart_shape_points(ends, 2, radius, NULL);
        apart_pose pose = apart_pose_identity;
        pose.translation = vec3_mad(at, rng_unit(&r) - 0.5, axis);
        for (int m = 0; m < METHODS; m++) {
            apart_query q = query_of(m, APART_DEPTH_EXACT);
            apart_result a;
            assert_int_equal(apart_distance(point, &apart_pose_identity, capsule, &pose, &q, NULL, &a), APART_OK);
            assert_true(fabs(a.distance + radius) <= rounding && fabs(a.lower_bound + radius) <= rounding);
            assert_true(fabs(vec3_dot(a.normal, axis)) <= 0x1p-46);
        }
        apart_shape_release(point);
        apart_shape_release(capsule);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_once_wrong), cmocka_unit_test(test_point_on_core)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

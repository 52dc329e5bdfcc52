// Bodies whose centres are as good as in one place: no line of centres tells a search where to begin. All kinds of
// bodies, methods and depths, cold and with a cache, in little time: valgrind looks on in make test.
#include "certificate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

// Centres that are too near each other to tell a direction: a plate and an octahedron about it, almost in place. The
// depth is that of the octahedron, and what was asked before makes no difference.
static void test_centres_meet(void** state) {
    (void)state;
    const apart_vec3 plate[] = {{1, 0.5, 0}, {-1, 0.5, 0}, {-1, -0.5, 0}, {1, -0.5, 0}};
    const apart_vec3 tip[] = {{0.2, 0, 0}, {-0.2, 0, 0}, {0, 0.2, 0}, {0, -0.2, 0}, {0, 0, 0.2}, {0, 0, -0.2}};
    apart_shape *a = apart_shape_points(plate, 4, 0, NULL), *b = apart_shape_points(tip, 6, 0, NULL);
    const apart_pose here = pose_at(0, 0, 0);
    for (int i = 0; i < METHODS * 12; i++) {
        const double off = ldexp(1, -1000 + 70 * (i % 12));
        const apart_pose there = pose_at(off, -off, 0.5 * off), away = pose_at(i % 3, 0.3, 0.4);
        const apart_query q = query_of(i / 12, APART_DEPTH_EXACT);
        apart_result r;
        assert_int_equal(apart_distance(b, &here, a, &away, &q, NULL, &r), APART_OK);
        assert_int_equal(apart_distance(a, &here, b, &there, &q, NULL, &r), APART_OK);
        assert_true(r.lower_bound <= -0.2 + 2 * off && r.upper_bound >= -0.2 - 2 * off);
        assert_true(r.upper_bound - r.lower_bound < 1e-12);
    }
    apart_shape_release(a);
    apart_shape_release(b);
}

// A body about the origin.
static apart_shape* centred_shape(rng* r) {
    const apart_vec3 e = {rng_uniform(r, 0.2, 2), rng_uniform(r, 0.2, 2), rng_chance(r, 0.2) ? 0 : 1};
    switch (rng_below(r, 5)) {
    case 0:
        return apart_shape_box(e, 0, NULL);
    case 1:
        return apart_shape_ellipsoid(e, NULL);
    case 2:
        return apart_shape_cylinder(e.x, e.y, NULL);
    case 3:
        return apart_shape_capsule(e.x, e.y, NULL);
    default:
        return apart_shape_cone(e.x, e.y, NULL);
    }
}

// Every bracket holds the truth: none of them lies apart from another.
static void judge(const apart_shape* a, const apart_shape* b, const apart_pose* here, const apart_pose* there) {
    double low[2] = {-INFINITY, -INFINITY}, high[2] = {INFINITY, INFINITY};
    for (int i = 0; i < METHODS * DEPTHS; i++) {
        const apart_query q = query_of(i / DEPTHS, (apart_depth)(i % DEPTHS));
        apart_cache cache;
        memset(&cache, 0, sizeof cache);
        for (int turn = 0; turn < 3; turn++) {
            apart_result r;
            const int kind = q.depth != APART_DEPTH_NONE;
            assert_int_equal(apart_distance(a, here, b, there, &q, turn ? &cache : NULL, &r), APART_OK);
            low[kind] = fmax(low[kind], r.lower_bound);
            high[kind] = fmin(high[kind], r.upper_bound);
        }
    }
    assert_true(low[0] <= high[0] && low[1] <= high[1]);
}

// A body in itself, and two that have their centres at the origin.
static void test_concentric(void** state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        rng r = rng_seed(seed);
        body one;
        body_random(&r, &one, 12);
        apart_shape* a = seed % 2 ? body_shape(&one, NULL) : centred_shape(&r);
        apart_shape* b = seed % 2 ? apart_shape_retain(a) : centred_shape(&r);
        const double off = rng_chance(&r, 0.2) ? 0 : rng_magnitude(&r, -1070, -1);
        apart_pose here = rng_pose(&r, (apart_vec3){0, 0, 0}), there = here;
        there.translation = rng_in_cube(&r, off);
        judge(a, b, &here, &there);
        apart_shape_release(a);
        apart_shape_release(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_centres_meet), cmocka_unit_test(test_concentric)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

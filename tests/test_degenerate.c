// The zoo of hard cases, and random bodies without volume, each judged by the oracle and by hand-worked distances.
#include "certificate.h"
#include "zoo.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static trial t;
static zoo_case z;

// The answer must be the one worked out by hand, up to the rounding of the poses; overlaps must be certain.
static bool as_expected(const apart_result* r, double unit, double slack) {
    if (z.relation == ZOO_OVERLAP) return r->upper_bound == 0 && r->lower_bound == 0;
    double expected = z.distance * unit;
    return r->lower_bound <= expected + slack && r->upper_bound >= expected - slack;
}

// All methods on t, which shows case z in another unit or place.
static void judge_case(census* c, double unit, double slack) {
    assert_true(trial_open(&t));
    c->placed[t.pair.placement]++;
    for (int m = 0; m < METHODS; m++) {
        apart_query q = query_of(m, APART_DEPTH_NONE);
        apart_result r;
        if (!trial_judge(&t, &q, NULL, c)) printf("case \"%s\", %s\n", z.name, method_names[m]);
        assert_int_equal(trial_query(&t, &q, NULL, &r), APART_OK);
        if (as_expected(&r, unit, slack)) continue;
        printf("case \"%s\", %s: [%.17g, %.17g], expected %.17g\n", z.name, method_names[m], r.lower_bound,
               r.upper_bound, z.distance * unit);
        c->wrong++;
    }
    trial_close(&t);
}

// -------------------------------------------------------------------------------------------------------- the zoo ----

// As written, and with the bodies exchanged.
static void test_zoo(void** state) {
    (void)state;
    census c = {0};
    for (int i = 0; i < zoo_count(); i++) {
        zoo_get(i, &z);
        t.pair = z.pair;
        double slack = 1e-14 * (double)(oracle_extent(&z.pair.a) + oracle_extent(&z.pair.b) + 8);
        judge_case(&c, 1, slack);
        pair_exchange(&t.pair);
        judge_case(&c, 1, slack);
    }
    census_print(stdout, &c);
    assert_int_equal(c.wrong, 0);
}

// In other units: powers of two from 1e-150 to 1e150.
static void test_zoo_units(void** state) {
    (void)state;
    census c = {0};
    const int powers[] = {-498, -100, -1, 3, 77, 498};
    for (int i = 0; i < zoo_count(); i++)
        for (int k = 0; k < 6; k++) {
            zoo_get(i, &z);
            t.pair = z.pair;
            double unit = ldexp(1, powers[k]);
            double slack = unit * 1e-14 * (double)(oracle_extent(&z.pair.a) + oracle_extent(&z.pair.b) + 8);
            pair_scale(&t.pair, unit);
            judge_case(&c, unit, slack);
        }
    census_print(stdout, &c);
    assert_int_equal(c.wrong, 0);
}

// Turned and shifted as a whole: exactly by quarter turns and powers of two, then at random. What touches exactly
// stays within rounding only.
static void test_zoo_moved(void** state) {
    (void)state;
    census c = {0};
    for (int i = 0; i < zoo_count(); i++)
        for (int k = 0; k < 12; k++) {
            rng r = rng_seed(1000 * (uint64_t)i + (uint64_t)k);
            zoo_get(i, &z);
            t.pair = z.pair;
            double size = (double)(oracle_extent(&z.pair.a) + oracle_extent(&z.pair.b) + 8);
            apart_mat3 turn = k < 4 ? rng_quarter_turns(&r) : rng_rotation(&r);
            apart_vec3 shift = rng_in_cube(&r, k < 8 ? 0 : size);
            if (k == 11) shift = rng_in_cube(&r, 1e6);
            pair_move(&t.pair, &turn, shift);
            judge_case(&c, 1, 2e-14 * size + (k == 11 ? 1e-9 : 0));
        }
    census_print(stdout, &c);
    assert_int_equal(c.wrong, 0);
}

// ------------------------------------------------------------------------------------------ bodies without volume ----

// 6000 pairs of one kind, each by every method; every method must meet every regime.
static void judge_kind(uint64_t first, placement how, void (*place)(rng* r)) {
    census c = {0};
    for (uint64_t seed = first; seed < first + 6000; seed++) {
        rng r = rng_seed(seed);
        t.pair.seed = seed;
        t.pair.placement = how;
        place(&r);
        assert_true(trial_open(&t));
        trial_judge_methods(&t, &c);
        trial_close(&t);
    }
    census_print(stdout, &c);
    assert_true(census_reached(&c, 10));
    assert_int_equal(c.wrong, 0);
}

// Points on a lattice of few places, so that lines, planes and places coincide by the dozen. Exact in doubles.
static void lattice_body(rng* r, body* b) {
    static const int spans[5][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {1, 1, 1}, {0, 2, 2}};
    const int* span = spans[rng_below(r, 5)];
    double radius = rng_chance(r, 0.1) ? 0.5 : 0;
    *b = (body){.kind = BODY_POINTS, .count = rng_between(r, 1, 12), .radius = radius};
    for (int i = 0; i < b->count; i++) {
        b->points[i].x = rng_between(r, -span[0], span[0]);
        b->points[i].y = rng_between(r, -span[1], span[1]);
        b->points[i].z = rng_between(r, -span[2], span[2]);
    }
}

static void place_lattice(rng* r) {
    lattice_body(r, &t.pair.a);
    lattice_body(r, &t.pair.b);
    t.pair.pose_a = t.pair.pose_b = apart_pose_identity;
    if (rng_chance(r, 0.5)) t.pair.pose_b.rotation = rng_quarter_turns(r);
    t.pair.pose_b.translation.x = rng_between(r, -3, 3);
    t.pair.pose_b.translation.y = rng_between(r, -1, 1);
    t.pair.pose_b.translation.z = rng_between(r, -1, 1);
    if (rng_chance(r, 0.2)) t.pair.pose_b.translation.x += ldexp(1, -rng_between(r, 10, 60));
}

static void test_lattice(void** state) {
    (void)state;
    judge_kind(60001, PLACE_TOUCHING, place_lattice);
}

// Slivers: clouds squeezed along one or two axes to anything between 1 and 1e-18, near each other at hair angles.
static void squeezed_body(rng* r, body* b) {
    *b = (body){.kind = BODY_POINTS, .count = rng_between(r, 2, 16)};
    double y = rng_magnitude(r, -60, -1), z_squeeze = rng_magnitude(r, -60, -1);
    for (int i = 0; i < b->count; i++) {
        b->points[i] = rng_in_cube(r, 1);
        b->points[i].y *= y;
        b->points[i].z *= z_squeeze;
    }
}

static void place_slivers(rng* r) {
    squeezed_body(r, &t.pair.a);
    squeezed_body(r, &t.pair.b);
    double hair = rng_magnitude(r, -60, 1);
    t.pair.pose_a = apart_pose_identity;
    t.pair.pose_b.rotation = rng_matrix(1, rng_unit(r) * hair, rng_unit(r) * hair, rng_unit(r) * hair);
    double gap = rng_magnitude(r, -60, 0) * rng_between(r, -1, 1);
    apart_vec3 n = rng_unit_vector(r), z_axis = {0, 0, 1};
    pair_abut(&t.pair, rng_chance(r, 0.5) ? n : z_axis, gap);
}

static void test_slivers(void** state) {
    (void)state;
    judge_kind(70001, PLACE_NEAR, place_slivers);
}

// A needle in itself, from which one of the corners around the origin is reached to 1.2 roundings only: the overlap is
// certain all the same. A pair of the soak.
static void test_needle_in_itself(void** state) {
    (void)state;
    census c = {0};
    pair_random(&t.pair, 3000289902);
    assert_true(trial_open(&t));
    trial_judge_methods(&t, &c);
    trial_close(&t);
    assert_int_equal(c.wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zoo),     cmocka_unit_test(test_zoo_units), cmocka_unit_test(test_zoo_moved),
        cmocka_unit_test(test_lattice), cmocka_unit_test(test_slivers),   cmocka_unit_test(test_needle_in_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Bodies without corners that stay in each other from step to step: the depth to 1e-9 of it, since the curvature about
// the least plane proves what no surface can (src/depth/curvature.c). Every answer is judged by the oracle.
#include "depth/curvature.h"

#include "certificate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static trial t;

// The first three have no corners.
#define KINDS 6
static const body_kind kinds[KINDS] = {BODY_ELLIPSOID, BODY_CYLINDER, BODY_CONE, BODY_BOX, BODY_CAPSULE, BODY_POINTS};
#define ROUND 3
#define SEQUENCES 12
#define STEPS 12

// 1 % of the size and 1 degree a step: cosine and sine of half the angle.
#define HALF_COS 0.99996192306417131
#define HALF_SIN 0.0087265354983739347

static void make_body(rng* r, body_kind kind, body* b) {
    double x = rng_uniform(r, 0.5, 1.2), y = rng_uniform(r, 0.5, 1.2), z = rng_uniform(r, 0.5, 1.2);
    if (kind == BODY_POINTS) {
        body_cospherical(r, b, 12);
        return;
    }
    *b = (body){.kind = kind, .size = {x, kind == BODY_CYLINDER || kind == BODY_CONE ? x : y, z}};
    if (kind == BODY_CAPSULE) *b = (body){.kind = kind, .size = {0, 0, z}, .radius = 0.5 * x};
    if (kind == BODY_BOX && rng_chance(r, 0.5)) b->radius = 0.1;
}

// Bodies that lie in each other, turned at will or with all axes parallel.
static void make_pair(rng* r, body_kind a, body_kind b, bool aligned) {
    const apart_vec3 zero = {0, 0, 0};
    make_body(r, a, &t.pair.a);
    make_body(r, b, &t.pair.b);
    t.pair.placement = PLACE_DEEP;
    t.pair.pose_a = aligned ? apart_pose_identity : rng_pose(r, zero);
    t.pair.pose_b = aligned ? apart_pose_identity : rng_pose(r, zero);
    t.pair.pose_b.translation = rng_in_cube(r, 0.5);
}

typedef struct cost {
    long asked, tracked, cold, open;
} cost;

static bool is_deep(const apart_result* r) { return r->upper_bound < 0; }

// The first query finds the pair and does not count.
static void follow(uint64_t seed, body_kind a, body_kind b, bool aligned, cost* sum, census* c) {
    rng r = rng_seed(seed);
    apart_vec3 axis = rng_unit_vector(&r), shift = vec3_scale(0.01, rng_unit_vector(&r));
    apart_mat3 turn = rng_matrix(HALF_COS, HALF_SIN * axis.x, HALF_SIN * axis.y, HALF_SIN * axis.z);
    make_pair(&r, a, b, aligned);
    t.pair.seed = seed;
    assert_true(trial_open(&t));
    apart_query q = query_of(0, APART_DEPTH_EXACT);
    apart_cache cache = {0}, before;
    for (int step = 0; step <= STEPS; step++) {
        trial_ask_oracle(&t);
        trial_ask_depth(&t);
        apart_result tracked, cold;
        before = cache;
        trial_judge(&t, &q, &cache, c);
        assert_int_equal(trial_query(&t, &q, &before, &tracked), APART_OK);
        assert_int_equal(trial_query(&t, &q, NULL, &cold), APART_OK);
        if (step > 0 && is_deep(&tracked)) {
            sum->asked += 1;
            sum->tracked += tracked.supports;
            sum->cold += cold.supports;
            sum->open += tracked.upper_bound - tracked.lower_bound > 1.01e-9 * -tracked.lower_bound;
        }
        if (!aligned) t.pair.pose_b.rotation = rng_product(&turn, &t.pair.pose_b.rotation);
        t.pair.pose_b.translation = vec3_mad(t.pair.pose_b.translation, 1, shift);
    }
    trial_close(&t);
}

static void follow_all(bool aligned) {
    census c = {0};
    int dear = 0, open = 0;
    for (int i = 0; i < ROUND; i++)
        for (int j = i; j < KINDS; j++) {
            cost sum = {0};
            for (uint64_t seed = 620001; seed < 620001 + SEQUENCES; seed++)
                follow(seed + 1000 * (uint64_t)(KINDS * i + j), kinds[i], kinds[j], aligned, &sum, &c);
            printf("%-9s in %-9s: %3ld asked; %5.1f supports, %5.1f cold; %ld open\n", body_kind_names[kinds[i]],
                   body_kind_names[kinds[j]], sum.asked, (double)sum.tracked / (double)sum.asked,
                   (double)sum.cold / (double)sum.asked, sum.open);
            dear += sum.tracked > sum.cold + sum.cold / 6 || sum.asked < SEQUENCES * STEPS / 3;
            open += (int)sum.open;
        }
    assert_int_equal(c.wrong, 0);
    assert_int_equal(open, 0);
    assert_int_equal(dear, 0);
}

static void test_turned(void** state) {
    (void)state;
    follow_all(false);
}

static void test_aligned(void** state) {
    (void)state;
    follow_all(true);
}

// Bodies so small or thin that nothing can be divided by their extents.
typedef struct speck {
    apart_vec3 big, small;
    double at;
} speck;

static const speck specks[] = {
    {{1e150, 1.2e150, 1.1e150}, {1e-300, 1.1e-300, 2e-300}, 1e149},
    {{1, 1.2, 1.1}, {5e-324, 0.5, 0.6}, 0.2},
    {{1, 1.2, 1.1}, {5e-324, 5e-324, 0.5}, 0.2},
};

static void test_specks(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof specks / sizeof specks[0]; i++) {
        const speck* s = &specks[i];
        apart_shape* big = apart_shape_ellipsoid(s->big, NULL);
        apart_shape* small = apart_shape_ellipsoid(s->small, NULL);
        apart_query q = query_of(0, APART_DEPTH_EXACT);
        apart_pose pose = apart_pose_identity;
        // A rotation to 1e-6 only, so that the thin extents are lost in the others.
        pose.rotation.m[0][2] = 2e-7;
        pose.rotation.m[2][0] = 1e-7;
        apart_cache cache = {0};
        apart_result r, cold;
        for (int step = 0; step < 4; step++) {
            pose.translation.x = s->at * (1 + 0.01 * step);
            assert_int_equal(apart_distance(big, &apart_pose_identity, small, &pose, &q, &cache, &r), APART_OK);
            assert_int_equal(apart_distance(big, &apart_pose_identity, small, &pose, &q, NULL, &cold), APART_OK);
            assert_true(r.lower_bound <= cold.upper_bound && cold.lower_bound <= r.upper_bound);
            assert_true(r.upper_bound - r.lower_bound <= 1.01e-9 * -r.lower_bound);
        }
        apart_shape_release(small);
        apart_shape_release(big);
    }
}

// A segment so short that the squares of its products with a normal lose digits: its ends still share the point.
static void test_short_segment(void** state) {
    (void)state;
    apart_shape* pointed = apart_shape_cone(1, 1, NULL);
    apart_query q = query_of(0, APART_DEPTH_EXACT);
    for (int i = 0; i < 32; i++) {
        apart_shape* segment = apart_shape_capsule((1 + i / 32.0) * 0x1p-532, 0, NULL);
        apart_pose pose = apart_pose_from_quaternion(1, 1e-5, 2e-5, 0, (apart_vec3){0, 0, 0});
        apart_cache cache = {0};
        for (int step = 0; step < 2; step++) {
            apart_result r;
            assert_int_equal(apart_distance(pointed, &apart_pose_identity, segment, &pose, &q, &cache, &r), APART_OK);
            double sum = 0;
            for (uint32_t j = 0; j < r.b.count; j++) sum += r.b.weight[j];
            assert_true(fabs(sum - 1) <= 4 * 0x1p-53);
        }
        apart_shape_release(segment);
    }
    apart_shape_release(pointed);
}

// ------------------------------------------------------------------------------------------------------ the bound ----

// A direction at most `sine` from n, half of them near the rim.
static apart_vec3 near_direction(rng* r, apart_vec3 n, double sine) {
    apart_vec3 across = rng_unit_vector(r);
    across = vec3_unit(vec3_mad(across, -vec3_dot(across, n), n));
    double s = sine * (rng_chance(r, 0.5) ? 1 : rng_unit(r));
    return vec3_unit(vec3_add(vec3_scale(sqrt((1 - s) * (1 + s)), n), vec3_scale(s, across)));
}

// The bound is below the support function in all directions of a cap, wherever the plane in its middle touches.
static long sample(rng* r, difference* k, const touch* x) {
    long above = 0;
    double sine = rng_chance(r, 0.5) ? rng_unit(r) : rng_magnitude(r, -12, -2);
    quadratic f = apart_curvature_minorant(x, sine);
    for (int i = 0; i < 50; i++) {
        vertex top;
        apart_vec3 n = near_direction(r, x->n, sine);
        apart_minkowski_support(k, n, &top);
        above += quadratic_at(&f, n) > vec3_dot(n, top.w) + 0x1p-50 * f.weight + 8 * k->rounding_high;
    }
    return above;
}

static void test_bound(void** state) {
    (void)state;
    long found = 0, above = 0, kinks = 0, lines = 0;
    for (uint64_t seed = 640001; seed <= 643000; seed++) {
        rng r = rng_seed(seed);
        int i = rng_below(&r, ROUND), j = rng_between(&r, i, KINDS - 2);
        make_pair(&r, kinds[i], kinds[j], rng_chance(&r, 0.2));
        assert_true(trial_shape(&t));
        difference k;
        terms p;
        touch x;
        apart_minkowski_init(&k, t.a, &t.pair.pose_a, t.b, &t.pair.pose_b, SEARCH_BEST);
        assert_true(apart_formulas_make(&k, &p));
        if (apart_curvature_descend(&p, rng_unit_vector(&r), INFINITY, &x)) {
            found += 1;
            for (int n = 0; n < p.roots; n++) kinks += x.root[n].kink;
            for (int n = 0; n < p.cones; n++) lines += x.cone[n].part == LINE;
            above += sample(&r, &k, &x);
        }
        trial_close(&t);
    }
    printf("%ld planes, %ld parts at kinks, %ld lines of cones\n", found, kinks, lines);
    assert_true(found > 2000 && kinks > 500 && lines > 100);
    assert_int_equal(above, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_turned), cmocka_unit_test(test_aligned),
                                       cmocka_unit_test(test_bound), cmocka_unit_test(test_specks),
                                       cmocka_unit_test(test_short_segment)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

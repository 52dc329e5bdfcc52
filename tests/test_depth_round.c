// The depth of bodies without corners: solids of revolution on one axis, balls in ellipsoids, bodies for which almost a
// circle or a sphere of directions is as near as the nearest, specks in them.
#include "convex/cache.h"

#include "depth_tally.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static trial t;

static bool is_round(const body* b) { return !body_is_polytope(b) || b->callback; }

// The slab along the normal proves the lower end (in the certificate); climbing from the normal, and from anywhere,
// must not find a slab above the upper end.
static void climb_from_normal(tally* y) {
    assert_true(trial_open(&t));
    for (int m = 0; m < METHODS; m++) {
        apart_query q = query_of(m, APART_DEPTH_EXACT);
        apart_result r;
        assert_int_equal(trial_query(&t, &q, NULL, &r), APART_OK);
        apart_vec3 n = depth_climb(&t.pair.a, &t.pair.pose_a, &t.pair.b, &t.pair.pose_b, r.normal);
        quad slab = oracle_separation(&t.pair.a, &t.pair.pose_a, &t.pair.b, &t.pair.pose_b, n);
        if (slab <= r.upper_bound) continue;
        printf("%s, seed %llu: distance %.17g, but a slab of %.17g\n", method_names[m], (unsigned long long)t.pair.seed,
               r.upper_bound, (double)slab);
        y->disagree++;
    }
    trial_close(&t);
}

// A solid of revolution about its own z axis.
static void turned_body(rng* r, body* b) {
    static const body_kind kinds[] = {BODY_CYLINDER, BODY_CONE, BODY_ELLIPSOID, BODY_SPHERE, BODY_CAPSULE};
    double wide = rng_uniform(r, 0.1, 1), high = rng_uniform(r, 0.1, 1);
    *b = (body){.kind = kinds[rng_below(r, 5)], .size = {wide, wide, high}};
    if (b->kind == BODY_SPHERE || b->kind == BODY_CAPSULE) b->radius = rng_uniform(r, 0.1, 1);
}

// Peg and hole: solids of revolution whose axes almost fall together, apart by next to nothing or more, and tilted by
// as little now and then.
static void test_coaxial(void** state) {
    (void)state;
    static tally y;
    for (uint64_t seed = 440001; seed <= 440800; seed++) {
        rng r = rng_seed(seed);
        apart_vec3 zero = {0, 0, 0}, off = {0, 0, rng_uniform(&r, -0.3, 0.3)};
        t.pair.seed = seed;
        t.pair.placement = PLACE_NESTED;
        turned_body(&r, &t.pair.a);
        do turned_body(&r, &t.pair.b);
        while (!is_round(&t.pair.a) && !is_round(&t.pair.b));
        t.pair.pose_a = rng_chance(&r, 0.2) ? apart_pose_identity : rng_pose(&r, zero);
        t.pair.pose_b = t.pair.pose_a;
        if (rng_chance(&r, 0.2)) {
            apart_mat3 tilt = rng_matrix(1, rng_magnitude(&r, -60, -10), rng_magnitude(&r, -60, -10), 0);
            t.pair.pose_b.rotation = rng_product(&t.pair.pose_a.rotation, &tilt);
        }
        if (rng_chance(&r, 0.9)) off.x = rng_magnitude(&r, -60, -3);
        if (rng_chance(&r, 0.5)) off.y = rng_magnitude(&r, -60, -3);
        qvec at = oracle_world(&t.pair.pose_a, off);
        t.pair.pose_b.translation = (apart_vec3){(double)at.x, (double)at.y, (double)at.z};
        tally_judge(&y, &t);
    }
    tally_print(&y);
    assert_int_equal(y.exact.wrong, 0);
    assert_int_equal(y.bound.wrong, 0);
    assert_int_equal(y.disagree, 0);
}

static void test_round(void** state) {
    (void)state;
    static tally y;
    for (uint64_t seed = 410001; seed <= 410800; seed++) {
        rng r = rng_seed(seed);
        t.pair.seed = seed;
        do {
            body_random(&r, &t.pair.a, 12);
            body_random(&r, &t.pair.b, 12);
        } while (!is_round(&t.pair.a) && !is_round(&t.pair.b));
        apart_vec3 zero = {0, 0, 0};
        t.pair.pose_a = rng_pose(&r, zero);
        t.pair.pose_b = rng_chance(&r, 0.2) ? t.pair.pose_a : rng_pose(&r, zero);
        if (rng_chance(&r, 0.1)) body_scale(&t.pair.b, 1e-4);
        pair_overlap(&r, &t.pair);
        if (rng_chance(&r, 0.2)) pair_scale(&t.pair, rng_magnitude(&r, -100, 99));
        tally_judge(&y, &t);
        climb_from_normal(&y);
    }
    tally_print(&y);
    assert_true(y.seen[DEEP] >= 100 && y.seen[SHALLOW] >= 50 && y.seen[APART] >= 50);
    tally_check(&y);
}

// The distance of a point inside an ellipsoid from its surface. The nearest point x has p - x along the normal there,
// x_i = s_i^2 p_i / (s_i^2 + u) with -s_min^2 < u <= 0, and u is where x lies on the surface: found by halving.
static quad ellipsoid_depth(const quad s[3], const quad p[3]) {
    quad least = s[0] < s[1] ? s[0] : s[1];
    least = least < s[2] ? least : s[2];
    quad low = -least * least, high = 0, away = 0;
    for (int step = 0; step < 200; step++) {
        quad u = (low + high) / 2, level = 0;
        away = 0;
        for (int i = 0; i < 3; i++) {
            quad x = s[i] * s[i] * p[i] / (s[i] * s[i] + u);
            level += x * x / (s[i] * s[i]);
            away += (x - p[i]) * (x - p[i]);
        }
        if (level > 1)
            low = u;
        else
            high = u;
    }
    return quad_sqrt(away);
}

// A ball anywhere inside an ellipsoid.
static void test_ellipsoid(void** state) {
    (void)state;
    static tally y;
    double most = 0;
    for (uint64_t seed = 420001; seed <= 420200; seed++) {
        rng r = rng_seed(seed);
        apart_vec3 zero = {0, 0, 0}, c = rng_in_ball(&r);
        double f = rng_uniform(&r, 0.1, 0.95);
        t.pair.seed = seed;
        t.pair.placement = PLACE_NESTED;
        t.pair.a = (body){.kind = BODY_ELLIPSOID, .size = {1, rng_uniform(&r, 1, 3), rng_uniform(&r, 1, 3)}};
        t.pair.b = (body){.kind = BODY_SPHERE, .radius = rng_chance(&r, 0.5) ? 0 : rng_unit(&r)};
        t.pair.pose_a = rng_pose(&r, zero);
        t.pair.pose_b = apart_pose_identity;
        apart_vec3 s = t.pair.a.size, local = {f * s.x * c.x, f * s.y * c.y, f * s.z * c.z};
        qvec at = oracle_world(&t.pair.pose_a, local);
        t.pair.pose_b.translation = (apart_vec3){(double)at.x, (double)at.y, (double)at.z};
        tally_judge(&y, &t);
        quad axes[3] = {s.x, s.y, s.z}, inside[3] = {local.x, local.y, local.z};
        double expected = -(double)ellipsoid_depth(axes, inside) - t.pair.b.radius;
        assert_true(trial_open(&t));
        apart_query q = query_of(0, APART_DEPTH_EXACT);
        apart_result result;
        assert_int_equal(trial_query(&t, &q, NULL, &result), APART_OK);
        double off = fmax(result.upper_bound - expected, expected - result.lower_bound) / -expected;
        tally_expect(&y, &t, "ball in an ellipsoid", expected, 2e-9 * (double)t.truth.size);
        most = fmax(most, off);
        trial_close(&t);
    }
    tally_print(&y);
    printf("ball in an ellipsoid: off by %.1e of the depth\n", most);
    // The turn of the ellipsoid is rounded.
    assert_true(most <= 1.1e-9);
    tally_check(&y);
}

// Two bodies for which almost a circle or a sphere of directions is as near as the nearest.
static void tied_bodies(rng* r, body* a, body* b) {
    static const apart_vec3 almost_ball = {1, 1.001, 1.002};
    double wide = rng_uniform(r, 0.1, 1), tiny = rng_magnitude(r, -20, -6);
    *a = (body){.kind = BODY_ELLIPSOID, .size = almost_ball};
    *b = *a;
    if (rng_chance(r, 0.3)) *a = (body){.kind = BODY_CYLINDER, .size = {wide, wide, 2}};
    if (rng_chance(r, 0.2)) *a = (body){.kind = BODY_CONE, .size = {wide, wide, 1}};
    if (rng_chance(r, 0.3)) *b = (body){.kind = BODY_CYLINDER, .size = {0.5, 0.5, 2}};
    if (rng_chance(r, 0.2)) *b = (body){.kind = BODY_CAPSULE, .size = {0, 0, tiny}, .radius = 0.25};
    if (rng_chance(r, 0.1)) *b = (body){.kind = BODY_BOX, .size = {tiny, 0.7 * tiny, 0.3 * tiny}};
}

// Such bodies with almost the same place and axes, then moved on a little at a time: the depth is known to 1e-9 of it,
// and with a cache it takes few support points once it has been found that the directions are tied.
static void test_near_ties(void** state) {
    (void)state;
    static tally y;
    long open = 0, asked = 0, tracked = 0, supports = 0;
    for (uint64_t seed = 450001; seed <= 450150; seed++) {
        rng r = rng_seed(seed);
        double small = rng_magnitude(&r, -20, -10);
        apart_vec3 off = rng_in_cube(&r, small);
        t.pair.seed = seed;
        t.pair.placement = PLACE_CONCENTRIC;
        tied_bodies(&r, &t.pair.a, &t.pair.b);
        t.pair.pose_a = t.pair.pose_b = apart_pose_identity;
        t.pair.pose_b.rotation = rng_matrix(1, small, 0.5 * small, 0);
        t.pair.pose_b.translation = off;
        tally_judge(&y, &t);
        assert_true(trial_open(&t));
        apart_query q = query_of(0, APART_DEPTH_EXACT);
        apart_cache cache = {0};
        apart_result result;
        for (int step = 0; step < 8; step++) {
            t.pair.pose_b.translation.x += 0.01 * small;
            bool known = cache.words[CACHE_KIND] == CACHE_BOUNDS;
            assert_int_equal(trial_query(&t, &q, &cache, &result), APART_OK);
            open += result.upper_bound - result.lower_bound > 1.1e-9 * -result.lower_bound;
            asked += 1;
            if (known) tracked += 1, supports += result.supports;
        }
        trial_close(&t);
    }
    tally_print(&y);
    printf("near ties: %ld of %ld open; tracked: %ld, %.1f support points each\n", open, asked, tracked,
           (double)supports / (double)tracked);
    assert_true(tracked >= 500);
    assert_true(200 * open <= asked && supports <= 4 * tracked);
    tally_check(&y);
}

// A small hull or flat sheet, told by its points or by its support function.
static void speck_body(rng* r, body* b, double size) {
    *b = (body){.kind = BODY_POINTS, .count = rng_between(r, 3, rng_chance(r, 0.5) ? 8 : 40)};
    bool flat = rng_chance(r, 0.2);
    for (int i = 0; i < b->count; i++) {
        b->points[i] = rng_in_ball(r);
        if (flat) b->points[i].z = 0;
    }
    b->callback = rng_chance(r, 0.3);
    body_scale(b, size);
}

// A body for which almost a circle or a sphere of directions is as near as the nearest from its middle, and that.
static void round_body(rng* r, body* b, apart_vec3* middle) {
    double wide = rng_uniform(r, 0.1, 1), more = rng_magnitude(r, -14, -6);
    *middle = (apart_vec3){0, 0, 0};
    *b = (body){.kind = BODY_ELLIPSOID, .size = {1, 1 + more * rng_unit(r), 1 + more}};
    if (rng_chance(r, 0.2)) b->size = (apart_vec3){wide, wide * (1 + more), 1};
    if (rng_chance(r, 0.2)) *b = (body){.kind = BODY_CYLINDER, .size = {wide, wide, 2}};
    if (rng_chance(r, 0.2)) {
        // The centre of the ball that touches base and mantle.
        *b = (body){.kind = BODY_CONE, .size = {wide, wide, 1}};
        middle->z = -1 + 2 * wide / (wide + sqrt(4 + wide * wide));
    }
}

// Whether a direction proves that the depth is less than the answer says: a search from the normal, and from directions
// all over the sphere, in quadruple precision at the end.
static bool has_wider_slab(const apart_result* r) {
    const pair* p = &t.pair;
    for (int i = 0; i <= 16; i++) {
        double z = (2 * i - 15) / 16.0, flat = sqrt(1 - z * z), turn = 2.4 * i;
        apart_vec3 from = {flat * cos(turn), flat * sin(turn), z};
        apart_vec3 n = depth_climb(&p->a, &p->pose_a, &p->b, &p->pose_b, i == 16 ? r->normal : from);
        if (oracle_separation(&p->a, &p->pose_a, &p->b, &p->pose_b, n) > (quad)r->upper_bound) return true;
    }
    return false;
}

// Hulls, sheets and support functions in such bodies, of 1e-5 to a quarter of their size: what stays open, as no search
// over the directions knows them, is a few percent of the depth at most.
static void test_specks(void** state) {
    (void)state;
    long open = 0, asked = 0, wrong = 0;
    double widest = 0;
    for (uint64_t seed = 460001; seed <= 460400; seed++) {
        rng r = rng_seed(seed);
        apart_vec3 middle, off = rng_in_cube(&r, rng_magnitude(&r, -16, -6));
        t.pair.seed = seed;
        t.pair.placement = PLACE_NESTED;
        round_body(&r, &t.pair.a, &middle);
        speck_body(&r, &t.pair.b, t.pair.a.size.x * rng_magnitude(&r, -16, -2));
        t.pair.pose_a = apart_pose_identity;
        t.pair.pose_b = rng_pose(&r, (apart_vec3){middle.x + off.x, middle.y + off.y, middle.z + off.z});
        if (rng_chance(&r, 0.3)) pair_exchange(&t.pair);
        assert_true(trial_open(&t));
        apart_query q = query_of(0, APART_DEPTH_EXACT);
        apart_cache cache = {0};
        apart_result result;
        for (int step = 0; step < 4; step++) {
            t.pair.pose_b.translation.x += 1e-6;
            assert_int_equal(trial_query(&t, &q, &cache, &result), APART_OK);
            double gap = (result.upper_bound - result.lower_bound) / -result.lower_bound;
            widest = fmax(widest, gap);
            open += gap > 1.1e-9;
            asked += 1;
        }
        wrong += has_wider_slab(&result);
        trial_close(&t);
    }
    printf("specks: %ld of %ld open, by %.1e at most, %ld wrong\n", open, asked, widest, wrong);
    assert_int_equal(wrong, 0);
    assert_true(widest < 0.03);
}

// The same judged as any pair is: points, normal, witnesses, every method.
static void test_judged_specks(void** state) {
    (void)state;
    static tally y;
    for (uint64_t seed = 470001; seed <= 470100; seed++) {
        rng r = rng_seed(seed);
        apart_vec3 middle;
        t.pair.seed = seed;
        t.pair.placement = PLACE_NESTED;
        round_body(&r, &t.pair.a, &middle);
        speck_body(&r, &t.pair.b, t.pair.a.size.x * rng_magnitude(&r, -16, -2));
        t.pair.pose_a = t.pair.pose_b = apart_pose_identity;
        t.pair.pose_b.translation = middle;
        if (rng_chance(&r, 0.5)) pair_scale(&t.pair, rng_magnitude(&r, -100, 99));
        tally_judge(&y, &t);
    }
    tally_print(&y);
    assert_int_equal(y.exact.wrong + y.bound.wrong + y.disagree, 0);
}

// Discs and sheets that have hardly any height, the squares of which vanish, in an almost round ellipsoid: as deep as
// those that are a little higher.
static void test_hardly_any_height(void** state) {
    (void)state;
    static const double heights[] = {1e-14, 1e-100, 1e-150, 1e-156, 1e-160, 1e-162, 1e-200, 1e-300};
    apart_shape* ball = apart_shape_ellipsoid((apart_vec3){1, 1.001, 1.002}, NULL);
    apart_pose pose = apart_pose_from_quaternion(1, 0.2, 0.3, 0.1, (apart_vec3){0.0001, 0.0005, 0.0003});
    for (int i = 0; i < 32; i++) {
        double wide = i & 1 ? 0.01 : 0.5, known[2] = {0};
        for (size_t k = 0; k < sizeof heights / sizeof *heights; k++) {
            double h = heights[k];
            apart_shape* flat =
                i & 2 ? apart_shape_cylinder(h, wide, NULL) : apart_shape_box((apart_vec3){wide, wide, h}, 0, NULL);
            pose.translation.y = 0.0001 * (i / 4);
            apart_query q = query_of(0, APART_DEPTH_EXACT);
            apart_result r;
            assert_int_equal(apart_distance(ball, &apart_pose_identity, flat, &pose, &q, NULL, &r), APART_OK);
            assert_true(r.upper_bound - r.lower_bound <= 1e-3 * -r.upper_bound);
            if (k == 0) known[0] = r.lower_bound, known[1] = r.upper_bound;
            assert_true(r.lower_bound <= known[1] + 1e-13 && r.upper_bound >= known[0] - 1e-13);
            apart_shape_release(flat);
        }
    }
    apart_shape_release(ball);
}

// A point just inside the side of a cone, from a normal as good as that of the side: corners of the surface come to lie
// on one line of the side, with a triangle between them that is too thin to tell its plane.
static void test_point_in_side(void** state) {
    (void)state;
    static tally y;
    t.pair = (pair){.pose_a = apart_pose_identity,
                    .pose_b = {.rotation = {{{0x1.b3b45217bedaap-6, -0x1.1db440b8f5818p-1, -0x1.a8a7a685b5c1fp-1},
                                             {0x1.b22a0a30f73e8p-2, 0x1.83ed11bdd5485p-1, -0x1.fc10dde98e768p-2},
                                             {0x1.cf807986bf413p-1, -0x1.5a96203c715fbp-2, 0x1.06e728f7cf18ep-2}}},
                               .translation = {0x1.75a995ac47768p-2, 0x1.2126eb12e808cp-2, 0x1.7095b25ae3123p-7}}};
    t.pair.a = (body){.kind = BODY_POINTS,
                      .count = 1,
                      .points = {{0x1.1c1a129ff727p-1, 0x1.9587454a62fe8p-2, -0x1.066d443b4b0d6p-1}}};
    t.pair.b = (body){.kind = BODY_CONE, .size = {0x1.cc3499109459fp-2, 0x1.cc3499109459fp-2, 0x1.64cf53d809338p-2}};
    assert_true(trial_open(&t));
    trial_ask_depth(&t);
    for (int m = 0; m < METHODS; m++) {
        const apart_query q = query_of(m, APART_DEPTH_EXACT);
        apart_cache cache = {{0}};
        cache_set_normal(&cache, vec3_make(-0x1.a8a7a68650276p-1, -0x1.fc10dde5cd37cp-2, 0x1.06e728fb2b2c2p-2));
        assert_true(trial_judge(&t, &q, &cache, &y.exact));
    }
    trial_close(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round),
        cmocka_unit_test(test_coaxial),
        cmocka_unit_test(test_ellipsoid),
        cmocka_unit_test(test_near_ties),
        cmocka_unit_test(test_specks),
        cmocka_unit_test(test_judged_specks),
        cmocka_unit_test(test_hardly_any_height),
        cmocka_unit_test(test_point_in_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

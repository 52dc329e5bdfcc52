// apart_distance over all kinds of bodies, placements, methods and options, each answer judged by the oracle.
#include "certificate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static trial t;

// Every regime must have been reached by every method, and no answer may be wrong.
static void assert_census(const census* c, long least) {
    census_print(stdout, c);
    assert_true(census_reached(c, least));
    assert_int_equal(c->wrong, 0);
}

// ------------------------------------------------------------------------------------------------- random pairs ----

static void test_random_pairs(void** state) {
    (void)state;
    census c = {0};
    for (uint64_t seed = 1; seed <= 20000; seed++) {
        pair_random(&t.pair, seed);
        assert_true(trial_open(&t));
        trial_judge_methods(&t, &c);
        trial_close(&t);
    }
    for (int i = 0; i < PLACEMENTS; i++) assert_true(c.placed[i] >= 1500);
    assert_census(&c, 2000);
}

// ------------------------------------------------------------------------------------------------------ options ----

// A stop reason of the header holds on the result; near or far, never a lie.
static void test_options(void** state) {
    (void)state;
    census c = {0};
    long early = 0, steps_loose = 0, steps_tight = 0;
    for (uint64_t seed = 20001; seed <= 21500; seed++) {
        pair_random(&t.pair, seed);
        assert_true(trial_open(&t));
        rng r = rng_seed(seed);
        double size = (double)t.truth.size;
        for (int m = 0; m < METHODS; m++) {
            apart_query relative = query_of(m, APART_DEPTH_NONE), absolute = query_of(m, APART_DEPTH_NONE),
                        cutoff = query_of(m, APART_DEPTH_NONE);
            relative.relative_error = rng_unit(&r);
            absolute.absolute_error = size * rng_magnitude(&r, -40, -1);
            cutoff.cutoff = size * rng_unit(&r) * rng_unit(&r);
            c.placed[t.pair.placement]++;
            trial_judge(&t, &relative, NULL, &c);
            trial_judge(&t, &absolute, NULL, &c);
            trial_judge(&t, &cutoff, NULL, &c);
            // Clearly apart and any relative error: the lower bound says so.
            apart_result tight, loose;
            apart_query exact = query_of(m, APART_DEPTH_NONE);
            assert_int_equal(trial_query(&t, &exact, NULL, &tight), APART_OK);
            assert_int_equal(trial_query(&t, &relative, NULL, &loose), APART_OK);
            if (t.truth.lower > (quad)1e-6 * t.truth.size) assert_true(loose.lower_bound > 0);
            steps_loose += loose.iterations;
            steps_tight += tight.iterations;
            early += loose.iterations < tight.iterations;
        }
        trial_close(&t);
    }
    printf("stopped early: %ld; steps %ld instead of %ld\n", early, steps_loose, steps_tight);
    assert_true(early > 500 && steps_loose < steps_tight);
    assert_census(&c, 200);
}

// A query of {0} is the default: every bit of its answer is the same, and it is as tight as an exact one.
static void test_query_zero(void** state) {
    (void)state;
    const apart_query zero = {0}, same = apart_query_default();
    census c = {0};
    for (uint64_t seed = 22001; seed <= 22300; seed++) {
        pair_random(&t.pair, seed);
        assert_true(trial_open(&t));
        apart_result r[3];
        memset(r, 0, sizeof r);
        assert_int_equal(trial_query(&t, &zero, NULL, &r[0]), APART_OK);
        assert_int_equal(trial_query(&t, &same, NULL, &r[1]), APART_OK);
        assert_int_equal(trial_query(&t, NULL, NULL, &r[2]), APART_OK);
        assert_memory_equal(&r[0], &r[1], sizeof r[0]);
        assert_memory_equal(&r[0], &r[2], sizeof r[0]);
        assert_null(certificate_check(&t, &same, &r[0], NULL));
        trial_judge(&t, &same, NULL, &c);
        trial_close(&t);
    }
    assert_int_equal(c.wrong, 0);
}

// A negative cutoff compares with the signed distance: bodies that are certainly not deeper end the search early.
static void test_negative_cutoff(void** state) {
    (void)state;
    apart_shape* s = apart_shape_ellipsoid((apart_vec3){1, 2, 3}, NULL);
    apart_pose there = apart_pose_from_quaternion(1, 0.2, 0.3, 0.1, (apart_vec3){1.2, 0.3, 0.2});
    apart_query exact = {.depth = APART_DEPTH_EXACT}, cut = exact;
    apart_result full, early, late;
    assert_int_equal(apart_distance(s, &apart_pose_identity, s, &there, &exact, NULL, &full), APART_OK);
    assert_true(full.distance < -0.5);
    cut.cutoff = 2 * full.distance;
    assert_int_equal(apart_distance(s, &apart_pose_identity, s, &there, &cut, NULL, &early), APART_OK);
    assert_true(early.lower_bound >= cut.cutoff && early.lower_bound <= full.distance);
    assert_true(early.supports < full.supports);
    cut.cutoff = full.distance / 2;
    assert_int_equal(apart_distance(s, &apart_pose_identity, s, &there, &cut, NULL, &late), APART_OK);
    assert_true(late.distance == full.distance && late.lower_bound == full.lower_bound);
    apart_shape_release(s);
}

// A relative error of 1 asks whether the bodies meet, and nothing else.
static void test_only_whether_they_meet(void** state) {
    (void)state;
    long steps = 0, steps_exact = 0, apart = 0, meet = 0;
    for (uint64_t seed = 22501; seed <= 23000; seed++) {
        pair_random(&t.pair, seed);
        assert_true(trial_open(&t));
        apart_query whether = {.relative_error = 1}, exact = {0};
        apart_result r, s;
        assert_int_equal(trial_query(&t, &whether, NULL, &r), APART_OK);
        assert_int_equal(trial_query(&t, &exact, NULL, &s), APART_OK);
        steps += r.iterations;
        steps_exact += s.iterations;
        if (t.truth.lower > (quad)1e-6 * t.truth.size) assert_true(r.lower_bound > 0 && ++apart);
        if (t.truth.depth > (quad)1e-6 * t.truth.size) assert_true(r.distance == 0 && ++meet);
        trial_close(&t);
    }
    printf("%ld apart, %ld meet; steps %ld instead of %ld\n", apart, meet, steps, steps_exact);
    assert_true(apart > 50 && meet > 50 && steps < steps_exact);
}

// ---------------------------------------------------------------------------------------------------- bad input ----

static apart_pose with_rotation(double xx, double yy, double zz) {
    apart_pose p = apart_pose_identity;
    p.rotation.m[0][0] = xx;
    p.rotation.m[1][1] = yy;
    p.rotation.m[2][2] = zz;
    return p;
}

static apart_pose at(double x, double y, double z) {
    apart_pose p = apart_pose_identity;
    p.translation.x = x;
    p.translation.y = y;
    p.translation.z = z;
    return p;
}

// The call must be refused with this status, and must not touch result and cache.
static void assert_refused(const apart_shape* a, const apart_pose* pose_a, const apart_shape* b,
                           const apart_pose* pose_b, const apart_query* q, apart_status expected) {
    apart_result result, before;
    apart_cache cache, cache_before;
    memset(&result, 0x5a, sizeof result);
    memset(&cache, 0x5a, sizeof cache);
    before = result;
    cache_before = cache;
    assert_int_equal(apart_distance(a, pose_a, b, pose_b, q, &cache, &result), expected);
    assert_memory_equal(&result, &before, sizeof result);
    assert_memory_equal(&cache, &cache_before, sizeof cache);
}

static void test_bad_poses(void** state) {
    (void)state;
    apart_shape* s = apart_shape_sphere(1, NULL);
    const struct {
        apart_pose pose;
        apart_status status;
    } bad[] = {
        {at(NAN, 0, 0), APART_NOT_FINITE},
        {at(0, -INFINITY, 0), APART_NOT_FINITE},
        {at(0, 0, 1.1e300), APART_OUT_OF_RANGE},
        {with_rotation(NAN, 1, 1), APART_NOT_FINITE},
        {with_rotation(1, INFINITY, 1), APART_NOT_FINITE},
        {with_rotation(0, 0, 0), APART_NOT_A_ROTATION},
        {with_rotation(1, 1, -1), APART_NOT_A_ROTATION},
        {with_rotation(-1, -1, -1), APART_NOT_A_ROTATION},
        {with_rotation(1, 1, 1 + 1e-6), APART_NOT_A_ROTATION},
        {with_rotation(2, 2, 2), APART_NOT_A_ROTATION},
        {apart_pose_from_quaternion(0, 0, 0, 0, at(0, 0, 0).translation), APART_NOT_A_ROTATION},
    };
    for (int m = 0; m < METHODS; m++)
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
            apart_query q = query_of(m, APART_DEPTH_NONE);
            assert_refused(s, &bad[i].pose, s, &apart_pose_identity, &q, bad[i].status);
            assert_refused(s, &apart_pose_identity, s, &bad[i].pose, &q, bad[i].status);
        }
    // Within 1e-6 it is a rotation.
    apart_pose almost = with_rotation(1, 1, 1 + 4e-7);
    apart_result r;
    assert_int_equal(apart_distance(s, &almost, s, &apart_pose_identity, NULL, NULL, &r), APART_OK);
    apart_shape_release(s);
}

static void test_bad_queries(void** state) {
    (void)state;
    apart_shape* s = apart_shape_sphere(1, NULL);
    apart_query bad[11];
    apart_status status[11] = {APART_NOT_FINITE, APART_INVALID,    APART_INVALID, APART_NOT_FINITE,
                               APART_INVALID,    APART_NOT_FINITE, APART_INVALID, APART_UNSUPPORTED,
                               APART_INVALID,    APART_INVALID,    APART_INVALID};
    for (int i = 0; i < 11; i++) bad[i] = apart_query_default();
    bad[0].relative_error = NAN;
    bad[1].relative_error = -0.1;
    bad[2].relative_error = 1.5;
    bad[3].absolute_error = NAN;
    bad[4].absolute_error = -1;
    bad[5].cutoff = NAN;
    bad[6].method = (apart_method)99;
    bad[7].method = APART_METHOD_SPHERES;
    bad[8].depth = (apart_depth)7;
    bad[9].depth = (apart_depth)-1;
    bad[10].method = (apart_method)-1;
    for (int i = 0; i < 11; i++) assert_refused(s, &apart_pose_identity, s, &apart_pose_identity, &bad[i], status[i]);
    apart_shape_release(s);
}

static void test_null(void** state) {
    (void)state;
    apart_shape* s = apart_shape_sphere(1, NULL);
    const apart_pose* here = &apart_pose_identity;
    assert_refused(NULL, here, s, here, NULL, APART_INVALID);
    assert_refused(s, NULL, s, here, NULL, APART_INVALID);
    assert_refused(s, here, NULL, here, NULL, APART_INVALID);
    assert_refused(s, here, s, NULL, NULL, APART_INVALID);
    assert_int_equal(apart_distance(s, here, s, here, NULL, NULL, NULL), APART_INVALID);
    apart_shape_release(s);
}

// A support function that fails off the axes, where no constructor looks.
static apart_vec3 broken_support(const void* context, apart_vec3 d) {
    double most = fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z)));
    apart_vec3 p = {d.x, d.y, most < 0.9 ? *(const double*)context : d.z};
    return p;
}

static void test_broken_support(void** state) {
    (void)state;
    const double values[] = {NAN, INFINITY, 1e200};
    const apart_status expected[] = {APART_NOT_FINITE, APART_NOT_FINITE, APART_INVALID};
    apart_shape* box = apart_shape_box(at(1, 1, 1).translation, 0, NULL);
    apart_pose aside = at(5, 5, 5);
    for (int i = 0; i < 3; i++) {
        apart_shape* s = apart_shape_support(broken_support, &values[i], 0, NULL);
        assert_non_null(s);
        for (int m = 0; m < METHODS; m++) {
            apart_query q = query_of(m, APART_DEPTH_NONE);
            assert_refused(s, &apart_pose_identity, box, &aside, &q, expected[i]);
            assert_refused(box, &apart_pose_identity, s, &aside, &q, expected[i]);
        }
        apart_shape_release(s);
    }
    apart_shape_release(box);
}

// A support function that tells the truth while the shape is built, and the opposite afterwards.
static apart_vec3 turncoat(const void* context, apart_vec3 d) {
    double sign = *(const double*)context;
    apart_vec3 p = {sign * d.x, sign * d.y, sign * d.z};
    return p;
}

static void test_contradiction(void** state) {
    (void)state;
    double sign = 1;
    apart_shape* box = apart_shape_box(at(1, 1, 1).translation, 0, NULL);
    apart_shape* s = apart_shape_support(turncoat, &sign, 0, NULL);
    sign = -1;
    apart_pose aside = at(3, 0, 0);
    int refused = 0;
    for (int m = 0; m < METHODS; m++) {
        apart_query q = query_of(m, APART_DEPTH_NONE);
        apart_cache cache = {0}, cold = {0};
        apart_result r;
        if (apart_distance(s, &apart_pose_identity, box, &aside, &q, &cache, &r) == APART_OK) continue;
        assert_memory_equal(&cache, &cold, sizeof cold);
        refused++;
    }
    assert_true(refused > 0);
    apart_shape_release(s);
    apart_shape_release(box);
}

// Bodies of a few of the smallest doubles, far beside their size from their own origin, turned: the numbers themselves
// have only a few bits, and the bracket still holds. The truth is that of two points.
static void test_subnormal(void** state) {
    (void)state;
    rng r = rng_seed(77);
    for (int i = 0; i < 20000; i++) {
        apart_vec3 p[2];
        apart_pose pose[2];
        apart_shape* shape[2];
        quad w[3] = {0, 0, 0};
        for (int k = 0; k < 2; k++) {
            double unit = 0x1p-1074 * (double)(1 << rng_below(&r, 12));
            p[k] = (apart_vec3){unit * rng_below(&r, 9), unit * rng_below(&r, 9), unit * rng_below(&r, 9)};
            pose[k] = apart_pose_from_quaternion(rng_unit(&r), rng_unit(&r), rng_unit(&r), rng_unit(&r) + 0.01,
                                                 (apart_vec3){unit * rng_below(&r, 99), 0, unit * rng_below(&r, 9)});
            shape[k] = apart_shape_points(&p[k], 1, 0, NULL);
            const double shift[3] = {pose[k].translation.x, pose[k].translation.y, pose[k].translation.z};
            for (int row = 0; row < 3; row++) {
                const double* m = pose[k].rotation.m[row];
                quad place = (quad)m[0] * p[k].x + (quad)m[1] * p[k].y + (quad)m[2] * p[k].z + shift[row];
                w[row] += k == 0 ? place : -place;
            }
        }
        quad squared = (w[0] * w[0] + w[1] * w[1]) + w[2] * w[2];
        for (int m = 0; m < METHODS; m++) {
            apart_query q = query_of(m, APART_DEPTH_NONE);
            apart_result s;
            assert_int_equal(apart_distance(shape[0], &pose[0], shape[1], &pose[1], &q, NULL, &s), APART_OK);
            assert_true((quad)s.lower_bound * s.lower_bound <= squared &&
                        squared <= (quad)s.upper_bound * s.upper_bound);
        }
        apart_shape_release(shape[0]);
        apart_shape_release(shape[1]);
    }
}

// A gap so small beside the size that it vanishes when it is scaled is still not contact: "0" would be a lie.
static void test_vanishing_gap(void** state) {
    (void)state;
    const double sizes[] = {1024, 0x1p66, 0x1p900}, gaps[] = {0x1p-1074, 1e-310, 0x1p-1000};
    for (int i = 0; i < 9; i++) {
        apart_shape* plate = apart_shape_box((apart_vec3){0, sizes[i % 3], sizes[i % 3]}, 0, NULL);
        apart_shape* point = apart_shape_sphere(0, NULL);
        apart_pose aside = at(gaps[i / 3], 0, 0);
        for (int m = 0; m < METHODS; m++) {
            apart_query q = query_of(m, APART_DEPTH_NONE);
            apart_result r;
            assert_int_equal(apart_distance(plate, &apart_pose_identity, point, &aside, &q, NULL, &r), APART_OK);
            assert_true(r.lower_bound <= gaps[i / 3] && r.upper_bound >= gaps[i / 3]);
        }
        apart_shape_release(plate);
        apart_shape_release(point);
    }
}

// -------------------------------------------------------------------------------------------------------- trace ----

typedef struct watch {
    int calls;
    double upper, lower;
    const char* wrong;
} watch;

// Steps are counted from one, the bracket only narrows, and it holds the truth up to rounding.
static void watch_step(const apart_step* step, void* context) {
    watch* w = context;
    quad slack = (quad)0x1p-44 * t.truth.size;
    if (step->iteration != ++w->calls) w->wrong = "a step is missing";
    if (step->count_a < 1 || step->count_a > 4 || step->count_b < 1 || step->count_b > 4) w->wrong = "vertices";
    if (!(step->upper <= w->upper)) w->wrong = "the upper bound grows";
    if (!(step->lower >= w->lower)) w->wrong = "the lower bound shrinks";
    if ((quad)step->upper + slack < t.truth.lower) w->wrong = "the upper bound is too low";
    if ((quad)step->lower - slack > t.truth.upper) w->wrong = "the lower bound is too high";
    double a = 0, b = 0;
    for (int i = 0; i < step->count_a; i++) a += step->weight_a[i];
    for (int i = 0; i < step->count_b; i++) b += step->weight_b[i];
    if (fabs(a - 1) > 1e-14 || fabs(b - 1) > 1e-14) w->wrong = "weights";
    w->upper = step->upper;
    w->lower = step->lower;
}

static void test_trace(void** state) {
    (void)state;
    long steps = 0;
    for (uint64_t seed = 30001; seed <= 32000; seed++) {
        pair_random(&t.pair, seed);
        assert_true(trial_open(&t));
        for (int m = 0; m < METHODS; m++) {
            watch w = {0, INFINITY, 0, NULL};
            apart_query silent = query_of(m, APART_DEPTH_NONE), traced = query_of(m, APART_DEPTH_NONE);
            traced.trace = watch_step;
            traced.trace_context = &w;
            apart_result r, s;
            memset(&r, 0, sizeof r);
            memset(&s, 0, sizeof s);
            assert_int_equal(trial_query(&t, &silent, NULL, &r), APART_OK);
            assert_int_equal(trial_query(&t, &traced, NULL, &s), APART_OK);
            if (w.wrong) printf("seed %d, %s, step %d: %s\n", (int)seed, method_names[m], w.calls, w.wrong);
            assert_null(w.wrong);
            assert_int_equal(w.calls, r.iterations);
            assert_memory_equal(&r, &s, sizeof r);
            steps += w.calls;
        }
        trial_close(&t);
    }
    printf("%ld steps watched\n", steps);
}

/// A capsule far from a segment that is nothing beside the distance, with a cutoff that ends the search at once: the
/// normal is still the way from one to the other.
static void test_vanishing_segment(void** state) {
    (void)state;
    const apart_vec3 end[2] = {{0x1.14d62a184902dp-54, 0x1.8ae0bec248ecap-56, 0x1.4a975db526b29p-52},
                               {-0x1.2ddda26292433p-53, -0x1.5fc55ccf50023p-53, 0x1.349b5bd15560ap-52}};
    apart_shape *capsule = apart_shape_capsule(0.875, 0.25, NULL), *speck = apart_shape_points(end, 2, 0, NULL);
    apart_query q = {.cutoff = 7.5};
    for (int i = 0; i < 50; i++) {
        apart_pose there = {apart_pose_identity.rotation, {78.7 + i, 0.01 * i, -0.8}};
        apart_result r;
        assert_int_equal(apart_distance(capsule, &apart_pose_identity, speck, &there, &q, NULL, &r), APART_OK);
        double along = (r.point_b.x - r.point_a.x) * r.normal.x + (r.point_b.y - r.point_a.y) * r.normal.y +
                       (r.point_b.z - r.point_a.z) * r.normal.z;
        assert_true(fabs(along - r.distance) <= 1e-13 * r.distance);
        assert_true(r.lower_bound >= q.cutoff);
    }
    apart_shape_release(capsule);
    apart_shape_release(speck);
}

// -------------------------------------------------------------------------------------------------- two spheres ----

static void count_step(const apart_step* step, void* context) {
    (void)step;
    *(int*)context += 1;
}

// Two spheres have a way of their own, which a trace does without: the same bits either way, in the cache as well.
static void test_two_spheres(void** state) {
    (void)state;
    rng r = rng_seed(71);
    long apart = 0, overlap = 0;
    for (int i = 0; i < 20000; i++) {
        double unit = ldexp(1, (int)rng_uniform(&r, -450, 450)),
               reach = ldexp(1, rng_unit(&r) < 0.5 ? 0 : -(int)rng_uniform(&r, 0, 60));
        apart_shape* s[2];
        apart_pose pose[2] = {apart_pose_identity, apart_pose_identity};
        for (int j = 0; j < 2; j++) {
            s[j] = apart_shape_sphere(unit * rng_uniform(&r, 0.01, 1), NULL);
            assert_non_null(s[j]);
            double* to = &pose[j].translation.x;
            for (int k = 0; k < 3; k++) to[k] = rng_unit(&r) < 0.2 ? 0 : unit * reach * rng_uniform(&r, -2, 2);
        }
        int steps = 0;
        apart_query silent = apart_query_default(), traced;
        silent.depth = (apart_depth)(i % 3);
        traced = silent;
        traced.trace = count_step;
        traced.trace_context = &steps;
        apart_result a, b;
        apart_cache cache[2];
        memset(&a, 0, sizeof a);
        memset(&b, 0, sizeof b);
        memset(cache, 0, sizeof cache);
        assert_int_equal(apart_distance(s[0], &pose[0], s[1], &pose[1], &silent, &cache[0], &a), APART_OK);
        assert_int_equal(apart_distance(s[0], &pose[0], s[1], &pose[1], &traced, &cache[1], &b), APART_OK);
        assert_int_equal(steps, a.iterations);
        assert_memory_equal(&a, &b, sizeof a);
        assert_memory_equal(&cache[0], &cache[1], sizeof cache[0]);
        apart += a.lower_bound > 0;
        overlap += a.upper_bound <= 0;
        for (int j = 0; j < 2; j++) apart_shape_release(s[j]);
    }
    printf("two spheres: %ld apart, %ld overlap\n", apart, overlap);
    assert_true(apart > 2000 && overlap > 2000);
}

// --------------------------------------------------------------------------------------- sizes, ratios and places ----

static void cube(body* b, double edge) {
    b->kind = BODY_BOX;
    b->callback = false;
    b->radius = 0;
    b->count = 0;
    b->size.x = b->size.y = b->size.z = edge / 2;
}

static void tetrahedron(body* b, double edge) {
    double h = edge / (2 * 1.4142135623730951);
    const apart_vec3 corners[4] = {{h, h, h}, {h, -h, -h}, {-h, h, -h}, {-h, -h, h}};
    b->kind = BODY_POINTS;
    b->callback = false;
    b->radius = 0;
    b->count = 4;
    memcpy(b->points, corners, sizeof corners);
}

// Both bodies at random turns, `gap` apart; half of the time across a face of the first.
static void turn_and_abut(rng* r, double gap) {
    apart_vec3 zero = {0, 0, 0};
    t.pair.placement = PLACE_NEAR;
    t.pair.pose_a = rng_pose(r, zero);
    t.pair.pose_b = rng_pose(r, zero);
    apart_vec3 n = rng_unit_vector(r);
    const apart_mat3* m = &t.pair.pose_a.rotation;
    if (rng_chance(r, 0.5)) n.x = m->m[0][0], n.y = m->m[1][0], n.z = m->m[2][0];
    pair_abut(&t.pair, n, gap);
}

// All methods on the pair at hand; the distance must be `gap` within `error`.
static void judge_gap(census* c, double gap, double error) {
    assert_true(trial_open(&t));
    trial_judge_methods(&t, c);
    for (int m = 0; m < METHODS; m++) {
        apart_query q = query_of(m, APART_DEPTH_NONE);
        apart_result r;
        assert_int_equal(trial_query(&t, &q, NULL, &r), APART_OK);
        assert_true(r.lower_bound >= gap - error && r.upper_bound <= gap + error);
    }
    trial_close(&t);
}

// Sundaraj, d'Aulignac, Mazer 2000, section 5: tetrahedra of edge 1e-23 at 20e-23.
static void test_sundaraj_tiny(void** state) {
    (void)state;
    census c = {0};
    for (uint64_t seed = 0; seed < 100; seed++) {
        rng r = rng_seed(seed);
        t.pair.seed = seed;
        tetrahedron(&t.pair.a, 1e-23);
        tetrahedron(&t.pair.b, 1e-23);
        turn_and_abut(&r, 20e-23);
        judge_gap(&c, 20e-23, 1e-13 * 20e-23);
    }
    assert_int_equal(c.wrong, 0);
}

// The same: a cube of edge 2000 beside one of edge 1e-15, 1e-10 apart. Coordinates of 1000 carry 1e-13 each.
static void test_sundaraj_ratio(void** state) {
    (void)state;
    census c = {0};
    for (uint64_t seed = 0; seed < 100; seed++) {
        rng r = rng_seed(seed);
        t.pair.seed = seed;
        cube(&t.pair.a, 2000);
        cube(&t.pair.b, 1e-15);
        turn_and_abut(&r, 1e-10);
        judge_gap(&c, 1e-10, 9e-11);
    }
    assert_int_equal(c.wrong, 0);
}

// The same random pairs in units from 1e-150 to 1e150.
static void test_units(void** state) {
    (void)state;
    census c = {0};
    for (int power = -150; power <= 150; power += 10) {
        double unit = 1;
        for (int i = 0; i < abs(power); i++) unit = power < 0 ? unit / 10 : unit * 10;
        for (uint64_t seed = 40001; seed <= 40040; seed++) {
            rng r = rng_seed(seed);
            t.pair.seed = seed;
            body_random(&r, &t.pair.a, 24);
            body_random(&r, &t.pair.b, 24);
            turn_and_abut(&r, rng_uniform(&r, 0, 0.05) * rng_between(&r, -1, 1));
            pair_scale(&t.pair, unit);
            assert_true(trial_open(&t));
            trial_judge_methods(&t, &c);
            trial_close(&t);
        }
    }
    assert_census(&c, 100);
}

// Size ratios up to 1e18, and a gap of 1e-3 at 1e6 from the origin.
static void test_ratios_and_places(void** state) {
    (void)state;
    census c = {0};
    for (uint64_t seed = 50001; seed <= 50600; seed++) {
        rng r = rng_seed(seed);
        t.pair.seed = seed;
        body_random(&r, &t.pair.a, 24);
        body_random(&r, &t.pair.b, 24);
        if (seed & 1) body_scale(&t.pair.b, rng_magnitude(&r, -60, 60));
        double gap = 1e-3 * rng_between(&r, -1, 1);
        turn_and_abut(&r, gap);
        if (!(seed & 1)) {
            t.pair.pose_a.translation = rng_in_cube(&r, 1e6);
            pair_abut(&t.pair, rng_unit_vector(&r), gap);
        }
        assert_true(trial_open(&t));
        trial_judge_methods(&t, &c);
        trial_close(&t);
    }
    census_print(stdout, &c);
    assert_int_equal(c.wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_pairs),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_query_zero),
        cmocka_unit_test(test_negative_cutoff),
        cmocka_unit_test(test_only_whether_they_meet),
        cmocka_unit_test(test_bad_poses),
        cmocka_unit_test(test_bad_queries),
        cmocka_unit_test(test_null),
        cmocka_unit_test(test_broken_support),
        cmocka_unit_test(test_contradiction),
        cmocka_unit_test(test_subnormal),
        cmocka_unit_test(test_vanishing_gap),
        cmocka_unit_test(test_trace),
        cmocka_unit_test(test_vanishing_segment),
        cmocka_unit_test(test_two_spheres),
        cmocka_unit_test(test_sundaraj_tiny),
        cmocka_unit_test(test_sundaraj_ratio),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_ratios_and_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

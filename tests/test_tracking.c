// Tracking: a pair that moves a little from call to call, with a cache. The answers must be as right as cold ones, any
// cache must be safe, and the savings that the papers promise must be there: Cameron 1997, figures 4 and 5 (cost almost
// constant in the number of vertices), Sundaraj et al. 2000, section 5 (fewer support points than enhanced GJK).
#include "convex/cache.h"

#include "certificate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static trial t;

// Turns of 0, 6 and 12 degrees a step: cosine and sine of half the angle.
#define SPEEDS 3
static const double half_cos[SPEEDS] = {1, 0.99862953475457387, 0.99452189536827333};
static const double half_sin[SPEEDS] = {0, 0.052335956242943835, 0.10452846326765347};
static const int degrees[SPEEDS] = {0, 6, 12};

typedef struct motion {
    apart_mat3 turn_a, turn_b;
    apart_vec3 shift;
} motion;

static motion motion_random(rng* r, int speed, double shift) {
    apart_vec3 a = rng_unit_vector(r), b = rng_unit_vector(r);
    double s = half_sin[speed];
    motion m;
    m.turn_a = rng_matrix(half_cos[speed], s * a.x, s * a.y, s * a.z);
    m.turn_b = rng_matrix(half_cos[speed], s * b.x, s * b.y, s * b.z);
    m.shift = rng_in_cube(r, shift);
    return m;
}

static void advance(pair* p, const motion* m) {
    p->pose_a.rotation = rng_product(&m->turn_a, &p->pose_a.rotation);
    p->pose_b.rotation = rng_product(&m->turn_b, &p->pose_b.rotation);
    p->pose_b.translation.x += m->shift.x;
    p->pose_b.translation.y += m->shift.y;
    p->pose_b.translation.z += m->shift.z;
}

// ---------------------------------------------------------------------------------------------- right all the way ----

// Bodies of every kind, passing and meeting each other: each tracked answer is judged like a cold one.
static void test_sequences(void** state) {
    (void)state;
    census c = {0};
    for (uint64_t seed = 1; seed <= 100; seed++) {
        rng r = rng_seed(seed);
        t.pair.seed = seed;
        t.pair.placement = PLACE_APART;
        body_random(&r, &t.pair.a, 60);
        body_random(&r, &t.pair.b, 60);
        apart_vec3 zero = {0, 0, 0};
        t.pair.pose_a = rng_pose(&r, zero);
        t.pair.pose_b = rng_pose(&r, zero);
        pair_abut(&t.pair, rng_unit_vector(&r), rng_uniform(&r, 0, 0.2));
        motion m = motion_random(&r, (int)(seed % SPEEDS), 0.05);
        apart_cache cache[METHODS] = {0};
        assert_true(trial_open(&t));
        for (int step = 0; step < 20; step++) {
            for (int k = 0; k < METHODS; k++) {
                apart_query q = query_of(k, APART_DEPTH_NONE);
                trial_judge(&t, &q, &cache[k], &c);
            }
            c.placed[t.pair.placement]++;
            advance(&t.pair, &m);
            // There and back, so that bodies meet and part again.
            if (step == 9) m.shift.x = -m.shift.x, m.shift.y = -m.shift.y, m.shift.z = -m.shift.z;
            trial_ask_oracle(&t);
        }
        trial_close(&t);
    }
    census_print(stdout, &c);
    for (int m = 0; m < METHODS; m++) {
        assert_true(c.judged[m][REGIME_APART] > 300);
        assert_true(c.judged[m][REGIME_OVERLAP] > 50);
    }
    assert_int_equal(c.wrong, 0);
}

// ------------------------------------------------------------------------------------------------------ any cache ----

static void garbage(rng* r, apart_cache* cache) {
    unsigned char* bytes = (unsigned char*)cache;
    for (size_t i = 0; i < sizeof *cache; i++) bytes[i] = (unsigned char)rng_next(r);
    // Half of the time almost plausible: counts and vertices in range, or nearly.
    if (rng_chance(r, 0.5)) return;
    cache->words[CACHE_KIND] = (uint32_t)rng_below(r, 5);
    for (int i = CACHE_COUNT_A; i <= CACHE_COUNT_B; i++) cache->words[i] = (uint32_t)rng_below(r, 6);
    for (int i = CACHE_HINT_A; i <= CACHE_HINT_B; i++) cache->words[i] = (uint32_t)rng_below(r, 10);
    for (int i = CACHE_A; i < CACHE_B + 4; i++) cache->words[i] = (uint32_t)rng_below(r, 8);
    apart_vec3 d = rng_unit_vector(r);
    const double special[] = {0, NAN, INFINITY, 1e-300, 1e300, d.y};
    cache_set_normal(cache, vec3_make(d.x, special[rng_below(r, 6)], d.z));
}

// Settled by bounds over the sphere, then one body jumps so far away, or is so small, that the squares of its size
// vanish: the bounds are worth nothing, and the query finds another way.
static void test_bounds_vanish(void** state) {
    (void)state;
    long settled = 0;
    for (int i = 0; i < 600; i++) {
        rng r = rng_seed(300001 + (uint64_t)i);
        const double s = i % 5 == 0 ? 100 : ldexp(1, -1000 * (i % 30) / 30);
        apart_shape* box = apart_shape_box((apart_vec3){0.3, 0.5, rng_uniform(&r, 0.1, 1)}, 0, NULL);
        apart_shape* round = i % 3 == 0   ? apart_shape_ellipsoid((apart_vec3){s, 1.001 * s, 1.002 * s}, NULL)
                             : i % 3 == 1 ? apart_shape_cylinder(s, 0.7 * s, NULL)
                                          : apart_shape_cone(s, 0.7 * s, NULL);
        const apart_pose a = rng_pose(&r, (apart_vec3){0, 0, 0}), b = rng_pose(&r, rng_in_cube(&r, 0.1));
        const apart_pose far = rng_pose(&r, (apart_vec3){1e160, 0.3e160, 0});
        const apart_query q = query_of(i % METHODS, APART_DEPTH_EXACT);
        apart_cache cache;
        apart_result cold, warm;
        memset(&cache, 0, sizeof cache);
        assert_int_equal(apart_distance(box, &a, round, &b, &q, &cache, &cold), APART_OK);
        settled += cache.words[CACHE_KIND] == CACHE_BOUNDS;
        // As if it had been settled so.
        if (cache.words[CACHE_KIND] != CACHE_BOUNDS) cache_set_normal(&cache, vec3_make(1, 0, 0));
        cache.words[CACHE_KIND] = CACHE_BOUNDS;
        apart_cache other = cache;
        assert_int_equal(apart_distance(box, &a, round, &b, &q, &cache, &warm), APART_OK);
        assert_true(warm.lower_bound <= cold.upper_bound && cold.lower_bound <= warm.upper_bound);
        assert_int_equal(apart_distance(box, &a, round, &far, &q, &other, &warm), APART_OK);
        assert_true(warm.lower_bound > 1e160 && warm.lower_bound <= warm.upper_bound);
        apart_shape_release(box);
        apart_shape_release(round);
    }
    printf("%ld of 600 settled by bounds\n", settled);
    assert_true(settled > 20);
}

// Random bits, and the caches of other pairs and other methods.
static void test_any_cache(void** state) {
    (void)state;
    census c = {0};
    apart_cache stranger = {0};
    for (uint64_t seed = 200001; seed <= 201000; seed++) {
        rng r = rng_seed(seed);
        pair_random(&t.pair, seed);
        assert_true(trial_open(&t));
        c.placed[t.pair.placement]++;
        for (int m = 0; m < METHODS; m++) {
            apart_query q = query_of(m, APART_DEPTH_NONE);
            apart_cache cache;
            garbage(&r, &cache);
            trial_judge(&t, &q, &cache, &c);
            // What the call left behind is a good cache for the same pair.
            trial_judge(&t, &q, &cache, &c);
            trial_judge(&t, &q, &stranger, &c);
        }
        trial_close(&t);
    }
    census_print(stdout, &c);
    assert_true(census_reached(&c, 101));
    assert_int_equal(c.wrong, 0);
}

// A cache with the surface of an octahedron whose corners are moved by those of a box that vanishes beside it: some
// faces are as small as the square of the box.
static void test_surface_of_specks(void** state) {
    (void)state;
    static const apart_vec3 corners[] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, 0.2}, {0, 0, -0.2}};
    static const cache_surface surface = {.a = {4, 4, 4, 4, 1, 3, 0, 2, 5},
                                          .b = {0, 1, 3, 2},
                                          .face = {{0, 1, 2},
                                                   {0, 2, 3},
                                                   {1, 0, 5},
                                                   {2, 1, 6},
                                                   {3, 2, 7},
                                                   {0, 3, 4},
                                                   {0, 4, 5},
                                                   {1, 5, 6},
                                                   {2, 6, 7},
                                                   {3, 7, 4},
                                                   {5, 4, 8},
                                                   {6, 5, 8},
                                                   {7, 6, 8},
                                                   {4, 7, 8}}};
    const double truth = -1 / sqrt(27);
    apart_shape* octahedron = apart_shape_points(corners, 6, 0, NULL);
    long used = 0;
    for (int i = -280; i < -120; i++) {
        const double half = ldexp(1.3, i);
        apart_shape* box = apart_shape_box((apart_vec3){half, half, half}, 0, NULL);
        apart_cache cache = {0};
        cache.words[CACHE_KIND] = CACHE_SURFACE;
        cache.words[CACHE_COUNT_A] = cache.words[CACHE_COUNT_B] = 9;
        cache.words[CACHE_FACES] = 14;
        memcpy(&cache.words[CACHE_A], &surface, sizeof surface);
        const apart_query q = {.depth = APART_DEPTH_EXACT};
        apart_result r;
        const apart_pose here = apart_pose_identity;
        assert_int_equal(apart_distance(octahedron, &here, box, &here, &q, &cache, &r), APART_OK);
        assert_true(r.lower_bound <= truth + 1e-16 && truth - 1e-16 <= r.upper_bound);
        used += r.supports <= 8;
        apart_shape_release(box);
    }
    apart_shape_release(octahedron);
    assert_true(used > 0);
}

// --------------------------------------------------------------------------------------------------------- counts ----

#define SIZES 5
static const int sizes[SIZES] = {10, 30, 100, 300, 1000};
#define SEQUENCES 20
#define STEPS 20

typedef struct counts {
    long iterations, supports, visits;
} counts;

static void count(counts* c, const apart_result* r) {
    c->iterations += r->iterations;
    c->supports += r->supports;
    c->visits += r->visits;
}

// Totals over SEQUENCES * STEPS calls: tracked at every speed, cold on the slowest motion.
static counts tracked[METHODS][SPEEDS][SIZES], cold[METHODS][SIZES];

// STEPS calls along the motion of this seed and speed. The first call finds the pair and is not counted.
static void follow(int method, int speed, uint64_t seed, bool track, counts* c) {
    rng r = rng_seed(seed);
    motion m = motion_random(&r, speed, 0.005);
    apart_pose start_a = t.pair.pose_a, start_b = t.pair.pose_b;
    apart_query q = query_of(method, APART_DEPTH_NONE);
    apart_cache cache = {0};
    for (int step = 0; step <= STEPS; step++) {
        apart_result result;
        assert_int_equal(trial_query(&t, &q, track ? &cache : NULL, &result), APART_OK);
        if (step > 0) count(c, &result);
        advance(&t.pair, &m);
    }
    t.pair.pose_a = start_a;
    t.pair.pose_b = start_b;
}

// Two clouds on spheres, half a radius apart, turning almost on the spot, by every method at every speed.
static void measure_sequence(int size, uint64_t seed) {
    rng r = rng_seed(300000 + seed);
    apart_vec3 zero = {0, 0, 0};
    body_cospherical(&r, &t.pair.a, sizes[size]);
    body_cospherical(&r, &t.pair.b, sizes[size]);
    t.pair.pose_a = rng_pose(&r, zero);
    t.pair.pose_b = rng_pose(&r, zero);
    pair_abut(&t.pair, rng_unit_vector(&r), 0.5);
    t.a = body_shape(&t.pair.a, NULL);
    t.b = body_shape(&t.pair.b, NULL);
    for (int m = 0; m < METHODS; m++) {
        for (int speed = 0; speed < SPEEDS; speed++) follow(m, speed, seed, true, &tracked[m][speed][size]);
        follow(m, 0, seed, false, &cold[m][size]);
    }
    trial_close(&t);
}

static int measure(void** state) {
    (void)state;
    for (int i = 0; i < SIZES; i++)
        for (uint64_t seed = 0; seed < SEQUENCES; seed++) measure_sequence(i, seed);
    return 0;
}

static double per_call(long total) { return (double)total / (SEQUENCES * STEPS); }

static void print_table(void) {
    printf("per tracked call: iterations / supports / visits\n%-9s %7s", "method", "degrees");
    for (int i = 0; i < SIZES; i++) printf("        n = %-5d  ", sizes[i]);
    for (int k = 0; k < METHODS * SPEEDS; k++) {
        printf("\n%-9s %7d", method_names[k / SPEEDS], degrees[k % SPEEDS]);
        for (int i = 0; i < SIZES; i++) {
            const counts* c = &tracked[k / SPEEDS][k % SPEEDS][i];
            printf(" %5.2f %6.2f %7.1f", per_call(c->iterations), per_call(c->supports), per_call(c->visits));
        }
    }
    printf("\n");
}

// What the papers promise, whatever the exact counts.
static void test_savings(void** state) {
    (void)state;
    // 100 times the vertices: linear search pays for each, hill climbing only for the longer path on a finer hull.
    static const long growth[SPEEDS] = {3, 8, 10};
    for (int speed = 0; speed < SPEEDS; speed++) {
        const counts* gjk = tracked[APART_METHOD_GJK][speed];
        const counts* enhanced = tracked[APART_METHOD_ENHANCED][speed];
        const counts* features = tracked[APART_METHOD_FEATURES][speed];
        assert_true(gjk[SIZES - 1].visits > 50 * gjk[0].visits);
        assert_true(enhanced[SIZES - 1].visits < growth[speed] * enhanced[0].visits);
        assert_true(30 * enhanced[SIZES - 1].visits < gjk[SIZES - 1].visits);
        for (int i = 0; i < SIZES; i++) assert_true(features[i].supports < enhanced[i].supports);
        // Cameron: 1 to 2 passes when the pair hardly moves.
        for (int i = 0; i < SIZES && speed == 0; i++) assert_true(per_call(enhanced[i].iterations) < 2);
    }
}

// A cache must pay: fewer iterations than cold, and no more visits.
static void test_tracking_pays(void** state) {
    (void)state;
    for (int m = 0; m < METHODS; m++)
        for (int i = 0; i < SIZES; i++) {
            const counts* warm = &tracked[m][0][i];
            printf("%-9s n = %4d: iterations %5.2f cold, %5.2f tracked\n", method_names[m], sizes[i],
                   per_call(cold[m][i].iterations), per_call(warm->iterations));
            assert_true(warm->iterations < cold[m][i].iterations);
            assert_true(warm->visits <= cold[m][i].visits);
        }
}

// The saving of each paper in the count that it is about, per tracked call: what was reached, at each speed and size.
// Less is welcome; 3 % more, and a saving has been lost.
typedef struct saving {
    int method;
    size_t counted; // where in `counts`
    double reached[SPEEDS][SIZES];
} saving;

static const saving savings[] = {
    // Gilbert, Johnson, Keerthi 1988 with the simplex of the last call.
    {APART_METHOD_GJK,
     offsetof(counts, iterations),
     {{1.02, 1.03, 1.06, 1.07, 1.12}, {1.39, 1.93, 2.62, 3.43, 5.35}, {1.73, 2.75, 3.88, 5.19, 7.04}}},
    // Cameron 1997: hill climbing.
    {APART_METHOD_ENHANCED,
     offsetof(counts, visits),
     {{14.0, 18.0, 22.3, 25.5, 30.4}, {35.4, 56.3, 79.1, 104, 169}, {42.7, 77.2, 116, 161, 256}}},
    // Sundaraj, d'Aulignac, Mazer 2000: one body at a time.
    {APART_METHOD_FEATURES,
     offsetof(counts, supports),
     {{2.02, 2.04, 2.08, 2.10, 2.17}, {2.41, 2.89, 3.53, 4.34, 6.57}, {2.75, 3.73, 4.91, 6.49, 9.00}}},
};

static void test_counts(void** state) {
    (void)state;
    bool kept = true;
    print_table();
    for (size_t k = 0; k < sizeof savings / sizeof *savings; k++) {
        const saving* s = &savings[k];
        for (int speed = 0; speed < SPEEDS; speed++)
            for (int i = 0; i < SIZES; i++) {
                const char* at = (const char*)&tracked[s->method][speed][i] + s->counted;
                const double now = per_call(*(const long*)at), then = s->reached[speed][i];
                if (now <= 1.03 * then) continue;
                kept = false;
                printf("%s, %d degrees, n = %d: %.2f, was %.2f\n", method_names[s->method], degrees[speed], sizes[i],
                       now, then);
            }
    }
    assert_true(kept);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sequences),         cmocka_unit_test(test_any_cache),
        cmocka_unit_test(test_surface_of_specks), cmocka_unit_test(test_savings),
        cmocka_unit_test(test_tracking_pays),     cmocka_unit_test(test_counts),
        cmocka_unit_test(test_bounds_vanish),
    };
    return cmocka_run_group_tests(tests, measure, NULL);
}

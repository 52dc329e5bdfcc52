// Depth, asked in other ways: bodies exchanged, moved together, in another unit; led out along the normal; step by step
// along a line through each other; with a cache, a strange cache, with errors and a cutoff; tracked.
#include "convex/cache.h"

#include "answers.h"
#include "base/vec.h"
#include "certificate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static trial t;
static pair base; // the pair as first asked

static apart_result ask_open(const apart_query* q, apart_cache* cache) {
    apart_result r;
    memset(&r, 0, sizeof r);
    assert_int_equal(trial_query(&t, q, cache, &r), APART_OK);
    return r;
}

// The exact answer to t.pair, with shapes made for this one question.
static apart_result ask(int method) {
    apart_query q = query_of(method, APART_DEPTH_EXACT);
    assert_true(trial_shape(&t));
    apart_result r = ask_open(&q, NULL);
    trial_close(&t);
    return r;
}

static bool has_corners(const body* b) { return body_is_polytope(b) && !b->callback; }

// The gap that two tight answers may differ by: the widest that the certificates allow.
static double slack_of(const pair* p) {
    return (has_corners(&p->a) && has_corners(&p->b) ? 1e-11 : 2e-9) * pair_size(p);
}

static bool near_vector(apart_vec3 a, apart_vec3 b) { return vec3_sum_abs(vec3_sub(a, b)) <= 1e-6; }

// Bodies of every kind in each other: through each other's surface by anything up to all the way, or one about the
// other's origin.
static void overlapping_pair(pair* p, uint64_t seed, int most) {
    rng r = rng_seed(seed);
    p->seed = seed;
    p->placement = PLACE_DEEP;
    body_random(&r, &p->a, most);
    body_random(&r, &p->b, most);
    apart_vec3 zero = {0, 0, 0}, n = rng_unit_vector(&r);
    p->pose_a = rng_pose(&r, zero);
    p->pose_b = rng_chance(&r, 0.2) ? p->pose_a : rng_pose(&r, zero);
    if (rng_chance(&r, 0.5)) p->pose_a.translation = rng_in_cube(&r, 4);
    double size = (double)(oracle_extent(&p->a) + oracle_extent(&p->b));
    pair_abut(p, n, -size * rng_unit(&r) * rng_unit(&r));
}

// How many were in each other, of those asked.
typedef struct tally {
    long asked, overlaps, wrong;
} tally;

// Counts two answers; says of the first ones that are wrong how they were asked.
static void count(tally* y, const char* how, int method, const apart_result* r, const apart_result* s, bool right) {
    y->asked++;
    y->overlaps += r->upper_bound < 0;
    if (!right && y->wrong++ < 10) answers_complain(how, method_names[method], t.pair.seed, r, s);
}

static void check(const char* what, const tally* y) {
    printf("%s: %ld asked, %ld in each other, %ld wrong\n", what, y->asked, y->overlaps, y->wrong);
    assert_true(3 * y->overlaps > y->asked);
    assert_int_equal(y->wrong, 0);
}

// -------------------------------------------------------------------------------------------- exchanged and moved ----

// The same distance; the same way out but for the sign, unless two are equally long, which is rare at random.
static void test_swap(void** state) {
    (void)state;
    tally y = {0};
    long mirrored = 0;
    for (uint64_t seed = 500001; seed <= 500800; seed++) {
        overlapping_pair(&base, seed, 12);
        for (int m = 0; m < METHODS; m++) {
            t.pair = base;
            apart_result r = ask(m);
            pair_exchange(&t.pair);
            apart_result s = ask(m);
            count(&y, "exchanged", m, &r, &s, answers_agree(&r, &s, slack_of(&base)));
            mirrored += near_vector(r.normal, vec3_scale(-1, s.normal));
        }
    }
    printf("exchanged: the normals of %ld of %ld are mirrored\n", mirrored, y.asked);
    check("exchanged", &y);
    assert_true(10 * mirrored > 7 * y.asked);
}

static void test_motion(void** state) {
    (void)state;
    tally y = {0};
    for (uint64_t seed = 510001; seed <= 510800; seed++) {
        rng r = rng_seed(seed);
        overlapping_pair(&base, seed, 12);
        for (int m = 0; m < METHODS; m++) {
            t.pair = base;
            apart_result first = ask(m);
            apart_mat3 turn = rng_rotation(&r);
            apart_vec3 shift = rng_in_cube(&r, 4);
            pair_move(&t.pair, &turn, shift);
            apart_result second = ask(m);
            bool right = answers_agree(&first, &second, slack_of(&base) + 0x1p-45);
            count(&y, "moved together", m, &first, &second, right);
        }
    }
    check("moved together", &y);
}

// A power of two as unit changes no bit but the exponents.
static void test_unit(void** state) {
    (void)state;
    tally y = {0};
    for (uint64_t seed = 520001; seed <= 520800; seed++) {
        rng r = rng_seed(seed);
        overlapping_pair(&base, seed, 12);
        double unit = ldexp(1, rng_between(&r, -400, 400));
        for (int m = 0; m < METHODS; m++) {
            t.pair = base;
            apart_result first = ask(m);
            pair_scale(&t.pair, unit);
            apart_result second = ask(m);
            count(&y, "in another unit", m, &first, &second, answers_same_but_unit(&first, &second, unit));
        }
    }
    check("in another unit", &y);
}

// ---------------------------------------------------------------------------------------------------- the way out ----

// b moved by -distance along the normal just touches a, to within the bracket.
static void test_way_out(void** state) {
    (void)state;
    tally y = {0};
    double farthest = 0;
    for (uint64_t seed = 530001; seed <= 530800; seed++) {
        overlapping_pair(&base, seed, 16);
        for (int m = 0; m < METHODS; m++) {
            t.pair = base;
            apart_result r = ask(m);
            t.pair.pose_b.translation = vec3_mad(base.pose_b.translation, -r.distance, r.normal);
            apart_result s = ask(m);
            double slack = slack_of(&base) + 0x1p-48 + 4 * (r.upper_bound - r.lower_bound);
            bool right = r.distance > 0 || (fabs(s.upper_bound) <= slack && fabs(s.lower_bound) <= slack);
            count(&y, "led out", m, &r, &s, right);
            if (r.distance <= 0) farthest = fmax(farthest, fabs(s.distance) / pair_size(&base));
        }
    }
    printf("led out: within %.1e of the size\n", farthest);
    check("led out", &y);
}

// ----------------------------------------------------------------------------------------------------- continuity ----

#define SCAN 60

// The signed distance changes by a step at most when b moves by a step: from apart, through contact, all the way in
// and out on the other side. Cold and with a cache.
static void scan(tally* y, int m, apart_vec3 n, double step, bool track) {
    apart_query q = query_of(m, APART_DEPTH_EXACT);
    apart_cache cache = {0};
    apart_result before = {0};
    double slack = slack_of(&base) + 0x1p-48;
    for (int i = 0; i <= SCAN; i++) {
        t.pair.pose_b.translation = vec3_mad(base.pose_b.translation, -step * i, n);
        apart_result r = ask_open(&q, track ? &cache : NULL);
        bool right = i == 0 || fabs(r.distance - before.distance) <= step + slack;
        right = right && r.upper_bound - r.lower_bound <= slack;
        count(y, track ? "a step, tracked" : "a step", m, &r, &before, right);
        before = r;
    }
}

static void test_continuity(void** state) {
    (void)state;
    tally y = {0};
    for (uint64_t seed = 540001; seed <= 540060; seed++) {
        rng r = rng_seed(seed);
        overlapping_pair(&base, seed, 12);
        apart_vec3 n = rng_unit_vector(&r);
        // One in three scans looks at the surface closely.
        double size = (double)(oracle_extent(&base.a) + oracle_extent(&base.b)), close = seed % 3 ? 1 : 1e-6;
        pair_abut(&base, n, 0.2 * size * close);
        for (int m = 0; m < METHODS; m++)
            for (int track = 0; track < 2; track++) {
                t.pair = base;
                assert_true(trial_shape(&t));
                scan(&y, m, n, 2.4 * size * close / SCAN, track);
                trial_close(&t);
            }
    }
    check("steps along a line", &y);
}

// ------------------------------------------------------------------------------------------------------ any cache ----

static void garbage(rng* r, apart_cache* cache) {
    unsigned char* bytes = (unsigned char*)cache;
    // Any bits, or small numbers that may well be in range.
    bool small = rng_chance(r, 0.5);
    for (size_t i = 0; i < sizeof *cache; i++)
        bytes[i] = (unsigned char)(small ? (i % 4 ? 0 : rng_below(r, 8)) : (int)(rng_next(r) & 255));
    if (rng_chance(r, 0.5)) return;
    // Almost plausible.
    cache->words[CACHE_KIND] = (uint32_t)rng_below(r, 5);
    cache->words[CACHE_COUNT_A] = (uint32_t)rng_below(r, 6);
    cache->words[CACHE_COUNT_B] = rng_chance(r, 0.5) ? cache->words[CACHE_COUNT_A] : (uint32_t)rng_below(r, 6);
    apart_vec3 d = rng_unit_vector(r);
    const double special[] = {0, NAN, INFINITY, 1e-300, 1e300, d.y};
    cache_set_normal(cache, vec3_make(d.x, special[rng_below(r, 6)], d.z));
}

// Flips a few bits of a cache that was good.
static void damage(rng* r, apart_cache* cache) {
    unsigned char* bytes = (unsigned char*)cache;
    for (int i = rng_between(r, 1, 4); i > 0; i--)
        bytes[rng_below(r, (int)sizeof *cache)] ^= (unsigned char)(1 << rng_below(r, 8));
}

// Random bits, damaged caches, the caches of other pairs, other methods and queries without depth.
static void test_any_cache(void** state) {
    (void)state;
    census c = {0};
    apart_cache stranger = {0};
    for (uint64_t seed = 550001; seed <= 550500; seed++) {
        rng r = rng_seed(seed);
        overlapping_pair(&t.pair, seed, 20);
        assert_true(trial_open(&t));
        trial_ask_depth(&t);
        c.placed[t.pair.placement]++;
        for (int m = 0; m < METHODS; m++) {
            apart_query q = query_of(m, seed % 4 ? APART_DEPTH_EXACT : APART_DEPTH_BOUND);
            apart_query without = query_of(m, APART_DEPTH_NONE);
            apart_cache cache;
            garbage(&r, &cache);
            trial_judge(&t, &q, &cache, &c);
            // What the call left behind is a good cache for the same pair, with depth and without.
            trial_judge(&t, &q, &cache, &c);
            trial_judge(&t, &without, &cache, &c);
            trial_judge(&t, &q, &cache, &c);
            damage(&r, &cache);
            trial_judge(&t, &q, &cache, &c);
            trial_judge(&t, &q, &stranger, &c);
        }
        trial_close(&t);
    }
    census_print(stdout, &c);
    for (int m = 0; m < METHODS; m++) assert_true(c.judged[m][REGIME_OVERLAP] > 1000);
    assert_int_equal(c.wrong, 0);
}

// A surface in a cache that lacks a face, has one twice, or shows one from the wrong side.
static void break_surface(apart_cache* cache, uint32_t face, int how) {
    cache_surface m;
    memcpy(&m, &cache->words[CACHE_A], sizeof m);
    uint32_t* faces = &cache->words[CACHE_FACES];
    uint8_t *f = m.face[face], first = f[0];
    if (how == 0) memcpy(f, m.face[--*faces], sizeof m.face[0]);
    if (how == 1 && *faces < CACHE_MOST_FACES) memcpy(m.face[(*faces)++], f, sizeof m.face[0]);
    if (how == 2) f[0] = f[1], f[1] = first;
    memcpy(&cache->words[CACHE_A], &m, sizeof m);
}

// Each face in turn.
static void test_broken_surface(void** state) {
    (void)state;
    census c = {0};
    long broken = 0;
    for (uint64_t seed = 555001; seed <= 555300; seed++) {
        overlapping_pair(&t.pair, seed, 12);
        assert_true(trial_open(&t));
        trial_ask_depth(&t);
        apart_query q = query_of(0, APART_DEPTH_EXACT);
        apart_cache good = {0};
        for (int i = 0; i < 2; i++) trial_judge(&t, &q, &good, &c);
        bool kept = good.words[CACHE_KIND] == CACHE_SURFACE;
        for (uint32_t f = 0; kept && f < good.words[CACHE_FACES]; f++)
            for (int how = 0; how < 3; how++, broken++) {
                apart_cache cache = good;
                break_surface(&cache, f, how);
                trial_judge(&t, &q, &cache, &c);
            }
        trial_close(&t);
    }
    printf("%ld broken surfaces\n", broken);
    assert_true(broken > 1000);
    assert_int_equal(c.wrong, 0);
}

// -------------------------------------------------------------------------------------------------------- options ----

static apart_query random_options(rng* r, int m) {
    apart_query q = query_of(m, rng_chance(r, 0.7) ? APART_DEPTH_EXACT : APART_DEPTH_BOUND);
    double size = (double)t.truth.size;
    int kind = rng_below(r, 3);
    if (kind == 0) q.relative_error = rng_magnitude(r, -20, -2);
    if (kind == 1) q.absolute_error = size * rng_magnitude(r, -30, -3);
    if (kind == 2) q.cutoff = size * rng_uniform(r, -0.5, 0.5);
    return q;
}

// Errors and cutoffs are kept (the certificate knows them), and a larger error costs less on round bodies.
static void test_options(void** state) {
    (void)state;
    census c = {0};
    long exactly = 0, roughly = 0, round = 0;
    for (uint64_t seed = 560001; seed <= 560600; seed++) {
        rng r = rng_seed(seed);
        overlapping_pair(&t.pair, seed, 20);
        assert_true(trial_open(&t));
        trial_ask_depth(&t);
        c.placed[t.pair.placement]++;
        for (int m = 0; m < METHODS; m++) {
            apart_query options = random_options(&r, m), exact = query_of(m, APART_DEPTH_EXACT), rough = exact;
            rough.relative_error = 0.1;
            trial_judge(&t, &options, NULL, &c);
            trial_judge(&t, &rough, NULL, &c);
            if (t.corners || t.truth.depth <= 0) continue;
            round++;
            exactly += ask_open(&exact, NULL).supports;
            roughly += ask_open(&rough, NULL).supports;
        }
        trial_close(&t);
    }
    census_print(stdout, &c);
    printf("round bodies: %.1f supports, %.1f to a tenth of the depth\n", (double)exactly / (double)round,
           (double)roughly / (double)round);
    assert_int_equal(c.wrong, 0);
    assert_true(round > 200);
    assert_true(3 * roughly < 2 * exactly);
}

// A depth that is none is refused, and nothing is written.
static void test_refused(void** state) {
    (void)state;
    overlapping_pair(&t.pair, 1, 12);
    assert_true(trial_shape(&t));
    const int bad[] = {-1, 3, 7, 1000};
    for (int m = 0; m < METHODS; m++)
        for (int i = 0; i < 4; i++) {
            apart_query q = query_of(m, APART_DEPTH_EXACT);
            apart_result r, untouched;
            apart_cache cache, before;
            memset(&r, 0x5a, sizeof r);
            memset(&cache, 0x5a, sizeof cache);
            untouched = r;
            before = cache;
            memcpy(&q.depth, &bad[i], sizeof q.depth);
            assert_int_equal(trial_query(&t, &q, &cache, &r), APART_INVALID);
            assert_memory_equal(&r, &untouched, sizeof r);
            assert_memory_equal(&cache, &before, sizeof cache);
        }
    trial_close(&t);
}

// ------------------------------------------------------------------------------------------------------- tracking ----

#define SIZES 4
static const int sizes[SIZES] = {8, 20, 50, 200};
#define SEQUENCES 10
#define STEPS 20

// 1 % of the size and 1 degree a step: cosine and sine of half the angle.
#define HALF_COS 0.99996192306417131
#define HALF_SIN 0.0087265354983739347

static void advance(const apart_mat3* turn, apart_vec3 shift) {
    t.pair.pose_b.rotation = rng_product(turn, &t.pair.pose_b.rotation);
    t.pair.pose_b.translation = vec3_mad(t.pair.pose_b.translation, 1, shift);
}

// How the bodies lie in each other, and how many times fewer supports than cold a tracked call must need.
typedef enum lie { THROUGH_SURFACE, CENTRE_ON_CENTRE, LIES } lie;
static const char* const lie_names[LIES] = {"a third in", "concentric"};
static const double savings[LIES][SIZES] = {{5, 7, 6, 4}, {6, 6, 2, 1}};

typedef struct cost {
    long tracked, cold, calls;
} cost;

static double mean(long sum, const cost* c) { return (double)sum / (double)c->calls; }

// Two clouds on spheres. The first call finds the pair and does not count.
static void follow(tally* y, int m, lie how, int size, uint64_t seed, cost* c) {
    rng r = rng_seed(seed);
    apart_vec3 zero = {0, 0, 0}, axis = rng_unit_vector(&r), shift = vec3_scale(0.01, rng_unit_vector(&r));
    apart_mat3 turn = rng_matrix(HALF_COS, HALF_SIN * axis.x, HALF_SIN * axis.y, HALF_SIN * axis.z);
    t.pair.seed = seed;
    body_cospherical(&r, &t.pair.a, sizes[size]);
    body_cospherical(&r, &t.pair.b, sizes[size]);
    t.pair.pose_a = rng_pose(&r, zero);
    t.pair.pose_b = rng_pose(&r, zero);
    if (how == THROUGH_SURFACE) pair_abut(&t.pair, rng_unit_vector(&r), -0.6);
    assert_true(trial_shape(&t));
    apart_query q = query_of(m, APART_DEPTH_EXACT);
    apart_cache cache = {0};
    for (int step = 0; step <= STEPS; step++) {
        apart_result tracked = ask_open(&q, &cache), cold = ask_open(&q, NULL);
        bool right = tracked.lower_bound <= cold.upper_bound && cold.lower_bound <= tracked.upper_bound &&
                     tracked.upper_bound - tracked.lower_bound <= slack_of(&t.pair);
        count(y, "cold and tracked", m, &cold, &tracked, right);
        if (step > 0) c->tracked += tracked.supports, c->cold += cold.supports, c->calls++;
        advance(&turn, shift);
    }
    trial_close(&t);
}

static void test_tracking(void** state) {
    (void)state;
    tally y = {0};
    long dear = 0;
    for (int m = 0; m < METHODS; m++)
        for (int how = 0; how < LIES; how++)
            for (int i = 0; i < SIZES; i++) {
                cost c = {0};
                for (uint64_t seed = 570001; seed < 570001 + SEQUENCES; seed++) follow(&y, m, (lie)how, i, seed, &c);
                printf("%-9s %s, n = %3d: supports %6.2f cold, %6.2f tracked\n", method_names[m], lie_names[how],
                       sizes[i], mean(c.cold, &c), mean(c.tracked, &c));
                dear += savings[how][i] * mean(c.tracked, &c) >= mean(c.cold, &c);
            }
    check("tracked and cold", &y);
    assert_int_equal(dear, 0);
}

// A bound of deep hulls takes the support points that find the overlap and one more.
static void test_cheap_bound(void** state) {
    (void)state;
    for (int i = 0; i < SIZES; i++) {
        long calls = 0, tracked = 0, cold_supports = 0, all = 0;
        for (uint64_t seed = 575001; seed < 575001 + SEQUENCES; seed++) {
            rng r = rng_seed(seed);
            apart_vec3 zero = {0, 0, 0}, axis = rng_unit_vector(&r);
            apart_mat3 turn = rng_matrix(HALF_COS, HALF_SIN * axis.x, HALF_SIN * axis.y, HALF_SIN * axis.z);
            body_cospherical(&r, &t.pair.a, sizes[i]);
            body_cospherical(&r, &t.pair.b, sizes[i]);
            t.pair.pose_a = rng_pose(&r, zero);
            t.pair.pose_b = rng_pose(&r, zero);
            assert_true(trial_shape(&t));
            apart_query q = query_of(0, APART_DEPTH_BOUND);
            apart_cache cache = {0};
            for (int step = 0; step <= STEPS; step++) {
                apart_result warm = ask_open(&q, &cache), cold = ask_open(&q, NULL);
                assert_true(warm.upper_bound < 0 && cold.upper_bound < 0);
                cold_supports += cold.supports, all++;
                if (step > 0) tracked += warm.supports, calls++;
                advance(&turn, zero);
            }
            trial_close(&t);
        }
        printf("bound, n = %3d: %.2f supports tracked, %.2f cold\n", sizes[i], (double)tracked / (double)calls,
               (double)cold_supports / (double)all);
        assert_true(tracked < 20 * calls && cold_supports < 20 * all);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_swap),           cmocka_unit_test(test_motion),      cmocka_unit_test(test_unit),
        cmocka_unit_test(test_way_out),        cmocka_unit_test(test_continuity),  cmocka_unit_test(test_any_cache),
        cmocka_unit_test(test_options),        cmocka_unit_test(test_refused),     cmocka_unit_test(test_tracking),
        cmocka_unit_test(test_broken_surface), cmocka_unit_test(test_cheap_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

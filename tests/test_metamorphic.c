// What must not change, or must change in a known way, when the question is put differently: bodies exchanged, moved
// together, listed in another order, measured in another unit, described in another way.
#include "certificate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static trial t;
static pair base; // the pair as first asked

static apart_query query_of(int method) {
    apart_query q = apart_query_default();
    q.method = (apart_method)method;
    return q;
}

// The answer to t.pair, with shapes made for this one question.
static apart_result ask_depth(int method, apart_depth depth) {
    apart_error error = {0};
    apart_query q = query_of(method);
    q.depth = depth;
    apart_result r;
    memset(&r, 0, sizeof r);
    t.a = body_shape(&t.pair.a, &error);
    t.b = body_shape(&t.pair.b, &error);
    assert_non_null(t.a);
    assert_non_null(t.b);
    assert_int_equal(trial_query(&t, &q, NULL, &r), APART_OK);
    trial_close(&t);
    return r;
}

static apart_result ask(int method) { return ask_depth(method, APART_DEPTH_NONE); }

static double size_of(const pair* p) {
    apart_vec3 a = p->pose_a.translation, b = p->pose_b.translation;
    return (double)(oracle_extent(&p->a) + oracle_extent(&p->b)) + fabs(a.x - b.x) + fabs(a.y - b.y) + fabs(a.z - b.z);
}

// Two answers to the same question up to `slack`: their brackets meet, and neither is wide.
static bool agree(const apart_result* r, const apart_result* s, double slack) {
    return r->lower_bound <= s->distance + slack && s->lower_bound <= r->distance + slack &&
           fabs(r->distance - s->distance) <= slack;
}

static void complain(const char* what, int method, const apart_result* r, const apart_result* s) {
    printf("%s, %s, seed %llu: [%.17g, %.17g] and [%.17g, %.17g]\n", what, method_names[method],
           (unsigned long long)base.seed, r->lower_bound, r->distance, s->lower_bound, s->distance);
}

// The gap that two tight answers may differ by: the widest that the certificates allow.
static double slack_of(const pair* p) {
    bool corners = body_is_polytope(&p->a) && body_is_polytope(&p->b) && !p->a.callback && !p->b.callback;
    return (corners ? 1e-12 : 1e-9) * size_of(p);
}

static bool same_vector(apart_vec3 a, apart_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
static apart_vec3 scaled(double s, apart_vec3 a) {
    apart_vec3 r = {s * a.x, s * a.y, s * a.z};
    return r;
}

static bool same_witness(const apart_witness* a, const apart_witness* b) {
    if (a->count != b->count) return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->vertex[i] != b->vertex[i] || a->weight[i] != b->weight[i]) return false;
    return true;
}

// -------------------------------------------------------------------------------------------------------- swapped ----

// s answers the question of r with the bodies exchanged, bit by bit. In contact any common point will do.
static bool mirrors(const apart_result* r, const apart_result* s) {
    if (r->distance != s->distance || r->lower_bound != s->lower_bound) return false;
    if (r->lower_bound == 0) return true;
    return same_vector(r->point_a, s->point_b) && same_vector(r->point_b, s->point_a) &&
           same_vector(r->normal, scaled(-1, s->normal)) && same_witness(&r->a, &s->b) && same_witness(&r->b, &s->a);
}

// GJK works on the difference and mirrors bit by bit. Features update one body at a time and begin with the first: the
// same distance by another path, so that only the brackets are compared.
static void test_swap(void** state) {
    (void)state;
    long wrong = 0, asked = 0;
    for (uint64_t seed = 80001; seed <= 82000; seed++) {
        pair_random(&base, seed);
        for (int m = 0; m < METHODS; m++) {
            t.pair = base;
            apart_result r = ask(m);
            pair_exchange(&t.pair);
            apart_result s = ask(m);
            asked++;
            if (m == APART_METHOD_FEATURES ? agree(&r, &s, slack_of(&base)) : mirrors(&r, &s)) continue;
            if (wrong++ < 10) complain("swapped", m, &r, &s);
        }
    }
    printf("swapped: %ld asked, %ld do not mirror\n", asked, wrong);
    assert_int_equal(wrong, 0);
}

// ----------------------------------------------------------------------------------------------------------- unit ----

static bool same_but_unit(const apart_result* r, const apart_result* s, double unit) {
    return r->distance * unit == s->distance && r->lower_bound * unit == s->lower_bound &&
           same_vector(scaled(unit, r->point_a), s->point_a) && same_vector(scaled(unit, r->point_b), s->point_b) &&
           same_vector(r->normal, s->normal) && same_witness(&r->a, &s->a) && same_witness(&r->b, &s->b) &&
           r->iterations == s->iterations && r->supports == s->supports && r->visits == s->visits;
}

// A power of two as unit changes no bit but the exponents.
static void test_unit(void** state) {
    (void)state;
    long wrong = 0, asked = 0;
    for (uint64_t seed = 83001; seed <= 85000; seed++) {
        pair_random(&base, seed);
        double size = size_of(&base);
        if (size < 1e-20 || size > 1e20) continue;
        rng r = rng_seed(seed);
        double unit = ldexp(1, rng_between(&r, -400, 400));
        for (int m = 0; m < METHODS; m++) {
            t.pair = base;
            apart_result first = ask(m);
            pair_scale(&t.pair, unit);
            apart_result second = ask(m);
            asked++;
            if (same_but_unit(&first, &second, unit)) continue;
            if (wrong++ < 10) complain("in another unit", m, &first, &second);
        }
    }
    printf("in another unit: %ld asked, %ld differ\n", asked, wrong);
    assert_true(asked > 4000);
    assert_int_equal(wrong, 0);
}

// ---------------------------------------------------------------------------------------------------- vertex order
// ----

static void shuffle(rng* r, body* b) {
    for (int i = b->count - 1; i > 0; i--) {
        int j = rng_below(r, i + 1);
        apart_vec3 p = b->points[i];
        b->points[i] = b->points[j];
        b->points[j] = p;
    }
}

// Adds copies of corners and points between them: the hull stays the same, up to rounding.
static void pad(rng* r, body* b) {
    int count = b->count;
    for (int i = 0; i < count && b->count < BODY_MAX_POINTS; i++) {
        apart_vec3 p = b->points[i], q = b->points[rng_below(r, count)];
        if (rng_chance(r, 0.5)) p.x = p.x / 2 + q.x / 2, p.y = p.y / 2 + q.y / 2, p.z = p.z / 2 + q.z / 2;
        b->points[b->count++] = p;
    }
}

static void test_order(void** state) {
    (void)state;
    long wrong = 0, asked = 0;
    for (uint64_t seed = 86001; seed <= 88000; seed++) {
        rng r = rng_seed(seed);
        pair_random(&base, seed);
        for (int m = 0; m < METHODS; m++) {
            t.pair = base;
            apart_result first = ask(m);
            if (seed & 1) pad(&r, &t.pair.a), pad(&r, &t.pair.b);
            shuffle(&r, &t.pair.a);
            shuffle(&r, &t.pair.b);
            apart_result second = ask(m);
            asked++;
            if (agree(&first, &second, slack_of(&base))) continue;
            if (wrong++ < 10) complain("in another order", m, &first, &second);
        }
    }
    printf("in another order: %ld asked, %ld differ\n", asked, wrong);
    assert_int_equal(wrong, 0);
}

// --------------------------------------------------------------------------------------------------- rigid motion ----

static void test_motion(void** state) {
    (void)state;
    long wrong = 0, asked = 0;
    for (uint64_t seed = 89001; seed <= 91000; seed++) {
        rng r = rng_seed(seed);
        pair_random(&base, seed);
        double size = size_of(&base), place = size;
        const apart_vec3 at = base.pose_a.translation;
        place += fabs(at.x) + fabs(at.y) + fabs(at.z);
        for (int m = 0; m < METHODS; m++) {
            t.pair = base;
            apart_result first = ask(m);
            apart_mat3 turn = rng_rotation(&r);
            apart_vec3 shift = rng_in_cube(&r, size);
            pose_move(&t.pair.pose_a, &turn, shift);
            pose_move(&t.pair.pose_b, &turn, shift);
            apart_result second = ask(m);
            asked++;
            // The moved poses are rounded themselves: 16 roundings of the place.
            if (agree(&first, &second, slack_of(&base) + 0x1p-49 * place)) continue;
            if (wrong++ < 10) complain("moved together", m, &first, &second);
        }
    }
    printf("moved together: %ld asked, %ld differ\n", asked, wrong);
    assert_int_equal(wrong, 0);
}

// ----------------------------------------------------------------------------------------- another way to say it ----

// All four brackets have a point in common.
static void test_methods_agree(void** state) {
    (void)state;
    long wrong = 0;
    for (uint64_t seed = 92001; seed <= 94000; seed++) {
        pair_random(&base, seed);
        t.pair = base;
        double low = 0, high = INFINITY;
        for (int m = 0; m < METHODS; m++) {
            apart_result r = ask(m);
            low = fmax(low, r.lower_bound);
            high = fmin(high, r.distance);
        }
        if (low <= high) continue;
        if (wrong++ < 10) printf("methods disagree, seed %d: %.17g > %.17g\n", (int)seed, low, high);
    }
    printf("methods disagree: %ld\n", wrong);
    assert_int_equal(wrong, 0);
}

// Boxes, spheres and capsules as clouds of points, anything as a callback: the brackets still meet.
static bool reword(body* b, bool callback) {
    if (!body_is_polytope(b)) {
        if (b->callback == callback) return false;
        b->callback = callback;
        return true;
    }
    int corners = body_corners(b);
    for (int i = 0; i < corners; i++) b->points[i] = body_corner(b, i);
    bool changed = b->kind != BODY_POINTS || b->callback != callback;
    b->count = corners;
    b->kind = BODY_POINTS;
    b->callback = callback;
    return changed;
}

static void test_descriptions(void** state) {
    (void)state;
    long wrong = 0, asked = 0;
    for (uint64_t seed = 95001; seed <= 97000; seed++) {
        pair_random(&base, seed);
        for (int m = 0; m < METHODS; m++) {
            t.pair = base;
            apart_result first = ask(m);
            if (!reword(&t.pair.a, seed % 3 == 0) && !reword(&t.pair.b, seed % 3 == 1)) continue;
            apart_result second = ask(m);
            asked++;
            if (agree(&first, &second, 1e-9 * size_of(&base))) continue;
            if (wrong++ < 10) complain("in other words", m, &first, &second);
        }
    }
    printf("in other words: %ld asked, %ld differ\n", asked, wrong);
    assert_true(asked > 2000);
    assert_int_equal(wrong, 0);
}

// A larger radius takes its part of the distance, no more and no less.
static void test_radius(void** state) {
    (void)state;
    long wrong = 0, asked = 0;
    for (uint64_t seed = 98001; seed <= 100000; seed++) {
        pair_random(&base, seed);
        if (base.a.kind > BODY_CAPSULE) continue;
        for (int m = 0; m < METHODS; m++) {
            t.pair = base;
            apart_result first = ask(m);
            double more = first.distance * ((double)(seed % 7) / 8);
            t.pair.a.radius += more;
            apart_result second = ask(m);
            first.distance -= more;
            first.lower_bound -= more;
            asked++;
            if (agree(&first, &second, slack_of(&t.pair))) continue;
            if (wrong++ < 10) complain("with a larger radius", m, &first, &second);
        }
    }
    printf("with a larger radius: %ld asked, %ld differ\n", asked, wrong);
    assert_true(asked > 2000);
    assert_int_equal(wrong, 0);
}

// ------------------------------------------------------------------------------------------------- the same bits ----

// FNV-1a over whole words.
static void mix(uint64_t* hash, uint64_t word) {
    for (int i = 0; i < 8; i++) *hash = (*hash ^ (word >> (8 * i) & 255)) * 0x100000001b3u;
}

static void mix_double(uint64_t* hash, double x) {
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    mix(hash, word);
}

static void mix_vector(uint64_t* hash, apart_vec3 p) {
    mix_double(hash, p.x);
    mix_double(hash, p.y);
    mix_double(hash, p.z);
}

static void mix_witness(uint64_t* hash, const apart_witness* w) {
    mix(hash, w->count);
    for (uint32_t i = 0; i < w->count; i++) {
        mix(hash, w->vertex[i]);
        mix_double(hash, w->weight[i]);
    }
}

static void mix_result(uint64_t* hash, const apart_result* r) {
    mix_double(hash, r->distance);
    mix_double(hash, r->lower_bound);
    mix_vector(hash, r->point_a);
    mix_vector(hash, r->point_b);
    mix_vector(hash, r->normal);
    mix_witness(hash, &r->a);
    mix_witness(hash, &r->b);
    mix(hash, (uint64_t)r->iterations);
    mix(hash, (uint64_t)r->supports);
    mix(hash, (uint64_t)r->visits);
}

// Every bit of 3000 answers by each method, without depth, with a bound and with the depth. The same on every machine,
// with every compiler and instruction set; a change of the algorithm shows here and is entered once it is understood.
#define DEPTHS 3
static const uint64_t golden_bits[DEPTHS][METHODS] = {
    {0xc8d948a586b690c9u, 0xd4c6e4301f3c68dbu, 0x68b8bb6822945c80u, 0x35ba7487a6ae05dcu},
    {0x947f2d9b2e2307adu, 0xd74633445cc1e132u, 0x2cf9f67b03e2bc53u, 0x3ff3ede270cc9a7u},
    {0x54da49cfdabbde4au, 0xb7ab678a62dad98u, 0xc9a18b01bde571f5u, 0x8879a2eece9c3c71u},
};

static void test_same_bits(void** state) {
    (void)state;
    uint64_t hash[DEPTHS][METHODS];
    for (int d = 0; d < DEPTHS; d++)
        for (int m = 0; m < METHODS; m++) hash[d][m] = 0xcbf29ce484222325u;
    for (uint64_t seed = 100001; seed <= 103000; seed++) {
        pair_random(&t.pair, seed);
        for (int d = 0; d < DEPTHS; d++) {
            for (int m = 0; m < METHODS; m++) {
                apart_result r = ask_depth(m, (apart_depth)d);
                mix_result(&hash[d][m], &r);
            }
        }
    }
    for (int d = 0; d < DEPTHS; d++)
        printf("    {0x%llxu, 0x%llxu, 0x%llxu, 0x%llxu},\n", (unsigned long long)hash[d][0],
               (unsigned long long)hash[d][1], (unsigned long long)hash[d][2], (unsigned long long)hash[d][3]);
    assert_memory_equal(hash, golden_bits, sizeof hash);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_swap),   cmocka_unit_test(test_unit),          cmocka_unit_test(test_order),
        cmocka_unit_test(test_motion), cmocka_unit_test(test_methods_agree), cmocka_unit_test(test_descriptions),
        cmocka_unit_test(test_radius), cmocka_unit_test(test_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// What must not change, or must change in a known way, when the question is put differently: bodies exchanged, moved
// together, listed in another order, measured in another unit, described in another way.
#include "answers.h"
#include "base/vec.h"
#include "certificate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static trial t;
static pair base; // the pair as first asked

// The answer to t.pair, with shapes made for this one question.
static apart_result ask(int method) {
    apart_query q = query_of(method, APART_DEPTH_NONE);
    apart_result r;
    memset(&r, 0, sizeof r);
    assert_true(trial_shape(&t));
    assert_int_equal(trial_query(&t, &q, NULL, &r), APART_OK);
    trial_close(&t);
    return r;
}

// The gap that two tight answers may differ by: the widest that the certificates allow.
static double slack_of(const pair* p) {
    bool corners = body_is_polytope(&p->a) && body_is_polytope(&p->b) && !p->a.callback && !p->b.callback;
    return (corners ? 1e-12 : 1e-9) * pair_size(p);
}

// ----------------------------------------------------------------------------------------------------- variations ----

// Another way to put the question.
typedef struct variation {
    const char* name;
    uint64_t first; // of 2000 seeds
    long least;     // so many pairs at least can be put that way
    // Changes t.pair, and *before, its answer, into what is expected. Returns what `same` needs to know; NAN if this
    // pair cannot be put that way.
    double (*change)(rng* r, int method, apart_result* before);
    bool (*same)(const apart_result* before, const apart_result* after, double known);
} variation;

static void try_variation(void** state) {
    const variation* v = *state;
    long wrong = 0, asked = 0;
    for (uint64_t seed = v->first; seed < v->first + 2000; seed++) {
        pair_random(&base, seed);
        for (int m = 0; m < METHODS; m++) {
            rng r = rng_seed(METHODS * seed + (uint64_t)m);
            t.pair = base;
            apart_result before = ask(m);
            double known = v->change(&r, m, &before);
            if (isnan(known)) continue;
            apart_result after = ask(m);
            asked++;
            if (v->same(&before, &after, known)) continue;
            if (wrong++ < 10) answers_complain(v->name, method_names[m], seed, &before, &after);
        }
    }
    printf("%s: %ld asked, %ld differ\n", v->name, asked, wrong);
    assert_true(asked >= v->least);
    assert_int_equal(wrong, 0);
}

// GJK works on the difference and mirrors bit by bit. Features update one body at a time and begin with the first: the
// same distance by another path, so that only the brackets are compared.
static double exchange(rng* r, int method, apart_result* before) {
    (void)r, (void)before;
    pair_exchange(&t.pair);
    return method == APART_METHOD_FEATURES ? slack_of(&base) : 0;
}

// In contact any common point will do.
static bool mirrored(const apart_result* r, const apart_result* s, double slack) {
    if (slack > 0) return answers_agree(r, s, slack);
    return r->distance == s->distance && r->lower_bound == s->lower_bound && r->upper_bound == s->upper_bound &&
           (r->lower_bound == 0 || answers_mirrored(r, s));
}

// A power of two as unit changes no bit but the exponents.
static double change_unit(rng* r, int method, apart_result* before) {
    (void)method, (void)before;
    double size = pair_size(&base), unit = ldexp(1, rng_between(r, -400, 400));
    if (size < 1e-20 || size > 1e20) return NAN;
    pair_scale(&t.pair, unit);
    return unit;
}

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
        if (rng_chance(r, 0.5)) p = vec3_mad(vec3_scale(0.5, p), 0.5, q);
        b->points[b->count++] = p;
    }
}

static double reorder(rng* r, int method, apart_result* before) {
    (void)method, (void)before;
    if (base.seed & 1) pad(r, &t.pair.a), pad(r, &t.pair.b);
    shuffle(r, &t.pair.a);
    shuffle(r, &t.pair.b);
    return slack_of(&base);
}

static double move_both(rng* r, int method, apart_result* before) {
    (void)method, (void)before;
    double size = pair_size(&base);
    apart_mat3 turn = rng_rotation(r);
    pair_move(&t.pair, &turn, rng_in_cube(r, size));
    // The moved poses are rounded themselves: 16 roundings of the place.
    return slack_of(&base) + 0x1p-49 * (size + vec3_sum_abs(base.pose_a.translation));
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

static double describe(rng* r, int method, apart_result* before) {
    (void)r, (void)method, (void)before;
    if (!reword(&t.pair.a, base.seed % 3 == 0) && !reword(&t.pair.b, base.seed % 3 == 1)) return NAN;
    return 1e-9 * pair_size(&base);
}

// A larger radius takes its part of the distance, no more and no less.
static double enlarge(rng* r, int method, apart_result* before) {
    (void)r, (void)method;
    if (base.a.kind > BODY_CAPSULE) return NAN;
    double more = before->distance * ((double)(base.seed % 7) / 8);
    t.pair.a.radius += more;
    before->distance -= more;
    before->lower_bound -= more;
    before->upper_bound -= more;
    return slack_of(&t.pair);
}

static variation variations[] = {
    {"exchanged", 80001, 8000, exchange, mirrored},
    {"in another unit", 83001, 4001, change_unit, answers_same_but_unit},
    {"in another order", 86001, 8000, reorder, answers_agree},
    {"moved together", 89001, 8000, move_both, answers_agree},
    {"in other words", 95001, 2001, describe, answers_agree},
    {"with a larger radius", 98001, 2001, enlarge, answers_agree},
};
#define VARIATIONS (sizeof variations / sizeof *variations)

// ------------------------------------------------------------------------------------------------- the same pair ----

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
            high = fmin(high, r.upper_bound);
        }
        if (low <= high) continue;
        if (wrong++ < 10) printf("methods disagree, seed %d: %.17g > %.17g\n", (int)seed, low, high);
    }
    printf("methods disagree: %ld\n", wrong);
    assert_int_equal(wrong, 0);
}

int main(void) {
    struct CMUnitTest tests[VARIATIONS + 1] = {cmocka_unit_test(test_methods_agree)};
    for (size_t i = 0; i < VARIATIONS; i++)
        tests[i + 1] = (struct CMUnitTest){variations[i].name, try_variation, NULL, NULL, &variations[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "depth_tally.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const char* const place_names[PLACES] = {"apart", "touching", "shallow", "deep", "flat"};

static place place_of(const depth_answer* d) {
    if (d->lower > (quad)1e-12 * d->size) return APART;
    if (d->flat) return FLAT;
    if (d->upper > -(quad)1e-12 * d->size) return TOUCHING;
    return d->upper > -(quad)1e-2 * d->size ? SHALLOW : DEEP;
}

void tally_print(const tally* y) {
    for (int i = 0; i < PLACES; i++) printf("%s %ld%s", place_names[i], y->seen[i], i + 1 < PLACES ? ", " : "\n");
    printf("exact ");
    census_print(stdout, &y->exact);
    printf("bound ");
    census_print(stdout, &y->bound);
    if (y->bounds > 0)
        printf("bounds: on average %.2f of the depth from inside, and the depth is %.2f of that from outside\n",
               y->inner / (double)y->bounds, y->outer / (double)y->bounds);
}

static long tally_judged(const tally* y) {
    long judged = 0;
    for (int m = 0; m < METHODS; m++)
        for (int i = 0; i < REGIMES; i++) judged += y->exact.judged[m][i];
    return judged;
}

void tally_check(const tally* y) {
    assert_true(100 * census_open(&y->exact) <= tally_judged(y));
    assert_int_equal(y->exact.wrong, 0);
    assert_int_equal(y->bound.wrong, 0);
    assert_int_equal(y->disagree, 0);
}

// The bracket of the bound holds that of the exact answer, up to what rounding adds to either.
static bool holds(const apart_result* bound, const apart_result* exact) {
    return bound->lower_bound <= exact->upper_bound && exact->lower_bound <= bound->upper_bound;
}

static void compare_bound(tally* y, const trial* t, int m, const apart_result* exact, const apart_result* bound) {
    if (!holds(bound, exact)) {
        y->disagree++;
        printf("bound [%.17g, %.17g] beside exact [%.17g, %.17g], %s, seed %llu\n", bound->lower_bound,
               bound->upper_bound, exact->lower_bound, exact->upper_bound, method_names[m],
               (unsigned long long)t->pair.seed);
    }
    if (!(exact->upper_bound < -1e-9 * (double)t->truth.size)) return;
    y->bounds++;
    y->inner += bound->upper_bound / exact->upper_bound;
    y->outer += exact->upper_bound / bound->lower_bound;
}

void tally_judge(tally* y, trial* t) {
    assert_true(trial_open(t));
    trial_ask_depth(t);
    y->seen[place_of(&t->depth)]++;
    y->exact.placed[t->pair.placement]++;
    y->bound.placed[t->pair.placement]++;
    for (int m = 0; m < METHODS; m++) {
        apart_query exactly = query_of(m, APART_DEPTH_EXACT), roughly = query_of(m, APART_DEPTH_BOUND);
        apart_result exact, bound;
        if (!trial_judge(t, &exactly, NULL, &y->exact) || !trial_judge(t, &roughly, NULL, &y->bound)) continue;
        assert_int_equal(trial_query(t, &exactly, NULL, &exact), APART_OK);
        assert_int_equal(trial_query(t, &roughly, NULL, &bound), APART_OK);
        compare_bound(y, t, m, &exact, &bound);
    }
    trial_close(t);
}

void tally_expect(tally* y, const trial* t, const char* name, double distance, double slack) {
    for (int m = 0; m < METHODS; m++) {
        apart_query q = query_of(m, APART_DEPTH_EXACT);
        apart_result r;
        assert_int_equal(trial_query(t, &q, NULL, &r), APART_OK);
        if (fabs(r.upper_bound - distance) <= slack && fabs(r.lower_bound - distance) <= slack) continue;
        printf("case \"%s\", %s: [%.17g, %.17g], expected %.17g\n", name, method_names[m], r.lower_bound, r.upper_bound,
               distance);
        y->disagree++;
    }
}

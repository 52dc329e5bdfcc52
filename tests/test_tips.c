// The bound of a support function from a few points of the body: nowhere above it in the box that it was made for.
#include "convex/tips.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// A random unit vector, and a box about it of this size.
static vec3 random_box(rng* r, double size, range box[3]) {
    vec3 n = vec3_unit(rng_in_ball(r));
    double x[3] = {n.x, n.y, n.z};
    for (int j = 0; j < 3; j++) box[j] = (range){x[j] - size * rng_unit(r), x[j] + size * rng_unit(r)};
    return n;
}

static bool is_within(vec3 n, const range box[3]) {
    return n.x >= box[0].low && n.x <= box[0].high && n.y >= box[1].low && n.y <= box[1].high && n.z >= box[2].low &&
           n.z <= box[2].high;
}

static double farthest(const tips* t, vec3 n) {
    double most = -INFINITY;
    for (int i = 0; i < t->count; i++) most = larger(most, vec3_dot(t->tip[i].point, n));
    return most;
}

// One to three points anywhere, with any weights.
static void random_tips(rng* r, double size, tips* t) {
    vec3 middle = rng_in_ball(r);
    double sum = 0;
    t->count = rng_between(r, 1, 3);
    for (int i = 0; i < t->count; i++) {
        t->tip[i] = (tip){vec3_mad(middle, size, rng_in_ball(r)), (uint32_t)i};
        sum += t->weight[i] = rng_unit(r) + 0x1p-40;
    }
    for (int i = 0; i < t->count; i++) t->weight[i] /= sum;
}

static void test_bound(void** state) {
    (void)state;
    long within = 0;
    double nearest = INFINITY;
    for (uint64_t seed = 1; seed <= 20000; seed++) {
        rng r = rng_seed(seed);
        tips t;
        range box[3];
        quadratic f = {.constant = 0};
        double size = rng_magnitude(&r, -30, 0);
        random_tips(&r, rng_magnitude(&r, -30, 0), &t);
        vec3 middle = random_box(&r, size, box);
        apart_tips_take(&f, &t, axes, box);
        for (int i = 0; i < 50; i++) {
            vec3 n = i == 0 ? middle : vec3_unit(vec3_mad(middle, 2 * size, rng_in_ball(&r)));
            if (!is_within(n, box)) continue;
            double gap = farthest(&t, n) - quadratic_at(&f, n);
            assert_true(gap >= -0x1p-46 * f.weight);
            nearest = smaller(nearest, gap);
            within += 1;
        }
    }
    printf("%ld directions; the bound comes as near as %.1e\n", within, nearest);
    assert_true(within > 100000 && nearest < 1e-12);
}

// Three corners about the direction in which they are tied: the weights make the sum with a given function level there.
static void test_choice(void** state) {
    (void)state;
    double worst = 0;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        rng r = rng_seed(seed);
        vec3 n = vec3_unit(rng_in_ball(&r)), x = vec3_square(n), y = vec3_cross(n, x), slope = {0, 0, 0};
        tip corner[3];
        tips t = {.count = 0};
        double weight[3] = {rng_unit(&r) + 0.1, rng_unit(&r) + 0.1, rng_unit(&r) + 0.1};
        double sum = weight[0] + weight[1] + weight[2];
        for (int i = 0; i < 3; i++) {
            static const double at[3][2] = {{1, 0}, {-0.5, 0.8}, {-0.5, -0.8}};
            vec3 v = vec3_mad(vec3_mad(vec3_scale(0.3, n), 0.1 * at[i][0], x), 0.1 * at[i][1], y);
            corner[i] = (tip){v, (uint32_t)i};
            slope = vec3_mad(slope, weight[i] / sum, v);
        }
        quadratic f = {.c = vec3_mad(vec3_neg(slope), vec3_dot(slope, n), n)};
        symmetric_add(&f.q, 1, x);
        symmetric_add(&f.q, 1, y);
        bool several = false;
        for (int i = 0; i < 3; i++) {
            vec3 at = n;
            several = apart_tips_choose(&t, &corner[i], &f, 1, &at);
        }
        assert_true(several);
        worst = larger(worst, vec3_length(vec3_sub(apart_tips_mean(&t), slope)));
    }
    printf("the mean is off by %.1e\n", worst);
    assert_true(worst < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bound), cmocka_unit_test(test_choice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

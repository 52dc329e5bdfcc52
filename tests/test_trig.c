// Sine, cosine and arctangent against quadruple precision: the bounds that trig.h states.
#include "base/trig.h"
#include "quad_trig.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define COUNT 400000

static double quad_ratio(quad off, quad size) {
    off = off < 0 ? -off : off;
    size = size < 0 ? -size : size;
    return off == 0 ? 0 : (double)(off / (size * (quad)ROUNDING));
}

static void check(double x, double worst[2]) {
    double s, c;
    quad sine, cosine;
    apart_sine_cosine(x, &s, &c);
    quad_sine_cosine(x, &sine, &cosine);
    worst[0] = fmax(worst[0], quad_ratio(s - sine, sine));
    worst[1] = fmax(worst[1], quad_ratio(c - cosine, cosine));
}

// Each is off by at most 2 u of itself, near the multiples of pi/2 too, up to TRIG_MOST.
static void test_sine_cosine(void** state) {
    (void)state;
    static const char* name[4] = {"up to pi/4", "any size", "up to 2^48", "near multiples of pi/2"};
    for (int regime = 0; regime < 4; regime++) {
        rng r = rng_seed(40 + (uint64_t)regime);
        double worst[2] = {0, 0};
        for (int i = 0; i < COUNT; i++) {
            double x = rng_uniform(&r, -0.7854, 0.7854);
            if (regime == 1) x = rng_magnitude(&r, -100, 47);
            if (regime == 2) x = rng_uniform(&r, -TRIG_MOST, TRIG_MOST);
            if (regime == 3) {
                x = (double)((quad)floor(rng_magnitude(&r, 0, 46)) * quad_pi() / 2);
                for (int step = rng_below(&r, 3); step > 0; step--) x = nextafter(x, INFINITY);
            }
            check(x, worst);
        }
        printf("[ sine, cosine ] %s: off by %.3f u, %.3f u\n", name[regime], worst[0], worst[1]);
        assert_true(worst[0] <= 2 && worst[1] <= 2);
        assert_true(worst[0] > 0.5 && worst[1] > 0.5);
    }
}

// The double that is nearest to a multiple of pi/2, for its size; zeros, signs, the ends of the range.
static void test_plain_numbers(void** state) {
    (void)state;
    static const double numbers[] = {
        0, 0x1p-1074, 0x1p-600, 1e-8, 0x1.921fb54442d18p+0, 6411027962775774 * 0x1p-47, TRIG_MOST};
    double worst[2] = {0, 0}, s, c;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        double t, d;
        check(numbers[i], worst);
        apart_sine_cosine(numbers[i], &s, &c);
        apart_sine_cosine(-numbers[i], &t, &d);
        assert_true(t == -s && d == c);
    }
    assert_true(worst[0] <= 2 && worst[1] <= 2);
    apart_sine_cosine(0, &s, &c);
    assert_true(s == 0 && c == 1);
    static const double no_angle[] = {0x1.0000000000001p48, 1e300, (double)INFINITY, (double)NAN};
    for (int i = 0; i < 4; i++) {
        apart_sine_cosine(-no_angle[i], &s, &c);
        assert_true(s == 0 && c == 1);
    }
}

static void test_arctangent(void** state) {
    (void)state;
    static const char* name[3] = {"evenly", "any quotient", "near the seams"};
    static const double seam[6] = {0.25, 0.5, 0.75, 1, 4.0 / 3, 4};
    for (int regime = 0; regime < 3; regime++) {
        rng r = rng_seed(50 + (uint64_t)regime);
        double worst = 0, most = 0;
        for (int i = 0; i < COUNT; i++) {
            double x = rng_unit(&r) + 0x1p-60, y = rng_unit(&r);
            if (regime == 1) x = rng_magnitude(&r, -300, 300), y = rng_magnitude(&r, -300, 300);
            if (regime == 2) y = x * seam[rng_below(&r, 6)] * (1 + rng_below(&r, 9) * 0x1p-52);
            const quad truth = quad_angle(y, x);
            const double angle = apart_arctangent(y, x);
            worst = fmax(worst, quad_ratio(angle - truth, truth));
            most = fmax(most, quad_ratio(angle - truth, 1));
        }
        printf("[ arctangent ] %s: off by %.3f u of it, %.3f u\n", name[regime], worst, most);
        assert_true(worst <= 4 && most <= 2.5);
        assert_true(worst > 0.5);
    }
    assert_true(apart_arctangent(0, 1) == 0 && apart_arctangent(1, 0) == 0x1.921fb54442d18p+0);
    assert_true(apart_arctangent(3, 3) == 0x1.921fb54442d18p-1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sine_cosine), cmocka_unit_test(test_plain_numbers),
                                       cmocka_unit_test(test_arctangent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

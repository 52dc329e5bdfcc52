// The closed forms against brute force, over families of hard cases; and what must not matter: size, place, order.
#include "convex/closed_forms.h"

#include "brute_force.h"
#include "random.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

// What every answer must keep, in roundings of the size. The worst seen in some millions of cases is 10.
#define MAX_ROUNDINGS 16

// --------------------------------------------------------------------------------------------------- bookkeeping ----

// What a family of cases has shown so far.
typedef struct tally {
    int cases, zero;
    int open;                // the brute force did not close its own bracket (beside contact only)
    int feature[4][4];       // answers by number of corners used on either side
    double distance, points; // worst errors of the distance and of the weighted points, in roundings of the size
} tally;

// Convex weights; returns how many corners they use.
static int check_weights(const double* w, int count) {
    double sum = 0;
    int used = 0;
    for (int i = 0; i < count; i++) {
        assert_true(w[i] >= 0 && w[i] <= 1);
        sum += w[i];
        used += w[i] > 0;
    }
    assert_true(fabs(sum - 1) <= 4 * ROUNDOFF);
    return used;
}

static void record(tally* t, const problem* p, double squared, const double* wa, const double* wb) {
    truth known = solve(p);
    assert_true(squared >= 0);
    int used_a = check_weights(wa, p->count_a), used_b = check_weights(wb, p->count_b);
    quad distance = quad_sqrt((quad)squared), unit = known.size > 0 ? known.size * (quad)ROUNDOFF : 1;
    quad error = distance > known.upper ? distance - known.upper : known.lower - distance;
    quad apart = weighted(p, wa, wb), excess = apart - known.upper, mismatch = apart - distance;
    if (mismatch > excess) excess = mismatch;
    t->cases++;
    t->zero += squared == 0;
    t->open += known.upper - known.lower > unit * (quad)1e-3 && known.upper > known.size * (quad)1e-9;
    t->feature[used_a][used_b]++;
    t->distance = fmax(t->distance, (double)(error / unit));
    t->points = fmax(t->points, (double)(excess / unit));
}

// Prints the family's line and asserts what holds for all: a few roundings, and a brute force that proves itself.
static void report(const char* name, const tally* t) {
    printf("  %-28s %6d cases, %5d zero; worst error %5.2f, of the points %5.2f roundings; corners", name, t->cases,
           t->zero, t->distance, t->points);
    for (int i = 1; i < 4; i++)
        for (int j = 1; j < 4; j++)
            if (t->feature[i][j] > 0) printf(" %d-%d:%d", i, j, t->feature[i][j]);
    printf("\n");
    assert_int_equal(t->open, 0);
    assert_true(t->distance <= MAX_ROUNDINGS);
    assert_true(t->points <= MAX_ROUNDINGS);
}

// ------------------------------------------------------------------------------------------------- the functions ----

typedef enum form { POINT_SEGMENT, SEGMENT_SEGMENT, POINT_TRIANGLE, SEGMENT_TRIANGLE, TRIANGLE_TRIANGLE } form;
#define FORMS 5
static const char* const form_name[FORMS] = {"point-segment", "segment-segment", "point-triangle", "segment-triangle",
                                             "triangle-triangle"};
static const int form_corners[FORMS][2] = {{1, 2}, {2, 2}, {1, 3}, {2, 3}, {3, 3}};

static vec3 corner(const double* x) { return vec3_make(x[0], x[1], x[2]); }

// Calls the public function for this form; weights by corner.
static double call(form f, const problem* p, double wa[3], double wb[3]) {
    const vec3 a[3] = {corner(p->a[0]), corner(p->a[1]), corner(p->a[2])};
    const vec3 b[3] = {corner(p->b[0]), corner(p->b[1]), corner(p->b[2])};
    double t = 0, u = 0, squared = NAN;
    wa[0] = wb[0] = 1;
    if (f == POINT_SEGMENT) squared = apart_point_segment(p->dim, p->a[0], p->b[0], p->b[1], &u);
    if (f == SEGMENT_SEGMENT) squared = apart_segment_segment(p->dim, p->a[0], p->a[1], p->b[0], p->b[1], &t, &u);
    if (f == POINT_TRIANGLE) squared = apart_point_triangle(a[0], b, wb);
    if (f == SEGMENT_TRIANGLE) squared = apart_segment_triangle(a[0], a[1], b, &t, wb);
    if (f == TRIANGLE_TRIANGLE) squared = apart_triangle_triangle(a, b, wa, wb);
    if (p->count_a == 2) {
        wa[0] = 1 - t;
        wa[1] = t;
    }
    if (p->count_b == 2) {
        wb[0] = 1 - u;
        wb[1] = u;
    }
    return squared;
}

static void run(tally* t, form f, const problem* p) {
    double wa[3], wb[3];
    double squared = call(f, p, wa, wb);
    record(t, p, squared, wa, wb);
}

// ------------------------------------------------------------------------------------------------------ families ----

typedef double corners[3][MAX_DIM];

static double random_power(rng* r, int low, int high) { return ldexp(1, -rng_between(r, low, high)); }

// to = base + s (tip - base) + noise in every coordinate.
static void place(rng* r, int dim, double* to, const double* base, double s, const double* tip, double noise) {
    for (int k = 0; k < dim; k++) to[k] = base[k] + s * (tip[k] - base[k]) + noise * rng_uniform(r, -1, 1);
}

static void fill_random(rng* r, int dim, corners c) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < dim; k++) c[i][k] = rng_uniform(r, -1, 1);
}

// Small integers: corners that coincide, edges in line, planes in common.
static void fill_lattice(rng* r, int dim, corners c) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < dim; k++) c[i][k] = rng_between(r, -2, 2);
}

// A needle or a flat triangle: the third corner beside the line of the others.
static void fill_thin(rng* r, int dim, corners c) {
    fill_random(r, dim, c);
    double s = rng_uniform(r, -0.5, 1.5), width = random_power(r, 1, 60);
    place(r, dim, c[2], c[0], s, c[1], width);
}

static problem make_both(rng* r, int dim, void (*fill)(rng* r, int dim, corners c)) {
    problem p = {.dim = dim};
    fill(r, dim, p.a);
    fill(r, dim, p.b);
    return p;
}

static problem make_random(rng* r, int dim) { return make_both(r, dim, fill_random); }
static problem make_lattice(rng* r, int dim) { return make_both(r, dim, fill_lattice); }
static problem make_thin(rng* r, int dim) { return make_both(r, dim, fill_thin); }

// The first edge of b nearly along that of a, and near it.
static problem make_parallel(rng* r, int dim) {
    problem p = make_random(r, dim);
    double length = rng_chance(r, 0.5) ? 1 : rng_uniform(r, -3, 3), angle = random_power(r, 1, 60);
    double s = rng_uniform(r, -1, 2), gap = random_power(r, 0, 60);
    place(r, dim, p.b[0], p.a[0], s, p.a[1], gap);
    for (int k = 0; k < dim; k++)
        p.b[1][k] = p.b[0][k] + length * (p.a[1][k] - p.a[0][k]) + angle * rng_uniform(r, -1, 1);
    return p;
}

// All of b near the plane of a.
static problem make_coplanar(rng* r, int dim) {
    problem p = make_random(r, dim);
    for (int i = 0; i < 3; i++) {
        double inside[MAX_DIM];
        place(r, dim, inside, p.a[0], rng_uniform(r, -1, 1.5), p.a[1], 0);
        double s = rng_uniform(r, -1, 1.5);
        for (int k = 0; k < dim; k++) inside[k] += s * (p.a[2][k] - p.a[0][k]);
        place(r, dim, p.b[i], inside, 0, inside, random_power(r, 1, 60));
    }
    return p;
}

// b small, beside a.
static problem make_small(rng* r, int dim) {
    problem p = make_random(r, dim);
    double size = random_power(r, 1, 60), at[MAX_DIM], s = rng_uniform(r, -0.2, 1);
    place(r, dim, at, p.a[0], rng_uniform(r, -0.2, 1), p.a[1], 0);
    for (int k = 0; k < dim; k++) at[k] += s * (p.a[2][k] - p.a[0][k]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < dim; k++) p.b[i][k] = at[k] + size * p.b[i][k];
    return p;
}

// Thin triangles through each other, often along each other.
static problem make_crossing(rng* r, int dim) {
    problem p = make_random(r, dim);
    fill_thin(r, dim, p.a);
    double along = rng_below(r, 2), tilt = random_power(r, 1, 60), m[MAX_DIM], d[MAX_DIM];
    double s = rng_unit(r), t = (1 - s) * rng_unit(r);
    for (int k = 0; k < dim; k++) {
        m[k] = p.a[0][k] + s * (p.a[1][k] - p.a[0][k]) + t * (p.a[2][k] - p.a[0][k]);
        d[k] = along * (p.a[1][k] - p.a[0][k]) + tilt * rng_uniform(r, -1, 1);
    }
    double back = rng_uniform(r, 0.1, 1), width = random_power(r, 1, 60);
    for (int k = 0; k < dim; k++) {
        p.b[0][k] = m[k] - back * d[k];
        p.b[1][k] = m[k] + d[k];
        p.b[2][k] = m[k] - 0.3 * d[k] + width * rng_uniform(r, -1, 1);
    }
    return p;
}

typedef problem (*family_fn)(rng* r, int dim);

// One family through every form; adds to the totals.
static void run_family(const char* name, family_fn make, uint64_t seed, tally total[FORMS]) {
    rng r = rng_seed(seed);
    printf("%s\n", name);
    for (int f = 0; f < FORMS; f++) {
        tally t = {0};
        int cases = f == TRIANGLE_TRIANGLE ? 1000 : 3000;
        for (int i = 0; i < cases; i++) {
            problem p = make(&r, 3);
            p.count_a = form_corners[f][0];
            p.count_b = form_corners[f][1];
            run(&t, (form)f, &p);
        }
        report(form_name[f], &t);
        total[f].zero += t.zero;
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) total[f].feature[i][j] += t.feature[i][j];
    }
}

static void test_families(void** state) {
    (void)state;
    tally total[FORMS] = {{0}};
    run_family("random", make_random, 1, total);
    run_family("lattice", make_lattice, 2, total);
    run_family("thin", make_thin, 3, total);
    run_family("nearly parallel edges", make_parallel, 4, total);
    run_family("nearly one plane", make_coplanar, 5, total);
    run_family("size ratios", make_small, 6, total);
    run_family("thin and crossing", make_crossing, 7, total);

    // Every pair of features was reached, and contact in every form that has it.
    for (int f = 0; f < FORMS; f++)
        for (int i = 1; i <= form_corners[f][0]; i++)
            for (int j = 1; j <= form_corners[f][1]; j++)
                if (i + j <= 5) assert_true(total[f].feature[i][j] >= 30);
    for (int f = 0; f < FORMS; f++) assert_true(total[f].zero >= 30);
}

// Segments in 1 to 12 dimensions, all families that make sense there.
static void test_dimensions(void** state) {
    (void)state;
    static const family_fn make[] = {make_random, make_lattice, make_parallel, make_small, make_crossing};
    for (int dim = 1; dim <= MAX_DIM; dim++) {
        rng r = rng_seed((uint64_t)dim);
        tally t = {0};
        for (int i = 0; i < 2000; i++) {
            problem p = make[i % 5](&r, dim);
            p.count_a = 1 + i / 5 % 2;
            p.count_b = 2;
            run(&t, p.count_a == 1 ? POINT_SEGMENT : SEGMENT_SEGMENT, &p);
        }
        char name[40];
        snprintf(name, sizeof name, "segments in %d dimensions", dim);
        report(name, &t);
        assert_true(t.feature[1][1] > 50 && t.feature[1][2] > 50 && (dim == 1 || t.feature[2][2] > 50));
    }
}

// ------------------------------------------------------------------------------------------------------ Lumelsky ----

static void test_lumelsky_example(void** state) {
    (void)state;
    const double a[3] = {0, 0, 0}, b[3] = {1, 2, 1}, c[3] = {1, 0, 0}, d[3] = {2, 1, 0};
    double t, u;
    double squared = apart_segment_segment(3, a, b, c, d, &t, &u);
    printf("  Lumelsky's example: t = %.17g, u = %g, squared distance %.17g\n", t, u, squared);
    assert_true(fabs(t - 1.0 / 6) <= ROUNDOFF);
    assert_true(u == 0);
    assert_true(fabs(squared - 5.0 / 6) <= 2 * ROUNDOFF);
}

static double clamp(double t) { return t < 0 ? 0 : t > 1 ? 1 : t; }

// Steps 1 to 5 as published, for segments that are not points.
static double published(const problem* p) {
    double d1_d1 = 0, d2_d2 = 0, r = 0, s1 = 0, s2 = 0, squared = 0;
    for (int k = 0; k < p->dim; k++) {
        double d1 = p->a[1][k] - p->a[0][k], d2 = p->b[1][k] - p->b[0][k], d12 = p->b[0][k] - p->a[0][k];
        d1_d1 += d1 * d1;
        d2_d2 += d2 * d2;
        r += d1 * d2;
        s1 += d1 * d12;
        s2 += d2 * d12;
    }
    double whole = d1_d1 * d2_d2 - r * r;
    double t = whole != 0 ? clamp((s1 * d2_d2 - s2 * r) / whole) : 0;
    double u = (t * r - s2) / d2_d2;
    if (u != clamp(u)) {
        u = clamp(u);
        t = clamp((u * r + s1) / d1_d1);
    }
    for (int k = 0; k < p->dim; k++) {
        double gap = (p->a[1][k] - p->a[0][k]) * t - (p->b[1][k] - p->b[0][k]) * u - (p->b[0][k] - p->a[0][k]);
        squared += gap * gap;
    }
    return squared;
}

// Crossing at an angle of 10^-n, 10^-gap apart: the published steps lose what the angle squares away.
static void test_near_parallel(void** state) {
    (void)state;
    double worst_published = 0;
    for (int n = 1; n <= 16; n++) {
        rng r = rng_seed(100u + (unsigned)n);
        double angle = pow(10, -n), lost = 0;
        tally t = {0};
        for (int i = 0; i < 400; i++) {
            problem p = make_random(&r, 3);
            p.count_a = p.count_b = 2;
            double s = rng_uniform(&r, -1.5, 1.5), gap = angle * pow(10, rng_between(&r, -3, 1));
            place(&r, 3, p.b[0], p.a[0], s, p.a[1], gap);
            for (int k = 0; k < 3; k++)
                p.b[1][k] = p.b[0][k] + (p.a[1][k] - p.a[0][k]) + angle * rng_uniform(&r, -1, 1);
            run(&t, SEGMENT_SEGMENT, &p);
            truth known = solve(&p);
            quad error = quad_sqrt((quad)published(&p)) - known.upper;
            lost = fmax(lost, (double)(error / known.size) / ROUNDOFF);
        }
        char name[40];
        snprintf(name, sizeof name, "segments at angle 1e-%d", n);
        report(name, &t);
        worst_published = fmax(worst_published, lost);
    }
    printf("  the published steps on the same segments: worst error %.3g roundings\n", worst_published);
    assert_true(worst_published > 1e4);
}

// -------------------------------------------------------------------------------------------- size, place, order ----

static void scale_corners(problem* p, double factor) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < p->dim; k++) {
            p->a[i][k] *= factor;
            p->b[i][k] *= factor;
        }
}

// A power of two changes nothing but the size: the same bits.
static void test_size(void** state) {
    (void)state;
    static const int exponents[] = {-498, -100, -1, 1, 100, 498}; // about 1e-150 ... 1e150
    static const family_fn make[] = {make_random, make_lattice, make_thin, make_parallel, make_crossing};
    rng r = rng_seed(11);
    for (int i = 0; i < 5000; i++) {
        problem p = make[i % 5](&r, 3);
        form f = (form)(i / 5 % FORMS);
        p.count_a = form_corners[f][0];
        p.count_b = form_corners[f][1];
        double wa[3] = {0}, wb[3] = {0}, va[3] = {0}, vb[3] = {0};
        double squared = call(f, &p, wa, wb);
        int e = exponents[i / 25 % 6];
        scale_corners(&p, ldexp(1, e));
        double there = call(f, &p, va, vb), wanted = ldexp(squared, 2 * e);
        assert_true(there == wanted || (wanted < DBL_MIN && squared > 0 && there > 0 && there < DBL_MIN));
        for (int k = 0; k < p.count_a; k++) assert_true(va[k] == wa[k]);
        for (int k = 0; k < p.count_b; k++) assert_true(vb[k] == wb[k]);
    }
}

// Sizes that are not powers of two, out to the ends of the range.
static void test_extreme_size(void** state) {
    (void)state;
    for (int n = -275; n <= 275; n += 25) {
        double s = pow(10, n);
        const vec3 a[3] = {{-s, -s, 0}, {s, -s, 0}, {0, s, 0}}, b[3] = {{0, 0, s}, {s, 0, 2 * s}, {0, s, 3 * s}};
        double squared = apart_triangle_triangle(a, b, NULL, NULL), wanted = s * s;
        if (wanted == 0)
            assert_true(squared == DBL_TRUE_MIN);
        else if (wanted > DBL_MAX)
            assert_true(squared == INFINITY);
        else
            assert_true(fabs(squared - wanted) <= 4 * ROUNDOFF * wanted + DBL_TRUE_MIN);
        assert_true(apart_triangle_triangle(a, a, NULL, NULL) == 0);
        const double p[4] = {0, 0, 0, s}, q[4] = {s, 0, 0, s}, x[4] = {0, s, 0, 0}, y[4] = {s, -s, 0, 0};
        double t, u;
        squared = apart_segment_segment(4, p, q, x, y, &t, &u);
        assert_true(fabs(t - 0.5) <= 4 * ROUNDOFF && fabs(u - 0.5) <= 4 * ROUNDOFF);
        if (wanted > DBL_MIN && wanted <= DBL_MAX) assert_true(fabs(squared - wanted) <= 8 * ROUNDOFF * wanted);
    }
}

// Far from the origin, on a grid that survives the move: the same bits.
static void test_place(void** state) {
    (void)state;
    rng r = rng_seed(12);
    for (int i = 0; i < 5000; i++) {
        problem p = make_random(&r, 3);
        form f = (form)(i % FORMS);
        p.count_a = form_corners[f][0];
        p.count_b = form_corners[f][1];
        scale_corners(&p, 0x1p20);
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) {
                p.a[j][k] = ldexp(nearbyint(p.a[j][k]), -20);
                p.b[j][k] = ldexp(nearbyint(p.b[j][k]), -20);
            }
        double wa[3] = {0}, wb[3] = {0}, va[3] = {0}, vb[3] = {0};
        double squared = call(f, &p, wa, wb);
        for (int k = 0; k < 3; k++) {
            double move = rng_between(&r, -1000000, 1000000);
            for (int j = 0; j < 3; j++) {
                p.a[j][k] += move;
                p.b[j][k] += move;
            }
        }
        assert_true(call(f, &p, va, vb) == squared);
        for (int k = 0; k < p.count_a; k++) assert_true(va[k] == wa[k]);
        for (int k = 0; k < p.count_b; k++) assert_true(vb[k] == wb[k]);
    }
}

// a and b exchanged: the same distance within the accuracy of either.
static void test_swap(void** state) {
    (void)state;
    static const family_fn make[] = {make_random, make_lattice, make_thin, make_parallel, make_crossing};
    rng r = rng_seed(13);
    double worst = 0;
    for (int i = 0; i < 5000; i++) {
        problem p = make[i % 5](&r, 3), q = p;
        form f = i % 2 ? SEGMENT_SEGMENT : TRIANGLE_TRIANGLE;
        p.count_a = p.count_b = form_corners[f][0];
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) {
                q.a[j][k] = p.b[j][k];
                q.b[j][k] = p.a[j][k];
            }
        q.count_a = q.count_b = p.count_a;
        double wa[3], wb[3];
        double one = sqrt(call(f, &p, wa, wb)), other = sqrt(call(f, &q, wa, wb));
        worst = fmax(worst, fabs(one - other) / (double)size_of(&p) / ROUNDOFF);
    }
    printf("  exchanged: the distances differ by %.2f roundings of the size at most\n", worst);
    assert_true(worst <= MAX_ROUNDINGS);
}

// ---------------------------------------------------------------------------------------------------- small gaps ----

// A gap beside a corner keeps its own digits, however small it is.
static void test_small_gaps(void** state) {
    (void)state;
    for (int e = 1; e <= 400; e += 7) {
        double g = ldexp(1.25, -e);
        const double a[3] = {0, 0, 0}, b[3] = {-1, -0.5, 0.25}, c[3] = {g, g / 4, 0}, d[3] = {1, 0.75, -0.5};
        double t, u, wanted = g * g * 1.0625;
        assert_true(fabs(apart_segment_segment(3, a, b, c, d, &t, &u) - wanted) <= 4 * ROUNDOFF * wanted);
        assert_true(t == 0 && u == 0);

        // A corner above a triangle; an edge above an edge.
        const vec3 f[3] = {{-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}}, p = {0.1, 0.2, g};
        assert_true(fabs(apart_point_triangle(p, f, NULL) - g * g) <= 4 * ROUNDOFF * g * g);
        const double x[3] = {-1, 0.3, 0}, y[3] = {1, 0.3, 0}, z[3] = {0.1, -1, g}, w[3] = {0.2, 1, g};
        assert_true(fabs(apart_segment_segment(3, x, y, z, w, &t, &u) - g * g) <= 4 * ROUNDOFF * g * g);
    }
}

// Contact along the axes is exactly 0.
static void test_exact_contact(void** state) {
    (void)state;
    const vec3 f[3] = {{0, 0, 0}, {100, 0, 0}, {0, 1, 0}}, p = {0.3, 0.7, 0}, q = {0.1, 0.1, -3}, r = {0.3, 0.2, 5};
    double w[3], t;
    assert_true(apart_point_triangle(p, f, w) == 0);
    assert_true(apart_segment_triangle(q, r, f, &t, w) == 0);
    assert_true(fabs(t - 0.375) <= 2 * ROUNDOFF);
    const vec3 inside[3] = {{0.1, 0.1, 0}, {0.2, 0.1, 0}, {0.1, 0.3, 0}};
    assert_true(apart_triangle_triangle(f, inside, NULL, NULL) == 0);
    assert_true(apart_triangle_triangle(inside, f, NULL, NULL) == 0);
    const double a[2] = {0, 0}, b[2] = {1, 0.001}, c[2] = {0, 0.001}, d[2] = {1, 0};
    assert_true(apart_segment_segment(2, a, b, c, d, NULL, NULL) == 0);
    const double one[1] = {0.1}, two[1] = {0.7}, three[1] = {0.3};
    assert_true(apart_point_segment(1, three, one, two, NULL) == 0);
}

// -------------------------------------------------------------------------------------------------------- inside ----

static void test_crossing_weights(void** state) {
    (void)state;
    rng r = rng_seed(14);
    int crossing = 0;
    for (int i = 0; i < 20000; i++) {
        problem p = (i % 2 ? make_random : make_crossing)(&r, 3);
        p.count_a = 2;
        p.count_b = 3;
        const vec3 e[2] = {corner(p.a[0]), corner(p.a[1])}, f[3] = {corner(p.b[0]), corner(p.b[1]), corner(p.b[2])};
        double we[2], wf[3];
        if (apart_closed_features(e, 2, f, 3, we, wf) != 0) continue;
        crossing++;
        check_weights(we, 2);
        check_weights(wf, 3);
        assert_true(weighted(&p, we, wf) <= size_of(&p) * (quad)(MAX_ROUNDINGS * ROUNDOFF));
    }
    printf("  %d of 20000 segments pierce their triangle\n", crossing);
    assert_in_range(crossing, 2000, 18000);
}

// ----------------------------------------------------------------------------------------------------- bad input ----

static void test_bad_input(void** state) {
    (void)state;
    const double bad[] = {NAN, INFINITY, -INFINITY, 1.1e300};
    const double o[3] = {0, 0, 0}, x[3] = {1, 0, 0};
    const vec3 good[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    for (int i = 0; i < 4; i++) {
        double y[3] = {0, 0, bad[i]}, t = 7, u = 7, w[3] = {7, 7, 7};
        const vec3 p = {0, bad[i], 0}, f[3] = {{0, 0, 0}, {1, 0, 0}, p};
        assert_true(isnan(apart_segment_segment(3, o, x, x, y, &t, &u)));
        assert_true(isnan(apart_point_segment(3, y, o, x, &t)));
        assert_true(isnan(apart_point_triangle(p, good, w)));
        assert_true(isnan(apart_point_triangle(good[0], f, w)));
        assert_true(isnan(apart_segment_triangle(p, good[0], good, &t, w)));
        assert_true(isnan(apart_triangle_triangle(good, f, w, w)));
        assert_true(t == 7 && u == 7 && w[0] == 7 && w[2] == 7);
    }
    assert_true(isnan(apart_segment_segment(0, o, x, o, x, NULL, NULL)));
    assert_true(isnan(apart_segment_segment(3, o, NULL, o, x, NULL, NULL)));
    assert_true(isnan(apart_point_segment(-1, o, x, x, NULL)));
    assert_true(isnan(apart_point_segment(3, NULL, x, x, NULL)));
    assert_true(isnan(apart_point_triangle(good[0], NULL, NULL)));
    assert_true(isnan(apart_segment_triangle(good[0], good[1], NULL, NULL, NULL)));
    assert_true(isnan(apart_triangle_triangle(NULL, good, NULL, NULL)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lumelsky_example),
        cmocka_unit_test(test_families),
        cmocka_unit_test(test_dimensions),
        cmocka_unit_test(test_near_parallel),
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_extreme_size),
        cmocka_unit_test(test_place),
        cmocka_unit_test(test_swap),
        cmocka_unit_test(test_small_gaps),
        cmocka_unit_test(test_exact_contact),
        cmocka_unit_test(test_crossing_weights),
        cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Johnson's distance subalgorithm: known simplices, random ones with an optimality proof in
// quadruple precision, the Backup Procedure, and inner products that have lost their digits.
#include "papers/gjk1988.h"

#include "oracle.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define MAX 4
#define ROUNDOFF 0x1p-53

typedef struct points {
    int count, dim;
    double y[MAX][MAX];
    double dot[MAX][MAX];
} points;

static void multiply(points* p) {
    for (int i = 0; i < p->count; i++)
        for (int j = 0; j < p->count; j++) {
            double sum = 0;
            for (int k = 0; k < p->dim; k++) sum += p->y[i][k] * p->y[j][k];
            p->dot[i][j] = sum;
        }
}

static bool solve(points* p, double* lambda) { return apart_johnson_solve(p->count, p->dot, lambda); }

static void backup(points* p, double* lambda) { apart_johnson_backup(p->count, p->dot, lambda); }

static void check_weights(const double* lambda, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        assert_true(lambda[i] >= 0 && lambda[i] <= 1);
        sum += lambda[i];
    }
    assert_true(fabs(sum - 1) <= 16 * ROUNDOFF);
}

// |v|^2 - min v.y_i in quad: at least |v - v*|^2, and 0 only for the nearest point.
static double excess(const points* p, const double* lambda) {
    quad v[MAX] = {0}, square = 0, least = 0;
    for (int k = 0; k < p->dim; k++) {
        for (int i = 0; i < p->count; i++) v[k] += (quad)lambda[i] * (quad)p->y[i][k];
        square += v[k] * v[k];
    }
    for (int i = 0; i < p->count; i++) {
        quad height = 0;
        for (int k = 0; k < p->dim; k++) height += v[k] * (quad)p->y[i][k];
        if (i == 0 || height < least) least = height;
    }
    return (double)(square - least);
}

static unsigned used(const double* lambda, int count) {
    unsigned mask = 0;
    for (int i = 0; i < count; i++)
        if (lambda[i] > 0) mask |= 1u << i;
    return mask;
}

static int popcount(unsigned mask) {
    int n = 0;
    for (; mask != 0; mask &= mask - 1) n++;
    return n;
}

// --------------------------------------------------------------------------------------------------------- known ----

// The nearest point is the middle of e_0 ... e_{m-1}; the other points lie behind it.
static void test_unit_vectors(void** state) {
    (void)state;
    for (int n = 1; n <= MAX; n++)
        for (int m = 1; m <= n; m++) {
            // Each of them is the newest in turn.
            for (int turn = 0; turn < n; turn++) {
                points p = {.count = n, .dim = MAX};
                for (int i = 0; i < n; i++) {
                    double* y = p.y[(i + turn) % n];
                    y[i] = 1;
                    for (int k = 0; k < m && i >= m; k++) y[k] = 2;
                }
                multiply(&p);
                double lambda[MAX], other[MAX];
                assert_true(solve(&p, lambda));
                backup(&p, other);
                for (int i = 0; i < n; i++) {
                    const int at = (i + turn) % n;
                    assert_true(fabs(lambda[at] - (i < m ? 1.0 / m : 0)) <= 4 * ROUNDOFF);
                    assert_true(fabs(lambda[at] - other[at]) <= 4 * ROUNDOFF);
                    assert_true(i < m || lambda[at] == 0);
                }
            }
        }
}

// The origin inside: e_1 ... e_d and minus their sum.
static void test_origin_inside(void** state) {
    (void)state;
    for (int dim = 1; dim < MAX; dim++) {
        points p = {.count = dim + 1, .dim = dim};
        for (int i = 0; i < dim; i++) {
            p.y[i][i] = 1;
            p.y[dim][i] = -1;
        }
        multiply(&p);
        double lambda[MAX];
        assert_true(solve(&p, lambda));
        for (int i = 0; i <= dim; i++) assert_true(fabs(lambda[i] - 1.0 / (dim + 1)) <= 4 * ROUNDOFF);
    }
}

// -------------------------------------------------------------------------------------------------------- random ----

// Random simplices: optimal in quad; the Backup Procedure agrees.
static void test_random(void** state) {
    (void)state;
    for (int n = 1; n <= MAX; n++) {
        rng r = rng_seed((uint64_t)n);
        int sizes[MAX + 1] = {0}, cases = 2000, failed = 0;
        double worst = 0, worst_backup = 0;
        for (int c = 0; c < cases; c++) {
            points p = {.count = n, .dim = n > 2 ? n - 1 : 2};
            double shift = rng_uniform(&r, 0, 1.2), lambda[MAX], other[MAX];
            for (int i = 0; i < n; i++)
                for (int k = 0; k < p.dim; k++) p.y[i][k] = rng_uniform(&r, -1, 1) + (k == 0 ? shift : 0);
            multiply(&p);
            backup(&p, other);
            check_weights(other, n);
            worst_backup = fmax(worst_backup, excess(&p, other));
            if (!solve(&p, lambda)) {
                failed++;
                continue;
            }
            check_weights(lambda, n);
            worst = fmax(worst, excess(&p, lambda));
            sizes[popcount(used(lambda, n))]++;
        }
        printf("  %d points: worst excess %.1e, of the backup %.1e, %d of %d failed; sizes", n, worst, worst_backup,
               failed, cases);
        for (int i = 1; i <= n; i++) printf(" %d", sizes[i]);
        printf("\n");
        assert_true(worst <= 1e-9 && worst_backup <= 1e-9);
        assert_true(failed <= cases / 500);

        // Every kind of face was the answer, from a corner to the whole simplex.
        for (int i = 1; i <= n; i++) assert_true(sizes[i] > 0);
    }
}

// The differences of two random sets of corners, and the simplex of a plain GJK on them.
#define CORNERS 12
#define CLOUD (CORNERS * CORNERS)
typedef struct search {
    double cloud[CLOUD][3], v[3], square;
    points p;
} search;

static void start(search* s, rng* r) {
    *s = (search){.v = {1, 0, 0}, .square = INFINITY, .p = {.dim = 3}};
    apart_vec3 a[CORNERS], b[CORNERS];
    double away = rng_uniform(r, 2, 3);
    for (int i = 0; i < CORNERS; i++) {
        a[i] = rng_in_ball(r);
        b[i] = rng_in_ball(r);
    }
    for (int i = 0; i < CLOUD; i++) {
        s->cloud[i][0] = a[i / CORNERS].x - b[i % CORNERS].x + away;
        s->cloud[i][1] = a[i / CORNERS].y - b[i % CORNERS].y;
        s->cloud[i][2] = a[i / CORNERS].z - b[i % CORNERS].z;
    }
}

// Adds the support point along -v; false if it is there already.
static bool extend(search* s) {
    int best = 0;
    for (int i = 1; i < CLOUD; i++) {
        double gain = 0;
        for (int k = 0; k < 3; k++) gain += s->v[k] * (s->cloud[i][k] - s->cloud[best][k]);
        if (gain < 0) best = i;
    }
    for (int k = 0; k < 3; k++) s->p.y[s->p.count][k] = s->cloud[best][k];
    s->p.count++;
    multiply(&s->p);
    for (int i = 0; i < s->p.count - 1; i++)
        if (s->p.y[i][0] == s->cloud[best][0] && s->p.y[i][1] == s->cloud[best][1]) return false;
    return true;
}

// Keeps what carries v; false if v did not get shorter.
static bool reduce(search* s, const double* lambda) {
    double square = 0;
    int kept = 0;
    for (int k = 0; k < 3; k++) {
        s->v[k] = 0;
        for (int i = 0; i < s->p.count; i++) s->v[k] += lambda[i] * s->p.y[i][k];
        square += s->v[k] * s->v[k];
    }
    for (int i = 0; i < s->p.count; i++) {
        if (!(lambda[i] > 0)) continue;
        for (int k = 0; k < 3; k++) s->p.y[kept][k] = s->p.y[i][k];
        kept++;
    }
    s->p.count = kept;
    bool shorter = square < s->square;
    s->square = square;
    return shorter;
}

// All points but the kept one that lies farthest along the newest.
static unsigned likeliest(const points* p) {
    const double* along = p->dot[p->count - 1];
    int out = 0;
    for (int i = 1; i < p->count - 1; i++)
        if (along[i] > along[out]) out = i;
    return ((1u << p->count) - 1) ^ (1u << out);
}

// How often the subset that is tried first is the answer; the paper says about 80 % for its polytopes.
static void test_likeliest(void** state) {
    (void)state;
    rng r = rng_seed(77);
    int hits = 0, tries = 0;
    for (int c = 0; c < 2000; c++) {
        search s;
        double lambda[MAX];
        start(&s, &r);
        while (s.p.count < 4 && extend(&s)) {
            assert_true(solve(&s.p, lambda));
            tries += s.p.count >= 3;
            hits += s.p.count >= 3 && used(lambda, s.p.count) == likeliest(&s.p);
            if (!reduce(&s, lambda)) break;
        }
    }
    printf("  the face tried first is the answer for %d of %d simplices (%.0f %%)\n", hits, tries,
           100.0 * hits / tries);
    assert_true(tries > 500);
    assert_true(hits > tries / 2);
}

// ---------------------------------------------------------------------------------------------------- degenerate ----

// Points that coincide, lie on one line, or are so close that their cofactors vanish: weights stay convex, and the
// Backup Procedure is as near as the best corner at least.
static void test_degenerate(void** state) {
    (void)state;
    rng r = rng_seed(5);
    int found = 0, failed = 0;
    for (int c = 0; c < 5000; c++) {
        points p = {.count = rng_between(&r, 1, 4), .dim = 3};
        double step = ldexp(1, -rng_between(&r, 0, 300));
        for (int i = 0; i < p.count; i++)
            for (int k = 0; k < 3; k++)
                p.y[i][k] = c % 3 == 0   ? rng_between(&r, -1, 1)
                            : c % 3 == 1 ? 0.5 + step * rng_uniform(&r, -1, 1)
                                         : (k == 0) + i * step * (k + 1);
        multiply(&p);
        double lambda[MAX], other[MAX];
        backup(&p, other);
        check_weights(other, p.count);
        double corner = INFINITY;
        for (int i = 0; i < p.count; i++) corner = fmin(corner, p.dot[i][i]);
        double v[3] = {0}, square = 0;
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < p.count; i++) v[k] += other[i] * p.y[i][k];
            square += v[k] * v[k];
        }
        assert_true(square <= corner + 64 * ROUNDOFF * (1 + corner));
        if (solve(&p, lambda)) {
            found++;
            check_weights(lambda, p.count);
        } else {
            failed++;
        }
    }
    printf("  degenerate: %d found, %d left to the backup\n", found, failed);
    assert_true(found > 1000);
}

// Numbers that cannot be inner products: no answer from the subalgorithm, a corner from the backup.
static void test_not_a_number(void** state) {
    (void)state;
    points p = {.count = 4, .dim = 3};
    for (int i = 0; i < MAX * MAX; i++) p.dot[i / MAX][i % MAX] = NAN;
    double lambda[MAX] = {7, 7, 7, 7}, other[MAX];
    assert_false(solve(&p, lambda));
    assert_true(lambda[0] == 7 && lambda[3] == 7);
    backup(&p, other);
    check_weights(other, 4);
    for (int i = 0; i < MAX * MAX; i++) p.dot[i / MAX][i % MAX] = INFINITY;
    backup(&p, other);
    check_weights(other, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unit_vectors), cmocka_unit_test(test_origin_inside), cmocka_unit_test(test_random),
        cmocka_unit_test(test_likeliest),    cmocka_unit_test(test_degenerate),    cmocka_unit_test(test_not_a_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

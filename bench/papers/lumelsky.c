// Lumelsky 1985 and GJK 1988, sec. VII: two segments by the closed form and by the general algorithm.
#include "lab.h"

#include "../machine.h"

#include <stdio.h>

#define SEGMENTS 1024

enum { APART, CROSSING, COLLINEAR, CASES };

static const char* const NAMES[CASES] = {"separated", "just touching", "in one line, overlapping"};
static const char* const PAPER[CASES] = {"36", "39", "96"};

typedef struct duel {
    apart_vec3 end[SEGMENTS][4]; // a b, c d
    double exact[SEGMENTS];      // squared distances by the closed form
    apart_shape *first[SEGMENTS], *second[SEGMENTS];
} duel;

// A random segment and one that stands to it as the case asks.
static void make_pair(apart_vec3 end[4], int which, rng* r) {
    end[0] = rng_in_cube(r, 1);
    end[1] = rng_in_cube(r, 1);
    apart_vec3 d = vec3_sub(end[1], end[0]);
    double s = rng_unit(r);
    apart_vec3 meet = vec3_mad(end[0], s, d), u = rng_unit_vector(r);
    end[2] = which == COLLINEAR  ? vec3_mad(meet, -0.2, d)
             : which == CROSSING ? vec3_mad(meet, -0.6, u)
                                 : rng_in_cube(r, 1);
    end[3] = which == COLLINEAR  ? vec3_mad(meet, 0.3, d)
             : which == CROSSING ? vec3_mad(meet, 0.7, u)
                                 : rng_in_cube(r, 1);
    if (which == APART)
        for (int i = 2; i < 4; i++) end[i] = vec3_mad(end[i], 3, u);
}

static bool make_duel(duel* d, int which) {
    rng r = rng_seed(1985 + (uint64_t)which);
    bool good = true;
    for (int i = 0; i < SEGMENTS; i++) {
        make_pair(d->end[i], which, &r);
        d->first[i] = apart_shape_points(&d->end[i][0], 2, 0, NULL);
        d->second[i] = apart_shape_points(&d->end[i][2], 2, 0, NULL);
        good = good && d->first[i] && d->second[i];
    }
    return good;
}

static void free_duel(duel* d) {
    for (int i = 0; i < SEGMENTS; i++) {
        apart_shape_release(d->first[i]);
        apart_shape_release(d->second[i]);
    }
}

static double time_closed_form(duel* d, int rounds) {
    double best = INFINITY;
    for (int round = 0; round < rounds; round++) {
        double start = clock_seconds();
        for (int i = 0; i < SEGMENTS; i++) {
            double t, u;
            const apart_vec3* e = d->end[i];
            d->exact[i] = apart_segment_segment(3, &e[0].x, &e[1].x, &e[2].x, &e[3].x, &t, &u);
        }
        best = fmin(best, clock_seconds() - start);
    }
    return 1e9 * best / SEGMENTS;
}

// error: largest difference to the closed form.
static double time_method(const duel* d, apart_method method, int rounds, double* iterations, double* error) {
    double best = INFINITY;
    apart_query query = apart_query_default();
    query.method = method;
    for (int round = 0; round < rounds; round++) {
        double sum = 0, start = clock_seconds();
        for (int i = 0; i < SEGMENTS; i++) {
            apart_result result;
            if (apart_distance(d->first[i], &apart_pose_identity, d->second[i], &apart_pose_identity, &query, NULL,
                               &result))
                return NAN;
            *error = fmax(*error, fabs(result.distance - sqrt(d->exact[i])));
            sum += result.iterations;
        }
        best = fmin(best, clock_seconds() - start);
        *iterations = sum / SEGMENTS;
    }
    return 1e9 * best / SEGMENTS;
}

bool paper_lumelsky(bool quick) {
    static duel d;
    int rounds = quick ? 20 : 200;
    bool good = true;
    puts("\n(e) Lumelsky 1985: segment pairs, ns each");
    puts("case                       closed form    GJK  ratio  iter    AUTO  ratio  iter   largest difference   "
         "paper's EF: 38-40 closed, GJK");
    for (int which = 0; which < CASES; which++) {
        double iterations[2] = {0}, error = 0;
        good = make_duel(&d, which) && good;
        double closed = time_closed_form(&d, rounds);
        double gjk = time_method(&d, APART_METHOD_GJK, rounds, &iterations[0], &error);
        double best = time_method(&d, APART_METHOD_AUTO, rounds, &iterations[1], &error);
        printf("%-26s %11.1f %6.0f %6.2f %5.2f %7.0f %6.2f %5.2f %20.1e   %s\n", NAMES[which], closed, gjk,
               gjk / closed, iterations[0], best, best / closed, iterations[1], error, PAPER[which]);
        good = good && error <= 1e-7;
        free_duel(&d);
    }
    const double a[3] = {0, 0, 0}, b[3] = {1, 2, 1}, c[3] = {1, 0, 0}, e[3] = {2, 1, 0};
    double t = -1, u = -1, squared = apart_segment_segment(3, a, b, c, e, &t, &u);
    printf("worked example: t = %.6f, u = %.6f, squared distance %.6f (paper: 1/6, 0, 0.8333)\n", t, u, squared);
    good = good && fabs(squared - 5.0 / 6) <= 1e-15 && fabs(t - 1.0 / 6) <= 1e-15 && u == 0;
    if (!good) puts("WRONG ANSWERS");
    return good;
}

// Cameron 1997, Figs. 3-5: hill climbing and tracking make the time nearly constant in the number of vertices.
//
// Random hulls; one body moves. Fig. 3: cold, with and without hill climbing. Fig. 4: sequences of 20 under
// translation. Fig. 5: 0, 6 and 12 degrees a step at three separations.
#include "lab.h"

#include <stdio.h>

#define SEQUENCE 20
#define STEPS ((size_t)25 * SEQUENCE)

static const size_t SIZES[] = {10, 20, 50, 100, 200, 500};
#define SIZE_COUNT (sizeof SIZES / sizeof SIZES[0])

// How one body moves, lengths in diameters of the other.
typedef struct movement {
    double separation; // between the surfaces, at the start of a sequence; below 0 they overlap
    double drift;      // a step
    double degrees;    // a step, about a new axis each time
    size_t sequence;   // steps that share a cache, 0 = cold
} movement;

static void move(course* c, const movement* m, rng* r) {
    apart_pose b = apart_pose_identity;
    apart_vec3 drift = {0, 0, 0};
    for (size_t i = 0; i < c->count; i++) {
        if (i % SEQUENCE == 0) {
            b = rng_pose(r, vec3_scale(2 * (1 + m->separation), rng_unit_vector(r)));
            drift = rng_unit_vector(r);
        }
        c->pose_a[i] = apart_pose_identity;
        c->pose_b[i] = b;
        apart_mat3 turn = turn_about(rng_unit_vector(r), m->degrees);
        b.rotation = rng_product(&turn, &b.rotation);
        b.translation = vec3_mad(b.translation, 2 * m->drift, drift);
    }
}

// Averages over several pairs of hulls. n = 8 stands for boxes.
static tally measure_hulls(size_t n, const movement* m, apart_method method, int pairs, int rounds) {
    rng r = rng_seed(1997 + n);
    tally sum = {0};
    for (int i = 0; i < pairs; i++) {
        apart_vec3 half = {rng_uniform(&r, 0.4, 0.6), rng_uniform(&r, 0.4, 0.6), rng_uniform(&r, 0.4, 0.6)};
        apart_shape* a = n == 8 ? apart_shape_box(half, 0, NULL) : random_hull(n, &r);
        apart_shape* b = n == 8 ? apart_shape_box(half, 0, NULL) : random_hull(n, &r);
        course c = {.a = a, .b = b, .sequence = m->sequence};
        if (a && b && course_allocate(&c, STEPS)) {
            move(&c, m, &r);
            sum = tally_add(sum, course_run(&c, method, rounds, NULL));
            course_free(&c);
        } else
            sum.failures++;
        apart_shape_release(a);
        apart_shape_release(b);
    }
    return sum;
}

typedef struct column {
    const char* name;
    apart_method method;
} column;

static const column COLUMNS[] = {{"GJK (all vertices)", APART_METHOD_GJK},
                                 {"ENHANCED (climbing)", APART_METHOD_ENHANCED},
                                 {"AUTO", APART_METHOD_AUTO}};
#define COLUMN_COUNT (sizeof COLUMNS / sizeof COLUMNS[0])

// One figure: rows are sizes, columns methods. growth: ns at the largest over ns at the smallest.
static bool figure_table(const movement* m, int pairs, int rounds, double growth[COLUMN_COUNT]) {
    bool good = true;
    double first[COLUMN_COUNT];
    puts("     n   GJK: iter  visits      ns   ENHANCED: iter  visits      ns   AUTO: iter  visits      ns");
    for (size_t i = 0; i < SIZE_COUNT; i++) {
        printf("%6zu", SIZES[i]);
        for (size_t k = 0; k < COLUMN_COUNT; k++) {
            tally t = measure_hulls(SIZES[i], m, COLUMNS[k].method, pairs, rounds);
            static const int pads[COLUMN_COUNT] = {12, 17, 13};
            printf("%*.2f %7.1f %7.0f", pads[k], t.iterations, t.visits, t.ns);
            if (i == 0) first[k] = t.ns;
            growth[k] = t.ns / first[k];
            good = good && !t.failures;
        }
        putchar('\n');
    }
    return good;
}

static bool motion_table(int pairs, int rounds) {
    static const double separations[] = {3, 1, -0.2}, degrees[] = {0, 6, 12};
    static const size_t rows[] = {8, 10, 50, 100, 500};
    bool good = true;
    puts("\nFig. 5, ENHANCED, ns per query: 0 / 6 / 12 degrees a step at three separations (diameters)");
    puts("     n            3 apart              1 apart          overlapping");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        printf(rows[i] == 8 ? "   box" : "%6zu", rows[i]);
        for (int s = 0; s < 3; s++) {
            printf("      ");
            for (int d = 0; d < 3; d++) {
                movement m = {separations[s], 0.01, degrees[d], SEQUENCE};
                tally t = measure_hulls(rows[i], &m, APART_METHOD_ENHANCED, pairs, rounds);
                printf("%s%4.0f", d ? "/" : "", t.ns);
                good = good && !t.failures;
            }
        }
        putchar('\n');
    }
    puts("paper (us, Pentium 120): below 50 at 1 apart and more, about twice that overlapping; boxes 10-20, 20-30");
    return good;
}

bool paper_cameron(bool quick) {
    int pairs = quick ? 2 : 8, rounds = quick ? 2 : 5;
    double growth[COLUMN_COUNT];
    movement cold = {1, 0.01, 0, 0}, tracked = {1, 0.01, 0, SEQUENCE};
    puts("\n(c) Cameron 1997: one of two random hulls moves by 1 % of its diameter a step");
    puts("\nFig. 3, without tracking (paper: 3-6 loop passes)");
    bool good = figure_table(&cold, pairs, rounds, growth);
    puts("\nFig. 4, tracked, sequences of 20 with the cold start (paper: 1-2 loop passes)");
    good = figure_table(&tracked, pairs, rounds, growth) && good;
    printf("time at n = 500 over n = 10: GJK x%.1f, ENHANCED x%.2f, AUTO x%.2f (paper, climbing: 42/32 = x1.31)\n",
           growth[0], growth[1], growth[2]);
    good = motion_table(pairs, rounds) && good;
    if (!good) puts("FAILED QUERIES");
    return good;
}

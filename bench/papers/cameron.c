// Cameron 1997: hill climbing and tracking make the time nearly constant in the number of vertices (Figs. 3-5); the
// bracket of the penetration (Fig. 6).
//
// Random hulls; one body moves. Fig. 3: cold, with and without hill climbing. Fig. 4: sequences of 20 under
// translation. Fig. 5: 0, 6 and 12 degrees a step at three separations. Times are the library's; operations, which the
// paper counts as multiplications and divisions, those of the algorithm as published (published.c), which begins at any
// vertices where the library begins along the line of centres.
#include "lab.h"
#include "published.h"

#define SEQUENCE 20
#define STEPS ((size_t)25 * SEQUENCE)
#define HULL_PAIRS 8
#define EPS 2.2e-14

static const size_t SIZES[] = {10, 20, 50, 100, 200, 300, 400, 500};
#define SIZE_COUNT (sizeof SIZES / sizeof SIZES[0])
// n = 8 stands for boxes.
#define BOX 8

// How one body moves, lengths in diameters of the other.
typedef struct movement {
    double separation; // between the surfaces, at the start of a sequence; below 0 they overlap
    double drift;      // a step
    double degrees;    // a step, about a new axis each time
    size_t sequence;   // steps that share a cache, 0 = cold
} movement;

// Sums over the queries of some pairs of hulls.
typedef struct measured {
    tally library;
    operations published;
    uint64_t iterations;
} measured;

static double operations_of(const measured* m) {
    return (double)(m->published.multiply + m->published.divide) / (double)m->library.queries;
}

// -------------------------------------------------------------------------------------------------------- queries ----

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

// The published algorithm over a course, checked against the library's answers.
static bool count_course(const course* c, bool climb, const apart_result* results, measured* out) {
    points a = {0}, b = {0};
    tracked track = {0};
    bool good = true;
    counted = (operations){0};
    for (size_t i = 0; good && i < c->count; i++) {
        // Cold: a vertex of each, whichever.
        if (!c->sequence || i % c->sequence == 0) track = (tracked){.count = 1};
        good = points_place(&a, c->a, &c->pose_a[i]) && points_place(&b, c->b, &c->pose_b[i]);
        if (!good) break;
        published_answer p = published_gjk(&a, &b, climb, EPS, &track);
        out->iterations += (uint64_t)p.iterations;
        good = fabs(p.distance - results[i].distance) <= 1e-5;
    }
    out->published = operations_add(out->published, counted);
    points_free(&a);
    points_free(&b);
    return good;
}

static apart_shape* make_body(size_t n, rng* r) {
    apart_vec3 half = vec3_add(rng_in_cube(r, 0.1), (apart_vec3){0.5, 0.5, 0.5});
    return n == BOX ? box_of_points(vec3_neg(half), half) : random_hull(n, r);
}

static measured measure_hulls(lab* l, size_t n, const movement* m, bool climb) {
    rng r = rng_seed(1997 + n);
    static apart_result results[STEPS];
    measured sum = {.iterations = 0};
    for (int i = 0; i < HULL_PAIRS; i++) {
        apart_shape *a = make_body(n, &r), *b = make_body(n, &r);
        course c = {.a = a, .b = b, .sequence = m->sequence};
        bool good = a && b && course_allocate(&c, STEPS);
        if (good) {
            move(&c, m, &r);
            tally t = course_run(l, &c, climb ? APART_METHOD_ENHANCED : APART_METHOD_GJK, results);
            sum.library = tally_add(sum.library, t);
            good = !t.failures && count_course(&c, climb, results, &sum);
            course_free(&c);
        }
        lab_demand(l, good, "an answer of Cameron's figures");
        apart_shape_release(a);
        apart_shape_release(b);
    }
    return sum;
}

static void count_measured(lab* l, const measured* m, const char* name, size_t n) {
    lab_count(l, m->published.multiply + m->published.divide, "cameron.%s.%zu.operations", name, n);
    lab_count(l, m->iterations, "cameron.%s.%zu.iterations", name, n);
    lab_count(l, m->library.iterations, "cameron.%s.%zu.library.iterations", name, n);
    lab_count(l, m->library.visits, "cameron.%s.%zu.library.visits", name, n);
}

// ----------------------------------------------------------------------------------------------------- Figs. 3, 4 ----

// What a figure shows at its ends.
typedef struct extremes {
    double ns[2];         // with climbing, at the smallest and the largest n
    double operations[2]; // with climbing: least, most
    double passes[2];     // with climbing: least, most
    double gain;          // without over with climbing, operations at the largest n
} extremes;

static extremes figure(lab* l, const char* name, const movement* m) {
    char file[32];
    snprintf(file, sizeof file, "cameron-%s", name);
    FILE* csv = lab_csv(l, file, "n,climbing,us,operations,passes,library_iterations,library_visits");
    extremes e = {.operations = {INFINITY, 0}, .passes = {INFINITY, 0}};
    for (size_t i = 0; i < SIZE_COUNT; i++) {
        measured by[2];
        for (int climb = 0; climb < 2; climb++) {
            by[climb] = measure_hulls(l, SIZES[i], m, climb == 1);
            const measured* x = &by[climb];
            char count[32];
            snprintf(count, sizeof count, "%s.%s", name, climb ? "climbing" : "all");
            count_measured(l, x, count, SIZES[i]);
            csv_row(csv, "%zu,%d,%.4f,%.1f,%.3f,%.3f,%.1f", SIZES[i], climb, 1e-3 * x->library.ns, operations_of(x),
                    tally_mean(x->iterations, &x->library), tally_mean(x->library.iterations, &x->library),
                    tally_mean(x->library.visits, &x->library));
        }
        double each = operations_of(&by[1]), passes = tally_mean(by[1].iterations, &by[1].library);
        e.ns[i > 0] = by[1].library.ns;
        e.operations[0] = fmin(e.operations[0], each);
        e.operations[1] = fmax(e.operations[1], each);
        e.passes[0] = fmin(e.passes[0], passes);
        e.passes[1] = fmax(e.passes[1], passes);
        e.gain = operations_of(&by[0]) / each;
        lab_progress(l, file, (double)(i + 1) / SIZE_COUNT);
    }
    csv_close(csv);
    return e;
}

static void figures_3_and_4(lab* l) {
    const movement cold = {1, 0.01, 0, 0}, tracking = {1, 0.01, 0, SEQUENCE};
    extremes c = figure(l, "fig3", &cold), t = figure(l, "fig4", &tracking);
    lab_find(l, "Cameron 3, loop passes, cold", "3-6", c.passes[0] >= 2 && c.passes[1] <= 6, "%.1f-%.1f", c.passes[0],
             c.passes[1]);
    lab_find(l, "Cameron 3, loop passes, tracked", "1-2", t.passes[0] >= 1 && t.passes[1] <= 2, "%.2f-%.2f",
             t.passes[0], t.passes[1]);
    lab_find(l, "Cameron Fig. 3, all vertices / climbing, n = 500", "climbing is ahead", c.gain > 2,
             "%.1f (operations)", c.gain);
    lab_find(l, "Cameron Fig. 4, operations a tracked call", "93-135", t.operations[0] > 70 && t.operations[1] < 180,
             "%.0f-%.0f", t.operations[0], t.operations[1]);
    lab_find(l, "Cameron Fig. 4, time, n = 500 over n = 10", "42 us / 32 us = 1.3", t.ns[1] / t.ns[0] < 2,
             "%.2f us / %.2f us = %.1f", 1e-3 * t.ns[1], 1e-3 * t.ns[0], t.ns[1] / t.ns[0]);
}

// --------------------------------------------------------------------------------------------------------- Fig. 5 ----

static void figure_5(lab* l) {
    static const double separations[3] = {3, 1, -0.2}, degrees[3] = {0, 6, 12};
    static const size_t rows[] = {BOX, 10, 20, 50, 100, 200, 350, 500};
    enum { ROWS = sizeof rows / sizeof rows[0] };
    FILE* csv = lab_csv(l, "cameron-fig5", "n,separation,degrees,us,operations");
    double ns[3] = {0, 0, 0}, box_ns[3] = {0, 0, 0};
    for (int k = 0; k < ROWS * 9; k++) {
        size_t n = rows[k / 9];
        int s = k % 9 / 3, d = k % 3;
        movement m = {separations[s], 0.01, degrees[d], SEQUENCE};
        measured x = measure_hulls(l, n, &m, true);
        char name[32];
        snprintf(name, sizeof name, "fig5.%g.%g", separations[s], degrees[d]);
        count_measured(l, &x, name, n);
        csv_row(csv, "%zu,%g,%g,%.4f,%.1f", n, separations[s], degrees[d], 1e-3 * x.library.ns, operations_of(&x));
        (n == BOX ? box_ns : ns)[s] += x.library.ns / (n == BOX ? 3 : 3 * (ROWS - 1));
        lab_progress(l, "Cameron 1997, Fig. 5", (k + 1.0) / (ROWS * 9));
    }
    csv_close(csv);
    lab_find(l, "Cameron Fig. 5, us, 3 apart, 1 apart, overlapping", "below 50, 50; up to twice",
             ns[0] < ns[1] && ns[1] < ns[2], "%.2f, %.2f, %.2f", 1e-3 * ns[0], 1e-3 * ns[1], 1e-3 * ns[2]);
    lab_find(l, "Cameron 4, boxes, us, apart, overlapping", "10-20, 20-30", box_ns[1] < ns[1] && box_ns[2] < ns[2],
             "%.2f, %.2f", 1e-3 * 0.5 * (box_ns[0] + box_ns[1]), 1e-3 * box_ns[2]);
}

// --------------------------------------------------------------------------------------------------------- Fig. 6 ----

// The bracket of one pose: by the paper (ball and nearest corner of the simplex), by the library, and the truth.
typedef struct penetration {
    double low, high, library_low, library_high, depth;
    bool overlap;
} penetration;

static bool measure_penetration(const apart_shape* a, const apart_shape* b, const apart_pose* pose, tracked* track,
                                apart_cache* cache, penetration* out) {
    apart_query query = apart_query_default();
    apart_result bound, exact;
    points p = {0}, q = {0};
    query.method = APART_METHOD_ENHANCED;
    query.depth = APART_DEPTH_BOUND;
    bool good = points_place(&p, a, &apart_pose_identity) && points_place(&q, b, pose) &&
                !apart_distance(a, &apart_pose_identity, b, pose, &query, cache, &bound);
    query.method = APART_METHOD_AUTO;
    query.depth = APART_DEPTH_EXACT;
    good = good && !apart_distance(a, &apart_pose_identity, b, pose, &query, NULL, &exact);
    if (good) {
        published_answer g = published_gjk(&p, &q, true, EPS, track);
        *out = (penetration){g.overlap ? g.ball : -g.distance,
                             g.overlap ? g.corner : -g.distance,
                             -bound.upper_bound,
                             -bound.lower_bound,
                             -exact.distance,
                             g.overlap};
        double rounding = 1e-9;
        good = out->low <= out->depth + rounding && out->depth <= out->high + rounding + (g.overlap ? 0 : 1e-6) &&
               out->library_low <= out->depth + rounding && out->depth <= out->library_high + rounding;
    }
    points_free(&p);
    points_free(&q);
    return good;
}

// The origin passes through the TCSO: b moves along a line through a.
static void figure_6(lab* l) {
    enum { PLACES = 241 };
    rng r = rng_seed(6);
    apart_shape *a = random_hull(20, &r), *b = random_hull(20, &r);
    FILE* csv = lab_csv(l, "cameron-fig6", "x,mtd,paper_low,paper_high,library_low,library_high");
    tracked track = {0};
    apart_cache cache = {0};
    bool good = a && b;
    for (int i = 0; good && i < PLACES; i++) {
        double x = -2.2 + 4.4 * i / (PLACES - 1);
        apart_pose pose = {apart_pose_identity.rotation, {x, 0.15, -0.1}};
        penetration p;
        good = measure_penetration(a, b, &pose, &track, &cache, &p);
        csv_row(csv, "%.5f,%.6f,%.6f,%.6f,%.6f,%.6f", x, -p.depth, -p.high, -p.low, -p.library_high, -p.library_low);
    }
    csv_close(csv);
    apart_shape_release(a);
    apart_shape_release(b);
    lab_demand(l, good, "the bracket of Fig. 6");
}

// From point 2 to point 3 of Fig. 6: b moves on until it is in a. Whether the nearest face of the simplex is then the
// witness of the whole TCSO, as the paper expects of small steps.
static bool enter(double step, rng* r, bool* closed) {
    apart_shape *a = random_hull(20, r), *b = random_hull(20, r);
    apart_vec3 way = rng_unit_vector(r), aside = vec3_scale(0.2, rng_unit_vector(r));
    tracked track = {0};
    penetration p = {.overlap = false};
    bool good = a && b;
    for (double x = -2.2; good && !p.overlap && x < 0; x += step) {
        apart_pose pose = {apart_pose_identity.rotation, vec3_mad(aside, x, way)};
        good = measure_penetration(a, b, &pose, &track, NULL, &p);
    }
    *closed = p.low >= p.depth * (1 - 1e-9);
    apart_shape_release(a);
    apart_shape_release(b);
    return good && p.overlap;
}

static void entries(lab* l) {
    enum { WAYS = 100 };
    rng r = rng_seed(61);
    uint64_t count = 0;
    bool good = true;
    for (int i = 0; good && i < WAYS; i++) {
        bool closed;
        good = enter(0.01, &r, &closed);
        count += closed;
    }
    lab_demand(l, good, "the first step of a penetration");
    lab_count(l, count, "cameron.fig6.entries.closed");
    lab_find(l, "Cameron Fig. 6, first step in: the face is the MTD", "expected for small steps", 2 * count > WAYS,
             "%llu of %d ways in", (unsigned long long)count, WAYS);
}

// How good the brackets are over the depth: random hulls, cold and one small step after.
static void bracket_quality(lab* l) {
    enum { SAMPLES = 400 };
    rng r = rng_seed(66);
    FILE* csv = lab_csv(l, "cameron-quality", "depth,paper_low,paper_high,library_low,library_high");
    double share[2] = {0, 0}, count[2] = {0, 0};
    bool good = true;
    for (int i = 0; good && i < SAMPLES; i++) {
        apart_shape *a = random_hull(30, &r), *b = random_hull(30, &r);
        double away = rng_uniform(&r, 0.05, 1.95);
        apart_pose pose = rng_pose(&r, vec3_scale(away, rng_unit_vector(&r)));
        penetration p;
        good = a && b && measure_penetration(a, b, &pose, NULL, NULL, &p);
        apart_shape_release(a);
        apart_shape_release(b);
        if (!good || !p.overlap || !(p.depth > 1e-6)) continue;
        csv_row(csv, "%.6f,%.6f,%.6f,%.6f,%.6f", p.depth, p.low / p.depth, p.high / p.depth, p.library_low / p.depth,
                p.library_high / p.depth);
        count[p.depth > 0.5]++;
        share[p.depth > 0.5] += p.low / p.depth;
    }
    csv_close(csv);
    lab_demand(l, good, "a bracket of the penetration");
    lab_count(l, (uint64_t)(count[0] + count[1]), "cameron.quality.overlaps");
    lab_find(l, "Cameron 5, inner ball / MTD+, depth < 0.5, > 0.5", "deep: may be far off", share[1] / count[1] < 1,
             "%.2f, %.2f", share[0] / count[0], share[1] / count[1]);
}

void paper_cameron(lab* l) {
    figures_3_and_4(l);
    figure_5(l);
    figure_6(l);
    entries(l);
    bracket_quality(l);
}

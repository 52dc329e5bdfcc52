// Sundaraj, d'Aulignac, Mazer 2000, sec. 6: features against enhanced GJK under small motions, and two hard pairs.
//
// Figs. 1-2: one hull is carried past the other in 10e4 little steps, with and without tracking. Fig. 3: two hulls of
// 50 points, one turns at different speeds. Experiments 1 and 2: tiny tetrahedra; cubes of very different size.
#include "lab.h"

#include <stdio.h>

static const apart_method METHODS[2] = {APART_METHOD_ENHANCED, APART_METHOD_FEATURES};

// b moves on a line past a, or turns on the spot about a fixed axis.
static void carry(course* c, double degrees, rng* r) {
    apart_vec3 axis = rng_unit_vector(r), start = {degrees > 0 ? 3 : -4, degrees > 0 ? 0 : 3, 0.2};
    apart_pose b = rng_pose(r, start);
    apart_mat3 turn = turn_about(axis, degrees);
    double step = degrees > 0 ? 0 : 8.0 / (double)c->count;
    for (size_t i = 0; i < c->count; i++) {
        c->pose_a[i] = apart_pose_identity;
        c->pose_b[i] = b;
        b.translation.x = start.x + step * (double)(i + 1);
        b.rotation = rng_product(&turn, &b.rotation);
    }
}

static bool measure_pair(size_t n, double degrees, size_t steps, bool tracked, int rounds, tally out[2]) {
    rng r = rng_seed(2000 + n);
    apart_shape *a = random_hull(n, &r), *b = random_hull(n, &r);
    course c = {.a = a, .b = b, .sequence = tracked ? steps : 0};
    bool good = a && b && course_allocate(&c, steps);
    if (good) {
        carry(&c, degrees, &r);
        for (int k = 0; k < 2; k++) {
            out[k] = course_run(&c, METHODS[k], rounds, NULL);
            good = good && !out[k].failures;
        }
        course_free(&c);
    }
    apart_shape_release(a);
    apart_shape_release(b);
    return good;
}

// Seconds for 10e4 steps, as in the paper's plots.
static double seconds(tally t) { return t.ns * 1e-9 * 1e5; }

static bool translation_table(size_t steps, int rounds) {
    static const size_t sizes[] = {10, 20, 50, 100, 200, 500};
    double sum[2] = {0, 0};
    size_t count = sizeof sizes / sizeof sizes[0];
    bool good = true;
    puts("\nFigs. 1-2, translation: seconds for 10e4 steps");
    puts("     n   ENHANCED: untracked  tracked    FEATURES: untracked  tracked   supports, tracked: ENH / FEAT");
    for (size_t i = 0; good && i < count; i++) {
        tally cold[2] = {{0}}, warm[2] = {{0}};
        good = measure_pair(sizes[i], 0, steps, false, rounds, cold) &&
               measure_pair(sizes[i], 0, steps, true, rounds, warm);
        printf("%6zu %21.4f %8.4f %22.4f %8.4f %22.2f / %.2f\n", sizes[i], seconds(cold[0]), seconds(warm[0]),
               seconds(cold[1]), seconds(warm[1]), warm[0].supports, warm[1].supports);
        for (int k = 0; k < 2; k++) sum[k] += seconds(warm[k]) / (double)count;
    }
    printf("  mean, tracked: ENHANCED %.4f, FEATURES %.4f: ratio %.2f (paper: 0.36, 0.24: 0.67)\n", sum[0], sum[1],
           sum[1] / sum[0]);
    return good;
}

static bool rotation_table(size_t steps, int rounds) {
    static const double degrees[] = {0.1, 0.5, 1, 2, 5, 10, 20, 45};
    bool good = true;
    puts("\nFig. 3, two hulls of 50 points, rotation, tracked: seconds for 10e4 steps (paper: features ahead "
         "throughout)");
    puts("degrees/step   ENHANCED  FEATURES  ratio   supports: ENH / FEAT");
    for (size_t i = 0; good && i < sizeof degrees / sizeof degrees[0]; i++) {
        tally t[2] = {{0}};
        good = measure_pair(50, degrees[i], steps, true, rounds, t);
        printf("%12.1f %10.4f %9.4f %6.2f %12.2f / %.2f\n", degrees[i], seconds(t[0]), seconds(t[1]), t[1].ns / t[0].ns,
               t[0].supports, t[1].supports);
    }
    return good;
}

// ------------------------------------------------------------------------------------------------- experiments ----

static apart_shape* tetrahedron(double edge) {
    double h = edge / sqrt(8);
    apart_vec3 p[4] = {{h, h, h}, {h, -h, -h}, {-h, h, -h}, {-h, -h, h}};
    return apart_shape_points(p, 4, 0, NULL);
}

static apart_shape* cube(double edge) { return apart_shape_box((apart_vec3){edge / 2, edge / 2, edge / 2}, 0, NULL); }

// The gap between the face x = face of a and b turned at `place`: the nearest corner of b decides.
static double face_gap(const apart_shape* b, const apart_pose* pose, double face) {
    apart_shape_info info;
    double inner = INFINITY;
    if (apart_shape_describe(b, &info)) return NAN;
    for (size_t i = 0; i < info.vertices; i++) {
        apart_vec3 p;
        if (apart_shape_vertex(b, i, &p, NULL)) return NAN;
        const double* row = pose->rotation.m[0];
        inner = fmin(inner, row[0] * p.x + row[1] * p.y + row[2] * p.z);
    }
    return pose->translation.x - face + inner;
}

typedef struct trial {
    const char* name;
    apart_vec3 place; // of b
    double face;      // a's face towards b, NAN if the true gap is not known in closed form
} trial;

// 100 rotations of b beside a. Prints the spread of the answers, the widest bracket and the largest error.
static bool robust(const trial* t, apart_shape* a, apart_shape* b, apart_method method) {
    rng r = rng_seed(23);
    double least = INFINITY, most = 0, widest = 0, error = 0;
    bool good = a && b;
    for (int i = 0; good && i < 100; i++) {
        apart_query query = apart_query_default();
        apart_pose pose = rng_pose(&r, t->place);
        apart_result result;
        query.method = method;
        good = apart_distance(a, &apart_pose_identity, b, &pose, &query, NULL, &result) == APART_OK;
        if (!good) break;
        double truth = isnan(t->face) ? result.distance : face_gap(b, &pose, t->face);
        good = result.lower_bound > 0 && result.lower_bound <= truth && truth <= result.upper_bound;
        least = fmin(least, result.distance);
        most = fmax(most, result.distance);
        widest = fmax(widest, 1 - result.lower_bound / result.upper_bound);
        error = fmax(error, fabs(result.distance / truth - 1));
    }
    printf("%-30s %-9s distance %.6g to %.6g, bracket within %.1e of it, error %.1e\n", t->name,
           method == APART_METHOD_FEATURES ? "FEATURES" : "ENHANCED", least, most, widest, error);
    return good;
}

// The gap of 1e-10 stands beside a face 1000 away, where doubles are 1.1e-13 apart.
static bool robustness(void) {
    static const trial tiny = {"tetrahedra of edge 1e-23", {20e-23, 0, 0}, NAN};
    static const trial unequal = {"cubes of edge 2000 and 1e-15", {1000 + 1e-10, 3, 5}, 1000};
    bool good = true;
    puts("\nExperiments 1 and 2, 100 rotations each (paper: no numerical problems)");
    for (int k = 0; k < 2; k++) {
        apart_shape *a = tetrahedron(1e-23), *b = tetrahedron(1e-23), *c = cube(2000), *d = cube(1e-15);
        good = robust(&tiny, a, b, METHODS[k]) && good;
        good = robust(&unequal, c, d, METHODS[k]) && good;
        apart_shape_release(a);
        apart_shape_release(b);
        apart_shape_release(c);
        apart_shape_release(d);
    }
    return good;
}

bool paper_sundaraj(bool quick) {
    size_t steps = quick ? 10000 : 100000;
    int rounds = quick ? 1 : 3;
    puts("\n(d) Sundaraj, d'Aulignac, Mazer 2000: ENHANCED against FEATURES");
    bool good = translation_table(steps, rounds);
    good = rotation_table(steps, rounds) && good;
    good = robustness() && good;
    if (!good) puts("WRONG ANSWERS");
    return good;
}

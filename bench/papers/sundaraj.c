// Sundaraj, d'Aulignac, Mazer 2000, sec. 6: features against enhanced GJK under small motions, and two hard pairs.
//
// Figs. 1-2: one hull is carried past the other in 10e4 little steps, with and without tracking. Fig. 3: two hulls of
// 50 points, one turns at different speeds. Experiments 1 and 2: tiny tetrahedra; cubes of very different size.
#include "lab.h"

#define STEPS 100000
// Steps that are counted but not timed, where only the counts are asked for.
#define COUNTED_STEPS 10000

static const apart_method METHODS[2] = {APART_METHOD_ENHANCED, APART_METHOD_FEATURES};
static const char* const NAMES[2] = {"enhanced", "features"};

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

// Both methods over the same course; results of `steps` steps.
static bool measure_pair(const lab* l, size_t n, double degrees, size_t steps, bool is_tracked, tally out[2]) {
    rng r = rng_seed(2000 + n);
    apart_shape *a = random_hull(n, &r), *b = random_hull(n, &r);
    course c = {.a = a, .b = b, .sequence = is_tracked ? steps : 0};
    bool good = a && b && course_allocate(&c, steps);
    if (good) {
        carry(&c, degrees, &r);
        for (int k = 0; k < 2; k++) {
            out[k] = course_run(l, &c, METHODS[k], NULL);
            good = good && !out[k].failures;
        }
        course_free(&c);
    }
    apart_shape_release(a);
    apart_shape_release(b);
    return good;
}

// The counts come from a course of their own, the same whether the clock is asked or not.
static bool measure_both(lab* l, const char* name, size_t n, double degrees, bool is_tracked, tally timed[2],
                         tally sums[2]) {
    lab silent = {.rounds = 0};
    bool good = measure_pair(&silent, n, degrees, COUNTED_STEPS, is_tracked, sums);
    for (int k = 0; k < 2; k++) {
        lab_count(l, sums[k].supports, "sundaraj.%s.%s.supports", name, NAMES[k]);
        lab_count(l, sums[k].visits, "sundaraj.%s.%s.visits", name, NAMES[k]);
        timed[k] = sums[k];
    }
    return good && (l->rounds == 0 || measure_pair(l, n, degrees, STEPS, is_tracked, timed));
}

// Seconds for 10e4 steps, as in the paper's plots.
static double seconds(tally t) { return t.ns * 1e-9 * 1e5; }

static void translations(lab* l) {
    static const size_t sizes[] = {10, 20, 50, 100, 200, 300, 400, 500};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    FILE* csv = lab_csv(l, "sundaraj-fig12", "n,method,untracked,tracked,supports_untracked,supports_tracked");
    double mean[2] = {0, 0}, growth[2][2] = {{0}};
    bool good = true;
    for (size_t i = 0; good && i < SIZES; i++) {
        tally cold[2], warm[2], cold_sum[2], warm_sum[2];
        char name[32];
        snprintf(name, sizeof name, "fig12.%zu.untracked", sizes[i]);
        good = measure_both(l, name, sizes[i], 0, false, cold, cold_sum);
        snprintf(name, sizeof name, "fig12.%zu.tracked", sizes[i]);
        good = measure_both(l, name, sizes[i], 0, true, warm, warm_sum) && good;
        for (int k = 0; good && k < 2; k++) {
            mean[k] += seconds(warm[k]) / SIZES;
            if (i > 0) growth[k][0] = cold[k].ns / growth[k][1];
            if (i == 0) growth[k][1] = cold[k].ns;
            csv_row(csv, "%zu,%s,%.5f,%.5f,%.3f,%.3f", sizes[i], NAMES[k], seconds(cold[k]), seconds(warm[k]),
                    tally_mean(cold_sum[k].supports, &cold_sum[k]), tally_mean(warm_sum[k].supports, &warm_sum[k]));
        }
        lab_progress(l, "Sundaraj 2000, Figs. 1-2", (double)(i + 1) / SIZES);
    }
    csv_close(csv);
    lab_demand(l, good, "a translation");
    lab_find(l, "Sundaraj Figs. 1-2, features / enhanced GJK", "0.24 s / 0.36 s = 0.67", mean[1] < mean[0],
             "%.4f s / %.4f s = %.2f", mean[1], mean[0], mean[1] / mean[0]);
    lab_find(l, "Sundaraj Figs. 1-2, untracked, n = 500 over 10", "grows in a line", growth[1][0] > 1.5,
             "%.1f enhanced, %.1f features", growth[0][0], growth[1][0]);
}

static void rotations(lab* l) {
    static const double degrees[] = {0.1, 0.5, 1, 2, 5, 10, 20, 45};
    enum { SPEEDS = sizeof degrees / sizeof degrees[0] };
    FILE* csv = lab_csv(l, "sundaraj-fig3", "degrees,method,seconds,supports");
    double ratio[SPEEDS];
    int ahead = 0;
    bool good = true;
    for (size_t i = 0; good && i < SPEEDS; i++) {
        tally timed[2], sums[2];
        char name[32];
        snprintf(name, sizeof name, "fig3.%g", degrees[i]);
        good = measure_both(l, name, 50, degrees[i], true, timed, sums);
        ratio[i] = timed[1].ns / timed[0].ns;
        ahead += ratio[i] < 1;
        for (int k = 0; k < 2; k++)
            csv_row(csv, "%g,%s,%.5f,%.3f", degrees[i], NAMES[k], seconds(timed[k]),
                    tally_mean(sums[k].supports, &sums[k]));
        lab_progress(l, "Sundaraj 2000, Fig. 3", (double)(i + 1) / SPEEDS);
    }
    csv_close(csv);
    lab_demand(l, good, "a rotation");
    lab_find(l, "Sundaraj Fig. 3, features / enhanced over speed", "below 1 throughout", ahead == SPEEDS,
             "%.2f at 0.1, %.2f at 5, %.2f at 45 degrees", ratio[0], ratio[4], ratio[SPEEDS - 1]);
}

// ---------------------------------------------------------------------------------------------------- experiments ----

static apart_shape* tetrahedron(double edge) {
    double h = edge / sqrt(8);
    apart_vec3 p[4] = {{h, h, h}, {h, -h, -h}, {-h, h, -h}, {-h, -h, h}};
    return apart_shape_points(p, 4, 0, NULL);
}

static apart_shape* cube(double edge) {
    apart_vec3 half = {edge / 2, edge / 2, edge / 2};
    return box_of_points(vec3_neg(half), half);
}

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

// 100 rotations of b beside a. Returns the widest bracket as a share of the distance; NAN if an answer is wrong.
static double robust(const trial* t, const apart_shape* a, const apart_shape* b, apart_method method, FILE* csv) {
    rng r = rng_seed(23);
    double least = INFINITY, most = 0, widest = 0;
    for (int i = 0; a && b && i < 100; i++) {
        apart_query query = apart_query_default();
        apart_pose pose = rng_pose(&r, t->place);
        apart_result result;
        query.method = method;
        if (apart_distance(a, &apart_pose_identity, b, &pose, &query, NULL, &result)) return NAN;
        double truth = isnan(t->face) ? result.distance : face_gap(b, &pose, t->face);
        bool right = result.lower_bound > 0 && result.lower_bound <= truth && truth <= result.upper_bound;
        if (!right) return NAN;
        least = fmin(least, result.distance);
        most = fmax(most, result.distance);
        widest = fmax(widest, 1 - result.lower_bound / result.upper_bound);
    }
    csv_row(csv, "%s,%s,%.6g,%.6g,%.2g", t->name, method == METHODS[1] ? NAMES[1] : NAMES[0], least, most, widest);
    return widest;
}

// The gap of 1e-10 stands beside a face 1000 away, where doubles are 1.1e-13 apart.
static void robustness(lab* l) {
    static const trial tiny = {"tetrahedra of edge 1e-23", {20e-23, 0, 0}, NAN};
    static const trial unequal = {"cubes of edge 2000 and 1e-15", {1000 + 1e-10, 3, 5}, 1000};
    FILE* csv = lab_csv(l, "sundaraj-experiments", "bodies,method,least,most,bracket");
    apart_shape *a = tetrahedron(1e-23), *b = tetrahedron(1e-23), *c = cube(2000), *d = cube(1e-15);
    double bracket[2][2];
    bool good = true;
    for (int k = 0; k < 2; k++) {
        bracket[0][k] = robust(&tiny, a, b, METHODS[k], csv);
        bracket[1][k] = robust(&unequal, c, d, METHODS[k], csv);
        good = good && bracket[0][k] <= 1e-12 && bracket[1][k] <= 1e-3;
    }
    csv_close(csv);
    apart_shape_release(a);
    apart_shape_release(b);
    apart_shape_release(c);
    apart_shape_release(d);
    lab_demand(l, good, "a robustness experiment");
    lab_find(l, "Sundaraj 6, experiment 1: tetrahedra 1e-23", "100 runs, no trouble", good,
             "100 runs, brackets within %.0e", fmax(bracket[0][0], bracket[0][1]));
    lab_find(l, "Sundaraj 6, experiment 2: cubes 2000 and 1e-15", "100 runs, no trouble", good,
             "100 runs, brackets within %.0e", fmax(bracket[1][0], bracket[1][1]));
}

void paper_sundaraj(lab* l) {
    translations(l);
    rotations(l);
    robustness(l);
}

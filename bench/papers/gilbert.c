// Gilbert, Johnson, Keerthi 1988, sec. VII and Fig. 4: twelve polytopes, twenty pairs, three cases, 100 poses each.
//
// The separated cases are drawn so that the mean gap is 10/3, and the other two follow by moving one body along the
// line between the near points, as in the paper. Equivalent flops (EF) are multiply-adds: looking at a vertex costs
// three, so the supports cost 3 visits; the rest of an iteration does not depend on the number of vertices.
#include "lab.h"

#include <stdio.h>

#define POLYTOPES 12
#define PAIRS 20
#define POSES 100

enum { SEPARATED, TOUCHING, INTERSECTING, CASES };

static const char* const CASE_NAMES[CASES] = {"separated", "touching", "intersecting"};

// The paper's pairs, numbered from 1.
static const int PAIR[PAIRS][2] = {{1, 2},  {3, 2},  {6, 2}, {8, 2},  {1, 4},  {3, 4},  {6, 4},
                                   {8, 4},  {1, 5},  {3, 5}, {6, 5},  {8, 5},  {1, 10}, {3, 10},
                                   {6, 10}, {8, 10}, {7, 9}, {7, 12}, {11, 9}, {11, 12}};

// Every body fits in a sphere of this radius, 1 to 4 as in the paper.
static const double RADIUS[POLYTOPES] = {1, 1.5, 2, 2.5, 3, 3.5, 1.5, 2, 2.5, 3, 3.5, 4};
static const size_t VERTICES[POLYTOPES] = {2, 3, 8, 12, 16, 20, 20, 40, 50, 60, 100, 100};

// n vertices on two circles in parallel planes: lower radius 1, upper radius `top`, evenly spread or at random.
static apart_shape* two_circles(size_t n, double size, double top, bool regular, rng* r) {
    apart_vec3 points[128];
    size_t half = n / 2;
    double height = 0.6 * size, base = 0.8 * size;
    for (size_t i = 0; i < n; i++) {
        double turn = regular ? (double)(i % half) / (double)half : rng_unit(r);
        double radius = i < half ? base : top * base;
        points[i] = (apart_vec3){radius * cos(360 * DEGREE * turn), radius * sin(360 * DEGREE * turn),
                                 i < half ? -height : height};
    }
    return apart_shape_points(points, n, 0, NULL);
}

static apart_shape* make_polytope(int i, rng* r) {
    double size = RADIUS[i], side = size / sqrt(3);
    apart_vec3 segment[2] = {{-size, 0, 0}, {size, 0, 0}};
    apart_vec3 triangle[3] = {{size, 0, 0}, {-size / 2, 1.5 * side, 0}, {-size / 2, -1.5 * side, 0}};
    switch (i) {
    case 0:
        return apart_shape_points(segment, 2, 0, NULL);
    case 1:
        return apart_shape_points(triangle, 3, 0, NULL);
    case 2:
        return apart_shape_box((apart_vec3){side * 1.2, side, side * 0.7}, 0, NULL);
    case 3:
        return two_circles(12, size, 0.5, true, r);
    case 4:
        return two_circles(16, size, 1, true, r);
    case 5:
        return two_circles(20, size, 1, true, r);
    default:
        return two_circles(VERTICES[i], size, 0.9, false, r);
    }
}

// Poses with the near points a given gap apart; a negative gap pushes the bodies into each other along the same line.
static bool place(course* c, double radii, int which, rng* r) {
    for (size_t i = 0; i < c->count; i++) {
        apart_result near;
        c->pose_a[i] = rng_pose(r, rng_in_cube(r, 1));
        c->pose_b[i] = rng_pose(r, vec3_mad(c->pose_a[i].translation, 1.5 * radii, rng_unit_vector(r)));
        if (apart_distance(c->a, &c->pose_a[i], c->b, &c->pose_b[i], NULL, NULL, &near)) return false;
        double gap = which == SEPARATED  ? rng_uniform(r, 0, 20.0 / 3)
                     : which == TOUCHING ? 0
                                         : -rng_uniform(r, 0.1, 0.5);
        c->pose_b[i].translation = vec3_mad(c->pose_b[i].translation, gap - near.distance, near.normal);
    }
    return true;
}

// The gap along a result's normal, by looking at every vertex: a proof that the bodies are at least that far apart.
static double proved_gap(const course* c, size_t i, apart_vec3 n) {
    const apart_shape* shape[2] = {c->a, c->b};
    const apart_pose* pose[2] = {&c->pose_a[i], &c->pose_b[i]};
    double gap = 0;
    for (int k = 0; k < 2; k++) {
        apart_shape_info info;
        double sign = k ? -1 : 1, reach = -INFINITY;
        if (apart_shape_describe(shape[k], &info)) return NAN;
        for (size_t v = 0; v < info.vertices; v++) {
            apart_vec3 p;
            if (apart_shape_vertex(shape[k], v, &p, NULL)) return NAN;
            apart_vec3 w = vec3_add(mat3_mul(&pose[k]->rotation, p), pose[k]->translation);
            reach = fmax(reach, sign * (n.x * w.x + n.y * w.y + n.z * w.z));
        }
        gap -= reach;
    }
    return gap;
}

// A lower bound above 0 must be proved by the vertices. Brackets may be as wide as the paper's rule
// g(v) <= eps D^2 allows: |v| <= sqrt(eps) D.
static size_t count_wrong(const apart_result* results, const course* c, int which) {
    size_t wrong = 0;
    for (size_t i = 0; i < c->count; i++) {
        const apart_result* r = &results[i];
        bool bracket = r->upper_bound - r->lower_bound <= 1e-7;
        bool proved = r->lower_bound == 0 || proved_gap(c, i, r->normal) >= r->lower_bound - 1e-12;
        bool right = which == SEPARATED ? r->upper_bound > 0 : which != TOUCHING || r->upper_bound <= 1e-7;
        wrong += !(bracket && proved && right);
    }
    return wrong;
}

// One pair, one case: adds to the case's tally and prints nothing.
static bool run_pair(apart_shape* const* bodies, int pair, int which, int rounds, rng* r, tally* out) {
    int i = PAIR[pair][0] - 1, j = PAIR[pair][1] - 1;
    apart_result results[POSES];
    course c = {.a = bodies[i], .b = bodies[j]};
    if (!course_allocate(&c, POSES)) return false;
    bool good = place(&c, RADIUS[i] + RADIUS[j], which, r);
    if (good) {
        *out = course_run(&c, APART_METHOD_GJK, rounds, results);
        good = !out->failures && count_wrong(results, &c, which) == 0;
    }
    course_free(&c);
    return good;
}

static void print_pair(int pair, const tally t[CASES]) {
    size_t m = VERTICES[PAIR[pair][0] - 1] + VERTICES[PAIR[pair][1] - 1];
    printf("(%2d,%2d) %5zu", PAIR[pair][0], PAIR[pair][1], m);
    double mean = 0;
    for (int k = 0; k < CASES; k++) {
        printf("  %5.2f %7.0f %5.1f", t[k].iterations, t[k].ns, 3 * t[k].visits / (double)m);
        mean += t[k].visits / (double)m;
    }
    printf("  %9.1f\n", mean);
}

static void print_cases(const tally t[CASES]) {
    puts("\ncase           runs  iterations      bracket   answered 0   paper: iterations   backup");
    for (int k = 0; k < CASES; k++)
        printf("%-12s %6zu  %4.2f %d-%-3d %12.1e %12zu   3-6                 never\n", CASE_NAMES[k], t[k].queries,
               t[k].iterations, t[k].fewest, t[k].most, t[k].widest, t[k].overlaps);
}

static bool run_pairs(apart_shape* const* bodies, int rounds, rng* r, tally whole[CASES]) {
    bool good = true;
    for (int pair = 0; pair < PAIRS; pair++) {
        tally t[CASES] = {{0}};
        for (int k = 0; k < CASES; k++) {
            good = run_pair(bodies, pair, k, rounds, r, &t[k]) && good;
            whole[k] = tally_add(whole[k], t[k]);
        }
        print_pair(pair, t);
    }
    return good;
}

bool paper_gilbert(bool quick) {
    puts("\n(a) Gilbert, Johnson, Keerthi 1988, Fig. 4: 20 pairs x 3 cases x 100 poses, METHOD_GJK, cold");
    puts("    EF/M: equivalent flops for the supports per vertex. Paper, all work: 14-19 on average, 24-27 touching\n");
    puts("                 separated             touching              intersecting          average");
    puts("pair        M   iter      ns  EF/M   iter      ns  EF/M   iter      ns  EF/M       EF/M");
    rng r = rng_seed(1988);
    apart_shape* bodies[POLYTOPES];
    bool good = true;
    for (int i = 0; i < POLYTOPES; i++) {
        bodies[i] = make_polytope(i, &r);
        good = good && bodies[i];
    }
    tally whole[CASES] = {{0}};
    good = good && run_pairs(bodies, quick ? 3 : 15, &r, whole);
    print_cases(whole);
    for (int i = 0; i < POLYTOPES; i++) apart_shape_release(bodies[i]);
    printf("%s\n", good ? "all answers as they must be" : "WRONG ANSWERS");
    return good;
}

// Gilbert, Johnson, Keerthi 1988, sec. VII: Fig. 4 (twelve polytopes, twenty pairs, three cases, 100 poses each),
// bodies that are far apart, segments beside Lumelsky's algorithm, and the quadratic case in the plane.
//
// Separated poses are drawn so that the mean gap is 10/3, and the other cases follow by moving one body along the line
// between the near points, as in the paper. Equivalent flops (EF) are those of the algorithm as published
// (published.c); METHOD_GJK answers the same queries beside it.
#include "lab.h"
#include "published.h"

#define POLYTOPES 12
#define PAIRS 20
#define POSES 100
#define SEGMENTS 1000

// eps in (35): 100 times the rounding error of the Harris 800, as in section VI; and next to nothing.
#define HARRIS 1e-9
#define LEAST 1e-15

enum { SEPARATED, TOUCHING, INTERSECTING, FAR, CASES };

static const char* const CASE_NAMES[CASES] = {"separated", "touching", "intersecting", "far"};

// The paper's pairs, numbered from 1.
static const int PAIR[PAIRS][2] = {{1, 2},  {3, 2},  {6, 2}, {8, 2},  {1, 4},  {3, 4},  {6, 4},
                                   {8, 4},  {1, 5},  {3, 5}, {6, 5},  {8, 5},  {1, 10}, {3, 10},
                                   {6, 10}, {8, 10}, {7, 9}, {7, 12}, {11, 9}, {11, 12}};

// Every body fits in a sphere of this radius, 1 to 4 as in the paper.
static const double RADIUS[POLYTOPES] = {1, 1.5, 2, 2.5, 3, 3.5, 1.5, 2, 2.5, 3, 3.5, 4};
static const size_t VERTICES[POLYTOPES] = {2, 3, 8, 12, 16, 20, 20, 40, 50, 60, 100, 100};

// Sums over the queries of one case.
typedef struct measured {
    operations published; // of the algorithm as published
    uint64_t iterations, backups, queries;
    double sum_g;           // of |g| at the end
    double backup_farthest; // the largest distance of a pair that needed the Backup Procedure
    double per_vertex[2];   // the least and the largest EF/M of a pair
    tally library;          // METHOD_GJK
} measured;

// -------------------------------------------------------------------------------------------------- twelve bodies ----

// n vertices on two circles in parallel planes, evenly spread or at random; the upper circle is smaller by `top`.
static apart_shape* two_circles(size_t n, double size, double top, bool regular, rng* r) {
    apart_vec3 p[128];
    size_t half = n / 2;
    double height = 0.6 * size, base = 0.8 * size;
    for (size_t i = 0; i < n; i++) {
        double turn = regular ? (double)(i % half) / (double)half : rng_unit(r);
        p[i] = on_circle(i < half ? base : top * base, 360 * turn, i < half ? -height : height);
    }
    return apart_shape_points(p, n, 0, NULL);
}

static apart_shape* make_polytope(int i, rng* r) {
    double size = RADIUS[i], side = size / sqrt(3);
    apart_vec3 segment[2] = {{-size, 0, 0}, {size, 0, 0}};
    apart_vec3 triangle[3] = {{size, 0, 0}, {-size / 2, 1.5 * side, 0}, {-size / 2, -1.5 * side, 0}};
    apart_vec3 half = {side * 1.2, side, side * 0.7};
    switch (i) {
    case 0:
        return apart_shape_points(segment, 2, 0, NULL);
    case 1:
        return apart_shape_points(triangle, 3, 0, NULL);
    case 2:
        return box_of_points(vec3_neg(half), half);
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

// ---------------------------------------------------------------------------------------------------------- poses ----

static bool meet(const course* c, size_t i) {
    apart_result r;
    return apart_distance(c->a, &c->pose_a[i], c->b, &c->pose_b[i], NULL, NULL, &r) == APART_OK && r.upper_bound == 0;
}

// Pushes b into a from where they touch: up to half a unit, less where thin bodies would come out on the other side.
// False if that line leads past a.
static bool push_in(course* c, size_t i, apart_vec3 normal, rng* r) {
    apart_vec3 touching = c->pose_b[i].translation;
    for (double push = rng_uniform(r, 0.1, 0.5); push > 1e-3; push /= 2) {
        c->pose_b[i].translation = vec3_mad(touching, -push, normal);
        if (meet(c, i)) return true;
    }
    return false;
}

// A pose of the case; of those that are to intersect, one that does.
static bool place_one(course* c, size_t i, double radii, int which, rng* r) {
    double away = which == FAR ? 1000 * radii : 1.5 * radii;
    for (int tries = 0; tries < 1000; tries++) {
        apart_result near;
        c->pose_a[i] = rng_pose(r, rng_in_cube(r, 1));
        c->pose_b[i] = rng_pose(r, vec3_mad(c->pose_a[i].translation, away, rng_unit_vector(r)));
        if (which == FAR) return true;
        if (apart_distance(c->a, &c->pose_a[i], c->b, &c->pose_b[i], NULL, NULL, &near)) return false;
        double gap = which == SEPARATED ? rng_uniform(r, 0, 20.0 / 3) : 0;
        c->pose_b[i].translation = vec3_mad(c->pose_b[i].translation, gap - near.distance, near.normal);
        if (which != INTERSECTING || push_in(c, i, near.normal, r)) return true;
    }
    return false;
}

static bool place(course* c, double radii, int which, rng* r) {
    for (size_t i = 0; i < c->count; i++)
        if (!place_one(c, i, radii, which, r)) return false;
    return true;
}

// -------------------------------------------------------------------------------------------------------- answers ----

// The gap along a result's normal, by looking at every vertex: a proof that the bodies are at least that far apart.
static double proved_gap(const points* a, const points* b, apart_vec3 n) {
    double high = -INFINITY, low = INFINITY;
    for (uint32_t i = 0; i < a->count; i++) high = fmax(high, vec3_dot(n, a->at[i]));
    for (uint32_t i = 0; i < b->count; i++) low = fmin(low, vec3_dot(n, b->at[i]));
    return low - high;
}

// The library's lower bound must be proved by the vertices; the published answer may be off by the root of its g.
static bool is_right(const apart_result* r, const published_answer* p, const points* a, const points* b, int which,
                     double eps) {
    double size = a->reach + b->reach + vec3_length(vec3_sub(a->centroid, b->centroid)), rounding = 2e-14 * size;
    bool bracket = r->upper_bound - r->lower_bound <= rounding;
    bool proved = r->lower_bound == 0 || proved_gap(a, b, r->normal) >= r->lower_bound - rounding;
    bool situation = which == INTERSECTING ? r->upper_bound == 0
                     : which == TOUCHING   ? r->upper_bound <= rounding
                                           : r->upper_bound > 0;
    bool published = p->distance >= r->lower_bound - rounding && p->distance <= r->upper_bound + sqrt(eps) * size;
    return bracket && proved && situation && published;
}

// Both algorithms over a course.
static bool run_course(const lab* l, const course* c, int which, double eps, measured* out) {
    apart_result results[SEGMENTS];
    points a = {0}, b = {0};
    bool good = true;
    out->library = course_run(l, c, APART_METHOD_GJK, results);
    counted = (operations){0};
    for (size_t i = 0; good && i < c->count; i++) {
        good = points_place(&a, c->a, &c->pose_a[i]) && points_place(&b, c->b, &c->pose_b[i]);
        if (!good) break;
        published_answer p = published_gjk(&a, &b, false, eps, NULL);
        out->iterations += (uint64_t)p.iterations;
        out->backups += (uint64_t)p.backups;
        if (p.backups) out->backup_farthest = fmax(out->backup_farthest, p.distance);
        out->queries++;
        out->sum_g += fabs(p.g);
        good = is_right(&results[i], &p, &a, &b, which, eps);
    }
    out->published = counted;
    points_free(&a);
    points_free(&b);
    return good && !out->library.failures;
}

static double mean_ef(const measured* m) { return equivalent_flops(m->published) / (double)m->queries; }

static void measured_add(measured* sum, const measured* m) {
    sum->published = operations_add(sum->published, m->published);
    sum->iterations += m->iterations;
    sum->backups += m->backups;
    sum->queries += m->queries;
    sum->sum_g += m->sum_g;
    sum->backup_farthest = fmax(sum->backup_farthest, m->backup_farthest);
    sum->library = tally_add(sum->library, m->library);
}

static void count_case(lab* l, const char* what, const measured* m) {
    lab_count(l, m->published.multiply, "gjk.%s.multiplications", what);
    lab_count(l, m->published.add, "gjk.%s.additions", what);
    lab_count(l, m->published.divide, "gjk.%s.divisions", what);
    lab_count(l, m->published.compare, "gjk.%s.comparisons", what);
    lab_count(l, m->iterations, "gjk.%s.iterations", what);
    lab_count(l, m->backups, "gjk.%s.backups", what);
    lab_count(l, m->library.iterations, "gjk.%s.library.iterations", what);
    lab_count(l, m->library.visits, "gjk.%s.library.visits", what);
}

// --------------------------------------------------------------------------------------------------------- Fig. 4 ----

static bool run_pair(lab* l, apart_shape* const* bodies, int pair, int which, rng* r, FILE* csv, measured* out) {
    int i = PAIR[pair][0] - 1, j = PAIR[pair][1] - 1;
    course c = {.a = bodies[i], .b = bodies[j]};
    if (!course_allocate(&c, POSES)) return false;
    bool good = place(&c, RADIUS[i] + RADIUS[j], which, r) && run_course(l, &c, which, HARRIS, out);
    course_free(&c);
    size_t m = VERTICES[i] + VERTICES[j];
    csv_row(csv, "%d,%d,%zu,%s,%.1f,%.2f,%.2f,%.1f", i + 1, j + 1, m, CASE_NAMES[which], mean_ef(out),
            (double)out->iterations / (double)out->queries, tally_mean(out->library.iterations, &out->library),
            out->library.ns);
    return good;
}

static void find_figure_4(lab* l, const measured sum[CASES], const double mean[2]) {
    double iterations[CASES];
    uint64_t backups = 0;
    for (int k = 0; k < CASES; k++) {
        iterations[k] = (double)sum[k].iterations / (double)sum[k].queries;
        backups += sum[k].backups;
    }
    lab_find(l, "GJK Fig. 4, EF/M, three cases averaged", "14-19", mean[0] >= 9 && mean[1] <= 29, "%.0f-%.0f", mean[0],
             mean[1]);
    lab_find(l, "GJK Fig. 4, EF/M, touching, M > 40", "24-27", sum[TOUCHING].per_vertex[1] <= 1.5 * 27, "%.0f-%.0f",
             sum[TOUCHING].per_vertex[0], sum[TOUCHING].per_vertex[1]);
    lab_find(l, "GJK VII, EF/M, far apart, M > 40", "7 or less", sum[FAR].per_vertex[1] <= 7, "%.1f-%.1f",
             sum[FAR].per_vertex[0], sum[FAR].per_vertex[1]);
    lab_find(l, "GJK VII, iterations, three cases", "3-6", iterations[SEPARATED] >= 2.5 && iterations[TOUCHING] <= 6.5,
             "%.1f, %.1f, %.1f", iterations[SEPARATED], iterations[TOUCHING], iterations[INTERSECTING]);
    lab_find(l, "GJK VII, uses of the Backup Procedure", "0 of 6000", backups == 0, "%llu of 8000, within %.0e",
             (unsigned long long)backups, sum[TOUCHING].backup_farthest);
    double g = (sum[SEPARATED].sum_g + sum[TOUCHING].sum_g) / (double)(sum[SEPARATED].queries + sum[TOUCHING].queries);
    lab_find(l, "GJK VII, final g", "about 1e-10", g < 1e-8, "%.0e on average", g);
    lab_find(l, "GJK VII, intersecting pairs answered 0", "2000", sum[INTERSECTING].library.overlaps == 2000, "%llu",
             (unsigned long long)sum[INTERSECTING].library.overlaps);
}

static void figure_4(lab* l, apart_shape* const* bodies, rng* r) {
    FILE* csv = lab_csv(l, "gjk-fig4", "i,j,M,case,ef,iterations,library_iterations,library_ns");
    measured sum[CASES] = {{.queries = 0}};
    double mean[2] = {INFINITY, 0};
    bool good = true;
    for (int k = 0; k < CASES; k++) sum[k].per_vertex[0] = INFINITY;
    for (int pair = 0; pair < PAIRS && good; pair++) {
        size_t m = VERTICES[PAIR[pair][0] - 1] + VERTICES[PAIR[pair][1] - 1];
        double three = 0;
        for (int k = 0; k < CASES; k++) {
            measured one = {.queries = 0};
            good = run_pair(l, bodies, pair, k, r, csv, &one) && good;
            measured_add(&sum[k], &one);
            double ef = mean_ef(&one) / (double)m;
            three += k < FAR ? ef / 3 : 0;
            if (m > 40) sum[k].per_vertex[0] = fmin(sum[k].per_vertex[0], ef);
            if (m > 40) sum[k].per_vertex[1] = fmax(sum[k].per_vertex[1], ef);
        }
        if (m > 40) mean[0] = fmin(mean[0], three);
        if (m > 40) mean[1] = fmax(mean[1], three);
        lab_progress(l, "GJK 1988, Fig. 4", (pair + 1.0) / PAIRS);
    }
    csv_close(csv);
    lab_demand(l, good && sum[INTERSECTING].library.overlaps == (uint64_t)PAIRS * POSES, "an answer of Fig. 4");
    for (int k = 0; k < CASES; k++) count_case(l, CASE_NAMES[k], &sum[k]);
    find_figure_4(l, sum, mean);
}

// ------------------------------------------------------------------------------------------------------- segments ----

// Both segments on one line, overlapping.
static void place_in_line(course* c, rng* r) {
    for (size_t i = 0; i < c->count; i++) {
        c->pose_a[i] = c->pose_b[i] = rng_pose(r, rng_in_cube(r, 1));
        const apart_mat3* R = &c->pose_a[i].rotation;
        apart_vec3 along = {R->m[0][0], R->m[1][0], R->m[2][0]};
        c->pose_b[i].translation = vec3_mad(c->pose_a[i].translation, rng_uniform(r, -1.5, 1.5), along);
    }
}

// Lumelsky's algorithm over a course of segments, near points included: (7) has the products already.
static operations run_lumelsky(const course* c) {
    points a = {0}, b = {0};
    counted = (operations){0};
    for (size_t i = 0; i < c->count; i++) {
        if (!points_place(&a, c->a, &c->pose_a[i]) || !points_place(&b, c->b, &c->pose_b[i])) break;
        lumelsky_steps(3, &a.at[0].x, &a.at[1].x, &b.at[0].x, &b.at[1].x);
        tick(0, 6, 0, 0);
    }
    points_free(&a);
    points_free(&b);
    return counted;
}

static void segments(lab* l, rng* r) {
    static const int which[3] = {SEPARATED, TOUCHING, INTERSECTING};
    static const int paper[3] = {36, 39, 96};
    FILE* csv = lab_csv(l, "gjk-segments", "case,paper_gjk,paper_lumelsky_low,paper_lumelsky_high,gjk,lumelsky");
    apart_vec3 ends[2] = {{-1, 0, 0}, {1, 0, 0}};
    apart_shape* segment = apart_shape_points(ends, 2, 0, NULL);
    course c = {.a = segment, .b = segment};
    double ef[3], closed[3];
    bool good = segment && course_allocate(&c, SEGMENTS);
    for (int k = 0; good && k < 3; k++) {
        measured m = {.queries = 0};
        if (which[k] == INTERSECTING)
            place_in_line(&c, r);
        else
            good = place(&c, 2, which[k], r);
        // Segments in one line touch to rounding: overlap is not demanded.
        good = good && run_course(l, &c, which[k] == INTERSECTING ? TOUCHING : which[k], HARRIS, &m);
        operations lumelsky = run_lumelsky(&c);
        char name[32];
        snprintf(name, sizeof name, "segments-%s", CASE_NAMES[which[k]]);
        count_case(l, name, &m);
        lab_count(l, lumelsky.multiply + lumelsky.divide, "gjk.%s.lumelsky.multiplications", name);
        ef[k] = mean_ef(&m);
        closed[k] = equivalent_flops(lumelsky) / SEGMENTS;
        csv_row(csv, "%s,%d,38,40,%.1f,%.1f", CASE_NAMES[which[k]], paper[k], ef[k], closed[k]);
    }
    lab_demand(l, good, "an answer about segments");
    if (good) {
        lab_find(l, "GJK VII, segments, EF of GJK", "36 / 39 / 96", ef[0] < ef[2] && ef[1] < ef[2],
                 "%.0f / %.0f / %.0f", ef[0], ef[1], ef[2]);
        lab_find(l, "GJK VII, segments, EF of Lumelsky's", "38-40", closed[0] < 60, "%.0f / %.0f / %.0f", closed[0],
                 closed[1], closed[2]);
    }
    course_free(&c);
    apart_shape_release(segment);
    csv_close(csv);
}

// -------------------------------------------------------------------------------------------- the quadratic case ----

#define BAD_MOST 24

// A point and M2 vertices of a parabola around the vertex next to it, at x = (-1/2)^i: the chord of two neighbours
// leads to the support point half-way between, which is the next one, so that every vertex takes an iteration.
static bool bad_case(const lab* l, uint32_t count, measured* out) {
    apart_vec3 p[BAD_MOST], origin = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        double x = ldexp(i % 2 ? -1 : 1, -(int)i);
        p[i] = (apart_vec3){x, 1 + 0.25 * x * x, 0};
    }
    apart_shape *a = apart_shape_points(&origin, 1, 0, NULL), *b = apart_shape_points(p, count, 0, NULL);
    course c = {.a = a, .b = b};
    bool good = a && b && course_allocate(&c, 1);
    if (good) {
        c.pose_a[0] = c.pose_b[0] = apart_pose_identity;
        good = run_course(l, &c, SEPARATED, LEAST, out);
    }
    course_free(&c);
    apart_shape_release(a);
    apart_shape_release(b);
    return good;
}

static void quadratic_case(lab* l) {
    FILE* csv = lab_csv(l, "gjk-quadratic", "M2,ef,iterations,library_iterations");
    double first = 0, last = 0;
    for (uint32_t count = 4; count <= BAD_MOST; count += 2) {
        measured m = {.queries = 0};
        lab_demand(l, bad_case(l, count, &m), "the quadratic case");
        csv_row(csv, "%u,%.1f,%llu,%llu", count, mean_ef(&m), (unsigned long long)m.iterations,
                (unsigned long long)m.library.iterations);
        lab_count(l, m.iterations, "gjk.quadratic.%u.iterations", count);
        lab_count(l, m.published.multiply, "gjk.quadratic.%u.multiplications", count);
        if (count == 10) first = mean_ef(&m);
        if (count == 20) last = mean_ef(&m);
    }
    csv_close(csv);
    lab_find(l, "GJK VII, the bad case, EF at 2M over EF at M", "O(M^2): up to 4", last / first > 2.4,
             "%.1f (M2 = 20, 10)", last / first);
}

void paper_gilbert(lab* l) {
    rng r = rng_seed(1988);
    apart_shape* bodies[POLYTOPES];
    bool good = true;
    for (int i = 0; i < POLYTOPES; i++) {
        bodies[i] = make_polytope(i, &r);
        good = good && bodies[i];
    }
    lab_demand(l, good, "the twelve polytopes");
    if (good) figure_4(l, bodies, &r);
    for (int i = 0; i < POLYTOPES; i++) apart_shape_release(bodies[i]);
    segments(l, &r);
    quadratic_case(l);
}

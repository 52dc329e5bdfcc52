// Gilbert, Johnson, Keerthi 1988, sec. VIII: an object of two pieces moves through five obstacles (Figs. 5 and 6, Table
// I), and the bound of the negative distance where that is known.
//
// Position and quaternion are linear in s (Canny). The paper does not give its coordinates; this scene is like it: the
// object meets the third and the fifth obstacle on its way and passes the others. data/gjk-path.json is the same, for
// the tool.
#include "lab.h"
#include "published.h"

#include "../machine.h"

#define OBSTACLES 5
#define PIECES 2
// As in section VI, 100 times the rounding error of the Harris 800.
#define EPS 1e-9

typedef struct scene {
    apart_shape* piece[PIECES];
    apart_shape* obstacle[OBSTACLES];
    apart_pose obstacle_pose[OBSTACLES];
} scene;

// ------------------------------------------------------------------------------------------------------ the scene ----

static apart_shape* block(double x0, double x1, double y0, double y1, double z0, double z1) {
    return box_of_points((apart_vec3){x0, y0, z0}, (apart_vec3){x1, y1, z1});
}

// An upright prism with n sides.
static apart_shape* prism(int n, double radius, double height) {
    apart_vec3 p[32];
    for (int i = 0; i < 2 * n; i++) p[i] = on_circle(radius, 360.0 * (i % n) / n, i < n ? -height : height);
    return apart_shape_points(p, 2 * (size_t)n, 0, NULL);
}

// The object is an L: a long bar and a short one at its end.
static bool make_scene(scene* s) {
    static const apart_vec3 places[OBSTACLES] = {{2, 3.2, 0}, {4, -3, 0.5}, {5.2, 1.3, 0}, {8, 3.5, 0}, {9.2, -0.9, 0}};
    s->piece[0] = block(-1.5, 1.5, -0.3, 0.3, -0.3, 0.3);
    s->piece[1] = block(0.9, 1.5, 0.3, 1.2, -0.3, 0.3);
    s->obstacle[0] = prism(6, 1, 1);
    s->obstacle[1] = block(-1, 1, -0.8, 0.8, -1, 1);
    s->obstacle[2] = prism(4, 0.8, 1.5);
    s->obstacle[3] = prism(8, 1, 1.2);
    s->obstacle[4] = block(-0.5, 0.5, -0.5, 0.5, -1.5, 1.5);
    bool good = s->piece[0] && s->piece[1];
    for (int i = 0; i < OBSTACLES; i++) {
        s->obstacle_pose[i] = apart_pose_identity;
        s->obstacle_pose[i].translation = places[i];
        good = good && s->obstacle[i];
    }
    return good;
}

static void free_scene(scene* s) {
    for (int i = 0; i < PIECES; i++) apart_shape_release(s->piece[i]);
    for (int i = 0; i < OBSTACLES; i++) apart_shape_release(s->obstacle[i]);
}

// From (-2, 0, 0) to (13, 0, 0) with half a turn about an inclined axis, the quaternion linear in s.
static apart_pose pose_at(double s) {
    static const double from[4] = {1, 0, 0, 0}, to[4] = {0.1, 0.3, 0.2, 0.92};
    static const double length_squared = 0.9864; // of `to`
    double q[4];
    for (int i = 0; i < 4; i++) q[i] = (1 - s) * from[i] + s * to[i] / sqrt(length_squared);
    return apart_pose_from_quaternion(q[0], q[1], q[2], q[3], (apart_vec3){-2 + 15 * s, 0, 0});
}

// The corners of all faces, for Fig. 5.
static void write_faces(FILE* csv, const char* name, double s, const apart_shape* shape, const apart_pose* pose) {
    points p = {0};
    const polytope* faces = &shape->polytope;
    if (!points_place(&p, shape, pose)) return;
    for (uint32_t f = 0; f < faces->face_count; f++)
        for (uint32_t k = faces->face_first[f]; k < faces->face_first[f + 1]; k++) {
            vec3 v = p.at[faces->face_vertex[k]];
            csv_row(csv, "%s,%g,%u,%.4f,%.4f,%.4f", name, s, f, v.x, v.y, v.z);
        }
    points_free(&p);
}

static void figure_5(lab* l, const scene* s) {
    FILE* csv = lab_csv(l, "gjk-fig5", "body,s,face,x,y,z");
    for (int i = 0; i < OBSTACLES; i++) {
        char name[8];
        snprintf(name, sizeof name, "K%d", i + 1);
        write_faces(csv, name, 0, s->obstacle[i], &s->obstacle_pose[i]);
    }
    for (int step = 0; step <= 4; step++) {
        apart_pose pose = pose_at(step / 4.0);
        write_faces(csv, "K6", step / 4.0, s->piece[0], &pose);
        write_faces(csv, "K7", step / 4.0, s->piece[1], &pose);
    }
    csv_close(csv);
}

// --------------------------------------------------------------------------------------------------------- Fig. 6 ----

// An obstacle's distance; where it is met minus the bound d-, and the negative distance itself, the worst of the
// pieces.
typedef struct point_of_figure_6 {
    double distance, bound, exact;
} point_of_figure_6;

static bool measure_obstacle(const scene* s, int j, const apart_pose* pose, point_of_figure_6* out) {
    apart_query query = apart_query_default();
    points a = {0}, b = {0};
    bool good = points_place(&b, s->obstacle[j], &s->obstacle_pose[j]);
    *out = (point_of_figure_6){INFINITY, 0, 0};
    query.depth = APART_DEPTH_EXACT;
    for (int i = 0; good && i < PIECES; i++) {
        apart_result r;
        good = points_place(&a, s->piece[i], pose) &&
               !apart_distance(s->piece[i], pose, s->obstacle[j], &s->obstacle_pose[j], &query, NULL, &r);
        published_answer p = good ? published_gjk(&a, &b, false, EPS, NULL) : (published_answer){0};
        good = good && p.ball <= fmax(-r.lower_bound, 0) + 1e-12; // d- is a lower bound of the depth
        out->distance = fmin(out->distance, fmax(r.distance, 0));
        out->bound = fmin(out->bound, -p.ball);
        out->exact = fmin(out->exact, r.distance);
    }
    points_free(&a);
    points_free(&b);
    return good;
}

static void figure_6(lab* l, const scene* s) {
    enum { STEPS = 500 };
    FILE* csv = lab_csv(l, "gjk-fig6", "s,obstacle,distance,bound,exact");
    uint64_t met[OBSTACLES] = {0};
    bool good = true;
    for (int t = 0; t <= STEPS; t++) {
        apart_pose pose = pose_at((double)t / STEPS);
        for (int j = 0; j < OBSTACLES; j++) {
            point_of_figure_6 p;
            good = measure_obstacle(s, j, &pose, &p) && good;
            met[j] += p.exact < 0;
            csv_row(csv, "%g,%d,%.6f,%.6f,%.6f", (double)t / STEPS, j + 1, p.distance, p.bound, p.exact);
        }
    }
    csv_close(csv);
    lab_demand(l, good, "an answer of Fig. 6");
    for (int j = 0; j < OBSTACLES; j++) lab_count(l, met[j], "path.fig6.met.K%d", j + 1);
    bool same = !met[0] && !met[1] && met[2] && !met[3] && met[4];
    lab_find(l, "GJK Fig. 6, obstacles that are met", "K3, K5", same, "%s", same ? "K3, K5" : "others");
}

// -------------------------------------------------------------------------------------------------------- Table I ----

// All distances at T + 1 places, by one method of the library.
static bool sweep(const scene* s, int intervals, const apart_query* query, bool warm) {
    apart_cache cache[PIECES][OBSTACLES] = {{{{0}}}};
    for (int t = 0; t <= intervals; t++) {
        apart_pose pose = pose_at((double)t / intervals);
        for (int i = 0; i < PIECES; i++)
            for (int j = 0; j < OBSTACLES; j++) {
                apart_result r;
                if (apart_distance(s->piece[i], &pose, s->obstacle[j], &s->obstacle_pose[j], query,
                                   warm ? &cache[i][j] : NULL, &r))
                    return false;
            }
    }
    return true;
}

// Microseconds of one sweep: the fastest of several rounds, each long enough for the clock.
static double time_sweep(const lab* l, const scene* s, int intervals, apart_method method, bool warm) {
    apart_query query = apart_query_default();
    query.method = method;
    int repeats = 1 + 2000 / intervals;
    double us = l->rounds ? INFINITY : NAN;
    for (int round = 0; round < l->rounds; round++) {
        double start = clock_seconds();
        for (int i = 0; i < repeats; i++)
            if (!sweep(s, intervals, &query, warm)) return NAN;
        us = fmin(us, 1e6 * (clock_seconds() - start) / repeats);
    }
    return us;
}

// The operations of the published algorithm for the same.
static operations count_sweep(const scene* s, int intervals, bool warm) {
    tracked track[PIECES][OBSTACLES] = {{{0}}};
    points a = {0}, b = {0};
    bool good = true;
    counted = (operations){0};
    for (int t = 0; t <= intervals; t++) {
        apart_pose pose = pose_at((double)t / intervals);
        for (int k = 0; good && k < PIECES * OBSTACLES; k++) {
            int i = k / OBSTACLES, j = k % OBSTACLES;
            good = points_place(&a, s->piece[i], &pose) && points_place(&b, s->obstacle[j], &s->obstacle_pose[j]);
            if (good) published_gjk(&a, &b, false, EPS, warm ? &track[i][j] : NULL);
        }
    }
    points_free(&a);
    points_free(&b);
    return counted;
}

static void table_1(lab* l, const scene* s) {
    static const int grids[3] = {10, 100, 1000};
    static const double paper[3][2] = {{0.22, 0.13}, {2.00, 0.69}, {19.81, 6.32}};
    static const struct row {
        const char* name;
        apart_method method;
    } rows[] = {{"GJK", APART_METHOD_GJK},
                {"ENHANCED", APART_METHOD_ENHANCED},
                {"FEATURES", APART_METHOD_FEATURES},
                {"AUTO", APART_METHOD_AUTO}};
    FILE* csv = lab_csv(l, "gjk-table1", "method,T,cold,warm");
    double ratio[3];
    for (int i = 0; i < 3; i++) {
        operations cold = count_sweep(s, grids[i], false), warm = count_sweep(s, grids[i], true);
        ratio[i] = equivalent_flops(cold) / equivalent_flops(warm);
        lab_count(l, cold.multiply, "path.table1.%d.cold.multiplications", grids[i]);
        lab_count(l, warm.multiply, "path.table1.%d.warm.multiplications", grids[i]);
        csv_row(csv, "paper (s),%d,%g,%g", grids[i], paper[i][0], paper[i][1]);
        csv_row(csv, "as published (EF),%d,%.0f,%.0f", grids[i], equivalent_flops(cold), equivalent_flops(warm));
        for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
            csv_row(csv, "%s (us),%d,%.1f,%.1f", rows[k].name, grids[i],
                    time_sweep(l, s, grids[i], rows[k].method, false),
                    time_sweep(l, s, grids[i], rows[k].method, true));
        lab_progress(l, "GJK 1988, Table I", (i + 1) / 3.0);
    }
    csv_close(csv);
    lab_find(l, "GJK Table I, cold / warm, T = 10, 100, 1000", "1.7, 2.9, 3.1",
             ratio[0] > 1.2 && ratio[1] > ratio[0] && ratio[2] >= ratio[1], "%.1f, %.1f, %.1f (EF, as published)",
             ratio[0], ratio[1], ratio[2]);
}

// ---------------------------------------------------------------------------------------------- negative distance ----

// A box moves into a larger one: their axes are parallel, so that the depth is known: what the two overlap by along x,
// where that is least. Both are turned together, since nothing else would be so kind to a simplex.
static void negative_distance(lab* l) {
    enum { STEPS = 200 };
    const apart_vec3 big = {1, 1, 1}, small = {0.5, 0.7, 0.9}, from = {1.5, 0.6, 0.4};
    rng r = rng_seed(33);
    apart_shape *a = box_of_points(vec3_neg(big), big), *b = box_of_points(vec3_neg(small), small);
    FILE* csv = lab_csv(l, "gjk-negative", "depth,bound,library_low,library_high,exact");
    apart_pose pose_a = rng_pose(&r, (apart_vec3){0, 0, 0}), pose_b = pose_a;
    double share[2] = {0, 0}, least = INFINITY, error = 0;
    points p = {0}, q = {0};
    bool good = a && b;
    for (int i = 1; good && i <= STEPS; i++) {
        double part = 0.8 * i / STEPS, depth = 1.5 * part;
        apart_query query = apart_query_default();
        apart_result bound, exact;
        pose_b.translation = mat3_mul(&pose_a.rotation, vec3_scale(1 - part, from));
        query.method = APART_METHOD_GJK;
        query.depth = APART_DEPTH_BOUND;
        good = points_place(&p, a, &pose_a) && points_place(&q, b, &pose_b) &&
               !apart_distance(a, &pose_a, b, &pose_b, &query, NULL, &bound);
        query.depth = APART_DEPTH_EXACT;
        good = good && !apart_distance(a, &pose_a, b, &pose_b, &query, NULL, &exact);
        double ball = good ? published_gjk(&p, &q, false, EPS, NULL).ball : 0;
        good =
            good && ball <= depth + 1e-12 && -bound.upper_bound <= depth + 1e-12 && -bound.lower_bound >= depth - 1e-12;
        error = fmax(error, fabs(exact.distance + depth));
        share[i > STEPS / 4] += ball / depth / (i > STEPS / 4 ? 0.75 * STEPS : 0.25 * STEPS);
        least = fmin(least, ball / depth);
        csv_row(csv, "%.5f,%.5f,%.5f,%.5f,%.5f", depth, ball, -bound.upper_bound, -bound.lower_bound, -exact.distance);
    }
    csv_close(csv);
    points_free(&p);
    points_free(&q);
    apart_shape_release(a);
    apart_shape_release(b);
    lab_demand(l, good && error <= 1e-12, "a bound of the negative distance");
    lab_find(l, "GJK VIII, d- over the negative distance", "good to poor, best if shallow", share[0] > share[1],
             "%.2f shallow, %.2f deep, least %.2f", share[0], share[1], least);
}

void paper_path(lab* l) {
    scene s;
    bool good = make_scene(&s);
    lab_demand(l, good, "the scene of Fig. 5");
    if (good) {
        figure_5(l, &s);
        figure_6(l, &s);
        table_1(l, &s);
    }
    free_scene(&s);
    negative_distance(l);
}

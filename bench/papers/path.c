// Gilbert, Johnson, Keerthi 1988, sec. VIII, Figs. 5-6 and Table I: an object of two pieces moves through five
// obstacles.
//
// Position and quaternion are linear in s (Canny). The paper does not give its coordinates; this scene is like it: the
// object meets the third and the fifth obstacle on its way and passes the others. data/gjk-path.json is the same, for
// the tool.
#include "lab.h"

#include "../machine.h"

#include <stdio.h>

#define OBSTACLES 5
#define PIECES 2

typedef struct scene {
    apart_shape* piece[PIECES];
    apart_shape* obstacle[OBSTACLES];
    apart_pose obstacle_pose[OBSTACLES];
} scene;

// A box as eight points at a place of the moving object's own frame.
static apart_shape* block(double x0, double x1, double y0, double y1, double z0, double z1) {
    apart_vec3 p[8];
    for (int i = 0; i < 8; i++) p[i] = (apart_vec3){i & 1 ? x1 : x0, i & 2 ? y1 : y0, i & 4 ? z1 : z0};
    return apart_shape_points(p, 8, 0, NULL);
}

// An upright prism with n sides.
static apart_shape* prism(int n, double radius, double height) {
    apart_vec3 p[32];
    for (int i = 0; i < 2 * n; i++) {
        double turn = 360 * DEGREE * (double)(i % n) / n;
        p[i] = (apart_vec3){radius * cos(turn), radius * sin(turn), i < n ? -height : height};
    }
    return apart_shape_points(p, 2 * (size_t)n, 0, NULL);
}

// An L: a long bar and a short one at its end.
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

// All distances at T + 1 places. least: per obstacle. Returns false if a query fails.
static bool sweep(const scene* s, int intervals, const apart_query* query, bool warm, double least[OBSTACLES]) {
    apart_cache cache[PIECES][OBSTACLES] = {{{{0}}}};
    for (int i = 0; i < OBSTACLES; i++) least[i] = INFINITY;
    for (int t = 0; t <= intervals; t++) {
        apart_pose pose = pose_at((double)t / intervals);
        for (int i = 0; i < PIECES; i++)
            for (int j = 0; j < OBSTACLES; j++) {
                apart_result result;
                if (apart_distance(s->piece[i], &pose, s->obstacle[j], &s->obstacle_pose[j], query,
                                   warm ? &cache[i][j] : NULL, &result))
                    return false;
                least[j] = fmin(least[j], result.distance);
            }
    }
    return true;
}

// Microseconds of one sweep: the fastest of several rounds, each long enough for the clock.
static bool time_sweep(const scene* s, int intervals, apart_method method, bool warm, int rounds, double* us,
                       double least[OBSTACLES]) {
    apart_query query = apart_query_default();
    query.method = method;
    int repeats = 1 + 2000 / intervals;
    *us = INFINITY;
    for (int round = 0; round < rounds; round++) {
        double start = clock_seconds();
        for (int i = 0; i < repeats; i++)
            if (!sweep(s, intervals, &query, warm, least)) return false;
        *us = fmin(*us, 1e6 * (clock_seconds() - start) / repeats);
    }
    return true;
}

typedef struct row {
    const char* name;
    apart_method method;
} row;

static bool run_method(const scene* s, const row* m, int rounds, double least[OBSTACLES]) {
    static const int grids[3] = {10, 100, 1000};
    printf("%-9s", m->name);
    for (int i = 0; i < 3; i++) {
        double cold, warm, cold_least[OBSTACLES];
        if (!time_sweep(s, grids[i], m->method, false, rounds, &cold, cold_least)) return false;
        if (!time_sweep(s, grids[i], m->method, true, rounds, &warm, least)) return false;
        for (int j = 0; j < OBSTACLES; j++)
            if (!(fabs(cold_least[j] - least[j]) <= 1e-12)) return false;
        printf("  %8.1f %8.1f x%-4.2f", cold, warm, cold / warm);
    }
    putchar('\n');
    return true;
}

bool paper_path(bool quick) {
    static const row methods[] = {{"GJK", APART_METHOD_GJK},
                                  {"ENHANCED", APART_METHOD_ENHANCED},
                                  {"FEATURES", APART_METHOD_FEATURES},
                                  {"AUTO", APART_METHOD_AUTO}};
    puts("\n(b) The path example, Table I: two pieces, five obstacles, T intervals; microseconds, cold and warm\n");
    puts("                T = 10                    T = 100                   T = 1000");
    puts("method         cold     warm ratio      cold     warm ratio      cold     warm ratio");
    scene s;
    double least[OBSTACLES] = {0};
    bool good = make_scene(&s);
    for (size_t i = 0; good && i < sizeof methods / sizeof methods[0]; i++)
        good = run_method(&s, &methods[i], quick ? 3 : 9, least);
    puts("paper          0.22     0.13 x1.7       2.00     0.69 x2.9      19.81     6.32 x3.1   (seconds, 1988)");
    printf("least distance to K1..K5 on the grid of 1000:");
    for (int i = 0; i < OBSTACLES; i++) printf(" %.3f", least[i]);
    puts(" (paper: 0 for K3 and K5)");
    good = good && least[2] == 0 && least[4] == 0 && least[0] > 0 && least[1] > 0 && least[3] > 0;
    free_scene(&s);
    if (!good) puts("WRONG ANSWERS");
    return good;
}

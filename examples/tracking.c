// Tracking: the same pair again and again, a little moved each time. A cache lets each query start from the last
// answer (Cameron 1997), so that the work hardly depends on the number of vertices.
#include <apart/apart.h>

#include <stdio.h>
#include <stdlib.h>

#define STEPS 360

/// Points on a unit sphere along a spiral.
static apart_shape* ball(int count) {
    apart_vec3* point = calloc((size_t)count, sizeof *point);
    if (!point) return NULL;
    for (int i = 0; i < count; ++i) {
        double z = 1 - (2 * i + 1.0) / count, ring = sqrt(1 - z * z), turn = 2.39996323 * i;
        point[i] = (apart_vec3){ring * cos(turn), ring * sin(turn), z};
    }
    apart_shape* shape = apart_shape_points(point, (size_t)count, 0, NULL);
    free(point);
    return shape;
}

/// Turns one body a full circle in steps of a degree. Returns the mean number of vertices looked at per query.
static double visits(const apart_shape* shape, apart_method method, apart_cache* cache) {
    apart_query query = {0};
    query.method = method;
    double sum = 0;
    for (int i = 0; i < STEPS; ++i) {
        double half = 3.14159265358979 * i / STEPS;
        apart_pose pose = apart_pose_from_quaternion(cos(half), 0, sin(half), 0, (apart_vec3){4, 0, 0});
        apart_result r;
        if (apart_distance(shape, &apart_pose_identity, shape, &pose, &query, cache, &r) != APART_OK) return NAN;
        sum += r.visits;
    }
    return sum / STEPS;
}

int main(void) {
    printf("vertices looked at per query, both bodies together\n");
    printf("%8s  %10s %10s %10s\n", "points", "GJK 1988", "cold", "tracked");
    double last = 0;
    for (int count = 10; count <= 1000; count *= 10) {
        apart_shape* shape = ball(count);
        apart_cache cache = {0};
        last = visits(shape, APART_METHOD_ENHANCED, &cache);
        printf("%8d  %10.1f %10.1f %10.1f\n", count, visits(shape, APART_METHOD_GJK, NULL),
               visits(shape, APART_METHOD_ENHANCED, NULL), last);
        apart_shape_release(shape);
    }
    return last > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

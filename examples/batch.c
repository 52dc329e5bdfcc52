// Many pairs by one call, on all cores: a box at many poses beside a capsule, three boxes with each other, and a grid
// of points against a mesh.
#include <apart/apart.h>
#include <apart/io.h>

#include <stdio.h>
#include <stdlib.h>

#define POSES 10000
#define GRID 40

/// How many of the poses of a box are within `clearance` of a capsule that stands still.
static int count_near(const apart_shape* box, const apart_shape* capsule, double clearance) {
    static apart_pose poses[POSES];
    static apart_result results[POSES];
    for (int i = 0; i < POSES; ++i) {
        double part = (double)i / POSES, half = 3.14159265358979 * part;
        poses[i] = apart_pose_from_quaternion(cos(half), 0, 0, sin(half), (apart_vec3){4 * part, 0.5, 0});
    }
    apart_query query = {.cutoff = clearance}; // no need to know how far, beyond that
    if (apart_distance_poses(box, poses, POSES, capsule, &apart_pose_identity, 1, &query, results, NULL, 0) != APART_OK)
        return -1;
    int near = 0;
    for (int i = 0; i < POSES; ++i) near += results[i].lower_bound < clearance;
    return near;
}

/// Three pairs, one of which is not one.
static void ask_pairs(const apart_shape* box) {
    const apart_pose at[3] = {
        apart_pose_identity, {apart_pose_identity.rotation, {3, 0, 0}}, {apart_pose_identity.rotation, {0, 0, 5}}};
    const apart_pair pairs[3] = {{box, box, at[0], at[1]}, {box, NULL, at[0], at[2]}, {box, box, at[1], at[2]}};
    apart_result results[3];
    apart_status statuses[3];
    apart_status first = apart_distance_batch(pairs, 3, NULL, NULL, results, statuses, 0);
    for (int i = 0; i < 3; ++i) {
        if (statuses[i] == APART_OK)
            printf("pair %d     distance %g\n", i, results[i].distance);
        else
            printf("pair %d     %s\n", i, apart_status_text(statuses[i]));
    }
    printf("the call   %s\n", apart_status_text(first));
}

/// A grid of points over the box of a mesh: how many are inside, and how deep is the deepest?
static bool ask_points(const apart_shape* mesh) {
    static apart_vec3 points[GRID * GRID * GRID];
    static apart_result results[GRID * GRID * GRID];
    apart_shape_info info;
    apart_shape_describe(mesh, &info);
    apart_vec3 low = info.lower, high = info.upper;
    for (int i = 0; i < GRID * GRID * GRID; ++i) {
        double x = i % GRID + 0.5, y = i / GRID % GRID + 0.5, z = i / (GRID * GRID) + 0.5;
        points[i] = (apart_vec3){low.x + (high.x - low.x) * x / GRID, low.y + (high.y - low.y) * y / GRID,
                                 low.z + (high.z - low.z) * z / GRID};
    }
    apart_query query = {.depth = APART_DEPTH_EXACT};
    size_t count = sizeof points / sizeof *points;
    if (apart_distance_points(mesh, &apart_pose_identity, points, count, &query, results, NULL, 0) != APART_OK)
        return false;
    int inside = 0;
    double deepest = 0;
    for (size_t i = 0; i < count; ++i) {
        inside += results[i].upper_bound < 0;
        deepest = fmin(deepest, results[i].distance);
    }
    printf("points     %d of %zu are inside, the deepest by %.4f\n", inside, count, -deepest);
    return true;
}

int main(void) {
    apart_shape* box = apart_shape_box((apart_vec3){1, 0.5, 0.25}, 0, NULL);
    apart_shape* capsule = apart_shape_capsule(1, 0.3, NULL);
    apart_error error = {0};
    apart_shape* bracket = apart_io_load("data/bracket.stl", NULL, &error);
    if (!box || !capsule || !bracket) {
        fprintf(stderr, "batch: %s\n", error.message);
        return EXIT_FAILURE;
    }
    printf("poses      %d of %d are within 0.1\n", count_near(box, capsule, 0.1), POSES);
    ask_pairs(box);
    bool done = ask_points(bracket);
    apart_shape_release(box);
    apart_shape_release(capsule);
    apart_shape_release(bracket);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

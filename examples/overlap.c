// What happens when two bodies meet: a cube that slides into another one.
#include <apart/apart.h>

#include <stdio.h>
#include <stdlib.h>

static const char* verdict(const apart_result* r) {
    if (r->lower_bound > 0) return "apart";
    return r->upper_bound > 0 ? "touching, as far as doubles can tell" : "they meet";
}

int main(void) {
    apart_shape* cube = apart_shape_box((apart_vec3){1, 1, 1}, 0, NULL);
    const double gaps[] = {1, 1e-3, 1e-12, 1e-15, 0, -1e-12, -1e-3, -1};
    apart_query with_depth = {0};
    with_depth.depth = APART_DEPTH_EXACT;
    apart_status status = APART_OK;

    printf("%8s  %-12s %-12s %-12s %s\n", "gap", "lower bound", "distance", "upper bound", "with depth");
    for (size_t i = 0; i < sizeof gaps / sizeof gaps[0] && status == APART_OK; ++i) {
        apart_pose pose = apart_pose_identity;
        pose.translation.x = 2 + gaps[i];
        apart_result r, deep;
        status = apart_distance(cube, &apart_pose_identity, cube, &pose, NULL, NULL, &r);
        if (status == APART_OK)
            status = apart_distance(cube, &apart_pose_identity, cube, &pose, &with_depth, NULL, &deep);
        if (status == APART_OK)
            printf("%8g  %-12.6g %-12.6g %-12.6g %-13.6g %s\n", gaps[i], r.lower_bound, r.distance, r.upper_bound,
                   deep.distance, verdict(&r));
    }
    apart_shape_release(cube);
    return status == APART_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

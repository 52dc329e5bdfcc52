// What bad input gets: a status and a sentence, never a crash and never a wrong answer.
#include <apart/apart.h>

#include <stdio.h>
#include <stdlib.h>

/// Tries to make a shape; prints why not.
static void expect_refusal(apart_shape* shape, const apart_error* error) {
    printf("%-34s %s\n", apart_status_text(error->status), error->message);
    apart_shape_release(shape);
}

int main(void) {
    apart_error error = {0};
    apart_vec3 points[2] = {{0, 0, 0}, {1, NAN, 0}};
    expect_refusal(apart_shape_points(points, 0, 0, &error), &error);
    expect_refusal(apart_shape_points(points, 2, 0, &error), &error);
    expect_refusal(apart_shape_sphere(-1, &error), &error);
    expect_refusal(apart_shape_box((apart_vec3){1, 1, 1e301}, 0, &error), &error);

    // A query has no sentence, only a status; its result stays as it was.
    apart_shape* sphere = apart_shape_sphere(1, &error);
    apart_pose stretched = apart_pose_identity;
    stretched.rotation.m[0][0] = 2;
    apart_result r = {.distance = -1};
    apart_status status = apart_distance(sphere, &apart_pose_identity, sphere, &stretched, NULL, NULL, &r);
    printf("%-34s result untouched: %s\n", apart_status_text(status), r.distance == -1 ? "yes" : "no");
    apart_shape_release(sphere);
    return status == APART_NOT_A_ROTATION && r.distance == -1 ? EXIT_SUCCESS : EXIT_FAILURE;
}

// A body of your own: give its support function, the farthest point along a direction. Here a bucket (a cone cut off
// at the top and turned over: the hull of two circles) with an edge rounded by 0.1.
#include <apart/apart.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct bucket {
    double bottom, top, height;
} bucket;

/// The direction is a unit vector in the body's own coordinates. Must be pure: same direction, same point.
static apart_vec3 bucket_support(const void* context, apart_vec3 d) {
    const bucket* b = context;
    double across = sqrt(d.x * d.x + d.y * d.y);
    bool on_top = b->top * across + b->height * d.z >= b->bottom * across;
    double stretch = across > 0 ? (on_top ? b->top : b->bottom) / across : 0;
    return (apart_vec3){stretch * d.x, stretch * d.y, on_top ? b->height : 0};
}

int main(void) {
    // The context is not copied: it must live as long as the shape.
    static const bucket pail = {.bottom = 0.8, .top = 1.2, .height = 2};
    apart_error error = {0};
    apart_shape* a = apart_shape_support(bucket_support, &pail, 0.1, &error);
    apart_shape* b = apart_shape_sphere(0.5, &error);
    apart_pose pose_b = {apart_pose_identity.rotation, {4, 0, 1}};
    apart_result r;
    apart_status status = error.status;
    if (status == APART_OK) status = apart_distance(a, &apart_pose_identity, b, &pose_b, NULL, NULL, &r);
    if (status == APART_OK)
        printf("distance %.15f, at least %.15f, after %d steps\n", r.distance, r.lower_bound, r.iterations);
    else
        fprintf(stderr, "support_function: %s\n", error.status ? error.message : apart_status_text(status));
    apart_shape_release(a);
    apart_shape_release(b);
    return status == APART_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

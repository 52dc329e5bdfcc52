// The first five minutes: two boxes, how far apart, and where?
#include <apart/apart.h>

#include <stdio.h>
#include <stdlib.h>

static void print_point(const char* name, apart_vec3 p) { printf("%-12s %g %g %g\n", name, p.x, p.y, p.z); }

int main(void) {
    // Two boxes about their own origins. Sizes are half extents: a cube of edge 2, and a flat slab.
    apart_error error = {0};
    apart_shape* cube = apart_shape_box((apart_vec3){1, 1, 1}, 0, &error);
    apart_shape* slab = apart_shape_box((apart_vec3){2, 1, 0.25}, 0, &error);
    if (!cube || !slab) {
        fprintf(stderr, "two_boxes: %s\n", error.message);
        return EXIT_FAILURE;
    }

    // The cube stays where it is; the slab is turned by 90 degrees about y and moved to x = 3.
    apart_pose pose = apart_pose_from_quaternion(1, 0, 1, 0, (apart_vec3){3, 0, 0});

    apart_result r;
    apart_status status = apart_distance(cube, &apart_pose_identity, slab, &pose, NULL, NULL, &r);
    if (status != APART_OK) {
        fprintf(stderr, "two_boxes: %s\n", apart_status_text(status));
        return EXIT_FAILURE;
    }
    printf("%-12s %.17g\n", "distance", r.distance);
    printf("%-12s %.17g\n%-12s %.17g\n", "at least", r.lower_bound, "at most", r.upper_bound);
    print_point("on the cube", r.point_a);
    print_point("on the slab", r.point_b);
    print_point("normal", r.normal);

    apart_shape_release(cube);
    apart_shape_release(slab);
    return EXIT_SUCCESS;
}

// A program outside the tree: compiled as C and as C++, against the installed header and library only.
#include <apart/apart.h>

#include <stdio.h>
#include <string.h>

int main(void) {
    // Header and library must be of one version.
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", APART_VERSION_MAJOR, APART_VERSION_MINOR, APART_VERSION_PATCH);
    if (strcmp(expected, apart_version()) != 0) {
        fprintf(stderr, "outside: header %s, library %s\n", expected, apart_version());
        return 1;
    }

    // A cube, a hull that needs Qhull, and the gap of 1.5 between them.
    apart_vec3 half = {1, 1, 1};
    apart_vec3 pyramid[5] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, 1}};
    apart_shape* a = apart_shape_box(half, 0, NULL);
    apart_shape* b = apart_shape_points(pyramid, 5, 0.25, NULL);
    apart_pose pose = apart_pose_identity;
    apart_result r;
    pose.translation.z = 2.75;
    apart_status status = apart_distance(a, &apart_pose_identity, b, &pose, NULL, NULL, &r);
    apart_shape_release(a);
    apart_shape_release(b);
    if (status != APART_OK || !(r.lower_bound <= 1.5 && 1.5 <= r.upper_bound && r.distance == 1.5)) {
        fprintf(stderr, "outside: %s, [%.17g, %.17g]\n", apart_status_text(status), r.lower_bound, r.upper_bound);
        return 1;
    }

    // A tetrahedron from a flat array of triangles.
    const apart_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const uint32_t triangles[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    apart_shape_info info;
    apart_shape* mesh = apart_shape_mesh(corners, 4, triangles, 4, NULL, NULL);
    apart_shape_describe(mesh, &info);
    apart_shape_release(mesh);
    if (info.solids != 1) {
        fprintf(stderr, "outside: a tetrahedron of triangles is %zu solids\n", info.solids);
        return 1;
    }
    printf("apart %s: distance %.6f\n", apart_version(), r.distance);
    return 0;
}

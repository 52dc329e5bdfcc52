// A surface of triangles from two arrays: how far is a ball from it, which triangle is the nearest, and what does it
// mean to be inside?
#include <apart/apart.h>

#include <stdio.h>
#include <stdlib.h>

// A bar with the section of an arrowhead: the notch is at the top, z runs along the bar. Every triangle runs
// counter-clockwise, seen from outside.
static const apart_vec3 vertices[8] = {{0, 0, 0}, {3, 3, 0}, {0, 1, 0}, {-3, 3, 0},
                                       {0, 0, 1}, {3, 3, 1}, {0, 1, 1}, {-3, 3, 1}};
static const uint32_t triangles[] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7,  // the two ends
                                     0, 1, 5, 0, 5, 4, 3, 0, 4, 3, 4, 7,  // below
                                     1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6}; // the notch

static void show_nearest(const apart_result* r) {
    printf("distance %.6f, at least %.6f\n", r->distance, r->lower_bound);
    printf("on the bar   (%.6f, %.6f, %.6f), triangle %u:", r->point_a.x, r->point_a.y, r->point_a.z, r->a.triangle);
    for (uint32_t i = 0; i < r->a.count; i++)
        printf(" %s%.3f of vertex %u", i > 0 ? "+ " : "", r->a.weight[i], r->a.vertex[i]);
    printf("\non the ball  (%.6f, %.6f, %.6f)\n", r->point_b.x, r->point_b.y, r->point_b.z);
}

/// How far is a small ball in the middle of the bar from it? NAN if there is no answer.
static double from_inside(const apart_shape* bar) {
    apart_pose pose = {apart_pose_identity.rotation, {0, 0.5, 0.5}};
    apart_shape* ball = apart_shape_sphere(0.125, NULL);
    apart_result r = {.distance = NAN};
    if (bar && ball) apart_distance(bar, &apart_pose_identity, ball, &pose, NULL, NULL, &r);
    apart_shape_release(ball);
    return r.distance;
}

int main(void) {
    apart_error error = {0};
    apart_shape* bar = apart_shape_mesh(vertices, 8, triangles, 12, NULL, &error);
    apart_shape* ball = apart_shape_sphere(0.5, NULL);
    if (!bar || !ball) {
        fprintf(stderr, "mesh: %s\n", error.message);
        return EXIT_FAILURE;
    }
    apart_shape_info info;
    apart_shape_describe(bar, &info);
    printf("%zu triangles, %zu open edges, %zu solid\n", info.triangles, info.open_edges, info.solids);

    // The ball hangs in the notch: inside the convex hull of the bar, but not inside the bar.
    apart_pose pose = {apart_pose_identity.rotation, {0.5, 2.5, 0.5}};
    apart_result r;
    apart_status status = apart_distance(bar, &apart_pose_identity, ball, &pose, NULL, NULL, &r);
    if (status == APART_OK) show_nearest(&r);

    // The same triangles as an empty shell.
    apart_mesh_options options = {.hollow = true};
    apart_shape* shell = apart_shape_mesh(vertices, 8, triangles, 12, &options, &error);
    printf("from inside  %g if it is solid, %.6f if it is hollow\n", from_inside(bar), from_inside(shell));
    apart_shape_release(bar);
    apart_shape_release(ball);
    apart_shape_release(shell);
    return status == APART_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

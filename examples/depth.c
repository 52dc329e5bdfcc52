// How deep are two bodies in each other, and which way is out? A gem that has sunk into a wedge is moved out of it.
#include <apart/apart.h>

#include <stdio.h>
#include <stdlib.h>

static void show(const char* what, const apart_result* r) {
    printf("%-8s distance %.15f, from %.15f to %.15f, %d support points\n", what, r->distance, r->lower_bound,
           r->upper_bound, r->supports);
}

int main(void) {
    const apart_vec3 wedge_points[] = {{-2, -1, 0}, {2, -1, 0}, {-2, 1, 0}, {2, 1, 0}, {-2, 0, 1.5}, {2, 0, 1.5}};
    const apart_vec3 gem_points[] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1.2}, {0, 0, 0.8}};
    apart_shape* wedge = apart_shape_points(wedge_points, 6, 0, NULL);
    apart_shape* gem = apart_shape_points(gem_points, 6, 0, NULL);
    apart_pose pose = apart_pose_from_quaternion(5, 1, 2, 0, (apart_vec3){0.6, 0.3, 1.5});
    apart_query query = {0};
    apart_result r;

    // A cheap bracket first. It may be all you need: how bad is it, at least and at most?
    query.depth = APART_DEPTH_BOUND;
    apart_status status = apart_distance(wedge, &apart_pose_identity, gem, &pose, &query, NULL, &r);
    if (status == APART_OK) show("bound", &r);

    // The depth itself. The distance is negative, and the normal is the shortest way out for the gem.
    query.depth = APART_DEPTH_EXACT;
    if (status == APART_OK) status = apart_distance(wedge, &apart_pose_identity, gem, &pose, &query, NULL, &r);
    if (status == APART_OK) {
        show("exact", &r);
        printf("deepest  (%.6f, %.6f, %.6f) of the wedge\n", r.point_a.x, r.point_a.y, r.point_a.z);
        printf("         (%.6f, %.6f, %.6f) of the gem\n", r.point_b.x, r.point_b.y, r.point_b.z);
        printf("way out  (%.6f, %.6f, %.6f)\n", r.normal.x, r.normal.y, r.normal.z);

        // Out by the depth: they touch.
        pose.translation.x -= r.distance * r.normal.x;
        pose.translation.y -= r.distance * r.normal.y;
        pose.translation.z -= r.distance * r.normal.z;
        status = apart_distance(wedge, &apart_pose_identity, gem, &pose, &query, NULL, &r);
    }
    if (status == APART_OK)
        printf("moved    distance %.1e, from %.1e to %.1e\n", r.distance, r.lower_bound, r.upper_bound);
    apart_shape_release(wedge);
    apart_shape_release(gem);
    return status == APART_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

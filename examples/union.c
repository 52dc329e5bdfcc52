// Bodies made of convex pieces with radii (Gilbert, Johnson, Keerthi 1988, section II): a gripper and a bolt. The
// distance is the least over all pairs of pieces, and the answer says which pair that is.
#include <apart/apart.h>

#include <stdio.h>
#include <stdlib.h>

static const char* const gripper_names[] = {"palm", "left finger", "right finger"};
static const char* const bolt_names[] = {"shaft", "head"};

static apart_pose at(double x, double y, double z) { return (apart_pose){apart_pose_identity.rotation, {x, y, z}}; }

/// The union keeps references of its own, so that these are not needed any more.
static apart_shape* join(const apart_part* parts, size_t count) {
    apart_error error = {0};
    apart_shape* shape = apart_shape_union(parts, count, &error);
    if (!shape) fprintf(stderr, "union: %s\n", error.message);
    for (size_t i = 0; i < count; i++) apart_shape_release(parts[i].shape);
    return shape;
}

/// A palm with round edges and two capsules that hang from it.
static apart_shape* make_gripper(void) {
    apart_shape* finger = apart_shape_capsule(1, 0.2, NULL);
    const apart_part parts[] = {{apart_shape_box((apart_vec3){1.5, 0.5, 0.25}, 0.1, NULL), at(0, 0, 0)},
                                {finger, at(-1.2, 0, -1.35)},
                                {apart_shape_retain(finger), at(1.2, 0, -1.35)}};
    return join(parts, 3);
}

static apart_shape* make_bolt(void) {
    const apart_part parts[] = {{apart_shape_cylinder(0.6, 0.3, NULL), at(0, 0, 0)},
                                {apart_shape_sphere(0.5, NULL), at(0, 0, 0.7)}};
    return join(parts, 2);
}

int main(void) {
    apart_shape *gripper = make_gripper(), *bolt = make_bolt();
    // Above the palm, on the way in, between the fingers, and too far to the right.
    const apart_pose poses[] = {at(0, 0, 1.5), at(0.2, 0, -3), at(0.2, 0, -1.7), at(0.6, 0, -1.7)};
    apart_query query = {0};
    query.depth = APART_DEPTH_EXACT;
    apart_status status = gripper && bolt ? APART_OK : APART_INVALID;
    for (int i = 0; i < 4 && status == APART_OK; i++) {
        apart_result r;
        status = apart_distance(gripper, &apart_pose_identity, bolt, &poses[i], &query, NULL, &r);
        if (status == APART_OK)
            printf("bolt at (%.1f, %4.1f): %9.6f between %-12s and %s\n", poses[i].translation.x,
                   poses[i].translation.z, r.distance, gripper_names[r.a.part], bolt_names[r.b.part]);
    }
    apart_shape_release(gripper);
    apart_shape_release(bolt);
    return status == APART_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

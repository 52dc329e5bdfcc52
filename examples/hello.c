#include <apart/apart.h>
#include <stdio.h>

int main(void) {
    apart_shape* a = apart_shape_box((apart_vec3){1, 1, 1}, 0, NULL); // half extents
    apart_shape* b = apart_shape_sphere(0.5, NULL);
    apart_pose pose_b = {apart_pose_identity.rotation, {4, 0, 0}};
    apart_result r;
    if (apart_distance(a, &apart_pose_identity, b, &pose_b, NULL, NULL, &r) == APART_OK)
        printf("%g apart, certainly from %.15g to %.15g\n", r.distance, r.lower_bound, r.upper_bound);
    apart_shape_release(a);
    apart_shape_release(b);
}

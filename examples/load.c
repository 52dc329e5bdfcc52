// Two files, one distance.
#include "apart/io.h"

#include <stdio.h>

// The body in a file. What is wrong with the file, or odd about it, is said in one sentence.
static apart_shape* load(const char* path) {
    apart_error error;
    apart_shape* shape = apart_io_load(path, NULL, &error);
    if (error.message[0]) fprintf(stderr, "%s\n", error.message);
    return shape;
}

int main(int argc, char** argv) {
    apart_shape* a = load(argc > 2 ? argv[1] : "data/gear.ply");
    apart_shape* b = load(argc > 2 ? argv[2] : "data/rocket.stl");
    apart_pose above = apart_pose_identity;
    above.translation.z = 5;
    apart_result r;
    const apart_status status = apart_distance(a, &apart_pose_identity, b, &above, NULL, NULL, &r);
    if (status == APART_OK) printf("distance %.6f\n", r.distance);
    apart_shape_release(a);
    apart_shape_release(b);
    return status == APART_OK ? 0 : 1;
}

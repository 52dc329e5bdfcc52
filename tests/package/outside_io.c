// A program outside the tree that reads a mesh: compiled as C and as C++, against the installed headers and libraries
// only. The argument is data/bracket.stl, which is 2 long.
#include <apart/io.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
    apart_error error;
    apart_result r;
    apart_pose pose = apart_pose_identity;
    apart_io_options options;
    memset(&options, 0, sizeof options);
    options.scale[0] = 2;
    pose.translation.x = 5.5;
    apart_shape* a = apart_io_load(argv[argc - 1], &options, &error);
    apart_shape* b = apart_io_load(argv[argc - 1], NULL, &error);
    apart_status status = apart_distance(a, &apart_pose_identity, b, &pose, NULL, NULL, &r);
    apart_shape_release(a);
    apart_shape_release(b);
    if (status != APART_OK) {
        fprintf(stderr, "outside_io: %s\n", error.message);
        return 1;
    }
    // Scene files, unless the library was built without Jansson.
    const char* text = "{\"bodies\": [{\"name\": \"ball\", \"shape\": {\"sphere\": {\"radius\": 1}}}]}";
    apart_io_scene* scene = apart_io_scene_parse("scene", text, strlen(text), NULL, &error);
    if (scene ? scene->count != 1 || strcmp(scene->bodies[0].name, "ball") : error.status != APART_UNSUPPORTED) {
        fprintf(stderr, "outside_io: scene: %s\n", error.message);
        return 1;
    }
    apart_io_scene_release(scene);
    printf("apart %s: distance %.6f\n", apart_version(), r.distance);
    return 0;
}

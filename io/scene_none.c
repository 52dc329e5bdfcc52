// In the place of the scene file reader where Jansson was missing at build time.
#include "reader.h"

apart_io_scene* apart_io_scene_parse(const char* name, const void* data, size_t size, const apart_io_options* options,
                                     apart_error* error) {
    (void)data, (void)size, (void)options;
    reader r = {.name = name ? name : "", .error = error};
    fail_file(&r, APART_UNSUPPORTED, "scene files are not read: this apart-io was built without Jansson");
    return NULL;
}

apart_io_scene* apart_io_scene_load(const char* path, const apart_io_options* options, apart_error* error) {
    return apart_io_scene_parse(path, NULL, 0, options, error);
}

apart_io_scene* apart_io_scene_files(const char* const* paths, size_t count, const apart_io_options* options,
                                     apart_error* error) {
    return apart_io_scene_parse(paths && count ? paths[0] : NULL, NULL, 0, options, error);
}

void apart_io_scene_release(apart_io_scene* scene) { (void)scene; }

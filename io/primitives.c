// Shapes that a word and a few numbers describe.
#include "primitives.h"

#include <string.h>

apart_shape* apart_io_primitive(const char* word, const double n[4], apart_error* error) {
    const apart_vec3 first = {n[0], n[1], n[2]};
    if (!strcmp(word, "box")) return apart_shape_box(first, n[3], error);
    if (!strcmp(word, "sphere")) return apart_shape_sphere(n[0], error);
    if (!strcmp(word, "capsule")) return apart_shape_capsule(n[0], n[1], error);
    if (!strcmp(word, "cylinder")) return apart_shape_cylinder(n[0], n[1], error);
    if (!strcmp(word, "cone")) return apart_shape_cone(n[0], n[1], error);
    if (!strcmp(word, "ellipsoid")) return apart_shape_ellipsoid(first, error);
    if (!strcmp(word, "halfspace")) return apart_shape_halfspace(first, n[3], error);
    if (!strcmp(word, "ground")) return apart_shape_halfspace((apart_vec3){0, 0, 1}, n[0], error);
    return NULL;
}

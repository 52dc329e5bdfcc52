// Is a point inside the solids of a mesh?
#ifndef APART_TREE_INSIDE_H
#define APART_TREE_INSIDE_H

#include "shape/shape.h"

/// Whether a point, in stored coordinates, is inside. Points on the surface may go either way.
bool apart_inside(const apart_shape* mesh, vec3 point);

#endif

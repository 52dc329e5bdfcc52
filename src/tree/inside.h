// Is a point inside the solids of a mesh?
#ifndef APART_TREE_INSIDE_H
#define APART_TREE_INSIDE_H

#include "shape/shape.h"

typedef enum inside { OUTSIDE, INSIDE_SOLID, ON_SURFACE } inside;

/// Where a point is, in stored coordinates, which is known to `blur` only. ON_SURFACE: as far as numbers tell.
inside apart_inside(const apart_shape* mesh, vec3 point, double blur);

#endif

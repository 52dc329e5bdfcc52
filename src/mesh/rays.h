// Is a point inside the solids of a mesh?
#ifndef APART_MESH_RAYS_H
#define APART_MESH_RAYS_H

#include "mesh/mesh.h"

typedef enum inside { OUTSIDE, INSIDE_SOLID, ON_SURFACE } inside;

/// Where a point is, in stored coordinates, which is known to `blur` only. ON_SURFACE: as far as numbers tell.
inside apart_inside(const apart_shape* mesh, vec3 point, double blur);

/// Whether no wall of a solid comes nearer to a point than `reach`: all that is so near to it is on one side. False may
/// mean that it is not known.
bool apart_rays_are_clear(const apart_shape* mesh, vec3 point, double reach);

#endif

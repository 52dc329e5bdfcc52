// The holes of a component: its open edges as simple closed ways, and how much surface closes them.
//
// Every point has an even number of open edges, so that a walk which takes none of them twice can only end where it
// began. Where it comes to a point that it has passed, the way since then is a hole, and is taken out of the walk.
//
// A hole is closed by a strip of triangles, its cap: from its sharpest corner on, the edge across moves on to the next
// corner, on the side where it is shorter. The cap of a slit has hardly any area, however long it is and however it
// winds; that of a wide opening has what spans it, about.
#ifndef APART_MESH_HOLES_H
#define APART_MESH_HOLES_H

#include "base/progress.h"
#include "base/vec.h"

// Sides are multiplied by this before they are multiplied with each other, so that the square of an area neither
// vanishes, down to sides of 2^-500, nor overflows.
#define AREA_UNIT 0x1p250

/// Twice the area of a triangle, times AREA_UNIT^2.
static inline double scaled_area(vec3 a, vec3 b, vec3 c) {
    vec3 u = vec3_scale(AREA_UNIT, vec3_sub(b, a)), v = vec3_scale(AREA_UNIT, vec3_sub(c, a));
    return vec3_length(vec3_cross(u, v));
}

/// The holes of a component, and their caps in all, as scaled_area.
typedef struct hole_tally {
    size_t count;
    double caps;
} hole_tally;

/// The hole with the largest cap of all: its cap, as scaled_area, and its box.
typedef struct hole_box {
    double area;
    vec3 lower, upper;
} hole_box;

/// Nanoseconds: an open edge.
#define HOLE_WORK 60.0

/// Adds the holes of a component with `count` open edges, 1 to 2^31 - 1, to *out, and looks whether one is the largest.
/// Edges are pairs of vertices; point: the point that each vertex is. False when out of memory, or if the meter ends
/// the work.
bool apart_holes_find(const vec3* vertex, const uint32_t* point, const uint32_t (*edge)[2], uint32_t count,
                      hole_tally* out, hole_box* largest, meter* m);

#endif

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

/// The memory of the search, and what it looks at. Filled in by the caller: the edges of one component, as pairs of
/// vertices, and the point that each vertex is.
typedef struct hole_search {
    const vec3* vertex;
    const uint32_t* point;
    uint32_t (*edge)[2];
    uint64_t* end;       // both ends of all edges: point, then edge
    uint32_t (*node)[2]; // of each edge: its ends, as numbers among the points of this component
    uint32_t* next;      // of each node: where in `end` those begin that were not taken yet
    uint32_t* corner;    // of each node: a vertex there
    uint32_t* passed;    // of each node: its place on the way plus 1, or 0
    uint32_t* way;       // the nodes of the walk so far
    bool* taken;         // of each edge
    double largest;      // cap of all components' holes, as scaled_area, and
    vec3 lower, upper;   // the box of that hole; zeros if there is none
    meter* meter;
} hole_search;

/// What was found of a component: the holes, and their caps in all, as scaled_area.
typedef struct hole_tally {
    size_t count;
    double caps;
} hole_tally;

/// Nanoseconds: an open edge.
#define HOLE_WORK 60.0

/// Makes room for components of up to `most` open edges, at most 2^31 - 1. False when out of memory; end it in any
/// case.
bool apart_holes_begin(hole_search* s, uint32_t most);
void apart_holes_end(hole_search* s);

/// Adds the holes of a component with `count` edges to *out. False if the meter ends the work.
bool apart_holes_find(hole_search* s, uint32_t count, hole_tally* out);

#endif

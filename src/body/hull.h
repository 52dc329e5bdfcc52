// The convex hull of points, with its faces and its adjacency.
#ifndef APART_BODY_HULL_H
#define APART_BODY_HULL_H

#include "body/merge.h"
#include "body/shape.h"

/// A convex hull of points given in stored coordinates. Freed by apart_hull_free; one allocation per array is fine
/// here, the shape's builder copies them into the shape's block.
typedef struct hull {
    int dimension;    // 0, 1, 2, 3
    bool climbable;   // false if points had to be added that the adjacency does not reach
    uint32_t count;   // vertices
    uint32_t* vertex; // indices into the input points, ascending
    uint32_t* first;  // adjacency, in vertex numbers (0..count-1), neighbours ascending
    uint32_t* neighbour;
    polygons face; // in vertex numbers (dimension 3: closed surface; 2: one face, with nothing across; else none)
} hull;

/// Hull of `count` >= 1 finite points within the unit ball. Returns a status and fills *error on failure.
apart_status apart_hull_build(const vec3* points, uint32_t count, hull* out, apart_error* error);
void apart_hull_free(hull* h);

/// Builds the adjacency of a hull that has its vertices and faces. False when out of memory.
bool apart_hull_link(hull* h);
/// Whether the faces form one closed surface: each edge once in either direction, and Euler's V - E + F = 2.
bool apart_hull_is_closed(const hull* h);
/// Clears h->climbable unless the faces are flat and clearly convex. `seen` has the vertices in an affine image in
/// which the body is round: a vector (x, y, z) in it is as long as (x shrink.x, y shrink.y, z shrink.z) in stored
/// units, at most, and none is longer than 4. False when out of memory.
bool apart_hull_check_climbable(hull* h, const vec3* seen, vec3 shrink);

/// How many cells per side a climbable body has, and their lists (shape_cell).
uint32_t apart_cells_for(uint32_t vertices);
void apart_cells_fill(apart_shape* shape, uint16_t* list);

#endif

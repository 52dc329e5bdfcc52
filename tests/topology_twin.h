// Triangles in the making for the tests of the topology, and a naive twin that finds it by comparing all with all.
#ifndef APART_TESTS_TOPOLOGY_TWIN_H
#define APART_TESTS_TOPOLOGY_TWIN_H

#include "base/vec.h"
#include "mesh/topology.h"

#define MOST_TRIANGLES 400000
#define MOST_VERTICES (3 * MOST_TRIANGLES)

/// Triangles in the making. Coordinates are multiples of scale * 2^-20 in most tests, so that the twin's cross products
/// are exact.
typedef struct triangle_soup {
    double scale;
    uint32_t vertices, triangles;
    vec3 vertex[MOST_VERTICES];
    uint32_t triangle[MOST_TRIANGLES][3];
} triangle_soup;
extern triangle_soup soup;

/// Begins again, with coordinates to be multiplied by `scale`.
void soup_clear(double scale);
uint32_t add_vertex(vec3 p);
void add_triangle(uint32_t a, uint32_t b, uint32_t c);
/// A triangle with vertices of its own.
void add_loose(vec3 a, vec3 b, vec3 c);
/// A parallelogram at `corner`, its normal along right x up, of two triangles with vertices of their own.
void add_quad(vec3 corner, vec3 right, vec3 up);
/// One side of a box as a grid of n x n squares; square (i, j) is triangles 2 (n i + j) and the next.
void add_grid(vec3 corner, vec3 right, vec3 up, int n);
/// A cube with outward normals, of soup triangles, each side a grid of n x n squares (n: a power of two).
void add_cube(vec3 lower, double size, int n);
/// Turns a triangle over.
void swap_corners(uint32_t t);
/// Takes some triangles out; the later ones close up.
void remove_triangles(uint32_t t, uint32_t count);
/// Gives equal vertices one index, the lowest.
void share_indices(void);

#define MOST_TWIN 2000 // triangles

/// Asserts that what was found is what the twin finds, in a soup of at most MOST_TWIN triangles. Returns how many
/// components the twin judges: those whose holes have no more than three edges.
uint32_t compare_with_twin(const topology* found);

#endif

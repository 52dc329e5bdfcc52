/// The surfaces that bench/mesh measures: a torus knot, a bumpy ball, or a file.
#ifndef APART_BENCH_SURFACE_H
#define APART_BENCH_SURFACE_H

#include "apart/apart.h"

/// Triangles. Those that are made here are closed, counter-clockwise from outside, and of size 1 about the origin.
typedef struct surface {
    apart_vec3* vertices;
    size_t vertex_count;
    uint32_t (*triangles)[3];
    size_t triangle_count;
    double size;   ///< largest extent of its axis-aligned box
    double radius; ///< no vertex is farther from the origin
} surface;

/// Makes a surface of about `triangles` triangles. Returns false when out of memory; then *s is empty.
typedef bool (*surface_fn)(surface* s, size_t triangles);

/// A tube along a trefoil.
bool surface_knot(surface* s, size_t triangles);

/// A ball with bumps of several sizes.
bool surface_blob(surface* s, size_t triangles);

/// Reads a file. Returns false and fills *error if that fails; then *s is empty.
bool surface_load(surface* s, const char* path, apart_error* error);

/// Frees the arrays and empties the surface.
void surface_free(surface* s);

#endif

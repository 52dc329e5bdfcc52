// Surfaces to test with: small meshes made by rule, and ways to change what must not matter about them.
//
// Only + - * / and sqrt, so that a model has the same bits everywhere.
#ifndef APART_TESTS_MESH_MODELS_H
#define APART_TESTS_MESH_MODELS_H

#include "random.h"

/// What a caller hands to apart_shape_mesh, written down. Free it with surface_free.
typedef struct surface {
    size_t vertex_count, triangle_count;
    apart_vec3* vertex;
    uint32_t (*triangle)[3];
    double radius; // spherical extension
    bool hollow;
} surface;

/// An empty surface with room for so many; surface_vertex and surface_triangle fill it.
surface surface_make(size_t most_vertices, size_t most_triangles);
void surface_free(surface* s);
surface surface_copy(const surface* s);
/// Adds a vertex and returns its index.
uint32_t surface_vertex(surface* s, double x, double y, double z);
void surface_triangle(surface* s, uint32_t i, uint32_t j, uint32_t k);

// ----------------------------------------------------------------------------------------------------- models ----
// All within the unit ball, closed ones with their triangles counter-clockwise from outside.

/// 8 * 4^level triangles.
surface model_sphere(int level);
/// Radius 0.7 about the z axis, tube of `tube`; 2 * around * across triangles.
surface model_torus(int around, int across, double tube);
/// A trefoil knot as a tube; 2 * along * across triangles.
surface model_knot(int along, int across);
/// A box about the origin; 12 * cells^2 triangles.
surface model_box(apart_vec3 half, int cells);
/// A prism over the letter L: 20 triangles, not convex, with right angles.
surface model_bracket(void);
/// An open wavy sheet over the square |x|, |y| <= 0.6; 2 * cells^2 triangles.
surface model_sheet(int cells);
/// A cup: a sphere whose top is missing, open.
surface model_cup(int level);
/// Reads a bundled model, scaled by a power of two into the unit ball.
surface model_file(const char* name);

#define MODELS 15
extern const char* const model_names[MODELS];
/// The models above in small sizes, and the bundled ones.
surface model_get(int index);

// --------------------------------------------------------------------------------------------------- changes ----

void surface_scale(surface* s, double factor);
void surface_shift(surface* s, apart_vec3 by);
/// Turns every triangle over.
void surface_invert(surface* s);
/// Turns over about half of the triangles.
void surface_mix_orientation(surface* s, rng* r);
/// The triangles of `other` after those of s.
void surface_append(surface* s, const surface* other);
/// Triangles in another order, begun at another corner. `from[t]` is the old number of the new triangle t.
void surface_shuffle_triangles(surface* s, rng* r, uint32_t* from);
/// Vertices in another order.
void surface_shuffle_vertices(surface* s, rng* r);
/// Every triangle with three vertices of its own.
void surface_unshare(surface* s);
/// Keeps the triangles first, first + 1, ... first + count - 1.
void surface_keep(surface* s, size_t first, size_t count);
/// Removes one triangle.
void surface_remove(surface* s, size_t triangle);

/// Hands it to the library.
apart_shape* surface_shape(const surface* s, apart_error* error);

#endif

// A closed surface of triangles around the origin, whose corners are points of K.
//
// What it proves. Let every edge occur once in either direction, and let the origin see each triangle from inside. Then
// the solid angles of the triangles are all positive, and their sum, a multiple of 4 pi for a closed surface, is not
// zero: the surface goes round the origin, and every ray from the origin meets it. Where it does there is a point of K
// (which is convex) not nearer than the triangle. So the smallest distance of a triangle is the radius of a ball in K.
// Nothing else is used: the surface need not be convex, and which faces are replaced, in which order, matters for the
// speed only.
//
// What pushing it out to a new point p keeps:
//   - the faces below p are replaced by a cone from p to their rim, if that is one loop and, once all faces are seen
//     from inside, if those of the cone are, too;
//   - from then on the nearest face never comes nearer, but for rounding.
#ifndef APART_DEPTH_SURFACE_H
#define APART_DEPTH_SURFACE_H

#include "convex/bracket.h"

#define MAX_CORNERS 236
/// A closed surface with v corners has 2 v - 4 triangles (Euler); while a point is added, some more.
#define MAX_FACES (2 * MAX_CORNERS + 16)
#define NO_FACE UINT16_MAX

/// Above the rounding error of a product d . w with |d| = 1, |w| <= sqrt(3).
#define SURFACE_ROUNDING 0x1p-50

typedef struct face {
    vec3 n;         // outwards, of any length
    double inverse; // 1 / |n|
    double top;     // p is certainly above the plane if n . p is larger
    bool below;     // the point that is being added
    bool closed;    // not to be pushed out
    bool capped;    // all directions to it belong to a cap (curvature.h): its bound does not matter
    bool sliver;    // seen edge-on: bound is that of its longest side
} face;

/// An edge, seen from a face: 4 * face + number. The fourth one of a face is the first one again.
typedef struct surface {
    int corners;
    unsigned faces, free_count;
    double lowest; // the least bound of a face that was capped
    bool slivers;  // some face was one
    vertex corner[MAX_CORNERS];
    face face[MAX_FACES];
    // No point of the triangle is nearer to the origin; INFINITY: it is no part of the surface, as the one after all.
    double bound[MAX_FACES + 1];
    uint8_t start[4 * MAX_FACES];   // of an edge: the corner that it leaves, counter-clockwise, seen from outside
    uint16_t beyond[4 * MAX_FACES]; // of an edge: the same one, seen from the face beyond it
    uint16_t free[MAX_FACES];
    // While a point is added:
    unsigned gone_count, rim_count;
    uint16_t gone[MAX_FACES];    // faces below it
    uint16_t rim[MAX_FACES + 2]; // edges around them, seen from the faces that stay
    // Edges to cross: one is taken off for each face below it, and two put on. Then the new faces on the rim.
    uint16_t stack[MAX_FACES + 2];
} surface;

/// Empty; only the head is written.
void apart_surface_clear(surface* x);

/// Of length 1.
static inline vec3 face_normal(const face* f) { return vec3_scale(f->inverse, f->n); }

/// The point after the last corner: where the next one is put.
static inline vertex* surface_next(surface* x) { return &x->corner[x->corners]; }

/// Corner 0, 1 or 2 of a face.
static inline const vertex* surface_corner(const surface* x, unsigned id, unsigned i) {
    return &x->corner[x->start[4 * id + i]];
}

/// A unit vector square to the first 1, 2 or 3 corners, towards the origin if they do not hold it; `hint` where nothing
/// is known.
vec3 apart_surface_away(const surface* x, vec3 hint);
/// The surface of the tetrahedron of the first four corners. False if rounding leaves no inside.
bool apart_surface_tetrahedron(surface* x);
/// The surface of the octahedron of the first six corners, which lie on opposite sides in turn. False if the origin
/// does not certainly see all its faces from inside.
bool apart_surface_octahedron(surface* x);
/// Leaves the surface in a cache: its faces, and its corners by the vertices of the two bodies that they are made of,
/// so that a cache with any content is safe. False if it is too large, or if a body has no corners or too many: then
/// nothing is written.
bool apart_surface_keep(const difference* k, const surface* s, apart_cache* cache);
/// The surface in a cache, its corners in their places in K. False if the cache has none, or not of these bodies, or if
/// the origin does not see all its faces from inside.
bool apart_surface_recall(difference* k, const apart_cache* cache, surface* s);

/// The nearest face that may have to be pushed out, if it is nearer than `reach`, or NO_FACE. Its bound is made as good
/// as can be, which may take it beyond the next one.
uint16_t apart_surface_nearest(surface* x, double reach);
/// The nearest of all faces, those included that were closed, but not the capped ones; or NO_FACE.
uint16_t apart_surface_nearest_of_all(const surface* x);
/// Leaves a face as it is: it is not the nearest any more.
void apart_surface_close(surface* x, unsigned id);
/// The same, as its bound does not matter.
void apart_surface_cap(surface* x, unsigned id);
/// Where to look for a point of K beyond a face that is seen edge-on: to its longest side.
vec3 apart_surface_sliver_direction(const surface* x, unsigned id);
/// Raises the bound of a face that is seen from inside to what its corners tell along its normal.
double apart_surface_raise(surface* x, unsigned id);
/// Where to look for a point of K beyond a face: along its normal, if it has one.
static inline vec3 apart_surface_direction(const surface* x, unsigned id) {
    const face* f = &x->face[id];
    return !f->sliver && !vec3_is_zero(f->n) ? face_normal(f) : apart_surface_sliver_direction(x, id);
}
/// Pushes the surface out to the point after the last corner, which lies above face `id`, the nearest. Before all faces
/// are seen from inside the hull simply grows. False if it cannot be done; then all faces are
/// where they were.
bool apart_surface_push_out(surface* x, unsigned id);

/// The least bound of all faces but the capped ones, or `most` if none is below.
double apart_surface_bound(surface* x, double most);
/// Whether the surface, whose faces all have a positive bound, certainly goes round the origin.
bool apart_surface_goes_round(const surface* x);
/// The point of the nearest plane, that of face `id`, that is nearest the origin: where several faces lie in the plane,
/// it may be in another one. So it is with faces that are off the plane by no more than `open`, how far K may reach
/// beyond it.
void apart_surface_foot(const surface* x, unsigned id, double open, combination* foot);

#endif

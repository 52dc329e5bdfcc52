// What a body is: a convex core in normalised coordinates, plus a radius.
//
// Stored coordinates: local = origin + scale * stored, where scale is a power of two chosen so that the core fits in
// the unit ball about the stored origin (bound <= 1, and bound > 1/4 unless the core is a single point at the origin,
// or subnormal). Squares and triple products of stored numbers can therefore neither overflow nor vanish, whatever the
// caller's unit. `origin` is zero unless the body lies far from its own origin (more than 8 times its size), so that
// nothing is lost for ordinary bodies and the far ones keep their digits.
//
// Errors of what is stored: a vertex is exact if origin is zero, else rounded once (2^-53 of its size). Points that
// the hull leaves out lie within HULL_SLACK of the stored core.
#ifndef APART_BODY_SHAPE_H
#define APART_BODY_SHAPE_H

#include "base/kernels.h"

#include <stdatomic.h>

typedef enum shape_kind {
    SHAPE_POLYTOPE,  // vertices; also point, segment, sphere (a point with radius), capsule (a segment with radius)
    SHAPE_BOX,       // extent = half extents
    SHAPE_CYLINDER,  // extent = (radius, radius, half height)
    SHAPE_CONE,      // extent = (radius, radius, half height)
    SHAPE_ELLIPSOID, // extent = semi-axes
    SHAPE_SUPPORT,   // the caller's function
    SHAPE_HALFSPACE, // normal and offset; bound is INFINITY, and nobody asks for a support
    SHAPE_MESH,      // triangles
    SHAPE_UNION      // parts
} shape_kind;

/// "No vertex": the index of a support point on a body without corners.
#define NO_VERTEX UINT32_MAX

/// How far outside the stored core, in stored units, a caller's point may lie: 4 roundings.
#define HULL_SLACK 0x1p-51

/// Up to this many vertices the support is found by looking at all of them, above it in the lists of a climbable body.
#define LIST_FROM 40

/// Up to this many vertices a body is looked at as a whole where there are no lists.
#define CLIMB_FROM 128

/// Vertex arrays are padded to a multiple of this (with copies of vertex 0), and aligned to its size in bytes.
#define LANES 8

/// The convex hull of points, as structure of arrays. All arrays live in the shape's own block.
/// Where a body is thin to rounding, vertices may belong to no face and have no neighbour, and a solid may come without
/// faces at all; it is not climbable then.
typedef struct polytope {
    uint32_t count;             // vertices
    uint32_t padded;            // count rounded up to LANES
    const double *x, *y, *z;    // stored coordinates, padded
    const uint32_t* caller;     // the caller's index of each vertex; the lowest one among duplicates
    const uint32_t* first;      // neighbours of vertex i: neighbour[first[i]] .. neighbour[first[i + 1] - 1]
    const uint32_t* neighbour;  // flat vertex adjacency
    uint32_t face_count;        // polygons
    const uint32_t* face_first; // corners of face f: face_vertex[face_first[f]] .. counter-clockwise from outside
    const uint32_t* face_vertex;
    bool climbable;       // the adjacency reaches every vertex: hill climbing finds the support
    uint32_t cells;       // per side of the two squares of directions (shape_cell); 0 = no lists
    const uint16_t* list; // LISTED vertices for each cell, ascending: all that may be farthest along a direction in it
    /// The kernel of this machine (base/kernels.h).
    uint32_t (*argmax)(const double* x, const double* y, const double* z, uint32_t padded, const vec3* d);
} polytope;

/// A parallelepiped: its corners are middle +- half[0] +- half[1] +- half[2], in stored units.
typedef struct brick {
    bool known;
    vec3 middle, half[3];
    uint32_t vertex[8]; // number of the vertex at + half[i] where bit i is set
} brick;

struct apart_shape {
    atomic_uint references;
    void (*dispose)(apart_shape* shape); // frees what it owns beside its block; NULL = nothing
    void (*describe)(const apart_shape* shape, apart_shape_info* info); // adds what it knows; of meshes and unions
    shape_kind kind;
    int dimension;     // of the core: 0, 1, 2, 3; -1 = unknown
    double scale;      // local = origin + scale * stored; a power of two
    double bound;      // largest |stored| over the core, rounded up
    double radius;     // spherical extension, in the caller's unit
    vec3 origin;       // in the caller's unit
    bool exact;        // vertices and extents are the caller's to the last bit: no origin, nothing lost in scaling
    bool whole;        // every point of the caller's is a vertex: the hull leaves out nothing
    vec3 center;       // a point well inside the core, stored units
    vec3 lower, upper; // box of the core, stored units
    vec3 extent;       // of the primitives, stored units
    vec3 normal;       // of SHAPE_HALFSPACE, normal . x <= offset: the caller's, divided by a power of two so that its
    double offset;     // largest coordinate is between 1/2 and 1
    polytope polytope; // of SHAPE_POLYTOPE; of a box its corners, without faces; of the others nothing: count is 0
    brick brick;       // if it is one
    apart_support_fn support;
    const void* context;
    const struct mesh* mesh;       // of SHAPE_MESH, in the shape's block (mesh/mesh.h)
    const struct part_list* parts; // of SHAPE_UNION, in the shape's block (mesh/mesh.h)
    size_t bytes;                  // of the block
};

static inline bool shape_is_convex(const apart_shape* shape) { return shape->kind < SHAPE_MESH; }

/// Whether support points of this shape are numbered vertices.
static inline bool shape_has_vertices(const apart_shape* shape) { return shape->kind <= SHAPE_BOX; }
/// How many vertices it has: 0 for a body without corners.
static inline uint32_t shape_vertex_count(const apart_shape* shape) { return shape->polytope.count; }

/// Stored coordinates of vertex i (i < shape_vertex_count).
static inline vec3 shape_vertex(const apart_shape* shape, uint32_t i) {
    return vec3_make(shape->polytope.x[i], shape->polytope.y[i], shape->polytope.z[i]);
}

/// The corners of the box of the core, widened by `wide`, in stored coordinates: bit j of i chooses the upper end along
/// axis j.
static inline void shape_box_corners(const apart_shape* s, double wide, vec3 corner[8]) {
    for (int i = 0; i < 8; ++i)
        corner[i] =
            vec3_make(i & 1 ? s->upper.x + wide : s->lower.x - wide, i & 2 ? s->upper.y + wide : s->lower.y - wide,
                      i & 4 ? s->upper.z + wide : s->lower.z - wide);
}

/// The radius in stored coordinates, so wide that the ball is still in what a pose of the caller makes of it: a matrix
/// with |R^T R - I| <= 1e-6 shrinks nothing by more than the root of 1 - 3e-6.
static inline double shape_stored_radius(const apart_shape* s) { return s->radius / s->scale * (1 + 0x1p-19); }

/// A support point of the core in stored coordinates.
typedef struct support_point {
    vec3 point;
    uint32_t vertex; // or NO_VERTEX
    int visits;      // vertices looked at
} support_point;

/// How to look for it.
typedef enum support_search {
    SEARCH_BEST,   // all vertices of a small body, the listed ones of a large one, or a climb from the best start
    SEARCH_LINEAR, // all vertices (GJK 1988)
    SEARCH_CLIMB   // hill climbing from `hint` (Cameron 1997)
} support_search;

/// The farthest point of the core along d (stored coordinates, |d| between 1/4 and 4 or zero).
/// hint: a vertex to climb from; any number is safe.
support_point apart_support_find(const apart_shape* shape, vec3 d, support_search search, uint32_t hint);

/// How many vertices a cell's list has room for; shorter ones repeat the first. The second number of a list is
/// NOT_LISTED if they are more: then the first and the third are the halves of a vertex to climb from.
#define LISTED 8
#define NOT_LISTED UINT16_MAX

/// Which of 2 cells^2 cells direction d is in; the middle one if it is shorter than 2^-1000. No number in it is above
/// 1e300. Each half of the octahedron |x| + |y| + |z| = 1, seen along z, is a square on its corner, with cells^2 cells.
static inline uint32_t shape_cell(uint32_t cells, vec3 d) {
    // The factor below 1 keeps the border inside.
    const double half = 0.5 * cells, scale = half * (1 - 0x1p-50) / larger(vec3_sum_abs(d), 0x1p-1000);
    const uint32_t column = (uint32_t)(half + scale * (d.x + d.y)), row = (uint32_t)(half + scale * (d.x - d.y));
    return ((d.z < 0 ? cells : 0) + row) * cells + column;
}
static inline const uint16_t* shape_list(const polytope* p, vec3 d) {
    return p->list + LISTED * (size_t)shape_cell(p->cells, d);
}

/// An empty shape with one reference, `extra` bytes after it (64-byte aligned at apart_shape_extra). NULL when out of
/// memory.
apart_shape* apart_shape_allocate(shape_kind kind, size_t extra, apart_error* error);
void* apart_shape_extra(apart_shape* shape);

/// Whether `size` is a finite number from 0 to APART_LIMIT; if not, *error says which argument (`name`) is wrong.
bool apart_shape_check_size(double size, const char* name, apart_error* error);
/// Sets origin, scale, box and center for a core inside the box from lower to upper (caller's unit).
void apart_shape_place(apart_shape* shape, vec3 lower, vec3 upper);
/// Length of a stored vector, rounded up.
double apart_shape_length_up(vec3 stored);
/// From the caller's local coordinates to stored ones, and back.
static inline vec3 shape_to_stored(const apart_shape* shape, vec3 local) {
    return vec3_scale(1 / shape->scale, vec3_sub(local, shape->origin));
}
static inline vec3 shape_to_local(const apart_shape* shape, vec3 stored) {
    return vec3_mad(shape->origin, shape->scale, stored);
}

/// Whether `stored` is `local` to the last bit.
static inline bool shape_stores_exactly(const apart_shape* shape, vec3 local, vec3 stored) {
    vec3 back = vec3_scale(shape->scale, stored);
    return vec3_is_zero(shape->origin) && vec3_equal(back, local);
}

/// Sets shape->brick of a body with corners, if it is a parallelepiped to within rounding.
void apart_brick_find(apart_shape* shape);

/// The power of two s for which largest / s lies in (1/4, 1/2]; 1 for 0. Never subnormal: at least 2^-1022.
double apart_shape_scale_for(double largest);

#endif

// What the triangles of a soup form: components, open edges, holes, and which components are solids.
//
// Corners with equal coordinates are one corner, whatever their index, so that a soup without shared indices is
// understood, too; at the rims of what does not close, corners that differ by noise are one as well. Two triangles are
// of one component if they share an edge. Triangles with fewer than three different corners have no edges of their own:
// each belongs to the first component that has one of its corners, or to none.
//
// A component is closed if each of its edges is used as often in one direction as in the other or, where its triangles
// disagree on their outside, by an even number of triangles. Triangles with the same three corners, turned opposite
// ways, cancel each other; copies that are turned alike count once, unless more edges cancel with them.
#ifndef APART_MESH_TOPOLOGY_H
#define APART_MESH_TOPOLOGY_H

#include "base/progress.h"
#include "base/vec.h"

/// The component of a triangle that has fewer than three different corners, none of them in a component.
#define NO_COMPONENT UINT32_MAX

/// How far apart, in parts of the size of the soup, the corners of rims may be that are one: what is left in the last
/// bits of coordinates that were computed twice.
#define NOISE_OF_DOUBLES 0x1p-40
#define NOISE_OF_FLOATS 0x1p-20

/// One component. `solid`: caps over its holes add at most a hundredth to its area, at most half of the edges of its
/// triangles are open, and with the caps it has at least four sides. `oriented`: every edge that is not open is used as
/// often in one direction as in the other.
typedef struct component {
    uint32_t triangle; // the first of it
    bool solid, oriented;
} component;

typedef struct topology {
    size_t edges;         // of the triangles with three different corners
    size_t open_edges;    // those of an odd number of triangles
    size_t crowded_edges; // those of more than two
    size_t holes;         // closed ways of open edges; ways of one component that touch at a corner are one hole
    size_t degenerate;    // triangles without area: a repeated corner, or corners in line, to rounding
    size_t idle;          // triangles that another one cancels or repeats
    size_t solids;        // components that are solid
    size_t leaky;         // those of them that a ray may leave unseen: by a hole, or a slit of the noise of floats
    size_t almost;        // components that are not, but whose caps would add at most half to their area
    double seam;          // gaps that the noise of doubles left are narrower than this; 0 = there are none
    vec3 hole_lower, hole_upper; // the box of the hole with the largest cap
    uint32_t count;              // components, in the order of their first triangles
    component* component;        // malloc'ed, never NULL; the caller frees it
    uint8_t* drop;               // of each triangle: not 0 if idle; NULL if none is; malloc'ed; the caller frees it
    uint32_t* of;                // the component of each triangle, or NO_COMPONENT; malloc'ed; the caller frees it
} topology;

/// Finds all that. Vertices are finite, of about unit size at most; indices are in range; 1 <= triangle_count < 2^31.
/// Nothing found depends on how the vertices are numbered, and areas count down to sides of 2^-500.
/// Adds apart_topology_work to the meter, about, and more where there is more to do.
/// False when out of memory, or if the meter ends the work: then nothing is left allocated.
bool apart_topology_find(const vec3* vertex, uint32_t vertex_count, const uint32_t (*triangle)[3],
                         uint32_t triangle_count, topology* out, meter* m);
double apart_topology_work(uint32_t vertex_count, uint32_t triangle_count);

#endif

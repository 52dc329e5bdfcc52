// What the triangles of a soup form: components, open edges, holes, and which components are solids.
//
// Corners with equal coordinates are one corner, whatever their index, so that a soup without shared indices is
// understood, too. Two triangles are of one component if they share an edge. Triangles with fewer than three different
// corners have no edges of their own: each belongs to the first component that has one of its corners, or to none. A
// triangle that has the same three corners as an earlier one, whatever their order, is a repeat: it counts as one of
// those, so that surfaces with facets listed twice, or both ways round, are what they look like.
#ifndef APART_SHAPE_TOPOLOGY_H
#define APART_SHAPE_TOPOLOGY_H

#include "base/vec.h"

/// The component of a triangle that has fewer than three different corners, none of them in a component.
#define NO_COMPONENT UINT32_MAX

/// One component. `solid`: caps over its holes add at most a hundredth to its area, and with the caps it has at least
/// four sides. `oriented`: every edge that is not open is used as often in one direction as in the other.
typedef struct component {
    uint32_t triangle; // the first of it
    bool solid, oriented;
} component;

typedef struct topology {
    size_t edges;         // of the triangles with three different corners
    size_t open_edges;    // those of an odd number of triangles
    size_t crowded_edges; // those of more than two
    size_t holes;         // closed ways of open edges; ways of one component that touch at a corner are one hole
    size_t degenerate;    // triangles without area: a repeated corner, or corners exactly in line
    size_t solids;        // components that are solid
    size_t leaky;         // those of them that have holes
    uint32_t count;       // components, in the order of their first triangles
    component* component; // malloc'ed, never NULL; the caller frees it
    uint8_t* repeat;      // of each triangle: 1 for a repeat; NULL if there is none; malloc'ed; the caller frees it
    uint32_t* of;         // the component of each triangle, or NO_COMPONENT; malloc'ed; the caller frees it
} topology;

/// Finds all that. Vertices are finite, of about unit size at most; indices are in range; 1 <= triangle_count < 2^31.
/// Nothing found depends on how the vertices are numbered, and areas count down to sides of 2^-500.
/// False when out of memory: then nothing is left allocated.
bool apart_topology_find(const vec3* vertex, uint32_t vertex_count, const uint32_t (*triangle)[3],
                         uint32_t triangle_count, topology* out);

#endif

// What the triangles of a soup form: components, open edges, holes, and which components are solids.
//
// Corners with equal coordinates are one corner, whatever their index, so that a soup without shared indices is
// understood, too. Two triangles are of one component if they share an edge. Triangles with fewer than three different
// corners have no edges of their own and belong to the component of any triangle that has their corners, or to none.
#ifndef APART_SHAPE_TOPOLOGY_H
#define APART_SHAPE_TOPOLOGY_H

#include "base/vec.h"

/// One component. `solid`: its caps are small (see apart_shape_mesh). `oriented`: every edge that is not open is used
/// as often in one direction as in the other.
typedef struct component {
    uint32_t triangle; // the first of it
    bool solid, oriented;
} component;

typedef struct topology {
    size_t edges, open_edges, crowded_edges, holes, degenerate, solids;
    uint32_t count;       // components
    component* component; // malloc'ed; the caller frees it
    uint32_t* of;         // the component of each triangle; malloc'ed; the caller frees it
} topology;

/// Finds all that. Vertices are finite, of about unit size at most; indices are in range; 1 <= triangle_count < 2^31.
/// False when out of memory: then nothing is left allocated.
bool apart_topology_find(const vec3* vertex, uint32_t vertex_count, const uint32_t (*triangle)[3],
                         uint32_t triangle_count, topology* out);

#endif

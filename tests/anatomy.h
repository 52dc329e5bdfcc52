// What the triangles of a surface form, found without the library: components, open edges, what encloses a solid, and
// what lies inside it.
#ifndef APART_TESTS_ANATOMY_H
#define APART_TESTS_ANATOMY_H

#include "mesh_models.h"

/// What one component of a surface encloses.
typedef enum enclosure { ENCLOSES_NOTHING, ENCLOSES_SOLID, ENCLOSES_UNKNOWN } enclosure;

/// The components of a surface: triangles that share an edge, vertices with equal coordinates being one.
typedef struct anatomy {
    size_t triangles;
    int count;
    uint32_t* of;         // the component of each triangle
    enclosure* encloses;  // of each component; `hollow` is not looked at
    bool* two_sided;      // every edge that is not open is used as often one way as the other
    size_t open_edges;    // edges of an odd number of triangles
    size_t crowded_edges; // of more than two
} anatomy;

anatomy anatomy_make(const surface* s);
void anatomy_free(anatomy* a);

/// The winding number of a component about a point, in local coordinates.
double winding_number(const surface* s, const anatomy* a, int component, apart_vec3 p);
/// Whether most of a few rays from the point cross the component an odd number of times.
bool ray_parity(const surface* s, const anatomy* a, int component, apart_vec3 p);
/// Is the local point inside a solid of the surface? 1 yes, 0 no, -1 cannot be said.
int inside_solid(const surface* s, const anatomy* a, apart_vec3 p);

#endif

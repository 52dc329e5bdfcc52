// Two solids of revolution with parallel axes: a peg in a hole, a ball in a tube.
//
// Their difference K is a solid of revolution too. Where the origin lies on its axis, a whole circle of boundary points
// is nearest, and no polytope inside K comes close to all of them at once. But K is symmetric: its depth is that of its
// section with the plane through the axis and the origin, and so that of any prism over this section. If K is a ball,
// the same holds for its diameter through the origin.
#ifndef APART_DEPTH_REVOLVE_H
#define APART_DEPTH_REVOLVE_H

#include "convex/minkowski.h"

typedef struct revolved_difference {
    int across;   // directions across the section: 1 (the section is a plane), 2 (a line)
    vec3 way[2];  // these directions, unit vectors square to each other
    vec3 within;  // a unit vector in the section
    double error; // how far K may be from symmetric
} revolved_difference;

/// False if K is not round, or almost.
bool apart_revolve_find(const difference* k, revolved_difference* r);

/// Whether the error of the symmetry is next to none beside the size.
static inline bool revolve_is_symmetric(const revolved_difference* r, const difference* k) {
    return r->error <= 0x1p-42 * k->size;
}

#endif

// The outline of a surface (surface.h): corners and planes of its faces, and nothing else. It proves the same; it is
// pushed out without neighbours being known, and only the faces that may be the nearest are measured in full.
#ifndef APART_CONVEX_OUTLINE_H
#define APART_CONVEX_OUTLINE_H

#include "convex/surface.h"

/// Faces for which there is room: a few more than a cache can have.
#define OUTLINE_ROOM (APART_CACHE_FACES + 6)

/// Squared heights above this are large enough to tell that the origin sees the inside: they are good to 2^-34.
#define OUTLINE_CLEAR 0x1p-68

/// The faces of a surface, by the numbers of their corners, and the planes that they lie in.
typedef struct outline {
    uint32_t faces;
    uint8_t corner[OUTLINE_ROOM][3];                                         // and some room behind
    double x[APART_CACHE_FACES], y[APART_CACHE_FACES], z[APART_CACHE_FACES]; // normals, outwards, not of unit length
    double volume[APART_CACHE_FACES];                                        // n . w of all points of the plane
    double square[APART_CACHE_FACES];                                        // of its height
} outline;

/// Faces in one plane that a glance can take in.
#define OUTLINE_LEVEL 8

/// What a glance at an outline tells.
typedef struct sight {
    uint16_t nearest; // face: its number, and the face itself
    face face;
    int count; // faces that are level with it to rounding
    uint8_t level[OUTLINE_LEVEL];
    uint16_t foot[3]; // corners of the face in the same plane that holds the point nearest the origin,
    double weight[3]; // and their weights
} sight;

/// The outline of these faces. False if they do not form a closed surface, or have too many corners.
bool apart_outline_begin(const surface* x, uint32_t faces, const uint8_t (*corner)[3], outline* o);

/// The outline of the tetrahedron of the first four corners; the number of a face is that of the corner opposite.
void apart_outline_simplex(const surface* x, outline* o);

/// The nearest face. False if not all faces are clearly seen from inside by the origin, or if a closer look is needed
/// to tell. The foot is left open.
bool apart_outline_nearest(const surface* x, const outline* o, sight* out);

/// The foot of the nearest face.
void apart_outline_foot(const surface* x, const outline* o, sight* out);

/// Pushes the outline, a closed surface, out to the point after the last corner, which lies above face `nearest`. False
/// if it does not stay one; then the outline is of no use any more.
bool apart_outline_push_out(surface* x, outline* o, uint16_t nearest);

/// How many of the faces may be nearer than `height`, and which.
int apart_outline_low(const outline* o, double height, uint8_t low[APART_CACHE_FACES]);

#endif

// A glance at a surface from a cache: what it proves, without the surface being built.
#ifndef APART_CONVEX_GLANCE_H
#define APART_CONVEX_GLANCE_H

#include "convex/surface.h"

/// What a glance at a surface tells.
typedef struct sight {
    uint16_t nearest; // face: its number, and the face itself
    face face;
    uint16_t foot[3]; // corners of the face in the same plane that holds the point nearest the origin,
    double weight[3]; // and their weights
} sight;

/// The nearest of the faces with these corners, without the surface being built. False if they do not form a closed
/// surface that is clearly seen from inside by the origin, or if a closer look is needed to tell.
bool apart_glance_nearest(const surface* x, uint32_t faces, const uint8_t (*corner)[3], sight* out);

/// How many of the faces with these corners may be nearer than `height`, or not seen from inside by the origin, and
/// which. -1 if they do not form a closed surface, or have too many corners.
int apart_glance_low(const surface* x, uint32_t faces, const uint8_t (*corner)[3], double height, uint8_t* low);

#endif

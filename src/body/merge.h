// A closed surface of triangles, and the polygons that it consists of where triangles lie in one plane.
#ifndef APART_BODY_MERGE_H
#define APART_BODY_MERGE_H

#include "base/vec.h"

/// How far apart the corners of a face may be along its normal. The rounding of points, of the plane and of heights, a
/// few 2^-53 each, comes to about half of it.
#define FLATNESS 0x1p-49

/// Edge 3 t + k of triangle t leads from its corner k to the next one, counter-clockwise seen from outside.
typedef struct triangles {
    uint32_t count;
    const uint32_t* corner; // where an edge begins: the number of a point
    const uint32_t* twin;   // the edge that leads the other way
} triangles;

/// Its faces as loops of points: those of face f are from first[f] to first[f + 1]. Freed by apart_polygons_free.
typedef struct polygons {
    uint32_t count;
    uint32_t* first;
    uint32_t* corner;
    uint32_t* across; // the face on the other side of the edge from this corner to the next
} polygons;

/// How an attempt at a hull ended.
typedef enum outcome { FOUND, FLAT, NO_MEMORY, GAVE_UP } outcome;

/// Merges triangles whose corners lie in one plane, to rounding. Points in the inside of a face or of an edge are no
/// corners. point: `points` of them, no longer than 1. Gives up if a face has no outline, or more than one.
outcome apart_merge_triangles(const triangles* t, const vec3* point, uint32_t points, polygons* out);
void apart_polygons_free(polygons* p);

/// Twice the area of a loop of points as a vector. The areas of many small triangles are added up as if in twice the
/// precision: a face of thousands of corners would be tilted by their rounding.
vec3 apart_polygon_area(const vec3* point, const uint32_t* loop, uint32_t length);

#endif

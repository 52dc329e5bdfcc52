// Equal vertices become one point, or near ones do: by a hash table, which gives way to a sort where many vertices
// fight over it, so that no input takes more than n log n.
#ifndef APART_MESH_WELD_H
#define APART_MESH_WELD_H

#include "base/progress.h"
#include "base/vec.h"

/// Nanoseconds: a vertex.
#define WELD_WORK 25.0

/// Numbers the points: point[v] is that of vertex v, *points their count. False when out of memory, or if the meter
/// ends the work.
bool apart_weld(const vec3* vertex, uint32_t count, uint32_t* point, uint32_t* points, meter* m);

/// A group of near places is at most this many widths wide along an axis.
#define WELD_WIDEST 8

/// Groups the places of `count` vertices, vertex[corner[i]], that are near: those within `width` along every axis are
/// in one group, and so are those that a chain of such steps of up to twice that connects, unless the group is wider
/// than WELD_WIDEST widths. first[i] is the first of the group of i. False when out of memory, or if the meter ends the
/// work.
bool apart_weld_near(const vec3* vertex, const uint32_t* corner, uint32_t count, double width, uint32_t* first,
                     meter* m);

#endif

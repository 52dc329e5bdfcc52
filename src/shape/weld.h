// Equal vertices become one point: by a hash table, which gives way to a sort where many vertices fight over it, so
// that no input takes more than n log n.
#ifndef APART_SHAPE_WELD_H
#define APART_SHAPE_WELD_H

#include "base/meter.h"
#include "base/vec.h"

/// Nanoseconds: a vertex.
#define WELD_WORK 25.0

/// Numbers the points: point[v] is that of vertex v, *points their count. False when out of memory, or if the meter
/// ends the work.
bool apart_weld(const vec3* vertex, uint32_t count, uint32_t* point, uint32_t* points, meter* m);

#endif

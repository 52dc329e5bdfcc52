// The distance of two bodies of which one at least is a mesh or a union.
#ifndef APART_MESH_MEASURE_H
#define APART_MESH_MEASURE_H

#include "depth/pair.h"

/// The query and the poses have been checked; cache may be NULL. Writes *result and the cache only if it returns
/// APART_OK. APART_UNSUPPORTED: APART_METHOD_SPHERES where a part is no mesh with Quinlan's tree.
apart_status apart_bvh_measure(const posed_shape* a, const posed_shape* b, const apart_query* query, apart_cache* cache,
                               apart_result* result);

#endif

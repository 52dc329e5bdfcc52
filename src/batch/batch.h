// Many pairs on one thread: what batches, scenes and poses of another layout share.
#ifndef APART_BATCH_BATCH_H
#define APART_BATCH_BATCH_H

#include "batch/gjk_lanes.h"
#include "batch/workers.h"

/// Two shapes and where they are.
typedef struct posed_pair {
    const apart_shape *a, *b;
    const apart_pose *pose_a, *pose_b;
    double cutoff; // of this pair
} posed_pair;

/// What all pairs share. A batch has `pairs`, each with shapes of its own, or `posed`, which tells pair i. The calls
/// with two shapes have arrays of poses instead; step is 1, or 0 on a side that stands still. The query is in plain
/// numbers (apart_query_read); the cutoff of `posed` is each pair's own.
typedef struct batch {
    const apart_pair* pairs;
    posed_pair (*posed)(const void* context, size_t i);
    const void* context;
    posed_pair first;
    size_t step_a, step_b;
    const apart_query* query;
    apart_cache* caches;
    apart_result* results;
    apart_status* statuses;
} batch;

/// Up to eight pairs that wait until all lanes are taken.
typedef struct lane_queue {
    gjk_lanes lanes;
    size_t index[LANE_COUNT];
    int count;
} lane_queue;

/// Each with boxes only or hulls only on a side: so the bits of an answer do not depend on who else waits.
#define LANE_QUEUES 4
typedef struct waiting {
    lane_queue queue[LANE_QUEUES];
} waiting;

/// Makes the queues ready, once for all calls of apart_batch_measure with the same shapes and query.
void apart_batch_begin(const batch* all, waiting* w);
/// Measures pairs from .. to - 1, eight at a time where they fit, and notes what failed. The results and statuses are
/// those of apart_distance_batch.
void apart_batch_measure(const batch* all, waiting* w, size_t from, size_t to, failure* lowest);

#endif

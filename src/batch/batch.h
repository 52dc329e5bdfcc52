// Many pairs on one thread: what apart_distance_batch and scenes share.
#ifndef APART_BATCH_BATCH_H
#define APART_BATCH_BATCH_H

#include "apart/apart.h"

/// Two shapes and where they are.
typedef struct posed_pair {
    const apart_shape *a, *b;
    const apart_pose *pose_a, *pose_b;
    double cutoff; // of this pair
} posed_pair;

/// Measures pairs, eight at a time where they fit. The query is in plain numbers (apart_query_read) but for its cutoff:
/// each pair has its own. The results and statuses are those of apart_distance_batch.
void apart_batch_measure(const posed_pair* pairs, size_t count, const apart_query* plain, apart_result* results,
                         apart_status* statuses);

#endif

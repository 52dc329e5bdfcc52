// Many independent pieces of work on several threads.
#ifndef APART_BATCH_WORKERS_H
#define APART_BATCH_WORKERS_H

#include "apart/apart.h"
#include "base/arithmetic.h"

/// The lowest index that failed, and how. {0}: none did.
typedef struct failure {
    size_t index;
    apart_status status;
} failure;

/// Notes the status of one index; the lowest that is not APART_OK stays.
static inline void failure_note(failure* f, size_t index, apart_status status) {
    if (status == APART_OK || (f->status != APART_OK && f->index < index)) return;
    *f = (failure){index, status};
}

/// Does the work of indices from .. to - 1 and notes what failed. Called from any thread.
typedef void (*work_fn)(const void* job, size_t from, size_t to, failure* lowest);

/// How many threads a call with so many may use (0: all cores).
int apart_workers_most(int threads);

/// Does all indices below `count`, on at most so many threads (0: all cores), of which the caller's is one. A thread is
/// started for each `grain` of them at most, and none that the system refuses. Allocates nothing itself. Returns the
/// status of the lowest index that failed.
apart_status apart_workers_run(work_fn work, const void* job, size_t count, size_t grain, int threads);

#endif

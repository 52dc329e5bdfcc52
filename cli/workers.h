// Independent pieces of work on several threads.
#ifndef APART_CLI_WORKERS_H
#define APART_CLI_WORKERS_H

#include "progress.h"

#include <stddef.h>

/// Does the work of one index. Called from any thread, in any order.
typedef void (*work_fn)(void* job, size_t index);

/// Does all indices below `count` on at most so many threads, of which the caller's is one; 0 = all cores. Fewer where
/// the system has none to give. The bar is shown by the caller's thread.
void workers_run(work_fn work, void* job, size_t count, int threads, progress* bar);

#endif

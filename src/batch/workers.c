// A crew of threads takes chunks of indices off a shared counter until there are none left. What becomes of an index
// does not depend on who took it, so neither do the answers.
#define _DEFAULT_SOURCE // NOLINT(bugprone-reserved-identifier): for sysconf

#include "batch/workers.h"

#include <stdatomic.h>

#ifdef APART_PTHREADS
#include <pthread.h>
#include <unistd.h>
#endif

/// More threads than this are not started.
#define MOST_THREADS 256
/// Chunks for each thread, so that they end at about the same time, and the most that a chunk has.
#define CHUNKS_EACH 8
#define MOST_IN_CHUNK 512

typedef struct crew {
    work_fn work;
    const void* job;
    size_t count, chunk;
    atomic_size_t next; // the first index that nobody has taken
} crew;

typedef struct worker {
    crew* crew;
    failure lowest;
} worker;

static void* take_chunks(void* argument) {
    worker* w = argument;
    crew* c = w->crew;
    for (;;) {
        size_t from = atomic_fetch_add_explicit(&c->next, c->chunk, memory_order_relaxed);
        if (from >= c->count) return NULL;
        size_t left = c->count - from;
        c->work(c->job, from, from + (left < c->chunk ? left : c->chunk), &w->lowest);
    }
}

#ifdef APART_PTHREADS

static int count_cores(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores < MOST_THREADS ? (int)cores : MOST_THREADS;
}

/// What a query may need of the stack; some systems give a thread less.
#define STACK_BYTES 0x100000

/// Starts a thread for each of `count` workers but the first, as far as that succeeds, and works as the first.
static void work_together(worker* workers, int count) {
    pthread_t thread[MOST_THREADS];
    pthread_attr_t large;
    size_t bytes = 0;
    bool known = pthread_attr_init(&large) == 0;
    if (known && pthread_attr_getstacksize(&large, &bytes) == 0 && bytes < STACK_BYTES)
        pthread_attr_setstacksize(&large, STACK_BYTES);
    int started = 1;
    while (started < count && known && pthread_create(&thread[started], &large, take_chunks, &workers[started]) == 0)
        ++started;
    take_chunks(&workers[0]);
    for (int i = 1; i < started; ++i) pthread_join(thread[i], NULL);
    if (known) pthread_attr_destroy(&large);
}

#else

static int count_cores(void) { return 1; }

static void work_together(worker* workers, int count) {
    (void)count;
    take_chunks(&workers[0]);
}

#endif

int apart_workers_most(int threads) {
    if (threads == 0) threads = count_cores();
    return threads < MOST_THREADS ? threads : MOST_THREADS;
}

apart_status apart_workers_run(work_fn work, const void* job, size_t count, size_t grain, int threads) {
    threads = apart_workers_most(threads);
    if (count / grain < (size_t)threads) threads = (int)(count / grain) + 1;
    size_t chunk = count / ((size_t)threads * CHUNKS_EACH) + 1;
    if (chunk > MOST_IN_CHUNK) chunk = MOST_IN_CHUNK;
    // Pieces of work that are short may be done eight at a time.
    if (grain > 1) chunk = (chunk + 7) / 8 * 8;
    crew all = {.work = work, .job = job, .count = count, .chunk = threads > 1 ? chunk : count};
    worker workers[MOST_THREADS];
    for (int i = 0; i < threads; ++i) workers[i] = (worker){.crew = &all};
    work_together(workers, threads);
    for (int i = 1; i < threads; ++i)
        failure_note(&workers[0].lowest, workers[i].lowest.index, workers[i].lowest.status);
    return workers[0].lowest.status;
}

// Threads that take one index after the other off a shared counter.
#include "workers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MOST_THREADS = 256 };

typedef struct work_queue {
    work_fn work;
    void* job;
    size_t count;
    atomic_size_t next, done;
} work_queue;

static void take_work(work_queue* c, progress* bar) {
    for (size_t i = 0; (i = atomic_fetch_add(&c->next, 1)) < c->count;) {
        c->work(c->job, i);
        const size_t done = atomic_fetch_add(&c->done, 1) + 1;
        if (bar) progress_show((double)done / (double)c->count, bar);
    }
}

static void* run_thread(void* argument) {
    take_work(argument, NULL);
    return NULL;
}

void workers_run(work_fn work, void* job, size_t count, int threads, progress* bar) {
    work_queue c = {.work = work, .job = job, .count = count};
    pthread_t started[MOST_THREADS];
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t wanted = (size_t)(threads > 0 ? threads : cores > 0 ? cores : 1);
    if (wanted > MOST_THREADS) wanted = MOST_THREADS;
    if (wanted > count) wanted = count;
    size_t running = 0;
    while (running + 1 < wanted && pthread_create(&started[running], NULL, run_thread, &c) == 0) running++;
    take_work(&c, bar);
    for (size_t i = 0; i < running; i++) pthread_join(started[i], NULL);
}

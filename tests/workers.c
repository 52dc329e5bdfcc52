#include "workers.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_WORKERS 64

// What the parent and a worker share: how many seeds are done, and what was found.
typedef struct desk {
    volatile long* done;
    void* found;
} desk;

static void work(const campaign_plan* plan, const desk* d, uint64_t first, long count, int k, int n) {
    for (long i = k; i < count; i += n) {
        plan->judge(first + (uint64_t)i, d->found);
        *d->done += 1;
    }
}

// Prints how far it has come, every tenth, until all workers have ended. False if one crashed.
static bool watch(const desk* d, int n, long count) {
    bool well = true;
    long told = 0;
    for (int running = n; running > 0;) {
        int status;
        if (waitpid(-1, &status, WNOHANG) > 0) {
            running--;
            well = well && WIFEXITED(status) && WEXITSTATUS(status) == 0;
            continue;
        }
        struct timespec nap = {0, 100000000};
        nanosleep(&nap, NULL);
        long done = 0;
        for (int k = 0; k < n; k++) done += *d[k].done;
        for (; done * 10 / count > told; told++) printf("%ld %%\n", (told + 1) * 10), fflush(stdout);
    }
    return well;
}

int campaign_run(const campaign_plan* plan, int argc, char** argv) {
    long count = argc > 1 ? strtol(argv[1], NULL, 10) : plan->usual;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : plan->first_seed;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int n = cores < 1 ? 1 : cores > MOST_WORKERS ? MOST_WORKERS : (int)cores;
    if (count < 1) return fprintf(stderr, "usage: %s [COUNT [FIRST_SEED]]\n", plan->name), 2;
    // One cache line for the count, then what is found.
    size_t each = 64 + (plan->size + 63) / 64 * 64, bytes = (size_t)n * each;
    char* shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return perror(plan->name), 2;
    desk d[MOST_WORKERS];
    void* found[MOST_WORKERS];
    for (int k = 0; k < n; k++) {
        char* at = shared + (size_t)k * each;
        d[k] = (desk){(volatile long*)(void*)at, at + 64};
        found[k] = d[k].found;
    }
    for (int k = 0; k < n; k++) {
        pid_t child = fork();
        if (child < 0) return perror(plan->name), 2;
        if (child > 0) continue;
        work(plan, &d[k], first, count, k, n);
        _exit(0);
    }
    bool well = watch(d, n, count);
    bool right = plan->report(found, n) == 0 && well;
    printf("%s: %s\n", plan->name, right ? "all right" : "WRONG ANSWERS OR A CRASH");
    munmap(shared, bytes);
    return right ? 0 : 1;
}

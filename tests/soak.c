// The long campaign: `soak [PAIRS [FIRST_SEED]]` judges that many random pairs by every method against the oracle,
// without a depth, with a bound of it and with the exact one, on all cores, prints a census and the worst errors of
// each, and exits with 1 if any answer was wrong.
#include "certificate.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Seeds of the tests lie below.
#define FIRST_SEED 1000000000u
#define MOST_WORKERS 64

// What a worker has found so far; shared with the parent.
typedef struct worker {
    long done;
    census census[DEPTHS];
} worker;

// One more query with random options.
static apart_query query_random(rng* r, const oracle_answer* truth) {
    apart_query q = apart_query_default();
    q.method = (apart_method)rng_below(r, METHODS);
    q.depth = (apart_depth)rng_below(r, DEPTHS);
    double size = (double)truth->size;
    switch (rng_below(r, 3)) {
    case 0:
        q.relative_error = rng_unit(r);
        break;
    case 1:
        q.absolute_error = size * rng_magnitude(r, -40, -1);
        break;
    default:
        q.cutoff = size * rng_unit(r);
        break;
    }
    return q;
}

// One kind of question by every method: cold, then now and then again from the answer.
static void judge_depth(const trial* t, rng* r, int depth, census* c) {
    c->placed[t->pair.placement]++;
    for (int m = 0; m < METHODS; m++) {
        apart_query q = apart_query_default();
        apart_cache cache = {0};
        q.method = (apart_method)m;
        q.depth = (apart_depth)depth;
        trial_judge(t, &q, &cache, c);
        if (rng_chance(r, 0.25)) trial_judge(t, &q, &cache, c);
    }
}

static void judge_pair(uint64_t seed, census c[DEPTHS]) {
    static trial t;
    rng r = rng_seed(~seed);
    pair_random(&t.pair, seed);
    if (!trial_open(&t)) {
        c[0].wrong++;
        return;
    }
    trial_ask_depth(&t);
    for (int depth = 0; depth < DEPTHS; depth++) judge_depth(&t, &r, depth, &c[depth]);
    apart_query q = query_random(&r, &t.truth);
    trial_judge(&t, &q, NULL, &c[q.depth]);
    trial_close(&t);
}

// Worker k of n takes every n-th seed.
static void work(worker* w, uint64_t first, long pairs, int k, int n) {
    for (long i = k; i < pairs; i += n) {
        judge_pair(first + (uint64_t)i, w->census);
        w->done++;
    }
}

// Prints how far it has come, every tenth, until all workers have ended. False if one crashed.
static bool watch(const worker* w, int n, long pairs) {
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
        for (int k = 0; k < n; k++) done += *(const volatile long*)&w[k].done;
        for (; done * 10 / pairs > told; told++) printf("%ld %%\n", (told + 1) * 10), fflush(stdout);
    }
    return well;
}

int main(int argc, char** argv) {
    long pairs = argc > 1 ? strtol(argv[1], NULL, 10) : 1000000;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : FIRST_SEED;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int n = cores < 1 ? 1 : cores > MOST_WORKERS ? MOST_WORKERS : (int)cores;
    if (pairs < 1) return fprintf(stderr, "usage: soak [PAIRS [FIRST_SEED]]\n"), 2;
    size_t bytes = (size_t)n * sizeof(worker);
    worker* w = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (w == MAP_FAILED) return perror("soak"), 2;
    for (int k = 0; k < n; k++) {
        pid_t child = fork();
        if (child < 0) return perror("soak"), 2;
        if (child > 0) continue;
        work(&w[k], first, pairs, k, n);
        _exit(0);
    }
    bool well = watch(w, n, pairs);
    static census all[DEPTHS];
    long wrong = 0;
    for (int depth = 0; depth < DEPTHS; depth++) {
        for (int k = 0; k < n; k++) census_add(&all[depth], &w[k].census[depth]);
        printf("depth %s\n", depth_names[depth]);
        census_print(stdout, &all[depth]);
        wrong += all[depth].wrong;
    }
    puts(well && wrong == 0 ? "soak: all right" : "soak: WRONG ANSWERS OR A CRASH");
    munmap(w, bytes);
    return well && wrong == 0 ? 0 : 1;
}

// Long campaigns on all cores: every worker is a process of its own that judges every n-th seed, and what it found is
// shared with the parent.
#ifndef APART_TESTS_WORKERS_H
#define APART_TESTS_WORKERS_H

#include <stddef.h>
#include <stdint.h>

typedef struct campaign_plan {
    const char* name;    // of the program
    long usual;          // how many seeds, if the command line does not say
    uint64_t first_seed; // likewise
    size_t size;         // of what a worker finds; all zero at first
    void (*judge)(uint64_t seed, void* found);
    /// Prints what all workers have found, found[0 .. workers), and returns how many answers were wrong.
    long (*report)(void* const* found, int workers);
} campaign_plan;

/// The program `NAME [COUNT [FIRST_SEED]]`: prints how far it has come, every tenth, then the report. Returns the exit
/// status: 1 if an answer was wrong or a worker crashed, 2 if the arguments are.
int campaign_run(const campaign_plan* plan, int argc, char** argv);

#endif

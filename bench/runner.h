/// One cell of the table: one workload, every library, rounds interleaved.
#ifndef APART_BENCH_RUNNER_H
#define APART_BENCH_RUNNER_H

#include "workload.h"

#define MAX_LIBRARIES 12

/// What was found about one library in one cell.
typedef struct measure {
    bool measured;      ///< false: the library has no such shape
    double ns;          ///< per query, median over the rounds
    size_t wrong;       ///< answers off by more than 1e-6 of the size, NaN, contact where there is none, false brackets
    double worst_error; ///< of the answers that are numbers, in units of the size
    size_t fallbacks;   ///< queries that the quick search does not settle
    double bracket;     ///< the widest that a timed query proves, in units of the size; 0 if the library proves none
} measure;

typedef struct cell {
    const char* workload;
    const char* label;
    group group;
    size_t queries; ///< timed queries per round
    measure of[MAX_LIBRARIES];
} cell;

/// Times every library on the workload, `rounds` times in turn, and checks every answer of the last round against the
/// truth. libraries[0] is apart's, which the truth may ask; a truth that it cannot prove counts as its wrong answer.
bool run_cell(const workload* w, truth_fn prove, const bench_library* const* libraries, size_t count, int rounds,
              cell* out);

#endif

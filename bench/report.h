/// Tables, CSV and the closing lines.
#ifndef APART_BENCH_REPORT_H
#define APART_BENCH_REPORT_H

#include "suite.h"

/// Collects every cell for the closing lines.
typedef struct report {
    const suite* suite;
    const bench_library* const* libraries; ///< those that were selected
    size_t count;
    bool tables; ///< printed to standard output
    FILE* csv;   ///< one line per cell and library; NULL = none
    cell* cells;
    size_t cell_count, cell_room;
} report;

/// Machine, compiler, libraries, seed and how to read the tables.
void report_opening(const report* r, int rounds, uint64_t seed);
/// The heading of one workload's table.
void report_heading(const report* r, const char* heading);
/// One row, and remembers it.
bool report_cell(report* r, const cell* c);
/// Wins, wrong answers, worst errors. Returns how many answers of apart's were wrong.
size_t report_closing(const report* r);

#endif

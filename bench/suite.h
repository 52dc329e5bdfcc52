/// What bench/convex, bench/depth and bench/batch have in common: main, options, selection, the run over all cells.
#ifndef APART_BENCH_SUITE_H
#define APART_BENCH_SUITE_H

#include "options.h"
#include "runner.h"

/// One table: how the poses follow each other.
typedef struct schedule {
    const char *name, *heading;
    motion motion;
    double degrees; ///< turn per step of a tracked one
} schedule;

/// One program: its tables, its columns, its words.
typedef struct suite {
    const char* name;
    const char* title;                     ///< what is measured
    const char* reading;                   ///< how to read a table, what counts as wrong
    const char* fastest;                   ///< what the one of the others is called that matters most in a cell
    bool show_leads;                       ///< also print how many times as fast as that one apart is
    int column;                            ///< width
    size_t steps;                          ///< poses of each pair; a quarter of them with --quick; 0 = 25, 12
    const bench_library* const* libraries; ///< the first is apart's, and the measure of the others
    size_t library_count;
    const figure* figures;
    size_t figure_count;
    const schedule* schedules;
    size_t schedule_count;
    truth_fn prove;
} suite;

/// The program that this is: bench/convex.c, bench/depth.c or bench/batch.c.
extern const suite program;

/// The tables of a suite, with their lengths.
#define SUITE_TABLES(library_table, figure_table, schedule_table)                                                      \
    .libraries = (library_table), .library_count = COUNT(library_table), .figures = (figure_table),                    \
    .figure_count = COUNT(figure_table), .schedules = (schedule_table), .schedule_count = COUNT(schedule_table)

#endif

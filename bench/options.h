/// The command line of a benchmark: a table of the words that it understands.
#ifndef APART_BENCH_OPTIONS_H
#define APART_BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// How many elements a table has.
#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/// A word, and where what it says goes: a flag is set, a text or a number follows.
typedef struct option {
    const char* name;
    bool* flag;
    const char** text;
    uint64_t *number, least, most;
} option;

/// What every benchmark understands.
typedef struct common_options {
    bool quick, alone, csv;
    const char* save; ///< a file for the CSV, beside the tables; NULL = none
    uint64_t rounds, seed;
} common_options;

/// Their words, for the table of a program.
#define COMMON_OPTIONS(o)                                                                                              \
    {"--quick", .flag = &(o)->quick}, {"--alone", .flag = &(o)->alone}, {"--csv", .flag = &(o)->csv},                  \
        {"--save", .text = &(o)->save}, {"--rounds", .number = &(o)->rounds, .least = 1, .most = MAX_ROUNDS}, {        \
        "--seed", .number = &(o)->seed, .most = UINT64_MAX                                                             \
    }

/// And what --help says about them.
#define COMMON_HELP                                                                                                    \
    "  --quick            few queries and rounds: some seconds\n"                                                      \
    "  --alone            without the other libraries\n"                                                               \
    "  --csv              one line per cell and library, in place of the tables\n"                                     \
    "  --save FILE        the same to a file, beside the tables\n"                                                     \
    "  --rounds N         1 to 99\n"                                                                                   \
    "  --seed N           default 1\n"                                                                                 \
    "\n"                                                                                                               \
    "Exit status 1 if an answer of apart is wrong, 2 if the arguments are.\n"

/// Rounds of which the median is taken.
#define MAX_ROUNDS 99

/// Where CSV goes: standard output, the file of --save, or nowhere (NULL). Returns false, with a line, if that file
/// cannot be written.
bool options_csv(const common_options* o, const char* program, FILE** csv);

/// Fills in what is given. 0 to go on, else the exit status plus one: after --help, or where a word is not understood.
int options_parse(const option* table, size_t count, const char* program, const char* help, int argc, char** argv);

/// Whether `name` begins with (or, with whole, is) an item of the comma-separated list. No list takes everything.
bool options_list(const char* list, const char* name, bool whole);

#endif

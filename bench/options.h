/// The command line of a benchmark: a table of the words that it understands.
#ifndef APART_BENCH_OPTIONS_H
#define APART_BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How many elements a table has.
#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/// A word, and where what it says goes: a flag is set, a text or a number follows.
typedef struct option {
    const char* name;
    bool* flag;
    const char** text;
    uint64_t *number, least, most;
} option;

/// Fills in what is given. 0 to go on, else the exit status plus one: after --help, or where a word is not understood.
int options_parse(const option* table, size_t count, const char* program, const char* help, int argc, char** argv);

/// Whether `name` begins with (or, with whole, is) an item of the comma-separated list. No list takes everything.
bool options_list(const char* list, const char* name, bool whole);

#endif

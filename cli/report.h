// The answer of 'apart check' in four forms, and the answer of an earlier run beside it.
#ifndef APART_CLI_REPORT_H
#define APART_CLI_REPORT_H

#include "findings.h"

#include <jansson.h>

typedef struct report {
    const char* name; // of what was checked
    const apart_io_scene* scene;
    const check_rules* rules;
    findings found;
    size_t new_count; // found, and not in the baseline
    bool has_baseline;
    json_t* gone; // {"a", "b", "class"} of the baseline that are found no more; NULL = none
} report;

/// Reads the JSON of an earlier run, and tells new from known and gone. Returns the exit status.
int report_compare(report* r, const char* path);

void report_table(const report* r);
/// One object on one line. Returns the exit status.
int report_json(const report* r);
void report_csv(const report* r);
/// Writes the file whole or not at all. Returns the exit status.
int report_junit(const report* r, const char* path);

#endif

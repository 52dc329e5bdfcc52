// The answer of 'apart distance', for people and for programs.
#ifndef APART_CLI_ANSWER_H
#define APART_CLI_ANSWER_H

#include "body.h"

#include <jansson.h>

/// A query and what came of it.
typedef struct answer {
    const body *a, *b;
    const apart_query* query;
    apart_result result;
    bool graded;              // the gradient was asked for
    const apart_slope* slope; // it, or NULL: there is none
} answer;

/// Aligned lines.
void print_answer(const answer* found);

/// One JSON object on one line. trace: the steps, or NULL; stays the caller's. Returns the exit status.
int print_answer_json(const answer* found, json_t* trace);

/// What a body is. NULL when out of memory.
json_t* json_body(const body* b);

#endif

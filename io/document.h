// A JSON text, its values, and where they stand: every sentence names line and column.
//
// Jansson tells places of errors in the syntax only. Of a value that is there but wrong the place is found by a second
// walk over the text, from the root along the chain of nodes that led to it.
#ifndef APART_IO_DOCUMENT_H
#define APART_IO_DOCUMENT_H

#include "reader.h"

#include <jansson.h>

typedef struct document {
    const char* name; // for sentences
    const char* text; // valid JSON while root is not NULL; NULL: there is none, and sentences name no place
    json_t* root;
    apart_error* error; // never NULL
} document;

/// A value and how it was reached. Nodes live on the stack of whoever reads the value.
typedef struct node {
    const document* document;
    const struct node* up; // NULL: the root
    size_t index;          // of an item of `up`
    const char* key;       // of a member
    json_t* value;         // NULL: there is no such member; sentences name the place of `up`
} node;

/// Reads a text. False, and the error is set, if it is no JSON object. Release with json_decref(root).
bool document_parse(document* d, const char* text, size_t size);

node node_root(const document* d);
/// A member of an object; its value is NULL if there is none.
node node_member(const node* at, const char* key);
/// An item of an array, index below json_array_size.
node node_item(const node* at, size_t index);

/// "NAME:LINE:COLUMN: ..." into the error. All of these return false.
READER_PRINTF(3, 4) bool node_fail(const node* at, apart_status status, const char* format, ...);
/// "WHAT should be EXPECTED, not ...".
bool node_fail_type(const node* at, const char* expected);
/// "unknown WHAT 'name'; did you mean ...?", or all the names if there are few. An object's keys are the choice.
bool node_fail_unknown(const node* at, const char* what, const char* name, const char* const* choice, size_t count);
bool node_fail_unknown_in(const node* at, const char* what, const char* name, json_t* choice);

/// Whether the value is an object with no other keys than these, of which the first `needed` must be there.
bool node_keys(const node* at, const char* const* keys, size_t count, size_t needed);
/// Numbers are finite and at most APART_LIMIT.
bool node_number(const node* at, double* out);
bool node_numbers(const node* at, double* out, size_t count);
bool node_bool(const node* at, bool* out);
/// A text that is not empty; NULL on failure.
const char* node_text(const node* at);
/// Whether the value is an array of at least `least` items.
bool node_array(const node* at, size_t least);

#endif

// Files that are written whole or not at all.
#ifndef APART_CLI_OUTPUT_H
#define APART_CLI_OUTPUT_H

#include <stdio.h>

/// Writes to the stream. What cannot be written shows in its state.
typedef void (*write_fn)(FILE* out, const void* context);

/// Makes a file of what `write` writes: under another name first, so that an older file stays as it was until the new
/// one is complete. "-" is standard output. Returns the exit status; what is wrong is said.
int output_write(const char* path, write_fn write, const void* context);

#endif

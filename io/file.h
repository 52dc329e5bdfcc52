// The bytes of a file.
#ifndef APART_IO_FILE_H
#define APART_IO_FILE_H

#include "reader.h"

typedef struct file_bytes {
    char* data; // to be freed
    size_t size, room;
} file_bytes;

/// Reads a file whole: a file, a pipe, a terminal; "-" is standard input. False with a sentence in r->error on failure.
bool file_read(reader* r, const char* path, file_bytes* out);

#endif

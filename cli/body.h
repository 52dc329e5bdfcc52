// A body as the command line names it: a shape said on the line, or a file that stands as its convex hull.
#ifndef APART_CLI_BODY_H
#define APART_CLI_BODY_H

#include "mesh.h"

typedef struct body {
    const char* name; // the argument
    const char* kind; // "box", "sphere", ..., or "hull" of a file
    bool is_file;
    apart_mesh mesh;  // of a file
    uint32_t* number; // the file's number of each point of the shape; NULL = the same
    apart_shape* shape;
    apart_shape_info info;
} body;

/// Reads or makes the body. On failure *error holds the sentence, name included, and the body is empty.
bool body_open(const char* argument, body* out, apart_error* error);
void body_close(body* b);

/// The number in the file of a point of the shape.
uint32_t body_number(const body* b, uint32_t point);

#endif

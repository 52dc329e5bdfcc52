// A body as the command line names it: a shape said on the line, or a file. A file with triangles is their surface,
// unless its hull is asked for; a list of points is its hull.
#ifndef APART_CLI_BODY_H
#define APART_CLI_BODY_H

#include "apart/io.h"

typedef struct body {
    const char* name; // the argument
    const char* kind; // "box", "sphere", ...; of a file "mesh" or "hull"
    bool is_file, is_mesh;
    apart_io_mesh mesh; // of a file
    uint32_t* number;   // the file's number of each point of the shape; NULL = the same
    apart_shape* shape;
    apart_shape_info info;
} body;

/// Whether it is a half-space, whose box is infinite.
static inline bool body_is_unbounded(const body* b) { return !isfinite(b->info.upper.x); }

/// Reads or makes the body, and says on standard error what is odd about the file. A sphere_radius refuses bodies
/// without triangles. On failure *error holds the sentence, name included, and the body is empty.
bool body_open(const char* argument, const apart_io_options* options, body* out, apart_error* error);
void body_close(body* b);

/// Says on standard error if a surface looks meant as a solid and is none: what is inside it then counts as apart.
void body_warn_if_open(const body* b);

/// Whether the argument means standard input.
bool body_is_input(const char* argument);

/// Describes the convex hull of a file that is open as a mesh.
bool body_describe_hull(const body* b, apart_shape_info* info, apart_error* error);

/// Frees the points and triangles of the file, which the shape has copied; their counts stay.
void body_shed(body* b);

/// The number in the file of a point of the shape.
uint32_t body_number(const body* b, uint32_t point);

#endif

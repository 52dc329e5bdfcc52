// Reading meshes and point lists: STL (binary, ASCII), OBJ, PLY (ASCII, binary), OFF and text points.
//
// Every reader works on bytes in memory, so that tests and fuzzers can call it without files. A file is either read
// whole or refused with one sentence that names the place: "FILE:LINE: ..." in text, "FILE: byte N: ..." in binary.
#ifndef APART_IO_MESH_H
#define APART_IO_MESH_H

#include "apart/apart.h"

/// Points, and the triangles between them. Polygons arrive as fans of triangles. Plain data, owned by the caller.
typedef struct apart_mesh {
    apart_vec3* vertices;     ///< finite, at most APART_LIMIT in size; in the order of the file
    size_t vertex_count;      ///< at least 1 after success. STL repeats its corners: equal ones are merged
    uint32_t (*triangles)[3]; ///< indices into vertices; NULL if there are none
    size_t triangle_count;    ///< 0 for a list of points
    const char* format;       ///< "STL (binary)" and the like; a constant text
} apart_mesh;

/// Reads a mesh from `size` bytes. The format is recognised by the content, and where that leaves a choice by the
/// ending of `name`, which is also what the error sentence begins with. On failure *mesh is empty and *error (which may
/// be NULL) says why. Free the mesh after success.
apart_status apart_mesh_parse(const char* name, const void* data, size_t size, apart_mesh* mesh, apart_error* error);

/// The same, but always as text points: one point per line.
apart_status apart_points_parse(const char* name, const void* data, size_t size, apart_mesh* mesh, apart_error* error);

/// How to read a file. {0}: by its content, without a word.
typedef struct apart_mesh_reading {
    bool points;                ///< always as text points
    apart_progress_fn progress; ///< told the part that is done, from 0 to 1; false gives up with APART_CANCELLED
    void* progress_context;     ///< handed to progress
} apart_mesh_reading;

/// Reads a file and parses it. The path "-" is standard input. how: NULL = default.
apart_status apart_mesh_read(const char* path, const apart_mesh_reading* how, apart_mesh* mesh, apart_error* error);

/// The same by default.
apart_status apart_mesh_load(const char* path, apart_mesh* mesh, apart_error* error);

/// Reads a file of text points. The path "-" is standard input.
apart_status apart_points_load(const char* path, apart_mesh* mesh, apart_error* error);

/// Frees the arrays and empties the mesh. NULL and an empty mesh are allowed.
void apart_mesh_free(apart_mesh* mesh);

/// The points of a mesh.
typedef struct apart_mesh_survey {
    size_t distinct; ///< vertices with different coordinates
    size_t unused;   ///< vertices (as in the file) that no triangle uses; 0 if there are no triangles
} apart_mesh_survey;

/// Surveys a mesh. Returns APART_OK, APART_INVALID (NULL) or APART_OUT_OF_MEMORY.
apart_status apart_mesh_look(const apart_mesh* mesh, apart_mesh_survey* survey);

#endif

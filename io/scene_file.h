// What the parts of the scene file reader share.
#ifndef APART_IO_SCENE_FILE_H
#define APART_IO_SCENE_FILE_H

#include "document.h"

/// A shape as the file describes it; with "objects" one of several.
typedef struct scene_shape {
    const char* name; // of the object in its file; NULL: it is the whole
    const char* kind;
    const char* source; // the path as the file says it; NULL: no file
    uint64_t geometry;  // equal for equal triangles, points or sizes
    apart_shape* shape; // a reference of the table's
} scene_shape;

/// What one description stands for: one shape, or the objects of a file.
typedef struct shape_set {
    scene_shape* items;
    size_t count;
} shape_set;

/// All shapes of a file. Equal descriptions are made once.
typedef struct shape_table {
    const char* folder;            // in front of relative paths: "" or "folder/"
    const apart_io_options* how;   // strict, limit, progress
    json_t* known;                 // description as text -> index into sets
    json_t* named;                 // "shapes" of the file; NULL = there are none
    const struct node* named_node; // where they stand
    shape_set* sets;
    size_t count, room;
    size_t parts;  // of all unions
    char odd[240]; // the first oddity of a file that was read
} shape_table;

/// Makes all shapes of "shapes", which must stand as long as the table is used.
bool shape_table_name(shape_table* t, const node* at);
/// The shapes of a description: an object with one kind, or a name. NULL, and the error is set, on failure. Valid until
/// the next call.
const shape_set* shape_table_get(shape_table* t, const node* at);
void shape_table_free(shape_table* t);

/// {"position", "quat_wxyz" | "quat_xyzw" | "rpy" | "rpy_degrees"} or {"matrix"}; a value of NULL is the identity.
bool read_pose(const node* at, apart_pose* out);
/// x, y and z; a value of NULL leaves *out as it is.
bool read_vector(const node* at, apart_vec3* out);
/// An object with one kind. m->start is where the body is, and m->keys is NULL; with `posed` keys are refused, which
/// say themselves where it begins. m->keys is to be freed after success.
bool read_motion(const node* at, bool posed, apart_motion* m);

/// A digest of `size` bytes that goes on from another.
uint64_t digest_bytes(uint64_t digest, const void* bytes, size_t size);

#endif

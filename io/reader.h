// What the readers share: the bytes, the place in them, the mesh that grows, and how to complain.
#ifndef APART_IO_READER_H
#define APART_IO_READER_H

#include "apart/io.h"
#include "names.h"

/// Where an object of a file begins.
typedef struct object_mark {
    const char* name; // bytes of the file
    size_t length;
    size_t triangle; // its first one
    size_t order;    // among the marks
    bool is_group;   // "g", not "o"
} object_mark;
typedef struct object_marks {
    object_mark* marks;
    size_t count, room;
} object_marks;

typedef struct reader {
    const char* name;  // of the file, for sentences
    const char* begin; // the bytes: [begin, end)
    const char* at;    // the next one
    const char* end;
    size_t line;         // of `at`, from 1; text only
    bool binary;         // places are bytes, not lines
    char comment;        // starts a comment that lasts to the end of the line; 0 = none
    bool commas;         // commas and semicolons separate words, too
    bool splice;         // a backslash at the end of a line continues it
    apart_io_mesh* mesh; // what has been read
    size_t vertex_room;  // allocated
    size_t triangle_room;
    size_t short_faces;               // faces of fewer than three corners, which are left out; text only
    size_t short_line, short_corners; // of the first of them
    const apart_io_options* how;      // never NULL
    object_marks* objects;            // where objects begin; NULL = not wanted. OBJ only
    const char* due;                  // where to tell next: once `at` has come so far
    apart_status status;              // of the first failure
    apart_error* error;               // may be NULL; until a failure it holds what was odd
} reader;

#if defined(__GNUC__)
#define READER_PRINTF(at, first) __attribute__((format(printf, at, first)))
#else
#define READER_PRINTF(at, first)
#endif

/// The failures below record a status and one sentence, and return false so that a reader can `return fail(...)`.
/// Where the reader is: at its line in text ("NAME:LINE: ..."), at its byte in binary ("NAME: byte N: ..."). Whoever
/// means another place goes there first.
READER_PRINTF(3, 4) bool fail_here(reader* r, apart_status status, const char* format, ...);
/// About the file as a whole ("NAME: ...").
READER_PRINTF(3, 4) bool fail_file(reader* r, apart_status status, const char* format, ...);

/// What is odd but harmless: says so beside the mesh and returns true, or fails where reading is strict.
READER_PRINTF(2, 3) bool note_odd(reader* r, const char* format, ...);

/// The part of the work that is getting the bytes; the rest is understanding them.
#define READING_SHARE 0.2

/// How many bytes are left.
static inline size_t reader_left(const reader* r) { return (size_t)(r->end - r->at); }

/// Tells how far the reader is, if it is time to. False if the work is to end. Every loop over a file comes by here, or
/// by one of the two that append to the mesh.
bool reader_tell_now(reader* r);
static inline bool reader_tell(reader* r) { return r->at < r->due || reader_tell_now(r); }

/// Appends a vertex; false when out of memory, past 2^32 - 2 of them, or if the work is to end.
bool mesh_add_vertex(reader* r, apart_vec3 vertex);
/// Appends a triangle. The caller has checked the indices.
bool mesh_add_triangle(reader* r, uint32_t a, uint32_t b, uint32_t c);

/// A polygon that arrives corner by corner and leaves as a fan of triangles.
typedef struct fan {
    uint32_t first, last;
    size_t corners;
} fan;
bool fan_add(reader* r, fan* polygon, uint32_t index);
/// After the last corner. Fewer than three make no triangle: they are counted, and fail in the end if nothing else is
/// there.
void fan_end(reader* r, const fan* polygon);

/// Remembers that the triangles from here on belong to an object; the name is the rest of the line, to be trimmed.
bool objects_mark(reader* r, bool is_group, const char* name, size_t length);

/// One reader per format: from r->at to the end, into r->mesh.
bool read_stl_ascii(reader* r);
bool read_stl_binary(reader* r);
bool read_obj(reader* r);
bool read_ply(reader* r);
bool read_off(reader* r);
bool read_points(reader* r);

/// Whether the bytes are a binary STL by their size: 84 + 50 n, n being the count in the header, and less than another
/// triangle more.
bool stl_is_binary(const char* data, size_t size);
/// Whether the bytes may be the beginning of a binary STL that goes on: some triangles promised, finite corners.
bool stl_may_begin(const char* data, size_t size);
/// Whether a line, the next of the copied reader, names the columns of points: x, y, z and perhaps more.
bool points_names_row(reader line);
/// The length of the header word of OFF ("OFF", "COFF", ...) at `at`; 0 if there is none.
size_t off_magic(const char* at, const char* end);

#endif

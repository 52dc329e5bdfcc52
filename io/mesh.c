// Which format is it? And: reading files whole.
//
// The content decides where it can, since file names lie; the ending of the name decides the rest.
#include "mesh.h"
#include "text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef bool (*read_fn)(reader* r);

// ------------------------------------------------------------------------------------------------- the format ----

static bool begins_with(const reader* r, const char* text) {
    const size_t length = strlen(text);
    return reader_left(r) >= length && word_is((word){r->at, length}, text);
}

// Whether the first line that holds something other than a comment begins with a word of OBJ.
static bool looks_like_obj(reader r) {
    static const char* const words[] = {"v", "vt", "vn", "vp", "f", "o", "g", "s", "mtllib", "usemtl"};
    word w = {"", 0};
    r.comment = '#';
    if (!text_seek(&r) || !text_word(&r, &w)) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (word_is(w, words[i])) return true;
    return false;
}

// Whether the first such line begins with a number.
static bool looks_like_points(reader r) {
    word w = {"", 0};
    double x = 0;
    r.comment = '#';
    r.commas = true;
    return text_seek(&r) && text_word(&r, &w) && text_to_number(w, &x) != NUMBER_NOT;
}

// ASCII STL begins with the word solid; so do the headers of some binary ones, which go on with bytes that no text has.
static bool looks_like_ascii_stl(const reader* r) {
    if (!begins_with(r, "solid")) return false;
    const size_t shown = reader_left(r) < 512 ? reader_left(r) : 512;
    return !memchr(r->at, '\0', shown);
}

// The part of the name after its last dot, or "".
static word ending(const char* name) {
    const char* dot = strrchr(name, '.');
    const char* slash = strrchr(name, '/');
    if (!dot || (slash && slash > dot)) return (word){"", 0};
    return (word){dot + 1, strlen(dot + 1)};
}

static read_fn by_name(const char* name) {
    static const struct {
        const char* ending;
        read_fn read;
    } endings[] = {{"stl", read_stl_binary}, {"obj", read_obj},    {"ply", read_ply},
                   {"off", read_off},        {"xyz", read_points}, {"txt", read_points},
                   {"pts", read_points},     {"csv", read_points}, {"asc", read_points}};
    const word w = ending(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (word_is(w, endings[i].ending)) return endings[i].read;
    return NULL;
}

static read_fn choose(const reader* r) {
    if (stl_is_binary(r->begin, (size_t)(r->end - r->begin))) return read_stl_binary;
    if (begins_with(r, "ply\n") || begins_with(r, "ply\r") || begins_with(r, "ply ")) return read_ply;
    if (looks_like_ascii_stl(r)) return read_stl_ascii;
    if (off_magic(r->at, r->end)) return read_off;
    const read_fn named = by_name(r->name);
    if (named) return named;
    return looks_like_obj(*r) ? read_obj : looks_like_points(*r) ? read_points : NULL;
}

// ---------------------------------------------------------------------------------------------------- parsing ----

static reader reader_make(const char* name, const void* data, size_t size, apart_mesh* mesh, apart_error* error) {
    *mesh = (apart_mesh){0};
    const char* bytes = size ? data : "";
    return (reader){.name = name,
                    .begin = bytes,
                    .at = bytes,
                    .end = bytes + size,
                    .due = bytes,
                    .line = 1,
                    .mesh = mesh,
                    .error = error};
}

// Runs one reader, and refuses what holds no points.
static apart_status run(reader* r, read_fn read) {
    // The mark that some editors put in front of UTF-8 text.
    if (read != read_stl_binary && begins_with(r, "\xef\xbb\xbf")) r->at += 3;
    if (read(r) && r->mesh->vertex_count == 0) fail_file(r, APART_EMPTY, "the file holds no points");
    if (r->status != APART_OK) apart_mesh_free(r->mesh);
    return r->status;
}

// Chooses a reader by the content and runs it.
static apart_status run_any(reader* r) {
    if (r->at == r->end) {
        fail_file(r, APART_EMPTY, "the file is empty");
        return r->status;
    }
    reader text = *r;
    if (begins_with(&text, "\xef\xbb\xbf")) text.at += 3;
    const read_fn read = choose(&text);
    if (read) return run(r, read);
    fail_file(r, APART_FILE, "not a format that is read here; use STL, OBJ, PLY, OFF or lines of x y z");
    return r->status;
}

apart_status apart_mesh_parse(const char* name, const void* data, size_t size, apart_mesh* mesh, apart_error* error) {
    if (!name || !mesh || (!data && size)) return APART_INVALID;
    reader r = reader_make(name, data, size, mesh, error);
    return run_any(&r);
}

apart_status apart_points_parse(const char* name, const void* data, size_t size, apart_mesh* mesh, apart_error* error) {
    if (!name || !mesh || (!data && size)) return APART_INVALID;
    reader r = reader_make(name, data, size, mesh, error);
    return run(&r, read_points);
}

void apart_mesh_free(apart_mesh* mesh) {
    if (!mesh) return;
    free(mesh->vertices);
    free(mesh->triangles);
    *mesh = (apart_mesh){0};
}

// ------------------------------------------------------------------------------------------------------ files ----

typedef struct bytes {
    char* data;
    size_t size, room;
} bytes;

// How much room to begin with. A file says its size: one more byte, and its end is met without asking for more.
static size_t first_room(FILE* stream) {
    struct stat about;
    const bool known = fstat(fileno(stream), &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0;
    return known ? (size_t)about.st_size + 1 : 1 << 16;
}

// Bytes that are read between two times of telling.
enum { PIECE = 1 << 23 };

static bool tell(const apart_mesh_reading* how, double done) {
    return !how->progress || how->progress(done, how->progress_context);
}

// Reads to the end, whatever the stream is: a file, a pipe, a terminal. Returns 0 or an errno.
static int read_stream(FILE* stream, const apart_mesh_reading* how, bytes* out) {
    const size_t expected = first_room(stream);
    do {
        if (out->size == out->room) {
            const size_t room = out->room ? 2 * out->room : expected;
            char* larger = realloc(out->data, room);
            if (!larger) return ENOMEM;
            out->data = larger;
            out->room = room;
        }
        if (!tell(how, READING_SHARE * fmin((double)out->size / (double)expected, 1))) return ECANCELED;
        const size_t left = out->room - out->size;
        errno = 0;
        out->size += fread(out->data + out->size, 1, left < PIECE ? left : PIECE, stream);
    } while (!feof(stream) && !ferror(stream));
    return ferror(stream) ? (errno ? errno : EIO) : 0;
}

static int read_file(const char* path, const apart_mesh_reading* how, bytes* out) {
    if (strcmp(path, "-") == 0) return read_stream(stdin, how, out);
    FILE* stream = fopen(path, "rb");
    if (!stream) return errno;
    const int problem = read_stream(stream, how, out);
    fclose(stream);
    return problem;
}

apart_status apart_mesh_read(const char* path, const apart_mesh_reading* how, apart_mesh* mesh, apart_error* error) {
    static const apart_mesh_reading defaults = {0};
    if (!path || !mesh) return APART_INVALID;
    if (!how) how = &defaults;
    bytes content = {0};
    const int problem = read_file(path, how, &content);
    const char* name = strcmp(path, "-") == 0 ? "standard input" : path;
    reader r = reader_make(name, content.data, content.size, mesh, error);
    r.how = how;
    if (problem == ECANCELED)
        fail_file(&r, APART_CANCELLED, "reading was cancelled");
    else if (problem != 0)
        fail_file(&r, problem == ENOMEM ? APART_OUT_OF_MEMORY : APART_FILE, "cannot be read: %s", strerror(problem));
    else if (how->points)
        run(&r, read_points);
    else
        run_any(&r);
    free(content.data);
    return r.status;
}

apart_status apart_mesh_load(const char* path, apart_mesh* mesh, apart_error* error) {
    return apart_mesh_read(path, NULL, mesh, error);
}

apart_status apart_points_load(const char* path, apart_mesh* mesh, apart_error* error) {
    return apart_mesh_read(path, &(apart_mesh_reading){.points = true}, mesh, error);
}

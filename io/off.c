// OFF (Geomview): the word OFF, which may carry C, N or ST in front and may be missing; the numbers of vertices, faces
// and edges; one vertex per line (normals and colours after it are passed over); one face per line, as the number of
// corners and their indices from 0 (colours after them are passed over).
#include "text.h"

#include <string.h>

size_t off_magic(const char* at, const char* end) {
    const char* start = at;
    while (at < end && *at && strchr("STCN4n", *at)) at++;
    return end - at >= 3 && memcmp(at, "OFF", 3) == 0 ? (size_t)(at - start) + 3 : 0;
}

// The header word, if there is one. The counts may follow without a blank ("OFF8 6 12"), as some data sets have it.
static bool read_magic(reader* r) {
    const size_t length = off_magic(r->at, r->end);
    for (size_t i = 0; i < length; i++)
        if (r->at[i] == '4' || r->at[i] == 'n')
            return fail_here(r, APART_UNSUPPORTED, "OFF in more than three dimensions is not read; convert it to OFF");
    r->at += length;
    return true;
}

static bool read_counts(reader* r, size_t* vertices, size_t* faces) {
    word w = {"", 0};
    size_t edges = 0;
    if (!text_seek(r)) return fail_here(r, APART_FILE, "the file ends where the counts should be");
    const reader before = *r;
    if (text_word(r, &w) && word_is(w, "binary"))
        return fail_here(r, APART_UNSUPPORTED, "binary OFF is not read; convert it to ASCII OFF or PLY");
    *r = before;
    if (!read_count(r, "the number of vertices", vertices) || !read_count(r, "the number of faces", faces))
        return false;
    // The number of edges is often missing or wrong, and never needed.
    const reader after = *r;
    if (text_word(r, &w)) {
        *r = after;
        if (!read_count(r, "the number of edges", &edges)) return false;
    }
    return expect_line_end(r);
}

// The next line with something on it: item `done` of `count`.
static bool next_item(reader* r, const char* what, size_t done, size_t count) {
    text_next_line(r);
    return text_seek(r) ||
           fail_here(r, APART_FILE, "the file ends after %zu of %zu %s; it may be cut off", done, count, what);
}

static bool read_face(reader* r, size_t vertices) {
    fan polygon = {0};
    size_t corners = 0;
    if (!read_count(r, "the number of corners", &corners)) return false;
    for (size_t i = 0; i < corners; i++) {
        size_t index = 0;
        if (!read_count(r, "the index of a vertex", &index)) return false;
        if (index >= vertices)
            return fail_here(r, APART_FILE, "vertex %zu does not exist; the file has %zu, counted from 0", index,
                             vertices);
        if (!fan_add(r, &polygon, (uint32_t)index)) return false;
    }
    fan_end(r, &polygon);
    return reader_tell(r);
}

bool read_off(reader* r) {
    r->mesh->format = "OFF";
    r->comment = '#';
    size_t vertices = 0;
    size_t faces = 0;
    if (!text_seek(r)) return fail_file(r, APART_EMPTY, "the file holds no points");
    if (!read_magic(r) || !read_counts(r, &vertices, &faces)) return false;
    for (size_t i = 0; i < vertices; i++) {
        apart_vec3 point;
        if (!next_item(r, "vertices", i, vertices) || !read_point(r, &point) || !mesh_add_vertex(r, point))
            return false;
    }
    for (size_t i = 0; i < faces; i++)
        if (!next_item(r, "faces", i, faces) || !read_face(r, vertices)) return false;
    // Nothing but blanks and comments should follow.
    text_next_line(r);
    return !text_seek(r) ||
           note_odd(r, "line %zu and what follows are more than the header counts, and not read", r->line);
}

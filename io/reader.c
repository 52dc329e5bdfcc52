// Sentences about a place in a file, and growing the arrays of a mesh.
#include "reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Longer names are shown by their end, so that the sentence after them always fits.
#define NAME_SHOWN 100

static const char* shown_name(const char* name, const char** dots) {
    const size_t length = strlen(name);
    *dots = length > NAME_SHOWN ? "..." : "";
    return length > NAME_SHOWN ? name + length - NAME_SHOWN : name;
}

// "NAME<place>: sentence", into the caller's error.
READER_PRINTF(3, 0)
static void put_sentence(reader* r, const char* place, const char* format, va_list arguments) {
    const char* dots = "";
    const char* name = shown_name(r->name, &dots);
    char* text = r->error->message;
    const size_t size = sizeof r->error->message;
    const int used = snprintf(text, size, "%s%s%s: ", dots, name, place);
    if (used > 0 && (size_t)used < size) vsnprintf(text + used, size - (size_t)used, format, arguments);
}

READER_PRINTF(4, 0)
static void fail_at(reader* r, apart_status status, const char* place, const char* format, va_list arguments) {
    r->status = status;
    if (!r->error) return;
    r->error->status = status;
    put_sentence(r, place, format, arguments);
}

bool fail_here(reader* r, apart_status status, const char* format, ...) {
    char place[40];
    if (r->binary)
        snprintf(place, sizeof place, ": byte %zu", (size_t)(r->at - r->begin));
    else
        snprintf(place, sizeof place, ":%zu", r->line);
    va_list arguments;
    va_start(arguments, format);
    fail_at(r, status, place, format, arguments);
    va_end(arguments);
    return false;
}

bool fail_file(reader* r, apart_status status, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_at(r, status, "", format, arguments);
    va_end(arguments);
    return false;
}

// Goes on where the text of an error ends.
static void append(apart_error* error, const char* text) {
    const size_t used = strlen(error->message);
    snprintf(error->message + used, sizeof error->message - used, "%s", text);
}

bool note_odd(reader* r, const char* format, ...) {
    if (r->how->strict) r->status = APART_FILE;
    if (!r->error) return !r->how->strict;
    char sentence[sizeof r->error->message];
    va_list arguments;
    va_start(arguments, format);
    const bool first = !r->error->message[0];
    if (first || r->how->strict)
        put_sentence(r, "", format, arguments);
    else
        vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (r->how->strict) {
        r->error->status = APART_FILE;
        append(r->error, "; refused, since reading is strict");
    } else if (!first) {
        append(r->error, "; ");
        append(r->error, sentence);
    }
    return !r->how->strict;
}

// Bytes between two times of telling.
enum { STRIDE = 1 << 20 };

bool reader_tell_now(reader* r) {
    r->due = (size_t)(r->end - r->at) > STRIDE ? r->at + STRIDE : r->end;
    if (!r->how->progress) return true;
    const double part = (double)(r->at - r->begin) / (double)(r->end - r->begin);
    const double done = READING_SHARE + (1 - READING_SHARE) * part;
    return r->how->progress(done, r->how->progress_context) || fail_file(r, APART_CANCELLED, "reading was cancelled");
}

// A full array with twice the room; NULL when out of memory.
static void* enlarge(reader* r, void* array, size_t* room, size_t item) {
    const size_t wanted = *room ? 2 * *room : 256;
    void* larger = wanted > SIZE_MAX / item ? NULL : realloc(array, wanted * item);
    if (larger)
        *room = wanted;
    else
        fail_file(r, APART_OUT_OF_MEMORY, "out of memory");
    return larger;
}

bool mesh_add_vertex(reader* r, apart_vec3 vertex) {
    apart_io_mesh* mesh = r->mesh;
    if (mesh->vertex_count >= UINT32_MAX - 1) return fail_file(r, APART_UNSUPPORTED, "more than 2^32 points");
    if (mesh->vertex_count == r->vertex_room) {
        apart_vec3* larger = enlarge(r, mesh->vertices, &r->vertex_room, sizeof *larger);
        if (!larger) return false;
        mesh->vertices = larger;
    }
    mesh->vertices[mesh->vertex_count++] = vertex;
    return reader_tell(r);
}

bool mesh_add_triangle(reader* r, uint32_t a, uint32_t b, uint32_t c) {
    apart_io_mesh* mesh = r->mesh;
    if (mesh->triangle_count == r->triangle_room) {
        uint32_t* larger = enlarge(r, mesh->triangles, &r->triangle_room, 3 * sizeof *larger);
        if (!larger) return false;
        mesh->triangles = larger;
    }
    uint32_t* triangle = mesh->triangles + 3 * mesh->triangle_count++;
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
    return reader_tell(r);
}

bool fan_add(reader* r, fan* polygon, uint32_t index) {
    const size_t corner = polygon->corners++;
    const uint32_t last = polygon->last;
    polygon->last = index;
    if (corner == 0) polygon->first = index;
    return corner < 2 || mesh_add_triangle(r, polygon->first, last, index);
}

void fan_end(reader* r, const fan* polygon) {
    if (polygon->corners >= 3 || r->short_faces++ > 0) return;
    r->short_line = r->line;
    r->short_corners = polygon->corners;
}

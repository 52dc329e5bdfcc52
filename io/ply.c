// PLY: the data after the header. One walk for all encodings: values come from words or from bytes.
#include "ply.h"
#include "bytes.h"
#include "text.h"

#include <stdlib.h>

typedef struct ply_body {
    reader* r;
    ply_encoding encoding;
    size_t vertices; // promised by the header
} ply_body;

// The bytes as a number; all integers of the format are exact as doubles.
static double decode(const char* at, uint8_t type, bool big_endian) {
    const uint64_t bits = bytes_unsigned(at, ply_type_size(type), big_endian);
    switch (type) {
    case PLY_INT8:
        return (double)(int8_t)bits;
    case PLY_INT16:
        return (double)(int16_t)bits;
    case PLY_INT32:
        return (double)(int32_t)bits;
    case PLY_FLOAT32:
        return (double)bytes_float(at, big_endian);
    case PLY_FLOAT64:
        return bytes_double(at, big_endian);
    default:
        return (double)bits;
    }
}

static bool fail_end(reader* r) {
    r->at = r->end;
    return fail_here(r, APART_FILE, "the file ends inside its data; it may be cut off");
}

static bool binary_value(reader* r, ply_encoding encoding, uint8_t type, const char* what, double* out) {
    const size_t size = ply_type_size(type);
    if (reader_left(r) < size) return fail_end(r);
    *out = decode(r->at, type, encoding == PLY_BIG_ENDIAN);
    if (!isfinite(*out)) return fail_here(r, APART_NOT_FINITE, "%s is not finite; every coordinate must be", what);
    if (fabs(*out) > APART_LIMIT)
        return fail_here(r, APART_OUT_OF_RANGE, "%s is larger than 1e300; choose a larger unit", what);
    r->at += size;
    return true;
}

static bool read_value(const ply_body* body, uint8_t type, const char* what, double* out) {
    if (body->encoding == PLY_ASCII) return read_number(body->r, what, out);
    return binary_value(body->r, body->encoding, type, what, out);
}

// Passes over `count` values, whatever they are.
static bool skip_values(const ply_body* body, uint8_t type, size_t count) {
    reader* r = body->r;
    if (body->encoding != PLY_ASCII) {
        if (reader_left(r) / ply_type_size(type) < count) return fail_end(r);
        r->at += count * ply_type_size(type);
        return true;
    }
    word w = {"", 0};
    for (size_t i = 0; i < count; i++)
        if (!text_word(r, &w))
            return fail_here(r, APART_FILE, "the line ends before all values of the header are there");
    return true;
}

// A whole number from 0 to 2^32 - 1.
static bool read_whole(const ply_body* body, uint8_t type, const char* what, uint32_t* out) {
    const char* before = body->r->at;
    double value = 0;
    if (!read_value(body, type, what, &value)) return false;
    if (value >= 0 && value <= UINT32_MAX && value == (double)(uint32_t)value) {
        *out = (uint32_t)value;
        return true;
    }
    body->r->at = before;
    return fail_here(body->r, APART_FILE, "%s is %.17g; it must be a whole number, 0 or more", what, value);
}

static bool read_corners(const ply_body* body, const ply_property* property, uint32_t count) {
    reader* r = body->r;
    fan polygon = {0};
    // Lines of text stay apart, whatever one of them says. In binary, a wrong length makes nonsense of all that
    // follows.
    if (count < 3 && r->binary)
        return fail_here(r, APART_FILE, "a face of %u corners; it needs at least 3", (unsigned)count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = 0;
        if (!read_whole(body, property->type, "the index of a vertex", &index)) return false;
        if (index >= body->vertices)
            return fail_here(r, APART_FILE, "vertex %u does not exist; the file has %zu, counted from 0",
                             (unsigned)index, body->vertices);
        if (!fan_add(r, &polygon, index)) return false;
    }
    fan_end(r, &polygon);
    return true;
}

static bool read_property(const ply_body* body, const ply_property* property, double place[3]) {
    static const char* const coordinate[] = {"the x coordinate", "the y coordinate", "the z coordinate"};
    const bool is_place = property->role >= PLY_X && property->role <= PLY_Z;
    const unsigned axis = is_place ? (unsigned)property->role - PLY_X : 0;
    if (is_place) return read_value(body, property->type, coordinate[axis], &place[axis]);
    if (!property->count_type) return skip_values(body, property->type, 1);
    uint32_t count = 0;
    if (!read_whole(body, property->count_type, "the length of a list", &count)) return false;
    return property->role == PLY_CORNERS ? read_corners(body, property, count)
                                         : skip_values(body, property->type, count);
}

// One item: a line of its own in ASCII, just the next bytes in binary.
static bool read_item(const ply_body* body, const ply_element* element, size_t done) {
    reader* r = body->r;
    const bool ascii = body->encoding == PLY_ASCII;
    if (ascii && !text_seek(r))
        return fail_here(r, APART_FILE, "the file ends after %zu of %zu items; it may be cut off", done,
                         element->count);
    double place[3] = {0};
    for (size_t i = 0; i < element->properties; i++)
        if (!read_property(body, &element->property[i], place)) return false;
    if (ascii && !expect_line_end(r)) return false;
    if (ascii) text_next_line(r);
    if (element->kind != PLY_VERTEX) return reader_tell(r);
    return mesh_add_vertex(r, (apart_vec3){place[0], place[1], place[2]});
}

// Nothing but blanks should follow the last item.
static bool pass_end(reader* r) {
    while (r->at < r->end && (*r->at == '\n' || *r->at == '\r' || *r->at == ' ' || *r->at == '\t' || *r->at == '\0')) {
        if (*r->at == '\n') r->line++;
        r->at++;
    }
    return r->at == r->end ||
           note_odd(r, "%zu bytes after the last item that the header counts are not read", reader_left(r));
}

bool read_ply(reader* r) {
    static const char* const names[] = {"PLY (ASCII)", "PLY (binary, little-endian)", "PLY (binary, big-endian)"};
    r->mesh->format = "PLY";
    ply_header* header = calloc(1, sizeof *header);
    if (!header) return fail_file(r, APART_OUT_OF_MEMORY, "out of memory");
    bool ok = ply_read_header(r, header);
    r->mesh->format = names[header->encoding];
    r->binary = ok && header->encoding != PLY_ASCII;
    const ply_body body = {r, header->encoding, header->vertices};
    for (size_t e = 0; ok && e < header->elements; e++)
        for (size_t i = 0; ok && i < header->element[e].count; i++) ok = read_item(&body, &header->element[e], i);
    free(header);
    return ok && pass_end(r);
}

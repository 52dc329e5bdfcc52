// STL: triangles without numbers. Equal corners are merged, so that triangles that meet share their vertices.
//
// Binary: 80 bytes of anything, a count, and 50 bytes per triangle (normal, three corners, two spare bytes), all
// little-endian. ASCII: solid, then facet / outer loop / three times vertex / endloop / endfacet, then endsolid.
// Normals are not read: the corners say more.
#include "bytes.h"
#include "text.h"
#include "weld.h"

enum { HEADER = 84, FACET = 50, CORNER = 12 };

// The size of a file with the header at `data`, by the count in it.
static uint64_t promised_size(const char* data) { return HEADER + FACET * bytes_unsigned(data + 80, 4, false); }

bool stl_is_binary(const char* data, size_t size) {
    return size >= HEADER && (size - HEADER) / FACET == bytes_unsigned(data + 80, 4, false);
}

// The number of a corner: an equal one that was there before, or a new one.
static bool add_corner(reader* r, weld* table, apart_vec3 point, uint64_t hash, uint32_t* index) {
    *index = weld_find(table, r->mesh->vertices, r->mesh->vertex_count, point, hash);
    if (*index == WELD_FAILED) return fail_file(r, APART_OUT_OF_MEMORY, "out of memory");
    return *index < r->mesh->vertex_count || mesh_add_vertex(r, point);
}

// ----------------------------------------------------------------------------------------------------- binary ----

static apart_vec3 corner_at(const char* at) {
    return (apart_vec3){(double)bytes_float(at, false), (double)bytes_float(at + 4, false),
                        (double)bytes_float(at + 8, false)};
}

static bool is_finite(apart_vec3 p) { return isfinite(p.x) && isfinite(p.y) && isfinite(p.z); }

bool stl_may_begin(const char* data, size_t size) {
    // All of it may be there already, with a few bytes more.
    if (size < HEADER || promised_size(data) + FACET <= size) return false;
    for (size_t at = HEADER; at + FACET <= size; at += FACET)
        for (size_t i = 1; i <= 3; i++)
            if (!is_finite(corner_at(data + at + CORNER * i))) return false;
    return true;
}

// Corners on their way into the mesh: so many at once that the table's memory has time to answer.
enum { BATCH = 3 * 32 };
typedef struct batch {
    apart_vec3 point[BATCH];
    uint64_t hash[BATCH];
} batch;

static bool binary_corner(reader* r, const char* at, apart_vec3* out) {
    *out = corner_at(at);
    if (is_finite(*out)) return true;
    r->at = at;
    return fail_here(r, APART_NOT_FINITE, "a corner of triangle %zu is not finite; every coordinate must be",
                     (size_t)(at - r->begin - HEADER) / FACET);
}

// Looks at the next `count` corners of the file.
static bool take_batch(reader* r, const weld* table, size_t count, batch* out) {
    for (size_t i = 0; i < count; i++) {
        const char* at = r->at + i / 3 * FACET + CORNER * (i % 3 + 1);
        if (!binary_corner(r, at, &out->point[i])) return false;
        out->hash[i] = weld_hash(out->point[i]);
        weld_prefetch(table, out->hash[i]);
    }
    return true;
}

static bool add_batch(reader* r, weld* table, size_t count, const batch* in) {
    for (size_t i = 0; i < count; i += 3) {
        uint32_t index[3] = {0};
        for (size_t k = 0; k < 3; k++)
            if (!add_corner(r, table, in->point[i + k], in->hash[i + k], &index[k])) return false;
        if (!mesh_add_triangle(r, index[0], index[1], index[2])) return false;
    }
    return true;
}

static bool binary_facets(reader* r, weld* table) {
    batch some;
    while (r->at < r->end) {
        const size_t left = reader_left(r) / FACET * 3;
        const size_t count = left < BATCH ? left : BATCH;
        if (!take_batch(r, table, count, &some) || !add_batch(r, table, count, &some)) return false;
        r->at += count / 3 * FACET;
    }
    return true;
}

// Whether what follows the last triangle is none that the header forgot: too short for one, or zeros.
static bool is_padding(const char* at, const char* end) {
    if (end - at < FACET) return true;
    while (at < end && *at == '\0') at++;
    return at == end;
}

bool read_stl_binary(reader* r) {
    r->mesh->format = "STL (binary)";
    r->binary = true;
    const size_t size = (size_t)(r->end - r->begin);
    // Complaints are about the place where the triangles end, or the file if it is shorter.
    r->at = r->end;
    if (size < HEADER) return fail_here(r, APART_FILE, "the file ends in the header of a binary STL (84 bytes)");
    const uint64_t count = bytes_unsigned(r->begin + 80, 4, false);
    const uint64_t expected = promised_size(r->begin);
    if (size > expected) r->at = r->begin + expected;
    if (size < expected || !is_padding(r->at, r->end))
        return fail_here(r, APART_FILE, "a binary STL of %llu triangles has %llu bytes, this file %zu; write it again",
                         (unsigned long long)count, (unsigned long long)expected, size);
    if (size > expected && !note_odd(r, "%zu bytes after the last triangle are not read", size - (size_t)expected))
        return false;
    r->end = r->at;
    r->at = r->begin + HEADER;
    // A closed surface has half as many corners as triangles.
    weld table = {0};
    if (!weld_reserve(&table, (size_t)count / 2 + 2)) return fail_file(r, APART_OUT_OF_MEMORY, "out of memory");
    const bool ok = binary_facets(r, &table);
    weld_free(&table);
    return ok;
}

// ------------------------------------------------------------------------------------------------------ ASCII ----

// The next word must be this one, on this line or a later one.
static bool expect(reader* r, const char* text) {
    word w = {"", 0};
    if (!text_seek(r)) return fail_here(r, APART_FILE, "the file ends where '%s' should be; it may be cut off", text);
    text_word(r, &w);
    return word_is(w, text) || fail_here(r, APART_FILE, "expected '%s', found '%s'", text, word_excerpt(w).text);
}

// After the word "facet": the rest of its line is the normal, which may be anything.
static bool ascii_facet(reader* r, weld* table) {
    text_next_line(r);
    if (!expect(r, "outer") || !expect(r, "loop")) return false;
    uint32_t index[3] = {0};
    for (size_t i = 0; i < 3; i++) {
        apart_vec3 point;
        if (!expect(r, "vertex") || !read_point(r, &point) || !add_corner(r, table, point, weld_hash(point), &index[i]))
            return false;
    }
    return expect(r, "endloop") && expect(r, "endfacet") && mesh_add_triangle(r, index[0], index[1], index[2]);
}

// Solids, one after the other. Names go to the end of their line and are not kept.
static bool ascii_solids(reader* r, weld* table) {
    bool inside = false;
    while (text_seek(r)) {
        word w = {"", 0};
        text_word(r, &w);
        if (!inside && word_is(w, "solid")) {
            inside = true;
            text_next_line(r);
        } else if (inside && word_is(w, "endsolid")) {
            inside = false;
            text_next_line(r);
        } else if (!inside || !word_is(w, "facet")) {
            return fail_word(r, inside ? "'facet' or 'endsolid'" : "'solid'", w);
        } else if (!ascii_facet(r, table)) {
            return false;
        }
    }
    return !inside || fail_here(r, APART_FILE, "the file ends before 'endsolid'; it may be cut off");
}

bool read_stl_ascii(reader* r) {
    r->mesh->format = "STL (ASCII)";
    weld table = {0};
    const bool ok = ascii_solids(r, &table);
    weld_free(&table);
    return ok;
}

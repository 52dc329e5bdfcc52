// Binary PLY as nearly all programs write it: vertices of a fixed size with x, y and z as floats or doubles, faces with
// a list of 32-bit indices that begins with its length in one byte, other values of a fixed size around them. One loop
// each, without asking what every value is. They stop in front of the first item that is not in order: the walk in
// ply.c goes on from there, so that it alone decides what is wrong, and says so.
#include "bytes.h"
#include "ply.h"

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

// --------------------------------------------------------------------------------------------------- vertices ----

typedef struct vertex_layout {
    size_t size;
    size_t offset[3];
} vertex_layout;

// False if an item has no fixed size, or x, y and z are not all of this type, once each.
static bool lay_out_vertex(const ply_element* element, ply_type type, vertex_layout* out) {
    size_t found = 0;
    *out = (vertex_layout){0};
    for (size_t i = 0; i < element->properties; i++) {
        const ply_property* property = &element->property[i];
        if (property->count_type) return false;
        if (property->role != PLY_SKIP) {
            if (property->type != type) return false;
            out->offset[property->role - PLY_X] = out->size;
            found++;
        }
        out->size += ply_type_size(property->type);
    }
    return found == 3;
}

static bool in_range(apart_vec3 p) {
    return fabs(p.x) <= APART_LIMIT && fabs(p.y) <= APART_LIMIT && fabs(p.z) <= APART_LIMIT;
}

// Vertices between two times of telling.
enum { SOME = 1 << 16 };

// Inlined where type and order of the bytes are known. There is room for `count` vertices, and so many bytes are there.
static inline size_t take_some(reader* r, const vertex_layout* layout, size_t count, bool is_double, bool big) {
    apart_vec3* out = r->mesh->vertices + r->mesh->vertex_count;
    const char* at = r->at;
    size_t done = 0;
    for (; done < count; done++, at += layout->size) {
        double place[3];
        for (size_t i = 0; i < 3; i++) {
            const char* value = at + layout->offset[i];
            place[i] = is_double ? bytes_double(value, big) : (double)bytes_float(value, big);
        }
        out[done] = (apart_vec3){place[0], place[1], place[2]};
        if (!in_range(out[done])) break;
    }
    r->at = at;
    r->mesh->vertex_count += done;
    return done;
}

static inline size_t take_vertices(reader* r, const vertex_layout* layout, size_t count, bool is_double, bool big) {
    size_t done = 0;
    while (done < count && reader_tell(r)) {
        const size_t wanted = smaller(count - done, SOME);
        const size_t taken = take_some(r, layout, wanted, is_double, big);
        done += taken;
        if (taken < wanted) break;
    }
    return done;
}

static bool read_vertices(reader* r, const ply_element* element, bool big, size_t* done) {
    vertex_layout layout;
    const bool is_float = lay_out_vertex(element, PLY_FLOAT32, &layout);
    if (!is_float && !lay_out_vertex(element, PLY_FLOAT64, &layout)) return true;
    const size_t count = smaller(smaller(element->count, reader_left(r) / layout.size), UINT32_MAX - 1);
    if (!mesh_reserve_vertices(r, count)) return false;
    if (is_float)
        *done = big ? take_vertices(r, &layout, count, false, true) : take_vertices(r, &layout, count, false, false);
    else
        *done = big ? take_vertices(r, &layout, count, true, true) : take_vertices(r, &layout, count, true, false);
    return r->status == APART_OK;
}

// ------------------------------------------------------------------------------------------------------ faces ----

typedef struct face_layout {
    size_t before, after; // bytes around the list of corners
} face_layout;

static bool lay_out_face(const ply_element* element, face_layout* out) {
    bool found = false;
    *out = (face_layout){0};
    for (size_t i = 0; i < element->properties; i++) {
        const ply_property* property = &element->property[i];
        if (!property->count_type) {
            *(found ? &out->after : &out->before) += ply_type_size(property->type);
            continue;
        }
        const bool usual = property->count_type == PLY_UINT8 && ply_type_size(property->type) == 4;
        if (property->role != PLY_CORNERS || !usual || found) return false;
        found = true;
    }
    return found;
}

// The corners of one face as a fan, if all of them exist. False leaves no trace, unless the reader failed.
static bool take_corners(reader* r, const char* at, size_t corners, size_t vertices, bool big) {
    for (size_t i = 0; i < corners; i++)
        if (bytes_unsigned(at + 4 * i, 4, big) >= vertices) return false;
    const uint32_t first = (uint32_t)bytes_unsigned(at, 4, big);
    uint32_t last = (uint32_t)bytes_unsigned(at + 4, 4, big);
    for (size_t i = 2; i < corners; i++) {
        const uint32_t next = (uint32_t)bytes_unsigned(at + 4 * i, 4, big);
        if (!mesh_add_triangle(r, first, last, next)) return false;
        last = next;
    }
    return true;
}

static inline size_t take_faces(reader* r, face_layout layout, size_t count, size_t vertices, bool big) {
    size_t done = 0;
    for (; done < count && reader_left(r) > layout.before; done++) {
        const size_t corners = (unsigned char)r->at[layout.before];
        const size_t size = layout.before + 1 + 4 * corners + layout.after;
        if (corners < 3 || size > reader_left(r)) break;
        if (!take_corners(r, r->at + layout.before + 1, corners, vertices, big)) break;
        r->at += size;
    }
    return done;
}

static bool read_faces(reader* r, const ply_element* element, size_t vertices, bool big, size_t* done) {
    face_layout layout;
    // With more vertices than that, an index below 0 would look like a large one.
    if (!lay_out_face(element, &layout) || vertices > INT32_MAX) return true;
    const size_t triangle = 1 + 12; // the length of its list, three indices
    if (!mesh_reserve_triangles(r, smaller(element->count, reader_left(r) / (layout.before + triangle + layout.after))))
        return false;
    *done = big ? take_faces(r, layout, element->count, vertices, true)
                : take_faces(r, layout, element->count, vertices, false);
    return r->status == APART_OK;
}

bool ply_read_bulk(reader* r, const ply_header* header, const ply_element* element, size_t* done) {
    const bool big = header->encoding == PLY_BIG_ENDIAN;
    *done = 0;
    if (element->kind == PLY_VERTEX) return read_vertices(r, element, big, done);
    return element->kind != PLY_FACE || read_faces(r, element, header->vertices, big, done);
}

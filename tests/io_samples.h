// One cube in every format, and what holds of whatever a reader returns. For the tests of the readers.
#ifndef APART_TESTS_IO_SAMPLES_H
#define APART_TESTS_IO_SAMPLES_H

#include "apart/io.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

// A cube from -1 to 1, corner i at +x if i & 1, +y if i & 2, +z if i & 4; outward quadrilaterals.
static const unsigned cube_face[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

typedef struct sample {
    const char* name;
    const char* format;
    size_t triangles;
    size_t size;
    char bytes[4096];
} sample;

static inline void put(sample* s, const void* bytes, size_t size) {
    assert_true(s->size + size <= sizeof s->bytes);
    memcpy(s->bytes + s->size, bytes, size);
    s->size += size;
}
static inline void put_text(sample* s, const char* text) { put(s, text, strlen(text)); }

__attribute__((format(printf, 2, 3))) static inline void put_format(sample* s, const char* format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put_text(s, text);
}

static inline void put_number(sample* s, uint64_t bits, size_t size, bool big_endian) {
    for (size_t i = 0; i < size; i++) {
        const char byte = (char)(bits >> 8 * (big_endian ? size - 1 - i : i));
        put(s, &byte, 1);
    }
}
static inline void put_float(sample* s, double x, bool big_endian) {
    const float value = (float)x;
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    put_number(s, bits, 4, big_endian);
}
static inline void put_double(sample* s, double x, bool big_endian) {
    uint64_t bits = 0;
    memcpy(&bits, &x, sizeof bits);
    put_number(s, bits, 8, big_endian);
}

static inline double corner(unsigned i, unsigned axis) { return i >> axis & 1 ? 1 : -1; }

static inline void make_obj(sample* s) {
    *s = (sample){.name = "cube.obj", .format = "OBJ", .triangles = 12};
    put_text(s, "# a cube\nmtllib none.mtl\no cube\n");
    for (unsigned i = 0; i < 8; i++) put_format(s, "v %g %g %g\n", corner(i, 0), corner(i, 1), corner(i, 2));
    for (unsigned f = 0; f < 6; f++) {
        const unsigned* v = cube_face[f];
        // One face each way of writing it.
        const char* styles[] = {"f %u %u %u %u\n",         "f %u/1 %u/1 %u/1 %u/1\n", "f %u//1 %u//1 %u//1 %u//1\n",
                                "f %u/1/1 %u/1/1 %u %u\n", "f %u %u \\\n %u %u\r\n",  "f %u %u %u %u # top\n"};
        char line[80];
        snprintf(line, sizeof line, "%s", styles[f]);
        unsigned k = 0;
        for (const char* c = line; *c; c++)
            if (c[0] == '%' && c[1] == 'u') {
                put_format(s, "%u", v[k++] + 1);
                c++;
            } else {
                put(s, c, 1);
            }
    }
}

static inline void make_off(sample* s) {
    *s = (sample){.name = "cube.off", .format = "OFF", .triangles = 12};
    put_text(s, "OFF # a cube\n8 6 12\n\n");
    for (unsigned i = 0; i < 8; i++) put_format(s, "%g %g %g\n", corner(i, 0), corner(i, 1), corner(i, 2));
    for (unsigned f = 0; f < 6; f++) {
        const unsigned* v = cube_face[f];
        put_format(s, "4  %u %u %u %u  255 0 0\n", v[0], v[1], v[2], v[3]);
    }
}

static inline void make_points(sample* s) {
    *s = (sample){.name = "cube.xyz", .format = "text points", .triangles = 0};
    put_text(s, "# a cube, with colours\r\n");
    for (unsigned i = 0; i < 8; i++)
        put_format(s, i & 1 ? "%g, %g; %g , 255\r\n" : "%g\t%g %g 0 0 0\r\n", corner(i, 0), corner(i, 1), corner(i, 2));
}

static inline void put_ply_header(sample* s, const char* encoding, const char* type) {
    put_format(s, "ply\nformat %s 1.0\ncomment a cube\nelement vertex 8\n", encoding);
    put_format(s, "property %s x\nproperty uchar red\nproperty %s y\nproperty %s z\n", type, type, type);
    put_text(s, "element material 1\nproperty list uchar short values\nproperty float shine\n");
    put_text(s, "element face 6\nproperty list uchar int vertex_indices\nproperty uchar side\nend_header\n");
}

static inline void make_ply_ascii(sample* s) {
    *s = (sample){.name = "cube.ply", .format = "PLY (ASCII)", .triangles = 12};
    put_ply_header(s, "ascii", "float");
    for (unsigned i = 0; i < 8; i++) put_format(s, "%g 255 %g %g\n", corner(i, 0), corner(i, 1), corner(i, 2));
    put_text(s, "2 5 6 nan\n");
    for (unsigned f = 0; f < 6; f++) {
        const unsigned* v = cube_face[f];
        put_format(s, "4 %u %u %u %u %u\n", v[0], v[1], v[2], v[3], f);
    }
}

static inline void make_ply_binary(sample* s, bool big) {
    *s = (sample){.name = "cube.ply", .triangles = 12};
    s->format = big ? "PLY (binary, big-endian)" : "PLY (binary, little-endian)";
    put_ply_header(s, big ? "binary_big_endian" : "binary_little_endian", big ? "double" : "float");
    for (unsigned i = 0; i < 8; i++)
        for (unsigned axis = 0; axis < 3; axis++) {
            if (big)
                put_double(s, corner(i, axis), big);
            else
                put_float(s, corner(i, axis), big);
            if (axis == 0) put_number(s, 255, 1, big);
        }
    put_number(s, 2, 1, big);
    put_number(s, 5, 2, big);
    put_number(s, 6, 2, big);
    put_float(s, NAN, big);
    for (unsigned f = 0; f < 6; f++) {
        put_number(s, 4, 1, big);
        for (unsigned i = 0; i < 4; i++) put_number(s, cube_face[f][i], 4, big);
        put_number(s, f, 1, big);
    }
}

// Triangle t of the cube: half a face.
static inline void cube_triangle(unsigned t, unsigned out[3]) {
    const unsigned* v = cube_face[t / 2];
    out[0] = v[0];
    out[1] = v[1 + t % 2];
    out[2] = v[2 + t % 2];
}

static inline void make_stl_binary(sample* s) {
    *s = (sample){.name = "cube.stl", .format = "STL (binary)", .triangles = 12};
    char header[80] = "solid but binary: the size decides";
    put(s, header, sizeof header);
    put_number(s, 12, 4, false);
    for (unsigned t = 0; t < 12; t++) {
        unsigned v[3];
        cube_triangle(t, v);
        for (unsigned i = 0; i < 3; i++) put_float(s, NAN, false);
        for (unsigned i = 0; i < 9; i++) put_float(s, corner(v[i / 3], i % 3), false);
        put_number(s, 0, 2, false);
    }
}

static inline void make_stl_ascii(sample* s) {
    *s = (sample){.name = "cube.stl", .format = "STL (ASCII)", .triangles = 12};
    put_text(s, "solid first half\n");
    for (unsigned t = 0; t < 12; t++) {
        unsigned v[3];
        cube_triangle(t, v);
        if (t == 6) put_text(s, "endsolid first half\nSOLID\n");
        put_text(s, "  facet normal nan 0 0\n    outer loop\n");
        for (unsigned i = 0; i < 3; i++)
            put_format(s, "      %s %g %g %g\n", t < 6 ? "vertex" : "VERTEX", corner(v[i], 0), corner(v[i], 1),
                       corner(v[i], 2));
        put_text(s, "    endloop\n  endfacet\n");
    }
    put_text(s, "endsolid\n");
}

enum { SAMPLES = 8 };
static inline sample* make_samples(void) {
    sample* s = calloc(SAMPLES, sizeof *s);
    assert_non_null(s);
    make_obj(&s[0]);
    make_off(&s[1]);
    make_points(&s[2]);
    make_ply_ascii(&s[3]);
    make_ply_binary(&s[4], false);
    make_ply_binary(&s[5], true);
    make_stl_binary(&s[6]);
    make_stl_ascii(&s[7]);
    return s;
}

// Parses a copy that ends where the memory ends, so that a sanitizer sees the first byte read too many.
static inline apart_status parse_copy(const char* name, const char* bytes, size_t size, apart_io_mesh* mesh,
                                      apart_error* error) {
    char* copy = malloc(size ? size : 1);
    assert_non_null(copy);
    if (size) memcpy(copy, bytes, size);
    const apart_status status = apart_io_parse(name, copy, size, NULL, mesh, error);
    free(copy);
    return status;
}

// A mesh is whole, or empty with a sentence.
static inline void check_sane(const char* name, apart_status status, const apart_io_mesh* mesh,
                              const apart_error* error) {
    if (status != APART_OK) {
        assert_int_equal(error->status, status);
        assert_memory_equal(error->message, name, strlen(name));
        assert_int_equal(error->message[strlen(name)], ':');
        assert_null(strchr(error->message, '\n'));
        assert_null(mesh->vertices);
        assert_null(mesh->triangles);
        return;
    }
    assert_true(mesh->vertex_count > 0);
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const apart_vec3 v = mesh->vertices[i];
        assert_true(fabs(v.x) <= APART_LIMIT && fabs(v.y) <= APART_LIMIT && fabs(v.z) <= APART_LIMIT);
    }
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (size_t i = 0; i < 3; i++) assert_true(mesh->triangles[3 * t + i] < mesh->vertex_count);
}

#endif

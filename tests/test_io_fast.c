// What the readers do fast, to the last bit and the last word: numbers in many spellings, binary PLY in many layouts,
// the merging of STL corners. And files that come through a pipe.
#include "io_samples.h"
#include "random.h"
#include "text.h"

#include <sys/wait.h>
#include <unistd.h>

// ---------------------------------------------------------------------------------------------------- numbers ----

typedef struct spelling {
    char text[120];
    size_t length;
} spelling;

static void add_char(spelling* s, char c) {
    assert_true(s->length + 1 < sizeof s->text);
    s->text[s->length++] = c;
    s->text[s->length] = '\0';
}

static void add_digits(spelling* s, rng* random, int count) {
    const bool zeros = rng_chance(random, 0.15);
    for (int i = 0; i < count; i++) add_char(s, (char)('0' + (zeros ? 0 : rng_below(random, 10))));
}

// A sign, zeros, digits, a point anywhere, an exponent: each of them there or not.
static spelling random_spelling(rng* random) {
    spelling s = {0};
    static const char signs[] = "-+";
    if (rng_chance(random, 0.5)) add_char(&s, signs[rng_below(random, 2)]);
    const int digits = rng_between(random, 1, rng_chance(random, 0.2) ? 30 : 19);
    const int whole = rng_below(random, digits + 1);
    for (int i = rng_chance(random, 0.1) ? rng_below(random, 8) : 0; i > 0; i--) add_char(&s, '0');
    add_digits(&s, random, whole);
    if (whole < digits || rng_chance(random, 0.2)) add_char(&s, '.');
    for (int i = rng_chance(random, 0.1) ? rng_below(random, 30) : 0; i > 0 && whole < digits; i--) add_char(&s, '0');
    add_digits(&s, random, digits - whole);
    if (rng_chance(random, 0.4)) {
        add_char(&s, "eE"[rng_below(random, 2)]);
        if (rng_chance(random, 0.7)) add_char(&s, signs[rng_below(random, 2)]);
        if (rng_chance(random, 0.3)) add_char(&s, '0');
        const int exponent = rng_below(random, rng_chance(random, 0.1) ? 330 : 30);
        s.length += (size_t)snprintf(s.text + s.length, sizeof s.text - s.length, "%d", exponent);
    }
    return s;
}

// Exactly half-way between two doubles, or one unit of the last digit beside it: an odd number of 54 bits over 2^k, all
// digits written out.
static spelling halfway_spelling(rng* random) {
    uint64_t n = (rng_next(random) >> 11) | (uint64_t)1 << 53 | 1;
    const int k = rng_below(random, 5);
    for (int i = 0; i < k; i++) n *= 5;
    n += (uint64_t)rng_between(random, -1, 1);
    spelling s = {0};
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    for (int i = 0; i < length; i++) {
        if (i == length - k) add_char(&s, '.');
        add_char(&s, digits[i]);
    }
    return s;
}

// The number as the first, second or third word of a line, with this after it.
static void check_number(const spelling* s, const char* after, size_t* finite) {
    char* end = NULL;
    const double expected = strtod(s->text, &end);
    assert_true(end == s->text + s->length);
    for (int place = 0; place < 3; place++) {
        char text[256];
        const char* lead = place == 0 ? "" : place == 1 ? " 1 " : "1\t2, ";
        const int length = snprintf(text, sizeof text, "%s%s%s", lead, s->text,
                                    place == 2       ? after
                                    : *after == '\n' ? " 3 4"
                                                     : after);
        char* copy = malloc((size_t)length);
        assert_non_null(copy);
        memcpy(copy, text, (size_t)length);
        reader r = {.name = "a", .begin = copy, .at = copy, .end = copy + length, .line = 1, .comment = '#'};
        r.commas = true;
        double value[3] = {0};
        bool ok = true;
        for (int i = 0; ok && i <= place; i++) ok = read_number(&r, "it", &value[i]);
        assert_int_equal(ok, fabs(expected) <= APART_LIMIT);
        if (ok) assert_memory_equal(&value[place], &expected, sizeof expected);
        *finite += ok;
        // What follows is left for the next one to read.
        word w = {"next", 4};
        if (ok && place == 2 && strstr(after, "next")) assert_int_equal(text_word(&r, &w), *after != '#');
        assert_true(word_is(w, "next"));
        free(copy);
    }
}

static void numbers_in_many_spellings(void** state) {
    (void)state;
    static const char* const after[] = {"", "\n", "\r\n", " next", "\tnext", ",next", " ; next", "#next", ", next"};
    rng random = rng_seed(17);
    size_t finite = 0;
    for (int i = 0; i < 300000; i++) {
        const spelling s = i % 3 ? random_spelling(&random) : halfway_spelling(&random);
        check_number(&s, after[rng_below(&random, (int)COUNT(after))], &finite);
    }
    print_message("%zu numbers, all the same as strtod's\n", finite);
    assert_true(finite > 850000 && finite < 900000);
}

// A number is a whole word: nothing is taken of one that only begins like a number.
static void half_numbers(void** state) {
    (void)state;
    static const char* const bad[] = {"1x",     "1.5.2", "1e5e5", "1e",  "1-2",
                                      "12\x01", "1'000", "0x10",  "1/2", "1\xc2\xa0"};
    for (size_t i = 0; i < COUNT(bad); i++) {
        char text[40];
        apart_io_mesh mesh;
        apart_error error = {0};
        snprintf(text, sizeof text, "1 2 %s\n", bad[i]);
        assert_int_equal(parse_copy("a.xyz", text, strlen(text), &mesh, &error), APART_FILE);
        assert_non_null(strstr(error.message, "a.xyz:1: expected the z coordinate, found '"));
    }
}

// -------------------------------------------------------------------------------------------------------- PLY ----

enum { VERTICES = 50, FACES = 70 };

// A binary PLY in one of many layouts, and the mesh that it holds.
typedef struct layout {
    bool big_endian, is_double, is_unsigned, faces_first;
    bool lists;     // the marks beside the coordinates and the corners are empty lists, not single bytes
    unsigned order; // of x, y, z and the mark
} layout;

typedef struct binary_ply {
    sample file;
    size_t data, vertex, face; // where the header ends, where the first vertex and the first face begin
    apart_vec3 place[VERTICES];
    size_t triangles;
    uint32_t corner[3 * 7 * FACES];
} binary_ply;

static void put_layout(sample* s, const layout* how) {
    static const char* const place[] = {"x", "y", "z"};
    const char* mark = how->lists ? "property list uchar uchar mark\n" : "property uchar mark\n";
    put_format(s, "ply\nformat binary_%s_endian 1.0\n", how->big_endian ? "big" : "little");
    for (int part = 0; part < 2; part++) {
        if (part == (int)how->faces_first) {
            put_format(s, "element vertex %d\n", VERTICES);
            for (unsigned i = how->order; i < how->order + 4; i++)
                if (i % 4 == 3)
                    put_text(s, mark);
                else
                    put_format(s, "property %s %s\n", how->is_double ? "double" : "float", place[i % 4]);
        } else {
            put_format(s, "element face %d\nproperty short group\nproperty list uchar %s vertex_indices\n%s", FACES,
                       how->is_unsigned ? "uint" : "int", mark);
        }
    }
    put_text(s, "end_header\n");
}

static void put_vertices(binary_ply* p, const layout* how, rng* random) {
    p->vertex = p->file.size;
    for (int v = 0; v < VERTICES; v++) {
        double place[3] = {0};
        for (unsigned i = how->order; i < how->order + 4; i++) {
            if (i % 4 == 3) {
                put_number(&p->file, 0, 1, false);
            } else if (how->is_double) {
                place[i % 4] = rng_magnitude(random, -900, 900);
                put_double(&p->file, place[i % 4], how->big_endian);
            } else {
                place[i % 4] = (double)(float)rng_uniform(random, -9, 9);
                put_float(&p->file, place[i % 4], how->big_endian);
            }
        }
        p->place[v] = (apart_vec3){place[0], place[1], place[2]};
    }
}

static void put_faces(binary_ply* p, const layout* how, rng* random) {
    p->face = p->file.size;
    for (int f = 0; f < FACES; f++) {
        const unsigned corners = rng_chance(random, 0.7) ? 3 : (unsigned)rng_between(random, 4, 9);
        uint32_t index[9];
        // Whoever takes it for a number of corners goes astray.
        put_number(&p->file, 0x0303, 2, how->big_endian);
        put_number(&p->file, corners, 1, how->big_endian);
        for (unsigned i = 0; i < corners; i++) {
            index[i] = (uint32_t)rng_below(random, VERTICES);
            put_number(&p->file, index[i], 4, how->big_endian);
            if (i < 2) continue;
            const uint32_t triangle[3] = {index[0], index[i - 1], index[i]};
            memcpy(p->corner + 3 * p->triangles++, triangle, sizeof triangle);
        }
        put_number(&p->file, 0, 1, false);
    }
}

static void make_binary_ply(binary_ply* p, const layout* how, rng* random) {
    *p = (binary_ply){.file.name = "a.ply"};
    put_layout(&p->file, how);
    p->data = p->file.size;
    if (how->faces_first) put_faces(p, how, random);
    put_vertices(p, how, random);
    if (!how->faces_first) put_faces(p, how, random);
}

// The first `size` bytes are refused with this sentence about this byte.
static void check_refused(const binary_ply* p, size_t size, apart_status status, size_t byte, const char* sentence) {
    char expected[160];
    apart_io_mesh mesh;
    apart_error error = {0};
    snprintf(expected, sizeof expected, "a.ply: byte %zu: %s", byte, sentence);
    assert_int_equal(parse_copy("a.ply", p->file.bytes, size, &mesh, &error), status);
    assert_string_equal(error.message, expected);
}

// Damage at one place, which is mended again.
static void check_damage(binary_ply* p, size_t at, int byte, size_t length, apart_status status, size_t where,
                         const char* sentence) {
    char kept[8];
    memcpy(kept, p->file.bytes + at, length);
    memset(p->file.bytes + at, byte, length);
    check_refused(p, p->file.size, status, where, sentence);
    memcpy(p->file.bytes + at, kept, length);
}

static void check_whole(const binary_ply* p) {
    apart_io_mesh mesh;
    apart_error error = {0};
    assert_int_equal(parse_copy("a.ply", p->file.bytes, p->file.size, &mesh, &error), APART_OK);
    assert_int_equal(mesh.vertex_count, VERTICES);
    assert_int_equal(mesh.triangle_count, p->triangles);
    assert_memory_equal(mesh.vertices, p->place, sizeof p->place);
    assert_memory_equal(mesh.triangles, p->corner, 3 * p->triangles * sizeof *p->corner);
    apart_io_free(&mesh);
}

// Cut off in the data; a coordinate of vertex v, a number of corners and an index that cannot be.
static void check_damages(binary_ply* p, const layout* how, size_t cut, size_t v) {
    static const char* const not_finite[] = {"the x coordinate is not finite; every coordinate must be",
                                             "the y coordinate is not finite; every coordinate must be",
                                             "the z coordinate is not finite; every coordinate must be"};
    const size_t length = how->is_double ? 8 : 4;
    const size_t at = p->vertex + (3 * length + 1) * v + (how->order == 3);
    check_refused(p, cut, APART_FILE, cut, "the file ends inside its data; it may be cut off");
    check_damage(p, at, 0xff, length, APART_NOT_FINITE, at, not_finite[how->order % 3]);
    if (how->is_double && how->order == 0)
        check_damage(p, at, 0x7f, length, APART_OUT_OF_RANGE, at,
                     "the x coordinate is larger than 1e300; choose a larger unit");
    check_damage(p, p->face + 2, 2, 1, APART_FILE, p->face + 3, "a face of 2 corners; it needs at least 3");
    check_damage(p, p->face + 3, 1, 4, APART_FILE, p->face + 7,
                 "vertex 16843009 does not exist; the file has 50, counted from 0");
    if (!how->is_unsigned)
        check_damage(p, p->face + 7, 0xff, 4, APART_FILE, p->face + 7,
                     "the index of a vertex is -1; it must be a whole number, 0 or more");
}

static void ply_layouts(void** state) {
    (void)state;
    rng random = rng_seed(23);
    binary_ply* p = malloc(sizeof *p);
    assert_non_null(p);
    for (unsigned round = 0; round < 128 * 16; round++) {
        const layout how = {round & 1, round & 2, round & 4, round & 8, round & 16, round >> 5 & 3};
        make_binary_ply(p, &how, &random);
        check_whole(p);
        const size_t cut = p->data + (size_t)rng_below(&random, (int)(p->file.size - p->data));
        check_damages(p, &how, cut, (size_t)rng_below(&random, VERTICES));
    }
    free(p);
}

// -------------------------------------------------------------------------------------------------------- STL ----

// Coordinates that are equal, nearly equal, or equal but for the sign of zero.
static float touchy(rng* random) {
    static const float some[] = {0.0f, -0.0f, 1.0f, 0x1.000002p0f, 0x1.fffffep-1f, -1.0f, 0x1p-149f, -0x1p-149f};
    return some[rng_below(random, (int)COUNT(some))];
}

static size_t first_equal(const float* corners, size_t which) {
    const float* p = corners + 3 * which;
    size_t i = 0;
    while (corners[3 * i] != p[0] || corners[3 * i + 1] != p[1] || corners[3 * i + 2] != p[2]) i++;
    return i;
}

// Every corner becomes the first one that is equal to it, with the bits of that one, in the order of the file.
static void check_merged(const apart_io_mesh* mesh, const float* corners, size_t count) {
    size_t next = 0;
    uint32_t* number = calloc(count, sizeof *number);
    assert_non_null(number);
    assert_int_equal(mesh->triangle_count, count / 3);
    for (size_t i = 0; i < count; i++) {
        const size_t first = first_equal(corners, i);
        if (first == i) {
            const float* p = corners + 3 * i;
            const apart_vec3 expected = {(double)p[0], (double)p[1], (double)p[2]};
            assert_memory_equal(&mesh->vertices[next], &expected, sizeof expected);
            number[i] = (uint32_t)next++;
        }
        assert_int_equal(mesh->triangles[i], number[first]);
    }
    assert_int_equal(mesh->vertex_count, next);
    free(number);
}

static void stl_corners_merge(void** state) {
    (void)state;
    enum { MOST = 700 };
    rng random = rng_seed(29);
    float* corners = calloc(9 * MOST, sizeof *corners);
    char* bytes = calloc(1, 84 + 50 * MOST);
    assert_true(corners && bytes);
    for (int round = 0; round < 60; round++) {
        // Few and many, around the size of one batch, and a soup that outgrows the table.
        const size_t count = round < 40 ? (size_t)round * 4 + 1 : MOST;
        const bool soup = round % 2;
        for (size_t i = 0; i < 9 * count; i++) corners[i] = soup ? (float)rng_unit(&random) : touchy(&random);
        for (size_t i = 0; i < 4; i++) bytes[80 + i] = (char)(count >> 8 * i);
        for (size_t t = 0; t < count; t++)
            for (size_t i = 0; i < 9; i++) {
                uint32_t bits = 0;
                memcpy(&bits, &corners[9 * t + i], sizeof bits);
                for (size_t k = 0; k < 4; k++) bytes[84 + 50 * t + 12 + 4 * i + k] = (char)(bits >> 8 * k);
            }
        apart_io_mesh mesh;
        apart_error error = {0};
        assert_int_equal(parse_copy("a", bytes, 84 + 50 * count, &mesh, &error), APART_OK);
        assert_string_equal(mesh.format, "STL (binary)");
        check_merged(&mesh, corners, 3 * count);
        apart_io_free(&mesh);
    }
    free(corners);
    free(bytes);
}

// The first corner that is not finite is the one that is named, wherever it stands among the others.
static void stl_bad_corner(void** state) {
    (void)state;
    enum { TRIANGLES = 100 };
    char bytes[84 + 50 * TRIANGLES] = {0};
    bytes[80] = TRIANGLES;
    for (size_t i = 0; i < 3 * TRIANGLES; i++) {
        const size_t at = 84 + i / 3 * 50 + (i % 3 + 1) * 12;
        memset(bytes + at + 4, 0xff, 4);
        memset(bytes + 84 + 50 * TRIANGLES - 10, 0xff, 4);
        apart_io_mesh mesh;
        apart_error error = {0};
        char expected[120];
        snprintf(expected, sizeof expected,
                 "a: byte %zu: a corner of triangle %zu is not finite; every coordinate must be", at, i / 3);
        assert_int_equal(parse_copy("a", bytes, sizeof bytes, &mesh, &error), APART_NOT_FINITE);
        assert_string_equal(error.message, expected);
        memset(bytes + at + 4, 0, 4);
    }
}

// ------------------------------------------------------------------------------------------------------ files ----

static void write_points(FILE* file, int count) {
    for (int i = 0; i < count; i++) fprintf(file, "%d %d %d\n", i, 2 * i, 3 * i);
}

static void check_points(const char* path, int count) {
    apart_io_mesh mesh;
    apart_error error = {0};
    assert_int_equal(apart_io_read(path, NULL, &mesh, &error), APART_OK);
    assert_int_equal(mesh.vertex_count, count);
    assert_true(mesh.vertices[count - 1].z == 3 * (count - 1));
    apart_io_free(&mesh);
}

// How far reading is: in order, often, to the end. Given up at each call in turn: no mesh, nothing left (which the
// sanitizers see).
typedef struct watcher {
    int calls, stop_at;
    double last;
} watcher;

static bool watch(double done, void* context) {
    watcher* w = context;
    assert_true(done >= w->last && done <= 1);
    w->last = done;
    return ++w->calls != w->stop_at;
}

static void write_sheet(FILE* file, const char* format) {
    enum { SIDE = 400 };
    const bool obj = !strcmp(format, "obj"), binary = !strcmp(format, "binary");
    const int points = SIDE * SIDE, faces = (SIDE - 1) * (SIDE - 1);
    if (!strcmp(format, "off")) fprintf(file, "OFF\n%d %d 0\n", points, faces);
    if (!obj && strcmp(format, "off") != 0)
        fprintf(file,
                "ply\nformat %s 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\n"
                "element face %d\nproperty list uchar int vertex_indices\nend_header\n",
                binary ? "binary_little_endian" : "ascii", points, faces);
    for (int i = 0; i < points; i++) {
        const float p[3] = {(float)(i % SIDE), (float)(i / SIDE), (float)(i % 7)};
        if (binary)
            fwrite(p, sizeof p, 1, file);
        else
            fprintf(file, "%s%.3f %.3f %.3f\n", obj ? "v " : "", (double)p[0], (double)p[1], (double)p[2]);
    }
    for (int i = 0; i < points - SIDE; i++) {
        const int32_t corner[3] = {i, i + 1, i + SIDE};
        if (i % SIDE == SIDE - 1) continue;
        if (binary) {
            fputc(3, file);
            fwrite(corner, sizeof corner, 1, file);
        } else {
            fprintf(file, "%s %d %d %d\n", obj ? "f" : "3", corner[0] + obj, corner[1] + obj, corner[2] + obj);
        }
    }
}

static void write_stl(FILE* file, bool ascii) {
    enum { FACETS = 60000 };
    const uint32_t count = FACETS;
    char header[80] = "some facets";
    fwrite(ascii ? "solid s\n" : header, ascii ? 8 : sizeof header, 1, file);
    if (!ascii) fwrite(&count, sizeof count, 1, file);
    for (int i = 0; i < FACETS; i++) {
        const float f[12] = {0, 0, 1, (float)i, 0, 0, (float)i + 1, 0, 0, (float)i, 1, 0};
        if (!ascii) {
            fwrite(f, sizeof f, 1, file);
            fwrite("\0", 2, 1, file);
            continue;
        }
        fprintf(file, "facet normal 0 0 1\nouter loop\n");
        for (int k = 3; k < 12; k += 3)
            fprintf(file, "vertex %g %g %g\n", (double)f[k], (double)f[k + 1], (double)f[k + 2]);
        fprintf(file, "endloop\nendfacet\n");
    }
    if (ascii) fprintf(file, "endsolid s\n");
}

static void reading_told(void** state) {
    (void)state;
    static const char* const formats[] = {"obj", "off", "ascii", "binary", "stl", "stl ascii", "points"};
    const char* name = "apart_test_io_told";
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        FILE* file = fopen(name, "wb");
        assert_non_null(file);
        if (!strncmp(formats[i], "stl", 3))
            write_stl(file, formats[i][3] == ' ');
        else if (!strcmp(formats[i], "points"))
            write_points(file, 150000);
        else
            write_sheet(file, formats[i]);
        fclose(file);
        int calls = 0;
        for (int stop_at = 1; calls == 0; stop_at++) {
            watcher w = {.stop_at = stop_at};
            apart_io_options how = {.progress = watch, .progress_context = &w};
            apart_io_mesh mesh;
            apart_error error = {0};
            const apart_status status = apart_io_read(name, &how, &mesh, &error);
            if (status == APART_OK) {
                calls = w.calls;
                assert_true(w.calls == stop_at - 1 && w.last > 0.6);
                apart_io_free(&mesh);
                continue;
            }
            assert_int_equal(status, APART_CANCELLED);
            assert_int_equal(w.calls, stop_at);
            assert_true(!mesh.vertices && !mesh.triangles);
            assert_string_equal(error.message, "apart_test_io_told: reading was cancelled");
        }
        print_message("%-9s told %d times\n", formats[i], calls);
        assert_true(calls >= 4);
    }
    remove(name);
}

// Standard input: first a file, whose size is known, then a pipe, whose size is not.
static void standard_input(void** state) {
    (void)state;
    enum { POINTS = 50000 };
    const char* name = "apart_test_io_fast";
    FILE* file = fopen(name, "wb");
    assert_non_null(file);
    write_points(file, POINTS);
    fclose(file);
    assert_non_null(freopen(name, "rb", stdin));
    check_points("-", POINTS);

    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[0]);
        FILE* out = fdopen(ends[1], "wb");
        if (out) write_points(out, POINTS);
        _exit(!out || fclose(out));
    }
    close(ends[1]);
    assert_true(dup2(ends[0], fileno(stdin)) >= 0);
    clearerr(stdin);
    check_points("-", POINTS);
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    close(ends[0]);
    remove(name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_in_many_spellings),
        cmocka_unit_test(half_numbers),
        cmocka_unit_test(ply_layouts),
        cmocka_unit_test(stl_corners_merge),
        cmocka_unit_test(stl_bad_corner),
        cmocka_unit_test(reading_told),
        cmocka_unit_test(standard_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// The mesh readers: every format gives the same cube, and no prefix or scrambling of a file makes a reader go astray
// (run under the sanitizers for the full meaning of that). Numbers, surveys and files.
#include "io_samples.h"
#include "random.h"
#include "text.h"
#include "weld.h"

// Every format gives the same cube, whatever the file is called.
static void formats_agree(void** state) {
    (void)state;
    sample* samples = make_samples();
    for (size_t k = 0; k < SAMPLES; k++) {
        const sample* s = &samples[k];
        const char* names[] = {s->name, "cube", "cube.xyz"};
        // A list of points and an OBJ need their own name or none; the others are known by their content.
        const size_t tries = k == 0 || k == 2 ? 2 : 3;
        for (size_t n = 0; n < tries; n++) {
            apart_io_mesh mesh;
            apart_error error = {0};
            const apart_status status = parse_copy(names[n], s->bytes, s->size, &mesh, &error);
            if (status != APART_OK) print_error("%s as %s: %s\n", s->format, names[n], error.message);
            assert_int_equal(status, APART_OK);
            check_sane(names[n], status, &mesh, &error);
            assert_string_equal(mesh.format, s->format);
            assert_int_equal(mesh.vertex_count, 8);
            assert_int_equal(mesh.triangle_count, s->triangles);
            apart_io_survey survey;
            assert_int_equal(apart_io_look(&mesh, &survey), APART_OK);
            assert_int_equal(survey.distinct, 8);
            assert_int_equal(survey.unused, 0);
            // Triangles of the same corners, in the same order.
            for (unsigned t = 0; t < s->triangles; t++) {
                unsigned v[3];
                cube_triangle(t, v);
                for (unsigned i = 0; i < 3; i++) {
                    const apart_vec3 p = mesh.vertices[mesh.triangles[3 * t + i]];
                    assert_true(p.x == corner(v[i], 0) && p.y == corner(v[i], 1) && p.z == corner(v[i], 2));
                }
            }
            apart_io_free(&mesh);
        }
    }
    free(samples);
}

// A file cut off at any byte is read or refused, and most cuts are noticed.
static void torn_files(void** state) {
    (void)state;
    sample* samples = make_samples();
    for (size_t k = 0; k < SAMPLES; k++) {
        const sample* s = &samples[k];
        size_t refused = 0;
        for (size_t size = 0; size < s->size; size++) {
            apart_io_mesh mesh;
            apart_error error = {0};
            const apart_status status = parse_copy(s->name, s->bytes, size, &mesh, &error);
            check_sane(s->name, status, &mesh, &error);
            refused += status != APART_OK;
            apart_io_free(&mesh);
        }
        print_message("%-28s %4zu of %4zu prefixes refused\n", s->format, refused, s->size);
        assert_true(refused > 0);
        // Formats that say how much is to come notice every cut but those in the last line of a solid or a face.
        if (k != 0 && k != 2) assert_true(refused + 16 >= s->size);
    }
    free(samples);
}

// Bytes changed at random: still whole or refused.
static void scrambled_files(void** state) {
    (void)state;
    sample* samples = make_samples();
    rng random = rng_seed(7);
    size_t accepted = 0;
    size_t refused = 0;
    for (int round = 0; round < 20000; round++) {
        sample* s = &samples[rng_below(&random, SAMPLES)];
        sample damaged = *s;
        const int changes = rng_between(&random, 1, 4);
        for (int i = 0; i < changes; i++) {
            const int at = rng_below(&random, (int)s->size);
            static const char odd[] = "\0\n\r 0123456789-+.eE/#\\,;\x7f\xff nanif";
            damaged.bytes[at] = odd[rng_below(&random, (int)sizeof odd)];
        }
        apart_io_mesh mesh;
        apart_error error = {0};
        const apart_status status = parse_copy(s->name, damaged.bytes, damaged.size, &mesh, &error);
        check_sane(s->name, status, &mesh, &error);
        if (status == APART_OK)
            accepted++;
        else
            refused++;
        apart_io_free(&mesh);
    }
    print_message("scrambled: %zu read, %zu refused\n", accepted, refused);
    assert_true(accepted > 2000 && refused > 2000);
    free(samples);
}

// What is allowed: old line ends, a byte-order mark, missing words, numbers without a blank, backward indices.
static void lenient_where_it_is_safe(void** state) {
    (void)state;
    static const struct {
        const char* name;
        const char* text;
        size_t vertices, triangles;
    } good[] = {
        {"a.xyz", "1 2 3\r4 5 6\r", 2, 0},
        {"a",
         "\xef\xbb\xbf"
         "1 2 3",
         1, 0},
        {"a.pts", "2\n1 2 3\n4 5 6\n", 2, 0},
        {"a.txt", "+1.5e+2 -.5 3. # note\n  \t\n1,2,3,\n", 2, 0},
        {"a.xyz", "0.00000000000000000000000000000000000000000000000001 1e-320 123456789012345678901234567890\n", 1, 0},
        {"a.off", "3 1\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", 3, 1},
        {"a.off", "OFF3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2", 3, 1},
        {"a", "COFF\n3 1 0\n0 0 0 1 0 0 1\n1 0 0 1 0 0 1\n0 1 0 1 0 0 1\n3 0 1 2\n", 3, 1},
        {"a.obj", "v 0 0 0\nv 1 0 0 1\nv 0 1 0 1 0 0\nf -3 -2 -1\nl 1 2\nvt 0\n", 3, 1},
        {"a.obj", "f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n", 3, 1},
        {"a.obj", "v 0 0\\\n 0\n", 1, 0},
        {"a.ply",
         "ply\rformat ascii 1.0\relement vertex 1\rproperty int x\rproperty char y\rproperty double z\r"
         "end_header\r1 2 3.5\r",
         1, 0},
    };
    for (size_t i = 0; i < COUNT(good); i++) {
        apart_io_mesh mesh;
        apart_error error = {0};
        const apart_status status = parse_copy(good[i].name, good[i].text, strlen(good[i].text), &mesh, &error);
        if (status != APART_OK) print_error("%s\n", error.message);
        assert_int_equal(status, APART_OK);
        assert_int_equal(mesh.vertex_count, good[i].vertices);
        assert_int_equal(mesh.triangle_count, good[i].triangles);
        apart_io_free(&mesh);
    }
}

// The scanner's numbers are those of strtod, to the last bit.
static void numbers_are_exact(void** state) {
    (void)state;
    rng random = rng_seed(3);
    static const char* const formats[] = {"%.17g", "%.6f", "%.3e", "%.9g", "%g", "%.15g", "%.25f"};
    for (int i = 0; i < 200000; i++) {
        char text[400];
        double x = rng_magnitude(&random, -60, 60);
        if (i % 16 == 0) x = rng_magnitude(&random, -1000, 990);
        if (rng_chance(&random, 0.5)) x = -x;
        const int length = snprintf(text, sizeof text, formats[i % (int)COUNT(formats)], x);
        double read = 0;
        if (length >= (int)sizeof text) continue;
        assert_int_equal(text_to_number((word){text, (size_t)length}, &read), NUMBER_OK);
        const double expected = strtod(text, NULL);
        assert_memory_equal(&read, &expected, sizeof read);
    }
    double read = 1;
    assert_int_equal(text_to_number((word){"-0", 2}, &read), NUMBER_OK);
    assert_true(read == 0 && signbit(read));
    static const char* const not [] = {"", "-", ".", "e5", "1e", "1e+", "1.2.3", "0x1p3", "1d5", "1,5", "--1", "1 "};
    for (size_t i = 0; i < COUNT(not ); i++)
        assert_int_equal(text_to_number((word){not [i], strlen(not [i])}, &read), NUMBER_NOT);
    static const char* const infinite[] = {"nan", "-NaN", "inf", "+Infinity", "nan(0x1)", "1.#INF", "-1.#IND"};
    for (size_t i = 0; i < COUNT(infinite); i++)
        assert_int_equal(text_to_number((word){infinite[i], strlen(infinite[i])}, &read), NUMBER_NOT_FINITE);
    static const char* const large[] = {"1e301", "-1e999999999999", "1e309"};
    for (size_t i = 0; i < COUNT(large); i++)
        assert_int_equal(text_to_number((word){large[i], strlen(large[i])}, &read), NUMBER_TOO_LARGE);
}

static apart_io_survey survey_of(const char* text) {
    apart_io_mesh mesh;
    apart_error error = {0};
    apart_io_survey survey;
    assert_int_equal(parse_copy("a.obj", text, strlen(text), &mesh, &error), APART_OK);
    assert_int_equal(apart_io_look(&mesh, &survey), APART_OK);
    apart_io_free(&mesh);
    return survey;
}

// Equal points, stray points.
static void surveys(void** state) {
    (void)state;
#define TETRAHEDRON "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n"
    apart_io_survey s = survey_of(TETRAHEDRON "f 3 1 4\n");
    assert_true(s.distinct == 4 && s.unused == 0);
    // A vertex that is written twice is one, -0 is 0; one that stands in a triangle is used, whatever its twin is.
    s = survey_of(TETRAHEDRON "v -0 1 0\nv 5 5 5\nf 5 1 4\nf 1 3 5\n");
    assert_true(s.distinct == 5 && s.unused == 1);
    s = survey_of(TETRAHEDRON "v 1 0 0\nv 1 0 0\n");
    assert_true(s.distinct == 4 && s.unused == 2);
    // A list of points has no stray ones.
    s = survey_of("v 1 2 3\nv 1 2 3\n");
    assert_true(s.distinct == 1 && s.unused == 0);
    assert_int_equal(apart_io_look(NULL, &s), APART_INVALID);
}

// The table of points against looking at all of them.
static void welding(void** state) {
    (void)state;
    rng random = rng_seed(11);
    enum { POINTS = 5000 };
    apart_vec3* points = calloc(POINTS, sizeof *points);
    assert_non_null(points);
    weld table = {0};
    size_t count = 0;
    for (int i = 0; i < POINTS; i++) {
        const apart_vec3 p = {rng_below(&random, 12), -rng_below(&random, 12), rng_below(&random, 12) * 0x1p-30};
        size_t expected = 0;
        while (expected < count && memcmp(&points[expected], &p, sizeof p) != 0 &&
               !(points[expected].x == p.x && points[expected].y == p.y && points[expected].z == p.z))
            expected++;
        const uint32_t found = weld_find(&table, points, count, p, weld_hash(p));
        assert_int_equal(found, expected);
        if (found == count) points[count++] = p;
    }
    print_message("%zu distinct points of %d\n", count, POINTS);
    assert_true(count > 1000 && count < POINTS);
    weld_free(&table);
    free(points);
}

// Files: one that is there, one that is not, one that is a directory; a name too long for the sentence.
static void files(void** state) {
    (void)state;
    apart_io_mesh mesh;
    apart_error error = {0};
    assert_int_equal(apart_io_read("no/such/file.stl", NULL, &mesh, &error), APART_FILE);
    assert_string_equal(error.message, "no/such/file.stl: cannot be read: No such file or directory");
    assert_int_equal(apart_io_read("/", NULL, &mesh, &error), APART_FILE);
    assert_string_equal(error.message, "/: cannot be read: Is a directory");
    assert_int_equal(apart_io_read(NULL, NULL, &mesh, &error), APART_INVALID);

    const char* name = "apart_test_io_points";
    FILE* file = fopen(name, "wb");
    assert_non_null(file);
    for (int i = 0; i < 20000; i++) fprintf(file, "%d %d %d\n", i, 2 * i, 3 * i);
    fclose(file);
    assert_int_equal(apart_io_read(name, NULL, &mesh, &error), APART_OK);
    assert_int_equal(mesh.vertex_count, 20000);
    assert_true(mesh.vertices[19999].z == 59997);
    apart_io_free(&mesh);
    assert_int_equal(apart_io_read(name, &(apart_io_options){.points = true}, &mesh, &error), APART_OK);
    apart_io_free(&mesh);
    remove(name);

    char longer[400];
    memset(longer, 'n', sizeof longer);
    memcpy(longer + 395, ".xyz", 5);
    assert_int_equal(parse_copy(longer, "1 2 q\n", 6, &mesh, &error), APART_FILE);
    assert_memory_equal(error.message, "...nnn", 6);
    assert_non_null(strstr(error.message, ".xyz:1: expected the z coordinate, found 'q'"));
    // Points are points, even if they could be something else.
    assert_int_equal(apart_io_parse("a.off", "OFF\n", 4, &(apart_io_options){.points = true}, &mesh, &error),
                     APART_FILE);
    assert_string_equal(error.message, "a.off:1: expected the x coordinate, found 'OFF'");
    assert_int_equal(apart_io_parse("a", NULL, 0, &(apart_io_options){.points = true}, &mesh, &error), APART_EMPTY);
    apart_io_free(&mesh);
    apart_io_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_agree),     cmocka_unit_test(torn_files),
        cmocka_unit_test(scrambled_files),   cmocka_unit_test(lenient_where_it_is_safe),
        cmocka_unit_test(numbers_are_exact), cmocka_unit_test(surveys),
        cmocka_unit_test(welding),           cmocka_unit_test(files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Files as exporters write them: what is odd but whole is read with a warning, and refused where reading is strict.
// Scale, streams without end, area and volume, and bodies from files.
#define _XOPEN_SOURCE 700
#include "io_samples.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define FACET(z) "facet normal 0 0 1\nouter loop\nvertex 0 0 " z "\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
#define TRIANGLE "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
#define PLY_HEAD                                                                                                       \
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"                  \
    "element face 1\nproperty list uchar int vertex_index\nend_header\n0 0 0\n1 0 0\n0 1 0\n"

// `odd` is what the warning says after the name; "" = nothing.
static const struct odd_file {
    const char* name;
    const char* text;
    size_t vertices, triangles;
    const char* odd;
} odd_files[] = {
    // Blanks are allowed anywhere in ASCII STL, and the mark of UTF-8 changes nothing.
    {"a.stl", "  \t solid a\n" FACET("1") "endsolid a\n", 3, 1, ""},
    {"a.stl", "\n\r\n\nsolid a\n" FACET("1") "endsolid a\n", 3, 1, ""},
    {"a", "\xef\xbb\xbfsolid a\n" FACET("1") "endsolid a\n", 3, 1, ""},
    {"a.stl", "\xef\xbb\xbf\n solid a\n" FACET("1") "endsolid a\n", 3, 1, ""},
    // OBJ.
    {"a.obj", "3 1\n" TRIANGLE "f 1 2 3\n", 3, 1,
     "line 1 holds numbers only, where a keyword should be; it is not read"},
    {"a", "# made by hand\n\n3\n" TRIANGLE "f 1 2 3\n", 3, 1,
     "line 3 holds numbers only, where a keyword should be; it is not read"},
    {"a.obj", TRIANGLE "f 1 2\nf 1 2 3\n", 3, 1, "1 face of fewer than 3 corners left out"},
    {"a.obj", TRIANGLE "f 1 2 3\nf 1\nf 2 3\nf 3 2\n", 3, 1, "3 faces of fewer than 3 corners left out"},
    {"a.obj", "3 2\n" TRIANGLE "f 1 2 3\nf 1 2\n", 3, 1,
     "line 1 holds numbers only, where a keyword should be; it is not read; 1 face of fewer than 3 corners left out"},
    // OFF and PLY.
    {"a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 2 1 0\n", 3, 1,
     "line 7 and what follows are more than the header counts, and not read"},
    {"a.off", "OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n3 0 1 2\n", 3, 1, "1 face of fewer than 3 corners left out"},
    {"a.ply", PLY_HEAD "3 0 1 2\n3 2 1 0\n", 3, 1, "8 bytes after the last item that the header counts are not read"},
    {"a.ply", PLY_HEAD "3 0 1 2\n\n \n", 3, 1, ""},
    // Points.
    {"a.csv", "x,y,z\n1.5,2.5,3.5\n", 1, 0, "line 1 names the columns and is not read"},
    {"a.csv", "\"X\";\"Y\";\"Z\";\"R\"\n1;2;3;4\n", 1, 0, "line 1 names the columns and is not read"},
    {"a.asc", "//X Y Z Intensity\n1 2 3 4\n", 1, 0, "line 1 names the columns and is not read"},
    {"a", "# cloud\nx(m) y(m) z(m)\n1 2 3\n", 1, 0, "line 2 names the columns and is not read"},
    {"a.pts", "1\n1 2 3\n4 5 6\n", 1, 0, "line 3 and what follows are more than the first line counts, and not read"},
    // Commas that are no decimal signs.
    {"a.csv", "1.5,2.5,3.5\n", 1, 0, ""},
    {"a.csv", "1,2,3\n4,5,6,\n", 2, 0, ""},
    {"a.csv", "1, 2, 3 # 1,5 2\n", 1, 0, ""},
    {"a.csv", "1,2,3,255,0,0\n1.5,2,3,255,0,0\n", 2, 0, ""},
    {"a.csv", "1,2,3,4\n1.,2,3,4\n", 2, 0, ""},
    {"a.csv", "1, 2, 3, 4, 5, 6\n", 1, 0, ""},
    {"a.csv", "1,2,3,red\n", 1, 0, ""},
    {"a.csv", "1;2;3\n", 1, 0, ""},
};

static apart_status parse_with(const apart_io_options* how, const char* name, const char* bytes, size_t size,
                               apart_io_mesh* mesh, apart_error* error) {
    char* copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    const apart_status status = apart_io_parse(name, copy, size, how, mesh, error);
    free(copy);
    return status;
}

// Read with a warning, or without one; strict reading refuses what has one.
static void check_odd(const char* name, const char* bytes, size_t size, const char* odd, size_t triangles) {
    apart_io_mesh mesh;
    apart_error error = {.message = "old"};
    char expected[240];
    const apart_status status = parse_copy(name, bytes, size, &mesh, &error);
    if (status != APART_OK) print_error("%s\n", error.message);
    assert_int_equal(status, APART_OK);
    check_sane(name, status, &mesh, &error);
    assert_int_equal(mesh.triangle_count, triangles);
    snprintf(expected, sizeof expected, "%s%s%s", *odd ? name : "", *odd ? ": " : "", odd);
    assert_string_equal(error.message, expected);
    assert_int_equal(error.status, APART_OK);
    apart_io_free(&mesh);

    const apart_io_options strict = {.strict = true};
    assert_int_equal(parse_with(&strict, name, bytes, size, &mesh, &error), *odd ? APART_FILE : APART_OK);
    check_sane(name, error.status, &mesh, &error);
    if (*odd) assert_non_null(strstr(error.message, "; refused, since reading is strict"));
    apart_io_free(&mesh);
    // Without anyone to tell.
    assert_int_equal(parse_with(&strict, name, bytes, size, &mesh, NULL), *odd ? APART_FILE : APART_OK);
    apart_io_free(&mesh);
}

static void odd_files_are_read(void** state) {
    (void)state;
    for (size_t i = 0; i < COUNT(odd_files); i++) {
        const struct odd_file* f = &odd_files[i];
        check_odd(f->name, f->text, strlen(f->text), f->odd, f->triangles);
    }
}

// A few bytes after a binary file, and zeros that fill a block; a whole triangle more than an STL counts is refused.
static void bytes_after_binary(void** state) {
    (void)state;
    sample* samples = make_samples();
    sample* stl = &samples[6];
    const size_t size = stl->size;
    put(stl, "odd", 3);
    check_odd("a.stl", stl->bytes, stl->size, "3 bytes after the last triangle are not read", 12);
    check_odd("a", stl->bytes, stl->size, "3 bytes after the last triangle are not read", 12);
    memset(stl->bytes + size, 0, 1024 - size);
    check_odd("a.stl", stl->bytes, 1024, "340 bytes after the last triangle are not read", 12);
    stl->bytes[1000] = 1;
    apart_io_mesh mesh;
    apart_error error;
    assert_int_equal(parse_copy("a.stl", stl->bytes, 1024, &mesh, &error), APART_FILE);
    // Binary PLY.
    put(&samples[4], "rest", 4);
    check_odd("a.ply", samples[4].bytes, samples[4].size,
              "4 bytes after the last item that the header counts are not read", 12);
    free(samples);
}

// --------------------------------------------------------------------------------------------------------- scale ----

static apart_status parse_scaled(double x, double y, double z, apart_io_mesh* mesh, apart_error* error) {
    static const char text[] = TRIANGLE "v 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    return parse_with(&(apart_io_options){.scale = {x, y, z}}, "a.obj", text, sizeof text - 1, mesh, error);
}

static apart_io_survey survey_scaled(double x, double y, double z) {
    apart_io_mesh mesh;
    apart_io_survey s;
    assert_int_equal(parse_scaled(x, y, z, &mesh, NULL), APART_OK);
    assert_true(mesh.vertices[1].x == (x == 0 ? 1 : x) && mesh.vertices[3].z == (z == 0 ? 1 : z));
    assert_int_equal(apart_io_look(&mesh, &s), APART_OK);
    apart_io_free(&mesh);
    return s;
}

static bool near(double x, double y) { return fabs(x - y) <= 1e-15 * fabs(y); }

// Factors of either sign: the outside stays outside. Volume and area at any size that a double can tell.
static void scale_and_volume(void** state) {
    (void)state;
    static const double factors[][3] = {{0, 0, 0}, {2, 2, 2},  {-1, 1, 1}, {-1, -1, 1},           {-3, -2, -1},
                                        {1, 5, 0}, {1, 1, -7}, {1, 1, 1},  {1e-90, -1e-90, 1e-90}};
    for (size_t i = 0; i < COUNT(factors); i++) {
        const double* f = factors[i];
        const apart_io_survey s = survey_scaled(f[0], f[1], f[2]);
        double volume = 1.0 / 6;
        for (int k = 0; k < 3; k++) volume *= f[k] == 0 ? 1 : fabs(f[k]);
        assert_true(s.outward == 1 && s.inward == 0 && s.twisted_edges == 0);
        assert_true(near(s.volume, volume));
    }
    const double side = (3 + sqrt(3)) / 2;
    assert_true(near(survey_scaled(1, 1, 1).area, side));
    assert_true(near(survey_scaled(1e140, 1e140, 1e140).area, side * 1e280));
    assert_true(near(survey_scaled(1e-140, 1e-140, 1e-140).area, side * 1e-280));
    assert_true(isinf(survey_scaled(1e150, 1e150, 1e150).volume));
    assert_int_equal(survey_scaled(1e150, 1e150, 1e150).outward, 1);
    assert_true(near(survey_scaled(1, 1, 1e150).volume, 1e150 / 6));
    assert_int_equal(survey_scaled(1, 1, 1e150).outward, 1);
    assert_int_equal(survey_scaled(1e-300, 1e-300, 1e-300).outward, 1);

    apart_io_mesh mesh;
    apart_error error;
    assert_int_equal(parse_scaled(NAN, 1, 1, &mesh, &error), APART_NOT_FINITE);
    assert_int_equal(parse_scaled(1, INFINITY, 1, &mesh, &error), APART_NOT_FINITE);
    assert_int_equal(parse_scaled(1, 1, 1e301, &mesh, &error), APART_OUT_OF_RANGE);
    assert_string_equal(error.message, "a.obj: a coordinate times its scale is larger than 1e300");
    assert_null(mesh.vertices);
}

static apart_io_survey survey_text(const char* text) {
    apart_io_mesh mesh;
    apart_io_survey s;
    apart_error error;
    assert_int_equal(parse_copy("a.obj", text, strlen(text), &mesh, &error), APART_OK);
    assert_int_equal(apart_io_look(&mesh, &s), APART_OK);
    apart_io_free(&mesh);
    return s;
}

// A tetrahedron and a smaller one in it or beside it, turned either way; a face turned against the others; open ones.
static void orientation(void** state) {
    (void)state;
#define OUTWARD "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
#define LARGE "v 0 0 0\nv 6 0 0\nv 0 6 0\nv 0 0 6\n"
#define SMALL "v 1 1 1\nv 2 1 1\nv 1 2 1\nv 1 1 2\n"
    apart_io_survey s = survey_text(LARGE OUTWARD SMALL "f 5 7 6\nf 5 6 8\nf 6 7 8\nf 7 5 8\n");
    assert_true(s.outward == 2 && s.inward == 0 && near(s.volume, 36 + 1.0 / 6));
    s = survey_text(LARGE OUTWARD SMALL "f 7 5 6\nf 6 5 8\nf 7 6 8\nf 5 7 8\n");
    assert_true(s.outward == 1 && s.inward == 1 && s.twisted_edges == 0 && near(s.volume, 36 - 1.0 / 6));
    s = survey_text(LARGE "f 3 1 2\nf 2 1 4\nf 3 2 4\nf 1 3 4\n");
    assert_true(s.outward == 0 && s.inward == 1 && near(s.volume, -36));
    s = survey_text(LARGE "f 3 1 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    assert_int_equal(s.twisted_edges, 3);
    s = survey_text(LARGE "f 1 2 4\nf 2 3 4\nf 3 1 4\n");
    assert_int_equal(s.twisted_edges, 0);
    // A sheet with two sides encloses nothing.
    s = survey_text("v 0.1 0.2 0.3\nv 1.7 0.1 0.9\nv 0.3 1.1 0.7\nf 1 2 3\nf 3 2 1\n");
    assert_true(s.outward == 0 && s.inward == 0 && s.twisted_edges == 0);
}

// ------------------------------------------------------------------------------------------------ files, streams ----

// Reads a pipe to which a child writes these bytes, once or for ever.
static apart_status read_pipe(const char* bytes, size_t size, bool endless, const apart_io_options* how,
                              apart_io_mesh* mesh, apart_error* error) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[0]);
        do {
            size_t done = 0;
            while (done < size) {
                const ssize_t written = write(ends[1], bytes + done, size - done);
                if (written <= 0) _exit(0);
                done += (size_t)written;
            }
        } while (endless);
        _exit(0);
    }
    close(ends[1]);
    char path[40];
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    const apart_status status = apart_io_read(path, how, mesh, error);
    close(ends[0]);
    waitpid(child, NULL, 0);
    // The sentence without the name.
    const char* sentence = strchr(error->message, ' ');
    if (sentence) memmove(error->message, sentence + 1, strlen(sentence));
    return status;
}

// Reads lines that never end.
static apart_status read_endless(const char* line, const apart_io_options* how, apart_error* error) {
    char page[4000] = {0};
    while (strlen(page) + strlen(line) < sizeof page) strcat(page, line);
    apart_io_mesh mesh;
    const apart_status status = read_pipe(page, strlen(page), true, how, &mesh, error);
    assert_null(mesh.vertices);
    return status;
}

static void streams_without_end(void** state) {
    (void)state;
    apart_error error;
    apart_io_mesh mesh;
    const char* none = "not a format that is read here; use STL, OBJ, PLY, OFF or lines of x y z";
    char expected[200];
    assert_int_equal(apart_io_read("/dev/zero", NULL, &mesh, &error), APART_FILE);
    snprintf(expected, sizeof expected, "/dev/zero: %s", none);
    assert_string_equal(error.message, expected);
    assert_int_equal(apart_io_read("/dev/zero", &(apart_io_options){.points = true}, &mesh, &error), APART_FILE);
    assert_string_equal(error.message, expected);
    assert_int_equal(apart_io_read("/dev/urandom", NULL, &mesh, &error), APART_FILE);

    const apart_io_options some = {.limit = 1000000};
    assert_int_equal(read_endless("1 2 3\n", &some, &error), APART_FILE);
    assert_string_equal(error.message, "no end after 1000000 bytes; put what is to be read into a file");
    assert_int_equal(read_endless("# a long story\n", &some, &error), APART_FILE);
    assert_string_equal(error.message, "no end after 1000000 bytes; put what is to be read into a file");
    assert_int_equal(read_endless("ISO-10303-21;\n", NULL, &error), APART_UNSUPPORTED);
    assert_int_equal(read_endless("yes\n", NULL, &error), APART_FILE);
    assert_string_equal(error.message, none);
}

// A binary STL through a pipe that ends with the first look at it, a few bytes after its last triangle, or later.
static void binary_stl_through_a_pipe(void** state) {
    (void)state;
    enum { LOOK = 1 << 16, TRIANGLES = (LOOK - 84) / 50 };
    for (size_t size = LOOK - 2; size <= LOOK + 48; size++) {
        const size_t count = size < 84 + 50 * (TRIANGLES + 1) ? TRIANGLES : TRIANGLES + 1;
        char* bytes = calloc(1, size);
        assert_non_null(bytes);
        for (size_t i = 0; i < 4; i++) bytes[80 + i] = (char)(count >> 8 * i & 0xff);
        apart_io_mesh mesh;
        apart_error error;
        assert_int_equal(read_pipe(bytes, size, false, NULL, &mesh, &error), APART_OK);
        assert_int_equal(mesh.triangle_count, count);
        apart_io_free(&mesh);
        free(bytes);
    }
}

// A socket, a directory, an empty file: a sentence each.
static void no_files(void** state) {
    (void)state;
    apart_error error;
    apart_io_mesh mesh;
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "apart_test_socket"};
    const int s = socket(AF_UNIX, SOCK_STREAM, 0);
    unlink(address.sun_path);
    if (s >= 0 && bind(s, (const struct sockaddr*)&address, sizeof address) == 0) {
        assert_int_equal(apart_io_read(address.sun_path, NULL, &mesh, &error), APART_FILE);
        assert_string_equal(error.message, "apart_test_socket: cannot be read: it is a socket, not a file");
        unlink(address.sun_path);
    }
    if (s >= 0) close(s);
    assert_int_equal(apart_io_read("/", NULL, &mesh, &error), APART_FILE);
    assert_string_equal(error.message, "/: cannot be read: Is a directory");
    assert_int_equal(apart_io_read("/dev/null", NULL, &mesh, &error), APART_EMPTY);
    assert_string_equal(error.message, "/dev/null: the file is empty");
}

// -------------------------------------------------------------------------------------------------------- bodies ----

typedef struct told {
    double last;
    size_t times;
} told;

static bool listen_to(double done, void* context) {
    told* t = context;
    assert_true(done >= t->last && done <= 1);
    t->last = done;
    t->times++;
    return true;
}

static bool give_up(double done, void* context) {
    (void)context;
    return done < 0.5;
}

static void bodies_from_files(void** state) {
    (void)state;
    const char* name = "apart_test_body.obj";
    FILE* file = fopen(name, "wb");
    assert_non_null(file);
    fputs("v 9 9 9\n" LARGE "f 2 4 3\nf 2 3 5\nf 3 4 5\nf 4 2 5\nf 1 2\n", file);
    fclose(file);

    apart_error error;
    apart_shape_info info;
    told t = {0};
    apart_shape* shape =
        apart_io_load(name, &(apart_io_options){.progress = listen_to, .progress_context = &t}, &error);
    assert_non_null(shape);
    assert_true(t.times > 1 && t.last > 0.3);
    assert_string_equal(error.message, "apart_test_body.obj: 1 face of fewer than 3 corners left out");
    assert_int_equal(apart_shape_describe(shape, &info), APART_OK);
    assert_true(info.triangles == 4 && info.solids == 1);
    apart_shape_release(shape);

    // The hull is that of the points in use; the scale and the radius count.
    apart_io_options how = {.hull = true, .scale = {1, 1, 0.5}, .radius = 1};
    shape = apart_io_load(name, &how, &error);
    assert_non_null(shape);
    assert_int_equal(apart_shape_describe(shape, &info), APART_OK);
    assert_true(info.vertices == 4 && info.triangles == 0 && info.radius == 1);
    assert_true(fabs(info.upper.x - 7) < 1e-12 && fabs(info.upper.z - 4) < 1e-12);
    apart_shape_release(shape);
    apart_io_mesh mesh;
    uint32_t used[5];
    assert_int_equal(apart_io_read(name, NULL, &mesh, NULL), APART_OK);
    assert_int_equal(apart_io_used(&mesh, used), 4);
    for (uint32_t i = 0; i < 4; i++) assert_int_equal(used[i], i + 1);
    apart_io_free(&mesh);

    assert_null(apart_io_load(name, &(apart_io_options){.strict = true}, &error));
    assert_int_equal(error.status, APART_FILE);
    assert_null(apart_io_load(name, &(apart_io_options){.radius = -1}, &error));
    assert_int_equal(error.status, APART_INVALID);
    assert_memory_equal(error.message, name, strlen(name));
    assert_null(apart_io_load(name, &(apart_io_options){.progress = give_up}, &error));
    assert_int_equal(error.status, APART_CANCELLED);
    assert_null(apart_io_load("no/such.stl", NULL, &error));
    assert_string_equal(error.message, "no/such.stl: cannot be read: No such file or directory");
    assert_null(apart_io_load(NULL, NULL, &error));
    assert_int_equal(error.status, APART_INVALID);
    assert_null(apart_io_load(NULL, NULL, NULL));
    assert_null(apart_io_shape(&mesh, NULL, &error));
    assert_int_equal(error.status, APART_INVALID);
    remove(name);
}

int main(void) {
    signal(SIGPIPE, SIG_DFL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(odd_files_are_read),        cmocka_unit_test(bytes_after_binary),
        cmocka_unit_test(scale_and_volume),          cmocka_unit_test(orientation),
        cmocka_unit_test(streams_without_end),       cmocka_unit_test(no_files),
        cmocka_unit_test(binary_stl_through_a_pipe), cmocka_unit_test(bodies_from_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

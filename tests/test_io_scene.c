// Scene files: what each kind of shape, pose and motion becomes; names, groups and excluded pairs; what is wrong, and
// where; hundreds of damaged files; memory that fails; objects of an OBJ file.
#define _XOPEN_SOURCE 700
#include "allocation_count.h"

#include "io_samples.h"
#include "random.h"

#include <unistd.h>

static apart_io_scene* parse(const char* text, apart_error* error) {
    return apart_io_scene_parse(APART_TEST_DATA "/a.json", text, strlen(text), NULL, error);
}

static apart_io_scene* must_parse(const char* text) {
    apart_error error;
    apart_io_scene* scene = parse(text, &error);
    if (!scene) print_error("%s\n", error.message);
    assert_non_null(scene);
    assert_string_equal(error.message, "");
    return scene;
}

static apart_scene_body body_of(const apart_io_scene* scene, size_t i) {
    apart_scene_body out;
    assert_int_equal(scene->bodies[i].id, i);
    assert_int_equal(apart_scene_get(scene->scene, scene->bodies[i].id, &out), APART_OK);
    return out;
}

// ------------------------------------------------------------------------------------------------------ shapes ----

// Each kind, and the box around it.
static const struct shape_case {
    const char* kind;
    const char* text;
    apart_vec3 lower, upper;
} shape_cases[] = {
    {"box", "{\"half_extents\": [1, 2, 3]}", {-1, -2, -3}, {1, 2, 3}},
    {"box", "{\"half_extents\": [1, 2, 3], \"radius\": 1}", {-2, -3, -4}, {2, 3, 4}},
    {"sphere", "{\"radius\": 2}", {-2, -2, -2}, {2, 2, 2}},
    {"capsule", "{\"half_height\": 2, \"radius\": 1}", {-1, -1, -3}, {1, 1, 3}},
    {"cylinder", "{\"half_height\": 2, \"radius\": 1}", {-1, -1, -2}, {1, 1, 2}},
    {"cone", "{\"half_height\": 2, \"radius\": 1}", {-1, -1, -2}, {1, 1, 2}},
    {"ellipsoid", "{\"semi_axes\": [1, 2, 3]}", {-1, -2, -3}, {1, 2, 3}},
    {"points", "{\"vertices\": [[0, 0, 0], [1, 0, 0], [0, 2, 0]], \"radius\": 1}", {-1, -1, -1}, {2, 3, 1}},
    {"mesh", "{\"vertices\": [[0, 0, 0], [1, 0, 0], [0, 2, 0]], \"triangles\": [[0, 1, 2]]}", {0, 0, 0}, {1, 2, 0}},
    {"file", "\"bracket.stl\"", {0, -0.5, 0}, {2, 0.5, 1.5}},
    {"file", "{\"path\": \"bracket.stl\", \"scale\": [2, 1, -1], \"hull\": true}", {0, -0.5, -1.5}, {4, 0.5, 0}},
    {"union",
     "[{\"shape\": {\"sphere\": {\"radius\": 1}}}, {\"shape\": \"ball\", \"pose\": {\"position\": [5, 0, 0]}}]",
     {-1, -2, -2},
     {7, 2, 2}},
    {"halfspace",
     "{\"normal\": [0, 0, 2], \"offset\": 2}",
     {-INFINITY, -INFINITY, -INFINITY},
     {INFINITY, INFINITY, INFINITY}},
    {"ground", "{\"height\": 1}", {-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}},
    {"ground", "{}", {-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}},
};

static void assert_near(double x, double y) {
    if (!(x == y || fabs(x - y) <= 1e-9)) fail_msg("%.17g is not %.17g", x, y);
}

static void assert_vector(apart_vec3 p, apart_vec3 q) {
    assert_near(p.x, q.x);
    assert_near(p.y, q.y);
    assert_near(p.z, q.z);
}

static void test_shapes(void** state) {
    (void)state;
    for (size_t i = 0; i < COUNT(shape_cases); i++) {
        const struct shape_case* c = &shape_cases[i];
        char text[700];
        snprintf(text, sizeof text,
                 "{\"shapes\": {\"ball\": {\"sphere\": {\"radius\": 2}}, \"it\": {\"%s\": %s}},"
                 "\"bodies\": [{\"name\": \"a\", \"shape\": \"it\"}, {\"name\": \"b\", \"shape\": {\"%s\": %s}}]}",
                 c->kind, c->text, c->kind, c->text);
        apart_io_scene* scene = must_parse(text);
        const apart_scene_body a = body_of(scene, 0), b = body_of(scene, 1);
        apart_shape_info info;
        assert_int_equal(scene->count, 2);
        assert_ptr_equal(a.shape, b.shape); // made once
        assert_string_equal(scene->bodies[0].kind, c->kind);
        assert_true(scene->bodies[0].geometry == scene->bodies[1].geometry);
        assert_true(!strcmp(c->kind, "file") == (scene->bodies[0].source != NULL));
        assert_int_equal(apart_shape_describe(a.shape, &info), APART_OK);
        assert_vector(info.lower, c->lower);
        assert_vector(info.upper, c->upper);
        apart_io_scene_release(scene);
    }
}

// Equal triangles in another order, with other numbers, or from another corner on, are the same geometry.
static void test_geometry(void** state) {
    (void)state;
    apart_io_scene* s = must_parse(
        "{\"bodies\": ["
        "{\"name\": \"a\", \"shape\": {\"mesh\": {\"vertices\": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], \"triangles\": "
        "[[0,1,2],[1,2,3]]}}},"
        "{\"name\": \"b\", \"shape\": {\"mesh\": {\"vertices\": [[0,0,1],[0,1,0],[1,0,0],[-0.0,0,0],[9,9,9]], "
        "\"triangles\": [[1,0,2],[3,2,1]]}}},"
        "{\"name\": \"c\", \"shape\": {\"mesh\": {\"vertices\": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], \"triangles\": "
        "[[0,2,1],[1,2,3]]}}},"
        "{\"name\": \"d\", \"shape\": {\"box\": {\"half_extents\": [1, 1, 1]}}},"
        "{\"name\": \"e\", \"shape\": {\"box\": {\"half_extents\": [1.0, 1e0, 1], \"radius\": 0}}},"
        "{\"name\": \"f\", \"shape\": {\"ellipsoid\": {\"semi_axes\": [1, 1, 1]}}}]}");
    const apart_io_body* b = s->bodies;
    assert_true(b[0].geometry == b[1].geometry);
    assert_true(b[0].geometry != b[2].geometry);
    assert_true(b[3].geometry == b[4].geometry);
    assert_true(b[3].geometry != b[5].geometry);
    apart_io_scene_release(s);
}

// ---------------------------------------------------------------------------------------------- poses, motions ----

static void test_poses(void** state) {
    (void)state;
    // A quarter turn about z, then (1, 2, 3): all forms are the same pose.
    static const char* const forms[] = {"{\"position\": [1, 2, 3], \"quat_wxyz\": [1, 0, 0, 1]}",
                                        "{\"position\": [1, 2, 3], \"quat_xyzw\": [0, 0, 5, 5]}",
                                        "{\"position\": [1, 2, 3], \"rpy\": [0, 0, 1.5707963267948966]}",
                                        "{\"position\": [1, 2, 3], \"rpy_degrees\": [0, 0, 90]}",
                                        "{\"matrix\": [0, -1, 0, 1,  1, 0, 0, 2,  0, 0, 1, 3,  0, 0, 0, 1]}",
                                        "{\"matrix\": [[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]]}"};
    const double expected[3][3] = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};
    for (size_t i = 0; i < COUNT(forms); i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "{\"bodies\": [{\"name\": \"a\", \"shape\": {\"sphere\": {\"radius\": 1}}, \"pose\": %s}]}", forms[i]);
        apart_io_scene* scene = must_parse(text);
        const apart_scene_body a = body_of(scene, 0);
        for (int k = 0; k < 9; k++) assert_near(a.pose.rotation.m[k / 3][k % 3], expected[k / 3][k % 3]);
        assert_vector(a.pose.translation, (apart_vec3){1, 2, 3});
        apart_io_scene_release(scene);
    }
}

#define BALL "\"shape\": {\"sphere\": {\"radius\": 1}}"

static void test_motions(void** state) {
    (void)state;
    apart_io_scene* s = must_parse(
        "{\"bodies\": [{\"name\": \"still\", " BALL ", \"motion\": {\"still\": {}}},"
        "{\"name\": \"slerp\", " BALL ", \"pose\": {\"position\": [1, 0, 0]}, \"motion\": {\"slerp\": {\"end\": "
        "{\"position\": [3, 0, 0]}, \"pivot\": [0, 1, 0]}}},"
        "{\"name\": \"nlerp\", " BALL ", \"motion\": {\"nlerp\": {\"end\": {\"position\": [0, 4, 0]}}}},"
        "{\"name\": \"velocity\", " BALL
        ", \"motion\": {\"velocity\": {\"linear\": [0, 0, 6], \"angular\": [7, 0, 0]}}},"
        "{\"name\": \"keys\", " BALL
        ", \"motion\": {\"keys\": {\"poses\": [{\"time\": 0, \"pose\": {\"position\": [8, 0, 0]}},"
        "{\"time\": 0.5, \"pose\": {\"position\": [9, 0, 0]}}, {\"time\": 1, \"pose\": {}}]}}}]}");
    static const struct {
        apart_motion_kind kind;
        apart_vec3 begin, middle;
    } expected[] = {{APART_MOTION_SLERP, {1, 0, 0}, {2, 0, 0}},
                    {APART_MOTION_NLERP, {0, 0, 0}, {0, 2, 0}},
                    {APART_MOTION_VELOCITY, {0, 0, 0}, {0, 0, 3}},
                    {APART_MOTION_KEYS, {8, 0, 0}, {9, 0, 0}}};
    assert_int_equal(s->motion_count, 4);
    assert_null(s->bodies[0].motion);
    for (size_t i = 0; i < 4; i++) {
        const apart_motion* m = &s->motions[i].motion;
        apart_pose pose;
        assert_int_equal(s->motions[i].id, i + 1);
        assert_ptr_equal(s->bodies[i + 1].motion, m);
        assert_int_equal(m->kind, expected[i].kind);
        assert_int_equal(apart_motion_pose(m, 0.5, &pose), APART_OK);
        assert_vector(pose.translation, expected[i].middle);
        assert_vector(body_of(s, i + 1).pose.translation, expected[i].begin);
    }
    assert_vector(s->motions[0].motion.pivot, (apart_vec3){0, 1, 0});
    apart_io_scene_release(s);
}

// --------------------------------------------------------------------------------------- groups and exclusions ----

static bool note_pair(const apart_scene_pair* pair, void* context) {
    char* seen = context;
    const size_t used = strlen(seen);
    snprintf(seen + used, 100 - used, "%u%u ", pair->a, pair->b);
    return true;
}

static void assert_pairs(const char* rest, const char* expected) {
    char text[900], seen[100] = "";
    snprintf(text, sizeof text,
             "{\"bodies\": [{\"name\": \"0\", " BALL ", \"group\": \"robot\"}, {\"name\": \"1\", " BALL
             ", \"group\": [\"robot\", \"tool\"]}, {\"name\": \"2\", " BALL
             ", \"group\": \"world\"}, {\"name\": \"3\", " BALL ", \"group\": \"other\"}, {\"name\": \"4\", " BALL
             "}]%s}",
             rest);
    apart_io_scene* s = must_parse(text);
    assert_int_equal(apart_scene_within(s->scene, 1, NULL, 1, note_pair, seen), APART_OK);
    assert_string_equal(seen, expected);
    assert_int_equal(s->bodies[1].group_count, 2);
    assert_string_equal(s->bodies[1].groups[1], "tool");
    apart_io_scene_release(s);
}

// A body without a group is compared with all.
static void test_pairs(void** state) {
    (void)state;
    assert_pairs("", "01 02 03 04 12 13 14 23 24 34 ");
    assert_pairs(", \"compare\": []", "04 14 24 34 ");
    assert_pairs(", \"compare\": [[\"robot\", \"world\"]]", "02 04 12 14 24 34 ");
    assert_pairs(", \"compare\": [[\"tool\", \"other\"], [\"robot\", \"robot\"]]", "01 04 13 14 24 34 ");
    assert_pairs(", \"exclude\": [[\"0\", \"1\"], [\"4\", \"2\"]]", "02 03 04 12 13 14 23 34 ");
    assert_pairs(", \"compare\": [[\"robot\", \"world\"]], \"exclude\": [[\"0\", \"2\"]]", "04 12 14 24 34 ");
}

// ----------------------------------------------------------------------------------------------- what is wrong ----

static const char good[] =
    "{\n"
    "  \"shapes\": {\n"
    "    \"handle\": {\"cylinder\": {\"half_height\": 1, \"radius\": 0.1}},\n"
    "    \"hammer\": {\"union\": [{\"shape\": \"handle\"}, {\"shape\": {\"box\": {\"half_extents\": [1, 1, 1]}}}]},\n"
    "    \"bracket\": {\"file\": {\"path\": \"bracket.stl\", \"scale\": 0.5}}\n"
    "  },\n"
    "  \"compare\": [[\"tool\", \"world\"]],\n"
    "  \"bodies\": [\n"
    "    {\"name\": \"one\", \"shape\": \"hammer\", \"group\": \"tool\", \"pose\": {\"position\": [3, 0, 0], \"rpy\": "
    "[0, 0, 1]},\n"
    "     \"motion\": {\"slerp\": {\"end\": {\"position\": [0, 0, 0]}}}},\n"
    "    {\"name\": \"two\", \"shape\": \"bracket\", \"group\": [\"world\"], \"margin\": 0.1},\n"
    "    {\"name\": \"\xc3\xa9\", \"shape\": {\"mesh\": {\"vertices\": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "
    "\"triangles\": [[0, 1, 2]]}},\n"
    "     \"motion\": {\"keys\": {\"poses\": [{\"time\": 0, \"pose\": {}}, {\"time\": 1, \"pose\": {\"quat_wxyz\": [1, "
    "0, 0, 1]}}]}}}\n"
    "  ],\n"
    "  \"exclude\": [[\"one\", \"two\"]]\n"
    "}\n";

// `from` in the good file becomes `to`, in which @ stands in front of the place that the sentence should name. Without
// a sentence: any. Where Jansson finds an error in the syntax, it names the end of what it read.
static const struct slip {
    const char *from, *to, *sentence;
} slips[] = {
    {"\"exclude\"", "exclude@", "string or '}' expected near 'exclude'"},
    {"\"margin\": 0.1", "\"margin\": 1e999@", "real number overflow near '1e999'"},
    {"\"margin\": 0.1", "\"margin\": @1e301", "1e+301 is larger than 1e300"},
    {"\"margin\": 0.1", "\"margin\": @-1", "a margin is 0 or more"},
    {"\"margin\": 0.1", "\"margin\": @\"1\"", "'margin' must be a number, not a text"},
    {"\"margin\": 0.1", "\"margin\": @null", "'margin' must be a number, not null"},
    {"\"margin\": 0.1", "@\"margn\": 0.1", "unknown key 'margn'; did you mean 'margin'?"},
    {"\"margin\": 0.1", "@\"colour\": 1", "unknown key 'colour'; use name, shape, pose, motion, group or margin"},
    {"\"margin\": 0.1", "\"name\"@: 0.1", "duplicate object key near '\"name\"'"},
    {"\"name\": \"two\"", "\"name\": @\"one\"", "there is another body called 'one'"},
    {"\"name\": \"two\"", "\"name\": @\"\"", "an empty text"},
    {"{\"name\": \"two\", ", "@{", "'name' is missing here"},
    {"\"bodies\": [", "\"bodies\": [@3, ", "this must be an object, not a number"},
    {"\"bodies\"", "@\"bodys\"", "unknown key 'bodys'; did you mean 'bodies'?"},
    {"\"shape\": \"hammer\"", "\"shape\": @\"hamer\"", "unknown shape 'hamer'; did you mean 'hammer'?"},
    {"\"shape\": \"hammer\"", "\"shape\": @\"car\"", "unknown shape 'car'"},
    {"\"shape\": \"hammer\"", "\"shape\": @{}", "a shape has one kind, such as {\"sphere\": {\"radius\": 1}}, not 0"},
    {"\"shape\": \"hammer\"", "\"shape\": @1", "'shape' must be a shape or the name of one, not a number"},
    {"{\"shape\": \"handle\"}", "{\"shape\": @\"hammer\"}", "shape 'hammer' contains itself: hammer -> hammer"},
    {"{\"union\": [{\"shape\": \"handle\"}", "{\"union\": [{\"shape\": \"loop\"}", "unknown shape 'loop'"},
    {"{\"cylinder\"", "{@\"cylindr\"", "unknown kind of shape 'cylindr'; did you mean 'cylinder'?"},
    {"{\"half_height\": 1, ", "@{", "'half_height' is missing here"},
    {"{\"half_height\": 1, \"radius\": 0.1", "@{\"half_height\": 1, \"radius\": -1",
     "radius is -1, but must not be negative"},
    {"[1, 1, 1]", "@[1, 1]", "2 numbers, where 3 belong"},
    {"[1, 1, 1]", "[1, @true, 1]", "this must be a number, not true or false"},
    {"\"scale\": 0.5", "\"scale\": @0", "a factor of 0 would flatten the body"},
    {"{\"path\"", "@{\"hull\": true, \"hollow\": true, \"path\"",
     "'hull' and 'hollow' exclude each other: a convex hull is filled"},
    {"\"bracket.stl\"", "@\"braket.stl\"", NULL},
    {"[\"tool\", \"world\"]]", "[\"tool\", @\"word\"]]", "unknown group 'word'; did you mean 'world'?"},
    {"[\"tool\", \"world\"]]", "@[\"tool\"]]", "two groups are compared: [\"one\", \"other\"]"},
    {"{\"position\": [3", "@{\"quat_wxyz\": [1, 0, 0, 0], \"position\": [3", "a pose has one rotation, not 2"},
    {"\"rpy\": [0, 0, 1]", "\"matrix\": @[]", "a matrix is a whole pose; leave the rest out"},
    {"\"rpy\": [0, 0, 1]", "@\"quat\": [0, 0, 1, 0]", NULL},
    {"\"position\": [3, 0, 0], \"rpy\": [0, 0, 1]", "\"matrix\": @[2,0,0,0, 0,2,0,0, 0,0,2,0, 0,0,0,1]",
     "the 3x3 part is off a rotation by 3, at most 1e-6 is allowed; take out scale and shear"},
    {"\"slerp\"", "@\"lerp\"", "unknown kind of motion 'lerp'; did you mean 'slerp'?"},
    {"{\"end\": {\"position\": [0, 0, 0]}", "@{", "'end' is missing here"},
    {"[[0, 1, 2]]", "[[0, 1, @3]]", "vertex 3 does not exist; they count from 0 to 2"},
    {"[[0, 1, 2]]", "[@[0, 1]]", "a triangle is the numbers of three vertices"},
    {"\"time\": 1", "\"time\": @0", "times go from 0 to 1, each later than the one before"},
    {"[{\"time\": 0, \"pose\": {}}, {\"time\": 1", "@[{\"time\": 0, \"pose\": {}}, {\"time\": 0.5",
     "the first time must be 0 and the last 1, not 0 and 0.5"},
    {"[1, 0, 0, 1]", "@[0, 0, 0, 0]", "the quaternion is zero"},
    {"{\"mesh\"", "@{\"ground\": {}, \"mesh\"", "a shape has one kind, such as {\"sphere\": {\"radius\": 1}}, not 2"},
    {"\"motion\": {\"keys\": {", "\"pose\": {}, \"motion\": {\"keys\": @{",
     "the first key says where the body begins; leave 'pose' out"},
    {"[\"one\", \"two\"]", "[\"one\", @\"tow\"]", "unknown body 'tow'; did you mean 'two'?"},
    {"[\"one\", \"two\"]", "@[\"one\", \"one\"]", "a body is not compared with itself; name two"},
    // Keys that are written with escapes, characters of several bytes, and cycles of three.
    {"\"margin\": 0.1", "\"\\u006dargin\": @-1", "a margin is 0 or more"},
    {"\"name\": \"\xc3\xa9\"", "\"name\": \"\xc3\xa9\xc3\xa9\", @\"nam\": 1",
     "unknown key 'nam'; did you mean 'name'?"},
    {"{\"cylinder\": {\"half_height\": 1, \"radius\": 0.1}}", "\"hammer\"",
     "shape 'handle' contains itself: handle -> hammer -> handle"},
};

// The good file with a slip in it. The place that it marks goes to *line and *column, 0 if there is none. To be freed.
static char* slipped(const struct slip* slip, unsigned* line, unsigned* column) {
    const char* at = strstr(good, slip->from);
    assert_non_null(at);
    char* out = malloc(sizeof good + strlen(slip->to));
    memcpy(out, good, (size_t)(at - good));
    strcpy(out + (at - good), slip->to);
    strcat(out, at + strlen(slip->from));
    char* mark = strchr(out, '@');
    *line = *column = mark ? 1 : 0;
    if (!mark) return out;
    for (const char* c = out; c < mark; c++) {
        *line += *c == '\n';
        *column = *c == '\n' ? 1 : *column + (((unsigned char)*c & 0xc0) != 0x80);
    }
    memmove(mark, mark + 1, strlen(mark));
    return out;
}

// A sentence on one line that names the file, a line and a column.
static void assert_placed(const apart_error* error) {
    const char* at = strstr(error->message, "a.json:");
    unsigned line = 0, column = 0;
    int used = 0;
    if (error->status == APART_OK || strchr(error->message, '\n') || !at ||
        sscanf(at, "a.json:%u:%u: %n", &line, &column, &used) != 2 || used == 0 || !at[used])
        fail_msg("no place: %s", error->message);
}

static void test_slips(void** state) {
    (void)state;
    apart_io_scene_release(must_parse(good));
    for (size_t i = 0; i < COUNT(slips); i++) {
        apart_error error;
        unsigned line = 0, column = 0, said_line = 0, said_column = 0;
        int used = 0;
        char* text = slipped(&slips[i], &line, &column);
        assert_null(parse(text, &error));
        assert_placed(&error);
        const char* at = strstr(error.message, "a.json:");
        sscanf(at, "a.json:%u:%u: %n", &said_line, &said_column, &used);
        if (slips[i].sentence) assert_string_equal(at + used, slips[i].sentence);
        // Jansson counts columns from 0, up to the end of what it has read.
        const bool syntax = line && strchr(slips[i].to, '@') > slips[i].to && strstr(at, " near '");
        if (line && (said_line != line || said_column + syntax != column))
            fail_msg("%s: not at %u:%u", error.message, line, column);
        free(text);
    }
}

static void try_damaged(const char* text, size_t size, int* read, int* refused) {
    apart_error error;
    apart_io_scene* scene = apart_io_scene_parse(APART_TEST_DATA "/a.json", text, size, NULL, &error);
    *read += scene != NULL;
    *refused += scene == NULL;
    if (!scene) assert_placed(&error);
    apart_io_scene_release(scene);
}

// Bytes are changed, lost or copied from elsewhere; most of that is no JSON any more.
static void damage_bytes(rng* r, int* read, int* refused) {
    static const char bytes[] = "{}[]\",:0-1e.tn\\\x80 \n\x01";
    char text[sizeof good];
    size_t size = sizeof good - 1;
    memcpy(text, good, size);
    for (int k = rng_between(r, 1, 3); k > 0 && size > 1; k--) {
        const size_t at = (size_t)rng_below(r, (int)size), length = (size_t)rng_between(r, 1, 20);
        const size_t cut = length < size - at ? length : size - at;
        const int how = rng_below(r, 3);
        if (how == 0) text[at] = bytes[rng_below(r, sizeof bytes - 1)];
        if (how == 1) memmove(text + at, text + (size_t)rng_below(r, (int)(size - cut) + 1), cut);
        if (how == 2) {
            memmove(text + at, text + at + cut, size - at - cut);
            size -= cut;
        }
    }
    try_damaged(text, size, read, refused);
}

// The string or number at or after a place of the good file; where it begins, and its length.
static const char* find_token(size_t at, size_t* length) {
    const char* c = good;
    for (const char* next = c; *next; next = c + *length) {
        c = next + strcspn(next, "\"0123456789-tfn");
        if (!*c) break;
        *length = *c == '"' ? strcspn(c + 1, "\"") + 2 : strcspn(c, ",]} \n");
        if (c >= good + at) return c;
    }
    return find_token(0, length);
}

// A string or number takes the place of another, or some other value does: it is still JSON.
static void damage_values(rng* r, int* read, int* refused) {
    static const char* const others[] = {"null", "true", "0",    "-1",      "1e300",    "2",
                                         "[]",   "{}",   "\"\"", "\"two\"", "[1, 2, 3]"};
    size_t length = 0, other_length = 0;
    const char* token = find_token((size_t)rng_below(r, (int)sizeof good), &length);
    const char* other = find_token((size_t)rng_below(r, (int)sizeof good), &other_length);
    if (rng_chance(r, 0.5)) {
        other = others[rng_below(r, COUNT(others))];
        other_length = strlen(other);
    }
    char text[2 * sizeof good];
    const int size =
        snprintf(text, sizeof text, "%.*s%.*s%s", (int)(token - good), good, (int)other_length, other, token + length);
    try_damaged(text, (size_t)size, read, refused);
}

// Whatever is done to a file, it is read or refused with a place.
static void test_damage(void** state) {
    (void)state;
    rng r = rng_seed(16);
    int read = 0, refused = 0, cut = 0;
    for (int i = 0; i < 1000; i++) damage_bytes(&r, &read, &refused);
    for (int i = 0; i < 3000; i++) damage_values(&r, &read, &refused);
    for (size_t size = 0; size + 2 < sizeof good; size++) try_damaged(good, size, &cut, &refused);
    print_message("damaged files: %d read, %d refused\n", read, refused);
    assert_int_equal(cut, 0);
    assert_true(read > 200 && refused > 3000);
}

// Deep nesting, long chains, and unions of unions that would never end.
static void test_nesting(void** state) {
    (void)state;
    char text[20000] = "{\"shapes\": {";
    apart_error error;
    for (int i = 0; i < 40; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used,
                 "\"s%d\": {\"union\": [{\"shape\": \"s%d\"}, {\"shape\": \"s%d\", \"pose\": {\"position\": [%d, 0, "
                 "0]}}]}, ",
                 i, i + 1, i + 1, i + 1);
    }
    strcat(text, "\"s40\": {\"sphere\": {\"radius\": 1}}}, \"bodies\": [{\"name\": \"a\", \"shape\": \"s0\"}]}");
    assert_null(parse(text, &error));
    assert_placed(&error);
    assert_non_null(strstr(error.message, "more than 1000000 parts"));

    strcpy(text, "{\"shapes\": {");
    for (int i = 0; i < 200; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "\"s%d\": \"s%d\", ", i, i + 1);
    }
    strcat(text, "\"s200\": {\"sphere\": {\"radius\": 1}}}, \"bodies\": [{\"name\": \"a\", \"shape\": \"s0\"}]}");
    assert_null(parse(text, &error));
    assert_placed(&error);
    assert_non_null(strstr(error.message, "nested more than 100 deep"));

    memset(text, '[', sizeof text - 1);
    assert_null(apart_io_scene_parse(APART_TEST_DATA "/a.json", text, sizeof text - 1, NULL, &error));
    assert_placed(&error);
}

static void test_wrong_calls(void** state) {
    (void)state;
    apart_error error;
    assert_null(apart_io_scene_load(NULL, NULL, &error));
    assert_int_equal(error.status, APART_INVALID);
    assert_null(apart_io_scene_load("/no/such/file.json", NULL, &error));
    assert_string_equal(error.message, "/no/such/file.json: cannot be read: No such file or directory");
    assert_null(apart_io_scene_parse(NULL, "", 0, NULL, NULL));
    assert_null(apart_io_scene_parse("a", NULL, 0, NULL, &error));
    assert_null(apart_io_scene_files(NULL, 0, NULL, &error));
    const char* const twice[] = {APART_TEST_DATA "/die.off", APART_TEST_DATA "/die.off"};
    assert_null(apart_io_scene_files(twice, 2, NULL, &error));
    assert_non_null(strstr(error.message, "there is another body called"));
    const char* const missing[] = {"no.ply"};
    assert_null(apart_io_scene_files(missing, 1, NULL, &error));
    assert_string_equal(error.message, "no.ply: cannot be read: No such file or directory");
    const char* const bytes[] = {"\xff.ply"};
    assert_null(apart_io_scene_files(bytes, 1, NULL, &error));
    apart_io_scene_release(NULL);
    // A mark in front of the text, as some editors write it.
    static const char marked[] = "\xef\xbb\xbf{\"bodies\": [{\"name\": \"a\", " BALL "}]}";
    apart_io_scene_release(must_parse(marked));
}

// ------------------------------------------------------------------------------------------------------ memory ----

// Every allocation fails once: the scene is loaded or refused, and nothing is left behind. Jansson takes some of its
// own failures for errors in the syntax, and so does the sentence.
static void test_memory(void** state) {
    (void)state;
    if (!allocation_is_counted()) return;
    for (int after = 0; after < 2; after++) {
        bool loaded = false;
        int refused = 0, said = 0;
        for (long step = 1; !loaded; step++) {
            apart_error error;
            allocation_watch(step, after);
            apart_io_scene* scene = parse(good, &error);
            loaded = allocation.calls < step;
            refused += scene == NULL;
            said += scene == NULL && error.status == APART_OUT_OF_MEMORY;
            apart_io_scene_release(scene);
            allocation_stop();
            assert_int_equal(allocation.live, 0);
            assert_true((scene != NULL) == (error.status == APART_OK));
        }
        print_message("memory failed %d times, and %d times it was said\n", refused, said);
        assert_true(refused > 200 && said > refused / 3);
    }
}

// ----------------------------------------------------------------------------------------------------- objects ----

static const char assembly[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 5 0 0\nv 6 0 0\nv 5 1 0\n"
                               "f 1 2 3\n"
                               "o left wheel\nf 1 2 4\n"
                               "o empty\n"
                               "o door\nf 5 6 7\ng inner\n"
                               "o left wheel\nf 2 3 4\nf 3 1 4\n";

static void write_file(const char* name, const char* text) {
    FILE* out = fopen(name, "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

static void test_objects(void** state) {
    (void)state;
    apart_io_object* objects = NULL;
    size_t count = 0;
    apart_error error;
    char folder[] = "/tmp/test_io_scene.XXXXXX", obj[64], json[64];
    assert_non_null(mkdtemp(folder));
    snprintf(obj, sizeof obj, "%s/car.obj", folder);
    snprintf(json, sizeof json, "%s/car.json", folder);
    write_file(obj, assembly);
    assert_int_equal(apart_io_read_objects(obj, NULL, &objects, &count, &error), APART_OK);
    assert_int_equal(count, 3);
    static const char* const names[] = {"unnamed", "left wheel", "door"};
    static const size_t triangles[] = {1, 3, 1}, vertices[] = {3, 4, 3};
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(objects[i].name, names[i]);
        assert_int_equal(objects[i].mesh.triangle_count, triangles[i]);
        assert_int_equal(objects[i].mesh.vertex_count, vertices[i]);
        for (size_t k = 0; k < 3 * triangles[i]; k++) assert_true(objects[i].mesh.triangles[k] < vertices[i]);
    }
    assert_near(objects[2].mesh.vertices[objects[2].mesh.triangles[1]].x, 6);
    apart_io_free_objects(objects, count);

    // Memory that fails.
    for (long step = 1, calls = step; allocation_is_counted() && calls >= step; step++) {
        allocation_watch(step, false);
        const apart_status status = apart_io_read_objects(obj, NULL, &objects, &count, &error);
        calls = allocation.calls;
        apart_io_free_objects(objects, count);
        allocation_stop();
        assert_int_equal(allocation.live, 0);
        assert_true((status == APART_OK) == (objects != NULL) && (status == APART_OK) == (count == 3));
    }

    // In a scene: bodies of the same pose; an excluded name stands for all of them.
    write_file(json,
               "{\"bodies\": [{\"name\": \"car\", \"shape\": {\"file\": {\"path\": \"car.obj\", \"objects\": true}}, "
               "\"pose\": {\"position\": [0, 0, 7]}, \"motion\": {\"velocity\": {}}}, {\"name\": \"ball\", " BALL
               "}], \"exclude\": [[\"car\", \"car\"], [\"car/door\", \"ball\"]]}");
    apart_io_scene* scene = apart_io_scene_load(json, NULL, &error);
    assert_non_null(scene);
    assert_int_equal(scene->count, 4);
    assert_int_equal(scene->motion_count, 3);
    assert_string_equal(scene->bodies[1].name, "car/left wheel");
    assert_string_equal(scene->bodies[3].name, "ball");
    assert_vector(body_of(scene, 1).pose.translation, (apart_vec3){0, 0, 7});
    char seen[100] = "";
    assert_int_equal(apart_scene_within(scene->scene, 100, NULL, 1, note_pair, seen), APART_OK);
    assert_string_equal(seen, "03 13 ");
    apart_io_scene_release(scene);

    // A file of files, and other formats that have no objects.
    const char* const paths[] = {obj, APART_TEST_DATA "/die.off"};
    const apart_io_options by_name = {.objects = true, .scale = {2, 2, 2}};
    scene = apart_io_scene_files(paths, 2, &by_name, &error);
    assert_non_null(scene);
    assert_int_equal(scene->count, 4);
    assert_non_null(strstr(scene->bodies[3].name, "die.off/unnamed"));
    apart_io_scene_release(scene);
    scene = apart_io_scene_files(paths, 2, NULL, &error);
    assert_non_null(scene);
    assert_int_equal(scene->count, 2);
    apart_io_scene_release(scene);

    // Only "g" lines.
    write_file(obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\ng a b\nf 1 2 3\ng\nf 1 3 2\n");
    assert_int_equal(apart_io_read_objects(obj, NULL, &objects, &count, &error), APART_OK);
    assert_int_equal(count, 2);
    assert_string_equal(objects[0].name, "a b");
    assert_string_equal(objects[1].name, "unnamed");
    apart_io_free_objects(objects, count);
    write_file(obj, "v 0 0 0\nv 1 0 0\no a\n");
    assert_int_equal(apart_io_read_objects(obj, NULL, &objects, &count, &error), APART_EMPTY);
    remove(obj);
    remove(json);
    rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),  cmocka_unit_test(test_geometry), cmocka_unit_test(test_poses),
        cmocka_unit_test(test_motions), cmocka_unit_test(test_pairs),    cmocka_unit_test(test_slips),
        cmocka_unit_test(test_damage),  cmocka_unit_test(test_nesting),  cmocka_unit_test(test_wrong_calls),
        cmocka_unit_test(test_memory),  cmocka_unit_test(test_objects)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Words of the command line become numbers, poses and shapes.
#include "parse.h"
#include "pose.h"
#include "primitives.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static bool
fail(apart_error* error, apart_status status, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (error) {
        error->status = status;
        vsnprintf(error->message, sizeof error->message, format, arguments);
    }
    va_end(arguments);
    return false;
}

// ---------------------------------------------------------------------------------------------------- numbers ----

bool parse_number(const char* text, double* out) {
    return text_to_number((word){text, strlen(text)}, out) == NUMBER_OK;
}

// One sentence about a word that is no number.
static void complain(apart_error* error, number_kind kind, word w) {
    const excerpt found = word_excerpt(w);
    const char* text = found.text;
    if (w.length == 0) {
        fail(error, APART_INVALID, "a number is missing between two commas");
    } else if (kind == NUMBER_TOO_LARGE) {
        fail(error, APART_OUT_OF_RANGE, "'%s' is larger than 1e300; choose a larger unit", text);
    } else {
        fail(error, APART_INVALID, "'%s' is not a %s number", text, kind == NUMBER_NOT ? "decimal" : "finite");
    }
}

int parse_numbers(const char* text, double* out, int room, apart_error* error) {
    reader r = {.begin = text, .at = text, .end = text + strlen(text), .commas = true};
    int count = 0;
    while (text_seek(&r)) {
        word w = {"", 0};
        double x = 0;
        text_word(&r, &w);
        number_kind kind = text_to_number(w, &x);
        if (kind != NUMBER_OK) {
            complain(error, kind, w);
            return -1;
        }
        if (count < room) out[count] = x;
        count++;
    }
    return count;
}

// ------------------------------------------------------------------------------------------------------ poses ----

static bool from_quaternion(const double* n, apart_pose* out, apart_error* error) {
    if (n[3] == 0 && n[4] == 0 && n[5] == 0 && n[6] == 0)
        return fail(error, APART_NOT_A_ROTATION, "the quaternion is zero; no rotation is 0,0,0,1 (x,y,z,w)");
    *out = apart_pose_from_quaternion(n[6], n[3], n[4], n[5], (apart_vec3){n[0], n[1], n[2]});
    return true;
}

bool parse_pose(const char* text, apart_pose* out, apart_error* error) {
    double n[16] = {0};
    const int count = parse_numbers(text, n, 16, error);
    *out = apart_pose_identity;
    out->translation = (apart_vec3){n[0], n[1], n[2]};
    switch (count) {
    case -1:
        return false;
    case 3:
        return true;
    case 6:
        out->rotation = rotation_from_angles(n[3], n[4], n[5]);
        return true;
    case 7:
        return from_quaternion(n, out, error);
    case 16:
        return pose_from_matrix(n, out, error);
    default:
        return fail(error, APART_INVALID,
                    "a pose of %d numbers; it takes 3 (x,y,z), 6 (x,y,z,roll,pitch,yaw), 7 (x,y,z,qx,qy,qz,qw) or 16 "
                    "(4x4)",
                    count);
    }
}

// ------------------------------------------------------------------------------------------- methods, depths ----

static const struct {
    const char* name;
    apart_method method;
} methods[] = {{"auto", APART_METHOD_AUTO},
               {"gjk", APART_METHOD_GJK},
               {"enhanced", APART_METHOD_ENHANCED},
               {"features", APART_METHOD_FEATURES},
               {"spheres", APART_METHOD_SPHERES}};

bool parse_method(const char* text, apart_method* out) {
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (!strcmp(text, methods[i].name)) {
            *out = methods[i].method;
            return true;
        }
    return false;
}

const char* method_name(apart_method method) {
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (methods[i].method == method) return methods[i].name;
    return "?";
}

bool parse_depth(const char* text, apart_depth* out) {
    static const char* const depths[] = {
        [APART_DEPTH_NONE] = "none", [APART_DEPTH_BOUND] = "bound", [APART_DEPTH_EXACT] = "exact"};
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++)
        if (!strcmp(text, depths[i])) {
            *out = (apart_depth)i;
            return true;
        }
    return false;
}

// ----------------------------------------------------------------------------------------------------- shapes ----

typedef struct shape_word {
    const char* name;
    const char* usage;
    int least, most; // how many numbers it takes; missing ones are 0
} shape_word;

static const shape_word shapes[] = {{"box", "box:HX,HY,HZ or box:HX,HY,HZ,RADIUS", 3, 4},
                                    {"sphere", "sphere:RADIUS", 1, 1},
                                    {"capsule", "capsule:HALF_HEIGHT,RADIUS", 2, 2},
                                    {"cylinder", "cylinder:HALF_HEIGHT,RADIUS", 2, 2},
                                    {"cone", "cone:HALF_HEIGHT,RADIUS", 2, 2},
                                    {"ellipsoid", "ellipsoid:X,Y,Z", 3, 3},
                                    {"ground", "ground:Z", 1, 1},
                                    {"halfspace", "halfspace:NX,NY,NZ,D", 4, 4}};

static apart_shape* make_shape(const shape_word* s, const char* numbers, apart_error* error) {
    double n[4] = {0};
    const int count = parse_numbers(numbers, n, s->most, error);
    if (count < 0) return NULL;
    if (count >= s->least && count <= s->most) return apart_io_primitive(s->name, n, error);
    fail(error, APART_INVALID, "%d numbers; write %s", count, s->usage);
    return NULL;
}

bool parse_shape(const char* text, const char** kind, apart_shape** shape, apart_error* error) {
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const size_t length = strlen(shapes[i].name);
        if (strncmp(text, shapes[i].name, length) != 0 || text[length] != ':') continue;
        *kind = shapes[i].name;
        *shape = make_shape(&shapes[i], text + length + 1, error);
        return true;
    }
    return false;
}

bool parse_resembles_shape(const char* text) {
    const size_t letters = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    if (text[letters] == ':') return letters > 1;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (!strcmp(text, shapes[i].name)) return true;
    return false;
}

// ------------------------------------------------------------------------------------------------------ scale ----

bool parse_scale(const char* text, double out[3], apart_error* error) {
    const int count = parse_numbers(text, out, 3, error);
    if (count < 0) return false;
    if (count != 1 && count != 3)
        return fail(error, APART_INVALID, "%d numbers; it takes 1, or 3 for x, y and z", count);
    if (count == 1) out[1] = out[2] = out[0];
    for (int i = 0; i < 3; i++)
        if (out[i] == 0) return fail(error, APART_INVALID, "a factor of 0 would flatten the body");
    return true;
}

// Any text as a pose, a shape, a number and a method of the command line. What is accepted must be usable.
#include "parse.h"
#include "source.h"

// An accepted pose is one that a query takes, unless a coordinate is out of its range.
static void check_pose(const char* text) {
    apart_pose pose;
    apart_error error = {0};
    if (!parse_pose(text, &pose, &error)) {
        REQUIRE(error.status != APART_OK && error.message[0] && !strchr(error.message, '\n'));
        return;
    }
    apart_shape* point = apart_shape_sphere(0, NULL);
    apart_result result;
    REQUIRE(point && apart_distance(point, &pose, point, &pose, NULL, NULL, &result) == APART_OK);
    REQUIRE(result.distance == 0);
    apart_shape_release(point);
}

static void check_shape(const char* text) {
    const char* kind = NULL;
    apart_shape* shape = NULL;
    apart_error error = {0};
    if (!parse_shape(text, &kind, &shape, &error)) return;
    REQUIRE(kind && !strncmp(text, kind, strlen(kind)));
    REQUIRE(shape || (error.status != APART_OK && error.message[0] && !strchr(error.message, '\n')));
    apart_shape_info info;
    if (shape) REQUIRE(apart_shape_describe(shape, &info) == APART_OK);
    apart_shape_release(shape);
}

// An accepted scale flattens nothing.
static void check_scale(const char* text) {
    double scale[3];
    apart_error error = {0};
    if (parse_scale(text, scale, &error)) {
        for (int i = 0; i < 3; i++) REQUIRE(isfinite(scale[i]) && scale[i] != 0);
    } else {
        REQUIRE(error.status != APART_OK && error.message[0] && !strchr(error.message, '\n'));
    }
    parse_resembles_shape(text);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    // A copy that ends with the memory, so that reading past the text is seen.
    char* text = malloc(size + 1);
    if (!text) return 0;
    if (size) memcpy(text, data, size);
    text[size] = '\0';
    double x = 0;
    apart_method method;
    if (parse_number(text, &x)) REQUIRE(fabs(x) <= APART_LIMIT);
    if (parse_method(text, &method)) REQUIRE(!strcmp(method_name(method), text));
    check_pose(text);
    check_shape(text);
    check_scale(text);
    free(text);
    return 0;
}

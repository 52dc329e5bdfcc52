// A few values on top of Jansson.
#include "json.h"
#include "cli.h"

#include <stdlib.h>
#include <string.h>

json_t* json_number(double x) { return isfinite(x) ? json_real(x + 0.0) : json_null(); }

// The array with a value more; NULL, and nothing left, if either is NULL or there is no memory.
static json_t* append(json_t* array, json_t* value) {
    if (json_array_append_new(array, value) == 0) return array;
    json_decref(array);
    return NULL;
}

json_t* json_numbers(const double* x, size_t count) {
    json_t* out = json_array();
    for (size_t i = 0; i < count; i++) out = append(out, json_number(x[i]));
    return out;
}

json_t* json_point(apart_vec3 p) { return json_numbers((const double[]){p.x, p.y, p.z}, 3); }

json_t* json_points(const apart_vec3* p, size_t count) {
    json_t* out = json_array();
    for (size_t i = 0; i < count; i++) out = append(out, json_point(p[i]));
    return out;
}

json_t* json_hole(const apart_shape_info* info) {
    if (info->holes == 0) return json_null();
    return json_pack("{s:o, s:o}", "lower", json_point(info->hole_lower), "upper", json_point(info->hole_upper));
}

// The length of the UTF-8 character at `text`, 0 if there is none.
static size_t character(const char* text, size_t left) {
    for (size_t length = 1; length <= 4 && length <= left; length++) {
        json_t* one = json_stringn(text, length);
        json_decref(one);
        if (one) return length;
    }
    return 0;
}

// Every byte may grow to the three of U+FFFD.
static json_t* repaired(const char* text) {
    size_t left = strlen(text);
    char* copy = malloc(3 * left + 1);
    char* end = copy;
    while (copy && left > 0) {
        const size_t length = character(text, left);
        memcpy(end, length ? text : "\xef\xbf\xbd", length ? length : 3);
        end += length ? length : 3;
        text += length ? length : 1;
        left -= length ? length : 1;
    }
    json_t* out = copy ? json_stringn(copy, (size_t)(end - copy)) : NULL;
    free(copy);
    return out;
}

json_t* json_text(const char* text) {
    json_t* out = json_string(text);
    return out ? out : repaired(text);
}

int json_print(json_t* object) {
    if (!object) return complain("out of memory");
    // What cannot be written shows in the stream's state, which main looks at.
    json_dumpf(object, stdout, JSON_REAL_PRECISION(17));
    putchar('\n');
    json_decref(object);
    return EXIT_SUCCESS;
}

// Output for programs. Numbers have 17 digits, so that reading them back gives the same bits.
#ifndef APART_CLI_JSON_H
#define APART_CLI_JSON_H

#include "body.h"

#include <jansson.h>

/// The functions below return NULL when out of memory; json_pack passes that on.
/// A number; null if it is not finite.
json_t* json_number(double x);
json_t* json_numbers(const double* x, size_t count);
json_t* json_point(apart_vec3 p);
json_t* json_points(const apart_vec3* p, size_t count);
/// A text; bytes that are not UTF-8 become U+FFFD.
json_t* json_text(const char* text);

/// The box around the largest hole of a surface, {"lower", "upper"}; null if there is none.
json_t* json_hole(const apart_shape_info* info);

/// Prints the object on one line, releases it, and returns the exit status.
int json_print(json_t* object);

#endif

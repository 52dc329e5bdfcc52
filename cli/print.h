// Output for people: aligned lines, colour on a terminal only.
#ifndef APART_CLI_PRINT_H
#define APART_CLI_PRINT_H

#include "body.h"

/// A point as "(x, y, z)", 9 digits.
typedef struct point_text {
    char text[80];
} point_text;
point_text show_point(apart_vec3 p);

/// A name for a line of output: at most 200 bytes, control characters as '?'.
typedef struct name_text {
    char text[204];
} name_text;
name_text show_name(const char* name);

/// A name in at most so many columns (at least 3): the middle of a longer one gives way to an ellipsis.
name_text show_short(const char* name, int columns);

/// How many columns a text takes on a terminal: its characters.
int text_columns(const char* text);

/// Begins a line with a label; an empty label continues the line before. The caller prints the rest and the line end.
void print_label(const char* label);

/// What text means, for its colour.
typedef enum emphasis { PLAIN, STRONG, ALARM, FAINT } emphasis;
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void print_styled(emphasis how, const char* format, ...);

/// "" or "s".
const char* plural(size_t count);

/// One line: what a body is.
void print_body(const char* label, const body* b);

#endif

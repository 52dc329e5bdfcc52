// Aligned lines. Colour only if standard output is a terminal and NO_COLOR is not set (no-color.org).
#include "print.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What is rounding next to the rest of the point is shown as 0: 2^-50 of its largest coordinate. Also turns -0 into 0.
static double shown(double x, apart_vec3 p) {
    const double largest = fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z)));
    return fabs(x) <= 0x1p-50 * largest ? 0 : x;
}

point_text show_point(apart_vec3 p) {
    point_text out;
    snprintf(out.text, sizeof out.text, "(%.9g, %.9g, %.9g)", shown(p.x, p), shown(p.y, p), shown(p.z, p));
    return out;
}

name_text show_name(const char* name) {
    name_text out;
    snprintf(out.text, sizeof out.text, "%.200s", name);
    for (char* c = out.text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == '\x7f') *c = '?';
    return out;
}

static bool has_colour(void) {
    const char* off = getenv("NO_COLOR");
    const char* term = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(off && *off) && term && strcmp(term, "dumb") != 0;
}

void print_styled(emphasis how, const char* format, ...) {
    static const char* const start[] = {"", "\033[1m", "\033[1;31m", "\033[2m"};
    const bool colour = how != PLAIN && has_colour();
    if (colour) fputs(start[how], stdout);
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    if (colour) fputs("\033[0m", stdout);
}

int text_columns(const char* text) {
    int columns = 0;
    for (; *text; text++) columns += ((unsigned char)*text & 0xc0) != 0x80;
    return columns;
}

// Where character number `index` of a text begins.
static const char* character(const char* text, int index) {
    for (; *text; text++)
        if (((unsigned char)*text & 0xc0) != 0x80 && index-- == 0) break;
    return text;
}

name_text show_short(const char* name, int columns) {
    const name_text whole = show_name(name);
    const int length = text_columns(whole.text);
    if (length <= columns) return whole;
    const size_t begin = (size_t)(character(whole.text, columns / 2) - whole.text);
    const char* end = character(whole.text, length - (columns - 1 - columns / 2));
    name_text out = whole;
    memcpy(out.text + begin, "\xe2\x80\xa6", 3);
    // The ellipsis of three bytes may be longer than what it stands for, but there is room for four more.
    snprintf(out.text + begin + 3, sizeof out.text - begin - 3, "%.200s", end);
    return out;
}

void print_label(const char* label) { print_styled(FAINT, "%-11s", label); }

const char* plural(size_t count) { return count == 1 ? "" : "s"; }

// Whether a surface is a solid decides what its inside is.
static void print_surface(const apart_shape_info* info) {
    if (info->solids == 0)
        printf(info->open_edges ? "a surface without inside, %zu open edges\n" : "a surface without inside\n",
               info->open_edges);
    else if (info->solids < info->components)
        printf("%zu components, %zu of them solid\n", info->components, info->solids);
    else if (info->solids == 1)
        printf("a solid\n");
    else
        printf("%zu solids\n", info->solids);
}

static void print_file(const body* b) {
    const apart_io_mesh* mesh = &b->mesh;
    printf("%s, %zu point%s", mesh->format, mesh->vertex_count, plural(mesh->vertex_count));
    if (mesh->triangle_count) printf(", %zu triangle%s", mesh->triangle_count, plural(mesh->triangle_count));
    printf("; ");
    if (b->is_mesh)
        print_surface(&b->info);
    else
        printf("convex hull of %zu %s\n", b->info.vertices, b->info.vertices == 1 ? "vertex" : "vertices");
}

void print_body(const char* label, const body* b) {
    print_label(label);
    printf("%s", show_name(b->name).text);
    if (b->is_file) {
        printf(": ");
        print_file(b);
    } else {
        printf("\n");
    }
}

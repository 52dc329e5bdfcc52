// What the drawings share: vectors, a view of the world, and the elements of an SVG page on standard output.
#ifndef EXAMPLES_SVG_H
#define EXAMPLES_SVG_H

#include <apart/apart.h>

#include <stdio.h>

static inline apart_vec3 add(apart_vec3 a, apart_vec3 b) { return (apart_vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline apart_vec3 sub(apart_vec3 a, apart_vec3 b) { return (apart_vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline apart_vec3 scale(double s, apart_vec3 a) { return (apart_vec3){s * a.x, s * a.y, s * a.z}; }
static inline double dot(apart_vec3 a, apart_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline apart_vec3 cross(apart_vec3 a, apart_vec3 b) {
    return (apart_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline apart_vec3 unit(apart_vec3 a) { return scale(1 / sqrt(dot(a, a)), a); }

/// The directions of the page in the world, and the place of the world's origin on the page.
typedef struct view {
    apart_vec3 right, up, towards; // unit vectors; `towards` points to the viewer
    double x, y, scale;
} view;

static inline double page_x(const view* v, apart_vec3 p) { return v->x + v->scale * dot(v->right, p); }
static inline double page_y(const view* v, apart_vec3 p) { return v->y - v->scale * dot(v->up, p); }

/// A page with a title, to be ended by end_page. The width is 1000.
static inline void begin_page(int height, const char* title) {
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1000 %d\" width=\"1000\" height=\"%d\" "
           "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"14\" fill=\"#222\">\n"
           "<title>%s</title>\n<rect width=\"1000\" height=\"%d\" fill=\"#fcfcfa\"/>\n",
           height, height, title, height);
}

static inline void end_page(void) { printf("</svg>\n"); }

/// `style` is more attributes of the element, here and below.
static inline void draw_polygon(const view* v, const apart_vec3* corner, int count, const char* style) {
    printf("<polygon points=\"");
    for (int i = 0; i < count; ++i) printf("%s%.1f,%.1f", i ? " " : "", page_x(v, corner[i]), page_y(v, corner[i]));
    printf("\" %s/>\n", style);
}

static inline void draw_line(const view* v, apart_vec3 a, apart_vec3 b, const char* style) {
    printf("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", page_x(v, a), page_y(v, a), page_x(v, b),
           page_y(v, b), style);
}

/// A circle about a place of the world; its radius is that on the page.
static inline void draw_circle(const view* v, apart_vec3 centre, double radius, const char* style) {
    printf("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" %s/>\n", page_x(v, centre), page_y(v, centre), radius, style);
}

/// A line of text at a place of the page.
static inline void draw_text(double x, double y, const char* style, const char* text) {
    printf("<text x=\"%.1f\" y=\"%.1f\" %s>%s</text>\n", x, y, style, text);
}

#endif

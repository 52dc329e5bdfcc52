// Draws how GJK closes in on the distance of two bodies, as an SVG picture on standard output.
//
//     example_draw_steps > docs/pictures/gjk-steps.svg
//
// The trace function of the query hands over each step: the vertices in use on both bodies, the nearest points so far,
// and the interval around the distance. Everything else here is drawing.
#include "svg.h"

#include <stdlib.h>

#define POINTS 16
#define MOST_FACES (2 * POINTS - 4)
#define MOST_STEPS 12

// ------------------------------------------------------------------------------------------------------- bodies ----

typedef struct body {
    const char* colour;
    apart_vec3 point[POINTS]; // in world coordinates, which is where the picture is
    int face[MOST_FACES][3];  // counter-clockwise from outside
    int faces;
    apart_shape* shape;
} body;

/// Points spread over an ellipsoid along a spiral: a cut stone without coplanar faces.
static void spread(body* b, apart_vec3 centre, apart_vec3 axes, double twist) {
    for (int i = 0; i < POINTS; ++i) {
        double z = 1 - (2 * i + 1.0) / POINTS, ring = sqrt(1 - z * z), turn = 2.39996323 * i + twist;
        b->point[i] = (apart_vec3){centre.x + axes.x * ring * cos(turn), centre.y + axes.y * ring * sin(turn),
                                   centre.z + axes.z * z};
    }
}

/// Whether all points lie behind the plane of corners i, j, k.
static bool is_face(const body* b, int i, int j, int k) {
    apart_vec3 n = cross(sub(b->point[j], b->point[i]), sub(b->point[k], b->point[i]));
    for (int m = 0; m < POINTS; ++m)
        if (m != i && m != j && m != k && dot(n, sub(b->point[m], b->point[i])) >= 0) return false;
    return true;
}

/// The faces to draw, by trying every triple: fine for a picture. The library finds its own hull.
static void find_faces(body* b) {
    for (int i = 0; i < POINTS; ++i)
        for (int j = 0; j < POINTS; ++j)
            for (int k = 0; k < POINTS; ++k) {
                if (i >= j || i >= k || j == k || !is_face(b, i, j, k)) continue;
                int* f = b->face[b->faces++];
                f[0] = i, f[1] = j, f[2] = k;
            }
}

// ------------------------------------------------------------------------------------------------------ drawing ----

/// An orthographic view from the front and a little above.
static view panel(double x, double y, double scaling) {
    return (view){{0.9994, 0.0349, 0}, {-0.0119, 0.3418, 0.9397}, {0.0328, -0.9391, 0.3420}, x, y, scaling};
}

/// The far side first, then the near side, each face lighter where it faces the lamp.
static void draw_body(const view* v, const body* b, double strength) {
    const apart_vec3 lamp = unit((apart_vec3){-0.5, -0.5, 0.9});
    for (int side = 0; side < 2; ++side)
        for (int f = 0; f < b->faces; ++f) {
            const int* c = b->face[f];
            apart_vec3 corner[3] = {b->point[c[0]], b->point[c[1]], b->point[c[2]]};
            apart_vec3 n = unit(cross(sub(corner[1], corner[0]), sub(corner[2], corner[0])));
            if ((dot(n, v->towards) > 0) != (side == 1)) continue;
            double fill = side ? strength * (0.30 - 0.22 * dot(n, lamp)) : 0;
            char style[160];
            snprintf(style, sizeof style, "fill=\"%s\" fill-opacity=\"%.3f\" stroke=\"%s\" stroke-opacity=\"%.2f\"",
                     b->colour, fill > 0 ? fill : 0, b->colour, strength * (side ? 0.75 : 0.18));
            draw_polygon(v, corner, 3, style);
        }
}

/// The vertices that one body contributes: a dot, an edge or a triangle.
static void draw_feature(const view* v, const apart_vec3* corner, int count, const char* colour) {
    char style[160];
    snprintf(style, sizeof style,
             "fill=\"%s\" fill-opacity=\"0.55\" stroke=\"%s\" stroke-width=\"2\" stroke-linejoin=\"round\"", colour,
             colour);
    draw_polygon(v, corner, count, style);
    snprintf(style, sizeof style, "fill=\"%s\"", colour);
    for (int i = 0; i < count; ++i) draw_circle(v, corner[i], 3, style);
}

static void draw_nearest(const view* v, apart_vec3 a, apart_vec3 b, double width) {
    char style[80];
    snprintf(style, sizeof style, "stroke=\"#b3261e\" stroke-width=\"%.1f\"", width);
    draw_line(v, a, b, style);
    draw_circle(v, a, 1.4 * width, "fill=\"#b3261e\"");
    draw_circle(v, b, 1.4 * width, "fill=\"#b3261e\"");
}

// ------------------------------------------------------------------------------------------------------ the steps ----

typedef struct film {
    int count;
    apart_step step[MOST_STEPS];
} film;

/// The trace function: keeps a copy of each step.
static void record(const apart_step* step, void* context) {
    film* f = context;
    if (f->count < MOST_STEPS) f->step[f->count++] = *step;
}

/// What the distinct ones among up to three vertices span.
static const char* feature_name(const apart_vec3* v, int count) {
    int distinct = 0;
    for (int i = 0; i < count; ++i) {
        int j = 0;
        while (j < i && (v[j].x != v[i].x || v[j].y != v[i].y || v[j].z != v[i].z)) ++j;
        distinct += j == i;
    }
    return distinct == 1 ? "vertex" : distinct == 2 ? "edge" : "triangle";
}

/// A small panel: the features of one step.
static void draw_step(const body* a, const body* b, const apart_step* s, double x, double y) {
    char text[96];
    view v = panel(x, y, 28);
    draw_body(&v, a, 0.45);
    draw_body(&v, b, 0.45);
    draw_feature(&v, s->a, s->count_a, a->colour);
    draw_feature(&v, s->b, s->count_b, b->colour);
    draw_nearest(&v, s->point_a, s->point_b, 2);
    snprintf(text, sizeof text, "step %d", s->iteration);
    draw_text(x, y + 88, "text-anchor=\"middle\" font-weight=\"bold\"", text);
    snprintf(text, sizeof text, "%s and %s", feature_name(s->a, s->count_a), feature_name(s->b, s->count_b));
    draw_text(x, y + 106, "font-size=\"13\" text-anchor=\"middle\" fill=\"#666\"", text);
}

/// The chart runs from `left` to `right` on the page and from `low` to `high` in distance.
typedef struct chart {
    double left, right, low, high;
} chart;

static double chart_x(const chart* c, double distance) {
    return c->left + (c->right - c->left) * (distance - c->low) / (c->high - c->low);
}

/// One row: a bar from the lower to the upper end, and its length.
static void draw_interval(const chart* c, double y, const char* name, double lower, double upper) {
    char text[96];
    double from = chart_x(c, lower), to = chart_x(c, upper);
    draw_text(c->left - 14, y + 5, "text-anchor=\"end\"", name);
    printf("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"10\" rx=\"1.5\" fill=\"#b3261e\" "
           "fill-opacity=\"0.8\"/>\n",
           from - 1, y - 5, to - from + 2);
    snprintf(text, sizeof text, upper - lower < 1e-3 ? "%.0e" : "%.4f", upper - lower);
    draw_text(c->right + 84, y + 5, "text-anchor=\"end\" fill=\"#666\"", text);
}

/// The interval around the distance after each step.
static void draw_chart(const film* f, const apart_result* r) {
    const apart_step* first = &f->step[0];
    chart c = {640, 890, first->lower, first->upper};
    double x = chart_x(&c, r->distance), bottom = 112 + 32 * f->count;
    char text[32];
    draw_text(c.left, 56, "fill=\"#666\"", "the distance lies in");
    draw_text(c.right + 84, 56, "text-anchor=\"end\" fill=\"#666\"", "width");
    printf("<path d=\"M%.1f 72V%.1f\" stroke=\"#222\" stroke-opacity=\"0.35\"/>\n", x, bottom);
    for (int i = 0; i < f->count; ++i) {
        snprintf(text, sizeof text, "step %d", i + 1);
        draw_interval(&c, 90 + 32 * i, text, f->step[i].lower, f->step[i].upper);
    }
    draw_interval(&c, 90 + 32 * f->count, "answer", r->lower_bound, r->upper_bound);
    snprintf(text, sizeof text, "%.4f", r->distance);
    draw_text(x, bottom + 18, "text-anchor=\"middle\" font-weight=\"bold\"", text);
}

// ------------------------------------------------------------------------------------------------------- the page ----

static void draw_page(const body* a, const body* b, const film* f, const apart_result* r) {
    begin_page(545, "How GJK closes in on the distance of two convex bodies");
    view v = panel(265, 185, 68);
    draw_body(&v, a, 1);
    draw_body(&v, b, 1);
    draw_nearest(&v, r->point_a, r->point_b, 3);
    draw_chart(f, r);
    for (int i = 0; i < f->count; ++i) draw_step(a, b, &f->step[i], 1000.0 * (i + 0.5) / f->count, 420);
    end_page();
}

int main(void) {
    body a = {.colour = "#2f6fa8"}, b = {.colour = "#b8741a"};
    spread(&a, (apart_vec3){-1.7, 0, 0.5}, (apart_vec3){1.5, 1.3, 1.8}, 2.1);
    spread(&b, (apart_vec3){1.7, 0.3, -0.5}, (apart_vec3){1.8, 1.4, 1.3}, 2.8);
    find_faces(&a);
    find_faces(&b);

    apart_error error = {0};
    a.shape = apart_shape_points(a.point, POINTS, 0, &error);
    b.shape = apart_shape_points(b.point, POINTS, 0, &error);
    apart_query query = {0};
    film f = {0};
    query.method = APART_METHOD_GJK;
    query.trace = record;
    query.trace_context = &f;
    apart_result result;
    apart_status status = error.status;
    if (status == APART_OK)
        status = apart_distance(a.shape, &apart_pose_identity, b.shape, &apart_pose_identity, &query, NULL, &result);
    if (status == APART_OK)
        draw_page(&a, &b, &f, &result);
    else
        fprintf(stderr, "draw_steps: %s\n", error.status ? error.message : apart_status_text(status));
    apart_shape_release(a.shape);
    apart_shape_release(b.shape);
    return status == APART_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

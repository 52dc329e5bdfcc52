// Draws how deep two bodies are in each other, bounded and exact side by side, as an SVG picture on standard output.
//
//     example_draw_depth > docs/pictures/depth.svg
//
// The bodies are plates in the plane z = 0 with tips far above and below, so that all that matters happens in that
// plane, which is the plane of the picture. The second and third panel show the Minkowski difference A - B: the bodies
// overlap where it holds the origin, and are as deep in each other as the origin lies below its outline. What is drawn
// in it comes from the results and the traces of the queries.
#include "svg.h"

#include <stdlib.h>

#define CORNERS_A 6
#define CORNERS_B 5
#define MOST_STEPS 64
#define MOST_POINTS (4 * MOST_STEPS)
#define FAR 1000.0

#define INK_A "#2f6fa8"
#define INK_B "#b8741a"
#define INK_ANSWER "#b3261e"
#define FILL(ink) "fill=\"" ink "\""

// -------------------------------------------------------------------------------------------------------- plane ----

/// Twice the area of the triangle, seen from above: positive if the way a, b, c turns left.
static double turn(apart_vec3 a, apart_vec3 b, apart_vec3 c) { return cross(sub(b, a), sub(c, a)).z; }

/// A convex polygon, counter-clockwise.
typedef struct polygon {
    int count;
    apart_vec3 corner[MOST_POINTS];
} polygon;

static int by_place(const void* a, const void* b) {
    const apart_vec3 *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

/// The hull of spots in the plane, by walking along its lower and then its upper side. Sorts the spots.
static polygon hull(apart_vec3* s, int count) {
    polygon out = {0};
    qsort(s, (size_t)count, sizeof *s, by_place);
    for (int side = 0; side < 2; ++side) {
        int start = out.count;
        for (int i = 0; i < count && out.count < MOST_POINTS; ++i) {
            apart_vec3 p = s[side ? count - 1 - i : i];
            while (out.count >= start + 2 && turn(out.corner[out.count - 2], out.corner[out.count - 1], p) <= 1e-9)
                --out.count;
            out.corner[out.count++] = p;
        }
        --out.count;
    }
    return out;
}

/// The plane z = 0 cuts the hull of some points in the hull of what it cuts of the segments between them.
static polygon cut(const apart_vec3* v, int count) {
    static apart_vec3 s[MOST_POINTS * MOST_POINTS];
    int n = 0;
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j) {
            if (!(v[i].z >= 0 && v[j].z <= 0)) continue;
            double t = v[i].z > v[j].z ? v[i].z / (v[i].z - v[j].z) : 0;
            s[n++] = add(v[i], scale(t, sub(v[j], v[i])));
        }
    return hull(s, n);
}

// ------------------------------------------------------------------------------------------------------- bodies ----

static const apart_vec3 plate_a[CORNERS_A] = {{-2.1, -0.5, 0}, {-1.3, -1.2, 0}, {0.2, -1.1, 0},
                                              {0.8, 0.1, 0},   {0.1, 1.1, 0},   {-1.5, 0.9, 0}};
static const apart_vec3 plate_b[CORNERS_B] = {
    {-0.5, -0.1, 0}, {0.7, -1.2, 0}, {1.9, -0.6, 0}, {1.8, 0.8, 0}, {0.4, 1.0, 0}};

typedef struct body {
    int count;
    apart_vec3 point[CORNERS_A + 2];
    apart_shape* shape;
} body;

/// A plate in the plane z = 0 with a tip far above it and one far below.
static body spindle(const apart_vec3* plate, int count, apart_error* error) {
    body b = {.count = count + 2, .point = {[0] = {0, 0, FAR}, [1] = {0, 0, -FAR}}};
    for (int i = 0; i < count; ++i) b.point[2 + i] = plate[i];
    b.shape = apart_shape_points(b.point, (size_t)b.count, 0, error);
    return b;
}

static apart_vec3 farthest(const body* b, apart_vec3 n) {
    int best = 0;
    for (int i = 1; i < b->count; ++i)
        if (dot(n, b->point[i]) > dot(n, b->point[best])) best = i;
    return b->point[best];
}

/// The Minkowski difference of the plates.
static polygon difference(void) {
    apart_vec3 s[CORNERS_A * CORNERS_B];
    for (int i = 0; i < CORNERS_A * CORNERS_B; ++i) s[i] = sub(plate_a[i / CORNERS_B], plate_b[i % CORNERS_B]);
    return hull(s, CORNERS_A * CORNERS_B);
}

// -------------------------------------------------------------------------------------------------------- query ----

typedef struct answer {
    apart_result result;
    int count; // of the steps
    apart_step step[MOST_STEPS];
} answer;

/// The trace function: keeps a copy of each step.
static void record(const apart_step* step, void* context) {
    answer* a = context;
    if (a->count < MOST_STEPS) a->step[a->count++] = *step;
}

static apart_status ask(const body* a, const body* b, apart_depth depth, answer* out) {
    apart_query query = {0};
    query.depth = depth;
    query.method = APART_METHOD_ENHANCED;
    query.trace = record;
    query.trace_context = out;
    return apart_distance(a->shape, &apart_pose_identity, b->shape, &apart_pose_identity, &query, NULL, &out->result);
}

/// The vertices of the difference that a step has in use.
static int in_use(const apart_step* s, apart_vec3* out) {
    for (int i = 0; i < s->count_a; ++i) out[i] = sub(s->a[i], s->b[i]);
    return s->count_a;
}

/// The same for the simplex in step `last` and all faces that were looked at after it, each with the support point that
/// it was pushed out to.
static int polytope_points(const body* a, const body* b, const answer* q, int last, apart_vec3* out) {
    int n = in_use(&q->step[last], out);
    for (int i = last + 1; i < q->count; ++i) {
        apart_vec3* c = out + n;
        n += in_use(&q->step[i], c);
        apart_vec3 normal = cross(sub(c[1], c[0]), sub(c[2], c[0]));
        apart_vec3 inwards = scale(-1, normal);
        if (dot(normal, c[0]) > 0)
            out[n++] = sub(farthest(a, normal), farthest(b, inwards));
        else
            out[n++] = sub(farthest(a, inwards), farthest(b, normal));
    }
    return n;
}

// ------------------------------------------------------------------------------------------------------ drawing ----

/// The plane of the picture, with the origin at a place of the page.
static view panel(double x) { return (view){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, x, 160, 58}; }

/// A word beside a spot, by an offset on the page.
static void draw_name(const view* v, apart_vec3 spot, double dx, double dy, const char* fill, const char* text) {
    char style[80];
    snprintf(style, sizeof style, "text-anchor=\"middle\" font-style=\"italic\" %s", fill);
    draw_text(page_x(v, spot) + dx, page_y(v, spot) + dy, style, text);
}

static void draw_arrow(const view* v, apart_vec3 from, apart_vec3 to) {
    apart_vec3 along = scale(11 / v->scale, unit(sub(to, from)));
    apart_vec3 across = scale(0.4, cross(v->towards, along)), neck = sub(to, along);
    apart_vec3 head[3] = {to, add(neck, across), sub(neck, across)};
    draw_line(v, from, neck, "stroke=\"" INK_ANSWER "\" stroke-width=\"3\"");
    draw_polygon(v, head, 3, FILL(INK_ANSWER));
}

/// A line of the legend: what a stroke or a filled field means.
static void draw_legend(double x, double y, const char* style, const char* text) {
    printf("<rect x=\"%.1f\" y=\"%.1f\" width=\"22\" height=\"10\" %s/>\n", x, y - 9, style);
    draw_text(x + 32, y, "", text);
}

// ------------------------------------------------------------------------------------------------------- panels ----

#define LEGEND 344

static const apart_vec3 origin = {0, 0, 0};
static const char* const shade = "fill=\"#557a46\" fill-opacity=\"0.30\" stroke=\"#557a46\" stroke-opacity=\"0.6\"";
static const char* const firm = "fill=\"none\" stroke=\"#b3261e\" stroke-width=\"2.5\"";
static const char* const loose = "fill=\"none\" stroke=\"#b3261e\" stroke-width=\"1.5\" stroke-dasharray=\"6 4\"";

/// The two plates, and where the second one goes.
static void draw_bodies(const view* v, double x, const apart_result* r) {
    const char* style_a = "fill=\"#2f6fa8\" fill-opacity=\"0.25\" stroke=\"#2f6fa8\" stroke-width=\"1.5\"";
    const char* style_b = "fill=\"#b8741a\" fill-opacity=\"0.25\" stroke=\"#b8741a\" stroke-width=\"1.5\"";
    const char* style_moved = "fill=\"none\" stroke=\"#b8741a\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\"";
    apart_vec3 moved[CORNERS_B];
    for (int i = 0; i < CORNERS_B; ++i) moved[i] = sub(plate_b[i], scale(r->distance, r->normal));
    draw_polygon(v, plate_a, CORNERS_A, style_a);
    draw_polygon(v, plate_b, CORNERS_B, style_b);
    draw_polygon(v, moved, CORNERS_B, style_moved);
    draw_arrow(v, r->point_b, r->point_a);
    draw_circle(v, r->point_b, 4, FILL(INK_B));
    draw_circle(v, r->point_a, 4, FILL(INK_A));
    draw_name(v, plate_a[5], 30, 40, FILL(INK_A), "A");
    draw_name(v, plate_b[4], 34, 18, FILL(INK_B), "B");
    draw_text(x, LEGEND, "font-weight=\"bold\"", "Two bodies that overlap");
    draw_legend(x, LEGEND + 26, style_a, "A, and its point deepest in B");
    draw_legend(x, LEGEND + 48, style_b, "B, and its point deepest in A");
    draw_legend(x, LEGEND + 70, style_moved, "B, moved out by the depth");
}

/// The difference, the part of it that the query knows, the origin, and the ball around it.
static void draw_difference(const view* v, double x, const polygon* k, const polygon* known, const apart_result* r) {
    char text[96];
    draw_polygon(v, k->corner, k->count,
                 "fill=\"#557a46\" fill-opacity=\"0.10\" stroke=\"#557a46\" stroke-width=\"1.5\"");
    draw_polygon(v, known->corner, known->count, shade);
    draw_circle(v, origin, -r->upper_bound * v->scale, firm);
    draw_circle(v, origin, 4, FILL("#222"));
    snprintf(text, sizeof text, "%d support points", r->supports);
    draw_text(x, LEGEND + 92, "fill=\"#666\"", text);
}

static void draw_bound(const view* v, double x, const polygon* k, const answer* q, int last) {
    const apart_result* r = &q->result;
    apart_vec3 point[MOST_POINTS];
    polygon simplex = cut(point, in_use(&q->step[last], point));
    char text[96];
    draw_difference(v, x, k, &simplex, r);
    draw_circle(v, origin, -r->lower_bound * v->scale, loose);
    draw_text(x, LEGEND, "font-weight=\"bold\"", "A - B with APART_DEPTH_BOUND");
    draw_legend(x, LEGEND + 26, shade, "the simplex that GJK ended with");
    snprintf(text, sizeof text, "the ball in it: at least %.3f deep", -r->upper_bound);
    draw_legend(x, LEGEND + 48, firm, text);
    snprintf(text, sizeof text, "a support plane: at most %.3f deep", -r->lower_bound);
    draw_legend(x, LEGEND + 70, loose, text);
}

static void draw_exact(const view* v, double x, const polygon* k, const body* a, const body* b, const answer* q,
                       int last) {
    const apart_result* r = &q->result;
    apart_vec3 point[MOST_POINTS];
    polygon polytope = cut(point, polytope_points(a, b, q, last, point));
    char text[96];
    draw_difference(v, x, k, &polytope, r);
    draw_arrow(v, origin, scale(-r->distance, r->normal));
    draw_text(x, LEGEND, "font-weight=\"bold\"", "A - B with APART_DEPTH_EXACT");
    draw_legend(x, LEGEND + 26, shade, "that simplex, pushed out where it is near");
    snprintf(text, sizeof text, "the ball in it: %.3f deep", -r->distance);
    draw_legend(x, LEGEND + 48, firm, text);
    draw_text(x + 32, LEGEND + 70, "", "it touches the outline: no shorter way out");
}

static void draw_page(const body* a, const body* b, const answer* bound, const answer* exact, int last) {
    const polygon k = difference();
    const view left = panel(152), middle = panel(572), right = panel(900);
    begin_page(455, "How deep two convex bodies are in each other: a bracket, and the exact answer");
    draw_bodies(&left, 30, &exact->result);
    draw_bound(&middle, 342, &k, bound, last);
    draw_exact(&right, 670, &k, a, b, exact, last);
    end_page();
}

int main(void) {
    apart_error error = {0};
    body a = spindle(plate_a, CORNERS_A, &error);
    body b = spindle(plate_b, CORNERS_B, &error);
    static answer meet, bound, exact;
    apart_status status = error.status;
    if (status == APART_OK) status = ask(&a, &b, APART_DEPTH_NONE, &meet);
    if (status == APART_OK) status = ask(&a, &b, APART_DEPTH_BOUND, &bound);
    if (status == APART_OK) status = ask(&a, &b, APART_DEPTH_EXACT, &exact);
    if (status == APART_OK)
        draw_page(&a, &b, &bound, &exact, meet.count - 1);
    else
        fprintf(stderr, "draw_depth: %s\n", error.status ? error.message : apart_status_text(status));
    apart_shape_release(a.shape);
    apart_shape_release(b.shape);
    return status == APART_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

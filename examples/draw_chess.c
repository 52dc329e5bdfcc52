// Draws two chess pieces and the shortest way between them, as an SVG picture on standard output.
//
//     example_draw_chess [FOLDER] > docs/pictures/chess.svg
//
// FOLDER holds knight.ply and king.ply; data/chess if it is not given. The king falls towards the knight, its crown
// below the knight's chin: the convex hulls of the two overlap, the surfaces do not.
#include "svg.h"

#include "apart/io.h"

#include <stdlib.h>

#define HEIGHT 640
#define TEXT_SIZE 300

static apart_vec3 place(const apart_pose* pose, apart_vec3 v) {
    const double(*m)[3] = pose->rotation.m;
    apart_vec3 turned = {m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z, m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
                         m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z};
    return add(turned, pose->translation);
}

// ------------------------------------------------------------------------------------------------------- pieces ----

typedef struct piece {
    apart_io_mesh mesh;
    apart_shape* surface;
    apart_shape* hull; // the convex hull of the same points
    apart_pose pose;
    apart_vec3 colour; // red, green and blue in full light, 0 to 255
} piece;

static apart_status load(piece* p, const char* folder, const char* name, apart_error* error) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.ply", folder, name);
    if (apart_io_read(path, NULL, &p->mesh, error) != APART_OK) return error->status;
    const apart_io_mesh* m = &p->mesh;
    p->surface = apart_shape_mesh(m->vertices, m->vertex_count, m->triangles, m->triangle_count, NULL, error);
    if (p->surface) p->hull = apart_shape_points(m->vertices, m->vertex_count, 0, error);
    return error->status;
}

static void release(piece* p) {
    apart_io_free(&p->mesh);
    apart_shape_release(p->surface);
    apart_shape_release(p->hull);
}

// --------------------------------------------------------------------------------------------------------- view ----

static view look_from(apart_vec3 viewer, double x, double y, double scaling) {
    view v = {.towards = unit(viewer), .x = x, .y = y, .scale = scaling};
    v.right = unit(cross((apart_vec3){0, 0, 1}, v.towards));
    v.up = cross(v.towards, v.right);
    return v;
}

/// The direction of the light: from above, behind the viewer's left shoulder.
static apart_vec3 light(const view* v) {
    return unit(add(add(scale(-0.3, v->right), scale(0.75, v->up)), scale(0.9, v->towards)));
}

// ---------------------------------------------------------------------------------------------------- triangles ----

/// A triangle that faces the viewer: its corners in the world, how near it is, and its colour.
typedef struct facet {
    apart_vec3 corner[3];
    double nearness;
    int red, green, blue;
} facet;

static int by_nearness(const void* a, const void* b) {
    const facet *f = a, *g = b;
    return (f->nearness > g->nearness) - (f->nearness < g->nearness);
}

/// Light from one side, and a little from everywhere.
static void shade(facet* f, const view* v, apart_vec3 normal, apart_vec3 colour) {
    double direct = fmax(0, dot(normal, light(v))), glance = fmax(0, dot(normal, v->up));
    double bright = 0.30 + 0.62 * direct + 0.08 * glance;
    f->red = (int)(bright * colour.x);
    f->green = (int)(bright * colour.y);
    f->blue = (int)(bright * colour.z);
}

/// Appends what is seen of a piece; returns how many triangles that are.
static size_t collect(const piece* p, const view* v, facet* out) {
    size_t count = 0;
    for (size_t t = 0; t < p->mesh.triangle_count; ++t) {
        facet f = {0};
        for (size_t i = 0; i < 3; ++i) f.corner[i] = place(&p->pose, p->mesh.vertices[p->mesh.triangles[3 * t + i]]);
        apart_vec3 normal = cross(sub(f.corner[1], f.corner[0]), sub(f.corner[2], f.corner[0]));
        if (dot(normal, v->towards) <= 0) continue;
        f.nearness = dot(v->towards, add(add(f.corner[0], f.corner[1]), f.corner[2]));
        shade(&f, v, unit(normal), p->colour);
        out[count++] = f;
    }
    return count;
}

/// The far ones first, so that the near ones cover them. Corners are tenths of a point on the page, each relative to
/// the one before: short to write.
static void draw_facets(const view* v, facet* facets, size_t count) {
    qsort(facets, count, sizeof *facets, by_nearness);
    printf("<g fill=\"currentColor\" stroke=\"currentColor\" stroke-width=\"6\" stroke-linejoin=\"round\" "
           "transform=\"scale(.1)\">\n");
    for (size_t i = 0; i < count; ++i) {
        const facet* f = &facets[i];
        int x[3], y[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = (int)lround(10 * page_x(v, f->corner[k]));
            y[k] = (int)lround(10 * page_y(v, f->corner[k]));
        }
        printf("<path color=\"#%02x%02x%02x\" d=\"M%d %dl%d %d %d %dz\"/>\n", (unsigned)f->red, (unsigned)f->green,
               (unsigned)f->blue, x[0], y[0], x[1] - x[0], y[1] - y[0], x[2] - x[1], y[2] - y[1]);
    }
    printf("</g>\n");
}

static apart_status draw_pieces(const view* v, const piece* a, const piece* b) {
    facet* facets = malloc((a->mesh.triangle_count + b->mesh.triangle_count) * sizeof *facets);
    if (!facets) return APART_OUT_OF_MEMORY;
    size_t count = collect(a, v, facets);
    count += collect(b, v, facets + count);
    draw_facets(v, facets, count);
    free(facets);
    return APART_OK;
}

// --------------------------------------------------------------------------------------------------------- page ----

/// A soft shadow on the ground: an ellipse about a place.
static void draw_shadow(const view* v, apart_vec3 centre, double half_x, double half_y) {
    printf("<ellipse cx=\"%.1f\" cy=\"%.1f\" rx=\"%.1f\" ry=\"%.1f\" fill=\"url(#shadow)\"/>\n", page_x(v, centre),
           page_y(v, centre), v->scale * half_x, v->scale * half_y * v->towards.z);
}

/// The nearest points, the line between them, and its length below; light edges keep them apart from what is behind.
static void draw_answer(const view* v, const apart_result* r) {
    draw_line(v, r->point_a, r->point_b, "stroke-linecap=\"round\" stroke=\"#fff\" stroke-width=\"7\"");
    draw_line(v, r->point_a, r->point_b, "stroke-linecap=\"round\" stroke=\"#b3261e\" stroke-width=\"3\"");
    draw_circle(v, r->point_a, 5, "fill=\"#b3261e\" stroke=\"#fff\" stroke-width=\"2\"");
    draw_circle(v, r->point_b, 5, "fill=\"#b3261e\" stroke=\"#fff\" stroke-width=\"2\"");
    char text[64];
    snprintf(text, sizeof text, "%.3f", r->distance);
    draw_text(page_x(v, r->point_b) + 16, (page_y(v, r->point_a) + page_y(v, r->point_b)) / 2 + 46,
              "text-anchor=\"middle\" font-size=\"24\" font-weight=\"bold\" fill=\"#b3261e\"", text);
}

static void draw_caption(const piece* a, const piece* b, const apart_result* r, const apart_result* hulls) {
    char text[TEXT_SIZE];
    size_t count_a = a->mesh.triangle_count, count_b = b->mesh.triangle_count;
    draw_text(40, HEIGHT - 62, "font-weight=\"bold\"", "The king falls. How far is it from the knight?");
    snprintf(text, sizeof text, "The least distance of %zu triangles from %zu others: %zu pairs.", count_a, count_b,
             count_a * count_b);
    draw_text(40, HEIGHT - 40, "", text);
    snprintf(text, sizeof text, "Certified between %.12f and %.12f. The convex hulls of the two %s.", r->lower_bound,
             r->distance, hulls->distance > 0 ? "are apart, too" : "overlap");
    draw_text(40, HEIGHT - 18, "fill=\"#666\"", text);
}

static apart_status draw_page(const piece* a, const piece* b, const apart_result* r, const apart_result* hulls) {
    view v = look_from((apart_vec3){-0.22, -1, 0.24}, 195, 521, 5.1);
    begin_page(HEIGHT, "The nearest points of two chess pieces");
    printf("<defs><radialGradient id=\"shadow\"><stop offset=\"0.5\" stop-color=\"#8a8578\" stop-opacity=\"0.55\"/>"
           "<stop offset=\"1\" stop-color=\"#8a8578\" stop-opacity=\"0\"/></radialGradient></defs>\n");
    draw_shadow(&v, (apart_vec3){3, 2, 0}, 37, 37);
    draw_shadow(&v, (apart_vec3){84, 2, 0}, 64, 30);
    apart_status status = draw_pieces(&v, a, b);
    draw_answer(&v, r);
    draw_caption(a, b, r, hulls);
    end_page();
    return status;
}

// --------------------------------------------------------------------------------------------------------- main ----

/// Lengths are those of the files: each piece is 100 high and stands on z = 0; the knight looks towards +x.
static void arrange(piece* knight, piece* king) {
    const double lean = -1.36; // radians about the y axis
    knight->pose = apart_pose_identity;
    king->pose = apart_pose_from_quaternion(cos(lean / 2), 0, sin(lean / 2), 0, (apart_vec3){120, 0, 22});
    knight->colour = (apart_vec3){176, 112, 68};
    king->colour = (apart_vec3){250, 238, 212};
}

int main(int argc, char** argv) {
    const char* folder = argc > 1 ? argv[1] : "data/chess";
    apart_error error = {0};
    apart_result result = {0}, hulls = {0};
    piece knight = {0}, king = {0};
    arrange(&knight, &king);
    apart_status status = load(&knight, folder, "knight", &error);
    if (status == APART_OK) status = load(&king, folder, "king", &error);
    if (status == APART_OK)
        status = apart_distance(knight.surface, &knight.pose, king.surface, &king.pose, NULL, NULL, &result);
    if (status == APART_OK)
        status = apart_distance(knight.hull, &knight.pose, king.hull, &king.pose, NULL, NULL, &hulls);
    if (status == APART_OK) status = draw_page(&knight, &king, &result, &hulls);
    if (status != APART_OK)
        fprintf(stderr, "draw_chess: %s\n", error.status ? error.message : apart_status_text(status));
    release(&knight);
    release(&king);
    return status == APART_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

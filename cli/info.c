// apart info FILE: what is in a file, or what a shape said on the line is.
#include "cli.h"
#include "json.h"
#include "print.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] = "Usage: apart info FILE [--json]\n"
                           "\n"
                           "What is in a file: format, points, triangles, whether their surface is closed,\n"
                           "its components, which of them are solid, holes, size, convex hull.\n"
                           "\n"
                           "FILE is STL, OBJ, PLY, OFF (known by content), lines of x y z (.xyz .txt .pts\n"
                           ".csv .asc), points:FILE, - for standard input, or a shape said on the line such\n"
                           "as box:1,2,3 (see 'apart distance --help').\n"
                           "\n"
                           "Points with equal coordinates count as one where edges are counted. An edge of\n"
                           "an odd number of triangles is open, and a surface without open edges is closed.\n"
                           "Triangles that share edges form a component. It is solid, so that a body inside\n"
                           "it overlaps it, if it is closed or caps over its holes would add at most a\n"
                           "hundredth to its area.\n"
                           "\n"
                           "Options:\n"
                           "  --json       one JSON object on one line\n"
                           "  -h, --help   this help\n";

typedef struct report {
    const body* body;
    apart_mesh_survey survey;
    apart_shape_info surface; // of the triangles; zeros if there are none
    apart_shape_info hull;
    apart_vec3 lower, upper; // the box around it
} report;

static void widen(report* r, apart_vec3 p) {
    r->lower = (apart_vec3){fmin(r->lower.x, p.x), fmin(r->lower.y, p.y), fmin(r->lower.z, p.z)};
    r->upper = (apart_vec3){fmax(r->upper.x, p.x), fmax(r->upper.y, p.y), fmax(r->upper.z, p.z)};
}

// A shape describes its own box; that of a file is exact, around the points that count.
static void find_box(report* r) {
    const apart_mesh* mesh = &r->body->mesh;
    r->lower = r->body->info.lower;
    r->upper = r->body->info.upper;
    if (!r->body->is_file) return;
    r->lower = r->upper = mesh->vertices[mesh->triangle_count ? mesh->triangles[0][0] : 0];
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (size_t i = 0; i < 3; i++) widen(r, mesh->vertices[mesh->triangles[t][i]]);
    for (size_t i = 0; i < mesh->vertex_count && !mesh->triangle_count; i++) widen(r, mesh->vertices[i]);
}

static const char* dimension_name(int dimension) {
    static const char* const names[] = {"a point", "a segment", "flat", "solid"};
    return dimension >= 0 && dimension <= 3 ? names[dimension] : "not known";
}

static bool is_closed(const apart_shape_info* surface) { return surface->components > 0 && surface->open_edges == 0; }

// ------------------------------------------------------------------------------------------------ for programs ----

static json_t* json_file(const report* r) {
    const apart_mesh* mesh = &r->body->mesh;
    return json_pack("{s:s, s:I, s:I, s:I, s:I}", "format", mesh->format, "points", (json_int_t)mesh->vertex_count,
                     "distinct_points", (json_int_t)r->survey.distinct, "unused_points", (json_int_t)r->survey.unused,
                     "triangles", (json_int_t)mesh->triangle_count);
}

static json_t* json_surface(const report* r) {
    const apart_shape_info* s = &r->surface;
    json_t* closed = r->body->is_mesh ? json_boolean(is_closed(s)) : json_null();
    return json_pack("{s:I, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:{s:I, s:I}}", "degenerate_triangles",
                     (json_int_t)s->degenerate, "closed", closed, "components", (json_int_t)s->components, "solids",
                     (json_int_t)s->solids, "edges", (json_int_t)s->edges, "open_edges", (json_int_t)s->open_edges,
                     "crowded_edges", (json_int_t)s->crowded_edges, "holes", (json_int_t)s->holes, "tree", "boxes",
                     (json_int_t)s->tree_nodes, "levels", (json_int_t)s->tree_depth);
}

static json_t* json_hull(const report* r) {
    const apart_shape_info* hull = &r->hull;
    return json_pack("{s:o, s:o, s:{s:i, s:I, s:I, s:I, s:o}}", "lower", json_point(r->lower), "upper",
                     json_point(r->upper), "hull", "dimension", hull->dimension, "vertices", (json_int_t)hull->vertices,
                     "edges", (json_int_t)hull->edges, "faces", (json_int_t)hull->faces, "radius",
                     json_number(hull->radius));
}

static int print_json(const report* r) {
    json_t* out = json_pack("{s:o, s:s}", "name", json_text(r->body->name), "kind", r->body->kind);
    // A NULL in any of these is a failure; everything handed over is released.
    int failed = r->body->is_file ? json_object_update_new(out, json_file(r)) : 0;
    if (r->body->is_file) failed |= json_object_update_new(out, json_surface(r));
    failed |= json_object_update_new(out, json_hull(r));
    if (failed) {
        json_decref(out);
        out = NULL;
    }
    return json_print(out);
}

// -------------------------------------------------------------------------------------------------- for people ----

static void print_file(const report* r) {
    const apart_mesh* mesh = &r->body->mesh;
    print_label("format");
    printf("%s\n", mesh->format);
    print_label("points");
    printf("%zu", mesh->vertex_count);
    if (r->survey.distinct < mesh->vertex_count) printf(", %zu different", r->survey.distinct);
    if (r->survey.unused) printf(", %zu that no triangle uses (left out)", r->survey.unused);
    printf("\n");
}

static void print_components(const apart_shape_info* s) {
    print_label("components");
    printf("%zu", s->components);
    if (s->solids == s->components && s->solids > 0)
        printf(", solid\n");
    else if (s->solids == 0)
        printf(", not solid\n");
    else
        printf(", %zu of them solid\n", s->solids);
}

static void print_surface(const apart_shape_info* s) {
    print_label("triangles");
    printf("%zu", s->triangles);
    if (s->degenerate) printf(", %zu without area", s->degenerate);
    printf("\n");
    print_label("surface");
    if (s->open_edges)
        printf("open: %zu open edge%s, %zu hole%s", s->open_edges, plural(s->open_edges), s->holes, plural(s->holes));
    else
        printf(is_closed(s) ? "closed" : "none: every triangle is a point or a line");
    if (s->crowded_edges) printf(", %zu edge%s of more than two triangles", s->crowded_edges, plural(s->crowded_edges));
    printf("\n");
    print_components(s);
    print_label("tree");
    printf("%zu box%s, %zu level%s\n", s->tree_nodes, s->tree_nodes == 1 ? "" : "es", s->tree_depth,
           plural(s->tree_depth));
}

static void print_hull(const apart_shape_info* info) {
    print_label("hull");
    if (info->vertices == 0)
        printf("without corners");
    else
        printf("%zu vertices, %zu edges, %zu faces", info->vertices, info->edges, info->faces);
    printf("; %s", dimension_name(info->dimension));
    if (info->radius > 0) printf(", rounded outwards by %.9g", info->radius);
    printf("\n");
}

static void print_report(const report* r) {
    print_styled(STRONG, "%s\n", show_name(r->body->name).text);
    if (r->body->is_file) print_file(r);
    if (r->body->is_mesh) print_surface(&r->surface);
    print_label("size");
    printf("%.9g x %.9g x %.9g\n", r->upper.x - r->lower.x, r->upper.y - r->lower.y, r->upper.z - r->lower.z);
    print_label("from");
    printf("%s\n", show_point(r->lower).text);
    print_label("to");
    printf("%s\n", show_point(r->upper).text);
    print_hull(&r->hull);
}

// ------------------------------------------------------------------------------------------------------------- ----

// Fills in all that is known of the body.
static bool examine(const body* b, report* r, apart_error* error) {
    *r = (report){.body = b, .hull = b->info};
    find_box(r);
    if (b->is_mesh) r->surface = b->info;
    if (b->is_mesh && !body_describe_hull(b, &r->hull, error)) return false;
    if (apart_mesh_look(&b->mesh, &r->survey) == APART_OK) return true;
    snprintf(error->message, sizeof error->message, "%.80s: out of memory", b->name);
    return false;
}

static int describe(const char* name, bool json) {
    body b;
    report r;
    apart_error error;
    if (!body_open(name, &(body_options){0}, &b, &error)) return complain("%s", error.message);
    int status = EXIT_SUCCESS;
    if (!examine(&b, &r, &error))
        status = complain("%s", error.message);
    else if (json)
        status = print_json(&r);
    else
        print_report(&r);
    body_close(&b);
    return status;
}

int run_info(int argc, char** argv) {
    static const struct option words[] = {
        {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    bool json = false;
    opterr = 0;
    for (int option = 0; (option = getopt_long(argc, argv, ":h", words, NULL)) != -1;) {
        if (option == 'h') return print_help(help);
        if (option != 'j') return complain_option("info", option, argv);
        json = true;
    }
    if (argc - optind != 1) return complain("info takes one file, not %d; see 'apart info --help'", argc - optind);
    return describe(argv[optind], json);
}

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
                           "What is in a file: format, points, triangles, whether the surface is closed,\n"
                           "size, convex hull.\n"
                           "\n"
                           "FILE is STL, OBJ, PLY, OFF (known by content), lines of x y z (.xyz .txt .pts\n"
                           ".csv .asc), points:FILE, - for standard input, or a shape said on the line such\n"
                           "as box:1,2,3 (see 'apart distance --help').\n"
                           "\n"
                           "Points with equal coordinates count as one where edges are counted. A surface\n"
                           "is closed if every edge belongs to exactly two triangles. Distances take the\n"
                           "convex hull.\n"
                           "\n"
                           "Options:\n"
                           "  --json       one JSON object on one line\n"
                           "  -h, --help   this help\n";

typedef struct report {
    const body* body;
    apart_mesh_survey survey;
    apart_vec3 lower, upper; // the box around it
} report;

static void widen(report* r, apart_vec3 p) {
    r->lower = (apart_vec3){fmin(r->lower.x, p.x), fmin(r->lower.y, p.y), fmin(r->lower.z, p.z)};
    r->upper = (apart_vec3){fmax(r->upper.x, p.x), fmax(r->upper.y, p.y), fmax(r->upper.z, p.z)};
}

// A shape describes its own box; that of a file is exact, around the points that make its hull.
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

// ------------------------------------------------------------------------------------------------ for programs ----

static json_t* json_surface(const report* r) {
    const apart_mesh* mesh = &r->body->mesh;
    const apart_mesh_survey* s = &r->survey;
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:o, s:I, s:I}", "format", mesh->format, "points",
                     (json_int_t)mesh->vertex_count, "distinct_points", (json_int_t)s->distinct, "unused_points",
                     (json_int_t)s->unused, "triangles", (json_int_t)mesh->triangle_count, "degenerate_triangles",
                     (json_int_t)s->degenerate, "closed", mesh->triangle_count ? json_boolean(s->closed) : json_null(),
                     "open_edges", (json_int_t)s->open_edges, "crowded_edges", (json_int_t)s->crowded);
}

static int print_json(const report* r) {
    const apart_shape_info* info = &r->body->info;
    json_t* out = json_pack("{s:o, s:s}", "name", json_text(r->body->name), "kind", r->body->kind);
    json_t* surface = r->body->is_file ? json_surface(r) : json_object();
    json_t* hull = json_pack("{s:o, s:o, s:{s:i, s:I, s:I, s:I, s:o}}", "lower", json_point(r->lower), "upper",
                             json_point(r->upper), "hull", "dimension", info->dimension, "vertices",
                             (json_int_t)info->vertices, "edges", (json_int_t)info->edges, "faces",
                             (json_int_t)info->faces, "radius", json_number(info->radius));
    if (!out || !surface || !hull || json_object_update(out, surface) || json_object_update(out, hull)) {
        json_decref(out);
        out = NULL;
    }
    json_decref(surface);
    json_decref(hull);
    return json_print(out);
}

// -------------------------------------------------------------------------------------------------- for people ----

static void print_surface(const report* r) {
    const apart_mesh* mesh = &r->body->mesh;
    const apart_mesh_survey* s = &r->survey;
    print_label("format");
    printf("%s\n", mesh->format);
    print_label("points");
    printf("%zu", mesh->vertex_count);
    if (s->distinct < mesh->vertex_count) printf(", %zu different", s->distinct);
    if (s->unused) printf(", %zu that no triangle uses (left out of the hull)", s->unused);
    printf("\n");
    if (mesh->triangle_count == 0) return;
    print_label("triangles");
    printf("%zu", mesh->triangle_count);
    if (s->degenerate) printf(", %zu without area", s->degenerate);
    printf("\n");
    print_label("surface");
    if (s->closed)
        printf("closed\n");
    else
        printf("open: %zu edges of one triangle, %zu of more than two\n", s->open_edges, s->crowded);
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
    if (r->body->is_file) print_surface(r);
    print_label("size");
    printf("%.9g x %.9g x %.9g\n", r->upper.x - r->lower.x, r->upper.y - r->lower.y, r->upper.z - r->lower.z);
    print_label("from");
    printf("%s\n", show_point(r->lower).text);
    print_label("to");
    printf("%s\n", show_point(r->upper).text);
    print_hull(&r->body->info);
}

// ------------------------------------------------------------------------------------------------------------- ----

static int describe(const char* name, bool json) {
    body b;
    apart_error error;
    if (!body_open(name, &b, &error)) return complain("%s", error.message);
    report r = {.body = &b};
    find_box(&r);
    int status = EXIT_SUCCESS;
    if (apart_mesh_look(&b.mesh, &r.survey) != APART_OK)
        status = complain("%s: out of memory", name);
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

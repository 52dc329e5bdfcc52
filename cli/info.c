// apart info FILE: what is in a file, in those of a folder, or what a shape said on the line is.
#include "cli.h"
#include "folder.h"
#include "json.h"
#include "parse.h"
#include "print.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] = "Usage: apart info FILE|FOLDER... [OPTIONS]\n"
                           "\n"
                           "What is in a file: format, points, triangles, whether their surface is closed,\n"
                           "its components, which of them are solid, holes, which way the triangles are\n"
                           "turned, area, volume, size, convex hull. Several files get a line each, and so\n"
                           "do those of a FOLDER and the folders in it (.stl .obj .ply .off .xyz .pts).\n"
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
                           "The volume is told of a closed surface; parts that overlap count twice.\n"
                           "\n"
                           "Options:\n"
                           "  --hull       the convex hull of triangles also if there are over 10000 points\n"
                           "  --scale S    files larger by a factor S, or SX,SY,SZ along the axes\n"
                           "  --strict     refuse files that are odd, instead of a warning\n"
                           "  --json       one JSON object on one line, for each file\n"
                           "  -h, --help   this help\n";

// The hull of more points is not computed unless asked for: it may take longer than everything else.
enum { HULL_POINTS = 10000 };

typedef struct report {
    const body* body;
    apart_io_survey survey;
    apart_shape_info surface; // of the triangles; zeros if there are none
    apart_shape_info hull;
    bool has_hull;
    apart_vec3 lower, upper; // the box around it
} report;

static void widen(report* r, apart_vec3 p) {
    r->lower = (apart_vec3){fmin(r->lower.x, p.x), fmin(r->lower.y, p.y), fmin(r->lower.z, p.z)};
    r->upper = (apart_vec3){fmax(r->upper.x, p.x), fmax(r->upper.y, p.y), fmax(r->upper.z, p.z)};
}

// A shape describes its own box; that of a file is exact, around the points that count.
static void find_box(report* r) {
    const apart_io_mesh* mesh = &r->body->mesh;
    r->lower = r->body->info.lower;
    r->upper = r->body->info.upper;
    if (!r->body->is_file) return;
    r->lower = r->upper = mesh->vertices[mesh->triangle_count ? mesh->triangles[0] : 0];
    for (size_t i = 0; i < 3 * mesh->triangle_count; i++) widen(r, mesh->vertices[mesh->triangles[i]]);
    for (size_t i = 0; i < mesh->vertex_count && !mesh->triangle_count; i++) widen(r, mesh->vertices[i]);
}

static const char* dimension_name(int dimension) {
    static const char* const names[] = {"a point", "a segment", "flat", "solid"};
    return dimension >= 0 && dimension <= 3 ? names[dimension] : "not known";
}

static bool is_closed(const apart_shape_info* surface) { return surface->components > 0 && surface->open_edges == 0; }

// Which way the triangles are turned; NULL if there is nothing to say, as of a surface that is open but consistent.
static const char* orientation(const report* r) {
    const apart_io_survey* s = &r->survey;
    if (!r->body->is_mesh) return NULL;
    if (s->twisted_edges) return "inconsistent";
    if (!is_closed(&r->surface)) return NULL;
    return s->outward && s->inward ? "mixed" : s->outward ? "outward" : s->inward ? "inward" : NULL;
}

// What is closed and consistent has a volume, whichever way it is turned.
static bool has_volume(const report* r) {
    return r->body->is_mesh && is_closed(&r->surface) && r->survey.twisted_edges == 0;
}

// ------------------------------------------------------------------------------------------------ for programs ----

static json_t* json_file(const report* r) {
    const apart_io_mesh* mesh = &r->body->mesh;
    return json_pack("{s:s, s:I, s:I, s:I, s:I}", "format", mesh->format, "points", (json_int_t)mesh->vertex_count,
                     "distinct_points", (json_int_t)r->survey.distinct, "unused_points", (json_int_t)r->survey.unused,
                     "triangles", (json_int_t)mesh->triangle_count);
}

static json_t* json_surface(const report* r) {
    const apart_shape_info* s = &r->surface;
    json_t* closed = r->body->is_mesh ? json_boolean(is_closed(s)) : json_null();
    json_t* area = r->body->is_mesh ? json_number(r->survey.area) : json_null();
    json_t* volume = has_volume(r) ? json_number(fabs(r->survey.volume)) : json_null();
    return json_pack("{s:I, s:I, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:s?, s:I, s:o, s:o, s:{s:I, s:I}}",
                     "degenerate_triangles", (json_int_t)s->degenerate, "idle_triangles", (json_int_t)s->idle, "closed",
                     closed, "components", (json_int_t)s->components, "solids", (json_int_t)s->solids, "almost_solids",
                     (json_int_t)s->almost_solids, "edges", (json_int_t)s->edges, "open_edges",
                     (json_int_t)s->open_edges, "crowded_edges", (json_int_t)s->crowded_edges, "holes",
                     (json_int_t)s->holes, "largest_hole", json_hole(s), "orientation", orientation(r), "twisted_edges",
                     (json_int_t)r->survey.twisted_edges, "area", area, "volume", volume, "tree", "boxes",
                     (json_int_t)s->tree_nodes, "levels", (json_int_t)s->tree_depth);
}

static json_t* json_hull(const report* r) {
    const apart_shape_info* hull = &r->hull;
    if (body_is_unbounded(r->body)) return json_pack("{s:n, s:n, s:n}", "lower", "upper", "hull");
    if (!r->has_hull)
        return json_pack("{s:o, s:o, s:n}", "lower", json_point(r->lower), "upper", json_point(r->upper), "hull");
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

// An area or volume, 9 digits. Cubes of lengths leave the range of doubles early.
typedef struct amount_text {
    char text[40];
} amount_text;
static amount_text show_amount(double x) {
    amount_text out;
    snprintf(out.text, sizeof out.text, isfinite(x) ? "%.9g" : "too large for a double", x);
    return out;
}

static void print_file(const report* r) {
    const apart_io_mesh* mesh = &r->body->mesh;
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
    if (s->idle) printf(", %zu repeated or cancelled by their like", s->idle);
    printf("\n");
    print_label("surface");
    if (s->open_edges) {
        const apart_vec3 l = s->hole_lower, u = s->hole_upper;
        printf("open: %zu open edge%s, %zu hole%s", s->open_edges, plural(s->open_edges), s->holes, plural(s->holes));
        printf(", the largest %.3g x %.3g x %.3g from %s", u.x - l.x, u.y - l.y, u.z - l.z, show_point(l).text);
    } else {
        printf(is_closed(s) ? "closed" : "none: every triangle is a point or a line");
    }
    if (s->crowded_edges) printf(", %zu edge%s of more than two triangles", s->crowded_edges, plural(s->crowded_edges));
    printf("\n");
    print_components(s);
}

static void print_tree(const apart_shape_info* s) {
    print_label("tree");
    printf("%zu box%s, %zu level%s\n", s->tree_nodes, s->tree_nodes == 1 ? "" : "es", s->tree_depth,
           plural(s->tree_depth));
}

// Which way the triangles are turned, and what they cover and enclose.
static void print_measures(const report* r) {
    const apart_io_survey* s = &r->survey;
    const char* turned = orientation(r);
    if (turned) {
        print_label("normals");
        printf("%s", turned);
        if (s->twisted_edges)
            printf(": neighbours turned against each other at %zu edge%s", s->twisted_edges, plural(s->twisted_edges));
        else if (s->outward && s->inward)
            printf(": %zu component%s outward, %zu inward (cavities, or turned inside out)", s->outward,
                   plural(s->outward), s->inward);
        printf("\n");
    }
    print_label("area");
    printf("%s\n", show_amount(s->area).text);
    if (!has_volume(r)) return;
    print_label("volume");
    printf("%s\n", show_amount(fabs(s->volume)).text);
}

static void print_hull(const report* r) {
    const apart_shape_info* info = &r->hull;
    print_label("hull");
    if (!r->has_hull) {
        printf("not computed, more than %d points (--hull)\n", HULL_POINTS);
        return;
    }
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
    if (r->body->is_mesh) {
        print_surface(&r->surface);
        print_measures(r);
        print_tree(&r->surface);
    }
    print_label("size");
    if (body_is_unbounded(r->body)) {
        printf("unbounded: a half-space\n");
        return;
    }
    printf("%.9g x %.9g x %.9g\n", r->upper.x - r->lower.x, r->upper.y - r->lower.y, r->upper.z - r->lower.z);
    print_label("from");
    printf("%s\n", show_point(r->lower).text);
    print_label("to");
    printf("%s\n", show_point(r->upper).text);
    print_hull(r);
}

// A line for one of many.
static void print_line(const report* r) {
    const apart_io_mesh* mesh = &r->body->mesh;
    print_styled(STRONG, "%s", show_name(r->body->name).text);
    printf(": %s", r->body->is_file ? mesh->format : r->body->kind);
    if (r->body->is_file) printf(", %zu point%s", mesh->vertex_count, plural(mesh->vertex_count));
    if (r->body->is_mesh) {
        const apart_shape_info* s = &r->surface;
        printf(", %zu triangle%s, %s", s->triangles, plural(s->triangles), is_closed(s) ? "closed" : "open");
        printf(", %zu of %zu component%s solid", s->solids, s->components, plural(s->components));
        if (orientation(r)) printf(", %s", orientation(r));
        printf(", area %s", show_amount(r->survey.area).text);
        if (has_volume(r)) printf(", volume %s", show_amount(fabs(r->survey.volume)).text);
    }
    if (body_is_unbounded(r->body))
        printf(", unbounded\n");
    else
        printf(", size %.9g x %.9g x %.9g\n", r->upper.x - r->lower.x, r->upper.y - r->lower.y,
               r->upper.z - r->lower.z);
}

// ------------------------------------------------------------------------------------------------------------- ----

typedef struct options {
    apart_io_options file; // hull: of everything, however large
    bool json, many, scaled;
} options;

// Fills in all that is known of the body.
static bool examine(const body* b, const options* o, report* r, apart_error* error) {
    const bool small = b->mesh.vertex_count <= HULL_POINTS && (o->json || !o->many);
    *r = (report){.body = b, .hull = b->info, .has_hull = !b->is_mesh || o->file.hull || small};
    find_box(r);
    if (b->is_mesh) r->surface = b->info;
    if (b->is_mesh && r->has_hull && !body_describe_hull(b, &r->hull, error)) return false;
    if (apart_io_look(&b->mesh, &r->survey) == APART_OK) return true;
    snprintf(error->message, sizeof error->message, "%.80s: out of memory", b->name);
    return false;
}

static int report_on(const body* b, const options* o) {
    report r;
    apart_error error;
    if (o->scaled && !b->is_file)
        return complain("%.80s: --scale is for a file; write a shape in the size that it has", b->name);
    if (!examine(b, o, &r, &error)) return complain("%s", error.message);
    if (o->json) return print_json(&r);
    if (o->many)
        print_line(&r);
    else
        print_report(&r);
    return EXIT_SUCCESS;
}

static int describe(const char* name, const options* o) {
    body b;
    apart_error error;
    apart_io_options file = o->file;
    file.hull = false;
    if (!body_open(name, &file, &b, &error)) return complain("%s", error.message);
    const int status = report_on(&b, o);
    body_close(&b);
    return status;
}

// The argument, or what is in it if it is a folder.
static bool expand(const char* argument, name_list* files, options* o) {
    const size_t before = files->count;
    errno = 0;
    if (!is_folder(argument)) {
        if (name_list_add(files, argument)) return true;
    } else if (folder_list(argument, files)) {
        o->many = true;
        if (files->count > before) return true;
        complain("%.200s: a folder without .stl, .obj, .ply, .off, .xyz or .pts files", argument);
        return false;
    }
    complain("%.200s: cannot be read: %s", argument, strerror(errno ? errno : ENOMEM));
    return false;
}

// All of them, also after one that cannot be read.
static int describe_all(char** arguments, int count, options* o) {
    int inputs = 0;
    for (int i = 0; i < count; i++) inputs += body_is_input(arguments[i]);
    if (inputs > 1) return complain("standard input can be read once only; put what is there into a file");
    int status = EXIT_SUCCESS;
    name_list files = {0};
    for (int i = 0; i < count; i++)
        if (!expand(arguments[i], &files, o)) status = EXIT_TROUBLE;
    o->many = o->many || count > 1;
    for (size_t i = 0; i < files.count; i++)
        if (describe(files.name[i], o) != EXIT_SUCCESS) status = EXIT_TROUBLE;
    name_list_free(&files);
    return status;
}

enum { JSON = 256, HULL, SCALE, STRICT };

static int take_option(int option, char** argv, options* o) {
    apart_error error;
    switch (option) {
    case JSON:
        o->json = true;
        return 0;
    case HULL:
        o->file.hull = true;
        return 0;
    case STRICT:
        o->file.strict = true;
        return 0;
    case SCALE:
        o->scaled = true;
        if (parse_scale(optarg, o->file.scale, &error)) return 0;
        return complain("--scale: %s", error.message);
    default:
        return complain_option("info", option, argv);
    }
}

int run_info(int argc, char** argv) {
    static const struct option words[] = {
        {"json", no_argument, NULL, JSON},         {"hull", no_argument, NULL, HULL},
        {"scale", required_argument, NULL, SCALE}, {"strict", no_argument, NULL, STRICT},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0}};
    options o = {0};
    opterr = 0;
    for (int option = 0; (option = getopt_long(argc, argv, ":h", words, NULL)) != -1;) {
        if (option == 'h') return print_help(help);
        const int status = take_option(option, argv, &o);
        if (status != 0) return status;
    }
    if (argc == optind) return complain("info takes files or folders; see 'apart info --help'");
    return describe_all(argv + optind, argc - optind, &o);
}

// apart distance A B: distance, nearest points and direction between two bodies; on overlap the depth, if asked for.
#include "cli.h"
#include "json.h"
#include "parse.h"
#include "print.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] = "Usage: apart distance A B [OPTIONS]\n"
                           "\n"
                           "Distance, nearest points and direction between two bodies. Every answer comes\n"
                           "with a lower bound that is certain, rounding included.\n"
                           "\n"
                           "A and B are files, or shapes said on the line:\n"
                           "  FILE              STL, OBJ, PLY, OFF (known by content), or lines of x y z\n"
                           "                    (.xyz .txt .pts .csv .asc)\n"
                           "  points:FILE       lines of x y z, whatever the file is called\n"
                           "  -                 standard input, in any of these formats\n"
                           "  box:HX,HY,HZ      half sizes; a fourth number rounds it outwards by a radius\n"
                           "  sphere:R          radius\n"
                           "  capsule:H,R       half height along z, radius\n"
                           "  cylinder:H,R      half height along z, radius\n"
                           "  cone:H,R          half height along z (apex at +H), radius of the base\n"
                           "  ellipsoid:X,Y,Z   semi-axes\n"
                           "A file stands as its CONVEX HULL: hollows and holes count as filled.\n"
                           "\n"
                           "Options:\n"
                           "  --pose-a P            where A is; at the origin if not said\n"
                           "  --pose-b P            where B is\n"
                           "  --method M            auto (default), gjk, enhanced or features\n"
                           "  --relative-error E    stop when the lower bound reaches (1 - E) times the\n"
                           "                        distance; 0 (default) is as exact as doubles allow\n"
                           "  --absolute-error E    or when distance and lower bound differ by at most E\n"
                           "  --cutoff D            or when the distance is certainly at least D\n"
                           "  --depth none          on overlap: none (default) answers distance 0; bound how\n"
                           "          bound         deep they are at least and at most, cheaply; exact how\n"
                           "          exact         deep, which points, and the direction that takes B out\n"
                           "  --hull                files as convex hulls (always so in this version)\n"
                           "  --trace               show every step of the algorithm\n"
                           "  --json                one JSON object on one line\n"
                           "  -h, --help            this help\n"
                           "\n"
                           "A pose P is numbers separated by commas or blanks, one of\n"
                           "  x,y,z\n"
                           "  x,y,z,roll,pitch,yaw  radians, about the fixed axes x, y, z in this order\n"
                           "                        (as in URDF)\n"
                           "  x,y,z,qx,qy,qz,qw     a quaternion\n"
                           "  16 numbers            a 4x4 matrix, row by row\n"
                           "\n"
                           "Examples:\n"
                           "  apart distance box:1,1,1 sphere:0.5 --pose-b 4,0,0\n"
                           "  apart distance gear.ply rocket.stl --pose-b '0 0 3  0 1.5707963 0' --json\n"
                           "  apart distance box:1,1,1 cone:1,1 --pose-b 0,0,1.9 --depth exact\n";

typedef struct options {
    apart_pose pose_a, pose_b;
    apart_query query;
    bool json, trace, help;
    const char *a, *b;
} options;

// --------------------------------------------------------------------------------------------------- arguments ----

enum { POSE_A = 256, POSE_B, METHOD, RELATIVE, ABSOLUTE, CUTOFF, DEPTH, HULL, TRACE, JSON };
static const struct option words[] = {{"pose-a", required_argument, NULL, POSE_A},
                                      {"pose-b", required_argument, NULL, POSE_B},
                                      {"method", required_argument, NULL, METHOD},
                                      {"relative-error", required_argument, NULL, RELATIVE},
                                      {"absolute-error", required_argument, NULL, ABSOLUTE},
                                      {"cutoff", required_argument, NULL, CUTOFF},
                                      {"depth", required_argument, NULL, DEPTH},
                                      {"hull", no_argument, NULL, HULL},
                                      {"trace", no_argument, NULL, TRACE},
                                      {"json", no_argument, NULL, JSON},
                                      {"help", no_argument, NULL, 'h'},
                                      {NULL, 0, NULL, 0}};

static int take_pose(const char* option, apart_pose* out) {
    apart_error error;
    if (parse_pose(optarg, out, &error)) return 0;
    return complain("%s: %s", option, error.message);
}

static int take_size(const char* option, double most, double* out) {
    if (parse_number(optarg, out) && *out >= 0 && *out <= most) return 0;
    if (most < APART_LIMIT) return complain("%s: '%.40s' is not a number from 0 to %g", option, optarg, most);
    return complain("%s: '%.40s' is not a number, 0 or more", option, optarg);
}

static int take_depth(apart_query* query) {
    static const char* const depths[] = {
        [APART_DEPTH_NONE] = "none", [APART_DEPTH_BOUND] = "bound", [APART_DEPTH_EXACT] = "exact"};
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++)
        if (!strcmp(optarg, depths[i])) {
            query->depth = (apart_depth)i;
            return 0;
        }
    return complain("--depth: '%.40s' is not a depth; use none, bound or exact", optarg);
}

static int take_method(apart_query* query) {
    if (parse_method(optarg, &query->method)) return 0;
    return complain("--method: '%.40s' is not a method; use auto, gjk, enhanced or features", optarg);
}

static int take_option(int option, char** argv, options* o) {
    switch (option) {
    case POSE_A:
        return take_pose("--pose-a", &o->pose_a);
    case POSE_B:
        return take_pose("--pose-b", &o->pose_b);
    case METHOD:
        return take_method(&o->query);
    case RELATIVE:
        return take_size("--relative-error", 1, &o->query.relative_error);
    case ABSOLUTE:
        return take_size("--absolute-error", APART_LIMIT, &o->query.absolute_error);
    case CUTOFF:
        return take_size("--cutoff", APART_LIMIT, &o->query.cutoff);
    case DEPTH:
        return take_depth(&o->query);
    case HULL:
        return 0;
    case TRACE:
        o->trace = true;
        return 0;
    case JSON:
        o->json = true;
        return 0;
    case 'h':
        o->help = true;
        return 0;
    default:
        return complain_option("distance", option, argv);
    }
}

static int take_arguments(int argc, char** argv, options* o) {
    *o = (options){.pose_a = apart_pose_identity, .pose_b = apart_pose_identity, .query = apart_query_default()};
    opterr = 0;
    for (int option = 0; (option = getopt_long(argc, argv, ":h", words, NULL)) != -1;) {
        const int status = take_option(option, argv, o);
        if (status != 0 || o->help) return status;
    }
    if (argc - optind != 2)
        return complain("distance takes two bodies, not %d; see 'apart distance --help'", argc - optind);
    o->a = argv[optind];
    o->b = argv[optind + 1];
    return 0;
}

// ------------------------------------------------------------------------------------------------------- trace ----

typedef struct step_log {
    int lines;     // printed
    json_t* steps; // kept; NULL = print them
    bool failed;   // out of memory
} step_log;

static void print_step(const apart_step* step, void* context) {
    step_log* log = context;
    if (log->lines++ == 0) print_styled(FAINT, "%4s  %10s  %-24s %s\n", "step", "vertices", "lower bound", "distance");
    printf("%4d  %4d and %d  %-24.15g %.15g\n", step->iteration, step->count_a, step->count_b, step->lower,
           step->upper);
}

static void keep_step(const apart_step* s, void* context) {
    step_log* log = context;
    const size_t a = (size_t)s->count_a;
    const size_t b = (size_t)s->count_b;
    json_t* step =
        json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "iteration", s->iteration, "a", json_points(s->a, a),
                  "b", json_points(s->b, b), "weights_a", json_numbers(s->weight_a, a), "weights_b",
                  json_numbers(s->weight_b, b), "point_a", json_point(s->point_a), "point_b", json_point(s->point_b),
                  "lower_bound", json_number(s->lower), "distance", json_number(s->upper));
    if (json_array_append_new(log->steps, step) != 0) log->failed = true;
}

// ------------------------------------------------------------------------------------------------ for programs ----

// Whether the bodies certainly share a point: the true signed distance is at most `distance`.
static bool meet(const apart_result* r) { return r->distance <= 0; }

static json_t* json_vertices(const body* b, const apart_witness* w) {
    json_t* out = json_array();
    for (uint32_t i = 0; i < w->count; i++)
        if (json_array_append_new(out, json_integer((json_int_t)body_number(b, w->vertex[i]))) != 0) {
            json_decref(out);
            return NULL;
        }
    return out;
}

static json_t* json_body(const body* b, const apart_witness* w) {
    json_t* witness =
        json_pack("{s:o, s:o}", "vertices", json_vertices(b, w), "weights", json_numbers(w->weight, w->count));
    const json_int_t vertices = (json_int_t)b->info.vertices;
    if (!b->is_file)
        return json_pack("{s:o, s:s, s:I, s:o}", "name", json_text(b->name), "kind", b->kind, "vertices", vertices,
                         "witness", witness);
    return json_pack("{s:o, s:s, s:s, s:I, s:I, s:I, s:o}", "name", json_text(b->name), "kind", b->kind, "format",
                     b->mesh.format, "points", (json_int_t)b->mesh.vertex_count, "triangles",
                     (json_int_t)b->mesh.triangle_count, "vertices", vertices, "witness", witness);
}

static int print_json(const options* o, const body* a, const body* b, const apart_result* r, step_log* log) {
    json_t* out =
        json_pack("{s:o, s:o, s:b, s:o, s:o, s:o, s:i, s:i, s:i, s:s, s:o, s:o}", "distance", json_number(r->distance),
                  "lower_bound", json_number(r->lower_bound), "overlap", meet(r), "point_a", json_point(r->point_a),
                  "point_b", json_point(r->point_b), "normal", json_point(r->normal), "iterations", r->iterations,
                  "supports", r->supports, "visits", r->visits, "method", method_name(o->query.method), "a",
                  json_body(a, &r->a), "b", json_body(b, &r->b));
    if (log->failed || (out && log->steps && json_object_set(out, "trace", log->steps) != 0)) {
        json_decref(out);
        out = NULL;
    }
    return json_print(out);
}

// -------------------------------------------------------------------------------------------------- for people ----

// The largest coordinate of a body, in its own frame.
static double reach_of(const body* b) {
    const apart_vec3 l = b->info.lower, u = b->info.upper;
    return fmax(fmax(fmax(-l.x, u.x), fmax(-l.y, u.y)), fmax(-l.z, u.z));
}

// Whether there is more between the bounds than the digits that are printed, and more than rounding explains.
static bool is_open(const apart_result* r, const body* a, const body* b) {
    const double gap = r->distance - r->lower_bound;
    return gap > 1e-8 * fabs(r->distance) && gap > 1e-12 * fmax(reach_of(a), reach_of(b));
}

// Why the bracket is open. The errors asked for are compared with a little room for rounding.
static const char* reason(const apart_query* q, const apart_result* r) {
    const double size = fmax(fabs(r->distance), fabs(r->lower_bound));
    const double allowed = fmax(q->absolute_error, q->relative_error * size);
    if (q->depth == APART_DEPTH_BOUND && meet(r)) return "bounded as asked";
    if (r->distance - r->lower_bound <= allowed * (1 + 1e-9) || r->lower_bound >= q->cutoff)
        return "stopped early as asked";
    return "as near as the search came";
}

static void print_bracket(emphasis how, double low, double high, const char* why) {
    print_styled(how, "between %.9g and %.9g", low, high);
    printf(", %s\n", why);
}

static void print_closed(emphasis how, double value, double gap) {
    print_styled(how, "%.9g", value);
    if (gap > 0)
        printf("   certain to within %.1g\n", gap);
    else
        printf("   certain to the last digit\n");
}

// The bodies meet, and the caller asked how deep.
static void print_depth(const apart_query* q, const apart_result* r, bool open) {
    print_label("depth");
    if (open)
        print_bracket(ALARM, fabs(r->distance), -r->lower_bound, reason(q, r));
    else
        print_closed(ALARM, fabs(r->distance), r->distance - r->lower_bound);
}

static void print_distance(const apart_query* q, const apart_result* r, bool open) {
    print_label("distance");
    if (meet(r)) {
        print_styled(ALARM, "0");
        printf(": the bodies touch or overlap (how deep: --depth exact)\n");
    } else if (open) {
        print_bracket(STRONG, r->lower_bound, r->distance, reason(q, r));
    } else if (r->lower_bound <= 0) {
        print_styled(STRONG, "touching, to within rounding");
        printf(": at most %.2g apart", r->distance);
        if (r->lower_bound < 0) printf(", at most %.2g deep", -r->lower_bound);
        printf("\n");
    } else {
        print_closed(STRONG, r->distance, r->distance - r->lower_bound);
    }
}

static void print_points(const apart_result* r, const char* label, const char* of_a, const char* of_b,
                         const char* what_for) {
    print_label(label);
    printf("%s %s\n", show_point(r->point_a).text, of_a);
    print_label("");
    printf("%s %s\n", show_point(r->point_b).text, of_b);
    print_label("direction");
    printf("%s %s\n", show_point(r->normal).text, what_for);
}

static void print_answer(const options* o, const body* a, const body* b, const apart_result* r) {
    const apart_query* q = &o->query;
    const bool open = is_open(r, a, b);
    if (!meet(r)) {
        print_distance(q, r, open);
        print_points(r, "nearest", "on A", "on B", "from A to B");
    } else if (q->depth == APART_DEPTH_NONE) {
        print_distance(q, r, open);
        print_label("meet at");
        printf("%s\n", show_point(r->point_a).text);
    } else {
        print_depth(q, r, open);
        // A first bound says nothing about points and direction.
        if (!open || q->depth == APART_DEPTH_EXACT)
            print_points(r, "deepest", "of A in B", "of B in A",
                         open ? "takes B out of A, roughly" : "takes B out of A");
    }
    print_body("A", a);
    print_body("B", b);
    print_label("effort");
    printf("%d step%s, %d support points (%s)\n", r->iterations, r->iterations == 1 ? "" : "s", r->supports,
           method_name(q->method));
    if (a->is_file || b->is_file)
        print_styled(FAINT, "A file stands as its convex hull: hollows and holes count as filled.\n");
}

// ---------------------------------------------------------------------------------------------------- the query ----

static int answer(options* o, const body* a, const body* b) {
    apart_result result;
    step_log log = {0};
    if (o->trace) o->query.trace = o->json ? keep_step : print_step;
    if (o->trace && o->json) log.steps = json_array();
    o->query.trace_context = &log;
    const apart_status status = apart_distance(a->shape, &o->pose_a, b->shape, &o->pose_b, &o->query, NULL, &result);
    if (log.lines > 0) printf("\n");
    int exit_status = EXIT_SUCCESS;
    if (status != APART_OK)
        exit_status = complain("no answer: %s", apart_status_text(status));
    else if (o->json)
        exit_status = print_json(o, a, b, &result, &log);
    else
        print_answer(o, a, b, &result);
    json_decref(log.steps);
    return exit_status;
}

int run_distance(int argc, char** argv) {
    options o;
    const int status = take_arguments(argc, argv, &o);
    if (status != 0) return status;
    if (o.help) return print_help(help);
    body a;
    body b;
    apart_error error;
    if (!body_open(o.a, &a, &error)) return complain("%s", error.message);
    int exit_status = EXIT_TROUBLE;
    if (body_open(o.b, &b, &error)) {
        exit_status = answer(&o, &a, &b);
        body_close(&b);
    } else {
        complain("%s", error.message);
    }
    body_close(&a);
    return exit_status;
}

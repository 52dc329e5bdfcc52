// apart distance A B: distance, nearest points and direction between two bodies; on overlap the depth, if asked for.
#include "answer.h"
#include "cli.h"
#include "json.h"
#include "motion.h"
#include "parse.h"
#include "print.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] = "Usage: apart distance A B [OPTIONS]\n"
                           "\n"
                           "Distance, nearest points and direction between two bodies. Every answer comes\n"
                           "with bounds that are certain, rounding included.\n"
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
                           "  ground:Z          all below height Z\n"
                           "  halfspace:NX,NY,NZ,D\n"
                           "                    all x with n . x <= D; n of any length\n"
                           "A file with triangles is their surface, solid where it is closed; one of points\n"
                           "only is its CONVEX HULL.\n"
                           "\n"
                           "Options:\n"
                           "  --pose-a P            where A is; at the origin if not said\n"
                           "  --pose-b P            where B is\n"
                           "  --scale S             files larger by a factor S, or SX,SY,SZ along the axes;\n"
                           "                        negative ones mirror. --scale-a, --scale-b: of one\n"
                           "  --hull                files as convex hulls: hollows and holes filled\n"
                           "  --hollow              closed surfaces are no solids: a body inside one is apart\n"
                           "  --method M            auto (default), gjk, enhanced, features or spheres\n"
                           "  --sphere-radius R     of the leaf spheres, for --method spheres\n"
                           "  --relative-error E    stop when the lower bound reaches (1 - E) times the\n"
                           "                        upper; 0 (default) is as exact as doubles allow\n"
                           "  --absolute-error E    or when the bounds differ by at most E\n"
                           "  --cutoff D            or when the distance is certainly at least D\n"
                           "  --depth none          on overlap: none (default) answers distance 0; bound how\n"
                           "          bound         deep they are at least and at most, cheaply; exact how\n"
                           "          exact         deep, which points, and the direction that takes B out\n"
                           "  --gradient            how the distance changes as A or B moves or turns\n"
                           "  --motion-a M          A moves: when do they meet, how near do they come?\n"
                           "  --motion-b M          B moves\n"
                           "  --clearance D         with a motion: contact is at most D apart; 0 if not said\n"
                           "  --strict              refuse files that are odd, instead of a warning\n"
                           "  --trace               show every step of the algorithm, between convex bodies\n"
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
                           "A motion M takes the time from 0 to 1, from the body's pose on:\n"
                           "  to:P                  straight, turning evenly; to:P;P;P through several poses,\n"
                           "                        each in the same time\n"
                           "  nlerp:P               the quaternion linear, then normalised\n"
                           "  velocity:VX,VY,VZ     or velocity:VX,VY,VZ,WX,WY,WZ: the body's origin goes\n"
                           "                        straight, and it turns by |W| radians about W\n"
                           "\n"
                           "Examples:\n"
                           "  apart distance box:1,1,1 sphere:0.5 --pose-b 4,0,0\n"
                           "  apart distance gear.ply rocket.stl --pose-b '0 0 3  0 1.5707963 0' --json\n"
                           "  apart distance knight.ply king.ply --pose-b 70,0,0 --relative-error 0.2\n"
                           "  apart distance box:1,1,1 cone:1,1 --pose-b 0,0,1.9 --depth exact\n"
                           "  apart distance box:1,1,1 cone:1,1 --pose-b 5,0,0 --motion-b to:-5,1.5,0\n";

typedef struct options {
    apart_pose pose_a, pose_b;
    apart_query query;
    apart_io_options file_a, file_b; // what --hull and the like say of both is in both
    bool scale_a, scale_b;           // said of one body, which must be a file then
    bool json, trace, help, gradient;
    const char *motion_a, *motion_b; // NULL = stays
    const char* still;               // an option that bodies in motion do not take; NULL = none was given
    double clearance;
    bool has_clearance;
    const char *a, *b;
} options;

// --------------------------------------------------------------------------------------------------- arguments ----

enum {
    POSE_A = 256,
    POSE_B,
    SCALE,
    SCALE_A,
    SCALE_B,
    METHOD,
    RELATIVE,
    ABSOLUTE,
    CUTOFF,
    DEPTH,
    GRADIENT,
    MOTION_A,
    MOTION_B,
    CLEARANCE,
    HULL,
    HOLLOW,
    SPHERE_RADIUS,
    STRICT,
    TRACE,
    JSON
};
static const struct option words[] = {{"pose-a", required_argument, NULL, POSE_A},
                                      {"pose-b", required_argument, NULL, POSE_B},
                                      {"scale", required_argument, NULL, SCALE},
                                      {"scale-a", required_argument, NULL, SCALE_A},
                                      {"scale-b", required_argument, NULL, SCALE_B},
                                      {"method", required_argument, NULL, METHOD},
                                      {"relative-error", required_argument, NULL, RELATIVE},
                                      {"absolute-error", required_argument, NULL, ABSOLUTE},
                                      {"cutoff", required_argument, NULL, CUTOFF},
                                      {"depth", required_argument, NULL, DEPTH},
                                      {"gradient", no_argument, NULL, GRADIENT},
                                      {"motion-a", required_argument, NULL, MOTION_A},
                                      {"motion-b", required_argument, NULL, MOTION_B},
                                      {"clearance", required_argument, NULL, CLEARANCE},
                                      {"hull", no_argument, NULL, HULL},
                                      {"hollow", no_argument, NULL, HOLLOW},
                                      {"sphere-radius", required_argument, NULL, SPHERE_RADIUS},
                                      {"strict", no_argument, NULL, STRICT},
                                      {"trace", no_argument, NULL, TRACE},
                                      {"json", no_argument, NULL, JSON},
                                      {"help", no_argument, NULL, 'h'},
                                      {NULL, 0, NULL, 0}};

static int take_pose(const char* option, apart_pose* out) {
    apart_error error;
    if (parse_pose(optarg, out, &error)) return 0;
    return complain("%s: %s", option, error.message);
}

// Either file may be NULL.
static int take_scale(const char* option, apart_io_options* a, apart_io_options* b) {
    double scale[3];
    apart_error error;
    if (!parse_scale(optarg, scale, &error)) return complain("%s: %s", option, error.message);
    if (a) memcpy(a->scale, scale, sizeof scale);
    if (b) memcpy(b->scale, scale, sizeof scale);
    return 0;
}

static int take_size(const char* option, double most, double* out) {
    if (parse_number(optarg, out) && *out >= 0 && *out <= most) return 0;
    if (most < APART_LIMIT) return complain("%s: '%.40s' is not a number from 0 to %g", option, optarg, most);
    return complain("%s: '%.40s' is not a number, 0 or more", option, optarg);
}

// As in the header: 0 = none.
static int take_cutoff(double* out) {
    if (!parse_number(optarg, out) || fabs(*out) > APART_LIMIT)
        return complain("--cutoff: '%.40s' is not a number", optarg);
    if (*out == 0) *out = INFINITY;
    return 0;
}

static int take_depth(apart_query* query) {
    if (parse_depth(optarg, &query->depth)) return 0;
    return complain("--depth: '%.40s' is not a depth; use none, bound or exact", optarg);
}

static int take_method(apart_query* query) {
    if (parse_method(optarg, &query->method)) return 0;
    return complain("--method: '%.40s' is not a method; use auto, gjk, enhanced, features or spheres", optarg);
}

static int take_sphere_radius(double* out) {
    if (parse_number(optarg, out) && *out > 0) return 0;
    return complain("--sphere-radius: '%.40s' is not a number above 0", optarg);
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
        return take_cutoff(&o->query.cutoff);
    case DEPTH:
        return take_depth(&o->query);
    case SCALE:
        return take_scale("--scale", &o->file_a, &o->file_b);
    case SCALE_A:
        o->scale_a = true;
        return take_scale("--scale-a", &o->file_a, NULL);
    case SCALE_B:
        o->scale_b = true;
        return take_scale("--scale-b", NULL, &o->file_b);
    case MOTION_A:
        o->motion_a = optarg;
        return 0;
    case MOTION_B:
        o->motion_b = optarg;
        return 0;
    case CLEARANCE:
        o->has_clearance = true;
        return take_size("--clearance", APART_LIMIT, &o->clearance);
    case HULL:
        o->file_a.hull = o->file_b.hull = true;
        return 0;
    case HOLLOW:
        o->file_a.hollow = o->file_b.hollow = true;
        return 0;
    case SPHERE_RADIUS:
        return take_sphere_radius(&o->file_a.sphere_radius);
    case STRICT:
        o->file_a.strict = o->file_b.strict = true;
        return 0;
    case GRADIENT:
        o->gradient = true;
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

static bool moves(const options* o) { return o->motion_a || o->motion_b; }

// The name of an option that has no meaning for bodies in motion; NULL for any other.
static const char* still_option(int option) {
    static const int still[] = {METHOD, SPHERE_RADIUS, RELATIVE, ABSOLUTE, CUTOFF, DEPTH, GRADIENT, TRACE};
    for (size_t i = 0; i < sizeof still / sizeof *still; i++)
        for (const struct option* w = words; still[i] == option && w->name; w++)
            if (w->val == option) return w->name;
    return NULL;
}

// Whether the options and bodies go together; if not, says why.
static int check_together(const options* o) {
    if (moves(o) && o->still) return complain("--%s is for bodies that stay; leave it out, or the motion", o->still);
    if (!moves(o) && o->has_clearance)
        return complain("--clearance is for bodies that move; add --motion-a or --motion-b, or see 'apart check'");
    const bool spheres = o->query.method == APART_METHOD_SPHERES;
    if (spheres && !(o->file_a.sphere_radius > 0))
        return complain("--method spheres needs --sphere-radius R, about a hundredth of the size of the bodies");
    if (!spheres && o->file_a.sphere_radius > 0) return complain("--sphere-radius is for --method spheres; add that");
    if (o->file_a.hull && o->file_a.hollow)
        return complain("--hull and --hollow exclude each other: a convex hull is filled");
    if (body_is_input(o->a) && body_is_input(o->b))
        return complain("standard input can be one of the two bodies, not both; put one of them into a file");
    return 0;
}

static int take_arguments(int argc, char** argv, options* o) {
    *o = (options){.pose_a = apart_pose_identity, .pose_b = apart_pose_identity, .query = apart_query_default()};
    opterr = 0;
    for (int option = 0; (option = getopt_long(argc, argv, ":h", words, NULL)) != -1;) {
        const int status = take_option(option, argv, o);
        if (status != 0 || o->help) return status;
        if (still_option(option)) o->still = still_option(option);
    }
    if (argc - optind != 2)
        return complain("distance takes two bodies, not %d; see 'apart distance --help'", argc - optind);
    o->a = argv[optind];
    o->b = argv[optind + 1];
    o->file_b.sphere_radius = o->file_a.sphere_radius;
    return check_together(o);
}

// ------------------------------------------------------------------------------------------------------- trace ----

typedef struct step_log {
    int lines;     // printed
    json_t* steps; // kept; NULL = print them
    bool failed;   // out of memory
} step_log;

static void print_step(const apart_step* step, void* context) {
    step_log* log = context;
    if (log->lines++ == 0)
        print_styled(FAINT, "%4s  %10s  %-24s %s\n", "step", "vertices", "lower bound", "upper bound");
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
                  "lower_bound", json_number(s->lower), "upper_bound", json_number(s->upper));
    if (json_array_append_new(log->steps, step) != 0) log->failed = true;
}

// ---------------------------------------------------------------------------------------------------- the query ----

static int measure(options* o, const body* a, const body* b) {
    apart_slope slope;
    answer found = {.a = a, .b = b, .query = &o->query, .graded = o->gradient};
    step_log log = {0};
    if (o->trace) o->query.trace = o->json ? keep_step : print_step;
    if (o->trace && o->json) log.steps = json_array();
    o->query.trace_context = &log;
    const apart_status status =
        apart_distance(a->shape, &o->pose_a, b->shape, &o->pose_b, &o->query, NULL, &found.result);
    if (status == APART_OK && o->gradient &&
        apart_gradient(a->shape, &o->pose_a, b->shape, &o->pose_b, &found.result, &slope) == APART_OK)
        found.slope = &slope;
    if (log.lines > 0) printf("\n");
    int exit_status = EXIT_SUCCESS;
    if (status != APART_OK)
        exit_status = complain("no answer: %s", apart_status_text(status));
    else if (log.failed)
        exit_status = complain("out of memory");
    else if (o->json)
        exit_status = print_answer_json(&found, log.steps);
    else
        print_answer(&found);
    json_decref(log.steps);
    return exit_status;
}

static int follow(const options* o, const body* a, const body* b) {
    motion_word motion_a;
    motion_word motion_b;
    apart_error error;
    if (!motion_parse(o->motion_a, &o->pose_a, &motion_a, &error)) return complain("--motion-a: %s", error.message);
    int exit_status = EXIT_TROUBLE;
    if (motion_parse(o->motion_b, &o->pose_b, &motion_b, &error)) {
        exit_status = answer_motion(a, &motion_a.motion, b, &motion_b.motion, o->clearance, o->json);
        motion_close(&motion_b);
    } else {
        complain("--motion-b: %s", error.message);
    }
    motion_close(&motion_a);
    return exit_status;
}

// Opens a body and keeps no more of it than the query needs.
static bool open_body(const char* name, const apart_io_options* file, body* out) {
    apart_error error;
    if (body_open(name, file, out, &error)) {
        body_shed(out);
        body_warn_if_open(out);
        return true;
    }
    complain("%s", error.message);
    return false;
}

// Whether what was asked goes with the bodies; if not, says why.
static bool check_bodies(const options* o, const body* a, const body* b) {
    const char* shape = o->scale_a && !a->is_file ? "--scale-a" : o->scale_b && !b->is_file ? "--scale-b" : NULL;
    if (!shape && !a->is_file && !b->is_file && o->file_a.scale[0] != 0) shape = "--scale";
    if (body_is_unbounded(a) && body_is_unbounded(b))
        complain("A and B are both half-spaces; one of the two bodies must be bounded");
    else if (shape)
        complain("%s is for a file; write a shape in the size that it has", shape);
    else if (o->trace && (a->is_mesh || b->is_mesh))
        complain("--trace shows the steps between convex bodies; add --hull, or leave it out");
    else
        return true;
    return false;
}

int run_distance(int argc, char** argv) {
    options o;
    const int status = take_arguments(argc, argv, &o);
    if (status != 0) return status;
    if (o.help) return print_help(help);
    body a;
    body b;
    if (!open_body(o.a, &o.file_a, &a)) return EXIT_TROUBLE;
    int exit_status = EXIT_TROUBLE;
    if (open_body(o.b, &o.file_b, &b)) {
        if (check_bodies(&o, &a, &b)) exit_status = moves(&o) ? follow(&o, &a, &b) : measure(&o, &a, &b);
        body_close(&b);
    }
    body_close(&a);
    return exit_status;
}

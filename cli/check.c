// apart check SCENE|FILES...: every pair of bodies that is closer than it should be, worst first.
#include "cli.h"
#include "parse.h"
#include "report.h"
#include "scene.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char help[] = "Usage: apart check SCENE [OPTIONS]\n"
                           "       apart check FILE... [OPTIONS]\n"
                           "\n"
                           "Every pair of bodies that is closer than a clearance, worst first. Distances are\n"
                           "certain, rounding included; along motions they are certain at all times.\n"
                           "\n"
                           "SCENE is a JSON file of named bodies (docs/scene-file.md), - for standard input.\n"
                           "FILEs are meshes, or folders of them, each a body at the origin.\n"
                           "\n"
                           "Options:\n"
                           "  --clearance D     pairs closer than D; 0 (default): those that overlap\n"
                           "  --depth           how deep pairs overlap, as a distance below 0\n"
                           "  --permit P        overlaps of at most P are permitted, of bodies at rest\n"
                           "  --touch T         gaps and overlaps of at most T are touching, and permitted\n"
                           "  --group G         only pairs with a body of group G; G,H: of G with one of H\n"
                           "  --only NAME       only pairs with this body; may be said again\n"
                           "  --baseline FILE   the JSON of an earlier run: tells new, known and gone pairs;\n"
                           "                    the exit status is by new ones only\n"
                           "  --json            one JSON object on one line\n"
                           "  --csv             a line for each pair, after a line of names\n"
                           "  --junit FILE      also writes a test report that CI servers read\n"
                           "  --threads N       at most N threads; 0 (default): all cores\n"
                           "  --strict          refuse mesh files that are odd, instead of a warning\n"
                           "  -h, --help        this help\n"
                           "\n"
                           "Of mesh files:\n"
                           "  --objects         the objects (o, g) of an OBJ file are bodies of their own\n"
                           "  --scale S         larger by a factor S, or SX,SY,SZ along the axes\n"
                           "  --hull            as convex hulls\n"
                           "  --hollow          closed surfaces are no solids\n"
                           "\n"
                           "Classes: duplicate (the same geometry in the same place), contained (one inside\n"
                           "the other), overlap, touch, near.\n"
                           "\n"
                           "Exit status: 0 clean, 1 pairs were found, 2 error.\n"
                           "\n"
                           "Examples:\n"
                           "  apart check cell.json --clearance 2\n"
                           "  apart check parts/ --touch 0.01 --depth\n"
                           "  apart check cell.json --clearance 2 --baseline known.json --junit report.xml\n";

typedef struct options {
    check_rules rules;
    apart_io_options file;
    bool of_files; // something was said of mesh files
    bool json, csv, help;
    const char *baseline, *junit;
} options;

enum {
    CLEARANCE = 256,
    DEPTH,
    PERMIT,
    TOUCH_BY,
    GROUP,
    ONLY,
    BASELINE,
    JSON,
    CSV,
    JUNIT,
    THREADS,
    STRICT,
    OBJECTS,
    SCALE,
    HULL,
    HOLLOW
};
static const struct option words[] = {{"clearance", required_argument, NULL, CLEARANCE},
                                      {"depth", no_argument, NULL, DEPTH},
                                      {"permit", required_argument, NULL, PERMIT},
                                      {"touch", required_argument, NULL, TOUCH_BY},
                                      {"group", required_argument, NULL, GROUP},
                                      {"only", required_argument, NULL, ONLY},
                                      {"baseline", required_argument, NULL, BASELINE},
                                      {"json", no_argument, NULL, JSON},
                                      {"csv", no_argument, NULL, CSV},
                                      {"junit", required_argument, NULL, JUNIT},
                                      {"threads", required_argument, NULL, THREADS},
                                      {"strict", no_argument, NULL, STRICT},
                                      {"objects", no_argument, NULL, OBJECTS},
                                      {"scale", required_argument, NULL, SCALE},
                                      {"hull", no_argument, NULL, HULL},
                                      {"hollow", no_argument, NULL, HOLLOW},
                                      {"help", no_argument, NULL, 'h'},
                                      {NULL, 0, NULL, 0}};

static int take_length(const char* option, double* out) {
    if (parse_number(optarg, out) && *out >= 0) return 0;
    return complain("%s: '%.40s' is not a number, 0 or more", option, optarg);
}

static int take_threads(int* out) {
    double n = 0;
    if (!parse_number(optarg, &n) || !(n >= 0 && n <= 4096) || n != floor(n))
        return complain("--threads: '%.40s' is not a number from 0 to 4096", optarg);
    *out = (int)n;
    return 0;
}

// Those of mesh files.
static int take_file_option(int option, char** argv, options* o) {
    apart_error error;
    o->of_files = true;
    switch (option) {
    case OBJECTS:
        o->file.objects = true;
        return 0;
    case HULL:
        o->file.hull = true;
        return 0;
    case HOLLOW:
        o->file.hollow = true;
        return 0;
    case SCALE:
        return parse_scale(optarg, o->file.scale, &error) ? 0 : complain("--scale: %s", error.message);
    default:
        return complain_option("check", option, argv);
    }
}

static int take_option(int option, char** argv, options* o) {
    switch (option) {
    case CLEARANCE:
        return take_length("--clearance", &o->rules.clearance);
    case PERMIT:
        return take_length("--permit", &o->rules.permit);
    case TOUCH_BY:
        return take_length("--touch", &o->rules.touch);
    case THREADS:
        return take_threads(&o->rules.threads);
    case DEPTH:
        o->rules.depth = true;
        return 0;
    case GROUP:
        o->rules.group = optarg;
        return 0;
    case ONLY:
        o->rules.only[o->rules.only_count++] = optarg;
        return 0;
    case BASELINE:
        o->baseline = optarg;
        return 0;
    case JUNIT:
        o->junit = optarg;
        return 0;
    case JSON:
        o->json = true;
        return 0;
    case CSV:
        o->csv = true;
        return 0;
    case STRICT:
        o->file.strict = true;
        return 0;
    case 'h':
        o->help = true;
        return 0;
    default:
        return take_file_option(option, argv, o);
    }
}

static int take_arguments(int argc, char** argv, options* o) {
    opterr = 0;
    for (int option = 0; (option = getopt_long(argc, argv, ":h", words, NULL)) != -1;) {
        const int status = take_option(option, argv, o);
        if (status != 0 || o->help) return status;
    }
    if (argc == optind) return complain("check takes a scene, or files; see 'apart check --help'");
    if (o->baseline && !strcmp(o->baseline, "-") && !strcmp(argv[optind], "-"))
        return complain("the scene and the baseline cannot both be standard input");
    if (o->json && o->csv) return complain("--json and --csv exclude each other");
    if (o->file.hull && o->file.hollow)
        return complain("--hull and --hollow exclude each other: a convex hull is filled");
    if (o->of_files && scene_is_file(argv + optind, argc - optind))
        return complain(
            "--objects, --scale, --hull and --hollow are for mesh files; a scene file says this of each shape");
    return 0;
}

// -------------------------------------------------------------------------------------------- names that exist ----

static bool has_group(const apart_io_scene* scene, const char* name, size_t length) {
    for (size_t i = 0; i < scene->count; i++)
        for (size_t k = 0; k < scene->bodies[i].group_count; k++) {
            const char* group = scene->bodies[i].groups[k];
            if (strlen(group) == length && !strncmp(group, name, length)) return true;
        }
    return false;
}

static bool has_body(const apart_io_scene* scene, const char* name) {
    const size_t length = strlen(name);
    for (size_t i = 0; i < scene->count; i++) {
        const char* other = scene->bodies[i].name;
        if (!strncmp(other, name, length) && (other[length] == '\0' || other[length] == '/')) return true;
    }
    return false;
}

// A name that nothing has would make every scene clean.
static int check_names(const apart_io_scene* scene, const check_rules* r) {
    for (size_t i = 0; i < r->only_count; i++)
        if (!has_body(scene, r->only[i])) return complain("--only: there is no body called '%.100s'", r->only[i]);
    const char* comma = r->group ? strchr(r->group, ',') : NULL;
    if (comma && strchr(comma + 1, ',')) return complain("--group: '%.100s' is more than two groups", r->group);
    for (const char* name = r->group; name;) {
        const size_t length = strcspn(name, ",");
        if (!has_group(scene, name, length))
            return complain("--group: no body is in group '%.*s'", (int)(length < 100 ? length : 100), name);
        name = name[length] ? name + length + 1 : NULL;
    }
    return 0;
}

// --------------------------------------------------------------------------------------------------------- run ----

// Everything but the exit status of a good answer.
static int answer(report* r, const options* o) {
    apart_error error;
    if (!findings_collect(r->scene, &o->rules, &r->found, &error)) return complain("%s", error.message);
    r->new_count = r->found.count;
    int status = o->baseline ? report_compare(r, o->baseline) : EXIT_SUCCESS;
    if (status == EXIT_SUCCESS && o->junit) status = report_junit(r, o->junit);
    if (status != EXIT_SUCCESS) return status;
    if (o->json) return report_json(r);
    if (o->csv)
        report_csv(r);
    else
        report_table(r);
    return EXIT_SUCCESS;
}

static int check_scene(char** arguments, int count, const options* o) {
    apart_io_scene* scene = scene_open(arguments, count, &o->file);
    if (!scene) return EXIT_TROUBLE;
    report r = {.name = count == 1 ? arguments[0] : "files", .scene = scene, .rules = &o->rules};
    int status = check_names(scene, &o->rules);
    if (status == 0) status = answer(&r, o);
    if (status == EXIT_SUCCESS && r.new_count > 0) status = EXIT_FAILURE;
    free(r.found.items);
    json_decref(r.gone);
    apart_io_scene_release(scene);
    return status;
}

int run_check(int argc, char** argv) {
    options o = {.rules = {.touch = -1, .only = malloc((size_t)argc * sizeof *o.rules.only)}};
    if (!o.rules.only) return complain("out of memory");
    int status = take_arguments(argc, argv, &o);
    if (status == 0) status = o.help ? print_help(help) : check_scene(argv + optind, argc - optind, &o);
    free(o.rules.only);
    return status;
}

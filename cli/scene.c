// apart scene FILE: checks a scene file and says what is in it.
#include "scene.h"
#include "body.h"
#include "cli.h"
#include "folder.h"
#include "json.h"
#include "print.h"
#include "progress.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char help[] = "Usage: apart scene FILE [OPTIONS]\n"
                           "\n"
                           "Checks a scene file, a JSON file of named bodies, and says what is in it: one line\n"
                           "for each body. What is wrong is said with its line and column. FILE may be - for\n"
                           "standard input. docs/scene-file.md has the format.\n"
                           "\n"
                           "Options:\n"
                           "  --strict     refuse mesh files that are odd, instead of a warning\n"
                           "  --json       one JSON object on one line\n"
                           "  -h, --help   this help\n";

// ----------------------------------------------------------------------------------------------------- opening ----

bool scene_is_file(char** arguments, int count) {
    const char* dot = count == 1 ? strrchr(arguments[0], '.') : NULL;
    return count == 1 && (!strcmp(arguments[0], "-") || (dot && !strcasecmp(dot, ".json")));
}

// Folders become the files in them.
static bool expand(char** arguments, int count, name_list* out) {
    for (int i = 0; i < count; i++) {
        const size_t before = out->count;
        const char* dot = strrchr(arguments[i], '.');
        errno = ENOMEM;
        if (dot && !strcasecmp(dot, ".json"))
            return complain("%.100s: a scene is checked alone, without other files", arguments[i]), false;
        if (!(is_folder(arguments[i]) ? folder_list(arguments[i], out) : name_list_add(out, arguments[i])))
            return complain("%.100s: cannot be read: %s", arguments[i], strerror(errno)), false;
        if (out->count == before) return complain("%.100s: no models in this folder", arguments[i]), false;
    }
    return true;
}

static apart_io_scene* open_files(char** arguments, int count, const apart_io_options* how, apart_error* error) {
    name_list files = {0};
    apart_io_scene* out = NULL;
    if (expand(arguments, count, &files))
        out = apart_io_scene_files((const char* const*)files.name, files.count, how, error);
    name_list_free(&files);
    return out;
}

// What is inside an open surface counts as apart, so that a check of it may be clean by mistake. Once a shape.
enum { MOST_WARNINGS = 8 };
static void warn_if_open(const apart_io_scene* scene) {
    const apart_shape* seen[MOST_WARNINGS];
    int count = 0;
    for (size_t i = 0; i < scene->count && count < MOST_WARNINGS; i++) {
        const apart_io_body* b = &scene->bodies[i];
        apart_scene_body placed;
        body open = {.name = b->source ? b->source : b->name, .is_mesh = true};
        if (apart_scene_get(scene->scene, b->id, &placed) != APART_OK ||
            apart_shape_describe(placed.shape, &open.info) != APART_OK || open.info.almost_solids == 0)
            continue;
        int k = 0;
        while (k < count && seen[k] != placed.shape) k++;
        if (k < count) continue;
        seen[count++] = placed.shape;
        body_warn_if_open(&open);
    }
}

static apart_io_scene* open_scene(char** arguments, int count, bool is_file, const apart_io_options* options) {
    apart_error error = {0};
    progress bar;
    progress_start(&bar, count == 1 ? arguments[0] : "all files");
    progress_phase(&bar, "loading");
    apart_io_options how = *options;
    how.progress = progress_show;
    how.progress_context = &bar;
    apart_io_scene* out =
        is_file ? apart_io_scene_load(arguments[0], &how, &error) : open_files(arguments, count, &how, &error);
    progress_finish(&bar);
    if (!out && error.message[0]) complain("%s", error.message);
    if (out && error.message[0]) warn("%s", error.message);
    if (out) warn_if_open(out);
    return out;
}

apart_io_scene* scene_open(char** arguments, int count, const apart_io_options* options) {
    return open_scene(arguments, count, scene_is_file(arguments, count), options);
}

// ----------------------------------------------------------------------------------------------------- summary ----

static const char* motion_name(const apart_motion* motion) {
    static const char* const names[] = {"still", "slerp", "nlerp", "velocity", "keys", "function"};
    return motion ? names[motion->kind] : "still";
}

static const char* source_of(const apart_io_body* b) { return b->source ? b->source : b->kind; }

static void print_scene_body(const apart_io_body* b, const apart_scene_body* placed, int width) {
    print_styled(STRONG, "%-*s", width, show_name(b->name).text);
    printf("  %s at %s", show_name(source_of(b)).text, show_point(placed->pose.translation).text);
    if (b->motion) printf(", moves: %s", motion_name(b->motion));
    for (size_t i = 0; i < b->group_count; i++) printf("%s%s", i ? ", " : ", group ", show_name(b->groups[i]).text);
    if (placed->margin > 0) printf(", margin %.9g", placed->margin);
    printf("\n");
}

static void print_scene(const apart_io_scene* scene) {
    size_t width = 0;
    for (size_t i = 0; i < scene->count; i++) {
        const size_t length = strlen(scene->bodies[i].name);
        width = length > width ? length : width;
    }
    for (size_t i = 0; i < scene->count; i++) {
        apart_scene_body placed;
        if (apart_scene_get(scene->scene, scene->bodies[i].id, &placed) == APART_OK)
            print_scene_body(&scene->bodies[i], &placed, width < 40 ? (int)width : 40);
    }
    printf("%zu bod%s, %zu of them moving\n", scene->count, scene->count == 1 ? "y" : "ies", scene->motion_count);
}

static json_t* json_body(const apart_io_body* b, const apart_scene_body* placed) {
    double matrix[16];
    apart_pose_to_matrix(&placed->pose, matrix);
    json_t* groups = json_array();
    for (size_t i = 0; i < b->group_count; i++) json_array_append_new(groups, json_text(b->groups[i]));
    return json_pack("{s:o, s:s, s:o, s:o, s:s, s:o, s:o}", "name", json_text(b->name), "kind", b->kind, "source",
                     b->source ? json_text(b->source) : json_null(), "pose", json_numbers(matrix, 16), "motion",
                     motion_name(b->motion), "groups", groups, "margin", json_number(placed->margin));
}

static int print_scene_json(const apart_io_scene* scene) {
    json_t* list = json_array();
    int failed = list == NULL;
    for (size_t i = 0; i < scene->count; i++) {
        apart_scene_body placed;
        apart_scene_get(scene->scene, scene->bodies[i].id, &placed);
        failed |= json_array_append_new(list, json_body(&scene->bodies[i], &placed));
    }
    json_t* out = json_pack("{s:o}", "bodies", list);
    if (!failed) return json_print(out);
    json_decref(out);
    return json_print(NULL);
}

int run_scene(int argc, char** argv) {
    enum { JSON = 256, STRICT };
    static const struct option words[] = {{"json", no_argument, NULL, JSON},
                                          {"strict", no_argument, NULL, STRICT},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    apart_io_options how = {0};
    bool json = false;
    opterr = 0;
    for (int option = 0; (option = getopt_long(argc, argv, ":h", words, NULL)) != -1;) {
        if (option == 'h') return print_help(help);
        if (option != JSON && option != STRICT) return complain_option("scene", option, argv);
        json = json || option == JSON;
        how.strict = how.strict || option == STRICT;
    }
    if (argc - optind != 1) return complain("scene takes one file; see 'apart scene --help'");
    apart_io_scene* scene = open_scene(argv + optind, 1, true, &how);
    if (!scene) return EXIT_TROUBLE;
    int status = EXIT_SUCCESS;
    if (json)
        status = print_scene_json(scene);
    else
        print_scene(scene);
    apart_io_scene_release(scene);
    return status;
}

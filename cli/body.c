// Makes bodies.
#include "body.h"
#include "cli.h"
#include "parse.h"
#include "print.h"
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char points_word[] = "points:";

// Puts "NAME: " in front of a sentence.
static bool prefix_error(const char* name, apart_error* error) {
    char sentence[sizeof error->message];
    memcpy(sentence, error->message, sizeof sentence);
    snprintf(error->message, sizeof error->message, "%.70s: %.165s", name, sentence);
    return false;
}

static bool refuse(const char* name, apart_status status, const char* sentence, apart_error* error) {
    error->status = status;
    snprintf(error->message, sizeof error->message, "%s", sentence);
    return prefix_error(name, error);
}

// Points whose hull may take a second.
enum { LARGE = 50000 };

// The body of a file that has been read. The bar names what is being done.
static apart_shape* make_shape(const body* b, const apart_io_options* options, progress* bar, apart_error* error) {
    apart_io_options how = *options;
    how.progress = progress_show;
    how.progress_context = bar;
    if (how.hull || b->mesh.triangle_count == 0)
        progress_wait(bar, "hull of", b->mesh.vertex_count >= LARGE);
    else
        progress_phase(bar, "building");
    apart_shape* shape = apart_io_shape(&b->mesh, &how, error);
    if (!shape) prefix_error(b->name, error);
    return shape;
}

bool body_describe_hull(const body* b, apart_shape_info* info, apart_error* error) {
    progress bar;
    progress_start(&bar, b->name);
    apart_shape* hull = make_shape(b, &(apart_io_options){.hull = true}, &bar, error);
    progress_finish(&bar);
    const bool ok = hull && apart_shape_describe(hull, info) == APART_OK;
    apart_shape_release(hull);
    return ok;
}

// Witnesses of a hull count the points in use.
static bool number_points(body* b, apart_error* error) {
    if (b->is_mesh || b->mesh.triangle_count == 0) return true;
    b->number = malloc(b->mesh.vertex_count * sizeof *b->number);
    if (!b->number) return refuse(b->name, APART_OUT_OF_MEMORY, "out of memory", error);
    apart_io_used(&b->mesh, b->number);
    return true;
}

static bool open_file(body* b, const apart_io_options* options, apart_error* error) {
    const bool points = strncmp(b->name, points_word, strlen(points_word)) == 0;
    const char* path = points ? b->name + strlen(points_word) : b->name;
    progress bar;
    progress_start(&bar, b->name);
    progress_phase(&bar, "reading");
    apart_io_options how = *options;
    how.points = points;
    how.progress = progress_show;
    how.progress_context = &bar;
    apart_error odd;
    const bool ok = apart_io_read(path, &how, &b->mesh, &odd) == APART_OK;
    *error = odd;
    b->is_file = true;
    b->is_mesh = b->mesh.triangle_count > 0 && !options->hull;
    b->kind = b->is_mesh ? "mesh" : "hull";
    if (ok) b->shape = make_shape(b, options, &bar, error);
    progress_finish(&bar);
    if (ok && odd.message[0]) warn("%s", odd.message);
    return b->shape && number_points(b, error);
}

// ------------------------------------------------------------------------------------------------------ bodies ----

static bool open_any(body* b, const apart_io_options* options, apart_error* error) {
    if (parse_shape(b->name, &b->kind, &b->shape, error)) return b->shape || prefix_error(b->name, error);
    struct stat about;
    if (parse_resembles_shape(b->name) && strncmp(b->name, points_word, strlen(points_word)) != 0 &&
        stat(b->name, &about) != 0)
        return refuse(b->name, APART_INVALID, "neither a file nor a shape; write " PARSE_SHAPES " or points:FILE",
                      error);
    return open_file(b, options, error);
}

bool body_open(const char* argument, const apart_io_options* options, body* out, apart_error* error) {
    *out = (body){.name = argument};
    *error = (apart_error){0};
    bool ok = open_any(out, options, error);
    if (ok && options->sphere_radius > 0 && !out->is_mesh)
        ok =
            refuse(argument, APART_UNSUPPORTED,
                   "a convex body, but --method spheres takes surfaces of triangles only; leave the method out", error);
    if (ok && apart_shape_describe(out->shape, &out->info) == APART_OK) return true;
    body_close(out);
    return false;
}

void body_close(body* b) {
    apart_shape_release(b->shape);
    apart_io_free(&b->mesh);
    free(b->number);
    *b = (body){0};
}

bool body_is_input(const char* argument) {
    const size_t length = strlen(points_word);
    return strcmp(strncmp(argument, points_word, length) == 0 ? argument + length : argument, "-") == 0;
}

void body_shed(body* b) {
    const apart_io_mesh counts = b->mesh;
    apart_io_free(&b->mesh);
    b->mesh = (apart_io_mesh){
        .vertex_count = counts.vertex_count, .triangle_count = counts.triangle_count, .format = counts.format};
}

uint32_t body_number(const body* b, uint32_t point) { return b->number ? b->number[point] : point; }

void body_warn_if_open(const body* b) {
    const apart_shape_info* i = &b->info;
    if (!b->is_mesh || i->almost_solids == 0) return;
    const apart_vec3 l = i->hole_lower, u = i->hole_upper;
    char which[128] = "looks meant as a solid, but has";
    if (i->components > 1)
        snprintf(which, sizeof which, "%zu of %zu components look meant as solids, but have", i->almost_solids,
                 i->components);
    warn("%.70s: %s no inside: %zu open edge%s, %zu hole%s, the largest %.3g x %.3g x %.3g about (%.6g, %.6g, %.6g)",
         b->name, which, i->open_edges, plural(i->open_edges), i->holes, plural(i->holes), u.x - l.x, u.y - l.y,
         u.z - l.z, l.x + (u.x - l.x) / 2, l.y + (u.y - l.y) / 2, l.z + (u.z - l.z) / 2);
}

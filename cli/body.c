// Makes bodies. Points that no triangle uses are no part of a body that has triangles, be it the surface or the hull.
#include "body.h"
#include "parse.h"
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char points_word[] = "points:";

// Puts "NAME: " in front of a sentence.
static bool prefix_error(const char* name, apart_error* error) {
    char sentence[sizeof error->message];
    memcpy(sentence, error->message, sizeof sentence);
    snprintf(error->message, sizeof error->message, "%.80s: %.150s", name, sentence);
    return false;
}

static bool refuse(const char* name, apart_status status, const char* sentence, apart_error* error) {
    error->status = status;
    snprintf(error->message, sizeof error->message, "%s", sentence);
    return prefix_error(name, error);
}

// ------------------------------------------------------------------------------------------------------- hulls ----

// Marks the vertices of triangles; returns how many there are.
static size_t mark_used(const apart_mesh* mesh, unsigned char* used) {
    size_t total = 0;
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (size_t i = 0; i < 3; i++) {
            unsigned char* mark = &used[mesh->triangles[t][i]];
            total += !*mark;
            *mark = 1;
        }
    return total;
}

// The marked points, and their numbers in the file.
static bool pick(const apart_mesh* mesh, const unsigned char* used, size_t total, apart_vec3** points,
                 uint32_t** number) {
    *points = malloc(total * sizeof **points);
    *number = malloc(total * sizeof **number);
    if (!*points || !*number) return false;
    size_t count = 0;
    for (size_t i = 0; i < mesh->vertex_count; i++)
        if (used[i]) {
            (*points)[count] = mesh->vertices[i];
            (*number)[count++] = (uint32_t)i;
        }
    return true;
}

// What the hull is made of: *points and *number, or all vertices if they stay NULL.
static bool used_points(const apart_mesh* mesh, apart_vec3** points, uint32_t** number, size_t* count) {
    unsigned char* used = calloc(mesh->vertex_count, 1);
    if (!used) return false;
    const size_t total = mark_used(mesh, used);
    const bool all = total == 0 || total == mesh->vertex_count;
    *count = all ? mesh->vertex_count : total;
    const bool ok = all || pick(mesh, used, total, points, number);
    free(used);
    return ok;
}

// The hull, and the numbers of its points in *number, to be freed in any case.
static apart_shape* make_hull(const body* b, uint32_t** number, progress* bar, apart_error* error) {
    apart_vec3* points = NULL;
    size_t count = 0;
    *number = NULL;
    progress_wait(bar, "hull of");
    const bool ok = used_points(&b->mesh, &points, number, &count);
    apart_shape* hull = ok ? apart_shape_points(points ? points : b->mesh.vertices, count, 0, error) : NULL;
    free(points);
    if (!ok)
        refuse(b->name, APART_OUT_OF_MEMORY, "out of memory", error);
    else if (!hull)
        prefix_error(b->name, error);
    return hull;
}

bool body_describe_hull(const body* b, apart_shape_info* info, apart_error* error) {
    uint32_t* number = NULL;
    progress bar;
    progress_start(&bar, b->name);
    apart_shape* hull = make_hull(b, &number, &bar, error);
    progress_finish(&bar);
    const bool ok = hull && apart_shape_describe(hull, info) == APART_OK;
    apart_shape_release(hull);
    free(number);
    return ok;
}

// ------------------------------------------------------------------------------------------------------ bodies ----

static bool make_surface(body* b, const body_options* options, progress* bar, apart_error* error) {
    const apart_mesh* m = &b->mesh;
    const apart_mesh_options how = {.hollow = options->hollow,
                                    .sphere_radius = options->sphere_radius,
                                    .progress = progress_show,
                                    .progress_context = bar};
    b->is_mesh = true;
    b->kind = "mesh";
    progress_phase(bar, "building");
    b->shape = apart_shape_mesh(m->vertices, m->vertex_count, m->triangles[0], m->triangle_count, &how, error);
    return b->shape || prefix_error(b->name, error);
}

static bool open_file(body* b, const body_options* options, apart_error* error) {
    const bool points = strncmp(b->name, points_word, strlen(points_word)) == 0;
    const char* path = points ? b->name + strlen(points_word) : b->name;
    progress bar;
    progress_start(&bar, b->name);
    progress_phase(&bar, "reading");
    b->is_file = true;
    b->kind = "hull";
    const apart_mesh_reading how = {.points = points, .progress = progress_show, .progress_context = &bar};
    const apart_status status = apart_mesh_read(path, &how, &b->mesh, error);
    if (status == APART_OK && b->mesh.triangle_count > 0 && !options->hull)
        make_surface(b, options, &bar, error);
    else if (status == APART_OK)
        b->shape = make_hull(b, &b->number, &bar, error);
    progress_finish(&bar);
    return b->shape;
}

bool body_open(const char* argument, const body_options* options, body* out, apart_error* error) {
    *out = (body){.name = argument};
    *error = (apart_error){0};
    bool ok = false;
    if (parse_shape(argument, &out->kind, &out->shape, error))
        ok = out->shape || prefix_error(argument, error);
    else
        ok = open_file(out, options, error);
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
    apart_mesh_free(&b->mesh);
    free(b->number);
    *b = (body){0};
}

bool body_is_input(const char* argument) {
    const size_t length = strlen(points_word);
    return strcmp(strncmp(argument, points_word, length) == 0 ? argument + length : argument, "-") == 0;
}

void body_shed(body* b) {
    const apart_mesh counts = b->mesh;
    apart_mesh_free(&b->mesh);
    b->mesh = (apart_mesh){
        .vertex_count = counts.vertex_count, .triangle_count = counts.triangle_count, .format = counts.format};
}

uint32_t body_number(const body* b, uint32_t point) { return b->number ? b->number[point] : point; }

// Makes bodies. If a file has triangles, its body is their hull: points that no triangle uses are left out.
#include "body.h"
#include "parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Puts "NAME: " in front of a sentence.
static bool prefix_error(const char* name, apart_error* error) {
    char sentence[sizeof error->message];
    memcpy(sentence, error->message, sizeof sentence);
    snprintf(error->message, sizeof error->message, "%.80s: %.150s", name, sentence);
    return false;
}

static bool out_of_memory(const char* name, apart_error* error) {
    error->status = APART_OUT_OF_MEMORY;
    snprintf(error->message, sizeof error->message, "out of memory");
    return prefix_error(name, error);
}

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
static bool pick(body* b, const unsigned char* used, size_t total, apart_vec3** points) {
    *points = malloc(total * sizeof **points);
    b->number = malloc(total * sizeof *b->number);
    if (!*points || !b->number) return false;
    size_t count = 0;
    for (size_t i = 0; i < b->mesh.vertex_count; i++)
        if (used[i]) {
            (*points)[count] = b->mesh.vertices[i];
            b->number[count++] = (uint32_t)i;
        }
    return true;
}

// What the hull is made of: *points, or all vertices if that stays NULL.
static bool used_points(body* b, apart_vec3** points, size_t* count) {
    unsigned char* used = calloc(b->mesh.vertex_count, 1);
    if (!used) return false;
    const size_t total = mark_used(&b->mesh, used);
    const bool all = total == 0 || total == b->mesh.vertex_count;
    *count = all ? b->mesh.vertex_count : total;
    const bool ok = all || pick(b, used, total, points);
    free(used);
    return ok;
}

static bool make_hull(body* b, apart_error* error) {
    apart_vec3* points = NULL;
    size_t count = 0;
    const bool ok = used_points(b, &points, &count);
    if (ok) b->shape = apart_shape_points(points ? points : b->mesh.vertices, count, 0, error);
    free(points);
    if (!ok) return out_of_memory(b->name, error);
    return b->shape || prefix_error(b->name, error);
}

static bool open_file(body* b, apart_error* error) {
    static const char points[] = "points:";
    b->is_file = true;
    b->kind = "hull";
    const size_t length = strlen(points);
    const apart_status status = strncmp(b->name, points, length) == 0
                                    ? apart_points_load(b->name + length, &b->mesh, error)
                                    : apart_mesh_load(b->name, &b->mesh, error);
    return status == APART_OK && make_hull(b, error);
}

bool body_open(const char* argument, body* out, apart_error* error) {
    *out = (body){.name = argument};
    *error = (apart_error){0};
    bool ok = false;
    if (parse_shape(argument, &out->kind, &out->shape, error))
        ok = out->shape || prefix_error(argument, error);
    else
        ok = open_file(out, error);
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

uint32_t body_number(const body* b, uint32_t point) { return b->number ? b->number[point] : point; }

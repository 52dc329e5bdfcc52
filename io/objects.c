// An OBJ file taken apart into its objects: those of the "o" lines or, if there are none, of the "g" lines. An object
// that is begun again goes on; triangles before the first one have none, and are called "unnamed".
#include "objects.h"
#include "file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool objects_mark(reader* r, bool is_group, const char* name, size_t length) {
    object_marks* o = r->objects;
    if (o->count == o->room) {
        const size_t room = o->room ? 2 * o->room : 16;
        object_mark* larger = realloc(o->marks, room * sizeof *larger);
        if (!larger) return fail_file(r, APART_OUT_OF_MEMORY, "out of memory");
        o->marks = larger;
        o->room = room;
    }
    const object_mark mark = {name, length, r->mesh->triangle_count, o->count, is_group};
    o->marks[o->count++] = mark;
    return true;
}

static int compare_names(const void* left, const void* right) {
    const object_mark *a = left, *b = right;
    const size_t shorter = a->length < b->length ? a->length : b->length;
    const int by_text = shorter ? memcmp(a->name, b->name, shorter) : 0;
    if (by_text != 0) return by_text;
    if (a->length != b->length) return a->length < b->length ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static int compare_orders(const void* left, const void* right) {
    const object_mark *a = left, *b = right;
    return a->order < b->order ? -1 : a->order > b->order;
}

static bool is_same_name(const object_mark* a, const object_mark* b) {
    return a->length == b->length && (a->length == 0 || !memcmp(a->name, b->name, a->length));
}

// Keeps the marks that count, the first at triangle 0.
static bool choose_marks(reader* r) {
    static const char unnamed[] = "unnamed";
    object_marks* o = r->objects;
    bool groups = true;
    for (size_t i = 0; i < o->count; i++) groups = groups && o->marks[i].is_group;
    size_t kept = 0;
    for (size_t i = 0; i < o->count; i++)
        if (o->marks[i].is_group == groups) o->marks[kept++] = o->marks[i];
    o->count = kept;
    for (size_t i = 0; i < kept; i++)
        if (o->marks[i].length == 0)
            o->marks[i] = (object_mark){unnamed, sizeof unnamed - 1, o->marks[i].triangle, 0, groups};
    if (kept == 0 || o->marks[0].triangle > 0) {
        if (!objects_mark(r, groups, unnamed, sizeof unnamed - 1)) return false;
        memmove(o->marks + 1, o->marks, kept * sizeof *o->marks);
        o->marks[0] = (object_mark){unnamed, sizeof unnamed - 1, 0, 0, groups};
    }
    for (size_t i = 0; i < o->count; i++) o->marks[i].order = i;
    return true;
}

// ------------------------------------------------------------------------------------------------- the objects ----

// Room for the triangles of one object; its vertices follow.
static bool begin_object(reader* r, apart_io_object* out, const object_mark* mark, size_t triangles) {
    char* name = malloc(mark->length + 1);
    out->name = name;
    out->mesh.format = r->mesh->format;
    out->mesh.triangles = malloc((triangles ? triangles : 1) * 3 * sizeof *out->mesh.triangles);
    if (!name || !out->mesh.triangles) return fail_file(r, APART_OUT_OF_MEMORY, "out of memory");
    memcpy(name, mark->name, mark->length);
    name[mark->length] = '\0';
    return true;
}

// Copies the vertices that the triangles, one at least, use; `old` are their numbers in the file. `number` holds
// UINT32_MAX for each of the file, before and after.
static void take_vertices(const apart_vec3* from, apart_io_mesh* mesh, uint32_t* number, uint32_t* old) {
    for (size_t i = 0; i < 3 * mesh->triangle_count; i++) {
        uint32_t* corner = &mesh->triangles[i];
        if (number[*corner] == UINT32_MAX) {
            old[mesh->vertex_count] = *corner;
            mesh->vertices[mesh->vertex_count] = from[*corner];
            number[*corner] = (uint32_t)mesh->vertex_count++;
        }
        *corner = number[*corner];
    }
    for (size_t i = 0; i < mesh->vertex_count; i++) number[old[i]] = UINT32_MAX;
}

static size_t mark_end(const reader* r, const object_mark* m) {
    return m->order + 1 < r->objects->count ? r->objects->marks[m->order + 1].triangle : r->mesh->triangle_count;
}

// One object out of the marks of its name, [begin, end) of `sorted`.
static bool fill_object(reader* r, const object_mark* begin, const object_mark* end, uint32_t* number,
                        apart_io_object* out) {
    size_t triangles = 0;
    for (const object_mark* m = begin; m < end; m++) triangles += mark_end(r, m) - m->triangle;
    if (!begin_object(r, out, begin, triangles)) return false;
    for (const object_mark* m = begin; m < end; m++) {
        const size_t count = mark_end(r, m) - m->triangle;
        uint32_t* to = out->mesh.triangles + 3 * out->mesh.triangle_count;
        if (count) memcpy(to, r->mesh->triangles + 3 * m->triangle, count * 3 * sizeof *to);
        out->mesh.triangle_count += count;
    }
    if (triangles == 0) return true;
    uint32_t* old = malloc(3 * triangles * sizeof *old);
    out->mesh.vertices = malloc(3 * triangles * sizeof *out->mesh.vertices);
    const bool ok = old && out->mesh.vertices;
    if (ok)
        take_vertices(r->mesh->vertices, &out->mesh, number, old);
    else
        fail_file(r, APART_OUT_OF_MEMORY, "out of memory");
    free(old);
    return ok;
}

// Those without triangles are left out.
static size_t drop_empty(apart_io_object* objects, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (objects[i].mesh.triangle_count > 0)
            objects[kept++] = objects[i];
        else {
            free((char*)objects[i].name);
            apart_io_free(&objects[i].mesh);
        }
    return kept;
}

// Equal names side by side give the runs; the order of the first of each run is that of the objects.
static bool fill_objects(reader* r, object_mark* sorted, uint32_t* number, apart_io_object* out, size_t* count) {
    const size_t marks = r->objects->count;
    memcpy(sorted, r->objects->marks, marks * sizeof *sorted);
    qsort(sorted, marks, sizeof *sorted, compare_names);
    object_mark* first = sorted + marks; // of each run, with the place of the run in `triangle`
    size_t runs = 0;
    for (size_t i = 0; i < marks; i++)
        if (i == 0 || !is_same_name(&sorted[i - 1], &sorted[i])) {
            first[runs] = sorted[i];
            first[runs++].triangle = i;
        }
    qsort(first, runs, sizeof *first, compare_orders);
    for (size_t i = 0; i < runs; i++) {
        const object_mark* begin = sorted + first[i].triangle;
        const object_mark* end = begin + 1;
        while (end < sorted + marks && is_same_name(begin, end)) end++;
        *count = i + 1;
        if (!fill_object(r, begin, end, number, &out[i])) return false;
    }
    *count = drop_empty(out, runs);
    return true;
}

apart_io_object* objects_take_apart(reader* r, size_t* count) {
    *count = 0;
    if (r->mesh->triangle_count == 0) return fail_file(r, APART_EMPTY, "there are no triangles to take apart"), NULL;
    if (!choose_marks(r)) return NULL;
    const size_t marks = r->objects->count, vertices = r->mesh->vertex_count;
    object_mark* sorted = malloc(2 * marks * sizeof *sorted);
    uint32_t* number = malloc(vertices * sizeof *number);
    apart_io_object* out = calloc(marks, sizeof *out);
    bool ok = false;
    if (sorted && number && out) {
        memset(number, 0xff, vertices * sizeof *number);
        ok = fill_objects(r, sorted, number, out, count);
    } else {
        fail_file(r, APART_OUT_OF_MEMORY, "out of memory");
    }
    free(sorted);
    free(number);
    if (ok) return out;
    apart_io_free_objects(out, out ? *count : 0);
    *count = 0;
    return NULL;
}

void apart_io_free_objects(apart_io_object* objects, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free((char*)objects[i].name);
        apart_io_free(&objects[i].mesh);
    }
    free(objects);
}

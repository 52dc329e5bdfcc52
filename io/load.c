// From a file to a mesh, and from a mesh to a body.
#include "file.h"
#include "format.h"
#include "objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const apart_io_options defaults = {0};

static apart_status refuse(apart_error* error, apart_status status, const char* sentence) {
    if (error) {
        error->status = status;
        snprintf(error->message, sizeof error->message, "%s", sentence);
    }
    return status;
}

static const char* shown_path(const char* path) { return strcmp(path, "-") == 0 ? "standard input" : path; }

// ------------------------------------------------------------------------------------------------------- a mesh ----

static reader reader_make(const char* name, const apart_io_options* how, apart_io_mesh* mesh, apart_error* error) {
    *mesh = (apart_io_mesh){0};
    if (error) *error = (apart_error){0};
    return (reader){.name = name, .line = 1, .mesh = mesh, .how = how ? how : &defaults, .error = error};
}

static void reader_set_bytes(reader* r, const char* bytes, size_t size) {
    r->begin = r->at = r->due = bytes;
    r->end = bytes + size;
}

// Faces of fewer than three corners are left out among others, but a file of nothing else is wrong.
static bool settle_short_faces(reader* r) {
    if (r->short_faces == 0) return true;
    if (r->mesh->triangle_count > 0)
        return note_odd(r, "%zu face%s of fewer than 3 corners left out", r->short_faces,
                        r->short_faces == 1 ? "" : "s");
    r->line = r->short_line;
    return fail_here(r, APART_FILE, "a face of %zu corners; it needs at least 3", r->short_corners);
}

// 0 is the default, 1.
static double factor(double scale) { return scale == 0 ? 1 : scale; }

// Multiplies all coordinates. A mirror image turns every triangle.
static bool apply_scale(reader* r) {
    apart_io_mesh* m = r->mesh;
    const double* s = r->how->scale;
    const double x = factor(s[0]), y = factor(s[1]), z = factor(s[2]);
    if (!isfinite(x) || !isfinite(y) || !isfinite(z))
        return fail_file(r, APART_NOT_FINITE, "a factor of the scale is not finite");
    if (x == 1 && y == 1 && z == 1) return true;
    for (size_t i = 0; i < m->vertex_count; i++) {
        apart_vec3* v = &m->vertices[i];
        *v = (apart_vec3){x * v->x, y * v->y, z * v->z};
        if (!(fabs(v->x) <= APART_LIMIT && fabs(v->y) <= APART_LIMIT && fabs(v->z) <= APART_LIMIT))
            return fail_file(r, APART_OUT_OF_RANGE, "a coordinate times its scale is larger than 1e300");
    }
    const bool mirror = (x < 0) != ((y < 0) != (z < 0));
    for (size_t t = 0; t < m->triangle_count && mirror; t++) {
        uint32_t* corner = m->triangles + 3 * t;
        const uint32_t second = corner[1];
        corner[1] = corner[2];
        corner[2] = second;
    }
    return true;
}

// Chooses a reader, runs it, and refuses what holds no points.
static apart_status run(reader* r) {
    if (r->at == r->end && !r->how->points) {
        fail_file(r, APART_EMPTY, "the file is empty");
        return r->status;
    }
    const read_fn read = r->how->points ? read_points : format_choose(r);
    if (!read) return r->status;
    if (read != read_stl_binary) format_pass_mark(r);
    if (read(r) && r->mesh->vertex_count == 0) fail_file(r, APART_EMPTY, "the file holds no points");
    if (r->status != APART_OK || !settle_short_faces(r) || !apply_scale(r)) apart_io_free(r->mesh);
    return r->status;
}

apart_status apart_io_parse(const char* name, const void* data, size_t size, const apart_io_options* options,
                            apart_io_mesh* mesh, apart_error* error) {
    if (!name || !mesh || (!data && size)) return refuse(error, APART_INVALID, "there is no name, mesh or data");
    reader r = reader_make(name, options, mesh, error);
    reader_set_bytes(&r, size ? data : "", size);
    return run(&r);
}

apart_status apart_io_read(const char* path, const apart_io_options* options, apart_io_mesh* mesh, apart_error* error) {
    if (!path || !mesh) return refuse(error, APART_INVALID, "there is no path or mesh");
    reader r = reader_make(shown_path(path), options, mesh, error);
    file_bytes content = {0};
    if (file_read(&r, path, &content)) {
        reader_set_bytes(&r, content.size ? content.data : "", content.size);
        run(&r);
    }
    free(content.data);
    return r.status;
}

apart_status apart_io_read_objects(const char* path, const apart_io_options* options, apart_io_object** objects,
                                   size_t* count, apart_error* error) {
    if (!path || !objects || !count) return refuse(error, APART_INVALID, "there is no path, objects or count");
    apart_io_mesh mesh;
    object_marks marks = {0};
    reader r = reader_make(shown_path(path), options, &mesh, error);
    r.objects = &marks;
    *objects = NULL;
    *count = 0;
    file_bytes content = {0};
    if (file_read(&r, path, &content)) {
        reader_set_bytes(&r, content.size ? content.data : "", content.size);
        if (run(&r) == APART_OK) *objects = objects_take_apart(&r, count);
    }
    apart_io_free(&mesh);
    free(marks.marks);
    free(content.data);
    return r.status;
}

void apart_io_free(apart_io_mesh* mesh) {
    if (!mesh) return;
    free(mesh->vertices);
    free(mesh->triangles);
    *mesh = (apart_io_mesh){0};
}

// ------------------------------------------------------------------------------------------------------- a body ----

size_t apart_io_used(const apart_io_mesh* mesh, uint32_t* used) {
    const bool all = mesh->triangle_count == 0;
    for (size_t i = 0; i < mesh->vertex_count; i++) used[i] = all;
    for (size_t i = 0; i < 3 * mesh->triangle_count; i++) used[mesh->triangles[i]] = 1;
    size_t count = 0;
    for (size_t i = 0; i < mesh->vertex_count; i++)
        if (used[i]) used[count++] = (uint32_t)i;
    return count;
}

// The hull of the points in use, each of them read out of the mesh in `used`.
static apart_shape* make_hull(const apart_io_mesh* mesh, double radius, uint32_t* used, apart_vec3* points,
                              apart_error* error) {
    const size_t count = apart_io_used(mesh, used);
    for (size_t i = 0; i < count; i++) points[i] = mesh->vertices[used[i]];
    return apart_shape_points(points, count, radius, error);
}

static apart_shape* hull_of(const apart_io_mesh* mesh, double radius, apart_error* error) {
    if (mesh->triangle_count == 0) return apart_shape_points(mesh->vertices, mesh->vertex_count, radius, error);
    uint32_t* used = malloc(mesh->vertex_count * sizeof *used);
    apart_vec3* points = malloc(mesh->vertex_count * sizeof *points);
    apart_shape* hull = used && points ? make_hull(mesh, radius, used, points, error) : NULL;
    if (!used || !points) refuse(error, APART_OUT_OF_MEMORY, "out of memory");
    free(used);
    free(points);
    return hull;
}

apart_shape* apart_io_shape(const apart_io_mesh* mesh, const apart_io_options* options, apart_error* error) {
    const apart_io_options* how = options ? options : &defaults;
    if (!mesh || mesh->vertex_count == 0) {
        refuse(error, APART_INVALID, "there is no mesh");
        return NULL;
    }
    if (how->hull || mesh->triangle_count == 0) return hull_of(mesh, how->radius, error);
    const apart_mesh_options surface = {.radius = how->radius,
                                        .hollow = how->hollow,
                                        .sphere_radius = how->sphere_radius,
                                        .progress = how->progress,
                                        .progress_context = how->progress_context};
    return apart_shape_mesh(mesh->vertices, mesh->vertex_count, mesh->triangles, mesh->triangle_count, &surface, error);
}

// Progress of one of two pieces of work as that of both.
typedef struct share {
    const apart_io_options* how;
    double from, to;
} share;

static bool tell_share(double done, void* context) {
    const share* s = context;
    return s->how->progress(s->from + (s->to - s->from) * done, s->how->progress_context);
}

apart_shape* apart_io_load(const char* path, const apart_io_options* options, apart_error* error) {
    apart_error own;
    apart_io_mesh mesh;
    if (!path) {
        refuse(error, APART_INVALID, "there is no path");
        return NULL;
    }
    // Building takes longer than reading.
    const apart_io_options* wanted = options ? options : &defaults;
    share part = {wanted, 0, 0.3};
    apart_io_options how = *wanted;
    how.progress = wanted->progress ? tell_share : NULL;
    how.progress_context = &part;
    if (apart_io_read(path, &how, &mesh, error) != APART_OK) return NULL;
    // What was odd stays said unless there is worse.
    part = (share){wanted, 0.3, 1};
    apart_shape* shape = apart_io_shape(&mesh, &how, &own);
    apart_io_free(&mesh);
    if (shape || !error) return shape;
    reader r = {.name = shown_path(path), .error = error};
    fail_file(&r, own.status, "%s", own.message);
    return NULL;
}

// What the triangles of a mesh form: closed or open, degenerate ones, stray points.
#include "mesh.h"
#include "weld.h"

#include <float.h>
#include <stdlib.h>

// ------------------------------------------------------------------------------------------- points that agree ----

// map[i] = the number of the distinct point that vertex i is; distinct points are numbered as they come.
static bool number_distinct(const apart_mesh* mesh, uint32_t* map, size_t* distinct) {
    apart_vec3* points = malloc(mesh->vertex_count * sizeof *points);
    weld table = {0};
    bool ok = points && weld_reserve(&table, mesh->vertex_count);
    *distinct = 0;
    for (size_t i = 0; ok && i < mesh->vertex_count; i++) {
        map[i] = weld_find(&table, points, *distinct, mesh->vertices[i], weld_hash(mesh->vertices[i]));
        ok = map[i] != WELD_FAILED;
        if (ok && map[i] == *distinct) points[(*distinct)++] = mesh->vertices[i];
    }
    weld_free(&table);
    free(points);
    return ok;
}

static bool count_unused(const apart_mesh* mesh, size_t* unused) {
    unsigned char* used = calloc(mesh->vertex_count, 1);
    if (!used) return false;
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (size_t i = 0; i < 3; i++) used[mesh->triangles[t][i]] = 1;
    *unused = 0;
    for (size_t i = 0; i < mesh->vertex_count && mesh->triangle_count; i++) *unused += !used[i];
    free(used);
    return true;
}

// ------------------------------------------------------------------------------------------------------- area ----

// (q - p) / size, halved first so that the difference cannot overflow.
static apart_vec3 side(apart_vec3 p, apart_vec3 q, double half_size) {
    return (apart_vec3){(q.x / 2 - p.x / 2) / half_size, (q.y / 2 - p.y / 2) / half_size,
                        (q.z / 2 - p.z / 2) / half_size};
}
static double half_span(apart_vec3 p, apart_vec3 q) {
    return fmax(fabs(q.x / 2 - p.x / 2), fmax(fabs(q.y / 2 - p.y / 2), fabs(q.z / 2 - p.z / 2)));
}
static double square(apart_vec3 a) { return a.x * a.x + a.y * a.y + a.z * a.z; }

// Corners in line, as far as doubles can tell. With sides scaled to 1, each entry of the cross product carries at most
// 3 roundings of products that are at most |u| |v|: 4 epsilon |u| |v| covers its length.
static bool has_no_area(apart_vec3 a, apart_vec3 b, apart_vec3 c) {
    const double size = fmax(half_span(a, b), half_span(a, c));
    if (!(size > 0)) return true;
    const apart_vec3 u = side(a, b, size);
    const apart_vec3 v = side(a, c, size);
    const apart_vec3 n = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    const double error = 4 * DBL_EPSILON;
    return square(n) <= error * error * square(u) * square(v);
}

// ------------------------------------------------------------------------------------------------------ edges ----

// A triangle in distinct points; false if two corners are the same one.
static bool corners(const apart_mesh* mesh, const uint32_t* map, size_t t, uint32_t out[3]) {
    for (size_t i = 0; i < 3; i++) out[i] = map[mesh->triangles[t][i]];
    return out[0] != out[1] && out[1] != out[2] && out[2] != out[0];
}

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }
static uint32_t larger(uint32_t a, uint32_t b) { return a < b ? b : a; }

static int by_number(const void* a, const void* b) {
    const uint32_t p = *(const uint32_t*)a;
    const uint32_t q = *(const uint32_t*)b;
    return (p > q) - (p < q);
}

// The far ends of the edges that start at one point: equal ones in a row are one edge.
static void count_runs(uint32_t* far, size_t count, apart_mesh_survey* survey) {
    if (count > 1) qsort(far, count, sizeof *far, by_number);
    for (size_t i = 0; i < count;) {
        size_t next = i + 1;
        while (next < count && far[next] == far[i]) next++;
        survey->open_edges += next - i == 1;
        survey->crowded += next - i > 2;
        i = next;
    }
}

// Edges sorted by their smaller end: first[p] .. first[p + 1] are those of point p. Counting, adding up, filling in.
static void count_edges(const apart_mesh* mesh, const uint32_t* map, size_t* first, uint32_t* far,
                        apart_mesh_survey* survey) {
    uint32_t c[3];
    const size_t points = survey->distinct;
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (size_t i = 0; corners(mesh, map, t, c) && i < 3; i++) first[smaller(c[i], c[(i + 1) % 3]) + 1]++;
    for (size_t p = 0; p < points; p++) first[p + 1] += first[p];
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (size_t i = 0; corners(mesh, map, t, c) && i < 3; i++)
            far[first[smaller(c[i], c[(i + 1) % 3])]++] = larger(c[i], c[(i + 1) % 3]);
    // Filling moved every start to the next one.
    for (size_t p = 0; p < points; p++) {
        const size_t start = p ? first[p - 1] : 0;
        count_runs(far + start, first[p] - start, survey);
    }
}

static bool survey_edges(const apart_mesh* mesh, const uint32_t* map, apart_mesh_survey* survey) {
    size_t* first = calloc(survey->distinct + 1, sizeof *first);
    uint32_t* far = malloc((3 * mesh->triangle_count + 1) * sizeof *far);
    const bool ok = first && far;
    if (ok) count_edges(mesh, map, first, far, survey);
    free(first);
    free(far);
    return ok;
}

// -------------------------------------------------------------------------------------------------- the survey ----

static size_t count_degenerate(const apart_mesh* mesh, const uint32_t* map) {
    size_t count = 0;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t c[3];
        const uint32_t* v = mesh->triangles[t];
        count +=
            !corners(mesh, map, t, c) || has_no_area(mesh->vertices[v[0]], mesh->vertices[v[1]], mesh->vertices[v[2]]);
    }
    return count;
}

apart_status apart_mesh_look(const apart_mesh* mesh, apart_mesh_survey* survey) {
    if (!mesh || !survey) return APART_INVALID;
    apart_mesh_survey found = {0};
    *survey = found;
    if (mesh->vertex_count == 0) return APART_OK;
    uint32_t* map = malloc(mesh->vertex_count * sizeof *map);
    const bool ok = map && number_distinct(mesh, map, &found.distinct) && count_unused(mesh, &found.unused) &&
                    survey_edges(mesh, map, &found);
    if (ok) found.degenerate = count_degenerate(mesh, map);
    free(map);
    if (!ok) return APART_OUT_OF_MEMORY;
    found.closed = mesh->triangle_count > 0 && found.degenerate < mesh->triangle_count && found.open_edges == 0 &&
                   found.crowded == 0;
    *survey = found;
    return APART_OK;
}

// Points of a mesh: equal ones, stray ones. What the triangles form, the library tells (apart_shape_describe).
#include "mesh.h"
#include "weld.h"

#include <stdlib.h>

// How many vertices have different coordinates.
static bool count_distinct(const apart_mesh* mesh, size_t* distinct) {
    apart_vec3* points = malloc(mesh->vertex_count * sizeof *points);
    weld table = {0};
    bool ok = points && weld_reserve(&table, mesh->vertex_count);
    *distinct = 0;
    for (size_t i = 0; ok && i < mesh->vertex_count; i++) {
        const apart_vec3 p = mesh->vertices[i];
        const uint32_t place = weld_find(&table, points, *distinct, p, weld_hash(p));
        ok = place != WELD_FAILED;
        if (ok && place == *distinct) points[(*distinct)++] = p;
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

apart_status apart_mesh_look(const apart_mesh* mesh, apart_mesh_survey* survey) {
    if (!mesh || !survey) return APART_INVALID;
    apart_mesh_survey found = {0};
    *survey = found;
    if (mesh->vertex_count == 0) return APART_OK;
    if (!count_distinct(mesh, &found.distinct) || !count_unused(mesh, &found.unused)) return APART_OUT_OF_MEMORY;
    *survey = found;
    return APART_OK;
}

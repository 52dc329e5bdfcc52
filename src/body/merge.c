// Polygons of the triangles that lie in one plane.
//
// Faces grow from their largest triangle, one neighbour at a time, so that the plane is known well before small
// triangles are measured against it. Each triangle is looked at a few times only: a face of n corners takes linear
// time.
//
// Nothing here is proven: whether faces are flat and convex, and hold all the points, is checked by those who use them.
#include "body/merge.h"

#include "base/exact.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/// The work in progress.
typedef struct merging {
    const triangles* t;
    const vec3* point;
    uint32_t* face;   // of a triangle
    uint32_t* queue;  // triangles of a face whose neighbours are to be looked at
    uint32_t* degree; // of a point: the edges between faces that begin there
    uint32_t* start;  // of a face: an edge of its outline
    uint32_t* length; // of a face: edges in its outline
} merging;

static uint32_t next_edge(uint32_t e) { return e % 3 == 2 ? e - 2 : e + 1; }
static vec3 start_of(const merging* m, uint32_t edge) { return m->point[m->t->corner[edge]]; }

/// Twice the area of a triangle as a vector.
static vec3 area_of(const merging* m, uint32_t triangle) {
    return vec3_area(start_of(m, 3 * triangle), start_of(m, 3 * triangle + 1), start_of(m, 3 * triangle + 2));
}

// ------------------------------------------------------------------------------------------------------ growing ----

/// A key that sorts triangles by falling area, then by number. Floats that are not negative sort as their bits do.
static uint64_t size_key(const merging* m, uint32_t triangle) {
    float area = (float)vec3_length(area_of(m, triangle));
    uint32_t bits;
    memcpy(&bits, &area, sizeof bits);
    return (uint64_t)~bits << 32 | triangle;
}

/// A face while it grows: its triangles are queue[0 .. found - 1].
typedef struct growing {
    uint32_t face, found;
    vec3 corner[3]; // the largest triangle that was found
    vec3 normal;    // of it, as long as twice its area
} growing;

/// Whether the corner of a neighbour lies in the plane.
static bool accepts(const growing* g, vec3 corner) {
    return fabs(vec3_dot(g->normal, vec3_sub(corner, g->corner[0]))) <= FLATNESS / 2 * vec3_length(g->normal);
}

/// A plane is known best by corners that are far apart.
static void improve_plane(growing* g, vec3 corner) {
    vec3 old[3] = {g->corner[0], g->corner[1], g->corner[2]};
    for (int i = 0; i < 3; i++) {
        vec3 normal = vec3_area(corner, old[(i + 1) % 3], old[(i + 2) % 3]);
        if (!(vec3_dot(normal, normal) > vec3_dot(g->normal, g->normal))) continue;
        g->normal = normal;
        for (int k = 0; k < 3; k++) g->corner[k] = k == i ? corner : old[k];
    }
}

/// Takes the triangles around a face that lie in its plane.
static void grow_polygon(merging* m, growing* g) {
    for (uint32_t taken = 0; taken < g->found; taken++) {
        uint32_t here = m->queue[taken];
        for (uint32_t e = 3 * here; e < 3 * here + 3; e++) {
            uint32_t twin = m->t->twin[e], there = twin / 3;
            if (m->face[there] != NONE) continue;
            vec3 corner = start_of(m, next_edge(next_edge(twin)));
            if (!accepts(g, corner)) continue;
            improve_plane(g, corner);
            m->face[there] = g->face;
            m->queue[g->found++] = there;
        }
    }
}

/// Makes a face of a triangle and of all around it that lies in one plane with it.
static void grow(merging* m, uint32_t seed, uint32_t face) {
    growing g = {.face = face, .found = 1, .normal = area_of(m, seed)};
    for (uint32_t i = 0; i < 3; i++) g.corner[i] = start_of(m, 3 * seed + i);
    m->queue[0] = seed;
    m->face[seed] = face;
    grow_polygon(m, &g);
}

/// Gives every triangle a face. Returns how many there are.
static uint32_t grow_all(merging* m, uint64_t* order) {
    uint32_t count = m->t->count, faces = 0;
    meter none = {0};
    for (uint32_t i = 0; i < count; i++) {
        order[i] = size_key(m, i);
        m->face[i] = NONE;
    }
    apart_sort_keys(order, count, &none);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t seed = (uint32_t)order[i];
        if (m->face[seed] == NONE) grow(m, seed, faces++);
    }
    return faces;
}

// ----------------------------------------------------------------------------------------------------- outlines ----

/// The face on the other side of an edge.
static uint32_t beyond(const merging* m, uint32_t edge) { return m->face[m->t->twin[edge] / 3]; }

/// Counts the edges between faces.
static void find_outlines(merging* m) {
    for (uint32_t e = 0; e < 3 * m->t->count; e++) {
        uint32_t face = m->face[e / 3];
        if (beyond(m, e) == face) continue;
        m->degree[m->t->corner[e]]++;
        m->start[face] = e;
        m->length[face]++;
    }
}

/// The edge of the outline after this one: turns about its end, inside the face.
static uint32_t next_of_outline(const merging* m, uint32_t edge) {
    uint32_t e = next_edge(edge);
    while (beyond(m, e) == m->face[edge / 3]) e = next_edge(m->t->twin[e]);
    return e;
}

/// Walks once around a face. A point at which only two faces meet lies in the inside of an edge.
static bool add_outline(const merging* m, uint32_t face, polygons* out) {
    uint32_t filled = out->first[face], left = m->length[face], e = m->start[face];
    for (; left > 0; left--) {
        if (m->degree[m->t->corner[e]] > 2) {
            out->corner[filled] = m->t->corner[e];
            out->across[filled++] = beyond(m, e);
        }
        e = next_of_outline(m, e);
        if (e == m->start[face]) break;
    }
    out->first[face + 1] = filled;
    return left == 1 && filled - out->first[face] >= 3;
}

static outcome outline_all(merging* m, polygons* out) {
    find_outlines(m);
    out->first[0] = 0;
    for (uint32_t f = 0; f < out->count; f++)
        if (!add_outline(m, f, out)) return GAVE_UP;
    return FOUND;
}

// ------------------------------------------------------------------------------------------------------ together ----

outcome apart_merge_triangles(const triangles* t, const vec3* point, uint32_t points, polygons* out) {
    size_t count = t->count;
    uint32_t* numbers = calloc(4 * count + points, sizeof *numbers);
    uint64_t* order = calloc(count, sizeof *order);
    *out = (polygons){.first = calloc(count + 1, sizeof *out->first),
                      .corner = calloc(3 * count, sizeof *out->corner),
                      .across = calloc(3 * count, sizeof *out->across)};
    outcome result = NO_MEMORY;
    if (numbers && order && out->first && out->corner && out->across) {
        merging m = {t, point, .face = numbers, .queue = numbers + count, .start = numbers + 2 * count};
        m.length = numbers + 3 * count;
        m.degree = numbers + 4 * count;
        out->count = grow_all(&m, order);
        result = outline_all(&m, out);
    }
    free(numbers);
    free(order);
    return result;
}

void apart_polygons_free(polygons* p) {
    free(p->first);
    free(p->corner);
    free(p->across);
    *p = (polygons){0};
}

vec3 apart_polygon_area(const vec3* point, const uint32_t* loop, uint32_t length) {
    vec3 sum = {0, 0, 0}, lost = {0, 0, 0};
    for (uint32_t k = 1; k + 1 < length; k++)
        exact_add(&sum, &lost, vec3_area(point[loop[0]], point[loop[k]], point[loop[k + 1]]));
    return vec3_add(sum, lost);
}

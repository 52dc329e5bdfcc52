// Triangulated hulls, by Qhull, for the libraries that want faces and for the proof of a depth.
#include "workload.h"

#include <stdlib.h>

#include <libqhull_r/qhull_ra.h>

// Corner k of a triangle as an index into the points.
static void corners(qhT* qh, facetT* facet, uint32_t out[3]) {
    vertexT *vertex, **vertexp;
    int k = 0;
    out[0] = out[1] = out[2] = 0;
    FOREACHvertex_(facet->vertices) {
        if (k < 3) out[k++] = (uint32_t)qh_pointid(qh, vertex->point);
    }
}

// Turns the triangle so that its corners run counter-clockwise about the facet's outward normal.
static void orient(const apart_vec3* points, const double* normal, uint32_t t[3]) {
    apart_vec3 a = points[t[0]], b = points[t[1]], c = points[t[2]];
    double ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z, vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
    double along = (uy * vz - uz * vy) * normal[0] + (uz * vx - ux * vz) * normal[1] + (ux * vy - uy * vx) * normal[2];
    if (along < 0) {
        uint32_t swap = t[1];
        t[1] = t[2];
        t[2] = swap;
    }
}

static bool collect(qhT* qh, bench_body* body) {
    facetT* facet;
    body->triangle_count = (size_t)qh->num_facets;
    body->triangles = malloc(body->triangle_count * sizeof body->triangles[0]);
    if (!body->triangles) return false;
    size_t i = 0;
    FORALLfacets {
        if (i == body->triangle_count) break;
        corners(qh, facet, body->triangles[i]);
        orient(body->points, facet->normal, body->triangles[i]);
        i++;
    }
    return i == body->triangle_count;
}

// One side of a triangle, its lower corner first.
typedef struct side {
    uint32_t end[2], triangle;
} side;

static int by_ends(const void* a, const void* b) {
    const side *s = a, *t = b;
    for (int i = 0; i < 2; i++)
        if (s->end[i] != t->end[i]) return s->end[i] < t->end[i] ? -1 : 1;
    return 0;
}

static void list_sides(const bench_body* body, side* sides) {
    for (size_t t = 0; t < body->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            uint32_t p = body->triangles[t][k], q = body->triangles[t][(k + 1) % 3];
            sides[3 * t + (size_t)k] = (side){{p < q ? p : q, p < q ? q : p}, (uint32_t)t};
        }
}

// On a closed surface every edge is a side of two triangles, which sorting brings together.
static bool join_sides(bench_body* body) {
    size_t count = 3 * body->triangle_count;
    side* sides = malloc(count * sizeof *sides);
    body->edge_count = count / 2;
    body->edges = malloc(body->edge_count * sizeof body->edges[0]);
    bool good = sides && body->edges && count % 2 == 0;
    if (good) {
        list_sides(body, sides);
        qsort(sides, count, sizeof *sides, by_ends);
    }
    for (size_t i = 0; good && i < body->edge_count; i++) {
        const side *s = &sides[2 * i], *t = s + 1;
        good = by_ends(s, t) == 0;
        for (int k = 0; k < 2; k++) body->edges[i][k] = s->end[k];
        body->edges[i][2] = s->triangle;
        body->edges[i][3] = t->triangle;
    }
    free(sides);
    return good;
}

bool hull_surface(bench_body* body) {
    qhT qh;
    char options[] = "qhull Qt";
    qh_zero(&qh, stderr);
    int failed = qh_new_qhull(&qh, 3, (int)body->count, (double*)body->points, False, options, NULL, stderr);
    bool good = !failed && collect(&qh, body) && join_sides(body);
    int current, total;
    qh_freeqhull(&qh, !qh_ALL);
    qh_memfreeshort(&qh, &current, &total);
    return good;
}

// Triangulated hulls for the libraries that want faces, by Qhull.
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

static bool collect(qhT* qh, const apart_vec3* points, uint32_t (**triangles)[3], size_t* count) {
    facetT* facet;
    *count = (size_t)qh->num_facets;
    *triangles = malloc(*count * sizeof **triangles);
    if (!*triangles) return false;
    size_t i = 0;
    FORALLfacets {
        if (i == *count) break;
        corners(qh, facet, (*triangles)[i]);
        orient(points, facet->normal, (*triangles)[i]);
        i++;
    }
    return i == *count;
}

bool hull_triangles(const apart_vec3* points, size_t count, uint32_t (**triangles)[3], size_t* triangle_count) {
    *triangles = NULL;
    qhT qh;
    char options[] = "qhull Qt";
    qh_zero(&qh, stderr);
    int failed = qh_new_qhull(&qh, 3, (int)count, (double*)points, False, options, NULL, stderr);
    bool good = !failed && collect(&qh, points, triangles, triangle_count);
    int current, total;
    qh_freeqhull(&qh, !qh_ALL);
    qh_memfreeshort(&qh, &current, &total);
    return good;
}

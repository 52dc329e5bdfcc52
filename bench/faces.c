// How deep are two polytopes in each other? By brute force, independent of apart.
//
// The depth is the least support of K = A - B over all directions, and it is reached at the normal of a face of K.
// Those are the normals of A's faces, the opposite normals of B's, and the common normals of an edge of A and an edge
// of B whose arcs on the Gauss map cross. Any direction's support is at least the depth, so the tests that leave out
// pairs of edges may let too many pass, never too few: they are made in doubles with a slack, the supports in long
// double.
#include "workload.h"

#include <stdlib.h>

#define SLACK 1e-9
// The sine of the angle below which two edges count as parallel: their faces' normals stand for them.
#define PARALLEL 1e-12L

// A body in the world. The normals and directions are unit vectors.
typedef struct placed {
    const bench_body* body;
    wide *point, *normal, *direction; // of vertices, triangles, edges
} placed;

static wide minus(wide a, wide b) { return (wide){a.x - b.x, a.y - b.y, a.z - b.z}; }
static wide opposite(wide a) { return (wide){-a.x, -a.y, -a.z}; }

static wide cross(wide a, wide b) {
    return (wide){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static wide unit(wide a) {
    long double length = sqrtl(wide_dot(a, a));
    return (wide){a.x / length, a.y / length, a.z / length};
}

static bool place(placed* p, const bench_body* body, const apart_pose* pose) {
    p->body = body;
    p->point = malloc((body->count + body->triangle_count + body->edge_count) * sizeof(wide));
    if (!p->point) return false;
    p->normal = p->point + body->count;
    p->direction = p->normal + body->triangle_count;
    for (size_t i = 0; i < body->count; i++) p->point[i] = wide_in_world(pose, body->points[i]);
    for (size_t i = 0; i < body->triangle_count; i++) {
        const uint32_t* t = body->triangles[i];
        wide corner = p->point[t[0]];
        p->normal[i] = unit(cross(minus(p->point[t[1]], corner), minus(p->point[t[2]], corner)));
    }
    for (size_t i = 0; i < body->edge_count; i++)
        p->direction[i] = unit(minus(p->point[body->edges[i][1]], p->point[body->edges[i][0]]));
    return true;
}

static long double reach(const placed* p, wide n) {
    long double most = -INFINITY;
    for (size_t i = 0; i < p->body->count; i++) {
        long double along = wide_dot(n, p->point[i]);
        if (along > most) most = along;
    }
    return most;
}

// The support of A - B.
static long double support(const placed* a, const placed* b, wide n) { return reach(a, n) + reach(b, opposite(n)); }

static long double least_over_faces(const placed* a, const placed* b) {
    long double least = INFINITY;
    for (size_t i = 0; i < a->body->triangle_count; i++) least = fminl(least, support(a, b, a->normal[i]));
    for (size_t i = 0; i < b->body->triangle_count; i++) least = fminl(least, support(a, b, opposite(b->normal[i])));
    return least;
}

// Whether the arc between the normals of an edge's two faces meets the great circle across a direction, given the
// normals' products with it.
static bool meets_circle(double first, double second) {
    return fmin(first, second) <= SLACK && fmax(first, second) >= -SLACK;
}

// The edges' own points give what the support is at least; only if that is below the least so far it is worth a look.
static long double edge_pair(const placed* a, const uint32_t* edge_a, const placed* b, const uint32_t* edge_b, wide n,
                             long double least) {
    long double beside_a = wide_dot(n, a->normal[edge_a[2]]) + wide_dot(n, a->normal[edge_a[3]]);
    long double beside_b = wide_dot(n, b->normal[edge_b[2]]) + wide_dot(n, b->normal[edge_b[3]]);
    if (beside_a < -SLACK || beside_b > SLACK) return least;
    if (wide_dot(n, minus(a->point[edge_a[0]], b->point[edge_b[0]])) >= least) return least;
    return fminl(least, support(a, b, n));
}

// All edges of B against edge i of A. `product` has room for B's triangles.
static long double least_over_edges(const placed* a, size_t i, const placed* b, double* product, long double least) {
    const uint32_t* edge_a = a->body->edges[i];
    wide d = a->direction[i], first = a->normal[edge_a[2]], second = a->normal[edge_a[3]];
    for (size_t j = 0; j < b->body->triangle_count; j++) product[j] = (double)wide_dot(d, b->normal[j]);
    for (size_t j = 0; j < b->body->edge_count; j++) {
        const uint32_t* edge_b = b->body->edges[j];
        if (!meets_circle(product[edge_b[2]], product[edge_b[3]])) continue;
        wide e = b->direction[j];
        if (!meets_circle((double)wide_dot(e, first), (double)wide_dot(e, second))) continue;
        wide n = cross(d, e);
        if (wide_dot(n, n) < PARALLEL * PARALLEL) continue;
        n = unit(n);
        least = edge_pair(a, edge_a, b, edge_b, n, least);
        least = edge_pair(a, edge_a, b, edge_b, opposite(n), least);
    }
    return least;
}

double depth_by_faces(const bench_body* a, const apart_pose* pose_a, const bench_body* b, const apart_pose* pose_b) {
    placed in_a = {0}, in_b = {0};
    double* product = malloc(b->triangle_count * sizeof *product);
    long double least = NAN;
    if (product && place(&in_a, a, pose_a) && place(&in_b, b, pose_b)) {
        least = least_over_faces(&in_a, &in_b);
        for (size_t i = 0; i < a->edge_count; i++) least = least_over_edges(&in_a, i, &in_b, product, least);
    }
    free(product);
    free(in_a.point);
    free(in_b.point);
    return (double)least;
}

// libccd: intersection, and penetration by two methods.
//
// Its interface has no distance, so what is measured on bodies that are apart is ccdGJKIntersect, which says no more
// than whether two bodies meet; its distance lives on inside FCL. Nothing in it can start from the last answer.
//
// libccd leaves the support function to its user: here a plain loop over the vertices.
#include "../peers.h"

#include <ccd/ccd.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(apart_pose) <= sizeof(bench_pose), "a pose fits");

// The core points, one after the other, and the radius around them.
typedef struct shape {
    double radius;
    size_t count;
    apart_vec3 point[];
} shape;

typedef struct placed {
    const shape* shape;
    const apart_pose* pose;
} placed;

static void* create(const bench_body* body) {
    if (!body->count) return NULL;
    shape* s = malloc(sizeof *s + body->count * sizeof s->point[0]);
    if (!s) return NULL;
    s->radius = body->radius;
    s->count = body->count;
    memcpy(s->point, body->points, body->count * sizeof s->point[0]);
    return s;
}

static void destroy(void* s) { free(s); }

static void place(const apart_pose* pose, bench_pose* out) { memcpy(out, pose, sizeof *pose); }

static const apart_vec3* farthest(const shape* s, double x, double y, double z) {
    size_t best = 0;
    double most = -INFINITY;
    for (size_t i = 0; i < s->count; i++) {
        double along = s->point[i].x * x + s->point[i].y * y + s->point[i].z * z;
        if (along > most) {
            most = along;
            best = i;
        }
    }
    return &s->point[best];
}

static void support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out) {
    const placed* body = object;
    const double(*m)[3] = body->pose->rotation.m;
    const double* d = direction->v;
    const apart_vec3* p =
        farthest(body->shape, m[0][0] * d[0] + m[1][0] * d[1] + m[2][0] * d[2],
                 m[0][1] * d[0] + m[1][1] * d[1] + m[2][1] * d[2], m[0][2] * d[0] + m[1][2] * d[1] + m[2][2] * d[2]);
    const apart_vec3* t = &body->pose->translation;
    double r = body->shape->radius > 0 ? body->shape->radius / sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) : 0;
    out->v[0] = m[0][0] * p->x + m[0][1] * p->y + m[0][2] * p->z + t->x + r * d[0];
    out->v[1] = m[1][0] * p->x + m[1][1] * p->y + m[1][2] * p->z + t->y + r * d[1];
    out->v[2] = m[2][0] * p->x + m[2][1] * p->y + m[2][2] * p->z + t->z + r * d[2];
}

// Start along the line between the bodies' origins.
static void first_direction(const void* a, const void* b, ccd_vec3_t* out) {
    const apart_vec3 *ta = &((const placed*)a)->pose->translation, *tb = &((const placed*)b)->pose->translation;
    ccdVec3Set(out, tb->x - ta->x, tb->y - ta->y, tb->z - ta->z);
}

static void centre(const void* object, ccd_vec3_t* out) {
    const apart_vec3* t = &((const placed*)object)->pose->translation;
    ccdVec3Set(out, t->x, t->y, t->z);
}

// The limit of iterations and MPR's tolerance are those that FCL sets. The expansion compares squares with its
// tolerance and ends by itself on a polytope, so that a smaller one makes it exact there at no cost; on a round body it
// does not.
static ccd_t settings(bool round) {
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.first_dir = first_direction;
    ccd.support1 = support;
    ccd.support2 = support;
    ccd.center1 = centre;
    ccd.center2 = centre;
    ccd.max_iterations = 500;
    ccd.epa_tolerance = round ? 1e-6 : 1e-12;
    ccd.mpr_tolerance = 1e-6;
    return ccd;
}

static double intersect(const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b,
                        bench_memory* memory) {
    (void)memory;
    placed body_a = {a, (const apart_pose*)pose_a}, body_b = {b, (const apart_pose*)pose_b};
    ccd_t ccd = settings(false);
    ccd.max_iterations = 100;
    return ccdGJKIntersect(&body_a, &body_b, &ccd) ? 0 : 1;
}

// The two ways to a depth have the same arguments, and both return 0 on overlap.
static inline double penetration(int (*find)(const void*, const void*, const ccd_t*, ccd_real_t*, ccd_vec3_t*,
                                             ccd_vec3_t*),
                                 const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b) {
    placed body_a = {a, (const apart_pose*)pose_a}, body_b = {b, (const apart_pose*)pose_b};
    ccd_t ccd = settings(body_a.shape->radius > 0);
    ccd_real_t depth;
    ccd_vec3_t direction, position;
    return find(&body_a, &body_b, &ccd, &depth, &direction, &position) == 0 ? -depth : BENCH_NO_ANSWER;
}

static double penetration_epa(const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b,
                              bench_memory* memory) {
    (void)memory;
    return penetration(ccdGJKPenetration, a, pose_a, b, pose_b);
}

static double penetration_mpr(const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b,
                              bench_memory* memory) {
    (void)memory;
    return penetration(ccdMPRPenetration, a, pose_a, b, pose_b);
}

#define LIBRARY(suffix, heading, words, judged, function)                                                              \
    const bench_library bench_libccd##suffix = {                                                                       \
        .name = (heading),                                                                                             \
        .version = BENCH_CCD_VERSION,                                                                                  \
        .call = (words),                                                                                               \
        .answers = (judged),                                                                                           \
        .create = create,                                                                                              \
        .destroy = destroy,                                                                                            \
        .place = place,                                                                                                \
        .distance = (function),                                                                                        \
    }

LIBRARY(, "libccd*", "ccdGJKIntersect: overlap yes or no, no distance", BENCH_YES_NO, intersect);
LIBRARY(_epa, "libccd", "ccdGJKPenetration", BENCH_VALUE, penetration_epa);
LIBRARY(_mpr, "MPR", "libccd's ccdMPRPenetration", BENCH_ESTIMATE, penetration_mpr);

// Is an answer right? The direction and the witnesses are a proof that anyone can check.
#include "workload.h"

wide wide_in_world(const apart_pose* pose, apart_vec3 p) {
    const double(*m)[3] = pose->rotation.m;
    long double x = p.x, y = p.y, z = p.z;
    wide w = {m[0][0] * x + m[0][1] * y + m[0][2] * z + pose->translation.x,
              m[1][0] * x + m[1][1] * y + m[1][2] * z + pose->translation.y,
              m[2][0] * x + m[2][1] * y + m[2][2] * z + pose->translation.z};
    return w;
}

// The largest coordinate of the core along sign * n.
static long double reach(const bench_body* body, const apart_pose* pose, apart_vec3 n, int sign) {
    long double most = -INFINITY;
    for (size_t i = 0; i < body->count; i++) {
        wide w = wide_in_world(pose, body->points[i]);
        long double along = sign * (n.x * w.x + n.y * w.y + n.z * w.z);
        if (along > most) most = along;
    }
    return most;
}

static wide weighted_point(const bench_body* body, const apart_pose* pose, const apart_witness* witness) {
    wide sum = {0, 0, 0};
    long double total = 0;
    for (uint32_t i = 0; i < witness->count; i++) {
        if (witness->vertex[i] >= body->count || !(witness->weight[i] >= 0)) return (wide){NAN, NAN, NAN};
        wide w = wide_in_world(pose, body->points[witness->vertex[i]]);
        long double weight = witness->weight[i];
        sum = (wide){sum.x + weight * w.x, sum.y + weight * w.y, sum.z + weight * w.z};
        total += weight;
    }
    return (wide){sum.x / total, sum.y / total, sum.z / total};
}

static bracket certify(const bench_body* a, const apart_pose* pose_a, const bench_body* b, const apart_pose* pose_b,
                       const apart_result* result) {
    apart_vec3 n = result->normal;
    long double length = sqrtl((long double)n.x * n.x + (long double)n.y * n.y + (long double)n.z * n.z);
    long double lower = -(reach(a, pose_a, n, 1) + reach(b, pose_b, n, -1)) / length;
    wide p = weighted_point(a, pose_a, &result->a), q = weighted_point(b, pose_b, &result->b);
    long double dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
    long double upper = sqrtl(dx * dx + dy * dy + dz * dz), radii = (long double)a->radius + b->radius;
    return (bracket){(double)(lower - radii), (double)(upper - radii)};
}

static bracket by_witnesses(const workload* w, size_t query, const apart_shape* a, const apart_shape* b,
                            apart_depth depth) {
    const uint32_t* pair = w->pair[query % w->pairs];
    const apart_pose *pose_a = &w->pose_a[query], *pose_b = &w->pose_b[query];
    apart_result result;
    if (!bench_ask(a, pose_a, b, pose_b, depth, &result)) return (bracket){NAN, NAN};
    return certify(&w->bodies[pair[0]], pose_a, &w->bodies[pair[1]], pose_b, &result);
}

// The least distance of two spheres, over all of them.
static bracket by_spheres(const workload* w, size_t query) {
    const uint32_t* pair = w->pair[query % w->pairs];
    const bench_body *a = &w->bodies[pair[0]], *b = &w->bodies[pair[1]];
    long double least = INFINITY;
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < b->count; k++) {
            wide p = wide_in_world(&w->pose_a[query], a->points[i]), q = wide_in_world(&w->pose_b[query], b->points[k]);
            wide v = {q.x - p.x, q.y - p.y, q.z - p.z};
            least = fminl(least, wide_dot(v, v));
        }
    double distance = (double)(sqrtl(least) - ((long double)a->radius + b->radius));
    return (bracket){distance, distance};
}

bracket truth_of_distance(const workload* w, size_t query, const apart_shape* a, const apart_shape* b) {
    const uint32_t* pair = w->pair[query % w->pairs];
    if (is_union(&w->bodies[pair[0]]) || is_union(&w->bodies[pair[1]])) return by_spheres(w, query);
    return by_witnesses(w, query, a, b, APART_DEPTH_NONE);
}

static bool is_round(const bench_body* body) { return body->kind == BENCH_SPHERE || body->kind == BENCH_CAPSULE; }

bracket truth_of_depth(const workload* w, size_t query, const apart_shape* a, const apart_shape* b) {
    const uint32_t* pair = w->pair[query % w->pairs];
    const bench_body *body_a = &w->bodies[pair[0]], *body_b = &w->bodies[pair[1]];
    if (is_round(body_a) && is_round(body_b)) return by_witnesses(w, query, a, b, APART_DEPTH_EXACT);
    if (!body_a->triangles || !body_b->triangles) return truth_by_directions(w, query, a, b);
    double depth = depth_by_faces(body_a, &w->pose_a[query], body_b, &w->pose_b[query]);
    return (bracket){-depth, -depth};
}

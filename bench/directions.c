// How deep are two convex bodies in each other, one of them without corners? By a search over directions.
//
// The depth is the least support of K = A - B over all directions. Every support is an upper bound of it, in long
// double: a bracket that claims a greater depth is wrong. The search goes from the best of many random directions and
// from the normal of apart's own answer, so that it is never worse than that.
#include "workload.h"

#include "base/vec.h"

#define SAMPLES 150
#define STARTS 2
#define TRIES 6
// Steps as parts of the unit: halved where none of the tries is an improvement.
#define FIRST_STEP 0.2
#define LAST_STEP 1e-9

// The farthest coordinate of a body along n, both in the body's own frame.
static long double local_reach(const bench_body* body, wide n) {
    long double h = body->half_height, r = body->radius, most = -INFINITY;
    wide s = {body->half.x * n.x, body->half.y * n.y, body->half.z * n.z};
    switch (body->kind) {
    case BENCH_CYLINDER:
        return r * sqrtl(n.x * n.x + n.y * n.y) + h * fabsl(n.z);
    case BENCH_CONE:
        return fmaxl(h * n.z, r * sqrtl(n.x * n.x + n.y * n.y) - h * n.z);
    case BENCH_ELLIPSOID:
        return sqrtl(wide_dot(s, s));
    default:
        for (size_t i = 0; i < body->count; i++) {
            wide p = {body->points[i].x, body->points[i].y, body->points[i].z};
            most = fmaxl(most, wide_dot(p, n));
        }
        return most + r;
    }
}

static long double reach(const bench_body* body, const apart_pose* pose, wide n) {
    const double(*m)[3] = pose->rotation.m;
    wide local = {m[0][0] * n.x + m[1][0] * n.y + m[2][0] * n.z, m[0][1] * n.x + m[1][1] * n.y + m[2][1] * n.z,
                  m[0][2] * n.x + m[1][2] * n.y + m[2][2] * n.z};
    wide at = {pose->translation.x, pose->translation.y, pose->translation.z};
    return local_reach(body, local) + wide_dot(at, n);
}

// The support of A - B along n.
static long double support(const workload* w, size_t q, apart_vec3 direction) {
    const uint32_t* pair = w->pair[q % w->pairs];
    wide n = {direction.x, direction.y, direction.z};
    long double length = sqrtl(wide_dot(n, n));
    n = (wide){n.x / length, n.y / length, n.z / length};
    wide back = {-n.x, -n.y, -n.z};
    return reach(&w->bodies[pair[0]], &w->pose_a[q], n) + reach(&w->bodies[pair[1]], &w->pose_b[q], back);
}

// The least support that small steps from n find.
static long double descend(const workload* w, size_t q, apart_vec3 n, rng* r) {
    long double least = support(w, q, n);
    for (double step = FIRST_STEP; step > LAST_STEP;) {
        bool better = false;
        for (int i = 0; i < TRIES && !better; i++) {
            apart_vec3 next = vec3_unit(vec3_mad(n, step, rng_unit_vector(r)));
            long double s = support(w, q, next);
            better = s < least;
            if (better) {
                least = s;
                n = next;
            }
        }
        if (!better) step /= 2;
    }
    return least;
}

// The best of some random directions.
static apart_vec3 sample(const workload* w, size_t q, rng* r) {
    apart_vec3 best = rng_unit_vector(r);
    long double least = support(w, q, best);
    for (int i = 1; i < SAMPLES / STARTS; i++) {
        apart_vec3 n = rng_unit_vector(r);
        long double s = support(w, q, n);
        if (s >= least) continue;
        least = s;
        best = n;
    }
    return best;
}

bracket truth_by_directions(const workload* w, size_t query, const apart_shape* a, const apart_shape* b) {
    rng r = rng_seed(query);
    apart_result result;
    if (!bench_ask(a, &w->pose_a[query], b, &w->pose_b[query], APART_DEPTH_EXACT, &result)) return (bracket){NAN, NAN};
    long double least = descend(w, query, result.normal, &r);
    for (int i = 0; i < STARTS; i++) least = fminl(least, descend(w, query, sample(w, query, &r), &r));
    return (bracket){(double)-least, fmax(bench_ends(&result).upper, (double)-least)};
}

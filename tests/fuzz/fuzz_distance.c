// Any bytes as two bodies, two poses and a query. The answer is a status, or an interval that holds together: finite,
// lower_bound <= distance, a unit normal, weights that sum to 1, and all methods meeting in one interval.
#include "source.h"

// ------------------------------------------------------------------------------------------------------ source ----

// Mostly a small number of few digits, so that degenerate cases are common; sometimes any double at all.
static double take_number(source* s) {
    const unsigned how = take_byte(s);
    if (how < 8) {
        double x = 0;
        take(s, &x, sizeof x);
        return x;
    }
    int16_t digits = 0;
    take(s, &digits, sizeof digits);
    if (how < 128) return (double)(digits % 16) / 4;
    if (how < 240) return (double)digits / 4096;
    return ldexp((double)digits, ((int)how - 248) * 60);
}

static apart_pose take_pose(source* s) {
    const unsigned how = take_byte(s);
    const apart_vec3 translation = take_point(s);
    apart_pose pose = apart_pose_identity;
    pose.translation = translation;
    if (how < 100) return pose;
    const double w = take_number(s);
    const apart_vec3 q = take_point(s);
    pose = apart_pose_from_quaternion(w, q.x, q.y, q.z, translation);
    // A rotation that is none must be refused.
    if (how > 250) {
        const unsigned column = take_byte(s) % 3;
        pose.rotation.m[how % 3][column] += take_number(s);
    }
    return pose;
}

// A radius now and then.
static double take_radius(source* s) { return take_byte(s) % 4 ? 0 : take_number(s); }

static apart_shape* take_hull(source* s) {
    apart_vec3 points[24];
    const size_t count = take_byte(s) % 25;
    for (size_t i = 0; i < count; i++) points[i] = take_point(s);
    return apart_shape_points(points, count, take_radius(s), NULL);
}

// All bytes are taken in order before any shape is made of them: the order of a call's arguments is not fixed.
static apart_shape* take_shape(source* s) {
    const unsigned kind = take_byte(s) % 9;
    if (kind > 6) return take_hull(s);
    const apart_vec3 n = take_point(s);
    const double radius = take_radius(s);
    switch (kind) {
    case 0:
        return apart_shape_box(n, radius, NULL);
    case 1:
        return apart_shape_sphere(n.x, NULL);
    case 2:
        return apart_shape_capsule(n.x, n.y, NULL);
    case 3:
        return apart_shape_cylinder(n.x, n.y, NULL);
    case 4:
        return apart_shape_cone(n.x, n.y, NULL);
    case 5:
        return apart_shape_ellipsoid(n, NULL);
    default:
        return apart_shape_halfspace(n, radius, NULL);
    }
}

static apart_query take_query(source* s) {
    apart_query query = apart_query_default();
    const unsigned how = take_byte(s);
    if (how & 1) query.relative_error = take_number(s);
    if (how & 2) query.absolute_error = take_number(s);
    if (how & 4) query.cutoff = take_number(s);
    if (how & 8) query.method = (apart_method)(take_byte(s) % 6);
    if (how & 16) query.depth = (apart_depth)(take_byte(s) % 4);
    return query;
}

// ------------------------------------------------------------------------------------------------------ checks ----

static void check_witness(const apart_witness* w) {
    REQUIRE(w->count <= 4);
    double sum = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        REQUIRE(w->weight[i] > 0);
        sum += w->weight[i];
    }
    // At most 4 weights, each rounded a few times.
    REQUIRE(w->count == 0 || fabs(sum - 1) <= 1e-12);
}

static void check_result(const apart_result* r, apart_depth depth) {
    check_numbers(r, depth);
    check_witness(&r->a);
    check_witness(&r->b);
}

typedef struct pair {
    apart_shape *a, *b;
    apart_pose pose_a, pose_b;
} pair;

// Every method brackets the same true distance, so any two brackets have a point in common: with a depth, without one
// (both of 0 on overlap), and a bound with the exact answer.
static void check_methods(const pair* p, apart_depth depth) {
    static const apart_method methods[] = {APART_METHOD_AUTO, APART_METHOD_GJK, APART_METHOD_ENHANCED,
                                           APART_METHOD_FEATURES};
    double lower = -INFINITY;
    double upper = INFINITY;
    for (size_t i = 0; i < 2 * sizeof methods / sizeof *methods; i++) {
        apart_query query = apart_query_default();
        query.method = methods[i / 2];
        query.depth = i % 2 && depth == APART_DEPTH_EXACT ? APART_DEPTH_BOUND : depth;
        apart_result r;
        REQUIRE(apart_distance(p->a, &p->pose_a, p->b, &p->pose_b, &query, NULL, &r) == APART_OK);
        check_result(&r, depth);
        lower = fmax(lower, r.lower_bound);
        upper = fmin(upper, r.upper_bound);
    }
    REQUIRE(lower <= upper);
}

// Once with the caller's query and a cache of any content, twice so that it is warm; then by every method.
static void check_pair(const pair* p, const apart_query* query, apart_cache* cache) {
    apart_result r;
    if (apart_distance(p->a, &p->pose_a, p->b, &p->pose_b, query, cache, &r) != APART_OK) return;
    check_result(&r, query->depth);
    REQUIRE(apart_distance(p->a, &p->pose_a, p->b, &p->pose_b, query, cache, &r) == APART_OK);
    check_result(&r, query->depth);
    check_methods(p, APART_DEPTH_NONE);
    check_methods(p, APART_DEPTH_EXACT);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    source s = {data, size, take_number};
    pair p = {0};
    p.pose_a = take_pose(&s);
    p.pose_b = take_pose(&s);
    const apart_query query = take_query(&s);
    p.a = take_shape(&s);
    p.b = take_shape(&s);
    apart_cache cache = {0};
    take(&s, &cache, sizeof cache);
    if (p.a && p.b) check_pair(&p, &query, &cache);
    apart_shape_release(p.a);
    apart_shape_release(p.b);
    return 0;
}

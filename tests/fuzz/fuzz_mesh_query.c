// Any bytes as two bodies of triangles, convex pieces and unions of both, two poses and a query. The answer is a
// status, or an interval that holds together: finite, lower_bound <= distance, a unit normal, points on the triangles
// that are named, as tight as was asked for; the same pair the other way round, from any cache and by any method has an
// interval in common with it; and between open surfaces so does brute force.
#include "source.h"

#define MOST_VERTICES 16
#define MOST_TRIANGLES 16
#define MOST_PARTS 12

// ------------------------------------------------------------------------------------------------------ source ----

// Mostly a small number of few digits, so that degenerate cases are common; sometimes any double at all.
static double take_number(source* s) {
    const unsigned how = take_byte(s);
    if (how < 4) {
        double x = 0;
        take(s, &x, sizeof x);
        return x;
    }
    if (how < 160) return (double)((int)(how % 17) - 8) / 4;
    int16_t digits = 0;
    take(s, &digits, sizeof digits);
    if (how < 245) return (double)digits / 4096;
    return ldexp((double)digits, ((int)how - 250) * 40);
}

static apart_pose take_pose(source* s) {
    const unsigned how = take_byte(s);
    const apart_vec3 translation = take_point(s);
    apart_pose pose = apart_pose_identity;
    pose.translation = translation;
    if (how < 120) return pose;
    const double w = take_number(s);
    const apart_vec3 q = take_point(s);
    pose = apart_pose_from_quaternion(w, q.x, q.y, q.z, translation);
    // Off by about as much as is allowed, or more.
    if (how > 240) pose.rotation.m[how % 3][how / 3 % 3] += (double)take_byte(s) * 4e-9;
    return pose;
}

static apart_query take_query(source* s) {
    apart_query query = apart_query_default();
    const unsigned how = take_byte(s);
    if (how & 1) query.relative_error = (double)take_byte(s) / 255;
    if (how & 2) query.absolute_error = take_number(s);
    if (how & 4) query.cutoff = take_number(s);
    if (how & 8) query.method = (apart_method)(take_byte(s) % 6);
    if (how & 16) query.depth = (apart_depth)(take_byte(s) % 4);
    return query;
}

// ------------------------------------------------------------------------------------------------------ bodies ----

// One part as it was handed over: what a witness refers to.
typedef struct part {
    bool is_mesh;
    apart_vec3 vertex[MOST_VERTICES];
    uint32_t triangle[MOST_TRIANGLES][3];
    size_t vertices, triangles;
    double radius;
    apart_pose pose; // in the body
} part;

// A body, and its parts in the order of their numbers.
typedef struct body {
    apart_shape* shape;
    part part[MOST_PARTS];
    size_t count;
    double reach; // no number of it is larger: coordinates, radii and translations of all levels together
    bool round;   // a part without corners, or with a radius
    bool solid;   // something may be inside
} body;

static double largest(apart_vec3 p) { return fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))); }

static apart_shape* take_mesh(source* s, part* p) {
    p->is_mesh = true;
    p->vertices = 1 + take_byte(s) % MOST_VERTICES;
    p->triangles = 1 + take_byte(s) % MOST_TRIANGLES;
    double most = 0;
    for (size_t i = 0; i < p->vertices; i++) {
        p->vertex[i] = take_point(s);
        most = fmax(most, largest(p->vertex[i]));
    }
    for (size_t t = 0; t < p->triangles; t++)
        for (int k = 0; k < 3; k++) p->triangle[t][k] = take_byte(s) % (uint32_t)p->vertices;
    const unsigned how = take_byte(s);
    apart_mesh_options options = {.hollow = how & 1};
    if ((how & 6) == 6) options.radius = p->radius = take_number(s);
    if ((how & 24) == 24) options.sphere_radius = ldexp(most, -(int)(take_byte(s) % 4));
    return apart_shape_mesh(p->vertex, p->vertices, p->triangle[0], p->triangles, &options, NULL);
}

static apart_shape* take_convex(source* s, part* p, unsigned kind) {
    const apart_vec3 n = take_point(s);
    p->vertices = 1 + take_byte(s) % MOST_VERTICES;
    p->radius = take_byte(s) % 4 ? 0 : take_number(s);
    switch (kind) {
    case 0:
        return apart_shape_box(n, p->radius, NULL);
    case 1:
        return apart_shape_sphere(n.x, NULL);
    case 2:
        return apart_shape_cone(n.x, n.y, NULL);
    default:
        for (size_t i = 0; i < p->vertices; i++) p->vertex[i] = take_point(s);
        return apart_shape_points(p->vertex, p->vertices, p->radius, NULL);
    }
}

static apart_pose product(const apart_pose* outer, const apart_pose* inner) {
    apart_pose p;
    const double(*o)[3] = outer->rotation.m, (*m)[3] = inner->rotation.m;
    const double t[3] = {inner->translation.x, inner->translation.y, inner->translation.z};
    double at[3] = {outer->translation.x, outer->translation.y, outer->translation.z};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            p.rotation.m[i][k] = o[i][0] * m[0][k] + o[i][1] * m[1][k] + o[i][2] * m[2][k];
            at[i] += o[i][k] * t[k];
        }
    p.translation = (apart_vec3){at[0], at[1], at[2]};
    return p;
}

static void take_body(source* s, body* b, int level);

// Parts one by one, each a body of its own, with a pose.
static void take_union(source* s, body* b, int level) {
    apart_part parts[3];
    const size_t count = 1 + take_byte(s) % 3;
    bool whole = true;
    for (size_t i = 0; i < count; i++) {
        const size_t first = b->count;
        parts[i].pose = take_pose(s);
        take_body(s, b, level + 1);
        parts[i].shape = b->shape;
        whole = whole && b->shape;
        b->reach += largest(parts[i].pose.translation);
        for (size_t k = first; k < b->count; k++) b->part[k].pose = product(&parts[i].pose, &b->part[k].pose);
    }
    b->shape = whole ? apart_shape_union(parts, count, NULL) : NULL;
    for (size_t i = 0; i < count; i++) apart_shape_release(parts[i].shape);
}

static void take_body(source* s, body* b, int level) {
    const unsigned kind = take_byte(s) % 16;
    // Two levels of three parts are the most.
    if (kind > 11 && level < 2) {
        take_union(s, b, level);
        return;
    }
    part* p = &b->part[b->count++];
    p->pose = apart_pose_identity;
    b->shape = kind < 4 ? take_convex(s, p, kind) : take_mesh(s, p);
    apart_shape_info info;
    if (!b->shape || apart_shape_describe(b->shape, &info) != APART_OK) return;
    b->reach = fmax(b->reach, fmax(largest(info.lower), largest(info.upper)));
    b->round = b->round || !p->is_mesh || info.radius > 0;
    b->solid = b->solid || info.solids > 0 || !p->is_mesh;
}

// ------------------------------------------------------------------------------------------------------ checks ----

typedef struct pair {
    const body *a, *b;
    const apart_pose *pose_a, *pose_b;
    double size; // of the numbers, all together
    bool plain;  // squares of them are in range
} pair;

static apart_vec3 moved(const apart_pose* pose, apart_vec3 p) {
    const double(*m)[3] = pose->rotation.m;
    const apart_vec3 t = pose->translation;
    return (apart_vec3){m[0][0] * p.x + m[0][1] * p.y + m[0][2] * p.z + t.x,
                        m[1][0] * p.x + m[1][1] * p.y + m[1][2] * p.z + t.y,
                        m[2][0] * p.x + m[2][1] * p.y + m[2][2] * p.z + t.z};
}

// Triangle t of a part, in the world.
static void world_triangle(const part* p, const apart_pose* pose, size_t t, apart_vec3 to[3]) {
    const apart_pose all = product(pose, &p->pose);
    for (int k = 0; k < 3; k++) to[k] = moved(&all, p->vertex[p->triangle[t][k]]);
}

static void check_witness(const pair* p, const body* b, const apart_pose* pose, const apart_witness* w,
                          apart_vec3 point) {
    REQUIRE(w->count <= 4 && w->part < b->count);
    const part* named = &b->part[w->part];
    REQUIRE(named->is_mesh ? w->triangle < named->triangles : w->triangle == 0);
    double sum = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        REQUIRE(w->weight[i] > 0);
        sum += w->weight[i];
        if (!named->is_mesh) continue;
        const uint32_t* c = named->triangle[w->triangle];
        REQUIRE(c[0] == w->vertex[i] || c[1] == w->vertex[i] || c[2] == w->vertex[i]);
    }
    // At most 4 weights, each rounded a few times.
    REQUIRE(w->count == 0 || fabs(sum - 1) <= 1e-12);
    if (!named->is_mesh || w->count == 0 || !p->plain) return;
    apart_vec3 corner[3];
    world_triangle(named, pose, w->triangle, corner);
    const double off = sqrt(apart_point_triangle(point, corner, NULL));
    REQUIRE(off <= named->radius + 1e-12 * p->size);
}

static void check_result(const pair* p, const apart_result* r, apart_depth depth) {
    check_numbers(r, depth);
    if (depth != APART_DEPTH_NONE) return;
    check_witness(p, p->a, p->pose_a, &r->a, r->point_a);
    check_witness(p, p->b, p->pose_b, &r->b, r->point_b);
}

// As tight as was asked for, up to rounding.
static void check_goal(const pair* p, const apart_query* q, const apart_result* r) {
    // Near the end of the range the numbers themselves have lost their bits.
    const double gap = r->upper_bound - r->lower_bound;
    const double tight = 0x1p-1060 + (p->a->round || p->b->round ? 1e-9 : 1e-11) * p->size;
    REQUIRE(gap <= tight + fmax(q->absolute_error, q->relative_error * r->upper_bound) || r->lower_bound >= q->cutoff);
}

// The least over all pairs of triangles, between surfaces that nothing can be inside of.
static void check_brute_force(const pair* p, const apart_result* r) {
    if (p->a->round || p->b->round || p->a->solid || p->b->solid || !p->plain) return;
    double least = INFINITY;
    for (size_t i = 0; i < p->a->count; i++)
        for (size_t t = 0; t < p->a->part[i].triangles; t++) {
            apart_vec3 x[3], y[3];
            world_triangle(&p->a->part[i], p->pose_a, t, x);
            for (size_t k = 0; k < p->b->count; k++)
                for (size_t u = 0; u < p->b->part[k].triangles; u++) {
                    world_triangle(&p->b->part[k], p->pose_b, u, y);
                    least = fmin(least, sqrt(apart_triangle_triangle(x, y, NULL, NULL)));
                }
        }
    REQUIRE(r->lower_bound <= least + 1e-13 * p->size && r->upper_bound >= least - 1e-13 * p->size);
}

// All intervals of the same pair have a point in common.
typedef struct meeting {
    double lower, upper;
} meeting;

static void ask(const pair* p, const apart_query* q, apart_cache* cache, bool swapped, meeting* m) {
    apart_result r;
    const pair other = {p->b, p->a, p->pose_b, p->pose_a, p->size, p->plain};
    const pair* now = swapped ? &other : p;
    const apart_status status = apart_distance(now->a->shape, now->pose_a, now->b->shape, now->pose_b, q, cache, &r);
    if (q->method == APART_METHOD_SPHERES && status == APART_UNSUPPORTED) return;
    REQUIRE(status == APART_OK);
    check_result(now, &r, q->depth);
    if (q->depth == APART_DEPTH_NONE) check_goal(now, q, &r);
    m->lower = fmax(m->lower, r.lower_bound);
    m->upper = fmin(m->upper, r.upper_bound);
    if (q->method == APART_METHOD_AUTO && q->depth == APART_DEPTH_NONE) check_brute_force(now, &r);
}

static void check_pair(const pair* p, const apart_query* query, apart_cache* cache) {
    static const apart_method methods[] = {APART_METHOD_AUTO, APART_METHOD_GJK, APART_METHOD_ENHANCED,
                                           APART_METHOD_FEATURES, APART_METHOD_SPHERES};
    apart_result r;
    const apart_status status = apart_distance(p->a->shape, p->pose_a, p->b->shape, p->pose_b, query, cache, &r);
    if (status != APART_OK && status != APART_UNSUPPORTED) return;
    meeting all = {-INFINITY, INFINITY};
    if (status == APART_OK) {
        check_result(p, &r, query->depth);
        // Twice, so that the cache is warm; the other way round; and exactly.
        meeting signed_ones = {-INFINITY, INFINITY};
        meeting* m = query->depth == APART_DEPTH_NONE ? &all : &signed_ones;
        ask(p, query, cache, false, m);
        ask(p, query, cache, true, m);
    }
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        apart_query exact = apart_query_default();
        exact.method = methods[i];
        ask(p, &exact, i % 2 ? cache : NULL, i % 3 == 2, &all);
    }
    REQUIRE(all.lower <= all.upper);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static body a, b;
    static const body empty;
    source s = {data, size, take_number};
    const apart_pose pose_a = take_pose(&s), pose_b = take_pose(&s);
    const apart_query query = take_query(&s);
    a = b = empty;
    take_body(&s, &a, 0);
    take_body(&s, &b, 0);
    apart_cache cache = {0};
    take(&s, &cache, sizeof cache);
    // World coordinates in doubles: brute force knows no better place to measure from.
    const double numbers = a.reach + b.reach + largest(pose_a.translation) + largest(pose_b.translation);
    const pair p = {&a, &b, &pose_a, &pose_b, 4 * numbers, numbers > 1e-100 && numbers < 1e100};
    if (a.shape && b.shape) check_pair(&p, &query, &cache);
    apart_shape_release(a.shape);
    apart_shape_release(b.shape);
    return 0;
}

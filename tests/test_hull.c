// Hulls: every rank, the faces and edges, the certificate that no point is left outside, and hill climbing on them,
// each against brute force over all the points.
#include "body/hull.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST 6000

typedef struct cloud {
    char name[64];
    size_t count;
    vec3 point[MOST];
} cloud;

static void add(cloud* c, vec3 p) {
    assert_true(c->count < MOST);
    c->point[c->count++] = p;
}

static void name_cloud(cloud* c, const char* name, double detail) {
    c->count = 0;
    snprintf(c->name, sizeof c->name, "%s %g", name, detail);
}

// ---------------------------------------------------------------------------------------------- kinds of clouds ----

static void on_sphere(cloud* c, rng* r, int count) {
    name_cloud(c, "sphere", count);
    for (int i = 0; i < count; i++) add(c, rng_unit_vector(r));
}

static void in_cube(cloud* c, rng* r, int count) {
    name_cloud(c, "cube", count);
    for (int i = 0; i < count; i++) add(c, rng_in_cube(r, 1));
}

/// All points of a grid with `side` points a side, turned by `m`: rows and planes of points on every face.
static void grid(cloud* c, int side, const apart_mat3* m) {
    name_cloud(c, "grid", side);
    for (int i = 0; i < side * side * side; i++) {
        int x = i % side, y = i / side % side, z = i / side / side;
        add(c, mat3_mul(m, vec3_make(x / 3.0, y / 7.0, z / 11.0)));
    }
}

/// Parallels and meridians: quadrangles whose corners are flat only to rounding, and many near-equal points at the
/// poles.
static void globe(cloud* c, int steps) {
    name_cloud(c, "globe", steps);
    for (int i = 0; i < steps; i++) {
        for (int k = 0; k <= steps; k++) {
            double a = 2 * 3.141592653589793 * i / steps, b = 3.141592653589793 * k / steps;
            add(c, vec3_make(cos(a) * sin(b), sin(a) * sin(b), cos(b)));
        }
    }
}

/// A fan of `count` corners and an apex with as many neighbours.
static void pyramid(cloud* c, int count) {
    name_cloud(c, "pyramid", count);
    for (int i = 0; i < count; i++) {
        double a = 2 * 3.141592653589793 * i / count;
        add(c, vec3_make(cos(a), sin(a), 0));
    }
    add(c, vec3_make(0, 0, 1));
}

/// Points in a box with these half sizes, turned by `m`.
static void slab(cloud* c, rng* r, int count, vec3 half, const apart_mat3* m) {
    name_cloud(c, half.y < 1 ? "needle" : "slab", half.z);
    for (int i = 0; i < count; i++) {
        vec3 p = rng_in_cube(r, 1);
        add(c, mat3_mul(m, vec3_make(p.x * half.x, p.y * half.y, p.z * half.z)));
    }
}

/// A few clusters of points that differ in their last digits only.
static void clusters(cloud* c, rng* r, int count, double width) {
    name_cloud(c, "clusters", width);
    vec3 center[6];
    for (int i = 0; i < 6; i++) center[i] = rng_unit_vector(r);
    for (int i = 0; i < count; i++) add(c, vec3_mad(center[i % 6], width, rng_in_cube(r, 1)));
}

/// Point of a hostile cloud: flat, needle-like or curved ones with widths down to rounding, on grids, circles and
/// globes.
static vec3 hostile_point(rng* r, int kind, int steps, double y, double z) {
    vec3 p = kind < 2 ? rng_in_cube(r, 1) : rng_unit_vector(r);
    double turn = 2 * 3.141592653589793 * rng_below(r, 10 * steps) / (10 * steps);
    double rise = 3.141592653589793 * rng_below(r, 5 * steps + 1) / (5 * steps);
    vec3 jitter = rng_in_cube(r, 1);
    vec3 lattice = {round(p.x * steps) / steps, round(p.y * steps) / steps, round(p.z * steps) / steps};
    switch (kind) {
    case 0:
    case 2:
        return vec3_make(p.x, p.y, p.z * z);
    case 1:
    case 3:
        return vec3_make(p.x, p.y * y, p.z * z);
    case 4:
        return vec3_make(lattice.x, lattice.y, lattice.z * z);
    case 5:
        return vec3_mad(lattice, z, jitter);
    case 6:
        return vec3_make(cos(turn), sin(turn), round(3 * p.z) * y);
    case 7:
        return vec3_make(cos(turn) * sin(rise), sin(turn) * sin(rise), cos(rise) * z);
    default:
        return vec3_make(p.x, p.x * p.x * y, p.y * p.y * z);
    }
}

/// A hostile cloud, turned, and now and then moved away from the origin.
static void hostile(cloud* c, uint64_t seed) {
    rng r = rng_seed(seed);
    apart_mat3 turned = rng_rotation(&r);
    int kind = rng_below(&r, 9), steps = rng_between(&r, 2, 12), count = rng_between(&r, 4, 150);
    double y = pow(10, rng_uniform(&r, -17, 0)), z = pow(10, rng_uniform(&r, -17, 0));
    double away = rng_chance(&r, 0.3) ? pow(10, rng_uniform(&r, -2, 6)) : 0;
    vec3 center = rng_in_cube(&r, away);
    name_cloud(c, "hostile", (double)seed);
    for (int i = 0; i < count; i++) add(c, vec3_add(center, mat3_mul(&turned, hostile_point(&r, kind, steps, y, z))));
}

/// Cloud number i of the collection that the tests below go through; false after the last one.
static bool collection(int i, cloud* c) {
    rng r = rng_seed((uint64_t)i);
    const apart_mat3 straight = apart_pose_identity.rotation, turned = rng_rotation(&r);
    if (i < 12)
        on_sphere(c, &r, 4 + i * i * i * 4);
    else if (i < 24)
        in_cube(c, &r, 4 + (i - 12) * (i - 12) * 40);
    else if (i < 32)
        grid(c, 2 + (i - 24), i % 2 ? &turned : &straight);
    else if (i < 36)
        globe(c, 6 << (i - 32));
    else if (i < 40)
        pyramid(c, 5 << 3 * (i - 36));
    else if (i < 60)
        slab(c, &r, 300, vec3_make(1, 1, pow(10, -(i - 40))), &turned);
    else if (i < 80)
        slab(c, &r, 300, vec3_make(1, pow(10, -(i - 60) * 0.5), pow(10, -(i - 60))), &turned);
    else if (i < 100)
        slab(c, &r, 300, vec3_make(1, 1, pow(10, -(i - 80))), &straight);
    else if (i < 118)
        slab(c, &r, 300, vec3_make(1, pow(10, -(i - 100)), pow(10, -(i - 100))), &turned);
    else if (i < 136)
        clusters(c, &r, 300, pow(10, -(i - 118)));
    else if (i < 1636)
        hostile(c, (uint64_t)i);
    else
        return false;
    return true;
}

/// The shape of a cloud.
static apart_shape* hull_of(const cloud* c) {
    apart_error error = {APART_OK, ""};
    apart_shape* shape = apart_shape_points(c->point, c->count, 0, &error);
    if (!shape) print_error("%s: %s\n", c->name, error.message);
    assert_non_null(shape);
    return shape;
}

static vec3 corner(const apart_shape* s, uint32_t face, uint32_t k) {
    const polytope* p = &s->polytope;
    uint32_t length = p->face_first[face + 1] - p->face_first[face];
    return shape_vertex(s, p->face_vertex[p->face_first[face] + k % length]);
}

/// The unit normal of a face, zero if it has none.
static vec3 face_normal(const apart_shape* s, uint32_t face) {
    vec3 n = {0, 0, 0};
    uint32_t length = s->polytope.face_first[face + 1] - s->polytope.face_first[face];
    for (uint32_t k = 1; k + 1 < length; k++)
        n = vec3_add(n, vec3_area(corner(s, face, 0), corner(s, face, k), corner(s, face, k + 1)));
    double size = vec3_length(n);
    return size > 0 ? vec3_scale(1 / size, n) : n;
}

/// Direction number i to try on a shape: random ones, axes, normals of faces both ways, and next to them.
static vec3 direction(const apart_shape* s, rng* r, int i) {
    if (i < 26) {
        int k = i < 13 ? i : i + 1;
        int x = k % 3 - 1, y = k / 3 % 3 - 1, z = k / 9 - 1;
        return vec3_make(x, y, z);
    }
    if (i % 2 == 0 || s->polytope.face_count == 0) return rng_unit_vector(r);
    vec3 n = face_normal(s, (uint32_t)rng_below(r, (int)s->polytope.face_count));
    if (i % 8 == 7) {
        double tilt = pow(10, -rng_between(r, 1, 17));
        n = vec3_mad(n, tilt, rng_unit_vector(r));
    }
    return i % 4 == 1 ? n : vec3_neg(n);
}

// ------------------------------------------------------------------------------------------------------- ranks ----

static void expect(const vec3* points, size_t count, int dimension, size_t vertices, size_t edges, size_t faces) {
    apart_error error = {APART_OK, ""};
    apart_shape* s = apart_shape_points(points, count, 0, &error);
    apart_shape_info info;
    assert_int_equal(error.status, APART_OK);
    assert_int_equal(apart_shape_describe(s, &info), APART_OK);
    assert_int_equal(info.dimension, dimension);
    assert_int_equal(info.vertices, vertices);
    assert_int_equal(info.edges, edges);
    assert_int_equal(info.faces, faces);
    assert_true(s->polytope.climbable);
    apart_shape_release(s);
}

static void test_ranks(void** state) {
    (void)state;
    vec3 p[64];
    for (int i = 0; i < 64; i++) p[i] = vec3_make(1, -0.0, 3);
    p[5].y = 0.0;
    expect(p, 1, 0, 1, 0, 0);
    expect(p, 64, 0, 1, 0, 0);
    // On a line: two points, an exact multiple of a step, and steps that are rounded.
    for (int i = 0; i < 64; i++) p[i] = vec3_make(i, 2.0 * i, -3.0 * i);
    expect(p, 2, 1, 2, 1, 0);
    expect(p, 3, 1, 2, 1, 0);
    expect(p, 64, 1, 2, 1, 0);
    for (int i = 0; i < 64; i++) p[i] = vec3_make(i / 3.0, i / 7.0, i / 11.0);
    expect(p, 64, 1, 2, 1, 0);
    // In a plane: a triangle, a square, a square with points on its sides and inside.
    for (int i = 0, row = -1; i < 64; i++) {
        row += i % 8 == 0;
        p[i] = vec3_make(i % 8, row, 5);
    }
    vec3 triangle[3] = {p[0], p[7], p[56]}, square[4] = {p[0], p[7], p[63], p[56]};
    expect(triangle, 3, 2, 3, 3, 1);
    expect(square, 4, 2, 4, 4, 1);
    expect(p, 64, 2, 4, 4, 1);
    for (int i = 0; i < 64; i++) p[i].z = 0.5 * p[i].x + 0.25 * p[i].y;
    expect(p, 64, 2, 4, 4, 1);
    // In space: a tetrahedron, a cube, a cube full of points.
    vec3 tetrahedron[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.25, 0.25, 0.25}};
    expect(tetrahedron, 4, 3, 4, 6, 4);
    expect(tetrahedron, 5, 3, 4, 6, 4);
    for (int i = 0; i < 64; i++) {
        int row = i / 4 % 4, layer = i / 16;
        p[i] = vec3_make(i % 4, row, layer);
    }
    expect(p, 64, 3, 8, 12, 6);
}

/// Repeated points go by their first index, and points inside never show up.
static void test_caller_indices(void** state) {
    (void)state;
    rng r = rng_seed(3);
    for (int run = 0; run < 200; run++) {
        vec3 p[100];
        int first[8];
        for (int i = 0; i < 8; i++) first[i] = -1;
        for (int i = 0; i < 100; i++) {
            int k = rng_below(&r, 12);
            if (k >= 8)
                p[i] = rng_in_cube(&r, 0.99);
            else
                p[i] = vec3_make(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
            if (k < 8 && first[k] < 0) first[k] = i;
        }
        apart_shape* s = apart_shape_points(p, 100, 0, NULL);
        assert_non_null(s);
        assert_int_equal(s->polytope.count, 8);
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t caller = 0;
            vec3 q;
            assert_int_equal(apart_shape_vertex(s, i, &q, &caller), APART_OK);
            int k = (q.x > 0) + 2 * (q.y > 0) + 4 * (q.z > 0);
            assert_int_equal(caller, first[k]);
            assert_true(q.x == p[caller].x && q.y == p[caller].y && q.z == p[caller].z);
            if (i > 0) assert_true(s->polytope.caller[i - 1] < caller);
        }
        apart_shape_release(s);
    }
}

// ---------------------------------------------------------------------------------------------- faces and edges ----

/// Every neighbour list ascends, and every edge is listed at both ends.
static void check_adjacency(const apart_shape* s) {
    const polytope* p = &s->polytope;
    assert_int_equal(p->first[0], 0);
    for (uint32_t i = 0; i < p->count; i++) {
        for (uint32_t k = p->first[i]; k < p->first[i + 1]; k++) {
            uint32_t other = p->neighbour[k], back = 0;
            assert_true(other < p->count && other != i);
            if (k > p->first[i]) assert_true(other > p->neighbour[k - 1]);
            for (uint32_t j = p->first[other]; j < p->first[other + 1]; j++) back += p->neighbour[j] == i;
            assert_int_equal(back, 1);
        }
    }
}

/// Faces turn counter-clockwise seen from outside, and no vertex is in front of one by more than Qhull's tolerance.
static double check_faces(const apart_shape* s) {
    const polytope* p = &s->polytope;
    double worst = 0;
    for (uint32_t f = 0; f < p->face_count; f++) {
        vec3 n = face_normal(s, f), base = corner(s, f, 0);
        double inside = vec3_dot(n, vec3_sub(s->center, base));
        if (inside > 0x1p-40) print_error("face %u looks inwards\n", f);
        assert_true(inside <= 0x1p-40);
        for (uint32_t i = 0; i < p->count; i++) worst = fmax(worst, vec3_dot(n, vec3_sub(shape_vertex(s, i), base)));
    }
    return worst;
}

static void test_faces(void** state) {
    (void)state;
    static cloud c;
    int solids = 0, polygon_count = 0;
    double worst = 0;
    for (int i = 0; collection(i, &c); i++) {
        // Slivers have faces without a usable normal; what matters of them is tested by supports below.
        bool round = i < 46 || (i >= 80 && i < 86);
        if (!round || c.count > 2500) continue;
        apart_shape* s = hull_of(&c);
        apart_shape_info info;
        apart_shape_describe(s, &info);
        check_adjacency(s);
        if (info.dimension == 3 && s->polytope.climbable) {
            assert_int_equal(info.vertices + info.faces, info.edges + 2);
            worst = fmax(worst, check_faces(s));
            solids++;
            polygon_count += info.faces * 3 < info.edges * 2;
        }
        apart_shape_release(s);
    }
    print_message(
        "%d solids with V - E + F = 2, %d of them with polygons; a vertex is at most %.2g in front of a face\n", solids,
        polygon_count, worst);
    assert_true(solids >= 40 && polygon_count >= 10);
    assert_true(worst < 1e-14);
}

#define CORNERS 10000

/// Two polygons of CORNERS corners, or one and a point, turned by `m`; every third way from the middle to a corner has
/// a point in it.
static size_t large_faces(vec3* point, bool cone, const apart_mat3* m) {
    size_t count = 0;
    for (int i = 0; i < CORNERS; i++) {
        double a = 2 * 3.141592653589793 * i / CORNERS, x = cos(a), y = sin(a);
        point[count++] = vec3_make(x, y, -1);
        if (i % 3 == 0) point[count++] = vec3_make(x / 2, y / 2, -1);
        if (!cone) point[count++] = vec3_make(x, y, 1);
        if (!cone && i % 3 == 0) point[count++] = vec3_make(x / 2, y / 2, 1);
    }
    if (cone) point[count++] = vec3_make(0, 0, 1);
    for (size_t i = 0; i < count; i++) point[i] = mat3_mul(m, point[i]);
    return count;
}

// With one facet merged at a time, each of these takes half a minute: the steps grow with the square of CORNERS.
static void test_large_faces(void** state) {
    (void)state;
    static vec3 point[4 * CORNERS];
    rng r = rng_seed(2024);
    for (int i = 0; i < 6; i++) {
        bool cone = i % 2 == 1;
        apart_mat3 m = i < 2 ? apart_pose_identity.rotation : rng_rotation(&r);
        size_t count = large_faces(point, cone, &m);
        apart_shape* s = apart_shape_points(point, count, 0, NULL);
        assert_non_null(s);
        apart_shape_info info;
        apart_shape_describe(s, &info);
        assert_int_equal(info.vertices, cone ? CORNERS + 1 : 2 * CORNERS);
        assert_int_equal(info.faces, cone ? CORNERS + 1 : CORNERS + 2);
        assert_int_equal(info.edges, cone ? 2 * CORNERS : 3 * CORNERS);
        assert_true(s->polytope.climbable);
        apart_shape_release(s);
    }
}

// ------------------------------------------------------------------------------------------------- certificate ----

/// The largest p . d over points, in wider arithmetic.
static long double reach(const vec3* p, size_t count, vec3 d) {
    long double most = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        long double value = (long double)p[i].x * d.x + (long double)p[i].y * d.y + (long double)p[i].z * d.z;
        if (value > most) most = value;
    }
    return most;
}

/// No caller's point lies outside the hull of the vertices by more than HULL_SLACK, along any direction tried.
static void test_nothing_is_left_outside(void** state) {
    (void)state;
    static cloud c;
    static vec3 stored[MOST], kept[MOST];
    int rank[4] = {0}, climbable = 0, linear = 0, faceless = 0, tries = 0;
    long double worst = 0;
    for (int i = 0; collection(i, &c); i++) {
        apart_shape* s = hull_of(&c);
        rank[s->dimension]++;
        *(s->polytope.climbable ? &climbable : &linear) += 1;
        faceless += s->dimension == 3 && s->polytope.face_count == 0;
        for (size_t k = 0; k < c.count; k++) stored[k] = shape_to_stored(s, c.point[k]);
        for (uint32_t k = 0; k < s->polytope.count; k++) kept[k] = shape_vertex(s, k);
        rng r = rng_seed(99);
        for (int k = 0; k < (i < 136 ? 120 : 60); k++, tries++) {
            vec3 d = direction(s, &r, k);
            long double length = sqrtl((long double)d.x * d.x + (long double)d.y * d.y + (long double)d.z * d.z);
            if (!(length > 0)) continue;
            long double outside = (reach(stored, c.count, d) - reach(kept, s->polytope.count, d)) / length;
            if (outside > HULL_SLACK) print_error("%s: %Lg outside\n", c.name, outside);
            if (outside > worst) worst = outside;
        }
        apart_shape_release(s);
    }
    print_message("%d directions: a point is at most %.2Lg outside (slack %.2g); ranks 1: %d, 2: %d, 3: %d; "
                  "climbable %d, linear %d, solids without faces %d\n",
                  tries, worst, HULL_SLACK, rank[1], rank[2], rank[3], climbable, linear, faceless);
    assert_true(worst <= HULL_SLACK);
    assert_true(rank[1] > 3 && rank[2] > 50 && rank[3] > 1000);
    assert_true(climbable > 1300 && linear > 50 && faceless < 3);
}

/// Flat clouds with points a few roundings off their plane or line: what is dropped is within the slack.
static void test_nearly_flat(void** state) {
    (void)state;
    static cloud c;
    rng r = rng_seed(47);
    int kept = 0, ranks[4] = {0};
    for (int run = 0; run < 3000; run++) {
        apart_mat3 m = rng_rotation(&r);
        name_cloud(&c, "nearly flat", run);
        double noise = rng_uniform(&r, 0.5, 8) * 0x1p-53, width = run % 3 ? 0.3 : noise;
        for (int i = 0; i < 30; i++) {
            vec3 p = rng_in_cube(&r, 0.5);
            add(&c, mat3_mul(&m, vec3_make(p.x, p.y * width, p.z * noise)));
        }
        apart_shape* s = hull_of(&c);
        ranks[s->dimension]++;
        kept += s->dimension < 3 && s->polytope.count > s->polytope.first[s->polytope.count] / 2 + 1;
        for (int k = 0; k < 6; k++) {
            vec3 d = {m.m[0][k % 3], m.m[1][k % 3], m.m[2][k % 3]};
            if (k >= 3) d = vec3_neg(d);
            vec3 vertices[30], stored[30];
            for (uint32_t i = 0; i < s->polytope.count; i++) vertices[i] = shape_vertex(s, i);
            for (size_t i = 0; i < c.count; i++) stored[i] = shape_to_stored(s, c.point[i]);
            assert_true(reach(stored, c.count, d) - reach(vertices, s->polytope.count, d) <= HULL_SLACK);
        }
        apart_shape_release(s);
    }
    print_message("nearly flat: ranks 1: %d, 2: %d, 3: %d; with points kept beside: %d\n", ranks[1], ranks[2], ranks[3],
                  kept);
    assert_true(ranks[1] > 50 && ranks[2] > 500 && ranks[3] > 500 && kept > 20);
}

// ------------------------------------------------------------------------------------------------ hill climbing ----

/// Whether the vertices about direction d are listed.
static bool is_listed(const apart_shape* s, vec3 d) {
    return s->polytope.cells > 0 && shape_list(&s->polytope, d)[1] != NOT_LISTED;
}

/// Hill climbing from any hint ends as high as a look at all vertices; a list has the same vertex.
static void test_climbing(void** state) {
    (void)state;
    static cloud c;
    double worst = 0, visits = 0;
    int bodies = 0, tries = 0, large = 0, listed = 0, overfull = 0;
    for (int i = 0; collection(i, &c); i++) {
        apart_shape* s = hull_of(&c);
        if (s->polytope.climbable) bodies++;
        rng r = rng_seed(7);
        for (int k = 0; k < (i < 136 ? 300 : 60); k++) {
            vec3 d = direction(s, &r, k);
            double length = vec3_length(d);
            if (!(length > 0)) continue;
            support_search search = k % 3 == 0 ? SEARCH_CLIMB : SEARCH_BEST;
            uint32_t hint = k % 5 == 0 ? NO_VERTEX : (uint32_t)rng_below(&r, (int)s->polytope.count + 3);
            support_point a = apart_support_find(s, d, SEARCH_LINEAR, 0), b = apart_support_find(s, d, search, hint);
            worst = fmax(worst, (vec3_dot(a.point, d) - vec3_dot(b.point, d)) / length);
            assert_int_equal(a.visits, s->polytope.count);
            assert_true(b.vertex < s->polytope.count);
            tries++;
            if (search == SEARCH_BEST && is_listed(s, d)) {
                assert_int_equal(a.vertex, b.vertex);
                listed++;
            }
            overfull += search == SEARCH_BEST && s->polytope.cells > 0 && !is_listed(s, d);
            if (search == SEARCH_BEST && s->polytope.count > 1000 && i < 12) {
                visits += b.visits;
                large++;
            }
        }
        apart_shape_release(s);
    }
    print_message("%d searches on %d bodies, %d in lists, %d in cells that have none: at most %.2g too low; "
                  "spheres above 1000 vertices: %.1f visits each\n",
                  tries, bodies, listed, overfull, worst, visits / large);
    assert_true(listed > 3000 && overfull > 300);
    assert_true(worst <= HULL_SLACK);
    assert_true(bodies > 1300 && large > 300);
    assert_true(visits / large < 25);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranks),       cmocka_unit_test(test_caller_indices),
        cmocka_unit_test(test_faces),       cmocka_unit_test(test_nothing_is_left_outside),
        cmocka_unit_test(test_nearly_flat), cmocka_unit_test(test_climbing),
        cmocka_unit_test(test_large_faces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

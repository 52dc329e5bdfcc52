// Allocation failing at step 1, 2, 3... of every constructor: each time NULL, APART_OUT_OF_MEMORY, and nothing leaked.
// Queries: not one allocation.
#include "allocation_count.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MOST 1500

/// A cloud of points to take the hull of.
typedef struct cloud {
    const char* name;
    size_t count;
    long least_calls; // Qhull's own allocations are counted too: a census that the counting reaches it
    apart_vec3 point[MOST];
} cloud;

static cloud clouds[16];
static size_t cloud_count;

/// Starts a new cloud.
static cloud* new_cloud(const char* name, long least_calls) {
    assert_true(cloud_count < sizeof clouds / sizeof *clouds);
    cloud* c = &clouds[cloud_count++];
    c->name = name;
    c->least_calls = least_calls;
    return c;
}

static void add_point(cloud* c, double x, double y, double z) {
    assert_true(c->count < MOST);
    c->point[c->count++] = (apart_vec3){x, y, z};
}

/// `count` points x, y, z with |x|, |y|, |z| below the given sizes, turned by a matrix with all entries in use.
static void turned_slab(const char* name, int count, double x, double y, double z, long least_calls) {
    cloud* c = new_cloud(name, least_calls);
    rng r = rng_seed(7);
    apart_mat3 m = rng_matrix(0.8, 0.3, -0.4, 0.33);
    for (int i = 0; i < count; i++) {
        apart_vec3 p = rng_in_cube(&r, 1);
        double q[3];
        for (int k = 0; k < 3; k++) q[k] = m.m[k][0] * (p.x * x) + m.m[k][1] * (p.y * y) + m.m[k][2] * (p.z * z);
        add_point(c, q[0], q[1], q[2]);
    }
}

/// Points of a sphere's parallels and meridians: polygons with many corners, and many points at the poles.
static void globe(const char* name, int steps, long least_calls) {
    cloud* c = new_cloud(name, least_calls);
    for (int i = 0; i < steps; i++) {
        for (int k = 0; k <= steps; k++) {
            double a = 2 * 3.141592653589793 * i / steps, b = 3.141592653589793 * k / steps;
            add_point(c, cos(a) * sin(b), sin(a) * sin(b), cos(b));
        }
    }
}

static int make_clouds(void** state) {
    (void)state;
    rng r = rng_seed(1);
    cloud* c = new_cloud("point", 5);
    for (int i = 0; i < 3; i++) add_point(c, 1, 2, 3);
    c = new_cloud("segment", 5);
    for (int i = 0; i < 2; i++) add_point(c, i, 2, 3);
    c = new_cloud("triangle", 5);
    for (int i = 0; i < 3; i++) add_point(c, i, i * i, 3);
    c = new_cloud("tetrahedron", 15);
    for (int i = 0; i < 4; i++) add_point(c, i == 1, i == 2, i == 3);
    c = new_cloud("line", 5);
    for (int i = 0; i < 50; i++) add_point(c, i, 2.0 * i, -3.0 * i);
    c = new_cloud("plane", 20);
    for (int i = 0; i < 100; i++) {
        apart_vec3 p = rng_in_cube(&r, 1);
        add_point(c, p.x, p.y, 0.25);
    }
    c = new_cloud("ball", 300);
    for (int i = 0; i < 300; i++) {
        apart_vec3 u = rng_unit_vector(&r);
        add_point(c, u.x, u.y, u.z);
    }
    c = new_cloud("cube", 50);
    for (int i = 0; i < 1000; i++) {
        apart_vec3 p = rng_in_cube(&r, 1);
        add_point(c, p.x, p.y, p.z);
    }
    c = new_cloud("grid", 40);
    for (int i = 0; i < 512; i++) {
        int x = i % 8, y = i / 8 % 8, z = i / 64;
        add_point(c, x, y, z);
    }
    globe("globe", 24, 300);
    // Thin ones at the edge of what doubles hold: Qhull merges faces, and points are kept beside them.
    turned_slab("thin slab", 400, 1, 1, 1e-12, 40);
    turned_slab("thinner slab", 400, 1, 1, 1e-14, 40);
    turned_slab("flat slab", 400, 1, 1, 1e-17, 20);
    turned_slab("needle", 400, 1, 1e-14, 1e-14, 40);
    turned_slab("thin needle", 400, 1, 1e-17, 1e-17, 5);
    return 0;
}

static apart_vec3 unit_ball(const void* context, apart_vec3 direction) {
    (void)context;
    return direction;
}

/// Shape number `i` of all: the clouds first, then the bodies given by sizes. NULL with status APART_OK after the last.
static apart_shape* create(size_t i, apart_error* error) {
    if (i < cloud_count) return apart_shape_points(clouds[i].point, clouds[i].count, 0.5, error);
    switch (i - cloud_count) {
    case 0:
        return apart_shape_box((apart_vec3){1, 2, 3}, 0.5, error);
    case 1:
        return apart_shape_box((apart_vec3){1, 2, 0}, 0.5, error);
    case 2:
        return apart_shape_sphere(1, error);
    case 3:
        return apart_shape_capsule(2, 1, error);
    case 4:
        return apart_shape_cylinder(2, 1, error);
    case 5:
        return apart_shape_cone(2, 1, error);
    case 6:
        return apart_shape_ellipsoid((apart_vec3){1, 2, 3}, error);
    case 7:
        return apart_shape_support(unit_ball, NULL, 0.5, error);
    default:
        return NULL;
    }
}

static const char* name_of(size_t i) {
    static const char* const names[] = {"box",      "plate", "sphere",    "capsule",
                                        "cylinder", "cone",  "ellipsoid", "support function"};
    return i < cloud_count ? clouds[i].name : names[i - cloud_count];
}

/// Fails call 1, 2, 3... until the shape is made without reaching the failing one. Returns the number of failures.
static long fail_each(size_t i, bool fail_after) {
    for (long step = 1;; step++) {
        apart_error error = {APART_OK, ""};
        allocation_watch(step, fail_after);
        apart_shape* shape = create(i, &error);
        long calls = allocation_stop(), live = allocation.live;
        if (shape) {
            // A shape is one block, and it was made without the failing call.
            allocation.on = true;
            apart_shape_release(shape);
            allocation.on = false;
            assert_int_equal(live, 1);
            assert_int_equal(allocation.live, 0);
            assert_int_equal(calls, step - 1);
            return calls;
        }
        if (live != 0) print_error("%s leaks when allocation %ld fails\n", name_of(i), step);
        assert_int_equal(live, 0);
        assert_int_equal(error.status, APART_OUT_OF_MEMORY);
        assert_non_null(strstr(error.message, "out of memory"));
    }
}

static void test_failing_allocations(void** state) {
    (void)state;
    if (!allocation_is_counted()) {
        print_message("allocations cannot be failed under AddressSanitizer\n");
        skip();
    }
    for (size_t i = 0; i < cloud_count + 8; i++) {
        long once = fail_each(i, false), for_good = fail_each(i, true);
        print_message("%-16s %5ld allocations failed, one at a time and from there on\n", name_of(i), once);
        assert_int_equal(once, for_good);
        assert_true(once >= (i < cloud_count ? clouds[i].least_calls : 1));
    }
}

/// The error may be NULL.
static void test_failing_without_error(void** state) {
    (void)state;
    if (!allocation_is_counted()) skip();
    for (size_t i = 0; i < cloud_count + 8; i++) {
        allocation_watch(1, false);
        apart_shape* shape = create(i, NULL);
        allocation_stop();
        assert_null(shape);
        assert_int_equal(allocation.live, 0);
    }
}

/// Every shape against every other, by every method, apart and overlapping, with and without a cache.
static void test_queries_do_not_allocate(void** state) {
    (void)state;
    if (!allocation_is_counted()) skip();
    enum { MOST_SHAPES = 32 };
    apart_shape* shape[MOST_SHAPES];
    size_t count = cloud_count + 8;
    assert_true(count <= MOST_SHAPES);
    for (size_t i = 0; i < count; i++) assert_non_null(shape[i] = create(i, NULL));
    long queries = 0, answered = 0;
    for (size_t k = 0; k < count * count * 8; k++) {
        const apart_shape *a = shape[k / 8 % count], *b = shape[k / 8 / count];
        apart_query query = apart_query_default();
        query.method = (apart_method)(k % 4);
        apart_pose there = apart_pose_identity;
        there.translation.x = k & 4 ? 10 : 0.25;
        apart_cache cache = {0};
        apart_result result;
        allocation_watch(0, false);
        apart_status cold = apart_distance(a, &apart_pose_identity, b, &there, &query, NULL, &result);
        apart_status warm = apart_distance(a, &apart_pose_identity, b, &there, &query, &cache, &result);
        warm |= apart_distance(a, &apart_pose_identity, b, &there, &query, &cache, &result);
        assert_int_equal(allocation_stop(), 0);
        queries += 3;
        if (cold == APART_OK && warm == APART_OK) answered += 3;
    }
    print_message("%ld queries, %ld answered, no allocation\n", queries, answered);
    assert_true(answered >= queries / 2);
    for (size_t i = 0; i < count; i++) apart_shape_release(shape[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_failing_without_error),
        cmocka_unit_test(test_queries_do_not_allocate),
    };
    return cmocka_run_group_tests(tests, make_clouds, NULL);
}

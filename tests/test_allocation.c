// Allocation failing at step 1, 2, 3... of every constructor: each time NULL, APART_OUT_OF_MEMORY, nothing leaked, and
// the parts of unions keep their owners. Queries: not one allocation.
#include "allocation_count.h"
#include "mesh_models.h"
#include "progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// --------------------------------------------------------------------------------------------------------- clouds ----

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

static void make_clouds(void) {
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
    c = new_cloud("plane", 5);
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
    turned_slab("flat slab", 400, 1, 1, 1e-17, 5);
    turned_slab("needle", 400, 1, 1e-14, 1e-14, 40);
    turned_slab("thin needle", 400, 1, 1e-17, 1e-17, 5);
}

// --------------------------------------------------------------------------------------------------------- shapes ----

/// What is not a cloud: convex bodies given by sizes, meshes, unions.
typedef enum recipe {
    BOX,
    PLATE,
    SPHERE,
    CAPSULE,
    CYLINDER,
    CONE,
    ELLIPSOID,
    SUPPORT,
    ONE_TRIANGLE,
    BOX_MESH,
    TORUS,
    OPEN_SHEET,
    TWO_COMPONENTS,
    WITH_SPHERES,
    WITHOUT_SHARING,
    UNION_OF_ONE,
    UNION_OF_ALL,
    NESTED_UNION,
    RECIPES
} recipe;

static const char* const recipe_names[RECIPES] = {
    "box",          "plate",         "sphere",           "capsule",      "cylinder",
    "cone",         "ellipsoid",     "support function", "one triangle", "box mesh",
    "torus",        "open sheet",    "two components",   "with spheres", "not shared",
    "union of one", "union of many", "nested union"};

static surface surfaces[RECIPES]; // of the meshes
static apart_shape* parts[8];     // of the unions
static apart_shape* inner;        // a union in a union

static surface one_triangle(void) {
    surface s = surface_make(3, 1);
    for (int i = 0; i < 3; i++) surface_vertex(&s, i, i * i, 0.5);
    surface_triangle(&s, 0, 1, 2);
    return s;
}

static int prepare(void** state) {
    (void)state;
    make_clouds();
    surfaces[ONE_TRIANGLE] = one_triangle();
    surfaces[BOX_MESH] = model_box((apart_vec3){1, 2, 3}, 1);
    surfaces[TORUS] = model_torus(40, 12, 0.2);
    surfaces[OPEN_SHEET] = model_sheet(12);
    surfaces[TWO_COMPONENTS] = model_sphere(2);
    surfaces[WITH_SPHERES] = model_torus(16, 8, 0.25);
    surfaces[WITHOUT_SHARING] = model_cup(3);
    surface_append(&surfaces[TWO_COMPONENTS], &surfaces[OPEN_SHEET]);
    surface_unshare(&surfaces[WITHOUT_SHARING]);
    parts[0] = apart_shape_sphere(1, NULL);
    parts[1] = apart_shape_box((apart_vec3){1, 2, 3}, 0.5, NULL);
    parts[2] = surface_shape(&surfaces[TORUS], NULL);
    parts[3] = apart_shape_cone(2, 1, NULL);
    for (int i = 4; i < 8; i++) parts[i] = apart_shape_retain(parts[i - 4]);
    apart_part part[2] = {{parts[0], apart_pose_identity}, {parts[2], apart_pose_identity}};
    part[0].pose.translation.x = 3;
    inner = apart_shape_union(part, 2, NULL);
    return inner ? 0 : -1;
}

static int clear(void** state) {
    (void)state;
    for (int i = 0; i < RECIPES; i++) surface_free(&surfaces[i]);
    for (int i = 0; i < 8; i++) apart_shape_release(parts[i]);
    apart_shape_release(inner);
    return 0;
}

static apart_vec3 unit_ball(const void* context, apart_vec3 direction) {
    (void)context;
    return direction;
}

static apart_shape* create_union(recipe which, apart_error* error) {
    apart_part part[9];
    size_t count = which == UNION_OF_ONE ? 1 : 8;
    for (size_t i = 0; i < 9; i++) {
        part[i].shape = i < 8 ? parts[i] : inner;
        part[i].pose = apart_pose_identity;
        part[i].pose.translation.x = 4.0 * (double)i;
    }
    if (which == NESTED_UNION) part[3].shape = part[7].shape = inner, count = 9;
    return apart_shape_union(part, count, error);
}

static apart_shape* create_mesh(recipe which, apart_error* error) {
    const surface* s = &surfaces[which];
    apart_mesh_options options = {.radius = 0.01, .sphere_radius = which == WITH_SPHERES ? 0.2 : 0};
    return apart_shape_mesh(s->vertex, s->vertex_count, s->triangle[0], s->triangle_count, &options, error);
}

static size_t shape_count(void) { return cloud_count + RECIPES; }
static bool is_convex(size_t i) { return i < cloud_count + ONE_TRIANGLE; }
static const char* name_of(size_t i) { return i < cloud_count ? clouds[i].name : recipe_names[i - cloud_count]; }

/// Shape number `i` of all: the clouds first.
static apart_shape* create(size_t i, apart_error* error) {
    if (i < cloud_count) return apart_shape_points(clouds[i].point, clouds[i].count, 0.5, error);
    recipe which = (recipe)(i - cloud_count);
    switch (which) {
    case BOX:
        return apart_shape_box((apart_vec3){1, 2, 3}, 0.5, error);
    case PLATE:
        return apart_shape_box((apart_vec3){1, 2, 0}, 0.5, error);
    case SPHERE:
        return apart_shape_sphere(1, error);
    case CAPSULE:
        return apart_shape_capsule(2, 1, error);
    case CYLINDER:
        return apart_shape_cylinder(2, 1, error);
    case CONE:
        return apart_shape_cone(2, 1, error);
    case ELLIPSOID:
        return apart_shape_ellipsoid((apart_vec3){1, 2, 3}, error);
    case SUPPORT:
        return apart_shape_support(unit_ball, NULL, 0.5, error);
    default:
        return which < UNION_OF_ONE ? create_mesh(which, error) : create_union(which, error);
    }
}

// ---------------------------------------------------------------------------------------------------------- tests ----

/// Fails call 1, 2, 3... until the shape is made without reaching the failing one. Returns the number of failures.
static long fail_each(size_t i, bool fail_after) {
    for (long step = 1;; step++) {
        apart_error error = {APART_OK, ""};
        allocation_watch(step, fail_after);
        apart_shape* shape = create(i, &error);
        long calls = allocation_stop(), live = allocation.live;
        if (shape) {
            // A convex shape is one block, and it was made without the failing call.
            allocation.on = true;
            apart_shape_release(shape);
            allocation.on = false;
            assert_true(is_convex(i) ? live == 1 : live >= 1);
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
    for (size_t i = 0; i < shape_count(); i++) {
        long once = fail_each(i, false), for_good = fail_each(i, true);
        print_message("%-16s %5ld allocations failed, one at a time and from there on\n", name_of(i), once);
        assert_int_equal(once, for_good);
        assert_true(once >= (i < cloud_count ? clouds[i].least_calls : 1) && once < 1000);
    }
}

/// The error may be NULL.
static void test_failing_without_error(void** state) {
    (void)state;
    if (!allocation_is_counted()) skip();
    for (size_t i = 0; i < shape_count(); i++) {
        allocation_watch(1, false);
        apart_shape* shape = create(i, NULL);
        allocation_stop();
        assert_null(shape);
        assert_int_equal(allocation.live, 0);
    }
}

// ------------------------------------------------------------------------------------- large ones: cancel, peak ----

typedef enum large {
    SHARED,    // a torus
    SOUP,      // the same without shared vertices
    TWICE,     // every triangle twice: repeats are looked for
    SCATTERED, // no triangle touches another, some of them are points
    LARGE
} large;

static const char* const large_names[LARGE] = {"shared", "soup", "every triangle twice", "scattered"};

/// About 60,000 triangles.
static surface make_large(large which) {
    surface s = model_torus(which == TWICE ? 150 : 300, 100, 0.2);
    if (which == TWICE) surface_append(&s, &s);
    if (which == SOUP || which == SCATTERED) surface_unshare(&s);
    for (size_t v = 0; which == SCATTERED && v < s.vertex_count; v++)
        s.vertex[v].z += v / 3 % 7 == 0 ? -s.vertex[v].z : (double)(v / 3);
    for (size_t t = 0; which == SCATTERED && t < s.triangle_count; t += 10) s.triangle[t][1] = s.triangle[t][0];
    return s;
}

static apart_shape* build_watched(const surface* s, double spheres, follower* w, apart_error* error) {
    apart_mesh_options options = {.progress = follow, .progress_context = w, .sphere_radius = spheres};
    allocation_watch(0, false);
    apart_shape* shape =
        apart_shape_mesh(s->vertex, s->vertex_count, s->triangle[0], s->triangle_count, &options, error);
    allocation_stop();
    return shape;
}

/// Given up at each call in turn: no shape, nothing left behind, no further call.
static int cancel_each(const surface* s, double spheres) {
    for (int stop_at = 1;; stop_at++) {
        follower w = {.stop_at = stop_at};
        apart_error error = {APART_OK, ""};
        apart_shape* shape = build_watched(s, spheres, &w, &error);
        assert_false(w.disorder);
        if (shape) {
            assert_true(w.calls == stop_at - 1 && w.last == 1);
            apart_shape_release(shape);
            return stop_at - 1;
        }
        assert_int_equal(error.status, APART_CANCELLED);
        assert_int_equal(w.calls, stop_at);
        assert_int_equal(allocation.live, 0);
    }
}

static void test_cancelled(void** state) {
    (void)state;
    for (int i = 0; i < LARGE; i++) {
        surface s = make_large((large)i);
        int places = cancel_each(&s, 0);
        print_message("%-20s %6zu triangles, given up at %d places\n", large_names[i], s.triangle_count, places);
        assert_true(places >= 10);
        surface_free(&s);
    }
    int places = cancel_each(&surfaces[TORUS], 0.003);
    print_message("with spheres: given up at %d places\n", places);
    assert_true(places >= 10);
}

/// Building needs hardly more memory than the shape itself, and that is about 200 bytes a triangle at most.
static void test_peak(void** state) {
    (void)state;
    if (!allocation_is_counted()) skip();
    for (int i = 0; i < LARGE; i++) {
        surface s = make_large((large)i);
        follower w = {0};
        apart_shape* shape = build_watched(&s, 0, &w, NULL);
        assert_non_null(shape);
        apart_shape_info info;
        apart_shape_describe(shape, &info);
        double count = (double)s.triangle_count, peak = (double)allocation.peak / count;
        print_message("%-20s %5.1f bytes a triangle, %5.1f at most while it is built\n", large_names[i],
                      (double)info.bytes / count, peak);
        assert_true(peak <= 208 && peak <= (double)info.bytes / count + 5);
        apart_shape_release(shape);
        surface_free(&s);
    }
}

/// Every shape against every other, by every method, apart and overlapping, with and without a cache and a depth.
static void test_queries_do_not_allocate(void** state) {
    (void)state;
    if (!allocation_is_counted()) skip();
    enum { MOST_SHAPES = 64, METHODS = APART_METHOD_SPHERES + 1, WAYS = 4 * METHODS };
    apart_shape* shape[MOST_SHAPES];
    size_t count = shape_count();
    assert_true(count <= MOST_SHAPES);
    for (size_t i = 0; i < count; i++) assert_non_null(shape[i] = create(i, NULL));
    long queries = 0, answered = 0;
    for (size_t k = 0; k < count * count * WAYS; k++) {
        const apart_shape *a = shape[k / WAYS % count], *b = shape[k / WAYS / count];
        apart_query query = apart_query_default();
        query.method = (apart_method)(k / 4 % METHODS);
        query.depth = k & 2 ? APART_DEPTH_EXACT : APART_DEPTH_NONE;
        apart_pose there = apart_pose_identity;
        there.translation.x = there.translation.y = k & 1 ? 10 : 0.25;
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
        cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_peak),
        cmocka_unit_test(test_queries_do_not_allocate),
    };
    return cmocka_run_group_tests(tests, prepare, clear);
}

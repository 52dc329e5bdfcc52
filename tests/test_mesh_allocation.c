// Allocation failing at step 1, 2, 3... of a mesh and of a union: each time NULL, APART_OUT_OF_MEMORY, nothing leaked,
// and the parts keep their owners. Queries on them: not one allocation.
#include "allocation_count.h"
#include "mesh_models.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef enum recipe {
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

static const char* const recipe_names[RECIPES] = {"one triangle",   "box",          "torus",      "open sheet",
                                                  "two components", "with spheres", "not shared", "union of one",
                                                  "union of many",  "nested union"};

static surface surfaces[UNION_OF_ONE];
static apart_shape* parts[8]; // of the unions
static apart_shape* inner;    // a union in a union

static surface one_triangle(void) {
    surface s = surface_make(3, 1);
    for (int i = 0; i < 3; i++) surface_vertex(&s, i, i * i, 0.5);
    surface_triangle(&s, 0, 1, 2);
    return s;
}

static int prepare(void** state) {
    (void)state;
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
    for (int i = 0; i < UNION_OF_ONE; i++) surface_free(&surfaces[i]);
    for (int i = 0; i < 8; i++) apart_shape_release(parts[i]);
    apart_shape_release(inner);
    return 0;
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

static apart_shape* create(recipe which, apart_error* error) {
    if (which >= UNION_OF_ONE) return create_union(which, error);
    const surface* s = &surfaces[which];
    apart_mesh_options options = {.radius = 0.01, .sphere_radius = which == WITH_SPHERES ? 0.2 : 0};
    return apart_shape_mesh(s->vertex, s->vertex_count, (const uint32_t(*)[3])s->triangle, s->triangle_count, &options,
                            error);
}

/// Fails call 1, 2, 3... until the shape is made without reaching the failing one. Returns the number of failures.
static long fail_each(recipe which, bool fail_after) {
    for (long step = 1;; step++) {
        apart_error error = {APART_OK, ""};
        allocation_watch(step, fail_after);
        apart_shape* shape = create(which, &error);
        long calls = allocation_stop(), live = allocation.live;
        if (shape) {
            allocation.on = true;
            apart_shape_release(shape);
            allocation.on = false;
            assert_true(live >= 1);
            assert_int_equal(allocation.live, 0);
            assert_int_equal(calls, step - 1);
            return calls;
        }
        if (live != 0) print_error("%s leaks when allocation %ld fails\n", recipe_names[which], step);
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
    for (int i = 0; i < RECIPES; i++) {
        long once = fail_each((recipe)i, false), for_good = fail_each((recipe)i, true);
        print_message("%-16s %5ld allocations failed, one at a time and from there on\n", recipe_names[i], once);
        assert_int_equal(once, for_good);
        assert_true(once >= 1 && once < 1000);
    }
}

/// The error may be NULL.
static void test_failing_without_error(void** state) {
    (void)state;
    if (!allocation_is_counted()) skip();
    for (int i = 0; i < RECIPES; i++) {
        allocation_watch(1, false);
        apart_shape* shape = create((recipe)i, NULL);
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

/// When to stop, and what was told.
typedef struct watcher {
    int calls, stop_at;
    double last;
    bool ordered;
} watcher;

static bool watch(double done, void* context) {
    watcher* w = context;
    w->ordered = w->ordered && done >= w->last && done <= 1;
    w->last = done;
    return ++w->calls != w->stop_at;
}

static apart_shape* build_watched(const surface* s, double spheres, watcher* w, apart_error* error) {
    apart_mesh_options options = {.progress = watch, .progress_context = w, .sphere_radius = spheres};
    allocation_watch(0, false);
    apart_shape* shape = apart_shape_mesh(s->vertex, s->vertex_count, (const uint32_t(*)[3])s->triangle,
                                          s->triangle_count, &options, error);
    allocation_stop();
    return shape;
}

/// Given up at each call in turn: no shape, nothing left behind, no further call.
static int cancel_each(const surface* s, double spheres) {
    for (int stop_at = 1;; stop_at++) {
        watcher w = {.stop_at = stop_at, .ordered = true};
        apart_error error = {APART_OK, ""};
        apart_shape* shape = build_watched(s, spheres, &w, &error);
        assert_true(w.ordered);
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
        watcher w = {.ordered = true};
        apart_shape* shape = build_watched(&s, 0, &w, NULL);
        assert_non_null(shape);
        apart_shape_info info;
        apart_shape_describe(shape, &info);
        double count = (double)s.triangle_count, peak = (double)allocation.peak / count;
        print_message("%-20s %5.1f bytes a triangle, %5.1f at most while it is built\n", large_names[i],
                      (double)info.bytes / count, peak);
        assert_true(peak <= 206 && peak <= (double)info.bytes / count + 4);
        apart_shape_release(shape);
        surface_free(&s);
    }
}

/// Every shape against every other and some convex ones, by every method, apart and overlapping, with and without a
/// cache and a depth.
static void test_queries_do_not_allocate(void** state) {
    (void)state;
    if (!allocation_is_counted()) skip();
    enum { COUNT = RECIPES + 4 };
    apart_shape* shape[COUNT];
    for (int i = 0; i < RECIPES; i++) assert_non_null(shape[i] = create((recipe)i, NULL));
    for (int i = 0; i < 4; i++) shape[RECIPES + i] = apart_shape_retain(parts[i]);
    long queries = 0, answered = 0;
    for (int k = 0; k < COUNT * COUNT * 16; k++) {
        const apart_shape *a = shape[k / 16 % COUNT], *b = shape[k / 16 / COUNT];
        apart_query query = apart_query_default();
        static const apart_method methods[4] = {APART_METHOD_AUTO, APART_METHOD_GJK, APART_METHOD_FEATURES,
                                                APART_METHOD_SPHERES};
        query.method = methods[k % 4];
        query.depth = k & 8 ? APART_DEPTH_EXACT : APART_DEPTH_NONE;
        apart_pose there = apart_pose_identity;
        there.translation.y = k & 4 ? 10 : 0.25;
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
    for (int i = 0; i < COUNT; i++) apart_shape_release(shape[i]);
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

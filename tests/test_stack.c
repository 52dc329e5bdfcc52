// How much stack a query takes: all kinds of questions in a thread whose stack was painted before, and how far down the
// paint is gone. Convex bodies take at most 96 KB, so that a thread with 128 KB (the default of musl) will do; meshes
// and unions have the memory of their own search on top of that.
#include "certificate.h"
#include "mesh_models.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The oracle keeps megabytes for each thread, which the system puts on its stack.
#define STACK_SIZE ((size_t)8 << 20)
#define PAINTED ((size_t)1 << 19)
#define MOST_STACK ((size_t)96 << 10)
#define PAINT 0xa5

static _Alignas(4096) unsigned char stack[STACK_SIZE];

typedef struct question {
    const apart_shape *a, *b;
    apart_pose pose_a, pose_b;
    apart_query query;
    bool tracked;
    bool moving;                // the three questions about motion, b along its way from pose_b to a's place
    const unsigned char* frame; // of the thread that asks
    apart_status status;
    apart_result result;
} question;

// Paints the stack below the caller's frame.
static __attribute__((noinline)) void paint_stack(void) {
    volatile unsigned char area[PAINTED];
    for (size_t i = 0; i < sizeof area; i++) area[i] = PAINT;
}

static apart_status ask_of_motion(const question* q) {
    const apart_motion a = {.start = q->pose_a}, b = {.kind = APART_MOTION_SLERP, .start = q->pose_b, .end = q->pose_a};
    const apart_motion_query few = {.tolerance = 1e-3, .max_steps = 300};
    apart_contact contact;
    apart_approach approach;
    size_t count;
    apart_status s = apart_first_contact(q->a, &a, q->b, &b, &few, &contact);
    if (s == APART_OK) s = apart_closest_approach(q->a, &a, q->b, &b, &few, &approach);
    return s == APART_OK ? apart_contact_spans(q->a, &a, q->b, &b, &few, NULL, 0, &count) : s;
}

// Twice, where a cache is wanted: cold and from the answer.
static void* ask(void* argument) {
    question* q = argument;
    apart_cache cache = {0};
    q->frame = (unsigned char*)&cache;
    paint_stack();
    if (q->moving) q->status = ask_of_motion(q);
    for (int i = 0; i < (q->tracked ? 2 : 1) && !q->moving; i++)
        q->status =
            apart_distance(q->a, &q->pose_a, q->b, &q->pose_b, &q->query, q->tracked ? &cache : NULL, &q->result);
    return NULL;
}

// In a thread on a stack of ours. Returns how many bytes below its frame were written.
static size_t stack_of(question* q) {
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, sizeof stack), 0);
    assert_int_equal(pthread_create(&thread, &attributes, ask, q), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    const unsigned char* lowest = q->frame - PAINTED / 2;
    while (lowest < q->frame && *lowest == PAINT) lowest++;
    return (size_t)(q->frame - lowest);
}

typedef struct measure {
    size_t most; // bytes so far
    long asked, refused;
} measure;

static void measure_query(measure* m, question* q) {
    size_t used = stack_of(q);
    if (used > m->most) m->most = used;
    m->asked++;
    m->refused += q->status != APART_OK;
}

// By every method and with every kind of depth.
static void measure_pair(measure* m, question* q) {
    for (int method = 0; method <= APART_METHOD_SPHERES; method++)
        for (int depth = 0; depth < DEPTHS; depth++) {
            q->query = query_of(method, (apart_depth)depth);
            q->tracked = method == APART_METHOD_AUTO;
            measure_query(m, q);
        }
}

static void report(const char* what, const measure* m, size_t most) {
    printf("%s: %ld asked, %ld refused, %zu bytes at most\n", what, m->asked, m->refused, m->most);
    assert_true(m->asked > m->refused);
    // Without optimization, or with a checker's red zones, frames are what they are.
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
    assert_true(m->most <= most);
#else
    (void)most;
#endif
}

static void test_convex(void** state) {
    (void)state;
    static trial t;
    measure m = {0};
    for (uint64_t seed = 700001; seed <= 700200; seed++) {
        pair_random(&t.pair, seed);
        assert_true(trial_shape(&t));
        question q = {.a = t.a, .b = t.b, .pose_a = t.pair.pose_a, .pose_b = t.pair.pose_b};
        measure_pair(&m, &q);
        trial_close(&t);
    }
    report("random pairs", &m, MOST_STACK);
}

// Many directions are as near as the nearest: bounds over all directions, all facets, the section of round bodies.
static void test_near_ties(void** state) {
    (void)state;
    static body cloud;
    rng r = rng_seed(701001);
    body_cospherical(&r, &cloud, BODY_MAX_POINTS);
    apart_shape* shape[] = {apart_shape_ellipsoid((apart_vec3){1, 1.0001, 0.9999}, NULL),
                            apart_shape_cylinder(1, 1, NULL), apart_shape_cone(1, 1, NULL),
                            apart_shape_points(cloud.points, (size_t)cloud.count, 0, NULL),
                            apart_shape_box((apart_vec3){1, 1, 1}, 0, NULL)};
    enum { SHAPES = sizeof shape / sizeof shape[0] };
    measure m = {0};
    for (int i = 0; i < SHAPES; i++)
        for (int j = 0; j < SHAPES; j++) {
            question q = {.a = shape[i], .b = shape[j], .pose_a = apart_pose_identity};
            q.pose_b = apart_pose_from_quaternion(1, 1e-5, 2e-5, 0, (apart_vec3){1e-6, 0, 2e-6});
            measure_pair(&m, &q);
        }
    for (int i = 0; i < SHAPES; i++) apart_shape_release(shape[i]);
    report("near ties", &m, MOST_STACK);
}

// Surfaces and unions of them with each other and with convex bodies: apart, crossing, one in the other.
static void test_meshes(void** state) {
    (void)state;
    surface s[] = {model_sphere(3), model_knot(200, 12), model_sheet(20)};
    enum { SURFACES = sizeof s / sizeof s[0], BODIES = SURFACES + 3 };
    apart_shape* shape[BODIES];
    const apart_mesh_options spheres = {.sphere_radius = 0.1};
    for (int i = 0; i < SURFACES; i++)
        shape[i] =
            apart_shape_mesh(s[i].vertex, s[i].vertex_count, s[i].triangle[0], s[i].triangle_count, &spheres, NULL);
    shape[SURFACES] = apart_shape_ellipsoid((apart_vec3){0.3, 0.2, 0.1}, NULL);
    shape[SURFACES + 1] = apart_shape_points(s[0].vertex, s[0].vertex_count, 0, NULL);
    apart_part part[2] = {{shape[0], apart_pose_identity}, {shape[SURFACES], pose_at(1, 0, 0)}};
    shape[SURFACES + 2] = apart_shape_union(part, 2, NULL);
    measure m = {0};
    for (int i = 0; i < BODIES; i++)
        for (int j = 0; j < BODIES; j++)
            for (int place = 0; place < 3; place++) {
                question q = {.a = shape[i], .b = shape[j], .pose_a = apart_pose_identity};
                q.pose_b = apart_pose_from_quaternion(1, 0.1, 0.2, 0.3, (apart_vec3){1.2 * place, 0.01, 0.02});
                measure_pair(&m, &q);
            }
    for (int i = 0; i < BODIES; i++) apart_shape_release(shape[i]);
    for (int i = 0; i < SURFACES; i++) surface_free(&s[i]);
    report("meshes and unions", &m, MOST_STACK);
}

static void test_motion_of_convex(void** state) {
    (void)state;
    static trial t;
    measure m = {0};
    for (uint64_t seed = 702001; seed <= 702100; seed++) {
        pair_random(&t.pair, seed);
        assert_true(trial_shape(&t));
        question q = {.a = t.a, .b = t.b, .pose_a = t.pair.pose_a, .pose_b = t.pair.pose_b, .moving = true};
        measure_query(&m, &q);
        trial_close(&t);
    }
    report("motion of convex bodies", &m, MOST_STACK);
}

static void test_motion_of_meshes(void** state) {
    (void)state;
    surface s[] = {model_sphere(3), model_knot(60, 8), model_sheet(20)};
    enum { SURFACES = sizeof s / sizeof s[0], BODIES = SURFACES + 2 };
    apart_shape* shape[BODIES];
    for (int i = 0; i < SURFACES; i++) shape[i] = surface_shape(&s[i], NULL);
    shape[SURFACES] = apart_shape_ellipsoid((apart_vec3){0.3, 0.2, 0.1}, NULL);
    apart_part part[2] = {{shape[0], apart_pose_identity}, {shape[SURFACES], pose_at(1, 0, 0)}};
    shape[SURFACES + 1] = apart_shape_union(part, 2, NULL);
    measure m = {0};
    for (int i = 0; i < BODIES; i++)
        for (int j = 0; j < BODIES; j++) {
            question q = {.a = shape[i], .b = shape[j], .pose_a = apart_pose_identity, .moving = true};
            q.pose_b = apart_pose_from_quaternion(1, 0.1, 0.2, 0.3, (apart_vec3){2.5, 0.01, 0.02});
            measure_query(&m, &q);
        }
    for (int i = 0; i < BODIES; i++) apart_shape_release(shape[i]);
    for (int i = 0; i < SURFACES; i++) surface_free(&s[i]);
    report("motion of meshes and unions", &m, MOST_STACK);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_convex), cmocka_unit_test(test_near_ties),
                                       cmocka_unit_test(test_meshes), cmocka_unit_test(test_motion_of_convex),
                                       cmocka_unit_test(test_motion_of_meshes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

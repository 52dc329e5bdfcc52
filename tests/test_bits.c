// Every bit of many answers of every room, as one hash a room: the same on every machine, with every compiler and every
// instruction set. What the answers should be is not said here; the other tests judge them.
//
//     test_bits [avx2|portable]   with the kernels of a lesser machine, on x86-64
//     test_bits table             prints the hashes of this build: test_bits table >tests/test_bits.table
//
// A change of an algorithm that is meant to change bits shows here, and is entered once it is understood.
#include "answers.h"
#include "base/kernels.h"
#include "base/trig.h"
#include "certificate.h"
#include "mesh_models.h"
#include "mesh_scenes.h"
#include "motion/path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void ask(const apart_shape* a, const apart_pose* pose_a, const apart_shape* b, const apart_pose* pose_b,
                const apart_query* q, apart_cache* cache, uint64_t* hash) {
    apart_result r;
    memset(&r, 0, sizeof r);
    assert_int_equal(apart_distance(a, pose_a, b, pose_b, q, cache, &r), APART_OK);
    hash_answer(hash, &r);
}

// ---------------------------------------------------------------------------------------------- two convex bodies ----

static trial t;

// Cold, by one method, without a depth, with a bound of it, exactly.
static void hash_pairs(int method, apart_depth depth, uint64_t* hash) {
    const apart_query q = query_of(method, depth);
    for (uint64_t seed = 100001; seed <= 102000; seed++) {
        pair_random(&t.pair, seed);
        assert_true(trial_shape(&t));
        ask(t.a, &t.pair.pose_a, t.b, &t.pair.pose_b, &q, NULL, hash);
        trial_close(&t);
    }
}

static void hash_distance(int method, uint64_t* hash) { hash_pairs(method, APART_DEPTH_NONE, hash); }
static void hash_bound(int method, uint64_t* hash) { hash_pairs(method, APART_DEPTH_BOUND, hash); }
static void hash_depth(int method, uint64_t* hash) { hash_pairs(method, APART_DEPTH_EXACT, hash); }

// Two large hulls, for which supports are found by climbing, and bodies of every kind; in each other, parting and
// turning by a few degrees a step.
static void hash_tracked(int method, apart_depth depth, uint64_t* hash) {
    const apart_query q = query_of(method, depth);
    for (uint64_t seed = 1; seed <= 60; seed++) {
        rng r = rng_seed(110000 + seed);
        if (seed % 3 == 0) {
            body_cospherical(&r, &t.pair.a, rng_between(&r, 4, 400));
            body_cospherical(&r, &t.pair.b, rng_between(&r, 4, 400));
        } else {
            body_random(&r, &t.pair.a, 60);
            body_random(&r, &t.pair.b, 60);
        }
        t.pair.pose_a = rng_pose(&r, rng_in_cube(&r, 0.1));
        t.pair.pose_b = rng_pose(&r, rng_in_cube(&r, 0.1));
        const apart_vec3 shift = rng_in_cube(&r, 0.3), axis = rng_in_cube(&r, 0.1);
        const apart_mat3 turn = rng_matrix(1, axis.x, axis.y, axis.z);
        apart_cache cache = {0};
        assert_true(trial_shape(&t));
        for (int step = 0; step < 20; step++) {
            ask(t.a, &t.pair.pose_a, t.b, &t.pair.pose_b, &q, &cache, hash);
            pose_move(&t.pair.pose_b, &turn, shift);
        }
        trial_close(&t);
    }
}

static void hash_tracked_distance(int method, uint64_t* hash) { hash_tracked(method, APART_DEPTH_NONE, hash); }
static void hash_tracked_depth(int method, uint64_t* hash) { hash_tracked(method, APART_DEPTH_EXACT, hash); }

// ---------------------------------------------------------------------------------------------- meshes and unions ----

typedef enum question { EXACT, ROUGH, YES_NO, CUTOFF, WARM, DEPTH } question;

// Scenes are of any unit.
static double size_of(const surface* s) {
    const apart_vec3 p = s->vertex[s->triangle[0][0]];
    double size = 0;
    for (size_t i = 0; i < s->vertex_count; i++) {
        const apart_vec3 q = s->vertex[i];
        size = fmax(size, fmax(fabs(q.x - p.x), fmax(fabs(q.y - p.y), fabs(q.z - p.z))));
    }
    return size;
}

static void ask_question(const scene* s, apart_shape* a, apart_shape* b, question kind, uint64_t* hash) {
    apart_query q = apart_query_default();
    apart_cache cache = {0};
    if (kind == ROUGH) q.relative_error = 0.2;
    if (kind == YES_NO) q.relative_error = 1;
    if (kind == CUTOFF) q.cutoff = size_of(&s->a) / 16;
    if (kind == DEPTH) q.depth = APART_DEPTH_EXACT;
    for (int i = 0; i < (kind == WARM ? 2 : 1); i++)
        ask(a, &s->pose_a, b, &s->pose_b, &q, kind == WARM ? &cache : NULL, hash);
}

static apart_shape* need(apart_shape* shape) {
    assert_non_null(shape);
    return shape;
}

static void hash_meshes(int kind, uint64_t* hash) {
    for (uint64_t seed = 20001; seed <= 20200; seed++) {
        scene s;
        scene_random(&s, seed, 400);
        apart_shape *a = need(surface_shape(&s.a, NULL)), *b = need(surface_shape(&s.b, NULL));
        ask_question(&s, a, b, (question)kind, hash);
        apart_shape_release(a);
        apart_shape_release(b);
        scene_free(&s);
    }
}

static void hash_mesh_and_convex(int kind, uint64_t* hash) {
    for (uint64_t seed = 21001; seed <= 21200; seed++) {
        rng r = rng_seed(seed);
        scene s;
        body convex;
        scene_random(&s, seed, 400);
        body_random(&r, &convex, 60);
        body_scale(&convex, size_of(&s.b));
        apart_shape *a = need(surface_shape(&s.a, NULL)), *b = need(body_shape(&convex, NULL));
        ask_question(&s, a, b, (question)kind, hash);
        apart_shape_release(a);
        apart_shape_release(b);
        scene_free(&s);
    }
}

// A mesh and three convex bodies, which must stay: some are support functions.
static apart_shape* make_union(rng* r, const surface* s, body convex[3]) {
    apart_part part[4] = {{need(surface_shape(s, NULL)), apart_pose_identity}};
    for (int i = 1; i < 4; i++) {
        body* b = &convex[i - 1];
        body_random(r, b, 30);
        body_scale(b, size_of(s));
        part[i] = (apart_part){need(body_shape(b, NULL)), rng_pose(r, rng_in_cube(r, 2 * size_of(s)))};
    }
    apart_shape* all = need(apart_shape_union(part, 4, NULL));
    for (int i = 0; i < 4; i++) apart_shape_release(part[i].shape);
    return all;
}

static void hash_unions(int kind, uint64_t* hash) {
    static body convex[6];
    for (uint64_t seed = 22001; seed <= 22150; seed++) {
        rng r = rng_seed(seed);
        scene s;
        scene_random(&s, seed, 400);
        apart_shape *a = make_union(&r, &s.a, convex), *b = make_union(&r, &s.b, convex + 3);
        ask_question(&s, a, b, (question)kind, hash);
        apart_shape_release(a);
        apart_shape_release(b);
        scene_free(&s);
    }
}

static apart_shape* with_spheres(const surface* s) {
    const apart_mesh_options options = {.sphere_radius = size_of(s) / 16};
    return need(apart_shape_mesh(s->vertex, s->vertex_count, &s->triangle[0][0], s->triangle_count, &options, NULL));
}

static void hash_spheres(int unused, uint64_t* hash) {
    (void)unused;
    for (uint64_t seed = 23001; seed <= 23100; seed++) {
        scene s;
        scene_random(&s, seed, 200);
        apart_shape *a = with_spheres(&s.a), *b = with_spheres(&s.b);
        const apart_query q = {.method = APART_METHOD_SPHERES, .relative_error = seed % 2 ? 0.2 : 0};
        ask(a, &s.pose_a, b, &s.pose_b, &q, NULL, hash);
        apart_shape_release(a);
        apart_shape_release(b);
        scene_free(&s);
    }
}

// ----------------------------------------------------------------------------------------------------- many pairs ----

#define BATCH 1000

static void hash_results(const apart_result* results, size_t count, uint64_t* hash) {
    for (size_t i = 0; i < count; i++) hash_answer(hash, &results[i]);
}

// Hulls and boxes, which are searched side by side, among bodies of every kind.
static void hash_batch(int threads, uint64_t* hash) {
    static body bodies[2 * BATCH];
    static apart_shape* shapes[2 * BATCH];
    static apart_pair pairs[BATCH];
    static apart_result results[BATCH];
    for (size_t i = 0; i < 2 * BATCH; i++) {
        rng r = rng_seed(130000 + i);
        if (i % 3 < 2)
            body_cospherical(&r, &bodies[i], rng_between(&r, 4, 120));
        else
            body_random(&r, &bodies[i], 60);
        shapes[i] = need(body_shape(&bodies[i], NULL));
    }
    for (size_t i = 0; i < BATCH; i++) {
        rng r = rng_seed(140000 + i);
        const apart_pose pose_a = rng_pose(&r, rng_in_cube(&r, 1));
        const apart_pose pose_b = rng_pose(&r, rng_in_cube(&r, 3));
        pairs[i] = (apart_pair){shapes[2 * i], shapes[2 * i + 1], pose_a, pose_b};
    }
    memset(results, 0, sizeof results);
    assert_int_equal(apart_distance_batch(pairs, BATCH, NULL, NULL, results, NULL, threads), APART_OK);
    hash_results(results, BATCH, hash);
    for (size_t i = 0; i < 2 * BATCH; i++) apart_shape_release(shapes[i]);
}

// Two unions of spheres, one of them of as many as there are poses.
static void hash_sphere_unions(int depth, uint64_t* hash) {
    static apart_part parts[BATCH];
    static apart_pose poses[BATCH];
    static apart_result results[BATCH];
    const apart_query q = {.depth = (apart_depth)depth};
    rng r = rng_seed(160000);
    for (size_t i = 0; i < BATCH; i++) {
        parts[i].shape = need(apart_shape_sphere(rng_uniform(&r, 0, 0.1), NULL));
        parts[i].pose = rng_pose(&r, rng_in_cube(&r, 1));
        poses[i] = rng_pose(&r, rng_in_cube(&r, 3));
    }
    apart_shape *a = need(apart_shape_union(parts, 30, NULL)), *b = need(apart_shape_union(parts, BATCH, NULL));
    memset(results, 0, sizeof results);
    assert_int_equal(apart_distance_poses(a, poses, BATCH, b, poses, 1, &q, results, NULL, 2), APART_OK);
    hash_results(results, BATCH, hash);
    for (size_t i = 0; i < BATCH; i++) apart_shape_release(parts[i].shape);
    apart_shape_release(a);
    apart_shape_release(b);
}

static void hash_points(int depth, uint64_t* hash) {
    static apart_vec3 points[BATCH];
    static apart_result results[BATCH];
    const apart_query q = {.depth = (apart_depth)depth};
    for (int model = 0; model < MODELS; model++) {
        rng r = rng_seed(150000 + (uint64_t)model);
        surface s = model_get(model);
        apart_shape* mesh = need(surface_shape(&s, NULL));
        const apart_pose pose = rng_pose(&r, rng_in_cube(&r, 1));
        for (size_t i = 0; i < BATCH; i++) points[i] = rng_in_cube(&r, 1.5);
        memset(results, 0, sizeof results);
        assert_int_equal(apart_distance_points(mesh, &pose, points, BATCH, &q, results, NULL, 2), APART_OK);
        hash_results(results, BATCH, hash);
        apart_shape_release(mesh);
        surface_free(&s);
    }
}

// ------------------------------------------------------------------------------------------------------- gradient ----

static void hash_slope(const apart_shape* a, const apart_pose* pose_a, const apart_shape* b, const apart_pose* pose_b,
                       uint64_t* hash) {
    const apart_query q = {.depth = APART_DEPTH_EXACT};
    apart_result r;
    apart_slope s = {.unique = false};
    assert_int_equal(apart_distance(a, pose_a, b, pose_b, &q, NULL, &r), APART_OK);
    const apart_status status = apart_gradient(a, pose_a, b, pose_b, &r, &s);
    const double words[2] = {status, s.unique};
    hash_doubles(hash, words, 2);
    hash_doubles(hash, &s.a.linear.x, 6);
    hash_doubles(hash, &s.b.linear.x, 6);
}

static void hash_gradient(int unused, uint64_t* hash) {
    (void)unused;
    static body convex[6];
    for (uint64_t seed = 160001; seed <= 161000; seed++) {
        pair_random(&t.pair, seed);
        assert_true(trial_shape(&t));
        hash_slope(t.a, &t.pair.pose_a, t.b, &t.pair.pose_b, hash);
        trial_close(&t);
    }
    for (uint64_t seed = 161001; seed <= 161100; seed++) {
        rng r = rng_seed(seed);
        scene s;
        scene_random(&s, seed, 400);
        apart_shape *a = make_union(&r, &s.a, convex), *b = make_union(&r, &s.b, convex + 3);
        hash_slope(a, &s.pose_a, b, &s.pose_b, hash);
        apart_shape_release(a);
        apart_shape_release(b);
        scene_free(&s);
    }
}

static apart_shape* random_halfspace(rng* r, double highest) {
    const apart_vec3 normal = rng_in_ball(r);
    return apart_shape_halfspace(normal, rng_uniform(r, highest - 2, highest), NULL);
}

// A half-space against convex bodies and unions with meshes in them; distances, and slopes.
static void hash_halfspace(int depth, uint64_t* hash) {
    static body convex[3];
    const apart_query q = query_of(APART_METHOD_AUTO, (apart_depth)depth);
    for (uint64_t seed = 162001; seed <= 163000; seed++) {
        rng r = rng_seed(seed);
        pair_random(&t.pair, seed);
        assert_true(trial_shape(&t));
        apart_shape* ground = random_halfspace(&r, 1);
        ask(ground, &t.pair.pose_a, t.b, &t.pair.pose_b, &q, NULL, hash);
        hash_slope(t.b, &t.pair.pose_b, ground, &t.pair.pose_a, hash);
        apart_shape_release(ground);
        trial_close(&t);
    }
    for (uint64_t seed = 163001; seed <= 163100; seed++) {
        rng r = rng_seed(seed);
        scene s;
        scene_random(&s, seed, 400);
        apart_shape *ground = random_halfspace(&r, 1), *b = make_union(&r, &s.b, convex);
        ask(ground, &s.pose_a, b, &s.pose_b, &q, NULL, hash);
        hash_slope(b, &s.pose_b, ground, &s.pose_a, hash);
        apart_shape_release(ground);
        apart_shape_release(b);
        scene_free(&s);
    }
}

// ----------------------------------------------------------------------------------------------- without a shape ----

static void hash_closed_forms(int unused, uint64_t* hash) {
    (void)unused;
    rng r = rng_seed(24001);
    for (int i = 0; i < 5000; i++) {
        // Now and then on a lattice: parallel, flat, touching.
        apart_vec3 p[6];
        for (int k = 0; k < 6; k++) {
            p[k] = rng_in_cube(&r, 2);
            if (i % 4 == 0) p[k] = (apart_vec3){round(p[k].x), round(p[k].y), round(p[k].z)};
        }
        double found[12] = {0};
        found[0] = apart_segment_segment(3, &p[0].x, &p[1].x, &p[2].x, &p[3].x, &found[1], &found[2]);
        hash_doubles(hash, found, 3);
        found[0] = apart_point_triangle(p[0], p + 3, found + 1);
        hash_doubles(hash, found, 4);
        found[0] = apart_segment_triangle(p[0], p[1], p + 3, found + 1, found + 2);
        hash_doubles(hash, found, 5);
        found[0] = apart_triangle_triangle(p, p + 3, found + 1, found + 4);
        hash_doubles(hash, found, 7);
    }
}

static void hash_nd(int unused, uint64_t* hash) {
    (void)unused;
    rng r = rng_seed(25001);
    for (int i = 0; i < 2000; i++) {
        double a[16 * 8], b[16 * 8], found[17];
        const int dim = 1 + i % 8;
        const double shift = rng_uniform(&r, 0, 2);
        const size_t count_a = (size_t)rng_between(&r, 1, 16);
        const size_t count_b = (size_t)rng_between(&r, 1, 16);
        for (int k = 0; k < 16 * dim; k++) {
            a[k] = rng_uniform(&r, -1, 1);
            b[k] = rng_uniform(&r, -1, 1) + (k % dim == 0 ? shift : 0);
        }
        assert_int_equal(apart_distance_nd(dim, a, count_a, b, count_b, found + 1, found + 1 + dim, found), APART_OK);
        hash_doubles(hash, found, 1 + 2 * (size_t)dim);
    }
}

// -------------------------------------------------------------------------------------------------------- motions ----

static void hash_trig(int unused, uint64_t* hash) {
    (void)unused;
    rng r = rng_seed(26001);
    for (int i = 0; i < 20000; i++) {
        double found[3];
        const double x = rng_magnitude(&r, -40, 50), y = rng_unit(&r), sign = rng_chance(&r, 0.5) ? 1 : -1;
        apart_sine_cosine(sign * x, &found[0], &found[1]);
        found[2] = apart_arctangent(y, rng_unit(&r) + 0x1p-60);
        hash_doubles(hash, found, 3);
    }
}

static void hash_poses(int kind, uint64_t* hash) {
    for (uint64_t seed = 27001; seed <= 28000; seed++) {
        rng r = rng_seed(seed);
        apart_key keys[4];
        for (int i = 0; i < 4; i++) keys[i] = (apart_key){i / 3.0, rng_pose(&r, rng_in_cube(&r, 1))};
        apart_motion m = {.kind = (apart_motion_kind)kind, .start = keys[0].pose, .end = keys[1].pose, .keys = keys};
        m.key_count = 4;
        m.pivot = rng_in_cube(&r, 1);
        m.velocity.linear = rng_in_cube(&r, 1);
        m.velocity.angular = rng_in_cube(&r, 20);
        path p;
        moment o;
        assert_int_equal(apart_path_init(&p, &m), APART_OK);
        assert_int_equal(apart_path_at(&p, rng_unit(&r), seed % 2, &o), APART_OK);
        const double all[] = {o.velocity.x, o.spin.y, o.rate, o.rate_most, o.rate_change, o.place_error, o.turn_error};
        hash_doubles(hash, &o.pose.rotation.m[0][0], 9);
        hash_doubles(hash, &o.pose.translation.x, 3);
        hash_doubles(hash, all, COUNT(all));
    }
}

// First contact (0), closest approach (1) and spans of contact (2) of two shapes.
static void hash_encounter(int way, const apart_shape* a, const apart_motion* motion_a, const apart_shape* b,
                           const apart_motion* motion_b, const apart_motion_query* q, uint64_t* hash) {
    apart_contact c;
    apart_approach p;
    apart_span span[8];
    size_t count = 0;
    memset(&c, 0, sizeof c);
    memset(&p, 0, sizeof p);
    memset(span, 0, sizeof span);
    if (way == 0) {
        assert_int_equal(apart_first_contact(a, motion_a, b, motion_b, q, &c), APART_OK);
        const double all[] = {(double)c.kind, c.time, c.time_upper, c.clearance, c.rate, c.steps};
        hash_doubles(hash, all, COUNT(all));
        hash_answer(hash, &c.result);
    } else if (way == 1) {
        assert_int_equal(apart_closest_approach(a, motion_a, b, motion_b, q, &p), APART_OK);
        const double all[] = {p.distance, p.lower_bound, p.upper_bound, p.time, p.steps};
        hash_doubles(hash, all, COUNT(all));
        hash_answer(hash, &p.result);
    } else {
        assert_int_equal(apart_contact_spans(a, motion_a, b, motion_b, q, span, COUNT(span), &count), APART_OK);
        for (size_t i = 0; i < count && i < COUNT(span); i++) {
            const double all[] = {span[i].begin, span[i].end, (double)span[i].kind};
            hash_doubles(hash, all, COUNT(all));
        }
    }
}

static apart_motion moving_to_and_fro(rng* r, apart_key keys[4], int kind) {
    for (int i = 0; i < 4; i++) keys[i] = (apart_key){i / 3.0, rng_pose(r, rng_in_cube(r, 2))};
    apart_motion m = {.kind = (apart_motion_kind)kind, .start = keys[0].pose, .end = keys[1].pose, .keys = keys};
    m.key_count = 4;
    m.velocity.linear = rng_in_cube(r, 4);
    m.velocity.angular = rng_in_cube(r, 8);
    return m;
}

static void hash_moving_pairs(int way, uint64_t* hash) {
    for (uint64_t seed = 172001; seed <= 172400; seed++) {
        rng r = rng_seed(seed);
        apart_key keys[2][4];
        body_random(&r, &t.pair.a, 20);
        body_random(&r, &t.pair.b, 20);
        assert_true(trial_shape(&t));
        const int kind = (int)(seed % (APART_MOTION_KEYS + 1));
        const apart_motion a = moving_to_and_fro(&r, keys[0], kind), b = moving_to_and_fro(&r, keys[1], 4 - kind);
        hash_encounter(way, t.a, &a, t.b, &b, NULL, hash);
        trial_close(&t);
    }
}

static void hash_moving_meshes(int way, uint64_t* hash) {
    surface s[2] = {model_torus(12, 8, 0.2), model_bracket()};
    apart_shape* shape[3] = {surface_shape(&s[0], NULL), surface_shape(&s[1], NULL)};
    const apart_part part[2] = {{shape[1], apart_pose_identity}, {shape[0], pose_at(0.5, 0, 0.7)}};
    shape[2] = apart_shape_union(part, 2, NULL);
    const apart_motion_query q = {.tolerance = 1e-3, .max_steps = 3000};
    for (uint64_t seed = 173001; seed <= 173030; seed++) {
        rng r = rng_seed(seed);
        apart_key keys[2][4];
        const int kind = (int)(seed % (APART_MOTION_KEYS + 1));
        const apart_motion a = moving_to_and_fro(&r, keys[0], kind), b = moving_to_and_fro(&r, keys[1], 4 - kind);
        hash_encounter(way, shape[seed % 3], &a, shape[seed / 3 % 3], &b, &q, hash);
    }
    for (int i = 0; i < 3; i++) apart_shape_release(shape[i]);
    for (int i = 0; i < 2; i++) surface_free(&s[i]);
}

// A half-space that stays, and bodies that come down to it.
static void hash_moving_to_halfspace(int way, uint64_t* hash) {
    surface torus = model_torus(12, 8, 0.2);
    apart_shape* shape[3] = {surface_shape(&torus, NULL), apart_shape_box((apart_vec3){0.3, 0.4, 0.5}, 0.1, NULL)};
    const apart_part part[2] = {{shape[1], apart_pose_identity}, {shape[0], pose_at(0.5, 0, 0.7)}};
    shape[2] = apart_shape_union(part, 2, NULL);
    for (uint64_t seed = 174001; seed <= 174060; seed++) {
        rng r = rng_seed(seed);
        apart_key keys[4];
        apart_shape* ground = random_halfspace(&r, 0);
        const apart_motion a = {.start = rng_pose(&r, rng_in_ball(&r))},
                           b = moving_to_and_fro(&r, keys, (int)(seed % (APART_MOTION_KEYS + 1)));
        hash_encounter(way, ground, &a, shape[seed % 3], &b, NULL, hash);
        apart_shape_release(ground);
    }
    for (int i = 0; i < 3; i++) apart_shape_release(shape[i]);
    surface_free(&torus);
}

// ------------------------------------------------------------------------------------------------------ the table ----

typedef struct room {
    const char* name;
    void (*answer)(int way, uint64_t* hash);
    int way;
} room;

static room rooms[] = {
    {"distance, auto", hash_distance, APART_METHOD_AUTO},
    {"distance, gjk", hash_distance, APART_METHOD_GJK},
    {"distance, enhanced", hash_distance, APART_METHOD_ENHANCED},
    {"distance, features", hash_distance, APART_METHOD_FEATURES},
    {"bound, auto", hash_bound, APART_METHOD_AUTO},
    {"bound, gjk", hash_bound, APART_METHOD_GJK},
    {"bound, enhanced", hash_bound, APART_METHOD_ENHANCED},
    {"bound, features", hash_bound, APART_METHOD_FEATURES},
    {"depth, auto", hash_depth, APART_METHOD_AUTO},
    {"depth, gjk", hash_depth, APART_METHOD_GJK},
    {"depth, enhanced", hash_depth, APART_METHOD_ENHANCED},
    {"depth, features", hash_depth, APART_METHOD_FEATURES},
    {"tracked distance, auto", hash_tracked_distance, APART_METHOD_AUTO},
    {"tracked distance, gjk", hash_tracked_distance, APART_METHOD_GJK},
    {"tracked distance, enhanced", hash_tracked_distance, APART_METHOD_ENHANCED},
    {"tracked distance, features", hash_tracked_distance, APART_METHOD_FEATURES},
    {"tracked depth, auto", hash_tracked_depth, APART_METHOD_AUTO},
    {"meshes, exact", hash_meshes, EXACT},
    {"meshes, 20 %", hash_meshes, ROUGH},
    {"meshes, yes or no", hash_meshes, YES_NO},
    {"meshes, cutoff", hash_meshes, CUTOFF},
    {"meshes, warm", hash_meshes, WARM},
    {"meshes, depth", hash_meshes, DEPTH},
    {"mesh and convex body, exact", hash_mesh_and_convex, EXACT},
    {"mesh and convex body, depth", hash_mesh_and_convex, DEPTH},
    {"unions, exact", hash_unions, EXACT},
    {"unions, 20 %", hash_unions, ROUGH},
    {"unions, warm", hash_unions, WARM},
    {"trees of spheres", hash_spheres, 0},
    {"batch", hash_batch, 1},
    {"batch on two threads", hash_batch, 2},
    {"unions of spheres", hash_sphere_unions, APART_DEPTH_NONE},
    {"unions of spheres, depth", hash_sphere_unions, APART_DEPTH_EXACT},
    {"points and a mesh", hash_points, APART_DEPTH_NONE},
    {"points and a mesh, depth", hash_points, APART_DEPTH_EXACT},
    {"gradient", hash_gradient, 0},
    {"closed forms", hash_closed_forms, 0},
    {"hulls in 1 to 8 dimensions", hash_nd, 0},
    {"sine, cosine, arctangent", hash_trig, 0},
    {"poses, slerp", hash_poses, APART_MOTION_SLERP},
    {"poses, nlerp", hash_poses, APART_MOTION_NLERP},
    {"poses, velocity", hash_poses, APART_MOTION_VELOCITY},
    {"poses, keys", hash_poses, APART_MOTION_KEYS},
    {"first contact", hash_moving_pairs, 0},
    {"closest approach", hash_moving_pairs, 1},
    {"spans of contact", hash_moving_pairs, 2},
    {"first contact of meshes", hash_moving_meshes, 0},
    {"closest approach of meshes", hash_moving_meshes, 1},
    {"spans of contact of meshes", hash_moving_meshes, 2},
    {"half-space", hash_halfspace, APART_DEPTH_NONE},
    {"half-space, depth", hash_halfspace, APART_DEPTH_EXACT},
    {"first contact with a half-space", hash_moving_to_halfspace, 0},
    {"closest approach to a half-space", hash_moving_to_halfspace, 1},
    {"spans of contact with a half-space", hash_moving_to_halfspace, 2},
};
#define ROOMS COUNT(rooms)

// One hash a line, in the order of the rooms.
static const uint64_t golden[ROOMS] = {
#include "test_bits.table"
};

static uint64_t room_hash(const room* r) {
    uint64_t hash = HASH_START;
    r->answer(r->way, &hash);
    return hash;
}

static void print_line(const room* r, uint64_t hash) {
    printf("0x%016llxu, // %s\n", (unsigned long long)hash, r->name);
}

static void test_room(void** state) {
    const room* r = *state;
    const uint64_t hash = room_hash(r);
    if (hash != golden[r - rooms]) print_line(r, hash);
    assert_true(hash == golden[r - rooms]);
}

// --------------------------------------------------------------------------------------------- instruction sets ----

#if defined(__x86_64__)
// What __builtin_cpu_supports reads, set before main by the compiler's own library: bit 15 is AVX-512 F, bit 10 AVX2.
extern struct processor_model { unsigned vendor, type, subtype, features[1]; } __cpu_model;

static bool hide_instructions(const char* above) {
    const bool avx2 = strcmp(above, "avx2") == 0, portable = strcmp(above, "portable") == 0;
    if (!avx2 && !portable) return false;
    __cpu_model.features[0] &= ~(1u << 15);
    if (portable) __cpu_model.features[0] &= ~(1u << 10);
    return portable ? apart_kernels() == &apart_kernels_portable : apart_kernels() != &apart_kernels_avx512;
}
#else
static bool hide_instructions(const char* above) { return strcmp(above, "portable") == 0; }
#endif

int main(int argc, char** argv) {
    if (argc == 2 && strcmp(argv[1], "table") == 0) {
        for (size_t i = 0; i < ROOMS; i++) print_line(&rooms[i], room_hash(&rooms[i]));
        return 0;
    }
    if (argc > 2 || (argc == 2 && !hide_instructions(argv[1]))) {
        fprintf(stderr, "usage: test_bits [avx2|portable|table]\n");
        return 2;
    }
    struct CMUnitTest tests[ROOMS];
    for (size_t i = 0; i < ROOMS; i++) tests[i] = (struct CMUnitTest){rooms[i].name, test_room, NULL, NULL, &rooms[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

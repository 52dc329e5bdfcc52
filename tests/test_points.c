// Many points against one shape: meshes against brute force, each answer with its certificate, inside and out; convex
// bodies and unions answer what apart_distance does; the bits of a point's answer are its own.
#include "allocation_count.h"

#include "answers.h"
#include "base/vec.h"
#include "mesh_scenes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static bool same_bits(const apart_result* r, const apart_result* s) { return answers_same_but_unit(r, s, 1); }

// ------------------------------------------------------------------------------------------------------- meshes ----

#define POINTS 24

// A mesh somewhere, and points around it, near it, on it and in it.
typedef struct site {
    surface s;
    apart_shape* shape;
    apart_pose pose;
    apart_vec3 point[POINTS];
} site;

static apart_vec3 some_vertex(rng* r, const surface* s) { return s->vertex[rng_below(r, (int)s->vertex_count)]; }

// Local coordinates.
static apart_vec3 draw_point(rng* r, const surface* s) {
    const uint32_t* t = s->triangle[rng_below(r, (int)s->triangle_count)];
    apart_vec3 q = point_between(s->vertex[t[0]], rng_unit(r), s->vertex[t[1]]);
    apart_vec3 on = point_between(q, rng_unit(r), s->vertex[t[2]]), p;
    switch (rng_below(r, 7)) {
    case 0:
        return rng_in_cube(r, 1.5);
    case 1:
        return rng_in_cube(r, rng_magnitude(r, 2, 14));
    case 2:
        return vec3_mad(on, rng_magnitude(r, -40, -2), rng_unit_vector(r));
    case 3:
        return rng_chance(r, 0.5) ? on : some_vertex(r, s);
    case 4:
        return vec3_mad(some_vertex(r, s), rng_magnitude(r, -20, -2), rng_unit_vector(r));
    case 5:
        return surface_inner_point(s, r, &p) ? p : rng_in_cube(r, 0.5);
    default:
        return vec3_mad(on, rng_magnitude(r, -8, 0), rng_unit_vector(r));
    }
}

static void site_open(site* e, uint64_t seed) {
    rng r = rng_seed(seed);
    do {
        e->s = model_get(rng_below(&r, MODELS));
        if (e->s.triangle_count <= 500) break;
        surface_free(&e->s);
    } while (true);
    e->s.radius = rng_chance(&r, 0.2) ? rng_magnitude(&r, -8, -2) : 0;
    e->s.hollow = rng_chance(&r, 0.2);
    e->pose = rng_pose(&r, rng_in_cube(&r, rng_magnitude(&r, -2, 6)));
    if (rng_chance(&r, 0.3))
        for (int i = 0; i < 9; i++) e->pose.rotation.m[i / 3][i % 3] += rng_uniform(&r, -2e-7, 2e-7);
    if (rng_chance(&r, 0.2)) e->pose = apart_pose_identity;
    for (int i = 0; i < POINTS; i++) e->point[i] = draw_point(&r, &e->s);
    if (rng_chance(&r, 0.2)) {
        apart_vec3 off = rng_in_cube(&r, 50);
        surface_shift(&e->s, off);
        for (int i = 0; i < POINTS; i++) e->point[i] = vec3_add(e->point[i], off);
    }
    for (int i = 0; i < POINTS; i++) e->point[i] = pose_point(&e->pose, e->point[i]);
    e->shape = surface_shape(&e->s, NULL);
    assert_non_null(e->shape);
}

static void site_close(site* e) {
    apart_shape_release(e->shape);
    surface_free(&e->s);
}

static long searched, asked, closed, nested;

// With a depth: a point outside as without one; a point inside is as deep as the walls are far, at least.
static const char* check_depth(const thing_truth* t, const apart_result* r, const apart_result* flat) {
    if (r->lower_bound > r->distance || r->distance > r->upper_bound) return "distance is not between its bounds";
    if (flat->upper_bound > 0) return fabs(r->distance - flat->distance) <= 1e-13 * t->size ? NULL : "another distance";
    if (t->unknown || !t->nested || t->surface <= 1e-9 * (quad)t->size) return NULL;
    quad deep = t->surface;
    if (r->upper_bound > 0) return "a point inside has a positive distance";
    if (-(quad)r->upper_bound > deep) return "the walls are nearer than upper_bound says";
    if (-(quad)r->lower_bound < deep * (1 - 0x1p-40)) return "the point is out too soon";
    // The ordinary query leaves the depth of solids open.
    nested += r->supports == 0;
    closed += r->supports == 0 && r->upper_bound - r->lower_bound <= 1e-9 * t->size;
    return NULL;
}

static void judge_site(uint64_t seed, thing_census* c) {
    static body dot;
    dot.kind = BODY_SPHERE;
    site e;
    site_open(&e, seed);
    apart_query q[4] = {{.cutoff = INFINITY},
                        {.cutoff = INFINITY, .relative_error = 0.3},
                        {.cutoff = 0.2},
                        {.cutoff = INFINITY, .depth = APART_DEPTH_EXACT}};
    apart_result r[4][POINTS];
    thing mesh = thing_surface(&e.s, &e.pose);
    for (int k = 0; k < 4; k++)
        assert_int_equal(apart_distance_points(e.shape, &e.pose, e.point, POINTS, &q[k], r[k], NULL, 1), APART_OK);
    for (int i = 0; i < POINTS; i++) {
        apart_pose at = {apart_pose_identity.rotation, e.point[i]};
        thing point = thing_body(&dot, &at);
        thing_truth t = thing_distance(&mesh, &point);
        c->judged[thing_regime_of(&t)]++;
        c->unknown += t.unknown;
        for (int k = 0; k < 4; k++) {
            const char* wrong =
                k < 3 ? thing_check(&mesh, &point, &t, &q[k], &r[k][i], c) : check_depth(&t, &r[3][i], &r[0][i]);
            searched += r[k][i].supports == 0;
            asked++;
            if (!wrong) continue;
            c->wrong++;
            printf("WRONG: seed %llu point %d query %d: %s: [%.17g, %.17g], truth [%.17g, %.17g], walls %.17g\n",
                   (unsigned long long)seed, i, k, wrong, r[k][i].lower_bound, r[k][i].upper_bound, (double)t.lower,
                   (double)t.upper, (double)t.surface);
        }
    }
    site_close(&e);
}

static void test_meshes(void** state) {
    (void)state;
    thing_census c = {0};
    for (uint64_t seed = 1; seed <= 150; seed++) judge_site(seed, &c);
    thing_census_print("points", &c);
    printf("%ld of %ld by the search for points; %ld of %ld depths are closed\n", searched, asked, closed, nested);
    assert_true(c.judged[THINGS_APART] > 500 && c.judged[THINGS_NEAR] > 100 && c.judged[THINGS_NESTED] > 200);
    assert_true(searched > asked / 2 && nested > 50 && closed > nested * 9 / 10);
    assert_int_equal(c.wrong, 0);
}

// ------------------------------------------------------------------------------------------------- order, threads ----

#define MANY 9000

static apart_vec3 many[MANY], shuffled[MANY];
static apart_result answers[MANY], others[MANY];
static apart_status statuses[MANY];

static apart_shape* knot(void) {
    surface s = model_knot(80, 12);
    apart_shape* shape = surface_shape(&s, NULL);
    surface_free(&s);
    return shape;
}

static apart_shape* odd_union(void) {
    apart_shape *mesh = knot(), *ball = apart_shape_sphere(0.3, NULL);
    const apart_part parts[2] = {{mesh, apart_pose_identity}, {ball, pose_at(2, 0, 0)}};
    apart_shape* both = apart_shape_union(parts, 2, NULL);
    apart_shape_release(mesh);
    apart_shape_release(ball);
    return both;
}

// The answer to a point does not depend on the others, the order, the threads, or on memory for an order.
static void test_bits_are_the_points_own(void** state) {
    (void)state;
    apart_shape* shape = knot();
    rng r = rng_seed(3);
    apart_pose pose = rng_pose(&r, rng_in_cube(&r, 2));
    for (int i = 0; i < MANY; i++) many[i] = vec3_add(pose.translation, rng_in_cube(&r, 1));
    apart_query q = {.depth = APART_DEPTH_EXACT};
    assert_int_equal(apart_distance_points(shape, &pose, many, MANY, &q, answers, NULL, 1), APART_OK);
    static int place[MANY];
    for (int threads = 0; threads < 5; threads++) {
        for (int i = 0; i < MANY; i++) {
            int j = rng_below(&r, i + 1);
            place[i] = place[j];
            place[j] = i;
        }
        for (int i = 0; i < MANY; i++) shuffled[i] = many[place[i]];
        assert_int_equal(apart_distance_points(shape, &pose, shuffled, MANY, &q, others, statuses, threads), APART_OK);
        for (int i = 0; i < MANY; i++)
            assert_true(same_bits(&others[i], &answers[place[i]]) && statuses[i] == APART_OK);
    }
    for (int i = 0; i < MANY; i += 17) {
        assert_int_equal(apart_distance_points(shape, &pose, &many[i], 1, &q, others, NULL, 1), APART_OK);
        assert_true(same_bits(&others[0], &answers[i]));
    }
    allocation_watch(1, true);
    assert_int_equal(apart_distance_points(shape, &pose, many, MANY, &q, others, NULL, 1), APART_OK);
    allocation_stop();
    for (int i = 0; i < MANY; i++) assert_true(same_bits(&others[i], &answers[i]));
    apart_shape_release(shape);
}

// Bodies that are no mesh are asked as apart_distance would.
static void test_other_bodies(void** state) {
    (void)state;
    rng r = rng_seed(8);
    apart_shape* point = apart_shape_sphere(0, NULL);
    apart_shape* shapes[5] = {apart_shape_box((apart_vec3){1, 0.5, 0.25}, 0.1, NULL), apart_shape_capsule(1, 0.2, NULL),
                              apart_shape_cone(0.5, 1, NULL), odd_union(), knot()};
    for (int k = 0; k < 5; k++) {
        apart_pose pose = rng_pose(&r, rng_in_cube(&r, 1));
        apart_query q = {.depth = k % 2 ? APART_DEPTH_EXACT : APART_DEPTH_NONE};
        for (int i = 0; i < 300; i++) many[i] = rng_in_cube(&r, 2);
        assert_int_equal(apart_distance_points(shapes[k], &pose, many, 300, &q, answers, NULL, 2), APART_OK);
        for (int i = 0; i < 300; i++) {
            apart_pose at = {apart_pose_identity.rotation, many[i]};
            assert_int_equal(apart_distance(shapes[k], &pose, point, &at, &q, NULL, &others[i]), APART_OK);
            if (k < 4)
                assert_true(same_bits(&answers[i], &others[i]));
            else
                assert_true(answers_agree(&answers[i], &others[i], 1e-14));
        }
        apart_shape_release(shapes[k]);
    }
    apart_shape_release(point);
}

// ------------------------------------------------------------------------------------------------------- refused ----

static void trace(const apart_step* step, void* context) {
    (void)step;
    (void)context;
}

static void test_refused(void** state) {
    (void)state;
    apart_shape* shape = knot();
    apart_query good = {0}, bad = {.absolute_error = -1}, traced = {.trace = trace};
    apart_query spheres = {.method = APART_METHOD_SPHERES};
    apart_pose pose = apart_pose_identity, skewed = pose;
    skewed.rotation.m[0][1] = 0.1;
    rng r = rng_seed(4);
    for (int i = 0; i < MANY; i++) {
        many[i] = rng_in_cube(&r, 1);
        answers[i].distance = -123;
        statuses[i] = APART_FILE;
    }
    assert_int_equal(apart_distance_points(NULL, &pose, many, 9, &good, answers, statuses, 1), APART_INVALID);
    assert_int_equal(apart_distance_points(shape, NULL, many, 9, &good, answers, statuses, 1), APART_INVALID);
    assert_int_equal(apart_distance_points(shape, &pose, NULL, 9, &good, answers, statuses, 1), APART_INVALID);
    assert_int_equal(apart_distance_points(shape, &pose, many, 9, &good, NULL, statuses, 1), APART_INVALID);
    assert_int_equal(apart_distance_points(shape, &pose, many, 9, &bad, answers, statuses, 1), APART_INVALID);
    assert_int_equal(apart_distance_points(shape, &pose, many, 9, &good, answers, statuses, -1), APART_INVALID);
    assert_int_equal(apart_distance_points(shape, &pose, many, 9, &traced, answers, statuses, 1), APART_UNSUPPORTED);
    assert_int_equal(apart_distance_points(shape, &skewed, many, 9, &good, answers, statuses, 1), APART_NOT_A_ROTATION);
    for (int i = 0; i < 9; i++) assert_true(answers[i].distance == -123 && statuses[i] == APART_FILE);
    assert_int_equal(apart_distance_points(shape, &pose, NULL, 0, &good, NULL, NULL, 1), APART_OK);
    assert_int_equal(apart_distance_points(shape, &pose, many, 9, &spheres, answers, NULL, 1), APART_UNSUPPORTED);

    // One bad point does not stop the others.
    many[8000].y = NAN;
    many[8500].x = -INFINITY;
    many[4000].z = 1.1e300;
    many[8999].z = 1e300;
    for (int threads = 0; threads < 4; threads++) {
        for (int i = 0; i < MANY; i++) answers[i].distance = -123;
        apart_status first = apart_distance_points(shape, &pose, many, MANY, NULL, answers, statuses, threads);
        assert_int_equal(first, APART_OUT_OF_RANGE);
        for (int i = 0; i < MANY; i++) {
            bool finite = i != 8000 && i != 8500;
            assert_int_equal(statuses[i], i == 4000 ? APART_OUT_OF_RANGE : finite ? APART_OK : APART_NOT_FINITE);
            assert_int_equal(answers[i].distance == -123, statuses[i] != APART_OK);
        }
    }
    assert_true(answers[8999].distance > 0.9e300);
    apart_shape_release(shape);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meshes),
        cmocka_unit_test(test_bits_are_the_points_own),
        cmocka_unit_test(test_other_bodies),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Scenes against all pairs by brute force, after random additions, moves, removals and exclusions of bodies of every
// kind; the same calls in the same order for any number of threads and any history; memory that fails; wrong arguments.
#include "allocation_count.h"

#include "answers.h"
#include "scene_twin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MOST 400

static int open_shapes(void** state) {
    (void)state;
    return twin_shapes_open() ? 0 : 1;
}

static int close_shapes(void** state) {
    (void)state;
    twin_shapes_close();
    return 0;
}

static const apart_query queries[] = {{0}, {.depth = APART_DEPTH_EXACT}, {.relative_error = 0.2}};

static void change_often(scene_twin* t, rng* r, double half, int times) {
    for (int i = 0; i < times; i++) assert_true(twin_change(t, r, half));
}

static void test_brute_force(void** state) {
    (void)state;
    twin_census c = {0};
    for (uint64_t seed = 0; seed < 24; seed++) {
        rng r = rng_seed(seed);
        scene_twin* t = twin_open(MOST);
        const double half = rng_uniform(&r, 3, 12);
        for (int round = 0; round < 5; round++) {
            change_often(t, &r, half, 60);
            const apart_query* query = &queries[round % 3];
            const double clearance = query->depth && rng_chance(&r, 0.3) ? -0.1 : rng_uniform(&r, 0, 0.5);
            assert_int_equal(twin_judge_tree(t), 0);
            assert_int_equal(twin_judge_within(t, clearance, query, 1, &c), 0);
            for (int k = 0; k < 5; k++) assert_int_equal(twin_judge_nearest(t, rng_below(&r, t->ids), query, &c), 0);
            assert_int_equal(twin_judge_closest(t, query, &c), 0);
        }
        twin_close(t);
    }
    print_message("%d pairs within, %d beyond, %d overlaps, %d nearest, %d closest\n", c.within, c.beyond, c.overlaps,
                  c.nearest, c.closest);
    assert_true(c.within > 1000 && c.beyond > 10000 && c.overlaps > 500 && c.nearest > 300 && c.closest > 100);
}

// One scene through thousands of changes, until all have come and most have gone.
static void test_long_history(void** state) {
    (void)state;
    twin_census c = {0};
    rng r = rng_seed(77);
    scene_twin* t = twin_open(MOST);
    for (int round = 0; round < 12; round++) {
        change_often(t, &r, 4, 400);
        assert_int_equal(twin_judge_tree(t), 0);
        assert_int_equal(twin_judge_within(t, 0.2, NULL, 2, &c), 0);
        assert_int_equal(twin_judge_closest(t, NULL, &c), 0);
    }
    assert_true(c.within > 200 && t->ids == MOST);
    // What is excluded is forgotten with the bodies: lists do not grow for ever.
    for (uint32_t i = 0; i < t->scene->tree.items; i++)
        assert_true(t->scene->records[i].excluded_count <= t->scene->records[i].id);
    twin_close(t);
}

static void test_visitor(void** state) {
    (void)state;
    rng r = rng_seed(3);
    scene_twin* t = twin_open(MOST);
    apart_scene_pair p, q;
    apart_scene_body visitor = twin_random_body(&r, 5);
    assert_int_equal(apart_scene_nearest_to(t->scene, &visitor, NULL, &p), APART_EMPTY);
    change_often(t, &r, 5, 200);
    for (int i = 0; i < 40; i++) {
        visitor = twin_random_body(&r, 5);
        apart_status status = apart_scene_nearest_to(t->scene, &visitor, NULL, &p);
        uint32_t id;
        assert_int_equal(apart_scene_add(t->scene, &visitor, &id, NULL), APART_OK);
        assert_int_equal(apart_scene_nearest(t->scene, id, NULL, &q), status);
        assert_int_equal(apart_scene_remove(t->scene, id), APART_OK);
        if (status != APART_OK) continue;
        assert_int_equal(p.a, APART_NO_BODY);
        assert_int_equal(p.b, q.b);
        uint64_t x = HASH_START, y = HASH_START;
        hash_answer(&x, &p.result);
        hash_answer(&y, &q.result);
        assert_true(x == y);
    }
    twin_close(t);
}

// ------------------------------------------------------------------------------------------- threads and history ----

// The same calls on any number of threads, after any history; margins of bodies that are gone included.
static void test_threads_and_history(void** state) {
    (void)state;
    twin_report found = {0};
    for (uint64_t seed = 100; seed < 106; seed++) {
        const apart_query* query = &queries[seed % 3];
        rng r = rng_seed(seed);
        scene_twin *t = twin_open(MOST), *fresh = twin_open(MOST);
        change_often(t, &r, 6, 700);
        assert_int_equal(twin_ask_within(t, 0.3, query, 1, &found), APART_OK);
        const uint64_t hash = found.hash;
        const int count = found.count;
        assert_true(count > 20);
        for (int threads = 0; threads <= 4; threads++) {
            assert_int_equal(twin_ask_within(t, 0.3, query, threads, &found), APART_OK);
            assert_true(found.hash == hash && found.count == count);
        }
        assert_true(twin_copy(t, fresh));
        apart_scene_body wide = twin_random_body(&r, 6);
        wide.margin = 100;
        assert_true(twin_add(fresh, &wide));
        assert_int_equal(apart_scene_remove(fresh->scene, (uint32_t)fresh->ids - 1), APART_OK);
        assert_int_equal(twin_ask_within(fresh, 0.3, query, 2, &found), APART_OK);
        assert_true(found.hash == hash && found.count == count);
        twin_close(t);
        twin_close(fresh);
    }
    free(found.pair);
}

// Enough is enough, after any number of calls.
static void test_enough(void** state) {
    (void)state;
    rng r = rng_seed(8);
    scene_twin* t = twin_open(MOST);
    twin_report all = {0}, some = {0};
    change_often(t, &r, 3, 500);
    assert_int_equal(twin_ask_within(t, 0.3, NULL, 1, &all), APART_OK);
    assert_true(all.count > 200);
    for (int enough = 1; enough <= all.count; enough += 1 + enough / 3) {
        some.enough = enough;
        assert_int_equal(twin_ask_within(t, 0.3, NULL, enough % 4 + 1, &some), APART_OK);
        assert_int_equal(some.count, enough);
        assert_memory_equal(&some.pair[enough - 1].a, &all.pair[enough - 1].a, 2 * sizeof some.pair->a);
    }
    free(all.pair);
    free(some.pair);
    twin_close(t);
}

// Thousands of equal bodies, in order and in one place: the tree stays low, and everything is found.
static void test_rows_and_heaps(void** state) {
    (void)state;
    scene_twin* t = twin_open(1);
    twin_report found = {0};
    apart_shape* ball = apart_shape_sphere(0.25, NULL);
    enum { COUNT = 20000 };
    for (int i = 0; i < COUNT; i++) {
        apart_scene_body b = {.shape = ball, .pose = pose_at(i < COUNT / 2 ? i : 0, i < COUNT / 2 ? 0 : 1e6, 0)};
        if (i >= COUNT / 2) b.group = 4, b.mask = 2;
        assert_int_equal(apart_scene_add(t->scene, &b, NULL, NULL), APART_OK);
    }
    assert_int_equal(apart_scene_count(t->scene), COUNT);
    assert_true(t->scene->tree.nodes[t->scene->tree.root].level <= 7);
    assert_int_equal(twin_judge_tree(t), 0);
    assert_int_equal(twin_ask_within(t, 0.6, NULL, 0, &found), APART_OK);
    assert_int_equal(found.count, COUNT / 2 - 1);
    assert_true(found.pair[0].result.distance == 0.5);
    for (uint32_t id = 0; id < COUNT; id += 2) assert_int_equal(apart_scene_remove(t->scene, id), APART_OK);
    assert_int_equal(twin_judge_tree(t), 0);
    assert_int_equal(twin_ask_within(t, 0.6, NULL, 0, &found), APART_OK);
    assert_int_equal(found.count, 0);
    apart_shape_release(ball);
    free(found.pair);
    twin_close(t);
}

// Each body twice as far out as the one before, then back again: the tree stays low.
static void test_far_and_farther(void** state) {
    (void)state;
    scene_twin* t = twin_open(1);
    apart_shape* ball = apart_shape_sphere(0.25, NULL);
    enum { COUNT = 900 };
    for (int i = 0; i < COUNT; i++) {
        apart_scene_body b = {.shape = ball, .pose = pose_at(ldexp(1, i), 0, 0)};
        assert_int_equal(apart_scene_add(t->scene, &b, NULL, NULL), APART_OK);
        assert_int_equal(twin_judge_tree(t), 0);
    }
    for (int i = COUNT; i-- > 0;) {
        const apart_pose p = pose_at(0, ldexp(1, i), 0);
        assert_int_equal(apart_scene_move(t->scene, (uint32_t)i, &p), APART_OK);
        assert_int_equal(twin_judge_tree(t), 0);
    }
    assert_true(t->scene->tree.nodes[t->scene->tree.root].level <= 5);
    apart_shape_release(ball);
    twin_close(t);
}

// -------------------------------------------------------------------------------------------------------- motion ----

static bool count_contact(const apart_scene_contact* c, void* context) {
    (void)c;
    ++*(int*)context;
    return true;
}

static void test_contacts(void** state) {
    (void)state;
    twin_census c = {0};
    for (uint64_t seed = 0; seed < 12; seed++) {
        rng r = rng_seed(seed);
        scene_twin* t = twin_open(MOST);
        for (int i = 0; i < 30; i++) {
            apart_scene_body b = twin_random_body(&r, 5);
            assert_true(twin_add(t, &b));
        }
        assert_int_equal(twin_judge_contacts(t, &r, 6, &c), 0);
        twin_close(t);
    }
    print_message("%d pairs met, %d did not\n", c.contacts, c.free_pairs);
    assert_true(c.contacts > 100 && c.free_pairs > 500);
}

// No body has two motions, none that is not there has one, and the query is checked however few bodies there are.
static void test_refused_motions(void** state) {
    (void)state;
    rng r = rng_seed(4);
    scene_twin* t = twin_open(MOST);
    apart_scene_contact first;
    apart_scene_motion motion[2] = {{.id = 0, .motion = {.start = apart_pose_identity}}, {.id = 0}};
    const apart_motion_query below = {.clearance = -1}, late = {.time_tolerance = NAN};
    int count = 0;
    assert_int_equal(apart_scene_first_contact(t->scene, NULL, 0, NULL, 0, &first), APART_EMPTY);
    assert_int_equal(apart_scene_first_contact(t->scene, motion, 1, NULL, 0, &first), APART_INVALID);
    apart_scene_body b = twin_random_body(&r, 1);
    assert_true(twin_add(t, &b));
    motion[1] = motion[0];
    assert_int_equal(apart_scene_first_contact(t->scene, motion, 2, NULL, 0, &first), APART_INVALID);
    assert_int_equal(apart_scene_first_contact(t->scene, motion, 1, &below, 0, &first), APART_INVALID);
    assert_int_equal(apart_scene_first_contact(t->scene, motion, 1, &late, 0, &first), APART_NOT_FINITE);
    assert_int_equal(apart_scene_first_contact(t->scene, motion, 1, NULL, -1, &first), APART_INVALID);
    assert_int_equal(apart_scene_first_contact(t->scene, motion, 1, NULL, 0, NULL), APART_INVALID);
    assert_int_equal(apart_scene_first_contact(NULL, motion, 1, NULL, 0, &first), APART_INVALID);
    assert_int_equal(apart_scene_contacts(t->scene, motion, 1, NULL, 0, NULL, NULL), APART_INVALID);
    assert_int_equal(apart_scene_contacts(t->scene, motion, 1, NULL, 0, count_contact, &count), APART_OK);
    assert_int_equal(count, 0);
    twin_close(t);
}

// ---------------------------------------------------------------------------------------------- memory that fails ----

static bool count_pair(const apart_scene_pair* p, void* context) {
    (void)p;
    ++*(int*)context;
    return true;
}

// How many allocations a call makes, each of which is refused in turn, alone and with all that follow: the scene
// answers as before, and nothing is lost.
static void refuse_each(const scene_twin* t, apart_status (*call)(apart_scene* scene), int* refused) {
    twin_report before = {0}, after = {0};
    assert_int_equal(twin_ask_within(t, 0.5, NULL, 1, &before), APART_OK);
    const size_t count = apart_scene_count(t->scene);
    apart_status status = APART_OUT_OF_MEMORY;
    for (long step = 1; status == APART_OUT_OF_MEMORY; step++) {
        allocation_watch(step, step % 2 == 0);
        status = call(t->scene);
        long calls = allocation_stop();
        if (status != APART_OUT_OF_MEMORY) {
            // All that it asked for was refused or given, and it was answered.
            assert_true(status == APART_OK);
            if (calls >= step) status = APART_OUT_OF_MEMORY;
            if (calls >= step) continue;
            break;
        }
        ++*refused;
        assert_int_equal(apart_scene_count(t->scene), count);
        assert_int_equal(twin_ask_within(t, 0.5, NULL, 1, &after), APART_OK);
        assert_true(after.hash == before.hash);
    }
    free(before.pair);
    free(after.pair);
}

static apart_status call_within(apart_scene* scene) {
    int count = 0;
    return apart_scene_within(scene, 0.5, NULL, 1, count_pair, &count);
}

static apart_status call_contacts(apart_scene* scene) {
    int count = 0;
    const apart_scene_motion motion = {
        .id = 0,
        .motion = {.kind = APART_MOTION_VELOCITY, .start = apart_pose_identity, .velocity = {{5, 1, 2}, {0, 0, 0}}}};
    return apart_scene_contacts(scene, &motion, 1, NULL, 1, count_contact, &count);
}

static apart_status call_exclude(apart_scene* scene) { return apart_scene_exclude(scene, 0, 1); }

static void test_failing_memory(void** state) {
    (void)state;
    if (!allocation_is_counted()) skip();
    rng r = rng_seed(9);
    int additions = 0, calls = 0, exclusions = 0;
    scene_twin* t = twin_open(MOST);
    // Each addition is refused its first, second... allocation until it succeeds; so are the times when the tree is
    // built anew, which succeed all the same.
    while (t->ids < 150) {
        apart_scene_body b = twin_random_body(&r, 3);
        b.group = b.mask = 0;
        apart_status status = APART_OUT_OF_MEMORY;
        for (long step = 1; status == APART_OUT_OF_MEMORY; step++) {
            const size_t before = apart_scene_count(t->scene);
            uint32_t id = 1000;
            allocation_watch(step, step % 2 == 0);
            status = apart_scene_add(t->scene, &b, &id, NULL);
            allocation_stop();
            assert_true(status == APART_OK || status == APART_OUT_OF_MEMORY);
            if (status == APART_OK) break;
            assert_int_equal(apart_scene_count(t->scene), before);
            assert_int_equal(id, 1000);
            additions++;
        }
        t->body[t->ids] = b;
        t->live[t->ids++] = true;
        assert_int_equal(twin_judge_tree(t), 0);
    }
    // Moves never fail, whatever there is.
    for (int i = 0; i < 600; i++) {
        const int id = rng_below(&r, t->ids);
        t->body[id].pose = rng_pose(&r, rng_in_cube(&r, 3));
        allocation_watch(1, true);
        assert_int_equal(apart_scene_move(t->scene, (uint32_t)id, &t->body[id].pose), APART_OK);
        allocation_stop();
    }
    twin_census c = {0};
    assert_int_equal(twin_judge_tree(t), 0);
    assert_int_equal(twin_judge_within(t, 0.1, NULL, 1, &c), 0);
    refuse_each(t, call_within, &calls);
    refuse_each(t, call_contacts, &calls);
    refuse_each(t, call_exclude, &exclusions);
    print_message("%d additions, %d searches, %d exclusions refused\n", additions, calls, exclusions);
    assert_true(additions > 10 && calls > 10 && exclusions >= 1);
    twin_close(t);
}

// What a scene of n bodies takes is at most so many bytes each.
static void test_memory_is_linear(void** state) {
    (void)state;
    if (!allocation_is_counted()) skip();
    apart_shape* ball = apart_shape_sphere(0.25, NULL);
    for (int count = 100; count <= 100000; count *= 10) {
        allocation_watch(0, false);
        apart_scene* scene = apart_scene_create(NULL);
        for (int i = 0; i < count; i++) {
            apart_scene_body b = {.shape = ball, .pose = pose_at(i % 100, i / 100 % 100, i / 10000)};
            assert_int_equal(apart_scene_add(scene, &b, NULL, NULL), APART_OK);
        }
        const long bytes = allocation.bytes;
        apart_scene_release(scene);
        allocation_stop();
        assert_int_equal(allocation.live, 0);
        print_message("%d bodies: %ld bytes each\n", count, bytes / count);
        assert_true(bytes / count < 700);
    }
    apart_shape_release(ball);
}

// ------------------------------------------------------------------------------------------------ wrong arguments ----

static void test_refused(void** state) {
    (void)state;
    apart_error error = {0};
    apart_scene* scene = apart_scene_create(&error);
    apart_scene_body good = {.shape = twin_shapes[0], .pose = apart_pose_identity}, bad;
    uint32_t id = 5;
    assert_int_equal(apart_scene_add(NULL, &good, &id, &error), APART_INVALID);
    assert_int_equal(apart_scene_add(scene, NULL, &id, &error), APART_INVALID);
    bad = good, bad.shape = NULL;
    assert_int_equal(apart_scene_add(scene, &bad, &id, &error), APART_INVALID);
    bad = good, bad.margin = -1;
    assert_int_equal(apart_scene_add(scene, &bad, &id, &error), APART_INVALID);
    assert_true(strlen(error.message) > 5);
    bad = good, bad.margin = NAN;
    assert_int_equal(apart_scene_add(scene, &bad, &id, &error), APART_NOT_FINITE);
    bad = good, bad.pose.translation.x = INFINITY;
    assert_int_equal(apart_scene_add(scene, &bad, &id, &error), APART_NOT_FINITE);
    bad = good, bad.pose.rotation.m[0][0] = 2;
    assert_int_equal(apart_scene_add(scene, &bad, &id, &error), APART_NOT_A_ROTATION);
    assert_int_equal(id, 5);
    assert_int_equal(apart_scene_count(scene), 0);
    assert_int_equal(apart_scene_add(scene, &good, &id, &error), APART_OK);
    assert_int_equal(apart_scene_move(scene, id, &bad.pose), APART_NOT_A_ROTATION);
    assert_int_equal(apart_scene_move(scene, id, NULL), APART_INVALID);
    assert_int_equal(apart_scene_move(scene, 1, &good.pose), APART_INVALID);
    assert_int_equal(apart_scene_remove(scene, 1), APART_INVALID);
    assert_int_equal(apart_scene_exclude(scene, 0, 0), APART_INVALID);
    assert_false(apart_scene_is_compared(scene, 0, 0) || apart_scene_is_compared(scene, 0, 1));
    apart_scene_body got;
    assert_int_equal(apart_scene_get(scene, id, &got), APART_OK);
    assert_ptr_equal(got.shape, twin_shapes[0]);
    assert_int_equal(apart_scene_get(scene, 9, &got), APART_INVALID);
    apart_scene_pair p;
    assert_int_equal(apart_scene_nearest(scene, id, NULL, &p), APART_EMPTY);
    assert_int_equal(apart_scene_closest(scene, NULL, &p), APART_EMPTY);
    int count = 0;
    assert_int_equal(apart_scene_within(scene, NAN, NULL, 0, count_pair, &count), APART_NOT_FINITE);
    assert_int_equal(apart_scene_within(scene, -1, NULL, 0, count_pair, &count), APART_INVALID);
    assert_int_equal(apart_scene_within(scene, 1, NULL, -1, count_pair, &count), APART_INVALID);
    assert_int_equal(apart_scene_within(scene, 1, NULL, 0, NULL, NULL), APART_INVALID);
    const apart_query wrong = {.relative_error = 2}, spheres = {.method = APART_METHOD_SPHERES};
    assert_int_equal(apart_scene_within(scene, 1, &wrong, 0, count_pair, &count), APART_INVALID);
    assert_int_equal(apart_scene_add(scene, &good, &id, &error), APART_OK);
    assert_int_equal(apart_scene_within(scene, 1, &spheres, 0, count_pair, &count), APART_UNSUPPORTED);
    assert_int_equal(count, 0);
    apart_scene_release(scene);
    apart_scene_release(NULL);
    assert_int_equal(apart_scene_count(NULL), 0);
}

// Sizes and places from 1e-150 to 1e150: nothing that touches is lost.
static void test_sizes(void** state) {
    (void)state;
    const double unit[] = {1e-150, 1e-20, 1, 1e20, 1e150, 1e200};
    for (int u = 0; u < 6; u++) {
        apart_scene* scene = apart_scene_create(NULL);
        double s = unit[u];
        apart_shape* box = apart_shape_box((apart_vec3){s, s, s}, 0, NULL);
        for (int i = 0; i < 50; i++) {
            apart_scene_body b = {.shape = box, .pose = pose_at(3 * s * i, 0, s * (i % 2))};
            assert_int_equal(apart_scene_add(scene, &b, NULL, NULL), APART_OK);
        }
        int count = 0;
        assert_int_equal(apart_scene_within(scene, 1.5 * s, NULL, 2, count_pair, &count), APART_OK);
        assert_int_equal(count, 49);
        apart_scene_pair p;
        assert_int_equal(apart_scene_nearest(scene, 20, NULL, &p), APART_OK);
        assert_int_equal(p.b, 19);
        apart_shape_release(box);
        apart_scene_release(scene);
    }
}

// Sizes, places, margins and clearances of any magnitude in one scene, against brute force.
static void test_magnitudes(void** state) {
    (void)state;
    twin_census c = {0};
    for (uint64_t seed = 0; seed < 40; seed++) {
        rng r = rng_seed(500 + seed);
        scene_twin* t = twin_open(40);
        apart_shape* shape[40];
        const int low = seed % 2 ? -490 : -5, high = seed % 2 ? 490 : 5;
        for (int i = 0; i < 40; i++) {
            const double size = rng_magnitude(&r, low, high),
                         place = rng_chance(&r, 0.3) ? 0 : rng_magnitude(&r, low, high);
            shape[i] = i % 3 == 0   ? apart_shape_sphere(size, NULL)
                       : i % 3 == 1 ? apart_shape_box((apart_vec3){size, size * 0.5, size * 2}, 0, NULL)
                                    : apart_shape_capsule(size, size * rng_unit(&r), NULL);
            apart_scene_body b = {.shape = shape[i], .pose = rng_pose(&r, rng_in_cube(&r, place))};
            if (rng_chance(&r, 0.1)) b.margin = rng_magnitude(&r, low, high);
            if (rng_chance(&r, 0.02)) b.margin = 1e300;
            assert_true(twin_add(t, &b));
        }
        const double clearances[] = {0, rng_magnitude(&r, low, high), -rng_magnitude(&r, low, high), 1e300, -1e300};
        for (int k = 0; k < 5; k++) {
            const apart_query* query = &queries[clearances[k] < 0 ? 1 : 0];
            assert_int_equal(twin_judge_within(t, clearances[k], query, 1, &c), 0);
        }
        assert_int_equal(twin_judge_tree(t), 0);
        assert_int_equal(twin_judge_closest(t, &queries[seed % 2], &c), 0);
        for (int id = 0; id < 40; id += 7) assert_int_equal(twin_judge_nearest(t, id, &queries[seed % 2], &c), 0);
        for (int i = 0; i < 40; i++) apart_shape_release(shape[i]);
        twin_close(t);
    }
    print_message("%d pairs within, %d beyond, %d overlaps\n", c.within, c.beyond, c.overlaps);
    assert_true(c.within > 1000 && c.beyond > 1000 && c.overlaps > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_brute_force),
        cmocka_unit_test(test_long_history),
        cmocka_unit_test(test_visitor),
        cmocka_unit_test(test_threads_and_history),
        cmocka_unit_test(test_enough),
        cmocka_unit_test(test_rows_and_heaps),
        cmocka_unit_test(test_far_and_farther),
        cmocka_unit_test(test_contacts),
        cmocka_unit_test(test_refused_motions),
        cmocka_unit_test(test_failing_memory),
        cmocka_unit_test(test_memory_is_linear),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_magnitudes),
    };
    return cmocka_run_group_tests(tests, open_shapes, close_shapes);
}

// Scenes against all pairs by brute force, after random additions, moves, removals and exclusions of bodies of every
// kind; the same calls in the same order for any number of threads and any history; memory that fails; wrong arguments.
#include "allocation_count.h"

#include "answers.h"
#include "bodies.h"
#include "mesh_models.h"
#include "scene/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// ----------------------------------------------------------------------------------------------------- a twin ----

#define SHAPES 40
#define MOST 400

static apart_shape* shapes[SHAPES];
static body bodies[SHAPES]; // support functions read them

static apart_shape* two_balls(void) {
    apart_shape* ball = apart_shape_sphere(0.5, NULL);
    apart_part part[2] = {{ball, pose_at(-0.6, 0, 0)}, {ball, pose_at(0.6, 0, 0)}};
    apart_shape* both = apart_shape_union(part, 2, NULL);
    apart_shape_release(ball);
    return both;
}

static int open_shapes(void** state) {
    (void)state;
    rng r = rng_seed(5);
    for (int i = 0; i < SHAPES; i++) {
        if (i % 10 == 8) {
            surface s = i % 20 == 8 ? model_torus(12, 8, 0.25) : model_bracket();
            shapes[i] = surface_shape(&s, NULL);
            surface_free(&s);
        } else if (i % 10 == 9) {
            shapes[i] = two_balls();
        } else {
            body_random(&r, &bodies[i], 30);
            shapes[i] = body_shape(&bodies[i], NULL);
        }
        assert_non_null(shapes[i]);
    }
    return 0;
}

static int close_shapes(void** state) {
    (void)state;
    for (int i = 0; i < SHAPES; i++) apart_shape_release(shapes[i]);
    return 0;
}

// What a scene should hold, by id.
typedef struct twin {
    apart_scene* scene;
    apart_scene_body body[MOST];
    bool live[MOST], excluded[MOST][MOST];
    int ids;
} twin;

static apart_scene_body random_body(rng* r, double half) {
    apart_scene_body b = {.shape = shapes[rng_below(r, SHAPES)], .pose = rng_pose(r, rng_in_cube(r, half))};
    if (rng_chance(r, 0.2)) b.margin = rng_uniform(r, 0, 0.2);
    if (rng_chance(r, 0.2)) b.group = 1u << rng_below(r, 3);
    if (rng_chance(r, 0.2)) b.mask = 3u << rng_below(r, 2);
    return b;
}

static void twin_add(twin* t, const apart_scene_body* b) {
    uint32_t id = 77;
    assert_int_equal(apart_scene_add(t->scene, b, &id, NULL), APART_OK);
    assert_int_equal(id, t->ids);
    t->body[id] = *b;
    t->live[id] = true;
    t->ids++;
}

// One random change.
static void twin_change(twin* t, rng* r, double half) {
    int what = rng_below(r, 10), id = t->ids > 0 ? rng_below(r, t->ids) : 0;
    apart_status expected = t->ids > 0 && t->live[id] ? APART_OK : APART_INVALID;
    if ((what < 4 || t->ids == 0) && t->ids < MOST) {
        apart_scene_body b = random_body(r, half);
        twin_add(t, &b);
    } else if (what < 7) {
        // A small step, or anywhere.
        apart_pose p = rng_pose(r, rng_in_cube(r, half));
        if (rng_chance(r, 0.5)) {
            p = t->body[id].pose;
            p.translation.x += rng_uniform(r, -0.1, 0.1);
        }
        assert_int_equal(apart_scene_move(t->scene, (uint32_t)id, &p), expected);
        if (expected == APART_OK) t->body[id].pose = p;
    } else if (what < 9) {
        assert_int_equal(apart_scene_remove(t->scene, (uint32_t)id), expected);
        t->live[id] = false;
    } else {
        int other = rng_below(r, t->ids);
        if (other == id || !t->live[other]) expected = APART_INVALID;
        assert_int_equal(apart_scene_exclude(t->scene, (uint32_t)id, (uint32_t)other), expected);
        if (expected == APART_OK) t->excluded[id][other] = t->excluded[other][id] = true;
        assert_false(apart_scene_is_compared(t->scene, (uint32_t)id, (uint32_t)other));
    }
}

static bool twin_compares(const twin* t, int a, int b) {
    const apart_scene_body *p = &t->body[a], *q = &t->body[b];
    uint32_t group_p = p->group ? p->group : ~0u, group_q = q->group ? q->group : ~0u;
    uint32_t mask_p = p->mask ? p->mask : ~0u, mask_q = q->mask ? q->mask : ~0u;
    return a != b && t->live[a] && t->live[b] && !t->excluded[a][b] && (group_p & mask_q) && (group_q & mask_p);
}

// The pair by itself: as in a batch, or as one query.
static apart_result measure_alone(const twin* t, int a, int b, const apart_query* query, bool batch) {
    const apart_pair p = {t->body[a].shape, t->body[b].shape, t->body[a].pose, t->body[b].pose};
    apart_result r;
    if (batch)
        assert_int_equal(apart_distance_batch(&p, 1, query, NULL, &r, NULL, 1), APART_OK);
    else
        assert_int_equal(apart_distance(p.a, &p.pose_a, p.b, &p.pose_b, query, NULL, &r), APART_OK);
    return r;
}

static bool both_convex(const twin* t, int a, int b) {
    return shape_is_convex(t->body[a].shape) && shape_is_convex(t->body[b].shape);
}

// ---------------------------------------------------------------------------------------------------- comparison ----

// Pairs in the order in which they were reported.
typedef struct report {
    apart_scene_pair pair[MOST * MOST / 2];
    int count, enough;
    uint64_t hash;
} report;

static bool note_pair(const apart_scene_pair* p, void* context) {
    report* r = context;
    uint64_t hash = r->hash ^ ((uint64_t)p->a << 32 | p->b);
    hash_answer(&hash, &p->result);
    r->hash = hash;
    r->pair[r->count++] = *p;
    return r->count != r->enough;
}

static report found; // large

static void ask_within(const twin* t, double clearance, const apart_query* query, int threads) {
    found = (report){.hash = HASH_START};
    assert_int_equal(apart_scene_within(t->scene, clearance, query, threads, note_pair, &found), APART_OK);
}

typedef struct census {
    int within, beyond, overlaps, nearest, none, closest;
} census;

static void check_within(const twin* t, double clearance, const apart_query* query, census* c) {
    ask_within(t, clearance, query, 1);
    int k = 0;
    for (int a = 0; a < t->ids; a++) {
        for (int b = a + 1; b < t->ids; b++) {
            assert_int_equal(apart_scene_is_compared(t->scene, (uint32_t)a, (uint32_t)b), twin_compares(t, a, b));
            if (!twin_compares(t, a, b)) continue;
            apart_result r = measure_alone(t, a, b, query, true);
            if (r.lower_bound > clearance + (t->body[a].margin + t->body[b].margin)) {
                c->beyond++;
                continue;
            }
            assert_true(k < found.count);
            const apart_scene_pair* p = &found.pair[k++];
            assert_int_equal(p->a, a);
            assert_int_equal(p->b, b);
            if (both_convex(t, a, b))
                assert_memory_equal(&p->result.distance, &r.distance, 3 * sizeof r.distance);
            else
                assert_true(p->result.lower_bound <= r.upper_bound && r.lower_bound <= p->result.upper_bound);
            c->within++;
            c->overlaps += r.upper_bound <= 0;
        }
    }
    assert_int_equal(k, found.count);
}

// The partner with the least distance, by asking all.
static bool nearest_by_force(const twin* t, int a, bool higher, const apart_query* query, apart_scene_pair* best,
                             bool any) {
    for (int b = higher ? a + 1 : 0; b < t->ids; b++) {
        if (!twin_compares(t, a, b)) continue;
        apart_scene_pair p = {(uint32_t)a, (uint32_t)b, measure_alone(t, a, b, query, false)};
        if (!any || p.result.distance < best->result.distance) *best = p;
        any = true;
    }
    return any;
}

static void check_same_pair(const apart_scene_pair* p, const apart_scene_pair* q) {
    assert_int_equal(p->a, q->a);
    assert_int_equal(p->b, q->b);
    uint64_t x = HASH_START, y = HASH_START;
    hash_answer(&x, &p->result);
    hash_answer(&y, &q->result);
    assert_true(x == y);
}

static void check_nearest(const twin* t, const apart_query* query, rng* r, census* c) {
    apart_scene_pair p, best;
    for (int k = 0; k < 5; k++) {
        int id = rng_below(r, t->ids);
        if (!t->live[id]) continue;
        apart_status status = apart_scene_nearest(t->scene, (uint32_t)id, query, &p);
        bool any = nearest_by_force(t, id, false, query, &best, false);
        assert_int_equal(status, any ? APART_OK : APART_EMPTY);
        if (any) check_same_pair(&p, &best);
        c->nearest += any;
        c->none += !any;
    }
    bool any = false;
    for (int a = 0; a < t->ids; a++) any = nearest_by_force(t, a, true, query, &best, any);
    assert_int_equal(apart_scene_closest(t->scene, query, &p), any ? APART_OK : APART_EMPTY);
    if (any) check_same_pair(&p, &best);
    c->closest += any;
}

static const apart_query queries[] = {{0}, {.depth = APART_DEPTH_EXACT}, {.relative_error = 0.2}};

static twin* twin_open(void) {
    twin* t = calloc(1, sizeof *t);
    t->scene = apart_scene_create(NULL);
    assert_non_null(t->scene);
    return t;
}

static void twin_close(twin* t) {
    apart_scene_release(t->scene);
    free(t);
}

static void test_brute_force(void** state) {
    (void)state;
    census c = {0};
    for (uint64_t seed = 0; seed < 24; seed++) {
        rng r = rng_seed(seed);
        twin* t = twin_open();
        double half = rng_uniform(&r, 3, 12);
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 60; i++) twin_change(t, &r, half);
            const apart_query* query = &queries[round % 3];
            check_within(t, query->depth && rng_chance(&r, 0.3) ? -0.1 : rng_uniform(&r, 0, 0.5), query, &c);
            check_nearest(t, query, &r, &c);
        }
        twin_close(t);
    }
    print_message("%d pairs within, %d beyond, %d overlaps, %d nearest, %d without partner, %d closest\n", c.within,
                  c.beyond, c.overlaps, c.nearest, c.none, c.closest);
    assert_true(c.within > 1000 && c.beyond > 10000 && c.overlaps > 500 && c.nearest > 300 && c.closest > 100);
}

static void test_visitor(void** state) {
    (void)state;
    rng r = rng_seed(3);
    twin* t = twin_open();
    apart_scene_pair p, q;
    apart_scene_body visitor = random_body(&r, 5);
    assert_int_equal(apart_scene_nearest_to(t->scene, &visitor, NULL, &p), APART_EMPTY);
    for (int i = 0; i < 200; i++) twin_change(t, &r, 5);
    for (int i = 0; i < 40; i++) {
        visitor = random_body(&r, 5);
        apart_status status = apart_scene_nearest_to(t->scene, &visitor, NULL, &p);
        uint32_t id;
        assert_int_equal(apart_scene_add(t->scene, &visitor, &id, NULL), APART_OK);
        assert_int_equal(apart_scene_nearest(t->scene, id, NULL, &q), status);
        assert_int_equal(apart_scene_remove(t->scene, id), APART_OK);
        if (status != APART_OK) continue;
        assert_int_equal(p.a, APART_NO_BODY);
        p.a = id;
        check_same_pair(&p, &q);
    }
    twin_close(t);
}

// ----------------------------------------------------------------------------------------------- any way, any crew
// ----

static void test_threads_and_history(void** state) {
    (void)state;
    for (uint64_t seed = 100; seed < 106; seed++) {
        rng r = rng_seed(seed);
        twin *t = twin_open(), *fresh = twin_open();
        for (int i = 0; i < 700; i++) twin_change(t, &r, 6);
        ask_within(t, 0.3, NULL, 1);
        uint64_t hash = found.hash;
        int count = found.count;
        assert_true(count > 20);
        for (int threads = 0; threads <= 4; threads++) {
            ask_within(t, 0.3, NULL, threads);
            assert_true(found.hash == hash && found.count == count);
        }
        // The same bodies, added in order at their last places; the others come and go at once.
        for (int id = 0; id < t->ids; id++) {
            twin_add(fresh, &t->body[id]);
            if (!t->live[id]) assert_int_equal(apart_scene_remove(fresh->scene, (uint32_t)id), APART_OK);
        }
        for (int a = 0; a < t->ids; a++)
            for (int b = 0; b < a; b++)
                if (t->excluded[a][b] && t->live[a] && t->live[b])
                    assert_int_equal(apart_scene_exclude(fresh->scene, (uint32_t)a, (uint32_t)b), APART_OK);
        ask_within(fresh, 0.3, NULL, 2);
        assert_true(found.hash == hash && found.count == count);
        apart_scene_pair p, q;
        assert_int_equal(apart_scene_closest(t->scene, NULL, &p), APART_OK);
        assert_int_equal(apart_scene_closest(fresh->scene, NULL, &q), APART_OK);
        check_same_pair(&p, &q);
        // Enough is enough.
        found = (report){.enough = 3};
        assert_int_equal(apart_scene_within(t->scene, 0.3, NULL, 2, note_pair, &found), APART_OK);
        assert_int_equal(found.count, 3);
        twin_close(t);
        twin_close(fresh);
    }
}

// Thousands of equal bodies, in order and in one place: the tree stays low, and everything is found.
static void test_rows_and_heaps(void** state) {
    (void)state;
    twin* t = twin_open();
    apart_shape* ball = apart_shape_sphere(0.25, NULL);
    enum { COUNT = 20000 };
    for (int i = 0; i < COUNT; i++) {
        apart_scene_body b = {.shape = ball, .pose = pose_at(i < COUNT / 2 ? i : 0, i < COUNT / 2 ? 0 : 1e6, 0)};
        if (i >= COUNT / 2) b.group = b.mask = 2;
        if (i >= COUNT / 2) b.group = 4;
        assert_int_equal(apart_scene_add(t->scene, &b, NULL, NULL), APART_OK);
    }
    assert_int_equal(apart_scene_count(t->scene), COUNT);
    assert_true(t->scene->tree.nodes[t->scene->tree.root].height <= 22);
    ask_within(t, 0.6, NULL, 0);
    assert_int_equal(found.count, COUNT / 2 - 1);
    assert_true(found.pair[0].result.distance == 0.5);
    for (uint32_t id = 0; id < COUNT; id += 2) assert_int_equal(apart_scene_remove(t->scene, id), APART_OK);
    ask_within(t, 0.6, NULL, 0);
    assert_int_equal(found.count, 0);
    apart_shape_release(ball);
    twin_close(t);
}

// -------------------------------------------------------------------------------------------------------- motion ----

typedef struct contacts {
    apart_scene_contact of[MOST];
    int count;
} contacts;

static bool note_contact(const apart_scene_contact* c, void* context) {
    contacts* all = context;
    all->of[all->count++] = *c;
    return all->count < MOST;
}

static apart_motion random_motion(rng* r, const apart_pose* start, apart_key key[3]) {
    apart_motion m = {.kind = (apart_motion_kind)rng_below(r, 5), .start = *start};
    m.end = rng_pose(r, rng_in_cube(r, 6));
    if (rng_chance(r, 0.5)) m.end.rotation = start->rotation;
    m.velocity = (apart_twist){rng_in_cube(r, 4), rng_in_cube(r, 3)};
    key[0] = (apart_key){0, *start};
    key[1] = (apart_key){0.4, m.end};
    key[2] = (apart_key){1, rng_pose(r, rng_in_cube(r, 6))};
    m.keys = key;
    m.key_count = 3;
    return m;
}

static void test_contacts(void** state) {
    (void)state;
    int met = 0, free_pairs = 0;
    for (uint64_t seed = 0; seed < 12; seed++) {
        rng r = rng_seed(seed);
        twin* t = twin_open();
        for (int i = 0; i < 30; i++) {
            apart_scene_body b = random_body(&r, 5);
            twin_add(t, &b);
        }
        apart_key keys[8][3];
        apart_scene_motion motion[8];
        const apart_motion* of[MOST] = {0};
        for (int i = 0; i < 8; i++) {
            motion[i].id = (uint32_t)(3 * i);
            motion[i].motion = random_motion(&r, &t->body[3 * i].pose, keys[i]);
            of[3 * i] = &motion[i].motion;
        }
        const apart_motion_query query = {.clearance = 0.05};
        contacts all = {.count = 0};
        assert_int_equal(apart_scene_contacts(t->scene, motion, 8, &query, 2, note_contact, &all), APART_OK);
        int k = 0, first = -1;
        for (int a = 0; a < t->ids; a++) {
            for (int b = a + 1; b < t->ids; b++) {
                if (!twin_compares(t, a, b) || (!of[a] && !of[b])) continue;
                const apart_motion still_a = {.start = t->body[a].pose}, still_b = {.start = t->body[b].pose};
                apart_motion_query own = {.clearance = 0.05 + (t->body[a].margin + t->body[b].margin)};
                apart_contact c;
                assert_int_equal(apart_first_contact(t->body[a].shape, of[a] ? of[a] : &still_a, t->body[b].shape,
                                                     of[b] ? of[b] : &still_b, &own, &c),
                                 APART_OK);
                free_pairs += c.kind == APART_FREE;
                if (c.kind == APART_FREE) continue;
                assert_true(k < all.count);
                assert_int_equal(all.of[k].a, a);
                assert_int_equal(all.of[k].b, b);
                assert_int_equal(all.of[k].contact.kind, c.kind);
                assert_true(all.of[k].contact.time == c.time);
                if (first < 0 || c.time < all.of[first].contact.time) first = k;
                k++;
            }
        }
        assert_int_equal(k, all.count);
        apart_scene_contact f;
        assert_int_equal(apart_scene_first_contact(t->scene, motion, 8, &query, 0, &f), APART_OK);
        assert_int_equal(f.a, all.of[first].a);
        assert_int_equal(f.b, all.of[first].b);
        assert_true(f.contact.time == all.of[first].contact.time);
        met += k;
        // Not twice, and no body that is not there.
        motion[1].id = motion[0].id;
        assert_int_equal(apart_scene_first_contact(t->scene, motion, 8, &query, 0, &f), APART_INVALID);
        motion[1].id = 1000;
        assert_int_equal(apart_scene_first_contact(t->scene, motion, 8, &query, 0, &f), APART_INVALID);
        assert_int_equal(apart_scene_first_contact(t->scene, NULL, 0, NULL, 0, &f), APART_EMPTY);
        twin_close(t);
    }
    print_message("%d pairs met, %d did not\n", met, free_pairs);
    assert_true(met > 100 && free_pairs > 500);
}

// ----------------------------------------------------------------------------------------------- memory that fails
// ----

static bool count_pair(const apart_scene_pair* p, void* context) {
    (void)p;
    ++*(int*)context;
    return true;
}

static void test_failing_memory(void** state) {
    (void)state;
    if (!allocation_is_counted()) skip();
    rng r = rng_seed(9);
    int refused = 0, unanswered = 0;
    for (long step = 1; step < 200; step++) {
        apart_scene* scene = apart_scene_create(NULL);
        int added = 0;
        for (int i = 0; i < 70; i++) {
            apart_scene_body b = random_body(&r, 2);
            size_t before = apart_scene_count(scene);
            // One allocation fails somewhere on the way; the next try has memory.
            allocation_watch(step - added, false);
            apart_status status = apart_scene_add(scene, &b, NULL, NULL);
            added += (int)allocation_stop();
            if (status != APART_OK) {
                assert_int_equal(status, APART_OUT_OF_MEMORY);
                assert_int_equal(apart_scene_count(scene), before);
                refused++;
                i--;
            }
        }
        int pairs = 0, again = 0;
        assert_int_equal(apart_scene_within(scene, 1, NULL, 1, count_pair, &pairs), APART_OK);
        allocation_watch(step, true);
        apart_status status = apart_scene_within(scene, 1, NULL, 1, count_pair, &again);
        allocation_stop();
        assert_int_equal(allocation.live, 0);
        assert_true(status == APART_OUT_OF_MEMORY || (status == APART_OK && again == pairs));
        unanswered += status != APART_OK;
        allocation_watch(step, false);
        const uint32_t other = (uint32_t)(1 + step % 69);
        status = apart_scene_exclude(scene, 0, other);
        allocation_stop();
        assert_true(status == APART_OK || status == APART_OUT_OF_MEMORY);
        apart_scene_release(scene);
    }
    print_message("%d additions and %d searches refused\n", refused, unanswered);
    assert_true(refused > 3 && unanswered > 3);
}

// ------------------------------------------------------------------------------------------------ wrong arguments ----

static void test_refused(void** state) {
    (void)state;
    apart_error error = {0};
    apart_scene* scene = apart_scene_create(&error);
    apart_scene_body good = {.shape = shapes[0], .pose = apart_pose_identity}, bad;
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
    assert_ptr_equal(got.shape, shapes[0]);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_brute_force),
        cmocka_unit_test(test_visitor),
        cmocka_unit_test(test_threads_and_history),
        cmocka_unit_test(test_rows_and_heaps),
        cmocka_unit_test(test_contacts),
        cmocka_unit_test(test_failing_memory),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests(tests, open_shapes, close_shapes);
}

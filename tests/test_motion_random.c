// Random bodies of every kind along random motions of every kind: what is said of them against the distance at many
// instants; no allocation; the bodies exchanged and time reversed give the same times.
#include "allocation_count.h"
#include "bodies.h"
#include "mesh_models.h"
#include "motion_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
enum { PAIRS = 2000, MESHES = 3000, SAMPLES = 200 };
#else
enum { PAIRS = 300, MESHES = 300, SAMPLES = 60 };
#endif

enum { KINDS = 6 };

typedef struct moving_body {
    body body;
    apart_shape* shape;
    apart_motion motion, behind; // behind: what a function computes
    apart_key key[MOST_KEYS];
} moving_body;

static apart_vec3 scaled(double s, apart_vec3 a) { return (apart_vec3){s * a.x, s * a.y, s * a.z}; }
static double length_of(apart_vec3 a) { return sqrt(a.x * a.x + a.y * a.y + a.z * a.z); }

static apart_status evaluate_motion(double time, void* context, apart_pose* pose) {
    return apart_motion_pose(context, time, pose);
}

// ------------------------------------------------------------------------------------------------------ motions ----

// Through the middle or past it, turning slowly or fast.
static void random_motion(rng* r, moving_body* x, apart_motion_kind kind, double size) {
    apart_motion* m = &x->motion;
    const double way = size * (rng_chance(r, 0.2) ? 0.1 : 2.5);
    memset(m, 0, sizeof *m);
    m->kind = kind;
    m->start = rng_pose(r, scaled(way, rng_in_ball(r)));
    m->end = rng_pose(r, scaled(way, rng_in_ball(r)));
    if (rng_chance(r, 0.3)) m->end.rotation = m->start.rotation;
    if (rng_chance(r, 0.3)) m->pivot = scaled(size, rng_in_ball(r));
    m->velocity.linear = scaled(1.8 * way, rng_in_ball(r));
    m->velocity.angular = scaled(rng_chance(r, 0.2) ? 0 : rng_magnitude(r, -5, 4), rng_unit_vector(r));
    m->key_count = (size_t)rng_between(r, 2, MOST_KEYS);
    for (size_t k = 0; k < m->key_count; k++)
        x->key[k] = (apart_key){(double)k / (double)(m->key_count - 1), rng_pose(r, scaled(way, rng_in_ball(r)))};
    m->keys = x->key;
    if (kind != APART_MOTION_FUNCTION) return;
    x->behind = *m;
    x->behind.kind = APART_MOTION_VELOCITY;
    m->function = evaluate_motion;
    m->context = &x->behind;
    m->speed = length_of(m->velocity.linear) * (1 + 0x1p-40);
    m->spin = length_of(m->velocity.angular) * (1 + 0x1p-40);
}

static void move_both(rng* r, moving_body x[2], int kinds, double size) {
    const double shift = rng_chance(r, 0.1) ? 1e6 * size : 0;
    for (int i = 0; i < 2; i++) {
        apart_motion* m = &x[i].motion;
        random_motion(r, &x[i], (apart_motion_kind)(i == 0 ? kinds % KINDS : kinds / KINDS % KINDS), size);
        m->start.translation.x += shift;
        m->end.translation.x += shift;
        for (size_t k = 0; k < m->key_count; k++) x[i].key[k].pose.translation.x += shift;
        x[i].behind.start = m->start;
    }
}

// ------------------------------------------------------------------------------------------------------ answers ----

// Asks once more with the bodies exchanged or time reversed.
static void check_changed(encounter_case* c, const motion_answer* x, bool reversed, long number, motion_tally* tally) {
    apart_key keys[2][MOST_KEYS];
    motion_answer y;
    const encounter_case changed = reversed ? case_reversed(c, keys) : case_exchanged(c);
    assert_int_equal(motion_ask(&changed, &y), APART_OK);
    const char* wrong = motion_contradicts(c, x, &y, reversed, tally);
    if (!wrong) wrong = motion_contradicts(&changed, &y, x, reversed, tally);
    if (wrong) fail_msg("case %ld, %s: %s", number, reversed ? "reversed" : "exchanged", wrong);
}

// One case: asked, checked, and now and then asked the other way round.
static void check_case(encounter_case c, int samples, long number, rng* r, motion_tally* tally) {
    motion_answer x;
    allocation_watch(0, false);
    const apart_status status = motion_ask(&c, &x);
    assert_int_equal(allocation_stop(), 0);
    assert_int_equal(status, APART_OK);
    const char* wrong = motion_check(&c, &x, samples, tally);
    if (wrong) fail_msg("case %ld: %s", number, wrong);
    if (rng_chance(r, 0.25)) check_changed(&c, &x, false, number, tally);
    if (rng_chance(r, 0.25)) check_changed(&c, &x, true, number, tally);
}

static apart_motion_query random_query(rng* r, double size) {
    apart_motion_query q = {.tolerance = 1e-7 * size};
    if (rng_chance(r, 0.3)) q.clearance = size * rng_magnitude(r, -10, -1);
    if (rng_chance(r, 0.1)) q.max_steps = rng_between(r, 1, 30);
    return q;
}

static void expect_census(const char* name, const motion_tally* t) {
    motion_tally_print(name, t);
    assert_true(t->kinds[APART_FREE] * 10 > t->asked && t->kinds[APART_CONTACT] * 10 > t->asked);
    assert_true(t->kinds[APART_UNDECIDED] > 0 && t->spans > t->asked / 10);
    assert_true(t->touching * 50 > t->samples && t->touching * 2 < t->samples);
    assert_int_equal(t->overlooked, 0);
    assert_true(t->wide * 50 < t->asked);
    assert_true(t->compared * 4 > t->asked && (t->compared - t->agreeing) * 50 < t->compared && t->doubtful == 0);
}

static void test_convex(void** state) {
    (void)state;
    static moving_body x[2];
    static const double sizes[8] = {1, 1, 1, 1, 1, 1e-100, 1e100, 1e-3};
    motion_tally tally = {0};
    for (int number = 0; number < PAIRS; number++) {
        rng r = rng_seed(150000 + (uint64_t)number);
        const double size = sizes[rng_below(&r, 8)];
        for (int i = 0; i < 2; i++) {
            body_random(&r, &x[i].body, 30);
            body_scale(&x[i].body, size);
            x[i].shape = body_shape(&x[i].body, NULL);
            assert_non_null(x[i].shape);
        }
        move_both(&r, x, number, size);
        const encounter_case c = {x[0].shape, x[1].shape, x[0].motion, x[1].motion, random_query(&r, size)};
        check_case(c, SAMPLES, number, &r, &tally);
        for (int i = 0; i < 2; i++) apart_shape_release(x[i].shape);
    }
    expect_census("convex bodies", &tally);
}

// ---------------------------------------------------------------------------------------------- meshes and unions ----

enum { SURFACES = 6 };

static apart_shape* random_union(rng* r, apart_shape* const mesh[SURFACES]) {
    static body part_body[3];
    apart_part part[3];
    const int count = rng_between(r, 1, 3);
    for (int i = 0; i < count; i++) {
        body_random(r, &part_body[i], 12);
        part_body[i].callback = false;
        body_scale(&part_body[i], 0.4);
        part[i].shape =
            rng_chance(r, 0.3) ? apart_shape_retain(mesh[rng_below(r, SURFACES)]) : body_shape(&part_body[i], NULL);
        part[i].pose = rng_pose(r, scaled(0.7, rng_in_ball(r)));
    }
    apart_shape* shape = apart_shape_union(part, (size_t)count, NULL);
    for (int i = 0; i < count; i++) apart_shape_release(part[i].shape);
    return shape;
}

static void test_meshes_and_unions(void** state) {
    (void)state;
    static moving_body x[2];
    surface s[SURFACES] = {model_sphere(2), model_torus(12, 8, 0.2), model_box((apart_vec3){0.5, 0.4, 0.3}, 2),
                           model_bracket(), model_sheet(6),          model_cup(2)};
    s[1].radius = 0.02;
    apart_shape* mesh[SURFACES];
    for (int i = 0; i < SURFACES; i++) mesh[i] = surface_shape(&s[i], NULL);
    motion_tally tally = {0};
    long pairs[3] = {0};
    for (int number = 0; number < MESHES; number++) {
        rng r = rng_seed(160000 + (uint64_t)number);
        for (int i = 0; i < 2; i++) {
            const int what = i == 0 ? rng_below(&r, 2) : rng_below(&r, 3);
            body_random(&r, &x[i].body, 12);
            x[i].shape = what == 0   ? apart_shape_retain(mesh[rng_below(&r, SURFACES)])
                         : what == 1 ? random_union(&r, mesh)
                                     : body_shape(&x[i].body, NULL);
            assert_non_null(x[i].shape);
            pairs[what]++;
        }
        move_both(&r, x, number, 1);
        encounter_case c = {x[0].shape, x[1].shape, x[0].motion, x[1].motion, random_query(&r, 1)};
        c.query.tolerance = 1e-3;
        if (c.query.max_steps == 0) c.query.max_steps = 3000;
        check_case(c, SAMPLES / 4, number, &r, &tally);
        for (int i = 0; i < 2; i++) apart_shape_release(x[i].shape);
    }
    for (int i = 0; i < SURFACES; i++) {
        apart_shape_release(mesh[i]);
        surface_free(&s[i]);
    }
    for (int i = 0; i < 3; i++) assert_true(pairs[i] > 0);
    expect_census("meshes and unions", &tally);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_convex), cmocka_unit_test(test_meshes_and_unions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// What 'apart check' finds in scenes of chess pieces and primitives, against brute force over all pairs: at rest, and
// along motions; the same for any number of threads; what is said to be inside another body is.
#include "findings.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { RESTING = 400, MOVING = 60 };
#else
enum { RESTING = 1000, MOVING = 120 };
#endif

// ------------------------------------------------------------------------------------------------------ scenes ----

typedef struct text {
    char* bytes;
    size_t size, room;
} text;

__attribute__((format(printf, 2, 3))) static void put(text* t, const char* format, ...) {
    if (t->room - t->size < 1000) {
        t->room = 2 * t->room + 4000;
        t->bytes = realloc(t->bytes, t->room);
        assert_non_null(t->bytes);
    }
    va_list arguments;
    va_start(arguments, format);
    t->size += (size_t)vsnprintf(t->bytes + t->size, t->room - t->size, format, arguments);
    va_end(arguments);
}

static void put_pose(text* t, rng* r, apart_vec3 p) {
    put(t, "{\"position\": [%.17g, %.17g, %.17g], \"quat_wxyz\": [%.17g, %.17g, %.17g, %.17g]}", p.x, p.y, p.z,
        rng_uniform(r, -1, 1), rng_uniform(r, -1, 1), rng_uniform(r, -1, 1), rng_uniform(r, 0.1, 1));
}

static void put_shape(text* t, rng* r) {
    static const char* const pieces[] = {"bishop", "king", "knight", "pawn", "queen", "rook"};
    const double half = rng_uniform(r, 20, 60), wide = rng_uniform(r, 10, 40);
    switch (rng_below(r, 11)) {
    case 0:
        put(t, "{\"box\": {\"half_extents\": [%g, %g, %g]}}", half, wide, wide / 2);
        break;
    case 1:
        put(t, "{\"sphere\": {\"radius\": %g}}", wide);
        break;
    case 2:
        put(t, "{\"capsule\": {\"half_height\": %g, \"radius\": %g}}", half, wide / 2);
        break;
    case 3:
        put(t, "{\"cylinder\": {\"half_height\": %g, \"radius\": %g}}", half, wide);
        break;
    case 4:
        put(t, "{\"cone\": {\"half_height\": %g, \"radius\": %g}}", half, wide);
        break;
    case 5:
        put(t, "{\"ellipsoid\": {\"semi_axes\": [%g, %g, %g]}}", half, wide, wide / 2);
        break;
    default:
        put(t, "{\"file\": \"%s.ply\"}", pieces[rng_below(r, 6)]);
    }
}

static apart_io_scene* make_scene(int count, uint64_t seed, double moving) {
    rng r = rng_seed(seed);
    const double side = 150 * cbrt(count);
    text t = {0};
    apart_vec3 at = {0};
    put(&t, "{\"bodies\": [");
    for (int i = 0; i < count; i++) {
        put(&t, "%s{\"name\": \"%d\", \"margin\": %d, \"shape\": ", i ? ", " : "", i, i % 10 == 0);
        // Some are small and near the origin of the one before, so that they may be inside it.
        const bool small = i % 20 == 19;
        const apart_vec3 shift = rng_in_cube(&r, small ? 8 : side / 2);
        at = (apart_vec3){shift.x + (small ? at.x : 0), shift.y + (small ? at.y : 0), shift.z + (small ? at.z : 0)};
        if (small)
            put(&t, "{\"box\": {\"half_extents\": [2, 3, 4], \"radius\": 1}}");
        else
            put_shape(&t, &r);
        put(&t, ", \"pose\": ");
        put_pose(&t, &r, at);
        if (rng_chance(&r, moving)) {
            put(&t, ", \"motion\": {\"%s\": {\"end\": ", i % 2 ? "slerp" : "nlerp");
            put_pose(&t, &r, rng_in_cube(&r, side / 2));
            put(&t, "}}");
        }
        put(&t, "}");
    }
    put(&t, "]}");
    apart_error error;
    apart_io_scene* scene = apart_io_scene_parse(APART_TEST_DATA "/chess/a.json", t.bytes, t.size, NULL, &error);
    if (!scene) print_error("%s\n", error.message);
    assert_non_null(scene);
    free(t.bytes);
    return scene;
}

static findings collect(const apart_io_scene* scene, const check_rules* rules) {
    findings out = {0};
    apart_error error;
    assert_true(findings_collect(scene, rules, &out, &error));
    return out;
}

static const finding* find(const findings* f, uint32_t a, uint32_t b) {
    for (size_t i = 0; i < f->count; i++)
        if (f->items[i].a == a && f->items[i].b == b) return &f->items[i];
    return NULL;
}

// ----------------------------------------------------------------------------------------------------- at rest ----

// Points of the inner body must be points of the other.
static void check_inside(const apart_scene_body* outer, const apart_scene_body* inner, rng* r) {
    apart_shape_info info;
    assert_int_equal(apart_shape_describe(inner->shape, &info), APART_OK);
    int inside = 0;
    for (int i = 0; i < 2000; i++) {
        const double x = rng_uniform(r, info.lower.x, info.upper.x), y = rng_uniform(r, info.lower.y, info.upper.y),
                     z = rng_uniform(r, info.lower.z, info.upper.z);
        const double(*m)[3] = inner->pose.rotation.m;
        const apart_vec3 t = inner->pose.translation;
        const apart_vec3 p = {m[0][0] * x + m[0][1] * y + m[0][2] * z + t.x,
                              m[1][0] * x + m[1][1] * y + m[1][2] * z + t.y,
                              m[2][0] * x + m[2][1] * y + m[2][2] * z + t.z};
        apart_result result;
        assert_int_equal(apart_distance_points(inner->shape, &inner->pose, &p, 1, NULL, &result, NULL, 1), APART_OK);
        if (result.upper_bound > 0) continue;
        inside++;
        assert_int_equal(apart_distance_points(outer->shape, &outer->pose, &p, 1, NULL, &result, NULL, 1), APART_OK);
        assert_true(result.lower_bound <= 1e-9);
    }
    assert_true(inside > 20);
}

static void test_rest(void** state) {
    (void)state;
    apart_io_scene* scene = make_scene(RESTING, 1, 0);
    const check_rules rules = {.clearance = 3, .touch = -1};
    findings found = collect(scene, &rules);
    apart_scene_body* body = malloc(scene->count * sizeof *body);
    assert_non_null(body);
    for (uint32_t i = 0; i < scene->count; i++) apart_scene_get(scene->scene, i, &body[i]);
    size_t expected = 0, by_class[CLASSES] = {0};
    rng r = rng_seed(2);
    for (uint32_t a = 0; a < scene->count; a++)
        for (uint32_t b = a + 1; b < scene->count; b++) {
            const double limit = 3 + body[a].margin + body[b].margin;
            const apart_query query = {.cutoff = limit};
            apart_result result;
            assert_int_equal(
                apart_distance(body[a].shape, &body[a].pose, body[b].shape, &body[b].pose, &query, NULL, &result),
                APART_OK);
            if (result.distance >= limit || result.lower_bound >= limit) continue;
            expected++;
            const finding* f = find(&found, a, b);
            assert_non_null(f);
            assert_true(f->limit == limit && !f->moves);
            assert_true((f->class <= OVERLAP) == (result.upper_bound <= 0));
            assert_true(f->lower_bound <= result.upper_bound && result.lower_bound <= f->upper_bound);
            by_class[f->class]++;
            if (f->class == CONTAINED) check_inside(&body[f->inner == a ? b : a], &body[f->inner], &r);
        }
    print_message("%zu bodies: %zu pairs, %zu contained, %zu overlap, %zu near\n", scene->count, expected,
                  by_class[CONTAINED], by_class[OVERLAP], by_class[NEAR_PAIR]);
    assert_int_equal(found.count, expected);
    assert_true(by_class[CONTAINED] >= 2 && by_class[OVERLAP] > 10 && by_class[NEAR_PAIR] >= 4);
    for (size_t i = 1; i < found.count; i++) // worst first
        assert_true(found.items[i - 1].distance - found.items[i - 1].limit <=
                        found.items[i].distance - found.items[i].limit ||
                    (found.items[i - 1].class <= OVERLAP && found.items[i].class > OVERLAP));
    free(body);
    free(found.items);
    apart_io_scene_release(scene);
}

// ------------------------------------------------------------------------------------------------------ moving ----

static apart_motion motion_of(const apart_io_scene* scene, uint32_t id) {
    apart_scene_body body;
    apart_scene_get(scene->scene, id, &body);
    return scene->bodies[id].motion ? *scene->bodies[id].motion : (apart_motion){.start = body.pose};
}

static void test_motion(void** state) {
    (void)state;
    apart_io_scene* scene = make_scene(MOVING, 3, 0.3);
    const check_rules rules = {.clearance = 3, .touch = -1};
    findings found = collect(scene, &rules);
    size_t met = 0, near = 0, expected = 0;
    for (uint32_t a = 0; a < scene->count; a++)
        for (uint32_t b = a + 1; b < scene->count; b++) {
            if (!scene->bodies[a].motion && !scene->bodies[b].motion) continue;
            apart_scene_body one, other;
            apart_scene_get(scene->scene, a, &one);
            apart_scene_get(scene->scene, b, &other);
            const apart_motion motion_a = motion_of(scene, a), motion_b = motion_of(scene, b);
            const apart_motion_query query = {.clearance = 3 + one.margin + other.margin};
            apart_contact contact;
            apart_approach least;
            assert_int_equal(apart_first_contact(one.shape, &motion_a, other.shape, &motion_b, &query, &contact),
                             APART_OK);
            const finding* f = find(&found, a, b);
            assert_true((f != NULL) == (contact.kind != APART_FREE));
            if (!f) continue;
            expected++;
            assert_int_equal(apart_closest_approach(one.shape, &motion_a, other.shape, &motion_b, NULL, &least),
                             APART_OK);
            assert_true(f->moves && f->time == contact.time && f->time_upper == contact.time_upper);
            assert_true(f->lower_bound <= least.upper_bound && least.lower_bound <= f->upper_bound);
            assert_true(f->class == (least.upper_bound <= 0 ? OVERLAP : NEAR_PAIR));
            met += f->class == OVERLAP;
            near += f->class == NEAR_PAIR;
        }
    for (size_t i = 0; i < found.count; i++) expected += !found.items[i].moves;
    print_message("%zu bodies, %zu moving: %zu pairs meet, %zu come near\n", scene->count, scene->motion_count, met,
                  near);
    assert_int_equal(found.count, expected);
    assert_true(met > 10 && near >= 2);
    free(found.items);
    apart_io_scene_release(scene);
}

// ------------------------------------------------------------------------------------------- threads and rules ----

static void test_threads(void** state) {
    (void)state;
    apart_io_scene* scene = make_scene(MOVING, 5, 0.2);
    check_rules rules = {.clearance = 10, .touch = -1, .depth = true, .threads = 1};
    findings alone = collect(scene, &rules);
    assert_true(alone.count > 10);
    for (rules.threads = 2; rules.threads < 6; rules.threads++) {
        findings other = collect(scene, &rules);
        assert_int_equal(other.count, alone.count);
        for (size_t i = 0; i < alone.count; i++) {
            const finding *x = &alone.items[i], *y = &other.items[i];
            assert_true(x->a == y->a && x->b == y->b && x->class == y->class && x->distance == y->distance &&
                        x->lower_bound == y->lower_bound && x->upper_bound == y->upper_bound && x->time == y->time &&
                        !memcmp(&x->point_a, &y->point_a, sizeof x->point_a));
        }
        free(other.items);
    }
    free(alone.items);
    apart_io_scene_release(scene);
}

// What is permitted is left out, and nothing else: what remains is what is deeper.
static void test_permit(void** state) {
    (void)state;
    apart_io_scene* scene = make_scene(RESTING, 7, 0);
    check_rules rules = {.touch = -1, .depth = true};
    findings all = collect(scene, &rules);
    rules.permit = 5;
    findings deep = collect(scene, &rules);
    size_t deeper = 0;
    for (size_t i = 0; i < all.count; i++) {
        const bool forbidden = all.items[i].class > OVERLAP || all.items[i].lower_bound < -5; // near: margins
        deeper += forbidden;
        assert_true((find(&deep, all.items[i].a, all.items[i].b) != NULL) == forbidden);
    }
    assert_int_equal(deep.count, deeper);
    assert_int_equal(deep.permitted, all.count - deeper);
    assert_true(deeper > 3 && deep.permitted > 0);
    free(all.items);
    free(deep.items);
    apart_io_scene_release(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rest), cmocka_unit_test(test_motion),
                                       cmocka_unit_test(test_threads), cmocka_unit_test(test_permit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

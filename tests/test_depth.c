// Depth: the signed distance of two bodies against brute force over all faces and edges, against cases worked out by
// hand, and where neither applies against the best of many directions.
#include "depth_tally.h"
#include "depth_zoo.h"
#include "zoo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static trial t;

// ---------------------------------------------------------------------------------------------------- brute force ----

static void cloud_body(rng* r, body* b, int least, int most) {
    b->count = rng_between(r, least, most);
    for (int i = 0; i < b->count; i++) b->points[i] = rng_in_cube(r, 1);
}

// Points of a plane, or of a line, that is not along the axes.
static void flatten(rng* r, body* b, bool line) {
    apart_vec3 n = rng_unit_vector(r), axis = rng_unit_vector(r);
    for (int i = 0; i < b->count; i++) {
        apart_vec3* p = &b->points[i];
        double along = p->x * n.x + p->y * n.y + p->z * n.z, s = p->x;
        p->x = line ? s * axis.x : p->x - along * n.x;
        p->y = line ? s * axis.y : p->y - along * n.y;
        p->z = line ? s * axis.z : p->z - along * n.z;
    }
}

// Few places of a lattice, so that lines, planes and places coincide by the dozen.
static void lattice_body(rng* r, body* b) {
    static const int spans[5][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {1, 1, 1}, {0, 2, 2}};
    const int* span = spans[rng_below(r, 5)];
    b->count = rng_between(r, 1, 12);
    for (int i = 0; i < b->count; i++) {
        b->points[i].x = rng_between(r, -span[0], span[0]) / 2.0;
        b->points[i].y = rng_between(r, -span[1], span[1]) / 2.0;
        b->points[i].z = rng_between(r, -span[2], span[2]) / 2.0;
    }
}

// Up to 12 points of every kind; one in 16 has 20.
static void small_body(rng* r, body* b) {
    body_cospherical(r, b, rng_chance(r, 0.0625) ? 20 : rng_between(r, 4, 12));
    switch (rng_below(r, 7)) {
    case 0:
        cloud_body(r, b, 1, 12);
        break;
    case 1:
        cloud_body(r, b, 3, 8);
        flatten(r, b, false);
        break;
    case 2:
        cloud_body(r, b, 2, 4);
        flatten(r, b, true);
        break;
    case 3:
        lattice_body(r, b);
        break;
    case 4:
        b->kind = BODY_BOX;
        b->count = 0;
        b->size.x = rng_between(r, 0, 8) / 8.0;
        b->size.y = rng_between(r, 1, 8) / 8.0;
        b->size.z = rng_uniform(r, 0, 1);
        break;
    default:
        break;
    }
    if (rng_chance(r, 0.2)) b->radius = rng_chance(r, 0.5) ? 0.25 : rng_uniform(r, 0, 1);
}

// Two small bodies at any pose: turned alike, by quarters or anyhow; one much smaller (a box of 100 and one of 0.01);
// in units from 1e-30 to 1e30.
static void small_pair(pair* p, uint64_t seed) {
    rng r = rng_seed(seed);
    p->seed = seed;
    small_body(&r, &p->a);
    small_body(&r, &p->b);
    apart_vec3 zero = {0, 0, 0};
    p->pose_a = p->pose_b = apart_pose_identity;
    if (rng_chance(&r, 0.6)) p->pose_a = rng_pose(&r, zero);
    p->pose_b.rotation = p->pose_a.rotation;
    if (rng_chance(&r, 0.2)) p->pose_b.rotation = rng_quarter_turns(&r);
    if (rng_chance(&r, 0.6)) p->pose_b.rotation = rng_rotation(&r);
    if (rng_chance(&r, 0.15)) body_scale(&p->b, 1e-4);
    if (rng_chance(&r, 0.3)) p->pose_a.translation = rng_in_cube(&r, 3), p->pose_b.translation = p->pose_a.translation;
    pair_overlap(&r, p);
    if (rng_chance(&r, 0.5)) pair_scale(p, rng_magnitude(&r, -100, 99));
}

// The corners of a parallelepiped, in any order: a box, or pushed askew, or almost flat.
static void brick_body(rng* r, body* b) {
    apart_vec3 half[3], middle = rng_in_cube(r, 1);
    bool box = rng_chance(r, 0.5), thin = rng_chance(r, 0.2);
    for (int i = 0; i < 3; i++) {
        double length = rng_between(r, 1, 8) / 8.0;
        half[i] = box ? (apart_vec3){i == 0 ? length : 0, i == 1 ? length : 0, i == 2 ? length : 0} : rng_in_cube(r, 1);
    }
    if (thin) half[2] = (apart_vec3){1e-5 * half[2].x, 1e-5 * half[2].y, 1e-5 * half[2].z};
    if (rng_chance(r, 0.5)) middle = (apart_vec3){0, 0, 0};
    *b = (body){.kind = BODY_POINTS, .count = 8};
    int mix = rng_below(r, 8);
    for (int i = 0; i < 8; i++) {
        apart_vec3 p = middle;
        for (int j = 0; j < 3; j++) {
            int side = (i ^ mix) >> j & 1 ? 1 : -1;
            p = (apart_vec3){p.x + side * half[j].x, p.y + side * half[j].y, p.z + side * half[j].z};
        }
        b->points[i] = p;
    }
}

// Equal cubes turned against each other by a little, and moved off along a diagonal: the nearest facet is then one of
// those, as thin as the angle, that two almost parallel edges span.
static void put_under_thin_facet(rng* r, pair* p) {
    double angle = rng_magnitude(r, -30, -8);
    p->a = p->b = (body){.kind = BODY_BOX, .size = {1, 1, 1}};
    p->pose_a = p->pose_b = apart_pose_identity;
    p->pose_b.rotation = rng_matrix(1, angle, 0, angle);
    double off = rng_uniform(r, 0.1, 1.9);
    p->pose_b.translation = (apart_vec3){off, 0, off * rng_uniform(r, 0.99, 1.01)};
}

// Bricks have a closed form of their own: turned alike, by quarters, by angles too small to trust the edges' normals,
// or anyhow.
static void test_bricks(void** state) {
    (void)state;
    static tally y;
    long closed = 0;
    for (uint64_t seed = 407001; seed <= 409000; seed++) {
        rng r = rng_seed(seed);
        apart_vec3 zero = {0, 0, 0};
        t.pair.seed = seed;
        brick_body(&r, &t.pair.a);
        brick_body(&r, &t.pair.b);
        t.pair.pose_a = rng_pose(&r, zero);
        t.pair.pose_b = t.pair.pose_a;
        if (rng_chance(&r, 0.2)) t.pair.pose_b.rotation = rng_quarter_turns(&r);
        if (rng_chance(&r, 0.3)) {
            apart_mat3 slight = rng_matrix(1, rng_magnitude(&r, -50, -6), 0, rng_magnitude(&r, -50, -6));
            t.pair.pose_b.rotation = rng_product(&t.pair.pose_a.rotation, &slight);
        }
        if (rng_chance(&r, 0.5)) t.pair.pose_b.rotation = rng_rotation(&r);
        if (rng_chance(&r, 0.15)) body_scale(&t.pair.b, 1e-4);
        pair_overlap(&r, &t.pair);
        if (rng_chance(&r, 0.1)) put_under_thin_facet(&r, &t.pair);
        tally_judge(&y, &t);
        apart_query q = query_of(0, APART_DEPTH_EXACT);
        apart_result result;
        assert_true(trial_open(&t));
        assert_int_equal(trial_query(&t, &q, NULL, &result), APART_OK);
        closed += result.upper_bound < 0 && result.supports == 0;
        trial_close(&t);
    }
    tally_print(&y);
    printf("%ld in closed form\n", closed);
    assert_true(closed >= 500);
    tally_check(&y);
    for (int m = 0; m < METHODS; m++) assert_true(y.exact.worst[m].gap_corners <= 1e-11);
}

// Large and round hulls, one in the other: almost every direction is as near as the nearest, and the surface of the
// search would need more corners than it may have.
static void test_large(void** state) {
    (void)state;
    for (uint64_t seed = 409501; seed <= 409504; seed++) {
        rng r = rng_seed(seed);
        apart_vec3 zero = {0, 0, 0};
        body* bodies[2] = {&t.pair.a, &t.pair.b};
        for (int i = 0; i < 2; i++) {
            *bodies[i] = (body){.kind = BODY_POINTS, .count = 900};
            for (int j = 0; j < 900; j++) bodies[i]->points[j] = rng_unit_vector(&r);
        }
        t.pair.seed = seed;
        t.pair.pose_a = rng_pose(&r, zero);
        t.pair.pose_b = rng_pose(&r, zero);
        if (seed % 2) t.pair.b = t.pair.a;
        t.a = body_shape(&t.pair.a, NULL);
        t.b = body_shape(&t.pair.b, NULL);
        assert_non_null(t.a);
        assert_non_null(t.b);
        apart_query q = query_of(0, APART_DEPTH_EXACT);
        apart_result result;
        assert_int_equal(trial_query(&t, &q, NULL, &result), APART_OK);
        double gap = result.upper_bound - result.lower_bound;
        printf("900 points: depth %.15g, open by %.1e, %d supports\n", -result.distance, gap, result.supports);
        assert_true(result.supports > 1000 && gap <= 1e-12);
        // The normal proves one end; against the other speaks no direction of many, best of all the normals of the
        // hulls.
        quad slab = oracle_separation(&t.pair.a, &t.pair.pose_a, &t.pair.b, &t.pair.pose_b, result.normal);
        assert_true(fabs((double)slab - result.distance) <= 1e-12);
        for (int i = 0; i < 2000; i++) {
            apart_vec3 n = rng_unit_vector(&r);
            assert_true(oracle_separation(&t.pair.a, &t.pair.pose_a, &t.pair.b, &t.pair.pose_b, n) <=
                        result.upper_bound);
        }
        trial_close(&t);
    }
}

static void test_brute_force(void** state) {
    (void)state;
    static tally y;
    for (uint64_t seed = 400001; seed <= 406000; seed++) {
        small_pair(&t.pair, seed);
        tally_judge(&y, &t);
    }
    tally_print(&y);
    for (int i = 0; i < PLACES; i++) assert_true(y.seen[i] >= 100);
    tally_check(&y);
    // These bodies are not thin: the certificates could be stricter.
    for (int m = 0; m < METHODS; m++) {
        assert_true(y.exact.worst[m].gap_corners <= 1e-12);
        assert_true(y.exact.worst[m].dot <= 1024);
        assert_true(y.bound.worst[m].dot <= 1024);
    }
}

// -------------------------------------------------------------------------------------------------------- by hand ----

// As written, exchanged, in another unit, and turned and shifted as a whole.
static void test_by_hand(void** state) {
    (void)state;
    static tally y;
    static depth_case z;
    for (int i = 0; i < depth_zoo_count(); i++)
        for (int k = 0; k < 6; k++) {
            rng r = rng_seed(10 * (uint64_t)i + (uint64_t)k);
            depth_zoo_get(i, &z);
            t.pair = z.pair;
            double unit = k == 2 ? 0x1p-100 : k == 3 ? 1e30 : 1;
            apart_mat3 turn = k == 4 ? rng_quarter_turns(&r) : rng_rotation(&r);
            apart_vec3 shift = rng_in_cube(&r, k == 5 ? 10 : 0);
            if (k == 1) pair_exchange(&t.pair);
            if (k >= 4) pose_move(&t.pair.pose_a, &turn, shift), pose_move(&t.pair.pose_b, &turn, shift);
            pair_scale(&t.pair, unit);
            tally_judge(&y, &t);
            assert_true(trial_open(&t));
            double size = (double)t.truth.size + 16 * unit;
            tally_expect(&y, &t, z.name, z.distance * unit, size * (t.corners ? 1e-13 : 1e-9));
            trial_close(&t);
        }
    tally_print(&y);
    tally_check(&y);
}

// The zoo of distances, with its overlaps measured.
static void test_zoo(void** state) {
    (void)state;
    static tally y;
    static zoo_case z;
    for (int i = 0; i < zoo_count(); i++)
        for (int k = 0; k < 3; k++) {
            rng r = rng_seed(10 * (uint64_t)i + (uint64_t)k);
            zoo_get(i, &z);
            t.pair = z.pair;
            apart_mat3 turn = rng_rotation(&r);
            apart_vec3 shift = rng_in_cube(&r, 1);
            if (k == 1) pair_exchange(&t.pair);
            if (k == 2) pose_move(&t.pair.pose_a, &turn, shift), pose_move(&t.pair.pose_b, &turn, shift);
            tally_judge(&y, &t);
        }
    tally_print(&y);
    tally_check(&y);
}

// ------------------------------------------------------------------------------------------------ any pair at all ----

// Everything that the soak draws: every kind of body, callbacks, far from the origin, 1e-150 to 1e150.
static void test_any(void** state) {
    (void)state;
    static tally y;
    for (uint64_t seed = 430001; seed <= 431500; seed++) {
        pair_random(&t.pair, seed);
        tally_judge(&y, &t);
    }
    tally_print(&y);
    for (int i = 0; i < PLACES; i++) assert_true(y.seen[i] >= 20);
    tally_check(&y);
}

// Pairs of the soak on which an answer was once wrong or wide: bodies that touch exactly; a normal that was not that of
// the lower end; thin bodies whose interval stayed open; hulls at the tip of a cone; a flat cone in itself, measured
// roughly.
static void test_once_wrong(void** state) {
    (void)state;
    static const uint64_t seeds[] = {1000105989, 1000238340, 2000051661, 2000139899, 1000180310,
                                     1000242069, 1000223669, 3000221224, 1000256767};
    static tally y;
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        pair_random(&t.pair, seeds[i]);
        tally_judge(&y, &t);
    }
    assert_true(trial_open(&t));
    trial_ask_depth(&t);
    for (int m = 0; m < METHODS; m++) {
        apart_query rough = query_of(m, APART_DEPTH_EXACT);
        rough.relative_error = 0.75;
        trial_judge(&t, &rough, NULL, &y.exact);
    }
    trial_close(&t);
    assert_int_equal(y.exact.wrong + y.bound.wrong + y.disagree, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),    cmocka_unit_test(test_zoo),   cmocka_unit_test(test_brute_force),
        cmocka_unit_test(test_bricks),     cmocka_unit_test(test_large), cmocka_unit_test(test_any),
        cmocka_unit_test(test_once_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

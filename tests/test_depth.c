// Depth: the signed distance of two bodies against brute force over all faces and edges, against cases worked out by
// hand, and where neither applies against the best of many directions.
#include "certificate.h"
#include "depth_zoo.h"
#include "zoo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static trial t;

// What the depth oracle says of a pair.
typedef enum place { APART, TOUCHING, SHALLOW, DEEP, FLAT, PLACES } place;
static const char* const place_names[PLACES] = {"apart", "touching", "shallow", "deep", "flat"};

static place place_of(const depth_answer* d) {
    if (d->lower > (quad)1e-12 * d->size) return APART;
    if (d->flat) return FLAT;
    if (d->upper > -(quad)1e-12 * d->size) return TOUCHING;
    return d->upper > -(quad)1e-2 * d->size ? SHALLOW : DEEP;
}

typedef struct tally {
    census exact, bound;
    long seen[PLACES];
    long disagree;       // a bound beside the exact answer
    long bounds;         // of bodies that overlap by more than rounding
    double inner, outer; // mean of depth from inside and outside over the depth, bound
} tally;

static void tally_print(const tally* y) {
    for (int i = 0; i < PLACES; i++) printf("%s %ld%s", place_names[i], y->seen[i], i + 1 < PLACES ? ", " : "\n");
    printf("exact ");
    census_print(stdout, &y->exact);
    printf("bound ");
    census_print(stdout, &y->bound);
    if (y->bounds > 0)
        printf("bounds: on average %.2f of the depth from inside, and the depth is %.2f of that from outside\n",
               y->inner / (double)y->bounds, y->outer / (double)y->bounds);
}

static long tally_judged(const tally* y) {
    long judged = 0;
    for (int m = 0; m < METHODS; m++)
        for (int i = 0; i < REGIMES; i++) judged += y->exact.judged[m][i];
    return judged;
}

static void tally_check(const tally* y) {
    assert_true(100 * census_open(&y->exact) <= tally_judged(y));
    assert_int_equal(y->exact.wrong, 0);
    assert_int_equal(y->bound.wrong, 0);
    assert_int_equal(y->disagree, 0);
}

// The bracket of the bound holds that of the exact answer, up to what rounding adds to either.
static bool holds(const apart_result* bound, const apart_result* exact) {
    return bound->lower_bound <= exact->distance && exact->lower_bound <= bound->distance;
}

static void compare_bound(tally* y, int m, const apart_result* exact, const apart_result* bound) {
    if (!holds(bound, exact)) {
        y->disagree++;
        printf("bound [%.17g, %.17g] beside exact [%.17g, %.17g], %s, seed %llu\n", bound->lower_bound, bound->distance,
               exact->lower_bound, exact->distance, method_names[m], (unsigned long long)t.pair.seed);
    }
    if (!(exact->distance < -1e-9 * (double)t.truth.size)) return;
    y->bounds++;
    y->inner += bound->distance / exact->distance;
    y->outer += exact->distance / bound->lower_bound;
}

// All methods, exact and bound, on t.pair.
static void judge(tally* y) {
    assert_true(trial_open(&t));
    trial_ask_depth(&t);
    y->seen[place_of(&t.depth)]++;
    y->exact.placed[t.pair.placement]++;
    y->bound.placed[t.pair.placement]++;
    for (int m = 0; m < METHODS; m++) {
        apart_query exactly = query_of(m, APART_DEPTH_EXACT), roughly = query_of(m, APART_DEPTH_BOUND);
        apart_result exact, bound;
        if (!trial_judge(&t, &exactly, NULL, &y->exact) || !trial_judge(&t, &roughly, NULL, &y->bound)) continue;
        assert_int_equal(trial_query(&t, &exactly, NULL, &exact), APART_OK);
        assert_int_equal(trial_query(&t, &roughly, NULL, &bound), APART_OK);
        compare_bound(y, m, &exact, &bound);
    }
    trial_close(&t);
}

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

// b's middle at a's, moved by `off`.
static void centre(pair* p, apart_vec3 off) {
    qvec a = oracle_world(&p->pose_a, body_centre(&p->a)), b = oracle_world(&p->pose_b, body_centre(&p->b));
    p->pose_b.translation.x += (double)(a.x - b.x) + off.x;
    p->pose_b.translation.y += (double)(a.y - b.y) + off.y;
    p->pose_b.translation.z += (double)(a.z - b.z) + off.z;
}

static void put(rng* r, pair* p) {
    static const placement bag[] = {PLACE_DEEP,  PLACE_DEEP,     PLACE_DEEP,      PLACE_SHALLOW,   PLACE_SHALLOW,
                                    PLACE_APART, PLACE_TOUCHING, PLACE_IDENTICAL, PLACE_CONCENTRIC};
    double size = (double)(oracle_extent(&p->a) + oracle_extent(&p->b));
    apart_vec3 n = rng_unit_vector(r), axis = {0, 0, 1}, zero = {0, 0, 0};
    if (rng_chance(r, 0.4)) n = axis;
    p->placement = bag[rng_below(r, (int)(sizeof bag / sizeof bag[0]))];
    if (p->placement == PLACE_DEEP) centre(p, rng_in_cube(r, 0.3 * size));
    if (p->placement == PLACE_SHALLOW) pair_abut(p, n, -size * rng_magnitude(r, -40, -7));
    if (p->placement == PLACE_APART) pair_abut(p, n, size * rng_magnitude(r, -30, 0));
    if (p->placement == PLACE_TOUCHING) pair_abut(p, n, 0);
    if (p->placement == PLACE_CONCENTRIC) centre(p, zero);
    if (p->placement == PLACE_IDENTICAL) p->b = p->a, p->pose_b = p->pose_a;
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
    put(&r, p);
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
        put(&r, &t.pair);
        if (rng_chance(&r, 0.1)) put_under_thin_facet(&r, &t.pair);
        judge(&y);
        apart_query q = query_of(0, APART_DEPTH_EXACT);
        apart_result result;
        assert_true(trial_open(&t));
        assert_int_equal(trial_query(&t, &q, NULL, &result), APART_OK);
        closed += result.distance < 0 && result.supports == 0;
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
        double gap = result.distance - result.lower_bound;
        printf("900 points: depth %.15g, open by %.1e, %d supports\n", -result.distance, gap, result.supports);
        assert_true(result.supports > 1000 && gap <= 1e-12);
        // The normal proves one end; against the other speaks no direction of many, best of all the normals of the
        // hulls.
        quad slab = oracle_separation(&t.pair.a, &t.pair.pose_a, &t.pair.b, &t.pair.pose_b, result.normal);
        assert_true(fabs((double)slab - result.distance) <= 1e-12);
        for (int i = 0; i < 2000; i++) {
            apart_vec3 n = rng_unit_vector(&r);
            assert_true(oracle_separation(&t.pair.a, &t.pair.pose_a, &t.pair.b, &t.pair.pose_b, n) <= result.distance);
        }
        trial_close(&t);
    }
}

static void test_brute_force(void** state) {
    (void)state;
    static tally y;
    for (uint64_t seed = 400001; seed <= 406000; seed++) {
        small_pair(&t.pair, seed);
        judge(&y);
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

static void expect(tally* y, const char* name, double distance, double slack) {
    for (int m = 0; m < METHODS; m++) {
        apart_query q = query_of(m, APART_DEPTH_EXACT);
        apart_result r;
        assert_int_equal(trial_query(&t, &q, NULL, &r), APART_OK);
        if (fabs(r.distance - distance) <= slack && fabs(r.lower_bound - distance) <= slack) continue;
        printf("case \"%s\", %s: [%.17g, %.17g], expected %.17g\n", name, method_names[m], r.lower_bound, r.distance,
               distance);
        y->disagree++;
    }
}

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
            judge(&y);
            assert_true(trial_open(&t));
            double size = (double)t.truth.size + 16 * unit;
            expect(&y, z.name, z.distance * unit, size * (t.corners ? 1e-13 : 1e-9));
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
            judge(&y);
        }
    tally_print(&y);
    tally_check(&y);
}

// --------------------------------------------------------------------------------------------------- round bodies ----

static bool is_round(const body* b) { return !body_is_polytope(b) || b->callback; }

// The slab along the normal proves the lower end (in the certificate); climbing from the normal, and from anywhere,
// must not find a slab above the upper end.
static void climb_from_normal(tally* y) {
    assert_true(trial_open(&t));
    for (int m = 0; m < METHODS; m++) {
        apart_query q = query_of(m, APART_DEPTH_EXACT);
        apart_result r;
        assert_int_equal(trial_query(&t, &q, NULL, &r), APART_OK);
        apart_vec3 n = depth_climb(&t.pair.a, &t.pair.pose_a, &t.pair.b, &t.pair.pose_b, r.normal);
        quad slab = oracle_separation(&t.pair.a, &t.pair.pose_a, &t.pair.b, &t.pair.pose_b, n);
        if (slab <= r.distance) continue;
        printf("%s, seed %llu: distance %.17g, but a slab of %.17g\n", method_names[m], (unsigned long long)t.pair.seed,
               r.distance, (double)slab);
        y->disagree++;
    }
    trial_close(&t);
}

// A solid of revolution about its own z axis.
static void turned_body(rng* r, body* b) {
    static const body_kind kinds[] = {BODY_CYLINDER, BODY_CONE, BODY_ELLIPSOID, BODY_SPHERE, BODY_CAPSULE};
    double wide = rng_uniform(r, 0.1, 1), high = rng_uniform(r, 0.1, 1);
    *b = (body){.kind = kinds[rng_below(r, 5)], .size = {wide, wide, high}};
    if (b->kind == BODY_SPHERE || b->kind == BODY_CAPSULE) b->radius = rng_uniform(r, 0.1, 1);
}

// Peg and hole: solids of revolution whose axes almost fall together, apart by next to nothing or more, and tilted by
// as little now and then.
static void test_coaxial(void** state) {
    (void)state;
    static tally y;
    for (uint64_t seed = 440001; seed <= 440800; seed++) {
        rng r = rng_seed(seed);
        apart_vec3 zero = {0, 0, 0}, off = {0, 0, rng_uniform(&r, -0.3, 0.3)};
        t.pair.seed = seed;
        t.pair.placement = PLACE_NESTED;
        turned_body(&r, &t.pair.a);
        do turned_body(&r, &t.pair.b);
        while (!is_round(&t.pair.a) && !is_round(&t.pair.b));
        t.pair.pose_a = rng_chance(&r, 0.2) ? apart_pose_identity : rng_pose(&r, zero);
        t.pair.pose_b = t.pair.pose_a;
        if (rng_chance(&r, 0.2)) {
            apart_mat3 tilt = rng_matrix(1, rng_magnitude(&r, -60, -10), rng_magnitude(&r, -60, -10), 0);
            t.pair.pose_b.rotation = rng_product(&t.pair.pose_a.rotation, &tilt);
        }
        if (rng_chance(&r, 0.9)) off.x = rng_magnitude(&r, -60, -3);
        if (rng_chance(&r, 0.5)) off.y = rng_magnitude(&r, -60, -3);
        qvec at = oracle_world(&t.pair.pose_a, off);
        t.pair.pose_b.translation = (apart_vec3){(double)at.x, (double)at.y, (double)at.z};
        judge(&y);
    }
    tally_print(&y);
    assert_int_equal(y.exact.wrong, 0);
    assert_int_equal(y.bound.wrong, 0);
    assert_int_equal(y.disagree, 0);
}

static void test_round(void** state) {
    (void)state;
    static tally y;
    for (uint64_t seed = 410001; seed <= 410800; seed++) {
        rng r = rng_seed(seed);
        t.pair.seed = seed;
        do {
            body_random(&r, &t.pair.a, 12);
            body_random(&r, &t.pair.b, 12);
        } while (!is_round(&t.pair.a) && !is_round(&t.pair.b));
        apart_vec3 zero = {0, 0, 0};
        t.pair.pose_a = rng_pose(&r, zero);
        t.pair.pose_b = rng_chance(&r, 0.2) ? t.pair.pose_a : rng_pose(&r, zero);
        if (rng_chance(&r, 0.1)) body_scale(&t.pair.b, 1e-4);
        put(&r, &t.pair);
        if (rng_chance(&r, 0.2)) pair_scale(&t.pair, rng_magnitude(&r, -100, 99));
        judge(&y);
        climb_from_normal(&y);
    }
    tally_print(&y);
    assert_true(y.seen[DEEP] >= 100 && y.seen[SHALLOW] >= 50 && y.seen[APART] >= 50);
    tally_check(&y);
}

// The distance of a point inside an ellipsoid from its surface. The nearest point x has p - x along the normal there,
// x_i = s_i^2 p_i / (s_i^2 + u) with -s_min^2 < u <= 0, and u is where x lies on the surface: found by halving.
static quad ellipsoid_depth(const quad s[3], const quad p[3]) {
    quad least = s[0] < s[1] ? s[0] : s[1];
    least = least < s[2] ? least : s[2];
    quad low = -least * least, high = 0, away = 0;
    for (int step = 0; step < 200; step++) {
        quad u = (low + high) / 2, level = 0;
        away = 0;
        for (int i = 0; i < 3; i++) {
            quad x = s[i] * s[i] * p[i] / (s[i] * s[i] + u);
            level += x * x / (s[i] * s[i]);
            away += (x - p[i]) * (x - p[i]);
        }
        if (level > 1)
            low = u;
        else
            high = u;
    }
    return quad_sqrt(away);
}

// A ball anywhere inside an ellipsoid.
static void test_ellipsoid(void** state) {
    (void)state;
    static tally y;
    double most = 0;
    for (uint64_t seed = 420001; seed <= 420200; seed++) {
        rng r = rng_seed(seed);
        apart_vec3 zero = {0, 0, 0}, c = rng_in_ball(&r);
        double f = rng_uniform(&r, 0.1, 0.95);
        t.pair.seed = seed;
        t.pair.placement = PLACE_NESTED;
        t.pair.a = (body){.kind = BODY_ELLIPSOID, .size = {1, rng_uniform(&r, 1, 3), rng_uniform(&r, 1, 3)}};
        t.pair.b = (body){.kind = BODY_SPHERE, .radius = rng_chance(&r, 0.5) ? 0 : rng_unit(&r)};
        t.pair.pose_a = rng_pose(&r, zero);
        t.pair.pose_b = apart_pose_identity;
        apart_vec3 s = t.pair.a.size, local = {f * s.x * c.x, f * s.y * c.y, f * s.z * c.z};
        qvec at = oracle_world(&t.pair.pose_a, local);
        t.pair.pose_b.translation = (apart_vec3){(double)at.x, (double)at.y, (double)at.z};
        judge(&y);
        quad axes[3] = {s.x, s.y, s.z}, inside[3] = {local.x, local.y, local.z};
        double expected = -(double)ellipsoid_depth(axes, inside) - t.pair.b.radius;
        assert_true(trial_open(&t));
        apart_query q = query_of(0, APART_DEPTH_EXACT);
        apart_result result;
        assert_int_equal(trial_query(&t, &q, NULL, &result), APART_OK);
        double off = fmax(result.distance - expected, expected - result.lower_bound) / -expected;
        expect(&y, "ball in an ellipsoid", expected, 2e-9 * (double)t.truth.size);
        most = fmax(most, off);
        trial_close(&t);
    }
    tally_print(&y);
    printf("ball in an ellipsoid: off by %.1e of the depth\n", most);
    // The turn of the ellipsoid is rounded.
    assert_true(most <= 1.1e-9);
    tally_check(&y);
}

// Two bodies for which almost a circle or a sphere of directions is as near as the nearest.
static void tied_bodies(rng* r, body* a, body* b) {
    static const apart_vec3 almost_ball = {1, 1.001, 1.002};
    double wide = rng_uniform(r, 0.1, 1), tiny = rng_magnitude(r, -20, -6);
    *a = (body){.kind = BODY_ELLIPSOID, .size = almost_ball};
    *b = *a;
    if (rng_chance(r, 0.3)) *a = (body){.kind = BODY_CYLINDER, .size = {wide, wide, 2}};
    if (rng_chance(r, 0.2)) *a = (body){.kind = BODY_CONE, .size = {wide, wide, 1}};
    if (rng_chance(r, 0.3)) *b = (body){.kind = BODY_CYLINDER, .size = {0.5, 0.5, 2}};
    if (rng_chance(r, 0.2)) *b = (body){.kind = BODY_CAPSULE, .size = {0, 0, tiny}, .radius = 0.25};
    if (rng_chance(r, 0.1)) *b = (body){.kind = BODY_BOX, .size = {tiny, 0.7 * tiny, 0.3 * tiny}};
}

// Such bodies with almost the same place and axes, then moved on a little at a time: the depth is known to 1e-9 of it,
// and with a cache it takes few support points once it has been found that the directions are tied.
static void test_near_ties(void** state) {
    (void)state;
    static tally y;
    long open = 0, asked = 0, tracked = 0, supports = 0;
    for (uint64_t seed = 450001; seed <= 450150; seed++) {
        rng r = rng_seed(seed);
        double small = rng_magnitude(&r, -20, -10);
        apart_vec3 off = rng_in_cube(&r, small);
        t.pair.seed = seed;
        t.pair.placement = PLACE_CONCENTRIC;
        tied_bodies(&r, &t.pair.a, &t.pair.b);
        t.pair.pose_a = t.pair.pose_b = apart_pose_identity;
        t.pair.pose_b.rotation = rng_matrix(1, small, 0.5 * small, 0);
        t.pair.pose_b.translation = off;
        judge(&y);
        assert_true(trial_open(&t));
        apart_query q = query_of(0, APART_DEPTH_EXACT);
        apart_cache cache = {0};
        apart_result result;
        for (int step = 0; step < 8; step++) {
            t.pair.pose_b.translation.x += 0.01 * small;
            bool known = cache.faces == UINT32_MAX;
            assert_int_equal(trial_query(&t, &q, &cache, &result), APART_OK);
            open += result.distance - result.lower_bound > 1.1e-9 * -result.lower_bound;
            asked += 1;
            if (known) tracked += 1, supports += result.supports;
        }
        trial_close(&t);
    }
    tally_print(&y);
    printf("near ties: %ld of %ld open; tracked: %ld, %.1f support points each\n", open, asked, tracked,
           (double)supports / (double)tracked);
    assert_true(tracked >= 500);
    assert_true(200 * open <= asked && supports <= 4 * tracked);
    tally_check(&y);
}

// A small hull or flat sheet, told by its points or by its support function.
static void speck_body(rng* r, body* b, double size) {
    *b = (body){.kind = BODY_POINTS, .count = rng_between(r, 3, rng_chance(r, 0.5) ? 8 : 40)};
    bool flat = rng_chance(r, 0.2);
    for (int i = 0; i < b->count; i++) {
        b->points[i] = rng_in_ball(r);
        if (flat) b->points[i].z = 0;
    }
    b->callback = rng_chance(r, 0.3);
    body_scale(b, size);
}

// A body for which almost a circle or a sphere of directions is as near as the nearest from its middle, and that.
static void round_body(rng* r, body* b, apart_vec3* middle) {
    double wide = rng_uniform(r, 0.1, 1), more = rng_magnitude(r, -14, -6);
    *middle = (apart_vec3){0, 0, 0};
    *b = (body){.kind = BODY_ELLIPSOID, .size = {1, 1 + more * rng_unit(r), 1 + more}};
    if (rng_chance(r, 0.2)) b->size = (apart_vec3){wide, wide * (1 + more), 1};
    if (rng_chance(r, 0.2)) *b = (body){.kind = BODY_CYLINDER, .size = {wide, wide, 2}};
    if (rng_chance(r, 0.2)) {
        // The centre of the ball that touches base and mantle.
        *b = (body){.kind = BODY_CONE, .size = {wide, wide, 1}};
        middle->z = -1 + 2 * wide / (wide + sqrt(4 + wide * wide));
    }
}

// Whether a direction proves that the depth is less than the answer says: a search from the normal, and from directions
// all over the sphere, in quadruple precision at the end.
static bool has_wider_slab(const apart_result* r) {
    const pair* p = &t.pair;
    for (int i = 0; i <= 16; i++) {
        double z = (2 * i - 15) / 16.0, flat = sqrt(1 - z * z), turn = 2.4 * i;
        apart_vec3 from = {flat * cos(turn), flat * sin(turn), z};
        apart_vec3 n = depth_climb(&p->a, &p->pose_a, &p->b, &p->pose_b, i == 16 ? r->normal : from);
        if (oracle_separation(&p->a, &p->pose_a, &p->b, &p->pose_b, n) > (quad)r->distance) return true;
    }
    return false;
}

// Hulls, sheets and support functions in such bodies, of 1e-5 to a quarter of their size: the depth is known to 1e-9 of
// it, too; and with a cache it takes fewer support points.
static void test_specks(void** state) {
    (void)state;
    long open = 0, asked = 0, wrong = 0, tied = 0, tracked = 0, supports = 0;
    double widest = 0;
    for (uint64_t seed = 460001; seed <= 460400; seed++) {
        rng r = rng_seed(seed);
        apart_vec3 middle, off = rng_in_cube(&r, rng_magnitude(&r, -16, -6));
        t.pair.seed = seed;
        t.pair.placement = PLACE_NESTED;
        round_body(&r, &t.pair.a, &middle);
        speck_body(&r, &t.pair.b, t.pair.a.size.x * rng_magnitude(&r, -16, -2));
        t.pair.pose_a = apart_pose_identity;
        t.pair.pose_b = rng_pose(&r, (apart_vec3){middle.x + off.x, middle.y + off.y, middle.z + off.z});
        if (rng_chance(&r, 0.3)) pair_exchange(&t.pair);
        assert_true(trial_open(&t));
        apart_query q = query_of(0, APART_DEPTH_EXACT);
        apart_cache cache = {0};
        apart_result result;
        for (int step = 0; step < 4; step++) {
            t.pair.pose_b.translation.x += 1e-6;
            bool known = cache.faces == UINT32_MAX;
            assert_int_equal(trial_query(&t, &q, &cache, &result), APART_OK);
            double gap = (result.distance - result.lower_bound) / -result.lower_bound;
            widest = fmax(widest, gap);
            open += gap > 1.1e-9;
            asked += 1;
            tied += step == 0 && cache.faces == UINT32_MAX;
            if (known) tracked += 1, supports += result.supports;
        }
        wrong += has_wider_slab(&result);
        trial_close(&t);
    }
    printf(
        "specks: %ld of %ld open, by %.1e at most, %ld wrong; %ld pairs tied; tracked: %ld, %.1f support points each\n",
        open, asked, widest, wrong, tied, tracked, (double)supports / (double)tracked);
    assert_int_equal(wrong, 0);
    assert_true(tied >= 150 && 100 * open <= asked && widest < 1e-3 && supports <= 60 * tracked);
}

// The same judged as any pair is: points, normal, witnesses, every method.
static void test_judged_specks(void** state) {
    (void)state;
    static tally y;
    for (uint64_t seed = 470001; seed <= 470100; seed++) {
        rng r = rng_seed(seed);
        apart_vec3 middle;
        t.pair.seed = seed;
        t.pair.placement = PLACE_NESTED;
        round_body(&r, &t.pair.a, &middle);
        speck_body(&r, &t.pair.b, t.pair.a.size.x * rng_magnitude(&r, -16, -2));
        t.pair.pose_a = t.pair.pose_b = apart_pose_identity;
        t.pair.pose_b.translation = middle;
        if (rng_chance(&r, 0.5)) pair_scale(&t.pair, rng_magnitude(&r, -100, 99));
        judge(&y);
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
        judge(&y);
    }
    tally_print(&y);
    for (int i = 0; i < PLACES; i++) assert_true(y.seen[i] >= 20);
    tally_check(&y);
}

// Discs and sheets that have hardly any height, the squares of which vanish, in an almost round ellipsoid: as deep as
// those that are a little higher.
static void test_hardly_any_height(void** state) {
    (void)state;
    static const double heights[] = {1e-14, 1e-100, 1e-150, 1e-156, 1e-160, 1e-162, 1e-200, 1e-300};
    apart_shape* ball = apart_shape_ellipsoid((apart_vec3){1, 1.001, 1.002}, NULL);
    apart_pose pose = apart_pose_from_quaternion(1, 0.2, 0.3, 0.1, (apart_vec3){0.0001, 0.0005, 0.0003});
    for (int i = 0; i < 32; i++) {
        double wide = i & 1 ? 0.01 : 0.5, known[2] = {0};
        for (size_t k = 0; k < sizeof heights / sizeof *heights; k++) {
            double h = heights[k];
            apart_shape* flat =
                i & 2 ? apart_shape_cylinder(h, wide, NULL) : apart_shape_box((apart_vec3){wide, wide, h}, 0, NULL);
            pose.translation.y = 0.0001 * (i / 4);
            apart_query q = query_of(0, APART_DEPTH_EXACT);
            apart_result r;
            assert_int_equal(apart_distance(ball, &apart_pose_identity, flat, &pose, &q, NULL, &r), APART_OK);
            assert_true(r.distance - r.lower_bound <= 1e-3 * -r.distance);
            if (k == 0) known[0] = r.lower_bound, known[1] = r.distance;
            assert_true(r.lower_bound <= known[1] + 1e-13 && r.distance >= known[0] - 1e-13);
            apart_shape_release(flat);
        }
    }
    apart_shape_release(ball);
}

// Pairs of the soak on which an answer was once wrong or wide: bodies that touch exactly; a normal that was not that of
// the lower end; thin bodies whose interval stayed open; hulls at the tip of a cone; a flat cone in itself, measured
// roughly.
static void test_once_wrong(void** state) {
    (void)state;
    static const uint64_t seeds[] = {1000105989, 2000051661, 2000139899, 1000180310,
                                     1000242069, 1000223669, 3000221224, 1000256767};
    static tally y;
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        pair_random(&t.pair, seeds[i]);
        judge(&y);
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
        cmocka_unit_test(test_by_hand),     cmocka_unit_test(test_zoo),
        cmocka_unit_test(test_brute_force), cmocka_unit_test(test_bricks),
        cmocka_unit_test(test_large),       cmocka_unit_test(test_round),
        cmocka_unit_test(test_coaxial),     cmocka_unit_test(test_ellipsoid),
        cmocka_unit_test(test_any),         cmocka_unit_test(test_near_ties),
        cmocka_unit_test(test_specks),      cmocka_unit_test(test_judged_specks),
        cmocka_unit_test(test_once_wrong),  cmocka_unit_test(test_hardly_any_height),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

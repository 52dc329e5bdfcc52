// Who checks the checker? The oracle against distances worked out by hand, against brute force over all features in
// whole numbers, and against bodies put a known distance apart.
#include "bodies.h"
#include "zoo.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static pair p;

static double off(quad a, quad b) { return fabs((double)(a - b)); }

// ------------------------------------------------------------------------------------------------------- by hand ----

static void test_zoo(void** state) {
    (void)state;
    static zoo_case z;
    double worst = 0;
    for (int i = 0; i < zoo_count(); i++) {
        zoo_get(i, &z);
        oracle_answer o = oracle_distance(&z.pair.a, &z.pair.pose_a, &z.pair.b, &z.pair.pose_b);
        double error = off(o.upper, z.distance) / ((double)o.size + 1);
        worst = fmax(worst, error);
        assert_true((double)(o.upper - o.lower) <= 1e-24 * (double)o.size);
        if (z.relation == ZOO_APART) assert_true(o.lower > 0 && o.depth == 0);
        // The turns of the zoo are rounded themselves.
        assert_true(error <= 4e-16);
    }
    printf("%d cases, worst error %.1e of the size\n", zoo_count(), worst);
}

// ---------------------------------------------------------------------------------------------- in whole numbers ----

// Everything here is a whole number below 2^53, so that all but the one division is exact.
typedef struct ivec {
    long x, y, z;
} ivec;

static ivec isub(ivec a, ivec b) {
    ivec r = {a.x - b.x, a.y - b.y, a.z - b.z};
    return r;
}
static ivec icross(ivec a, ivec b) {
    ivec r = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return r;
}
static long idot(ivec a, ivec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

#define MOST 7
typedef struct cloud {
    int count;
    ivec p[MOST];
} cloud;

static void keep_least(quad* least, quad x) {
    if (x < *least) *least = x;
}

static void point_point(ivec a, ivec b, quad* least) {
    ivec d = isub(a, b);
    keep_least(least, idot(d, d));
}

// Only where the nearest point is inside the edge; its ends are points of their own.
static void point_edge(ivec q, ivec a, ivec b, quad* least) {
    ivec e = isub(b, a), d = isub(q, a), n = icross(e, d);
    long along = idot(e, d), whole = idot(e, e);
    if (along > 0 && along < whole) keep_least(least, (quad)idot(n, n) / whole);
}

static void edge_edge(ivec a, ivec b, ivec c, ivec d, quad* least) {
    ivec e = isub(b, a), f = isub(d, c), n = icross(e, f), g = isub(c, a);
    long whole = idot(n, n), height = idot(g, n);
    long s = idot(icross(g, f), n), t = idot(icross(g, e), n);
    if (s > 0 && s < whole && t > 0 && t < whole) keep_least(least, (quad)height * height / whole);
}

static void point_triangle(ivec q, ivec a, ivec b, ivec c, quad* least) {
    ivec n = icross(isub(b, a), isub(c, a));
    long whole = idot(n, n), height = idot(isub(q, a), n);
    bool inside = idot(icross(isub(b, a), isub(q, a)), n) > 0 && idot(icross(isub(c, b), isub(q, b)), n) > 0 &&
                  idot(icross(isub(a, c), isub(q, c)), n) > 0;
    if (inside) keep_least(least, (quad)height * height / whole);
}

// Points of a against points, edges and triangles of b.
static void points_against(const cloud* a, const cloud* b, quad* least) {
    for (int q = 0; q < a->count; q++)
        for (int i = 0; i < b->count; i++) {
            point_point(a->p[q], b->p[i], least);
            for (int j = 0; j < i; j++) {
                point_edge(a->p[q], b->p[i], b->p[j], least);
                for (int k = 0; k < j; k++) point_triangle(a->p[q], b->p[i], b->p[j], b->p[k], least);
            }
        }
}

// The squared distance of two hulls that do not meet: the least over all pairs of features. (Every triple of points is
// taken for a face. Those inside the hull are never nearer than its surface.)
static quad brute_force(const cloud* a, const cloud* b) {
    quad least = 1e9;
    points_against(a, b, &least);
    points_against(b, a, &least);
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < b->count; k++)
                for (int l = 0; l < k; l++) edge_edge(a->p[i], a->p[j], b->p[k], b->p[l], &least);
    return least;
}

// A plane with this normal has the two clouds strictly on different sides.
static bool parts(const cloud* a, const cloud* b, ivec n) {
    long low_a = LONG_MAX, high_a = LONG_MIN, low_b = LONG_MAX, high_b = LONG_MIN;
    for (int i = 0; i < a->count; i++) {
        long h = idot(n, a->p[i]);
        low_a = h < low_a ? h : low_a;
        high_a = h > high_a ? h : high_a;
    }
    for (int i = 0; i < b->count; i++) {
        long h = idot(n, b->p[i]);
        low_b = h < low_b ? h : low_b;
        high_b = h > high_b ? h : high_b;
    }
    return high_a < low_b || high_b < low_a;
}

// Whether a plane square to a pair of points or along two edges proves that the clouds are apart.
static bool provably_apart(const cloud* a, const cloud* b) {
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++) {
            if (parts(a, b, isub(a->p[i], b->p[k]))) return true;
            for (int j = 0; j < a->count; j++)
                for (int l = 0; l < b->count; l++)
                    if (parts(a, b, icross(isub(a->p[i], a->p[j]), isub(b->p[k], b->p[l])))) return true;
        }
    return false;
}

static void cloud_random(rng* r, cloud* c, body* b, ivec shift) {
    int wide[3] = {rng_between(r, 0, 9), rng_between(r, 0, 9), rng_between(r, 0, 9)};
    b->kind = BODY_POINTS;
    b->count = c->count = rng_between(r, 1, MOST);
    for (int i = 0; i < c->count; i++) {
        ivec q = {rng_between(r, -wide[0], wide[0]), rng_between(r, -wide[1], wide[1]),
                  rng_between(r, -wide[2], wide[2])};
        b->points[i].x = (double)q.x;
        b->points[i].y = (double)q.y;
        b->points[i].z = (double)q.z;
        c->p[i].x = q.x + shift.x;
        c->p[i].y = q.y + shift.y;
        c->p[i].z = q.z + shift.z;
    }
}

static void test_whole_numbers(void** state) {
    (void)state;
    long apart = 0, meeting = 0;
    double worst = 0;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        rng r = rng_seed(seed);
        ivec zero = {0, 0, 0}, shift = {rng_between(&r, -6, 6), rng_between(&r, -3, 3), rng_between(&r, -3, 3)};
        cloud a, b;
        cloud_random(&r, &a, &p.a, zero);
        cloud_random(&r, &b, &p.b, shift);
        p.pose_a = p.pose_b = apart_pose_identity;
        p.pose_b.translation.x = (double)shift.x;
        p.pose_b.translation.y = (double)shift.y;
        p.pose_b.translation.z = (double)shift.z;
        oracle_answer o = oracle_distance(&p.a, &p.pose_a, &p.b, &p.pose_b);
        quad exact = quad_sqrt(brute_force(&a, &b));
        if (o.lower > 0) {
            apart++;
            assert_true(o.lower <= exact && exact <= o.upper);
            worst = fmax(worst, off(o.upper, exact) / (double)o.size);
        } else {
            meeting++;
            assert_true(o.upper <= (quad)1e-24);
            assert_false(provably_apart(&a, &b));
        }
    }
    printf("%ld apart, %ld meeting, worst error %.1e of the size\n", apart, meeting, worst);
    assert_true(apart > 500 && meeting > 500);
}

// ----------------------------------------------------------------------------------------- a known distance apart ----

// Every kind of body, its farthest point facing the other's: the distance is the gap, up to the rounding of the place.
static void test_known_gaps(void** state) {
    (void)state;
    double worst = 0;
    long pairs[BODY_KINDS] = {0};
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        rng r = rng_seed(seed);
        apart_vec3 zero = {0, 0, 0};
        body_random(&r, &p.a, 24);
        body_random(&r, &p.b, 24);
        p.pose_a = rng_pose(&r, zero);
        p.pose_b = rng_pose(&r, zero);
        double gap = rng_magnitude(&r, -20, 3);
        pair_abut(&p, rng_unit_vector(&r), gap);
        oracle_answer o = oracle_distance(&p.a, &p.pose_a, &p.b, &p.pose_b);
        pairs[p.a.kind]++;
        worst = fmax(worst, off(o.upper, gap) / (double)o.size);
        assert_true((double)(o.upper - o.lower) <= 1e-22 * (double)o.size);
        assert_true(off(o.upper, gap) <= 4e-15 * (double)o.size);
    }
    printf("worst error %.1e of the size\n", worst);
    for (int i = 0; i < BODY_KINDS; i++) assert_true(pairs[i] > 50);
}

// The random pairs of all tests: the oracle's own bracket is closed to 1e-22 of the size.
static void test_bracket(void** state) {
    (void)state;
    double worst = 0;
    for (uint64_t seed = 1; seed <= 5000; seed++) {
        pair_random(&p, seed);
        oracle_answer o = oracle_distance(&p.a, &p.pose_a, &p.b, &p.pose_b);
        if (o.size > 0) worst = fmax(worst, (double)((o.upper - o.lower) / o.size));
    }
    printf("widest bracket %.1e of the size\n", worst);
    assert_true(worst <= (QUAD_BITS == 113 ? 1e-22 : 1e-15));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zoo),
        cmocka_unit_test(test_whole_numbers),
        cmocka_unit_test(test_known_gaps),
        cmocka_unit_test(test_bracket),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Who checks the depth oracle? Signed distances worked out by hand; the other oracle's ball and any direction, which
// must have it between them; and the way out that it names, which must be just long enough.
#include "depth_oracle.h"
#include "depth_zoo.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static pair p;

static depth_answer ask(void) { return depth_signed_distance(&p.a, &p.pose_a, &p.b, &p.pose_b); }

// -------------------------------------------------------------------------------------------------------- by hand ----

static void test_by_hand(void** state) {
    (void)state;
    static depth_case z;
    double worst = 0, worst_round = 0;
    int exact = 0;
    for (int i = 0; i < depth_zoo_count(); i++) {
        depth_zoo_get(i, &z);
        p = z.pair;
        depth_answer d = ask();
        double size = (double)d.size + 1, low = (double)d.lower - z.distance, high = (double)d.upper - z.distance;
        if (d.exact) {
            exact++;
            worst = fmax(worst, fmax(fabs(low), fabs(high)) / size);
        } else {
            // A search has true ends only.
            assert_true(low <= 1e-15 * size && high >= -1e-15 * size);
            worst_round = fmax(worst_round, fabs(low) / size);
        }
        // The numbers of the case are rounded themselves.
        if (d.exact && fabs(low) > 4e-16 * size) printf("%s: %.17g, not %.17g\n", z.name, (double)d.lower, z.distance);
    }
    printf("%d cases, %d by brute force: off by %.1e of the size; by search: %.1e\n", depth_zoo_count(), exact, worst,
           worst_round);
    assert_true(exact >= 50 && exact < depth_zoo_count());
    assert_true(worst <= 4e-16);
    assert_true(worst_round <= 1e-9);
}

// ------------------------------------------------------------------------------------------------ pairs at random ----

static apart_vec3 rounded(qvec n) {
    apart_vec3 r = {(double)n.x, (double)n.y, (double)n.z};
    return r;
}

static void move_b(qvec n, quad by) {
    p.pose_b.translation.x += (double)(by * n.x);
    p.pose_b.translation.y += (double)(by * n.y);
    p.pose_b.translation.z += (double)(by * n.z);
}

// Everything in the plane z = 0.
static void flatten(body* b) {
    b->size.z = 0;
    for (int i = 0; i < b->count; i++) b->points[i].z = 0;
}

// Three points of a line, as far as rounding lets them, two of them close.
static void straighten(rng* r, body* b) {
    apart_vec3 axis = rng_unit_vector(r);
    double at[3] = {1, -1, 1 - rng_magnitude(r, -8, -2)};
    b->kind = BODY_POINTS;
    b->count = 3;
    for (int i = 0; i < 3; i++) {
        apart_vec3 q = {at[i] * axis.x, at[i] * axis.y, at[i] * axis.z};
        b->points[i] = q;
    }
}

// Few random corners, in each other or near it; every tenth pair in one plane, every tenth with a line.
static void random_pair(uint64_t seed) {
    rng r = rng_seed(seed);
    p.seed = seed;
    body_random(&r, &p.a, 10);
    body_random(&r, &p.b, 10);
    apart_vec3 zero = {0, 0, 0};
    p.pose_a = rng_pose(&r, zero);
    p.pose_b = rng_pose(&r, zero);
    if (seed % 10 == 1) straighten(&r, &p.a);
    apart_vec3 n = rng_unit_vector(&r), in_plane = {n.x, n.y, 0};
    if (seed % 10 == 0) {
        flatten(&p.a);
        flatten(&p.b);
        p.pose_a = p.pose_b = apart_pose_identity;
        n = in_plane;
    }
    pair_abut(&p, n, -rng_uniform(&r, 0, 1));
}

// Ten climbs from anywhere; how near the best comes to the truth, of the size. None may do better.
static double climbs(const depth_answer* d, rng* r) {
    double nearest = HUGE_VAL;
    for (int i = 0; i < 10; i++) {
        apart_vec3 n = depth_climb(&p.a, &p.pose_a, &p.b, &p.pose_b, rng_unit_vector(r));
        quad slab = oracle_separation(&p.a, &p.pose_a, &p.b, &p.pose_b, n);
        assert_true(slab <= d->upper);
        nearest = fmin(nearest, (double)((d->upper - slab) / d->size));
    }
    return nearest;
}

// The way out leads just into touch; a thousandth less, in whatever direction, does not lead out.
static void check_way_out(const depth_answer* d, rng* r) {
    apart_pose before = p.pose_b;
    move_b(d->normal, -d->lower);
    oracle_answer o = oracle_distance(&p.a, &p.pose_a, &p.b, &p.pose_b);
    quad slab = oracle_separation(&p.a, &p.pose_a, &p.b, &p.pose_b, rounded(d->normal));
    assert_true(slab >= -1e-14 * d->size && o.upper <= 1e-14 * d->size);
    for (int i = 0; i < 10; i++) {
        p.pose_b = before;
        move_b(qvec_from(rng_unit_vector(r)), -d->upper * (quad)0.999);
        assert_true(oracle_distance(&p.a, &p.pose_a, &p.b, &p.pose_b).lower == 0);
    }
}

static void test_at_random(void** state) {
    (void)state;
    long pairs = 0, overlaps = 0, flat = 0, climbed = 0;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        rng r = rng_seed(seed);
        random_pair(seed);
        if (!depth_has_corners(&p.a, &p.b)) continue;
        oracle_answer o = oracle_distance(&p.a, &p.pose_a, &p.b, &p.pose_b);
        depth_answer d = ask();
        pairs++;
        assert_true(d.exact && d.lower <= d.upper && d.upper - d.lower <= 4e-20 * d.size);
        // Bodies apart: as the oracle. In each other: at least the oracle's ball.
        assert_true(d.lower <= o.upper && (o.lower == 0 || d.upper >= o.lower));
        if (o.depth > 0) assert_true(d.lower <= -o.depth);
        if (climbs(&d, &r) <= 1e-8) climbed++;
        if (d.flat) flat++, assert_true(d.upper >= -(quad)(p.a.radius + p.b.radius));
        if (o.depth <= 0 || p.a.radius + p.b.radius > 0) continue;
        overlaps++;
        check_way_out(&d, &r);
    }
    printf("%ld pairs, %ld in each other, %ld flat; climbing finds the depth of %ld\n", pairs, overlaps, flat, climbed);
    assert_true(pairs > 1000 && overlaps > 150 && flat > 20);
    assert_true(10 * climbed > 8 * pairs);
}

// --------------------------------------------------------------------------------------------- without any filter ----

static qvec cross(qvec a, qvec b) {
    qvec r = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return r;
}

// The ways between the corners of a body, all of them.
static int ways(const body* b, const apart_pose* pose, qvec* way) {
    int count = 0, corners = body_corners(b);
    for (int i = 0; i < corners; i++)
        for (int j = 0; j < i; j++) {
            qvec w = qvec_sub(oracle_world(pose, body_corner(b, i)), oracle_world(pose, body_corner(b, j)));
            quad length = qvec_length(w);
            if (length > 0) way[count++] = qvec_scale(1 / length, w);
        }
    return count;
}

// The widest slab across any two ways, in the directions as double has them.
static quad widest_slab(void) {
    qvec way[2 * 28];
    int count = ways(&p.a, &p.pose_a, way);
    count += ways(&p.b, &p.pose_b, way + count);
    quad widest = -1e9;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) {
            qvec n = cross(way[i], way[j]);
            quad length = qvec_length(n);
            if (length < (quad)1e-25) continue;
            for (int side = -1; side <= 1; side += 2) {
                quad slab = oracle_separation(&p.a, &p.pose_a, &p.b, &p.pose_b, rounded(qvec_scale(side / length, n)));
                if (slab > widest) widest = slab;
            }
        }
    return widest;
}

// Eight corners at most: every way between two of them taken for an edge, every two of them for a face.
static void test_all_ways(void** state) {
    (void)state;
    long pairs = 0;
    double worst = 0;
    for (uint64_t seed = 2001; seed <= 3200; seed++) {
        random_pair(seed);
        p.a.radius = p.b.radius = 0;
        oracle_answer o = oracle_distance(&p.a, &p.pose_a, &p.b, &p.pose_b);
        if (!depth_has_corners(&p.a, &p.b) || body_corners(&p.a) > 8 || body_corners(&p.b) > 8 || o.lower > 0) continue;
        // Points and lines have no two ways.
        quad slab = widest_slab();
        if (slab <= -1e9) continue;
        depth_answer d = ask();
        pairs++;
        assert_true(slab <= d.upper);
        worst = fmax(worst, (double)((d.lower - slab) / d.size));
    }
    printf("%ld pairs, all ways: off by %.1e of the size\n", pairs, worst);
    assert_true(pairs > 100);
    assert_true(worst <= 1e-15);
}

// The same pair in another unit and another place has the same depth.
static void test_units(void** state) {
    (void)state;
    double worst = 0;
    for (uint64_t seed = 1001; seed <= 1100; seed++) {
        random_pair(seed);
        if (!depth_has_corners(&p.a, &p.b)) continue;
        depth_answer first = ask();
        double unit = ldexp(1, (int)(seed % 2 ? 100 : -100));
        pair_scale(&p, unit);
        depth_answer second = ask();
        worst = fmax(worst, fabs((double)((second.lower / unit - first.lower) / first.size)));
    }
    printf("in another unit: off by %.1e\n", worst);
    assert_true(worst <= 1e-25);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_at_random),
        cmocka_unit_test(test_all_ways),
        cmocka_unit_test(test_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

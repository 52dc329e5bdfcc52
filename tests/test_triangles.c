// The distance of two triangles, apart_triangle_triangle: what the search over meshes rests on, tried where closed
// forms break. Pairs are made near each other in every way (parallel edges, coplanar, crossing, touching at a corner or
// along an edge, needles, segments, points), at sizes from 1e-150 to 1e150 and far from the origin, against brute
// force.
#include "base/vec.h"
#include "brute_force.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

typedef struct couple {
    apart_vec3 a[3], b[3];
} couple;

typedef enum relation {
    ANY,
    PARALLEL_EDGES, // an edge of b is an edge of a, moved
    PARALLEL_PLANES,
    COPLANAR,
    CROSSING,       // b passes through a point inside a
    CORNER_ON_FACE, // a corner of b in the plane of a, up to rounding, or a hair above it
    SHARED_CORNER,
    SHARED_EDGE,
    EQUAL,
    RELATIONS
} relation;

static const char* const relation_names[RELATIONS] = {
    "any", "parallel edges", "parallel planes", "coplanar", "crossing", "corner on face", "corner", "edge", "equal"};

static apart_vec3 inside(rng* r, const apart_vec3* t) {
    double u = rng_unit(r), v = rng_unit(r);
    return point_between(t[0], u, point_between(t[1], v, t[2]));
}

static void relate(rng* r, relation how, couple* c) {
    apart_vec3 off = rng_in_cube(r, rng_magnitude(r, -50, 0));
    for (int k = 0; k < 3; k++) c->a[k] = rng_in_cube(r, 1), c->b[k] = rng_in_cube(r, 1);
    switch (how) {
    case PARALLEL_EDGES:
        c->b[0] = vec3_add(c->a[0], off);
        c->b[1] = vec3_add(c->a[1], off);
        break;
    case PARALLEL_PLANES:
        for (int k = 0; k < 3; k++) c->b[k] = vec3_add(inside(r, c->a), off);
        break;
    case COPLANAR:
        for (int k = 0; k < 3; k++) {
            c->a[k].z = 0.25;
            c->b[k].z = 0.25;
            c->b[k].x += rng_chance(r, 0.5) ? 1.5 : 0;
        }
        break;
    case CROSSING:
        c->b[1] = point_between(c->b[0], 2, inside(r, c->a));
        break;
    case CORNER_ON_FACE:
        c->b[0] = inside(r, c->a);
        if (rng_chance(r, 0.5)) c->b[0] = vec3_add(c->b[0], off);
        break;
    case EQUAL:
        c->b[2] = c->a[2];
        c->b[1] = c->a[1];
        c->b[0] = c->a[0];
        break;
    case SHARED_EDGE:
        c->b[1] = c->a[2];
        c->b[0] = c->a[1];
        break;
    case SHARED_CORNER:
        c->b[0] = c->a[1];
        break;
    default:
        break;
    }
}

// Now and then a needle, a segment or a point instead of a triangle.
static void squeeze(rng* r, apart_vec3 t[3]) {
    int kind = rng_below(r, 8);
    apart_vec3 off = rng_in_cube(r, rng_magnitude(r, -60, -20));
    if (kind == 0) t[1] = vec3_add(point_between(t[0], rng_unit(r), t[2]), off);
    if (kind == 1) t[1] = t[0];
    if (kind == 2) t[1] = t[2] = t[0];
}

static problem to_problem(const couple* c) {
    problem p = {.dim = 3, .count_a = 3, .count_b = 3};
    for (int k = 0; k < 3; k++) {
        const double a[3] = {c->a[k].x, c->a[k].y, c->a[k].z}, b[3] = {c->b[k].x, c->b[k].y, c->b[k].z};
        for (int i = 0; i < 3; i++) p.a[k][i] = a[i], p.b[k][i] = b[i];
    }
    return p;
}

typedef struct tally {
    long asked, met, near;
    double worst, weights; // of the distance, and of the points that the weights carry, of the size
} tally;

static void judge(const couple* c, relation how, uint64_t seed, tally* t) {
    problem p = to_problem(c);
    truth want = solve(&p);
    double wa[3] = {-1, -1, -1}, wb[3] = {-1, -1, -1};
    double squared = apart_triangle_triangle(c->a, c->b, wa, wb), got = sqrt(squared), size = (double)want.size;
    double off = 0, carried = (double)weighted(&p, wa, wb), sum_a = 0, sum_b = 0;
    for (int k = 0; k < 3; k++) {
        assert_true(wa[k] >= 0 && wa[k] <= 1 && wb[k] >= 0 && wb[k] <= 1);
        sum_a += wa[k], sum_b += wb[k];
    }
    assert_true(fabs(sum_a - 1) <= 8 * ROUNDOFF && fabs(sum_b - 1) <= 8 * ROUNDOFF);
    if (got > (double)want.upper) off = (double)((quad)got - want.upper) / size;
    if (got < (double)want.lower) off = (double)(want.lower - (quad)got) / size;
    t->asked++;
    t->met += got == 0;
    t->near += want.upper < (quad)1e-9 * want.size;
    t->worst = fmax(t->worst, off);
    t->weights = fmax(t->weights, fabs(carried - got) / size);
    if (off > 1e-14 || fabs(carried - got) > 1e-14 * size)
        fail_msg("%s, seed %d: %.17g, carried %.17g, truth [%.17g, %.17g], size %g", relation_names[how], (int)seed,
                 got, carried, (double)want.lower, (double)want.upper, size);
}

static void test_relations(void** state) {
    (void)state;
    for (int how = 0; how < RELATIONS; how++) {
        tally t = {0};
        for (uint64_t seed = 0; seed < 400; seed++) {
            rng r = rng_seed(seed * RELATIONS + (uint64_t)how);
            couple c;
            relate(&r, (relation)how, &c);
            if (seed % 2) squeeze(&r, seed % 4 == 1 ? c.a : c.b);
            double unit = seed % 5 == 0   ? ldexp(1, rng_between(&r, -490, 490))
                          : seed % 5 == 1 ? 1e-9
                          : seed % 5 == 2 ? 1e9
                                          : 1;
            for (int k = 0; k < 3; k++)
                c.a[k] = point_between(vec3_make(0, 0, 0), unit, c.a[k]),
                c.b[k] = point_between(vec3_make(0, 0, 0), unit, c.b[k]);
            judge(&c, (relation)how, seed, &t);
        }
        printf("%-15s %ld asked, %ld meet, %ld within 1e-9; off by %.2g of the size, weights by %.2g\n",
               relation_names[how], t.asked, t.met, t.near, t.worst, t.weights);
        if (how >= CROSSING) assert_true(t.near >= 50);
        if (how == EQUAL) assert_true(t.met >= 190);
    }
}

// Small triangles far away: what counts is their own size, as long as the coordinates can tell.
static void test_far_away(void** state) {
    (void)state;
    tally t = {0};
    for (uint64_t seed = 0; seed < 600; seed++) {
        rng r = rng_seed(seed + 40000);
        couple c;
        relation how = (relation)(seed % RELATIONS);
        relate(&r, how, &c);
        apart_vec3 place = rng_in_cube(&r, rng_magnitude(&r, 5, 30));
        for (int k = 0; k < 3; k++) c.a[k] = vec3_add(c.a[k], place), c.b[k] = vec3_add(c.b[k], place);
        judge(&c, how, seed, &t);
    }
    printf("far away: %ld asked, off by %.2g of the size\n", t.asked, t.worst);
}

// Exchanged, turned over and begun at another corner: the same distance.
static void test_order(void** state) {
    (void)state;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        rng r = rng_seed(seed + 50000);
        couple c;
        relate(&r, (relation)(seed % RELATIONS), &c);
        if (seed % 2) squeeze(&r, c.b);
        const apart_vec3 turned[3] = {c.b[2], c.b[0], c.b[1]}, over[3] = {c.a[1], c.a[0], c.a[2]};
        double first = sqrt(apart_triangle_triangle(c.a, c.b, NULL, NULL));
        assert_true(fabs(first - sqrt(apart_triangle_triangle(c.b, c.a, NULL, NULL))) <= 1e-14);
        assert_true(fabs(first - sqrt(apart_triangle_triangle(over, turned, NULL, NULL))) <= 1e-14);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_relations),
        cmocka_unit_test(test_far_away),
        cmocka_unit_test(test_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

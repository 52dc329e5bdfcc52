// What hulls and supports are made of, one by one: the certificates of near.h against wider arithmetic, the check of a
// graph by hand-made hulls, the table of start vertices, and the SIMD kernels against each other.
#include "body/hull.h"
#include "body/near.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

// ------------------------------------------------------------------------------------------------ certificates ----

/// Distance of p from the plane of a triangle, in wider arithmetic.
static long double off_plane(const vec3 t[3], vec3 p) {
    long double a[3] = {(long double)t[1].x - t[0].x, (long double)t[1].y - t[0].y, (long double)t[1].z - t[0].z};
    long double b[3] = {(long double)t[2].x - t[0].x, (long double)t[2].y - t[0].y, (long double)t[2].z - t[0].z};
    long double q[3] = {(long double)p.x - t[0].x, (long double)p.y - t[0].y, (long double)p.z - t[0].z};
    long double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    return fabsl(n[0] * q[0] + n[1] * q[1] + n[2] * q[2]) / sqrtl(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

/// "Near" is never said of a point farther than HULL_SLACK, and nearly always of one within half of it.
static void test_near(void** state) {
    (void)state;
    rng r = rng_seed(43);
    int yes = 0, inside = 0, far = 0;
    for (int run = 0; run < 20000; run++) {
        vec3 corner[3], p = {0, 0, 0};
        double left = 1;
        for (int i = 0; i < 3; i++) {
            double w = i == 2 ? left : left * rng_unit(&r);
            corner[i] = rng_in_cube(&r, 0.5);
            p = vec3_mad(p, w, corner[i]);
            left -= w;
        }
        vec3 n = vec3_cross(vec3_sub(corner[1], corner[0]), vec3_sub(corner[2], corner[0]));
        p = vec3_mad(p, rng_uniform(&r, -12, 12) * 0x1p-53 / vec3_length(n), n);
        place t[3] = {{corner[0], corner[0]}, {corner[1], corner[1]}, {corner[2], corner[2]}};
        bool said = near_triangle(t, (place){p, p});
        long double off = off_plane(corner, p);
        if (said) assert_true(off <= HULL_SLACK * (1 + 1e-3L));
        inside += off <= HULL_SLACK / 2;
        yes += said && off <= HULL_SLACK / 2;
        far += off > HULL_SLACK;
    }
    print_message("near: %d of %d points within half the slack are accepted, none of %d beyond it\n", yes, inside, far);
    assert_true(yes > inside * 99 / 100 && far > 5000);
}

/// Beside a segment, and in and around a tetrahedron.
static void test_near_segment_and_inside(void** state) {
    (void)state;
    vec3 t[4] = {{0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}, {0, 0, 0}};
    const place corner[4] = {{t[0], t[0]}, {t[1], t[1]}, {t[2], t[2]}, {t[3], t[3]}};
    const vec3 in[] = {{0.1, 0.1, 0.1}, {0, 0, 0}, {0.25, 0.25, 0}, {0.5, 0, 0}, {0.125, 0.125, 0.25}, {0x1p-60, 0, 0}};
    const vec3 out[] = {{-0x1p-50, 0.1, 0.1}, {0.25, 0.25, 0x1p-50}, {0.5 + 0x1p-50, 0, 0}, {0.3, 0.3, 0.3}, {1, 1, 1}};
    for (size_t i = 0; i < sizeof in / sizeof *in; i++) assert_true(near_simplex(corner, 4, (place){in[i], in[i]}));
    for (size_t i = 0; i < sizeof out / sizeof *out; i++)
        assert_false(near_simplex(corner, 4, (place){out[i], out[i]}));
    place a = {t[0], t[0]}, b = {t[1], t[1]};
    vec3 middle = {0.25, 0.25, 0}, above = {0.25, 0.25, 0x1.8p-51}, beside = {0.25, 0.25, 0x1p-52},
         past = {0.6, -0.1, 0};
    assert_true(near_segment(a, b, (place){middle, middle}) && near_segment(a, b, (place){beside, beside}));
    assert_true(near_segment(a, b, a) && near_segment(a, a, a));
    assert_false(near_segment(a, b, (place){above, above}) || near_segment(a, b, (place){past, past}));
}

// ------------------------------------------------------------------------------------------------------- graph ----

/// A cube as a hull by hand, with corner 7 at `corner`.
static hull cube_by_hand(vec3 seen[8], uint32_t* numbers, vec3 corner) {
    static const uint32_t loops[24] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
    for (uint32_t i = 0; i < 8; i++) {
        double x = i & 1 ? 0.5 : -0.5, y = i & 2 ? 0.5 : -0.5, z = i & 4 ? 0.5 : -0.5;
        seen[i] = vec3_make(x, y, z);
        numbers[i] = i;
    }
    seen[7] = corner;
    for (uint32_t i = 0; i < 24; i++) numbers[8 + i] = loops[i];
    for (uint32_t i = 0; i <= 6; i++) numbers[32 + i] = 4 * i;
    return (hull){.dimension = 3,
                  .climbable = true,
                  .count = 8,
                  .vertex = numbers,
                  .face = {.count = 6, .corner = numbers + 8, .first = numbers + 32}};
}

/// The check of a graph: closed or not, flat or not, convex or not.
static void test_climbable(void** state) {
    (void)state;
    const vec3 one = {1, 1, 1};
    // A cube; faces that are bent by a few roundings, by many; a corner pushed in; a bend that a shrunk axis hides.
    const struct {
        vec3 corner, shrink;
        bool climbable;
    } cases[] = {{{0.5, 0.5, 0.5}, one, true},
                 {{0.5, 0.5, 0.5 + 0x1p-51}, one, true},
                 {{0.5, 0.5, 0.5 + 0x1p-44}, one, false},
                 {{0.5, 0.5, 0.5 + 0x1p-44}, {1, 1, 0x1p-10}, true},
                 {{-0.4, -0.4, 0.5}, one, false},
                 {{0.5, 0.5, -0.6}, one, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vec3 seen[8];
        uint32_t numbers[40];
        hull h = cube_by_hand(seen, numbers, cases[i].corner);
        assert_true(apart_hull_link(&h));
        assert_true(apart_hull_is_closed(&h));
        assert_int_equal(h.first[8], 24);
        assert_true(apart_hull_check_climbable(&h, seen, cases[i].shrink));
        assert_int_equal(h.climbable, cases[i].climbable);
        free(h.first);
        free(h.neighbour);
    }
    // One face less, or one of them turned round, and it is not closed.
    for (int turned = 0; turned < 2; turned++) {
        vec3 seen[8];
        uint32_t numbers[40];
        hull h = cube_by_hand(seen, numbers, vec3_make(0.5, 0.5, 0.5));
        if (turned)
            numbers[9] = 1, numbers[11] = 2;
        else
            h.face.count = 5;
        assert_true(apart_hull_link(&h));
        assert_false(apart_hull_is_closed(&h));
        free(h.first);
        free(h.neighbour);
    }
}

/// An octahedron whose top goes down through the middle: its triangles are flat and convex, its edges only at first.
static void test_climbable_edges(void** state) {
    (void)state;
    const double tops[] = {0.5, 1e-3, 1e-12, 0, -1e-12, -0.1};
    for (size_t i = 0; i < sizeof tops / sizeof *tops; i++) {
        vec3 seen[6] = {{0.5, 0, 0}, {0, 0.5, 0}, {-0.5, 0, 0}, {0, -0.5, 0}, {0, 0, tops[i]}, {0, 0, -0.5}};
        uint32_t vertex[6] = {0, 1, 2, 3, 4, 5}, first[9] = {0, 3, 6, 9, 12, 15, 18, 21, 24};
        uint32_t loops[24] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4, 1, 0, 5, 2, 1, 5, 3, 2, 5, 0, 3, 5};
        hull h = {.dimension = 3,
                  .climbable = true,
                  .count = 6,
                  .vertex = vertex,
                  .face = {.count = 8, .corner = loops, .first = first}};
        assert_true(apart_hull_link(&h));
        assert_true(apart_hull_is_closed(&h));
        assert_true(apart_hull_check_climbable(&h, seen, vec3_make(1, 1, 1)));
        assert_int_equal(h.climbable, tops[i] > 0);
        free(h.first);
        free(h.neighbour);
    }
}

// ------------------------------------------------------------------------------------------------------- cells ----

/// There is a cell for every direction.
static void test_cells(void** state) {
    (void)state;
    const double parts[] = {0, -0.0, 1, -1, 0x1p-1074, -0x1p-1074, 1e-300, 1e300, -1e300, 0.3, -0.3};
    const int count = sizeof parts / sizeof *parts;
    for (uint32_t cells = 1; cells <= 64; cells++)
        for (int i = 0; i < count * count * count; i++) {
            vec3 d = {parts[i % count], parts[i / count % count], parts[i / count / count]};
            assert_true(shape_cell(cells, d) < 2 * cells * cells);
        }
    // All cells are used: random directions reach each of them.
    bool seen[2 * 9 * 9] = {false};
    rng r = rng_seed(5);
    int reached = 0;
    for (int i = 0; i < 20000; i++) {
        uint32_t cell = shape_cell(9, rng_unit_vector(&r));
        reached += !seen[cell];
        seen[cell] = true;
    }
    assert_int_equal(reached, 162);
}

/// Bodies with an edge between vertices 0 and 1 that is nearly square to a whole border of cells: along directions just
/// inside the border, by less than a billionth, vertex 0 is farther by less than that, and elsewhere in the cell 1 is.
static void test_border_of_cells(void** state) {
    (void)state;
    rng r = rng_seed(7);
    int listed = 0;
    for (int run = 0; run < 200; run++) {
        // The cell x - y >= border, y < 0 of a body with about 140 vertices, beside the plane y = 0.
        const double border = 5.0 / 6, off = rng_uniform(&r, 0.1, 0.9) * (2 * border - 1) * 0x1p-30 / 12,
                     tilt = 0x1p-30;
        vec3 e = {1 - border + tilt * (border - 1) - off, border - 1 - tilt * (border + 1) + off,
                  tilt * border - border - off};
        vec3 d = {border, -0x1p-50, 1 - border - 0x1p-49}, point[142];
        e = vec3_scale(0.05 / vec3_length(e), e);
        for (int i = 0; i < 142; i++) point[i] = vec3_scale(0.8, rng_unit_vector(&r));
        point[0] = vec3_mad(vec3_neg(e), 0.9 / vec3_length(d), d);
        point[1] = vec3_mad(e, 0.9 / vec3_length(d), d);
        apart_shape* shape = apart_shape_points(point, 142, 0, NULL);
        assert_int_equal(shape->polytope.cells, 12);
        listed += shape_list(&shape->polytope, d)[1] != NOT_LISTED;
        assert_int_equal(apart_support_find(shape, d, SEARCH_LINEAR, 0).vertex, 0);
        assert_int_equal(apart_support_find(shape, d, SEARCH_BEST, 0).vertex, 0);
        apart_shape_release(shape);
    }
    assert_true(listed > 100);
}

// --------------------------------------------------------------------------------------------------------- SIMD ----

static uint32_t brute_force_argmax(const double* x, const double* y, const double* z, uint32_t count, vec3 d) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < count; i++)
        if (x[i] * d.x + y[i] * d.y + z[i] * d.z > x[best] * d.x + y[best] * d.y + z[best] * d.z) best = i;
    return best;
}

/// All kernels return the same vertex, ties included.
static void test_kernels_agree(void** state) {
    (void)state;
    _Alignas(64) static double x[1024], y[1024], z[1024];
    rng r = rng_seed(11);
    int ties = 0;
    for (int run = 0; run < 20000; run++) {
        uint32_t padded = (uint32_t)(run % 4 ? rng_between(&r, 1, 12) : rng_between(&r, 1, 100)) * LANES;
        // Small whole numbers make ties, signed zeros among them.
        bool whole = rng_chance(&r, 0.5);
        for (uint32_t i = 0; i < padded; i++) {
            vec3 p = rng_in_cube(&r, 2);
            x[i] = whole ? trunc(p.x) : p.x;
            y[i] = whole ? trunc(p.y) : p.y;
            z[i] = whole ? trunc(p.z) : p.z;
        }
        vec3 d = rng_in_cube(&r, 2);
        if (whole) d = vec3_make(trunc(d.x), trunc(d.y), trunc(d.z));
        uint32_t expected = brute_force_argmax(x, y, z, padded, d);
        double most = x[expected] * d.x + y[expected] * d.y + z[expected] * d.z;
        for (uint32_t i = expected + 1; i < padded; i++) ties += x[i] * d.x + y[i] * d.y + z[i] * d.z == most;
        for (int k = 0; apart_kernels_at(k); k++)
            assert_int_equal(apart_kernels_at(k)->argmax(x, y, z, padded, &d), expected);
    }
    print_message("all kernels agree on 20000 searches with %d ties\n", ties);
    assert_true(ties > 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_near),          cmocka_unit_test(test_near_segment_and_inside),
        cmocka_unit_test(test_climbable),     cmocka_unit_test(test_climbable_edges),
        cmocka_unit_test(test_cells),         cmocka_unit_test(test_border_of_cells),
        cmocka_unit_test(test_kernels_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

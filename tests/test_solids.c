// What is inside, of surfaces as exporters write them: noisy seams, shared walls, repeated faces, slits and small
// holes, solids in and across each other, surfaces that enclose nothing. Each has a formula for its inside; points at
// some distance from the surface are asked through the public query, at any size and place.
#include "base/vec.h"
#include "mesh_models.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef bool (*inside_fn)(apart_vec3 p);

static double max_norm(apart_vec3 p) { return fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))); }
static bool in_nothing(apart_vec3 p) {
    (void)p;
    return false;
}
static bool in_cube(apart_vec3 p) { return max_norm(p) < 0.5; }
static bool in_ball(apart_vec3 p) { return vec3_length(p) < 0.97; }
static bool in_tube(apart_vec3 p) { return fabs(p.z) < 0.5 && p.x * p.x + p.y * p.y < 0.25; }
static bool in_two_cubes(apart_vec3 p) { return in_cube(p) || in_cube(vec3_sub(p, vec3_make(1, 0, 0))); }
static bool in_block(apart_vec3 p) { return max_norm(p) < 1.5; }
static bool in_wall(apart_vec3 p) { return max_norm(p) < 0.5 && max_norm(p) > 0.25; }
static bool in_cross(apart_vec3 p) { return in_cube(p) || in_cube(vec3_sub(p, vec3_make(0.25, 0.25, 0.25))); }

/// Asks about points of a cube around the surface that are at least `clear` away from it.
static void expect_inside(const char* what, const surface* given, inside_fn inside, double clear) {
    int seen[2] = {0, 0};
    rng r = rng_seed(77);
    for (int place = 0; place < 4; place++) {
        surface s = surface_copy(given);
        apart_vec3 shift = place & 1 ? vec3_make(30, -20, 10) : vec3_make(0, 0, 0);
        double scale = ldexp(1, place & 2 ? -200 : 0);
        // A file is noisy where it is: shifted by its pose, scaled exactly.
        surface_scale(&s, scale);
        apart_pose pose = rng_pose(&r, vec3_scale(scale, shift));
        apart_shape *shape = surface_shape(&s, NULL), *dot = apart_shape_sphere(0, NULL);
        assert_true(shape && dot);
        for (int i = 0; i < 300; i++) {
            apart_vec3 p = rng_in_cube(&r, i % 3 ? 1 : 2), at = pose.translation, q = vec3_scale(scale, p);
            at.x += vec3_dot(vec3_make(pose.rotation.m[0][0], pose.rotation.m[0][1], pose.rotation.m[0][2]), q);
            at.y += vec3_dot(vec3_make(pose.rotation.m[1][0], pose.rotation.m[1][1], pose.rotation.m[1][2]), q);
            at.z += vec3_dot(vec3_make(pose.rotation.m[2][0], pose.rotation.m[2][1], pose.rotation.m[2][2]), q);
            apart_pose there = {apart_pose_identity.rotation, at};
            apart_query query = apart_query_default();
            apart_result result;
            assert_int_equal(apart_distance(shape, &pose, dot, &there, &query, NULL, &result), APART_OK);
            double gap = result.distance / scale;
            if (gap > 0 && gap < clear) continue;
            bool held = inside(p);
            if (gap == 0 && !held) {
                // Perhaps so near to the wall that it touches: ask again with nothing inside.
                s.hollow = true;
                apart_shape* hollow = surface_shape(&s, NULL);
                assert_int_equal(apart_distance(hollow, &pose, dot, &there, &query, NULL, &result), APART_OK);
                apart_shape_release(hollow);
                if (result.distance / scale < clear) continue;
            }
            seen[held]++;
            if (held != (gap == 0))
                fail_msg("%s: (%g, %g, %g) is %s", what, p.x, p.y, p.z, held ? "inside, and called apart" : "outside");
        }
        apart_shape_release(shape);
        apart_shape_release(dot);
        surface_free(&s);
    }
    print_message("%s: %d inside, %d outside\n", what, seen[1], seen[0]);
    assert_true(seen[0] > 100 && (inside == in_nothing || seen[1] > 20));
}

static surface unit_cube(int cells) { return model_box(vec3_make(0.5, 0.5, 0.5), cells); }

static surface joined(surface a, surface b) {
    surface s = surface_make(a.vertex_count + b.vertex_count, a.triangle_count + b.triangle_count);
    surface_append(&s, &a);
    surface_append(&s, &b);
    surface_free(&a);
    surface_free(&b);
    return s;
}

static surface shifted(surface s, double x, double y, double z) {
    surface_shift(&s, vec3_make(x, y, z));
    return s;
}

/// Every corner of every triangle a bit off.
static surface shaken(surface s, double noise) {
    rng r = rng_seed(3);
    surface_unshare(&s);
    for (size_t i = 0; i < s.vertex_count; i++) s.vertex[i] = vec3_add(s.vertex[i], rng_in_cube(&r, noise));
    return s;
}

static void test_noisy_seams(void** state) {
    (void)state;
    for (int power = -54; power <= -22; power += 8) {
        char name[64];
        snprintf(name, sizeof name, "corners off by 2^%d", power);
        surface s = shaken(unit_cube(4), ldexp(1, power));
        expect_inside(name, &s, in_cube, 1e-3);
        surface_free(&s);
    }
}

/// A tube of n sides whose lids have rims of their own, off by `gap`: no corner of them is in the same place.
static surface lidded_tube(int n, double gap) {
    surface s = surface_make((size_t)(4 * n + 2), (size_t)(4 * n));
    uint32_t top = surface_vertex(&s, 0, 0, 0.5), bottom = surface_vertex(&s, 0, 0, -0.5);
    for (int i = 0; i < n; i++) {
        // Points of a circle without a sine: the rational way, an eighth at a time.
        double t = (double)(i % (n / 4)) / (n / 4), c = (1 - t * t) / (1 + t * t), d = 2 * t / (1 + t * t);
        double turn[4][2] = {{c, d}, {-d, c}, {-c, -d}, {d, -c}};
        double x = 0.5 * turn[i / (n / 4)][0], y = 0.5 * turn[i / (n / 4)][1];
        surface_vertex(&s, x, y, 0.5);
        surface_vertex(&s, x, y, -0.5);
        surface_vertex(&s, x, y + gap, 0.5 + gap);
        surface_vertex(&s, x + gap, y, -0.5 - gap);
    }
    for (int i = 0; i < n; i++) {
        uint32_t a = (uint32_t)(2 + 4 * i), b = (uint32_t)(2 + 4 * ((i + 1) % n));
        surface_triangle(&s, a, a + 1, b + 1);
        surface_triangle(&s, a, b + 1, b);
        surface_triangle(&s, top, a + 2, b + 2);
        surface_triangle(&s, bottom, b + 3, a + 3);
    }
    return s;
}

static void test_lids(void** state) {
    (void)state;
    const double gap[4] = {0, 0x1p-50, 0x1p-44, 0x1p-24};
    for (int i = 0; i < 4; i++) {
        surface s = lidded_tube(48, gap[i]);
        expect_inside("a tube and its lids", &s, in_tube, 0.01);
        surface_free(&s);
    }
    surface s = lidded_tube(48, 0x1p-3);
    expect_inside("a tube and its lids, beside", &s, in_nothing, 0.01);
    surface_free(&s);
}

/// A sphere cut open along the equator, but for a piece of it, its upper half lifted there.
static surface slit_sphere(double lift) {
    surface whole = model_sphere(5), s = surface_make(2 * whole.vertex_count, whole.triangle_count);
    for (int upper = 0; upper < 2; upper++)
        for (size_t i = 0; i < whole.vertex_count; i++) {
            apart_vec3 p = whole.vertex[i];
            surface_vertex(&s, p.x, p.y, p.z + (upper && p.z == 0 && p.x < 0.9 ? lift : 0));
        }
    for (size_t t = 0; t < whole.triangle_count; t++) {
        const uint32_t* v = whole.triangle[t];
        bool upper = whole.vertex[v[0]].z + whole.vertex[v[1]].z + whole.vertex[v[2]].z > 0;
        uint32_t add = upper ? (uint32_t)whole.vertex_count : 0;
        surface_triangle(&s, v[0] + add, v[1] + add, v[2] + add);
    }
    surface_free(&whole);
    return s;
}

static void test_slit(void** state) {
    (void)state;
    surface s = slit_sphere(1e-4);
    expect_inside("a sphere with a slit", &s, in_ball, 0.03);
    surface_free(&s);
    s = slit_sphere(0.4);
    expect_inside("a gaping sphere", &s, in_nothing, 0.03);
    surface_free(&s);
}

static void test_shared_walls(void** state) {
    (void)state;
    surface two = joined(unit_cube(1), shifted(unit_cube(1), 1, 0, 0));
    expect_inside("two cubes with a common wall", &two, in_two_cubes, 1e-3);
    surface_free(&two);
    two = joined(unit_cube(2), shifted(unit_cube(2), 1, 0, 0));
    expect_inside("the same of more triangles", &two, in_two_cubes, 1e-3);
    surface_free(&two);
    surface block = surface_make(27 * 26, 27 * 12);
    for (int i = 0; i < 27; i++) {
        surface one = shifted(unit_cube(1), i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
        surface_append(&block, &one);
        surface_free(&one);
    }
    expect_inside("voxels", &block, in_block, 1e-3);
    surface noisy = shaken(block, 0x1p-50);
    expect_inside("noisy voxels", &noisy, in_block, 1e-3);
    surface_free(&noisy);
}

static void test_repeats(void** state) {
    (void)state;
    surface s = unit_cube(1), copy = surface_copy(&s);
    surface_keep(&copy, 5, 1);
    surface_append(&s, &copy);
    expect_inside("a triangle written twice", &s, in_cube, 1e-3);
    surface_free(&copy);
    copy = surface_copy(&s);
    surface_append(&s, &copy);
    expect_inside("all of them written twice", &s, in_cube, 1e-3);
    surface_free(&copy);
    surface_free(&s);
    // A sheet on both sides encloses nothing, and changes nothing of a cube that it passes through.
    surface sheet = model_sheet(4), back = surface_copy(&sheet);
    surface_invert(&back);
    surface both = joined(sheet, back);
    expect_inside("a sheet on both sides", &both, in_nothing, 1e-3);
    surface with = joined(both, unit_cube(2));
    expect_inside("a cube and a sheet", &with, in_cube, 1e-3);
    surface_free(&with);
}

static void test_solids_together(void** state) {
    (void)state;
    surface hole = model_box(vec3_make(0.25, 0.25, 0.25), 2);
    surface_invert(&hole);
    surface s = joined(unit_cube(2), surface_copy(&hole));
    expect_inside("a cavity", &s, in_wall, 1e-3);
    surface_invert(&s);
    expect_inside("a cavity, all inside out", &s, in_wall, 1e-3);
    surface_free(&s);
    rng r = rng_seed(5);
    surface_mix_orientation(&hole, &r);
    s = joined(unit_cube(2), hole);
    expect_inside("a cavity that is turned every which way", &s, in_wall, 1e-3);
    surface_free(&s);
    s = joined(unit_cube(2), shifted(unit_cube(3), 0.25, 0.25, 0.25));
    expect_inside("two across each other", &s, in_cross, 1e-3);
    surface_free(&s);
}

static void test_nothing_inside(void** state) {
    (void)state;
    surface s = model_sheet(8);
    expect_inside("a sheet", &s, in_nothing, 1e-3);
    surface_free(&s);
    s = unit_cube(1);
    surface_keep(&s, 2, 10);
    expect_inside("a box without a lid", &s, in_nothing, 1e-3);
    surface_free(&s);
    s = model_cup(3);
    expect_inside("a cup", &s, in_nothing, 1e-3);
    surface_free(&s);
}

/// A box without a lid beside a cube that is so much larger that the box is as small as what counts as noise of it.
static void test_small_and_open(void** state) {
    (void)state;
    for (int power = -14; power >= -38; power -= 4) {
        double size = ldexp(1, power);
        surface s = unit_cube(1), cube = unit_cube(1);
        surface_keep(&s, 2, 10);
        surface_scale(&s, size);
        surface_shift(&cube, vec3_make(2, 0, 0));
        surface_append(&s, &cube);
        apart_shape *shape = surface_shape(&s, NULL), *dot = apart_shape_sphere(0, NULL);
        apart_shape_info info;
        apart_result r;
        assert_int_equal(apart_shape_describe(shape, &info), APART_OK);
        assert_int_equal(info.solids, 1);
        assert_int_equal(info.open_edges, 4);
        assert_int_equal(apart_distance(shape, &apart_pose_identity, dot, &apart_pose_identity, NULL, NULL, &r), 0);
        assert_true(fabs(r.distance - size / 2) < 1e-13);
        apart_shape_release(shape);
        apart_shape_release(dot);
        surface_free(&s);
        surface_free(&cube);
    }
}

/// What is said of a surface that is nearly a solid: so many open edges, and where the largest hole is.
static void test_largest_hole(void** state) {
    (void)state;
    apart_shape_info info;
    surface s = unit_cube(4);
    size_t kept = 0;
    // A hole of one by one cells in one side, two by two in another.
    for (size_t t = 0; t < s.triangle_count; t++) {
        apart_vec3 middle = {0, 0, 0};
        for (int k = 0; k < 3; k++) middle = vec3_mad(middle, 1.0 / 3, s.vertex[s.triangle[t][k]]);
        bool large = middle.x > 0.49 && fabs(middle.y) < 0.25 && fabs(middle.z) < 0.25;
        bool small = middle.z < -0.49 && middle.x > 0.25 && middle.y > 0.25;
        if (!large && !small) memmove(s.triangle[kept++], s.triangle[t], sizeof *s.triangle);
    }
    s.triangle_count = kept;
    apart_shape* shape = surface_shape(&s, NULL);
    assert_int_equal(apart_shape_describe(shape, &info), APART_OK);
    assert_int_equal(info.solids, 0);
    assert_int_equal(info.almost_solids, 1);
    assert_int_equal(info.holes, 2);
    assert_int_equal(info.open_edges, 4 + 8);
    assert_true(info.hole_lower.x == 0.5 && info.hole_lower.y == -0.25 && info.hole_lower.z == -0.25);
    assert_true(info.hole_upper.x == 0.5 && info.hole_upper.y == 0.25 && info.hole_upper.z == 0.25);
    apart_shape_release(shape);
    surface_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_noisy_seams),    cmocka_unit_test(test_lids),
        cmocka_unit_test(test_slit),           cmocka_unit_test(test_shared_walls),
        cmocka_unit_test(test_repeats),        cmocka_unit_test(test_solids_together),
        cmocka_unit_test(test_nothing_inside), cmocka_unit_test(test_small_and_open),
        cmocka_unit_test(test_largest_hole),
    };
    return cmocka_run_group_tests_name("solids", tests, NULL, NULL);
}

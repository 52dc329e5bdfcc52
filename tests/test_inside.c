// Inside or outside? Rays through the tree against solid angles over all triangles, in long double: two ways that have
// nothing in common. Points anywhere, next to the surface, on its lattice, and where rays pass corners and edges.
#include "mesh/rays.h"

#include "mesh_models.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

// --------------------------------------------------------------------------------------------------------- truth ----

typedef struct wide {
    long double x, y, z;
} wide;

static wide wide_sub(vec3 a, vec3 b) {
    return (wide){(long double)a.x - b.x, (long double)a.y - b.y, (long double)a.z - b.z};
}
static long double wide_dot(wide a, wide b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static wide wide_cross(wide a, wide b) {
    return (wide){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// The solid angle of a triangle, with its sign, in parts of the whole sphere (Van Oosterom and Strackee 1983).
static long double solid_angle(const vec3 t[3], vec3 p) {
    wide a = wide_sub(t[0], p), b = wide_sub(t[1], p), c = wide_sub(t[2], p);
    long double x = sqrtl(wide_dot(a, a)), y = sqrtl(wide_dot(b, b)), z = sqrtl(wide_dot(c, c));
    long double below = x * y * z + wide_dot(a, b) * z + wide_dot(a, c) * y + wide_dot(b, c) * x;
    return atan2l(wide_dot(a, wide_cross(b, c)), below) / (2 * 3.14159265358979323846264338327950288L);
}

// A model as the library has it, and how it was before triangles were turned over. The solid has at every point the
// winding number of the triangles of `sound`.
typedef struct subject {
    apart_shape* shape;
    surface sound;
    const char* name;
} subject;

// Corners as the shape stores them: the library answers for those.
static void corners_of(const subject* s, size_t t, vec3 to[3]) {
    for (int k = 0; k < 3; k++) to[k] = s->shape->mesh->vertex[s->sound.triangle[t][k]];
}

static double winding(const subject* s, vec3 p) {
    long double sum = 0;
    vec3 t[3];
    for (size_t i = 0; i < s->sound.triangle_count; i++) {
        corners_of(s, i, t);
        sum += solid_angle(t, p);
    }
    return (double)sum;
}

static double surface_distance(const subject* s, vec3 p) {
    double least = INFINITY;
    vec3 t[3];
    for (size_t i = 0; i < s->sound.triangle_count; i++) {
        corners_of(s, i, t);
        least = smaller(least, apart_point_triangle(p, t, NULL));
    }
    return sqrt(least);
}

// ------------------------------------------------------------------------------------------------------- subjects ----

static surface joined(surface a, surface b) {
    surface s = surface_make(a.vertex_count + b.vertex_count, a.triangle_count + b.triangle_count);
    surface_append(&s, &a);
    surface_append(&s, &b);
    surface_free(&a);
    surface_free(&b);
    return s;
}

static surface scaled(surface s, double factor) {
    surface_scale(&s, factor);
    return s;
}

static surface shifted(surface s, double x, double y, double z) {
    surface_shift(&s, (apart_vec3){x, y, z});
    return s;
}

static surface inverted(surface s) {
    surface_invert(&s);
    return s;
}

#define SUBJECTS 13

static surface subject_surface(int which, const char** name) {
    static const char* const names[SUBJECTS] = {"octahedron",
                                                "sphere",
                                                "torus",
                                                "thin torus",
                                                "knot",
                                                "box",
                                                "cut box",
                                                "bracket",
                                                "cavity",
                                                "core in a cavity",
                                                "overlapping shells",
                                                "two beside each other",
                                                "inside out"};
    *name = names[which];
    switch (which) {
    case 0:
        return model_sphere(0);
    case 1:
        return model_sphere(3);
    case 2:
        return model_torus(24, 12, 0.25);
    case 3:
        return model_torus(40, 4, 0.01);
    case 4:
        return model_knot(60, 8);
    case 5:
        return model_box(vec3_make(0.5, 0.25, 0.75), 1);
    case 6:
        return model_box(vec3_make(0.5, 0.5, 0.5), 4);
    case 7:
        return model_bracket();
    case 8:
        return joined(model_sphere(2), inverted(scaled(model_sphere(2), 0.6)));
    case 9:
        return joined(joined(model_sphere(2), inverted(scaled(model_sphere(1), 0.7))), scaled(model_sphere(1), 0.3));
    case 10:
        return joined(model_sphere(2), shifted(model_sphere(2), 0.7, 0.1, 0.2));
    case 11:
        return joined(scaled(model_sphere(2), 0.4), shifted(scaled(model_knot(24, 4), 0.3), 0.9, 0, 0));
    default:
        return inverted(model_torus(12, 8, 0.25));
    }
}

// mixed: about half of the triangles are turned over, so that crossings can only be counted.
static subject subject_make(int which, bool mixed, rng* r) {
    subject s = {0};
    s.sound = subject_surface(which, &s.name);
    if (rng_chance(r, 0.2)) surface_shift(&s.sound, rng_in_cube(r, 50));
    if (rng_chance(r, 0.3)) surface_scale(&s.sound, ldexp(1, rng_between(r, -300, 300)));
    surface given = surface_copy(&s.sound);
    if (mixed) surface_mix_orientation(&given, r);
    s.shape = surface_shape(&given, NULL);
    surface_free(&given);
    assert_non_null(s.shape);
    assert_true(s.shape->mesh->topology.solids >= 1 && s.shape->mesh->topology.open_edges == 0);
    return s;
}

static void subject_free(subject* s) {
    apart_shape_release(s->shape);
    surface_free(&s->sound);
}

// --------------------------------------------------------------------------------------------------------- points ----

static vec3 any_corner(const subject* s, rng* r) {
    return s->shape->mesh->vertex[s->sound.triangle[rng_below(r, (int)s->sound.triangle_count)][rng_below(r, 3)]];
}

static vec3 on_triangle(const subject* s, rng* r) {
    vec3 t[3];
    corners_of(s, (size_t)rng_below(r, (int)s->sound.triangle_count), t);
    double u = rng_unit(r), v = rng_unit(r) * (1 - u);
    if (rng_chance(r, 0.3)) v = 0;
    return vec3_mad(vec3_mad(t[0], u, vec3_sub(t[1], t[0])), v, vec3_sub(t[2], t[0]));
}

// Anywhere in the box; beside the surface; in line with an edge; between two corners.
static vec3 any_point(const subject* s, rng* r) {
    vec3 a = any_corner(s, r), b = any_corner(s, r), low = s->shape->lower, high = s->shape->upper;
    switch (rng_below(r, 4)) {
    case 0:
        return vec3_make(rng_uniform(r, low.x, high.x), rng_uniform(r, low.y, high.y), rng_uniform(r, low.z, high.z));
    case 1:
        return vec3_mad(on_triangle(s, r), rng_magnitude(r, -45, -3), rng_unit_vector(r));
    case 2:
        return vec3_mad(a, rng_uniform(r, -1, 2), vec3_sub(b, a));
    default:
        return vec3_mad(a, rng_unit(r), vec3_sub(b, a));
    }
}

typedef struct tally {
    long inside, outside, near, surface;
} tally;

// The answer for one point. On the surface, as far as numbers tell, any
// answer is right; a little farther off it may be left open, but not wrong.
static void check_point(const subject* s, vec3 p, tally* t) {
    inside answer = apart_inside(s->shape, p, 0);
    double distance = surface_distance(s, p);
    if (distance <= 0x1p-46) {
        t->surface++;
        return;
    }
    double w = winding(s, p);
    assert_true(fabs(w - nearbyint(w)) < 1e-3);
    bool held = fabs(w) > 0.5;
    t->inside += held;
    t->outside += !held;
    t->near += distance < 0x1p-20;
    if (answer == (held ? INSIDE_SOLID : OUTSIDE) || (answer == ON_SURFACE && distance < 0x1p-40)) return;
    fail_msg("%s: (%a, %a, %a), %g from the surface, wound about %g times: answer %d", s->name, p.x, p.y, p.z, distance,
             w, (int)answer);
}

static void test_closed(void** state) {
    (void)state;
    for (int which = 0; which < SUBJECTS; which++)
        for (int mixed = 0; mixed < 2; mixed++) {
            // Shells that overlap need their orientation.
            if (mixed && which == 10) continue;
            tally t = {0};
            for (uint64_t seed = 0; seed < 4; seed++) {
                rng r = rng_seed(seed * 100 + (uint64_t)(2 * which + mixed));
                subject s = subject_make(which, mixed, &r);
                for (int i = 0; i < 400; i++) check_point(&s, any_point(&s, &r), &t);
                if (seed == 0) print_message("%s%s", s.name, mixed ? ", mixed" : "");
                subject_free(&s);
            }
            print_message(": %ld inside, %ld outside, %ld of them near; %ld on the surface\n", t.inside, t.outside,
                          t.near, t.surface);
            assert_true(t.inside >= 40 && t.outside >= 40 && t.near >= 40);
        }
}

// A cube cut by planes at whole numbers, and points with whole and half coordinates: in line with corners and edges, in
// the planes of faces, on the surface.
static void test_lattice(void** state) {
    (void)state;
    tally t = {0};
    for (int cells = 1; cells <= 4; cells++) {
        subject s = {.name = "lattice"};
        s.sound = model_box(vec3_make(cells, cells, cells), cells);
        s.shape = surface_shape(&s.sound, NULL);
        assert_non_null(s.shape);
        for (int i = 0; i < 25 * 25 * 25; i++) {
            vec3 p = {(i % 25 - 12) / 2.0, (i / 25 % 25 - 12) / 2.0, (i / 625 - 12) / 2.0};
            bool within = vec3_max_abs(p) < cells, on = vec3_max_abs(p) == cells;
            inside answer = apart_inside(s.shape, shape_to_stored(s.shape, p), 0);
            t.surface += on;
            t.inside += within;
            if (!on) assert_int_equal(answer, within ? INSIDE_SOLID : OUTSIDE);
        }
        subject_free(&s);
    }
    print_message("lattice: %ld inside, %ld on the surface\n", t.inside, t.surface);
}

// The directions of rays.c, which begins with ray 0. (If it has others by now, this test is only less hard.)
static vec3 ray_of(int ray, vec3 out) {
    static const double sine[8] = {0.0871557427, 0.7933533403,  -0.6691306064, -0.2419218956,
                                   0.9612616959, -0.6087614290, -0.4383711468, 0.9743700648};
    int i = ray & 7, j = (ray * 3 + 1) & 7;
    vec3 turn = vec3_make(sine[i], sine[j], sine[(i + j + ray / 8) & 7] + 0.0123456789);
    return vec3_unit(ray == 0 ? vec3_mad(vec3_unit(out), 0.173, turn) : turn);
}

// A point at `back` from the target whose ray leads there. The first ray depends on the point: a few steps to it.
static vec3 start_of(const apart_shape* s, int ray, vec3 target, double back) {
    vec3 p = vec3_mad(s->center, 0.5, vec3_sub(target, s->center));
    for (int step = 0; step < 60; step++) p = vec3_mad(target, -back, ray_of(ray, vec3_sub(p, s->center)));
    return p;
}

static void test_rays_through_corners(void** state) {
    (void)state;
    tally t = {0};
    for (int which = 0; which < SUBJECTS; which++) {
        rng r = rng_seed((uint64_t)which + 5000);
        subject s = subject_make(which, false, &r);
        for (int i = 0; i < 1200; i++) {
            vec3 a = any_corner(&s, &r), b[3];
            corners_of(&s, (size_t)rng_below(&r, (int)s.sound.triangle_count), b);
            vec3 target = i % 2 ? a : vec3_mad(b[0], i % 3 ? 0.5 : rng_unit(&r), vec3_sub(b[1], b[0]));
            check_point(&s, start_of(s.shape, i % 4 ? 0 : 1 + i / 4 % 3, target, rng_uniform(&r, 0.001, 1)), &t);
        }
        subject_free(&s);
    }
    print_message("rays through corners and edges: %ld inside, %ld outside\n", t.inside, t.outside);
    assert_true(t.inside >= 1000 && t.outside >= 1000);
}

// Points next to a corner, an edge, or a face.
static void test_next_to_the_surface(void** state) {
    (void)state;
    tally t = {0};
    for (int which = 0; which < SUBJECTS; which++) {
        rng r = rng_seed((uint64_t)which + 6000);
        subject s = subject_make(which, which != 10 && which % 2, &r);
        for (int i = 0; i < 1500; i++) {
            vec3 p = i % 3 ? on_triangle(&s, &r) : any_corner(&s, &r);
            check_point(&s, vec3_mad(p, rng_magnitude(&r, -40, -2), rng_unit_vector(&r)), &t);
        }
        subject_free(&s);
    }
    print_message("next to the surface: %ld inside, %ld outside, %ld on it\n", t.inside, t.outside, t.surface);
    assert_true(t.inside >= 1000 && t.outside >= 1000);
}

// What is said to be clear is clear: no triangle comes as near as that.
static void test_clear(void** state) {
    (void)state;
    long clear = 0, near = 0, missed = 0;
    for (int which = 0; which < SUBJECTS; which++) {
        rng r = rng_seed((uint64_t)which + 8000);
        subject s = subject_make(which, false, &r);
        for (int i = 0; i < 400; i++) {
            vec3 p = any_point(&s, &r);
            double reach = rng_magnitude(&r, -14, -2), nearest = INFINITY;
            vec3 corner[3];
            for (size_t k = 0; k < s.sound.triangle_count; k++) {
                corners_of(&s, k, corner);
                nearest = smaller(nearest, sqrt(apart_segment_triangle(p, p, corner, NULL, NULL)));
            }
            bool said = apart_rays_are_clear(s.shape, p, reach);
            clear += said;
            near += nearest <= reach;
            missed += !said && nearest > 4 * reach;
            assert_false(said && nearest < reach * (1 - 0x1p-40));
        }
        subject_free(&s);
    }
    print_message("clear: %ld, %ld near the surface, %ld not known\n", clear, near, missed);
    assert_true(clear >= 1000 && near >= 1000 && missed <= clear);
}

// ------------------------------------------------------------------------------------------------ many components ----

// Loose triangles all over the box of a solid that do not meet it, all outside; the first of those that would be inside
// is added on demand. Lengths are those of the stored coordinates.
static surface loose_triangles(const subject* s, int count, bool one_inside, rng* r, uint32_t* inner) {
    surface loose = surface_make(3 * (size_t)count, (size_t)count);
    uint32_t chosen = one_inside ? (uint32_t)rng_below(r, count) : UINT32_MAX;
    *inner = chosen;
    while (loose.triangle_count < (size_t)count) {
        vec3 p = any_point(s, r);
        double clearance = surface_distance(s, p), w = fabs(winding(s, p));
        bool wanted = loose.triangle_count == chosen;
        // Of a surface with holes, only what sees little of them.
        if (clearance < 1e-6 || (wanted ? w < 0.95 : w > 0.05)) continue;
        uint32_t first = (uint32_t)loose.vertex_count;
        for (int k = 0; k < 3; k++) {
            vec3 q = vec3_mad(p, 0.9 * smaller(clearance, 0.02), rng_unit_vector(r));
            surface_vertex(&loose, q.x, q.y, q.z);
        }
        surface_triangle(&loose, first, first + 1, first + 2);
    }
    return loose;
}

// One triangle of hundreds is inside a solid, or none is: the distance is 0 or that of the surfaces, and the one is
// named.
static void test_many_components(void** state) {
    (void)state;
    long held = 0, leaky = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        rng r = rng_seed(seed + 9000);
        subject s = {.name = "solid"};
        s.sound = subject_surface((int)(seed % SUBJECTS), &s.name);
        bool open = seed % SUBJECTS == 1;
        if (open) surface_remove(&s.sound, (size_t)rng_below(&r, (int)s.sound.triangle_count));
        s.shape = surface_shape(&s.sound, NULL);
        surface around = s.sound;
        around.hollow = true;
        apart_shape* wall = surface_shape(&around, NULL);
        bool nested = rng_chance(&r, 0.5);
        uint32_t inner;
        surface loose = loose_triangles(&s, rng_between(&r, 1, 200), nested, &r, &inner);
        // From stored coordinates to those of the caller.
        for (size_t i = 0; i < loose.vertex_count; i++)
            loose.vertex[i] = vec3_add(vec3_scale(s.shape->scale, loose.vertex[i]), s.shape->origin);
        apart_shape* other = surface_shape(&loose, NULL);
        apart_pose pose = rng_pose(&r, rng_in_cube(&r, 3));
        apart_result x, y;
        assert_int_equal(apart_distance(s.shape, &pose, other, &pose, NULL, NULL, &x), APART_OK);
        assert_int_equal(apart_distance(wall, &pose, other, &pose, NULL, NULL, &y), APART_OK);
        assert_true(y.distance > 0);
        if (x.distance != (nested ? 0 : y.distance) || (nested && x.b.triangle != inner))
            fail_msg("%s, seed %d: %g, the surfaces %g apart, inside %d", s.name, (int)seed, x.distance, y.distance,
                     nested);
        held += nested;
        leaky += open;
        apart_shape_release(other);
        apart_shape_release(wall);
        surface_free(&loose);
        subject_free(&s);
    }
    print_message("many components: one inside %ld times of 60, holes %ld times\n", held, leaky);
    assert_true(held >= 15 && held <= 45 && leaky >= 4);
}

// A small solid around one of many loose triangles, anywhere among them, also at the rim of their boxes.
static void test_one_of_many(void** state) {
    (void)state;
    long corners = 0;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        rng r = rng_seed(seed + 12000);
        int count = rng_between(&r, 4, 200), chosen = rng_below(&r, count);
        bool lattice = rng_chance(&r, 0.3), open = rng_chance(&r, 0.2);
        double size = rng_magnitude(&r, -10, -4), flat = rng_chance(&r, 0.3) ? 0.01 : 1;
        surface loose = surface_make(3 * (size_t)count, (size_t)count), grain = model_sphere(open ? 4 : 1);
        vec3 middle = {0, 0, 0};
        for (int i = 0; i < count; i++) {
            vec3 p = rng_in_cube(&r, 1);
            if (lattice) p = vec3_make((i & 3) / 1.5 - 1, (i >> 2 & 3) / 1.5 - 1, (i >> 4) / 6.0 - 1);
            p.z *= flat;
            if (i == chosen) middle = p;
            for (int k = 0; k < 3; k++) {
                vec3 q = vec3_mad(p, size / 8, rng_unit_vector(&r));
                surface_vertex(&loose, q.x, q.y, q.z);
            }
            surface_triangle(&loose, 3 * (uint32_t)i, 3 * (uint32_t)i + 1, 3 * (uint32_t)i + 2);
        }
        if (open) surface_remove(&grain, (size_t)rng_below(&r, (int)grain.triangle_count));
        surface_scale(&grain, size);
        surface_shift(&grain, middle);
        apart_shape *a = surface_shape(&loose, NULL), *b = surface_shape(&grain, NULL);
        apart_pose pose = rng_pose(&r, rng_in_cube(&r, 3));
        apart_result x;
        assert_int_equal(apart_distance(a, &pose, b, &pose, NULL, NULL, &x), APART_OK);
        if (x.distance != 0) fail_msg("seed %d: %g", (int)seed, x.distance);
        corners += lattice;
        apart_shape_release(a);
        apart_shape_release(b);
        surface_free(&loose);
        surface_free(&grain);
    }
    assert_true(corners >= 500);
}

// A sphere from which triangles are missing here and there. Points that see little of the holes must be told right.
static void test_small_holes(void** state) {
    (void)state;
    long held = 0, free_ones = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        rng r = rng_seed(seed + 7000);
        subject s = {.name = "sphere with holes"};
        s.sound = model_sphere(4);
        bool mixed = seed % 3 == 1;
        for (int hole = rng_between(&r, 1, 6); hole > 0; hole--)
            surface_remove(&s.sound, (size_t)rng_below(&r, (int)s.sound.triangle_count));
        surface given = surface_copy(&s.sound);
        if (mixed) surface_mix_orientation(&given, &r);
        s.shape = surface_shape(&given, NULL);
        surface_free(&given);
        assert_non_null(s.shape);
        assert_int_equal(s.shape->mesh->topology.solids, 1);
        assert_true(s.shape->mesh->topology.holes >= 1);
        for (int i = 0; i < 200; i++) {
            vec3 p = vec3_scale(rng_uniform(&r, 0.1, 0.6), rng_in_ball(&r));
            double w = winding(&s, p);
            if ((w > 0.02 && w < 0.98) || surface_distance(&s, p) < 0x1p-40) continue;
            held += w > 0.5;
            free_ones += w < 0.5;
            if (apart_inside(s.shape, p, 0) != (w > 0.5 ? INSIDE_SOLID : OUTSIDE))
                fail_msg("seed %d: (%a, %a, %a), wound about %g times", (int)seed, p.x, p.y, p.z, w);
        }
        subject_free(&s);
    }
    print_message("small holes: %ld inside, %ld outside\n", held, free_ones);
    assert_true(held >= 1000 && free_ones >= 300);
}

// Nothing is inside a surface that is open, hollow, or only lies beside a solid.
static void test_nothing_inside(void** state) {
    (void)state;
    surface open[3] = {model_cup(3), model_sheet(8), model_sphere(2)};
    open[2].hollow = true;
    rng r = rng_seed(1);
    for (int i = 0; i < 3; i++) {
        apart_shape* shape = surface_shape(&open[i], NULL);
        assert_non_null(shape);
        for (int k = 0; k < 500; k++) assert_int_equal(apart_inside(shape, rng_in_cube(&r, 0.5), 0), OUTSIDE);
        apart_shape_release(shape);
        surface_free(&open[i]);
    }
    // An open sheet through a solid changes nothing.
    subject s = {.name = "sphere and sheet"};
    surface sheet = model_sheet(6);
    s.sound = model_sphere(2);
    surface both = joined(surface_copy(&s.sound), sheet);
    s.shape = surface_shape(&both, NULL);
    surface_free(&both);
    assert_non_null(s.shape);
    tally t = {0};
    for (int i = 0; i < 2000; i++) check_point(&s, any_point(&s, &r), &t);
    assert_true(t.inside >= 200 && t.outside >= 200);
    subject_free(&s);
}

// Boxes that have slid along each other: no triangle crosses another, no corner is inside, and yet they overlap,
// whether a depth is asked for or not.
static void test_faces_on_faces(void** state) {
    (void)state;
    surface s = model_box((apart_vec3){1, 1, 1}, 1);
    apart_shape* box = surface_shape(&s, NULL);
    assert_non_null(box);
    for (int i = 0; i < 3 * 9; i++) {
        apart_query q = apart_query_default();
        q.depth = (apart_depth)(i % 3);
        apart_pose there = apart_pose_identity;
        there.translation.x = 0.1 * (i / 3 + 1);
        apart_result r;
        assert_int_equal(apart_distance(box, &apart_pose_identity, box, &there, &q, NULL, &r), APART_OK);
        assert_true(r.distance == 0 && (i % 3 ? r.lower_bound <= -0.1 : r.lower_bound == 0));
    }
    apart_shape_release(box);
    surface_free(&s);
}

// Solids that are apart, though not by what their boxes show, stay so when a depth is asked for and the search may end
// early.
static void test_apart_with_a_depth(void** state) {
    (void)state;
    surface s[2] = {model_sphere(3), model_box((apart_vec3){1, 1, 1}, 1)};
    apart_shape* shape[2] = {surface_shape(&s[0], NULL), surface_shape(&s[1], NULL)};
    assert_true(shape[0] && shape[1]);
    double way = 2.2 * sqrt(0.5);
    apart_pose there = apart_pose_from_quaternion(cos(atan(1) / 2), 0, 0, sin(atan(1) / 2), (apart_vec3){way, way, 0});
    for (int i = 0; i < 3 * 4; i++) {
        apart_query q = apart_query_default();
        q.depth = (apart_depth)(i % 3);
        if (i / 3 == 0) q.relative_error = 1;
        if (i / 3 == 1) q.absolute_error = 0.5;
        if (i / 3 == 2) q.cutoff = 1e-3;
        apart_result r;
        assert_int_equal(apart_distance(shape[0], &apart_pose_identity, shape[1], &there, &q, NULL, &r), APART_OK);
        // Where only contact matters, the upper end is that of any two triangles.
        bool any = q.relative_error == 1 || q.cutoff < INFINITY;
        assert_true(r.lower_bound >= 0 && r.distance > 0.1 && (any || r.distance < 0.3));
        assert_true(!(q.cutoff < INFINITY) || r.lower_bound >= q.cutoff);
    }
    for (int i = 0; i < 2; i++) {
        apart_shape_release(shape[i]);
        surface_free(&s[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed),
        cmocka_unit_test(test_lattice),
        cmocka_unit_test(test_rays_through_corners),
        cmocka_unit_test(test_next_to_the_surface),
        cmocka_unit_test(test_clear),
        cmocka_unit_test(test_many_components),
        cmocka_unit_test(test_one_of_many),
        cmocka_unit_test(test_small_holes),
        cmocka_unit_test(test_nothing_inside),
        cmocka_unit_test(test_faces_on_faces),
        cmocka_unit_test(test_apart_with_a_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

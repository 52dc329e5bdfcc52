// Ten thousand soups: a few triangles without any order, among them points, segments and needles, repeated, touching at
// corners, coplanar, of all sizes and at all places. Every answer against brute force.
#include "mesh_scenes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define SOUPS 10000
#define MOST_TRIANGLES 40

typedef enum ingredient {
    PLAIN,
    POINT,    // three equal corners
    SEGMENT,  // corners in line, or two equal
    NEEDLE,   // a corner 1e-9 beside the line of the others, or far less
    COPY,     // of a triangle before, as it is or turned over
    SHARING,  // with one or two corners of triangles before
    COPLANAR, // in the plane of a triangle before
    LATTICE,  // corners with small integer coordinates: touching, crossing and coplanar by the dozen
    TINY,     // much smaller than the rest
    SHELL,    // a tetrahedron: something may lie inside
    INGREDIENTS
} ingredient;

static const char* const ingredient_names[INGREDIENTS] = {"plain",   "point",    "segment", "needle", "copy",
                                                          "sharing", "coplanar", "lattice", "tiny",   "shell"};

static apart_vec3 lattice_point(rng* r) {
    int x = rng_between(r, -2, 2), y = rng_between(r, -2, 2), z = rng_between(r, -1, 1);
    apart_vec3 p = {x / 2.0, y / 2.0, z / 2.0};
    return p;
}

static uint32_t add(surface* s, apart_vec3 p) { return surface_vertex(s, p.x, p.y, p.z); }

// Adds a triangle with these corners.
static void add_triangle(surface* s, apart_vec3 p, apart_vec3 q, apart_vec3 r) {
    uint32_t i = add(s, p), j = add(s, q), k = add(s, r);
    surface_triangle(s, i, j, k);
}

static apart_vec3 corner(const surface* s, size_t triangle, int k) { return s->vertex[s->triangle[triangle][k % 3]]; }

static void add_needle(surface* s, rng* r) {
    apart_vec3 p = rng_in_cube(r, 1), q = rng_in_cube(r, 1), m = point_between(p, rng_uniform(r, -0.5, 1.5), q);
    double thin = rng_chance(r, 0.5) ? 1e-9 : rng_magnitude(r, -60, -10);
    apart_vec3 off = rng_in_cube(r, thin);
    m.x += off.x, m.y += off.y, m.z += off.z;
    add_triangle(s, p, m, q);
}

static void add_coplanar(surface* s, rng* r, size_t old) {
    apart_vec3 p[3];
    for (int k = 0; k < 3; k++) {
        apart_vec3 a = corner(s, old, 0), u = point_between(a, rng_uniform(r, -1, 2), corner(s, old, 1));
        apart_vec3 v = point_between(a, rng_uniform(r, -1, 2), corner(s, old, 2));
        p[k].x = u.x + v.x - a.x, p[k].y = u.y + v.y - a.y, p[k].z = u.z + v.z - a.z;
    }
    add_triangle(s, p[0], p[1], p[2]);
}

static void add_shell(surface* s, rng* r) {
    uint32_t i = add(s, rng_in_cube(r, 2)), j = add(s, rng_in_cube(r, 2));
    uint32_t k = add(s, rng_in_cube(r, 2)), l = add(s, rng_in_cube(r, 2));
    surface_triangle(s, i, j, k);
    surface_triangle(s, i, l, j);
    surface_triangle(s, j, l, k);
    surface_triangle(s, k, l, i);
}

static void add_sharing(surface* s, rng* r, size_t old) {
    const uint32_t* t = s->triangle[old];
    uint32_t i = t[rng_below(r, 3)], j = t[rng_below(r, 3)];
    if (rng_chance(r, 0.5)) j = add(s, rng_in_cube(r, 1));
    uint32_t k = rng_chance(r, 0.5) ? (uint32_t)rng_below(r, (int)s->vertex_count) : add(s, rng_in_cube(r, 1));
    surface_triangle(s, i, j, k);
}

static void add_ingredient(surface* s, rng* r, ingredient kind) {
    apart_vec3 p = rng_in_cube(r, 1), q = rng_in_cube(r, 1), u = rng_in_cube(r, 1);
    double tiny = rng_magnitude(r, -40, -6);
    size_t old = s->triangle_count > 0 ? (size_t)rng_below(r, (int)s->triangle_count) : 0;
    if (s->triangle_count == 0 && (kind == COPY || kind == SHARING || kind == COPLANAR)) kind = PLAIN;
    switch (kind) {
    case POINT:
        add_triangle(s, p, p, p);
        return;
    case SEGMENT:
        add_triangle(s, p, rng_chance(r, 0.5) ? q : point_between(p, 0.5, q), q);
        return;
    case NEEDLE:
        add_needle(s, r);
        return;
    case COPY:
        surface_triangle(s, s->triangle[old][1], s->triangle[old][rng_chance(r, 0.5) ? 0 : 2], s->triangle[old][0]);
        return;
    case SHARING:
        add_sharing(s, r, old);
        return;
    case COPLANAR:
        add_coplanar(s, r, old);
        return;
    case LATTICE:
        p = lattice_point(r), q = lattice_point(r), u = lattice_point(r);
        add_triangle(s, p, q, u);
        return;
    case SHELL:
        add_shell(s, r);
        return;
    case TINY:
        add_triangle(s, p, point_between(p, tiny, q), point_between(p, tiny, u));
        return;
    default:
        add_triangle(s, p, q, u);
    }
}

// One to forty triangles; mostly few, so that not everything crosses everything. One kind, or all of them mixed.
static surface soup_random(rng* r, long* used) {
    surface s = surface_make(4 * MOST_TRIANGLES, 4 * MOST_TRIANGLES);
    int count = rng_chance(r, 0.6) ? rng_between(r, 1, 5) : rng_between(r, 1, MOST_TRIANGLES);
    ingredient only = (ingredient)rng_below(r, INGREDIENTS);
    bool pure = rng_chance(r, 0.4);
    for (int i = 0; i < count; i++) {
        ingredient kind = pure ? only : (ingredient)rng_below(r, INGREDIENTS);
        add_ingredient(&s, r, kind);
        used[kind]++;
    }
    if (rng_chance(r, 0.5)) surface_scale(&s, rng_magnitude(r, -8, -1));
    if (rng_chance(r, 0.15)) s.radius = rng_magnitude(r, -30, -3);
    s.hollow = rng_chance(r, 0.3);
    return s;
}

// Anywhere near; a corner on a corner; on a lattice; corner against corner with a hair between.
static apart_pose soup_pose(rng* r, const surface* a, const surface* b) {
    apart_pose pose = apart_pose_identity;
    int way = rng_below(r, 6);
    pose.rotation = rng_rotation(r);
    apart_vec3 inner, origin = {0, 0, 0};
    pose.translation = rng_in_cube(r, 2);
    if (way < 3) pose.rotation = rng_chance(r, 0.5) ? apart_pose_identity.rotation : rng_quarter_turns(r);
    if (way == 1) pose.translation = lattice_point(r);
    if (way == 2 || way == 3) {
        apart_vec3 target = a->vertex[rng_below(r, (int)a->vertex_count)];
        if (rng_chance(r, 0.3)) target.x += rng_magnitude(r, -60, -10);
        pose_carry(&pose, b->vertex[rng_below(r, (int)b->vertex_count)], target);
    }
    if (way == 5 && surface_inner_point(a, r, &inner)) pose_carry(&pose, origin, inner);
    return pose;
}

// In another unit, from 1e-150 to 1e150; both far from the world's origin; one far from its own.
static void displace(scene* s, rng* r) {
    if (rng_chance(r, 0.2)) {
        apart_pose motion = rng_pose(r, rng_in_cube(r, rng_magnitude(r, 0, 30)));
        scene_move(s, &motion);
    }
    if (rng_chance(r, 0.2)) {
        apart_vec3 off = rng_in_cube(r, rng_magnitude(r, 0, 30)), place = s->pose_b.translation;
        surface_shift(&s->b, off);
        pose_carry(&s->pose_b, off, place);
    }
    if (rng_chance(r, 0.3)) scene_scale(s, ldexp(1, rng_between(r, -498, 498)));
}

static double surface_size(const surface* s) {
    double size = s->radius;
    for (size_t i = 0; i < s->vertex_count; i++) {
        apart_vec3 p = s->vertex[i];
        size = fmax(size, s->radius + fabs(p.x) + fabs(p.y) + fabs(p.z));
    }
    return size;
}

static double pose_size(const apart_pose* p) {
    return fabs(p->translation.x) + fabs(p->translation.y) + fabs(p->translation.z);
}

static void ask_soup(const scene* s, rng* r, thing_census* c) {
    encounter e = scene_open(s);
    apart_query q = apart_query_default();
    apart_cache cache = {0};
    encounter_judge(&e, &q, NULL, c);
    encounter_judge(&e, &q, &cache, c);
    int choice = rng_below(r, 4);
    if (choice == 0) q.relative_error = rng_unit(r);
    if (choice == 1) q.cutoff = (double)e.truth.upper * rng_uniform(r, 0, 2);
    if (choice == 2) q.absolute_error = e.truth.size * rng_magnitude(r, -40, 0);
    if (choice == 3) q.method = (apart_method)rng_between(r, APART_METHOD_GJK, APART_METHOD_FEATURES);
    encounter_judge(&e, &q, &cache, c);
    encounter_close(&e);
}

static void test_soups(void** state) {
    (void)state;
    thing_census c = {0};
    long used[INGREDIENTS] = {0};
    for (uint64_t seed = 1; seed <= SOUPS; seed++) {
        rng r = rng_seed(seed + 900000);
        scene s = {.seed = seed, .pose_a = apart_pose_identity};
        snprintf(s.name, sizeof s.name, "soup %d", (int)seed);
        s.a = soup_random(&r, used);
        s.b = soup_random(&r, used);
        s.pose_b = soup_pose(&r, &s.a, &s.b);
        displace(&s, &r);
        ask_soup(&s, &r, &c);
        scene_free(&s);
    }
    thing_census_print("soups", &c);
    for (int i = 0; i < INGREDIENTS; i++) {
        printf("%ld %s%s", used[i], ingredient_names[i], i + 1 < INGREDIENTS ? ", " : "\n");
        assert_true(used[i] >= 1000);
    }
    assert_true(thing_census_reached(&c, 150));
    assert_true(c.unknown < 300);
    assert_int_equal(c.wrong, 0);
}

// -------------------------------------------------------------------------------------------------------- depth ----

// Every triangle of a soup as a body of its own.
static apart_shape** soup_triangles(const surface* s) {
    apart_shape** shape = malloc(s->triangle_count * sizeof(apart_shape*));
    assert_non_null(shape);
    for (size_t t = 0; t < s->triangle_count; t++) {
        const apart_vec3 p[3] = {corner(s, t, 0), corner(s, t, 1), corner(s, t, 2)};
        shape[t] = apart_shape_points(p, 3, s->radius, NULL);
        assert_non_null(shape[t]);
    }
    return shape;
}

// The signed distance of two soups, between two ends: the least over all pairs of triangles.
static void brute_depth(const scene* s, double* lower, double* upper) {
    apart_shape **a = soup_triangles(&s->a), **b = soup_triangles(&s->b);
    apart_query q = apart_query_default();
    q.depth = APART_DEPTH_EXACT;
    *lower = *upper = INFINITY;
    for (size_t i = 0; i < s->a.triangle_count * s->b.triangle_count; i++) {
        apart_result r;
        size_t k = i / s->b.triangle_count, l = i % s->b.triangle_count;
        assert_int_equal(apart_distance(a[k], &s->pose_a, b[l], &s->pose_b, &q, NULL, &r), APART_OK);
        *lower = fmin(*lower, r.lower_bound);
        *upper = fmin(*upper, r.upper_bound);
    }
    for (size_t i = 0; i < s->a.triangle_count; i++) apart_shape_release(a[i]);
    for (size_t i = 0; i < s->b.triangle_count; i++) apart_shape_release(b[i]);
    free(a);
    free(b);
}

// The depth of soups is that of their deepest pair, however many are as deep.
static void test_depth_of_soups(void** state) {
    (void)state;
    long used[INGREDIENTS] = {0}, deep = 0, touching = 0, apart = 0;
    double open = 0;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        rng r = rng_seed(seed + 700000);
        scene s = {.seed = seed, .pose_a = apart_pose_identity};
        s.a = soup_random(&r, used);
        s.b = soup_random(&r, used);
        s.a.hollow = s.b.hollow = true;
        s.pose_b = soup_pose(&r, &s.a, &s.b);
        if (rng_chance(&r, 0.3)) scene_scale(&s, ldexp(1, rng_between(&r, -498, 498)));
        double lower, upper, size = surface_size(&s.a) + surface_size(&s.b) + pose_size(&s.pose_b);
        brute_depth(&s, &lower, &upper);
        apart_shape *a = surface_shape(&s.a, NULL), *b = surface_shape(&s.b, NULL);
        for (int i = 0; i < 2; i++) {
            apart_query q = apart_query_default();
            q.depth = i ? APART_DEPTH_BOUND : APART_DEPTH_EXACT;
            apart_result x;
            assert_int_equal(apart_distance(a, &s.pose_a, b, &s.pose_b, &q, NULL, &x), APART_OK);
            if (!(x.lower_bound <= upper && lower <= x.upper_bound && x.lower_bound <= x.upper_bound))
                fail_msg("soup %d, depth %d: [%a, %a], by brute force [%a, %a]", (int)seed, (int)q.depth, x.lower_bound,
                         x.upper_bound, lower, upper);
            if (i == 0) open = fmax(open, ((x.upper_bound - x.lower_bound) - (upper - lower)) / size);
        }
        deep += upper < -1e-9 * size;
        touching += fabs(upper) <= 1e-9 * size;
        apart += upper > 1e-9 * size;
        apart_shape_release(a);
        apart_shape_release(b);
        scene_free(&s);
    }
    printf("depth of soups: %ld deep, %ld touching, %ld apart; open by %.2g of the size more than by brute force\n",
           deep, touching, apart, open);
    assert_true(deep >= 200 && touching >= 50 && apart >= 100);
    // As wide as between any corners: two needles may be closed in one order and not in the other.
    assert_true(open <= 1e-11);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_soups), cmocka_unit_test(test_depth_of_soups)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Distances that are known: where all numbers on the way are exact, or nearly so, the answer is the true distance to
// two units in the last place, not the upper end of its bracket.
#include "certificate.h"
#include "mesh_models.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

// A pair at a known distance, negative with a depth.
typedef struct known {
    const char* name;
    apart_shape *a, *b;
    apart_pose pose_b;
    double distance;
} known;

static apart_pose at(double x, double y, double z) {
    apart_pose p = {apart_pose_identity.rotation, {x, y, z}};
    return p;
}

// A right angle about the z axis, and a turn by 3-4-5 about it, whose numbers are rounded.
static apart_pose turned(double cosine, double sine, double x, double y, double z) {
    apart_pose p = {{{{cosine, -sine, 0}, {sine, cosine, 0}, {0, 0, 1}}}, {x, y, z}};
    return p;
}

static apart_shape* box(double x, double y, double z) { return apart_shape_box((apart_vec3){x, y, z}, 0, NULL); }

// The tip of a pyramid points along -x, from the origin.
static apart_shape* pyramid(double radius) {
    const apart_vec3 p[5] = {{0, 0, 0}, {4, 3, 3}, {4, -3, 3}, {4, 3, -3}, {4, -3, -3}};
    return apart_shape_points(p, 5, radius, NULL);
}

static apart_shape* mesh_box(double x, double y, double z) {
    surface s = model_box((apart_vec3){x, y, z}, 3);
    apart_shape* shape = surface_shape(&s, NULL);
    surface_free(&s);
    return shape;
}

static apart_shape* two_boxes(void) {
    apart_shape* one = box(1, 1, 1);
    const apart_part parts[2] = {{one, at(0, 0, 0)}, {one, at(8, 0, 0)}};
    apart_shape* both = apart_shape_union(parts, 2, NULL);
    apart_shape_release(one);
    return both;
}

static double units_off(double x, double truth) {
    return fabs(x - truth) / (nextafter(fabs(truth), INFINITY) - fabs(truth));
}

// Asks both ways round and with every method, at home and where the translations are large. Returns the worst.
static double judge(const known* k, apart_depth depth, double scale) {
    double most_off = 0;
    for (int i = 0; i < 2 * METHODS; i++) {
        apart_query q = query_of(i / 2, depth);
        apart_pose here = at(0, 0, 0), there = k->pose_b;
        if (scale != 0) here.translation.y = scale, there.translation.y += scale;
        apart_result r;
        assert_int_equal(i % 2 ? apart_distance(k->b, &there, k->a, &here, &q, NULL, &r)
                               : apart_distance(k->a, &here, k->b, &there, &q, NULL, &r),
                         APART_OK);
        double off = units_off(r.distance, k->distance);
        if (off > 2)
            printf("%s, %s, depth %s: %.17g in [%.17g, %.17g], not %.17g\n", k->name, method_names[i / 2],
                   depth_names[depth], r.distance, r.lower_bound, r.upper_bound, k->distance);
        assert_true(r.lower_bound <= k->distance && k->distance <= r.upper_bound);
        assert_true(r.lower_bound <= r.distance && r.distance <= r.upper_bound);
        most_off = fmax(most_off, off);
    }
    return most_off;
}

static void judge_all(known* k, int count, const apart_depth* depths, int depth_count, double most) {
    double most_off = 0;
    for (int i = 0; i < count; i++) {
        assert_true(k[i].a && k[i].b);
        for (int d = 0; d < depth_count; d++)
            for (int moved = 0; moved < 2; moved++)
                most_off = fmax(most_off, judge(&k[i], depths[d], moved ? 0x1p20 : 0));
        apart_shape_release(k[i].a);
        apart_shape_release(k[i].b);
    }
    printf("%d pairs, off by %.1f units at most\n", count, most_off);
    assert_true(most_off <= most);
}
#define COUNT(x) ((int)(sizeof(x) / sizeof(x)[0]))

// All numbers are exact: so is the answer.
static void test_apart(void** state) {
    (void)state;
    known k[] = {
        {"face to face", box(1, 1, 1), box(2, 1, 0.25), at(4.75, 0.5, 0), 1.75},
        {"a right angle", box(1, 1, 1), box(2, 1, 0.25), turned(0, 1, 3.75, 0.25, 0), 1.75},
        {"edge to edge", box(1, 1, 1), box(1, 1, 1), at(5, 6, 0.5), 5},
        {"corner to corner", box(1, 1, 1), box(1, 1, 1), at(4, 5, 8), 7},
        {"a tip and a face", box(1, 1, 1), pyramid(0), at(1.375, 0.25, -0.125), 0.375},
        {"a tip and an edge", box(1, 1, 1), pyramid(0), at(5, 4, 0), 5},
        {"two spheres", apart_shape_sphere(0.75, NULL), apart_shape_sphere(1.5, NULL), at(2, 3, 6), 4.75},
        {"a sphere and a box", apart_shape_sphere(0.5, NULL), box(1, 1, 1), at(3, 4, 7), 6.5},
        {"two capsules", apart_shape_capsule(2, 0.5, NULL), apart_shape_capsule(1, 0.25, NULL), at(3, 4, 1), 4.25},
        {"a capsule and a box", apart_shape_capsule(2, 0.5, NULL), box(1, 1, 1), at(4, 5, 1), 4.5},
        {"a round pyramid", box(1, 1, 1), pyramid(0.25), at(2.5, 0, 0), 1.25},
        {"far away", box(1, 1, 1), box(1, 1, 1), at(0x1p30 + 2, 0, 0), 0x1p30},
        {"a small gap", box(1, 1, 1), box(1, 1, 1), at(2 + 0x1p-20, 0.5, 0.25), 0x1p-20},
        {"a very small gap", box(1, 1, 1), box(1, 1, 1), at(2 + 0x1p-40, 0.5, 0.25), 0x1p-40},
        {"two meshes", mesh_box(1, 1, 1), mesh_box(2, 1, 0.25), at(4.75, 0.5, 0), 1.75},
        {"two meshes, edge to edge", mesh_box(1, 1, 1), mesh_box(1, 1, 1), at(5, 6, 0.5), 5},
        {"a mesh and a sphere", mesh_box(1, 1, 1), apart_shape_sphere(0.5, NULL), at(4, 5, 0.25), 4.5},
        {"a union and a box", two_boxes(), box(1, 1, 1), at(4.25, 0.5, 0), 1.75},
    };
    const apart_depth depths[] = {APART_DEPTH_NONE, APART_DEPTH_BOUND, APART_DEPTH_EXACT};
    judge_all(k, COUNT(k), depths, COUNT(depths), 2);
}

// The same below zero.
static void test_deep(void** state) {
    (void)state;
    known k[] = {
        {"boxes", box(1, 1, 1), box(2, 1, 0.25), at(2.75, 0.5, 0), -0.25},
        {"boxes at a right angle", box(1, 1, 1), box(2, 1, 0.25), turned(0, 1, 1.75, 0.25, 0), -0.25},
        {"spheres", apart_shape_sphere(3, NULL), apart_shape_sphere(4.5, NULL), at(2, 3, 6), -0.5},
        {"a sphere in the side of a box", apart_shape_sphere(0.5, NULL), box(1, 1, 1), at(1.25, 0.25, 0.125), -0.25},
        {"capsules", apart_shape_capsule(2, 3, NULL), apart_shape_capsule(1, 2.5, NULL), at(3, 4, 1), -0.5},
        {"a tip in a face", box(1, 1, 1), pyramid(0), at(0.625, 0.25, -0.125), -0.375},
        {"a union and a box", two_boxes(), box(1, 1, 1), at(1.875, 0.5, 0), -0.125},
    };
    const apart_depth depths[] = {APART_DEPTH_EXACT};
    judge_all(k, COUNT(k), depths, COUNT(depths), 2);
}

// An overlap that is proven is 0, and so are its bounds.
static void test_zero(void** state) {
    (void)state;
    apart_shape* shape[] = {box(1, 1, 1), apart_shape_sphere(1, NULL), apart_shape_capsule(1, 1, NULL),
                            mesh_box(1, 1, 1)};
    const apart_pose here = at(0, 0, 0), there = turned(0.6, 0.8, 0.5, 0.25, 0.125);
    for (int i = 0; i < COUNT(shape) * COUNT(shape); i++) {
        apart_result r;
        apart_shape *a = shape[i / COUNT(shape)], *b = shape[i % COUNT(shape)];
        assert_int_equal(apart_distance(a, &here, b, &there, NULL, NULL, &r), APART_OK);
        assert_true(r.distance == 0 && r.lower_bound == 0 && r.upper_bound == 0);
    }
    for (int i = 0; i < COUNT(shape); i++) apart_shape_release(shape[i]);
}

// Turned by 3-4-5 the numbers are rounded before the library sees them, and a translation of 2^20 leaves it that much
// less of them: the answer follows to a few roundings of what it is the difference of.
static void test_turned(void** state) {
    (void)state;
    apart_shape *a = box(1, 1, 1), *b = box(2, 1, 0.25);
    double most_off = 0;
    for (int i = 1; i <= 1000; i++) {
        double gap = i * 0x1p-6, way = 3 + gap;
        apart_pose pose_a = turned(0.6, 0.8, 0, 0, 0), pose_b = turned(0.6, 0.8, 0.6 * way, 0.8 * way, 0.25);
        apart_result r;
        assert_int_equal(apart_distance(a, &pose_a, b, &pose_b, NULL, NULL, &r), APART_OK);
        most_off = fmax(most_off, fabs(r.distance - gap) / (ROUNDING * way));
    }
    printf("turned: off by %.1f roundings at most\n", most_off);
    assert_true(most_off <= 4);
    apart_shape_release(a);
    apart_shape_release(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_apart),
        cmocka_unit_test(test_deep),
        cmocka_unit_test(test_zero),
        cmocka_unit_test(test_turned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

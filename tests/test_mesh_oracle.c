// The oracle for meshes, tried on what is known otherwise: closed surfaces enclose what they should, solid angles and
// rays agree, and brute force without any shortcut gives the same distance.
#include "mesh_scenes.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static double signed_volume(const surface* s) {
    double sum = 0;
    for (size_t t = 0; t < s->triangle_count; t++) {
        apart_vec3 p = s->vertex[s->triangle[t][0]], q = s->vertex[s->triangle[t][1]], r = s->vertex[s->triangle[t][2]];
        sum += p.x * (q.y * r.z - q.z * r.y) + p.y * (q.z * r.x - q.x * r.z) + p.z * (q.x * r.y - q.y * r.x);
    }
    return sum / 6;
}

static void test_models(void** state) {
    (void)state;
    for (int i = 0; i < MODELS; i++) {
        surface s = model_get(i);
        anatomy a = anatomy_make(&s);
        printf("%-11s %4d vertices %4d triangles %d components, %d open edges, %d crowded, volume %.3f\n",
               model_names[i], (int)s.vertex_count, (int)s.triangle_count, a.count, (int)a.open_edges,
               (int)a.crowded_edges, signed_volume(&s));
        bool open = i == 9 || i == 10;
        assert_true(open == (a.open_edges > 0));
        for (int c = 0; c < a.count; c++) {
            assert_int_equal(a.encloses[c], open ? ENCLOSES_NOTHING : ENCLOSES_SOLID);
            assert_true(a.two_sided[c]);
        }
        if (!open) assert_true(signed_volume(&s) > 0.01);
        anatomy_free(&a);
        surface_free(&s);
    }
}

// Inside, outside, near the surface: w is 0 or 1, and the rays agree.
static void test_inside(void** state) {
    (void)state;
    rng r = rng_seed(31);
    int in = 0, out = 0;
    for (int i = 0; i < MODELS; i++) {
        surface s = model_get(i);
        anatomy a = anatomy_make(&s);
        for (int k = 0; k < 60 && a.count == 1 && a.open_edges == 0; k++) {
            apart_vec3 p = rng_in_cube(&r, 0.8);
            double w = winding_number(&s, &a, 0, p);
            bool inside = w > 0.5;
            assert_true(fabs(w - inside) < 1e-9);
            assert_true(ray_parity(&s, &a, 0, p) == inside);
            inside ? in++ : out++;
        }
        anatomy_free(&a);
        surface_free(&s);
    }
    printf("%d points inside, %d outside\n", in, out);
    assert_true(in > 50 && out > 50);
}

// All pairs of triangles, each by the convex oracle, nothing left out.
static void test_without_shortcuts(void** state) {
    (void)state;
    static body x, y;
    long pairs = 0, looked = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        scene s;
        scene_random(&s, seed, 33);
        thing a = thing_surface(&s.a, &s.pose_a), b = thing_surface(&s.b, &s.pose_b);
        s.a.hollow = s.b.hollow = true;
        thing_truth t = thing_distance(&a, &b);
        quad lower = (quad)1e300, upper = (quad)1e300, depth = 0;
        for (size_t i = 0; i < s.a.triangle_count * s.b.triangle_count; i++) {
            const uint32_t *p = s.a.triangle[i / s.b.triangle_count], *q = s.b.triangle[i % s.b.triangle_count];
            x.radius = s.a.radius, y.radius = s.b.radius;
            x.count = y.count = 3;
            for (int k = 0; k < 3; k++) x.points[k] = s.a.vertex[p[k]], y.points[k] = s.b.vertex[q[k]];
            oracle_answer o = oracle_distance(&x, &s.pose_a, &y, &s.pose_b);
            lower = o.lower < lower ? o.lower : lower;
            upper = o.upper < upper ? o.upper : upper;
            depth = o.depth > depth ? o.depth : depth;
            pairs++;
        }
        looked += t.pairs;
        assert_true(t.lower <= upper && lower <= t.upper);
        assert_true((double)(t.upper - t.lower) <= 1e-20 * t.size || t.depth > 0);
        assert_true((depth > (quad)1e-9 * t.size) == (t.depth > (quad)1e-9 * t.size));
        scene_free(&s);
    }
    printf("%ld pairs of triangles, %ld of them looked at in quad by the oracle for meshes\n", pairs, looked);
    assert_true(looked < pairs / 4);
}

// The surface of a box and the box itself, against all kinds of convex bodies: the same distance outside.
static void test_box(void** state) {
    (void)state;
    static pair p;
    int apart = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        pair_random(&p, seed);
        if (p.a.kind != BODY_BOX || p.a.radius > 0 || p.a.callback)
            p.a = (body){.kind = BODY_BOX, .size = {0.5, 0.25, 0.75}};
        surface box = model_box(p.a.size, 2);
        thing a = thing_surface(&box, &p.pose_a), b = thing_body(&p.b, &p.pose_b);
        thing_truth t = thing_distance(&a, &b);
        oracle_answer o = oracle_distance(&p.a, &p.pose_a, &p.b, &p.pose_b);
        double slack = 1e-9 * (double)o.size;
        assert_true((double)(t.lower - o.upper) <= slack && (double)(o.lower - t.upper) <= slack);
        apart += o.lower > 0;
        surface_free(&box);
    }
    printf("%d of 200 pairs apart\n", apart);
    assert_true(apart > 40 && apart < 160);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_inside),
        cmocka_unit_test(test_without_shortcuts),
        cmocka_unit_test(test_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

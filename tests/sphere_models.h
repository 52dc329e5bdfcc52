// Surfaces for the tests of the sphere trees, and the trees over them.
#ifndef APART_TESTS_SPHERE_MODELS_H
#define APART_TESTS_SPHERE_MODELS_H

#include "mesh_models.h"
#include "papers/quinlan1994.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// A surface whose vertices and triangles are still to be set.
static inline surface surface_blank(uint32_t vertices, uint32_t triangles) {
    surface s = surface_make(vertices, triangles);
    s.vertex_count = vertices;
    s.triangle_count = triangles;
    return s;
}

static inline void set_triangle(surface* s, uint32_t t, uint32_t i, uint32_t j, uint32_t k) {
    s->triangle[t][0] = i;
    s->triangle[t][1] = j;
    s->triangle[t][2] = k;
}

// A closed, dented surface of 2 n^2 triangles or so, within the unit ball: not convex.
static inline surface make_blob(rng* r, uint32_t n) {
    surface s = surface_blank(n * n, 2 * n * (n - 1));
    vec3 dent[3] = {rng_unit_vector(r), rng_unit_vector(r), rng_unit_vector(r)};
    for (uint32_t i = 0; i < n * n; i++) {
        double turn = 6.283185307179586 * (i % n) / n, tilt = 3.141592653589793 * (i / n) / (n - 1);
        vec3 p = {sin(tilt) * cos(turn), sin(tilt) * sin(turn), cos(tilt)};
        double size = 0.9;
        for (int k = 0; k < 3; k++) size -= 0.6 * fmax(0, vec3_dot(p, dent[k]) - 0.6);
        s.vertex[i] = vec3_scale(size, p);
    }
    uint32_t t = 0;
    for (uint32_t i = 0; i < n - 1; i++)
        for (uint32_t j = 0; j < n; j++) {
            uint32_t p = i * n + j, q = i * n + (j + 1) % n;
            set_triangle(&s, t++, p, q, p + n);
            set_triangle(&s, t++, q, q + n, p + n);
        }
    return s;
}

// Triangles of all sizes anywhere: ordinary ones, needles, segments, points, repeats.
static inline surface make_soup(rng* r, uint32_t triangles) {
    surface s = surface_blank(3 * triangles, triangles);
    for (uint32_t t = 0; t < triangles; t++) {
        vec3 at = rng_in_cube(r, 0.5), *p = &s.vertex[(size_t)3 * t];
        double size = rng_chance(r, 0.05) ? 0 : rng_magnitude(r, -12, -3), thin = rng_magnitude(r, -60, 0);
        for (int k = 0; k < 3; k++) p[k] = vec3_mad(at, size, rng_in_cube(r, 1));
        if (rng_chance(r, 0.3))
            p[2] = vec3_mad(vec3_mad(p[0], rng_unit(r), vec3_sub(p[1], p[0])), thin * size, rng_in_cube(r, 1));
        if (rng_chance(r, 0.1)) p[2] = p[1];
        if (t > 0 && rng_chance(r, 0.05)) memcpy(p, p - 3, 3 * sizeof *p);
        for (uint32_t k = 0; k < 3; k++) s.triangle[t][k] = 3 * t + k;
    }
    return s;
}

static inline bool try_build(const surface* s, double radius, meter* m, sphere_tree* tree, apart_error* error) {
    return apart_spheres_build(s->vertex, (const uint32_t(*)[3])s->triangle, (uint32_t)s->triangle_count, radius, m,
                               tree, error);
}

static inline sphere_tree build(const surface* s, double radius) {
    sphere_tree tree = {0};
    assert_true(try_build(s, radius, &(meter){0}, &tree, NULL));
    return tree;
}

#endif

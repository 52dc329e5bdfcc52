// Shapes from outside: what is refused and with which words, what a shape says about itself, support points of the
// bodies without corners against dense sampling, sizes from 1e-300 to 1e300, bodies far from their own origin.
#include "body/shape.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const vec3 cube[8] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                             {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};

static apart_vec3 ball_support(const void* context, apart_vec3 d) {
    const vec3* center = context;
    return vec3_make(center->x + d.x, center->y + d.y, center->z + d.z);
}

static apart_vec3 bad_support(const void* context, apart_vec3 d) {
    // "nan", "inf" or "huge" along +y, "wrong" = the nearest point instead of the farthest.
    const char* how = context;
    if (how[0] == 'w') return vec3_neg(d);
    if (d.y > 0.5) return vec3_make(0, how[0] == 'n' ? NAN : how[0] == 'i' ? INFINITY : 1e301, 0);
    return d;
}

// --------------------------------------------------------------------------------------------------- refusals ----

/// NULL, this status, a sentence with this in it.
static void refused(apart_shape* shape, const apart_error* error, apart_status status, const char* words) {
    if (shape || error->status != status || !strstr(error->message, words))
        print_error("expected %s \"%s\", got %s \"%s\"\n", apart_status_text(status), words,
                    apart_status_text(error->status), error->message);
    assert_null(shape);
    assert_int_equal(error->status, status);
    assert_non_null(strstr(error->message, words));
}

static void test_refused_points(void** state) {
    (void)state;
    apart_error e;
    vec3 p[8];
    refused(apart_shape_points(cube, 0, 0, &e), &e, APART_EMPTY, "no points");
    refused(apart_shape_points(NULL, 0, 0, &e), &e, APART_EMPTY, "no points");
    refused(apart_shape_points(NULL, 8, 0, &e), &e, APART_INVALID, "points is NULL");
    refused(apart_shape_points(cube, SIZE_MAX, 0, &e), &e, APART_INVALID, "more than");
    refused(apart_shape_points(cube, SIZE_MAX / sizeof(vec3) + 2, 0, &e), &e, APART_INVALID, "more than");
    const size_t wraps = (size_t)(UINT32_MAX + UINT64_C(9)); // to 8 in 32 bits
    if (wraps > 8) refused(apart_shape_points(cube, wraps, 0, &e), &e, APART_INVALID, "more than");
    refused(apart_shape_points(cube, 8, -1, &e), &e, APART_INVALID, "radius is -1");
    refused(apart_shape_points(cube, 8, NAN, &e), &e, APART_NOT_FINITE, "radius");
    refused(apart_shape_points(cube, 8, INFINITY, &e), &e, APART_NOT_FINITE, "radius");
    refused(apart_shape_points(cube, 8, 1e301, &e), &e, APART_OUT_OF_RANGE, "radius");
    const double bad[4] = {NAN, INFINITY, -INFINITY, -1.01e300};
    for (size_t i = 0; i < 96; i++) {
        char words[32];
        memcpy(p, cube, sizeof p);
        double* coordinate = i % 3 == 0 ? &p[i / 12].x : i % 3 == 1 ? &p[i / 12].y : &p[i / 12].z;
        *coordinate = bad[i / 3 % 4];
        snprintf(words, sizeof words, "point %zu ", i / 12);
        refused(apart_shape_points(p, 8, 0, &e), &e, i / 3 % 4 == 3 ? APART_OUT_OF_RANGE : APART_NOT_FINITE, words);
    }
    // The error may be NULL.
    assert_null(apart_shape_points(cube, 0, 0, NULL));
}

static void test_refused_sizes(void** state) {
    (void)state;
    apart_error e;
    const double bad[5] = {-1, -1e-300, NAN, INFINITY, 2e300};
    const apart_status status[5] = {APART_INVALID, APART_INVALID, APART_NOT_FINITE, APART_NOT_FINITE,
                                    APART_OUT_OF_RANGE};
    for (int i = 0; i < 5; i++) {
        double b = bad[i];
        refused(apart_shape_box(vec3_make(b, 1, 1), 0, &e), &e, status[i], "half_extents.x");
        refused(apart_shape_box(vec3_make(1, b, 1), 0, &e), &e, status[i], "half_extents.y");
        refused(apart_shape_box(vec3_make(1, 1, b), 0, &e), &e, status[i], "half_extents.z");
        refused(apart_shape_box(vec3_make(1, 1, 1), b, &e), &e, status[i], "radius");
        refused(apart_shape_sphere(b, &e), &e, status[i], "radius");
        refused(apart_shape_capsule(b, 1, &e), &e, status[i], "half_height");
        refused(apart_shape_capsule(1, b, &e), &e, status[i], "radius");
        refused(apart_shape_cylinder(b, 1, &e), &e, status[i], "half_height");
        refused(apart_shape_cylinder(1, b, &e), &e, status[i], "radius");
        refused(apart_shape_cone(b, 1, &e), &e, status[i], "half_height");
        refused(apart_shape_cone(1, b, &e), &e, status[i], "radius");
        refused(apart_shape_ellipsoid(vec3_make(b, 1, 1), &e), &e, status[i], "semi_axes.x");
        refused(apart_shape_ellipsoid(vec3_make(1, b, 1), &e), &e, status[i], "semi_axes.y");
        refused(apart_shape_ellipsoid(vec3_make(1, 1, b), &e), &e, status[i], "semi_axes.z");
        refused(apart_shape_support(ball_support, &cube[0], b, &e), &e, status[i], "radius");
    }
    refused(apart_shape_support(NULL, NULL, 0, &e), &e, APART_INVALID, "support function is NULL");
    refused(apart_shape_support(bad_support, "nan", 0, &e), &e, APART_NOT_FINITE, "+y");
    refused(apart_shape_support(bad_support, "inf", 0, &e), &e, APART_NOT_FINITE, "+y");
    refused(apart_shape_support(bad_support, "huge", 0, &e), &e, APART_OUT_OF_RANGE, "+y");
    refused(apart_shape_support(bad_support, "wrong", 0, &e), &e, APART_INVALID, "not a support function");
}

// ------------------------------------------------------------------------------------------------ description ----

static void describes(apart_shape* shape, int dimension, size_t vertices, size_t edges, size_t faces, vec3 upper) {
    apart_shape_info info;
    assert_non_null(shape);
    assert_int_equal(apart_shape_describe(shape, &info), APART_OK);
    assert_int_equal(info.dimension, dimension);
    assert_int_equal(info.vertices, vertices);
    assert_int_equal(info.edges, edges);
    assert_int_equal(info.faces, faces);
    assert_true(info.radius == shape->radius);
    assert_true(vec3_length(vec3_sub(info.upper, upper)) <= 1e-14 * vec3_length(upper));
    assert_true(vec3_length(vec3_add(info.lower, upper)) <= 1e-14 * vec3_length(upper));
    assert_true(shape->bound <= 1 && (shape->bound > 0.25 || dimension == 0));
    apart_shape_release(shape);
}

static void test_describe(void** state) {
    (void)state;
    describes(apart_shape_points(cube, 8, 0.5, NULL), 3, 8, 12, 6, vec3_make(1.5, 1.5, 1.5));
    describes(apart_shape_box(vec3_make(1, 2, 3), 0.5, NULL), 3, 8, 12, 6, vec3_make(1.5, 2.5, 3.5));
    describes(apart_shape_box(vec3_make(1, 2, 0), 0, NULL), 2, 4, 4, 1, vec3_make(1, 2, 0));
    describes(apart_shape_box(vec3_make(0, 2, 0), 0, NULL), 1, 2, 1, 0, vec3_make(0, 2, 0));
    describes(apart_shape_box(vec3_make(0, 0, 0), 1, NULL), 0, 1, 0, 0, vec3_make(1, 1, 1));
    describes(apart_shape_sphere(2, NULL), 0, 1, 0, 0, vec3_make(2, 2, 2));
    describes(apart_shape_sphere(0, NULL), 0, 1, 0, 0, vec3_make(0, 0, 0));
    describes(apart_shape_capsule(3, 2, NULL), 1, 2, 1, 0, vec3_make(2, 2, 5));
    describes(apart_shape_capsule(0, 2, NULL), 0, 1, 0, 0, vec3_make(2, 2, 2));
    describes(apart_shape_cylinder(3, 2, NULL), 3, 0, 0, 0, vec3_make(2, 2, 3));
    describes(apart_shape_cylinder(0, 2, NULL), 2, 0, 0, 0, vec3_make(2, 2, 0));
    describes(apart_shape_cylinder(3, 0, NULL), 1, 0, 0, 0, vec3_make(0, 0, 3));
    describes(apart_shape_cylinder(0, 0, NULL), 0, 0, 0, 0, vec3_make(0, 0, 0));
    describes(apart_shape_cone(3, 2, NULL), 3, 0, 0, 0, vec3_make(2, 2, 3));
    describes(apart_shape_ellipsoid(vec3_make(1, 2, 3), NULL), 3, 0, 0, 0, vec3_make(1, 2, 3));
    describes(apart_shape_ellipsoid(vec3_make(1, 0, 3), NULL), 2, 0, 0, 0, vec3_make(1, 0, 3));
    vec3 middle = {0, 0, 0};
    describes(apart_shape_support(ball_support, &middle, 1, NULL), -1, 0, 0, 0, vec3_make(2, 2, 2));
}

static void test_vertices(void** state) {
    (void)state;
    apart_shape* box = apart_shape_box(vec3_make(1, 2, 3), 0, NULL);
    for (uint32_t i = 0; i < 8; i++) {
        vec3 p;
        uint32_t index = 99;
        assert_int_equal(apart_shape_vertex(box, i, &p, &index), APART_OK);
        assert_int_equal(index, i);
        assert_true(p.x == (i & 1 ? 1 : -1) && p.y == (i & 2 ? 2 : -2) && p.z == (i & 4 ? 3 : -3));
    }
    // Wrong arguments are refused, NULL outputs are not.
    vec3 p = {7, 7, 7};
    apart_shape_info info;
    assert_int_equal(apart_shape_vertex(box, 8, &p, NULL), APART_INVALID);
    assert_int_equal(apart_shape_vertex(NULL, 0, &p, NULL), APART_INVALID);
    assert_int_equal(apart_shape_vertex(box, SIZE_MAX, &p, NULL), APART_INVALID);
    assert_true(p.x == 7);
    assert_int_equal(apart_shape_vertex(box, 0, NULL, NULL), APART_OK);
    assert_int_equal(apart_shape_describe(NULL, &info), APART_INVALID);
    assert_int_equal(apart_shape_describe(box, NULL), APART_INVALID);
    apart_shape* ball = apart_shape_ellipsoid(vec3_make(1, 1, 1), NULL);
    assert_int_equal(apart_shape_vertex(ball, 0, &p, NULL), APART_INVALID);
    apart_shape_release(ball);
    apart_shape_release(box);
    // A plate names its corners by the lowest of the box's numbers.
    apart_shape* plate = apart_shape_box(vec3_make(1, 0, 3), 0, NULL);
    const uint32_t expected[4] = {0, 1, 4, 5};
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t index = 99;
        assert_int_equal(apart_shape_vertex(plate, i, NULL, &index), APART_OK);
        assert_int_equal(index, expected[i]);
    }
    apart_shape_release(plate);
}

static void test_owners(void** state) {
    (void)state;
    apart_shape* s = apart_shape_points(cube, 8, 0, NULL);
    assert_ptr_equal(apart_shape_retain(s), s);
    assert_int_equal(atomic_load(&s->references), 2);
    apart_shape_release(s);
    assert_int_equal(atomic_load(&s->references), 1);
    assert_int_equal(shape_vertex_count(s), 8);
    apart_shape_release(s);
    assert_null(apart_shape_retain(NULL));
    apart_shape_release(NULL);
}

// ---------------------------------------------------------------------------------------------- support points ----

/// How far p is outside the body, as a part of its size: the test of each closed form by its inequality.
static double outside(const apart_shape* s, vec3 p) {
    vec3 e = s->extent;
    double across = sqrt(p.x * p.x + p.y * p.y);
    switch (s->kind) {
    case SHAPE_BOX:
        return fmax(fabs(p.x) - e.x, fmax(fabs(p.y) - e.y, fabs(p.z) - e.z));
    case SHAPE_CYLINDER:
        return fmax(across - e.x, fabs(p.z) - e.z);
    case SHAPE_CONE:
        return fmax(fabs(p.z) - e.z, e.z > 0 ? across - e.x * (e.z - p.z) / (2 * e.z) : across - e.x);
    case SHAPE_ELLIPSOID: {
        double x = e.x > 0 ? p.x / e.x : p.x, y = e.y > 0 ? p.y / e.y : p.y, z = e.z > 0 ? p.z / e.z : p.z;
        return sqrt(x * x + y * y + z * z) - 1;
    }
    default:
        return vec3_length(p) - s->bound;
    }
}

/// A point on the surface: parameter u around the axis, v from bottom to top.
static vec3 surface(const apart_shape* s, double u, double v) {
    vec3 e = s->extent;
    double c = cos(u), n = sin(u);
    if (s->kind == SHAPE_CYLINDER) return vec3_make(e.x * c, e.x * n, v * e.z);
    if (s->kind == SHAPE_CONE) return vec3_make(e.x * c * (1 - v) / 2, e.x * n * (1 - v) / 2, v * e.z);
    double w = sqrt(1 - v * v);
    return vec3_make(e.x * c * w, e.y * n * w, e.z * v);
}

/// Directions: axes, with parts missing, tiny or next to an axis, and random ones. Length between 1/4 and 4, or 0.
static vec3 hard_direction(rng* r, int i) {
    const double parts[] = {0, -0.0, 1, -1, 1e-8, -1e-160, 1e-300, 0x1p-1074};
    if (i < 512) {
        vec3 d = {parts[i % 8], parts[i / 8 % 8], parts[i / 64]};
        return vec3_length(d) >= 0.25 ? d : vec3_make(0, 0, 0);
    }
    double length = rng_uniform(r, 0.25, 4);
    return vec3_scale(length, rng_unit_vector(r));
}

/// The support point is in the body, and no sampled point is farther, to a few roundings of the body's size.
static void check_supports(apart_shape* s, double* worst_outside, double* worst_low) {
    assert_non_null(s);
    rng r = rng_seed(17);
    for (int i = 0; i < 2000; i++) {
        vec3 d = hard_direction(&r, i);
        support_point p = apart_support_find(s, d, SEARCH_BEST, 0);
        assert_true(vec3_is_finite(p.point));
        assert_true(vec3_length(p.point) <= s->bound);
        *worst_outside = fmax(*worst_outside, outside(s, p.point));
        double value = vec3_dot(p.point, d), length = fmax(vec3_length(d), 0.25);
        for (int k = 0; k < 40; k++) {
            // Parameters near the best one as well as anywhere.
            double u = rng_uniform(&r, -4, 4), v = k % 4 ? rng_uniform(&r, -1, 1) : rng_chance(&r, 0.5) ? 1 : -1;
            if (k % 2) u = atan2(d.y * s->extent.y, d.x * s->extent.x) + 1e-4 * u;
            *worst_low = fmax(*worst_low, (vec3_dot(surface(s, u, v), d) - value) / (s->bound * length));
        }
    }
    apart_shape_release(s);
}

static void test_primitive_supports(void** state) {
    (void)state;
    double out = 0, low = 0;
    const double sizes[] = {0, 1e-200, 1e-9, 0.3, 1, 7, 1e20};
    for (int i = 0; i < 7; i++) {
        for (int k = 0; k < 7; k++) {
            if (i == 0 && k == 0) continue;
            check_supports(apart_shape_cylinder(sizes[i], sizes[k], NULL), &out, &low);
            check_supports(apart_shape_cone(sizes[i], sizes[k], NULL), &out, &low);
            check_supports(apart_shape_ellipsoid(vec3_make(sizes[i], 1, sizes[k]), NULL), &out, &low);
        }
    }
    print_message("support points: at most %.2g outside, at most %.2g too low\n", out, low);
    assert_true(out <= 0x1p-50);
    assert_true(low <= 0x1p-50);
}

static void test_box_support(void** state) {
    (void)state;
    apart_shape* box = apart_shape_box(vec3_make(1, 2, 3), 0, NULL);
    apart_shape* points = apart_shape_points(cube, 8, 0, NULL);
    rng r = rng_seed(23);
    for (int i = 0; i < 3000; i++) {
        vec3 d = hard_direction(&r, i);
        support_point p = apart_support_find(box, d, SEARCH_BEST, 0);
        vec3 corner = shape_vertex(box, p.vertex);
        assert_true(p.vertex < 8 && vec3_length(vec3_sub(corner, p.point)) == 0);
        double best = fabs(d.x) * box->extent.x + fabs(d.y) * box->extent.y + fabs(d.z) * box->extent.z;
        assert_true(fabs(vec3_dot(p.point, d) - best) <= 0x1p-50 * vec3_length(d));
        // The same corner as the points's, where there is only one.
        if (d.x != 0 && d.y != 0 && d.z != 0 && i >= 512)
            assert_int_equal(apart_support_find(points, d, SEARCH_BEST, 0).vertex, p.vertex);
    }
    apart_shape_release(points);
    apart_shape_release(box);
}

/// A caller's function: unit directions only, results in stored coordinates, not finite ones handed on.
static apart_vec3 picky_support(const void* context, apart_vec3 d) {
    const vec3* center = context;
    assert_true(fabs(vec3_length(d) - 1) < 1e-15);
    if (d.x > 0.9 && d.x < 0.99) return vec3_make(NAN, 0, 0);
    return vec3_add(*center, d);
}

static void test_support_function(void** state) {
    (void)state;
    const vec3 centers[] = {{0, 0, 0}, {1, 2, 3}, {1e6, -1e6, 1e6}, {1e15, 0, 0}};
    rng r = rng_seed(29);
    for (size_t c = 0; c < 4; c++) {
        apart_shape* s = apart_shape_support(picky_support, &centers[c], 0.5, NULL);
        assert_non_null(s);
        assert_true((c >= 2) == (s->origin.x != 0));
        int broken = 0;
        for (int i = 0; i < 2000; i++) {
            vec3 d = hard_direction(&r, i);
            support_point p = apart_support_find(s, d, SEARCH_BEST, 0);
            assert_int_equal(p.vertex, NO_VERTEX);
            if (vec3_is_finite(p.point))
                assert_true(vec3_length(p.point) <= s->bound);
            else
                broken++;
        }
        assert_true(broken > 0);
        assert_true(s->bound <= 1 && vec3_length(s->center) <= s->bound);
        apart_shape_release(s);
    }
}

// ------------------------------------------------------------------------------------------------ size and place ----

/// A power of two changes nothing but the scale; other factors change no count.
static void test_scales(void** state) {
    (void)state;
    vec3 p[200], q[200];
    rng r = rng_seed(31);
    for (int i = 0; i < 200; i++) p[i] = rng_in_cube(&r, 1);
    apart_shape* one = apart_shape_points(p, 200, 0, NULL);
    for (int power = -950; power <= 990; power += 97) {
        for (int i = 0; i < 200; i++) q[i] = vec3_scale(ldexp(1, power), p[i]);
        apart_shape* s = apart_shape_points(q, 200, 0, NULL);
        assert_non_null(s);
        assert_int_equal(s->polytope.count, one->polytope.count);
        assert_true(s->scale == ldexp(one->scale, power) && s->bound == one->bound);
        size_t bytes = one->polytope.padded * sizeof(double);
        assert_memory_equal(s->polytope.x, one->polytope.x, bytes);
        assert_memory_equal(s->polytope.y, one->polytope.y, bytes);
        assert_memory_equal(s->polytope.z, one->polytope.z, bytes);
        assert_int_equal(s->polytope.face_count, one->polytope.face_count);
        apart_shape_release(s);
    }
    apart_shape_release(one);
    for (int power = -300; power <= 300; power += 25) {
        double size = pow(10, power);
        if (size > APART_LIMIT) size = APART_LIMIT;
        for (int i = 0; i < 8; i++) q[i] = vec3_scale(size, cube[i]);
        apart_shape* s = apart_shape_points(q, 8, 0, NULL);
        assert_non_null(s);
        assert_int_equal(s->polytope.count, 8);
        assert_int_equal(s->polytope.face_count, 6);
        assert_true(s->bound <= 1 && s->bound > 0.25);
        apart_shape_release(s);
    }
}

/// The extremes of the number range: mixed sizes, subnormals, the limit itself.
static void test_extremes(void** state) {
    (void)state;
    const double parts[] = {0, 0x1p-1074, 1e-310, -1e-300, 1, -APART_LIMIT, APART_LIMIT};
    vec3 p[40];
    rng r = rng_seed(37);
    for (int run = 0; run < 3000; run++) {
        int count = rng_between(&r, 1, 40), most = rng_between(&r, 1, 7);
        for (int i = 0; i < count; i++) {
            p[i].x = parts[rng_below(&r, most)];
            p[i].y = parts[rng_below(&r, most)];
            p[i].z = parts[rng_below(&r, most)];
        }
        apart_shape* s = apart_shape_points(p, (size_t)count, 0, NULL);
        assert_non_null(s);
        assert_true(s->scale >= 0x1p-1022 && s->bound <= 1);
        apart_shape_info info;
        assert_int_equal(apart_shape_describe(s, &info), APART_OK);
        assert_true(vec3_is_finite(info.lower) && vec3_is_finite(info.upper));
        apart_shape_release(s);
    }
    assert_true(apart_shape_scale_for(0) == 1 && apart_shape_scale_for(0.5) == 1 &&
                apart_shape_scale_for(0x1p-1074) == 0x1p-1022);
    for (int i = 0; i < 1000; i++) {
        double x = rng_magnitude(&r, -1000, 900), q = x / apart_shape_scale_for(x);
        assert_true(q > 0.25 && q <= 0.5);
    }
}

/// Far from its own origin a body keeps its digits; nearby its points are stored as they are.
static void test_far_bodies(void** state) {
    (void)state;
    rng r = rng_seed(41);
    int moved = 0, stayed = 0;
    for (int run = 0; run < 300; run++) {
        double distance = rng_magnitude(&r, -3, 30);
        vec3 p[50], center = vec3_scale(distance, rng_unit_vector(&r));
        for (int i = 0; i < 50; i++) p[i] = vec3_add(center, rng_in_cube(&r, 1));
        apart_shape* s = apart_shape_points(p, 50, 0, NULL);
        bool far = s->origin.x != 0 || s->origin.y != 0 || s->origin.z != 0;
        *(far ? &moved : &stayed) += 1;
        if (distance > 30) assert_true(far);
        if (distance < 6) assert_false(far);
        assert_true(s->bound <= 1 && s->bound > 0.25);
        if (far) assert_true(s->scale <= 4);
        for (size_t i = 0; i < s->polytope.count; i++) {
            vec3 q;
            uint32_t index;
            apart_shape_vertex(s, i, &q, &index);
            double error = vec3_length(vec3_sub(q, p[index]));
            assert_true(error <= (far ? 0x1p-52 * distance : 0));
        }
        apart_shape_release(s);
    }
    assert_true(moved > 50 && stayed > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_points), cmocka_unit_test(test_refused_sizes),
        cmocka_unit_test(test_describe),       cmocka_unit_test(test_vertices),
        cmocka_unit_test(test_owners),         cmocka_unit_test(test_primitive_supports),
        cmocka_unit_test(test_box_support),    cmocka_unit_test(test_support_function),
        cmocka_unit_test(test_scales),         cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_far_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

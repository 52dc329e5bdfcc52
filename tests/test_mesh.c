// Meshes through the public API: hundreds of placements against brute force, each answer with its certificate; the
// options of a query; what lies inside what; convex bodies beside meshes; and everything that is refused.
#include "convex/cache.h"

#include "base/vec.h"
#include "mesh_scenes.h"
#include "progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static apart_query exact(void) { return apart_query_default(); }

// --------------------------------------------------------------------------------------------------- placements ----

// Any bytes at all.
static void fill_cache(apart_cache* cache, rng* r) {
    unsigned char* byte = (unsigned char*)cache;
    for (size_t i = 0; i < sizeof *cache; i++) byte[i] = (unsigned char)(rng_next(r) >> 40);
    if (rng_chance(r, 0.5)) cache_set_counts(cache, (uint32_t)rng_between(r, 1, 3), (uint32_t)rng_between(r, 1, 3));
    for (int i = CACHE_A; i < CACHE_WORDS && rng_chance(r, 0.9); i++) cache->words[i] = (uint32_t)rng_below(r, 200);
}

// Cold, warm, warmed by another pair, filled with noise: always a certified answer; cold, then warm, the same distance.
static void ask_with_caches(const encounter* k, apart_cache* stale, rng* r, thing_census* c) {
    apart_query q = exact();
    apart_cache own = {0}, noise;
    apart_result cold, warm;
    encounter_judge(k, &q, NULL, c);
    encounter_judge(k, &q, &own, c);
    encounter_judge(k, &q, &own, c);
    encounter_judge(k, &q, stale, c);
    fill_cache(&noise, r);
    encounter_judge(k, &q, &noise, c);
    assert_int_equal(apart_distance(k->shape_a, &k->pose_a, k->shape_b, &k->pose_b, &q, NULL, &cold), APART_OK);
    assert_int_equal(apart_distance(k->shape_a, &k->pose_a, k->shape_b, &k->pose_b, &q, &own, &warm), APART_OK);
    assert_true(fabs(cold.distance - warm.distance) <= 4e-15 * (k->truth.size + k->truth.place));
}

static void ask_scene(uint64_t seed, apart_cache* stale, thing_census* c) {
    scene s;
    rng r = rng_seed(seed ^ 0x77);
    scene_random(&s, seed, 400);
    encounter k = scene_open(&s);
    ask_with_caches(&k, stale, &r, c);
    encounter_close(&k);
    scene_free(&s);
}

// Scenes that were answered wrongly once, found by longer searches.
static const uint64_t found[] = {300549};

static void test_placements(void** state) {
    (void)state;
    thing_census c = {0};
    apart_cache stale = {0};
    for (uint64_t seed = 1; seed <= 800; seed++) ask_scene(seed, &stale, &c);
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) ask_scene(found[i], &stale, &c);
    thing_census_print("placements", &c);
    assert_true(thing_census_reached(&c, 100));
    assert_true(c.unknown < 100);
    assert_int_equal(c.wrong, 0);
}

// Every method takes meshes: the pairs of triangles are measured by it.
static void test_methods(void** state) {
    (void)state;
    thing_census c = {0};
    for (uint64_t seed = 2001; seed <= 2160; seed++) {
        scene s;
        scene_random(&s, seed, 200);
        encounter k = scene_open(&s);
        for (int m = APART_METHOD_GJK; m <= APART_METHOD_FEATURES; m++) {
            apart_query q = exact();
            q.method = (apart_method)m;
            apart_cache cache = {0};
            encounter_judge(&k, &q, &cache, &c);
            encounter_judge(&k, &q, &cache, &c);
        }
        encounter_close(&k);
        scene_free(&s);
    }
    thing_census_print("methods", &c);
    assert_true(thing_census_reached(&c, 20));
    assert_int_equal(c.wrong, 0);
}

// ------------------------------------------------------------------------------------------------------ options ----

// Errors and cutoffs around the true distance, alone and together.
static void ask_with_options(const encounter* k, thing_census* c) {
    static const double errors[] = {0.01, 0.2, 0.9, 1}, parts[] = {0, 0.3, 0.999, 1, 1.001, 3};
    static const double sizes[] = {1e-9, 1e-3, 0.01};
    double truth = (double)k->truth.upper;
    apart_cache cache = {0};
    for (int i = 0; i < 4; i++) {
        apart_query q = exact();
        q.relative_error = errors[i];
        encounter_judge(k, &q, NULL, c);
        encounter_judge(k, &q, &cache, c);
        q.cutoff = truth / 2;
        encounter_judge(k, &q, &cache, c);
    }
    for (int i = 0; i < 3; i++) {
        apart_query q = exact();
        q.cutoff = sizes[i] * k->truth.size;
        encounter_judge(k, &q, NULL, c);
    }
    for (int i = 0; i < 6; i++) {
        apart_query q = exact();
        q.cutoff = parts[i] * truth;
        encounter_judge(k, &q, NULL, c);
        encounter_judge(k, &q, &cache, c);
        q = exact();
        q.absolute_error = parts[i] * (truth + 0.01 * k->truth.size);
        encounter_judge(k, &q, NULL, c);
        encounter_judge(k, &q, &cache, c);
    }
}

static void test_options(void** state) {
    (void)state;
    thing_census c = {0};
    for (uint64_t seed = 3001; seed <= 3240; seed++) {
        scene s;
        scene_random(&s, seed, 200);
        encounter k = scene_open(&s);
        ask_with_options(&k, &c);
        encounter_close(&k);
        scene_free(&s);
    }
    thing_census_print("options", &c);
    assert_true(thing_census_reached(&c, 100));
    assert_int_equal(c.wrong, 0);
}

// A larger error saves work: otherwise the option would be an ornament.
static void test_errors_save_work(void** state) {
    (void)state;
    surface a = model_knot(80, 8), b = model_torus(40, 12, 0.2);
    apart_shape *x = surface_shape(&a, NULL), *y = surface_shape(&b, NULL);
    assert_true(x && y);
    apart_pose here = pose_at(0, 0, 0), there = pose_at(1.5, 1, 0.5);
    apart_query q = exact();
    apart_result tight, loose, cut;
    assert_int_equal(apart_distance(x, &here, y, &there, &q, NULL, &tight), APART_OK);
    // {0} is the default.
    assert_int_equal(apart_distance(x, &here, y, &there, &(apart_query){0}, NULL, &cut), APART_OK);
    assert_true(cut.distance == tight.distance && cut.lower_bound == tight.lower_bound && cut.visits == tight.visits);
    q.relative_error = 0.5;
    assert_int_equal(apart_distance(x, &here, y, &there, &q, NULL, &loose), APART_OK);
    q.relative_error = 0;
    q.cutoff = tight.distance / 4;
    assert_int_equal(apart_distance(x, &here, y, &there, &q, NULL, &cut), APART_OK);
    printf("visits: exact %d, error 0.5 %d, cutoff %d\n", tight.visits, loose.visits, cut.visits);
    assert_true(tight.distance > 0.1 && tight.visits > 0);
    assert_true(loose.visits < tight.visits && cut.visits < tight.visits);
    apart_shape_release(x);
    apart_shape_release(y);
    surface_free(&a);
    surface_free(&b);
}

// ---------------------------------------------------------------------------------------------------------- depth ----

// The least signed distance over all pairs of triangles, by the oracle of depths.
static depth_answer deepest_pair(const scene* s) {
    static body x, y;
    depth_answer all = {.lower = (quad)1e300, .upper = (quad)1e300};
    for (size_t i = 0; i < s->a.triangle_count * s->b.triangle_count; i++) {
        const uint32_t *p = s->a.triangle[i / s->b.triangle_count], *q = s->b.triangle[i % s->b.triangle_count];
        x.radius = s->a.radius, y.radius = s->b.radius;
        x.count = y.count = 3;
        for (int k = 0; k < 3; k++) x.points[k] = s->a.vertex[p[k]], y.points[k] = s->b.vertex[q[k]];
        depth_answer d = depth_signed_distance(&x, &s->pose_a, &y, &s->pose_b);
        all.lower = d.lower < all.lower ? d.lower : all.lower;
        all.upper = d.upper < all.upper ? d.upper : all.upper;
        all.size = d.size > all.size ? d.size : all.size;
    }
    return all;
}

// Surfaces that cross, as sets of triangles: the deepest pair tells.
static void test_depth(void** state) {
    (void)state;
    long wrong = 0, deep = 0, apart = 0;
    for (uint64_t k = 1; k <= 60; k++) {
        scene s;
        scene_random(&s, 8 * k + (k % 3 == 0 ? SET_CROSSING : SET_LINKED), 33);
        s.a.hollow = s.b.hollow = true;
        depth_answer truth = deepest_pair(&s);
        apart_shape *a = surface_shape(&s.a, NULL), *b = surface_shape(&s.b, NULL);
        apart_query q = exact();
        q.depth = APART_DEPTH_EXACT;
        apart_result r;
        assert_int_equal(apart_distance(a, &s.pose_a, b, &s.pose_b, &q, NULL, &r), APART_OK);
        bool right = (quad)r.lower_bound <= truth.upper && (quad)r.upper_bound >= truth.lower &&
                     r.upper_bound - r.lower_bound <= 1e-11 * (double)truth.size;
        if (!right && wrong++ < 10)
            printf("%s: [%.17g, %.17g], truth [%.17g, %.17g]\n", s.name, r.lower_bound, r.upper_bound,
                   (double)truth.lower, (double)truth.upper);
        deep += truth.upper < 0;
        apart += truth.lower > 0;
        apart_shape_release(a);
        apart_shape_release(b);
        scene_free(&s);
    }
    printf("depth: %ld overlap, %ld apart, %ld wrong\n", deep, apart, wrong);
    assert_true(deep >= 30 && apart >= 5);
    assert_int_equal(wrong, 0);
}

// A surface against itself, moved by next to nothing, or with a vertex far out beside which all others are in one
// place: triangles whose centres are too near each other to tell a direction.
static void test_depth_in_itself(void** state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        surface s = i == 0 ? model_file("gear.ply") : model_torus(7, 5, 0.4);
        s.hollow = i > 0;
        if (i > 1) s.vertex[3].x = i == 2 ? 1e100 : -1e200;
        apart_shape* shape = surface_shape(&s, NULL);
        const apart_pose here = pose_at(0, 0, 0), there = pose_at(1e-100, 0, 0);
        apart_query q = exact();
        for (int depth = 1; depth < DEPTHS; depth++) {
            apart_result still, moved;
            q.depth = (apart_depth)depth;
            assert_int_equal(apart_distance(shape, &here, shape, &here, &q, NULL, &still), APART_OK);
            assert_int_equal(apart_distance(shape, &here, shape, &there, &q, NULL, &moved), APART_OK);
            assert_true(moved.lower_bound <= moved.upper_bound);
            assert_true(moved.lower_bound <= still.upper_bound + 1e-100 &&
                        still.lower_bound <= moved.upper_bound + 1e-100);
        }
        apart_shape_release(shape);
        surface_free(&s);
    }
}

#define PAGES 20000

/// Triangles that all have one edge, like the pages of a book.
static apart_shape* book(size_t pages) {
    static apart_vec3 point[PAGES + 2] = {{0, 0, 0}, {0, 0, 1}};
    static uint32_t triangle[PAGES][3];
    for (size_t i = 0; i < pages; i++) {
        double angle = 2 * 3.141592653589793 * (double)i / (double)pages;
        point[i + 2] = (apart_vec3){cos(angle), sin(angle), 0.5};
        triangle[i][0] = 0, triangle[i][1] = 1, triangle[i][2] = (uint32_t)i + 2;
    }
    return apart_shape_mesh(point, pages + 2, triangle[0], pages, NULL, NULL);
}

/// A book against itself.
static apart_result ask_book(size_t pages) {
    apart_shape* s = book(pages);
    assert_non_null(s);
    apart_query q = exact();
    q.depth = APART_DEPTH_EXACT;
    apart_result r;
    assert_int_equal(apart_distance(s, &apart_pose_identity, s, &apart_pose_identity, &q, NULL, &r), APART_OK);
    apart_shape_release(s);
    return r;
}

// Every page touches every other one, and no box can tell how deep: the work has an end, and the bracket is true. All
// pairs of 20,000 pages would be 58 million boxes.
static void test_depth_has_a_budget(void** state) {
    (void)state;
    apart_result few = ask_book(500), many = ask_book(PAGES);
    print_message("books: 500 pages %d visits, %d pages %d\n", few.visits, PAGES, many.visits);
    assert_true(few.upper_bound == 0 && few.lower_bound > -1e-12);
    assert_true(many.upper_bound == 0 && many.lower_bound <= 0 && many.lower_bound >= -2);
    assert_in_range(many.visits, 1, 0x1000000);
}

#define CELLS 120

/// A plate of squares.
static apart_shape* plate(void) {
    static apart_vec3 point[CELLS + 1][CELLS + 1];
    static uint32_t triangle[CELLS][CELLS][2][3];
    for (uint32_t i = 0; i <= CELLS; i++)
        for (uint32_t j = 0; j <= CELLS; j++) point[i][j] = (apart_vec3){(double)i / CELLS, (double)j / CELLS, 0};
    for (uint32_t i = 0; i < CELLS; i++)
        for (uint32_t j = 0; j < CELLS; j++) {
            uint32_t at = i * (CELLS + 1) + j, next = at + CELLS + 1;
            const uint32_t two[2][3] = {{at, next, at + 1}, {at + 1, next, next + 1}};
            memcpy(triangle[i][j], two, sizeof two);
        }
    return apart_shape_mesh(point[0], (CELLS + 1) * (CELLS + 1), triangle[0][0][0], 2 * CELLS * CELLS, NULL, NULL);
}

// Plates on each other, one of them turned: every triangle touches others, and their points tell no direction. One look
// along the best of theirs ends the search, which would take 5 times as many boxes.
static void test_plates_on_each_other(void** state) {
    (void)state;
    apart_shape* s = plate();
    assert_non_null(s);
    apart_query q = exact();
    apart_result r;
    const apart_pose turned = apart_pose_from_quaternion(1, 0, 0, 0.15, (apart_vec3){0.01, 0, 0});
    assert_int_equal(apart_distance(s, &apart_pose_identity, s, &turned, &q, NULL, &r), APART_OK);
    print_message("plates: %d visits, up to %g\n", r.visits, r.upper_bound);
    assert_true(r.lower_bound == 0 && r.upper_bound < 1e-15);
    assert_in_range(r.visits, 1, 0x18000);
    apart_shape_release(s);
}

// ---------------------------------------------------------------------------------------------------- containment ----

// What the query says of b at a place beside a: the oracle must agree, and say itself what is expected.
static void expect(const char* name, const surface* a, const surface* b, apart_pose there, bool overlap) {
    thing_census c = {0};
    scene s = {.a = *a, .b = *b, .pose_a = apart_pose_identity, .pose_b = there};
    snprintf(s.name, sizeof s.name, "%s", name);
    encounter k = scene_open(&s);
    assert_true(!k.truth.unknown && k.truth.nested == overlap && k.truth.depth == 0);
    apart_query q = exact();
    encounter_judge(&k, &q, NULL, &c);
    encounter swapped = encounter_swapped(&k);
    encounter_judge(&swapped, &q, NULL, &c);
    q.relative_error = 0.3;
    encounter_judge(&k, &q, NULL, &c);
    q.relative_error = 0;
    q.cutoff = 1e-3;
    encounter_judge(&k, &q, NULL, &c);
    if (c.wrong) printf("%s: expected %s\n", name, overlap ? "overlap" : "no overlap");
    assert_int_equal(c.wrong, 0);
    encounter_close(&k);
}

static surface small_sphere(void) {
    surface s = model_sphere(1);
    surface_scale(&s, 0.1);
    return s;
}

static void test_inside_solid(void** state) {
    (void)state;
    surface inner = small_sphere(), sheet = model_sheet(3), outer = model_sphere(2);
    rng r = rng_seed(8);
    surface_scale(&sheet, 0.2);
    expect("sphere in sphere", &outer, &inner, pose_at(0.3, 0.2, 0.1), true);
    expect("open sheet in sphere", &outer, &sheet, pose_at(0.3, 0.2, 0.1), true);
    expect("sphere beside sphere", &outer, &inner, pose_at(1.3, 0.2, 0.1), false);
    outer.hollow = true;
    expect("sphere in hollow sphere", &outer, &inner, pose_at(0.3, 0.2, 0.1), false);
    inner.hollow = true;
    expect("hollow sphere in hollow sphere", &outer, &inner, pose_at(0.3, 0.2, 0.1), false);
    outer.hollow = false;
    expect("hollow sphere in sphere", &outer, &inner, pose_at(0.3, 0.2, 0.1), true);
    surface_invert(&outer);
    expect("inside out", &outer, &inner, pose_at(0.3, 0.2, 0.1), true);
    expect("beside what is inside out", &outer, &inner, pose_at(1.3, 0.2, 0.1), false);
    surface_mix_orientation(&outer, &r);
    expect("every which way", &outer, &inner, pose_at(0.3, 0.2, 0.1), true);
    expect("beside every which way", &outer, &inner, pose_at(1.3, 0.2, 0.1), false);
    surface_unshare(&outer);
    expect("without shared vertices", &outer, &inner, pose_at(0.3, 0.2, 0.1), true);
    surface torus = model_torus(16, 8, 0.25);
    expect("in the tube of a torus", &torus, &inner, pose_at(0.7, 0, 0), true);
    expect("in the hole of a torus", &torus, &inner, pose_at(0, 0, 0), false);
    outer.radius = 0.05;
    expect("with a radius", &outer, &inner, pose_at(0.3, 0.2, 0.1), true);
    surface_free(&torus);
    surface_free(&inner);
    surface_free(&sheet);
    surface_free(&outer);
}

// A surface of several components, each a solid by itself or not at all.
static void test_components(void** state) {
    (void)state;
    surface inner = small_sphere(), outer = model_sphere(2), shell = model_sphere(2), other = small_sphere();
    surface_scale(&shell, 0.7);
    surface_append(&outer, &shell);
    expect("shell in a shell: in the cavity", &outer, &inner, pose_at(0.1, 0.1, 0), true);
    expect("shell in a shell: outside", &outer, &inner, pose_at(1.4, 0.1, 0), false);
    surface_free(&outer);
    outer = model_sphere(2);
    surface_invert(&shell);
    surface_append(&outer, &shell);
    expect("shell turned over in a shell: in the cavity", &outer, &inner, pose_at(0.1, 0.1, 0), false);
    expect("shell turned over in a shell: outside", &outer, &inner, pose_at(1.4, 0.1, 0), false);
    surface_scale(&inner, 0.5);
    expect("shell turned over in a shell: in the wall", &outer, &inner, pose_at(0.81, 0, 0), true);
    surface_scale(&inner, 2);
    surface_free(&outer);
    outer = model_sphere(2);
    surface_invert(&shell);
    surface_shift(&shell, vec3_make(0.9, 0, 0));
    surface_append(&outer, &shell);
    expect("two overlapping shells: in both", &outer, &inner, pose_at(0.6, 0, 0), true);
    expect("two overlapping shells: in the first", &outer, &inner, pose_at(-0.5, 0, 0), true);
    expect("two overlapping shells: in the second", &outer, &inner, pose_at(1.3, 0, 0), true);
    expect("two overlapping shells: in none", &outer, &inner, pose_at(0.9, 1, 0), false);
    // Of two components one is inside.
    surface_shift(&other, vec3_make(3, 0, 0));
    surface_append(&inner, &other);
    expect("one of two components inside", &outer, &inner, pose_at(-0.5, 0, 0), true);
    expect("the other of two components inside", &outer, &inner, pose_at(-3.5, 0, 0), true);
    expect("none of two components inside", &outer, &inner, pose_at(-1.5, 2, 0), false);
    surface_free(&inner);
    surface_free(&outer);
    surface_free(&shell);
    surface_free(&other);
}

static void test_holes(void** state) {
    (void)state;
    surface inner = small_sphere(), outer = model_sphere(4), cup = model_cup(3);
    surface_remove(&outer, 700);
    expect("a small hole", &outer, &inner, pose_at(0.3, 0.2, 0.1), true);
    expect("outside of a small hole", &outer, &inner, pose_at(1.3, 0.2, 0.1), false);
    surface_remove(&outer, 100);
    expect("two small holes", &outer, &inner, pose_at(0, 0, 0), true);
    surface_invert(&outer);
    expect("two small holes, inside out", &outer, &inner, pose_at(0, 0, 0), true);
    expect("a large hole", &cup, &inner, pose_at(0, 0, 0), false);
    surface_invert(&cup);
    expect("a large hole, inside out", &cup, &inner, pose_at(0, 0, 0), false);
    surface_free(&inner);
    surface_free(&outer);
    surface_free(&cup);
}

// What the description says of all these.
static void test_describe(void** state) {
    (void)state;
    apart_shape_info info;
    surface s = model_torus(16, 8, 0.25), other = model_cup(2);
    s.radius = 0.125;
    apart_shape* shape = surface_shape(&s, NULL);
    assert_int_equal(apart_shape_describe(shape, &info), APART_OK);
    assert_int_equal(info.dimension, -1);
    assert_int_equal(info.vertices, 128);
    assert_int_equal(info.triangles, 256);
    assert_int_equal(info.edges, 384);
    assert_int_equal(info.faces, 0);
    assert_int_equal(info.components, 1);
    assert_int_equal(info.solids, 1);
    assert_int_equal(info.open_edges + info.crowded_edges + info.holes + info.degenerate, 0);
    assert_int_equal(info.parts, 1);
    assert_true(info.tree_nodes > 0 && info.tree_depth > 0 && info.bytes > 256 * 36);
    assert_true(info.radius == 0.125 && info.upper.x == 0.95 + 0.125 && info.lower.z == -0.25 - 0.125);
    apart_shape_release(shape);
    surface_append(&s, &other);
    shape = surface_shape(&s, NULL);
    assert_int_equal(apart_shape_describe(shape, &info), APART_OK);
    anatomy a = anatomy_make(&s);
    assert_int_equal(info.components, 2);
    assert_int_equal(info.solids, 1);
    assert_int_equal(info.holes, 1);
    assert_int_equal(info.open_edges, a.open_edges);
    anatomy_free(&a);
    apart_shape_release(shape);
    surface_free(&s);
    surface_free(&other);
}

// --------------------------------------------------------------------------------------------- with convex bodies ----

static body convex; // large: not on the stack

// The point of the convex body farthest along the world direction n, in the world.
static apart_vec3 convex_farthest(const body* b, const apart_pose* pose, apart_vec3 n) {
    const double(*m)[3] = pose->rotation.m;
    apart_vec3 d = {m[0][0] * n.x + m[1][0] * n.y + m[2][0] * n.z, m[0][1] * n.x + m[1][1] * n.y + m[2][1] * n.z,
                    m[0][2] * n.x + m[1][2] * n.y + m[2][2] * n.z};
    return pose_point(pose, body_support(b, d));
}

// Beside the mesh, against it, anywhere, small inside it, or around all of it.
static void put_convex(const surface* s, const apart_pose* pose, apart_pose* there, rng* r, int way) {
    apart_vec3 n = rng_unit_vector(r), back = {-n.x, -n.y, -n.z}, inner = {0, 0, 0};
    double gap = way == 0 ? rng_uniform(r, 0.05, 1) : way == 1 ? rng_magnitude(r, -40, -10) : 0;
    if (way == 4) body_scale(&convex, rng_magnitude(r, -6, -4));
    if (way == 5) body_scale(&convex, 8);
    *there = rng_pose(r, rng_in_cube(r, 1));
    if (way == 4 && surface_inner_point(s, r, &inner)) {
        apart_vec3 centre = convex.kind == BODY_POINTS ? body_centre(&convex) : vec3_make(0, 0, 0);
        pose_carry(there, centre, pose_point(pose, inner));
    }
    if (way > 2) return;
    there->translation = vec3_make(0, 0, 0);
    apart_vec3 p = surface_farthest(s, pose, n), q = convex_farthest(&convex, there, back);
    gap += s->radius + convex.radius;
    there->translation = vec3_make(p.x + gap * n.x - q.x, p.y + gap * n.y - q.y, p.z + gap * n.z - q.z);
}

// A mesh and a convex body of every kind, in either order.
static void test_convex(void** state) {
    (void)state;
    thing_census c = {0};
    long kinds[BODY_KINDS] = {0};
    char name[96];
    for (uint64_t seed = 4001; seed <= 4420; seed++) {
        rng r = rng_seed(seed);
        int model = rng_below(&r, 12);
        surface s = model_get(model);
        if (rng_chance(&r, 0.2)) s.radius = rng_magnitude(&r, -12, -4);
        s.hollow = rng_chance(&r, 0.1);
        body_random(&r, &convex, 24);
        encounter k = {.name = name, .pose_a = rng_pose(&r, rng_in_cube(&r, 1))};
        put_convex(&s, &k.pose_a, &k.pose_b, &r, (int)(seed % 6));
        snprintf(name, sizeof name, "seed %d: %s and %s, setting %d", (int)seed, model_names[model],
                 body_kind_names[convex.kind], (int)(seed % 6));
        kinds[convex.kind]++;
        k.a = thing_surface(&s, &k.pose_a);
        k.b = thing_body(&convex, &k.pose_b);
        k.shape_a = surface_shape(&s, NULL);
        k.shape_b = body_shape(&convex, NULL);
        assert_true(k.shape_a && k.shape_b);
        k.truth = thing_distance(&k.a, &k.b);
        encounter swapped = encounter_swapped(&k);
        apart_query q = exact();
        apart_cache cache = {0};
        encounter_judge(&k, &q, NULL, &c);
        encounter_judge(&swapped, &q, &cache, &c);
        encounter_judge(&swapped, &q, &cache, &c);
        q.relative_error = 0.1;
        encounter_judge(&k, &q, NULL, &c);
        encounter_close(&k);
        surface_free(&s);
    }
    thing_census_print("meshes and convex bodies", &c);
    for (int i = 0; i < BODY_KINDS; i++) assert_true(kinds[i] >= 10);
    assert_true(thing_census_reached(&c, 40));
    assert_int_equal(c.wrong, 0);
}

// ------------------------------------------------------------------------------------------------------- refusals ----

static const apart_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const uint32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};

static void refused(apart_shape* shape, const apart_error* error, apart_status status, const char* word) {
    assert_null(shape);
    assert_int_equal(error->status, status);
    if (!strstr(error->message, word)) fail_msg("\"%s\" does not say \"%s\"", error->message, word);
}

static void test_refused_meshes(void** state) {
    (void)state;
    apart_error e = {0};
    apart_mesh_options options = {0};
    uint32_t bad[4][3];
    apart_vec3 p[4];
    memcpy(bad, faces, sizeof bad);
    bad[2][1] = 4;
    refused(apart_shape_mesh(corners, 4, bad[0], 4, NULL, &e), &e, APART_INVALID, "triangle 2");
    bad[2][1] = UINT32_MAX;
    refused(apart_shape_mesh(corners, 4, bad[0], 4, NULL, &e), &e, APART_INVALID, "triangle 2");
    assert_null(apart_shape_mesh(corners, 4, bad[0], 4, NULL, NULL));
    refused(apart_shape_mesh(corners, 4, faces[0], 0, NULL, &e), &e, APART_EMPTY, "");
    refused(apart_shape_mesh(corners, 4, NULL, 4, NULL, &e), &e, APART_INVALID, "");
    refused(apart_shape_mesh(NULL, 4, faces[0], 4, NULL, &e), &e, APART_INVALID, "");
    refused(apart_shape_mesh(corners, 4, faces[0], (size_t)1 << 31, NULL, &e), &e, APART_INVALID, "");
    const double wrong[3] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        memcpy(p, corners, sizeof p);
        p[3].y = wrong[i];
        refused(apart_shape_mesh(p, 4, faces[0], 4, NULL, &e), &e, APART_NOT_FINITE, "3");
        options.radius = wrong[i];
        refused(apart_shape_mesh(corners, 4, faces[0], 4, &options, &e), &e, APART_NOT_FINITE, "radius");
        options.radius = 0;
        options.sphere_radius = wrong[i];
        refused(apart_shape_mesh(corners, 4, faces[0], 4, &options, &e), &e, APART_NOT_FINITE, "radius");
        options.sphere_radius = 0;
    }
    p[3].y = 2e300;
    refused(apart_shape_mesh(p, 4, faces[0], 4, NULL, &e), &e, APART_OUT_OF_RANGE, "3");
    options.radius = -1;
    refused(apart_shape_mesh(corners, 4, faces[0], 4, &options, &e), &e, APART_INVALID, "radius");
    options.radius = 0;
    options.sphere_radius = -1;
    refused(apart_shape_mesh(corners, 4, faces[0], 4, &options, &e), &e, APART_INVALID, "radius");
}

// Nothing is written when a query is refused.
static void test_refused_queries(void** state) {
    (void)state;
    apart_shape* mesh = apart_shape_mesh(corners, 4, faces[0], 4, NULL, NULL);
    apart_shape* ball = apart_shape_sphere(1, NULL);
    assert_true(mesh && ball);
    apart_pose here = pose_at(0, 0, 0), there = pose_at(3, 0, 0), squeezed = here, lost = here;
    squeezed.rotation.m[1][1] = 0.9;
    lost.translation.x = NAN;
    apart_query q = exact();
    apart_result r, before;
    apart_cache cache, cache_before;
    memset(&r, 7, sizeof r);
    memset(&cache, 7, sizeof cache);
    before = r;
    cache_before = cache;
    assert_int_equal(apart_distance(mesh, &squeezed, ball, &there, &q, &cache, &r), APART_NOT_A_ROTATION);
    assert_int_equal(apart_distance(ball, &there, mesh, &squeezed, &q, &cache, &r), APART_NOT_A_ROTATION);
    assert_int_equal(apart_distance(mesh, &here, mesh, &lost, &q, &cache, &r), APART_NOT_FINITE);
    assert_int_equal(apart_distance(mesh, NULL, mesh, &here, &q, &cache, &r), APART_INVALID);
    q.method = APART_METHOD_SPHERES;
    assert_int_equal(apart_distance(mesh, &here, mesh, &there, &q, &cache, &r), APART_UNSUPPORTED);
    assert_int_equal(apart_distance(mesh, &here, ball, &there, &q, &cache, &r), APART_UNSUPPORTED);
    q.method = APART_METHOD_AUTO;
    q.relative_error = NAN;
    assert_int_equal(apart_distance(mesh, &here, mesh, &there, &q, &cache, &r), APART_NOT_FINITE);
    q.relative_error = 1.5;
    assert_int_equal(apart_distance(mesh, &here, mesh, &there, &q, &cache, &r), APART_INVALID);
    q = exact();
    assert_memory_equal(&r, &before, sizeof r);
    assert_memory_equal(&cache, &cache_before, sizeof cache);
    assert_int_equal(apart_distance(mesh, &here, mesh, &there, &q, NULL, NULL), APART_INVALID);
    apart_shape_release(mesh);
    apart_shape_release(ball);
}

// ------------------------------------------------------------------------------------------------------- progress ----

static void test_progress(void** state) {
    (void)state;
    surface s = model_torus(200, 100, 0.2);
    follower f = {0};
    apart_mesh_options options = {.progress = follow, .progress_context = &f, .sphere_radius = 0.1};
    apart_error error = {0};
    apart_shape* shape = apart_shape_mesh(s.vertex, s.vertex_count, s.triangle[0], s.triangle_count, &options, &error);
    assert_non_null(shape);
    apart_shape_release(shape);
    printf("%d calls for 40,000 triangles, the last at %g\n", f.calls, f.last);
    assert_true(f.calls >= 2 && !f.disorder);
    int calls = f.calls;
    for (int stop = 1; stop <= calls; stop = stop < 8 || stop == calls ? stop + 1
                                             : stop * 2 < calls        ? stop * 2
                                                                       : calls) {
        f = (follower){.stop_at = stop};
        shape = apart_shape_mesh(s.vertex, s.vertex_count, s.triangle[0], s.triangle_count, &options, &error);
        refused(shape, &error, APART_CANCELLED, "");
        assert_int_equal(f.calls, stop);
    }
    surface_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_placements),
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_errors_save_work),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_inside_solid),
        cmocka_unit_test(test_components),
        cmocka_unit_test(test_holes),
        cmocka_unit_test(test_describe),
        cmocka_unit_test(test_convex),
        cmocka_unit_test(test_refused_meshes),
        cmocka_unit_test(test_refused_queries),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_depth_in_itself),
        cmocka_unit_test(test_depth_has_a_budget),
        cmocka_unit_test(test_plates_on_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

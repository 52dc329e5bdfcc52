// The wide kernels, from inside. All that this machine can run give the same bits; and none leaves out what it must
// not: pairs of triangles nearer than the threshold, triangles that a ray meets. The truth is computed in long double,
// or by apart_triangle_triangle, from what the kernels are given.
#include "mesh/mesh.h"
#include "mesh/traverse.h"

#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROUNDING 0x1p-53

// ----------------------------------------------------------------------------------------------------- two meshes ----

// Two meshes of at most eight triangles, so that node 1 of either tree has them all, and a walk over both.
typedef struct scene {
    apart_shape *a, *b;
    apart_pose pose_a, pose_b;
    difference k;
    walk w;
    double distance[LANE_COUNT][LANE_COUNT]; // of the triangles, working units; negative: their depth
    int count_a, count_b;
} scene;

// crowded: most triangles cross each other.
static apart_shape* make_mesh(rng* r, int count, double unit, bool crowded) {
    vec3 place[3 * LANE_COUNT];
    uint32_t triangle[LANE_COUNT][3];
    bool flat = rng_chance(r, 0.2);
    int smallest = crowded ? -3 : rng_chance(r, 0.2) ? -60 : -6;
    for (uint32_t t = 0; t < (uint32_t)count; t++) {
        vec3 at = rng_in_cube(r, crowded ? 0.25 : 1), *p = &place[3 * t];
        double size = rng_magnitude(r, smallest, 0);
        for (uint32_t k = 0; k < 3; k++) {
            p[k] = vec3_mad(at, size, rng_in_cube(r, 1));
            if (flat) p[k].z = 0;
            triangle[t][k] = 3 * t + k;
        }
        if (rng_chance(r, 0.1)) p[2] = vec3_mad(p[0], rng_unit(r), vec3_sub(p[1], p[0]));
        if (rng_chance(r, 0.05)) p[1] = p[2] = p[0];
        for (int k = 0; k < 3; k++) p[k] = vec3_scale(unit, p[k]);
    }
    apart_shape* shape = apart_shape_mesh(place, (size_t)(3 * count), triangle[0], (size_t)count, NULL, NULL);
    assert_non_null(shape);
    return shape;
}

// A rotation; often one that is off by as much as is allowed, in any way.
static mat3 make_rotation(rng* r) {
    mat3 m = rng_chance(r, 0.3) ? rng_quarter_turns(r) : rng_rotation(r);
    int way = rng_below(r, 4);
    double off = rng_chance(r, 0.5) ? 4.9e-7 : rng_magnitude(r, -50, -22);
    if (way == 1) off = -off;
    if (way < 2)
        for (int i = 0; i < 9; i++) m.m[i / 3][i % 3] *= 1 + off;
    if (way == 2) {
        mat3 shear = {{{1, off, -off}, {off, 1, off}, {-off, off, 1}}};
        m = rng_product(&m, &shear);
    }
    return m;
}

static void world_corners(const posed_body* body, vec3 offset, uint32_t item, long double to[3][3]) {
    const mesh* m = body->shape->mesh;
    const double(*turn)[3] = body->pose->rotation.m;
    for (int i = 0; i < 3; i++) {
        vec3 p = m->vertex[m->triangle[item][i]];
        long double x = p.x, y = p.y, z = p.z, t[3] = {offset.x, offset.y, offset.z};
        for (int c = 0; c < 3; c++) to[i][c] = body->factor * (turn[c][0] * x + turn[c][1] * y + turn[c][2] * z) + t[c];
    }
}

// How far d separates two triangles, one way or the other; -INFINITY if it has no length.
static long double separation(long double a[3][3], long double b[3][3], const long double d[3]) {
    long double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    long double length = sqrtl(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (length < 1e-100L) return -INFINITY;
    for (int i = 0; i < 6; i++) {
        const long double* p = i < 3 ? a[i] : b[i - 3];
        long double along = (p[0] * d[0] + p[1] * d[1] + p[2] * d[2]) / length;
        low[i / 3] = along < low[i / 3] ? along : low[i / 3];
        high[i / 3] = along > high[i / 3] ? along : high[i / 3];
    }
    long double forth = low[1] - high[0], back = low[0] - high[1];
    return forth > back ? forth : back;
}

// Minus the depth of two triangles that meet: the least over the normals of all facets that their difference may have.
static double true_depth(long double a[3][3], long double b[3][3]) {
    long double edge[2][3][3], most = -INFINITY;
    for (int i = 0; i < 9; i++) {
        edge[0][i / 3][i % 3] = a[(i / 3 + 1) % 3][i % 3] - a[i / 3][i % 3];
        edge[1][i / 3][i % 3] = b[(i / 3 + 1) % 3][i % 3] - b[i / 3][i % 3];
    }
    for (int i = 0; i < 11; i++) {
        const long double *p = i < 9 ? edge[0][i / 3] : edge[i - 9][0], *q = i < 9 ? edge[1][i % 3] : edge[i - 9][1];
        long double d[3] = {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
        long double s = separation(a, b, d);
        most = s > most ? s : most;
    }
    return most < 0 && most > -INFINITY ? (double)most : 0;
}

// The corners of both about the first one of a, so that rounding them to doubles costs nothing that matters.
static double true_distance(const scene* s, uint32_t item_a, uint32_t item_b) {
    long double a[3][3], b[3][3];
    vec3 p[3], q[3];
    world_corners(&s->k.a, s->k.offset, item_a, a);
    world_corners(&s->k.b, vec3_make(0, 0, 0), item_b, b);
    for (int i = 0; i < 3; i++) {
        p[i] = vec3_make((double)(a[i][0] - a[0][0]), (double)(a[i][1] - a[0][1]), (double)(a[i][2] - a[0][2]));
        q[i] = vec3_make((double)(b[i][0] - a[0][0]), (double)(b[i][1] - a[0][1]), (double)(b[i][2] - a[0][2]));
    }
    double square = apart_triangle_triangle(p, q, NULL, NULL);
    return square > 0 ? sqrt(square) : true_depth(a, b);
}

static void scene_make(scene* s, rng* r) {
    s->count_a = rng_between(r, 2, LANE_COUNT);
    s->count_b = rng_between(r, 2, LANE_COUNT);
    double unit = rng_chance(r, 0.3) ? ldexp(1, rng_between(r, -400, 400)) : 1;
    double smaller_one = rng_chance(r, 0.3) ? rng_magnitude(r, -20, 20) : 1;
    double far = rng_chance(r, 0.2) ? rng_magnitude(r, 3, 20) : rng_uniform(r, 0, 4);
    bool crowded = rng_chance(r, 0.3);
    if (crowded) smaller_one = rng_magnitude(r, -2, 2), far = 0.1 * rng_unit(r);
    s->a = make_mesh(r, s->count_a, unit, crowded);
    s->b = make_mesh(r, s->count_b, unit * smaller_one, crowded);
    s->pose_a = (apart_pose){make_rotation(r), vec3_scale(unit, rng_in_cube(r, crowded ? 0.1 : 2))};
    s->pose_b = (apart_pose){make_rotation(r), vec3_scale(unit * far * larger(smaller_one, 1), rng_unit_vector(r))};
    apart_minkowski_init(&s->k, s->a, &s->pose_a, s->b, &s->pose_b, SEARCH_BEST);
    apart_traverse_init(&s->w, &s->k, &s->a->mesh->tree, &s->b->mesh->tree, false, NULL);
    apart_traverse_turn(&s->w);
    for (uint32_t i = 0; i < (uint32_t)s->count_a; i++)
        for (uint32_t k = 0; k < (uint32_t)s->count_b; k++) s->distance[i][k] = true_distance(s, i, k);
}

static void scene_free(scene* s) {
    apart_shape_release(s->a);
    apart_shape_release(s->b);
}

// What lower ends may be wrong by: as in nearest.c.
static double margin(const scene* s) { return s->k.rounding_low + 0x1p-47 * s->k.size; }

// A threshold at which something is to be left out, and something kept: about the distance of some pair.
static double make_threshold(const scene* s, rng* r) {
    double d = s->distance[rng_below(r, s->count_a)][rng_below(r, s->count_b)];
    // Where some overlap, often that of the deepest.
    double least = 0;
    for (int i = 0; i < s->count_a * s->count_b; i++)
        least = smaller(least, s->distance[i / s->count_b][i % s->count_b]);
    if (least < 0 && rng_chance(r, 0.7)) d = least;
    switch (rng_below(r, 6)) {
    case 0:
        return 0;
    case 1:
        return INFINITY;
    case 2:
        return d;
    case 3:
        return d * rng_uniform(r, 0.5, 2);
    default:
        return d * (1 + rng_magnitude(r, -40, -4));
    }
}

// From a to b as the nearest points of some pair lie, or anywhere.
static vec3 make_aim(const scene* s, rng* r) {
    if (rng_chance(r, 0.3)) return rng_unit_vector(r);
    vec3 way = vec3_sub(
        vec3_sub(posed_point(&s->k.b, s->k.b.shape->center), posed_point(&s->k.a, s->k.a.shape->center)), s->k.offset);
    return vec3_unit(rng_chance(r, 0.5) ? way : vec3_mad(way, 0.5 * vec3_length(way), rng_unit_vector(r)));
}

typedef struct tally {
    long pairs, near, left_out, must; // all; kept; left out; nearer than the threshold, so that they must be kept
    long shallow;                     // that overlap, and are left out as there are deeper ones
    double tightest;                  // how far a bound came above the truth, in parts of the margin
} tally;

static void tally_print(const char* name, const tally* t) {
    print_message(
        "%s: %ld pairs, %ld kept, %ld left out, %ld of them overlap, %ld had to be kept; bounds within %.2g of "
        "the margin\n",
        name, t->pairs, t->near, t->left_out, t->shallow, t->must, t->tightest);
    assert_true(t->must >= t->pairs / 20);
    assert_true(t->shallow >= t->pairs / 1000);
    assert_true(t->left_out >= t->pairs / 5);
}

// ---------------------------------------------------------------------------------------------------------- match ----

// As traverse.c fills it: rows are a's boxes, or b's if `swapped`; all of a node, or the box of everything alone.
static wide_match match_of(const scene* s, bool swapped, bool whole, unsigned chosen) {
    const walk_side *row = &s->w.side[swapped], *lane = &s->w.side[!swapped];
    wide_match m = {.rows = &row->tree->nodes[whole ? 0 : 1],
                    .lanes = &lane->tree->nodes[1],
                    .chosen = whole ? 1 : chosen,
                    .row_factor = row->factor,
                    .lane_factor = lane->factor,
                    .turn = &row->turn,
                    .shift = row->other,
                    .row_toward = row->toward,
                    .lane_toward = vec3_neg(lane->toward),
                    .gap = s->w.gap,
                    .highest = row->highest,
                    .widen = s->w.widen,
                    .keep = s->w.keep,
                    .threshold = s->w.threshold};
    return m;
}

// The distance of what is in two lanes: a triangle, or all of them in the box of everything.
static double lane_distance(const scene* s, bool swapped, bool whole, int row, int lane) {
    double least = INFINITY;
    for (int i = whole ? 0 : row; i <= (whole ? (swapped ? s->count_b : s->count_a) - 1 : row); i++)
        least = smaller(least, swapped ? s->distance[lane][i] : s->distance[i][lane]);
    return least;
}

static void check_match(const scene* s, rng* r, const kernels* wide, tally* t) {
    bool swapped = rng_chance(r, 0.5), whole = rng_chance(r, 0.3);
    unsigned chosen = rng_chance(r, 0.5) ? 255 : 1u << rng_below(r, 8), rows, near[LANE_COUNT];
    double bound[LANE_COUNT][LANE_COUNT];
    wide_match m = match_of(s, swapped, whole, chosen);
    int measured = wide->match(&m, &rows, near, bound);
    assert_true(measured >= 0 && measured <= LANE_COUNT && (rows & ~m.chosen) == 0);
    int row_count = whole ? 1 : swapped ? s->count_b : s->count_a, lane_count = swapped ? s->count_a : s->count_b;
    for (int row = 0; row < row_count; row++)
        for (int lane = 0; lane < lane_count; lane++) {
            if (!(m.chosen >> row & 1)) continue;
            double d = lane_distance(s, swapped, whole, row, lane);
            bool kept = (rows >> row & 1) && (near[row] >> lane & 1);
            t->pairs++;
            t->near += kept;
            t->left_out += !kept;
            t->shallow += !kept && d < 0;
            t->must += d < m.threshold - margin(s);
            if (d < m.threshold - margin(s)) assert_true(kept);
            if (kept) assert_true(bound[row][lane] <= d + margin(s));
            if (kept) t->tightest = larger(t->tightest, (bound[row][lane] - d) / margin(s));
        }
}

static void test_match_is_sound(void** state) {
    (void)state;
    tally t = {0};
    for (uint64_t seed = 0; seed < 20000; seed++) {
        rng r = rng_seed(seed);
        scene s;
        scene_make(&s, &r);
        for (int i = 0; i < 4; i++) {
            apart_traverse_aim(&s.w, make_aim(&s, &r));
            s.w.threshold = make_threshold(&s, &r);
            check_match(&s, &r, apart_kernels(), &t);
        }
        scene_free(&s);
    }
    tally_print("match", &t);
}

// ----------------------------------------------------------------------------------------------------------- meet ----

static void check_meet(const scene* s, const kernels* wide, tally* t) {
    wide_meet m = {.a = s->w.side[0].tree->blocks,
                   .b = s->w.side[1].tree->blocks,
                   .frame = &s->w.frame,
                   .normal = s->w.normal,
                   .threshold = s->w.threshold + s->w.slack};
    unsigned near[LANE_COUNT], rows = wide->meet(&m, near);
    for (int row = 0; row < s->count_a; row++)
        for (int lane = 0; lane < s->count_b; lane++) {
            bool kept = (rows >> row & 1) && (near[row] >> lane & 1);
            double d = s->distance[row][lane];
            t->pairs++;
            t->near += kept;
            t->left_out += !kept;
            t->shallow += !kept && d < 0;
            t->must += d < s->w.threshold - margin(s);
            if (d < s->w.threshold - margin(s)) assert_true(kept);
        }
}

static void test_meet_is_sound(void** state) {
    (void)state;
    tally t = {0};
    for (uint64_t seed = 0; seed < 20000; seed++) {
        rng r = rng_seed(seed + 100000);
        scene s;
        scene_make(&s, &r);
        for (int i = 0; i < 4; i++) {
            apart_traverse_aim(&s.w, make_aim(&s, &r));
            s.w.threshold = make_threshold(&s, &r);
            check_meet(&s, apart_kernels(), &t);
        }
        scene_free(&s);
    }
    tally_print("meet", &t);
}

// Triangles whose middles are the same point, so that the line between them has no direction: they meet, and no
// threshold may leave them out.
static void test_meet_at_one_middle(void** state) {
    (void)state;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        rng r = rng_seed(seed + 700000);
        tree_block block[2];
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < 3 * LANE_COUNT; i++) {
                float p = (float)rng_between(&r, -9, 9) / 32, q = (float)rng_between(&r, -9, 9) / 32;
                float(*to)[3][LANE_COUNT] = block[side].corner;
                to[0][i / LANE_COUNT][i % LANE_COUNT] = p;
                to[1][i / LANE_COUNT][i % LANE_COUNT] = q;
                to[2][i / LANE_COUNT][i % LANE_COUNT] = -p - q;
            }
        wide_frame frame = {rng_quarter_turns(&r), rng_quarter_turns(&r), {0, 0, 0}};
        // A hair apart, far below what squares can tell, every other time.
        if (seed % 2) frame.offset.x = rng_magnitude(&r, -1000, -540);
        wide_meet m = {&block[0], &block[1], &frame, rng_unit_vector(&r), rng_magnitude(&r, -40, 3)};
        for (int k = 0; apart_kernels_at(k); k++) {
            unsigned near[LANE_COUNT], rows = apart_kernels_at(k)->meet(&m, near);
            assert_int_equal(rows, 255);
            for (int row = 0; row < LANE_COUNT; row++) assert_int_equal(near[row], 255);
        }
    }
}

// Points so near to each other that squares of their distance lose their digits, or vanish: the same.
static void test_meet_hardly_apart(void** state) {
    (void)state;
    for (uint64_t seed = 0; seed < 4000; seed++) {
        rng r = rng_seed(seed + 800000);
        tree_block block[2];
        memset(block, 0, sizeof block);
        wide_frame frame = {rng_rotation(&r), rng_rotation(&r),
                            vec3_scale(rng_magnitude(&r, -1000, -450), rng_unit_vector(&r))};
        wide_meet m = {&block[0], &block[1], &frame, rng_unit_vector(&r), rng_magnitude(&r, -40, 3)};
        for (int k = 0; apart_kernels_at(k); k++) {
            unsigned near[LANE_COUNT];
            assert_int_equal(apart_kernels_at(k)->meet(&m, near), 255);
            for (int row = 0; row < LANE_COUNT; row++) assert_int_equal(near[row], 255);
        }
    }
}

// ------------------------------------------------------------------------------------------------------ triangles ----

static void fill_pairs(const scene* s, rng* r, wide_triangles* pairs, uint32_t item[LANE_COUNT][2]) {
    for (int lane = 0; lane < LANE_COUNT; lane++) {
        item[lane][0] = (uint32_t)rng_below(r, s->count_a);
        item[lane][1] = (uint32_t)rng_below(r, s->count_b);
        const mesh *a = s->a->mesh, *b = s->b->mesh;
        for (int i = 0; i < 3; i++) {
            vec3 p = a->vertex[a->triangle[item[lane][0]][i]], q = b->vertex[b->triangle[item[lane][1]][i]];
            pairs->a[i][0][lane] = p.x, pairs->a[i][1][lane] = p.y, pairs->a[i][2][lane] = p.z;
            pairs->b[i][0][lane] = q.x, pairs->b[i][1][lane] = q.y, pairs->b[i][2][lane] = q.z;
        }
    }
}

// What a kernel tells of some pairs of a new scene.
static wide_gaps ask_pairs(rng* r, void (*kernel)(const wide_triangles*, const wide_frame*, wide_gaps*), scene* s,
                           uint32_t item[LANE_COUNT][2]) {
    scene_make(s, r);
    wide_triangles pairs;
    wide_gaps gaps;
    fill_pairs(s, r, &pairs, item);
    kernel(&pairs, &s->w.frame, &gaps);
    return gaps;
}

// A bracket that is closed to this, in parts of the size, is taken as it is by nearest.c.
#define CLOSED 0x1p-45

static void test_triangles_are_true(void** state) {
    (void)state;
    long asked = 0, closed = 0, apart = 0;
    double below = 0, above = 0;
    for (uint64_t seed = 0; seed < 40000; seed++) {
        rng r = rng_seed(seed + 200000);
        scene s;
        uint32_t item[LANE_COUNT][2];
        wide_gaps gaps = ask_pairs(&r, apart_kernels()->triangles, &s, item);
        for (int i = 0; i < LANE_COUNT; i++) {
            double d = s.distance[item[i][0]][item[i][1]], size = s.k.size;
            vec3 v = {gaps.v[0][i], gaps.v[1][i], gaps.v[2][i]};
            assert_true(fabs(vec3_length(v) - gaps.upper[i]) <= 4 * ROUNDING * gaps.upper[i]);
            assert_true(gaps.lower[i] < (double)INFINITY);
            bool done = gaps.upper[i] - gaps.lower[i] <= CLOSED * size;
            asked++;
            closed += done;
            apart += d > 0x1p-40 * size;
            above = larger(above, (gaps.lower[i] - d) / (ROUNDING * size));
            if (done) below = larger(below, (d - gaps.upper[i]) / (ROUNDING * size));
            assert_true(gaps.lower[i] <= d + margin(&s));
            if (done) assert_true(fabs(gaps.upper[i] - d) <= CLOSED * size + margin(&s));
        }
        scene_free(&s);
    }
    print_message("triangles: %ld pairs, %ld apart, %ld closed; lower at most %.2g roundings above the truth, upper "
                  "%.2g below\n",
                  asked, apart, closed, above, below);
    assert_true(below <= 64);
    // Plain formulas settle nearly all pairs that are apart.
    assert_true(closed >= apart * 9 / 10);
}

// The direction found separates as much as is said, and where triangles overlap, none separates more.
static void test_part_is_true(void** state) {
    (void)state;
    long apart = 0, deep = 0;
    double off = 0;
    for (uint64_t seed = 0; seed < 10000; seed++) {
        rng r = rng_seed(seed + 900000);
        scene s;
        uint32_t item[LANE_COUNT][2];
        wide_gaps gaps = ask_pairs(&r, apart_kernels()->part, &s, item);
        for (int i = 0; i < LANE_COUNT; i++) {
            double d = s.distance[item[i][0]][item[i][1]];
            long double a[3][3], b[3][3], v[3] = {gaps.v[0][i], gaps.v[1][i], gaps.v[2][i]};
            world_corners(&s.k.a, s.k.offset, item[i][0], a);
            world_corners(&s.k.b, vec3_make(0, 0, 0), item[i][1], b);
            if (gaps.lower[i] == -(double)INFINITY) continue;
            assert_true(fabsl(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] - 1) <= 8 * ROUNDING);
            assert_true(separation(a, b, v) >= (long double)(gaps.lower[i] - margin(&s)));
            assert_true(gaps.lower[i] <= d + margin(&s));
            apart += d > 0;
            deep += d < -2 * margin(&s);
            if (d < 0) off = larger(off, (d - gaps.lower[i]) / margin(&s));
        }
        scene_free(&s);
    }
    print_message("part: %ld pairs apart, %ld overlap; depths within %.2g of the margin\n", apart, deep, off);
    assert_true(apart >= 10000 && deep >= 500);
    // Needles have directions that are badly known.
    assert_true(off <= 1);
}

// ----------------------------------------------------------------------------------------------------------- rays ----

// Points of triangles, seen from anywhere: the ray to one must be told to meet its box.
static void test_ray_is_sound(void** state) {
    (void)state;
    long hits = 0, misses = 0;
    for (uint64_t seed = 0; seed < 20000; seed++) {
        rng r = rng_seed(seed + 300000);
        int count = rng_between(&r, 2, LANE_COUNT);
        apart_shape* shape = make_mesh(&r, count, 1, false);
        const mesh* m = shape->mesh;
        uint32_t item = (uint32_t)rng_below(&r, count);
        double u = rng_unit(&r), v = rng_unit(&r) * (1 - u);
        if (rng_chance(&r, 0.3)) u = 0;
        vec3 a = m->vertex[m->triangle[item][0]], b = m->vertex[m->triangle[item][1]];
        vec3 target = vec3_mad(vec3_mad(a, u, vec3_sub(b, a)), v, vec3_sub(m->vertex[m->triangle[item][2]], a));
        vec3 start = rng_in_cube(&r, 1), d = vec3_unit(vec3_sub(target, start));
        if (rng_chance(&r, 0.2)) start = vec3_mad(target, -1, d = vec3_make(0, 0, rng_chance(&r, 0.5) ? 1 : -1));
        unsigned bits = apart_kernels()->ray(&m->tree.nodes[1], start, d, INFINITY, 0);
        assert_true(bits >> item & 1);
        assert_true(bits >> count == 0);
        // From the far side it lies behind, unless the box is around the start.
        vec3 past = vec3_mad(target, 8, d);
        unsigned behind = apart_kernels()->ray(&m->tree.nodes[1], past, d, INFINITY, 0);
        assert_int_equal(behind, 0);
        // A ray that ends at it meets it, one that ends long before meets nothing; seen from beside, with a blur, too.
        vec3 away = vec3_mad(target, -8, d);
        double far = vec3_length(vec3_sub(target, start)), blur = rng_magnitude(&r, -20, -1);
        vec3 beside = vec3_mad(start, blur, rng_unit_vector(&r));
        assert_true(apart_kernels()->ray(&m->tree.nodes[1], start, d, far, 0) >> item & 1);
        assert_true(apart_kernels()->ray(&m->tree.nodes[1], beside, d, far, blur) >> item & 1);
        assert_int_equal(apart_kernels()->ray(&m->tree.nodes[1], away, d, 1, 0), 0);
        hits += __builtin_popcount(bits);
        misses += count - __builtin_popcount(bits);
        apart_shape_release(shape);
    }
    print_message("rays: %ld boxes met, %ld missed\n", hits, misses);
    assert_true(misses >= hits / 4);
}

// How far apart the middles of two boxes are in the world, squared.
static long double middles_apart(const tree* a, const tree* b, const wide_frame* f, tree_place at_a, tree_place at_b) {
    vec3 p = tree_place_box(a, at_a).center, q = tree_place_box(b, at_b).center;
    long double sum = 0;
    for (int i = 0; i < 3; i++) {
        const double *m = f->a.m[i], *n = f->b.m[i], offset[3] = {f->offset.x, f->offset.y, f->offset.z};
        long double x = (long double)m[0] * p.x + (long double)m[1] * p.y + (long double)m[2] * p.z + offset[i];
        long double y = (long double)n[0] * q.x + (long double)n[1] * q.y + (long double)n[2] * q.z;
        sum += (x - y) * (x - y);
    }
    return sum;
}

static void test_descent_is_nearest(void** state) {
    (void)state;
    for (uint64_t seed = 0; seed < 20000; seed++) {
        rng r = rng_seed(seed + 400000);
        uint32_t count[2] = {rng_chance(&r, 0.1) ? 1 : (uint32_t)rng_between(&r, 2, LANE_COUNT),
                             rng_chance(&r, 0.1) ? 1 : (uint32_t)rng_between(&r, 2, LANE_COUNT)};
        apart_shape* shape[2] = {make_mesh(&r, (int)count[0], 1, false), make_mesh(&r, (int)count[1], 1, false)};
        const tree *a = &shape[0]->mesh->tree, *b = &shape[1]->mesh->tree;
        wide_frame frame = {make_rotation(&r), make_rotation(&r), rng_in_cube(&r, rng_magnitude(&r, -10, 10))};
        tree_place place[2] = {0, 0}, first[2];
        double square = apart_kernels()->descend(a, b, &frame, 1, place);
        long double scale = vec3_dot(frame.offset, frame.offset) + 1;
        long double least = middles_apart(a, b, &frame, place[0], place[1]);
        for (int s = 0; s < 2; s++) {
            first[s] = count[s] > 1 ? LANE_COUNT : 0;
            assert_in_range(place[s], first[s], first[s] + count[s] - 1);
        }
        assert_true((count[0] == 1 && count[1] == 1) || fabsl(square - least) <= 0x1p-46L * scale);
        for (uint32_t i = 0; i < count[0]; i++)
            for (uint32_t j = 0; j < count[1]; j++)
                assert_true(least <= middles_apart(a, b, &frame, first[0] + i, first[1] + j) + 0x1p-46L * scale);
        for (int s = 0; s < 2; s++) apart_shape_release(shape[s]);
    }
}

// Boxes that hold a triangle are never farther than it; the ends of a block's triangles are true.
static void test_points_are_true(void** state) {
    (void)state;
    long settled = 0, all = 0;
    for (uint64_t seed = 0; seed < 20000; seed++) {
        rng r = rng_seed(seed + 500000);
        int count = rng_between(&r, 2, LANE_COUNT);
        apart_shape* shape = make_mesh(&r, count, 1, false);
        const mesh* m = shape->mesh;
        vec3 p = rng_in_cube(&r, rng_magnitude(&r, -10, 4));
        double square[LANE_COUNT], size = 2 + vec3_length(p), slack = 4 * BLOCK_ROUNDING + 0x1p-44 * size;
        wide_reach reach;
        apart_kernels()->near_triangles(&m->tree.blocks[0], p, &reach);
        unsigned bits = apart_kernels()->near_boxes(&m->tree.nodes[1], p, INFINITY, square);
        assert_int_equal(bits & ((1u << count) - 1), (1u << count) - 1);
        for (uint32_t i = 0; i < (uint32_t)count; i++) {
            const uint32_t* t = m->triangle[i];
            const vec3 corner[3] = {m->vertex[t[0]], m->vertex[t[1]], m->vertex[t[2]]};
            double truth = sqrt(apart_point_triangle(p, corner, NULL));
            assert_true(sqrt(square[i]) * (1 - 0x1p-20) <= truth + 0x1p-48 * size);
            assert_true(reach.lower[i] <= truth + slack && reach.upper[i] >= truth - slack);
            assert_true(reach.lower[i] <= reach.upper[i] + slack);
            settled += reach.upper[i] <= reach.lower[i] + slack;
            all++;
        }
        double limit = sqrt(square[0]);
        assert_false(apart_kernels()->near_boxes(&m->tree.nodes[1], p, limit * (1 - 0x1p-50), square) & 1);
        apart_shape_release(shape);
    }
    print_message("points: %ld of %ld triangles are settled\n", settled, all);
    assert_true(settled >= all * 9 / 10);
}

// ----------------------------------------------------------------------------------------------- boxes that move ----

// Node 1 of a mesh's tree, in motion about a pivot; rotations are off by as much as is allowed.
static wide_mover make_mover(rng* r, const apart_shape* shape) {
    mat3 turn = make_rotation(r);
    wide_mover x = {.node = &shape->mesh->tree.nodes[1],
                    .turn = turn,
                    .factor = rng_magnitude(r, -3, 0),
                    .pivot = rng_in_cube(r, 1),
                    .origin = rng_in_cube(r, rng_chance(r, 0.5) ? 1 : 0),
                    .velocity = rng_in_cube(r, 2),
                    .spin = rng_in_cube(r, rng_chance(r, 0.3) ? 0 : 3),
                    .widen = 4 * mat3_skew(&turn) + 0x1p-44};
    x.rate = vec3_length(x.spin) * (1 + x.widen + 0x1p-20);
    return x;
}

static wide_motion make_motion(rng* r, const scene* s) {
    wide_motion m = {.rows = make_mover(r, s->a),
                     .lanes = make_mover(r, s->b),
                     .row_bits = (1u << s->count_a) - 1,
                     .lane_bits = (1u << s->count_b) - 1,
                     .toward = rng_unit_vector(r),
                     .off = 0x1p-40,
                     .left = rng_magnitude(r, -8, 0)};
    m.rows.pivot = vec3_scale(rng_magnitude(r, -4, 1), m.rows.pivot);
    for (int i = 0; i < 2; i++) {
        const wide_mover* x = i == 0 ? &m.rows : &m.lanes;
        m.drift += m.left / 2 * x->rate * x->rate * (vec3_length(x->origin) + 2 * x->factor);
    }
    return m;
}

// The corners of a triangle after a time: turned about the pivot by the spin (Rodrigues), and carried along.
static void moved_corners(const wide_mover* x, const mesh* of, uint32_t item, double time, vec3 p[3]) {
    double angle = vec3_length(x->spin) * time;
    vec3 axis = vec3_unit(x->spin);
    for (int i = 0; i < 3; i++) {
        vec3 stored = of->vertex[of->triangle[item][i]];
        vec3 arm = vec3_add(mat3_mul(&x->turn, vec3_scale(x->factor, stored)), x->origin);
        vec3 turned = vec3_mad(vec3_scale(cos(angle), arm), sin(angle), vec3_cross(axis, arm));
        turned = vec3_mad(turned, (1 - cos(angle)) * vec3_dot(axis, arm), axis);
        p[i] = vec3_add(vec3_mad(x->pivot, time, x->velocity), turned);
    }
}

// Whether two triangles are apart for a share of the time, as far as samples tell; counts those that hardly are.
static void check_share(rng* r, const scene* s, const wide_motion* m, uint32_t a, uint32_t b, double share,
                        long* hardly) {
    assert_true(share >= 0 && share <= 1);
    for (int i = 0; i <= 4 && share > 0; i++) {
        vec3 p[2][3];
        double time = m->left * share * (i == 4 ? 1 : rng_unit(r));
        moved_corners(&m->rows, s->a->mesh, a, time, p[0]);
        moved_corners(&m->lanes, s->b->mesh, b, time, p[1]);
        double d = apart_triangle_triangle(p[0], p[1], NULL, NULL);
        assert_true(d > 0);
        *hardly += d < 1e-2;
    }
}

static void test_moving_boxes_are_sound(void** state) {
    (void)state;
    long pairs = 0, free = 0, partly = 0, hardly = 0;
    for (uint64_t seed = 0; seed < 20000; seed++) {
        rng r = rng_seed(seed + 700000);
        scene s;
        scene_make(&s, &r);
        wide_motion m = make_motion(&r, &s);
        double shares[LANE_COUNT][LANE_COUNT];
        unsigned near[LANE_COUNT], rows = apart_kernels()->part_until(&m, near, shares);
        for (uint32_t a = 0; a < (uint32_t)s.count_a; a++)
            for (uint32_t b = 0; b < (uint32_t)s.count_b; b++) {
                bool kept = (rows >> a & 1) && (near[a] >> b & 1);
                double share = kept ? shares[a][b] : 1;
                pairs++, free += !kept, partly += kept && share > 0;
                check_share(&r, &s, &m, a, b, share, &hardly);
            }
        scene_free(&s);
    }
    print_message("%ld pairs, %ld free, %ld for a while; %ld times hardly apart\n", pairs, free, partly, hardly);
    assert_true(free > pairs / 10 && partly > pairs / 20 && hardly > 100);
}

// The first triangle of b beside all of a.
static wide_triangles pairs_in_motion(const scene* s) {
    wide_triangles pairs = {0};
    vec3 corner[3];
    for (int lane = 0; lane < s->count_a; lane++) {
        mesh_triangle_corners(s->a->mesh, (uint32_t)lane, corner);
        wide_set_triangle(pairs.a, lane, corner);
        mesh_triangle_corners(s->b->mesh, 0, corner);
        wide_set_triangle(pairs.b, lane, corner);
    }
    return pairs;
}

static void test_moving_triangles_are_sound(void** state) {
    (void)state;
    long pairs = 0, free = 0, partly = 0, longer = 0, shorter = 0, hardly = 0;
    for (uint64_t seed = 0; seed < 10000; seed++) {
        rng r = rng_seed(seed + 800000);
        scene s;
        scene_make(&s, &r);
        wide_motion m = make_motion(&r, &s);
        wide_triangles corners = pairs_in_motion(&s);
        double share[LANE_COUNT], boxes[LANE_COUNT][LANE_COUNT];
        unsigned near[LANE_COUNT], rows = apart_kernels()->part_until(&m, near, boxes);
        apart_kernels()->part_triangles_until(&corners, &m, share);
        for (uint32_t a = 0; a < (uint32_t)s.count_a; a++) {
            check_share(&r, &s, &m, a, 0, share[a], &hardly);
            double before = (rows >> a & 1) && (near[a] & 1) ? boxes[a][0] : 1;
            pairs++, free += share[a] == 1, partly += share[a] > 0 && share[a] < 1;
            longer += share[a] > before, shorter += share[a] < before;
        }
        scene_free(&s);
    }
    print_message(
        "%ld pairs, %ld free, %ld for a while; longer than the boxes %ld, shorter %ld; %ld times hardly apart\n", pairs,
        free, partly, longer, shorter, hardly);
    assert_true(free > pairs / 10 && partly > pairs / 20 && longer > 2 * shorter && hardly > 100);
    // Numbers that are none prove nothing.
    wide_motion m = {.rows.factor = 1, .lanes.factor = 1, .left = NAN};
    double share[LANE_COUNT];
    apart_kernels()->part_triangles_until(&(wide_triangles){.a[0][0][0] = 1}, &m, share);
    assert_true(share[0] == 0);
}

// ------------------------------------------------------------------------------------------------------ same bits ----

static bool same(const void* a, const void* b, size_t bytes) { return memcmp(a, b, bytes) == 0; }

static void compare_match(const wide_match* m) {
    unsigned rows[2], near[2][LANE_COUNT];
    double bound[2][LANE_COUNT][LANE_COUNT];
    int measured = apart_kernels_portable.match(m, &rows[0], near[0], bound[0]);
    for (int k = 0; apart_kernels_at(k); k++) {
        assert_int_equal(apart_kernels_at(k)->match(m, &rows[1], near[1], bound[1]), measured);
        assert_int_equal(rows[0], rows[1]);
        for (int row = 0; row < LANE_COUNT; row++) {
            if (!(rows[0] >> row & 1)) continue;
            assert_int_equal(near[0][row], near[1][row]);
            for (int lane = 0; lane < LANE_COUNT; lane++)
                if (near[0][row] >> lane & 1) assert_true(same(&bound[0][row][lane], &bound[1][row][lane], 8));
        }
    }
}

static void compare_meet(const wide_meet* m) {
    unsigned near[2][LANE_COUNT], rows = apart_kernels_portable.meet(m, near[0]);
    for (int k = 0; apart_kernels_at(k); k++) {
        assert_int_equal(apart_kernels_at(k)->meet(m, near[1]), rows);
        for (int row = 0; row < LANE_COUNT; row++)
            if (rows >> row & 1) assert_int_equal(near[0][row], near[1][row]);
    }
}

static void compare_triangles(const wide_triangles* pairs, const wide_frame* frame) {
    wide_gaps gaps[2];
    apart_kernels_portable.triangles(pairs, frame, &gaps[0]);
    for (int k = 0; apart_kernels_at(k); k++) {
        apart_kernels_at(k)->triangles(pairs, frame, &gaps[1]);
        assert_true(same(&gaps[0], &gaps[1], sizeof gaps[0]));
    }
}

static void compare_parts(const wide_triangles* pairs, const wide_frame* frame) {
    wide_gaps gaps[2] = {0};
    apart_kernels_portable.part(pairs, frame, &gaps[0]);
    for (int k = 0; apart_kernels_at(k); k++) {
        apart_kernels_at(k)->part(pairs, frame, &gaps[1]);
        assert_true(same(&gaps[0], &gaps[1], sizeof gaps[0]));
    }
}

static void compare_reach(const tree_node* node, const tree_block* block, vec3 p, double limit) {
    double square[2][LANE_COUNT];
    wide_reach reach[2];
    unsigned near = apart_kernels_portable.near_boxes(node, p, limit, square[0]);
    apart_kernels_portable.near_triangles(block, p, &reach[0]);
    for (int k = 0; apart_kernels_at(k); k++) {
        assert_int_equal(apart_kernels_at(k)->near_boxes(node, p, limit, square[1]), near);
        apart_kernels_at(k)->near_triangles(block, p, &reach[1]);
        assert_true(same(square[0], square[1], sizeof square[0]) && same(&reach[0], &reach[1], sizeof reach[0]));
    }
}

static void compare_rays(const tree_node* node, vec3 p, vec3 d) {
    const double length[3] = {INFINITY, 0.25, 0};
    for (int k = 0; apart_kernels_at(k); k++)
        for (int i = 0; i < 3; i++)
            assert_int_equal(apart_kernels_at(k)->ray(node, p, d, length[i], 0),
                             apart_kernels_portable.ray(node, p, d, length[i], 0));
}

static void compare_heights(const tree_node* node, vec3 d) {
    double right = apart_kernels_portable.height(node, 0.75, d);
    for (int k = 0; apart_kernels_at(k); k++) {
        double own = apart_kernels_at(k)->height(node, 0.75, d);
        assert_true(same(&own, &right, sizeof own));
    }
}

// Trees with the boxes of these nodes as their items.
static void compare_descents(const tree_node* a, const tree_node* b, const wide_frame* frame) {
    tree_node nodes[2][2] = {{*a, *a}, {*b, *b}};
    tree t[2];
    for (int s = 0; s < 2; s++) {
        nodes[s][0].child[0] = 1;
        for (int lane = 0; lane < LANE_COUNT; lane++) nodes[s][1].child[lane] |= TREE_ITEM;
        t[s] = (tree){.nodes = nodes[s], .node_count = 2, .depth = 1};
    }
    tree_place right[2] = {0, 0};
    double square = apart_kernels_portable.descend(&t[0], &t[1], frame, 1, right);
    for (int k = 0; apart_kernels_at(k); k++) {
        tree_place place[2] = {0, 0};
        double own = apart_kernels_at(k)->descend(&t[0], &t[1], frame, 1, place);
        assert_true(same(&own, &square, sizeof own) && same(place, right, sizeof place));
    }
}

// What the trees hold, at all sizes and places.
static void compare_motions(const wide_motion* m, const wide_triangles* pairs) {
    double share[2][LANE_COUNT][LANE_COUNT], own[2][LANE_COUNT];
    unsigned near[2][LANE_COUNT], rows = apart_kernels_portable.part_until(m, near[0], share[0]);
    apart_kernels_portable.part_triangles_until(pairs, m, own[0]);
    for (int k = 0; apart_kernels_at(k); k++) {
        assert_int_equal(apart_kernels_at(k)->part_until(m, near[1], share[1]), rows);
        apart_kernels_at(k)->part_triangles_until(pairs, m, own[1]);
        assert_true(same(own[0], own[1], sizeof own[0]));
        for (unsigned row = 0; row < LANE_COUNT; row++) {
            if (!(rows >> row & 1)) continue;
            assert_int_equal(near[1][row], near[0][row]);
            assert_true(same(share[1][row], share[0][row], sizeof share[0][row]));
        }
    }
}

static void test_same_bits(void** state) {
    (void)state;
    int count = 0;
    for (; apart_kernels_at(count); count++) print_message("%s\n", apart_kernels_at(count)->name);
    assert_true(count >= 1 && apart_kernels() == apart_kernels_at(0));
    assert_ptr_equal(apart_kernels_at(count - 1), &apart_kernels_portable);
    assert_null(apart_kernels_at(-1));
    for (uint64_t seed = 0; seed < 10000; seed++) {
        rng r = rng_seed(seed + 500000);
        scene s;
        scene_make(&s, &r);
        apart_traverse_aim(&s.w, make_aim(&s, &r));
        s.w.threshold = make_threshold(&s, &r);
        wide_match m = match_of(&s, rng_chance(&r, 0.5), rng_chance(&r, 0.3), (unsigned)rng_below(&r, 256));
        wide_meet meet = {s.w.side[0].tree->blocks, s.w.side[1].tree->blocks, &s.w.frame, s.w.normal, s.w.threshold};
        wide_triangles pairs;
        uint32_t item[LANE_COUNT][2];
        fill_pairs(&s, &r, &pairs, item);
        wide_motion motion = make_motion(&r, &s);
        wide_triangles moving = pairs_in_motion(&s);
        compare_motions(&motion, &moving);
        compare_match(&m);
        compare_meet(&meet);
        compare_triangles(&pairs, &s.w.frame);
        compare_parts(&pairs, &s.w.frame);
        compare_rays(&s.a->mesh->tree.nodes[1], rng_in_cube(&r, 2), rng_unit_vector(&r));
        compare_heights(&s.a->mesh->tree.nodes[1], rng_unit_vector(&r));
        compare_descents(&s.a->mesh->tree.nodes[1], &s.b->mesh->tree.nodes[1], &s.w.frame);
        compare_reach(&s.a->mesh->tree.nodes[1], s.a->mesh->tree.blocks, rng_in_cube(&r, 2), rng_unit(&r));
        scene_free(&s);
    }
}

// Numbers that no tree holds: any sizes, zeros of both signs, equal lanes, the least of floats and doubles.
static float any_float(rng* r) {
    static const float special[8] = {0, -0.0f, 1, -1, 0x1p-149f, -0x1p-126f, 0.5f, 0x1p-75f};
    if (rng_chance(r, 0.3)) return special[rng_below(r, 8)];
    return (float)(rng_uniform(r, -1, 1) * ldexp(1, -rng_below(r, rng_chance(r, 0.2) ? 140 : 8)));
}

static double any_double(rng* r) {
    static const double special[6] = {0, -0.0, 1, 0x1p-1074, -0x1p-1022, 0x1p-500};
    if (rng_chance(r, 0.3)) return special[rng_below(r, 6)];
    return rng_uniform(r, -1, 1) * ldexp(1, rng_between(r, -12, 3));
}

static vec3 any_vec(rng* r) {
    vec3 v;
    v.x = any_double(r), v.y = any_double(r), v.z = any_double(r);
    return v;
}

static void any_node(rng* r, tree_node* n) {
    for (int i = 0; i < 3; i++)
        for (int lane = 0; lane < LANE_COUNT; lane++) {
            n->center[i][lane] = any_float(r);
            n->half[i][lane] = fabsf(any_float(r));
            for (int k = 0; k < 3; k++) n->axis[i][k][lane] = any_float(r);
        }
    int used = rng_between(r, 1, LANE_COUNT);
    for (int lane = 0; lane < LANE_COUNT; lane++) n->child[lane] = lane < used ? (uint32_t)lane : TREE_NONE;
}

static mat3 any_matrix(rng* r) {
    mat3 m;
    for (int i = 0; i < 9; i++) m.m[i / 3][i % 3] = any_double(r);
    return m;
}

static void test_same_bits_of_anything(void** state) {
    (void)state;
    for (uint64_t seed = 0; seed < 20000; seed++) {
        rng r = rng_seed(seed + 600000);
        tree_node nodes[2];
        tree_block blocks[2];
        wide_triangles pairs;
        any_node(&r, &nodes[0]);
        any_node(&r, &nodes[1]);
        for (int i = 0; i < 9 * LANE_COUNT; i++) {
            (&blocks[0].corner[0][0][0])[i] = any_float(&r);
            (&blocks[1].corner[0][0][0])[i] = any_float(&r);
            (&pairs.a[0][0][0])[i] = any_double(&r);
            (&pairs.b[0][0][0])[i] = rng_chance(&r, 0.3) ? (&pairs.a[0][0][0])[i] : any_double(&r);
        }
        mat3 turn = any_matrix(&r);
        wide_frame frame = {any_matrix(&r), any_matrix(&r), any_vec(&r)};
        double threshold = rng_chance(&r, 0.1) ? (double)INFINITY : any_double(&r);
        wide_match m = {.rows = &nodes[0],
                        .lanes = &nodes[1],
                        .chosen = (unsigned)rng_below(&r, 256),
                        .row_factor = fabs(any_double(&r)),
                        .lane_factor = 1,
                        .turn = &turn,
                        .shift = any_vec(&r),
                        .row_toward = any_vec(&r),
                        .lane_toward = any_vec(&r),
                        .gap = any_double(&r),
                        .highest = rng_chance(&r, 0.5) ? (double)INFINITY : any_double(&r),
                        .widen = 1e-6,
                        .keep = 1 - 1e-6,
                        .threshold = threshold};
        wide_meet meet = {&blocks[0], &blocks[1], &frame, any_vec(&r), threshold};
        compare_match(&m);
        compare_meet(&meet);
        compare_triangles(&pairs, &frame);
        compare_parts(&pairs, &frame);
        compare_rays(&nodes[0], any_vec(&r), any_vec(&r));
        compare_heights(&nodes[0], any_vec(&r));
        compare_descents(&nodes[0], &nodes[1], &frame);
        compare_reach(&nodes[0], &blocks[0], any_vec(&r), any_double(&r));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_same_bits_of_anything),
        cmocka_unit_test(test_match_is_sound),
        cmocka_unit_test(test_meet_is_sound),
        cmocka_unit_test(test_meet_at_one_middle),
        cmocka_unit_test(test_meet_hardly_apart),
        cmocka_unit_test(test_triangles_are_true),
        cmocka_unit_test(test_ray_is_sound),
        cmocka_unit_test(test_descent_is_nearest),
        cmocka_unit_test(test_part_is_true),
        cmocka_unit_test(test_points_are_true),
        cmocka_unit_test(test_moving_boxes_are_sound),
        cmocka_unit_test(test_moving_triangles_are_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

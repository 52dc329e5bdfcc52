// What the triangles of a soup form, against a naive twin that compares all with all, on bodies whose numbers are known
// and on thousands of random soups; at all sizes, with allocations that fail, and with inputs made to slow it down.
#include "allocation_count.h"
#include "base/weld.h"
#include "random.h"
#include "topology_twin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static topology found;
static uint32_t judged; // components that the twin judged

static void release(topology* t) {
    free(t->component);
    free(t->of);
    free(t->drop);
    *t = (topology){0};
}

static bool find_into(topology* out) {
    return apart_topology_find(soup.vertex, soup.vertices, (const uint32_t(*)[3])soup.triangle, soup.triangles, out,
                               &(meter){0});
}

/// Finds the topology of the soup, and compares it with the twin's unless the soup is large.
static void find(void) {
    release(&found);
    assert_true(find_into(&found));
    assert_non_null(found.component);
    assert_non_null(found.of);
    if (soup.triangles <= MOST_TWIN) judged += compare_with_twin(&found);
}

#define EXPECT(components_, edges_, open_, crowded_, holes_, degenerate_, solids_)                                     \
    do {                                                                                                               \
        find();                                                                                                        \
        assert_int_equal(found.count, components_);                                                                    \
        assert_int_equal(found.edges, edges_);                                                                         \
        assert_int_equal(found.open_edges, open_);                                                                     \
        assert_int_equal(found.crowded_edges, crowded_);                                                               \
        assert_int_equal(found.holes, holes_);                                                                         \
        assert_int_equal(found.degenerate, degenerate_);                                                               \
        assert_int_equal(found.solids, solids_);                                                                       \
    } while (0)

static bool oriented(uint32_t c) { return found.component[c].oriented; }

static int release_found(void** state) {
    (void)state;
    release(&found);
    return 0;
}

// ------------------------------------------------------------------------------------------------ known bodies ----

static const vec3 origin = {0, 0, 0};

static void add_tetrahedron(void) {
    uint32_t a = add_vertex(origin), b = add_vertex(vec3_make(1, 0, 0));
    uint32_t c = add_vertex(vec3_make(0, 1, 0)), d = add_vertex(vec3_make(0, 0, 1));
    add_triangle(a, c, b);
    add_triangle(a, b, d);
    add_triangle(a, d, c);
    add_triangle(b, c, d);
}

static void test_closed_bodies(void** state) {
    (void)state;
    soup_clear(1);
    add_tetrahedron();
    EXPECT(1, 6, 0, 0, 0, 0, 1);
    assert_true(oriented(0));
    soup_clear(1);
    add_cube(origin, 1, 1);
    EXPECT(1, 18, 0, 0, 0, 0, 1);
    assert_true(oriented(0));
    share_indices();
    EXPECT(1, 18, 0, 0, 0, 0, 1);
    // Back to back: they cancel each other.
    soup_clear(1);
    add_loose(origin, vec3_make(1, 0, 0), vec3_make(0, 1, 0));
    add_loose(origin, vec3_make(0, 1, 0), vec3_make(1, 0, 0));
    EXPECT(1, 3, 0, 0, 0, 0, 0);
    assert_int_equal(found.idle, 2);
    assert_true(oriented(0));
    // A triangle without area beside them is all that is left.
    add_loose(vec3_make(1, 0, 0), vec3_make(0.5, 0.5, 0), vec3_make(0, 1, 0));
    EXPECT(1, 5, 3, 1, 1, 1, 0);
}

static void test_minus_zero_is_zero(void** state) {
    (void)state;
    soup_clear(1);
    add_cube(origin, 1, 2);
    for (uint32_t i = 0; i < soup.vertices; i += 2) {
        vec3* p = &soup.vertex[i];
        *p = vec3_make(p->x == 0 ? -0.0 : p->x, p->y == 0 ? -0.0 : p->y, p->z == 0 ? -0.0 : p->z);
    }
    EXPECT(1, 72, 0, 0, 0, 0, 1);
}

static void test_open_bodies(void** state) {
    (void)state;
    soup_clear(1);
    add_loose(origin, vec3_make(1, 0, 0), vec3_make(0, 1, 0));
    EXPECT(1, 3, 3, 0, 1, 0, 0);
    // A box without its lid.
    soup_clear(1);
    add_cube(origin, 1, 1);
    soup.triangles -= 2;
    EXPECT(1, 17, 4, 0, 1, 0, 0);
    assert_true(oriented(0));
    // A tube: no lid, no bottom.
    soup_clear(1);
    add_cube(origin, 1, 1);
    remove_triangles(6, 2);
    remove_triangles(0, 2);
    EXPECT(1, 16, 8, 0, 2, 0, 0);
    // A needle without its back, 2^-10 wide: the cap is small, and the fourth side.
    soup_clear(1);
    add_tetrahedron();
    for (uint32_t i = 1; i < 3; i++) soup.vertex[i] = vec3_scale(0x1p-10, soup.vertex[i]);
    remove_triangles(0, 1);
    EXPECT(1, 6, 3, 0, 1, 0, 1);
}

/// Cuts a rectangle of squares out of the first side of a cube of n x n squares. Cut the last ones first.
static void cut(int n, int from_i, int from_j, int height, int width) {
    for (int i = from_i + height - 1; i >= from_i; i--)
        remove_triangles(2 * (uint32_t)(n * i + from_j), 2 * (uint32_t)width);
}

static void test_small_and_big_holes(void** state) {
    (void)state;
    soup_clear(1);
    add_cube(origin, 1, 8);
    cut(8, 3, 3, 1, 1);
    EXPECT(1, 1152 - 1, 4, 0, 1, 0, 1);
    // 3 of 381 is less than a hundredth, 4 of 380 is more.
    soup_clear(1);
    add_cube(origin, 1, 8);
    cut(8, 3, 3, 1, 3);
    EXPECT(1, 1152 - 5, 8, 0, 1, 0, 1);
    soup_clear(1);
    add_cube(origin, 1, 8);
    cut(8, 3, 3, 2, 2);
    EXPECT(1, 1152 - 8, 8, 0, 1, 0, 0);
    // The sum counts: three holes are still small, four are not.
    soup_clear(1);
    add_cube(origin, 1, 8);
    for (int k = 6; k >= 2; k -= 2) cut(8, k, 1, 1, 1);
    EXPECT(1, 1152 - 3, 12, 0, 3, 0, 1);
    cut(8, 0, 3, 1, 1);
    EXPECT(1, 1152 - 4, 16, 0, 4, 0, 0);
}

static void test_holes_that_touch(void** state) {
    (void)state;
    // At a corner, in one component: still two.
    soup_clear(1);
    add_cube(origin, 1, 8);
    cut(8, 4, 4, 1, 1);
    cut(8, 3, 3, 1, 1);
    EXPECT(1, 1152 - 2, 8, 0, 2, 0, 1);
    // Two components: two holes.
    soup_clear(1);
    add_quad(origin, vec3_make(1, 0, 0), vec3_make(0, 1, 0));
    add_quad(origin, vec3_make(-1, 0, 0), vec3_make(0, -1, 0));
    EXPECT(2, 10, 8, 0, 2, 0, 0);
    // Three with the same corner, their triangles taking turns, and one of them with a second hole elsewhere.
    soup_clear(1);
    add_cube(origin, 1, 8);
    cut(8, 5, 5, 1, 1);
    cut(8, 0, 0, 1, 1);
    uint32_t first = soup.triangles;
    add_quad(origin, vec3_make(-1, 0, 0), vec3_make(0, -1, 0));
    add_quad(origin, vec3_make(-1, 0, 0), vec3_make(0, 0, -1));
    for (int i = 0; i < 3; i++) {
        uint32_t v = soup.triangle[first][i];
        soup.triangle[first][i] = soup.triangle[first + 3][i];
        soup.triangle[first + 3][i] = v;
    }
    find();
    assert_int_equal(found.holes, 2 + 1);
}

/// A cube with the diagonal of its first side bent at the middle on one side only: a crack of three edges.
static void add_cracked_cube(void) {
    add_cube(origin, 1, 1);
    remove_triangles(0, 1);
    vec3 low = origin, high = vec3_make(1, 1, 0), middle = vec3_make(0.5, 0.5, 0), side = vec3_make(0, 1, 0);
    add_loose(low, side, middle);
    add_loose(middle, side, high);
}

static void test_cracks(void** state) {
    (void)state;
    // The disc of this perimeter has more than a tenth of the cube's area, the crack has none.
    soup_clear(1);
    add_cracked_cube();
    EXPECT(1, 21, 3, 0, 1, 0, 1);
    assert_true(oriented(0));
    // A triangle without area, but with three corners, closes it.
    add_loose(origin, vec3_make(0.5, 0.5, 0), vec3_make(1, 1, 0));
    EXPECT(1, 21, 0, 0, 0, 1, 1);
    assert_true(oriented(0));
}

/// A square tube with a bottom and a crooked rim, long enough for its cap to be small or not quite.
static void test_limit(void** state) {
    (void)state;
    int solid = 0;
    for (int i = 0; i < 512; i++) {
        double h = 24 + i / 16.0;
        const vec3 rim[5] = {{0, 0, h}, {0.25, 0, h + 0.5}, {1, 0, h}, {1, 1, h - 1}, {0, 1, h + 1}};
        soup_clear(0x1p-6);
        for (int k = 0; k < 5; k++) {
            vec3 a = rim[k], b = rim[(k + 1) % 5], under_a = {a.x, a.y, 0}, under_b = {b.x, b.y, 0};
            add_loose(under_a, under_b, b);
            add_loose(under_a, b, a);
            add_loose(under_b, under_a, vec3_make(0.5, 0.5, 0));
        }
        find();
        assert_int_equal(found.open_edges, 5);
        solid += (int)found.solids;
    }
    print_message("%d of 512 tubes are solid\n", solid);
    assert_true(solid > 100 && solid < 412);
}

static void test_two_cubes(void** state) {
    (void)state;
    soup_clear(0.25);
    add_cube(origin, 1, 1);
    add_cube(vec3_make(2, 0, 0), 1, 1);
    EXPECT(2, 36, 0, 0, 0, 0, 2);
    assert_int_equal(found.component[1].triangle, 12);
    // A common corner connects nothing.
    soup_clear(0.25);
    add_cube(origin, 1, 1);
    add_cube(vec3_make(1, 1, 1), 1, 1);
    EXPECT(2, 36, 0, 0, 0, 0, 2);
    // A common edge does.
    soup_clear(0.25);
    add_cube(origin, 1, 1);
    add_cube(vec3_make(1, 1, 0), 1, 1);
    EXPECT(1, 35, 0, 1, 0, 0, 1);
    assert_true(oriented(0));
    // One inside the other, turned inside out: a shell.
    soup_clear(0.25);
    add_cube(origin, 4, 1);
    add_cube(vec3_make(1, 1, 1), 1, 1);
    for (uint32_t t = 12; t < 24; t++) swap_corners(t);
    EXPECT(2, 36, 0, 0, 0, 0, 2);
    assert_true(oriented(0) && oriented(1));
}

static void test_orientation(void** state) {
    (void)state;
    // A flipped triangle in the second of two closed meshes.
    soup_clear(0.25);
    add_cube(origin, 1, 1);
    add_cube(vec3_make(2, 0, 0), 1, 1);
    swap_corners(17);
    EXPECT(2, 36, 0, 0, 0, 0, 2);
    assert_true(oriented(0));
    assert_false(oriented(1));
    // A cube turned inside out at a crowded edge: every edge is still balanced.
    soup_clear(0.25);
    add_cube(origin, 1, 1);
    add_cube(vec3_make(1, 1, 0), 1, 1);
    for (uint32_t t = 12; t < 24; t++) swap_corners(t);
    EXPECT(1, 35, 0, 1, 0, 0, 1);
    assert_true(oriented(0));
    // The Moebius strip of five triangles and five corners: one hole, and no way to orient it.
    soup_clear(1);
    for (int i = 0; i < 5; i++) add_vertex(vec3_make(i == 1, i == 2, i == 3));
    soup.vertex[4] = vec3_make(1, 1, 1);
    for (uint32_t i = 0; i < 5; i++) add_triangle(i, (i + 1) % 5, (i + 2) % 5);
    EXPECT(1, 10, 5, 0, 1, 0, 0);
    assert_false(oriented(0));
    for (uint32_t flips = 0; flips < 32; flips++) {
        for (uint32_t i = 0; i < 5; i++)
            if (flips >> i & 1) swap_corners(i);
        find();
        assert_false(oriented(0));
    }
}

static void test_repeated_triangles(void** state) {
    (void)state;
    // One more counts once.
    soup_clear(1);
    add_cube(origin, 1, 1);
    add_loose(soup.vertex[0], soup.vertex[1], soup.vertex[2]);
    EXPECT(1, 18, 0, 3, 0, 0, 1);
    assert_int_equal(found.idle, 1);
    assert_true(oriented(0));
    // The other way round it is a wall of its own: what is left of the first is a hole, a small one here.
    soup_clear(1);
    add_cube(origin, 1, 8);
    add_triangle(soup.triangle[40][1], soup.triangle[40][0], soup.triangle[40][2]);
    EXPECT(1, 1152, 3, 3, 1, 0, 1);
    assert_int_equal(found.idle, 2);
    // All of them twice, and once more with their sides exchanged.
    soup_clear(1);
    add_cube(origin, 1, 1);
    add_cube(origin, 1, 1);
    EXPECT(1, 18, 0, 18, 0, 0, 1);
    assert_int_equal(found.idle, 12);
    add_cube(origin, 1, 1);
    for (uint32_t t = 24; t < 36; t++) swap_corners(t);
    EXPECT(1, 18, 0, 18, 0, 0, 1);
    assert_int_equal(found.idle, 24);
    assert_true(oriented(0));
    // A cube with its inside out besides: nothing is left.
    remove_triangles(0, 12);
    EXPECT(1, 18, 0, 18, 0, 0, 0);
    // A sheet, twice, or on both sides: none of it closed.
    for (int both = 0; both < 2; both++) {
        soup_clear(1);
        add_grid(origin, vec3_make(1, 0, 0), vec3_make(0, 1, 0), 2);
        add_grid(origin, vec3_make(1, 0, 0), vec3_make(0, 1, 0), 2);
        for (uint32_t t = 8; t < 16 && both; t++) swap_corners(t);
        EXPECT(1, 16, both ? 0 : 8, 8, both ? 0 : 1, 0, 0);
    }
}

/// Two solids with a common wall, whichever way it is cut: on either side its triangles have their own turn.
static void test_shared_walls(void** state) {
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        // The same diagonal on both sides, or another one.
        soup_clear(0.25);
        add_cube(origin, 1, 1);
        add_cube(vec3_make(1, 0, 0), 1, 1);
        uint32_t wall = 0;
        for (uint32_t t = 12; t < 24; t++) {
            bool flat = true;
            for (int i = 0; i < 3; i++) flat = flat && soup.vertex[soup.triangle[t][i]].x == 0.25;
            if (flat && wall == 0) wall = t;
        }
        assert_true(wall > 0);
        vec3 a = {1, 0, 0}, b = {1, 1, 0}, c = {1, 1, 1}, d = {1, 0, 1};
        remove_triangles(wall, 2);
        if (turned) add_loose(a, c, b), add_loose(a, d, c);
        if (!turned) add_loose(a, d, b), add_loose(b, d, c);
        find();
        assert_int_equal(found.count, 1);
        assert_int_equal(found.open_edges, 0);
        assert_int_equal(found.solids, 1);
        assert_true(oriented(0));
        assert_true(found.idle == 0 || found.idle == 4);
        // One solid inside out as a whole: the wall is then written twice the same way, and both count.
        for (uint32_t t = 0; t < 12; t++) swap_corners(t);
        find();
        assert_int_equal(found.open_edges, 0);
        assert_int_equal(found.solids, 1);
        assert_int_equal(found.idle, 0);
    }
    // A block of voxels.
    soup_clear(0.125);
    for (int i = 0; i < 27; i++) add_cube(vec3_make(i % 3, i / 3 % 3, i / 9), 1, 1);
    find();
    assert_int_equal(found.count, 1);
    assert_int_equal(found.open_edges, 0);
    assert_int_equal(found.solids, 1);
    assert_int_equal(found.idle, 54 * 4);
}

/// Moves every corner of every triangle by up to `noise` along each axis.
static void shake(rng* r, double noise) {
    for (uint32_t i = 0; i < soup.vertices; i++) {
        vec3* p = &soup.vertex[i];
        *p = vec3_add(
            *p, vec3_make(rng_uniform(r, -noise, noise), rng_uniform(r, -noise, noise), rng_uniform(r, -noise, noise)));
    }
}

/// Seams whose corners differ by noise: of doubles, of floats, and by more than that. What is closed is left alone.
static void test_noisy_seams(void** state) {
    (void)state;
    const struct {
        double noise;
        bool closed, leaky;
    } level[] = {{0x1p-52, true, false},
                 {0x1p-42, true, false},
                 {0x1p-36, true, true},
                 {0x1p-22, true, true},
                 {0x1p-12, false, false}};
    rng r = rng_seed(11);
    for (size_t i = 0; i < sizeof level / sizeof *level; i++) {
        soup_clear(1);
        add_cube(vec3_make(-0.5, -0.5, -0.5), 1, 4);
        shake(&r, level[i].noise);
        uint32_t first = soup.triangles;
        // A tiny cube beside it, of corners nearer to each other than the noise.
        add_cube(vec3_make(0.75, 0.75, 0.75), 0x1p-50, 1);
        release(&found);
        assert_true(find_into(&found));
        assert_int_equal(found.of[first], found.count - 1);
        assert_true(found.component[found.of[first]].solid);
        assert_int_equal(found.open_edges == 0, level[i].closed);
        assert_int_equal(found.solids, level[i].closed ? 2 : 1);
        assert_true(found.seam > 0 || level[i].leaky || !level[i].closed);
        assert_int_equal(found.leaky > 0, level[i].leaky);
        assert_int_equal(found.degenerate, 0);
    }
    // A row of corners nearer to each other than the noise of floats is no seam: the lid of a box on a rim of many
    // corners is missing as before.
    soup_clear(1);
    add_cube(origin, 1, 1);
    soup.triangles -= 2;
    find();
    size_t open = found.open_edges;
    const int n = 4096;
    const vec3 low = {0, 0, 1}, high = {0, 0x1p-10, 1};
    for (int i = 0; i < n; i++)
        add_loose(vec3_make(-1, 0, 1), vec3_mad(low, (double)i / n, vec3_sub(high, low)),
                  vec3_mad(low, (i + 1.0) / n, vec3_sub(high, low)));
    release(&found);
    assert_true(find_into(&found));
    assert_true(found.open_edges > open && found.solids == 0);
}

static void test_degenerate_triangles(void** state) {
    (void)state;
    soup_clear(0.25);
    add_cube(origin, 1, 1);
    add_cube(vec3_make(2, 0, 0), 1, 1);
    vec3 far = {3, 3, 3}, corner = {3, 1, 1};
    add_loose(far, far, far);
    add_loose(corner, corner, corner);
    add_loose(far, corner, far);
    add_loose(corner, corner, origin);
    add_triangle(0, 0, 1);
    EXPECT(2, 36, 0, 0, 0, 5, 2);
    const uint32_t expected[5] = {NO_COMPONENT, 1, 1, 0, 0};
    for (uint32_t i = 0; i < 5; i++) assert_int_equal(found.of[24 + i], expected[i]);
    // Nothing else: no component at all.
    soup_clear(1);
    add_loose(far, far, far);
    add_loose(origin, far, far);
    EXPECT(0, 0, 0, 0, 0, 2, 0);
    // In line with three corners: a component with edges, closed or open, but never a solid.
    soup_clear(0.25);
    for (int i = 0; i < 6; i++) add_loose(origin, vec3_make(1, 2, 3), vec3_make(0.5, 1, 1.5));
    EXPECT(1, 3, 3, 3, 1, 6, 0);
    add_loose(origin, vec3_make(1, 2, 3), vec3_make(0.25, 0.5, 0.75));
    EXPECT(1, 5, 4, 3, 1, 7, 0);
}

// ----------------------------------------------------------------------------------------- exact and of any size ----

/// A whole number below 2^bits in size.
static double whole(rng* r, int bits) { return (double)(int64_t)(rng_next(r) >> (64 - bits)) - ldexp(0.5, bits); }

static double* coordinate(vec3* p, int axis) { return axis == 0 ? &p->x : axis == 1 ? &p->y : &p->z; }

/// Three points exactly in line, with all their bits in use: at whole steps along a line, or multiples of one vector by
/// powers of two, so that their differences are rounded. Square to an axis every now and then, or along one. Returns an
/// axis that the line is not along, nor square to.
static int draw_in_line(rng* r, vec3 p[3]) {
    vec3 a = {whole(r, 51), whole(r, 51), whole(r, 51)}, d = {whole(r, 50), whole(r, 50), whole(r, 50)};
    int axis = rng_below(r, 3), other = (axis + rng_between(r, 1, 2)) % 3, kind = rng_below(r, 4);
    if (kind == 1) *coordinate(&d, other) = 0;
    if (kind == 2) *coordinate(&d, axis) = *coordinate(&d, 3 - axis - other) = 0;
    p[0] = a;
    p[1] = vec3_mad(a, rng_between(r, 1, 7), d);
    p[2] = vec3_mad(a, -rng_between(r, 1, 7), d);
    for (int i = 0; i < 3 && kind == 3; i++) p[i] = vec3_scale(ldexp(1, i - 3 * rng_below(r, 10)), a);
    return axis;
}

/// In line, as far as doubles tell; and with one coordinate clearly off.
static void test_in_line(void** state) {
    (void)state;
    rng r = rng_seed(5);
    const int count = 20000;
    int bent = 0, rounded = 0;
    for (int i = 0; i < count; i++) {
        vec3 p[3];
        int axis = draw_in_line(&r, p);
        bool off = rng_chance(&r, 0.5);
        vec3 u = vec3_sub(p[1], p[0]), v = vec3_sub(p[2], p[0]);
        if (off) *coordinate(&p[rng_below(&r, 3)], axis) += 0x1p-16 * (vec3_length(u) + vec3_length(v));
        // Some look bent by the rounding errors of the cross product.
        rounded += !off && !vec3_is_zero(vec3_cross(u, v));
        soup_clear(ldexp(1, -53 - rng_below(&r, 550)));
        add_loose(p[0], p[1], p[2]);
        release(&found);
        assert_true(find_into(&found));
        assert_int_equal(found.degenerate, !off);
        bent += off;
    }
    print_message("%d triangles: %d off the line; %d of the others look bent\n", count, bent, rounded);
    assert_true(bent > count / 3 && bent < 2 * count / 3 && rounded > count / 50);
}

static void test_all_sizes(void** state) {
    (void)state;
    for (int power = 0; power >= -500; power -= 18) {
        soup_clear(ldexp(1, power));
        add_cube(origin, 1, 8);
        cut(8, 3, 3, 1, 3);
        EXPECT(1, 1152 - 5, 8, 0, 1, 0, 1);
        soup_clear(ldexp(1, power));
        add_cube(origin, 1, 8);
        cut(8, 3, 3, 2, 2);
        EXPECT(1, 1152 - 8, 8, 0, 1, 0, 0);
        soup_clear(ldexp(1, power));
        add_cracked_cube();
        add_loose(vec3_make(0.5, 0.5, 1), vec3_make(0.5, 0.5, 2), vec3_make(0.5, 0.5, 4));
        EXPECT(2, 24, 6, 0, 2, 1, 1);
    }
    // So small that areas vanish: not one triangle is taken for degenerate, and no sheet for a solid.
    soup_clear(0x1p-600);
    add_grid(origin, vec3_make(1, 0, 0), vec3_make(0, 1, 0), 4);
    EXPECT(1, 56, 16, 0, 1, 0, 0);
    // A tiny cube beside a large one, and far from the origin: the last bits of its corners.
    soup_clear(1);
    add_cube(origin, 0.5, 1);
    add_cube(vec3_make(0.75, 0.75, 0.75), 0x1p-52, 1);
    release(&found);
    assert_true(find_into(&found));
    assert_int_equal(found.count, 2);
    assert_int_equal(found.solids, 2);
    assert_int_equal(found.degenerate, 0);
}

// ------------------------------------------------------------------------------------------------ random soups ----

/// Random triangles on few points, so that they share corners and edges, repeat and degenerate.
static void add_random(rng* r) {
    int range = rng_between(r, 1, 3), count = rng_between(r, 1, 60);
    bool share = rng_chance(r, 0.5);
    uint32_t first = soup.vertices;
    for (int i = 0; i < (share ? 20 : 3 * count); i++)
        add_vertex(vec3_make(rng_between(r, -range, range), rng_between(r, 0, range), rng_between(r, 0, 1)));
    for (uint32_t i = 0; i < (uint32_t)count; i++) {
        if (!share) add_triangle(first + 3 * i, first + 3 * i + 1, first + 3 * i + 2);
        if (share)
            add_triangle(first + (uint32_t)rng_below(r, 20), first + (uint32_t)rng_below(r, 20),
                         first + (uint32_t)rng_below(r, 20));
    }
}

/// Cubes that may touch, with some damage.
static void add_random_cubes(rng* r) {
    for (int i = rng_between(r, 1, 3); i > 0; i--)
        add_cube(vec3_make(rng_between(r, 0, 2), rng_between(r, 0, 2), rng_between(r, 0, 2)), 1, 1 << rng_below(r, 3));
    for (int i = rng_below(r, 4); i > 0; i--) {
        uint32_t t = (uint32_t)rng_below(r, (int)soup.triangles);
        switch (rng_below(r, 4)) {
        case 0:
            swap_corners(t);
            break;
        case 1:
            remove_triangles(t, 1);
            break;
        case 2:
            add_triangle(soup.triangle[t][2], soup.triangle[t][0], soup.triangle[t][1]);
            break;
        default:
            soup.triangle[t][0] = (uint32_t)rng_below(r, (int)soup.vertices);
        }
    }
}

/// The same triangles with vertices in another order.
static void shuffle_vertices(rng* r) {
    for (uint32_t i = 0; i < soup.vertices; i++) {
        uint32_t k = (uint32_t)rng_below(r, (int)soup.vertices);
        vec3 p = soup.vertex[i];
        soup.vertex[i] = soup.vertex[k];
        soup.vertex[k] = p;
        for (uint32_t j = 0; j < 3 * soup.triangles; j++) {
            uint32_t* v = &soup.triangle[j / 3][j % 3];
            *v = *v == i ? k : *v == k ? i : *v;
        }
    }
}

static void test_random_soups(void** state) {
    (void)state;
    enum { SOUPS = 2000 };
    judged = 0;
    int solid = 0, open = 0, crowded = 0, twisted = 0, several = 0, homeless = 0, degenerate = 0, leaky = 0;
    for (int i = 0; i < SOUPS; i++) {
        rng r = rng_seed((uint64_t)i);
        soup_clear(ldexp(1, -rng_below(&r, 490)));
        if (i % 4 == 0) add_random_cubes(&r);
        if (i % 4 != 0) add_random(&r);
        if (i % 16 == 0) add_random(&r);
        if (i % 3 == 0) shuffle_vertices(&r);
        find();
        solid += found.solids > 0;
        open += found.open_edges > 0;
        crowded += found.crowded_edges > 0;
        several += found.count > 1;
        degenerate += found.degenerate > 0;
        for (uint32_t c = 0; c < found.count; c++) twisted += !oriented(c);
        for (uint32_t t = 0; t < soup.triangles; t++) homeless += found.of[t] == NO_COMPONENT;
        leaky += found.solids > 0 && found.solids == found.count && found.holes > 0;
    }
    print_message("%d soups: %d with solids (%d with small holes only), %d open, %d crowded, %d of several components, "
                  "%d with degenerate triangles; %d twisted components, %d triangles in no component\n",
                  SOUPS, solid, leaky, open, crowded, several, degenerate, twisted, homeless);
    assert_true(solid > 200 && leaky > 20 && open > 1000 && crowded > 700 && several > 1000 && degenerate > 1000);
    assert_true(twisted > 1000 && homeless > 50);
    print_message("%u components judged by the twin\n", judged);
    assert_true(judged > 1000);
}

// ------------------------------------------------------------------------------------------------ made to be slow ----

/// Triangles of points whose hashes begin with the same 8 bits, if they are to collide, and of copies of some of them.
static void add_colliding(uint32_t count, bool collide) {
    rng r = rng_seed(3);
    for (uint32_t i = 0; i < count; i++) {
        vec3 p;
        do p = vec3_make(whole(&r, 20) * 0x1p-20, whole(&r, 20) * 0x1p-20, whole(&r, 20) * 0x1p-20);
        while (collide && hash_point(p) >> 56 != 0x5a);
        add_vertex(p);
    }
    for (uint32_t i = 0; i < count; i += 7) add_vertex(soup.vertex[i]);
    for (uint32_t i = 0; i < 2000; i++)
        add_triangle((uint32_t)rng_below(&r, 60) * 7, count + (uint32_t)rng_below(&r, 60),
                     (uint32_t)rng_below(&r, (int)soup.vertices));
}

/// The table gives up, and sorting takes over: slower, but not by much.
static void test_colliding_points(void** state) {
    (void)state;
    soup_clear(1);
    add_colliding(3000, true);
    find();
    assert_true(found.crowded_edges > 100 && found.count > 100);
    double seconds[2];
    for (int collide = 0; collide < 2; collide++) {
        soup_clear(1);
        add_colliding(50000, collide);
        release(&found);
        clock_t start = clock();
        assert_true(find_into(&found));
        seconds[collide] = (double)(clock() - start) / CLOCKS_PER_SEC;
    }
    print_message("%g ms, colliding %g ms\n", 1e3 * seconds[0], 1e3 * seconds[1]);
    // Point against point would take a thousand times as long.
    assert_true(seconds[1] < 100 * (seconds[0] + 1e-3));
}

/// Bodies on which anything quadratic would take minutes.
static void test_worst_cases(void** state) {
    (void)state;
    const uint32_t n = MOST_TRIANGLES;
    static uint32_t rim[MOST_TRIANGLES / 2];
    rng r = rng_seed(4);
    soup_clear(1);
    for (uint32_t i = 0; i < n; i++) add_vertex(rng_in_cube(&r, 1));
    // All on one edge, two of them twice.
    for (uint32_t i = 0; i < n; i++) add_triangle(1, 0, 2 + i % (n - 2));
    EXPECT(1, 1 + 2 * (n - 2), 2 * (n - 2), 1, (n - 2) / 2, 0, 0);
    // Like the pages of a book, with next to nothing between them.
    for (uint32_t i = 0; i < n; i++) {
        double t = (double)i / n;
        soup.vertex[i] = i < 2 ? vec3_make(0, 0, i) : vec3_make((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t), 0.5);
    }
    EXPECT(1, 1 + 2 * (n - 2), 2 * (n - 2), 1, (n - 2) / 2, 0, 0);
    // All the same.
    for (uint32_t i = 0; i < n; i++) memcpy(soup.triangle[i], soup.triangle[0], sizeof *soup.triangle);
    EXPECT(1, 3, 3, 3, 1, 0, 0);
    // A double cone with two hubs; first with its triangles in order, then with a random rim.
    for (uint32_t i = 0; i < n / 2; i++) {
        uint32_t a = 2 + i, b = 2 + (i + 1) % (n / 2);
        memcpy(soup.triangle[i], (uint32_t[]){0, a, b}, sizeof *soup.triangle);
        memcpy(soup.triangle[n / 2 + i], (uint32_t[]){1, b, a}, sizeof *soup.triangle);
    }
    EXPECT(1, 3 * (n / 2), 0, 0, 0, 0, 1);
    assert_true(oriented(0));
    for (uint32_t i = 0; i < n / 2; i++) rim[i] = i;
    for (uint32_t i = n / 2 - 1; i > 0; i--) {
        uint32_t k = (uint32_t)rng_below(&r, (int)i + 1), other = rim[i];
        rim[i] = rim[k];
        rim[k] = other;
    }
    for (uint32_t i = 0; i < 2 * n; i++) {
        uint32_t* v = &soup.triangle[i / 2][i % 2 + 1];
        *v = 2 + rim[*v - 2];
    }
    EXPECT(1, 3 * (n / 2), 0, 0, 0, 0, 1);
    assert_true(oriented(0));
    // One vertex, many times.
    for (uint32_t i = 0; i < n; i++) soup.vertex[i] = soup.vertex[0];
    EXPECT(0, 0, 0, 0, 0, n, 0);
    assert_int_equal(found.of[n - 1], NO_COMPONENT);
}

// ------------------------------------------------------------------------------------------------- allocations ----

static void test_failing_allocations(void** state) {
    (void)state;
    if (!allocation_is_counted()) {
        print_message("allocations cannot be failed under AddressSanitizer\n");
        skip();
    }
    // A hole, a seam, a copy, and a turned triangle: all that there is to do.
    soup_clear(1);
    add_cube(origin, 1, 8);
    cut(8, 3, 3, 1, 1);
    swap_corners(3);
    soup.vertex[100].x += 0x1p-50;
    add_triangle(soup.triangle[9][0], soup.triangle[9][1], soup.triangle[9][2]);
    topology out;
    long failed = 0;
    for (int for_good = 0; for_good < 2; for_good++) {
        for (long step = 1;; step++) {
            allocation_watch(step, for_good);
            bool ok = find_into(&out);
            long calls = allocation_stop();
            if (ok) {
                assert_true(calls < step);
                assert_int_equal(allocation.live, 3);
                release(&out);
                break;
            }
            assert_int_equal(allocation.live, 0);
            assert_null(out.component);
            assert_null(out.of);
            failed++;
        }
    }
    print_message("%ld allocations failed, one at a time and from there on\n", failed);
    assert_true(failed > 2 * 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_bodies),
        cmocka_unit_test(test_minus_zero_is_zero),
        cmocka_unit_test(test_open_bodies),
        cmocka_unit_test(test_small_and_big_holes),
        cmocka_unit_test(test_holes_that_touch),
        cmocka_unit_test(test_cracks),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_two_cubes),
        cmocka_unit_test(test_orientation),
        cmocka_unit_test(test_repeated_triangles),
        cmocka_unit_test(test_shared_walls),
        cmocka_unit_test(test_noisy_seams),
        cmocka_unit_test(test_degenerate_triangles),
        cmocka_unit_test(test_in_line),
        cmocka_unit_test(test_all_sizes),
        cmocka_unit_test(test_random_soups),
        cmocka_unit_test(test_colliding_points),
        cmocka_unit_test(test_worst_cases),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests_name("topology", tests, NULL, release_found);
}

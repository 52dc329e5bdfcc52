// The soup and its twin.
#include "topology_twin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

triangle_soup soup;

void soup_clear(double scale) {
    soup.scale = scale;
    soup.vertices = soup.triangles = 0;
}

uint32_t add_vertex(vec3 p) {
    assert_true(soup.vertices < MOST_VERTICES);
    soup.vertex[soup.vertices] = vec3_scale(soup.scale, p);
    return soup.vertices++;
}

void add_triangle(uint32_t a, uint32_t b, uint32_t c) {
    assert_true(soup.triangles < MOST_TRIANGLES);
    uint32_t* t = soup.triangle[soup.triangles++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

void add_loose(vec3 a, vec3 b, vec3 c) {
    uint32_t first = add_vertex(a);
    add_vertex(b);
    add_vertex(c);
    add_triangle(first, first + 1, first + 2);
}

void add_quad(vec3 corner, vec3 right, vec3 up) {
    vec3 far = vec3_add(vec3_add(corner, right), up);
    add_loose(corner, vec3_add(corner, right), far);
    add_loose(corner, far, vec3_add(corner, up));
}

void add_grid(vec3 corner, vec3 right, vec3 up, int n) {
    right = vec3_scale(1.0 / n, right);
    up = vec3_scale(1.0 / n, up);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) add_quad(vec3_mad(vec3_mad(corner, i, right), j, up), right, up);
}

void add_cube(vec3 lower, double size, int n) {
    vec3 x = {size, 0, 0}, y = {0, size, 0}, z = {0, 0, size};
    vec3 upper = vec3_add(lower, vec3_make(size, size, size));
    add_grid(lower, y, x, n);
    add_grid(lower, z, y, n);
    add_grid(lower, x, z, n);
    add_grid(upper, vec3_neg(x), vec3_neg(y), n);
    add_grid(upper, vec3_neg(y), vec3_neg(z), n);
    add_grid(upper, vec3_neg(z), vec3_neg(x), n);
}

void swap_corners(uint32_t t) {
    uint32_t corner = soup.triangle[t][0];
    soup.triangle[t][0] = soup.triangle[t][1];
    soup.triangle[t][1] = corner;
}

void remove_triangles(uint32_t t, uint32_t count) {
    soup.triangles -= count;
    memmove(soup.triangle[t], soup.triangle[t + count], (soup.triangles - t) * sizeof *soup.triangle);
}

void share_indices(void) {
    for (uint32_t t = 0; t < soup.triangles; t++) {
        for (int i = 0; i < 3; i++) {
            uint32_t* v = &soup.triangle[t][i];
            for (uint32_t k = 0; k < *v; k++)
                if (vec3_equal(soup.vertex[k], soup.vertex[*v])) *v = k;
        }
    }
}

// ------------------------------------------------------------------------------------------------- naive twin ----

static component twin_component[MOST_TWIN];
static uint32_t twin_of[MOST_TWIN], point_of[MOST_TWIN][3];
static struct {
    uint32_t low, high, triangle;
    bool down, open, seen;
} half[3 * MOST_TWIN];
static uint32_t halves, first_half[MOST_TWIN];
static bool twin_judged[MOST_TWIN];
static bool twin_copy[MOST_TWIN], twin_cancelled[MOST_TWIN];

// Numbers the corners of each triangle so that equal ones have equal numbers: the lowest vertex there.
static void twin_weld(void) {
    for (uint32_t t = 0; t < soup.triangles; t++) {
        for (int i = 0; i < 3; i++) {
            uint32_t v = 0;
            while (!vec3_equal(soup.vertex[v], soup.vertex[soup.triangle[t][i]])) v++;
            point_of[t][i] = v;
        }
    }
}

static bool twin_whole(uint32_t t) {
    const uint32_t* p = point_of[t];
    return p[0] != p[1] && p[1] != p[2] && p[2] != p[0];
}

static bool twin_has(uint32_t t, uint32_t p) {
    return point_of[t][0] == p || point_of[t][1] == p || point_of[t][2] == p;
}

static bool twin_same(uint32_t t, uint32_t k) {
    const uint32_t* p = point_of[t];
    return twin_whole(t) && twin_whole(k) && twin_has(k, p[0]) && twin_has(k, p[1]) && twin_has(k, p[2]);
}

// Whether two triangles with the same corners are turned the same way: each follows the same corner by the same one.
static bool twin_alike(uint32_t t, uint32_t k) {
    int i = 0;
    while (point_of[k][i] != point_of[t][0]) i++;
    return point_of[k][(i + 1) % 3] == point_of[t][1];
}

// Marks triangles that others with the same corners cancel, one by one, and of the rest the copies of the first.
static void twin_idle(void) {
    for (uint32_t t = 0; t < soup.triangles; t++) {
        uint32_t alike = 0, before = 0, turned = 0;
        for (uint32_t k = 0; k < soup.triangles; k++) {
            if (!twin_same(t, k)) continue;
            alike += twin_alike(t, k);
            before += k < t && twin_alike(t, k);
            turned += !twin_alike(t, k);
        }
        uint32_t pairs = alike < turned ? alike : turned;
        twin_cancelled[t] = before < pairs;
        twin_copy[t] = before > pairs;
    }
}

static bool same_edge(uint32_t i, uint32_t k) { return half[i].low == half[k].low && half[i].high == half[k].high; }

// Lists the edges of all triangles, and counts them.
static void twin_edges(topology* out) {
    halves = 0;
    for (uint32_t t = 0; t < soup.triangles; t++) {
        first_half[t] = halves;
        for (int i = 0; i < 3 && twin_whole(t); i++) {
            uint32_t a = point_of[t][i], b = point_of[t][(i + 1) % 3];
            half[halves].low = a < b ? a : b;
            half[halves].high = a < b ? b : a;
            half[halves].triangle = t;
            half[halves].down = a > b;
            half[halves++].seen = false;
        }
    }
    for (uint32_t i = 0; i < halves; i++) {
        uint32_t before = 0, count = 0;
        for (uint32_t k = 0; k < halves; k++) {
            before += k < i && same_edge(i, k);
            count += same_edge(i, k);
        }
        out->edges += before == 0;
        out->crowded_edges += before == 0 && count > 2;
    }
}

// How the triangles of an edge run along it: how many, and how often up more than down. first: none of them is listed
// before it.
typedef struct twin_use {
    int count, ways;
    bool first;
} twin_use;

static twin_use twin_uses(uint32_t i, bool copies) {
    twin_use use = {.first = copies || !twin_copy[half[i].triangle]};
    for (uint32_t k = 0; k < halves; k++) {
        if (!same_edge(i, k) || (twin_copy[half[k].triangle] && !copies)) continue;
        use.first = use.first && k >= i;
        use.count++;
        use.ways += half[k].down ? 1 : -1;
    }
    return use;
}

// Copies count in components of which fewer edges cancel without them.
static void twin_open(topology* out) {
    static int gain[MOST_TWIN];
    for (uint32_t c = 0; c < out->count; c++) gain[c] = 0;
    for (uint32_t i = 0; i < halves; i++) {
        twin_use with = twin_uses(i, true), without = twin_uses(i, false);
        gain[twin_of[half[i].triangle]] += (with.first && with.ways != 0) - (without.first && without.ways != 0);
    }
    for (uint32_t t = 0; t < soup.triangles; t++)
        if (twin_copy[t] && gain[twin_of[t]] < 0) twin_copy[t] = false;
    for (uint32_t i = 0; i < halves; i++) {
        twin_use use = twin_uses(i, false);
        half[i].open = use.first && use.count % 2 == 1;
        out->open_edges += half[i].open;
    }
    for (uint32_t t = 0; t < soup.triangles; t++) out->idle += twin_copy[t] || twin_cancelled[t];
}

// Floods each component from its first triangle.
static void twin_components(topology* out) {
    static uint32_t queue[MOST_TWIN];
    for (uint32_t t = 0; t < soup.triangles; t++) twin_of[t] = NO_COMPONENT;
    for (uint32_t start = 0; start < soup.triangles; start++) {
        if (!twin_whole(start) || twin_of[start] != NO_COMPONENT) continue;
        uint32_t count = 0;
        queue[count++] = start;
        twin_of[start] = out->count;
        for (uint32_t next = 0; next < count; next++) {
            for (uint32_t i = 0; i < halves; i++) {
                if (twin_of[half[i].triangle] != NO_COMPONENT) continue;
                uint32_t k = first_half[queue[next]];
                if (!same_edge(i, k) && !same_edge(i, k + 1) && !same_edge(i, k + 2)) continue;
                twin_of[half[i].triangle] = out->count;
                queue[count++] = half[i].triangle;
            }
        }
        twin_component[out->count].triangle = start;
        out->count++;
    }
    // Triangles with fewer corners, by the corners of all others.
    for (uint32_t t = 0; t < soup.triangles; t++) {
        if (twin_whole(t)) continue;
        for (uint32_t k = 0; k < 9 * soup.triangles; k++) {
            uint32_t other = k / 9;
            if (twin_whole(other) && point_of[other][k % 3] == point_of[t][k / 3 % 3] && twin_of[other] < twin_of[t])
                twin_of[t] = twin_of[other];
        }
    }
}

static void twin_oriented(const topology* out) {
    for (uint32_t c = 0; c < out->count; c++) twin_component[c].oriented = true;
    for (uint32_t i = 0; i < halves; i++) {
        int sum = 0, count = 0;
        for (uint32_t k = 0; k < halves; k++) {
            if (!same_edge(i, k) || twin_copy[half[k].triangle]) continue;
            sum += half[k].down ? 1 : -1;
            count++;
        }
        if (count % 2 == 0 && sum != 0) twin_component[twin_of[half[i].triangle]].oriented = false;
    }
}

// Wide numbers, in which the coordinates of all scales are about 1.
typedef struct wide3 {
    long double x, y, z;
} wide3;

static wide3 wide(vec3 p) {
    double up = 1 / soup.scale;
    return (wide3){up * p.x, up * p.y, up * p.z};
}

// Twice the area of a triangle.
static long double wide_area(wide3 a, wide3 b, wide3 c) {
    wide3 u = {b.x - a.x, b.y - a.y, b.z - a.z}, v = {c.x - a.x, c.y - a.y, c.z - a.z};
    long double x = u.y * v.z - u.z * v.y, y = u.z * v.x - u.x * v.z, z = u.x * v.y - u.y * v.x;
    return sqrtl(x * x + y * y + z * z);
}

// Floods a hole. True if it is a triangle, whose cap is itself; *cap is twice its area.
static bool twin_hole(uint32_t start, long double* cap) {
    static uint32_t list[3 * MOST_TWIN];
    uint32_t count = 0;
    list[count++] = start;
    half[start].seen = true;
    for (uint32_t next = 0; next < count; next++) {
        for (uint32_t i = 0; i < halves; i++) {
            if (!half[i].open || half[i].seen) continue;
            const uint32_t a[2] = {half[list[next]].low, half[list[next]].high}, b[2] = {half[i].low, half[i].high};
            bool touch = a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
            if (!touch || twin_of[half[i].triangle] != twin_of[half[start].triangle]) continue;
            half[i].seen = true;
            list[count++] = i;
        }
    }
    uint32_t a = half[start].low, b = half[start].high, c = half[list[1]].low;
    if (c == a || c == b) c = half[list[1]].high;
    *cap = wide_area(wide(soup.vertex[a]), wide(soup.vertex[b]), wide(soup.vertex[c]));
    return count == 3;
}

// Components with holes of more than three corners are not judged: how those are closed is not the twin's business.
static void twin_solids(topology* out) {
    static long double area[MOST_TWIN], caps[MOST_TWIN];
    static uint32_t sides[MOST_TWIN], holes[MOST_TWIN], open[MOST_TWIN];
    for (uint32_t c = 0; c < out->count; c++) {
        area[c] = caps[c] = sides[c] = holes[c] = open[c] = 0;
        twin_judged[c] = true;
    }
    for (uint32_t t = 0; t < soup.triangles; t++) {
        const uint32_t* p = point_of[t];
        long double more = wide_area(wide(soup.vertex[p[0]]), wide(soup.vertex[p[1]]), wide(soup.vertex[p[2]]));
        out->degenerate += !(more > 0);
        if (!(more > 0) || twin_copy[t] || twin_cancelled[t]) continue;
        area[twin_of[t]] += more;
        sides[twin_of[t]]++;
    }
    for (uint32_t i = 0; i < halves; i++) open[twin_of[half[i].triangle]] += half[i].open;
    for (uint32_t i = 0; i < halves; i++) {
        if (!half[i].open || half[i].seen) continue;
        uint32_t c = twin_of[half[i].triangle];
        long double cap;
        if (!twin_hole(i, &cap)) twin_judged[c] = false;
        caps[c] += cap;
        holes[c]++;
        out->holes++;
    }
    for (uint32_t c = 0; c < out->count; c++)
        twin_component[c].solid =
            sides[c] + holes[c] >= 4 && area[c] > 0 && 2 * open[c] <= 3 * sides[c] && caps[c] <= area[c] / 100;
}

uint32_t compare_with_twin(const topology* found) {
    topology twin = {0};
    uint32_t judged = 0, solids = 0;
    twin_weld();
    twin_idle();
    twin_edges(&twin);
    twin_components(&twin);
    twin_open(&twin);
    twin_oriented(&twin);
    twin_solids(&twin);
    assert_int_equal(found->edges, twin.edges);
    assert_int_equal(found->open_edges, twin.open_edges);
    assert_int_equal(found->crowded_edges, twin.crowded_edges);
    assert_int_equal(found->degenerate, twin.degenerate);
    assert_int_equal(found->idle, twin.idle);
    assert_int_equal(found->count, twin.count);
    assert_true(found->holes >= twin.holes);
    for (uint32_t t = 0; t < soup.triangles; t++) assert_int_equal(found->of[t], twin_of[t]);
    for (uint32_t t = 0; t < soup.triangles; t++)
        assert_int_equal(found->drop && found->drop[t], twin_copy[t] || twin_cancelled[t]);
    for (uint32_t c = 0; c < found->count; c++) {
        assert_int_equal(found->component[c].triangle, twin_component[c].triangle);
        assert_int_equal(found->component[c].oriented, twin_component[c].oriented);
        if (twin_judged[c]) assert_int_equal(found->component[c].solid, twin_component[c].solid);
        judged += twin_judged[c];
        solids += found->component[c].solid;
    }
    if (judged == found->count) assert_int_equal(found->holes, twin.holes);
    assert_int_equal(found->solids, solids);
    return judged;
}

// Components, edges and caps by sorting and comparing; inside by solid angles and rays, in long double.
#include "anatomy.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct longvec {
    long double x, y, z;
} longvec;

static longvec seen_from(apart_vec3 p, apart_vec3 eye) {
    longvec r = {(long double)p.x - eye.x, (long double)p.y - eye.y, (long double)p.z - eye.z};
    return r;
}
static long double ldot(longvec a, longvec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static longvec lcross(longvec a, longvec b) {
    longvec r = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return r;
}

static void* must(void* block) {
    if (block) return block;
    fprintf(stderr, "out of memory in a test\n");
    abort();
}

// An edge of a triangle: its ends in the order of their places, and which way the triangle goes.
typedef struct edge {
    apart_vec3 low, high;
    uint32_t triangle;
    int way;
} edge;

static int compare_places(apart_vec3 p, apart_vec3 q) {
    if (p.x != q.x) return p.x < q.x ? -1 : 1;
    if (p.y != q.y) return p.y < q.y ? -1 : 1;
    if (p.z != q.z) return p.z < q.z ? -1 : 1;
    return 0;
}

static int compare_ends(const edge* a, const edge* b) {
    int order = compare_places(a->low, b->low);
    return order ? order : compare_places(a->high, b->high);
}

static int compare_edges(const void* a, const void* b) { return compare_ends(a, b); }

static uint32_t root_of(uint32_t* parent, uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

// Whether a triangle has the three different corners of an earlier one, turned the same way.
static bool is_copy(const surface* s, size_t t) {
    const uint32_t* i = s->triangle[t];
    for (size_t k = 0; k < t; k++) {
        int same = 0;
        for (int turn = 0; turn < 3; turn++) {
            bool all = true;
            for (int c = 0; c < 3; c++)
                all = all && compare_places(s->vertex[i[c]], s->vertex[s->triangle[k][(c + turn) % 3]]) == 0;
            same += all;
        }
        if (same == 1) return true;
    }
    return false;
}

// All edges with two different ends, equal ones together.
static size_t sorted_edges(const surface* s, const bool* left_out, edge* out) {
    size_t count = 0;
    for (size_t t = 0; t < s->triangle_count; t++)
        for (int k = 0; k < 3 && !left_out[t]; k++) {
            apart_vec3 p = s->vertex[s->triangle[t][k]], q = s->vertex[s->triangle[t][(k + 1) % 3]];
            int order = compare_places(p, q);
            if (order == 0) continue;
            edge e = {order < 0 ? p : q, order < 0 ? q : p, (uint32_t)t, order};
            out[count++] = e;
        }
    qsort(out, count, sizeof *out, compare_edges);
    return count;
}

// Numbers the components in the order of their first triangle.
static int number_components(anatomy* a, uint32_t* parent) {
    uint32_t* number = must(malloc((a->triangles + 1) * sizeof *number));
    int count = 0;
    for (size_t t = 0; t < a->triangles; t++) {
        uint32_t root = root_of(parent, (uint32_t)t);
        if (root == t) number[t] = (uint32_t)count++;
        a->of[t] = number[root];
    }
    free(number);
    return count;
}

// How many edges are not used as often one way as the other.
static size_t count_uneven(const edge* all, size_t count) {
    size_t uneven = 0;
    for (size_t i = 0, k; i < count; i = k) {
        int ways = 0;
        for (k = i; k < count && compare_ends(&all[i], &all[k]) == 0; k++) ways += all[k].way;
        uneven += ways != 0;
    }
    return uneven;
}

// The edges that count: without copies of triangles, unless more of them cancel with the copies.
static size_t edges_that_count(const surface* s, bool* left_out, edge* out) {
    size_t uneven = count_uneven(out, sorted_edges(s, left_out, out));
    for (size_t t = 0; t < s->triangle_count; t++) left_out[t] = is_copy(s, t);
    if (count_uneven(out, sorted_edges(s, left_out, out)) > uneven)
        for (size_t t = 0; t < s->triangle_count; t++) left_out[t] = false;
    return sorted_edges(s, left_out, out);
}

// In long double, so that no square vanishes.
static long double triangle_area(apart_vec3 p, apart_vec3 q, apart_vec3 r) {
    longvec n = lcross(seen_from(q, p), seen_from(r, p));
    return sqrtl(ldot(n, n)) / 2;
}

// Caps over the holes of component c: fans from the middle of each piece of its rim. (Quadratic in the rim.)
static long double cap_area(const anatomy* a, const edge* open, size_t count, uint32_t c) {
    uint32_t* parent = must(malloc((count + 1) * sizeof *parent));
    for (size_t i = 0; i < count; i++) parent[i] = (uint32_t)i;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++) {
            const edge *e = &open[i], *f = &open[k];
            if (a->of[e->triangle] != c || a->of[f->triangle] != c) continue;
            if (compare_places(e->low, f->low) && compare_places(e->low, f->high) && compare_places(e->high, f->low) &&
                compare_places(e->high, f->high))
                continue;
            uint32_t p = root_of(parent, (uint32_t)i), q = root_of(parent, (uint32_t)k);
            parent[p > q ? p : q] = p > q ? q : p;
        }
    long double area = 0;
    for (size_t i = 0; i < count; i++) {
        if (a->of[open[i].triangle] != c || parent[i] != i) continue;
        apart_vec3 middle = {0, 0, 0};
        double n = 0;
        for (int pass = 0; pass < 2; pass++)
            for (size_t k = i; k < count; k++) {
                if (root_of(parent, (uint32_t)k) != i) continue;
                apart_vec3 p = open[k].low, q = open[k].high;
                if (pass) area += triangle_area(p, q, (apart_vec3){middle.x / n, middle.y / n, middle.z / n});
                if (!pass) middle.x += (p.x + q.x) / 2, middle.y += (p.y + q.y) / 2, middle.z += (p.z + q.z) / 2, n++;
            }
    }
    free(parent);
    return area;
}

static enclosure enclosure_of(const surface* s, const anatomy* a, const edge* open, size_t count, uint32_t c) {
    size_t rim = 0;
    for (size_t i = 0; i < count; i++) rim += a->of[open[i].triangle] == c;
    if (rim == 0) return ENCLOSES_SOLID;
    long double area = 0, cap = cap_area(a, open, count, c);
    for (size_t t = 0; t < a->triangles; t++) {
        const uint32_t* i = s->triangle[t];
        if (a->of[t] == c) area += triangle_area(s->vertex[i[0]], s->vertex[i[1]], s->vertex[i[2]]);
    }
    // The promise is "a hundredth"; how a cap is spanned is the library's own business.
    if (cap <= 0.003L * area && rim < 100) return ENCLOSES_SOLID;
    return cap > 0.03L * area ? ENCLOSES_NOTHING : ENCLOSES_UNKNOWN;
}

// Walks over runs of equal edges: joins their triangles, collects the open ones, finds what is not two-sided.
static size_t walk_edges(anatomy* a, const edge* all, size_t count, uint32_t* parent, bool* twisted, edge* open) {
    size_t opened = 0;
    for (size_t i = 0, k; i < count; i = k) {
        int ways = 0;
        for (k = i; k < count && compare_ends(&all[i], &all[k]) == 0; k++) {
            uint32_t p = root_of(parent, all[i].triangle), q = root_of(parent, all[k].triangle);
            parent[p > q ? p : q] = p > q ? q : p;
            ways += all[k].way;
        }
        if ((k - i) % 2) open[opened++] = all[i], a->open_edges++;
        a->crowded_edges += k - i > 2;
        if ((k - i) % 2 == 0 && ways != 0) twisted[all[i].triangle] = true;
    }
    return opened;
}

anatomy anatomy_make(const surface* s) {
    size_t n = s->triangle_count;
    anatomy a = {.triangles = n, .of = must(calloc(n + 1, sizeof *a.of))};
    edge *all = must(malloc((3 * n + 1) * sizeof *all)), *open = must(malloc((3 * n + 1) * sizeof *open));
    uint32_t* parent = must(malloc((n + 1) * sizeof *parent));
    bool* twisted = must(calloc(n + 1, sizeof *twisted));
    for (size_t t = 0; t < n; t++) parent[t] = (uint32_t)t;
    bool* left_out = must(calloc(n + 1, sizeof *left_out));
    size_t count = edges_that_count(s, left_out, all), opened = walk_edges(&a, all, count, parent, twisted, open);
    a.count = number_components(&a, parent);
    for (size_t t = 0; t < n; t++)
        if (left_out[t]) a.of[t] = UINT32_MAX;
    a.encloses = must(calloc((size_t)a.count + 1, sizeof *a.encloses));
    a.two_sided = must(calloc((size_t)a.count + 1, sizeof *a.two_sided));
    for (int c = 0; c < a.count; c++)
        a.two_sided[c] = true, a.encloses[c] = enclosure_of(s, &a, open, opened, (uint32_t)c);
    for (size_t t = 0; t < n; t++)
        if (twisted[t]) a.two_sided[a.of[t]] = false;
    free(all);
    free(open);
    free(parent);
    free(twisted);
    free(left_out);
    return a;
}

void anatomy_free(anatomy* a) {
    free(a->of);
    free(a->encloses);
    free(a->two_sided);
    *a = (anatomy){0};
}

// ----------------------------------------------------------------------------------------------------- inside ----

// The solid angle of a triangle, signed (van Oosterom and Strackee 1983).
static long double solid_angle(longvec a, longvec b, longvec c) {
    long double la = sqrtl(ldot(a, a)), lb = sqrtl(ldot(b, b)), lc = sqrtl(ldot(c, c));
    long double up = ldot(a, lcross(b, c));
    long double down = la * lb * lc + ldot(a, b) * lc + ldot(b, c) * la + ldot(c, a) * lb;
    return up == 0 && down == 0 ? 0 : 2 * atan2l(up, down);
}

double winding_number(const surface* s, const anatomy* a, int component, apart_vec3 p) {
    long double sum = 0;
    for (size_t t = 0; t < s->triangle_count; t++) {
        const uint32_t* i = s->triangle[t];
        if (a->of[t] != (uint32_t)component) continue;
        sum += solid_angle(seen_from(s->vertex[i[0]], p), seen_from(s->vertex[i[1]], p), seen_from(s->vertex[i[2]], p));
    }
    return (double)(sum / (4 * acosl(-1)));
}

bool ray_parity(const surface* s, const anatomy* a, int component, apart_vec3 p) {
    rng r = rng_seed(5);
    int odd = 0;
    enum { RAYS = 15 };
    for (int ray = 0; ray < RAYS; ray++) {
        apart_vec3 u = rng_unit_vector(&r);
        longvec d = {u.x, u.y, u.z};
        int crossed = 0;
        for (size_t t = 0; t < s->triangle_count; t++) {
            if (a->of[t] != (uint32_t)component) continue;
            longvec v[3], way[3];
            for (int k = 0; k < 3; k++) v[k] = seen_from(s->vertex[s->triangle[t][k]], p);
            for (int k = 0; k < 3; k++) way[k] = lcross(v[k], v[(k + 1) % 3]);
            bool left = ldot(d, way[0]) > 0;
            if ((ldot(d, way[1]) > 0) != left || (ldot(d, way[2]) > 0) != left) continue;
            // In front of the eye: the plane is met at a positive multiple of d.
            crossed += (ldot(v[0], way[1]) > 0) == left;
        }
        odd += crossed % 2;
    }
    return 2 * odd > RAYS;
}

// The winding numbers of two-sided components are added: one that is turned over inside another one is a cavity. Within
// others, all are counted.
int inside_solid(const surface* s, const anatomy* a, apart_vec3 p) {
    double sum = 0;
    bool odd = false, unsure = false;
    if (s->hollow) return 0;
    for (int c = 0; c < a->count; c++) {
        if (a->encloses[c] == ENCLOSES_NOTHING) continue;
        double w = winding_number(s, a, c, p);
        bool parity = ray_parity(s, a, c, p);
        bool known = a->encloses[c] == ENCLOSES_SOLID && fabs(fabs(w) - 0.5) > 0.1;
        if (a->two_sided[c] && known) sum += w;
        if (!a->two_sided[c]) odd = odd != parity;
        if (a->two_sided[c] ? !known : a->crowded_edges > 0 || a->open_edges > 0)
            unsure = unsure || parity || fabs(w) > 0.2;
    }
    if (unsure) return -1;
    return odd ? (long)nearbyint(sum) % 2 == 0 : fabs(sum) > 0.5;
}

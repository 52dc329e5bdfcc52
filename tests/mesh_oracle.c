// Brute force over all pairs of leaves.
//
// First look, in double: all leaves about one place, divided by a power of two near the size of the whole, so that one
// slack fits all. The nearest points of two triangles found there give a direction, and the slab across it between the
// corners bounds their distance from below, whatever the rounding of the direction. Second look, in quad: the pairs
// that the first cannot leave out.
#include "mesh_oracle.h"

#include <stdlib.h>
#include <string.h>

// What a rough number may be off by, in units of the scaled size: corners are rounded once, slabs a few times.
#define ROUGH 1e-14
// Overlap that must be seen, of the size. (Far from the origin rounding hides more.)
#define DEEP 1e-9
// The bracket of an exact answer, of the size: between corners, and where a body is round.
#define GAP_CORNERS 2e-12
#define GAP_ROUND 1e-9
#define ROUNDING 0x1p-53
#define POINT_ROUNDINGS 64

typedef struct rough {
    double x, y, z;
} rough;

static rough less(rough a, rough b) {
    rough r = {a.x - b.x, a.y - b.y, a.z - b.z};
    return r;
}
static rough along(rough a, double s, rough d) {
    rough r = {a.x + s * d.x, a.y + s * d.y, a.z + s * d.z};
    return r;
}
static double dot(rough a, rough b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static rough cross(rough a, rough b) {
    rough r = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return r;
}

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

static double largest_entry(apart_vec3 p) { return fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))); }

// ----------------------------------------------------------------------------------------------------- things ----

thing thing_surface(const surface* s, const apart_pose* pose) {
    thing t = {.count = 1};
    t.piece[0].surface = s;
    t.piece[0].pose = *pose;
    return t;
}

thing thing_body(const body* b, const apart_pose* pose) {
    thing t = {.count = 1};
    t.piece[0].body = b;
    t.piece[0].pose = *pose;
    return t;
}

apart_pose pose_product(const apart_pose* outer, const apart_pose* inner) {
    apart_pose p;
    const double(*m)[3] = outer->rotation.m;
    apart_vec3 t = inner->translation, o = outer->translation;
    p.rotation = rng_product(&outer->rotation, &inner->rotation);
    p.translation.x = m[0][0] * t.x + m[0][1] * t.y + m[0][2] * t.z + o.x;
    p.translation.y = m[1][0] * t.x + m[1][1] * t.y + m[1][2] * t.z + o.y;
    p.translation.z = m[2][0] * t.x + m[2][1] * t.y + m[2][2] * t.z + o.z;
    return p;
}

static bool is_identity(const apart_pose* p) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (p->rotation.m[i][j] != (i == j)) return false;
    return largest_entry(p->translation) == 0;
}

void thing_add(thing* to, const thing* t, const apart_pose* pose) {
    for (int i = 0; i < t->count; i++) {
        if (to->count == MOST_PIECES) abort();
        piece* p = &to->piece[to->count++];
        *p = t->piece[i];
        if (is_identity(pose)) continue;
        if (!is_identity(&p->pose)) to->loose = 1;
        p->pose = pose_product(pose, &t->piece[i].pose);
    }
    to->loose = fmax(to->loose, t->loose);
}

static apart_shape* piece_shape(const piece* p, apart_error* error) {
    return p->surface ? surface_shape(p->surface, error) : body_shape(p->body, error);
}

apart_shape* thing_shape(const thing* t, apart_error* error) {
    apart_part part[MOST_PIECES];
    for (int i = 0; i < t->count; i++) {
        part[i].shape = piece_shape(&t->piece[i], error);
        part[i].pose = t->piece[i].pose;
        if (!part[i].shape) {
            while (i-- > 0) apart_shape_release(part[i].shape);
            return NULL;
        }
    }
    apart_shape* whole = apart_shape_union(part, (size_t)t->count, error);
    for (int i = 0; i < t->count; i++) apart_shape_release(part[i].shape);
    return whole;
}

// ---------------------------------------------------------------------------------------------------- anatomy ----

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

static bool has_corner(const surface* s, size_t t, apart_vec3 p) {
    for (int k = 0; k < 3; k++)
        if (compare_places(s->vertex[s->triangle[t][k]], p) == 0) return true;
    return false;
}

// Whether a triangle has the three different corners of an earlier one: then it counts for nothing.
static bool is_repeat(const surface* s, size_t t) {
    const uint32_t* i = s->triangle[t];
    apart_vec3 p = s->vertex[i[0]], q = s->vertex[i[1]], r = s->vertex[i[2]];
    if (compare_places(p, q) == 0 || compare_places(q, r) == 0 || compare_places(r, p) == 0) return false;
    for (size_t k = 0; k < t; k++)
        if (has_corner(s, k, p) && has_corner(s, k, q) && has_corner(s, k, r)) return true;
    return false;
}

// All edges with two different ends, equal ones together.
static size_t sorted_edges(const surface* s, edge* out) {
    size_t count = 0;
    for (size_t t = 0; t < s->triangle_count; t++)
        for (int k = 0; k < 3 && !is_repeat(s, t); k++) {
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
        if (k - i > 2 || (k - i == 2 && ways != 0)) twisted[all[i].triangle] = true;
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
    size_t count = sorted_edges(s, all), opened = walk_edges(&a, all, count, parent, twisted, open);
    a.count = number_components(&a, parent);
    for (size_t t = 0; t < n; t++)
        if (is_repeat(s, t)) a.of[t] = UINT32_MAX;
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

// Is the local point inside a solid of the surface? 1 yes, 0 no, -1 cannot be said. The winding numbers of two-sided
// components are added: a shell that is turned over inside another one is a cavity.
static int inside_solid(const surface* s, const anatomy* a, apart_vec3 p) {
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
    return fabs(sum) > 0.5 || odd;
}

// ------------------------------------------------------------------------------------------------------ leaves ----

// A triangle or a convex body of a thing, about the pair's own place and in its unit.
typedef struct leaf {
    const piece* piece;
    uint32_t triangle;
    rough corner[3]; // of a triangle
    rough middle;
    double reach; // of the leaf about its middle, radius included
    double radius;
} leaf;

typedef struct foliage {
    size_t count;
    leaf* leaf;
} foliage;

// Where the pair is and how large.
typedef struct frame {
    qvec origin;
    quad unit;
} frame;

static rough in_frame(const frame* f, const apart_pose* pose, apart_vec3 p) {
    qvec q = qvec_scale(1 / f->unit, qvec_sub(oracle_world(pose, p), f->origin));
    rough r = {(double)q.x, (double)q.y, (double)q.z};
    return r;
}

static size_t leaves_of(const piece* p) { return p->surface ? p->surface->triangle_count : 1; }

static void set_leaf(leaf* l, const frame* f, const piece* p, uint32_t triangle) {
    l->piece = p;
    l->triangle = triangle;
    apart_vec3 origin = {0, 0, 0};
    if (p->body) {
        apart_vec3 centre = p->body->kind == BODY_POINTS ? body_centre(p->body) : origin;
        double most = 0;
        l->middle = in_frame(f, &p->pose, centre);
        l->radius = p->body->radius / (double)f->unit;
        for (int i = 0; i < body_corners(p->body); i++) {
            rough d = less(in_frame(f, &p->pose, body_corner(p->body, i)), l->middle);
            most = fmax(most, sqrt(dot(d, d)));
        }
        l->reach = body_is_polytope(p->body) ? most + l->radius : (double)(oracle_extent(p->body) / f->unit);
        return;
    }
    const uint32_t* c = p->surface->triangle[triangle];
    for (int k = 0; k < 3; k++) l->corner[k] = in_frame(f, &p->pose, p->surface->vertex[c[k]]);
    l->middle = along(along(l->corner[0], 1 / 3.0, less(l->corner[1], l->corner[0])), 1 / 3.0,
                      less(l->corner[2], l->corner[0]));
    l->radius = p->surface->radius / (double)f->unit;
    l->reach = 0;
    for (int k = 0; k < 3; k++) {
        rough d = less(l->corner[k], l->middle);
        l->reach = fmax(l->reach, sqrt(dot(d, d)) + l->radius);
    }
}

static foliage leaves_make(const thing* t, const frame* f) {
    foliage all = {0};
    for (int i = 0; i < t->count; i++) all.count += leaves_of(&t->piece[i]);
    all.leaf = must(calloc(all.count + 1, sizeof *all.leaf));
    size_t n = 0;
    for (int i = 0; i < t->count; i++)
        for (size_t k = 0; k < leaves_of(&t->piece[i]); k++) set_leaf(&all.leaf[n++], f, &t->piece[i], (uint32_t)k);
    return all;
}

// The leaf as a body for the convex oracle.
static void leaf_body(const leaf* l, body* out) {
    const surface* s = l->piece->surface;
    out->kind = BODY_POINTS;
    out->callback = false;
    out->radius = s->radius;
    out->count = 3;
    for (int k = 0; k < 3; k++) out->points[k] = s->vertex[s->triangle[l->triangle][k]];
}

// ------------------------------------------------------------------------------------------------- first look ----

static double clamp(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

// Nearest points of two segments, to rounding: the vector from the first to the second.
static rough between_segments(rough p, rough q, rough r, rough s) {
    rough d = less(q, p), e = less(s, r), o = less(p, r);
    double a = dot(d, d), c = dot(e, e), b = dot(d, e), f = dot(d, o), g = dot(e, o), w = a * c - b * b;
    double t = w > 0 ? clamp((b * g - c * f) / w) : 0;
    double u = c > 0 ? clamp((b * t + g) / c) : 0;
    t = a > 0 ? clamp((b * u - f) / a) : 0;
    return less(along(r, u, e), along(p, t, d));
}

// From p to the inside of a triangle; false if its nearest point is on the rim.
static bool to_inside(rough p, const rough t[3], rough* v) {
    rough n = cross(less(t[1], t[0]), less(t[2], t[0]));
    double square = dot(n, n);
    if (!(square > 0)) return false;
    for (int k = 0; k < 3; k++)
        if (dot(cross(less(t[(k + 1) % 3], t[k]), less(p, t[k])), n) < 0) return false;
    rough zero = {0, 0, 0};
    *v = along(zero, dot(less(t[0], p), n) / square, n);
    return true;
}

static rough between_triangles(const rough a[3], const rough b[3]) {
    rough best = less(b[0], a[0]), v;
    double least = dot(best, best);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            v = between_segments(a[i], a[(i + 1) % 3], b[k], b[(k + 1) % 3]);
            if (dot(v, v) < least) best = v, least = dot(v, v);
        }
        if (to_inside(a[i], b, &v) && dot(v, v) < least) best = v, least = dot(v, v);
        rough zero = {0, 0, 0};
        if (to_inside(b[i], a, &v) && dot(v, v) < least) best = along(zero, -1, v), least = dot(v, v);
    }
    return best;
}

// The slab across v between the corners.
static double slab(const rough a[3], const rough b[3], rough v) {
    double least = INFINITY, length = sqrt(dot(v, v));
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) least = fmin(least, dot(less(b[k], a[i]), v));
    return length > 1e-150 ? least / length : 0;
}

// A lower and an upper bound of the distance of two leaves, radii taken off, in the frame's unit.
static void first_look(const leaf* a, const leaf* b, double enough, double* low, double* high) {
    rough d = less(b->middle, a->middle);
    *low = sqrt(dot(d, d)) - a->reach - b->reach - ROUGH;
    *high = INFINITY;
    if (*low > enough || a->piece->body || b->piece->body) return;
    rough v = between_triangles(a->corner, b->corner);
    *low = fmax(*low, slab(a->corner, b->corner, v) - a->radius - b->radius - ROUGH);
    *high = sqrt(dot(v, v)) - a->radius - b->radius + ROUGH;
}

// The overlap that must be seen: its size is known before the search.
static double clear_depth(const thing_truth* t) { return DEEP * t->size + 256 * ROUNDING * t->place; }

// ------------------------------------------------------------------------------------------------- second look ----

typedef struct looker {
    frame frame;
    thing_truth* truth;
    apart_vec3 n; // the direction that last told a convex body and a leaf apart
    double enough;
} looker;

// With a convex body: whether the slab across a guess is wide enough to leave the pair out. The library guesses; the
// oracle measures the slab.
static bool excluded(looker* k, const body* a, const apart_pose* pose_a, const body* b, const apart_pose* pose_b) {
    quad far = (quad)k->enough * k->frame.unit;
    if (largest_entry(k->n) > 0 && oracle_separation(a, pose_a, b, pose_b, k->n) > far) return true;
    apart_shape *s = body_shape(a, NULL), *t = body_shape(b, NULL);
    apart_result r = {0};
    apart_status status = s && t ? apart_distance(s, pose_a, t, pose_b, NULL, NULL, &r) : APART_INVALID;
    apart_shape_release(s);
    apart_shape_release(t);
    if (status != APART_OK || largest_entry(r.normal) == 0) return false;
    k->n = r.normal;
    return oracle_separation(a, pose_a, b, pose_b, k->n) > far;
}

static void second_look(looker* k, const leaf* a, const leaf* b) {
    static body triangle_a, triangle_b;
    const body *x = a->piece->body, *y = b->piece->body;
    if (!x) leaf_body(a, &triangle_a), x = &triangle_a;
    if (!y) leaf_body(b, &triangle_b), y = &triangle_b;
    bool convex = a->piece->body || b->piece->body;
    if (convex && excluded(k, x, &a->piece->pose, y, &b->piece->pose)) return;
    oracle_answer o = oracle_distance(x, &a->piece->pose, y, &b->piece->pose);
    thing_truth* t = k->truth;
    t->pairs++;
    t->lower = o.lower < t->lower ? o.lower : t->lower;
    t->upper = o.upper < t->upper ? o.upper : t->upper;
    t->depth = o.depth > t->depth ? o.depth : t->depth;
    k->enough = fmin(k->enough, (double)(o.upper / k->frame.unit) + ROUGH);
}

static void look_at_all(looker* k, const foliage* a, const foliage* b) {
    double low, high;
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++) {
            first_look(&a->leaf[i], &b->leaf[j], k->enough, &low, &high);
            k->enough = fmax(fmin(k->enough, high), ROUGH);
        }
    // The nearest first look is the best place to start: an overlap is often proven there.
    quad clear = clear_depth(k->truth);
    for (size_t i = 0; i < a->count && k->truth->depth <= clear; i++)
        for (size_t j = 0; j < b->count && k->truth->depth <= clear; j++) {
            first_look(&a->leaf[i], &b->leaf[j], k->enough, &low, &high);
            if (low <= k->enough) second_look(k, &a->leaf[i], &b->leaf[j]);
        }
}

// ---------------------------------------------------------------------------------------------------- nesting ----

// A world point in local coordinates. The matrix is a rotation to 1e-6 or better: its transpose, then one correction.
static apart_vec3 to_local(const apart_pose* pose, qvec world) {
    const double(*m)[3] = pose->rotation.m;
    qvec q = qvec_sub(world, qvec_from(pose->translation)), p = {0, 0, 0};
    apart_vec3 local = {0, 0, 0};
    apart_pose turn = {pose->rotation, {0, 0, 0}};
    for (int step = 0; step < 4; step++) {
        qvec rest = qvec_sub(q, oracle_world(&turn, local));
        p.x += m[0][0] * rest.x + m[1][0] * rest.y + m[2][0] * rest.z;
        p.y += m[0][1] * rest.x + m[1][1] * rest.y + m[2][1] * rest.z;
        p.z += m[0][2] * rest.x + m[1][2] * rest.y + m[2][2] * rest.z;
        local = (apart_vec3){(double)p.x, (double)p.y, (double)p.z};
    }
    return local;
}

static void mark(thing_truth* t, int inside) {
    if (inside > 0) t->nested = true;
    if (inside < 0) t->unknown = true;
}

// Whether component c of `inner` is inside a solid of `outer`. The first corner that is not on the surface decides:
// there the winding numbers are whole, unless there are holes.
static int component_inside(const piece* outer, const anatomy* of_outer, const piece* inner, const anatomy* of_inner,
                            uint32_t c) {
    const surface* s = inner->surface;
    bool holes = of_outer->open_edges > 0;
    for (size_t i = 0; i < 3 * s->triangle_count; i++) {
        if (of_inner->of[i / 3] != c) continue;
        apart_vec3 p = to_local(&outer->pose, oracle_world(&inner->pose, s->vertex[s->triangle[i / 3][i % 3]]));
        bool whole = true;
        for (int k = 0; k < of_outer->count && !holes; k++) {
            double w = winding_number(outer->surface, of_outer, k, p);
            whole = whole && (!of_outer->two_sided[k] || fabs(w - nearbyint(w)) < 1e-3);
        }
        if (whole) return inside_solid(outer->surface, of_outer, p);
    }
    return 0;
}

// A point of every component of `inner` against the solids of `outer`.
static void look_inside(thing_truth* t, const piece* outer, const anatomy* of_outer, const piece* inner,
                        const anatomy* of_inner) {
    if (inner->body) {
        apart_vec3 centre = {0, 0, 0};
        if (inner->body->kind == BODY_POINTS) centre = body_centre(inner->body);
        mark(t, inside_solid(outer->surface, of_outer, to_local(&outer->pose, oracle_world(&inner->pose, centre))));
        return;
    }
    for (int c = 0; c < of_inner->count; c++) mark(t, component_inside(outer, of_outer, inner, of_inner, (uint32_t)c));
}

static void look_for_nesting(thing_truth* t, const thing* a, const thing* b) {
    static anatomy of_a[MOST_PIECES], of_b[MOST_PIECES];
    for (int i = 0; i < a->count; i++)
        if (a->piece[i].surface) of_a[i] = anatomy_make(a->piece[i].surface);
    for (int i = 0; i < b->count; i++)
        if (b->piece[i].surface) of_b[i] = anatomy_make(b->piece[i].surface);
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++) {
            if (a->piece[i].surface) look_inside(t, &a->piece[i], &of_a[i], &b->piece[k], &of_b[k]);
            if (b->piece[k].surface) look_inside(t, &b->piece[k], &of_b[k], &a->piece[i], &of_a[i]);
        }
    for (int i = 0; i < a->count; i++) anatomy_free(&of_a[i]);
    for (int i = 0; i < b->count; i++) anatomy_free(&of_b[i]);
}

// ------------------------------------------------------------------------------------------------------ truth ----

const char* const thing_regime_names[THING_REGIMES] = {"apart", "near", "touching", "crossing", "nested"};

static size_t points_of(const piece* p) {
    if (p->surface) return 3 * p->surface->triangle_count;
    int corners = body_corners(p->body);
    return corners > 0 ? (size_t)corners : 1;
}

static apart_vec3 point_of(const piece* p, size_t i) {
    apart_vec3 origin = {0, 0, 0};
    if (p->surface) return p->surface->vertex[p->surface->triangle[i / 3][i % 3]];
    return body_corners(p->body) > 0 ? body_corner(p->body, (int)i) : origin;
}

static quad absolute(quad x) { return x < 0 ? -x : x; }

static quad reach_from(const thing* t, qvec origin, double* place) {
    quad most = 0;
    for (int i = 0; i < t->count; i++) {
        const piece* p = &t->piece[i];
        double radius = p->surface                  ? p->surface->radius
                        : body_is_polytope(p->body) ? p->body->radius
                                                    : (double)oracle_extent(p->body);
        for (size_t k = 0; k < points_of(p); k++) {
            apart_vec3 local = point_of(p, k);
            qvec d = qvec_sub(oracle_world(&p->pose, local), origin);
            quad far = absolute(d.x) + absolute(d.y) + absolute(d.z) + radius;
            most = far > most ? far : most;
            *place = fmax(*place, largest_entry(local) + radius);
        }
        *place = fmax(*place, largest_entry(p->pose.translation));
    }
    return most;
}

static bool is_round(const thing* t) {
    for (int i = 0; i < t->count; i++)
        if (t->piece[i].body && (!body_is_polytope(t->piece[i].body) || t->piece[i].body->callback)) return true;
    return false;
}

thing_truth thing_distance(const thing* a, const thing* b) {
    thing_truth t = {0};
    looker k = {.truth = &t, .enough = INFINITY};
    k.frame.origin = oracle_world(&a->piece[0].pose, point_of(&a->piece[0], 0));
    quad size = reach_from(a, k.frame.origin, &t.place);
    quad other = reach_from(b, k.frame.origin, &t.place);
    size = size > other ? size : other;
    int exponent;
    frexp(fmax((double)size, 0x1p-1000), &exponent);
    k.frame.unit = (quad)ldexp(1, exponent);
    t.size = (double)size;
    t.lower = t.upper = 16 * k.frame.unit;
    t.round = is_round(a) || is_round(b);
    foliage of_a = leaves_make(a, &k.frame), of_b = leaves_make(b, &k.frame);
    look_at_all(&k, &of_a, &of_b);
    free(of_a.leaf);
    free(of_b.leaf);
    t.surface = t.upper;
    if (t.depth <= clear_depth(&t)) look_for_nesting(&t, a, b);
    // Where surfaces touch, what is inside what is a matter of rounding.
    if (t.nested && t.surface <= (quad)1e-13 * t.size + 64 * (quad)ROUNDING * t.place) {
        t.nested = false;
        t.unknown = true;
    }
    if (t.nested) t.lower = t.upper = 0;
    if (t.unknown) t.lower = 0;
    quad blur = (a->loose + b->loose) * 16 * (quad)ROUNDING * (size + t.place);
    t.lower = t.lower > blur ? t.lower - blur : 0;
    t.upper += blur;
    return t;
}

thing_regime thing_regime_of(const thing_truth* t) {
    if (t->nested) return THINGS_NESTED;
    if (t->depth > clear_depth(t)) return THINGS_CROSSING;
    if (t->lower > (quad)1e-2 * t->size) return THINGS_APART;
    return t->lower > (quad)1e-14 * t->size ? THINGS_NEAR : THINGS_TOUCHING;
}

// ------------------------------------------------------------------------------------------------ certificates ----

static void keep_most(double* most, double x) {
    if (x > *most) *most = x;
}

static bool all_finite(const apart_result* r) {
    return isfinite(r->distance) && isfinite(r->lower_bound) && isfinite(largest_entry(r->point_a)) &&
           isfinite(largest_entry(r->point_b)) && isfinite(largest_entry(r->normal));
}

static bool names_corner(const uint32_t* triangle, uint32_t vertex) {
    return triangle[0] == vertex || triangle[1] == vertex || triangle[2] == vertex;
}

// The part, triangle, vertices and weights are in range. A common point inside a solid has no witness there.
static const char* check_witness(const thing* t, const apart_witness* w, bool common) {
    if (w->part >= (uint32_t)t->count) return "the part is out of range";
    const piece* p = &t->piece[w->part];
    double total = 0;
    if (p->surface && w->triangle >= p->surface->triangle_count) return "the triangle is out of range";
    if (p->body && w->triangle != 0) return "a convex part has no triangle";
    bool corners = p->surface || (body_is_polytope(p->body) && !p->body->callback);
    if (common && w->count == 0) return NULL;
    if (!corners) return w->count == 0 ? NULL : "a body without corners has witnesses";
    if (w->count < 1 || w->count > (p->surface ? 3u : 4u)) return "the number of witnesses is out of range";
    for (uint32_t i = 0; i < w->count; i++) {
        if (p->surface && !names_corner(p->surface->triangle[w->triangle], w->vertex[i]))
            return "a witness is not a corner of the triangle";
        if (p->body && w->vertex[i] >= (uint32_t)body_corners(p->body)) return "a witness is not a vertex";
        if (!(w->weight[i] > 0 && w->weight[i] <= 1 + 16 * ROUNDING)) return "a weight is not in (0, 1]";
        for (uint32_t k = 0; k < i; k++)
            if (w->vertex[i] == w->vertex[k]) return "a vertex is named twice";
        total += w->weight[i];
    }
    return fabs(total - 1) <= 16 * ROUNDING ? NULL : "the weights do not sum to 1";
}

// How far the point is from what its witnesses carry, moved by the radius along the normal.
static double misplaced(const thing* t, const apart_witness* w, apart_vec3 point, apart_vec3 normal, int sign) {
    const piece* p = &t->piece[w->part];
    double radius = p->surface ? p->surface->radius : p->body->radius;
    if (w->count == 0) return (double)oracle_outside(p->body, &p->pose, point);
    qvec q = qvec_scale((quad)sign * radius, qvec_from(normal));
    for (uint32_t i = 0; i < w->count; i++) {
        apart_vec3 v = p->surface ? p->surface->vertex[w->vertex[i]] : body_corner(p->body, (int)w->vertex[i]);
        q = qvec_add(q, qvec_scale(w->weight[i], oracle_world(&p->pose, v)));
    }
    return (double)qvec_length(qvec_sub(qvec_from(point), q));
}

static bool same_place(apart_vec3 p, apart_vec3 q) { return compare_places(p, q) == 0; }

// A common point belongs to both, up to `most`. The same point of the same pair is looked at once.
static const char* check_common(const thing* a, const thing* b, const thing_truth* t, const apart_result* r,
                                double most, thing_census* c) {
    static body dot_body;
    apart_pose here = {apart_pose_identity.rotation, r->point_a};
    if ((double)qvec_length(qvec_sub(qvec_from(r->point_a), qvec_from(r->point_b))) > most)
        return "on overlap the points differ";
    if (same_place(c->common, r->point_a) && c->common_size == t->size && c->common_place == t->place) return NULL;
    dot_body.kind = BODY_SPHERE;
    thing at = thing_body(&dot_body, &here);
    if (thing_distance(a, &at).lower > most) return "the common point is not in a";
    if (thing_distance(b, &at).lower > most) return "the common point is not in b";
    c->common = r->point_a;
    c->common_size = t->size;
    c->common_place = t->place;
    return NULL;
}

static const char* check_points(const thing* a, const thing* b, const thing_truth* t, const apart_result* r,
                                thing_census* c) {
    qvec n = qvec_from(r->normal);
    double scale = t->size + t->place, most = POINT_ROUNDINGS * ROUNDING * scale;
    if (fabs((double)(qvec_length(n) - 1)) > 16 * ROUNDING) return "the normal is not a unit vector";
    if (r->distance == 0) return check_common(a, b, t, r, 1e-12 * t->size + most, c);
    double off_a = misplaced(a, &r->a, r->point_a, r->normal, 1),
           off_b = misplaced(b, &r->b, r->point_b, r->normal, -1);
    keep_most(&c->off, fmax(off_a, off_b) / (ROUNDING * scale));
    if (off_a > most || off_b > most) return "a point is not what its witnesses carry";
    qvec way = qvec_sub(qvec_from(r->point_b), qvec_from(r->point_a));
    if (fabs((double)qvec_dot(way, n) - r->distance) > 4 * most) return "(point_b - point_a) . normal is not distance";
    if (fabs((double)qvec_length(way) - r->distance) > 4 * most) return "|point_b - point_a| is not distance";
    return NULL;
}

// One of the reasons to stop is there, or the bracket is as tight as can be.
static const char* check_goal(const thing_truth* t, const apart_query* q, const apart_result* r, thing_census* c) {
    double gap = r->distance - r->lower_bound;
    bool exact = q->relative_error == 0 && q->absolute_error == 0 && q->cutoff == (double)INFINITY;
    bool meet = t->nested || t->depth > clear_depth(t);
    if (r->lower_bound >= q->cutoff) return NULL;
    if (meet && q->absolute_error == 0 && q->relative_error < 1 && r->distance > 0)
        return "they overlap but distance is positive";
    if (q->relative_error > 0 && r->distance > 0 && r->lower_bound >= (1 - q->relative_error) * r->distance)
        return NULL;
    if (q->absolute_error > 0 && gap <= q->absolute_error) return NULL;
    if (exact && t->size > 0) keep_most(&c->gap, gap / t->size);
    double blur = 128 * ROUNDING * t->place; // poses of parts are rounded, too
    return gap <= (t->round ? GAP_ROUND : GAP_CORNERS) * t->size + blur ? NULL : "the bracket is not tight";
}

const char* thing_check(const thing* a, const thing* b, const thing_truth* t, const apart_query* q,
                        const apart_result* r, thing_census* c) {
    if (!all_finite(r)) return "a number is not finite";
    if (!(r->lower_bound >= 0)) return "lower_bound is negative";
    if (r->lower_bound > r->distance) return "lower_bound is above distance";
    if ((quad)r->lower_bound > t->upper) return "lower_bound is above the true distance";
    if ((quad)r->distance < t->lower) return "distance is below the true distance";
    if (t->size > 0) keep_most(&c->oracle, (double)(t->upper - t->lower) / t->size);
    const char* wrong = check_witness(a, &r->a, r->distance == 0);
    if (!wrong) wrong = check_witness(b, &r->b, r->distance == 0);
    if (!wrong) wrong = check_points(a, b, t, r, c);
    return wrong ? wrong : check_goal(t, q, r, c);
}

bool thing_judge(const char* name, const thing* a, const apart_shape* shape_a, const apart_pose* pose_a, const thing* b,
                 const apart_shape* shape_b, const apart_pose* pose_b, const thing_truth* t, const apart_query* q,
                 apart_cache* cache, thing_census* c) {
    apart_result r;
    memset(&r, 0, sizeof r);
    apart_status status = apart_distance(shape_a, pose_a, shape_b, pose_b, q, cache, &r);
    const char* wrong = status == APART_OK ? thing_check(a, b, t, q, &r, c) : apart_status_text(status);
    c->judged[thing_regime_of(t)]++;
    c->unknown += t->unknown;
    if (!wrong) return true;
    if (c->wrong++ >= 20) return false;
    fprintf(stderr, "WRONG: %s: %s\n", name, wrong);
    fprintf(stderr, "  relative %g absolute %g cutoff %g: [%.17g, %.17g] parts %u %u triangles %u %u\n",
            q->relative_error, q->absolute_error, q->cutoff, r.lower_bound, r.distance, r.a.part, r.b.part,
            r.a.triangle, r.b.triangle);
    fprintf(stderr, "  truth [%.17g, %.17g] surfaces %.17g depth %.3g size %.3g place %.3g, %s%s\n", (double)t->lower,
            (double)t->upper, (double)t->surface, (double)t->depth, t->size, t->place,
            thing_regime_names[thing_regime_of(t)], t->unknown ? " unknown" : "");
    return false;
}

void thing_census_print(const char* title, const thing_census* c) {
    printf("%s:", title);
    for (int i = 0; i < THING_REGIMES; i++) printf(" %ld %s", c->judged[i], thing_regime_names[i]);
    printf(
        "; %ld wrong, %ld of unknown inside; gap %.2g of the size, points off by %.2g roundings, oracle's gap %.2g\n",
        c->wrong, c->unknown, c->gap, c->off, c->oracle);
}

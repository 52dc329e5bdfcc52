// Brute force over all pairs of leaves.
//
// First look, in double: all leaves about one place, divided by a power of two near the size of the whole, so that one
// slack fits all. The nearest points of two triangles found there give a direction, and the slab across it between the
// corners bounds their distance from below, whatever the rounding of the direction. Second look, in quad: the pairs
// that the first cannot leave out.
#include "mesh_oracle.h"

#include "base/vec.h"

#include <stdlib.h>

// What a rough number may be off by, in units of the scaled size: corners are rounded once, slabs a few times.
#define ROUGH 1e-14
// Overlap that must be seen, of the size. (Far from the origin rounding hides more.)
#define DEEP 1e-9

// ------------------------------------------------------------------------------------------------------ leaves ----

// A triangle or a convex body of a thing, about the pair's own place and in its unit.
typedef struct leaf {
    const piece* piece;
    uint32_t triangle;
    vec3 corner[3]; // of a triangle
    vec3 middle;
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

static vec3 in_frame(const frame* f, const apart_pose* pose, apart_vec3 p) {
    qvec q = qvec_scale(1 / f->unit, qvec_sub(oracle_world(pose, p), f->origin));
    vec3 r = {(double)q.x, (double)q.y, (double)q.z};
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
            vec3 d = vec3_sub(in_frame(f, &p->pose, body_corner(p->body, i)), l->middle);
            most = fmax(most, vec3_length(d));
        }
        l->reach = body_is_polytope(p->body) ? most + l->radius : (double)(oracle_extent(p->body) / f->unit);
        return;
    }
    const uint32_t* c = p->surface->triangle[triangle];
    for (int k = 0; k < 3; k++) l->corner[k] = in_frame(f, &p->pose, p->surface->vertex[c[k]]);
    l->middle = vec3_mad(vec3_mad(l->corner[0], 1 / 3.0, vec3_sub(l->corner[1], l->corner[0])), 1 / 3.0,
                         vec3_sub(l->corner[2], l->corner[0]));
    l->radius = p->surface->radius / (double)f->unit;
    l->reach = 0;
    for (int k = 0; k < 3; k++) {
        vec3 d = vec3_sub(l->corner[k], l->middle);
        l->reach = fmax(l->reach, vec3_length(d) + l->radius);
    }
}

static foliage leaves_make(const thing* t, const frame* f) {
    foliage all = {0};
    for (int i = 0; i < t->count; i++) all.count += leaves_of(&t->piece[i]);
    all.leaf = calloc(all.count + 1, sizeof *all.leaf);
    if (!all.leaf) abort();
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
static vec3 between_segments(vec3 p, vec3 q, vec3 r, vec3 s) {
    vec3 d = vec3_sub(q, p), e = vec3_sub(s, r), o = vec3_sub(p, r);
    double a = vec3_dot(d, d), c = vec3_dot(e, e), b = vec3_dot(d, e), f = vec3_dot(d, o), g = vec3_dot(e, o),
           w = a * c - b * b;
    double t = w > 0 ? clamp((b * g - c * f) / w) : 0;
    double u = c > 0 ? clamp((b * t + g) / c) : 0;
    t = a > 0 ? clamp((b * u - f) / a) : 0;
    return vec3_sub(vec3_mad(r, u, e), vec3_mad(p, t, d));
}

// From p to the inside of a triangle; false if its nearest point is on the rim.
static bool to_inside(vec3 p, const vec3 t[3], vec3* v) {
    vec3 n = vec3_cross(vec3_sub(t[1], t[0]), vec3_sub(t[2], t[0]));
    double square = vec3_dot(n, n);
    if (!(square > 0)) return false;
    for (int k = 0; k < 3; k++)
        if (vec3_dot(vec3_cross(vec3_sub(t[(k + 1) % 3], t[k]), vec3_sub(p, t[k])), n) < 0) return false;
    *v = vec3_scale(vec3_dot(vec3_sub(t[0], p), n) / square, n);
    return true;
}

static vec3 between_triangles(const vec3 a[3], const vec3 b[3]) {
    vec3 best = vec3_sub(b[0], a[0]), v;
    double least = vec3_dot(best, best);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            v = between_segments(a[i], a[(i + 1) % 3], b[k], b[(k + 1) % 3]);
            if (vec3_dot(v, v) < least) best = v, least = vec3_dot(v, v);
        }
        if (to_inside(a[i], b, &v) && vec3_dot(v, v) < least) best = v, least = vec3_dot(v, v);
        if (to_inside(b[i], a, &v) && vec3_dot(v, v) < least) best = vec3_neg(v), least = vec3_dot(v, v);
    }
    return best;
}

// The slab across v between the corners.
static double slab(const vec3 a[3], const vec3 b[3], vec3 v) {
    double least = INFINITY, length = vec3_length(v);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) least = fmin(least, vec3_dot(vec3_sub(b[k], a[i]), v));
    return length > 1e-150 ? least / length : 0;
}

// A lower and an upper bound of the distance of two leaves, radii taken off, in the frame's unit.
static void first_look(const leaf* a, const leaf* b, double enough, double* low, double* high) {
    vec3 d = vec3_sub(b->middle, a->middle);
    *low = vec3_length(d) - a->reach - b->reach - ROUGH;
    *high = INFINITY;
    if (*low > enough || a->piece->body || b->piece->body) return;
    vec3 v = between_triangles(a->corner, b->corner);
    *low = fmax(*low, slab(a->corner, b->corner, v) - a->radius - b->radius - ROUGH);
    *high = vec3_length(v) - a->radius - b->radius + ROUGH;
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
    if (vec3_max_abs(k->n) > 0 && oracle_separation(a, pose_a, b, pose_b, k->n) > far) return true;
    apart_shape *s = body_shape(a, NULL), *t = body_shape(b, NULL);
    apart_result r = {0};
    apart_status status = s && t ? apart_distance(s, pose_a, t, pose_b, NULL, NULL, &r) : APART_INVALID;
    apart_shape_release(s);
    apart_shape_release(t);
    if (status != APART_OK || vec3_max_abs(r.normal) == 0) return false;
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
            *place = fmax(*place, vec3_max_abs(local) + radius);
        }
        *place = fmax(*place, vec3_max_abs(p->pose.translation));
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

// Depth by brute force, in two passes: all directions in double first, then those that come close to the best in quad.
//
// Rounding of the first pass. Edges are unit vectors rounded from quad. A cross product of two of them that is at least
// THIN long gives a direction good to 4 * 2^-53 / THIN < 1e-10; with all corners in the ball of radius 2, widths are
// good to 4e-10, and SLACK is above twice that. Shorter ones are made in quad and then rounded, which is good to
// FINE_SLACK, unless they are shorter than THINNEST. The second pass is good to a few 1e-33 / sin(angle): to 1e-20 down
// to angles of 1e-12.
#include "depth_oracle.h"

#include "random.h"

#include <string.h>

#define THIN 1e-5
#define SLACK 1e-9
#define THINNEST 1e-15
#define FINE_SLACK 1e-13
#define ENDS 1e-20 // what the ends are put apart by, of the size

#define MOST_EDGES (DEPTH_MOST_CORNERS * (DEPTH_MOST_CORNERS - 1) / 2)
#define MOST_KEPT 65536
#define MOST_PAIRS 9000 // of edges; planes and lines with noise of one rounding have more, and are searched instead

static qvec make(quad x, quad y, quad z) {
    qvec v = {x, y, z};
    return v;
}
static qvec cross(qvec a, qvec b) { return make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
static apart_vec3 rounded(qvec a) {
    apart_vec3 r = {(double)a.x, (double)a.y, (double)a.z};
    return r;
}
static qvec unit(qvec a) { return qvec_scale(1 / qvec_length(a), a); }
static apart_vec3 cross_rough(apart_vec3 a, apart_vec3 b) {
    apart_vec3 r = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return r;
}
static double dot_rough(apart_vec3 a, apart_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static apart_vec3 scaled(double s, apart_vec3 a) {
    apart_vec3 r = {s * a.x, s * a.y, s * a.z};
    return r;
}

// ---------------------------------------------------------------------------------------------- corners and edges ----

typedef struct edge {
    qvec along; // unit
    apart_vec3 rough;
} edge;

// A core in the world, about the first body's origin, divided by the pair's size.
typedef struct hull {
    int corners;
    qvec corner[DEPTH_MOST_CORNERS];
    apart_vec3 rough[DEPTH_MOST_CORNERS];
    edge between[DEPTH_MOST_CORNERS][DEPTH_MOST_CORNERS];                   // from corner i to corner j > i
    apart_vec3 off[DEPTH_MOST_CORNERS][DEPTH_MOST_CORNERS];                 // the same with their length, both ways
    double size;                                                            // the longest of them
    bool outer[DEPTH_MOST_CORNERS][DEPTH_MOST_CORNERS];                     // perhaps an edge of the hull
    bool known[DEPTH_MOST_CORNERS][DEPTH_MOST_CORNERS][DEPTH_MOST_CORNERS]; // in a face that was looked at
    int edges;
    edge edge[MOST_EDGES]; // the outer ones, each direction once
} hull;

static bool has_corner(const hull* h, qvec c) {
    for (int i = 0; i < h->corners; i++)
        if (h->corner[i].x == c.x && h->corner[i].y == c.y && h->corner[i].z == c.z) return true;
    return false;
}

// The corners in their places, each place once.
static void place_corners(hull* h, const body* b, const apart_mat3* m, qvec at, quad inverse) {
    h->corners = h->edges = 0;
    h->size = 0;
    memset(h->off, 0, sizeof h->off);
    memset(h->outer, 0, sizeof h->outer);
    memset(h->known, 0, sizeof h->known);
    apart_pose turn = {.rotation = *m};
    for (int i = 0; i < body_corners(b); i++) {
        qvec c = qvec_scale(inverse, qvec_add(oracle_world(&turn, body_corner(b, i)), at));
        if (has_corner(h, c)) continue;
        h->rough[h->corners] = rounded(c);
        h->corner[h->corners++] = c;
    }
    for (int i = 0; i < h->corners; i++)
        for (int j = i + 1; j < h->corners; j++) {
            edge* e = &h->between[i][j];
            qvec off = qvec_sub(h->corner[j], h->corner[i]);
            quad length = qvec_length(off);
            e->along = qvec_scale(1 / length, off);
            e->rough = rounded(e->along);
            h->off[i][j] = rounded(off);
            h->off[j][i] = scaled(-1, h->off[i][j]);
            h->size = fmax(h->size, (double)length);
        }
}

// The plane of a triple and the corners in it.
typedef struct plane {
    qvec normal; // unit
    apart_vec3 rough;
    double slack; // what heights over it are good to in double, of the body's size
    int count, corner[DEPTH_MOST_CORNERS];
} plane;

// Sets normal and slack. False for triples that are too thin to have a normal.
static bool plane_of(plane* f, const edge* e, const edge* d) {
    f->rough = cross_rough(e->rough, d->rough);
    f->slack = SLACK;
    double length = sqrt(dot_rough(f->rough, f->rough));
    f->rough = scaled(1 / length, f->rough);
    if (length >= THIN) return true;
    f->normal = cross(e->along, d->along);
    quad exact = qvec_length(f->normal);
    if (exact < (quad)THINNEST) return false;
    f->rough = rounded(qvec_scale(1 / exact, f->normal));
    f->slack = FINE_SLACK;
    return true;
}

// Whether all corners lie on one side of the plane through corner i, as far as double can tell: a face of the hull, or
// nearly one.
static bool may_be_face(const hull* h, const plane* f, int i) {
    double low = 0, high = 0, slack = f->slack * h->size;
    for (int l = 0; l < h->corners; l++) {
        double height = dot_rough(f->rough, h->off[i][l]);
        low = fmin(low, height);
        high = fmax(high, height);
    }
    return high <= slack || low >= -slack;
}

// Gathers the triple and the corners that lie in its plane to 1e-25 of the body, and knows their triples from now on.
static void gather(hull* h, plane* f, int i, int j, int k) {
    f->count = 0;
    for (int l = 0; l < h->corners; l++) {
        if (l == i || l == j || l == k) {
            f->corner[f->count++] = l;
            continue;
        }
        if (fabs(dot_rough(f->rough, h->off[i][l])) > f->slack * h->size) continue;
        quad height = qvec_dot(f->normal, qvec_sub(h->corner[l], h->corner[i]));
        if ((height < 0 ? -height : height) <= (quad)(1e-25 * h->size)) f->corner[f->count++] = l;
    }
    for (int x = 0; x < f->count; x++)
        for (int y = x + 1; y < f->count; y++)
            for (int z = y + 1; z < f->count; z++) h->known[f->corner[x]][f->corner[y]][f->corner[z]] = true;
}

// The edges of a face: pairs that have all its other corners on one side, or nearly.
static void outline(hull* h, const plane* f) {
    for (int x = 0; x < f->count; x++)
        for (int y = x + 1; y < f->count; y++) {
            int i = f->corner[x], j = f->corner[y];
            apart_vec3 side = cross_rough(f->rough, h->between[i][j].rough);
            double low = 0, high = 0, slack = f->slack * h->size;
            for (int z = 0; z < f->count; z++) {
                double height = dot_rough(side, h->off[i][f->corner[z]]);
                low = fmin(low, height);
                high = fmax(high, height);
            }
            if (high <= slack || low >= -slack) h->outer[i][j] = true;
        }
}

static bool parallel(const edge* e, const edge* f) {
    apart_vec3 rough = cross_rough(e->rough, f->rough);
    if (dot_rough(rough, rough) > 1e-24) return false;
    qvec exact = cross(e->along, f->along);
    return qvec_dot(exact, exact) <= (quad)1e-60;
}

static void list_edges(hull* h) {
    if (h->corners == 2) h->outer[0][1] = true;
    for (int i = 0; i < h->corners; i++)
        for (int j = i + 1; j < h->corners; j++) {
            if (!h->outer[i][j]) continue;
            int k = 0;
            while (k < h->edges && !parallel(&h->edge[k], &h->between[i][j])) k++;
            if (k == h->edges) h->edge[h->edges++] = h->between[i][j];
        }
}

// ----------------------------------------------------------------------------------------------------- directions ----

// A direction across two others, kept for the second pass.
typedef struct candidate {
    const edge *e, *f;
    double width;
} candidate;

typedef struct search {
    hull a, b;
    double best; // of the first pass
    int kept;
    candidate keep[MOST_KEPT];
    bool found;
    quad widest; // of the second pass
    qvec normal;
} search;

// The slab between the corners along n, in double.
static double width_rough(const search* s, apart_vec3 n) {
    double high = -HUGE_VAL, low = HUGE_VAL;
    for (int i = 0; i < s->a.corners; i++) high = fmax(high, dot_rough(n, s->a.rough[i]));
    for (int i = 0; i < s->b.corners; i++) low = fmin(low, dot_rough(n, s->b.rough[i]));
    return low - high;
}

// How far the corners reach along n: those within 2^-45 of the farthest in double are compared in quad.
static quad reach(const hull* h, qvec n) {
    apart_vec3 d = rounded(n);
    double along[DEPTH_MOST_CORNERS], most = -HUGE_VAL;
    for (int i = 0; i < h->corners; i++) most = fmax(most, along[i] = dot_rough(d, h->rough[i]));
    quad farthest = -4;
    for (int i = 0; i < h->corners; i++) {
        if (along[i] < most - 0x1p-45) continue;
        quad exact = qvec_dot(n, h->corner[i]);
        if (exact > farthest) farthest = exact;
    }
    return farthest;
}

// The slab along n and along -n, in quad.
static void try_exactly(search* s, qvec n) {
    // Parallel edges give the same direction many times over.
    qvec off = cross(n, s->normal);
    if (s->found && qvec_dot(off, off) <= (quad)1e-60) return;
    s->found = true;
    for (int side = 0; side < 2; side++, n = qvec_scale(-1, n)) {
        quad width = -(reach(&s->a, n) + reach(&s->b, qvec_scale(-1, n)));
        if (width > s->widest) s->widest = width, s->normal = n;
    }
}

static void second_pass(search* s) {
    for (int i = 0; i < s->kept; i++)
        if (s->keep[i].width >= s->best - SLACK) try_exactly(s, unit(cross(s->keep[i].e->along, s->keep[i].f->along)));
    s->kept = 0;
}

// One direction and its opposite.
static void try_across(search* s, const edge* e, const edge* f) {
    apart_vec3 n = cross_rough(e->rough, f->rough);
    double length = sqrt(dot_rough(n, n));
    if (length < THIN) {
        qvec exact = cross(e->along, f->along);
        quad exact_length = qvec_length(exact);
        if (exact_length == 0) return;
        n = rounded(qvec_scale(1 / exact_length, exact));
    } else {
        n = scaled(1 / length, n);
    }
    candidate c = {e, f, fmax(width_rough(s, n), width_rough(s, scaled(-1, n)))};
    s->best = fmax(s->best, c.width);
    if (c.width < s->best - SLACK) return;
    if (s->kept == MOST_KEPT) second_pass(s);
    s->keep[s->kept++] = c;
}

// The plane of one triple and the edges in it. What is too thin to be judged passes, with all that is in it.
static void try_triple(search* s, hull* h, int i, int j, int k) {
    const edge *e = &h->between[i][j], *d = &h->between[i][k];
    plane f;
    if (!plane_of(&f, e, d)) {
        h->outer[i][j] = h->outer[i][k] = h->outer[j][k] = true;
    } else if (may_be_face(h, &f, i)) {
        f.normal = unit(cross(e->along, d->along));
        gather(h, &f, i, j, k);
        outline(h, &f);
    } else {
        return;
    }
    try_across(s, e, d);
}

static void try_faces(search* s, hull* h) {
    for (int i = 0; i < h->corners; i++)
        for (int j = i + 1; j < h->corners; j++)
            for (int k = j + 1; k < h->corners; k++)
                if (!h->known[i][j][k]) try_triple(s, h, i, j, k);
    list_edges(h);
}

// All faces, all pairs of edges; and, for differences that are a line or a point, two directions across every edge and
// the axes. False if there are too many.
static bool try_all(search* s) {
    static const edge axes[3] = {{{1, 0, 0}, {1, 0, 0}}, {{0, 1, 0}, {0, 1, 0}}, {{0, 0, 1}, {0, 0, 1}}};
    hull* hulls[2] = {&s->a, &s->b};
    s->best = -HUGE_VAL;
    s->found = false;
    s->widest = -16;
    s->kept = 0;
    for (int i = 0; i < 3; i++) try_exactly(s, axes[i].along);
    for (int k = 0; k < 2; k++) {
        try_faces(s, hulls[k]);
        for (int i = 0; i < hulls[k]->edges; i++)
            for (int l = 0; l < 3; l++) try_across(s, &hulls[k]->edge[i], &axes[l]);
    }
    if (s->a.edges * s->b.edges > MOST_PAIRS) return false;
    for (int i = 0; i < s->a.edges; i++)
        for (int j = 0; j < s->b.edges; j++) try_across(s, &s->a.edge[i], &s->b.edge[j]);
    second_pass(s);
    return true;
}

// ---------------------------------------------------------------------------------------------------- brute force ----

bool depth_has_corners(const body* a, const body* b) {
    return body_is_polytope(a) && body_is_polytope(b) && body_corners(a) <= DEPTH_MOST_CORNERS &&
           body_corners(b) <= DEPTH_MOST_CORNERS;
}

// The oracle on the cores, radii left out.
static oracle_answer core_distance(const body* a, const apart_pose* pose_a, const body* b, const apart_pose* pose_b) {
    static _Thread_local body core_a, core_b;
    core_a = *a;
    core_b = *b;
    core_a.radius = core_b.radius = 0;
    return oracle_distance(&core_a, pose_a, &core_b, pose_b);
}

// The plane across the normal has all of the difference on it.
static bool is_flat(const search* s) {
    quad thick = reach(&s->a, s->normal) + reach(&s->b, qvec_scale(-1, s->normal));
    thick += reach(&s->a, qvec_scale(-1, s->normal)) + reach(&s->b, s->normal);
    return thick <= (quad)ENDS;
}

static depth_answer brute_force(const body* a, const apart_pose* pose_a, const body* b, const apart_pose* pose_b) {
    static _Thread_local search s;
    oracle_answer core = core_distance(a, pose_a, b, pose_b);
    quad radii = (quad)a->radius + b->radius;
    depth_answer out = {.size = core.size + radii};
    // Everything in the ball of radius 1.
    int exponent;
    frexp(fmax((double)out.size, 0x1p-1000), &exponent);
    quad scale = (quad)ldexp(1, exponent), inverse = 1 / scale;
    qvec between = qvec_sub(qvec_from(pose_b->translation), qvec_from(pose_a->translation));
    place_corners(&s.a, a, &pose_a->rotation, make(0, 0, 0), inverse);
    place_corners(&s.b, b, &pose_b->rotation, between, inverse);
    out.exact = try_all(&s);
    if (!out.exact) return out;
    // Cores that are apart have their distance from the oracle: it may lie between corners, where no face is.
    bool apart = core.lower > (quad)ENDS * core.size;
    quad ends = (quad)ENDS * out.size;
    out.flat = !apart && is_flat(&s);
    out.normal = s.normal;
    out.lower = (apart ? core.lower : s.widest * scale) - radii - ends;
    out.upper = (apart ? core.upper : s.widest * scale) - radii + ends;
    return out;
}

// ------------------------------------------------------------------------------------------------ search by steps ----

// The slab along n in double, from the support points.
static double width_of(const body* a, const apart_pose* pose_a, const body* b, const apart_pose* pose_b, apart_vec3 n) {
    const apart_mat3 *p = &pose_a->rotation, *q = &pose_b->rotation;
    apart_vec3 in_a = {p->m[0][0] * n.x + p->m[1][0] * n.y + p->m[2][0] * n.z,
                       p->m[0][1] * n.x + p->m[1][1] * n.y + p->m[2][1] * n.z,
                       p->m[0][2] * n.x + p->m[1][2] * n.y + p->m[2][2] * n.z};
    apart_vec3 in_b = {-(q->m[0][0] * n.x + q->m[1][0] * n.y + q->m[2][0] * n.z),
                       -(q->m[0][1] * n.x + q->m[1][1] * n.y + q->m[2][1] * n.z),
                       -(q->m[0][2] * n.x + q->m[1][2] * n.y + q->m[2][2] * n.z)};
    apart_vec3 t = pose_a->translation, u = pose_b->translation, between = {u.x - t.x, u.y - t.y, u.z - t.z};
    return dot_rough(n, between) - dot_rough(in_a, body_support(a, in_a)) - dot_rough(in_b, body_support(b, in_b));
}

static apart_vec3 stepped(apart_vec3 n, double step, apart_vec3 d) {
    apart_vec3 r = {n.x + step * d.x, n.y + step * d.y, n.z + step * d.z};
    return scaled(1 / sqrt(dot_rough(r, r)), r);
}

apart_vec3 depth_climb(const body* a, const apart_pose* pose_a, const body* b, const apart_pose* pose_b, apart_vec3 n) {
    double best = width_of(a, pose_a, b, pose_b, n);
    double step = 0.5;
    for (int i = 0; i < 30; i++, step /= 2) {
        // Eight ways around n, as long as one of them leads up.
        bool up = true;
        for (int round = 0; up && round < 8; round++) {
            apart_vec3 axis = {fabs(n.x) < 0.6, fabs(n.x) >= 0.6, 0}, u = cross_rough(n, axis), v = cross_rough(n, u);
            apart_vec3 start = n;
            up = false;
            for (int k = 0; k < 8; k++) {
                static const double x[8] = {1, 0.7, 0, -0.7, -1, -0.7, 0, 0.7},
                                    y[8] = {0, 0.7, 1, 0.7, 0, -0.7, -1, -0.7};
                apart_vec3 m = stepped(stepped(start, step * x[k], u), step * y[k], v);
                double width = width_of(a, pose_a, b, pose_b, m);
                if (width > best) best = width, n = m, up = true;
            }
        }
    }
    return n;
}

static depth_answer by_search(const body* a, const apart_pose* pose_a, const body* b, const apart_pose* pose_b) {
    rng r = rng_seed(1);
    oracle_answer truth = oracle_distance(a, pose_a, b, pose_b);
    depth_answer out = {.size = truth.size, .lower = truth.lower};
    out.upper = truth.depth > 0 ? -truth.depth : truth.upper;
    if (truth.lower > 0) return out;
    out.lower = -4 * truth.size;
    for (int i = 0; i < 12; i++) {
        apart_vec3 n = {i / 2 == 0, i / 2 == 1, i / 2 == 2};
        if (i < 6 && i % 2) n = scaled(-1, n);
        if (i >= 6) n = rng_unit_vector(&r);
        n = depth_climb(a, pose_a, b, pose_b, n);
        // Less what quad rounds: bodies that touch must not seem apart.
        quad width = oracle_separation(a, pose_a, b, pose_b, n) - (quad)0x1p-106 * truth.size;
        if (width > out.lower) out.lower = width, out.normal = unit(qvec_from(n));
    }
    return out;
}

depth_answer depth_signed_distance(const body* a, const apart_pose* pose_a, const body* b, const apart_pose* pose_b) {
    depth_answer out = {0};
    if (depth_has_corners(a, b)) out = brute_force(a, pose_a, b, pose_b);
    return out.exact ? out : by_search(a, pose_a, b, pose_b);
}

// The long campaign for bodies that are not convex: `soak_mesh [PLACEMENTS [FIRST_SEED]]` puts random surfaces, convex
// bodies and unions beside, against, across and inside each other, asks for their distance in several ways, on all
// cores, and judges every answer by plain brute force: surfaces by apart_triangle_triangle over all pairs of triangles
// and by solid angles, the rest by one query for each pair of parts. Prints what was asked and the worst errors, and
// exits with 1 if any answer was wrong.
//
// The oracle of the tests (mesh_oracle.h) is sharper and knows more; this one is quick enough for a million answers.
#include "base/vec.h"
#include "mesh_scenes.h"
#include "workers.h"

#include <stdlib.h>
#include <string.h>

// Seeds of the tests lie below.
#define FIRST_SEED 2000000000u
#define MOST_PARTS 12
// The bracket of an exact answer, in parts of the size: between triangles, and where a body is round.
#define GAP_TRIANGLES 2e-12
#define GAP_ROUND 1e-9
// What brute force itself may be off by, in parts of the size.
#define BLUR 1e-14

typedef enum match_kind { MESH_MESH, MESH_CONVEX, UNIONS, MATCHES } match_kind;
static const char* const match_names[MATCHES] = {"mesh and mesh", "mesh and convex", "unions"};
typedef enum outcome { FAR_APART, NEAR_BY, TOUCHING, MEETING, INSIDE, OUTCOMES } outcome;
static const char* const outcome_names[OUTCOMES] = {"apart", "near", "touching", "meeting", "inside"};

typedef struct campaign {
    long judged[MATCHES][OUTCOMES];
    long wrong;
    double gap[MATCHES]; // distance - lower_bound of exact answers, in parts of the size
    double off;          // of points from the triangles that carry them, in roundings of the numbers they are made of
} campaign;

// ---------------------------------------------------------------------------------------------------- surfaces ----

// A surface, and what is known about it. `closed`: as it was before triangles were turned over, if it has an inside.
typedef struct exhibit {
    surface s, closed;
    bool solid;
} exhibit;

static void exhibit_free(exhibit* e) {
    surface_free(&e->s);
    surface_free(&e->closed);
}

static void add_corners(surface* s, const apart_vec3 p[3]) {
    uint32_t first = (uint32_t)s->vertex_count;
    for (int k = 0; k < 3; k++) surface_vertex(s, p[k].x, p[k].y, p[k].z);
    surface_triangle(s, first, first + 1, first + 2);
}

// Triangles of all sizes: large ones, scattered small ones, needles, points, corners on a lattice, copies.
static surface make_soup(rng* r, int count) {
    surface s = surface_make((size_t)(3 * count), (size_t)count);
    int only = rng_below(r, 8), smallest = rng_chance(r, 0.1) ? -100 : -7;
    for (int i = 0; i < count; i++) {
        apart_vec3 at = rng_in_cube(r, 1), p[3];
        int kind = only < 6 ? only : rng_below(r, 6);
        double size = kind == 0 ? 1 : rng_magnitude(r, smallest, -2);
        for (int k = 0; k < 3; k++) {
            apart_vec3 d = rng_in_cube(r, 1);
            p[k] = point_between(at, size, (apart_vec3){at.x + d.x, at.y + d.y, at.z + d.z});
            if (kind == 2) p[k] = (apart_vec3){rng_between(r, -2, 2) / 2.0, rng_between(r, -2, 2) / 2.0, 0.5 * k};
        }
        if (kind == 3) p[2] = point_between(point_between(p[0], rng_unit(r), p[1]), rng_magnitude(r, -60, -4), p[2]);
        if (kind == 4) p[2] = p[1] = rng_chance(r, 0.5) ? p[0] : p[1];
        if (kind == 5 && i > 0) memcpy(p, &s.vertex[3 * rng_below(r, i)], sizeof p);
        add_corners(&s, p);
    }
    s.hollow = true;
    return s;
}

static surface make_closed(rng* r) {
    static const double tube[3] = {0.05, 0.2, 0.28};
    apart_vec3 half = {rng_uniform(r, 0.05, 0.5), rng_uniform(r, 0.05, 0.5), rng_uniform(r, 0.05, 0.5)};
    switch (rng_below(r, 5)) {
    case 0:
        return model_sphere(rng_below(r, 3));
    case 1:
        return model_torus(4 * rng_between(r, 1, 3), 4 * rng_between(r, 1, 2), tube[rng_below(r, 3)]);
    case 2:
        return model_box(half, rng_between(r, 1, 4));
    case 3:
        return model_bracket();
    default:
        return model_knot(24, 4);
    }
}

// A shell in a shell, turned inside out: the room between is solid.
static surface make_cavity(rng* r) {
    surface outer = model_sphere(rng_between(r, 0, 1)), inner = model_sphere(rng_between(r, 0, 1));
    surface s = surface_make(outer.vertex_count + inner.vertex_count, outer.triangle_count + inner.triangle_count);
    surface_scale(&inner, rng_uniform(r, 0.1, 0.5));
    surface_invert(&inner);
    surface_append(&s, &outer);
    surface_append(&s, &inner);
    surface_free(&outer);
    surface_free(&inner);
    return s;
}

static surface make_open(rng* r) {
    return rng_chance(r, 0.5) ? model_sheet(rng_between(r, 1, 10)) : model_cup(rng_between(r, 1, 2));
}

static exhibit make_exhibit(rng* r) {
    exhibit e = {0};
    int kind = rng_below(r, 4);
    if (kind == 0)
        e.s = make_soup(r, rng_chance(r, 0.3) ? rng_between(r, 2, 200) : rng_between(r, 2, 40));
    else if (kind == 1)
        e.s = make_open(r);
    else
        e.s = rng_chance(r, 0.2) ? make_cavity(r) : make_closed(r);
    e.solid = kind > 1;
    if (rng_chance(r, 0.2)) surface_invert(&e.s);
    if (rng_chance(r, 0.2)) surface_scale(&e.s, rng_magnitude(r, -12, -1));
    if (rng_chance(r, 0.15)) surface_shift(&e.s, rng_in_cube(r, rng_magnitude(r, 0, 20)));
    if (rng_chance(r, 0.15)) e.s.radius = rng_magnitude(r, -30, -3);
    e.closed = surface_copy(&e.s);
    if (rng_chance(r, 0.2)) surface_mix_orientation(&e.s, r);
    if (rng_chance(r, 0.2)) surface_unshare(&e.s);
    if (e.solid && rng_chance(r, 0.15)) e.s.hollow = true;
    e.solid = e.solid && !e.s.hollow;
    return e;
}

static apart_vec3 exhibit_corner(rng* r, const exhibit* e) {
    return e->s.vertex[e->s.triangle[rng_below(r, (int)e->s.triangle_count)][rng_below(r, 3)]];
}

// ------------------------------------------------------------------------------------------------------ places ----

// Any rotation; now and then one with whole numbers, or one that is off by as much as two in a row may be.
static apart_mat3 make_rotation(rng* r) {
    apart_mat3 m = rng_chance(r, 0.3) ? rng_quarter_turns(r) : rng_rotation(r);
    if (rng_chance(r, 0.2)) m = apart_pose_identity.rotation;
    if (rng_chance(r, 0.15)) {
        double off = rng_chance(r, 0.5) ? 1e-7 : rng_magnitude(r, -50, -24);
        for (int i = 0; i < 9; i++) m.m[i / 3][i % 3] += rng_uniform(r, -off, off);
    }
    return m;
}

// How far a small thing may be put away: nothing at all, a hair, a few sizes, far.
static apart_vec3 make_offset(rng* r, double size) {
    apart_vec3 d = rng_unit_vector(r);
    double far = size * (rng_chance(r, 0.1)   ? 0
                         : rng_chance(r, 0.4) ? rng_magnitude(r, -50, -5)
                         : rng_chance(r, 0.8) ? rng_uniform(r, 0, 2)
                                              : rng_magnitude(r, 2, 20));
    return (apart_vec3){far * d.x, far * d.y, far * d.z};
}

// b with its point `local_b` near the point `local_a` of a.
static apart_pose place_beside(rng* r, const apart_pose* pose_a, apart_vec3 local_a, apart_vec3 local_b, double size) {
    apart_pose pose = {make_rotation(r), {0, 0, 0}};
    apart_vec3 at = pose_point(pose_a, local_a), off = make_offset(r, size);
    pose_carry(&pose, local_b, (apart_vec3){at.x + off.x, at.y + off.y, at.z + off.z});
    return pose;
}

// --------------------------------------------------------------------------------------------------- the truth ----

typedef struct wide_vec {
    long double x, y, z;
} wide_vec;

static wide_vec wide_sub(wide_vec a, wide_vec b) { return (wide_vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static long double wide_dot(wide_vec a, wide_vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static wide_vec wide_cross(wide_vec a, wide_vec b) {
    return (wide_vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// A point in the world's axes, about `origin`.
static wide_vec world_of(const apart_pose* pose, apart_vec3 p, apart_vec3 origin) {
    const double(*m)[3] = pose->rotation.m;
    apart_vec3 t = pose->translation;
    long double x = p.x, y = p.y, z = p.z;
    return (wide_vec){m[0][0] * x + m[0][1] * y + m[0][2] * z + ((long double)t.x - origin.x),
                      m[1][0] * x + m[1][1] * y + m[1][2] * z + ((long double)t.y - origin.y),
                      m[2][0] * x + m[2][1] * y + m[2][2] * z + ((long double)t.z - origin.z)};
}

// What is known about a pair.
typedef struct truth {
    double lower, upper; // of the distance, rounding of brute force included
    double size, place;  // of the pair, and of the numbers it is made of
    bool inside, round;
} truth;

static void grow(double* most, double x) { *most = x > *most ? x : *most; }
static double largest_part(apart_vec3 p) { return fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))); }

// Corners of all triangles in the world, about `origin`.
static wide_vec* world_corners(const surface* s, const apart_pose* pose, apart_vec3 origin, truth* t) {
    wide_vec* w = malloc(3 * s->triangle_count * sizeof *w);
    if (!w) abort();
    for (size_t i = 0; i < 3 * s->triangle_count; i++) {
        apart_vec3 p = s->vertex[s->triangle[i / 3][i % 3]];
        w[i] = world_of(pose, p, origin);
        grow(&t->size, (double)(fabsl(w[i].x) + fabsl(w[i].y) + fabsl(w[i].z)) + s->radius);
        grow(&t->place, largest_part(p) + largest_part(pose->translation));
    }
    return w;
}

// The corners about the middle of the first surface, in a unit in which squares stay in range.
static void round_corners(const wide_vec* w, size_t count, double unit, apart_vec3* to) {
    for (size_t i = 0; i < count; i++)
        to[i] = (apart_vec3){(double)(w[i].x / unit), (double)(w[i].y / unit), (double)(w[i].z / unit)};
}

static double least_of_all(const surface* a, const wide_vec* wa, const surface* b, const wide_vec* wb, double unit) {
    size_t count_a = 3 * a->triangle_count, count_b = 3 * b->triangle_count;
    apart_vec3 *pa = malloc(count_a * sizeof *pa), *pb = malloc(count_b * sizeof *pb);
    if (!pa || !pb) abort();
    round_corners(wa, count_a, unit, pa);
    round_corners(wb, count_b, unit, pb);
    double least = INFINITY;
    for (size_t i = 0; i < count_a; i += 3)
        for (size_t k = 0; k < count_b; k += 3)
            least = fmin(least, apart_triangle_triangle(pa + i, pb + k, NULL, NULL));
    free(pa);
    free(pb);
    return sqrt(least) * unit;
}

// How often a surface winds about a point, by solid angles (Van Oosterom and Strackee 1983). Corners in the world.
static double winding(const wide_vec* corner, size_t triangles, wide_vec at) {
    long double sum = 0;
    for (size_t t = 0; t < triangles; t++) {
        wide_vec a = wide_sub(corner[3 * t], at), b = wide_sub(corner[3 * t + 1], at),
                 c = wide_sub(corner[3 * t + 2], at);
        long double x = sqrtl(wide_dot(a, a)), y = sqrtl(wide_dot(b, b)), z = sqrtl(wide_dot(c, c));
        long double below = x * y * z + wide_dot(a, b) * z + wide_dot(a, c) * y + wide_dot(b, c) * x;
        sum += 2 * atan2l(wide_dot(a, wide_cross(b, c)), below);
    }
    return (double)(sum / (4 * 3.14159265358979323846264338327950288L));
}

// Whether a corner of any triangle is inside a solid. Surfaces that cross need not be asked.
static bool any_inside(const exhibit* outer, const apart_pose* pose, const wide_vec* corners, size_t count,
                       apart_vec3 origin) {
    if (!outer->solid) return false;
    truth unused = {0};
    wide_vec* w = world_corners(&outer->closed, pose, origin, &unused);
    bool found = false;
    for (size_t i = 0; i < count && !found; i += 3)
        found = fabs(winding(w, outer->closed.triangle_count, corners[i])) > 0.5;
    free(w);
    return found;
}

// A point between two corners, inside if there is an inside and one is found.
static apart_vec3 inner_point(rng* r, const exhibit* e) {
    truth unused = {0};
    apart_vec3 zero = {0, 0, 0}, p = zero;
    wide_vec* w = world_corners(&e->closed, &apart_pose_identity, zero, &unused);
    for (int i = 0; i < 30; i++) {
        p = point_between(exhibit_corner(r, e), rng_unit(r), exhibit_corner(r, e));
        if (!e->solid || fabs(winding(w, e->closed.triangle_count, (wide_vec){p.x, p.y, p.z})) > 0.5) break;
    }
    free(w);
    return p;
}

static truth mesh_truth(const exhibit* a, const apart_pose* pose_a, const exhibit* b, const apart_pose* pose_b) {
    truth t = {0};
    apart_vec3 origin = pose_point(pose_a, a->s.vertex[a->s.triangle[0][0]]);
    wide_vec* wa = world_corners(&a->s, pose_a, origin, &t);
    wide_vec* wb = world_corners(&b->s, pose_b, origin, &t);
    int exponent;
    frexp(t.size, &exponent);
    double cores = least_of_all(&a->s, wa, &b->s, wb, ldexp(1, exponent)), blur = BLUR * t.size + 0x1p-60 * t.place;
    double least = cores - a->s.radius - b->s.radius;
    t.lower = fmax(least - blur, 0);
    t.upper = fmax(least, 0) + blur;
    t.inside = cores > blur && (any_inside(a, pose_a, wb, 3 * b->s.triangle_count, origin) ||
                                any_inside(b, pose_b, wa, 3 * a->s.triangle_count, origin));
    if (t.inside) t.lower = t.upper = 0;
    free(wa);
    free(wb);
    return t;
}

// ------------------------------------------------------------------------------------------------------ judging ----

static outcome outcome_of(const truth* t) {
    if (t->inside) return INSIDE;
    if (t->lower > 1e-2 * t->size) return FAR_APART;
    if (t->lower > 1e-13 * t->size) return NEAR_BY;
    return t->lower > 0 ? TOUCHING : MEETING;
}

static apart_query make_query(rng* r, const truth* t) {
    apart_query q = apart_query_default();
    switch (rng_below(r, 4)) {
    case 0:
        q.relative_error = rng_chance(r, 0.3) ? 1 : rng_unit(r);
        break;
    case 1:
        q.absolute_error = t->size * rng_magnitude(r, -40, -1);
        break;
    case 2:
        q.cutoff = rng_chance(r, 0.5) ? t->upper * rng_uniform(r, 0, 2) : t->size * rng_magnitude(r, -20, 0);
        break;
    default:
        q.method = (apart_method)rng_between(r, APART_METHOD_GJK, APART_METHOD_FEATURES);
        break;
    }
    return q;
}

// NULL if the answer is right.
static const char* judge(const truth* t, const apart_query* q, const apart_result* r, double* widest) {
    apart_vec3 n = r->normal, way = vec3_sub(r->point_b, r->point_a);
    // Rounding of the numbers widens every bracket a little.
    double gap = r->upper_bound - r->lower_bound, blur = 64 * ROUNDING * t->place;
    double tight = (t->round ? GAP_ROUND : GAP_TRIANGLES) * t->size + blur;
    if (!isfinite(r->distance) || !isfinite(r->upper_bound) || !isfinite(r->lower_bound) || !vec3_is_finite(way) ||
        !vec3_is_finite(n))
        return "a number is not finite";
    if (!(r->lower_bound >= 0 && r->lower_bound <= r->upper_bound)) return "the bracket is none";
    if (!(r->lower_bound <= r->distance && r->distance <= r->upper_bound)) return "distance is not between its bounds";
    if (r->lower_bound > t->upper) return "lower_bound is above the true distance";
    if (r->upper_bound < t->lower) return "upper_bound is below the true distance";
    if (fabs(vec3_dot(n, n) - 1) > 64 * ROUNDING) return "the normal is not a unit vector";
    if (r->upper_bound > 0 && fabs(vec3_dot(way, n) - r->distance) > gap + tight)
        return "(point_b - point_a) . normal is not distance";
    if (r->lower_bound >= q->cutoff) return NULL;
    // What is inside, but on the surface as far as numbers tell, may be a hair away from it.
    if (t->inside && r->upper_bound > tight) return "one is inside the other, but distance is positive";
    if (q->relative_error > 0 && r->lower_bound >= (1 - q->relative_error) * r->upper_bound - blur) return NULL;
    if (q->absolute_error > 0 && gap <= q->absolute_error + blur) return NULL;
    if (q->relative_error == 0 && q->absolute_error == 0 && t->size > 0) grow(widest, (gap - blur) / t->size);
    return gap <= tight ? NULL : "the bracket is wider than was asked for";
}

typedef struct couple {
    uint64_t seed;
    match_kind kind;
    const apart_shape *a, *b;
    const apart_pose *pose_a, *pose_b;
} couple;

static bool ask(const couple* c, const truth* t, const apart_query* q, apart_cache* cache, apart_result* r,
                campaign* found) {
    apart_status status = apart_distance(c->a, c->pose_a, c->b, c->pose_b, q, cache, r);
    const char* wrong = status == APART_OK ? judge(t, q, r, &found->gap[c->kind]) : apart_status_text(status);
    found->judged[c->kind][outcome_of(t)]++;
    if (!wrong) return true;
    if (found->wrong++ < 20)
        fprintf(stderr,
                "WRONG: seed %llu, %s: %s\n  relative %g absolute %g cutoff %g method %d: [%.17g, %.17g]\n"
                "  truth [%.17g, %.17g] size %g place %g, %s\n",
                (unsigned long long)c->seed, match_names[c->kind], wrong, q->relative_error, q->absolute_error,
                q->cutoff, (int)q->method, r->lower_bound, r->upper_bound, t->lower, t->upper, t->size, t->place,
                outcome_names[outcome_of(t)]);
    return false;
}

// Exactly, cold; from a cache that belongs to another pair; from the right one; in another way.
static bool ask_all(const couple* c, rng* r, const truth* t, apart_result* exact, campaign* found) {
    static apart_cache stale; // of the pair before
    apart_query q = apart_query_default(), other = make_query(r, t);
    apart_cache cache = stale;
    apart_result unused;
    bool right = ask(c, t, &q, NULL, exact, found);
    if (!ask(c, t, &q, &cache, &unused, found) || !ask(c, t, &q, &cache, &unused, found)) right = false;
    stale = cache;
    return ask(c, t, &other, rng_chance(r, 0.5) ? &cache : NULL, &unused, found) && right;
}

// How far a point of the answer is from the triangle that carries it.
static void check_carrier(const couple* c, const surface* s, const apart_pose* pose, const apart_witness* w,
                          apart_vec3 point, const truth* t, campaign* found) {
    if (w->count == 0) return;
    apart_vec3 corner[3], zero = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        wide_vec p = world_of(pose, s->vertex[s->triangle[w->triangle % s->triangle_count][k]], point);
        corner[k] = (apart_vec3){(double)p.x, (double)p.y, (double)p.z};
    }
    double off = fabs(sqrt(apart_point_triangle(zero, corner, NULL)) - s->radius);
    double rounding = ROUNDING * (t->size + t->place);
    if (s->radius == 0) grow(&found->off, off / rounding);
    if (w->triangle < s->triangle_count && off <= 64 * rounding) return;
    found->wrong++;
    fprintf(stderr, "WRONG: seed %llu: a point is %g off triangle %u\n", (unsigned long long)c->seed, off, w->triangle);
}

// -------------------------------------------------------------------------------------------------- mesh and mesh ----

static void meet_meshes(uint64_t seed, rng* r, campaign* found) {
    exhibit a = make_exhibit(r), b = make_exhibit(r);
    double unit = rng_chance(r, 0.15) ? ldexp(1, rng_between(r, -450, 450)) : 1;
    apart_pose pose_a = {make_rotation(r), {0, 0, 0}};
    if (rng_chance(r, 0.3)) pose_a.translation = rng_in_cube(r, rng_magnitude(r, 0, 20));
    apart_vec3 from = exhibit_corner(r, &a);
    if (rng_chance(r, 0.3)) from = point_between(from, rng_unit(r), exhibit_corner(r, &a));
    double size = 1;
    if (rng_chance(r, 0.3)) {
        // A small one: inside the other, if there is an inside, or near its surface.
        size = rng_magnitude(r, -8, -4);
        surface_scale(&b.s, size);
        surface_scale(&b.closed, size);
        from = inner_point(r, &a);
    }
    apart_pose pose_b = place_beside(r, &pose_a, from, exhibit_corner(r, &b), size);
    surface* all[4] = {&a.s, &a.closed, &b.s, &b.closed};
    for (int i = 0; i < 4; i++) surface_scale(all[i], unit);
    pose_a.translation = point_between((apart_vec3){0, 0, 0}, unit, pose_a.translation);
    pose_b.translation = point_between((apart_vec3){0, 0, 0}, unit, pose_b.translation);

    apart_shape *x = surface_shape(&a.s, NULL), *y = surface_shape(&b.s, NULL);
    if (x && y) {
        truth t = mesh_truth(&a, &pose_a, &b, &pose_b);
        couple c = {seed, MESH_MESH, x, y, &pose_a, &pose_b};
        apart_result exact;
        if (ask_all(&c, r, &t, &exact, found) && exact.distance > 0) {
            check_carrier(&c, &a.s, &pose_a, &exact.a, exact.point_a, &t, found);
            check_carrier(&c, &b.s, &pose_b, &exact.b, exact.point_b, &t, found);
        }
    } else {
        found->wrong++;
    }
    apart_shape_release(x);
    apart_shape_release(y);
    exhibit_free(&a);
    exhibit_free(&b);
}

// ------------------------------------------------------------------------------------------------ mesh and convex ----

// The least over all triangles, each as a body of its own.
static truth convex_truth(const exhibit* a, const apart_pose* pose_a, const apart_shape* b, const apart_pose* pose_b,
                          apart_vec3 inner) {
    truth t = {.lower = INFINITY, .upper = INFINITY};
    apart_vec3 origin = pose_b->translation;
    wide_vec *w = world_corners(&a->s, pose_a, origin, &t), middle = world_of(pose_b, inner, origin);
    apart_shape_info info;
    apart_shape_describe(b, &info);
    t.size += largest_part(info.lower) + largest_part(info.upper);
    grow(&t.place, t.size);
    for (size_t i = 0; i < a->s.triangle_count; i++) {
        apart_vec3 p[3];
        for (int k = 0; k < 3; k++) p[k] = a->s.vertex[a->s.triangle[i][k]];
        apart_shape* leaf = apart_shape_points(p, 3, a->s.radius, NULL);
        apart_result r;
        if (!leaf || apart_distance(leaf, pose_a, b, pose_b, NULL, NULL, &r) != APART_OK) abort();
        t.lower = fmin(t.lower, r.lower_bound);
        t.upper = fmin(t.upper, r.upper_bound);
        apart_shape_release(leaf);
    }
    t.inside = t.lower > 0 && any_inside(a, pose_a, &middle, 1, origin);
    if (t.inside) t.lower = t.upper = 0;
    t.round = true;
    free(w);
    return t;
}

static void meet_convex(uint64_t seed, rng* r, campaign* found) {
    static body b;
    exhibit a = make_exhibit(r);
    body_random(r, &b, 30);
    if (rng_chance(r, 0.5)) body_scale(&b, rng_magnitude(r, -8, -1));
    apart_vec3 inner = body_centre(&b), from = exhibit_corner(r, &a);
    if (rng_chance(r, 0.3)) from = inner_point(r, &a);
    apart_pose pose_a = {make_rotation(r), {0, 0, 0}}, pose_b = place_beside(r, &pose_a, from, inner, 1);
    apart_shape *x = surface_shape(&a.s, NULL), *y = body_shape(&b, NULL);
    if (x && y) {
        truth t = convex_truth(&a, &pose_a, y, &pose_b, inner);
        couple c = {seed, MESH_CONVEX, x, y, &pose_a, &pose_b};
        apart_result exact;
        if (rng_chance(r, 0.5)) c = (couple){seed, MESH_CONVEX, y, x, &pose_b, &pose_a};
        ask_all(&c, r, &t, &exact, found);
    } else {
        found->wrong++;
    }
    apart_shape_release(x);
    apart_shape_release(y);
    exhibit_free(&a);
}

// --------------------------------------------------------------------------------------------------------- unions ----

// The parts of a union, nested ones taken apart, where they are in the world.
typedef struct crowd {
    int count;
    apart_shape* shape[MOST_PARTS];
    apart_pose pose[MOST_PARTS];
    double reach; // of the poses' translations
} crowd;

static apart_shape* make_part(rng* r, body* b) {
    if (rng_chance(r, 0.6)) {
        body_random(r, b, 20);
        b->callback = false;
        if (rng_chance(r, 0.7)) body_scale(b, rng_magnitude(r, -6, -1));
        return body_shape(b, NULL);
    }
    exhibit e = make_exhibit(r);
    apart_shape* shape = surface_shape(&e.s, NULL);
    exhibit_free(&e);
    return shape;
}

// A union of parts about the origin, some of them in a union of their own. The parts are kept in `flat`, too.
static apart_shape* make_union(rng* r, crowd* flat) {
    static body b;
    apart_part part[MOST_PARTS], nested[2];
    int count = rng_between(r, 1, 8), inner = count > 2 && rng_chance(r, 0.3) ? 2 : 0, top = 0;
    double width = rng_chance(r, 0.5) ? 2 : 0.5;
    flat->count = 0;
    for (int i = 0; i < count; i++) {
        apart_part p = {make_part(r, &b), {make_rotation(r), rng_in_cube(r, width)}};
        if (!p.shape) abort();
        flat->shape[flat->count++] = p.shape;
        if (i < inner)
            nested[i] = p;
        else
            part[top++] = p;
    }
    apart_shape* together = NULL;
    apart_pose outer = {make_rotation(r), rng_in_cube(r, width)};
    if (inner) {
        together = apart_shape_union(nested, (size_t)inner, NULL);
        part[top++] = (apart_part){together, outer};
    }
    apart_shape* all = apart_shape_union(part, (size_t)top, NULL);
    apart_shape_release(together);
    // The order that witnesses number them in: those of the nested union come last here.
    for (int i = 0; i < count - inner; i++) flat->shape[i] = part[i].shape, flat->pose[i] = part[i].pose;
    for (int i = 0; i < inner; i++) {
        flat->shape[count - inner + i] = nested[i].shape;
        flat->pose[count - inner + i] = pose_product(&outer, &nested[i].pose);
    }
    return all;
}

static void crowd_release(crowd* c) {
    for (int i = 0; i < c->count; i++) apart_shape_release(c->shape[i]);
}

// A body of its own kind now and then, so that a union meets what is none.
static apart_shape* make_any(rng* r, crowd* flat) {
    static body b;
    if (rng_chance(r, 0.6)) return make_union(r, flat);
    flat->count = 1;
    flat->shape[0] = make_part(r, &b);
    flat->pose[0] = apart_pose_identity;
    return apart_shape_retain(flat->shape[0]);
}

static double reach_of(const apart_shape* s, const apart_pose* pose) {
    apart_shape_info info;
    apart_shape_describe(s, &info);
    apart_vec3 p = pose->translation;
    double size = fmax(largest_part(info.lower), largest_part(info.upper));
    return fabs(p.x) + fabs(p.y) + fabs(p.z) + 2 * size;
}

static truth parts_truth(const crowd* a, const apart_pose* pose_a, const crowd* b, const apart_pose* pose_b,
                         uint32_t nearest[2]) {
    truth t = {.lower = INFINITY, .upper = INFINITY, .round = true};
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++) {
            apart_pose p = pose_product(pose_a, &a->pose[i]), q = pose_product(pose_b, &b->pose[k]);
            apart_result r;
            apart_status status = apart_distance(a->shape[i], &p, b->shape[k], &q, NULL, NULL, &r);
            if (status != APART_OK) abort();
            grow(&t.size, reach_of(a->shape[i], &p) + reach_of(b->shape[k], &q));
            if (r.upper_bound < t.upper) nearest[0] = (uint32_t)i, nearest[1] = (uint32_t)k;
            t.lower = fmin(t.lower, r.lower_bound);
            t.upper = fmin(t.upper, r.upper_bound);
        }
    t.place = t.size;
    // The poses of the parts are rounded here and there.
    t.lower = fmax(t.lower - 32 * ROUNDING * t.size, 0);
    t.upper += 32 * ROUNDING * t.size;
    return t;
}

static void meet_unions(uint64_t seed, rng* r, campaign* found) {
    crowd a = {0}, b = {0};
    apart_shape *x = make_union(r, &a), *y = make_any(r, &b);
    apart_pose pose_a = {make_rotation(r), {0, 0, 0}};
    apart_vec3 zero = {0, 0, 0};
    if (rng_chance(r, 0.3)) pose_a.translation = rng_in_cube(r, rng_magnitude(r, 0, 10));
    apart_pose pose_b = place_beside(r, &pose_a, rng_in_cube(r, 2), zero, 2);
    if (x && y) {
        uint32_t nearest[2] = {0, 0};
        truth t = parts_truth(&a, &pose_a, &b, &pose_b, nearest);
        couple c = {seed, UNIONS, x, y, &pose_a, &pose_b};
        bool swapped = rng_chance(r, 0.5);
        if (swapped) c = (couple){seed, UNIONS, y, x, &pose_b, &pose_a};
        apart_result exact;
        ask_all(&c, r, &t, &exact, found);
    } else {
        found->wrong++;
    }
    apart_shape_release(x);
    apart_shape_release(y);
    crowd_release(&a);
    crowd_release(&b);
}

// -------------------------------------------------------------------------------------------------- the campaign ----

static void judge_seed(uint64_t seed, void* found) {
    rng r = rng_seed(seed);
    int kind = rng_below(&r, 10);
    if (kind < 6)
        meet_meshes(seed, &r, found);
    else if (kind < 8)
        meet_convex(seed, &r, found);
    else
        meet_unions(seed, &r, found);
}

static long report(void* const* found, int workers) {
    campaign all = {0};
    for (int k = 0; k < workers; k++) {
        const campaign* c = found[k];
        all.wrong += c->wrong;
        grow(&all.off, c->off);
        for (int i = 0; i < MATCHES; i++) {
            grow(&all.gap[i], c->gap[i]);
            for (int o = 0; o < OUTCOMES; o++) all.judged[i][o] += c->judged[i][o];
        }
    }
    for (int i = 0; i < MATCHES; i++) {
        printf("%-16s", match_names[i]);
        for (int o = 0; o < OUTCOMES; o++) printf(" %ld %s,", all.judged[i][o], outcome_names[o]);
        printf(" widest bracket %.2g of the size\n", all.gap[i]);
    }
    printf("points at most %.2g roundings off their triangles; %ld wrong\n", all.off, all.wrong);
    return all.wrong;
}

int main(int argc, char** argv) {
    const campaign_plan plan = {"soak_mesh", 100000, FIRST_SEED, sizeof(campaign), judge_seed, report};
    return campaign_run(&plan, argc, argv);
}

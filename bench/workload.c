// Bodies and poses from a seed: hulls of random points on the unit sphere, as in Cameron's experiments (1997, sec. 4).
#include "workload.h"

#include <stdlib.h>
#include <string.h>

// Few enough bodies that the largest ones stay in the processor's cache, many enough that no query repeats.
#define BODIES 16
#define DIAMETER 2.0
#define NEAR_GAP (1e-6 * DIAMETER)
#define SPECK 1e-3

// ------------------------------------------------------------------------------------------------------ bodies ----

static bool allocate_points(bench_body* body, size_t count) {
    body->count = count;
    body->points = malloc(count * sizeof body->points[0]);
    return body->points != NULL;
}

static bool make_box(bench_body* body, rng* r) {
    if (!allocate_points(body, 8)) return false;
    double x = rng_uniform(r, 0.4, 0.6), y = rng_uniform(r, 0.4, 0.6), z = rng_uniform(r, 0.4, 0.6);
    body->half = (apart_vec3){x, y, z};
    for (int i = 0; i < 8; i++) body->points[i] = (apart_vec3){i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z};
    return true;
}

// Point i of n on a spiral from pole to pole, turned on by the golden angle each.
static apart_vec3 spiral(size_t i, size_t n) {
    double z = (2 * (double)i + 1) / (double)n - 1, flat = sqrt(1 - z * z), turn = 2.399963229728653 * (double)i;
    return (apart_vec3){flat * cos(turn), flat * sin(turn), z};
}

static bool make_hull(bench_body* body, const plan* p, rng* r) {
    if (p->vertices == BOX_CORNERS) return make_box(body, r) && hull_surface(body);
    if (!allocate_points(body, p->vertices)) return false;
    for (size_t i = 0; i < p->vertices; i++) {
        apart_vec3 v = p->look == LOOK_EVEN ? spiral(i, p->vertices) : rng_unit_vector(r);
        double size = p->look == LOOK_SPECK ? SPECK : 1;
        body->points[i] = (apart_vec3){size * v.x, size * v.y, size * v.z};
    }
    return hull_surface(body);
}

// Spheres in the unit ball, all of one radius.
static bool make_union(bench_body* body, size_t count, rng* r) {
    if (!allocate_points(body, count)) return false;
    body->radius = 0.1;
    for (size_t i = 0; i < count; i++) body->points[i] = rng_in_ball(r);
    return true;
}

static bool make_round(bench_body* body, rng* r) {
    bool capsule = body->kind == BENCH_CAPSULE;
    if (!allocate_points(body, capsule ? 2 : 1)) return false;
    body->radius = capsule ? rng_uniform(r, 0.2, 0.5) : rng_uniform(r, 0.5, 1);
    body->half_height = capsule ? 1 - body->radius : 0;
    body->points[0] = (apart_vec3){0, 0, -body->half_height};
    if (capsule) body->points[1] = (apart_vec3){0, 0, body->half_height};
    return true;
}

// The farthest two points are a diameter apart: opposite corners of a cylinder, apex and rim of a cone, ends of an
// ellipsoid's longest axis.
static void make_curved(bench_body* body, bool almost_round, rng* r) {
    double u = rng_unit(r), v = rng_unit(r);
    if (body->kind == BENCH_ELLIPSOID) {
        double less = almost_round ? rng_magnitude(r, -20, -14) : 0.6;
        body->half = (apart_vec3){1, 1 - less * u, 1 - less * v};
        return;
    }
    body->radius = 0.4 + 0.4 * u;
    double across = body->kind == BENCH_CONE ? body->radius / 2 : body->radius;
    body->half_height = sqrt(1 - across * across);
}

static bool make_body(bench_body* body, const plan* p, rng* r) {
    body->kind = p->kind;
    switch (p->kind) {
    case BENCH_HULL:
        return make_hull(body, p, r);
    case BENCH_BOX:
        return make_box(body, r) && hull_surface(body);
    case BENCH_SPHERE:
    case BENCH_CAPSULE:
        return p->vertices > 0 ? make_union(body, p->vertices, r) : make_round(body, r);
    case BENCH_CYLINDER:
    case BENCH_CONE:
    case BENCH_ELLIPSOID:
        make_curved(body, p->look == LOOK_ALMOST_ROUND, r);
        return true;
    }
    return false;
}

apart_shape** create_shapes(const workload* w) {
    apart_shape** shapes = calloc(w->body_count, sizeof(apart_shape*));
    bool good = shapes != NULL;
    for (size_t i = 0; good && i < w->body_count; i++) good = (shapes[i] = bench_apart_auto.create(&w->bodies[i]));
    if (good) return shapes;
    release_shapes(w, shapes);
    return NULL;
}

void release_shapes(const workload* w, apart_shape** shapes) {
    for (size_t i = 0; shapes && i < w->body_count; i++) apart_shape_release(shapes[i]);
    free((void*)shapes);
}

// ------------------------------------------------------------------------------------------------------- poses ----

// A gap of about one diameter between the surfaces: centres about two diameters apart.
static void place_apart(apart_pose* a, apart_pose* b, rng* r) {
    apart_vec3 u = rng_unit_vector(r);
    double d = rng_uniform(r, 1.8, 2.2) * DIAMETER;
    *a = rng_pose(r, rng_in_cube(r, 1));
    *b = rng_pose(r, (apart_vec3){a->translation.x + d * u.x, a->translation.y + d * u.y, a->translation.z + d * u.z});
}

static void place_unrelated(workload* w, rng* r) {
    for (size_t q = 0; q < workload_queries(w); q++) place_apart(&w->pose_a[q], &w->pose_b[q], r);
}

apart_mat3 random_turn(double degrees, rng* r) {
    double half = degrees * (3.14159265358979323846 / 360);
    apart_vec3 axis = rng_unit_vector(r);
    return rng_matrix(cos(half), sin(half) * axis.x, sin(half) * axis.y, sin(half) * axis.z);
}

// Each pair has its own axis of turning and its own line of drift, across the line between the bodies.
static void place_sequence(workload* w, size_t pair, double degrees, rng* r) {
    apart_pose a, b;
    place_apart(&a, &b, r);
    apart_mat3 turn = random_turn(degrees, r);
    apart_vec3 drift = rng_unit_vector(r);
    for (size_t step = 0; step < w->steps; step++) {
        w->pose_a[step * w->pairs + pair] = a;
        w->pose_b[step * w->pairs + pair] = b;
        b.rotation = rng_product(&turn, &b.rotation);
        b.translation.x += DRIFT * DIAMETER * drift.x;
        b.translation.y += DRIFT * DIAMETER * drift.y;
        b.translation.z += DRIFT * DIAMETER * drift.z;
    }
}

// Moves b along the line between the nearest points: their gap shrinks by exactly as much, and they stay nearest.
static bool pull_together(const apart_shape* a, const apart_pose* pose_a, const apart_shape* b, apart_pose* pose_b) {
    apart_result result;
    if (!bench_ask(a, pose_a, b, pose_b, APART_DEPTH_NONE, &result)) return false;
    double move = result.distance - NEAR_GAP;
    pose_b->translation.x -= move * result.normal.x;
    pose_b->translation.y -= move * result.normal.y;
    pose_b->translation.z -= move * result.normal.z;
    return true;
}

static bool place_near(workload* w, rng* r) {
    apart_shape** shapes = create_shapes(w);
    bool good = shapes != NULL;
    place_unrelated(w, r);
    for (size_t q = 0; good && q < workload_queries(w); q++) {
        const uint32_t* pair = w->pair[q % w->pairs];
        good = pull_together(shapes[pair[0]], &w->pose_a[q], shapes[pair[1]], &w->pose_b[q]);
    }
    release_shapes(w, shapes);
    return good;
}

static bool place_all(workload* w, const figure* f, motion m, double degrees, rng* r) {
    switch (m) {
    case MOTION_COLD:
        place_unrelated(w, r);
        return true;
    case MOTION_TRACKED:
        for (size_t pair = 0; pair < w->pairs; pair++) place_sequence(w, pair, degrees, r);
        return true;
    case MOTION_NEAR:
        return place_near(w, r);
    case MOTION_DEEP:
    case MOTION_DEEP_TRACKED:
        return place_overlapping(w, false, degrees, r);
    case MOTION_SHALLOW:
    case MOTION_SHALLOW_TRACKED:
        return place_overlapping(w, true, degrees, r);
    case MOTION_TIE:
    case MOTION_TIE_TRACKED:
        place_ties(w, f->tie, degrees, r);
        return true;
    }
    return false;
}

// ------------------------------------------------------------------------------------------------------- whole ----

static bool allocate(workload* w) {
    w->bodies = calloc(w->body_count, sizeof w->bodies[0]);
    w->pair = malloc(w->pairs * sizeof w->pair[0]);
    w->pose_a = malloc(workload_queries(w) * sizeof w->pose_a[0]);
    w->pose_b = malloc(workload_queries(w) * sizeof w->pose_b[0]);
    return w->bodies && w->pair && w->pose_a && w->pose_b;
}

static bool is_mixed(const figure* f) {
    return f->a.kind != f->b.kind || f->a.vertices != f->b.vertices || f->a.look != f->b.look;
}

// Two different bodies each; of two plans, one of the first half of the bodies and one of the second.
static void choose_pairs(workload* w, bool mixed, rng* r) {
    int half = BODIES / 2;
    for (size_t i = 0; i < w->pairs; i++) {
        int first = rng_below(r, mixed ? half : BODIES), other = rng_below(r, mixed ? half : BODIES - 1);
        w->pair[i][0] = (uint32_t)first;
        w->pair[i][1] = (uint32_t)(mixed ? half + other : other < first ? other : other + 1);
    }
}

bool workload_make(workload* w, const figure* f, motion m, double degrees, size_t pairs, size_t steps, uint64_t seed) {
    *w = (workload){.body_count = BODIES, .pairs = pairs, .steps = steps, .tied = f->tie, .size = DIAMETER};
    w->tracked =
        m == MOTION_TRACKED || m == MOTION_DEEP_TRACKED || m == MOTION_SHALLOW_TRACKED || m == MOTION_TIE_TRACKED;
    rng r = rng_seed(seed);
    bool good = allocate(w);
    for (size_t i = 0; good && i < BODIES; i++) good = make_body(&w->bodies[i], i < BODIES / 2 ? &f->a : &f->b, &r);
    if (good) choose_pairs(w, is_mixed(f), &r);
    good = good && place_all(w, f, m, degrees, &r);
    if (!good) workload_free(w);
    return good;
}

void workload_free(workload* w) {
    for (size_t i = 0; w->bodies && i < w->body_count; i++) {
        free(w->bodies[i].points);
        free(w->bodies[i].triangles);
        free(w->bodies[i].edges);
    }
    free(w->bodies);
    free(w->pair);
    free(w->pose_a);
    free(w->pose_b);
    memset(w, 0, sizeof *w);
}

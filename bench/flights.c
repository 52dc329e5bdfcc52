// Bodies and motions from a seed.
#include "flights.h"

#include "base/vec.h"
#include "workload.h"

#include <stdlib.h>
#include <string.h>

#define HALF_TURN 3.14159265358979323846
#define NEAR_MISS 1e-6
// Random motions: b comes from so far away to so far on the other side, in parts of the size, aiming at most so far
// past the middle of a.
#define FROM 1.5
#define TO 2.5
#define BESIDE 1.0

// ------------------------------------------------------------------------------------------------------ bodies ----

static bool allocate(scene* s, size_t bodies, size_t count) {
    s->body_count = bodies;
    s->count = count;
    s->shapes = calloc(bodies, sizeof(apart_shape*));
    s->encounters = calloc(count, sizeof s->encounters[0]);
    return s->shapes && s->encounters;
}

/// The bodies of bench/convex, taken over from a workload.
static bool take_bodies(scene* s, bench_kind kind, uint32_t vertices, size_t count, uint64_t seed) {
    const figure f = ALIKE("", GROUP_ALL, kind, vertices, LOOK_RANDOM);
    workload w;
    if (!workload_make(&w, &f, MOTION_COLD, 0, 1, 1, seed)) return false;
    bool good = allocate(s, w.body_count, count);
    s->bodies = w.bodies;
    s->size = w.size;
    w.bodies = NULL;
    w.body_count = 0;
    workload_free(&w);
    for (size_t i = 0; good && i < s->body_count; i++) good = (s->shapes[i] = bench_apart_auto.create(&s->bodies[i]));
    return good;
}

static bool make_box(bench_body* body, double x, double y, double z) {
    *body = (bench_body){.kind = BENCH_BOX, .count = 8, .half = {x, y, z}, .points = malloc(8 * sizeof(apart_vec3))};
    for (int i = 0; body->points && i < 8; i++)
        body->points[i] = (apart_vec3){i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z};
    return body->points != NULL;
}

static bool make_ball(bench_body* body, double radius) {
    *body = (bench_body){.kind = BENCH_SPHERE, .count = 1, .radius = radius, .points = calloc(1, sizeof(apart_vec3))};
    return body->points != NULL;
}

/// Two bodies that are made by hand.
static bool make_shapes(scene* s) {
    for (size_t i = 0; i < s->body_count; i++)
        if (!(s->shapes[i] = bench_apart_auto.create(&s->bodies[i]))) return false;
    return true;
}

void scene_free(scene* s) {
    for (size_t i = 0; i < s->body_count; i++) {
        if (s->shapes) apart_shape_release(s->shapes[i]);
        if (s->surfaces) surface_free(&s->surfaces[i]);
        if (s->bodies) {
            free(s->bodies[i].points);
            free(s->bodies[i].triangles);
            free(s->bodies[i].edges);
        }
    }
    free((void*)s->shapes);
    free(s->surfaces);
    free(s->bodies);
    free(s->encounters);
    *s = (scene){0};
}

// ----------------------------------------------------------------------------------------------------- motions ----

apart_motion flight_motion(const flight* f) {
    return (apart_motion){.kind = APART_MOTION_VELOCITY, .start = f->start, .velocity = f->velocity};
}

// With the turn u, angle about the world's origin, and the way t on top of it, x -> R x + t, the axis goes through
// (t' + cot(angle / 2) u x t') / 2, t' being t without its part along u.
apart_motion flight_screw(const flight* f) {
    apart_motion m = {.kind = APART_MOTION_SLERP, .start = f->start, .end = f->end};
    const apart_vec3 w = f->velocity.angular;
    double angle = vec3_length(w);
    if (angle == 0) return m;
    apart_vec3 u = vec3_scale(1 / angle, w);
    // R = end start^-1 applied to the start's place.
    apart_vec3 there = mat3_mul(&f->end.rotation, mat3_tmul(&f->start.rotation, f->start.translation));
    apart_vec3 t = vec3_sub(f->end.translation, there);
    t = vec3_mad(t, -vec3_dot(t, u), u);
    apart_vec3 p = vec3_scale(0.5, vec3_mad(t, cos(angle / 2) / sin(angle / 2), vec3_cross(u, t)));
    m.pivot = mat3_tmul(&f->start.rotation, vec3_sub(p, f->start.translation));
    return m;
}

static bool finish(flight* f) {
    const apart_motion m = flight_motion(f);
    return apart_motion_pose(&m, 1, &f->end) == APART_OK;
}

static apart_vec3 random_spin(double least, double most, rng* r) {
    apart_vec3 axis = rng_unit_vector(r);
    return vec3_scale(rng_uniform(r, least, most), axis);
}

static bool place_random(encounter* e, double size, double least_turn, double most_turn, rng* r) {
    apart_vec3 way = rng_unit_vector(r), beside = vec3_scale(BESIDE * size, rng_in_ball(r));
    apart_vec3 from = vec3_mad(beside, -FROM * size, way), to = vec3_mad(beside, TO * size, way);
    apart_vec3 drift = rng_in_cube(r, 0.25 * size), zero = {0, 0, 0};
    e->of[0] = (flight){.start = rng_pose(r, zero), .velocity = {drift, random_spin(least_turn, most_turn, r)}};
    e->of[1] =
        (flight){.start = rng_pose(r, from), .velocity = {vec3_sub(to, from), random_spin(least_turn, most_turn, r)}};
    return finish(&e->of[0]) && finish(&e->of[1]);
}

/// Whether the two are apart when they start.
static bool starts_apart(const scene* s, const encounter* e) {
    apart_result r;
    return apart_distance(s->shapes[e->body[0]], &e->of[0].start, s->shapes[e->body[1]], &e->of[1].start, NULL, NULL,
                          &r) == APART_OK &&
           r.lower_bound > 0;
}

/// Shifts b's way until the two miss each other by a gap: the least distance shrinks by no more than the shift, so
/// that it comes down to the gap and not below. False if they meet, or if that takes too long.
static bool shift_to_gap(const scene* s, encounter* e, double gap) {
    for (int i = 0; i < 200; i++) {
        apart_motion m[2] = {flight_motion(&e->of[0]), flight_motion(&e->of[1])};
        const apart_motion_query query = {.tolerance = gap / 100};
        apart_approach a;
        if (apart_closest_approach(s->shapes[e->body[0]], &m[0], s->shapes[e->body[1]], &m[1], &query, &a) != APART_OK)
            return false;
        if (a.lower_bound <= 0) return false;
        if (a.upper_bound <= 1.1 * gap) return true;
        flight* f = &e->of[1];
        f->start.translation = vec3_mad(f->start.translation, gap - a.lower_bound, a.result.normal);
        if (!finish(f)) return false;
    }
    return false;
}

bool scene_convex(scene* s, bench_kind kind, uint32_t vertices, meeting how, size_t count, uint64_t seed) {
    rng r = rng_seed(seed + 1);
    const bool tumbling = how == MEETING_TUMBLING;
    if (!take_bodies(s, kind, vertices, count, seed)) return false;
    s->turns = tumbling;
    for (size_t i = 0, attempts = 0; i < count && attempts < 1000 * count; attempts++) {
        encounter* e = &s->encounters[i];
        for (int k = 0; k < 2; k++) e->body[k] = (uint32_t)rng_below(&r, (int)s->body_count);
        if (!place_random(e, s->size, tumbling ? 4 * HALF_TURN : 0, tumbling ? 10 * HALF_TURN : HALF_TURN, &r))
            return false;
        if (!starts_apart(s, e) || (how == MEETING_NEAR_MISS && !shift_to_gap(s, e, NEAR_MISS * s->size))) continue;
        i++;
        if (i == count) return true;
    }
    return false;
}

bool scene_spinner(scene* s, double turn, size_t count, uint64_t seed) {
    rng r = rng_seed(seed);
    s->bodies = calloc(2, sizeof s->bodies[0]);
    if (!s->bodies || !allocate(s, 2, count) || !make_box(&s->bodies[0], 3, 3, 0.1) ||
        !make_box(&s->bodies[1], 1, 0.05, 0.02) || !make_shapes(s))
        return false;
    s->size = 2;
    s->turns = turn >= HALF_TURN;
    for (size_t i = 0; i < count; i++) {
        encounter* e = &s->encounters[i];
        double half = rng_uniform(&r, 0, HALF_TURN);
        e->body[1] = 1;
        e->of[0].start = apart_pose_identity;
        e->of[1].start = apart_pose_from_quaternion(cos(half), 0, 0, sin(half), (apart_vec3){0, 0, 0.12 + 1e-3});
        e->of[1].velocity.angular = (apart_vec3){0, 0, turn};
        if (!finish(&e->of[0]) || !finish(&e->of[1])) return false;
    }
    return true;
}

bool scene_bullet(scene* s, size_t count, uint64_t seed) {
    const double way = 2e4;
    rng r = rng_seed(seed);
    s->bodies = calloc(2, sizeof s->bodies[0]);
    if (!s->bodies || !allocate(s, 2, count) || !make_box(&s->bodies[0], 1, 1, 5e-4) ||
        !make_ball(&s->bodies[1], 0.01) || !make_shapes(s))
        return false;
    s->size = 2;
    for (size_t i = 0; i < count; i++) {
        encounter* e = &s->encounters[i];
        apart_vec3 along = rng_unit_vector(&r), aim = {rng_uniform(&r, -1.3, 1.3), rng_uniform(&r, -1.3, 1.3), 0};
        if (fabs(along.z) < 0.2) along.z = 0.2;
        e->body[1] = 1;
        e->of[0].start = rng_pose(&r, (apart_vec3){0, 0, 0});
        aim = mat3_mul(&e->of[0].start.rotation, aim);
        along = mat3_mul(&e->of[0].start.rotation, vec3_unit(along));
        e->of[1].start = apart_pose_identity;
        e->of[1].start.translation = vec3_mad(aim, -way * rng_uniform(&r, 0.1, 0.9), along);
        e->of[1].velocity.linear = vec3_scale(way, along);
        if (!finish(&e->of[0]) || !finish(&e->of[1])) return false;
    }
    return true;
}

bool scene_mesh(scene* s, surface_fn make, size_t triangles, size_t count, uint64_t seed) {
    rng r = rng_seed(seed);
    s->surfaces = calloc(1, sizeof s->surfaces[0]);
    if (!s->surfaces || !allocate(s, 1, count) || !make(&s->surfaces[0], triangles)) return false;
    const surface* f = &s->surfaces[0];
    s->size = f->size;
    s->shapes[0] = apart_shape_mesh(f->vertices, f->vertex_count, &f->triangles[0][0], f->triangle_count, NULL, NULL);
    for (size_t i = 0; s->shapes[0] && i < count;) {
        if (!place_random(&s->encounters[i], s->size, 0, HALF_TURN, &r)) return false;
        i += starts_apart(s, &s->encounters[i]);
    }
    return s->shapes[0] != NULL;
}

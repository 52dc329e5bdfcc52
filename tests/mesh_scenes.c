// Scenes. Everything is made at size 1 first, then put in place, then moved and scaled as a whole.
#include "mesh_scenes.h"

#include "base/vec.h"

#include <stdlib.h>

const char* const setting_names[SETTINGS] = {"far",     "apart",    "near",   "touching",
                                             "closing", "crossing", "nested", "linked"};

apart_vec3 pose_point(const apart_pose* pose, apart_vec3 p) {
    return vec3_add(mat3_mul(&pose->rotation, p), pose->translation);
}

void pose_carry(apart_pose* pose, apart_vec3 local, apart_vec3 world) {
    pose->translation = vec3_sub(world, mat3_mul(&pose->rotation, local));
}

apart_vec3 surface_farthest(const surface* s, const apart_pose* pose, apart_vec3 n) {
    apart_vec3 best = {0, 0, 0};
    double most = -INFINITY;
    for (size_t t = 0; t < s->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            apart_vec3 p = pose_point(pose, s->vertex[s->triangle[t][k]]);
            if (vec3_dot(p, n) > most) most = vec3_dot(p, n), best = p;
        }
    return best;
}

bool surface_inner_point(const surface* s, rng* r, apart_vec3* p) {
    anatomy a = anatomy_make(s);
    bool found = false;
    for (int i = 0; i < 400 && !found; i++) {
        *p = rng_in_cube(r, 0.8);
        for (int c = 0; c < a.count; c++)
            found = found || (a.encloses[c] == ENCLOSES_SOLID && fabs(winding_number(s, &a, c, *p)) > 0.9);
    }
    anatomy_free(&a);
    return found;
}

// b's farthest corner along -n comes `gap` beyond a's farthest along n.
static void abut(scene* s, apart_vec3 n, double gap) {
    apart_vec3 back = {-n.x, -n.y, -n.z}, origin = {0, 0, 0};
    s->pose_b.translation = origin;
    apart_vec3 p = surface_farthest(&s->a, &s->pose_a, n), q = surface_farthest(&s->b, &s->pose_b, back);
    p = vec3_mad(p, gap + s->a.radius + s->b.radius, n);
    s->pose_b.translation = vec3_mad(p, -1, q);
}

// Slides b from apart towards the middle of a until they are as near as asked for, or overlap.
static void slide(scene* s, rng* r, apart_vec3 n) {
    apart_shape *a = surface_shape(&s->a, NULL), *b = surface_shape(&s->b, NULL);
    apart_vec3 across = rng_unit_vector(r);
    abut(s, n, 0.5);
    s->pose_b.translation = vec3_mad(s->pose_b.translation, 0.4, across);
    double goal = rng_magnitude(r, -30, -10);
    for (int i = 0; i < 60; i++) {
        apart_result result;
        if (apart_distance(a, &s->pose_a, b, &s->pose_b, NULL, NULL, &result) != APART_OK) break;
        if (result.distance <= goal) break;
        s->pose_b.translation = vec3_mad(s->pose_b.translation, goal / 2 - result.distance, n);
    }
    apart_shape_release(a);
    apart_shape_release(b);
}

static apart_vec3 any_vertex(const surface* s, rng* r) {
    int triangle = rng_below(r, (int)s->triangle_count), corner = rng_below(r, 3);
    return s->vertex[s->triangle[triangle][corner]];
}

static void put(scene* s, rng* r) {
    apart_vec3 n = rng_unit_vector(r), middle = {0, 0, 0}, inner;
    switch (s->setting) {
    case SET_FAR:
        abut(s, n, rng_magnitude(r, 3, 10));
        break;
    case SET_APART:
        abut(s, n, rng_uniform(r, 0.02, 1));
        break;
    case SET_NEAR:
        abut(s, n, rng_magnitude(r, -40, -10));
        break;
    case SET_TOUCHING:
        abut(s, n, 0);
        break;
    case SET_CLOSING:
        slide(s, r, n);
        break;
    case SET_CROSSING:
        inner = any_vertex(&s->a, r);
        pose_carry(&s->pose_b, any_vertex(&s->b, r), pose_point(&s->pose_a, inner));
        break;
    case SET_NESTED:
        surface_scale(&s->b, rng_magnitude(r, -6, -3));
        if (!surface_inner_point(&s->a, r, &inner)) inner = middle;
        pose_carry(&s->pose_b, middle, pose_point(&s->pose_a, inner));
        break;
    default:
        s->pose_b.translation = rng_in_cube(r, 1);
    }
}

// A matrix that is a rotation to 1e-6 only; it is used as given.
static void skew(apart_mat3* m, rng* r) {
    for (int i = 0; i < 9; i++) m->m[i / 3][i % 3] += rng_uniform(r, -2e-7, 2e-7);
}

// Now and then in another unit, far away, or with coordinates far from the mesh's own origin.
static void disturb(scene* s, rng* r) {
    if (rng_chance(r, 0.3)) {
        apart_pose motion = rng_pose(r, rng_in_cube(r, rng_magnitude(r, 0, 10)));
        scene_move(s, &motion);
    }
    if (rng_chance(r, 0.2)) {
        apart_vec3 off = rng_in_cube(r, rng_magnitude(r, 0, 8));
        surface_shift(&s->a, off);
        apart_vec3 t = s->pose_a.translation;
        pose_carry(&s->pose_a, off, t);
    }
    if (rng_chance(r, 0.3)) scene_scale(s, ldexp(1, rng_between(r, -400, 400)));
    if (rng_chance(r, 0.1)) skew(&s->pose_a.rotation, r);
    if (rng_chance(r, 0.1)) skew(&s->pose_b.rotation, r);
}

void scene_random(scene* s, uint64_t seed, size_t most) {
    rng r = rng_seed(seed);
    s->seed = seed;
    s->setting = (setting)(seed % SETTINGS);
    do {
        s->model_a = rng_below(&r, MODELS);
        s->a = model_get(s->model_a);
    } while (s->a.triangle_count > most && (surface_free(&s->a), true));
    do {
        s->model_b = rng_below(&r, MODELS);
        s->b = model_get(s->model_b);
    } while (s->b.triangle_count > most && (surface_free(&s->b), true));
    apart_vec3 origin = {0, 0, 0};
    s->pose_a = rng_pose(&r, origin);
    s->pose_b = rng_pose(&r, origin);
    if (rng_chance(&r, 0.2)) s->pose_a.rotation = rng_quarter_turns(&r), s->pose_b.rotation = rng_quarter_turns(&r);
    if (rng_chance(&r, 0.15)) s->a.radius = rng_magnitude(&r, -20, -4);
    if (rng_chance(&r, 0.15)) s->b.radius = rng_magnitude(&r, -20, -4);
    s->a.hollow = rng_chance(&r, 0.2);
    s->b.hollow = rng_chance(&r, 0.2);
    if (rng_chance(&r, 0.5)) surface_scale(&s->b, rng_uniform(&r, 0.2, 1));
    put(s, &r);
    disturb(s, &r);
    if (rng_chance(&r, 0.2)) surface_unshare(&s->a);
    if (rng_chance(&r, 0.2)) surface_invert(&s->b);
    snprintf(s->name, sizeof s->name, "seed %llu: %s and %s, %s", (unsigned long long)seed, model_names[s->model_a],
             model_names[s->model_b], setting_names[s->setting]);
}

void scene_free(scene* s) {
    surface_free(&s->a);
    surface_free(&s->b);
}

encounter scene_open(const scene* s) {
    encounter e = {.name = s->name, .pose_a = s->pose_a, .pose_b = s->pose_b};
    apart_error error = {0};
    e.a = thing_surface(&s->a, &s->pose_a);
    e.b = thing_surface(&s->b, &s->pose_b);
    e.shape_a = surface_shape(&s->a, &error);
    e.shape_b = e.shape_a ? surface_shape(&s->b, &error) : NULL;
    if (!e.shape_b) {
        fprintf(stderr, "%s: %s\n", s->name, error.message);
        abort();
    }
    e.truth = thing_distance(&e.a, &e.b);
    return e;
}

void scene_scale(scene* s, double unit) {
    surface_scale(&s->a, unit);
    surface_scale(&s->b, unit);
    s->pose_a.translation = vec3_scale(unit, s->pose_a.translation);
    s->pose_b.translation = vec3_scale(unit, s->pose_b.translation);
}

void scene_move(scene* s, const apart_pose* motion) {
    s->pose_a = pose_product(motion, &s->pose_a);
    s->pose_b = pose_product(motion, &s->pose_b);
}

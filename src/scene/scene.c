// Many bodies: adding, moving and removing them, and who is compared with whom (Quinlan 1994, sec. 5: a tree over the
// bodies).
#include "scene/scene.h"

#include "base/error.h"
#include "base/pose.h"

#include <stdlib.h>

// ------------------------------------------------------------------------------------------------------- boxes ----

/// How far the core of a body, or the box of a mesh, reaches along d, in stored units and coordinates.
static double core_along(const apart_shape* s, vec3 d) {
    if (shape_is_convex(s)) return vec3_dot(d, apart_support_find(s, d, SEARCH_BEST, 0).point);
    return larger(d.x * s->lower.x, d.x * s->upper.x) + larger(d.y * s->lower.y, d.y * s->upper.y) +
           larger(d.z * s->lower.z, d.z * s->upper.z);
}

/// How far it reaches at most along an axis of the world, which is d in its own coordinates. Support points and what is
/// made of them are wrong by a few roundings of the sizes that enter: 2^-46 is 128 of them.
static double reach_along(const apart_shape* s, vec3 d, double place) {
    double size = s->scale * s->bound + s->radius + vec3_sum_abs(s->origin) + fabs(place);
    double wider = s->radius + size * 0x1p-46 + 0x1p-1070;
    return s->scale * core_along(s, d) + (vec3_dot(d, s->origin) + place) + wider;
}

aabb apart_scene_box(const apart_shape* shape, const apart_pose* pose) {
    if (shape->kind == SHAPE_HALFSPACE) return aabb_everywhere;
    double lower[3], upper[3];
    for (int i = 0; i < 3; ++i) {
        const vec3 d = {pose->rotation.m[i][0], pose->rotation.m[i][1], pose->rotation.m[i][2]};
        const double place = vec3_at(pose->translation, i);
        lower[i] = -reach_along(shape, vec3_neg(d), -place);
        upper[i] = reach_along(shape, d, place);
    }
    return (aabb){vec3_make(lower[0], lower[1], lower[2]), vec3_make(upper[0], upper[1], upper[2])};
}

apart_status apart_scene_read_body(const apart_scene_body* body, scene_record* r) {
    if (!body->shape) return APART_INVALID;
    apart_status status = apart_pose_check(&body->pose);
    if (status == APART_OK) status = apart_number_check(body->margin);
    if (status == APART_OK && body->margin < 0) status = APART_INVALID;
    if (status != APART_OK) return status;
    *r = (scene_record){.body = *body};
    if (r->body.group == 0) r->body.group = UINT32_MAX;
    if (r->body.mask == 0) r->body.mask = UINT32_MAX;
    return APART_OK;
}

// ------------------------------------------------------------------------------------------- who with whom ----

/// Where a key is, or would be. There is an empty place.
static uint64_t* pair_place(const pair_set* s, uint64_t key) {
    // Multiplied by 2^64 over the golden ratio, keys that follow each other lie far apart (Knuth, vol. 3, 6.4).
    size_t i = (size_t)((key * 0x9e3779b97f4a7c15u) >> 32);
    for (;; ++i) {
        uint64_t* at = &s->key[i & (s->room - 1)];
        if (*at == 0 || *at == key) return at;
    }
}

/// Whether both bodies of a pair are still there.
static bool pair_is_live(const apart_scene* scene, uint64_t key) {
    return scene->place[key >> 32] != BOX_NONE && scene->place[(uint32_t)key] != BOX_NONE;
}

/// Makes a table for those whose bodies are there, at most a quarter full. False if there is no memory for it.
static bool remake_excluded(apart_scene* scene) {
    pair_set *s = &scene->excluded, kept = {.room = 16};
    for (size_t i = 0; i < s->room; ++i) kept.count += s->key[i] != 0 && pair_is_live(scene, s->key[i]);
    while (kept.room < 4 * kept.count) kept.room *= 2;
    kept.key = calloc(kept.room, sizeof *kept.key);
    if (!kept.key) return false;
    for (size_t i = 0; i < s->room; ++i)
        if (s->key[i] != 0 && pair_is_live(scene, s->key[i])) *pair_place(&kept, s->key[i]) = s->key[i];
    free(s->key);
    *s = kept;
    return true;
}

bool apart_scene_compares(const apart_scene* scene, const scene_record* a, const scene_record* b) {
    if (!(a->body.group & b->body.mask) || !(b->body.group & a->body.mask)) return false;
    if (a->body.shape->kind == SHAPE_HALFSPACE && b->body.shape->kind == SHAPE_HALFSPACE) return false;
    if (a->id == APART_NO_BODY || scene->excluded.count == 0) return true;
    const uint64_t key = pair_key(a->id, b->id);
    return *pair_place(&scene->excluded, key) != key;
}

// ------------------------------------------------------------------------------------------------------ bodies ----

apart_scene* apart_scene_create(apart_error* error) {
    apart_scene* scene = malloc(sizeof *scene);
    if (!scene) return apart_fail(error, APART_OUT_OF_MEMORY, "out of memory: a scene");
    *scene = (apart_scene){0};
    return scene;
}

void apart_scene_release(apart_scene* scene) {
    if (!scene) return;
    for (uint32_t i = 0; i < scene->tree.items; ++i) apart_shape_release(scene->records[i].body.shape);
    free(scene->records);
    free(scene->place);
    apart_box_tree_free(&scene->tree);
    free(scene->excluded.key);
    free(scene);
}

apart_status apart_scene_add(apart_scene* scene, const apart_scene_body* body, uint32_t* id, apart_error* error) {
    scene_record r;
    apart_status status = scene && body ? apart_scene_read_body(body, &r) : APART_INVALID;
    if (status != APART_OK) {
        apart_fail(error, status, "%s",
                   !scene || !body || !body->shape ? "a scene, a body and its shape are needed"
                   : status == APART_INVALID       ? "a margin must not be negative"
                                                   : apart_status_text(status));
        return status;
    }
    const uint32_t place = scene->tree.items;
    if (!apart_box_make_room((void**)&scene->records, place + 1, &scene->record_room, sizeof *scene->records) ||
        !apart_box_make_room((void**)&scene->place, scene->ids + 1, &scene->id_room, sizeof *scene->place) ||
        !apart_box_tree_reserve(&scene->tree)) {
        apart_fail(error, APART_OUT_OF_MEMORY, "out of memory: a scene of %u bodies", place + 1);
        return APART_OUT_OF_MEMORY;
    }
    const aabb box = apart_scene_box(body->shape, &body->pose);
    apart_box_tree_insert(&scene->tree, &box);
    apart_shape_retain(body->shape);
    r.id = scene->ids++;
    scene->records[place] = r;
    scene->place[r.id] = place;
    scene->long_count += !shape_is_convex(body->shape);
    scene->largest_margin = larger(scene->largest_margin, body->margin);
    if (id) *id = r.id;
    return APART_OK;
}

apart_status apart_scene_move(apart_scene* scene, uint32_t id, const apart_pose* pose) {
    scene_record* r = scene_find(scene, id);
    if (!r || !pose) return APART_INVALID;
    apart_status status = apart_pose_check(pose);
    if (status != APART_OK) return status;
    r->body.pose = *pose;
    const aabb box = apart_scene_box(r->body.shape, pose);
    apart_box_tree_move(&scene->tree, scene->place[id], &box);
    return APART_OK;
}

apart_status apart_scene_remove(apart_scene* scene, uint32_t id) {
    scene_record* r = scene_find(scene, id);
    if (!r) return APART_INVALID;
    apart_box_tree_remove(&scene->tree, scene->place[id]);
    scene->long_count -= !shape_is_convex(r->body.shape);
    apart_shape_release(r->body.shape);
    *r = scene->records[scene->tree.items];
    scene->place[r->id] = scene->place[id];
    scene->place[id] = BOX_NONE;
    return APART_OK;
}

apart_status apart_scene_exclude(apart_scene* scene, uint32_t id, uint32_t other) {
    if (id == other || !scene_find(scene, id) || !scene_find(scene, other)) return APART_INVALID;
    pair_set* s = &scene->excluded;
    if (2 * s->count >= s->room && !remake_excluded(scene)) return APART_OUT_OF_MEMORY;
    uint64_t* at = pair_place(s, pair_key(id, other));
    s->count += *at == 0;
    *at = pair_key(id, other);
    return APART_OK;
}

bool apart_scene_is_compared(const apart_scene* scene, uint32_t id, uint32_t other) {
    const scene_record* a = scene_find(scene, id);
    const scene_record* b = scene_find(scene, other);
    return a && b && a != b && apart_scene_compares(scene, a, b);
}

size_t apart_scene_count(const apart_scene* scene) { return scene ? scene->tree.items : 0; }

apart_status apart_scene_get(const apart_scene* scene, uint32_t id, apart_scene_body* body) {
    const scene_record* r = scene_find(scene, id);
    if (!r || !body) return APART_INVALID;
    *body = r->body;
    return APART_OK;
}

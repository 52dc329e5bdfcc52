// Many bodies and a tree over them (Quinlan 1994, sec. 5): they come, move and go; which pairs are compared?
#include "scene/scene.h"

#include "base/error.h"
#include "base/pose.h"

#include <stdlib.h>
#include <string.h>

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
    apart_status status = body->shape ? apart_pose_check(&body->pose) : APART_INVALID;
    if (status == APART_OK) status = apart_number_check(body->margin);
    if (status == APART_OK && body->margin < 0) status = APART_INVALID;
    if (status != APART_OK) return status;
    *r = (scene_record){.body = *body};
    if (r->body.group == 0) r->body.group = UINT32_MAX;
    if (r->body.mask == 0) r->body.mask = UINT32_MAX;
    return APART_OK;
}

/// How many of the ids that are excluded from a body are below another.
static uint32_t excluded_below(const scene_record* r, uint32_t id) {
    uint32_t low = 0, high = r->excluded_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const bool under = r->excluded[middle] < id;
        low = under ? middle + 1 : low;
        high = under ? high : middle;
    }
    return low;
}

bool apart_scene_compares(const scene_record* a, const scene_record* b) {
    if (a->id < b->id) return apart_scene_compares(b, a);
    if (!(a->body.group & b->body.mask) || !(b->body.group & a->body.mask)) return false;
    if (a->body.shape->kind == SHAPE_HALFSPACE && b->body.shape->kind == SHAPE_HALFSPACE) return false;
    const uint32_t below = excluded_below(a, b->id);
    return below == a->excluded_count || a->excluded[below] != b->id;
}

apart_scene* apart_scene_create(apart_error* error) {
    apart_scene* scene = calloc(1, sizeof *scene);
    return scene ? scene : apart_fail(error, APART_OUT_OF_MEMORY, "out of memory: a scene");
}

void apart_scene_release(apart_scene* scene) {
    if (!scene) return;
    for (uint32_t i = 0; i < scene->tree.items; ++i) {
        apart_shape_release(scene->records[i].body.shape);
        free(scene->records[i].excluded);
    }
    free(scene->records);
    free(scene->place);
    apart_box_tree_free(&scene->tree);
    free(scene);
}

static bool make_room_for_body(apart_scene* s) {
    return apart_box_make_room((void**)&s->records, s->tree.items + 1, &s->record_room, sizeof *s->records) &&
           apart_box_make_room((void**)&s->place, s->ids + 1, &s->id_room, sizeof *s->place) &&
           apart_box_tree_reserve(&s->tree);
}

apart_status apart_scene_add(apart_scene* scene, const apart_scene_body* body, uint32_t* id, apart_error* error) {
    scene_record r;
    apart_status status = scene && body ? apart_scene_read_body(body, &r) : APART_INVALID;
    if (status == APART_OK && !make_room_for_body(scene)) status = APART_OUT_OF_MEMORY;
    if (status != APART_OK) {
        apart_fail(error, status, "a body was not added, which needs a shape, a pose and a margin of at least 0: %s",
                   apart_status_text(status));
        return status;
    }
    r.id = scene->ids++;
    scene->place[r.id] = scene->tree.items;
    scene->records[scene->tree.items] = r;
    const aabb box = apart_scene_box(body->shape, &body->pose);
    apart_box_tree_insert(&scene->tree, &box);
    apart_shape_retain(body->shape);
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
    apart_shape_release(r->body.shape);
    free(r->excluded);
    *r = scene->records[scene->tree.items];
    scene->place[r->id] = scene->place[id];
    scene->place[id] = BOX_NONE;
    return APART_OK;
}

apart_status apart_scene_exclude(apart_scene* scene, uint32_t id, uint32_t other) {
    if (id < other) return apart_scene_exclude(scene, other, id);
    scene_record* r = scene_find(scene, id);
    if (id == other || !r || !scene_find(scene, other)) return APART_INVALID;
    const uint32_t below = excluded_below(r, other), count = r->excluded_count;
    if (below < count && r->excluded[below] == other) return APART_OK;
    if (!apart_box_make_room((void**)&r->excluded, count + 1, &r->excluded_room, sizeof *r->excluded))
        return APART_OUT_OF_MEMORY;
    memmove(r->excluded + below + 1, r->excluded + below, (count - below) * sizeof *r->excluded);
    r->excluded[below] = other;
    r->excluded_count += 1;
    return APART_OK;
}

bool apart_scene_is_compared(const apart_scene* scene, uint32_t id, uint32_t other) {
    const scene_record *a = scene_find(scene, id), *b = scene_find(scene, other);
    return a && b && a != b && apart_scene_compares(a, b);
}

size_t apart_scene_count(const apart_scene* scene) { return scene ? scene->tree.items : 0; }

apart_status apart_scene_get(const apart_scene* scene, uint32_t id, apart_scene_body* body) {
    const scene_record* r = scene_find(scene, id);
    if (!r || !body) return APART_INVALID;
    *body = r->body;
    return APART_OK;
}

// A scene in motion: which pairs meet, and when first. Boxes around all that a body sweeps over say which pairs may.
#include "base/pose.h"
#include "motion/moving.h"
#include "scene/pairs.h"

#include <stdlib.h>

/// Motions and boxes of all bodies, by their places.
typedef struct scene_in_motion {
    const apart_scene* scene;
    const apart_motion** motion; // NULL: the body stays
    aabb* box;                   // of all that it sweeps over
    box_tree tree;
    const apart_motion_query* query;
} scene_in_motion;

// ------------------------------------------------------------------------------------------------- swept boxes ----

static aabb widen(aabb box, double by) {
    const vec3 d = {by, by, by};
    return (aabb){vec3_sub(box.lower, d), vec3_add(box.upper, d)};
}

/// A box around the body during the piece of its path that begins at this moment, seen from there. A body that turns is
/// in the ball about its pivot; one that does not is in its box. Each matrix stands for the rotation nearest to it,
/// which is 2e-6 away at most. Rounding is 2^-40 of all that enters, at most.
static aabb box_at(const mover* body, double reach) {
    const moment* now = &body->now;
    bool turns = !now->known || now->rate_most > 0;
    aabb box = turns ? (aabb){now->pivot, now->pivot} : apart_scene_box(body->shape, &now->pose);
    double size = reach + vec3_max_abs(now->pivot) + vec3_max_abs(now->pose.translation);
    double error = now->place_error + now->turn_error * reach + 2e-6 * reach + size * 0x1p-40 + 0x1p-1070;
    if (!now->known) error += now->speed;
    return widen(box, error + (turns ? reach : 0));
}

/// The times between which a pivot goes straight: each time is the beginning or the end of a piece.
static double time_of(const apart_motion* motion, size_t i) {
    return motion->kind == APART_MOTION_KEYS ? motion->keys[i].time : (double)i;
}

/// Between two times each point of the body, or its pivot, goes straight: it is in the union of the boxes at both ends.
static apart_status find_swept_box(const apart_shape* shape, const apart_motion* motion, aabb* box) {
    mover body = {.shape = shape};
    apart_status status = apart_path_init(&body.path, motion);
    if (status != APART_OK) return status;
    const double reach = apart_moving_piece(&body, shape, NULL, 0).reach;
    const size_t times = motion->kind == APART_MOTION_KEYS ? motion->key_count : 2;
    for (size_t i = 0; i < times; ++i) {
        // An instant between two pieces belongs to both.
        for (int backwards = i == 0 ? 0 : 1; backwards >= 0 && !(backwards == 0 && i == times - 1); --backwards) {
            status = apart_path_at(&body.path, time_of(motion, i), backwards != 0, &body.now);
            if (status != APART_OK) return status;
            aabb here = box_at(&body, reach);
            *box = i == 0 ? here : aabb_union(box, &here);
        }
    }
    return APART_OK;
}

// ------------------------------------------------------------------------------------------------------- pairs ----

static apart_status measure_contacts(const pair_search* s, const candidate* c, size_t count, found_list* found) {
    const scene_in_motion* all = s->task;
    for (size_t i = 0; i < count; ++i) {
        const scene_record *a = c[i].a, *b = c[i].b;
        const apart_motion *motion_a = all->motion[all->scene->place[a->id]],
                           *motion_b = all->motion[all->scene->place[b->id]];
        if (!motion_a && !motion_b) continue;
        const apart_motion still_a = {.start = a->body.pose}, still_b = {.start = b->body.pose};
        apart_motion_query query = *all->query;
        query.clearance = pair_limit(query.clearance, a->body.margin, b->body.margin);
        apart_scene_contact p = {.a = a->id, .b = b->id};
        apart_status status = apart_first_contact(a->body.shape, motion_a ? motion_a : &still_a, b->body.shape,
                                                  motion_b ? motion_b : &still_b, &query, &p.contact);
        if (status != APART_OK) return status;
        if (p.contact.kind != APART_FREE && !apart_found_add(found, &p)) return APART_OUT_OF_MEMORY;
    }
    return APART_OK;
}

/// Checks the motions and finds all boxes. What is allocated is freed by the caller, whatever is returned.
static apart_status prepare(scene_in_motion* all, const apart_scene_motion* motions, size_t count) {
    const apart_scene* scene = all->scene;
    all->motion = calloc((size_t)scene->room + 1, sizeof *all->motion);
    all->box = malloc(((size_t)scene->room + 1) * sizeof *all->box);
    if (!all->motion || !all->box || !apart_box_tree_reserve(&all->tree, scene->room)) return APART_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; ++i) {
        if (!scene_find(scene, motions[i].id) || all->motion[scene->place[motions[i].id]]) return APART_INVALID;
        all->motion[scene->place[motions[i].id]] = &motions[i].motion;
    }
    for (uint32_t id = 0; id < scene->ids; ++id) {
        const scene_record* r = scene_find(scene, id);
        if (!r) continue;
        uint32_t place = scene->place[id];
        const apart_motion still = {.start = r->body.pose};
        all->box[place] = r->box;
        if (scene_is_unbounded(r)) continue;
        apart_status status =
            find_swept_box(r->body.shape, all->motion[place] ? all->motion[place] : &still, &all->box[place]);
        if (status != APART_OK) return status;
        apart_box_tree_insert(&all->tree, place, &all->box[place]);
    }
    return APART_OK;
}

static apart_status find_contacts(const apart_scene* scene, const apart_scene_motion* motions, size_t count,
                                  const apart_motion_query* query, int threads, found_fn found, void* context) {
    const apart_motion_query defaults = {0};
    if (!scene || (!motions && count > 0) || threads < 0) return APART_INVALID;
    scene_in_motion all = {.scene = scene, .tree = box_tree_empty, .query = query ? query : &defaults};
    apart_status status = apart_number_check(all.query->clearance);
    if (status == APART_OK) status = prepare(&all, motions, count);
    const pair_search s = {.scene = scene,
                           .tree = &all.tree,
                           .clearance = all.query->clearance,
                           .size = sizeof(apart_scene_contact),
                           .slow = true,
                           .task = &all,
                           .measure = measure_contacts};
    if (status == APART_OK) status = apart_pairs_run(&s, threads, found, context);
    free((void*)all.motion);
    free(all.box);
    apart_box_tree_free(&all.tree);
    return status;
}

// ------------------------------------------------------------------------------------------------------- calls ----

/// The caller's function, behind one of another type.
typedef struct contact_report {
    apart_contact_fn found;
    void* context;
} contact_report;

static bool report_contact(const void* item, void* context) {
    const contact_report* r = context;
    return r->found(item, r->context);
}

apart_status apart_scene_contacts(const apart_scene* scene, const apart_scene_motion* motions, size_t count,
                                  const apart_motion_query* query, int threads, apart_contact_fn found, void* context) {
    contact_report report = {found, context};
    return found ? find_contacts(scene, motions, count, query, threads, report_contact, &report) : APART_INVALID;
}

/// The earliest so far; a is APART_NO_BODY if there is none.
static bool keep_earliest(const void* item, void* context) {
    const apart_scene_contact* c = item;
    apart_scene_contact* first = context;
    if (first->a == APART_NO_BODY || c->contact.time < first->contact.time) *first = *c;
    return true;
}

apart_status apart_scene_first_contact(const apart_scene* scene, const apart_scene_motion* motions, size_t count,
                                       const apart_motion_query* query, int threads, apart_scene_contact* first) {
    apart_scene_contact earliest = {.a = APART_NO_BODY};
    if (!first) return APART_INVALID;
    apart_status status = find_contacts(scene, motions, count, query, threads, keep_earliest, &earliest);
    if (status == APART_OK && earliest.a == APART_NO_BODY) status = APART_EMPTY;
    if (status == APART_OK) *first = earliest;
    return status;
}

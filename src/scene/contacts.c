// A scene in motion: which pairs meet, and when first. Boxes around all that a body sweeps over say which pairs may.
#include "base/pose.h"
#include "motion/moving.h"
#include "scene/pairs.h"

#include <stdlib.h>

typedef struct contact_task {
    const apart_scene* scene;
    const apart_motion_query* query;
    const apart_motion** motion; // of each record; NULL: the body stays
    box_tree tree;               // of the boxes of all that the bodies sweep over
    apart_contact_fn found;
    void* context;
} contact_task;

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
    *box = aabb_everywhere;
    if (shape->kind == SHAPE_HALFSPACE) return APART_OK;
    apart_status status = apart_path_init(&body.path, motion);
    if (status != APART_OK) return status;
    const double reach = apart_moving_piece(&body, 0).reach;
    const size_t pieces = motion->kind == APART_MOTION_KEYS ? motion->key_count - 1 : 1;
    // Both ends of each piece: an instant between two of them belongs to both.
    for (size_t i = 0; i < 2 * pieces; ++i) {
        status = apart_path_at(&body.path, time_of(motion, (i + 1) / 2), i % 2 == 1, &body.now);
        if (status != APART_OK) return status;
        const aabb here = box_at(&body, reach);
        *box = i == 0 ? here : aabb_union(box, &here);
    }
    return APART_OK;
}

// ------------------------------------------------------------------------------------------------------- pairs ----

/// A pair of which neither moves is FREE.
static apart_status measure_contact(const pair_search* s, size_t i, apart_contact* contact) {
    const contact_task* task = s->task;
    const scene_record *a = pair_body(s, i, true), *b = pair_body(s, i, false);
    const apart_motion *motion_a = task->motion[a - task->scene->records],
                       *motion_b = task->motion[b - task->scene->records];
    const apart_motion still_a = {.start = a->body.pose}, still_b = {.start = b->body.pose};
    apart_motion_query query = *task->query;
    query.clearance = pair_limit(query.clearance, a->body.margin, b->body.margin);
    *contact = (apart_contact){.kind = APART_FREE};
    if (!motion_a && !motion_b) return APART_OK;
    return apart_first_contact(a->body.shape, motion_a ? motion_a : &still_a, b->body.shape,
                               motion_b ? motion_b : &still_b, &query, contact);
}

static void measure_contacts(const void* job, size_t from, size_t to, failure* lowest) {
    const pair_search* s = job;
    apart_contact* contacts = s->answers;
    for (size_t i = from; i < to; ++i) {
        s->statuses[i] = measure_contact(s, i, &contacts[i]);
        failure_note(lowest, i, s->statuses[i]);
    }
}

static bool report_contact(const pair_search* s, size_t i) {
    const contact_task* task = s->task;
    const apart_scene_contact c = {pair_body(s, i, true)->id, pair_body(s, i, false)->id,
                                   ((const apart_contact*)s->answers)[i]};
    return c.contact.kind == APART_FREE || task->found(&c, task->context);
}

/// Checks the motions and finds all boxes. What is allocated is freed by the caller, whatever is returned.
static apart_status prepare(contact_task* task, const apart_scene_motion* motions, size_t count) {
    const apart_scene* scene = task->scene;
    const uint32_t bodies = scene->tree.items;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers it is
    task->motion = calloc((size_t)bodies + 1, sizeof *task->motion);
    if (!task->motion) return APART_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; ++i) {
        const scene_record* r = scene_find(scene, motions[i].id);
        if (!r || task->motion[r - scene->records]) return APART_INVALID;
        task->motion[r - scene->records] = &motions[i].motion;
    }
    for (uint32_t i = 0; i < bodies; ++i) {
        const apart_scene_body* body = &scene->records[i].body;
        const apart_motion still = {.start = body->pose};
        aabb box;
        apart_status status = find_swept_box(body->shape, task->motion[i] ? task->motion[i] : &still, &box);
        if (status == APART_OK && !apart_box_tree_reserve(&task->tree)) status = APART_OUT_OF_MEMORY;
        if (status != APART_OK) return status;
        apart_box_tree_insert(&task->tree, &box);
    }
    return APART_OK;
}

apart_status apart_scene_contacts(const apart_scene* scene, const apart_scene_motion* motions, size_t count,
                                  const apart_motion_query* query, int threads, apart_contact_fn found, void* context) {
    const apart_motion_query defaults = {0};
    if (!scene || (!motions && count > 0) || threads < 0 || !found) return APART_INVALID;
    contact_task task = {.scene = scene, .query = query ? query : &defaults, .found = found, .context = context};
    apart_status status = apart_motion_query_check(task.query);
    if (status == APART_OK) status = prepare(&task, motions, count);
    pair_search s = {.scene = scene,
                     .tree = &task.tree,
                     .clearance = task.query->clearance,
                     .size = sizeof(apart_contact),
                     .grain = 1,
                     .task = &task,
                     .measure = measure_contacts,
                     .report = report_contact};
    if (status == APART_OK) status = apart_pairs_run(&s, threads);
    free((void*)task.motion);
    apart_box_tree_free(&task.tree);
    return status;
}

/// The earliest so far; a is APART_NO_BODY if there is none.
static bool keep_earliest(const apart_scene_contact* c, void* context) {
    apart_scene_contact* first = context;
    if (first->a == APART_NO_BODY || c->contact.time < first->contact.time) *first = *c;
    return true;
}

apart_status apart_scene_first_contact(const apart_scene* scene, const apart_scene_motion* motions, size_t count,
                                       const apart_motion_query* query, int threads, apart_scene_contact* first) {
    apart_scene_contact earliest = {.a = APART_NO_BODY};
    if (!first) return APART_INVALID;
    apart_status status = apart_scene_contacts(scene, motions, count, query, threads, keep_earliest, &earliest);
    if (status == APART_OK && earliest.a == APART_NO_BODY) status = APART_EMPTY;
    if (status == APART_OK) *first = earliest;
    return status;
}

// A scene in motion: which pairs meet, and when first. Boxes around all that a body sweeps over say which pairs may.
#include "base/pose.h"
#include "motion/moving.h"
#include "scene/pairs.h"

#include <stdlib.h>

typedef struct contact_search {
    pair_search pairs;
    const apart_motion_query* query;
    const apart_motion** motion; // of each record; NULL: the body stays
    box_tree tree;               // of the boxes of all that the bodies sweep over
    apart_contact_fn found;
    void* context;
} contact_search;

/// A box around the body during the piece of its path that begins at this moment, seen from there. A body that turns is
/// in the ball about its pivot; one that does not is in its box. Each matrix stands for the rotation nearest to it,
/// which is 2e-6 away at most. Rounding is 2^-40 of all that enters, at most.
static aabb box_at(const mover* body, double reach) {
    const moment* now = &body->now;
    bool turns = !now->known || now->rate_most > 0;
    aabb box = turns ? (aabb){now->pivot, now->pivot} : apart_scene_box(body->shape, &now->pose);
    double size = reach + vec3_max_abs(now->pivot) + vec3_max_abs(now->pose.translation);
    double error = now->place_error + now->turn_error * reach + 2e-6 * reach + size * 0x1p-40 + 0x1p-1070;
    double wider = error + (turns ? reach : 0) + (now->known ? 0 : now->speed);
    const vec3 d = {wider, wider, wider};
    return (aabb){vec3_sub(box.lower, d), vec3_add(box.upper, d)};
}

/// On a piece of its path each point of the body, or its pivot, goes straight: it is in the union of the boxes at both
/// ends.
static apart_status find_swept_box(const apart_shape* shape, const apart_motion* motion, aabb* box) {
    mover body = {.shape = shape};
    *box = aabb_everywhere;
    apart_status status = apart_path_init(&body.path, motion);
    if (status != APART_OK || shape->kind == SHAPE_HALFSPACE) return status;
    const double reach = apart_moving_piece(&body, 0).reach;
    double time = 0;
    for (int i = 0; i % 2 == 1 || time < 1; ++i) {
        status = apart_path_at(&body.path, time, i % 2 == 1, &body.now);
        if (status != APART_OK) return status;
        const aabb here = box_at(&body, reach);
        *box = i == 0 ? here : aabb_union(box, &here);
        if (i % 2 == 0) time = body.now.until;
    }
    return APART_OK;
}

/// A pair of which neither moves is FREE.
static void measure_contacts(const void* job, size_t from, size_t to, failure* lowest) {
    const contact_search* c = job;
    const scene_record* records = c->pairs.scene->records;
    for (size_t i = from; i < to; ++i) {
        const scene_record *a = pair_body(&c->pairs, i, true), *b = pair_body(&c->pairs, i, false);
        const apart_motion *motion_a = c->motion[a - records], *motion_b = c->motion[b - records];
        const apart_motion still_a = {.start = a->body.pose}, still_b = {.start = b->body.pose};
        apart_contact* contact = (apart_contact*)c->pairs.answers + i;
        apart_motion_query query = *c->query;
        query.clearance = pair_limit(query.clearance, a, b);
        c->pairs.statuses[i] = APART_OK;
        contact->kind = APART_FREE;
        if (motion_a || motion_b)
            c->pairs.statuses[i] = apart_first_contact(a->body.shape, motion_a ? motion_a : &still_a, b->body.shape,
                                                       motion_b ? motion_b : &still_b, &query, contact);
        failure_note(lowest, i, c->pairs.statuses[i]);
    }
}

static bool report_contact(const pair_search* s, size_t i) {
    const contact_search* c = (const contact_search*)s;
    const apart_scene_contact found = {pair_body(s, i, true)->id, pair_body(s, i, false)->id,
                                       ((const apart_contact*)s->answers)[i]};
    return found.contact.kind == APART_FREE || c->found(&found, c->context);
}

/// Checks the motions and finds all boxes. What is allocated is freed by the caller, whatever is returned.
static apart_status find_swept_boxes(contact_search* c, const apart_scene_motion* motions, size_t count) {
    const apart_scene* scene = c->pairs.scene;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers it is
    c->motion = calloc((size_t)scene->tree.items + 1, sizeof *c->motion);
    if (!c->motion) return APART_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; ++i) {
        const scene_record* r = scene_find(scene, motions[i].id);
        if (!r || c->motion[r - scene->records]) return APART_INVALID;
        c->motion[r - scene->records] = &motions[i].motion;
    }
    for (uint32_t i = 0; i < scene->tree.items; ++i) {
        const apart_scene_body* body = &scene->records[i].body;
        const apart_motion still = {.start = body->pose};
        aabb box;
        apart_status status = find_swept_box(body->shape, c->motion[i] ? c->motion[i] : &still, &box);
        if (status == APART_OK && !apart_box_tree_reserve(&c->tree)) status = APART_OUT_OF_MEMORY;
        if (status != APART_OK) return status;
        apart_box_tree_insert(&c->tree, &box);
    }
    return APART_OK;
}

apart_status apart_scene_contacts(const apart_scene* scene, const apart_scene_motion* motions, size_t count,
                                  const apart_motion_query* query, int threads, apart_contact_fn found, void* context) {
    const apart_motion_query defaults = {0};
    if (!scene || (!motions && count > 0) || threads < 0 || !found) return APART_INVALID;
    contact_search c = {.query = query ? query : &defaults, .found = found, .context = context};
    apart_status status = apart_motion_query_check(c.query);
    c.pairs = (pair_search){.scene = scene, .clearance = c.query->clearance, .size = sizeof(apart_contact), .grain = 1};
    c.pairs.measure = measure_contacts;
    c.pairs.report = report_contact;
    if (status == APART_OK) status = find_swept_boxes(&c, motions, count);
    if (status == APART_OK) status = apart_pairs_run(&c.pairs, &c.tree, threads);
    free((void*)c.motion);
    apart_box_tree_free(&c.tree);
    return status;
}

static bool keep_earliest(const apart_scene_contact* c, void* context) {
    apart_scene_contact* first = context;
    if (c->contact.time < first->contact.time) *first = *c;
    return true;
}

apart_status apart_scene_first_contact(const apart_scene* scene, const apart_scene_motion* motions, size_t count,
                                       const apart_motion_query* query, int threads, apart_scene_contact* first) {
    apart_scene_contact earliest = {.a = APART_NO_BODY, .contact = {.time = INFINITY}};
    if (!first) return APART_INVALID;
    apart_status status = apart_scene_contacts(scene, motions, count, query, threads, keep_earliest, &earliest);
    if (status == APART_OK && earliest.a == APART_NO_BODY) status = APART_EMPTY;
    if (status == APART_OK) *first = earliest;
    return status;
}

// Many bodies: adding, moving and removing them, and the nearest of them (Quinlan 1994, sec. 5: a tree over the
// bodies).
#include "scene/scene.h"

#include "base/error.h"
#include "base/pose.h"
#include "query.h"

#include <stdlib.h>

// ------------------------------------------------------------------------------------------------------- boxes ----

static bool is_unbounded(const apart_shape* shape) { return !(shape->bound < INFINITY); }

/// How far a body reaches along direction d of its own coordinates, in stored units.
static double reach_along(const apart_shape* s, vec3 d) {
    if (shape_is_convex(s)) return vec3_dot(d, apart_support_find(s, d, SEARCH_BEST, 0).point);
    vec3 middle = vec3_scale(0.5, vec3_add(s->lower, s->upper)), half = vec3_scale(0.5, vec3_sub(s->upper, s->lower));
    return vec3_dot(d, middle) + fabs(d.x) * half.x + fabs(d.y) * half.y + fabs(d.z) * half.z;
}

/// One end of a body along an axis of the world, which is row d of its rotation. Support points and what is made of
/// them are wrong by a few roundings of the sizes that enter: 2^-46 is 128 of them.
static double end_along(const apart_shape* s, vec3 d, double place) {
    double size = s->scale * s->bound + s->radius + vec3_sum_abs(s->origin) + fabs(place);
    return s->scale * reach_along(s, d) + vec3_dot(d, s->origin) + s->radius + place + size * 0x1p-46 + 0x1p-1070;
}

aabb apart_scene_box(const apart_shape* shape, const apart_pose* pose) {
    double lower[3], upper[3];
    const double place[3] = {pose->translation.x, pose->translation.y, pose->translation.z};
    for (int i = 0; i < 3; ++i) {
        const double* row = pose->rotation.m[i];
        vec3 d = vec3_make(row[0], row[1], row[2]);
        upper[i] = end_along(shape, d, place[i]);
        lower[i] = -end_along(shape, vec3_neg(d), -place[i]);
    }
    return (aabb){vec3_make(lower[0], lower[1], lower[2]), vec3_make(upper[0], upper[1], upper[2])};
}

static void set_pose(scene_record* r, const apart_pose* pose) {
    static const aabb all = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    r->body.pose = *pose;
    r->box = is_unbounded(r->body.shape) ? all : apart_scene_box(r->body.shape, pose);
}

apart_status apart_scene_read_body(const apart_scene_body* body, scene_record* r) {
    if (!body->shape) return APART_INVALID;
    apart_status status = apart_pose_check(&body->pose);
    if (status == APART_OK) status = apart_number_check(body->margin);
    if (status == APART_OK && body->margin < 0) status = APART_INVALID;
    if (status != APART_OK) return status;
    *r = (scene_record){.body = *body, .leaf = BOX_NONE};
    if (r->body.group == 0) r->body.group = UINT32_MAX;
    if (r->body.mask == 0) r->body.mask = UINT32_MAX;
    set_pose(r, &body->pose);
    return APART_OK;
}

// ------------------------------------------------------------------------------------------- who with whom ----

static uint64_t pair_key(uint32_t a, uint32_t b) { return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a; }

/// Where a key is, or would be. There is an empty place.
static uint64_t* pair_place(const pair_set* s, uint64_t key) {
    // Multiplied by 2^64 over the golden ratio, keys that follow each other lie far apart (Knuth, vol. 3, 6.4).
    size_t i = (size_t)((key * 0x9e3779b97f4a7c15u) >> 32);
    for (;; ++i) {
        uint64_t* at = &s->key[i & (s->room - 1)];
        if (*at == 0 || *at == key) return at;
    }
}

static bool pair_set_has(const pair_set* s, uint64_t key) { return s->count > 0 && *pair_place(s, key) == key; }

/// False if there is no memory for it.
static bool pair_set_add(pair_set* s, uint64_t key) {
    if (2 * s->count >= s->room) {
        pair_set more = {.count = s->count, .room = s->room > 0 ? 2 * s->room : 16};
        more.key = calloc(more.room, sizeof *more.key);
        if (!more.key) return false;
        for (size_t i = 0; i < s->room; ++i)
            if (s->key[i] != 0) *pair_place(&more, s->key[i]) = s->key[i];
        free(s->key);
        *s = more;
    }
    uint64_t* at = pair_place(s, key);
    s->count += *at == 0;
    *at = key;
    return true;
}

bool apart_scene_compares(const apart_scene* scene, const scene_record* a, const scene_record* b) {
    if (!(a->body.group & b->body.mask) || !(b->body.group & a->body.mask)) return false;
    if (is_unbounded(a->body.shape) && is_unbounded(b->body.shape)) return false;
    return a->id == APART_NO_BODY || !pair_set_has(&scene->excluded, pair_key(a->id, b->id));
}

// ------------------------------------------------------------------------------------------------------ bodies ----

apart_scene* apart_scene_create(apart_error* error) {
    apart_scene* scene = malloc(sizeof *scene);
    if (!scene) return apart_fail(error, APART_OUT_OF_MEMORY, "out of memory: a scene");
    *scene = (apart_scene){.unused = BOX_NONE, .tree = box_tree_empty};
    return scene;
}

void apart_scene_release(apart_scene* scene) {
    if (!scene) return;
    for (uint32_t id = 0; id < scene->ids; ++id)
        if (scene->place[id] != BOX_NONE) apart_shape_release(scene->records[scene->place[id]].body.shape);
    free(scene->records);
    free(scene->place);
    free(scene->unbounded);
    free(scene->tree.nodes);
    free(scene->excluded.key);
    free(scene);
}

/// Makes an array hold one more, by doubling it. False if there is no memory for it: it is as it was.
static bool make_room(void** array, uint32_t count, uint32_t* room, size_t size) {
    if (count < *room) return true;
    if (*room > INT32_MAX / 2) return false;
    uint32_t more = *room > 0 ? 2 * *room : 16;
    void* larger_one = realloc(*array, more * size);
    if (!larger_one) return false;
    *array = larger_one;
    *room = more;
    return true;
}

/// Room for one more body wherever it will be noted.
static bool make_room_for_body(apart_scene* s) {
    return (s->unused != BOX_NONE || make_room((void**)&s->records, s->count, &s->room, sizeof *s->records)) &&
           make_room((void**)&s->place, s->ids, &s->ids_room, sizeof *s->place) &&
           make_room((void**)&s->unbounded, s->unbounded_count, &s->unbounded_room, sizeof *s->unbounded) &&
           apart_box_tree_reserve(&s->tree, s->room);
}

static uint32_t take_place(apart_scene* s) {
    uint32_t place = s->unused;
    if (place == BOX_NONE) return s->count++;
    s->unused = s->records[place].leaf;
    return place;
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
    if (!make_room_for_body(scene)) {
        apart_fail(error, APART_OUT_OF_MEMORY, "out of memory: a scene of %u bodies", scene->live + 1);
        return APART_OUT_OF_MEMORY;
    }
    uint32_t place = take_place(scene);
    r.id = scene->ids;
    if (is_unbounded(body->shape))
        scene->unbounded[scene->unbounded_count++] = place;
    else
        r.leaf = apart_box_tree_insert(&scene->tree, place, &r.box);
    apart_shape_retain(body->shape);
    scene->records[place] = r;
    scene->place[scene->ids++] = place;
    scene->live += 1;
    scene->long_count += !shape_is_convex(body->shape);
    scene->largest_margin = larger(scene->largest_margin, body->margin);
    if (id) *id = r.id;
    return APART_OK;
}

/// The same, to be changed.
static scene_record* find_record(apart_scene* scene, uint32_t id) {
    return scene_find(scene, id) ? &scene->records[scene->place[id]] : NULL;
}

apart_status apart_scene_move(apart_scene* scene, uint32_t id, const apart_pose* pose) {
    scene_record* r = find_record(scene, id);
    if (!r || !pose) return APART_INVALID;
    apart_status status = apart_pose_check(pose);
    if (status != APART_OK) return status;
    set_pose(r, pose);
    if (r->leaf != BOX_NONE) apart_box_tree_move(&scene->tree, r->leaf, &r->box);
    return APART_OK;
}

apart_status apart_scene_remove(apart_scene* scene, uint32_t id) {
    scene_record* r = find_record(scene, id);
    if (!r) return APART_INVALID;
    uint32_t place = scene->place[id], kept = 0;
    if (r->leaf != BOX_NONE) apart_box_tree_remove(&scene->tree, r->leaf);
    for (uint32_t i = 0; i < scene->unbounded_count; ++i)
        if (scene->unbounded[i] != place) scene->unbounded[kept++] = scene->unbounded[i];
    scene->unbounded_count = kept;
    scene->live -= 1;
    scene->long_count -= !shape_is_convex(r->body.shape);
    apart_shape_release(r->body.shape);
    r->leaf = scene->unused;
    scene->unused = place;
    scene->place[id] = BOX_NONE;
    return APART_OK;
}

apart_status apart_scene_exclude(apart_scene* scene, uint32_t id, uint32_t other) {
    if (id == other || !scene_find(scene, id) || !scene_find(scene, other)) return APART_INVALID;
    return pair_set_add(&scene->excluded, pair_key(id, other)) ? APART_OK : APART_OUT_OF_MEMORY;
}

bool apart_scene_is_compared(const apart_scene* scene, uint32_t id, uint32_t other) {
    const scene_record* a = scene_find(scene, id);
    const scene_record* b = scene_find(scene, other);
    return a && b && a != b && apart_scene_compares(scene, a, b);
}

size_t apart_scene_count(const apart_scene* scene) { return scene ? scene->live : 0; }

apart_status apart_scene_get(const apart_scene* scene, uint32_t id, apart_scene_body* body) {
    const scene_record* r = scene_find(scene, id);
    if (!r || !body) return APART_INVALID;
    *body = r->body;
    return APART_OK;
}

// ---------------------------------------------------------------------------------------------------- partners ----

/// Those of one body.
typedef struct partner_search {
    const apart_scene* scene;
    const scene_record* record;
    box_search boxes;
    uint32_t next; // of the unbounded bodies
} partner_search;

static void partners_begin(partner_search* s, const apart_scene* scene, const scene_record* record) {
    s->scene = scene;
    s->record = record;
    s->next = 0;
    apart_box_search_begin(&s->boxes, &scene->tree, &record->box);
}

/// The next body that is compared with this one and whose box is within `limit` of it. NULL: no more.
static const scene_record* partners_next(partner_search* s, double limit) {
    const apart_scene* scene = s->scene;
    uint32_t item;
    double bound;
    while (apart_box_search_next(&s->boxes, limit, &item, &bound)) {
        const scene_record* r = &scene->records[item];
        if (r->id != s->record->id && apart_scene_compares(scene, s->record, r)) return r;
    }
    while (s->next < scene->unbounded_count) {
        const scene_record* r = &scene->records[scene->unbounded[s->next++]];
        if (r->id != s->record->id && apart_scene_compares(scene, s->record, r)) return r;
    }
    return NULL;
}

// ----------------------------------------------------------------------------------------------------- nearest ----

/// The nearest pair so far: the least distance and, of equals, the lowest ids. What has a lower end above its upper end
/// cannot be it; so it does not matter in which order the pairs come.
typedef struct nearest_pair {
    apart_query query;
    apart_scene_pair best;
    bool found;
} nearest_pair;

static double nearest_limit(const nearest_pair* n) {
    return n->found ? smaller(n->best.result.upper_bound, n->query.cutoff) : n->query.cutoff;
}

static bool comes_before(const apart_scene_pair* p, const apart_scene_pair* q) {
    if (p->result.distance != q->result.distance) return p->result.distance < q->result.distance;
    return p->a != q->a ? p->a < q->a : p->b < q->b;
}

static apart_status nearest_try(nearest_pair* n, const scene_record* a, const scene_record* b) {
    // A cutoff ends the search of a pair that is farther apart than the best; of a mesh it may also change which of two
    // places at the same distance is found. So whatever is not farther is measured without it.
    double limit = nearest_limit(n);
    apart_query query = n->query;
    apart_scene_pair p = {.a = a->id, .b = b->id};
    query.cutoff = nextafter(limit, INFINITY);
    bool convex = shape_is_convex(a->body.shape) && shape_is_convex(b->body.shape);
    for (int pass = convex || limit == INFINITY; pass < 2; ++pass) {
        apart_status status =
            apart_distance(a->body.shape, &a->body.pose, b->body.shape, &b->body.pose, &query, NULL, &p.result);
        if (status != APART_OK) return status;
        if (p.result.lower_bound > limit) return APART_OK;
        query.cutoff = n->query.cutoff;
    }
    if (p.result.lower_bound >= n->query.cutoff) return APART_OK;
    if (!n->found || comes_before(&p, &n->best)) n->best = p;
    n->found = true;
    return APART_OK;
}

/// The same, lower id first; not if both overlap, and the best does so too and has lower ids.
static apart_status nearest_try_in_order(nearest_pair* n, const scene_record* a, const scene_record* b) {
    if (a->id > b->id) return nearest_try_in_order(n, b, a);
    bool touching = n->found && n->query.depth == APART_DEPTH_NONE && n->best.result.distance == 0;
    if (touching && (a->id > n->best.a || (a->id == n->best.a && b->id >= n->best.b))) return APART_OK;
    return nearest_try(n, a, b);
}

/// Compares one body with all that may be as near as the best so far.
static apart_status nearest_partner(nearest_pair* n, const apart_scene* scene, const scene_record* r, bool in_order) {
    partner_search s;
    const scene_record* other;
    partners_begin(&s, scene, r);
    while ((other = partners_next(&s, nearest_limit(n)))) {
        apart_status status = in_order ? nearest_try_in_order(n, r, other) : nearest_try(n, r, other);
        if (status != APART_OK) return status;
    }
    return APART_OK;
}

static apart_status nearest_begin(nearest_pair* n, const apart_query* query) {
    n->found = false;
    return query_read_for_many(query, 0, &n->query);
}

static apart_status nearest_end(const nearest_pair* n, apart_status status, apart_scene_pair* out) {
    if (status != APART_OK) return status;
    if (!n->found) return APART_EMPTY;
    *out = n->best;
    return APART_OK;
}

apart_status apart_scene_nearest(const apart_scene* scene, uint32_t id, const apart_query* query,
                                 apart_scene_pair* nearest) {
    const scene_record* r = scene_find(scene, id);
    nearest_pair n;
    if (!r || !nearest) return APART_INVALID;
    apart_status status = nearest_begin(&n, query);
    if (status == APART_OK) status = nearest_partner(&n, scene, r, false);
    return nearest_end(&n, status, nearest);
}

apart_status apart_scene_nearest_to(const apart_scene* scene, const apart_scene_body* visitor, const apart_query* query,
                                    apart_scene_pair* nearest) {
    scene_record r;
    nearest_pair n;
    if (!scene || !visitor || !nearest) return APART_INVALID;
    apart_status status = apart_scene_read_body(visitor, &r);
    r.id = APART_NO_BODY;
    if (status == APART_OK) status = nearest_begin(&n, query);
    if (status == APART_OK) status = nearest_partner(&n, scene, &r, false);
    return nearest_end(&n, status, nearest);
}

/// So many bodies are compared with their partners first, in order of their ids: where many overlap, that is all.
#define FIRST_BODIES 256

apart_status apart_scene_closest(const apart_scene* scene, const apart_query* query, apart_scene_pair* closest) {
    nearest_pair n;
    if (!scene || !closest) return APART_INVALID;
    apart_status status = nearest_begin(&n, query);
    const bool flat = n.query.depth == APART_DEPTH_NONE; // nothing is nearer than an overlap
    for (uint32_t id = 0; id < scene->ids && id < FIRST_BODIES && status == APART_OK; ++id) {
        const scene_record* r = scene_find(scene, id);
        if (r) status = nearest_partner(&n, scene, r, true);
        // No later pair has lower ids.
        if (n.found && flat && n.best.result.distance == 0) return nearest_end(&n, status, closest);
    }
    for (uint32_t i = 0; i < scene->unbounded_count && status == APART_OK; ++i)
        status = nearest_partner(&n, scene, &scene->records[scene->unbounded[i]], true);
    box_join join;
    uint32_t one, other;
    double bound;
    apart_box_join_begin(&join, &scene->tree);
    while (status == APART_OK && apart_box_join_next(&join, nearest_limit(&n), &one, &other, &bound)) {
        const scene_record *a = &scene->records[one], *b = &scene->records[other];
        if (apart_scene_compares(scene, a, b)) status = nearest_try_in_order(&n, a, b);
    }
    return nearest_end(&n, status, closest);
}

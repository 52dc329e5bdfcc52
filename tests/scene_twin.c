#include "scene_twin.h"

#include "answers.h"
#include "mesh_models.h"

#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------------ shapes ----

apart_shape* twin_shapes[TWIN_SHAPES];
static body bodies[TWIN_SHAPES]; // support functions read them

static apart_shape* two_balls(void) {
    apart_shape* ball = apart_shape_sphere(0.5, NULL);
    apart_part part[2] = {{ball, pose_at(-0.6, 0, 0)}, {ball, pose_at(0.6, 0, 0)}};
    apart_shape* both = apart_shape_union(part, 2, NULL);
    apart_shape_release(ball);
    return both;
}

bool twin_shapes_open(void) {
    rng r = rng_seed(5);
    bool good = true;
    for (int i = 0; i < TWIN_SHAPES; i++) {
        if (i % 10 == 8) {
            surface s = i % 20 == 8 ? model_torus(12, 8, 0.25) : model_bracket();
            twin_shapes[i] = surface_shape(&s, NULL);
            surface_free(&s);
        } else if (i % 10 == 9) {
            twin_shapes[i] = two_balls();
        } else {
            body_random(&r, &bodies[i], 30);
            twin_shapes[i] = body_shape(&bodies[i], NULL);
        }
        good = good && twin_shapes[i];
    }
    return good;
}

void twin_shapes_close(void) {
    for (int i = 0; i < TWIN_SHAPES; i++) apart_shape_release(twin_shapes[i]);
}

// ----------------------------------------------------------------------------------------------------- changes ----

scene_twin* twin_open(int most) {
    scene_twin* t = calloc(1, sizeof *t);
    t->scene = apart_scene_create(NULL);
    t->most = most;
    t->body = calloc((size_t)most, sizeof *t->body);
    t->live = calloc((size_t)most, sizeof *t->live);
    t->excluded = calloc((size_t)most * (size_t)most, sizeof *t->excluded);
    return t;
}

void twin_close(scene_twin* t) {
    apart_scene_release(t->scene);
    free(t->body);
    free(t->live);
    free(t->excluded);
    free(t);
}

apart_scene_body twin_random_body(rng* r, double half) {
    apart_scene_body b = {.shape = twin_shapes[rng_below(r, TWIN_SHAPES)], .pose = rng_pose(r, rng_in_cube(r, half))};
    if (rng_chance(r, 0.2)) b.margin = rng_uniform(r, 0, 0.2);
    if (rng_chance(r, 0.2)) b.group = 1u << rng_below(r, 3);
    if (rng_chance(r, 0.2)) b.mask = 3u << rng_below(r, 2);
    return b;
}

bool twin_add(scene_twin* t, const apart_scene_body* b) {
    uint32_t id = UINT32_MAX;
    if (apart_scene_add(t->scene, b, &id, NULL) != APART_OK || id != (uint32_t)t->ids) return false;
    t->body[id] = *b;
    t->live[id] = true;
    t->ids++;
    return true;
}

static bool move_one(scene_twin* t, int id, rng* r, double half, apart_status expected) {
    apart_pose p = rng_pose(r, rng_in_cube(r, half));
    if (rng_chance(r, 0.5)) {
        p = t->body[id].pose;
        p.translation.x += rng_uniform(r, -0.1, 0.1);
    }
    if (apart_scene_move(t->scene, (uint32_t)id, &p) != expected) return false;
    if (expected == APART_OK) t->body[id].pose = p;
    return true;
}

static bool exclude_one(scene_twin* t, int id, int other, apart_status expected) {
    if (other == id || !t->live[other]) expected = APART_INVALID;
    if (apart_scene_exclude(t->scene, (uint32_t)id, (uint32_t)other) != expected) return false;
    if (expected == APART_OK) t->excluded[id * t->most + other] = t->excluded[other * t->most + id] = true;
    return true;
}

bool twin_change(scene_twin* t, rng* r, double half) {
    int what = rng_below(r, 10), id = t->ids > 0 ? rng_below(r, t->ids) : 0;
    apart_status expected = t->ids > 0 && t->live[id] ? APART_OK : APART_INVALID;
    if ((what < 4 || t->ids == 0) && t->ids < t->most) {
        apart_scene_body b = twin_random_body(r, half);
        return twin_add(t, &b);
    }
    if (what < 7) return move_one(t, id, r, half, expected);
    if (what == 9) return exclude_one(t, id, rng_below(r, t->ids), expected);
    t->live[id] = false;
    return apart_scene_remove(t->scene, (uint32_t)id) == expected;
}

bool twin_compares(const scene_twin* t, int a, int b) {
    const apart_scene_body *p = &t->body[a], *q = &t->body[b];
    uint32_t group_p = p->group ? p->group : ~0u, group_q = q->group ? q->group : ~0u;
    uint32_t mask_p = p->mask ? p->mask : ~0u, mask_q = q->mask ? q->mask : ~0u;
    return a != b && t->live[a] && t->live[b] && !t->excluded[a * t->most + b] && (group_p & mask_q) &&
           (group_q & mask_p);
}

bool twin_copy(const scene_twin* t, scene_twin* fresh) {
    bool good = true;
    for (int id = 0; id < t->ids; id++) {
        good = twin_add(fresh, &t->body[id]) && good;
        if (t->live[id]) continue;
        good = apart_scene_remove(fresh->scene, (uint32_t)id) == APART_OK && good;
        fresh->live[id] = false;
    }
    for (int a = 0; a < t->ids; a++)
        for (int b = 0; b < a; b++)
            if (t->excluded[a * t->most + b] && t->live[a] && t->live[b])
                good = exclude_one(fresh, a, b, APART_OK) && good;
    return good;
}

// ------------------------------------------------------------------------------------------------------ within ----

static bool note_pair(const apart_scene_pair* p, void* context) {
    twin_report* r = context;
    if (r->count == r->room) {
        r->room = 2 * r->room + 64;
        r->pair = realloc(r->pair, (size_t)r->room * sizeof *r->pair);
    }
    r->hash ^= (uint64_t)p->a << 32 | p->b;
    hash_answer(&r->hash, &p->result);
    r->pair[r->count++] = *p;
    return r->count != r->enough;
}

apart_status twin_ask_within(const scene_twin* t, double clearance, const apart_query* query, int threads,
                             twin_report* found) {
    found->count = 0;
    found->hash = HASH_START;
    return apart_scene_within(t->scene, clearance, query, threads, note_pair, found);
}

static bool same_bits(const apart_result* r, const apart_result* s) {
    uint64_t x = HASH_START, y = HASH_START;
    hash_answer(&x, r);
    hash_answer(&y, s);
    return x == y;
}

// The pair by itself, with the cutoff that a scene has for it.
static bool measure_within(const scene_twin* t, int a, int b, double limit, const apart_query* query, apart_result* r) {
    const apart_pair p = {t->body[a].shape, t->body[b].shape, t->body[a].pose, t->body[b].pose};
    apart_query own = query ? *query : apart_query_default();
    own.cutoff = nextafter(limit, INFINITY);
    return apart_distance_batch(&p, 1, &own, NULL, r, NULL, 1) == APART_OK;
}

int twin_judge_within(const scene_twin* t, double clearance, const apart_query* query, int threads, twin_census* c) {
    twin_report found = {0};
    int wrong = twin_ask_within(t, clearance, query, threads, &found) != APART_OK, k = 0;
    for (int a = 0; a < t->ids; a++) {
        for (int b = a + 1; b < t->ids; b++) {
            wrong += apart_scene_is_compared(t->scene, (uint32_t)a, (uint32_t)b) != twin_compares(t, a, b);
            if (!twin_compares(t, a, b)) continue;
            const double limit = clearance + (t->body[a].margin + t->body[b].margin);
            const bool reported = k < found.count && found.pair[k].a == (uint32_t)a && found.pair[k].b == (uint32_t)b;
            apart_result r;
            wrong += !measure_within(t, a, b, limit, query, &r);
            const bool within = r.lower_bound <= limit;
            // Boxes may tell of meshes that overlap what a search does not.
            const aabb one = apart_scene_box(t->body[a].shape, &t->body[a].pose),
                       other = apart_scene_box(t->body[b].shape, &t->body[b].pose);
            const double boxes = aabb_bound(&one, &other);
            wrong += reported != within && (reported || boxes <= limit);
            wrong += reported && !same_bits(&r, &found.pair[k].result);
            k += reported;
            c->within += within;
            c->beyond += !within;
            c->overlaps += within && r.upper_bound <= 0;
        }
    }
    wrong += k != found.count;
    free(found.pair);
    return wrong;
}

// ----------------------------------------------------------------------------------------------------- nearest ----

// The partner with the least distance, by asking all; of `any` it is the best so far.
static bool nearest_by_force(const scene_twin* t, int a, bool higher, const apart_query* query, apart_scene_pair* best,
                             bool any) {
    for (int b = higher ? a + 1 : 0; b < t->ids; b++) {
        if (!twin_compares(t, a, b)) continue;
        apart_scene_pair p = {.a = (uint32_t)a, .b = (uint32_t)b};
        apart_distance(t->body[a].shape, &t->body[a].pose, t->body[b].shape, &t->body[b].pose, query, NULL, &p.result);
        if (!any || p.result.distance < best->result.distance) *best = p;
        any = true;
    }
    return any;
}

static int judge_pair(apart_status status, const apart_scene_pair* p, bool any, const apart_scene_pair* best) {
    if (status != (any ? APART_OK : APART_EMPTY)) return 1;
    return any && (p->a != best->a || p->b != best->b || !same_bits(&p->result, &best->result));
}

int twin_judge_nearest(const scene_twin* t, int id, const apart_query* query, twin_census* c) {
    apart_scene_pair p, best;
    apart_status status = apart_scene_nearest(t->scene, (uint32_t)id, query, &p);
    if (!t->live[id]) return status != APART_INVALID;
    bool any = nearest_by_force(t, id, false, query, &best, false);
    c->nearest += any;
    c->none += !any;
    return judge_pair(status, &p, any, &best);
}

int twin_judge_closest(const scene_twin* t, const apart_query* query, twin_census* c) {
    apart_scene_pair p, best;
    bool any = false;
    for (int a = 0; a < t->ids; a++) any = nearest_by_force(t, a, true, query, &best, any);
    c->closest += any;
    return judge_pair(apart_scene_closest(t->scene, query, &p), &p, any, &best);
}

// ---------------------------------------------------------------------------------------------------- contacts ----

#define MOVERS 8

typedef struct contact_list {
    apart_scene_contact* of;
    int count, room;
    uint64_t hash;
} contact_list;

static bool note_contact(const apart_scene_contact* c, void* context) {
    contact_list* all = context;
    if (all->count == all->room) {
        all->room = 2 * all->room + 64;
        all->of = realloc(all->of, (size_t)all->room * sizeof *all->of);
    }
    all->hash ^= (uint64_t)c->a << 32 | c->b;
    hash_doubles(&all->hash, &c->contact.time, 4);
    all->of[all->count++] = *c;
    return true;
}

static apart_motion random_motion(rng* r, const apart_pose* start, double half, apart_key key[3]) {
    apart_motion m = {.kind = (apart_motion_kind)rng_below(r, 5), .start = *start};
    m.end = rng_pose(r, rng_in_cube(r, half));
    if (rng_chance(r, 0.5)) m.end.rotation = start->rotation;
    m.velocity = (apart_twist){rng_in_cube(r, 4), rng_in_cube(r, 3)};
    key[0] = (apart_key){0, *start};
    key[1] = (apart_key){0.4, m.end};
    key[2] = (apart_key){1, rng_pose(r, rng_in_cube(r, half))};
    m.keys = key;
    m.key_count = 3;
    return m;
}

// The contacts of all pairs of which one moves, one by one, and the first of all; -1: none.
static int judge_all_contacts(const scene_twin* t, const apart_motion* const* of, const contact_list* all, int* first,
                              twin_census* census) {
    int wrong = 0, k = 0;
    *first = -1;
    for (int a = 0; a < t->ids; a++) {
        for (int b = a + 1; b < t->ids; b++) {
            if (!twin_compares(t, a, b) || (!of[a] && !of[b])) continue;
            const apart_motion still_a = {.start = t->body[a].pose}, still_b = {.start = t->body[b].pose};
            const apart_motion_query own = {.clearance = 0.05 + (t->body[a].margin + t->body[b].margin)};
            apart_contact c;
            wrong += apart_first_contact(t->body[a].shape, of[a] ? of[a] : &still_a, t->body[b].shape,
                                         of[b] ? of[b] : &still_b, &own, &c) != APART_OK;
            census->free_pairs += c.kind == APART_FREE;
            census->contacts += c.kind != APART_FREE;
            if (c.kind == APART_FREE) continue;
            if (k >= all->count) return wrong + 1;
            const apart_scene_contact* told = &all->of[k];
            wrong += told->a != (uint32_t)a || told->b != (uint32_t)b || told->contact.kind != c.kind ||
                     told->contact.time != c.time;
            if (*first < 0 || c.time < all->of[*first].contact.time) *first = k;
            k++;
        }
    }
    return wrong + (k != all->count);
}

int twin_judge_contacts(const scene_twin* t, rng* r, double half, twin_census* c) {
    apart_key keys[MOVERS][3];
    apart_scene_motion motion[MOVERS];
    const apart_motion** of = calloc((size_t)t->ids + 1, sizeof *of);
    size_t movers = 0;
    for (int id = 0; id < t->ids && movers < MOVERS; id += rng_between(r, 1, 1 + t->ids / MOVERS)) {
        if (!t->live[id]) continue;
        motion[movers] = (apart_scene_motion){(uint32_t)id, random_motion(r, &t->body[id].pose, half, keys[movers])};
        of[id] = &motion[movers++].motion;
    }
    const apart_motion_query query = {.clearance = 0.05};
    contact_list all = {.hash = HASH_START};
    int wrong = apart_scene_contacts(t->scene, motion, movers, &query, 1, note_contact, &all) != APART_OK, first;
    const uint64_t hash = all.hash;
    for (int threads = 2; threads <= 4; threads++) {
        all.count = 0;
        all.hash = HASH_START;
        wrong += apart_scene_contacts(t->scene, motion, movers, &query, threads, note_contact, &all) != APART_OK;
        wrong += all.hash != hash;
    }
    wrong += judge_all_contacts(t, of, &all, &first, c);
    apart_scene_contact earliest;
    apart_status status = apart_scene_first_contact(t->scene, motion, movers, &query, 2, &earliest);
    wrong += status != (first < 0 ? APART_EMPTY : APART_OK);
    if (status == APART_OK && first >= 0)
        wrong += earliest.a != all.of[first].a || earliest.b != all.of[first].b ||
                 earliest.contact.time != all.of[first].contact.time;
    free(all.of);
    free((void*)of);
    return wrong;
}

// -------------------------------------------------------------------------------------------------------- tree ----

// Counts the items below a node. around: what its parent says is its box; NULL of the root.
static int judge_node(const scene_twin* t, uint32_t i, uint32_t parent, const aabb* around, int* items) {
    const box_tree* tree = &t->scene->tree;
    const box_node* n = &tree->nodes[i];
    int wrong = (n->parent != parent) + (n->count < 1 || n->count > BOX_FAN) + (n->level >= BOX_LEVELS);
    aabb all = box_node_at(n, 0);
    for (uint32_t k = 0; k < n->count; k++) {
        const uint32_t entry = n->entry[k], slot = i * BOX_FAN + k;
        const aabb box = box_node_at(n, k);
        all = aabb_union(&all, &box);
        if (n->level > 0) {
            wrong += tree->nodes[entry].level + 1 != n->level;
            wrong += judge_node(t, entry, slot, &box, items);
        } else {
            const scene_record* r = &t->scene->records[entry];
            const aabb own = apart_scene_box(r->body.shape, &r->body.pose);
            wrong += (tree->slot[entry] != slot) + !aabb_equal(&box, &own);
            ++*items;
        }
    }
    return wrong + (around && !aabb_equal(&all, around));
}

int twin_judge_tree(const scene_twin* t) {
    const box_tree* tree = &t->scene->tree;
    int items = 0, wrong = 0;
    if (tree->node_count > 0) wrong = judge_node(t, tree->root, BOX_NONE, NULL, &items);
    return wrong + ((size_t)items != apart_scene_count(t->scene)) + (tree->items != (uint32_t)items);
}

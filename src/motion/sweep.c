// Meshes and unions in motion: a search of the trees by the earliest possible time.
//
// Seen from an instant, points of the two bodies come towards each other by at most `speed` per unit of time. Boxes
// that are d farther apart than the clearance cannot meet before d / speed has passed: their distance is their earliest
// time. So the search for near pairs (mesh/traverse.h), depth first and nearest first, is one by the earliest time
// first, and its threshold is the time of the earliest encounter so far. Pairs of items that it hands out, triangles or
// convex parts, are followed exactly (follow.c).
//
// From far away that looks at too many pairs. So time is taken in windows, a few times as long as the bodies certainly
// stay apart by their distance alone; each is proven free, or holds the first encounter.
#include "motion/follow.h"

#include "base/pose.h"
#include "mesh/measure.h"
#include "mesh/nearest.h"

typedef struct sweep {
    moving_pair* m;
    double begin;     // of the window: the time at which boxes are compared
    moment start[2];  // of the bodies
    vec3 normal;      // from a to b as the nearest points lie then
    double speed;     // see above
    encounter first;  // the earliest in the window
    int64_t patience; // boxes that may still be compared
    bool spent;       // that was not enough
    apart_status status;
} sweep;

/// A piece of one of the bodies: a part of a union, or the body itself.
typedef struct sweep_part {
    const apart_shape* shape;
    const apart_pose* in_body;
    double blur;
} sweep_part;

// ------------------------------------------------------------------------------------------------------- leaves ----

/// A triangle of a mesh as a convex shape, on the stack.
typedef struct triangle_shape {
    _Alignas(64) double x[LANES];
    _Alignas(64) double y[LANES];
    _Alignas(64) double z[LANES];
    apart_shape shape;
} triangle_shape;

static const apart_shape* triangle_of(triangle_shape* t, const apart_shape* from, uint32_t item) {
    const mesh* m = from->mesh;
    vec3 p[3];
    for (int i = 0; i < 3; ++i) p[i] = m->vertex[m->triangle[item][i]];
    for (int i = 0; i < LANES; ++i) {
        int k = i < 3 ? i : 0;
        t->x[i] = p[k].x, t->y[i] = p[k].y, t->z[i] = p[k].z;
    }
    t->shape = (apart_shape){.kind = SHAPE_POLYTOPE,
                             .dimension = 2,
                             .scale = from->scale,
                             .bound = from->bound,
                             .radius = from->radius,
                             .origin = from->origin,
                             .exact = from->exact,
                             .lower = vec3_min(p[0], vec3_min(p[1], p[2])),
                             .upper = vec3_max(p[0], vec3_max(p[1], p[2])),
                             .center = vec3_scale(1.0 / 3, vec3_add(vec3_add(p[0], p[1]), p[2]))};
    static const uint32_t caller[3] = {0, 1, 2};
    t->shape.polytope = (polytope){.count = 3,
                                   .padded = LANES,
                                   .x = t->x,
                                   .y = t->y,
                                   .z = t->z,
                                   .caller = caller,
                                   .argmax = apart_kernels_short()->argmax};
    return &t->shape;
}

/// Follows two convex pieces through what is left of the window.
static void follow_leaf(sweep* s, const sweep_part part[2]) {
    moving_pair* m = s->m;
    moving_piece pieces[2];
    m->time = s->begin;
    for (int i = 0; i < 2; ++i) {
        m->body[i].now = s->start[i];
        pieces[i] = apart_moving_piece(&m->body[i], part[i].shape, part[i].in_body, part[i].blur);
    }
    double window = moving_elapsed(m, s->begin, s->first.time), gap;
    // Mostly the direction in which the bodies lie is enough.
    if (apart_moving_free(m, pieces, s->normal, m->clearance, window, &gap) >= window) return;
    encounter e;
    s->status = apart_follow_pieces(m, pieces, s->begin, s->first.time, &e);
    if (s->status == APART_OK && e.kind != APART_FREE) s->first = e;
}

// -------------------------------------------------------------------------------------------------------- trees ----

/// What the search must look at: pairs that may meet before the first encounter. between: radii that the boxes do not
/// have in them, working lengths of k.
static void set_threshold(const sweep* s, walk* w, double between, double slack) {
    const difference* k = w->k;
    double way = moving_elapsed(s->m, s->begin, s->first.time) * s->speed * (1 + 0x1p-40) + s->m->clearance + slack;
    double margin = k->rounding_low + 0x1p-46 * k->size;
    w->threshold = s->status == APART_OK && !s->spent ? way * k->inverse + between + 3 * margin : -INFINITY;
}

/// Begins a search from the roots, along the normal of the bodies.
static void start_walk(sweep* s, walk* w, double between, double slack) {
    apart_traverse_aim(w, s->normal);
    set_threshold(s, w, between, slack);
    apart_traverse_start(w, 0, 0, s->patience, FOREVER);
}

static void end_walk(sweep* s, const walk* w) {
    s->patience -= w->visits;
    s->spent = s->spent || !walk_is_complete(w);
}

/// Two parts: their triangles, or they themselves.
static void search_parts(sweep* s, const sweep_part part[2]) {
    if (shape_is_convex(part[0].shape) && shape_is_convex(part[1].shape)) {
        follow_leaf(s, part);
        return;
    }
    apart_pose room[2];
    posed_shape posed[2];
    tree_node own[2];
    tree trees[2];
    double slack = 0;
    for (int i = 0; i < 2; ++i) {
        const moving_piece p = apart_moving_piece(&s->m->body[i], part[i].shape, part[i].in_body, part[i].blur);
        posed[i] = apart_moving_posed(&s->start[i], &p, &room[i], &slack);
        trees[i] = apart_piece_tree(part[i].shape, false, &own[i]);
    }
    difference k;
    walk w;
    apart_minkowski_init(&k, posed[0].shape, posed[0].pose, posed[1].shape, posed[1].pose, SEARCH_BEST);
    apart_traverse_init(&w, &k, &trees[0], &trees[1], false);
    const double between = k.a.radius + k.b.radius;
    start_walk(s, &w, between, slack);
    for (place_pair pair; s->status == APART_OK && apart_traverse_next(&w, &pair);) {
        triangle_shape room_of[2];
        sweep_part leaf[2] = {part[0], part[1]};
        for (int i = 0; i < 2; ++i)
            if (leaf[i].shape->mesh)
                leaf[i].shape = triangle_of(&room_of[i], leaf[i].shape, walk_item(&w, i, pair.at[i]));
        follow_leaf(s, leaf);
        set_threshold(s, &w, between, slack);
    }
    end_walk(s, &w);
}

/// Part number k of a body, in the order of its tree.
static sweep_part part_of(const apart_shape* body, uint32_t k) {
    if (body->kind != SHAPE_UNION) return (sweep_part){.shape = body};
    const part_list* list = body->parts;
    return (sweep_part){list->part[k].shape, &list->part[k].pose, list->slack[k]};
}

/// The whole bodies: their parts.
static void search_bodies(sweep* s) {
    const mover* body = s->m->body;
    if (body[0].shape->kind != SHAPE_UNION && body[1].shape->kind != SHAPE_UNION) {
        search_parts(s, (sweep_part[2]){{.shape = body[0].shape}, {.shape = body[1].shape}});
        return;
    }
    tree_node own[2];
    tree trees[2];
    double slack = 0;
    for (int i = 0; i < 2; ++i) {
        const apart_shape* shape = body[i].shape;
        trees[i] = apart_piece_tree(shape, true, &own[i]);
        if (shape->kind == SHAPE_UNION) slack += shape->parts->loose + POSE_ROUNDING * shape->parts->far;
        moving_piece p = apart_moving_piece(&body[i], shape, NULL, 0);
        (void)apart_moving_posed(&s->start[i], &p, NULL, &slack);
    }
    difference k;
    walk w;
    apart_minkowski_init(&k, body[0].shape, &s->start[0].pose, body[1].shape, &s->start[1].pose, SEARCH_BEST);
    apart_traverse_init(&w, &k, &trees[0], &trees[1], true);
    start_walk(s, &w, 0, slack);
    for (place_pair pair; s->status == APART_OK && apart_traverse_next(&w, &pair);) {
        search_parts(s, (sweep_part[2]){part_of(body[0].shape, walk_item(&w, 0, pair.at[0])),
                                        part_of(body[1].shape, walk_item(&w, 1, pair.at[1]))});
        set_threshold(s, &w, 0, slack);
    }
    end_walk(s, &w);
}

// ------------------------------------------------------------------------------------------------------ windows ----

/// Windows are so many times as long as the bodies stay apart by their distance alone; and a part of all the time if
/// that is next to nothing.
#define LONGEST_WINDOW 4.0
#define SHORTEST_WINDOW 0x1p-8
/// Boxes that may be compared in a window before a shorter one is tried.
#define PATIENCE 0x8000

/// Looks for the first encounter from now until a time.
static void search_window(sweep* s, double until, int64_t patience) {
    for (int i = 0; i < 2; ++i) s->start[i] = s->m->body[i].now;
    s->first = (encounter){.kind = APART_FREE, .time = until, .gap = s->m->clearance};
    s->patience = patience;
    s->spent = false;
    search_bodies(s);
}

apart_status apart_sweep(moving_pair* m, double begin, double end, encounter* e) {
    const apart_query roughly = {.cutoff = INFINITY, .relative_error = 0.25};
    double factor = LONGEST_WINDOW, shortest = SHORTEST_WINDOW;
    int64_t patience = PATIENCE;
    moving_piece bodies[2];
    apart_moving_bodies(m, bodies);
    m->backwards = end < begin;
    *e = (encounter){.kind = APART_FREE, .time = begin, .gap = INFINITY};
    for (;;) {
        apart_result r;
        apart_status status = apart_follow_measure(m, e->time, &roughly, &r);
        if (status != APART_OK) return status;
        double spare = larger(r.lower_bound - m->clearance, 0), until = moving_until(m, end);
        if (r.upper_bound <= m->clearance) e->kind = APART_CONTACT, e->hit = e->time;
        if (m->steps >= m->most_steps && e->kind == APART_FREE)
            e->kind = r.upper_bound <= m->clearance + m->tolerance ? APART_NEAR : APART_UNDECIDED;
        if (e->kind != APART_FREE || (e->time == end && spare > 0)) return APART_OK;
        // So long they stay apart by their distance alone.
        sweep s = {.m = m, .begin = e->time, .normal = r.normal, .speed = apart_moving_speed(m, bodies)};
        double alone = s.speed > 0 ? spare / s.speed * (1 - 0x1p-40) : spare > 0 ? 2 : 0;
        double time = apart_moving_later(m, alone, until), gap = m->clearance;
        if (alone > 0 && time == until) {
            gap = r.lower_bound - s.speed * moving_elapsed(m, e->time, until);
        } else {
            search_window(&s, apart_moving_later(m, larger(factor * alone, shortest), until), patience);
            if (s.status != APART_OK) return s.status;
            if (s.first.kind != APART_FREE && !s.spent) {
                s.first.gap = smaller(s.first.gap, e->gap);
                *e = s.first;
                return APART_OK;
            }
            // Too many pairs: a shorter window, in which fewer can meet. Or more patience, in the end.
            factor = s.spent ? larger(factor / 2, 1) : LONGEST_WINDOW;
            shortest = s.spent ? shortest / 16 : smaller(2 * shortest, SHORTEST_WINDOW);
            patience = s.spent && alone == 0 ? 4 * patience : PATIENCE;
            if (!s.spent) time = s.first.time;
        }
        if (time != e->time) e->gap = smaller(e->gap, gap);
        e->time = time;
        if (time == end) return APART_OK;
    }
}

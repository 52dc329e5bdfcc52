// Meshes and unions in motion: a search of their trees by the earliest possible time, depth first.
//
// A pair of boxes is looked at with the time until which its items are certainly apart, and that time is now: along a
// few directions a lower end of the gap (bounds.c) says for each pair of their children until when these are, too. Only
// those go on that are not free until the earliest encounter so far, the earliest first. Pairs of items, triangles or
// convex parts, are followed exactly (follow.c).
//
// What is kept true: every pair of items is farther apart than the clearance until `first.time`, or below a pair on the
// stack, and then it is so until the time of that.
#include "base/pose.h"
#include "mesh/measure.h"
#include "mesh/nearest.h"
#include "motion/bounds.h"
#include "motion/follow.h"

typedef struct sweep {
    moving_pair* m;
    moving_piece body[2]; // how far they reach does for their pieces, too
    encounter first;      // the earliest so far
    int64_t patience;     // pairs of boxes that may still be looked at
    const kernels* wide;
    apart_status status;
} sweep;

/// A part of one of the bodies: a convex one or a mesh, or the body itself; and the tree of what it consists of.
typedef struct sweep_part {
    const apart_shape* shape;
    const apart_pose* in_body; // NULL = the body's coordinates are its own
    double blur;               // what in_body may be wrong by
    tree tree;                 // its coordinates: local = origin + scale * stored, as the shape's
    double radius;             // not in the boxes
} sweep_part;

/// Two places that are still to be looked at, free until a time; and a direction, from a to b, that told so.
typedef struct sweep_pair {
    double time;
    tree_place at[2];
    float n[3];
} sweep_pair;

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

/// Follows two convex pieces, which are free until a time, as long as that matters.
static void follow_leaf(sweep* s, const sweep_part part[2], double time, vec3 n) {
    moving_pair* m = s->m;
    moving_piece leaf[2] = {s->body[0], s->body[1]};
    for (int i = 0; i < 2; ++i) {
        leaf[i].shape = part[i].shape;
        leaf[i].in_body = part[i].in_body;
        leaf[i].blur += part[i].blur;
    }
    double left = moving_elapsed(m, time, s->first.time), gap;
    if (apart_moving_free(m, leaf, n, m->clearance, left, &gap) >= left) return;
    encounter e;
    s->status = apart_follow_pieces(m, leaf, time, s->first.time, &e);
    if (s->status == APART_OK && e.kind != APART_FREE) s->first = e;
}

// -------------------------------------------------------------------------------------------------------- boxes ----

/// A direction d of the world in the coordinates of a part's tree, and how far the origin of these is along it from the
/// pivot, the radius included.
static vec3 direction_in_tree(const sweep* s, int side, const sweep_part* p, vec3 d, double* base) {
    const mover* body = &s->m->body[side];
    vec3 e = mat3_tmul(&body->now.pose.rotation, d), origin = p->shape->origin;
    if (p->in_body) origin = vec3_add(mat3_mul(&p->in_body->rotation, origin), p->in_body->translation);
    *base = s->m->inverse * (vec3_dot(vec3_sub(origin, body->path.motion->pivot), e) + p->radius * vec3_length(d));
    if (p->in_body) e = mat3_tmul(&p->in_body->rotation, e);
    return vec3_scale(p->shape->scale * s->m->inverse, e);
}

/// Children to be looked at on either side. A side that is not split has one.
typedef struct sweep_children {
    const tree_node* node;
    tree_place place; // of lane 0
    unsigned chosen;  // bit i: lane i
} sweep_children;

/// Looks along one direction from now on, for the time that is left: raises the shares of that.
static unsigned look_along(const sweep* s, const sweep_part part[2], const sweep_children c[2], gap_bound* g, vec3 n,
                           int number, double left, unsigned rows, unsigned near[LANE_COUNT], wide_shares* shares) {
    const bound_side* x = g->side;
    wide_motion m = {.rows = c[0].node, .lanes = c[1].node, .number = number};
    double bend, base[4];
    apart_bound_along(g, n);
    m.row_now = direction_in_tree(s, 0, &part[0], x[0].d, &base[0]);
    m.lane_now = direction_in_tree(s, 1, &part[1], x[1].d, &base[1]);
    m.row_then = direction_in_tree(s, 0, &part[0], vec3_mad(x[0].d, left, x[0].m), &base[2]);
    m.lane_then = direction_in_tree(s, 1, &part[1], vec3_mad(x[1].d, left, x[1].m), &base[3]);
    m.gap_now = apart_bound_rest(g, 0, &bend) - base[0] - base[1];
    m.gap_then = apart_bound_rest(g, left, &bend) - base[2] - base[3];
    return s->wide->part_until(&m, rows, near, shares);
}

/// A box of a part's tree in the world, relative to the pivot of its body.
static tree_box box_in_world(const sweep* s, int side, const sweep_part* p, tree_place place) {
    const mover* body = &s->m->body[side];
    tree_box box = tree_place_box(&p->tree, place);
    vec3 x = shape_to_local(p->shape, box.center);
    if (p->in_body) x = vec3_add(mat3_mul(&p->in_body->rotation, x), p->in_body->translation);
    box.center = vec3_scale(s->m->inverse, mat3_mul(&body->now.pose.rotation, vec3_sub(x, body->path.motion->pivot)));
    for (int j = 0; j < 3; ++j) {
        vec3 axis = p->in_body ? mat3_mul(&p->in_body->rotation, box.axis[j]) : box.axis[j];
        box.axis[j] = mat3_mul(&body->now.pose.rotation, axis);
        box.half[j] *= p->shape->scale * s->m->inverse;
    }
    return box;
}

#define DIRECTIONS 3

/// Directions along which two boxes may be apart: the one that told so before, and the best of the axes of either and
/// the line of the middles, from a to b.
static int choose_directions(const sweep* s, const gap_bound* g, const sweep_part part[2], const sweep_pair* pair,
                             vec3 n[DIRECTIONS]) {
    tree_box box[2];
    for (int i = 0; i < 2; ++i) box[i] = box_in_world(s, i, &part[i], pair->at[i]);
    vec3 way = vec3_add(g->way, vec3_sub(box[1].center, box[0].center));
    double best[2] = {-INFINITY, -INFINITY};
    n[0] = vec3_unit(vec3_make((double)pair->n[0], (double)pair->n[1], (double)pair->n[2]));
    for (int i = 0; i < 7; ++i) {
        vec3 d = i < 6 ? box[i / 3].axis[i % 3] : vec3_unit(way);
        double along = vec3_dot(way, d), gap = fabs(along) - tree_box_reach(&box[0], d) - tree_box_reach(&box[1], d);
        if (along < 0) d = vec3_neg(d);
        if (gap > best[0]) {
            best[1] = best[0], n[2] = n[1];
            best[0] = gap, n[1] = d;
        } else if (gap > best[1]) {
            best[1] = gap, n[2] = d;
        }
    }
    for (int i = 1; i < DIRECTIONS; ++i) n[i] = vec3_unit(n[i]);
    return DIRECTIONS;
}

// -------------------------------------------------------------------------------------------------------- trees ----

/// Every step takes one pair off and puts at most 64 on, one level deeper in both trees, or 8, one level deeper in one:
/// never more than 63 are added for a level of both.
#define SWEEP_STACK ((TREE_MOST_DEPTH - 1) * (LANE_COUNT * LANE_COUNT - 1) + 1)
/// Boxes of sizes within this factor are split together; else the larger alone.
#define SIMILAR 3.0

static double box_size(const sweep_part* p, tree_place place) {
    const tree_node* n = &p->tree.nodes[place / LANE_COUNT];
    uint32_t i = place % LANE_COUNT;
    return p->shape->scale * ((double)n->half[0][i] + (double)n->half[1][i] + (double)n->half[2][i]);
}

/// The children of a place, or it itself.
static sweep_children children_of(const sweep_part* p, tree_place place, bool split) {
    if (!split) {
        int lane = (int)(place % LANE_COUNT);
        return (sweep_children){&p->tree.nodes[place / LANE_COUNT], place - (uint32_t)lane, 1u << lane};
    }
    uint32_t number = tree_child(&p->tree, place);
    sweep_children c = {&p->tree.nodes[number], number * LANE_COUNT, (1u << LANE_COUNT) - 1};
    for (unsigned i = LANE_COUNT - 1; c.node->child[i] == TREE_NONE; --i) c.chosen >>= 1;
    return c;
}

/// Puts the pairs of children that matter on the stack, the earliest on top. Returns the new height.
static int open_pair(sweep* s, const sweep_part part[2], const sweep_pair* pair, sweep_pair* stack, int height) {
    moving_pair* m = s->m;
    double size[2];
    for (int i = 0; i < 2; ++i) {
        bool item = tree_is_item(tree_child(&part[i].tree, pair->at[i]));
        size[i] = item ? 0 : box_size(&part[i], pair->at[i]);
    }
    sweep_children c[2];
    for (int i = 0; i < 2; ++i) c[i] = children_of(&part[i], pair->at[i], size[i] > 0 && SIMILAR * size[i] >= size[!i]);
    gap_bound g;
    wide_shares t = {0};
    vec3 n[DIRECTIONS];
    const double until = moving_until(m, s->first.time), left = moving_elapsed(m, m->time, until);
    unsigned rows = c[0].chosen, near[LANE_COUNT];
    for (int i = 0; i < LANE_COUNT; ++i) near[i] = c[1].chosen;
    apart_bound_init(&g, m, s->body, m->clearance);
    int count = choose_directions(s, &g, part, pair, n), base = height;
    for (int i = 0; i < count && rows; ++i) rows = look_along(s, part, c, &g, n[i], i, left, rows, near, &t);
    // Another piece of a motion may follow: then those go on, too, that are free until it begins.
    if (until != s->first.time) {
        rows = c[0].chosen;
        for (int i = 0; i < LANE_COUNT; ++i) near[i] = c[1].chosen;
    }
    for (; rows; rows &= rows - 1) {
        int a = __builtin_ctz(rows);
        for (unsigned some = near[a]; some; some &= some - 1) {
            int b = __builtin_ctz(some), k = height++;
            vec3 d = n[(int)t.which[a][b]];
            double time = apart_moving_later(m, t.share[a][b] * left, until);
            sweep_pair next = {
                time, {c[0].place + (uint32_t)a, c[1].place + (uint32_t)b}, {(float)d.x, (float)d.y, (float)d.z}};
            for (; k > base && moving_elapsed(m, stack[k - 1].time, time) > 0; --k) stack[k] = stack[k - 1];
            stack[k] = next;
        }
    }
    return height;
}

static void search_parts(sweep* s, const uint32_t number[2], double time, vec3 n);

/// Two items: parts of the bodies, or triangles and convex parts.
static void search_items(sweep* s, const sweep_part part[2], const sweep_pair* pair, bool of_bodies) {
    const vec3 n = vec3_unit(vec3_make((double)pair->n[0], (double)pair->n[1], (double)pair->n[2]));
    uint32_t item[2];
    for (int i = 0; i < 2; ++i) item[i] = tree_child(&part[i].tree, pair->at[i]) & ~TREE_ITEM;
    if (of_bodies) {
        search_parts(s, item, pair->time, n);
        return;
    }
    triangle_shape room[2];
    sweep_part leaf[2] = {part[0], part[1]};
    for (int i = 0; i < 2; ++i)
        if (leaf[i].shape->mesh) leaf[i].shape = triangle_of(&room[i], leaf[i].shape, item[i]);
    follow_leaf(s, leaf, pair->time, n);
}

/// Searches two trees whose items are free until a time. n: where b lies, as seen from a.
static void search_trees(sweep* s, const sweep_part part[2], double time, vec3 n, bool of_bodies) {
    sweep_pair stack[SWEEP_STACK];
    stack[0] = (sweep_pair){time, {0, 0}, {(float)n.x, (float)n.y, (float)n.z}};
    for (int height = 1; height > 0 && s->status == APART_OK;) {
        const sweep_pair pair = stack[--height];
        if (!(moving_elapsed(s->m, pair.time, s->first.time) > 0) && s->first.kind != APART_FREE) continue;
        s->status = apart_moving_go(s->m, pair.time, s->m->backwards);
        if (s->status != APART_OK) return;
        if (--s->patience < 0 || s->m->steps >= s->m->most_steps) {
            // Not looked at any more: nothing is known from here on.
            s->first = (encounter){.kind = APART_UNDECIDED, .time = pair.time, .gap = s->first.gap};
            continue;
        }
        bool items = true;
        for (int i = 0; i < 2; ++i) items = items && tree_is_item(tree_child(&part[i].tree, pair.at[i]));
        if (items)
            search_items(s, part, &pair, of_bodies);
        else
            height = open_pair(s, part, &pair, stack, height);
    }
}

/// A part of a body, numbered in the order of its tree; the body itself if it is no union. own: room for its tree.
static sweep_part part_of(const apart_shape* body, uint32_t number, tree_node* own) {
    sweep_part p = {.shape = body};
    if (body->kind == SHAPE_UNION) {
        const part_list* list = body->parts;
        p = (sweep_part){
            .shape = list->part[number].shape, .in_body = &list->part[number].pose, .blur = list->slack[number]};
    }
    p.tree = apart_piece_tree(p.shape, false, own);
    p.radius = p.shape->radius;
    return p;
}

static void search_parts(sweep* s, const uint32_t number[2], double time, vec3 n) {
    tree_node own[2];
    sweep_part part[2];
    for (int i = 0; i < 2; ++i) part[i] = part_of(s->m->body[i].shape, number[i], &own[i]);
    if (shape_is_convex(part[0].shape) && shape_is_convex(part[1].shape))
        follow_leaf(s, part, time, n);
    else
        search_trees(s, part, time, n, false);
}

/// Two bodies: their parts, if one is a union.
static void search_bodies(sweep* s, double time, vec3 n) {
    sweep_part part[2];
    tree_node own[2];
    bool of_bodies = false;
    for (int i = 0; i < 2; ++i) {
        const apart_shape* body = s->m->body[i].shape;
        part[i] = (sweep_part){.shape = body, .tree = apart_piece_tree(body, true, &own[i])};
        of_bodies = of_bodies || body->kind == SHAPE_UNION;
    }
    if (of_bodies)
        search_trees(s, part, time, n, true);
    else
        search_parts(s, (const uint32_t[2]){0, 0}, time, n);
}

/// Pairs of boxes that are looked at before the search gives up, for each step that may be made.
#define PATIENCE 64
/// Time is taken in windows, as long as a search of so many pairs: where a pair is near for a while, it is followed
/// then, and not for all time.
#define FIRST_WINDOW 0x1p-8
#define FEW_PAIRS 512
#define MANY_PAIRS 2048
#define MOST_EXPECTATIONS 3

/// What the poses of the parts of a union may be wrong by.
static void blur_parts(const mover* body, moving_piece* p) {
    if (body->shape->kind != SHAPE_UNION) return;
    double far = body->shape->parts->far + vec3_sum_abs(body->now.pose.translation);
    p->blur = body->shape->parts->loose + POSE_ROUNDING * far;
    p->reach += p->blur;
}

/// Looks for an instant of contact where the distance and its rate let one expect it: an encounter to beat, so that the
/// search need not look any farther. Then once more halfway, a few times.
static apart_status expect_contact(sweep* s, double from, const apart_result* r, double end) {
    const apart_query whether = {.cutoff = INFINITY, .relative_error = 1};
    moving_pair* m = s->m;
    double rate = apart_moving_rate(m, r), ahead = 1.25 * (r->upper_bound - m->clearance) / -rate, least = 0;
    for (int i = 0; i < MOST_EXPECTATIONS && rate < 0; ++i) {
        apart_result there;
        m->time = from;
        double time = apart_moving_later(m, ahead, end);
        apart_status status = apart_follow_measure(m, time, &whether, &there);
        if (status != APART_OK) return status;
        bool hit = there.upper_bound <= m->clearance;
        if (hit) s->first = (encounter){.kind = APART_CONTACT, .time = time, .hit = time, .gap = s->first.gap};
        if (!hit && time == end) break;
        if (!hit) least = ahead;
        double known = s->first.kind == APART_CONTACT ? moving_elapsed(m, from, s->first.time) : 0;
        ahead = known > 0 ? (least + known) / 2 : 2 * ahead;
    }
    return APART_OK;
}

apart_status apart_sweep(moving_pair* m, double begin, double end, encounter* e) {
    const apart_query roughly = {.cutoff = INFINITY, .relative_error = 0.25};
    sweep s = {.m = m, .wide = apart_kernels(), .patience = PATIENCE * (int64_t)m->most_steps};
    double window = FIRST_WINDOW;
    m->backwards = end < begin;
    apart_moving_bodies(m, s.body);
    for (int i = 0; i < 2; ++i) blur_parts(&m->body[i], &s.body[i]);
    *e = (encounter){.kind = APART_FREE, .time = begin, .gap = INFINITY};
    for (;;) {
        apart_result r;
        apart_status status = apart_follow_measure(m, e->time, &roughly, &r);
        if (status != APART_OK) return status;
        double spare = larger(r.lower_bound - m->clearance, 0), until = moving_until(m, end);
        if (r.upper_bound <= m->clearance) e->kind = APART_CONTACT, e->hit = e->time;
        if (e->kind == APART_FREE && e->time == end) e->gap = smaller(e->gap, r.lower_bound);
        if (e->kind == APART_CONTACT || (e->time == end && spare > 0)) return APART_OK;
        // So long they stay apart by their distance alone. That is enough while it takes them far.
        double speed = apart_moving_speed(m, s.body), alone = spare > 0 ? 2 : 0, from = e->time;
        if (speed > 0) alone = spare / speed * (1 - 0x1p-40);
        if (alone >= window / 4 || alone >= moving_elapsed(m, from, until)) {
            e->time = apart_moving_later(m, alone, until);
            e->gap = smaller(e->gap, m->clearance + larger(spare - speed * moving_elapsed(m, from, e->time), 0));
        } else {
            const int64_t before = s.patience;
            s.first = (encounter){.kind = APART_FREE, .time = apart_moving_later(m, window, end), .gap = m->clearance};
            s.status = expect_contact(&s, from, &r, s.first.time);
            if (s.status == APART_OK) search_bodies(&s, from, r.normal);
            if (s.status != APART_OK) return s.status;
            s.first.gap = smaller(s.first.gap, e->gap);
            *e = s.first;
            if (e->kind != APART_FREE) return APART_OK;
            if (before - s.patience < FEW_PAIRS) window *= 2;
            if (before - s.patience > MANY_PAIRS) window /= 2;
        }
        if (e->time == end) return APART_OK;
    }
}

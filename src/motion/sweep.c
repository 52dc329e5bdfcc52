// Meshes and unions in motion: a search of their trees by the earliest possible time, depth first.
//
// A pair of boxes is looked at with the time until which its items are certainly apart, and that time is now: along a
// few directions the boxes' gap, and how fast it closes at most, say for each pair of their children until when these
// are, too. Only those go on that are not free until the earliest encounter so far, the earliest first. Pairs of items,
// triangles or convex parts, are followed exactly (follow.c).
//
// How fast a gap closes: with bounds.c, f(s) is at most f(0) + s f'(0) + s^2/2 C for a point's height f along a
// direction n that is fixed in the world. f' is n . u for the middle of a box, which has the velocity u, and differs
// from that for its other points by what the turn makes of their way from the middle, at most the rate times half the
// diagonal. Over the time that is left, s C/2 is at most C/2 times all of it: the drift.
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
    vec3 toward;          // from a to b, where they were nearest
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

/// Two places that are still to be looked at, free until a time; and the number of a direction that told so (wide.h).
typedef struct sweep_pair {
    double time;
    tree_place at[2];
    int which;
} sweep_pair;

// ------------------------------------------------------------------------------------------------------- leaves ----

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
    if (apart_moving_free(m, leaf, n, NULL, m->clearance, left, &gap) >= left) return;
    encounter e;
    s->status = apart_follow_pieces(m, leaf, time, s->first.time, &e);
    if (s->status == APART_OK && e.kind != APART_FREE) s->first = e;
}

// -------------------------------------------------------------------------------------------------------- boxes ----

/// Children to be looked at on either side. A side that is not split has one.
typedef struct sweep_children {
    const tree_node* node;
    tree_place place; // of lane 0
    unsigned chosen;  // bit i: lane i
} sweep_children;

/// A part's boxes as the kernels want them, at the moments. Working lengths.
static wide_mover part_in_world(const sweep* s, int side, const sweep_part* p, const tree_node* node) {
    const mover* body = &s->m->body[side];
    const moment* now = &body->now;
    const double inverse = s->m->inverse;
    vec3 origin = p->shape->origin;
    wide_mover x = {.node = node, .turn = now->pose.rotation, .factor = p->shape->scale * inverse, .widen = 0x1p-44};
    if (p->in_body) {
        origin = vec3_add(mat3_mul(&p->in_body->rotation, origin), p->in_body->translation);
        x.turn = mat3_product(&x.turn, &p->in_body->rotation);
        x.widen += 4 * mat3_skew(&p->in_body->rotation);
    }
    x.origin = mat3_mul(&now->pose.rotation, vec3_scale(inverse, vec3_sub(origin, body->path.motion->pivot)));
    x.velocity = vec3_scale(inverse, now->velocity);
    x.spin = now->spin;
    x.rate = now->rate * (1 + x.widen);
    return x;
}

/// Children of two parts, from now on.
static wide_motion children_in_world(sweep* s, const sweep_part part[2], const sweep_children c[2]) {
    const moving_pair* m = s->m;
    wide_motion w = {.rows = part_in_world(s, 0, &part[0], c[0].node),
                     .lanes = part_in_world(s, 1, &part[1], c[1].node),
                     .row_bits = c[0].chosen,
                     .lane_bits = c[1].chosen,
                     .toward = s->toward,
                     .left = moving_elapsed(m, m->time, s->first.time)};
    w.lanes.pivot = vec3_scale(m->inverse, vec3_sub(m->body[1].now.pivot, m->body[0].now.pivot));
    double off = m->clearance, size = m->clearance + vec3_sum_abs(w.lanes.pivot) * m->unit, speed = 0;
    for (int i = 0; i < 2; ++i) {
        const moment* now = &m->body[i].now;
        moving_piece* p = &s->body[i];
        double turn = now->known ? now->rate_most : now->turn, fast = vec3_sum_abs(now->velocity) + now->speed;
        off += part[i].radius + now->place_error + now->turn_error * p->reach + p->blur;
        size += p->reach + vec3_sum_abs(m->body[i].path.motion->pivot);
        speed += fast + turn * p->reach;
        // The second derivative of the height of a point (bounds.c), or all there is to be known of its first.
        if (now->known)
            w.drift += w.left / 2 * (turn * turn + now->rate_change) * apart_moving_swing(&m->body[i], p);
        else
            w.drift += fast + turn * p->reach;
    }
    // Axes are not quite of length 1.
    double length = 1 + 0x1p-20 + w.rows.widen + w.lanes.widen;
    w.off = (off + MOTION_ROUNDING * (size + w.left * speed)) * m->inverse * length;
    w.drift *= m->inverse * length;
    w.rows.rate *= length;
    w.lanes.rate *= length;
    return w;
}

/// The direction, from a to b, that told of two places.
static vec3 direction_of(const sweep* s, const sweep_part part[2], const sweep_pair* pair) {
    vec3 middle[2], d = s->toward;
    const int which = pair->which - 1;
    for (int i = 0; i < 2; ++i) {
        wide_mover x = part_in_world(s, i, &part[i], NULL);
        tree_box box = tree_place_box(&part[i].tree, pair->at[i]);
        middle[i] = vec3_add(mat3_mul(&x.turn, vec3_scale(x.factor, box.center)), x.origin);
        if (which >= 0 && which / 3 == i) d = mat3_mul(&x.turn, box.axis[which % 3]);
    }
    vec3 way = vec3_sub(s->m->body[1].now.pivot, s->m->body[0].now.pivot);
    way = vec3_add(vec3_scale(s->m->inverse, way), vec3_sub(middle[1], middle[0]));
    if (which == 6) d = way;
    return vec3_unit(vec3_dot(way, d) < 0 ? vec3_neg(d) : d);
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
    wide_motion w = children_in_world(s, part, c);
    wide_shares t;
    unsigned near[LANE_COUNT];
    int base = height;
    for (unsigned rows = s->wide->part_until(&w, near, &t); rows; rows &= rows - 1) {
        uint32_t a = (uint32_t)__builtin_ctz(rows);
        for (unsigned some = near[a]; some; some &= some - 1) {
            uint32_t b = (uint32_t)__builtin_ctz(some);
            double time = apart_moving_later(m, t.share[a][b] * w.left, s->first.time);
            int k = height++;
            for (; k > base && moving_elapsed(m, stack[k - 1].time, time) > 0; --k) stack[k] = stack[k - 1];
            stack[k] = (sweep_pair){time, {c[0].place + a, c[1].place + b}, (int)t.which[a][b]};
        }
    }
    return height;
}

static void search_parts(sweep* s, const uint32_t number[2], double time);

/// Two items: parts of the bodies, or triangles and convex parts.
static void search_items(sweep* s, const sweep_part part[2], const sweep_pair* pair, bool of_bodies) {
    uint32_t item[2];
    for (int i = 0; i < 2; ++i) item[i] = tree_child(&part[i].tree, pair->at[i]) & ~TREE_ITEM;
    if (of_bodies) {
        search_parts(s, item, pair->time);
        return;
    }
    lone_triangle room[2];
    sweep_part leaf[2] = {part[0], part[1]};
    for (int i = 0; i < 2; ++i) {
        if (!leaf[i].shape->mesh) continue;
        apart_triangle_init(&room[i], leaf[i].shape);
        apart_triangle_set(&room[i], leaf[i].shape->mesh, item[i]);
        leaf[i].shape = &room[i].shape;
    }
    follow_leaf(s, leaf, pair->time, direction_of(s, part, pair));
}

/// Searches two trees whose items are free until a time.
static void search_trees(sweep* s, const sweep_part part[2], double time, bool of_bodies) {
    sweep_pair stack[SWEEP_STACK];
    stack[0] = (sweep_pair){.time = time};
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

static void search_parts(sweep* s, const uint32_t number[2], double time) {
    tree_node own[2];
    sweep_part part[2];
    for (int i = 0; i < 2; ++i) part[i] = part_of(s->m->body[i].shape, number[i], &own[i]);
    if (shape_is_convex(part[0].shape) && shape_is_convex(part[1].shape))
        follow_leaf(s, part, time, s->toward);
    else
        search_trees(s, part, time, false);
}

static uint32_t part_count(const apart_shape* s) { return s->kind == SHAPE_UNION ? s->parts->count : 1; }

/// Two bodies: their parts, if one is a union; one after the other if there is no box of the other one.
static void search_bodies(sweep* s, double time) {
    const apart_shape *a = s->m->body[0].shape, *b = s->m->body[1].shape;
    tree_node own[2];
    const sweep_part part[2] = {{.shape = a, .tree = apart_piece_tree(a, true, &own[0])},
                                {.shape = b, .tree = apart_piece_tree(b, true, &own[1])}};
    bool outgrown = piece_outgrows_tree(a) || piece_outgrows_tree(b);
    if (!outgrown && (a->kind == SHAPE_UNION || b->kind == SHAPE_UNION)) {
        search_trees(s, part, time, true);
        return;
    }
    for (uint32_t k = 0; k < part_count(a) * part_count(b) && s->status == APART_OK; ++k) {
        const uint32_t number[2] = {k / part_count(b), k % part_count(b)};
        s->status = apart_moving_go(s->m, time, s->m->backwards);
        if (s->status == APART_OK) search_parts(s, number, time);
    }
}

/// Pairs of boxes that are looked at before the search gives up, for each step that may be made.
#define PATIENCE 64
/// Time is taken in windows: where a pair is near for a while, it is followed then, and not for all time. After a
/// search of few pairs they get longer. One of many pairs is given up, and they get shorter.
#define FIRST_WINDOW 0x1p-7
#define FEW_PAIRS 512
#define MANY_PAIRS 1024

/// What the poses of the parts of a union may be wrong by.
static void blur_parts(const mover* body, moving_piece* p) {
    if (body->shape->kind != SHAPE_UNION) return;
    double far = body->shape->parts->far + vec3_sum_abs(body->now.pose.translation);
    p->blur = body->shape->parts->loose + POSE_ROUNDING * far;
    p->reach += p->blur;
}

apart_status apart_sweep(moving_pair* m, double begin, double end, encounter* e) {
    const apart_query roughly = {.cutoff = INFINITY, .relative_error = 0.25};
    sweep s = {.m = m, .wide = apart_kernels()};
    int64_t budget = PATIENCE * (int64_t)m->most_steps, allowance = MANY_PAIRS;
    double window = FIRST_WINDOW;
    bool first_search = true;
    m->backwards = end < begin;
    apart_moving_bodies(m, s.body);
    for (int i = 0; i < 2; ++i) blur_parts(&m->body[i], &s.body[i]);
    *e = (encounter){.kind = APART_FREE, .time = begin, .gap = INFINITY};
    for (;;) {
        apart_result r;
        apart_status status = apart_follow_measure(m, e->time, &roughly, &r);
        if (status != APART_OK) return status;
        double spare = larger(r.lower_bound - m->clearance, 0), until = moving_until(m, end);
        if (m->steps >= m->most_steps) e->kind = APART_UNDECIDED;
        if (r.upper_bound <= m->clearance) e->kind = APART_CONTACT, e->hit = e->time;
        if (e->kind == APART_FREE && e->time == end) e->gap = smaller(e->gap, r.lower_bound);
        if (e->kind != APART_FREE || (e->time == end && spare > 0)) return APART_OK;
        // So long they stay apart by their distance alone. That is enough while it takes them far.
        double speed = apart_moving_speed(m, s.body), alone = spare > 0 ? 2 : 0, from = e->time;
        if (speed > 0) alone = spare / speed * (1 - 0x1p-40);
        if (alone >= window / 4 || alone >= moving_elapsed(m, from, until)) {
            e->time = apart_moving_later(m, alone, until);
            e->gap = smaller(e->gap, m->clearance + larger(spare - speed * moving_elapsed(m, from, e->time), 0));
        } else {
            s.patience = allowance;
            s.toward = r.normal;
            // A little longer than until the contact that the distance and its rate let one expect, at first.
            double ahead = window, rate = apart_moving_rate(m, &r);
            if (first_search && rate < 0) ahead = smaller(window, 1.25 * (r.upper_bound - m->clearance) / -rate);
            first_search = false;
            s.first = (encounter){.kind = APART_FREE, .time = apart_moving_later(m, ahead, until), .gap = m->clearance};
            search_bodies(&s, from);
            if (s.status != APART_OK) return s.status;
            s.first.gap = smaller(s.first.gap, e->gap);
            *e = s.first;
            budget -= allowance - s.patience;
            if (e->kind == APART_UNDECIDED && budget > 0 && m->steps < m->most_steps) {
                // Given up: the window was too long. What is certain until then is kept.
                e->kind = APART_FREE;
                window /= 4;
                if (e->time == from) allowance *= 2;
            } else if (allowance - s.patience < FEW_PAIRS) {
                window *= 2;
            }
            if (e->kind != APART_FREE) return APART_OK;
        }
        if (e->time == end) return APART_OK;
    }
}

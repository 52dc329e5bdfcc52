// Meshes and unions in motion: a search of their trees by the earliest possible time, depth first.
//
// A pair of boxes is looked at with the time until which its items are certainly apart, at an instant not long before:
// along a few directions the boxes' gap, and how fast it closes at most, say for each pair of their children until when
// these are, too. Only those go on that are not free until the earliest encounter so far, the earliest first. Pairs of
// triangles are looked at along the shortest way between them. What is left of these, and pairs of convex parts, are
// followed exactly (follow.c).
//
// How fast a gap closes: with bounds.c, f(s) is at most f(0) + s f'(0) + s^2/2 C for a point's height f along a
// direction n that is fixed in the world. f' is n . u for a corner, or for the middle of a box, which has the velocity
// u, and differs from that for the box's other points by what the turn makes of their way from the middle, at most the
// rate times half the diagonal. Over the time that is left, s C/2 is at most C/2 times all of it: the drift.
//
// What is kept true: every pair of items is farther apart than the clearance until `first.time`, or below a pair on the
// stack, and then it is so until the time of that.
//
// Far away, small boxes are not worth their time: where they are small beside the way that is won since the search
// began, their time is taken as the end of it, and the next search goes on from there.
#include "base/pose.h"
#include "convex/cache.h"
#include "mesh/measure.h"
#include "mesh/nearest.h"
#include "motion/moving.h"

typedef struct sweep {
    moving_pair* m;
    moving_piece body[2]; // how far they reach does for their pieces, too
    double start, window; // what is searched
    double speed;         // of any two points towards each other, at most
    encounter first;      // the earliest so far; UNDECIDED: what comes later was not looked at
    vec3 toward;          // from a to b, where they were nearest
    int64_t patience;     // pairs of boxes that may still be looked at
    const kernels* wide;
} sweep;

/// A part of one of the bodies: a convex one or a mesh, or the body itself; and the tree of what it consists of.
typedef struct sweep_part {
    const apart_shape* shape;
    const apart_pose* in_body; // NULL = the body's coordinates are its own
    double blur;               // what in_body may be wrong by
    tree tree;                 // its coordinates: local = origin + scale * stored, as the shape's
    double radius;             // not in the boxes
    uint32_t number;           // of the part, in the order of the body's tree
} sweep_part;

// ------------------------------------------------------------------------------------------------------- leaves ----

/// Follows two convex pieces, which are free until a time, as long as that matters. item: what they are of their parts.
static void follow_leaf(sweep* s, const sweep_part part[2], const uint32_t item[2], double time) {
    moving_pair* m = s->m;
    moving_piece leaf[2] = {s->body[0], s->body[1]};
    for (int i = 0; i < 2; ++i) {
        leaf[i].shape = part[i].shape;
        leaf[i].in_body = part[i].in_body;
        leaf[i].blur += part[i].blur;
    }
    encounter e;
    apart_follow_pieces(m, leaf, time, s->first.time, &e);
    if (e.kind == APART_FREE) return;
    s->first = e;
    if (!vec3_is_zero(e.normal)) s->toward = e.normal;
    const uint32_t place[2][2] = {{part[0].number, item[0]}, {part[1].number, item[1]}};
    cache_set_pair(&m->cache, place[0], place[1]);
}

// ----------------------------------------------------------------------------------------------------- instants ----

/// Pairs are looked at, at so many instants of a search.
#define INSTANTS 16

/// Two parts at an instant, as the kernels want them but for the nodes; what depends on the time that is left is that
/// of none.
typedef struct sweep_instant {
    double time;
    wide_motion motion;
    double off_rate, drift_rate; // how off and drift grow with the time that is left
} sweep_instant;

typedef struct part_pair {
    sweep_part part[2];
    sweep_instant at[INSTANTS];
    unsigned known; // bit k: at[k]
} part_pair;

/// A part as the kernels want it, at the moment. Working lengths.
static wide_mover part_in_world(const sweep* s, int side, const sweep_part* p) {
    const mover* body = &s->m->body[side];
    const moment* now = &body->now;
    const double inverse = s->m->inverse;
    vec3 origin = p->shape->origin;
    wide_mover x = {.turn = now->pose.rotation, .factor = p->shape->scale * inverse, .widen = 0x1p-44};
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

/// Two parts, from the moment on.
static sweep_instant parts_in_world(sweep* s, const sweep_part part[2]) {
    const moving_pair* m = s->m;
    sweep_instant x = {.time = m->time};
    wide_motion* w = &x.motion;
    w->rows = part_in_world(s, 0, &part[0]);
    w->lanes = part_in_world(s, 1, &part[1]);
    w->lanes.pivot = vec3_scale(m->inverse, vec3_sub(m->body[1].now.pivot, m->body[0].now.pivot));
    double off = m->clearance, size = m->clearance + vec3_sum_abs(w->lanes.pivot) * m->unit, speed = 0;
    for (int i = 0; i < 2; ++i) {
        const moment* now = &m->body[i].now;
        moving_piece* p = &s->body[i];
        double turn = now->rate_most, fast = vec3_sum_abs(now->velocity) + now->speed;
        off += part[i].radius + now->place_error + now->turn_error * p->reach + p->blur;
        size += p->reach + vec3_sum_abs(m->body[i].path.motion->pivot);
        speed += fast + turn * p->reach;
        // The second derivative of the height of a point (bounds.c), or all there is to be known of its first.
        if (now->known)
            x.drift_rate += (turn * turn + now->rate_change) / 2 * apart_moving_swing(&m->body[i], p);
        else
            w->drift += fast + turn * p->reach;
    }
    // Axes are not quite of length 1.
    double length = 1 + 0x1p-20 + w->rows.widen + w->lanes.widen, unit = m->inverse * length;
    w->off = (off + MOTION_ROUNDING * size) * unit;
    x.off_rate = MOTION_ROUNDING * speed * unit;
    w->drift *= unit;
    x.drift_rate *= unit;
    w->rows.rate *= length;
    w->lanes.rate *= length;
    return x;
}

/// The last instant that is not after a time.
static const sweep_instant* instant_before(sweep* s, part_pair* p, double time) {
    moving_pair* m = s->m;
    double share = moving_elapsed(m, s->start, time) / s->window * INSTANTS, sign = m->backwards ? -1 : 1;
    int k = share < INSTANTS ? (int)share : INSTANTS - 1;
    double then = s->start + sign * (s->window * k / INSTANTS);
    while (moving_elapsed(m, then, time) < 0) then = s->start + sign * (s->window * --k / INSTANTS);
    if (p->known >> k & 1) return &p->at[k];
    apart_moving_go(m, then);
    p->at[k] = parts_in_world(s, p->part);
    p->known |= 1u << k;
    return &p->at[k];
}

// -------------------------------------------------------------------------------------------------------- trees ----

/// Two places that are still to be looked at, free until a time.
typedef struct sweep_pair {
    double time;
    tree_place at[2];
} sweep_pair;

/// Every step takes one pair off and puts at most 64 on, one level deeper in both trees, or 8, one level deeper in one:
/// never more than 63 are added for a level of both.
#define SWEEP_STACK ((TREE_MOST_DEPTH - 1) * (LANE_COUNT * LANE_COUNT - 1) + 1)
/// Boxes of sizes within this factor are split together; else the larger alone.
#define SIMILAR 3.0
/// Boxes that are smaller than this part of the way that is won, at any speed, are not split.
#define SMALL 2.0

static double box_size(const sweep_part* p, tree_place place) {
    const tree_node* n = &p->tree.nodes[place / LANE_COUNT];
    uint32_t i = place % LANE_COUNT;
    return p->shape->scale * ((double)n->half[0][i] + (double)n->half[1][i] + (double)n->half[2][i]);
}

/// Lets the kernels look at the children of a place, or at it itself. Returns the place of lane 0.
static tree_place choose_lanes(const sweep_part* p, tree_place place, bool split, wide_mover* x, unsigned* bits) {
    uint32_t number = split ? tree_child(&p->tree, place) : place / LANE_COUNT;
    x->node = &p->tree.nodes[number];
    *bits = split ? (1u << LANE_COUNT) - 1 : 1u << place % LANE_COUNT;
    for (unsigned i = LANE_COUNT - 1; split && x->node->child[i] == TREE_NONE; --i) *bits >>= 1;
    return number * LANE_COUNT;
}

/// Of triangles, the corners tell more than the boxes.
static void part_triangles(const sweep* s, const sweep_part part[2], const wide_motion* w, sweep_pair* found,
                           int count) {
    wide_triangles pairs = {0};
    double share[LANE_COUNT];
    for (int k = 0; k < count; ++k) {
        int lane = k % LANE_COUNT;
        for (int i = 0; i < 2; ++i) {
            vec3 corner[3];
            mesh_triangle_corners(part[i].shape->mesh, tree_child(&part[i].tree, found[k].at[i]) & ~TREE_ITEM, corner);
            wide_set_triangle(i == 0 ? pairs.a : pairs.b, lane, corner);
        }
        if (lane < LANE_COUNT - 1 && k < count - 1) continue;
        s->wide->part_triangles_until(&pairs, w, share);
        for (int i = 0; i <= lane; ++i) found[k - i].time = larger(found[k - i].time, share[lane - i]);
    }
}

/// Finds the children that may touch before the time is over. `time` is the share of it for which they certainly do
/// not. Returns how many.
static int find_children(const sweep* s, const sweep_part part[2], const wide_motion* w, const tree_place place[2],
                         sweep_pair found[LANE_COUNT * LANE_COUNT]) {
    unsigned near[LANE_COUNT];
    double share[LANE_COUNT][LANE_COUNT];
    int count = 0;
    for (unsigned rows = s->wide->part_until(w, near, share); rows; rows &= rows - 1) {
        uint32_t a = (uint32_t)__builtin_ctz(rows);
        for (unsigned some = near[a]; some; some &= some - 1) {
            uint32_t b = (uint32_t)__builtin_ctz(some);
            found[count++] = (sweep_pair){share[a][b], {place[0] + a, place[1] + b}};
        }
    }
    // Where the first child is a triangle, all are.
    bool triangles = tree_is_item(w->rows.node->child[0]) && tree_is_item(w->lanes.node->child[0]);
    if (triangles && part[0].shape->mesh && part[1].shape->mesh) part_triangles(s, part, w, found, count);
    return count;
}

static bool are_items(const sweep_part part[2], const tree_place at[2]) {
    return tree_is_item(tree_child(&part[0].tree, at[0])) && tree_is_item(tree_child(&part[1].tree, at[1]));
}

/// Puts a pair on the stack, below those from `base` on that are earlier; unless it is late enough, or too small for
/// the time that it is free. Returns the new height.
static int push_pair(sweep* s, const sweep_part part[2], sweep_pair pair, sweep_pair* stack, int base, int height) {
    const moving_pair* m = s->m;
    if (!(moving_elapsed(m, pair.time, s->first.time) > 0) && s->first.kind != APART_FREE) return height;
    double way = SMALL * s->speed * moving_elapsed(m, s->start, pair.time);
    if (!are_items(part, pair.at) && box_size(&part[0], pair.at[0]) + box_size(&part[1], pair.at[1]) < way) {
        s->first = (encounter){.kind = APART_UNDECIDED, .time = pair.time};
        return height;
    }
    int k = height;
    for (; k > base && moving_elapsed(m, stack[k - 1].time, pair.time) > 0; --k) stack[k] = stack[k - 1];
    stack[k] = pair;
    return height + 1;
}

/// Looks at the children of a pair. Returns the new height of the stack.
static int open_pair(sweep* s, part_pair* p, const sweep_pair* pair, sweep_pair* stack, int height) {
    moving_pair* m = s->m;
    const sweep_part* part = p->part;
    double size[2];
    for (int i = 0; i < 2; ++i) {
        bool item = tree_is_item(tree_child(&part[i].tree, pair->at[i]));
        size[i] = item ? 0 : box_size(&part[i], pair->at[i]);
    }
    const sweep_instant* now = instant_before(s, p, pair->time);
    wide_motion w = now->motion;
    w.toward = s->toward;
    w.left = moving_elapsed(m, now->time, s->first.time);
    w.off += w.left * now->off_rate;
    w.drift += w.left * now->drift_rate;
    const bool split[2] = {size[0] > 0 && SIMILAR * size[0] >= size[1], size[1] > 0 && SIMILAR * size[1] >= size[0]};
    const tree_place place[2] = {choose_lanes(&part[0], pair->at[0], split[0], &w.rows, &w.row_bits),
                                 choose_lanes(&part[1], pair->at[1], split[1], &w.lanes, &w.lane_bits)};
    sweep_pair found[LANE_COUNT * LANE_COUNT];
    int base = height, count = find_children(s, part, &w, place, found);
    for (int i = 0; i < count; ++i) {
        if (found[i].time == 1) continue;
        double time = apart_moving_later(m, now->time, found[i].time * w.left, s->first.time);
        found[i].time = moving_elapsed(m, time, pair->time) > 0 ? pair->time : time;
        height = push_pair(s, part, found[i], stack, base, height);
    }
    return height;
}

static void search_parts(sweep* s, const uint32_t number[2], double time);

/// Two items: parts of the bodies, or triangles and convex parts.
static void search_items(sweep* s, const sweep_part part[2], const sweep_pair* pair) {
    uint32_t item[2];
    for (int i = 0; i < 2; ++i) item[i] = tree_child(&part[i].tree, pair->at[i]) & ~TREE_ITEM;
    if (part[0].shape->kind == SHAPE_UNION || part[1].shape->kind == SHAPE_UNION) {
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
    follow_leaf(s, leaf, item, pair->time);
}

/// Searches two trees whose items are free until a time.
static void search_trees(sweep* s, part_pair* p, double time) {
    sweep_pair stack[SWEEP_STACK];
    stack[0] = (sweep_pair){.time = time};
    for (int height = 1; height > 0 && s->m->status == APART_OK;) {
        const sweep_pair pair = stack[--height];
        if (!(moving_elapsed(s->m, pair.time, s->first.time) > 0) && s->first.kind != APART_FREE) continue;
        if (--s->patience < 0 || s->m->steps >= s->m->most_steps) {
            // Not looked at any more: nothing is known from here on.
            s->first = (encounter){.kind = APART_UNDECIDED, .time = pair.time};
            continue;
        }
        if (are_items(p->part, pair.at))
            search_items(s, p->part, &pair);
        else
            height = open_pair(s, p, &pair, stack, height);
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
    p.number = number;
    return p;
}

static void search_parts(sweep* s, const uint32_t number[2], double time) {
    tree_node own[2];
    part_pair p;
    p.known = 0;
    for (int i = 0; i < 2; ++i) p.part[i] = part_of(s->m->body[i].shape, number[i], &own[i]);
    if (shape_is_convex(p.part[0].shape) && shape_is_convex(p.part[1].shape))
        follow_leaf(s, p.part, (const uint32_t[2]){0, 0}, time);
    else
        search_trees(s, &p, time);
}

static uint32_t part_count(const apart_shape* s) { return s->kind == SHAPE_UNION ? s->parts->count : 1; }

/// Two bodies: their parts, if one is a union; one after the other if there is no box of the other one.
static void search_bodies(sweep* s, double time) {
    const apart_shape *a = s->m->body[0].shape, *b = s->m->body[1].shape;
    tree_node own[2];
    part_pair whole;
    whole.known = 0;
    whole.part[0] = (sweep_part){.shape = a, .tree = apart_piece_tree(a, true, &own[0])};
    whole.part[1] = (sweep_part){.shape = b, .tree = apart_piece_tree(b, true, &own[1])};
    bool outgrown = piece_outgrows_tree(a) || piece_outgrows_tree(b);
    if (!outgrown && (a->kind == SHAPE_UNION || b->kind == SHAPE_UNION)) {
        search_trees(s, &whole, time);
        return;
    }
    for (uint32_t k = 0; k < part_count(a) * part_count(b) && s->m->status == APART_OK; ++k) {
        const uint32_t number[2] = {k / part_count(b), k % part_count(b)};
        search_parts(s, number, time);
    }
}

/// Pairs of boxes that are looked at before the search gives up, for each step that may be made.
#define PATIENCE 64
/// Time is taken in windows, so that what is near for a while is followed then, and not for all time. One that was free
/// is followed by a longer one.
#define FIRST_WINDOW 0x1p-7

/// What the poses of the parts of a union may be wrong by.
static void blur_parts(const mover* body, moving_piece* p) {
    if (body->shape->kind != SHAPE_UNION) return;
    double far = body->shape->parts->far + vec3_sum_abs(body->now.pose.translation);
    p->blur = body->shape->parts->loose + POSE_ROUNDING * far;
    p->reach += p->blur;
}

/// The distance at the beginning: whether they are in contact; if not, for how long that keeps them apart, at any
/// speed.
static void begin_apart(sweep* s, double end, encounter* e, double* window) {
    const apart_query roughly = {.cutoff = INFINITY, .relative_error = 0.25};
    moving_pair* m = s->m;
    apart_result r;
    apart_moving_measure(m, e->time, m->whole, &roughly, &m->cache, &r);
    double spare = larger(r.lower_bound - m->clearance, 0), speed = apart_moving_speed(m, s->body), from = e->time;
    double alone = speed > 0 ? spare / speed * (1 - 0x1p-40) : spare > 0 ? 2 : 0;
    s->toward = r.normal;
    if (r.upper_bound <= m->clearance) e->kind = APART_CONTACT, e->hit = from;
    if (e->kind != APART_FREE || !(spare > 0)) return;
    e->time = apart_moving_later(m, from, alone, moving_until(m, end));
    e->gap = m->clearance + larger(spare - speed * moving_elapsed(m, from, e->time), 0);
    *window = larger(*window, 2 * alone);
}

void apart_sweep(moving_pair* m, double begin, double end, encounter* e) {
    sweep s = {.m = m, .body = {m->whole[0], m->whole[1]}, .wide = apart_kernels()};
    s.patience = PATIENCE * (int64_t)m->most_steps;
    double window = FIRST_WINDOW;
    m->backwards = end < begin;
    for (int i = 0; i < 2; ++i) blur_parts(&m->body[i], &s.body[i]);
    *e = (encounter){.kind = APART_FREE, .time = begin, .gap = INFINITY};
    begin_apart(&s, end, e, &window);
    while (m->status == APART_OK && e->kind == APART_FREE && e->time != end) {
        double from = e->time;
        apart_moving_go(m, from);
        double until = apart_moving_later(m, from, window, moving_until(m, end));
        s.start = from;
        s.window = moving_elapsed(m, from, until);
        s.speed = apart_moving_speed(m, s.body);
        s.first = (encounter){.kind = APART_FREE, .time = until};
        search_bodies(&s, from);
        *e = s.first;
        e->gap = m->clearance;
        double gone = moving_elapsed(m, from, e->time);
        // What is certain until then is kept. Where two pieces did not get on, once more would end there again.
        if (e->kind == APART_UNDECIDED && gone > 0 && s.patience > 0 && m->steps < m->most_steps) {
            e->kind = APART_FREE;
            window = larger(gone / 2, FIRST_WINDOW);
        } else {
            window *= 2;
        }
    }
}

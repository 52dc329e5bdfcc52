// Two bodies in motion: where they are, how far their pieces reach, how far apart they are at an instant.
#include "motion/moving.h"

#include "base/exact.h"
#include "base/pose.h"
#include "mesh/halfspace.h"
#include "mesh/measure.h"
#include "mesh/mesh.h"

/// Whether a shape looks the same however it is turned about the z axis of its own coordinates.
static bool is_round_about_z(const apart_shape* s) {
    if (!vec3_is_zero(s->origin)) return false;
    if (s->kind == SHAPE_CYLINDER || s->kind == SHAPE_CONE) return true;
    if (s->kind == SHAPE_ELLIPSOID) return s->extent.x == s->extent.y;
    if (s->kind != SHAPE_POLYTOPE || s->dimension > 1) return false;
    for (uint32_t i = 0; i < s->polytope.count; ++i)
        if (s->polytope.x[i] != 0 || s->polytope.y[i] != 0) return false;
    return true;
}

/// An axis that is off by less than this, in radians, counts as the same. It makes points go wrong by as much at most,
/// times two, times their distance from the pivot. The tilt that is compared with half of it has the rounding of three
/// products, below 2^-50.
#define SAME_AXIS 0x1p-46

/// A wheel, or a shaft, that turns about its own axis stays where it is: its turn is left out of all bounds. What it
/// would be wrong by if the axes are not quite the same is an error of its turn.
static void leave_out_own_turn(mover* body) {
    moment* now = &body->now;
    vec3 pivot = body->path.motion->pivot, axis = mat3_tmul(&now->pose.rotation, now->axis);
    bool centred = pivot.x == 0 && pivot.y == 0, ball = body->shape->bound == 0 && pivot.z == 0;
    if (!now->known || now->rate_most == 0 || !centred || !is_round_about_z(body->shape)) return;
    double tilt = fabs(axis.x) + fabs(axis.y);
    if (!ball && tilt > SAME_AXIS / 2) return;
    if (!ball) now->turn_error += 2 * SAME_AXIS;
    now->spin = vec3_make(0, 0, 0);
    now->rate = now->rate_most = now->rate_change = 0;
}

void apart_moving_go(moving_pair* m, double time) {
    m->time = time;
    for (int i = 0; i < 2 && m->status == APART_OK; ++i) {
        m->status = apart_path_at(&m->body[i].path, time, m->backwards, &m->body[i].now);
        if (m->status == APART_OK) leave_out_own_turn(&m->body[i]);
    }
}

double apart_moving_later(const moving_pair* m, double from, double elapsed, double end) {
    if (!(elapsed < moving_elapsed(m, from, end))) return end;
    double step = m->backwards ? -elapsed : elapsed, error, later = exact_sum(from, step, &error);
    // The sum is later + error. One that was rounded away from where it began goes back to the next double.
    if (m->backwards ? error > 0 : error < 0) later = nextafter(later, from);
    return later;
}

// ------------------------------------------------------------------------------------------------------ pieces ----

/// How far the points of a piece are from the pivot or, if axis is not NULL, from the line through it along that unit
/// vector of the body, at most. Rounded up: places are rounded a few times, relative to where they are.
static double outermost(const mover* body, const moving_piece* p, const vec3* axis) {
    const apart_shape* shape = p->shape;
    vec3 corner[8], pivot = body->path.motion->pivot;
    bool few = shape->polytope.count > 0 && shape->polytope.count <= 8;
    uint32_t count = few ? shape->polytope.count : 8;
    if (!few) shape_box_corners(shape, 0, corner);
    for (uint32_t i = 0; i < count && few; ++i) corner[i] = shape_vertex(shape, i);
    double size = vec3_sum_abs(shape->origin) + shape->scale * shape->bound + vec3_sum_abs(pivot), inverse, most = 0;
    if (p->in_body) size += vec3_sum_abs(p->in_body->translation);
    double unit = power_above(size, &inverse);
    for (uint32_t i = 0; i < count; ++i) {
        vec3 x = vec3_scale(inverse, vec3_sub(piece_point(p, corner[i]), pivot));
        if (axis) x = vec3_cross(x, *axis);
        most = larger(most, vec3_dot(x, x));
    }
    return (sqrt(most) + 0x1p-45) * unit + shape->radius * (1 + 0x1p-50) + p->blur;
}

moving_piece apart_moving_piece(const mover* body, double blur) {
    moving_piece p = {.shape = body->shape, .blur = blur, .swing = -1};
    p.reach = outermost(body, &p, NULL);
    return p;
}

/// Of a half-space those points matter that are nearest to the other body: nothing is farther from its pivot than the
/// unit. Against one, the poses of the nested parts of a union count here, as it is one piece.
static moving_piece whole_body(const moving_pair* m, int i) {
    const apart_shape* s = m->body[i].shape;
    if (s->kind == SHAPE_HALFSPACE) return (moving_piece){.shape = s, .reach = m->unit, .swing = -1};
    return apart_moving_piece(&m->body[i], moving_has_plane(m) && s->kind == SHAPE_UNION ? s->parts->loose : 0);
}

double apart_moving_swing(const mover* body, moving_piece* p) {
    vec3 axis = body->now.axis;
    if (p->swing >= 0 && vec3_equal(p->axis, axis)) return p->swing;
    vec3 own = mat3_tmul(&body->now.pose.rotation, axis);
    p->axis = axis;
    return p->swing = smaller(outermost(body, p, &own), p->reach);
}

// ---------------------------------------------------------------------------------------------------- distances ----

/// Where a piece is in the world; adds to *slack what that may be wrong by. room: for a pose.
static posed_shape pose_piece(const moment* now, const moving_piece* p, apart_pose* room, double* slack) {
    *slack += now->place_error + now->turn_error * p->reach + p->blur;
    if (!p->in_body) return (posed_shape){p->shape, &now->pose};
    bool rounded;
    *room = apart_pose_compose(&now->pose, p->in_body, &rounded);
    double far =
        vec3_sum_abs(p->in_body->translation) + vec3_sum_abs(p->shape->origin) + p->shape->scale * p->shape->bound;
    if (rounded) *slack += POSE_ROUNDING * (far + vec3_sum_abs(now->pose.translation)) + 0x1p-1070;
    return (posed_shape){p->shape, room};
}

static apart_status measure_posed(const posed_shape* a, const posed_shape* b, const apart_query* query, double slack,
                                  apart_cache* cache, apart_result* r) {
    simplex_start start;
    if (a->shape->kind == SHAPE_HALFSPACE || b->shape->kind == SHAPE_HALFSPACE)
        return apart_halfspace_measure(a, b, query, slack, cache, r);
    if (shape_is_convex(a->shape) && shape_is_convex(b->shape))
        return apart_pair_search(a, b, query, slack, cache, &start, r)
                   ? APART_OK
                   : apart_pair_measure(a, b, query, slack, &start, cache, r);
    // Trees know nothing of poses that are wrong by a little. Where that matters for bodies that overlap, a depth
    // tells.
    const bool plain = query->depth == APART_DEPTH_NONE;
    apart_query deep = *query;
    deep.depth = APART_DEPTH_EXACT;
    apart_status status = apart_bvh_measure(a, b, query, cache, r);
    if (status == APART_OK && plain && slack > 0 && r->upper_bound <= 0)
        status = apart_bvh_measure(a, b, &deep, cache, r);
    if (status != APART_OK) return status;
    const double least = plain ? 0 : -INFINITY;
    r->lower_bound = larger(r->lower_bound - slack, least);
    r->upper_bound = larger(r->upper_bound + slack, least);
    r->distance = larger(r->distance, least);
    return APART_OK;
}

void apart_moving_measure(moving_pair* m, double time, const moving_piece piece[2], const apart_query* query,
                          apart_cache* cache, apart_result* result) {
    apart_pose room[2];
    double slack = 0;
    apart_moving_go(m, time);
    posed_shape a = pose_piece(&m->body[0].now, &piece[0], &room[0], &slack);
    posed_shape b = pose_piece(&m->body[1].now, &piece[1], &room[1], &slack);
    m->steps += 1;
    if (m->status == APART_OK) m->status = measure_posed(&a, &b, query, slack, cache, result);
    if (m->status != APART_OK) *result = (apart_result){0};
}

/// The velocity of a body's point that is now at x.
static vec3 velocity_at(const moment* now, vec3 x) {
    return vec3_add(now->velocity, vec3_cross(now->spin, vec3_sub(x, now->pivot)));
}

double apart_moving_rate(const moving_pair* m, const apart_result* r) {
    vec3 a = velocity_at(&m->body[0].now, r->point_a), b = velocity_at(&m->body[1].now, r->point_b);
    return vec3_dot(r->normal, b) - vec3_dot(r->normal, a);
}

moment apart_moving_frame(const moving_pair* m, const apart_result* r, vec3 earlier, double elapsed) {
    moment f = {.known = true, .pivot = r->point_a, .velocity = velocity_at(&m->body[0].now, r->point_a)};
    f.spin = vec3_scale(1 / elapsed, vec3_cross(earlier, r->normal));
    f.rate = f.rate_most = vec3_length(f.spin);
    f.axis = vec3_unit(f.spin);
    return f;
}

double apart_moving_speed(const moving_pair* m, const moving_piece piece[2]) {
    const moment *a = &m->body[0].now, *b = &m->body[1].now;
    double way = vec3_length(vec3_scale(m->inverse, vec3_sub(b->velocity, a->velocity))) * m->unit;
    way = way + a->speed + b->speed + a->rate_most * piece[0].reach + b->rate_most * piece[1].reach;
    return way * (1 + 0x1p-40);
}

// ------------------------------------------------------------------------------------------------------- set up ----

/// Whether a motion turns the body on the way.
static bool turns(mover x) {
    const apart_motion* motion = x.path.motion;
    bool any = x.now.rate_most > 0;
    for (size_t i = 1; motion->kind == APART_MOTION_KEYS && i + 1 < motion->key_count && !any; ++i) {
        apart_path_at(&x.path, motion->keys[i].time, false, &x.now);
        any = x.now.rate_most > 0;
    }
    return any;
}

/// Two half-spaces, or one that turns, are not measured.
static bool is_supported(const moving_pair* m) {
    const bool plane[2] = {m->body[0].shape->kind == SHAPE_HALFSPACE, m->body[1].shape->kind == SHAPE_HALFSPACE};
    return !(plane[0] && plane[1]) && !(plane[0] && turns(m->body[0])) && !(plane[1] && turns(m->body[1]));
}

/// How far a shape reaches from its stored origin; the plane of a half-space from its own.
static double size_of(const apart_shape* s) {
    if (s->kind == SHAPE_HALFSPACE) return fabs(s->offset) / vec3_length(s->normal);
    return s->scale * s->bound + s->radius;
}

/// Half the diagonal of a shape's box; a half-space has none.
static double half_diagonal(const apart_shape* s) {
    if (s->kind == SHAPE_HALFSPACE) return 0;
    return vec3_length(vec3_sub(s->upper, s->lower)) / 2 * s->scale + s->radius;
}

/// What the pivot's way is at most as long as.
static double longest_way(const mover* x) {
    const apart_motion* p = x->path.motion;
    if (p->kind == APART_MOTION_FUNCTION) return p->speed;
    if (p->kind != APART_MOTION_KEYS) return vec3_sum_abs(x->path.piece.velocity);
    double most = 0;
    for (size_t i = 1; i < p->key_count; ++i)
        most = larger(most, vec3_sum_abs(vec3_sub(p->keys[i].pose.translation, p->keys[0].pose.translation)));
    return most + 4 * vec3_sum_abs(p->pivot);
}

apart_status apart_motion_query_check(const apart_motion_query* q) {
    const double numbers[3] = {q->clearance, q->tolerance, q->time_tolerance};
    for (int i = 0; i < 3; ++i) {
        apart_status status = apart_number_check(numbers[i]);
        if (status != APART_OK || numbers[i] < 0) return status != APART_OK ? status : APART_INVALID;
    }
    return q->max_steps < 0 ? APART_INVALID : APART_OK;
}

apart_status apart_moving_init(moving_pair* m, const apart_shape* a, const apart_motion* motion_a, const apart_shape* b,
                               const apart_motion* motion_b, const apart_motion_query* query) {
    static const apart_motion_query defaults = {0};
    if (!a || !b || !motion_a || !motion_b) return APART_INVALID;
    if (!query) query = &defaults;
    apart_status status = apart_motion_query_check(query);
    *m = (moving_pair){.body = {{.shape = a}, {.shape = b}}, .clearance = query->clearance};
    if (status == APART_OK) status = apart_path_init(&m->body[0].path, motion_a);
    if (status == APART_OK) status = apart_path_init(&m->body[1].path, motion_b);
    if (status != APART_OK) return status;
    apart_moving_go(m, 0);
    if (m->status != APART_OK) return m->status;
    if (!is_supported(m)) return APART_UNSUPPORTED;
    // Quarters, so that sums of numbers near the limit do not overflow.
    double size =
        vec3_sum_abs(vec3_sub(vec3_scale(0.25, m->body[0].now.pivot), vec3_scale(0.25, m->body[1].now.pivot)));
    for (int i = 0; i < 2; ++i) {
        const mover* x = &m->body[i];
        vec3 pivot = x->path.motion->pivot;
        size += 0.25 * (vec3_sum_abs(x->shape->origin) + vec3_sum_abs(pivot)) + 0.25 * longest_way(x);
        size += size_of(x->shape);
    }
    if (!(size <= 0x1p1000)) return APART_OUT_OF_RANGE;
    m->unit = power_above(4 * size, &m->inverse);
    double own = query->tolerance > 0 ? query->tolerance : 2e-9 * larger(half_diagonal(a), half_diagonal(b));
    m->tolerance = larger(own, 0x1p-46 * 4 * size); // never below rounding
    m->time_tolerance = query->time_tolerance > 0 ? query->time_tolerance : 1e-12;
    m->most_steps = shape_is_convex(a) && shape_is_convex(b) ? 10000 : 1000000;
    if (query->max_steps > 0) m->most_steps = query->max_steps;
    for (int i = 0; i < 2; ++i) m->whole[i] = whole_body(m, i);
    return APART_OK;
}

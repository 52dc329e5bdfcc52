// Following two bodies along their motions until they meet: conservative advancement. What is certain of one instant
// (bounds.c) takes time to the next; nothing is sampled on the way.
#include "motion/moving.h"

static const apart_query plainly = {.cutoff = INFINITY};

/// Looks for a contact after an encounter from which no certain step leads on, as long as the pieces, or bodies, stay
/// near; beyond what is followed, if need be.
static void look_ahead(moving_pair* m, const moving_piece piece[2], apart_cache* cache, encounter* e) {
    const double last = m->backwards ? 0 : 1;
    for (double ahead = smaller(m->time_tolerance, 0x1p-30);; ahead *= 4) {
        apart_result r;
        double time = apart_moving_later(m, e->time, ahead, last);
        if (time == e->time && time != last) continue;
        apart_moving_measure(m, time, piece, &plainly, cache, &r);
        if (r.upper_bound <= m->clearance) e->kind = APART_CONTACT, e->hit = time;
        if (e->kind == APART_CONTACT || time == last || r.lower_bound > m->clearance + m->tolerance) return;
    }
}

/// So many steps may be made while the pieces are within the tolerance: they graze.
#define MOST_NEAR_STEPS 48

void apart_follow_pieces(moving_pair* m, moving_piece piece[2], double begin, double end, encounter* e) {
    apart_cache cache = {0};
    double last_time = begin;
    vec3 last_normal = {0, 0, 0};
    int near_steps = 0;
    m->backwards = end < begin;
    *e = (encounter){.kind = APART_FREE, .time = begin, .gap = INFINITY};
    while (e->kind == APART_FREE) {
        apart_result r;
        apart_moving_measure(m, e->time, piece, &plainly, &cache, &r);
        if (r.upper_bound <= m->clearance) {
            e->kind = APART_CONTACT, e->hit = e->time;
            break;
        }
        if (e->time == end && r.lower_bound > m->clearance) {
            e->gap = smaller(e->gap, r.lower_bound);
            return;
        }
        // What is certain from here on.
        double from = e->time, until = moving_until(m, end), gap;
        moment with = apart_moving_frame(m, &r, last_normal, moving_elapsed(m, last_time, from));
        bool turns = vec3_dot(last_normal, r.normal) > 0.5 && isfinite(with.rate);
        double step = apart_moving_free(m, piece, r.normal, turns ? &with : NULL, moving_elapsed(m, from, until), &gap);
        double next = apart_moving_later(m, from, step, until);
        if (next != from) e->gap = smaller(e->gap, gap);
        last_time = from, last_normal = r.normal;
        if (step > 0 && next == end) {
            e->time = end;
            return;
        }
        bool near = r.upper_bound <= m->clearance + m->tolerance;
        bool stalled = next == from || (near && ++near_steps > MOST_NEAR_STEPS);
        if (stalled || m->steps >= m->most_steps) e->kind = near ? APART_NEAR : APART_UNDECIDED;
        if (stalled) look_ahead(m, piece, &cache, e);
        if (e->kind == APART_FREE) e->time = next;
    }
    e->normal = last_normal;
}

void apart_follow(moving_pair* m, double begin, double end, encounter* e) {
    const bool convex = shape_is_convex(m->body[0].shape) && shape_is_convex(m->body[1].shape);
    if (convex || moving_has_plane(m)) {
        moving_piece piece[2] = {m->whole[0], m->whole[1]};
        apart_follow_pieces(m, piece, begin, end, e);
        return;
    }
    apart_sweep(m, begin, end, e);
    if (e->kind != APART_NEAR) return;
    // The pair that was near only grazes: two triangles that share a corner with those that meet. Do others?
    look_ahead(m, m->whole, &m->cache, e);
}

// Following two bodies along their motions until they meet: conservative advancement. What is certain of one instant
// (bounds.c) takes time to the next; nothing is sampled on the way.
#include "motion/moving.h"

static const apart_query plainly = {.cutoff = INFINITY};

/// Looking ahead for a contact of two pieces, or of the bodies.
typedef struct pursuit {
    moving_pair* m;
    const moving_piece* piece;
    apart_cache* cache;
    double end; // of all motion: a contact may be shown beyond what is followed
    double hit; // a time at which they are certainly within the clearance, if any
    bool has_hit;
} pursuit;

/// Is there a contact at this time? Notes it if so. A time that is not before the known contact is not measured.
static bool probe(pursuit* p, double time, apart_result* r) {
    if (p->has_hit && !(moving_elapsed(p->m, time, p->hit) > 0)) return true;
    apart_moving_measure(p->m, time, p->piece, &plainly, p->cache, r);
    if (!(r->upper_bound <= p->m->clearance)) return false;
    p->hit = time;
    return p->has_hit = true;
}

/// Looks for a contact after a time from which no certain step leads on, as long as the pieces stay near.
static void look_ahead(pursuit* p, double from) {
    moving_pair* m = p->m;
    for (double ahead = smaller(m->time_tolerance, 0x1p-30); !p->has_hit; ahead *= 4) {
        apart_result r;
        double time = apart_moving_later(m, from, ahead, p->end);
        if (time == from && time != p->end) continue;
        if (probe(p, time, &r) || time == p->end || r.lower_bound > m->clearance + m->tolerance) break;
    }
}

/// A plain approach: where the pieces should be in contact, by so much that it can be shown.
static void probe_where_expected(pursuit* p, double from, const apart_result* r, double rate) {
    if (!(rate < 0)) return;
    double way = r->upper_bound - p->m->clearance + 4 * (r->upper_bound - r->lower_bound);
    double elapsed = way / -rate + smaller(p->m->time_tolerance, 0x1p-30) / 2;
    apart_result there;
    probe(p, apart_moving_later(p->m, from, elapsed, p->end), &there);
}

/// So many steps may be made while the pieces are within the tolerance: they graze.
#define MOST_NEAR_STEPS 48

void apart_follow_pieces(moving_pair* m, moving_piece piece[2], double begin, double end, encounter* e) {
    apart_cache cache = {0};
    pursuit p = {.m = m, .piece = piece, .cache = &cache, .end = end < begin ? 0 : 1};
    double last_time = begin, last_distance = INFINITY;
    vec3 last_normal = {0, 0, 0};
    int near_steps = 0;
    m->backwards = end < begin;
    *e = (encounter){.kind = APART_FREE, .time = begin, .gap = INFINITY};
    for (;;) {
        apart_result r;
        if (probe(&p, e->time, &r)) break;
        if (e->time == end && r.lower_bound > m->clearance) {
            e->gap = smaller(e->gap, r.lower_bound);
            return;
        }
        // What is certain from here on.
        bool hit_ahead = p.has_hit && moving_elapsed(m, p.hit, end) > 0;
        double from = e->time, until = moving_until(m, hit_ahead ? p.hit : end), gap;
        moment with = apart_moving_frame(m, &r, last_normal, moving_elapsed(m, last_time, from));
        bool turns = vec3_dot(last_normal, r.normal) > 0.5 && isfinite(with.rate);
        double step = apart_moving_free(m, piece, r.normal, turns ? &with : NULL, moving_elapsed(m, from, until), &gap);
        double next = apart_moving_later(m, from, step, until);
        if (next != from) e->gap = smaller(e->gap, gap);
        bool near = r.upper_bound <= m->clearance + m->tolerance;
        double rate = moving_is_known(m) ? apart_moving_rate(m, &r)
                                         : (r.distance - last_distance) / moving_elapsed(m, last_time, from);
        last_time = from, last_distance = r.distance, last_normal = r.normal;
        if (step > 0 && next == end) {
            e->time = end;
            return;
        }
        bool stalled = next == from || (near && ++near_steps > MOST_NEAR_STEPS), spent = m->steps >= m->most_steps;
        if (near) probe_where_expected(&p, from, &r, rate);
        if (stalled) look_ahead(&p, from);
        bool narrow = p.has_hit && moving_elapsed(m, next, p.hit) <= m->time_tolerance;
        if (narrow || !(stalled || spent)) e->time = next;
        if (narrow || stalled || spent) {
            e->kind = near ? APART_NEAR : APART_UNDECIDED;
            break;
        }
    }
    e->normal = last_normal;
    if (p.has_hit) e->kind = APART_CONTACT, e->hit = p.hit;
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
    pursuit p = {.m = m, .piece = m->whole, .cache = &m->cache, .end = end < begin ? 0 : 1};
    look_ahead(&p, e->time);
    if (p.has_hit) e->kind = APART_CONTACT, e->hit = p.hit;
}

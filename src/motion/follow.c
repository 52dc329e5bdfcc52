#include "motion/follow.h"

#include "mesh/measure.h"

/// Looking ahead for a contact of two pieces, or of the bodies.
typedef struct pursuit {
    moving_pair* m;
    moving_piece* piece; // NULL: the bodies
    double end;          // of all motion: a contact may be shown beyond what is followed
    double hit;          // a time at which they are certainly within the clearance, if any
    bool has_hit;
    apart_cache cache;
} pursuit;

/// Measures at a time.
static apart_status measure_at(pursuit* p, double time, apart_result* r) {
    if (!p->piece) return apart_follow_measure(p->m, time, &(apart_query){.cutoff = INFINITY}, r);
    apart_status status = apart_moving_go(p->m, time, p->m->backwards);
    return status == APART_OK ? apart_moving_measure(p->m, p->piece, APART_DEPTH_NONE, &p->cache, r) : status;
}

/// Is there a contact at this time? Notes it if so. A time that is not before the known contact is of no use.
static apart_status probe(pursuit* p, double time, apart_result* r) {
    if (p->has_hit && !(moving_elapsed(p->m, time, p->hit) > 0)) return APART_OK;
    apart_status status = measure_at(p, time, r);
    if (status == APART_OK && r->upper_bound <= p->m->clearance) p->hit = time, p->has_hit = true;
    return status;
}

/// Looks for a contact after a time from which no certain step leads on, as long as the pieces stay near.
static apart_status look_ahead(pursuit* p, double from) {
    moving_pair* m = p->m;
    for (double ahead = smaller(m->time_tolerance, 0x1p-30); !p->has_hit; ahead *= 4) {
        apart_result r;
        m->time = from;
        double time = apart_moving_later(m, ahead, p->end);
        if (time == from && time != p->end) continue;
        apart_status status = probe(p, time, &r);
        if (status != APART_OK) return status;
        if (time == p->end || r.lower_bound > m->clearance + m->tolerance) break;
    }
    return APART_OK;
}

/// A plain approach: where the pieces should be in contact, by so much that it can be shown.
static apart_status probe_where_expected(pursuit* p, double from, const apart_result* r, double rate) {
    if (!(rate < 0)) return APART_OK;
    double way = r->upper_bound - p->m->clearance + 4 * (r->upper_bound - r->lower_bound);
    apart_result there;
    p->m->time = from;
    return probe(p, apart_moving_later(p->m, way / -rate + smaller(p->m->time_tolerance, 0x1p-30) / 2, p->end), &there);
}

/// So many steps may be made while the pieces are within the tolerance: they graze.
#define MOST_NEAR_STEPS 48

apart_status apart_follow_pieces(moving_pair* m, moving_piece piece[2], double begin, double end, encounter* e) {
    pursuit p = {.m = m, .piece = piece, .end = end < begin ? 0 : 1};
    double last_time = begin, last_distance = INFINITY;
    vec3 last_normal = {0, 0, 0};
    int near_steps = 0;
    m->backwards = end < begin;
    *e = (encounter){.kind = APART_FREE, .time = begin, .gap = INFINITY};
    for (;;) {
        apart_result r;
        apart_status status = measure_at(&p, e->time, &r);
        if (status != APART_OK) return status;
        if (r.upper_bound <= m->clearance) {
            p.hit = e->time, p.has_hit = true;
            break;
        }
        if (e->time == end && r.lower_bound > m->clearance) {
            e->gap = smaller(e->gap, r.lower_bound);
            return APART_OK;
        }
        // What is certain from here on.
        bool hit_ahead = p.has_hit && moving_elapsed(m, p.hit, end) > 0;
        double from = e->time, until = moving_until(m, hit_ahead ? p.hit : end), gap;
        moment with = apart_moving_frame(m, &r, last_normal, moving_elapsed(m, last_time, from));
        bool turns = vec3_dot(last_normal, r.normal) > 0.5 && isfinite(with.rate);
        double step = apart_moving_free(m, piece, r.normal, turns ? &with : NULL, m->clearance,
                                        moving_elapsed(m, from, until), &gap);
        double next = apart_moving_later(m, step, until);
        if (next != from) e->gap = smaller(e->gap, gap);
        bool known = m->body[0].now.known && m->body[1].now.known, near = r.upper_bound <= m->clearance + m->tolerance;
        double rate =
            known ? apart_moving_rate(m, &r) : (r.distance - last_distance) / moving_elapsed(m, last_time, from);
        last_time = from, last_distance = r.distance, last_normal = r.normal;
        if (step > 0 && next == end) {
            e->time = end;
            return APART_OK;
        }
        bool stalled = next == from || (near && ++near_steps > MOST_NEAR_STEPS), spent = m->steps >= m->most_steps;
        if (near && status == APART_OK) status = probe_where_expected(&p, from, &r, rate);
        if (stalled && status == APART_OK) status = look_ahead(&p, from);
        if (status != APART_OK) return status;
        bool narrow = p.has_hit && moving_elapsed(m, next, p.hit) <= m->time_tolerance;
        if (narrow) e->time = next;
        if (narrow || stalled || spent) {
            e->kind = near ? APART_NEAR : APART_UNDECIDED;
            break;
        }
        e->time = next;
    }
    e->normal = last_normal;
    if (p.has_hit) e->kind = APART_CONTACT, e->hit = p.hit;
    return APART_OK;
}

// ------------------------------------------------------------------------------------------------------- bodies ----

/// Whether each body is one piece.
static bool are_pieces(const moving_pair* m) {
    return (shape_is_convex(m->body[0].shape) && shape_is_convex(m->body[1].shape)) || moving_has_plane(m);
}

apart_status apart_follow_measure(moving_pair* m, double time, const apart_query* query, apart_result* result) {
    apart_status status = apart_moving_go(m, time, m->backwards);
    if (status != APART_OK) return status;
    moving_piece piece[2];
    apart_moving_bodies(m, piece);
    if (are_pieces(m)) return apart_moving_measure(m, piece, query->depth, &m->cache, result);
    // Trees know nothing of poses that are wrong by a little. Where that matters for bodies that overlap, a depth
    // tells.
    double slack = 0;
    posed_shape a = apart_moving_posed(&m->body[0].now, &piece[0], NULL, &slack);
    posed_shape b = apart_moving_posed(&m->body[1].now, &piece[1], NULL, &slack);
    m->steps += 1;
    status = apart_bvh_measure(&a, &b, query, &m->cache, result);
    if (status == APART_OK && query->depth == APART_DEPTH_NONE && slack > 0 && result->upper_bound <= 0) {
        apart_query deep = *query;
        deep.depth = APART_DEPTH_EXACT;
        status = apart_bvh_measure(&a, &b, &deep, &m->cache, result);
    }
    if (status != APART_OK) return status;
    result->lower_bound -= slack;
    result->upper_bound += slack;
    if (query->depth != APART_DEPTH_NONE) return APART_OK;
    result->lower_bound = larger(result->lower_bound, 0);
    result->upper_bound = larger(result->upper_bound, 0);
    result->distance = larger(result->distance, 0);
    return APART_OK;
}

apart_status apart_follow(moving_pair* m, double begin, double end, encounter* e) {
    moving_piece piece[2];
    apart_moving_bodies(m, piece);
    if (are_pieces(m)) return apart_follow_pieces(m, piece, begin, end, e);
    apart_status status = apart_sweep(m, begin, end, e);
    if (status != APART_OK || e->kind != APART_NEAR) return status;
    // The pair that was near only grazes: two triangles that share a corner with those that meet. Do others?
    pursuit p = {.m = m, .end = end < begin ? 0 : 1};
    status = look_ahead(&p, e->time);
    if (p.has_hit) e->kind = APART_CONTACT, e->hit = p.hit;
    return status;
}

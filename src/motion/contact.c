// First contact, closest approach and spans of contact, all three by following the bodies (follow.c), forwards and
// backwards.
#include "motion/moving.h"

static const apart_query plainly = {.cutoff = INFINITY}, with_depth = {.cutoff = INFINITY, .depth = APART_DEPTH_EXACT};

static void measure_bodies(moving_pair* m, double time, const apart_query* query, apart_result* r) {
    apart_moving_measure(m, time, m->whole, query, &m->cache, r);
}

// ----------------------------------------------------------------------------------------------- first contact ----

/// Change of distance per unit of time at the moments, of which `r` is the result. Where a velocity is not known, by a
/// difference.
static double find_rate(moving_pair* m, const apart_result* r) {
    if (r->upper_bound <= 0) return 0;
    if (moving_is_known(m)) return apart_moving_rate(m, r);
    const double time = m->time, other = time < 0x1p-20 ? time + 0x1p-20 : time - 0x1p-20;
    apart_result there;
    measure_bodies(m, other, &plainly, &there);
    return (there.distance - r->distance) / (other - time);
}

apart_status apart_first_contact(const apart_shape* a, const apart_motion* motion_a, const apart_shape* b,
                                 const apart_motion* motion_b, const apart_motion_query* query,
                                 apart_contact* contact) {
    moving_pair m;
    encounter e;
    if (!contact) return APART_INVALID;
    apart_status status = apart_moving_init(&m, a, motion_a, b, motion_b, query);
    if (status != APART_OK) return status;
    apart_follow(&m, 0, 1, &e);
    apart_contact c = {.kind = e.kind, .time = e.time, .time_upper = INFINITY, .steps = m.steps};
    if (e.kind == APART_CONTACT) c.time_upper = e.hit;
    measure_bodies(&m, e.time, &plainly, &c.result);
    c.rate = find_rate(&m, &c.result);
    c.clearance = isfinite(e.gap) ? e.gap : c.result.lower_bound; // nothing is said of an empty time
    if (m.status == APART_OK) *contact = c;
    return m.status;
}

// --------------------------------------------------------------------------------------------- closest approach ----

/// The least distance found so far.
typedef struct least {
    moving_pair* m;
    double upper, time;
    apart_result result;
    double last; // where the distance fell last, on one way down
} least;

/// Measures at a time. Returns how the distance changes there; 0 where it falls, but is higher than the last that did:
/// there is a dip between the two.
static double try_time(least* l, double time) {
    apart_result r;
    measure_bodies(l->m, time, &plainly, &r);
    if (r.upper_bound < l->upper) l->upper = r.upper_bound, l->time = time, l->result = r;
    double rate = find_rate(l->m, &r);
    if (!(rate < 0)) return rate;
    if (r.distance > l->last) rate = 0;
    l->last = smaller(l->last, r.distance);
    return rate;
}

/// Goes down from a time at which the distance falls to where it rises again, and finds the time between by halving and
/// by the secant of the rates. A lower distance is found, not certainly the least: that is what following is for.
static void descend_to_minimum(least* l, double from) {
    l->last = INFINITY;
    double low = from, high = from, high_rate = -1, low_rate = try_time(l, from);
    if (!(low_rate < 0)) return;
    for (double ahead = 0x1p-6; high_rate < 0 && l->upper > 0; ahead *= 2) {
        high = smaller(from + ahead, 1);
        high_rate = try_time(l, high);
        if (high_rate < 0) low = high, low_rate = high_rate;
        if (high == 1) break;
    }
    for (int i = 0; i < 40 && high_rate >= 0 && l->upper > 0; ++i) {
        // What is still to be gained is less than the slope on either side times the time between. Beyond a dip that
        // is narrow the distance may not change at all.
        double width = high - low, slope = high_rate > 0 ? smaller(-low_rate, high_rate) : -low_rate;
        if (slope * width <= l->m->tolerance / 8) break;
        bool halve = i % 3 == 2 || high_rate == 0;
        double part = halve ? 0.5 : -low_rate / (high_rate - low_rate), time = low + part * width;
        if (!(time > low && time < high)) break;
        double rate = try_time(l, time);
        if (rate < 0)
            low = time, low_rate = rate;
        else
            high = time, high_rate = rate;
    }
}

apart_status apart_closest_approach(const apart_shape* a, const apart_motion* motion_a, const apart_shape* b,
                                    const apart_motion* motion_b, const apart_motion_query* query,
                                    apart_approach* approach) {
    moving_pair m;
    if (!approach) return APART_INVALID;
    apart_status status = apart_moving_init(&m, a, motion_a, b, motion_b, query);
    if (status != APART_OK) return status;
    least l = {.m = &m, .upper = INFINITY};
    const int allowance = m.most_steps / 2 + 1;
    double lower = 0, time = 0;
    descend_to_minimum(&l, 0);
    try_time(&l, 1);
    // Whatever comes nearer than the least so far, by more than the width of the bracket, is looked for. If nothing
    // does, that is the answer. If the steps run out, a wider bracket must do.
    for (double width = m.tolerance; m.status == APART_OK && l.upper > width;) {
        encounter e;
        m.clearance = l.upper - width;
        m.tolerance = width / 4;
        apart_follow(&m, time, 1, &e);
        if (e.kind == APART_FREE) {
            lower = smaller(m.clearance, l.result.lower_bound);
            break;
        }
        time = e.time;
        if (e.kind == APART_UNDECIDED || m.steps >= m.most_steps) width *= 8, m.most_steps = m.steps + allowance;
        if (e.kind == APART_CONTACT) descend_to_minimum(&l, e.hit);
        descend_to_minimum(&l, time);
    }
    if (m.status == APART_OK)
        *approach = (apart_approach){l.result.distance, lower, l.upper, l.time, l.result, m.steps};
    return m.status;
}

// -------------------------------------------------------------------------------------------- spans of contact ----

/// Moments of freedom between two instants of contact that are no longer than twice this may be overlooked.
#define SPAN_RESOLUTION 0x1p-12

/// How long the two stay within the clearance, before (backwards) or after an instant at which the end of their signed
/// distance is `upper`: until their points have moved as far as they overlap, or a piece of a motion ends.
static double contact_lasts(moving_pair* m, double time, bool backwards, double upper) {
    m->backwards = backwards;
    apart_moving_go(m, time);
    if (upper > m->clearance) return 0;
    double speed = apart_moving_speed(m, m->whole), room = m->clearance - upper;
    double left = moving_elapsed(m, time, moving_until(m, backwards ? 0 : 1));
    return room >= speed * left ? left : room / speed;
}

/// Finds the end of a span that begins with an encounter, and a time from which to go on: the bodies are apart between
/// the two. From one instant of contact to the next, as far as contact certainly lasts; where they are apart again, the
/// end is found by following them back from there.
static void find_end(moving_pair* m, const encounter* e, apart_span* span, double* resume) {
    apart_result r;
    encounter back = {.kind = APART_FREE, .time = 1, .hit = 1}; // the last instant of contact, as far as is known
    // A contact that was shown long after the bodies were near is not that of this moment, perhaps.
    bool soon = e->kind == APART_CONTACT && e->hit - e->time <= SPAN_RESOLUTION;
    double known = soon ? e->hit : e->time, ahead = SPAN_RESOLUTION;
    if (!soon) span->kind = APART_NEAR;
    measure_bodies(m, known, &with_depth, &r);
    double lasts = contact_lasts(m, known, false, r.upper_bound);
    *resume = 1;
    while (m->status == APART_OK && known < back.hit && m->steps < m->most_steps) {
        double next = smaller(known + ahead, back.hit), step = next - known;
        bool last = next == back.hit && back.kind != APART_FREE;
        m->backwards = false;
        measure_bodies(m, next, &with_depth, &r);
        double lasted = contact_lasts(m, next, true, r.upper_bound);
        if (r.lower_bound > m->clearance && !last) {
            encounter there;
            apart_follow(m, next, known, &there);
            if (there.kind == APART_CONTACT) span->kind = APART_CONTACT;
            if (there.kind != APART_CONTACT) there.hit = there.time;
            if (there.time != next) {
                back = there, *resume = next;
                continue;
            }
            // No step leads back from there: apart, but so near that the span goes on.
        }
        if (step >= 2 * SPAN_RESOLUTION && lasts + lasted < step) {
            ahead = step / 2;
        } else {
            known = next, ahead *= 2;
            lasts = contact_lasts(m, known, false, r.upper_bound);
        }
        if (r.upper_bound <= m->clearance) span->kind = APART_CONTACT;
    }
    span->end = back.time;
    if (m->steps >= m->most_steps && known < back.hit) *span = (apart_span){span->begin, *resume = 1, APART_UNDECIDED};
}

apart_status apart_contact_spans(const apart_shape* a, const apart_motion* motion_a, const apart_shape* b,
                                 const apart_motion* motion_b, const apart_motion_query* query, apart_span* spans,
                                 size_t capacity, size_t* count) {
    moving_pair m;
    if (!count || (!spans && capacity > 0)) return APART_INVALID;
    apart_status status = apart_moving_init(&m, a, motion_a, b, motion_b, query);
    if (status != APART_OK) return status;
    size_t found = 0;
    for (double time = 0; time < 1;) {
        encounter e;
        apart_follow(&m, time, 1, &e);
        apart_span span = {e.time, 1, e.kind};
        time = 1;
        if (e.kind == APART_CONTACT || e.kind == APART_NEAR) find_end(&m, &e, &span, &time);
        if (m.status != APART_OK) return m.status;
        if (e.kind == APART_FREE) break;
        if (found < capacity) spans[found] = span;
        found += 1;
    }
    *count = found;
    return APART_OK;
}

// First contact, closest approach and spans of contact, all three by following the bodies (follow.h), forwards and
// backwards.
#include "motion/follow.h"

static const apart_query plainly = {.cutoff = INFINITY}, with_depth = {.cutoff = INFINITY, .depth = APART_DEPTH_EXACT};

// ----------------------------------------------------------------------------------------------- first contact ----

/// Change of distance per unit of time at the moments, of which `r` is the result. Where a velocity is not known, by a
/// difference.
static apart_status find_rate(moving_pair* m, const apart_result* r, double* rate) {
    *rate = 0;
    if (r->upper_bound <= 0) return APART_OK;
    if (m->body[0].now.known && m->body[1].now.known) {
        *rate = apart_moving_rate(m, r);
        return APART_OK;
    }
    const double time = m->time, other = time < 0x1p-20 ? time + 0x1p-20 : time - 0x1p-20;
    apart_result there;
    apart_status status = apart_follow_measure(m, other, &plainly, &there);
    if (status == APART_OK) *rate = (there.distance - r->distance) / (other - time);
    return status;
}

apart_status apart_first_contact(const apart_shape* a, const apart_motion* motion_a, const apart_shape* b,
                                 const apart_motion* motion_b, const apart_motion_query* query,
                                 apart_contact* contact) {
    moving_pair m;
    encounter e;
    if (!contact) return APART_INVALID;
    apart_status status = apart_moving_init(&m, a, motion_a, b, motion_b, query);
    if (status == APART_OK) status = apart_follow(&m, 0, 1, &e);
    if (status != APART_OK) return status;
    apart_contact c = {.kind = e.kind, .time = e.time, .time_upper = INFINITY};
    if (e.kind == APART_CONTACT) c.time_upper = e.hit;
    c.steps = m.steps;
    status = apart_follow_measure(&m, e.time, &plainly, &c.result);
    if (status == APART_OK) status = find_rate(&m, &c.result, &c.rate);
    if (status != APART_OK) return status;
    c.clearance = isfinite(e.gap) ? e.gap : c.result.lower_bound; // nothing is said of an empty time
    *contact = c;
    return APART_OK;
}

// --------------------------------------------------------------------------------------------- closest approach ----

/// The least distance found so far.
typedef struct least {
    moving_pair* m;
    double upper, time;
    apart_result result;
} least;

/// Measures at a time. *rate: how the distance changes there; 0 where it falls, but is higher than the last that did,
/// which is *last: there is a dip between the two.
static apart_status try_time(least* l, double time, double* last, double* rate) {
    apart_result r;
    apart_status status = apart_follow_measure(l->m, time, &plainly, &r);
    if (status == APART_OK && r.upper_bound < l->upper) l->upper = r.upper_bound, l->time = time, l->result = r;
    if (status == APART_OK) status = find_rate(l->m, &r, rate);
    if (status != APART_OK || !(*rate < 0)) return status;
    if (r.distance > *last) *rate = 0;
    *last = smaller(*last, r.distance);
    return status;
}

/// Goes down from a time at which the distance falls to where it rises again, and finds the time between by halving and
/// by the secant of the rates. A lower distance is found, not certainly the least: that is what following is for.
static apart_status descend(least* l, double from) {
    double rate, low = from, low_rate, high = from, high_rate = -1, last = INFINITY;
    apart_status status = try_time(l, from, &last, &low_rate);
    if (status != APART_OK || !(low_rate < 0) || l->upper <= 0) return status;
    for (double ahead = 0x1p-6; high_rate < 0; ahead *= 2) {
        high = smaller(from + ahead, 1);
        status = try_time(l, high, &last, &high_rate);
        if (status != APART_OK || l->upper <= 0) return status;
        if (high_rate < 0) low = high, low_rate = high_rate;
        if (high == 1) break;
    }
    for (int i = 0; i < 40 && high_rate >= 0; ++i) {
        // What is still to be gained is less than the slope on either side times the time between. Beyond a dip that
        // is narrow the distance may not change at all.
        double width = high - low, slope = high_rate > 0 ? smaller(-low_rate, high_rate) : -low_rate;
        if (slope * width <= l->m->tolerance / 8) break;
        bool halve = i % 3 == 2 || high_rate == 0;
        double part = halve ? 0.5 : -low_rate / (high_rate - low_rate), time = low + part * width;
        if (!(time > low && time < high)) break;
        status = try_time(l, time, &last, &rate);
        if (status != APART_OK || l->upper <= 0) return status;
        if (rate < 0)
            low = time, low_rate = rate;
        else
            high = time, high_rate = rate;
    }
    return APART_OK;
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
    double lower = 0, time = 0, last = INFINITY, rate;
    status = descend(&l, 0);
    if (status == APART_OK) status = try_time(&l, 1, &last, &rate);
    // Whatever comes nearer than the least so far, by more than the width of the bracket, is looked for. If nothing
    // does, that is the answer. If the steps run out, a wider bracket must do.
    for (double width = m.tolerance; status == APART_OK && l.upper > width;) {
        encounter e;
        m.clearance = l.upper - width;
        m.tolerance = width / 4;
        status = apart_follow(&m, time, 1, &e);
        m.backwards = false;
        if (status != APART_OK) break;
        if (e.kind == APART_FREE) {
            lower = smaller(m.clearance, l.result.lower_bound);
            break;
        }
        time = e.time;
        if (e.kind == APART_UNDECIDED || m.steps >= m.most_steps) width *= 8, m.most_steps = m.steps + allowance;
        if (e.kind == APART_CONTACT) status = descend(&l, e.hit);
        if (status == APART_OK) status = descend(&l, time);
    }
    if (status != APART_OK) return status;
    *approach = (apart_approach){l.result.distance, lower, l.upper, l.time, l.result, m.steps};
    return APART_OK;
}

// -------------------------------------------------------------------------------------------- spans of contact ----

/// Moments of freedom between two instants of contact that are no longer than twice this may be overlooked.
#define SPAN_RESOLUTION 0x1p-12

/// How long the two stay within the clearance, before (backwards) or after an instant at which the end of their signed
/// distance is `upper`: until their points have moved as far as they overlap, or a piece of a motion ends.
static apart_status contact_lasts(moving_pair* m, double time, bool backwards, double upper, double* lasts) {
    apart_status status = apart_moving_go(m, time, backwards);
    *lasts = 0;
    if (status != APART_OK || upper > m->clearance) return status;
    moving_piece piece[2];
    apart_moving_bodies(m, piece);
    double speed = apart_moving_speed(m, piece), room = m->clearance - upper;
    double left = moving_elapsed(m, time, moving_until(m, backwards ? 0 : 1));
    *lasts = room >= speed * left ? left : room / speed;
    return APART_OK;
}

/// Finds the end of a span that begins with an encounter, and a time from which to go on: the bodies are apart between
/// the two. From one instant of contact to the next, as far as contact certainly lasts; where they are apart again, the
/// end is found by following them back from there.
static apart_status find_end(moving_pair* m, const encounter* e, apart_span* span, double* resume) {
    apart_result r;
    encounter back = {.kind = APART_FREE, .time = 1, .hit = 1}; // the last instant of contact, as far as is known
    // A contact that was shown long after the bodies were near is not that of this moment, perhaps.
    bool soon = e->kind == APART_CONTACT && e->hit - e->time <= SPAN_RESOLUTION;
    double known = soon ? e->hit : e->time, ahead = SPAN_RESOLUTION;
    if (!soon) span->kind = APART_NEAR;
    apart_status status = apart_follow_measure(m, known, &with_depth, &r);
    double lasts = 0;
    if (status == APART_OK) status = contact_lasts(m, known, false, r.upper_bound, &lasts);
    *resume = 1;
    while (status == APART_OK && known < back.hit && m->steps < m->most_steps) {
        double next = smaller(known + ahead, back.hit), step = next - known;
        bool last = next == back.hit && back.kind != APART_FREE;
        m->backwards = false;
        status = apart_follow_measure(m, next, &with_depth, &r);
        double lasted = 0;
        if (status == APART_OK) status = contact_lasts(m, next, true, r.upper_bound, &lasted);
        if (status != APART_OK) break;
        bool contact = r.upper_bound <= m->clearance;
        bool over = r.lower_bound > m->clearance && !last;
        if (over) {
            encounter there;
            status = apart_follow(m, next, known, &there);
            if (there.kind == APART_CONTACT) span->kind = APART_CONTACT;
            if (there.kind == APART_FREE) there.time = known;
            if (there.kind != APART_CONTACT) there.hit = there.time;
            // No step leads back from there: apart, but so near that the span goes on.
            over = there.time != next;
            if (over) back = there, *resume = next;
        }
        if (over) continue;
        if (step >= 2 * SPAN_RESOLUTION && lasts + lasted < step) {
            ahead = step / 2;
        } else {
            known = next, ahead *= 2;
            status = contact_lasts(m, known, false, r.upper_bound, &lasts);
        }
        if (contact) span->kind = APART_CONTACT;
    }
    m->backwards = false;
    span->end = back.time;
    if (m->steps >= m->most_steps && known < back.hit) *span = (apart_span){span->begin, *resume = 1, APART_UNDECIDED};
    return status;
}

apart_status apart_contact_spans(const apart_shape* a, const apart_motion* motion_a, const apart_shape* b,
                                 const apart_motion* motion_b, const apart_motion_query* query, apart_span* spans,
                                 size_t capacity, size_t* count) {
    moving_pair m;
    if (!count || (!spans && capacity > 0)) return APART_INVALID;
    apart_status status = apart_moving_init(&m, a, motion_a, b, motion_b, query);
    size_t found = 0;
    for (double time = 0; status == APART_OK && time < 1;) {
        encounter e;
        status = apart_follow(&m, time, 1, &e);
        if (status != APART_OK || e.kind == APART_FREE) break;
        apart_span span = {e.time, 1, e.kind};
        time = 1;
        if (e.kind != APART_UNDECIDED) status = find_end(&m, &e, &span, &time);
        if (status != APART_OK) break;
        if (found < capacity) spans[found] = span;
        found += 1;
    }
    if (status == APART_OK) *count = found;
    return status;
}

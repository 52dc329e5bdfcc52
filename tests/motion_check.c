#include "motion_check.h"

#include <math.h>
#include <stdio.h>

apart_status motion_ask(const encounter_case* c, motion_answer* x) {
    apart_status s = apart_first_contact(c->a, &c->motion_a, c->b, &c->motion_b, &c->query, &x->contact);
    if (s == APART_OK) s = apart_closest_approach(c->a, &c->motion_a, c->b, &c->motion_b, &c->query, &x->approach);
    if (s != APART_OK) return s;
    return apart_contact_spans(c->a, &c->motion_a, c->b, &c->motion_b, &c->query, x->span, MOST_SPANS, &x->spans);
}

// ------------------------------------------------------------------------------------------------------ samples ----

/// The distance at an instant.
typedef struct instant {
    double time, lower, upper; // of the poses as they are rounded
    double slack;              // the true poses are off by less than this
} instant;

static double size_of(const apart_shape* s, const apart_motion* m, const apart_pose* pose) {
    apart_shape_info info;
    apart_shape_describe(s, &info);
    const double box = fmax(fabs(info.lower.x), fabs(info.upper.x)) + fmax(fabs(info.lower.y), fabs(info.upper.y)) +
                       fmax(fabs(info.lower.z), fabs(info.upper.z));
    const apart_vec3 t = pose->translation, p = m->pivot, v = m->velocity.linear;
    // A half-space has no box: where it is near is a matter of the other body.
    double size = (isfinite(box) ? box : 0) + fabs(t.x) + fabs(t.y) + fabs(t.z) + fabs(p.x) + fabs(p.y) + fabs(p.z);
    if (m->kind == APART_MOTION_VELOCITY) size += fabs(v.x) + fabs(v.y) + fabs(v.z);
    // An angle is rounded, too.
    const apart_vec3 w = m->velocity.angular;
    if (m->kind == APART_MOTION_VELOCITY) size *= 1 + fabs(w.x) + fabs(w.y) + fabs(w.z);
    return size;
}

static instant measure(const encounter_case* c, double time, apart_cache* cache) {
    apart_pose pose[2];
    apart_result r;
    instant i = {.time = time, .lower = NAN};
    if (apart_motion_pose(&c->motion_a, time, &pose[0]) != APART_OK) return i;
    if (apart_motion_pose(&c->motion_b, time, &pose[1]) != APART_OK) return i;
    if (apart_distance(c->a, &pose[0], c->b, &pose[1], NULL, cache, &r) != APART_OK) return i;
    i.lower = r.lower_bound;
    i.upper = r.upper_bound;
    i.slack = 0x1p-46 * (size_of(c->a, &c->motion_a, &pose[0]) + size_of(c->b, &c->motion_b, &pose[1]));
    return i;
}

static bool touches(const encounter_case* c, const instant* i) {
    const double room = c->query.clearance > 0 ? i->slack : 0;
    if (c->query.clearance == 0 && i->upper == 0) {
        // Overlapping by more than the poses are off by?
        apart_pose pose[2];
        apart_result r;
        apart_query deep = {.depth = APART_DEPTH_EXACT};
        apart_motion_pose(&c->motion_a, i->time, &pose[0]);
        apart_motion_pose(&c->motion_b, i->time, &pose[1]);
        return apart_distance(c->a, &pose[0], c->b, &pose[1], &deep, NULL, &r) == APART_OK && r.upper_bound < -i->slack;
    }
    return i->upper <= c->query.clearance - room;
}

static bool is_apart(const encounter_case* c, const instant* i) { return i->lower > c->query.clearance + i->slack; }

// ------------------------------------------------------------------------------------------------------ answers ----

static const char* check_contact(const encounter_case* c, const motion_answer* x, apart_cache* cache) {
    const apart_contact* k = &x->contact;
    const double clearance = c->query.clearance;
    if (!(k->time >= 0 && k->time <= 1)) return "the time of contact is outside [0, 1]";
    if (k->kind == APART_FREE && k->time != 1) return "free, but not until 1";
    if ((k->kind == APART_CONTACT) != isfinite(k->time_upper)) return "time_upper does not fit the kind";
    if (k->kind == APART_CONTACT && !(k->time <= k->time_upper && k->time_upper <= 1)) return "no bracket of time";
    if (k->time > 0 && !(k->clearance >= clearance)) return "certified less than the clearance that was kept";
    if (k->steps < 1) return "no steps";
    const instant now = measure(c, k->time, cache);
    if (!(k->result.lower_bound <= now.upper + now.slack && now.lower - now.slack <= k->result.upper_bound))
        return "the result is not that of the time of contact";
    if (k->kind == APART_NEAR && c->query.tolerance > 0 && now.lower > clearance + c->query.tolerance + now.slack)
        return "near, but farther than the tolerance";
    if (k->kind != APART_CONTACT) return NULL;
    const instant then = measure(c, k->time_upper, cache);
    return is_apart(c, &then) ? "apart at time_upper" : NULL;
}

static const char* check_approach(const encounter_case* c, const motion_answer* x, apart_cache* cache) {
    const apart_approach* p = &x->approach;
    if (!(p->lower_bound <= p->distance && p->distance <= p->upper_bound)) return "approach: no bracket";
    if (!(p->lower_bound >= 0)) return "approach: a negative end";
    if (!(p->time >= 0 && p->time <= 1)) return "approach: a time outside [0, 1]";
    const instant i = measure(c, p->time, cache);
    if (i.lower > p->upper_bound + i.slack || i.upper < p->lower_bound - i.slack)
        return "approach: not the distance of its time";
    if (x->contact.kind == APART_FREE && !(p->upper_bound > c->query.clearance)) return "free, but it comes too near";
    if (x->contact.kind == APART_CONTACT && p->lower_bound > c->query.clearance + i.slack)
        return "contact, but it never comes so near";
    return NULL;
}

static const char* check_spans(const motion_answer* x) {
    double before = -1;
    const size_t count = x->spans < MOST_SPANS ? x->spans : MOST_SPANS;
    for (size_t i = 0; i < count; i++) {
        const apart_span* s = &x->span[i];
        if (!(s->begin >= 0 && s->begin <= s->end && s->end <= 1)) return "a span has no order";
        if (!(s->begin > before)) return "spans have no order";
        if (s->kind == APART_FREE) return "a span is free";
        if (s->kind == APART_UNDECIDED && s->end != 1) return "nobody knows, but only for a while";
        before = s->end;
    }
    if ((x->contact.kind == APART_FREE) != (x->spans == 0)) return "first contact and spans do not agree";
    if (x->spans > 0 && x->span[0].begin != x->contact.time) return "the first span does not begin at first contact";
    return NULL;
}

/// The span that holds a time, or NULL.
static const apart_span* span_at(const motion_answer* x, double time) {
    const size_t count = x->spans < MOST_SPANS ? x->spans : MOST_SPANS;
    for (size_t i = 0; i < count; i++)
        if (x->span[i].begin <= time && time <= x->span[i].end) return &x->span[i];
    return NULL;
}

/// Moments of freedom inside a span of contact of up to 2^-11 may be overlooked, not longer ones.
static bool should_have_ended(const encounter_case* c, const apart_span* s, double time, apart_cache* cache) {
    for (int k = -8; k <= 8; k++) {
        const double t = time + k * 0x1p-15 * 1.01;
        if (!(t > s->begin && t < s->end)) return false;
        const instant i = measure(c, t, cache);
        if (!is_apart(c, &i) || i.lower <= c->query.clearance + c->query.tolerance) return false;
    }
    return true;
}

const char* motion_check(const encounter_case* c, const motion_answer* x, int samples, motion_tally* tally) {
    apart_cache cache = {0}, other = {0};
    const char* wrong = check_contact(c, x, &cache);
    if (!wrong) wrong = check_approach(c, x, &cache);
    if (!wrong) wrong = check_spans(x);
    for (int k = 0; k <= samples && !wrong; k++) {
        const instant i = measure(c, k / (double)samples, &cache);
        const apart_span* span = span_at(x, i.time);
        const bool contact = touches(c, &i), complete = x->spans <= MOST_SPANS;
        if (!(i.lower >= 0)) return "a sample failed";
        tally->samples++;
        tally->touching += contact;
        if (contact && i.time < x->contact.time) wrong = "a contact before the first";
        if (contact && x->contact.kind == APART_FREE) wrong = "a contact of free bodies";
        if (i.time < x->contact.time && i.upper + i.slack < x->contact.clearance) wrong = "nearer than certified";
        if (i.upper + i.slack < x->approach.lower_bound) wrong = "nearer than the closest approach";
        if (contact && !span && complete) wrong = "a contact outside of the spans";
        if (span && span->kind == APART_CONTACT && is_apart(c, &i))
            tally->overlooked += should_have_ended(c, span, i.time, &other);
    }
    const double tolerance = c->query.tolerance;
    tally->asked++;
    tally->kinds[x->contact.kind]++;
    tally->spans += (long)x->spans;
    for (size_t i = 0; i < x->spans && i < MOST_SPANS; i++) tally->span_kinds[x->span[i].kind]++;
    const double width = x->approach.upper_bound - x->approach.lower_bound;
    const instant nearest = measure(c, x->approach.time, &other);
    const bool known = c->motion_a.kind != APART_MOTION_FUNCTION && c->motion_b.kind != APART_MOTION_FUNCTION;
    tally->wide +=
        tolerance > 0 && known && c->query.max_steps == 0 && width > tolerance * (1 + 0x1p-20) + 8 * nearest.slack;
    tally->steps[0] += x->contact.steps;
    tally->steps[1] += x->approach.steps;
    tally->steps[2] = fmax(tally->steps[2], x->contact.steps);
    return wrong;
}

const char* motion_ask_and_check(const encounter_case* c, int samples, motion_answer* x, motion_tally* tally) {
    const apart_status status = motion_ask(c, x);
    return status == APART_OK ? motion_check(c, x, samples, tally) : apart_status_text(status);
}

// ------------------------------------------------------------------------------------------------------ changes ----

encounter_case case_exchanged(const encounter_case* c) {
    encounter_case r = {c->b, c->a, c->motion_b, c->motion_a, c->query};
    return r;
}

static apart_status run_backwards(double time, void* context, apart_pose* pose) {
    const apart_motion* forwards = context;
    return forwards->function(1 - time, forwards->context, pose);
}

static apart_motion reversed(apart_motion* m, apart_key* keys) {
    apart_motion r = *m;
    if (m->kind == APART_MOTION_SLERP || m->kind == APART_MOTION_NLERP) {
        r.start = m->end;
        r.end = m->start;
    }
    if (m->kind == APART_MOTION_VELOCITY) {
        const apart_vec3 v = m->velocity.linear, w = m->velocity.angular;
        apart_motion_pose(m, 1, &r.start);
        r.velocity = (apart_twist){{-v.x, -v.y, -v.z}, {-w.x, -w.y, -w.z}};
    }
    if (m->kind == APART_MOTION_KEYS) {
        for (size_t k = 0; k < m->key_count; k++) {
            const apart_key* key = &m->keys[m->key_count - 1 - k];
            keys[k] = (apart_key){1 - key->time, key->pose};
        }
        r.keys = keys;
    }
    if (m->kind == APART_MOTION_FUNCTION) {
        r.function = run_backwards;
        r.context = m;
    }
    return r;
}

encounter_case case_reversed(encounter_case* c, apart_key keys[2][MOST_KEYS]) {
    encounter_case r = {c->a, c->b, reversed(&c->motion_a, keys ? keys[0] : NULL),
                        reversed(&c->motion_b, keys ? keys[1] : NULL), c->query};
    return r;
}

// -------------------------------------------------------------------------------------------------- comparisons ----

/// Whether a span of y meets this time of x.
static bool spans_meet(const motion_answer* y, bool reversed, double begin, double end) {
    for (size_t i = 0; i < y->spans && i < MOST_SPANS; i++) {
        const apart_span* s = &y->span[i];
        if (reversed ? 1 - s->end <= end && begin <= 1 - s->begin : s->begin <= end && begin <= s->end) return true;
    }
    return y->spans > MOST_SPANS;
}

/// Two times outside of which, on the same side, the bodies are certainly apart: the outer one is no more than near.
static const char* compare_times(const encounter_case* c, double time, double other, double outer,
                                 motion_tally* tally) {
    tally->compared++;
    if (fabs(time - other) <= 1e-9) {
        tally->agreeing++;
        return NULL;
    }
    const instant i = measure(c, outer, NULL);
    return i.lower > c->query.clearance + c->query.tolerance + i.slack ? "contact at different times" : NULL;
}

const char* motion_contradicts(const encounter_case* c, const motion_answer* x, const motion_answer* y, bool reversed,
                               motion_tally* tally) {
    const instant nearest = measure(c, x->approach.time, NULL);
    if (y->approach.lower_bound > x->approach.upper_bound + (reversed ? nearest.slack : 0))
        return "the closest approaches differ";
    const apart_contact* k = &x->contact;
    if (k->kind == APART_CONTACT && !spans_meet(y, reversed, k->time, k->time_upper)) {
        const instant i = measure(c, k->time_upper, NULL);
        if (!reversed || touches(c, &i)) return "certainly a contact, and certainly none";
        tally->doubtful++;
    }
    if (x->spans == 0 || y->spans == 0 || x->spans > MOST_SPANS || y->spans > MOST_SPANS) return NULL;
    const apart_span *first = &x->span[0], *last = &x->span[x->spans - 1];
    const apart_span *y_first = &y->span[0], *y_last = &y->span[y->spans - 1];
    const apart_span *begins = reversed ? y_last : y_first, *ends = reversed ? y_first : y_last;
    const double begin = reversed ? 1 - begins->end : begins->begin, end = reversed ? 1 - ends->begin : ends->end;
    const char* wrong = NULL;
    if (first->kind != APART_UNDECIDED && begins->kind != APART_UNDECIDED)
        wrong = compare_times(c, first->begin, begin, fmin(first->begin, begin), tally);
    if (!wrong && last->kind != APART_UNDECIDED && ends->kind != APART_UNDECIDED)
        wrong = compare_times(c, last->end, end, fmax(last->end, end), tally);
    return wrong;
}

void motion_tally_print(const char* what, const motion_tally* t) {
    printf("%s: %ld motions, free %ld, contact %ld, near %ld, undecided %ld; %ld spans (contact %ld, near %ld, "
           "undecided %ld), %ld overlooked; %ld wide brackets; %ld of %ld samples touch; steps %.1f and %.1f on "
           "average, %.0f at most; changed: %ld of %ld times equal, %ld doubtful\n",
           what, t->asked, t->kinds[APART_FREE], t->kinds[APART_CONTACT], t->kinds[APART_NEAR],
           t->kinds[APART_UNDECIDED], t->spans, t->span_kinds[APART_CONTACT], t->span_kinds[APART_NEAR],
           t->span_kinds[APART_UNDECIDED], t->overlooked, t->wide, t->touching, t->samples,
           t->steps[0] / (double)t->asked, t->steps[1] / (double)t->asked, t->steps[2], t->agreeing, t->compared,
           t->doubtful);
}

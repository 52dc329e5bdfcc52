// The three queries on motions, and their answers for programs.
#include "course.h"
#include "json.h"

#include <stdio.h>
#include <stdlib.h>

// All spans: once more if there are more than there was room for.
static apart_status find_spans(const apart_shape* a, const apart_motion* motion_a, const apart_shape* b,
                               const apart_motion* motion_b, const apart_motion_query* query, course* out) {
    size_t room = 8;
    for (;;) {
        apart_span* spans = realloc(out->spans, room * sizeof *spans);
        if (!spans) return APART_OUT_OF_MEMORY;
        out->spans = spans;
        const apart_status status = apart_contact_spans(a, motion_a, b, motion_b, query, spans, room, &out->span_count);
        if (status != APART_OK || out->span_count <= room) return status;
        room = out->span_count;
    }
}

apart_status course_find(const apart_shape* a, const apart_motion* motion_a, const apart_shape* b,
                         const apart_motion* motion_b, double clearance, course* out) {
    const apart_motion_query query = {.clearance = clearance};
    *out = (course){.clearance = clearance};
    apart_status status = apart_first_contact(a, motion_a, b, motion_b, &query, &out->first);
    if (status == APART_OK) status = apart_closest_approach(a, motion_a, b, motion_b, &query, &out->nearest);
    if (status == APART_OK && out->first.kind != APART_FREE) status = find_spans(a, motion_a, b, motion_b, &query, out);
    if (status != APART_OK) course_close(out);
    return status;
}

void course_close(course* c) {
    free(c->spans);
    *c = (course){0};
}

const char* contact_name(apart_contact_kind kind) {
    static const char* const names[] = {
        [APART_FREE] = "free", [APART_CONTACT] = "contact", [APART_NEAR] = "near", [APART_UNDECIDED] = "undecided"};
    return names[kind];
}

time_text show_time(double time) {
    time_text out;
    snprintf(out.text, sizeof out.text, "%.9g", time);
    return out;
}

// ------------------------------------------------------------------------------------------------ for programs ----

static json_t* json_places(const apart_result* r) {
    return json_pack("{s:o, s:o, s:o}", "point_a", json_point(r->point_a), "point_b", json_point(r->point_b), "normal",
                     json_point(r->normal));
}

// An object with the points of a result added; takes `object`.
static json_t* with_places(json_t* object, const apart_result* r) {
    if (json_object_update_new(object, json_places(r)) == 0) return object;
    json_decref(object);
    return NULL;
}

static json_t* json_first(const course* c) {
    const apart_contact* f = &c->first;
    json_t* out =
        json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:i}", "kind", contact_name(f->kind), "time",
                  json_number(f->time), "time_upper", json_number(f->time_upper), "rate", json_number(f->rate),
                  "distance", json_number(f->result.distance), "lower_bound", json_number(f->result.lower_bound),
                  "upper_bound", json_number(f->result.upper_bound), "steps", f->steps);
    return with_places(out, &f->result);
}

static json_t* json_nearest(const course* c) {
    const apart_approach* n = &c->nearest;
    json_t* out = json_pack("{s:o, s:o, s:o, s:o, s:i}", "distance", json_number(n->distance), "lower_bound",
                            json_number(n->lower_bound), "upper_bound", json_number(n->upper_bound), "time",
                            json_number(n->time), "steps", n->steps);
    return with_places(out, &n->result);
}

static json_t* json_spans(const course* c) {
    json_t* out = json_array();
    for (size_t i = 0; i < c->span_count; i++) {
        const apart_span* s = &c->spans[i];
        json_t* span = json_pack("{s:s, s:o, s:o}", "kind", contact_name(s->kind), "begin", json_number(s->begin),
                                 "end", json_number(s->end));
        if (json_array_append_new(out, span) == 0) continue;
        json_decref(out);
        return NULL;
    }
    return out;
}

json_t* json_course(const course* c) {
    return json_pack("{s:o, s:o, s:o, s:o}", "clearance", json_number(c->clearance), "first_contact", json_first(c),
                     "closest_approach", json_nearest(c), "spans", json_spans(c));
}

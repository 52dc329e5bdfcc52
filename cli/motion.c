// apart distance A B --motion-a M --motion-b M: when do they meet, and how near do they come?
#include "motion.h"
#include "answer.h"
#include "cli.h"
#include "course.h"
#include "json.h"
#include "parse.h"
#include "print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------------- words ----

// Poses between semicolons, after the first, at equal times. *text is cut up.
static bool parse_keys(char* text, motion_word* out, apart_error* error) {
    size_t poses = 1;
    for (const char* c = text; *c; c++) poses += *c == ';';
    out->keys = malloc((poses + 1) * sizeof *out->keys);
    if (!out->keys) {
        *error = (apart_error){APART_OUT_OF_MEMORY, "out of memory"};
        return false;
    }
    out->keys[0] = (apart_key){0, out->motion.start};
    for (size_t i = 1; i <= poses; i++) {
        char* end = text + strcspn(text, ";");
        const bool last = !*end;
        *end = '\0';
        out->keys[i].time = (double)i / (double)poses;
        if (!parse_pose(text, &out->keys[i].pose, error)) return false;
        text = last ? end : end + 1;
    }
    out->motion.kind = poses > 1 ? APART_MOTION_KEYS : APART_MOTION_SLERP;
    out->motion.end = out->keys[1].pose;
    out->motion.keys = out->keys;
    out->motion.key_count = poses + 1;
    return true;
}

static bool parse_velocity(const char* text, apart_motion* out, apart_error* error) {
    double n[6] = {0};
    const int count = parse_numbers(text, n, 6, error);
    out->kind = APART_MOTION_VELOCITY;
    out->velocity = (apart_twist){{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
    if (count == 3 || count == 6) return true;
    if (count >= 0)
        snprintf(error->message, sizeof error->message,
                 "a velocity of %d numbers; it takes 3 (VX,VY,VZ) or 6 (VX,VY,VZ,WX,WY,WZ, radians)", count);
    return false;
}

static bool parse_copy(char* text, motion_word* out, apart_error* error) {
    char* rest = strchr(text, ':');
    const size_t length = rest ? (size_t)(rest - text) : 0;
    if (length == 2 && !strncmp(text, "to", length)) return parse_keys(rest + 1, out, error);
    if (length == 8 && !strncmp(text, "velocity", length)) return parse_velocity(rest + 1, &out->motion, error);
    if (length == 5 && !strncmp(text, "nlerp", length)) {
        out->motion.kind = APART_MOTION_NLERP;
        return parse_pose(rest + 1, &out->motion.end, error);
    }
    snprintf(error->message, sizeof error->message,
             "'%.40s' is not a motion; write to:POSE, to:POSE;POSE..., nlerp:POSE or velocity:VX,VY,VZ[,WX,WY,WZ]",
             text);
    return false;
}

bool motion_parse(const char* text, const apart_pose* start, motion_word* out, apart_error* error) {
    *out = (motion_word){.motion = {.start = *start}};
    if (!text) return true;
    char* copy = strdup(text);
    const bool good = copy && parse_copy(copy, out, error);
    if (!copy) *error = (apart_error){APART_OUT_OF_MEMORY, "out of memory"};
    free(copy);
    if (!good) motion_close(out);
    return good;
}

void motion_close(motion_word* m) {
    free(m->keys);
    *m = (motion_word){0};
}

// ----------------------------------------------------------------------------------------------------- answers ----

typedef struct answer_pair {
    const body *a, *b;
    course course;
} answer_pair;

static void print_certain(double gap) {
    if (gap > 0)
        printf(", certain to within %.1g", gap);
    else
        printf(", certain to the last digit");
}

// When they first meet. All kinds are certain of the time before.
static void print_first(const course* c) {
    const apart_contact* f = &c->first;
    const char* before = f->time > 0 ? "; not before" : "";
    print_label("contact");
    if (f->kind == APART_FREE) {
        print_styled(STRONG, "never");
        if (c->clearance > 0)
            printf(": farther apart than %.9g at all times, certainly\n", c->clearance);
        else
            printf(": apart at all times, certainly\n");
    } else if (f->kind == APART_CONTACT && f->time_upper == 0) {
        print_styled(ALARM, "at time 0");
        printf(" already\n");
    } else if (f->kind == APART_CONTACT) {
        print_styled(ALARM, "at time %s", show_time(f->time).text);
        print_certain(f->time_upper - f->time);
        printf("%s\n", before);
    } else if (f->kind == APART_NEAR) {
        print_styled(ALARM, "perhaps at time %s", show_time(f->time).text);
        printf(": so near that a contact can be neither shown nor excluded%s\n", before);
    } else {
        print_styled(ALARM, "not known from time %s on", show_time(f->time).text);
        printf(": the steps ran out%s\n", before);
    }
}

static void print_spans(const course* c) {
    for (size_t i = 0; i < c->span_count; i++) {
        const apart_span* s = &c->spans[i];
        print_label(i > 0 ? "" : c->clearance > 0 ? "within" : "in contact");
        printf("from %s to %s", show_time(s->begin).text, show_time(s->end).text);
        printf("%s\n", s->kind == APART_NEAR ? ", perhaps" : s->kind == APART_UNDECIDED ? ", not known" : "");
    }
}

static void print_nearest(const course* c) {
    const apart_approach* n = &c->nearest;
    print_label("closest");
    print_styled(STRONG, "%.9g", n->distance);
    printf(" at time %s", show_time(n->time).text);
    print_certain(n->upper_bound - n->lower_bound);
    printf("\n");
}

static void print_places(const char* label, const apart_result* r) {
    print_label(label);
    printf("%s on A\n", show_point(r->point_a).text);
    print_label("");
    printf("%s on B\n", show_point(r->point_b).text);
    print_label("direction");
    printf("%s from A to B\n", show_point(r->normal).text);
}

static void print_pair(const answer_pair* p) {
    const course* c = &p->course;
    print_first(c);
    if (c->first.kind != APART_FREE && c->first.time > 0) {
        print_places("there", &c->first.result);
        print_label("rate");
        printf("%.9g per unit of time\n", c->first.rate);
    }
    print_spans(c);
    print_nearest(c);
    if (c->nearest.upper_bound > 0) print_places("nearest", &c->nearest.result);
    print_body("A", p->a);
    print_body("B", p->b);
    print_label("effort");
    printf("distances measured: %d for the contact, %d for the closest approach\n", c->first.steps, c->nearest.steps);
}

static int print_pair_json(const answer_pair* p) {
    json_t* out = json_course(&p->course);
    // A NULL in any of these is a failure; everything handed over is released.
    int failed = json_object_set_new(out, "a", json_body(p->a));
    failed |= json_object_set_new(out, "b", json_body(p->b));
    if (failed) {
        json_decref(out);
        out = NULL;
    }
    return json_print(out);
}

int answer_motion(const body* a, const apart_motion* motion_a, const body* b, const apart_motion* motion_b,
                  double clearance, bool json) {
    answer_pair p = {.a = a, .b = b};
    const apart_status status = course_find(a->shape, motion_a, b->shape, motion_b, clearance, &p.course);
    if (status == APART_UNSUPPORTED) return complain("no answer: a half-space may move, but not turn");
    if (status != APART_OK) return complain("no answer: %s", apart_status_text(status));
    int exit_status = EXIT_SUCCESS;
    if (json)
        exit_status = print_pair_json(&p);
    else
        print_pair(&p);
    course_close(&p.course);
    return exit_status;
}

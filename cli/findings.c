// Finds the pairs that are too near, tells of what class each of them is, and sorts them.
//
// Two bodies at rest are measured with a bound of the depth. Bodies that move are asked for their first contact, which
// is certain over the whole time, and those that come too near for their least distance.
//
// A pair is found unless it is certainly far enough. Gaps are compared with the limit to 1e-9 of it, so that bodies
// which are exactly as far apart as they should be do not fail by the rounding of their coordinates.
#include "findings.h"
#include "containment.h"
#include "progress.h"
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* const class_names[CLASSES] = {"duplicate", "contained", "overlap", "touch", "near"};

typedef struct collector {
    const apart_io_scene* scene;
    const check_rules* rules;
    findings* out;
    progress bar;
    double* diagonal; // of the box of each body, without its pose; 0 if it is infinite
    size_t budget;    // points that containment may look at
    apart_status status;
} collector;

// Some seconds of work.
enum { CONTAINMENT_BUDGET = 5000000 };

// ------------------------------------------------------------------------------------------------- which pairs ----

static bool is_in_group(const apart_io_body* b, const char* name, size_t length) {
    for (size_t i = 0; i < b->group_count; i++)
        if (strlen(b->groups[i]) == length && !strncmp(b->groups[i], name, length)) return true;
    return false;
}

static bool passes_group(const check_rules* r, const apart_io_body* a, const apart_io_body* b) {
    if (!r->group) return true;
    const char* comma = strchr(r->group, ',');
    const size_t length = comma ? (size_t)(comma - r->group) : strlen(r->group);
    const bool first_a = is_in_group(a, r->group, length), first_b = is_in_group(b, r->group, length);
    if (!comma) return first_a || first_b;
    const bool second_a = is_in_group(a, comma + 1, strlen(comma + 1));
    const bool second_b = is_in_group(b, comma + 1, strlen(comma + 1));
    return (first_a && second_b) || (first_b && second_a);
}

static bool passes_only(const check_rules* r, const apart_io_body* a, const apart_io_body* b) {
    for (size_t i = 0; i < r->only_count; i++)
        if (scene_body_is_called(a, r->only[i]) || scene_body_is_called(b, r->only[i])) return true;
    return r->only_count == 0;
}

static bool passes(const collector* c, uint32_t a, uint32_t b) {
    const apart_io_body *one = &c->scene->bodies[a], *other = &c->scene->bodies[b];
    return passes_group(c->rules, one, other) && passes_only(c->rules, one, other);
}

// ----------------------------------------------------------------------------------------------------- classes ----

static double pair_limit(const collector* c, const apart_scene_body* a, const apart_scene_body* b) {
    return c->rules->clearance + a->margin + b->margin;
}

static bool is_same_pose(const apart_pose* a, const apart_pose* b) {
    for (int i = 0; i < 9; i++)
        if (a->rotation.m[i / 3][i % 3] != b->rotation.m[i / 3][i % 3]) return false;
    return a->translation.x == b->translation.x && a->translation.y == b->translation.y &&
           a->translation.z == b->translation.z;
}

// Bodies that meet are told apart by the bracket of their depth: what is not certain to be a mere touch is an overlap.
static void set_class(collector* c, const apart_scene_body* a, const apart_scene_body* b, const apart_result* r,
                      finding* f) {
    const apart_io_body *one = &c->scene->bodies[f->a], *other = &c->scene->bodies[f->b];
    const double rounding = 1e-9 * fmax(c->diagonal[f->a], c->diagonal[f->b]);
    const double touch = fmax(c->rules->touch, rounding);
    if (one->geometry == other->geometry && is_same_pose(&a->pose, &b->pose)) {
        f->class = DUPLICATE;
    } else if (r->lower_bound >= -touch) {
        f->class = r->distance > touch ? NEAR_PAIR : TOUCH;
    } else {
        const bool b_inside = containment_is_certain(a, b, &c->budget);
        f->class = b_inside || containment_is_certain(b, a, &c->budget) ? CONTAINED : OVERLAP;
        f->inner = b_inside ? f->b : f->a;
    }
}

// Whether the rules forbid it. Counts what they permit.
static bool is_forbidden(const collector* c, const finding* f) {
    const check_rules* r = c->rules;
    if (f->class == NEAR_PAIR || f->class == TOUCH) {
        if (f->limit > 0 && f->lower_bound >= f->limit * (1 - 1e-9)) return false;
        if (f->class == NEAR_PAIR || r->touch < 0) return f->limit > 0;
    } else if (f->class == DUPLICATE || f->moves || !(f->lower_bound >= -r->permit)) {
        return true;
    }
    c->out->permitted++;
    return false;
}

static bool keep(collector* c, finding f) {
    findings* out = c->out;
    if (!is_forbidden(c, &f)) return true;
    // Without --depth the bounds of it have told the class, and are not shown.
    if (!c->rules->depth && f.class <= OVERLAP) f.distance = f.lower_bound = f.upper_bound = 0;
    if (out->count == out->room) {
        const size_t room = out->room ? 2 * out->room : 64;
        finding* larger = realloc(out->items, room * sizeof *larger);
        if (!larger) {
            c->status = APART_OUT_OF_MEMORY;
            return false;
        }
        out->items = larger;
        out->room = room;
    }
    out->items[out->count++] = f;
    return true;
}

// --------------------------------------------------------------------------------------------- at rest, moving ----

static void show_progress(collector* c, uint32_t body, double from) {
    progress_show(from + 0.5 * (double)body / (double)c->scene->count, &c->bar);
}

static bool take_pair(const apart_scene_pair* pair, void* context) {
    collector* c = context;
    apart_scene_body a, b;
    show_progress(c, pair->a, 0);
    if (c->scene->bodies[pair->a].motion || c->scene->bodies[pair->b].motion || !passes(c, pair->a, pair->b))
        return true;
    apart_scene_get(c->scene->scene, pair->a, &a);
    apart_scene_get(c->scene->scene, pair->b, &b);
    const apart_result* r = &pair->result;
    finding f = {.a = pair->a,
                 .b = pair->b,
                 .limit = pair_limit(c, &a, &b),
                 .distance = r->distance,
                 .lower_bound = r->lower_bound,
                 .upper_bound = r->upper_bound,
                 .point_a = r->point_a,
                 .point_b = r->point_b};
    set_class(c, &a, &b, r, &f);
    return keep(c, f);
}

// Whether two bodies meet along their motions: they do not, they graze at most, or they do as far as is known.
typedef enum meeting { NEVER, GRAZES, MEETS } meeting;
static apart_status find_meeting(const apart_shape* a, const apart_motion* motion_a, const apart_shape* b,
                                 const apart_motion* motion_b, meeting* out) {
    apart_span span[64];
    size_t count = 0;
    const apart_status status = apart_contact_spans(a, motion_a, b, motion_b, NULL, span, 64, &count);
    *out = count == 0 ? NEVER : count > 64 ? MEETS : GRAZES;
    for (size_t i = 0; i < count && *out == GRAZES; i++)
        if (span[i].kind != APART_NEAR) *out = MEETS;
    return status;
}

// Along a motion the number is the least distance, and bodies that do more than graze overlap.
static apart_status measure_motion(const collector* c, finding* f) {
    apart_scene_body a, b;
    apart_scene_get(c->scene->scene, f->a, &a);
    apart_scene_get(c->scene->scene, f->b, &b);
    const apart_motion still_a = {.start = a.pose}, still_b = {.start = b.pose};
    const apart_motion *motion_a = c->scene->bodies[f->a].motion, *motion_b = c->scene->bodies[f->b].motion;
    if (!motion_a) motion_a = &still_a;
    if (!motion_b) motion_b = &still_b;
    apart_approach least;
    meeting met = NEVER;
    f->limit = pair_limit(c, &a, &b);
    const apart_motion_query query = {.tolerance = 1e-9 * f->limit};
    apart_status status = apart_closest_approach(a.shape, motion_a, b.shape, motion_b, &query, &least);
    if (status == APART_OK && least.lower_bound <= 0) status = find_meeting(a.shape, motion_a, b.shape, motion_b, &met);
    if (status != APART_OK) return status;
    f->distance = least.distance;
    f->lower_bound = least.lower_bound;
    f->upper_bound = least.upper_bound;
    f->point_a = least.result.point_a;
    f->point_b = least.result.point_b;
    f->closest = least.time;
    const bool touches = met == GRAZES || least.upper_bound <= c->rules->touch;
    f->class = met == MEETS ? OVERLAP : touches ? TOUCH : NEAR_PAIR;
    return APART_OK;
}

static bool take_contact(const apart_scene_contact* found, void* context) {
    collector* c = context;
    show_progress(c, found->a, 0.5);
    if (!passes(c, found->a, found->b)) return true;
    finding f = {.a = found->a, .b = found->b, .moves = true};
    f.time = found->contact.time;
    f.time_upper = found->contact.time_upper;
    c->status = measure_motion(c, &f);
    return c->status == APART_OK && keep(c, f);
}

// --------------------------------------------------------------------------------------------------------- all ----

// How much of its limit a pair lacks, the most first; bodies that meet before those that do not.
static int compare_findings(const void* left, const void* right) {
    const finding *a = left, *b = right;
    const bool meets_a = a->class <= OVERLAP, meets_b = b->class <= OVERLAP;
    const double short_a = a->distance - a->limit, short_b = b->distance - b->limit;
    if (meets_a != meets_b) return meets_a ? -1 : 1;
    if (short_a != short_b) return short_a < short_b ? -1 : 1;
    if (a->class != b->class) return a->class < b->class ? -1 : 1;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return a->b < b->b ? -1 : a->b > b->b;
}

// Their diagonals, and how many triangles they have.
static bool describe_bodies(collector* c, size_t* triangles) {
    c->diagonal = malloc((c->scene->count + 1) * sizeof *c->diagonal);
    for (uint32_t i = 0; i < c->scene->count && c->diagonal; i++) {
        apart_scene_body body;
        apart_shape_info info;
        if (apart_scene_get(c->scene->scene, i, &body) != APART_OK ||
            apart_shape_describe(body.shape, &info) != APART_OK)
            return false;
        const double size =
            hypot(hypot(info.upper.x - info.lower.x, info.upper.y - info.lower.y), info.upper.z - info.lower.z);
        c->diagonal[i] = isfinite(size) ? size : 0;
        *triangles += info.triangles;
    }
    return c->diagonal;
}

bool findings_collect(const apart_io_scene* scene, const check_rules* rules, findings* out, apart_error* error) {
    const apart_query query = {.depth = rules->depth || rules->permit > 0 ? APART_DEPTH_EXACT : APART_DEPTH_BOUND};
    const apart_motion_query motion = {.clearance = rules->clearance};
    collector c = {.scene = scene, .rules = rules, .out = out, .budget = CONTAINMENT_BUDGET};
    progress_start(&c.bar, "all pairs");
    size_t triangles = 0;
    apart_status status = describe_bodies(&c, &triangles) ? APART_OK : APART_OUT_OF_MEMORY;
    progress_wait(&c.bar, "checking", scene->count >= 5000 || triangles >= 1000000);
    if (status == APART_OK)
        status = apart_scene_within(scene->scene, rules->clearance, &query, rules->threads, take_pair, &c);
    if (status == APART_OK && c.status == APART_OK && scene->motion_count > 0)
        status = apart_scene_contacts(scene->scene, scene->motions, scene->motion_count, &motion, rules->threads,
                                      take_contact, &c);
    progress_finish(&c.bar);
    free(c.diagonal);
    if (status == APART_OK) status = c.status;
    if (out->count) qsort(out->items, out->count, sizeof *out->items, compare_findings);
    *error = (apart_error){.status = status};
    snprintf(error->message, sizeof error->message, "no answer: %s", apart_status_text(status));
    return status == APART_OK;
}

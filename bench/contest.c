// Timing and checking of one set of mesh queries.
//
// The contestants take turns, one pass over all queries each, so that whatever else the machine does hits all alike;
// the starting place moves on by one every round. The median over the rounds counts.
//
// The truth is brute force over all triangle pairs where that is asked for. Elsewhere it is the least distance of all
// the triangle pairs that the contestants name: whoever missed a nearer pair is wrong.
#include "contest.h"

#include "base/vec.h"
#include "machine.h"

#include <stdlib.h>
#include <string.h>

// Exact answers may be off by this much of the size.
#define TOLERANCE 1e-12
// A certified bound must hold to this much of the size, about what the truth is off by its own rounding.
#define SLACK 1e-14

typedef apart_vec3 triangle[3];

static void triangle_in_world(const surface* s, const apart_pose* pose, size_t index, triangle out) {
    for (int i = 0; i < 3; i++)
        out[i] = vec3_add(mat3_mul(&pose->rotation, s->vertices[s->triangles[index][i]]), pose->translation);
}

static double squared_distance(apart_vec3 a, apart_vec3 b) { return vec3_dot(vec3_sub(a, b), vec3_sub(a, b)); }

// ------------------------------------------------------------------------------------------------- brute force ----

// A triangle in the world, in a ball about the mean of its corners.
typedef struct ball {
    apart_vec3 centre;
    double radius;
    triangle corners;
} ball;

static ball* balls_of(const surface* s, const apart_pose* pose) {
    ball* balls = malloc(s->triangle_count * sizeof balls[0]);
    for (size_t i = 0; balls && i < s->triangle_count; i++) {
        ball* b = &balls[i];
        triangle_in_world(s, pose, i, b->corners);
        const apart_vec3* t = b->corners;
        b->centre = (apart_vec3){(t[0].x + t[1].x + t[2].x) / 3, (t[0].y + t[1].y + t[2].y) / 3,
                                 (t[0].z + t[1].z + t[2].z) / 3};
        b->radius = sqrt(fmax(squared_distance(b->centre, t[0]),
                              fmax(squared_distance(b->centre, t[1]), squared_distance(b->centre, t[2]))));
    }
    return balls;
}

// The least distance, if below `least`. Every pair is looked at; the triangles themselves only if their balls do not
// rule it out. No tree, nothing that the search under test uses.
static double brute_force(const ball* a, size_t count_a, const ball* b, size_t count_b, double least) {
    for (size_t i = 0; i < count_a; i++)
        for (size_t j = 0; j < count_b; j++) {
            double reach = least + a[i].radius + b[j].radius;
            if (squared_distance(a[i].centre, b[j].centre) > reach * reach * (1 + 1e-12)) continue;
            double squared = apart_triangle_triangle(a[i].corners, b[j].corners, NULL, NULL);
            least = fmin(least, sqrt(squared));
        }
    return least;
}

// Distance of the query by brute force, given that it is at most `least`. NAN when out of memory.
static double brute_truth(const contest* c, const mesh_query* q, double least) {
    const surface* s = c->surfaces;
    ball* a = balls_of(&s[q->a], &q->pose_a);
    for (uint32_t i = 0; i < q->count; i++) {
        ball* b = balls_of(&s[q->b[i]], &q->pose_b[i]);
        least = a && b ? brute_force(a, s[q->a].triangle_count, b, s[q->b[i]].triangle_count, least) : NAN;
        free(b);
    }
    free(a);
    return least;
}

// ---------------------------------------------------------------------------------------------------- checking ----

// The distance of the triangles that an answer names, INFINITY if it names none.
static double named_distance(const contest* c, const mesh_query* q, const mesh_answer* answer) {
    if (answer->part < 0 || answer->triangle_a < 0 || answer->triangle_b < 0) return INFINITY;
    size_t part = (size_t)answer->part, t = (size_t)answer->triangle_a, u = (size_t)answer->triangle_b;
    if (part >= q->count) return INFINITY;
    const surface *a = &c->surfaces[q->a], *b = &c->surfaces[q->b[part]];
    if (t >= a->triangle_count || u >= b->triangle_count) return INFINITY;
    triangle first, second;
    triangle_in_world(a, &q->pose_a, t, first);
    triangle_in_world(b, &q->pose_b[part], u, second);
    return sqrt(apart_triangle_triangle(first, second, NULL, NULL));
}

static bool answered(const contestant* k, size_t query) { return query % k->stride == 0; }

static double truth_of(const contest* c, size_t query) {
    const mesh_query* q = &c->queries[query];
    double least = INFINITY;
    for (size_t i = 0; i < c->count; i++)
        if (answered(&c->of[i], query)) least = fmin(least, named_distance(c, q, &c->of[i].answers[query]));
    return c->brute_stride && query % c->brute_stride == 0 ? brute_truth(c, q, least) : least;
}

// Exact answers must be right, certified ones must hold the truth and be as narrow as they were asked to be. FCL's with
// an error are taken as they are.
static bool right(const contestant* k, const mesh_answer* answer, double truth, double size) {
    double error = k->mode.yes_no ? 1 : k->mode.relative_error, slack = SLACK * (size + truth);
    if (error == 0 && !(fabs(answer->distance - truth) <= TOLERANCE * size)) return false;
    if (k->mode.yes_no && (answer->distance <= 0) != (truth <= 0)) return false;
    if (!k->library->ours) return true;
    bool holds = answer->lower <= truth + slack && answer->upper >= truth - slack;
    return holds && answer->lower >= (1 - error) * answer->upper - TOLERANCE * size;
}

static void check(contest* c, size_t query) {
    double truth = truth_of(c, query), size = c->surfaces[c->queries[query].a].size;
    for (size_t i = 0; i < c->count; i++) {
        contestant* k = &c->of[i];
        if (!answered(k, query)) continue;
        const mesh_answer* answer = &k->answers[query];
        k->asked++;
        k->wrong += !right(k, answer, truth, size);
        if (k->mode.relative_error == 0 && !k->mode.yes_no)
            k->worst_error = fmax(k->worst_error, fabs(answer->distance - truth) / size);
        k->bracket = fmax(k->bracket, (answer->upper - answer->lower) / size);
        k->visits += answer->visits;
        k->pairs += answer->pairs;
    }
}

static void check_all(contest* c) {
    for (size_t query = 0; query < c->query_count; query++) check(c, query);
    for (size_t i = 0; i < c->count; i++) {
        c->of[i].visits /= (double)c->of[i].asked;
        c->of[i].pairs /= (double)c->of[i].asked;
    }
}

// ------------------------------------------------------------------------------------------------------ timing ----

// One pass over all queries: microseconds each.
static double run_pass(contestant* k, size_t queries) {
    apart_cache cache = {0};
    size_t asked = 0;
    double start = clock_seconds();
    for (size_t q = 0; q < queries; q += k->stride, asked++)
        k->library->ask(k->prepared[q], &k->mode, k->mode.warm ? &cache : NULL, &k->answers[q]);
    return 1e6 * (clock_seconds() - start) / (double)asked;
}

// The first pass only warms up.
static void run_rounds(contest* c) {
    for (size_t i = 0; i < c->count; i++) run_pass(&c->of[i], c->query_count);
    for (int round = 0; round < c->rounds; round++)
        for (size_t i = 0; i < c->count; i++) {
            contestant* k = &c->of[(i + (size_t)round) % c->count];
            k->round_us[round] = run_pass(k, c->query_count);
        }
    for (size_t i = 0; i < c->count; i++) c->of[i].us = median(c->of[i].round_us, c->rounds);
}

static bool enter(contestant* k, const contest* c) {
    if (k->stride == 0) k->stride = 1;
    k->prepared = calloc(c->query_count, sizeof k->prepared[0]);
    k->answers = calloc(c->query_count, sizeof k->answers[0]);
    if (!k->prepared || !k->answers) return false;
    for (size_t q = 0; q < c->query_count; q += k->stride) {
        k->prepared[q] = k->library->prepare(k->shapes, &c->queries[q], &k->mode);
        if (!k->prepared[q]) return false;
    }
    return true;
}

static void leave(contestant* k, size_t queries) {
    for (size_t q = 0; k->prepared && q < queries; q++)
        if (k->prepared[q]) k->library->forget(k->prepared[q]);
    free((void*)k->prepared);
    free(k->answers);
    k->prepared = NULL;
    k->answers = NULL;
}

bool contest_run(contest* c) {
    bool good = true;
    for (size_t i = 0; i < c->count; i++) good = enter(&c->of[i], c) && good;
    if (good) {
        run_rounds(c);
        check_all(c);
    }
    for (size_t i = 0; i < c->count; i++) leave(&c->of[i], c->query_count);
    return good;
}

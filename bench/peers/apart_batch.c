// apart's calls for many pairs behind the common interface: apart_distance_batch on one thread and on two, and
// apart_distance_poses, one call for each pair of bodies.
#include "../peers.h"

#include <stdlib.h>
#include <string.h>

// A batch has all queries so many times, 100,000 pairs or so, as callers have them: of fewer one sees how long it takes
// to wake another core.
#define TIMES 8

typedef struct gathered {
    bench_list list;
    apart_pair* pairs;             // of all queries, for a batch
    apart_pose *poses_a, *poses_b; // of all queries, those of one pair of bodies together, for poses
    apart_result* results;
    apart_status* statuses;
} gathered;

static void discard(void* all) {
    gathered* g = all;
    if (!g) return;
    free(g->pairs);
    free(g->poses_a);
    free(g->poses_b);
    free(g->results);
    free(g->statuses);
    free(g);
}

static apart_pose pose_of(const bench_pose* from) {
    apart_pose pose;
    memcpy(&pose, from, sizeof pose);
    return pose;
}

static gathered* gather_results(const bench_list* list, size_t times) {
    gathered* g = calloc(1, sizeof *g);
    if (!g) return NULL;
    g->list = *list;
    g->results = calloc(times * list->count, sizeof *g->results);
    g->statuses = calloc(times * list->count, sizeof *g->statuses);
    return g;
}

static void* kept(gathered* g, bool good) {
    if (good && g->results && g->statuses) return g;
    discard(g);
    return NULL;
}

static void* gather_batch(const bench_list* list) {
    gathered* g = gather_results(list, TIMES);
    if (!g) return NULL;
    g->pairs = malloc(TIMES * list->count * sizeof *g->pairs);
    for (size_t i = 0; g->pairs && i < TIMES * list->count; i++) {
        const size_t q = i % list->count;
        const uint32_t* pair = list->pair[q % list->pairs];
        g->pairs[i] = (apart_pair){list->shape[pair[0]], list->shape[pair[1]], pose_of(&list->pose_a[q]),
                                   pose_of(&list->pose_b[q])};
    }
    return kept(g, g->pairs);
}

// Result step * pairs + pair of a batch is result pair * steps + step here.
static size_t pose_index(const bench_list* list, size_t query) {
    return query % list->pairs * (list->count / list->pairs) + query / list->pairs;
}

static void* gather_poses(const bench_list* list) {
    gathered* g = gather_results(list, 1);
    if (!g) return NULL;
    g->poses_a = malloc(list->count * sizeof *g->poses_a);
    g->poses_b = malloc(list->count * sizeof *g->poses_b);
    for (size_t q = 0; g->poses_a && g->poses_b && q < list->count; q++) {
        g->poses_a[pose_index(list, q)] = pose_of(&list->pose_a[q]);
        g->poses_b[pose_index(list, q)] = pose_of(&list->pose_b[q]);
    }
    return kept(g, g->poses_a && g->poses_b);
}

static void answer_batch(void* all) {
    const gathered* g = all;
    apart_distance_batch(g->pairs, TIMES * g->list.count, NULL, NULL, g->results, g->statuses, 1);
}

static void answer_batch_2(void* all) {
    const gathered* g = all;
    apart_distance_batch(g->pairs, TIMES * g->list.count, NULL, NULL, g->results, g->statuses, 2);
}

static void answer_poses(void* all) {
    const gathered* g = all;
    const size_t steps = g->list.count / g->list.pairs;
    for (size_t i = 0; i < g->list.pairs; i++) {
        const uint32_t* pair = g->list.pair[i];
        const size_t first = i * steps;
        apart_distance_poses(g->list.shape[pair[0]], g->poses_a + first, steps, g->list.shape[pair[1]],
                             g->poses_b + first, steps, NULL, g->results + first, g->statuses + first, 1);
    }
}

static void read(const void* all, double* answers, bracket* proved) {
    const gathered* g = all;
    for (size_t q = 0; q < g->list.count; q++) {
        const size_t at = g->pairs ? (TIMES - 1) * g->list.count + q : pose_index(&g->list, q);
        const bool good = g->statuses[at] == APART_OK;
        answers[q] = good ? g->results[at].distance : BENCH_NO_ANSWER;
        proved[q] = good ? bench_ends(&g->results[at]) : (bracket){NAN, NAN};
    }
}

static void* create(const bench_body* body) { return bench_apart_auto.create(body); }
static void destroy(void* shape) { apart_shape_release(shape); }
static void place(const apart_pose* pose, bench_pose* out) { memcpy(out, pose, sizeof *pose); }

#define LIBRARY(suffix, heading, words, how, times, several)                                                           \
    static const bench_many many_##suffix = {gather_##how, answer_##suffix, read, discard, times, several};            \
    const bench_library bench_apart_##suffix = {                                                                       \
        .name = (heading),                                                                                             \
        .version = BENCH_APART_VERSION,                                                                                \
        .call = (words),                                                                                               \
        .answers = BENCH_VALUE,                                                                                        \
        .ours = true,                                                                                                  \
        .create = create,                                                                                              \
        .destroy = destroy,                                                                                            \
        .place = place,                                                                                                \
        .many = &many_##suffix,                                                                                        \
    }

LIBRARY(batch, "batch", "apart_distance_batch, one thread", batch, TIMES, false);
LIBRARY(batch_2, "batch x2", "the same on two threads, wall-clock time", batch, TIMES, true);
LIBRARY(poses, "poses", "apart_distance_poses, one thread, one call for each pair of bodies", poses, 1, false);

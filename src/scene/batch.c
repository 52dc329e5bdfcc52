// Many pairs by one call: each by itself, on all cores.
#include "body/shape.h"
#include "query.h"
#include "scene/workers.h"

/// One pair of the caller's.
typedef struct posed_pair {
    const apart_shape *a, *b;
    const apart_pose *pose_a, *pose_b;
} posed_pair;

/// What all pairs share. A batch has `pairs`, each with shapes of its own. The calls with two shapes have arrays of
/// poses instead; step is 1, or 0 on a side that stands still.
typedef struct batch {
    const apart_pair* pairs;
    posed_pair first;
    size_t step_a, step_b;
    const apart_query* query;
    apart_cache* caches;
    apart_result* results;
    apart_status* statuses;
} batch;

static inline posed_pair pair_at(const batch* all, size_t i) {
    if (all->pairs) {
        const apart_pair* p = &all->pairs[i];
        return (posed_pair){p->a, p->b, &p->pose_a, &p->pose_b};
    }
    posed_pair p = all->first;
    p.pose_a += i * all->step_a;
    p.pose_b += i * all->step_b;
    return p;
}

static void measure_pairs(const void* job, size_t from, size_t to, failure* lowest) {
    const batch* all = job;
    for (size_t i = from; i < to; ++i) {
        posed_pair p = pair_at(all, i);
        apart_cache* cache = all->caches ? &all->caches[i] : NULL;
        apart_status status = apart_distance(p.a, p.pose_a, p.b, p.pose_b, all->query, cache, &all->results[i]);
        if (all->statuses) all->statuses[i] = status;
        failure_note(lowest, i, status);
    }
}

/// So many pairs of convex bodies take longer than to start a thread; of a pair with a mesh or a union one may.
#define GRAIN 1024

static bool is_long(const posed_pair* p) {
    return (p->a && !shape_is_convex(p->a)) || (p->b && !shape_is_convex(p->b));
}

static size_t grain_of(const batch* all, size_t count) {
    size_t distinct = all->pairs ? count : 1;
    for (size_t i = 0; i < distinct; ++i) {
        posed_pair p = pair_at(all, i);
        if (is_long(&p)) return 1;
    }
    return GRAIN;
}

apart_status apart_distance_batch(const apart_pair* pairs, size_t count, const apart_query* query, apart_cache* caches,
                                  apart_result* results, apart_status* statuses, int threads) {
    apart_query plain;
    apart_status status = query_read_for_many(query, threads, &plain);
    if (status != APART_OK || count == 0) return status;
    if (!pairs || !results) return APART_INVALID;
    const batch all = {.pairs = pairs, .query = &plain, .caches = caches, .results = results, .statuses = statuses};
    return apart_workers_run(measure_pairs, &all, count, grain_of(&all, count), threads);
}

apart_status apart_distance_poses(const apart_shape* a, const apart_pose* poses_a, size_t count_a, const apart_shape* b,
                                  const apart_pose* poses_b, size_t count_b, const apart_query* query,
                                  apart_result* results, apart_status* statuses, int threads) {
    apart_query plain;
    apart_status status = query_read_for_many(query, threads, &plain);
    if (status != APART_OK) return status;
    if (!a || !b || (count_a != count_b && count_a != 1 && count_b != 1)) return APART_INVALID;
    size_t count = count_a == 1 ? count_b : count_a;
    if (count == 0) return APART_OK;
    if (!poses_a || !poses_b || !results) return APART_INVALID;
    const batch all = {.first = {a, b, poses_a, poses_b},
                       .step_a = count_a != 1,
                       .step_b = count_b != 1,
                       .query = &plain,
                       .results = results,
                       .statuses = statuses};
    return apart_workers_run(measure_pairs, &all, count, grain_of(&all, count), threads);
}

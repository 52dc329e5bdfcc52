// Many pairs by one call, on all cores: boxes and small hulls eight at a time, the rest, and what is not settled in
// lanes, one by one.
#include "batch/batch.h"
#include "batch/spheres.h"
#include "body/shape.h"
#include "convex/cache.h"
#include "query.h"

static inline posed_pair pair_at(const batch* all, size_t i) {
    if (all->pairs) {
        const apart_pair* p = &all->pairs[i];
        return (posed_pair){p->a, p->b, &p->pose_a, &p->pose_b, all->query->cutoff};
    }
    if (all->posed) return all->posed(all->context, i);
    posed_pair p = all->first;
    p.pose_a += i * all->step_a;
    p.pose_b += i * all->step_b;
    return p;
}

/// Inlined by force, since gcc 12 leaves out calls of functions that only ask for memory.
#define FETCH_INLINE static inline __attribute__((always_inline))

FETCH_INLINE void fetch(const void* from, size_t bytes) {
    for (size_t k = 0; k < bytes; k += 64) __builtin_prefetch((const char*)from + k);
}

/// Pairs that are asked for so many early are there in time, and so is the room for their results.
#define AHEAD 16
FETCH_INLINE void fetch_pair(const batch* all, size_t i) {
    if (all->pairs) fetch(&all->pairs[i], sizeof *all->pairs);
    if (all->first.a) {
        fetch(&all->first.pose_a[i * all->step_a], sizeof(apart_pose));
        fetch(&all->first.pose_b[i * all->step_b], sizeof(apart_pose));
    }
    for (size_t k = 0; k < sizeof *all->results; k += 64) __builtin_prefetch((char*)&all->results[i] + k, 1);
}

/// Whether they are unions of spheres, or one is, and measured as such.
static inline bool measure_spheres(const apart_query* query, const posed_pair* p, apart_cache* cache,
                                   apart_result* result) {
    if (!p->a || !p->b || (p->a->kind != SHAPE_UNION && p->b->kind != SHAPE_UNION)) return false;
    const posed_shape a = {p->a, p->pose_a}, b = {p->b, p->pose_b};
    return apart_spheres_measure(&a, &b, query, cache, result);
}

static void measure_one(const batch* all, size_t i, const posed_pair* p, failure* lowest) {
    apart_cache* cache = all->caches ? &all->caches[i] : NULL;
    const apart_query* query = all->query;
    apart_query own;
    if (p->cutoff != query->cutoff) {
        own = *query;
        own.cutoff = p->cutoff;
        query = &own;
    }
    apart_status status = APART_OK;
    if (!measure_spheres(query, p, cache, &all->results[i]))
        status = apart_distance(p->a, p->pose_a, p->b, p->pose_b, query, cache, &all->results[i]);
    if (all->statuses) all->statuses[i] = status;
    failure_note(lowest, i, status);
}

// ------------------------------------------------------------------------------------------- eight at a time ----

/// Hulls of more vertices are left to the ordinary query, which climbs where lists overflow.
#define MOST_VERTICES 1024

/// Whether a body may be in a lane: a box, a capsule or a hull about its own origin.
static bool fits_lane(const apart_shape* s) {
    return shape_has_vertices(s) && shape_vertex_count(s) <= MOST_VERTICES && vec3_is_zero(s->origin);
}

/// Whether a pair is measured in a lane: this is decided by the pair alone. Of two spheres the closed form is quicker.
static bool pair_fits_lane(const posed_pair* p) {
    return p->a && p->b && shape_vertex_count(p->a) + shape_vertex_count(p->b) > 2 && fits_lane(p->a) &&
           fits_lane(p->b);
}

/// What a cache keeps of an answer: the vertices of both sides, padded by the last as start_warm of gjk.c has them.
static void remember_lane(const gjk_lanes* g, int lane, apart_cache* cache) {
    const lane_carriers* side[2] = {&g->witness_a, &g->witness_b};
    uint32_t count[2] = {0, 0};
    for (int s = 0; s < 2; ++s)
        for (int i = 0; i < 3 && side[s]->weight[i][lane] > 0; ++i)
            cache->words[(s == 0 ? CACHE_A : CACHE_B) + count[s]++] = side[s]->vertex[i][lane];
    cache_set_counts(cache, count[0], count[1]);
    cache->words[CACHE_HINT_A] = cache->words[CACHE_A];
    cache->words[CACHE_HINT_B] = cache->words[CACHE_B];
    cache_set_normal(cache, g->result[lane]->normal);
}

static void put_lane(lane_queue* w, int lane, const posed_pair* p, vec3 start, apart_result* result) {
    gjk_lanes* g = &w->lanes;
    g->a.shape[lane] = p->a;
    g->b.shape[lane] = p->b;
    g->a.pose[lane] = p->pose_a;
    g->b.pose[lane] = p->pose_b;
    g->start.x[lane] = start.x;
    g->start.y[lane] = start.y;
    g->start.z[lane] = start.z;
    g->cutoff[lane] = p->cutoff;
    g->result[lane] = result;
}

static void measure_queue(const batch* all, lane_queue* w, failure* lowest) {
    gjk_lanes* g = &w->lanes;
    // Lanes that are not used repeat the first.
    const posed_pair first = pair_at(all, w->index[0]);
    apart_result unused;
    for (int i = w->count; i < LANE_COUNT; ++i) put_lane(w, i, &first, vec3_make(0, 0, 0), &unused);
    apart_kernels()->gjk_in_lanes(g);
    for (int i = 0; i < w->count; ++i) {
        size_t k = w->index[i];
        if (!(g->settled >> i & 1)) {
            const posed_pair p = pair_at(all, k);
            measure_one(all, k, &p, lowest);
            continue;
        }
        if (all->caches) remember_lane(g, i, &all->caches[k]);
        if (all->statuses) all->statuses[k] = APART_OK;
    }
    w->count = 0;
}

static void wait_for_lane(const batch* all, lane_queue* w, size_t k, const posed_pair* p) {
    vec3 last = all->caches ? cache_normal(&all->caches[k]) : vec3_make(0, 0, 0);
    if (!(vec3_dot(last, last) < 4)) last = vec3_make(0, 0, 0);
    w->index[w->count] = k;
    put_lane(w, w->count++, p, vec3_neg(last), &all->results[k]);
}

void apart_batch_begin(const batch* all, waiting* w) {
    for (int i = 0; i < LANE_QUEUES; ++i) {
        gjk_lanes* g = &w->queue[i].lanes;
        w->queue[i].count = 0;
        g->a.known[0] = g->b.known[0] = NULL;
        g->relative = all->query->relative_error;
        g->absolute = all->query->absolute_error;
    }
}

void apart_batch_measure(const batch* all, waiting* w, size_t from, size_t to, failure* lowest) {
    for (size_t i = from; i < to; ++i) {
        if (i + AHEAD < to) fetch_pair(all, i + AHEAD);
        posed_pair p = pair_at(all, i);
        if (all->query->method != APART_METHOD_AUTO || !pair_fits_lane(&p)) {
            measure_one(all, i, &p, lowest);
            continue;
        }
        lane_queue* queue = &w->queue[2 * (p.a->kind == SHAPE_BOX) + (p.b->kind == SHAPE_BOX)];
        wait_for_lane(all, queue, i, &p);
        if (queue->count == LANE_COUNT) measure_queue(all, queue, lowest);
    }
    for (int i = 0; i < LANE_QUEUES; ++i)
        if (w->queue[i].count > 0) measure_queue(all, &w->queue[i], lowest);
}

static void measure_pairs(const void* job, size_t from, size_t to, failure* lowest) {
    waiting w;
    apart_batch_begin(job, &w);
    apart_batch_measure(job, &w, from, to, lowest);
}

// ------------------------------------------------------------------------------------------------- the calls ----

/// So many pairs of convex bodies take longer than to start a thread; of a pair with a mesh or a union one may.
#define GRAIN 1024

static bool is_long(const posed_pair* p) {
    return (p->a && !shape_is_convex(p->a)) || (p->b && !shape_is_convex(p->b));
}

/// Where the pairs are so many that every thread has work, it is not asked what they are.
static size_t grain_of(const batch* all, size_t count, int threads) {
    size_t distinct = all->pairs ? count : 1;
    if (threads == 1 || count / GRAIN >= (size_t)apart_workers_most(threads)) distinct = 0;
    for (size_t i = 0; i < distinct; ++i) {
        posed_pair p = pair_at(all, i);
        if (is_long(&p)) return 1;
    }
    return GRAIN;
}

apart_status apart_distance_batch(const apart_pair* pairs, size_t count, const apart_query* query, apart_cache* caches,
                                  // NOLINTNEXTLINE(readability-non-const-parameter): the workers write it
                                  apart_result* results, apart_status* statuses, int threads) {
    apart_query plain;
    apart_status status = query_read_for_many(query, threads, &plain);
    if (status != APART_OK || count == 0) return status;
    if (!pairs || !results) return APART_INVALID;
    const batch all = {.pairs = pairs, .query = &plain, .caches = caches, .results = results, .statuses = statuses};
    return apart_workers_run(measure_pairs, &all, count, grain_of(&all, count, threads), threads);
}

apart_status apart_distance_poses(const apart_shape* a, const apart_pose* poses_a, size_t count_a, const apart_shape* b,
                                  const apart_pose* poses_b, size_t count_b, const apart_query* query,
                                  // NOLINTNEXTLINE(readability-non-const-parameter): the workers write it
                                  apart_result* results, apart_status* statuses, int threads) {
    apart_query plain;
    apart_status status = query_read_for_many(query, threads, &plain);
    if (status != APART_OK) return status;
    if (!a || !b || (count_a != count_b && count_a != 1 && count_b != 1)) return APART_INVALID;
    size_t count = count_a == 1 ? count_b : count_a;
    if (count == 0) return APART_OK;
    if (!poses_a || !poses_b || !results) return APART_INVALID;
    const batch all = {.first = {a, b, poses_a, poses_b, plain.cutoff},
                       .step_a = count_a != 1,
                       .step_b = count_b != 1,
                       .query = &plain,
                       .results = results,
                       .statuses = statuses};
    return apart_workers_run(measure_pairs, &all, count, grain_of(&all, count, threads), threads);
}

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
    if (all->posed) return all->posed[i];
    posed_pair p = all->first;
    p.pose_a += i * all->step_a;
    p.pose_b += i * all->step_b;
    return p;
}

/// Pairs that are asked for so many early are there in time, and so is the room for their results.
#define AHEAD 16
static inline void fetch_pair(const apart_pair* pair, apart_result* result) {
    for (size_t k = 0; k < sizeof *pair; k += 64) __builtin_prefetch((const char*)pair + k);
    for (size_t k = 0; k < sizeof *result; k += 64) __builtin_prefetch((char*)result + k, 1);
}

/// Whether they are unions of spheres, or one is, and measured as such.
static inline bool measure_spheres(const apart_query* query, const posed_pair* p, apart_cache* cache,
                                   apart_result* result) {
    if (!p->a || !p->b || (p->a->kind != SHAPE_UNION && p->b->kind != SHAPE_UNION)) return false;
    const posed_shape a = {p->a, p->pose_a}, b = {p->b, p->pose_b};
    return apart_spheres_measure(&a, &b, query, cache, result);
}

static void measure_one(const batch* all, size_t i, failure* lowest) {
    const posed_pair p = pair_at(all, i);
    apart_cache* cache = all->caches ? &all->caches[i] : NULL;
    apart_query query = *all->query;
    apart_status status = APART_OK;
    query.cutoff = p.cutoff;
    if (!measure_spheres(&query, &p, cache, &all->results[i]))
        status = apart_distance(p.a, p.pose_a, p.b, p.pose_b, &query, cache, &all->results[i]);
    if (all->statuses) all->statuses[i] = status;
    failure_note(lowest, i, status);
}

// ------------------------------------------------------------------------------------------- eight at a time ----

/// Hulls of more vertices are left to the ordinary query, whose supports do not look at all of them.
#define MOST_VERTICES 64

/// Whether a body may be in a lane: a box or a small hull about its own origin.
static bool fits_lane(const apart_shape* s) {
    return s && shape_has_vertices(s) && shape_vertex_count(s) <= MOST_VERTICES && vec3_is_zero(s->origin);
}

/// Whether a pair is measured in a lane: this is decided by the pair alone. Spheres and capsules have closed forms.
static bool pair_fits_lane(const posed_pair* p) {
    return fits_lane(p->a) && fits_lane(p->b) && shape_vertex_count(p->a) + shape_vertex_count(p->b) > 4;
}

static inline void put_lane(lane_vectors* to, int lane, vec3 v) {
    to->x[lane] = v.x;
    to->y[lane] = v.y;
    to->z[lane] = v.z;
}

static inline vec3 get_lane(const lane_vectors* from, int lane) {
    return vec3_make(from->x[lane], from->y[lane], from->z[lane]);
}

static void set_lane(lane_bodies* to, int lane, const apart_shape* s, const apart_pose* pose) {
    for (int i = 0; i < 3; ++i) {
        const double* row = pose->rotation.m[i];
        put_lane(&to->row[i], lane, vec3_make(row[0], row[1], row[2]));
    }
    put_lane(&to->translation, lane, pose->translation);
    put_lane(&to->center, lane, s->center);
    put_lane(&to->extent, lane, s->extent);
    to->x[lane] = s->polytope.x;
    to->y[lane] = s->polytope.y;
    to->z[lane] = s->polytope.z;
    to->padded[lane] = s->kind == SHAPE_BOX ? 0 : s->polytope.padded;
    to->scale[lane] = s->scale;
    to->radius[lane] = s->radius;
    to->reach[lane] = s->scale * s->bound + s->radius;
}

static const uint32_t box_corner[8] = {0, 1, 2, 3, 4, 5, 6, 7};

/// Who carries a point, in the caller's numbers.
static void set_witness(const apart_shape* s, const lane_carriers* from, int lane, apart_witness* w) {
    const uint32_t* caller = s->kind == SHAPE_BOX ? box_corner : s->polytope.caller;
    *w = (apart_witness){0};
    for (int i = 0; i < 3; ++i) {
        uint32_t used = from->weight[i][lane] > 0, number = caller[(uint32_t)from->vertex[i][lane]];
        w->vertex[i] = used * number;
        w->weight[i] = from->weight[i][lane];
        w->count += used;
    }
}

/// What a cache keeps of an answer: the vertices of both sides, padded by the last as start_warm of gjk.c has them.
static void remember_lane(const gjk_lanes* g, int lane, apart_cache* cache) {
    const lane_carriers* side[2] = {&g->witness_a, &g->witness_b};
    uint32_t count[2] = {0, 0};
    for (int s = 0; s < 2; ++s)
        for (int i = 0; i < 3 && side[s]->weight[i][lane] > 0; ++i)
            cache->words[(s == 0 ? CACHE_A : CACHE_B) + count[s]++] = (uint32_t)side[s]->vertex[i][lane];
    cache_set_counts(cache, count[0], count[1]);
    cache->words[CACHE_HINT_A] = cache->words[CACHE_A];
    cache->words[CACHE_HINT_B] = cache->words[CACHE_B];
    cache_set_normal(cache, get_lane(&g->normal, lane));
}

/// The answer of one lane, and what the cache keeps of it.
static void take_lane(const gjk_lanes* g, int lane, const posed_pair* p, apart_cache* cache, apart_result* r) {
    r->distance = g->distance[lane];
    r->lower_bound = g->lower[lane];
    r->upper_bound = g->upper[lane];
    r->point_a = get_lane(&g->point_a, lane);
    r->point_b = get_lane(&g->point_b, lane);
    r->normal = get_lane(&g->normal, lane);
    set_witness(p->a, &g->witness_a, lane, &r->a);
    set_witness(p->b, &g->witness_b, lane, &r->b);
    r->iterations = (int)g->iterations[lane];
    r->supports = 2 * (r->iterations + 1);
    r->visits = (r->iterations + 1) * (int)(shape_vertex_count(p->a) + shape_vertex_count(p->b));
    if (cache) remember_lane(g, lane, cache);
}

static lane_kind kind_of(const lane_bodies* s) {
    int boxes = 0, same = 0;
    for (int i = 0; i < LANE_COUNT; ++i) {
        boxes += s->padded[i] == 0;
        same += s->padded[i] > 0 && s->x[i] == s->x[0];
    }
    return boxes == LANE_COUNT ? LANE_BOXES : same == LANE_COUNT ? LANE_ONE_HULL : LANE_ANY;
}

static void measure_waiting(const batch* all, waiting* w, failure* lowest) {
    gjk_lanes* g = &w->lanes;
    // Lanes that are not used repeat the first.
    for (int i = w->count; i < LANE_COUNT; ++i) {
        w->pair[i] = w->pair[0];
        set_lane(&g->a, i, w->pair[0].a, w->pair[0].pose_a);
        set_lane(&g->b, i, w->pair[0].b, w->pair[0].pose_b);
        put_lane(&g->start, i, vec3_make(0, 0, 0));
        g->cutoff[i] = g->cutoff[0];
    }
    g->a.kind = kind_of(&g->a);
    g->b.kind = kind_of(&g->b);
    g->a.count = shape_vertex_count(w->pair[0].a);
    g->b.count = shape_vertex_count(w->pair[0].b);
    apart_kernels()->gjk_in_lanes(g);
    for (int i = 0; i < w->count; ++i) {
        size_t k = w->index[i];
        if (!(g->settled >> i & 1)) {
            measure_one(all, k, lowest);
            continue;
        }
        take_lane(g, i, &w->pair[i], all->caches ? &all->caches[k] : NULL, &all->results[k]);
        if (all->statuses) all->statuses[k] = APART_OK;
    }
    w->count = 0;
}

/// Whether a side differs from pair to pair. One that stands still is put into all lanes once.
static bool moves(const batch* all, size_t step) { return all->pairs || all->posed || step > 0; }

static void wait_for_lane(const batch* all, waiting* w, size_t k, const posed_pair* p) {
    int lane = w->count++;
    w->index[lane] = k;
    w->pair[lane] = *p;
    w->lanes.cutoff[lane] = p->cutoff;
    if (moves(all, all->step_a)) set_lane(&w->lanes.a, lane, p->a, p->pose_a);
    if (moves(all, all->step_b)) set_lane(&w->lanes.b, lane, p->b, p->pose_b);
    vec3 last = all->caches ? cache_normal(&all->caches[k]) : vec3_make(0, 0, 0);
    if (!(vec3_dot(last, last) < 4)) last = vec3_make(0, 0, 0);
    put_lane(&w->lanes.start, lane, vec3_neg(last));
}

void apart_batch_begin(const batch* all, waiting* w) {
    w->count = 0;
    w->lanes.relative = all->query->relative_error;
    w->lanes.absolute = all->query->absolute_error;
    for (int i = 0; i < LANE_COUNT && all->first.a; ++i) {
        set_lane(&w->lanes.a, i, all->first.a, all->first.pose_a);
        set_lane(&w->lanes.b, i, all->first.b, all->first.pose_b);
    }
}

void apart_batch_measure(const batch* all, waiting* w, size_t from, size_t to, failure* lowest) {
    for (size_t i = from; i < to; ++i) {
        if (all->pairs && i + AHEAD < to) fetch_pair(&all->pairs[i + AHEAD], &all->results[i + AHEAD]);
        posed_pair p = pair_at(all, i);
        if (all->query->method != APART_METHOD_AUTO || !pair_fits_lane(&p)) {
            measure_one(all, i, lowest);
            continue;
        }
        wait_for_lane(all, w, i, &p);
        if (w->count == LANE_COUNT) measure_waiting(all, w, lowest);
    }
    if (w->count > 0) measure_waiting(all, w, lowest);
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

static size_t grain_of(const batch* all, size_t count) {
    size_t distinct = all->pairs ? count : 1;
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
    return apart_workers_run(measure_pairs, &all, count, grain_of(&all, count), threads);
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
    return apart_workers_run(measure_pairs, &all, count, grain_of(&all, count), threads);
}

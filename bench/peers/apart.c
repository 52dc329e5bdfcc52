// apart behind the common interface: one column per method, one per kind of depth.
#include "../peers.h"

#include "base/kernels.h"
#include "convex/search.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(apart_pose) <= sizeof(bench_pose), "a pose fits");
_Static_assert(sizeof(apart_cache) <= sizeof(bench_memory), "a cache fits");

bracket bench_ends(const apart_result* result) { return (bracket){result->lower_bound, result->upper_bound}; }

static apart_shape* create_union(const bench_body* body) {
    apart_part* part = malloc(body->count * sizeof *part);
    apart_shape* sphere = apart_shape_sphere(body->radius, NULL);
    for (size_t i = 0; part && i < body->count; i++) {
        part[i] = (apart_part){sphere, apart_pose_identity};
        part[i].pose.translation = body->points[i];
    }
    apart_shape* all = part && sphere ? apart_shape_union(part, body->count, NULL) : NULL;
    apart_shape_release(sphere);
    free(part);
    return all;
}

static void* create(const bench_body* body) {
    switch (body->kind) {
    case BENCH_HULL:
        return apart_shape_points(body->points, body->count, 0, NULL);
    case BENCH_BOX:
        return apart_shape_box(body->half, 0, NULL);
    case BENCH_SPHERE:
        return is_union(body) ? create_union(body) : apart_shape_sphere(body->radius, NULL);
    case BENCH_CAPSULE:
        return apart_shape_capsule(body->half_height, body->radius, NULL);
    case BENCH_CYLINDER:
        return apart_shape_cylinder(body->half_height, body->radius, NULL);
    case BENCH_CONE:
        return apart_shape_cone(body->half_height, body->radius, NULL);
    case BENCH_ELLIPSOID:
        return apart_shape_ellipsoid(body->half, NULL);
    }
    return NULL;
}

static void destroy(void* shape) { apart_shape_release(shape); }

static void place(const apart_pose* pose, bench_pose* out) { memcpy(out, pose, sizeof *pose); }

bool bench_ask(const apart_shape* a, const apart_pose* pose_a, const apart_shape* b, const apart_pose* pose_b,
               apart_depth depth, apart_result* result) {
    apart_query options = {.depth = depth};
    return apart_distance(a, pose_a, b, pose_b, &options, NULL, result) == APART_OK;
}

static inline apart_result query(apart_method method, apart_depth depth, const void* a, const bench_pose* pose_a,
                                 const void* b, const bench_pose* pose_b, bench_memory* memory) {
    apart_query options = {.depth = depth, .method = method};
    apart_result result;
    apart_status status = apart_distance(a, (const apart_pose*)pose_a, b, (const apart_pose*)pose_b, &options,
                                         (apart_cache*)memory, &result);
    if (status != APART_OK) result.distance = result.lower_bound = result.upper_bound = BENCH_NO_ANSWER;
    return result;
}

// As apart_distance decides it, by the same kernel.
static bool falls_back(const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b,
                       const bench_memory* memory) {
    if (!shape_has_vertices(a) || !shape_has_vertices(b)) return false;
    if (((const apart_shape*)a)->polytope.count + ((const apart_shape*)b)->polytope.count <= 4) return false;
    static const apart_query query = {0};
    apart_cache cache = {0};
    if (memory) memcpy(&cache, memory, sizeof cache);
    const search_task task = {.a = {a, (const apart_pose*)pose_a},
                              .b = {b, (const apart_pose*)pose_b},
                              .query = &query,
                              .cache = memory ? &cache : NULL,
                              .climb = apart_support_find};
    simplex_start start;
    apart_result result;
    return !apart_kernels_short()->search(&task, &start, &result);
}

#define LIBRARY(suffix, heading, words, judged, method, depth)                                                         \
    static double distance_##suffix(const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b,  \
                                    bench_memory* memory) {                                                            \
        apart_result result = query(method, depth, a, pose_a, b, pose_b, memory);                                      \
        return (judged) == BENCH_BOUND ? result.upper_bound : result.distance;                                         \
    }                                                                                                                  \
    static bracket ends_##suffix(const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b,     \
                                 bench_memory* memory) {                                                               \
        apart_result result = query(method, depth, a, pose_a, b, pose_b, memory);                                      \
        return bench_ends(&result);                                                                                    \
    }                                                                                                                  \
    const bench_library bench_apart_##suffix = {                                                                       \
        .name = (heading),                                                                                             \
        .version = BENCH_APART_VERSION,                                                                                \
        .call = "apart_distance, " words,                                                                              \
        .answers = (judged),                                                                                           \
        .ours = true,                                                                                                  \
        .create = create,                                                                                              \
        .destroy = destroy,                                                                                            \
        .place = place,                                                                                                \
        .distance = distance_##suffix,                                                                                 \
        .ends = ends_##suffix,                                                                                         \
        .falls_back = (method) == APART_METHOD_AUTO && (depth) == APART_DEPTH_NONE ? falls_back : NULL,                \
    }

#define METHOD(suffix, heading, method) LIBRARY(suffix, heading, #method, BENCH_VALUE, method, APART_DEPTH_NONE)
#define DEPTH(suffix, heading, judged, depth) LIBRARY(suffix, heading, #depth, judged, APART_METHOD_AUTO, depth)

METHOD(auto, "AUTO", APART_METHOD_AUTO);
METHOD(gjk, "GJK", APART_METHOD_GJK);
METHOD(enhanced, "ENHANCED", APART_METHOD_ENHANCED);
METHOD(features, "FEATURES", APART_METHOD_FEATURES);
DEPTH(exact, "EXACT", BENCH_VALUE, APART_DEPTH_EXACT);
DEPTH(bound, "BOUND", BENCH_BOUND, APART_DEPTH_BOUND);

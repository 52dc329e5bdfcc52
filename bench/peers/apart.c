// apart behind the common interface: one column per method.
#include "../peers.h"

#include <string.h>

_Static_assert(sizeof(apart_pose) <= sizeof(bench_pose), "a pose fits");
_Static_assert(sizeof(apart_cache) <= sizeof(bench_memory), "a cache fits");

static void* create(const bench_body* body) {
    switch (body->kind) {
    case BENCH_HULL:
        return apart_shape_points(body->points, body->count, 0, NULL);
    case BENCH_BOX:
        return apart_shape_box(body->half, 0, NULL);
    case BENCH_SPHERE:
        return apart_shape_sphere(body->radius, NULL);
    case BENCH_CAPSULE:
        return apart_shape_capsule(body->half_height, body->radius, NULL);
    }
    return NULL;
}

static void destroy(void* shape) { apart_shape_release(shape); }

static void place(const apart_pose* pose, bench_pose* out) { memcpy(out, pose, sizeof *pose); }

static inline double query(apart_method method, const void* a, const bench_pose* pose_a, const void* b,
                           const bench_pose* pose_b, bench_memory* memory) {
    apart_query options = {.cutoff = INFINITY, .method = method};
    apart_result result;
    apart_status status = apart_distance(a, (const apart_pose*)pose_a, b, (const apart_pose*)pose_b, &options,
                                         (apart_cache*)memory, &result);
    return status == APART_OK ? result.distance : BENCH_NO_ANSWER;
}

#define METHOD(suffix, heading, enumerator)                                                                            \
    static double distance_##suffix(const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b,  \
                                    bench_memory* memory) {                                                            \
        return query(enumerator, a, pose_a, b, pose_b, memory);                                                        \
    }                                                                                                                  \
    const bench_library bench_apart_##suffix = {                                                                       \
        .name = (heading),                                                                                             \
        .version = BENCH_APART_VERSION,                                                                                \
        .call = "apart_distance, " #enumerator,                                                                        \
        .ours = true,                                                                                                  \
        .create = create,                                                                                              \
        .destroy = destroy,                                                                                            \
        .place = place,                                                                                                \
        .distance = distance_##suffix,                                                                                 \
    }

METHOD(auto, "AUTO", APART_METHOD_AUTO);
METHOD(gjk, "GJK", APART_METHOD_GJK);
METHOD(enhanced, "ENHANCED", APART_METHOD_ENHANCED);
METHOD(features, "FEATURES", APART_METHOD_FEATURES);

// apart's meshes and unions behind the common interface of bench/mesh.
#include "../contest.h"

#include <stdlib.h>

static void* create(const surface* s) {
    return apart_shape_mesh(s->vertices, s->vertex_count, s->triangles[0], s->triangle_count, NULL, NULL);
}

static void destroy(void* shape) { apart_shape_release(shape); }

static size_t bytes(const void* shape) {
    apart_shape_info info;
    return apart_shape_describe(shape, &info) == APART_OK ? info.bytes : 0;
}

// Both sides of the calls to make: one per other body, or one in all.
typedef struct question {
    apart_shape* a;
    apart_pose pose_a;
    uint32_t count;
    apart_shape* b[MAX_OTHERS];
    apart_pose pose_b[MAX_OTHERS];
} question;

static void forget(void* prepared) {
    question* q = prepared;
    for (uint32_t i = 0; i < q->count; i++) apart_shape_release(q->b[i]);
    free(q);
}

static void* prepare(void* const* shapes, const mesh_query* query, const mesh_mode* mode) {
    question* q = calloc(1, sizeof *q);
    if (!q) return NULL;
    apart_part parts[MAX_OTHERS];
    for (uint32_t i = 0; i < query->count; i++) parts[i] = (apart_part){shapes[query->b[i]], query->pose_b[i]};
    q->a = shapes[query->a];
    q->pose_a = query->pose_a;
    if (query->count == 1 || mode->separate) {
        q->count = query->count;
        for (uint32_t i = 0; i < q->count; i++) {
            q->b[i] = apart_shape_retain(parts[i].shape);
            q->pose_b[i] = parts[i].pose;
        }
        return q;
    }
    q->count = 1;
    q->b[0] = apart_shape_union(parts, query->count, NULL);
    q->pose_b[0] = apart_pose_identity;
    if (q->b[0]) return q;
    forget(q);
    return NULL;
}

static void take(mesh_answer* answer, const apart_result* result, uint32_t call) {
    answer->visits += result->visits;
    answer->pairs += result->iterations;
    if (result->distance >= answer->distance) return;
    answer->distance = result->distance;
    answer->part = (long)(call + result->b.part);
    answer->triangle_a = (long)result->a.triangle;
    answer->triangle_b = (long)result->b.triangle;
}

static void ask(const void* prepared, const mesh_mode* mode, apart_cache* cache, mesh_answer* answer) {
    const question* q = prepared;
    apart_query options = {.relative_error = mode->yes_no ? 1 : mode->relative_error};
    *answer = (mesh_answer){.distance = INFINITY, .lower = INFINITY, .upper = INFINITY, .part = -1};
    for (uint32_t i = 0; i < q->count; i++) {
        apart_result result;
        if (apart_distance(q->a, &q->pose_a, q->b[i], &q->pose_b[i], &options, cache, &result) != APART_OK) {
            answer->distance = NAN;
            return;
        }
        take(answer, &result, i);
        answer->lower = fmin(answer->lower, result.lower_bound);
        answer->upper = fmin(answer->upper, result.upper_bound);
    }
}

const mesh_library mesh_apart = {
    .name = "apart",
    .version = BENCH_APART_VERSION,
    .call = "apart_distance, APART_METHOD_AUTO",
    .ours = true,
    .create = create,
    .destroy = destroy,
    .bytes = bytes,
    .prepare = prepare,
    .forget = forget,
    .ask = ask,
};

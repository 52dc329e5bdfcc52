// Many points against one shape: a mesh by a search of its own, anything else by the ordinary query.
#include "base/pose.h"
#include "base/sort.h"
#include "batch/workers.h"
#include "mesh/nearest_point.h"
#include "query.h"

#include <stdlib.h>

/// A body of one point, on the stack.
typedef struct lone_point {
    _Alignas(64) double zero[LANES]; // its coordinates, as the kernels of support.c want them
    apart_shape shape;
} lone_point;

static void lone_point_init(lone_point* p) {
    static const uint32_t none[2] = {0, 0};
    *p = (lone_point){.shape = {.kind = SHAPE_POLYTOPE, .scale = 1, .exact = true}};
    p->shape.polytope = (polytope){.count = 1,
                                   .padded = LANES,
                                   .x = p->zero,
                                   .y = p->zero,
                                   .z = p->zero,
                                   .caller = none,
                                   .first = none,
                                   .neighbour = none,
                                   .face_first = none,
                                   .face_vertex = none,
                                   .climbable = true,
                                   .argmax = apart_kernels_short()->argmax};
}

// ----------------------------------------------------------------------------------------------------- an order ----
// Points that follow each other in space meet the same boxes and triangles, which are still at hand: a million points
// in no order against a large mesh take twice as long. The answers are the same in any order.

/// The place of a point on a curve through the 2^30 cells of a box (Morton): the bits of its cell's numbers along the
/// axes, in turn. Anything beyond the box has the number 0.
static uint64_t place_on_curve(vec3 p, vec3 low, vec3 high) {
    uint64_t place = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double from = vec3_at(low, axis), cell = (vec3_at(p, axis) - from) / (vec3_at(high, axis) - from) * 1023;
        const uint64_t number = cell >= 0 && cell <= 1023 ? (uint64_t)cell : 0;
        for (int i = 0; i < 10; ++i) place |= (number >> i & 1) << (3 * i + axis);
    }
    return place;
}

/// Fewer points than this are taken as they come.
#define FEW 4096

/// The points along that curve: in the lower half of each number the index. NULL if they are few, or if there is no
/// memory for it.
static uint64_t* order_points(const apart_vec3* points, size_t count) {
    uint64_t* order = count >= FEW && count <= UINT32_MAX ? malloc(count * sizeof *order) : NULL;
    if (!order) return NULL;
    // Comparisons that NaN fails, and halves that do not overflow.
    vec3 low = {INFINITY, INFINITY, INFINITY}, high = vec3_neg(low);
    for (size_t i = 0; i < count; ++i) {
        vec3 p = vec3_scale(0.5, points[i]);
        if (!(vec3_sum_abs(p) < INFINITY)) continue;
        low = vec3_min(low, p);
        high = vec3_max(high, p);
    }
    for (size_t i = 0; i < count; ++i) order[i] = place_on_curve(vec3_scale(0.5, points[i]), low, high) << 32 | i;
    meter unlimited = {0};
    apart_sort_keys(order, count, &unlimited);
    return order;
}

// ------------------------------------------------------------------------------------------------------ the call ----

/// What all points share.
typedef struct point_batch {
    posed_shape shape;
    const apart_shape* point;
    bool searched; // by the search for points
    point_target target;
    const apart_vec3* points;
    const uint64_t* order; // NULL = as they come
    const apart_query* query;
    apart_result* results;
    apart_status* statuses;
} point_batch;

static apart_status measure_point(const point_batch* all, size_t i) {
    apart_pose pose = {apart_pose_identity.rotation, all->points[i]};
    const posed_shape point = {all->point, &pose};
    bool finite = vec3_max_abs(pose.translation) <= APART_LIMIT; // not so for NaN
    if (all->searched && finite && apart_point_measure(&all->target, &point, all->query, &all->results[i]))
        return APART_OK;
    return apart_distance(all->shape.shape, all->shape.pose, all->point, &pose, all->query, NULL, &all->results[i]);
}

static void measure_points(const void* job, size_t from, size_t to, failure* lowest) {
    const point_batch* all = job;
    for (size_t k = from; k < to; ++k) {
        size_t i = all->order ? (uint32_t)all->order[k] : k;
        apart_status status = measure_point(all, i);
        if (all->statuses) all->statuses[i] = status;
        failure_note(lowest, i, status);
    }
}

/// So many points take longer than to start a thread.
#define GRAIN 256

apart_status apart_distance_points(const apart_shape* shape, const apart_pose* pose, const apart_vec3* points,
                                   size_t count, const apart_query* query, apart_result* results,
                                   // NOLINTNEXTLINE(readability-non-const-parameter): the workers write it
                                   apart_status* statuses, int threads) {
    apart_query plain;
    apart_status status = query_read_for_many(query, threads, &plain);
    if (status != APART_OK) return status;
    if (!shape || !pose || (count > 0 && (!points || !results))) return APART_INVALID;
    status = apart_pose_check(pose);
    if (status != APART_OK) return status;
    lone_point point;
    lone_point_init(&point);
    point_batch all = {.shape = {shape, pose},
                       .point = &point.shape,
                       .searched = shape->kind == SHAPE_MESH && plain.method == APART_METHOD_AUTO,
                       .points = points,
                       .query = &plain,
                       .results = results,
                       .statuses = statuses};
    const posed_shape any = {&point.shape, &apart_pose_identity};
    uint64_t* order = all.searched ? order_points(points, count) : NULL;
    all.order = order;
    if (all.searched) apart_point_target_init(&all.target, &all.shape, &any);
    status = apart_workers_run(measure_points, &all, count, GRAIN, threads);
    free(order);
    return status;
}

// apart_distance: checks its arguments, looks at the two shapes and calls the right room.
#include "query.h"

#include "base/pose.h"
#include "convex/primitive_pairs.h"
#include "depth/pair.h"
#include "mesh/halfspace.h"
#include "mesh/measure.h"

// What {0} means. Everything below this file knows one way to say that there is no cutoff: INFINITY.
static const apart_query defaults = {.cutoff = INFINITY};

apart_query apart_query_default(void) { return defaults; }

static inline apart_status check_query(const apart_query* q) {
    if (!(fabs(q->relative_error) < INFINITY && fabs(q->absolute_error) < INFINITY && !isnan(q->cutoff)))
        return APART_NOT_FINITE;
    bool errors = q->relative_error >= 0 && q->relative_error <= 1 && q->absolute_error >= 0;
    bool words = (unsigned)q->depth <= APART_DEPTH_EXACT && (unsigned)q->method <= APART_METHOD_SPHERES;
    return errors && words ? APART_OK : APART_INVALID;
}

apart_status apart_query_read(const apart_query* query, apart_query* plain) {
    *plain = query ? *query : defaults;
    if (plain->cutoff == 0) plain->cutoff = defaults.cutoff;
    return check_query(plain);
}

apart_status apart_distance(const apart_shape* a, const apart_pose* pose_a, const apart_shape* b,
                            const apart_pose* pose_b, const apart_query* query, apart_cache* cache,
                            apart_result* result) {
    if (!a || !b || !pose_a || !pose_b || !result) return APART_INVALID;
    if (!query) query = &defaults;
    apart_status status = check_query(query);
    if (status != APART_OK) return status;
    const posed_shape first = {a, pose_a}, second = {b, pose_b};
    if (primitive_pair_applies(a, b) && poses_are_good(pose_a, pose_b) &&
        apart_primitive_pairs_measure(&first, &second, query, 0, cache, result))
        return APART_OK;
    simplex_start start;
    if (apart_pair_search(&first, &second, query, 0, cache, &start, result)) return APART_OK;
    // A search that has begun has found them good.
    if (start.supports == 0 && !poses_are_good(pose_a, pose_b)) {
        status = apart_pose_check(pose_a);
        if (status == APART_OK) status = apart_pose_check(pose_b);
        if (status != APART_OK) return status;
    }
    apart_query without_cutoff;
    if (query->cutoff == 0) {
        without_cutoff = *query;
        without_cutoff.cutoff = defaults.cutoff;
        query = &without_cutoff;
    }
    if (a->kind == SHAPE_HALFSPACE || b->kind == SHAPE_HALFSPACE)
        return apart_halfspace_measure(&first, &second, query, 0, cache, result);
    if (!shape_is_convex(a) || !shape_is_convex(b)) return apart_bvh_measure(&first, &second, query, cache, result);
    if (query->method == APART_METHOD_SPHERES) return APART_UNSUPPORTED;
    return apart_pair_measure(&first, &second, query, 0, &start, cache, result);
}

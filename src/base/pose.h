// Poses: is a matrix a rotation?
#ifndef APART_BASE_POSE_H
#define APART_BASE_POSE_H

#include "base/vec.h"

/// APART_OK, APART_NOT_FINITE, APART_OUT_OF_RANGE or APART_NOT_A_ROTATION.
apart_status apart_pose_check(const apart_pose* pose);

/// The pose x -> outer of (inner of x). *rounded: whether a number of it was; then a point that inner keeps within r of
/// its own origin, and that comes from within r, is off by less than POSE_ROUNDING (r + |outer.translation|) in the
/// end.
apart_pose apart_pose_compose(const apart_pose* outer, const apart_pose* inner, bool* rounded);
/// Rows of three products and two sums: 5.2 roundings of what the matrices are applied to, and one of the sum.
#define POSE_ROUNDING 0x1p-50

/// a + b; *rounded: whether that is not exact.
vec3 apart_pose_sum(vec3 a, vec3 b, bool* rounded);

/// APART_OK, APART_NOT_FINITE or APART_OUT_OF_RANGE for one number.
static inline apart_status apart_number_check(double x) {
    if (fabs(x) <= APART_LIMIT) return APART_OK;
    return isfinite(x) ? APART_OUT_OF_RANGE : APART_NOT_FINITE;
}

#endif

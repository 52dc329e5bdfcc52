// Poses: is a matrix a rotation?
#ifndef APART_BASE_POSE_H
#define APART_BASE_POSE_H

#include "base/vec.h"

/// APART_OK, APART_NOT_FINITE, APART_OUT_OF_RANGE or APART_NOT_A_ROTATION.
apart_status apart_pose_check(const apart_pose* pose);

/// APART_OK, APART_NOT_FINITE or APART_OUT_OF_RANGE for one number.
static inline apart_status apart_number_check(double x) {
    if (fabs(x) <= APART_LIMIT) return APART_OK;
    return isfinite(x) ? APART_OUT_OF_RANGE : APART_NOT_FINITE;
}

#endif

// Poses: is a matrix a rotation?
#ifndef APART_BASE_POSE_H
#define APART_BASE_POSE_H

#include "base/vec.h"

/// APART_OK, APART_NOT_FINITE, APART_OUT_OF_RANGE or APART_NOT_A_ROTATION.
apart_status apart_pose_check(const apart_pose* pose);

/// How far R^T R may be from the identity, entry by entry.
#define ROTATION_TOLERANCE 1e-6

/// Whether apart_pose_check says APART_OK, four numbers at a time. The twelve numbers of a pose follow each other: rows
/// that begin one or two places later make the products of different columns, in some of the four.
static inline bool pose_is_good(const apart_pose* pose) {
    typedef double four __attribute__((vector_size(32)));
    typedef double four_of __attribute__((vector_size(32), aligned(8), may_alias));
    typedef int64_t four_masks __attribute__((vector_size(32)));
    const double *m = &pose->rotation.m[0][0], most = ROTATION_TOLERANCE;
#define FOUR(i) (*(const four_of*)(m + (i)))
    const four x = FOUR(0), y = FOUR(3), z = FOUR(6), translation = FOUR(8);
    const four squares = x * x + y * y + z * z - 1;                 // of columns 0, 1, 2
    const four next = x * FOUR(1) + y * FOUR(4) + z * FOUR(7);      // columns 0 and 1, 1 and 2
    const four other = x * FOUR(2) + y * FOUR(5) + z * translation; // columns 0 and 2
#undef FOUR
    four_masks good = ((squares <= most) & (squares >= -most)) | (four_masks){0, 0, 0, -1};
    good &= ((next <= most) & (next >= -most)) | (four_masks){0, 0, -1, -1};
    good &= ((other <= most) & (other >= -most)) | (four_masks){0, -1, -1, -1};
    good &= (translation <= APART_LIMIT) & (translation >= -APART_LIMIT);
    double volume =
        m[0] * (m[4] * m[8] - m[5] * m[7]) + m[1] * (m[5] * m[6] - m[3] * m[8]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
    return (good[0] & good[1] & good[2] & good[3]) != 0 && volume > 0;
}

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
/// The same for the coordinates of a point.
static inline apart_status apart_point_check(vec3 p) {
    if (fabs(p.x) <= APART_LIMIT && fabs(p.y) <= APART_LIMIT && fabs(p.z) <= APART_LIMIT) return APART_OK;
    return vec3_is_finite(p) ? APART_OUT_OF_RANGE : APART_NOT_FINITE;
}

#endif

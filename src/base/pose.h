// Poses: is a matrix a rotation?
#ifndef APART_BASE_POSE_H
#define APART_BASE_POSE_H

#include "base/vec.h"

/// APART_OK, APART_NOT_FINITE, APART_OUT_OF_RANGE or APART_NOT_A_ROTATION.
apart_status apart_pose_check(const apart_pose* pose);

/// How far R^T R may be from the identity, entry by entry.
#define ROTATION_TOLERANCE 1e-6

/// Whether apart_pose_check says APART_OK of both, in the same order of operations.
static inline bool poses_are_good(const apart_pose* a, const apart_pose* b) {
    typedef double two __attribute__((vector_size(16)));
    typedef int64_t two_bits __attribute__((vector_size(16)));
    const double *p = &a->rotation.m[0][0], *q = &b->rotation.m[0][0];
#define TWO(i) ((two){p[i], q[i]})
#define AT_MOST(x, most) ((two)((two_bits)(x)&INT64_MAX) <= (most))
    const two m0 = TWO(0), m1 = TWO(1), m2 = TWO(2), m3 = TWO(3), m4 = TWO(4), m5 = TWO(5), m6 = TWO(6), m7 = TWO(7),
              m8 = TWO(8);
    two_bits good = AT_MOST(m0 * m0 + m3 * m3 + m6 * m6 - 1, ROTATION_TOLERANCE);
    good &= AT_MOST(m1 * m1 + m4 * m4 + m7 * m7 - 1, ROTATION_TOLERANCE);
    good &= AT_MOST(m2 * m2 + m5 * m5 + m8 * m8 - 1, ROTATION_TOLERANCE);
    good &= AT_MOST(m0 * m1 + m3 * m4 + m6 * m7, ROTATION_TOLERANCE);
    good &= AT_MOST(m0 * m2 + m3 * m5 + m6 * m8, ROTATION_TOLERANCE);
    good &= AT_MOST(m1 * m2 + m4 * m5 + m7 * m8, ROTATION_TOLERANCE);
    good &= m0 * (m4 * m8 - m5 * m7) + m1 * (m5 * m6 - m3 * m8) + m2 * (m3 * m7 - m4 * m6) > 0;
    good &= AT_MOST(TWO(9), APART_LIMIT) & AT_MOST(TWO(10), APART_LIMIT) & AT_MOST(TWO(11), APART_LIMIT);
#undef AT_MOST
#undef TWO
    return (good[0] & good[1]) != 0;
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
/// APART_OK, APART_NOT_FINITE or APART_OUT_OF_RANGE for the coordinates of a point.
static inline apart_status apart_point_check(vec3 p) {
    if (fabs(p.x) <= APART_LIMIT && fabs(p.y) <= APART_LIMIT && fabs(p.z) <= APART_LIMIT) return APART_OK;
    return vec3_is_finite(p) ? APART_OUT_OF_RANGE : APART_NOT_FINITE;
}

#endif

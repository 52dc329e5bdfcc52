// The true motion in quadruple precision, from its definition and not from the library's formulas.
#ifndef APART_TESTS_MOTION_ORACLE_H
#define APART_TESTS_MOTION_ORACLE_H

#include "oracle.h"
#include "random.h"

typedef struct qmat {
    quad m[3][3];
} qmat;

/// A body: a point x of it is at pivot + rotation (x - p).
typedef struct true_place {
    qmat rotation;
    qvec pivot;
} true_place;

/// The rotation nearest to a matrix, by averaging with the inverse transposed.
qmat oracle_nearest(const apart_mat3* given);
qmat qmat_product(const qmat* a, const qmat* b);
qmat qmat_transposed(const qmat* a);
qvec qmat_times(const qmat* a, qvec x);
/// The turn by an angle about a vector, which is normalised first.
qmat qmat_turn(qvec axis, quad angle);
/// The angle of a rotation, from 0 to pi.
quad qmat_angle(const qmat* a);
/// The double nearest to each entry.
apart_mat3 qmat_rounded(const qmat* a);

/// Where a body is at a time; not for FUNCTION. other_way: where both ways are half a turn, the other one.
true_place oracle_motion(const apart_motion* motion, quad time, bool other_way);
/// Whether the turn that `time` belongs to is half a turn to rounding, so that either way may be taken.
bool oracle_either_way(const apart_motion* motion, double time);

#endif

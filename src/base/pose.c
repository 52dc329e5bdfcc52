// Poses: from and to quaternions and matrices, checked, composed.
#include "base/pose.h"

#include "base/exact.h"

const apart_pose apart_pose_identity = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 0, 0}};

apart_pose apart_pose_from_quaternion(double w, double x, double y, double z, apart_vec3 translation) {
    apart_pose pose = {{{{0}}}, translation};
    // Divide by the largest part first, so that the squares neither overflow nor vanish.
    double largest = fmax(fmax(fabs(w), fabs(x)), fmax(fabs(y), fabs(z)));
    if (!(largest > 0) || !isfinite(w) || !isfinite(x) || !isfinite(y) || !isfinite(z)) return pose;
    w /= largest;
    x /= largest;
    y /= largest;
    z /= largest;
    double s = 2 / (w * w + x * x + y * y + z * z);
    pose.rotation = (mat3){{{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
                            {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
                            {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}}};
    return pose;
}

apart_status apart_pose_check(const apart_pose* pose) {
    const mat3* r = &pose->rotation;
    const vec3 row0 = mat3_row(r, 0), row1 = mat3_row(r, 1), row2 = mat3_row(r, 2);
    // The skew of what is infinite, or too large to be squared, is infinite; NaN has no volume.
    bool rotation = mat3_skew(r) <= ROTATION_TOLERANCE && vec3_dot(row0, vec3_cross(row1, row2)) > 0;
    apart_status place = apart_point_check(pose->translation);
    if (rotation || place == APART_NOT_FINITE) return place;
    if (!vec3_is_finite(row0) || !vec3_is_finite(row1) || !vec3_is_finite(row2)) return APART_NOT_FINITE;
    return place == APART_OK ? APART_NOT_A_ROTATION : place;
}

apart_status apart_pose_from_matrix(const double matrix[16], apart_pose* pose) {
    if (!matrix || !pose) return APART_INVALID;
    for (int i = 0; i < 16; ++i)
        if (!isfinite(matrix[i])) return APART_NOT_FINITE;
    const double* last = matrix + 12;
    if (last[0] != 0 || last[1] != 0 || last[2] != 0 || last[3] != 1) return APART_NOT_A_ROTATION;
    apart_pose p = {.translation = {matrix[3], matrix[7], matrix[11]}};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) p.rotation.m[i][j] = matrix[4 * i + j];
    apart_status status = apart_pose_check(&p);
    if (status == APART_OK) *pose = p;
    return status;
}

void apart_pose_to_matrix(const apart_pose* pose, double matrix[16]) {
    const double t[3] = {pose->translation.x, pose->translation.y, pose->translation.z};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) matrix[4 * i + j] = pose->rotation.m[i][j];
        matrix[4 * i + 3] = t[i];
        matrix[12 + i] = 0;
    }
    matrix[15] = 1;
}

// The four rows of 4 q q^T can be read off the matrix without a division. The one of the largest part of q, whose
// square is at least 1/4, has a length of at least 2 (Shepperd 1978): normalised, it is q, whatever the rotation.
void apart_pose_to_quaternion(const apart_pose* pose, double wxyz[4]) {
    const double(*m)[3] = pose->rotation.m;
    const double wx = m[2][1] - m[1][2], wy = m[0][2] - m[2][0], wz = m[1][0] - m[0][1];
    const double xy = m[0][1] + m[1][0], xz = m[0][2] + m[2][0], yz = m[1][2] + m[2][1];
    const double row[4][4] = {{1 + (m[0][0] + m[1][1] + m[2][2]), wx, wy, wz},
                              {wx, 1 + (m[0][0] - m[1][1] - m[2][2]), xy, xz},
                              {wy, xy, 1 + (m[1][1] - m[0][0] - m[2][2]), yz},
                              {wz, xz, yz, 1 + (m[2][2] - m[0][0] - m[1][1])}};
    int k = 0;
    for (int i = 1; i < 4; ++i)
        if (row[i][i] > row[k][k]) k = i;
    const double* q = row[k];
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (q[0] < 0) length = -length;
    for (int i = 0; i < 4; ++i) wxyz[i] = q[i] / length + 0; // no negative zeros
}

static bool is_identity(const mat3* r) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            if (r->m[i][j] != (i == j)) return false;
    return true;
}

vec3 apart_pose_sum(vec3 a, vec3 b, bool* rounded) {
    vec3 lost = {0, 0, 0};
    exact_add(&a, &lost, b);
    *rounded = !vec3_is_zero(lost);
    return a;
}

apart_pose apart_pose_compose(const apart_pose* outer, const apart_pose* inner, bool* rounded) {
    apart_pose p = {.rotation = mat3_product(&outer->rotation, &inner->rotation)};
    p.translation = apart_pose_sum(mat3_mul(&outer->rotation, inner->translation), outer->translation, rounded);
    // A product of matrices, or of a matrix and a place, is rounded unless one of them is trivial.
    bool still = is_identity(&outer->rotation),
         plain = is_identity(&inner->rotation) && vec3_is_zero(inner->translation);
    *rounded = *rounded || !(still || plain);
    return p;
}

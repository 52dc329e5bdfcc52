// Angles and matrices become poses.
#include "pose.h"

#include <stdarg.h>
#include <stdio.h>

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static bool
refuse(apart_error* error, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    error->status = APART_NOT_A_ROTATION;
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return false;
}

apart_mat3 rotation_from_angles(double roll, double pitch, double yaw) {
    const double cr = cos(roll), sr = sin(roll), cp = cos(pitch), sp = sin(pitch), cy = cos(yaw), sy = sin(yaw);
    const apart_mat3 r = {{{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
                           {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
                           {-sp, cp * sr, cp * cr}}};
    return r;
}

// How far R^T R is from the identity, in its worst entry.
static double rotation_error(const apart_mat3* r) {
    double worst = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double dot = i == j ? -1 : 0;
            for (int k = 0; k < 3; k++) dot += r->m[k][i] * r->m[k][j];
            worst = fmax(worst, fabs(dot));
        }
    return worst;
}

static double determinant(const apart_mat3* r) {
    const double(*m)[3] = r->m;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

bool pose_from_matrix(const double n[16], apart_pose* out, apart_error* error) {
    if (n[12] != 0 || n[13] != 0 || n[14] != 0 || n[15] != 1)
        return refuse(error, "the last row of the 4x4 matrix must be 0 0 0 1; write it row by row");
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) out->rotation.m[row][column] = n[4 * row + column];
    out->translation = (apart_vec3){n[3], n[7], n[11]};
    const double off = rotation_error(&out->rotation);
    if (!(off <= 1e-6))
        return refuse(error,
                      "the 3x3 part is off a rotation by %.2g, at most 1e-6 is allowed; take out scale and shear", off);
    if (!(determinant(&out->rotation) > 0)) return refuse(error, "the 3x3 part is a mirror image, not a rotation");
    return true;
}

// Rotations as people write them.
#ifndef APART_IO_POSE_H
#define APART_IO_POSE_H

#include "apart/apart.h"
#include "names.h"

/// Fixed axes, as in URDF: first roll about x, then pitch about y, then yaw about z. Radians.
apart_mat3 rotation_from_angles(double roll, double pitch, double yaw);

/// The pose of a row-major 4x4 matrix; false and a sentence in *error if it is no rigid motion.
bool pose_from_matrix(const double n[16], apart_pose* out, apart_error* error);

#endif

// apart's poses as FCL has them.
#ifndef BENCH_PEERS_FCL_POSE_H
#define BENCH_PEERS_FCL_POSE_H

#include <apart/apart.h>
#include <fcl/common/types.h>

inline fcl::Transform3d pose_of(const apart_pose& pose) {
    fcl::Transform3d p = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) p.linear()(i, j) = pose.rotation.m[i][j];
    p.translation() = fcl::Vector3d(pose.translation.x, pose.translation.y, pose.translation.z);
    return p;
}

#endif

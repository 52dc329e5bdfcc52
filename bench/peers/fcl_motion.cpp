// First contact by the Flexible Collision Library in double precision: fcl::continuousCollide with two end poses, as a
// user would call it. Conservative advancement along its linear motion (the origin goes straight, the turn is constant)
// and along its screw motion; and its default solver, which looks at ten instants. Tolerances are its defaults.
#include "../flights.h"

#include <fcl/narrowphase/continuous_collision.h>

#include <cmath>

namespace {

using Geometry = fcl::CollisionGeometryd;
using Pose = fcl::Transform3d;

Pose pose_of(const apart_pose& pose) {
    Pose p = Pose::Identity();
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) p.linear()(i, j) = pose.rotation.m[i][j];
    p.translation() = fcl::Vector3d(pose.translation.x, pose.translation.y, pose.translation.z);
    return p;
}

} // namespace

extern "C" double fcl_first_contact(const void* a, const flight* flight_a, const void* b, const flight* flight_b,
                                    fcl_way way) {
    fcl::ContinuousCollisionRequestd request;
    fcl::ContinuousCollisionResultd result;
    request.ccd_motion_type = way == FCL_SCREW ? fcl::CCDM_SCREW : fcl::CCDM_LINEAR;
    request.ccd_solver_type = way == FCL_NAIVE ? fcl::CCDC_NAIVE : fcl::CCDC_CONSERVATIVE_ADVANCEMENT;
    try {
        fcl::continuousCollide(static_cast<const Geometry*>(a), pose_of(flight_a->start), pose_of(flight_a->end),
                               static_cast<const Geometry*>(b), pose_of(flight_b->start), pose_of(flight_b->end),
                               request, result);
    } catch (const std::exception&) {
        return NAN;
    }
    return result.is_collide ? result.time_of_contact : INFINITY;
}

// First contact by the Flexible Collision Library in double precision: fcl::continuousCollide with default tolerances.
// Conservative advancement along its linear motion (the origin goes straight, the turn is constant) and along its screw
// motion; and its default solver, which looks at ten instants.
//
// The linear motion is made here, with the origin as the point that goes straight: the one that continuousCollide makes
// of two end poses never sets that point (FCL 0.7), and follows another path from call to call.
#include "../flights.h"

#include "fcl_pose.h"

#include <fcl/math/motion/interp_motion.h>
#include <fcl/math/motion/screw_motion.h>
#include <fcl/narrowphase/continuous_collision.h>

#include <cmath>

namespace {

using Geometry = fcl::CollisionGeometryd;
using Pose = fcl::Transform3d;

fcl::InterpMotion<double> linear(const flight& f) {
    const Pose from = pose_of(f.start), to = pose_of(f.end);
    return {from.linear(), from.translation(), to.linear(), to.translation(), fcl::Vector3d::Zero()};
}

double ask(const void* a, const fcl::MotionBase<double>& motion_a, const void* b,
           const fcl::MotionBase<double>& motion_b, fcl::CCDSolverType solver) {
    fcl::ContinuousCollisionRequestd request;
    fcl::ContinuousCollisionResultd result;
    request.ccd_solver_type = solver;
    fcl::continuousCollide(static_cast<const Geometry*>(a), &motion_a, static_cast<const Geometry*>(b), &motion_b,
                           request, result);
    return result.is_collide ? result.time_of_contact : INFINITY;
}

} // namespace

extern "C" double fcl_first_contact(const void* a, const flight* flight_a, const void* b, const flight* flight_b,
                                    fcl_way way) {
    try {
        if (way == FCL_SCREW) {
            const fcl::ScrewMotion<double> motion_a(pose_of(flight_a->start), pose_of(flight_a->end));
            const fcl::ScrewMotion<double> motion_b(pose_of(flight_b->start), pose_of(flight_b->end));
            return ask(a, motion_a, b, motion_b, fcl::CCDC_CONSERVATIVE_ADVANCEMENT);
        }
        return ask(a, linear(*flight_a), b, linear(*flight_b),
                   way == FCL_NAIVE ? fcl::CCDC_NAIVE : fcl::CCDC_CONSERVATIVE_ADVANCEMENT);
    } catch (const std::exception&) {
        return NAN;
    }
}

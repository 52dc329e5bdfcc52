// The Flexible Collision Library in double precision: its libccd solver (the default) and its own GJK.
//
// Both are called as a user would, through fcl::distance with the default tolerance of 1e-6. Only its own GJK can start
// from the last answer (cached guess, set on the solver).
//
// Depth: fcl::distance with enable_signed_distance expands a polytope; fcl::collide with contacts takes libccd's MPR by
// default, which does not look for the least depth, and expands a polytope with FCL's own solver.
#include "../peers.h"

#include <fcl/config.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/detail/gjk_solver_indep.h>
#include <fcl/narrowphase/detail/primitive_shape_algorithm/capsule_capsule.h>
#include <fcl/narrowphase/detail/primitive_shape_algorithm/sphere_box.h>
#include <fcl/narrowphase/detail/primitive_shape_algorithm/sphere_capsule.h>
#include <fcl/narrowphase/detail/primitive_shape_algorithm/sphere_sphere.h>
#include <fcl/narrowphase/distance.h>

#include <cmath>
#include <new>

namespace {

using Geometry = fcl::CollisionGeometryd;
using Pose = fcl::Transform3d;
static_assert(sizeof(Pose) <= sizeof(bench_pose), "a pose fits");

// FCL wants faces as one list: corner count, corners, corner count, corners...
Geometry* create_hull(const bench_body* body) {
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    for (size_t i = 0; i < body->count; i++) {
        const apart_vec3& p = body->points[i];
        vertices->push_back(fcl::Vector3d(p.x, p.y, p.z));
    }
    auto faces = std::make_shared<std::vector<int>>();
    for (size_t i = 0; i < body->triangle_count; i++) {
        faces->push_back(3);
        for (uint32_t corner : body->triangles[i]) faces->push_back(static_cast<int>(corner));
    }
    return new fcl::Convexd(vertices, static_cast<int>(body->triangle_count), faces, true);
}

void* create(const bench_body* body) {
    try {
        switch (body->kind) {
        case BENCH_HULL:
            return create_hull(body);
        case BENCH_BOX:
            return static_cast<Geometry*>(new fcl::Boxd(2 * body->half.x, 2 * body->half.y, 2 * body->half.z));
        case BENCH_SPHERE:
            return static_cast<Geometry*>(new fcl::Sphered(body->radius));
        case BENCH_CAPSULE:
            return static_cast<Geometry*>(new fcl::Capsuled(body->radius, 2 * body->half_height));
        case BENCH_CYLINDER:
            return static_cast<Geometry*>(new fcl::Cylinderd(body->radius, 2 * body->half_height));
        case BENCH_CONE:
            return static_cast<Geometry*>(new fcl::Coned(body->radius, 2 * body->half_height));
        case BENCH_ELLIPSOID:
            return static_cast<Geometry*>(new fcl::Ellipsoidd(body->half.x, body->half.y, body->half.z));
        }
    } catch (const std::exception&) {
        return nullptr;
    }
    return nullptr;
}

// The signed distance hardly ends on two spheres that are nearly concentric. FCL's closed form for them is behind
// fcl::collide.
void* create_for_signed(const bench_body* body) { return body->kind == BENCH_SPHERE ? nullptr : create(body); }

void destroy(void* shape) { delete static_cast<Geometry*>(shape); }

void place(const apart_pose* pose, bench_pose* out) {
    Pose p = Pose::Identity();
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) p.linear()(i, j) = pose->rotation.m[i][j];
    p.translation() = fcl::Vector3d(pose->translation.x, pose->translation.y, pose->translation.z);
    new (out) Pose(p);
}

const Pose& pose_of(const bench_pose* pose) { return *reinterpret_cast<const Pose*>(pose); }

double distance_by(fcl::GJKSolverType solver, bool depth, const void* a, const bench_pose* pose_a, const void* b,
                   const bench_pose* pose_b) {
    fcl::DistanceRequestd request(true, depth);
    request.gjk_solver_type = solver;
    fcl::DistanceResultd result;
    try {
        fcl::distance(static_cast<const Geometry*>(a), pose_of(pose_a), static_cast<const Geometry*>(b),
                      pose_of(pose_b), request, result);
    } catch (const std::exception&) {
        return BENCH_NO_ANSWER;
    }
    return result.min_distance;
}

double distance_libccd(const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b,
                       bench_memory*) {
    return distance_by(fcl::GST_LIBCCD, false, a, pose_a, b, pose_b);
}

double signed_distance(const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b,
                       bench_memory*) {
    return distance_by(fcl::GST_LIBCCD, true, a, pose_a, b, pose_b);
}

using Solver = fcl::detail::GJKSolver_indepd;

template <typename Shape>
double solve(const Solver& solver, const Geometry* a, const Pose& pose_a, const Geometry* b, const Pose& pose_b) {
    double distance = BENCH_NO_ANSWER;
    fcl::Vector3d point_a, point_b;
    solver.shapeDistance(static_cast<const Shape&>(*a), pose_a, static_cast<const Shape&>(*b), pose_b, &distance,
                         &point_a, &point_b);
    return distance;
}

// Both bodies are of one kind.
double solve_any(const Solver& solver, const Geometry* a, const Pose& pose_a, const Geometry* b, const Pose& pose_b) {
    switch (a->getNodeType()) {
    case fcl::GEOM_CONVEX:
        return solve<fcl::Convexd>(solver, a, pose_a, b, pose_b);
    case fcl::GEOM_BOX:
        return solve<fcl::Boxd>(solver, a, pose_a, b, pose_b);
    case fcl::GEOM_SPHERE:
        return solve<fcl::Sphered>(solver, a, pose_a, b, pose_b);
    case fcl::GEOM_CAPSULE:
        return solve<fcl::Capsuled>(solver, a, pose_a, b, pose_b);
    default:
        return BENCH_NO_ANSWER;
    }
}

// The remembered guess is three numbers and a flag.
fcl::Vector3d remembered(const bench_memory* memory) {
    const double* m = memory->number;
    return m[3] != 0 ? fcl::Vector3d(m[0], m[1], m[2]) : fcl::Vector3d(1, 0, 0);
}

void remember(bench_memory* memory, const fcl::Vector3d& guess) {
    for (int i = 0; i < 3; i++) memory->number[i] = guess[i];
    memory->number[3] = 1;
}

// fcl::distance has no place for a guess, so a tracked query calls the solver itself, if the bodies are of one kind.
double distance_own(const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b,
                    bench_memory* memory) {
    const bool alike = static_cast<const Geometry*>(a)->getNodeType() == static_cast<const Geometry*>(b)->getNodeType();
    if (memory == nullptr || !alike) return distance_by(fcl::GST_INDEP, false, a, pose_a, b, pose_b);
    Solver solver;
    solver.enableCachedGuess(true);
    solver.setCachedGuess(remembered(memory));
    double distance = BENCH_NO_ANSWER;
    try {
        distance = solve_any(solver, static_cast<const Geometry*>(a), pose_of(pose_a), static_cast<const Geometry*>(b),
                             pose_of(pose_b));
    } catch (const std::exception&) {
        return BENCH_NO_ANSWER;
    }
    remember(memory, solver.getCachedGuess());
    return distance;
}

// The closed forms themselves, which fcl::distance arrives at after it has looked up the pair.
bool has_closed_form(bench_kind a, bench_kind b) {
    return (a == BENCH_SPHERE && (b == BENCH_SPHERE || b == BENCH_CAPSULE || b == BENCH_BOX)) ||
           (a == BENCH_CAPSULE && b == BENCH_CAPSULE);
}

double closed_form(const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b, bench_memory*) {
    const Geometry &one = *static_cast<const Geometry*>(a), &two = *static_cast<const Geometry*>(b);
    const Pose &at = pose_of(pose_a), &there = pose_of(pose_b);
    double distance = BENCH_NO_ANSWER;
    fcl::Vector3d p, q;
    if (one.getNodeType() == fcl::GEOM_CAPSULE) {
        fcl::detail::capsuleCapsuleDistance(static_cast<const fcl::Capsuled&>(one), at,
                                            static_cast<const fcl::Capsuled&>(two), there, &distance, &p, &q);
        return distance;
    }
    const auto& sphere = static_cast<const fcl::Sphered&>(one);
    if (two.getNodeType() == fcl::GEOM_SPHERE)
        fcl::detail::sphereSphereDistance(sphere, at, static_cast<const fcl::Sphered&>(two), there, &distance, &p, &q);
    else if (two.getNodeType() == fcl::GEOM_CAPSULE)
        fcl::detail::sphereCapsuleDistance(sphere, at, static_cast<const fcl::Capsuled&>(two), there, &distance, &p,
                                           &q);
    else
        fcl::detail::sphereBoxDistance(sphere, at, static_cast<const fcl::Boxd&>(two), there, &distance, &p, &q);
    return distance;
}

// One contact, the deepest. FCL's own expansion gives its depth a minus sign, its closed forms do not.
double collide_by(fcl::GJKSolverType solver, const void* a, const bench_pose* pose_a, const void* b,
                  const bench_pose* pose_b, bench_memory* memory) {
    fcl::CollisionRequestd request(1, true);
    request.gjk_solver_type = solver;
    request.enable_cached_gjk_guess = memory != nullptr && solver == fcl::GST_INDEP;
    if (request.enable_cached_gjk_guess) request.cached_gjk_guess = remembered(memory);
    fcl::CollisionResultd result;
    try {
        fcl::collide(static_cast<const Geometry*>(a), pose_of(pose_a), static_cast<const Geometry*>(b), pose_of(pose_b),
                     request, result);
    } catch (const std::exception&) {
        return BENCH_NO_ANSWER;
    }
    if (request.enable_cached_gjk_guess) remember(memory, result.cached_gjk_guess);
    return result.isCollision() ? -std::fabs(result.getContact(0).penetration_depth) : BENCH_NO_ANSWER;
}

double collide_libccd(const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b,
                      bench_memory* memory) {
    return collide_by(fcl::GST_LIBCCD, a, pose_a, b, pose_b, memory);
}

double collide_own(const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b,
                   bench_memory* memory) {
    return collide_by(fcl::GST_INDEP, a, pose_a, b, pose_b, memory);
}

constexpr bench_library
library(const char* name, const char* call, bench_answer answers,
        double (*distance)(const void*, const bench_pose*, const void*, const bench_pose*, bench_memory*),
        void* (*make)(const bench_body*) = create, bool (*takes)(bench_kind, bench_kind) = nullptr) {
    return {name, FCL_VERSION, call, answers, false, make, destroy, takes, place, distance, nullptr, nullptr, nullptr};
}

} // namespace

extern "C" {
const bench_library bench_fcl_libccd = library("FCL", "fcl::distance, GST_LIBCCD", BENCH_VALUE, distance_libccd);
const bench_library bench_fcl_own =
    library("FCL own", "GJKSolver_indep, cold through fcl::distance", BENCH_VALUE, distance_own);
const bench_library bench_fcl_bare =
    library("FCL bare", "fcl::detail::sphereBoxDistance and so on", BENCH_VALUE, closed_form, create, has_closed_form);
const bench_library bench_fcl_signed = library("FCL", "fcl::distance, GST_LIBCCD, enable_signed_distance", BENCH_VALUE,
                                               signed_distance, create_for_signed);
const bench_library bench_fcl_collide =
    library("FCL MPR", "fcl::collide with contacts, GST_LIBCCD: MPR inside", BENCH_ESTIMATE, collide_libccd);
const bench_library bench_fcl_own_collide =
    library("FCL own", "fcl::collide with contacts, GST_INDEP", BENCH_VALUE, collide_own);
}

// Bullet in double precision: btGjkPairDetector with the Voronoi simplex solver, and btGjkEpaSolver2.
//
// Margins are set to zero, so that the bodies are the same as everyone's. Where the bodies are apart no penetration
// solver is given to the pair detector: that is Bullet's fastest way. Where they overlap it gets Bullet's expanding
// polytope, or btGjkEpaSolver2::Penetration is called itself.
#include "../peers.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <new>

namespace {

static_assert(sizeof(btScalar) == sizeof(double), "Bullet in double precision");
static_assert(sizeof(btTransform) <= sizeof(bench_pose), "a pose fits");

btConvexShape* create_hull(const bench_body* body) {
    btConvexHullShape* hull = new btConvexHullShape();
    for (size_t i = 0; i < body->count; i++) {
        const apart_vec3& p = body->points[i];
        hull->addPoint(btVector3(p.x, p.y, p.z), i + 1 == body->count);
    }
    return hull;
}

// A sphere's and a capsule's margin is their radius; the others have none here.
void* create(const bench_body* body) {
    btConvexShape* shape = nullptr;
    switch (body->kind) {
    case BENCH_HULL:
        shape = create_hull(body);
        break;
    case BENCH_BOX:
        shape = new btBoxShape(btVector3(body->half.x, body->half.y, body->half.z));
        break;
    case BENCH_SPHERE:
        return static_cast<btConvexShape*>(new btSphereShape(body->radius));
    case BENCH_CAPSULE:
        return static_cast<btConvexShape*>(new btCapsuleShapeZ(body->radius, 2 * body->half_height));
    case BENCH_CYLINDER:
        shape = new btCylinderShapeZ(btVector3(body->radius, body->radius, body->half_height));
        break;
    case BENCH_CONE:
        shape = new btConeShapeZ(body->radius, 2 * body->half_height);
        break;
    case BENCH_ELLIPSOID:
        return nullptr;
    }
    if (shape != nullptr) shape->setMargin(0);
    return shape;
}

void destroy(void* shape) { delete static_cast<btConvexShape*>(shape); }

void place(const apart_pose* pose, bench_pose* out) {
    const double(*m)[3] = pose->rotation.m;
    btMatrix3x3 basis(m[0][0], m[0][1], m[0][2], m[1][0], m[1][1], m[1][2], m[2][0], m[2][1], m[2][2]);
    btVector3 origin(pose->translation.x, pose->translation.y, pose->translation.z);
    new (out) btTransform(basis, origin);
}

const btTransform& pose_of(const bench_pose* pose) { return *reinterpret_cast<const btTransform*>(pose); }

btVector3 remembered(const bench_memory* memory) {
    return btVector3(memory->number[0], memory->number[1], memory->number[2]);
}

void remember(bench_memory* memory, const btVector3& v) {
    for (int i = 0; i < 3; i++) memory->number[i] = v[i];
    memory->number[3] = 1;
}

double detect(btConvexPenetrationDepthSolver* depth_solver, const void* a, const bench_pose* pose_a, const void* b,
              const bench_pose* pose_b, bench_memory* memory) {
    static btVoronoiSimplexSolver solver;
    btGjkPairDetector detector(static_cast<const btConvexShape*>(a), static_cast<const btConvexShape*>(b), &solver,
                               depth_solver);
    if (memory != nullptr && memory->number[3] != 0) detector.setCachedSeparatingAxis(remembered(memory));
    btGjkPairDetector::ClosestPointInput input;
    input.m_transformA = pose_of(pose_a);
    input.m_transformB = pose_of(pose_b);
    btPointCollector output;
    detector.getClosestPoints(input, output, nullptr);
    if (memory != nullptr) remember(memory, detector.getCachedSeparatingAxis());
    return output.m_hasResult ? output.m_distance : BENCH_NO_ANSWER;
}

double distance_pair(const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b,
                     bench_memory* memory) {
    return detect(nullptr, a, pose_a, b, pose_b, memory);
}

double depth_pair(const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b,
                  bench_memory* memory) {
    static btGjkEpaPenetrationDepthSolver expand;
    return detect(&expand, a, pose_a, b, pose_b, memory);
}

// The last normal, or the line between the bodies.
btVector3 first_guess(const bench_memory* memory, const btTransform& a_in_world, const btTransform& b_in_world) {
    bool warm = memory != nullptr && memory->number[3] != 0;
    return warm ? remembered(memory) : b_in_world.getOrigin() - a_in_world.getOrigin();
}

// A radius that is a margin (sphere, capsule) is not part of the core that Distance measures.
double distance_epa(const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b,
                    bench_memory* memory) {
    const btConvexShape* shape_a = static_cast<const btConvexShape*>(a);
    const btConvexShape* shape_b = static_cast<const btConvexShape*>(b);
    const btTransform &a_in_world = pose_of(pose_a), &b_in_world = pose_of(pose_b);
    btVector3 guess = first_guess(memory, a_in_world, b_in_world);
    btGjkEpaSolver2::sResults result;
    bool apart = btGjkEpaSolver2::Distance(shape_a, a_in_world, shape_b, b_in_world, guess, result);
    if (memory != nullptr && apart) remember(memory, result.normal);
    double gap = result.distance - shape_a->getMarginNonVirtual() - shape_b->getMarginNonVirtual();
    return apart ? gap : 0;
}

// Margins cost time, and are asked for only where they are the radius. Of the two signs of the last normal, this one is
// the better guess.
double depth_epa(const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b,
                 bench_memory* memory) {
    const btConvexShape* shape_a = static_cast<const btConvexShape*>(a);
    const btConvexShape* shape_b = static_cast<const btConvexShape*>(b);
    const btTransform &a_in_world = pose_of(pose_a), &b_in_world = pose_of(pose_b);
    bool round = shape_a->getMarginNonVirtual() > 0;
    btVector3 guess = first_guess(memory, a_in_world, b_in_world);
    btGjkEpaSolver2::sResults result;
    bool overlap = btGjkEpaSolver2::Penetration(shape_a, a_in_world, shape_b, b_in_world, guess, result, round);
    if (memory != nullptr && overlap) remember(memory, -result.normal);
    return overlap ? result.distance : BENCH_NO_ANSWER;
}

constexpr bench_library library(const char* name, const char* call,
                                double (*distance)(const void*, const bench_pose*, const void*, const bench_pose*,
                                                   bench_memory*)) {
    return {name,    BENCH_BULLET_VERSION,
            call,    BENCH_VALUE,
            false,   create,
            destroy, nullptr,
            place,   distance,
            nullptr, nullptr,
            nullptr};
}

} // namespace

extern "C" {
const bench_library bench_bullet_pair = library("Bullet", "btGjkPairDetector, double", distance_pair);
const bench_library bench_bullet_epa = library("GjkEpa2", "Bullet's btGjkEpaSolver2::Distance, double", distance_epa);
const bench_library bench_bullet_pair_depth =
    library("Bullet", "btGjkPairDetector, btGjkEpaPenetrationDepthSolver, double", depth_pair);
const bench_library bench_bullet_penetration =
    library("GjkEpa2", "Bullet's btGjkEpaSolver2::Penetration, double", depth_epa);
}

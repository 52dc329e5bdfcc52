// Coal, in double precision, as a user would call it: coal::distance with its default tolerance of 1e-6. Tracked
// queries start from the last direction and the last support vertices (GJKInitialGuess::CachedGuess).
#include "../peers.h"

#include <coal/config.hh>
#include <coal/distance.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>

#include <exception>
#include <memory>
#include <new>
#include <vector>

namespace {

using Geometry = coal::CollisionGeometry;
using Pose = coal::Transform3s;
static_assert(sizeof(coal::CoalScalar) == sizeof(double), "Coal in double precision");
static_assert(sizeof(Pose) <= sizeof(bench_pose), "a pose fits");

// The default of 64 ends the expansion of larger hulls too early.
constexpr size_t ITERATIONS = 300;

Geometry* create_hull(const bench_body* body) {
    auto points = std::make_shared<std::vector<coal::Vec3s>>();
    for (size_t i = 0; i < body->count; i++) {
        const apart_vec3& p = body->points[i];
        points->push_back(coal::Vec3s(p.x, p.y, p.z));
    }
    auto triangles = std::make_shared<std::vector<coal::Triangle>>();
    for (size_t i = 0; i < body->triangle_count; i++) {
        const uint32_t* t = body->triangles[i];
        triangles->push_back(coal::Triangle(t[0], t[1], t[2]));
    }
    return new coal::Convex<coal::Triangle>(points, static_cast<unsigned>(body->count), triangles,
                                            static_cast<unsigned>(body->triangle_count));
}

Geometry* create_any(const bench_body* body) {
    switch (body->kind) {
    case BENCH_HULL:
        return create_hull(body);
    case BENCH_BOX:
        return new coal::Box(2 * body->half.x, 2 * body->half.y, 2 * body->half.z);
    case BENCH_SPHERE:
        return new coal::Sphere(body->radius);
    case BENCH_CAPSULE:
        return new coal::Capsule(body->radius, 2 * body->half_height);
    case BENCH_CYLINDER:
        return new coal::Cylinder(body->radius, 2 * body->half_height);
    case BENCH_CONE:
        return new coal::Cone(body->radius, 2 * body->half_height);
    case BENCH_ELLIPSOID:
        return new coal::Ellipsoid(body->half.x, body->half.y, body->half.z);
    }
    return nullptr;
}

void* create(const bench_body* body) {
    try {
        Geometry* shape = create_any(body);
        if (shape != nullptr) shape->computeLocalAABB();
        return shape;
    } catch (const std::exception&) {
        return nullptr;
    }
}

void destroy(void* shape) { delete static_cast<Geometry*>(shape); }

void place(const apart_pose* pose, bench_pose* out) {
    coal::Matrix3s rotation;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) rotation(i, j) = pose->rotation.m[i][j];
    new (out) Pose(rotation, coal::Vec3s(pose->translation.x, pose->translation.y, pose->translation.z));
}

const Pose& pose_of(const bench_pose* pose) { return *reinterpret_cast<const Pose*>(pose); }

// Three numbers of the direction, two vertices, a flag.
void recall(const bench_memory* memory, coal::DistanceRequest& request) {
    request.gjk_initial_guess = coal::GJKInitialGuess::CachedGuess;
    const double* m = memory->number;
    if (m[5] == 0) return;
    request.cached_gjk_guess = coal::Vec3s(m[0], m[1], m[2]);
    request.cached_support_func_guess = coal::support_func_guess_t(static_cast<int>(m[3]), static_cast<int>(m[4]));
}

void remember(bench_memory* memory, const coal::DistanceResult& result) {
    for (int i = 0; i < 3; i++) memory->number[i] = result.cached_gjk_guess[i];
    for (int i = 0; i < 2; i++) memory->number[3 + i] = result.cached_support_func_guess[i];
    memory->number[5] = 1;
}

double ask(bool depth, const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b,
           bench_memory* memory) {
    coal::DistanceRequest request(true, depth);
    request.epa_max_iterations = ITERATIONS;
    coal::DistanceResult result;
    if (memory != nullptr) recall(memory, request);
    double distance = BENCH_NO_ANSWER;
    try {
        distance = coal::distance(static_cast<const Geometry*>(a), pose_of(pose_a), static_cast<const Geometry*>(b),
                                  pose_of(pose_b), request, result);
    } catch (const std::exception&) {
        return BENCH_NO_ANSWER;
    }
    if (memory != nullptr) remember(memory, result);
    return distance;
}

double distance(const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b,
                bench_memory* memory) {
    return ask(false, a, pose_a, b, pose_b, memory);
}

double signed_distance(const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b,
                       bench_memory* memory) {
    return ask(true, a, pose_a, b, pose_b, memory);
}

constexpr bench_library library(const char* call, double (*ask)(const void*, const bench_pose*, const void*,
                                                                const bench_pose*, bench_memory*)) {
    return {"Coal",  COAL_VERSION, call, BENCH_VALUE, false,   create, destroy,
            nullptr, place,        ask,  nullptr,     nullptr, nullptr};
}

} // namespace

extern "C" {
const bench_library bench_coal = library("coal::distance", distance);
const bench_library bench_coal_signed = library("coal::distance, enable_signed_distance", signed_distance);
}

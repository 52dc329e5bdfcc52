// The meshes of the Flexible Collision Library in double precision: trees of rectangle swept spheres (RSS), and of
// those with oriented boxes (OBBRSS), which are the two kinds that it measures distances with.
//
// Called as a user would, through fcl::distance with nearest points. A body against several: one result carried from
// call to call, so that what was found before prunes what follows; or, where the queries are to be independent, a fresh
// one each. There is nothing to start from in the next pose. fcl::distance ignores the relative error on mesh pairs;
// its traversal does not, and is called itself where there is one. Whether two meet is asked by fcl::collide.
#include "../contest.h"

#include "fcl_pose.h"

#include <fcl/config.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/detail/traversal/collision_node.h>
#include <fcl/narrowphase/detail/traversal/distance/mesh_distance_traversal_node.h>
#include <fcl/narrowphase/distance.h>

#include <cmath>
#include <vector>

namespace {

using Geometry = fcl::CollisionGeometryd;
using Pose = fcl::Transform3d;

template <typename Volume> void* create(const surface* s) {
    try {
        std::vector<fcl::Vector3d> vertices;
        std::vector<fcl::Triangle> triangles;
        for (size_t i = 0; i < s->vertex_count; i++)
            vertices.emplace_back(s->vertices[i].x, s->vertices[i].y, s->vertices[i].z);
        for (size_t i = 0; i < s->triangle_count; i++)
            triangles.emplace_back(s->triangles[i][0], s->triangles[i][1], s->triangles[i][2]);
        auto* model = new fcl::BVHModel<Volume>();
        model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(vertices.size()));
        model->addSubModel(vertices, triangles);
        model->endModel();
        return static_cast<Geometry*>(model);
    } catch (const std::exception&) {
        return nullptr;
    }
}

void destroy(void* shape) { delete static_cast<Geometry*>(shape); }

struct Question {
    const Geometry* a;
    Pose pose_a;
    uint32_t count;
    const Geometry* b[MAX_OTHERS];
    Pose pose_b[MAX_OTHERS];
};

void* prepare(void* const* shapes, const mesh_query* query, const mesh_mode*) {
    auto* q = new (std::nothrow) Question;
    if (q == nullptr) return nullptr;
    q->a = static_cast<const Geometry*>(shapes[query->a]);
    q->pose_a = pose_of(query->pose_a);
    q->count = query->count;
    for (uint32_t i = 0; i < q->count; i++) {
        q->b[i] = static_cast<const Geometry*>(shapes[query->b[i]]);
        q->pose_b[i] = pose_of(query->pose_b[i]);
    }
    return q;
}

void forget(void* prepared) { delete static_cast<Question*>(prepared); }

template <typename Volume> struct Traversal;
template <> struct Traversal<fcl::RSSd> { using Node = fcl::detail::MeshDistanceTraversalNodeRSSd; };
template <> struct Traversal<fcl::OBBRSSd> { using Node = fcl::detail::MeshDistanceTraversalNodeOBBRSSd; };

// FCL leaves out what meets both of its errors, the relative one by lower * (1 + rel_err) >= upper; apart stops where
// lower >= (1 - error) * upper.
template <typename Volume>
void distance_within(double error, const Question& q, uint32_t i, const fcl::DistanceRequestd& request,
                     fcl::DistanceResultd& result) {
    typename Traversal<Volume>::Node node;
    const auto& a = *static_cast<const fcl::BVHModel<Volume>*>(q.a);
    const auto& b = *static_cast<const fcl::BVHModel<Volume>*>(q.b[i]);
    if (!fcl::detail::initialize(node, a, q.pose_a, b, q.pose_b[i], request, result)) return;
    node.rel_err = error / (1 - error);
    node.abs_err = INFINITY;
    fcl::detail::distance(&node);
}

bool meets(const Question& q, uint32_t i) {
    fcl::CollisionResultd result;
    return fcl::collide(q.a, q.pose_a, q.b[i], q.pose_b[i], fcl::CollisionRequestd(), result) > 0;
}

template <typename Volume> void ask_all(const Question& q, const mesh_mode& mode, mesh_answer& answer) {
    fcl::DistanceRequestd request(true);
    fcl::DistanceResultd result;
    for (uint32_t i = 0; i < q.count; i++) {
        if (mode.yes_no) {
            answer.distance = meets(q, i) ? 0 : std::fmin(answer.distance, 1);
            continue;
        }
        if (mode.separate) result.clear();
        if (mode.relative_error > 0)
            distance_within<Volume>(mode.relative_error, q, i, request, result);
        else
            fcl::distance(q.a, q.pose_a, q.b[i], q.pose_b[i], request, result);
        double distance = std::fmax(result.min_distance, 0);
        if (distance < answer.distance) answer = {distance, NAN, NAN, static_cast<long>(i), result.b1, result.b2, 0, 0};
    }
}

template <typename Volume> void ask(const void* prepared, const mesh_mode* mode, apart_cache*, mesh_answer* answer) {
    *answer = {INFINITY, NAN, NAN, -1, -1, -1, 0, 0};
    try {
        ask_all<Volume>(*static_cast<const Question*>(prepared), *mode, *answer);
    } catch (const std::exception&) {
        answer->distance = NAN;
    }
}

template <typename Volume> constexpr mesh_library library(const char* name, const char* call) {
    return {name, FCL_VERSION, call, false, create<Volume>, destroy, nullptr, prepare, forget, ask<Volume>};
}

} // namespace

extern "C" {
const mesh_library mesh_fcl_rss = library<fcl::RSSd>("FCL RSS", "fcl::distance, BVHModel<RSS>, nearest points");
const mesh_library mesh_fcl_obbrss =
    library<fcl::OBBRSSd>("FCL OBBRSS", "fcl::distance, BVHModel<OBBRSS>, nearest points");
}

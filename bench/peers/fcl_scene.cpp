// Many bodies by the Flexible Collision Library in double precision: its dynamic tree of axis-aligned boxes.
//
// FCL has no call for all pairs within a clearance. The fastest way that was found is the manager's collide with boxes
// that are widened by half the clearance: it calls back for all pairs of boxes that meet, and fcl::distance is asked
// about these, with nearest points, starting from the clearance as the least distance so far, so that trees of meshes
// are left early. The closest pair: the manager's distance, with one result that is carried from pair to pair.
#include "../arrangement.h"

#include "fcl_pose.h"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/narrowphase/distance.h>

#include <memory>
#include <vector>

namespace {

using Geometry = fcl::CollisionGeometryd;
using Pose = fcl::Transform3d;

// An object with a number, in a box that may be wider than it is.
class Body : public fcl::CollisionObjectd {
  public:
    Body(const std::shared_ptr<Geometry>& of, uint32_t i) : fcl::CollisionObject<double>(of), number(i) {}
    void place(const apart_pose& pose, double widen) {
        setTransform(pose_of(pose));
        computeAABB();
        if (widen > 0) aabb.expand(fcl::Vector3d::Constant(widen));
    }
    uint32_t number;
};

struct Scene {
    double widen;
    std::vector<std::unique_ptr<Body>> bodies;
    fcl::DynamicAABBTreeCollisionManagerd manager;
};

struct Near {
    double clearance;
    near_list* list;
    bool failed;
};

uint32_t number_of(const fcl::CollisionObjectd* body) { return static_cast<const Body*>(body)->number; }

bool note_near(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* context) {
    Near* near = static_cast<Near*>(context);
    const fcl::DistanceRequestd request(true);
    fcl::DistanceResultd result(near->clearance);
    fcl::distance(a, b, request, result);
    if (result.min_distance < near->clearance)
        near->failed =
            !near_list_add(near->list, number_of(a), number_of(b), std::fmax(result.min_distance, 0)) || near->failed;
    return near->failed;
}

struct Closest {
    fcl::DistanceResultd result;
    near_pair pair;
};

bool note_closest(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* context, double& least) {
    Closest* closest = static_cast<Closest*>(context);
    const fcl::DistanceRequestd request(true);
    fcl::distance(a, b, request, closest->result);
    if (closest->result.min_distance < least) {
        least = closest->result.min_distance;
        const uint32_t i = number_of(a), j = number_of(b);
        closest->pair = {i < j ? i : j, i < j ? j : i, std::fmax(least, 0)};
    }
    return least <= 0;
}

} // namespace

extern "C" {

void* fcl_scene_create(const arrangement* a, void* const* shapes, double widen) {
    auto* scene = new Scene{widen, {}, {}};
    std::vector<fcl::CollisionObjectd*> all;
    for (size_t i = 0; i < a->count; i++) {
        // The geometry belongs to the caller, and is shared.
        std::shared_ptr<Geometry> geometry(static_cast<Geometry*>(shapes[a->shape[i]]), [](Geometry*) {});
        scene->bodies.emplace_back(new Body(geometry, static_cast<uint32_t>(i)));
        scene->bodies.back()->place(a->pose[i], widen);
        all.push_back(scene->bodies.back().get());
    }
    scene->manager.registerObjects(all);
    scene->manager.setup();
    return scene;
}

void fcl_scene_destroy(void* scene) { delete static_cast<Scene*>(scene); }

void fcl_scene_move(void* scene, const arrangement* a) {
    Scene* s = static_cast<Scene*>(scene);
    std::vector<fcl::CollisionObjectd*> moved;
    moved.reserve(a->moved_count);
    for (size_t i = 0; i < a->moved_count; i++) {
        Body* body = s->bodies[a->moved[i]].get();
        body->place(a->pose[a->moved[i]], s->widen);
        moved.push_back(body);
    }
    s->manager.update(moved);
}

bool fcl_scene_within(void* scene, double clearance, near_list* list) {
    Near near = {clearance, list, false};
    try {
        static_cast<Scene*>(scene)->manager.collide(&near, note_near);
    } catch (const std::exception&) {
        return false;
    }
    return !near.failed;
}

bool fcl_scene_closest(void* scene, near_pair* closest) {
    Closest found;
    try {
        static_cast<Scene*>(scene)->manager.distance(&found, note_closest);
    } catch (const std::exception&) {
        return false;
    }
    *closest = found.pair;
    return true;
}
}

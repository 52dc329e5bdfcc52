// Two surfaces beside, against, across and inside each other.
#ifndef APART_TESTS_MESH_SCENES_H
#define APART_TESTS_MESH_SCENES_H

#include "mesh_certificate.h"

typedef enum setting {
    SET_FAR,      // 10 to 1000 sizes away
    SET_APART,    // 0.02 to 1 sizes
    SET_NEAR,     // 1e-12 to 1e-3 sizes, at corners that stick out
    SET_TOUCHING, // the same with gap 0, up to rounding
    SET_CLOSING, // moved along a line until the library says that they are within 1e-9 to 1e-3: any feature may be near
    SET_CROSSING, // a corner of one on a corner of the other
    SET_NESTED,   // a small one about a point inside the other
    SET_LINKED,   // middles near each other: through holes, crossing, or inside
    SETTINGS
} setting;
extern const char* const setting_names[SETTINGS];

typedef struct scene {
    uint64_t seed;
    setting setting;
    int model_a, model_b;
    surface a, b;
    apart_pose pose_a, pose_b;
    char name[96];
} scene;

/// The scene of this seed, of models with at most `most` triangles. Free it.
void scene_random(scene* s, uint64_t seed, size_t most);
void scene_free(scene* s);
/// The scene with its shapes and the truth. Close it.
encounter scene_open(const scene* s);
/// Multiplies all lengths and places.
void scene_scale(scene* s, double unit);
/// Moves both by the same motion, up to rounding.
void scene_move(scene* s, const apart_pose* motion);

/// Puts the body of the pose so that `local` comes to `world`.
void pose_carry(apart_pose* pose, apart_vec3 local, apart_vec3 world);
apart_vec3 pose_point(const apart_pose* pose, apart_vec3 local);
/// The vertex of s farthest along the world direction n, in the world.
apart_vec3 surface_farthest(const surface* s, const apart_pose* pose, apart_vec3 n);
/// A local point inside a closed surface, by solid angles; false if none is found.
bool surface_inner_point(const surface* s, rng* r, apart_vec3* p);

#endif

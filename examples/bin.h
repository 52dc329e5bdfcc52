// A bin of parts, for the examples about scenes: each part falls into the bin until it first touches something, and
// stays there. Parts are flat, as wide along z as the bin, so that they can be drawn as their outlines in the xy plane.
#ifndef EXAMPLES_BIN_H
#define EXAMPLES_BIN_H

#include <apart/apart.h>

#define PARTS 46
#define WALLS 3
#define KINDS 6
#define BIN_WIDTH 12.0
#define BIN_HEIGHT 7.0
/// Parts stop so far from what they fall on.
#define REST 0.015

/// One or two convex outlines, counter-clockwise.
typedef struct outline {
    const char* name;
    int pieces, count[2];
    apart_vec3 corner[2][8];
} outline;

static const outline kinds[KINDS] = {
    {"nut",
     1,
     {6, 0},
     {{{0.5, 0, 0}, {0.25, 0.43, 0}, {-0.25, 0.43, 0}, {-0.5, 0, 0}, {-0.25, -0.43, 0}, {0.25, -0.43, 0}}}},
    {"plate", 1, {4, 0}, {{{-1, -0.16, 0}, {1, -0.16, 0}, {1, 0.16, 0}, {-1, 0.16, 0}}}},
    {"block", 1, {4, 0}, {{{-0.5, -0.4, 0}, {0.5, -0.4, 0}, {0.5, 0.4, 0}, {-0.5, 0.4, 0}}}},
    {"wedge", 1, {3, 0}, {{{-0.6, -0.35, 0}, {0.7, -0.35, 0}, {-0.6, 0.55, 0}}}},
    {"bracket",
     2,
     {4, 4},
     {{{-0.7, -0.6, 0}, {0.7, -0.6, 0}, {0.7, -0.3, 0}, {-0.7, -0.3, 0}},
      {{-0.7, -0.3, 0}, {-0.4, -0.3, 0}, {-0.4, 0.7, 0}, {-0.7, 0.7, 0}}}},
    {"washer",
     1,
     {8, 0},
     {{{0.4, 0.17, 0},
       {0.17, 0.4, 0},
       {-0.17, 0.4, 0},
       {-0.4, 0.17, 0},
       {-0.4, -0.17, 0},
       {-0.17, -0.4, 0},
       {0.17, -0.4, 0},
       {0.4, -0.17, 0}}}},
};

/// The outline, 1 deep; NULL if there is no memory.
static inline apart_shape* make_part(const outline* o) {
    apart_part part[2] = {{0}};
    for (int i = 0; i < o->pieces; ++i) {
        apart_vec3 corner[16];
        for (int k = 0; k < 2 * o->count[i]; ++k) {
            corner[k] = o->corner[i][k / 2];
            corner[k].z = k % 2 ? 0.5 : -0.5;
        }
        part[i] = (apart_part){apart_shape_points(corner, 2 * (size_t)o->count[i], 0, NULL), apart_pose_identity};
    }
    if (o->pieces == 1) return part[0].shape;
    apart_shape* both = part[0].shape && part[1].shape ? apart_shape_union(part, 2, NULL) : NULL;
    apart_shape_release(part[0].shape);
    apart_shape_release(part[1].shape);
    return both;
}

typedef struct bin {
    apart_scene* scene;
    apart_shape *shapes[KINDS], *wall;
    int kind[PARTS]; // of each part
    uint32_t id[PARTS];
    uint64_t random;
} bin;

static inline double random_between(bin* b, double low, double high) {
    b->random = b->random * 6364136223846793005u + 1442695040888963407u; // Knuth, MMIX
    return low + (high - low) * (double)(b->random >> 11) * 0x1p-53;
}

/// Floor and sides. They are of a group of their own, which is compared with parts only.
#define GROUP_PARTS 1u
#define GROUP_WALLS 2u
static inline apart_status add_walls(bin* b) {
    static const apart_vec3 middle[WALLS] = {{0, -10, 0}, {-10 - BIN_WIDTH / 2, 10, 0}, {10 + BIN_WIDTH / 2, 10, 0}};
    apart_status status = APART_OK;
    for (int i = 0; i < WALLS && status == APART_OK; ++i) {
        const apart_scene_body wall = {.shape = b->wall,
                                       .pose = {apart_pose_identity.rotation, middle[i]},
                                       .group = GROUP_WALLS,
                                       .mask = GROUP_PARTS};
        status = apart_scene_add(b->scene, &wall, NULL, NULL);
    }
    return status;
}

/// Lets a part fall from a place above the bin. *rest: where it first comes within REST of anything.
static inline apart_status fall(const bin* b, uint32_t id, const apart_pose* from, apart_pose* rest) {
    const apart_scene_motion down = {
        id, {.kind = APART_MOTION_VELOCITY, .start = *from, .velocity = {.linear = {0, -20, 0}}}};
    const apart_motion_query query = {.clearance = REST};
    apart_scene_contact first;
    apart_status status = apart_scene_first_contact(b->scene, &down, 1, &query, 1, &first);
    return status == APART_OK ? apart_motion_pose(&down.motion, first.contact.time, rest) : status;
}

/// Adds a part where it comes to rest lowest, of some places above the bin and turns.
static inline apart_status drop_part(bin* b, int i) {
    b->kind[i] = (int)random_between(b, 0, KINDS);
    apart_scene_body part = {.shape = b->shapes[b->kind[i]], .pose = apart_pose_identity, .group = GROUP_PARTS};
    apart_pose best = {.translation = {0, 100, 0}};
    part.pose.translation.y = 100;
    apart_status status = apart_scene_add(b->scene, &part, &b->id[i], NULL);
    for (int tries = 0; tries < 12 && status == APART_OK; ++tries) {
        apart_pose rest;
        const double w = random_between(b, -1, 1), z = random_between(b, -1, 1);
        const apart_vec3 above = {random_between(b, 1.2 - BIN_WIDTH / 2, BIN_WIDTH / 2 - 1.2), 15, 0};
        const apart_pose from = apart_pose_from_quaternion(w, 0, 0, z, above);
        status = fall(b, b->id[i], &from, &rest);
        if (status == APART_OK && rest.translation.y < best.translation.y) best = rest;
    }
    return status == APART_OK ? apart_scene_move(b->scene, b->id[i], &best) : status;
}

static inline apart_status bin_fill(bin* b) {
    *b = (bin){
        .scene = apart_scene_create(NULL), .wall = apart_shape_box((apart_vec3){10, 10, 0.5}, 0, NULL), .random = 20};
    bool good = b->scene && b->wall;
    for (int i = 0; i < KINDS; ++i) good = (b->shapes[i] = make_part(&kinds[i])) && good;
    apart_status status = good ? add_walls(b) : APART_OUT_OF_MEMORY;
    for (int i = 0; i < PARTS && status == APART_OK; ++i) status = drop_part(b, i);
    return status;
}

static inline void bin_free(bin* b) {
    apart_scene_release(b->scene);
    for (int i = 0; i < KINDS; ++i) apart_shape_release(b->shapes[i]);
    apart_shape_release(b->wall);
}

/// The name of a body; its number is its id.
static inline const char* bin_name(const bin* b, uint32_t id) {
    return id < WALLS ? (id == 0 ? "floor" : "side") : kinds[b->kind[id - WALLS]].name;
}

#endif

// A scene from inside: its bodies, and who is compared with whom.
#ifndef APART_SCENE_SCENE_H
#define APART_SCENE_SCENE_H

#include "body/shape.h"
#include "scene/box_tree.h"

typedef struct scene_record {
    apart_scene_body body; // group and mask in plain bits
    uint32_t id;
} scene_record;

/// Pairs of ids, lower id first, in a table with open addressing. 0 is an empty place: no pair has two equal ids.
typedef struct pair_set {
    uint64_t* key;
    size_t count, room; // room is a power of two, or 0
} pair_set;

struct apart_scene {
    box_tree tree;         // of the bodies, whose numbers in it are those of their records
    scene_record* records; // without gaps: the last one takes the place of one that is removed
    uint32_t record_room;
    uint32_t* place;       // of each id; BOX_NONE once it is removed
    uint32_t ids, id_room; // given so far
    uint32_t long_count;   // bodies that are meshes or unions: a query may take long
    double largest_margin; // that any body ever had
    pair_set excluded;
};

/// NULL if there is no such body.
static inline scene_record* scene_find(const apart_scene* scene, uint32_t id) {
    if (!scene || id >= scene->ids || scene->place[id] == BOX_NONE) return NULL;
    return &scene->records[scene->place[id]];
}

/// Two different ids in one number, the lower one first: in the order of the pairs.
static inline uint64_t pair_key(uint32_t a, uint32_t b) {
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/// Checks shape, pose, margin, and writes them down in plain bits.
apart_status apart_scene_read_body(const apart_scene_body* body, scene_record* record);
/// The box of a body in the world, rounding included; aabb_everywhere if it is unbounded.
aabb apart_scene_box(const apart_shape* shape, const apart_pose* pose);
/// Whether two different bodies are compared.
bool apart_scene_compares(const apart_scene* scene, const scene_record* a, const scene_record* b);

#endif

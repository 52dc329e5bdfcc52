// A scene from inside: its bodies, and which pairs are compared.
#ifndef APART_SCENE_SCENE_H
#define APART_SCENE_SCENE_H

#include "body/shape.h"
#include "scene/box_tree.h"

typedef struct scene_record {
    apart_scene_body body; // group and mask in plain bits
    uint32_t id;
    uint32_t excluded_count, excluded_room;
    uint32_t* excluded; // lower ids with which it is not compared, in order
} scene_record;

struct apart_scene {
    box_tree tree;         // of the bodies, whose numbers in it are those of their records
    scene_record* records; // without gaps: the last one takes the place of one that is removed
    uint32_t record_room;
    uint32_t* place;       // of each id; BOX_NONE once it is removed
    uint32_t ids, id_room; // given so far
    double largest_margin; // that any body ever had
};

/// NULL if there is no such body.
static inline scene_record* scene_find(const apart_scene* scene, uint32_t id) {
    if (!scene || id >= scene->ids || scene->place[id] == BOX_NONE) return NULL;
    return &scene->records[scene->place[id]];
}

/// Checks shape, pose, margin, and writes them down in plain bits.
apart_status apart_scene_read_body(const apart_scene_body* body, scene_record* record);
/// The box of a body in the world, rounding included; aabb_everywhere if it is unbounded.
aabb apart_scene_box(const apart_shape* shape, const apart_pose* pose);
/// Whether two different bodies are compared.
bool apart_scene_compares(const scene_record* a, const scene_record* b);

#endif

// A scene from inside: its bodies, and who is compared with whom.
#ifndef APART_SCENE_SCENE_H
#define APART_SCENE_SCENE_H

#include "body/shape.h"
#include "scene/box_tree.h"

/// A body, in a place of its own that is given to another once it is removed.
typedef struct scene_record {
    apart_scene_body body; // group and mask in plain bits
    uint32_t id;
    uint32_t next; // of the places that are free again
} scene_record;

/// Pairs of ids, lower id first, in a table with open addressing. 0 is an empty place: no pair has two equal ids.
typedef struct pair_set {
    uint64_t* key;
    size_t count, room; // room is a power of two, or 0
} pair_set;

struct apart_scene {
    scene_record* records;
    uint32_t count, room;   // places that have ever been used, and that there are
    uint32_t unused;        // the first place that is free again; BOX_NONE: none
    uint32_t live;          // bodies
    uint32_t* place;        // of each id; BOX_NONE once it is removed
    uint32_t ids, ids_room; // given so far
    uint32_t* unbounded;    // places of bodies without a box, in order
    uint32_t unbounded_count, unbounded_room;
    uint32_t long_count;   // bodies that are meshes or unions: a query may take long
    double largest_margin; // that any body ever had
    box_tree tree;         // of the places of all other bodies
    pair_set excluded;
};

/// NULL if there is no such body.
static inline const scene_record* scene_find(const apart_scene* scene, uint32_t id) {
    if (!scene || id >= scene->ids || scene->place[id] == BOX_NONE) return NULL;
    return &scene->records[scene->place[id]];
}

/// Whether it has no box, and is in no tree.
static inline bool scene_is_unbounded(const scene_record* r) { return !(r->body.shape->bound < INFINITY); }

/// Makes an array hold one more, by doubling it. False if there is no memory for it, or more than 2^31: it is as it
/// was.
bool apart_scene_make_room(void** array, uint32_t count, uint32_t* room, size_t size);

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

// A scene and its twin: a plain list of what should be in it. Random changes are made to both; what the scene answers
// is judged by asking about every pair by itself.
#ifndef APART_TESTS_SCENE_TWIN_H
#define APART_TESTS_SCENE_TWIN_H

#include "bodies.h"
#include "scene/scene.h"

/// Shapes of every kind, meshes and unions among them, that the bodies of all scenes share.
#define TWIN_SHAPES 40
extern apart_shape* twin_shapes[TWIN_SHAPES];
bool twin_shapes_open(void);
void twin_shapes_close(void);

/// What a scene should hold, by id.
typedef struct scene_twin {
    apart_scene* scene;
    int ids, most; // given so far, and how many there may be
    apart_scene_body* body;
    bool *live, *excluded; // excluded: of a * most + b
} scene_twin;

scene_twin* twin_open(int most);
void twin_close(scene_twin* t);

/// Any shape somewhere in a cube, now and then with a margin, a group, a mask.
apart_scene_body twin_random_body(rng* r, double half);
/// Adds a body to both. False if the scene says or does something else than it should; so do the functions below.
bool twin_add(scene_twin* t, const apart_scene_body* b);
/// One random change: a body comes, moves a little or anywhere, goes; a pair is excluded.
bool twin_change(scene_twin* t, rng* r, double half);
/// Whether two bodies are compared.
bool twin_compares(const scene_twin* t, int a, int b);
/// The same bodies, added in order at their last places to another scene.
bool twin_copy(const scene_twin* t, scene_twin* fresh);

/// Pairs as they were reported.
typedef struct twin_report {
    apart_scene_pair* pair;
    int count, room;
    int enough; // the call that says so; 0 = none
    uint64_t hash;
} twin_report;

/// Empties the report, and asks for all pairs within a clearance.
apart_status twin_ask_within(const scene_twin* t, double clearance, const apart_query* query, int threads,
                             twin_report* found);

/// What was met.
typedef struct twin_census {
    int within, beyond, overlaps, nearest, none, closest, contacts, free_pairs;
} twin_census;

/// Wrong answers: pairs that are missing or too many, or have other bits than when they are asked about alone.
int twin_judge_within(const scene_twin* t, double clearance, const apart_query* query, int threads, twin_census* c);
int twin_judge_nearest(const scene_twin* t, int id, const apart_query* query, twin_census* c);
int twin_judge_closest(const scene_twin* t, const apart_query* query, twin_census* c);
/// Gives motions to some bodies and judges the contacts of all, on one thread and on several.
int twin_judge_contacts(const scene_twin* t, rng* r, double half, twin_census* c);
/// What is wrong with the tree: boxes, levels, links, items.
int twin_judge_tree(const scene_twin* t);

#endif

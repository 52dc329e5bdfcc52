/// What bench/motion asks about: pairs of bodies that fly past each other or meet.
#ifndef APART_BENCH_FLIGHTS_H
#define APART_BENCH_FLIGHTS_H

#include "peers.h"
#include "surface.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A body from time 0 to 1: its origin goes straight, its turn is constant. If that is less than half a turn, it is
/// also what a library makes of the two end poses.
typedef struct flight {
    apart_pose start, end;
    apart_twist velocity;
} flight;

/// One question.
typedef struct encounter {
    uint32_t body[2];
    flight of[2]; ///< a, b
} encounter;

/// One row of the tables. The bodies are convex, or meshes.
typedef struct scene {
    bench_body* bodies;
    surface* surfaces;
    apart_shape** shapes;
    size_t body_count;
    encounter* encounters;
    size_t count;
    double size; ///< about the diameter of a body, the unit of every error
    bool turns;  ///< by more than half a turn: end poses do not tell the motion
} scene;

/// How bodies meet.
typedef enum meeting {
    MEETING_RANDOM,   ///< past or into each other, both turning by up to half a turn
    MEETING_TUMBLING, ///< the same by two to five turns
    MEETING_NEAR_MISS ///< the same as random, but shifted until they miss each other by 1e-6 of the size
} meeting;

/// Random convex bodies of a kind; vertices: of a hull.
bool scene_convex(scene* s, bench_kind kind, uint32_t vertices, meeting how, size_t count, uint64_t seed);

/// A thin bar that turns by `turn` about its middle, 1e-3 above a plate.
bool scene_spinner(scene* s, double turn, size_t count, uint64_t seed);

/// A ball of radius 0.01 that flies 2e4 through or past a plate of thickness 0.001.
bool scene_bullet(scene* s, size_t count, uint64_t seed);

/// Two copies of a surface.
bool scene_mesh(scene* s, surface_fn make, size_t triangles, size_t count, uint64_t seed);

void scene_free(scene* s);

/// The motion of a flight. Screw: of the same two ends, about the one axis that leads from one to the other.
apart_motion flight_motion(const flight* f);
apart_motion flight_screw(const flight* f);

/// How FCL is asked.
typedef enum fcl_way { FCL_LINEAR, FCL_SCREW, FCL_NAIVE, FCL_WAYS } fcl_way;

/// fcl::continuousCollide between the end poses. The time of contact, INFINITY if it says free, NAN if it fails.
double fcl_first_contact(const void* a, const flight* flight_a, const void* b, const flight* flight_b, fcl_way way);

#ifdef __cplusplus
}
#endif

#endif

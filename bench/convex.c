// bench/convex: apart beside other libraries on pairs of convex bodies, in one interleaved run.
//
// Workloads: cold (unrelated poses, a gap of about one diameter), tracked (Cameron 1997, Fig. 5: 0, 6 and 12 degrees a
// step), near contact (a gap of 1e-6 of the size). Bodies: hulls of 8 (the corners of a box) to 1000 vertices; boxes,
// spheres and capsules in each library's own type, spheres also with the other two. Shapes and poses are prepared
// outside the timing.
#include "suite.h"

static const bench_library* const LIBRARIES[] = {
    &bench_apart_auto,  &bench_apart_gjk,  &bench_apart_enhanced, &bench_apart_features,
#ifdef BENCH_FCL
    &bench_fcl_libccd,  &bench_fcl_own,    &bench_fcl_bare,
#endif
#ifdef BENCH_BULLET
    &bench_bullet_pair, &bench_bullet_epa,
#endif
#ifdef BENCH_CCD
    &bench_libccd,
#endif
#ifdef BENCH_COAL
    &bench_coal,
#endif
#ifdef BENCH_MUJOCO
    &bench_mujoco,
#endif
};
_Static_assert(COUNT(LIBRARIES) <= MAX_LIBRARIES, "all libraries fit in a cell");

static const figure FIGURES[] = {
    DISTANCE_FIGURES,
    {"sphere-capsule", GROUP_SIMPLE, {BENCH_SPHERE, 0, LOOK_RANDOM}, {BENCH_CAPSULE, 0, LOOK_RANDOM}, TIE_NONE},
    {"sphere-box", GROUP_SIMPLE, {BENCH_SPHERE, 0, LOOK_RANDOM}, {BENCH_BOX, 0, LOOK_RANDOM}, TIE_NONE},
};

static const schedule SCHEDULES[] = {
    {"cold", "cold: unrelated poses, gap about one diameter", MOTION_COLD, 0},
    {"tracked-0", "tracked: 1 % of the diameter a step, no turn", MOTION_TRACKED, 0},
    {"tracked-6", "tracked: 1 % of the diameter and 6 degrees a step", MOTION_TRACKED, 6},
    {"tracked-12", "tracked: 1 % of the diameter and 12 degrees a step", MOTION_TRACKED, 12},
    {"near", "near contact: unrelated poses, gap 1e-6 of the diameter", MOTION_NEAR, 0},
};

const suite program = {
    .name = "convex",
    .title = "distance of convex bodies",
    .reading = "! = wrong answers (off by more than 1e-6 of the size,\n"
               "not a number, or contact where there is none). libccd* answers less than the others: overlap, yes "
               "or no.",
    .fastest = "the fastest distance of the others",
    .column = 15,
    SUITE_TABLES(LIBRARIES, FIGURES, SCHEDULES),
    .prove = truth_of_distance,
};

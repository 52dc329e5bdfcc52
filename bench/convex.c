// bench/convex: apart beside FCL, Bullet and libccd on pairs of convex bodies, in one interleaved run.
//
// Workloads: cold (unrelated poses, a gap of about one diameter), tracked (Cameron 1997, Fig. 5: 0, 6 and 12 degrees a
// step), near contact (a gap of 1e-6 of the size). Bodies: hulls of 8 (the corners of a box) to 1000 vertices; boxes,
// spheres and capsules in each library's own type. Shapes and poses are prepared outside the timing.
#include "suite.h"

static const bench_library* const LIBRARIES[] = {
    &bench_apart_auto,  &bench_apart_gjk,  &bench_apart_enhanced, &bench_apart_features,
#ifdef BENCH_FCL
    &bench_fcl_libccd,  &bench_fcl_own,
#endif
#ifdef BENCH_BULLET
    &bench_bullet_pair, &bench_bullet_epa,
#endif
#ifdef BENCH_CCD
    &bench_libccd,
#endif
};
_Static_assert(COUNT(LIBRARIES) <= MAX_LIBRARIES, "all libraries fit in a cell");

static const figure FIGURES[] = {
    {"8", BENCH_HULL, BOX_CORNERS, false}, {"10", BENCH_HULL, 10, false},       {"20", BENCH_HULL, 20, false},
    {"50", BENCH_HULL, 50, false},         {"100", BENCH_HULL, 100, false},     {"200", BENCH_HULL, 200, false},
    {"500", BENCH_HULL, 500, false},       {"1000", BENCH_HULL, 1000, false},   {"box", BENCH_BOX, 0, true},
    {"sphere", BENCH_SPHERE, 0, true},     {"capsule", BENCH_CAPSULE, 0, true},
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
    .help = SUITE_HELP("bench/convex: apart beside other libraries on pairs of convex bodies",
                       "cold, tracked, tracked-0, tracked-6, tracked-12, near",
                       "8,10,20,50,100,200,500,1000,box,sphere,capsule",
                       "AUTO and these: GJK, ENHANCED, FEATURES, FCL, Bullet, GjkEpa2, libccd"),
};

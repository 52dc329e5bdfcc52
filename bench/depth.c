// bench/depth: how deep are two overlapping convex bodies in each other? apart beside FCL, Bullet and libccd, in one
// interleaved run.
//
// Workloads: deep (the bodies' middles lie in each other) and shallow (1e-3 of the diameter), each with unrelated poses
// and with small steps. Bodies: hulls of 8 to 200 random points; the corners of a box, given as points; boxes, spheres
// and capsules in each library's own type.
#include "suite.h"

static const bench_library* const LIBRARIES[] = {
    &bench_apart_exact,       &bench_apart_bound,
#ifdef BENCH_FCL
    &bench_fcl_signed,        &bench_fcl_own_collide,    &bench_fcl_collide,
#endif
#ifdef BENCH_BULLET
    &bench_bullet_pair_depth, &bench_bullet_penetration,
#endif
#ifdef BENCH_CCD
    &bench_libccd_epa,        &bench_libccd_mpr,
#endif
};
_Static_assert(COUNT(LIBRARIES) <= MAX_LIBRARIES, "all libraries fit in a cell");

static const figure FIGURES[] = {
    {"8", BENCH_HULL, 8, false},       {"20", BENCH_HULL, 20, false},           {"50", BENCH_HULL, 50, false},
    {"200", BENCH_HULL, 200, false},   {"cube", BENCH_HULL, BOX_CORNERS, true}, {"box", BENCH_BOX, 0, true},
    {"sphere", BENCH_SPHERE, 0, true}, {"capsule", BENCH_CAPSULE, 0, true},
};

static const schedule SCHEDULES[] = {
    {"deep-cold", "deep, cold: unrelated poses, middles up to half the inner radii's sum apart", MOTION_DEEP, 0},
    {"deep-tracked", "deep, tracked: 1 % of the diameter and 1 degree a step", MOTION_DEEP_TRACKED, 1},
    {"shallow-cold", "shallow, cold: unrelated poses, 1e-3 of the diameter deep", MOTION_SHALLOW, 0},
    {"shallow-tracked",
     "shallow, tracked: 1 % of the diameter and 1 degree a step, pushed to stay 1e-3 of the diameter deep",
     MOTION_SHALLOW_TRACKED, 1},
};

const suite program = {
    .name = "depth",
    .title = "depth of overlapping convex bodies",
    .reading = "! = wrong answers (off by more than 1e-6 of the size,\n"
               "not a number, or no contact). The truth: the least support over all faces of the difference, by "
               "brute force.\n"
               "BOUND is a bracket, wrong if the truth is not in it; its error is how far its end is from the "
               "truth.\n"
               "The MPR columns do not look for the least depth.\n"
               "n: hulls of so many random points; cube: the corners of a box, given as points; box, sphere, "
               "capsule: each\n"
               "library's own type.",
    .fastest = "the fastest of the others that look for the least depth",
    .show_leads = true,
    .column = 18,
    SUITE_TABLES(LIBRARIES, FIGURES, SCHEDULES),
    .prove = truth_of_depth,
    .help =
        SUITE_HELP("bench/depth: depth of overlapping convex bodies, apart beside other libraries",
                   "deep, deep-cold, deep-tracked, shallow, shallow-cold, shallow-tracked",
                   "8,20,50,200,cube,box,sphere,capsule", "EXACT and these: BOUND, FCL, Bullet, GjkEpa2, libccd, MPR"),
};

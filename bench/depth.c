// bench/depth: how deep are two overlapping convex bodies in each other? apart beside FCL, Bullet and libccd, in one
// interleaved run.
//
// Workloads: deep (the bodies' middles lie in each other) and shallow (1e-3 of the diameter), each with unrelated poses
// and with small steps; near ties (solids of revolution with almost one axis, bodies with almost one middle). Bodies:
// hulls of 8 to 200 random points; the corners of a box, given as points; boxes, spheres and capsules in each library's
// own type, where it has one; so with cylinders, cones and ellipsoids, by themselves and with a hull, box or capsule.
#include "suite.h"

static const bench_library* const LIBRARIES[] = {
    &bench_apart_exact,
    &bench_apart_bound,
#ifdef BENCH_FCL
    &bench_fcl_signed,
    &bench_fcl_own_collide,
    &bench_fcl_collide,
#endif
#ifdef BENCH_BULLET
    &bench_bullet_pair_depth,
    &bench_bullet_penetration,
#endif
#ifdef BENCH_CCD
    &bench_libccd_epa,
    &bench_libccd_mpr,
#endif
#ifdef BENCH_COAL
    &bench_coal_signed,
#endif
#ifdef BENCH_MUJOCO
    &bench_mujoco,
#endif
};
_Static_assert(COUNT(LIBRARIES) <= MAX_LIBRARIES, "all libraries fit in a cell");

#define SOLID(kind)                                                                                                    \
    { BENCH_##kind, 0, LOOK_RANDOM }
#define POINTS(count)                                                                                                  \
    { BENCH_HULL, (count), LOOK_RANDOM }
#define ALMOST_ROUND                                                                                                   \
    { BENCH_ELLIPSOID, 0, LOOK_ALMOST_ROUND }
#define EVEN_HULL                                                                                                      \
    { BENCH_HULL, 100, LOOK_EVEN }
#define SPECK                                                                                                          \
    { BENCH_HULL, 8, LOOK_SPECK }

static const figure FIGURES[] = {
    ALIKE("8", GROUP_HULLS, BENCH_HULL, 8, LOOK_RANDOM),
    ALIKE("20", GROUP_HULLS, BENCH_HULL, 20, LOOK_RANDOM),
    ALIKE("50", GROUP_HULLS, BENCH_HULL, 50, LOOK_RANDOM),
    ALIKE("200", GROUP_HULLS, BENCH_HULL, 200, LOOK_RANDOM),
    ALIKE("cube", GROUP_SIMPLE, BENCH_HULL, BOX_CORNERS, LOOK_RANDOM),
    ALIKE("box", GROUP_SIMPLE, BENCH_BOX, 0, LOOK_RANDOM),
    ALIKE("sphere", GROUP_SIMPLE, BENCH_SPHERE, 0, LOOK_RANDOM),
    ALIKE("capsule", GROUP_SIMPLE, BENCH_CAPSULE, 0, LOOK_RANDOM),
    ALIKE("cylinder", GROUP_CURVED, BENCH_CYLINDER, 0, LOOK_RANDOM),
    ALIKE("cone", GROUP_CURVED, BENCH_CONE, 0, LOOK_RANDOM),
    ALIKE("ellipsoid", GROUP_CURVED, BENCH_ELLIPSOID, 0, LOOK_RANDOM),
    {"hull-box", GROUP_SIMPLE, POINTS(200), SOLID(BOX), TIE_NONE},
    {"hull-cyl", GROUP_CURVED, POINTS(20), SOLID(CYLINDER), TIE_NONE},
    {"hull-cone", GROUP_CURVED, POINTS(20), SOLID(CONE), TIE_NONE},
    {"hull-ell", GROUP_CURVED, POINTS(20), SOLID(ELLIPSOID), TIE_NONE},
    {"box-cyl", GROUP_CURVED, SOLID(BOX), SOLID(CYLINDER), TIE_NONE},
    {"box-cone", GROUP_CURVED, SOLID(BOX), SOLID(CONE), TIE_NONE},
    {"box-ell", GROUP_CURVED, SOLID(BOX), SOLID(ELLIPSOID), TIE_NONE},
    {"cyl-cone", GROUP_CURVED, SOLID(CYLINDER), SOLID(CONE), TIE_NONE},
    {"cyl-ell", GROUP_CURVED, SOLID(CYLINDER), SOLID(ELLIPSOID), TIE_NONE},
    {"cyl-capsule", GROUP_CURVED, SOLID(CYLINDER), SOLID(CAPSULE), TIE_NONE},
    {"coaxial", GROUP_TIES, SOLID(CYLINDER), SOLID(CONE), TIE_AXIS},
    {"tilted", GROUP_TIES, SOLID(CYLINDER), SOLID(CYLINDER), TIE_TILT},
    {"tilted-cone", GROUP_TIES, SOLID(CYLINDER), SOLID(CONE), TIE_TILT},
    {"almost-round", GROUP_TIES, ALMOST_ROUND, ALMOST_ROUND, TIE_MIDDLE},
    {"speck", GROUP_TIES, ALMOST_ROUND, SPECK, TIE_MIDDLE},
    {"even-hull", GROUP_TIES, EVEN_HULL, EVEN_HULL, TIE_MIDDLE},
};

static const schedule SCHEDULES[] = {
    {"deep-cold", "deep, cold: unrelated poses, middles up to half the inner radii's sum apart", MOTION_DEEP, 0},
    {"deep-tracked", "deep, tracked: 1 % of the diameter and 1 degree a step", MOTION_DEEP_TRACKED, 1},
    {"shallow-cold", "shallow, cold: unrelated poses, 1e-3 of the diameter deep", MOTION_SHALLOW, 0},
    {"shallow-tracked",
     "shallow, tracked: 1 % of the diameter and 1 degree a step, pushed to stay 1e-3 of the diameter deep",
     MOTION_SHALLOW_TRACKED, 1},
    {"tie-cold", "near ties, cold: many directions are almost as near as the nearest", MOTION_TIE, 0},
    {"tie-tracked", "near ties, tracked: 1 degree a step", MOTION_TIE_TRACKED, 1},
};

const suite program = {
    .name = "depth",
    .title = "depth of overlapping convex bodies",
    .reading =
        "! = wrong answers (off by more than 1e-6 of the size,\n"
        "not a number, or no contact). The truth: the least support over all faces of the difference, by "
        "brute force.\n"
        "BOUND is a bracket, wrong if the truth is not in it; its error is how far its end is from the "
        "truth.\n"
        "The MPR columns do not look for the least depth.\n"
        "n: hulls of so many random points; cube: the corners of a box, given as points; box, sphere, "
        "capsule: each\n"
        "library's own type; cylinders (cyl), cones and ellipsoids (ell), also with a hull of 20 points, a box or a "
        "capsule:\n"
        "too, and the truth is the best of a search over directions. hull-box: a hull of 200. Near ties: apart "
        "alone.",
    .fastest = "the fastest of the others that look for the least depth",
    .show_leads = true,
    .column = 18,
    SUITE_TABLES(LIBRARIES, FIGURES, SCHEDULES),
    .prove = truth_of_depth,
};

// bench/depth: how deep are two overlapping convex bodies in each other? apart beside FCL, Bullet and libccd, in one
// interleaved run.
//
// Workloads: deep (the bodies' middles lie in each other) and shallow (1e-3 of the diameter), each with unrelated poses
// and with small steps; near ties (solids of revolution with almost one axis, bodies with almost one middle). Bodies:
// hulls of 8 to 200 random points; the corners of a box, given as points; boxes, spheres and capsules in each library's
// own type; cylinders, cones and ellipsoids, by themselves and with a hull, box or capsule, for apart alone.
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

#define SOLID(kind)                                                                                                    \
    { BENCH_##kind, 0, LOOK_RANDOM }
#define POINTS(count)                                                                                                  \
    { BENCH_HULL, (count), LOOK_RANDOM }
#define PAIR(name, sum, first, second)                                                                                 \
    { .label = (name), .group = (sum), .a = first, .b = second }
#define TIE(name, kind, first, second)                                                                                 \
    { .label = (name), .group = GROUP_OTHER, .a = first, .b = second, .tie = (kind) }
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
    ALIKE("cylinder", GROUP_OTHER, BENCH_CYLINDER, 0, LOOK_RANDOM),
    ALIKE("cone", GROUP_OTHER, BENCH_CONE, 0, LOOK_RANDOM),
    ALIKE("ellipsoid", GROUP_OTHER, BENCH_ELLIPSOID, 0, LOOK_RANDOM),
    PAIR("hull-box", GROUP_SIMPLE, POINTS(200), SOLID(BOX)),
    PAIR("hull-cyl", GROUP_OTHER, POINTS(20), SOLID(CYLINDER)),
    PAIR("hull-cone", GROUP_OTHER, POINTS(20), SOLID(CONE)),
    PAIR("hull-ell", GROUP_OTHER, POINTS(20), SOLID(ELLIPSOID)),
    PAIR("box-cyl", GROUP_OTHER, SOLID(BOX), SOLID(CYLINDER)),
    PAIR("box-cone", GROUP_OTHER, SOLID(BOX), SOLID(CONE)),
    PAIR("box-ell", GROUP_OTHER, SOLID(BOX), SOLID(ELLIPSOID)),
    PAIR("cyl-cone", GROUP_OTHER, SOLID(CYLINDER), SOLID(CONE)),
    PAIR("cyl-ell", GROUP_OTHER, SOLID(CYLINDER), SOLID(ELLIPSOID)),
    PAIR("cyl-capsule", GROUP_OTHER, SOLID(CYLINDER), SOLID(CAPSULE)),
    TIE("coaxial", TIE_AXIS, SOLID(CYLINDER), SOLID(CONE)),
    TIE("tilted", TIE_TILT, SOLID(CYLINDER), SOLID(CYLINDER)),
    TIE("tilted-cone", TIE_TILT, SOLID(CYLINDER), SOLID(CONE)),
    TIE("almost-round", TIE_MIDDLE, ALMOST_ROUND, ALMOST_ROUND),
    TIE("speck", TIE_MIDDLE, ALMOST_ROUND, SPECK),
    TIE("even-hull", TIE_MIDDLE, EVEN_HULL, EVEN_HULL),
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
        "library's own type. For apart alone: cylinders (cyl), cones and ellipsoids (ell), also with a hull "
        "of 20 points,\n"
        "a box or a capsule; a hull of 200 in a box. The truth of these is the best of a search over directions.",
    .fastest = "the fastest of the others that look for the least depth",
    .show_leads = true,
    .column = 18,
    SUITE_TABLES(LIBRARIES, FIGURES, SCHEDULES),
    .prove = truth_of_depth,
    .help = SUITE_HELP("bench/depth: depth of overlapping convex bodies, apart beside other libraries",
                       "deep, deep-cold, deep-tracked, shallow, shallow-cold, shallow-tracked, tie-cold, tie-tracked",
                       "8,20,50,200,cube,box,sphere,capsule,cylinder,cone,ellipsoid,hull-box,... as in the tables",
                       "EXACT and these: BOUND, FCL, Bullet, GjkEpa2, libccd, MPR"),
};

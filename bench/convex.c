// bench/convex: apart beside FCL, Bullet and libccd on pairs of convex bodies, in one interleaved run.
//
// Workloads: cold (unrelated poses, a gap of about one diameter), tracked (Cameron 1997, Fig. 5: 0, 6 and 12 degrees a
// step), near contact (a gap of 1e-6 of the size). Bodies: hulls of 8 to 1000 vertices; boxes, spheres and capsules in
// each library's own type. Shapes and poses are prepared outside the timing.
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
#define LIBRARY_COUNT (sizeof LIBRARIES / sizeof LIBRARIES[0])
_Static_assert(LIBRARY_COUNT <= MAX_LIBRARIES, "all libraries fit in a cell");

static const figure FIGURES[] = {
    {"8", BENCH_HULL, 8},     {"10", BENCH_HULL, 10},      {"20", BENCH_HULL, 20},        {"50", BENCH_HULL, 50},
    {"100", BENCH_HULL, 100}, {"200", BENCH_HULL, 200},    {"500", BENCH_HULL, 500},      {"1000", BENCH_HULL, 1000},
    {"box", BENCH_BOX, 0},    {"sphere", BENCH_SPHERE, 0}, {"capsule", BENCH_CAPSULE, 0},
};
#define FIGURE_COUNT (sizeof FIGURES / sizeof FIGURES[0])

static const schedule SCHEDULES[] = {
    {"cold", "cold: unrelated poses, gap about one diameter", MOTION_COLD, 0},
    {"tracked-0", "tracked: 1 % of the diameter a step, no turn", MOTION_TRACKED, 0},
    {"tracked-6", "tracked: 1 % of the diameter and 6 degrees a step", MOTION_TRACKED, 6},
    {"tracked-12", "tracked: 1 % of the diameter and 12 degrees a step", MOTION_TRACKED, 12},
    {"near", "near contact: unrelated poses, gap 1e-6 of the diameter", MOTION_NEAR, 0},
};
#define SCHEDULE_COUNT (sizeof SCHEDULES / sizeof SCHEDULES[0])

int main(int argc, char** argv) {
    suite s = {
        .name = "convex",
        .title = "distance of convex bodies",
        .reading = "! = wrong answers (off by more than 1e-6 of the size,\n"
                   "not a number, or contact where there is none). libccd* answers less than the others: overlap, yes "
                   "or no.",
        .fastest = "the fastest distance of the others",
        .column = 15,
        .libraries = LIBRARIES,
        .library_count = LIBRARY_COUNT,
        .figures = FIGURES,
        .figure_count = FIGURE_COUNT,
        .schedules = SCHEDULES,
        .schedule_count = SCHEDULE_COUNT,
        .prove = truth_of_distance,
        .help = SUITE_HELP("bench/convex: apart beside other libraries on pairs of convex bodies",
                           "cold, tracked, tracked-0, tracked-6, tracked-12, near",
                           "8,10,20,50,100,200,500,1000,box,sphere,capsule",
                           "AUTO and these: GJK, ENHANCED, FEATURES, FCL, Bullet, GjkEpa2, libccd"),
    };
    return suite_main(&s, argc, argv);
}

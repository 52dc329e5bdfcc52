// bench/batch: many pairs by one call, beside one at a time. The queries are those of bench/convex, more of them, and
// unions of spheres, for apart alone; every answer is checked.
#include "suite.h"

static const bench_library* const LIBRARIES[] = {
    &bench_apart_auto,  &bench_apart_batch, &bench_apart_batch_2, &bench_apart_poses,
#ifdef BENCH_BULLET
    &bench_bullet_pair,
#endif
#ifdef BENCH_MUJOCO
    &bench_mujoco,
#endif
};
_Static_assert(COUNT(LIBRARIES) <= MAX_LIBRARIES, "all libraries fit in a cell");

static const figure FIGURES[] = {
    DISTANCE_FIGURES,
    ALIKE("spheres-30", GROUP_UNIONS, BENCH_SPHERE, 30, LOOK_RANDOM),
    ALIKE("spheres-64", GROUP_UNIONS, BENCH_SPHERE, 64, LOOK_RANDOM),
    {"spheres-30-100", GROUP_UNIONS, {BENCH_SPHERE, 30, LOOK_RANDOM}, {BENCH_SPHERE, 100, LOOK_RANDOM}, TIE_NONE},
};

static const schedule SCHEDULES[] = {
    {"batch-cold", "cold: unrelated poses, gap about one diameter", MOTION_COLD, 0},
    {"batch-near", "near contact: unrelated poses, gap 1e-6 of the diameter", MOTION_NEAR, 0},
};

const suite program = {
    .name = "batch",
    .title = "many pairs by one call",
    .reading = "! = wrong answers (off by more than 1e-6 of the size,\n"
               "not a number, or contact where there is none).",
    .fastest = "the fastest distance of the others",
    .column = 15,
    .steps = 200,
    SUITE_TABLES(LIBRARIES, FIGURES, SCHEDULES),
    .prove = truth_of_distance,
};

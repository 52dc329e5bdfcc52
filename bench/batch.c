// bench/batch: many pairs of convex bodies by one call, beside one at a time. The queries are those of bench/convex,
// more of them; every answer is checked.
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
    ALIKE("8", GROUP_HULLS, BENCH_HULL, BOX_CORNERS, LOOK_RANDOM),
    ALIKE("10", GROUP_HULLS, BENCH_HULL, 10, LOOK_RANDOM),
    ALIKE("20", GROUP_HULLS, BENCH_HULL, 20, LOOK_RANDOM),
    ALIKE("50", GROUP_HULLS, BENCH_HULL, 50, LOOK_RANDOM),
    ALIKE("100", GROUP_HULLS, BENCH_HULL, 100, LOOK_RANDOM),
    ALIKE("200", GROUP_HULLS, BENCH_HULL, 200, LOOK_RANDOM),
    ALIKE("500", GROUP_HULLS, BENCH_HULL, 500, LOOK_RANDOM),
    ALIKE("1000", GROUP_HULLS, BENCH_HULL, 1000, LOOK_RANDOM),
    ALIKE("box", GROUP_SIMPLE, BENCH_BOX, 0, LOOK_RANDOM),
    ALIKE("sphere", GROUP_SIMPLE, BENCH_SPHERE, 0, LOOK_RANDOM),
    ALIKE("capsule", GROUP_SIMPLE, BENCH_CAPSULE, 0, LOOK_RANDOM),
};

static const schedule SCHEDULES[] = {
    {"batch-cold", "cold: unrelated poses, gap about one diameter", MOTION_COLD, 0},
    {"batch-near", "near contact: unrelated poses, gap 1e-6 of the diameter", MOTION_NEAR, 0},
};

const suite program = {
    .name = "batch",
    .title = "many pairs of convex bodies by one call",
    .reading = "! = wrong answers (off by more than 1e-6 of the size,\n"
               "not a number, or contact where there is none).",
    .fastest = "the fastest distance of the others",
    .column = 15,
    .steps = 200,
    SUITE_TABLES(LIBRARIES, FIGURES, SCHEDULES),
    .prove = truth_of_distance,
};

/// What the papers' experiments share: bodies, runs of queries, averages.
#ifndef APART_BENCH_PAPERS_LAB_H
#define APART_BENCH_PAPERS_LAB_H

#include "base/vec.h"
#include "random.h"

#define DEGREE (3.14159265358979323846 / 180)

/// Averages over the queries of a run.
typedef struct tally {
    size_t queries;
    double ns, iterations, supports, visits; ///< per query
    double widest;                           ///< largest distance - lower_bound
    int fewest, most;                        ///< iterations
    size_t overlaps;                         ///< answers with distance 0
    size_t failures;                         ///< statuses other than APART_OK
} tally;

/// One pair of bodies through many poses.
typedef struct course {
    const apart_shape *a, *b;
    apart_pose *pose_a, *pose_b;
    size_t count;
    size_t sequence; ///< how many queries share a cache before it starts cold again; 0 = every query is cold
} course;

/// Runs a course `rounds` times; time from the fastest round, counts from the last. results: NULL, or `count` of them.
tally course_run(const course* c, apart_method method, int rounds, apart_result* results);

/// Averages weighted by queries.
tally tally_add(tally a, tally b);

/// Room for `count` poses of each body; false when out of memory.
bool course_allocate(course* c, size_t count);
void course_free(course* c);

/// The hull of n random points of the unit sphere.
apart_shape* random_hull(size_t n, rng* r);

/// The rotation by `degrees` about a unit axis.
static inline apart_mat3 turn_about(apart_vec3 axis, double degrees) {
    double c = cos(0.5 * degrees * DEGREE), s = sin(0.5 * degrees * DEGREE);
    return rng_matrix(c, s * axis.x, s * axis.y, s * axis.z);
}

/// The experiments. quick: fewer runs. Each returns false if an answer was wrong.
bool paper_gilbert(bool quick);
bool paper_path(bool quick);
bool paper_cameron(bool quick);
bool paper_sundaraj(bool quick);
bool paper_lumelsky(bool quick);
bool paper_quinlan(bool quick);

#endif

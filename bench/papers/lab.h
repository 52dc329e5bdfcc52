/// What the papers' experiments share: where results go, courses of queries, bodies.
#ifndef APART_BENCH_PAPERS_LAB_H
#define APART_BENCH_PAPERS_LAB_H

#include "base/trig.h"
#include "base/vec.h"
#include "random.h"

#include <stdio.h>

#define DEGREE (3.14159265358979323846 / 180)

// ------------------------------------------------------------------------------------------------------- results ----

/// A run of the laboratory: what is asked for, and where results go.
typedef struct lab {
    const char* folder; ///< of the CSV files; NULL = none are written
    int rounds;         ///< the fastest of so many is the time; 0 = counts only, the clock is not asked
    bool terminal;      ///< long work shows how far it is
    bool good;          ///< no answer was wrong so far, and everything could be written
    struct golden_count* counts;
    struct finding* findings;
    size_t count_count, finding_count, count_room, finding_room;
} lab;

/// A file NAME.csv in the folder, begun with a line of column names. NULL without a folder.
FILE* lab_csv(lab* l, const char* name, const char* columns);
/// One line of it, and its end. With NULL nothing happens.
void csv_row(FILE* csv, const char* format, ...) __attribute__((format(printf, 2, 3)));
void csv_close(FILE* csv);

/// Notes a number that is the same on every machine and in every run.
void lab_count(lab* l, uint64_t value, const char* name, ...) __attribute__((format(printf, 3, 4)));

/// Notes what was found about a figure: the paper's value, ours, and whether the trend is the same.
void lab_find(lab* l, const char* figure, const char* paper, bool same, const char* ours, ...)
    __attribute__((format(printf, 5, 6)));

/// An answer that must be right.
void lab_demand(lab* l, bool right, const char* what);

/// Shows how far some long work is; done from 0 to 1, and 1 ends the line.
void lab_progress(const lab* l, const char* what, double done);

/// Compares the counts with those in a file. all: none may be missing. False, with a line for each, if they differ.
bool lab_check_counts(const lab* l, const char* golden, bool all);
/// Prints all counts, as lines of such a file.
bool lab_write_counts(const lab* l, FILE* out);
/// Prints the table of findings, and writes summary.csv.
void lab_summary(lab* l);
void lab_free(lab* l);

// ------------------------------------------------------------------------------------------------------- queries ----

/// Averages over the queries of a run.
typedef struct tally {
    uint64_t queries, iterations, supports, visits; ///< sums
    double ns;                                      ///< per query
    double widest;                                  ///< largest upper_bound - lower_bound
    int fewest, most;                               ///< iterations
    uint64_t overlaps;                              ///< answers with distance 0
    uint64_t failures;                              ///< statuses other than APART_OK
} tally;

static inline double tally_mean(uint64_t sum, const tally* t) {
    return t->queries ? (double)sum / (double)t->queries : 0;
}

/// One pair of bodies through many poses.
typedef struct course {
    const apart_shape *a, *b;
    apart_pose *pose_a, *pose_b;
    size_t count;
    size_t sequence; ///< how many queries share a cache before it starts cold again; 0 = every query is cold
} course;

/// Runs a course once for the counts, and l->rounds times for the time. results: NULL, or `count` of them.
tally course_run(const lab* l, const course* c, apart_method method, apart_result* results);

/// Times weighted by queries, sums of the rest.
tally tally_add(tally a, tally b);

/// Room for `count` poses of each body; false when out of memory.
bool course_allocate(course* c, size_t count);
void course_free(course* c);

// -------------------------------------------------------------------------------------------------------- bodies ----

/// The hull of n random points of the unit sphere.
apart_shape* random_hull(size_t n, rng* r);
/// A box as the hull of its eight corners, so that its support points are found as those of any hull.
apart_shape* box_of_points(apart_vec3 lower, apart_vec3 upper);
/// A point on a circle about the z axis.
static inline apart_vec3 on_circle(double radius, double degrees, double z) {
    double s, c;
    apart_sine_cosine(degrees * DEGREE, &s, &c);
    return (apart_vec3){radius * c, radius * s, z};
}
/// The rotation by `degrees` about a unit axis.
static inline apart_mat3 turn_about(apart_vec3 axis, double degrees) {
    double s, c;
    apart_sine_cosine(0.5 * degrees * DEGREE, &s, &c);
    return rng_matrix(c, s * axis.x, s * axis.y, s * axis.z);
}

/// The experiments.
void paper_gilbert(lab* l);
void paper_path(lab* l);
void paper_lumelsky(lab* l);
void paper_quinlan(lab* l);
void paper_cameron(lab* l);
void paper_sundaraj(lab* l);

#endif

/// The queries that every library answers: many pairs of bodies, many poses of each.
#ifndef APART_BENCH_WORKLOAD_H
#define APART_BENCH_WORKLOAD_H

#include "peers.h"
#include "random.h"

/// How the poses of one pair follow each other.
typedef enum motion {
    MOTION_COLD,    ///< unrelated poses, a gap of about one diameter
    MOTION_TRACKED, ///< the second body turns and drifts a little from step to step
    MOTION_NEAR,    ///< unrelated poses, a gap of 1e-6 of the diameter
    MOTION_DEEP,    ///< unrelated poses, the bodies' middles at most half the sum of their inner radii apart
    MOTION_SHALLOW, ///< unrelated poses, 1e-3 of the diameter deep
    MOTION_DEEP_TRACKED,
    MOTION_SHALLOW_TRACKED,
    MOTION_TIE, ///< almost one axis or one middle: a circle or a sphere of directions is almost as near as the nearest
    MOTION_TIE_TRACKED
} motion;

/// How a body differs from the random ones of its kind.
typedef enum look {
    LOOK_RANDOM,
    LOOK_EVEN,        ///< a hull: its points are spread evenly on the sphere
    LOOK_SPECK,       ///< a hull: a thousandth of the others' size
    LOOK_ALMOST_ROUND ///< an ellipsoid: a sphere but for 1e-6 to 1e-4
} look;

/// What one of the two bodies is.
typedef struct plan {
    bench_kind kind;
    uint32_t vertices; ///< of a hull: random points of the unit sphere, or BOX_CORNERS; of a union: spheres
    look look;
} plan;

/// A hull of the eight corners of a box, given as points.
#define BOX_CORNERS 0

/// Where nearly equal directions come from.
typedef enum tie {
    TIE_NONE,
    TIE_AXIS,   ///< one axis, exactly
    TIE_TILT,   ///< one axis but for 1e-6 to 1e-4, in angle and place
    TIE_MIDDLE, ///< one middle but for 1e-6 to 1e-4, any rotation
} tie;

/// What is summed up together: hulls; boxes, spheres and capsules; pairs with a cylinder, cone or ellipsoid; near ties;
/// unions.
typedef enum group {
    GROUP_HULLS = 1,
    GROUP_SIMPLE = 2,
    GROUP_CURVED = 4,
    GROUP_TIES = 8,
    GROUP_UNIONS = 16,
    GROUP_ALL = 31
} group;

/// What the bodies are.
typedef struct figure {
    const char* label; ///< "8", "box", ...
    group group;
    plan a, b;
    tie tie; ///< if any, the figure is for MOTION_TIE and MOTION_TIE_TRACKED alone
} figure;

/// A figure of two bodies of one plan.
#define ALIKE(name, sum, ...)                                                                                          \
    {                                                                                                                  \
        .label = (name), .group = (sum), .a = {__VA_ARGS__}, .b = { __VA_ARGS__ }                                      \
    }

/// What bench/convex and bench/batch both measure.
#define DISTANCE_FIGURES                                                                                               \
    ALIKE("8", GROUP_HULLS, BENCH_HULL, BOX_CORNERS, LOOK_RANDOM),                                                     \
        ALIKE("10", GROUP_HULLS, BENCH_HULL, 10, LOOK_RANDOM), ALIKE("20", GROUP_HULLS, BENCH_HULL, 20, LOOK_RANDOM),  \
        ALIKE("50", GROUP_HULLS, BENCH_HULL, 50, LOOK_RANDOM),                                                         \
        ALIKE("100", GROUP_HULLS, BENCH_HULL, 100, LOOK_RANDOM),                                                       \
        ALIKE("200", GROUP_HULLS, BENCH_HULL, 200, LOOK_RANDOM),                                                       \
        ALIKE("500", GROUP_HULLS, BENCH_HULL, 500, LOOK_RANDOM),                                                       \
        ALIKE("1000", GROUP_HULLS, BENCH_HULL, 1000, LOOK_RANDOM),                                                     \
        ALIKE("box", GROUP_SIMPLE, BENCH_BOX, 0, LOOK_RANDOM),                                                         \
        ALIKE("sphere", GROUP_SIMPLE, BENCH_SPHERE, 0, LOOK_RANDOM),                                                   \
        ALIKE("capsule", GROUP_SIMPLE, BENCH_CAPSULE, 0, LOOK_RANDOM)

/// Whether a figure is measured in a motion.
static inline bool motion_takes(motion m, const figure* f) {
    return (m == MOTION_TIE || m == MOTION_TIE_TRACKED) == (f->tie != TIE_NONE);
}

typedef struct workload {
    size_t body_count, pairs, steps;
    bench_body* bodies;
    uint32_t (*pair)[2]; ///< which two bodies
    apart_pose* pose_a;  ///< of query step * pairs + pair
    apart_pose* pose_b;
    bool tracked;
    bool tied;   ///< near ties: apart alone, and a bracket may be wide
    double size; ///< diameter of a body, the unit of every error
} workload;

/// How many queries a workload has.
static inline size_t workload_queries(const workload* w) { return w->pairs * w->steps; }

/// How far a tracked body drifts in a step, and how deep bodies are in each other where that is shallow: parts of the
/// diameter.
#define DRIFT 0.01
#define SHALLOW 1e-3

/// Makes a workload; everything follows from the seed. degrees: turn per step, for the tracked ones.
/// Returns false when out of memory or when a hull cannot be built.
bool workload_make(workload* w, const figure* f, motion m, double degrees, size_t pairs, size_t steps, uint64_t seed);
void workload_free(workload* w);

/// apart's own shapes of all bodies, released again by `release_shapes`. NULL when out of memory.
apart_shape** create_shapes(const workload* w);
void release_shapes(const workload* w, apart_shape** shapes);

/// The rotation by `degrees` about a random axis.
apart_mat3 random_turn(double degrees, rng* r);

/// Fills the poses of bodies that overlap, after moving each to the mean of its points. Returns false when out of
/// memory, or when a depth cannot be had.
bool place_overlapping(workload* w, bool shallow, double degrees, rng* r);

/// Fills the poses of bodies with almost the same axis or middle. Tracked: b goes around that axis, or the middle.
void place_ties(workload* w, tie t, double degrees, rng* r);

/// The surface of the convex hull of the body's points, which are all corners (Qhull): triangles and edges.
bool hull_surface(bench_body* body);

/// A proof of the true distance of query `query` as a bracket; NANs if there is none. Tolerable as a truth if it is no
/// wider than what counts as wrong.
typedef bracket (*truth_fn)(const workload* w, size_t query, const apart_shape* a, const apart_shape* b);

/// From the direction and the witnesses of apart's cold answer alone, in wider arithmetic and by looking at every
/// vertex: lower by the two supports along the normal, upper by the weighted points. For cores that are apart.
bracket truth_of_distance(const workload* w, size_t query, const apart_shape* a, const apart_shape* b);

/// Of bodies that overlap. Polytopes: `depth_by_faces`, apart is not asked. Spheres and capsules: by their cores, which
/// are apart, as above. Others: `truth_by_directions`.
bracket truth_of_depth(const workload* w, size_t query, const apart_shape* a, const apart_shape* b);

/// The least support of A - B over the normals of all its faces: how deep two polytopes are in each other, by brute
/// force in wider arithmetic. NAN when out of memory.
double depth_by_faces(const bench_body* a, const apart_pose* pose_a, const bench_body* b, const apart_pose* pose_b);

/// The lower end is minus the least support of A - B that was found, over directions all over the sphere and apart's
/// normal, each of them improved in small steps, in wider arithmetic. The upper end is that of apart's cold answer: the
/// lower end must not be above it, nor that of any other answer. NANs if apart does not answer.
bracket truth_by_directions(const workload* w, size_t query, const apart_shape* a, const apart_shape* b);

/// A place in long double: with 64 bits of mantissa the rounding is far below the errors that are counted.
typedef struct wide {
    long double x, y, z;
} wide;

wide wide_in_world(const apart_pose* pose, apart_vec3 p);

static inline long double wide_dot(wide a, wide b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

#endif

/// One small C interface that every measured library stands behind, apart included.
///
/// The driver builds the bodies once, hands each library its own copy of them and of the poses outside the timing, and
/// then asks for distances or depths. An adapter does inside `distance` what a user of that library has to do for one
/// query.
#ifndef APART_BENCH_PEERS_H
#define APART_BENCH_PEERS_H

#include "apart/apart.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bench_kind {
    BENCH_HULL,
    BENCH_BOX,
    BENCH_SPHERE,
    BENCH_CAPSULE,
    BENCH_CYLINDER,
    BENCH_CONE,
    BENCH_ELLIPSOID
} bench_kind;

/// A body for all libraries. The first four kinds are the convex hull of their points, extended by their radius: a box
/// has its eight corners (corner i at +x if i & 1, +y if i & 2, +z if i & 4), a sphere its centre, a capsule the two
/// ends of its axis. A sphere with several points is a union of spheres, for apart alone. Cylinders, cones (the apex at
/// +half_height) and ellipsoids have no points.
typedef struct bench_body {
    bench_kind kind;
    apart_vec3* points;       ///< the core, local coordinates
    size_t count;             ///< how many
    uint32_t (*triangles)[3]; ///< a hull's or box's surface, counter-clockwise from outside; else NULL
    size_t triangle_count;    ///< how many
    uint32_t (*edges)[4];     ///< of those triangles: both ends, and the two triangles that share it
    size_t edge_count;        ///< how many
    apart_vec3 half;          ///< half extents of a box, semi-axes of an ellipsoid
    double half_height;       ///< of a capsule, cylinder or cone, along z
    double radius;            ///< of a sphere, capsule, cylinder or cone, else 0
} bench_body;

static inline bool is_union(const bench_body* body) { return body->kind == BENCH_SPHERE && body->count > 1; }

/// A pose in the library's own type, whatever that is. The driver aligns it to 64 bytes.
typedef struct bench_pose {
    double number[16];
} bench_pose;

/// What a library remembers of a pair between two steps. All zero is cold.
typedef struct bench_memory {
    double number[256];
} bench_memory;

/// What `distance` returns when the library gives no answer at all, or where it finds no contact but was asked for
/// depth.
#define BENCH_NO_ANSWER NAN

/// A bracket of a true distance.
typedef struct bracket {
    double lower, upper;
} bracket;

/// All queries of a workload, for a library that answers them by one call.
typedef struct bench_list {
    void* const* shape;
    const uint32_t (*pair)[2]; ///< the shapes of query q are those of pair[q % pairs]
    size_t pairs, count;
    const bench_pose *pose_a, *pose_b; ///< of each query
} bench_list;

/// What a library's answer claims to be.
typedef enum bench_answer {
    BENCH_VALUE,    ///< the distance; negative depth on overlap, if depth is asked for
    BENCH_ESTIMATE, ///< the same, by a method that does not look for the least depth
    BENCH_BOUND,    ///< a number that the distance does not exceed
    BENCH_YES_NO    ///< 0 for contact, 1 for none
} bench_answer;

/// For a library that answers all queries by one call, in place of `distance` and `ends`. Only `answer` is timed.
typedef struct bench_many {
    void* (*gather)(const bench_list* list); ///< NULL when out of memory
    void (*answer)(void* gathered);
    void (*read)(const void* gathered, double* answers, bracket* proved);
    void (*discard)(void* gathered);
    size_t times; ///< that each query is asked by one call of `answer`
    bool threads; ///< several: wall-clock time counts, not that of one processor
} bench_many;

typedef struct bench_library {
    const char* name;     ///< heading of the column
    const char* version;  ///< of the library
    const char* call;     ///< what is measured, in a few words
    bench_answer answers; ///< how to judge it
    bool ours;            ///< one of apart's own methods

    /// The library's own shape; NULL if it has none for this kind.
    void* (*create)(const bench_body* body);
    void (*destroy)(void* shape);

    /// Whether it has an answer for two bodies of these kinds; NULL = for any that it can create.
    bool (*takes)(bench_kind a, bench_kind b);

    /// Converts a pose. Not timed.
    void (*place)(const apart_pose* pose, bench_pose* out);

    /// One query. memory: NULL = cold, else kept by the driver for this pair. Returns the distance; 0 or less where the
    /// library says contact.
    double (*distance)(const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b,
                       bench_memory* memory);

    /// The same query, with the bracket that it proves. Not timed. NULL if the library proves none.
    bracket (*ends)(const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b,
                    bench_memory* memory);

    const bench_many* many; ///< NULL = one query at a time

    /// Whether the query is more than the library's quick search can settle, and goes on to a slower one. Not timed;
    /// the memory stays as it is. NULL if there is no such thing.
    bool (*falls_back)(const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b,
                       const bench_memory* memory);
} bench_library;

extern const bench_library bench_apart_auto, bench_apart_gjk, bench_apart_enhanced, bench_apart_features;
extern const bench_library bench_fcl_libccd, bench_fcl_own, bench_fcl_bare;
extern const bench_library bench_bullet_pair, bench_bullet_epa;
extern const bench_library bench_libccd;
extern const bench_library bench_coal, bench_coal_signed;
extern const bench_library bench_mujoco; ///< also for depth

extern const bench_library bench_apart_batch, bench_apart_batch_2, bench_apart_poses;

extern const bench_library bench_apart_exact, bench_apart_bound;
extern const bench_library bench_fcl_signed, bench_fcl_collide, bench_fcl_own_collide;
extern const bench_library bench_bullet_penetration, bench_bullet_pair_depth;
extern const bench_library bench_libccd_epa, bench_libccd_mpr;

/// The bracket in a result of apart's.
bracket bench_ends(const apart_result* result);

/// apart's cold answer, for the driver itself: where to put the bodies, and which normal proves it.
bool bench_ask(const apart_shape* a, const apart_pose* pose_a, const apart_shape* b, const apart_pose* pose_b,
               apart_depth depth, apart_result* result);

#ifdef __cplusplus
}
#endif

#endif

/// One small C interface that every measured library stands behind, apart included.
///
/// The driver builds the bodies once, hands each library its own copy of them and of the poses outside the timing, and
/// then asks for distances. An adapter does inside `distance` what a user of that library has to do for one query.
#ifndef APART_BENCH_PEERS_H
#define APART_BENCH_PEERS_H

#include "apart/apart.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bench_kind { BENCH_HULL, BENCH_BOX, BENCH_SPHERE, BENCH_CAPSULE } bench_kind;

/// A body for all libraries. Every kind is the convex hull of its points, extended by its radius: a box has its eight
/// corners (corner i at +x if i & 1, +y if i & 2, +z if i & 4), a sphere its centre, a capsule the two ends of its
/// axis.
typedef struct bench_body {
    bench_kind kind;
    apart_vec3* points;       ///< the core, local coordinates
    size_t count;             ///< how many
    uint32_t (*triangles)[3]; ///< a hull's surface, counter-clockwise from outside; NULL for the other kinds
    size_t triangle_count;    ///< how many
    apart_vec3 half;          ///< half extents of a box
    double half_height;       ///< of a capsule, along z
    double radius;            ///< of a sphere or capsule, else 0
} bench_body;

/// A pose in the library's own type, whatever that is. The driver aligns it to 64 bytes.
typedef struct bench_pose {
    double number[16];
} bench_pose;

/// What a library remembers of a pair between two steps. All zero is cold.
typedef struct bench_memory {
    double number[16];
} bench_memory;

/// What `distance` returns when the library gives no answer at all.
#define BENCH_NO_ANSWER NAN

typedef struct bench_library {
    const char* name;    ///< heading of the column
    const char* version; ///< of the library
    const char* call;    ///< what is measured, in a few words
    bool only_overlap;   ///< it can say whether two bodies meet, but not how far apart they are
    bool ours;           ///< one of apart's own methods

    /// The library's own shape; NULL if it has none for this kind.
    void* (*create)(const bench_body* body);
    void (*destroy)(void* shape);

    /// Converts a pose. Not timed.
    void (*place)(const apart_pose* pose, bench_pose* out);

    /// One query. memory: NULL = cold, else kept by the driver for this pair. Returns the distance; 0 or less where the
    /// library says contact; with only_overlap 0 for contact and 1 for none.
    double (*distance)(const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b,
                       bench_memory* memory);
} bench_library;

extern const bench_library bench_apart_auto, bench_apart_gjk, bench_apart_enhanced, bench_apart_features;
extern const bench_library bench_fcl_libccd, bench_fcl_own;
extern const bench_library bench_bullet_pair, bench_bullet_epa;
extern const bench_library bench_libccd;

#ifdef __cplusplus
}
#endif

#endif

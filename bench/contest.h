/// Mesh libraries behind one interface, and the contest between them: one set of queries, all contestants in turn.
#ifndef APART_BENCH_CONTEST_H
#define APART_BENCH_CONTEST_H

#include "options.h"
#include "surface.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MAX_OTHERS 5
#define MAX_CONTESTANTS 6

/// How far is one surface from the nearest of others? Bodies are given by their numbers in an array.
typedef struct mesh_query {
    uint32_t a;
    apart_pose pose_a;
    uint32_t count; ///< of the others, 1 to MAX_OTHERS
    uint32_t b[MAX_OTHERS];
    apart_pose pose_b[MAX_OTHERS];
} mesh_query;

/// What a library says.
typedef struct mesh_answer {
    double distance;             ///< NAN if it says nothing
    double lower, upper;         ///< its own proof that the distance is not less, and not more; NAN if it has none
    long part;                   ///< which of the others is nearest; -1 if it does not say
    long triangle_a, triangle_b; ///< the nearest triangles; -1 if it does not say
    double visits, pairs;        ///< node tests and triangle pairs, if it counts them
} mesh_answer;

/// How a contestant asks.
typedef struct mesh_mode {
    double relative_error;
    bool yes_no;   ///< do they meet? distance 0 if they do
    bool separate; ///< the others one by one and independently, instead of together
    bool warm;     ///< starts from the answer of the query before
} mesh_mode;

/// A library with its own kind of shapes.
typedef struct mesh_library {
    const char *name, *version, *call;
    bool ours; ///< apart itself

    /// The library's own shape of a surface; NULL on failure.
    void* (*create)(const surface* s);
    void (*destroy)(void* shape);

    /// The memory of a shape by the library's own account; NULL if it keeps none.
    size_t (*bytes)(const void* shape);

    /// What can be done about a query before it is asked: poses in the library's types, a union of the others. Not
    /// timed. NULL on failure.
    void* (*prepare)(void* const* shapes, const mesh_query* query, const mesh_mode* mode);
    void (*forget)(void* prepared);

    /// The query. cache: NULL = cold.
    void (*ask)(const void* prepared, const mesh_mode* mode, apart_cache* cache, mesh_answer* answer);
} mesh_library;

extern const mesh_library mesh_apart, mesh_fcl_rss, mesh_fcl_obbrss;

/// One who takes part in a contest, and how that went.
typedef struct contestant {
    const mesh_library* library;
    void* const* shapes; ///< of all surfaces
    mesh_mode mode;
    size_t stride; ///< asks every so manyth query; 1 = all

    double us;            ///< per query: median over the rounds
    double visits, pairs; ///< per query
    size_t asked, wrong;  ///< queries, and wrong answers among them
    double worst_error;   ///< of exact answers, in units of the first surface's size
    double bracket;       ///< the widest that an answer proves, in the same unit; 0 if the library proves none

    void** prepared; ///< internal from here on
    mesh_answer* answers;
    double round_us[MAX_ROUNDS];
} contestant;

typedef struct contest {
    const surface* surfaces;
    const mesh_query* queries;
    size_t query_count;
    size_t brute_stride; ///< compare every so manyth query with brute force over all triangle pairs; 0 = none
    int rounds;
    contestant of[MAX_CONTESTANTS];
    size_t count;
} contest;

/// Lets all contestants answer all queries, `rounds` times in turn, and checks the answers. Returns false when out of
/// memory or when a library cannot prepare.
bool contest_run(contest* c);

#ifdef __cplusplus
}
#endif

#endif

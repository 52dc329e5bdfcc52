/// GJK as the papers of 1988 and 1997 publish it, in counted arithmetic.
#ifndef APART_BENCH_PAPERS_PUBLISHED_H
#define APART_BENCH_PAPERS_PUBLISHED_H

#include "body/shape.h"
#include "counted.h"

/// A polytope as the papers have it: vertices in world coordinates. Mapping them there is not counted: the input of
/// 1988 are vertices, and in 1997 they "are available on demand".
typedef struct points {
    uint32_t count;
    vec3* at;
    vec3 centroid;
    double reach; // no vertex is farther from the centroid
    const polytope* edges;
} points;

/// Places the vertices of a hull. Of points that were placed before, the room is used again. False when out of memory.
bool points_place(points* p, const apart_shape* shape, const apart_pose* pose);
void points_free(points* p);

/// Pairs of vertices whose differences are a simplex, and where hill climbing begins.
typedef struct tracked {
    int count; // 0 = cold
    uint32_t a[4], b[4], hint_a, hint_b;
} tracked;

typedef struct published_answer {
    double distance;
    double g;       // the final g(v), a bound of |v - v(K)|^2
    double ball;    // on overlap d-, formula (32): the ball about the origin in the simplex; else 0
    double corner;  // on overlap the nearest corner of the simplex: Cameron's upper end; else 0
    int iterations; // of the subalgorithm
    int backups;    // uses of the Backup Procedure
    bool overlap;   // the simplex holds the origin
} published_answer;

/// Section VI's Numerical Algorithm, stopped by (35) with the given eps. climb: support vertices by hill climbing
/// (Cameron 3.2). track: NULL = cold; else where to begin, and afterwards where it ended.
published_answer published_gjk(const points* a, const points* b, bool climb, double eps, tracked* track);

#endif

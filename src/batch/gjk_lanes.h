// GJK for eight pairs at a time, each in a lane of its own: boxes, capsules and hulls that are clearly apart.
#ifndef APART_BATCH_GJK_LANES_H
#define APART_BATCH_GJK_LANES_H

#include "base/kernels.h"

/// Eight vectors.
typedef struct lane_vectors {
    _Alignas(64) double x[LANE_COUNT], y[LANE_COUNT], z[LANE_COUNT];
} lane_vectors;

/// Up to so many vertices of eight hulls are looked at together, above it those of one after the other.
#define LANE_VERTICES 24

/// One body of each pair: boxes only, or hulls only. Lanes that are not used must hold another's.
typedef struct lane_bodies {
    const apart_shape* shape[LANE_COUNT];
    const apart_pose* pose[LANE_COUNT];
    // What the kernel knows of the shapes. It looks again when they are others; NULL at the beginning.
    const apart_shape* known[LANE_COUNT];
    _Alignas(64) double scale[LANE_COUNT], radius[LANE_COUNT]; // local = scale * stored
    double reach[LANE_COUNT];                                  // from their origins, radius included
    lane_vectors center, extent;                               // stored coordinates; extent: of boxes
    uint32_t count;                                            // vertices of the largest hull
    bool one;                                                  // all are the same shape
    int visits[LANE_COUNT];                                    // vertices looked at, of hulls one after the other
    lane_vectors vertex[LANE_VERTICES];                        // stored coordinates, if there are no more
} lane_bodies;

/// The vertices that carry eight points, by their numbers, and their weights; a weight of 0 is not one.
typedef struct lane_carriers {
    uint32_t vertex[3][LANE_COUNT];
    double weight[3][LANE_COUNT];
} lane_carriers;

/// Eight pairs, and what becomes of them.
typedef struct gjk_lanes {
    lane_bodies a, b;
    lane_vectors start; // the direction from b to a to begin with; 0 = along the line of centres
    double relative, absolute;
    double cutoff[LANE_COUNT];
    // The answers. Pairs that are not settled have none: near contact, an overlap, a bad pose, an extreme size, or a
    // simplex that rounding has spoilt.
    apart_result* result[LANE_COUNT];
    unsigned settled; // bit i: lane i
    lane_carriers witness_a, witness_b;
} gjk_lanes;

#endif

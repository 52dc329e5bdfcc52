// GJK for eight pairs at a time, each in a lane of its own: boxes and small hulls that are clearly apart.
#ifndef APART_BATCH_GJK_LANES_H
#define APART_BATCH_GJK_LANES_H

#include "base/kernels.h"

/// Eight vectors.
typedef struct lane_vectors {
    double x[LANE_COUNT], y[LANE_COUNT], z[LANE_COUNT];
} lane_vectors;

/// What eight bodies are.
typedef enum lane_kind { LANE_BOXES, LANE_ONE_HULL, LANE_ANY } lane_kind;

/// One body of each pair. Lanes that are not used must hold the numbers of another.
typedef struct lane_bodies {
    lane_vectors row[3], translation;             // of the poses
    double scale[LANE_COUNT], radius[LANE_COUNT]; // of the shapes: local = scale * stored
    double reach[LANE_COUNT];                     // of the bodies from their origins, radius included
    lane_vectors center, extent;                  // stored coordinates; extent: of boxes
    lane_kind kind;
    const double *x[LANE_COUNT], *y[LANE_COUNT], *z[LANE_COUNT]; // vertices of hulls: stored, padded
    uint32_t count;                                              // of LANE_ONE_HULL
    uint32_t padded[LANE_COUNT];                                 // how many; 0 = a box
} lane_bodies;

/// The vertices that carry eight points, by their numbers, and their weights; a weight of 0 is not one.
typedef struct lane_carriers {
    double vertex[3][LANE_COUNT], weight[3][LANE_COUNT];
} lane_carriers;

/// Eight pairs, and what becomes of them.
typedef struct gjk_lanes {
    lane_bodies a, b;
    lane_vectors start; // the direction from b to a to begin with; 0 = along the line of centres
    double relative, absolute;
    double cutoff[LANE_COUNT];
    // The answer, in the caller's unit. Of pairs that are not settled it means nothing: near contact, an overlap, a bad
    // pose, an extreme size, or a simplex that rounding has spoilt.
    unsigned settled; // bit i: lane i
    double distance[LANE_COUNT], lower[LANE_COUNT], upper[LANE_COUNT];
    lane_vectors point_a, point_b, normal;
    lane_carriers witness_a, witness_b;
    double iterations[LANE_COUNT];
} gjk_lanes;

#endif

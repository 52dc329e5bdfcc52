// A lower end of the gap between two bodies along a direction, from now on (bounds.c).
#ifndef APART_MOTION_BOUNDS_H
#define APART_MOTION_BOUNDS_H

#include "motion/moving.h"

/// What lengths of a motion, and what it makes of directions, are rounded by, in parts of them.
#define MOTION_ROUNDING 0x1p-45

/// One body along n. Working lengths.
typedef struct bound_side {
    moving_piece* piece;
    const mover* body;
    vec3 d, m;          // h is asked along d + s m: n and m_a, or -n and -m_b
    double bend[2];     // |f''| at most bend[0] + s bend[1],
    double bend_most;   // and at most this
    double size, slack; // reach + |pivot|; of the pose
    uint32_t hint;
} bound_side;

/// G(s) = still + s slope - h_a - h_b - s^2/2 C, working lengths, the clearance taken off.
typedef struct gap_bound {
    const moving_pair* pair;
    bound_side side[2];
    vec3 n;
    double still, slope;
    double turn;        // |d + s m| <= 1 + s turn
    double size, rough; // of what is rounded in still, and in slope
} gap_bound;

/// Two pieces now, along a unit vector of the world, from a to b, which is fixed there. The pair and the pieces must
/// outlive the bound.
void apart_bound_init(gap_bound* g, const moving_pair* m, moving_piece piece[2], vec3 n);

/// Then, along the same vector as one that turns with a frame, which may be that of a body, all being known; NULL =
/// fixed in the world.
void apart_bound_in_frame(gap_bound* g, const moment* frame);

/// A lower end of G(s) but for the two support functions, rounding taken off, theirs included; *bend: C.
double apart_bound_rest(const gap_bound* g, double s, double* bend);

#endif

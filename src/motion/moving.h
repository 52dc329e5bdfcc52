// Two bodies in motion, and what is certain about the distance of two convex pieces of them over a stretch of time.
//
// Time is followed forwards or backwards; "elapsed" is what has passed since now, either way. Lengths are the caller's
// unless "working" is said: those are divided by a power of two, `unit`, in which the whole motion has a size below 1.
#ifndef APART_MOTION_MOVING_H
#define APART_MOTION_MOVING_H

#include "depth/pair.h"
#include "motion/path.h"

/// One of the two bodies.
typedef struct mover {
    const apart_shape* shape;
    path path;
    moment now;
} mover;

/// A convex piece of a body: the body itself, a part of a union, a triangle of a mesh. Against a half-space any body is
/// one piece: it is as near as its hull.
typedef struct moving_piece {
    const apart_shape* shape;
    const apart_pose* in_body; // where it is in the body; NULL = the body's coordinates are its own
    double blur;               // what in_body may be wrong by
    double reach;              // of any of its points from the pivot, its radius included
    double swing;              // how far any of them is from the axis of the motion,
    vec3 axis;                 // which was this when swing was computed: in the world, constant along a piece of path
} moving_piece;

typedef struct moving_pair {
    mover body[2];         // a, b
    moving_piece whole[2]; // the bodies themselves, whatever they are
    apart_status status; // of the first caller's function or measurement that failed. From there on nothing moves, and
                         // distances are told as 0: a contact, which ends whatever looks for one
    double time;         // of both moments
    bool backwards;      // time goes from 1 to 0
    double unit, inverse;
    double clearance, tolerance, time_tolerance;
    int steps, most_steps; // distances measured, and how many may be
    apart_cache cache;     // of the two bodies
} moving_pair;

/// Whether one of them is a half-space, which does not turn: its normal is the only direction that matters.
static inline bool moving_has_plane(const moving_pair* m) {
    return m->body[0].shape->kind == SHAPE_HALFSPACE || m->body[1].shape->kind == SHAPE_HALFSPACE;
}

/// Whether all numbers of a query are in their ranges.
apart_status apart_motion_query_check(const apart_motion_query* q);

/// Checks two shapes and motions, finds the unit, and fills in what a query leaves open. The moments are those of time
/// 0. APART_UNSUPPORTED: two half-spaces, or one that turns.
apart_status apart_moving_init(moving_pair* m, const apart_shape* a, const apart_motion* motion_a, const apart_shape* b,
                               const apart_motion* motion_b, const apart_motion_query* query);

/// Takes both bodies to a time.
void apart_moving_go(moving_pair* m, double time);

/// Whether the velocities of both are known.
static inline bool moving_is_known(const moving_pair* m) { return m->body[0].now.known && m->body[1].now.known; }

/// The time at which a piece of one of the two motions ends, or `end` if that comes first.
static inline double moving_until(const moving_pair* m, double end) {
    double a = m->body[0].now.until, b = m->body[1].now.until;
    return m->backwards ? larger(larger(a, b), end) : smaller(smaller(a, b), end);
}
/// How much later time y is than time x.
static inline double moving_elapsed(const moving_pair* m, double x, double y) { return m->backwards ? x - y : y - x; }

/// The time `elapsed` after another, rounded towards that, but not beyond `end`.
double apart_moving_later(const moving_pair* m, double from, double elapsed, double end);

/// A stored point of a piece in the coordinates of its body.
static inline vec3 piece_point(const moving_piece* p, vec3 stored) {
    vec3 x = shape_to_local(p->shape, stored);
    return p->in_body ? vec3_add(mat3_mul(&p->in_body->rotation, x), p->in_body->translation) : x;
}

/// A body as one piece: reach and swing are found from its box, or the corners of a small one.
moving_piece apart_moving_piece(const mover* body, double blur);

/// Its swing about the axis of the moment.
double apart_moving_swing(const mover* body, moving_piece* piece);

/// The distance at a time of two pieces, or of the bodies, of any kind, what the poses may be wrong by included. Leaves
/// the moments there. Counts a step. cache: may be NULL.
void apart_moving_measure(moving_pair* m, double time, const moving_piece piece[2], const apart_query* query,
                          apart_cache* cache, apart_result* result);

/// Change of distance per unit of elapsed time, as the nearest points of a result tell; as far as velocities are known.
double apart_moving_rate(const moving_pair* m, const apart_result* result);

/// A frame that turns as the normal of a result did on the way to it from an earlier one, and moves with its points.
moment apart_moving_frame(const moving_pair* m, const apart_result* result, vec3 earlier, double elapsed);

/// How fast any two points of the pieces come towards each other at most, on the way to moving_until.
double apart_moving_speed(const moving_pair* m, const moving_piece piece[2]);

// ------------------------------------------------------------------------------------------------------ bounds.c ----

/// What lengths of a motion, and what it makes of directions, are rounded by, in parts of them.
#define MOTION_ROUNDING 0x1p-45

/// One body along n. Working lengths.
typedef struct bound_side {
    moving_piece* piece;
    const mover* body;
    vec3 d, m;          // h is asked along d + s m: n and m_a, or -n and -m_b
    double bend[2];     // |f''| at most bend[0] + s bend[1]
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

/// How long two pieces are certainly farther apart than the clearance: from now on, at least for the time that is
/// returned, and that is at most `horizon`, which must not lead beyond moving_until. 0 may mean that it is not
/// certain even now. n: a unit vector of the world, from a to b. with: a frame in which n may stay, beside the world
/// and the bodies, as a moment of it; NULL = none. *gap: how far apart they are at least during that time.
double apart_moving_free(const moving_pair* m, moving_piece piece[2], vec3 n, const moment* with, double horizon,
                         double* gap);

// ------------------------------------------------------------------------------------------------------ follow.c ----

/// What became of two bodies between two times. It is certain that they are farther apart than the clearance from the
/// first one until `time`, which is not included unless it is the second one and kind is APART_FREE.
typedef struct encounter {
    apart_contact_kind kind;
    double time;
    double hit;  // CONTACT: at some instant from `time` to here they are within the clearance
    double gap;  // never nearer until `time`
    vec3 normal; // of two pieces that did not stay free: from a to b, shortly before; zero if it was never measured
} encounter;

/// Follows two convex pieces from a time to another, which may be the earlier one.
void apart_follow_pieces(moving_pair* m, moving_piece piece[2], double begin, double end, encounter* e);

/// Follows two bodies one of which at least is a mesh or a union: a search of their trees (sweep.c).
void apart_sweep(moving_pair* m, double begin, double end, encounter* e);

/// Follows two bodies of any kind.
void apart_follow(moving_pair* m, double begin, double end, encounter* e);

#endif

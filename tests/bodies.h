// Random bodies and pairs of them: every kind of shape, every kind of placement, all sizes and places.
#ifndef APART_TESTS_BODIES_H
#define APART_TESTS_BODIES_H

#include "oracle.h"
#include "random.h"

/// How the second body is put beside the first.
typedef enum placement {
    PLACE_FAR,       // 10 to 1000 sizes away
    PLACE_APART,     // 0.05 to 2 sizes
    PLACE_NEAR,      // 1e-12 to 1e-3 sizes
    PLACE_TOUCHING,  // gap 0, up to rounding
    PLACE_SHALLOW,   // overlapping by 1e-12 to 1e-3 sizes
    PLACE_DEEP,      // centres near each other
    PLACE_NESTED,    // a small body inside
    PLACE_IDENTICAL, // the same body at the same pose
    PLACE_CONCENTRIC // different bodies, the same centre
} placement;

#define PLACEMENTS 9
extern const char* const placement_names[PLACEMENTS];
extern const char* const body_kind_names[BODY_KINDS];

typedef struct pair {
    uint64_t seed;
    placement placement;
    body a, b;
    apart_pose pose_a, pose_b;
} pair;

/// A body of any kind, of extent about 1, with at most `most` points.
void body_random(rng* r, body* b, int most);
/// A cloud of `count` points on the unit sphere: all of them corners.
void body_cospherical(rng* r, body* b, int count);
/// Multiplies all lengths.
void body_scale(body* b, double s);
/// A point well inside, in local coordinates.
apart_vec3 body_centre(const body* b);

/// Puts b beside a so that their nearest points are a's farthest point along the world direction n and b's farthest
/// along -n, `gap` apart (overlapping if negative). Sets only p->pose_b.translation.
void pair_abut(pair* p, apart_vec3 n, double gap);
/// Puts b in a, mostly: deep or shallow, touching, just apart, middle on middle; now and then b is a itself.
void pair_overlap(rng* r, pair* p);
/// Of both bodies, and how far their origins are apart.
double pair_size(const pair* p);
/// Multiplies all lengths and places.
void pair_scale(pair* p, double s);
/// Exchanges the two bodies, poses included.
void pair_exchange(pair* p);
/// A place without a turn.
apart_pose pose_at(double x, double y, double z);
/// Turns a pose about the origin of the world, then shifts it.
void pose_move(apart_pose* pose, const apart_mat3* turn, apart_vec3 shift);
/// The same for both bodies.
void pair_move(pair* p, const apart_mat3* turn, apart_vec3 shift);
/// The pair of this seed.
void pair_random(pair* p, uint64_t seed);
/// Writes the pair down to the last bit.
void pair_print(FILE* out, const pair* p);

#endif

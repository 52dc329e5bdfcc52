// Random numbers, directions and rotations for tests: the same bits on every machine.
//
// xoshiro256** (Blackman and Vigna 2018), its state filled by splitmix64. Only + - * / sqrt and ldexp on doubles, so
// that a seed names the same bodies everywhere.
#ifndef APART_TESTS_RANDOM_H
#define APART_TESTS_RANDOM_H

#include "apart/apart.h"

typedef struct rng {
    uint64_t s[4];
} rng;

/// One step of splitmix64: a well-mixed number for each value of a counter.
static inline uint64_t rng_splitmix64(uint64_t* counter) {
    uint64_t z = (*counter += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/// A generator for this seed; different seeds give unrelated sequences.
static inline rng rng_seed(uint64_t seed) {
    rng r;
    for (int i = 0; i < 4; i++) r.s[i] = rng_splitmix64(&seed);
    return r;
}

static inline uint64_t rng_rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

/// 64 random bits.
static inline uint64_t rng_next(rng* r) {
    uint64_t result = rng_rotl(r->s[1] * 5, 7) * 9;
    uint64_t t = r->s[1] << 17;
    r->s[2] ^= r->s[0];
    r->s[3] ^= r->s[1];
    r->s[1] ^= r->s[2];
    r->s[0] ^= r->s[3];
    r->s[2] ^= t;
    r->s[3] = rng_rotl(r->s[3], 45);
    return result;
}

/// Uniform in [0, 1), a multiple of 2^-53.
static inline double rng_unit(rng* r) { return (double)(rng_next(r) >> 11) * 0x1p-53; }

/// Uniform in [low, high).
static inline double rng_uniform(rng* r, double low, double high) { return low + (high - low) * rng_unit(r); }

/// Uniform in 0 .. n - 1, n >= 1 (the bias of the remainder, n / 2^64, does not matter here).
static inline int rng_below(rng* r, int n) { return (int)(rng_next(r) % (uint64_t)n); }

/// Uniform in low .. high, both included.
static inline int rng_between(rng* r, int low, int high) { return low + rng_below(r, high - low + 1); }

/// True with this probability.
static inline bool rng_chance(rng* r, double probability) { return rng_unit(r) < probability; }

/// A size spread evenly over magnitudes: (1 + u) * 2^k with k in low .. high.
static inline double rng_magnitude(rng* r, int low, int high) {
    int k = rng_between(r, low, high);
    return ldexp(1 + rng_unit(r), k);
}

/// A point of the cube [-half, half]^3.
static inline apart_vec3 rng_in_cube(rng* r, double half) {
    apart_vec3 p;
    p.x = rng_uniform(r, -half, half);
    p.y = rng_uniform(r, -half, half);
    p.z = rng_uniform(r, -half, half);
    return p;
}

/// A point of the unit ball, not too near its centre (squared length in [1/16, 1]).
static inline apart_vec3 rng_in_ball(rng* r) {
    for (;;) {
        apart_vec3 p = rng_in_cube(r, 1);
        double q = p.x * p.x + p.y * p.y + p.z * p.z;
        if (q <= 1 && q >= 0.0625) return p;
    }
}

/// At part s of the way from a to b.
static inline apart_vec3 point_between(apart_vec3 a, double s, apart_vec3 b) {
    apart_vec3 p = {a.x + s * (b.x - a.x), a.y + s * (b.y - a.y), a.z + s * (b.z - a.z)};
    return p;
}

/// A unit vector, evenly spread.
static inline apart_vec3 rng_unit_vector(rng* r) {
    apart_vec3 p = rng_in_ball(r);
    double length = sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
    apart_vec3 u = {p.x / length, p.y / length, p.z / length};
    return u;
}

/// The rotation matrix of a quaternion of any length but zero.
static inline apart_mat3 rng_matrix(double w, double x, double y, double z) {
    double s = 2 / (w * w + x * x + y * y + z * z);
    apart_mat3 m = {{{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
                     {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
                     {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}}};
    return m;
}

/// A rotation, evenly spread.
static inline apart_mat3 rng_rotation(rng* r) {
    for (;;) {
        double w = rng_uniform(r, -1, 1), x = rng_uniform(r, -1, 1);
        double y = rng_uniform(r, -1, 1), z = rng_uniform(r, -1, 1);
        double q = w * w + x * x + y * y + z * z;
        if (q <= 1 && q >= 0.0625) return rng_matrix(w, x, y, z);
    }
}

/// An evenly spread rotation with this translation.
static inline apart_pose rng_pose(rng* r, apart_vec3 translation) {
    apart_pose p;
    p.rotation = rng_rotation(r);
    p.translation = translation;
    return p;
}

/// One of the 24 rotations that map the axes to axes; its entries are exactly 0, 1 and -1.
static inline apart_mat3 rng_quarter_turns(rng* r) {
    apart_mat3 m = {{{0}}};
    int first = rng_below(r, 3), turn = rng_between(r, 1, 2);
    int second = (first + turn) % 3, third = 3 - first - second;
    double s0 = rng_chance(r, 0.5) ? 1 : -1, s1 = rng_chance(r, 0.5) ? 1 : -1;
    m.m[0][first] = s0;
    m.m[1][second] = s1;
    m.m[2][third] = turn == 1 ? s0 * s1 : -s0 * s1;
    return m;
}

/// Matrix product a b.
static inline apart_mat3 rng_product(const apart_mat3* a, const apart_mat3* b) {
    apart_mat3 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
    return c;
}

#endif

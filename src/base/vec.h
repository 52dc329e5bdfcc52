// Three-dimensional vectors and matrices, as small inline functions. Every expression is evaluated in the order
// written (-ffp-contract=off), so that the same inputs give the same bits everywhere.
#ifndef APART_BASE_VEC_H
#define APART_BASE_VEC_H

#include "apart/apart.h"
#include "base/arithmetic.h"

#include <string.h>

typedef apart_vec3 vec3;
typedef apart_mat3 mat3;

/// As fmin and fmax, but inlined; not for NaN.
static inline double smaller(double a, double b) { return a < b ? a : b; }
static inline double larger(double a, double b) { return a > b ? a : b; }

/// The e for which |x| / 2^e lies in [1/2, 1), but not so small that 2^-e overflows; 0 for 0.
static inline int exponent_of(double x) {
    int exponent = 0;
    (void)frexp(x, &exponent);
    return exponent < -1000 ? -1000 : exponent;
}

static inline vec3 vec3_make(double x, double y, double z) {
    vec3 r = {x, y, z};
    return r;
}
static inline vec3 vec3_add(vec3 a, vec3 b) { return vec3_make(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline vec3 vec3_sub(vec3 a, vec3 b) { return vec3_make(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline vec3 vec3_neg(vec3 a) { return vec3_make(-a.x, -a.y, -a.z); }
static inline vec3 vec3_scale(double s, vec3 a) { return vec3_make(s * a.x, s * a.y, s * a.z); }
static inline double vec3_dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double vec3_length(vec3 a) { return sqrt(vec3_dot(a, a)); }
static inline vec3 vec3_cross(vec3 a, vec3 b) {
    return vec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
/// Twice the area of a triangle as a vector, of its two shorter sides: long ones of a needle would cancel.
static inline vec3 vec3_area(vec3 a, vec3 b, vec3 c) {
    vec3 ab = vec3_sub(b, a), bc = vec3_sub(c, b), ca = vec3_sub(a, c);
    double x = vec3_dot(ab, ab), y = vec3_dot(bc, bc), z = vec3_dot(ca, ca);
    if (x >= y && x >= z) return vec3_cross(bc, ca);
    return y >= z ? vec3_cross(ca, ab) : vec3_cross(ab, bc);
}
/// a + s b
static inline vec3 vec3_mad(vec3 a, double s, vec3 b) { return vec3_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z); }
static inline bool vec3_equal(vec3 a, vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
/// All bits but the signs are looked at together.
static inline bool vec3_is_zero(vec3 a) {
    uint64_t bits[3];
    memcpy(bits, &a, sizeof bits);
    return (bits[0] | bits[1] | bits[2]) << 1 == 0;
}
/// a without its part along e, where a is known to be square to e but for rounding. Both are differences of points with
/// the same absolute error, so the longer one knows its direction better: a itself if that is a, or if nothing is left.
static inline vec3 vec3_square_to(vec3 a, vec3 e) {
    double ee = vec3_dot(e, e);
    if (!(ee > vec3_dot(a, a))) return a;
    vec3 r = vec3_mad(a, -vec3_dot(a, e) / ee, e);
    return vec3_dot(r, r) > 0 ? r : a;
}
/// The unit vector along a, however short a is; the x axis for a zero vector.
static inline vec3 vec3_unit(vec3 a) {
    double squared = vec3_dot(a, a);
    while (squared <= 0x1p-900) {
        if (vec3_is_zero(a)) return vec3_make(1, 0, 0);
        a = vec3_scale(0x1p500, a);
        squared = vec3_dot(a, a);
    }
    return vec3_scale(1 / sqrt(squared), a);
}
/// A unit vector square to a.
static inline vec3 vec3_square(vec3 a) {
    double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
    vec3 axis = {0, 0, 1};
    if (x <= y && x <= z) {
        axis = vec3_make(1, 0, 0);
    } else if (y <= z) {
        axis = vec3_make(0, 1, 0);
    }
    return vec3_unit(vec3_cross(a, axis));
}
/// Coordinate by coordinate.
static inline vec3 vec3_min(vec3 a, vec3 b) {
    return vec3_make(smaller(a.x, b.x), smaller(a.y, b.y), smaller(a.z, b.z));
}
static inline vec3 vec3_max(vec3 a, vec3 b) { return vec3_make(larger(a.x, b.x), larger(a.y, b.y), larger(a.z, b.z)); }
static inline double vec3_sum_abs(vec3 a) { return fabs(a.x) + fabs(a.y) + fabs(a.z); }
static inline double vec3_max_abs(vec3 a) { return larger(fabs(a.x), larger(fabs(a.y), fabs(a.z))); }
/// Coordinate 0, 1 or 2.
static inline double vec3_at(vec3 a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }
static inline bool vec3_is_finite(vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

/// R a
static inline vec3 mat3_mul(const mat3* r, vec3 a) {
    return vec3_make(r->m[0][0] * a.x + r->m[0][1] * a.y + r->m[0][2] * a.z,
                     r->m[1][0] * a.x + r->m[1][1] * a.y + r->m[1][2] * a.z,
                     r->m[2][0] * a.x + r->m[2][1] * a.y + r->m[2][2] * a.z);
}
/// R^T a
static inline vec3 mat3_tmul(const mat3* r, vec3 a) {
    return vec3_make(r->m[0][0] * a.x + r->m[1][0] * a.y + r->m[2][0] * a.z,
                     r->m[0][1] * a.x + r->m[1][1] * a.y + r->m[2][1] * a.z,
                     r->m[0][2] * a.x + r->m[1][2] * a.y + r->m[2][2] * a.z);
}
static inline vec3 mat3_row(const mat3* r, int i) { return vec3_make(r->m[i][0], r->m[i][1], r->m[i][2]); }
static inline vec3 mat3_column(const mat3* r, int j) { return vec3_make(r->m[0][j], r->m[1][j], r->m[2][j]); }
/// How far R is from a rotation: the largest entry of |R^T R - I|. A pose of the caller has at most 1e-6, a product of
/// those of nested unions at most MOST_SKEW.
static inline double mat3_skew(const mat3* r) {
    double largest = 0;
    for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j) {
            double product = r->m[0][i] * r->m[0][j] + r->m[1][i] * r->m[1][j] + r->m[2][i] * r->m[2][j];
            largest = larger(fabs(product - (i == j)), largest); // NaN counts for nothing
        }
    }
    return largest;
}
#define MOST_SKEW 1e-3
/// |R x| and |R^-1 x| are |x| but for this part of it: no eigenvalue of R^T R differs from 1 by more than the sum of
/// three entries (Gershgorin), and for x < 1/2 both the root of 1 +- x and its inverse are within 1 +- x. The rest is
/// rounding.
static inline double mat3_stretch(const mat3* r) { return 3 * mat3_skew(r) + 0x1p-48; }
/// A B
static inline mat3 mat3_product(const mat3* a, const mat3* b) {
    mat3 r;
    for (int j = 0; j < 3; ++j) {
        vec3 column = mat3_mul(a, mat3_column(b, j));
        r.m[0][j] = column.x;
        r.m[1][j] = column.y;
        r.m[2][j] = column.z;
    }
    return r;
}

#endif

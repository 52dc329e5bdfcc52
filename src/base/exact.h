// Sums and products with their rounding errors: a + b = sum + error, a * b = product + error, exactly.
#ifndef APART_BASE_EXACT_H
#define APART_BASE_EXACT_H

#include "base/vec.h"

/// Knuth's two-sum. Returns the rounded sum.
static inline double exact_sum(double a, double b, double* error) {
    double s = a + b, t = s - a;
    *error = (a - (s - t)) + (b - t);
    return s;
}

/// Dekker's product (1971): halves of 26 bits have exact products. Returns the rounded product. Exact as long as
/// nothing overflows (|a|, |b| < 2^990) or comes near the end of the range (|a b| > 2^-900, or zero).
static inline double exact_product(double a, double b, double* error) {
    double p = a * b;
    double ca = a * 0x1.0000002p27, cb = b * 0x1.0000002p27;
    double ah = ca - (ca - a), bh = cb - (cb - b), al = a - ah, bl = b - bh;
    *error = ((ah * bh - p) + ah * bl + al * bh) + al * bl;
    return p;
}

/// Adds to a sum of vectors; what rounding loses of it adds up in `lost`.
static inline void exact_add(vec3* sum, vec3* lost, vec3 term) {
    double x, y, z;
    *sum = vec3_make(exact_sum(sum->x, term.x, &x), exact_sum(sum->y, term.y, &y), exact_sum(sum->z, term.z, &z));
    *lost = vec3_add(*lost, vec3_make(x, y, z));
}

/// Adds w (x - p) to a sum as if in twice the precision: what rounding loses of it adds up in `lost`.
static inline void exact_add_product(double* sum, double* lost, double w, double x, double p) {
    // x - p = high + low, w high = product + rest: each of them exactly.
    double low, high = exact_sum(x, -p, &low), rest, product = exact_product(w, high, &rest), error;
    *sum = exact_sum(*sum, product, &error);
    *lost += error + (rest + w * low);
}

/// The sum of w.x (x.x - p.x) and so on, added to `start`.
static inline double exact_dot(double start, vec3 w, vec3 x, vec3 p) {
    double lost = 0;
    exact_add_product(&start, &lost, w.x, x.x, p.x);
    exact_add_product(&start, &lost, w.y, x.y, p.y);
    exact_add_product(&start, &lost, w.z, x.z, p.z);
    return start + lost;
}

#endif

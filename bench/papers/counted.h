/// Arithmetic that is counted: the operations of formula (39) of Gilbert, Johnson, Keerthi 1988.
///
/// The papers give their costs in operations. The library's own code has no counters, and does more than the papers do
/// (certain bounds, proofs of overlap); so the papers' algorithms are written out once more, as published, and every
/// function of theirs that computes adds what it did with `tick`.
#ifndef APART_BENCH_PAPERS_COUNTED_H
#define APART_BENCH_PAPERS_COUNTED_H

#include "base/vec.h"

typedef struct operations {
    uint64_t multiply, add, divide, compare; ///< a square root counts as a division, a difference as a sum
} operations;

/// Since it was last set to zero.
extern operations counted;

static inline void tick(int multiply, int add, int divide, int compare) {
    counted.multiply += (uint64_t)multiply;
    counted.add += (uint64_t)add;
    counted.divide += (uint64_t)divide;
    counted.compare += (uint64_t)compare;
}

static inline operations operations_add(operations a, operations b) {
    return (operations){a.multiply + b.multiply, a.add + b.add, a.divide + b.divide, a.compare + b.compare};
}

/// Equivalent flops by (39), with the times of the Harris 800 in microseconds. A flop is a multiplication and an
/// addition.
static inline double equivalent_flops(operations n) {
    double us = 3.8 * (double)n.multiply + 2.1 * (double)n.add + 6.7 * (double)n.divide + 1.7 * (double)n.compare;
    return us / (3.8 + 2.1);
}

/// An inner product.
static inline double counted_dot(vec3 a, vec3 b) {
    tick(3, 2, 0, 0);
    return vec3_dot(a, b);
}

static inline vec3 counted_sub(vec3 a, vec3 b) {
    tick(0, 3, 0, 0);
    return vec3_sub(a, b);
}

/// What Lumelsky's steps end with.
typedef struct segment_steps {
    double first_t, first_u, second_t; ///< as computed in steps 2, 3, 4, before (12); NAN if a step was left out
    double t, u, squared;
} segment_steps;

/// Lumelsky 1985, steps 1 to 5, in 1 to 8 dimensions, counted. step 5 by (7) as it is printed.
segment_steps lumelsky_steps(int n, const double* a, const double* b, const double* c, const double* d);

#endif

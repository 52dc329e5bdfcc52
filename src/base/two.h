// Two doubles at a time, in a form that every compiler turns into the best that its machine has; the same bits as one
// by one.
#ifndef APART_BASE_TWO_H
#define APART_BASE_TWO_H

#include "base/vec.h"

#include <string.h>

typedef double two __attribute__((vector_size(16)));
typedef struct two3 {
    two x, y, z;
} two3;

static inline two two_of(double a, double b) { return (two){a, b}; }
static inline void two_store(double* p, two a) { memcpy(p, &a, sizeof a); }
static inline two3 two3_of(vec3 a, vec3 b) { return (two3){{a.x, b.x}, {a.y, b.y}, {a.z, b.z}}; }
static inline two3 two3_sub(two3 a, two3 b) { return (two3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline two two3_dot(two3 a, two3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline two3 two3_cross(two3 a, two3 b) {
    return (two3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

#endif

// The three inner loops of the trees, eight lanes at a time: a box against the children of a node, pairs of triangles,
// a ray against the children of a node. Compiled for AVX-512, AVX2 and any machine; all give the same bits.
#ifndef APART_TREE_WIDE_H
#define APART_TREE_WIDE_H

#include "tree/tree.h"

/// What is asked of a node: how far its boxes are from another box, in the node's frame (its coordinates times factor).
typedef struct wide_box {
    double factor;  // from the node's coordinates to the unit of the rest
    tree_box box;   // the other box, in the node's frame; half widened so that its axes may be taken as square
    vec3 toward;    // the functional x -> n . (R x) as a vector of the node's frame, n being a unit vector of the world
    double reach;   // how far the other box reaches along it from its center
    double keep;    // distances in the node's frame times this are at most those of the world
} wide_box;

/// Eight pairs of triangles. Corners are in stored coordinates: [corner][coordinate][lane].
typedef struct wide_triangles {
    double a[3][3][LANE_COUNT], b[3][3][LANE_COUNT];
} wide_triangles;

/// How they are brought to the world: matrix (rotation times factor) of either, and what is added to those of a.
typedef struct wide_frame {
    mat3 a, b;
    vec3 offset;
} wide_frame;

/// What is known of the eight distances: a vector v from a point of a to a point of b, its length, and a lower end:
/// how far v separates the corners. Rounding is left to the caller (difference.h).
typedef struct wide_gaps {
    double v[3][LANE_COUNT], upper[LANE_COUNT], lower[LANE_COUNT];
} wide_gaps;

typedef struct wide_kernels {
    /// Lower ends of the distances between q->box and the eight boxes of a node. May be negative where they overlap.
    void (*bounds)(const tree_node* node, const wide_box* q, double bound[LANE_COUNT]);
    /// Nearest points of eight pairs of triangles, as good as plain formulas get; the lower ends say how good.
    void (*triangles)(const wide_triangles* pairs, const wide_frame* frame, wide_gaps* gaps);
    /// Bit i: the ray from `start` along `direction` may meet box i of the node.
    unsigned (*ray)(const tree_node* node, vec3 start, vec3 direction);
    const char* name;
} wide_kernels;

/// The fastest ones that this machine can run. All are listed for the tests: index 0, 1, ... up to NULL.
const wide_kernels* apart_wide(void);
const wide_kernels* apart_wide_kernels(int index);

extern const wide_kernels apart_wide_portable;
#if defined(__x86_64__)
extern const wide_kernels apart_wide_avx2, apart_wide_avx512;
#endif

#endif

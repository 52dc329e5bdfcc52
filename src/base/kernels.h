// The inner loops that are worth an instruction set of their own, eight lanes at a time: one table of them for AVX-512,
// one for AVX2, one for any machine. All give the same bits (lanes.h).
//
// A kernel is written once, in an .inc file of the room that it belongs to, calls nothing, and is compiled with each
// table (kernels.inc). What it works on is declared by that room; here its types are names only.
#ifndef APART_BASE_KERNELS_H
#define APART_BASE_KERNELS_H

#include "base/lanes.h"
#include "base/vec.h"

struct difference;
struct nearest_facet;
struct polytope;
struct posed_body;
struct search_task;
struct simplex_start;
struct tree;
struct tree_block;
struct tree_node;
struct vertex;
struct wide_match;
struct wide_meet;
struct wide_motion;
struct wide_frame;
struct wide_triangles;
struct wide_gaps;
struct wide_reach;
struct gjk_lanes;
struct sphere_task;
struct aabb;
struct box_node;
struct zonotope;

typedef struct kernels {
    const char* name;

    // Support (body/support.inc).
    /// Index of the largest (x[i] dx + y[i] dy) + z[i] dz, i < padded; the lowest one on a tie. Not for NaN. padded is
    /// a multiple of LANE_COUNT, above 0.
    uint32_t (*argmax)(const double* x, const double* y, const double* z, uint32_t padded, const vec3* d);

    // Polytopes whose vertices are placed (convex/minkowski.h, minkowski.inc).
    /// Where all vertices of a polytope are: factor * R p, with room for as many as its arrays have.
    void (*place)(const struct polytope* p, const mat3* r, double factor, double* x, double* y, double* z);
    /// The farthest point of the difference along d.
    void (*support)(const struct difference* k, const vec3* d, struct vertex* p);
    /// The farthest vertex of a body along each axis and, the next one, against it; the first one on a tie.
    void (*ends)(const struct posed_body* body, uint32_t end[6]);

    // Two polytopes (convex/search.h, search.inc).
    /// Whether the plain search has the answer: then *result and the cache are written, and nothing else. If not,
    /// *start has the vertices to go on from.
    bool (*search)(const struct search_task* task, struct simplex_start* start, apart_result* result);

    // Two boxes (depth/boxes.h, boxes.inc).
    /// The nearest facet of a zonotope of this size. False if nothing certain can be said.
    bool (*facets)(const struct zonotope* z, double size, struct nearest_facet* least);

    // Trees (mesh/wide.h, wide.inc).
    /// Finds the pairs that may be nearer than the threshold: bit `row` of *rows and bit `lane` of near[row], and a
    /// lower end of their distance, negative where the boxes overlap. The rest of near and bound means nothing. Returns
    /// the number of rows that were compared along all axes.
    int (*match)(const struct wide_match* m, unsigned* rows, unsigned near[LANE_COUNT],
                 double bound[LANE_COUNT][LANE_COUNT]);
    /// Finds the pairs of triangles that may be nearer than the threshold: bit `row` (of a) of the result, and bit
    /// `lane` (of b) of near[row].
    unsigned (*meet)(const struct wide_meet* m, unsigned near[LANE_COUNT]);
    /// Nearest points of eight pairs of triangles, as good as plain formulas get; the lower ends say how good.
    void (*triangles)(const struct wide_triangles* pairs, const struct wide_frame* frame, struct wide_gaps* gaps);
    /// How far the same pairs are apart along the best of eleven directions: the normals of their faces and the
    /// products of their edges. Where they overlap that is their depth, negated. Writes v, of length 1, and lower.
    void (*part)(const struct wide_triangles* pairs, const struct wide_frame* frame, struct wide_gaps* gaps);
    /// How far the boxes of a node reach along a direction of its tree's coordinates, times factor.
    double (*height)(const struct tree_node* node, double factor, vec3 toward);
    /// Goes straight down two trees to items near each other: at each level to the two boxes whose middles are nearest,
    /// until the squared distances of a level differ by less than a factor of `enough`.
    /// place: where to begin, and where it ends. Returns the squared distance of the last two middles.
    double (*descend)(const struct tree* a, const struct tree* b, const struct wide_frame* frame, double enough,
                      uint32_t place[2]);
    /// Bit i: box i of the node is nearer to a point of the tree's coordinates than `limit`. square: how near, squared.
    unsigned (*near_boxes)(const struct tree_node* node, vec3 point, double limit, double square[LANE_COUNT]);
    /// The distances of the same point from the triangles of a block.
    void (*near_triangles)(const struct tree_block* block, vec3 point, struct wide_reach* reach);
    /// Finds the pairs of boxes that may touch before the time is over: bit `row` of the result and bit `lane` of
    /// near[row], and the share of the time for which they certainly do not. The rest of near and share means nothing.
    unsigned (*part_until)(const struct wide_motion* m, unsigned near[LANE_COUNT],
                           double share[LANE_COUNT][LANE_COUNT]);
    /// For which share of the time eight pairs of triangles of these nodes certainly do not touch; 1: all of it.
    void (*part_triangles_until)(const struct wide_triangles* pairs, const struct wide_motion* m,
                                 double share[LANE_COUNT]);
    /// Bit i: the ray from `start`, which is known to `blur` only, along `direction` may meet box i of the node, not
    /// farther off than `length`.
    unsigned (*ray)(const struct tree_node* node, vec3 start, vec3 direction, double length, double blur);

    // Many pairs (batch/gjk_lanes.h, gjk_lanes.inc, spheres.h, spheres.inc).
    /// Measures eight pairs of boxes or small hulls.
    void (*gjk_in_lanes)(struct gjk_lanes* pairs);
    /// Finds the nearest two spheres of two sets.
    void (*spheres)(struct sphere_task* task);

    // Many bodies (scene/box_tree.h, box_tree.inc).
    /// Finds the pairs of boxes of two nodes whose gap is at most `limit`: bit `row` (of a) of the result, bit `lane`
    /// (of b) of near[row], and the gaps. The rest of near and gap means nothing. around_b: a box around those of b.
    unsigned (*near_nodes)(const struct box_node* a, const struct box_node* b, const struct aabb* around_b,
                           double limit, unsigned near[LANE_COUNT], double gap[LANE_COUNT][LANE_COUNT]);
} kernels;

/// The fastest ones that this machine can run. Asked when a shape is built, or once per search.
const kernels* apart_kernels(void);
/// Those for a few operations amid scalar code, which registers of 512 bits would slow down: at most AVX2.
const kernels* apart_kernels_short(void);
/// All that it can run, for the tests: index 0, 1, ... up to NULL, the portable ones last.
const kernels* apart_kernels_at(int index);

extern const kernels apart_kernels_portable;
#if defined(__x86_64__)
extern const kernels apart_kernels_avx2, apart_kernels_avx512;
#endif

#endif

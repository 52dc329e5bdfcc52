// Quinlan's tree of spheres (Efficient Distance Computation between Non-Convex Objects, 1994) and its search.
//
// The surface is covered by small spheres of one radius, each labelled with the triangle that it was made for: the
// leaves. A binary tree of larger spheres stands above them; the sphere of a node contains all leaves below it. Two
// trees are searched depth first, pair of nodes by pair of nodes; pairs of spheres that are farther apart than the best
// distance so far are left out, and where two leaves meet, the distance of their triangles is measured.
#ifndef APART_PAPERS_QUINLAN1994_H
#define APART_PAPERS_QUINLAN1994_H

#include "base/progress.h"
#include "base/vec.h"

/// No leaf lies deeper than this below the root: the search's stack is sized by it.
#define SPHERES_DEPTH 64
/// More leaves than this are refused: with 2^26 of them the tree takes 5 GiB.
#define SPHERES_MOST_LEAVES (UINT32_C(1) << 26)
/// "No triangle": nothing better than the distance handed in was found.
#define SPHERES_NO_TRIANGLE UINT32_MAX

/// A sphere and what is below it.
typedef struct sphere_node {
    vec3 center;
    double radius;
    uint32_t child;    // number of the first child, the second one follows it; 0 = this is a leaf
    uint32_t triangle; // of a leaf
} sphere_node;

/// Plain data, in one block. Node 0 is the root.
typedef struct sphere_tree {
    sphere_node* node;
    uint32_t node_count; // 2 leaf_count - 1
    uint32_t leaf_count;
    int depth;     // steps from the root to the deepest leaf, at most SPHERES_DEPTH
    double radius; // of the leaves: as asked for, rounding allowed for
    double reach;  // nothing in the tree is farther from the origin than this
} sphere_tree;

/// Builds the tree of a surface of at least one triangle in stored coordinates: within the unit ball, radius > 0 in the
/// same unit. Triangles may be degenerate. A radius above 2 counts as 2 (such a sphere covers any triangle), one below
/// 2^-48 as 2^-48 (rounding). The meter is told what is left to do, this being the last part of it, and what is done.
/// O(n log n) for n leaves, whatever the surface.
/// False, with *out as it was: APART_INVALID if the radius needs more than SPHERES_MOST_LEAVES, before anything is
/// allocated, or APART_OUT_OF_MEMORY in *error; nothing there if the meter ended the work.
bool apart_spheres_build(const vec3* vertex, const uint32_t (*triangle)[3], uint32_t triangle_count, double radius,
                         meter* m, sphere_tree* out, apart_error* error);
/// Frees and empties it. NULL and an empty tree are allowed.
void apart_spheres_free(sphere_tree* tree);

/// Where the two bodies are. A point of a is factor_a * rotation_a * stored + offset, one of b factor_b * rotation_b *
/// stored: axes of the world, working units (see convex/minkowski.h). The matrices are not quite rotations,
/// and used as given: radii are multiplied by the norms of the matrices.
typedef struct sphere_frame {
    const mat3 *rotation_a, *rotation_b;
    double factor_a, factor_b;
    vec3 offset;  // from b's stored origin to a's
    double error; // by which the place of one body beside the other is unsure: lower ends are widened by it
} sphere_frame;

/// When to stop. Lengths in working units.
typedef struct sphere_goal {
    double relative_error; // Quinlan's alpha, 0 to 1
    double absolute_error; // >= 0
    double cutoff;         // pairs beyond it do not matter; INFINITY = all do
    double radii;          // sum of the bodies' spherical extensions, for which the search allows: the errors and the
                           // cutoff are those of the distance less radii, and at radii the bodies touch
    double best;           // a distance of the two surfaces known from elsewhere; INFINITY = none
} sphere_goal;

/// The exact distance of two triangles, in working units. A caller whose distances have errors of their own takes them
/// off the bracket afterwards. -INFINITY ends the search.
typedef double (*sphere_leaf_fn)(void* context, uint32_t triangle_a, uint32_t triangle_b);

typedef struct sphere_outcome {
    uint32_t triangle_a, triangle_b; // the nearest pair found, or SPHERES_NO_TRIANGLE if none was nearer than goal.best
    double upper;                    // their distance, or goal.best
    double lower; // all triangles that were not measured are at least this far apart, rounding included. INFINITY
                  // if every pair was measured, 0 where the search ended because the bodies touch
    uint64_t node_tests; // distances of two spheres
    uint64_t leaf_tests; // distances of two triangles
} sphere_outcome;

/// Searches for the nearest two triangles. Afterwards upper and lower, both less radii, meet one of the three errors,
/// up to rounding: lower >= (1 - alpha) upper, or lower >= upper - absolute_error, or lower >= cutoff. Never allocates;
/// at most leaf_count_a * leaf_count_b leaf tests; the same inputs give the same steps. Whatever the goal, at least one
/// pair is measured unless goal.best is finite.
void apart_spheres_search(const sphere_tree* a, const sphere_tree* b, const sphere_frame* frame,
                          const sphere_goal* goal, sphere_leaf_fn leaf, void* context, sphere_outcome* out);

#endif

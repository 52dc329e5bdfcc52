// The true distance of two bodies that are not convex, by brute force, and the certificate of an answer.
//
// A thing is a list of pieces in place: surfaces and convex bodies. Its distance to another is the least over all pairs
// of their leaves, a leaf being a triangle or a convex body. Every pair is looked at: those that a slab shows to be too
// far are left out, the rest goes to the oracle for convex bodies, in quadruple precision and with a proof. What lies
// inside a solid is found by rays and by solid angles, in long double. Nothing here knows the library's trees.
#ifndef APART_TESTS_MESH_ORACLE_H
#define APART_TESTS_MESH_ORACLE_H

#include "certificate.h"
#include "mesh_models.h"

// ----------------------------------------------------------------------------------------------------- things ----

/// A surface or a convex body, and where it is.
typedef struct piece {
    const surface* surface; // or NULL
    const body* body;       // or NULL
    apart_pose pose;
} piece;

#define MOST_PIECES 64

/// One piece: a mesh or a convex body. More: a union, nested ones taken apart.
typedef struct thing {
    int count;
    piece piece[MOST_PIECES];
    double loose; // 1 if poses of pieces were multiplied out in double precision, else 0
} thing;

thing thing_surface(const surface* s, const apart_pose* pose);
thing thing_body(const body* b, const apart_pose* pose);
/// The pieces of t, all moved by `pose`. Multiplies poses out, unless one of the two is the identity.
void thing_add(thing* to, const thing* t, const apart_pose* pose);
/// world = outer (inner (local)), in double precision.
apart_pose pose_product(const apart_pose* outer, const apart_pose* inner);
/// A shape of the thing for a query with the identity as its pose: the piece itself would need its own pose.
apart_shape* thing_shape(const thing* t, apart_error* error);

// ------------------------------------------------------------------------------------------------------ truth ----

typedef enum thing_regime {
    THINGS_APART,
    THINGS_NEAR,
    THINGS_TOUCHING,
    THINGS_CROSSING,
    THINGS_NESTED, // one wholly or in part inside a solid of the other, surfaces apart
    THING_REGIMES
} thing_regime;
extern const char* const thing_regime_names[THING_REGIMES];

typedef struct thing_truth {
    quad lower, upper; // lower <= true distance <= upper
    quad surface;      // the distance of the surfaces and convex bodies, whatever is inside what: an upper bound
    quad depth;        // proven overlap of one pair of leaves
    double size;       // of both together
    double place;      // size of the numbers: |local coordinates| + |translations|
    bool nested;       // a piece of surface, or a convex body, lies inside a solid of the other
    bool unknown;      // whether something is nested cannot be said: a surface between open and closed
    bool round;        // a convex body without corners takes part
    long pairs;        // pairs of leaves that went to the oracle
} thing_truth;

thing_truth thing_distance(const thing* a, const thing* b);
thing_regime thing_regime_of(const thing_truth* t);

/// What one component of a surface encloses.
typedef enum enclosure { ENCLOSES_NOTHING, ENCLOSES_SOLID, ENCLOSES_UNKNOWN } enclosure;

/// The components of a surface: triangles that share an edge, vertices with equal coordinates being one.
typedef struct anatomy {
    size_t triangles;
    int count;
    uint32_t* of;         // the component of each triangle
    enclosure* encloses;  // of each component; `hollow` is not looked at
    bool* two_sided;      // every edge has one triangle on either side, going round the same way
    size_t open_edges;    // edges of an odd number of triangles
    size_t crowded_edges; // of more than two
} anatomy;

anatomy anatomy_make(const surface* s);
void anatomy_free(anatomy* a);

/// The winding number of a component about a point, in local coordinates.
double winding_number(const surface* s, const anatomy* a, int component, apart_vec3 p);
/// Whether most of a few rays from the point cross the component an odd number of times.
bool ray_parity(const surface* s, const anatomy* a, int component, apart_vec3 p);

// ------------------------------------------------------------------------------------------------ certificates ----

/// How far off the worst answer was.
typedef struct thing_census {
    long judged[THING_REGIMES];
    long wrong, unknown;
    double gap;        // distance - lower_bound of exact queries, of the size
    double off;        // of the points, in roundings of the numbers they are made of
    double oracle;     // the oracle's own gap, of the size
    apart_vec3 common; // the last common point that was found to be one, and of which pair
    double common_size, common_place;
} thing_census;

/// NULL if the answer is right, else what is wrong with it.
const char* thing_check(const thing* a, const thing* b, const thing_truth* t, const apart_query* q,
                        const apart_result* r, thing_census* c);

/// Asks, checks and counts; says on stderr what is wrong. `name` tells the case. True if right.
bool thing_judge(const char* name, const thing* a, const apart_shape* shape_a, const apart_pose* pose_a, const thing* b,
                 const apart_shape* shape_b, const apart_pose* pose_b, const thing_truth* t, const apart_query* q,
                 apart_cache* cache, thing_census* c);

void thing_census_print(const char* title, const thing_census* c);

#endif

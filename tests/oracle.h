// The true distance of two bodies, in quadruple precision and with a proof.
//
// Independent of the library: it reads the caller's own description of the bodies (points, sizes, radius) and the poses
// as given, evaluates world = R p + t in quad, and adds the radii in the world. The answer is a bracket: the upper end
// is the length of a point of the difference A - B (an explicit convex combination), the lower end the plane of a
// support in the direction of that point. Both ends are true whatever the search did.
#ifndef APART_TESTS_ORACLE_H
#define APART_TESTS_ORACLE_H

#include "apart/apart.h"

#include <float.h>
#include <stdio.h>

// 113 bits where the compiler has them (x86-64 by software, others as long double), else what long double gives.
#if LDBL_MANT_DIG == 113 || !defined(__SIZEOF_FLOAT128__)
typedef long double quad;
#define QUAD_BITS LDBL_MANT_DIG
#else
__extension__ typedef __float128 quad;
#define QUAD_BITS 113
#endif

/// The unit roundoff of double.
#define ROUNDING 0x1p-53

/// The unit roundoff of quad: 2^-113 for 113 bits.
quad quad_roundoff(void);
/// Square root to within two roundings; 0 for 0 and for negative numbers.
quad quad_sqrt(quad x);

typedef struct qvec {
    quad x, y, z;
} qvec;

qvec qvec_from(apart_vec3 p);
qvec qvec_add(qvec a, qvec b);
qvec qvec_sub(qvec a, qvec b);
qvec qvec_scale(quad s, qvec a);
quad qvec_dot(qvec a, qvec b);
quad qvec_length(qvec a);

// ----------------------------------------------------------------------------------------------------- bodies ----

typedef enum body_kind {
    BODY_POINTS,   // points[0 .. count - 1] and radius
    BODY_BOX,      // size = half extents, and radius
    BODY_SPHERE,   // radius
    BODY_CAPSULE,  // size.z = half height, and radius
    BODY_CYLINDER, // size = (radius, radius, half height)
    BODY_CONE,     // size = (radius, radius, half height)
    BODY_ELLIPSOID // size = semi-axes
} body_kind;

#define BODY_KINDS 7
#define BODY_MAX_POINTS 1024

/// What a caller hands to the library, written down.
typedef struct body {
    body_kind kind;
    bool callback; // handed over as a support function (points, box, cylinder, cone, ellipsoid)
    double radius; // spherical extension
    apart_vec3 size;
    int count;
    apart_vec3 points[BODY_MAX_POINTS];
} body;

/// Whether the core has corners, so that an exact search ends.
bool body_is_polytope(const body* b);
/// How many corners the core has (counting all points of BODY_POINTS), and corner i in local coordinates.
int body_corners(const body* b);
apart_vec3 body_corner(const body* b, int i);
/// The farthest point of the core along d in double precision: also the callback of the bodies with one.
apart_vec3 body_support(const void* context, apart_vec3 d);
/// Hands the body to the library. The body must outlive the shape if it has a callback.
apart_shape* body_shape(const body* b, apart_error* error);

// ----------------------------------------------------------------------------------------------------- oracle ----

typedef struct oracle_answer {
    quad lower, upper; // lower <= true distance <= upper
    quad depth;        // proven overlap depth: a ball of this radius about the origin lies in A - B; 0 if none
    quad size;         // |A| + |B| about their own origins, radii included, + |t_b - t_a|
    int iterations;
} oracle_answer;

oracle_answer oracle_distance(const body* a, const apart_pose* pose_a, const body* b, const apart_pose* pose_b);

/// The width of the slab between the supports of a and b along n (any length but zero), radii included: a lower bound
/// of the distance, negative if the slab is none.
quad oracle_separation(const body* a, const apart_pose* pose_a, const body* b, const apart_pose* pose_b, apart_vec3 n);

/// How far a world point lies outside the body: an upper bound, tight to 1e-20 of the sizes.
quad oracle_outside(const body* b, const apart_pose* pose, apart_vec3 point);

/// The same for a cylinder, cone or ellipsoid by its formula: quick, and never too small, but not always tight. Local
/// lengths stand for the world's, which is off by the factor 1e-6 that a rotation may be off by.
quad oracle_outside_round(const body* b, const apart_pose* pose, apart_vec3 point);

/// The largest distance of a point of the body from its own origin, radius included.
quad oracle_extent(const body* b);

/// Local coordinates to the world.
qvec oracle_world(const apart_pose* pose, apart_vec3 local);

#endif

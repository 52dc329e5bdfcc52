/// apart: how far apart are two things?
///
/// Distance, nearest points and direction between two bodies, convex ones, meshes and unions of them, depth where they
/// overlap, each answer with a certified bracket.
///
/// Rules of this header
///  - Lengths have no unit: whatever you put in comes out. Angles are radians. Matrices are row-major.
///  - A pose maps a body's own (local) coordinates to the world: world = rotation * local + translation.
///  - A query never allocates, never locks, keeps no global state and ends in bounded time. The same inputs give the
///    same bits on every machine, with every instruction set.
///  - A query on bad input returns a status and leaves its result untouched. NaN and infinity are refused, and so are
///    coordinates above APART_LIMIT. Inputs are never modified.
///  - Shapes are immutable and may be shared between threads. A cache belongs to one pair and one thread at a time.
#ifndef APART_APART_H
#define APART_APART_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define APART_VERSION_MAJOR 0
#define APART_VERSION_MINOR 2
#define APART_VERSION_PATCH 0

#if defined(_WIN32) && defined(APART_SHARED)
#ifdef APART_BUILDING
#define APART_API __declspec(dllexport)
#else
#define APART_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define APART_API __attribute__((visibility("default")))
#else
#define APART_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// The version of the library that is linked, as "major.minor.patch".
APART_API const char* apart_version(void);

// ---------------------------------------------------------------------------------------------------- numbers ----

/// The largest coordinate, size or translation that is accepted.
#define APART_LIMIT 1e300

typedef struct apart_vec3 {
    double x, y, z;
} apart_vec3;

/// Row-major: m[row][column].
typedef struct apart_mat3 {
    double m[3][3];
} apart_mat3;

/// Where a body is: world = rotation * local + translation. The rotation R must satisfy |R^T R - I| <= 1e-6 in every
/// entry and det R > 0; within that it is used as given.
typedef struct apart_pose {
    apart_mat3 rotation;
    apart_vec3 translation;
} apart_pose;

/// No rotation, no translation.
APART_API extern const apart_pose apart_pose_identity;

/// The pose with the rotation of quaternion w + xi + yj + zk. The quaternion is normalised first; one without a
/// direction (all zero, or not finite) gives a matrix of zeros, which every query refuses.
APART_API apart_pose apart_pose_from_quaternion(double w, double x, double y, double z, apart_vec3 translation);

/// The unit quaternion w, x, y, z of a pose's rotation, with w >= 0. The pose must be one that queries accept.
APART_API void apart_pose_to_quaternion(const apart_pose* pose, double wxyz[4]);

/// The row-major 4x4 matrix of a pose: rotation and translation beside each other, then 0 0 0 1.
APART_API void apart_pose_to_matrix(const apart_pose* pose, double matrix[16]);

// ----------------------------------------------------------------------------------------------------- errors ----

typedef enum apart_status {
    APART_OK = 0,
    APART_INVALID,        ///< an argument is out of its range, or NULL where it may not be
    APART_NOT_FINITE,     ///< a number is NaN or infinite
    APART_NOT_A_ROTATION, ///< a pose's matrix is not a rotation within 1e-6, or a product within 1e-3
    APART_EMPTY,          ///< no points
    APART_OUT_OF_MEMORY,  ///< an allocation failed; nothing was leaked
    APART_UNSUPPORTED,    ///< this combination is not available
    APART_FILE,           ///< a file could not be read or is malformed
    APART_OUT_OF_RANGE,   ///< a number is larger than APART_LIMIT
    APART_CANCELLED       ///< a progress function asked to stop
} apart_status;

/// What went wrong, in one sentence. Every function that creates something takes one; it may be NULL.
typedef struct apart_error {
    apart_status status;
    char message[240];
} apart_error;

/// A short text for a status, never NULL.
APART_API const char* apart_status_text(apart_status status);

/// The pose of a row-major 4x4 matrix, number for number. APART_NOT_A_ROTATION if it is no rigid motion: if its last
/// row is not 0 0 0 1, or if no query would accept the pose. APART_NOT_FINITE, APART_OUT_OF_RANGE, APART_INVALID for
/// NULL. *pose is written on success only.
APART_API apart_status apart_pose_from_matrix(const double matrix[16], apart_pose* pose);

// ----------------------------------------------------------------------------------------------------- shapes ----

/// A body in its own coordinates: opaque, immutable, reference counted. Convex, a mesh, or a union; bounded, unless it
/// is a half-space. A function that creates one returns NULL on failure and fills *error. Release what you created.
typedef struct apart_shape apart_shape;

/// The convex hull of `count` points, extended by `radius` on all sides: a point, segment, triangle, polytope, sphere,
/// capsule or rounded plate. Points may repeat, lie inside the hull, or span less than three dimensions. They are
/// copied. Witnesses name them by their index in this array.
APART_API apart_shape* apart_shape_points(const apart_vec3* points, size_t count, double radius, apart_error* error);

/// A box about the origin, extended by `radius`. Corner i lies at +x if i & 1, +y if i & 2, +z if i & 4.
APART_API apart_shape* apart_shape_box(apart_vec3 half_extents, double radius, apart_error* error);

/// A sphere about the origin. Radius 0 is a point.
APART_API apart_shape* apart_shape_sphere(double radius, apart_error* error);

/// A capsule: all points within `radius` of the segment from (0,0,-half_height), vertex 0, to (0,0,half_height),
/// vertex 1.
APART_API apart_shape* apart_shape_capsule(double half_height, double radius, apart_error* error);

/// A solid cylinder about the z axis, from z = -half_height to half_height.
APART_API apart_shape* apart_shape_cylinder(double half_height, double radius, apart_error* error);

/// A solid cone about the z axis: base of `radius` at z = -half_height, apex at z = +half_height.
APART_API apart_shape* apart_shape_cone(double half_height, double radius, apart_error* error);

/// A solid ellipsoid about the origin, with semi-axes along x, y and z.
APART_API apart_shape* apart_shape_ellipsoid(apart_vec3 semi_axes, apart_error* error);

/// A half-space, the ground: all x with normal . x <= offset. The normal may have any length but 0; the plane must come
/// within APART_LIMIT of the origin. It is measured against all other shapes, and the depth of any of them in it is
/// exact. It may move, but not turn. Its box is infinite. Two of them, one in a union, one that turns in a motion and
/// APART_METHOD_SPHERES: APART_UNSUPPORTED.
APART_API apart_shape* apart_shape_halfspace(apart_vec3 normal, double offset, apart_error* error);

/// Returns a point of the body that lies farthest along `direction` (a unit vector in local coordinates). It must be
/// a pure function: same direction, same point, from any thread, exact to a few roundings of the body's size. Where it
/// contradicts itself, a query says APART_INVALID, or answers with a bracket that tells nothing.
typedef apart_vec3 (*apart_support_fn)(const void* context, apart_vec3 direction);

/// Any convex and bounded set, given by its support function, extended by `radius`. The context is not copied and must
/// outlive the shape. The function is called for the six axis directions here, to learn the size.
APART_API apart_shape* apart_shape_support(apart_support_fn support, const void* context, double radius,
                                           apart_error* error);

/// Called every few milliseconds during long work, with the part that is done, from 0 to 1 and never back. Return false
/// to give up: the work ends with APART_CANCELLED, and nothing is left behind.
typedef bool (*apart_progress_fn)(double done, void* context);

/// {0} is the default.
typedef struct apart_mesh_options {
    double radius;        ///< spherical extension of the surface, 0 = none
    bool hollow;          ///< a closed surface counts as a solid (a body inside it overlaps it) unless this is set
    double sphere_radius; ///< > 0: also build Quinlan's tree with leaf spheres of this radius (APART_METHOD_SPHERES)
    apart_progress_fn progress; ///< NULL = none
    void* progress_context;     ///< handed to progress
} apart_mesh_options;

/// A surface of triangles: any soup of them, open or closed, with degenerate or repeated ones, of one component or
/// many, up to 2^31 - 1. Everything is copied. `triangles` holds three indices below vertex_count for each; witnesses
/// name triangles and vertices by these numbers. options: NULL = default.
///
/// A component, that is, triangles that share edges, is a solid if it is closed: if each edge is used as often in one
/// direction as in the other or, where its triangles disagree on their outside, an even number of times. For that,
/// corners of open rims that differ by noise are one, a triangle listed twice the same way counts once, one listed both
/// ways cancels, and caps over holes may add up to a hundredth to the area. Bodies wholly inside the solids overlap the
/// mesh, unless `hollow` is set. Inside is where the walls that a ray crosses do not cancel, out against in: solids may
/// overlap, and one inside another is a cavity if it is turned inside out.
APART_API apart_shape* apart_shape_mesh(const apart_vec3* vertices, size_t vertex_count, const uint32_t* triangles,
                                        size_t triangle_count, const apart_mesh_options* options, apart_error* error);

/// A shape and where it is in the union: union coordinates = pose of the part's own.
typedef struct apart_part {
    apart_shape* shape;
    apart_pose pose;
} apart_part;

/// The union of shapes, of any kind, nested at will. The distance is the least over the parts, and so is the signed
/// distance when a depth is asked for. The union holds references of its own: release yours whenever you like. Nested
/// unions are taken apart: witnesses number the parts through, those of a nested union in its place. Poses that are
/// rotations within 1e-6 only multiply to what is worse; a product that is off by more than 1e-3 is refused.
APART_API apart_shape* apart_shape_union(const apart_part* parts, size_t count, apart_error* error);

/// One more owner. Returns `shape`; NULL is allowed.
APART_API apart_shape* apart_shape_retain(apart_shape* shape);

/// One owner less; the last one frees the shape. NULL is allowed.
APART_API void apart_shape_release(apart_shape* shape);

/// What a shape is made of, for reports. Sizes are in the caller's unit.
typedef struct apart_shape_info {
    int dimension; ///< of the core without its radius: 0 point, 1 segment, 2 flat, 3 solid; -1 = not known, not convex
    size_t vertices;         ///< corners of the hull, of a mesh the caller's vertices; 0 for a body without corners
    size_t edges;            ///< of the hull, or of the mesh
    size_t faces;            ///< of the hull; coplanar triangles count as one face. 0 for a mesh
    double radius;           ///< spherical extension; of a union the largest
    apart_vec3 lower, upper; ///< axis-aligned box around the body, radius included; of a half-space infinite
    size_t triangles;        ///< of a mesh; 0 else
    size_t degenerate;       ///< triangles without area
    size_t components;       ///< pieces of the surface that no shared edge connects; 0 for what is not a mesh
    size_t solids;           ///< components that count as solids
    size_t open_edges;       ///< edges of an odd number of triangles
    size_t crowded_edges;    ///< edges of more than two triangles
    size_t holes;            ///< loops of open edges
    size_t parts;            ///< of a union, nested ones taken apart; 1 else
    size_t tree_nodes;       ///< boxes of the search tree, triangles included; 0 for a convex body
    size_t tree_depth;       ///< its levels
    size_t spheres;          ///< leaves of Quinlan's tree; 0 if there is none
    size_t bytes;            ///< memory of the shape, parts of a union not counted
    size_t idle;             ///< triangles that do not enclose anything: another one repeats or cancels them
    size_t almost_solids;    ///< components that would be solids if their holes were closed, half of their area at most
    apart_vec3 hole_lower, hole_upper; ///< box around the largest hole; zero if there is none
} apart_shape_info;

/// Describes a shape. APART_INVALID if an argument is NULL.
APART_API apart_status apart_shape_describe(const apart_shape* shape, apart_shape_info* info);

/// Corner number `index` of the hull (0 <= index < info.vertices): its place and its index in the caller's points.
/// Either output may be NULL.
APART_API apart_status apart_shape_vertex(const apart_shape* shape, size_t index, apart_vec3* point,
                                          uint32_t* caller_index);

// -------------------------------------------------------------------------------------------------- the query ----

/// What to answer when two bodies overlap.
typedef enum apart_depth {
    APART_DEPTH_NONE = 0, ///< distance 0
    APART_DEPTH_BOUND,    ///< a bracket of the depth for a few support points more, some more if they only touch
    APART_DEPTH_EXACT ///< the depth itself, to the errors of the query; smooth bodies to 1e-9 of it if none is given
} apart_depth;

typedef enum apart_method {
    APART_METHOD_AUTO = 0, ///< the fastest; the others but the last say how pairs of convex pieces are measured
    APART_METHOD_GJK,      ///< Gilbert, Johnson, Keerthi 1988: Johnson's subalgorithm, linear support, backup procedure
    APART_METHOD_ENHANCED, ///< Cameron 1997: the same with hill climbing and tracking
    APART_METHOD_FEATURES, ///< Sundaraj, d'Aulignac, Mazer 2000: one feature per body, updated one body at a time
    APART_METHOD_SPHERES   ///< Quinlan 1994: trees of spheres, for meshes (and unions of them) with a sphere_radius
} apart_method;

/// One step of an algorithm, for drawing and teaching. World coordinates.
/// GJK's simplex is a[i] - b[i] with count_a == count_b; features have their own vertices on either side.
typedef struct apart_step {
    int iteration;                   ///< 1, 2, 3...
    int count_a, count_b;            ///< vertices in use, at most 4
    apart_vec3 a[4], b[4];           ///< their places
    double weight_a[4], weight_b[4]; ///< convex weights of the current nearest points
    apart_vec3 point_a, point_b;     ///< the current nearest points of the cores
    double upper, lower;             ///< the bracket so far, radii included
} apart_step;
typedef void (*apart_trace_fn)(const apart_step* step, void* context);

/// When to stop, and how. {0} is the default: as exact as doubles allow, no cutoff, no depth, METHOD_AUTO, no trace.
typedef struct apart_query {
    double relative_error; ///< 0 to 1; 0.2: stop when lower_bound >= 0.8 upper_bound; 1: when it is certain whether
                           ///< they meet
    double absolute_error; ///< or when upper_bound - lower_bound is at most this
    double cutoff;         ///< or when lower_bound >= cutoff; 0 or INFINITY = never. Negative: with the signed distance
    apart_depth depth;     ///< on overlap
    apart_method method;   ///< which algorithm
    apart_trace_fn trace;  ///< called at every step of two convex bodies; NULL = not
    void* trace_context;   ///< handed to trace
} apart_query;

/// What {0} means, in plain numbers: its cutoff is INFINITY.
APART_API apart_query apart_query_default(void);

/// Which vertices carry a nearest point: point = sum of weight[i] * vertex[i] (plus the radius along the normal). The
/// solid of a mesh that holds the other body inside carries nothing: count is 0.
typedef struct apart_witness {
    uint32_t part;      ///< of a union; 0 for any other body
    uint32_t triangle;  ///< of a mesh, the caller's number; 0 for a convex body
    uint32_t count;     ///< vertices in use, 0 to 4; 0 for a body without corners (cylinder, cone, ellipsoid, support)
    uint32_t vertex[4]; ///< the caller's indices
    double weight[4];   ///< positive, sum 1
} apart_witness;

/// lower_bound <= true distance <= upper_bound is certain, rounding included, whatever the query asked for. distance
/// lies between them: it is how far the nearest points are from each other, to a few units in the last place of the
/// numbers that it is the difference of; two boxes 1.75 apart answer 1.75. (point_b - point_a) . normal == distance, to
/// rounding, and always to upper_bound - lower_bound.
///
/// On overlap without a depth: distance and both bounds are 0, the points are one common point, the normal is a unit
/// vector without meaning. With a depth: the true distance is minus the length of the shortest way that b must be moved
/// until the two only touch (the distance of the origin from the boundary of A - B), and -distance along the normal is
/// that way. The points are then those that touch afterwards: point_a the deepest of a in b, point_b of b in a.
///
/// Meshes and unions: the distance is the least over all pairs of pieces, and so is the signed distance with a depth;
/// the pieces of a mesh are its triangles. A body wholly inside a solid overlaps it. The depth of solids that are not
/// convex is told by two ends that do not meet: upper_bound is minus the depth of their deepest pair of triangles or,
/// if one is inside the other, minus the distance of the surfaces; they must move at least that far. lower_bound is
/// minus a way that is certainly enough. distance is upper_bound but for rounding, and the normal belongs to it. So it
/// is for any mesh whose triangles overlap in more pairs than a search looks at (17 million, and 20 for each triangle).
typedef struct apart_result {
    double distance;    ///< the best estimate, between the bounds: what the nearest points tell
    double lower_bound; ///< certified: lower_bound <= true distance, rounding included. Not negative without a depth
    double upper_bound; ///< certified: true distance <= upper_bound. 0 or less: the bodies certainly meet
    apart_vec3 point_a, point_b; ///< nearest points, in world coordinates
    apart_vec3 normal;           ///< unit, from a towards b
    apart_witness a, b;          ///< what carries the points
    int iterations;              ///< steps of the algorithm; with a mesh or union: pairs of pieces measured
    int supports;                ///< support points evaluated, both bodies counted
    int visits; ///< vertices looked at for them; with a mesh or union: pairs of boxes (spheres) compared
} apart_result;

/// Remembers a pair between calls, so that the next query starts from the last answer. {0} is cold. Any content is
/// safe: a cache that belongs to another pair costs time, never correctness.
typedef struct apart_cache {
    uint32_t words[64]; ///< 256 bytes whose meaning is the library's own
} apart_cache;

/// How far apart are a and b?
/// query: NULL = default. cache: NULL = cold; updated on success. On any status but APART_OK nothing is written.
APART_API apart_status apart_distance(const apart_shape* a, const apart_pose* pose_a, const apart_shape* b,
                                      const apart_pose* pose_b, const apart_query* query, apart_cache* cache,
                                      apart_result* result);

// ------------------------------------------------------------------------------------------------- many pairs ----
// One call, all cores. The bits of an answer depend on its pair and the query alone: not on the threads, the
// instruction set, the order or the other pairs. They may differ from those of apart_distance by rounding; both
// brackets hold the same truth.
//
// Rules of these three. results has room for as many answers as there are pairs. query: NULL = default; a trace is
// refused (APART_UNSUPPORTED). threads: at most so many, the caller's included; 0 = all cores; fewer where the work is
// not worth one, or the system has none to give. A call that is wrong as a whole (the query, threads below 0, NULL
// where it may not be) returns what is wrong and writes nothing. Else one bad pair does not stop the others: its result
// and its cache stay as they were, and the status of the lowest one is returned. statuses: that of every pair; NULL =
// not wanted. A count of 0 is nothing to do. Results, caches and statuses must not overlap anything else.

/// Two shapes and where they are.
typedef struct apart_pair {
    const apart_shape *a, *b;
    apart_pose pose_a, pose_b;
} apart_pair;

/// How far apart are the two of each pair? caches: one for each pair, updated on success; NULL = cold.
APART_API apart_status apart_distance_batch(const apart_pair* pairs, size_t count, const apart_query* query,
                                            apart_cache* caches, apart_result* results, apart_status* statuses,
                                            int threads);

/// The same of two shapes at many poses: counts are n, or 1 where the pose is the same for all n results.
APART_API apart_status apart_distance_poses(const apart_shape* a, const apart_pose* poses_a, size_t count_a,
                                            const apart_shape* b, const apart_pose* poses_b, size_t count_b,
                                            const apart_query* query, apart_result* results, apart_status* statuses,
                                            int threads);

/// Many points of the world against one shape, which is `a` of every result: its nearest point is point_a, the point
/// itself is point_b and the only vertex of witness b. A point inside a solid overlaps it: distance 0, or with a depth
/// minus the distance of the surface (the signed distance).
APART_API apart_status apart_distance_points(const apart_shape* shape, const apart_pose* pose, const apart_vec3* points,
                                             size_t count, const apart_query* query, apart_result* results,
                                             apart_status* statuses, int threads);

// --------------------------------------------------------------------------------------------------- gradient ----

/// A velocity, or what multiplies one: linear of a point, angular about it. World axes.
typedef struct apart_twist {
    apart_vec3 linear, angular;
} apart_twist;

/// How a distance changes with the two poses: change = a.linear . dx_a + a.angular . dw_a + the same of b, where dx is
/// the way of a body's own origin and dw its turn about that, both in world axes.
typedef struct apart_slope {
    apart_twist a, b;
    bool unique; ///< the features found have one nearest pair: no parallel faces or edges. Then it is the gradient
} apart_slope;

/// The gradient of result->distance, which is what apart_distance answered for these shapes at these poses: apart, or
/// overlapping with a depth. Ties between different places of the bodies are not looked for. An overlap that was
/// answered without a depth has no gradient: APART_UNSUPPORTED. *slope is written on APART_OK only.
APART_API apart_status apart_gradient(const apart_shape* a, const apart_pose* pose_a, const apart_shape* b,
                                      const apart_pose* pose_b, const apart_result* result, apart_slope* slope);

// ----------------------------------------------------------------------------------------------------- motion ----
// Time goes from 0 to 1. What is certain is said of the motion itself, at every instant, rounding included: nothing is
// sampled. A query on motions never allocates, never locks, and ends in bounded time.

typedef enum apart_motion_kind {
    APART_MOTION_STILL = 0, ///< stays at start
    APART_MOTION_SLERP,     ///< from start to end: the pivot goes straight, the turn is constant, the short way
    APART_MOTION_NLERP,     ///< the same way on another clock: quaternions linear, normalised (GJK 1988, sec. VIII)
    APART_MOTION_VELOCITY,  ///< constant linear velocity of the pivot and angular velocity; any number of turns
    APART_MOTION_KEYS,      ///< timed poses, SLERP between them
    APART_MOTION_FUNCTION   ///< any, with bounds of its speed
} apart_motion_kind;

/// A pose at a time.
typedef struct apart_key {
    double time;
    apart_pose pose;
} apart_key;

/// The pose at a time from 0 to 1. It must be a pure function. A status other than APART_OK ends the query with it.
typedef apart_status (*apart_motion_fn)(double time, void* context, apart_pose* pose);

/// How a body moves. Plain and copied at will; fields of other kinds are not read. Each matrix stands for the rotation
/// nearest to it. {.start = pose} is a body that stays.
typedef struct apart_motion {
    apart_motion_kind kind;
    apart_pose start, end;    ///< end: SLERP, NLERP
    apart_vec3 pivot;         ///< the point that goes straight, in the body's own coordinates; {0} = its origin
    apart_twist velocity;     ///< VELOCITY, per unit of time, world axes
    const apart_key* keys;    ///< KEYS: times strictly increasing, the first 0, the last 1; yours
    size_t key_count;         ///< KEYS: at least 2
    apart_motion_fn function; ///< FUNCTION
    void* context;            ///< handed to function
    double speed, spin;       ///< FUNCTION: the pivot is at most so fast, the body turns by at most so many radians,
                              ///< per unit of time
} apart_motion;

/// The pose at a time, a rotation to rounding. APART_INVALID for a time outside [0, 1] or NULL; else what is wrong with
/// the motion. *pose is written on APART_OK only.
APART_API apart_status apart_motion_pose(const apart_motion* motion, double time, apart_pose* pose);

/// When to stop. {0} is the default.
typedef struct apart_motion_query {
    double clearance;      ///< contact is: distance <= clearance. 0 = touch
    double tolerance;      ///< NEAR is: within clearance + tolerance. 0 = 1e-9 of the diagonal of the larger body's box
    double time_tolerance; ///< how narrow the bracket of the time should be; 0 = 1e-12
    int max_steps;         ///< 0 = enough for any sane motion. Running out says UNDECIDED, or widens the bracket of a
                           ///< closest approach, which may take some times as many
} apart_motion_query;

typedef enum apart_contact_kind {
    APART_FREE,     ///< certain: farther apart than the clearance on [0, 1], ends included
    APART_CONTACT,  ///< certain: so on [0, time), and within the clearance at some instant of [time, time_upper]
    APART_NEAR,     ///< certain: so on [0, time); within clearance + tolerance at `time`. A contact just ahead could be
                    ///< neither shown nor excluded: they graze, or only touch. A plain approach ends as CONTACT
    APART_UNDECIDED ///< certain: so on [0, time); the steps ran out
} apart_contact_kind;

typedef struct apart_contact {
    apart_contact_kind kind;
    double time, time_upper; ///< time_upper: INFINITY unless CONTACT. FREE: time 1. Begun in contact: both 0
    double clearance;        ///< certified: never nearer than this on [0, time); a bound, not the least distance
    double rate;             ///< change of distance per unit of time at `time`; 0 without a normal
    apart_result result;     ///< the distance at `time`
    int steps;               ///< distance queries that it took, that of `result` not counted; with meshes and unions
                             ///< pairs of pieces measured
} apart_contact;

/// When do they first come within the clearance? query: NULL = default. *contact is written on APART_OK only.
APART_API apart_status apart_first_contact(const apart_shape* a, const apart_motion* motion_a, const apart_shape* b,
                                           const apart_motion* motion_b, const apart_motion_query* query,
                                           apart_contact* contact);

/// lower_bound <= least distance on [0, 1] <= upper_bound; distance is that at `time`, where the least was found.
typedef struct apart_approach {
    double distance, lower_bound, upper_bound, time;
    apart_result result; ///< the distance at `time`
    int steps;           ///< as in apart_contact
} apart_approach;

/// How near do they come? query->tolerance is how wide the bracket may be; clearance has no meaning.
APART_API apart_status apart_closest_approach(const apart_shape* a, const apart_motion* motion_a, const apart_shape* b,
                                              const apart_motion* motion_b, const apart_motion_query* query,
                                              apart_approach* approach);

/// A time during which they are within the clearance (CONTACT), hardly farther apart (NEAR), or nobody knows
/// (UNDECIDED: the steps ran out at `begin`; end is 1).
typedef struct apart_span {
    double begin, end;
    apart_contact_kind kind;
} apart_span;

/// When are they within the clearance? Outside the spans they are certainly farther apart. *count: how many spans there
/// are, in order; the first `capacity` of them are written (spans may be NULL if it is 0). If a motion's function fails
/// on the way, *count stays as it was, and spans that were found before may have been written.
APART_API apart_status apart_contact_spans(const apart_shape* a, const apart_motion* motion_a, const apart_shape* b,
                                           const apart_motion* motion_b, const apart_motion_query* query,
                                           apart_span* spans, size_t capacity, size_t* count);

// ----------------------------------------------------------------------------------------------------- scenes ----
// Many bodies, in a tree of their boxes. What a scene answers depends on the bodies that are in it and where they are:
// not on how they got there, on the threads or on what was asked before. Functions that take a const scene may run side
// by side; those that change it need it for themselves, and must not be called by a function that a query calls. A
// scene that could not get memory is as it was before. APART_INVALID: no such body, or NULL where it may not be, in all
// calls.

typedef struct apart_scene apart_scene;

/// A body of a scene. Two of them are compared if a.group & b.mask and b.group & a.mask, unless the pair is excluded
/// or both are half-spaces.
typedef struct apart_scene_body {
    apart_shape* shape; ///< the scene holds a reference of its own
    apart_pose pose;
    double margin;        ///< those of both bodies add to the clearance asked for; not negative
    uint32_t group, mask; ///< 0 = all bits
    void* user;           ///< yours
} apart_scene_body;

/// An empty scene; NULL if there is no memory.
APART_API apart_scene* apart_scene_create(apart_error* error);
/// Frees the scene and its references. NULL is allowed.
APART_API void apart_scene_release(apart_scene* scene);

/// Adds a body, whose pose is checked now. *id (may be NULL): its number; the first is 0, each other one more, and none
/// is used again. At most 2^31 - 1 bodies in all.
APART_API apart_status apart_scene_add(apart_scene* scene, const apart_scene_body* body, uint32_t* id,
                                       apart_error* error);
/// Puts a body elsewhere. On any status but APART_OK it stays where it was. It needs no memory.
APART_API apart_status apart_scene_move(apart_scene* scene, uint32_t id, const apart_pose* pose);
/// Takes a body out, and the scene's reference to its shape.
APART_API apart_status apart_scene_remove(apart_scene* scene, uint32_t id);
/// These two are not compared, whatever their groups. Twice is once.
APART_API apart_status apart_scene_exclude(apart_scene* scene, uint32_t id, uint32_t other);
/// Whether these two are compared: both are in the scene, their groups allow it, and the pair is not excluded.
APART_API bool apart_scene_is_compared(const apart_scene* scene, uint32_t id, uint32_t other);

/// How many bodies are in it; 0 for NULL.
APART_API size_t apart_scene_count(const apart_scene* scene);
/// A body as it is now; its shape stays the scene's. A group or mask of 0 has become all bits.
APART_API apart_status apart_scene_get(const apart_scene* scene, uint32_t id, apart_scene_body* body);

/// Two bodies and how far apart they are: a and b of the result.
typedef struct apart_scene_pair {
    uint32_t a, b;
    apart_result result;
} apart_scene_pair;

/// The id of a body that is in no scene.
#define APART_NO_BODY UINT32_MAX

/// The partner of body `id` whose distance is least, of two at the same distance the one with the lower id. Margins do
/// not enter. Errors that the query allows are those of each pair, so that another may be nearer by as much. query:
/// NULL = default; a trace is refused. No partner, or none nearer than a cutoff: APART_EMPTY. nearest->a is id.
APART_API apart_status apart_scene_nearest(const apart_scene* scene, uint32_t id, const apart_query* query,
                                           apart_scene_pair* nearest);
/// The same of a body that is not in the scene: nearest->a is APART_NO_BODY.
APART_API apart_status apart_scene_nearest_to(const apart_scene* scene, const apart_scene_body* visitor,
                                              const apart_query* query, apart_scene_pair* nearest);
/// The two bodies whose distance is least, of equals the lowest (a, b); a < b.
APART_API apart_status apart_scene_closest(const apart_scene* scene, const apart_query* query,
                                           apart_scene_pair* closest);

/// Return false for "enough": no more calls are made, and the query returns APART_OK.
typedef bool (*apart_pair_fn)(const apart_scene_pair* pair, void* context);

/// Every pair that is not certainly farther apart than the clearance and both margins: each once, a < b, in order of
/// (a, b), with the distance as the query asks for it; reported unless lower_bound > clearance + both margins (the sum
/// as a double has it), or boxes around the bodies tell as much. Called from the caller's thread. A clearance below 0
/// permits an overlap, and needs a query with a depth. threads: at most so many, 0 = all cores. If a pair cannot be
/// measured, its status is returned, after the calls for all pairs before it.
APART_API apart_status apart_scene_within(const apart_scene* scene, double clearance, const apart_query* query,
                                          int threads, apart_pair_fn found, void* context);

/// How a body of a scene moves. One that has no motion stays where it is.
typedef struct apart_scene_motion {
    uint32_t id;
    apart_motion motion;
} apart_scene_motion;

/// Two bodies, a < b, and when they meet.
typedef struct apart_scene_contact {
    uint32_t a, b;
    apart_contact contact;
} apart_scene_contact;

/// The pair that comes within query->clearance and both margins first, of equal times the lowest (a, b), as
/// apart_first_contact tells of it: NEAR and UNDECIDED count with their time. If all are certainly free: APART_EMPTY.
/// Each id has one motion at most. Two bodies without a motion are not asked about. The scene stays as it is.
APART_API apart_status apart_scene_first_contact(const apart_scene* scene, const apart_scene_motion* motions,
                                                 size_t count, const apart_motion_query* query, int threads,
                                                 apart_scene_contact* first);

typedef bool (*apart_contact_fn)(const apart_scene_contact* contact, void* context);

/// The first contact of every pair that is not FREE, in order of (a, b), as in apart_scene_within.
APART_API apart_status apart_scene_contacts(const apart_scene* scene, const apart_scene_motion* motions, size_t count,
                                            const apart_motion_query* query, int threads, apart_contact_fn found,
                                            void* context);

// ----------------------------------------------------------------------------------------------- closed forms ----
// Exact up to rounding, allocation free, for any place and size within APART_LIMIT. Outputs may be NULL. Bad input
// (NaN, infinity, above the limit, a dimension below 1, NULL where a point belongs) returns NaN and writes nothing.
// A squared distance that is too large for a double returns INFINITY, one that is too small but positive the smallest
// double. "Meets" is decided to within rounding: segments and triangles a few roundings of their size apart may give 0.

/// Squared distance of segments ab and cd in `dim` dimensions (Lumelsky 1985). Nearest points: a + t (b - a) and
/// c + u (d - c), 0 <= t, u <= 1.
APART_API double apart_segment_segment(int dim, const double* a, const double* b, const double* c, const double* d,
                                       double* t, double* u);

/// Squared distance of point p from segment ab in `dim` dimensions. Nearest point: a + t (b - a).
APART_API double apart_point_segment(int dim, const double* p, const double* a, const double* b, double* t);

/// Squared distance of point p from triangle abc. Nearest point: the sum of weights[i] times a, b, c.
APART_API double apart_point_triangle(apart_vec3 p, const apart_vec3 triangle[3], double weights[3]);

/// Squared distance of segment pq from a triangle; 0 if they meet. Nearest points: p + t (q - p) and the weighted sum.
APART_API double apart_segment_triangle(apart_vec3 p, apart_vec3 q, const apart_vec3 triangle[3], double* t,
                                        double weights[3]);

/// Squared distance of two triangles; 0 if they meet. Nearest points are the weighted sums of the corners.
APART_API double apart_triangle_triangle(const apart_vec3 a[3], const apart_vec3 b[3], double weights_a[3],
                                         double weights_b[3]);

/// Distance of the convex hulls of two point sets in `dim` dimensions, 1 <= dim <= 8 (GJK in R^dim). Point i is
/// a[i * dim] ... a[i * dim + dim - 1]. Nearest points go to point_a and point_b (dim numbers each, may be NULL).
APART_API apart_status apart_distance_nd(int dim, const double* a, size_t a_count, const double* b, size_t b_count,
                                         double* point_a, double* point_b, double* distance);

#ifdef __cplusplus
}
#endif

#endif

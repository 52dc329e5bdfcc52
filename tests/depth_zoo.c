// Two bodies each, the second one moved and perhaps turned. Where bodies overlap the distance is -min over all
// directions of how far the second must go; the direction that wins is said where it is not along an axis.
#include "depth_zoo.h"
#include "zoo_bodies.h"

typedef struct recipe {
    const char* name;
    ingredient a, b;
    apart_vec3 at;
    double turn[4]; // quaternion of any length; 0 = none
    double distance;
} recipe;

static const apart_vec3 origin[] = {{0, 0, 0}};
static const apart_vec3 along_x[] = {{-0.5, 0, 0}, {0.5, 0, 0}};
static const apart_vec3 along_y[] = {{0, -1, 0}, {0, 1, 0}};
static const apart_vec3 long_z[] = {{0, 0, -1e6}, {0, 0, 1e6}};
static const apart_vec3 short_z[] = {{0, 0, -0.125}, {0, 0, 0.75}};
static const apart_vec3 triangle[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
static const apart_vec3 large_triangle[] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
static const apart_vec3 upright_triangle[] = {{1, 1, -0.5}, {1, 1, 0.5}, {9, 1, 0}};
static const apart_vec3 square[] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
static const apart_vec3 corner[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const apart_vec3 octahedron[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
static const apart_vec3 edge_along_z[] = {{1, 0, -4}, {1, 0, 4}, {0, 1, -4}, {0, 1, 4}, {0, -1, -4}, {0, -1, 4}};
static const apart_vec3 edge_along_y[] = {{-1, -4, 0}, {-1, 4, 0}, {0, -4, 1}, {0, 4, 1}, {0, -4, -1}, {0, 4, -1}};

#define POINT CLOUD(origin, 0)
#define HUNDRED BOX(50, 50, 50, 0)
#define HUNDREDTH BOX(0.005, 0.005, 0.005, 0)

// clang-format off
#define STRAIGHT {0, 0, 0, 0}
#define QUARTER_X {1, 1, 0, 0}
#define EIGHTH_Z {1 + SQRT2, 0, 0, 1}
// clang-format on

static const recipe recipes[] = {
    // Boxes.
    {"cubes of side 2, 1.9 apart along z", CUBE, CUBE, {0, 0, 1.9}, STRAIGHT, -0.1},
    {"identical cubes", CUBE, CUBE, {0, 0, 0}, STRAIGHT, -2},
    {"cubes half overlapping", CUBE, CUBE, {1, 0, 0}, STRAIGHT, -1},
    {"cubes overlapping at a corner", CUBE, CUBE, {1.75, 1.5, 1.875}, STRAIGHT, -0.125},
    {"concentric cubes, turned", CUBE, CUBE, {0, 0, 0}, EIGHTH_Z, -2},
    {"concentric columns, turned", BOX(1, 1, 3, 0), BOX(1, 1, 3, 0), {0, 0, 0}, EIGHTH_Z, -(1 + SQRT2)},
    {"edge into a face", CUBE, CUBE, {0.75 + SQRT2, 0, 0}, EIGHTH_Z, -0.25},
    {"parallel faces", BOX(1, 2, 3, 0), BOX(2, 1, 1, 0), {0.5, 0.25, 3.5}, STRAIGHT, -0.5},
    {"nested boxes", BOX(2, 2, 2, 0), BOX(0.5, 0.5, 0.5, 0), {0.25, -0.5, 0.125}, STRAIGHT, -2},
    {"box of 0.01 in the centre of a box of 100", HUNDRED, HUNDREDTH, {0, 0, 0}, STRAIGHT, -50.005},
    {"box of 0.01 near a wall of a box of 100", HUNDRED, HUNDREDTH, {49.9, 0, 0}, STRAIGHT, -(50.005 - 49.9)},
    {"box of 0.01 near a corner", HUNDRED, HUNDREDTH, {49.9, -49.95, 49.8}, STRAIGHT, -(50.005 - 49.95)},
    {"box of 0.01 in a corner", HUNDRED, HUNDREDTH, {49.995, -49.995, 49.995}, STRAIGHT, -(50.005 - 49.995)},
    {"box of 0.01 half out of a wall", HUNDRED, HUNDREDTH, {0, 50, 3}, STRAIGHT, -0.005},
    {"touching faces", CUBE, CUBE, {2, 1, 0.5}, STRAIGHT, 0},
    {"touching edges", CUBE, CUBE, {2, 2, 0}, STRAIGHT, 0},
    {"touching corners", CUBE, CUBE, {2, 2, 2}, STRAIGHT, 0},
    // Points and segments.
    {"coincident points", POINT, POINT, {0, 0, 0}, STRAIGHT, 0},
    {"point in a box", CUBE, POINT, {0.5, 0.25, 0}, STRAIGHT, -0.5},
    {"point in the centre of a box", CUBE, POINT, {0, 0, 0}, STRAIGHT, -1},
    {"point on a face", CUBE, POINT, {1, 0.25, 0}, STRAIGHT, 0},
    {"point on an edge", CUBE, POINT, {1, 0.25, -1}, STRAIGHT, 0},
    {"point on a corner", CUBE, POINT, {1, 1, 1}, STRAIGHT, 0},
    {"crossing segments", CLOUD(along_x, 0), CLOUD(along_y, 0), {0, 0, 0}, STRAIGHT, 0},
    {"collinear segments", CLOUD(along_x, 0), CLOUD(along_x, 0), {0.25, 0, 0}, STRAIGHT, 0},
    {"the same segment", CLOUD(along_y, 0), CLOUD(along_y, 0), {0, 0, 0}, STRAIGHT, 0},
    {"segment in a box", CUBE, CLOUD(along_x, 0), {0, 0.25, 0.5}, STRAIGHT, -0.5},
    {"long segment through a box", CUBE, CLOUD(long_z, 0), {0.5, 0, 0}, STRAIGHT, -0.5},
    {"segment through a triangle", CLOUD(triangle, 0), CLOUD(short_z, 0), {0.25, 0.25, 0}, STRAIGHT, -0.125},
    // Flat bodies.
    {"coplanar triangles", CLOUD(triangle, 0), CLOUD(triangle, 0), {0.25, 0.25, 0}, STRAIGHT, 0},
    {"identical triangles", CLOUD(triangle, 0), CLOUD(triangle, 0), {0, 0, 0}, STRAIGHT, 0},
    {"crossing triangles", CLOUD(large_triangle, 0), CLOUD(upright_triangle, 0), {0, 0, 0}, STRAIGHT, -0.5},
    {"crossing squares", CLOUD(square, 0), CLOUD(square, 0), {0.25, 0, 0.25}, QUARTER_X, -0.75},
    {"square in a cube", CUBE, CLOUD(square, 0), {0.5, 0.25, 0.125}, STRAIGHT, -0.875},
    // Solids of points. The octahedron goes out along (1, 1, 1), and so do the tetrahedra.
    {"point in an octahedron", CLOUD(octahedron, 0), POINT, {0.25, 0, 0}, STRAIGHT, -0.75 / SQRT3},
    {"identical octahedra", CLOUD(octahedron, 0), CLOUD(octahedron, 0), {0, 0, 0}, STRAIGHT, -2 / SQRT3},
    {"identical tetrahedra", CLOUD(corner, 0), CLOUD(corner, 0), {0, 0, 0}, STRAIGHT, -1 / SQRT3},
    {"octahedra tip into tip", CLOUD(octahedron, 0), CLOUD(octahedron, 0), {1.75, 0, 0}, STRAIGHT, -0.25 / SQRT3},
    {"edge across an edge", CLOUD(edge_along_z, 0), CLOUD(edge_along_y, 0), {1.875, 0, 0}, STRAIGHT, -0.125},
    // Radii.
    {"concentric spheres", SPHERE(1), SPHERE(2), {0, 0, 0}, STRAIGHT, -3},
    {"spheres", SPHERE(1), SPHERE(2), {1.2, 0, 1.6}, STRAIGHT, -1},
    {"sphere in a cube", CUBE, SPHERE(0.25), {0.25, 0, 0}, STRAIGHT, -1},
    {"sphere half out of a corner", CUBE, SPHERE(0.5), {1, 1, 1}, STRAIGHT, -0.5},
    {"sphere beside an edge", CUBE, SPHERE(1), {1.375, 1.5, 0}, STRAIGHT, -0.375},
    {"capsules that cross", CAPSULE(1, 0.5), CAPSULE(1, 0.5), {0, 0, 0}, QUARTER_X, -1},
    {"capsules crossed", CAPSULE(1, 0.5), CAPSULE(1, 0.5), {0.25, 0, 0}, QUARTER_X, -0.75},
    {"capsule in a capsule", CAPSULE(1, 1), CAPSULE(1, 0.25), {0, 0, 0}, STRAIGHT, -1.25},
    {"rounded boxes, cores overlapping", BOX(1, 1, 1, 0.5), BOX(1, 1, 1, 0.5), {1.5, 0, 0}, STRAIGHT, -1.5},
    {"rounded boxes, radii overlapping", BOX(1, 1, 1, 0.5), BOX(1, 1, 1, 0.5), {2.5, 0, 0}, STRAIGHT, -0.5},
    {"rounded boxes, cores touching", BOX(1, 1, 1, 0.5), BOX(1, 1, 1, 0.25), {2, 0.5, 0}, STRAIGHT, -0.75},
    {"rounded edges", BOX(1, 1, 1, 0.5), BOX(1, 1, 1, 0.5), {2.375, 2.5, 0}, STRAIGHT, -0.375},
    {"rounded plates", CLOUD(square, 0.25), CLOUD(square, 0.5), {0.5, 0, 0}, STRAIGHT, -0.75},
    // Round bodies. Out of the side of a cone along (2 h, r).
    {"cylinders side by side", CYLINDER(1, 1), CYLINDER(2, 0.5), {1.25, 0, 0.5}, STRAIGHT, -0.25},
    {"cylinders stacked", CYLINDER(1, 1), CYLINDER(2, 0.5), {0.3, 0.4, 2.75}, STRAIGHT, -0.25},
    {"cylinders crossed", CYLINDER(4, 1), CYLINDER(4, 1), {1.5, 0, 0}, QUARTER_X, -0.5},
    {"cylinder in a box", BOX(4, 4, 4, 0), CYLINDER(1, 1), {0.5, -1, 2}, STRAIGHT, -3},
    {"cone into a box", BOX(2, 2, 1, 0), CONE(1, 1), {0.25, 0, -1.75}, STRAIGHT, -0.25},
    {"point low in a cone", CONE(1, 1), POINT, {0, 0, -0.5}, STRAIGHT, -0.5},
    {"point near the side of a cone", CONE(1, 1), POINT, {0.25, 0, 0}, STRAIGHT, -0.5 / SQRT5},
    {"point in the centre of an ellipsoid", ELLIPSOID(1, 2, 3), POINT, {0, 0, 0}, STRAIGHT, -1},
    {"sphere in an ellipsoid", ELLIPSOID(3, 1, 2), SPHERE(0.5), {0, 0, 0}, STRAIGHT, -1.5},
    {"identical ellipsoids", ELLIPSOID(1, 2, 3), ELLIPSOID(1, 2, 3), {0, 0, 0}, STRAIGHT, -2},
};

int depth_zoo_count(void) { return (int)(sizeof recipes / sizeof recipes[0]); }

void depth_zoo_get(int index, depth_case* out) {
    const recipe* r = &recipes[index];
    const double* q = r->turn;
    out->name = r->name;
    out->distance = r->distance;
    out->pair.seed = (uint64_t)index;
    out->pair.placement = r->distance < 0 ? PLACE_DEEP : PLACE_TOUCHING;
    cook(&r->a, &out->pair.a);
    cook(&r->b, &out->pair.b);
    out->pair.pose_a = out->pair.pose_b = apart_pose_identity;
    if (q[0] != 0) out->pair.pose_b.rotation = rng_matrix(q[0], q[1], q[2], q[3]);
    out->pair.pose_b.translation = r->at;
}

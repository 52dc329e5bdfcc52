// The zoo: two bodies each, the second one moved and perhaps turned, and the distance worked out by hand.
#include "zoo.h"
#include "zoo_bodies.h"

// How the second body is turned.
typedef enum turn {
    STRAIGHT,
    EIGHTH,       // 45 degrees about z
    QUARTER_X,    // 90 degrees about x
    HAIR,         // 1e-9 radians about z: almost parallel
    ON_ITS_CORNER // a cube's diagonal along x
} turn;

typedef struct recipe {
    const char* name;
    ingredient a, b;
    apart_vec3 at;
    turn turn;
    zoo_relation relation;
    double distance;
} recipe;

// ------------------------------------------------------------------------------------------------- point clouds ----

static const apart_vec3 origin[] = {{0, 0, 0}};
static const apart_vec3 same[] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
static const apart_vec3 along_x[] = {{-1, 0, 0}, {1, 0, 0}};
static const apart_vec3 along_y[] = {{0, -1, 0}, {0, 1, 0}};
static const apart_vec3 long_z[] = {{0, 0, -1e6}, {0, 0, 1e6}};
static const apart_vec3 almost_x[] = {{-1, -1e-12, 0}, {1, 1e-12, 0}};
static const apart_vec3 collinear[] = {{-1, 0, 0}, {-0.5, 0, 0}, {0, 0, 0}, {0.25, 0, 0}, {1, 0, 0}};
static const apart_vec3 triangle[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
static const apart_vec3 sliver[] = {{-1, 0, 0}, {1, 0, 0}, {0, 1e-14, 0}};
static const apart_vec3 square[] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
static const apart_vec3 crooked_square[] = {{-1, -1, 0}, {1, -1, 1e-15}, {1, 1, 0}, {-1, 1, -1e-15}};
static const apart_vec3 corner[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const apart_vec3 flat_corner[] = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}, {0, 0, 1e-13}};
static const apart_vec3 octahedron[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};

// ----------------------------------------------------------------------------------------------------- recipes ----

static const recipe recipes[] = {
    // Boxes.
    {"cubes face to face", CUBE, CUBE, {3, 0, 0}, STRAIGHT, ZOO_APART, 1},
    {"cubes face to face, shifted", CUBE, CUBE, {0.5, 0.25, 3}, STRAIGHT, ZOO_APART, 1},
    {"cubes edge to edge, parallel", CUBE, CUBE, {3, 4, 0}, STRAIGHT, ZOO_APART, SQRT5},
    {"cubes corner to corner", CUBE, CUBE, {3, 4, 4}, STRAIGHT, ZOO_APART, 3},
    {"edge to face", CUBE, CUBE, {3 + SQRT2, 0, 0}, EIGHTH, ZOO_APART, 2},
    {"corner to face", CUBE, CUBE, {3 + SQRT3, 0, 0}, ON_ITS_CORNER, ZOO_APART, 2},
    {"almost parallel faces", CUBE, CUBE, {3, 0, 0}, HAIR, ZOO_APART, 1 - 1e-9},
    {"touching faces", CUBE, CUBE, {2, 0, 0}, STRAIGHT, ZOO_TOUCHING, 0},
    {"touching faces, shifted", CUBE, CUBE, {2, 1, 0.5}, STRAIGHT, ZOO_TOUCHING, 0},
    {"touching edges", CUBE, CUBE, {2, 2, 0}, STRAIGHT, ZOO_TOUCHING, 0},
    {"touching corners", CUBE, CUBE, {2, 2, 2}, STRAIGHT, ZOO_TOUCHING, 0},
    {"identical cubes", CUBE, CUBE, {0, 0, 0}, STRAIGHT, ZOO_OVERLAP, 0},
    {"concentric cubes, turned", CUBE, CUBE, {0, 0, 0}, EIGHTH, ZOO_OVERLAP, 0},
    {"cubes half overlapping", CUBE, CUBE, {1, 0, 0}, STRAIGHT, ZOO_OVERLAP, 0},
    {"small box in a large one",
     BOX(100, 100, 100, 0),
     BOX(0.01, 0.01, 0.01, 0),
     {3, -7, 50},
     STRAIGHT,
     ZOO_OVERLAP,
     0},
    {"rounded boxes", BOX(1, 1, 1, 0.5), BOX(1, 1, 1, 0.5), {4, 0, 0}, STRAIGHT, ZOO_APART, 1},
    {"rounded boxes, radii overlapping", BOX(1, 1, 1, 0.5), BOX(1, 1, 1, 0.5), {2.5, 0, 0}, STRAIGHT, ZOO_OVERLAP, 0},
    {"thin plates", BOX(1, 1, 1e-9, 0), BOX(1, 1, 1e-9, 0), {0.5, 0.5, 1e-6}, STRAIGHT, ZOO_APART, 1e-6 - 2e-9},
    {"huge and tiny", BOX(1e6, 1e6, 1e6, 0), BOX(1e-6, 1e-6, 1e-6, 0), {1e6 + 1, 0, 0}, STRAIGHT, ZOO_APART, 1 - 1e-6},
    // Points and segments.
    {"coincident points", CLOUD(origin, 0), CLOUD(origin, 0), {0, 0, 0}, STRAIGHT, ZOO_TOUCHING, 0},
    {"two points", CLOUD(origin, 0), CLOUD(origin, 0), {2, 3, 6}, STRAIGHT, ZOO_APART, 7},
    {"one place seven times", CLOUD(same, 0), CLOUD(same, 0), {0, 0, 2}, STRAIGHT, ZOO_APART, 2},
    {"point in a box", CUBE, CLOUD(origin, 0), {0.5, 0.5, 0.5}, STRAIGHT, ZOO_OVERLAP, 0},
    {"point on a face", CUBE, CLOUD(origin, 0), {1, 0.25, 0}, STRAIGHT, ZOO_TOUCHING, 0},
    {"point on a corner", CUBE, CLOUD(origin, 0), {1, 1, 1}, STRAIGHT, ZOO_TOUCHING, 0},
    {"point off a corner", CUBE, CLOUD(origin, 0), {2, 3, 3}, STRAIGHT, ZOO_APART, 3},
    {"crossing segments", CLOUD(along_x, 0), CLOUD(along_y, 0), {0, 0, 0}, STRAIGHT, ZOO_TOUCHING, 0},
    {"skew segments", CLOUD(along_x, 0), CLOUD(along_y, 0), {0.25, 0.5, 1}, STRAIGHT, ZOO_APART, 1},
    {"parallel segments", CLOUD(along_x, 0), CLOUD(along_x, 0), {0.5, 2, 0}, STRAIGHT, ZOO_APART, 2},
    {"almost parallel segments", CLOUD(along_x, 0), CLOUD(almost_x, 0), {0, 0, 2}, STRAIGHT, ZOO_APART, 2},
    {"collinear segments apart", CLOUD(collinear, 0), CLOUD(along_x, 0), {3, 0, 0}, STRAIGHT, ZOO_APART, 1},
    {"collinear segments overlapping", CLOUD(collinear, 0), CLOUD(along_x, 0), {1.5, 0, 0}, STRAIGHT, ZOO_TOUCHING, 0},
    {"the same segment", CLOUD(along_x, 0), CLOUD(along_x, 0), {0, 0, 0}, STRAIGHT, ZOO_TOUCHING, 0},
    {"long thin needle and a point", CLOUD(long_z, 0), CLOUD(origin, 0), {0.6, 0.8, 12345}, STRAIGHT, ZOO_APART, 1},
    {"long thin needles crossing", CLOUD(long_z, 0), CLOUD(long_z, 0), {1e-3, 0, 0}, QUARTER_X, ZOO_APART, 1e-3},
    {"segment through a cube", CUBE, CLOUD(long_z, 0), {0.5, 0, 0}, STRAIGHT, ZOO_OVERLAP, 0},
    // Flat bodies.
    {"coplanar triangles apart", CLOUD(triangle, 0), CLOUD(triangle, 0), {2, 0, 0}, STRAIGHT, ZOO_APART, 1},
    {"coplanar triangles overlapping",
     CLOUD(triangle, 0),
     CLOUD(triangle, 0),
     {0.25, 0.25, 0},
     STRAIGHT,
     ZOO_TOUCHING,
     0},
    {"identical triangles", CLOUD(triangle, 0), CLOUD(triangle, 0), {0, 0, 0}, STRAIGHT, ZOO_TOUCHING, 0},
    {"triangles sharing an edge line", CLOUD(triangle, 0), CLOUD(triangle, 0), {0, 0, 0}, QUARTER_X, ZOO_TOUCHING, 0},
    {"parallel squares", CLOUD(square, 0), CLOUD(square, 0), {0.5, 0.5, 1e-9}, STRAIGHT, ZOO_APART, 1e-9},
    {"crossing squares", CLOUD(square, 0), CLOUD(square, 0), {0.25, 0, 0.25}, QUARTER_X, ZOO_OVERLAP, 0},
    {"crooked squares", CLOUD(crooked_square, 0), CLOUD(crooked_square, 0), {0, 0, 1}, STRAIGHT, ZOO_APART, 1},
    {"sliver against a segment", CLOUD(sliver, 0), CLOUD(along_y, 0), {0, 0, 1}, STRAIGHT, ZOO_APART, 1},
    {"rounded plates", CLOUD(square, 0.25), CLOUD(square, 0.25), {0, 0, 1}, STRAIGHT, ZOO_APART, 0.5},
    // Solids of points.
    {"octahedra tip to tip", CLOUD(octahedron, 0), CLOUD(octahedron, 0), {3, 0, 0}, STRAIGHT, ZOO_APART, 1},
    {"octahedra face to face", CLOUD(octahedron, 0), CLOUD(octahedron, 0), {2, 2, 2}, STRAIGHT, ZOO_APART, 4 / SQRT3},
    {"octahedra touching faces",
     CLOUD(octahedron, 0),
     CLOUD(octahedron, 0),
     {0.5, 0.75, 0.75},
     STRAIGHT,
     ZOO_TOUCHING,
     0},
    {"tetrahedra sharing a corner", CLOUD(corner, 0), CLOUD(corner, 0), {1, 0, 0}, STRAIGHT, ZOO_TOUCHING, 0},
    {"identical tetrahedra", CLOUD(corner, 0), CLOUD(corner, 0), {0, 0, 0}, STRAIGHT, ZOO_OVERLAP, 0},
    {"flat tetrahedron under a point",
     CLOUD(flat_corner, 0),
     CLOUD(origin, 0),
     {0, 0, 1},
     STRAIGHT,
     ZOO_APART,
     1 - 1e-13},
    {"flat tetrahedra", CLOUD(flat_corner, 0), CLOUD(flat_corner, 0), {0, 0, 1}, STRAIGHT, ZOO_APART, 1 - 1e-13},
    // Round bodies.
    {"spheres apart", SPHERE(1), SPHERE(2), {2, 3, 6}, STRAIGHT, ZOO_APART, 4},
    {"spheres touching", SPHERE(1), SPHERE(1), {2, 0, 0}, STRAIGHT, ZOO_TOUCHING, 0},
    {"concentric spheres", SPHERE(1), SPHERE(2), {0, 0, 0}, STRAIGHT, ZOO_OVERLAP, 0},
    {"sphere in a cube", CUBE, SPHERE(0.25), {0.25, 0, 0}, STRAIGHT, ZOO_OVERLAP, 0},
    {"capsules side by side", CAPSULE(1, 0.5), CAPSULE(2, 0.25), {2, 0, 1}, STRAIGHT, ZOO_APART, 1.25},
    {"capsules crossed", CAPSULE(1, 0.5), CAPSULE(1, 0.5), {2, 0, 0}, QUARTER_X, ZOO_APART, 1},
    {"capsule in a capsule", CAPSULE(1, 1), CAPSULE(1, 0.25), {0, 0, 0}, STRAIGHT, ZOO_OVERLAP, 0},
    {"cylinders stacked apart", CYLINDER(1, 1), CYLINDER(1, 0.5), {0.25, 0, 3}, STRAIGHT, ZOO_APART, 1},
    {"cylinders stacked", CYLINDER(1, 1), CYLINDER(1, 1), {0, 0, 2}, STRAIGHT, ZOO_TOUCHING, 0},
    {"cylinders side by side", CYLINDER(1, 1), CYLINDER(2, 1), {0, 3, 0}, STRAIGHT, ZOO_APART, 1},
    {"cylinders crossed", CYLINDER(2, 1), CYLINDER(2, 1), {3, 0, 0}, QUARTER_X, ZOO_APART, 1},
    {"cones tip to base", CONE(1, 1), CONE(1, 1), {0, 0, 3}, STRAIGHT, ZOO_APART, 1},
    {"cone standing on a box", BOX(2, 2, 1, 0), CONE(1, 1), {0, 0, 2}, STRAIGHT, ZOO_TOUCHING, 0},
    {"cones side by side", CONE(1, 1), CONE(1, 1), {4, 0, 0}, STRAIGHT, ZOO_APART, 2},
    {"ellipsoids along an axis", ELLIPSOID(1, 2, 3), ELLIPSOID(1, 1, 1), {5, 0, 0}, STRAIGHT, ZOO_APART, 3},
    {"ellipsoid needle above a plate",
     ELLIPSOID(1e-6, 1e-6, 1),
     BOX(1, 1, 1e-6, 0),
     {0, 0, 2},
     STRAIGHT,
     ZOO_APART,
     1 - 1e-6},
    {"identical ellipsoids", ELLIPSOID(1, 2, 3), ELLIPSOID(1, 2, 3), {0, 0, 0}, STRAIGHT, ZOO_OVERLAP, 0},
};

int zoo_count(void) { return (int)(sizeof recipes / sizeof recipes[0]); }

static apart_mat3 turned(turn t) {
    switch (t) {
    case EIGHTH:
        return rng_matrix(1 + SQRT2, 0, 0, 1);
    case QUARTER_X: {
        apart_mat3 m = {{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}};
        return m;
    }
    case HAIR:
        return rng_matrix(1, 0, 0, 0.5e-9);
    case ON_ITS_CORNER: {
        // Rows: the diagonal, and two directions across it.
        apart_mat3 m = {{{1 / SQRT3, 1 / SQRT3, 1 / SQRT3},
                         {1 / SQRT2, -1 / SQRT2, 0},
                         {1 / (SQRT2 * SQRT3), 1 / (SQRT2 * SQRT3), -2 / (SQRT2 * SQRT3)}}};
        return m;
    }
    default:
        return apart_pose_identity.rotation;
    }
}

void zoo_get(int index, zoo_case* out) {
    const recipe* r = &recipes[index];
    out->name = r->name;
    out->relation = r->relation;
    out->distance = r->distance;
    out->pair.seed = (uint64_t)index;
    out->pair.placement = r->relation == ZOO_APART      ? PLACE_APART
                          : r->relation == ZOO_TOUCHING ? PLACE_TOUCHING
                                                        : PLACE_DEEP;
    cook(&r->a, &out->pair.a);
    cook(&r->b, &out->pair.b);
    out->pair.pose_a = apart_pose_identity;
    out->pair.pose_b.rotation = turned(r->turn);
    out->pair.pose_b.translation = r->at;
}

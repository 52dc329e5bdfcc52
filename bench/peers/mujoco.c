// MuJoCo: mj_geomDistance, the public call for the signed distance of two geoms, with the points.
//
// It takes the geoms of one compiled model, so all bodies of a workload become geoms of one model, compiled at the
// first query, which the driver does not time. A query writes the two poses where MuJoCo's own kinematics would have
// put them. MuJoCo keeps the vertices of a mesh as floats, and moves them into the axes of inertia when it compiles;
// here they are put back, so that one pose serves all libraries. Nothing starts from the last answer.
#include "../peers.h"

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Above any distance that is asked for.
#define FAR 1e3
#define MOST_BODIES 64
// The default of 35 ends the expansion of larger hulls too early.
#define ITERATIONS 300

// Position and rotation, as in mjData.
typedef struct placed {
    mjtNum position[3], rotation[9];
} placed;
_Static_assert(sizeof(placed) <= sizeof(bench_pose), "a pose fits");

// Geom i is body[i]; a shape is one element of `body`.
static struct {
    const bench_body* body[MOST_BODIES];
    int count, in_use;
    mjModel* model;
    mjData* data;
} world;

static bool has_geom(bench_kind kind) { return kind != BENCH_CONE; }

static void* create(const bench_body* body) {
    if (!has_geom(body->kind) || world.model || world.count == MOST_BODIES) return NULL;
    world.in_use++;
    world.body[world.count] = body;
    return &world.body[world.count++];
}

static void destroy(void* shape) {
    (void)shape;
    if (--world.in_use > 0) return;
    mj_deleteData(world.data);
    mj_deleteModel(world.model);
    memset(&world, 0, sizeof world);
}

static void place(const apart_pose* pose, bench_pose* out) {
    const apart_vec3 t = pose->translation;
    placed p = {.position = {t.x, t.y, t.z}};
    for (int i = 0; i < 9; i++) p.rotation[i] = pose->rotation.m[i / 3][i % 3];
    memcpy(out, &p, sizeof p);
}

static void set_size(mjsGeom* geom, mjtGeom type, double x, double y, double z) {
    geom->type = type;
    geom->size[0] = x;
    geom->size[1] = y;
    geom->size[2] = z;
}

static bool add_mesh(mjSpec* spec, mjsGeom* geom, const bench_body* body, int index) {
    float* vertex = malloc(3 * body->count * sizeof *vertex);
    int* corner = malloc(3 * body->triangle_count * sizeof *corner);
    bool good = vertex && corner;
    for (size_t i = 0; good && i < body->count; i++) {
        vertex[3 * i] = (float)body->points[i].x;
        vertex[3 * i + 1] = (float)body->points[i].y;
        vertex[3 * i + 2] = (float)body->points[i].z;
    }
    for (size_t i = 0; good && i < 3 * body->triangle_count; i++) corner[i] = (int)body->triangles[i / 3][i % 3];
    if (good) {
        mjsMesh* mesh = mjs_addMesh(spec, NULL);
        char name[16];
        snprintf(name, sizeof name, "%d", index);
        mjs_setName(mesh->element, name);
        mjs_setFloat(mesh->uservert, vertex, (int)(3 * body->count));
        mjs_setInt(mesh->userface, corner, (int)(3 * body->triangle_count));
        mjs_setString(geom->meshname, name);
        geom->type = mjGEOM_MESH;
    }
    free(vertex);
    free(corner);
    return good;
}

static bool add_geom(mjSpec* spec, const bench_body* b, int index) {
    mjsGeom* geom = mjs_addGeom(mjs_findBody(spec, "world"), NULL);
    switch (b->kind) {
    case BENCH_HULL:
        return add_mesh(spec, geom, b, index);
    case BENCH_BOX:
        set_size(geom, mjGEOM_BOX, b->half.x, b->half.y, b->half.z);
        return true;
    case BENCH_SPHERE:
        set_size(geom, mjGEOM_SPHERE, b->radius, 0, 0);
        return true;
    case BENCH_CAPSULE:
        set_size(geom, mjGEOM_CAPSULE, b->radius, b->half_height, 0);
        return true;
    case BENCH_CYLINDER:
        set_size(geom, mjGEOM_CYLINDER, b->radius, b->half_height, 0);
        return true;
    case BENCH_ELLIPSOID:
        set_size(geom, mjGEOM_ELLIPSOID, b->half.x, b->half.y, b->half.z);
        return true;
    case BENCH_CONE:
        break;
    }
    return false;
}

// The compiler must have kept the vertices in their order.
static bool put_vertices_back(mjModel* m, int geom, const bench_body* body) {
    const int mesh = m->geom_dataid[geom];
    if ((size_t)m->mesh_vertnum[mesh] != body->count) return false;
    float* to = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[mesh];
    for (size_t i = 0; i < body->count; i++) {
        const mjtNum local[3] = {to[3 * i], to[3 * i + 1], to[3 * i + 2]};
        const double p[3] = {body->points[i].x, body->points[i].y, body->points[i].z};
        mjtNum turned[3];
        mju_rotVecQuat(turned, local, m->mesh_quat + 4 * (size_t)mesh);
        for (int k = 0; k < 3; k++) {
            if (!(fabs(turned[k] + m->mesh_pos[3 * mesh + k] - p[k]) < 1e-5)) return false;
            to[3 * i + (size_t)k] = (float)p[k];
        }
    }
    return true;
}

static bool compile(void) {
    mjSpec* spec = mj_makeSpec();
    bool good = spec != NULL;
    for (int i = 0; good && i < world.count; i++) good = add_geom(spec, world.body[i], i);
    if (good) world.model = mj_compile(spec, NULL);
    if (good && !world.model) fprintf(stderr, "MuJoCo: %s\n", mjs_getError(spec));
    if (spec) mj_deleteSpec(spec);
    if (!world.model) return false;
    world.model->opt.ccd_iterations = ITERATIONS;
    world.data = mj_makeData(world.model);
    for (int i = 0; good && i < world.count; i++)
        if (world.body[i]->kind == BENCH_HULL) good = put_vertices_back(world.model, i, world.body[i]);
    if (!good) fprintf(stderr, "MuJoCo: the vertices of a mesh have been reordered\n");
    return good && world.data;
}

static void set_pose(int geom, const bench_pose* pose) {
    const placed* p = (const placed*)pose;
    memcpy(world.data->geom_xpos + 3 * (size_t)geom, p->position, sizeof p->position);
    memcpy(world.data->geom_xmat + 9 * (size_t)geom, p->rotation, sizeof p->rotation);
}

static double distance(const void* a, const bench_pose* pose_a, const void* b, const bench_pose* pose_b,
                       bench_memory* memory) {
    (void)memory;
    if (!world.model && !compile()) return BENCH_NO_ANSWER;
    const int geom_a = (int)((const bench_body* const*)a - world.body);
    const int geom_b = (int)((const bench_body* const*)b - world.body);
    set_pose(geom_a, pose_a);
    set_pose(geom_b, pose_b);
    mjtNum from_to[6];
    return mj_geomDistance(world.model, world.data, geom_a, geom_b, FAR, from_to);
}

const bench_library bench_mujoco = {
    .name = "MuJoCo",
    .version = BENCH_MUJOCO_VERSION,
    .call = "mj_geomDistance",
    .answers = BENCH_VALUE,
    .create = create,
    .destroy = destroy,
    .place = place,
    .distance = distance,
};

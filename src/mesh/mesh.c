// The shape made of triangles: checks them, brings them to stored coordinates, finds what they form, builds the tree,
// and lays everything out in one block.
//
// Memory: what the search for components needs is freed before the block is made, so that either has the memory for
// itself. The stored coordinates are therefore computed twice, and all that is left of the components is a byte for
// each triangle. The builder of the tree works in the blocks of corners, ahead of where it fills them.
#include "mesh/mesh.h"
#include "base/error.h"
#include "base/pose.h"

#include <stdlib.h>
#include <string.h>

typedef struct input {
    const vec3* vertices;
    size_t vertex_count;
    const uint32_t (*triangles)[3];
    size_t triangle_count;
    const apart_mesh_options* options;
    apart_error* error;
    meter* meter;
    uint8_t* used; // a bit for each vertex: whether a triangle has it
} input;

// Nanoseconds: checks of a triangle and a vertex; bringing a vertex to stored coordinates; the entries of a triangle in
// the block; reading its component.
#define CHECK_WORK 4.0
#define PLACE_WORK 8.0
#define FILL_WORK 20.0
#define ROLE_WORK 3.0

static bool is_used(const input* in, size_t vertex) { return in->used[vertex / 8] >> vertex % 8 & 1; }

// -------------------------------------------------------------------------------------------------- the input ----

/// Complains about vertex v, by the first triangle that uses it.
static bool refuse_vertex(const input* in, size_t v) {
    vec3 p = in->vertices[v];
    apart_status status = apart_point_check(p);
    const char* what = status == APART_NOT_FINITE ? "is not finite" : "is beyond the limit of 1e300";
    for (size_t t = 0; t < in->triangle_count; t++)
        for (int i = 0; i < 3; i++)
            if (in->triangles[t][i] == v) {
                apart_fail(in->error, status, "triangle %zu: its vertex %zu (%g, %g, %g) %s", t, v, p.x, p.y, p.z,
                           what);
                return false;
            }
    apart_fail(in->error, status, "vertex %zu (%g, %g, %g), which no triangle uses, %s", v, p.x, p.y, p.z, what);
    return false;
}

static bool check_counts(const input* in) {
    if (in->triangle_count == 0) return apart_fail(in->error, APART_EMPTY, "there are no triangles"), false;
    if (!in->triangles) return apart_fail(in->error, APART_INVALID, "triangles is NULL"), false;
    if (!in->vertices) return apart_fail(in->error, APART_INVALID, "vertices is NULL"), false;
    if (in->triangle_count > TREE_MOST_ITEMS || in->vertex_count >= UINT32_MAX) {
        apart_fail(in->error, APART_INVALID, "%zu triangles on %zu vertices: a mesh can have %u and %u",
                   in->triangle_count, in->vertex_count, TREE_MOST_ITEMS, UINT32_MAX - 1);
        return false;
    }
    // About 130 bytes a triangle and 24 a vertex, both in the block and before it is made.
    if ((uint64_t)in->triangle_count * 256 + (uint64_t)in->vertex_count * 64 > SIZE_MAX / 2) {
        apart_fail(in->error, APART_OUT_OF_MEMORY, "out of memory: a mesh of %zu triangles", in->triangle_count);
        return false;
    }
    return true;
}

/// Whether all indices are in range; marks the vertices that are used.
static bool check_triangles(const input* in) {
    for (size_t t = 0; t < in->triangle_count; t++) {
        for (int i = 0; i < 3; i++) {
            uint32_t v = in->triangles[t][i];
            if (v >= in->vertex_count) {
                apart_fail(in->error, APART_INVALID, "triangle %zu refers to vertex %u, but there are only %zu", t, v,
                           in->vertex_count);
                return false;
            }
            in->used[v / 8] |= (uint8_t)(1u << v % 8);
        }
        if (!meter_item(in->meter, t, CHECK_WORK)) return false;
    }
    return true;
}

/// Whether all vertices are in range; finds the box of those that are used.
static bool check_vertices(const input* in, vec3* lower, vec3* upper) {
    *lower = vec3_make(INFINITY, INFINITY, INFINITY);
    *upper = vec3_neg(*lower);
    for (size_t v = 0; v < in->vertex_count; v++) {
        vec3 p = in->vertices[v];
        if (apart_point_check(p) != APART_OK) return refuse_vertex(in, v);
        if (is_used(in, v)) {
            *lower = vec3_min(*lower, p);
            *upper = vec3_max(*upper, p);
        }
        if (!meter_item(in->meter, v, CHECK_WORK)) return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------------- place ----

/// Fills `stored`, and sets what depends on it. Vertices that no triangle uses count for nothing and become 0.
static bool place_vertices(const input* in, apart_shape* place, vec3* stored) {
    double square = 0;
    place->exact = true;
    for (size_t v = 0; v < in->vertex_count; v++) {
        stored[v] = vec3_make(0, 0, 0);
        if (!meter_item(in->meter, v, PLACE_WORK)) return false;
        if (!is_used(in, v)) continue;
        vec3 p = stored[v] = shape_to_stored(place, in->vertices[v]);
        square = larger(square, vec3_dot(p, p));
        place->exact = place->exact && shape_stores_exactly(place, in->vertices[v], p);
    }
    place->bound = sqrt(square) * (1 + 0x1p-50);
    return true;
}

// -------------------------------------------------------------------------------------------------- components ----

/// The part of a triangle in the wall of a solid.
static uint8_t wall_of(const topology* t, uint32_t piece, bool hollow) {
    if (hollow || piece == NO_COMPONENT || !t->component[piece].solid) return WALL_NONE;
    return t->component[piece].oriented ? WALL_SIGNED : WALL_COUNTED;
}

/// The role of a triangle: a mesh_wall, and whether it is the sample of its component.
#define ROLE_SAMPLE 0x80

/// Reads the roles out of the components. Returns the number of samples.
static size_t find_roles(const input* in, const topology* t, uint8_t* role) {
    size_t samples = 0;
    for (size_t i = 0; i < in->triangle_count; i++) {
        uint32_t piece = t->of[i];
        bool sample = piece == NO_COMPONENT || t->component[piece].triangle == i;
        role[i] = t->drop && t->drop[i] ? WALL_NONE : wall_of(t, piece, in->options->hollow);
        if (sample) role[i] |= ROLE_SAMPLE;
        samples += sample;
        if (!meter_item(in->meter, i, ROLE_WORK)) break;
    }
    return samples;
}

/// Finds the components. *role, to be freed, is all that is kept of the triangles. False if something fails.
static bool find_components(const input* in, const vec3* stored, topology* t, uint8_t** role, size_t* samples) {
    bool ok = apart_topology_find(stored, (uint32_t)in->vertex_count, in->triangles, (uint32_t)in->triangle_count, t,
                                  in->meter);
    *role = ok ? malloc(in->triangle_count) : NULL;
    if (*role)
        *samples = find_roles(in, t, *role);
    else if (!in->meter->cancelled)
        apart_fail(in->error, APART_OUT_OF_MEMORY, "out of memory: the edges of %zu triangles", in->triangle_count);
    free(t->component);
    free(t->of);
    free(t->drop);
    t->component = NULL;
    t->of = NULL;
    t->drop = NULL;
    return *role && !in->meter->cancelled;
}

// ------------------------------------------------------------------------------------------------------ layout ----

/// The arrays of a mesh in its block, in this order: the nodes and the coordinates are aligned.
typedef struct layout {
    size_t nodes, blocks, vertices, triangles, caller, samples, walls, header, total;
} layout;

static layout plan(const input* in, size_t samples) {
    layout l = {.nodes = 0};
    l.blocks = l.nodes + apart_bvh_node_count((uint32_t)in->triangle_count) * sizeof(tree_node);
    l.vertices = l.blocks + (in->triangle_count + LANE_COUNT - 1) / LANE_COUNT * sizeof(tree_block);
    l.header = l.vertices + in->vertex_count * sizeof(vec3);
    l.triangles = l.header + sizeof(mesh);
    l.caller = l.triangles + in->triangle_count * 3 * sizeof(uint32_t);
    l.samples = l.caller + in->triangle_count * sizeof(uint32_t);
    l.walls = l.samples + samples * sizeof(uint32_t);
    l.total = l.walls + in->triangle_count;
    return l;
}

// ---------------------------------------------------------------------------------------------------- contents ----

static int triangle_corners(const void* context, uint32_t item, vec3* points) {
    mesh_triangle_corners(context, item, points);
    return 3;
}

/// Everything that follows from the order of the triangles in the tree, which is in m->caller.
static bool fill_triangles(const input* in, const uint8_t* role, mesh* m, uint32_t (*triangle)[3], uint32_t* sample,
                           uint8_t* wall) {
    m->triangle = (const uint32_t(*)[3])triangle;
    m->sample = sample;
    m->wall = wall;
    for (uint32_t k = 0; k < m->triangle_count; k++) {
        uint32_t number = m->caller[k];
        memcpy(triangle[k], in->triangles[number], sizeof triangle[k]);
        wall[k] = role[number] & (uint8_t)~ROLE_SAMPLE;
        if (role[number] & ROLE_SAMPLE) sample[m->sample_count++] = k;
        if (!meter_item(in->meter, k, FILL_WORK)) return false;
    }
    return true;
}

/// Builds Quinlan's tree, if it is asked for.
static bool build_spheres(const input* in, const apart_shape* shape, mesh* m) {
    if (!(in->options->sphere_radius > 0)) return true;
    double radius = in->options->sphere_radius / shape->scale;
    return apart_spheres_build(m->vertex, m->triangle, m->triangle_count, radius, in->meter, &m->spheres, in->error);
}

/// Fills the block of a shape that has room for it all.
static bool fill_mesh(const input* in, const uint8_t* role, const layout* l, apart_shape* shape, mesh* m) {
    char* block = apart_shape_extra(shape);
    vec3* vertex = (vec3*)(void*)(block + l->vertices);
    uint32_t* caller = (uint32_t*)(void*)(block + l->caller);
    tree_node* nodes = (tree_node*)(void*)(block + l->nodes);
    tree_block* blocks = (tree_block*)(void*)(block + l->blocks);
    void* scratch = block + l->vertices - in->triangle_count * TREE_SCRATCH; // the end of the blocks
    m->vertex = vertex;
    m->triangle = in->triangles; // until they have their order
    m->caller = caller;
    return place_vertices(in, shape, vertex) &&
           apart_bvh_build(triangle_corners, m, m->triangle_count, nodes, caller, blocks, scratch, &m->tree,
                           in->meter) &&
           fill_triangles(in, role, m, (uint32_t(*)[3])(void*)(block + l->triangles),
                          (uint32_t*)(void*)(block + l->samples), (uint8_t*)block + l->walls) &&
           build_spheres(in, shape, m);
}

static void dispose_mesh(apart_shape* shape) { apart_spheres_free(&((mesh*)shape->mesh)->spheres); }

static void describe_mesh(const apart_shape* shape, apart_shape_info* info) {
    const mesh* m = shape->mesh;
    const topology* t = &m->topology;
    info->vertices = m->vertex_count;
    info->triangles = m->triangle_count;
    info->edges = t->edges;
    info->degenerate = t->degenerate;
    info->components = t->count;
    info->solids = t->solids;
    info->open_edges = t->open_edges;
    info->crowded_edges = t->crowded_edges;
    info->holes = t->holes;
    info->idle = t->idle;
    info->almost_solids = t->almost;
    if (t->holes > 0) {
        info->hole_lower = shape_to_local(shape, t->hole_lower);
        info->hole_upper = shape_to_local(shape, t->hole_upper);
    }
    info->spheres = m->spheres.leaf_count;
    tree_describe(&m->tree, info);
}

/// The shape, of which the place is known, and what the triangles form.
static apart_shape* build(const input* in, const topology* t, const uint8_t* role, size_t samples, vec3 lower,
                          vec3 upper) {
    layout l = plan(in, samples);
    apart_shape* shape = apart_shape_allocate(SHAPE_MESH, l.total, in->error);
    if (!shape) return NULL;
    mesh* m = (mesh*)(void*)((char*)apart_shape_extra(shape) + l.header);
    *m = (mesh){
        .vertex_count = (uint32_t)in->vertex_count, .triangle_count = (uint32_t)in->triangle_count, .topology = *t};
    if (in->options->hollow) m->topology.solids = m->topology.almost = 0;
    shape->mesh = m;
    shape->dispose = dispose_mesh;
    shape->describe = describe_mesh;
    shape->dimension = -1;
    shape->radius = in->options->radius;
    apart_shape_place(shape, lower, upper);
    if (fill_mesh(in, role, &l, shape, m)) {
        shape->bytes += m->spheres.node_count * sizeof(sphere_node);
        return shape;
    }
    apart_shape_release(shape);
    return NULL;
}

/// Checks the contents, finds the components, builds. NULL without a sentence if the meter ended the work.
static apart_shape* make(const input* in) {
    vec3 lower, upper;
    apart_shape place = {.scale = 1};
    if (!check_triangles(in) || !check_vertices(in, &lower, &upper)) return NULL;
    vec3* stored = malloc(in->vertex_count * sizeof *stored);
    if (!stored) return apart_fail(in->error, APART_OUT_OF_MEMORY, "out of memory: %zu vertices", in->vertex_count);
    topology t = {0};
    uint8_t* role = NULL;
    size_t samples = 0;
    apart_shape_place(&place, lower, upper);
    bool ok = place_vertices(in, &place, stored) && find_components(in, stored, &t, &role, &samples);
    free(stored);
    apart_shape* shape = ok ? build(in, &t, role, samples, lower, upper) : NULL;
    free(role);
    return shape;
}

/// The work in all. That of Quinlan's tree is not known before its leaves are counted: it gets a fixed share.
static double work_of(const input* in) {
    uint32_t vertices = (uint32_t)in->vertex_count, triangles = (uint32_t)in->triangle_count;
    double work = (CHECK_WORK + FILL_WORK + ROLE_WORK) * triangles + (CHECK_WORK + 2 * PLACE_WORK) * vertices +
                  apart_topology_work(vertices, triangles) + apart_bvh_work(triangles);
    return in->options->sphere_radius > 0 ? 2.5 * work : work;
}

apart_shape* apart_shape_mesh(const apart_vec3* vertices, size_t vertex_count, const uint32_t* triangles,
                              size_t triangle_count, const apart_mesh_options* options, apart_error* error) {
    static const apart_mesh_options defaults = {0};
    if (!options) options = &defaults;
    meter told = {.progress = options->progress, .context = options->progress_context};
    const uint32_t(*corner)[3] = (const uint32_t(*)[3])triangles;
    input in = {vertices, vertex_count, corner, triangle_count, options, error, &told, NULL};
    if (!apart_shape_check_size(options->radius, "radius", error)) return NULL;
    if (!apart_shape_check_size(options->sphere_radius, "sphere_radius", error)) return NULL;
    if (!check_counts(&in)) return NULL;
    in.used = calloc(vertex_count / 8 + 1, 1);
    if (!in.used) return apart_fail(error, APART_OUT_OF_MEMORY, "out of memory: %zu vertices", vertex_count);
    told.work = work_of(&in);
    apart_shape* shape = meter_tell(&told) ? make(&in) : NULL;
    free(in.used);
    told.done = told.work;
    if (shape && !meter_tell(&told)) {
        apart_shape_release(shape);
        shape = NULL;
    }
    if (told.cancelled) apart_fail(error, APART_CANCELLED, "cancelled while a mesh was built");
    return shape;
}

// The shape made of triangles: checks them, brings them to stored coordinates, finds what they form, builds the tree,
// and lays everything out in one block.
#include "base/error.h"
#include "base/pose.h"
#include "shape/shape.h"

#include <stdlib.h>
#include <string.h>

typedef struct input {
    const vec3* vertices;
    size_t vertex_count;
    const uint32_t (*triangles)[3];
    size_t triangle_count;
    const apart_mesh_options* options;
    apart_error* error;
} input;

// -------------------------------------------------------------------------------------------------- the input ----

/// Complains about vertex v, by the first triangle that uses it.
static bool refuse_vertex(const input* in, size_t v) {
    vec3 p = in->vertices[v];
    apart_status status = vec3_is_finite(p) ? APART_OUT_OF_RANGE : APART_NOT_FINITE;
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
    // About 140 bytes a triangle in the block, its vertices included, and 100 more while it is built.
    if ((uint64_t)in->triangle_count * 256 + (uint64_t)in->vertex_count * 64 > SIZE_MAX / 2) {
        apart_fail(in->error, APART_OUT_OF_MEMORY, "out of memory: a mesh of %zu triangles", in->triangle_count);
        return false;
    }
    return true;
}

/// Whether the arguments are usable; if not, *error says why.
static bool check_input(const input* in) {
    if (!apart_shape_check_size(in->options->radius, "radius", in->error)) return false;
    if (!apart_shape_check_size(in->options->sphere_radius, "sphere_radius", in->error)) return false;
    if (!check_counts(in)) return false;
    for (size_t t = 0; t < in->triangle_count; t++)
        for (int i = 0; i < 3; i++)
            if (in->triangles[t][i] >= in->vertex_count) {
                apart_fail(in->error, APART_INVALID, "triangle %zu refers to vertex %u, but there are only %zu", t,
                           in->triangles[t][i], in->vertex_count);
                return false;
            }
    for (size_t v = 0; v < in->vertex_count; v++) {
        vec3 p = in->vertices[v];
        if (!(fabs(p.x) <= APART_LIMIT && fabs(p.y) <= APART_LIMIT && fabs(p.z) <= APART_LIMIT))
            return refuse_vertex(in, v);
    }
    return true;
}

// ------------------------------------------------------------------------------------------------------- place ----

/// Sets origin and scale, and fills `stored`; vertices that no triangle uses count for nothing and become 0.
static void place_vertices(const input* in, apart_shape* place, vec3* stored) {
    vec3 lower = in->vertices[in->triangles[0][0]], upper = lower;
    for (size_t t = 0; t < in->triangle_count; t++)
        for (int i = 0; i < 3; i++) {
            vec3 p = in->vertices[in->triangles[t][i]];
            lower = vec3_min(lower, p);
            upper = vec3_max(upper, p);
        }
    apart_shape_place(place, lower, upper);
    place->exact = true;
    place->lower = shape_to_stored(place, lower);
    place->upper = shape_to_stored(place, upper);
    place->center = vec3_scale(0.5, vec3_add(place->lower, place->upper));
    memset(stored, 0, in->vertex_count * sizeof *stored);
    double square = 0;
    for (size_t t = 0; t < in->triangle_count; t++)
        for (int i = 0; i < 3; i++) {
            uint32_t v = in->triangles[t][i];
            vec3 p = shape_to_stored(place, in->vertices[v]);
            stored[v] = p;
            square = larger(square, vec3_dot(p, p));
            place->exact = place->exact && shape_stores_exactly(place, in->vertices[v], p);
        }
    place->bound = sqrt(square) * (1 + 0x1p-50);
}

// ------------------------------------------------------------------------------------------------------ layout ----

/// The arrays of a mesh in its block, in this order: the nodes and the coordinates are aligned.
typedef struct layout {
    size_t nodes, blocks, vertices, triangles, caller, samples, walls, header, total;
} layout;

static layout plan(const input* in, size_t samples) {
    layout l = {.nodes = 0};
    l.blocks = l.nodes + apart_tree_node_count((uint32_t)in->triangle_count) * sizeof(tree_node);
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

typedef struct corners {
    const vec3* vertex;
    const uint32_t (*triangle)[3];
} corners;

static int triangle_corners(const void* context, uint32_t item, vec3* points) {
    const corners* c = context;
    for (int i = 0; i < 3; i++) points[i] = c->vertex[c->triangle[item][i]];
    return 3;
}

/// The caller's progress function, for one of several works.
typedef struct share {
    const apart_mesh_options* options;
    double from, to;
} share;

static bool tell_share(double done, void* context) {
    const share* s = context;
    return s->options->progress(s->from + done * (s->to - s->from), s->options->progress_context);
}

/// The part of the triangle in the wall of a solid.
static uint8_t wall_of(const topology* t, uint32_t piece, bool hollow) {
    if (hollow || piece == NO_COMPONENT || !t->component[piece].solid) return WALL_NONE;
    return t->component[piece].oriented ? WALL_SIGNED : WALL_COUNTED;
}

static size_t count_samples(const topology* t, size_t triangles) {
    size_t strays = 0;
    for (size_t i = 0; i < triangles; i++) strays += t->of[i] == NO_COMPONENT;
    return t->count + strays;
}

/// The corners once more, as the search likes them.
static void fill_blocks(const mesh* m, tree_block* block) {
    uint32_t blocks = (m->triangle_count + LANE_COUNT - 1) / LANE_COUNT;
    for (uint32_t k = 0; k < blocks * LANE_COUNT; k++) {
        uint32_t item = k < m->triangle_count ? k : m->triangle_count - 1, lane = k % LANE_COUNT;
        for (int i = 0; i < 3; i++) {
            vec3 p = m->vertex[m->triangle[item][i]];
            float(*to)[LANE_COUNT] = block[k / LANE_COUNT].corner[i];
            to[0][lane] = (float)p.x;
            to[1][lane] = (float)p.y;
            to[2][lane] = (float)p.z;
        }
    }
}

/// Everything that follows from the order of the triangles in the tree, which is in m->caller.
static void fill_triangles(const input* in, const topology* t, mesh* m, uint32_t (*triangle)[3], uint32_t* sample,
                           uint8_t* wall) {
    for (uint32_t k = 0; k < m->triangle_count; k++) {
        uint32_t number = m->caller[k], piece = t->of[number];
        memcpy(triangle[k], in->triangles[number], sizeof triangle[k]);
        bool repeat = t->repeat && t->repeat[number];
        wall[k] = repeat ? WALL_NONE : wall_of(t, piece, in->options->hollow);
        if (piece == NO_COMPONENT || t->component[piece].triangle == number) sample[m->sample_count++] = k;
    }
    m->triangle = (const uint32_t(*)[3])triangle;
    m->sample = sample;
    m->wall = wall;
    m->topology = *t;
    m->topology.component = NULL;
    m->topology.of = NULL;
    m->topology.repeat = NULL;
    if (in->options->hollow) m->topology.solids = 0;
}

/// Builds Quinlan's tree, if it is asked for.
static apart_status build_spheres(const input* in, apart_shape* shape, mesh* m, share* s) {
    if (!(in->options->sphere_radius > 0)) return APART_OK;
    sphere_options options = {.radius = in->options->sphere_radius / shape->scale};
    if (in->options->progress) {
        options.progress = tell_share;
        options.progress_context = s;
    }
    return apart_spheres_build(m->vertex, m->triangle, m->triangle_count, &options, &m->spheres, in->error);
}

/// Fills the block of a shape that has room for it all. On failure *error says why.
static apart_status fill_mesh(const input* in, const topology* t, const layout* l, const vec3* stored,
                              apart_shape* shape) {
    char* block = apart_shape_extra(shape);
    mesh* m = (mesh*)(void*)(block + l->header);
    memset(m, 0, sizeof *m);
    shape->mesh = m;
    m->vertex_count = (uint32_t)in->vertex_count;
    m->triangle_count = (uint32_t)in->triangle_count;
    vec3* vertex = (vec3*)(void*)(block + l->vertices);
    memcpy(vertex, stored, in->vertex_count * sizeof *vertex);
    m->vertex = vertex;
    uint32_t* caller = (uint32_t*)(void*)(block + l->caller);
    m->caller = caller;

    const corners c = {vertex, in->triangles};
    bool twice = in->options->sphere_radius > 0;
    share first = {in->options, 0.2, twice ? 0.4 : 1}, second = {in->options, 0.4, 1};
    apart_status status =
        apart_tree_build(triangle_corners, &c, m->triangle_count, (tree_node*)(void*)(block + l->nodes), caller,
                         &m->tree, in->options->progress ? tell_share : NULL, &first);
    if (status == APART_OUT_OF_MEMORY) apart_fail(in->error, status, "out of memory: the tree of a mesh");
    if (status == APART_OK) {
        fill_triangles(in, t, m, (uint32_t(*)[3])(void*)(block + l->triangles), (uint32_t*)(void*)(block + l->samples),
                       (uint8_t*)block + l->walls);
        tree_block* blocks = (tree_block*)(void*)(block + l->blocks);
        fill_blocks(m, blocks);
        m->tree.blocks = blocks;
        status = build_spheres(in, shape, m, &second);
    }
    if (status == APART_OK && in->options->progress && !in->options->progress(1, in->options->progress_context))
        status = APART_CANCELLED;
    if (status == APART_CANCELLED) apart_fail(in->error, status, "cancelled while the tree of a mesh was built");
    return status;
}

static apart_shape* build(const input* in, const topology* t, const apart_shape* place, const vec3* stored) {
    layout l = plan(in, count_samples(t, in->triangle_count));
    apart_shape* shape = apart_shape_allocate(SHAPE_MESH, l.total, in->error);
    if (!shape) return NULL;
    shape->dimension = -1;
    shape->radius = in->options->radius;
    shape->scale = place->scale;
    shape->origin = place->origin;
    shape->bound = place->bound;
    shape->exact = place->exact;
    shape->lower = place->lower;
    shape->upper = place->upper;
    shape->center = place->center;
    if (fill_mesh(in, t, &l, stored, shape) == APART_OK) {
        shape->bytes += shape->mesh->spheres.node_count * sizeof(sphere_node);
        return shape;
    }
    apart_shape_release(shape);
    return NULL;
}

apart_shape* apart_shape_mesh(const apart_vec3* vertices, size_t vertex_count, const uint32_t (*triangles)[3],
                              size_t triangle_count, const apart_mesh_options* options, apart_error* error) {
    static const apart_mesh_options defaults = {0};
    const input in = {vertices, vertex_count, triangles, triangle_count, options ? options : &defaults, error};
    if (!check_input(&in)) return NULL;
    if (in.options->progress && !in.options->progress(0, in.options->progress_context))
        return apart_fail(error, APART_CANCELLED, "cancelled before the mesh was built");

    apart_shape place = {.scale = 1};
    topology t;
    vec3* stored = malloc(vertex_count * sizeof *stored);
    if (!stored) return apart_fail(error, APART_OUT_OF_MEMORY, "out of memory: %zu vertices", vertex_count);
    place_vertices(&in, &place, stored);
    apart_shape* shape = NULL;
    if (apart_topology_find(stored, (uint32_t)vertex_count, triangles, (uint32_t)triangle_count, &t)) {
        if (in.options->progress && !in.options->progress(0.2, in.options->progress_context))
            apart_fail(error, APART_CANCELLED, "cancelled before the tree of a mesh was built");
        else
            shape = build(&in, &t, &place, stored);
        free(t.component);
        free(t.of);
        free(t.repeat);
    } else {
        apart_fail(error, APART_OUT_OF_MEMORY, "out of memory: the edges of %zu triangles", triangle_count);
    }
    free(stored);
    return shape;
}

void apart_mesh_dispose(apart_shape* shape) {
    mesh* m = (mesh*)shape->mesh;
    apart_spheres_free(&m->spheres);
}

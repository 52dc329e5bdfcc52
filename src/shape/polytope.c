// The shape made of points: checks them, brings them to stored coordinates, takes their hull, and lays everything out
// in one block.
#include "base/error.h"
#include "base/pose.h"
#include "shape/shape.h"

#include <stdlib.h>
#include <string.h>

/// Qhull counts bytes of its point sets in int: 2^27 points of 8 bytes fit.
#define MOST_POINTS 0x8000000u

/// Hill climbing may fall short of the true maximum by this much, in stored units: the same 4 roundings as the hull.
#define CLIMB_SLACK HULL_SLACK
/// Products that the check of hill climbing may cost, beyond its fixed directions.
#define CLIMB_BUDGET 0x1000000

// -------------------------------------------------------------------------------------------------- the input ----

/// Whether the arguments are usable; if not, *error says why.
static bool check_points(const vec3* points, size_t count, double radius, apart_error* error) {
    if (!shape_check_size(radius, "radius", error)) return false;
    if (count == 0) return apart_fail(error, APART_EMPTY, "there are no points"), false;
    if (!points) return apart_fail(error, APART_INVALID, "points is NULL"), false;
    if (count > MOST_POINTS) {
        apart_fail(error, APART_INVALID, "%zu points are more than the %u that a hull can have", count, MOST_POINTS);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        vec3 p = points[i];
        if (fabs(p.x) <= APART_LIMIT && fabs(p.y) <= APART_LIMIT && fabs(p.z) <= APART_LIMIT) continue;
        apart_status status = vec3_is_finite(p) ? APART_OUT_OF_RANGE : APART_NOT_FINITE;
        apart_fail(error, status, "point %zu (%g, %g, %g) %s", i, p.x, p.y, p.z,
                   status == APART_NOT_FINITE ? "is not finite" : "is beyond the limit of 1e300");
        return false;
    }
    return true;
}

/// Origin and scale of a body with these points.
static void place_points(apart_shape* place, const vec3* points, size_t count) {
    vec3 lower = points[0], upper = points[0];
    for (size_t i = 1; i < count; i++) {
        lower = vec3_make(fmin(lower.x, points[i].x), fmin(lower.y, points[i].y), fmin(lower.z, points[i].z));
        upper = vec3_make(fmax(upper.x, points[i].x), fmax(upper.y, points[i].y), fmax(upper.z, points[i].z));
    }
    shape_place(place, lower, upper);
}

// -------------------------------------------------------------------------------------------------- the block ----

/// Sizes of the arrays of a polytope, in elements.
typedef struct layout {
    uint32_t padded, neighbours, corners, cells;
    size_t bytes;
} layout;

/// How many cells per side: about one start vertex for four vertices, 6 cells^2 in all. None for small bodies.
static uint32_t seed_cells(const hull* h) {
    if (!h->climbable || h->count <= CLIMB_FROM) return 0;
    uint32_t cells = 1;
    while (cells < 32 && 24 * cells * cells < h->count) cells++;
    return cells;
}

/// One block holds 3 arrays of `padded` doubles, each a multiple of 64 bytes, and then the arrays of 32-bit numbers.
/// With at most 2^27 vertices, 6 * 2^27 neighbours and as many corners, the sum stays below 2^37 and fits 64 bits.
static bool lay_out(const hull* h, layout* out) {
    out->padded = (h->count + LANES - 1) / LANES * LANES;
    out->neighbours = h->first[h->count];
    out->corners = h->face_first[h->face_count];
    out->cells = seed_cells(h);
    uint64_t words = (uint64_t)h->count + (h->count + 1) + out->neighbours + (h->face_count + 1) + out->corners +
                     6 * out->cells * out->cells;
    uint64_t bytes = 3 * sizeof(double) * (uint64_t)out->padded + sizeof(uint32_t) * words;
    out->bytes = (size_t)bytes;
    return bytes <= SIZE_MAX / 2;
}

/// Takes the next `length` numbers of the block and fills them from `from`, if given.
static uint32_t* carve(uint32_t** block, size_t length, const uint32_t* from) {
    uint32_t* array = *block;
    *block += length;
    if (from && length > 0) memcpy(array, from, length * sizeof *array);
    return array;
}

/// Copies the vertices; the padding repeats vertex 0.
static void fill_vertices(apart_shape* shape, const hull* h, const vec3* stored, double* block) {
    polytope* p = &shape->polytope;
    double *x = block, *y = x + p->padded, *z = y + p->padded;
    vec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < p->padded; i++) {
        vec3 v = stored[h->vertex[i < h->count ? i : 0]];
        x[i] = v.x, y[i] = v.y, z[i] = v.z;
        if (i >= h->count) continue;
        sum = vec3_add(sum, v);
        shape->bound = fmax(shape->bound, shape_length_up(v));
    }
    shape->center = vec3_scale(1.0 / h->count, sum);
    p->x = x, p->y = y, p->z = z;
}

/// Copies the hull into the shape's block.
static uint32_t* fill_polytope(apart_shape* shape, const hull* h, const layout* l, const vec3* stored) {
    polytope* p = &shape->polytope;
    p->count = h->count;
    p->padded = l->padded;
    fill_vertices(shape, h, stored, shape_extra(shape));
    uint32_t* block = (uint32_t*)((double*)shape_extra(shape) + 3 * (size_t)l->padded);
    p->caller = carve(&block, h->count, h->vertex);
    p->first = carve(&block, (size_t)h->count + 1, h->first);
    p->neighbour = carve(&block, l->neighbours, h->neighbour);
    p->face_count = h->face_count;
    p->face_first = carve(&block, (size_t)h->face_count + 1, h->face_first);
    p->face_vertex = carve(&block, l->corners, h->face_vertex);
    p->climbable = h->climbable;
    p->argmax = support_argmax_for(l->padded);
    uint32_t* seed = carve(&block, 6 * (size_t)l->cells * l->cells, NULL);
    p->seed = seed;
    return seed;
}

// ----------------------------------------------------------------------------------------------- hill climbing ----

/// The vertices found for the centres of the cells, each climbed to from the one before.
static void fill_seeds(apart_shape* shape, uint32_t cells, uint32_t* seed) {
    uint32_t hint = 0;
    for (uint32_t i = 0; i < 6 * cells * cells; i++) {
        uint32_t side = i / (cells * cells), row = i / cells % cells, column = i % cells;
        double u = (2.0 * column + 1) / cells - 1, v = (2.0 * row + 1) / cells - 1, w = side & 1 ? -1 : 1;
        vec3 d = side < 2 ? vec3_make(w, u, v) : side < 4 ? vec3_make(v, w, u) : vec3_make(u, v, w);
        seed[i] = hint = shape_support(shape, d, SEARCH_CLIMB, hint).vertex;
    }
    shape->polytope.seed_cells = cells;
}

/// Whether climbing from vertex 0 along d comes within CLIMB_SLACK of the best vertex. Takes its cost off the budget.
static bool climb_is_right(const apart_shape* shape, vec3 d, int64_t* budget) {
    double length = vec3_length(d);
    if (!(length > 0)) return true;
    d = vec3_scale(1 / length, d);
    support_point climbed = shape_support(shape, d, SEARCH_CLIMB, 0), best = shape_support(shape, d, SEARCH_LINEAR, 0);
    *budget -= climbed.visits + best.visits;
    return vec3_dot(climbed.point, d) >= vec3_dot(best.point, d) - CLIMB_SLACK;
}

/// The normal of face f, not normalised (Newell's sum of cross products).
static vec3 face_normal(const apart_shape* shape, uint32_t f) {
    const polytope* p = &shape->polytope;
    vec3 normal = {0, 0, 0}, base = shape_vertex(shape, p->face_vertex[p->face_first[f]]);
    for (uint32_t k = p->face_first[f] + 1; k + 1 < p->face_first[f + 1]; k++) {
        vec3 a = vec3_sub(shape_vertex(shape, p->face_vertex[k]), base);
        vec3 b = vec3_sub(shape_vertex(shape, p->face_vertex[k + 1]), base);
        normal = vec3_add(normal, vec3_cross(a, b));
    }
    return normal;
}

/// Tries climbing along the 26 directions to a cube's corners, edges and faces, and both ways along the normals of the
/// faces, where neighbours differ least: all the faces of a body with up to two thousand vertices, an even choice of
/// them on a larger one, as far as the budget goes.
static bool climbing_works(const apart_shape* shape) {
    const polytope* p = &shape->polytope;
    int64_t budget = CLIMB_BUDGET;
    for (int i = 0; i < 27; i++)
        if (!climb_is_right(shape, vec3_make(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1), &budget)) return false;
    uint32_t step = p->face_count / (CLIMB_BUDGET / 2 / p->count + 1) + 1;
    for (uint32_t f = 0; f < p->face_count && budget > 0; f += step) {
        vec3 normal = face_normal(shape, f);
        if (!climb_is_right(shape, normal, &budget) || !climb_is_right(shape, vec3_neg(normal), &budget)) return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------ construction ----

/// The shape of a finished hull. `place` has origin and scale, `stored` the points in stored coordinates.
static apart_shape* shape_of_hull(const hull* h, const vec3* stored, const apart_shape* place, double radius,
                                  apart_error* error) {
    layout l;
    if (!lay_out(h, &l)) return apart_fail(error, APART_OUT_OF_MEMORY, "out of memory: %u vertices", h->count);
    apart_shape* shape = shape_allocate(SHAPE_POLYTOPE, l.bytes, error);
    if (!shape) return NULL;
    shape->dimension = h->dimension;
    shape->scale = place->scale;
    shape->origin = place->origin;
    shape->radius = radius;
    uint32_t* seed = fill_polytope(shape, h, &l, stored);
    if (h->climbable && !climbing_works(shape)) shape->polytope.climbable = false;
    if (shape->polytope.climbable && l.cells > 0) fill_seeds(shape, l.cells, seed);
    return shape;
}

apart_shape* apart_shape_points(const apart_vec3* points, size_t count, double radius, apart_error* error) {
    if (!check_points(points, count, radius, error)) return NULL;
    apart_shape place = {.kind = SHAPE_POLYTOPE};
    place_points(&place, points, count);

    // Stored coordinates, in a buffer that lives until the shape has its own copy.
    vec3* stored = count <= SIZE_MAX / sizeof *stored ? malloc(count * sizeof *stored) : NULL;
    if (!stored) return apart_fail(error, APART_OUT_OF_MEMORY, "out of memory: %zu points", count);
    for (size_t i = 0; i < count; i++) stored[i] = shape_to_stored(&place, points[i]);

    hull h;
    apart_shape* shape = NULL;
    if (hull_build(stored, (uint32_t)count, &h, error) == APART_OK) {
        shape = shape_of_hull(&h, stored, &place, radius, error);
        hull_free(&h);
    }
    free(stored);
    return shape;
}

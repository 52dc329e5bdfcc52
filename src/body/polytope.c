// The shape made of points: checks them, brings them to stored coordinates, takes their hull, and lays everything out
// in one block.
#include "base/error.h"
#include "base/pose.h"
#include "body/hull.h"

#include <stdlib.h>
#include <string.h>

/// Qhull counts bytes of its point sets in int: 2^27 points of 8 bytes fit.
#define MOST_POINTS 0x8000000u

/// Up to so many vertices the search through them is a short one amid scalar code (kernels.h).
#define SHORT 32

// -------------------------------------------------------------------------------------------------- the input ----

/// Whether the arguments are usable; if not, *error says why.
static bool check_points(const vec3* points, size_t count, double radius, apart_error* error) {
    if (!apart_shape_check_size(radius, "radius", error)) return false;
    if (count == 0) return apart_fail(error, APART_EMPTY, "there are no points"), false;
    if (!points) return apart_fail(error, APART_INVALID, "points is NULL"), false;
    if (count > MOST_POINTS) {
        apart_fail(error, APART_INVALID, "%zu points are more than the %u that a hull can have", count, MOST_POINTS);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        vec3 p = points[i];
        apart_status status = apart_point_check(p);
        if (status == APART_OK) continue;
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
        lower = vec3_min(lower, points[i]);
        upper = vec3_max(upper, points[i]);
    }
    apart_shape_place(place, lower, upper);
}

// -------------------------------------------------------------------------------------------------- the block ----

/// Vertices, rounded up to whole lanes.
static uint32_t padded_count(const hull* h) { return (h->count + LANES - 1) / LANES * LANES; }

/// One block holds 3 arrays of doubles, each a multiple of 64 bytes, and then the arrays of 32-bit numbers, lists being
/// half words. With at most 2^27 vertices, 6 * 2^27 neighbours and as many corners, the sum stays below 2^37.
static uint64_t block_bytes(const hull* h, uint32_t cells) {
    uint64_t words = (uint64_t)h->count + (h->count + 1) + h->first[h->count] + (h->face.count + 1) +
                     h->face.first[h->face.count] + (uint64_t)LISTED * cells * cells;
    return sizeof(double) * 3 * (uint64_t)padded_count(h) + sizeof(uint32_t) * words;
}

/// Takes the next `length` numbers of the block and fills them.
static uint32_t* carve(uint32_t** block, size_t length, const uint32_t* from) {
    uint32_t* array = *block;
    *block += length;
    if (length > 0) memcpy(array, from, length * sizeof *array);
    return array;
}

/// Copies the vertices; the padding repeats vertex 0.
static void fill_vertices(apart_shape* shape, const hull* h, const vec3* stored, double* block) {
    polytope* p = &shape->polytope;
    double *x = block, *y = x + p->padded, *z = y + p->padded;
    vec3 sum = {0, 0, 0};
    shape->lower = shape->upper = stored[h->vertex[0]];
    for (uint32_t i = 0; i < p->padded; i++) {
        vec3 v = stored[h->vertex[i < h->count ? i : 0]];
        x[i] = v.x, y[i] = v.y, z[i] = v.z;
        if (i >= h->count) continue;
        shape->lower = vec3_min(shape->lower, v);
        shape->upper = vec3_max(shape->upper, v);
        sum = vec3_add(sum, v);
        shape->bound = fmax(shape->bound, apart_shape_length_up(v));
    }
    shape->center = vec3_scale(1.0 / h->count, sum);
    p->x = x, p->y = y, p->z = z;
}

/// Copies the hull into the shape's block, and lists its supports.
static void fill_polytope(apart_shape* shape, const hull* h, uint32_t cells, const vec3* stored) {
    polytope* p = &shape->polytope;
    p->count = h->count;
    p->padded = padded_count(h);
    fill_vertices(shape, h, stored, apart_shape_extra(shape));
    uint32_t* block = (uint32_t*)((double*)apart_shape_extra(shape) + 3 * (size_t)p->padded);
    p->caller = carve(&block, h->count, h->vertex);
    p->first = carve(&block, (size_t)h->count + 1, h->first);
    p->neighbour = carve(&block, h->first[h->count], h->neighbour);
    p->face_count = h->face.count;
    p->face_first = carve(&block, (size_t)h->face.count + 1, h->face.first);
    p->face_vertex = carve(&block, h->face.first[h->face.count], h->face.corner);
    p->climbable = h->climbable;
    p->argmax = (p->padded <= SHORT ? apart_kernels_short() : apart_kernels())->argmax;
    p->cells = cells;
    p->list = (uint16_t*)block;
    apart_cells_fill(shape, (uint16_t*)block);
}

// ------------------------------------------------------------------------------------------------ construction ----

/// The shape of a finished hull. `place` has origin, scale and what is exact, `stored` the points in stored
/// coordinates.
static apart_shape* shape_of_hull(const hull* h, const vec3* stored, const apart_shape* place, double radius,
                                  apart_error* error) {
    const uint32_t cells = h->climbable && h->count > LIST_FROM ? apart_cells_for(h->count) : 0;
    const uint64_t bytes = block_bytes(h, cells);
    if (bytes > SIZE_MAX / 2) return apart_fail(error, APART_OUT_OF_MEMORY, "out of memory: %u vertices", h->count);
    apart_shape* shape = apart_shape_allocate(SHAPE_POLYTOPE, (size_t)bytes, error);
    if (!shape) return NULL;
    shape->dimension = h->dimension;
    shape->scale = place->scale;
    shape->origin = place->origin;
    shape->exact = place->exact;
    shape->whole = place->whole;
    shape->radius = radius;
    fill_polytope(shape, h, cells, stored);
    apart_brick_find(shape);
    return shape;
}

apart_shape* apart_shape_points(const apart_vec3* points, size_t count, double radius, apart_error* error) {
    if (!check_points(points, count, radius, error)) return NULL;
    apart_shape place = {.kind = SHAPE_POLYTOPE};
    place_points(&place, points, count);

    // Stored coordinates, in a buffer that lives until the shape has its own copy.
    vec3* stored = count <= SIZE_MAX / sizeof *stored ? malloc(count * sizeof *stored) : NULL;
    if (!stored) return apart_fail(error, APART_OUT_OF_MEMORY, "out of memory: %zu points", count);
    place.exact = true;
    for (size_t i = 0; i < count; i++) {
        stored[i] = shape_to_stored(&place, points[i]);
        place.exact = place.exact && shape_stores_exactly(&place, points[i], stored[i]);
    }

    hull h;
    apart_shape* shape = NULL;
    if (apart_hull_build(stored, (uint32_t)count, &h, error) == APART_OK) {
        place.whole = h.count == count;
        shape = shape_of_hull(&h, stored, &place, radius, error);
        apart_hull_free(&h);
    }
    free(stored);
    return shape;
}

// What every shape shares: its block of memory, its owners, its place in stored coordinates, and what it tells about
// itself.
#include "body/shape.h"

#include "base/error.h"
#include "base/pose.h"

#include <stdlib.h>
#include <string.h>

/// Arrays start on a cache line, which is also the size of LANES doubles.
#define ALIGNMENT 64
/// The shape itself, rounded up to that.
#define HEADER ((sizeof(apart_shape) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)

/// A body is "far from its own origin" beyond this many times its size.
#define FAR 8.0

// ----------------------------------------------------------------------------------------------------- memory ----

apart_shape* apart_shape_allocate(shape_kind kind, size_t extra, apart_error* error) {
    // One block: header, then `extra` bytes; aligned_alloc wants a multiple of the alignment.
    apart_shape* shape = NULL;
    if (extra <= SIZE_MAX / 2) {
        size_t tail = (extra + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        shape = aligned_alloc(ALIGNMENT, HEADER + tail);
    }
    if (!shape) return apart_fail(error, APART_OUT_OF_MEMORY, "out of memory: a shape of %zu bytes", HEADER + extra);
    memset(shape, 0, sizeof *shape);
    atomic_init(&shape->references, 1);
    shape->kind = kind;
    shape->bytes = HEADER + extra;
    shape->scale = 1;
    return shape;
}

void* apart_shape_extra(apart_shape* shape) { return (char*)shape + HEADER; }

apart_shape* apart_shape_retain(apart_shape* shape) {
    if (shape) atomic_fetch_add_explicit(&shape->references, 1, memory_order_relaxed);
    return shape;
}

void apart_shape_release(apart_shape* shape) {
    if (!shape) return;
    if (atomic_fetch_sub_explicit(&shape->references, 1, memory_order_acq_rel) != 1) return;
    if (shape->dispose) shape->dispose(shape);
    free(shape);
}

// ------------------------------------------------------------------------------------------------------ place ----

bool apart_shape_check_size(double size, const char* name, apart_error* error) {
    apart_status status = apart_number_check(size);
    if (status == APART_NOT_FINITE)
        apart_fail(error, status, "%s is not a finite number", name);
    else if (size < 0)
        apart_fail(error, status = APART_INVALID, "%s is %g, but must not be negative", name, size);
    else if (status != APART_OK)
        apart_fail(error, status, "%s is %g, above the limit of 1e300", name, size);
    return status == APART_OK;
}

double apart_shape_scale_for(double largest) {
    if (!(largest > 0)) return 1;
    // largest = fraction * 2^exponent with fraction in [1/2, 1).
    int exponent = 0;
    double fraction = frexp(largest, &exponent);
    exponent += fraction == 0.5 ? 0 : 1;
    return ldexp(1, exponent < -1022 ? -1022 : exponent);
}

double apart_shape_length_up(vec3 stored) {
    // Three squares, two sums and a root are wrong by less than 4 * 2^-53 of the result.
    return vec3_length(stored) * (1 + 0x1p-50);
}

void apart_shape_place(apart_shape* shape, vec3 lower, vec3 upper) {
    vec3 center = vec3_add(vec3_scale(0.5, lower), vec3_scale(0.5, upper));
    vec3 half = vec3_sub(vec3_scale(0.5, upper), vec3_scale(0.5, lower));
    // Squares are taken of numbers below one, so that none overflows.
    double unit = 1 / apart_shape_scale_for(fmax(vec3_max_abs(center), vec3_max_abs(half)));
    bool far = vec3_length(vec3_scale(unit, center)) > FAR * vec3_length(vec3_scale(unit, half));
    shape->origin = far ? center : vec3_make(0, 0, 0);
    shape->scale = apart_shape_scale_for(
        fmax(vec3_max_abs(vec3_sub(lower, shape->origin)), vec3_max_abs(vec3_sub(upper, shape->origin))));
    shape->lower = shape_to_stored(shape, lower);
    shape->upper = shape_to_stored(shape, upper);
    shape->center = vec3_scale(0.5, vec3_add(shape->lower, shape->upper));
}

// ------------------------------------------------------------------------------------------------ description ----

apart_status apart_shape_describe(const apart_shape* shape, apart_shape_info* info) {
    if (!shape || !info) return APART_INVALID;
    apart_shape_info about = {
        .dimension = shape->dimension, .radius = shape->radius, .parts = 1, .bytes = shape->bytes};
    about.vertices = shape_vertex_count(shape);
    if (shape_has_vertices(shape)) {
        // Every edge is listed at both its ends.
        about.edges = shape->polytope.first[shape->polytope.count] / 2;
        about.faces = shape->polytope.face_count;
    }
    if (shape->describe) shape->describe(shape, &about);
    const vec3 radius = {shape->radius, shape->radius, shape->radius};
    about.lower = vec3_sub(shape_to_local(shape, shape->lower), radius);
    about.upper = vec3_add(shape_to_local(shape, shape->upper), radius);
    *info = about;
    return APART_OK;
}

apart_status apart_shape_vertex(const apart_shape* shape, size_t index, apart_vec3* point, uint32_t* caller_index) {
    if (!shape || index >= shape_vertex_count(shape)) return APART_INVALID;
    uint32_t i = (uint32_t)index;
    if (point) *point = shape_to_local(shape, shape_vertex(shape, i));
    if (caller_index) *caller_index = shape->polytope.caller[i];
    return APART_OK;
}

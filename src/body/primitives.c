// Bodies given by a few numbers: box, sphere, capsule, cylinder, cone, ellipsoid, half-space; and the body given by its
// support function (Gilbert, Johnson, Keerthi 1988, sec. IX).
//
// Spheres and capsules are a point and a segment with a radius, and a box without thickness is the hull of its
// corners; these three are built as polytopes.
#include "base/error.h"
#include "base/pose.h"
#include "body/shape.h"

/// A shape about the origin with the given sizes. They fix the scale, the bound and the box around it.
static apart_shape* centred(shape_kind kind, vec3 size, size_t extra, apart_error* error) {
    apart_shape* shape = apart_shape_allocate(kind, extra, error);
    if (!shape) return NULL;
    shape->scale = apart_shape_scale_for(vec3_max_abs(size));
    shape->extent = vec3_scale(1 / shape->scale, size);
    shape->lower = vec3_neg(shape->extent);
    shape->upper = shape->extent;
    shape->exact = shape_stores_exactly(shape, size, shape->extent);
    shape->bound = apart_shape_length_up(shape->extent);
    shape->dimension = (shape->extent.x > 0) + (shape->extent.y > 0) + (shape->extent.z > 0);
    return shape;
}

/// The corners of a box, its edges and faces.
static const uint32_t box_corner[8] = {0, 1, 2, 3, 4, 5, 6, 7};
static const uint32_t box_first[9] = {0, 3, 6, 9, 12, 15, 18, 21, 24};
static const uint32_t box_neighbour[24] = {1, 2, 4, 0, 3, 5, 0, 3, 6, 1, 2, 7, 0, 5, 6, 1, 4, 7, 2, 4, 7, 3, 5, 6};
static const uint32_t box_face_first[7] = {0, 4, 8, 12, 16, 20, 24};
static const uint32_t box_face[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};

static void fill_box(apart_shape* shape) {
    shape->whole = true;
    double* x = apart_shape_extra(shape);
    vec3 corner[8];
    shape_box_corners(shape, 0, corner);
    for (int i = 0; i < 8; i++) x[i] = corner[i].x, x[8 + i] = corner[i].y, x[16 + i] = corner[i].z;
    shape->polytope = (polytope){.count = 8,
                                 .padded = 8,
                                 .x = x,
                                 .y = x + 8,
                                 .z = x + 16,
                                 .caller = box_corner,
                                 .first = box_first,
                                 .neighbour = box_neighbour,
                                 .face_count = 6,
                                 .face_first = box_face_first,
                                 .face_vertex = box_face,
                                 .climbable = true,
                                 .argmax = apart_kernels_short()->argmax};
}

apart_shape* apart_shape_box(apart_vec3 half_extents, double radius, apart_error* error) {
    if (!apart_shape_check_size(half_extents.x, "half_extents.x", error)) return NULL;
    if (!apart_shape_check_size(half_extents.y, "half_extents.y", error)) return NULL;
    if (!apart_shape_check_size(half_extents.z, "half_extents.z", error)) return NULL;
    if (!apart_shape_check_size(radius, "radius", error)) return NULL;
    apart_shape* box = centred(SHAPE_BOX, half_extents, 24 * sizeof(double), error);
    if (!box) return NULL;
    if (box->dimension == 3) {
        box->radius = radius;
        fill_box(box);
        apart_brick_find(box);
        return box;
    }
    // A plate, a segment or a point: the hull of the corners, so that no two of them coincide.
    apart_shape_release(box);
    apart_vec3 corners[8];
    shape_box_corners(&(apart_shape){.lower = vec3_neg(half_extents), .upper = half_extents}, 0, corners);
    return apart_shape_points(corners, 8, radius, error);
}

apart_shape* apart_shape_sphere(double radius, apart_error* error) {
    apart_vec3 center = {0, 0, 0};
    return apart_shape_points(&center, 1, radius, error);
}

apart_shape* apart_shape_capsule(double half_height, double radius, apart_error* error) {
    if (!apart_shape_check_size(half_height, "half_height", error)) return NULL;
    apart_vec3 ends[2] = {{0, 0, -half_height}, {0, 0, half_height}};
    return apart_shape_points(ends, 2, radius, error);
}

/// A cylinder or a cone: the farthest points lie on the rims.
static apart_shape* with_rim(shape_kind kind, double half_height, double radius, apart_error* error) {
    if (!apart_shape_check_size(half_height, "half_height", error)) return NULL;
    if (!apart_shape_check_size(radius, "radius", error)) return NULL;
    apart_shape* shape = centred(kind, vec3_make(radius, radius, half_height), 0, error);
    if (shape) shape->bound = apart_shape_length_up(vec3_make(shape->extent.x, 0, shape->extent.z));
    return shape;
}

apart_shape* apart_shape_cylinder(double half_height, double radius, apart_error* error) {
    return with_rim(SHAPE_CYLINDER, half_height, radius, error);
}

apart_shape* apart_shape_cone(double half_height, double radius, apart_error* error) {
    apart_shape* shape = with_rim(SHAPE_CONE, half_height, radius, error);
    // The centroid is a quarter of the height above the base.
    if (shape) shape->center = vec3_make(0, 0, -0.5 * shape->extent.z);
    return shape;
}

apart_shape* apart_shape_ellipsoid(apart_vec3 semi_axes, apart_error* error) {
    if (!apart_shape_check_size(semi_axes.x, "semi_axes.x", error)) return NULL;
    if (!apart_shape_check_size(semi_axes.y, "semi_axes.y", error)) return NULL;
    if (!apart_shape_check_size(semi_axes.z, "semi_axes.z", error)) return NULL;
    apart_shape* shape = centred(SHAPE_ELLIPSOID, semi_axes, 0, error);
    if (shape) shape->bound = vec3_max_abs(shape->extent) * (1 + 0x1p-50);
    return shape;
}

apart_shape* apart_shape_halfspace(apart_vec3 normal, double offset, apart_error* error) {
    const apart_status checked[2] = {apart_point_check(normal), apart_number_check(offset)};
    const double largest = vec3_max_abs(normal);
    for (int i = 0; i < 2; i++) {
        const apart_status status = checked[i];
        if (status == APART_OK) continue;
        return apart_fail(error, status, "the %s is not %s", i == 0 ? "normal" : "offset",
                          status == APART_NOT_FINITE ? "finite" : "below the limit of 1e300");
    }
    if (largest == 0) return apart_fail(error, APART_INVALID, "the normal is zero: it has no direction");
    int exponent = 0;
    frexp(largest, &exponent);
    const vec3 n = {ldexp(normal.x, -exponent), ldexp(normal.y, -exponent), ldexp(normal.z, -exponent)};
    const double off = ldexp(offset, -exponent);
    if (!(fabs(off) <= APART_LIMIT * vec3_length(n)))
        return apart_fail(error, APART_OUT_OF_RANGE, "the plane is farther than 1e300 from the origin");
    apart_shape* shape = apart_shape_allocate(SHAPE_HALFSPACE, 0, error);
    if (!shape) return NULL;
    shape->normal = n;
    shape->offset = off;
    shape->dimension = 3;
    shape->bound = INFINITY;
    shape->upper = vec3_make(INFINITY, INFINITY, INFINITY);
    shape->lower = vec3_neg(shape->upper);
    return shape;
}

// -------------------------------------------------------------------------------------------- support function ----

/// A support function may be wrong by a few roundings of the body's size; this many times the size covers them.
#define SUPPORT_SLACK 0x1p-48

/// The six support points along the axes: point[2 i] along -i, point[2 i + 1] along +i.
typedef struct probe {
    vec3 point[6];
    vec3 lower, upper; // the box that they span
} probe;

/// Asks for the six points; false, with *error filled, if one of them is not a point within the limit.
static bool probe_axes(apart_support_fn support, const void* context, probe* out, apart_error* error) {
    static const vec3 axis[6] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
    static const char* const name[6] = {"-x", "+x", "-y", "+y", "-z", "+z"};
    for (int i = 0; i < 6; i++) {
        vec3 p = out->point[i] = support(context, axis[i]);
        apart_status status = apart_point_check(p);
        if (status == APART_OK) continue;
        apart_fail(error, status, "the support function returns a point that is %s, along %s",
                   status == APART_NOT_FINITE ? "not finite" : "above the limit of 1e300", name[i]);
        return false;
    }
    out->lower = vec3_make(out->point[0].x, out->point[2].y, out->point[4].z);
    out->upper = vec3_make(out->point[1].x, out->point[3].y, out->point[5].z);
    return true;
}

/// Whether each point lies inside the box that the six span, up to rounding: if not, some other point reaches farther
/// along an axis than the one returned for it.
static bool probe_is_consistent(const probe* p, double slack) {
    for (int i = 0; i < 6; i++) {
        vec3 below = vec3_sub(p->lower, p->point[i]), above = vec3_sub(p->point[i], p->upper);
        double outside = fmax(fmax(fmax(below.x, below.y), below.z), fmax(fmax(above.x, above.y), above.z));
        if (outside > slack) return false;
    }
    return true;
}

apart_shape* apart_shape_support(apart_support_fn support, const void* context, double radius, apart_error* error) {
    if (!support) return apart_fail(error, APART_INVALID, "the support function is NULL");
    if (!apart_shape_check_size(radius, "radius", error)) return NULL;
    probe p;
    if (!probe_axes(support, context, &p, error)) return NULL;
    double slack = SUPPORT_SLACK * fmax(vec3_max_abs(p.lower), vec3_max_abs(p.upper));
    if (!probe_is_consistent(&p, slack))
        return apart_fail(
            error, APART_INVALID,
            "the function is not a support function: its points along the axes are not the farthest ones");
    apart_shape* shape = apart_shape_allocate(SHAPE_SUPPORT, 0, error);
    if (!shape) return NULL;
    // The body lies in the box of the six points, widened by their rounding; its farthest corner bounds the body.
    vec3 margin = {slack, slack, slack};
    vec3 lower = vec3_sub(p.lower, margin), upper = vec3_add(p.upper, margin);
    apart_shape_place(shape, lower, upper);
    shape->bound = apart_shape_length_up(vec3_max(vec3_neg(shape->lower), shape->upper));
    shape->dimension = -1;
    shape->radius = radius;
    shape->support = support;
    shape->context = context;
    // The mean of points of the body is inside it.
    shape->center = vec3_make(0, 0, 0);
    for (int i = 0; i < 6; i++) shape->center = vec3_mad(shape->center, 1.0 / 6, shape_to_stored(shape, p.point[i]));
    return shape;
}

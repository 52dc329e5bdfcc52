// The union of shapes: Quinlan's meta-tree over the boxes of its parts. Nested unions are taken apart when the union is
// made, so that a query meets two levels of trees at most: that of the parts, and that of one part.
#include "base/error.h"
#include "base/pose.h"
#include "mesh/mesh.h"

#include <stdlib.h>

// ------------------------------------------------------------------------------------------------- the input ----

static bool check_parts(const apart_part* parts, size_t count, size_t* total, apart_error* error) {
    if (count == 0) return apart_fail(error, APART_EMPTY, "there are no parts"), false;
    if (!parts) return apart_fail(error, APART_INVALID, "parts is NULL"), false;
    *total = 0;
    for (size_t i = 0; i < count; i++) {
        const apart_shape* shape = parts[i].shape;
        if (!shape) return apart_fail(error, APART_INVALID, "the shape of part %zu is NULL", i), false;
        if (shape->kind == SHAPE_HALFSPACE) {
            apart_fail(error, APART_UNSUPPORTED, "part %zu is a half-space, which cannot be in a union", i);
            return false;
        }
        apart_status status = apart_pose_check(&parts[i].pose);
        if (status != APART_OK) {
            apart_fail(error, status, "the pose of part %zu: %s", i, apart_status_text(status));
            return false;
        }
        *total += shape->kind == SHAPE_UNION ? shape->parts->count : 1;
        if (*total <= TREE_MOST_ITEMS && *total <= SIZE_MAX / 1024) continue;
        apart_fail(error, APART_INVALID, "more than %u parts, those of nested unions counted", TREE_MOST_ITEMS);
        return false;
    }
    return true;
}

/// A part, and what its pose may be wrong by.
typedef struct loose_part {
    apart_part part;
    double slack;
} loose_part;

/// Part k of a nested union, in the order of its tree, whose pose is `outer`.
static loose_part nested_part(const part_list* nested, uint32_t k, const apart_pose* outer) {
    const apart_part* part = &nested->part[k];
    bool rounded;
    loose_part p = {{part->shape, apart_pose_compose(outer, &part->pose, &rounded)}, nested->slack[k]};
    if (rounded) p.slack += POSE_ROUNDING * (nested->far + vec3_sum_abs(outer->translation)) + 0x1p-1070;
    return p;
}

/// Writes the parts, nested ones in the place of their union; no references are taken yet. False if poses that are
/// almost rotations multiply to one that is not; *error says so.
static bool flatten(const apart_part* parts, size_t count, loose_part* flat, apart_error* error) {
    for (size_t i = 0; i < count; i++) {
        if (parts[i].shape->kind != SHAPE_UNION) {
            *flat++ = (loose_part){parts[i], 0};
            continue;
        }
        const part_list* nested = parts[i].shape->parts;
        for (uint32_t k = 0; k < nested->count; k++) {
            loose_part p = nested_part(nested, k, &parts[i].pose);
            double skew = mat3_skew(&p.part.pose.rotation);
            flat[nested->number[k]] = p;
            if (skew <= MOST_SKEW) continue;
            apart_fail(error, APART_NOT_A_ROTATION,
                       "part %zu is a union: its pose times that of its part %u is off a rotation by %.2g, above %g", i,
                       (unsigned)nested->number[k], skew, MOST_SKEW);
            return false;
        }
        flat += nested->count;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------------- boxes ----

/// What the builder of the tree needs: the parts and the frame of the union.
typedef struct frame {
    const loose_part* flat;
    const apart_shape* place;
} frame;

/// Rounding of the corners, in parts of the box of a part.
#define MARGIN 0x1p-46

/// The corners of the box around the core of a part, widened by `wide` in its own frame, in the caller's unit and the
/// union's axes.
static void part_corners(const apart_part* part, double wide, vec3 corner[8]) {
    const apart_shape* s = part->shape;
    shape_box_corners(s, wide, corner);
    for (int i = 0; i < 8; i++)
        corner[i] = vec3_add(mat3_mul(&part->pose.rotation, shape_to_local(s, corner[i])), part->pose.translation);
}

static int stored_corners(const void* context, uint32_t item, vec3* points) {
    const frame* f = context;
    const apart_part* part = &f->flat[item].part;
    // The matrix may shrink what is widened, but not the radius.
    part_corners(part, shape_stored_radius(part->shape) * (1 + mat3_stretch(&part->pose.rotation)), points);
    vec3 middle = {0, 0, 0};
    for (int i = 0; i < 8; i++) {
        points[i] = shape_to_stored(f->place, points[i]);
        middle = vec3_mad(middle, 0.125, points[i]);
    }
    // Outwards along the diagonals; a side without length gets none.
    for (int i = 0; i < 8; i++) points[i] = vec3_mad(points[i], MARGIN, vec3_sub(points[i], middle));
    return 8;
}

/// Sets the frame of the union, around all boxes, and how far its parts are. Whether all numbers stay in range; if not,
/// *error says so.
static bool place_parts(apart_shape* shape, const loose_part* flat, size_t count, part_list* list, apart_error* error) {
    vec3 lower = {INFINITY, INFINITY, INFINITY}, upper = {-INFINITY, -INFINITY, -INFINITY};
    double farthest = 0, thickest = 0;
    for (size_t i = 0; i < count; i++) {
        double r = flat[i].part.shape->radius;
        vec3 corner[8], radius = {r, r, r};
        thickest = larger(thickest, r);
        part_corners(&flat[i].part, 0, corner);
        for (int k = 0; k < 8; k++) {
            lower = vec3_min(lower, vec3_sub(corner[k], radius));
            upper = vec3_max(upper, vec3_add(corner[k], radius));
        }
        farthest = larger(farthest, vec3_sum_abs(flat[i].part.pose.translation));
        list->loose = larger(list->loose, flat[i].slack);
        if (vec3_max_abs(lower) <= APART_LIMIT && vec3_max_abs(upper) <= APART_LIMIT) continue;
        apart_fail(error, APART_OUT_OF_RANGE, "part %zu reaches beyond the limit of 1e300", i);
        return false;
    }
    // What the tree is built of is turned with its radius, and sticks out by less than another.
    const vec3 out = {thickest, thickest, thickest};
    apart_shape_place(shape, vec3_sub(lower, out), vec3_add(upper, out));
    shape->lower = shape_to_stored(shape, lower);
    shape->upper = shape_to_stored(shape, upper);
    shape->center = vec3_scale(0.5, vec3_add(shape->lower, shape->upper));
    shape->bound = apart_shape_length_up(vec3_max(vec3_neg(shape->lower), shape->upper));
    list->far = vec3_sum_abs(vec3_max(vec3_neg(lower), upper)) + 2 * farthest;
    return true;
}

// -------------------------------------------------------------------------------------------------- the shape ----

/// Moves the parts to the order of the tree, taking a reference of each.
static void settle(const loose_part* flat, const uint32_t* number, uint32_t count, apart_part* part, double* slack,
                   uint32_t* place) {
    for (uint32_t k = 0; k < count; k++) {
        place[number[k]] = k;
        part[k] = flat[number[k]].part;
        slack[k] = flat[number[k]].slack;
        apart_shape_retain(part[k].shape);
    }
}

static void dispose_parts(apart_shape* shape) {
    for (uint32_t i = 0; i < shape->parts->count; i++) apart_shape_release(shape->parts->part[i].shape);
}

static void describe_parts(const apart_shape* shape, apart_shape_info* info) {
    const part_list* parts = shape->parts;
    info->parts = parts->count;
    for (uint32_t i = 0; i < parts->count; i++) info->radius = larger(info->radius, parts->part[i].shape->radius);
    tree_describe(&parts->tree, info);
}

/// How many blocks the spheres take that the parts are; 0 if they are not, or too many.
static size_t count_sphere_blocks(const loose_part* flat, uint32_t count) {
    for (uint32_t k = 0; k < count; k++)
        if (!shape_is_sphere(flat[k].part.shape)) return 0;
    return count <= SPHERES_MOST ? sphere_set_blocks(count) : 0;
}

static apart_shape* build(const loose_part* flat, uint32_t count, apart_error* error) {
    uint32_t nodes = apart_bvh_node_count(count);
    size_t parts_at = nodes * sizeof(tree_node), slack_at = parts_at + count * sizeof(apart_part);
    size_t spheres_at = slack_at + count * sizeof(double), sphere_blocks = count_sphere_blocks(flat, count);
    size_t header_at = spheres_at + sphere_blocks * sizeof(sphere_block), number_at = header_at + sizeof(part_list);
    apart_shape* shape = apart_shape_allocate(SHAPE_UNION, number_at + count * (2 * sizeof(uint32_t)), error);
    if (!shape) return NULL;
    char* block = apart_shape_extra(shape);
    part_list* p = (part_list*)(void*)(block + header_at);
    uint32_t *number = (uint32_t*)(void*)(block + number_at), *place = number + count;
    double* slack = (double*)(void*)(block + slack_at);
    *p = (part_list){.part = (apart_part*)(void*)(block + parts_at), .slack = slack, .number = number, .place = place};
    shape->parts = p;
    shape->dispose = dispose_parts;
    shape->describe = describe_parts;
    shape->dimension = -1;
    const frame f = {flat, shape};
    if (!place_parts(shape, flat, count, p, error)) {
        apart_shape_release(shape);
        return NULL;
    }
    // The parts, which are settled afterwards, leave more than enough room for the builder.
    _Static_assert(sizeof(apart_part) >= TREE_SCRATCH, "scratch memory of the builder");
    apart_bvh_build(stored_corners, &f, count, (tree_node*)(void*)block, number, NULL, p->part, &p->tree, &(meter){0});
    settle(flat, number, count, p->part, slack, place);
    p->count = count;
    sphere_block* spheres = (sphere_block*)(void*)(block + spheres_at);
    for (uint32_t k = 0; k < count && sphere_blocks > 0; k++)
        apart_sphere_set_put(&p->spheres, spheres, k, p->part[k].shape, &p->part[k].pose);
    if (sphere_blocks > 0) apart_sphere_set_close(&p->spheres, spheres, count);
    p->spheres.slack = p->loose;
    return shape;
}

apart_shape* apart_shape_union(const apart_part* parts, size_t count, apart_error* error) {
    size_t total;
    if (!check_parts(parts, count, &total, error)) return NULL;
    loose_part* flat = malloc(total * sizeof *flat);
    if (!flat) return apart_fail(error, APART_OUT_OF_MEMORY, "out of memory: %zu parts", total);
    apart_shape* shape = flatten(parts, count, flat, error) ? build(flat, (uint32_t)total, error) : NULL;
    free(flat);
    return shape;
}

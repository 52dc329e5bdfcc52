// Spheres of a union laid out in blocks of eight.
#include "mesh/sphere_set.h"

static void put(sphere_block* block, uint32_t i, vec3 middle, double radius) {
    sphere_block* b = &block[i / LANE_COUNT];
    b->x[i % LANE_COUNT] = middle.x;
    b->y[i % LANE_COUNT] = middle.y;
    b->z[i % LANE_COUNT] = middle.z;
    b->radius[i % LANE_COUNT] = radius;
}

static vec3 middle_of(const sphere_block* b, uint32_t lane) { return vec3_make(b->x[lane], b->y[lane], b->z[lane]); }

/// Fills the last block up from place i on.
static void fill_up(sphere_block* block, uint32_t i) {
    for (; i % LANE_COUNT != 0; ++i) put(block, i, middle_of(&block[i / LANE_COUNT], 0), (double)-INFINITY);
}

/// Around all spheres of a block. Its radius is rounded up by more than a matrix with |R^T R - I| <= 1e-6 moves them
/// away from its middle: less than the root of 1 + 3e-6.
static void put_ball(sphere_block* balls, uint32_t i, const sphere_block* b) {
    vec3 middle = {0, 0, 0};
    double radius = 0;
    for (uint32_t k = 0; k < LANE_COUNT; ++k) middle = vec3_mad(middle, 1.0 / LANE_COUNT, middle_of(b, k));
    for (uint32_t k = 0; k < LANE_COUNT; ++k)
        radius = larger(radius, vec3_length(vec3_sub(middle_of(b, k), middle)) + b->radius[k]);
    put(balls, i, middle, radius * (1 + 0x1p-19));
}

void apart_sphere_set_put(sphere_set* set, sphere_block* block, uint32_t i, const apart_shape* s,
                          const apart_pose* pose) {
    const vec3 own = shape_to_local(s, shape_vertex(s, 0));
    const vec3 middle = vec3_add(mat3_mul(&pose->rotation, own), pose->translation);
    put(block, i, middle, s->radius);
    set->reach = larger(set->reach, vec3_sum_abs(own) + vec3_sum_abs(middle) + s->radius);
}

void apart_sphere_set_close(sphere_set* set, sphere_block* block, uint32_t count) {
    set->block = block;
    set->blocks = sphere_blocks(count);
    fill_up(block, count);
    for (uint32_t i = 0; i < set->blocks; ++i) put_ball(block + set->blocks, i, &block[i]);
    fill_up(block + set->blocks, set->blocks);
}

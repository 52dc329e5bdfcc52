// The Gauss map of a hull with few vertices, for the depth of two of them (convex/overlay.c).
#include "shape/shape.h"

/// The product of the sides that a normal is taken from, divided by its length, at most: what is wrong with a normal is
/// below 4 u times that.
#define NARROW 64
/// Twice the area of a face, at least. Its sides, at most 2 long, are then above 2^-481, and no square fades.
#define FADED 0x1p-480

/// The unit normal of a face, outwards, from the two shorter sides of a triangle, which know it best, or from all
/// triangles of a polygon. False if the face is narrow, or as good as none.
static bool find_normal(const apart_shape* shape, const uint32_t* corner, uint32_t count, vec3* normal) {
    vec3 sum = {0, 0, 0};
    double sides = 0;
    for (uint32_t i = 2; i < count; ++i) {
        vec3 w[3] = {shape_vertex(shape, corner[0]), shape_vertex(shape, corner[i - 1]),
                     shape_vertex(shape, corner[i])};
        double length[3], longest = -1;
        vec3 e[3];
        int last = 0;
        for (int j = 0; j < 3; ++j) {
            e[j] = vec3_sub(w[(j + 1) % 3], w[j]);
            length[j] = vec3_length(e[j]);
            if (length[j] > longest) last = j;
            longest = larger(length[j], longest);
        }
        sum = vec3_add(sum, vec3_cross(e[(last + 1) % 3], e[(last + 2) % 3]));
        sides += length[(last + 1) % 3] * length[(last + 2) % 3];
    }
    double length = vec3_length(sum);
    *normal = vec3_scale(1 / length, sum);
    return length >= FADED && sides <= NARROW * length;
}

void apart_gauss_of_polytope(apart_shape* shape, double* planes, uint8_t* edges) {
    const polytope* p = &shape->polytope;
    const uint32_t faces = p->face_count;
    uint8_t left[GAUSS_VERTICES][GAUSS_VERTICES]; // the face on the left of the edge from one vertex to another
    const uint32_t padded = (faces + LANES - 1) / LANES * LANES;
    double *x = planes, *y = x + padded, *z = y + padded, *height = z + padded;
    for (uint32_t f = 0; f < faces; ++f) {
        const uint32_t* corner = &p->face_vertex[p->face_first[f]];
        uint32_t count = p->face_first[f + 1] - p->face_first[f];
        vec3 n;
        if (!find_normal(shape, corner, count, &n)) return;
        x[f] = n.x, y[f] = n.y, z[f] = n.z;
        height[f] = vec3_dot(n, shape_vertex(shape, corner[0]));
        for (uint32_t i = 0; i < count; ++i) left[corner[i]][corner[i + 1 < count ? i + 1 : 0]] = (uint8_t)f;
    }
    for (uint32_t f = faces; f < padded; ++f) x[f] = x[0], y[f] = y[0], z[f] = z[0], height[f] = height[0];
    const uint32_t edge_count = p->first[p->count] / 2, room = (edge_count + LANES - 1) / LANES * LANES;
    uint8_t *from = edges, *to = from + room, *to_left = to + room, *to_right = to_left + room;
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->count; ++i)
        for (uint32_t k = p->first[i]; k < p->first[i + 1]; ++k) {
            uint32_t j = p->neighbour[k];
            if (j < i) continue;
            from[count] = (uint8_t)i, to[count] = (uint8_t)j;
            to_left[count] = left[i][j], to_right[count] = left[j][i];
            count += 1;
        }
    for (; count < room; ++count) to_left[count] = to_right[count] = from[count] = to[count] = 0;
    shape->gauss = (gauss_map){.faces = faces,
                               .edges = edge_count,
                               .x = x,
                               .y = y,
                               .z = z,
                               .height = height,
                               .from = from,
                               .to = to,
                               .left = to_left,
                               .right = to_right};
}

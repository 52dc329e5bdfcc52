// Which vertices of a large hull may be farthest along a direction: a list for each cell of directions (shape_cell).
//
// A vertex is left out of a cell's list if a neighbour is clearly higher along all four corners of the cell: the
// heights are linear, so it is higher along everything between them. The others are found from neighbour to neighbour.
// That misses none: as a direction goes through the cell, one farthest vertex follows the other where both are as high,
// and on a hull that can be climbed (links.c) vertices hang together there, through others that are lower by PLATEAU of
// support.c at most. Where more vertices are left than a list holds, one of them is kept, to climb from.
#include "base/sort.h"
#include "body/hull.h"

/// More than PLATEAU, times |d| <= 1 here instead of 4.
#define CLEARLY 0x1p-45

/// By how much of their way from the middle the corners are outside of a cell: more than the rounding of shape_cell.
/// Each stays in the planes of the octahedron that it is a corner in, so that they span the cell wherever it is.
#define WIDER 0x1p-30

/// Cells for each vertex; half as many lengthen the lists by a quarter, and four times as many cells fill a cache.
#define CELLS_PER_VERTEX 2
#define MOST_CELLS 64

uint32_t apart_cells_for(uint32_t vertices) {
    uint32_t cells = 1;
    while (cells < MOST_CELLS && 2 * cells * cells < CELLS_PER_VERTEX * vertices) cells++;
    return cells;
}

/// Whether vertex i is clearly lower than j all over a cell.
static inline bool is_below(const polytope* p, uint32_t i, uint32_t j, const vec3 corner[4]) {
    vec3 e = {p->x[j] - p->x[i], p->y[j] - p->y[i], p->z[j] - p->z[i]};
    return vec3_dot(e, corner[0]) > CLEARLY && vec3_dot(e, corner[1]) > CLEARLY && vec3_dot(e, corner[2]) > CLEARLY &&
           vec3_dot(e, corner[3]) > CLEARLY;
}

static bool may_be_farthest(const polytope* p, uint32_t i, const vec3 corner[4]) {
    for (uint32_t k = p->first[i]; k < p->first[i + 1]; k++)
        if (is_below(p, i, p->neighbour[k], corner)) return false;
    return true;
}

/// The vertices that may be farthest, from one of them on; how many, or 0 if they are too many.
static uint32_t find_listed(const polytope* p, const vec3 corner[4], uint32_t start, uint32_t list[LISTED]) {
    uint32_t count = 1;
    list[0] = start;
    for (uint32_t n = 0; n < count; n++) {
        for (uint32_t k = p->first[list[n]]; k < p->first[list[n] + 1]; k++) {
            uint32_t i = p->neighbour[k], known = 0;
            if (is_below(p, i, list[n], corner)) continue; // as nearly always
            while (known < count && list[known] != i) known++;
            if (known < count || !may_be_farthest(p, i, corner)) continue;
            if (count == LISTED) return 0;
            list[count++] = i;
        }
    }
    return count;
}

static void fill_list(const polytope* p, const vec3 corner[4], uint32_t start, uint16_t out[LISTED]) {
    uint32_t list[LISTED], count = p->count <= NOT_LISTED ? find_listed(p, corner, start, list) : 0;
    if (count == 0) {
        out[0] = (uint16_t)start, out[1] = NOT_LISTED, out[2] = (uint16_t)(start >> 16);
        return;
    }
    sort_numbers(list, count, number_is_lower, NULL);
    for (uint32_t i = 0; i < LISTED; i++) out[i] = (uint16_t)list[i < count ? i : 0];
}

/// The direction at (u, v), between -1 and 1, in one of the two squares.
static vec3 direction_at(double u, double v, bool below) {
    double x = (u + v) / 2, y = (u - v) / 2, z = 1 - fabs(x) - fabs(y);
    return vec3_make(x, y, below ? -z : z);
}

void apart_cells_fill(apart_shape* shape, uint16_t* list) {
    const polytope* p = &shape->polytope;
    const uint32_t cells = p->cells;
    const double half = 1.0 / cells;
    uint32_t start = 0;
    for (uint32_t i = 0; i < 2 * cells * cells; i++) {
        bool below = i >= cells * cells;
        double u = (2.0 * (i % cells) + 1) / cells - 1, v = (2.0 * (i / cells % cells) + 1) / cells - 1;
        vec3 middle = direction_at(u, v, below), corner[4];
        for (int c = 0; c < 4; c++) {
            corner[c] = direction_at(u + (c & 1 ? half : -half), v + (c & 2 ? half : -half), below);
            corner[c] = vec3_mad(corner[c], WIDER, vec3_sub(corner[c], middle));
        }
        start = apart_support_find(shape, middle, SEARCH_CLIMB, start).vertex;
        fill_list(p, corner, start, list + (size_t)i * LISTED);
    }
}

// Containment by subdivision. The box of the inner body is cut into cells, until each of them is certainly clear of the
// inner body, or within the outer one: its centre is then as deep inside as the cell's corners are far. A centre that
// is in the inner body and outside the other one ends it. Works for any two bodies of which the distance of points is
// known, and tells gaps of about a fiftieth of the size.
#include "containment.h"

#include <stdlib.h>

// Cells of one level, and levels; a gap g takes some (size / g)^2 cells.
enum { CELLS = 8000, LEVELS = 8 };

typedef struct subdivision {
    const apart_scene_body *outer, *inner;
    apart_vec3 half;  // of a cell, in the coordinates of the inner body
    apart_vec3* cell; // centres, in those coordinates
    apart_vec3* next; // of the next level
    size_t count, next_count;
} subdivision;

static apart_vec3 to_world(const apart_pose* pose, apart_vec3 p) {
    const double(*m)[3] = pose->rotation.m;
    const apart_vec3 t = pose->translation;
    return (apart_vec3){m[0][0] * p.x + m[0][1] * p.y + m[0][2] * p.z + t.x,
                        m[1][0] * p.x + m[1][1] * p.y + m[1][2] * p.z + t.y,
                        m[2][0] * p.x + m[2][1] * p.y + m[2][2] * p.z + t.z};
}

// Some cells at a time.
enum { CHUNK = 128 };
typedef struct chunk {
    size_t count;
    apart_vec3 place[CHUNK]; // in the world
    apart_result to_inner[CHUNK], to_outer[CHUNK];
} chunk;

static bool measure_chunk(const subdivision* s, const apart_vec3* cell, chunk* c) {
    const apart_query depth = {.depth = APART_DEPTH_EXACT};
    const apart_scene_body *inner = s->inner, *outer = s->outer;
    for (size_t i = 0; i < c->count; i++) c->place[i] = to_world(&inner->pose, cell[i]);
    return apart_distance_points(inner->shape, &inner->pose, c->place, c->count, NULL, c->to_inner, NULL, 1) ==
               APART_OK &&
           apart_distance_points(outer->shape, &outer->pose, c->place, c->count, &depth, c->to_outer, NULL, 1) ==
               APART_OK;
}

static bool cut_cell(subdivision* s, apart_vec3 c) {
    if (s->next_count + 8 > CELLS) return false;
    for (int k = 0; k < 8; k++)
        s->next[s->next_count++] =
            (apart_vec3){c.x + (k & 1 ? 0.5 : -0.5) * s->half.x, c.y + (k & 2 ? 0.5 : -0.5) * s->half.y,
                         c.z + (k & 4 ? 0.5 : -0.5) * s->half.z};
    return true;
}

// Cells that are neither clear of the inner body nor within the outer one are cut. False: not inside, or not certain.
static bool settle_chunk(subdivision* s, const apart_vec3* cell, size_t count, double reach) {
    chunk c;
    c.count = count;
    if (!measure_chunk(s, cell, &c)) return false;
    for (size_t i = 0; i < count; i++) {
        if (c.to_inner[i].lower_bound > reach || c.to_outer[i].upper_bound <= -reach) continue;
        if (c.to_inner[i].upper_bound <= 0 && c.to_outer[i].lower_bound > 0) return false;
        if (!cut_cell(s, cell[i])) return false;
    }
    return true;
}

static bool settle_level(subdivision* s) {
    const apart_vec3 h = s->half, t = s->inner->pose.translation;
    // Turning a point rounds by a few units in the last place of it; rotations are used within 1e-6.
    const double reach =
        (sqrt(h.x * h.x + h.y * h.y + h.z * h.z) + 1e-15 * (fabs(t.x) + fabs(t.y) + fabs(t.z))) * (1 + 2e-6);
    if (!isfinite(reach)) return false;
    s->next_count = 0;
    for (size_t from = 0; from < s->count; from += CHUNK) {
        const size_t left = s->count - from;
        if (!settle_chunk(s, s->cell + from, left < CHUNK ? left : CHUNK, reach)) return false;
    }
    apart_vec3* cells = s->cell;
    s->cell = s->next;
    s->next = cells;
    s->count = s->next_count;
    s->half = (apart_vec3){h.x / 2, h.y / 2, h.z / 2};
    return true;
}

// Whether the box around the outer body is at least as long as the inner body along each axis of the latter, and in the
// right place: the box of a body touches it on all six sides. Half-spaces hold what fits.
static bool box_fits(const apart_scene_body* outer, const apart_shape_info* a, const apart_scene_body* inner,
                     const apart_shape_info* b) {
    const double low[3] = {b->lower.x, b->lower.y, b->lower.z}, high[3] = {b->upper.x, b->upper.y, b->upper.z};
    const double lower[3] = {a->lower.x, a->lower.y, a->lower.z}, upper[3] = {a->upper.x, a->upper.y, a->upper.z};
    const apart_vec3 t = outer->pose.translation, u = inner->pose.translation;
    const double shift[3] = {t.x - u.x, t.y - u.y, t.z - u.z};
    for (int axis = 0; axis < 3; axis++) {
        // The reach of the outer box along this axis of the inner body, from the inner body's origin.
        double least = 0, most = 0, size = 0;
        for (int k = 0; k < 3; k++) {
            double along = 0;
            for (int i = 0; i < 3; i++) along += inner->pose.rotation.m[i][axis] * outer->pose.rotation.m[i][k];
            const double moved = inner->pose.rotation.m[k][axis] * shift[k];
            least += moved + fmin(along * lower[k], along * upper[k]);
            most += moved + fmax(along * lower[k], along * upper[k]);
            size += fabs(moved) + fabs(along * lower[k]) + fabs(along * upper[k]);
        }
        const double slack = 1e-5 * size; // rotations within 1e-6, and rounding
        if (low[axis] < least - slack || high[axis] > most + slack) return false;
    }
    return true;
}

bool containment_is_certain(const apart_scene_body* outer, const apart_scene_body* inner, size_t* budget) {
    apart_shape_info info, around;
    if (*budget == 0 || apart_shape_describe(inner->shape, &info) != APART_OK ||
        apart_shape_describe(outer->shape, &around) != APART_OK || !box_fits(outer, &around, inner, &info))
        return false;
    const apart_vec3 l = info.lower, u = info.upper;
    subdivision s = {.outer = outer, .inner = inner, .count = 1};
    s.half = (apart_vec3){(u.x - l.x) / 2, (u.y - l.y) / 2, (u.z - l.z) / 2};
    s.cell = malloc(CELLS * sizeof *s.cell);
    s.next = malloc(CELLS * sizeof *s.next);
    bool certain = s.cell && s.next;
    if (certain) s.cell[0] = (apart_vec3){l.x + s.half.x, l.y + s.half.y, l.z + s.half.z};
    for (int level = 0; certain && s.count > 0; level++) {
        const size_t cost = s.count < *budget ? s.count : *budget;
        certain = level < LEVELS && cost == s.count && settle_level(&s);
        *budget -= cost;
    }
    free(s.cell);
    free(s.next);
    return certain;
}

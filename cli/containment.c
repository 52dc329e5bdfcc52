// Containment by subdivision. The box of the inner body is cut into cells, until each of them is certainly clear of the
// inner body, or within the outer one: its centre is then as deep inside as the cell's corners are far. A centre that
// is in the inner body and outside the other one ends it. Works for any two bodies of which the distance of points is
// known, and tells gaps of about a hundredth of the size.
#include "containment.h"

#include <stdlib.h>

// Cells of one level, and levels; a gap g takes some (size / g)^2 cells.
enum { CELLS = 20000, LEVELS = 9 };

typedef struct subdivision {
    const apart_scene_body *outer, *inner;
    apart_vec3 half;   // of a cell, in the coordinates of the inner body
    apart_vec3* cell;  // centres, in those coordinates
    apart_vec3* next;  // of the next level
    apart_vec3* place; // in the world
    apart_result *to_inner, *to_outer;
    size_t count, next_count;
} subdivision;

static apart_vec3 to_world(const apart_pose* pose, apart_vec3 p) {
    const double(*m)[3] = pose->rotation.m;
    const apart_vec3 t = pose->translation;
    return (apart_vec3){m[0][0] * p.x + m[0][1] * p.y + m[0][2] * p.z + t.x,
                        m[1][0] * p.x + m[1][1] * p.y + m[1][2] * p.z + t.y,
                        m[2][0] * p.x + m[2][1] * p.y + m[2][2] * p.z + t.z};
}

static bool measure_cells(subdivision* s) {
    const apart_query depth = {.depth = APART_DEPTH_EXACT};
    for (size_t i = 0; i < s->count; i++) s->place[i] = to_world(&s->inner->pose, s->cell[i]);
    return apart_distance_points(s->inner->shape, &s->inner->pose, s->place, s->count, NULL, s->to_inner, NULL, 1) ==
               APART_OK &&
           apart_distance_points(s->outer->shape, &s->outer->pose, s->place, s->count, &depth, s->to_outer, NULL, 1) ==
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

// One level: leaves the cells that are to be cut. False: not inside, or not certain.
static bool settle_level(subdivision* s) {
    const apart_vec3 h = s->half, t = s->inner->pose.translation;
    // Turning a point rounds by a few units in the last place of it; rotations are used within 1e-6.
    const double reach =
        (sqrt(h.x * h.x + h.y * h.y + h.z * h.z) + 1e-15 * (fabs(t.x) + fabs(t.y) + fabs(t.z))) * (1 + 2e-6);
    if (!isfinite(reach) || !measure_cells(s)) return false;
    s->next_count = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (s->to_inner[i].lower_bound > reach || s->to_outer[i].upper_bound <= -reach) continue;
        if (s->to_inner[i].upper_bound <= 0 && s->to_outer[i].lower_bound > 0) return false;
        if (!cut_cell(s, s->cell[i])) return false;
    }
    apart_vec3* cells = s->cell;
    s->cell = s->next;
    s->next = cells;
    s->count = s->next_count;
    s->half = (apart_vec3){h.x / 2, h.y / 2, h.z / 2};
    return true;
}

static bool has_room(const subdivision* s) { return s->cell && s->next && s->place && s->to_inner && s->to_outer; }

bool containment_is_certain(const apart_scene_body* outer, const apart_scene_body* inner) {
    apart_shape_info info;
    if (apart_shape_describe(inner->shape, &info) != APART_OK) return false;
    const apart_vec3 l = info.lower, u = info.upper;
    subdivision s = {.outer = outer, .inner = inner, .count = 1};
    s.half = (apart_vec3){(u.x - l.x) / 2, (u.y - l.y) / 2, (u.z - l.z) / 2};
    s.cell = malloc(CELLS * sizeof *s.cell);
    s.next = malloc(CELLS * sizeof *s.next);
    s.place = malloc(CELLS * sizeof *s.place);
    s.to_inner = malloc(CELLS * sizeof *s.to_inner);
    s.to_outer = malloc(CELLS * sizeof *s.to_outer);
    bool certain = has_room(&s);
    if (certain) s.cell[0] = (apart_vec3){l.x + s.half.x, l.y + s.half.y, l.z + s.half.z};
    for (int level = 0; certain && s.count > 0; level++) certain = level < LEVELS && settle_level(&s);
    free(s.cell);
    free(s.next);
    free(s.place);
    free(s.to_inner);
    free(s.to_outer);
    return certain;
}

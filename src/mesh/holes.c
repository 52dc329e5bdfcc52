#include "mesh/holes.h"

#include "base/memory.h"
#include "base/sort.h"

bool apart_holes_begin(hole_search* s, uint32_t most) {
    s->edge = room(most, sizeof *s->edge);
    s->end = room(2 * (uint64_t)most, sizeof *s->end);
    s->node = room(most, sizeof *s->node);
    // As many nodes as edges at most, since each has two edges; one more for where the last one ends.
    s->next = room((uint64_t)most + 1, sizeof *s->next);
    s->corner = room(most, sizeof *s->corner);
    s->passed = room(most, sizeof *s->passed);
    s->way = room((uint64_t)most + 1, sizeof *s->way);
    s->taken = room(most, sizeof *s->taken);
    return s->edge && s->end && s->node && s->next && s->corner && s->passed && s->way && s->taken;
}

void apart_holes_end(hole_search* s) {
    free(s->edge);
    free(s->end);
    free(s->node);
    free(s->next);
    free(s->corner);
    free(s->passed);
    free(s->way);
    free(s->taken);
}

/// Numbers the points of the edges, in the order of their numbers.
static bool number_nodes(hole_search* s, uint32_t count) {
    for (uint32_t e = 0; e < count; e++) {
        s->taken[e] = false;
        for (uint32_t k = 0; k < 2; k++) s->end[2 * (size_t)e + k] = (uint64_t)s->point[s->edge[e][k]] << 32 | e;
    }
    if (!apart_sort_keys(s->end, 2 * (size_t)count, s->meter)) return false;
    uint32_t nodes = 0;
    for (size_t i = 0, stop; i < 2 * (size_t)count; i = stop) {
        stop = row_end(s->end, i, 2 * (size_t)count, 32);
        for (size_t k = i; k < stop; k++) {
            uint32_t e = (uint32_t)s->end[k], side = s->point[s->edge[e][0]] != s->end[i] >> 32;
            s->node[e][side] = nodes;
            s->corner[nodes] = s->edge[e][side];
        }
        s->next[nodes] = (uint32_t)i;
        s->passed[nodes++] = 0;
        if (!meter_item(s->meter, i, HOLE_WORK / 4)) return false;
    }
    return true;
}

/// An edge from a node that was not taken yet, or UINT32_MAX.
static uint32_t take_edge(hole_search* s, uint32_t node, uint32_t count) {
    while (s->next[node] < 2 * count) {
        uint32_t e = (uint32_t)s->end[s->next[node]];
        if (s->node[e][0] != node && s->node[e][1] != node) return UINT32_MAX;
        s->next[node]++;
        if (s->taken[e]) continue;
        s->taken[e] = true;
        return e;
    }
    return UINT32_MAX;
}

static vec3 corner_at(const hole_search* s, const uint32_t* way, uint32_t i) { return s->vertex[s->corner[way[i]]]; }

static double squared_gap(vec3 a, vec3 b) {
    vec3 d = vec3_scale(AREA_UNIT, vec3_sub(b, a));
    return vec3_dot(d, d);
}

/// Where the two sides of a corner come nearest to lying on each other: the least distance of its neighbours, compared
/// with the length of its sides.
static uint32_t sharpest_corner(const hole_search* s, const uint32_t* way, uint32_t count) {
    uint32_t best = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        vec3 a = corner_at(s, way, i > 0 ? i - 1 : count - 1), b = corner_at(s, way, i);
        vec3 c = corner_at(s, way, i + 1 < count ? i + 1 : 0);
        double open = squared_gap(a, c) / (squared_gap(a, b) + squared_gap(b, c));
        if (open < least) {
            least = open;
            best = i;
        }
    }
    return best;
}

/// The area of the cap of a hole: the triangles between its two sides, from its sharpest corner on.
static double cap_area(const hole_search* s, const uint32_t* way, uint32_t count) {
    uint32_t left = sharpest_corner(s, way, count), right = left;
    double area = 0;
    for (uint32_t i = 1; i < count; i++) {
        uint32_t next_left = left > 0 ? left - 1 : count - 1, next_right = right + 1 < count ? right + 1 : 0;
        vec3 a = corner_at(s, way, left), b = corner_at(s, way, right);
        vec3 to_a = corner_at(s, way, next_left), to_b = corner_at(s, way, next_right);
        bool on_left = squared_gap(to_a, b) < squared_gap(a, to_b);
        area += scaled_area(a, b, on_left ? to_a : to_b);
        left = on_left ? next_left : left;
        right = on_left ? right : next_right;
    }
    return area;
}

/// One hole: `count` nodes of the way.
static void add_hole(hole_search* s, const uint32_t* way, uint32_t count, hole_tally* out) {
    double area = cap_area(s, way, count);
    out->count++;
    out->caps += area;
    if (!(area > s->largest)) return;
    s->largest = area;
    s->lower = s->upper = corner_at(s, way, 0);
    for (uint32_t i = 1; i < count; i++) {
        s->lower = vec3_min(s->lower, corner_at(s, way, i));
        s->upper = vec3_max(s->upper, corner_at(s, way, i));
    }
}

/// Walks from a node as long as there are edges, and takes the holes out of the way.
static bool walk_from(hole_search* s, uint32_t node, uint32_t count, hole_tally* out) {
    uint32_t length = 1, e;
    s->way[0] = node;
    s->passed[node] = 1;
    while ((e = take_edge(s, node, count)) != UINT32_MAX) {
        node = s->node[e][s->node[e][0] == node];
        if (s->passed[node] == 0) {
            s->way[length++] = node;
            s->passed[node] = length;
            continue;
        }
        uint32_t from = s->passed[node] - 1;
        add_hole(s, s->way + from, length - from, out);
        if (!meter_add(s->meter, HOLE_WORK / 2 * (length - from))) return false;
        while (length > from + 1) s->passed[s->way[--length]] = 0;
    }
    s->passed[s->way[0]] = 0;
    return true;
}

bool apart_holes_find(hole_search* s, uint32_t count, hole_tally* out) {
    if (!number_nodes(s, count)) return false;
    for (uint32_t e = 0; e < count; e++) {
        if (!s->taken[e] && !walk_from(s, s->node[e][0], count, out)) return false;
        if (!meter_item(s->meter, e, HOLE_WORK / 4)) return false;
    }
    return true;
}

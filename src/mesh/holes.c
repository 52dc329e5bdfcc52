// Walks along the open edges of a component, and the area that would close them.
#include "mesh/holes.h"

#include "base/memory.h"
#include "base/sort.h"

/// An open edge: its ends, as numbers among the points of this component, and whether the walk has taken it.
typedef struct open_edge {
    uint32_t node[2];
    bool taken;
} open_edge;

/// A point of open edges.
typedef struct open_node {
    uint32_t next;   // where in `end` those of its edges begin that were not taken yet
    uint32_t corner; // a vertex there
    uint32_t passed; // its place on the way plus 1, or 0
} open_node;

typedef struct hole_search {
    const vec3* vertex;
    uint32_t count;  // edges
    uint64_t* end;   // both ends of all edges: point, then edge
    open_edge* edge; // as many nodes as edges at most, since each has two edges
    open_node* node;
    uint32_t* way; // the nodes of the walk so far
    hole_tally* out;
    hole_box* largest;
    meter* meter;
} hole_search;

/// Numbers the points of the edges, in the order of their numbers.
static bool number_nodes(hole_search* s, const uint32_t* point, const uint32_t (*edge)[2]) {
    size_t ends = 2 * (size_t)s->count;
    for (size_t i = 0; i < ends; i++) s->end[i] = (uint64_t)point[edge[i / 2][i % 2]] << 32 | i / 2;
    if (!apart_sort_keys(s->end, ends, s->meter)) return false;
    uint32_t nodes = 0;
    for (size_t i = 0, stop; i < ends; i = stop) {
        stop = row_end(s->end, i, ends, 32);
        s->node[nodes].next = (uint32_t)i;
        for (size_t k = i; k < stop; k++) {
            uint32_t e = (uint32_t)s->end[k], side = point[edge[e][0]] != s->end[i] >> 32;
            s->edge[e].node[side] = nodes;
            s->node[nodes].corner = edge[e][side];
        }
        nodes++;
        if (!meter_item(s->meter, i, HOLE_WORK / 4)) return false;
    }
    return true;
}

/// An edge from a node that was not taken yet, or NULL.
static open_edge* take_edge(hole_search* s, uint32_t node) {
    for (uint32_t* next = &s->node[node].next; *next < 2 * s->count; ++*next) {
        open_edge* e = &s->edge[(uint32_t)s->end[*next]];
        if (e->node[0] != node && e->node[1] != node) return NULL;
        if (e->taken) continue;
        e->taken = true;
        return e;
    }
    return NULL;
}

static vec3 corner_at(const hole_search* s, const uint32_t* way, uint32_t i) {
    return s->vertex[s->node[way[i]].corner];
}

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
static void add_hole(hole_search* s, const uint32_t* way, uint32_t count) {
    double area = cap_area(s, way, count);
    s->out->count++;
    s->out->caps += area;
    if (!(area > s->largest->area)) return;
    *s->largest = (hole_box){area, corner_at(s, way, 0), corner_at(s, way, 0)};
    for (uint32_t i = 1; i < count; i++) {
        s->largest->lower = vec3_min(s->largest->lower, corner_at(s, way, i));
        s->largest->upper = vec3_max(s->largest->upper, corner_at(s, way, i));
    }
}

/// Walks from a node as long as there are edges, and takes the holes out of the way.
static bool walk_from(hole_search* s, uint32_t node) {
    uint32_t length = 1;
    s->way[0] = node;
    s->node[node].passed = 1;
    for (open_edge* e; (e = take_edge(s, node)) != NULL;) {
        node = e->node[e->node[0] == node];
        if (s->node[node].passed == 0) {
            s->way[length++] = node;
            s->node[node].passed = length;
            continue;
        }
        uint32_t from = s->node[node].passed - 1;
        add_hole(s, s->way + from, length - from);
        if (!meter_add(s->meter, HOLE_WORK / 2 * (length - from))) return false;
        while (length > from + 1) s->node[s->way[--length]].passed = 0;
    }
    s->node[s->way[0]].passed = 0;
    return true;
}

bool apart_holes_find(const vec3* vertex, const uint32_t* point, const uint32_t (*edge)[2], uint32_t count,
                      hole_tally* out, hole_box* largest, meter* m) {
    hole_search s = {.vertex = vertex, .count = count, .out = out, .largest = largest, .meter = m};
    s.end = room(2 * (uint64_t)count, sizeof *s.end);
    s.edge = room(count, sizeof *s.edge);
    s.node = room(count, sizeof *s.node);
    s.way = room((uint64_t)count + 1, sizeof *s.way);
    bool ok = s.end && s.edge && s.node && s.way && number_nodes(&s, point, edge);
    for (uint32_t e = 0; ok && e < count; e++)
        ok = (s.edge[e].taken || walk_from(&s, s.edge[e].node[0])) && meter_item(m, e, HOLE_WORK / 4);
    free(s.end);
    free(s.edge);
    free(s.node);
    free(s.way);
    return ok;
}

// What the triangles of a soup form: components, open edges, holes, and which components are solids.
//
// Equal vertices become one point (weld.h), edges are sorted into buckets by their smaller point, and equal edges in a
// row unite their triangles (union-find). All of it takes linear time for a mesh as one meets it; a hub of very many
// edges is sorted bit by bit (sort.h), so that no input takes more than n log n.
//
// The rims of what does not close are welded: points of them within 2^-40 of the size become one, where exporters left
// noise in the last bits of doubles, and then, if that is not enough, within 2^-20, for the last bits of floats. Only
// rims: what is closed stays as it is, however small. And only where an edge of the rim is longer than points that
// become one are apart: a box without a lid stays open, however small.
//
// Open edges are those of an odd number of triangles. Every point has an even number of them, since each triangle
// around it brings two edges, so they form closed ways: the holes (holes.h).
#include "mesh/topology.h"

#include "base/forest.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/weld.h"
#include "mesh/holes.h"

/// What is summed over a component to tell whether it is solid. Areas as scaled_area.
typedef struct tally {
    double area;
    uint32_t sides;   // triangles with area
    hole_tally holes; // their caps
    size_t open;      // edges of holes
    int64_t gain;     // how many edges more cancel if copies are left out
} tally;

/// The inputs and the memory of the work.
typedef struct work {
    const vec3* vertex;
    const uint32_t (*triangle)[3];
    uint32_t vertex_count, triangle_count;
    uint32_t* point; // the number of the point that each vertex is
    uint32_t points; // numbers of points are below this
    uint32_t* of;    // for each triangle: another one of its component, or itself; in the end the component's number
    uint64_t* edge;  // the edges of all triangles, by smaller point, then by larger point, triangle and direction
    uint64_t* end;   // for each point: where the edges end that have it as the smaller one; later whatever is needed
    uint8_t* idle;   // of each triangle, once there may be any: COPY, CANCELLED or 0
    tally* tally;    // of each component
    size_t rims;     // edges that are not used as often in one direction as in the other
    size_t suspects; // edges whose triangles may have the same three corners
    bool slits;      // rims were welded across more than the noise of doubles
    meter* meter;
} work;

// Nanoseconds: a triangle's edges put into buckets, matched, and all the rest of it.
#define BUCKET_WORK 20.0
#define MATCH_WORK 40.0
#define OTHER_WORK 12.0

double apart_topology_work(uint32_t vertex_count, uint32_t triangle_count) {
    return WELD_WORK * vertex_count + (BUCKET_WORK + MATCH_WORK + OTHER_WORK) * triangle_count;
}

// -------------------------------------------------------------------------------------------- edges in buckets ----

// A key of an edge: larger point, triangle, and whether the triangle runs from the larger to the smaller point.
#define EDGE_POINT 32 // where the larger point starts
static uint64_t edge_key(uint32_t larger_point, uint32_t t, bool down) {
    return (uint64_t)larger_point << EDGE_POINT | (uint64_t)t << 1 | down;
}
static uint32_t edge_triangle(uint64_t key) { return (uint32_t)key >> 1; }

/// The three points of a triangle; false if two of them are the same one.
static bool corners(const work* w, uint32_t t, uint32_t p[3]) {
    for (int i = 0; i < 3; i++) p[i] = w->point[w->triangle[t][i]];
    return p[0] != p[1] && p[1] != p[2] && p[2] != p[0];
}

static uint32_t lesser(uint32_t a, uint32_t b) { return a < b ? a : b; }
static uint32_t greater(uint32_t a, uint32_t b) { return a < b ? b : a; }

/// Which edge of a triangle joins these two points.
static uint32_t which_edge(const work* w, uint32_t t, uint32_t a, uint32_t b) {
    uint32_t p[3], i = 0;
    corners(w, t, p);
    while (i < 2 && (lesser(p[i], p[i + 1]) != a || greater(p[i], p[i + 1]) != b)) i++;
    return i;
}

static bool make_room(work* w) {
    w->of = room(w->triangle_count, sizeof *w->of);
    w->end = room((uint64_t)w->points + 1, sizeof *w->end);
    w->edge = large_memory(3 * (uint64_t)w->triangle_count, sizeof *w->edge, w->meter);
    return w->of && w->end && w->edge;
}

/// Sorts the edges into buckets by their smaller point: counting, adding up, filling in. Triangles with three different
/// points start as components of their own.
static bool fill_buckets(work* w) {
    uint32_t p[3];
    memset(w->end, 0, ((size_t)w->points + 1) * sizeof *w->end);
    for (uint32_t t = 0; t < w->triangle_count; t++) {
        w->of[t] = corners(w, t, p) ? t : NO_COMPONENT;
        for (int i = 0; i < 3 && w->of[t] == t; i++) w->end[(size_t)lesser(p[i], p[(i + 1) % 3]) + 1]++;
        if (!meter_item(w->meter, t, BUCKET_WORK / 2)) return false;
    }
    for (size_t i = 0; i < w->points; i++) w->end[i + 1] += w->end[i];
    // Now end[i] is where bucket i starts; filling moves it to its end.
    for (uint32_t t = 0; t < w->triangle_count; t++) {
        if (!meter_item(w->meter, t, BUCKET_WORK / 2)) return false;
        if (!corners(w, t, p)) continue;
        for (int i = 0; i < 3; i++) {
            uint32_t a = p[i], b = p[(i + 1) % 3];
            w->edge[w->end[lesser(a, b)]++] = edge_key(greater(a, b), t, a > b);
        }
    }
    return true;
}

/// One edge of the sorted ones, from point a to point b: its keys. {0}: before the first.
typedef struct edge_row {
    uint32_t a, b;
    uint64_t* key;
    size_t count, next; // keys of it, and of all edges up to it
} edge_row;

/// Goes on to the next edge. False after the last, or if the meter ends the work.
static bool next_row(const work* w, edge_row* r) {
    while (r->a < w->points && r->next == w->end[r->a])
        if (!meter_item(w->meter, r->a++, MATCH_WORK)) return false;
    if (r->a == w->points) return false;
    size_t start = r->next;
    r->next = row_end(w->edge, start, (size_t)w->end[r->a], EDGE_POINT);
    r->key = w->edge + start;
    r->count = r->next - start;
    r->b = (uint32_t)(*r->key >> EDGE_POINT);
    return true;
}

// -------------------------------------------------------------------------------------------------- components ----

/// Whether the triangles of an edge run along it as often in one direction as in the other.
static bool is_balanced(const uint64_t* key, size_t count) {
    size_t down = 0;
    for (size_t i = 0; i < count; i++) down += key[i] & 1;
    return 2 * down == count;
}

/// The corner of a triangle that is not on its edge from a to b.
static uint32_t third_point(const work* w, uint32_t t, uint32_t a, uint32_t b) {
    const uint32_t* v = w->triangle[t];
    uint32_t p = w->point[v[0]], q = w->point[v[1]];
    return p != a && p != b ? p : q != a && q != b ? q : w->point[v[2]];
}

/// Whether some triangles of an edge may have the same three corners: two that have, or more than two.
static bool may_repeat(const work* w, const edge_row* r) {
    if (r->count != 2) return r->count > 2;
    return third_point(w, edge_triangle(r->key[0]), r->a, r->b) == third_point(w, edge_triangle(r->key[1]), r->a, r->b);
}

/// Sorts each bucket: equal edges in a row are one edge, and unite their triangles.
static bool match_edges(work* w, topology* out) {
    *out = (topology){0};
    w->rims = w->suspects = 0;
    if (!fill_buckets(w)) return false;
    for (size_t p = 0, start = 0; p < w->points; start = (size_t)w->end[p++])
        if (!apart_sort_keys(w->edge + start, (size_t)w->end[p] - start, w->meter)) return false;
    for (edge_row r = {0}; next_row(w, &r);) {
        for (size_t k = 1; k < r.count; k++) forest_unite(w->of, edge_triangle(r.key[0]), edge_triangle(r.key[k]));
        out->edges++;
        out->open_edges += r.count % 2;
        out->crowded_edges += r.count > 2;
        w->suspects += may_repeat(w, &r);
        w->rims += !is_balanced(r.key, r.count);
    }
    return !w->meter->cancelled;
}

// -------------------------------------------------------------------------------------------------------- rims ----

/// The longest side of the box of all triangles.
static double soup_size(const work* w) {
    vec3 lower = w->vertex[w->triangle[0][0]], upper = lower;
    for (uint32_t t = 0; t < w->triangle_count; t++)
        for (int i = 0; i < 3; i++) {
            lower = vec3_min(lower, w->vertex[w->triangle[t][i]]);
            upper = vec3_max(upper, w->vertex[w->triangle[t][i]]);
        }
    return vec3_max_abs(vec3_sub(upper, lower));
}

/// The points of rims: a vertex of each, and the first one in the same place, as good as.
typedef struct rim {
    uint32_t* slot; // for each point: 0, or its number among these plus 1
    uint32_t count, *corner, *first;
} rim;

/// Whether an edge of a triangle, from point a to point b, is longer than this along an axis.
static bool is_longer(const work* w, uint32_t t, uint32_t a, uint32_t b, double length) {
    const uint32_t *v = w->triangle[t], i = which_edge(w, t, a, b);
    return vec3_max_abs(vec3_sub(w->vertex[v[i]], w->vertex[v[(i + 1) % 3]])) > length;
}

/// Lists the ends of all edges that do not cancel, but for short ones: what is as small as the noise is no noise.
static bool list_rim(const work* w, double shortest, rim* r) {
    r->slot = room(w->points, sizeof *r->slot);
    for (edge_row row = {0}; r->slot && next_row(w, &row);) {
        bool cancels = is_balanced(row.key, row.count);
        if (cancels || !is_longer(w, edge_triangle(row.key[0]), row.a, row.b, shortest)) continue;
        if (r->slot[row.a] == 0) r->slot[row.a] = ++r->count;
        if (r->slot[row.b] == 0) r->slot[row.b] = ++r->count;
    }
    r->corner = room(r->count, sizeof *r->corner);
    r->first = room(r->count, sizeof *r->first);
    if (!r->slot || !r->corner || !r->first || w->meter->cancelled) return false;
    for (uint32_t v = 0; v < w->vertex_count; v++)
        if (r->slot[w->point[v]] > 0) r->corner[r->slot[w->point[v]] - 1] = v;
    return true;
}

/// Makes points of rims one that are within `width`. *merged: how many of them went.
static bool weld_rims(work* w, double width, uint32_t* merged) {
    rim r = {0};
    meter_more(w->meter, MATCH_WORK * w->points);
    bool ok =
        list_rim(w, WELD_WIDEST * width, &r) && apart_weld_near(w->vertex, r.corner, r.count, width, r.first, w->meter);
    *merged = 0;
    // From the last on, since first[i] <= i, each corner becomes the point that it is from now on.
    for (uint32_t i = r.count; ok && i-- > 0;) {
        *merged += r.first[i] != i;
        r.corner[i] = w->point[r.corner[r.first[i]]];
    }
    for (uint32_t v = 0; *merged > 0 && v < w->vertex_count; v++) {
        uint32_t slot = r.slot[w->point[v]];
        if (slot > 0) w->point[v] = r.corner[slot - 1];
    }
    free(r.slot);
    free(r.corner);
    free(r.first);
    return ok;
}

/// Buckets and edges; again with welded rims, as long as something is open and some of it is as good as closed.
static bool find_edges(work* w, topology* out) {
    if (!make_room(w) || !match_edges(w, out)) return false;
    double size = w->rims > 0 ? soup_size(w) : 0, gap[2] = {0, 0};
    for (int i = 0; i < 2 && w->rims > 0 && size > 0; i++) {
        double width = size * (i == 0 ? NOISE_OF_DOUBLES : NOISE_OF_FLOATS);
        uint32_t merged;
        if (!weld_rims(w, width, &merged)) return false;
        if (merged == 0) continue;
        meter_more(w->meter, (BUCKET_WORK + MATCH_WORK) * w->triangle_count);
        if (!match_edges(w, out)) return false;
        gap[i] = 2 * WELD_WIDEST * width; // more than the diagonal of a group, which is sqrt(3) times that
    }
    out->seam = gap[0];
    w->slits = gap[1] > 0;
    return true;
}

/// Numbers the components in the order of their first triangles. Each triangle points at itself or at a lower one,
/// which has its number already.
static bool number_components(work* w, topology* out) {
    for (uint32_t t = 0; t < w->triangle_count; t++) out->count += w->of[t] == t;
    out->component = room(out->count, sizeof *out->component);
    w->tally = room(out->count, sizeof *w->tally);
    if (!out->component || !w->tally) return false;
    uint32_t next = 0;
    for (uint32_t t = 0; t < w->triangle_count; t++) {
        if (!meter_item(w->meter, t, OTHER_WORK / 3)) return false;
        if (w->of[t] == t) {
            out->component[next] = (component){.triangle = t, .oriented = true};
            w->of[t] = next++;
        } else if (w->of[t] != NO_COMPONENT) {
            w->of[t] = w->of[w->of[t]];
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------ triangles that do not count ----

// Triangles with the same three corners: those turned one way cancel those turned the other way, one by one, like two
// solids' common wall. Of what is left, all turned alike, all but the first are copies.
#define COPY 1
#define CANCELLED 2

static bool is_idle(const work* w, uint32_t t) { return w->idle && w->idle[t]; }

/// Marks the triangles of a group with the same three corners. Keys: triangle and turn, ascending.
static void mark_group(work* w, const uint64_t* key, size_t count) {
    size_t turned[2] = {0, 0}, seen[2] = {0, 0};
    for (size_t i = 0; i < count; i++) turned[key[i] & 1]++;
    size_t pairs = turned[0] < turned[1] ? turned[0] : turned[1];
    for (size_t i = 0; i < count; i++) {
        size_t before = seen[key[i] & 1]++;
        w->idle[edge_triangle(key[i])] = before < pairs ? CANCELLED : before > pairs ? COPY : 0;
    }
}

/// Marks what is idle among the triangles of one edge, and adds up what the copies cost. `third` is room for as many
/// keys.
static bool mark_edge(work* w, const edge_row* r, uint64_t* third) {
    const uint64_t* key = r->key;
    size_t count = r->count;
    for (size_t i = 0; i < count; i++)
        third[i] = (uint64_t)third_point(w, edge_triangle(key[i]), r->a, r->b) << EDGE_POINT | (uint32_t)key[i];
    if (!apart_sort_keys(third, count, w->meter)) return false;
    for (size_t i = 0, next; i < count; i = next) {
        next = row_end(third, i, count, EDGE_POINT);
        mark_group(w, third + i, next - i);
    }
    // How often the edge is used up more than down, with the copies and without them.
    int64_t with = 0, without = 0;
    for (size_t i = 0; i < count; i++) {
        int way = key[i] & 1 ? -1 : 1;
        with += way;
        without += w->idle[edge_triangle(key[i])] == COPY ? 0 : way;
    }
    w->tally[w->of[edge_triangle(key[0])]].gain += (with != 0) - (without != 0);
    return true;
}

/// Looks for triangles with the same three corners: only edges of more than one triangle have any. Copies do not count,
/// unless fewer edges of their component cancel without them.
static bool find_idle(work* w, topology* out) {
    w->idle = room(w->triangle_count, sizeof *w->idle);
    uint64_t* third = room(3 * (uint64_t)w->triangle_count, sizeof *third);
    bool ok = w->idle && third;
    meter_more(w->meter, MATCH_WORK * w->triangle_count);
    for (edge_row r = {0}; ok && next_row(w, &r);) ok = r.count == 1 || mark_edge(w, &r, third);
    ok = ok && !w->meter->cancelled;
    free(third);
    for (uint32_t t = 0; ok && t < w->triangle_count; t++) {
        if (w->idle[t] == COPY && w->tally[w->of[t]].gain < 0) w->idle[t] = 0;
        out->idle += w->idle[t] != 0;
    }
    return ok;
}

// ------------------------------------------------------------------------------------------------------- areas ----

/// Whether p - q is not zero, for certain, where p and q are products of two rounded differences: each carries at most
/// three roundings of 2^-53 and the subtraction one more. What products lose at the end of the range is far below.
static bool surely_differ(double p, double q) {
    double difference = fabs(p - q);
    return difference > 0x1p-50 * (fabs(p) + fabs(q)) && difference > 0x1p-900;
}

/// Whether a triangle has an area that doubles can tell from none.
static bool has_area(vec3 a, vec3 b, vec3 c) {
    vec3 u = vec3_scale(AREA_UNIT, vec3_sub(b, a)), v = vec3_scale(AREA_UNIT, vec3_sub(c, a));
    return surely_differ(u.x * v.y, u.y * v.x) || surely_differ(u.y * v.z, u.z * v.y) ||
           surely_differ(u.z * v.x, u.x * v.z);
}

static bool sum_areas(work* w, topology* out) {
    for (uint32_t t = 0; t < w->triangle_count; t++) {
        if (!meter_item(w->meter, t, OTHER_WORK * 2 / 3)) return false;
        const uint32_t* v = w->triangle[t];
        vec3 a = w->vertex[v[0]], b = w->vertex[v[1]], c = w->vertex[v[2]];
        bool real = has_area(a, b, c);
        out->degenerate += !real;
        if (!real || w->of[t] == NO_COMPONENT || is_idle(w, t)) continue;
        w->tally[w->of[t]].area += scaled_area(a, b, c);
        w->tally[w->of[t]].sides++;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------------- holes ----

// A key of an open edge: its component (there are fewer than 2^31), a triangle that has it, and which of the triangle's
// edges it is.
#define OPEN_GROUP 33 // where the component starts
static uint64_t open_key(uint64_t group, uint32_t t, uint32_t which) {
    return group << OPEN_GROUP | (uint64_t)t << 2 | which;
}
static uint32_t open_triangle(uint64_t key) { return (uint32_t)(key >> 2) & INT32_MAX; }

/// The caller's vertices at both ends of an open edge.
static void open_ends(const work* w, uint64_t key, uint32_t end[2]) {
    const uint32_t* v = w->triangle[open_triangle(key)];
    end[0] = v[key & 3];
    end[1] = v[((key & 3) + 1) % 3];
}

/// Leaves out the triangles that do not count from a row of edges. Returns how many are left.
static size_t drop_idle(const work* w, uint64_t* key, size_t count) {
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        if (!is_idle(w, edge_triangle(key[i]))) key[left++] = key[i];
    return left;
}

/// Walks over the sorted edges once more, now that the components are known: marks those with twisted edges, and moves
/// the open edges to the front of w->edge. Their number goes to out->open_edges.
static bool collect_open_edges(work* w, topology* out) {
    out->open_edges = 0;
    for (edge_row r = {0}; next_row(w, &r);) {
        uint32_t group = w->of[edge_triangle(r.key[0])];
        size_t count = drop_idle(w, r.key, r.count);
        if (count % 2 == 0) {
            if (!is_balanced(r.key, count)) out->component[group].oriented = false;
            continue;
        }
        uint32_t t = edge_triangle(r.key[0]);
        w->edge[out->open_edges++] = open_key(group, t, which_edge(w, t, r.a, r.b));
    }
    return !w->meter->cancelled;
}

/// Finds the holes of each component, from its row of open edges. `ends` is room for all.
static bool search_holes(work* w, uint32_t (*ends)[2], topology* out) {
    const uint64_t* key = w->edge;
    hole_box largest = {.area = -1};
    for (size_t i = 0, next; i < out->open_edges; i = next) {
        next = row_end(key, i, out->open_edges, OPEN_GROUP);
        if (next - i > INT32_MAX) return false;
        for (size_t k = i; k < next; k++) open_ends(w, key[k], ends[k]);
        tally* sum = &w->tally[key[i] >> OPEN_GROUP];
        sum->open = next - i;
        if (!apart_holes_find(w->vertex, w->point, (const uint32_t(*)[2])ends + i, (uint32_t)(next - i), &sum->holes,
                              &largest, w->meter))
            return false;
        out->holes += sum->holes.count;
    }
    out->hole_lower = largest.lower;
    out->hole_upper = largest.upper;
    return true;
}

/// Finds the holes among the open edges, which of them is the largest, and how much caps over them would add to each
/// component.
static bool find_holes(work* w, topology* out) {
    meter_more(w->meter, MATCH_WORK * w->points + HOLE_WORK * (double)out->open_edges);
    if (!collect_open_edges(w, out) || !apart_sort_keys(w->edge, out->open_edges, w->meter)) return false;
    uint32_t(*ends)[2] = room(out->open_edges, sizeof *ends);
    bool ok = ends && search_holes(w, ends, out);
    free(ends);
    return ok;
}

// ------------------------------------------------------------------------------------------------------ results ----

/// A closed surface needs four sides. A cap is one or more. Where more than half of the edges of the sides are open, as
/// of pages that share one edge, the sides enclose nothing however narrow it is between them.
static void find_solids(const work* w, topology* out) {
    for (uint32_t c = 0; c < out->count; c++) {
        const tally* sum = &w->tally[c];
        bool sides = sum->sides + sum->holes.count >= 4 && sum->area > 0 && 2 * sum->open <= 3 * (size_t)sum->sides;
        bool solid = out->component[c].solid = sides && sum->holes.caps <= sum->area / 100;
        out->solids += solid;
        out->leaky += solid && (sum->holes.count > 0 || w->slits);
        out->almost += sides && !solid && sum->holes.caps <= sum->area / 2;
    }
}

/// Gives triangles with fewer than three points the first component that has one of these points.
static bool place_collapsed(work* w) {
    uint32_t collapsed = 0;
    for (uint32_t t = 0; t < w->triangle_count; t++) collapsed += w->of[t] == NO_COMPONENT;
    if (!collapsed) return true;
    meter_more(w->meter, 2 * OTHER_WORK * w->triangle_count);
    for (size_t p = 0; p < w->points; p++) w->end[p] = NO_COMPONENT;
    for (uint32_t t = 0; t < w->triangle_count; t++) {
        for (int i = 0; i < 3 && w->of[t] != NO_COMPONENT; i++) {
            uint64_t* first = &w->end[w->point[w->triangle[t][i]]];
            if (w->of[t] < *first) *first = w->of[t];
        }
        if (!meter_item(w->meter, t, OTHER_WORK)) return false;
    }
    for (uint32_t t = 0; t < w->triangle_count; t++) {
        if (!meter_item(w->meter, t, OTHER_WORK)) return false;
        if (w->of[t] != NO_COMPONENT) continue;
        for (int i = 0; i < 3; i++) w->of[t] = lesser(w->of[t], (uint32_t)w->end[w->point[w->triangle[t][i]]]);
    }
    return true;
}

static bool find_all(work* w, topology* out) {
    w->point = room(w->vertex_count, sizeof *w->point);
    if (!w->point || !apart_weld(w->vertex, w->vertex_count, w->point, &w->points, w->meter)) return false;
    if (!find_edges(w, out) || !number_components(w, out)) return false;
    if (w->suspects > 0 && !find_idle(w, out)) return false;
    if (!sum_areas(w, out)) return false;
    if (w->rims > 0 && !find_holes(w, out)) return false;
    find_solids(w, out);
    return place_collapsed(w);
}

bool apart_topology_find(const vec3* vertex, uint32_t vertex_count, const uint32_t (*triangle)[3],
                         uint32_t triangle_count, topology* out, meter* m) {
    work w = {.vertex = vertex,
              .vertex_count = vertex_count,
              .triangle = triangle,
              .triangle_count = triangle_count,
              .meter = m};
    *out = (topology){0};
    bool ok = find_all(&w, out);
    free(w.point);
    free(w.edge);
    free(w.end);
    free(w.tally);
    if (ok) {
        out->of = w.of;
        out->drop = w.idle;
        return true;
    }
    free(w.of);
    free(w.idle);
    free(out->component);
    *out = (topology){0};
    return false;
}

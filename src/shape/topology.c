// What the triangles of a soup form: components, open edges, holes, and which components are solids.
//
// Equal vertices become one point (weld.h), edges are sorted into buckets by their smaller point, and equal edges in a
// row unite their triangles (union-find). All of it takes linear time for a mesh as one meets it; a hub of very many
// edges is sorted bit by bit (keys.h), so that no input takes more than n log n.
//
// Open edges are those of an odd number of triangles. Every point has an even number of them, since each triangle
// around it brings two edges, so they form closed ways: the holes. Ways of one component that touch at a point are one
// closed way and counted as one hole; those of two components are two holes.
//
// The cap of a hole is the fan of triangles from its edges to its centre of mass. For a closed way of length L that is
// never more than the disc of this perimeter, L^2 / (4 pi): the fan's area is at most half the integral of the distance
// r from the centre, and the integral of r^2 is at most L^3 / (4 pi^2) (Wirtinger). A crack, as T-junctions leave it,
// has hardly any cap however long it is.
#include "shape/topology.h"

#include "base/exact.h"
#include "shape/keys.h"
#include "shape/room.h"
#include "shape/weld.h"

/// What is summed over a component to tell whether it is solid. Areas are twice the area, times UNIT^2.
typedef struct tally {
    double area, caps;
    uint32_t sides, holes; // triangles with area; holes
} tally;

/// The inputs and the memory of the work.
typedef struct work {
    const vec3* vertex;
    const uint32_t (*triangle)[3];
    uint32_t vertex_count, triangle_count;
    uint32_t* point; // the number of the point that each vertex is
    uint32_t points; // their count
    uint32_t* of;    // for each triangle: another one of its component, or itself; in the end the component's number
    uint64_t* edge;  // the edges of all triangles, by smaller point, then by larger point, triangle and direction
    uint64_t* end;   // for each point: where the edges end that have it as the smaller one; later whatever is needed
    uint8_t* repeat; // of each triangle, once it is known that there are repeats
    tally* tally;    // of each component
    size_t matched;  // edges of triangles that went through match_edge
    size_t suspects; // edges whose triangles may be repeats
    size_t twisted;  // edges that are not open and not used as often in one direction as in the other
    meter* meter;
} work;

// Nanoseconds: a triangle's edges put into buckets, matched, and all the rest of it; a key looked at; an edge of a
// hole.
#define BUCKET_WORK 20.0
#define MATCH_WORK 40.0
#define OTHER_WORK 12.0
#define HOLE_WORK 60.0

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

/// The three points of a triangle; false if two of them are the same one, or the triangle is a repeat.
static bool corners(const work* w, uint32_t t, uint32_t p[3]) {
    for (int i = 0; i < 3; i++) p[i] = w->point[w->triangle[t][i]];
    return p[0] != p[1] && p[1] != p[2] && p[2] != p[0] && !(w->repeat && w->repeat[t]);
}

static uint32_t lesser(uint32_t a, uint32_t b) { return a < b ? a : b; }
static uint32_t greater(uint32_t a, uint32_t b) { return a < b ? b : a; }

/// Sorts the edges into buckets by their smaller point: counting, adding up, filling in. Triangles with three different
/// points start as components of their own.
static bool fill_buckets(work* w) {
    uint32_t p[3];
    w->of = room(w->triangle_count, sizeof *w->of);
    w->end = room((uint64_t)w->points + 1, sizeof *w->end);
    w->edge = large_room(3 * (uint64_t)w->triangle_count, sizeof *w->edge, w->meter);
    if (!w->of || !w->end || !w->edge) return false;
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

// -------------------------------------------------------------------------------------------------- components ----

/// The lowest triangle of those united with t, as far as known. Halves the way there.
static uint32_t find_root(uint32_t* of, uint32_t t) {
    while (of[t] != t) t = of[t] = of[of[t]];
    return t;
}

/// Lower triangles win, so that of[t] <= t always.
static void unite(uint32_t* of, uint32_t a, uint32_t b) {
    a = find_root(of, a);
    b = find_root(of, b);
    of[greater(a, b)] = lesser(a, b);
}

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

/// Whether some triangles of an edge from point a may be repeats: two that are, or more than two.
static bool may_repeat(const work* w, const uint64_t* key, size_t count, uint32_t a) {
    if (count != 2) return count > 2;
    uint32_t b = (uint32_t)(key[0] >> EDGE_POINT);
    return third_point(w, edge_triangle(key[0]), a, b) == third_point(w, edge_triangle(key[1]), a, b);
}

/// One edge from point p: unites its triangles, and counts it.
static bool match_edge(work* w, const uint64_t* key, size_t count, uint32_t p, topology* out) {
    bool open = count % 2 == 1;
    for (size_t k = 0; k < count; k++) {
        if (k > 0) unite(w->of, edge_triangle(key[0]), edge_triangle(key[k]));
        if (!meter_item(w->meter, w->matched++, MATCH_WORK / 3)) return false;
    }
    out->edges++;
    out->open_edges += open;
    out->crowded_edges += count > 2;
    w->suspects += may_repeat(w, key, count, p);
    w->twisted += !open && !is_balanced(key, count);
    return true;
}

/// Sorts each bucket: equal edges in a row are one edge, and unite their triangles.
static bool match_edges(work* w, topology* out) {
    for (size_t p = 0, start = 0; p < w->points; start = (size_t)w->end[p++]) {
        size_t count = (size_t)w->end[p] - start;
        uint64_t* key = w->edge + start;
        if (!apart_keys_sort(key, count, w->meter)) return false;
        for (size_t i = 0, next; i < count; i = next) {
            next = row_end(key, i, count, EDGE_POINT);
            if (!match_edge(w, key + i, next - i, (uint32_t)p, out)) return false;
        }
    }
    return true;
}

/// Marks the repeats among the triangles of one edge, from point a to point b: they have the same third point. `third`
/// is room for as many keys. Returns how many there are.
static size_t mark_repeats(work* w, const uint64_t* key, size_t count, uint32_t a, uint32_t b, uint64_t* third) {
    for (size_t i = 0; i < count; i++) {
        uint32_t t = edge_triangle(key[i]);
        third[i] = (uint64_t)third_point(w, t, a, b) << 32 | t;
        if (!meter_item(w->meter, i, MATCH_WORK / 3)) return 0;
    }
    if (!apart_keys_sort(third, count, w->meter)) return 0;
    size_t found = 0;
    for (size_t i = 1; i < count; i++)
        if (third[i] >> 32 == third[i - 1] >> 32) {
            w->repeat[(uint32_t)third[i]] = 1;
            found++;
        }
    return found;
}

/// Looks for repeats: only edges of more than one triangle have any. True if there are; false, with *ok unset, when out
/// of memory or if the meter ends the work.
static bool find_repeats(work* w, bool* ok) {
    size_t found = 0;
    w->repeat = room(w->triangle_count, sizeof *w->repeat);
    uint64_t* third = room(3 * (uint64_t)w->triangle_count, sizeof *third);
    *ok = w->repeat && third;
    meter_more(w->meter, MATCH_WORK * w->triangle_count);
    for (size_t p = 0, start = 0; *ok && p < w->points; start = (size_t)w->end[p++]) {
        size_t count = (size_t)w->end[p] - start;
        *ok = meter_item(w->meter, p, MATCH_WORK);
        const uint64_t* key = w->edge + start;
        for (size_t i = 0, next; i < count; i = next) {
            next = row_end(key, i, count, EDGE_POINT);
            if (next - i > 1)
                found += mark_repeats(w, key + i, next - i, (uint32_t)p, (uint32_t)(key[i] >> EDGE_POINT), third);
        }
    }
    free(third);
    *ok = *ok && !w->meter->cancelled;
    if (*ok && found > 0) return true;
    free(w->repeat);
    w->repeat = NULL;
    return false;
}

/// Buckets and edges; once more without the repeats, if there are any.
static bool find_edges(work* w, topology* out) {
    if (!fill_buckets(w) || !match_edges(w, out)) return false;
    bool ok = true;
    if (w->suspects == 0 || !find_repeats(w, &ok)) return ok;
    free(w->of);
    free(w->end);
    free(w->edge);
    w->of = NULL;
    w->end = w->edge = NULL;
    w->twisted = 0;
    *out = (topology){0};
    meter_more(w->meter, (BUCKET_WORK + MATCH_WORK) * w->triangle_count);
    return fill_buckets(w) && match_edges(w, out);
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

// ------------------------------------------------------------------------------------------------------- areas ----

// Sides are multiplied by this before they are multiplied with each other, so that the square of an area neither
// vanishes, down to sides of 2^-500, nor overflows.
#define UNIT 0x1p250

static vec3 side(vec3 from, vec3 to) { return vec3_scale(UNIT, vec3_sub(to, from)); }

/// Whether a, b and c are not in line in the plane of two coordinates, exactly: the determinant is summed up without
/// any rounding (as an expansion; Shewchuk 1997, section 2), and nothing is left of it only if it is zero.
static bool bends(double ax, double ay, double bx, double by, double cx, double cy) {
    const double factor[6][2] = {{ax, by}, {-ay, bx}, {bx, cy}, {-by, cx}, {cx, ay}, {-cy, ax}};
    double sum[12];
    for (int i = 0, count = 0; i < 6; i++) {
        double part[2];
        part[1] = exact_product(factor[i][0], factor[i][1], &part[0]);
        for (int k = 0; k < 2; k++) {
            double carry = part[k];
            for (int j = 0; j < count; j++) carry = exact_sum(carry, sum[j], &sum[j]);
            sum[count++] = carry;
        }
    }
    for (int i = 0; i < 12; i++)
        if (sum[i] != 0) return true;
    return false;
}

/// The same for three coordinates, which are first scaled to the upper part of the range, where products are exact.
static bool bends_exactly(vec3 a, vec3 b, vec3 c) {
    const double up = 0x1p480;
    a = vec3_scale(up, a);
    b = vec3_scale(up, b);
    c = vec3_scale(up, c);
    return bends(a.x, a.y, b.x, b.y, c.x, c.y) || bends(a.y, a.z, b.y, b.z, c.y, c.z) ||
           bends(a.z, a.x, b.z, b.x, c.z, c.x);
}

/// Whether p - q is not zero, for certain, where p and q are products of two rounded differences: each carries at most
/// three roundings of 2^-53 and the subtraction one more. What products lose at the end of the range is far below.
static bool surely_differ(double p, double q) {
    double difference = fabs(p - q);
    return difference > 0x1p-50 * (fabs(p) + fabs(q)) && difference > 0x1p-900;
}

/// Whether a triangle has an area, and twice this, in UNITs.
static bool has_area(vec3 a, vec3 b, vec3 c, double* area) {
    vec3 u = side(a, b), v = side(a, c);
    *area = vec3_length(vec3_cross(u, v));
    return surely_differ(u.x * v.y, u.y * v.x) || surely_differ(u.y * v.z, u.z * v.y) ||
           surely_differ(u.z * v.x, u.x * v.z) || bends_exactly(a, b, c);
}

static bool sum_areas(work* w, topology* out) {
    for (uint32_t t = 0; t < w->triangle_count; t++) {
        if (!meter_item(w->meter, t, OTHER_WORK * 2 / 3)) return false;
        const uint32_t* v = w->triangle[t];
        double area = 0;
        bool real = w->of[t] != NO_COMPONENT && has_area(w->vertex[v[0]], w->vertex[v[1]], w->vertex[v[2]], &area);
        out->degenerate += !real && !(w->repeat && w->repeat[t]);
        if (!real) continue;
        w->tally[w->of[t]].area += area;
        w->tally[w->of[t]].sides++;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------------- holes ----

// A key of an open edge: its component or its hole (there are fewer than 2^31 of either), a triangle that has it, and
// which of the triangle's edges it is.
#define OPEN_GROUP 33 // where component or hole start
static uint64_t open_key(uint64_t group, uint32_t t, uint32_t which) {
    return group << OPEN_GROUP | (uint64_t)t << 2 | which;
}
static uint32_t open_triangle(uint64_t key) { return (uint32_t)(key >> 2) & INT32_MAX; }

/// The caller's vertices at both ends of an open edge.
static void open_ends(const work* w, uint64_t key, uint32_t* from, uint32_t* to) {
    const uint32_t* v = w->triangle[open_triangle(key)];
    *from = v[key & 3];
    *to = v[((key & 3) + 1) % 3];
}

/// Which edge of a triangle joins these two points.
static uint32_t which_edge(const work* w, uint32_t t, uint32_t a, uint32_t b) {
    uint32_t p[3], i = 0;
    corners(w, t, p);
    while (i < 2 && (lesser(p[i], p[i + 1]) != a || greater(p[i], p[i + 1]) != b)) i++;
    return i;
}

/// Walks over the sorted edges once more, now that the components are known: marks those with twisted edges, and moves
/// the open edges to the front of w->edge. Their number goes to *found.
static bool collect_open_edges(work* w, topology* out, size_t* found) {
    for (size_t p = 0, i = 0; p < w->points; p++) {
        if (!meter_item(w->meter, p, MATCH_WORK)) return false;
        for (size_t next; i < w->end[p]; i = next) {
            uint64_t key = w->edge[i];
            uint32_t t = edge_triangle(key), group = w->of[t];
            next = row_end(w->edge, i, (size_t)w->end[p], EDGE_POINT);
            if ((next - i) % 2 == 0) {
                if (!is_balanced(w->edge + i, next - i)) out->component[group].oriented = false;
                continue;
            }
            w->edge[(*found)++] = open_key(group, t, which_edge(w, t, (uint32_t)p, (uint32_t)(key >> EDGE_POINT)));
        }
    }
    return true;
}

// While holes are searched, end[p] is a point of the same hole, or ROOT and the number of the hole, or just ROOT.
#define ROOT ((uint64_t)1 << 63)
#define UNNUMBERED (ROOT | (ROOT - 1))

static uint64_t hole_root(uint64_t* end, uint64_t p) {
    while (!(end[p] & ROOT)) {
        if (!(end[end[p]] & ROOT)) end[p] = end[end[p]];
        p = end[p];
    }
    return p;
}

/// One of the four walks over each open edge, which is at `key` in w->edge. False if the meter ends the work.
static bool pass_open_edge(const work* w, const uint64_t* key) {
    return meter_item(w->meter, (size_t)(key - w->edge), HOLE_WORK / 4);
}

/// Unites the points of the open edges of one component, and puts the number of the hole in the place of the
/// component's in their keys. Other components may have used the same points before.
static bool number_holes(work* w, uint64_t* key, size_t count, topology* out) {
    uint32_t a, b;
    for (size_t i = 0; i < count; i++) {
        open_ends(w, key[i], &a, &b);
        w->end[w->point[a]] = w->end[w->point[b]] = UNNUMBERED;
    }
    for (size_t i = 0; i < count && pass_open_edge(w, key + i); i++) {
        open_ends(w, key[i], &a, &b);
        uint64_t p = hole_root(w->end, w->point[a]), q = hole_root(w->end, w->point[b]);
        if (p < q) w->end[q] = p;
        if (q < p) w->end[p] = q;
    }
    for (size_t i = 0; i < count && pass_open_edge(w, key + i); i++) {
        open_ends(w, key[i], &a, &b);
        uint64_t* root = &w->end[hole_root(w->end, w->point[a])];
        if (*root == UNNUMBERED) *root = ROOT | out->holes++;
        key[i] = open_key(*root & ~ROOT, open_triangle(key[i]), (uint32_t)key[i] & 3);
    }
    return !w->meter->cancelled;
}

/// The cap over a hole: the fan of its edges around their centre. Twice its area, in UNITs.
static double cap_area(const work* w, const uint64_t* key, size_t count) {
    uint32_t a, b;
    open_ends(w, key[0], &a, &b);
    vec3 origin = w->vertex[a], centre = {0, 0, 0};
    double length = 0, area = 0;
    for (size_t i = 0; i < count && pass_open_edge(w, key + i); i++) {
        open_ends(w, key[i], &a, &b);
        vec3 p = side(origin, w->vertex[a]), q = side(origin, w->vertex[b]);
        double part = vec3_length(vec3_sub(q, p));
        length += part;
        centre = vec3_mad(centre, part / 2, vec3_add(p, q));
    }
    if (length > 0) centre = vec3_scale(1 / length, centre);
    for (size_t i = 0; i < count && pass_open_edge(w, key + i); i++) {
        open_ends(w, key[i], &a, &b);
        vec3 p = vec3_sub(side(origin, w->vertex[a]), centre), q = vec3_sub(side(origin, w->vertex[b]), centre);
        area += vec3_length(vec3_cross(p, q));
    }
    return area;
}

/// Finds the holes among the open edges, and how much caps over them would add to each component.
static bool find_holes(work* w, topology* out) {
    uint64_t* key = w->edge;
    size_t open = 0;
    meter_more(w->meter, MATCH_WORK * w->points + HOLE_WORK * (double)out->open_edges);
    if (!collect_open_edges(w, out, &open) || !apart_keys_sort(key, open, w->meter)) return false;
    for (size_t i = 0, next; i < open; i = next) {
        next = row_end(key, i, open, OPEN_GROUP);
        size_t before = out->holes;
        tally* sum = &w->tally[key[i] >> OPEN_GROUP];
        if (!number_holes(w, key + i, next - i, out)) return false;
        sum->holes = (uint32_t)(out->holes - before);
    }
    if (!apart_keys_sort(key, open, w->meter)) return false;
    for (size_t i = 0, next; i < open && !w->meter->cancelled; i = next) {
        next = row_end(key, i, open, OPEN_GROUP);
        w->tally[w->of[open_triangle(key[i])]].caps += cap_area(w, key + i, next - i);
    }
    return !w->meter->cancelled;
}

// ------------------------------------------------------------------------------------------------------ results ----

/// A closed surface needs four sides. A cap is one or more.
static void find_solids(const work* w, topology* out) {
    for (uint32_t c = 0; c < out->count; c++) {
        const tally* sum = &w->tally[c];
        bool sides = (uint64_t)sum->sides + sum->holes >= 4;
        out->component[c].solid = sides && sum->area > 0 && sum->caps <= sum->area / 100;
        out->solids += out->component[c].solid;
        out->leaky += out->component[c].solid && sum->holes > 0;
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
    if (!find_edges(w, out)) return false;
    if (!number_components(w, out) || !sum_areas(w, out)) return false;
    if ((out->open_edges > 0 || w->twisted > 0) && !find_holes(w, out)) return false;
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
        out->repeat = w.repeat;
        return true;
    }
    free(w.of);
    free(w.repeat);
    free(out->component);
    *out = (topology){0};
    return false;
}

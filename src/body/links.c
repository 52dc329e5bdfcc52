// The edges of a hull, and whether they can be climbed.
//
// Hill climbing (Cameron 1997, sec. 3) needs more than edges. On the graph of a convex polytope the vertices above any
// height hang together, so that a climb that looks at all vertices within a small step below its own height ends at the
// top. Qhull's faces make such a graph if they are flat and clearly convex: what is smaller than the rounding of the
// coordinates is then beside the point. This is checked face by face and edge by edge; where it fails, the body is
// searched through instead.
#include "base/sort.h"
#include "body/hull.h"

#include <stdlib.h>

/// What plain doubles may get wrong in a height above a line or a plane: 4 roundings of a length up to 4.
#define HEIGHT_ERROR 0x1p-49

// ------------------------------------------------------------------------------------------------------- edges ----

/// Counts an edge, or writes it once there is room for it. first[i + 1] is the number of neighbours of i while they are
/// counted, and the place of the next one while they are written.
static void add_edge(hull* h, uint32_t from, uint32_t to) {
    if (h->neighbour) h->neighbour[h->first[from + 1]] = to;
    h->first[from + 1]++;
}

/// The corner after k in the loop from begin to end.
static uint32_t after(uint32_t k, uint32_t begin, uint32_t end) { return k + 1 < end ? k + 1 : begin; }

/// Visits all edges. A closed surface passes each of them once in either direction; a polygon only in one.
static void walk_edges(hull* h) {
    for (uint32_t f = 0; f < h->face.count; f++) {
        uint32_t begin = h->face.first[f], end = h->face.first[f + 1];
        for (uint32_t k = begin; k < end; k++) {
            uint32_t from = h->face.corner[k], to = h->face.corner[after(k, begin, end)];
            add_edge(h, from, to);
            if (h->dimension == 2) add_edge(h, to, from);
        }
    }
    if (h->dimension == 1 && h->count == 2) {
        add_edge(h, 0, 1);
        add_edge(h, 1, 0);
    }
}

bool apart_hull_link(hull* h) {
    h->first = calloc((size_t)h->count + 1, sizeof *h->first);
    if (!h->first) return false;
    // Count, sum up, write, sort.
    walk_edges(h);
    uint32_t total = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        uint32_t degree = h->first[i + 1];
        h->first[i + 1] = total;
        total += degree;
    }
    h->neighbour = malloc((total > 0 ? total : 1) * sizeof *h->neighbour);
    if (!h->neighbour) return false;
    walk_edges(h);
    for (uint32_t i = 0; i < h->count; i++)
        sort_numbers(h->neighbour + h->first[i], h->first[i + 1] - h->first[i], number_is_lower, NULL);
    return true;
}

/// The place of neighbour `to` in the list of `from`, or NO_VERTEX.
static uint32_t find_edge(const hull* h, uint32_t from, uint32_t to) {
    uint32_t low = h->first[from], high = h->first[from + 1];
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (h->neighbour[middle] < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low < h->first[from + 1] && h->neighbour[low] == to ? low : NO_VERTEX;
}

bool apart_hull_is_closed(const hull* h) {
    uint64_t used = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        used += h->first[i + 1] > h->first[i];
        for (uint32_t k = h->first[i]; k < h->first[i + 1]; k++) {
            if (k > h->first[i] && h->neighbour[k] == h->neighbour[k - 1]) return false;
            if (find_edge(h, h->neighbour[k], i) == NO_VERTEX) return false;
        }
    }
    return used + h->face.count == 2 + h->first[h->count] / 2;
}

// --------------------------------------------------------------------------------------------------- convexity ----

/// A face as a plane, in the seen view.
typedef struct plane {
    vec3 normal; // unit, outwards
    double flat; // how far its corners are from it, at most
} plane;

/// One passage along an edge: the face, and the corner in it where the edge begins.
typedef struct passage {
    uint32_t face, corner;
} passage;

static vec3 corner_at(const hull* h, const vec3* seen, uint32_t k) { return seen[h->face.corner[k]]; }

static plane plane_of(const hull* h, const vec3* seen, uint32_t face) {
    uint32_t begin = h->face.first[face], end = h->face.first[face + 1];
    vec3 base = corner_at(h, seen, begin), normal = apart_polygon_area(seen, h->face.corner + begin, end - begin);
    double length = vec3_length(normal), low = 0, high = 0;
    if (!(length > 0)) return (plane){{0, 0, 0}, INFINITY};
    normal = vec3_scale(1 / length, normal);
    for (uint32_t k = begin; k < end; k++) {
        double height = vec3_dot(normal, vec3_sub(corner_at(h, seen, k), base));
        low = fmin(low, height);
        high = fmax(high, height);
    }
    return (plane){normal, high - low};
}

/// How far x is from the line through a and b, to the left of it in the plane with this normal.
static double left_of(vec3 a, vec3 b, vec3 x, vec3 normal) {
    vec3 edge = vec3_sub(b, a);
    return vec3_dot(normal, vec3_cross(edge, vec3_sub(x, a))) / vec3_length(edge);
}

/// Whether each corner of the face clearly sticks out.
static bool face_is_convex(const hull* h, const vec3* seen, uint32_t face, plane p) {
    uint32_t begin = h->face.first[face], end = h->face.first[face + 1];
    for (uint32_t k = begin; k < end; k++) {
        uint32_t next = after(k, begin, end), last = after(next, begin, end);
        vec3 a = corner_at(h, seen, k), b = corner_at(h, seen, next), c = corner_at(h, seen, last);
        // The corner b lies to the right of the line from a to c.
        if (!(-left_of(a, c, b, p.normal) > HEIGHT_ERROR)) return false;
    }
    return true;
}

/// The corners of a face next to one of its edges: of all its corners these are nearest to the edge's line.
static void beside_edge(const hull* h, const vec3* seen, passage e, vec3 out[2]) {
    uint32_t begin = h->face.first[e.face], end = h->face.first[e.face + 1];
    uint32_t before = e.corner > begin ? e.corner - 1 : end - 1;
    out[0] = corner_at(h, seen, before);
    out[1] = corner_at(h, seen, after(after(e.corner, begin, end), begin, end));
}

/// Whether the faces f and g clearly bend backwards at their common edge. Either plane is known only up to a tilt
/// about the edge, by its flatness and rounding over the distance of its nearest corner from the edge.
static bool edge_is_convex(const hull* h, const vec3* seen, passage f, plane pf, passage g, plane pg) {
    vec3 a = corner_at(h, seen, f.corner), b = corner_at(h, seen, g.corner), side_f[2], side_g[2];
    beside_edge(h, seen, f, side_f);
    beside_edge(h, seen, g, side_g);
    double width_f = fmin(left_of(a, b, side_f[0], pf.normal), left_of(a, b, side_f[1], pf.normal));
    double width_g[2] = {left_of(b, a, side_g[0], pg.normal), left_of(b, a, side_g[1], pg.normal)};
    if (!(width_f > 0 && width_g[0] > 0 && width_g[1] > 0)) return false;
    double tilt_f = 2 * (pf.flat + HEIGHT_ERROR) / width_f;
    double tilt_g = 2 * (pg.flat + HEIGHT_ERROR) / fmin(width_g[0], width_g[1]);
    for (int i = 0; i < 2; i++) {
        double depth = -vec3_dot(pf.normal, vec3_sub(side_g[i], a));
        if (!(depth > (tilt_f + tilt_g) * width_g[i] + HEIGHT_ERROR)) return false;
    }
    return true;
}

/// Checks all edges of a closed surface.
static bool edges_are_convex(const hull* h, const vec3* seen, const plane* planes, passage* passages) {
    for (uint32_t f = 0; f < h->face.count; f++) {
        uint32_t begin = h->face.first[f], end = h->face.first[f + 1];
        for (uint32_t k = begin; k < end; k++) {
            uint32_t from = h->face.corner[k], to = h->face.corner[after(k, begin, end)];
            passages[find_edge(h, from, to)] = (passage){f, k};
        }
    }
    for (uint32_t i = 0; i < h->count; i++) {
        for (uint32_t k = h->first[i]; k < h->first[i + 1]; k++) {
            passage f = passages[k], g = passages[find_edge(h, h->neighbour[k], i)];
            if (!edge_is_convex(h, seen, f, planes[f.face], g, planes[g.face])) return false;
        }
    }
    return true;
}

/// How far the corners of a face are from its plane in stored units.
static double real_flatness(plane p, vec3 shrink) {
    return p.flat * vec3_length(vec3_make(p.normal.x * shrink.x, p.normal.y * shrink.y, p.normal.z * shrink.z));
}

bool apart_hull_check_climbable(hull* h, const vec3* seen, vec3 shrink) {
    if (!h->climbable || h->face.count == 0) return true;
    plane* planes = calloc(h->face.count, sizeof *planes);
    passage* passages = calloc(h->first[h->count], sizeof *passages);
    bool enough = planes && passages;
    for (uint32_t f = 0; enough && h->climbable && f < h->face.count; f++) {
        planes[f] = plane_of(h, seen, f);
        h->climbable = real_flatness(planes[f], shrink) <= FLATNESS && face_is_convex(h, seen, f, planes[f]);
    }
    if (enough && h->climbable && h->dimension == 3) h->climbable = edges_are_convex(h, seen, planes, passages);
    free(planes);
    free(passages);
    return enough;
}

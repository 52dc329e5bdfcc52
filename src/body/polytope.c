// The shape made of points: checks them, brings them to stored coordinates, takes their hull, links its vertices, and
// lays everything out in one block.
//
// Hill climbing (Cameron 1997, sec. 3) needs more than edges. On the graph of a convex polytope the vertices above any
// height hang together, so that a climb that looks at all vertices within a small step below its own height ends at the
// top. Qhull's faces make such a graph if they are flat and clearly convex: what is smaller than the rounding of the
// coordinates is then beside the point. This is checked face by face and edge by edge; where it fails, the body is
// searched through instead.
#include "base/error.h"
#include "base/exact.h"
#include "base/pose.h"
#include "body/shape.h"

#include <stdlib.h>
#include <string.h>

/// Qhull counts bytes of its point sets in int: 2^27 points of 8 bytes fit.
#define MOST_POINTS 0x8000000u

/// Faces are flat to this, in stored units: 16 roundings, enough for faces that Qhull merged.
#define FLATNESS 0x1p-49
/// What plain doubles may get wrong in a height above a line or a plane: 4 roundings of a length up to 4.
#define HEIGHT_ERROR 0x1p-49

/// Up to so many vertices the search through them is a short one amid scalar code (kernels.h).
#define SHORT 32

// -------------------------------------------------------------------------------------------------- the input ----

/// Whether the arguments are usable; if not, *error says why.
static bool check_points(const vec3* points, size_t count, double radius, apart_error* error) {
    if (!apart_shape_check_size(radius, "radius", error)) return false;
    if (count == 0) return apart_fail(error, APART_EMPTY, "there are no points"), false;
    if (!points) return apart_fail(error, APART_INVALID, "points is NULL"), false;
    if (count > MOST_POINTS) {
        apart_fail(error, APART_INVALID, "%zu points are more than the %u that a hull can have", count, MOST_POINTS);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        vec3 p = points[i];
        if (fabs(p.x) <= APART_LIMIT && fabs(p.y) <= APART_LIMIT && fabs(p.z) <= APART_LIMIT) continue;
        apart_status status = vec3_is_finite(p) ? APART_OUT_OF_RANGE : APART_NOT_FINITE;
        apart_fail(error, status, "point %zu (%g, %g, %g) %s", i, p.x, p.y, p.z,
                   status == APART_NOT_FINITE ? "is not finite" : "is beyond the limit of 1e300");
        return false;
    }
    return true;
}

/// Origin and scale of a body with these points.
static void place_points(apart_shape* place, const vec3* points, size_t count) {
    vec3 lower = points[0], upper = points[0];
    for (size_t i = 1; i < count; i++) {
        lower = vec3_make(fmin(lower.x, points[i].x), fmin(lower.y, points[i].y), fmin(lower.z, points[i].z));
        upper = vec3_make(fmax(upper.x, points[i].x), fmax(upper.y, points[i].y), fmax(upper.z, points[i].z));
    }
    apart_shape_place(place, lower, upper);
}

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
static void walk_edges(hull* h, const uint32_t ends[2]) {
    for (uint32_t f = 0; f < h->face_count; f++) {
        uint32_t begin = h->face_first[f], end = h->face_first[f + 1];
        for (uint32_t k = begin; k < end; k++) {
            uint32_t from = h->face_vertex[k], to = h->face_vertex[after(k, begin, end)];
            add_edge(h, from, to);
            if (h->dimension == 2) add_edge(h, to, from);
        }
    }
    if (h->dimension == 1) {
        add_edge(h, ends[0], ends[1]);
        add_edge(h, ends[1], ends[0]);
    }
}

/// Sorts a list that is short as a rule (Shell's method).
static void sort(uint32_t* list, uint32_t length) {
    uint32_t gap = 1;
    while (gap < length / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3) {
        for (uint32_t i = gap; i < length; i++) {
            uint32_t value = list[i], k = i;
            for (; k >= gap && list[k - gap] > value; k -= gap) list[k] = list[k - gap];
            list[k] = value;
        }
    }
}

bool apart_hull_link(hull* h, const uint32_t ends[2]) {
    h->first = calloc((size_t)h->count + 1, sizeof *h->first);
    if (!h->first) return false;
    // Count, sum up, write, sort.
    walk_edges(h, ends);
    uint32_t total = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        uint32_t degree = h->first[i + 1];
        h->first[i + 1] = total;
        total += degree;
    }
    h->neighbour = malloc((total > 0 ? total : 1) * sizeof *h->neighbour);
    if (!h->neighbour) return false;
    walk_edges(h, ends);
    for (uint32_t i = 0; i < h->count; i++) sort(h->neighbour + h->first[i], h->first[i + 1] - h->first[i]);
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
    return used + h->face_count == 2 + h->first[h->count] / 2;
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

static vec3 corner_at(const hull* h, const vec3* seen, uint32_t k) { return seen[h->face_vertex[k]]; }

/// The plane of a face. The areas of many small triangles are added up as if in twice the precision: a face of
/// thousands of corners would be tilted by their rounding.
static plane plane_of(const hull* h, const vec3* seen, uint32_t face) {
    uint32_t begin = h->face_first[face], end = h->face_first[face + 1];
    vec3 base = corner_at(h, seen, begin), sum = {0, 0, 0}, lost = {0, 0, 0};
    for (uint32_t k = begin + 1; k + 1 < end; k++)
        exact_add(&sum, &lost, vec3_area(base, corner_at(h, seen, k), corner_at(h, seen, k + 1)));
    vec3 normal = vec3_add(sum, lost);
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
    uint32_t begin = h->face_first[face], end = h->face_first[face + 1];
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
    uint32_t begin = h->face_first[e.face], end = h->face_first[e.face + 1];
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
    for (uint32_t f = 0; f < h->face_count; f++) {
        uint32_t begin = h->face_first[f], end = h->face_first[f + 1];
        for (uint32_t k = begin; k < end; k++) {
            uint32_t from = h->face_vertex[k], to = h->face_vertex[after(k, begin, end)];
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
    if (!h->climbable || h->face_count == 0) return true;
    plane* planes = calloc(h->face_count, sizeof *planes);
    passage* passages = calloc(h->first[h->count], sizeof *passages);
    bool enough = planes && passages;
    for (uint32_t f = 0; enough && h->climbable && f < h->face_count; f++) {
        planes[f] = plane_of(h, seen, f);
        h->climbable = real_flatness(planes[f], shrink) <= FLATNESS && face_is_convex(h, seen, f, planes[f]);
    }
    if (enough && h->climbable && h->dimension == 3) h->climbable = edges_are_convex(h, seen, planes, passages);
    free(planes);
    free(passages);
    return enough;
}

// -------------------------------------------------------------------------------------------------- the block ----

/// Sizes of the arrays of a polytope, in elements.
typedef struct layout {
    uint32_t padded, neighbours, corners, cells;
    size_t bytes;
} layout;

/// How many cells per side: about one start vertex for each vertex, 6 cells^2 in all. None for small bodies.
static uint32_t seed_cells(const hull* h) {
    if (!h->climbable || h->count <= CLIMB_FROM) return 0;
    uint32_t cells = 1;
    while (cells < 32 && 6 * cells * cells < h->count) cells++;
    return cells;
}

/// One block holds 3 arrays of `padded` doubles, each a multiple of 64 bytes, and then the arrays of 32-bit numbers.
/// With at most 2^27 vertices, 6 * 2^27 neighbours and as many corners, the sum stays below 2^37 and fits 64 bits.
static bool lay_out(const hull* h, layout* out) {
    out->padded = (h->count + LANES - 1) / LANES * LANES;
    out->neighbours = h->first[h->count];
    out->corners = h->face_first[h->face_count];
    out->cells = seed_cells(h);
    uint64_t words = (uint64_t)h->count + (h->count + 1) + out->neighbours + (h->face_count + 1) + out->corners +
                     6 * (uint64_t)out->cells * out->cells;
    uint64_t bytes = sizeof(double) * 3 * (uint64_t)out->padded + sizeof(uint32_t) * words;
    out->bytes = (size_t)bytes;
    return bytes <= SIZE_MAX / 2;
}

/// Takes the next `length` numbers of the block and fills them from `from`, if given.
static uint32_t* carve(uint32_t** block, size_t length, const uint32_t* from) {
    uint32_t* array = *block;
    *block += length;
    if (from && length > 0) memcpy(array, from, length * sizeof *array);
    return array;
}

/// Copies the vertices; the padding repeats vertex 0.
static void fill_vertices(apart_shape* shape, const hull* h, const vec3* stored, double* block) {
    polytope* p = &shape->polytope;
    double *x = block, *y = x + p->padded, *z = y + p->padded;
    vec3 sum = {0, 0, 0};
    shape->lower = shape->upper = stored[h->vertex[0]];
    for (uint32_t i = 0; i < p->padded; i++) {
        vec3 v = stored[h->vertex[i < h->count ? i : 0]];
        x[i] = v.x, y[i] = v.y, z[i] = v.z;
        if (i >= h->count) continue;
        shape->lower = vec3_min(shape->lower, v);
        shape->upper = vec3_max(shape->upper, v);
        sum = vec3_add(sum, v);
        shape->bound = fmax(shape->bound, apart_shape_length_up(v));
    }
    shape->center = vec3_scale(1.0 / h->count, sum);
    p->x = x, p->y = y, p->z = z;
}

/// Copies the hull into the shape's block.
static uint32_t* fill_polytope(apart_shape* shape, const hull* h, const layout* l, const vec3* stored) {
    polytope* p = &shape->polytope;
    p->count = h->count;
    p->padded = l->padded;
    fill_vertices(shape, h, stored, apart_shape_extra(shape));
    uint32_t* block = (uint32_t*)((double*)apart_shape_extra(shape) + 3 * (size_t)l->padded);
    p->caller = carve(&block, h->count, h->vertex);
    p->first = carve(&block, (size_t)h->count + 1, h->first);
    p->neighbour = carve(&block, l->neighbours, h->neighbour);
    p->face_count = h->face_count;
    p->face_first = carve(&block, (size_t)h->face_count + 1, h->face_first);
    p->face_vertex = carve(&block, l->corners, h->face_vertex);
    p->climbable = h->climbable;
    p->argmax = (l->padded <= SHORT ? apart_kernels_short() : apart_kernels())->argmax;
    uint32_t* seed = carve(&block, 6 * (size_t)l->cells * l->cells, NULL);
    p->seed = seed;
    return seed;
}

// ----------------------------------------------------------------------------------------------- hill climbing ----

/// The vertices found for the centres of the cells, each climbed to from the one before.
static void fill_seeds(apart_shape* shape, uint32_t cells, uint32_t* seed) {
    uint32_t hint = 0;
    for (uint32_t i = 0; i < 6 * cells * cells; i++) {
        uint32_t side = i / (cells * cells), row = i / cells % cells, column = i % cells;
        double u = (2.0 * column + 1) / cells - 1, v = (2.0 * row + 1) / cells - 1, w = side & 1 ? -1 : 1;
        vec3 d = side < 2 ? vec3_make(w, u, v) : side < 4 ? vec3_make(v, w, u) : vec3_make(u, v, w);
        seed[i] = hint = apart_support_find(shape, d, SEARCH_CLIMB, hint).vertex;
    }
    shape->polytope.seed_cells = cells;
}

// ------------------------------------------------------------------------------------------------ construction ----

/// The shape of a finished hull. `place` has origin, scale and exactness, `stored` the points in stored coordinates.
static apart_shape* shape_of_hull(const hull* h, const vec3* stored, const apart_shape* place, double radius,
                                  apart_error* error) {
    layout l;
    if (!lay_out(h, &l)) return apart_fail(error, APART_OUT_OF_MEMORY, "out of memory: %u vertices", h->count);
    apart_shape* shape = apart_shape_allocate(SHAPE_POLYTOPE, l.bytes, error);
    if (!shape) return NULL;
    shape->dimension = h->dimension;
    shape->scale = place->scale;
    shape->origin = place->origin;
    shape->exact = place->exact;
    shape->radius = radius;
    uint32_t* seed = fill_polytope(shape, h, &l, stored);
    if (l.cells > 0) fill_seeds(shape, l.cells, seed);
    apart_brick_of_polytope(shape);
    return shape;
}

apart_shape* apart_shape_points(const apart_vec3* points, size_t count, double radius, apart_error* error) {
    if (!check_points(points, count, radius, error)) return NULL;
    apart_shape place = {.kind = SHAPE_POLYTOPE};
    place_points(&place, points, count);

    // Stored coordinates, in a buffer that lives until the shape has its own copy.
    vec3* stored = count <= SIZE_MAX / sizeof *stored ? malloc(count * sizeof *stored) : NULL;
    if (!stored) return apart_fail(error, APART_OUT_OF_MEMORY, "out of memory: %zu points", count);
    place.exact = true;
    for (size_t i = 0; i < count; i++) {
        stored[i] = shape_to_stored(&place, points[i]);
        place.exact = place.exact && shape_stores_exactly(&place, points[i], stored[i]);
    }

    hull h;
    apart_shape* shape = NULL;
    if (apart_hull_build(stored, (uint32_t)count, &h, error) == APART_OK) {
        shape = shape_of_hull(&h, stored, &place, radius, error);
        apart_hull_free(&h);
    }
    free(stored);
    return shape;
}

// The convex hull of points by Qhull (Barber, Dobkin, Huhdanpaa 1996), with polygonal faces and a flat adjacency, the
// structure that Cameron 1997 climbs on.
//
// Every rank is welcome: Qhull is tried in 3-D; what it calls flat is projected along the plane's steepest axis and
// tried in 2-D; what is flat there too is a segment. These projections drop a coordinate and so round nothing.
//
// Qhull works to a tolerance and leaves out points that it takes for coplanar. Each of these is checked here: one that
// is not certainly within HULL_SLACK of the faces found is kept as an additional vertex. If Qhull gives up, or its
// faces do not close, every point is kept. Either way the result spans all the points; what is lost is speed.
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): for fmemopen
#endif
#include "base/error.h"
#include "shape/near.h"
#include "shape/shape.h"

#include <libqhull_r/qhull_ra.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/// What is known of the hull while it is found. Points are numbered by their place among the distinct ones.
typedef struct draft {
    const vec3* points;   // the input
    uint32_t count;       // distinct points
    uint32_t* distinct;   // their places in the input, ascending
    uint32_t* mark;       // per distinct point: NONE, or part of the hull (later: its vertex number)
    double* coordinates;  // what Qhull sees, at most 3 numbers per distinct point
    uint32_t* face_first; // faces as loops of distinct points
    uint32_t* corner;
    uint32_t face_count;
    uint32_t end[2]; // of a segment
    int dimension;
    bool extra; // vertices were added that no face has
} draft;

/// How an attempt ended.
typedef enum outcome { FOUND, FLAT, NO_MEMORY, GAVE_UP } outcome;

static vec3 at(const draft* d, uint32_t i) { return d->points[d->distinct[i]]; }
static double axis_of(vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

// --------------------------------------------------------------------------------------------- distinct points ----

/// A hash of three doubles, in which 0 and -0 are the same (multiply and xor-shift, as in splitmix64).
static uint64_t hash_of(vec3 p) {
    double parts[3] = {p.x + 0.0, p.y + 0.0, p.z + 0.0};
    uint64_t hash = 0;
    for (int i = 0; i < 3; i++) {
        uint64_t bits;
        memcpy(&bits, &parts[i], sizeof bits);
        hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
        hash *= 0xbf58476d1ce4e5b9u;
        hash ^= hash >> 32;
    }
    return hash;
}

static bool same(vec3 a, vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/// Fills d->distinct with the first of each group of equal points. Takes the points in order, so that the lowest index
/// wins and the list ascends. An open hash table of at least twice the size finds the equals.
static bool find_distinct(draft* d, uint32_t count) {
    uint64_t size = 4;
    while (size < 2 * (uint64_t)count) size *= 2;
    if (size > SIZE_MAX / sizeof(uint32_t)) return false;
    uint32_t* table = malloc((size_t)size * sizeof *table);
    if (!table) return false;
    memset(table, 0xff, (size_t)size * sizeof *table);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t slot = hash_of(d->points[i]) & (size - 1);
        while (table[slot] != NONE && !same(d->points[table[slot]], d->points[i])) slot = (slot + 1) & (size - 1);
        if (table[slot] != NONE) continue;
        table[slot] = i;
        d->distinct[d->count++] = i;
    }
    free(table);
    return true;
}

// ------------------------------------------------------------------------------------------------- certificate ----

/// The axis along which the plane with this normal is seen best.
static int steepest(vec3 n) {
    if (fabs(n.x) >= fabs(n.y) && fabs(n.x) >= fabs(n.z)) return 0;
    return fabs(n.y) >= fabs(n.z) ? 1 : 2;
}

/// The normal of a loop, not normalised.
static vec3 loop_normal(const draft* d, const uint32_t* loop, uint32_t length) {
    vec3 base = at(d, loop[0]), normal = {0, 0, 0};
    for (uint32_t k = 1; k + 1 < length; k++)
        normal = vec3_add(normal, vec3_cross(vec3_sub(at(d, loop[k]), base), vec3_sub(at(d, loop[k + 1]), base)));
    return normal;
}

/// Whether p is certainly within HULL_SLACK of the polygon, seen along `normal`. The polygon is a fan of triangles
/// about its first corner; bisection finds the one that p lies in.
static bool near_polygon(const draft* d, const uint32_t* loop, uint32_t length, vec3 normal, vec3 p) {
    vec3 base = at(d, loop[0]), q = vec3_sub(p, base);
    int axis = steepest(normal);
    bool upward = axis_of(normal, axis) > 0;
    uint32_t low = 1, high = length - 1;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        bool left = axis_of(vec3_cross(vec3_sub(at(d, loop[middle]), base), q), axis) >= 0;
        if (left == upward)
            low = middle;
        else
            high = middle;
    }
    vec3 t[3] = {base, at(d, loop[low]), at(d, loop[high])};
    return near_triangle(t, p);
}

/// Makes point i a vertex of its own unless it is one already.
static void keep(draft* d, uint32_t i) {
    d->extra |= d->mark[i] == NONE;
    d->mark[i] = 0;
}

// -------------------------------------------------------------------------------------------------------- Qhull ----

/// A stream that swallows what Qhull prints. A buffer in memory needs no file system and no file handle.
static FILE* silent_stream(char* buffer, size_t size) {
#ifdef _WIN32
    (void)buffer, (void)size;
    FILE* stream = fopen("NUL", "w");
#else
    FILE* stream = fmemopen(buffer, size, "w");
#endif
    if (stream) setvbuf(stream, NULL, _IONBF, 0);
    return stream;
}

/// The corners of a 3-D face in their order around it; false if its ridges do not form one loop.
static bool loop_of_facet(qhT* qh, facetT* facet, uint32_t* loop, uint32_t length) {
    if (facet->simplicial) {
        // Three vertices, in the order that `toporient` tells.
        int order[3] = {0, facet->toporient ? 1 : 2, facet->toporient ? 2 : 1};
        for (int k = 0; k < 3; k++) {
            vertexT* v = SETelemt_(facet->vertices, order[k], vertexT);
            loop[k] = (uint32_t)qh_pointid(qh, v->point);
        }
        return length == 3;
    }
    ridgeT *first = SETfirstt_(facet->ridges, ridgeT), *ridge = first;
    uint32_t k = 0;
    do {
        vertexT* v = NULL;
        ridge = qh_nextridge3d(ridge, facet, &v);
        if (!ridge || k == length) return false;
        loop[k++] = (uint32_t)qh_pointid(qh, v->point);
    } while (ridge != first);
    return k == length;
}

/// Copies the faces of a 3-D hull.
static outcome copy_faces(qhT* qh, draft* d) {
    facetT* facet;
    size_t faces = 0, corners = 0;
    FORALLfacets {
        faces++;
        corners += (size_t)qh_setsize(qh, facet->vertices);
    }
    d->face_first = malloc((faces + 1) * sizeof *d->face_first);
    d->corner = malloc(corners * sizeof *d->corner);
    if (!d->face_first || !d->corner) return NO_MEMORY;
    uint32_t filled = 0;
    FORALLfacets {
        uint32_t length = (uint32_t)qh_setsize(qh, facet->vertices);
        d->face_first[d->face_count++] = filled;
        if (length < 3 || !loop_of_facet(qh, facet, d->corner + filled, length)) return GAVE_UP;
        filled += length;
    }
    d->face_first[d->face_count] = filled;
    return FOUND;
}

/// Copies the one face of a 2-D hull: Qhull's facets are its edges, each of which leads from one corner to the next.
static outcome copy_polygon(qhT* qh, draft* d) {
    facetT* facet;
    uint32_t edges = 0, start = 0;
    uint32_t* next = malloc(d->count * sizeof *next);
    d->face_first = calloc(2, sizeof *d->face_first);
    d->corner = malloc(d->count * sizeof *d->corner);
    if (!next || !d->face_first || !d->corner) {
        free(next);
        return NO_MEMORY;
    }
    memset(next, 0xff, d->count * sizeof *next);
    FORALLfacets {
        vertexT *a = SETfirstt_(facet->vertices, vertexT), *b = SETsecondt_(facet->vertices, vertexT);
        uint32_t i = (uint32_t)qh_pointid(qh, a->point), j = (uint32_t)qh_pointid(qh, b->point);
        start = facet->toporient ? i : j;
        next[start] = facet->toporient ? j : i;
        edges++;
    }
    // Walk once around; a chain that does not close after all the edges is no polygon.
    uint32_t length = 0, i = start;
    do {
        d->corner[length++] = i;
        i = next[i];
    } while (i != start && i != NONE && length < edges);
    free(next);
    d->face_count = 1;
    d->face_first[1] = length;
    return i == start && length == edges && length >= 3 ? FOUND : GAVE_UP;
}

/// Keeps those of the points set aside by Qhull that are not certainly within HULL_SLACK of their face.
static void check_set_aside(qhT* qh, draft* d) {
    facetT* facet;
    pointT *point, **pointp;
    uint32_t f = 0;
    FORALLfacets {
        const uint32_t* loop = d->corner + d->face_first[f];
        uint32_t length = d->face_first[f + 1] - d->face_first[f];
        f++;
        if (!facet->coplanarset) continue;
        vec3 normal = loop_normal(d, loop, length);
        FOREACHpoint_(facet->coplanarset) {
            uint32_t i = (uint32_t)qh_pointid(qh, point);
            if (d->mark[i] == NONE && !near_polygon(d, loop, length, normal, at(d, i))) keep(d, i);
        }
    }
    FOREACHpoint_(qh->other_points) keep(d, (uint32_t)qh_pointid(qh, point));
}

/// Marks the corners of all faces as vertices.
static void mark_corners(draft* d) {
    for (uint32_t k = 0; k < d->face_first[d->face_count]; k++) d->mark[d->corner[k]] = 0;
}

/// Copies what Qhull found.
static outcome copy_hull(qhT* qh, draft* d, int dimension) {
    outcome result = dimension == 3 ? copy_faces(qh, d) : copy_polygon(qh, d);
    if (result != FOUND) return result;
    mark_corners(d);
    if (dimension == 3) check_set_aside(qh, d);
    return FOUND;
}

/// Frees all that Qhull holds, also after it ran out of memory while setting up its allocator.
static void free_qhull(qhT* qh) {
    int blocks, bytes;
    if (qh->qhmem.LASTsize == 0) {
        qh_free(qh->qhmem.sizetable);
        qh_free(qh->qhmem.freelists);
        return;
    }
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &blocks, &bytes);
}

/// Runs Qhull on d->coordinates and copies the result. Qhull's errors arrive as exit codes (it jumps back inside
/// qh_new_qhull), and nothing that is called afterwards can fail.
static outcome run_qhull(draft* d, int dimension) {
    char text[256], command[] = "qhull Qc Pp";
    FILE* stream = silent_stream(text, sizeof text);
    if (!stream) return NO_MEMORY;
    qhT qh;
    qh_zero(&qh, stream);
    outcome result = GAVE_UP;
    int code = qh_new_qhull(&qh, dimension, (int)d->count, d->coordinates, False, command, NULL, stream);
    if (code == 0)
        result = copy_hull(&qh, d, dimension);
    else if (code == qh_ERRmem)
        result = NO_MEMORY;
    else if (code == qh_ERRsingular)
        result = FLAT;
    free_qhull(&qh);
    fclose(stream);
    return result;
}

// -------------------------------------------------------------------------------------------------- the ranks ----

/// Hands the given axes of the points to Qhull, each stretched by a power of two (exactly) to the size of the others:
/// this changes no hull, but a long and thin body becomes a round one.
static outcome try_axes(draft* d, int dimension, const int* axes) {
    double* c = d->coordinates;
    for (int k = 0; k < dimension; k++) {
        double largest = 0;
        for (uint32_t i = 0; i < d->count; i++) largest = fmax(largest, fabs(axis_of(at(d, i), axes[k])));
        double stretch = 1 / shape_scale_for(largest);
        for (uint32_t i = 0; i < d->count; i++)
            c[i * (uint32_t)dimension + (uint32_t)k] = stretch * axis_of(at(d, i), axes[k]);
    }
    return run_qhull(d, dimension);
}

static outcome try_solid(draft* d) {
    static const int axes[3] = {0, 1, 2};
    if (d->count < 4) return FLAT;
    d->dimension = 3;
    return try_axes(d, 3, axes);
}

/// The point farthest from the line through `base` along `edge`, or from `base` itself if the edge is zero.
static uint32_t farthest(const draft* d, vec3 base, vec3 edge) {
    uint32_t best = 0;
    double most = -1;
    bool is_point = edge.x == 0 && edge.y == 0 && edge.z == 0;
    for (uint32_t i = 0; i < d->count; i++) {
        vec3 q = vec3_sub(at(d, i), base);
        vec3 off = is_point ? q : vec3_cross(edge, q);
        double square = vec3_dot(off, off);
        if (square > most) {
            most = square;
            best = i;
        }
    }
    return best;
}

/// Two points far apart, and the third that is farthest from their line (pivoted Gram-Schmidt).
static void pivots(const draft* d, uint32_t out[3]) {
    vec3 zero = {0, 0, 0};
    out[0] = farthest(d, at(d, 0), zero);
    out[1] = farthest(d, at(d, out[0]), zero);
    out[2] = farthest(d, at(d, out[0]), vec3_sub(at(d, out[1]), at(d, out[0])));
}

/// The polygon of points in a plane. In the plane's steepest view Qhull takes the hull; then every other point is
/// checked against the polygon in space.
static outcome try_flat(draft* d) {
    uint32_t pivot[3];
    pivots(d, pivot);
    vec3 base = at(d, pivot[0]);
    vec3 normal = vec3_cross(vec3_sub(at(d, pivot[1]), base), vec3_sub(at(d, pivot[2]), base));
    int drop = steepest(normal), axes[2] = {drop == 0 ? 1 : 0, drop == 2 ? 1 : 2};
    d->dimension = 2;
    outcome result = try_axes(d, 2, axes);
    if (result != FOUND) return result;
    uint32_t length = d->face_first[1];
    normal = loop_normal(d, d->corner, length);
    for (uint32_t i = 0; i < d->count; i++)
        if (d->mark[i] == NONE && !near_polygon(d, d->corner, length, normal, at(d, i))) keep(d, i);
    return FOUND;
}

/// The segment between the extreme points along the line's steepest axis.
static outcome take_segment(draft* d) {
    uint32_t pivot[3], low = 0, high = 0;
    pivots(d, pivot);
    int axis = steepest(vec3_sub(at(d, pivot[1]), at(d, pivot[0])));
    for (uint32_t i = 1; i < d->count; i++) {
        if (axis_of(at(d, i), axis) < axis_of(at(d, low), axis)) low = i;
        if (axis_of(at(d, i), axis) > axis_of(at(d, high), axis)) high = i;
    }
    d->dimension = 1;
    d->end[0] = low;
    d->end[1] = high;
    d->mark[low] = d->mark[high] = 0;
    for (uint32_t i = 0; i < d->count; i++)
        if (d->mark[i] == NONE && !near_segment(at(d, low), at(d, high), at(d, i))) keep(d, i);
    return FOUND;
}

/// Three points that are not on a line: a triangle, without Qhull.
static outcome take_triangle(draft* d) {
    vec3 a = at(d, 0), b = at(d, 1), c = at(d, 2);
    if (near_segment(a, b, c) || near_segment(b, c, a) || near_segment(c, a, b)) return FLAT;
    d->face_first = calloc(2, sizeof *d->face_first);
    d->corner = malloc(3 * sizeof *d->corner);
    if (!d->face_first || !d->corner) return NO_MEMORY;
    for (uint32_t k = 0; k < 3; k++) d->corner[k] = k;
    d->face_count = 1;
    d->face_first[1] = 3;
    d->dimension = 2;
    mark_corners(d);
    return FOUND;
}

/// Forgets the faces and keeps every point.
static void keep_all(draft* d) {
    free(d->face_first);
    free(d->corner);
    d->face_first = d->corner = NULL;
    d->face_count = 0;
    for (uint32_t i = 0; i < d->count; i++) d->mark[i] = 0;
    d->extra = true;
}

/// Finds the hull of the distinct points, whatever their rank.
static outcome find_hull(draft* d) {
    if (d->count == 1) {
        d->mark[0] = 0;
        return FOUND;
    }
    if (d->count == 2) return take_segment(d);
    outcome result = d->count == 3 ? take_triangle(d) : try_solid(d);
    if (result == FLAT && d->count > 3) result = try_flat(d);
    if (result == FLAT) result = take_segment(d);
    if (result == GAVE_UP) keep_all(d);
    return result == NO_MEMORY ? NO_MEMORY : FOUND;
}

// ---------------------------------------------------------------------------------------------------- assembly ----

/// Numbers the vertices in the order of the input and moves the faces over.
static bool take_vertices(draft* d, hull* h) {
    for (uint32_t i = 0; i < d->count; i++) h->count += d->mark[i] != NONE;
    h->vertex = malloc(h->count * sizeof *h->vertex);
    if (!d->face_first) d->face_first = calloc(1, sizeof *d->face_first);
    if (!h->vertex || !d->face_first) return false;
    uint32_t number = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        if (d->mark[i] == NONE) continue;
        d->mark[i] = number;
        h->vertex[number++] = d->distinct[i];
    }
    for (uint32_t k = 0; k < d->face_first[d->face_count]; k++) d->corner[k] = d->mark[d->corner[k]];
    h->face_count = d->face_count;
    h->face_first = d->face_first;
    h->face_vertex = d->corner;
    d->face_first = d->corner = NULL;
    return true;
}

/// Counts an edge, or writes it once there is room for it. first[i + 1] is the number of neighbours of i while they are
/// counted, and the place of the next one while they are written.
static void add_edge(hull* h, uint32_t from, uint32_t to) {
    if (h->neighbour) h->neighbour[h->first[from + 1]] = to;
    h->first[from + 1]++;
}

/// Visits all edges. A closed surface passes each of them once in either direction; a polygon only in one.
static void walk_edges(const draft* d, hull* h) {
    for (uint32_t f = 0; f < h->face_count; f++) {
        uint32_t begin = h->face_first[f], end = h->face_first[f + 1];
        for (uint32_t k = begin; k < end; k++) {
            uint32_t from = h->face_vertex[k], to = h->face_vertex[k + 1 < end ? k + 1 : begin];
            add_edge(h, from, to);
            if (h->dimension == 2) add_edge(h, to, from);
        }
    }
    if (h->dimension == 1) {
        add_edge(h, d->mark[d->end[0]], d->mark[d->end[1]]);
        add_edge(h, d->mark[d->end[1]], d->mark[d->end[0]]);
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

/// Builds the adjacency: count, sum up, write, sort.
static bool link_vertices(const draft* d, hull* h) {
    h->first = calloc((size_t)h->count + 1, sizeof *h->first);
    if (!h->first) return false;
    walk_edges(d, h);
    uint32_t total = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        uint32_t degree = h->first[i + 1];
        h->first[i + 1] = total;
        total += degree;
    }
    h->neighbour = malloc((total > 0 ? total : 1) * sizeof *h->neighbour);
    if (!h->neighbour) return false;
    walk_edges(d, h);
    for (uint32_t i = 0; i < h->count; i++) sort(h->neighbour + h->first[i], h->first[i + 1] - h->first[i]);
    return true;
}

/// Whether `to` is listed as a neighbour of `from`.
static bool is_linked(const hull* h, uint32_t from, uint32_t to) {
    uint32_t low = h->first[from], high = h->first[from + 1];
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (h->neighbour[middle] < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low < h->first[from + 1] && h->neighbour[low] == to;
}

/// Whether the faces form one closed surface: each edge once in either direction, and Euler's V - E + F = 2.
static bool is_closed(const hull* h) {
    uint64_t used = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        used += h->first[i + 1] > h->first[i];
        for (uint32_t k = h->first[i]; k < h->first[i + 1]; k++) {
            if (k > h->first[i] && h->neighbour[k] == h->neighbour[k - 1]) return false;
            if (!is_linked(h, h->neighbour[k], i)) return false;
        }
    }
    return used + h->face_count == 2 + h->first[h->count] / 2;
}

/// Turns the draft into the hull.
static outcome assemble(draft* d, hull* h) {
    *h = (hull){.dimension = d->dimension, .climbable = !d->extra};
    if (!take_vertices(d, h) || !link_vertices(d, h)) return NO_MEMORY;
    return h->face_count > 1 && !is_closed(h) ? GAVE_UP : FOUND;
}

void hull_free(hull* h) {
    free(h->vertex);
    free(h->first);
    free(h->neighbour);
    free(h->face_first);
    free(h->face_vertex);
    *h = (hull){0};
}

/// Room for the distinct points.
static bool draft_allocate(draft* d, uint32_t count) {
    d->distinct = calloc(count, sizeof *d->distinct);
    if (!d->distinct || !find_distinct(d, count)) return false;
    d->mark = malloc(d->count * sizeof *d->mark);
    d->coordinates = calloc(d->count, 3 * sizeof *d->coordinates);
    if (!d->mark || !d->coordinates) return false;
    memset(d->mark, 0xff, d->count * sizeof *d->mark);
    return true;
}

static void draft_free(draft* d) {
    free(d->distinct);
    free(d->mark);
    free(d->coordinates);
    free(d->face_first);
    free(d->corner);
}

apart_status hull_build(const vec3* points, uint32_t count, hull* out, apart_error* error) {
    draft d = {.points = points};
    *out = (hull){0};
    outcome result = draft_allocate(&d, count) ? find_hull(&d) : NO_MEMORY;
    if (result == FOUND) result = assemble(&d, out);
    if (result == GAVE_UP) {
        // Qhull's faces do not close: go without them.
        hull_free(out);
        keep_all(&d);
        result = assemble(&d, out);
    }
    draft_free(&d);
    if (result == FOUND) return APART_OK;
    hull_free(out);
    apart_fail(error, APART_OUT_OF_MEMORY, "out of memory: the convex hull of %u points", count);
    return APART_OUT_OF_MEMORY;
}

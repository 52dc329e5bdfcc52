// The convex hull of points by Qhull (Barber, Dobkin, Huhdanpaa 1996), with polygonal faces and a flat adjacency, the
// structure that Cameron 1997 climbs on.
//
// Every rank is welcome: the points are measured by pivoted Gram-Schmidt. Qhull takes the hull of solids; a polygon
// around flat points, or a segment, needs no Qhull. A hull keeps its corners under any affine map, so a body that is so
// thin that it would come near Qhull's tolerance is looked at in a round image (the "seen" points); otherwise they are
// the points as they are, so that faces which are flat to rounding stay flat.
//
// Qhull makes triangles, and merge.c makes faces of them. Its own merging goes through a whole face with every point
// that it adds to it: a face of n corners would take n^2 steps.
//
// Qhull works to a tolerance, and may lose points that are corners. So every point that it leaves out is checked here:
// one that is not certainly inside, or within HULL_SLACK of it, is kept as an additional vertex. If Qhull gives up, or
// its faces do not close, every point is kept. Either way the result spans all the points; what is lost is speed.
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): for fmemopen
#endif
#include "body/hull.h"
#include "base/error.h"
#include "base/sort.h"
#include "base/weld.h"
#include "body/near.h"
#include "body/shape.h"

#include <libqhull_r/qhull_ra.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
/// A body is too thin for Qhull as it is if one of its widths is smaller than this part of its length: Qhull's
/// tolerance is about 2^-50.
#define HAIR 0x1p-24

/// What is known of the hull while it is found. Points are numbered by their place among the distinct ones.
typedef struct draft {
    const vec3* points;  // the input
    uint32_t count;      // distinct points
    uint32_t* distinct;  // their places in the input, ascending
    uint32_t* mark;      // per distinct point: NONE, or part of the hull (later: its vertex number)
    vec3* seen;          // the distinct points in the view that Qhull is shown
    vec3 shrink;         // what turns a seen length along an axis into a real one, at most
    uint32_t pivot[4];   // points far from each other, and
    double width[3];     // the distance of pivot i + 1 from the span of those before it, in seen lengths
    const char* options; // of Qhull
    hull hull;           // its faces are loops of distinct points, until they are numbered
} draft;

static vec3 at(const draft* d, uint32_t i) { return d->points[d->distinct[i]]; }
static place place_of(const draft* d, uint32_t i) { return (place){at(d, i), d->seen[i]}; }

// -------------------------------------------------------------------------------------------------------- view ----

/// Shows the points with each axis stretched by a power of two (exactly) to the size of the longest: a body that is
/// thin along an axis becomes round without rounding.
static void view_stretched(draft* d) {
    vec3 largest = {0, 0, 0};
    for (uint32_t i = 0; i < d->count; i++) {
        vec3 p = at(d, i);
        largest = vec3_max(largest, vec3_make(fabs(p.x), fabs(p.y), fabs(p.z)));
    }
    vec3 scale = {apart_shape_scale_for(largest.x), apart_shape_scale_for(largest.y), apart_shape_scale_for(largest.z)};
    for (uint32_t i = 0; i < d->count; i++) {
        vec3 p = at(d, i);
        d->seen[i] = vec3_make(p.x / scale.x, p.y / scale.y, p.z / scale.z);
    }
    d->shrink = scale;
}

/// Row number k of the frame of the pivots: for k < 2 the direction to pivot k + 1, at right angles to the row before
/// (made so twice, since the first time little may be left beside the rounding); for k = 2 the normal of both.
static vec3 frame_row(const draft* d, const vec3* rows, int k) {
    if (k == 2) return vec3_cross(rows[0], rows[1]);
    vec3 r = vec3_sub(d->seen[d->pivot[k + 1]], d->seen[d->pivot[0]]);
    for (int round = 0; round < 2; round++) {
        if (k == 1) r = vec3_mad(r, -vec3_dot(r, rows[0]), rows[0]);
        double length = vec3_length(r);
        if (length > 0) r = vec3_scale(1 / length, r);
    }
    return r;
}

/// How far q is from the span of a frame's first `rank` rows.
static double off_span(const vec3* rows, int rank, vec3 q) {
    if (rank == 0) return vec3_length(q);
    return rank == 1 ? vec3_length(vec3_cross(rows[0], q)) : fabs(vec3_dot(rows[2], q));
}

/// Finds the pivots and widths (pivoted Gram-Schmidt), among all points or among those that are part of the hull. The
/// first step replaces an arbitrary point by one at the end.
static void find_pivots(draft* d, bool all) {
    vec3 rows[3] = {{0, 0, 0}};
    d->pivot[0] = 0;
    for (int step = 0; step < 4; step++) {
        uint32_t best = d->pivot[0];
        vec3 base = d->seen[best];
        double most = 0;
        for (uint32_t i = 0; i < d->count; i++) {
            if (!all && d->mark[i] == NONE) continue;
            double off = off_span(rows, step == 0 ? 0 : step - 1, vec3_sub(d->seen[i], base));
            if (off > most) {
                most = off;
                best = i;
            }
        }
        d->pivot[step] = best;
        if (step > 0) d->width[step - 1] = most;
        if (step == 1 || step == 2) rows[step - 1] = frame_row(d, rows, step - 1);
        if (step == 2) rows[2] = frame_row(d, rows, 2);
    }
}

/// Shows the points in the frame of the pivots, each width stretched to the size of the length (never shrunk), for
/// `rank` 2 or 3. The products are rounded only once, so that a thin body keeps all its digits.
static void view_in_frame(draft* d, int rank) {
    vec3 rows[3] = {{0, 0, 0}}, base = d->seen[d->pivot[0]];
    for (int k = 0; k < rank; k++) rows[k] = frame_row(d, rows, k);
    double scale[3];
    for (int k = 0; k < 3; k++) scale[k] = fmin(1, apart_shape_scale_for(d->width[k]));
    for (uint32_t i = 0; i < d->count; i++) {
        double out[3] = {0, 0, 0};
        for (int k = 0; k < rank; k++) out[k] = exact_dot(0, rows[k], d->seen[i], base) / scale[k];
        d->seen[i] = vec3_make(out[0], out[1], out[2]);
    }
    d->shrink = vec3_make(scale[0], scale[1], scale[2]);
}

/// The axis along which the plane with this normal is seen best.
static int steepest(vec3 n) {
    if (fabs(n.x) >= fabs(n.y) && fabs(n.x) >= fabs(n.z)) return 0;
    return fabs(n.y) >= fabs(n.z) ? 1 : 2;
}

/// Leaves out the coordinate that the plane of flat points is steepest in, which rounds nothing.
static void view_flat(draft* d) {
    vec3 base = d->seen[d->pivot[0]];
    vec3 a = vec3_sub(d->seen[d->pivot[1]], base), b = vec3_sub(d->seen[d->pivot[2]], base);
    int drop = steepest(vec3_cross(a, b)), first = drop == 0 ? 1 : 0, second = drop == 2 ? 1 : 2;
    for (uint32_t i = 0; i < d->count; i++)
        d->seen[i] = vec3_make(vec3_at(d->seen[i], first), vec3_at(d->seen[i], second), 0);
}

/// Whether a body with this many dimensions is too thin to be seen as it is.
static bool is_hair(const draft* d, int dimension) { return d->width[dimension - 1] < HAIR * d->width[0]; }

// ------------------------------------------------------------------------------------------------- certificate ----

/// The triangle of a polygon that the seen point x lies in, looking along `normal`. The polygon is a fan about its
/// first corner; bisection finds the place in it.
static void fan_triangle(const draft* d, const uint32_t* loop, uint32_t length, vec3 normal, vec3 x, place t[3]) {
    vec3 base = d->seen[loop[0]], q = vec3_sub(x, base);
    int axis = steepest(normal);
    bool upward = vec3_at(normal, axis) > 0;
    uint32_t low = 1, high = length - 1;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        bool left = vec3_at(vec3_cross(vec3_sub(d->seen[loop[middle]], base), q), axis) >= 0;
        if (left == upward)
            low = middle;
        else
            high = middle;
    }
    t[0] = place_of(d, loop[0]);
    t[1] = place_of(d, loop[low]);
    t[2] = place_of(d, loop[high]);
}

/// Whether point i is certainly within HULL_SLACK of the polygon.
static bool near_polygon(const draft* d, const uint32_t* loop, uint32_t length, vec3 normal, uint32_t i) {
    place t[3];
    fan_triangle(d, loop, length, normal, d->seen[i], t);
    return near_triangle(t, place_of(d, i));
}

/// Makes point i a vertex of its own unless it is one already.
static void keep(draft* d, uint32_t i) {
    if (d->mark[i] == NONE) d->hull.climbable = false;
    d->mark[i] = 0;
}

/// How far out q = p - apex is, where 1 is the plane of a face and 0 is the apex: a linear function of q, the largest
/// of which belongs to the face that the ray from the apex through p leaves by. This is its gradient; 0 if the face
/// does not look away from the apex.
static vec3 outwardness(const draft* d, uint32_t f, vec3 apex) {
    const uint32_t* loop = d->hull.face.corner + d->hull.face.first[f];
    vec3 normal = apart_polygon_area(d->seen, loop, d->hull.face.first[f + 1] - d->hull.face.first[f]);
    double depth = vec3_dot(normal, vec3_sub(d->seen[loop[0]], apex));
    return depth > 0 ? vec3_scale(1 / depth, normal) : vec3_make(0, 0, 0);
}

/// Walks from face to neighbouring face to the one that the ray along q leaves by: hill climbing on the polar of the
/// hull. Where the faces are not quite convex it may end elsewhere; the check that follows then fails.
static uint32_t exit_face(const draft* d, const vec3* outward, uint32_t f, vec3 q) {
    double value = vec3_dot(outward[f], q);
    for (uint32_t start = NONE; start != f;) {
        start = f;
        for (uint32_t k = d->hull.face.first[start]; k < d->hull.face.first[start + 1]; k++) {
            double other = vec3_dot(outward[d->hull.face.across[k]], q);
            if (!(other > value)) continue;
            value = other;
            f = d->hull.face.across[k];
        }
    }
    return f;
}

/// Cells per side of the table that remembers, by direction, where the last walk ended.
#define WALK_CELLS 14
#define MANY_CORNERS 64

/// Whether point i is certainly within HULL_SLACK of the pyramid over face f with this apex. The ray from the apex
/// through the point meets the face's plane at 1 / outwardness times its distance.
static bool is_covered(const draft* d, uint32_t f, vec3 outward, place apex, uint32_t i) {
    const uint32_t* loop = d->hull.face.corner + d->hull.face.first[f];
    uint32_t length = d->hull.face.first[f + 1] - d->hull.face.first[f];
    vec3 q = vec3_sub(d->seen[i], apex.seen);
    place t[4];
    fan_triangle(d, loop, length, outward, vec3_mad(apex.seen, 1 / vec3_dot(outward, q), q), t);
    t[3] = apex;
    return near_simplex(t, 4, place_of(d, i)) || near_polygon(d, loop, length, outward, i);
}

/// Keeps every point that Qhull left out and that the pyramids over the faces, with their apex well inside, do not
/// certainly cover. The shares make the apex a point in general position. The walk begins at the face of the last point
/// in about the same direction. If that has many corners it is asked first: the walk would look at all its neighbours.
static outcome check_left_out(draft* d) {
    static const double share[4] = {11 / 32.0, 9 / 32.0, 7 / 32.0, 5 / 32.0};
    uint32_t last[2 * WALK_CELLS * WALK_CELLS] = {0};
    place apex = {{0, 0, 0}, {0, 0, 0}};
    find_pivots(d, false);
    for (int i = 0; i < 4; i++) {
        place pivot = place_of(d, d->pivot[i]);
        apex.real = vec3_mad(apex.real, share[i], pivot.real);
        apex.seen = vec3_mad(apex.seen, share[i], pivot.seen);
    }
    vec3* outward = calloc(d->hull.face.count, sizeof *outward);
    if (!outward) return NO_MEMORY;
    for (uint32_t f = 0; f < d->hull.face.count; f++) outward[f] = outwardness(d, f, apex.seen);
    for (uint32_t i = 0; i < d->count; i++) {
        if (d->mark[i] != NONE) continue;
        vec3 q = vec3_sub(d->seen[i], apex.seen);
        uint32_t* f = &last[shape_cell(WALK_CELLS, q)];
        bool large = d->hull.face.first[*f + 1] - d->hull.face.first[*f] > MANY_CORNERS;
        if (large && is_covered(d, *f, outward[*f], apex, i)) continue;
        *f = exit_face(d, outward, *f, q);
        if (!is_covered(d, *f, outward[*f], apex, i)) keep(d, i);
    }
    free(outward);
    return FOUND;
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

/// Copies the corners of a triangle, counter-clockwise seen from outside, as `toporient` tells. Qhull's neighbour k is
/// opposite to its vertex k.
static void copy_triangle(qhT* qh, facetT* facet, uint32_t corner[3], uint32_t across[3]) {
    int order[3] = {0, facet->toporient ? 2 : 1, facet->toporient ? 1 : 2};
    for (int k = 0; k < 3; k++) {
        vertexT* v = SETelemt_(facet->vertices, order[k], vertexT);
        corner[k] = (uint32_t)qh_pointid(qh, v->point);
        across[k] = SETelemt_(facet->neighbors, order[(k + 2) % 3], facetT)->visitid;
    }
}

/// Turns the triangle across each edge into its edge that leads the other way; false if there is none.
static bool find_twins(uint32_t count, const uint32_t* corner, uint32_t* twin) {
    for (uint32_t e = 0; e < 3 * count; e++) {
        uint32_t from = corner[e], to = corner[e % 3 == 2 ? e - 2 : e + 1], other = 3 * twin[e];
        uint32_t k = 0;
        while (k < 3 && !(corner[other + k] == to && corner[other + (k + 1) % 3] == from)) k++;
        if (k == 3) return false;
        twin[e] = other + k;
    }
    return true;
}

/// Copies the triangles of a 3-D hull.
static outcome copy_triangles(qhT* qh, uint32_t* corner, uint32_t* twin, uint32_t count) {
    facetT* facet;
    FORALLfacets {
        if (!facet->simplicial || qh_setsize(qh, facet->neighbors) != 3) return GAVE_UP;
        copy_triangle(qh, facet, corner + 3 * (size_t)facet->visitid, twin + 3 * (size_t)facet->visitid);
    }
    return find_twins(count, corner, twin) ? FOUND : GAVE_UP;
}

/// Makes the faces of a 3-D hull. Facets are numbered in `visitid`, which is free for such use.
static outcome copy_faces(qhT* qh, draft* d) {
    facetT* facet;
    uint32_t count = 0;
    FORALLfacets { facet->visitid = count++; }
    if (count == 0) return GAVE_UP;
    uint32_t *corner = calloc(3 * (size_t)count, sizeof *corner), *twin = calloc(3 * (size_t)count, sizeof *twin);
    outcome result = corner && twin ? copy_triangles(qh, corner, twin, count) : NO_MEMORY;
    if (result == FOUND) {
        const triangles all = {count, corner, twin};
        result = apart_merge_triangles(&all, d->seen, d->count, &d->hull.face);
    }
    free(corner);
    free(twin);
    return result;
}

/// Marks the corners of all faces as vertices.
static void mark_corners(draft* d) {
    for (uint32_t k = 0; k < d->hull.face.first[d->hull.face.count]; k++) d->mark[d->hull.face.corner[k]] = 0;
}

/// Copies what Qhull found.
static outcome copy_hull(qhT* qh, draft* d) {
    outcome result = copy_faces(qh, d);
    if (result != FOUND) return result;
    mark_corners(d);
    return check_left_out(d);
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

/// Runs Qhull on the seen points and copies the result. Qhull's errors arrive as exit codes (it jumps back inside
/// qh_new_qhull), and nothing that is called afterwards can fail.
static outcome run_qhull(draft* d) {
    char text[256], command[32];
    snprintf(command, sizeof command, "qhull Pp %s", d->options);
    FILE* stream = silent_stream(text, sizeof text);
    if (!stream) return NO_MEMORY;
    qhT qh;
    qh_zero(&qh, stream);
    outcome result = GAVE_UP;
    int code = qh_new_qhull(&qh, 3, (int)d->count, &d->seen->x, False, command, stream, stream);
    if (code == 0)
        result = copy_hull(&qh, d);
    else if (code == qh_ERRmem)
        result = NO_MEMORY;
    else if (code == qh_ERRsingular)
        result = FLAT;
    free_qhull(&qh);
    fclose(stream);
    return result;
}

// ------------------------------------------------------------------------------------------------------ polygon ----

/// Whether b sticks out to the right of the way from a to c by more than the rounding of points: half of HULL_SLACK.
static bool sticks_out(vec3 a, vec3 b, vec3 c) {
    double x = c.x - a.x, y = c.y - a.y, area = x * (b.y - a.y) - y * (b.x - a.x);
    return -area > HULL_SLACK / 2 * sqrt(x * x + y * y);
}

/// The polygon around flat points, along the chain below them and back along the one above (Andrew 1979).
static uint32_t walk_around(const draft* d, const uint32_t* order, uint32_t* loop) {
    uint32_t length = 0;
    for (int chain = 0; chain < 2; chain++) {
        uint32_t start = length;
        for (uint32_t i = 0; i < d->count; i++) {
            uint32_t next = order[chain == 0 ? i : d->count - 1 - i];
            while (length >= start + 2 &&
                   !sticks_out(d->seen[loop[length - 2]], d->seen[loop[length - 1]], d->seen[next]))
                length--;
            loop[length++] = next;
        }
        length--; // begins the other chain
    }
    return length;
}

/// Makes that polygon the one face.
static outcome find_polygon(draft* d) {
    uint32_t* order = malloc(d->count * sizeof *order);
    d->hull.face.first = calloc(2, sizeof *d->hull.face.first);
    d->hull.face.corner = malloc(2 * (size_t)d->count * sizeof *d->hull.face.corner);
    outcome result = NO_MEMORY;
    if (order && d->hull.face.first && d->hull.face.corner) {
        for (uint32_t i = 0; i < d->count; i++) order[i] = i;
        sort_numbers(order, d->count, point_is_before, d->seen);
        d->hull.face.count = 1;
        d->hull.face.first[1] = walk_around(d, order, d->hull.face.corner);
        result = d->hull.face.first[1] >= 3 ? FOUND : GAVE_UP;
    }
    free(order);
    return result;
}

// -------------------------------------------------------------------------------------------------- the ranks ----

/// The solid. A body as thin as the rounding is flat.
static outcome try_solid(draft* d) {
    if (!(d->width[2] > HULL_SLACK)) return FLAT;
    if (is_hair(d, 3)) view_in_frame(d, 3);
    d->hull.dimension = 3;
    return run_qhull(d);
}

/// The polygon around the points in a flat view; then every other point is checked against it in space.
static outcome try_flat(draft* d) {
    view_stretched(d);
    if (!(d->width[1] > HULL_SLACK)) return FLAT;
    if (is_hair(d, 2))
        view_in_frame(d, 2);
    else
        view_flat(d);
    d->hull.dimension = 2;
    outcome result = find_polygon(d);
    if (result != FOUND) return result;
    mark_corners(d);
    // Points off the plane by more than rounding would upset hill climbing.
    if (d->width[2] > 2 * HULL_SLACK) d->hull.climbable = false;
    vec3 normal = apart_polygon_area(d->seen, d->hull.face.corner, d->hull.face.first[1]);
    for (uint32_t i = 0; i < d->count; i++)
        if (d->mark[i] == NONE && !near_polygon(d, d->hull.face.corner, d->hull.face.first[1], normal, i)) keep(d, i);
    return FOUND;
}

/// The segment between the two pivots that are farthest from each other.
static outcome take_segment(draft* d) {
    const uint32_t from = d->pivot[0], to = d->pivot[1];
    d->hull.dimension = 1;
    d->mark[from] = d->mark[to] = 0;
    for (uint32_t i = 0; i < d->count; i++)
        if (d->mark[i] == NONE && !near_segment(place_of(d, from), place_of(d, to), place_of(d, i))) keep(d, i);
    return FOUND;
}

/// Finds the hull of the distinct points, whatever their rank.
static outcome find_hull(draft* d) {
    if (d->count == 1) {
        d->mark[0] = 0;
        return FOUND;
    }
    view_stretched(d);
    find_pivots(d, true);
    outcome result = try_solid(d);
    if (result == FLAT) result = try_flat(d);
    return result == FLAT ? take_segment(d) : result;
}

// ---------------------------------------------------------------------------------------------------- assembly ----

/// Numbers the vertices in the order of the input, and closes the ranks of the seen points.
static bool number_vertices(draft* d) {
    hull* h = &d->hull;
    for (uint32_t i = 0; i < d->count; i++) h->count += d->mark[i] != NONE;
    h->vertex = malloc(h->count * sizeof *h->vertex);
    if (!h->face.first) h->face.first = calloc(1, sizeof *h->face.first);
    if (!h->vertex || !h->face.first) return false;
    uint32_t number = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        if (d->mark[i] == NONE) continue;
        d->mark[i] = number;
        d->seen[number] = d->seen[i];
        h->vertex[number++] = d->distinct[i];
    }
    for (uint32_t k = 0; k < h->face.first[h->face.count]; k++) h->face.corner[k] = d->mark[h->face.corner[k]];
    return true;
}

/// Makes the hull of the marked vertices and the faces.
static outcome assemble(draft* d) {
    hull* h = &d->hull;
    if (!number_vertices(d) || !apart_hull_link(h)) return NO_MEMORY;
    if (h->face.count > 1 && !apart_hull_is_closed(h)) return GAVE_UP;
    return apart_hull_check_climbable(h, d->seen, d->shrink) ? FOUND : NO_MEMORY;
}

void apart_hull_free(hull* h) {
    free(h->vertex);
    free(h->first);
    free(h->neighbour);
    apart_polygons_free(&h->face);
    *h = (hull){0};
}

/// Room for as many distinct points as there are points, and which they are.
static bool draft_allocate(draft* d, uint32_t count) {
    d->distinct = calloc(count, sizeof *d->distinct);
    d->mark = calloc(count, sizeof *d->mark);
    d->seen = calloc(count, sizeof *d->seen);
    if (!d->distinct || !d->mark || !d->seen) return false;
    if (!apart_weld(d->points, count, d->mark, &d->count, &(meter){0})) return false;
    for (uint32_t i = 0, found = 0; i < count; i++)
        if (d->mark[i] == found) d->distinct[found++] = i;
    return true;
}

static void draft_free(draft* d) {
    free(d->distinct);
    free(d->mark);
    free(d->seen);
}

/// Finds the hull with these options of Qhull.
static outcome attempt_hull(draft* d, const char* options) {
    apart_hull_free(&d->hull);
    memset(d->mark, 0xff, d->count * sizeof *d->mark);
    d->hull.climbable = true;
    d->options = options;
    outcome result = find_hull(d);
    return result == FOUND ? assemble(d) : result;
}

/// Forgets the faces and keeps every point.
static outcome keep_all(draft* d) {
    const int dimension = d->hull.dimension;
    apart_hull_free(&d->hull);
    d->hull.dimension = dimension;
    for (uint32_t i = 0; i < d->count; i++) d->mark[i] = 0;
    return assemble(d);
}

/// Without merging, Qhull may trip over its own rounding: where many points lie on an edge, triangles of no area fold
/// over. Its own merging comes second, since it may take long.
static outcome find_and_assemble(draft* d) {
    outcome result = attempt_hull(d, "Q0 Po");
    if (result == GAVE_UP) result = attempt_hull(d, "Qt");
    return result == GAVE_UP ? keep_all(d) : result;
}

apart_status apart_hull_build(const vec3* points, uint32_t count, hull* out, apart_error* error) {
    draft d = {.points = points};
    outcome result = draft_allocate(&d, count) ? find_and_assemble(&d) : NO_MEMORY;
    draft_free(&d);
    *out = d.hull;
    if (result == FOUND) return APART_OK;
    apart_hull_free(out);
    apart_fail(error, APART_OUT_OF_MEMORY, "out of memory: the convex hull of %u points", count);
    return APART_OUT_OF_MEMORY;
}

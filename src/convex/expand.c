// An expanding polytope inside K = A - B: start from a tetrahedron of points of K, and push the face that is nearest
// the origin outwards to K's support point until every face is at least `rounding` away from the origin, or until a
// near face cannot be pushed: then the origin lies on K's surface as far as rounding can tell.
//
// Why the faces prove it: they form a closed surface, and every face sees the ball about the origin on its inner side.
// So the surface winds around each point of the ball at least once, and the ball lies in the hull of the vertices.
#include "convex/expand.h"
#include "convex/simplex.h"

/// Each new point removes at least one face and adds at most two more than it removes: 2 n - 4 faces for n points.
#define MAX_POINTS 32
#define MAX_FACES (2 * MAX_POINTS - 4)

typedef struct face {
    int corner[3]; // counter-clockwise from outside
    vec3 normal;   // unit, outwards
    double height; // of the plane above the origin; negative if the origin is outside
} face;

typedef struct hull_growth {
    int point_count, face_count;
    vec3 point[MAX_POINTS];
    face face[MAX_FACES];
} hull_growth;

/// False if the corners are in line.
static bool make_face(const hull_growth* h, int i, int j, int k, face* f) {
    vec3 n = vec3_cross(vec3_sub(h->point[j], h->point[i]), vec3_sub(h->point[k], h->point[i]));
    double length = vec3_length(n);
    if (!(length > 0)) return false;
    *f = (face){{i, j, k}, vec3_scale(1 / length, n), 0};
    f->height = vec3_dot(f->normal, h->point[i]);
    return isfinite(f->height);
}

/// How far p is from the affine hull of the first `count` points.
static double distance_from_flat(const vec3* w, int count, vec3 p) {
    vec3 d = vec3_sub(p, w[0]);
    if (count == 1) return vec3_length(d);
    vec3 e = vec3_sub(w[1], w[0]);
    if (count == 2) return vec3_length(vec3_cross(d, e)) / vec3_length(e);
    vec3 n = vec3_cross(e, vec3_sub(w[2], w[0]));
    return fabs(vec3_dot(n, d)) / vec3_length(n);
}

/// Directions that leave the flat through the points: six axes, six around an edge, two beside a triangle.
static int leaving_directions(const vec3* w, int count, vec3* d) {
    static const vec3 axes[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    if (count == 1) {
        for (int i = 0; i < 6; ++i) d[i] = axes[i];
        return 6;
    }
    vec3 e = vec3_sub(w[1], w[0]);
    if (count == 3) {
        vec3 n = vec3_cross(e, vec3_sub(w[2], w[0]));
        d[0] = vec3_scale(1 / vec3_length(n), n);
        d[1] = vec3_neg(d[0]);
        return 2;
    }
    // Two unit vectors across the edge, combined at 60 degrees.
    int least = fabs(e.x) <= fabs(e.y) ? (fabs(e.x) <= fabs(e.z) ? 0 : 4) : (fabs(e.y) <= fabs(e.z) ? 2 : 4);
    vec3 x = vec3_cross(e, axes[least]);
    x = vec3_scale(1 / vec3_length(x), x);
    vec3 y = vec3_cross(e, x);
    y = vec3_scale(1 / vec3_length(y), y);
    static const double cosine[6] = {1, 0.5, -0.5, -1, -0.5, 0.5};
    static const double sine[6] = {0, 0.8660254037844386,  0.8660254037844386,
                                   0, -0.8660254037844386, -0.8660254037844386};
    for (int i = 0; i < 6; ++i) d[i] = vec3_mad(vec3_scale(cosine[i], x), sine[i], y);
    return 6;
}

/// Adds the candidate that lies farthest from the flat through the points so far; false if none leaves it.
static bool add_farthest(hull_growth* h, const vec3* candidate, int count, double rounding) {
    double farthest = 4 * rounding;
    int best = -1;
    for (int i = 0; i < count; ++i) {
        double distance = distance_from_flat(h->point, h->point_count, candidate[i]);
        if (distance > farthest) {
            farthest = distance;
            best = i;
        }
    }
    if (best >= 0) h->point[h->point_count++] = candidate[best];
    return best >= 0;
}

/// A tetrahedron from the given points and, where they are too flat, from supports of K. False if K itself is flat.
static bool start(difference* k, hull_growth* h, const vec3* w, int count, double rounding) {
    h->point[0] = w[0];
    h->point_count = 1;
    while (h->point_count < 4) {
        if (add_farthest(h, w, count, rounding)) continue;
        vec3 d[6], candidate[6];
        int directions = leaving_directions(h->point, h->point_count, d);
        for (int i = 0; i < directions; ++i) candidate[i] = difference_support(k, d[i]).w;
        if (!add_farthest(h, candidate, directions, rounding)) return false;
    }
    const vec3* p = h->point;
    vec3 n = vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]));
    bool above = vec3_dot(n, vec3_sub(p[3], p[0])) > 0;
    int i = above ? 2 : 1, j = above ? 1 : 2;
    h->face_count = 4;
    return make_face(h, 0, i, j, &h->face[0]) && make_face(h, 0, j, 3, &h->face[1]) &&
           make_face(h, j, i, 3, &h->face[2]) && make_face(h, i, 0, 3, &h->face[3]);
}

static int nearest_face(const hull_growth* h) {
    int best = 0;
    for (int i = 1; i < h->face_count; ++i)
        if (h->face[i].height < h->face[best].height) best = i;
    return best;
}

/// Whether a face other than those marked has the directed edge j -> i.
static bool kept_neighbour(const hull_growth* h, const bool* visible, int i, int j) {
    for (int f = 0; f < h->face_count; ++f) {
        const int* c = h->face[f].corner;
        for (int e = 0; e < 3; ++e)
            if (c[e] == j && c[(e + 1) % 3] == i) return !visible[f];
    }
    return false;
}

/// Replaces the faces that p sees by the cone from their rim to p. False if there is no room or a face degenerates.
static bool push_out(hull_growth* h, vec3 p) {
    if (h->point_count == MAX_POINTS) return false;
    int apex = h->point_count++;
    h->point[apex] = p;
    bool visible[MAX_FACES];
    for (int f = 0; f < h->face_count; ++f) visible[f] = vec3_dot(h->face[f].normal, p) > h->face[f].height;

    face added[MAX_FACES];
    int added_count = 0, kept = 0;
    for (int f = 0; f < h->face_count; ++f) {
        const int* c = h->face[f].corner;
        for (int e = 0; visible[f] && e < 3; ++e) {
            int i = c[e], j = c[(e + 1) % 3];
            if (!kept_neighbour(h, visible, i, j)) continue;
            if (added_count == MAX_FACES || !make_face(h, i, j, apex, &added[added_count++])) return false;
        }
    }
    for (int f = 0; f < h->face_count; ++f)
        if (!visible[f]) h->face[kept++] = h->face[f];
    if (kept + added_count > MAX_FACES) return false;
    for (int f = 0; f < added_count; ++f) h->face[kept++] = added[f];
    h->face_count = kept;
    return true;
}

bool expand_proves_overlap(difference* k, const vec3* w, int count, double rounding) {
    if (count == 4 && simplex_inner_ball(w) >= rounding) return true;
    hull_growth h;
    if (!start(k, &h, w, count, rounding)) return false;
    while (k->finite) {
        const face* f = &h.face[nearest_face(&h)];
        if (f->height >= rounding) return true;
        vec3 p = difference_support(k, f->normal).w;
        // The face is part of K's surface, or the support lies on it.
        if (!(vec3_dot(f->normal, p) >= 2 * rounding) || !(vec3_dot(f->normal, p) > f->height)) return false;
        if (!push_out(&h, p)) return false;
    }
    return false;
}

#include "convex/glance.h"

#include <string.h>

/// Corners that a glance can take in, and faces in one plane.
#define GLANCE_CORNERS 64
#define GLANCE_LEVEL 8
/// |n|^2 above which the height of a plane, det / |n|, is known well enough for a glance, and how well: the error of n
/// is below 4 u times two edges of length at most 2 sqrt 3, and counts with |w| <= sqrt 3.
#define GLANCE_AREA 0x1p-24
#define GLANCE_ROUNDING 0x1p-34

/// The squared heights of all faces; -1 for one that is small, or not seen from inside. Returns the least.
static inline double square_heights(const surface* x, uint32_t faces, const uint8_t (*corner)[3], double* square) {
    double least = INFINITY;
    for (uint32_t f = 0; f < faces; ++f) {
        vec3 u = x->corner[corner[f][0]].w, v = x->corner[corner[f][1]].w, w = x->corner[corner[f][2]].w;
        vec3 n = vec3_cross(vec3_sub(u, w), vec3_sub(v, w));
        double nn = vec3_dot(n, n), volume = vec3_dot(n, w);
        bool clear = (nn > GLANCE_AREA) & (volume > 0);
        square[f] = clear ? volume * volume / nn : -1;
        least = smaller(square[f], least);
    }
    return least;
}

/// Whether every edge occurs once in either direction.
static inline bool is_closed(unsigned corners, uint32_t faces, const uint8_t (*corner)[3]) {
    uint64_t to[GLANCE_CORNERS], from[GLANCE_CORNERS], twice = 0;
    for (unsigned i = 0; i < corners; ++i) to[i] = from[i] = 0;
    for (uint32_t f = 0; f < faces; ++f) {
        const uint8_t* c = corner[f];
        if (c[0] >= corners || c[1] >= corners || c[2] >= corners) return false;
        for (unsigned i = 0; i < 3; ++i) {
            unsigned u = c[i], v = c[(i + 1) % 3];
            twice |= to[u] & UINT64_C(1) << v;
            to[u] |= UINT64_C(1) << v;
            from[v] |= UINT64_C(1) << u;
        }
    }
    for (unsigned i = 0; i < corners; ++i) twice |= (to[i] ^ from[i]) | (to[i] & UINT64_C(1) << i);
    return twice == 0;
}

/// Whether a corner lies in the plane of a face.
static bool in_plane(const surface* x, const face* f, unsigned corner) {
    return fabs(vec3_dot(f->n, x->corner[corner].w) - f->height) <= 4 * SURFACE_ROUNDING;
}

/// The foot is taken from the one of these faces that holds it, or comes nearest to that.
static void find_foot(const surface* x, const uint8_t (*corner)[3], const uint32_t* level, int count, sight* out) {
    double inside = -INFINITY;
    for (int i = 0; i < count && inside < 0; ++i) {
        const uint8_t* c = corner[level[i]];
        bool same = level[i] == out->nearest;
        if (!same && !(in_plane(x, &out->face, c[0]) && in_plane(x, &out->face, c[1]) && in_plane(x, &out->face, c[2])))
            continue;
        face f = {.n = out->face.n, .corner = {c[0], c[1], c[2]}};
        double weight[3];
        apart_surface_weigh(x, &f, weight);
        double least = smaller(weight[0], smaller(weight[1], weight[2]));
        if (!(least > inside)) continue;
        inside = least;
        memcpy(out->foot, f.corner, sizeof out->foot);
        memcpy(out->weight, weight, sizeof out->weight);
    }
    apart_surface_make_convex(out->weight);
}

bool apart_glance_nearest(const surface* x, uint32_t faces, const uint8_t (*corner)[3], sight* out) {
    double square[APART_CACHE_FACES];
    if (x->corners > GLANCE_CORNERS || !is_closed((unsigned)x->corners, faces, corner)) return false;
    double least = square_heights(x, faces, corner, square);
    if (!(least > GLANCE_ROUNDING * GLANCE_ROUNDING)) return false;
    // All others are certainly farther than those that are level to rounding.
    double reach = sqrt(least) + 4 * GLANCE_ROUNDING;
    uint32_t level[GLANCE_LEVEL];
    int count = 0;
    out->nearest = NO_FACE;
    for (uint32_t f = 0; f < faces; ++f) {
        if (square[f] > reach * reach) continue;
        if (count == GLANCE_LEVEL) return false;
        level[count++] = f;
        face seen = apart_surface_face(x, corner[f]);
        if (!(seen.height > seen.slack)) return false;
        if (out->nearest != NO_FACE && !(seen.bound < out->face.bound)) continue;
        out->nearest = (uint16_t)f;
        out->face = seen;
    }
    find_foot(x, corner, level, count, out);
    return true;
}

int apart_glance_low(const surface* x, uint32_t faces, const uint8_t (*corner)[3], double height, uint8_t* low) {
    double square[APART_CACHE_FACES], reach = height + 4 * GLANCE_ROUNDING;
    if (x->corners > GLANCE_CORNERS || !is_closed((unsigned)x->corners, faces, corner)) return -1;
    square_heights(x, faces, corner, square);
    int count = 0;
    for (uint32_t f = 0; f < faces; ++f)
        if (square[f] <= reach * reach) low[count++] = (uint8_t)f;
    return count;
}

// The depth of two parallelepipeds: the facets of their zonotope, each tried.
#include "depth/boxes.h"

static void make_zonotope(const difference* k, zonotope* z) {
    const brick *a = &k->a.shape->brick, *b = &k->b.shape->brick;
    z->center = vec3_add(vec3_sub(posed_point(&k->a, a->middle), posed_point(&k->b, b->middle)), k->offset);
    for (int i = 0; i < 6; ++i) {
        const vec3 e = i < 3 ? posed_point(&k->a, a->half[i]) : posed_point(&k->b, b->half[i - 3]);
        z->x[i] = z->x[i + 6] = e.x;
        z->y[i] = z->y[i + 6] = e.y;
        z->z[i] = z->z[i + 6] = e.z;
    }
    z->x[12] = z->x[0];
    z->y[12] = z->y[0];
    z->z[12] = z->z[0];
}

static inline vec3 edge_of(const zonotope* z, int i) { return vec3_make(z->x[i], z->y[i], z->z[i]); }

/// A number from -1 to 1.
static double clamped(double x) { return smaller(1, larger(-1, x)); }

/// Takes `rest` apart along two edges that are not parallel.
static void split(const zonotope* z, const int pair[2], vec3 rest, double r[6]) {
    vec3 e = edge_of(z, pair[0]), f = edge_of(z, pair[1]), n = vec3_cross(e, f);
    double nn = vec3_dot(n, n);
    r[pair[0]] = clamped(vec3_dot(vec3_cross(rest, f), n) / nn);
    r[pair[1]] = clamped(vec3_dot(vec3_cross(e, rest), n) / nn);
}

/// Lets one edge after the other take up as much of `rest` as it can, until nothing is left: at once if they are
/// parallel or square to each other, as those of aligned boxes are.
static void share(const zonotope* z, const int* index, int count, vec3 rest, double rounding, double r[6]) {
    for (int i = 0; i < count; ++i) r[index[i]] = 0;
    for (int sweep = 0; sweep < 16 && vec3_length(rest) > rounding; ++sweep) {
        for (int i = 0; i < count; ++i) {
            vec3 e = edge_of(z, index[i]);
            double before = r[index[i]];
            r[index[i]] = clamped(before + vec3_dot(rest, e) / vec3_dot(e, e));
            rest = vec3_mad(rest, before - r[index[i]], e);
        }
    }
}

/// Coordinates r_k of the facet's point nearest the origin: 1 or -1 for the edges that leave its plane, and the others
/// take up what is left. False if that does not come out.
static bool find_foot(const zonotope* z, const nearest_facet* p, double rounding, double r[6]) {
    vec3 foot = vec3_sub(vec3_scale(p->height, p->normal), z->center), rest = foot;
    int within[6], count = 0;
    for (int i = 0; i < 6; ++i) {
        double along = vec3_dot(p->normal, edge_of(z, i));
        r[i] = copysign(1, along);
        if (fabs(along) <= rounding) {
            within[count++] = i;
        } else {
            rest = vec3_mad(rest, -r[i], edge_of(z, i));
        }
    }
    if (count == 2) {
        split(z, within, rest, r);
    } else {
        share(z, within, count, rest, rounding, r);
    }
    for (int i = 0; i < 6; ++i) foot = vec3_mad(foot, -r[i], edge_of(z, i));
    return vec3_dot(foot, foot) <= 4 * rounding * rounding;
}

/// The point with these coordinates as a weighted sum of corners. False if it takes more than four.
static bool carry(const posed_body* body, const double r[3], double sign, carrier* c) {
    const brick* b = &body->shape->brick;
    unsigned corner[8] = {0}, count = 1;
    double weight[8] = {1};
    for (unsigned i = 0; i < 3; ++i) {
        const double up = 0.5 * (1 + sign * r[i]);
        for (unsigned j = 0; j < count && up > 0; ++j) {
            const unsigned to = up < 1 ? count + j : j;
            corner[to] = corner[j] | 1u << i;
            weight[to] = weight[j] * up;
            if (up < 1) weight[j] *= 1 - up;
        }
        if (up > 0 && up < 1) count *= 2;
    }
    c->count = 0;
    for (unsigned j = 0; j < count && count <= 4; ++j) {
        const uint32_t at = b->vertex[corner[j]];
        carrier_add(c, at, posed_point(body, shape_vertex(body->shape, at)), weight[j]);
    }
    return c->count > 0;
}

bool apart_boxes_run(difference* k, const goal* g, apart_cache* cache, outcome* out) {
    zonotope z;
    make_zonotope(k, &z);
    nearest_facet least;
    if (!apart_kernels_short()->facets(&z, k->size, &least)) return false;
    if (!(least.bound > g->rounding_high)) return false;

    double r[6];
    if (!find_foot(&z, &least, 4 * g->rounding_high, r)) return false;
    if (!carry(&k->a, r, 1, &out->a) || !carry(&k->b, r + 3, -1, &out->b)) return false;
    out->upper = -least.bound;
    out->lower = -least.height;
    out->normal = least.normal;
    out->overlap = true;
    out->iterations = 1;
    if (cache) apart_minkowski_remember(k, out->normal, cache);
    if (g->trace) apart_bracket_trace(k, g, 1, &out->a, &out->b, out->upper, out->lower);
    return true;
}

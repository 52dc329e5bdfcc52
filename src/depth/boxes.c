// The depth of two parallelepipeds: the facets of their zonotope, each tried.
#include "depth/boxes.h"

/// sin^2 of the angle below which two edges are neither parallel nor apart enough for their normal to be trusted.
#define ALMOST_PARALLEL 1e-6
/// Below this they are parallel: the facet that they would span is thinner than rounding, and its sides belong to
/// others.
#define PARALLEL 0x1p-98

/// K as a zonotope: edges 0..2 are a's, 3..5 are b's.
typedef struct zonotope {
    vec3 center, edge[6];
    double squared[6]; // of the edges
} zonotope;

static void make_zonotope(const difference* k, zonotope* z) {
    const brick *a = &k->a.shape->brick, *b = &k->b.shape->brick;
    z->center = vec3_add(vec3_sub(posed_point(&k->a, a->middle), posed_point(&k->b, b->middle)), k->offset);
    for (int i = 0; i < 3; ++i) {
        z->edge[i] = posed_point(&k->a, a->half[i]);
        z->edge[3 + i] = posed_point(&k->b, b->half[i]);
    }
    for (int i = 0; i < 6; ++i) z->squared[i] = vec3_dot(z->edge[i], z->edge[i]);
}

/// The nearest facet plane.
typedef struct nearest_plane {
    double height; // above the origin
    double bound;  // no facet is nearer than this, rounding allowed for
    vec3 normal;   // unit, outwards
} nearest_plane;

/// Looks at the facets spanned by edges i and j. False if nothing certain can be said, or the origin is outside.
static bool look_at(const zonotope* z, int i, int j, double size, nearest_plane* least) {
    const double u = 0x1p-53;
    vec3 n = vec3_cross(z->edge[i], z->edge[j]);
    double nn = vec3_dot(n, n), sides = z->squared[i] * z->squared[j];
    if (!(nn > ALMOST_PARALLEL * sides)) return nn <= PARALLEL * sides;
    double across = vec3_dot(n, z->center), inverse = 1 / sqrt(nn), reach = 0;
    for (int k = 0; k < 6; ++k) reach += k == i || k == j ? 0 : fabs(vec3_dot(n, z->edge[k]));
    double height = (reach - fabs(across)) * inverse;
    // A normal that is off by 4 u / sin moves the support by that part of the size. The rest: 17 u for the edges and
    // the sum, 28 u for corners that are not quite where they belong (brick.c, of bodies larger than 1/4), 14 u for
    // edges that are not quite parallel.
    double bound = height - (4 * (0.5 + 0.5 * sides * inverse * inverse) + 64) * u * size;
    least->bound = smaller(least->bound, bound);
    if (height < least->height) {
        least->height = height;
        least->normal = vec3_scale(across > 0 ? -inverse : inverse, n);
    }
    return height > 0;
}

/// A number from -1 to 1.
static double clamped(double x) { return smaller(1, larger(-1, x)); }

/// Takes `rest` apart along two edges that are not parallel.
static void split(const zonotope* z, const int pair[2], vec3 rest, double r[6]) {
    vec3 e = z->edge[pair[0]], f = z->edge[pair[1]], n = vec3_cross(e, f);
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
            vec3 e = z->edge[index[i]];
            double before = r[index[i]];
            r[index[i]] = clamped(before + vec3_dot(rest, e) / z->squared[index[i]]);
            rest = vec3_mad(rest, before - r[index[i]], e);
        }
    }
}

/// Coordinates r_k of the facet's point nearest the origin: 1 or -1 for the edges that leave its plane, and the others
/// take up what is left. False if that does not come out.
static bool find_foot(const zonotope* z, const nearest_plane* p, double rounding, double r[6]) {
    vec3 foot = vec3_sub(vec3_scale(p->height, p->normal), z->center), rest = foot;
    int within[6], count = 0;
    for (int i = 0; i < 6; ++i) {
        double along = vec3_dot(p->normal, z->edge[i]);
        r[i] = copysign(1, along);
        if (fabs(along) <= rounding) {
            within[count++] = i;
        } else {
            rest = vec3_mad(rest, -r[i], z->edge[i]);
        }
    }
    if (count == 2) {
        split(z, within, rest, r);
    } else {
        share(z, within, count, rest, rounding, r);
    }
    for (int i = 0; i < 6; ++i) foot = vec3_mad(foot, -r[i], z->edge[i]);
    return vec3_length(foot) <= 2 * rounding;
}

/// The point with these coordinates as a weighted sum of corners. False if it takes more than four.
static bool carry(const posed_body* body, const double r[3], double sign, carrier* c) {
    const brick* b = &body->shape->brick;
    c->count = 0;
    for (unsigned bits = 0; bits < 8; ++bits) {
        double weight = 1;
        for (unsigned i = 0; i < 3; ++i) weight *= 0.5 * (1 + (bits >> i & 1 ? sign : -sign) * r[i]);
        if (!(weight > 0)) continue;
        if (c->count == 4) return false;
        carrier_add(c, b->vertex[bits], posed_point(body, shape_vertex(body->shape, b->vertex[bits])), weight);
    }
    return c->count > 0;
}

bool apart_boxes_run(difference* k, const goal* g, apart_cache* cache, outcome* out) {
    zonotope z;
    make_zonotope(k, &z);
    nearest_plane least = {.height = INFINITY, .bound = INFINITY};
    for (int i = 0; i < 5; ++i)
        for (int j = i + 1; j < 6; ++j)
            if (!look_at(&z, i, j, k->size, &least)) return false;
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

// Closed forms for points, edges and triangles: Sundaraj, d'Aulignac, Mazer 2000, section 4, and Lumelsky 1985.
//
// One small least-squares problem is behind all of them: which x and y make r - x d1 - y d2 shortest? For two segments
// d1 and d2 are their directions (Lumelsky's t and u), for a point and a triangle they are two edges of it.
//
// Departures from the papers, all for accuracy:
//  - Every form starts at the nearest corners, so that a small gap beside a corner keeps its own digits.
//  - The published solution (11) divides by D1 D2 - R^2, which has no digits left when the angle between d1 and d2 is
//    below 1e-8. Here d2 and r are first made perpendicular to d1 (fit_plane). Let the angle be s, the true distance h
//    and the size 1. Rounding moves y by about e h / s^2 (e = 2^-53), which costs e^2 h / s^2 of distance; y stays
//    within [0,1], which caps the cost at s^2 / h. The smaller of the two is at most e, whatever the angle.
//  - If y or x then falls outside its range, the nearest point lies on that border, where it is found again from
//    scratch. Since the squared distance is convex, a border point between the true answer and a slightly wrong one is
//    no worse than the wrong one: clamping never adds to the error.
//  - Above a line or a plane the distance is taken along the common normal, so that bodies that touch along the
//    axes have distance 0, not a rounding error.
#include "convex/closed_forms.h"

#include <float.h>

// A number below this may have lost digits to underflow when it was multiplied up from numbers of about unit size.
#define FADED 0x1p-700

// ------------------------------------------------------------------------------------------------- point and edge ----

// p lies at q from `from`, the nearer end; m leads to the other end. Weight of the other end.
static double along_edge(vec3 q, vec3 m, double* weight) {
    double t = vec3_dot(q, m), mm = vec3_dot(m, m);
    *weight = 0;
    if (!(t > 0) || mm < DBL_MIN) return vec3_dot(q, q);

    // |m x q|^2 / |m|^2 instead of |q - t m|^2: exact where the coordinates are.
    double inverse = 1 / mm;
    vec3 n = vec3_cross(m, q);
    *weight = fmin(t * inverse, 1);
    return vec3_dot(n, n) * inverse;
}

double closed_point_edge(vec3 p, vec3 e0, vec3 e1, double weight[2]) {
    vec3 q0 = vec3_sub(p, e0), q1 = vec3_sub(p, e1), m = vec3_sub(e1, e0);
    int near = vec3_dot(q1, q1) < vec3_dot(q0, q0);
    double squared = near ? along_edge(q1, vec3_neg(m), &weight[0]) : along_edge(q0, m, &weight[1]);
    weight[near] = 1 - weight[!near];
    return squared;
}

// --------------------------------------------------------------------------------------------- two free directions ----

// The x and y that make r - x d1 - y d2 shortest: x / whole and y / whole. whole is 0 if d1 and d2 are parallel as far
// as arithmetic tells.
typedef struct fit {
    double x, y, whole;
} fit;

// With D1 = d1.d1, R = d1.d2, S1 = d1.r and p = D1 d2 - R d1, the part of d2 perpendicular to d1 (times D1):
// Q = p.p, N = p.(D1 r - S1 d1), y = N / Q, x = (S1 - y R) / D1, brought to one denominator.
static fit fit_from_sums(double d1_d1, double d1_d2, double d1_r, double pp, double pr) {
    fit f = {d1_r * pp - pr * d1_d2, pr * d1_d1, pp * d1_d1};
    return f;
}

static fit fit_directly(vec3 d1, vec3 d2, vec3 r) {
    double d1_d1 = vec3_dot(d1, d1), d1_d2 = vec3_dot(d1, d2), d1_r = vec3_dot(d1, r);
    vec3 p = vec3_sub(vec3_scale(d1_d1, d2), vec3_scale(d1_d2, d1));
    vec3 r_free = vec3_sub(vec3_scale(d1_d1, r), vec3_scale(d1_r, d1));
    return fit_from_sums(d1_d1, d1_d2, d1_r, vec3_dot(p, p), vec3_dot(p, r_free));
}

// The power of two that brings a number near 1; 1 for 0.
static double unit_scale(double largest) {
    int exponent = 0;
    if (largest > 0) (void)frexp(largest, &exponent);
    return ldexp(1, exponent < -1000 ? 1000 : -exponent);
}

static fit fit_plane(vec3 d1, vec3 d2, vec3 r) {
    fit f = fit_directly(d1, d2, r);
    if (f.whole >= FADED) return f;

    // Short directions: the same with both brought to unit length. x d1 = (x / s) (s d1).
    double s1 = unit_scale(vec3_max_abs(d1)), s2 = unit_scale(vec3_max_abs(d2));
    f = fit_directly(vec3_scale(s1, d1), vec3_scale(s2, d2), r);
    f.x *= s1;
    f.y *= s2;
    if (!(f.whole >= FADED)) f.whole = 0;
    return f;
}

// Squared length of r - x d1 - y d2 for the best x and y, which are returned divided. n: a normal of d1 and d2, the
// cross product of two vectors whose squared lengths have the product nn_scale.
static double fit_finish(fit* f, vec3 d1, vec3 d2, vec3 r, vec3 n, double nn_scale) {
    double nn = vec3_dot(n, n), product = f->whole * nn;
    double a = n.x * r.x, b = n.y * r.y, c = n.z * r.z;

    // Along the normal, if it is well conditioned (an angle of 15 degrees costs two bits) or exact: then r lies in the
    // plane if the coordinates say so.
    bool flat = a == 0 && b == 0 && c == 0;
    if (product >= FADED && (flat || nn >= nn_scale * 0.0625)) {
        double inverse = 1 / product, height = a + b + c;
        f->x *= nn * inverse;
        f->y *= nn * inverse;
        return height * (height * (f->whole * inverse));
    }
    double inverse = 1 / f->whole;
    f->x *= inverse;
    f->y *= inverse;
    vec3 rest = vec3_mad(vec3_mad(r, -f->x, d1), -f->y, d2);
    return vec3_dot(rest, rest);
}

// -------------------------------------------------------------------------------------------------- edge and edge ----

// Corner i of edge a against edge b.
static double corner_edge(vec3 corner, int i, vec3 b0, vec3 b1, double wa[2], double wb[2]) {
    wa[i] = 1;
    wa[!i] = 0;
    return closed_point_edge(corner, b0, b1, wb);
}

// Nearest pair of end points: bit 0 = end of a, bit 1 = end of b.
static int nearest_ends(const vec3 a[2], const vec3 b[2]) {
    int best = 0;
    double best_square = INFINITY;
    for (int i = 0; i < 4; i++) {
        vec3 d = vec3_sub(a[i & 1], b[i >> 1]);
        double square = vec3_dot(d, d);
        if (square < best_square) best = i;
        best_square = fmin(best_square, square);
    }
    return best;
}

double closed_edge_edge(vec3 a0, vec3 a1, vec3 b0, vec3 b1, double wa[2], double wb[2]) {
    const vec3 a[2] = {a0, a1}, b[2] = {b0, b1};
    int ends = nearest_ends(a, b), i = ends & 1, j = ends >> 1;
    vec3 d1 = vec3_sub(a[!i], a[i]), d2 = vec3_sub(b[j], b[!j]), r = vec3_sub(b[j], a[i]);
    fit f = fit_plane(d1, d2, r);

    // The nearest point of b's line is outside b (or anywhere, on parallel edges): it is an end of b, unless that end
    // in turn is nearest to an end of a.
    if (!(f.y > 0 && f.y < f.whole)) {
        int end = f.y > 0 && f.whole > 0 ? !j : j;
        double squared = corner_edge(b[end], end, a0, a1, wb, wa);
        if (wa[0] != 0 && wa[1] != 0) return squared;
        end = wa[1] != 0;
        return corner_edge(a[end], end, b0, b1, wa, wb);
    }
    // Inside b, but outside a.
    if (!(f.x > 0 && f.x < f.whole)) {
        int end = f.x > 0 ? !i : i;
        return corner_edge(a[end], end, b0, b1, wa, wb);
    }
    double squared = fit_finish(&f, d1, d2, r, vec3_cross(d1, d2), vec3_dot(d1, d1) * vec3_dot(d2, d2));
    wa[!i] = fmin(f.x, 1);
    wa[i] = 1 - wa[!i];
    wb[!j] = fmin(f.y, 1);
    wb[j] = 1 - wb[!j];
    return squared;
}

// ------------------------------------------------------------------------------------------------ point and facet ----

// p against the edge opposite to corner i.
static double facet_edge(vec3 p, const vec3 f[3], int i, double weight[3]) {
    double w[2];
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double squared = closed_point_edge(p, f[j], f[k], w);
    weight[i] = 0;
    weight[j] = w[0];
    weight[k] = w[1];
    return squared;
}

// The best of the edges opposite to the corners whose bits are set.
static double facet_border(vec3 p, const vec3 f[3], unsigned corners, double weight[3]) {
    double best = INFINITY;
    for (int i = 0; i < 3; i++) {
        double w[3];
        if (!(corners >> i & 1u)) continue;
        double squared = facet_edge(p, f, i, w);
        if (!(squared < best)) continue;
        best = squared;
        for (int k = 0; k < 3; k++) weight[k] = w[k];
    }
    return best;
}

// p lies beyond corner c, outside both edges there. In exact arithmetic it projects into one of them at most.
static double facet_corner(vec3 p, const vec3 f[3], int c, double weight[3]) {
    int i = (c + 1) % 3, j = (c + 2) % 3;
    vec3 q = vec3_sub(p, f[c]);
    bool along_i = vec3_dot(q, vec3_sub(f[i], f[c])) > 0, along_j = vec3_dot(q, vec3_sub(f[j], f[c])) > 0;
    if (along_i && along_j) return facet_border(p, f, 1u << i | 1u << j, weight);
    return facet_edge(p, f, along_i ? j : i, weight);
}

static int nearest_corner(vec3 p, const vec3 f[3]) {
    double square[3];
    for (int i = 0; i < 3; i++) {
        vec3 d = vec3_sub(p, f[i]);
        square[i] = vec3_dot(d, d);
    }
    int best = square[1] < square[0];
    return square[2] < square[best] ? 2 : best;
}

// A normal of triangle with edges d1 and d2 from one corner: the cross product of its two shortest edges, the best
// conditioned one. *scale: the product of their squared lengths.
static vec3 facet_normal(vec3 d1, vec3 d2, double* scale) {
    vec3 d3 = vec3_sub(d2, d1);
    double s1 = vec3_dot(d1, d1), s2 = vec3_dot(d2, d2), s3 = vec3_dot(d3, d3);
    if (s3 >= s1 && s3 >= s2) {
        *scale = s1 * s2;
        return vec3_cross(d1, d2);
    }
    *scale = s3 * fmin(s1, s2);
    return s1 < s2 ? vec3_cross(d1, d3) : vec3_cross(d2, d3);
}

double closed_point_facet(vec3 p, const vec3 f[3], double weight[3]) {
    int i = nearest_corner(p, f), j = (i + 1) % 3, k = (i + 2) % 3;
    vec3 d1 = vec3_sub(f[j], f[i]), d2 = vec3_sub(f[k], f[i]), r = vec3_sub(p, f[i]);
    fit s = fit_plane(d1, d2, r);

    // The sides of the edges on which p lies; a triangle without area is its border.
    if (!(s.whole > 0)) return facet_border(p, f, 7, weight);
    bool beyond_i = !(s.x + s.y < s.whole), beyond_j = !(s.x > 0), beyond_k = !(s.y > 0);
    if (beyond_i + beyond_j + beyond_k == 2) {
        int corner = !beyond_i ? i : !beyond_j ? j : k;
        return facet_corner(p, f, corner, weight);
    }
    if (beyond_i) return facet_edge(p, f, i, weight);
    if (beyond_j) return facet_edge(p, f, j, weight);
    if (beyond_k) return facet_edge(p, f, k, weight);

    double scale;
    vec3 n = facet_normal(d1, d2, &scale);
    double squared = fit_finish(&s, d1, d2, r, n, scale);
    weight[j] = fmin(s.x, 1);
    weight[k] = fmin(s.y, 1 - weight[j]);
    weight[i] = fmax(1 - weight[j] - weight[k], 0);
    return squared;
}

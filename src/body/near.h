// Is a point certainly within HULL_SLACK of a segment or a triangle, or certainly inside a tetrahedron?
//
// A few roundings of the coordinates decide, which plain doubles cannot tell. So a point of the triangle is chosen by
// its convex weights, in plain doubles, and only its distance from p is computed as if in twice the precision. Whatever
// the quality of the weights, the answer "yes" is true; "no" may be a mistake, and costs the hull a needless vertex.
//
// Points come in two sets of coordinates: `real`, the stored ones, in which distances count, and `seen`, an affine
// image in which the body is round, so that weights are easy to find.
#ifndef APART_BODY_NEAR_H
#define APART_BODY_NEAR_H

#include "base/exact.h"
#include "body/shape.h"

/// One point in both.
typedef struct place {
    vec3 real, seen;
} place;

/// sum w[i] (x[i] - p[i]), as if in twice the precision (compensated sums and products).
static inline double accurate_sum(const double* x, const double* p, const double* w, int count) {
    double sum = 0, error = 0;
    for (int i = 0; i < count; i++) {
        // x - p = high + low, w high = product + rest, sum + product = next + lost: each of them exactly.
        double high = x[i] - p[i], back = high - x[i];
        double low = (x[i] - (high - back)) - (p[i] + back);
        double rest, product = exact_product(w[i], high, &rest);
        double lost, next = exact_sum(sum, product, &lost);
        error += lost + (rest + w[i] * low);
        sum = next;
    }
    return sum + error;
}

/// The vector from p to the point with weights w of a triangle (count 3) or tetrahedron (4).
static inline vec3 residual(const vec3* t, vec3 p, const double* w, int count) {
    double c[3][4], from[3][4];
    for (int i = 0; i < count; i++) {
        c[0][i] = t[i].x, c[1][i] = t[i].y, c[2][i] = t[i].z;
        from[0][i] = p.x, from[1][i] = p.y, from[2][i] = p.z;
    }
    return vec3_make(accurate_sum(c[0], from[0], w, count), accurate_sum(c[1], from[1], w, count),
                     accurate_sum(c[2], from[2], w, count));
}

/// Whether the point with these weights is within HULL_SLACK of p.
static inline bool is_near(const place t[3], place p, const double w[3]) {
    vec3 real[3] = {t[0].real, t[1].real, t[2].real};
    return vec3_length(residual(real, p.real, w, 3)) <= HULL_SLACK;
}

/// The share of corners 1 and 2 in the foot of the perpendicular from t[0] + q; false on a degenerate triangle.
static inline bool foot(const vec3 t[3], vec3 q, double share[2]) {
    vec3 a = vec3_sub(t[1], t[0]), b = vec3_sub(t[2], t[0]), n = vec3_cross(a, b);
    double square = vec3_dot(n, n);
    share[0] = vec3_dot(vec3_cross(q, b), n) / square;
    share[1] = vec3_dot(vec3_cross(a, q), n) / square;
    return square > 0 && isfinite(share[0]) && isfinite(share[1]);
}

/// Whether p is certainly near a point inside the triangle. The weights are improved once.
static inline bool near_inside(const place t[3], place p) {
    vec3 seen[3] = {t[0].seen, t[1].seen, t[2].seen};
    double share[2], more[2];
    if (!foot(seen, vec3_sub(p.seen, seen[0]), share)) return false;
    for (int round = 0; round < 2; round++) {
        double w[3] = {1 - share[0] - share[1], share[0], share[1]};
        if (!(w[0] >= 0 && w[1] >= 0 && w[2] >= 0)) return false;
        if (is_near(t, p, w)) return true;
        if (!foot(seen, vec3_neg(residual(seen, p.seen, w, 3)), more)) return false;
        share[0] += more[0];
        share[1] += more[1];
    }
    return false;
}

/// The same for the segment from a to b.
static inline bool near_segment(place a, place b, place p) {
    place t[3] = {a, b, b};
    vec3 real[3] = {a.real, b.real, b.real}, edge = vec3_sub(b.real, a.real);
    double square = vec3_dot(edge, edge);
    double share = square > 0 ? vec3_dot(vec3_sub(p.real, a.real), edge) / square : 0;
    for (int round = 0; round < 2; round++) {
        share = fmin(fmax(share, 0), 1);
        double w[3] = {1 - share, share, 0};
        if (is_near(t, p, w)) return true;
        if (square > 0) share -= vec3_dot(residual(real, p.real, w, 3), edge) / square;
    }
    return false;
}

static inline bool near_triangle(const place t[3], place p) {
    return near_inside(t, p) || near_segment(t[0], t[1], p) || near_segment(t[1], t[2], p) ||
           near_segment(t[2], t[0], p);
}

/// The weights of corners 0, 1, 2 in the point t[3] + q of a tetrahedron; false if it is degenerate.
static inline bool weights_in_tetrahedron(const vec3 t[4], vec3 q, double w[3]) {
    vec3 a = vec3_sub(t[0], t[3]), b = vec3_sub(t[1], t[3]), c = vec3_sub(t[2], t[3]), bc = vec3_cross(b, c);
    double volume = vec3_dot(a, bc);
    w[0] = vec3_dot(q, bc) / volume;
    w[1] = vec3_dot(q, vec3_cross(c, a)) / volume;
    w[2] = vec3_dot(q, vec3_cross(a, b)) / volume;
    return isfinite(w[0]) && isfinite(w[1]) && isfinite(w[2]);
}

/// Whether p is certainly inside a tetrahedron of seen points, or within a quarter of HULL_SLACK of it (seen lengths
/// are never shorter than real ones; the rest is for the rounding of seen points). Weights below zero become zero; what
/// that and rounding do to the point they stand for shows in the residual.
static inline bool inside_tetrahedron(const vec3 t[4], vec3 p) {
    double w[4], more[3] = {0, 0, 0};
    if (!weights_in_tetrahedron(t, vec3_sub(p, t[3]), w)) return false;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 3; i++) w[i] = fmax(w[i] + more[i], 0);
        w[3] = fmax(1 - w[0] - w[1] - w[2], 0);
        vec3 r = residual(t, p, w, 4);
        if (vec3_length(r) <= HULL_SLACK / 4 * (w[0] + w[1] + w[2] + w[3])) return true;
        if (!weights_in_tetrahedron(t, vec3_neg(r), more)) return false;
    }
    // Deep inside the weights stay positive whatever the last correction.
    double last = fabs(more[0]) + fabs(more[1]) + fabs(more[2]);
    return w[0] > last && w[1] > last && w[2] > last && w[3] > last;
}

#endif

// Is a point certainly within HULL_SLACK of a segment or a triangle, or certainly inside a tetrahedron?
//
// A few roundings of the coordinates decide, which plain doubles cannot tell. So a point of the triangle is chosen by
// its convex weights, in plain doubles, and only its distance from p is computed as if in twice the precision. Whatever
// the quality of the weights, the answer "yes" is true; "no" may be a mistake, and costs the hull a needless vertex.
#ifndef APART_SHAPE_NEAR_H
#define APART_SHAPE_NEAR_H

#include "shape/shape.h"

/// One coordinate of sum w[i] (x[i] - p), as if in twice the precision (compensated sums and products).
static inline double accurate_sum(const double* x, double p, const double* w, int count) {
    double sum = 0, error = 0;
    for (int i = 0; i < count; i++) {
        // x - p = high + low, w high = product + rest, sum + product = next + lost: each of them exactly.
        double high = x[i] - p, back = high - x[i];
        double low = (x[i] - (high - back)) - (p + back);
        double product = w[i] * high, rest = fma(w[i], high, -product);
        double next = sum + product, part = next - sum;
        double lost = (sum - (next - part)) + (product - part);
        error += lost + (rest + w[i] * low);
        sum = next;
    }
    return sum + error;
}

/// The vector from p to the point with weights w of a triangle (count 3) or tetrahedron (4).
static inline vec3 residual(const vec3* t, vec3 p, const double* w, int count) {
    double x[4], y[4], z[4];
    for (int i = 0; i < count; i++) {
        x[i] = t[i].x;
        y[i] = t[i].y;
        z[i] = t[i].z;
    }
    return vec3_make(accurate_sum(x, p.x, w, count), accurate_sum(y, p.y, w, count), accurate_sum(z, p.z, w, count));
}

/// The share of corners 1 and 2 in the foot of the perpendicular from t[0] + q; false on a degenerate triangle.
static inline bool foot(const vec3 t[3], vec3 q, double share[2]) {
    vec3 a = vec3_sub(t[1], t[0]), b = vec3_sub(t[2], t[0]), n = vec3_cross(a, b);
    double square = vec3_dot(n, n);
    share[0] = vec3_dot(vec3_cross(q, b), n) / square;
    share[1] = vec3_dot(vec3_cross(a, q), n) / square;
    return square > 0 && isfinite(share[0]) && isfinite(share[1]);
}

/// Whether p is certainly within HULL_SLACK of the triangle. The weights of a foot found in plain doubles are improved
/// once; they are convex weights of a point of the triangle, so whatever their quality the answer "yes" is true.
static inline bool near_inside(const vec3 t[3], vec3 p) {
    double share[2], more[2];
    if (!foot(t, vec3_sub(p, t[0]), share)) return false;
    for (int round = 0; round < 2; round++) {
        double w[3] = {1 - share[0] - share[1], share[0], share[1]};
        if (!(w[0] >= 0 && w[1] >= 0 && w[2] >= 0)) return false;
        vec3 r = residual(t, p, w, 3);
        if (vec3_length(r) <= HULL_SLACK) return true;
        if (!foot(t, vec3_neg(r), more)) return false;
        share[0] += more[0];
        share[1] += more[1];
    }
    return false;
}

/// The same for the segment from a to b.
static inline bool near_segment(vec3 a, vec3 b, vec3 p) {
    vec3 t[3] = {a, b, b}, edge = vec3_sub(b, a);
    double square = vec3_dot(edge, edge);
    double share = square > 0 ? vec3_dot(vec3_sub(p, a), edge) / square : 0;
    for (int round = 0; round < 2; round++) {
        share = fmin(fmax(share, 0), 1);
        double w[3] = {1 - share, share, 0};
        vec3 r = residual(t, p, w, 3);
        if (vec3_length(r) <= HULL_SLACK) return true;
        if (square > 0) share -= vec3_dot(r, edge) / square;
    }
    return false;
}

static inline bool near_triangle(const vec3 t[3], vec3 p) {
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

/// Whether p is certainly inside the tetrahedron: its weights are positive, also after the correction that their own
/// error calls for, four times over.
static inline bool inside_tetrahedron(const vec3 t[4], vec3 p) {
    double w[4], more[3];
    if (!weights_in_tetrahedron(t, vec3_sub(p, t[3]), w)) return false;
    w[3] = 1 - w[0] - w[1] - w[2];
    if (!weights_in_tetrahedron(t, vec3_neg(residual(t, p, w, 4)), more)) return false;
    double last = fabs(more[0]) + fabs(more[1]) + fabs(more[2]);
    for (int i = 0; i < 3; i++)
        if (!(w[i] > 4 * fabs(more[i]))) return false;
    return w[3] > 4 * last + 0x1p-50;
}

#endif

// Is a point certainly within HULL_SLACK of a segment, a triangle or a tetrahedron?
//
// A few roundings of the coordinates decide, which plain doubles cannot tell. So a point of the simplex is chosen by
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

/// sum w[i] (t[i] - p): the vector from p to the point with these weights, times their sum.
static inline vec3 residual(const vec3* t, vec3 p, const double* w, int count) {
    vec3 sum = {0, 0, 0}, lost = {0, 0, 0};
    for (int i = 0; i < count; i++) {
        exact_add_product(&sum.x, &lost.x, w[i], t[i].x, p.x);
        exact_add_product(&sum.y, &lost.y, w[i], t[i].y, p.y);
        exact_add_product(&sum.z, &lost.z, w[i], t[i].z, p.z);
    }
    return vec3_add(sum, lost);
}

/// The gradients of the weights of corners 1, 2, 3 of a simplex, as functions of a point that is dropped
/// perpendicularly on it: those of a point t[0] + q are q . slope. Zero if the simplex is degenerate.
static inline void weight_slopes(const vec3* t, int count, vec3 slope[4]) {
    vec3 a = vec3_sub(t[1], t[0]), b = vec3_sub(t[count > 2 ? 2 : 1], t[0]), n = vec3_cross(a, b);
    double whole = count == 2 ? vec3_dot(a, a) : vec3_dot(n, n);
    slope[1] = count == 2 ? a : vec3_cross(b, n);
    slope[2] = vec3_cross(n, a);
    if (count == 4) {
        vec3 c = vec3_sub(t[3], t[0]);
        whole = vec3_dot(c, n);
        slope[1] = vec3_cross(b, c);
        slope[2] = vec3_cross(c, a);
        slope[3] = n;
    }
    double inverse = 1 / whole;
    for (int i = 1; i < count; i++) slope[i] = isfinite(inverse) ? vec3_scale(inverse, slope[i]) : vec3_make(0, 0, 0);
}

/// Whether p is certainly near the simplex of 2, 3 or 4 corners. Weights below zero become zero; what that and rounding
/// do to the point that they stand for shows in the residual, which also improves them, twice.
static inline bool near_simplex(const place* t, int count, place p) {
    vec3 seen[4], real[4], slope[4];
    double w[4] = {1, 0, 0, 0};
    for (int i = 0; i < count; i++) seen[i] = t[i].seen, real[i] = t[i].real;
    weight_slopes(seen, count, slope);
    vec3 way = vec3_sub(p.seen, seen[0]);
    for (int round = 0; round < 3; round++) {
        double sum = 0;
        for (int i = 1; i < count; i++) sum += w[i] = larger(w[i] + vec3_dot(slope[i], way), 0);
        w[0] = larger(1 - sum, 0);
        if (vec3_length(residual(real, p.real, w, count)) <= HULL_SLACK * (w[0] + sum)) return true;
        way = vec3_neg(residual(seen, p.seen, w, count));
    }
    return false;
}

static inline bool near_segment(place a, place b, place p) {
    const place t[2] = {a, b};
    return near_simplex(t, 2, p);
}

static inline bool near_triangle(const place t[3], place p) {
    return near_simplex(t, 3, p) || near_segment(t[0], t[1], p) || near_segment(t[1], t[2], p) ||
           near_segment(t[2], t[0], p);
}

#endif

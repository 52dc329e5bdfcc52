// Symmetric 3 x 3 matrices: their axes; a quadratic function of a unit vector, and its least value on the sphere.
#ifndef APART_BASE_SYMMETRIC_H
#define APART_BASE_SYMMETRIC_H

#include "base/vec.h"

/// Turns a plane by the angle with this cosine and sine.
static inline void rotate_two(double* x, double* y, double c, double s) {
    const double old = *x;
    *x = c * old - s * *y;
    *y = s * old + c * *y;
}

/// Turns plane pq of a symmetric matrix so that m[p][q] vanishes (Jacobi): m becomes J^T m J, v becomes v J.
static inline void jacobi_rotate(double m[3][3], double v[3][3], int p, int q) {
    if (m[p][q] == 0) return;
    double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; ++k) {
        rotate_two(&m[k][p], &m[k][q], c, s);
        rotate_two(&v[k][p], &v[k][q], c, s);
    }
    for (int k = 0; k < 3; ++k) rotate_two(&m[p][k], &m[q][k], c, s);
}

/// A symmetric matrix: xx, yy, zz, xy, xz, yz.
typedef struct symmetric {
    double m[6];
} symmetric;

/// constant + c . n + n . Q n
typedef struct quadratic {
    symmetric q;
    vec3 c;
    double constant;
    double weight; // the sum of the norms of all that was added: what rounding is told in
} quadratic;

static inline vec3 symmetric_apply(const symmetric* s, vec3 n) {
    const double* m = s->m;
    return vec3_make(m[0] * n.x + m[3] * n.y + m[4] * n.z, m[3] * n.x + m[1] * n.y + m[5] * n.z,
                     m[4] * n.x + m[5] * n.y + m[2] * n.z);
}

static inline void symmetric_add(symmetric* s, double w, vec3 u) {
    vec3 v = vec3_scale(w, u);
    double p[6] = {v.x * u.x, v.y * u.y, v.z * u.z, v.x * u.y, v.x * u.z, v.y * u.z};
    for (int i = 0; i < 6; ++i) s->m[i] += p[i];
}

static inline void quadratic_add_form(quadratic* f, double w, const symmetric* s, double trace) {
    for (int i = 0; i < 6; ++i) f->q.m[i] += w * s->m[i];
    f->weight += w * trace;
}

static inline void quadratic_add_constant(quadratic* f, double x) {
    f->constant += x;
    f->weight += fabs(x);
}

/// w (n . axis - a) (n . axis - b)
static inline void quadratic_add_parabola(quadratic* f, double w, vec3 axis, double a, double b) {
    symmetric_add(&f->q, w, axis);
    f->c = vec3_mad(f->c, -w * (a + b), axis);
    quadratic_add_constant(f, w * a * b);
    f->weight += 2 * w * (1 + fabs(a + b));
}

static inline void quadratic_add(quadratic* f, const quadratic* g) {
    for (int i = 0; i < 6; ++i) f->q.m[i] += g->q.m[i];
    f->c = vec3_add(f->c, g->c);
    f->constant += g->constant;
    f->weight += g->weight;
}

static inline double quadratic_at(const quadratic* f, vec3 n) {
    return f->constant + vec3_dot(f->c, n) + vec3_dot(n, symmetric_apply(&f->q, n));
}

/// A number not above the least value of f on the unit sphere, and where about that is; of two such places the one
/// nearer to `near`. For any lambda below all mu, mu m^2 + c m >= lambda m^2 - c^2 / (mu - lambda) / 4 in each
/// coordinate along the axes of Q; the best lambda = least - delta gives the least value itself.
double apart_symmetric_least(const quadratic* f, vec3 near, vec3* where);

#endif

// Two hulls of up to three points each in up to twelve dimensions, by brute force in quadruple precision: every pair of
// faces is solved as a least-squares problem, the best feasible one is the answer, and a separating slab proves it.
#ifndef APART_TESTS_BRUTE_FORCE_H
#define APART_TESTS_BRUTE_FORCE_H

#include "oracle.h"

#define MAX_DIM 12
#define ROUNDOFF 0x1p-53

// Two hulls of up to three points each.
typedef struct problem {
    int dim, count_a, count_b;
    double a[3][MAX_DIM], b[3][MAX_DIM];
} problem;

typedef struct truth {
    quad upper, lower; // of the distance
    quad size;         // the largest distance of two corners
} truth;

typedef struct directions {
    int count;
    quad d[4][MAX_DIM];
} directions;

static quad dot(int dim, const quad* x, const quad* y) {
    quad sum = 0;
    for (int k = 0; k < dim; k++) sum += x[k] * y[k];
    return sum;
}

static void subtract(int dim, quad s, const quad* x, quad* from) {
    for (int k = 0; k < dim; k++) from[k] -= s * x[k];
}

// --------------------------------------------------------------------------------------------------- brute force ----

// Orthonormal q with d_i = sum_{j <= i} upper[j][i] q_j; each direction is made orthogonal twice. False if they are
// dependent: then fewer of them do as well.
static bool orthogonalise(int dim, const directions* in, directions* q, quad upper[4][4]) {
    for (int i = 0; i < in->count; i++) {
        for (int k = 0; k < dim; k++) q->d[i][k] = in->d[i][k];
        for (int pass = 0; pass < 2; pass++)
            for (int j = 0; j < i; j++) {
                quad c = dot(dim, q->d[j], q->d[i]);
                upper[j][i] = (pass ? upper[j][i] : 0) + c;
                subtract(dim, c, q->d[j], q->d[i]);
            }
        quad length = quad_sqrt(dot(dim, q->d[i], q->d[i])), whole = quad_sqrt(dot(dim, in->d[i], in->d[i]));
        if (length <= whole * (quad)1e-30) return false;
        upper[i][i] = length;
        for (int k = 0; k < dim; k++) q->d[i][k] /= length;
    }
    return true;
}

// The y that makes r - sum y_i d_i shortest; r becomes that vector.
static bool least_squares(int dim, const directions* in, quad* r, quad y[4]) {
    directions q;
    quad upper[4][4];
    if (!orthogonalise(dim, in, &q, upper)) return false;
    for (int i = 0; i < in->count; i++) {
        y[i] = dot(dim, q.d[i], r);
        subtract(dim, y[i], q.d[i], r);
    }
    for (int i = in->count - 1; i >= 0; i--) {
        for (int j = i + 1; j < in->count; j++) y[i] -= upper[i][j] * y[j];
        y[i] /= upper[i][i];
    }
    return true;
}

// Appends the directions from the first chosen corner to the others, times sign. Returns that first corner.
static int face(int dim, const double corner[3][MAX_DIM], unsigned mask, int sign, directions* d) {
    int first = 0;
    while (!(mask >> first & 1u)) first++;
    for (int i = first + 1; i < 3; i++) {
        if (!(mask >> i & 1u)) continue;
        for (int k = 0; k < dim; k++) d->d[d->count][k] = sign * ((quad)corner[i][k] - (quad)corner[first][k]);
        d->count++;
    }
    return first;
}

static bool feasible(const quad* y, int count) {
    quad sum = 0;
    for (int i = 0; i < count; i++) {
        if (!(y[i] >= 0)) return false;
        sum += y[i];
    }
    return sum <= 1;
}

// The vector between the nearest points of two open faces, if they have one.
static bool face_pair(const problem* p, unsigned mask_a, unsigned mask_b, quad* v) {
    directions d = {.count = 0};
    quad y[4];
    int i = face(p->dim, p->a, mask_a, 1, &d), on_a = d.count;
    int j = face(p->dim, p->b, mask_b, -1, &d);
    for (int k = 0; k < p->dim; k++) v[k] = (quad)p->b[j][k] - (quad)p->a[i][k];
    if (!least_squares(p->dim, &d, v, y)) return false;
    return feasible(y, on_a) && feasible(y + on_a, d.count - on_a);
}

// The width of the slab perpendicular to v between the hulls.
static quad slab(const problem* p, const quad* v) {
    quad least = 0, length = quad_sqrt(dot(p->dim, v, v));
    for (int i = 0; i < p->count_a; i++)
        for (int j = 0; j < p->count_b; j++) {
            quad sum = 0;
            for (int k = 0; k < p->dim; k++) sum += v[k] * ((quad)p->b[j][k] - (quad)p->a[i][k]);
            if (i + j == 0 || sum < least) least = sum;
        }
    return length > 0 && least > 0 ? least / length : 0;
}

static quad size_of(const problem* p) {
    quad largest = 0;
    for (int i = 0; i < p->count_a + p->count_b; i++)
        for (int j = 0; j < i; j++) {
            quad d[MAX_DIM];
            for (int k = 0; k < p->dim; k++)
                d[k] = (quad)(i < p->count_a ? p->a[i] : p->b[i - p->count_a])[k] -
                       (quad)(j < p->count_a ? p->a[j] : p->b[j - p->count_a])[k];
            quad square = dot(p->dim, d, d);
            if (square > largest) largest = square;
        }
    return quad_sqrt(largest);
}

static truth solve(const problem* p) {
    truth t = {.upper = -1, .size = size_of(p)};
    quad best[MAX_DIM], v[MAX_DIM];
    for (unsigned i = 1; i < 1u << p->count_a; i++)
        for (unsigned j = 1; j < 1u << p->count_b; j++) {
            if (!face_pair(p, i, j, v)) continue;
            quad length = quad_sqrt(dot(p->dim, v, v));
            if (t.upper >= 0 && length >= t.upper) continue;
            t.upper = length;
            for (int k = 0; k < p->dim; k++) best[k] = v[k];
        }
    t.lower = slab(p, best);
    return t;
}

// Distance of the weighted points, in quad.
static quad weighted(const problem* p, const double* wa, const double* wb) {
    quad v[MAX_DIM];
    for (int k = 0; k < p->dim; k++) {
        v[k] = 0;
        for (int i = 0; i < p->count_a; i++) v[k] -= (quad)wa[i] * ((quad)p->a[i][k] - (quad)p->a[0][k]);
        for (int j = 0; j < p->count_b; j++) v[k] += (quad)wb[j] * ((quad)p->b[j][k] - (quad)p->a[0][k]);
    }
    return quad_sqrt(dot(p->dim, v, v));
}

#endif

// Jacobi's method for the axes of a symmetric 3 x 3 matrix, one rotation at a time.
#ifndef APART_BASE_JACOBI_H
#define APART_BASE_JACOBI_H

#include <math.h>

/// Turns plane pq so that m[p][q] vanishes: m becomes J^T m J, v becomes v J.
static inline void jacobi_rotate(double m[3][3], double v[3][3], int p, int q) {
    if (m[p][q] == 0) return;
    double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; ++k) {
        double x = m[k][p], y = m[k][q];
        m[k][p] = c * x - s * y;
        m[k][q] = s * x + c * y;
    }
    for (int k = 0; k < 3; ++k) {
        double x = m[p][k], y = m[q][k];
        m[p][k] = c * x - s * y;
        m[q][k] = s * x + c * y;
    }
    for (int k = 0; k < 3; ++k) {
        double x = v[k][p], y = v[k][q];
        v[k][p] = c * x - s * y;
        v[k][q] = s * x + c * y;
    }
}

#endif

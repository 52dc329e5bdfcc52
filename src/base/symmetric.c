// The least value of a quadratic function on the sphere: eigenvalues, with bounds.
#include "base/symmetric.h"

/// A bound is good to this part of `weight`, the sum of the norms of all that it is made of, with so many Jacobi
/// rotations. Let u = 2^-53. Entries of Q and c and the constant are sums of at most 32 numbers, each made in 4
/// roundings or less: 36 u each, and 12 u for the last sum. A rotation leaves 10 u of Q, and 6 u of the orthogonality
/// of V, which counts once for c and twice for lambda, itself at most |Q| + |c|.
static double rounding(int rotations) { return 0x1p-53 * (128 + 22 * rotations); }

/// Slopes below this count as zero.
#define TINY 0x1p-200

/// Turns plane ij so that q[i][j] vanishes, unless it is nothing beside the rest. How many turns that took.
static int rotate(double q[3][3], double v[3][3], int i, int j) {
    if (fabs(q[i][j]) <= 0x1p-58 * (fabs(q[0][0]) + fabs(q[1][1]) + fabs(q[2][2]))) return 0;
    jacobi_rotate(q, v, i, j);
    return 1;
}

/// Q = V diag(mu) V^T; returns the norm of what is left beside the diagonal, and how many rotations it took.
static double diagonalise(const symmetric* s, double v[3][3], double mu[3], int* rotations) {
    const double* m = s->m;
    double q[3][3] = {{m[0], m[3], m[4]}, {m[3], m[1], m[5]}, {m[4], m[5], m[2]}};
    for (int i = 0; i < 9; ++i) v[i / 3][i % 3] = i / 3 == i % 3;
    *rotations = 0;
    for (int sweep = 0, turned = 1; sweep < 8 && turned > 0; ++sweep) {
        turned = rotate(q, v, 0, 1);
        turned += rotate(q, v, 0, 2);
        turned += rotate(q, v, 1, 2);
        *rotations += turned;
    }
    for (int i = 0; i < 3; ++i) mu[i] = q[i][i];
    return fabs(q[0][1]) + fabs(q[0][2]) + fabs(q[1][2]) + fabs(q[1][0]) + fabs(q[2][0]) + fabs(q[2][1]);
}

/// n . Q n + c . n along the axes of Q: with `above`, how far each mu is above the least one.
typedef struct spectrum {
    double v[3][3], above[3], c[3];
    int first;
} spectrum;

/// Twice the shift of each coordinate is c / (above + delta); the sum of the squares of the shifts, and of their
/// squares over (above + delta).
static double shifts(const spectrum* x, double delta, double* slope) {
    double sum = 0;
    *slope = 0;
    for (int i = 0; i < 3; ++i) {
        if (x->c[i] == 0) continue;
        double gap = x->above[i] + delta, m = x->c[i] / (2 * gap);
        sum += m * m;
        *slope += m * m / gap;
    }
    return sum;
}

/// The delta at which the shifts make a unit vector: below that they are longer. 0 if they never are as long.
static double find_delta(const spectrum* x) {
    double length = sqrt(x->c[0] * x->c[0] + x->c[1] * x->c[1] + x->c[2] * x->c[2]);
    double low = 0.5 * fabs(x->c[x->first]), high = 0.5 * length, slope, delta = high;
    if (!(shifts(x, low, &slope) > 1)) return low;
    for (int step = 0; step < 60 && low < high; ++step) {
        // Newton on 1 / |m|, which is almost straight.
        double mm = shifts(x, delta, &slope);
        if (mm > 1) {
            low = delta;
        } else {
            high = delta;
        }
        double next = delta - (1 - sqrt(mm)) * mm / slope;
        if (!(next > low && next < high))
            next = low > 0x1p-10 * high ? 0.5 * (low + high) : larger(sqrt(low * high), 0x1p-10 * high);
        if (fabs(next - delta) <= 0x1p-40 * delta) break;
        delta = next;
    }
    return delta;
}

double apart_symmetric_least(const quadratic* f, vec3 near, vec3* where) {
    spectrum x;
    int rotations;
    double mu[3], m[3], squares = 0, lost = diagonalise(&f->q, x.v, mu, &rotations), sum = 0;
    x.first = mu[1] < mu[0] ? 1 : 0;
    if (mu[2] < mu[x.first]) x.first = 2;
    for (int i = 0; i < 3; ++i) {
        x.above[i] = mu[i] - mu[x.first];
        x.c[i] = x.v[0][i] * f->c.x + x.v[1][i] * f->c.y + x.v[2][i] * f->c.z;
        if (fabs(x.c[i]) < TINY) {
            lost += fabs(x.c[i]);
            x.c[i] = 0;
        }
    }
    double delta = find_delta(&x);
    for (int i = 0; i < 3; ++i) {
        m[i] = x.c[i] == 0 ? 0 : -x.c[i] / (2 * (x.above[i] + delta));
        sum += m[i] * x.c[i] / 2;
        squares += m[i] * m[i];
    }
    if (squares < 1) {
        double along = x.v[0][x.first] * near.x + x.v[1][x.first] * near.y + x.v[2][x.first] * near.z;
        // The rest, along the least axis: towards `near`, or on from where it is.
        double rest = 1 - squares + m[x.first] * m[x.first];
        m[x.first] = copysign(sqrt(rest), m[x.first] == 0 ? along : m[x.first]);
    }
    *where = vec3_unit(vec3_make(x.v[0][0] * m[0] + x.v[0][1] * m[1] + x.v[0][2] * m[2],
                                 x.v[1][0] * m[0] + x.v[1][1] * m[1] + x.v[1][2] * m[2],
                                 x.v[2][0] * m[0] + x.v[2][1] * m[1] + x.v[2][2] * m[2]));
    return f->constant + ((mu[x.first] - delta) + sum) - lost - rounding(rotations) * f->weight;
}

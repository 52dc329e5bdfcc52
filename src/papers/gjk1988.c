// Johnson's distance subalgorithm and its Backup Procedure: Gilbert, Johnson, Keerthi 1988, sections V and VI. Subsets
// are numbered by bit masks, as in Cameron 1997.
//
// The letters, after the paper:
//   Y      the points y_0 ... y_{count-1} of the simplex; Y_s is the subset whose bit mask is s
//   D_i(s) the cofactor of point i in Y_s, the paper's Delta_i(Y_s): one number per subset and member
//   D(s)   the sum of D_i(s) over the members: the Gramian of the edges of Y_s, positive if they are independent
//   lambda the weights: the point of the affine hull of Y_s nearest the origin is sum D_i(s) / D(s) y_i
//   v      the point sum lambda_i y_i
//
// Theorem 3: v lies in Y_s if D(s) > 0, D_i(s) > 0 for every member i, and D_j(s + j) <= 0 for every other point j.
//
// Departures: the Backup Procedure measures |v| of the weights as they were rounded instead of formula (33), which
// assumes that they are exact. Inner products are not kept from step to step: there are ten at most.
#include "papers/gjk1988.h"

#include <float.h>
#include <string.h>

typedef struct workspace {
    int count;
    double (*dot)[4];
    double d[16][4]; // D_i(s) at d[s][i]
} workspace;

static unsigned bit(int i) { return 1u << i; }

// The lowest member of s; s must not be empty.
static int lowest(unsigned s) { return __builtin_ctz(s); }

// s without its lowest member: for (t = s; t != 0; t = rest(t)) visits the members lowest(t) in ascending order.
static unsigned rest(unsigned s) { return s & (s - 1); }

// Recursion (30): D_j(s + j) = sum over i in s of D_i(s) (y_i . y_k - y_i . y_j), with k the lowest member of s.
static double cofactor(const workspace* w, unsigned s, int j) {
    const double *d = w->d[s], *dot_k = w->dot[lowest(s)], *dot_j = w->dot[j];
    double sum = 0;
    for (unsigned t = s; t != 0; t = rest(t)) {
        int i = lowest(t);
        sum += d[i] * (dot_k[i] - dot_j[i]);
    }
    return sum;
}

// All cofactors. A subset comes after its own subsets.
static void fill_cofactors(workspace* w, int count, double dot[4][4]) {
    w->count = count;
    w->dot = dot;
    for (unsigned s = 1; s < bit(count); s++)
        for (unsigned t = s; t != 0; t = rest(t)) {
            int j = lowest(t);
            w->d[s][j] = s == bit(j) ? 1.0 : cofactor(w, s ^ bit(j), j);
        }
}

// The third condition: no other point leads nearer to the origin.
static bool optimal(const workspace* w, unsigned s) {
    for (unsigned t = (bit(w->count) - 1) ^ s; t != 0; t = rest(t))
        if (!(cofactor(w, s, lowest(t)) <= 0)) return false;
    return true;
}

// The weights (31) of a subset if it passes Theorem 3; any: if it passes the first two conditions. A Gramian below the
// normal range has no digits left: such a subset counts as dependent. Comparisons are written so that NaN fails.
static bool try_subset(const workspace* w, unsigned s, bool any, double* lambda) {
    const double* d = w->d[s];
    double sum = 0;
    for (unsigned t = s; t != 0; t = rest(t)) {
        if (!(d[lowest(t)] > 0)) return false;
        sum += d[lowest(t)];
    }
    if (!(sum >= DBL_MIN && sum <= DBL_MAX) || !(any || optimal(w, s))) return false;
    for (int i = 0; i < w->count; i++) lambda[i] = 0;
    for (unsigned t = s; t != 0; t = rest(t)) lambda[lowest(t)] = d[lowest(t)] / sum;
    return true;
}

// Section VI: the face that most often (80 %) holds v leaves out the kept point that lies farthest along the newest.
static unsigned likeliest(const workspace* w) {
    int newest = w->count - 1, out = 0;
    for (int i = 1; i < newest; i++)
        if (w->dot[newest][i] > w->dot[newest][out]) out = i;
    unsigned all = bit(w->count) - 1;
    return newest == 0 ? all : all ^ bit(out);
}

bool apart_johnson_solve(int count, double dot[4][4], double* lambda) {
    workspace w;
    fill_cofactors(&w, count, dot);
    unsigned end = bit(count), newest = bit(count - 1), first = likeliest(&w);
    if (try_subset(&w, first, false, lambda)) return true;
    // The subsets with the newest point, small ones first as masks go; the others were tried before it came.
    for (unsigned s = newest; s < end; s++)
        if (s != first && try_subset(&w, s, false, lambda)) return true;
    for (unsigned s = 1; s < newest; s++)
        if (try_subset(&w, s, false, lambda)) return true;
    return false;
}

// |v|^2 of the given weights, from the inner products.
static double square(const workspace* w, const double* lambda) {
    double sum = 0;
    for (int i = 0; i < w->count; i++) {
        double inner = 0;
        for (int j = 0; j < w->count; j++) inner += lambda[j] * w->dot[i][j];
        sum += lambda[i] * inner;
    }
    return sum;
}

void apart_johnson_backup(int count, double dot[4][4], double* lambda) {
    workspace w;
    fill_cofactors(&w, count, dot);
    double best = NAN, here[4];
    for (unsigned s = 1; s < bit(count); s++) {
        if (!try_subset(&w, s, true, here) || (s > 1 && !(square(&w, here) < best))) continue;
        best = square(&w, here);
        memcpy(lambda, here, (size_t)count * sizeof *lambda);
    }
}

nearest apart_johnson_nearest(const vec3* w, int count, bool again) {
    nearest n = {.vv = NAN};
    double dot[4][4];
    for (int i = 0; i < count; i++)
        for (int j = 0; j <= i; j++) dot[i][j] = dot[j][i] = vec3_dot(w[j], w[i]);
    if (again) {
        apart_johnson_backup(count, dot, n.lambda);
    } else if (!apart_johnson_solve(count, dot, n.lambda)) {
        return n;
    }
    n.v = vec3_scale(n.lambda[0], w[0]);
    for (int i = 1; i < count; i++) n.v = vec3_mad(n.v, n.lambda[i], w[i]);
    n.vv = vec3_dot(n.v, n.v);
    return n;
}

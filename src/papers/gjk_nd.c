// The distance of two point sets' hulls in R^dim: GJK as it was stated in 1988, for any dimension (Gilbert, Johnson,
// Keerthi, sections IV to VI).
//
// The letters, after the paper:
//   y_i    points of K = A - B, at most dim + 1 of them: the simplex
//   lambda convex weights; v = sum lambda_i y_i, the point of the simplex nearest the origin. |v| is an upper bound
//   w      the support point of K along -v; g(v) = v.v - v.w, and |v| - g(v) / |v| is a lower bound of the distance
//
// Departures:
//  - Coordinates are taken from a point between the centroids (34) and scaled by a power of two, so that place and size
//    do not matter; points of K are differences of the coordinates as given, rounded once.
//  - Johnson's subalgorithm works on inner products, which square the condition of the simplex, and looks at 2^count
//    subsets. The same problem is solved by Wolfe's active set (Finding the nearest point in a polytope, 1976) with an
//    orthogonal factorisation: the digits of the coordinates survive, the cost grows with count^3, and it is as fast
//    from two dimensions on.
#include "base/pose.h"

#include <float.h>

#define MAX_DIM 8
#define MAX_POINTS (MAX_DIM + 1)

// Every step shortens v or is the last one; sets of thousands of points in 8 dimensions take some 30.
#define MAX_STEPS 1000
#define MAX_IDLE 30

typedef struct point_set {
    const double* x;
    size_t count;
} point_set;

typedef struct pair {
    int dim;
    point_set set[2]; // a, b
    double origin[MAX_DIM];
    double scale; // a power of two
    double size;  // no point of K is longer, scaled
} pair;

typedef struct simplex {
    int count;
    size_t index[2][MAX_POINTS];   // which points of the sets
    double y[MAX_POINTS][MAX_DIM]; // their difference, scaled
    double lambda[MAX_POINTS];     // 0 = to be dropped
    double v[MAX_DIM];
    double square; // |v|^2
} simplex;

static double dot(int dim, const double* x, const double* y) {
    double sum = 0;
    for (int k = 0; k < dim; k++) sum += x[k] * y[k];
    return sum;
}

// -------------------------------------------------------------------------------------------------- the two sets ----

static apart_status check_set(const point_set* set, int dim) {
    if (set->count > SIZE_MAX / sizeof(double) / (size_t)dim) return APART_INVALID;
    for (size_t i = 0; i < set->count * (size_t)dim; i++) {
        apart_status status = apart_number_check(set->x[i]);
        if (status != APART_OK) return status;
    }
    return APART_OK;
}

static const double* point_of(const pair* p, int side, size_t i) { return p->set[side].x + i * (size_t)p->dim; }

// The mean of a set, kept below the largest point at all times.
static void centroid(const pair* p, int side, double* mean) {
    for (int k = 0; k < p->dim; k++) mean[k] = p->set[side].x[k];
    for (size_t i = 1; i < p->set[side].count; i++)
        for (int k = 0; k < p->dim; k++) mean[k] += (point_of(p, side, i)[k] - mean[k]) / (double)(i + 1);
}

// Chooses origin and scale; *direction = from the centroid of b to that of a, a first guess of v.
static void centre_sets(pair* p, double* direction) {
    double mean[2][MAX_DIM], largest = 0;
    for (int side = 0; side < 2; side++) centroid(p, side, mean[side]);
    for (int k = 0; k < p->dim; k++) p->origin[k] = 0.5 * mean[0][k] + 0.5 * mean[1][k];
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < p->set[side].count; i++)
            for (int k = 0; k < p->dim; k++) largest = fmax(largest, fabs(point_of(p, side, i)[k] - p->origin[k]));
    p->scale = ldexp(1, -exponent_of(largest));
    p->size = 2 * sqrt(p->dim);
    for (int k = 0; k < p->dim; k++) direction[k] = p->scale * (mean[0][k] - mean[1][k]);
}

// The point of a set that lies farthest along sign * d; the first one on a tie.
static size_t farthest(const pair* p, int side, const double* d, double sign) {
    size_t best = 0;
    double best_height = -INFINITY;
    for (size_t i = 0; i < p->set[side].count; i++) {
        const double* x = point_of(p, side, i);
        double height = 0;
        for (int k = 0; k < p->dim; k++) height += d[k] * (p->scale * (x[k] - p->origin[k]));
        height *= sign;
        if (height > best_height) best = i;
        best_height = fmax(best_height, height);
    }
    return best;
}

// --------------------------------------------------------------------------------------------------- the simplex ----

// Appends the support point of K along -d, with weight 0.
static void append_support(simplex* s, const pair* p, const double* d) {
    int n = s->count++;
    size_t i = s->index[0][n] = farthest(p, 0, d, -1), j = s->index[1][n] = farthest(p, 1, d, 1);
    const double *a = point_of(p, 0, i), *b = point_of(p, 1, j);
    s->lambda[n] = 0;
    for (int k = 0; k < p->dim; k++) s->y[n][k] = p->scale * (a[k] - b[k]);
}

static bool newest_is_known(const simplex* s) {
    int n = s->count - 1;
    for (int i = 0; i < n; i++)
        if (s->index[0][i] == s->index[0][n] && s->index[1][i] == s->index[1][n]) return true;
    return false;
}

// Drops the points without weight, and rounds the sum of the weights to 1.
static void compact(simplex* s, int dim) {
    int kept = 0;
    double sum = 0;
    for (int i = 0; i < s->count; i++) sum += s->lambda[i];
    for (int i = 0; i < s->count; i++) {
        if (!(s->lambda[i] > 0)) continue;
        for (int side = 0; side < 2; side++) s->index[side][kept] = s->index[side][i];
        s->lambda[kept] = s->lambda[i] / sum;
        for (int k = 0; k < dim; k++) s->y[kept][k] = s->y[i][k];
        kept++;
    }
    s->count = kept;
}

// --------------------------------------------------------------------------------------------------------- Wolfe ----

// q_i: orthonormal; d_i = y_i - y_0 = sum over j <= i of upper[j][i] q_j. A direction without a part of its own has
// upper[i][i] = 0.
typedef struct factors {
    double q[MAX_POINTS][MAX_DIM];
    double upper[MAX_POINTS][MAX_POINTS];
} factors;

// Gram-Schmidt, each direction twice, which keeps the q orthogonal to a few roundings. What is left of a direction is
// rounding if it is below 8 roundings of its length (one per term of a sum).
static void factorise(const simplex* s, int dim, factors* f) {
    for (int i = 1; i < s->count; i++) {
        double* q = f->q[i];
        for (int k = 0; k < dim; k++) q[k] = s->y[i][k] - s->y[0][k];
        double whole = dot(dim, q, q);
        for (int pass = 0; pass < 2; pass++)
            for (int j = 1; j < i; j++) {
                double c = dot(dim, f->q[j], q);
                f->upper[j][i] = (pass ? f->upper[j][i] : 0) + c;
                for (int k = 0; k < dim; k++) q[k] -= c * f->q[j][k];
            }
        double rest = dot(dim, q, q), length = rest > whole * 0x1p-100 ? sqrt(rest) : 0;
        f->upper[i][i] = length;
        for (int k = 0; k < dim; k++) q[k] = length > 0 ? q[k] / length : 0;
    }
}

// The point v of the affine hull nearest the origin, and its weights: they sum to 1 but may be negative. v is made
// perpendicular to the simplex twice, so that its direction has all its digits however short it is; the sum of the
// weighted points would leave a rounding of their size along the simplex, and the next support would go astray.
static void nearest_affine(const simplex* s, int dim, double* alpha, double* v) {
    factors f;
    factorise(s, dim, &f);
    for (int k = 0; k < dim; k++) v[k] = s->y[0][k];
    for (int pass = 0; pass < 2; pass++)
        for (int i = 1; i < s->count; i++) {
            double c = dot(dim, f.q[i], v);
            alpha[i] = (pass ? alpha[i] : 0) - c;
            for (int k = 0; k < dim; k++) v[k] -= c * f.q[i][k];
        }
    alpha[0] = 1;
    for (int i = s->count - 1; i > 0; i--) {
        for (int j = i + 1; j < s->count; j++) alpha[i] -= f.upper[i][j] * alpha[j];
        alpha[i] = f.upper[i][i] > 0 ? alpha[i] / f.upper[i][i] : 0;
        alpha[0] -= alpha[i];
    }
}

// From lambda towards alpha until the first weight vanishes. True if none does: lambda = alpha.
static bool step_towards(simplex* s, const double* alpha) {
    int first = -1;
    double step = 1;
    for (int i = 0; i < s->count; i++) {
        if (alpha[i] > 0) continue;
        double reach = s->lambda[i] > 0 ? s->lambda[i] / (s->lambda[i] - alpha[i]) : 0;
        if (first >= 0 && reach >= step) continue;
        first = i;
        step = reach;
    }
    for (int i = 0; i < s->count; i++) s->lambda[i] = fmax((1 - step) * s->lambda[i] + step * alpha[i], 0);
    if (first >= 0) s->lambda[first] = 0;
    return first < 0;
}

// Wolfe's minor cycle: the weights move to the nearest point of the affine hull, and points they leave on the way are
// dropped, until all that remain are positive there. A single point is its own nearest one, so it ends.
static void solve_wolfe(simplex* s, int dim) {
    bool arrived = false;
    while (!arrived) {
        double alpha[MAX_POINTS];
        nearest_affine(s, dim, alpha, s->v);
        arrived = step_towards(s, alpha);
        compact(s, dim);
    }
    s->square = dot(dim, s->v, s->v);
}

// ------------------------------------------------------------------------------------------------------ the loop ----

// One step: adds the support point along -v and solves. False if v is nearest as far as arithmetic tells.
static bool advance_simplex(simplex* s, const pair* p) {
    if (s->count > p->dim) return false;
    simplex next = *s;
    append_support(&next, p, s->v);
    if (newest_is_known(&next)) return false;

    // g(v) within the rounding of v.w, a sum of dim products: the bracket [|v| - g(v) / |v|, |v|] is closed.
    double gap = s->square - dot(p->dim, s->v, next.y[next.count - 1]);
    if (gap <= 2 * DBL_EPSILON * p->size * sqrt(s->square)) return false;
    solve_wolfe(&next, p->dim);
    *s = next;
    return true;
}

// A step may exchange one corner for another without a visible gain (a tiny weight on either), so a few of those in a
// row are allowed.
static void narrow_simplex(simplex* s, const pair* p, const double* direction) {
    s->count = 0;
    append_support(s, p, direction);
    s->lambda[0] = 1;
    solve_wolfe(s, p->dim);
    simplex best = *s;
    int idle = 0;
    for (int step = 0; step < MAX_STEPS && idle < MAX_IDLE && advance_simplex(s, p); step++) {
        idle = s->square < best.square ? 0 : idle + 1;
        if (idle == 0) best = *s;
    }
    *s = best;
}

// The origin lies inside a simplex of full dimension, as far as arithmetic tells: all weights are positive, and v is
// the rounding of dim + 1 products.
static bool holds_origin(const simplex* s, const pair* p) {
    return s->count == p->dim + 1 && sqrt(s->square) <= (p->dim + 1) * DBL_EPSILON * p->size;
}

// The weighted point of a set, from its first corner.
static void weighted_point(const simplex* s, const pair* p, int side, double* point) {
    const size_t* index = s->index[side];
    for (int k = 0; k < p->dim && point != NULL; k++) {
        double base = point_of(p, side, index[0])[k];
        point[k] = 0;
        for (int i = 1; i < s->count; i++) point[k] += s->lambda[i] * (point_of(p, side, index[i])[k] - base);
        point[k] += base;
    }
}

// Overlap: exactly 0 if the last simplex holds the origin (the two points then agree within a few roundings of the
// size), else a distance of that order: bodies that only touch, or whose difference is flat.
apart_status apart_distance_nd(int dim, const double* a, size_t a_count, const double* b, size_t b_count,
                               double* point_a, double* point_b, double* distance) {
    if (dim < 1 || dim > MAX_DIM) return APART_INVALID;
    if (a_count == 0 || b_count == 0) return APART_EMPTY;
    if (a == NULL || b == NULL) return APART_INVALID;
    pair p = {.dim = dim, .set = {{a, a_count}, {b, b_count}}};
    apart_status status = check_set(&p.set[0], dim);
    if (status == APART_OK) status = check_set(&p.set[1], dim);
    if (status != APART_OK) return status;
    simplex s;
    double direction[MAX_DIM];
    centre_sets(&p, direction);
    narrow_simplex(&s, &p, direction);
    weighted_point(&s, &p, 0, point_a);
    weighted_point(&s, &p, 1, point_b);
    if (distance != NULL) *distance = holds_origin(&s, &p) ? 0 : sqrt(s.square) / p.scale;
    return APART_OK;
}

#include "convex/quadric.h"
#include "convex/round.h"

/// Two boxes are no matter for this room: a box and a cylinder have most.
#define MAX_ROOTS 5
#define MAX_PARTS (MAX_ROOTS + 2)
#define SIDES 3
#define MAX_CELLS 128
/// Most cells that one search looks at, most bounds of it, and of one that begins with the last normal.
#define MOST_LOOKS 500
#define MOST_ROUNDS 1500
#define RESUMED_ROUNDS 100
#define MAX_ROUNDS 16

/// In place of the number of faces: the depth was found here, the cache holds nothing but the normal.
#define CACHE_BY_BOUNDS UINT32_MAX

/// A direction is at a kink if that makes no more difference than this part of the depth.
#define AT_KINK 0x1p-31

/// Sides that are narrower than this are not split.
#define NARROWEST 0x1p-8

/// A bound is good to this part of `weight`, the sum of the norms of all that it is made of, with so many Jacobi
/// rotations. Let u = 2^-53. Entries of Q and c and the constant are sums of at most 32 numbers, each made in 4
/// roundings or less: 36 u each, and 12 u for the last sum. A rotation leaves 10 u of Q, and 6 u of the orthogonality
/// of V, which counts once for c and twice for lambda, itself at most |Q| + |c|.
static double rounding(int rotations) { return 0x1p-53 * (128 + 22 * rotations); }

/// Slopes, and traces of roots, below this count as zero.
#define TINY 0x1p-200

/// No curvature is larger: it would cost more digits than it is worth.
#define MAX_CURVATURE 0x1p11

typedef struct range {
    double low, high;
} range;

/// A symmetric matrix: xx, yy, zz, xy, xz, yz.
typedef struct symmetric {
    double m[6];
} symmetric;

typedef struct root {
    vec3 u[3];
    int rank;
    symmetric square; // U U^T
    double trace;     // of that
    double reach;     // its root: no |U t| is longer for |t| <= 1
    double low, high; // |U^T n| is between these
} root;

/// max(height x, radius |P n|), where x is the cosine between the axis and n.
typedef struct cone {
    vec3 axis;
    double height, radius;
    double kink; // the x at which both are equal
    int disc;    // the root that is radius |P n|
    root length; // |R^T n|: 1, as far as the matrix is a rotation
} cone;

/// The roots of a cylinder or a box: the squares of root / size add up to 1, but for the skew.
typedef struct group {
    int first, count;
    double size[3], skew;
} group;

typedef struct problem {
    vec3 c;
    double weight; // of c
    int roots, cones;
    int roots_of_a, cones_of_a; // the first ones are a's
    root root[MAX_ROOTS];
    cone cone[2];
    int groups;
    group group[2];
    vec3 side[SIDES]; // unit vectors square to each other, along which cells are told apart where nothing else does
} problem;

/// A part of the sphere: a range of every root, then of x for every cone.
typedef struct cell {
    range range[MAX_PARTS], side[SIDES];
    double press[SIDES]; // how hard the bound is pushed up beyond each of the sides
    double bound;
    vec3 least; // where the bound is least, more or less
    int part;   // what to split, and where; -1: nothing. After the parts the sides are counted
    double at;
} cell;

/// constant + c . n + n . Q n
typedef struct quadratic {
    symmetric q;
    vec3 c;
    double constant, weight;
} quadratic;

// ---------------------------------------------------------------------------------------------------- the bodies ----

static void add_square(symmetric* s, double w, vec3 u) {
    vec3 v = vec3_scale(w, u);
    double p[6] = {v.x * u.x, v.y * u.y, v.z * u.z, v.x * u.y, v.x * u.z, v.y * u.z};
    for (int i = 0; i < 6; ++i) s->m[i] += p[i];
}

static vec3 apply(const symmetric* s, vec3 n) {
    const double* m = s->m;
    return vec3_make(m[0] * n.x + m[3] * n.y + m[4] * n.z, m[3] * n.x + m[1] * n.y + m[5] * n.z,
                     m[4] * n.x + m[5] * n.y + m[2] * n.z);
}

static double value_of(const root* r, vec3 n) {
    double sum = 0;
    for (int i = 0; i < r->rank; ++i) {
        double x = vec3_dot(r->u[i], n);
        sum += x * x;
    }
    return sqrt(sum);
}

/// A root of `rank` columns with lengths from `least` to `most`, in axes that are square to each other but for `skew`.
static root make_root(const vec3* u, int rank, double least, double most, double skew) {
    root r = {.rank = rank, .low = rank == 3 ? least * (1 - skew) : 0, .high = most * (1 + skew)};
    for (int i = 0; i < rank; ++i) {
        r.u[i] = u[i];
        add_square(&r.square, 1, u[i]);
        r.trace += vec3_dot(u[i], u[i]);
    }
    r.reach = sqrt(r.trace);
    return r;
}

static int add_root(problem* p, root r) {
    p->root[p->roots] = r;
    return p->roots++;
}

static vec3 column(const mat3* r, int i, double s) { return vec3_make(s * r->m[0][i], s * r->m[1][i], s * r->m[2][i]); }

static void add_linear(problem* p, vec3 c) {
    p->c = vec3_add(p->c, c);
    p->weight += vec3_sum_abs(c);
}

static void add_ellipsoid(problem* p, const mat3* r, vec3 e, double skew) {
    vec3 u[3] = {column(r, 0, e.x), column(r, 1, e.y), column(r, 2, e.z)};
    add_root(p, make_root(u, 3, smaller(e.x, smaller(e.y, e.z)), vec3_max_abs(e), skew));
}

static void add_segment(problem* p, vec3 u) {
    double length = vec3_length(u) * (1 + 0x1p-50);
    add_root(p, make_root(&u, 1, 0, length, 0));
}

static int add_disc(problem* p, const mat3* r, double radius, double skew) {
    vec3 u[2] = {column(r, 0, radius), column(r, 1, radius)};
    return add_root(p, make_root(u, 2, 0, radius, skew));
}

static void add_cylinder(problem* p, const mat3* r, vec3 e, double skew) {
    int disc = add_disc(p, r, e.x, skew);
    add_segment(p, column(r, 2, e.z));
    if (e.x > 0 && e.z > 0) p->group[p->groups++] = (group){disc, 2, {e.x, e.z}, skew};
}

static void add_cone(problem* p, const mat3* r, vec3 e, double skew, double sign) {
    add_linear(p, column(r, 2, -sign * e.z));
    int disc = add_disc(p, r, e.x, skew);
    if (e.z == 0) return;
    vec3 axes[3] = {column(r, 0, 1), column(r, 1, 1), column(r, 2, 1)};
    cone* c = &p->cone[p->cones++];
    c->axis = vec3_scale(sign, axes[2]);
    c->height = 2 * e.z;
    c->radius = e.x;
    c->kink = e.x / sqrt(e.x * e.x + c->height * c->height);
    c->disc = disc;
    c->length = make_root(axes, 3, 1, 1, skew);
    p->root[disc].low = p->root[disc].high = 0; // told by the range of x
}

/// False if h of this body is not made of roots and cones.
static bool add_body(problem* p, const posed_body* body, double sign) {
    const apart_shape* s = body->shape;
    const mat3* r = &body->pose->rotation;
    // |R^T R - I| is at most three times its largest entry.
    double skew = 3 * apart_round_skew(r) + 0x1p-48;
    vec3 e = vec3_scale(body->factor, s->extent);
    switch (s->kind) {
    case SHAPE_ELLIPSOID:
        add_ellipsoid(p, r, e, skew);
        return true;
    case SHAPE_CYLINDER:
        add_cylinder(p, r, e, skew);
        return true;
    case SHAPE_CONE:
        add_cone(p, r, e, skew, sign);
        return true;
    case SHAPE_BOX:
        p->group[p->groups++] = (group){p->roots, 3, {e.x, e.y, e.z}, skew};
        add_segment(p, column(r, 0, e.x));
        add_segment(p, column(r, 1, e.y));
        add_segment(p, column(r, 2, e.z));
        return true;
    case SHAPE_POLYTOPE: {
        if (s->polytope.count > 2) return false;
        vec3 first = posed_point(body, shape_vertex(s, 0)),
             last = posed_point(body, shape_vertex(s, s->polytope.count - 1));
        add_linear(p, vec3_scale(sign, vec3_scale(0.5, vec3_add(first, last))));
        if (s->polytope.count == 2) add_segment(p, vec3_scale(0.5, vec3_sub(last, first)));
        return true;
    }
    default:
        return false;
    }
}

/// The value of a part of h_K, and what its range is told in.
static double part_value(const problem* p, int i, vec3 n, double* at) {
    if (i < p->roots) return *at = p->root[i].high > 0 ? value_of(&p->root[i], n) : 0;
    const cone* c = &p->cone[i - p->roots];
    double along = vec3_dot(c->axis, n);
    *at = along / value_of(&c->length, n);
    return larger(c->height * along, value_of(&p->root[c->disc], n));
}

/// h_K(n), more or less.
static double height(const problem* p, vec3 n) {
    double sum = vec3_dot(p->c, n), at;
    for (int i = 0; i < p->roots + p->cones; ++i) sum += part_value(p, i, n, &at);
    return sum;
}

// -------------------------------------------------------------------------------- the least value of a quadratic ----

/// Turns plane ij so that q[i][j] vanishes.
static int rotate(double q[3][3], double v[3][3], int i, int j) {
    if (fabs(q[i][j]) <= 0x1p-58 * (fabs(q[0][0]) + fabs(q[1][1]) + fabs(q[2][2]))) return 0;
    double theta = (q[j][j] - q[i][i]) / (2 * q[i][j]);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; ++k) {
        double a = q[k][i], b = q[k][j];
        q[k][i] = c * a - s * b;
        q[k][j] = s * a + c * b;
    }
    for (int k = 0; k < 3; ++k) {
        double a = q[i][k], b = q[j][k];
        q[i][k] = c * a - s * b;
        q[j][k] = s * a + c * b;
    }
    for (int k = 0; k < 3; ++k) {
        double a = v[k][i], b = v[k][j];
        v[k][i] = c * a - s * b;
        v[k][j] = s * a + c * b;
    }
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

/// A number not above the least value of f on the unit sphere, and where about that is; of two such places the one
/// nearer to `near`. For any lambda below all mu, mu m^2 + c m >= lambda m^2 - c^2 / (mu - lambda) / 4 in each
/// coordinate along the axes of Q; the best lambda = least - delta gives the least value itself.
static double least_value(const quadratic* f, vec3 near, vec3* where) {
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

// ------------------------------------------------------------------------------------------- the bound of a cell ----

/// A part of h_K whose bound has a slope that may be chosen: t of a root down to zero, or the slope of a cone at its
/// kink.
typedef struct handle {
    const root* root; // NULL: a cone
    double high;      // of the root
    const cone* cone;
    range slope, x; // of the cone
    double t[3];    // the choice
    double bend;    // what is left for the square
} handle;

typedef struct handles {
    int count;
    handle handle[MAX_ROOTS + 2];
} handles;

static void add_quadratic(quadratic* f, double w, const symmetric* s, double trace) {
    for (int i = 0; i < 6; ++i) f->q.m[i] += w * s->m[i];
    f->weight += w * trace;
}

static void add_constant(quadratic* f, double x) {
    f->constant += x;
    f->weight += fabs(x);
}

/// w (n . axis - a) (n . axis - b)
static void add_parabola(quadratic* f, double w, vec3 axis, double a, double b) {
    add_square(&f->q, w, axis);
    f->c = vec3_mad(f->c, -w * (a + b), axis);
    add_constant(f, w * a * b);
    f->weight += 2 * w * (1 + fabs(a + b));
}

/// w times a root between low > 0 and high: s - low >= share (s - low) (s + low), as share (s + low) <= 1.
static void add_chord(quadratic* f, double w, const root* r, double low, double high) {
    double share = smaller(1 / (low + high), MAX_CURVATURE / r->trace);
    add_quadratic(f, w * share, &r->square, r->trace);
    add_constant(f, w * low * (1 - share * low));
}

/// A root in its range: the chord, or a handle for later.
static void bound_root(quadratic* f, handles* free, const root* r, range s) {
    if (s.low > 0) {
        add_chord(f, 1, r, s.low, s.high);
    } else if (s.high > 0 && r->trace > TINY) {
        free->handle[free->count++] = (handle){.root = r, .high = s.high};
    }
}

static double profile(const cone* c, double x) { return larger(c->height * x, c->radius * sqrt((1 - x) * (1 + x))); }

/// The slopes at the kink for which a line stays below the profile to both ends of the range.
static range kink_slopes(const cone* c, range x) {
    double top = c->height * c->kink, left = -c->radius * c->radius / c->height;
    if (x.low < c->kink) left = smaller((top - profile(c, x.low)) / (c->kink - x.low), c->height);
    return (range){left, c->height};
}

/// radius |P n| of a cone, where x is in its range.
static range disc_range(const cone* c, range x) {
    double low = (1 - x.low) * (1 + x.low), high = (1 - x.high) * (1 + x.high);
    double most = x.low <= 0 && x.high >= 0 ? 1 : larger(low, high);
    return (range){c->radius * c->length.low * sqrt(smaller(low, high)), c->radius * c->length.high * sqrt(most)};
}

/// Beyond the range, where another bound holds, the parabola that is added keeps this one above.
static void bound_cone(quadratic* f, handles* free, const problem* p, const cone* c, range x) {
    double off = 1 - c->length.low, a = x.low - off, b = x.high + off, h = c->height, curvature;
    if (x.low <= c->kink && c->kink <= x.high) {
        free->handle[free->count++] = (handle){.cone = c, .slope = kink_slopes(c, x), .x = x};
        return;
    }
    if (x.high < c->kink) {
        curvature = h / ((1 - c->kink) * (c->kink - x.low));
        bound_root(f, free, &p->root[c->disc], disc_range(c, x));
    } else {
        curvature = (h + c->radius * c->radius / h) / (x.high - c->kink);
        f->c = vec3_mad(f->c, h, c->axis);
        f->weight += 2 * h;
    }
    add_parabola(f, smaller(curvature, MAX_CURVATURE), c->axis, a, b);
}

/// The bound of a root down to zero with its choice of t.
static void take_root(quadratic* f, handle* h) {
    double length = sqrt(h->t[0] * h->t[0] + h->t[1] * h->t[1] + h->t[2] * h->t[2]);
    for (int i = 0; i < h->root->rank; ++i) f->c = vec3_mad(f->c, h->t[i], h->root->u[i]);
    f->weight += 2 * h->root->reach;
    h->bend = smaller(larger(0, 1 - length) / h->high, MAX_CURVATURE / h->root->trace);
    add_quadratic(f, h->bend, &h->root->square, h->root->trace);
}

/// The bound of a cone about its kink, with slope t: with y the cosine, m = R^T n and e = ||m| - 1|, the profile is at
/// least top + t (y - kink) + curvature (y - kink)^2, as it is concave on either side of the kink and the bound is
/// convex, equal at the kink, and not above at the ends of the range. Times |m|, with m_z = |m| y:
/// (m_z - kink |m|)^2 >= (m_z - kink)^2 / 2 - e^2 kink^2.
static void take_cone(quadratic* f, handle* h) {
    const cone* c = h->cone;
    double t = h->t[0], k = c->kink, top = c->height * k, e = c->length.high - 1, curvature = MAX_CURVATURE;
    if (h->x.low < k)
        curvature =
            smaller(curvature, (profile(c, h->x.low) - top - t * (h->x.low - k)) / ((k - h->x.low) * (k - h->x.low)));
    if (h->x.high > k) curvature = smaller(curvature, (c->height - t) / (h->x.high - k));
    curvature = larger(0, curvature) / c->length.high;
    add_chord(f, k * (c->height - t), &c->length, c->length.low, c->length.high);
    f->c = vec3_mad(f->c, t, c->axis);
    f->weight += 2 * fabs(t) + c->height + c->radius;
    h->bend = 0.5 * curvature;
    add_parabola(f, h->bend, c->axis, k, k);
    add_constant(f, -curvature * e * e * k * k);
}

static void take(quadratic* f, handle* h) {
    if (h->root) {
        take_root(f, h);
    } else {
        take_cone(f, h);
    }
}

static void add(quadratic* f, const quadratic* g) {
    for (int i = 0; i < 6; ++i) f->q.m[i] += g->q.m[i];
    f->c = vec3_add(f->c, g->c);
    f->constant += g->constant;
    f->weight += g->weight;
}

static double evaluate(const quadratic* f, vec3 n) {
    return f->constant + vec3_dot(f->c, n) + vec3_dot(n, apply(&f->q, n));
}

static int rank_of(const handle* h) { return h->root ? h->root->rank : 1; }
static const vec3* columns_of(const handle* h) { return h->root ? h->root->u : &h->cone->axis; }

/// Brings t back into its limits.
static void limit(handle* h) {
    double length = h->t[0] * h->t[0] + h->t[1] * h->t[1] + h->t[2] * h->t[2];
    if (!h->root) h->t[0] = larger(h->slope.low, smaller(h->slope.high, h->t[0]));
    double shrink = h->root && length > 1 ? 1 / sqrt(length) : 1;
    for (int i = 0; i < 3; ++i) h->t[i] *= shrink;
}

/// One step towards a slope with which f is level at `ref`: r is the slope of f there, square to ref.
static void adjust(handle* h, vec3* r, vec3 ref) {
    const vec3* u = columns_of(h);
    double trace = h->root ? h->root->trace : 1, old[3];
    for (int i = 0; i < rank_of(h); ++i) {
        old[i] = h->t[i];
        h->t[i] -= vec3_dot(u[i], *r) / trace;
    }
    limit(h);
    for (int i = 0; i < rank_of(h); ++i) {
        vec3 across = vec3_mad(u[i], -vec3_dot(u[i], ref), ref);
        *r = vec3_mad(*r, h->t[i] - old[i], across);
    }
}

/// The slope that the bound has at n, all in t: so the next bound is least nearer to the kink.
static void follow(handle* h, vec3 n) {
    const vec3* u = columns_of(h);
    double middle = h->root ? 0 : h->cone->kink * value_of(&h->cone->length, n);
    // A root has no square left if |t| is 1; it must be able to leave that.
    double bend = h->root ? larger(h->bend, smaller(0.25 / h->high, MAX_CURVATURE / h->root->trace)) : h->bend;
    for (int i = 0; i < rank_of(h); ++i) h->t[i] += 2 * bend * (vec3_dot(u[i], n) - middle);
    limit(h);
}

static bool in_limits(const handle* h, double t) {
    return h->root ? fabs(t) <= 1 : h->slope.low <= t && t <= h->slope.high;
}

/// The same for two slopes at once, where one after the other would take too long: their directions are almost the
/// same. False if it cannot be.
static bool adjust_both(handle* g, handle* h, vec3 r, vec3 ref) {
    if (rank_of(g) != 1 || rank_of(h) != 1) return false;
    vec3 u = *columns_of(g), v = *columns_of(h);
    double area = vec3_dot(ref, vec3_cross(u, v));
    if (area == 0) return false;
    double s = g->t[0] - vec3_dot(ref, vec3_cross(r, v)) / area, t = h->t[0] - vec3_dot(ref, vec3_cross(u, r)) / area;
    if (!in_limits(g, s) || !in_limits(h, t)) return false;
    g->t[0] = s;
    h->t[0] = t;
    return true;
}

/// Chooses the slopes so that f is level at `ref`, if that can be.
static void match(const quadratic* f, handles* free, vec3 ref) {
    vec3 r = vec3_mad(f->c, 2, apply(&f->q, ref));
    for (int i = 0; i < free->count; ++i) {
        handle* h = &free->handle[i];
        if (h->cone) r = vec3_mad(r, h->t[0] = 0.5 * (h->slope.low + h->slope.high), h->cone->axis);
    }
    r = vec3_mad(r, -vec3_dot(r, ref), ref);
    for (int sweep = 0; sweep < 8; ++sweep)
        for (int i = 0; i < free->count; ++i) adjust(&free->handle[i], &r, ref);
    for (int i = 0; i < free->count; ++i)
        for (int j = 0; j < i; ++j)
            if (adjust_both(&free->handle[i], &free->handle[j], r, ref)) return;
}

/// The bounds of all parts of a cell, with the handles of part i from first[i] on.
typedef struct parts {
    quadratic fixed[MAX_PARTS], sum;
    handles free;
    int first[MAX_PARTS + 1];
} parts;

static void bound_parts(const problem* p, const cell* c, parts* x) {
    x->sum = (quadratic){.c = p->c, .weight = p->weight};
    x->free.count = 0;
    for (int i = 0; i < p->roots + p->cones; ++i) {
        x->fixed[i] = (quadratic){.constant = 0};
        x->first[i] = x->free.count;
        if (i < p->roots) {
            bound_root(&x->fixed[i], &x->free, &p->root[i], c->range[i]);
        } else {
            bound_cone(&x->fixed[i], &x->free, p, &p->cone[i - p->roots], c->range[i]);
        }
        add(&x->sum, &x->fixed[i]);
    }
    x->first[p->roots + p->cones] = x->free.count;
}

/// Where to split the range r of part i, near `at`; outside the range if it had better not be split. Near a kink the
/// bounds beyond it would need more curvature than is allowed to stay above h_K.
static double split_point(const problem* p, int i, range r, double at) {
    double wide = r.high - r.low, inner = smaller(larger(at, r.low + 0.125 * wide), r.high - 0.125 * wide);
    if (!(r.low < at && at < r.high)) inner = r.low + 0.5 * wide;
    if (i < p->roots) return larger(inner, p->root[i].trace / MAX_CURVATURE);
    const cone* c = &p->cone[i - p->roots];
    double h = c->height, left = c->kink - h / ((1 - c->kink) * MAX_CURVATURE);
    double right = c->kink + (h + c->radius * c->radius / h) / MAX_CURVATURE;
    if (inner <= left || inner >= right) return inner;
    if ((at > c->kink && right < r.high) || !(left > r.low)) return right;
    return left;
}

/// The widest side, cut in half.
static void split_side(const problem* p, cell* c) {
    int widest = 0;
    for (int i = 1; i < SIDES; ++i)
        if (c->side[i].high - c->side[i].low > c->side[widest].high - c->side[widest].low) widest = i;
    const range* r = &c->side[widest];
    c->part = r->high - r->low > NARROWEST ? p->roots + p->cones + widest : -1;
    c->at = 0.5 * (r->low + r->high);
}

/// Notes which part loses most at c->least and, if that cannot be split, a side.
static void find_worst(const problem* p, const parts* x, const quadratic* taken, cell* c) {
    double most = -INFINITY;
    for (int i = 0; i < p->roots + p->cones; ++i) {
        double at, loss = part_value(p, i, c->least, &at) - evaluate(&x->fixed[i], c->least);
        for (int j = x->first[i]; j < x->first[i + 1]; ++j) loss -= evaluate(&taken[j], c->least);
        if (!(loss > most)) continue;
        most = loss;
        c->at = split_point(p, i, c->range[i], at);
        c->part = c->range[i].low < c->at && c->at < c->range[i].high ? i : -1;
    }
    if (c->part < 0) split_side(p, c);
}

typedef struct search {
    problem p;
    goal goal;
    double best; // the lowest plane, and its normal
    vec3 best_n;
    double proven; // least bound of the cells that are done
    int rounds, most, looks, cells;
    cell cell[MAX_CELLS];
} search;

/// Notes the support plane along n, if it is the lowest. Returns its height.
static double try_direction(search* s, vec3 n) {
    double h = height(&s->p, n);
    if (h < s->best) {
        s->best = h;
        s->best_n = n;
    }
    return h;
}

/// Where n lies beyond a side of the cell, the bound is pushed up there by what is open; where it does not, it need not
/// be pushed so hard. Returns whether anything changed.
static bool press_sides(const problem* p, cell* c, vec3 n, double open) {
    bool pressed = false;
    for (int j = 0; j < SIDES; ++j) {
        double x = vec3_dot(p->side[j], n), beyond = (x - c->side[j].low) * (x - c->side[j].high);
        if (beyond > 0x1p-6) {
            c->press[j] = smaller(c->press[j] + open / beyond, 1);
            pressed = true;
        } else if (beyond < 0 && c->press[j] > 0) {
            c->press[j] *= 0.5;
            pressed = true;
        }
    }
    return pressed;
}

/// Raises c->bound to a number not above h_K in the cell, with slopes for `ref` at first. Sets c->least, where about it
/// is attained, and which part loses most there.
static void raise_bound(search* s, cell* c, vec3 ref) {
    const problem* p = &s->p;
    parts x;
    bound_parts(p, c, &x);
    match(&x.sum, &x.free, ref);
    int stalled = 0;
    double last = INFINITY;
    for (int round = 0; round < MAX_ROUNDS && stalled < 2; ++round) {
        quadratic sum = x.sum, taken[MAX_PARTS];
        for (int j = 0; j < x.free.count; ++j) {
            taken[j] = (quadratic){.constant = 0};
            take(&taken[j], &x.free.handle[j]);
            add(&sum, &taken[j]);
        }
        for (int j = 0; j < SIDES; ++j) add_parabola(&sum, c->press[j], p->side[j], c->side[j].low, c->side[j].high);
        vec3 least;
        s->rounds += 1;
        double bound = least_value(&sum, ref, &least), open = try_direction(s, least) - bound;
        stalled = open < 0.9 * last || bound > c->bound ? 0 : stalled + 1;
        last = open;
        if (bound > c->bound) {
            c->bound = bound;
            c->least = least;
            find_worst(p, &x, taken, c);
        }
        if (narrow_enough(&s->goal, -bound, -s->best)) break;
        bool pressed = press_sides(p, c, least, open);
        if (!pressed && x.free.count == 0) break;
        for (int j = 0; j < x.free.count; ++j) follow(&x.free.handle[j], least);
    }
}

// ---------------------------------------------------------------------------------------------------- the search ----

/// Narrows the range of root k of a group by those of the others.
static void narrow_root(const group* g, range* r, int k) {
    double least = 0, most = 0;
    for (int i = 0; i < g->count; ++i) {
        if (i == k) continue;
        double low = r[i].low / g->size[i], high = r[i].high / g->size[i];
        least += low * low;
        most += high * high;
    }
    double wide = 1 + g->skew, narrow = 1 - g->skew;
    r[k].high = smaller(r[k].high, g->size[k] * sqrt(larger(0, wide * wide - least)) * (1 + 0x1p-50));
    r[k].low = larger(r[k].low, g->size[k] * sqrt(larger(0, narrow * narrow - most)) * (1 - 0x1p-50));
}

/// The roots of a group know of each other. False if the cell is empty.
static bool tighten(const problem* p, cell* c) {
    for (int i = 0; i < p->groups; ++i) {
        const group* g = &p->group[i];
        range* r = &c->range[g->first];
        for (int k = 0; k < g->count; ++k) {
            narrow_root(g, r, k);
            if (r[k].low > r[k].high) return false;
        }
    }
    return true;
}

/// Looks at a cell: done with, or kept for later.
static void look(search* s, cell* c) {
    vec3 before = c->least;
    double parent = c->bound;
    c->bound = -INFINITY;
    s->looks += 1;
    raise_bound(s, c, before);
    if (!narrow_enough(&s->goal, -c->bound, -s->best)) raise_bound(s, c, s->best_n);
    c->bound = larger(c->bound, parent);
    if (narrow_enough(&s->goal, -c->bound, -s->best)) {
        s->proven = smaller(s->proven, c->bound);
    } else {
        s->cell[s->cells++] = *c;
    }
}

/// Splits the cell with the least bound until all are done with.
static void run(search* s) {
    while (s->cells > 0 && s->rounds < s->most && s->looks < MOST_LOOKS && s->cells + 1 < MAX_CELLS) {
        int least = 0;
        for (int i = 1; i < s->cells; ++i)
            if (s->cell[i].bound < s->cell[least].bound) least = i;
        cell low = s->cell[least], high = low;
        s->cell[least] = s->cell[--s->cells];
        if (low.part < 0) {
            s->proven = smaller(s->proven, low.bound);
            continue;
        }
        int side = low.part - (s->p.roots + s->p.cones);
        if (side < 0) {
            low.range[low.part].high = high.range[high.part].low = low.at;
        } else {
            low.side[side].high = high.side[side].low = low.at;
        }
        if (tighten(&s->p, &low)) look(s, &low);
        if (tighten(&s->p, &high)) look(s, &high);
    }
    for (int i = 0; i < s->cells; ++i) s->proven = smaller(s->proven, s->cell[i].bound);
}

/// Directions in which two segments are seen end on: where both have a kink.
static void try_crossings(search* s) {
    const problem* p = &s->p;
    for (int i = 0; i < p->roots; ++i) {
        for (int j = 0; j < i; ++j) {
            vec3 n = vec3_cross(p->root[i].u[0], p->root[j].u[0]);
            if (p->root[i].rank != 1 || p->root[j].rank != 1 || vec3_is_zero(n)) continue;
            try_direction(s, vec3_unit(n));
            try_direction(s, vec3_neg(vec3_unit(n)));
        }
    }
}

// ------------------------------------------------------------------------------------------------------- the end ----

/// How far n is from the kink of part i, in what it would cost to be at it.
static double kink_cost(const problem* p, int i, double at) {
    if (i < p->roots) return at;
    const cone* c = &p->cone[i - p->roots];
    return fabs(at - c->kink) * (c->height + c->radius * c->radius / c->height);
}

/// The cell of n alone, but for the kinks that n is at as far as `near` tells.
static cell cell_at(const problem* p, vec3 n, double near) {
    cell c = {.least = n};
    for (int i = 0; i < p->roots + p->cones; ++i) {
        double at;
        part_value(p, i, n, &at);
        c.range[i] = (range){at, at};
        if (kink_cost(p, i, at) > near) continue;
        double kink = i < p->roots ? 0 : p->cone[i - p->roots].kink, high = i < p->roots ? p->root[i].high : kink;
        c.range[i] = (range){smaller(at, kink), larger(at, high)};
    }
    return c;
}

/// The point of a root's body with the slopes of h_K at n, from its middle: U t.
static vec3 root_point(const root* r, const handle* h, vec3 n, double t[3]) {
    vec3 point = {0, 0, 0};
    double s = value_of(r, n);
    for (int i = 0; i < r->rank; ++i) {
        t[i] = h ? h->t[i] : s > 0 ? vec3_dot(r->u[i], n) / s : 0;
        point = vec3_mad(point, t[i], r->u[i]);
    }
    return point;
}

/// The same of a cone, from the middle of its base: part of the way from the rim to the apex.
static vec3 cone_point(const problem* p, const cone* c, const handle* h, vec3 n) {
    double t[3], value = value_of(&p->root[c->disc], n), apex = c->height * vec3_dot(c->axis, n) > value;
    vec3 rim = root_point(&p->root[c->disc], h && h->root ? h : NULL, n, t);
    double low = c->radius * c->radius / c->height;
    if (h && h->cone) apex = larger(0, smaller(1, (h->t[0] + low) / (c->height + low)));
    return vec3_add(vec3_scale(1 - apex, rim), vec3_scale(apex * c->height, c->axis));
}

/// A point of a box or a segment, given from -1 to 1 along its edges, by its corners: from the first to the last, one
/// edge after the other, those that are followed farthest first.
static void carry_corners(const posed_body* body, const double along[3], carrier* out) {
    int edges = shape_vertex_count(body->shape) == 8 ? 3 : (int)shape_vertex_count(body->shape) - 1;
    int order[3] = {0, 1, 2};
    for (int i = 1; i < edges; ++i)
        for (int j = i; j > 0 && along[order[j]] > along[order[j - 1]]; --j) {
            int swap = order[j];
            order[j] = order[j - 1];
            order[j - 1] = swap;
        }
    double before = 1;
    uint32_t corner = 0;
    for (int i = 0; i <= edges; ++i) {
        double after = i < edges ? 0.5 * (1 + along[order[i]]) : 0;
        out->point[i] = posed_point(body, shape_vertex(body->shape, corner));
        out->index[i] = corner;
        out->weight[i] = larger(0, before - after);
        if (i < edges) corner |= 1u << order[i];
        before = after;
    }
    out->count = edges + 1;
}

/// The same of a body: what carries it. The slopes of a box or a segment are weights of its corners.
static void carry(const problem* p, const parts* x, const posed_body* body, double sign, vec3 n, carrier* out) {
    bool second = sign < 0;
    int first = second ? p->roots_of_a : 0, last = second ? p->roots : p->roots_of_a;
    int cone_first = second ? p->cones_of_a : 0, cone_last = second ? p->cones : p->cones_of_a;
    vec3 point = {0, 0, 0};
    double t[3] = {0, 0, 0}, along[3] = {0, 0, 0};
    for (int i = first; i < last; ++i) {
        const handle* h = x->first[i] < x->first[i + 1] ? &x->free.handle[x->first[i]] : NULL;
        bool disc = cone_first < cone_last && p->cone[cone_first].disc == i;
        if (!disc) point = vec3_add(point, root_point(&p->root[i], h, n, t));
        if (i - first < 3) along[i - first] = sign * t[0];
    }
    for (int i = cone_first; i < cone_last; ++i) {
        int j = p->roots + i;
        const handle* h = x->first[j] < x->first[j + 1] ? &x->free.handle[x->first[j]] : NULL;
        point = vec3_add(point, cone_point(p, &p->cone[i], h, n));
    }
    vec3 base = body->shape->kind == SHAPE_CONE ? vec3_make(0, 0, -body->shape->extent.z) : vec3_make(0, 0, 0);
    *out = (carrier){.count = 1,
                     .point = {vec3_add(posed_point(body, base), vec3_scale(sign, point))},
                     .index = {NO_VERTEX},
                     .weight = {1}};
    if (shape_has_vertices(body->shape)) carry_corners(body, along, out);
}

/// The normal of the best plane, and the points that touch when the bodies are moved out along it.
static void take_points(const difference* k, const search* s, outcome* out) {
    cell c = cell_at(&s->p, s->best_n, AT_KINK * s->best);
    parts x;
    bound_parts(&s->p, &c, &x);
    match(&x.sum, &x.free, s->best_n);
    carry(&s->p, &x, &k->a, 1, s->best_n, &out->a);
    carry(&s->p, &x, &k->b, -1, s->best_n, &out->b);
    out->normal = s->best_n;
}

/// False if h_K is not made of roots and cones.
static bool begin(const difference* k, const goal* g, double best, vec3 normal, search* s) {
    *s = (search){.best = best, .best_n = normal, .proven = INFINITY, .goal = *g};
    s->goal.depth = APART_DEPTH_EXACT;
    add_linear(&s->p, k->offset);
    if (!add_body(&s->p, &k->a, 1)) return false;
    s->p.roots_of_a = s->p.roots;
    s->p.cones_of_a = s->p.cones;
    return add_body(&s->p, &k->b, -1);
}

/// The search over the whole sphere, in at most so many rounds.
static void search_all(search* s, int most) {
    try_crossings(s);
    cell all = {.least = s->best_n, .bound = -INFINITY};
    for (int i = 0; i < s->p.roots; ++i) all.range[i] = (range){s->p.root[i].low, s->p.root[i].high};
    for (int i = 0; i < s->p.cones; ++i) all.range[s->p.roots + i] = (range){-1, 1};
    for (int i = 0; i < SIDES; ++i) all.side[i] = (range){-1 - 0x1p-40, 1 + 0x1p-40};
    s->p.side[0] = s->best_n;
    s->p.side[1] = vec3_square(s->best_n);
    s->p.side[2] = vec3_unit(vec3_cross(s->best_n, s->p.side[1]));
    s->most = most;
    look(s, &all);
    run(s);
}

/// The height of the support plane along the best normal, with the rounding that lower ends are allowed.
static double ask_plane(difference* k, const search* s) {
    vertex p;
    apart_difference_support(k, s->best_n, &p);
    return vec3_dot(s->best_n, p.w);
}

/// The next query begins here.
static void remember(const difference* k, const search* s, apart_cache* cache) {
    apart_difference_remember(k, s->best_n, cache);
    cache->faces = CACHE_BY_BOUNDS;
}

bool apart_quadric_run(difference* k, const goal* g, apart_cache* cache, outcome* out) {
    search s;
    if (!begin(k, g, -out->lower, out->normal, &s)) return false;
    search_all(&s, MOST_ROUNDS);
    bool proven = s.proven > g->rounding_high && -s.proven < out->upper;
    out->iterations += s.looks;
    double plane = ask_plane(k, &s);
    if (plane < -out->lower || proven) take_points(k, &s, out);
    out->lower = larger(out->lower, -plane);
    if (!proven) return false;
    out->upper = -s.proven;
    out->overlap = true;
    if (cache) remember(k, &s, cache);
    return true;
}

bool apart_quadric_resume(difference* k, const goal* g, apart_cache* cache, outcome* out) {
    vec3 last = {cache->direction[0], cache->direction[1], cache->direction[2]};
    double squared = vec3_dot(last, last);
    search s;
    if (cache->faces != CACHE_BY_BOUNDS) return false;
    if (!(squared > 0.25 && squared < 4) || !begin(k, g, INFINITY, vec3_unit(last), &s)) return false;
    // The last normal still separates the bodies, or they only touch: no matter for this room.
    if (!(try_direction(&s, s.best_n) > NEAR_CONTACT * k->size)) return false;
    search_all(&s, RESUMED_ROUNDS);
    if (!(s.proven > g->rounding_high && narrow_enough(&s.goal, -s.proven, -s.best))) return false;
    *out = (outcome){.upper = -s.proven, .lower = -ask_plane(k, &s), .overlap = true, .iterations = s.looks};
    take_points(k, &s, out);
    remember(k, &s, cache);
    return true;
}

// Quadratic functions below a support function within a cell of directions.
#include "depth/minorant.h"

/// Traces of roots below this count as zero.
#define TINY 0x1p-200

/// w times a root between low > 0 and high: s - low >= share (s - low) (s + low), as share (s + low) <= 1.
static void add_chord(quadratic* f, double w, const root* r, double low, double high) {
    double share = smaller(1 / (low + high), MAX_CURVATURE / r->trace);
    quadratic_add_form(f, w * share, &r->square, r->trace);
    quadratic_add_constant(f, w * low * (1 - share * low));
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
static void bound_cone(quadratic* f, handles* free, const terms* p, const cone* c, range x) {
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
    quadratic_add_parabola(f, smaller(curvature, MAX_CURVATURE), c->axis, a, b);
}

/// The bound of a root down to zero with its choice of t.
static void take_root(quadratic* f, handle* h) {
    double length = sqrt(h->t[0] * h->t[0] + h->t[1] * h->t[1] + h->t[2] * h->t[2]);
    for (int i = 0; i < h->root->rank; ++i) f->c = vec3_mad(f->c, h->t[i], h->root->u[i]);
    f->weight += 2 * h->root->reach;
    h->bend = smaller(larger(0, 1 - length) / h->high, MAX_CURVATURE / h->root->trace);
    quadratic_add_form(f, h->bend, &h->root->square, h->root->trace);
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
    quadratic_add_parabola(f, h->bend, c->axis, k, k);
    quadratic_add_constant(f, -curvature * e * e * k * k);
}

void apart_minorant_take(quadratic* f, handle* h) {
    if (h->root) {
        take_root(f, h);
    } else {
        take_cone(f, h);
    }
}

static int rank_of(const handle* h) { return h->root ? h->root->rank : 1; }

static const vec3* columns_of(const handle* h) { return h->root ? h->root->u : &h->cone->axis; }

/// Brings t back into its limits.
static void limit_slope(handle* h) {
    double length = h->t[0] * h->t[0] + h->t[1] * h->t[1] + h->t[2] * h->t[2];
    if (!h->root) h->t[0] = larger(h->slope.low, smaller(h->slope.high, h->t[0]));
    double shrink = h->root && length > 1 ? 1 / sqrt(length) : 1;
    for (int i = 0; i < 3; ++i) h->t[i] *= shrink;
}

/// One step towards a slope with which f is level at `ref`: r is the slope of f there, square to ref.
static void adjust_slope(handle* h, vec3* r, vec3 ref) {
    const vec3* u = columns_of(h);
    double trace = h->root ? h->root->trace : 1, old[3];
    for (int i = 0; i < rank_of(h); ++i) {
        old[i] = h->t[i];
        h->t[i] -= vec3_dot(u[i], *r) / trace;
    }
    limit_slope(h);
    for (int i = 0; i < rank_of(h); ++i) {
        vec3 across = vec3_mad(u[i], -vec3_dot(u[i], ref), ref);
        *r = vec3_mad(*r, h->t[i] - old[i], across);
    }
}

static bool in_limits(const handle* h, double t) {
    return h->root ? fabs(t) <= 1 : h->slope.low <= t && t <= h->slope.high;
}

/// Two slopes with which it is, at once, where one after the other would take too long: their directions are almost the
/// same. False if it cannot be.
static bool adjust_two_slopes(handle* g, handle* h, vec3 r, vec3 ref) {
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

void apart_minorant_match(const quadratic* f, handles* free, vec3 ref) {
    vec3 r = vec3_mad(f->c, 2, symmetric_apply(&f->q, ref));
    for (int i = 0; i < free->count; ++i) {
        handle* h = &free->handle[i];
        if (h->cone) r = vec3_mad(r, h->t[0] = 0.5 * (h->slope.low + h->slope.high), h->cone->axis);
    }
    r = vec3_mad(r, -vec3_dot(r, ref), ref);
    for (int sweep = 0; sweep < 8; ++sweep)
        for (int i = 0; i < free->count; ++i) adjust_slope(&free->handle[i], &r, ref);
    for (int i = 0; i < free->count; ++i)
        for (int j = 0; j < i; ++j)
            if (adjust_two_slopes(&free->handle[i], &free->handle[j], r, ref)) return;
}

void apart_minorant_follow(handle* h, vec3 n) {
    const vec3* u = columns_of(h);
    double middle = h->root ? 0 : h->cone->kink * apart_formulas_root(&h->cone->length, n);
    // A root has no square left if |t| is 1; it must be able to leave that.
    double bend = h->root ? larger(h->bend, smaller(0.25 / h->high, MAX_CURVATURE / h->root->trace)) : h->bend;
    for (int i = 0; i < rank_of(h); ++i) h->t[i] += 2 * bend * (vec3_dot(u[i], n) - middle);
    limit_slope(h);
}

void apart_minorant_make(const terms* p, const range* ranges, minorant* x) {
    x->sum = (quadratic){.c = p->c, .weight = p->weight};
    x->free.count = 0;
    for (int i = 0; i < p->roots + p->cones; ++i) {
        x->fixed[i] = (quadratic){.constant = 0};
        x->first[i] = x->free.count;
        if (i < p->roots) {
            bound_root(&x->fixed[i], &x->free, &p->root[i], ranges[i]);
        } else {
            bound_cone(&x->fixed[i], &x->free, p, &p->cone[i - p->roots], ranges[i]);
        }
        quadratic_add(&x->sum, &x->fixed[i]);
    }
    x->first[p->roots + p->cones] = x->free.count;
}

double apart_minorant_split(const terms* p, int i, range r, double at) {
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

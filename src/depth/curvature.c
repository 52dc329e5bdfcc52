#include "depth/curvature.h"
#include "depth/minorant.h"

/// The curvature of a cap is above what it needs by this part.
#define SPARE 0x1p-7
/// Lengths and their squares that nothing is divided by.
#define TINY ROOT_TINY

// -------------------------------------------------------------------------------------------------------- the cap ----

/// The bound of a root over the directions at most `sine` from n; high: never longer than this. Rounding: e = U^T n /
/// |U^T n|, U e and the products take 12 roundings or less of what is added to the weight.
static void bound_root(quadratic* f, const root* r, const root_touch* s, double high, vec3 n, double sine) {
    if (root_is_nothing(r)) return;
    double top = smaller(high, apart_formulas_root(r, n) + r->reach * sine), most = MAX_CURVATURE / r->trace, bend = 0;
    vec3 q = {0, 0, 0}, point;
    if (s->kink) {
        double t = sqrt(s->t[0] * s->t[0] + s->t[1] * s->t[1]);
        point = root_along(r, s->t);
        bend = smaller(larger(0, 1 - t) / top, most);
    } else {
        point = q = apart_newton_root_point(r, s, n);
        if (r->rank > 1) bend = smaller(0.5 / top, most);
    }
    f->c = vec3_add(f->c, point);
    root_add_bend(&f->q, bend, r, q);
    f->weight += 2 * (r->reach + bend * r->trace);
}

/// A line of a cone, at the weight t from the rim to the apex: with a the height of the apex, b that of the rim, and b
/// = y + q, y linear and q what the rim curves,
///     max(a, b) >= t a + (1 - t) b + w (a - b)^2           for w <= t (1 - t) / |a - b|,
///               >= t a + (1 - t) y + w (a - y)^2 / 2 + (1 - t - w q) q.
static void bound_line(quadratic* f, const cone* c, const root* r, double t, vec3 rim, vec3 n, double sine) {
    vec3 g = vec3_sub(vec3_scale(c->height, c->axis), rim);
    double across = r->reach * sine, low = vec3_dot(rim, n) * sqrt((1 - sine) * (1 + sine)) - across;
    double most = low > 0 ? smaller(across, 0.5 * across * across / low) : across - 2 * low;
    double wide = fabs(vec3_dot(g, n)) + vec3_length(g) * sine + most, gg = vec3_dot(g, g);
    double w = smaller(t * (1 - t) / larger(wide, TINY), MAX_CURVATURE / larger(gg, TINY));
    if (w * most > 0.5 * (1 - t)) w = 0.5 * (1 - t) / most;
    double high = smaller(c->radius * c->length.high, apart_formulas_root(r, n) + across);
    double bend = smaller(0.5 / high, MAX_CURVATURE / r->trace) * (1 - t - w * most);
    f->c = vec3_add(f->c, vec3_mad(rim, t, g));
    symmetric_add(&f->q, 0.5 * w, g);
    root_add_bend(&f->q, bend, r, rim);
    f->weight += 2 * (c->height + r->reach + w * gg + bend * r->trace);
}

static void bound_cone(quadratic* f, const terms* p, const cone* c, const cone_touch* s, const root_touch* disc, vec3 n,
                       double sine) {
    const root* r = &p->root[c->disc];
    if (s->part == APEX || root_is_nothing(r)) {
        f->c = vec3_mad(f->c, s->part == RIM ? 0 : s->part == LINE ? s->t : 1, vec3_scale(c->height, c->axis));
        f->weight += 2 * c->height;
    } else if (s->part == RIM || disc->kink) {
        bound_root(f, r, disc, c->radius * c->length.high, n, sine);
    } else {
        bound_line(f, c, r, s->t, apart_newton_root_point(r, disc, n), n, sine);
    }
}

quadratic apart_curvature_minorant(const touch* x, double sine) {
    const terms* p = x->p;
    quadratic f = {.c = p->c, .weight = p->weight};
    for (int i = 0; i < p->roots; ++i)
        if (!terms_is_cone_disc(p, i)) bound_root(&f, &p->root[i], &x->root[i], p->root[i].high, x->n, sine);
    for (int i = 0; i < p->cones; ++i)
        bound_cone(&f, p, &p->cone[i], &x->cone[i], &x->root[p->cone[i].disc], x->n, sine);
    return f;
}

/// The least curvature across n.
static double least_bend(const quadratic* f, vec3 n) {
    vec3 x = vec3_square(n), y = vec3_cross(n, x), qx = symmetric_apply(&f->q, x), qy = symmetric_apply(&f->q, y);
    double xx = vec3_dot(x, qx), xy = vec3_dot(x, qy), yy = vec3_dot(y, qy), half = 0.5 * (xx - yy);
    return 0.5 * (xx + yy) - sqrt(half * half + xy * xy);
}

/// Whether the bounds over a cap of this size curve enough to prove the height all over it.
static bool is_round_enough(const touch* x, double height, double cosine, quadratic* f) {
    *f = apart_curvature_minorant(x, sqrt((1 - cosine) * (1 + cosine)));
    return least_bend(f, x->n) * (1 + cosine) > (1 + SPARE) * height;
}

/// The widest cap, as far as a few trials tell, and its bound. False if there is none. (n . n' - cosine) (n . n' - 1),
/// which is not positive in the cap, holds up the bound beyond it.
static bool spread(const touch* x, double height, cap* out) {
    static const double cosines[] = {0.25, 0.6, 0.8, 0.9, 0.95, 0.98, 0.993, 0.998};
    enum { TRIALS = sizeof cosines / sizeof cosines[0] };
    // The wider, the less they curve.
    quadratic f, trial;
    int low = -1, high = TRIALS - 1;
    if (!is_round_enough(x, height, cosines[high], &f)) return false;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (is_round_enough(x, height, cosines[middle], &trial)) {
            high = middle;
            f = trial;
        } else {
            low = middle;
        }
    }
    vec3 where;
    out->cosine = cosines[high];
    quadratic_add_parabola(&f, height / (1 + out->cosine), x->n, out->cosine, 1);
    out->bound = apart_symmetric_least(&f, x->n, &where);
    return true;
}

// ----------------------------------------------------------------------------------------------------- the points ----

static vec3 touching_point(const touch* x, int i) {
    const root* r = &x->p->root[i];
    return x->root[i].kink ? root_along(r, x->root[i].t) : apart_newton_root_point(r, &x->root[i], x->n);
}

/// Where a body touches: the first one (sign 1) or the second (-1).
static void carry(const touch* x, const posed_body* body, double sign, carrier* out) {
    const terms* p = x->p;
    bool second = sign < 0;
    double along[3] = {0, 0, 0};
    vec3 point = {0, 0, 0};
    for (int i = second ? p->roots_of_a : 0, j = 0; i < (second ? p->roots : p->roots_of_a); ++i, ++j) {
        if (j < 3) along[j] = sign * (x->root[i].kink ? x->root[i].t[0] : x->root[i].side);
        if (!terms_is_cone_disc(p, i)) point = vec3_add(point, touching_point(x, i));
    }
    for (int i = second ? p->cones_of_a : 0; i < (second ? p->cones : p->cones_of_a); ++i) {
        const cone* c = &p->cone[i];
        double t = x->cone[i].part == LINE ? x->cone[i].t : x->cone[i].part == APEX;
        vec3 rim = vec3_scale(1 - t, touching_point(x, c->disc));
        point = vec3_add(point, vec3_mad(rim, t * c->height, c->axis));
    }
    apart_formulas_carry(body, vec3_scale(sign, point), along, out);
}

void apart_curvature_points(const touch* x, const difference* k, carrier* a, carrier* b) {
    carry(x, &k->a, 1, a);
    carry(x, &k->b, -1, b);
}

// -------------------------------------------------------------------------------------------------------- the end ----

bool apart_curvature_find(difference* k, const goal* g, const terms* p, vec3 start, cap* out) {
    touch x;
    if (!apart_newton_run(p, start, INFINITY, &x)) return false;
    out->n = x.n;
    out->plane = apart_minkowski_height(k, x.n);
    if (!(out->plane > NEAR_CONTACT * k->size) || !spread(&x, out->plane, out)) return false;
    if (!(out->bound > g->rounding_high && depth_is_narrow(g, out->bound, out->plane))) return false;
    apart_curvature_points(&x, k, &out->a, &out->b);
    return true;
}

bool apart_curvature_apart(difference* k, const goal* g, apart_cache* cache, outcome* out) {
    vec3 last;
    terms p;
    touch x;
    if (!apart_minkowski_last(cache, &last) || !apart_formulas_make(k, &p)) return false;
    if (!apart_newton_run(&p, last, 0, &x)) return false;
    apart_curvature_points(&x, k, &out->a, &out->b);
    double upper = vec3_length(carried_difference(k, &out->a, &out->b)), lower = -apart_minkowski_height(k, x.n);
    if (!(upper > NEAR_CONTACT * k->size) || !narrow_enough(g, upper, lower)) return false;
    out->upper = upper;
    out->lower = lower;
    out->normal = x.n;
    out->iterations = 1;
    apart_minkowski_remember(k, x.n, cache);
    if (g->trace) apart_bracket_trace(k, g, 1, &out->a, &out->b, upper, lower);
    return true;
}

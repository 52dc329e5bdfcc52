// Newton's steps to a least support plane, and a proof by the curvature about it.
#include "depth/curvature.h"
#include "depth/minorant.h"

/// The curvature of a cap is above what it needs by this part.
#define SPARE 0x1p-7
/// Most steps on the way to a least support plane.
#define MAX_STEPS 16
/// A step below this is the last: the next one would be as short as its square.
#define SHORT_STEP 0x1p-18
/// No step is longer.
#define LONG_STEP 0.5
/// A root of rank 2 that leaves its kink does so by this angle.
#define NUDGE 0x1p-5
/// Where h_K does not curve upwards, the curvature that is assumed, in parts of the height.
#define DAMP 0.25
/// A part that is nearer to its kink than this is held there at first.
#define NEAR_KINK 0x1p-5
/// n is at a kink as long as it is no farther from it than this part of the body's size.
#define AT_KINK 0x1p-24
/// Generators of kinks whose directions differ less are not solved for both.
#define INDEPENDENT 0x1p-20

/// Roots whose squared sizes are below this count as nothing.
#define TINY 0x1p-200

static bool root_is_nothing(const root* r) { return !(r->trace > TINY); }

/// Whether root i belongs to a cone.
static bool terms_is_cone_disc(const terms* p, int i) {
    return (p->cones > 0 && p->cone[0].disc == i) || (p->cones > 1 && p->cone[1].disc == i);
}

/// U t
static vec3 root_along(const root* r, const double t[3]) {
    vec3 point = {0, 0, 0};
    for (int i = 0; i < r->rank; ++i) point = vec3_mad(point, t[i], r->u[i]);
    return point;
}

/// w (U U^T - q q^T): the curvature of a smooth root of rank 2 or 3 that touches at q, or at the kink (q = 0).
static void root_add_bend(symmetric* s, double w, const root* r, vec3 q) {
    for (int i = 0; i < 6; ++i) s->m[i] += w * r->square.m[i];
    symmetric_add(s, -w, q);
}

/// h_K near n: point . n + the curvature, and what is free at kinks.
typedef struct model {
    vec3 point, n;
    symmetric bend;
    int count;
    vec3 free[2];
    double* t[2];
} model;

// ------------------------------------------------------------------------------------------------------ the model ----

/// The point of a root's body that is farthest along n.
static vec3 root_point(const root* r, const root_touch* s, vec3 n) {
    double t[3] = {s->side, 0, 0}, length = apart_formulas_root(r, n);
    for (int i = 0; r->rank > 1 && i < r->rank; ++i) t[i] = length > ROOT_SHORT ? vec3_dot(r->u[i], n) / length : 0;
    return root_along(r, t);
}

/// Whether root i is the disc of a cone that touches with its apex.
static bool is_rimless(const touch* x, int i) {
    for (int j = 0; j < x->p->cones; ++j)
        if (x->p->cone[j].disc == i && x->cone[j].part == APEX) return true;
    return false;
}

/// A kink along g: t is free, unless two others are or it has their direction.
static void add_kink(model* m, vec3 g, double* t) {
    double size = vec3_length(g);
    bool room = m->count < 2 && vec3_length(vec3_cross(g, m->n)) > INDEPENDENT * size;
    if (room && m->count == 1) {
        double area = vec3_dot(m->n, vec3_cross(m->free[0], g));
        room = fabs(area) > INDEPENDENT * size * vec3_length(m->free[0]);
    }
    if (room) {
        m->free[m->count] = g;
        m->t[m->count++] = t;
    } else {
        m->point = vec3_mad(m->point, *t, g);
    }
}

static void model_root(model* m, const root* r, root_touch* s, double share) {
    if (root_is_nothing(r)) return;
    if (s->kink) {
        for (int i = 0; i < r->rank; ++i) add_kink(m, r->u[i], &s->t[i]);
        return;
    }
    vec3 q = root_point(r, s, m->n);
    m->point = vec3_add(m->point, q);
    double length = apart_formulas_root(r, m->n);
    if (r->rank > 1 && length > 0) root_add_bend(&m->bend, share / length, r, q);
}

static void model_cone(model* m, const terms* p, const cone* c, cone_touch* s, root_touch* disc) {
    vec3 apex = vec3_scale(c->height, c->axis);
    if (s->part == APEX) {
        m->point = vec3_add(m->point, apex);
        return;
    }
    double share = s->part == LINE ? larger(0, smaller(1, 1 - s->t)) : 1;
    model_root(m, &p->root[c->disc], disc, share);
    if (s->part == LINE) add_kink(m, vec3_sub(apex, root_point(&p->root[c->disc], disc, m->n)), &s->t);
}

static model model_at(touch* x) {
    const terms* p = x->p;
    model m = {.point = p->c, .n = x->n};
    for (int i = 0; i < p->roots; ++i)
        if (!terms_is_cone_disc(p, i)) model_root(&m, &p->root[i], &x->root[i], 1);
    for (int i = 0; i < p->cones; ++i) model_cone(&m, p, &p->cone[i], &x->cone[i], &x->root[p->cone[i].disc]);
    return m;
}

// ------------------------------------------------------------------------------------------------------- one step ----

/// In the plane across n, with axes x and y: the slope of h_K there, and its curvature less that of the sphere.
typedef struct plane {
    vec3 x, y;
    double px, py, xx, xy, yy;
} plane;

static plane plane_of(const model* m, double height) {
    plane r;
    vec3 first = m->count > 0 ? vec3_mad(m->free[0], -vec3_dot(m->free[0], m->n), m->n) : vec3_square(m->n);
    r.x = vec3_unit(first);
    r.y = vec3_cross(m->n, r.x);
    vec3 bx = symmetric_apply(&m->bend, r.x), by = symmetric_apply(&m->bend, r.y);
    r.px = vec3_dot(m->point, r.x);
    r.py = vec3_dot(m->point, r.y);
    r.xx = vec3_dot(r.x, bx) - height;
    r.xy = vec3_dot(r.x, by);
    r.yy = vec3_dot(r.y, by) - height;
    return r;
}

/// The step where no kink is held. Where h_K curves downwards, some curvature is assumed; returns whether it was.
static bool step_freely(plane* r, double height, double* x, double* y) {
    double half = 0.5 * (r->xx - r->yy), least = 0.5 * (r->xx + r->yy) - sqrt(half * half + r->xy * r->xy);
    double lift = least > 0 ? 0 : DAMP * height - least, xx = r->xx + lift, yy = r->yy + lift;
    double area = xx * yy - r->xy * r->xy;
    *x = (r->xy * r->py - yy * r->px) / area;
    *y = (r->xy * r->px - xx * r->py) / area;
    return lift != 0;
}

/// The step that stays on one kink, g: sets its t. Returns whether some curvature was assumed across it.
static bool step_along(plane* r, double height, const model* m, double* x, double* y) {
    vec3 g = m->free[0];
    double gx = vec3_dot(g, r->x);
    bool lifted = !(r->yy > 0);
    *x = -vec3_dot(g, m->n) / gx;
    *y = -(r->py + r->xy * *x) / (lifted ? DAMP * height : r->yy);
    *m->t[0] = -(r->px + r->xx * *x + r->xy * *y) / gx;
    return lifted;
}

/// The step to where two kinks meet: sets both t.
static void step_to_corner(plane* r, const model* m, double* x, double* y) {
    vec3 g = m->free[0], h = m->free[1];
    double gx = vec3_dot(g, r->x), hx = vec3_dot(h, r->x), hy = vec3_dot(h, r->y);
    *x = -vec3_dot(g, m->n) / gx;
    *y = -(vec3_dot(h, m->n) + hx * *x) / hy;
    *m->t[1] = -(r->py + r->xy * *x + r->yy * *y) / hy;
    *m->t[0] = -(r->px + r->xx * *x + r->xy * *y + *m->t[1] * hx) / gx;
}

/// The way from n to where the model is least, kinks kept: *d; sets their t. *rough: it is not least there, as the
/// curvature was lifted or the step is too long. False if that cannot be told.
static bool newton_step(const model* m, vec3* d, bool* rough) {
    double height = vec3_dot(m->point, m->n), x, y;
    plane r = plane_of(m, height);
    *rough = false;
    if (m->count == 0) {
        *rough = step_freely(&r, height, &x, &y);
    } else if (m->count == 1) {
        *rough = step_along(&r, height, m, &x, &y);
    } else {
        step_to_corner(&r, m, &x, &y);
    }
    double length = sqrt(x * x + y * y), shrink = length > LONG_STEP ? LONG_STEP / length : 1;
    if (shrink < 1) *rough = true;
    *d = vec3_add(vec3_scale(shrink * x, r.x), vec3_scale(shrink * y, r.y));
    return length < INFINITY;
}

/// How far along the way from x->n by d a root comes to its kink: 0 to 1, or more if it does not.
static double root_crossing(const touch* x, int i, vec3 d) {
    const root* r = &x->p->root[i];
    const root_touch* s = &x->root[i];
    if (root_is_nothing(r) || r->rank == 3 || s->kink) return INFINITY;
    // Along the first point: a disc passes by its kink, and turns round.
    double now = 0, change = 0;
    for (int j = 0; j < r->rank; ++j) {
        double at = vec3_dot(r->u[j], x->n), along = r->rank == 1 ? s->side : at;
        now += at * along;
        change += vec3_dot(r->u[j], d) * along;
    }
    return now + change < 0 ? larger(0, now / -change) : INFINITY;
}

static double cone_excess(const touch* x, int i, vec3 n) {
    const cone* c = &x->p->cone[i];
    double excess = c->height * vec3_dot(c->axis, n) - apart_formulas_root(&x->p->root[c->disc], n);
    return x->cone[i].part == APEX ? excess : -excess;
}

/// How far along the way a cone comes to its kink.
static double cone_crossing(const touch* x, int i, vec3 d) {
    if (x->cone[i].part == LINE) return INFINITY;
    double now = larger(0, cone_excess(x, i, x->n)), then = cone_excess(x, i, vec3_unit(vec3_add(x->n, d)));
    return then < 0 ? now / (now - then) : INFINITY;
}

static void hold_cone(cone_touch* s) {
    s->t = s->part == APEX;
    s->part = LINE;
}

/// Holds the kink that is met first on the way by d, and goes as far. False if there is none.
static bool hold_first(touch* x, vec3 d) {
    const terms* p = x->p;
    double first = 1;
    int held = -1;
    for (int i = 0; i < p->roots + p->cones; ++i) {
        bool apart = i < p->roots && is_rimless(x, i);
        double at = apart ? INFINITY : i < p->roots ? root_crossing(x, i, d) : cone_crossing(x, i - p->roots, d);
        if (!(at < first)) continue;
        first = at;
        held = i;
    }
    if (held < 0) return false;
    x->n = vec3_unit(vec3_mad(x->n, first, d));
    if (held < p->roots) {
        x->root[held] = (root_touch){.kink = true};
    } else {
        hold_cone(&x->cone[held - p->roots]);
    }
    return true;
}

/// A kink is left where its point would lie outside the body, or where n has gone from it, after a full step.
static bool leave_root(touch* x, int i, bool rough) {
    const root* r = &x->p->root[i];
    root_touch* s = &x->root[i];
    if (!s->kink) return false;
    bool outside = s->t[0] * s->t[0] + s->t[1] * s->t[1] > 1;
    bool gone = !rough && apart_formulas_root(r, x->n) > AT_KINK * r->reach;
    if (!outside && !gone) return false;
    s->kink = false;
    s->side = copysign(1, outside ? s->t[0] : vec3_dot(r->u[0], x->n));
    if (r->rank == 2 && outside) x->n = vec3_unit(vec3_mad(x->n, NUDGE, vec3_unit(root_along(r, s->t))));
    return true;
}

static bool leave_cone(cone_touch* s) {
    if (s->part != LINE || (s->t >= 0 && s->t <= 1)) return false;
    s->part = s->t < 0 ? RIM : APEX;
    return true;
}

/// Goes on by d. Returns whether all parts still touch where the model said.
static bool advance_touch(touch* x, vec3 d, bool rough) {
    if (hold_first(x, d)) return false;
    x->n = vec3_unit(vec3_add(x->n, d));
    bool left = false;
    for (int i = 0; i < x->p->roots; ++i) left |= leave_root(x, i, rough);
    for (int i = 0; i < x->p->cones; ++i) left |= leave_cone(&x->cone[i]);
    return !left;
}

/// Where a plane with normal n touches, or might.
static void touch_init(const terms* p, vec3 n, touch* x) {
    *x = (touch){.p = p, .n = n};
    for (int i = 0; i < p->roots; ++i) {
        const root* r = &p->root[i];
        x->root[i].side = vec3_dot(r->u[0], n) < 0 ? -1 : 1;
        x->root[i].kink = r->rank < 3 && !root_is_nothing(r) && apart_formulas_root(r, n) < NEAR_KINK * r->reach;
    }
    for (int i = 0; i < p->cones; ++i) {
        const cone* c = &p->cone[i];
        bool apex = c->height * vec3_dot(c->axis, n) > apart_formulas_root(&p->root[c->disc], n);
        x->cone[i].part = apex ? APEX : RIM;
    }
}

bool apart_curvature_descend(const terms* p, vec3 start, double limit, touch* x) {
    touch_init(p, start, x);
    for (int i = 0; i < MAX_STEPS; ++i) {
        model m = model_at(x);
        vec3 d;
        if (i == 0 && !(vec3_dot(m.point, m.n) < limit)) return false;
        bool rough;
        if (!newton_step(&m, &d, &rough)) return false;
        bool settled = advance_touch(x, d, rough);
        if (settled && !rough && vec3_dot(d, d) < SHORT_STEP * SHORT_STEP) return true;
    }
    return false;
}

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
        point = q = root_point(r, s, n);
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
        bound_line(f, c, r, s->t, root_point(r, disc, n), n, sine);
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

/// The widest cap of a few, and its bound. False if there is none: the wider, the less the bounds curve. (n . n' -
/// cosine) (n . n' - 1), which is not positive in the cap, holds up the bound beyond it.
static bool widen_cap(const touch* x, double height, cap* out) {
    static const double cosines[] = {0.25, 0.6, 0.8, 0.9, 0.95, 0.98, 0.993, 0.998};
    const double* widest = cosines;
    quadratic f;
    if (!is_round_enough(x, height, cosines[sizeof cosines / sizeof *cosines - 1], &f)) return false;
    while (!is_round_enough(x, height, *widest, &f)) ++widest;
    vec3 where;
    out->cosine = *widest;
    quadratic_add_parabola(&f, height / (1 + out->cosine), x->n, out->cosine, 1);
    out->bound = apart_symmetric_least(&f, x->n, &where);
    return true;
}

// ----------------------------------------------------------------------------------------------------- the points ----

static vec3 touching_point(const touch* x, int i) {
    const root* r = &x->p->root[i];
    return x->root[i].kink ? root_along(r, x->root[i].t) : root_point(r, &x->root[i], x->n);
}

/// Where a body touches: the first one (sign 1) or the second (-1).
static void carry_touching(const touch* x, const posed_body* body, double sign, carrier* out) {
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
    carry_touching(x, &k->a, 1, a);
    carry_touching(x, &k->b, -1, b);
}

// -------------------------------------------------------------------------------------------------------- the end ----

bool apart_curvature_find(difference* k, const goal* g, const terms* p, vec3 start, cap* out, touch* x) {
    if (!apart_curvature_descend(p, start, INFINITY, x)) return false;
    out->n = x->n;
    out->plane = apart_minkowski_height(k, x->n);
    if (!(out->plane > NEAR_CONTACT * k->size) || !widen_cap(x, out->plane, out)) return false;
    return out->bound > g->rounding_high && depth_is_narrow(g, out->bound, out->plane);
}

bool apart_curvature_apart(difference* k, const goal* g, apart_cache* cache, outcome* out) {
    vec3 last;
    terms p;
    touch x;
    if (!apart_minkowski_last(cache, &last) || !apart_formulas_make(k, &p)) return false;
    if (!apart_curvature_descend(&p, last, 0, &x)) return false;
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

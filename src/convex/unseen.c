#include "convex/unseen.h"

#include "convex/carry.h"
#include "convex/quadric.h"
#include "convex/tips.h"

#define AXES 3
#define MAX_CELLS 128
/// Support points that are remembered.
#define MAX_KNOWN 32
/// Most bounds of one search, and of one that begins with the last normal.
#define MOST_ROUNDS 1000
#define RESUMED_ROUNDS 600
/// Most bounds of a cell, and how much less each must leave open than the one before.
#define MAX_ROUNDS 6
#define FASTER 0.8

/// How much wider a box is than its cell: the axes of a cell are known to 2^-46, after 22 turns at most of 4 roundings.
#define MARGIN 0x1p-40
/// Cells that are narrower are not split.
#define NARROWEST 0x1p-20
/// No curvature that is made by pressing is larger: it would cost more digits than it is worth.
#define MAX_PRESS 0x1p10
/// A direction is at a kink if that makes no more difference than this part of the depth.
#define AT_KINK 0x1p-31

/// What a cell can be split by, beside its parts.
enum { LATITUDE = MAX_PARTS, MERIDIAN, NOTHING };

/// A part of the sphere: between two latitudes and two meridians, and a range of every root and cone.
typedef struct cell {
    range range[MAX_PARTS];
    range latitude;      // of the cosine with the pole
    double cosine, sine; // of half the angle between the meridians; -1 and 0: all round
    vec3 axis[AXES];     // towards its middle, across, and along the pole: unit, square to each other
    range box[AXES];     // where n is along these
    double press[AXES];  // how hard the bound is pressed up beyond the box
    double push[AXES];   // the same beyond its lower side alone, or if negative beyond the upper one
    tips tips;           // of the body without a formula
    double bound;
    vec3 least; // where the bound is least, more or less
    int split;  // by what to split, and where
    double at;
} cell;

typedef struct search {
    difference* k;
    terms p;
    double sign; // the body without a formula: 1 = a, -1 = b
    goal goal;
    int axial;    // the segment or cone along the pole; -1: none
    double thick; // cells that are farther from the pole are seen from the side
    double best;  // the lowest plane, and its normal
    vec3 best_n;
    tips tips;     // of the cell where that was found
    double proven; // least bound of the cells that are done
    int rounds, most, looks, cells, asked;
    tip known[MAX_KNOWN]; // the last points that were asked for
    cell cell[MAX_CELLS];
} search;

/// The farthest point along n of the body without a formula: of a, or of -b.
static tip ask(search* s, vec3 n) {
    tip t;
    bool first = s->sign > 0;
    vec3 point = apart_difference_body_support(s->k, first ? &s->k->a : &s->k->b, first ? n : vec3_neg(n), &t.index);
    t.point = first ? point : vec3_neg(point);
    apart_difference_judge(s->k, point);
    s->known[s->asked++ % MAX_KNOWN] = t;
    return t;
}

/// The farthest along n of those that are known, which may do: no plane is lower than its height tells. False if it is
/// not above the lowest plane, and so has to be asked for.
static bool recall(const search* s, vec3 n, tip* t, double* h) {
    int count = s->asked < MAX_KNOWN ? s->asked : MAX_KNOWN;
    double most = -INFINITY;
    for (int i = 0; i < count; ++i) {
        double x = vec3_dot(s->known[i].point, n);
        if (!(x > most)) continue;
        most = x;
        *t = s->known[i];
    }
    *h = apart_terms_height(&s->p, n) + most;
    return *h > s->best;
}

/// Notes the support plane along n, if it is the lowest. Returns its height.
static double try_direction(search* s, const tips* around, vec3 n, tip* t) {
    *t = ask(s, n);
    double h = apart_terms_height(&s->p, n) + vec3_dot(t->point, n);
    if (h < s->best) {
        s->best = h;
        s->best_n = n;
        s->tips = *around;
    }
    return h;
}

// ---------------------------------------------------------------------------------------------------------- cells ----

static double width(range r) { return r.high - r.low; }

static void limit(range* r, range by) {
    r->low = larger(r->low, by.low);
    r->high = smaller(r->high, by.high);
}

static range times(range a, range b) {
    double p[4] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    return (range){smaller(smaller(p[0], p[1]), smaller(p[2], p[3])), larger(larger(p[0], p[1]), larger(p[2], p[3]))};
}

static void add_range(range* to, double w, range r) {
    to->low += smaller(w * r.low, w * r.high);
    to->high += larger(w * r.low, w * r.high);
}

/// Above what is lost where products vanish: each of less than 64 may lose the smallest double.
#define VANISHED 0x1p-1060

/// The range of a root in the box. With B its square in the cell's axes, it is that of the sum of B_ij x_i x_j; less
/// B_kk for one k, as the squares of x add up to 1. The error is far more than rounding.
static range root_in(const root* r, const cell* c, int k) {
    vec3 b[AXES];
    double error = MARGIN * r->trace + VANISHED;
    for (int i = 0; i < AXES; ++i) b[i] = symmetric_apply(&r->square, c->axis[i]);
    double level = vec3_dot(c->axis[k], b[k]);
    range square = {level - error, level + error};
    for (int i = 0; i < AXES; ++i) {
        range xx = times(c->box[i], c->box[i]);
        if (i != k) add_range(&square, vec3_dot(c->axis[i], b[i]) - level, (range){larger(0, xx.low), xx.high});
        for (int j = 0; j < i; ++j) add_range(&square, 2 * vec3_dot(c->axis[i], b[j]), times(c->box[i], c->box[j]));
    }
    return (range){sqrt(larger(0, square.low)), sqrt(larger(0, square.high))};
}

/// How far the cosine with the axis of a cone may be from its product with n.
static double cosine_error(const cone* e) { return 3 * (1 - e->length.low) + MARGIN; }

/// That of the cosine with the axis of a cone.
static range cone_in(const cone* e, const cell* c) {
    range x = {-cosine_error(e), cosine_error(e)};
    for (int j = 0; j < AXES; ++j) add_range(&x, vec3_dot(e->axis, c->axis[j]), c->box[j]);
    return x;
}

/// The latitudes, as the segment or cone along the pole knows them.
static void limit_latitude(const search* s, cell* c) {
    const range* r = &c->range[s->axial];
    range* to = &c->latitude;
    if (s->axial >= s->p.roots) {
        double off = cosine_error(&s->p.cone[s->axial - s->p.roots]);
        limit(to, (range){r->low - off, r->high + off});
        return;
    }
    double reach = s->p.root[s->axial].reach, least = r->low / reach * (1 - MARGIN),
           most = r->high / reach * (1 + MARGIN);
    limit(to, (range){to->low > -least ? least : -most, to->high < least ? -least : most});
}

/// The box of a cell. At latitude z, n is the root of 1 - z^2 away from the pole's axis, but for the rounding of the
/// latter, which is below 2^-49.
static void set_box(cell* c) {
    double low = c->latitude.low, high = c->latitude.high, near = larger(0, larger(low, -high));
    double far = smaller(1, larger(fabs(low), fabs(high)));
    double least = sqrt(larger(0, (1 - far) * (1 + far) - 0x1p-48)), most = sqrt((1 - near) * (1 + near) + 0x1p-48);
    double across = most * (c->cosine > 0 ? c->sine : 1);
    c->box[0] = (range){c->cosine * (c->cosine > 0 ? least : most) - MARGIN, most + MARGIN};
    c->box[1] = (range){-across - MARGIN, across + MARGIN};
    c->box[2] = (range){low - MARGIN, high + MARGIN};
}

/// All ranges of a cell, narrowed by the others. False if it is empty.
static bool tighten(const search* s, cell* c) {
    const terms* p = &s->p;
    if (s->axial >= 0) limit_latitude(s, c);
    if (c->latitude.low > c->latitude.high || c->latitude.low > 1 || c->latitude.high < -1) return false;
    set_box(c);
    int k = c->box[0].low > s->thick ? 0 : 2;
    for (int i = 0; i < p->roots + p->cones; ++i) {
        if (i < p->roots && p->root[i].high == 0) continue;
        limit(&c->range[i], i < p->roots ? root_in(&p->root[i], c, k) : cone_in(&p->cone[i - p->roots], c));
        if (c->range[i].low > c->range[i].high) return false;
    }
    return true;
}

/// Which coordinate of n follows from the others, about there.
static int outward(const search* s, const cell* c, vec3 n) {
    if (c->box[0].low > s->thick) return 0;
    double x = fabs(vec3_dot(c->axis[0], n)), y = fabs(vec3_dot(c->axis[1], n)), z = fabs(vec3_dot(c->axis[2], n));
    if (z >= x && z >= y) return 2;
    return x > y ? 0 : 1;
}

/// The direction in the cell that is about nearest to n.
static vec3 clamp(const search* s, const cell* c, vec3 n) {
    int k = outward(s, c, n);
    double x[AXES], squares = 0;
    vec3 y = {0, 0, 0};
    for (int j = 0; j < AXES; ++j) {
        x[j] = larger(c->box[j].low, smaller(c->box[j].high, vec3_dot(c->axis[j], n)));
        if (j != k) squares += x[j] * x[j];
    }
    x[k] = copysign(sqrt(larger(0x1p-20, 1 - squares)), x[k]);
    for (int j = 0; j < AXES; ++j) y = vec3_mad(y, x[j], c->axis[j]);
    return vec3_unit(y);
}

/// n at the kink of what is along the pole, if that is near.
static vec3 snap(const search* s, const cell* c, vec3 n) {
    if (s->axial < 0) return n;
    double kink = s->axial < s->p.roots ? 0 : s->p.cone[s->axial - s->p.roots].kink, x = vec3_dot(c->axis[2], n);
    if (kink < c->latitude.low || kink > c->latitude.high || fabs(x - kink) > 0.125 * width(c->latitude)) return n;
    vec3 flat = vec3_unit(vec3_mad(n, -x, c->axis[2]));
    return vec3_unit(vec3_mad(vec3_scale(sqrt((1 - kink) * (1 + kink)), flat), kink, c->axis[2]));
}

// ------------------------------------------------------------------------------------------- the bound of a cell ----

/// What a bound is made of: what the handles give, all of the body with a formula, and the other body.
typedef struct addends {
    minorant x;
    quadratic taken[MAX_PARTS], rest, unseen;
    double more[AXES]; // how much harder to press
    bool several;      // points of the other body are used, and level here
    vec3 level;
} addends;

/// -w (n . axis - low), or the same for the upper end: not positive in the range.
static void add_push(quadratic* f, double w, vec3 axis, range r) {
    f->c = vec3_mad(f->c, -w, axis);
    quadratic_add_constant(f, w * (w > 0 ? r.low : r.high));
    f->weight += 2 * fabs(w);
}

/// The slopes of the handles for n, and all that the body with a formula gives.
static void match(const tips* t, vec3 n, addends* f) {
    minorant* x = &f->x;
    quadratic with = x->sum;
    with.c = vec3_add(with.c, apart_tips_mean(t));
    for (int i = 0; i < x->free.count; ++i)
        for (int j = 0; j < 3; ++j) x->free.handle[i].t[j] = 0;
    apart_minorant_match(&with, &x->free, n);
    f->rest = x->sum;
    for (int j = 0; j < x->free.count; ++j) {
        f->taken[j] = (quadratic){.constant = 0};
        apart_minorant_take(&f->taken[j], &x->free.handle[j]);
        quadratic_add(&f->rest, &f->taken[j]);
    }
}

/// How hard to press along axis k for f to be higher where n would be if that coordinate had the other sign: f is
/// lower there by 2 odd, and the parabola is higher by `square`.
static double press_mirrored(const cell* c, const quadratic* f, vec3 n, int k) {
    vec3 qk = symmetric_apply(&f->q, c->axis[k]);
    double x = vec3_dot(c->axis[k], n), square = (x + c->box[k].low) * (x + c->box[k].high);
    double odd = x * (vec3_dot(f->c, c->axis[k]) + 2 * (vec3_dot(qk, n) - x * vec3_dot(qk, c->axis[k])));
    return square > 0 ? smaller(2.5 * larger(0, odd) / square, MAX_PRESS) : 0;
}

/// The same along axis j, with n on the sphere, at a side of the box: as hard as f slopes down there, so that the bound
/// is level; and so hard that it is not bent down. But not where f is least within the box.
static void press_side(cell* c, const quadratic* f, vec3 n, int k, int j) {
    vec3 slope = vec3_mad(f->c, 2, symmetric_apply(&f->q, n));
    double x = vec3_dot(c->axis[k], n), y = vec3_dot(c->axis[j], n), wide = width(c->box[j]);
    vec3 along = vec3_mad(c->axis[j], -y / x, c->axis[k]);
    double out = vec3_dot(slope, c->axis[k]) / x, down = vec3_dot(slope, along);
    double bend = 2 * vec3_dot(along, symmetric_apply(&f->q, along)) - out * (1 + y * y / (x * x));
    double room = down > 0 ? y - c->box[j].low : c->box[j].high - y;
    if (bend > 0 && fabs(down) < 0.5 * bend * room) down = 0;
    c->press[j] = smaller(larger(fabs(down) / wide, -0.5 * bend), MAX_PRESS);
    c->push[j] = fabs(down) > MAX_PRESS * wide ? copysign(fabs(down) - MAX_PRESS * wide, down) : 0;
}

/// All of that, added to f, and what has turned out to be missing.
static void press(const search* s, cell* c, const double more[AXES], vec3 n, quadratic* f) {
    int k = outward(s, c, n);
    c->press[k] = press_mirrored(c, f, n, k) + more[k];
    c->push[k] = 0;
    quadratic_add_parabola(f, c->press[k], c->axis[k], c->box[k].low, c->box[k].high);
    quadratic before = *f;
    for (int j = 0; j < AXES; ++j) {
        if (j == k) continue;
        press_side(c, &before, n, k, j);
        c->press[j] += more[j];
        quadratic_add_parabola(f, c->press[j], c->axis[j], c->box[j].low, c->box[j].high);
        if (c->push[j] != 0) add_push(f, c->push[j], c->axis[j], c->box[j]);
    }
}

/// Where the bound is least far beyond a side, it is to be pressed by what is open.
static void press_more(const cell* c, vec3 least, double open, double more[AXES]) {
    for (int j = 0; j < AXES; ++j) {
        double x = vec3_dot(c->axis[j], least), beyond = (x - c->box[j].low) * (x - c->box[j].high);
        if (beyond > 0x1p-6 && open > 0) more[j] = smaller(more[j] + open / beyond, 1);
    }
}

/// Splits a cell by a latitude or a meridian, whichever makes it rounder; at a pole by a latitude, half as far from it.
static void split_place(const search* s, cell* c) {
    double low = c->latitude.low, high = c->latitude.high, middle = 0.5 * (low + high);
    double wide = width(c->box[1]), tall = (high - low) / sqrt(larger(0x1p-20, 1 - middle * middle));
    bool cap = (high >= 1 || low <= -1) && c->cosine < 0;
    c->split = larger(wide, tall) > NARROWEST ? MERIDIAN : NOTHING;
    if (c->split == NOTHING || (wide >= tall && !cap)) return;
    double rim = high >= 1 ? low : high;
    c->split = LATITUDE;
    c->at = cap && high - low < 0.5 ? copysign(sqrt(0.75 + 0.25 * rim * rim), rim) : middle;
    if (s->axial < 0) return;
    // Not at a kink.
    const range* r = &c->range[s->axial];
    double at = apart_minorant_split(&s->p, s->axial, *r, 0.5 * (r->low + r->high));
    if ((s->axial < s->p.roots && r->low > 0) || !(r->low < at && at < r->high)) return;
    c->split = s->axial;
    c->at = at;
}

/// What is lost at c->least by pressing and by the body without a formula. Everything, if that is not in the box.
static double lost_by_place(const cell* c, const addends* f, vec3 top) {
    double height = vec3_dot(top, c->least), lost = 0;
    for (int i = 0; i < c->tips.count; ++i) height = larger(height, vec3_dot(c->tips.tip[i].point, c->least));
    for (int j = 0; j < AXES; ++j) {
        double x = vec3_dot(c->axis[j], c->least), beyond = larger(c->box[j].low - x, x - c->box[j].high);
        if (beyond > 0.1 * width(c->box[j])) return INFINITY;
        lost -= c->press[j] * (x - c->box[j].low) * (x - c->box[j].high);
    }
    return lost + height - quadratic_at(&f->unseen, c->least);
}

/// Notes by what to split: the part that loses most at c->least, or the place.
static void find_worst(const search* s, const addends* f, vec3 top, cell* c) {
    const terms* p = &s->p;
    double most = -INFINITY;
    c->split = NOTHING;
    for (int i = 0; i < p->roots + p->cones; ++i) {
        double at, lost = apart_terms_value(p, i, c->least, &at) - quadratic_at(&f->x.fixed[i], c->least);
        for (int j = f->x.first[i]; j < f->x.first[i + 1]; ++j) lost -= quadratic_at(&f->taken[j], c->least);
        if (!(lost > most)) continue;
        most = lost;
        c->at = apart_minorant_split(p, i, c->range[i], at);
        c->split = c->range[i].low < c->at && c->at < c->range[i].high ? i : NOTHING;
    }
    if (c->split == NOTHING || lost_by_place(c, f, top) > most) split_place(s, c);
}

/// The bound with slopes and weights for n, from one more point there.
static quadratic make_bound(const search* s, cell* c, const tip* t, vec3 n, addends* f) {
    double wide = larger(width(c->box[1]), smaller(width(c->box[0]), width(c->box[2])));
    f->level = n;
    f->several = apart_tips_choose(&c->tips, t, &f->rest, wide, &f->level);
    match(&c->tips, n, f);
    f->unseen = (quadratic){.constant = 0};
    apart_tips_take(&f->unseen, &c->tips, c->axis, c->box);
    quadratic all = f->rest;
    quadratic_add(&all, &f->unseen);
    press(s, c, f->more, n, &all);
    return all;
}

/// Raises c->bound to a number not above h_K in the cell. Sets c->least, where about it is attained, and how to split.
static void raise_bound(search* s, cell* c) {
    addends f;
    vec3 n = snap(s, c, clamp(s, c, c->least)), least;
    double last = INFINITY;
    for (int j = 0; j < AXES; ++j) f.more[j] = 0;
    apart_minorant_make(&s->p, c->range, &f.x);
    match(&c->tips, n, &f);
    for (int round = 0; round < MAX_ROUNDS; ++round) {
        tip t;
        double h;
        // Those that are known may do.
        if (round > 1 || !recall(s, n, &t, &h)) h = try_direction(s, &c->tips, n, &t);
        if (s->k->status != APART_OK) return;
        quadratic all = make_bound(s, c, &t, n, &f);
        double bound = apart_quadratic_least(&all, n, &least), open = h - bound;
        s->rounds += 1;
        if (bound > c->bound) {
            c->bound = bound;
            c->least = least;
            find_worst(s, &f, t.point, c);
        }
        if (narrow_enough(&s->goal, -bound, -s->best) || !(open < FASTER * last)) return;
        last = open;
        press_more(c, least, open, f.more);
        n = clamp(s, c, f.several ? f.level : least);
        if (s->axial >= 0 && apart_minorant_is_free(&f.x, s->axial)) n = snap(s, c, n);
    }
}

// ---------------------------------------------------------------------------------------------------- the search ----

/// Looks at a cell: done with, or kept for later.
static void look(search* s, cell* c) {
    double parent = c->bound;
    if (!tighten(s, c)) return;
    c->bound = -INFINITY;
    c->split = NOTHING;
    s->looks += 1;
    raise_bound(s, c);
    c->bound = larger(c->bound, parent);
    if (c->split == NOTHING || narrow_enough(&s->goal, -c->bound, -s->best)) {
        s->proven = smaller(s->proven, c->bound);
    } else {
        s->cell[s->cells++] = *c;
    }
}

/// The same, but where a segment along the pole is seen from its ends, there is a cell about either pole.
static void look_about(search* s, cell* c) {
    bool segment = s->axial >= 0 && s->axial < s->p.roots && c->range[s->axial].low > 0;
    if (segment && c->latitude.low < 0 && c->latitude.high > 0) {
        cell low = *c;
        low.latitude.high = c->latitude.low = 0;
        look(s, &low);
    }
    look(s, c);
}

/// The half of a cell on one side of the meridian in its middle.
static cell half(const cell* c, double side) {
    cell h = *c;
    h.cosine = sqrt(0.5 * (1 + c->cosine));
    h.sine = c->cosine < 0 ? sqrt(0.5 * (1 - c->cosine)) : 0.5 * c->sine / h.cosine;
    vec3 middle = vec3_mad(vec3_scale(h.cosine, c->axis[0]), side * h.sine, c->axis[1]);
    h.axis[1] = vec3_unit(vec3_cross(c->axis[2], middle));
    h.axis[0] = vec3_cross(h.axis[1], c->axis[2]);
    return h;
}

static void split(search* s, const cell* c) {
    cell low = *c, high = *c;
    if (c->split == MERIDIAN) {
        low = half(c, -1);
        high = half(c, 1);
    } else if (c->split == LATITUDE) {
        low.latitude.high = high.latitude.low = c->at;
    } else {
        low.range[c->split].high = high.range[c->split].low = c->at;
    }
    look_about(s, &low);
    look_about(s, &high);
}

/// Splits the cell with the least bound until all are done with.
static void run(search* s) {
    // A split makes four cells at most.
    while (s->cells > 0 && s->rounds < s->most && s->cells + 3 <= MAX_CELLS && s->k->status == APART_OK) {
        int least = 0;
        for (int i = 1; i < s->cells; ++i)
            if (s->cell[i].bound < s->cell[least].bound) least = i;
        cell c = s->cell[least];
        s->cell[least] = s->cell[--s->cells];
        split(s, &c);
    }
    for (int i = 0; i < s->cells; ++i) s->proven = smaller(s->proven, s->cell[i].bound);
}

/// The longest axis of an ellipsoid, if it is longer than the others together: directions square to it may be tied.
static vec3 long_axis(const root* r, vec3 otherwise) {
    for (int i = 0; i < r->rank; ++i) {
        double squared = vec3_dot(r->u[i], r->u[i]);
        if (squared > 0.5 * r->trace) return vec3_unit(r->u[i]);
    }
    return otherwise;
}

/// The pole is the axis of a cylinder, a cone, or a long ellipsoid, or else the best normal. Cones may have their kink
/// near it: cells are seen from the side almost up to there.
static void set_axes(search* s, vec3 axis[AXES]) {
    const terms* p = &s->p;
    s->axial = p->cones > 0 ? p->roots : -1;
    for (int i = 0; i < p->roots && s->axial < 0; ++i)
        if (p->root[i].rank == 1 && p->root[i].reach > 0x1p-100) s->axial = i;
    s->thick = s->axial < 0 ? 0.6875 : 0.0625;
    if (s->axial < 0) {
        axis[2] = long_axis(&p->root[0], s->best_n);
    } else {
        axis[2] = vec3_unit(p->cones > 0 ? p->cone[0].axis : p->root[s->axial].u[0]);
    }
    vec3 across = vec3_cross(axis[2], s->best_n);
    axis[1] = vec3_length(across) > 0x1p-10 ? vec3_unit(across) : vec3_square(axis[2]);
    axis[1] = vec3_unit(vec3_mad(axis[1], -vec3_dot(axis[1], axis[2]), axis[2]));
    axis[0] = vec3_cross(axis[1], axis[2]);
}

/// The search over the whole sphere, in at most so many rounds.
static void search_all(search* s, int most) {
    cell all = {.least = s->best_n, .bound = -INFINITY, .latitude = {-1, 1}, .cosine = -1};
    tip t = ask(s, s->best_n);
    all.tips = (tips){.count = 1, .tip = {t}, .weight = {1}};
    for (int i = 0; i < s->p.roots; ++i) all.range[i] = (range){s->p.root[i].low, s->p.root[i].high};
    for (int i = 0; i < s->p.cones; ++i) all.range[s->p.roots + i] = (range){-1, 1};
    set_axes(s, all.axis);
    s->most = most;
    look(s, &all);
    run(s);
    // No cell had a bound: nothing is proven.
    if (s->proven == INFINITY) s->proven = -INFINITY;
}

// ------------------------------------------------------------------------------------------------------- the end ----

/// The points that touch when the bodies are moved out along the best normal, which is at the kinks that `near` tells.
static void take_points_near(search* s, double near, outcome* out) {
    addends f;
    vec3 n = s->best_n, next = n;
    range ranges[MAX_PARTS];
    tips used = {.count = 0};
    tip t = ask(s, n);
    bool first = s->sign > 0;
    apart_carry_ranges(&s->p, n, near, ranges);
    apart_minorant_make(&s->p, ranges, &f.x);
    if (near > 0) used = s->tips;
    apart_tips_choose(&used, &t, &f.x.sum, 1, &next);
    match(&used, n, &f);
    apart_carry_tips(&used, s->sign, first ? &out->a : &out->b);
    apart_carry(&s->p, &f.x, first ? &s->k->b : &s->k->a, -s->sign, n, first ? &out->b : &out->a);
}

/// The normal of the best plane, and its points; not those of kinks that are farther than the interval is wide.
static void take_points(search* s, outcome* out) {
    take_points_near(s, AT_KINK * s->best, out);
    vec3 w = vec3_add(vec3_sub(carrier_point(&out->a), carrier_point(&out->b)), s->k->offset);
    double open = larger(0, s->best - larger(s->proven, -out->upper)) + s->goal.rounding_high;
    if (!(fabs(vec3_dot(s->best_n, w) - s->best) <= open)) take_points_near(s, -1, out);
    out->normal = s->best_n;
}

/// False if not just one of the bodies has a formula, or it is but a point or a segment.
static bool begin(difference* k, const goal* g, double best, vec3 normal, search* s) {
    s->k = k;
    s->best = best;
    s->best_n = normal;
    s->tips.count = 0;
    s->proven = INFINITY;
    s->rounds = s->looks = s->cells = s->asked = 0;
    s->goal = *g;
    s->goal.depth = APART_DEPTH_EXACT;
    apart_terms_make_most(k, &s->p);
    s->sign = s->p.other[0] ? 1 : -1;
    const apart_shape* known = s->p.other[0] ? k->b.shape : k->a.shape;
    return s->p.other[0] != s->p.other[1] && known->kind != SHAPE_POLYTOPE;
}

bool apart_unseen_run(difference* k, const goal* g, apart_cache* cache, outcome* out) {
    search s;
    if (!begin(k, g, -out->lower, out->normal, &s)) return false;
    search_all(&s, MOST_ROUNDS);
    bool proven = s.proven > g->rounding_high && -s.proven < out->upper;
    out->iterations += s.looks;
    double plane = apart_difference_height(k, s.best_n);
    if (plane < -out->lower || proven) take_points(&s, out);
    return k->status == APART_OK && apart_quadric_conclude(k, s.best_n, plane, proven ? s.proven : 0, cache, out);
}

bool apart_unseen_resume(difference* k, const goal* g, apart_cache* cache, outcome* out) {
    vec3 last;
    search s;
    tip t;
    if (cache->faces != CACHE_BY_BOUNDS || !apart_difference_last(cache, &last)) return false;
    if (!begin(k, g, INFINITY, last, &s)) return false;
    apart_difference_recall(k, cache);
    // The last normal still separates the bodies, or they only touch: no matter for this room.
    if (!(try_direction(&s, &s.tips, s.best_n, &t) > NEAR_CONTACT * k->size)) return false;
    search_all(&s, RESUMED_ROUNDS);
    if (!(s.proven > g->rounding_high && narrow_enough(&s.goal, -s.proven, -s.best))) return false;
    *out = (outcome){
        .upper = -s.proven, .lower = -apart_difference_height(k, s.best_n), .overlap = true, .iterations = s.looks};
    take_points(&s, out);
    if (k->status != APART_OK) return false;
    apart_quadric_remember(k, s.best_n, cache);
    return true;
}

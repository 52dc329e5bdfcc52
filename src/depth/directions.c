// Branch and bound over the sphere of directions, for near ties of bodies with formulas.
#include "depth/directions.h"
#include "convex/cache.h"
#include "depth/curvature.h"
#include "depth/minorant.h"

/// Axes along which cells are told apart where nothing else does, and cells that wait.
#define SIDES 3
#define MAX_CELLS 128
/// Most cells that one search looks at, most bounds of it, and of one that begins with the last normal.
#define MOST_LOOKS 500
#define MOST_ROUNDS 1500
#define RESUMED_ROUNDS 600
/// Most bounds of a cell from one direction on.
#define MAX_ROUNDS 16

/// A part that loses less than this, times what another one loses that cannot be split, is not worth splitting.
#define LITTLE 0.125

/// Sides that are narrower than this are not split.
#define NARROWEST 0x1p-8

/// A part of the sphere: a range of every root, then of x for every cone.
typedef struct cell {
    range range[MAX_PARTS], side[SIDES];
    double press[SIDES]; // how hard the bound is pushed up beyond each of the sides
    double bound;
    vec3 least; // where the bound is least, more or less
    int part;   // what to split, and where; -1: nothing. After the parts the sides are counted
    double at;
} cell;

// ------------------------------------------------------------------------------------------- the bound of a cell ----

/// The widest side, cut in half, unless all of them are narrow.
static void split_side(const terms* p, cell* c) {
    int widest = 0;
    for (int i = 1; i < SIDES; ++i)
        if (c->side[i].high - c->side[i].low > c->side[widest].high - c->side[widest].low) widest = i;
    const range* r = &c->side[widest];
    if (!(r->high - r->low > NARROWEST)) return;
    c->part = p->roots + p->cones + widest;
    c->at = 0.5 * (r->low + r->high);
}

/// Notes which part loses most at c->least, of those that can be split, or, if that is little beside one that cannot, a
/// side.
static void find_worst(const terms* p, const minorant* x, const quadratic* taken, cell* c) {
    double most = 0, fixed = 0;
    c->part = -1;
    for (int i = 0; i < p->roots + p->cones; ++i) {
        double at, loss = apart_formulas_value(p, i, c->least, &at) - quadratic_at(&x->fixed[i], c->least);
        for (int j = x->first[i]; j < x->first[i + 1]; ++j) loss -= quadratic_at(&taken[j], c->least);
        const double cut = apart_minorant_split(p, i, c->range[i], at);
        if (!(c->range[i].low < cut && cut < c->range[i].high)) {
            fixed = larger(fixed, loss);
        } else if (loss > most) {
            most = loss;
            c->part = i;
            c->at = cut;
        }
    }
    if (most < LITTLE * fixed || c->part < 0) split_side(p, c);
}

typedef struct search {
    terms p;
    vec3 side[SIDES]; // unit vectors square to each other
    goal goal;
    double best; // the lowest plane, and its normal
    vec3 best_n;
    double proven; // least bound of the cells that are done
    int rounds, most, looks, cells;
    cell cell[MAX_CELLS];
} search;

/// Notes the support plane along n, if it is the lowest. Returns its height.
static double try_direction(search* s, vec3 n) {
    double h = apart_formulas_height(&s->p, n);
    if (h < s->best) {
        s->best = h;
        s->best_n = n;
    }
    return h;
}

/// Where n lies beyond a side of the cell, the bound is pushed up there by what is open; where it does not, it need not
/// be pushed so hard. Never down: that would be no bound. Returns whether anything changed.
static bool press_sides(const vec3* side, cell* c, vec3 n, double open) {
    bool pressed = false;
    for (int j = 0; j < SIDES; ++j) {
        double x = vec3_dot(side[j], n), beyond = (x - c->side[j].low) * (x - c->side[j].high);
        if (beyond > 0x1p-6 && open > 0) {
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
    const terms* p = &s->p;
    minorant x;
    apart_minorant_make(p, c->range, &x);
    apart_minorant_match(&x.sum, &x.free, ref);
    int stalled = 0;
    double last = INFINITY;
    for (int round = 0; round < MAX_ROUNDS && stalled < 2; ++round) {
        quadratic sum = x.sum, taken[MAX_PARTS];
        for (int j = 0; j < x.free.count; ++j) {
            taken[j] = (quadratic){.constant = 0};
            apart_minorant_take(&taken[j], &x.free.handle[j]);
            quadratic_add(&sum, &taken[j]);
        }
        for (int j = 0; j < SIDES; ++j)
            quadratic_add_parabola(&sum, c->press[j], s->side[j], c->side[j].low, c->side[j].high);
        vec3 least;
        s->rounds += 1;
        double bound = apart_symmetric_least(&sum, ref, &least), open = try_direction(s, least) - bound;
        stalled = open < 0.9 * last || bound > c->bound ? 0 : stalled + 1;
        last = open;
        if (bound > c->bound) {
            c->bound = bound;
            c->least = least;
            find_worst(p, &x, taken, c);
        }
        if (narrow_enough(&s->goal, -bound, -s->best)) break;
        bool pressed = press_sides(s->side, c, least, open);
        if (!pressed && x.free.count == 0) break;
        for (int j = 0; j < x.free.count; ++j) apart_minorant_follow(&x.free.handle[j], least);
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
static bool tighten(const terms* p, cell* c) {
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
static void bound_cell(search* s, cell* c) {
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
static void split_cells(search* s) {
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
        if (tighten(&s->p, &low)) bound_cell(s, &low);
        if (tighten(&s->p, &high)) bound_cell(s, &high);
    }
    for (int i = 0; i < s->cells; ++i) s->proven = smaller(s->proven, s->cell[i].bound);
}

// ------------------------------------------------------------------------------------------------------- the end ----

/// Goes down to the least plane near the best one. False if it is not found, or no lower.
static bool improve_best(search* s, touch* x) {
    if (!apart_curvature_descend(&s->p, s->best_n, INFINITY, x)) return false;
    double h = apart_formulas_height(&s->p, x->n);
    if (!(h <= s->best)) return false;
    s->best = h;
    s->best_n = x->n;
    return true;
}

/// The best plane and the points that touch it.
static void take_touching_points(difference* k, search* s, outcome* out) {
    touch x;
    bool improved = improve_best(s, &x);
    combination top = {.count = 1, .weight = {1}};
    apart_minkowski_support(k, s->best_n, &top.p[0]);
    out->lower = -vec3_dot(s->best_n, top.p[0].w);
    out->normal = s->best_n;
    if (improved) apart_curvature_points(&x, k, &out->a, &out->b);
    // The points at a kink count only if they are no farther from the plane than the interval is wide.
    double open = larger(0, -out->lower - larger(s->proven, -out->upper)) + s->goal.rounding_high;
    double height = improved ? vec3_dot(s->best_n, carried_difference(k, &out->a, &out->b)) : INFINITY;
    if (!(fabs(height + out->lower) <= open)) apart_bracket_carry(&top, &out->a, &out->b);
}

/// False if the bodies have no formula.
static bool directions_init(const difference* k, const goal* g, double best, vec3 normal, search* s) {
    s->best = best;
    s->best_n = normal;
    s->proven = INFINITY;
    s->rounds = s->looks = s->cells = 0;
    s->goal = *g;
    s->goal.depth = APART_DEPTH_EXACT;
    return apart_formulas_make(k, &s->p);
}

/// The search over the whole sphere, in at most so many rounds.
static void search_all(search* s, int most) {
    cell all = {.least = s->best_n, .bound = -INFINITY};
    for (int i = 0; i < s->p.roots; ++i) all.range[i] = (range){s->p.root[i].low, s->p.root[i].high};
    for (int i = 0; i < s->p.cones; ++i) all.range[s->p.roots + i] = (range){-1, 1};
    for (int i = 0; i < SIDES; ++i) all.side[i] = (range){-1 - 0x1p-40, 1 + 0x1p-40};
    s->side[0] = s->best_n;
    s->side[1] = vec3_square(s->best_n);
    s->side[2] = vec3_unit(vec3_cross(s->best_n, s->side[1]));
    s->most = most;
    bound_cell(s, &all);
    split_cells(s);
    // No cell had a bound: nothing is proven.
    if (s->proven == INFINITY) s->proven = -INFINITY;
}

/// Tells the next query to begin so.
static void directions_leave_in_cache(const difference* k, vec3 normal, apart_cache* cache) {
    apart_minkowski_remember(k, normal, cache);
    cache->words[CACHE_KIND] = CACHE_BOUNDS;
}

bool apart_directions_run(difference* k, const goal* g, apart_cache* cache, outcome* out) {
    search s;
    touch x;
    if (!directions_init(k, g, -out->lower, out->normal, &s)) return false;
    improve_best(&s, &x);
    search_all(&s, MOST_ROUNDS);
    bool proven = s.proven > g->rounding_high && -s.proven < out->upper;
    out->iterations += s.looks;
    if (proven || apart_minkowski_height(k, s.best_n) < -out->lower) take_touching_points(k, &s, out);
    if (!proven) return false;
    out->upper = -s.proven;
    out->overlap = true;
    if (cache) directions_leave_in_cache(k, out->normal, cache);
    return true;
}

bool apart_directions_resume(difference* k, const goal* g, apart_cache* cache, outcome* out) {
    vec3 last;
    search s;
    if (cache->words[CACHE_KIND] != CACHE_BOUNDS || !apart_minkowski_last(cache, &last)) return false;
    if (!directions_init(k, g, INFINITY, last, &s)) return false;
    // The last normal still separates the bodies, or they only touch: no matter for this room.
    if (!(try_direction(&s, s.best_n) > NEAR_CONTACT * k->size)) return false;
    search_all(&s, RESUMED_ROUNDS);
    if (!(s.proven > g->rounding_high && narrow_enough(&s.goal, -s.proven, -s.best))) return false;
    take_touching_points(k, &s, out);
    out->upper = -s.proven;
    out->overlap = true;
    out->iterations = s.looks;
    directions_leave_in_cache(k, out->normal, cache);
    return true;
}

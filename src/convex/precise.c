// Distances near contact in twice the precision.
//
// Near contact |v| is the small difference of large numbers, and the general rounding allowance (minkowski.h) may be a
// good part of it. Here the same weighted sum, and the support plane that proves the lower end, are evaluated in pairs
// of doubles, from the caller's own numbers.
#include "convex/precise.h"
#include "base/exact.h"

/// A number as the sum of two doubles, the second below half a unit in the last place of the first.
typedef struct twofold {
    double high, low;
} twofold;

static twofold plus(twofold a, double b) {
    double error;
    double high = exact_sum(a.high, b, &error);
    double low = a.low + error;
    twofold r;
    r.high = exact_sum(high, low, &r.low);
    return r;
}

static twofold plus_twofold(twofold a, twofold b) { return plus(plus(a, b.high), b.low); }

/// a - b; exchanging them changes the sign and nothing else.
static twofold minus_twofold(twofold a, twofold b) {
    double error;
    double high = exact_sum(a.high, -b.high, &error);
    return plus((twofold){high, 0}, error + (a.low - b.low));
}

static twofold times(twofold a, double b) {
    double error;
    twofold r = {exact_product(a.high, b, &error), 0};
    return plus(r, error + a.low * b);
}

static bool is_exact(const apart_shape* shape) { return shape_has_vertices(shape) && shape->exact; }

/// One row of R p for a vertex.
static twofold place_of(const posed_body* body, uint32_t index, const double row[3]) {
    vec3 p = vec3_scale(body->factor, shape_vertex(body->shape, index));
    twofold sum = times((twofold){row[0], 0}, p.x);
    sum = plus_twofold(sum, times((twofold){row[1], 0}, p.y));
    return plus_twofold(sum, times((twofold){row[2], 0}, p.z));
}

/// The same for the weighted point of a carrier: the first vertex, and from there a part of the way to each of the
/// others, so that the weights sum to 1 without rounding.
static twofold row_of(const posed_body* body, const carrier* c, int row) {
    const double* r = body->pose->rotation.m[row];
    twofold first = place_of(body, c->index[0], r), sum = first;
    for (int i = 1; i < c->count; ++i)
        sum = plus_twofold(sum, times(minus_twofold(place_of(body, c->index[i], r), first), c->weight[i]));
    return sum;
}

/// Whether what the other weights leave to the first vertex is not negative.
static bool is_convex(const carrier* c) {
    twofold rest = {1, 0};
    for (int i = 1; i < c->count; ++i) rest = plus(rest, -c->weight[i]);
    return rest.high >= 0;
}

/// The translations' difference along one axis, in working units (the unit is a power of two).
static twofold offset_of(const difference* k, double a, double b) {
    twofold r;
    r.high = exact_sum(a, -b, &r.low);
    r.high *= k->inverse;
    r.low *= k->inverse;
    return r;
}

double apart_precise_distance(const difference* k, const carrier* a, const carrier* b) {
    if (k->slack > 0 || !is_exact(k->a.shape) || !is_exact(k->b.shape) || !is_convex(a) || !is_convex(b))
        return INFINITY;
    vec3 ta = k->a.pose->translation, tb = k->b.pose->translation;
    double from[3] = {ta.x, ta.y, ta.z}, to[3] = {tb.x, tb.y, tb.z}, v[3];
    for (int row = 0; row < 3; ++row) {
        twofold d = minus_twofold(row_of(&k->a, a, row), row_of(&k->b, b, row));
        v[row] = plus_twofold(d, offset_of(k, from[row], to[row])).high;
    }
    return vec3_length(vec3_make(v[0], v[1], v[2]));
}

/// What is known of d along a body's own axes: R^T d.
typedef struct twofold_vec3 {
    twofold x, y, z;
} twofold_vec3;

static twofold turned_back(const posed_body* body, vec3 d, int column) {
    const double(*m)[3] = body->pose->rotation.m;
    twofold sum = times((twofold){m[0][column], 0}, d.x);
    sum = plus_twofold(sum, times((twofold){m[1][column], 0}, d.y));
    return plus_twofold(sum, times((twofold){m[2][column], 0}, d.z));
}

/// How far vertex p reaches along d.
static twofold reach_of(const twofold_vec3* d, vec3 p) {
    return plus_twofold(plus_twofold(times(d->x, p.x), times(d->y, p.y)), times(d->z, p.z));
}

/// The support function of a body in stored units. Vertices that are lower than the highest one by more than `unsure`,
/// which both may be wrong by when they are rounded to doubles, cannot be the highest.
static twofold highest(const posed_body* body, vec3 d, double unsure) {
    const twofold_vec3 local = {turned_back(body, d, 0), turned_back(body, d, 1), turned_back(body, d, 2)};
    const vec3 rough = {local.x.high, local.y.high, local.z.high};
    const uint32_t count = shape_vertex_count(body->shape);
    double height[CLIMB_FROM], top = -INFINITY;
    for (uint32_t i = 0; i < count; ++i) {
        height[i] = vec3_dot(rough, shape_vertex(body->shape, i));
        top = larger(top, height[i]);
    }
    twofold best = {-INFINITY, 0};
    for (uint32_t i = 0; i < count; ++i) {
        if (height[i] < top - unsure) continue;
        twofold h = reach_of(&local, shape_vertex(body->shape, i));
        if (h.high > best.high || (h.high == best.high && h.low > best.low)) best = h;
    }
    return best;
}

/// The farthest that a point of the body reaches along d, in working units.
static twofold support_of(const posed_body* body, vec3 d) {
    twofold h = highest(body, d, 0x1p-48);
    if (!body->shape->whole) h = plus(h, HULL_SLACK * 2);
    return (twofold){h.high * body->factor, h.low * body->factor};
}

static bool is_small(const apart_shape* shape) { return shape_vertex_count(shape) <= CLIMB_FROM; }

double apart_precise_lower(const difference* k, vec3 normal) {
    if (!is_small(k->a.shape) || !is_small(k->b.shape)) return -INFINITY;
    const vec3 ta = k->a.pose->translation, tb = k->b.pose->translation;
    twofold gap = times(offset_of(k, tb.x, ta.x), normal.x);
    gap = plus_twofold(gap, times(offset_of(k, tb.y, ta.y), normal.y));
    gap = plus_twofold(gap, times(offset_of(k, tb.z, ta.z), normal.z));
    // a - (-b), so that exchanging the bodies changes nothing.
    twofold a = support_of(&k->a, normal), b = support_of(&k->b, vec3_neg(normal));
    gap = minus_twofold(gap, minus_twofold(a, (twofold){-b.high, -b.low}));
    return gap.high - 0x1p-50 * fabs(gap.high) - 0x1p-90 * k->size;
}

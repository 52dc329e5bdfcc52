// Near contact |v| is the small difference of large numbers, and the general rounding allowance (minkowski.h) may be a
// good part of it. Here the same weighted sum is evaluated in pairs of doubles, from the caller's own numbers.
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

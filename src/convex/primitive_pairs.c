// Spheres, capsules and boxes by closed forms, each with its proof.
//
// The closed forms are the plain ones of the textbooks: their place in a search is taken by the proof. Whatever they
// find, the points that they name are in the bodies, which gives the upper end, and the supports along the direction
// that they name give the lower one, with the allowances for rounding of minkowski.h. If the two do not agree to
// rounding, another method looks closer.
//
// The letters: t from the centre of y to that of x; x has the larger translation, so that exchanging the bodies changes
// the sign of what is handed out, and no other bit. u and w are the half axes of segments, zero for points: the bodies
// are t + s u and r w, s and r from -1 to 1. n is the unit vector from y towards x.
#include "convex/primitive_pairs.h"

#include "convex/bracket.h"
#include "convex/cache.h"

/// Units from and up to which no number in here comes near the ends of the range.
#define SMALLEST_UNIT 0x1p-400
#define LARGEST_UNIT 0x1p400

/// What a closed form finds, in working units: nearest points relative to the own origins, where these are on segments
/// and in parts of a box's half extents, and the two ends.
typedef struct nearest_pair {
    vec3 x, y, n;
    double s, r, local[3];
    double upper, lower;
} nearest_pair;

static inline double clamped(double x) { return x > 1 ? 1 : x < -1 ? -1 : x; }

/// 1 / x, or 0 where x is 0: of a point.
static inline double inverse_of(double x) { return x > 0 ? 1 / x : 0; }

// ------------------------------------------------------------------------------------------------------ segments ----

/// sin^2 below which two segments count as parallel: their own normal is then not to be trusted.
#define PARALLEL 1e-12

/// The half axis of a segment in the world; zero of a point.
static inline vec3 half_axis(const posed_shape* body, double inverse) {
    const polytope* p = &body->shape->polytope;
    if (p->count == 1) return vec3_make(0, 0, 0);
    vec3 half = {p->x[1], p->y[1], p->z[1]};
    return vec3_scale(body->shape->scale * inverse, mat3_mul(&body->pose->rotation, half));
}

/// v, made square to the segments whose insides are nearest.
static inline vec3 square_to_both(vec3 v, vec3 u, vec3 w) {
    vec3 n = vec3_cross(u, w);
    if (vec3_dot(n, n) > PARALLEL * vec3_dot(u, u) * vec3_dot(w, w)) return vec3_dot(n, v) < 0 ? vec3_neg(n) : n;
    return vec3_square_to(v, vec3_dot(u, u) >= vec3_dot(w, w) ? u : w);
}

static inline bool two_points(vec3 t, const pair_frame* f, nearest_pair* out) {
    out->upper = vec3_length(t);
    out->n = vec3_scale(1 / out->upper, t);
    out->lower = vec3_dot(out->n, t);
    out->x = out->y = vec3_make(0, 0, 0);
    out->s = out->r = 0;
    return out->upper > f->rounding_high;
}

/// Two segments, or a segment and a point (Lumelsky 1985): the best s with r free, the best r for it and, if that is an
/// end, the best s for that.
static inline bool two_segments(const posed_shape* x, const posed_shape* y, vec3 t, const pair_frame* f,
                                nearest_pair* out) {
    vec3 u = half_axis(x, f->inverse), w = half_axis(y, f->inverse);
    double uu = vec3_dot(u, u), uw = vec3_dot(u, w), ww = vec3_dot(w, w), ut = vec3_dot(u, t), wt = vec3_dot(w, t);
    // The divisions wait for nothing else.
    double whole = uu * ww - uw * uw, by_u = inverse_of(uu), by_w = inverse_of(ww);
    double s = clamped(whole > PARALLEL * (uu * ww) ? (uw * wt - ww * ut) / whole : -ut * by_u);
    double r = (uw * s + wt) * by_w;
    if (fabs(r) > 1) {
        r = clamped(r);
        s = clamped((uw * r - ut) * by_u);
    }
    out->s = s;
    out->r = r;
    out->x = vec3_scale(s, u);
    out->y = vec3_scale(r, w);
    vec3 v = vec3_sub(vec3_add(t, out->x), out->y);
    out->upper = vec3_length(v);
    const vec3 none = {0, 0, 0}, n = square_to_both(v, fabs(s) < 1 ? u : none, fabs(r) < 1 ? w : none);
    const double nn = vec3_dot(n, n);
    if (!(nn > SHORTEST_NORMAL)) return false; // segments that vanish beside their distance
    out->n = vec3_scale(1 / sqrt(nn), n);
    out->lower = vec3_dot(out->n, t) - (fabs(vec3_dot(out->n, u)) + fabs(vec3_dot(out->n, w)));
    return out->upper > f->rounding_high;
}

// -------------------------------------------------------------------------------------------------- point and box ----

/// A point x and a box y. The nearest point has the point's own coordinates in the box, clamped; n has the differences,
/// which are exactly zero where nothing was clamped.
static inline bool point_and_box(const posed_shape* y, vec3 t, const pair_frame* f, nearest_pair* out) {
    const mat3* turn = &y->pose->rotation;
    const vec3 half = vec3_scale(y->shape->scale * f->inverse, y->shape->extent), p = mat3_tmul(turn, t);
    if (!(half.x > 0 && half.y > 0 && half.z > 0)) return false; // vanished beside the sphere
    const vec3 q = vec3_max(vec3_min(p, half), vec3_neg(half)), off = vec3_sub(p, q);
    const double square = vec3_dot(off, off);
    if (!(square > f->rounding_high * f->rounding_high)) return false;
    const vec3 n = mat3_mul(turn, vec3_scale(1 / sqrt(square), off)), m = mat3_tmul(turn, n);
    // A matrix that is only almost a rotation makes n too long or too short.
    if (!(fabs(vec3_dot(n, n) - 1) <= 0x1p-50)) return false;
    out->n = n;
    out->x = vec3_make(0, 0, 0);
    out->y = mat3_mul(turn, q);
    out->upper = vec3_length(vec3_sub(t, out->y));
    out->lower = vec3_dot(n, t) - (half.x * fabs(m.x) + half.y * fabs(m.y) + half.z * fabs(m.z));
    out->local[0] = q.x / half.x;
    out->local[1] = q.y / half.y;
    out->local[2] = q.z / half.z;
    return true;
}

// ----------------------------------------------------------------------------------------------------- the answer ----

/// Who carries the point at s of a segment from -1 to 1, or the only one.
static inline void set_on_segment(const polytope* p, double s, apart_witness* out) {
    bool end = p->count == 1 || fabs(s) == 1;
    *out = (apart_witness){.count = 1, .vertex = {p->caller[p->count == 2 && s > 0]}, .weight = {1}};
    if (end) return;
    out->count = 2;
    out->vertex[0] = p->caller[0];
    out->vertex[1] = p->caller[1];
    out->weight[0] = 0.5 - 0.5 * s;
    out->weight[1] = 0.5 + 0.5 * s;
}

/// Who carries a point of a box, of which `local` is in parts of the half extents, at least one of them -1 or 1: the
/// corners of a triangle or edge, or one corner.
static inline void set_on_box(const double local[3], apart_witness* out) {
    *out = (apart_witness){.weight = {1}};
    uint32_t corner = 0, inside[2];
    double part[2];
    unsigned count = 0;
    for (uint32_t i = 0; i < 3; ++i) {
        corner |= (uint32_t)(local[i] > 0) << i;
        if (fabs(local[i]) == 1 || count == 2) continue;
        inside[count] = i;
        part[count++] = 0.5 - 0.5 * fabs(local[i]); // of the way to the other side
    }
    // From the nearest corner along one or two edges: the parts are at most one half each.
    out->vertex[0] = corner;
    for (unsigned k = 0; k < count; ++k) {
        out->vertex[k + 1] = corner ^ 1u << inside[k];
        out->weight[k + 1] = part[k];
        out->weight[0] -= part[k];
    }
    out->count = 1 + count;
    if (out->weight[0] > 0) return;
    // In the middle of the face: the nearest corner carries nothing.
    out->count = count;
    for (unsigned k = 0; k <= count; ++k) {
        out->vertex[k] = k < count ? out->vertex[k + 1] : 0;
        out->weight[k] = k < count ? out->weight[k + 1] : 0;
    }
}

static inline void set_segment_witness(const apart_shape* shape, double s, const double local[3], apart_witness* out) {
    if (shape->kind == SHAPE_BOX)
        set_on_box(local, out);
    else
        set_on_segment(&shape->polytope, s, out);
}

/// The vertices of a witness in their places.
static carrier carrier_of(const posed_body* body, const apart_witness* w) {
    carrier c = {.count = 0};
    const polytope* p = &body->shape->polytope;
    for (uint32_t i = 0; i < w->count; ++i) {
        uint32_t k = 0;
        while (k + 1 < p->count && p->caller[k] != w->vertex[i]) k++;
        carrier_add(&c, k, posed_vertex(body, k), w->weight[i]);
    }
    return c;
}

/// The one step, handed to the caller's trace function.
static void trace_pair(const posed_shape* a, const posed_shape* b, const apart_query* query, const apart_result* r) {
    difference k;
    apart_minkowski_init(&k, a->shape, a->pose, b->shape, b->pose, SEARCH_BEST);
    const goal g = {.depth = query->depth, .trace = query->trace, .trace_context = query->trace_context};
    const carrier ca = carrier_of(&k.a, &r->a), cb = carrier_of(&k.b, &r->b);
    apart_bracket_trace(&k, &g, 1, &ca, &cb, r->upper_bound * k.inverse, r->lower_bound * k.inverse);
}

/// Writes what was found, if it is the answer to rounding, which is all that any query asks for.
static bool conclude(const posed_shape* a, const posed_shape* b, bool a_is_x, const pair_frame* f,
                     const nearest_pair* p, const apart_query* query, apart_cache* cache, apart_result* result) {
    const double radius_a = a->shape->radius * f->inverse, radius_b = b->shape->radius * f->inverse;
    const double radius = radius_a + radius_b;
    const bool plain = query->depth == APART_DEPTH_NONE, meets = plain && p->upper + f->rounding_high < radius;
    if (!(p->upper - p->lower <= f->rounding_high / 2) || (plain && !meets && p->upper < radius)) return false;
    const double raw = p->lower - radius - f->rounding_low, low = plain ? larger(raw, 0) : raw;
    const vec3 zero = {0, 0, 0}, normal = a_is_x ? vec3_sub(zero, p->n) : vec3_add(zero, p->n); // no negative zeros
    double reach_a = radius_a, reach_b = radius_b;
    vec3 along = normal;
    if (meets) {
        // The way straight from core to core, which the normal of segments that are almost parallel is not.
        const vec3 t = a_is_x ? f->offset : vec3_neg(f->offset), v = vec3_sub(vec3_add(t, p->x), p->y);
        along = vec3_scale((a_is_x ? -1 : 1) / p->upper, v);
        // To one point of both: in the middle of what they share on it, or of the core that is nearer to it.
        const double shared = 0.5 * (radius - p->upper);
        reach_a = larger(0, smaller(radius_a - shared, p->upper));
        reach_b = larger(0, smaller(radius_b - shared, p->upper));
    }
    const vec3 point_a = vec3_mad(a_is_x ? p->x : p->y, reach_a, along);
    const vec3 point_b = vec3_mad(a_is_x ? p->y : p->x, -reach_b, along);
    result->distance = f->unit * larger(p->upper - radius, low);
    result->upper_bound = f->unit * larger(p->upper + f->rounding_high - radius, low);
    result->lower_bound = f->unit * low;
    result->normal = normal;
    result->point_a = vec3_mad(a->pose->translation, f->unit, point_a);
    result->point_b = vec3_mad(b->pose->translation, f->unit, point_b);
    set_segment_witness(a->shape, a_is_x ? p->s : p->r, p->local, &result->a);
    set_segment_witness(b->shape, a_is_x ? p->r : p->s, p->local, &result->b);
    result->iterations = 1;
    result->supports = result->visits = 2;
    if (query->trace) trace_pair(a, b, query, result);
    if (cache) {
        cache->words[CACHE_KIND] = CACHE_NOTHING;
        cache->words[CACHE_HINT_A] = cache->words[CACHE_HINT_B] = NO_VERTEX;
        cache_set_normal(cache, a_is_x ? vec3_neg(p->n) : p->n);
    }
    return true;
}

/// Whether t leads towards larger coordinates.
static inline bool is_upward(vec3 t) {
    if (t.x != 0) return t.x > 0;
    return t.y != 0 ? t.y > 0 : t.z >= 0;
}

/// Sizes between which no fourth power comes near the ends of the range.
#define SMALLEST_PLAIN 0x1p-100
#define LARGEST_PLAIN 0x1p100

/// The frame of a pair whose stored origins are the bodies' own. For ordinary sizes the unit is the caller's: another
/// power of two would change no bit, and finding it would stand in the way of everything else.
static inline pair_frame frame_of(const posed_shape* a, const posed_shape* b, double slack) {
    const vec3 offset = vec3_sub(a->pose->translation, b->pose->translation);
    const double cores = a->shape->scale * a->shape->bound + b->shape->scale * b->shape->bound;
    const double size = cores + (a->shape->radius + b->shape->radius) + vec3_sum_abs(offset);
    pair_frame f = {offset, 1, 1, size, 0x1p-49 * size, 0x1p-47 * size};
    if (!(size > SMALLEST_PLAIN && size < LARGEST_PLAIN)) f = pair_frame_of(a, b);
    f.rounding_high += slack * f.inverse;
    f.rounding_low += slack * f.inverse;
    return f;
}

bool apart_primitive_pairs_measure(const posed_shape* a, const posed_shape* b, const apart_query* query, double slack,
                                   apart_cache* cache, apart_result* result) {
    if (query->method != APART_METHOD_AUTO) return false;
    const pair_frame f = frame_of(a, b, slack);
    if (!(f.unit > SMALLEST_UNIT && f.unit < LARGEST_UNIT)) return false;
    const bool points = a->shape->polytope.count + b->shape->polytope.count == 2;
    const bool box = a->shape->kind != b->shape->kind;
    const bool a_is_x = points || (box ? b->shape->kind == SHAPE_BOX : is_upward(f.offset));
    const vec3 t = a_is_x ? f.offset : vec3_neg(f.offset);
    const posed_shape *x = a_is_x ? a : b, *y = a_is_x ? b : a;
    nearest_pair p;
    bool found = points ? two_points(t, &f, &p) : box ? point_and_box(y, t, &f, &p) : two_segments(x, y, t, &f, &p);
    return found && conclude(a, b, a_is_x, &f, &p, query, cache, result);
}

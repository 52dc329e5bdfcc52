// The support mapping of K = A - B: bodies placed, supports found, directions kept in a cache.
#include "convex/minkowski.h"
#include "convex/cache.h"

static void posed_body_init(posed_body* body, const apart_shape* shape, const apart_pose* pose, double inverse) {
    body->shape = shape;
    body->pose = pose;
    body->factor = shape->scale * inverse;
    body->radius = shape->radius * inverse;
    body->hint = NO_VERTEX;
    body->placed = false;
}

void apart_minkowski_init(difference* k, const apart_shape* a, const apart_pose* pose_a, const apart_shape* b,
                          const apart_pose* pose_b, support_search search) {
    pair_frame f = pair_frame_of(&(posed_shape){a, pose_a}, &(posed_shape){b, pose_b});
    posed_body_init(&k->a, a, pose_a, f.inverse);
    posed_body_init(&k->b, b, pose_b, f.inverse);
    k->offset = f.offset;
    k->unit = f.unit;
    k->inverse = f.inverse;
    k->size = f.size;
    k->rounding_high = f.rounding_high;
    k->rounding_low = f.rounding_low;
    k->slack = 0;
    k->search = search;
    k->supports = k->visits = 0;
    k->status = APART_OK;
}

static void place(posed_body* body) {
    const polytope* p = &body->shape->polytope;
    if (body->placed || p->padded == 0 || p->padded > MOST_PLACED) return;
    apart_kernels_short()->place(p, &body->pose->rotation, body->factor, body->x, body->y, body->z);
    body->placed = true;
}

void apart_minkowski_place(difference* k) {
    if (k->search != SEARCH_BEST) return;
    place(&k->a);
    place(&k->b);
}

void apart_minkowski_recall(difference* k, const apart_cache* cache) {
    k->a.hint = cache->words[CACHE_HINT_A];
    k->b.hint = cache->words[CACHE_HINT_B];
}

void apart_minkowski_remember(const difference* k, vec3 normal, apart_cache* cache) {
    cache->words[CACHE_KIND] = CACHE_NOTHING;
    apart_minkowski_note(k, normal, cache);
}

void apart_minkowski_note(const difference* k, vec3 normal, apart_cache* cache) {
    cache->words[CACHE_HINT_A] = k->a.hint;
    cache->words[CACHE_HINT_B] = k->b.hint;
    cache_set_normal(cache, normal);
}

vec3 apart_minkowski_body_support(difference* k, posed_body* body, vec3 d, uint32_t* index) {
    const mat3* r = &body->pose->rotation;
    const polytope* p = &body->shape->polytope;
    k->supports += 1;
    if (body->placed) {
        uint32_t i = p->argmax(body->x, body->y, body->z, p->padded, &d);
        body->hint = *index = i;
        k->visits += (int)p->count;
        return vec3_make(body->x[i], body->y[i], body->z[i]);
    }
    support_point s = apart_support_find(body->shape, mat3_tmul(r, d), k->search, body->hint);
    body->hint = *index = s.vertex;
    k->visits += s.visits;
    return vec3_scale(body->factor, mat3_mul(r, s.point));
}

void apart_minkowski_judge(difference* k, vec3 point) {
    // Everything lies in a ball of radius 1. Only a caller's function can leave it.
    if (vec3_sum_abs(point) <= 4) return;
    k->status = isfinite(point.x) && isfinite(point.y) && isfinite(point.z) ? APART_INVALID : APART_NOT_FINITE;
}

/// What it takes to look at all vertices of both bodies.
static void count_all(difference* k, int times) {
    k->supports += 2 * times;
    k->visits += times * (int)(k->a.shape->polytope.count + k->b.shape->polytope.count);
}

void apart_minkowski_support(difference* k, vec3 d, vertex* p) {
    if (k->a.placed && k->b.placed) {
        apart_kernels_short()->support(k, &d, p);
        count_all(k, 1);
        return;
    }
    p->a = apart_minkowski_body_support(k, &k->a, d, &p->index_a);
    p->b = apart_minkowski_body_support(k, &k->b, vec3_neg(d), &p->index_b);
    p->w = vec3_add(vec3_sub(p->a, p->b), k->offset);
    apart_minkowski_judge(k, p->w);
}

void apart_minkowski_ends(difference* k, vertex end[6]) {
    uint32_t of_a[6], of_b[6];
    apart_kernels_short()->ends(&k->a, of_a);
    apart_kernels_short()->ends(&k->b, of_b);
    count_all(k, 6);
    for (int i = 0; i < 6; ++i) apart_minkowski_vertex(k, of_a[i], of_b[i ^ 1], &end[i]);
}

double apart_minkowski_height(difference* k, vec3 d) {
    vertex p;
    apart_minkowski_support(k, d, &p);
    return vec3_dot(d, p.w);
}

void apart_minkowski_vertex(const difference* k, uint32_t index_a, uint32_t index_b, vertex* p) {
    p->a = posed_vertex(&k->a, index_a);
    p->b = posed_vertex(&k->b, index_b);
    p->w = vec3_add(vec3_sub(p->a, p->b), k->offset);
    p->index_a = index_a;
    p->index_b = index_b;
}

vec3 apart_minkowski_centers(const difference* k) {
    vec3 a = posed_point(&k->a, k->a.shape->center), b = posed_point(&k->b, k->b.shape->center);
    return vec3_add(vec3_sub(a, b), k->offset);
}

bool apart_minkowski_last(const apart_cache* cache, vec3* normal) {
    vec3 last = cache_normal(cache);
    double squared = vec3_dot(last, last);
    // Any three numbers may be there: they are a normal if they are about as long.
    if (!(squared > 0.25 && squared < 4)) return false;
    *normal = vec3_unit(last);
    return true;
}

vec3 apart_minkowski_start(const difference* k, const apart_cache* cache) {
    vec3 last;
    if (cache && apart_minkowski_last(cache, &last)) return last;
    vec3 c = vec3_neg(apart_minkowski_centers(k));
    return vec3_is_zero(c) ? vec3_make(-1, 0, 0) : vec3_unit(c);
}

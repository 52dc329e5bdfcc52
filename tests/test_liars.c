// Support functions that do not tell the truth: wrong by a little or by much, another way each time, of a set that is
// not convex, or no numbers at all. A query may refuse them; then it writes nothing. What it answers is a bracket of
// finite numbers with its ends in order.
#include "convex/cache.h"

#include "certificate.h"
#include "mesh_models.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

typedef enum lie {
    LIE_OFF,     // near the support point, elsewhere for every direction
    LIE_FICKLE,  // near the support point, elsewhere for every call
    LIE_BENT,    // the support point for another direction: of no convex set
    LIE_NOTHING, // at times no number
    LIE_OUTSIDE, // at times far outside
    LIES
} lie;

// Who lies, in which way and by how much. Honest until the shape is made.
typedef struct liar {
    lie kind;
    bool box, honest;
    double size;
    uint64_t seed, calls;
} liar;

// A number that depends on the direction.
static uint64_t hash(apart_vec3 d) {
    uint64_t bits[3], h = 0;
    memcpy(bits, &d, sizeof bits);
    for (int i = 0; i < 3; i++) {
        h ^= bits[i];
        h = rng_splitmix64(&h);
    }
    return h;
}

static apart_vec3 along(apart_vec3 p, double s, apart_vec3 d) {
    return (apart_vec3){p.x + s * d.x, p.y + s * d.y, p.z + s * d.z};
}

static apart_vec3 truth(const liar* l, apart_vec3 d) {
    if (!l->box) return d;
    return (apart_vec3){d.x < 0 ? -1 : 1, d.y < 0 ? -0.5 : 0.5, d.z < 0 ? -2 : 2};
}

static apart_vec3 lying_support(const void* context, apart_vec3 d) {
    liar* l = (liar*)(uintptr_t)context;
    if (l->honest) return truth(l, d);
    rng r = rng_seed(l->seed ^ (l->kind == LIE_FICKLE ? l->calls++ : hash(d)));
    switch (l->kind) {
    case LIE_BENT:
        return truth(l, along(d, 4 * l->size, rng_in_cube(&r, 1)));
    case LIE_NOTHING:
        return rng_chance(&r, 0.1) ? (apart_vec3){NAN, rng_chance(&r, 0.5) ? INFINITY : 0, 0} : truth(l, d);
    case LIE_OUTSIDE:
        return rng_chance(&r, 0.1) ? (apart_vec3){2e1, 1e300, 0} : truth(l, d);
    default:
        return along(truth(l, d), l->size, rng_in_cube(&r, 1));
    }
}

static apart_shape* liar_shape(rng* r, liar* l) {
    *l = (liar){.kind = (lie)rng_below(r, LIES), .box = rng_chance(r, 0.5), .honest = true, .seed = rng_next(r)};
    l->size = rng_magnitude(r, -50, -1);
    apart_shape* s = apart_shape_support(lying_support, l, rng_chance(r, 0.3) ? 0.1 : 0, NULL);
    l->honest = false;
    assert_non_null(s);
    return s;
}

// Someone to be measured against: a liar, a convex body or a mesh.
static apart_shape* other_shape(rng* r, liar* l) {
    if (rng_chance(r, 0.3)) return liar_shape(r, l);
    if (rng_chance(r, 0.1)) {
        surface s = model_torus(6, 5, 0.4);
        apart_shape* mesh = surface_shape(&s, NULL);
        surface_free(&s);
        return mesh;
    }
    body b;
    body_random(r, &b, 20);
    return body_shape(&b, NULL);
}

typedef struct tally {
    long answered, refused, apart, deep;
} tally;

static bool is_sound(const apart_result* r) {
    const double number[] = {r->distance,  r->lower_bound, r->upper_bound, r->point_a.x, r->point_a.y, r->point_a.z,
                             r->point_b.x, r->point_b.y,   r->point_b.z,   r->normal.x,  r->normal.y,  r->normal.z};
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++)
        if (!isfinite(number[i])) return false;
    return r->lower_bound <= r->distance && r->distance <= r->upper_bound;
}

static void ask(const apart_shape* a, const apart_shape* b, const apart_pose* pose, const apart_query* q,
                apart_cache* cache, tally* t) {
    apart_result r, untouched;
    apart_cache before;
    memset(&untouched, 0x5a, sizeof untouched);
    r = untouched;
    if (cache) before = *cache;
    const apart_pose here = apart_pose_identity;
    if (apart_distance(a, &here, b, pose, q, cache, &r) != APART_OK) {
        t->refused++;
        assert_memory_equal(&r, &untouched, sizeof r);
        if (cache) assert_memory_equal(cache, &before, sizeof before);
        return;
    }
    t->answered++;
    t->apart += r.lower_bound > 0;
    t->deep += r.upper_bound < 0;
    if (!is_sound(&r))
        printf("%s, %s: [%.17g, %.17g]\n", method_names[q->method], depth_names[q->depth], r.lower_bound,
               r.upper_bound);
    assert_true(is_sound(&r));
}

// By every method and to every depth: cold, twice with a cache, and with one that holds anything.
static void ask_all(rng* r, const apart_shape* a, const apart_shape* b, const apart_pose* pose, tally* t) {
    for (int i = 0; i < METHODS * DEPTHS; i++) {
        const apart_query q = query_of(i / DEPTHS, (apart_depth)(i % DEPTHS));
        apart_cache cache;
        memset(&cache, 0, sizeof cache);
        ask(a, b, pose, &q, NULL, t);
        ask(a, b, pose, &q, &cache, t);
        ask(a, b, pose, &q, &cache, t);
        cache_set_counts(&cache, (uint32_t)rng_below(r, 9), (uint32_t)rng_below(r, 9));
        cache.words[CACHE_KIND] = (uint32_t)rng_below(r, 4);
        cache_set_normal(&cache, rng_unit_vector(r));
        ask(a, b, pose, &q, &cache, t);
    }
}

static void test_liars(void** state) {
    (void)state;
    tally t = {0};
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        rng r = rng_seed(seed);
        liar first, second;
        apart_shape *a = liar_shape(&r, &first), *b = other_shape(&r, &second);
        const apart_pose pose = rng_pose(&r, rng_in_cube(&r, rng_chance(&r, 0.5) ? 0.5 : 3));
        ask_all(&r, a, b, &pose, &t);
        ask_all(&r, b, a, &pose, &t);
        apart_shape_release(a);
        apart_shape_release(b);
    }
    printf("%ld answered, of them %ld apart and %ld deep; %ld refused\n", t.answered, t.apart, t.deep, t.refused);
    assert_true(t.apart > 10000 && t.deep > 10000 && t.refused > 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_liars)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

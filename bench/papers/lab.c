// Running queries and averaging what they cost.
#include "lab.h"

#include "../machine.h"

#include <stdlib.h>

static double run_once(const course* c, const apart_query* query, apart_result* results, size_t stride) {
    apart_cache cache = {0};
    double start = clock_seconds();
    for (size_t i = 0; i < c->count; i++) {
        if (c->sequence && i % c->sequence == 0) cache = (apart_cache){0};
        apart_result* result = &results[i * stride];
        if (apart_distance(c->a, &c->pose_a[i], c->b, &c->pose_b[i], query, c->sequence ? &cache : NULL, result))
            result->iterations = -1;
    }
    return 1e9 * (clock_seconds() - start) / (double)c->count;
}

static void count_result(tally* t, const apart_result* r) {
    t->queries++;
    t->iterations += r->iterations;
    t->supports += r->supports;
    t->visits += r->visits;
    t->widest = fmax(t->widest, r->upper_bound - r->lower_bound);
    if (r->iterations < t->fewest) t->fewest = r->iterations;
    if (r->iterations > t->most) t->most = r->iterations;
    t->overlaps += r->upper_bound == 0;
}

static tally count_results(const apart_result* results, size_t count) {
    tally t = {.fewest = INT32_MAX};
    for (size_t i = 0; i < count; i++) {
        if (results[i].iterations < 0)
            t.failures++;
        else
            count_result(&t, &results[i]);
    }
    double n = t.queries ? (double)t.queries : 1;
    t.iterations /= n;
    t.supports /= n;
    t.visits /= n;
    return t;
}

tally course_run(const course* c, apart_method method, int rounds, apart_result* results) {
    apart_query query = apart_query_default();
    query.method = method;
    apart_result* all = results ? results : malloc(c->count * sizeof *all);
    if (!all) return (tally){.failures = c->count};
    double best = INFINITY;
    run_once(c, &query, all, 1);
    for (int round = 0; round < rounds; round++) {
        apart_result scratch;
        best = fmin(best, run_once(c, &query, &scratch, 0));
    }
    tally t = count_results(all, c->count);
    t.ns = best;
    if (!results) free(all);
    return t;
}

tally tally_add(tally a, tally b) {
    if (!a.queries) return b;
    double n = (double)(a.queries + b.queries), p = (double)a.queries / n, q = (double)b.queries / n;
    tally t = {.queries = a.queries + b.queries,
               .ns = p * a.ns + q * b.ns,
               .iterations = p * a.iterations + q * b.iterations,
               .supports = p * a.supports + q * b.supports,
               .visits = p * a.visits + q * b.visits,
               .widest = fmax(a.widest, b.widest),
               .fewest = a.fewest < b.fewest ? a.fewest : b.fewest,
               .most = a.most > b.most ? a.most : b.most,
               .overlaps = a.overlaps + b.overlaps,
               .failures = a.failures + b.failures};
    return t;
}

bool course_allocate(course* c, size_t count) {
    c->count = count;
    c->pose_a = malloc(count * sizeof c->pose_a[0]);
    c->pose_b = malloc(count * sizeof c->pose_b[0]);
    if (c->pose_a && c->pose_b) return true;
    course_free(c);
    return false;
}

void course_free(course* c) {
    free(c->pose_a);
    free(c->pose_b);
    c->pose_a = c->pose_b = NULL;
}

apart_shape* random_hull(size_t n, rng* r) {
    apart_vec3* points = malloc(n * sizeof *points);
    if (!points) return NULL;
    for (size_t i = 0; i < n; i++) points[i] = rng_unit_vector(r);
    apart_shape* shape = apart_shape_points(points, n, 0, NULL);
    free(points);
    return shape;
}

// Answers side by side.
#include "answers.h"

#include "base/vec.h"

#include <stdio.h>
#include <string.h>

static bool same_vector(vec3 a, vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static bool same_witness(const apart_witness* a, const apart_witness* b) {
    if (a->count != b->count || a->part != b->part || a->triangle != b->triangle) return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->vertex[i] != b->vertex[i] || a->weight[i] != b->weight[i]) return false;
    return true;
}

bool answers_agree(const apart_result* r, const apart_result* s, double slack) {
    return r->lower_bound <= s->upper_bound + slack && s->lower_bound <= r->upper_bound + slack &&
           fabs(r->distance - s->distance) <= slack;
}

bool answers_same_but_unit(const apart_result* r, const apart_result* s, double unit) {
    return r->distance * unit == s->distance && r->lower_bound * unit == s->lower_bound &&
           r->upper_bound * unit == s->upper_bound && same_vector(vec3_scale(unit, r->point_a), s->point_a) &&
           same_vector(vec3_scale(unit, r->point_b), s->point_b) && same_vector(r->normal, s->normal) &&
           same_witness(&r->a, &s->a) && same_witness(&r->b, &s->b) && r->iterations == s->iterations &&
           r->supports == s->supports && r->visits == s->visits;
}

bool answers_mirrored(const apart_result* r, const apart_result* s) {
    return same_vector(r->point_a, s->point_b) && same_vector(r->point_b, s->point_a) &&
           same_vector(r->normal, vec3_neg(s->normal)) && same_witness(&r->a, &s->b) && same_witness(&r->b, &s->a);
}

void answers_complain(const char* how, const char* of, uint64_t seed, const apart_result* r, const apart_result* s) {
    printf("%s, %s, seed %llu: [%.17g, %.17g] and [%.17g, %.17g]\n", how, of, (unsigned long long)seed, r->lower_bound,
           r->upper_bound, s->lower_bound, s->upper_bound);
}

static void hash_word(uint64_t* hash, uint64_t word) {
    for (int i = 0; i < 8; i++) *hash = (*hash ^ (word >> (8 * i) & 255)) * 0x100000001b3u;
}

void hash_doubles(uint64_t* hash, const double* x, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint64_t word;
        memcpy(&word, &x[i], sizeof word);
        hash_word(hash, word);
    }
}

static void hash_witness(uint64_t* hash, const apart_witness* w) {
    hash_word(hash, w->part);
    hash_word(hash, w->triangle);
    hash_word(hash, w->count);
    for (uint32_t i = 0; i < w->count; i++) hash_word(hash, w->vertex[i]);
    hash_doubles(hash, w->weight, w->count);
}

void hash_answer(uint64_t* hash, const apart_result* r) {
    const vec3 p = r->point_a, q = r->point_b, n = r->normal;
    const double number[] = {r->distance, r->lower_bound, r->upper_bound, p.x, p.y, p.z, q.x, q.y, q.z, n.x, n.y, n.z};
    hash_doubles(hash, number, sizeof number / sizeof *number);
    hash_witness(hash, &r->a);
    hash_witness(hash, &r->b);
    hash_word(hash, (uint64_t)r->iterations);
    hash_word(hash, (uint64_t)r->supports);
    hash_word(hash, (uint64_t)r->visits);
}

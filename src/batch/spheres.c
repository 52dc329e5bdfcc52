// The distance of two unions of spheres is that of their nearest two. The answer is as good as rounding lets it be,
// whatever errors the query allows (docs/certified.md).
#include "batch/spheres.h"

#include "base/pose.h"
#include "convex/cache.h"
#include "mesh/mesh.h"

/// Sizes from and up to which no square in here comes near the ends of the range.
#define SMALLEST 0x1p-400
#define LARGEST 0x1p400

/// Of a union, or of a sphere, whose set is made in `room`; one without blocks of any other body.
static sphere_set set_of(const apart_shape* s, sphere_block room[2]) {
    sphere_set set = {0};
    if (s->kind == SHAPE_UNION) return s->parts->spheres;
    if (!shape_is_sphere(s)) return set;
    apart_sphere_set_put(&set, room, 0, s, &apart_pose_identity);
    apart_sphere_set_close(&set, room, 1);
    return set;
}

static void set_witness(const apart_shape* s, uint32_t number, apart_witness* w) {
    const part_list* parts = s->kind == SHAPE_UNION ? s->parts : NULL;
    *w = (apart_witness){.part = parts ? parts->number[number] : 0, .count = 1, .weight = {1}};
    w->vertex[0] = (parts ? parts->part[number].shape : s)->polytope.caller[0];
}

/// Writes the distance, or that the two meet, for a query without a depth: then any point of both will do, and one
/// between their middles is.
static void conclude(const sphere_task* s, double rounding, bool meets, apart_result* r) {
    const vec3 v = vec3_sub(s->middle[1], s->middle[0]), origin = s->pose[0]->translation;
    const double length = vec3_length(v);
    double reach_a = s->radius[0], reach_b = length - s->radius[1];
    if (meets) reach_a = reach_b = larger(0, smaller(length, s->radius[0] + 0.5 * s->distance));
    r->distance = meets ? 0 : s->distance;
    r->lower_bound = meets ? 0 : s->distance - rounding;
    r->upper_bound = meets ? 0 : s->distance + rounding;
    r->normal = vec3_unit(v);
    r->point_a = vec3_add(vec3_mad(s->middle[0], reach_a, r->normal), origin);
    r->point_b = vec3_add(vec3_mad(s->middle[0], reach_b, r->normal), origin);
    r->iterations = s->spheres;
    r->supports = 2 * s->spheres;
    r->visits = s->balls;
}

bool apart_spheres_measure(const posed_shape* a, const posed_shape* b, const apart_query* query, apart_cache* cache,
                           apart_result* result) {
    sphere_block room[2][2];
    sphere_task s = {.set = {set_of(a->shape, room[0]), set_of(b->shape, room[1])}, .pose = {a->pose, b->pose}};
    if (s.set[0].blocks == 0 || s.set[1].blocks == 0 || query->method != APART_METHOD_AUTO) return false;
    if (!poses_are_good(a->pose, b->pose)) return false;
    s.offset[1] = vec3_sub(b->pose->translation, a->pose->translation);
    const double size = s.set[0].reach + s.set[1].reach + vec3_sum_abs(s.offset[1]);
    if (!(size > SMALLEST && size < LARGEST)) return false;
    const double rounding = 0x1p-48 * size + (s.set[0].slack + s.set[1].slack);
    const bool plain = query->depth == APART_DEPTH_NONE;
    s.enough = plain ? -rounding : (double)-INFINITY;
    apart_kernels()->spheres(&s);
    const bool meets = plain && s.distance < -rounding;
    const double middles = s.distance + (s.radius[0] + s.radius[1]); // their distance
    if (!meets && (middles < rounding || (plain && s.distance < rounding))) return false;
    conclude(&s, rounding, meets, result);
    set_witness(a->shape, s.number[0], &result->a);
    set_witness(b->shape, s.number[1], &result->b);
    if (!cache) return true;
    cache_set_counts(cache, 2, 2); // as measure.c does: the part, and nothing in it
    cache->words[CACHE_A] = s.number[0];
    cache->words[CACHE_B] = s.number[1];
    cache->words[CACHE_A + 1] = cache->words[CACHE_B + 1] = 0;
    return true;
}

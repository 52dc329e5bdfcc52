// Random bodies and pairs. Everything is made at size 1 first, then put in place, then scaled.
#include "bodies.h"

#include "base/vec.h"

const char* const placement_names[PLACEMENTS] = {"far",  "apart",  "near",      "touching",  "shallow",
                                                 "deep", "nested", "identical", "concentric"};
const char* const body_kind_names[BODY_KINDS] = {"points", "box", "sphere", "capsule", "cylinder", "cone", "ellipsoid"};

// ----------------------------------------------------------------------------------------------------- clouds ----

typedef enum cloud {
    CLOUD_BALL,
    CLOUD_SPHERE,
    CLOUD_LATTICE,
    CLOUD_FLAT,
    CLOUD_TILTED, // in a plane that is not along the axes
    CLOUD_LINE,
    CLOUD_REPEATED, // few places, many points
    CLOUD_NEEDLE,
    CLOUD_PLATE,
    CLOUD_PRISM,  // two parallel polygons
    CLOUD_ALMOST, // a plane with noise of one rounding
    CLOUDS
} cloud;

// A point of the unit circle from a rational parameter.
static apart_vec3 on_circle(rng* r) {
    double t = rng_uniform(r, -1, 1), q = 1 + t * t, side = rng_chance(r, 0.5) ? 1 : -1;
    return vec3_make(side * (1 - t * t) / q, 2 * t / q, 0);
}

static apart_vec3 lattice_point(rng* r) {
    double x = rng_between(r, -2, 2), y = rng_between(r, -2, 2), z = rng_between(r, -2, 2);
    return vec3_make(x / 2, y / 2, z / 2);
}

static apart_vec3 cloud_point(rng* r, cloud kind, double thin, apart_vec3 axis) {
    apart_vec3 p = rng_in_cube(r, 1);
    switch (kind) {
    case CLOUD_BALL:
        return rng_in_ball(r);
    case CLOUD_SPHERE:
        return rng_unit_vector(r);
    case CLOUD_LATTICE:
        return lattice_point(r);
    case CLOUD_FLAT:
        return vec3_make(p.x, p.y, 0);
    case CLOUD_TILTED:
        return vec3_make(p.x, p.y, p.x * axis.x + p.y * axis.y);
    case CLOUD_LINE:
        return vec3_make(p.x * axis.x, p.x * axis.y, p.x * axis.z);
    case CLOUD_NEEDLE:
        return vec3_make(p.x * thin, p.y * thin, p.z);
    case CLOUD_PLATE:
        return vec3_make(p.x, p.y, p.z * thin);
    case CLOUD_ALMOST:
        return vec3_make(p.x, p.y, p.z * 0x1p-53);
    case CLOUD_PRISM: {
        apart_vec3 c = on_circle(r);
        c.z = rng_chance(r, 0.5) ? 0.5 : -0.5;
        return c;
    }
    default:
        return p;
    }
}

// Mostly small, sometimes large.
static int cloud_count(rng* r, int most) {
    int count = rng_chance(r, 0.5) ? rng_between(r, 1, 6) : rng_chance(r, 0.8) ? rng_between(r, 4, 24) : most;
    return count < most ? count : most;
}

static void cloud_random(rng* r, body* b, int most) {
    cloud kind = (cloud)rng_below(r, CLOUDS);
    double thin = rng_magnitude(r, -24, -3);
    apart_vec3 axis = rng_unit_vector(r);
    b->kind = BODY_POINTS;
    b->count = cloud_count(r, most);
    int places = rng_between(r, 1, 5);
    for (int i = 0; i < b->count; i++)
        b->points[i] = kind == CLOUD_REPEATED && i >= places ? b->points[i % places] : cloud_point(r, kind, thin, axis);
    // Now and then far from the body's own origin.
    if (!rng_chance(r, 0.1)) return;
    apart_vec3 off = rng_in_cube(r, rng_magnitude(r, 0, 12));
    for (int i = 0; i < b->count; i++) {
        apart_vec3* p = &b->points[i];
        *p = vec3_make(p->x + off.x, p->y + off.y, p->z + off.z);
    }
}

void body_cospherical(rng* r, body* b, int count) {
    b->kind = BODY_POINTS;
    b->callback = false;
    b->radius = 0;
    b->size = vec3_make(0, 0, 0);
    b->count = count;
    for (int i = 0; i < count; i++) b->points[i] = rng_unit_vector(r);
}

// ----------------------------------------------------------------------------------------------------- bodies ----

// A length of about 1, often a multiple of 1/8 so that faces can meet exactly, sometimes tiny or nothing.
static double length_random(rng* r) {
    if (rng_chance(r, 0.4)) return rng_between(r, 1, 8) / 8.0;
    if (rng_chance(r, 0.1)) return rng_magnitude(r, -30, -3);
    return rng_chance(r, 0.04) ? 0 : rng_uniform(r, 0.05, 1);
}

static body_kind kind_random(rng* r) {
    static const body_kind bag[] = {BODY_POINTS, BODY_POINTS,   BODY_POINTS,   BODY_POINTS, BODY_POINTS,
                                    BODY_POINTS, BODY_BOX,      BODY_BOX,      BODY_SPHERE, BODY_CAPSULE,
                                    BODY_CONE,   BODY_CYLINDER, BODY_ELLIPSOID};
    return bag[rng_below(r, (int)(sizeof bag / sizeof bag[0]))];
}

void body_random(rng* r, body* b, int most) {
    b->kind = kind_random(r);
    b->count = 0;
    b->size.x = length_random(r);
    b->size.y = length_random(r);
    b->size.z = length_random(r);
    b->radius = 0;
    if (b->kind == BODY_POINTS) cloud_random(r, b, most);
    if (b->kind == BODY_CYLINDER || b->kind == BODY_CONE) b->size.y = b->size.x;
    if (b->kind == BODY_SPHERE || b->kind == BODY_CAPSULE) b->radius = length_random(r);
    bool has_radius = b->kind == BODY_POINTS || b->kind == BODY_BOX;
    if (has_radius && rng_chance(r, 0.3)) b->radius = length_random(r);
    b->callback = b->kind != BODY_SPHERE && b->kind != BODY_CAPSULE && rng_chance(r, 0.06);
}

void body_scale(body* b, double s) {
    b->radius *= s;
    b->size = vec3_make(s * b->size.x, s * b->size.y, s * b->size.z);
    for (int i = 0; i < b->count; i++)
        b->points[i] = vec3_make(s * b->points[i].x, s * b->points[i].y, s * b->points[i].z);
}

apart_vec3 body_centre(const body* b) {
    apart_vec3 c = vec3_make(0, 0, 0);
    for (int i = 0; i < b->count; i++) {
        c.x += b->points[i].x / b->count;
        c.y += b->points[i].y / b->count;
        c.z += b->points[i].z / b->count;
    }
    return c;
}

// ------------------------------------------------------------------------------------------------------ places ----

static apart_vec3 rotate(const apart_mat3* m, apart_vec3 p) {
    return vec3_make(m->m[0][0] * p.x + m->m[0][1] * p.y + m->m[0][2] * p.z,
                     m->m[1][0] * p.x + m->m[1][1] * p.y + m->m[1][2] * p.z,
                     m->m[2][0] * p.x + m->m[2][1] * p.y + m->m[2][2] * p.z);
}

// The farthest point along the world direction n from the body's origin, in world axes, radius included.
static apart_vec3 reach(const body* b, const apart_mat3* m, apart_vec3 n) {
    apart_vec3 d = vec3_make(m->m[0][0] * n.x + m->m[1][0] * n.y + m->m[2][0] * n.z,
                             m->m[0][1] * n.x + m->m[1][1] * n.y + m->m[2][1] * n.z,
                             m->m[0][2] * n.x + m->m[1][2] * n.y + m->m[2][2] * n.z);
    apart_vec3 p = rotate(m, body_support(b, d));
    return vec3_make(p.x + b->radius * n.x, p.y + b->radius * n.y, p.z + b->radius * n.z);
}

void pair_abut(pair* p, apart_vec3 n, double gap) {
    apart_vec3 a = reach(&p->a, &p->pose_a.rotation, n),
               b = reach(&p->b, &p->pose_b.rotation, vec3_make(-n.x, -n.y, -n.z));
    apart_vec3 t = p->pose_a.translation;
    p->pose_b.translation =
        vec3_make(t.x + (a.x - b.x + gap * n.x), t.y + (a.y - b.y + gap * n.y), t.z + (a.z - b.z + gap * n.z));
}

// Centre on centre, shifted by `off`.
static void pair_centre(pair* p, apart_vec3 off) {
    apart_vec3 a = rotate(&p->pose_a.rotation, body_centre(&p->a));
    apart_vec3 b = rotate(&p->pose_b.rotation, body_centre(&p->b)), t = p->pose_a.translation;
    p->pose_b.translation = vec3_make(t.x + (a.x - b.x + off.x), t.y + (a.y - b.y + off.y), t.z + (a.z - b.z + off.z));
}

// No turn, quarter turns, any turn, or any turn with the small errors of a matrix that has been multiplied a lot.
static apart_mat3 rotation_random(rng* r) {
    double kind = rng_unit(r);
    if (kind < 0.2) return apart_pose_identity.rotation;
    if (kind < 0.35) return rng_quarter_turns(r);
    apart_mat3 m = rng_rotation(r);
    for (int i = 0; i < 9 && kind > 0.85; i++) m.m[i / 3][i % 3] += rng_uniform(r, -1e-7, 1e-7);
    return m;
}

// Any direction, or one along an axis of the first body, where faces are met.
static apart_vec3 direction_random(rng* r, const pair* p) {
    apart_vec3 n = rng_unit_vector(r);
    if (rng_chance(r, 0.5)) return n;
    static const apart_vec3 axes[3] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}};
    return rotate(&p->pose_a.rotation, axes[rng_below(r, 3)]);
}

static void pair_place(rng* r, pair* p, double size) {
    apart_vec3 n = direction_random(r, p), zero = vec3_make(0, 0, 0);
    double u = rng_unit(r);
    switch (p->placement) {
    case PLACE_FAR:
        pair_abut(p, n, size * rng_magnitude(r, 3, 9));
        break;
    case PLACE_APART:
        pair_abut(p, n, size * (0.05 + 1.95 * u));
        break;
    case PLACE_NEAR:
        pair_abut(p, n, size * rng_magnitude(r, -40, -11));
        break;
    case PLACE_TOUCHING:
        pair_abut(p, n, 0);
        break;
    case PLACE_SHALLOW:
        pair_abut(p, n, -size * rng_magnitude(r, -40, -11));
        break;
    case PLACE_DEEP:
        pair_centre(p, rng_in_cube(r, 0.05 * size));
        break;
    case PLACE_IDENTICAL:
        p->b = p->a, p->pose_b = p->pose_a;
        break;
    default:
        pair_centre(p, zero);
        break;
    }
}

apart_pose pose_at(double x, double y, double z) {
    apart_pose p = apart_pose_identity;
    p.translation = vec3_make(x, y, z);
    return p;
}

// b's middle at a's, moved by `off`.
static void centre(pair* p, apart_vec3 off) {
    qvec a = oracle_world(&p->pose_a, body_centre(&p->a)), b = oracle_world(&p->pose_b, body_centre(&p->b));
    p->pose_b.translation.x += (double)(a.x - b.x) + off.x;
    p->pose_b.translation.y += (double)(a.y - b.y) + off.y;
    p->pose_b.translation.z += (double)(a.z - b.z) + off.z;
}

void pair_overlap(rng* r, pair* p) {
    static const placement bag[] = {PLACE_DEEP,  PLACE_DEEP,     PLACE_DEEP,      PLACE_SHALLOW,   PLACE_SHALLOW,
                                    PLACE_APART, PLACE_TOUCHING, PLACE_IDENTICAL, PLACE_CONCENTRIC};
    double size = (double)(oracle_extent(&p->a) + oracle_extent(&p->b));
    apart_vec3 n = rng_unit_vector(r), axis = {0, 0, 1}, zero = {0, 0, 0};
    if (rng_chance(r, 0.4)) n = axis;
    p->placement = bag[rng_below(r, (int)(sizeof bag / sizeof bag[0]))];
    if (p->placement == PLACE_DEEP) centre(p, rng_in_cube(r, 0.3 * size));
    if (p->placement == PLACE_SHALLOW) pair_abut(p, n, -size * rng_magnitude(r, -40, -7));
    if (p->placement == PLACE_APART) pair_abut(p, n, size * rng_magnitude(r, -30, 0));
    if (p->placement == PLACE_TOUCHING) pair_abut(p, n, 0);
    if (p->placement == PLACE_CONCENTRIC) centre(p, zero);
    if (p->placement == PLACE_IDENTICAL) p->b = p->a, p->pose_b = p->pose_a;
}

double pair_size(const pair* p) {
    apart_vec3 a = p->pose_a.translation, b = p->pose_b.translation;
    return (double)(oracle_extent(&p->a) + oracle_extent(&p->b)) + fabs(a.x - b.x) + fabs(a.y - b.y) + fabs(a.z - b.z);
}

void pair_scale(pair* p, double s) {
    body_scale(&p->a, s);
    body_scale(&p->b, s);
    apart_vec3 a = p->pose_a.translation, b = p->pose_b.translation;
    p->pose_a.translation = vec3_make(s * a.x, s * a.y, s * a.z);
    p->pose_b.translation = vec3_make(s * b.x, s * b.y, s * b.z);
}

void pair_exchange(pair* p) {
    static _Thread_local body b;
    b = p->a;
    p->a = p->b;
    p->b = b;
    apart_pose pose = p->pose_a;
    p->pose_a = p->pose_b;
    p->pose_b = pose;
}

void pose_move(apart_pose* pose, const apart_mat3* turn, apart_vec3 shift) {
    apart_vec3 q = pose->translation;
    pose->rotation = rng_product(turn, &pose->rotation);
    pose->translation.x = turn->m[0][0] * q.x + turn->m[0][1] * q.y + turn->m[0][2] * q.z + shift.x;
    pose->translation.y = turn->m[1][0] * q.x + turn->m[1][1] * q.y + turn->m[1][2] * q.z + shift.y;
    pose->translation.z = turn->m[2][0] * q.x + turn->m[2][1] * q.y + turn->m[2][2] * q.z + shift.z;
}

void pair_move(pair* p, const apart_mat3* turn, apart_vec3 shift) {
    pose_move(&p->pose_a, turn, shift);
    pose_move(&p->pose_b, turn, shift);
}

void pair_random(pair* p, uint64_t seed) {
    rng r = rng_seed(seed);
    p->seed = seed;
    p->placement = (placement)rng_below(&r, PLACEMENTS);
    int most = rng_chance(&r, 0.1) ? 200 : 24;
    body_random(&r, &p->a, most);
    body_random(&r, &p->b, most);
    p->pose_a.rotation = rotation_random(&r);
    p->pose_b.rotation = rng_chance(&r, 0.2) ? p->pose_a.rotation : rotation_random(&r);
    // The second body is now and then much smaller, up to 1e18 times.
    if (p->placement == PLACE_NESTED) body_scale(&p->b, rng_magnitude(&r, -12, -4));
    if (rng_chance(&r, 0.1)) body_scale(&p->b, rng_magnitude(&r, -60, -3));
    // The pair is now and then far from the world's origin, up to 1e6 sizes.
    p->pose_a.translation =
        rng_chance(&r, 0.4) ? vec3_make(0, 0, 0) : rng_in_cube(&r, rng_magnitude(&r, -2, rng_chance(&r, 0.3) ? 20 : 2));
    pair_place(&r, p, (double)(oracle_extent(&p->a) + oracle_extent(&p->b)) + 0x1p-60);
    // The unit is now and then anything from 1e-150 to 1e150.
    if (rng_chance(&r, 0.2)) pair_scale(p, rng_magnitude(&r, -498, 498));
}

// ------------------------------------------------------------------------------------------------------- print ----

static void body_print(FILE* out, const char* name, const body* b, const apart_pose* pose) {
    fprintf(out, "  %s: %s%s size %a %a %a radius %a (%.3g %.3g %.3g, %.3g)\n", name, body_kind_names[b->kind],
            b->callback ? " by callback" : "", b->size.x, b->size.y, b->size.z, b->radius, b->size.x, b->size.y,
            b->size.z, b->radius);
    for (int i = 0; i < b->count; i++)
        fprintf(out, "    {%a, %a, %a},\n", b->points[i].x, b->points[i].y, b->points[i].z);
    for (int i = 0; i < 3; i++)
        fprintf(out, "    row {%a, %a, %a}\n", pose->rotation.m[i][0], pose->rotation.m[i][1], pose->rotation.m[i][2]);
    fprintf(out, "    at {%a, %a, %a}\n", pose->translation.x, pose->translation.y, pose->translation.z);
}

void pair_print(FILE* out, const pair* p) {
    fprintf(out, "pair of seed %llu, %s\n", (unsigned long long)p->seed, placement_names[p->placement]);
    body_print(out, "a", &p->a, &p->pose_a);
    body_print(out, "b", &p->b, &p->pose_b);
}

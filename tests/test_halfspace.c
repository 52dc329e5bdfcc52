// Half-spaces against every kind of body: the height of the lowest point in quadruple precision, by formulas and over
// all vertices; exchanged, scaled, far away; errors, caches, batches; gradients against differences; motions against
// many instants; scenes against all pairs; memory that fails; wrong arguments.
#include "allocation_count.h"

#include "answers.h"
#include "bodies.h"
#include "mesh_models.h"
#include "motion_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
enum { TRIALS = 6000, MOTIONS = 2000, SAMPLES = 200, SLOPES = 1500, SCENES = 12 };
#else
enum { TRIALS = 600, MOTIONS = 150, SAMPLES = 60, SLOPES = 200, SCENES = 3 };
#endif

// ---------------------------------------------------------------------------------------------------- specimens ----

typedef enum specimen_kind { CONVEX, MESH, UNION, NESTED, SPECIMENS } specimen_kind;
static const char* const specimen_names[SPECIMENS] = {"convex", "mesh", "union", "nested union"};

enum { MOST_PARTS = 5 };

// A body of any kind as the caller has it.
typedef struct specimen {
    specimen_kind kind;
    int count;
    bool is_mesh[MOST_PARTS];
    body body[MOST_PARTS];
    surface surface[MOST_PARTS];
    apart_pose inner[MOST_PARTS], outer; // of the parts in their union, of that in another
    apart_shape* part[MOST_PARTS];
    apart_shape* shape;
} specimen;

static apart_vec3 scaled(double s, apart_vec3 a) { return (apart_vec3){s * a.x, s * a.y, s * a.z}; }
static apart_vec3 plus(apart_vec3 a, apart_vec3 b) { return (apart_vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static double length_of(apart_vec3 a) { return hypot(hypot(a.x, a.y), a.z); }

static apart_shape* make_union(apart_shape* const* shapes, const apart_pose* poses, int count) {
    apart_part part[MOST_PARTS];
    for (int i = 0; i < count; i++) part[i] = (apart_part){shapes[i], poses[i]};
    return apart_shape_union(part, (size_t)count, NULL);
}

static void specimen_open(rng* r, specimen* s, specimen_kind kind, double scale) {
    s->kind = kind;
    s->count = kind == CONVEX || kind == MESH ? 1 : rng_between(r, 1, MOST_PARTS);
    s->outer = rng_pose(r, scaled(scale, rng_in_ball(r)));
    for (int i = 0; i < s->count; i++) {
        s->is_mesh[i] = kind == MESH || (kind != CONVEX && rng_chance(r, 0.3));
        s->inner[i] = rng_pose(r, scaled(scale, rng_in_ball(r)));
        if (s->is_mesh[i]) {
            s->surface[i] = model_get(rng_below(r, MODELS));
            if (rng_chance(r, 0.3)) s->surface[i].radius = 0.1;
            if (rng_chance(r, 0.1)) surface_shift(&s->surface[i], scaled(1e3, rng_in_ball(r)));
            surface_scale(&s->surface[i], scale);
        } else {
            body_random(r, &s->body[i], rng_chance(r, 0.2) ? 300 : 30);
            // Sometimes far from its own origin.
            const apart_vec3 shift = scaled(rng_chance(r, 0.1) ? 1e3 : 0, rng_in_ball(r));
            for (int k = 0; k < s->body[i].count; k++) s->body[i].points[k] = plus(s->body[i].points[k], shift);
            body_scale(&s->body[i], scale);
        }
        s->part[i] = s->is_mesh[i] ? surface_shape(&s->surface[i], NULL) : body_shape(&s->body[i], NULL);
        assert_non_null(s->part[i]);
    }
    s->shape = kind >= UNION ? make_union(s->part, s->inner, s->count) : apart_shape_retain(s->part[0]);
    if (kind == NESTED) {
        apart_shape* own = s->shape;
        s->shape = make_union(&own, &s->outer, 1);
        apart_shape_release(own);
    }
    assert_non_null(s->shape);
}

static void specimen_close(specimen* s) {
    apart_shape_release(s->shape);
    for (int i = 0; i < s->count; i++) {
        apart_shape_release(s->part[i]);
        if (s->is_mesh[i]) surface_free(&s->surface[i]);
    }
}

// ------------------------------------------------------------------------------------------------------- oracle ----

static qvec times_transposed(const apart_mat3* m, qvec x) {
    return (qvec){m->m[0][0] * x.x + m->m[1][0] * x.y + m->m[2][0] * x.z,
                  m->m[0][1] * x.x + m->m[1][1] * x.y + m->m[2][1] * x.z,
                  m->m[0][2] * x.x + m->m[1][2] * x.y + m->m[2][2] * x.z};
}

static quad larger_of(quad a, quad b) { return a > b ? a : b; }

// How far the core reaches along d, times |d|.
static quad core_reach(const body* b, qvec d) {
    const quad x = b->size.x, z = b->size.z, around = x * quad_sqrt(d.x * d.x + d.y * d.y);
    if (b->kind == BODY_CYLINDER) return around + (d.z > 0 ? z * d.z : -z * d.z);
    if (b->kind == BODY_CONE) return larger_of(z * d.z, around - z * d.z);
    if (b->kind == BODY_ELLIPSOID) return qvec_length((qvec){x * d.x, b->size.y * d.y, z * d.z});
    quad most = qvec_dot(d, qvec_from(body_corner(b, 0)));
    for (int i = 1; i < body_corners(b); i++) most = larger_of(most, qvec_dot(d, qvec_from(body_corner(b, i))));
    return most;
}

static quad surface_reach(const surface* s, qvec d) {
    quad most = qvec_dot(d, qvec_from(s->vertex[s->triangle[0][0]]));
    for (size_t i = 0; i < 3 * s->triangle_count; i++)
        most = larger_of(most, qvec_dot(d, qvec_from(s->vertex[s->triangle[i / 3][i % 3]])));
    return most;
}

typedef struct plane {
    apart_vec3 normal;
    double offset;
    apart_pose pose;
    apart_shape* shape;
} plane;

// The vector w with R^T w = N: by elimination.
static qvec world_normal(const plane* p) {
    quad m[3][4];
    const double n[3] = {p->normal.x, p->normal.y, p->normal.z};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) m[i][j] = p->pose.rotation.m[j][i];
        m[i][3] = n[i];
    }
    for (int k = 0; k < 3; k++) {
        int best = k;
        for (int i = k + 1; i < 3; i++)
            if (fabs((double)m[i][k]) > fabs((double)m[best][k])) best = i;
        for (int j = 0; j < 4; j++) {
            const quad kept = m[k][j];
            m[k][j] = m[best][j];
            m[best][j] = kept;
        }
        for (int i = 0; i < 3; i++) {
            const quad part = i == k ? 0 : m[i][k] / m[k][k];
            for (int j = k; j < 4; j++) m[i][j] -= part * m[k][j];
        }
    }
    return (qvec){m[0][3] / m[0][0], m[1][3] / m[1][1], m[2][3] / m[2][2]};
}

// A unit vector of the world, and how high the lowest point of the specimen is.
static quad true_height(const plane* p, const specimen* s, const apart_pose* pose, qvec* unit) {
    const qvec w = world_normal(p);
    const quad length = qvec_length(w);
    quad lowest = 0;
    for (int i = 0; i < s->count; i++) {
        const apart_pose* chain[3] = {pose, s->kind == NESTED ? &s->outer : NULL,
                                      s->kind >= UNION ? &s->inner[i] : NULL};
        quad base = -qvec_dot(w, qvec_from(p->pose.translation)) - p->offset;
        qvec g = w;
        for (int k = 0; k < 3; k++) {
            if (!chain[k]) continue;
            base += qvec_dot(g, qvec_from(chain[k]->translation));
            g = times_transposed(&chain[k]->rotation, g);
        }
        const qvec down = qvec_scale(-1, g);
        const quad radius = s->is_mesh[i] ? s->surface[i].radius : s->body[i].radius;
        const quad reach = s->is_mesh[i] ? surface_reach(&s->surface[i], down) : core_reach(&s->body[i], down);
        const quad height = (base - reach) / length - radius;
        if (i == 0 || height < lowest) lowest = height;
    }
    *unit = qvec_scale(1 / length, w);
    return lowest;
}

// All that heights are made of.
static double size_of(const plane* p, const specimen* s, const apart_pose* pose) {
    apart_shape_info info;
    assert_int_equal(apart_shape_describe(s->shape, &info), APART_OK);
    const apart_vec3 l = info.lower, u = info.upper, way = plus(pose->translation, scaled(-1, p->pose.translation));
    double size = fmax(fabs(l.x), fabs(u.x)) + fmax(fabs(l.y), fabs(u.y)) + fmax(fabs(l.z), fabs(u.z));
    if (s->kind >= UNION)
        for (int i = 0; i < s->count; i++) size += 2 * length_of(s->inner[i].translation);
    if (s->kind == NESTED) size += 2 * length_of(s->outer.translation);
    for (int i = 0; i < s->count; i++) {
        apart_shape_describe(s->part[i], &info);
        size += fmax(fabs(info.lower.x), fabs(info.upper.x)) + fmax(fabs(info.lower.z), fabs(info.upper.z));
    }
    return size + length_of(way) + fabs(p->offset) / length_of(p->normal);
}

// ------------------------------------------------------------------------------------------------------ answers ----

typedef struct tally {
    long asked[SPECIMENS], apart, touching, deep, left_out;
    double widest, estimate; // in parts of the size
} tally;

// The vertex that a witness names, in the world.
static qvec carried(const specimen* s, const apart_pose* pose, const apart_witness* w) {
    const uint32_t k = w->part;
    apart_vec3 local = s->is_mesh[k] ? s->surface[k].vertex[w->vertex[0]] : body_corner(&s->body[k], (int)w->vertex[0]);
    qvec x = qvec_from(local);
    const apart_pose* chain[3] = {s->kind >= UNION ? &s->inner[k] : NULL, s->kind == NESTED ? &s->outer : NULL, pose};
    for (int i = 0; i < 3; i++) {
        if (!chain[i]) continue;
        const double(*m)[3] = chain[i]->rotation.m;
        x = qvec_add((qvec){m[0][0] * x.x + m[0][1] * x.y + m[0][2] * x.z,
                            m[1][0] * x.x + m[1][1] * x.y + m[1][2] * x.z,
                            m[2][0] * x.x + m[2][1] * x.y + m[2][2] * x.z},
                     qvec_from(chain[i]->translation));
    }
    return x;
}

static const char* check_points(const specimen* s, const apart_pose* pose, const apart_result* r, qvec n, double size,
                                bool common) {
    const uint32_t k = r->b.part;
    const double rounding = 256 * ROUNDING * (size + length_of(pose->translation)) + 0x1p-1060;
    if (r->a.count != 0 || r->a.part != 0 || r->a.triangle != 0) return "a half-space has witnesses";
    if (k >= (uint32_t)s->count) return "no such part";
    const bool corners = s->is_mesh[k] || (body_is_polytope(&s->body[k]) && !s->body[k].callback);
    if (r->b.count != (corners ? 1u : 0u)) return "the number of witnesses is wrong";
    const qvec a = qvec_from(r->point_a), b = qvec_from(r->point_b);
    if (corners) {
        const quad radius = s->is_mesh[k] ? s->surface[k].radius : s->body[k].radius;
        if (r->b.weight[0] != 1) return "a weight is not 1";
        if (s->is_mesh[k] && r->b.triangle >= s->surface[k].triangle_count) return "no such triangle";
        const qvec off = qvec_add(qvec_sub(b, carried(s, pose, &r->b)), qvec_scale(radius, n));
        if ((double)qvec_length(off) > rounding) return "the point is not what its witness carries";
    } else if (s->kind == CONVEX && (double)oracle_outside(&s->body[0], pose, r->point_b) > rounding) {
        return "the point lies outside its body";
    }
    const double along = (double)qvec_dot(qvec_sub(b, a), qvec_from(r->normal));
    if (common) return memcmp(&r->point_a, &r->point_b, sizeof r->point_a) ? "no common point" : NULL;
    return fabs(along - r->distance) > rounding ? "the points are not distance apart" : NULL;
}

// NULL, or what is wrong with the answer for the half-space as body a.
static const char* check_answer(const plane* p, const specimen* s, const apart_pose* pose, const apart_query* q,
                                const apart_result* r, tally* t) {
    qvec n;
    const quad truth = true_height(p, s, pose, &n);
    const double size = size_of(p, s, pose), gap = r->upper_bound - r->lower_bound;
    const bool flat = q->depth == APART_DEPTH_NONE, common = flat && r->upper_bound == 0;
    const quad clipped = flat && truth < 0 ? 0 : truth;
    if (!(r->lower_bound <= r->distance && r->distance <= r->upper_bound)) return "no bracket";
    if ((quad)r->lower_bound > clipped) return "lower_bound is above the truth";
    if ((quad)r->upper_bound < clipped) return "upper_bound is below the truth";
    if (flat && r->lower_bound < 0) return "lower_bound is negative";
    if ((double)qvec_length(qvec_sub(qvec_from(r->normal), n)) > 32 * ROUNDING) return "the normal is wrong";
    const bool exact = q->relative_error == 0 && q->absolute_error == 0 && (q->cutoff == 0 || isinf(q->cutoff));
    if (exact && gap > 0x1p-45 * size + 0x1p-1000) return "the bracket is not tight";
    if (exact && flat && truth < -(quad)(1e-13 * size) && !common) return "an overlap is not told";
    const bool met = gap <= q->absolute_error || (q->cutoff != 0 && r->lower_bound >= q->cutoff) ||
                     r->lower_bound >= (1 - q->relative_error) * r->upper_bound;
    if (!exact && !met && gap > 0x1p-45 * size) return "the errors asked for are not met";
    if (exact) t->widest = fmax(t->widest, gap / size);
    if (exact && !common) t->estimate = fmax(t->estimate, fabs((double)(r->distance - clipped)) / size);
    t->left_out += gap > 0x1p-40 * size;
    return check_points(s, pose, r, n, size, common);
}

static plane plane_open(rng* r, double scale) {
    static const apart_vec3 axis[3] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}};
    plane p = {.pose = rng_pose(r, scaled(scale, rng_in_ball(r)))};
    p.normal = rng_chance(r, 0.3) ? axis[rng_below(r, 3)] : rng_unit_vector(r);
    const bool extreme = scale > 1e200 || scale < 1e-200;
    const double stretch = extreme || rng_chance(r, 0.5) ? 1 : rng_magnitude(r, -300, 300);
    p.normal = scaled(stretch, p.normal);
    p.offset = rng_chance(r, 0.3) ? 0 : stretch * scale * rng_uniform(r, -3, 3);
    if (rng_chance(r, 0.3)) p.pose.rotation = rng_quarter_turns(r);
    p.shape = apart_shape_halfspace(p.normal, p.offset, NULL);
    assert_non_null(p.shape);
    return p;
}

// A matrix that is hardly accepted.
static void skew(rng* r, apart_mat3* m) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) m->m[i][j] += rng_uniform(r, -1, 1) * 1e-7;
}

// Shifts the body so that it is `gap` above the plane.
static void lift(const plane* p, const specimen* s, apart_pose* pose, double gap) {
    qvec n;
    const quad by = gap - true_height(p, s, pose, &n);
    const qvec way = qvec_scale(by, n);
    pose->translation = plus(pose->translation, (apart_vec3){(double)way.x, (double)way.y, (double)way.z});
}

static double random_gap(rng* r, double scale) {
    switch (rng_below(r, 5)) {
    case 0:
        return 0;
    case 1:
        return scale * rng_magnitude(r, -40, -5);
    case 2:
        return -scale * rng_magnitude(r, -40, -5);
    case 3:
        return scale * rng_uniform(r, 0, 3);
    default:
        return -scale * rng_uniform(r, 0, 5);
    }
}

static apart_query random_query(rng* r, double scale) {
    apart_query q = {.depth = (apart_depth)rng_below(r, 3), .method = (apart_method)rng_below(r, 4)};
    const int which = rng_below(r, 6);
    if (which == 0) q.relative_error = rng_uniform(r, 0, 1);
    if (which == 1) q.absolute_error = scale * rng_uniform(r, 0, 1);
    if (which == 2) q.cutoff = scale * rng_uniform(r, -1, 2);
    return q;
}

static void expect_exchanged(const apart_result* r, const apart_result* x) {
    assert_true(r->distance == x->distance && r->lower_bound == x->lower_bound && r->upper_bound == x->upper_bound);
    assert_memory_equal(&r->point_a, &x->point_b, sizeof r->point_a);
    assert_memory_equal(&r->point_b, &x->point_a, sizeof r->point_a);
    assert_true(r->normal.x == -x->normal.x && r->normal.y == -x->normal.y && r->normal.z == -x->normal.z);
    assert_memory_equal(&r->a, &x->b, sizeof r->a);
    assert_memory_equal(&r->b, &x->a, sizeof r->b);
}

// The same pair by all calls, and the other way round.
static void check_calls(const plane* p, const specimen* s, const apart_pose* pose, const apart_query* q,
                        const apart_result* r) {
    apart_result x;
    const apart_pair one = {p->shape, s->shape, p->pose, *pose};
    uint64_t expected = HASH_START, hash = HASH_START;
    hash_answer(&expected, r);
    assert_int_equal(apart_distance_batch(&one, 1, q, NULL, &x, NULL, 1), APART_OK);
    hash_answer(&hash, &x);
    assert_true(hash == expected);
    hash = HASH_START;
    assert_int_equal(apart_distance_poses(p->shape, &p->pose, 1, s->shape, pose, 1, q, &x, NULL, 1), APART_OK);
    hash_answer(&hash, &x);
    assert_true(hash == expected);
    assert_int_equal(apart_distance(s->shape, pose, p->shape, &p->pose, q, NULL, &x), APART_OK);
    expect_exchanged(r, &x);
}

static void test_distance(void** state) {
    (void)state;
    static specimen s;
    static const double scales[10] = {1, 1, 1, 1, 1e-150, 1e150, 1e-20, 1e9, 1e-306, 1e290};
    tally t = {0};
    for (int i = 0; i < TRIALS; i++) {
        rng r = rng_seed(170000 + (uint64_t)i);
        const double scale = scales[rng_below(&r, 10)];
        const specimen_kind kind = (specimen_kind)(i % SPECIMENS);
        specimen_open(&r, &s, kind, scale);
        plane p = plane_open(&r, scale);
        apart_pose pose = rng_pose(&r, scaled(scale * (rng_chance(&r, 0.1) ? 1e6 : 2), rng_in_ball(&r)));
        if (rng_chance(&r, 0.1)) skew(&r, &pose.rotation);
        if (rng_chance(&r, 0.1)) skew(&r, &p.pose.rotation);
        lift(&p, &s, &pose, random_gap(&r, scale));
        const apart_query q = random_query(&r, scale);
        apart_result x;
        memset(&x, 0, sizeof x);
        allocation_watch(0, false);
        const apart_status status = apart_distance(p.shape, &p.pose, s.shape, &pose, &q, NULL, &x);
        assert_int_equal(allocation_stop(), 0);
        assert_int_equal(status, APART_OK);
        const char* wrong = check_answer(&p, &s, &pose, &q, &x, &t);
        if (wrong)
            fail_msg("trial %d, %s: %s (%.17g in [%.17g, %.17g])", i, specimen_names[kind], wrong, x.distance,
                     x.lower_bound, x.upper_bound);
        check_calls(&p, &s, &pose, &q, &x);
        // A cache with anything in it.
        apart_cache cache;
        for (int k = 0; k < 64; k++) cache.words[k] = (uint32_t)rng_next(&r);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(apart_distance(p.shape, &p.pose, s.shape, &pose, &q, &cache, &x), APART_OK);
            assert_null(check_answer(&p, &s, &pose, &q, &x, &t));
        }
        t.asked[kind]++;
        t.apart += x.lower_bound > 0;
        t.deep += x.upper_bound <= 0;
        t.touching += x.lower_bound <= 0 && x.upper_bound > 0;
        specimen_close(&s);
        apart_shape_release(p.shape);
    }
    print_message("%ld apart, %ld touching, %ld overlapping, %ld left open as asked; widest bracket %.3g of the size, "
                  "estimate off by %.3g\n",
                  t.apart, t.touching, t.deep, t.left_out, t.widest, t.estimate);
    assert_true(t.apart * 5 > TRIALS && t.deep * 5 > TRIALS && t.touching * 20 > TRIALS && t.left_out > TRIALS / 200);
    assert_true(t.estimate < 16 * ROUNDING);
}

// The ground is level: where a body is along it makes no difference to what is certain.
static void test_far_along_the_ground(void** state) {
    (void)state;
    apart_shape *ground = apart_shape_halfspace((apart_vec3){0, 0, 8}, 4, NULL),
                *box = apart_shape_box((apart_vec3){1, 2, 3}, 0, NULL);
    const apart_pose pose = pose_at(1e15, -3e14, 5);
    apart_result r;
    assert_int_equal(apart_distance(ground, &apart_pose_identity, box, &pose, NULL, NULL, &r), APART_OK);
    assert_true(r.distance == 1.5 && r.upper_bound - r.lower_bound < 1e-12);
    assert_true(r.normal.x == 0 && r.normal.y == 0 && r.normal.z == 1);
    assert_true(r.point_a.z == 0.5 && r.point_b.z == 2);
    // Resting on it.
    const apart_pose rest = pose_at(0, 0, 3.5);
    const apart_query deep = {.depth = APART_DEPTH_EXACT};
    assert_int_equal(apart_distance(ground, &apart_pose_identity, box, &rest, &deep, NULL, &r), APART_OK);
    assert_true(r.distance == 0 && r.lower_bound <= 0 && r.upper_bound >= 0);
    apart_shape_release(ground);
    apart_shape_release(box);
}

// Many points, each as the ordinary query has it.
static void test_points(void** state) {
    (void)state;
    enum { COUNT = 500 };
    static apart_vec3 point[COUNT];
    static apart_result all[COUNT];
    rng r = rng_seed(31);
    plane p = plane_open(&r, 1);
    const apart_query deep = {.depth = APART_DEPTH_EXACT};
    long below = 0;
    for (int i = 0; i < COUNT; i++) point[i] = scaled(4, rng_in_ball(&r));
    assert_int_equal(apart_distance_points(p.shape, &p.pose, point, COUNT, &deep, all, NULL, 0), APART_OK);
    const qvec w = world_normal(&p);
    for (int i = 0; i < COUNT; i++) {
        const qvec way = qvec_sub(qvec_from(point[i]), qvec_from(p.pose.translation));
        const quad truth = (qvec_dot(w, way) - p.offset) / qvec_length(w);
        assert_true((quad)all[i].lower_bound <= truth && truth <= (quad)all[i].upper_bound);
        assert_true(all[i].upper_bound - all[i].lower_bound < 1e-13 * (1 + length_of(point[i])));
        assert_memory_equal(&all[i].point_b, &point[i], sizeof point[i]);
        below += truth < 0;
    }
    assert_true(below > 20 && below < COUNT - 20);
    apart_shape_release(p.shape);
}

// --------------------------------------------------------------------------------------------------- the search ----

// The lowest vertex of a large mesh is found without looking at all of it; of a plate that lies flat at all, unless an
// error is allowed.
static void test_tree(void** state) {
    (void)state;
    surface ball = model_sphere(6), plate = model_box((apart_vec3){1, 1, 0.1}, 64);
    apart_shape *b = surface_shape(&ball, NULL), *f = surface_shape(&plate, NULL),
                *ground = apart_shape_halfspace((apart_vec3){0, 0, 1}, 0, NULL);
    const apart_pose up = pose_at(0, 0, 3);
    const apart_query rough = {.relative_error = 0.01}, cut = {.cutoff = 1};
    apart_result r;
    rng random = rng_seed(5);
    for (int i = 0; i < 20; i++) {
        const apart_pose turned = rng_pose(&random, up.translation);
        assert_int_equal(apart_distance(ground, &apart_pose_identity, b, &turned, NULL, NULL, &r), APART_OK);
        assert_true(r.visits * 20 < (int)ball.triangle_count);
    }
    assert_int_equal(apart_distance(ground, &apart_pose_identity, f, &up, NULL, NULL, &r), APART_OK);
    const int all = r.visits;
    assert_true(fabs(r.distance - 2.9) < 1e-14);
    assert_int_equal(apart_distance(ground, &apart_pose_identity, f, &up, &rough, NULL, &r), APART_OK);
    assert_true(r.lower_bound <= 2.9 && 2.9 <= r.upper_bound && r.lower_bound >= 0.99 * r.upper_bound);
    assert_true(r.visits * 20 < all);
    assert_int_equal(apart_distance(ground, &apart_pose_identity, f, &up, &cut, NULL, &r), APART_OK);
    assert_true(r.lower_bound >= 1 && r.lower_bound <= 2.9 && r.visits * 20 < all);
    print_message("%d boxes of a plate, %d with a cutoff\n", all, r.visits);
    apart_shape_release(b);
    apart_shape_release(f);
    apart_shape_release(ground);
    surface_free(&ball);
    surface_free(&plate);
}

static void count_step(const apart_step* step, void* context) {
    assert_true(step->count_a == 1 && step->count_b == 1 && step->lower <= step->upper);
    ++*(int*)context;
}

static void test_trace(void** state) {
    (void)state;
    int steps = 0;
    apart_shape *ground = apart_shape_halfspace((apart_vec3){0, 0, 1}, 0, NULL),
                *box = apart_shape_box((apart_vec3){1, 1, 1}, 0.5, NULL);
    const apart_query q = {.trace = count_step, .trace_context = &steps};
    const apart_pose up = pose_at(0, 0, 3);
    apart_result r;
    assert_int_equal(apart_distance(box, &up, ground, &apart_pose_identity, &q, NULL, &r), APART_OK);
    assert_int_equal(steps, 1);
    apart_shape_release(ground);
    apart_shape_release(box);
}

// ----------------------------------------------------------------------------------------------------- gradient ----

static apart_pose stepped(const apart_pose* pose, int axis, double by) {
    apart_pose p = *pose;
    double* place[3] = {&p.translation.x, &p.translation.y, &p.translation.z};
    if (axis < 3) {
        *place[axis] += by;
        return p;
    }
    const double half = by / 2;
    const apart_mat3 turn = rng_matrix(1, axis == 3 ? half : 0, axis == 4 ? half : 0, axis == 5 ? half : 0);
    p.rotation = rng_product(&turn, &pose->rotation);
    return p;
}

static double slope_at(const apart_twist* t, int axis) {
    const double x[6] = {t->linear.x, t->linear.y, t->linear.z, t->angular.x, t->angular.y, t->angular.z};
    return x[axis];
}

static void test_gradient(void** state) {
    (void)state;
    static specimen s;
    const double step = 1e-6;
    long unique = 0;
    double worst = 0;
    for (int i = 0; i < SLOPES; i++) {
        rng r = rng_seed(180000 + (uint64_t)i);
        specimen_open(&r, &s, (specimen_kind)(i % SPECIMENS), 1);
        plane p = plane_open(&r, 1);
        apart_pose pose = rng_pose(&r, scaled(2, rng_in_ball(&r)));
        lift(&p, &s, &pose, rng_uniform(&r, -2, 2));
        const apart_query q = {.depth = APART_DEPTH_EXACT};
        apart_result x;
        apart_slope slope;
        const bool body_first = rng_chance(&r, 0.5);
        const apart_shape *a = body_first ? s.shape : p.shape, *b = body_first ? p.shape : s.shape;
        const apart_pose *pose_a = body_first ? &pose : &p.pose, *pose_b = body_first ? &p.pose : &pose;
        assert_int_equal(apart_distance(a, pose_a, b, pose_b, &q, NULL, &x), APART_OK);
        assert_int_equal(apart_gradient(a, pose_a, b, pose_b, &x, &slope), APART_OK);
        unique += slope.unique;
        // One-sided differences agree on both sides where one pair is the nearest, but for corners within a step.
        for (int k = 0; k < 12; k++) {
            apart_result high, low;
            const apart_pose up_a = k < 6 ? stepped(pose_a, k, step) : *pose_a,
                             up_b = k < 6 ? *pose_b : stepped(pose_b, k - 6, step),
                             down_a = k < 6 ? stepped(pose_a, k, -step) : *pose_a,
                             down_b = k < 6 ? *pose_b : stepped(pose_b, k - 6, -step);
            assert_int_equal(apart_distance(a, &up_a, b, &up_b, &q, NULL, &high), APART_OK);
            assert_int_equal(apart_distance(a, &down_a, b, &down_b, &q, NULL, &low), APART_OK);
            const double told = slope_at(k < 6 ? &slope.a : &slope.b, k % 6), size = size_of(&p, &s, &pose);
            const double rise = (high.distance - x.distance) / step, fall = (x.distance - low.distance) / step;
            const double lowest = fmin(rise, fall) - 1e-4 * size, highest = fmax(rise, fall) + 1e-4 * size;
            assert_true(told >= lowest && told <= highest);
            if (slope.unique && fabs(rise - fall) < 1e-5) worst = fmax(worst, fabs(told - rise) / size);
        }
        specimen_close(&s);
        apart_shape_release(p.shape);
    }
    print_message("%ld of %d unique; off by %.2g of the size at most\n", unique, (int)SLOPES, worst);
    assert_true(unique * 10 > 9 * SLOPES && worst < 1e-5);
}

static void expect_unique(apart_shape* shape, double roll, bool expected) {
    apart_shape* ground = apart_shape_halfspace((apart_vec3){0, 0, 1}, 0, NULL);
    apart_pose pose = pose_at(0.3, -0.2, 5);
    pose.rotation = rng_matrix(1, tan(roll / 2), 0, 0);
    apart_result r;
    apart_slope slope;
    assert_int_equal(apart_distance(shape, &pose, ground, &apart_pose_identity, NULL, NULL, &r), APART_OK);
    assert_int_equal(apart_gradient(shape, &pose, ground, &apart_pose_identity, &r, &slope), APART_OK);
    assert_int_equal(slope.unique, expected);
    assert_true(slope.a.linear.z == 1 && slope.b.linear.z == -1);
    // In it, with a depth.
    const apart_query deep = {.depth = APART_DEPTH_EXACT};
    pose.translation.z = 0.25;
    assert_int_equal(apart_distance(shape, &pose, ground, &apart_pose_identity, &deep, NULL, &r), APART_OK);
    assert_true(r.distance < 0);
    assert_int_equal(apart_gradient(shape, &pose, ground, &apart_pose_identity, &r, &slope), APART_OK);
    assert_int_equal(slope.unique, expected);
    assert_int_equal(apart_distance(shape, &pose, ground, &apart_pose_identity, NULL, NULL, &r), APART_OK);
    assert_int_equal(apart_gradient(shape, &pose, ground, &apart_pose_identity, &r, &slope), APART_UNSUPPORTED);
    apart_shape_release(ground);
    apart_shape_release(shape);
}

static void test_unique(void** state) {
    (void)state;
    const double quarter = 1.5707963267948966;
    surface box = model_box((apart_vec3){0.5, 0.6, 0.7}, 3);
    apart_shape* mesh = surface_shape(&box, NULL);
    const apart_part part = {mesh, apart_pose_identity};
    expect_unique(apart_shape_box((apart_vec3){1, 1, 1}, 0, NULL), 0, false);
    expect_unique(apart_shape_box((apart_vec3){1, 1, 1}, 0.1, NULL), 0.5, false); // an edge along x
    expect_unique(apart_shape_cylinder(1, 1, NULL), 0, false);
    expect_unique(apart_shape_cylinder(1, 1, NULL), quarter, false); // lying
    expect_unique(apart_shape_cylinder(1, 1, NULL), 1, true);
    expect_unique(apart_shape_cone(1, 1, NULL), 0, false);
    expect_unique(apart_shape_cone(1, 1, NULL), 1, true);
    expect_unique(apart_shape_capsule(1, 0.5, NULL), quarter, false);
    expect_unique(apart_shape_capsule(1, 0.5, NULL), 0.001, true);
    expect_unique(apart_shape_sphere(1, NULL), 0, true);
    expect_unique(apart_shape_ellipsoid((apart_vec3){1, 2, 3}, NULL), 1, true);
    expect_unique(apart_shape_retain(mesh), 0, false);
    expect_unique(apart_shape_retain(mesh), 0.5, false);
    expect_unique(apart_shape_union(&part, 1, NULL), 0, false);
    const apart_part tilted = {mesh, rng_pose(&(rng){{1, 2, 3, 4}}, (apart_vec3){0, 0, 0})};
    expect_unique(apart_shape_union(&tilted, 1, NULL), 0, true);
    apart_shape_release(mesh);
    surface_free(&box);
}

// ------------------------------------------------------------------------------------------------------- motion ----

enum { MOTION_KINDS = 6 };

typedef struct moving {
    apart_motion motion, behind; // behind: what a function computes
    apart_key key[MOST_KEYS];
} moving;

static apart_status evaluate_motion(double time, void* context, apart_pose* pose) {
    return apart_motion_pose(context, time, pose);
}

// Of a half-space: the rotation stays.
static void random_motion(rng* r, moving* x, apart_motion_kind kind, bool turns, double size) {
    apart_motion* m = &x->motion;
    const double way = size * (rng_chance(r, 0.2) ? 0.1 : turns ? 2.5 : 0.7);
    memset(m, 0, sizeof *m);
    m->kind = kind;
    m->start = rng_pose(r, scaled(way, rng_in_ball(r)));
    m->end = rng_pose(r, scaled(way, rng_in_ball(r)));
    if (!turns) m->end.rotation = m->start.rotation;
    if (rng_chance(r, 0.3)) m->pivot = scaled(size, rng_in_ball(r));
    m->velocity.linear = scaled(1.8 * way, rng_in_ball(r));
    if (turns) m->velocity.angular = scaled(rng_chance(r, 0.2) ? 0 : rng_magnitude(r, -5, 7), rng_unit_vector(r));
    m->key_count = (size_t)rng_between(r, 2, MOST_KEYS);
    for (size_t k = 0; k < m->key_count; k++) {
        x->key[k] = (apart_key){(double)k / (double)(m->key_count - 1), rng_pose(r, scaled(way, rng_in_ball(r)))};
        if (!turns) x->key[k].pose.rotation = m->start.rotation;
    }
    m->keys = x->key;
    if (kind != APART_MOTION_FUNCTION) return;
    x->behind = *m;
    x->behind.kind = APART_MOTION_VELOCITY;
    m->function = evaluate_motion;
    m->context = &x->behind;
    m->speed = length_of(m->velocity.linear) * (1 + 0x1p-40);
    m->spin = length_of(m->velocity.angular) * (1 + 0x1p-40);
}

static void check_exchanged(const encounter_case* c, const motion_answer* x) {
    motion_answer y;
    const encounter_case exchanged = case_exchanged(c);
    assert_int_equal(motion_ask(&exchanged, &y), APART_OK);
    // What is certain of one must be possible for the other.
    const apart_contact *k = &x->contact, *l = &y.contact;
    assert_false(k->kind == APART_FREE && l->kind == APART_CONTACT);
    assert_false(l->kind == APART_FREE && k->kind == APART_CONTACT);
    if (k->kind == APART_CONTACT) assert_true(l->time <= k->time_upper);
    if (l->kind == APART_CONTACT) assert_true(k->time <= l->time_upper);
    assert_true(x->approach.lower_bound <= y.approach.upper_bound && y.approach.lower_bound <= x->approach.upper_bound);
}

static void check_reversed(const encounter_case* c, const motion_answer* x) {
    if (c->motion_a.kind > APART_MOTION_VELOCITY || c->motion_b.kind > APART_MOTION_VELOCITY) return;
    motion_answer y;
    encounter_case forwards = *c;
    const encounter_case back = case_reversed(&forwards, NULL);
    assert_int_equal(motion_ask(&back, &y), APART_OK);
    assert_false(x->contact.kind == APART_FREE && y.contact.kind == APART_CONTACT);
    assert_false(y.contact.kind == APART_FREE && x->contact.kind == APART_CONTACT);
}

static void test_motion(void** state) {
    (void)state;
    static specimen s;
    static moving x[2];
    static const double scales[6] = {1, 1, 1, 1e-100, 1e100, 1e-3};
    motion_tally sums[SPECIMENS] = {{0}};
    for (int i = 0; i < MOTIONS; i++) {
        rng r = rng_seed(190000 + (uint64_t)i);
        const specimen_kind kind = (specimen_kind)(i % SPECIMENS);
        const double scale = scales[rng_below(&r, 6)];
        specimen_open(&r, &s, kind, scale);
        plane p = plane_open(&r, scale);
        // Mostly below the body to begin with.
        p.offset -= length_of(p.normal) * scale * 2;
        apart_shape_release(p.shape);
        p.shape = apart_shape_halfspace(p.normal, p.offset, NULL);
        random_motion(&r, &x[0], (apart_motion_kind)rng_below(&r, MOTION_KINDS), false, scale);
        random_motion(&r, &x[1], (apart_motion_kind)(i / SPECIMENS % MOTION_KINDS), true, scale);
        encounter_case c = {p.shape, s.shape, x[0].motion, x[1].motion, {.tolerance = 1e-6 * scale}};
        if (rng_chance(&r, 0.3)) c.query.clearance = scale * rng_magnitude(&r, -10, -1);
        if (rng_chance(&r, 0.1)) c.query.max_steps = rng_between(&r, 1, 20);
        motion_answer answer;
        allocation_watch(0, false);
        const apart_status status = motion_ask(&c, &answer);
        assert_int_equal(allocation_stop(), 0);
        assert_int_equal(status, APART_OK);
        const char* wrong = motion_check(&c, &answer, SAMPLES, &sums[kind]);
        if (wrong) fail_msg("motion %d, %s: %s", i, specimen_names[kind], wrong);
        check_exchanged(&c, &answer);
        check_reversed(&c, &answer);
        specimen_close(&s);
        apart_shape_release(p.shape);
    }
    for (int k = 0; k < SPECIMENS; k++) {
        const motion_tally* t = &sums[k];
        motion_tally_print(specimen_names[k], t);
        assert_true(t->kinds[APART_FREE] * 20 > t->asked && t->kinds[APART_CONTACT] * 4 > t->asked);
        assert_true(t->spans > t->asked / 4 && t->touching * 10 > t->samples && t->touching * 10 < 9 * t->samples);
        assert_int_equal(t->overlooked, 0);
        assert_true(t->wide * 50 <= t->asked);
    }
}

// A ball that falls meets the ground when the formula says so, and so does a turning box its corner.
static void test_fall(void** state) {
    (void)state;
    apart_shape *ground = apart_shape_halfspace((apart_vec3){0, 0, 2}, 2, NULL), *ball = apart_shape_sphere(0.5, NULL);
    const apart_motion stays = {.start = apart_pose_identity},
                       rises = {.kind = APART_MOTION_VELOCITY,
                                .start = apart_pose_identity,
                                .velocity.linear = {3, 1, 1}},
                       falls = {.kind = APART_MOTION_VELOCITY,
                                .start = pose_at(7, 8, 3.5),
                                .velocity = {{9, 0, -3}, {5, 6, 7}}};
    apart_contact c;
    assert_int_equal(apart_first_contact(ground, &stays, ball, &falls, NULL, &c), APART_OK);
    assert_int_equal(c.kind, APART_CONTACT);
    assert_true(c.time <= 2.0 / 3 && 2.0 / 3 <= c.time_upper && c.time_upper - c.time < 1e-11);
    assert_true(fabs(c.rate + 3) < 1e-12);
    assert_int_equal(apart_first_contact(ball, &falls, ground, &rises, NULL, &c), APART_OK);
    assert_true(c.kind == APART_CONTACT && c.time <= 0.5 && 0.5 <= c.time_upper && fabs(c.rate + 4) < 1e-12);
    apart_approach least;
    const apart_motion past = {
        .kind = APART_MOTION_VELOCITY, .start = pose_at(0, 0, 3.5), .velocity = {{9, 0, -1}, {5, 6, 7}}};
    assert_int_equal(apart_closest_approach(ground, &stays, ball, &past, NULL, &least), APART_OK);
    assert_true(least.lower_bound <= 1 && 1 <= least.upper_bound && least.upper_bound - least.lower_bound < 1e-8);
    apart_shape_release(ground);
    apart_shape_release(ball);
}

static apart_status turn_slowly(double time, void* context, apart_pose* pose) {
    (void)context;
    *pose = apart_pose_from_quaternion(1, 0.1 * time, 0, 0, (apart_vec3){0, 0, 0});
    return APART_OK;
}

// A half-space that turns, in a motion of every kind.
static void test_turning(void** state) {
    (void)state;
    apart_shape *ground = apart_shape_halfspace((apart_vec3){0, 0, 1}, 0, NULL), *ball = apart_shape_sphere(0.5, NULL);
    apart_pose turned = pose_at(0, 0, 0);
    turned.rotation = rng_matrix(1, 0.1, 0, 0);
    const apart_key key[3] = {{0, apart_pose_identity}, {0.5, apart_pose_identity}, {1, turned}};
    const apart_motion stays = {.start = pose_at(0, 0, 5)};
    const apart_motion moves[] = {
        {.kind = APART_MOTION_SLERP, .start = apart_pose_identity, .end = turned},
        {.kind = APART_MOTION_NLERP, .start = apart_pose_identity, .end = turned},
        {.kind = APART_MOTION_VELOCITY, .start = apart_pose_identity, .velocity.angular = {0, 1e-9, 0}},
        {.kind = APART_MOTION_KEYS, .keys = key, .key_count = 3},
        {.kind = APART_MOTION_FUNCTION, .function = turn_slowly, .spin = 0.2},
    };
    apart_contact c;
    apart_approach least;
    size_t spans = 7;
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        assert_int_equal(apart_first_contact(ground, &moves[i], ball, &stays, NULL, &c), APART_UNSUPPORTED);
        assert_int_equal(apart_first_contact(ball, &stays, ground, &moves[i], NULL, &c), APART_UNSUPPORTED);
        assert_int_equal(apart_closest_approach(ball, &stays, ground, &moves[i], NULL, &least), APART_UNSUPPORTED);
        assert_int_equal(apart_contact_spans(ball, &stays, ground, &moves[i], NULL, NULL, 0, &spans),
                         APART_UNSUPPORTED);
        assert_int_equal(apart_first_contact(ball, &moves[i], ground, &stays, NULL, &c), APART_OK);
    }
    assert_int_equal(apart_first_contact(ground, &stays, ground, &stays, NULL, &c), APART_UNSUPPORTED);
    assert_int_equal(spans, 7);
    apart_shape_release(ground);
    apart_shape_release(ball);
}

// -------------------------------------------------------------------------------------------------------- scenes ----

enum { BODIES = 60, PLANES = 3 };

typedef struct found_pairs {
    apart_scene_pair pair[BODIES * BODIES];
    int count;
} found_pairs;

static bool note_pair(const apart_scene_pair* p, void* context) {
    found_pairs* f = context;
    f->pair[f->count++] = *p;
    return true;
}

typedef struct found_contacts {
    apart_scene_contact of[BODIES * BODIES];
    int count;
} found_contacts;

static bool note_contact(const apart_scene_contact* c, void* context) {
    found_contacts* f = context;
    f->of[f->count++] = *c;
    return true;
}

typedef struct world {
    apart_scene* scene;
    specimen specimen[8];
    apart_scene_body body[BODIES];
    bool plane[BODIES];
} world;

static void world_open(world* w, rng* r) {
    w->scene = apart_scene_create(NULL);
    for (int i = 0; i < 8; i++) specimen_open(r, &w->specimen[i], (specimen_kind)(i % SPECIMENS), 0.5);
    for (int i = 0; i < BODIES; i++) {
        w->plane[i] = i % (BODIES / PLANES) == 7;
        apart_shape* shape = w->plane[i] ? apart_shape_halfspace(rng_unit_vector(r), -3, NULL)
                                         : apart_shape_retain(w->specimen[rng_below(r, 8)].shape);
        w->body[i] = (apart_scene_body){.shape = shape, .pose = rng_pose(r, rng_in_cube(r, w->plane[i] ? 0.1 : 6))};
        if (rng_chance(r, 0.2)) w->body[i].margin = 0.1;
        assert_int_equal(apart_scene_add(w->scene, &w->body[i], NULL, NULL), APART_OK);
        apart_shape_release(shape);
    }
}

static void world_close(world* w) {
    apart_scene_release(w->scene);
    for (int i = 0; i < 8; i++) specimen_close(&w->specimen[i]);
}

static apart_result measure_pair(const world* w, int a, int b, const apart_query* q) {
    apart_result r;
    const apart_pair p = {w->body[a].shape, w->body[b].shape, w->body[a].pose, w->body[b].pose};
    assert_int_equal(apart_distance_batch(&p, 1, q, NULL, &r, NULL, 1), APART_OK);
    return r;
}

// Pairs with a half-space in the order of their ids; returns how many.
static int check_within(const world* w, const apart_query* q) {
    static found_pairs f;
    int reported = 0;
    for (int threads = 1; threads <= 4; threads++) {
        f.count = 0;
        assert_int_equal(apart_scene_within(w->scene, 0.25, q, threads, note_pair, &f), APART_OK);
        int k = 0;
        reported = 0;
        for (int a = 0; a < BODIES; a++)
            for (int b = a + 1; b < BODIES; b++) {
                if (w->plane[a] && w->plane[b]) continue;
                const bool named = k < f.count && (int)f.pair[k].a == a && (int)f.pair[k].b == b;
                k += named;
                if (!w->plane[a] && !w->plane[b]) continue;
                const apart_result r = measure_pair(w, a, b, q);
                assert_int_equal(named, !(r.lower_bound > 0.25 + (w->body[a].margin + w->body[b].margin)));
                if (named) assert_true(f.pair[k - 1].result.lower_bound <= r.upper_bound);
                if (named) assert_true(f.pair[k - 1].result.upper_bound >= r.lower_bound);
                reported += named;
            }
        assert_int_equal(k, f.count);
    }
    return reported;
}

static void check_nearest(const world* w, const apart_query* q) {
    double least = INFINITY;
    apart_scene_pair p;
    for (int a = 0; a < BODIES; a++) {
        double own = INFINITY;
        for (int b = 0; b < BODIES; b++)
            if (b != a && !(w->plane[a] && w->plane[b])) own = fmin(own, measure_pair(w, a, b, q).distance);
        assert_int_equal(apart_scene_nearest(w->scene, (uint32_t)a, q, &p), APART_OK);
        assert_true(fabs(p.result.distance - own) < 1e-12);
        apart_scene_body visitor = w->body[a];
        visitor.pose.translation.x += 0.25;
        assert_int_equal(apart_scene_nearest_to(w->scene, &visitor, q, &p), APART_OK);
        assert_true(p.a == APART_NO_BODY && !(w->plane[a] && w->plane[p.b]));
        least = fmin(least, own);
    }
    assert_int_equal(apart_scene_closest(w->scene, q, &p), APART_OK);
    assert_true(fabs(p.result.distance - least) < 1e-12);
}

static int check_contacts(const world* w, rng* r) {
    static found_contacts f;
    static moving x[BODIES / 4];
    static apart_scene_motion motion[BODIES / 4];
    const apart_motion* of[BODIES] = {NULL};
    for (int i = 0; i < BODIES / 4; i++) {
        random_motion(r, &x[i], APART_MOTION_VELOCITY, !w->plane[4 * i + 3], 2);
        x[i].motion.start = w->body[4 * i + 3].pose;
        motion[i] = (apart_scene_motion){(uint32_t)(4 * i + 3), x[i].motion};
        of[4 * i + 3] = &motion[i].motion;
    }
    f.count = 0;
    assert_int_equal(apart_scene_contacts(w->scene, motion, BODIES / 4, NULL, 2, note_contact, &f), APART_OK);
    int k = 0, met = 0;
    for (int a = 0; a < BODIES; a++)
        for (int b = a + 1; b < BODIES; b++) {
            if ((w->plane[a] && w->plane[b]) || (!of[a] && !of[b])) continue;
            const bool named = k < f.count && (int)f.of[k].a == a && (int)f.of[k].b == b;
            k += named;
            if (!w->plane[a] && !w->plane[b]) continue;
            const apart_motion still_a = {.start = w->body[a].pose}, still_b = {.start = w->body[b].pose};
            const apart_motion_query own = {.clearance = w->body[a].margin + w->body[b].margin};
            apart_contact c;
            assert_int_equal(apart_first_contact(w->body[a].shape, of[a] ? of[a] : &still_a, w->body[b].shape,
                                                 of[b] ? of[b] : &still_b, &own, &c),
                             APART_OK);
            assert_int_equal(named, c.kind != APART_FREE);
            if (named) assert_true(f.of[k - 1].contact.time == c.time && f.of[k - 1].contact.kind == c.kind);
            met += named;
        }
    assert_int_equal(k, f.count);
    return met;
}

static void test_scene(void** state) {
    (void)state;
    static world w;
    static const apart_query queries[2] = {{0}, {.depth = APART_DEPTH_EXACT}};
    int within = 0, met = 0;
    for (int seed = 0; seed < SCENES; seed++) {
        rng r = rng_seed(200000 + (uint64_t)seed);
        world_open(&w, &r);
        within += check_within(&w, &queries[seed % 2]);
        check_nearest(&w, &queries[seed % 2]);
        met += check_contacts(&w, &r);
        // Moved and taken out.
        for (int i = 7; i < BODIES; i += BODIES / PLANES) {
            w.body[i].pose.translation.x += 1;
            assert_int_equal(apart_scene_move(w.scene, (uint32_t)i, &w.body[i].pose), APART_OK);
        }
        within += check_within(&w, &queries[0]);
        for (uint32_t i = 7; i < BODIES; i += BODIES / PLANES)
            assert_int_equal(apart_scene_remove(w.scene, i), APART_OK);
        assert_int_equal(apart_scene_count(w.scene), BODIES - PLANES);
        world_close(&w);
    }
    print_message("%d pairs with a half-space within, %d meet\n", within, met);
    assert_true(within > 20 * SCENES && met > 5 * SCENES);
}

// ------------------------------------------------------------------------------------------------ wrong arguments ----

static void expect_refused(apart_vec3 normal, double offset, apart_status status) {
    apart_error error = {0};
    assert_null(apart_shape_halfspace(normal, offset, &error));
    assert_int_equal(error.status, status);
    assert_true(strlen(error.message) > 10);
    assert_null(apart_shape_halfspace(normal, offset, NULL));
}

static void test_refused(void** state) {
    (void)state;
    expect_refused((apart_vec3){0, 0, 0}, 1, APART_INVALID);
    expect_refused((apart_vec3){0, NAN, 1}, 1, APART_NOT_FINITE);
    expect_refused((apart_vec3){0, INFINITY, 1}, 1, APART_NOT_FINITE);
    expect_refused((apart_vec3){0, 2e300, 1}, 1, APART_OUT_OF_RANGE);
    expect_refused((apart_vec3){0, 0, 1}, NAN, APART_NOT_FINITE);
    expect_refused((apart_vec3){0, 0, 1}, -INFINITY, APART_NOT_FINITE);
    expect_refused((apart_vec3){0, 0, 1}, 2e300, APART_OUT_OF_RANGE);
    expect_refused((apart_vec3){0, 0, 1e-10}, 1e295, APART_OUT_OF_RANGE);
    expect_refused((apart_vec3){0, 0, 5e-324}, 1e300, APART_OUT_OF_RANGE);
    apart_error error = {0};
    apart_shape* ground = apart_shape_halfspace((apart_vec3){5e-324, 0, 0}, 1e-322, &error);
    assert_non_null(ground);
    apart_shape *point = apart_shape_sphere(0, NULL), *ball = apart_shape_sphere(1, NULL);
    const apart_pose at = pose_at(25, 1e300, -1e300);
    apart_result r = {.distance = 77};
    assert_int_equal(apart_distance(ground, &apart_pose_identity, point, &at, NULL, NULL, &r), APART_OK);
    assert_true(fabs(r.distance - 5) < 1e-12 && r.upper_bound - r.lower_bound < 1e-12); // 1e-322 is 20 times 5e-324
    // Everywhere but where it makes sense.
    const apart_part part = {ground, apart_pose_identity};
    assert_null(apart_shape_union(&part, 1, &error));
    assert_int_equal(error.status, APART_UNSUPPORTED);
    assert_non_null(strstr(error.message, "half-space"));
    const apart_query spheres = {.method = APART_METHOD_SPHERES};
    const apart_result kept = r;
    apart_cache cache = {{0}}, cold = {{0}};
    assert_int_equal(apart_distance(ground, &at, ground, &at, NULL, &cache, &r), APART_UNSUPPORTED);
    assert_int_equal(apart_distance(ground, &at, ball, &at, &spheres, &cache, &r), APART_UNSUPPORTED);
    apart_pose bad = at;
    bad.rotation.m[0][0] = 2;
    assert_int_equal(apart_distance(ground, &bad, ball, &at, NULL, &cache, &r), APART_NOT_A_ROTATION);
    assert_int_equal(apart_distance(ground, &at, ball, &bad, NULL, &cache, &r), APART_NOT_A_ROTATION);
    assert_memory_equal(&r, &kept, sizeof r);
    assert_memory_equal(&cache, &cold, sizeof cache);
    apart_slope slope;
    assert_int_equal(apart_gradient(ground, &at, ground, &at, &r, &slope), APART_UNSUPPORTED);
    apart_shape_info info;
    assert_int_equal(apart_shape_describe(ground, &info), APART_OK);
    assert_true(info.dimension == 3 && info.vertices == 0 && info.parts == 1 && info.radius == 0);
    assert_true(info.lower.x == -(double)INFINITY && info.lower.z == -(double)INFINITY &&
                info.upper.y == (double)INFINITY);
    assert_int_equal(apart_shape_vertex(ground, 0, NULL, NULL), APART_INVALID);
    apart_shape_release(ground);
    apart_shape_release(point);
    apart_shape_release(ball);
}

// A support function that returns nonsense once it has been built.
static apart_vec3 nonsense;
static apart_vec3 lie(const void* context, apart_vec3 d) {
    (void)context;
    const bool axis = (d.x == 0) + (d.y == 0) + (d.z == 0) == 2;
    return axis ? (apart_vec3){d.x, d.y, d.z} : nonsense;
}

static void test_liars(void** state) {
    (void)state;
    apart_shape *liar = apart_shape_support(lie, NULL, 0, NULL),
                *slope = apart_shape_halfspace((apart_vec3){1, 2, 3}, 0, NULL);
    const apart_part part = {liar, apart_pose_identity};
    apart_shape* both[2] = {liar, apart_shape_union(&part, 1, NULL)};
    for (int i = 0; i < 2; i++) {
        apart_result r = {.distance = 77};
        nonsense = (apart_vec3){NAN, 0, 0};
        assert_int_equal(apart_distance(slope, &apart_pose_identity, both[i], &apart_pose_identity, NULL, NULL, &r),
                         APART_NOT_FINITE);
        nonsense = (apart_vec3){1e9, 0, 0};
        assert_int_equal(apart_distance(slope, &apart_pose_identity, both[i], &apart_pose_identity, NULL, NULL, &r),
                         APART_INVALID);
        assert_true(r.distance == 77);
        apart_shape_release(both[i]);
    }
    apart_shape_release(slope);
}

static void test_failing_memory(void** state) {
    (void)state;
    if (!allocation_is_counted()) skip();
    apart_error error = {0};
    allocation_watch(1, false);
    apart_shape* ground = apart_shape_halfspace((apart_vec3){0, 0, 1}, 0, &error);
    allocation_stop();
    assert_null(ground);
    assert_int_equal(error.status, APART_OUT_OF_MEMORY);
    ground = apart_shape_halfspace((apart_vec3){0, 0, 1}, 0, NULL);
    int refused = 0;
    for (long step = 1; step < 40; step++) {
        apart_scene* scene = apart_scene_create(NULL);
        const apart_scene_body b = {.shape = ground, .pose = apart_pose_identity};
        long made = 0;
        for (int i = 0; i < 20; i++) {
            const size_t before = apart_scene_count(scene);
            allocation_watch(step > made ? step - made : 1000, false);
            const apart_status status = apart_scene_add(scene, &b, NULL, NULL);
            made += allocation_stop();
            assert_true(status == APART_OK || status == APART_OUT_OF_MEMORY);
            assert_int_equal(apart_scene_count(scene), before + (status == APART_OK));
            refused += status != APART_OK;
        }
        apart_scene_release(scene);
    }
    assert_true(refused > 3);
    apart_shape_release(ground);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distance), cmocka_unit_test(test_far_along_the_ground),
        cmocka_unit_test(test_points),   cmocka_unit_test(test_tree),
        cmocka_unit_test(test_trace),    cmocka_unit_test(test_gradient),
        cmocka_unit_test(test_unique),   cmocka_unit_test(test_motion),
        cmocka_unit_test(test_fall),     cmocka_unit_test(test_turning),
        cmocka_unit_test(test_scene),    cmocka_unit_test(test_refused),
        cmocka_unit_test(test_liars),    cmocka_unit_test(test_failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Unions through the public API: of convex bodies and meshes, nested, against each other, with the oracle; the signed
// distance of unions of convex bodies; who owns the parts; what is refused.
#include "base/vec.h"
#include "certificate.h"
#include "mesh_scenes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

// --------------------------------------------------------------------------------------------------- assemblies ----

#define PARTS 6
#define MODEL_BOUND 12 // the models that are not read from files

// Room for the bodies and surfaces of one side.
typedef struct store {
    int bodies, surfaces;
    body body[MOST_PIECES];
    surface surface[MOST_PIECES];
} store;

static store store_a, store_b;

static void store_clear(store* s) {
    for (int i = 0; i < s->surfaces; i++) surface_free(&s->surface[i]);
    s->bodies = s->surfaces = 0;
}

// What the parts of a union are made of.
typedef struct mixture {
    bool meshes, round; // meshes; bodies without corners
    double size;        // of parts, and how far they are spread
} mixture;

// A convex body or a small surface.
static thing part_random(store* s, rng* r, const mixture* of) {
    apart_pose here = pose_at(0, 0, 0);
    if (of->meshes && rng_chance(r, 0.4)) {
        surface* m = &s->surface[s->surfaces++];
        do {
            surface_free(m);
            *m = model_get(rng_below(r, MODEL_BOUND - 1));
        } while (m->triangle_count > 130);
        m->hollow = rng_chance(r, 0.2);
        if (rng_chance(r, 0.2)) m->radius = rng_magnitude(r, -10, -4);
        surface_scale(m, of->size);
        return thing_surface(m, &here);
    }
    body* b = &s->body[s->bodies++];
    do body_random(r, b, 12);
    while (!of->round && (!body_is_polytope(b) || b->callback));
    body_scale(b, of->size);
    return thing_body(b, &here);
}

static apart_shape* shape_of(const thing* t) {
    const piece* p = &t->piece[0];
    apart_shape* shape = p->surface ? surface_shape(p->surface, NULL) : body_shape(p->body, NULL);
    assert_non_null(shape);
    return shape;
}

// Poses of parts: the identity, exact, or any.
static apart_pose part_pose(rng* r, double spread) {
    apart_pose p = pose_at(0, 0, 0);
    int kind = rng_below(r, 4);
    if (kind == 0) return p;
    p.translation = rng_in_cube(r, spread);
    double step = ldexp(spread, -2);
    int x = rng_between(r, -4, 4), y = rng_between(r, -4, 4);
    if (kind == 1) p.translation = vec3_make(x * step, y * step / 2, 0);
    p.rotation = kind == 1 ? rng_quarter_turns(r) : rng_rotation(r);
    return p;
}

typedef struct assembly {
    thing thing; // about the union's own origin
    apart_shape* shape;
} assembly;

// A union of up to PARTS parts; with `levels` to go, a part may be a union itself.
static assembly assembly_random(store* s, rng* r, int levels, const mixture* of) {
    assembly all = {0};
    apart_part part[PARTS];
    int count = rng_between(r, 1, levels > 0 ? 3 : PARTS);
    for (int i = 0; i < count; i++) {
        apart_pose pose = part_pose(r, 1.5 * of->size);
        if (levels > 0 && rng_chance(r, 0.6)) {
            assembly inner = assembly_random(s, r, levels - 1, of);
            thing_add(&all.thing, &inner.thing, &pose);
            part[i].shape = inner.shape;
        } else {
            thing t = part_random(s, r, of);
            thing_add(&all.thing, &t, &pose);
            part[i].shape = shape_of(&t);
        }
        part[i].pose = pose;
    }
    apart_error error = {0};
    all.shape = apart_shape_union(part, (size_t)count, &error);
    if (!all.shape) fail_msg("union refused: %s", error.message);
    for (int i = 0; i < count; i++) apart_shape_release(part[i].shape);
    return all;
}

static apart_pose world_pose(rng* r, int setting_number) {
    static const double spread[4] = {8, 3, 1.5, 0.3};
    apart_vec3 place = rng_in_cube(r, spread[setting_number]);
    apart_pose p = rng_pose(r, place);
    if (rng_chance(r, 0.3)) p = pose_at(place.x, place.y, place.z);
    if (rng_chance(r, 0.2)) p.rotation = rng_quarter_turns(r);
    return p;
}

// ---------------------------------------------------------------------------------------------------- distances ----

// Around the origin of the first surface of a: inside it, if it is closed there.
static void put_inside(encounter* e, const thing* a, rng* r) {
    for (int i = 0; i < a->count; i++) {
        const piece* p = &a->piece[i];
        apart_vec3 inner;
        if (!p->surface || !surface_inner_point(p->surface, r, &inner)) continue;
        e->pose_b.translation = pose_point(&e->pose_a, pose_point(&p->pose, inner));
        return;
    }
}

// Moves b towards a along the normal until the gap is left, to rounding: no pair of points comes nearer than that.
static void close_gap(encounter* e, double gap) {
    apart_result r;
    assert_int_equal(apart_distance(e->shape_a, &e->pose_a, e->shape_b, &e->pose_b, NULL, NULL, &r), APART_OK);
    if (r.distance > gap) e->pose_b.translation = vec3_mad(e->pose_b.translation, gap - r.distance, r.normal);
}

// The two in place, and the truth about them.
static void place(encounter* e, const thing* a, const thing* b) {
    thing_add(&e->a, a, &e->pose_a);
    thing_add(&e->b, b, &e->pose_b);
    e->truth = thing_distance(&e->a, &e->b);
}

static void clear(encounter* e) {
    encounter_close(e);
    store_clear(&store_a);
    store_clear(&store_b);
}

// Two unions: anywhere, one inside a part of the other, or with a small gap.
static encounter unions_random(rng* r, uint64_t seed) {
    int levels = (int)(seed % 3), way = (int)(seed / 3 % 6);
    mixture of_a = {way == 4 || seed % 2, seed % 5 < 2, 1}, of_b = {seed % 4 < 2, seed % 5 < 2, way == 4 ? 0.02 : 1};
    assembly a = assembly_random(&store_a, r, levels, &of_a);
    assembly b = assembly_random(&store_b, r, levels == 2 ? 0 : levels, &of_b);
    encounter e = {.shape_a = a.shape, .shape_b = b.shape, .pose_a = world_pose(r, 3)};
    e.pose_b = world_pose(r, way < 4 ? way : 0);
    if (way == 4) put_inside(&e, &a.thing, r);
    if (way == 5) close_gap(&e, rng_chance(r, 0.4) ? 0 : rng_magnitude(r, -36, -10));
    place(&e, &a.thing, &b.thing);
    return e;
}

static void test_unions(void** state) {
    (void)state;
    thing_census c = {0};
    char name[64];
    long parts = 0;
    for (uint64_t seed = 1; seed <= 540; seed++) {
        rng r = rng_seed(seed + 50000);
        encounter e = unions_random(&r, seed);
        snprintf(name, sizeof name, "seed %d, %d and %d parts", (int)seed, e.a.count, e.b.count);
        e.name = name;
        encounter swapped = encounter_swapped(&e);
        parts += e.a.count + e.b.count;
        apart_query q = apart_query_default();
        apart_cache cache = {0};
        encounter_judge(&e, &q, NULL, &c);
        encounter_judge(&swapped, &q, &cache, &c);
        encounter_judge(&swapped, &q, &cache, &c);
        q.relative_error = 0.2;
        encounter_judge(&e, &q, NULL, &c);
        q.relative_error = 0;
        q.cutoff = (double)e.truth.upper / 2;
        encounter_judge(&swapped, &q, &cache, &c);
        clear(&e);
    }
    thing_census_print("unions", &c);
    printf("%ld parts\n", parts);
    assert_true(thing_census_reached(&c, 60));
    assert_int_equal(c.wrong, 0);
}

// A union against a single body or mesh, by every method.
static void test_union_and_single(void** state) {
    (void)state;
    thing_census c = {0};
    char name[64];
    for (uint64_t seed = 1; seed <= 240; seed++) {
        rng r = rng_seed(seed + 60000);
        mixture of = {true, seed % 3 == 0, 1}, of_single = {seed % 2, seed % 3 == 0, seed % 4 ? 1 : 0.02};
        assembly a = assembly_random(&store_a, &r, (int)(seed % 2), &of);
        thing single = part_random(&store_b, &r, &of_single);
        encounter e = {.name = name, .shape_a = a.shape, .shape_b = shape_of(&single), .pose_a = world_pose(&r, 3)};
        e.pose_b = world_pose(&r, (int)(seed / 2 % 4));
        if (seed % 4 == 0) put_inside(&e, &a.thing, &r);
        if (seed % 4 == 1) close_gap(&e, seed % 8 == 1 ? 0 : rng_magnitude(&r, -36, -10));
        place(&e, &a.thing, &single);
        snprintf(name, sizeof name, "seed %d, %d parts and one", (int)seed, e.a.count);
        encounter swapped = encounter_swapped(&e);
        for (int m = 0; m < METHODS; m++) {
            apart_query q = query_of(m, APART_DEPTH_NONE);
            encounter_judge(&e, &q, NULL, &c);
            encounter_judge(&swapped, &q, NULL, &c);
        }
        clear(&e);
    }
    thing_census_print("union and single", &c);
    assert_true(thing_census_reached(&c, 40));
    assert_int_equal(c.wrong, 0);
}

// Parts in a row that touch a row of other parts exactly.
static void test_touching_rows(void** state) {
    (void)state;
    apart_shape* box = apart_shape_box(vec3_make(0.5, 0.5, 0.5), 0, NULL);
    apart_part row[20];
    for (int i = 0; i < 20; i++) row[i] = (apart_part){box, pose_at(i, 0, 0)};
    apart_shape* rows = apart_shape_union(row, 20, NULL);
    assert_non_null(rows);
    apart_pose here = pose_at(0, 0, 0);
    for (int i = -25; i <= 25; i++) {
        apart_pose touching = pose_at(i, 1, 0), beside = pose_at(i, 1.25, 0);
        apart_result r;
        assert_int_equal(apart_distance(rows, &here, rows, &touching, NULL, NULL, &r), APART_OK);
        double gap = i < -20 || i > 20 ? (i < 0 ? -i : i) - 20.0 : 0;
        assert_true(fabs(r.distance - gap) <= 1e-13 * 20 && r.lower_bound <= gap);
        assert_int_equal(apart_distance(rows, &here, rows, &beside, NULL, NULL, &r), APART_OK);
        double wide = sqrt(gap * gap + 0.0625);
        assert_true(r.distance >= wide - 1e-14 && r.distance <= wide + 1e-12 && r.lower_bound <= wide + 1e-14);
        assert_true(r.a.part < 20 && r.b.part < 20 && r.a.count >= 1 && r.b.count >= 1);
    }
    apart_shape_release(rows);
    apart_shape_release(box);
}

// -------------------------------------------------------------------------------------------------------- depth ----

typedef struct signed_truth {
    quad lower, upper;
    double size;
    bool exact;
} signed_truth;

// The least signed distance over all pairs of parts.
static signed_truth signed_distance(const thing* a, const thing* b) {
    signed_truth t = {(quad)1e300, (quad)1e300, 0, true};
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++) {
            const piece *p = &a->piece[i], *q = &b->piece[k];
            depth_answer d = depth_signed_distance(p->body, &p->pose, q->body, &q->pose);
            t.lower = d.lower < t.lower ? d.lower : t.lower;
            t.upper = d.upper < t.upper ? d.upper : t.upper;
            t.size = fmax(t.size, (double)d.size);
            t.exact = t.exact && d.exact;
        }
    quad blur = (a->loose + b->loose) * 0x1p-48 * (quad)t.size;
    t.lower -= blur;
    t.upper += blur;
    return t;
}

static const char* check_depth(const signed_truth* t, const apart_query* q, const apart_result* r) {
    if (!(r->lower_bound <= r->upper_bound)) return "lower_bound is above upper_bound";
    if ((quad)r->lower_bound > t->upper) return "lower_bound is above the truth";
    if ((quad)r->upper_bound < t->lower) return "upper_bound is below the truth";
    bool deep = t->upper < -(quad)1e-7 * t->size;
    if (deep && r->upper_bound > 0) return "they overlap but distance is positive";
    double along = vec3_dot(vec3_sub(r->point_b, r->point_a), r->normal);
    double gap = r->upper_bound - r->lower_bound;
    if (fabs(along - r->distance) > gap + 1e-13 * (t->size + 16)) return "(point_b - point_a) . normal is not distance";
    if (q->depth == APART_DEPTH_BOUND && r->upper_bound <= 0) return NULL;
    return gap <= 1e-7 * t->size ? NULL : "the bracket is not tight";
}

static void test_signed_distance(void** state) {
    (void)state;
    long apart = 0, deep = 0, wrong = 0, tight = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        rng r = rng_seed(seed + 70000);
        const mixture corners = {false, false, 1};
        assembly a = assembly_random(&store_a, &r, (int)(seed % 2), &corners);
        assembly b = assembly_random(&store_b, &r, 0, &corners);
        apart_pose pose_a = world_pose(&r, 3), pose_b = world_pose(&r, (int)(seed % 4));
        thing x = {0}, y = {0};
        thing_add(&x, &a.thing, &pose_a);
        thing_add(&y, &b.thing, &pose_b);
        signed_truth t = signed_distance(&x, &y);
        apart_cache cache = {0};
        for (int k = 0; k < 4; k++) {
            apart_query q = apart_query_default();
            q.depth = k == 0 ? APART_DEPTH_BOUND : APART_DEPTH_EXACT;
            apart_result result;
            apart_status status =
                apart_distance(a.shape, &pose_a, b.shape, &pose_b, &q, k > 1 ? &cache : NULL, &result);
            const char* bad = status == APART_OK ? check_depth(&t, &q, &result) : apart_status_text(status);
            tight += status == APART_OK && result.upper_bound - result.lower_bound <= 1e-11 * t.size;
            if (bad && wrong++ < 10)
                printf("seed %d, question %d: %s: [%.17g, %.17g], truth [%.17g, %.17g]\n", (int)seed, k, bad,
                       result.lower_bound, result.upper_bound, (double)t.lower, (double)t.upper);
        }
        apart += t.lower > 0;
        deep += t.upper < 0;
        apart_shape_release(a.shape);
        apart_shape_release(b.shape);
        store_clear(&store_a);
        store_clear(&store_b);
    }
    printf("signed: %ld apart, %ld overlap, %ld of 800 answers tight to 1e-11, %ld wrong\n", apart, deep, tight, wrong);
    assert_true(apart >= 30 && deep >= 60 && tight >= 500);
    assert_int_equal(wrong, 0);
}

// ----------------------------------------------------------------------------------------------------- ownership ----

// Parts are held by the union, however early the caller lets go of them, and however often they are in it.
static void test_owners(void** state) {
    (void)state;
    surface s = model_torus(12, 8, 0.25);
    apart_pose here = pose_at(0, 0, 0), there = pose_at(0, 0, 2.75);
    for (int round = 0; round < 3; round++) {
        apart_shape *mesh = surface_shape(&s, NULL), *ball = apart_shape_sphere(0.5, NULL);
        apart_part inner_part[3] = {{mesh, pose_at(0, 0, 0)}, {ball, pose_at(5, 0, 0)}, {mesh, pose_at(0, 5, 0)}};
        apart_shape* inner = apart_shape_union(inner_part, 3, NULL);
        assert_non_null(inner);
        apart_part outer_part[3] = {{inner, pose_at(0, 0, 0)}, {ball, pose_at(0, 0, 2)}, {inner, pose_at(10, 0, 0)}};
        apart_shape_release(round == 1 ? mesh : NULL);
        apart_shape* outer = apart_shape_union(outer_part, 3, NULL);
        assert_non_null(outer);
        if (round != 1) apart_shape_release(mesh);
        apart_shape_release(inner);
        apart_shape* second = apart_shape_retain(outer);
        assert_true(second == outer);
        apart_shape_release(outer);
        apart_result r;
        assert_int_equal(apart_distance(second, &here, ball, &there, NULL, NULL, &r), APART_OK);
        apart_shape_release(ball);
        assert_true(r.upper_bound == 0 && r.a.part == 3);
        apart_shape_info info;
        assert_int_equal(apart_shape_describe(second, &info), APART_OK);
        assert_int_equal(info.parts, 7);
        apart_shape_release(second);
    }
    surface_free(&s);
}

static void test_describe(void** state) {
    (void)state;
    apart_shape *ball = apart_shape_sphere(0.5, NULL), *box = apart_shape_box(vec3_make(1, 2, 3), 0.25, NULL);
    apart_part part[2] = {{ball, pose_at(4, 0, 0)}, {box, pose_at(-1, 0, 0)}};
    apart_shape* both = apart_shape_union(part, 2, NULL);
    apart_shape_info info;
    assert_int_equal(apart_shape_describe(both, &info), APART_OK);
    assert_int_equal(info.dimension, -1);
    assert_int_equal(info.parts, 2);
    assert_int_equal(info.triangles, 0);
    assert_true(info.radius == 0.5);
    assert_true(info.upper.x >= 4.5 && info.upper.x <= 4.5 + 1e-14);
    assert_true(info.lower.x <= -2.25 && info.lower.x >= -2.25 - 1e-14);
    assert_true(info.upper.z >= 3.25 && info.upper.z <= 3.25 + 1e-14);
    apart_shape_release(both);
    apart_shape_release(ball);
    apart_shape_release(box);
}

static void test_refused(void** state) {
    (void)state;
    apart_error e = {0};
    apart_shape* ball = apart_shape_sphere(0.5, NULL);
    apart_part part[2] = {{ball, pose_at(4, 0, 0)}, {NULL, pose_at(-1, 0, 0)}};
    assert_null(apart_shape_union(part, 2, &e));
    assert_int_equal(e.status, APART_INVALID);
    assert_non_null(strstr(e.message, "part 1"));
    assert_null(apart_shape_union(part, 2, NULL));
    assert_null(apart_shape_union(part, 0, &e));
    assert_int_equal(e.status, APART_EMPTY);
    assert_null(apart_shape_union(NULL, 2, &e));
    assert_int_equal(e.status, APART_INVALID);
    part[1].shape = ball;
    part[1].pose.rotation.m[0][0] = 0.5;
    assert_null(apart_shape_union(part, 2, &e));
    assert_int_equal(e.status, APART_NOT_A_ROTATION);
    assert_non_null(strstr(e.message, "part 1"));
    part[1].pose = pose_at(NAN, 0, 0);
    assert_null(apart_shape_union(part, 2, &e));
    assert_int_equal(e.status, APART_NOT_FINITE);
    part[1].pose = pose_at(2e300, 0, 0);
    assert_null(apart_shape_union(part, 2, &e));
    assert_int_equal(e.status, APART_OUT_OF_RANGE);
    // A part may be within the limit and its place in the union not.
    part[1].pose = pose_at(9e299, 0, 0);
    apart_shape* far = apart_shape_union(part, 2, &e);
    apart_part again = {far, pose_at(9e299, 0, 0)};
    apart_shape* farther = far ? apart_shape_union(&again, 1, &e) : NULL;
    if (farther) {
        apart_result r;
        apart_pose here = pose_at(0, 0, 0);
        assert_int_equal(apart_distance(farther, &here, ball, &here, NULL, NULL, &r), APART_OK);
        assert_true(isfinite(r.distance));
    }
    apart_shape_release(far);
    apart_shape_release(farther);
    apart_shape_release(ball);
}

// ------------------------------------------------------------------------------------------- products of poses ----

// A matrix that stretches by 1 + 3 e along (1, 1, 1) and by nothing across is a rotation within 1e-6; the product of
// many is not. The truth is known: bodies about the origin are stretched so, but not their radii.
#define OFF 4.99e-7

static apart_pose stretch(double e) {
    apart_pose pose = pose_at(0, 0, 0);
    for (int i = 0; i < 9; i++) pose.rotation.m[i / 3][i % 3] += e;
    return pose;
}

// The shape in so many unions, one in the other. Takes over the reference.
static apart_shape* nested(apart_shape* shape, double e, int levels) {
    for (int i = 0; i < levels; i++) {
        const apart_part part = {shape, stretch(e)};
        apart_shape* outer = apart_shape_union(&part, 1, NULL);
        assert_non_null(outer);
        apart_shape_release(shape);
        shape = outer;
    }
    return shape;
}

// Asks in all ways for the signed distance of a nested body, which has one more pose, and a small one at the origin.
static void judge_stretched(apart_shape* shape, double e, const apart_shape* small, double truth) {
    const apart_pose pose = stretch(e), here = pose_at(0, 0, 0);
    for (int i = 0; i < METHODS * 2; i++) {
        const apart_query q = query_of(i / 2, i % 2 ? APART_DEPTH_EXACT : APART_DEPTH_BOUND);
        apart_result r;
        assert_int_equal(apart_distance(shape, &pose, small, &here, &q, NULL, &r), APART_OK);
        if (r.lower_bound > truth + 1e-14 || r.upper_bound < truth - 1e-14)
            printf("%s: [%.17g, %.17g], truth %.17g\n", method_names[q.method], r.lower_bound, r.upper_bound, truth);
        assert_true(r.lower_bound <= truth + 1e-14 && r.upper_bound >= truth - 1e-14);
        assert_true(q.depth == APART_DEPTH_BOUND || r.upper_bound - r.lower_bound < 1e-5);
    }
    apart_shape_release(shape);
}

// Flattened across the faces of an octahedron, and a ball: along (1, 1, 1) they are least deep.
static void test_stretched_depth(void** state) {
    (void)state;
    apart_vec3 tip[6];
    for (int i = 0; i < 6; i++) {
        const double x = i & 1 ? 1 : -1;
        tip[i] = (apart_vec3){i / 2 == 0 ? x : 0, i / 2 == 1 ? x : 0, i / 2 == 2 ? x : 0};
    }
    apart_shape* small = apart_shape_points(tip, 6, 0, NULL);
    for (int levels = 0; levels <= 100; levels = 2 * levels + 1) {
        const double flat = pow(1 - 3 * OFF, levels + 1), third = 1 / sqrt(3);
        apart_shape* shape = apart_shape_points(tip, 6, 0, NULL);
        judge_stretched(nested(shape, -OFF, levels), -OFF, small, -third * (1 + flat));
        shape = apart_shape_ellipsoid((apart_vec3){2, 2, 2}, NULL);
        judge_stretched(nested(shape, -OFF, levels), -OFF, small, -(third + 2 * flat));
    }
    apart_shape_release(small);
}

// A speck in the tip of a solid, where only the stretched solid reaches.
static void test_stretched_solid(void** state) {
    (void)state;
    for (int levels = 0; levels <= 40; levels += 4) {
        const double long_way = pow(1 + 3 * OFF, levels + 1), at = (1 + 0.95 * (long_way - 1)) / sqrt(3);
        surface s = model_sphere(1);
        apart_vec3 tip = {1 / sqrt(3), 1 / sqrt(3), 1 / sqrt(3)};
        size_t nearest = 0;
        for (size_t i = 0; i < s.vertex_count; i++)
            if (vec3_dot(s.vertex[i], tip) > vec3_dot(s.vertex[nearest], tip)) nearest = i;
        surface_scale(&s, 0.5);
        s.vertex[nearest] = tip;
        apart_shape *shape = nested(surface_shape(&s, NULL), OFF, levels), *speck = apart_shape_sphere(1e-10, NULL);
        const apart_pose pose = stretch(OFF), there = pose_at(at, at, at);
        apart_result r;
        assert_int_equal(apart_distance(shape, &pose, speck, &there, NULL, NULL, &r), APART_OK);
        assert_true(r.upper_bound == 0);
        apart_shape_release(shape);
        apart_shape_release(speck);
        surface_free(&s);
    }
}

// A ball, which no matrix shrinks, beside one that is farther away by less than the matrices would shrink it; and its
// box.
static void test_stretched_radius(void** state) {
    (void)state;
    apart_shape *half = apart_shape_sphere(0.5, NULL), *probe = apart_shape_sphere(0.1, NULL);
    apart_pose shrink = pose_at(0, 0, 0);
    const apart_pose here = shrink;
    for (int i = 0; i < 3; i++) shrink.rotation.m[i][i] -= 4.9e-7;
    apart_shape* ball = apart_shape_sphere(1, NULL);
    for (int levels = 1; levels <= 20; levels++) {
        const apart_part inner = {ball, shrink};
        apart_shape* outer = apart_shape_union(&inner, 1, NULL);
        apart_shape_release(ball);
        ball = outer;
        const double gap = 5e-8 * levels;
        const apart_part part[2] = {{ball, pose_at(-1.1 - gap, 0, 0)}, {half, pose_at(0.6 + 4 * gap, 0, 0)}};
        apart_shape* both = apart_shape_union(part, 2, NULL);
        apart_result r;
        apart_shape_info info;
        assert_int_equal(apart_distance(both, &here, probe, &here, NULL, NULL, &r), APART_OK);
        assert_true(r.lower_bound <= gap + 1e-14 && r.distance >= gap - 1e-14 && r.distance < gap + 1e-13);
        assert_int_equal(apart_shape_describe(ball, &info), APART_OK);
        assert_true(info.lower.x == -1 && info.lower.y == -1 && info.upper.z == 1);
        apart_shape_release(both);
    }
    apart_shape_release(ball);
    apart_shape_release(half);
    apart_shape_release(probe);
}

// A thousand levels, each as far off as it may be, and no more.
static void test_stretched_too_far(void** state) {
    (void)state;
    apart_shape *shape = apart_shape_box((apart_vec3){1, 1, 1}, 0, NULL), *outer = shape;
    apart_error e = {0};
    int levels = 0;
    for (; outer; levels++) {
        const apart_part part = {shape, stretch(OFF)};
        outer = apart_shape_union(&part, 1, &e);
        if (outer) apart_shape_release(shape), shape = outer;
    }
    assert_true(levels > 900 && levels < 1100);
    assert_int_equal(e.status, APART_NOT_A_ROTATION);
    assert_non_null(strstr(e.message, "off a rotation by 0.001"));
    // The plane of a face has M^-1 (1, 0, 0) for its normal.
    const double a = (1 / pow(1 + 3 * OFF, levels - 1) - 1) / 3;
    apart_shape* speck = apart_shape_sphere(0, NULL);
    judge_stretched(shape, 0, speck, -1 / sqrt((1 + a) * (1 + a) + 2 * a * a));
    apart_shape_release(speck);
}

// A body whose radius is far beyond all floats in its own coordinates, beside many small ones.
static void test_outgrown(void** state) {
    (void)state;
    rng r = rng_seed(0x0c70);
    apart_shape *ball = apart_shape_sphere(0.1, NULL), *grown = apart_shape_capsule(1e-50, 0.3, NULL);
    for (int round = 0; round < 100; round++) {
        enum { COUNT = 40 };
        apart_part part[COUNT];
        const apart_vec3 at = rng_in_cube(&r, 2);
        double truth = INFINITY;
        for (int i = 0; i < COUNT; i++) {
            const apart_vec3 p = rng_in_cube(&r, 1);
            part[i] = (apart_part){ball, pose_at(p.x, p.y, p.z)};
            truth = smaller(truth, vec3_length(vec3_sub(part[i].pose.translation, at)) - 0.4);
        }
        apart_shape* cluster = apart_shape_union(part, COUNT, NULL);
        const apart_pose pose = pose_at(at.x, at.y, at.z);
        const apart_query q = {.depth = APART_DEPTH_EXACT};
        apart_result answer;
        assert_int_equal(apart_distance(grown, &pose, cluster, &apart_pose_identity, &q, NULL, &answer), APART_OK);
        assert_true(answer.lower_bound <= truth + 1e-15 && truth - 1e-15 <= answer.upper_bound);
        assert_true(answer.upper_bound - answer.lower_bound < 1e-12);
        apart_shape_release(cluster);
    }
    apart_shape_release(grown);
    apart_shape_release(ball);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unions),
        cmocka_unit_test(test_union_and_single),
        cmocka_unit_test(test_touching_rows),
        cmocka_unit_test(test_signed_distance),
        cmocka_unit_test(test_owners),
        cmocka_unit_test(test_describe),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_stretched_depth),
        cmocka_unit_test(test_stretched_solid),
        cmocka_unit_test(test_stretched_radius),
        cmocka_unit_test(test_stretched_too_far),
        cmocka_unit_test(test_outgrown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// The gradient of the distance: against differences of certified brackets for random bodies of every kind, and worked
// out by hand; whether the nearest pair is the only one, for every kind of feature on every other; what is refused.
#include "base/vec.h"
#include "bodies.h"
#include "mesh_models.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static const apart_query with_depth = {.depth = APART_DEPTH_EXACT};

static apart_shape* need(apart_shape* shape) {
    assert_non_null(shape);
    return shape;
}

static apart_mat3 turn_about(int axis, double tangent) {
    return rng_matrix(1, axis == 0 ? tangent : 0, axis == 1 ? tangent : 0, axis == 2 ? tangent : 0);
}

// ------------------------------------------------------------------------------------------ random bodies, places ----

typedef enum kind { HULL, BOX, SPHERE, CAPSULE, CYLINDER, CONE, ELLIPSOID, FUNCTION, MESH, UNION, KINDS } kind;
static const char* const kind_names[KINDS] = {"hull", "box",       "sphere",   "capsule", "cylinder",
                                              "cone", "ellipsoid", "function", "mesh",    "union"};

// A body with its shape. Support functions read `own`.
typedef struct contender {
    kind kind;
    body own[3];
    apart_shape* shape;
    double size; // from its origin to the farthest corner of its box, or a bit if there is nothing to it
} contender;

static apart_shape* random_mesh(rng* r) {
    surface s = model_get(rng_below(r, MODELS));
    if (rng_chance(r, 0.3)) s.radius = rng_uniform(r, 0.01, 0.2);
    s.hollow = rng_chance(r, 0.5);
    apart_shape* shape = need(surface_shape(&s, NULL));
    surface_free(&s);
    return shape;
}

static apart_shape* random_union(rng* r, contender* c) {
    apart_part part[4];
    for (int i = 0; i < 3; i++) {
        body_random(r, &c->own[i], 40);
        part[i] = (apart_part){need(body_shape(&c->own[i], NULL)), rng_pose(r, rng_in_cube(r, 2))};
    }
    part[3] = (apart_part){random_mesh(r), rng_pose(r, rng_in_cube(r, 2))};
    apart_shape* shape = need(apart_shape_union(part, 4, NULL));
    for (int i = 0; i < 4; i++) apart_shape_release(part[i].shape);
    return shape;
}

static void contender_random(rng* r, contender* c) {
    if (rng_chance(r, 0.12)) {
        c->kind = MESH;
        c->shape = random_mesh(r);
    } else if (rng_chance(r, 0.1)) {
        c->kind = UNION;
        c->shape = random_union(r, c);
    } else {
        body_random(r, &c->own[0], 60);
        c->kind = c->own[0].callback ? FUNCTION : (kind)c->own[0].kind;
        c->shape = need(body_shape(&c->own[0], NULL));
    }
    apart_shape_info info;
    assert_int_equal(apart_shape_describe(c->shape, &info), APART_OK);
    c->size = larger(vec3_length(vec3_max(vec3_neg(info.lower), info.upper)), 0.05);
}

typedef struct meeting {
    contender a, b;
    apart_pose pose[2];
    apart_result result;
} meeting;

static apart_result measure(const meeting* m, const apart_pose pose[2]) {
    apart_result r;
    assert_int_equal(apart_distance(m->a.shape, &pose[0], m->b.shape, &pose[1], &with_depth, NULL, &r), APART_OK);
    return r;
}

// Puts b beside a, then moves it along the normal until there is this gap (in each other if it is negative).
static void meeting_random(meeting* m, uint64_t seed) {
    rng r = rng_seed(seed);
    contender_random(&r, &m->a);
    contender_random(&r, &m->b);
    const double least = smaller(m->a.size, m->b.size), all = m->a.size + m->b.size;
    const double gap = rng_chance(&r, 0.5) ? rng_uniform(&r, 0.05, 1) * least : -rng_uniform(&r, 0.01, 0.5) * least;
    m->pose[0] = rng_pose(&r, rng_in_cube(&r, 1));
    m->pose[1] = rng_pose(&r, vec3_mad(m->pose[0].translation, 2 * all, rng_unit_vector(&r)));
    // Now and then along the axes: faces and edges are parallel.
    if (rng_chance(&r, 0.3)) {
        for (int i = 0; i < 2; i++)
            if (rng_chance(&r, 0.8)) m->pose[i].rotation = rng_quarter_turns(&r);
        const apart_vec3 beside = rng_in_cube(&r, 0.5 * least);
        m->pose[1].translation = vec3_add(m->pose[0].translation, vec3_make(beside.x, beside.y, 2 * all));
    }
    const apart_result start = measure(m, m->pose);
    m->pose[1].translation = vec3_mad(m->pose[1].translation, gap - start.distance, start.normal);
    m->result = measure(m, m->pose);
}

static void meeting_end(meeting* m) {
    apart_shape_release(m->a.shape);
    apart_shape_release(m->b.shape);
}

// ---------------------------------------------------------------------------------------------------- differences ----

// Certain ends of a distance. The depth of solids has none that meet; there its upper end and the estimate serve, and
// the 1e-9 to which smooth bodies are measured.
typedef struct ends {
    double low, middle, high;
} ends;

static ends ends_of(const apart_result* r) {
    const bool open = r->distance < 0 && r->upper_bound - r->lower_bound > 1e-6 * fabs(r->distance);
    const double half = larger(r->upper_bound - r->distance, 1e-9 * fabs(r->distance));
    return (ends){open ? r->distance - half : r->lower_bound, r->distance, r->upper_bound};
}

// Coordinate 0 to 5 of one body, 6 to 11 of the other: along x, y, z, then about them, by the angle of this tangent of
// its half.
static void nudge(apart_pose pose[2], int coordinate, double by) {
    apart_pose* p = &pose[coordinate / 6];
    const int axis = coordinate % 3;
    if (coordinate % 6 < 3) {
        (&p->translation.x)[axis] += by;
    } else {
        const apart_mat3 turn = turn_about(axis, by / 2);
        p->rotation = rng_product(&turn, &p->rotation);
    }
}

static double slope_at(const apart_slope* s, int coordinate) {
    const apart_twist* t = coordinate < 6 ? &s->a : &s->b;
    return vec3_at(coordinate % 6 < 3 ? t->linear : t->angular, coordinate % 3);
}

typedef struct tally {
    long kinds[KINDS], apart, overlapping, unique, more; // meetings
    long compared, kinks, close, wrong;                  // coordinates
    double worst;                                        // error of those compared, beyond what the brackets allow
} tally;

// Compares one slope with the difference of two brackets. Both are told per unit of the way of the nearest point.
static void compare(const meeting* m, const apart_slope* s, int coordinate, tally* t, uint64_t seed) {
    const int which = coordinate / 6;
    const apart_vec3 point = which == 0 ? m->result.point_a : m->result.point_b;
    const double size = which == 0 ? m->a.size : m->b.size;
    const double lever = larger(size, vec3_length(vec3_sub(point, m->pose[which].translation)));
    const double unit = coordinate % 6 < 3 ? 1 : lever;
    const double step = 0x1p-15 * smaller(fabs(m->result.distance), size);
    apart_pose plus[2] = {m->pose[0], m->pose[1]}, minus[2] = {m->pose[0], m->pose[1]};
    nudge(plus, coordinate, step / unit);
    nudge(minus, coordinate, -step / unit);
    const apart_result up = measure(m, plus), down = measure(m, minus);
    const ends high = ends_of(&up), here = ends_of(&m->result), low = ends_of(&down);
    const double found = (high.middle - low.middle) / (2 * step), wanted = slope_at(s, coordinate) / unit;
    // What the brackets leave open, and the rounding of the two poses.
    const double noise =
        0x1p-50 * (lever + vec3_sum_abs(m->pose[0].translation) + vec3_sum_abs(m->pose[1].translation));
    const double open = (high.high - high.low + low.high - low.low + noise) / (2 * step);
    // Forwards and backwards: they differ where there is a kink, and a little where the distance is curved. The slope
    // is between them.
    const double bend = fabs(high.middle - 2 * here.middle + low.middle) / step;
    if (open > 1e-3 || bend > 1e-3) {
        t->kinks++;
        return;
    }
    // A normal that differs by an angle from the true one gives a distance that differs by its square (a half of it).
    const double tilt = sqrt(2 * (here.high - here.low) / fabs(here.middle)), curve = 0x1p-26;
    const double error = fabs(found - wanted), allowed = open + 2 * bend + 2 * tilt + curve;
    if (!(error <= allowed))
        fprintf(stderr,
                "seed %llu: %s and %s, coordinate %d: slope %.9g, differences %.9g, open %g, bend %g, tilt %g\n",
                (unsigned long long)seed, kind_names[m->a.kind], kind_names[m->b.kind], coordinate, wanted, found, open,
                bend, tilt);
    t->wrong += !(error <= allowed);
    t->compared++;
    t->close += error <= open + 1e-6;
    t->worst = larger(t->worst, error - open);
}

#define MEETINGS 6000

static void test_differences(void** state) {
    (void)state;
    static meeting m;
    tally t = {.worst = 0};
    for (int i = 0; i < MEETINGS; i++) {
        const uint64_t seed = (uint64_t)i + 1;
        meeting_random(&m, seed);
        apart_slope slope;
        assert_int_equal(apart_gradient(m.a.shape, &m.pose[0], m.b.shape, &m.pose[1], &m.result, &slope), APART_OK);
        t.kinds[m.a.kind]++;
        t.kinds[m.b.kind]++;
        *(m.result.distance > 0 ? &t.apart : &t.overlapping) += 1;
        *(slope.unique ? &t.unique : &t.more) += 1;
        for (int k = 0; k < 12 && slope.unique; k++) compare(&m, &slope, k, &t, seed);
        meeting_end(&m);
    }
    for (int k = 0; k < KINDS; k++) {
        printf("%s %ld, ", kind_names[k], t.kinds[k]);
        assert_true(t.kinds[k] >= 100);
    }
    printf("apart %ld, overlapping %ld, one nearest pair %ld, more %ld\n", t.apart, t.overlapping, t.unique, t.more);
    printf("%ld slopes compared, %ld beside kinks or open brackets; %ld within 1e-6, worst error %.2g\n", t.compared,
           t.kinks, t.close, t.worst);
    assert_int_equal(t.wrong, 0);
    assert_true(t.apart > MEETINGS / 4 && t.overlapping > MEETINGS / 4 && t.more > MEETINGS / 60);
    assert_true(t.kinks > 0 && t.compared > 100 * t.kinks && (double)t.close > 0.99 * (double)t.compared);
}

// Convex bodies with a depth: moved apart along the normal their points meet. Beside random ones those whose nearest
// face is one of several in a plane, or lies in the section of round bodies.
static void test_points_face(void** state) {
    (void)state;
    static const uint64_t beside[] = {9508, 9856, 20789, 21239, 22940, 26096, 53910, 55700, 56032};
    static meeting m;
    double worst = 0;
    int overlaps = 0;
    for (int i = 0; i < MEETINGS + COUNT(beside); i++) {
        const uint64_t seed = i < MEETINGS ? (uint64_t)i + 1 : beside[i - MEETINGS];
        meeting_random(&m, seed);
        const apart_result* r = &m.result;
        const bool closed = r->upper_bound - r->lower_bound <= 1e-8 * fabs(r->distance);
        const double unit = smaller(m.a.size, m.b.size);
        const apart_vec3 way = vec3_sub(r->point_b, r->point_a);
        const double side = vec3_length(vec3_mad(way, -r->distance, r->normal)) / unit;
        if (m.a.kind < MESH && m.b.kind < MESH && r->distance < 0 && closed) {
            overlaps++;
            worst = larger(worst, side);
            if (!(side < 1e-3)) fail_msg("seed %llu: the points are %g apart", (unsigned long long)seed, side);
        }
        meeting_end(&m);
    }
    printf("%d overlaps, the points at most %.2g of the size apart afterwards\n", overlaps, worst);
    assert_true(overlaps > MEETINGS / 5);
}

// ----------------------------------------------------------------------------------- what faces what, by features ----

// A body turned so that a feature of it is its top, as high as `top` above its origin: a point, a segment along x or a
// flat.
typedef struct top_feature {
    const char* name;
    int dimension;
    apart_shape* shape;
    double turn[4]; // quaternion w, x, y, z
    double top;
} top_feature;

#define UPRIGHT                                                                                                        \
    { 1, 0, 0, 0 }
#define LYING                                                                                                          \
    { 1, 0, 1, 0 }
#define UPSIDE_DOWN                                                                                                    \
    { 0, 1, 0, 0 }
#define EDGE_UP                                                                                                        \
    { 2.414213562373095, 1, 0, 0 } // by 45 degrees about x
#define CORNER_UP                                                                                                      \
    { 1, 0.3, 0.2, 0 }

static apart_vec3 corner_of_box(apart_vec3 half, int i) {
    return vec3_make(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
}

static apart_shape* hull_box(apart_vec3 half) {
    apart_vec3 p[8];
    for (int i = 0; i < 8; i++) p[i] = corner_of_box(half, i);
    return need(apart_shape_points(p, 8, 0, NULL));
}

// Of so many corners that the farthest one is found by climbing; one of its edges is at -x.
static apart_shape* hull_prism(double height, double radius) {
    apart_vec3 p[200];
    for (int i = 0; i < 200; i++) {
        const double angle = 3.14159265358979323846 * (2 * (i % 100)) / 100;
        p[i] = vec3_make(-radius * cos(angle), radius * sin(angle), i < 100 ? height : -height);
    }
    return need(apart_shape_points(p, 200, 0, NULL));
}

static apart_shape* mesh_box(apart_vec3 half, int cells, bool hollow) {
    surface s = model_box(half, cells);
    s.hollow = hollow;
    apart_shape* shape = need(surface_shape(&s, NULL));
    surface_free(&s);
    return shape;
}

static apart_shape* union_box(apart_vec3 half, double size) {
    const apart_part part[3] = {{need(apart_shape_sphere(0.1 * size, NULL)), pose_at(0, 0, -0.5 * size)},
                                {hull_box(half), apart_pose_identity},
                                {need(apart_shape_sphere(0.2 * size, NULL)), pose_at(0, 0, -0.3 * size)}};
    apart_shape* shape = need(apart_shape_union(part, 3, NULL));
    for (int i = 0; i < 3; i++) apart_shape_release(part[i].shape);
    return shape;
}

static double top_of_box(apart_vec3 half, const double turn[4]) {
    const apart_mat3 m = rng_matrix(turn[0], turn[1], turn[2], turn[3]);
    return fabs(m.m[2][0]) * half.x + fabs(m.m[2][1]) * half.y + fabs(m.m[2][2]) * half.z;
}

#define MOST_FEATURES 40

// All of them, of this size. Bodies of equal half sizes y and z have their edges on top when turned by 45 degrees.
static int make_features(double u, top_feature* f) {
    const apart_vec3 half = {u, 0.75 * u, 0.75 * u};
    const apart_vec3 segment[2] = {{-u, 0, 0}, {u, 0, 0}}, flat[3] = {{-u, -u, 0}, {u, -u, 0}, {0, u, 0}};
    const double corner_up[4] = CORNER_UP, edge_up[4] = EDGE_UP;
    const double corner = top_of_box(half, corner_up), edge = top_of_box(half, edge_up);
    // The side of a cone of half height h and radius r is square to (2 h, 0, r), which becomes the top.
    const double h = 0.75 * u, r = 0.5 * u, slant = sqrt(4 * h * h + r * r);
    // A disc that is tilted by the tangent 0.6 / 0.8.
    const double rim = 0.8 * h + 0.6 * u;
    const top_feature all[] = {
        {"sphere", 0, apart_shape_sphere(u, NULL), UPRIGHT, u},
        {"ellipsoid", 0, apart_shape_ellipsoid(vec3_make(u, 0.5 * u, 0.25 * u), NULL), UPRIGHT, 0.25 * u},
        {"standing capsule", 0, apart_shape_capsule(h, r, NULL), UPRIGHT, h + r},
        {"apex", 0, apart_shape_cone(h, r, NULL), UPRIGHT, h},
        {"rim of a cylinder", 0, apart_shape_cylinder(h, u, NULL), {3, 0, 1, 0}, rim},
        {"corner of a box", 0, apart_shape_box(half, 0, NULL), CORNER_UP, corner},
        {"corner of a hull", 0, hull_box(half), CORNER_UP, corner},
        {"corner of a large hull", 0, hull_prism(h, u), {3, 0, 1, 0}, rim},
        {"corner of a mesh", 0, mesh_box(half, 3, false), CORNER_UP, corner},
        {"corner of a union", 0, union_box(half, u), CORNER_UP, corner},
        {"edge of a box", 1, apart_shape_box(half, 0, NULL), EDGE_UP, edge},
        {"edge of a rounded box", 1, apart_shape_box(half, 0.1 * u, NULL), EDGE_UP, edge + 0.1 * u},
        {"edge of a hull", 1, hull_box(half), EDGE_UP, edge},
        {"edge of a large hull", 1, hull_prism(h, r), LYING, r},
        {"edge of a mesh", 1, mesh_box(half, 4, true), EDGE_UP, edge},
        {"edge of a union", 1, union_box(half, u), EDGE_UP, edge},
        {"segment", 1, apart_shape_points(segment, 2, 0, NULL), UPRIGHT, 0},
        {"ellipsoid without width", 1, apart_shape_ellipsoid(vec3_make(u, 0, 0), NULL), UPRIGHT, 0},
        {"lying capsule", 1, apart_shape_capsule(u, r, NULL), LYING, r},
        {"lying cylinder", 1, apart_shape_cylinder(u, r, NULL), LYING, r},
        {"side of a cone", 1, apart_shape_cone(h, r, NULL), {slant + r, 0, -2 * h, 0}, h * r / slant},
        {"face of a box", 2, apart_shape_box(half, 0, NULL), UPRIGHT, half.z},
        {"face of a rounded box", 2, apart_shape_box(half, 0.1 * u, NULL), UPRIGHT, half.z + 0.1 * u},
        {"face of a hull", 2, hull_box(half), UPRIGHT, half.z},
        {"face of a large hull", 2, hull_prism(h, u), UPRIGHT, h},
        {"face of a mesh", 2, mesh_box(half, 1, false), UPRIGHT, half.z},
        {"faces of a mesh", 2, mesh_box(half, 4, true), UPRIGHT, half.z},
        {"face of a union", 2, union_box(half, u), UPRIGHT, half.z},
        {"triangle", 2, apart_shape_points(flat, 3, 0, NULL), UPRIGHT, 0},
        {"end of a cylinder", 2, apart_shape_cylinder(h, u, NULL), UPRIGHT, h},
        {"base of a cone", 2, apart_shape_cone(h, u, NULL), UPSIDE_DOWN, h},
        {"ellipsoid without height", 2, apart_shape_ellipsoid(vec3_make(u, u, 0), NULL), UPRIGHT, 0},
    };
    for (int i = 0; i < COUNT(all); i++) f[i] = all[i];
    return COUNT(all);
}

// How the second is put above the first: the gap, its turn about the normal, its tilt about a level axis (both tangents
// of half the angle), and where all that is.
typedef struct setting {
    double gap, yaw, tilt;
    bool aligned; // the world has the axes of the pair
    double away;  // from the origin of the world, in sizes
} setting;

static void put_above(const top_feature* a, const top_feature* b, const setting* s, double u, rng* r,
                      apart_pose pose[2]) {
    const apart_mat3 over = rng_matrix(0, 1, 0, 0), yaw = turn_about(2, s->yaw);
    const apart_mat3 tilt = rng_matrix(1, s->tilt, 0.7 * s->tilt, 0);
    pose[0] = apart_pose_from_quaternion(a->turn[0], a->turn[1], a->turn[2], a->turn[3], vec3_make(0, 0, 0));
    pose[1] = apart_pose_from_quaternion(b->turn[0], b->turn[1], b->turn[2], b->turn[3], vec3_make(0, 0, 0));
    pose[1].rotation = rng_product(&over, &pose[1].rotation);
    pose[1].rotation = rng_product(&yaw, &pose[1].rotation);
    pose[1].rotation = rng_product(&tilt, &pose[1].rotation);
    pose[1].translation = vec3_make(0.1 * u, 0, a->top + b->top + s->gap * u);
    const apart_mat3 turn = s->aligned ? turn_about(0, 0) : rng_rotation(r);
    const apart_vec3 shift = vec3_scale(s->away * u, vec3_make(0.8, -0.5, 0.3));
    for (int i = 0; i < 2; i++) pose_move(&pose[i], &turn, shift);
}

// Whether the nearest pair is the only one.
static bool ask_unique(const top_feature* a, const top_feature* b, const apart_pose pose[2]) {
    apart_result r;
    apart_slope slope;
    assert_int_equal(apart_distance(a->shape, &pose[0], b->shape, &pose[1], &with_depth, NULL, &r), APART_OK);
    assert_int_equal(apart_gradient(a->shape, &pose[0], b->shape, &pose[1], &r, &slope), APART_OK);
    return slope.unique;
}

static const setting settings[] = {
    {0.5, 0, 0, true, 0},     {0.5, 0, 0, false, 0},     {0.5, 0.3, 0, false, 0},   {0.5, 1e-3, 0, false, 0},
    {0.5, 0, 5e-4, false, 0}, {0.5, 0.3, 5e-4, true, 0}, {1e-6, 0, 0, false, 0},    {1e-6, 0.3, 0, false, 0},
    {30, 0, 0, false, 0},     {0.5, 0, 0, false, 1e6},   {0.5, 0.3, 0, false, 1e6}, {0.5, 0, 5e-4, false, 1e6},
    {-0.02, 0, 0, false, 0},  {-0.02, 0.3, 0, false, 0},
};

// Left out: two points that are near are beside each other. In each other, bodies go apart straight up if one is flat
// there; what has no height is through the walls of a mesh.
static bool expects(const top_feature* a, const top_feature* b, const setting* s) {
    const bool mesh = strstr(a->name, "mesh") || strstr(b->name, "mesh");
    if (s->gap < 0) return (a->dimension == 2 || b->dimension == 2) && !(mesh && (a->top == 0 || b->top == 0));
    return s->gap > 0.1 || a->dimension > 0 || b->dimension > 0;
}

static void test_features(void** state) {
    (void)state;
    static const double sizes[] = {1, 1e-100, 1e100};
    static top_feature f[MOST_FEATURES];
    long met[3][3][2] = {{{0}}}, wrong = 0;
    rng r = rng_seed(91);
    for (int k = 0; k < COUNT(sizes); k++) {
        const int count = make_features(sizes[k], f);
        for (int i = 0; i < count * count * COUNT(settings); i++) {
            const top_feature *a = &f[i % count], *b = &f[i / count % count];
            const setting* s = &settings[i / count / count];
            if (!expects(a, b, s)) continue;
            const bool crossing = a->dimension == 1 && b->dimension == 1 && s->yaw != 0;
            const bool one = a->dimension == 0 || b->dimension == 0 || crossing || s->tilt != 0;
            apart_pose pose[2];
            put_above(a, b, s, sizes[k], &r, pose);
            met[a->dimension][b->dimension][one]++;
            if (ask_unique(a, b, pose) == one) continue;
            wrong++;
            fprintf(stderr, "size %g, %s under %s, gap %g, yaw %g, tilt %g, away %g: %s expected\n", sizes[k], a->name,
                    b->name, s->gap, s->yaw, s->tilt, s->away, one ? "one pair" : "more");
        }
        for (int i = 0; i < count; i++) apart_shape_release(f[i].shape);
    }
    assert_int_equal(wrong, 0);
    for (int i = 0; i < 9; i++) {
        assert_true(met[i / 3][i % 3][1] > 0);
        assert_true((met[i / 3][i % 3][0] > 0) == (i / 3 > 0 && i % 3 > 0));
    }
}

// Near contact a tilt counts from 1/2048 on; farther away from much less.
static void test_tilts(void** state) {
    (void)state;
    static const struct {
        double gap, tilt;
        bool one;
    } cases[] = {{1, 1e-5, true},    {1, 1e-8, false},    {1e-4, 1e-3, true}, {1e-4, 1e-6, false},
                 {1e-9, 1e-2, true}, {1e-9, 1e-4, false}, {1e-12, 1e-2, true}};
    top_feature box = {.shape = need(apart_shape_box(vec3_make(1, 0.75, 0.75), 0, NULL)), .turn = UPRIGHT, .top = 0.75};
    rng r = rng_seed(92);
    for (int i = 0; i < 20 * COUNT(cases); i++) {
        const setting s = {1, 0.2, cases[i / 20].tilt / 2, false, 0};
        apart_pose pose[2];
        apart_result start;
        put_above(&box, &box, &s, 1, &r, pose);
        assert_int_equal(apart_distance(box.shape, &pose[0], box.shape, &pose[1], NULL, NULL, &start), APART_OK);
        pose[1].translation = vec3_mad(pose[1].translation, cases[i / 20].gap - start.distance, start.normal);
        const bool one = ask_unique(&box, &box, pose);
        if (one != cases[i / 20].one) fprintf(stderr, "gap %g, tilt %g\n", cases[i / 20].gap, cases[i / 20].tilt);
        assert_int_equal(one, cases[i / 20].one);
    }
    apart_shape_release(box.shape);
}

// A query that stops early has another normal: faces that are parallel are not taken for corners.
static void test_early(void** state) {
    (void)state;
    const apart_query early = {.relative_error = 0.3};
    const apart_vec3 half = {1, 0.75, 0.75};
    apart_shape* shapes[] = {need(apart_shape_box(half, 0, NULL)), hull_box(half), mesh_box(half, 3, false),
                             union_box(half, 1), need(apart_shape_cylinder(0.75, 1, NULL))};
    rng r = rng_seed(93);
    int open = 0;
    for (int i = 0; i < 5000; i++) {
        const top_feature a = {.shape = shapes[i % 5], .turn = UPRIGHT, .top = 0.75};
        const top_feature b = {.shape = shapes[i / 5 % 5], .turn = UPRIGHT, .top = 0.75};
        const setting s = {rng_uniform(&r, 0.01, 2), rng_uniform(&r, 0, 1), 0, false, 0};
        apart_pose pose[2];
        apart_result found;
        apart_slope slope;
        put_above(&a, &b, &s, 1, &r, pose);
        assert_int_equal(apart_distance(a.shape, &pose[0], b.shape, &pose[1], &early, NULL, &found), APART_OK);
        assert_int_equal(apart_gradient(a.shape, &pose[0], b.shape, &pose[1], &found, &slope), APART_OK);
        assert_false(slope.unique);
        open += found.upper_bound - found.lower_bound > 1e-3;
    }
    assert_true(open > 100);
    for (int i = 0; i < 5; i++) apart_shape_release(shapes[i]);
}

// A body inside a solid mesh: its side towards the wall counts.
static void test_inside(void** state) {
    (void)state;
    apart_shape* room = mesh_box(vec3_make(2, 2, 2), 2, false);
    apart_shape* cone = need(apart_shape_cone(0.5, 0.4, NULL)); // the base below, the apex on top
    apart_result r;
    apart_slope s;
    for (int up = 0; up < 2; up++) {
        const apart_pose pose = pose_at(0.3, 0.2, up ? 1.25 : -1.25);
        assert_int_equal(apart_distance(room, &apart_pose_identity, cone, &pose, &with_depth, NULL, &r), APART_OK);
        assert_true(fabs(r.distance + 0.25) < 1e-9);
        assert_int_equal(apart_gradient(room, &apart_pose_identity, cone, &pose, &r, &s), APART_OK);
        assert_int_equal(s.unique, up);
        assert_true(fabs(s.b.linear.z - (up ? 1 : -1)) < 1e-9 && fabs(s.a.linear.z + s.b.linear.z) < 1e-9);
        assert_int_equal(apart_distance(cone, &pose, room, &apart_pose_identity, &with_depth, NULL, &r), APART_OK);
        assert_int_equal(apart_gradient(cone, &pose, room, &apart_pose_identity, &r, &s), APART_OK);
        assert_int_equal(s.unique, up);
    }
    apart_shape_release(room);
    apart_shape_release(cone);
}

// ------------------------------------------------------------------------------------------------------- by hand ----

static void assert_vec3(apart_vec3 found, double x, double y, double z, double unit) {
    const double error = vec3_max_abs(vec3_sub(found, vec3_make(x, y, z)));
    if (!(error <= 1e-13 * unit)) fprintf(stderr, "%g %g %g, not %g %g %g\n", found.x, found.y, found.z, x, y, z);
    assert_true(error <= 1e-13 * unit);
}

// A lying rod and a ball above it, of several sizes.
static void test_by_hand(void** state) {
    (void)state;
    static const double units[] = {1, 0x1p-332, 0x1p332, 0x1p990};
    for (int i = 0; i < COUNT(units); i++) {
        const double u = units[i];
        apart_shape *rod = need(apart_shape_capsule(2 * u, 0.25 * u, NULL)), *ball = need(apart_shape_sphere(u, NULL));
        // The rod lies along x about (3, 5, 0); the ball is above the point (4, 5, 0).
        const apart_pose pose_rod = apart_pose_from_quaternion(1, 0, 1, 0, vec3_make(3 * u, 5 * u, 0));
        const apart_pose pose_ball = pose_at(4 * u, 5 * u, 3 * u);
        apart_result r;
        apart_slope s;
        assert_int_equal(apart_distance(rod, &pose_rod, ball, &pose_ball, NULL, NULL, &r), APART_OK);
        assert_true(fabs(r.distance - 1.75 * u) <= 1e-14 * u);
        assert_int_equal(apart_gradient(rod, &pose_rod, ball, &pose_ball, &r, &s), APART_OK);
        assert_true(s.unique);
        // Up, and the rod's end rises as the rod turns from x to z, that is by a negative turn about y.
        assert_vec3(s.a.linear, 0, 0, -1, 1);
        assert_vec3(s.a.angular, 0, u, 0, u);
        assert_vec3(s.b.linear, 0, 0, 1, 1);
        assert_vec3(s.b.angular, 0, 0, 0, u);
        apart_shape_release(rod);
        apart_shape_release(ball);
    }
}

// Touching, as far as doubles tell, with a depth: still a slope.
static void test_touching(void** state) {
    (void)state;
    apart_shape *box = need(apart_shape_box(vec3_make(1, 1, 1), 0, NULL)), *ball = need(apart_shape_sphere(1, NULL));
    apart_slope s;
    int answered = 0;
    for (int i = -3; i <= 3; i++) {
        const apart_pose pose = pose_at(0.2, 0.3, 2 + i * 0x1p-51);
        apart_result r;
        assert_int_equal(apart_distance(box, &apart_pose_identity, ball, &pose, &with_depth, NULL, &r), APART_OK);
        const bool known = r.distance != 0 || r.lower_bound != 0 || r.upper_bound != 0;
        const apart_status status = apart_gradient(box, &apart_pose_identity, ball, &pose, &r, &s);
        assert_int_equal(status, known ? APART_OK : APART_UNSUPPORTED);
        if (!known) continue;
        answered++;
        assert_true(s.unique);
        assert_vec3(s.b.linear, 0, 0, 1, 1);
        assert_vec3(s.a.angular, -0.3, 0.2, 0, 10);
    }
    assert_true(answered >= 4);
    apart_shape_release(box);
    apart_shape_release(ball);
}

// ------------------------------------------------------------------------------------------------------- refusals ----

static void refuse(const apart_shape* a, const apart_pose* pose_a, const apart_shape* b, const apart_pose* pose_b,
                   const apart_result* r, apart_status status) {
    apart_slope s, before;
    memset(&before, 0x5a, sizeof before);
    memcpy(&s, &before, sizeof s);
    assert_int_equal(apart_gradient(a, pose_a, b, pose_b, r, &s), status);
    assert_memory_equal(&s, &before, sizeof s);
}

static void test_refusals(void** state) {
    (void)state;
    apart_shape* mesh = mesh_box(vec3_make(1, 1, 1), 2, false);
    apart_shape* both = union_box(vec3_make(1, 1, 1), 1);
    const apart_pose at = apart_pose_identity, above = pose_at(0.1, 0.2, 4), in = pose_at(0.1, 0.2, 1.5);
    apart_pose skewed = at, lost = at;
    skewed.rotation.m[0][0] = 1.1;
    lost.translation.x = NAN;
    apart_result good, r;
    apart_slope s;
    assert_int_equal(apart_distance(mesh, &at, both, &above, NULL, NULL, &good), APART_OK);
    assert_int_equal(apart_gradient(mesh, &at, both, &above, &good, &s), APART_OK);
    refuse(NULL, &at, both, &above, &good, APART_INVALID);
    refuse(mesh, NULL, both, &above, &good, APART_INVALID);
    refuse(mesh, &at, NULL, &above, &good, APART_INVALID);
    refuse(mesh, &at, both, NULL, &good, APART_INVALID);
    refuse(mesh, &at, both, &above, NULL, APART_INVALID);
    assert_int_equal(apart_gradient(mesh, &at, both, &above, &good, NULL), APART_INVALID);
    refuse(mesh, &skewed, both, &above, &good, APART_NOT_A_ROTATION);
    refuse(mesh, &at, both, &lost, &good, APART_NOT_FINITE);
    // Numbers that are none, one at a time.
    const size_t numbers[] = {offsetof(apart_result, distance),    offsetof(apart_result, lower_bound),
                              offsetof(apart_result, upper_bound), offsetof(apart_result, point_a),
                              offsetof(apart_result, point_b),     offsetof(apart_result, normal)};
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < COUNT(numbers) * COUNT(bad); i++) {
        r = good;
        memcpy((char*)&r + numbers[i / COUNT(bad)], &bad[i % COUNT(bad)], sizeof bad[0]);
        refuse(mesh, &at, both, &above, &r, APART_INVALID);
    }
    r = good;
    r.normal = vec3_scale(1.001, r.normal);
    refuse(mesh, &at, both, &above, &r, APART_INVALID);
    // Parts, triangles and vertices that do not exist.
    r = good;
    r.b.part = 3;
    refuse(mesh, &at, both, &above, &r, APART_INVALID);
    r = good;
    r.a.triangle = 48;
    refuse(mesh, &at, both, &above, &r, APART_INVALID);
    r = good;
    r.a.vertex[0] = UINT32_MAX;
    refuse(mesh, &at, both, &above, &r, APART_INVALID);
    r = good;
    r.a.count = 5;
    refuse(mesh, &at, both, &above, &r, APART_INVALID);
    // Another place of the surface is no harm.
    r = good;
    r.a.weight[0] = NAN;
    assert_int_equal(apart_gradient(mesh, &at, both, &above, &r, &s), APART_OK);
    // In each other without a depth.
    assert_int_equal(apart_distance(mesh, &at, both, &in, NULL, NULL, &r), APART_OK);
    refuse(mesh, &at, both, &in, &r, APART_UNSUPPORTED);
    apart_shape_release(mesh);
    apart_shape_release(both);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_differences), cmocka_unit_test(test_points_face), cmocka_unit_test(test_features),
        cmocka_unit_test(test_tilts),       cmocka_unit_test(test_early),       cmocka_unit_test(test_inside),
        cmocka_unit_test(test_by_hand),     cmocka_unit_test(test_touching),    cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

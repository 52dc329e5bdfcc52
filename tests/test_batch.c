// Many pairs by one call: every answer has its certificate; its bits are its own, whatever the threads, the order and
// the company; what is wrong with one pair is said of that pair alone.
#include "batch/spheres.h"

#include "allocation_count.h"

#include "answers.h"
#include "batch/gjk_lanes.h"
#include "certificate.h"
#include "mesh_models.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

// ------------------------------------------------------------------------------------------------------- threads ----

// The linker puts this in the place of pthread_create (CMakeLists.txt).
static int threads_left = 1000, threads_started;
int __real_pthread_create(pthread_t* thread, const pthread_attr_t* attr, void* (*start)(void*), void* argument);
int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attr, void* (*start)(void*), void* argument);
int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attr, void* (*start)(void*), void* argument) {
    if (threads_left == 0) return EAGAIN;
    threads_left--;
    threads_started++;
    return __real_pthread_create(thread, attr, start, argument);
}

// ------------------------------------------------------------------------------------------------------- a crowd ----

#define BODIES 400
#define PAIRS 6000

// Random convex pairs of all kinds, many of them several times, and some with a mesh or a union.
static struct {
    trial trial[BODIES];
    apart_shape *mesh, *both;
    apart_shape *robot, *balls; // unions of spheres
    apart_pair pair[PAIRS];
    int from[PAIRS]; // which trial, or -1
} crowd;

// Spheres of any radius in a cube.
static apart_shape* random_spheres(rng* r, int count, double half) {
    apart_part part[100];
    for (int i = 0; i < count; i++)
        part[i] = (apart_part){apart_shape_sphere(rng_uniform(r, 0, 0.2), NULL), rng_pose(r, rng_in_cube(r, half))};
    apart_shape* all = apart_shape_union(part, (size_t)count, NULL);
    for (int i = 0; i < count; i++) apart_shape_release(part[i].shape);
    return all;
}

static int crowd_open(void** state) {
    (void)state;
    rng r = rng_seed(13);
    for (int i = 0; i < BODIES; i++) {
        trial* t = &crowd.trial[i];
        pair_random(&t->pair, (uint64_t)(7000 + i));
        if (!trial_open(t)) return -1;
    }
    surface s = model_torus(12, 8, 0.2);
    crowd.mesh = surface_shape(&s, NULL);
    surface_free(&s);
    const apart_part parts[2] = {{crowd.mesh, apart_pose_identity}, {crowd.trial[0].a, pose_at(3, 0, 0)}};
    crowd.both = apart_shape_union(parts, 2, NULL);
    crowd.robot = random_spheres(&r, 30, 1);
    crowd.balls = random_spheres(&r, 100, 2);
    for (int i = 0; i < PAIRS; i++) {
        int k = crowd.from[i] = i < BODIES ? i : rng_below(&r, BODIES);
        const trial* t = &crowd.trial[k];
        crowd.pair[i] = (apart_pair){t->a, t->b, t->pair.pose_a, t->pair.pose_b};
        if (i < PAIRS - 140) continue;
        crowd.from[i] = -1;
        apart_pair* p = &crowd.pair[i];
        p->a = i < PAIRS - 40 ? crowd.robot : i % 2 ? crowd.mesh : crowd.both;
        if (i % 3 == 0) p->b = i < PAIRS - 40 ? crowd.balls : crowd.mesh;
    }
    return 0;
}

static int crowd_close(void** state) {
    (void)state;
    for (int i = 0; i < BODIES; i++) trial_close(&crowd.trial[i]);
    apart_shape_release(crowd.mesh);
    apart_shape_release(crowd.both);
    apart_shape_release(crowd.robot);
    apart_shape_release(crowd.balls);
    return 0;
}

static apart_result answers[PAIRS], others[PAIRS];
static apart_status statuses[PAIRS];

static bool same_bits(const apart_result* r, const apart_result* s) { return answers_same_but_unit(r, s, 1); }

static void test_certified(void** state) {
    (void)state;
    long regimes[REGIMES] = {0};
    for (int d = 0; d < DEPTHS; d++) {
        apart_query q = query_of(APART_METHOD_AUTO, (apart_depth)d);
        if (d > 0)
            for (int i = 0; i < BODIES; i++)
                if (!crowd.trial[i].depth_known) trial_ask_depth(&crowd.trial[i]);
        assert_int_equal(apart_distance_batch(crowd.pair, PAIRS, &q, NULL, answers, statuses, 2), APART_OK);
        for (int i = 0; i < PAIRS; i++) {
            assert_int_equal(statuses[i], APART_OK);
            if (crowd.from[i] < 0 || i >= BODIES) continue;
            const trial* t = &crowd.trial[crowd.from[i]];
            const char* wrong = certificate_check(t, &q, &answers[i], NULL);
            if (wrong) fail_msg("pair %d, depth %s: %s", i, depth_names[d], wrong);
            regimes[regime_of(&t->truth)]++;
        }
    }
    for (int i = 0; i < REGIMES; i++) assert_true(regimes[i] > 20);
}

// Both brackets hold the truth, so they meet.
static void test_agrees_with_one_by_one(void** state) {
    (void)state;
    apart_query q[4] = {{0}, {.relative_error = 0.2}, {.cutoff = 0.3}, {.depth = APART_DEPTH_EXACT}};
    for (int k = 0; k < 4; k++) {
        assert_int_equal(apart_distance_batch(crowd.pair, PAIRS, &q[k], NULL, answers, NULL, 0), APART_OK);
        for (int i = 0; i < PAIRS; i++) {
            const apart_pair* p = &crowd.pair[i];
            apart_result one;
            assert_int_equal(apart_distance(p->a, &p->pose_a, p->b, &p->pose_b, &q[k], NULL, &one), APART_OK);
            assert_true(one.lower_bound <= answers[i].upper_bound && answers[i].lower_bound <= one.upper_bound);
            if (q[k].relative_error > 0 || q[k].cutoff > 0) continue;
            double wide = (one.upper_bound - one.lower_bound) + (answers[i].upper_bound - answers[i].lower_bound);
            assert_true(fabs(one.distance - answers[i].distance) <= wide);
        }
    }
}

// The bits of an answer are those of its pair: with any number of threads, in any order, alone or in company.
static void test_bits_are_the_pairs_own(void** state) {
    (void)state;
    static apart_pair shuffled[PAIRS];
    static int place[PAIRS];
    rng r = rng_seed(5);
    apart_query queries[3] = {{0}, {.relative_error = 0.1}, {.depth = APART_DEPTH_EXACT}};
    for (int k = 0; k < 3; k++) {
        const apart_query* q = &queries[k];
        assert_int_equal(apart_distance_batch(crowd.pair, PAIRS, q, NULL, answers, NULL, 1), APART_OK);
        for (int threads = 0; threads < 6; threads++) {
            for (int i = 0; i < PAIRS; i++) {
                int j = rng_below(&r, i + 1);
                place[i] = place[j];
                place[j] = i;
            }
            for (int i = 0; i < PAIRS; i++) shuffled[i] = crowd.pair[place[i]];
            threads_started = 0;
            assert_int_equal(apart_distance_batch(shuffled, PAIRS, q, NULL, others, NULL, threads), APART_OK);
            assert_true(threads <= 1 || threads_started == threads - 1);
            for (int i = 0; i < PAIRS; i++) assert_true(same_bits(&others[i], &answers[place[i]]));
        }
        for (int i = 0; i < PAIRS; i += 7) {
            apart_result alone;
            assert_int_equal(apart_distance_batch(&crowd.pair[i], 1, q, NULL, &alone, NULL, 1), APART_OK);
            assert_true(same_bits(&alone, &answers[i]));
        }
    }
}

// ------------------------------------------------------------------------------------------------------- in lanes ----

#define POOL 32

#define LARGEST 300

// Boxes, small hulls and larger ones, each with a radius or none. Some of the larger have two rings of vertices, which
// no list along their axis holds.
static void draw_pool(apart_shape* pool[3][POOL], rng* r) {
    for (int i = 0; i < POOL; i++) {
        apart_vec3 p[LARGEST], half = {rng_uniform(r, 0.1, 0.5), rng_uniform(r, 0.1, 0.5), rng_uniform(r, 0.1, 0.5)};
        double radius = i % 2 ? 0 : 0.05;
        for (int k = 0; k < LARGEST; k++) {
            apart_vec3 u = rng_unit_vector(r);
            double flat = i % 5 ? 1 : 0.4 / hypot(u.x, u.y);
            p[k] = (apart_vec3){0.5 * flat * u.x, 0.5 * flat * u.y, i % 5 ? 0.5 * u.z : u.z > 0 ? 0.2 : -0.2};
        }
        pool[0][i] = apart_shape_box(half, radius, NULL);
        pool[1][i] = apart_shape_points(p, 4 + (size_t)rng_below(r, LANE_VERTICES - 3), radius, NULL);
        pool[2][i] = apart_shape_points(p, 4 + (size_t)rng_below(r, LARGEST - 3), radius, NULL);
    }
}

// Eight pairs of one kind, of two shapes or of many, from apart to overlapping, some with bad poses.
static void draw_lanes(gjk_lanes* g, rng* r, apart_shape* pool[3][POOL], apart_pose pose[2][LANE_COUNT]) {
    lane_bodies* side[2] = {&g->a, &g->b};
    double spread = rng_magnitude(r, -2, 2);
    for (int s = 0; s < 2; s++) {
        apart_shape** kind = pool[rng_below(r, 3)];
        apart_shape* one = rng_chance(r, 0.3) ? kind[rng_below(r, POOL)] : NULL;
        for (int i = 0; i < LANE_COUNT; i++) {
            pose[s][i] = rng_pose(r, rng_in_cube(r, spread));
            if (rng_chance(r, 0.05)) pose[s][i].rotation.m[1][1] = rng_chance(r, 0.5) ? 2 : NAN;
            side[s]->shape[i] = one ? one : kind[rng_below(r, POOL)];
            side[s]->pose[i] = &pose[s][i];
        }
    }
    g->relative = rng_chance(r, 0.8) ? 0 : rng_unit(r);
    g->absolute = rng_chance(r, 0.8) ? 0 : rng_unit(r);
    for (int i = 0; i < LANE_COUNT; i++) g->cutoff[i] = rng_chance(r, 0.8) ? (double)INFINITY : rng_unit(r);
}

// What is settled has the same bits with every instruction set, and nothing else is written.
static void test_same_lanes(void** state) {
    (void)state;
    rng r = rng_seed(71);
    long settled = 0, left = 0;
    apart_shape* pool[3][POOL];
    draw_pool(pool, &r);
    for (int round = 0; round < 20000; round++) {
        static gjk_lanes first, other;
        apart_pose pose[2][LANE_COUNT];
        apart_result result[2][LANE_COUNT], untouched;
        memset(&first, 0, sizeof first);
        memset(result, 7, sizeof result);
        memset(&untouched, 7, sizeof untouched);
        draw_lanes(&first, &r, pool, pose);
        other = first;
        for (int i = 0; i < LANE_COUNT; i++) {
            first.result[i] = &result[0][i];
            other.result[i] = &result[1][i];
        }
        apart_kernels_portable.gjk_in_lanes(&first);
        for (int k = 0; apart_kernels_at(k); k++) {
            apart_kernels_at(k)->gjk_in_lanes(&other);
            assert_int_equal(first.settled, other.settled);
            for (int i = 0; i < LANE_COUNT; i++) {
                if (!(first.settled >> i & 1)) assert_memory_equal(&result[1][i], &untouched, sizeof untouched);
                if (first.settled >> i & 1) assert_true(same_bits(&result[0][i], &result[1][i]));
                for (int c = 0; c < 3 && first.settled >> i & 1; c++) {
                    assert_int_equal(first.witness_a.vertex[c][i], other.witness_a.vertex[c][i]);
                    assert_int_equal(first.witness_b.vertex[c][i], other.witness_b.vertex[c][i]);
                }
            }
        }
        settled += __builtin_popcount(first.settled);
        left += LANE_COUNT - __builtin_popcount(first.settled);
    }
    for (int i = 0; i < 3 * POOL; i++) apart_shape_release(pool[i / POOL][i % POOL]);
    print_message("lanes: %ld pairs settled, %ld left\n", settled, left);
    assert_true(settled > 60000 && left > 10000);
}

// ------------------------------------------------------------------------------------------------------- spheres ----

#define MOST 300

typedef struct ball {
    long double middle[3], radius;
} ball;

// A union of spheres, or one sphere, and the spheres that it is, in its own axes.
typedef struct cluster {
    apart_shape* shape;
    int count;
    ball ball[MOST];
} cluster;

static void ball_move(ball* b, const apart_pose* p) {
    const long double m[3] = {b->middle[0], b->middle[1], b->middle[2]};
    const double t[3] = {p->translation.x, p->translation.y, p->translation.z};
    for (int i = 0; i < 3; i++) {
        b->middle[i] = (long double)t[i];
        for (int k = 0; k < 3; k++) b->middle[i] += (long double)p->rotation.m[i][k] * m[k];
    }
}

// A sphere about its own origin or not, or a point; some of them on a lattice, so that many touch or share a middle.
static apart_part draw_sphere(rng* r, double unit, ball* b) {
    const bool own = rng_chance(r, 0.7), lattice = rng_chance(r, 0.2);
    const double radius = rng_chance(r, 0.2) ? 0 : lattice ? 0.25 * unit : unit * rng_uniform(r, 0.01, 0.3);
    const apart_vec3 at = own ? (apart_vec3){0, 0, 0} : rng_in_cube(r, unit);
    apart_vec3 to = rng_in_cube(r, 1);
    if (lattice) to = (apart_vec3){round(to.x), round(to.y), round(to.z)};
    to = (apart_vec3){unit * to.x, unit * to.y, unit * to.z};
    apart_part part = {apart_shape_points(&at, 1, radius, NULL), lattice ? apart_pose_identity : rng_pose(r, to)};
    part.pose.translation = to;
    *b = (ball){{(long double)at.x, (long double)at.y, (long double)at.z}, (long double)radius};
    ball_move(b, &part.pose);
    return part;
}

static void draw_cluster(rng* r, double unit, int count, cluster* c) {
    static apart_part part[MOST];
    c->count = count;
    for (int i = 0; i < count; i++) part[i] = draw_sphere(r, unit, &c->ball[i]);
    // The first few may be a union of their own.
    const int nested = rng_chance(r, 0.3) ? rng_below(r, count) : 0;
    apart_part whole[2] = {{NULL, rng_pose(r, (apart_vec3){0, unit * rng_unit(r), 0})}, {NULL, apart_pose_identity}};
    whole[1].shape = apart_shape_union(part + nested, (size_t)(count - nested), NULL);
    if (nested > 0) whole[0].shape = apart_shape_union(part, (size_t)nested, NULL);
    for (int i = 0; i < nested; i++) ball_move(&c->ball[i], &whole[0].pose);
    c->shape = nested > 0 ? apart_shape_union(whole, 2, NULL) : apart_shape_retain(whole[1].shape);
    if (count == 1 && rng_chance(r, 0.5)) {
        c->ball[0] = (ball){{0, 0, 0}, c->ball[0].radius};
        apart_shape_release(c->shape);
        c->shape = apart_shape_sphere((double)c->ball[0].radius, NULL);
    }
    for (int i = 0; i < count; i++) apart_shape_release(part[i].shape);
    for (int i = 0; i < 2; i++) apart_shape_release(whole[i].shape);
}

static long double balls_distance(const ball* a, const ball* b) {
    long double x = b->middle[0] - a->middle[0], y = b->middle[1] - a->middle[1], z = b->middle[2] - a->middle[2];
    return sqrtl(x * x + y * y + z * z) - (a->radius + b->radius);
}

static long double point_distance(const ball* b, apart_vec3 p) {
    const ball point = {{(long double)p.x, (long double)p.y, (long double)p.z}, 0};
    return balls_distance(b, &point);
}

// The answer against all pairs of spheres, in wider arithmetic.
static void judge_spheres(cluster c[2], const apart_pair* p, const apart_query* q, const apart_result* r, double unit) {
    static ball placed[2][MOST];
    const long double size = 32 * (long double)unit, rounding = 0x1p-47L * size, wider = 0x1p-58L * size;
    long double truth = (long double)INFINITY;
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < c[s].count; i++) {
            placed[s][i] = c[s].ball[i];
            ball_move(&placed[s][i], s == 0 ? &p->pose_a : &p->pose_b);
        }
    for (int i = 0; i < c[0].count; i++)
        for (int k = 0; k < c[1].count; k++) truth = fminl(truth, balls_distance(&placed[0][i], &placed[1][k]));
    if (q->depth == APART_DEPTH_NONE) truth = fmaxl(truth, 0);
    assert_true(truth >= (long double)r->lower_bound - wider && truth <= (long double)r->upper_bound + wider);
    assert_true(r->lower_bound <= r->distance && r->distance <= r->upper_bound);
    if (q->relative_error > 0 || q->cutoff > 0) return;
    assert_true((long double)(r->upper_bound - r->lower_bound) <= rounding);
    assert_true(r->a.count == 1 && r->a.part < (uint32_t)c[0].count);
    assert_true(r->b.count == 1 && r->b.part < (uint32_t)c[1].count);
    const ball *a = &placed[0][r->a.part], *b = &placed[1][r->b.part];
    assert_true(point_distance(a, r->point_a) <= rounding && point_distance(b, r->point_b) <= rounding);
    if (truth > 0 || q->depth != APART_DEPTH_NONE) assert_true(fabsl(balls_distance(a, b) - truth) <= rounding);
    const apart_vec3 n = r->normal, from = r->point_a, to = r->point_b;
    const double along = (to.x - from.x) * n.x + (to.y - from.y) * n.y + (to.z - from.z) * n.z;
    assert_true((long double)fabs(along - r->distance) <= rounding);
    assert_true(fabs(n.x * n.x + n.y * n.y + n.z * n.z - 1) <= 0x1p-50);
}

// Unions of spheres, of all sizes: compared in lanes, or one by one near the ends of the range and where they touch.
static void test_spheres(void** state) {
    (void)state;
    static cluster c[2];
    const int counts[10] = {1, 2, 7, 8, 9, 30, 64, 65, 200, MOST};
    const double units[7] = {1, 1, 1, 0x1p-90, 0x1p90, 1e-150, 1e150};
    const apart_query queries[6] = {{0},
                                    {.depth = APART_DEPTH_EXACT},
                                    {.depth = APART_DEPTH_BOUND},
                                    {.cutoff = 0.1},
                                    {.relative_error = 0.2},
                                    {.relative_error = 1}};
    long in_lanes = 0, left = 0, meeting = 0, deep = 0, separate = 0;
    for (uint64_t seed = 1; seed <= 1500; seed++) {
        rng r = rng_seed(170000 + seed);
        const double unit = units[rng_below(&r, 7)], gap = unit * rng_uniform(&r, 0, 5);
        for (int s = 0; s < 2; s++) draw_cluster(&r, unit, counts[rng_below(&r, 10)], &c[s]);
        const apart_vec3 d = rng_unit_vector(&r), to = {gap * d.x, gap * d.y, gap * d.z};
        apart_pair p = {c[0].shape, c[1].shape, rng_pose(&r, to), rng_pose(&r, (apart_vec3){0, 0, 0})};
        if (rng_chance(&r, 0.2)) p.pose_a = p.pose_b = apart_pose_identity;
        for (int k = 0; k < 6; k++) {
            apart_query q = queries[k];
            q.cutoff *= unit;
            apart_result answer, one;
            assert_int_equal(apart_distance_batch(&p, 1, &q, NULL, &answer, NULL, 1), APART_OK);
            judge_spheres(c, &p, &q, &answer, unit);
            assert_int_equal(apart_distance(p.a, &p.pose_a, p.b, &p.pose_b, &q, NULL, &one), APART_OK);
            assert_true(one.lower_bound <= answer.upper_bound && answer.lower_bound <= one.upper_bound);
            const posed_shape a = {p.a, &p.pose_a}, b = {p.b, &p.pose_b};
            const bool settled = apart_spheres_measure(&a, &b, &q, NULL, &one);
            in_lanes += settled;
            left += !settled;
            separate += answer.lower_bound > 0;
            meeting += answer.upper_bound == 0;
            deep += answer.upper_bound < 0;
        }
        for (int s = 0; s < 2; s++) apart_shape_release(c[s].shape);
    }
    print_message("spheres: %ld in lanes, %ld left; %ld apart, %ld meet, %ld deep\n", in_lanes, left, separate, meeting,
                  deep);
    assert_true(in_lanes > 4000 && left > 1000 && separate > 1000 && meeting > 1000 && deep > 500);
}

// Spheres that touch to rounding: what cannot be told for certain is not.
static void test_spheres_touching(void** state) {
    (void)state;
    apart_part part = {apart_shape_sphere(0.5, NULL), apart_pose_identity};
    apart_shape* all = apart_shape_union(&part, 1, NULL);
    apart_pair p = {all, all, apart_pose_identity, apart_pose_identity};
    for (int i = -64; i <= 64; i++) {
        const double gap = i * 0x1p-52;
        apart_result r;
        p.pose_b.translation.x = 1 + gap;
        assert_int_equal(apart_distance_batch(&p, 1, NULL, NULL, &r, NULL, 1), APART_OK);
        assert_true(r.lower_bound <= fmax(gap, 0) && fmax(gap, 0) <= r.upper_bound && r.upper_bound < 1e-13);
    }
    apart_shape_release(part.shape);
    apart_shape_release(all);
}

// Caches: each belongs to its pair; warm answers are the same for any number of threads.
static void test_caches(void** state) {
    (void)state;
    static apart_cache caches[PAIRS], again[PAIRS];
    apart_query q = {0};
    for (int round = 0; round < 3; round++) {
        assert_int_equal(apart_distance_batch(crowd.pair, PAIRS, &q, caches, answers, NULL, 3), APART_OK);
        assert_int_equal(apart_distance_batch(crowd.pair, PAIRS, &q, again, others, NULL, 1), APART_OK);
        for (int i = 0; i < PAIRS; i++) {
            assert_true(same_bits(&others[i], &answers[i]));
            assert_memory_equal(&caches[i], &again[i], sizeof caches[i]);
        }
    }
}

// -------------------------------------------------------------------------------------------------------- errors ----

static const apart_result untouched = {.distance = -123, .iterations = 77};

static void mark(void) {
    for (int i = 0; i < PAIRS; i++) {
        answers[i] = untouched;
        statuses[i] = APART_FILE;
    }
}

static bool is_marked(int i) { return answers[i].distance == -123 && answers[i].iterations == 77; }

static void trace(const apart_step* step, void* context) {
    (void)step;
    (void)context;
}

// A call that is wrong as a whole writes nothing.
static void test_wrong_as_a_whole(void** state) {
    (void)state;
    apart_query bad = {.relative_error = 2}, traced = {.trace = trace}, nan = {.cutoff = NAN}, good = {0};
    const apart_pair* p = crowd.pair;
    mark();
    assert_int_equal(apart_distance_batch(p, 9, &bad, NULL, answers, statuses, 1), APART_INVALID);
    assert_int_equal(apart_distance_batch(p, 9, &nan, NULL, answers, statuses, 1), APART_NOT_FINITE);
    assert_int_equal(apart_distance_batch(p, 9, &traced, NULL, answers, statuses, 1), APART_UNSUPPORTED);
    assert_int_equal(apart_distance_batch(p, 9, &good, NULL, answers, statuses, -1), APART_INVALID);
    assert_int_equal(apart_distance_batch(NULL, 9, &good, NULL, answers, statuses, 1), APART_INVALID);
    assert_int_equal(apart_distance_batch(p, 9, &good, NULL, NULL, statuses, 1), APART_INVALID);
    assert_int_equal(apart_distance_batch(NULL, 0, &bad, NULL, NULL, NULL, 1), APART_INVALID);
    assert_int_equal(apart_distance_batch(NULL, 0, &good, NULL, NULL, NULL, 0), APART_OK);
    assert_int_equal(apart_distance_batch(NULL, 0, NULL, NULL, NULL, NULL, 0), APART_OK);
    for (int i = 0; i < 9; i++) assert_true(is_marked(i) && statuses[i] == APART_FILE);
}

// One bad pair does not stop the others; its result and its cache stay as they were.
static void test_bad_pairs(void** state) {
    (void)state;
    static apart_pair pairs[PAIRS];
    static apart_cache caches[PAIRS];
    const apart_cache noise = {{3, 1, 4, 1, 5}};
    memcpy(pairs, crowd.pair, sizeof pairs);
    for (int threads = 0; threads < 5; threads++) {
        pairs[4321].pose_b.translation.y = NAN;
        pairs[777].b = NULL;
        pairs[2222].pose_a.rotation.m[1][1] += 1e-3;
        pairs[2223].pose_a.translation.z = 2e300;
        mark();
        for (int i = 0; i < PAIRS; i++) caches[i] = noise;
        apart_status first = apart_distance_batch(pairs, PAIRS, NULL, caches, answers, statuses, threads);
        assert_int_equal(first, APART_INVALID);
        for (int i = 0; i < PAIRS; i++) {
            apart_status wanted = i == 777    ? APART_INVALID
                                  : i == 2222 ? APART_NOT_A_ROTATION
                                  : i == 2223 ? APART_OUT_OF_RANGE
                                  : i == 4321 ? APART_NOT_FINITE
                                              : APART_OK;
            assert_int_equal(statuses[i], wanted);
            assert_int_equal(is_marked(i), wanted != APART_OK);
            if (wanted != APART_OK) assert_memory_equal(&caches[i], &noise, sizeof noise);
        }
        assert_int_equal(apart_distance_batch(pairs + 778, PAIRS - 778, NULL, NULL, answers, NULL, threads),
                         APART_NOT_A_ROTATION);
        pairs[777] = crowd.pair[777];
        assert_int_equal(apart_distance_batch(pairs, PAIRS, NULL, NULL, answers, NULL, threads), APART_NOT_A_ROTATION);
    }
}

// A support function that lies fails its own pairs alone, and a method that a pairs does not have likewise.
static apart_vec3 nothing(const void* context, apart_vec3 d) {
    (void)d;
    return *(const apart_vec3*)context;
}

static void test_bad_bodies(void** state) {
    (void)state;
    apart_vec3 moving = {0, 0, 0};
    apart_shape* liar = apart_shape_support(nothing, &moving, 0, NULL);
    moving.x = NAN;
    apart_pair pairs[3] = {crowd.pair[0], crowd.pair[1], crowd.pair[2]};
    pairs[1].a = liar;
    mark();
    assert_int_equal(apart_distance_batch(pairs, 3, NULL, NULL, answers, statuses, 1), APART_NOT_FINITE);
    assert_true(!is_marked(0) && is_marked(1) && !is_marked(2));
    assert_true(statuses[0] == APART_OK && statuses[1] == APART_NOT_FINITE && statuses[2] == APART_OK);
    apart_query spheres = {.method = APART_METHOD_SPHERES};
    assert_int_equal(apart_distance_batch(pairs, 1, &spheres, NULL, answers, NULL, 1), APART_UNSUPPORTED);
    apart_shape_release(liar);
}

// Both at one place beyond the limit: nothing of it is left in the difference of the places.
static void test_same_place_beyond_limit(void** state) {
    (void)state;
    const apart_vec3 near[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    apart_vec3 far[5];
    for (int i = 0; i < 5; i++) far[i] = (apart_vec3){near[i].x + 2, near[i].y, near[i].z};
    apart_shape *a = apart_shape_points(near, 5, 0, NULL), *b = apart_shape_points(far, 5, 0, NULL);
    apart_pose pose = apart_pose_identity;
    pose.translation.y = 2 * APART_LIMIT;
    mark();
    assert_int_equal(apart_distance_poses(a, &pose, 1, b, &pose, 1, NULL, answers, statuses, 1), APART_OUT_OF_RANGE);
    assert_true(is_marked(0) && statuses[0] == APART_OUT_OF_RANGE);
    apart_shape_release(a);
    apart_shape_release(b);
}

// Threads that the system does not give: fewer do the work.
static void test_threads_refused(void** state) {
    (void)state;
    apart_distance_batch(crowd.pair, PAIRS, NULL, NULL, others, NULL, 1);
    for (int most = 0; most < 3; most++) {
        threads_left = most;
        threads_started = 0;
        mark();
        assert_int_equal(apart_distance_batch(crowd.pair, PAIRS, NULL, NULL, answers, NULL, 5), APART_OK);
        assert_int_equal(threads_started, most);
        for (int i = 0; i < PAIRS; i++) assert_true(same_bits(&others[i], &answers[i]));
    }
    threads_left = 1000;
}

static void test_no_allocation(void** state) {
    (void)state;
    allocation_watch(0, false);
    apart_distance_batch(crowd.pair, PAIRS, NULL, NULL, answers, statuses, 1);
    apart_distance_poses(crowd.pair[0].a, &crowd.pair[0].pose_a, 1, crowd.pair[0].b, &crowd.pair[0].pose_b, 1, NULL,
                         answers, NULL, 1);
    assert_int_equal(allocation_stop(), 0);
}

// --------------------------------------------------------------------------------------------------------- poses ----

#define POSES 3000

// Two shapes at many poses answer what a batch of the same pairs does.
static void test_poses(void** state) {
    (void)state;
    static apart_pose pose_a[POSES], pose_b[POSES];
    static apart_pair pairs[POSES];
    rng r = rng_seed(21);
    for (int i = 0; i < POSES; i++) {
        pose_a[i] = rng_pose(&r, rng_in_cube(&r, 1));
        pose_b[i] = rng_pose(&r, rng_in_cube(&r, 3));
    }
    for (int k = 0; k < 24; k++) {
        const apart_shape *a = crowd.pair[3 * k].a, *b = k % 8 == 7 ? crowd.mesh : crowd.pair[3 * k + 1].b;
        for (int way = 0; way < 4; way++) {
            size_t count_a = way & 1 ? 1 : POSES, count_b = way & 2 ? 1 : POSES, n = way == 3 ? 1 : POSES;
            for (size_t i = 0; i < n; i++)
                pairs[i] = (apart_pair){a, b, pose_a[count_a == 1 ? 0 : i], pose_b[count_b == 1 ? 0 : i]};
            assert_int_equal(
                apart_distance_poses(a, pose_a, count_a, b, pose_b, count_b, NULL, answers, statuses, k % 3), APART_OK);
            assert_int_equal(apart_distance_batch(pairs, n, NULL, NULL, others, NULL, 1), APART_OK);
            for (size_t i = 0; i < n; i++) assert_true(same_bits(&answers[i], &others[i]) && statuses[i] == APART_OK);
        }
    }
}

static void test_poses_refused(void** state) {
    (void)state;
    const apart_shape *a = crowd.pair[0].a, *b = crowd.pair[0].b;
    apart_pose pose[4] = {crowd.pair[0].pose_a, crowd.pair[0].pose_a, crowd.pair[0].pose_a, crowd.pair[0].pose_a};
    apart_query traced = {.trace = trace};
    mark();
    assert_int_equal(apart_distance_poses(a, pose, 2, b, pose, 3, NULL, answers, statuses, 1), APART_INVALID);
    assert_int_equal(apart_distance_poses(a, pose, 0, b, pose, 3, NULL, answers, statuses, 1), APART_INVALID);
    assert_int_equal(apart_distance_poses(NULL, pose, 3, b, pose, 3, NULL, answers, statuses, 1), APART_INVALID);
    assert_int_equal(apart_distance_poses(a, pose, 3, NULL, pose, 3, NULL, answers, statuses, 1), APART_INVALID);
    assert_int_equal(apart_distance_poses(a, NULL, 3, b, pose, 3, NULL, answers, statuses, 1), APART_INVALID);
    assert_int_equal(apart_distance_poses(a, pose, 3, b, NULL, 1, NULL, answers, statuses, 1), APART_INVALID);
    assert_int_equal(apart_distance_poses(a, pose, 3, b, pose, 1, NULL, NULL, statuses, 1), APART_INVALID);
    assert_int_equal(apart_distance_poses(a, pose, 3, b, pose, 1, NULL, answers, statuses, -2), APART_INVALID);
    assert_int_equal(apart_distance_poses(a, pose, 3, b, pose, 1, &traced, answers, statuses, 1), APART_UNSUPPORTED);
    assert_int_equal(apart_distance_poses(a, NULL, 0, b, NULL, 0, NULL, NULL, NULL, 1), APART_OK);
    assert_int_equal(apart_distance_poses(a, NULL, 0, b, pose, 1, NULL, NULL, NULL, 1), APART_OK);
    for (int i = 0; i < 4; i++) assert_true(is_marked(i) && statuses[i] == APART_FILE);

    pose[2].rotation.m[0][0] = INFINITY;
    assert_int_equal(apart_distance_poses(a, pose, 4, b, pose, 1, NULL, answers, statuses, 1), APART_NOT_FINITE);
    for (int i = 0; i < 4; i++) assert_int_equal(is_marked(i), i == 2);
    mark();
    assert_int_equal(apart_distance_poses(a, pose, 4, b, &pose[2], 1, NULL, answers, statuses, 1), APART_NOT_FINITE);
    for (int i = 0; i < 4; i++) assert_true(is_marked(i) && statuses[i] == APART_NOT_FINITE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_certified),
        cmocka_unit_test(test_agrees_with_one_by_one),
        cmocka_unit_test(test_bits_are_the_pairs_own),
        cmocka_unit_test(test_same_lanes),
        cmocka_unit_test(test_spheres),
        cmocka_unit_test(test_spheres_touching),
        cmocka_unit_test(test_caches),
        cmocka_unit_test(test_wrong_as_a_whole),
        cmocka_unit_test(test_bad_pairs),
        cmocka_unit_test(test_bad_bodies),
        cmocka_unit_test(test_same_place_beyond_limit),
        cmocka_unit_test(test_threads_refused),
        cmocka_unit_test(test_no_allocation),
        cmocka_unit_test(test_poses),
        cmocka_unit_test(test_poses_refused),
    };
    return cmocka_run_group_tests(tests, crowd_open, crowd_close);
}

// Poses along motions, and the errors that are stated for them, against the true motion in quadruple precision.
#include "base/pose.h"
#include "base/trig.h"
#include "motion/path.h"
#include "motion_oracle.h"
#include "quad_trig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

// ------------------------------------------------------------------------------------------------- random motions ----

enum { ANGLES = 9 };
static const char* angle_name[ANGLES] = {"0", "1e-12", "1e-3", "1", "pi - 1e-9", "pi", "any", "100 turns", "2^49"};

static double angle_of(rng* r, int regime) {
    const double plain[ANGLES] = {
        0, 1e-12, 1e-3, 1, 3.141592652589793, 3.141592653589793, rng_uniform(r, 0, 3.14), 628.3185307179587, 0x1p49};
    return plain[regime];
}

// Exact, to rounding, or as far off as is accepted.
static apart_mat3 random_matrix(rng* r) {
    if (rng_chance(r, 0.2)) return rng_quarter_turns(r);
    apart_mat3 m = rng_rotation(r);
    if (rng_chance(r, 0.5)) return m;
    for (int k = 0; k < 9; k++) m.m[k / 3][k % 3] += rng_uniform(r, -1.5e-7, 1.5e-7);
    return m;
}

static double random_size(rng* r) {
    static const double sizes[6] = {1, 1, 1e-150, 1e150, 0x1p-1060, APART_LIMIT};
    return sizes[rng_below(r, 6)];
}

// Far from the origin, near it, at it.
static apart_vec3 random_place(rng* r, double size) {
    if (rng_chance(r, 0.3)) return (apart_vec3){0, 0, 0};
    const double far = size * (rng_chance(r, 0.3) ? 1e-6 : 1);
    if (rng_chance(r, 0.3)) { // nice numbers
        const double s = ldexp(1, exponent_of(far) - 5);
        return (apart_vec3){s * rng_between(r, -9, 9), s * rng_between(r, -9, 9), s * rng_between(r, -9, 9)};
    }
    return rng_in_cube(r, far);
}

static apart_pose turned_pose(rng* r, const apart_pose* from, double angle, double size) {
    qmat rotation = oracle_nearest(&from->rotation);
    const apart_vec3 axis = rng_chance(r, 0.3) ? (apart_vec3){0, 0, 1} : rng_unit_vector(r);
    const qmat turn = qmat_turn(qvec_from(axis), angle);
    rotation = qmat_product(&turn, &rotation);
    apart_pose p = {angle == 0 ? from->rotation : qmat_rounded(&rotation), random_place(r, size)};
    return p;
}

enum { MOST_KEYS = 1000 };
typedef struct sample {
    apart_motion motion;
    apart_key keys[MOST_KEYS];
} sample;

static void random_motion(rng* r, apart_motion_kind kind, int regime, sample* s) {
    const double size = random_size(r);
    apart_motion* m = &s->motion;
    memset(m, 0, sizeof *m);
    m->kind = kind;
    m->start = (apart_pose){random_matrix(r), random_place(r, size)};
    m->pivot = random_place(r, size);
    if (kind == APART_MOTION_SLERP || kind == APART_MOTION_NLERP)
        m->end = turned_pose(r, &m->start, angle_of(r, regime), size);
    if (kind == APART_MOTION_VELOCITY) {
        const apart_vec3 axis = rng_unit_vector(r);
        const double w = angle_of(r, regime);
        m->velocity = (apart_twist){random_place(r, size), {w * axis.x, w * axis.y, w * axis.z}};
    }
    if (kind == APART_MOTION_KEYS) {
        m->keys = s->keys;
        m->key_count = (size_t)rng_between(r, 2, 6);
        for (size_t i = 0; i < m->key_count; i++) {
            apart_key* k = &s->keys[i];
            const double step = 1.0 / (double)(m->key_count - 1);
            k->time = i == 0 ? 0 : i + 1 == m->key_count ? 1 : step * ((double)i + rng_uniform(r, -0.4, 0.4));
            k->pose = i == 0 ? m->start : turned_pose(r, &s->keys[i - 1].pose, angle_of(r, regime), size);
        }
    }
}

static double random_time(rng* r, const apart_motion* m) {
    if (rng_chance(r, 0.1)) return 0;
    if (rng_chance(r, 0.1)) return 1;
    if (m->kind == APART_MOTION_KEYS && rng_chance(r, 0.3)) return m->keys[rng_below(r, (int)m->key_count)].time;
    return rng_chance(r, 0.2) ? rng_below(r, 9) * 0.125 : rng_unit(r);
}

// --------------------------------------------------------------------------------------------------------- errors ----

// How far a matrix moves a unit vector at most, by the power method on E^T E: from below.
static double spectral_norm(const qmat* e) {
    double most = 0;
    for (int start = 0; start < 3; start++) {
        qvec x = {start == 0, start == 1, start == 2};
        const qmat back = qmat_transposed(e);
        for (int i = 0; i < 8; i++) {
            const qvec y = qmat_times(e, x), z = qmat_times(&back, y);
            const quad length = qvec_length(z);
            most = fmax(most, (double)qvec_length(y));
            if (!(length > 0)) break;
            x = qvec_scale(1 / length, z);
        }
    }
    return most;
}

static qmat difference_of(const apart_mat3* a, const qmat* b) {
    qmat r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r.m[i][j] = a->m[i][j] - b->m[i][j];
    return r;
}

static qvec world(const apart_pose* pose, apart_vec3 x) { return oracle_world(pose, x); }

// The two parts of a moment's error, as parts of what it states. Quad itself rounds.
static void errors_of(const apart_motion* motion, const moment* m, const true_place* truth, double part[2]) {
    const qmat e = difference_of(&m->pose.rotation, &truth->rotation);
    const double turn = spectral_norm(&e);
    const quad size = qvec_length(qvec_from(motion->pivot)) + qvec_length(truth->pivot);
    const quad slack = size * (quad)0x1p-100;
    const quad off[2] = {qvec_length(qvec_sub(world(&m->pose, motion->pivot), truth->pivot)),
                         qvec_length(qvec_sub(qvec_from(m->pivot), truth->pivot))};
    part[0] = 0;
    for (int i = 0; i < 2; i++)
        if (off[i] > slack) part[0] = fmax(part[0], m->place_error > 0 ? (double)(off[i] / m->place_error) : INFINITY);
    part[1] = turn < 1e-28 ? 0 : m->turn_error > 0 ? turn / m->turn_error : (double)INFINITY;
}

// What follows if the body goes on from a moment exactly as it says.
static true_place going_on(const apart_motion* motion, const moment* m, double later) {
    const quad time = (quad)later - m->time, way = time < 0 ? -time : time;
    true_place r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r.rotation.m[i][j] = m->pose.rotation.m[i][j];
    const qmat turn = qmat_turn(qvec_from(m->axis), way * m->rate);
    r.pivot = qvec_add(qmat_times(&r.rotation, qvec_from(motion->pivot)), qvec_from(m->pose.translation));
    r.pivot = qvec_add(r.pivot, qvec_scale(way, qvec_from(m->velocity)));
    r.rotation = qmat_product(&turn, &r.rotation);
    return r;
}

static double place_part(const true_place* a, const true_place* b, const moment* m) {
    const quad off = qvec_length(qvec_sub(a->pivot, b->pivot));
    const quad slack = (qvec_length(a->pivot) + qvec_length(b->pivot)) * (quad)0x1p-98;
    return off <= slack ? 0 : m->place_error > 0 ? (double)(off / m->place_error) : (double)INFINITY;
}

static double turn_part(const true_place* a, const true_place* b, const moment* m) {
    qmat e;
    for (int k = 0; k < 9; k++) e.m[k / 3][k % 3] = a->rotation.m[k / 3][k % 3] - b->rotation.m[k / 3][k % 3];
    const double off = spectral_norm(&e);
    return off < 1e-28 ? 0 : m->turn_error > 0 ? off / m->turn_error : (double)INFINITY;
}

static double skew_of(const apart_mat3* r) {
    double most = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            quad dot = -(quad)(i == j);
            for (int k = 0; k < 3; k++) dot += (quad)r->m[k][i] * r->m[k][j];
            most = fmax(most, fabs((double)dot));
        }
    return most;
}

typedef struct tally {
    double place, turn, on_place, on_turn, skew;
    int count, exact_place, exact_turn;
} tally;

static void check_moment(rng* r, sample* s, double time, bool backwards, tally* t) {
    path p;
    moment m;
    const apart_motion* motion = &s->motion;
    assert_int_equal(apart_path_init(&p, motion), APART_OK);
    assert_int_equal(apart_path_at(&p, time, backwards, &m), APART_OK);
    assert_true(m.known && m.time == time && (backwards ? m.until <= time : m.until >= time));
    assert_true(vec3_is_finite(m.pose.translation) && vec3_is_finite(m.velocity) && isfinite(m.place_error));
    // A piece that ends at `time` belongs to what is before it.
    const double inside = backwards && m.until < time ? nextafter(time, 0) : time;
    const bool either = oracle_either_way(motion, inside);
    const double later = m.until + (time - m.until) * rng_unit(r);
    double best[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
    for (int way = 0; way <= either; way++) {
        const true_place truth = oracle_motion(motion, time, way), then = oracle_motion(motion, later, way);
        double part[2];
        errors_of(motion, &m, &truth, part);
        if (part[1] < best[1] || (part[1] == best[1] && part[0] < best[0])) best[0] = part[0], best[1] = part[1];
        if (motion->kind == APART_MOTION_NLERP || m.rate > TRIG_MOST) {
            best[2] = best[3] = 0;
            continue;
        }
        const true_place on = going_on(motion, &m, later);
        best[2] = fmin(best[2], place_part(&on, &then, &m));
        best[3] = fmin(best[3], turn_part(&on, &then, &m));
    }
    t->place = fmax(t->place, best[0]);
    t->turn = fmax(t->turn, best[1]);
    t->on_place = fmax(t->on_place, best[2]);
    t->on_turn = fmax(t->on_turn, best[3]);
    t->skew = fmax(t->skew, skew_of(&m.pose.rotation) / ROUNDING);
    t->count++;
    t->exact_place += m.place_error == 0;
    t->exact_turn += m.turn_error == 0;
}

static void test_errors(void** state) {
    (void)state;
    static const char* kind_name[5] = {"still", "slerp", "nlerp", "velocity", "keys"};
    static sample s;
    for (int kind = 0; kind < 5; kind++)
        for (int regime = 0; regime < (kind == 0 ? 1 : kind == APART_MOTION_VELOCITY ? ANGLES : 7); regime++) {
            rng r = rng_seed(60 + (uint64_t)(kind * ANGLES + regime));
            tally t = {0};
            for (int i = 0; i < 400; i++) {
                random_motion(&r, (apart_motion_kind)kind, regime, &s);
                const double time = random_time(&r, &s.motion);
                check_moment(&r, &s, time, rng_chance(&r, 0.5), &t);
            }
            printf("[ %s, %s ] of the errors stated: place %.3f, turn %.3f, going on %.3f, %.3f; skew %.1f u; exact "
                   "%d, %d\n",
                   kind_name[kind], angle_name[regime], t.place, t.turn, t.on_place, t.on_turn, t.skew, t.exact_place,
                   t.exact_turn);
            assert_true(t.place <= 1 && t.turn <= 1 && t.on_place <= 1 && t.on_turn <= 1 && t.skew <= 40);
            assert_true(t.place > 0 && t.exact_place > 0 && t.exact_place < t.count);
            if (regime > 0) assert_true(t.turn > 0.01);
            if (regime == 0) assert_true(t.exact_turn > 0 && t.exact_turn < t.count);
        }
}

// ---------------------------------------------------------------------------------------------------------- rates ----

// The change of angle per unit of time, by a central difference of the true rotation.
static quad rate_at(const apart_motion* m, quad t) {
    const quad h = (quad)1e-9;
    const true_place before = oracle_motion(m, t - h, false), after = oracle_motion(m, t + h, false);
    const qmat back = qmat_transposed(&before.rotation), turn = qmat_product(&after.rotation, &back);
    return qmat_angle(&turn) / (2 * h);
}

static void test_rates(void** state) {
    (void)state;
    static sample s;
    double worst = 0, most = 0, loosest_most = 1, loosest_change = 1;
    for (int i = 0; i < 120; i++) {
        rng r = rng_seed(900 + (uint64_t)i);
        random_motion(&r, i % 2 ? APART_MOTION_NLERP : APART_MOTION_SLERP, 1 + i % 4, &s);
        s.motion.start.translation = s.motion.end.translation = s.motion.pivot = (apart_vec3){0, 0, 0};
        const bool backwards = rng_chance(&r, 0.5);
        const double time = rng_uniform(&r, 0.02, 0.98);
        path p;
        moment m;
        assert_int_equal(apart_path_init(&p, &s.motion), APART_OK);
        assert_int_equal(apart_path_at(&p, time, backwards, &m), APART_OK);
        const double angle = p.piece.angle, off = fabs((double)(m.rate - rate_at(&s.motion, time)));
        worst = fmax(worst, off / (m.turn_error + 1e-12 * angle));
        double peak = 0, change = 0, last = 0;
        for (int k = 0; k <= 60; k++) {
            const double t = time + (m.until - time) * k / 60, rate = (double)rate_at(&s.motion, t);
            peak = fmax(peak, rate);
            if (k > 0) change = fmax(change, fabs(rate - last) / fabs((m.until - time) / 60));
            last = rate;
        }
        // Differences of tiny turns are good to what the turn is off by.
        const double slack = m.turn_error * 60 / fabs(m.until - time) + 1e-10 * angle;
        most = fmax(most, fmax(peak - m.rate_most - slack, change - m.rate_change - slack));
        if (angle > 0.5) {
            loosest_most = fmin(loosest_most, peak / m.rate_most);
            if (i % 2 && fabs(m.until - time) > 0.1) loosest_change = fmin(loosest_change, change / m.rate_change);
        }
        if (i % 2 == 0) assert_true(m.rate_change == 0 && m.rate_most == m.rate);
        assert_true(fabs(vec3_length(m.spin) - m.rate) <= 1e-15 * m.rate);
    }
    printf("[ rates ] off by %.3f of what the turn is off by; sampled %.4f of rate_most, %.4f of rate_change\n", worst,
           loosest_most, loosest_change);
    assert_true(worst <= 2 && most <= 0 && loosest_most > 0.99 && loosest_change > 0.9);
}

// ----------------------------------------------------------------------------------------------------- both ways ----

// Backwards a moment has the same place, and goes the other way.
static void test_backwards(void** state) {
    (void)state;
    static sample s;
    for (int i = 0; i < 500; i++) {
        rng r = rng_seed(2000 + (uint64_t)i);
        random_motion(&r, (apart_motion_kind)(i % 5), rng_below(&r, 7), &s);
        const double time = rng_uniform(&r, 0.001, 0.999);
        path p;
        moment m, b;
        assert_int_equal(apart_path_init(&p, &s.motion), APART_OK);
        assert_int_equal(apart_path_at(&p, time, false, &m), APART_OK);
        assert_int_equal(apart_path_at(&p, time, true, &b), APART_OK);
        assert_memory_equal(&m.pose, &b.pose, sizeof m.pose);
        assert_true(b.until < time && m.until > time && b.rate == m.rate);
        assert_true(b.velocity.x == -m.velocity.x && b.spin.y == -m.spin.y && b.axis.z == -m.axis.z);
        // The motion from end to start is at 1 - t where this one is at t.
        if (s.motion.kind != APART_MOTION_SLERP && s.motion.kind != APART_MOTION_NLERP) continue;
        if (oracle_either_way(&s.motion, 0)) continue;
        const double eighth = rng_below(&r, 9) * 0.125;
        apart_motion reversed = s.motion;
        reversed.start = s.motion.end;
        reversed.end = s.motion.start;
        path q;
        assert_int_equal(apart_path_init(&q, &reversed), APART_OK);
        assert_int_equal(apart_path_at(&p, eighth, false, &m), APART_OK);
        assert_int_equal(apart_path_at(&q, 1 - eighth, true, &b), APART_OK);
        for (int k = 0; k < 9; k++)
            assert_true(fabs(m.pose.rotation.m[k / 3][k % 3] - b.pose.rotation.m[k / 3][k % 3]) <=
                        m.turn_error + b.turn_error);
        const double off = vec3_max_abs(vec3_sub(m.pivot, b.pivot));
        assert_true(off <= (m.place_error + b.place_error) * (1 + 0x1p-40));
    }
}

// ----------------------------------------------------------------------------------------------------------- keys ----

// Asked for in any order, a path gives what a new one gives; at a key its pose.
static void test_keys(void** state) {
    (void)state;
    static sample s;
    static const size_t counts[4] = {2, 3, 17, MOST_KEYS};
    for (int c = 0; c < 4; c++) {
        rng r = rng_seed(3000 + (uint64_t)c);
        random_motion(&r, APART_MOTION_KEYS, 3, &s);
        s.motion.pivot = (apart_vec3){0, 0, 0};
        s.motion.key_count = counts[c];
        for (size_t i = 0; i < counts[c]; i++)
            s.keys[i] = (apart_key){(double)i / (double)(counts[c] - 1), rng_pose(&r, rng_in_cube(&r, 1))};
        path p;
        assert_int_equal(apart_path_init(&p, &s.motion), APART_OK);
        for (int i = 0; i < 2000; i++) {
            const size_t key = (size_t)rng_below(&r, (int)counts[c]);
            const bool at_key = rng_chance(&r, 0.3), backwards = rng_chance(&r, 0.5);
            const double time = at_key ? s.keys[key].time : rng_unit(&r);
            path fresh;
            moment m, n;
            memset(&m, 0, sizeof m);
            memset(&n, 0, sizeof n);
            assert_int_equal(apart_path_at(&p, time, backwards, &m), APART_OK);
            assert_int_equal(apart_path_init(&fresh, &s.motion), APART_OK);
            assert_int_equal(apart_path_at(&fresh, time, backwards, &n), APART_OK);
            assert_memory_equal(&m.pose, &n.pose, sizeof m.pose);
            assert_true(m.until == n.until && m.rate == n.rate);
            const double low = p.piece.begin, high = p.piece.end;
            if (backwards)
                assert_true(m.until == low && time <= high && (low < time || (time == 0 && low == 0)));
            else
                assert_true(m.until == high && low <= time && (time < high || (time == 1 && high == 1)));
            if (!at_key) continue;
            const apart_vec3 off = vec3_sub(m.pose.translation, s.keys[key].pose.translation);
            assert_true(vec3_max_abs(off) <= m.place_error);
            for (int k = 0; k < 9; k++)
                assert_true(fabs(m.pose.rotation.m[k / 3][k % 3] - s.keys[key].pose.rotation.m[k / 3][k % 3]) <= 1e-14);
        }
    }
}

// ------------------------------------------------------------------------------------------------- exact numbers ----

static void test_exact(void** state) {
    (void)state;
    apart_motion m = {.kind = APART_MOTION_SLERP, .start = apart_pose_identity, .end = apart_pose_identity};
    m.start.translation = (apart_vec3){1, 2, 0.5};
    m.end.translation = (apart_vec3){5, -2, 8.5};
    m.pivot = (apart_vec3){3, 0.25, -1};
    path p;
    moment o;
    for (int kind = APART_MOTION_SLERP; kind <= APART_MOTION_VELOCITY; kind++) {
        m.kind = (apart_motion_kind)kind;
        m.velocity.linear = (apart_vec3){4, -4, 8};
        assert_int_equal(apart_path_init(&p, &m), APART_OK);
        assert_int_equal(apart_path_at(&p, 0.375, false, &o), APART_OK);
        assert_true(o.place_error == 0 && o.turn_error == 0 && o.rate == 0);
        assert_true(o.pose.translation.x == 2.5 && o.pose.translation.y == 0.5 && o.pose.translation.z == 3.5);
        assert_memory_equal(&o.pose.rotation, &apart_pose_identity.rotation, sizeof o.pose.rotation);
        assert_int_equal(apart_path_at(&p, 0.1, false, &o), APART_OK);
        assert_true(o.place_error > 0 && o.turn_error == 0);
    }
    const apart_key keys[3] = {{0, m.start}, {0.25, m.end}, {1, m.start}};
    m.kind = APART_MOTION_KEYS;
    m.keys = keys;
    m.key_count = 3;
    assert_int_equal(apart_path_init(&p, &m), APART_OK);
    assert_int_equal(apart_path_at(&p, 0.125, false, &o), APART_OK);
    assert_true(o.place_error == 0 && o.pose.translation.x == 3 && o.velocity.x == 16);
    // The start comes out as it went in.
    rng r = rng_seed(4000);
    for (int i = 0; i < 200; i++) {
        m = (apart_motion){.kind = (apart_motion_kind)(i % 4), .start = {rng_quarter_turns(&r), rng_in_cube(&r, 1)}};
        m.end = rng_pose(&r, rng_in_cube(&r, 1));
        m.velocity = (apart_twist){rng_in_cube(&r, 1), rng_in_cube(&r, 9)};
        apart_pose pose;
        assert_int_equal(apart_motion_pose(&m, 0, &pose), APART_OK);
        assert_true(vec3_is_zero(vec3_sub(pose.translation, m.start.translation)));
        for (int k = 0; k < 9; k++) assert_true(pose.rotation.m[k / 3][k % 3] == m.start.rotation.m[k / 3][k % 3]);
    }
    // The same matrix twice is no turn, whatever its rounding.
    for (int i = 0; i < 200; i++) {
        m = (apart_motion){.kind = APART_MOTION_SLERP, .start = {random_matrix(&r), {0, 0, 0}}};
        m.end = m.start;
        assert_int_equal(apart_path_init(&p, &m), APART_OK);
        assert_true(p.piece.angle == 0);
    }
}

// ------------------------------------------------------------------------------------------------------ functions ----

typedef struct ride {
    apart_pose pose;
    apart_status status;
} ride;

static apart_status ride_at(double time, void* context, apart_pose* pose) {
    const ride* r = context;
    *pose = r->pose;
    pose->translation.x += time;
    return r->status;
}

static void test_function(void** state) {
    (void)state;
    rng r = rng_seed(5000);
    double worst[2] = {0, 0};
    for (int i = 0; i < 500; i++) {
        const double size = random_size(&r);
        ride at = {{random_matrix(&r), random_place(&r, size * 0.5)}, APART_OK};
        apart_motion motion = {.kind = APART_MOTION_FUNCTION,
                               .pivot = random_place(&r, size),
                               .function = ride_at,
                               .context = &at,
                               .speed = 1,
                               .spin = 0.5};
        path p;
        moment m;
        assert_int_equal(apart_path_init(&p, &motion), APART_OK);
        assert_int_equal(apart_path_at(&p, 0.25, i % 2, &m), APART_OK);
        assert_true(!m.known && m.speed == 1 && m.rate_most == 0.5 && m.until == (i % 2 ? 0 : 1));
        assert_true(vec3_is_zero(m.velocity) && vec3_is_zero(m.spin));
        apart_motion still = {.start = at.pose, .pivot = motion.pivot};
        still.start.translation.x += 0.25;
        const true_place truth = oracle_motion(&still, 0, false);
        double part[2];
        errors_of(&motion, &m, &truth, part);
        worst[0] = fmax(worst[0], part[0]);
        worst[1] = fmax(worst[1], part[1]);
        at.status = APART_CANCELLED;
        assert_int_equal(apart_path_at(&p, 0.25, false, &m), APART_CANCELLED);
        at.status = APART_OK;
        at.pose.rotation.m[0][0] += 1e-3;
        assert_int_equal(apart_path_at(&p, 0.25, false, &m), APART_NOT_A_ROTATION);
        at.pose.translation.z = NAN;
        assert_int_equal(apart_path_at(&p, 0.25, false, &m), APART_NOT_FINITE);
    }
    printf("[ function ] of the errors stated: place %.3f, turn %.3f\n", worst[0], worst[1]);
    assert_true(worst[0] <= 1 && worst[1] <= 1 && worst[0] > 0.05 && worst[1] > 0.05);
}

// ------------------------------------------------------------------------------------------------------ bad input ----

static void refuses(const apart_motion* m, double time, apart_status status) {
    apart_pose pose = {.translation = {1, 2, 3}}, before = pose;
    assert_int_equal(apart_motion_pose(m, time, &pose), status);
    assert_memory_equal(&pose, &before, sizeof pose);
}

static void test_refused(void** state) {
    (void)state;
    apart_pose id = apart_pose_identity, bad = id, far = id, none = id, pose;
    bad.rotation.m[1][1] = 2;
    far.translation.y = 2 * APART_LIMIT;
    none.translation.z = NAN;
    const apart_motion still = {.start = id}, plain = {.kind = APART_MOTION_SLERP, .start = id, .end = id};
    const double times[5] = {-0x1p-1074, 1.0000000000000002, (double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int i = 0; i < 5; i++) refuses(&still, times[i], APART_INVALID);
    refuses(NULL, 0, APART_INVALID);
    assert_int_equal(apart_motion_pose(&still, 0, NULL), APART_INVALID);
    assert_int_equal(apart_motion_pose(&still, 1, &pose), APART_OK);
    refuses(&(apart_motion){.kind = (apart_motion_kind)6, .start = id}, 0, APART_INVALID);

    const struct {
        apart_pose pose;
        apart_status status;
    } wrong[3] = {{bad, APART_NOT_A_ROTATION}, {far, APART_OUT_OF_RANGE}, {none, APART_NOT_FINITE}};
    for (int i = 0; i < 3; i++) {
        apart_motion m = plain;
        m.end = wrong[i].pose;
        refuses(&m, 0, wrong[i].status);
        m.kind = APART_MOTION_NLERP;
        refuses(&m, 0, wrong[i].status);
        m.kind = APART_MOTION_STILL; // the end is not read
        assert_int_equal(apart_motion_pose(&m, 0, &pose), APART_OK);
        for (int kind = APART_MOTION_STILL; kind <= APART_MOTION_VELOCITY; kind++) {
            m = (apart_motion){.kind = (apart_motion_kind)kind, .start = wrong[i].pose, .end = id};
            refuses(&m, 0, wrong[i].status);
        }
        apart_key keys[3] = {{0, id}, {0.5, wrong[i].pose}, {1, id}};
        refuses(&(apart_motion){.kind = APART_MOTION_KEYS, .keys = keys, .key_count = 3}, 0, wrong[i].status);
    }
    const double number[3] = {NAN, INFINITY, 2 * APART_LIMIT};
    for (int i = 0; i < 3; i++) {
        const apart_status status = i == 2 ? APART_OUT_OF_RANGE : APART_NOT_FINITE;
        refuses(&(apart_motion){.start = id, .pivot.y = number[i]}, 0, status);
        apart_motion m = {.kind = APART_MOTION_VELOCITY, .start = id, .velocity.linear.z = number[i]};
        refuses(&m, 0, status);
        m.velocity = (apart_twist){.angular.x = -number[i]};
        refuses(&m, 0, status);
        ride at = {id, APART_OK};
        m = (apart_motion){.kind = APART_MOTION_FUNCTION, .function = ride_at, .context = &at, .speed = number[i]};
        refuses(&m, 0, status);
        m.speed = 0;
        m.spin = number[i];
        refuses(&m, 0, status);
        m.spin = -1;
        refuses(&m, 0, APART_INVALID);
        m.spin = 0;
        at.status = APART_FILE;
        refuses(&m, 0, APART_FILE);
        m.function = NULL;
        refuses(&m, 0, APART_INVALID);
    }
    // Times.
    apart_motion m = {.kind = APART_MOTION_KEYS, .key_count = 2};
    refuses(&m, 0, APART_INVALID);
    const struct {
        double time[3];
        size_t count;
        apart_status status;
    } timed[8] = {{{0, 0.5, 1}, 0, APART_INVALID},    {{0, 0.5, 1}, 1, APART_INVALID},
                  {{0, 0.5, 1}, 2, APART_INVALID},    {{0x1p-1074, 0.5, 1}, 3, APART_INVALID},
                  {{0, 0, 1}, 3, APART_INVALID},      {{0, 2, 1}, 3, APART_INVALID},
                  {{0, NAN, 1}, 3, APART_NOT_FINITE}, {{0, 0x1p-1074, 1}, 3, APART_OUT_OF_RANGE}};
    for (int i = 0; i < 8; i++) {
        apart_key keys[3];
        for (int k = 0; k < 3; k++) keys[k] = (apart_key){timed[i].time[k], id};
        m.keys = keys;
        m.key_count = timed[i].count;
        refuses(&m, 0, timed[i].status);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_errors),    cmocka_unit_test(test_rates),
                                       cmocka_unit_test(test_backwards), cmocka_unit_test(test_keys),
                                       cmocka_unit_test(test_exact),     cmocka_unit_test(test_function),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// How long two convex pieces are certainly apart: the bound along a direction that is fixed in the world, in a's frame,
// in b's or in one of its own, against the true motion in quadruple precision, at many instants of the time that it
// speaks of.
//
// apart_moving_free says how long, and at least how far. Whatever frame told so, there must be a plane between the
// bodies at every instant of that time; the true gap is taken along the direction in each of the four frames, and the
// one of them must not be below what is certified. Before that the bound of each frame is tested by itself: with the
// true support functions it must not be above the true gap.
#include "motion/moving.h"

#include "bodies.h"
#include "motion_oracle.h"
#include "quad_trig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { KINDS = 6, MOST_KEYS = 5, WORLD = 2, OWN = 3, FRAMES = 4 };
static const char* const kind_names[KINDS] = {"still", "slerp", "nlerp", "velocity", "keys", "function"};

typedef struct scene {
    body body[2];
    apart_motion motion[2], behind[2]; // behind: what a function computes
    apart_key key[2][MOST_KEYS];
    apart_shape* shape[2];
    double size;
} scene;

// -------------------------------------------------------------------------------------------------- random scenes ----

static apart_status evaluate_motion(double time, void* context, apart_pose* pose) {
    return apart_motion_pose(context, time, pose);
}

static apart_vec3 scaled(double s, apart_vec3 a) { return (apart_vec3){s * a.x, s * a.y, s * a.z}; }

static void random_motion(rng* r, scene* s, int i, apart_motion_kind kind) {
    apart_motion* m = &s->motion[i];
    const double far = rng_chance(r, 0.1) ? 1e6 : rng_chance(r, 0.5) ? 1 : 3, size = s->size;
    memset(m, 0, sizeof *m);
    m->kind = kind;
    m->start = rng_pose(r, scaled(size * far, rng_in_ball(r)));
    m->end = rng_pose(r, scaled(size * far, rng_in_ball(r)));
    if (rng_chance(r, 0.2)) m->start.rotation = apart_pose_identity.rotation;
    if (rng_chance(r, 0.5)) m->pivot = scaled(size * rng_magnitude(r, -3, 3), rng_unit_vector(r));
    m->velocity.linear = scaled(size * rng_magnitude(r, -6, 3), rng_unit_vector(r));
    m->velocity.angular =
        scaled(rng_magnitude(r, -6, 6), rng_chance(r, 0.3) ? (apart_vec3){0, 0, 1} : rng_unit_vector(r));
    for (int k = 0; k < MOST_KEYS; k++)
        s->key[i][k] = (apart_key){k / (double)(MOST_KEYS - 1), rng_pose(r, scaled(size * far, rng_in_ball(r)))};
    m->keys = s->key[i];
    m->key_count = MOST_KEYS;
    if (kind == APART_MOTION_FUNCTION) {
        s->behind[i] = *m;
        s->behind[i].kind = APART_MOTION_VELOCITY;
        const apart_vec3 v = m->velocity.linear, w = m->velocity.angular;
        m->function = evaluate_motion;
        m->context = &s->behind[i];
        m->speed = sqrt(v.x * v.x + v.y * v.y + v.z * v.z) * (1 + 0x1p-40);
        m->spin = sqrt(w.x * w.x + w.y * w.y + w.z * w.z) * (1 + 0x1p-40);
    }
}

static void random_scene(rng* r, scene* s, apart_motion_kind kind_a, apart_motion_kind kind_b) {
    static const double sizes[6] = {1, 1, 1, 1, 1e-100, 1e100};
    s->size = sizes[rng_below(r, 6)];
    for (int i = 0; i < 2; i++) {
        body_random(r, &s->body[i], 20);
        // Wheels, whose own turn is left out.
        if (rng_chance(r, 0.1)) {
            s->body[i].kind = rng_chance(r, 0.5) ? BODY_CYLINDER : BODY_CONE;
            s->body[i].size = (apart_vec3){0.5, 0.5, 0.3};
            s->body[i].radius = 0;
            s->body[i].callback = false;
        }
        body_scale(&s->body[i], s->size);
        s->shape[i] = body_shape(&s->body[i], NULL);
        assert_non_null(s->shape[i]);
        random_motion(r, s, i, i == 0 ? kind_a : kind_b);
    }
}

// ------------------------------------------------------------------------------------------------------ the truth ----

static true_place place_of(const scene* s, int i, quad time) {
    const apart_motion* m = s->motion[i].kind == APART_MOTION_FUNCTION ? &s->behind[i] : &s->motion[i];
    return oracle_motion(m, time, false);
}

// The support function of a body in its own coordinates along any vector, and about its pivot.
static quad height(const scene* s, int i, const true_place* place, qvec d) {
    const body* b = &s->body[i];
    const qmat back = qmat_transposed(&place->rotation);
    const qvec e = qmat_times(&back, d), pivot = qvec_from(s->motion[i].pivot);
    quad most = 0, length = qvec_length(d);
    const quad round = quad_sqrt(e.x * e.x + e.y * e.y), x = b->size.x, y = b->size.y, z = b->size.z;
    switch (b->kind) {
    case BODY_CYLINDER:
        most = x * round + z * (e.z < 0 ? -e.z : e.z);
        break;
    case BODY_CONE:
        most = z * e.z > x * round - z * e.z ? z * e.z : x * round - z * e.z;
        break;
    case BODY_ELLIPSOID:
        most = quad_sqrt(x * x * e.x * e.x + y * y * e.y * e.y + z * z * e.z * e.z);
        break;
    case BODY_SPHERE:
        break;
    default:
        for (int k = 0; k < body_corners(b); k++) {
            const quad h = qvec_dot(e, qvec_from(body_corner(b, k)));
            if (k == 0 || h > most) most = h;
        }
    }
    return most - qvec_dot(e, pivot) + b->radius * length;
}

// The gap between the bodies along a unit vector, at a time.
static quad true_gap(const scene* s, const true_place place[2], qvec n) {
    return qvec_dot(n, qvec_sub(place[1].pivot, place[0].pivot)) - height(s, 0, &place[0], n) -
           height(s, 1, &place[1], qvec_scale(-1, n));
}

// n turned with a body from one instant to another.
static qvec carried(const true_place* now, const true_place* then, qvec n) {
    const qmat back = qmat_transposed(&now->rotation);
    return qmat_times(&then->rotation, qmat_times(&back, n));
}

// ----------------------------------------------------------------------------------------------------- the bounds ----

typedef struct census {
    long asked, frames[FRAMES], kinds[KINDS], free_at_once, partly, nothing;
    long bounds[FRAMES], close[FRAMES]; // of each frame, and those that are within 1e-3 of the truth
    double tightest;                    // the least of (true gap - certified) / size
} census;

static qvec cross(qvec a, qvec b) {
    return (qvec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// n turned with a frame of its own, for a time.
static qvec turned(const moment* with, quad elapsed, qvec n) {
    quad sine, cosine, rate = quad_sqrt(qvec_dot(qvec_from(with->spin), qvec_from(with->spin)));
    if (rate == 0) return n;
    const qvec axis = qvec_scale(1 / rate, qvec_from(with->spin)), along = qvec_scale(qvec_dot(axis, n), axis);
    quad_sine_cosine(rate * elapsed, &sine, &cosine);
    return qvec_add(qvec_add(along, qvec_scale(cosine, qvec_sub(n, along))), qvec_scale(sine, cross(axis, n)));
}

static quad gap_in_frame(const scene* s, int frame, const true_place now[2], const true_place then[2], qvec n,
                         const moment* with, quad elapsed) {
    if (frame == OWN) return true_gap(s, then, turned(with, elapsed, n));
    return true_gap(s, then, frame == WORLD ? n : carried(&now[frame], &then[frame], n));
}

// Only one frame may have told, so that one must keep what is certified at all instants. Returns how many do.
static int check_free(const scene* s, const moving_pair* m, qvec n, const moment* with, double until, double gap,
                      census* c) {
    const double time = m->time;
    enum { INSTANTS = 24 };
    const true_place now[2] = {place_of(s, 0, time), place_of(s, 1, time)};
    bool holds[FRAMES] = {true, true, true, true};
    double tightest[FRAMES] = {INFINITY, INFINITY, INFINITY, INFINITY};
    for (int k = 0; k <= INSTANTS; k++) {
        const quad t = time + ((quad)until - time) * k / INSTANTS;
        const true_place then[2] = {place_of(s, 0, t), place_of(s, 1, t)};
        for (int f = 0; f < FRAMES; f++) {
            const quad elapsed = m->backwards ? time - t : t - time;
            const quad more = gap_in_frame(s, f, now, then, n, with, elapsed) - gap;
            if (more < 0) holds[f] = false;
            tightest[f] = fmin(tightest[f], (double)(more / m->unit));
        }
    }
    int count = 0;
    for (int f = 0; f < FRAMES; f++) {
        count += holds[f];
        c->frames[f] += holds[f];
        if (holds[f]) c->tightest = fmin(c->tightest, tightest[f]);
    }
    return count;
}

static double random_time(rng* r) { return rng_chance(r, 0.2) ? 0 : rng_unit(r); }

// The bound in one frame but for the support functions, with the true ones: below the true gap at any time s.
static void check_frame(rng* r, const scene* s, const moving_pair* m, gap_bound* g, int frame, vec3 n,
                        const moment* with, double horizon, census* c) {
    const true_place now[2] = {place_of(s, 0, m->time), place_of(s, 1, m->time)};
    apart_bound_in_frame(g, frame == WORLD ? NULL : frame == OWN ? with : &m->body[frame].now);
    for (int k = 0; k < 4; k++) {
        double elapsed = k == 0 ? horizon : horizon * rng_unit(r) * (k < 3 ? 1 : 0x1p-8), bend;
        const quad t = (quad)m->time + (m->backwards ? -(quad)elapsed : (quad)elapsed);
        const true_place then[2] = {place_of(s, 0, t), place_of(s, 1, t)};
        quad certified = apart_bound_rest(g, elapsed, &bend);
        for (int i = 0; i < 2; i++) {
            const bound_side* x = &g->side[i];
            const qvec d = qvec_add(qvec_from(x->d), qvec_scale(elapsed, qvec_from(x->m)));
            certified -= height(s, i, &now[i], d) * m->inverse;
        }
        const quad truth =
            gap_in_frame(s, frame, now, then, qvec_from(n), with, elapsed) * m->inverse - m->clearance * m->inverse;
        if (!(certified <= truth))
            fail_msg("%s and %s: the bound in frame %d is above the truth by %g of the unit",
                     kind_names[s->motion[0].kind], kind_names[s->motion[1].kind], frame, (double)(certified - truth));
        c->bounds[frame]++;
        c->close[frame] += certified > truth - fabs((double)truth) * 0x1p-10;
    }
}

static void check_frames(rng* r, const scene* s, const moving_pair* m, moving_piece piece[2], vec3 n,
                         const moment* with, double horizon, census* c) {
    gap_bound g;
    apart_bound_init(&g, m, piece, n);
    check_frame(r, s, m, &g, WORLD, n, with, horizon, c);
    if (m->body[0].now.known && m->body[1].now.known) check_frame(r, s, m, &g, OWN, n, with, horizon, c);
    // A wheel's frame does not turn.
    for (int i = 0; i < 2; i++)
        if (m->body[0].now.known && m->body[1].now.known && m->body[i].now.rate > 0)
            check_frame(r, s, m, &g, i, n, with, horizon, c);
}

static void check_scene(rng* r, const scene* s, census* c) {
    const double clearance = rng_chance(r, 0.3) ? s->size * rng_magnitude(r, -10, -2) : 0;
    moving_pair m;
    assert_int_equal(apart_moving_init(&m, s->shape[0], &s->motion[0], s->shape[1], &s->motion[1], NULL), APART_OK);
    for (int round = 0; round < 4; round++) {
        const bool backwards = rng_chance(r, 0.4);
        const double time = backwards ? 1 - random_time(r) : random_time(r);
        // Half a turn either way is one or the other.
        if (oracle_either_way(&s->motion[0], time) || oracle_either_way(&s->motion[1], time)) continue;
        moving_piece piece[2] = {m.whole[0], m.whole[1]};
        apart_result result;
        m.clearance = clearance;
        m.backwards = backwards;
        apart_moving_measure(&m, time, piece, &(apart_query){.cutoff = INFINITY}, NULL, &result);
        assert_int_equal(m.status, APART_OK);
        vec3 n = result.normal;
        if (rng_chance(r, 0.3)) n = vec3_unit(vec3_add(n, scaled(0.3, rng_in_ball(r))));
        double horizon = moving_elapsed(&m, time, moving_until(&m, backwards ? 0 : 1)), gap;
        if (rng_chance(r, 0.5)) horizon *= rng_magnitude(r, -8, -1);
        // As if n had turned by up to a few degrees in some time.
        const vec3 earlier = vec3_unit(vec3_add(n, scaled(rng_magnitude(r, -20, -3), rng_in_ball(r))));
        const moment with = apart_moving_frame(&m, &result, earlier, rng_magnitude(r, -12, 0));
        check_frames(r, s, &m, piece, n, &with, horizon, c);
        const double free = apart_moving_free(&m, piece, n, &with, horizon, &gap);
        c->asked++;
        assert_true(free >= 0 && free <= horizon);
        c->nothing += free == 0;
        c->free_at_once += free == horizon;
        c->partly += free > 0 && free < horizon;
        if (free == 0) continue;
        assert_true(gap >= clearance);
        const double until = apart_moving_later(&m, time, free, backwards ? 0 : 1);
        if (check_free(s, &m, qvec_from(n), &with, until, gap, c) == 0)
            fail_msg("%s and %s: nothing keeps %g from %.17g to %.17g", kind_names[s->motion[0].kind],
                     kind_names[s->motion[1].kind], gap, time, until);
    }
}

static void test_bounds(void** state) {
    (void)state;
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
    enum { ROUNDS = 40 };
#else
    enum { ROUNDS = 4 };
#endif
    static scene s;
    rng r = rng_seed(140001);
    census c = {.tightest = INFINITY};
    for (int round = 0; round < ROUNDS; round++)
        for (int a = 0; a < KINDS; a++)
            for (int b = 0; b < KINDS; b++) {
                random_scene(&r, &s, (apart_motion_kind)a, (apart_motion_kind)b);
                check_scene(&r, &s, &c);
                c.kinds[a]++;
                for (int i = 0; i < 2; i++) apart_shape_release(s.shape[i]);
            }
    printf("%ld asked: %ld free to the horizon, %ld partly, %ld not; a's frame keeps it %ld times, b's %ld, the world "
           "%ld, its own %ld; the tightest by %.3g of the unit\n",
           c.asked, c.free_at_once, c.partly, c.nothing, c.frames[0], c.frames[1], c.frames[2], c.frames[3],
           c.tightest);
    for (int i = 0; i < FRAMES; i++)
        printf("frame %d: %ld bounds, %ld of them within 1e-3 of the truth\n", i, c.bounds[i], c.close[i]);
    for (int i = 0; i < FRAMES; i++) assert_true(c.close[i] > ROUNDS);
    for (int i = 0; i < FRAMES; i++) assert_true(c.frames[i] > ROUNDS);
    for (int i = 0; i < KINDS; i++) assert_int_equal(c.kinds[i], KINDS * ROUNDS);
    assert_true(c.free_at_once > ROUNDS && c.partly > ROUNDS && c.nothing > 0);
    assert_true(c.tightest >= 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

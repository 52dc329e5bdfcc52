// Poses along a motion, with the error of each. Derivations to first order in u = 2^-53; SLACK covers the rest, and the
// rounding of the errors' own sums.
#include "motion/path.h"

#include "base/exact.h"
#include "base/pose.h"
#include "base/trig.h"

#define U 0x1p-53
#define SLACK (1 + 0x1p-30)
/// What products that come near the end of the range may lose besides, any dozen of them.
#define TINY 0x1p-1070

static const vec3 zero = {0, 0, 0};

// -------------------------------------------------------------------------------------------- rotations ----

/// Whether axes go to axes: all rotations whose numbers are doubles.
static bool is_exact(const mat3* r) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            if (r->m[i][j] != 0 && fabs(r->m[i][j]) != 1) return false;
    return true;
}

/// The rotation nearest to a matrix X that apart_pose_check accepts: X <- X - X (X^T X - I) / 2 (Newton, Schulz) takes
/// a stretch of 1 + e to 1 - 1.5 e^2, and 1.5e-6 to 2e-23 in two steps. Both steps round each entry once, which is at
/// most sqrt(3) u in the Frobenius norm; the rest of a step is small enough to be nothing, and what is off in X^T X is
/// symmetric and does not turn. Hence NEAREST_ERROR, 2 sqrt(3) u. Returns whether it is exact.
static bool nearest_rotation(const mat3* given, mat3* r) {
    *r = *given;
    if (is_exact(given)) return true;
    for (int step = 0; step < 2; ++step) {
        mat3 half;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                half.m[i][j] = exact_dot(-(i == j), mat3_column(r, i), mat3_column(r, j), zero) / 2;
        mat3 off = mat3_product(r, &half);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) r->m[i][j] -= off.m[i][j];
    }
    return false;
}
#define NEAREST_ERROR (3.5 * U)

/// The length of a vector of any size, off by at most 2.5 u of it. *unit: the unit vector along it, each coordinate
/// rounded twice; the x axis for zero.
static double length_of(vec3 a, vec3* unit) {
    int e = exponent_of(vec3_max_abs(a));
    vec3 near_one = {ldexp(a.x, -e), ldexp(a.y, -e), ldexp(a.z, -e)}, rough = vec3_unit(near_one);
    *unit = vec3_mad(rough, -exact_dot(-1, rough, rough, zero) / 2, rough);
    return ldexp(vec3_length(near_one), e);
}

/// Axis and angle from one rotation to another, the short way: the quaternion of to from^T. Within rounding of half a
/// turn either way may be the short one, and the one that is found is taken.
static void turn_between(const mat3* from, const mat3* to, path_piece* k) {
    apart_pose relative = apart_pose_identity;
    double q[4];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) relative.rotation.m[i][j] = exact_dot(0, mat3_row(to, i), mat3_row(from, j), zero);
    apart_pose_to_quaternion(&relative, q);
    k->sine = length_of(vec3_make(q[1], q[2], q[3]), &k->axis);
    k->cosine = q[0];
    k->angle = k->sine > 0 ? 2 * apart_arctangent(k->sine, k->cosine) : 0;
}

/// The turn about a unit vector by the angle with this sine and cosine.
static mat3 turn_by(vec3 a, double s, double c) {
    double v = 1 - c, x = s * a.x, y = s * a.y, z = s * a.z;
    double xy = v * a.x * a.y, xz = v * a.x * a.z, yz = v * a.y * a.z;
    return (mat3){{{c + v * a.x * a.x, xy - z, xz + y},
                   {xy + z, c + v * a.y * a.y, yz - x},
                   {xz - y, yz + x, c + v * a.z * a.z}}};
}

/// How far a rotation that is computed along a piece may be from the true one, and how far it may get when the body
/// goes on from there at the rate that is reported, in the spectral norm.
///  - Both ends of a turn are off by NEAREST_ERROR: on the way between, a great circle of at most a quarter among the
///    unit quaternions, that is at most sqrt(2) times as much: 5 u.
///  - Axis and angle: an error of the end is no larger on the way. Entries of to from^T have one rounding, and
///    in apart_pose_to_quaternion that and the sums make 2 u of three parts of the quaternion and 3 u of the largest,
///    the quotients one more: 6 u, 12 u of the turn. The sine's length 2.5 u, the arctangent twice 2.5 u; the axis at
///    most 2 u, which moves a point by at most twice as much.
///  - Sine and cosine 2 u (NLERP: from sums and products of at most 2 u each: 6 u).
///  - turn_by: three products 4 u, 1 - c 2 u, the sums sqrt(2) u + sqrt(3) u. The product of the matrices: three
///    roundings of each term, 3 u sqrt(3) sqrt(3).
///  - The angle at a time: 2.5 u of a length or at most 3 u of two differences of times and a quotient, and a product
///    or, with NLERP, the rate: at most 6 u of the angle.
static double turn_error_of(const path_piece* k, bool exact) {
    if (k->angle == 0) return exact ? 0 : 5 * U * SLACK;
    if (k->angle > TRIG_MOST) return 2 + 0x1p-40;
    return U * SLACK * (5 + 12 + 2.5 + 5 + 4 + 6 + 9.2 + 9 + 6 * k->angle);
}

// ------------------------------------------------------------------------------------------------ places ----

/// How much the product of two numbers loses at most; 0 only if exact.
static double product_loss(double a, double b) {
    if (a == 0 || b == 0) return 0;
    double loss, p = exact_product(a, b, &loss);
    bool measured = fabs(a) < 0x1p990 && fabs(b) < 0x1p990 && fabs(p) > 0x1p-900;
    return measured ? fabs(loss) : fabs(p) * U + TINY;
}

/// a + b; what it loses is added to *error.
static vec3 sum_of(vec3 a, vec3 b, double* error) {
    vec3 lost = {0, 0, 0};
    exact_add(&a, &lost, b);
    *error += vec3_sum_abs(lost);
    return a;
}

/// s a; what it loses is added to *error.
static vec3 multiple_of(double s, vec3 a, double* error) {
    *error += product_loss(s, a.x) + product_loss(s, a.y) + product_loss(s, a.z);
    return vec3_scale(s, a);
}

/// R a; what it loses, three roundings of each term, is added to *error.
static vec3 turn_vector(const mat3* r, vec3 a, double* error) {
    if (vec3_is_zero(a)) return a;
    if (!is_exact(r)) *error += 3 * U * vec3_sum_abs(a) + TINY;
    return mat3_mul(r, a);
}

/// A given pose as the nearest rotation and the pivot's place. What is wrong with the place is in *error, with the
/// rotation NEAREST_ERROR; returns whether the rotation is exact.
static bool place_pose(const apart_pose* given, vec3 pivot, mat3* rotation, vec3* place, double* error) {
    bool exact = nearest_rotation(&given->rotation, rotation);
    *error = exact ? 0 : NEAREST_ERROR * vec3_sum_abs(pivot);
    *place = sum_of(given->translation, turn_vector(rotation, pivot, error), error);
    return exact;
}

// ------------------------------------------------------------------------------------------------ pieces ----

/// SLERP, NLERP, or between two keys. The pivot's error on the way is at most the larger one of the ends, and what the
/// velocity is off by: the difference of the places, that of the times, the quotient.
static void piece_between(path* p, const apart_pose* from, const apart_pose* to, double begin, double end) {
    path_piece* k = &p->piece;
    mat3 last;
    vec3 place;
    double error[2], lost, way_error = 0, duration = exact_sum(end, -begin, &lost);
    k->begin = begin;
    k->end = end;
    bool exact = place_pose(from, p->motion->pivot, &k->rotation, &k->pivot, &error[0]);
    exact = place_pose(to, p->motion->pivot, &last, &place, &error[1]) && exact;
    turn_between(&k->rotation, &last, k);
    vec3 way = sum_of(place, vec3_neg(k->pivot), &way_error);
    k->velocity = duration == 1 ? way : vec3_make(way.x / duration, way.y / duration, way.z / duration);
    // The quotient is exact if its product with the divisor is, and gives the dividend.
    vec3 back = multiple_of(duration, k->velocity, &way_error);
    way_error += vec3_sum_abs(vec3_sub(back, way)) + (lost != 0 ? U * vec3_sum_abs(way) : 0);
    k->place_error = larger(error[0], error[1]) + way_error;
    k->turn_error = turn_error_of(k, exact);
}

/// VELOCITY, and with none STILL.
static void piece_along(path* p, apart_twist velocity) {
    path_piece* k = &p->piece;
    k->begin = 0;
    k->end = 1;
    bool exact = place_pose(&p->motion->start, p->motion->pivot, &k->rotation, &k->pivot, &k->place_error);
    k->velocity = velocity.linear;
    k->angle = length_of(velocity.angular, &k->axis);
    k->turn_error = turn_error_of(k, exact);
}

/// The piece of a time: of two that meet there the one that follows in the direction of time.
static void find_piece(path* p, double time, bool backwards) {
    const apart_key* keys = p->motion->keys;
    const path_piece* k = &p->piece;
    if (backwards ? k->begin < time && time <= k->end : k->begin <= time && time < k->end) return;
    size_t low = 0, high = p->motion->key_count - 1; // it begins at `low` or later, and before `high`
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (backwards ? keys[middle].time < time : keys[middle].time <= time)
            low = middle;
        else
            high = middle;
    }
    if (low == p->key) return;
    p->key = low;
    piece_between(p, &keys[low].pose, &keys[low + 1].pose, keys[low].time, keys[low + 1].time);
}

// ------------------------------------------------------------------------------------------------ checks ----

static apart_status check_keys(const apart_motion* motion) {
    const apart_key* keys = motion->keys;
    size_t count = motion->key_count;
    if (!keys || count < 2) return APART_INVALID;
    for (size_t i = 0; i < count; ++i) {
        apart_status status = isfinite(keys[i].time) ? apart_pose_check(&keys[i].pose) : APART_NOT_FINITE;
        if (status != APART_OK) return status;
        if (i == 0) continue;
        double duration = keys[i].time - keys[i - 1].time;
        if (!(duration > 0)) return APART_INVALID;
        // No rate and no velocity may come near the end of the range: pivots are at most this far from each other.
        vec3 way = vec3_sub(keys[i].pose.translation, keys[i - 1].pose.translation);
        double most = vec3_max_abs(way) + 4 * vec3_max_abs(motion->pivot) + 4;
        if (most > 0x1p1010 * duration) return APART_OUT_OF_RANGE;
    }
    return keys[0].time == 0 && keys[count - 1].time == 1 ? APART_OK : APART_INVALID;
}

static apart_status check_motion(const apart_motion* motion) {
    const apart_motion_kind kind = motion->kind;
    const bool between = kind == APART_MOTION_SLERP || kind == APART_MOTION_NLERP,
               along = kind == APART_MOTION_VELOCITY;
    apart_status status = apart_point_check(motion->pivot);
    if (status != APART_OK) return status;
    if (kind == APART_MOTION_KEYS) return check_keys(motion);
    if (kind == APART_MOTION_FUNCTION) {
        if (!motion->function || motion->speed < 0 || motion->spin < 0) return APART_INVALID;
        return apart_point_check(vec3_make(motion->speed, motion->spin, 0));
    }
    if (kind != APART_MOTION_STILL && !between && !along) return APART_INVALID;
    status = apart_pose_check(&motion->start);
    if (status == APART_OK && between) status = apart_pose_check(&motion->end);
    if (status == APART_OK && along) status = apart_point_check(motion->velocity.linear);
    if (status == APART_OK && along) status = apart_point_check(motion->velocity.angular);
    return status;
}

apart_status apart_path_init(path* p, const apart_motion* motion) {
    if (!motion) return APART_INVALID;
    apart_status status = check_motion(motion);
    if (status != APART_OK) return status;
    *p = (path){.motion = motion, .key = SIZE_MAX};
    if (motion->kind == APART_MOTION_STILL) piece_along(p, (apart_twist){{0, 0, 0}, {0, 0, 0}});
    if (motion->kind == APART_MOTION_VELOCITY) piece_along(p, motion->velocity);
    if (motion->kind == APART_MOTION_SLERP || motion->kind == APART_MOTION_NLERP)
        piece_between(p, &motion->start, &motion->end, 0, 1);
    return APART_OK;
}

// ----------------------------------------------------------------------------------------------- moments ----

static apart_status function_at(const path* p, double time, bool backwards, moment* m) {
    const apart_motion* motion = p->motion;
    apart_pose pose;
    apart_status status = motion->function(time, motion->context, &pose);
    if (status == APART_OK) status = apart_pose_check(&pose);
    if (status != APART_OK) return status;
    double error;
    *m = (moment){.time = time, .until = backwards ? 0 : 1, .speed = motion->speed, .rate_most = motion->spin};
    m->axis = vec3_make(1, 0, 0);
    m->turn_error = place_pose(&pose, motion->pivot, &m->pose.rotation, &m->pivot, &error) ? 0 : NEAREST_ERROR * SLACK;
    m->pose.translation = pose.translation;
    m->place_error = error * SLACK;
    return APART_OK;
}

/// The turn at a constant rate.
static mat3 turn_steadily(const path_piece* k, double since, moment* m) {
    double s, c;
    m->rate = m->rate_most = k->angle / (k->end - k->begin);
    apart_sine_cosine(m->rate * since, &s, &c);
    return turn_by(k->axis, s, c);
}

/// NLERP. With sine s and cosine c of half the angle, the quaternion at t is (1 - t) + t c and t s along the axis, D
/// the square of its length, twice the angle of these two the angle at t. Its derivative is 2 s / D. Then
///     D = a + b x^2,     x = |1 - 2 t|,     a = (1 + c) / 2,     b = (1 - c) / 2 = s^2 / (4 a),
/// least at x = 0, where the rate is 4 tan(angle / 4), and the derivative of the rate is 8 s b x / D^2, which grows up
/// to x^2 = a / (3 b) and falls from there on. Ahead lies x from `least` to 1. 2^-48 is for the rounding of all this.
static mat3 turn_linearly(const path_piece* k, double t, bool backwards, moment* m) {
    double s = k->sine, c = k->cosine, along = t * s, rest = (1 - t) + t * c;
    double square = along * along + rest * rest, a = (1 + c) / 2, b = s * s / (4 * a);
    double least = backwards ? larger(1 - 2 * t, 0) : larger(2 * t - 1, 0);
    double x = smaller(larger(sqrt(a / (3 * b)), least), 1), then = a + b * x * x;
    m->rate = 2 * s / square;
    m->rate_most = (least > 0 ? m->rate : 2 * s / a) * (1 + 0x1p-48);
    m->rate_change = 8 * s * b * x / (then * then) * (1 + 0x1p-48);
    return turn_by(k->axis, 2 * along * rest / square, (rest * rest - along * along) / square);
}

static void piece_at(const path* p, double time, bool backwards, moment* m) {
    const path_piece* k = &p->piece;
    double lost, error = k->place_error, sign = backwards ? -1 : 1;
    double since = exact_sum(time, -k->begin, &lost);
    *m = (moment){.time = time, .until = backwards ? k->begin : k->end, .known = true, .turn_error = k->turn_error};
    m->pose.rotation = k->rotation;
    if (k->angle > 0) {
        mat3 turn =
            p->motion->kind == APART_MOTION_NLERP ? turn_linearly(k, since, backwards, m) : turn_steadily(k, since, m);
        m->pose.rotation = mat3_product(&turn, &k->rotation);
    }
    vec3 way = multiple_of(since, k->velocity, &error);
    if (lost != 0) error += U * vec3_sum_abs(way);
    m->pivot = sum_of(k->pivot, way, &error);
    m->pose.translation = sum_of(m->pivot, vec3_neg(turn_vector(&m->pose.rotation, p->motion->pivot, &error)), &error);
    m->velocity = vec3_scale(sign, k->velocity);
    m->axis = vec3_scale(sign, k->axis);
    m->spin = vec3_scale(m->rate, m->axis);
    m->place_error = error * SLACK;
}

apart_status apart_path_at(path* p, double time, bool backwards, moment* m) {
    if (p->motion->kind == APART_MOTION_FUNCTION) return function_at(p, time, backwards, m);
    if (p->motion->kind == APART_MOTION_KEYS) find_piece(p, time, backwards);
    piece_at(p, time, backwards, m);
    return APART_OK;
}

apart_status apart_motion_pose(const apart_motion* motion, double time, apart_pose* pose) {
    if (!motion || !pose || !(time >= 0 && time <= 1)) return APART_INVALID;
    path p;
    moment m;
    apart_status status = apart_path_init(&p, motion);
    if (status == APART_OK) status = apart_path_at(&p, time, false, &m);
    if (status == APART_OK) *pose = m.pose;
    return status;
}

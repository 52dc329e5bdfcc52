// A point of a body is at most as fast as its pivot, and as its distance from the pivot times the rate of the turn.
#include "speed.h"

static double length(apart_vec3 v) { return sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

// Where the pivot is in the world.
static apart_vec3 place(const apart_pose* pose, apart_vec3 p) {
    const double(*m)[3] = pose->rotation.m;
    const apart_vec3 t = pose->translation;
    return (apart_vec3){t.x + m[0][0] * p.x + m[0][1] * p.y + m[0][2] * p.z,
                        t.y + m[1][0] * p.x + m[1][1] * p.y + m[1][2] * p.z,
                        t.z + m[2][0] * p.x + m[2][1] * p.y + m[2][2] * p.z};
}

static double way(const apart_pose* from, const apart_pose* to, apart_vec3 pivot) {
    const apart_vec3 a = place(from, pivot);
    const apart_vec3 b = place(to, pivot);
    return length((apart_vec3){b.x - a.x, b.y - a.y, b.z - a.z});
}

// The angle between two poses, the short way. Matrices may be off a rotation by 1e-6, and acos doubles the digits that
// it loses near 1: 1e-5 covers both.
static double angle(const apart_pose* from, const apart_pose* to) {
    double p[4];
    double q[4];
    apart_pose_to_quaternion(from, p);
    apart_pose_to_quaternion(to, q);
    const double dot = fabs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]);
    const double turn = 2 * acos(fmin(dot, 1));
    return turn > 0 ? turn + 1e-5 : 0;
}

// How far the box around a body reaches from its pivot.
static double reach(const apart_shape* shape, apart_vec3 pivot) {
    apart_shape_info info;
    if (apart_shape_describe(shape, &info) != APART_OK) return INFINITY;
    return length((apart_vec3){fmax(pivot.x - info.lower.x, info.upper.x - pivot.x),
                               fmax(pivot.y - info.lower.y, info.upper.y - pivot.y),
                               fmax(pivot.z - info.lower.z, info.upper.z - pivot.z)});
}

// The speed of the pivot and the rate of the turn, at most.
static void find_rates(const apart_motion* m, double* linear, double* angular) {
    switch (m->kind) {
    case APART_MOTION_STILL:
        break;
    case APART_MOTION_SLERP:
        *linear = way(&m->start, &m->end, m->pivot);
        *angular = angle(&m->start, &m->end);
        break;
    case APART_MOTION_NLERP:
        // Half of the turn is the angle of (1 - s) + s (cos u, sin u) with u half of the whole one: its rate is
        // sin u / |q|^2, the largest in the middle, where |q| = cos(u / 2).
        *linear = way(&m->start, &m->end, m->pivot);
        *angular = 4 * tan(angle(&m->start, &m->end) / 4);
        break;
    case APART_MOTION_VELOCITY:
        *linear = length(m->velocity.linear);
        *angular = length(m->velocity.angular);
        break;
    case APART_MOTION_KEYS:
        for (size_t i = 1; i < m->key_count; i++) {
            const apart_key* k = &m->keys[i];
            *linear = fmax(*linear, way(&k[-1].pose, &k->pose, m->pivot) / (k->time - k[-1].time));
            *angular = fmax(*angular, angle(&k[-1].pose, &k->pose) / (k->time - k[-1].time));
        }
        break;
    case APART_MOTION_FUNCTION:
        *linear = m->speed;
        *angular = m->spin;
        break;
    }
}

double motion_speed(const apart_motion* motion, const apart_shape* shape) {
    double linear = 0;
    double angular = 0;
    find_rates(motion, &linear, &angular);
    const double turning = angular > 0 ? angular * reach(shape, motion->pivot) : 0;
    // A little more, for rounding.
    return (1 + 1e-9) * (linear + turning);
}

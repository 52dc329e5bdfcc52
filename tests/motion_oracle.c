#include "motion_oracle.h"
#include "quad_trig.h"

// ----------------------------------------------------------------------------------------------------- matrices ----

qmat qmat_product(const qmat* a, const qmat* b) {
    qmat r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
    return r;
}

qmat qmat_transposed(const qmat* a) {
    qmat r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r.m[i][j] = a->m[j][i];
    return r;
}

qvec qmat_times(const qmat* a, qvec x) {
    qvec r = {a->m[0][0] * x.x + a->m[0][1] * x.y + a->m[0][2] * x.z,
              a->m[1][0] * x.x + a->m[1][1] * x.y + a->m[1][2] * x.z,
              a->m[2][0] * x.x + a->m[2][1] * x.y + a->m[2][2] * x.z};
    return r;
}

apart_mat3 qmat_rounded(const qmat* a) {
    apart_mat3 r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r.m[i][j] = (double)a->m[i][j];
    return r;
}

// 1e-6 is squared by each of the steps.
qmat oracle_nearest(const apart_mat3* given) {
    qmat x;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) x.m[i][j] = given->m[i][j];
    for (int step = 0; step < 4; step++) {
        qmat cofactor;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
                cofactor.m[i][j] = x.m[i1][j1] * x.m[i2][j2] - x.m[i1][j2] * x.m[i2][j1];
            }
        quad volume = 0;
        for (int j = 0; j < 3; j++) volume += x.m[0][j] * cofactor.m[0][j];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) x.m[i][j] = (x.m[i][j] + cofactor.m[i][j] / volume) / 2;
    }
    return x;
}

qmat qmat_turn(qvec axis, quad angle) {
    const quad length = qvec_length(axis);
    qmat r = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    if (!(length > 0)) return r;
    const qvec a = qvec_scale(1 / length, axis);
    const quad u[3] = {a.x, a.y, a.z};
    const quad across[3][3] = {{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}};
    quad s, c;
    quad_sine_cosine(angle, &s, &c);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r.m[i][j] = c * (i == j) + s * across[i][j] + (1 - c) * u[i] * u[j];
    return r;
}

// -------------------------------------------------------------------------------------------------- quaternions ----

typedef struct quaternion {
    quad w;
    qvec v;
} quaternion;

// The largest of the four squares first.
static quaternion quaternion_of(const qmat* a) {
    const quad(*m)[3] = a->m;
    const quad row[4][4] = {{1 + m[0][0] + m[1][1] + m[2][2], m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]},
                            {m[2][1] - m[1][2], 1 + m[0][0] - m[1][1] - m[2][2], m[0][1] + m[1][0], m[0][2] + m[2][0]},
                            {m[0][2] - m[2][0], m[0][1] + m[1][0], 1 - m[0][0] + m[1][1] - m[2][2], m[1][2] + m[2][1]},
                            {m[1][0] - m[0][1], m[0][2] + m[2][0], m[1][2] + m[2][1], 1 - m[0][0] - m[1][1] + m[2][2]}};
    int k = 0;
    for (int i = 1; i < 4; i++)
        if (row[i][i] > row[k][k]) k = i;
    const quad* q = row[k];
    const quad length = quad_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    quaternion r = {q[0] / length, {q[1] / length, q[2] / length, q[3] / length}};
    return r;
}

static quaternion quaternion_combined(quad s, quaternion a, quad t, quaternion b) {
    quaternion r = {s * a.w + t * b.w, qvec_add(qvec_scale(s, a.v), qvec_scale(t, b.v))};
    return r;
}

static quad quaternion_dot(quaternion a, quaternion b) { return a.w * b.w + qvec_dot(a.v, b.v); }

static qmat quaternion_matrix(quaternion q) {
    const quad s = 2 / quaternion_dot(q, q), w = q.w, x = q.v.x, y = q.v.y, z = q.v.z;
    qmat r = {{{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
               {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
               {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}}};
    return r;
}

quad qmat_angle(const qmat* a) {
    const quaternion q = quaternion_of(a);
    return 2 * quad_angle(qvec_length(q.v), q.w < 0 ? -q.w : q.w);
}

// ------------------------------------------------------------------------------------------------------ motions ----

static true_place standing(const apart_pose* pose, apart_vec3 p) {
    true_place r = {oracle_nearest(&pose->rotation), {0, 0, 0}};
    r.pivot = qvec_add(qvec_from(pose->translation), qmat_times(&r.rotation, qvec_from(p)));
    return r;
}

static quad signed_dot(const apart_pose* from, const apart_pose* to) {
    const qmat a = oracle_nearest(&from->rotation), b = oracle_nearest(&to->rotation);
    return quaternion_dot(quaternion_of(&a), quaternion_of(&b));
}

// Slerp is the great circle among the unit quaternions, nlerp the chord; the shorter one of the two for b and -b.
static true_place between(const apart_pose* from, const apart_pose* to, apart_vec3 p, quad t, bool linear,
                          bool other_way) {
    const true_place begin = standing(from, p), end = standing(to, p);
    const quaternion a = quaternion_of(&begin.rotation), b = quaternion_of(&end.rotation);
    const quad dot = quaternion_dot(a, b), sign = (dot < 0) != other_way ? -1 : 1;
    const quaternion square = quaternion_combined(1, b, -dot, a);
    const quad sine = quad_sqrt(quaternion_dot(square, square));
    quad s, c;
    quad_sine_cosine(t * quad_angle(sine, sign * dot), &s, &c);
    quaternion q = quaternion_combined(1 - t, a, sign * t, b);
    if (!linear) q = sine > 0 ? quaternion_combined(c, a, sign * s / sine, square) : a;
    true_place r = {quaternion_matrix(q), qvec_add(qvec_scale(1 - t, begin.pivot), qvec_scale(t, end.pivot))};
    return r;
}

static size_t key_before(const apart_motion* m, quad time) {
    size_t k = 0;
    while (k + 2 < m->key_count && (quad)m->keys[k + 1].time <= time) k++;
    return k;
}

true_place oracle_motion(const apart_motion* m, quad time, bool other_way) {
    if (m->kind == APART_MOTION_KEYS) {
        const apart_key* k = m->keys + key_before(m, time);
        const quad t = (time - k[0].time) / ((quad)k[1].time - k[0].time);
        return between(&k[0].pose, &k[1].pose, m->pivot, t, false, other_way);
    }
    if (m->kind == APART_MOTION_SLERP || m->kind == APART_MOTION_NLERP)
        return between(&m->start, &m->end, m->pivot, time, m->kind == APART_MOTION_NLERP, other_way);
    true_place r = standing(&m->start, m->pivot);
    if (m->kind == APART_MOTION_STILL) return r;
    const qvec angular = qvec_from(m->velocity.angular);
    const qmat turn = qmat_turn(angular, time * qvec_length(angular));
    r.rotation = qmat_product(&turn, &r.rotation);
    r.pivot = qvec_add(r.pivot, qvec_scale(time, qvec_from(m->velocity.linear)));
    return r;
}

bool oracle_either_way(const apart_motion* m, double time) {
    if (m->kind == APART_MOTION_STILL || m->kind == APART_MOTION_VELOCITY) return false;
    const apart_key* k = m->kind == APART_MOTION_KEYS ? m->keys + key_before(m, time) : NULL;
    const quad dot = m->kind == APART_MOTION_KEYS ? signed_dot(&k[0].pose, &k[1].pose) : signed_dot(&m->start, &m->end);
    return (dot < 0 ? -dot : dot) < (quad)0x1p-48;
}

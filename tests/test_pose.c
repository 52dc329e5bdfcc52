// Poses from and to matrices and quaternions.
#include "apart/apart.h"
#include "base/pose.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define ROUNDING 0x1p-53

static double farthest(const apart_mat3* a, const apart_mat3* b) {
    double most = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) most = fmax(most, fabs(a->m[i][j] - b->m[i][j]));
    return most;
}

// Every number of a pose goes into the matrix and comes back.
static void test_matrix_round_trip(void** state) {
    (void)state;
    rng r = rng_seed(1);
    for (int i = 0; i < 1000; i++) {
        double far = i % 3 == 0 ? APART_LIMIT : i % 3 == 1 ? 0x1p-1070 : 1, matrix[16];
        apart_pose p = {rng_rotation(&r), rng_in_cube(&r, far)}, q;
        memset(&q, 0, sizeof q);
        apart_pose_to_matrix(&p, matrix);
        assert_true(matrix[12] == 0 && matrix[13] == 0 && matrix[14] == 0 && matrix[15] == 1);
        assert_true(matrix[1] == p.rotation.m[0][1] && matrix[7] == p.translation.y);
        assert_int_equal(apart_pose_from_matrix(matrix, &q), APART_OK);
        assert_memory_equal(&p, &q, sizeof p);
    }
}

static void refuses(int place, double number, apart_status status) {
    double matrix[16];
    apart_pose pose = {.translation = {1, 2, 3}}, before = pose;
    apart_pose_to_matrix(&apart_pose_identity, matrix);
    matrix[place] = number;
    assert_int_equal(apart_pose_from_matrix(matrix, &pose), status);
    assert_memory_equal(&pose, &before, sizeof pose);
}

// What is no rigid motion is refused, and the pose stays as it was.
static void test_matrix_refused(void** state) {
    (void)state;
    for (int i = 0; i < 16; i++) {
        refuses(i, NAN, APART_NOT_FINITE);
        refuses(i, i % 2 ? (double)INFINITY : -(double)INFINITY, APART_NOT_FINITE);
    }
    for (int i = 12; i < 15; i++) refuses(i, 0x1p-1074, APART_NOT_A_ROTATION);
    refuses(15, 1 + 0x1p-52, APART_NOT_A_ROTATION);
    refuses(0, 1 + 1e-5, APART_NOT_A_ROTATION);
    refuses(5, -1, APART_NOT_A_ROTATION); // a mirror
    refuses(6, 1e-5, APART_NOT_A_ROTATION);
    refuses(3, 2 * APART_LIMIT, APART_OUT_OF_RANGE);
    double matrix[16];
    apart_pose pose;
    apart_pose_to_matrix(&apart_pose_identity, matrix);
    assert_int_equal(apart_pose_from_matrix(NULL, &pose), APART_INVALID);
    assert_int_equal(apart_pose_from_matrix(matrix, NULL), APART_INVALID);
}

// The quaternion of a rotation is a unit, has w >= 0 and gives the rotation back. Worst of each, in roundings.
static void check_quaternion(const apart_mat3* rotation, double q[4], double worst[2]) {
    apart_pose p = {*rotation, {0, 0, 0}};
    apart_pose_to_quaternion(&p, q);
    double off = fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1);
    apart_pose back = apart_pose_from_quaternion(q[0], q[1], q[2], q[3], p.translation);
    for (int i = 0; i < 4; i++) assert_true(isfinite(q[i]) && !(q[i] == 0 && signbit(q[i])));
    assert_true(q[0] >= 0);
    worst[0] = fmax(worst[0], off / ROUNDING);
    worst[1] = fmax(worst[1], farthest(rotation, &back.rotation) / ROUNDING);
}

static void test_quaternion_round_trip(void** state) {
    (void)state;
    rng r = rng_seed(2);
    double worst[2] = {0, 0}, q[4];
    for (int i = 0; i < 20000; i++) {
        // Any rotation, then such with one or two parts of the quaternion close to nothing: small turns, half turns.
        double part[4];
        for (int k = 0; k < 4; k++) part[k] = rng_uniform(&r, -1, 1);
        part[i % 4] *= rng_magnitude(&r, -1000, 0);
        if (i % 3) part[(i + i / 4) % 4] *= rng_magnitude(&r, -60, 0);
        apart_pose p = apart_pose_from_quaternion(part[0], part[1], part[2], part[3], (apart_vec3){0, 0, 0});
        check_quaternion(&p.rotation, q, worst);
        // The same quaternion, or the one of the other sign.
        double dot = 0, squares = 0;
        for (int k = 0; k < 4; k++) dot += q[k] * part[k], squares += part[k] * part[k];
        for (int k = 0; k < 4; k++)
            assert_true(fabs(q[k] * sqrt(squares) - (dot < 0 ? -part[k] : part[k])) <= 16 * ROUNDING * sqrt(squares));
    }
    printf("quaternions: length off by %.1f roundings, the matrix by %.1f\n", worst[0], worst[1]);
    assert_true(worst[0] <= 8 && worst[1] <= 16);
}

// Turns about the axes by multiples of a right angle are exact where the numbers are, and small ones keep their size.
static void test_quaternion_plain(void** state) {
    (void)state;
    double q[4], worst[2] = {0, 0};
    check_quaternion(&apart_pose_identity.rotation, q, worst);
    assert_true(q[0] == 1 && q[1] == 0 && q[2] == 0 && q[3] == 0);
    for (int axis = 0; axis < 3; axis++) {
        apart_mat3 half = {{{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}, small = apart_pose_identity.rotation;
        half.m[axis][axis] = 1;
        check_quaternion(&half, q, worst);
        for (int i = 0; i < 4; i++) assert_true(fabs(q[i]) == (i == axis + 1));
        int y = (axis + 1) % 3, z = (axis + 2) % 3;
        small.m[z][y] = 0x1p-600;
        small.m[y][z] = -0x1p-600;
        check_quaternion(&small, q, worst);
        assert_true(q[0] == 1 && q[axis + 1] == 0x1p-601);
    }
}

// A matrix that is a rotation to 1e-6 only has a quaternion of length 1 all the same, as near to it.
static void test_quaternion_of_skew(void** state) {
    (void)state;
    rng r = rng_seed(3);
    for (int i = 0; i < 1000; i++) {
        apart_pose p = {rng_rotation(&r), {0, 0, 0}};
        for (int k = 0; k < 9; k++) p.rotation.m[k / 3][k % 3] += rng_uniform(&r, -1e-7, 1e-7);
        assert_int_equal(apart_pose_check(&p), APART_OK);
        double q[4], worst[2] = {0, 0};
        check_quaternion(&p.rotation, q, worst);
        assert_true(worst[0] <= 8 && worst[1] * ROUNDING <= 1e-6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrix_round_trip),     cmocka_unit_test(test_matrix_refused),
        cmocka_unit_test(test_quaternion_round_trip), cmocka_unit_test(test_quaternion_plain),
        cmocka_unit_test(test_quaternion_of_skew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Poses and motions of scene files.
#include "pose.h"
#include "scene_file.h"

#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------------- poses ----

bool read_vector(const node* at, apart_vec3* out) {
    double n[3];
    if (!at->value) return true;
    if (!node_numbers(at, n, 3)) return false;
    *out = (apart_vec3){n[0], n[1], n[2]};
    return true;
}

static bool read_quaternion(const node* at, bool w_first, apart_pose* out) {
    double q[4];
    if (!node_numbers(at, q, 4)) return false;
    if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0)
        return node_fail(at, APART_NOT_A_ROTATION, "the quaternion is zero");
    *out = w_first ? apart_pose_from_quaternion(q[0], q[1], q[2], q[3], out->translation)
                   : apart_pose_from_quaternion(q[3], q[0], q[1], q[2], out->translation);
    return true;
}

static bool read_angles(const node* at, double unit, apart_pose* out) {
    double a[3];
    if (!node_numbers(at, a, 3)) return false;
    out->rotation = rotation_from_angles(unit * a[0], unit * a[1], unit * a[2]);
    return true;
}

// 16 numbers, or four rows of four.
static bool read_matrix(const node* at, apart_pose* out) {
    double n[16];
    apart_error error;
    const bool rows = json_is_array(at->value) && json_array_size(at->value) == 4;
    for (size_t i = 0; i < 4 && rows; i++) {
        const node row = node_item(at, i);
        if (!node_numbers(&row, n + 4 * i, 4)) return false;
    }
    if (!rows && !node_numbers(at, n, 16)) return false;
    return pose_from_matrix(n, out, &error) || node_fail(at, error.status, "%s", error.message);
}

bool read_pose(const node* at, apart_pose* out) {
    static const char* const keys[] = {"position", "quat_wxyz", "quat_xyzw", "rpy", "rpy_degrees", "matrix"};
    static const double degree = 0.017453292519943295;
    *out = apart_pose_identity;
    if (!at->value) return true;
    if (!node_keys(at, keys, 6, 0)) return false;
    const node position = node_member(at, "position"), matrix = node_member(at, "matrix");
    const node wxyz = node_member(at, "quat_wxyz"), xyzw = node_member(at, "quat_xyzw");
    const node rpy = node_member(at, "rpy"), degrees = node_member(at, "rpy_degrees");
    const int turns = !!wxyz.value + !!xyzw.value + !!rpy.value + !!degrees.value;
    if (matrix.value && (position.value || turns))
        return node_fail(&matrix, APART_FILE, "a matrix is a whole pose; leave the rest out");
    if (turns > 1) return node_fail(at, APART_FILE, "a pose has one rotation, not %d", turns);
    if (!read_vector(&position, &out->translation)) return false;
    if (matrix.value) return read_matrix(&matrix, out);
    if (wxyz.value) return read_quaternion(&wxyz, true, out);
    if (xyzw.value) return read_quaternion(&xyzw, false, out);
    if (rpy.value) return read_angles(&rpy, 1, out);
    return !degrees.value || read_angles(&degrees, degree, out);
}

// ----------------------------------------------------------------------------------------------------- motions ----

static bool read_line(const node* at, apart_motion* m) {
    static const char* const keys[] = {"end", "pivot"};
    if (!node_keys(at, keys, 2, 1)) return false;
    const node end = node_member(at, "end"), pivot = node_member(at, "pivot");
    return read_pose(&end, &m->end) && read_vector(&pivot, &m->pivot);
}

static bool read_velocity(const node* at, apart_motion* m) {
    static const char* const keys[] = {"linear", "angular", "pivot"};
    if (!node_keys(at, keys, 3, 0)) return false;
    const node linear = node_member(at, "linear"), angular = node_member(at, "angular");
    const node pivot = node_member(at, "pivot");
    return read_vector(&linear, &m->velocity.linear) && read_vector(&angular, &m->velocity.angular) &&
           read_vector(&pivot, &m->pivot);
}

static bool read_key(const node* at, double after, apart_key* out) {
    static const char* const keys[] = {"time", "pose"};
    if (!node_keys(at, keys, 2, 2)) return false;
    const node time = node_member(at, "time"), pose = node_member(at, "pose");
    if (!node_number(&time, &out->time) || !read_pose(&pose, &out->pose)) return false;
    return out->time > after || node_fail(&time, APART_FILE, "times go from 0 to 1, each later than the one before");
}

static bool read_keys(const node* poses, apart_key* key, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const node item = node_item(poses, i);
        if (!read_key(&item, i ? key[i - 1].time : -1, &key[i])) return false;
    }
    return (key[0].time == 0 && key[count - 1].time == 1) ||
           node_fail(poses, APART_FILE, "the first time must be 0 and the last 1, not %.9g and %.9g", key[0].time,
                     key[count - 1].time);
}

static bool read_key_poses(const node* at, apart_motion* m) {
    static const char* const keys[] = {"poses", "pivot"};
    if (!node_keys(at, keys, 2, 1)) return false;
    const node poses = node_member(at, "poses"), pivot = node_member(at, "pivot");
    if (!node_array(&poses, 2) || !read_vector(&pivot, &m->pivot)) return false;
    m->key_count = json_array_size(poses.value);
    apart_key* key = malloc(m->key_count * sizeof *key);
    if (!key) return node_fail(at, APART_OUT_OF_MEMORY, "out of memory");
    m->keys = key;
    if (!read_keys(&poses, key, m->key_count)) return false;
    m->start = key[0].pose;
    return true;
}

// m->start is where the body is; a motion with keys says it itself.
static bool read_kind(const node* at, bool posed, apart_motion* m) {
    static const char* const kinds[] = {[APART_MOTION_STILL] = "still",
                                        [APART_MOTION_SLERP] = "slerp",
                                        [APART_MOTION_NLERP] = "nlerp",
                                        [APART_MOTION_VELOCITY] = "velocity",
                                        [APART_MOTION_KEYS] = "keys"};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    if (!json_is_object(at->value)) return node_fail_type(at, "an object");
    if (json_object_size(at->value) != 1)
        return node_fail(at, APART_FILE, "a motion has one kind: slerp, nlerp, velocity, keys or still");
    const node body = node_member(at, json_object_iter_key(json_object_iter(at->value)));
    int i = 0;
    while (i < KINDS && strcmp(body.key, kinds[i]) != 0) i++;
    if (i == KINDS) return node_fail_unknown(&body, "kind of motion", body.key, kinds, KINDS);
    m->kind = (apart_motion_kind)i;
    switch (m->kind) {
    case APART_MOTION_STILL:
        return node_keys(&body, NULL, 0, 0);
    case APART_MOTION_VELOCITY:
        return read_velocity(&body, m);
    case APART_MOTION_KEYS:
        if (posed) return node_fail(&body, APART_FILE, "the first key says where the body begins; leave 'pose' out");
        return read_key_poses(&body, m);
    default:
        return read_line(&body, m);
    }
}

// Numbers that are fine one by one may still be too large together.
static bool check_motion(const node* at, const apart_motion* m) {
    apart_pose pose;
    for (int i = 0; i < 2; i++) {
        const apart_status status = apart_motion_pose(m, i, &pose);
        if (status != APART_OK) return node_fail(at, status, "the motion: %s", apart_status_text(status));
    }
    return true;
}

bool read_motion(const node* at, bool posed, apart_motion* m) {
    if (read_kind(at, posed, m) && check_motion(at, m)) return true;
    free((void*)m->keys);
    m->keys = NULL;
    return false;
}

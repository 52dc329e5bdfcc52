// Scenes: a bin of parts. Which of them are closer than a clearance, which is nearest to a place, which two are
// closest, and what does a gripper touch first when it comes down?
#include "bin.h"

#include <stdio.h>
#include <stdlib.h>

#define CLEARANCE 0.1

/// Called for every pair that is too close, in order of the ids.
static bool tell_pair(const apart_scene_pair* p, void* context) {
    const bin* b = context;
    printf("  %s %u and %s %u: %.6f\n", bin_name(b, p->a), p->a, bin_name(b, p->b), p->b, p->result.distance);
    return p->a < 6; // false: enough
}

static bool count_pair(const apart_scene_pair* p, void* context) {
    (void)p;
    ++*(int*)context;
    return true;
}

static apart_status tell_near(const bin* b) {
    int count = 0;
    apart_status status = apart_scene_within(b->scene, CLEARANCE, NULL, 0, count_pair, &count);
    if (status != APART_OK) return status;
    printf("%zu bodies, %d pairs within %g of each other, the first of them:\n", apart_scene_count(b->scene), count,
           CLEARANCE);
    return apart_scene_within(b->scene, CLEARANCE, NULL, 0, tell_pair, (void*)b);
}

static apart_status tell_nearest(const bin* b) {
    apart_scene_pair p;
    apart_status status = apart_scene_closest(b->scene, NULL, &p);
    if (status != APART_OK) return status;
    printf("closest: %s %u and %s %u\n", bin_name(b, p.a), p.a, bin_name(b, p.b), p.b);
    status = apart_scene_nearest(b->scene, 30, NULL, &p);
    if (status != APART_OK) return status;
    printf("nearest to %s 30: %s %u, %.6f away\n", bin_name(b, 30), bin_name(b, p.b), p.b, p.result.distance);
    return APART_OK;
}

/// A gripper comes down: a body of the scene with a motion, for which this question alone is asked.
static apart_status tell_gripper(const bin* b, apart_shape* finger) {
    const apart_pose start = {apart_pose_identity.rotation, {1, 12, 0}};
    const apart_scene_body body = {.shape = finger, .pose = start, .margin = 0.05};
    apart_scene_motion down = {
        .motion = {.kind = APART_MOTION_VELOCITY, .start = start, .velocity = {.linear = {0, -10, 0}}}};
    apart_scene_contact first;
    apart_status status = apart_scene_add(b->scene, &body, &down.id, NULL);
    if (status == APART_OK) status = apart_scene_first_contact(b->scene, &down, 1, NULL, 0, &first);
    if (status == APART_OK)
        printf("the gripper is free to come down by %.6f; then %s %u is within its margin\n", 10 * first.contact.time,
               bin_name(b, first.a), first.a);
    return status;
}

int main(void) {
    bin b;
    apart_shape* finger = apart_shape_capsule(0.4, 0.15, NULL);
    apart_status status = bin_fill(&b);
    if (status == APART_OK) status = tell_near(&b);
    if (status == APART_OK) status = tell_nearest(&b);
    if (status == APART_OK) status = finger ? tell_gripper(&b, finger) : APART_OUT_OF_MEMORY;
    if (status != APART_OK) fprintf(stderr, "bin: %s\n", apart_status_text(status));
    apart_shape_release(finger);
    bin_free(&b);
    return status == APART_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

// Motion: when two bodies first meet, how near they come, and when they are in contact. A bar turns and falls past a
// post. Nothing is sampled: what is printed is certain for every instant between.
#include <apart/apart.h>

#include <stdio.h>
#include <stdlib.h>

static const char* name(apart_contact_kind kind) {
    static const char* const names[] = {"free", "contact", "near", "undecided"};
    return names[kind];
}

/// All three questions about a bar that falls at a distance from the post.
static apart_status tell(const apart_shape* bar, const apart_shape* post, double distance) {
    // From 3 above the middle of the post to 3 below, two turns and a half about the y axis on the way.
    const apart_motion falls = {
        .kind = APART_MOTION_VELOCITY,
        .start = {apart_pose_identity.rotation, {distance, 0, 3}},
        .velocity = {.linear = {0, 0, -6}, .angular = {0, 5 * 3.14159265358979, 0}},
    };
    const apart_motion stays = {.start = apart_pose_identity};
    apart_contact first;
    apart_approach nearest;
    apart_span span[8];
    size_t count = 0;
    apart_status status = apart_first_contact(bar, &falls, post, &stays, NULL, &first);
    if (status == APART_OK) status = apart_closest_approach(bar, &falls, post, &stays, NULL, &nearest);
    if (status == APART_OK) status = apart_contact_spans(bar, &falls, post, &stays, NULL, span, 8, &count);
    if (status != APART_OK) return status;

    printf("a bar falls %g beside the post: %s", distance, name(first.kind));
    if (first.kind == APART_CONTACT) printf(", not before %.9f, at the latest at %.9f", first.time, first.time_upper);
    printf("\n  %d distance queries\n", first.steps);
    printf("  least distance %.6f at %.3f, certain to within %.0e\n", nearest.distance, nearest.time,
           nearest.upper_bound - nearest.lower_bound);
    for (size_t i = 0; i < count && i < 8; ++i)
        printf("  %s from %.9f to %.9f\n", name(span[i].kind), span[i].begin, span[i].end);
    return APART_OK;
}

int main(void) {
    apart_shape* bar = apart_shape_box((apart_vec3){1, 0.1, 0.1}, 0, NULL);
    apart_shape* post = apart_shape_cylinder(2, 0.25, NULL);
    apart_status status = bar && post ? APART_OK : APART_OUT_OF_MEMORY;
    if (status == APART_OK) status = tell(bar, post, 1.2);
    if (status == APART_OK) status = tell(bar, post, 1.4);
    if (status != APART_OK) fprintf(stderr, "motion: %s\n", apart_status_text(status));
    apart_shape_release(bar);
    apart_shape_release(post);
    return status == APART_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

// A two-joint arm gives way to an obstacle: the slope of the distance times the arm's Jacobian says how the distance
// changes with the joint angles (Gilbert, Johnson, Keerthi 1988, section II).
#include <apart/apart.h>

#include <stdio.h>
#include <stdlib.h>

#define UPPER_ARM 1.0 // from the shoulder, at the origin, to the elbow
#define CLEARANCE 0.25

// A link lies along its own x axis and turns about z.
static apart_pose link_at(double angle, apart_vec3 joint) {
    return apart_pose_from_quaternion(cos(angle / 2), 0, 0, sin(angle / 2), joint);
}

static double dot(apart_vec3 a, apart_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

int main(void) {
    const apart_vec3 points[] = {{0, 0, 0}, {UPPER_ARM, 0, 0}};
    apart_shape* bar = apart_shape_points(points, 2, 0.1, NULL);
    apart_shape* obstacle = apart_shape_box((apart_vec3){0.3, 0.3, 0.5}, 0, NULL);
    const apart_pose place = apart_pose_from_quaternion(3, 0, 0, 1, (apart_vec3){1.4, 0.9, 0});
    const apart_query query = {.depth = APART_DEPTH_EXACT}; // they overlap at first
    double q[2] = {0.2, 0.7};
    double promised = 0;
    apart_status status = bar && obstacle ? APART_OK : APART_OUT_OF_MEMORY;

    printf("step  shoulder   elbow   nearest  distance  promised\n");
    for (int step = 0; status == APART_OK && step < 20; ++step) {
        const apart_vec3 elbow = {UPPER_ARM * cos(q[0]), UPPER_ARM * sin(q[0]), 0};
        const apart_pose pose[2] = {link_at(q[0], (apart_vec3){0, 0, 0}), link_at(q[0] + q[1], elbow)};
        // How each link moves with each joint: the velocity of its origin (its turn is about z, and 1, if it moves).
        const apart_vec3 still = {0, 0, 0}, carried = {-elbow.y, elbow.x, 0};
        const apart_vec3 linear[2][2] = {{still, still}, {carried, still}};
        const double turn[2][2] = {{1, 0}, {1, 1}};

        // The nearer link, and how its distance changes: slope . J dq.
        apart_result nearest = {.distance = INFINITY};
        int link = 0;
        for (int i = 0; i < 2 && status == APART_OK; ++i) {
            apart_result r;
            status = apart_distance(bar, &pose[i], obstacle, &place, &query, NULL, &r);
            if (status != APART_OK || r.distance >= nearest.distance) continue;
            nearest = r;
            link = i;
        }
        apart_slope slope;
        if (status == APART_OK) status = apart_gradient(bar, &pose[link], obstacle, &place, &nearest, &slope);
        if (status != APART_OK) break;
        printf("%4d  %8.4f%8.4f   %-7s%10.4f", step, q[0], q[1], link == 0 ? "upper" : "fore", nearest.distance);
        if (step > 0) printf("%10.4f", promised);
        printf("%s\n", slope.unique ? "" : "  (more than one nearest pair)");
        if (nearest.distance >= CLEARANCE) break;

        double gain[2];
        for (int j = 0; j < 2; ++j) gain[j] = dot(slope.a.linear, linear[link][j]) + slope.a.angular.z * turn[link][j];
        // The shortest step that should gain a tenth, or what is missing.
        const double square = gain[0] * gain[0] + gain[1] * gain[1];
        const double wanted = fmin(0.1, CLEARANCE - nearest.distance + 1e-6);
        for (int j = 0; j < 2; ++j) q[j] += wanted * gain[j] / square;
        promised = nearest.distance + wanted;
    }
    apart_shape_release(bar);
    apart_shape_release(obstacle);
    return status == APART_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

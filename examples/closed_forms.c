// Closed forms: Lumelsky's worked example, a point and a triangle, two triangles, and hulls in four dimensions.
#include <apart/apart.h>

#include <stdio.h>
#include <stdlib.h>

int main(void) {
    // Two segments (Lumelsky 1985, section 4): t = 1/6, u = 0, squared distance 5/6. Any dimension will do.
    const double a[3] = {0, 0, 0}, b[3] = {1, 2, 1}, c[3] = {1, 0, 0}, d[3] = {2, 1, 0};
    double t, u, squared = apart_segment_segment(3, a, b, c, d, &t, &u);
    printf("segments   squared distance %.4f at t = %.4f, u = %.4f\n", squared, t, u);

    // A point above a triangle: the weights of the corners give the nearest point.
    const apart_vec3 floor[3] = {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}};
    double w[3];
    squared = apart_point_triangle((apart_vec3){1, 1, 2}, floor, w);
    printf("point      squared distance %.4f, weights %.4f %.4f %.4f\n", squared, w[0], w[1], w[2]);

    // Two triangles, one edge hanging over the other.
    const apart_vec3 roof[3] = {{1, 1, 1}, {1, 1, 4}, {5, 5, 1}};
    squared = apart_triangle_triangle(floor, roof, NULL, NULL);
    printf("triangles  squared distance %.4f\n", squared);

    // A segment and a point in four dimensions.
    const double segment[8] = {0, 0, 0, 0, 2, 2, 2, 2}, point[4] = {2, 0, 0, 0};
    double distance, nearest[4];
    apart_status status = apart_distance_nd(4, segment, 2, point, 1, nearest, NULL, &distance);
    printf("in R^4     distance %.4f at (%g, %g, %g, %g)\n", distance, nearest[0], nearest[1], nearest[2], nearest[3]);
    return status == APART_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

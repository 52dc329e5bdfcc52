// How far is a polytope from an infinite prism? Both are projected along the prism's axis and the question is answered
// in the plane (Gilbert, Johnson, Keerthi 1988, section IX). Then two polygons that are in the plane to begin with.
#include <apart/apart.h>

#include <stdio.h>

// Two unit vectors that are perpendicular to the unit vector n and to each other.
static void plane_of(const double n[3], double u[3], double v[3]) {
    int k = fabs(n[0]) < 0.6 ? 0 : 1; // an axis well away from n
    double length = 0;
    for (int i = 0; i < 3; i++) {
        u[i] = (i == k) - n[k] * n[i];
        length += u[i] * u[i];
    }
    for (int i = 0; i < 3; i++) u[i] /= sqrt(length);
    for (int i = 0; i < 3; i++) v[i] = n[(i + 1) % 3] * u[(i + 2) % 3] - n[(i + 2) % 3] * u[(i + 1) % 3];
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// The polytope's corners, seen along the axis.
static void project(const double (*corner)[3], int count, const double u[3], const double v[3], double (*flat)[2]) {
    for (int i = 0; i < count; i++) {
        flat[i][0] = dot(corner[i], u);
        flat[i][1] = dot(corner[i], v);
    }
}

static int prism_and_polytope(void) {
    // A square beam along the direction (1, 1, 1), and a tetrahedron beside it.
    const double axis[3] = {1 / sqrt(3), 1 / sqrt(3), 1 / sqrt(3)};
    const double section[8] = {0.5, 0.5, -0.5, 0.5, -0.5, -0.5, 0.5, -0.5}; // in the plane of u and v
    const double tetrahedron[4][3] = {{3, 0, 0}, {4, 0, 0}, {3, 1, 0}, {3, 0, 1}};
    double u[3], v[3], flat[4][2], on_beam[2], on_tetrahedron[2], distance;
    plane_of(axis, u, v);
    project(tetrahedron, 4, u, v, flat);
    apart_status status = apart_distance_nd(2, section, 4, &flat[0][0], 4, on_beam, on_tetrahedron, &distance);
    if (status != APART_OK) {
        fprintf(stderr, "prism: %s\n", apart_status_text(status));
        return 1;
    }
    printf("An infinite square beam along (1, 1, 1) and a tetrahedron at (3, 0, 0):\n");
    printf("  distance            %.6f\n", distance);
    printf("  nearest line        (%.6f, %.6f) on the beam's cross-section\n", on_beam[0], on_beam[1]);

    // Back in space: every point of the line along the axis through this one is as near.
    printf("  through             (%.6f, %.6f, %.6f) in space\n\n", on_beam[0] * u[0] + on_beam[1] * v[0],
           on_beam[0] * u[1] + on_beam[1] * v[1], on_beam[0] * u[2] + on_beam[1] * v[2]);
    return 0;
}

static int two_polygons(void) {
    const double hexagon[12] = {2, 0, 1, 1.7, -1, 1.7, -2, 0, -1, -1.7, 1, -1.7};
    const double triangle[6] = {3, 1, 5, 0, 4, 3};
    double p[2], q[2], distance;
    apart_status status = apart_distance_nd(2, hexagon, 6, triangle, 3, p, q, &distance);
    if (status != APART_OK) {
        fprintf(stderr, "prism: %s\n", apart_status_text(status));
        return 1;
    }
    printf("A hexagon and a triangle in the plane:\n");
    printf("  distance            %.6f\n", distance);
    printf("  nearest points      (%.6f, %.6f) and (%.6f, %.6f)\n", p[0], p[1], q[0], q[1]);
    return 0;
}

int main(void) { return prism_and_polytope() || two_polygons(); }

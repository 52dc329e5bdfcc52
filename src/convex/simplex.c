// The nearest point of a simplex by signed areas and volumes: the weights of the origin's projection are ratios of
// signed areas (volumes); where all are positive the projection is the answer, else the answer lies on a side whose
// opposite weight is not positive. Same task as Johnson's subalgorithm (johnson.c), but from edge vectors instead of
// inner products of far-away points: the error of v stays a few roundings of |w|, however small the simplex is.
//
// A simplex that is too flat for its weights to be trusted has all its sides tried, and the best one taken; every
// candidate is a convex combination, so a wrong choice can cost a step but never correctness.
#include "convex/simplex.h"

/// sin^2 of an angle below which a triangle counts as thin: its weights then carry errors above 1e-10.
#define THIN_TRIANGLE 1e-12
/// Likewise for (volume / product of edges)^2 of a tetrahedron.
#define THIN_TETRAHEDRON 1e-20

/// Keeps the candidate with weights l on points i, j, k (k = j, weight 0 for an edge) if it is nearer than the best.
static void offer(nearest* best, const vec3* w, int count, const int* index, const double* l) {
    vec3 v = vec3_scale(l[0], w[index[0]]);
    for (int i = 1; i < count; ++i) v = vec3_mad(v, l[i], w[index[i]]);
    double vv = vec3_dot(v, v);
    if (!(vv < best->vv)) return;
    best->v = v;
    best->vv = vv;
    for (int i = 0; i < 4; ++i) best->lambda[i] = 0;
    for (int i = 0; i < count; ++i) best->lambda[index[i]] = l[i];
}

static void try_vertex(nearest* best, const vec3* w, int i) { offer(best, w, 1, &i, (double[]){1}); }

static void try_edge(nearest* best, const vec3* w, int i, int j) {
    vec3 e = vec3_sub(w[j], w[i]);
    double to_j = -vec3_dot(w[i], e), to_i = vec3_dot(w[j], e);
    if (to_j <= 0) {
        try_vertex(best, w, i);
    } else if (to_i <= 0) {
        try_vertex(best, w, j);
    } else {
        double inverse = 1 / (to_i + to_j);
        offer(best, w, 2, (int[]){i, j}, (double[]){to_i * inverse, to_j * inverse});
    }
}

static void try_face(nearest* best, const vec3* w, int i, int j, int k) {
    vec3 ei = vec3_sub(w[i], w[k]), ej = vec3_sub(w[j], w[k]);
    vec3 n = vec3_cross(ei, ej);
    double nn = vec3_dot(n, n);
    // Signed areas, times |n|, of the triangles that the origin's projection makes with the sides.
    double area_i = vec3_dot(vec3_cross(ej, w[k]), n);
    double area_j = vec3_dot(vec3_cross(w[k], ei), n);
    double area_k = nn - area_i - area_j;
    bool thin = !(nn > THIN_TRIANGLE * vec3_dot(ei, ei) * vec3_dot(ej, ej));
    if (area_i > 0 && area_j > 0 && area_k > 0) {
        double inverse = 1 / nn;
        double l[3] = {area_i * inverse, area_j * inverse, 0};
        l[2] = 1 - l[0] - l[1];
        if (l[2] > 0) offer(best, w, 3, (int[]){i, j, k}, l);
        if (!thin && l[2] > 0) return;
    }
    if (thin || area_k <= 0) try_edge(best, w, i, j);
    if (thin || area_i <= 0) try_edge(best, w, j, k);
    if (thin || area_j <= 0) try_edge(best, w, i, k);
    if (best->vv == INFINITY) try_edge(best, w, i, j);
}

static void try_tetrahedron(nearest* best, const vec3* w) {
    vec3 e0 = vec3_sub(w[0], w[3]), e1 = vec3_sub(w[1], w[3]), e2 = vec3_sub(w[2], w[3]);
    vec3 n0 = vec3_cross(e1, e2), n1 = vec3_cross(e2, e0), n2 = vec3_cross(e0, e1);
    double volume = vec3_dot(e0, n0);
    double side = volume < 0 ? 1 : -1;
    // Signed volumes that the origin makes with the faces opposite each point.
    double v0 = side * vec3_dot(w[3], n0), v1 = side * vec3_dot(w[3], n1), v2 = side * vec3_dot(w[3], n2);
    double v3 = fabs(volume) - v0 - v1 - v2;
    bool thin = !(volume * volume >
                  THIN_TETRAHEDRON * vec3_dot(e0, e0) * vec3_dot(e1, e1) * vec3_dot(e2, e2));
    if (!thin && v0 > 0 && v1 > 0 && v2 > 0 && v3 > 0) {
        double inverse = 1 / fabs(volume);
        double l[4] = {v0 * inverse, v1 * inverse, v2 * inverse, 0};
        l[3] = 1 - l[0] - l[1] - l[2];
        if (l[3] > 0) {
            offer(best, w, 4, (int[]){0, 1, 2, 3}, l);
            return;
        }
    }
    if (thin || v2 <= 0) try_face(best, w, 0, 1, 3);
    if (thin || v0 <= 0) try_face(best, w, 1, 2, 3);
    if (thin || v1 <= 0) try_face(best, w, 0, 2, 3);
    if (thin || v3 <= 0 || best->vv == INFINITY) try_face(best, w, 0, 1, 2);
}

nearest simplex_nearest(const vec3* w, int count) {
    nearest best = {.vv = INFINITY};
    switch (count) {
    case 1: try_vertex(&best, w, 0); break;
    case 2: try_edge(&best, w, 0, 1); break;
    case 3: try_face(&best, w, 0, 1, 2); break;
    default: try_tetrahedron(&best, w);
    }
    return best;
}

bool simplex_normal(const vec3 w[3], vec3 v, vec3* normal) {
    vec3 e0 = vec3_sub(w[0], w[2]), e1 = vec3_sub(w[1], w[2]);
    vec3 n = vec3_cross(e0, e1);
    double nn = vec3_dot(n, n);
    if (!(nn > THIN_TRIANGLE * vec3_dot(e0, e0) * vec3_dot(e1, e1))) return false;
    double length = sqrt(nn);
    *normal = vec3_scale((vec3_dot(n, v) < 0 ? -1 : 1) / length, n);
    return true;
}

/// Distance of the origin from the plane of face i j k, positive on the side of `apex`.
static double face_height(const vec3* w, int i, int j, int k, int apex) {
    vec3 n = vec3_cross(vec3_sub(w[j], w[i]), vec3_sub(w[k], w[i]));
    double length = vec3_length(n);
    double height = -vec3_dot(n, w[i]) / length;
    double inside = vec3_dot(n, vec3_sub(w[apex], w[i]));
    return inside < 0 ? -height : height;
}

double simplex_inner_ball(const vec3 w[4]) {
    double a = face_height(w, 0, 1, 2, 3), b = face_height(w, 0, 1, 3, 2);
    double c = face_height(w, 0, 2, 3, 1), d = face_height(w, 1, 2, 3, 0);
    double least = a;
    if (!(b >= least)) least = b;
    if (!(c >= least)) least = c;
    if (!(d >= least)) least = d;
    return least > 0 ? least : 0;
}

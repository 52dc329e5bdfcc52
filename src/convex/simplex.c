// The nearest point of a simplex by signed areas and volumes: the weights of the origin's projection are ratios of
// signed areas (volumes); where all are positive the projection is the answer, else the answer lies on a side whose
// opposite weight is not positive. Same task as Johnson's subalgorithm (papers/gjk1988.c), but from edge vectors
// instead of inner products of far-away points: the error of v stays a few roundings of |w|, however small the simplex
// is.
//
// A simplex that is too flat for its weights to be trusted has all its sides tried, and the best one taken; every
// candidate is a convex combination, so a wrong choice can cost a step but never correctness.
#include "convex/simplex.h"

/// sin^2 of the widest angle below which a triangle counts as thin: its weights then carry errors above 1e-10.
#define THIN_TRIANGLE 1e-12
/// Likewise for (volume / product of edges)^2 of a tetrahedron.
#define THIN_TETRAHEDRON 1e-20
/// Below this, either is measured again along its shortest edges: weights of far points are then exact beside their
/// size, which decides near contact.
#define NARROW 0.01
/// Below this, a tetrahedron always is.
#define FLAT 1e-7
/// |v|^2 that is below the rounding errors of the points.
#define NOTHING 0x1p-104
/// Steps of refinement for weights that may be no good.
#define REFINEMENTS 8
/// |v|^2 below which the weights of a face are refined: |v| then has lost 20 bits or more.
#define SMALL 0x1p-40

static double edge_squared(const vec3* w, int i, int j) {
    vec3 e = vec3_sub(w[j], w[i]);
    return vec3_dot(e, e);
}

static void swap(int* i, int* j) {
    int t = *i;
    *i = *j;
    *j = t;
}

/// Makes k the corner between the two shortest sides: from there the cross product is most exact.
static void widest_corner_last(const vec3* w, int* i, int* j, int* k) {
    double ij = edge_squared(w, *i, *j), jk = edge_squared(w, *j, *k), ki = edge_squared(w, *k, *i);
    if (jk >= ij && jk >= ki) {
        swap(i, k);
    } else if (ki >= ij) {
        swap(j, k);
    }
}

/// Three edges of a tetrahedron that connect its corners.
typedef struct edges {
    int from[3], to[3];
} edges;

static const edges from_last = {{3, 3, 3}, {0, 1, 2}};

/// The shortest such edges (Prim's algorithm from corner 3).
static edges shortest_edges(const vec3* w) {
    edges e;
    int inside = 1 << 3;
    for (int m = 0; m < 3; ++m) {
        double least = INFINITY;
        for (int i = 0; i < 4; ++i) {
            for (int j = 0; j < 4; ++j) {
                if (!(inside >> i & 1) || inside >> j & 1) continue;
                double length = edge_squared(w, i, j);
                if (!(length < least) && least < INFINITY) continue;
                least = length;
                e.from[m] = i;
                e.to[m] = j;
            }
        }
        inside |= 1 << e.to[m];
    }
    return e;
}

/// Keeps the candidate with weights l on the points index[0..count-1] if it is nearer than the best, and uses the point
/// that must be used.
static inline void offer(nearest* best, const vec3* w, int count, const int* index, const double* l) {
    bool usable = best->required < 0;
    for (int i = 0; !usable && i < count; ++i) usable = index[i] == best->required;
    if (!usable) return;
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

/// Normal of face i j k, not normalised, from the edges at corner k, after the corners were exchanged to make that the
/// widest if need be. Returns whether the angle there is wide enough for the normal to be trusted.
static inline bool face_normal(const vec3* w, int* i, int* j, int* k, vec3* n) {
    for (int attempt = 0;; ++attempt) {
        vec3 ei = vec3_sub(w[*i], w[*k]), ej = vec3_sub(w[*j], w[*k]);
        *n = vec3_cross(ei, ej);
        double nn = vec3_dot(*n, *n), sides = vec3_dot(ei, ei) * vec3_dot(ej, ej);
        if (nn > NARROW * sides) return true;
        if (attempt > 0) return nn > THIN_TRIANGLE * sides;
        widest_corner_last(w, i, j, k);
    }
}

/// Coordinates of -p, projected to the face, along its sides from k to i and j.
static inline void face_coordinates(const vec3* w, int i, int j, int k, vec3 n, vec3 p, double c[2]) {
    double nn = vec3_dot(n, n);
    c[0] = vec3_dot(vec3_cross(vec3_sub(w[j], w[k]), p), n) / nn;
    c[1] = vec3_dot(vec3_cross(p, vec3_sub(w[i], w[k])), n) / nn;
}

/// Turns the corners until the one nearest the origin is last: seen from there, small weights of the others keep their
/// digits.
static inline void nearest_corner_last(const vec3* w, int* i, int* j, int* k) {
    double ii = vec3_dot(w[*i], w[*i]), jj = vec3_dot(w[*j], w[*j]), kk = vec3_dot(w[*k], w[*k]);
    int a = *i, b = *j, c = *k;
    if (ii < jj && ii < kk) {
        *i = b;
        *j = c;
        *k = a;
    } else if (jj < kk) {
        *i = c;
        *j = a;
        *k = b;
    }
}

/// Offers the weights l, which are positive. Where they may be no good (a thin face, or v small beside its points) they
/// are refined, and offered again as long as they are positive: each step takes off what is left of v in the plane, in
/// the same coordinates.
static void offer_face(nearest* best, const vec3* w, const int index[3], vec3 n, double l[3], bool thin) {
    for (int step = 0; step < REFINEMENTS && l[0] > 0 && l[1] > 0 && l[2] > 0; ++step) {
        double before = best->vv;
        offer(best, w, 3, index, l);
        if ((step > 0 && !(best->vv < before)) || !(thin || best->vv < SMALL)) return;
        vec3 v = vec3_mad(vec3_mad(vec3_scale(l[0], w[index[0]]), l[1], w[index[1]]), l[2], w[index[2]]);
        double d[2];
        face_coordinates(w, index[0], index[1], index[2], n, v, d);
        l[0] += d[0];
        l[1] += d[1];
        l[2] -= d[0] + d[1];
    }
}

/// Makes weights positive that may be so but for rounding: far points near contact carry weights below the last bit of
/// the others. Kept in the simplex by a weight that moves nothing, such a point still gives it its direction.
static void give_benefit_of_doubt(double l[3]) {
    for (int i = 0; i < 3; ++i)
        if (l[i] <= 0 && l[i] > -0x1p-46) l[i] = 0x1p-90;
    double sum = l[0] + l[1] + l[2];
    for (int i = 0; i < 3; ++i) l[i] /= sum;
}

/// A weight below this has few digits left as 1 minus the others.
#define FEW_DIGITS 0x1p-30

/// Takes such a weight, that of the corner opposite side i j, from the area that the origin makes with the side, seen
/// from its nearer end. On a face too thin for that it stays as it is.
static void sharpen(const vec3* w, int i, int j, vec3 n, double l[3]) {
    bool i_nearer = vec3_dot(w[i], w[i]) < vec3_dot(w[j], w[j]);
    vec3 area = i_nearer ? vec3_cross(w[i], vec3_sub(w[j], w[i])) : vec3_cross(vec3_sub(w[i], w[j]), w[j]);
    double weight = vec3_dot(area, n) / vec3_dot(n, n);
    if (!(fabs(weight) < FEW_DIGITS)) return;
    double rest = (1 - weight) / (l[0] + l[1]);
    l[0] *= rest;
    l[1] *= rest;
    l[2] = weight;
}

static void try_face(nearest* best, const vec3* w, int i, int j, int k) {
    vec3 n;
    bool every = !face_normal(w, &i, &j, &k, &n) || best->required >= 0;
    nearest_corner_last(w, &i, &j, &k);
    double l[3];
    face_coordinates(w, i, j, k, n, w[k], l);
    l[2] = 1 - l[0] - l[1];
    if (fabs(l[2]) < FEW_DIGITS) sharpen(w, i, j, n, l);
    if (best->required >= 0) give_benefit_of_doubt(l);
    if (l[0] > 0 && l[1] > 0 && l[2] > 0) {
        offer_face(best, w, (int[]){i, j, k}, n, l, every);
        if (!every && best->vv < NOTHING) return;
        // Weights that matter may not be positive any more, now that they are refined: then a side does better.
    }
    if (every || l[2] <= 0) try_edge(best, w, i, j);
    if (every || l[0] <= 0) try_edge(best, w, j, k);
    if (every || l[1] <= 0) try_edge(best, w, i, k);
}

/// Takes -p apart along the edges and adds it to the weights l. Returns the square of the volume beside that of the
/// edges.
static inline double add_coordinates(const vec3* w, const edges* e, vec3 p, double l[4]) {
    vec3 e0 = vec3_sub(w[e->to[0]], w[e->from[0]]), e1 = vec3_sub(w[e->to[1]], w[e->from[1]]);
    vec3 e2 = vec3_sub(w[e->to[2]], w[e->from[2]]);
    vec3 n0 = vec3_cross(e1, e2), n1 = vec3_cross(e2, e0), n2 = vec3_cross(e0, e1);
    double volume = vec3_dot(e0, n0);
    double c[3] = {-vec3_dot(p, n0) / volume, -vec3_dot(p, n1) / volume, -vec3_dot(p, n2) / volume};
    for (int m = 0; m < 3; ++m) {
        l[e->to[m]] += c[m];
        l[e->from[m]] -= c[m];
    }
    return volume * volume / (vec3_dot(e0, e0) * vec3_dot(e1, e1) * vec3_dot(e2, e2));
}

static bool all_positive(const double l[4]) { return l[0] > 0 && l[1] > 0 && l[2] > 0 && l[3] > 0; }

/// Offers the weights l, and again after steps of refinement: each takes off what is left, v, in the same coordinates.
static inline void offer_inside(nearest* best, const vec3* w, const edges* e, double l[4]) {
    static const int all[4] = {0, 1, 2, 3};
    for (int step = 0; step < REFINEMENTS && all_positive(l); ++step) {
        double before = best->vv;
        offer(best, w, 4, all, l);
        if (best->vv < NOTHING || (step > 0 && !(best->vv < before))) return;
        vec3 v = vec3_scale(l[0], w[0]);
        for (int i = 1; i < 4; ++i) v = vec3_mad(v, l[i], w[i]);
        add_coordinates(w, e, v, l);
    }
}

/// The weights of the origin in the tetrahedron by these edges; offered if it lies inside. Returns how solid it is.
static inline double weigh_inside(nearest* best, const vec3* w, const edges* e, double l[4]) {
    l[0] = l[1] = l[2] = 0;
    l[3] = 1;
    double ratio = add_coordinates(w, e, w[3], l);
    if (all_positive(l)) offer_inside(best, w, e, (double[]){l[0], l[1], l[2], l[3]});
    return ratio;
}

static void try_tetrahedron(nearest* best, const vec3* w) {
    double l[4];
    double ratio = weigh_inside(best, w, &from_last, l);
    // Measured again along the shortest edges if it is flat, or if it is not solid and the weights matter: when the
    // last answer was no good, or they are those of the origin and do not give it.
    bool matters = best->required >= 0 || (all_positive(l) && !(best->vv < NOTHING));
    if (!(ratio > (matters ? NARROW : FLAT))) {
        edges e = shortest_edges(w);
        ratio = weigh_inside(best, w, &e, l);
    }
    bool solid = ratio > THIN_TETRAHEDRON;
    if (all_positive(l) && solid) return;
    bool every = !solid || best->required >= 0;
    if (every || l[2] <= 0) try_face(best, w, 0, 1, 3);
    if (every || l[0] <= 0) try_face(best, w, 1, 2, 3);
    if (every || l[1] <= 0) try_face(best, w, 0, 2, 3);
    if (every || l[3] <= 0) try_face(best, w, 0, 1, 2);
}

nearest apart_simplex_nearest(const vec3* w, int count, bool insist) {
    nearest best = {.vv = INFINITY, .required = insist ? count - 1 : -1};
    switch (count) {
    case 1:
        try_vertex(&best, w, 0);
        break;
    case 2:
        try_edge(&best, w, 0, 1);
        break;
    case 3:
        try_face(&best, w, 0, 1, 2);
        break;
    default:
        try_tetrahedron(&best, w);
    }
    return best;
}

vec3 apart_simplex_direction(const vec3* w, int count, vec3 v, bool second_choice) {
    if (count == 2 && !second_choice) return vec3_unit(vec3_square_to(v, vec3_sub(w[1], w[0])));
    if (count != 3) return vec3_unit(v);
    vec3 n;
    int i = 0, j = 1, k = 2;
    bool wide = face_normal(w, &i, &j, &k, &n);
    if (wide == second_choice) return vec3_unit(vec3_square_to(v, vec3_sub(w[i], w[j])));
    return vec3_unit(vec3_dot(n, v) < 0 ? vec3_neg(n) : n);
}

/// The volume of three edges; 0 if it is no larger than its rounding error, which is below 16 u times their lengths.
static inline double volume_of(const vec3* w, const edges* e) {
    vec3 e0 = vec3_sub(w[e->to[0]], w[e->from[0]]), e1 = vec3_sub(w[e->to[1]], w[e->from[1]]);
    vec3 e2 = vec3_sub(w[e->to[2]], w[e->from[2]]);
    double volume = vec3_dot(e0, vec3_cross(e1, e2)), lengths = vec3_dot(e0, e0) * vec3_dot(e1, e1) * vec3_dot(e2, e2);
    return volume * volume > 0x1p-98 * lengths ? volume : 0;
}

double apart_simplex_volume(const vec3 w[4]) {
    double volume = volume_of(w, &from_last);
    if (volume != 0) return -volume;
    edges e = shortest_edges(w);
    volume = volume_of(w, &e);
    // They span the same as the edges from corner 3 to 0, 1, 2, but for their order.
    bool even = e.to[1] == (e.to[0] + 1) % 3;
    return even ? -volume : volume;
}

/// Distance of the origin from the plane of face i j k, positive on the side of `apex`, and less than it by its own
/// rounding error: that of n is below 4 u |e| |f|, and it counts with the distance of a corner, the nearest one.
static double face_height(const vec3* w, int i, int j, int k, int apex) {
    const double u = 0x1p-53;
    if (vec3_dot(w[j], w[j]) < vec3_dot(w[i], w[i])) swap(&i, &j);
    if (vec3_dot(w[k], w[k]) < vec3_dot(w[i], w[i])) swap(&i, &k);
    vec3 e = vec3_sub(w[j], w[i]), f = vec3_sub(w[k], w[i]), up = vec3_sub(w[apex], w[i]);
    vec3 n = vec3_cross(e, f);
    double length = vec3_length(n), sides = vec3_length(e) * vec3_length(f);
    double height = -vec3_dot(n, w[i]) / length;
    double inside = vec3_dot(n, up);
    if (!(fabs(inside) > 16 * u * sides * vec3_length(up))) return 0;
    return (inside < 0 ? -height : height) - 8 * u * vec3_length(w[i]) * (1 + sides / length);
}

double apart_simplex_inner_ball(const vec3 w[4]) {
    double a = face_height(w, 0, 1, 2, 3), b = face_height(w, 0, 1, 3, 2);
    double c = face_height(w, 0, 2, 3, 1), d = face_height(w, 1, 2, 3, 0);
    double least = a;
    if (!(b >= least)) least = b;
    if (!(c >= least)) least = c;
    if (!(d >= least)) least = d;
    return least > 0 ? least : 0;
}

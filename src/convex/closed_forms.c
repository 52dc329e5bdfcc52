// Closed forms for points, edges and triangles: Sundaraj, d'Aulignac, Mazer 2000, section 4, and Lumelsky 1985.
//
// One small least-squares problem is behind all of them: which x and y make r - x d1 - y d2 shortest? For two segments
// d1 and d2 are their directions (Lumelsky's t and u), for a point and a triangle they are two edges of it.
//
// Departures from the papers, all for accuracy:
//  - Every form starts at the nearest corners, so that a small gap beside a corner keeps its own digits.
//  - The published solution (11) divides by D1 D2 - R^2, which has no digits left when the angle between d1 and d2 is
//    below 1e-8. Here d2 and r are first made perpendicular to d1 (fit_plane). Let the angle be s, the true distance h
//    and the size 1. Rounding moves y by about e h / s^2 (e = 2^-53), which costs e^2 h / s^2 of distance; y stays
//    within [0,1], which caps the cost at s^2 / h. The smaller of the two is at most e, whatever the angle.
//  - If y or x then falls outside its range, the nearest point lies on that border, where it is found again from
//    scratch. Since the squared distance is convex, a border point between the true answer and a slightly wrong one is
//    no worse than the wrong one: clamping never adds to the error.
//  - Above a line or a plane the distance is taken along the common normal, so that bodies that touch along the
//    axes have distance 0, not a rounding error.
#include "convex/closed_forms.h"

#include <float.h>

// A number below this may have lost digits to underflow when it was multiplied up from numbers of about unit size.
#define FADED 0x1p-700

// Points that agree within 8 roundings of the size are one point: 4 products and sums on either side. Squared.
#define TOUCH 0x1p-100

// ------------------------------------------------------------------------------------------------ point and edge ----

double apart_closed_point_edge(vec3 p, vec3 e0, vec3 e1, double weight[2]) {
    vec3 q[2] = {vec3_sub(p, e0), vec3_sub(p, e1)}, m = vec3_sub(e1, e0);
    double t[2] = {vec3_dot(q[0], m), -vec3_dot(q[1], m)}, mm = vec3_dot(m, m);

    // Start at the nearer end; stay there if p does not lie above the edge, or the edge is a point.
    int near = t[1] < t[0];
    weight[near] = 1;
    weight[!near] = 0;
    if (!(t[near] > 0 && mm >= DBL_MIN)) return vec3_dot(q[near], q[near]);

    // |m x q|^2 / |m|^2 instead of |q - t m|^2: exact where the coordinates are.
    double inverse = 1 / mm;
    vec3 n = vec3_cross(m, q[near]);
    weight[!near] = smaller(t[near] * inverse, 1);
    weight[near] = 1 - weight[!near];
    return vec3_dot(n, n) * inverse;
}

// ------------------------------------------------------------------------------------------- two free directions ----

// The x and y that make r - x d1 - y d2 shortest: x / whole and y / whole. whole is 0 if d1 and d2 are parallel as far
// as arithmetic tells.
typedef struct fit {
    double x, y, whole;
} fit;

// With D1 = d1.d1, R = d1.d2, S1 = d1.r and p = D1 d2 - R d1, the part of d2 perpendicular to d1 (times D1):
// Q = p.p, N = p.(D1 r - S1 d1), y = N / Q, x = (S1 - y R) / D1, brought to one denominator.
static fit fit_directly(vec3 d1, vec3 d2, vec3 r) {
    double d1_d1 = vec3_dot(d1, d1), d1_d2 = vec3_dot(d1, d2), d1_r = vec3_dot(d1, r);
    vec3 p = vec3_sub(vec3_scale(d1_d1, d2), vec3_scale(d1_d2, d1));
    vec3 r_free = vec3_sub(vec3_scale(d1_d1, r), vec3_scale(d1_r, d1));
    double pp = vec3_dot(p, p), pr = vec3_dot(p, r_free);
    fit f = {d1_r * pp - pr * d1_d2, pr * d1_d1, pp * d1_d1};
    return f;
}

// The power of two that brings a number near 1; 1 for 0.
static double unit_scale(double x) { return ldexp(1, -exponent_of(x)); }

static fit fit_plane(vec3 d1, vec3 d2, vec3 r) {
    fit f = fit_directly(d1, d2, r);
    if (f.whole >= FADED) return f;

    // Short directions: the same with both brought to unit length. x d1 = (x / s) (s d1).
    double s1 = unit_scale(vec3_max_abs(d1)), s2 = unit_scale(vec3_max_abs(d2));
    f = fit_directly(vec3_scale(s1, d1), vec3_scale(s2, d2), r);
    f.x *= s1;
    f.y *= s2;
    if (!(f.whole >= FADED)) f.whole = 0;
    return f;
}

// Squared length of r - x d1 - y d2 for the best x and y, which are returned divided. n: a normal of d1 and d2, the
// cross product of two vectors whose squared lengths have the product nn_scale.
static double fit_finish(fit* f, vec3 d1, vec3 d2, vec3 r, vec3 n, double nn_scale) {
    double nn = vec3_dot(n, n), product = f->whole * nn;
    double along_x = n.x * r.x, along_y = n.y * r.y, along_z = n.z * r.z;

    // Along the normal, if it is well conditioned: an angle of 15 degrees costs two bits.
    if (product >= FADED && nn >= nn_scale * 0.0625) {
        double inverse = 1 / product, height = along_x + along_y + along_z;
        f->x *= nn * inverse;
        f->y *= nn * inverse;
        return height * (height * (f->whole * inverse));
    }
    double inverse = 1 / f->whole;
    f->x *= inverse;
    f->y *= inverse;
    vec3 rest = vec3_mad(vec3_mad(r, -f->x, d1), -f->y, d2);
    double squared = vec3_dot(rest, rest), size = vec3_dot(r, r) + vec3_dot(d1, d1) + vec3_dot(d2, d2);

    // In one plane by their coordinates: what remains is rounding.
    bool flat = nn > 0 && along_x == 0 && along_y == 0 && along_z == 0;
    return flat && squared <= TOUCH * size ? 0 : squared;
}

// ------------------------------------------------------------------------------------------------- edge and edge ----

// Corner i of edge a against edge b.
static double corner_edge(vec3 corner, int i, vec3 b0, vec3 b1, double wa[2], double wb[2]) {
    wa[i] = 1;
    wa[!i] = 0;
    return apart_closed_point_edge(corner, b0, b1, wb);
}

// Nearest pair of end points: bit 0 = end of a, bit 1 = end of b.
static int nearest_ends(const vec3 a[2], const vec3 b[2]) {
    double square[4];
    for (int i = 0; i < 4; i++) {
        vec3 d = vec3_sub(a[i & 1], b[i >> 1]);
        square[i] = vec3_dot(d, d);
    }
    int first = square[1] < square[0], second = 2 + (square[3] < square[2]);
    return square[second] < square[first] ? second : first;
}

// Where the nearest points of two segments are, given the fit from their nearest ends.
typedef enum border { INSIDE, A_NEAR, A_FAR, B_NEAR, B_FAR } border;

// Lumelsky's steps 2 and 3, with b first: outside b the answer is an end of b (any, on parallel segments) or an end of
// a; inside b but outside a it is an end of a.
static border find_border(fit f) {
    if (!(f.whole > 0 && f.y > 0)) return B_NEAR;
    if (!(f.y < f.whole)) return B_FAR;
    if (!(f.x > 0)) return A_NEAR;
    return f.x < f.whole ? INSIDE : A_FAR;
}

double apart_closed_edge_edge(vec3 a0, vec3 a1, vec3 b0, vec3 b1, double wa[2], double wb[2]) {
    const vec3 a[2] = {a0, a1}, b[2] = {b0, b1};
    int ends = nearest_ends(a, b), i = ends & 1, j = ends >> 1;
    vec3 d1 = vec3_sub(a[!i], a[i]), d2 = vec3_sub(b[j], b[!j]), r = vec3_sub(b[j], a[i]);
    fit f = fit_plane(d1, d2, r);

    border where = find_border(f);
    if (where == B_NEAR || where == B_FAR) {
        int end = where == B_FAR ? !j : j;
        double squared = corner_edge(b[end], end, a0, a1, wb, wa);
        if (wa[0] != 0 && wa[1] != 0) return squared;
        where = wa[i] != 0 ? A_NEAR : A_FAR;
    }
    if (where != INSIDE) {
        int end = where == A_FAR ? !i : i;
        return corner_edge(a[end], end, b0, b1, wa, wb);
    }
    double squared = fit_finish(&f, d1, d2, r, vec3_cross(d1, d2), vec3_dot(d1, d1) * vec3_dot(d2, d2));
    wa[!i] = smaller(f.x, 1);
    wa[i] = 1 - wa[!i];
    wb[!j] = smaller(f.y, 1);
    wb[j] = 1 - wb[!j];
    return squared;
}

// ----------------------------------------------------------------------------------------------- point and facet ----

// The best of the edges opposite to the corners whose bits are set.
static double facet_border(vec3 p, const vec3 f[3], unsigned corners, double weight[3]) {
    double best = INFINITY;
    for (int i = 0; i < 3; i++) {
        if (!(corners >> i & 1u)) continue;
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double w[2], squared = apart_closed_point_edge(p, f[j], f[k], w);
        if (!(squared < best)) continue;
        best = squared;
        weight[i] = 0;
        weight[j] = w[0];
        weight[k] = w[1];
    }
    return best;
}

static int nearest_corner(vec3 p, const vec3 f[3]) {
    double square[3];
    for (int i = 0; i < 3; i++) {
        vec3 d = vec3_sub(p, f[i]);
        square[i] = vec3_dot(d, d);
    }
    int best = square[1] < square[0];
    return square[2] < square[best] ? 2 : best;
}

// A normal of the triangle: the cross product of its two shortest edges, the best conditioned one. *scale: the product
// of their squared lengths; *longest: the other edge.
static vec3 facet_normal(const vec3 f[3], double* scale, vec3* longest) {
    const vec3 e[3] = {vec3_sub(f[1], f[0]), vec3_sub(f[2], f[1]), vec3_sub(f[0], f[2])};
    const double s[3] = {vec3_dot(e[0], e[0]), vec3_dot(e[1], e[1]), vec3_dot(e[2], e[2])};
    int top = s[1] > s[0];
    if (s[2] > s[top]) top = 2;
    int i = (top + 1) % 3, j = (top + 2) % 3;
    *scale = s[i] * s[j];
    *longest = e[top];
    return vec3_cross(e[i], e[j]);
}

double apart_closed_point_facet(vec3 p, const vec3 f[3], double weight[3]) {
    int i = nearest_corner(p, f), j = (i + 1) % 3, k = (i + 2) % 3;
    vec3 d1 = vec3_sub(f[j], f[i]), d2 = vec3_sub(f[k], f[i]), r = vec3_sub(p, f[i]);
    fit s = fit_plane(d1, d2, r);

    // Outside some of the edges, the nearest point is on one of these; a triangle without area is its border.
    unsigned beyond = !(s.x + s.y < s.whole) ? 1u << i : 0;
    if (!(s.x > 0)) beyond |= 1u << j;
    if (!(s.y > 0)) beyond |= 1u << k;
    if (!(s.whole > 0)) beyond = 7;
    if (beyond != 0) return facet_border(p, f, beyond, weight);

    double scale;
    vec3 longest, n = facet_normal(f, &scale, &longest);
    double squared = fit_finish(&s, d1, d2, r, n, scale);
    weight[j] = smaller(s.x, 1);
    weight[k] = smaller(s.y, 1 - weight[j]);
    weight[i] = larger(1 - weight[j] - weight[k], 0);
    return squared;
}

// ------------------------------------------------------------------------------------------------ edge and facet ----

// How far points lie above the facet's plane, in some unit. Whether that is good to a few roundings: the triangle is
// not too flat.
static bool heights(const vec3 f[3], const vec3* points, int count, double* height) {
    double scale;
    vec3 u, n = facet_normal(f, &scale, &u);
    bool sharp = vec3_dot(n, n) >= scale * 0.0625;

    // The normal of a flat triangle may lean along its longest edge, by a rounding over its smallest angle: upright.
    n = vec3_mad(n, -vec3_dot(n, u) / larger(vec3_dot(u, u), DBL_MIN), u);
    for (int i = 0; i < count; i++) height[i] = vec3_dot(n, vec3_sub(points[i], f[0]));
    return sharp;
}

// Whether the line e0 e1 passes all edges of the facet on the same side.
static bool passes_through(vec3 e0, vec3 e1, const vec3 f[3]) {
    vec3 m = vec3_sub(e1, e0), g[3];
    for (int i = 0; i < 3; i++) g[i] = vec3_sub(f[i], e0);
    bool left = true, right = true;
    for (int i = 0; i < 3; i++) {
        double volume = vec3_dot(m, vec3_cross(g[(i + 1) % 3], g[(i + 2) % 3]));
        left = left && volume >= 0;
        right = right && volume <= 0;
    }
    return left || right;
}

// Where the edge, whose ends have heights h0 and h1, crosses the facet's plane: the squared distance of that point from
// the facet, INFINITY if it does not cross. Exactly 0 if the volumes say that the edge pierces the facet and the points
// agree.
static double crossing(vec3 e0, vec3 e1, double h0, double h1, const vec3 f[3], double we[2], double wf[3]) {
    we[0] = we[1] = wf[0] = wf[1] = wf[2] = 0;
    if (!((h0 <= 0 && h1 >= 0) || (h0 >= 0 && h1 <= 0)) || h0 == h1) return INFINITY;
    we[1] = h0 / (h0 - h1);
    we[0] = 1 - we[1];

    // Seen from the nearer end, so that place does not matter.
    vec3 m = vec3_sub(e1, e0), near = we[1] < 0.5 ? e0 : e1;
    vec3 point = vec3_scale(we[1] < 0.5 ? we[1] : -we[0], m);
    const vec3 local[3] = {vec3_sub(f[0], near), vec3_sub(f[1], near), vec3_sub(f[2], near)};
    double squared = apart_closed_point_facet(point, local, wf), size = vec3_dot(m, m) + vec3_dot(local[0], local[0]);
    return squared <= TOUCH * size && passes_through(e0, e1, f) ? 0 : squared;
}

// ------------------------------------------------------------------------------------------- segments, triangles ----

// A segment (2 corners) or a triangle (3).
typedef struct patch {
    int count;
    const vec3* corner;
} patch;

// The nearest pair of points so far, by the weights of the corners of either patch.
typedef struct nearest {
    double squared;
    double weight[2][3];
} nearest;

static int edge_count(const patch* p) { return p->count == 2 ? 1 : 3; }

// Spreads the weights of edge i over the corners.
static void spread_over_corners(const double edge[2], int i, double weight[3]) {
    weight[0] = weight[1] = weight[2] = 0;
    weight[i] = edge[0];
    weight[(i + 1) % 3] = edge[1];
}

static void take_nearer(nearest* best, const nearest* n) {
    if (n->squared < best->squared) *best = *n;
}

static void try_edges(const patch* a, const patch* b, nearest* best) {
    for (int i = 0; i < edge_count(a); i++)
        for (int j = 0; j < edge_count(b); j++) {
            double ea[2], eb[2];
            nearest n = {.squared = apart_closed_edge_edge(a->corner[i], a->corner[(i + 1) % 3], b->corner[j],
                                                           b->corner[(j + 1) % 3], ea, eb)};
            spread_over_corners(ea, i, n.weight[0]);
            spread_over_corners(eb, j, n.weight[1]);
            take_nearer(best, &n);
        }
}

// The corners and edges of one patch against the inside of the other, if that is a triangle. A corner can only be
// nearest if all of its patch lies on one side and no corner lies lower; that is used where the heights can be trusted.
static void try_facet(const patch p[2], int side, nearest* best) {
    const patch *a = &p[side], *b = &p[!side];
    if (b->count != 3 || best->squared == 0) return;
    double height[3] = {0};
    bool sharp = heights(b->corner, a->corner, a->count, height), above = true, below = true;
    int lowest = 0;
    for (int i = 0; i < a->count; i++) {
        above = above && height[i] >= 0;
        below = below && height[i] <= 0;
        if (fabs(height[i]) < fabs(height[lowest])) lowest = i;
    }
    for (int i = 0; i < edge_count(a); i++) {
        int j = (i + 1) % 3;
        double edge[2];
        nearest n;
        n.squared = crossing(a->corner[i], a->corner[j], height[i], height[j], b->corner, edge, n.weight[!side]);
        spread_over_corners(edge, i, n.weight[side]);
        take_nearer(best, &n);
    }
    for (int i = 0; i < a->count; i++) {
        if (sharp && !(i == lowest && (above || below))) continue;
        nearest n = {0};
        n.weight[side][i] = 1;
        n.squared = apart_closed_point_facet(a->corner[i], b->corner, n.weight[!side]);
        take_nearer(best, &n);
    }
}

// Two patches that meet have an edge of one through the other (or are in one plane); two that do not have their
// nearest points on two edges, or on a corner and a triangle.
static nearest patch_patch(const patch p[2]) {
    nearest best = {.squared = INFINITY};
    for (int side = 0; side < 2; side++) try_facet(p, side, &best);
    if (best.squared > 0) try_edges(&p[0], &p[1], &best);
    return best;
}

double apart_closed_features(const vec3* a, int count_a, const vec3* b, int count_b, double* wa, double* wb) {
    wa[0] = wb[0] = 1;
    if (count_a == 2 && count_b == 2) return apart_closed_edge_edge(a[0], a[1], b[0], b[1], wa, wb);
    if (count_b == 1 && count_a == 2) return apart_closed_point_edge(b[0], a[0], a[1], wa);
    if (count_b == 1 && count_a == 3) return apart_closed_point_facet(b[0], a, wa);
    if (count_a == 1 && count_b == 2) return apart_closed_point_edge(a[0], b[0], b[1], wb);
    if (count_a == 1 && count_b == 3) return apart_closed_point_facet(a[0], b, wb);
    if (count_a == 1) {
        vec3 d = vec3_sub(a[0], b[0]);
        return vec3_dot(d, d);
    }
    nearest best = patch_patch((const patch[2]){{count_a, a}, {count_b, b}});
    for (int i = 0; i < count_a; i++) wa[i] = best.weight[0][i];
    for (int i = 0; i < count_b; i++) wb[i] = best.weight[1][i];
    return best.squared;
}

// ----------------------------------------------------------------------------------------------- any place, size ----

static bool in_range(double x) { return fabs(x) <= APART_LIMIT; }

static double* coordinate(vec3* p, int k) { return k == 0 ? &p->x : k == 1 ? &p->y : &p->z; }

// Moves coordinate k of all points near 0, if that can be done without rounding: all lie within a factor 2 of the
// first (Sterbenz). If not, their spread is at least a third of the largest, and moving them is not needed.
static void recentre(vec3* points, int count, int k) {
    double origin = *coordinate(&points[0], k);
    for (int i = 1; i < count; i++) {
        double ratio = *coordinate(&points[i], k) / origin;
        if (!(ratio >= 0.5 && ratio <= 2)) return;
    }
    for (int i = 0; i < count; i++) *coordinate(&points[i], k) -= origin;
}

// Brings points within the unit cube, exactly: by a shift without rounding and a power of two. The true size is
// 2^exponent times what remains. False if a number is not finite or above the limit.
static bool normalise(vec3* points, int count, int* exponent) {
    double largest = 0;
    for (int i = 0; i < count; i++)
        if (!in_range(points[i].x) || !in_range(points[i].y) || !in_range(points[i].z)) return false;
    for (int k = 0; k < 3; k++) recentre(points, count, k);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) largest = larger(largest, fabs(*coordinate(&points[i], k)));
    *exponent = exponent_of(largest);
    double scale = ldexp(1, -*exponent);
    for (int i = 0; i < count; i++) points[i] = vec3_scale(scale, points[i]);
    return true;
}

// squared * 4^exponent. A square above the largest double is INFINITY; one below the smallest is the smallest, so that
// 0 means contact. (A gap below 1e-154 of the size is contact, too: its square vanished before it came here.)
static double rescale(double squared, int exponent) {
    double result = ldexp(squared, 2 * exponent);
    return result == 0 && squared > 0 ? DBL_TRUE_MIN : result;
}

// Two features of any place and size, the corners of a first; overwrites the points. Weights that are NULL are not
// wanted. NAN if a number is not in range.
static double measure_features(vec3* points, int count_a, int count_b, double* weights_a, double* weights_b) {
    double wa[3] = {0}, wb[3] = {0};
    int exponent;
    if (!normalise(points, count_a + count_b, &exponent)) return NAN;
    double squared = apart_closed_features(points, count_a, points + count_a, count_b, wa, wb);
    for (int i = 0; i < count_a && weights_a != NULL; i++) weights_a[i] = wa[i];
    for (int i = 0; i < count_b && weights_b != NULL; i++) weights_b[i] = wb[i];
    return rescale(squared, exponent);
}

double apart_point_triangle(apart_vec3 p, const apart_vec3 triangle[3], double weights[3]) {
    if (triangle == NULL) return NAN;
    vec3 points[4] = {p, triangle[0], triangle[1], triangle[2]};
    return measure_features(points, 1, 3, NULL, weights);
}

double apart_segment_triangle(apart_vec3 p, apart_vec3 q, const apart_vec3 triangle[3], double* t, double weights[3]) {
    if (triangle == NULL) return NAN;
    vec3 points[5] = {p, q, triangle[0], triangle[1], triangle[2]};
    double segment[2] = {0}, squared = measure_features(points, 2, 3, segment, weights);
    if (t != NULL && !isnan(squared)) *t = segment[1];
    return squared;
}

double apart_triangle_triangle(const apart_vec3 a[3], const apart_vec3 b[3], double weights_a[3], double weights_b[3]) {
    if (a == NULL || b == NULL) return NAN;
    vec3 points[6] = {a[0], a[1], a[2], b[0], b[1], b[2]};
    return measure_features(points, 3, 3, weights_a, weights_b);
}

// ------------------------------------------------------------------------------------------------- any dimension ----
// Two segments span three dimensions at most. Up to three they are padded with zeros; beyond, they are written in a
// frame of their own, which costs a few roundings. Either way the rest is apart_closed_edge_edge.

// x - y, a vector of `dim` coordinates, times a power of two.
typedef struct arrow {
    const double *x, *y;
    double scale;
} arrow;

static double at(arrow v, int i) { return v.scale * (v.x[i] - v.y[i]); }

static double arrow_dot(int dim, arrow v, arrow w) {
    double sum = 0;
    for (int i = 0; i < dim; i++) sum += at(v, i) * at(w, i);
    return sum;
}

// x / y, or 0 where y is.
static double ratio(double x, double y) { return y > 0 ? x / y : 0; }

// Segments a = end[0] end[1] and b = end[2] end[3] in the frame whose origin is end[0], whose first axis is d1, and
// whose second holds the rest of d2: p = d2 - rho d1, r = sigma d1 + tau p + a third part.
static void into_frame(int dim, const double* const end[4], double scale, vec3 there[4]) {
    arrow d1 = {end[1], end[0], scale}, d2 = {end[3], end[2], scale}, r = {end[2], end[0], scale};
    double length = sqrt(arrow_dot(dim, d1, d1)), along_2 = ratio(arrow_dot(dim, d1, d2), length);
    double along_r = ratio(arrow_dot(dim, d1, r), length);
    double rho = ratio(along_2, length), sigma = ratio(along_r, length), pp = 0, pr = 0, rest = 0;
    for (int i = 0; i < dim; i++) {
        double p = at(d2, i) - rho * at(d1, i);
        pp += p * p;
        pr += p * (at(r, i) - sigma * at(d1, i));
    }
    double tau = ratio(pr, pp), width = sqrt(pp);
    for (int i = 0; i < dim; i++) {
        double w = at(r, i) - sigma * at(d1, i) - tau * (at(d2, i) - rho * at(d1, i));
        rest += w * w;
    }
    there[0] = vec3_make(0, 0, 0);
    there[1] = vec3_make(length, 0, 0);
    there[2] = vec3_make(along_r, tau * width, sqrt(rest));
    there[3] = vec3_add(there[2], vec3_make(along_2, width, 0));
}

// The four ends in three dimensions and of about unit size; false if the numbers are not in range.
static bool reduce(int dim, const double* const end[4], vec3 there[4], int* exponent) {
    double largest = 0;
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < dim; k++) {
            if (!in_range(end[i][k])) return false;
            largest = larger(largest, fabs(end[i][k] - end[0][k]));
        }
    }
    if (dim > 3) {
        *exponent = exponent_of(largest);
        into_frame(dim, end, ldexp(1, -*exponent), there);
        return true;
    }
    for (int i = 0; i < 4; i++) there[i] = vec3_make(end[i][0], dim > 1 ? end[i][1] : 0, dim > 2 ? end[i][2] : 0);
    return normalise(there, 4, exponent);
}

double apart_segment_segment(int dim, const double* a, const double* b, const double* c, const double* d, double* t,
                             double* u) {
    const double* const end[4] = {a, b, c, d};
    double wa[2], wb[2];
    vec3 p[4];
    int exponent;
    if (dim < 1 || a == NULL || b == NULL || c == NULL || d == NULL) return NAN;
    if (!reduce(dim, end, p, &exponent)) return NAN;
    double squared = apart_closed_edge_edge(p[0], p[1], p[2], p[3], wa, wb);
    if (t != NULL) *t = wa[1];
    if (u != NULL) *u = wb[1];
    return rescale(squared, exponent);
}

double apart_point_segment(int dim, const double* p, const double* a, const double* b, double* t) {
    const double* const end[4] = {a, b, p, p};
    double w[2];
    vec3 q[4];
    int exponent;
    if (dim < 1 || p == NULL || a == NULL || b == NULL) return NAN;
    if (!reduce(dim, end, q, &exponent)) return NAN;
    double squared = apart_closed_point_edge(q[2], q[0], q[1], w);
    if (t != NULL) *t = w[1];
    return rescale(squared, exponent);
}

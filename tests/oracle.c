// The oracle: GJK in quadruple precision with an inner solve that tries every subset.
//
// Everything is divided by a power of two near the pair's size first, so that the difference A - B lies in the ball of
// radius 2 and one slack fits all. Rounding: a corner R p + t has at most 8 roundings of its size, a convex combination
// of four corners 8 more, a dot product with a unit vector 4 more; PROOF_SLACK below is above their sum.
#include "oracle.h"

#define MAX_ITERATIONS 400
// How many steps may bring nothing before a descent ends.
#define PATIENCE 16

// ---------------------------------------------------------------------------------------------------- numbers ----

quad quad_roundoff(void) { return (quad)(QUAD_BITS == 113 ? 0x1p-113 : LDBL_EPSILON / 2); }

// What both ends of the bracket are widened by, in units of the scaled size.
static quad proof_slack(void) { return 64 * quad_roundoff(); }

quad quad_sqrt(quad x) {
    if (!(x > 0)) return 0;
    // Bring x into the range of double, by powers of four.
    quad out = 1;
    while (x > (quad)0x1p600) x *= (quad)0x1p-600, out *= (quad)0x1p300;
    while (x < (quad)0x1p-600) x *= (quad)0x1p600, out *= (quad)0x1p-300;
    // Each step of Newton doubles the 53 bits of the start.
    quad y = (quad)sqrt((double)x);
    for (int i = 0; i < 2; i++) y = (y + x / y) / 2;
    return y * out;
}

static quad quad_abs(quad x) { return x < 0 ? -x : x; }
static quad quad_max(quad a, quad b) { return a > b ? a : b; }

static qvec qvec_make(quad x, quad y, quad z) {
    qvec r = {x, y, z};
    return r;
}
qvec qvec_from(apart_vec3 p) { return qvec_make(p.x, p.y, p.z); }
qvec qvec_add(qvec a, qvec b) { return qvec_make(a.x + b.x, a.y + b.y, a.z + b.z); }
qvec qvec_sub(qvec a, qvec b) { return qvec_make(a.x - b.x, a.y - b.y, a.z - b.z); }
qvec qvec_scale(quad s, qvec a) { return qvec_make(s * a.x, s * a.y, s * a.z); }
quad qvec_dot(qvec a, qvec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
quad qvec_length(qvec a) { return quad_sqrt(qvec_dot(a, a)); }
static qvec qvec_cross(qvec a, qvec b) {
    return qvec_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static quad qvec_max_abs(qvec a) { return quad_max(quad_abs(a.x), quad_max(quad_abs(a.y), quad_abs(a.z))); }
static bool qvec_equal(qvec a, qvec b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static qvec rotate(const apart_mat3* r, qvec p) {
    return qvec_make(r->m[0][0] * p.x + r->m[0][1] * p.y + r->m[0][2] * p.z,
                     r->m[1][0] * p.x + r->m[1][1] * p.y + r->m[1][2] * p.z,
                     r->m[2][0] * p.x + r->m[2][1] * p.y + r->m[2][2] * p.z);
}
static qvec rotate_transposed(const apart_mat3* r, qvec p) {
    return qvec_make(r->m[0][0] * p.x + r->m[1][0] * p.y + r->m[2][0] * p.z,
                     r->m[0][1] * p.x + r->m[1][1] * p.y + r->m[2][1] * p.z,
                     r->m[0][2] * p.x + r->m[1][2] * p.y + r->m[2][2] * p.z);
}

qvec oracle_world(const apart_pose* pose, apart_vec3 local) {
    return qvec_add(rotate(&pose->rotation, qvec_from(local)), qvec_from(pose->translation));
}

// ----------------------------------------------------------------------------------------------------- bodies ----

bool body_is_polytope(const body* b) { return b->kind <= BODY_CAPSULE; }

int body_corners(const body* b) {
    switch (b->kind) {
    case BODY_POINTS:
        return b->count;
    case BODY_BOX:
        return 8;
    case BODY_SPHERE:
        return 1;
    case BODY_CAPSULE:
        return 2;
    default:
        return 0;
    }
}

apart_vec3 body_corner(const body* b, int i) {
    if (b->kind == BODY_POINTS) return b->points[i];
    apart_vec3 p = {0, 0, 0};
    if (b->kind == BODY_CAPSULE) p.z = i == 0 ? -b->size.z : b->size.z;
    if (b->kind != BODY_BOX) return p;
    p.x = i & 1 ? b->size.x : -b->size.x;
    p.y = i & 2 ? b->size.y : -b->size.y;
    p.z = i & 4 ? b->size.z : -b->size.z;
    return p;
}

// The farthest point of a body without corners along d (local, any length), in quad.
static qvec round_support(const body* b, qvec d) {
    qvec s = qvec_from(b->size);
    if (b->kind == BODY_ELLIPSOID) {
        qvec e = qvec_make(s.x * d.x, s.y * d.y, s.z * d.z);
        quad length = qvec_length(e);
        if (length == 0) return qvec_make(0, 0, 0);
        return qvec_make(s.x * (e.x / length), s.y * (e.y / length), s.z * (e.z / length));
    }
    quad across = quad_sqrt(d.x * d.x + d.y * d.y);
    qvec rim = qvec_make(0, 0, d.z < 0 ? -s.z : s.z);
    if (across > 0) rim.x = s.x * (d.x / across), rim.y = s.x * (d.y / across);
    if (b->kind == BODY_CYLINDER) return rim;
    // Cone: the apex or the base's rim.
    rim.z = -s.z;
    qvec apex = qvec_make(0, 0, s.z);
    return qvec_dot(apex, d) >= qvec_dot(rim, d) ? apex : rim;
}

// The corner farthest along d, in double precision; the first one on a tie.
static apart_vec3 corner_support(const body* b, apart_vec3 d) {
    apart_vec3 best = body_corner(b, 0);
    double most = -HUGE_VAL;
    for (int i = 0; i < body_corners(b); i++) {
        apart_vec3 p = body_corner(b, i);
        double along = p.x * d.x + p.y * d.y + p.z * d.z;
        if (along > most) most = along, best = p;
    }
    return best;
}

apart_vec3 body_support(const void* context, apart_vec3 d) {
    const body* b = context;
    if (body_is_polytope(b)) return corner_support(b, d);
    apart_vec3 s = b->size, p = {0, 0, 0};
    if (b->kind == BODY_ELLIPSOID) {
        // Axes over the largest one, so that squares stay in range.
        double m = fmax(s.x, fmax(s.y, s.z));
        if (m == 0) return p;
        apart_vec3 e = {s.x / m * d.x, s.y / m * d.y, s.z / m * d.z};
        double length = sqrt(e.x * e.x + e.y * e.y + e.z * e.z);
        if (length == 0) return p;
        p.x = s.x * (e.x / length), p.y = s.y * (e.y / length), p.z = s.z * (e.z / length);
        return p;
    }
    double across = sqrt(d.x * d.x + d.y * d.y);
    if (across > 0) p.x = s.x * (d.x / across), p.y = s.x * (d.y / across);
    p.z = d.z < 0 ? -s.z : s.z;
    if (b->kind == BODY_CYLINDER) return p;
    apart_vec3 apex = {0, 0, s.z};
    p.z = -s.z;
    return s.z * d.z >= s.x * across - s.z * d.z ? apex : p;
}

apart_shape* body_shape(const body* b, apart_error* error) {
    if (b->callback) return apart_shape_support(body_support, b, b->radius, error);
    switch (b->kind) {
    case BODY_POINTS:
        return apart_shape_points(b->points, (size_t)b->count, b->radius, error);
    case BODY_BOX:
        return apart_shape_box(b->size, b->radius, error);
    case BODY_SPHERE:
        return apart_shape_sphere(b->radius, error);
    case BODY_CAPSULE:
        return apart_shape_capsule(b->size.z, b->radius, error);
    case BODY_CYLINDER:
        return apart_shape_cylinder(b->size.z, b->size.x, error);
    case BODY_CONE:
        return apart_shape_cone(b->size.z, b->size.x, error);
    default:
        return apart_shape_ellipsoid(b->size, error);
    }
}

// A measure of size, good to a few roundings of double: scaled by the largest coordinate, so that squares stay in
// range.
quad oracle_extent(const body* b) {
    int corners = body_corners(b);
    double largest = 0, most = 0;
    for (int i = 0; i < corners; i++) {
        apart_vec3 p = body_corner(b, i);
        largest = fmax(largest, fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))));
    }
    for (int i = 0; i < corners && largest > 0; i++) {
        apart_vec3 p = body_corner(b, i);
        double x = p.x / largest, y = p.y / largest, z = p.z / largest;
        most = fmax(most, x * x + y * y + z * z);
    }
    if (corners > 0) return (quad)largest * (quad)sqrt(most) + b->radius;
    qvec s = qvec_from(b->size);
    if (b->kind == BODY_ELLIPSOID) return qvec_max_abs(s) + b->radius;
    return quad_sqrt(s.x * s.x + s.z * s.z) + b->radius;
}

// ------------------------------------------------------------------------------------------- bodies in the world ----

// A core in the world, divided by the pair's size. Corners are kept in quad, and in double for a first look.
typedef struct placed {
    const body* b;
    apart_mat3 rotation;
    qvec translation;
    quad unit;
    int corners;
    qvec corner[BODY_MAX_POINTS];
    apart_vec3 rough[BODY_MAX_POINTS];
} placed;

static void place(placed* p, const body* b, const apart_mat3* rotation, qvec translation, quad unit) {
    p->b = b;
    p->rotation = *rotation;
    p->unit = unit;
    p->translation = qvec_scale(1 / unit, translation);
    p->corners = body_corners(b);
    for (int i = 0; i < p->corners; i++) {
        qvec c = qvec_scale(1 / unit, rotate(rotation, qvec_from(body_corner(b, i))));
        p->corner[i] = c = qvec_add(c, p->translation);
        apart_vec3 rough = {(double)c.x, (double)c.y, (double)c.z};
        p->rough[i] = rough;
    }
}

// The farthest corner along d (largest entry 1). In double a dot product of numbers up to 2 with entries up to 1 is
// wrong by less than 2^-48; the corners within twice that of the best are compared in quad.
static qvec placed_corner(const placed* p, qvec d) {
    double x = (double)d.x, y = (double)d.y, z = (double)d.z, along[BODY_MAX_POINTS], most = -HUGE_VAL;
    for (int i = 0; i < p->corners; i++) {
        along[i] = p->rough[i].x * x + p->rough[i].y * y + p->rough[i].z * z;
        most = fmax(most, along[i]);
    }
    int best = -1;
    quad farthest = 0;
    for (int i = 0; i < p->corners; i++) {
        if (along[i] < most - 0x1p-47) continue;
        quad exact = qvec_dot(p->corner[i], d);
        if (best < 0 || exact > farthest) best = i, farthest = exact;
    }
    return p->corner[best];
}

static qvec placed_support(const placed* p, qvec d) {
    if (p->corners > 0) return placed_corner(p, d);
    qvec local = round_support(p->b, rotate_transposed(&p->rotation, d));
    return qvec_add(qvec_scale(1 / p->unit, rotate(&p->rotation, local)), p->translation);
}

// The point of A - B farthest along -v.
static qvec apart_minkowski_support(const placed* a, const placed* b, qvec v) {
    qvec d = qvec_scale(1 / qvec_max_abs(v), v);
    return qvec_sub(placed_support(a, qvec_scale(-1, d)), placed_support(b, d));
}

// ------------------------------------------------------------------------------------------------ inner solve ----

typedef struct simplex {
    int count;
    qvec y[4];
    quad lambda[4];
    qvec v;         // the nearest point, as a convex combination
    qvec direction; // the same way, with what rounding left along the simplex taken out
    quad length;    // |v|
} simplex;

// Weights of the point nearest to the origin in the affine hull of y[0 .. m], by modified Gram-Schmidt with the right
// side as one more column. e becomes an orthogonal basis. False if the points are dependent to the last bits.
static bool affine_weights(int m, const qvec y[4], quad lambda[4], qvec e[3]) {
    qvec rest = qvec_scale(-1, y[0]);
    quad c[3], r[3][3], least = 64 * quad_roundoff();
    for (int j = 0; j < m; j++) e[j] = qvec_sub(y[j + 1], y[0]);
    for (int j = 0; j < m; j++) {
        qvec original = qvec_sub(y[j + 1], y[0]);
        quad square = qvec_dot(e[j], e[j]);
        if (square <= least * least * qvec_dot(original, original)) return false;
        c[j] = qvec_dot(e[j], rest) / square;
        rest = qvec_sub(rest, qvec_scale(c[j], e[j]));
        for (int l = j + 1; l < m; l++) {
            r[j][l] = qvec_dot(e[j], e[l]) / square;
            e[l] = qvec_sub(e[l], qvec_scale(r[j][l], e[j]));
        }
    }
    lambda[0] = 1;
    for (int j = m - 1; j >= 0; j--) {
        for (int l = j + 1; l < m; l++) c[j] -= r[j][l] * lambda[l + 1];
        lambda[j + 1] = c[j];
        lambda[0] -= c[j];
    }
    return true;
}

// v without its parts along the basis e: any direction gives a true lower bound, this one the best.
static qvec straighten(qvec v, const qvec e[3], int m) {
    qvec d = v;
    for (int j = 0; j < m; j++) d = qvec_sub(d, qvec_scale(qvec_dot(d, e[j]) / qvec_dot(e[j], e[j]), e[j]));
    return qvec_dot(d, v) > 0 ? d : v;
}

// The subset of s named by the bits of mask, with its nearest point if that lies inside it.
static bool subset_solve(const simplex* s, unsigned mask, simplex* out) {
    qvec e[3];
    out->count = 0;
    for (int i = 0; i < s->count; i++)
        if (mask >> i & 1) out->y[out->count++] = s->y[i];
    if (!affine_weights(out->count - 1, out->y, out->lambda, e)) return false;
    out->v = qvec_make(0, 0, 0);
    for (int i = 0; i < out->count; i++) {
        if (!(out->lambda[i] > 0)) return false;
        out->v = qvec_add(out->v, qvec_scale(out->lambda[i], out->y[i]));
    }
    out->length = qvec_length(out->v);
    out->direction = straighten(out->v, e, out->count - 1);
    return true;
}

// How much is left between the point v of a subset and the planes through the points of the whole simplex.
static quad subset_gap(const simplex* s, const simplex* subset) {
    quad least = subset->length, size = qvec_length(subset->direction);
    if (size == 0) return 0;
    for (int i = 0; i < s->count; i++) {
        quad height = qvec_dot(subset->direction, s->y[i]) / size;
        if (height < least) least = height;
    }
    return subset->length - quad_max(least, 0);
}

// The nearest point of the simplex: of all subsets the one with the smallest gap, smaller subsets first. (Lengths
// alone would not do: two subsets can be equally near to the last bit and differ by half the bits in direction.)
static simplex apart_simplex_nearest(const simplex* s) {
    simplex best = {0}, candidate = {0};
    quad least = 0;
    for (int size = 1; size <= s->count; size++)
        for (unsigned mask = 1; mask < 1u << s->count; mask++) {
            if (__builtin_popcount(mask) != size || !subset_solve(s, mask, &candidate)) continue;
            quad gap = subset_gap(s, &candidate);
            if (best.count == 0 || gap < least) best = candidate, least = gap;
        }
    return best;
}

// The radius of the largest ball about the origin in a tetrahedron that holds the origin inside; 0 for less.
static quad inner_radius(const simplex* s) {
    if (s->count < 4) return 0;
    quad least = 4;
    for (int i = 0; i < 4; i++) {
        qvec p = s->y[(i + 1) & 3], q = s->y[(i + 2) & 3], r = s->y[(i + 3) & 3];
        qvec normal = qvec_cross(qvec_sub(q, p), qvec_sub(r, p));
        quad height = quad_abs(qvec_dot(normal, p)) / qvec_length(normal);
        if (height < least) least = height;
    }
    return least;
}

// ----------------------------------------------------------------------------------------------------- search ----

typedef struct bracket {
    quad lower, upper, depth;
    int iterations;
} bracket;

static bool in_simplex(const simplex* s, qvec w) {
    for (int i = 0; i < s->count; i++)
        if (qvec_equal(s->y[i], w)) return true;
    return false;
}

// One descent from a start direction. Stops when the ends meet to `enough`, at the origin, when nothing new turns up
// or the gap has stopped closing.
static void descend(const placed* a, const placed* b, qvec start, quad enough, bracket* k) {
    simplex s = {.count = 1};
    s.y[0] = apart_minkowski_support(a, b, start);
    int patience = PATIENCE;
    for (int i = 0; i < MAX_ITERATIONS && patience > 0; i++) {
        k->iterations++;
        quad gap = k->upper - k->lower;
        s = apart_simplex_nearest(&s);
        if (s.length < k->upper) k->upper = s.length;
        // Inside: the origin is a convex combination of points of the difference.
        if (s.length <= proof_slack() || s.count == 4) {
            k->depth = quad_max(k->depth, inner_radius(&s));
            return;
        }
        qvec w = apart_minkowski_support(a, b, s.direction);
        k->lower = quad_max(k->lower, qvec_dot(s.direction, w) / qvec_length(s.direction));
        if (k->upper - k->lower <= enough || in_simplex(&s, w)) return;
        if (k->upper - k->lower >= gap) patience--;
        s.y[s.count++] = w;
    }
}

static bracket search(const placed* a, const placed* b, qvec between) {
    bracket k = {0, 4, 0, 0};
    quad enough = 4 * proof_slack();
    qvec starts[4] = {between, {1, 0, 0}, {0, -1, 1}, {-1, 1, 1}};
    for (int i = 0; i < 4; i++) {
        if (qvec_max_abs(starts[i]) == 0) continue;
        descend(a, b, starts[i], enough, &k);
        // Bodies without corners end where rounding lets them; a second start would end there too.
        if (k.upper - k.lower <= (quad)1e-24 || a->corners == 0 || b->corners == 0) break;
    }
    return k;
}

// A power of two at or above x; 2^-1000 for less, which no test comes near.
static quad power_above(quad x) {
    int exponent;
    frexp(fmax((double)x, 0x1p-1000), &exponent);
    return (quad)ldexp(1, exponent);
}

// Both cores about the first one's origin, scaled. Returns the unit.
typedef struct placed_pair {
    placed a, b;
    qvec between;
    quad size, unit;
} placed_pair;

static placed_pair* place_pair(const body* a, const apart_pose* pose_a, const body* b, const apart_pose* pose_b) {
    static _Thread_local placed_pair p;
    p.between = qvec_sub(qvec_from(pose_b->translation), qvec_from(pose_a->translation));
    p.size = oracle_extent(a) + oracle_extent(b) + qvec_length(p.between);
    p.unit = power_above(p.size);
    place(&p.a, a, &pose_a->rotation, qvec_make(0, 0, 0), p.unit);
    place(&p.b, b, &pose_b->rotation, p.between, p.unit);
    return &p;
}

oracle_answer oracle_distance(const body* a, const apart_pose* pose_a, const body* b, const apart_pose* pose_b) {
    const placed_pair* p = place_pair(a, pose_a, b, pose_b);
    bracket k = search(&p->a, &p->b, qvec_scale(-1 / p->unit, p->between));
    quad reach = (quad)a->radius + b->radius, slack = proof_slack();
    oracle_answer out = {.size = p->size, .iterations = k.iterations};
    out.lower = quad_max(0, (k.lower - slack) * p->unit - reach);
    out.upper = quad_max(0, (k.upper + slack) * p->unit - reach);
    // The ball inside the core grows by the radii; without one the radii must reach over the gap.
    out.depth = quad_max(0, reach + ((k.depth > 0 ? k.depth : -k.upper) - slack) * p->unit);
    return out;
}

// How far the core reaches along n from its own origin: the maximum of n . R p. Corners are looked at in double first,
// as in placed_corner: with |d| at most 2 the error of a dot product is below 2^-48 of the largest corner.
static quad core_reach(const body* b, const apart_mat3* rotation, qvec n) {
    qvec d = rotate_transposed(rotation, n);
    int corners = body_corners(b);
    if (corners == 0) return qvec_dot(d, round_support(b, d));
    double x = (double)d.x, y = (double)d.y, z = (double)d.z, most = -HUGE_VAL;
    double slack = 0x1p-47 * (double)oracle_extent(b);
    static _Thread_local double along[BODY_MAX_POINTS];
    for (int i = 0; i < corners; i++) {
        apart_vec3 p = body_corner(b, i);
        along[i] = p.x * x + p.y * y + p.z * z;
        most = fmax(most, along[i]);
    }
    quad farthest = 0;
    bool found = false;
    for (int i = 0; i < corners; i++) {
        if (along[i] < most - slack) continue;
        quad exact = qvec_dot(d, qvec_from(body_corner(b, i)));
        if (!found || exact > farthest) farthest = exact, found = true;
    }
    return farthest;
}

quad oracle_separation(const body* a, const apart_pose* pose_a, const body* b, const apart_pose* pose_b, apart_vec3 n) {
    qvec along = qvec_from(n);
    along = qvec_scale(1 / qvec_length(along), along);
    qvec between = qvec_sub(qvec_from(pose_b->translation), qvec_from(pose_a->translation));
    quad reach_a = core_reach(a, &pose_a->rotation, along);
    quad reach_b = core_reach(b, &pose_b->rotation, qvec_scale(-1, along));
    return qvec_dot(between, along) - reach_a - reach_b - a->radius - b->radius;
}

// The world point p in local coordinates, by Cramer's rule: the matrix need not be orthogonal to the last bit.
static qvec local_of(const apart_pose* pose, apart_vec3 p) {
    qvec q = qvec_sub(qvec_from(p), qvec_from(pose->translation)), column[3];
    for (int i = 0; i < 3; i++)
        column[i] = qvec_make(pose->rotation.m[0][i], pose->rotation.m[1][i], pose->rotation.m[2][i]);
    qvec yz = qvec_cross(column[1], column[2]), zx = qvec_cross(column[2], column[0]);
    qvec xy = qvec_cross(column[0], column[1]);
    quad whole = qvec_dot(column[0], yz);
    return qvec_make(qvec_dot(q, yz) / whole, qvec_dot(q, zx) / whole, qvec_dot(q, xy) / whole);
}

quad oracle_outside_round(const body* b, const apart_pose* pose, apart_vec3 point) {
    qvec p = local_of(pose, point), s = qvec_from(b->size);
    if (b->kind == BODY_ELLIPSOID) {
        if (s.x == 0 || s.y == 0 || s.z == 0) return qvec_length(p);
        quad q = qvec_length(qvec_make(p.x / s.x, p.y / s.y, p.z / s.z));
        return q <= 1 ? 0 : qvec_length(p) * (1 - 1 / q);
    }
    // Along z into the slab, then across to the axis.
    quad high = quad_max(0, quad_abs(p.z) - s.z), z = p.z > s.z ? s.z : p.z < -s.z ? -s.z : p.z;
    quad radius = b->kind == BODY_CYLINDER || s.z == 0 ? s.x : s.x * (s.z - z) / (2 * s.z);
    return high + quad_max(0, quad_sqrt(p.x * p.x + p.y * p.y) - radius);
}

quad oracle_outside(const body* b, const apart_pose* pose, apart_vec3 point) {
    static _Thread_local body dot;
    apart_pose here = {.rotation = pose->rotation, .translation = point};
    dot.kind = BODY_SPHERE;
    return oracle_distance(b, pose, &dot, &here).upper;
}

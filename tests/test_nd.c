// The distance of hulls in 1 to 8 dimensions: known simplices, the closed forms, and random sets against a min-norm
// search of its own in quadruple precision over all differences. Whatever that search does, its bracket is proven: the
// upper end is a convex combination, the lower end a slab that separates the two sets.
#include "oracle.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define MAX_DIM 8
#define MAX_SET 16
#define ROUNDOFF 0x1p-53

typedef struct problem {
    int dim, a_count, b_count;
    double a[MAX_SET][MAX_DIM], b[MAX_SET][MAX_DIM];
} problem;

// ---------------------------------------------------------------------------------------------- min-norm in quad ----

// Points of A - B with positive weights.
typedef struct corral {
    int count;
    quad y[MAX_DIM + 2][MAX_DIM], weight[MAX_DIM + 2], v[MAX_DIM];
} corral;

static quad dot(int dim, const quad* x, const quad* y) {
    quad sum = 0;
    for (int k = 0; k < dim; k++) sum += x[k] * y[k];
    return sum;
}

static void add(int dim, quad s, const quad* x, quad* to) {
    for (int k = 0; k < dim; k++) to[k] += s * x[k];
}

static quad length(int dim, const quad* x) { return quad_sqrt(dot(dim, x, x)); }

// The weights of the point of the affine hull nearest the origin: edges from the first point, made orthogonal twice.
static void affine(const corral* c, int dim, quad* alpha) {
    quad q[MAX_DIM + 2][MAX_DIM], upper[MAX_DIM + 2][MAX_DIM + 2] = {{0}}, rest[MAX_DIM];
    for (int k = 0; k < dim; k++) rest[k] = -c->y[0][k];
    for (int i = 1; i < c->count; i++) {
        for (int k = 0; k < dim; k++) q[i][k] = c->y[i][k] - c->y[0][k];
        quad whole = length(dim, q[i]);
        for (int pass = 0; pass < 2; pass++)
            for (int j = 1; j < i; j++) {
                quad s = dot(dim, q[j], q[i]);
                upper[j][i] += s;
                add(dim, -s, q[j], q[i]);
            }
        quad left = length(dim, q[i]);
        upper[i][i] = left > whole * (quad)1e-31 ? left : 0;
        for (int k = 0; k < dim; k++) q[i][k] = upper[i][i] > 0 ? q[i][k] / left : 0;
        alpha[i] = dot(dim, q[i], rest);
        add(dim, -alpha[i], q[i], rest);
    }
    alpha[0] = 1;
    for (int i = c->count - 1; i > 0; i--) {
        for (int j = i + 1; j < c->count; j++) alpha[i] -= upper[i][j] * alpha[j];
        alpha[i] = upper[i][i] > 0 ? alpha[i] / upper[i][i] : 0;
        alpha[0] -= alpha[i];
    }
}

static void drop(corral* c, int dim, int i) {
    c->count--;
    c->weight[i] = c->weight[c->count];
    for (int k = 0; k < dim; k++) c->y[i][k] = c->y[c->count][k];
}

// Moves the weights to the nearest point of the corral, dropping what is in the way.
static void settle(corral* c, int dim) {
    for (;;) {
        quad alpha[MAX_DIM + 2], step = 1;
        int first = -1;
        affine(c, dim, alpha);
        for (int i = 0; i < c->count; i++) {
            if (alpha[i] > 0) continue;
            quad reach = c->weight[i] / (c->weight[i] - alpha[i] + (quad)1e-300);
            if (first < 0 || reach < step) {
                first = i;
                step = reach;
            }
        }
        for (int i = 0; i < c->count; i++) c->weight[i] += step * (alpha[i] - c->weight[i]);
        if (first < 0) break;
        drop(c, dim, first);
    }
    for (int k = 0; k < dim; k++) c->v[k] = 0;
    for (int i = 0; i < c->count; i++) add(dim, c->weight[i], c->y[i], c->v);
}

// The difference a_i - b_j that lies farthest along -v; returns v . (a_i - b_j).
static quad support(const problem* p, const quad* v, quad* w) {
    quad least = 0;
    for (int i = 0; i < p->a_count; i++)
        for (int j = 0; j < p->b_count; j++) {
            quad y[MAX_DIM];
            for (int k = 0; k < p->dim; k++) y[k] = (quad)p->a[i][k] - (quad)p->b[j][k];
            quad height = dot(p->dim, v, y);
            if (i + j > 0 && height >= least) continue;
            least = height;
            for (int k = 0; k < p->dim; k++) w[k] = y[k];
        }
    return least;
}

typedef struct truth {
    quad lower, upper, size;
} truth;

static quad size_of(const problem* p) {
    quad largest = 0;
    for (int i = 0; i < p->a_count + p->b_count; i++) {
        quad d[MAX_DIM];
        for (int k = 0; k < p->dim; k++)
            d[k] = (quad)(i < p->a_count ? p->a[i] : p->b[i - p->a_count])[k] - (quad)p->a[0][k];
        quad here = length(p->dim, d);
        if (here > largest) largest = here;
    }
    return largest;
}

static truth solve(const problem* p) {
    truth t = {.upper = -1, .size = size_of(p)};
    corral c = {.count = 1, .weight = {1}};
    quad start[MAX_DIM] = {1};
    support(p, start, c.y[0]);
    for (int step = 0; step < 200; step++) {
        settle(&c, p->dim);
        quad here = length(p->dim, c.v), w[MAX_DIM];
        if (t.upper >= 0 && here >= t.upper) break;
        t.upper = here;
        quad height = support(p, c.v, w);
        if (here > 0 && height / here > t.lower) t.lower = height / here;
        if (c.count > p->dim || here - t.lower <= t.size * (quad)1e-28) break;
        c.weight[c.count] = 0;
        for (int k = 0; k < p->dim; k++) c.y[c.count][k] = w[k];
        c.count++;
    }
    return t;
}

// How far a point lies outside the hull of a set.
static quad outside(int dim, const double* point, int count, const double (*set)[MAX_DIM]) {
    problem p = {.dim = dim, .a_count = 1, .b_count = count};
    for (int k = 0; k < dim; k++) p.a[0][k] = point[k];
    for (int i = 0; i < count; i++)
        for (int k = 0; k < dim; k++) p.b[i][k] = set[i][k];
    return solve(&p).upper;
}

// --------------------------------------------------------------------------------------------------- bookkeeping ----

typedef struct tally {
    int cases, apart, touching, inside, zero;
    int open;                // the search in quad did not close its own bracket (beside contact only)
    double distance, points; // worst errors: of the distance over the size, of the points over size and place
} tally;

static void flatten(const problem* p, double* a, double* b) {
    for (int k = 0; k < p->dim; k++) {
        for (int i = 0; i < p->a_count; i++) a[i * p->dim + k] = p->a[i][k];
        for (int i = 0; i < p->b_count; i++) b[i * p->dim + k] = p->b[i][k];
    }
}

static double call(const problem* p, double* point_a, double* point_b) {
    double a[MAX_SET * MAX_DIM], b[MAX_SET * MAX_DIM], distance = -1;
    flatten(p, a, b);
    apart_status status =
        apart_distance_nd(p->dim, a, (size_t)p->a_count, b, (size_t)p->b_count, point_a, point_b, &distance);
    assert_int_equal(status, APART_OK);
    return distance;
}

static quad larger(quad x, quad y) { return x > y ? x : y; }

// What is wrong with the points: they lie outside their sets, or are not this far apart.
static quad fault(const problem* p, const double* point_a, const double* point_b, double distance) {
    quad gap[MAX_DIM];
    for (int k = 0; k < p->dim; k++) gap[k] = (quad)point_b[k] - (quad)point_a[k];
    quad mismatch = length(p->dim, gap) - (quad)distance;
    quad out = larger(outside(p->dim, point_a, p->a_count, p->a), outside(p->dim, point_b, p->b_count, p->b));
    return larger(out, larger(mismatch, -mismatch));
}

static void run(tally* t, const problem* p) {
    double point_a[MAX_DIM], point_b[MAX_DIM], place = 0;
    double distance = call(p, point_a, point_b);
    truth known = solve(p);
    quad size = known.size > 0 ? known.size : 1;
    quad error = (quad)distance > known.upper ? (quad)distance - known.upper : known.lower - (quad)distance;
    for (int k = 0; k < p->dim; k++) place = fmax(place, fmax(fabs(point_a[k]), fabs(point_b[k])));
    t->cases++;
    t->apart += known.lower > size * (quad)1e-9;
    t->inside += known.upper <= size * (quad)1e-25;
    t->touching += known.upper <= size * (quad)1e-9 && known.upper > size * (quad)1e-25;
    t->zero += distance == 0;
    t->open += known.upper - known.lower > size * (quad)1e-20 && known.upper > size * (quad)1e-9;
    t->distance = fmax(t->distance, (double)(error / size));
    t->points = fmax(t->points, (double)(fault(p, point_a, point_b, distance) / (size + (quad)place)));
}

// ------------------------------------------------------------------------------------------------------ families ----

typedef double set[MAX_SET][MAX_DIM];

static double random_power(rng* r, int low, int high) { return ldexp(1, -rng_between(r, low, high)); }

// A random convex combination of the first `count` points.
static void combine(rng* r, int dim, int count, set c, double* to) {
    double weight[MAX_SET], sum = 0;
    for (int i = 0; i < count; i++) sum += weight[i] = rng_chance(r, 0.3) && i > 0 ? 0 : rng_unit(r);
    for (int k = 0; k < dim; k++) {
        to[k] = 0;
        for (int i = 0; i < count; i++) to[k] += weight[i] / sum * c[i][k];
    }
}

// Two clouds, from well inside each other to well apart.
static problem make_random(rng* r, int dim) {
    problem p = {.dim = dim};
    p.a_count = rng_between(r, 1, MAX_SET);
    p.b_count = rng_between(r, 1, MAX_SET);
    double shift = rng_chance(r, 0.3) ? 0 : rng_uniform(r, 0, 3);
    for (int i = 0; i < MAX_SET; i++)
        for (int k = 0; k < dim; k++) {
            p.a[i][k] = rng_uniform(r, -1, 1);
            p.b[i][k] = rng_uniform(r, -1, 1) + (k == 0 ? shift : 0);
        }
    return p;
}

// Small integers: points that repeat, flat sets, common planes.
static problem make_lattice(rng* r, int dim) {
    problem p = make_random(r, dim);
    int shift = rng_below(r, 4);
    for (int i = 0; i < MAX_SET; i++)
        for (int k = 0; k < dim; k++) {
            p.a[i][k] = rng_between(r, -1, 1);
            p.b[i][k] = rng_between(r, -1, 1) + (k == 0 ? shift : 0);
        }
    return p;
}

// All points near a plane of a lower dimension spanned by the first ones.
static void flatten_set(rng* r, int dim, set c) {
    int low = rng_below(r, dim + 1);
    double noise = random_power(r, 1, 60);
    for (int i = low + 1; i < MAX_SET; i++) {
        combine(r, dim, low + 1, c, c[i]);
        for (int k = 0; k < dim; k++) c[i][k] += noise * rng_uniform(r, -1, 1);
    }
}

static problem make_flat(rng* r, int dim) {
    problem p = make_random(r, dim);
    flatten_set(r, dim, p.a);
    flatten_set(r, dim, p.b);
    return p;
}

// b moved, and shrunk by `size`, so that its first point is within `gap` of a point of a.
static void move_to_contact(rng* r, problem* p, double size, double gap) {
    double at[MAX_DIM], from[MAX_DIM];
    combine(r, p->dim, p->a_count, p->a, at);
    for (int k = 0; k < p->dim; k++) from[k] = p->b[0][k];
    for (int i = 0; i < MAX_SET; i++)
        for (int k = 0; k < p->dim; k++) p->b[i][k] = at[k] + size * (p->b[i][k] - from[k]);
    for (int k = 0; k < p->dim; k++) {
        double move = gap * rng_uniform(r, -1, 1);
        for (int i = 0; i < MAX_SET; i++) p->b[i][k] += move;
    }
}

static problem make_touching(rng* r, int dim) {
    problem p = make_random(r, dim);
    p.a_count = rng_between(r, 1, dim + 1);
    p.b_count = rng_between(r, 1, dim + 1);
    move_to_contact(r, &p, 1, random_power(r, 1, 60));
    return p;
}

static problem make_small(rng* r, int dim) {
    problem p = make_random(r, dim);
    double size = random_power(r, 1, 60);
    p.a_count = rng_between(r, 1, MAX_SET / 2);
    move_to_contact(r, &p, size, 2 * size);
    return p;
}

// Each axis 128 times shorter than the one before.
static problem make_squashed(rng* r, int dim) {
    problem p = make_random(r, dim);
    for (int i = 0; i < MAX_SET; i++)
        for (int k = 0; k < dim; k++) {
            p.a[i][k] = ldexp(p.a[i][k], -7 * k);
            p.b[i][k] = ldexp(p.b[i][k], -7 * k);
        }
    return p;
}

// The points of b at all distances from its first one.
static problem make_clustered(rng* r, int dim) {
    problem p = make_random(r, dim);
    for (int i = 1; i < MAX_SET; i++) {
        double reach = random_power(r, 0, 50);
        for (int k = 0; k < dim; k++) p.b[i][k] = p.b[0][k] + reach * rng_uniform(r, -1, 1);
    }
    return p;
}

typedef problem (*family_fn)(rng* r, int dim);
#define FAMILIES 7
static const family_fn family[FAMILIES] = {make_random, make_lattice,  make_flat,     make_touching,
                                           make_small,  make_squashed, make_clustered};

// --------------------------------------------------------------------------------------------------------- tests ----

// Accurate to 1e-14 of the size in every dimension and family; the contract asks for 1e-12.
static void test_families(void** state) {
    (void)state;
    for (int dim = 1; dim <= MAX_DIM; dim++) {
        rng r = rng_seed((uint64_t)dim);
        tally t = {0};
        for (int i = 0; i < 150 * FAMILIES; i++) {
            problem p = family[i % FAMILIES](&r, dim);
            run(&t, &p);
        }
        printf(
            "  %d dimensions: %d cases, %d apart, %d within 1e-9, %d overlap, %d exactly 0; worst error %.1e, of the "
            "points %.1e\n",
            dim, t.cases, t.apart, t.touching, t.inside, t.zero, t.distance, t.points);
        assert_int_equal(t.open, 0);
        assert_true(t.distance <= 1e-14);
        assert_true(t.points <= 1e-14);

        // Every regime was there, and overlap that is deep enough is 0.
        assert_true(t.apart > 150 && t.inside > 50);
        assert_true(dim == 1 || t.touching > 10);
        assert_true(t.zero > t.inside / 2);
    }
}

// The corner simplex from the origin, cubes side by side and corner to corner, one cube around the other.
static void test_known(void** state) {
    (void)state;
    for (int dim = 1; dim <= MAX_DIM; dim++) {
        double simplex[MAX_DIM * MAX_DIM] = {0}, origin[MAX_DIM] = {0}, point_a[MAX_DIM], point_b[MAX_DIM], distance;
        for (int i = 0; i < dim; i++) simplex[i * dim + i] = 1;
        assert_int_equal(apart_distance_nd(dim, simplex, (size_t)dim, origin, 1, point_a, point_b, &distance),
                         APART_OK);
        assert_true(fabs(distance - 1 / sqrt(dim)) <= 4 * ROUNDOFF);
        for (int k = 0; k < dim; k++) {
            assert_true(fabs(point_a[k] - 1.0 / dim) <= 4 * ROUNDOFF);
            assert_true(point_b[k] == 0);
        }
        static double one[256 * MAX_DIM], two[256 * MAX_DIM];
        size_t corners = (size_t)1 << dim;
        for (int mode = 0; mode < 3; mode++) {
            for (size_t i = 0; i < corners; i++)
                for (int k = 0; k < dim; k++) {
                    double x = (i >> k & 1u) != 0 ? 1 : -1;
                    one[i * (size_t)dim + (size_t)k] = x;
                    two[i * (size_t)dim + (size_t)k] = mode == 0 ? x + (k == 0 ? 3 : 0) : mode == 1 ? x + 3 : 2 * x;
                }
            assert_int_equal(apart_distance_nd(dim, one, corners, two, corners, NULL, NULL, &distance), APART_OK);
            double wanted = mode == 0 ? 1 : mode == 1 ? sqrt(dim) : 0;
            assert_true(fabs(distance - wanted) <= 8 * ROUNDOFF);
        }
    }
}

// Triangles in three dimensions and segments in all, against the closed forms.
static void test_closed_forms(void** state) {
    (void)state;
    rng r = rng_seed(21);
    double worst = 0;
    for (int i = 0; i < 4000; i++) {
        int dim = i % 2 ? 3 : rng_between(&r, 1, MAX_DIM);
        problem p = make_random(&r, dim);
        p.a_count = p.b_count = i % 2 ? 3 : 2;
        double squared = apart_segment_segment(dim, p.a[0], p.a[1], p.b[0], p.b[1], NULL, NULL);
        if (i % 2) {
            apart_vec3 a[3], b[3];
            for (int j = 0; j < 3; j++) {
                a[j] = (apart_vec3){p.a[j][0], p.a[j][1], p.a[j][2]};
                b[j] = (apart_vec3){p.b[j][0], p.b[j][1], p.b[j][2]};
            }
            squared = apart_triangle_triangle(a, b, NULL, NULL);
        }
        worst = fmax(worst, fabs(call(&p, NULL, NULL) - sqrt(squared)));
    }
    printf("  against the closed forms: worst difference %.1e\n", worst);
    assert_true(worst <= 32 * ROUNDOFF);
}

// A power of two changes nothing but the size; neither does the order of a and b, but for rounding.
static void test_size_and_order(void** state) {
    (void)state;
    rng r = rng_seed(22);
    for (int i = 0; i < 1000; i++) {
        problem p = family[i % FAMILIES](&r, 1 + i % MAX_DIM), q = p, swapped = p;
        int e = rng_between(&r, -498, 498);
        swapped.a_count = p.b_count;
        swapped.b_count = p.a_count;
        for (int j = 0; j < MAX_SET; j++)
            for (int k = 0; k < p.dim; k++) {
                q.a[j][k] = ldexp(p.a[j][k], e);
                q.b[j][k] = ldexp(p.b[j][k], e);
                swapped.a[j][k] = p.b[j][k];
                swapped.b[j][k] = p.a[j][k];
            }
        double distance = call(&p, NULL, NULL), size = (double)size_of(&p);
        assert_true(call(&q, NULL, NULL) == ldexp(distance, e));
        assert_true(fabs(call(&swapped, NULL, NULL) - distance) <= 1e-14 * size);
    }
    // Not powers of two, at the ends of the range; and far from the origin.
    for (int n = -290; n <= 290; n += 20) {
        double s = pow(10, n), distance;
        const double a[6] = {0, 0, s, 0, 0, s}, b[4] = {2 * s, 2 * s, 3 * s, s};
        assert_int_equal(apart_distance_nd(2, a, 3, b, 2, NULL, NULL, &distance), APART_OK);
        assert_true(fabs(distance / s - 1.5 * sqrt(2)) <= 8 * ROUNDOFF);
    }
    const double far_a[4] = {1e6, 1e6, 1e6 + 1, 1e6}, far_b[2] = {1e6 + 0.5, 1e6 + 0.0009765625};
    double distance;
    assert_int_equal(apart_distance_nd(2, far_a, 2, far_b, 1, NULL, NULL, &distance), APART_OK);
    assert_true(fabs(distance - 0.0009765625) <= 4 * ROUNDOFF);
}

static void test_bad_input(void** state) {
    (void)state;
    const double good[4] = {0, 0, 1, 1}, nan[2] = {0, NAN}, inf[2] = {INFINITY, 0}, big[2] = {0, 1.1e300};
    double p[2] = {7, 7}, q[2] = {7, 7}, d = 7;
    assert_int_equal(apart_distance_nd(0, good, 1, good, 1, p, q, &d), APART_INVALID);
    assert_int_equal(apart_distance_nd(9, good, 1, good, 1, p, q, &d), APART_INVALID);
    assert_int_equal(apart_distance_nd(2, NULL, 1, good, 1, p, q, &d), APART_INVALID);
    assert_int_equal(apart_distance_nd(2, good, 1, NULL, 1, p, q, &d), APART_INVALID);
    assert_int_equal(apart_distance_nd(2, good, 0, good, 1, p, q, &d), APART_EMPTY);
    assert_int_equal(apart_distance_nd(2, good, 1, good, 0, p, q, &d), APART_EMPTY);
    assert_int_equal(apart_distance_nd(2, nan, 1, good, 1, p, q, &d), APART_NOT_FINITE);
    assert_int_equal(apart_distance_nd(2, good, 2, inf, 1, p, q, &d), APART_NOT_FINITE);
    assert_int_equal(apart_distance_nd(2, good, 2, big, 1, p, q, &d), APART_OUT_OF_RANGE);
    assert_true(p[0] == 7 && q[1] == 7 && d == 7);
    assert_int_equal(apart_distance_nd(2, good, 2, good, 2, NULL, NULL, NULL), APART_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),          cmocka_unit_test(test_families),  cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_size_and_order), cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

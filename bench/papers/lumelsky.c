// Lumelsky 1985: the steps as published, counted, in 2 to 8 dimensions, beside the straightforward algorithm of section
// 1 and the library's closed form; the worked example of section 4; the cases of Figs. 1 and 3.
#include "counted.h"
#include "lab.h"

#include "../machine.h"

#include <string.h>

#define MOST_DIMENSIONS 8
#define SEGMENTS 2000

static double sum_of_products(int n, const double* x, const double* y) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    tick(n, n - 1, 0, 0);
    return sum;
}

static void differences(int n, const double* x, const double* y, double* out) {
    for (int i = 0; i < n; i++) out[i] = x[i] - y[i];
    tick(0, n, 0, 0);
}

// (12)
static double clamp(double x) {
    tick(0, 0, 0, x < 0 ? 1 : 2);
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

// ------------------------------------------------------------------------------------------- Lumelsky's algorithm ----

segment_steps lumelsky_steps(int n, const double* a, const double* b, const double* c, const double* d) {
    double d1[MOST_DIMENSIONS], d2[MOST_DIMENSIONS], d12[MOST_DIMENSIONS];
    segment_steps s = {NAN, NAN, NAN, 0, 0, 0};
    differences(n, b, a, d1);
    differences(n, d, c, d2);
    differences(n, c, a, d12);
    double R = sum_of_products(n, d1, d2), S1 = sum_of_products(n, d1, d12), S2 = sum_of_products(n, d2, d12);
    double D1 = sum_of_products(n, d1, d1), D2 = sum_of_products(n, d2, d2);
    // Step 1; degenerate segments are told by the denominator as well.
    double denominator = D1 * D2 - R * R;
    tick(2, 1, 0, 1);
    // Step 2: (11).
    if (denominator > 0) {
        s.first_t = (S1 * D2 - S2 * R) / denominator;
        tick(2, 1, 1, 0);
        s.t = clamp(s.first_t);
    }
    // Step 3: (10).
    if (D2 > 0) {
        s.first_u = (s.t * R - S2) / D2;
        tick(1, 1, 1, 0);
        s.u = clamp(s.first_u);
    }
    // Step 4, unless u was in its range.
    if (!(s.u == s.first_u) && D1 > 0) {
        s.second_t = (s.u * R + S1) / D1;
        tick(1, 1, 1, 0);
        s.t = clamp(s.second_t);
    }
    // Step 5: (7).
    for (int i = 0; i < n; i++) {
        double x = d1[i] * s.t - d2[i] * s.u - d12[i];
        s.squared += x * x;
    }
    tick(3 * n, 3 * n - 1, 0, 0);
    return s;
}

// --------------------------------------------------------------------------------------- the straightforward way ----

static double squared_distance(int n, const double* x, const double* y) {
    double v[MOST_DIMENSIONS];
    differences(n, x, y, v);
    return sum_of_products(n, v, v);
}

// The foot of the perpendicular from p onto line a b, and its parameter.
static double foot(int n, const double* p, const double* a, const double* b, double* out) {
    double along[MOST_DIMENSIONS], to[MOST_DIMENSIONS];
    differences(n, b, a, along);
    differences(n, p, a, to);
    double t = sum_of_products(n, to, along) / sum_of_products(n, along, along);
    for (int i = 0; i < n; i++) out[i] = a[i] + t * along[i];
    tick(n, n, 1, 0);
    return t;
}

static bool inside(double t) {
    tick(0, 0, 0, 2);
    return t >= 0 && t <= 1;
}

// Section 1: the bases of the common perpendicular; if one is outside, all distances of ends, and those of ends from
// the feet of their perpendiculars that lie inside. Six points and nine distances.
static double straightforward(int n, const double* a, const double* b, const double* c, const double* d) {
    double d1[MOST_DIMENSIONS], d2[MOST_DIMENSIONS], d12[MOST_DIMENSIONS], M[MOST_DIMENSIONS], N[MOST_DIMENSIONS];
    differences(n, b, a, d1);
    differences(n, d, c, d2);
    differences(n, c, a, d12);
    double R = sum_of_products(n, d1, d2), S1 = sum_of_products(n, d1, d12), S2 = sum_of_products(n, d2, d12);
    double D1 = sum_of_products(n, d1, d1), D2 = sum_of_products(n, d2, d2), whole = D1 * D2 - R * R;
    double t = (S1 * D2 - S2 * R) / whole, u = (S1 * R - S2 * D1) / whole;
    for (int i = 0; i < n; i++) {
        M[i] = a[i] + t * d1[i];
        N[i] = c[i] + u * d2[i];
    }
    tick(6 + 2 * n, 3 + 2 * n, 2, 0);
    if (inside(t) && inside(u)) return squared_distance(n, M, N);
    const double* end[4] = {a, b, c, d};
    double least = INFINITY, at[MOST_DIMENSIONS];
    for (int i = 0; i < 4; i++) {
        least = fmin(least, squared_distance(n, end[i / 2], end[2 + i % 2]));
        tick(0, 0, 0, 1);
        if (!inside(foot(n, end[i], end[i < 2 ? 2 : 0], end[i < 2 ? 3 : 1], at))) continue;
        least = fmin(least, squared_distance(n, end[i], at));
        tick(0, 0, 0, 1);
    }
    return least;
}

// ----------------------------------------------------------------------------------------------------- operations ----

typedef struct pairs {
    double end[SEGMENTS][4][MOST_DIMENSIONS];
} pairs;

static void make_pairs(pairs* p, int n, rng* r) {
    for (int i = 0; i < SEGMENTS; i++)
        for (int k = 0; k < 4; k++)
            for (int j = 0; j < n; j++) p->end[i][k][j] = rng_uniform(r, -1, 1);
}

// What one way costs: operations of all pairs, the most that one of them takes, and nanoseconds.
typedef struct cost {
    operations of;
    uint64_t most_mul, most_add;
    double ns;
} cost;

typedef enum way { STEPS, STRAIGHT, LIBRARY, WAYS } way;
static const char* const WAY_NAMES[WAYS] = {"steps", "straightforward", "library"};

static double squared_by(way w, int n, const double (*e)[MOST_DIMENSIONS]) {
    double t, u;
    if (w == STEPS) return lumelsky_steps(n, e[0], e[1], e[2], e[3]).squared;
    if (w == STRAIGHT) return straightforward(n, e[0], e[1], e[2], e[3]);
    return apart_segment_segment(n, e[0], e[1], e[2], e[3], &t, &u);
}

static cost measure_way(const lab* l, const pairs* p, int n, way w, double* squared) {
    cost c = {.ns = l->rounds ? INFINITY : NAN};
    for (int i = 0; i < SEGMENTS; i++) {
        counted = (operations){0};
        squared[i] = squared_by(w, n, p->end[i]);
        c.of = operations_add(c.of, counted);
        uint64_t mul = counted.multiply + counted.divide;
        if (mul > c.most_mul) c.most_mul = mul;
        if (counted.add > c.most_add) c.most_add = counted.add;
    }
    for (int round = 0; round < 10 * l->rounds; round++) {
        double start = clock_seconds(), sum = 0;
        for (int i = 0; i < SEGMENTS; i++) sum += squared_by(w, n, p->end[i]);
        if (sum >= 0) c.ns = fmin(c.ns, 1e9 * (clock_seconds() - start) / SEGMENTS);
    }
    return c;
}

static void operation_table(lab* l) {
    static const char columns[] = "n,paper_mul,paper_add,mul,add,straight_mul,straight_add,mean_mul,mean_straight_mul,"
                                  "ns,straight_ns,library_ns";
    FILE* csv = lab_csv(l, "lumelsky-operations", columns);
    static pairs p;
    static double squared[WAYS][SEGMENTS];
    rng r = rng_seed(1985);
    double worst = 0;
    cost in_space[WAYS] = {{.ns = 0}};
    for (int n = 2; n <= MOST_DIMENSIONS; n++) {
        cost c[WAYS];
        make_pairs(&p, n, &r);
        for (way w = STEPS; w < WAYS; w++) c[w] = measure_way(l, &p, n, w, squared[w]);
        for (int i = 0; i < SEGMENTS; i++)
            for (way w = STEPS; w < LIBRARY; w++) worst = fmax(worst, fabs(squared[w][i] - squared[LIBRARY][i]));
        double mean[2];
        for (way w = STEPS; w < LIBRARY; w++) {
            mean[w] = (double)(c[w].of.multiply + c[w].of.divide) / SEGMENTS;
            lab_count(l, c[w].of.multiply + c[w].of.divide, "lumelsky.%d.%s.mul", n, WAY_NAMES[w]);
            lab_count(l, c[w].of.add, "lumelsky.%d.%s.add", n, WAY_NAMES[w]);
            lab_count(l, c[w].most_mul, "lumelsky.%d.%s.most_mul", n, WAY_NAMES[w]);
        }
        csv_row(csv, "%d,%d,%d,%llu,%llu,%llu,%llu,%.1f,%.1f,%.1f,%.1f,%.1f", n, 5 * n + 12, 8 * n + 1,
                (unsigned long long)c[STEPS].most_mul, (unsigned long long)c[STEPS].most_add,
                (unsigned long long)c[STRAIGHT].most_mul, (unsigned long long)c[STRAIGHT].most_add, mean[STEPS],
                mean[STRAIGHT], c[STEPS].ns, c[STRAIGHT].ns, c[LIBRARY].ns);
        if (n == 3) memcpy(in_space, c, sizeof in_space);
    }
    csv_close(csv);
    lab_demand(l, worst <= 1e-10, "a distance of segments");
    const cost *steps = &in_space[STEPS], *straight = &in_space[STRAIGHT];
    double ratio = (double)(straight->most_mul + straight->most_add) / (double)(steps->most_mul + steps->most_add);
    lab_find(l, "Lumelsky 3, x and / in 3-D, + and -", "27, 25", steps->most_mul <= 35 && steps->most_add <= 35,
             "%llu, %llu at most", (unsigned long long)steps->most_mul, (unsigned long long)steps->most_add);
    lab_find(l, "Lumelsky 3, straightforward / steps, operations", "about 5", ratio > 2.5, "%.1f (time %.1f)", ratio,
             straight->ns / steps->ns);
}

// --------------------------------------------------------------------------------------------------- the drawings ----

static void worked_example(lab* l) {
    const double A[3] = {0, 0, 0}, B[3] = {1, 2, 1}, C[3] = {1, 0, 0}, D[3] = {2, 1, 0};
    segment_steps s = lumelsky_steps(3, A, B, C, D);
    double t, u, squared = apart_segment_segment(3, A, B, C, D, &t, &u);
    FILE* csv = lab_csv(l, "lumelsky-fig4", "step,t,u,squared");
    csv_row(csv, "2,%.17g,,", s.first_t);
    csv_row(csv, "3,0,%.17g,", s.first_u);
    csv_row(csv, "4,%.17g,0,", s.second_t);
    csv_row(csv, "5,%.17g,%.17g,%.17g", s.t, s.u, s.squared);
    csv_row(csv, "library,%.17g,%.17g,%.17g", t, u, squared);
    csv_close(csv);
    double rounding = 1e-15;
    bool steps = fabs(s.first_t + 1.0 / 3) <= rounding && fabs(s.first_u + 0.5) <= rounding &&
                 fabs(s.second_t - 1.0 / 6) <= rounding && fabs(s.squared - 5.0 / 6) <= rounding;
    bool library = fabs(t - 1.0 / 6) <= rounding && u == 0 && fabs(squared - 5.0 / 6) <= rounding;
    lab_demand(l, steps && library, "Lumelsky's worked example");
    lab_find(l, "Lumelsky Fig. 4, t, u, t, squared distance", "-0.333, -0.5, 0.167, 0.8333", steps && library,
             "%.3f, %.1f, %.3f, %.4f", s.first_t, s.first_u, s.second_t, squared);
}

// The situations of Figs. 1 and 3: the ends of both segments, and what is nearest.
static void situations(lab* l) {
    static const struct situation {
        const char* name;
        double end[4][2];
        double t, u; // what the figure shows: where on A B and C D; NAN = inside
    } all[] = {
        {"1a", {{0, 0}, {4, 2}, {1, 2}, {3, 0}}, NAN, NAN},
        {"1b", {{1.5, 1}, {3, 3}, {0, 0}, {4, 0}}, 0, NAN},
        {"1c", {{0, 0}, {4, 0}, {1, 3}, {3, 1.5}}, NAN, 1},
        {"1d", {{0, 0}, {1.5, 1}, {2.8, 1.6}, {4.2, 1.4}}, 1, 0},
        {"3a", {{0, 0}, {3, 1}, {1, 1.5}, {4, 2.5}}, NAN, NAN},
        {"3b", {{0, 0}, {1.5, 0.5}, {3, 1.8}, {4.5, 2.3}}, 1, 0},
    };
    FILE* csv = lab_csv(l, "lumelsky-situations", "figure,ax,ay,bx,by,cx,cy,dx,dy,line_t,line_u,t,u,squared");
    bool good = true;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        const double(*e)[2] = all[i].end;
        segment_steps s = lumelsky_steps(2, e[0], e[1], e[2], e[3]);
        double t, u, squared = apart_segment_segment(2, e[0], e[1], e[2], e[3], &t, &u);
        // The second parameter of the lines, which the algorithm never needs.
        double d1[2] = {e[1][0] - e[0][0], e[1][1] - e[0][1]}, d2[2] = {e[3][0] - e[2][0], e[3][1] - e[2][1]};
        double at[2] = {e[0][0] + s.first_t * d1[0] - e[2][0], e[0][1] + s.first_t * d1[1] - e[2][1]};
        double line_u = (at[0] * d2[0] + at[1] * d2[1]) / (d2[0] * d2[0] + d2[1] * d2[1]);
        csv_row(csv, "%s,%g,%g,%g,%g,%g,%g,%g,%g,%.6f,%.6f,%.6f,%.6f,%.9f", all[i].name, e[0][0], e[0][1], e[1][0],
                e[1][1], e[2][0], e[2][1], e[3][0], e[3][1], s.first_t, line_u, s.t, s.u, s.squared);
        bool as_drawn = isnan(all[i].t) || (s.t == all[i].t && t == all[i].t);
        as_drawn = as_drawn && (isnan(all[i].u) || (s.u == all[i].u && u == all[i].u));
        good = good && as_drawn && fabs(s.squared - squared) <= 1e-15;
    }
    csv_close(csv);
    lab_find(l, "Lumelsky Figs. 1, 3, where the nearest points are", "as drawn, 6 cases", good, "%s",
             good ? "as drawn, 6 cases" : "elsewhere");
}

void paper_lumelsky(lab* l) {
    worked_example(l);
    situations(l);
    operation_table(l);
}

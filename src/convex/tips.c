#include "convex/tips.h"

/// No curvature is larger: it would cost more digits than it is worth.
#define MAX_BEND 0x1p10

vec3 apart_tips_mean(const tips* t) {
    vec3 p = {0, 0, 0};
    for (int i = 0; i < t->count; ++i) p = vec3_mad(p, t->weight[i], t->tip[i].point);
    return p;
}

/// A number not below -d . n, for all n in the ranges; 2^-40 of d is more than axes that are square only to rounding
/// may be wrong by.
static double depth_along(vec3 d, const vec3* axis, const range* r) {
    double sum = 0x1p-40 * vec3_sum_abs(d);
    for (int j = 0; j < 3; ++j) {
        double x = vec3_dot(d, axis[j]);
        sum -= smaller(x * r[j].low, x * r[j].high);
    }
    return sum;
}

/// Rounding. The points and weights are as given, but p and v_i - p are rounded, and the weights add up to 1 within
/// 4 u, u = 2^-53: so the sum of lambda_i a_i is not 0, but s at most, s = 16 u |v|. Then r (L (1 + 4 u) + s) is at
/// least the sum of lambda_i a_i^2, less L s; and the bound holds with L (1 + 4 u) + s in place of L, less 2 s. The
/// latter is far less than what rounding takes off for the weight.
void apart_tips_take(quadratic* f, const tips* t, const vec3* axis, const range* r) {
    vec3 p = apart_tips_mean(t), d[MAX_TIPS];
    double far = 0, deep = 0, spread = 0;
    for (int i = 0; i < t->count; ++i) {
        if (!(t->weight[i] > 0)) continue;
        d[i] = vec3_sub(t->tip[i].point, p);
        far = larger(far, vec3_sum_abs(t->tip[i].point));
        deep = larger(deep, depth_along(d[i], axis, r));
        spread += t->weight[i] * vec3_dot(d[i], d[i]);
    }
    f->c = vec3_add(f->c, p);
    f->weight += 2 * far;
    deep = larger(deep * (1 + 0x1p-50) + 0x1p-48 * far, spread / MAX_BEND);
    if (!(deep > 0x1p-200)) return;
    for (int i = 0; i < t->count; ++i)
        if (t->weight[i] > 0) symmetric_add(&f->q, t->weight[i] / deep, d[i]);
    f->weight += spread / deep;
}

// --------------------------------------------------------------------------------------------------- the weights ----

/// f + p . n to second order about n, in the plane square to n. For weights lambda, the least value is that at n plus
/// the sum of lambda_i height_i, less half the square of the length of the sum of lambda_i z_i, z = M (slope of f + v):
/// M^T M is the inverse of the curvature H, and the least value is at -M^T times that sum.
typedef struct outlook {
    vec3 x, y;       // of the plane
    double slope[2]; // of f
    double m[3];     // M = (m0 0; m1 m2)
} outlook;

/// A point as it is seen so.
typedef struct flat {
    double height, x, y;
} flat;

/// Where f is not curved upwards it counts as if it were, by this part of its height, and as much as keeps the least
/// value within the cell.
#define LEAST_BEND 0x1p-16

/// H on the sphere: that of f in the plane, less the outward slope. top: the farthest point along n.
static outlook look_about(const quadratic* f, vec3 n, vec3 top, double wide) {
    outlook o = {.x = vec3_square(n)};
    o.y = vec3_cross(n, o.x);
    vec3 qx = symmetric_apply(&f->q, o.x), qy = symmetric_apply(&f->q, o.y);
    vec3 slope = vec3_mad(f->c, 2, symmetric_apply(&f->q, n)), all = vec3_add(slope, top);
    o.slope[0] = vec3_dot(slope, o.x);
    o.slope[1] = vec3_dot(slope, o.y);
    double out = vec3_dot(all, n), down_x = vec3_dot(all, o.x), down_y = vec3_dot(all, o.y);
    double xx = 2 * vec3_dot(o.x, qx) - out, xy = 2 * vec3_dot(o.x, qy), yy = 2 * vec3_dot(o.y, qy) - out;
    double half = 0.5 * (xx - yy), least = 0.5 * (xx + yy) - sqrt(half * half + xy * xy);
    double wanted = LEAST_BEND * fabs(out) + sqrt(down_x * down_x + down_y * down_y) / wide + 0x1p-500;
    double lift = larger(0, wanted - least);
    xx += lift;
    yy += lift;
    // H = L L^T, L lower, and M its inverse.
    double l = sqrt(xx), m = xy / l, r = sqrt(larger(yy - m * m, 0x1p-50 * yy));
    o.m[0] = 1 / l;
    o.m[2] = 1 / r;
    o.m[1] = -m * o.m[0] * o.m[2];
    return o;
}

/// The best weights so far, of one to three points.
typedef struct choice {
    double value, weight[3];
    int count, of[3];
} choice;

static void consider(choice* best, const flat* z, int count, const int* of, const double* weight) {
    flat sum = {0, 0, 0};
    for (int i = 0; i < count; ++i) {
        if (!(weight[i] >= 0)) return;
        sum.height += weight[i] * z[of[i]].height;
        sum.x += weight[i] * z[of[i]].x;
        sum.y += weight[i] * z[of[i]].y;
    }
    double value = sum.height - 0.5 * (sum.x * sum.x + sum.y * sum.y);
    if (!(value > best->value)) return;
    *best = (choice){.value = value, .count = count};
    for (int i = 0; i < count; ++i) {
        best->of[i] = of[i];
        best->weight[i] = weight[i];
    }
}

static void consider_two(choice* best, const flat* z, int i, int j) {
    double x = z[j].x - z[i].x, y = z[j].y - z[i].y, length = x * x + y * y;
    if (!(length > 0)) return;
    double t = (z[j].height - z[i].height - (x * z[i].x + y * z[i].y)) / length;
    consider(best, z, 2, (int[]){i, j}, (double[]){1 - t, t});
}

static void consider_three(choice* best, const flat* z, int i, int j, int k) {
    double jx = z[j].x - z[i].x, jy = z[j].y - z[i].y, kx = z[k].x - z[i].x, ky = z[k].y - z[i].y;
    double jj = jx * jx + jy * jy, jk = jx * kx + jy * ky, kk = kx * kx + ky * ky, det = jj * kk - jk * jk;
    if (!(det > 0)) return;
    double u = z[j].height - z[i].height - (jx * z[i].x + jy * z[i].y);
    double v = z[k].height - z[i].height - (kx * z[i].x + ky * z[i].y);
    double s = (u * kk - v * jk) / det, t = (v * jj - u * jk) / det;
    consider(best, z, 3, (int[]){i, j, k}, (double[]){1 - s - t, s, t});
}

static choice find_best(const flat* z, int count) {
    choice best = {.value = -INFINITY};
    for (int i = 0; i < count; ++i) {
        consider(&best, z, 1, &i, (double[]){1});
        for (int j = 0; j < i; ++j) {
            consider_two(&best, z, i, j);
            for (int k = 0; k < j; ++k) consider_three(&best, z, i, j, k);
        }
    }
    return best;
}

/// Those that are used, then the newest of the others, as long as there is room.
static void keep(const tip* all, int count, const choice* best, tips* t) {
    bool used[MAX_TIPS + 1] = {false};
    t->count = best->count;
    for (int i = 0; i < best->count; ++i) {
        t->tip[i] = all[best->of[i]];
        t->weight[i] = best->weight[i];
        used[best->of[i]] = true;
    }
    for (int j = count - 1; j >= 0 && t->count < MAX_TIPS; --j) {
        if (used[j]) continue;
        t->tip[t->count] = all[j];
        t->weight[t->count++] = 0;
    }
}

bool apart_tips_choose(tips* t, const tip* more, const quadratic* f, double wide, vec3* n) {
    tip all[MAX_TIPS + 1];
    flat z[MAX_TIPS + 1];
    int count = 0;
    for (int i = 0; i < t->count; ++i)
        if (!vec3_is_zero(vec3_sub(t->tip[i].point, more->point))) all[count++] = t->tip[i];
    all[count++] = *more;
    outlook o = look_about(f, *n, more->point, wide);
    for (int i = 0; i < count; ++i) {
        vec3 v = all[i].point;
        double x = vec3_dot(v, o.x) + o.slope[0], y = vec3_dot(v, o.y) + o.slope[1];
        z[i] = (flat){vec3_dot(vec3_sub(v, more->point), *n), o.m[0] * x, o.m[1] * x + o.m[2] * y};
    }
    choice best = find_best(z, count);
    if (best.count == 0) best = (choice){.count = 1, .of = {count - 1}, .weight = {1}};
    keep(all, count, &best, t);
    if (best.count < 2) return false;
    double x = 0, y = 0;
    for (int i = 0; i < best.count; ++i) {
        x += best.weight[i] * z[best.of[i]].x;
        y += best.weight[i] * z[best.of[i]].y;
    }
    *n = vec3_unit(vec3_mad(vec3_mad(*n, -(o.m[0] * x + o.m[1] * y), o.x), -o.m[2] * y, o.y));
    return true;
}

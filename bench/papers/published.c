// Gilbert, Johnson, Keerthi 1988, sections IV to VI, and Cameron 1997, section 3: as published, in counted arithmetic.
//
// The letters are the papers': Y = {y_0, ...} the simplex, y_i = a_i - b_i; D_i(s) the cofactors of the subset s of Y,
// a bit mask; lambda, v, g. What "attention to details" (section VI) leaves open is done so: cofactors are computed
// when they are first asked for; inner products of kept points are kept; the face that leaves out the point farthest
// along the newest comes first, then the other subsets with the newest point, then the rest; of a simplex that is
// tracked all of it comes first.
#include "published.h"

#include <float.h>
#include <stdlib.h>

operations counted;

bool points_place(points* p, const apart_shape* shape, const apart_pose* pose) {
    const polytope* edges = &shape->polytope;
    vec3* at = realloc(p->at, edges->count * sizeof *at);
    if (!at) return false;
    vec3 sum = {0, 0, 0};
    *p = (points){.count = edges->count, .at = at, .edges = edges};
    for (uint32_t i = 0; i < p->count; i++) {
        vec3 local = shape_to_local(shape, shape_vertex(shape, i));
        at[i] = vec3_add(mat3_mul(&pose->rotation, local), pose->translation);
        sum = vec3_add(sum, at[i]);
    }
    p->centroid = vec3_scale(1 / (double)p->count, sum);
    for (uint32_t i = 0; i < p->count; i++) p->reach = fmax(p->reach, vec3_length(vec3_sub(at[i], p->centroid)));
    return true;
}

void points_free(points* p) {
    free(p->at);
    *p = (points){0};
}

typedef struct search {
    const points *a, *b;
    bool climb;
    tracked at; // which vertices; count is that of the simplex
    vec3 y[4];
    double dot[4][4];
    double cofactor[16][4];
    bool known[16][4];
    double lambda[4];
    vec3 v;
    double vv; // |v|^2
} search;

static unsigned bit(int i) { return 1u << i; }
static bool has(unsigned s, int i) { return (s & bit(i)) != 0; }
static int members(unsigned s) { return __builtin_popcount(s); }

// ----------------------------------------------------------------------------------------------- support mapping ----

// (17): the inner products of all vertices with d, and the largest of them.
static uint32_t support_of_all(const points* p, vec3 d, double* height) {
    uint32_t best = 0;
    *height = counted_dot(p->at[0], d);
    for (uint32_t i = 1; i < p->count; i++) {
        double h = counted_dot(p->at[i], d);
        tick(0, 0, 0, 1);
        if (!(h > *height)) continue;
        *height = h;
        best = i;
    }
    return best;
}

// Cameron 3.2: to the best neighbour, as long as there is a better one.
static uint32_t support_by_climbing(const points* p, vec3 d, uint32_t from, double* height) {
    *height = counted_dot(p->at[from], d);
    for (uint32_t here = from;; here = from) {
        for (uint32_t k = p->edges->first[here]; k < p->edges->first[here + 1]; k++) {
            uint32_t i = p->edges->neighbour[k];
            double h = counted_dot(p->at[i], d);
            tick(0, 0, 0, 1);
            if (!(h > *height)) continue;
            *height = h;
            from = i;
        }
        if (from == here) return here;
    }
}

// The support point of K along d: its vertices are the hints. Returns h_K(d).
static double find_support(search* s, vec3 d) {
    double high_a, high_b;
    vec3 back = vec3_neg(d);
    uint32_t i = s->climb ? support_by_climbing(s->a, d, s->at.hint_a, &high_a) : support_of_all(s->a, d, &high_a);
    uint32_t j =
        s->climb ? support_by_climbing(s->b, back, s->at.hint_b, &high_b) : support_of_all(s->b, back, &high_b);
    s->at.hint_a = i;
    s->at.hint_b = j;
    tick(0, 1, 0, 0);
    return high_a + high_b;
}

// Takes in a point of K, with its inner products.
static void append(search* s, uint32_t a, uint32_t b) {
    int last = s->at.count++;
    s->at.a[last] = a;
    s->at.b[last] = b;
    s->y[last] = counted_sub(s->a->at[a], s->b->at[b]);
    for (int i = 0; i <= last; i++) s->dot[i][last] = s->dot[last][i] = counted_dot(s->y[i], s->y[last]);
}

// -------------------------------------------------------------------------------------- the distance subalgorithm ----

// (30) for D_i(s), where i is in s.
static double cofactor(search* w, unsigned s, int i) {
    unsigned rest = s ^ bit(i);
    if (rest == 0) return 1;
    if (w->known[s][i]) return w->cofactor[s][i];
    int k = __builtin_ctz(rest), n = members(rest);
    double sum = 0;
    for (int j = 0; j < w->at.count; j++)
        if (has(rest, j)) sum += cofactor(w, rest, j) * (w->dot[j][k] - w->dot[j][i]);
    tick(n > 1 ? n : 0, 2 * n - 1, 0, 0);
    w->known[s][i] = true;
    return w->cofactor[s][i] = sum;
}

// Conditions 1 and 2 of Theorem 3: D(s) > 0 follows from its terms.
static bool interior(search* w, unsigned s) {
    for (int i = 0; i < w->at.count && members(s) > 1; i++) {
        if (!has(s, i)) continue;
        tick(0, 0, 0, 1);
        if (!(cofactor(w, s, i) > 0)) return false;
    }
    return true;
}

// Condition 3.
static bool optimal(search* w, unsigned s) {
    for (int j = 0; j < w->at.count; j++) {
        if (has(s, j)) continue;
        tick(0, 0, 0, 1);
        if (!(cofactor(w, s | bit(j), j) <= 0)) return false;
    }
    return true;
}

static double gramian(search* w, unsigned s) {
    double sum = 0;
    for (int i = 0; i < w->at.count; i++)
        if (has(s, i)) sum += cofactor(w, s, i);
    tick(0, members(s) - 1, 0, 0);
    return sum;
}

// (31), and v; a subset of m + 1 points holds the origin.
static void take_subset(search* w, unsigned s) {
    int n = members(s);
    double sum = gramian(w, s);
    for (int i = 0; i < 4; i++) w->lambda[i] = i < w->at.count && has(s, i) ? cofactor(w, s, i) / sum : 0;
    tick(0, 0, n > 1 ? n : 0, 0);
    w->v = (vec3){0, 0, 0};
    w->vv = 0;
    if (n == 4) return;
    for (int i = 0; i < w->at.count; i++) w->v = vec3_mad(w->v, w->lambda[i], w->y[i]);
    tick(n > 1 ? 3 * n : 0, 3 * (n - 1), 0, 0);
    w->vv = counted_dot(w->v, w->v);
}

static bool try_subset(search* w, unsigned s) {
    if (!interior(w, s) || !optimal(w, s)) return false;
    take_subset(w, s);
    return true;
}

// Section VI: leaves out the kept point that lies farthest along the newest. Of two points both.
static unsigned likeliest(search* w, int newest) {
    unsigned all = bit(w->at.count) - 1;
    if (newest < 0 || w->at.count < 3) return all;
    int out = newest == 0;
    for (int i = out + 1; i < w->at.count; i++) {
        if (i == newest) continue;
        tick(0, 0, 0, 1);
        if (w->dot[newest][i] > w->dot[newest][out]) out = i;
    }
    return all ^ bit(out);
}

static bool subalgorithm(search* w, int newest) {
    unsigned all = bit(w->at.count) - 1, first = likeliest(w, newest), must = newest < 0 ? 0 : bit(newest);
    for (int i = 0; i < 16 * 4; i++) w->known[i / 4][i % 4] = false;
    if (try_subset(w, first)) return true;
    for (unsigned s = 1; s <= all; s++)
        if ((s & must) == must && s != first && try_subset(w, s)) return true;
    for (unsigned s = 1; s <= all; s++)
        if ((s & must) != must && try_subset(w, s)) return true;
    return false;
}

// (33): |v(aff Y_s)|^2.
static double affine_square(search* w, unsigned s) {
    int k = __builtin_ctz(s), n = members(s);
    double sum = 0;
    for (int i = 0; i < w->at.count; i++)
        if (has(s, i)) sum += cofactor(w, s, i) * w->dot[i][k];
    tick(n, n - 1, 1, 0);
    return sum / gramian(w, s);
}

// (38)
static void backup_procedure(search* w) {
    unsigned best = 0;
    double least = INFINITY;
    for (unsigned s = 1; s < bit(w->at.count); s++) {
        if (!interior(w, s)) continue;
        double square = affine_square(w, s);
        tick(0, 0, 0, 1);
        if (best && !(square < least)) continue;
        best = s;
        least = square;
    }
    take_subset(w, best);
}

// ---------------------------------------------------------------------------------------- the numerical algorithm ----

// V becomes Y_s: the points that v needs.
static void compact(search* s) {
    int kept = 0, from[4];
    for (int i = 0; i < s->at.count; i++)
        if (s->lambda[i] > 0) from[kept++] = i;
    for (int i = 0; i < kept; i++) {
        s->y[i] = s->y[from[i]];
        s->at.a[i] = s->at.a[from[i]];
        s->at.b[i] = s->at.b[from[i]];
        s->lambda[i] = s->lambda[from[i]];
        for (int j = 0; j < kept; j++) s->dot[i][j] = s->dot[from[i]][from[j]];
    }
    s->at.count = kept;
}

// Step 1. Returns the newest point, -1 if the simplex was tracked.
static int begin(search* s, vec3 between, const tracked* track) {
    if (track && track->count > 0) {
        s->at.hint_a = track->hint_a;
        s->at.hint_b = track->hint_b;
        for (int i = 0; i < track->count; i++) append(s, track->a[i], track->b[i]);
        return -1;
    }
    find_support(s, vec3_neg(between));
    append(s, s->at.hint_a, s->at.hint_b);
    return 0;
}

// (32), Cameron 5: how far the faces and the corners of the simplex around the origin are from it.
static void measure_inside(search* s, published_answer* out) {
    out->ball = out->corner = INFINITY;
    for (int i = 0; i < 4; i++) {
        out->ball = fmin(out->ball, sqrt(fmax(affine_square(s, 15u ^ bit(i)), 0)));
        out->corner = fmin(out->corner, sqrt(s->dot[i][i]));
    }
}

// (23)-(24): the near points on both bodies.
static void near_points(int count) { tick(count > 1 ? 6 * count : 0, 6 * (count - 1), 0, 0); }

published_answer published_gjk(const points* a, const points* b, bool climb, double eps, tracked* track) {
    search s = {.a = a, .b = b, .climb = climb};
    published_answer out = {0};
    vec3 between = counted_sub(a->centroid, b->centroid);
    double size = a->reach + b->reach + sqrt(counted_dot(between, between)); // (37)
    double enough = eps * size * size, last = INFINITY;
    tick(2, 2, 1, 0);
    int newest = begin(&s, between, track);
    bool backup = false;
    for (;;) {
        // Step 2.
        if (!backup) {
            backup = !subalgorithm(&s, newest);
            out.iterations++;
        }
        if (backup) {
            backup_procedure(&s);
            out.backups++;
        }
        out.overlap = s.lambda[0] > 0 && s.lambda[1] > 0 && s.lambda[2] > 0 && s.lambda[3] > 0;
        out.g = 0;
        if (out.overlap) break;
        // Step 3.
        out.g = s.vv + find_support(&s, vec3_neg(s.v));
        tick(0, 1, 0, 1);
        if (out.g <= enough) break;
        // Steps 4 to 6.
        tick(0, 0, 0, 1);
        if (s.vv < last) {
            last = s.vv;
            compact(&s);
            append(&s, s.at.hint_a, s.at.hint_b);
            newest = s.at.count - 1;
            backup = false;
        } else if (backup) {
            break;
        } else {
            backup = true;
        }
    }
    compact(&s);
    near_points(s.at.count);
    out.distance = sqrt(s.vv);
    if (track) *track = s.at;
    operations sofar = counted;
    if (out.overlap) measure_inside(&s, &out);
    counted = sofar; // what sections V and VIII add is not part of Fig. 4
    return out;
}

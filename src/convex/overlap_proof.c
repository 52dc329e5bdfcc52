// A proof of contact by exact signs.
//
// Every sum and product below is checked for exactness with its error term. One inexact operation spoils the proof; the
// signs of exact determinants make it.
#include "convex/overlap_proof.h"
#include "base/exact.h"

/// Arithmetic that remembers whether it was exact.
typedef struct ledger {
    bool exact;
} ledger;

static double add(ledger* l, double a, double b) {
    double error, s = exact_sum(a, b, &error);
    if (error != 0) l->exact = false;
    return s;
}

static double mul(ledger* l, double a, double b) {
    double error, p = exact_product(a, b, &error);
    if (error != 0 || (fabs(p) < 0x1p-900 && a != 0 && b != 0)) l->exact = false;
    return p;
}

/// x times a power of two: exact unless it comes near the end of the range.
static double scale(ledger* l, double power, double x) {
    double y = power * x;
    if (fabs(y) < 0x1p-900 && x != 0) l->exact = false;
    return y;
}

static vec3 scaled(ledger* l, double power, vec3 a) {
    return vec3_make(scale(l, power, a.x), scale(l, power, a.y), scale(l, power, a.z));
}

static double dot(ledger* l, vec3 a, vec3 b) {
    return add(l, add(l, mul(l, a.x, b.x), mul(l, a.y, b.y)), mul(l, a.z, b.z));
}

static vec3 sum(ledger* l, vec3 a, vec3 b) { return vec3_make(add(l, a.x, b.x), add(l, a.y, b.y), add(l, a.z, b.z)); }

static vec3 cross(ledger* l, vec3 a, vec3 b) {
    return vec3_make(add(l, mul(l, a.y, b.z), -mul(l, a.z, b.y)), add(l, mul(l, a.z, b.x), -mul(l, a.x, b.z)),
                     add(l, mul(l, a.x, b.y), -mul(l, a.y, b.x)));
}

/// A vertex in world axes.
static vec3 placed(ledger* l, const posed_body* body, uint32_t index) {
    const mat3* r = &body->pose->rotation;
    vec3 p = scaled(l, body->factor, shape_vertex(body->shape, index));
    vec3 row[3];
    for (int i = 0; i < 3; ++i) row[i] = vec3_make(r->m[i][0], r->m[i][1], r->m[i][2]);
    return vec3_make(dot(l, row[0], p), dot(l, row[1], p), dot(l, row[2], p));
}

static bool in_segment(ledger* l, vec3 a, vec3 b) { return vec3_is_zero(cross(l, a, b)) && dot(l, a, b) <= 0; }

static bool in_triangle(ledger* l, const vec3* w) {
    vec3 area[3] = {cross(l, w[1], w[2]), cross(l, w[2], w[0]), cross(l, w[0], w[1])};
    vec3 n = sum(l, sum(l, area[0], area[1]), area[2]);
    if (vec3_is_zero(n)) return in_segment(l, w[0], w[1]) || in_segment(l, w[1], w[2]) || in_segment(l, w[0], w[2]);
    if (dot(l, w[0], n) != 0) return false;
    return dot(l, area[0], n) >= 0 && dot(l, area[1], n) >= 0 && dot(l, area[2], n) >= 0;
}

static bool in_tetrahedron(ledger* l, const vec3* w) {
    double part[4] = {dot(l, w[1], cross(l, w[2], w[3])), -dot(l, w[0], cross(l, w[2], w[3])),
                      dot(l, w[0], cross(l, w[1], w[3])), -dot(l, w[0], cross(l, w[1], w[2]))};
    double whole = add(l, add(l, part[0], part[1]), add(l, part[2], part[3]));
    bool flat = whole == 0, inside = true;
    for (int i = 0; i < 4; ++i) {
        vec3 face[3] = {w[(i + 1) % 4], w[(i + 2) % 4], w[(i + 3) % 4]};
        if (flat && in_triangle(l, face)) return true;
        inside = inside && (whole > 0 ? part[i] >= 0 : part[i] <= 0);
    }
    return !flat && inside;
}

bool apart_overlap_proof_exactly(const difference* k, const vertex_pair* pairs, int count) {
    if (k->slack > 0 || !k->a.shape->exact || !k->b.shape->exact) return false;
    ledger l = {true};
    vec3 offset = sum(&l, k->a.pose->translation, vec3_neg(k->b.pose->translation));
    offset = scaled(&l, k->inverse, offset);
    vec3 w[4];
    for (int i = 0; i < count; ++i) {
        vec3 a = placed(&l, &k->a, pairs[i].a), b = placed(&l, &k->b, pairs[i].b);
        w[i] = sum(&l, sum(&l, a, vec3_neg(b)), offset);
    }
    bool holds = count == 1   ? vec3_is_zero(w[0])
                 : count == 2 ? in_segment(&l, w[0], w[1])
                 : count == 3 ? in_triangle(&l, w)
                              : in_tetrahedron(&l, w);
    return holds && l.exact;
}

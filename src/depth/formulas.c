// The support functions of boxes, ellipsoids, cylinders, cones and capsules as sums of terms.
#include "depth/formulas.h"

double apart_formulas_root(const root* r, vec3 n) {
    double sum = 0;
    for (int i = 0; i < r->rank; ++i) {
        double x = vec3_dot(r->u[i], n);
        sum += x * x;
    }
    return sqrt(sum);
}

/// A root of `rank` columns with lengths from `least` to `most`, in axes that are square to each other but for `skew`.
static root make_root(const vec3* u, int rank, double least, double most, double skew) {
    root r = {.rank = rank, .low = rank == 3 ? least * (1 - skew) : 0, .high = most * (1 + skew)};
    for (int i = 0; i < rank; ++i) {
        r.u[i] = u[i];
        symmetric_add(&r.square, 1, u[i]);
        r.trace += vec3_dot(u[i], u[i]);
    }
    r.reach = sqrt(r.trace);
    return r;
}

static int add_root(terms* p, root r) {
    p->root[p->roots] = r;
    return p->roots++;
}

static vec3 column(const mat3* r, int i, double s) { return vec3_make(s * r->m[0][i], s * r->m[1][i], s * r->m[2][i]); }

static void add_linear(terms* p, vec3 c) {
    p->c = vec3_add(p->c, c);
    p->weight += vec3_sum_abs(c);
}

static void add_ellipsoid(terms* p, const mat3* r, vec3 e, double skew) {
    vec3 u[3] = {column(r, 0, e.x), column(r, 1, e.y), column(r, 2, e.z)};
    add_root(p, make_root(u, 3, smaller(e.x, smaller(e.y, e.z)), vec3_max_abs(e), skew));
}

static void add_segment(terms* p, vec3 u) {
    double length = vec3_length(u) * (1 + 0x1p-50);
    add_root(p, make_root(&u, 1, 0, length, 0));
}

static int add_disc(terms* p, const mat3* r, double radius, double skew) {
    vec3 u[2] = {column(r, 0, radius), column(r, 1, radius)};
    return add_root(p, make_root(u, 2, 0, radius, skew));
}

/// The squares of lengths below this may vanish: nothing is concluded from them.
#define SMALLEST 0x1p-400

static void add_cylinder(terms* p, const mat3* r, vec3 e, double skew) {
    int disc = add_disc(p, r, e.x, skew);
    add_segment(p, column(r, 2, e.z));
    if (e.x > SMALLEST && e.z > SMALLEST) p->group[p->groups++] = (group){disc, 2, {e.x, e.z}, skew};
}

static void add_cone(terms* p, const mat3* r, vec3 e, double skew, double sign) {
    add_linear(p, column(r, 2, -sign * e.z));
    int disc = add_disc(p, r, e.x, skew);
    if (e.z == 0) return;
    vec3 axes[3] = {column(r, 0, 1), column(r, 1, 1), column(r, 2, 1)};
    cone* c = &p->cone[p->cones++];
    c->axis = vec3_scale(sign, axes[2]);
    c->height = 2 * e.z;
    c->radius = e.x;
    c->kink = e.x / sqrt(e.x * e.x + c->height * c->height);
    c->disc = disc;
    c->length = make_root(axes, 3, 1, 1, skew);
    p->root[disc].low = p->root[disc].high = 0; // told by the range of x
}

/// False if h of this body is not made of roots and cones.
static bool add_body(terms* p, const posed_body* body, double sign) {
    const apart_shape* s = body->shape;
    const mat3* r = &body->pose->rotation;
    // |R^T R - I| is at most three times its largest entry.
    double skew = mat3_stretch(r);
    vec3 e = vec3_scale(body->factor, s->extent);
    switch (s->kind) {
    case SHAPE_ELLIPSOID:
        add_ellipsoid(p, r, e, skew);
        return true;
    case SHAPE_CYLINDER:
        add_cylinder(p, r, e, skew);
        return true;
    case SHAPE_CONE:
        add_cone(p, r, e, skew, sign);
        return true;
    case SHAPE_BOX:
        if (smaller(e.x, smaller(e.y, e.z)) > SMALLEST)
            p->group[p->groups++] = (group){p->roots, 3, {e.x, e.y, e.z}, skew};
        add_segment(p, column(r, 0, e.x));
        add_segment(p, column(r, 1, e.y));
        add_segment(p, column(r, 2, e.z));
        return true;
    case SHAPE_POLYTOPE: {
        if (s->polytope.count > 2) return false;
        vec3 first = posed_point(body, shape_vertex(s, 0)),
             last = posed_point(body, shape_vertex(s, s->polytope.count - 1));
        add_linear(p, vec3_scale(sign, vec3_scale(0.5, vec3_add(first, last))));
        if (s->polytope.count == 2) add_segment(p, vec3_scale(0.5, vec3_sub(last, first)));
        return true;
    }
    default:
        return false;
    }
}

bool apart_formulas_make(const difference* k, terms* p) {
    *p = (terms){.weight = 0};
    add_linear(p, k->offset);
    if (!add_body(p, &k->a, 1)) return false;
    p->roots_of_a = p->roots;
    p->cones_of_a = p->cones;
    return add_body(p, &k->b, -1);
}

double apart_formulas_value(const terms* p, int i, vec3 n, double* at) {
    if (i < p->roots) return *at = p->root[i].high > 0 ? apart_formulas_root(&p->root[i], n) : 0;
    const cone* c = &p->cone[i - p->roots];
    double along = vec3_dot(c->axis, n);
    *at = along / apart_formulas_root(&c->length, n);
    return larger(c->height * along, apart_formulas_root(&p->root[c->disc], n));
}

double apart_formulas_height(const terms* p, vec3 n) {
    double sum = vec3_dot(p->c, n), at;
    for (int i = 0; i < p->roots + p->cones; ++i) sum += apart_formulas_value(p, i, n, &at);
    return sum;
}

/// A point of a box or a segment, given from -1 to 1 along its edges, by its corners: from the first to the last, one
/// edge after the other, those that are followed farthest first.
static void carry_corners(const posed_body* body, const double along[3], carrier* out) {
    int edges = body->shape->kind == SHAPE_BOX ? 3 : shape_vertex_count(body->shape) > 1;
    int order[3] = {0, 1, 2};
    for (int i = 1; i < edges; ++i)
        for (int j = i; j > 0 && along[order[j]] > along[order[j - 1]]; --j) {
            int swap = order[j];
            order[j] = order[j - 1];
            order[j - 1] = swap;
        }
    double before = 1;
    uint32_t corner = 0;
    for (int i = 0; i <= edges; ++i) {
        double after = i < edges ? 0.5 * (1 + along[order[i]]) : 0;
        carrier_add(out, corner, posed_point(body, shape_vertex(body->shape, corner)), larger(0, before - after));
        if (i < edges) corner |= 1u << order[i];
        before = after;
    }
}

void apart_formulas_carry(const posed_body* body, vec3 point, const double along[3], carrier* out) {
    vec3 base = body->shape->kind == SHAPE_CONE ? vec3_make(0, 0, -body->shape->extent.z) : vec3_make(0, 0, 0);
    out->count = 0;
    if (shape_has_vertices(body->shape)) {
        carry_corners(body, along, out);
    } else {
        carrier_add(out, NO_VERTEX, vec3_add(posed_point(body, base), point), 1);
    }
}

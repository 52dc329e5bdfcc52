#include "depth/touching.h"

/// How far n is from the kink of part i, in what it would cost to be at it.
static double kink_cost(const terms* p, int i, double at) {
    if (i < p->roots) return at;
    const cone* c = &p->cone[i - p->roots];
    return fabs(at - c->kink) * (c->height + c->radius * c->radius / c->height);
}

void apart_touching_ranges(const terms* p, vec3 n, double near, range* ranges) {
    for (int i = 0; i < p->roots + p->cones; ++i) {
        double at;
        apart_formulas_value(p, i, n, &at);
        ranges[i] = (range){at, at};
        if (kink_cost(p, i, at) > near) continue;
        double kink = i < p->roots ? 0 : p->cone[i - p->roots].kink, high = i < p->roots ? p->root[i].high : kink;
        ranges[i] = (range){smaller(at, kink), larger(at, high)};
    }
}

/// The point of a root's body with the slopes of h_K at n, from its middle: U t.
static vec3 root_point(const root* r, const handle* h, vec3 n, double t[3]) {
    vec3 point = {0, 0, 0};
    double s = apart_formulas_root(r, n);
    for (int i = 0; i < r->rank; ++i) {
        t[i] = h ? h->t[i] : s > ROOT_SHORT ? vec3_dot(r->u[i], n) / s : 0;
        point = vec3_mad(point, t[i], r->u[i]);
    }
    return point;
}

/// The same of a cone, from the middle of its base: part of the way from the rim to the apex.
static vec3 cone_point(const terms* p, const cone* c, const handle* h, vec3 n) {
    double t[3], value = apart_formulas_root(&p->root[c->disc], n), apex = c->height * vec3_dot(c->axis, n) > value;
    vec3 rim = root_point(&p->root[c->disc], h && h->root ? h : NULL, n, t);
    double low = c->radius * c->radius / c->height;
    if (h && h->cone) apex = larger(0, smaller(1, (h->t[0] + low) / (c->height + low)));
    return vec3_add(vec3_scale(1 - apex, rim), vec3_scale(apex * c->height, c->axis));
}

void apart_carry(const terms* p, const minorant* x, const posed_body* body, double sign, vec3 n, carrier* out) {
    bool second = sign < 0;
    int first = second ? p->roots_of_a : 0, last = second ? p->roots : p->roots_of_a;
    int cone_first = second ? p->cones_of_a : 0, cone_last = second ? p->cones : p->cones_of_a;
    vec3 point = {0, 0, 0};
    double t[3] = {0, 0, 0}, along[3] = {0, 0, 0};
    for (int i = first; i < last; ++i) {
        const handle* h = x->first[i] < x->first[i + 1] ? &x->free.handle[x->first[i]] : NULL;
        bool disc = cone_first < cone_last && p->cone[cone_first].disc == i;
        if (!disc) point = vec3_add(point, root_point(&p->root[i], h, n, t));
        if (i - first < 3) along[i - first] = sign * t[0];
    }
    for (int i = cone_first; i < cone_last; ++i) {
        int j = p->roots + i;
        const handle* h = x->first[j] < x->first[j + 1] ? &x->free.handle[x->first[j]] : NULL;
        point = vec3_add(point, cone_point(p, &p->cone[i], h, n));
    }
    apart_formulas_carry(body, vec3_scale(sign, point), along, out);
}

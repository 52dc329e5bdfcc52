// How long are two convex pieces certainly apart? Bounds of second order along a direction that is fixed in the world,
// in a's frame or in b's, as the normal of a face is, or that turns as it did before, as the normal of two edges does.
//
// Let n be a unit vector that turns with the frame, o the frame's origin (the pivot of its body; any fixed point, if it
// is the world), Omega its angular velocity. A point x of a body has the pivot c and r = x - c, the velocity v of the
// pivot relative to o and the angular velocity w = Omega + delta. Its height along n is f(s) = n . (x - o). Now
//     f  = n . (c - o) + n . r
//     f' = n . v + (Omega x n) . (c - o) + (n x delta) . r
// and at any time, seen in the turning frame, with constant Omega and w,
//     f'' = n . [(delta x Omega) x r + delta x (delta x r) - 2 Omega x v + Omega x (Omega x (c - o))]
// (x - o has the acceleration z'' - 2 Omega x z' + Omega x (Omega x z) there, z = c - o + r, z' = v + w x r,
// z'' = w x (w x r); the terms with r collect by Jacobi's identity). So
//     |f''| <= |delta x Omega| |r| + |n x delta| |delta| |r| + |n x Omega| (2 |v| + |Omega| |c - o|)
// where |n x delta| grows by at most |delta x Omega| s, and |c - o| by |v| s. Rates that change, by at most change_X of
// the body and change_f of the frame, add n . (w' x r) + (Omega' x n) . (c - o + r) to f''. In the world, where Omega
// is 0, |r| may be taken as the distance from the body's axis, its `swing`. For the frame's own body f does not change.
//
// A half-space has one direction, its normal, which is fixed in the world as it does not turn; no other is asked for.
//
// Over all points, with the support function h of the r's of each body, and a from above, b from below, the gap along n
// after time s is at least
//     G(s) = n . (c_b - c_a) + s L - h_a(n + s m_a) - h_b(-(n + s m_b)) - s^2/2 C,     m = n x delta
// with L and C the sums of the other terms. Support functions are convex, so G is concave: where ends of G(0) and G(D)
// are known, the chord between them is a bound for all s in [0, D], and one evaluation at any D proves a step. D is the
// zero of the parabola that touches G at 0, which lies beyond the zero of G.
//
// Rounding, with u = 2^-53: a support h(d) is good to 64 u |d| (reach + |pivot|), as in minkowski.h; the rest of G is
// made of few products, each rounded; velocities are rounded a few times. All of it is below MOTION_ROUNDING times the
// sum of the magnitudes. What the poses are wrong by now is |d| times as much later.
#include "mesh/halfspace.h"
#include "motion/moving.h"

/// The support point of a piece along e, in the body's coordinates; its radius is in *radius.
static vec3 piece_support(bound_side* side, vec3 e, double* radius) {
    const moving_piece* p = side->piece;
    *radius = p->shape->radius;
    if (shape_is_convex(p->shape)) {
        vec3 local = p->in_body ? mat3_tmul(&p->in_body->rotation, e) : e;
        support_point s = apart_support_find(p->shape, vec3_unit(local), SEARCH_BEST, side->hint);
        side->hint = s.vertex;
        return piece_point(p, s.point);
    }
    lowest_point lowest;
    apart_halfspace_lowest(p->shape, vec3_neg(vec3_unit(e)), 0, NULL, 0, NO_VERTEX, &lowest);
    *radius = lowest.radius;
    return lowest.point;
}

/// The support function of the r's along d, and the r that has it. Of a half-space, d is the normal.
static double support_about_pivot(double inverse, bound_side* side, vec3 d, vec3* r) {
    const apart_shape* shape = side->piece->shape;
    const mat3* turn = &side->body->now.pose.rotation;
    vec3 pivot = side->body->path.motion->pivot;
    *r = vec3_make(0, 0, 0);
    if (shape->kind == SHAPE_HALFSPACE)
        return (shape->offset * inverse - vec3_dot(shape->normal, vec3_scale(inverse, pivot))) /
               vec3_length(shape->normal);
    double length = vec3_length(d), radius;
    vec3 e = mat3_tmul(turn, d);
    vec3 x = vec3_scale(inverse, vec3_sub(piece_support(side, e, &radius), pivot));
    radius *= inverse;
    *r = mat3_mul(turn, x);
    if (length > 0) *r = vec3_mad(*r, radius / length, d);
    return vec3_dot(x, e) + radius * length;
}

double apart_bound_rest(const gap_bound* g, double s, double* bend) {
    double slack = 0, size = 0;
    *bend = 0;
    for (int i = 0; i < 2; ++i) {
        const bound_side* x = &g->side[i];
        *bend += (x->bend[0] + s * x->bend[1]) * (1 + 0x1p-40);
        slack += x->slack;
        size += x->size;
    }
    double stretch = 1 + s * g->turn, rounding = MOTION_ROUNDING * (g->size + stretch * size + s * g->rough);
    return g->still + s * g->slope - s * s / 2 * *bend - stretch * slack - rounding;
}

/// G(s); *tangent: its derivative but for the part of C.
static double evaluate_gap(gap_bound* g, double s, double* tangent, double* bend) {
    double gap = apart_bound_rest(g, s, bend);
    *tangent = g->slope;
    for (int i = 0; i < 2; ++i) {
        bound_side* x = &g->side[i];
        vec3 r;
        gap -= support_about_pivot(g->pair->inverse, x, vec3_mad(x->d, s, x->m), &r);
        *tangent -= vec3_dot(r, x->m);
    }
    return gap;
}

/// The zero of now + tangent s - bend s^2/2, now > 0; INFINITY if there is none.
static double parabola_zero(double now, double tangent, double bend) {
    double root = sqrt(tangent * tangent + 2 * bend * now);
    if (tangent >= 0 && bend == 0) return INFINITY;
    return tangent < 0 ? 2 * now / (root - tangent) : (root + tangent) / bend;
}

/// A time for which G is certainly not below 0, mostly nearly the longest, and the least G until then; 0 and G now if
/// that is not above.
static double time_above(gap_bound* g, double horizon, double* least) {
    double tangent, bend;
    const double now = *least = evaluate_gap(g, 0, &tangent, &bend);
    if (!(now > 0)) return 0;
    const double D = smaller(horizon, parabola_zero(now, tangent, bend)), then = evaluate_gap(g, D, &tangent, &bend);
    *least = larger(smaller(now, then), 0);
    return then >= 0 ? D : larger(D * (now / (now - then)) * (1 - 0x1p-50), 0);
}

/// The terms of one body. f: a frame that moves, which may be the body's own; NULL = the world.
static void set_side(gap_bound* g, int index, const moment* f) {
    bound_side* s = &g->side[index];
    const moment* x = &s->body->now;
    const vec3 n = g->n;
    double inverse = g->pair->inverse, reach = s->piece->reach * inverse, sign = index == 0 ? 1 : -1;
    s->d = vec3_scale(sign, n);
    s->m = vec3_make(0, 0, 0);
    s->bend[0] = s->bend[1] = 0;
    if (f == x) return;
    if (!x->known) {
        double most = x->speed * inverse + x->rate_most * reach;
        g->slope -= most;
        g->rough += most;
        return;
    }
    vec3 zero = {0, 0, 0}, omega = f ? f->spin : zero, delta = vec3_sub(x->spin, omega);
    vec3 v = vec3_scale(inverse, f ? vec3_sub(x->velocity, f->velocity) : x->velocity);
    vec3 way = f ? vec3_scale(inverse, vec3_sub(x->pivot, f->pivot)) : zero;
    double speed = vec3_length(v), far = vec3_length(way), sine = vec3_length(vec3_cross(n, x->axis));
    s->m = vec3_scale(sign, vec3_cross(n, delta));
    g->slope -= sign * (vec3_dot(n, v) + vec3_dot(vec3_cross(omega, n), way));
    g->rough += speed + (f ? f->rate * far : 0);
    if (!f) {
        if (x->rate_most > 0)
            s->bend[0] = sine * (x->rate_most * x->rate_most + x->rate_change) *
                         (apart_moving_swing(s->body, s->piece) * inverse);
        return;
    }
    const bool constant = x->rate_change == 0 && f->rate_change == 0;
    double frame_sine = vec3_length(vec3_cross(n, f->axis)), n_omega = f->rate_most * frame_sine;
    double twist = x->rate_most * f->rate_most * vec3_length(vec3_cross(x->axis, f->axis));
    double most = constant ? vec3_length(delta) : x->rate_most + f->rate_most;
    double n_delta = constant ? vec3_length(vec3_cross(n, delta)) : x->rate_most * sine + n_omega;
    s->bend[0] = (twist + n_delta * most) * reach + n_omega * (2 * speed + f->rate_most * far);
    s->bend[0] += (x->rate_change + f->rate_change * frame_sine) * reach + f->rate_change * frame_sine * far;
    s->bend[1] = twist * most * reach + (n_omega * f->rate_most + f->rate_change * frame_sine) * speed;
}

void apart_bound_in_frame(gap_bound* g, const moment* frame) {
    const moving_pair* m = g->pair;
    g->slope = g->rough = 0;
    g->turn = 2 * (m->body[0].now.rate_most + m->body[1].now.rate_most + (frame ? frame->rate_most : 0));
    for (int i = 0; i < 2; ++i) set_side(g, i, frame);
}

void apart_bound_init(gap_bound* g, const moving_pair* m, moving_piece piece[2], vec3 n) {
    vec3 way = vec3_scale(m->inverse, vec3_sub(m->body[1].now.pivot, m->body[0].now.pivot));
    double clearance = m->clearance * m->inverse;
    *g = (gap_bound){.pair = m, .n = n, .still = vec3_dot(n, way) - clearance};
    g->size = vec3_sum_abs(way) + fabs(clearance);
    for (int i = 0; i < 2; ++i) {
        const moment* x = &m->body[i].now;
        bound_side* s = &g->side[i];
        *s = (bound_side){.piece = &piece[i], .body = &m->body[i], .hint = NO_VERTEX};
        s->size = (piece[i].reach + vec3_sum_abs(s->body->path.motion->pivot)) * m->inverse;
        s->slack = (x->place_error + x->turn_error * piece[i].reach + piece[i].blur) * m->inverse;
    }
    apart_bound_in_frame(g, NULL);
}

double apart_moving_free(const moving_pair* m, moving_piece piece[2], vec3 n, const moment* with, double horizon,
                         double* gap) {
    const moment* frame[3] = {with, &m->body[0].now, &m->body[1].now};
    gap_bound g;
    apart_bound_init(&g, m, piece, n);
    double best = time_above(&g, horizon, gap);
    const bool others = best > 0 && moving_is_known(m) && !moving_has_plane(m);
    for (int i = 0; i < 3 && others && best < horizon; ++i) {
        if (!frame[i] || frame[i]->rate_most == 0) continue;
        apart_bound_in_frame(&g, frame[i]);
        double least, time = time_above(&g, horizon, &least);
        if (time > best) best = time, *gap = least;
    }
    *gap = *gap * m->unit + m->clearance;
    return best;
}

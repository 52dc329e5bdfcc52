// Poses of bodies that overlap: deep, shallow, or with many directions in which they are almost equally deep.
//
// Both bodies hold a ball about their own origin. While the origins are closer than the sum of the two radii the balls
// meet, so the bodies overlap whatever their rotations are.
#include "workload.h"

#include "base/vec.h"

// Where the second origin may start and how far it may stray, as parts of the two radii's sum.
#define START 0.5
#define STRAY 0.75
// The slide stops within this much of the size.
#define SLIDE_TOLERANCE 1e-9
// Then it goes to the next multiple of this much: builds whose answers differ by roundings measure the same poses.
#define GRID 1e-6
#define MAX_SLIDES 100

// How far triangle abc's plane is from the origin.
static double height(apart_vec3 a, apart_vec3 b, apart_vec3 c) {
    apart_vec3 n = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
    return vec3_dot(n, a) / vec3_length(n);
}

// Moves a body so that its own origin is the mean of its points: a hull of few random points need not hold the origin,
// but it holds their mean. Summed from both ends, since opposite corners of a box cancel and it must stay as it is.
static void centre(bench_body* body) {
    apart_vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < body->count; i++)
        sum = vec3_add(sum, vec3_add(body->points[i], body->points[body->count - 1 - i]));
    for (size_t i = 0; i < body->count; i++)
        body->points[i] = vec3_mad(body->points[i], -0.5 / (double)body->count, sum);
}

// The radius of the ball about a body's own origin that it holds.
static double inner_radius(const bench_body* body) {
    double least = INFINITY;
    switch (body->kind) {
    case BENCH_SPHERE:
    case BENCH_CAPSULE:
        return body->radius;
    case BENCH_CYLINDER:
        return fmin(body->radius, body->half_height);
    case BENCH_CONE: // the origin is half-way up: the mantle is nearer than the base
        return body->radius * body->half_height /
               sqrt(body->radius * body->radius + 4 * body->half_height * body->half_height);
    case BENCH_ELLIPSOID:
        return fmin(body->half.x, fmin(body->half.y, body->half.z));
    case BENCH_HULL:
    case BENCH_BOX:
        break;
    }
    for (size_t i = 0; i < body->triangle_count; i++) {
        const uint32_t* t = body->triangles[i];
        least = fmin(least, height(body->points[t[0]], body->points[t[1]], body->points[t[2]]));
    }
    return least;
}

// One pair on its way: the first body stays where it is.
typedef struct course {
    const apart_shape *a, *b;
    apart_pose pose_a;
    apart_mat3 rotation, turn; // of b
    apart_vec3 offset, drift;  // of b's origin from a's
    apart_vec3 way;            // along which b slides out to be shallow
    double room, size;         // how far the offset may go; diameter
} course;

static course begin(const workload* w, apart_shape** shapes, size_t pair, double degrees, rng* r) {
    const uint32_t* p = w->pair[pair];
    course c = {.a = shapes[p[0]], .b = shapes[p[1]], .size = w->size};
    double radii = inner_radius(&w->bodies[p[0]]) + inner_radius(&w->bodies[p[1]]);
    c.pose_a = rng_pose(r, rng_in_cube(r, 1));
    c.rotation = rng_rotation(r);
    c.turn = random_turn(degrees, r);
    c.offset = vec3_scale(rng_uniform(r, 0, START) * radii, rng_unit_vector(r));
    c.drift = vec3_scale(DRIFT * w->size, rng_unit_vector(r));
    c.way = rng_unit_vector(r);
    c.room = STRAY * radii;
    return c;
}

// Turns and drifts; turns back where the origin would stray too far.
static void advance(course* c) {
    apart_vec3 next = vec3_add(c->offset, c->drift);
    if (vec3_dot(next, next) > c->room * c->room) {
        c->drift = vec3_neg(c->drift);
        next = vec3_add(c->offset, c->drift);
    }
    c->offset = next;
    c->rotation = rng_product(&c->turn, &c->rotation);
}

static apart_pose pose_at(const course* c, apart_vec3 offset) {
    return (apart_pose){c->rotation, vec3_add(c->pose_a.translation, offset)};
}

// The offset, moved along the way until the bodies are just a little deep. The signed distance is a convex function of
// how far b has moved, and the lower bound's plane, with slope normal . way, is below it: Newton's steps from outside
// cannot overshoot.
static bool slide(const course* c, apart_pose* pose_b) {
    apart_vec3 side = vec3_mad(c->offset, -vec3_dot(c->offset, c->way), c->way);
    double t = 2 * c->size;
    for (int i = 0; i < MAX_SLIDES; i++) {
        apart_result result;
        *pose_b = pose_at(c, vec3_mad(side, t, c->way));
        if (!bench_ask(c->a, &c->pose_a, c->b, pose_b, APART_DEPTH_EXACT, &result)) return false;
        double excess = result.lower_bound + SHALLOW * c->size;
        if (fabs(excess) <= SLIDE_TOLERANCE * c->size) {
            *pose_b = pose_at(c, vec3_mad(side, GRID * c->size * nearbyint(t / (GRID * c->size)), c->way));
            return true;
        }
        t -= excess / vec3_dot(result.normal, c->way);
    }
    return false;
}

static bool place_step(const course* c, bool shallow, apart_pose* pose_a, apart_pose* pose_b) {
    *pose_a = c->pose_a;
    *pose_b = pose_at(c, c->offset);
    return !shallow || slide(c, pose_b);
}

static bool place_pair(workload* w, apart_shape** shapes, size_t pair, bool shallow, double degrees, rng* r) {
    course c = begin(w, shapes, pair, degrees, r);
    bool good = true;
    for (size_t step = 0; good && step < w->steps; step++) {
        size_t q = step * w->pairs + pair;
        good = place_step(&c, shallow, &w->pose_a[q], &w->pose_b[q]);
        if (w->tracked)
            advance(&c);
        else
            c = begin(w, shapes, pair, degrees, r);
    }
    return good;
}

bool place_overlapping(workload* w, bool shallow, double degrees, rng* r) {
    for (size_t i = 0; i < w->body_count; i++) centre(&w->bodies[i]);
    apart_shape** shapes = create_shapes(w);
    bool good = shapes != NULL;
    for (size_t pair = 0; good && pair < w->pairs; pair++) good = place_pair(w, shapes, pair, shallow, degrees, r);
    release_shapes(w, shapes);
    return good;
}

// ------------------------------------------------------------------------------------------------------- ties ----

// Where b is in a: its axis tilted and off by next to nothing and anywhere along a's, or its middle next to a's.
typedef struct nest {
    apart_pose pose_a;
    apart_mat3 rotation, turn; // of b in a; how both change in a step
    apart_vec3 offset;
    bool on_axis;
} nest;

static nest nest_random(tie t, double size, double degrees, rng* r) {
    double small = t == TIE_AXIS ? 0 : rng_magnitude(r, -20, -14), half = degrees * (3.14159265358979323846 / 360);
    apart_vec3 u = rng_unit_vector(r);
    nest n = {.pose_a = rng_pose(r, rng_in_cube(r, 1)), .on_axis = t != TIE_MIDDLE};
    n.offset = vec3_scale(small * size, rng_unit_vector(r));
    n.rotation = rng_rotation(r);
    n.turn = random_turn(degrees, r);
    if (!n.on_axis) return n;
    n.rotation = rng_matrix(1, small * u.x / 2, small * u.y / 2, 0);
    n.turn = rng_matrix(cos(half), 0, 0, sin(half));
    n.offset.z = size * rng_uniform(r, -0.1, 0.1);
    return n;
}

// The turn moves the place as well, so that b goes around; along an axis it drifts towards the middle.
static void nest_advance(nest* n, double size) {
    n->rotation = rng_product(&n->turn, &n->rotation);
    n->offset = mat3_mul(&n->turn, n->offset);
    if (n->on_axis) n->offset.z += n->offset.z < 0 ? DRIFT * size : -DRIFT * size;
}

void place_ties(workload* w, tie t, double degrees, rng* r) {
    for (size_t pair = 0; pair < w->pairs; pair++) {
        nest n = nest_random(t, w->size, degrees, r);
        for (size_t step = 0; step < w->steps; step++) {
            size_t q = step * w->pairs + pair;
            w->pose_a[q] = w->pose_b[q] = n.pose_a;
            w->pose_b[q].rotation = rng_product(&n.pose_a.rotation, &n.rotation);
            w->pose_b[q].translation = vec3_add(n.pose_a.translation, mat3_mul(&n.pose_a.rotation, n.offset));
            if (w->tracked)
                nest_advance(&n, w->size);
            else
                n = nest_random(t, w->size, degrees, r);
        }
    }
}

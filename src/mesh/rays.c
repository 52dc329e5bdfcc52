// A ray from a point inside a closed surface leaves it once more often than it enters. Crossings of walls whose
// triangles agree on their outside count with their sign, so that solids may overlap, and a closed surface inside
// another one is a cavity if it is turned inside out: the point is inside if the sum is not 0. Walls that disagree are
// counted: a point that an odd number of them surrounds is inside if all walls around it are an odd number.
//
// A ray that passes an edge too closely for rounding to tell the side is thrown away, and the next one is tried. Where
// the solids have no holes, the first clean ray is the answer. Where they have, a ray may slip through one: the
// majority of the clean ones decides.
#include "mesh/rays.h"

#include "mesh/wide.h"

/// Rays at most, and how many decide where there are holes. Odd.
#define MOST_RAYS 16
#define VOTES 7

/// The volumes below are products of three differences of numbers within the unit ball, each within a few roundings.
#define ROUNDING 0x1p-48

typedef struct tally {
    int sum;    // of signed walls
    bool odd;   // of the others
    bool clean; // no crossing was in doubt
} tally;

/// Walls that disagree on their outside can only be counted, and then all are: an odd number of walls around a point
/// that lies within some of those. The sum is odd if the number of signed walls is.
static bool is_held(const tally* t) { return t->odd ? t->sum % 2 == 0 : t->sum != 0; }

/// Directions that no model is aligned with, the same ones everywhere. The first one leads away from the middle of the
/// mesh, which is the shorter way out.
static vec3 ray_direction(int number, vec3 out) {
    static const double sine[8] = {0.0871557427, 0.7933533403,  -0.6691306064, -0.2419218956,
                                   0.9612616959, -0.6087614290, -0.4383711468, 0.9743700648};
    int i = number & 7, j = (number * 3 + 1) & 7;
    vec3 turn = vec3_make(sine[i], sine[j], sine[(i + j + number / 8) & 7] + 0.0123456789);
    return vec3_unit(number == 0 ? vec3_mad(vec3_unit(out), 0.173, turn) : turn);
}

/// A ray, and how well its start is known; or, without a length, all that is within `blur` of it, to meet nothing.
typedef struct ray {
    vec3 start, direction;
    double length, blur;
} ray;

/// Adds the crossing of a ray and a triangle, if there is one. p: the corners less the start.
static void count_triangle(const vec3 p[3], const ray* r, uint8_t wall, tally* t) {
    vec3 d = r->direction;
    double volume[3], doubt[3];
    int left = 0, right = 0;
    for (int i = 0; i < 3; ++i) {
        vec3 a = p[i], b = p[(i + 1) % 3];
        volume[i] = vec3_dot(d, vec3_cross(a, b));
        double size_a = vec3_max_abs(a), size_b = vec3_max_abs(b);
        doubt[i] = ROUNDING * (size_a * size_b + size_a + size_b) + 2 * r->blur * (size_a + size_b);
        left += volume[i] > doubt[i];
        right += volume[i] < -doubt[i];
    }
    if (left > 0 && right > 0) return;
    // The line passes inside, or too near to an edge to tell. Is that ahead?
    vec3 e = vec3_sub(p[1], p[0]), f = vec3_sub(p[2], p[0]), n = vec3_cross(e, f);
    double height = vec3_dot(n, p[0]), slope = vec3_dot(n, d), size = vec3_max_abs(e) * vec3_max_abs(f);
    double unsure = ROUNDING * (size * (1 + vec3_max_abs(p[0]))) + 2 * r->blur * vec3_max_abs(n);
    if (height * slope < 0 && fabs(height) > unsure) return;
    if ((left < 3 && right < 3) || !(fabs(height) > unsure)) {
        t->clean = false;
        return;
    }
    if (wall == WALL_SIGNED)
        t->sum += left == 3 ? 1 : -1;
    else
        t->odd = !t->odd;
}

static void count_item(const mesh* m, uint32_t item, const ray* r, tally* t) {
    if (m->wall[item] == WALL_NONE) return;
    if (r->length == 0) {
        t->clean = false;
        return;
    }
    vec3 p[3];
    mesh_triangle_corners(m, item, p);
    for (int i = 0; i < 3; ++i) p[i] = vec3_sub(p[i], r->start);
    count_triangle(p, r, m->wall[item], t);
}

/// All crossings of one ray; stops at the first that is in doubt.
static tally cast_ray(const mesh* m, const ray* r) {
    const kernels* wide = apart_kernels();
    tally t = {.clean = true};
    uint32_t stack[TREE_STACK];
    int height = 1;
    stack[0] = 0;
    while (height > 0 && t.clean) {
        const tree_node* node = &m->tree.nodes[stack[--height]];
        for (unsigned hit = wide->ray(node, r->start, r->direction, r->length, r->blur); hit; hit &= hit - 1) {
            uint32_t child = node->child[__builtin_ctz(hit)];
            if (tree_is_item(child))
                count_item(m, child & ~TREE_ITEM, r, &t);
            else
                stack[height++] = child;
        }
    }
    return t;
}

bool apart_rays_are_clear(const apart_shape* shape, vec3 point, double reach) {
    const ray r = {.start = point, .direction = {1, 0, 0}, .blur = reach};
    return reach < 0x1p20 && cast_ray(shape->mesh, &r).clean;
}

inside apart_inside(const apart_shape* shape, vec3 point, double blur) {
    const mesh* m = shape->mesh;
    if (m->topology.solids == 0) return OUTSIDE;
    vec3 low = vec3_sub(point, shape->lower), high = vec3_sub(shape->upper, point);
    if (!(low.x >= 0 && low.y >= 0 && low.z >= 0 && high.x >= 0 && high.y >= 0 && high.z >= 0)) return OUTSIDE;
    int held = 0, clean = 0, votes = m->topology.leaky > 0 ? VOTES : 1;
    for (int i = 0; i < MOST_RAYS && 2 * held < votes && 2 * (clean - held) < votes; ++i) {
        vec3 direction = ray_direction(i, vec3_sub(point, shape->center));
        tally t = cast_ray(m, &(ray){point, direction, INFINITY, blur + m->topology.seam});
        clean += t.clean;
        held += t.clean && is_held(&t);
    }
    return clean == 0 ? ON_SURFACE : 2 * held > clean ? INSIDE_SOLID : OUTSIDE;
}

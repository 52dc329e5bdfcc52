// The distance of a half-space and a bounded body is how high the lowest point of the body is above the plane, and if
// that is below it, the depth is how far: a body of any kind comes out along the normal by its support value. So one
// point is found, a support point of a convex body, of a mesh or a union by a search of its tree, and nothing is left
// open but rounding.
//
// The plane in the world. Of the half-space N . x <= D at the pose x -> R x + t, the points are N . R^-1 (y - t) <= D.
// R is used as given, so that R^-1 is not its transpose: with the cofactors C of R, R^-1 = C^T / det R and
//     height of y = (w . (y - t) - D det R) / |w|,     w = C N.
//
// Rounding, with u = 2^-53. Let M be the sums of the magnitudes of the terms that w consists of, over |w|. Where R is a
// permutation of the axes, M has the zeros of the normal. Of unit rows p and q the sums |p_k q_l| + |p_l q_k| have a
// square sum of at most 1 + (sum |p_k q_k|)^2 - 2 sum (p_k q_k)^2 <= 4/3, so that |M| <= 2.
//   normal    5 u M |w| in w: products, difference, products, sums; one quotient        6 u M, together 11 u
//   offset    det R 6 u, a product, a quotient                                          8 u of it
//   y - t     of the body's origin: rounded once, products, sums                        5 u M . |y - t|
//   g         R'^T normal with the body's pose R', for a part of a union once more      11 u of the normal, 2 * 5.2 u
//   g . p     at the point found and at the lowest, p within the size of the body       6 u
//   the hull  points that are left out, HULL_SLACK of a body of size > 1/4              16 u
//   |w|       a factor of all: 10 u of w, 3 u of the root                               13 u of the height
// Together heights are known to 64 u (M . |t' - t| + |offset| + size of the body): `rounding`. A box of a tree that is
// left out has no hull, but 15 u of its own. What is nearly 0 has lost bits when it was scaled: 16 of the smallest
// doubles. Numbers stay in the caller's unit, as they are added only.
#include "mesh/halfspace.h"

#include "convex/cache.h"
#include "mesh/nearest.h"

// ------------------------------------------------------------------------------------------- the lowest point ----

/// A search for it.
typedef struct descent {
    const apart_query* query;
    double rounding; // of heights
    support_search how;
    uint32_t hint;
    lowest_point* best;
} descent;

/// A convex body, a mesh, or a union: the whole body, or a part of it.
typedef struct descent_piece {
    const apart_shape* shape;
    vec3 g;                    // the functional in its own coordinates
    double base;               // the height of their origin
    const apart_pose* in_body; // NULL = they are the body's
    uint32_t number;           // of the part
} descent_piece;

/// Below this something is looked at: what is left out leaves a lower end that is as good as was asked for after
/// rounding.
static double limit_of(const descent* s) {
    double height = s->best->height, limit = apart_query_limit(s->query, height + s->rounding, 1);
    return smaller(limit + 2 * s->rounding, height);
}

/// Leaves out what is not below a height.
static void leave_out(descent* s, double height) { s->best->bound = smaller(s->best->bound, height); }

/// Takes a point of the stored core if the body is lower there. True if so.
static bool take_point(descent* s, const descent_piece* p, vec3 stored, double height) {
    s->best->measured += 1;
    if (!(height < s->best->height)) return false;
    vec3 local = shape_to_local(p->shape, stored);
    s->best->height = height;
    s->best->point = p->in_body ? vec3_add(mat3_mul(&p->in_body->rotation, local), p->in_body->translation) : local;
    s->best->radius = p->shape->radius;
    s->best->witness = (apart_witness){.part = p->number};
    return true;
}

/// The height of a value g . stored.
static double height_of(const descent_piece* p, double value) {
    const apart_shape* s = p->shape;
    double base = vec3_is_zero(s->origin) ? p->base : p->base + vec3_dot(p->g, s->origin);
    return base + s->scale * value - s->radius;
}

static void look_at_convex(descent* s, const descent_piece* p) {
    support_point found = apart_support_find(p->shape, vec3_neg(p->g), s->how, s->hint);
    s->best->supports += 1;
    s->best->visits += found.visits;
    // Only a caller's function can leave the unit ball.
    if (!(vec3_sum_abs(found.point) <= 4)) {
        s->best->status = vec3_is_finite(found.point) ? APART_INVALID : APART_NOT_FINITE;
        return;
    }
    if (!take_point(s, p, found.point, height_of(p, vec3_dot(p->g, found.point)))) return;
    s->best->vertex = found.vertex;
    if (found.vertex == NO_VERTEX) return;
    s->best->witness.count = 1;
    s->best->witness.vertex[0] = p->shape->polytope.caller[found.vertex];
    s->best->witness.weight[0] = 1;
}

static void look_at_triangle(descent* s, const descent_piece* p, uint32_t item) {
    const mesh* m = p->shape->mesh;
    uint32_t lowest = 0;
    double value[3];
    for (uint32_t i = 0; i < 3; ++i) {
        value[i] = vec3_dot(p->g, m->vertex[m->triangle[item][i]]);
        if (value[i] < value[lowest]) lowest = i;
    }
    const uint32_t corner = m->triangle[item][lowest];
    if (!take_point(s, p, m->vertex[corner], height_of(p, value[lowest]))) return;
    s->best->witness.triangle = m->caller[item];
    s->best->witness.count = 1;
    s->best->witness.vertex[0] = corner;
    s->best->witness.weight[0] = 1;
}

static void look_at_piece(descent* s, const descent_piece* p);

static void look_at_part(descent* s, const descent_piece* p, uint32_t item) {
    const part_list* list = p->shape->parts;
    const apart_pose* pose = &list->part[item].pose;
    const descent_piece part = {.shape = list->part[item].shape,
                                .g = mat3_tmul(&pose->rotation, p->g),
                                .base = p->base + vec3_dot(p->g, pose->translation),
                                .in_body = pose,
                                .number = list->number[item]};
    look_at_piece(s, &part);
}

/// A place of a tree that waits, and the height above which all of it is.
typedef struct low_place {
    double low;
    tree_place at;
} low_place;

/// Puts the children of a node on the stack, the lowest on top, without those that are too high. Returns how many wait.
static int open_node(descent* s, const descent_piece* p, const tree* t, uint32_t number, low_place* stack, int count) {
    const tree_node* node = &t->nodes[number];
    const double limit = limit_of(s);
    const int base = count;
    for (uint32_t i = 0; i < LANE_COUNT && node->child[i] != TREE_NONE; ++i) {
        tree_box box = tree_lane_box(node, i);
        double low = height_of(p, vec3_dot(p->g, box.center) - tree_box_reach(&box, p->g));
        s->best->visits += 1;
        if (low >= limit) {
            leave_out(s, low);
            continue;
        }
        int k = count++;
        for (; k > base && stack[k - 1].low < low; --k) stack[k] = stack[k - 1];
        stack[k] = (low_place){low, number * LANE_COUNT + i};
    }
    return count;
}

/// Depth first, the lowest box first.
static void search_tree(descent* s, const descent_piece* p, const tree* t) {
    low_place stack[TREE_STACK];
    stack[0] = (low_place){-INFINITY, 0};
    for (int count = 1; count > 0 && s->best->status == APART_OK;) {
        const low_place next = stack[--count];
        const uint32_t child = tree_child(t, next.at);
        if (next.low >= limit_of(s))
            leave_out(s, next.low);
        else if (!tree_is_item(child))
            count = open_node(s, p, t, child, stack, count);
        else if (p->shape->kind == SHAPE_MESH)
            look_at_triangle(s, p, child & ~TREE_ITEM);
        else
            look_at_part(s, p, child & ~TREE_ITEM);
    }
}

static void look_at_piece(descent* s, const descent_piece* p) {
    if (shape_is_convex(p->shape))
        look_at_convex(s, p);
    else
        search_tree(s, p, p->shape->kind == SHAPE_MESH ? &p->shape->mesh->tree : &p->shape->parts->tree);
}

void apart_halfspace_lowest(const apart_shape* shape, vec3 g, double base, const apart_query* query, double rounding,
                            uint32_t hint, lowest_point* lowest) {
    static const apart_query exactly = {.cutoff = INFINITY, .depth = APART_DEPTH_EXACT};
    if (!query) query = &exactly;
    const apart_method method = query->method;
    *lowest = (lowest_point){.height = INFINITY, .bound = INFINITY, .vertex = NO_VERTEX};
    descent s = {.query = query, .rounding = rounding, .hint = hint, .best = lowest};
    s.how = method == APART_METHOD_GJK ? SEARCH_LINEAR : method == APART_METHOD_AUTO ? SEARCH_BEST : SEARCH_CLIMB;
    look_at_piece(&s, &(descent_piece){.shape = shape, .g = g, .base = base});
}

// ------------------------------------------------------------------------------------------------- the plane ----

/// The half-space normal . (y - its translation) <= offset of the world.
typedef struct world_plane {
    vec3 normal; // unit
    double offset;
    vec3 magnitude; // M
} world_plane;

static world_plane plane_in_world(const apart_shape* s, const mat3* r) {
    const double n[3] = {s->normal.x, s->normal.y, s->normal.z};
    double w[3] = {0}, magnitude[3] = {0}, determinant = 0;
    for (int i = 0; i < 3; ++i) {
        const double *p = r->m[(i + 1) % 3], *q = r->m[(i + 2) % 3];
        for (int j = 0; j < 3; ++j) {
            int k = (j + 1) % 3, l = (j + 2) % 3;
            double one = p[k] * q[l], other = p[l] * q[k];
            w[i] += (one - other) * n[j];
            magnitude[i] += (fabs(one) + fabs(other)) * fabs(n[j]);
            if (i == 0) determinant += r->m[0][j] * (one - other);
        }
    }
    const double length = vec3_length(vec3_make(w[0], w[1], w[2]));
    return (world_plane){.normal = vec3_make(w[0] / length + 0, w[1] / length + 0, w[2] / length + 0),
                         .offset = s->offset * determinant / length,
                         .magnitude = vec3_scale(1 / length, vec3_make(magnitude[0], magnitude[1], magnitude[2]))};
}

/// How far points of a body are from its origin, radius included; for a union all that enters.
static double size_of(const apart_shape* s) {
    if (s->kind == SHAPE_UNION) return s->parts->far;
    return s->scale * s->bound + s->radius + vec3_sum_abs(s->origin);
}

/// What heights may be wrong by, also because nested unions were made of rounded poses.
static double rounding_of(const world_plane* plane, vec3 way, const apart_shape* s) {
    const vec3 m = plane->magnitude;
    double terms = m.x * fabs(way.x) + m.y * fabs(way.y) + m.z * fabs(way.z) + fabs(plane->offset) + size_of(s);
    double rounding = terms > 0 ? 0x1p-47 * terms + 0x1p-1070 : 0;
    return s->kind == SHAPE_UNION ? rounding + s->parts->loose : rounding;
}

// ----------------------------------------------------------------------------------------------- the answer ----

static void set_bracket(const apart_query* query, const lowest_point* low, double rounding, apart_result* r) {
    const bool flat = query->depth == APART_DEPTH_NONE;
    r->distance = low->height + 0; // no negative zero
    r->upper_bound = r->distance + rounding;
    r->lower_bound = smaller(r->distance, low->bound) - rounding;
    if (flat && r->upper_bound <= 0) r->distance = r->lower_bound = r->upper_bound = 0;
    if (flat) r->lower_bound = larger(r->lower_bound, 0);
    if (flat) r->distance = larger(r->distance, 0);
}

/// The lowest point and the one of the plane below it; where they overlap without a depth, the lowest alone.
static void set_points(const apart_query* query, const lowest_point* low, vec3 n, const apart_pose* pose,
                       apart_result* r) {
    vec3 core = vec3_add(mat3_mul(&pose->rotation, low->point), pose->translation);
    const bool common = query->depth == APART_DEPTH_NONE && r->upper_bound == 0;
    r->normal = n;
    r->point_b = vec3_mad(core, -low->radius, n);
    r->point_a = common ? r->point_b : vec3_mad(r->point_b, -r->distance, n);
    r->a = (apart_witness){0};
    r->b = low->witness;
}

/// From a half-space b's point of view.
static void swap_sides(apart_result* r) {
    const vec3 point = r->point_a;
    const apart_witness witness = r->a;
    r->point_a = r->point_b;
    r->point_b = point;
    r->a = r->b;
    r->b = witness;
    r->normal = vec3_sub(vec3_make(0, 0, 0), r->normal); // no negative zeros
}

/// The one step, of the cores.
static void trace_step(const apart_query* query, const apart_result* r, double radius, bool body_first) {
    apart_step step = {.iteration = 1, .count_a = 1, .count_b = 1, .weight_a = {1}, .weight_b = {1}};
    step.a[0] = step.point_a = body_first ? vec3_mad(r->point_a, -radius, r->normal) : r->point_a;
    step.b[0] = step.point_b = body_first ? r->point_b : vec3_mad(r->point_b, radius, r->normal);
    step.upper = r->upper_bound;
    step.lower = r->lower_bound;
    query->trace(&step, query->trace_context);
}

/// The counters of the result are ints.
static int counted(int64_t n) { return n < INT32_MAX ? (int)n : INT32_MAX; }

apart_status apart_halfspace_measure(const posed_shape* a, const posed_shape* b, const apart_query* query, double slack,
                                     apart_cache* cache, apart_result* result) {
    const bool body_first = b->shape->kind == SHAPE_HALFSPACE;
    const posed_shape *flat = body_first ? b : a, *body = body_first ? a : b;
    if (body->shape->kind == SHAPE_HALFSPACE || query->method == APART_METHOD_SPHERES) return APART_UNSUPPORTED;
    const world_plane plane = plane_in_world(flat->shape, &flat->pose->rotation);
    const vec3 way = vec3_sub(body->pose->translation, flat->pose->translation);
    const double base = vec3_dot(plane.normal, way) - plane.offset;
    const int hint = body_first ? CACHE_HINT_A : CACHE_HINT_B;
    const double rounding = rounding_of(&plane, way, body->shape) + slack;
    lowest_point low;
    apart_halfspace_lowest(body->shape, mat3_tmul(&body->pose->rotation, plane.normal), base, query, rounding,
                           cache ? cache->words[hint] : NO_VERTEX, &low);
    if (low.status != APART_OK) return low.status;
    apart_result r = {
        .iterations = counted(low.measured), .supports = counted(low.supports), .visits = counted(low.visits)};
    set_bracket(query, &low, rounding, &r);
    set_points(query, &low, plane.normal, body->pose, &r);
    if (body_first) swap_sides(&r);
    if (query->trace && shape_is_convex(body->shape)) trace_step(query, &r, low.radius, body_first);
    *result = r;
    if (!cache) return APART_OK;
    cache->words[CACHE_KIND] = CACHE_NOTHING;
    cache->words[hint] = low.vertex;
    cache_set_normal(cache, r.normal);
    return APART_OK;
}

// How the distance changes with the two poses (Gilbert, Johnson, Keerthi 1988, sec. II).
//
// The signed distance is the extreme, over pairs of points or over directions, of a function that is smooth in the
// poses. By the envelope theorem only that function changes, not the nearest pair: with the normal n from a to b and
// the arm r from the origin of a body to its nearest point
//     slope_a = (-n, -(r_a x n)),     slope_b = (n, r_b x n)          (linear, angular).
// A radius moves the nearest point along n, which r x n does not feel. So this holds for all bodies, apart or
// overlapping, and is the gradient where the nearest pair is the only one.
//
// Whether it is: the nearest point lies on a feature of its body that is square to n, a point, a segment or a flat, and
// the nearest pairs are what the two features share, seen along n. That is one point if a feature is a point, or if
// both are segments that are not parallel; else it counts as more.
#include "base/pose.h"
#include "convex/closed_forms.h"
#include "mesh/mesh.h"

/// What heights and places of corners may differ by through rounding, in stored units, in which they are below 1: one
/// rounding as stored, six for a direction in the frame of the body (twelve in a part of a union), four for a height
/// along it, the same for the weighted sum of corners; and all that again for the other end.
#define CORNER_ROUNDING 0x1p-47

/// The part of a body that carries its nearest point; the body itself if it is no union.
typedef struct carrying_part {
    const apart_shape* shape; // convex, or a mesh
    apart_pose pose;          // in the world
    vec3 point;               // of a mesh: the nearest point of its surface, stored units
} carrying_part;

/// What is square to the normal about a nearest point: the span of the corners that are as high along the normal.
typedef struct feature {
    vec3 normal;        // in the frame of the body
    double loose, tilt; // a corner is as high if it is within loose + tilt times how far it is away
    int dimension;      // 0 point, 1 segment, 2 flat
    vec3 way;           // to the farthest corner; stored units
    double length;      // of it
} feature;

/// Adds a corner, seen from a point of the feature, if it is as high.
static void feature_add(feature* f, vec3 way) {
    double length = vec3_length(way);
    if (!(length > CORNER_ROUNDING) || !(fabs(vec3_dot(f->normal, way)) <= f->loose + f->tilt * length)) return;
    // The shorter way ends beside the line of the longer.
    bool beside = vec3_length(vec3_cross(way, f->way)) > CORNER_ROUNDING * larger(length, f->length);
    if (f->dimension < 2) f->dimension = beside ? 2 : 1;
    if (length > f->length) {
        f->way = way;
        f->length = length;
    }
}

// ------------------------------------------------------------------------------------------------ convex bodies ----

/// Adds the vertices of a polytope that are as high as the highest; of a large one the neighbours of that, of which any
/// edge or face of it has one or two.
static void polytope_feature(const apart_shape* s, feature* f, const support_point* top) {
    const polytope* p = &s->polytope;
    const bool large = p->climbable && p->count >= CLIMB_FROM;
    uint32_t first = large ? p->first[top->vertex] : 0, end = large ? p->first[top->vertex + 1] : p->count;
    for (uint32_t i = first; i < end; ++i)
        feature_add(f, vec3_sub(shape_vertex(s, large ? p->neighbour[i] : i), top->point));
}

/// Four points of a circle about the z axis, the first one farthest along d.
static void add_circle(feature* f, double radius, double z, vec3 top) {
    vec3 e = vec3_scale(radius, vec3_unit(vec3_make(f->normal.x, f->normal.y, 0)));
    const vec3 around[4] = {{e.x, e.y, z}, {-e.y, e.x, z}, {-e.x, -e.y, z}, {e.y, -e.x, z}};
    for (int i = 0; i < 4; ++i) feature_add(f, vec3_sub(around[i], top));
}

/// Adds the corners of a core that are as high as the highest. An ellipsoid has none, unless it is flat along the
/// normal, nor has a support function, of which nothing but the farthest point is known.
static void convex_feature(const apart_shape* s, feature* f) {
    const support_point top = apart_support_find(s, f->normal, SEARCH_BEST, 0);
    const vec3 e = s->extent, n = f->normal;
    if (shape_has_vertices(s)) polytope_feature(s, f, &top);
    if (s->kind == SHAPE_CYLINDER || s->kind == SHAPE_CONE) add_circle(f, e.x, -e.z, top.point);
    if (s->kind == SHAPE_CYLINDER) add_circle(f, e.x, e.z, top.point);
    if (s->kind == SHAPE_CONE) feature_add(f, vec3_sub(vec3_make(0, 0, e.z), top.point));
    if (s->kind != SHAPE_ELLIPSOID || vec3_length(vec3_make(e.x * n.x, e.y * n.y, e.z * n.z)) > f->loose + f->tilt)
        return;
    const vec3 tip[6] = {{e.x, 0, 0}, {-e.x, 0, 0}, {0, e.y, 0}, {0, -e.y, 0}, {0, 0, e.z}, {0, 0, -e.z}};
    for (int i = 0; i < 6; ++i) feature_add(f, vec3_sub(tip[i], top.point));
}

/// Whether the nearest point of a convex body is on its far side along n, not on the near one.
static bool is_on_far_side(const carrying_part* p, vec3 n, vec3 nearest) {
    vec3 d = mat3_tmul(&p->pose.rotation, n);
    vec3 far = apart_support_find(p->shape, d, SEARCH_BEST, 0).point;
    vec3 near = apart_support_find(p->shape, vec3_neg(d), SEARCH_BEST, 0).point;
    vec3 middle = shape_to_local(p->shape, vec3_scale(0.5, vec3_add(far, near)));
    return vec3_dot(n, vec3_sub(nearest, p->pose.translation)) > vec3_dot(d, middle);
}

// ------------------------------------------------------------------------------------------------------ meshes ----

static bool box_holds(const tree_box* box, vec3 p) {
    vec3 d = vec3_sub(p, box->center);
    bool holds = true;
    for (int j = 0; j < 3; ++j) holds &= fabs(vec3_dot(box->axis[j], d)) <= box->half[j] + CORNER_ROUNDING;
    return holds;
}

/// Adds the corners, as high as its point p, of the triangles of a surface that have p: those below a node.
static void mesh_feature(const mesh* m, uint32_t node, vec3 p, feature* f) {
    const tree_node* n = &m->tree.nodes[node];
    for (uint32_t i = 0; i < LANE_COUNT && n->child[i] != TREE_NONE; ++i) {
        tree_box box = tree_lane_box(n, i);
        if (!box_holds(&box, p)) continue;
        if (!tree_is_item(n->child[i])) {
            mesh_feature(m, n->child[i], p, f);
            continue;
        }
        const uint32_t* vertex = m->triangle[n->child[i] & ~TREE_ITEM];
        vec3 way[3];
        double weights[3];
        for (int k = 0; k < 3; ++k) way[k] = vec3_sub(m->vertex[vertex[k]], p);
        if (apart_closed_point_facet(vec3_make(0, 0, 0), way, weights) > CORNER_ROUNDING * CORNER_ROUNDING) continue;
        for (int k = 0; k < 3; ++k) feature_add(f, way[k]);
    }
}

// ----------------------------------------------------------------------------------------------------- one pair ----

/// What a witness names. False if the body has no such part, triangle or vertex.
static bool find_part(const apart_shape* shape, const apart_pose* pose, const apart_witness* w, carrying_part* out) {
    *out = (carrying_part){.shape = shape, .pose = *pose};
    if (shape->kind == SHAPE_UNION) {
        if (w->part >= shape->parts->count) return false;
        const apart_part* part = &shape->parts->part[shape->parts->place[w->part]];
        bool rounded;
        out->shape = part->shape;
        out->pose = apart_pose_compose(pose, &part->pose, &rounded);
    }
    if (shape_is_convex(out->shape)) return true;
    const mesh* m = out->shape->mesh;
    for (uint32_t i = 0; i < w->count; ++i) {
        if (i >= 4 || w->vertex[i] >= m->vertex_count) return false;
        out->point = vec3_mad(out->point, w->weight[i], m->vertex[w->vertex[i]]);
    }
    return w->triangle < m->triangle_count;
}

/// A tilt of this counts as none wherever the bracket does not tell it.
#define MOST_TILT 0x1p-11

/// The feature of a part along n. An end of it is higher than the nearest point by no more than the bracket is wide, as
/// the lower bound is that of the planes of support; the other end as much lower, and so it is on the other body.
static feature part_feature(const carrying_part* p, vec3 n, double width, double tilt) {
    feature f = {.normal = mat3_tmul(&p->pose.rotation, n), .tilt = tilt};
    f.loose = 4 * (width / p->shape->scale) + CORNER_ROUNDING;
    if (shape_is_convex(p->shape))
        convex_feature(p->shape, &f);
    else
        mesh_feature(p->shape->mesh, 0, p->point, &f);
    return f;
}

/// Whether two features have one nearest pair.
static bool have_one_pair(const carrying_part part[2], const feature f[2]) {
    if (f[0].dimension == 0 || f[1].dimension == 0) return true;
    if (f[0].dimension == 2 || f[1].dimension == 2) return false;
    // Segments: the angle between them is more than what is open.
    vec3 along[2];
    double open = 0;
    for (int i = 0; i < 2; ++i) {
        along[i] = vec3_unit(mat3_mul(&part[i].pose.rotation, f[i].way));
        open += f[i].loose / f[i].length + f[i].tilt;
    }
    return vec3_length(vec3_cross(along[0], along[1])) > open;
}

/// Whether the nearest points face each other along the normal. Both are where the bodies touch their planes of
/// support; as the normal turns by t from the best one the planes gain about t^2 / 2 times the size of it all, if these
/// points are the only ones, and the points move by t times the size. A depth of smooth bodies may have been told by
/// others.
static bool are_facing(const carrying_part part[2], const apart_result* r, double width) {
    double size = fabs(r->distance);
    for (int i = 0; i < 2; ++i) size += part[i].shape->scale * part[i].shape->bound + part[i].shape->radius;
    vec3 beside = vec3_sub(vec3_mad(r->point_a, r->distance, r->normal), r->point_b);
    double rounding = 0x1p-50 * (size + vec3_max_abs(r->point_a));
    return vec3_max_abs(beside) <= 2 * sqrt(2 * width) * sqrt(size) + rounding;
}

/// Whether the nearest pair is the only one that the features of the two parts have.
static bool is_unique(const carrying_part part[2], const apart_result* r) {
    const bool convex[2] = {shape_is_convex(part[0].shape), shape_is_convex(part[1].shape)};
    const bool plane[2] = {part[0].shape->kind == SHAPE_HALFSPACE, part[1].shape->kind == SHAPE_HALFSPACE};
    const bool with_plane = plane[0] || plane[1], surface = r->distance < 0 && !with_plane && !(convex[0] && convex[1]);
    // If the normal of bodies that are apart is off by an angle t, the distance along it is less by t^2 / 2 of it, and
    // the bracket is as wide. Near contact that says nothing, but the normal is that of features and no worse than
    // elsewhere; that of a plane is good but for rounding. The depth of a mesh may have an open bracket, whose upper
    // part is rounding.
    double width = surface ? 2 * (r->upper_bound - r->distance) : r->upper_bound - r->lower_bound;
    double tilt = with_plane ? CORNER_ROUNDING : smaller(sqrt(2 * (width / fabs(r->distance))), MOST_TILT);
    feature f[2];
    for (int i = 0; i < 2; ++i) {
        vec3 n = i == 0 ? r->normal : vec3_neg(r->normal);
        // A convex body inside a solid has its far side to the wall.
        if (surface && convex[i] && !is_on_far_side(&part[i], n, i == 0 ? r->point_a : r->point_b)) n = vec3_neg(n);
        f[i] = plane[i] ? (feature){.dimension = 2} : part_feature(&part[i], n, width, tilt);
    }
    return have_one_pair(part, f) && (with_plane || are_facing(part, r, width));
}

/// Whether a result can be one of apart_distance: numbers are finite, the normal is a unit vector as far as a rotation
/// has them.
static bool is_sound(const apart_result* r) {
    return isfinite(r->distance) && isfinite(r->lower_bound) && isfinite(r->upper_bound) &&
           vec3_is_finite(r->point_a) && vec3_is_finite(r->point_b) &&
           fabs(vec3_dot(r->normal, r->normal) - 1) <= ROTATION_TOLERANCE;
}

static apart_twist slope_along(vec3 n, vec3 point, const apart_pose* pose) {
    vec3 zero = {0, 0, 0}, moment = vec3_cross(vec3_sub(point, pose->translation), n);
    return (apart_twist){vec3_add(n, zero), vec3_add(moment, zero)}; // no negative zeros
}

apart_status apart_gradient(const apart_shape* a, const apart_pose* pose_a, const apart_shape* b,
                            const apart_pose* pose_b, const apart_result* result, apart_slope* slope) {
    if (!a || !b || !pose_a || !pose_b || !result || !slope) return APART_INVALID;
    apart_status status = apart_pose_check(pose_a);
    if (status == APART_OK) status = apart_pose_check(pose_b);
    if (status != APART_OK) return status;
    if (!is_sound(result)) return APART_INVALID;
    if (a->kind == SHAPE_HALFSPACE && b->kind == SHAPE_HALFSPACE) return APART_UNSUPPORTED;
    if (result->distance == 0 && result->lower_bound == 0 && result->upper_bound == 0) return APART_UNSUPPORTED;
    carrying_part part[2];
    if (!find_part(a, pose_a, &result->a, &part[0]) || !find_part(b, pose_b, &result->b, &part[1]))
        return APART_INVALID;
    *slope = (apart_slope){.a = slope_along(vec3_neg(result->normal), result->point_a, pose_a),
                           .b = slope_along(result->normal, result->point_b, pose_b),
                           .unique = is_unique(part, result)};
    return APART_OK;
}

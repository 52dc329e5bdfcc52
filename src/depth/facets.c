// Every facet of K = A - B is a face of A less a vertex of B, a vertex of A less a face of B, or an edge of A less an
// edge of B. The depth is the least h_K(n) over their normals n. The faces are few, and the support along each of their
// normals tells. Of the edges, those that meet in a vertex w of K matter only if |w| is not below what the depth is
// known to be, and the plane of the two is nearer than the best one: few are left, and for these the neighbours of w
// tell whether they are a facet. Where rounding leaves a doubt they count as one, so that none is missed.
#include "depth/facets.h"
#include "convex/closed_forms.h"

#define MAX_VERTICES 1024
/// Pairs of edges after which the search is given up.
#define MAX_WORK 4000000
/// A facet of almost parallel edges that is no wider than this is left out: its neighbours are as near, to within that.
#define NO_WIDTH 0x1p-45
/// (8 u / 0.00005)^2, and as much again.
#define CLEAR 1e-21

typedef struct body {
    const polytope* polytope;
    vec3 at[MAX_VERTICES]; // in working units and world axes, relative to the stored origin
} body;

typedef struct search {
    difference* k;
    double best;  // the nearest plane
    double least; // no facet that was looked at is nearer, rounding allowed for
    double known; // nor any other than this
    int64_t work;
    outcome* out;
} search;

static const double u = 0x1p-53;

static bool place_vertices(const posed_body* posed, body* b) {
    const apart_shape* shape = posed->shape;
    const polytope* p = &shape->polytope;
    if (!shape_has_vertices(shape) || !p->climbable || p->count > MAX_VERTICES) return false;
    b->polytope = p;
    for (uint32_t i = 0; i < p->count; ++i) b->at[i] = posed_point(posed, shape_vertex(shape, i));
    return true;
}

static carrier carried(const body* b, int count, const uint32_t* index, const double* weight) {
    carrier c = {.count = 0};
    for (int i = 0; i < count; ++i)
        if (weight[i] > 0) carrier_add(&c, index[i], b->at[index[i]], weight[i]);
    return c;
}

/// Looks at the support plane with unit normal n. True if it is the nearest so far; *p is its support point.
static bool look_along(search* s, vec3 n, double* height, vertex* p) {
    apart_minkowski_support(s->k, n, p);
    *height = vec3_dot(n, p->w);
    if (!(*height < s->best)) return false;
    s->best = *height;
    s->out->normal = n;
    return true;
}

// --------------------------------------------------------------------------------------------------------- faces ----

/// The normal of a face, not normalised; *thin: the product of the sides it was taken from, beside its length.
static vec3 face_normal(const body* b, uint32_t face, double* thin) {
    const uint32_t* corner = b->polytope->face_vertex;
    uint32_t first = b->polytope->face_first[face], last = b->polytope->face_first[face + 1];
    vec3 n = {0, 0, 0};
    double sides = 0;
    for (uint32_t i = first + 1; i + 1 < last; ++i) {
        vec3 e = vec3_sub(b->at[corner[i]], b->at[corner[first]]),
             f = vec3_sub(b->at[corner[i + 1]], b->at[corner[first]]);
        n = vec3_add(n, vec3_cross(e, f));
        sides += vec3_length(e) * vec3_length(f);
    }
    double length = vec3_length(n);
    *thin = length > 0 ? sides / length : INFINITY;
    return n;
}

/// The point of a face that is nearest to `point`.
static carrier nearest_in_face(const body* b, uint32_t face, vec3 point) {
    const uint32_t* corner = b->polytope->face_vertex;
    uint32_t first = b->polytope->face_first[face], last = b->polytope->face_first[face + 1];
    carrier nearest = {.count = 0};
    double least = INFINITY;
    for (uint32_t i = first + 1; i + 1 < last; ++i) {
        uint32_t index[3] = {corner[first], corner[i], corner[i + 1]};
        vec3 triangle[3] = {b->at[index[0]], b->at[index[1]], b->at[index[2]]};
        double weight[3], squared = apart_closed_point_facet(point, triangle, weight);
        if (!(squared < least)) continue;
        least = squared;
        nearest = carried(b, 3, index, weight);
    }
    return nearest;
}

/// The faces of one body; sign: 1 for those of A, -1 for B.
static void look_at_faces(search* s, const body* own, const body* other, double sign) {
    bool flat = own->polytope->face_count == 1;
    for (uint32_t f = 0; f < own->polytope->face_count; ++f) {
        double thin;
        vec3 n = face_normal(own, f, &thin);
        if (vec3_is_zero(n)) continue;
        for (int side = 0; side < (flat ? 2 : 1); ++side) {
            vertex p;
            vec3 d = vec3_unit(vec3_scale(side ? -sign : sign, n));
            double height;
            bool nearest = look_along(s, d, &height, &p);
            s->least = smaller(s->least, height - (8 * thin + 32) * u * s->k->size);
            if (!nearest) continue;
            uint32_t index = sign > 0 ? p.index_b : p.index_a;
            vec3 shift = vec3_sub(vec3_scale(s->best, d), s->k->offset);
            carrier vertex_of_other = carried(other, 1, &index, (double[]){1});
            carrier in_face = nearest_in_face(own, f, vec3_mad(other->at[index], sign, shift));
            *(sign > 0 ? &s->out->a : &s->out->b) = in_face;
            *(sign > 0 ? &s->out->b : &s->out->a) = vertex_of_other;
        }
    }
}

// --------------------------------------------------------------------------------------------------------- edges ----

/// Whether no neighbour of a vertex lies farther along n.
static bool is_top(const body* b, uint32_t index, vec3 n, double tolerance) {
    const polytope* p = b->polytope;
    for (uint32_t i = p->first[index]; i < p->first[index + 1]; ++i)
        if (vec3_dot(n, vec3_sub(b->at[p->neighbour[i]], b->at[index])) > tolerance) return false;
    return true;
}

/// The facet that the edge of A from e[0] to e[1] and the edge of B from f[0] to f[1] may span at w.
static void look_at_pair(search* s, const body* a, const body* b, const uint32_t e[2], const uint32_t f[2], vec3 w) {
    vec3 along_a = vec3_sub(a->at[e[1]], a->at[e[0]]), along_b = vec3_sub(b->at[f[1]], b->at[f[0]]);
    vec3 n = vec3_cross(along_a, along_b);
    double nn = vec3_dot(n, n), height = vec3_dot(n, w), squared = height * height;
    double aa = vec3_dot(along_a, along_a), bb = vec3_dot(along_b, along_b), sides = aa * bb;
    // Most are clearly farther than the best plane: by more than the error of the normal, 2 * 4 u / sin, may hide.
    double reach = s->best * s->best * nn;
    if (squared > 1.0001 * reach && reach > CLEAR * sides) return;
    if (!(nn > NO_WIDTH * NO_WIDTH * larger(aa, bb))) return;
    double error = (4 * sqrt(sides / nn) + 32) * u, off = 2 * error * s->k->size;
    double high = s->best + off, low = s->known - off;
    if (squared > high * high * nn || (low > 0 && squared < low * low * nn)) return;
    // Of almost parallel edges little more is known than that it is square to them.
    n = vec3_scale(copysign(1 / sqrt(nn), height), n);
    n = vec3_unit(vec3_mad(n, -vec3_dot(n, along_a) / aa, along_a));
    double tolerance = 4 * error * s->k->size;
    if (!is_top(a, e[0], n, tolerance) || !is_top(b, f[0], vec3_neg(n), tolerance)) return;
    // No point of the facet is nearer than this, however well its normal is known: n . x is least at a corner.
    double at_w = vec3_dot(n, w), to_a = vec3_dot(n, along_a), to_b = -vec3_dot(n, along_b);
    s->least = smaller(s->least, at_w + smaller(0, to_a) + smaller(0, to_b) - 32 * u * s->k->size);
    vertex p;
    if (!look_along(s, n, &at_w, &p)) return;
    double weight_a[2], weight_b[2];
    vec3 shift = vec3_sub(vec3_scale(s->best, n), s->k->offset);
    apart_closed_edge_edge(a->at[e[0]], a->at[e[1]], vec3_add(b->at[f[0]], shift), vec3_add(b->at[f[1]], shift),
                           weight_a, weight_b);
    s->out->a = carried(a, 2, e, weight_a);
    s->out->b = carried(b, 2, f, weight_b);
}

/// The edges that meet in vertex w = i - j of K, each seen from its lower end. False if there is too much to look at.
static bool look_at_vertex(search* s, const body* a, const body* b, uint32_t i, uint32_t j, vec3 w) {
    const polytope *p = a->polytope, *q = b->polytope;
    for (uint32_t x = p->first[i]; x < p->first[i + 1]; ++x) {
        uint32_t e[2] = {i, p->neighbour[x]};
        if (e[1] < i) continue;
        for (uint32_t y = q->first[j]; y < q->first[j + 1]; ++y) {
            uint32_t f[2] = {j, q->neighbour[y]};
            if (f[1] > j) look_at_pair(s, a, b, e, f, w);
        }
        s->work += q->first[j + 1] - q->first[j];
    }
    return s->work <= MAX_WORK;
}

static bool look_at_edges(search* s, const body* a, const body* b) {
    double low = s->known - 64 * u * s->k->size;
    for (uint32_t i = 0; i < a->polytope->count; ++i) {
        vec3 from = vec3_add(a->at[i], s->k->offset);
        for (uint32_t j = 0; j < b->polytope->count; ++j) {
            vec3 w = vec3_sub(from, b->at[j]);
            if (vec3_dot(w, w) < low * low) continue;
            if (!look_at_vertex(s, a, b, i, j, w)) return false;
        }
    }
    return true;
}

void apart_facets_run(difference* k, const goal* g, outcome* out) {
    body a = {.polytope = NULL}, b = {.polytope = NULL};
    // A difference that is thin beside its size has facets whose normals nobody knows.
    if (!(-out->lower > 0x1p-14 * k->size)) return;
    if (!(out->upper < 0) || !place_vertices(&k->a, &a) || !place_vertices(&k->b, &b)) return;
    outcome found = *out;
    search s = {.k = k, .best = -out->lower, .least = INFINITY, .known = -out->upper, .out = &found};
    look_at_faces(&s, &a, &b, 1);
    look_at_faces(&s, &b, &a, -1);
    bool complete = look_at_edges(&s, &a, &b);
    double bound = smaller(s.least, s.best - 32 * u * k->size) - NO_WIDTH;
    found.lower = larger(out->lower, -s.best);
    if (complete && bound > g->rounding_high) found.upper = smaller(out->upper, -bound);
    *out = found;
}

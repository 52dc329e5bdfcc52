// The support mapping: the farthest point of a body along a direction, s_K in Gilbert, Johnson, Keerthi 1988, sec. III.
//
// A polytope with few vertices is searched through, in lanes (support.inc). Of a large one a few vertices are left to
// be compared: those that are listed for directions about this one (cells.c). Where they would be too many it is
// climbed: from a start vertex always on to the best neighbour (Cameron 1997, sec. 3), the start being the last answer
// or, if that is better, a vertex kept for such directions. Bodies without corners have closed forms.
#include "body/shape.h"

// ------------------------------------------------------------------------------------------------ hill climbing ----

static inline double height(const polytope* p, uint32_t i, vec3 d) {
    return p->x[i] * d.x + p->y[i] * d.y + p->z[i] * d.z;
}

/// Vertices this little below the top, in stored units times |d| <= 4, may be on the way to a higher one: twice the
/// FLATNESS of faces (merge.h), 2 * 4 * 16 u, and the rounding of two products, 2 * 3 * 4 u, together
/// below 256 u with u = 2^-53.
#define PLATEAU 0x1p-45
/// How many of them are followed one by one; beyond that a look at all vertices is cheaper.
#define PLATEAU_SIZE 16

/// Looks around from vertex `at`, through vertices at most PLATEAU lower, for a higher one, and returns it; `at` itself
/// if there is none. *done is set if the answer is known to be the highest of all.
static uint32_t look_around(const polytope* p, vec3 d, uint32_t at, int* visits, bool* done) {
    uint32_t list[PLATEAU_SIZE] = {at}, count = 1;
    double top = height(p, at, d);
    *done = true;
    for (uint32_t j = 0; j < count; j++) {
        uint32_t end = p->first[list[j] + 1];
        for (uint32_t k = p->first[list[j]]; k < end; k++, ++*visits) {
            uint32_t i = p->neighbour[k], known = 0;
            double value = height(p, i, d);
            if (value > top) {
                *done = false;
                return i;
            }
            if (!(value >= top - PLATEAU)) continue;
            while (known < count && list[known] != i) known++;
            if (known < count) continue;
            if (count == PLATEAU_SIZE) {
                *visits += (int)p->count;
                return p->argmax(p->x, p->y, p->z, p->padded, &d);
            }
            list[count++] = i;
        }
    }
    return at;
}

/// Climbs from vertex `at` to the top. Each step gains height, so that it ends.
static uint32_t climb(const polytope* p, vec3 d, uint32_t at, int* visits) {
    double top = height(p, at, d);
    for (;;) {
        uint32_t next = at, end = p->first[at + 1];
        double low = top - PLATEAU;
        bool level = false;
        *visits += (int)(end - p->first[at]);
        for (uint32_t k = p->first[at]; k < end; k++) {
            uint32_t i = p->neighbour[k];
            double value = height(p, i, d);
            level |= value >= low;
            if (value > top) {
                top = value;
                next = i;
            }
        }
        if (next == at) {
            // Alone at the top, as nearly always, or on a plateau.
            bool done = true;
            if (level) next = look_around(p, d, at, visits, &done);
            if (done) return next;
            top = height(p, next, d);
        }
        at = next;
    }
}

/// The farthest of the vertices that a cell lists, as support.inc finds it.
static uint32_t best_listed(const polytope* p, const uint16_t* list, vec3 d) {
    uint32_t best = list[0];
    double top = height(p, best, d);
    for (uint32_t k = 1; k < LISTED; k++) {
        double value = height(p, list[k], d);
        best = value > top ? list[k] : best;
        top = larger(value, top);
    }
    return best;
}

/// Where to start a climb: the hint, or the cell's vertex if that is better.
static uint32_t climb_start(const polytope* p, vec3 d, const uint16_t* list, uint32_t hint, int* visits) {
    *visits = 1;
    if (!list) return hint < p->count ? hint : 0;
    uint32_t seed = list[0] | (uint32_t)list[2] << 16;
    if (hint >= p->count || hint == seed) return seed;
    *visits = 2;
    return height(p, hint, d) >= height(p, seed, d) ? hint : seed;
}

static support_point polytope_support(const polytope* p, vec3 d, support_search search, uint32_t hint) {
    support_point s = {.visits = (int)p->count};
    const uint16_t* list = search == SEARCH_BEST && p->cells > 0 ? shape_list(p, d) : NULL;
    if (p->count == 1) {
        s.vertex = 0;
    } else if (list && list[1] != NOT_LISTED) {
        s.visits = LISTED;
        s.vertex = best_listed(p, list, d);
    } else if (search == SEARCH_CLIMB ? !p->climbable : !list) {
        s.vertex = p->argmax(p->x, p->y, p->z, p->padded, &d);
    } else {
        s.vertex = climb(p, d, climb_start(p, d, list, hint, &s.visits), &s.visits);
    }
    s.point = vec3_make(p->x[s.vertex], p->y[s.vertex], p->z[s.vertex]);
    return s;
}

// ------------------------------------------------------------------------------------------------ closed forms ----

/// Squares below this are too close to the end of the range to keep their digits. Lengths below its root are
/// negligible beside a direction of length 1/4.
#define TINY_SQUARE 0x1p-900

/// The farthest point of the circle of this radius about z, at height 0, and the value r |(dx, dy)|. The centre, which
/// is as good to rounding, if d has next to no component in the plane.
static vec3 circle_support(double radius, vec3 d, double* value) {
    double square = d.x * d.x + d.y * d.y;
    if (square < TINY_SQUARE) {
        *value = 0;
        return vec3_make(0, 0, 0);
    }
    double length = sqrt(square), stretch = radius / length;
    *value = radius * length;
    return vec3_make(stretch * d.x, stretch * d.y, 0);
}

static vec3 cylinder_support(vec3 extent, vec3 d) {
    double value;
    vec3 p = circle_support(extent.x, d, &value);
    p.z = d.z >= 0 ? extent.z : -extent.z;
    return p;
}

static vec3 cone_support(vec3 extent, vec3 d) {
    double rim;
    vec3 p = circle_support(extent.x, d, &rim);
    // Apex at height h: value h dz. Rim at height -h: value r |(dx, dy)| - h dz.
    if (extent.z * d.z >= rim - extent.z * d.z) return vec3_make(0, 0, extent.z);
    p.z = -extent.z;
    return p;
}

/// With E = diag(semi-axes) the ellipsoid is E times the unit ball, so its support point is E (E d / |E d|). The
/// centre, which is as good to rounding, if E d is next to nothing.
static vec3 ellipsoid_support(vec3 e, vec3 d) {
    vec3 w = vec3_make(e.x * d.x, e.y * d.y, e.z * d.z);
    double square = vec3_dot(w, w);
    if (square < TINY_SQUARE) return vec3_make(0, 0, 0);
    double inverse = 1 / sqrt(square);
    return vec3_make(e.x * (w.x * inverse), e.y * (w.y * inverse), e.z * (w.z * inverse));
}

/// The caller's function wants a unit vector; a direction without length becomes the x axis.
static vec3 caller_support(const apart_shape* shape, vec3 d) {
    double length = vec3_length(d);
    vec3 unit = length > 0 ? vec3_make(d.x / length, d.y / length, d.z / length) : vec3_make(1, 0, 0);
    return shape_to_stored(shape, shape->support(shape->context, unit));
}

static support_point box_support(vec3 extent, vec3 d) {
    support_point s = {.visits = 1};
    s.vertex = (uint32_t)(d.x >= 0) | (uint32_t)(d.y >= 0) << 1 | (uint32_t)(d.z >= 0) << 2;
    s.point =
        vec3_make(d.x >= 0 ? extent.x : -extent.x, d.y >= 0 ? extent.y : -extent.y, d.z >= 0 ? extent.z : -extent.z);
    return s;
}

support_point apart_support_find(const apart_shape* shape, vec3 d, support_search search, uint32_t hint) {
    support_point s = {.vertex = NO_VERTEX, .visits = 1};
    switch (shape->kind) {
    case SHAPE_POLYTOPE:
        return polytope_support(&shape->polytope, d, search, hint);
    case SHAPE_BOX:
        return box_support(shape->extent, d);
    case SHAPE_CYLINDER:
        s.point = cylinder_support(shape->extent, d);
        break;
    case SHAPE_CONE:
        s.point = cone_support(shape->extent, d);
        break;
    case SHAPE_ELLIPSOID:
        s.point = ellipsoid_support(shape->extent, d);
        break;
    case SHAPE_SUPPORT:
        s.point = caller_support(shape, d);
        break;
    case SHAPE_HALFSPACE:
    case SHAPE_MESH:
    case SHAPE_UNION:
        break; // not bounded, or not convex: nobody asks
    }
    return s;
}

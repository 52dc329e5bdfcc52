// The expanding polytope: a closed surface of triangles whose corners are points of K, around the origin. Its nearest
// face is pushed outwards to the support point along the face's normal, until the nearest face lies on the boundary.
//
// Why the bracket is true. Every unit d gives depth <= h_K(d) = d . s_K(d), a support plane: the lower end of the
// signed distance. For the other end let the surface be closed (every edge once in either direction) and each of its
// triangles seen from inside by the origin. Then it winds around the origin at least once, every ray from the origin
// meets it, and where it does there is a point of K not nearer than the triangle. So the smallest distance of a
// triangle is the radius of a ball in K. Nothing else is used: the surface need not be convex, and neither the choice
// of the faces that are replaced nor the order matters for the truth, only for the speed.
//
// What the search keeps:
//   - a new point p replaces the faces below it by a cone from p to their rim (Cameron sec. 5 looks at the simplex
//     only; this goes on from there);
//   - a rim edge from which p and the origin do not make a face that is seen from inside is no rim: the face beyond it
//     goes too. This keeps the surface around the origin where coplanar faces and rounding spoil the test "below p";
//   - faces farther than the best support plane need never be looked at.
#include "convex/expand.h"
#include "convex/gjk.h"
#include "convex/round.h"
#include "convex/simplex.h"

#include <limits.h>
#include <string.h>

#define MAX_CORNERS 256
/// A closed surface with v corners has 2 v - 4 triangles (Euler); while a point is added, some more.
#define MAX_FACES (2 * MAX_CORNERS + 128)
#define NO_FACE UINT16_MAX
/// Support points after which a search that has not even proven an overlap gives up.
#define MAX_UNPROVEN 64
/// Most support points of one search.
#define MAX_CALLS (2 * MAX_CORNERS)

/// sin^2 of an angle below which a triangle is narrow: its plane is then measured with care.
#define NARROW 0.01

/// Above the rounding error of a product d . w with |d| = 1, |w| <= sqrt(3).
#define ROUNDING 0x1p-50

/// The square of how flat the first tetrahedron (or its base) may be, beside the product of its edges.
#define THIN 1e-12

typedef struct face {
    vec3 n;             // unit, outwards
    double height;      // of its plane above the origin
    double slack;       // rounding error of height
    double bound;       // no point of the triangle is nearer to the origin than this
    uint16_t corner[3]; // counter-clockwise, seen from outside
    uint16_t beyond[3]; // the same edge as corner[i] to the next, seen from the face beyond it
    uint16_t place;     // in the list of open faces, or NO_FACE
    bool below;         // the point that is being added
    bool alive;
    bool sliver; // too thin for its plane: bound is that of its longest side
} face;

/// An edge, seen from a face: 4 * face + number of the corner that it leaves.
static inline unsigned edge_of(unsigned id, unsigned number) { return 4 * id + number; }
static inline unsigned face_of(unsigned edge) { return edge >> 2; }
static inline unsigned number_of(unsigned edge) { return edge & 3; }
/// The next corner or edge of a face, and the one before.
static inline unsigned next_of(unsigned number) { return number == 2 ? 0 : number + 1; }
static inline unsigned last_of(unsigned number) { return number == 0 ? 2 : number - 1; }

/// An edge of the rim around the faces that go.
typedef struct rim_edge {
    uint16_t edge;     // seen from the face that stays
    uint16_t from, to; // its corners, counter-clockwise around the faces that go
    uint16_t made;     // the new face on it, or NO_FACE
} rim_edge;

typedef struct expansion {
    int corners, faces, free_count;
    double best;            // the lowest support plane
    vec3 best_n;            // and its normal
    round_difference round; // if K is a solid of revolution, the prism over its section is searched
    int open_count;         // faces that may be pushed out
    vertex corner[MAX_CORNERS];
    face face[MAX_FACES];
    uint16_t open[MAX_FACES];
    double key[MAX_FACES]; // bound of the open face at the same place
    uint16_t free[MAX_FACES];
    // While a point is added:
    int gone_count, rim_count, stack_count;
    uint16_t gone[MAX_FACES];      // faces below it
    rim_edge rim[MAX_FACES + 2];   // edges around them
    uint16_t stack[2 * MAX_FACES]; // edges to cross
    uint16_t apex;                 // the corner that the point is
} expansion;

// ----------------------------------------------------------------------------------------------------- one face ----

/// The nearest point of segment pq to the origin.
static vec3 nearest_on_edge(vec3 p, vec3 q) {
    vec3 e = vec3_sub(q, p);
    double ee = vec3_dot(e, e), t = -vec3_dot(p, e);
    if (!(t > 0)) return p;
    if (!(t < ee)) return q;
    return vec3_mad(p, t / ee, e);
}

/// No point of the triangle is nearer to the origin than this, whatever unit vector d is: d . x is least at a corner. A
/// rounded d costs nothing but its own length.
static inline double least_along(const vec3* w[3], vec3 d) {
    double a = vec3_dot(d, *w[0]), b = vec3_dot(d, *w[1]), c = vec3_dot(d, *w[2]);
    return smaller(a, smaller(b, c)) - ROUNDING;
}

/// The plane with normal n through w. thin: the product of the edges that n was taken from, divided by |n|, or more:
/// the rounding error of n, below 4 u times the edges, counts with |w|.
static inline void set_plane(face* f, const vec3* w[3], vec3 n, double inverse_length, double thin, int base) {
    f->n = vec3_scale(inverse_length, n);
    f->height = vec3_dot(f->n, *w[base]);
    f->slack = ROUNDING * (1 + thin);
    f->bound = f->height > f->slack ? least_along(w, f->n) : f->height - f->slack;
    f->sliver = false;
}

/// The normal of a triangle, not normalised, from its two shorter sides, which know it best. longest: the number of the
/// corner before the longest side; thin: as above.
static vec3 careful_normal(const vec3* w[3], int* longest, double* thin) {
    vec3 e[3];
    double ee[3];
    *longest = 0;
    for (int i = 0; i < 3; ++i) {
        e[i] = vec3_sub(*w[(i + 1) % 3], *w[i]);
        ee[i] = vec3_dot(e[i], e[i]);
        if (ee[i] > ee[*longest]) *longest = i;
    }
    int i = (*longest + 1) % 3, j = (*longest + 2) % 3;
    vec3 n = vec3_cross(e[i], e[j]);
    double nn = vec3_dot(n, n);
    *thin = nn > 0 ? sqrt(ee[i] * ee[j] / nn) : INFINITY;
    return n;
}

/// A narrow triangle: its plane, and if that does not tell the side of the origin, how far it is along the way to its
/// longest side.
static void measure_narrow(const vec3* w[3], face* f) {
    int longest;
    double thin;
    vec3 n = careful_normal(w, &longest, &thin);
    double nn = vec3_dot(n, n);
    set_plane(f, w, n, nn > 0 ? 1 / sqrt(nn) : 0, thin, (longest + 2) % 3);
    if (!(fabs(f->height) <= f->slack)) return;
    // Seen from the origin such a sliver covers next to nothing, below 2^-12, whichever side it shows.
    vec3 v = nearest_on_edge(*w[longest], *w[(longest + 1) % 3]);
    if (!(sqrt(nn) < 0x1p-12 * vec3_dot(v, v))) return;
    f->sliver = true;
    f->bound = larger(f->bound, least_along(w, vec3_unit(v)));
}

/// Where to look for a point of K beyond a face: along its normal, or where that is not known, to its longest side.
static vec3 direction_of(const expansion* x, const face* f) {
    if (!f->sliver) return f->n;
    vec3 v = {0, 0, 0};
    double longest = -1;
    for (int i = 0; i < 3; ++i) {
        vec3 p = x->corner[f->corner[i]].w, q = x->corner[f->corner[(i + 1) % 3]].w, e = vec3_sub(q, p);
        if (!(vec3_dot(e, e) > longest)) continue;
        longest = vec3_dot(e, e);
        v = nearest_on_edge(p, q);
    }
    return vec3_unit(v);
}

/// The plane of a face and how far it is.
static void measure(const expansion* x, face* f) {
    const vec3* w[3] = {&x->corner[f->corner[0]].w, &x->corner[f->corner[1]].w, &x->corner[f->corner[2]].w};
    vec3 e = vec3_sub(*w[0], *w[2]), h = vec3_sub(*w[1], *w[2]);
    vec3 n = vec3_cross(e, h);
    double nn = vec3_dot(n, n), sides = vec3_dot(e, e) * vec3_dot(h, h);
    if (!(nn > NARROW * sides)) {
        measure_narrow(w, f);
        return;
    }
    double inverse = 1 / sqrt(nn);
    set_plane(f, w, n, inverse, 0.5 + 0.5 * (sides * inverse * inverse), 2);
}

// ------------------------------------------------------------------------------------------------- list of faces ----

static void open_face(expansion* x, uint16_t id) {
    face* f = &x->face[id];
    if (!(f->bound < x->best)) return;
    f->place = (uint16_t)x->open_count;
    x->open[x->open_count] = id;
    x->key[x->open_count] = f->bound;
    x->open_count += 1;
}

static void close_face(expansion* x, face* f) {
    if (f->place == NO_FACE) return;
    x->open_count -= 1;
    uint16_t last = x->open[x->open_count];
    x->open[f->place] = last;
    x->key[f->place] = x->key[x->open_count];
    x->face[last].place = f->place;
    f->place = NO_FACE;
}

/// The nearest open face, or NO_FACE.
static uint16_t nearest_face(const expansion* x) {
    if (x->open_count == 0) return NO_FACE;
    int least = 0;
    for (int i = 1; i < x->open_count; ++i)
        if (x->key[i] < x->key[least]) least = i;
    return x->open[least];
}

/// A new face, not yet in the list.
static uint16_t new_face(expansion* x, uint16_t a, uint16_t b, uint16_t c) {
    uint16_t id = x->free_count > 0 ? x->free[--x->free_count] : (uint16_t)x->faces++;
    face* f = &x->face[id];
    f->corner[0] = a;
    f->corner[1] = b;
    f->corner[2] = c;
    f->place = NO_FACE;
    f->below = false;
    f->alive = true;
    measure(x, f);
    return id;
}

static void remove_face(expansion* x, uint16_t id) {
    close_face(x, &x->face[id]);
    x->face[id].alive = false;
    x->free[x->free_count++] = id;
}

/// Joins two edges.
static inline void join(expansion* x, unsigned e, unsigned f) {
    x->face[face_of(e)].beyond[number_of(e)] = (uint16_t)f;
    x->face[face_of(f)].beyond[number_of(f)] = (uint16_t)e;
}

// ---------------------------------------------------------------------------------------------------- one point ----

/// Whether the cone from p over the edge from u to v shows its inner side to the origin: 1 yes, -1 no, 0 too close.
static int faces_origin(vec3 u, vec3 v, vec3 p) {
    vec3 e = vec3_sub(v, u), f = vec3_sub(p, u);
    double volume = vec3_dot(vec3_cross(e, f), u);
    if (volume * volume <= 0x1p-98 * vec3_dot(e, e) * vec3_dot(f, f)) return 0;
    return volume > 0 ? 1 : -1;
}

/// Whether the face on the other side of a rim edge must go when p is added. Where rounding matters (`careful`), an
/// edge from which p and the origin do not make a face that is seen from inside is no rim.
static inline bool must_go(const expansion* x, const rim_edge* r, vec3 p, bool careful) {
    const face* f = &x->face[face_of(r->edge)];
    double above = vec3_dot(f->n, p) - f->height;
    if (above > f->slack) return true;
    if (!careful) return false;
    int side = faces_origin(x->corner[r->from].w, x->corner[r->to].w, p);
    return side < 0 || (side == 0 && above > -4 * f->slack);
}

/// Takes a face away and goes on to the edges after the one that it was entered through, counter-clockwise.
static inline void take_away(expansion* x, unsigned id, unsigned entered) {
    x->face[id].below = true;
    x->gone[x->gone_count++] = (uint16_t)id;
    x->stack[x->stack_count++] = (uint16_t)edge_of(id, last_of(entered));
    x->stack[x->stack_count++] = (uint16_t)edge_of(id, next_of(entered));
}

/// Finds the faces that must go, from one of them on, and the rim around them, counter-clockwise.
static void find_rim(expansion* x, uint16_t first, vec3 p, bool careful) {
    x->gone_count = x->rim_count = 0;
    x->stack[0] = (uint16_t)edge_of(first, 2);
    x->stack_count = 1;
    take_away(x, first, 2);
    while (x->stack_count > 0) {
        unsigned inner = x->stack[--x->stack_count];
        const face* f = &x->face[face_of(inner)];
        unsigned edge = f->beyond[number_of(inner)];
        if (x->face[face_of(edge)].below) continue;
        rim_edge* r = &x->rim[x->rim_count];
        r->edge = (uint16_t)edge;
        r->from = f->corner[number_of(inner)];
        r->to = f->corner[next_of(number_of(inner))];
        if (must_go(x, r, p, careful)) {
            take_away(x, face_of(edge), number_of(edge));
        } else {
            x->rim_count += 1;
        }
    }
}

/// Brings the rim into order where a face went after one of its edges was taken for rim. False if it is not one loop
/// that passes no corner twice.
static bool sort_rim(expansion* x) {
    rim_edge starts[MAX_CORNERS];
    int kept = 0;
    for (int i = 0; i < x->rim_count; ++i)
        if (!x->face[face_of(x->rim[i].edge)].below) x->rim[kept++] = x->rim[i];
    x->rim_count = kept;
    for (int i = 0; i < kept; ++i) starts[x->rim[i].to].from = NO_FACE;
    for (int i = 0; i < kept; ++i) {
        rim_edge* start = &starts[x->rim[i].from];
        if (start->from != NO_FACE) return false;
        *start = x->rim[i];
    }
    for (int i = 1; i < kept; ++i) {
        x->rim[i] = starts[x->rim[i - 1].to];
        if (x->rim[i].from == x->rim[0].from) return false;
    }
    return true;
}

/// The number of p, the newest corner, or of the rim's corner that it is equal to.
static uint16_t corner_of(const expansion* x, const vertex* p) {
    for (int i = 0; i < x->rim_count; ++i)
        if (vertex_equal(&x->corner[x->rim[i].from], p)) return x->rim[i].from;
    return (uint16_t)x->corners;
}

/// The faces from the apex to the rim, not joined yet; none over a rim edge that touches the apex itself. Returns
/// whether all are certainly seen from inside; *fit: whether the rim is a closed loop and no face is nearer than
/// `least`.
static bool make_cone(expansion* x, double least, bool* fit) {
    bool certain = true;
    *fit = x->rim_count >= 3;
    const rim_edge* before = &x->rim[x->rim_count > 0 ? x->rim_count - 1 : 0];
    for (int i = 0; i < x->rim_count; ++i) {
        rim_edge* r = &x->rim[i];
        *fit = *fit && r->from == before->to;
        before = r;
        r->made = NO_FACE;
        if (r->from == x->apex || r->to == x->apex) continue;
        r->made = new_face(x, r->from, r->to, x->apex);
        const face* f = &x->face[r->made];
        certain = certain && f->height > f->slack;
        *fit = *fit && f->bound >= least;
    }
    return certain;
}

/// Takes the cone away again, and lets the faces stay.
static void undo(expansion* x, bool cone) {
    for (int i = 0; cone && i < x->rim_count; ++i)
        if (x->rim[i].made != NO_FACE) remove_face(x, x->rim[i].made);
    for (int i = 0; i < x->gone_count; ++i) x->face[x->gone[i]].below = false;
}

/// Joins the cone to the rim and in itself. A rim edge that touches the apex is part of the cone already.
static void join_cone(expansion* x) {
    const rim_edge* r = &x->rim[x->rim_count - 1];
    for (int i = 0; i < x->rim_count; ++i) {
        const rim_edge* next = &x->rim[i];
        if (next->made != NO_FACE) {
            join(x, edge_of(next->made, 0), next->edge);
            open_face(x, next->made);
        }
        // From the corner between the two to the apex; where a face is missing, its rim edge runs along there.
        if (r->to != x->apex)
            join(x, r->made != NO_FACE ? edge_of(r->made, 1) : r->edge,
                 next->made != NO_FACE ? edge_of(next->made, 2) : next->edge);
        r = next;
    }
}

/// Pushes the surface out to p, the point after the last corner, which lies above face `id`, the nearest. Once all
/// faces are seen from inside it stays so, and no new one comes nearer than that. Before, where care does not help
/// either, the hull simply grows. False if it cannot be done; then nothing has changed.
static bool push_out(expansion* x, uint16_t id, const vertex* p) {
    enum { PLAIN, CAREFUL, GROW, WAYS };
    const double bound = x->face[id].bound, least = bound > 0 ? bound - 4 * ROUNDING : -INFINITY;
    bool made = false;
    for (int way = PLAIN; way < (bound > 0 ? GROW : WAYS) && !made; ++way) {
        bool careful = way == CAREFUL;
        find_rim(x, id, p->w, careful);
        bool room = x->faces - x->free_count + x->rim_count <= MAX_FACES && (!careful || sort_rim(x));
        if (room) {
            x->apex = careful ? corner_of(x, p) : (uint16_t)x->corners;
            bool fit, certain = make_cone(x, least, &fit);
            made = fit && (certain || way != PLAIN);
        }
        if (!made) undo(x, room);
    }
    if (!made) return false;
    for (int i = 0; i < x->gone_count; ++i) remove_face(x, x->gone[i]);
    join_cone(x);
    if (x->apex == x->corners) x->corners += 1;
    return true;
}

// ------------------------------------------------------------------------------------------------- the beginning ----

/// The support point along d; notes the plane that it proves. Returns the plane's height above the origin.
static double ask_difference(difference* k, expansion* x, vec3 d, vertex* p) {
    apart_difference_support(k, d, p);
    double height = vec3_dot(d, p->w);
    if (height < x->best) {
        x->best = height;
        x->best_n = d;
    }
    return height;
}

/// The same of the prism over the section of a round K, which reaches from -1 to 1 across it. K lies in the prism.
static double ask_prism(difference* k, expansion* x, vec3 d, vertex* p) {
    vec3 within = d, beyond = {0, 0, 0};
    for (int i = 0; i < x->round.across; ++i) {
        double along = vec3_dot(d, x->round.way[i]);
        within = vec3_mad(within, -along, x->round.way[i]);
        beyond = vec3_mad(beyond, copysign(1, along), x->round.way[i]);
    }
    if (!(vec3_length(within) > 0x1p-20)) within = x->round.within;
    ask_difference(k, x, vec3_unit(within), p);
    for (int i = 0; i < x->round.across; ++i) p->w = vec3_mad(p->w, -vec3_dot(p->w, x->round.way[i]), x->round.way[i]);
    p->w = vec3_add(p->w, beyond);
    return vec3_dot(d, p->w);
}

static double ask(difference* k, expansion* x, vec3 d, vertex* p) {
    return x->round.across > 0 ? ask_prism(k, x, d, p) : ask_difference(k, x, d, p);
}

/// A unit vector square to the 1, 2 or 3 corners, towards the origin if they do not hold it; `hint` where nothing is
/// known.
static vec3 away_from(const expansion* x, vec3 hint) {
    const vertex* c = x->corner;
    vec3 d = hint;
    if (x->corners == 2) {
        vec3 e = vec3_sub(c[1].w, c[0].w), v = nearest_on_edge(c[0].w, c[1].w);
        d = vec3_length(v) > 0x1p-40 ? vec3_unit(v) : vec3_square(e);
    } else if (x->corners == 3) {
        const vec3* w[3] = {&c[0].w, &c[1].w, &c[2].w};
        int longest;
        double thin;
        d = vec3_unit(careful_normal(w, &longest, &thin));
    }
    return vec3_dot(d, c[0].w) > 0 ? vec3_neg(d) : d;
}

/// Whether the simplex is so thin that it is better made anew with one point less.
static bool is_thin(const expansion* x) {
    if (x->corners < 3) return false;
    const vertex* c = x->corner;
    vec3 e = vec3_sub(c[1].w, c[0].w), f = vec3_sub(c[2].w, c[0].w), n = vec3_cross(e, f);
    double sides = vec3_dot(e, e) * vec3_dot(f, f), measure = vec3_dot(n, n);
    if (x->corners == 4) {
        vec3 h = vec3_sub(c[3].w, c[0].w);
        sides *= vec3_dot(h, h);
        measure = vec3_dot(n, h) * vec3_dot(n, h);
    }
    return !(measure > THIN * sides);
}

/// Leaves out the corner that the origin needs least.
static void drop_one(expansion* x) {
    vec3 w[4];
    for (int i = 0; i < x->corners; ++i) w[i] = x->corner[i].w;
    nearest n = apart_simplex_nearest(w, x->corners, false);
    int least = 0;
    for (int i = 1; i < x->corners; ++i)
        if (n.lambda[i] < n.lambda[least]) least = i;
    x->corners -= 1;
    x->corner[least] = x->corner[x->corners];
}

/// The surface of the tetrahedron of the first four corners. False if rounding leaves no inside.
static bool build_tetrahedron(expansion* x) {
    static const uint16_t corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    static const uint16_t beyond[4][3] = {{6, 14, 8}, {10, 12, 0}, {2, 13, 4}, {5, 9, 1}};
    vec3 w[4];
    for (int i = 0; i < 4; ++i) w[i] = x->corner[i].w;
    double v = apart_simplex_volume(w);
    if (v == 0) return false;
    uint16_t second = v > 0; // turns it over
    for (unsigned i = 0; i < 4; ++i) {
        uint16_t c[3];
        for (int j = 0; j < 3; ++j) c[j] = corner[i][j] < 2 ? (uint16_t)(corner[i][j] ^ second) : corner[i][j];
        open_face(x, new_face(x, c[0], c[1], c[2]));
        memcpy(x->face[i].beyond, beyond[i], sizeof beyond[i]);
    }
    return true;
}

/// A tetrahedron from the 1 to 4 points around the origin. False if a support plane passes through the origin, as far
/// as rounding can tell: then the depth is zero.
static bool make_tetrahedron(difference* k, const goal* g, vec3 hint, expansion* x) {
    while (is_thin(x)) drop_one(x);
    while (x->corners < 4) {
        vec3 d = away_from(x, hint);
        vertex* p = &x->corner[x->corners];
        double height = ask(k, x, d, p);
        if (k->status != APART_OK || !(height - larger(0, vec3_dot(d, x->corner[0].w)) > g->floor)) return false;
        x->corners += 1;
    }
    return build_tetrahedron(x);
}

// ---------------------------------------------------------------------------------------------------- the search ----

/// Weights of the point of the face's plane that is nearest the origin; not all are positive if it lies outside.
static void weigh(const expansion* x, const face* f, double weight[3]) {
    vec3 n = direction_of(x, f);
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
        vec3 u = x->corner[f->corner[(i + 1) % 3]].w, v = x->corner[f->corner[(i + 2) % 3]].w;
        weight[i] = vec3_dot(n, vec3_cross(u, v));
        sum += weight[i];
    }
    for (int i = 0; i < 3; ++i) weight[i] = sum > 0 ? weight[i] / sum : 1. / 3;
}

/// The face that holds the nearest point, from the nearest plane on: where several faces lie in it, the point may be in
/// another one.
static const face* walk_to_foot(const expansion* x, const face* f, double weight[3]) {
    const vec3 n = f->n;
    const double least = f->height - 4 * ROUNDING;
    weigh(x, f, weight);
    for (int steps = 0; steps < MAX_FACES; ++steps) {
        unsigned corner = weight[1] < weight[0] ? 1 : 0;
        if (weight[2] < weight[corner]) corner = 2;
        if (weight[corner] >= 0) break;
        unsigned edge = f->beyond[next_of(corner)];
        const face* next = &x->face[face_of(edge)];
        vec3 apex = x->corner[next->corner[last_of(number_of(edge))]].w;
        if (next->sliver || vec3_dot(n, apex) < least) break;
        f = next;
        weigh(x, f, weight);
    }
    // Rounding, or an answer that is not final: the nearest point of the plane that is in the face.
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += weight[i] = larger(weight[i], 0);
    for (int i = 0; i < 3; ++i) weight[i] /= sum;
    return f;
}

static void trace(const difference* k, const goal* g, int iteration, const expansion* x, const face* f) {
    carrier a = {.count = 3}, b = {.count = 3};
    double weight[3];
    f = walk_to_foot(x, f, weight);
    for (int i = 0; i < 3; ++i) {
        a.weight[i] = b.weight[i] = weight[i];
        a.point[i] = x->corner[f->corner[i]].a;
        b.point[i] = x->corner[f->corner[i]].b;
    }
    apart_narrow_trace(k, g, iteration, &a, &b, -f->bound, -x->best);
}

/// The nearest of all faces, those included that could not be pushed out.
static uint16_t nearest_of_all(const expansion* x) {
    uint16_t least = NO_FACE;
    for (int i = 0; i < x->faces; ++i)
        if (x->face[i].alive && (least == NO_FACE || x->face[i].bound < x->face[least].bound)) least = (uint16_t)i;
    return least;
}

/// Cameron: the nearest face of the simplex often is the answer; one or two support calls tell.
#define BOUND_CALLS 2

/// Improves the best plane where the search had to stop: the nearest face, turned to touch the support point above it,
/// about each of its corners.
static void polish(difference* k, expansion* x, const face* f) {
    vec3 n = direction_of(x, f), w[3];
    for (int i = 0; i < 3; ++i) w[i] = x->corner[f->corner[i]].w;
    vertex p, q;
    ask(k, x, n, &p);
    for (int i = 0; i < 3; ++i) {
        vec3 d = vec3_cross(vec3_sub(p.w, w[i]), vec3_sub(w[(i + 1) % 3], w[(i + 2) % 3]));
        if (!vec3_is_zero(d)) ask(k, x, vec3_unit(vec3_dot(d, n) < 0 ? vec3_neg(d) : d), &q);
    }
}

/// How a search ended.
typedef enum ending {
    ON_BOUNDARY,   // the nearest face lies on the boundary
    NARROW_ENOUGH, // the goal is met
    BOUNDED,       // only a bound was wanted
    EXHAUSTED      // none of it within so many calls, with the memory there is
} ending;

/// Pushes the nearest face out until one of the above. *id: the nearest face.
static ending search(difference* k, const goal* g, expansion* x, int most, int* calls, uint16_t* id) {
    int few = g->depth == APART_DEPTH_BOUND ? BOUND_CALLS : INT_MAX;
    goal exact = *g;
    exact.depth = APART_DEPTH_EXACT;
    bool complete = true; // no face was left behind
    while (*calls < most && x->corners < MAX_CORNERS) {
        *id = nearest_face(x);
        if (*id == NO_FACE) break;
        face* f = &x->face[*id];
        bool proven = f->bound > g->rounding_high;
        bool enough = narrow_enough(&exact, -f->bound, -x->best);
        if (complete && enough) return NARROW_ENOUGH;
        if (complete && proven && *calls >= few) return BOUNDED;
        if (enough || (!proven && *calls >= MAX_UNPROVEN)) break;
        vertex* p = &x->corner[x->corners];
        double height = ask(k, x, direction_of(x, f), p);
        *calls += 1;
        if (g->trace) trace(k, g, *calls, x, f);
        bool settled = height - f->bound <= g->floor + 2 * ROUNDING;
        if (complete && settled) return height <= x->best + g->floor ? ON_BOUNDARY : NARROW_ENOUGH;
        if (complete && proven && *calls >= few) return BOUNDED;
        if (settled || k->status != APART_OK) break;
        if (push_out(x, *id, p)) continue;
        close_face(x, f);
        complete = false;
    }
    *id = nearest_of_all(x);
    if (k->status == APART_OK && *id != NO_FACE) polish(k, x, &x->face[*id]);
    return EXHAUSTED;
}

// ------------------------------------------------------------------------------------------------------- the end ----

/// Leaves the surface for the next query, if it is small enough; else only the direction.
static void remember(const difference* k, const expansion* x, vec3 normal, apart_cache* cache) {
    apart_difference_remember(k, normal, cache);
    if (!difference_is_numbered(k) || x->faces - x->free_count > APART_CACHE_FACES) return;
    uint8_t number[MAX_CORNERS];
    memset(number, UINT8_MAX, (size_t)x->corners);
    uint32_t corners = 0, faces = 0;
    for (int i = 0; i < x->faces; ++i) {
        const face* f = &x->face[i];
        if (!f->alive) continue;
        for (int j = 0; j < 3; ++j) {
            uint16_t c = f->corner[j];
            if (number[c] == UINT8_MAX) {
                if (corners == APART_CACHE_VERTICES) return;
                cache->a[corners] = x->corner[c].index_a;
                cache->b[corners] = x->corner[c].index_b;
                number[c] = (uint8_t)corners++;
            }
            cache->face[faces][j] = number[c];
        }
        faces += 1;
    }
    cache->count_a = cache->count_b = corners;
    cache->faces = faces;
}

/// The points of the face that are nearest the origin.
static void take_face(const expansion* x, const face* f, outcome* out) {
    vertex p[3];
    double weight[3];
    out->normal = direction_of(x, f);
    f = walk_to_foot(x, f, weight);
    for (int i = 0; i < 3; ++i) p[i] = x->corner[f->corner[i]];
    apart_narrow_carry(p, weight, 3, &out->a, &out->b);
}

/// The support point along the best direction: moved along it by the lower end, the bodies are certainly apart.
static void take_support(difference* k, const expansion* x, outcome* out) {
    vertex p;
    apart_difference_support(k, x->best_n, &p);
    out->normal = x->best_n;
    apart_narrow_carry(&p, (double[]){1}, 1, &out->a, &out->b);
}

/// A number not above the solid angle under which the origin sees a face, from inside.
static double solid_angle(const expansion* x, const face* f) {
    vec3 a = x->corner[f->corner[0]].w, b = x->corner[f->corner[1]].w, c = x->corner[f->corner[2]].w;
    double la = vec3_length(a), lb = vec3_length(b), lc = vec3_length(c);
    double up = vec3_dot(a, vec3_cross(b, c));
    double down = la * lb * lc + vec3_dot(a, b) * lc + vec3_dot(b, c) * la + vec3_dot(c, a) * lb;
    // 2 atan(up / down), and atan(t) >= t / (1 + t).
    return down > 0 ? 2 * up / (up + down) : 1;
}

/// Whether the surface certainly goes round the origin. If all faces are seen from inside it does: the sum of their
/// solid angles is positive and a multiple of 4 pi. So it does with slivers, if they cannot take away what the others
/// give: each counts less than 2^-12.
static bool goes_round(const expansion* x) {
    double sum = 0;
    bool slivers = false;
    for (int i = 0; i < x->faces; ++i) slivers = slivers || (x->face[i].alive && x->face[i].sliver);
    for (int i = 0; slivers && i < x->faces; ++i)
        if (x->face[i].alive && !x->face[i].sliver) sum += solid_angle(x, &x->face[i]);
    return !slivers || sum > 1;
}

/// The interval and what carries it. False if the origin is not proven to be inside.
static bool conclude(difference* k, const goal* g, const expansion* x, uint16_t id, ending end, outcome* out) {
    out->lower = larger(out->lower, -x->best);
    if (id == NO_FACE || !(x->face[id].bound > g->rounding_high + x->round.error) || !goes_round(x)) return false;
    out->upper = -x->face[id].bound + x->round.error;
    out->overlap = true;
    if (end == ON_BOUNDARY || end == BOUNDED) {
        take_face(x, &x->face[id], out);
    } else {
        take_support(k, x, out);
    }
    return true;
}

static void begin(expansion* x, double best, vec3 normal) {
    x->best = best;
    x->best_n = normal;
    x->round.across = 0;
    x->round.error = 0;
    x->corners = x->faces = x->free_count = x->open_count = 0;
}

bool apart_expand_run(difference* k, const goal* g, apart_cache* cache, outcome* out) {
    expansion x;
    begin(&x, -out->lower, out->normal);
    x.corners = out->around_count;
    memcpy(x.corner, out->around, (size_t)out->around_count * sizeof x.corner[0]);
    if (g->depth == APART_DEPTH_EXACT && !difference_is_numbered(k)) x.round = apart_round_find(k);
    int calls = 0;
    goal inner = *g;
    inner.iterations_before = out->iterations;
    uint16_t id = NO_FACE;
    ending end = EXHAUSTED;
    if (make_tetrahedron(k, g, out->normal, &x)) end = search(k, &inner, &x, MAX_CALLS, &calls, &id);
    if (k->status != APART_OK) return false;
    out->iterations += calls;
    out->normal = x.best_n;
    bool proven = conclude(k, g, &x, id, end, out);
    if (cache) remember(k, &x, out->normal, cache);
    return proven;
}

// ------------------------------------------------------------------------------------------------------ tracking ----

/// The corners at the new poses. False if the cache has none, or not of these bodies.
static bool recall_corners(const difference* k, const apart_cache* cache, expansion* x) {
    uint32_t last_a = shape_vertex_count(k->a.shape), last_b = shape_vertex_count(k->b.shape);
    if (cache->count_a != cache->count_b || cache->count_a > APART_CACHE_VERTICES) return false;
    if (cache->faces < 4 || cache->faces > APART_CACHE_FACES) return false;
    x->corners = (int)cache->count_a;
    for (int i = 0; i < x->corners; ++i) {
        if (cache->a[i] >= last_a || cache->b[i] >= last_b) return false;
        x->corner[i] = apart_difference_vertex(k, cache->a[i], cache->b[i]);
    }
    return true;
}

/// The faces that the cache remembers, joined along their edges. False if they do not form a closed surface that is
/// seen from inside by the origin.
static bool recall_faces(const apart_cache* cache, expansion* x) {
    uint8_t table[APART_CACHE_VERTICES][APART_CACHE_VERTICES]; // the edge from one corner to another
    memset(table, UINT8_MAX, sizeof table);
    for (uint32_t f = 0; f < cache->faces; ++f) {
        const uint8_t* c = cache->face[f];
        if (c[0] >= x->corners || c[1] >= x->corners || c[2] >= x->corners) return false;
        for (int i = 0; i < 3; ++i) {
            uint8_t* edge = &table[c[i]][c[(i + 1) % 3]];
            if (c[i] == c[(i + 1) % 3] || *edge != UINT8_MAX) return false;
            *edge = (uint8_t)edge_of(f, (uint32_t)i);
        }
    }
    for (uint32_t f = 0; f < cache->faces; ++f) {
        const uint8_t* c = cache->face[f];
        uint16_t id = new_face(x, c[0], c[1], c[2]);
        if (!(x->face[id].height > x->face[id].slack)) return false;
        for (int i = 0; i < 3; ++i) {
            x->face[id].beyond[i] = table[c[(i + 1) % 3]][c[i]];
            if (x->face[id].beyond[i] == UINT8_MAX) return false;
        }
        open_face(x, id);
    }
    return true;
}

bool apart_expand_resume(difference* k, const goal* g, apart_cache* cache, outcome* out) {
    expansion x;
    begin(&x, INFINITY, vec3_make(1, 0, 0));
    if (!recall_corners(k, cache, &x) || !recall_faces(cache, &x)) return false;
    apart_difference_recall(k, cache);
    int calls = 0;
    uint16_t id;
    // Where the bodies have turned the surface may not be convex, and the search can go in circles.
    ending end = search(k, g, &x, APART_CACHE_VERTICES, &calls, &id);
    *out = (outcome){.lower = -INFINITY, .iterations = calls};
    if (end == EXHAUSTED || k->status != APART_OK || !conclude(k, g, &x, id, end, out)) return false;
    remember(k, &x, out->normal, cache);
    return true;
}

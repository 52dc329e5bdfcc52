// Says what was found. What is open between the bounds is shown as open, with the reason.
#include "answer.h"
#include "json.h"
#include "parse.h"
#include "print.h"

#include <stdio.h>

// Whether the bodies certainly share a point.
static bool meet(const apart_result* r) { return r->upper_bound <= 0; }

static bool has_mesh(const answer* found) { return found->a->is_mesh || found->b->is_mesh; }

// The largest coordinate of a body, in its own frame; a half-space has none.
static double reach_of(const body* b) {
    if (body_is_unbounded(b)) return 0;
    const apart_vec3 l = b->info.lower, u = b->info.upper;
    return fmax(fmax(fmax(-l.x, u.x), fmax(-l.y, u.y)), fmax(-l.z, u.z));
}

// Whether there is more between the bounds than the digits that are printed, and more than rounding explains.
static bool is_open(const answer* found) {
    const apart_result* r = &found->result;
    const double gap = r->upper_bound - r->lower_bound;
    return gap > 1e-8 * fabs(r->upper_bound) && gap > 1e-12 * fmax(reach_of(found->a), reach_of(found->b));
}

// How far the ends of the bracket may lie apart, as asked.
static double allowed_gap(const answer* found) {
    const apart_result* r = &found->result;
    const apart_query* q = found->query;
    return fmax(q->absolute_error, q->relative_error * fmax(fabs(r->upper_bound), fabs(r->lower_bound)));
}

// Whether the cutoff ended the search: the bodies are far enough apart, and the points that it had then are not the
// nearest. The errors asked for are compared with a little room for rounding.
static bool is_cut_off(const answer* found) {
    const apart_result* r = &found->result;
    return is_open(found) && r->lower_bound >= found->query->cutoff &&
           r->upper_bound - r->lower_bound > allowed_gap(found) * (1 + 1e-9);
}

// ------------------------------------------------------------------------------------------------ for programs ----

static json_t* json_vertices(const body* b, const apart_witness* w) {
    json_t* out = json_array();
    for (uint32_t i = 0; i < w->count; i++)
        if (json_array_append_new(out, json_integer((json_int_t)body_number(b, w->vertex[i]))) != 0) {
            json_decref(out);
            return NULL;
        }
    return out;
}

// A point inside a solid lies on no triangle of it: null.
static json_t* json_witness(const body* b, const apart_witness* w) {
    json_t* vertices = json_vertices(b, w);
    json_t* weights = json_numbers(w->weight, w->count);
    if (!b->is_mesh) return json_pack("{s:o, s:o}", "vertices", vertices, "weights", weights);
    json_t* triangle = w->count ? json_integer((json_int_t)w->triangle) : json_null();
    return json_pack("{s:I, s:o, s:o, s:o}", "part", (json_int_t)w->part, "triangle", triangle, "vertices", vertices,
                     "weights", weights);
}

json_t* json_body(const body* b) {
    json_t* out = json_pack("{s:o, s:s}", "name", json_text(b->name), "kind", b->kind);
    json_t* file = b->is_file
                       ? json_pack("{s:s, s:I, s:I}", "format", b->mesh.format, "points",
                                   (json_int_t)b->mesh.vertex_count, "triangles", (json_int_t)b->mesh.triangle_count)
                       : json_object();
    const apart_shape_info* i = &b->info;
    json_t* shape = b->is_mesh
                        ? json_pack("{s:I, s:I, s:I, s:I, s:o}", "components", (json_int_t)i->components, "solids",
                                    (json_int_t)i->solids, "almost_solids", (json_int_t)i->almost_solids, "open_edges",
                                    (json_int_t)i->open_edges, "largest_hole", json_hole(i))
                        : json_pack("{s:I}", "vertices", (json_int_t)i->vertices);
    // A NULL in any of these is a failure; everything handed over is released.
    int failed = json_object_update_new(out, file);
    failed |= json_object_update_new(out, shape);
    if (!failed) return out;
    json_decref(out);
    return NULL;
}

// w: NULL = nothing known.
static json_t* json_witnessed(const body* b, const apart_witness* w) {
    json_t* out = json_body(b);
    if (json_object_set_new(out, "witness", w ? json_witness(b, w) : json_null()) == 0) return out;
    json_decref(out);
    return NULL;
}

// Null where there is nothing to say.
static json_t* json_place(apart_vec3 p, bool known) { return known ? json_point(p) : json_null(); }

// Null if there is no slope.
static json_t* json_twist(const apart_twist* t) {
    if (!t) return json_null();
    return json_pack("{s:o, s:o}", "linear", json_point(t->linear), "angular", json_point(t->angular));
}

static json_t* json_gradient(const answer* found) {
    const apart_slope* s = is_cut_off(found) ? NULL : found->slope;
    return json_pack("{s:o, s:o, s:o}", "gradient_a", json_twist(s ? &s->a : NULL), "gradient_b",
                     json_twist(s ? &s->b : NULL), "unique", s ? json_boolean(s->unique) : json_null());
}

int print_answer_json(const answer* found, json_t* trace) {
    const apart_result* r = &found->result;
    const bool known = !is_cut_off(found);
    json_t* out =
        json_pack("{s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:i, s:i, s:i, s:s, s:o, s:o}", "distance",
                  json_number(r->distance), "lower_bound", json_number(r->lower_bound), "upper_bound",
                  json_number(r->upper_bound), "overlap", meet(r), "point_a", json_place(r->point_a, known), "point_b",
                  json_place(r->point_b, known), "normal", json_place(r->normal, known), "iterations", r->iterations,
                  "supports", r->supports, "visits", r->visits, "method", method_name(found->query->method), "a",
                  json_witnessed(found->a, known ? &r->a : NULL), "b", json_witnessed(found->b, known ? &r->b : NULL));
    if (out && found->graded && json_object_update_new(out, json_gradient(found)) != 0) {
        json_decref(out);
        out = NULL;
    }
    if (out && trace && json_object_set(out, "trace", trace) != 0) {
        json_decref(out);
        out = NULL;
    }
    return json_print(out);
}

// -------------------------------------------------------------------------------------------------- for people ----

// Why the bracket is open.
static const char* reason(const answer* found) {
    const apart_query* q = found->query;
    const apart_result* r = &found->result;
    if (q->depth == APART_DEPTH_BOUND && meet(r)) return "bounded as asked";
    if (r->upper_bound - r->lower_bound <= allowed_gap(found) * (1 + 1e-9) || r->lower_bound >= q->cutoff)
        return "stopped early as asked";
    return "as near as the search came";
}

static void print_bracket(emphasis how, double low, double high, const char* why) {
    print_styled(how, "between %.9g and %.9g", low, high);
    printf(", %s\n", why);
}

static void print_closed(emphasis how, double value, double gap) {
    print_styled(how, "%.9g", value);
    if (gap > 0)
        printf("   certain to within %.1g\n", gap);
    else
        printf("   certain to the last digit\n");
}

// The bodies meet, and the caller asked how deep.
static void print_depth(const answer* found, bool open) {
    const apart_result* r = &found->result;
    print_label("depth");
    if (open)
        print_bracket(ALARM, fabs(r->upper_bound), -r->lower_bound, reason(found));
    else
        print_closed(ALARM, fabs(r->distance), r->upper_bound - r->lower_bound);
}

static void print_distance(const answer* found, bool open) {
    const apart_result* r = &found->result;
    print_label("distance");
    if (meet(r)) {
        print_styled(ALARM, "0");
        printf(": the bodies touch or overlap%s\n", has_mesh(found) ? "" : " (how deep: --depth exact)");
    } else if (open) {
        print_bracket(STRONG, r->lower_bound, r->upper_bound, reason(found));
    } else if (r->lower_bound <= 0) {
        print_styled(STRONG, "touching, to within rounding");
        printf(": at most %.2g apart", r->upper_bound);
        if (r->lower_bound < 0) printf(", at most %.2g deep", -r->lower_bound);
        printf("\n");
    } else {
        print_closed(STRONG, r->distance, r->upper_bound - r->lower_bound);
    }
}

// The triangle that carries a nearest point, if the body has triangles.
static void print_point(apart_vec3 point, const char* of, const body* b, const apart_witness* w) {
    printf("%s %s", show_point(point).text, of);
    if (b->is_mesh && w->count) printf(", triangle %u", w->triangle);
    printf("\n");
}

static void print_points(const answer* found, const char* label, const char* of_a, const char* of_b,
                         const char* what_for) {
    const apart_result* r = &found->result;
    print_label(label);
    print_point(r->point_a, of_a, found->a, &r->a);
    print_label("");
    print_point(r->point_b, of_b, found->b, &r->b);
    print_label("direction");
    printf("%s %s\n", show_point(r->normal).text, what_for);
}

static void print_twist(const apart_twist* t, const char* name) {
    printf("%s for moves of %s,", show_point(t->linear).text, name);
    printf(" %s for turns\n", show_point(t->angular).text);
}

static void print_gradient(const answer* found) {
    const apart_slope* s = found->slope;
    if (!found->graded || is_cut_off(found)) return;
    print_label("gradient");
    if (!s) {
        printf("none without a depth (--depth exact)\n");
        return;
    }
    print_twist(&s->a, "A");
    print_label("");
    print_twist(&s->b, "B");
    if (s->unique) return;
    print_label("");
    printf("of one nearest pair; there are others\n");
}

// A common point of a mesh lies on a triangle, or inside of what the triangles enclose.
static void print_place(const body* b, const apart_witness* w, const char* name) {
    if (b->is_mesh && w->count) printf(", on triangle %u of %s", w->triangle, name);
    if (b->is_mesh && !w->count) printf(", inside %s", name);
}

static void print_common_point(const answer* found) {
    const apart_result* r = &found->result;
    print_label("meet at");
    printf("%s", show_point(r->point_a).text);
    print_place(found->a, &r->a, "A");
    print_place(found->b, &r->b, "B");
    printf("\n");
}

static void print_effort(const answer* found) {
    const apart_result* r = &found->result;
    const apart_method method = found->query->method;
    const char* s = r->iterations == 1 ? "" : "s";
    print_label("effort");
    if (found->a->is_mesh && found->b->is_mesh)
        printf("%d pair%s of triangles, %d of %s", r->iterations, s, r->visits,
               method == APART_METHOD_SPHERES ? "spheres" : "boxes");
    else if (has_mesh(found))
        printf("%d triangle%s, %d boxes", r->iterations, s, r->visits);
    else
        printf("%d step%s, %d support points", r->iterations, s, r->supports);
    printf(" (%s)\n", method_name(method));
}

static bool is_hull_of_file(const body* b) { return b->is_file && !b->is_mesh; }

// What the normal is good for. Surfaces that cross are as deep as the two triangles that are deepest in each other; the
// way out of a solid may be another one.
static const char* way_out(const answer* found, bool open) {
    const bool ground = body_is_unbounded(found->a) || body_is_unbounded(found->b);
    if (has_mesh(found) && !ground) return open ? "is that of the lesser depth" : "parts these two triangles";
    return open ? "takes B out of A, roughly" : "takes B out of A";
}

static void print_depth_answer(const answer* found, bool open) {
    print_depth(found, open);
    // A first bound says nothing about points and direction.
    if (!open || found->query->depth == APART_DEPTH_EXACT)
        print_points(found, "deepest", "of A in B", "of B in A", way_out(found, open));
}

void print_answer(const answer* found) {
    const apart_query* q = found->query;
    const apart_result* r = &found->result;
    const bool open = is_open(found);
    if (meet(r) && q->depth != APART_DEPTH_NONE) {
        print_depth_answer(found, open);
    } else {
        print_distance(found, open);
        if (meet(r))
            print_common_point(found);
        else if (!is_cut_off(found))
            print_points(found, "nearest", "on A", "on B", "from A to B");
    }
    print_gradient(found);
    print_body("A", found->a);
    print_body("B", found->b);
    print_effort(found);
    if (is_hull_of_file(found->a) || is_hull_of_file(found->b))
        print_styled(FAINT, "A file stands as its convex hull: hollows and holes count as filled.\n");
}

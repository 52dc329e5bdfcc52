// The nearest partner of a body, and the two bodies of a scene that are closest.
//
// The best is the pair with the least distance and, of equals, with the lowest ids. What has a lower end above the
// upper end of the best cannot be it; so it does not matter in which order the pairs come.
#include "query.h"
#include "scene/scene.h"

typedef struct nearest_search {
    const apart_scene* scene;
    apart_query query;
    bool ordered; // the body with the lower id comes first
    bool found;
    apart_scene_pair best;
} nearest_search;

/// A pair that is farther apart cannot be the best.
static double limit_of(const nearest_search* n) {
    return n->found ? smaller(n->best.result.upper_bound, n->query.cutoff) : n->query.cutoff;
}

static bool has_lower_ids(const apart_scene_pair* p, const apart_scene_pair* q) {
    return p->a != q->a ? p->a < q->a : p->b < q->b;
}

static bool comes_before(const apart_scene_pair* p, const apart_scene_pair* q) {
    if (p->result.distance != q->result.distance) return p->result.distance < q->result.distance;
    return has_lower_ids(p, q);
}

/// Measures a pair that is compared, and keeps it if it is the best.
static apart_status try_pair(nearest_search* n, const scene_record* a, const scene_record* b) {
    if (n->ordered && b->id < a->id) return try_pair(n, b, a);
    if (a->id == b->id || !apart_scene_compares(n->scene, a, b)) return APART_OK;
    apart_scene_pair p = {.a = a->id, .b = b->id};
    // Without a depth nothing is nearer than an overlap.
    const bool overlap = n->found && n->query.depth == APART_DEPTH_NONE && n->best.result.distance == 0;
    if (overlap && !has_lower_ids(&p, &n->best)) return APART_OK;
    // A cutoff ends the search of a pair that is farther apart than the best; of a mesh it may also change which of two
    // places at the same distance is found. So whatever is not farther is measured without it.
    const double limit = limit_of(n);
    const bool convex = shape_is_convex(a->body.shape) && shape_is_convex(b->body.shape);
    apart_query query = n->query;
    query.cutoff = nextafter(limit, INFINITY);
    for (int pass = convex || limit == INFINITY; pass < 2; ++pass) {
        if (pass == 1) query.cutoff = n->query.cutoff;
        apart_status status =
            apart_distance(a->body.shape, &a->body.pose, b->body.shape, &b->body.pose, &query, NULL, &p.result);
        if (status != APART_OK) return status;
        if (p.result.lower_bound > limit) return APART_OK;
    }
    if (p.result.lower_bound >= n->query.cutoff) return APART_OK;
    if (!n->found || comes_before(&p, &n->best)) n->best = p;
    n->found = true;
    return APART_OK;
}

/// The nearest partner of a body, which is in the scene or not; of NULL the closest pair.
static apart_status find_nearest(const apart_scene* scene, const scene_record* r, const apart_query* query,
                                 apart_scene_pair* nearest) {
    nearest_search n = {.scene = scene, .ordered = !r};
    apart_status status = query_read_for_many(query, 0, &n.query);
    const aabb box = r ? apart_scene_box(r->body.shape, &r->body.pose) : aabb_everywhere;
    box_search s;
    uint32_t one, other;
    double bound;
    apart_box_search_begin(&s, &scene->tree, r ? &box : NULL);
    while (status == APART_OK && apart_box_search_next(&s, limit_of(&n), &one, &other, &bound))
        status = try_pair(&n, r ? r : &scene->records[other], &scene->records[one]);
    if (status == APART_OK && !n.found) status = APART_EMPTY;
    if (status == APART_OK) *nearest = n.best;
    return status;
}

apart_status apart_scene_nearest(const apart_scene* scene, uint32_t id, const apart_query* query,
                                 apart_scene_pair* nearest) {
    const scene_record* r = scene_find(scene, id);
    return r && nearest ? find_nearest(scene, r, query, nearest) : APART_INVALID;
}

apart_status apart_scene_nearest_to(const apart_scene* scene, const apart_scene_body* visitor, const apart_query* query,
                                    apart_scene_pair* nearest) {
    scene_record r;
    if (!scene || !visitor || !nearest) return APART_INVALID;
    apart_status status = apart_scene_read_body(visitor, &r);
    r.id = APART_NO_BODY;
    return status == APART_OK ? find_nearest(scene, &r, query, nearest) : status;
}

apart_status apart_scene_closest(const apart_scene* scene, const apart_query* query, apart_scene_pair* closest) {
    return scene && closest ? find_nearest(scene, NULL, query, closest) : APART_INVALID;
}

// The nearest partner of a body, and the two bodies of a scene that are closest.
//
// The best is the pair with the least distance and, of equals, with the lowest ids. What has a lower end above the
// upper end of the best cannot be it; so it does not matter in which order the pairs come.
#include "query.h"
#include "scene/scene.h"

typedef struct nearest_search {
    const apart_scene* scene;
    apart_query query;
    const scene_record* of; // whose partner is looked for; NULL: any two bodies, the lower id first
    double limit;           // a pair that is farther apart cannot be the best
    bool found;
    apart_scene_pair best;
    apart_status status;
} nearest_search;

static bool has_lower_ids(const apart_scene_pair* p, const apart_scene_pair* q) {
    return p->a != q->a ? p->a < q->a : p->b < q->b;
}

static bool comes_before(const apart_scene_pair* p, const apart_scene_pair* q) {
    if (p->result.distance != q->result.distance) return p->result.distance < q->result.distance;
    return has_lower_ids(p, q);
}

/// Measures a pair that is compared, and keeps it if it is the best.
static apart_status try_pair(nearest_search* n, const scene_record* a, const scene_record* b) {
    if (a->id == b->id || !apart_scene_compares(n->scene, a, b)) return APART_OK;
    apart_scene_pair p = {.a = a->id, .b = b->id};
    // Without a depth nothing is nearer than an overlap.
    const bool overlap = n->found && n->query.depth == APART_DEPTH_NONE && n->best.result.distance == 0;
    if (overlap && !has_lower_ids(&p, &n->best)) return APART_OK;
    // A cutoff ends the search of a pair that is farther apart than the best; of a mesh it may also change which of two
    // places at the same distance is found. So whatever is not farther is measured without it.
    const bool convex = shape_is_convex(a->body.shape) && shape_is_convex(b->body.shape);
    apart_query query = n->query;
    query.cutoff = nextafter(n->limit, INFINITY);
    for (int pass = convex || n->limit == INFINITY; pass < 2; ++pass) {
        if (pass == 1) query.cutoff = n->query.cutoff;
        apart_status status =
            apart_distance(a->body.shape, &a->body.pose, b->body.shape, &b->body.pose, &query, NULL, &p.result);
        if (status != APART_OK) return status;
        if (p.result.lower_bound > n->limit) return APART_OK;
    }
    if (p.result.lower_bound >= n->query.cutoff) return APART_OK;
    if (!n->found || comes_before(&p, &n->best)) n->best = p;
    n->found = true;
    n->limit = smaller(n->best.result.upper_bound, n->query.cutoff);
    return APART_OK;
}

static bool visit_near(void* context, uint32_t one, uint32_t other, double bound) {
    nearest_search* n = context;
    const scene_record *a = &n->scene->records[one], *b = n->of ? n->of : &n->scene->records[other];
    const bool swapped = n->of || b->id < a->id;
    (void)bound;
    n->status = try_pair(n, swapped ? b : a, swapped ? a : b);
    return n->status == APART_OK;
}

/// The nearest partner of a body, which is in the scene or not; of NULL the closest pair.
static apart_status find_nearest(const apart_scene* scene, const scene_record* r, const apart_query* query,
                                 apart_scene_pair* nearest) {
    nearest_search n = {.scene = scene, .of = r};
    apart_status status = query_read_for_many(query, 0, &n.query);
    if (status != APART_OK) return status;
    n.limit = n.query.cutoff;
    const aabb box = r ? apart_scene_box(r->body.shape, &r->body.pose) : aabb_everywhere;
    apart_box_search(&scene->tree, r ? &box : NULL, &n.limit, visit_near, &n);
    if (n.status == APART_OK && !n.found) return APART_EMPTY;
    if (n.status == APART_OK) *nearest = n.best;
    return n.status;
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

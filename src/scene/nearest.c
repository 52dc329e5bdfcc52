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
    apart_scene_pair best;  // ids are APART_NO_BODY if there is none
    apart_status status;
} nearest_search;

static bool comes_before(const apart_scene_pair* p, const apart_scene_pair* q) {
    if (p->result.distance != q->result.distance) return p->result.distance < q->result.distance;
    return p->a != q->a ? p->a < q->a : p->b < q->b;
}

/// Measures a pair that is compared, and keeps it if it is the best.
static apart_status try_pair(nearest_search* n, const scene_record* a, const scene_record* b) {
    if (a->id == b->id || !apart_scene_compares(a, b)) return APART_OK;
    apart_scene_pair p = {.a = a->id, .b = b->id};
    // Without a depth no distance is below 0.
    if (n->query.depth == APART_DEPTH_NONE && !comes_before(&p, &n->best)) return APART_OK;
    // A cutoff ends the search of a pair that is farther apart than the best, and may change the last bits of one that
    // is not, or which of two places of a mesh is found: that is measured again without it. An overlap is measured
    // without it only: its depth may be in error, and less than the cutoff tells, so that the answer would depend on
    // the order.
    apart_query query = n->query;
    query.cutoff = nextafter(n->limit, INFINITY);
    for (int pass = n->limit < 0 || n->limit == INFINITY; pass < 2; ++pass) {
        if (pass == 1) query.cutoff = n->query.cutoff;
        apart_status status =
            apart_distance(a->body.shape, &a->body.pose, b->body.shape, &b->body.pose, &query, NULL, &p.result);
        if (status != APART_OK) return status;
        if (p.result.lower_bound > n->limit) return APART_OK;
    }
    if (p.result.lower_bound >= n->query.cutoff || !comes_before(&p, &n->best)) return APART_OK;
    n->best = p;
    n->limit = smaller(p.result.upper_bound, n->query.cutoff);
    return APART_OK;
}

static bool visit_near(void* context, uint32_t one, uint32_t other, double bound) {
    nearest_search* n = context;
    const scene_record *a = n->of ? n->of : &n->scene->records[other], *b = &n->scene->records[one];
    (void)bound;
    n->status = !n->of && b->id < a->id ? try_pair(n, b, a) : try_pair(n, a, b);
    return n->status == APART_OK;
}

/// The nearest partner of a body, which is in the scene or not; of NULL the closest pair.
static apart_status find_nearest(const apart_scene* scene, const scene_record* r, const apart_query* query,
                                 apart_scene_pair* nearest) {
    nearest_search n = {.scene = scene, .of = r, .best = {APART_NO_BODY, APART_NO_BODY, {.distance = INFINITY}}};
    apart_status status = query_read_for_many(query, 0, &n.query);
    if (status != APART_OK) return status;
    n.limit = n.query.cutoff;
    const aabb box = r ? apart_scene_box(r->body.shape, &r->body.pose) : aabb_everywhere;
    apart_box_search(&scene->tree, r ? &box : NULL, &n.limit, visit_near, &n);
    if (n.status == APART_OK && n.best.b == APART_NO_BODY) return APART_EMPTY;
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

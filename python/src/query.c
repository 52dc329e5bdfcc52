// apart.distance: options, one pair, the trace. Many poses go on to batch.c.
#include "module.h"

#include <string.h>

static const char* const depths[] = {"none", "bound", "exact", NULL};
static const char* const methods[] = {"auto", "gjk", "enhanced", "features", "spheres", NULL};

bool query_read(PyObject* const* args, apart_query* query) {
    int depth = APART_DEPTH_NONE, method = APART_METHOD_AUTO;
    *query = apart_query_default();
    if (!word_read(args[0], "depth", depths, &depth) || !number_read(args[1], &query->relative_error) ||
        !number_read(args[2], &query->absolute_error) || !number_read(args[3], &query->cutoff) ||
        !word_read(args[4], "method", methods, &method))
        return false;
    query->depth = (apart_depth)depth;
    query->method = (apart_method)method;
    return true;
}

// --------------------------------------------------------------------------------------------------------- trace ----

static PyObject* places(const apart_vec3* p, int count) {
    PyObject* list = PyTuple_New(count);
    for (int i = 0; i < count && list; ++i) PyTuple_SetItem(list, i, Py_BuildValue("ddd", p[i].x, p[i].y, p[i].z));
    return list;
}

static PyObject* weights(const double* w, int count) {
    PyObject* list = PyTuple_New(count);
    for (int i = 0; i < count && list; ++i) PyTuple_SetItem(list, i, PyFloat_FromDouble(w[i]));
    return list;
}

/// Tells a step, until the function raises something.
static void tell_step(const apart_step* s, void* context) {
    callback* c = context;
    if (c->type) return;
    PyObject* step = PyObject_CallFunction(py.step, "iNNNN(ddd)(ddd)dd", s->iteration, places(s->a, s->count_a),
                                           places(s->b, s->count_b), weights(s->weight_a, s->count_a),
                                           weights(s->weight_b, s->count_b), s->point_a.x, s->point_a.y, s->point_a.z,
                                           s->point_b.x, s->point_b.y, s->point_b.z, s->lower, s->upper);
    PyObject* answer = step ? PyObject_CallFunctionObjArgs(c->function, step, NULL) : NULL;
    if (!answer) callback_keep(c);
    Py_XDECREF(step);
    Py_XDECREF(answer);
}

// ------------------------------------------------------------------------------------------------------ one pair ----

PyObject* distance_one(shape_object* a, const pose_array* in_a, shape_object* b, const pose_array* in_b,
                       const apart_query* query, PyObject* cache) {
    apart_pose pose_a, pose_b;
    apart_status status = poses_get(in_a, 0, &pose_a), status_b = poses_get(in_b, 0, &pose_b);
    if (status == APART_OK) status = status_b;
    // A copy, since another thread may use the cache while this one has let the GIL go.
    apart_cache local, *warm = NULL;
    if (cache) {
        local = ((cache_object*)cache)->cache;
        warm = &local;
    }
    apart_result r;
    if (status == APART_OK && (a->slow || b->slow) && !query->trace) {
        Py_BEGIN_ALLOW_THREADS;
        status = apart_distance(a->shape, &pose_a, b->shape, &pose_b, query, warm, &r);
        Py_END_ALLOW_THREADS;
    } else if (status == APART_OK) {
        status = apart_distance(a->shape, &pose_a, b->shape, &pose_b, query, warm, &r);
    }
    if (shape_raise(a) || shape_raise(b)) return NULL;
    if (status != APART_OK) {
        broadcast both;
        return broadcast_open(in_a, in_b, &both) ? broadcast_raise(&both, 0, status) : NULL;
    }
    if (cache) ((cache_object*)cache)->cache = local;
    return result_make(&r);
}

enum { A, B, POSE_A, POSE_B, QUERY, CACHE = QUERY + QUERY_COUNT, TRACE, THREADS, OUT };

static PyObject* distance_traced(shape_object* a, const pose_array* in_a, shape_object* b, const pose_array* in_b,
                                 apart_query* query, PyObject* cache, PyObject* function) {
    callback trace = {.function = function};
    query->trace = tell_step;
    query->trace_context = &trace;
    PyObject* r = distance_one(a, in_a, b, in_b, query, cache);
    if (callback_raise(&trace)) Py_CLEAR(r);
    return r;
}

/// Many poses at a time have neither a cache nor a trace.
static PyObject* distance_posed(PyObject** a, const pose_array* in_a, const pose_array* in_b, apart_query* query,
                                int threads) {
    shape_object *first = (shape_object*)a[A], *second = (shape_object*)a[B];
    PyObject* cache = a[CACHE] == Py_None ? NULL : a[CACHE];
    PyObject* trace = a[TRACE] == Py_None ? NULL : a[TRACE];
    if (cache && Py_TYPE(cache) != py.cache)
        return PyErr_Format(PyExc_TypeError, "cache must be an apart.Cache, not %R", Py_TYPE(cache));
    if (in_a->dims == 0 && in_b->dims == 0 && trace)
        return distance_traced(first, in_a, second, in_b, query, cache, trace);
    if (in_a->dims == 0 && in_b->dims == 0) return distance_one(first, in_a, second, in_b, query, cache);
    if (cache)
        return PyErr_Format(PyExc_ValueError, "a cache belongs to one pair; distance_batch takes one for each pair");
    if (trace) return PyErr_Format(PyExc_ValueError, "a trace is of one pair, not of many");
    return distance_many(first, in_a, second, in_b, query, a[OUT] ? a[OUT] : Py_None, threads);
}

static PyObject* distance(PyObject* module, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    static const signature s = {
        "distance",
        2,
        4,
        {"a", "b", "pose_a", "pose_b", QUERY_NAMES, "cache", "trace", "threads", "out"},
    };
    (void)module;
    PyObject* a[MOST_ARGUMENTS + 1];
    apart_query query;
    int threads = 0;
    if (!arguments_read(&s, args, count, names, a) || !shape_read(a[A], "a") || !shape_read(a[B], "b") ||
        !query_read(a + QUERY, &query) || !integer_read(a[THREADS], "threads", &threads))
        return NULL;
    pose_array in_a, in_b;
    if (!poses_open(a[POSE_A], "pose_a", &in_a)) return NULL;
    if (!poses_open(a[POSE_B], "pose_b", &in_b)) {
        poses_close(&in_a);
        return NULL;
    }
    PyObject* out = distance_posed(a, &in_a, &in_b, &query, threads);
    poses_close(&in_a);
    poses_close(&in_b);
    return out;
}

PyMethodDef query_functions[] = {
    FAST(
        "distance", distance,
        "distance($module, a, b, pose_a=None, pose_b=None, *, depth='none', relative_error=0.0, absolute_error=0.0,\n"
        "         cutoff=None, method='auto', cache=None, trace=None, threads=0, out=None)\n--\n\n"
        "How far apart are a and b?\n\n"
        "Poses are (4, 4) arrays, None is the identity. Arrays of shape (..., 4, 4) are broadcast against each other\n"
        "and give one Results, whose fields are arrays; all cores work on it, or `threads`, and `out`, the Results of\n"
        "an earlier call, is written again.\n\n"
        "depth: what an overlap answers: 'none' (distance 0), 'bound' (a bracket of the depth) or 'exact'.\n"
        "relative_error, absolute_error: how wide the bracket may be. cutoff: farther is far enough.\n"
        "method: 'auto', 'gjk', 'enhanced', 'features' or 'spheres'. cache: an apart.Cache of this pair.\n"
        "trace: called with an apart.Step at every step of two convex bodies.\n\n"
        ">>> box = apart.box((1, 1, 1))\n"
        ">>> apart.distance(box, box, None, apart.pose((3, 0, 0)))\n"
        "<apart.Result: distance 1.0 in [0.999999999999954, 1.0000000000000115]>\n"
        ">>> apart.distance(box, box, None, apart.pose((1.5, 0, 0)), depth='exact')\n"
        "<apart.Result: distance -0.5 in [-0.5000000000000353, -0.4999999999999537], overlap>\n"
        ">>> apart.distance(box, box, None, apart.pose([(3, 0, 0), (4, 0, 0)])).distance.tolist()\n"
        "[1.0, 2.0]\n"),
    {NULL},
};

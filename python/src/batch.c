// Many pairs by one call, without the GIL: poses that are broadcast, lists of shapes, points, gradients.
#include "module.h"

#include "batch/batch.h"
#include "query.h"

#include <stdatomic.h>
#include <time.h>

// ------------------------------------------------------------------------------------------------------- results ----

PyObject* results_make(PyObject* buffer, const Py_ssize_t* shape, int dims) {
    PyObject* sizes = shape_tuple(shape, dims);
    if (sizes) return PyObject_CallFunction(py.results, "NN", buffer, sizes);
    Py_DECREF(buffer);
    return NULL;
}

PyObject* results_memory(PyObject* out, size_t count) {
    const Py_ssize_t bytes = (Py_ssize_t)(count * sizeof(apart_result));
    if (!out || out == Py_None) return PyByteArray_FromStringAndSize(NULL, bytes);
    PyObject* memory = attribute(out, "_memory");
    if (memory && PyByteArray_CheckExact(memory) && PyByteArray_Size(memory) == bytes) return memory;
    Py_XDECREF(memory);
    PyErr_Clear();
    PyErr_Format(PyExc_ValueError, "out must be the Results of a call with as many poses (%zd)", (Py_ssize_t)count);
    return NULL;
}

// ---------------------------------------------------------------------------------------------------- many poses ----

/// Blocks of work are made as long as fit in so many seconds: between two of them Python handles signals.
#define PATIENCE 0.1

typedef struct pose_job {
    batch batch;
    const broadcast* poses;
    size_t first;          // of this block
    atomic_size_t* lowest; // the lowest index that failed
} pose_job;

/// So many poses are converted before they are measured: few, so that they are still at hand, and enough that a pose is
/// read again only once the processor has written it, and that the room of most results is asked for early.
#define AT_ONCE (16 * LANE_COUNT)

/// Converts the poses of the sides that move, from index `from` on; returns how many of `count` are fit to be measured.
static size_t convert_poses(const pose_job* job, size_t from, size_t count, apart_pose pose[2][AT_ONCE],
                            failure* lowest) {
    const size_t step[2] = {job->batch.step_a, job->batch.step_b};
    for (int s = 0; s < 2; ++s) {
        const size_t good = step[s] ? broadcast_convert(job->poses, s, from, count, pose[s]) : count;
        if (good < count) failure_note(lowest, from + good, APART_NOT_A_ROTATION);
        count = good;
    }
    return count;
}

static void measure_block(const void* context, size_t from, size_t to, failure* lowest) {
    const pose_job* job = context;
    batch some = job->batch;
    waiting w;
    apart_batch_begin(&some, &w);
    apart_pose pose[2][AT_ONCE];
    if (some.step_a) some.first.pose_a = pose[0];
    if (some.step_b) some.first.pose_b = pose[1];
    to += job->first;
    for (size_t i = job->first + from; i < to && lowest->status == APART_OK; i += AT_ONCE) {
        const size_t count = convert_poses(job, i, to - i < AT_ONCE ? to - i : AT_ONCE, pose, lowest);
        failure one = {0};
        some.results = job->batch.results + i;
        apart_batch_measure(&some, &w, 0, count, &one);
        failure_note(lowest, i + one.index, one.status);
    }
    if (lowest->status == APART_OK) return;
    size_t known = atomic_load(job->lowest);
    while (lowest->index < known && !atomic_compare_exchange_weak(job->lowest, &known, lowest->index)) continue;
}

static double seconds(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Whether all went well. Pairs of a mesh or union may each be long, those of convex bodies are not.
static bool measure_all(pose_job* job, shape_object* a, shape_object* b, int threads) {
    const bool slow = a->slow || b->slow;
    const size_t count = job->poses->count;
    size_t block = slow ? 256 : 0x20000;
    while (job->first < count) {
        const size_t left = count - job->first, now = left < block ? left : block;
        apart_status status;
        double took;
        Py_BEGIN_ALLOW_THREADS;
        took = -seconds();
        status = apart_workers_run(measure_block, job, now, slow ? 1 : 1024, threads);
        took += seconds();
        Py_END_ALLOW_THREADS;
        if (shape_raise(a) || shape_raise(b) || PyErr_CheckSignals() < 0) return false;
        if (status != APART_OK) return broadcast_raise(job->poses, atomic_load(job->lowest), status);
        job->first += now;
        if (took < PATIENCE && block < SIZE_MAX / 2) block *= 2;
    }
    return true;
}

PyObject* distance_many(shape_object* a, const pose_array* pose_a, shape_object* b, const pose_array* pose_b,
                        const apart_query* query, PyObject* out, int threads) {
    broadcast poses;
    apart_query plain;
    apart_pose first[2];
    if (!broadcast_open(pose_a, pose_b, &poses)) return NULL;
    // A query that is wrong as a whole has no index.
    const apart_status status = query_read_for_many(query, threads, &plain);
    if (status != APART_OK) return raise_status(status, NULL);
    for (int s = 0; s < 2 && poses.count > 0; ++s)
        if (poses_get(poses.side[s], 0, &first[s]) != APART_OK) return broadcast_raise(&poses, 0, APART_NOT_A_ROTATION);
    PyObject* memory = results_memory(out, poses.count);
    if (!memory) return NULL;
    atomic_size_t lowest = SIZE_MAX;
    pose_job job = {.batch = {.first = {a->shape, b->shape, &first[0], &first[1], plain.cutoff},
                              .step_a = !broadcast_is_still(&poses, 0),
                              .step_b = !broadcast_is_still(&poses, 1),
                              .query = &plain,
                              .results = (apart_result*)PyByteArray_AsString(memory)},
                    .poses = &poses,
                    .lowest = &lowest};
    if (measure_all(&job, a, b, threads)) return results_make(memory, poses.shape, poses.dims);
    Py_DECREF(memory);
    return NULL;
}

// --------------------------------------------------------------------------------------------------- many points ----

static PyObject* raise_point(const array* points, apart_status status, const apart_status* statuses, size_t count) {
    size_t i = 0;
    while (i < count && statuses[i] == APART_OK) ++i;
    const double* p = (const double*)points->view.buf + 3 * i;
    if (i < count && !(fabs(p[0]) <= APART_LIMIT && fabs(p[1]) <= APART_LIMIT && fabs(p[2]) <= APART_LIMIT))
        return PyErr_Format(PyExc_ValueError, "point %zu: %s", i, apart_status_text(status));
    return raise_status(status, NULL);
}

static PyObject* measure_points(shape_object* shape, const apart_pose* pose, const array* points,
                                const apart_query* query, PyObject* out, int threads) {
    const size_t count = rows_count(points, 3);
    PyObject* memory = results_memory(out, count);
    apart_status* statuses = PyMem_Calloc(count ? count : 1, sizeof *statuses);
    if (!memory || !statuses) {
        PyMem_Free(statuses);
        Py_XDECREF(memory);
        return memory ? PyErr_NoMemory() : NULL;
    }
    apart_result* results = (apart_result*)PyByteArray_AsString(memory);
    apart_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = apart_distance_points(shape->shape, pose, points->view.buf, count, query, results, statuses, threads);
    Py_END_ALLOW_THREADS;
    if (shape_raise(shape) || (status != APART_OK && !raise_point(points, status, statuses, count))) Py_CLEAR(memory);
    PyMem_Free(statuses);
    return memory ? results_make(memory, points->view.shape, points->view.ndim - 1) : NULL;
}

static PyObject* distance_points(PyObject* module, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    static const signature s = {"distance_points", 2, 3, {"shape", "points", "pose", QUERY_NAMES, "threads", "out"}};
    (void)module;
    PyObject* a[MOST_ARGUMENTS + 1];
    apart_query query;
    apart_pose pose;
    int threads = 0;
    array points;
    shape_object* shape;
    if (!arguments_read(&s, args, count, names, a) || !(shape = shape_read(a[0], "shape")) ||
        !query_read(a + 3, &query) || !integer_read(a[3 + QUERY_COUNT], "threads", &threads) ||
        !pose_read(a[2], "pose", &pose) || !rows_open(a[1], "points", 3, &points))
        return NULL;
    PyObject* out = measure_points(shape, &pose, &points, &query, a[4 + QUERY_COUNT], threads);
    array_close(&points);
    return out;
}

// ------------------------------------------------------------------------------------------------ lists of shapes ----

/// The shapes of one side: one for all, or a sequence. A new tuple.
static PyObject* shapes_read(PyObject* o, const char* name) {
    if (Py_TYPE(o) == py.shape) return PyTuple_Pack(1, o);
    PyObject* list = PySequence_Tuple(o);
    for (Py_ssize_t i = 0; list && i < PyTuple_Size(list); ++i)
        if (!shape_read(PyTuple_GetItem(list, i), name)) Py_CLEAR(list);
    return list;
}

/// How many pairs there are: the one size other than 1 that the four arguments have. -1 with a ValueError.
static Py_ssize_t count_pairs(const Py_ssize_t sizes[4]) {
    Py_ssize_t count = 1;
    for (int i = 0; i < 4; ++i) {
        if (sizes[i] == 1) continue;
        if (count != 1 && sizes[i] != count) {
            PyErr_Format(PyExc_ValueError,
                         "%zd shapes a, %zd shapes b, %zd poses a, %zd poses b: each must be 1 or the number of pairs",
                         sizes[0], sizes[1], sizes[2], sizes[3]);
            return -1;
        }
        count = sizes[i];
    }
    return count;
}

static bool caches_read(PyObject* list, Py_ssize_t count, apart_cache* caches) {
    for (Py_ssize_t i = 0; i < count; ++i) {
        PyObject* one = PyTuple_GetItem(list, i);
        if (Py_TYPE(one) != py.cache) return PyErr_Format(PyExc_TypeError, "caches must be a list of apart.Cache");
        caches[i] = ((cache_object*)one)->cache;
    }
    return true;
}

typedef struct pair_list {
    PyObject* shapes[2];
    pose_array poses[2];
    broadcast both;
    Py_ssize_t count;
    apart_pair* pairs;
    apart_cache* caches;
    PyObject* cache_list;
} pair_list;

static bool pairs_fill(pair_list* l) {
    const broadcast* b = &l->both;
    odometer o;
    odometer_set(b, 0, &o);
    for (Py_ssize_t i = 0; i < l->count; ++i) {
        apart_pose* pose[2] = {&l->pairs[i].pose_a, &l->pairs[i].pose_b};
        const apart_shape* shape[2];
        for (int s = 0; s < 2; ++s) {
            const Py_ssize_t size = PyTuple_Size(l->shapes[s]);
            shape[s] = ((shape_object*)PyTuple_GetItem(l->shapes[s], size == 1 ? 0 : i))->shape;
            const apart_status status = poses_get(b->side[s], o.at[s], pose[s]);
            if (status != APART_OK) return broadcast_raise(b, b->count == 1 ? 0 : (size_t)i, status);
        }
        l->pairs[i].a = shape[0];
        l->pairs[i].b = shape[1];
        if (b->count > 1) odometer_step(b, &o);
    }
    return true;
}

static bool pairs_open(pair_list* l, PyObject* caches) {
    if (!broadcast_open(&l->poses[0], &l->poses[1], &l->both)) return false;
    const broadcast* b = &l->both;
    if (b->dims > 1) return PyErr_Format(PyExc_ValueError, "poses of a list of pairs must have shape (n, 4, 4)");
    const Py_ssize_t poses = (Py_ssize_t)b->count;
    const Py_ssize_t sizes[4] = {PyTuple_Size(l->shapes[0]), PyTuple_Size(l->shapes[1]), poses, poses};
    l->count = count_pairs(sizes);
    if (l->count < 0) return false;
    const size_t room = l->count ? (size_t)l->count : 1;
    l->pairs = PyMem_Calloc(room, sizeof *l->pairs);
    if (!l->pairs) return PyErr_NoMemory();
    if (!pairs_fill(l)) return false;
    if (!caches || caches == Py_None) return true;
    l->caches = PyMem_Calloc(room, sizeof *l->caches);
    l->cache_list = PySequence_Tuple(caches);
    if (!l->caches || !l->cache_list) return PyErr_Occurred() ? false : PyErr_NoMemory();
    if (PyTuple_Size(l->cache_list) != l->count)
        return PyErr_Format(PyExc_ValueError, "there are %zd pairs, but %zd caches", l->count,
                            PyTuple_Size(l->cache_list));
    return caches_read(l->cache_list, l->count, l->caches);
}

/// Sets what a support function raised. Whether one did.
static bool pairs_raise(pair_list* l) {
    for (int s = 0; s < 2; ++s)
        for (Py_ssize_t i = 0; i < PyTuple_Size(l->shapes[s]); ++i)
            if (shape_raise((shape_object*)PyTuple_GetItem(l->shapes[s], i))) return true;
    return false;
}

static PyObject* measure_pairs(pair_list* l, const apart_query* query, PyObject* out, int threads) {
    PyObject* memory = results_memory(out, (size_t)l->count);
    apart_status* statuses = PyMem_Calloc(l->count ? (size_t)l->count : 1, sizeof *statuses);
    if (memory && statuses) {
        apart_result* results = (apart_result*)PyByteArray_AsString(memory);
        apart_status status;
        Py_BEGIN_ALLOW_THREADS;
        status = apart_distance_batch(l->pairs, (size_t)l->count, query, l->caches, results, statuses, threads);
        Py_END_ALLOW_THREADS;
        size_t bad = 0;
        while (status != APART_OK && bad + 1 < (size_t)l->count && statuses[bad] == APART_OK) ++bad;
        if (pairs_raise(l) || (status != APART_OK && !broadcast_raise(&l->both, l->both.count == 1 ? 0 : bad, status)))
            Py_CLEAR(memory);
        for (Py_ssize_t i = 0; memory && l->caches && i < l->count; ++i)
            ((cache_object*)PyTuple_GetItem(l->cache_list, i))->cache = l->caches[i];
    }
    PyMem_Free(statuses);
    return memory ? results_make(memory, &l->count, 1) : NULL;
}

static void pairs_close(pair_list* l) {
    PyMem_Free(l->pairs);
    PyMem_Free(l->caches);
    Py_XDECREF(l->cache_list);
    Py_XDECREF(l->shapes[0]);
    Py_XDECREF(l->shapes[1]);
}

static PyObject* distance_batch(PyObject* module, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    static const signature s = {
        "distance_batch", 2, 4, {"a", "b", "pose_a", "pose_b", QUERY_NAMES, "caches", "threads", "out"}};
    (void)module;
    PyObject* a[MOST_ARGUMENTS + 1];
    apart_query query;
    int threads = 0;
    if (!arguments_read(&s, args, count, names, a) || !query_read(a + 4, &query) ||
        !integer_read(a[5 + QUERY_COUNT], "threads", &threads))
        return NULL;
    pair_list l = {.shapes = {shapes_read(a[0], "a"), NULL}};
    if (l.shapes[0]) l.shapes[1] = shapes_read(a[1], "b");
    PyObject* out = NULL;
    if (l.shapes[1] && poses_open(a[2], "pose_a", &l.poses[0])) {
        if (poses_open(a[3], "pose_b", &l.poses[1])) {
            if (pairs_open(&l, a[4 + QUERY_COUNT])) out = measure_pairs(&l, &query, a[6 + QUERY_COUNT], threads);
            poses_close(&l.poses[1]);
        }
        poses_close(&l.poses[0]);
    }
    pairs_close(&l);
    return out;
}

// ------------------------------------------------------------------------------------------------------ gradients ----

/// The slopes of all pairs; *bad is the index that failed.
static apart_status measure_slopes(const apart_shape* a, const apart_shape* b, const broadcast* poses,
                                   const apart_result* results, apart_slope* slopes, size_t* bad) {
    odometer o;
    odometer_set(poses, 0, &o);
    for (size_t i = 0; i < poses->count; ++i) {
        apart_pose pose[2];
        apart_status status = poses_get(poses->side[0], o.at[0], &pose[0]);
        if (status == APART_OK) status = poses_get(poses->side[1], o.at[1], &pose[1]);
        if (status == APART_OK) status = apart_gradient(a, &pose[0], b, &pose[1], &results[i], &slopes[i]);
        *bad = i;
        if (status != APART_OK) return status;
        odometer_step(poses, &o);
    }
    return APART_OK;
}

static bool slopes_fill(shape_object* a, shape_object* b, const broadcast* poses, const apart_result* results,
                        PyObject* memory) {
    apart_slope* slopes = (apart_slope*)PyByteArray_AsString(memory);
    apart_status status;
    size_t bad = 0;
    Py_BEGIN_ALLOW_THREADS;
    status = measure_slopes(a->shape, b->shape, poses, results, slopes, &bad);
    Py_END_ALLOW_THREADS;
    if (shape_raise(a) || shape_raise(b)) return false;
    if (status == APART_UNSUPPORTED)
        return PyErr_Format(PyExc_ValueError, "an overlap that was answered without a depth has no gradient");
    return status == APART_OK || broadcast_raise(poses, bad, status);
}

/// What holds the bytes of a Result or of Results; NULL with a ValueError, if there are not `count` of them.
static PyObject* results_bytes(PyObject* result, size_t count, Py_buffer* view) {
    PyObject* memory = Py_TYPE(result) == py.result ? Py_NewRef(result) : attribute(result, "_memory");
    if (memory && PyObject_GetBuffer(memory, view, PyBUF_SIMPLE) == 0) {
        if ((size_t)view->len == count * sizeof(apart_result)) return memory;
        PyBuffer_Release(view);
    }
    Py_XDECREF(memory);
    PyErr_Clear();
    return PyErr_Format(PyExc_ValueError, "result must be what apart.distance answered at these poses");
}

/// The answer at all poses, with the exact depth.
static PyObject* measure_exactly(shape_object* a, const pose_array* pose_a, shape_object* b, const pose_array* pose_b) {
    const apart_query exact = {.depth = APART_DEPTH_EXACT};
    if (pose_a->dims == 0 && pose_b->dims == 0) return distance_one(a, pose_a, b, pose_b, &exact, NULL);
    return distance_many(a, pose_a, b, pose_b, &exact, Py_None, 0);
}

static PyObject* gradient_posed(shape_object* a, const pose_array* pose_a, shape_object* b, const pose_array* pose_b,
                                PyObject* given) {
    broadcast poses;
    Py_buffer view;
    if (!broadcast_open(pose_a, pose_b, &poses)) return NULL;
    PyObject* result = given && given != Py_None ? Py_NewRef(given) : measure_exactly(a, pose_a, b, pose_b);
    PyObject* bytes = result ? results_bytes(result, poses.count, &view) : NULL;
    PyObject *slopes = NULL, *out = NULL;
    if (bytes) {
        slopes = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(poses.count * sizeof(apart_slope)));
        if (slopes && slopes_fill(a, b, &poses, view.buf, slopes))
            out = PyObject_CallFunction(py.slope, "ONO", slopes, shape_tuple(poses.shape, poses.dims), result);
        PyBuffer_Release(&view);
    }
    Py_XDECREF(slopes);
    Py_XDECREF(bytes);
    Py_XDECREF(result);
    return out;
}

static PyObject* gradient(PyObject* module, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    static const signature s = {"gradient", 2, 5, {"a", "b", "pose_a", "pose_b", "result"}};
    (void)module;
    PyObject* v[MOST_ARGUMENTS + 1];
    pose_array pose_a, pose_b;
    if (!arguments_read(&s, args, count, names, v) || !shape_read(v[0], "a") || !shape_read(v[1], "b") ||
        !poses_open(v[2], "pose_a", &pose_a))
        return NULL;
    PyObject* out = NULL;
    if (poses_open(v[3], "pose_b", &pose_b)) {
        out = gradient_posed((shape_object*)v[0], &pose_a, (shape_object*)v[1], &pose_b, v[4]);
        poses_close(&pose_b);
    }
    poses_close(&pose_a);
    return out;
}

PyMethodDef batch_functions[] = {
    FAST(
        "distance_points", distance_points,
        "distance_points($module, shape, points, pose=None, *, depth='none', relative_error=0.0, absolute_error=0.0,\n"
        "                cutoff=None, method='auto', threads=0, out=None)\n--\n\n"
        "Many points (..., 3) of the world against one shape, which is `a` of every result. With a depth the distance\n"
        "of a point inside is negative: the signed distance.\n\n"
        ">>> apart.distance_points(apart.sphere(1), [(0, 0, 3), (0, 0, 0.5)], depth='exact').distance.tolist()\n"
        "[2.0, -0.5]\n"),
    FAST("distance_batch", distance_batch,
         "distance_batch($module, a, b, pose_a=None, pose_b=None, *, depth='none', relative_error=0.0,\n"
         "               absolute_error=0.0, cutoff=None, method='auto', caches=None, threads=0, out=None)\n--\n\n"
         "Pairs of different shapes: a and b are lists of n shapes, or one shape; poses have shape (n, 4, 4) or\n"
         "(4, 4). caches: a list of n apart.Cache.\n\n"
         ">>> bodies = [apart.sphere(1), apart.box((1, 1, 1))]\n"
         ">>> apart.distance_batch(bodies, apart.sphere(1), None, apart.pose((4, 0, 0))).distance.tolist()\n"
         "[2.0, 2.0]\n"),
    FAST("gradient", gradient,
         "gradient($module, a, b, pose_a=None, pose_b=None, result=None)\n--\n\n"
         "How the distance changes with the poses: a Slope. change = a.linear . dx_a + a.angular . dw_a + those of b,\n"
         "dx the way of a body's own origin and dw its turn about that, in world axes. `result` is what\n"
         "apart.distance answered at these poses; without it, it is computed, with the exact depth. Poses of shape\n"
         "(..., 4, 4) give fields of shape (..., 3).\n\n"
         ">>> slope = apart.gradient(apart.sphere(1), apart.sphere(1), None, apart.pose((3, 0, 0)))\n"
         ">>> slope.b.linear.tolist(), slope.unique\n"
         "([1.0, 0.0, 0.0], True)\n"),
    {NULL},
};

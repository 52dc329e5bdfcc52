// Motions, and when two bodies in motion meet.
#include "module.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------- the object ----

static int motion_traverse(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    return callback_visit(&((motion_object*)self)->function, visit, arg);
}

static int motion_clear(PyObject* self) {
    callback_clear(&((motion_object*)self)->function);
    return 0;
}

static void motion_dealloc(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    PyMem_Free(((motion_object*)self)->keys);
    motion_clear(self);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

static const char* const motion_kinds[] = {"still", "slerp", "nlerp", "velocity", "keys", "function", NULL};

static PyObject* motion_repr(PyObject* self) {
    return PyUnicode_FromFormat("<apart.Motion: %s>", motion_kinds[((motion_object*)self)->motion.kind]);
}

/// The pose at a time by the caller's function. What it raises ends the query.
static apart_status call_motion(double time, void* context, apart_pose* pose) {
    callback* c = context;
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject* answer = c->type ? NULL : PyObject_CallFunction(c->function, "d", time);
    const bool good = answer && pose_read(answer, "the pose of a motion", pose);
    if (PyErr_Occurred()) callback_keep(c);
    Py_XDECREF(answer);
    PyGILState_Release(gil);
    return good ? APART_OK : APART_CANCELLED;
}

bool motion_read(PyObject* o, const char* name, apart_motion* motion, callback** function) {
    *function = NULL;
    *motion = (apart_motion){.start = apart_pose_identity};
    if (!o || !PyObject_TypeCheck(o, py.motion)) return pose_read(o, name, &motion->start);
    motion_object* m = (motion_object*)o;
    *motion = m->motion;
    if (m->function.function) *function = &m->function;
    return true;
}

PyObject* motion_make(PyTypeObject* type, const apart_motion* motion, PyObject* function) {
    motion_object* m = (motion_object*)PyType_GenericAlloc(type, 0);
    if (!m) return NULL;
    m->motion = *motion;
    m->function.function = Py_XNewRef(function);
    m->motion.function = call_motion;
    m->motion.context = &m->function;
    const size_t count = motion->kind == APART_MOTION_KEYS ? motion->key_count : 0;
    m->motion.keys = m->keys = PyMem_Calloc(count + 1, sizeof *m->keys);
    if (m->keys && count > 0) memcpy(m->keys, motion->keys, count * sizeof *m->keys);
    apart_pose pose;
    const apart_status status = m->keys ? apart_motion_pose(&m->motion, 0, &pose) : APART_OUT_OF_MEMORY;
    if (!callback_raise(&m->function) && status == APART_OK) return (PyObject*)m;
    raise_status(status, motion_kinds[motion->kind]);
    Py_DECREF(m);
    return NULL;
}

// --------------------------------------------------------------------------------------------- from and to Python ----

/// Times (n,) and poses (n, 4, 4) as keys, to be freed.
static apart_key* keys_read(PyObject* times, PyObject* poses, size_t* count) {
    array t;
    pose_array p;
    apart_key* keys = NULL;
    if (!array_open(times, "times", &t)) return NULL;
    if (poses_open(poses, "poses", &p)) {
        const Py_ssize_t n = p.dims == 1 ? p.array.view.shape[0] : 0;
        const bool fit = p.dims == 1 && t.view.ndim == 1 && t.view.shape[0] == n;
        if (!fit) PyErr_SetString(PyExc_ValueError, "times must have shape (n,), and poses shape (n, 4, 4)");
        keys = fit ? PyMem_Calloc((size_t)n + 1, sizeof *keys) : NULL;
        apart_status status = APART_OK;
        for (Py_ssize_t i = 0; keys && i < n && status == APART_OK; ++i) {
            memcpy(&keys[i].time, (const char*)t.view.buf + i * t.view.strides[0], sizeof(double));
            status = poses_get(&p, i * p.array.view.strides[0], &keys[i].pose);
        }
        if (status != APART_OK) raise_status(status, "poses");
        *count = (size_t)n;
        poses_close(&p);
    }
    array_close(&t);
    if (keys && PyErr_Occurred()) {
        PyMem_Free(keys);
        keys = NULL;
    }
    return keys ? keys : PyErr_Occurred() ? NULL : (void*)PyErr_NoMemory();
}

/// Motion(kind, start, end, pivot, linear, angular, times, poses, function, speed, spin): what a pickle holds. Python's
/// side has a function for each kind.
static PyObject* motion_new(PyTypeObject* type, PyObject* args, PyObject* names) {
    PyObject* a[11];
    apart_motion m = {0};
    int kind = 0;
    if (names && PyDict_Size(names) > 0) return PyErr_Format(PyExc_TypeError, "Motion() takes no keyword arguments");
    if (!PyArg_ParseTuple(args, "OOOOOOOOOOO:Motion", &a[0], &a[1], &a[2], &a[3], &a[4], &a[5], &a[6], &a[7], &a[8],
                          &a[9], &a[10]) ||
        !word_read(a[0], "kind", motion_kinds, &kind) || !pose_read(a[1], "start", &m.start) ||
        !pose_read(a[2], "end", &m.end) || !vector_read(a[3], "pivot", &m.pivot) ||
        !vector_read(a[4], "linear", &m.velocity.linear) || !vector_read(a[5], "angular", &m.velocity.angular) ||
        !number_read(a[9], &m.speed) || !number_read(a[10], &m.spin))
        return NULL;
    m.kind = (apart_motion_kind)kind;
    if (kind == APART_MOTION_FUNCTION && !PyCallable_Check(a[8]))
        return PyErr_Format(PyExc_TypeError, "function must be callable, not %R", a[8]);
    apart_key* keys = kind == APART_MOTION_KEYS ? keys_read(a[6], a[7], &m.key_count) : NULL;
    if (kind == APART_MOTION_KEYS && !keys) return NULL;
    m.keys = keys;
    PyObject* motion = motion_make(type, &m, kind == APART_MOTION_FUNCTION ? a[8] : NULL);
    PyMem_Free(keys);
    return motion;
}

static PyObject* motion_reduce(PyObject* self, PyObject* unused) {
    (void)unused;
    const motion_object* m = (motion_object*)self;
    const apart_vec3 p = m->motion.pivot, v = m->motion.velocity.linear, w = m->motion.velocity.angular;
    const size_t n = m->motion.kind == APART_MOTION_KEYS ? m->motion.key_count : 0;
    PyObject *times = PyList_New((Py_ssize_t)n), *poses = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; times && poses && i < n; ++i) {
        PyList_SetItem(times, (Py_ssize_t)i, PyFloat_FromDouble(m->keys[i].time));
        PyList_SetItem(poses, (Py_ssize_t)i, matrix_of(&m->keys[i].pose));
    }
    // Fields of other kinds may hold anything.
    const bool has_end = m->motion.kind == APART_MOTION_SLERP || m->motion.kind == APART_MOTION_NLERP;
    const bool has_start = m->motion.kind <= APART_MOTION_VELOCITY;
    return Py_BuildValue("O(sNN(ddd)(ddd)(ddd)NNOdd)", Py_TYPE(self), motion_kinds[m->motion.kind],
                         matrix_of(has_start ? &m->motion.start : &apart_pose_identity),
                         matrix_of(has_end ? &m->motion.end : &apart_pose_identity), p.x, p.y, p.z, v.x, v.y, v.z, w.x,
                         w.y, w.z, times, poses, m->function.function ? m->function.function : Py_None, m->motion.speed,
                         m->motion.spin);
}

/// Poses at times of any shape, in `out`.
static apart_status poses_at(const motion_object* m, const array* times, double* out) {
    const size_t n = (size_t)times->view.len / sizeof(double);
    apart_status status = APART_OK;
    for (size_t i = 0; i < n && status == APART_OK; ++i) {
        double time;
        apart_pose pose;
        memcpy(&time, (const char*)times->view.buf + i * sizeof time, sizeof time);
        status = apart_motion_pose(&m->motion, time, &pose);
        if (status == APART_OK) apart_pose_to_matrix(&pose, out + 16 * i);
    }
    return status;
}

/// pose(time): Python's side reshapes what is a bytearray here.
static PyObject* motion_poses(PyObject* self, PyObject* times) {
    motion_object* m = (motion_object*)self;
    array t;
    if (!rows_open(times, "time", 1, &t)) return NULL;
    PyObject* memory = PyByteArray_FromStringAndSize(NULL, 16 * t.view.len);
    const apart_status status = memory ? poses_at(m, &t, (double*)PyByteArray_AsString(memory)) : APART_OK;
    array_close(&t);
    if (callback_raise(&m->function) || status != APART_OK) {
        raise_status(status, "time");
        Py_CLEAR(memory);
    }
    return memory;
}

static PyMethodDef motion_methods[] = {
    {"__reduce__", motion_reduce, METH_NOARGS, "For pickle."},
    {"_poses", motion_poses, METH_O, "The poses at times (n, 1), as bytes."},
    {NULL},
};
static PyType_Slot motion_slots[] = {
    {Py_tp_new, motion_new},
    {Py_tp_dealloc, motion_dealloc},
    {Py_tp_traverse, motion_traverse},
    {Py_tp_clear, motion_clear},
    {Py_tp_repr, motion_repr},
    {Py_tp_methods, motion_methods},
    {0, NULL},
};
PyType_Spec motion_spec = {"apart._apart.Motion", sizeof(motion_object), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE, motion_slots};

// -------------------------------------------------------------------------------------------------------- queries ----

bool motion_query_read(PyObject* const* args, apart_motion_query* query) {
    *query = (apart_motion_query){0};
    return number_read(args[0], &query->clearance) && number_read(args[1], &query->tolerance) &&
           number_read(args[2], &query->time_tolerance) && integer_read(args[3], "max_steps", &query->max_steps);
}

static const char* const kinds[] = {"free", "contact", "near", "undecided"};

PyObject* contact_make(const apart_contact* c) {
    return PyObject_CallFunction(py.contact, "sddddNi", kinds[c->kind], c->time, c->time_upper, c->clearance, c->rate,
                                 result_make(&c->result), c->steps);
}

/// Two bodies in motion, and how to ask.
typedef struct encounter {
    shape_object *a, *b;
    apart_motion motion_a, motion_b;
    callback* function[2];
    apart_motion_query query;
} encounter;

static bool encounter_read(const signature* s, PyObject* const* args, Py_ssize_t count, PyObject* names, encounter* e) {
    PyObject* v[MOST_ARGUMENTS + 1];
    return arguments_read(s, args, count, names, v) && (e->a = shape_read(v[0], "a")) &&
           (e->b = shape_read(v[1], "b")) && motion_read(v[2], "motion_a", &e->motion_a, &e->function[0]) &&
           motion_read(v[3], "motion_b", &e->motion_b, &e->function[1]) && motion_query_read(v + 4, &e->query);
}

/// Whether a query went well; else what a function raised, or what the library says.
static bool encounter_good(const encounter* e, apart_status status) {
    if (callback_raise(e->function[0]) || callback_raise(e->function[1]) || shape_raise(e->a) || shape_raise(e->b))
        return false;
    if (status != APART_OK) raise_status(status, NULL);
    return status == APART_OK;
}

#define ENCOUNTER(name)                                                                                                \
    encounter e;                                                                                                       \
    (void)module;                                                                                                      \
    static const signature s = {name, 2, 4, {"a", "b", "motion_a", "motion_b", MOTION_QUERY_NAMES}};                   \
    if (!encounter_read(&s, args, count, names, &e)) return NULL

static PyObject* first_contact(PyObject* module, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    ENCOUNTER("first_contact");
    apart_contact c;
    apart_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = apart_first_contact(e.a->shape, &e.motion_a, e.b->shape, &e.motion_b, &e.query, &c);
    Py_END_ALLOW_THREADS;
    return encounter_good(&e, status) ? contact_make(&c) : NULL;
}

static PyObject* closest_approach(PyObject* module, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    ENCOUNTER("closest_approach");
    apart_approach r;
    apart_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = apart_closest_approach(e.a->shape, &e.motion_a, e.b->shape, &e.motion_b, &e.query, &r);
    Py_END_ALLOW_THREADS;
    if (!encounter_good(&e, status)) return NULL;
    return PyObject_CallFunction(py.approach, "ddddNi", r.distance, r.lower_bound, r.upper_bound, r.time,
                                 result_make(&r.result), r.steps);
}

/// Spans that a first call has room for; a second one is made for more.
#define SPANS 64

static PyObject* contact_spans(PyObject* module, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    ENCOUNTER("contact_spans");
    apart_span some[SPANS], *spans = some;
    size_t found = 0, room = SPANS;
    apart_status status;
    for (;;) {
        Py_BEGIN_ALLOW_THREADS;
        status = apart_contact_spans(e.a->shape, &e.motion_a, e.b->shape, &e.motion_b, &e.query, spans, room, &found);
        Py_END_ALLOW_THREADS;
        if (status != APART_OK || found <= room || spans != some) break;
        spans = PyMem_Calloc(found, sizeof *spans);
        if (!spans) return PyErr_NoMemory();
        room = found;
    }
    PyObject* list = encounter_good(&e, status) ? PyList_New(0) : NULL;
    for (size_t i = 0; list && i < found && i < room; ++i) {
        PyObject* one = PyObject_CallFunction(py.span, "dds", spans[i].begin, spans[i].end, kinds[spans[i].kind]);
        if (!one || PyList_Append(list, one) < 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    if (spans != some) PyMem_Free(spans);
    return list;
}

PyMethodDef motion_functions[] = {
    FAST("first_contact", first_contact,
         "first_contact($module, a, b, motion_a=None, motion_b=None, *, clearance=0.0, tolerance=0.0,\n"
         "              time_tolerance=0.0, max_steps=0)\n--\n\n"
         "When do they first come within the clearance? A Contact of kind 'free', 'contact', 'near' or 'undecided'.\n"
         "Motions are Motion objects, or poses of bodies that stay. Nothing is sampled: what is said is certain.\n\n"
         ">>> ball, wall = apart.sphere(1), apart.box((0.001, 10, 10))\n"
         ">>> shot = apart.Motion.velocity(apart.pose((-5, 0, 0)), (1000, 0, 0))\n"
         ">>> contact = apart.first_contact(ball, wall, shot)\n"
         ">>> contact.kind, round(contact.time, 9)\n"
         "('contact', 0.003999)\n"),
    FAST("closest_approach", closest_approach,
         "closest_approach($module, a, b, motion_a=None, motion_b=None, *, clearance=0.0, tolerance=0.0,\n"
         "                 time_tolerance=0.0, max_steps=0)\n--\n\n"
         "How near do they come? tolerance is how wide the bracket may be.\n\n"
         ">>> fly_by = apart.Motion.velocity(apart.pose((-5, 3, 0)), (10, 0, 0))\n"
         ">>> round(apart.closest_approach(apart.sphere(1), apart.sphere(1), fly_by).distance, 9)\n"
         "1.0\n"),
    FAST("contact_spans", contact_spans,
         "contact_spans($module, a, b, motion_a=None, motion_b=None, *, clearance=0.0, tolerance=0.0,\n"
         "              time_tolerance=0.0, max_steps=0)\n--\n\n"
         "When are they within the clearance? A list of Span; outside of them they are certainly farther apart.\n\n"
         ">>> through = apart.Motion.velocity(apart.pose((-5, 0, 0)), (10, 0, 0))\n"
         ">>> [(round(s.begin, 6), round(s.end, 6)) for s in apart.contact_spans(\n"
         "...     apart.sphere(1), apart.sphere(1), through)]\n"
         "[(0.3, 0.7)]\n"),
    {NULL},
};

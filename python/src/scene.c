// Scenes: many bodies. Queries run without the GIL and side by side; what changes the scene waits for them.
#include "module.h"

#include "apart/io.h"

#include <stdlib.h>
#include <string.h>

typedef struct scene_object {
    PyObject_HEAD apart_scene* scene;
    apart_io_scene* file;    // that it is of, or NULL
    PyObject* motions;       // of a file: id: Motion
    PyObject* bodies;        // id: (shape, name)
    PyThread_type_lock busy; // held while there are readers, or a writer
    int readers;             // queries that are under way; the GIL guards it
    bool calls_python;       // a body has a support function
    bool calling;            // a query under way may call Python
} scene_object;

// -------------------------------------------------------------------------------------------- readers and writers ----

static void lock_wait(scene_object* s) {
    if (PyThread_acquire_lock(s->busy, NOWAIT_LOCK)) return;
    Py_BEGIN_ALLOW_THREADS;
    PyThread_acquire_lock(s->busy, WAIT_LOCK);
    Py_END_ALLOW_THREADS;
}

/// The first of several readers takes the lock, the last one gives it back, from whatever thread.
static void read_begin(scene_object* s, bool calling) {
    if (s->readers == 0) lock_wait(s);
    ++s->readers;
    s->calling = s->calling || calling;
}

static void read_end(scene_object* s) {
    if (--s->readers > 0) return;
    s->calling = false;
    PyThread_release_lock(s->busy);
}

/// A function that a query calls must not change the scene: it would wait for itself.
static bool write_begin(scene_object* s) {
    if (s->calling) {
        PyErr_SetString(PyExc_RuntimeError, "the scene cannot be changed while a query calls a Python function");
        return false;
    }
    lock_wait(s);
    return true;
}

static void write_end(scene_object* s) { PyThread_release_lock(s->busy); }

// ---------------------------------------------------------------------------------------------------- the object ----

/// A scene object, around the scene of a file if there is one, which it takes over.
static scene_object* scene_make(apart_io_scene* file) {
    scene_object* s = (scene_object*)PyType_GenericAlloc(py.scene, 0);
    if (!s) {
        apart_io_scene_release(file);
        return NULL;
    }
    s->file = file;
    s->scene = file ? file->scene : apart_scene_create(NULL);
    s->bodies = PyDict_New();
    s->motions = PyDict_New();
    s->busy = PyThread_allocate_lock();
    if (s->scene && s->bodies && s->motions && s->busy) return s;
    Py_DECREF(s);
    PyErr_NoMemory();
    return NULL;
}

static PyObject* scene_new(PyTypeObject* type, PyObject* args, PyObject* names) {
    (void)type;
    if (PyTuple_Size(args) > 0 || (names && PyDict_Size(names) > 0))
        return PyErr_Format(PyExc_TypeError, "Scene() takes no arguments; add() adds a body");
    return (PyObject*)scene_make(NULL);
}

static int scene_traverse(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((scene_object*)self)->bodies);
    Py_VISIT(((scene_object*)self)->motions);
    return 0;
}

/// The library's scene goes first: its shapes may call what the bodies keep.
static int scene_clear(PyObject* self) {
    scene_object* s = (scene_object*)self;
    if (s->file)
        apart_io_scene_release(s->file);
    else
        apart_scene_release(s->scene);
    s->file = NULL;
    s->scene = NULL;
    Py_CLEAR(s->bodies);
    Py_CLEAR(s->motions);
    return 0;
}

static void scene_dealloc(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    scene_clear(self);
    if (((scene_object*)self)->busy) PyThread_free_lock(((scene_object*)self)->busy);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

static Py_ssize_t scene_length(PyObject* self) { return (Py_ssize_t)apart_scene_count(((scene_object*)self)->scene); }

static PyObject* scene_repr(PyObject* self) {
    const Py_ssize_t n = scene_length(self);
    return PyUnicode_FromFormat("<apart.Scene: %zd %s>", n, n == 1 ? "body" : "bodies");
}

/// An integer from 0 to `most`; None leaves *out as it is. Another one is a ValueError that says what it should be.
static bool unsigned_read(PyObject* o, const char* name, uint32_t most, const char* wanted, uint32_t* out) {
    if (!o || o == Py_None) return true;
    PyObject* number = PyNumber_Index(o); // NumPy's integers, too
    if (!number) return false;
    const unsigned long long x = PyLong_AsUnsignedLongLong(number);
    Py_DECREF(number);
    const bool fits = !PyErr_Occurred() && x <= most;
    PyErr_Clear();
    if (!fits) PyErr_Format(PyExc_ValueError, "%s is %R, but must be %s", name, o, wanted);
    *out = (uint32_t)x;
    return fits;
}

static bool id_read(PyObject* o, const char* name, uint32_t* id) {
    if (o == Py_None) return PyErr_Format(PyExc_TypeError, "%s must be the id of a body, not None", name);
    return unsigned_read(o, name, APART_NO_BODY - 1, "the id of a body", id);
}

static bool bits_read(PyObject* o, const char* name, uint32_t* bits) {
    return unsigned_read(o, name, UINT32_MAX, "of 32 bits", bits);
}

static PyObject* raise_body(apart_status status, PyObject* id) {
    if (status == APART_INVALID) return PyErr_Format(PyExc_ValueError, "there is no body %R", id);
    return raise_status(status, NULL);
}

// -------------------------------------------------------------------------------------------------------- changes ----

#define METHOD(name) static PyObject* name(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names)
/// Reads the arguments into `a` and the scene into `s`, by the signature that follows.
#define READ(...)                                                                                                      \
    PyObject* a[MOST_ARGUMENTS + 1];                                                                                   \
    scene_object* s = (scene_object*)self;                                                                             \
    static const signature parameters = {__VA_ARGS__};                                                                 \
    if (!arguments_read(&parameters, args, count, names, a)) return NULL

METHOD(scene_add) {
    READ("add", 1, 2, {"shape", "pose", "name", "margin", "group", "mask"});
    shape_object* shape = shape_read(a[0], "shape");
    apart_scene_body body = {.shape = shape ? shape->shape : NULL};
    if (!shape || !pose_read(a[1], "pose", &body.pose) || !number_read(a[3], &body.margin) ||
        !bits_read(a[4], "group", &body.group) || !bits_read(a[5], "mask", &body.mask) || !write_begin(s))
        return NULL;
    uint32_t id = 0;
    apart_error error;
    PyObject* number = NULL;
    if (apart_scene_add(s->scene, &body, &id, &error) != APART_OK) {
        raise_error(&error);
    } else {
        number = PyLong_FromUnsignedLong(id);
        PyObject* kept = PyTuple_Pack(2, shape, a[2] ? a[2] : Py_None);
        if (!number || !kept || PyDict_SetItem(s->bodies, number, kept) < 0) {
            apart_scene_remove(s->scene, id);
            Py_CLEAR(number);
        }
        Py_XDECREF(kept);
        s->calls_python = s->calls_python || shape->calls_python;
    }
    write_end(s);
    return number;
}

METHOD(scene_move) {
    READ("move", 2, 2, {"id", "pose"});
    uint32_t id;
    apart_pose pose;
    if (!id_read(a[0], "id", &id) || !pose_read(a[1], "pose", &pose) || !write_begin(s)) return NULL;
    const apart_status status = apart_scene_move(s->scene, id, &pose);
    write_end(s);
    return status == APART_OK ? Py_NewRef(Py_None) : raise_body(status, a[0]);
}

METHOD(scene_remove) {
    READ("remove", 1, 1, {"id"});
    uint32_t id;
    if (!id_read(a[0], "id", &id) || !write_begin(s)) return NULL;
    const apart_status status = apart_scene_remove(s->scene, id);
    write_end(s);
    if (status != APART_OK) return raise_body(status, a[0]);
    PyObject* number = PyLong_FromUnsignedLong(id);
    if (number && PyDict_DelItem(s->bodies, number) < 0) Py_CLEAR(number);
    Py_XDECREF(number);
    return number ? Py_NewRef(Py_None) : NULL;
}

METHOD(scene_exclude) {
    READ("exclude", 2, 2, {"id", "other"});
    uint32_t id, other;
    if (!id_read(a[0], "id", &id) || !id_read(a[1], "other", &other) || !write_begin(s)) return NULL;
    const apart_status status = apart_scene_exclude(s->scene, id, other);
    write_end(s);
    if (status == APART_INVALID)
        return PyErr_Format(PyExc_ValueError, "%R and %R are not two bodies of the scene", a[0], a[1]);
    return status == APART_OK ? Py_NewRef(Py_None) : raise_status(status, NULL);
}

METHOD(scene_get) {
    READ("get", 1, 1, {"id"});
    uint32_t id;
    apart_scene_body b;
    if (!id_read(a[0], "id", &id)) return NULL;
    const apart_status status = apart_scene_get(s->scene, id, &b);
    if (status != APART_OK) return raise_body(status, a[0]);
    PyObject* kept = PyDict_GetItemWithError(s->bodies, a[0]);
    if (!kept) return PyErr_Occurred() ? NULL : raise_body(APART_INVALID, a[0]);
    return PyObject_CallFunction(py.body, "ONOdII", PyTuple_GetItem(kept, 0), matrix_of(&b.pose),
                                 PyTuple_GetItem(kept, 1), b.margin, b.group, b.mask);
}

static PyObject* scene_ids(PyObject* self, PyObject* unused) {
    (void)unused;
    return PyDict_Keys(((scene_object*)self)->bodies);
}

// -------------------------------------------------------------------------------------------------------- queries ----

/// Sets what a support function of a body raised. Whether one did.
static bool scene_raise(scene_object* s) {
    PyObject *key, *body;
    for (Py_ssize_t at = 0; s->calls_python && PyDict_Next(s->bodies, &at, &key, &body);)
        if (shape_raise((shape_object*)PyTuple_GetItem(body, 0))) return true;
    return false;
}

static PyObject* pair_make(const apart_scene_pair* p) {
    PyObject* first = p->a == APART_NO_BODY ? Py_NewRef(Py_None) : PyLong_FromUnsignedLong(p->a);
    return PyObject_CallFunction(py.scene_pair, "NIN", first, p->b, result_make(&p->result));
}

/// The answer of a query for one pair; None where there is none.
static PyObject* pair_answer(scene_object* s, apart_status status, const apart_scene_pair* pair, PyObject* id) {
    if (scene_raise(s)) return NULL;
    if (status == APART_EMPTY) return Py_NewRef(Py_None);
    if (status == APART_OK) return pair_make(pair);
    return id ? raise_body(status, id) : raise_status(status, NULL);
}

METHOD(scene_nearest) {
    READ("nearest", 1, 1, {"id", QUERY_NAMES});
    uint32_t id;
    apart_query query;
    apart_scene_body body;
    if (!id_read(a[0], "id", &id) || !query_read(a + 1, &query)) return NULL;
    if (apart_scene_get(s->scene, id, &body) != APART_OK) return raise_body(APART_INVALID, a[0]);
    apart_scene_pair pair;
    apart_status status;
    read_begin(s, s->calls_python);
    Py_BEGIN_ALLOW_THREADS;
    status = apart_scene_nearest(s->scene, id, &query, &pair);
    Py_END_ALLOW_THREADS;
    read_end(s);
    return pair_answer(s, status, &pair, status == APART_INVALID ? NULL : a[0]);
}

METHOD(scene_nearest_to) {
    READ("nearest_to", 1, 2, {"shape", "pose", QUERY_NAMES, "group", "mask"});
    shape_object* shape = shape_read(a[0], "shape");
    apart_query query;
    apart_scene_body body = {.shape = shape ? shape->shape : NULL};
    if (!shape || !pose_read(a[1], "pose", &body.pose) || !query_read(a + 2, &query) ||
        !bits_read(a[2 + QUERY_COUNT], "group", &body.group) || !bits_read(a[3 + QUERY_COUNT], "mask", &body.mask))
        return NULL;
    apart_scene_pair pair;
    apart_status status;
    read_begin(s, s->calls_python || shape->calls_python);
    Py_BEGIN_ALLOW_THREADS;
    status = apart_scene_nearest_to(s->scene, &body, &query, &pair);
    Py_END_ALLOW_THREADS;
    read_end(s);
    return shape_raise(shape) ? NULL : pair_answer(s, status, &pair, NULL);
}

METHOD(scene_closest) {
    READ("closest", 0, 0, {QUERY_NAMES});
    apart_query query;
    if (!query_read(a, &query)) return NULL;
    apart_scene_pair pair;
    apart_status status;
    read_begin(s, s->calls_python);
    Py_BEGIN_ALLOW_THREADS;
    status = apart_scene_closest(s->scene, &query, &pair);
    Py_END_ALLOW_THREADS;
    read_end(s);
    return pair_answer(s, status, &pair, NULL);
}

/// What a query has found so far, in memory of its own: it is called without the GIL.
typedef struct findings {
    char* items;
    size_t size, count, room; // size of one
    bool short_of_memory;
} findings;

static bool findings_add(findings* f, const void* item) {
    if (f->count == f->room) {
        const size_t room = f->room ? 2 * f->room : 64;
        char* items = realloc(f->items, room * f->size);
        f->short_of_memory = !items;
        if (!items) return false;
        f->items = items;
        f->room = room;
    }
    memcpy(f->items + f->size * f->count++, item, f->size);
    return true;
}

static bool add_pair(const apart_scene_pair* pair, void* context) { return findings_add(context, pair); }
static bool add_contact(const apart_scene_contact* contact, void* context) { return findings_add(context, contact); }

static PyObject* scene_contact_make(const apart_scene_contact* c) {
    return PyObject_CallFunction(py.scene_contact, "IIN", c->a, c->b, contact_make(&c->contact));
}

/// The list of what was found, made one by one; frees the memory.
static PyObject* findings_list(findings* f, PyObject* (*make)(const void*)) {
    PyObject* list = f->short_of_memory ? PyErr_NoMemory() : PyErr_Occurred() ? NULL : PyList_New(0);
    for (size_t i = 0; list && i < f->count; ++i) {
        PyObject* one = make(f->items + f->size * i);
        if (!one || PyList_Append(list, one) < 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    free(f->items);
    return list;
}

static PyObject* make_pair(const void* item) { return pair_make(item); }
static PyObject* make_contact(const void* item) { return scene_contact_make(item); }

METHOD(scene_within) {
    READ("within", 1, 1, {"clearance", QUERY_NAMES, "threads"});
    double clearance = 0;
    apart_query query;
    int threads = 0;
    if (!arguments_given(&parameters, a) || !number_read(a[0], &clearance) || !query_read(a + 1, &query) ||
        !integer_read(a[1 + QUERY_COUNT], "threads", &threads))
        return NULL;
    findings found = {.size = sizeof(apart_scene_pair)};
    apart_status status;
    read_begin(s, s->calls_python);
    Py_BEGIN_ALLOW_THREADS;
    status = apart_scene_within(s->scene, clearance, &query, threads, add_pair, &found);
    Py_END_ALLOW_THREADS;
    read_end(s);
    if (!scene_raise(s) && status != APART_OK) raise_status(status, NULL);
    return findings_list(&found, make_pair);
}

// -------------------------------------------------------------------------------------------------------- motions ----

/// Motions of bodies: a dict of id and Motion or pose.
typedef struct motion_list {
    size_t count;
    apart_scene_motion* motions;
    callback** functions;
    bool calls_python;
} motion_list;

static void motions_close(motion_list* l) {
    PyMem_Free(l->motions);
    PyMem_Free(l->functions);
}

static bool motions_open(PyObject* o, motion_list* l) {
    *l = (motion_list){0};
    if (!PyDict_Check(o)) return PyErr_Format(PyExc_TypeError, "motions must be a dict of ids and motions, not %R", o);
    const size_t room = (size_t)PyDict_Size(o) + 1;
    l->motions = PyMem_Calloc(room, sizeof *l->motions);
    l->functions = PyMem_Calloc(room, sizeof(callback*));
    bool good = l->motions && l->functions;
    if (!good) PyErr_NoMemory();
    PyObject *key, *value;
    for (Py_ssize_t at = 0; good && PyDict_Next(o, &at, &key, &value); ++l->count) {
        apart_scene_motion* m = &l->motions[l->count];
        good = id_read(key, "id", &m->id) && motion_read(value, "motion", &m->motion, &l->functions[l->count]);
        l->calls_python = l->calls_python || l->functions[l->count];
    }
    if (!good) motions_close(l);
    return good;
}

static bool motions_raise(const motion_list* l) {
    for (size_t i = 0; i < l->count; ++i)
        if (callback_raise(l->functions[i])) return true;
    return false;
}

static bool motion_arguments(PyObject* const* a, motion_list* l, apart_motion_query* query, int* threads) {
    return motion_query_read(a + 1, query) && integer_read(a[1 + MOTION_QUERY_COUNT], "threads", threads) &&
           motions_open(a[0], l);
}

METHOD(scene_first_contact) {
    READ("first_contact", 1, 1, {"motions", MOTION_QUERY_NAMES, "threads"});
    motion_list l;
    apart_motion_query query;
    int threads = 0;
    if (!motion_arguments(a, &l, &query, &threads)) return NULL;
    apart_scene_contact first;
    apart_status status;
    read_begin(s, s->calls_python || l.calls_python);
    Py_BEGIN_ALLOW_THREADS;
    status = apart_scene_first_contact(s->scene, l.motions, l.count, &query, threads, &first);
    Py_END_ALLOW_THREADS;
    read_end(s);
    PyObject* out = NULL;
    if (!motions_raise(&l) && !scene_raise(s))
        out = status == APART_OK      ? scene_contact_make(&first)
              : status == APART_EMPTY ? Py_NewRef(Py_None)
                                      : raise_status(status, NULL);
    motions_close(&l);
    return out;
}

METHOD(scene_contacts) {
    READ("contacts", 1, 1, {"motions", MOTION_QUERY_NAMES, "threads"});
    motion_list l;
    apart_motion_query query;
    int threads = 0;
    if (!motion_arguments(a, &l, &query, &threads)) return NULL;
    findings found = {.size = sizeof(apart_scene_contact)};
    apart_status status;
    read_begin(s, s->calls_python || l.calls_python);
    Py_BEGIN_ALLOW_THREADS;
    status = apart_scene_contacts(s->scene, l.motions, l.count, &query, threads, add_contact, &found);
    Py_END_ALLOW_THREADS;
    read_end(s);
    if (!motions_raise(&l) && !scene_raise(s) && status != APART_OK) raise_status(status, NULL);
    motions_close(&l);
    return findings_list(&found, make_contact);
}

// ---------------------------------------------------------------------------------------------------- scene files ----

/// Keeps a body of a file: its shape and name, and how it moves.
static bool body_keep(scene_object* s, const apart_io_body* b) {
    apart_scene_body now;
    if (apart_scene_get(s->scene, b->id, &now) != APART_OK) return raise_status(APART_INVALID, b->name);
    PyObject* id = PyLong_FromUnsignedLong(b->id);
    PyObject* name = PyUnicode_DecodeUTF8(b->name, (Py_ssize_t)strlen(b->name), "replace");
    PyObject* shape = shape_wrap_foreign(apart_shape_retain(now.shape), b->kind);
    PyObject* kept = id && name && shape ? PyTuple_Pack(2, shape, name) : NULL;
    bool good = kept && PyDict_SetItem(s->bodies, id, kept) == 0;
    if (good && b->motion) {
        PyObject* module = PyImport_ImportModule("apart");
        PyObject* type = module ? attribute(module, "Motion") : NULL;
        PyObject* motion = type ? motion_make((PyTypeObject*)type, b->motion, NULL) : NULL;
        good = motion && PyDict_SetItem(s->motions, id, motion) == 0;
        Py_XDECREF(module);
        Py_XDECREF(type);
        Py_XDECREF(motion);
    }
    Py_XDECREF(id);
    Py_XDECREF(name);
    Py_XDECREF(shape);
    Py_XDECREF(kept);
    return good;
}

METHOD(scene_load) {
    PyObject *a[MOST_ARGUMENTS + 1], *path;
    (void)self;
    static const signature parameters = {"load", 1, 1, {"path", "strict"}};
    apart_io_options how = {.progress = tell_progress};
    callback told = {0};
    how.progress_context = &told;
    if (!arguments_read(&parameters, args, count, names, a) || !truth_read(a[1], &how.strict) ||
        !PyUnicode_FSConverter(a[0], &path))
        return NULL;
    const char* name = PyBytes_AsString(path);
    apart_error error = {0};
    apart_io_scene* file;
    Py_BEGIN_ALLOW_THREADS;
    file = apart_io_scene_load(name, &how, &error);
    Py_END_ALLOW_THREADS;
    Py_DECREF(path);
    if (callback_raise(&told) || !file) {
        apart_io_scene_release(file);
        return raise_error(&error);
    }
    scene_object* s = scene_make(file);
    bool good = s && (!error.message[0] || PyErr_WarnEx(PyExc_UserWarning, error.message, 1) == 0);
    for (size_t i = 0; good && i < file->count; ++i) good = body_keep(s, &file->bodies[i]);
    if (!good) Py_CLEAR(s);
    return (PyObject*)s;
}

static PyObject* scene_motions(PyObject* self, void* unused) {
    (void)unused;
    return PyDict_Copy(((scene_object*)self)->motions);
}

// ------------------------------------------------------------------------------------------------------- the type ----

#define TWO_BALLS                                                                                                      \
    ">>> scene = apart.Scene()\n"                                                                                      \
    ">>> for x in (0, 3):\n"                                                                                           \
    "...     _ = scene.add(apart.sphere(1), apart.pose((x, 0, 0)))\n"
static PyMethodDef scene_methods[] = {
    FAST("add", scene_add,
         "add($self, shape, pose=None, *, name=None, margin=0.0, group=0, mask=0)\n--\n\n"
         "Adds a body and returns its id. Two bodies are compared if a.group & b.mask and b.group & a.mask; 0 is all\n"
         "bits. Margins add to the clearance asked for.\n\n"
         ">>> apart.Scene().add(apart.sphere(1))\n0\n"),
    FAST("move", scene_move,
         "move($self, id, pose)\n--\n\nPuts a body elsewhere.\n\n" TWO_BALLS
         ">>> scene.move(1, apart.pose((5, 0, 0)))\n>>> scene.closest().result.distance\n3.0\n"),
    FAST("remove", scene_remove,
         "remove($self, id)\n--\n\nTakes a body out; its id is not used again.\n\n" TWO_BALLS
         ">>> scene.remove(0)\n>>> len(scene), scene.ids()\n(1, [1])\n"),
    FAST("exclude", scene_exclude,
         "exclude($self, id, other)\n--\n\nThese two are not compared.\n\n" TWO_BALLS
         ">>> scene.exclude(0, 1)\n>>> scene.closest() is None\nTrue\n"),
    FAST("get", scene_get,
         "get($self, id)\n--\n\nA body as it is now: a Body.\n\n" TWO_BALLS
         ">>> scene.get(1).pose[:3, 3].tolist()\n[3.0, 0.0, 0.0]\n"),
    {"ids", scene_ids, METH_NOARGS,
     "ids($self)\n--\n\nThe ids of all bodies, in the order in which they were added.\n\n" TWO_BALLS
     ">>> scene.ids()\n[0, 1]\n"},
    FAST("nearest", scene_nearest,
         "nearest($self, id, *, depth='none', relative_error=0.0, absolute_error=0.0, cutoff=None, method='auto')\n"
         "--\n\nThe partner of a body whose distance is least: a ScenePair, or None if there is none.\n\n" TWO_BALLS
         ">>> scene.nearest(0).b\n1\n"),
    FAST("nearest_to", scene_nearest_to,
         "nearest_to($self, shape, pose=None, *, depth='none', relative_error=0.0, absolute_error=0.0, cutoff=None,\n"
         "           method='auto', group=0, mask=0)\n--\n\n"
         "The body nearest to one that is not in the scene: a ScenePair, or None if there is none.\n\n" TWO_BALLS
         ">>> scene.nearest_to(apart.sphere(1), apart.pose((9, 0, 0))).result.distance\n4.0\n"),
    FAST("closest", scene_closest,
         "closest($self, *, depth='none', relative_error=0.0, absolute_error=0.0, cutoff=None, method='auto')\n--\n\n"
         "The two bodies whose distance is least: a ScenePair, or None if there is none.\n\n" TWO_BALLS
         ">>> pair = scene.closest()\n>>> pair.a, pair.b, pair.result.distance\n(0, 1, 1.0)\n"),
    FAST("within", scene_within,
         "within($self, clearance, *, depth='none', relative_error=0.0, absolute_error=0.0, cutoff=None,\n"
         "       method='auto', threads=0)\n--\n\n"
         "Every pair that is not certainly farther apart than the clearance and both margins: a list of ScenePair, in\n"
         "order of (a, b).\n\n" TWO_BALLS ">>> [(p.a, p.b) for p in scene.within(1.5)]\n[(0, 1)]\n"),
    FAST("first_contact", scene_first_contact,
         "first_contact($self, motions, *, clearance=0.0, tolerance=0.0, time_tolerance=0.0, max_steps=0,\n"
         "              threads=0)\n--\n\n"
         "The pair that meets first when bodies move: a SceneContact, or None if all are certainly free. motions is a\n"
         "dict of ids and motions.\n\n" TWO_BALLS
         ">>> first = scene.first_contact({0: apart.Motion.velocity(None, (2, 0, 0))})\n"
         ">>> first.a, first.b, round(first.contact.time, 9)\n(0, 1, 0.5)\n"),
    FAST("contacts", scene_contacts,
         "contacts($self, motions, *, clearance=0.0, tolerance=0.0, time_tolerance=0.0, max_steps=0, threads=0)\n--\n\n"
         "The first contact of every pair that is not certainly free: a list of SceneContact.\n\n" TWO_BALLS
         ">>> len(scene.contacts({0: apart.Motion.velocity(None, (2, 0, 0))}))\n1\n"),
    {"load", (PyCFunction)(void (*)(void))scene_load, METH_FASTCALL | METH_KEYWORDS | METH_STATIC,
     "load(path, *, strict=False)\n--\n\nThe scene in a scene file: its bodies with their names, and in `motions` how "
     "they move.\n\n"
     ">>> scene = apart.Scene.load('python/examples/cell.json')\n"
     ">>> [scene.get(i).name for i in scene.ids()]\n['table', 'arm', 'part']\n"},
    {NULL},
};
static PyGetSetDef scene_getters[] = {
    {"motions", scene_motions, NULL, "Of a scene file: a dict of ids and motions, as contacts() takes it.", NULL},
    {NULL},
};
static PyType_Slot scene_slots[] = {
    {Py_tp_doc, "Scene()\n--\n\nMany bodies, in a tree of their boxes. Queries run without the GIL, side by side.\n\n"
                ">>> apart.Scene()\n<apart.Scene: 0 bodies>\n"},
    {Py_tp_new, scene_new},
    {Py_tp_dealloc, scene_dealloc},
    {Py_tp_traverse, scene_traverse},
    {Py_tp_clear, scene_clear},
    {Py_tp_repr, scene_repr},
    {Py_tp_methods, scene_methods},
    {Py_tp_getset, scene_getters},
    {Py_mp_length, scene_length},
    {0, NULL},
};
PyType_Spec scene_spec = {"apart.Scene", sizeof(scene_object), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE, scene_slots};

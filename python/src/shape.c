// Shapes: the object around an apart_shape, and the functions that make one. A shape remembers what it was made of, so
// that it can be pickled.
#include "module.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------- the object ----

shape_object* shape_read(PyObject* o, const char* name) {
    if (Py_TYPE(o) == py.shape) return (shape_object*)o;
    PyErr_Format(PyExc_TypeError, "%s must be an apart.Shape, not %R", name, Py_TYPE(o));
    return NULL;
}

static shape_object* shape_new(const char* kind, PyObject* arguments) {
    shape_object* s = (shape_object*)PyType_GenericAlloc(py.shape, 0);
    if (s) {
        s->kind = PyUnicode_InternFromString(kind);
        s->arguments = arguments;
        if (s->kind) return s;
        Py_DECREF(s);
    } else {
        Py_XDECREF(arguments);
    }
    return NULL;
}

PyObject* shape_wrap_foreign(apart_shape* shape, const char* kind) {
    shape_object* s = shape_new(kind, NULL);
    apart_shape_info info;
    if (!s) {
        apart_shape_release(shape);
        return NULL;
    }
    s->shape = shape;
    s->slow = apart_shape_describe(shape, &info) != APART_OK || info.tree_nodes > 0;
    return (PyObject*)s;
}

PyObject* shape_wrap(apart_shape* shape, const apart_error* error, const char* kind, PyObject* arguments) {
    if (shape && arguments) {
        shape_object* s = shape_new(kind, arguments);
        if (!s) apart_shape_release(shape);
        if (s) s->shape = shape;
        return (PyObject*)s;
    }
    Py_XDECREF(arguments);
    apart_shape_release(shape);
    return shape ? NULL : raise_error(error);
}

bool shape_raise(shape_object* s) {
    if (!s->calls_python) return false;
    if (callback_raise(&s->support)) return true;
    // Parts of a union: the first argument is the list of (shape, pose).
    PyObject* parts = s->slow ? PyTuple_GetItem(s->arguments, 0) : NULL;
    for (Py_ssize_t i = 0; parts && i < PyTuple_Size(parts); ++i)
        if (shape_raise((shape_object*)PyTuple_GetItem(PyTuple_GetItem(parts, i), 0))) return true;
    return false;
}

static int shape_traverse(PyObject* self, visitproc visit, void* arg) {
    shape_object* s = (shape_object*)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(s->arguments);
    return callback_visit(&s->support, visit, arg);
}

/// The library's shape goes first: it may call the function.
static int shape_clear(PyObject* self) {
    shape_object* s = (shape_object*)self;
    apart_shape_release(s->shape);
    s->shape = NULL;
    callback_clear(&s->support);
    Py_CLEAR(s->kind);
    Py_CLEAR(s->arguments);
    return 0;
}

static void shape_dealloc(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    shape_clear(self);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

static PyObject* shape_reduce(PyObject* self, PyObject* unused) {
    (void)unused;
    shape_object* s = (shape_object*)self;
    if (!s->arguments) return PyErr_Format(PyExc_TypeError, "a shape of a scene file keeps no data to be pickled");
    PyObject* module = PyImport_ImportModule("apart._apart");
    PyObject* maker = module ? PyObject_GetAttr(module, s->kind) : NULL;
    Py_XDECREF(module);
    return maker ? Py_BuildValue("NO", maker, s->arguments) : NULL;
}

/// The arguments as text, of arrays and of the parts of a union their number.
static PyObject* argument_repr(PyObject* o) {
    PyObject* shape = Py_TYPE(o) == py.ndarray ? attribute(o, "shape") : NULL;
    PyObject* text = NULL;
    if (shape)
        text = PyUnicode_FromFormat("<array %R>", shape);
    else if (PyTuple_Check(o) && PyTuple_Size(o) > 0 && PyTuple_Check(PyTuple_GetItem(o, 0)))
        text = PyUnicode_FromFormat("<%zd parts>", PyTuple_Size(o));
    else if (!PyErr_Occurred())
        text = PyObject_Repr(o);
    Py_XDECREF(shape);
    return text;
}

static PyObject* shape_repr(PyObject* self) {
    shape_object* s = (shape_object*)self;
    if (!s->arguments) return PyUnicode_FromFormat("<apart.Shape: %U of a scene file>", s->kind);
    PyObject* all = PyUnicode_FromString("");
    for (Py_ssize_t i = 0; all && i < PyTuple_Size(s->arguments); ++i) {
        PyObject* one = argument_repr(PyTuple_GetItem(s->arguments, i));
        PyObject* more = one ? PyUnicode_FromFormat("%U%s%U", all, i == 0 ? "" : ", ", one) : NULL;
        Py_XDECREF(one);
        Py_DECREF(all);
        all = more;
    }
    PyObject* text = all ? PyUnicode_FromFormat("apart.%U(%U)", s->kind, all) : NULL;
    Py_XDECREF(all);
    return text;
}

static PyObject* shape_kind(PyObject* self, void* unused) {
    (void)unused;
    return Py_NewRef(((shape_object*)self)->kind);
}

static PyObject* shape_describe(PyObject* self, PyObject* unused) {
    (void)unused;
    apart_shape_info i;
    apart_shape_describe(((shape_object*)self)->shape, &i);
    return PyObject_CallFunction(py.info, "innnd((ddd)(ddd))nnnnnnnnnnnnnn((ddd)(ddd))", i.dimension, i.vertices,
                                 i.edges, i.faces, i.radius, i.lower.x, i.lower.y, i.lower.z, i.upper.x, i.upper.y,
                                 i.upper.z, i.triangles, i.degenerate, i.components, i.solids, i.open_edges,
                                 i.crowded_edges, i.holes, i.parts, i.tree_nodes, i.tree_depth, i.spheres, i.bytes,
                                 i.idle, i.almost_solids, i.hole_lower.x, i.hole_lower.y, i.hole_lower.z,
                                 i.hole_upper.x, i.hole_upper.y, i.hole_upper.z);
}

static PyObject* shape_vertices(PyObject* self, PyObject* unused) {
    (void)unused;
    const apart_shape* shape = ((shape_object*)self)->shape;
    apart_shape_info info;
    apart_shape_describe(shape, &info);
    const size_t count = info.vertices;
    PyObject* points = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(count * sizeof(apart_vec3)));
    PyObject* numbers = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(count * sizeof(uint32_t)));
    apart_status status = APART_OK;
    for (size_t i = 0; points && numbers && i < count && status == APART_OK; ++i)
        status = apart_shape_vertex(shape, i, (apart_vec3*)PyByteArray_AsString(points) + i,
                                    (uint32_t*)PyByteArray_AsString(numbers) + i);
    if (status != APART_OK) raise_status(status, "vertices");
    if (points && numbers && status == APART_OK)
        return Py_BuildValue("NN", table_of(points, "d", (Py_ssize_t)count, 3),
                             table_of(numbers, "uint32", (Py_ssize_t)count, 0));
    Py_XDECREF(points);
    Py_XDECREF(numbers);
    return NULL;
}

// -------------------------------------------------------------------------------------------- bodies of a formula ----

#define ARGS PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names
/// Reads the arguments into `a`, by the signature that follows.
#define READ(...)                                                                                                      \
    PyObject* a[MOST_ARGUMENTS + 1];                                                                                   \
    (void)module;                                                                                                      \
    static const signature parameters = {__VA_ARGS__};                                                                 \
    if (!arguments_read(&parameters, args, count, names, a) || !arguments_given(&parameters, a)) return NULL

static PyObject* make_box(ARGS) {
    READ("box", 1, 2, {"half_extents", "radius"});
    apart_vec3 h;
    double radius = 0;
    if (!vector_read(a[0], "half_extents", &h) || !number_read(a[1], &radius)) return NULL;
    apart_error error;
    return shape_wrap(apart_shape_box(h, radius, &error), &error, "box",
                      Py_BuildValue("(ddd)d", h.x, h.y, h.z, radius));
}

static PyObject* make_sphere(ARGS) {
    READ("sphere", 1, 1, {"radius"});
    double radius = 0;
    if (!number_read(a[0], &radius)) return NULL;
    apart_error error;
    return shape_wrap(apart_shape_sphere(radius, &error), &error, "sphere", Py_BuildValue("(d)", radius));
}

static PyObject* make_ellipsoid(ARGS) {
    READ("ellipsoid", 1, 1, {"semi_axes"});
    apart_vec3 v;
    if (!vector_read(a[0], "semi_axes", &v)) return NULL;
    apart_error error;
    return shape_wrap(apart_shape_ellipsoid(v, &error), &error, "ellipsoid", Py_BuildValue("((ddd))", v.x, v.y, v.z));
}

static PyObject* make_halfspace(ARGS) {
    READ("halfspace", 1, 2, {"normal", "offset"});
    apart_vec3 n;
    double offset = 0;
    if (!vector_read(a[0], "normal", &n) || !number_read(a[1], &offset)) return NULL;
    apart_error error;
    return shape_wrap(apart_shape_halfspace(n, offset, &error), &error, "halfspace",
                      Py_BuildValue("(ddd)d", n.x, n.y, n.z, offset));
}

typedef apart_shape* (*round_fn)(double half_height, double radius, apart_error* error);

/// Capsule, cylinder and cone take the same two numbers.
static PyObject* make_round(const signature* s, round_fn make, PyObject* const* args, Py_ssize_t count,
                            PyObject* names) {
    PyObject* a[MOST_ARGUMENTS + 1];
    double half_height = 0, radius = 0;
    if (!arguments_read(s, args, count, names, a) || !arguments_given(s, a) || !number_read(a[0], &half_height) ||
        !number_read(a[1], &radius))
        return NULL;
    apart_error error;
    return shape_wrap(make(half_height, radius, &error), &error, s->function, Py_BuildValue("dd", half_height, radius));
}

#define ROUND(name)                                                                                                    \
    static PyObject* make_##name(ARGS) {                                                                               \
        (void)module;                                                                                                  \
        static const signature s = {#name, 2, 2, {"half_height", "radius"}};                                           \
        return make_round(&s, apart_shape_##name, args, count, names);                                                 \
    }
ROUND(capsule)
ROUND(cylinder)
ROUND(cone)

// ----------------------------------------------------------------------------------------------- bodies of arrays ----

static PyObject* make_points(ARGS) {
    READ("points", 1, 2, {"points", "radius"});
    double radius = 0;
    array p;
    PyObject* kept = PyObject_CallFunction(py.as_real, "OsO", a[0], "points", Py_True);
    if (!kept || !number_read(a[1], &radius) || !rows_open(kept, "points", 3, &p)) {
        Py_XDECREF(kept);
        return NULL;
    }
    apart_error error;
    apart_shape* shape;
    const apart_vec3* points = p.view.buf;
    const size_t n = rows_count(&p, 3);
    Py_BEGIN_ALLOW_THREADS;
    shape = apart_shape_points(points, n, radius, &error);
    Py_END_ALLOW_THREADS;
    array_close(&p);
    return shape_wrap(shape, &error, "points", Py_BuildValue("Nd", kept, radius));
}

bool tell_progress(double done, void* context) {
    callback* c = context;
    PyGILState_STATE gil = PyGILState_Ensure();
    bool on = PyErr_CheckSignals() == 0;
    if (on && c->function) {
        PyObject* answer = PyObject_CallFunction(c->function, "d", done);
        on = answer && answer != Py_False;
        Py_XDECREF(answer);
    }
    if (PyErr_Occurred()) callback_keep(c);
    PyGILState_Release(gil);
    return on;
}

static PyObject* make_mesh_of(PyObject* vertices, PyObject* faces, apart_mesh_options* options, PyObject* progress) {
    array v;
    if (!rows_open(vertices, "vertices", 3, &v)) return NULL;
    Py_buffer f;
    if (PyObject_GetBuffer(faces, &f, PyBUF_C_CONTIGUOUS) < 0) {
        array_close(&v);
        return NULL;
    }
    callback told = {.function = progress == Py_None ? NULL : progress};
    options->progress = tell_progress;
    options->progress_context = &told;
    apart_error error;
    apart_shape* shape;
    const size_t vertex_count = rows_count(&v, 3), face_count = (size_t)f.len / (3 * sizeof(uint32_t));
    Py_BEGIN_ALLOW_THREADS;
    shape = apart_shape_mesh(v.view.buf, vertex_count, f.buf, face_count, options, &error);
    Py_END_ALLOW_THREADS;
    array_close(&v);
    PyBuffer_Release(&f);
    callback_raise(&told);
    PyObject* arguments = Py_BuildValue("OOdOd", vertices, faces, options->radius, options->hollow ? Py_True : Py_False,
                                        options->sphere_radius);
    shape_object* s = (shape_object*)shape_wrap(shape, &error, "mesh", arguments);
    if (s) s->slow = true;
    return (PyObject*)s;
}

static PyObject* make_mesh(ARGS) {
    READ("mesh", 2, 5, {"vertices", "faces", "radius", "hollow", "sphere_radius", "progress"});
    apart_mesh_options options = {0};
    if (!number_read(a[2], &options.radius) || !truth_read(a[3], &options.hollow) ||
        !number_read(a[4], &options.sphere_radius))
        return NULL;
    PyObject* vertices = PyObject_CallFunction(py.as_real, "OsO", a[0], "vertices", Py_True);
    PyObject* faces = vertices ? PyObject_CallFunction(py.as_indices, "Os", a[1], "faces") : NULL;
    PyObject* shape = faces ? make_mesh_of(vertices, faces, &options, a[5] ? a[5] : Py_None) : NULL;
    Py_XDECREF(vertices);
    Py_XDECREF(faces);
    return shape;
}

// --------------------------------------------------------------------------------------------------------- unions ----

/// Part i: a shape, or a shape and a pose. *kept is the pair that the union remembers.
static bool part_read(PyObject* item, Py_ssize_t i, apart_part* part, PyObject** kept) {
    char name[48];
    PyOS_snprintf(name, sizeof name, "parts[%ld]", (long)i);
    PyObject *of = item, *at = Py_None;
    if (PyTuple_Check(item) && PyTuple_Size(item) == 2) {
        of = PyTuple_GetItem(item, 0);
        at = PyTuple_GetItem(item, 1);
    }
    shape_object* s = shape_read(of, name);
    if (!s || !pose_read(at, name, &part->pose)) return false;
    part->shape = s->shape;
    PyObject* matrix = at == Py_None ? Py_NewRef(Py_None) : matrix_of(&part->pose);
    *kept = matrix ? PyTuple_Pack(2, s, matrix) : NULL;
    Py_XDECREF(matrix);
    return *kept;
}

static PyObject* make_union_of(PyObject* list) {
    const Py_ssize_t n = PyTuple_Size(list);
    apart_part* parts = PyMem_Calloc(n ? (size_t)n : 1, sizeof *parts);
    PyObject* kept = PyTuple_New(n);
    bool good = parts && kept, calls = false;
    if (!parts) PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < n && good; ++i) {
        PyObject* one = NULL;
        good = part_read(PyTuple_GetItem(list, i), i, &parts[i], &one);
        if (!good) break;
        calls = calls || ((shape_object*)PyTuple_GetItem(one, 0))->calls_python;
        PyTuple_SetItem(kept, i, one);
    }
    shape_object* s = NULL;
    if (good) {
        apart_error error;
        apart_shape* shape = apart_shape_union(parts, (size_t)n, &error);
        s = (shape_object*)shape_wrap(shape, &error, "union", PyTuple_Pack(1, kept));
    }
    if (s) {
        s->slow = true;
        s->calls_python = calls;
    }
    PyMem_Free(parts);
    Py_XDECREF(kept);
    return (PyObject*)s;
}

static PyObject* make_union(ARGS) {
    READ("union", 1, 1, {"parts"});
    PyObject* list = PySequence_Tuple(a[0]);
    PyObject* shape = list ? make_union_of(list) : NULL;
    Py_XDECREF(list);
    return shape;
}

// ---------------------------------------------------------------------------------------------- support functions ----

/// Calls the Python function. What it raises, or what is no point, becomes NaN, which the query refuses.
static apart_vec3 call_support(const void* context, apart_vec3 d) {
    shape_object* s = (shape_object*)context;
    apart_vec3 point = {NAN, NAN, NAN};
    PyGILState_STATE gil = PyGILState_Ensure();
    if (!s->support.type) {
        PyObject* answer = PyObject_CallFunction(s->support.function, "((ddd))", d.x, d.y, d.z);
        if (!answer || !vector_read(answer, "the support point", &point)) callback_keep(&s->support);
        Py_XDECREF(answer);
    }
    PyGILState_Release(gil);
    return point;
}

static PyObject* make_support(ARGS) {
    READ("support", 1, 2, {"function", "radius"});
    double radius = 0;
    if (!number_read(a[1], &radius)) return NULL;
    if (!PyCallable_Check(a[0])) return PyErr_Format(PyExc_TypeError, "function must be callable, not %R", a[0]);
    shape_object* made = shape_new("support", Py_BuildValue("Od", a[0], radius));
    if (!made) return NULL;
    made->calls_python = true;
    made->support.function = Py_NewRef(a[0]);
    apart_error error;
    made->shape = apart_shape_support(call_support, made, radius, &error);
    if (callback_raise(&made->support) || !made->shape) {
        raise_error(&error);
        Py_CLEAR(made);
    }
    return (PyObject*)made;
}

// ------------------------------------------------------------------------------------------------------- the type ----

static PyMethodDef shape_methods[] = {
    {"__reduce__", shape_reduce, METH_NOARGS, "For pickle."},
    {"describe", shape_describe, METH_NOARGS,
     "describe($self)\n--\n\nWhat the shape is made of: sizes, counts, the box around it.\n\n"
     ">>> apart.box((1, 2, 3)).describe().vertices\n8\n"},
    {"vertices", shape_vertices, METH_NOARGS,
     "vertices($self)\n--\n\nCorners of the hull, (n, 3), and the index of each in the points that it was made of.\n\n"
     ">>> points, index = apart.points([(0, 0, 0), (1, 0, 0), (2, 0, 0)]).vertices()\n"
     ">>> points[:, 0].tolist(), index.tolist()\n([0.0, 2.0], [0, 2])\n"},
    {NULL},
};
static PyGetSetDef shape_getters[] = {
    {"kind", shape_kind, NULL, "The name of the function that makes it: 'box', 'mesh', ...", NULL}, {NULL}};
static PyType_Slot shape_slots[] = {
    {Py_tp_doc, "A body in its own coordinates: immutable, shared between threads, picklable.\n\n"
                ">>> apart.sphere(2)\napart.sphere(2.0)\n"},
    {Py_tp_dealloc, shape_dealloc},
    {Py_tp_traverse, shape_traverse},
    {Py_tp_clear, shape_clear},
    {Py_tp_repr, shape_repr},
    {Py_tp_methods, shape_methods},
    {Py_tp_getset, shape_getters},
    {0, NULL},
};
PyType_Spec shape_spec = {"apart.Shape", sizeof(shape_object), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION |
                              Py_TPFLAGS_IMMUTABLETYPE,
                          shape_slots};

PyMethodDef shape_functions[] = {
    FAST("box", make_box,
         "box($module, half_extents, radius=0.0)\n--\n\nA box about the origin, extended by radius on all sides.\n\n"
         ">>> apart.distance(apart.box((1, 1, 1)), apart.sphere(1), None, apart.pose((4, 0, 0))).distance\n2.0\n"),
    FAST("sphere", make_sphere,
         "sphere($module, radius)\n--\n\nA sphere about the origin; radius 0 is a point.\n\n"
         ">>> apart.sphere(0.5).describe().bounds[1].tolist()\n[0.5, 0.5, 0.5]\n"),
    FAST("capsule", make_capsule,
         "capsule($module, half_height, radius)\n--\n\nAll points within radius of the segment from (0, 0, "
         "-half_height) to (0, 0, half_height).\n\n"
         ">>> apart.capsule(2, 0.5).describe().bounds[1].tolist()\n[0.5, 0.5, 2.5]\n"),
    FAST("cylinder", make_cylinder,
         "cylinder($module, half_height, radius)\n--\n\nA solid cylinder about the z axis.\n\n"
         ">>> apart.cylinder(2, 0.5).describe().bounds[1].tolist()\n[0.5, 0.5, 2.0]\n"),
    FAST("cone", make_cone,
         "cone($module, half_height, radius)\n--\n\nA solid cone about the z axis: base at -half_height, apex at "
         "half_height.\n\n>>> apart.cone(1, 0.5)\napart.cone(1.0, 0.5)\n"),
    FAST("ellipsoid", make_ellipsoid,
         "ellipsoid($module, semi_axes)\n--\n\nA solid ellipsoid about the origin.\n\n"
         ">>> apart.ellipsoid((1, 2, 3)).describe().bounds[1].tolist()\n[1.0, 2.0, 3.0]\n"),
    FAST(
        "halfspace", make_halfspace,
        "halfspace($module, normal, offset=0.0)\n--\n\nThe ground: all x with normal . x <= offset.\n\n"
        ">>> apart.distance(apart.halfspace((0, 0, 1)), apart.sphere(1), None, apart.pose((0, 0, 5))).distance\n4.0\n"),
    FAST("points", make_points,
         "points($module, points, radius=0.0)\n--\n\nThe convex hull of points (n, 3), extended by radius on all "
         "sides. Witnesses name them by their index.\n\n"
         ">>> tetrahedron = apart.points([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])\n"
         ">>> tetrahedron.describe().faces\n4\n"),
    FAST("mesh", make_mesh,
         "mesh($module, vertices, faces, radius=0.0, hollow=False, sphere_radius=0.0, *, progress=None)\n--\n\n"
         "A surface of triangles: vertices (n, 3), faces (m, 3) of any integer type. A closed surface is a solid,\n"
         "unless it is hollow. sphere_radius also builds Quinlan's tree, for method='spheres'. progress is told the\n"
         "part that is done, from 0 to 1; False gives up.\n\n"
         ">>> tetrahedron = apart.mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)],\n"
         "...                          [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])\n"
         ">>> tetrahedron.describe().solids\n1\n"),
    FAST("union", make_union,
         "union($module, parts)\n--\n\nThe union of parts: shapes, or (shape, pose). Witnesses name the part.\n\n"
         ">>> dumbbell = apart.union([(apart.sphere(1), apart.pose((x, 0, 0))) for x in (-2, 2)])\n"
         ">>> dumbbell.describe().parts\n2\n"),
    FAST("support", make_support,
         "support($module, function, radius=0.0)\n--\n\nAny convex, bounded body by its support function: a unit "
         "vector (x, y, z) in, the farthest point along it\nout. It must be a pure function.\n\n"
         ">>> unit_ball = apart.support(lambda direction: direction)\n"
         ">>> apart.distance(unit_ball, apart.sphere(1), None, apart.pose((5, 0, 0))).distance\n3.0\n"),
    {NULL},
};

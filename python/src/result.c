// One result and one cache. A Result holds the library's struct; its arrays are read-only views of it.
#include "module.h"

#include <string.h>

PyObject* result_make(const apart_result* result) {
    result_object* r = (result_object*)PyType_GenericAlloc(py.result, 0);
    if (r) r->result = *result;
    return (PyObject*)r;
}

static PyObject* result_number(PyObject* self, void* offset) {
    double x;
    memcpy(&x, (const char*)&((result_object*)self)->result + (size_t)offset, sizeof x);
    return PyFloat_FromDouble(x);
}

static PyObject* result_count(PyObject* self, void* offset) {
    int x;
    memcpy(&x, (const char*)&((result_object*)self)->result + (size_t)offset, sizeof x);
    return PyLong_FromLong(x);
}

static PyObject* result_vector(PyObject* self, void* offset) { return view_of(self, (size_t)offset, 1, 3); }

static PyObject* result_points(PyObject* self, void* unused) {
    (void)unused;
    return view_of(self, offsetof(apart_result, point_a), 2, 3);
}

static PyObject* result_overlap(PyObject* self, void* unused) {
    (void)unused;
    return PyBool_FromLong(((result_object*)self)->result.upper_bound <= 0);
}

static PyObject* result_witness(PyObject* self, void* offset) {
    apart_witness w;
    memcpy(&w, (const char*)&((result_object*)self)->result + (size_t)offset, sizeof w);
    const int count = w.count < 4 ? (int)w.count : 4;
    PyObject *vertices = PyTuple_New(count), *weights = PyTuple_New(count);
    for (int i = 0; i < count && vertices && weights; ++i) {
        PyTuple_SetItem(vertices, i, PyLong_FromUnsignedLong(w.vertex[i]));
        PyTuple_SetItem(weights, i, PyFloat_FromDouble(w.weight[i]));
    }
    if (vertices && weights && !PyErr_Occurred())
        return PyObject_CallFunction(py.witness, "IINN", w.part, w.triangle, vertices, weights);
    Py_XDECREF(vertices);
    Py_XDECREF(weights);
    return NULL;
}

static int result_buffer(PyObject* self, Py_buffer* view, int flags) {
    result_object* r = (result_object*)self;
    return PyBuffer_FillInfo(view, self, &r->result, sizeof r->result, 1, flags);
}

static PyObject* result_repr(PyObject* self) {
    const apart_result* r = &((result_object*)self)->result;
    PyObject* numbers[3] = {PyFloat_FromDouble(r->distance), PyFloat_FromDouble(r->lower_bound),
                            PyFloat_FromDouble(r->upper_bound)};
    PyObject* text = NULL;
    if (numbers[0] && numbers[1] && numbers[2])
        text = PyUnicode_FromFormat("<apart.Result: distance %R in [%R, %R]%s>", numbers[0], numbers[1], numbers[2],
                                    r->upper_bound <= 0 ? ", overlap" : "");
    for (int i = 0; i < 3; ++i) Py_XDECREF(numbers[i]);
    return text;
}

static PyObject* result_reduce(PyObject* self, PyObject* unused) {
    (void)unused;
    const result_object* r = (result_object*)self;
    return Py_BuildValue("O(y#)", py.result, (const char*)&r->result, (Py_ssize_t)sizeof r->result);
}

/// From the bytes of a pickle, or of one record of a batch.
static PyObject* result_new(PyTypeObject* type, PyObject* args, PyObject* names) {
    const char* bytes;
    Py_ssize_t size;
    (void)type;
    if (names && PyDict_Size(names) > 0) return PyErr_Format(PyExc_TypeError, "Result() takes no keyword arguments");
    if (!PyArg_ParseTuple(args, "y#:Result", &bytes, &size)) return NULL;
    if (size != sizeof(apart_result))
        return PyErr_Format(PyExc_ValueError, "Result() is for pickle; apart.distance makes one");
    apart_result r;
    memcpy(&r, bytes, sizeof r);
    return result_make(&r);
}

static void plain_dealloc(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

#define AT(field) (void*)offsetof(apart_result, field)
static PyGetSetDef result_getters[] = {
    {"distance", result_number, NULL, "The best estimate, between the bounds; negative: minus the depth.",
     AT(distance)},
    {"lower_bound", result_number, NULL, "Certified: never above the true distance.", AT(lower_bound)},
    {"upper_bound", result_number, NULL, "Certified: never below the true distance.", AT(upper_bound)},
    {"overlap", result_overlap, NULL, "Whether the bodies certainly meet.", NULL},
    {"point_a", result_vector, NULL, "The nearest point of a, in world coordinates.", AT(point_a)},
    {"point_b", result_vector, NULL, "The nearest point of b, in world coordinates.", AT(point_b)},
    {"points", result_points, NULL, "Both nearest points, (2, 3).", NULL},
    {"normal", result_vector, NULL, "Unit vector from a towards b.", AT(normal)},
    {"witness_a", result_witness, NULL, "Which vertices carry the nearest point of a.", AT(a)},
    {"witness_b", result_witness, NULL, "Which vertices carry the nearest point of b.", AT(b)},
    {"iterations", result_count, NULL, "Steps of the algorithm.", AT(iterations)},
    {"supports", result_count, NULL, "Support points evaluated.", AT(supports)},
    {"visits", result_count, NULL, "Vertices, or pairs of boxes, looked at.", AT(visits)},
    {NULL},
};
static PyMethodDef result_methods[] = {{"__reduce__", result_reduce, METH_NOARGS, "For pickle."}, {NULL}};
static PyType_Slot result_slots[] = {
    {Py_tp_doc, "How far apart two bodies are: lower_bound <= true distance <= upper_bound is certain.\n\n"
                ">>> apart.distance(apart.sphere(1), apart.sphere(1), None, apart.pose((3.5, 0, 0)))\n"
                "<apart.Result: distance 1.5 in [1.499999999999961, 1.5000000000000098]>\n"},
    {Py_tp_new, result_new},
    {Py_tp_dealloc, plain_dealloc},
    {Py_tp_repr, result_repr},
    {Py_tp_getset, result_getters},
    {Py_tp_methods, result_methods},
    {Py_bf_getbuffer, result_buffer},
    {0, NULL},
};
PyType_Spec result_spec = {"apart.Result", sizeof(result_object), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                           result_slots};

static PyObject* cache_new(PyTypeObject* type, PyObject* args, PyObject* names) {
    if (PyTuple_Size(args) > 0 || (names && PyDict_Size(names) > 0))
        return PyErr_Format(PyExc_TypeError, "Cache() takes no arguments");
    return PyType_GenericAlloc(type, 0);
}

static PyType_Slot cache_slots[] = {
    {Py_tp_doc, "Cache()\n--\n\nRemembers a pair between calls, so that the next query starts from the last answer.\n\n"
                ">>> cache = apart.Cache()\n"
                ">>> for x in (3, 3.1, 3.2):\n"
                "...     r = apart.distance(apart.box((1, 1, 1)), apart.sphere(1), None, apart.pose((x, 0, 0)),\n"
                "...                        cache=cache)\n"},
    {Py_tp_new, cache_new},
    {Py_tp_dealloc, plain_dealloc},
    {0, NULL},
};
PyType_Spec cache_spec = {"apart.Cache", sizeof(cache_object), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                          cache_slots};

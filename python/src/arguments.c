// Arguments of a call: by place and by name, numbers, words; and what a status becomes.
#include "module.h"

static bool raise_type(const char* function, const char* format, PyObject* o) {
    PyObject* text = PyUnicode_FromFormat(format, o);
    if (text) PyErr_Format(PyExc_TypeError, "%s() %U", function, text);
    Py_XDECREF(text);
    return false;
}

static int place_of(const signature* s, PyObject* name) {
    for (int i = 0; s->names[i]; ++i)
        if (PyUnicode_CompareWithASCIIString(name, s->names[i]) == 0) return i;
    return -1;
}

bool arguments_read(const signature* s, PyObject* const* args, Py_ssize_t count, PyObject* names, PyObject** out) {
    for (int i = 0; s->names[i]; ++i) out[i] = NULL;
    if (count > s->positional) {
        PyErr_Format(PyExc_TypeError, "%s() takes %d arguments by position at most, but %zd were given", s->function,
                     s->positional, count);
        return false;
    }
    for (Py_ssize_t i = 0; i < count; ++i) out[i] = args[i];
    const Py_ssize_t named = names ? PyTuple_Size(names) : 0;
    for (Py_ssize_t k = 0; k < named; ++k) {
        PyObject* name = PyTuple_GetItem(names, k);
        const int i = place_of(s, name);
        if (i < 0) return raise_type(s->function, "got an unexpected keyword argument %R", name);
        if (out[i]) return raise_type(s->function, "got two values for argument %R", name);
        out[i] = args[count + k];
    }
    for (int i = 0; i < s->required; ++i)
        if (!out[i]) {
            PyErr_Format(PyExc_TypeError, "%s() needs the argument '%s'", s->function, s->names[i]);
            return false;
        }
    return true;
}

bool arguments_given(const signature* s, PyObject* const* read) {
    for (int i = 0; i < s->required; ++i)
        if (read[i] == Py_None) {
            PyErr_Format(PyExc_TypeError, "%s() needs the argument '%s', which is None", s->function, s->names[i]);
            return false;
        }
    return true;
}

bool number_read(PyObject* o, double* out) {
    if (!o || o == Py_None) return true;
    const double x = PyFloat_AsDouble(o);
    if (x == -1 && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return false;
        PyErr_Clear();
        return raise_status(APART_OUT_OF_RANGE, NULL);
    }
    *out = x;
    return true;
}

bool integer_read(PyObject* o, const char* name, int* out) {
    if (!o || o == Py_None) return true;
    const long x = PyLong_AsLong(o);
    if (x == -1 && PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_OverflowError)) PyErr_Format(PyExc_ValueError, "%s is out of range", name);
        return false;
    }
    if (x < 0 || x > INT_MAX) {
        PyErr_Format(PyExc_ValueError, "%s is %ld, but must not be %s", name, x, x < 0 ? "negative" : "so large");
        return false;
    }
    *out = (int)x;
    return true;
}

bool truth_read(PyObject* o, bool* out) {
    if (!o || o == Py_None) return true;
    const int x = PyObject_IsTrue(o);
    if (x < 0) return false;
    *out = x;
    return true;
}

bool word_read(PyObject* o, const char* name, const char* const* words, int* out) {
    if (!o || o == Py_None) return true;
    if (!PyUnicode_Check(o)) {
        PyErr_Format(PyExc_TypeError, "%s must be a string, not %R", name, o);
        return false;
    }
    for (int i = 0; words[i]; ++i)
        if (PyUnicode_CompareWithASCIIString(o, words[i]) == 0) {
            *out = i;
            return true;
        }
    PyObject* all = PyUnicode_FromString("");
    for (int i = 0; words[i] && all; ++i) {
        PyObject* more = PyUnicode_FromFormat("%U%s'%s'", all, i == 0 ? "" : ", ", words[i]);
        Py_DECREF(all);
        all = more;
    }
    if (all) PyErr_Format(PyExc_ValueError, "%s is %R; it must be one of %U", name, o, all);
    Py_XDECREF(all);
    return false;
}

PyObject* attribute(PyObject* o, const char* name) {
    PyObject* interned = PyUnicode_InternFromString(name);
    PyObject* value = interned ? PyObject_GetAttr(o, interned) : NULL;
    Py_XDECREF(interned);
    return value;
}

static PyObject* exception_of(apart_status status) {
    if (status == APART_OUT_OF_MEMORY) return PyExc_MemoryError;
    return status == APART_FILE ? PyExc_OSError : PyExc_ValueError;
}

PyObject* raise_status(apart_status status, const char* what) {
    if (PyErr_Occurred()) return NULL;
    const char* text = apart_status_text(status);
    if (what) return PyErr_Format(exception_of(status), "%s: %s", what, text);
    PyErr_SetString(exception_of(status), text);
    return NULL;
}

PyObject* raise_error(const apart_error* error) {
    if (PyErr_Occurred()) return NULL;
    if (error->message[0] == 0) return raise_status(error->status, NULL);
    // A path in the sentence may be of any bytes.
    PyObject* text = PyUnicode_DecodeFSDefault(error->message);
    if (text) PyErr_SetObject(exception_of(error->status), text);
    Py_XDECREF(text);
    return NULL;
}

// ------------------------------------------------------------------------------------------------------ callbacks ----

void callback_keep(callback* c) {
    if (!c->type)
        PyErr_Fetch(&c->type, &c->value, &c->trace);
    else
        PyErr_Clear();
}

bool callback_raise(callback* c) {
    if (!c || !c->type) return false;
    PyErr_Restore(c->type, c->value, c->trace);
    c->type = c->value = c->trace = NULL;
    return true;
}

void callback_clear(callback* c) {
    Py_CLEAR(c->function);
    Py_CLEAR(c->type);
    Py_CLEAR(c->value);
    Py_CLEAR(c->trace);
}

int callback_visit(const callback* c, visitproc visit, void* arg) {
    Py_VISIT(c->function);
    Py_VISIT(c->type);
    Py_VISIT(c->value);
    Py_VISIT(c->trace);
    return 0;
}

// Arrays through the buffer protocol, poses in them, and how two arrays of poses are broadcast.
#include "module.h"

#include <string.h>

// -------------------------------------------------------------------------------------------------------- arrays ----

static bool is_float64(const Py_buffer* view) {
    const char* f = view->format;
    if (!f || view->itemsize != sizeof(double)) return false;
    if (*f == '@' || *f == '=' || *f == (PY_BIG_ENDIAN ? '>' : '<')) ++f;
    return f[0] == 'd' && f[1] == 0;
}

/// NumPy makes a float64 array of it, without gaps.
static bool convert(PyObject* o, const char* name, array* out) {
    out->converted = PyObject_CallFunction(py.as_real, "Os", o, name);
    if (!out->converted) return false;
    if (PyObject_GetBuffer(out->converted, &out->view, PyBUF_FORMAT | PyBUF_STRIDES) == 0) return true;
    Py_CLEAR(out->converted);
    return false;
}

/// NumPy says faster what an array holds than it writes the format of a buffer.
static bool open_ndarray(PyObject* o, array* out) {
    PyObject* dtype = PyObject_GetAttr(o, py.dtype_name);
    const bool real = dtype == py.float64;
    Py_XDECREF(dtype);
    if (real && PyObject_GetBuffer(o, &out->view, PyBUF_STRIDES) == 0) return true;
    PyErr_Clear();
    return false;
}

bool array_open(PyObject* o, const char* name, array* out) {
    out->converted = NULL;
    if (Py_TYPE(o) == py.ndarray && open_ndarray(o, out)) return true;
    // A class derived from NumPy's may mean more than its memory tells: numbers that are masked.
    const bool derived = Py_TYPE(o) != py.ndarray && PyObject_TypeCheck(o, py.ndarray);
    if (derived || !PyObject_CheckBuffer(o)) return convert(o, name, out);
    if (PyObject_GetBuffer(o, &out->view, PyBUF_FORMAT | PyBUF_STRIDES) < 0) {
        PyErr_Clear();
        return convert(o, name, out);
    }
    if (is_float64(&out->view)) return true;
    PyBuffer_Release(&out->view);
    return convert(o, name, out);
}

void array_close(array* a) {
    PyBuffer_Release(&a->view);
    Py_CLEAR(a->converted);
}

static bool raise_shape(const array* a, const char* name, const char* wanted) {
    PyObject* shape = shape_tuple(a->view.shape, a->view.ndim);
    if (shape) PyErr_Format(PyExc_ValueError, "%s has shape %R, but must have shape %s", name, shape, wanted);
    Py_XDECREF(shape);
    return false;
}

bool rows_open(PyObject* o, const char* name, Py_ssize_t width, array* out) {
    if (!array_open(o, name, out)) return false;
    if (!PyBuffer_IsContiguous(&out->view, 'C')) {
        array_close(out);
        if (!convert(o, name, out)) return false;
    }
    const int dims = out->view.ndim;
    if (dims > 0 && out->view.shape[dims - 1] == width) return true;
    char wanted[32];
    PyOS_snprintf(wanted, sizeof wanted, "(..., %d)", (int)width);
    raise_shape(out, name, wanted);
    array_close(out);
    return false;
}

PyObject* shape_tuple(const Py_ssize_t* shape, int dims) {
    PyObject* tuple = PyTuple_New(dims);
    for (int i = 0; i < dims && tuple; ++i) {
        PyObject* size = PyLong_FromSsize_t(shape[i]);
        if (size)
            PyTuple_SetItem(tuple, i, size);
        else
            Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject* reshape(PyObject* flat, Py_ssize_t rows, Py_ssize_t columns) {
    PyObject* method = flat ? attribute(flat, "reshape") : NULL;
    PyObject* table = method ? PyObject_CallFunction(method, "nn", rows, columns) : NULL;
    Py_XDECREF(method);
    Py_XDECREF(flat);
    return table;
}

PyObject* table_of(PyObject* memory, const char* dtype, Py_ssize_t rows, Py_ssize_t columns) {
    PyObject* flat = memory ? PyObject_CallFunction(py.frombuffer, "Os", memory, dtype) : NULL;
    Py_XDECREF(memory);
    return columns == 0 ? flat : reshape(flat, rows, columns);
}

PyObject* view_of(PyObject* owner, size_t offset, int rows, int columns) {
    PyObject* flat = PyObject_CallFunction(py.frombuffer, "Osin", owner, "d", rows * columns, (Py_ssize_t)offset);
    return rows == 1 ? flat : reshape(flat, rows, columns);
}

PyObject* matrix_of(const apart_pose* pose) {
    double matrix[16];
    apart_pose_to_matrix(pose, matrix);
    return table_of(PyByteArray_FromStringAndSize((const char*)matrix, sizeof matrix), "d", 4, 4);
}

static double double_at(const char* place) {
    double x;
    memcpy(&x, place, sizeof x);
    return x;
}

bool vector_read(PyObject* o, const char* name, apart_vec3* out) {
    if (!o || o == Py_None) return true;
    array a;
    if (!array_open(o, name, &a)) return false;
    const bool fits = a.view.ndim == 1 && a.view.shape[0] == 3;
    if (fits) {
        const char* at = a.view.buf;
        const Py_ssize_t step = a.view.strides[0];
        *out = (apart_vec3){double_at(at), double_at(at + step), double_at(at + 2 * step)};
    } else {
        raise_shape(&a, name, "(3,)");
    }
    array_close(&a);
    return fits;
}

// --------------------------------------------------------------------------------------------------------- poses ----

/// A sentence for the most common mistake.
static void raise_pose_shape(const pose_array* p) {
    const Py_buffer* v = &p->array.view;
    raise_shape(&p->array, p->name,
                v->ndim > 0 && v->shape[v->ndim - 1] == 4 && (v->ndim == 1 || v->shape[v->ndim - 2] != 3)
                    ? "(..., 4, 4): four numbers do not say whether they are w, x, y, z or x, y, z, w; use "
                      "apart.pose(quat_wxyz=...) or apart.pose(quat_xyzw=...)"
                    : "(..., 4, 4); apart.pose makes one of a position, a quaternion, angles or a rotation");
}

bool poses_open(PyObject* o, const char* name, pose_array* out) {
    out->name = name;
    out->dims = 0;
    out->given = o && o != Py_None;
    if (!out->given) return true;
    if (!array_open(o, name, &out->array)) return false;
    const Py_buffer* v = &out->array.view;
    out->dims = v->ndim - 2;
    if (v->ndim >= 2 && v->shape[v->ndim - 1] == 4 && v->shape[v->ndim - 2] == 4 && out->dims <= MOST_DIMS) return true;
    raise_pose_shape(out);
    array_close(&out->array);
    return false;
}

void poses_close(pose_array* p) {
    if (p->given) array_close(&p->array);
}

/// Reads the matrix whose numbers are so many bytes apart, down and to the right.
static inline apart_status pose_at(const char* matrix, Py_ssize_t down, Py_ssize_t right, apart_pose* pose) {
    for (int i = 0; i < 3; ++i) {
        double* row = pose->rotation.m[i];
        if (right == sizeof *row) memcpy(row, matrix + i * down, 3 * sizeof *row);
        for (int j = 0; j < 3 && right != sizeof *row; ++j) row[j] = double_at(matrix + i * down + j * right);
    }
    const char *column = matrix + 3 * right, *last = matrix + 3 * down;
    pose->translation = (apart_vec3){double_at(column), double_at(column + down), double_at(column + 2 * down)};
    const bool rigid = double_at(last) == 0 && double_at(last + right) == 0 && double_at(last + 2 * right) == 0 &&
                       double_at(last + 3 * right) == 1;
    return rigid ? APART_OK : APART_NOT_A_ROTATION;
}

/// Whether a matrix lies there row by row without gaps.
static inline bool is_usual(const pose_array* p) {
    const Py_ssize_t* strides = p->given ? p->array.view.strides + p->dims : NULL;
    return strides && strides[0] == 4 * sizeof(double) && strides[1] == sizeof(double);
}

apart_status poses_get(const pose_array* p, Py_ssize_t at, apart_pose* pose) {
    if (!p->given) {
        *pose = apart_pose_identity;
        return APART_OK;
    }
    const char* matrix = (const char*)p->array.view.buf + at;
    // The usual layout in code of its own.
    if (is_usual(p)) return pose_at(matrix, 4 * sizeof(double), sizeof(double), pose);
    return pose_at(matrix, p->array.view.strides[p->dims], p->array.view.strides[p->dims + 1], pose);
}

/// What is wrong with a pose as a whole.
static apart_status check(const apart_pose* pose) {
    double matrix[16];
    apart_pose same;
    apart_pose_to_matrix(pose, matrix);
    return apart_pose_from_matrix(matrix, &same);
}

bool pose_read(PyObject* o, const char* name, apart_pose* pose) {
    pose_array p;
    if (!poses_open(o, name, &p)) return false;
    if (p.dims > 0) {
        raise_shape(&p.array, name, "(4, 4): one pose");
    } else {
        const apart_status row = poses_get(&p, 0, pose), whole = check(pose);
        if (whole != APART_OK || row != APART_OK) raise_status(whole != APART_OK ? whole : row, name);
    }
    poses_close(&p);
    return !PyErr_Occurred();
}

// ------------------------------------------------------------------------------------------------------ broadcast ----

/// The size of a side in a dimension counted from the last leading one; 1 where it has none.
static Py_ssize_t size_of(const pose_array* p, int from_last) {
    return from_last < p->dims ? p->array.view.shape[p->dims - 1 - from_last] : 1;
}

static bool raise_misfit(const pose_array* a, const pose_array* b) {
    PyObject *x = shape_tuple(a->array.view.shape, a->dims + 2), *y = shape_tuple(b->array.view.shape, b->dims + 2);
    if (x && y) PyErr_Format(PyExc_ValueError, "%s %R and %s %R cannot be broadcast together", a->name, x, b->name, y);
    Py_XDECREF(x);
    Py_XDECREF(y);
    return false;
}

bool broadcast_open(const pose_array* a, const pose_array* b, broadcast* out) {
    out->side[0] = a;
    out->side[1] = b;
    out->dims = a->dims > b->dims ? a->dims : b->dims;
    out->count = 1;
    for (int k = 0; k < out->dims; ++k) {
        const int d = out->dims - 1 - k;
        const Py_ssize_t m = size_of(a, k), n = size_of(b, k);
        if (m != n && m != 1 && n != 1) return raise_misfit(a, b);
        out->shape[d] = m == 1 ? n : m;
        for (int s = 0; s < 2; ++s) {
            const pose_array* p = out->side[s];
            out->stride[s][d] = size_of(p, k) == 1 ? 0 : p->array.view.strides[p->dims - 1 - k];
        }
        const size_t size = (size_t)out->shape[d];
        if (size > 0 && out->count > (size_t)PY_SSIZE_T_MAX / sizeof(apart_result) / size) return PyErr_NoMemory();
        out->count *= size;
    }
    return true;
}

void odometer_set(const broadcast* b, size_t i, odometer* o) {
    o->at[0] = o->at[1] = 0;
    for (int d = b->dims - 1; d >= 0; --d) {
        const size_t size = b->shape[d] > 0 ? (size_t)b->shape[d] : 1; // there may be nothing to go through
        o->index[d] = (Py_ssize_t)(i % size);
        i /= size;
        for (int s = 0; s < 2; ++s) o->at[s] += o->index[d] * b->stride[s][d];
    }
}

void odometer_step(const broadcast* b, odometer* o) {
    for (int d = b->dims - 1; d >= 0; --d) {
        o->at[0] += b->stride[0][d];
        o->at[1] += b->stride[1][d];
        if (++o->index[d] < b->shape[d]) return;
        o->index[d] = 0;
        o->at[0] -= b->shape[d] * b->stride[0][d];
        o->at[1] -= b->shape[d] * b->stride[1][d];
    }
}

/// Matrices are asked for so many early, and are there in time.
#define AHEAD 64

/// Poses that are so many bytes apart, in the usual layout; returns how many are good before one is not.
static size_t convert_row(const char* matrix, Py_ssize_t step, size_t count, apart_pose* out) {
    for (size_t i = 0; i < count; ++i, matrix += step) {
        // May be beyond the end, where no pointer may point.
        const uintptr_t later = (uintptr_t)matrix + (uintptr_t)(AHEAD * step);
        __builtin_prefetch((const void*)later);        // NOLINT(performance-no-int-to-ptr)
        __builtin_prefetch((const void*)(later + 64)); // NOLINT(performance-no-int-to-ptr)
        if (pose_at(matrix, 4 * sizeof(double), sizeof(double), &out[i]) != APART_OK) return i;
    }
    return count;
}

size_t broadcast_convert(const broadcast* b, int side, size_t from, size_t count, apart_pose* out) {
    const pose_array* p = b->side[side];
    odometer o;
    odometer_set(b, from, &o);
    const int last = b->dims - 1;
    if (is_usual(p) && last >= 0 && o.index[last] + (Py_ssize_t)count <= b->shape[last])
        return convert_row((const char*)p->array.view.buf + o.at[side], b->stride[side][last], count, out);
    for (size_t i = 0; i < count; ++i) {
        if (poses_get(p, o.at[side], &out[i]) != APART_OK) return i;
        odometer_step(b, &o);
    }
    return count;
}

bool broadcast_is_still(const broadcast* b, int side) {
    for (int d = 0; d < b->dims; ++d)
        if (b->stride[side][d] != 0) return false;
    return true;
}

PyObject* broadcast_raise(const broadcast* b, size_t i, apart_status status) {
    if (PyErr_Occurred()) return NULL;
    odometer o;
    odometer_set(b, i, &o);
    for (int s = 0; s < 2; ++s) {
        apart_pose pose;
        const apart_status row = poses_get(b->side[s], o.at[s], &pose), whole = check(&pose);
        if (row == APART_OK && whole == APART_OK) continue;
        status = whole == APART_OK ? row : whole;
        if (b->dims == 0) return raise_status(status, b->side[s]->name);
        PyObject* index = shape_tuple(o.index, b->dims);
        if (index)
            PyErr_Format(PyExc_ValueError, "%s for the result at index %R: %s", b->side[s]->name, index,
                         apart_status_text(status));
        Py_XDECREF(index);
        return NULL;
    }
    return raise_status(status, NULL);
}

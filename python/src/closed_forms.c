// What runs over the rows of arrays: closed forms, GJK in R^n, quaternions; and reading a file. The Python side hands
// in arrays of float64 without gaps that have the same number of rows, and arrays for the answers.
#include "module.h"

#include "apart/io.h"

#include <string.h>

#define MOST_ROWS 8

/// The inputs and outputs of a call. Inputs have dimensions (count, width); those of a triangle (count, 9).
typedef struct rows {
    Py_buffer view[MOST_ROWS];
    int count; // of views
    size_t rows;
} rows;

static double* row(const rows* r, int k, size_t i) {
    const Py_buffer* v = &r->view[k];
    return (double*)v->buf + i * ((size_t)v->len / sizeof(double) / r->rows);
}

static void rows_close(rows* r) {
    while (r->count > 0) PyBuffer_Release(&r->view[--r->count]);
}

/// Opens inputs first, then outputs; all have the same number of rows and are float64.
static bool rows_open_all(PyObject* in, PyObject* out, int in_count, int out_count, rows* r) {
    *r = (rows){0};
    if (!PyTuple_Check(in) || !PyTuple_Check(out) || PyTuple_Size(in) != in_count || PyTuple_Size(out) != out_count)
        return PyErr_Format(PyExc_TypeError, "%d inputs and %d outputs are needed", in_count, out_count);
    for (int k = 0; k < in_count + out_count; ++k) {
        PyObject* o = k < in_count ? PyTuple_GetItem(in, k) : PyTuple_GetItem(out, k - in_count);
        Py_buffer* v = &r->view[k];
        const int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (k < in_count ? 0 : PyBUF_WRITABLE);
        if (PyObject_GetBuffer(o, v, flags) < 0) break;
        ++r->count;
        const bool fits = v->ndim > 0 && v->itemsize == sizeof(double) && strcmp(v->format, "d") == 0;
        if (!fits || (k > 0 && (size_t)v->shape[0] != r->rows)) {
            PyErr_SetString(PyExc_ValueError, "the arrays must be float64 and have the same number of rows");
            break;
        }
        r->rows = (size_t)v->shape[0];
    }
    if (!PyErr_Occurred()) return true;
    rows_close(r);
    return false;
}

/// One row of a closed form. False: the input is wrong.
typedef bool (*form_fn)(const rows* r, size_t i, int dim);

static apart_vec3 vec(const double* p) { return (apart_vec3){p[0], p[1], p[2]}; }
static const apart_vec3* triangle(const double* p) { return (const apart_vec3*)p; }

static bool segment_segment(const rows* r, size_t i, int dim) {
    const double d =
        apart_segment_segment(dim, row(r, 0, i), row(r, 1, i), row(r, 2, i), row(r, 3, i), row(r, 5, i), row(r, 6, i));
    return !isnan(*row(r, 4, i) = d);
}
static bool point_segment(const rows* r, size_t i, int dim) {
    return !isnan(*row(r, 3, i) = apart_point_segment(dim, row(r, 0, i), row(r, 1, i), row(r, 2, i), row(r, 4, i)));
}
static bool point_triangle(const rows* r, size_t i, int dim) {
    (void)dim;
    return !isnan(*row(r, 2, i) = apart_point_triangle(vec(row(r, 0, i)), triangle(row(r, 1, i)), row(r, 3, i)));
}
static bool segment_triangle(const rows* r, size_t i, int dim) {
    (void)dim;
    const double d = apart_segment_triangle(vec(row(r, 0, i)), vec(row(r, 1, i)), triangle(row(r, 2, i)), row(r, 4, i),
                                            row(r, 5, i));
    return !isnan(*row(r, 3, i) = d);
}
static bool triangle_triangle(const rows* r, size_t i, int dim) {
    (void)dim;
    const double d =
        apart_triangle_triangle(triangle(row(r, 0, i)), triangle(row(r, 1, i)), row(r, 3, i), row(r, 4, i));
    return !isnan(*row(r, 2, i) = d);
}

/// Inputs a, b of (count, points, dim); outputs distance, point_a, point_b.
static bool distance_nd(const rows* r, size_t i, int dim) {
    const size_t a = (size_t)r->view[0].shape[1], b = (size_t)r->view[1].shape[1];
    return apart_distance_nd(dim, row(r, 0, i), a, row(r, 1, i), b, row(r, 3, i), row(r, 4, i), row(r, 2, i)) ==
           APART_OK;
}

/// Inputs quaternion w, x, y, z and position; output the matrix.
static bool from_quaternion(const rows* r, size_t i, int dim) {
    (void)dim;
    const double* q = row(r, 0, i);
    const apart_pose pose = apart_pose_from_quaternion(q[0], q[1], q[2], q[3], vec(row(r, 1, i)));
    double* matrix = row(r, 2, i);
    apart_pose same;
    apart_pose_to_matrix(&pose, matrix);
    return apart_pose_from_matrix(matrix, &same) == APART_OK;
}

static bool to_quaternion(const rows* r, size_t i, int dim) {
    (void)dim;
    apart_pose pose;
    if (apart_pose_from_matrix(row(r, 0, i), &pose) != APART_OK) return false;
    apart_pose_to_quaternion(&pose, row(r, 1, i));
    return true;
}

static bool check_matrix(const rows* r, size_t i, int dim) {
    (void)dim;
    apart_pose pose;
    return apart_pose_from_matrix(row(r, 0, i), &pose) == APART_OK;
}

/// For each form: inputs with the numbers in a row of each (0: dim), and outputs.
static const struct {
    const char* name;
    form_fn run;
    int in, out;
    int width[MOST_ROWS];
    const char* wrong;
} forms[] = {
    {"segment_segment", segment_segment, 4, 3, {0, 0, 0, 0, 1, 1, 1}, "a number is NaN, infinite or above 1e300"},
    {"point_segment", point_segment, 3, 2, {0, 0, 0, 1, 1}, "a number is NaN, infinite or above 1e300"},
    {"point_triangle", point_triangle, 2, 2, {3, 9, 1, 3}, "a number is NaN, infinite or above 1e300"},
    {"segment_triangle", segment_triangle, 3, 3, {3, 3, 9, 1, 1, 3}, "a number is NaN, infinite or above 1e300"},
    {"triangle_triangle", triangle_triangle, 2, 3, {9, 9, 1, 3, 3}, "a number is NaN, infinite or above 1e300"},
    {"distance_nd", distance_nd, 2, 3, {-1, -1, 1, 0, 0}, "a number is NaN, infinite or above 1e300"},
    {"from_quaternion", from_quaternion, 2, 1, {4, 3, 16}, "the quaternion or the position is no finite number, or 0"},
    {"to_quaternion", to_quaternion, 1, 1, {16, 4}, "the matrix is not a rotation"},
    {"check_matrix", check_matrix, 1, 0, {16}, "the matrix is not a rotation"},
};

/// Whether the rows are as wide as a form needs; -1 is any number of points.
static bool widths_fit(const rows* r, const int* width, int dim) {
    for (int k = 0; k < r->count; ++k) {
        const Py_buffer* v = &r->view[k];
        Py_ssize_t has = 1;
        for (int d = 1; d < v->ndim; ++d) has *= v->shape[d];
        const bool points = width[k] < 0 && v->ndim == 3 && v->shape[1] > 0 && v->shape[2] == dim;
        if (width[k] < 0 ? !points : has != (width[k] ? width[k] : dim))
            return PyErr_Format(PyExc_ValueError, "the rows of an array have the wrong size");
    }
    return true;
}

static PyObject* rows_run(PyObject* module, PyObject* args) {
    (void)module;
    const char* name;
    PyObject *in, *out, *size;
    int dim = 0;
    if (!PyArg_ParseTuple(args, "sOO!O!:rows", &name, &size, &PyTuple_Type, &in, &PyTuple_Type, &out) ||
        !integer_read(size, "dim", &dim))
        return NULL;
    size_t f = 0;
    while (f < sizeof forms / sizeof *forms && strcmp(forms[f].name, name) != 0) ++f;
    if (f == sizeof forms / sizeof *forms) return PyErr_Format(PyExc_ValueError, "there is no form '%s'", name);
    if (dim < 1) return PyErr_Format(PyExc_ValueError, "the dimension must be at least 1");
    rows r;
    if (!rows_open_all(in, out, forms[f].in, forms[f].out, &r)) return NULL;
    bool good = widths_fit(&r, forms[f].width, dim);
    size_t i = 0;
    if (good) {
        Py_BEGIN_ALLOW_THREADS;
        while (i < r.rows && forms[f].run(&r, i, dim)) ++i;
        Py_END_ALLOW_THREADS;
        good = i == r.rows;
        if (!good && r.rows > 1) PyErr_Format(PyExc_ValueError, "%s: row %zu: %s", name, i, forms[f].wrong);
        if (!good && r.rows == 1) PyErr_Format(PyExc_ValueError, "%s: %s", name, forms[f].wrong);
    }
    rows_close(&r);
    return good ? Py_NewRef(Py_None) : NULL;
}

// ---------------------------------------------------------------------------------------------------------- files ----

static PyObject* copy_of(const void* from, size_t bytes) {
    return PyByteArray_FromStringAndSize(bytes ? from : NULL, (Py_ssize_t)bytes);
}

/// read(path, points, strict, scale): vertices and triangles as bytes, the format, and what was odd.
static PyObject* file_read(PyObject* module, PyObject* args) {
    (void)module;
    PyObject* path;
    apart_io_options how = {0};
    int points, strict;
    if (!PyArg_ParseTuple(args, "O&pp(ddd):read", PyUnicode_FSConverter, &path, &points, &strict, &how.scale[0],
                          &how.scale[1], &how.scale[2]))
        return NULL;
    how.points = points;
    how.strict = strict;
    apart_io_mesh mesh;
    apart_error error = {0};
    apart_status status;
    const char* name = PyBytes_AsString(path);
    Py_BEGIN_ALLOW_THREADS;
    status = apart_io_read(name, &how, &mesh, &error);
    Py_END_ALLOW_THREADS;
    Py_DECREF(path);
    if (status != APART_OK) return raise_error(&error);
    PyObject* out = Py_BuildValue("NNsN", copy_of(mesh.vertices, mesh.vertex_count * sizeof *mesh.vertices),
                                  copy_of(mesh.triangles, 3 * mesh.triangle_count * sizeof *mesh.triangles),
                                  mesh.format, PyUnicode_DecodeFSDefault(error.message));
    apart_io_free(&mesh);
    return out;
}

PyMethodDef array_functions[] = {
    {"rows", rows_run, METH_VARARGS, "rows($module, form, dim, inputs, outputs, /)\n--\n\nRuns over rows of arrays."},
    {"read", file_read, METH_VARARGS, "read($module, path, points, strict, scale, /)\n--\n\nReads a file of a mesh."},
    {NULL},
};

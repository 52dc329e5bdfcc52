// The Python module apart._apart: what its files share. Written with the limited API of CPython 3.11, so that one
// binary serves all later versions.
//
// Arrays come in through the buffer protocol, float64 as it is, anything else converted by NumPy first. They go out as
// bytearrays, which apart/_types.py wraps as NumPy arrays: NumPy is not needed to build.
#ifndef APART_PYTHON_MODULE_H
#define APART_PYTHON_MODULE_H

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "apart/apart.h"

// ---------------------------------------------------------------------------------------------------- the module ----

/// Types of the module, and what it has from apart._types and apart._arrays. There is one module in a process.
typedef struct module_objects {
    PyTypeObject *shape, *result, *cache, *motion, *scene, *ndarray;
    PyObject *dtype_name, *float64; // of NumPy
    PyObject *as_real, *as_indices, *frombuffer;
    PyObject *results, *slope, *witness, *step, *info, *contact, *approach, *span, *body, *scene_pair, *scene_contact;
} module_objects;
extern module_objects py;

/// Functions of a file, added to the module by module.c.
extern PyMethodDef shape_functions[], query_functions[], batch_functions[], motion_functions[], array_functions[];
extern PyType_Spec shape_spec, result_spec, cache_spec, motion_spec, scene_spec;

/// A function that takes its arguments as an array, with keywords.
#define FAST(name, function, doc)                                                                                      \
    { name, (PyCFunction)(void (*)(void))(function), METH_FASTCALL | METH_KEYWORDS, doc }

// ----------------------------------------------------------------------------------------------------- arguments ----

#define MOST_ARGUMENTS 16

/// The parameters of a function in order: the first `positional` may be given by place, the first `required` must be.
typedef struct signature {
    const char* function;
    int required, positional;
    const char* names[MOST_ARGUMENTS + 1]; // NULL ends them
} signature;

/// Sorts the arguments of a call into `out`; NULL stands where none was given. TypeError as Python's own functions say.
bool arguments_read(const signature* s, PyObject* const* args, Py_ssize_t count, PyObject* names, PyObject** out);

/// Whether none of those that must be given is None, where None stands for nothing. TypeError.
bool arguments_given(const signature* s, PyObject* const* read);

/// Readers of one argument: one that is NULL or None leaves *out as it is. False with an exception.
bool number_read(PyObject* o, double* out);
bool integer_read(PyObject* o, const char* name, int* out);
bool truth_read(PyObject* o, bool* out);
bool vector_read(PyObject* o, const char* name, apart_vec3* out);
/// One of `words` (NULL ends them); *out is its place.
bool word_read(PyObject* o, const char* name, const char* const* words, int* out);

/// An attribute; its name is interned, so that the caches of types do not fill up with copies of it.
PyObject* attribute(PyObject* o, const char* name);

/// The exception for a status: ValueError, MemoryError, OSError. `what` (may be NULL) goes before the library's text.
/// Does nothing if an exception is set already, by a function of the caller's. Returns NULL.
PyObject* raise_status(apart_status status, const char* what);
PyObject* raise_error(const apart_error* error);

// -------------------------------------------------------------------------------------------------------- arrays ----

/// float64 in any strided layout.
typedef struct array {
    Py_buffer view;
    PyObject* converted; // NumPy's, if the object was something else
} array;

/// Opens an array of numbers; close it. TypeError if it holds no real numbers.
bool array_open(PyObject* o, const char* name, array* out);
/// Opens an array whose last dimension is `width`, as rows without gaps.
bool rows_open(PyObject* o, const char* name, Py_ssize_t width, array* out);
void array_close(array* a);
/// How many rows of so many numbers there are.
static inline size_t rows_count(const array* a, Py_ssize_t width) {
    return (size_t)a->view.len / ((size_t)width * sizeof(double));
}
/// The shape of an array without its last `drop` dimensions, as a tuple.
PyObject* shape_tuple(const Py_ssize_t* shape, int dims);
/// NumPy's array over memory, as a table of so many columns, or flat (0). Takes the memory over.
PyObject* table_of(PyObject* memory, const char* dtype, Py_ssize_t rows, Py_ssize_t columns);
/// A read-only NumPy array of `count` float64 inside `owner`, which exports its memory.
PyObject* view_of(PyObject* owner, size_t offset, int rows, int columns);
/// A new (4, 4) array.
PyObject* matrix_of(const apart_pose* pose);

#define MOST_DIMS 32

/// Poses in an array of shape (..., 4, 4); None is one identity.
typedef struct pose_array {
    array array;
    const char* name;
    int dims; // leading ones
    bool given;
} pose_array;

bool poses_open(PyObject* o, const char* name, pose_array* out);
void poses_close(pose_array* p);
/// The pose whose matrix begins at byte `at`. The rest of the check is left to the query: a last row that is not
/// 0 0 0 1 is APART_NOT_A_ROTATION.
apart_status poses_get(const pose_array* p, Py_ssize_t at, apart_pose* pose);
/// One pose, fully checked; NULL and None: the identity.
bool pose_read(PyObject* o, const char* name, apart_pose* pose);

/// Two arrays of poses, broadcast against each other as NumPy does.
typedef struct broadcast {
    const pose_array* side[2];
    int dims;
    Py_ssize_t shape[MOST_DIMS], stride[2][MOST_DIMS];
    size_t count;
} broadcast;

/// ValueError if their shapes do not fit.
bool broadcast_open(const pose_array* a, const pose_array* b, broadcast* out);
/// A place in it: the index in every dimension, and the offset in bytes on each side.
typedef struct odometer {
    Py_ssize_t index[MOST_DIMS], at[2];
} odometer;
void odometer_set(const broadcast* b, size_t i, odometer* o);
void odometer_step(const broadcast* b, odometer* o);
/// The poses of a side from index `from` on; returns how many of `count` are good, by poses_get, before one is not.
size_t broadcast_convert(const broadcast* b, int side, size_t from, size_t count, apart_pose* out);
/// Whether the pose of a side is the same everywhere.
bool broadcast_is_still(const broadcast* b, int side);
/// ValueError for the pair at index i, naming the pose that is wrong, if it is one. Returns NULL.
PyObject* broadcast_raise(const broadcast* b, size_t i, apart_status status);

// -------------------------------------------------------------------------------- functions of the caller's in C ----

/// A Python function that the library calls, from any thread. What it raises first is kept until the query is over.
typedef struct callback {
    PyObject* function;
    PyObject *type, *value, *trace; // the exception
} callback;

/// Keeps the exception that is set. Needs the GIL.
void callback_keep(callback* c);
/// Sets the exception that was kept. Whether there was one.
bool callback_raise(callback* c);
void callback_clear(callback* c);
int callback_visit(const callback* c, visitproc visit, void* arg);

// -------------------------------------------------------------------------------------------------------- shapes ----

typedef struct shape_object {
    PyObject_HEAD apart_shape* shape;
    PyObject *kind, *arguments; // the name of the function that makes it again, and of what; NULL: nobody knows
    callback support;           // of a support function
    bool slow;                  // a mesh or union: queries let other threads run
    bool calls_python;          // it, or a part of it, has a support function
} shape_object;

/// The shape in an argument; NULL with a TypeError.
shape_object* shape_read(PyObject* o, const char* name);
/// Sets what the support functions of two shapes raised. Whether they did.
bool shape_raise(shape_object* s);
/// A shape object around a shape of the library's, which it takes over. Takes over `arguments`, too.
PyObject* shape_wrap(apart_shape* shape, const apart_error* error, const char* kind, PyObject* arguments);
/// One of a scene file, of which it is not known what it was made of.
PyObject* shape_wrap_foreign(apart_shape* shape, const char* kind);
/// Progress of long work: lets Python handle signals, so that Ctrl-C ends it, and tells the callback, if it has one.
bool tell_progress(double done, void* context);

// ------------------------------------------------------------------------------------------- queries and results ----

typedef struct result_object {
    PyObject_HEAD apart_result result;
} result_object;
typedef struct cache_object {
    PyObject_HEAD apart_cache cache;
} cache_object;

PyObject* result_make(const apart_result* result);
/// Results of a batch: Python's class around `buffer`, which it takes over.
PyObject* results_make(PyObject* buffer, const Py_ssize_t* shape, int dims);
/// The memory of count results: a bytearray, or that of `out`, the results of an earlier call, if that is not None.
PyObject* results_memory(PyObject* out, size_t count);

/// The keywords of a query, in this order, for the end of a signature.
#define QUERY_NAMES "depth", "relative_error", "absolute_error", "cutoff", "method"
#define QUERY_COUNT 5
bool query_read(PyObject* const* args, apart_query* query);

/// distance() of one pair; cache may be NULL.
PyObject* distance_one(shape_object* a, const pose_array* pose_a, shape_object* b, const pose_array* pose_b,
                       const apart_query* query, PyObject* cache);
/// distance() of many poses. threads: as in the library.
PyObject* distance_many(shape_object* a, const pose_array* pose_a, shape_object* b, const pose_array* pose_b,
                        const apart_query* query, PyObject* out, int threads);

// -------------------------------------------------------------------------------------------------------- motion ----

typedef struct motion_object {
    PyObject_HEAD apart_motion motion;
    apart_key* keys;
    callback function;
} motion_object;

/// A motion object of a type; keys are copied. It is checked by asking where it begins.
PyObject* motion_make(PyTypeObject* type, const apart_motion* motion, PyObject* function);

/// A motion in an argument: a Motion, a pose that stays, or None. *function is where its exceptions are kept, or NULL.
bool motion_read(PyObject* o, const char* name, apart_motion* motion, callback** function);
#define MOTION_QUERY_NAMES "clearance", "tolerance", "time_tolerance", "max_steps"
#define MOTION_QUERY_COUNT 4
bool motion_query_read(PyObject* const* args, apart_motion_query* query);
PyObject* contact_make(const apart_contact* contact);

#endif

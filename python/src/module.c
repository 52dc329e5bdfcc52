// The module apart._apart: its types, its functions, and what it has from the Python side.
#include "module.h"

module_objects py;

/// A type, known by the last part of its name.
static bool add_type(PyObject* module, PyType_Spec* spec, PyTypeObject** type) {
    *type = (PyTypeObject*)PyType_FromModuleAndSpec(module, spec, NULL);
    return *type && PyModule_AddType(module, *type) == 0;
}

static bool add_types(PyObject* module) {
    return add_type(module, &shape_spec, &py.shape) && add_type(module, &result_spec, &py.result) &&
           add_type(module, &cache_spec, &py.cache) && add_type(module, &motion_spec, &py.motion) &&
           add_type(module, &scene_spec, &py.scene);
}

static bool import_all(void) {
    const struct {
        const char *module, *name;
        PyObject** out;
    } all[] = {
        {"numpy", "frombuffer", &py.frombuffer},
        {"numpy", "ndarray", (PyObject**)&py.ndarray},
        {"apart._arrays", "FLOAT64", &py.float64},
        {"apart._arrays", "as_real", &py.as_real},
        {"apart._arrays", "as_indices", &py.as_indices},
        {"apart._types", "Results", &py.results},
        {"apart._types", "slope_of", &py.slope},
        {"apart._types", "Witness", &py.witness},
        {"apart._types", "Step", &py.step},
        {"apart._types", "info_of", &py.info},
        {"apart._types", "Contact", &py.contact},
        {"apart._types", "Approach", &py.approach},
        {"apart._types", "Span", &py.span},
        {"apart._types", "Body", &py.body},
        {"apart._types", "ScenePair", &py.scene_pair},
        {"apart._types", "SceneContact", &py.scene_contact},
    };
    py.dtype_name = PyUnicode_InternFromString("dtype");
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        PyObject* module = PyImport_ImportModule(all[i].module);
        *all[i].out = module ? PyObject_GetAttrString(module, all[i].name) : NULL;
        Py_XDECREF(module);
        if (!*all[i].out) return false;
    }
    return true;
}

/// One module in a process: sub-interpreters with a GIL of their own refuse it.
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_apart", "How far apart are two things?", -1, NULL};

PyMODINIT_FUNC PyInit__apart(void);
PyMODINIT_FUNC PyInit__apart(void) {
    PyObject* module = PyModule_Create(&definition);
    PyMethodDef* const functions[] = {shape_functions, query_functions, batch_functions, motion_functions,
                                      array_functions};
    bool good = module && import_all() && add_types(module) &&
                PyModule_AddStringConstant(module, "__version__", apart_version()) == 0 &&
                PyModule_AddIntConstant(module, "RESULT_SIZE", sizeof(apart_result)) == 0 &&
                PyModule_AddIntConstant(module, "SLOPE_SIZE", sizeof(apart_slope)) == 0;
    for (size_t i = 0; good && i < sizeof functions / sizeof *functions; ++i)
        good = PyModule_AddFunctions(module, functions[i]) == 0;
    if (!good) Py_CLEAR(module);
    return module;
}

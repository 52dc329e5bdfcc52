// Filling an apart_error.
#ifndef APART_BASE_ERROR_H
#define APART_BASE_ERROR_H

#include "apart/apart.h"
#include "base/arithmetic.h"

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
/// Writes status and sentence to *error (which may be NULL). Always returns NULL, so that a failing constructor reads
/// `return apart_fail(error, ...)`.
void* apart_fail(apart_error* error, apart_status status, const char* format, ...);

#endif

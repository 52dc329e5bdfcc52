// Status texts, errors, version.
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

const char* apart_version(void) { return APART_VERSION_TEXT; }

const char* apart_status_text(apart_status status) {
    switch (status) {
    case APART_OK:
        return "ok";
    case APART_INVALID:
        return "an argument is out of its range";
    case APART_NOT_FINITE:
        return "a number is NaN or infinite";
    case APART_NOT_A_ROTATION:
        return "the matrix is not a rotation";
    case APART_EMPTY:
        return "there are no points";
    case APART_OUT_OF_MEMORY:
        return "out of memory";
    case APART_UNSUPPORTED:
        return "this combination is not available";
    case APART_FILE:
        return "the file could not be read";
    case APART_OUT_OF_RANGE:
        return "a number is larger than 1e300";
    case APART_CANCELLED:
        return "cancelled by the progress function";
    }
    return "unknown status";
}

void* apart_fail(apart_error* error, apart_status status, const char* format, ...) {
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        error->status = status;
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
    return NULL;
}

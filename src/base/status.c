// Status texts, errors, version.
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

const char* apart_version(void) { return APART_VERSION_TEXT; }

const char* apart_status_text(apart_status status) {
    static const char* const text[] = {
        [APART_OK] = "ok",
        [APART_INVALID] = "an argument is out of its range",
        [APART_NOT_FINITE] = "a number is NaN or infinite",
        [APART_NOT_A_ROTATION] = "the matrix is not a rotation",
        [APART_EMPTY] = "there are no points",
        [APART_OUT_OF_MEMORY] = "out of memory",
        [APART_UNSUPPORTED] = "this combination is not available",
        [APART_FILE] = "the file could not be read",
        [APART_OUT_OF_RANGE] = "a number is larger than 1e300",
        [APART_CANCELLED] = "cancelled by the progress function",
    };
    return (size_t)status < sizeof text / sizeof *text ? text[status] : "unknown status";
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

// Writes beside the file, then renames.
#include "output.h"
#include "cli.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int refuse(const char* path) {
    return complain("%.200s: cannot be written: %s", path, strerror(errno ? errno : EIO));
}

// Writes and closes.
static bool fill(FILE* out, write_fn write, const void* context) {
    errno = 0;
    write(out, context);
    const bool good = fflush(out) == 0 && !ferror(out);
    const int reason = errno;
    if (fclose(out) == 0 && good) return true;
    if (reason) errno = reason;
    return false;
}

// A device or a pipe is written to directly.
static bool is_special(const char* path) {
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

int output_write(const char* path, write_fn write, const void* context) {
    if (!strcmp(path, "-")) {
        write(stdout, context);
        return EXIT_SUCCESS;
    }
    if (is_special(path)) {
        FILE* out = fopen(path, "w");
        return out && fill(out, write, context) ? EXIT_SUCCESS : refuse(path);
    }
    const size_t size = strlen(path) + sizeof ".part";
    char* part = malloc(size);
    if (!part) return complain("out of memory");
    snprintf(part, size, "%s.part", path);
    FILE* out = fopen(part, "w");
    bool good = out && fill(out, write, context) && rename(part, path) == 0;
    int status = EXIT_SUCCESS;
    if (!good) {
        status = refuse(path);
        if (out) remove(part);
    }
    free(part);
    return status;
}

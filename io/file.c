// Reading files whole. A pipe or a device need not end: it is left as soon as its beginning is that of no format, or
// after so many bytes as the caller allows.
#include "file.h"
#include "format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Bytes that are read between two times of telling, the beginning of a stream that is looked at, and the default limit.
enum { PIECE = 1 << 23, BEGINNING = 1 << 16 };
#define LIMIT ((uint64_t)1 << 32)

// The size of a file that says it; 0 for a stream.
static size_t known_size(FILE* stream) {
    struct stat about;
    const bool known = fstat(fileno(stream), &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0;
    return known ? (size_t)about.st_size : 0;
}

static bool make_room(reader* r, file_bytes* out, size_t room) {
    if (out->size < out->room) return true;
    char* larger = realloc(out->data, room);
    if (!larger) return fail_file(r, APART_OUT_OF_MEMORY, "out of memory");
    out->data = larger;
    out->room = room;
    return true;
}

static bool tell(reader* r, double done) {
    const double part = READING_SHARE * fmin(done, 1);
    return !r->how->progress || r->how->progress(part, r->how->progress_context) ||
           fail_file(r, APART_CANCELLED, "reading was cancelled");
}

// Whether a stream may go on: its beginning makes sense, and it is not too long.
static bool check_stream(reader* r, const file_bytes* so_far, bool first) {
    const uint64_t limit = r->how->limit ? r->how->limit : LIMIT;
    r->begin = r->at = so_far->data;
    r->end = r->begin + so_far->size;
    if (first && !format_may_begin(r)) return false;
    return so_far->size <= limit ||
           fail_file(r, APART_FILE, "no end after %llu bytes; put what is to be read into a file",
                     (unsigned long long)limit);
}

// Reads to the end. A file that says its size gets one more byte, so that its end is met without asking for more room.
static bool read_stream(reader* r, FILE* stream, file_bytes* out) {
    const size_t known = known_size(stream);
    const size_t expected = known ? known + 1 : BEGINNING;
    do {
        if (!make_room(r, out, out->room ? 2 * out->room : expected)) return false;
        if (!tell(r, (double)out->size / (double)expected)) return false;
        const size_t before = out->size;
        const size_t left = out->room - before;
        errno = 0;
        out->size += fread(out->data + before, 1, left < PIECE ? left : PIECE, stream);
        const bool more = !feof(stream) && !ferror(stream);
        if (more && !known && !check_stream(r, out, before == 0)) return false;
    } while (!feof(stream) && !ferror(stream));
    return !ferror(stream) || fail_file(r, APART_FILE, "cannot be read: %s", strerror(errno ? errno : EIO));
}

bool file_read(reader* r, const char* path, file_bytes* out) {
    if (strcmp(path, "-") == 0) return read_stream(r, stdin, out);
    struct stat about;
    if (stat(path, &about) == 0 && S_ISSOCK(about.st_mode))
        return fail_file(r, APART_FILE, "cannot be read: it is a socket, not a file");
    FILE* stream = fopen(path, "rb");
    if (!stream) return fail_file(r, APART_FILE, "cannot be read: %s", strerror(errno));
    const bool ok = read_stream(r, stream, out);
    fclose(stream);
    return ok;
}

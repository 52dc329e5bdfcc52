// Text points: x y z on each line, separated by blanks, commas or semicolons. Further columns (colour, normal) are
// passed over, and so is everything after #. A first line of one whole number is the count of points (.pts).
#include "text.h"

// If the line is one whole number, it is the count. Leaves the reader where it was otherwise.
static bool take_count(reader* r, int64_t* count) {
    const reader before = *r;
    word first;
    word second;
    if (text_word(r, &first) && text_to_integer(first, count) && *count >= 0 && !text_word(r, &second)) return true;
    *r = before;
    *count = -1;
    return false;
}

bool read_points(reader* r) {
    r->mesh->format = "text points";
    r->comment = '#';
    r->commas = true;
    int64_t count = -1;
    if (text_seek(r) && take_count(r, &count)) text_next_line(r);
    while (text_seek(r)) {
        apart_vec3 point;
        if (!read_point(r, &point) || !mesh_add_vertex(r, point)) return false;
        text_next_line(r);
    }
    if (count < 0 || (size_t)count == r->mesh->vertex_count) return true;
    return fail_here(r, APART_FILE, "the first line promises %lld points, the file has %zu; it may be cut off",
                     (long long)count, r->mesh->vertex_count);
}

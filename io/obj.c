// Wavefront OBJ: "v x y z" is a vertex, "f a b c ..." a polygon. Corners may be a, a/t, a//n or a/t/n; a counts from 1,
// or from -1 backwards. "o name" and
// "g name" begin an object, if anyone wants to know. Everything else (texture, normals, materials, lines, curves) is
// passed over.
#include "text.h"

// An index that is larger than the vertices so far. It is right if they come later.
typedef struct forward {
    size_t line;
    int64_t index;
} forward;

// One corner, as a number from 0.
static bool read_corner(reader* r, word w, forward* ahead, uint32_t* out) {
    size_t length = 0;
    while (length < w.length && w.text[length] != '/') length++;
    int64_t index = 0;
    if (!text_to_integer((word){w.text, length}, &index)) return fail_word(r, "the number of a vertex", w);
    const int64_t count = (int64_t)r->mesh->vertex_count;
    if (index == 0) return fail_here(r, APART_FILE, "vertex 0 does not exist; OBJ counts from 1");
    if (index < -count)
        return fail_here(r, APART_FILE, "vertex %lld does not exist; %lld vertices came before this line",
                         (long long)index, (long long)count);
    if (index > UINT32_MAX) return fail_word(r, "the number of a vertex", w);
    if (index > count && index > ahead->index) *ahead = (forward){r->line, index};
    *out = (uint32_t)(index > 0 ? index - 1 : count + index);
    return true;
}

static bool read_face(reader* r, forward* ahead) {
    fan polygon = {0};
    word w = {"", 0};
    while (text_word(r, &w)) {
        uint32_t index = 0;
        if (!read_corner(r, w, ahead, &index) || !fan_add(r, &polygon, index)) return false;
    }
    fan_end(r, &polygon);
    // A short face that ends with the data may have been cut off.
    return polygon.corners >= 3 || r->at < r->end ||
           fail_here(r, APART_FILE, "a face of %zu corners; it needs at least 3", polygon.corners);
}

static bool read_vertex(reader* r) {
    apart_vec3 point;
    return read_point(r, &point) && mesh_add_vertex(r, point);
}

// The name is what is left of the line: it may hold blanks.
static bool read_object(reader* r, bool is_group) {
    if (!r->objects) return true;
    word w = {"", 0};
    const char* begin = NULL;
    const char* end = NULL;
    while (text_word(r, &w)) {
        if (!begin) begin = w.text;
        end = w.text + w.length;
    }
    return objects_mark(r, is_group, begin ? begin : "", begin ? (size_t)(end - begin) : 0);
}

// Some programs put the numbers of vertices and faces into the first line.
static bool pass_counts(reader* r) {
    if (!text_seek(r) || !text_is_integers(*r)) return true;
    if (!note_odd(r, "line %zu holds numbers only, where a keyword should be; it is not read", r->line)) return false;
    text_next_line(r);
    return true;
}

bool read_obj(reader* r) {
    r->mesh->format = "OBJ";
    r->comment = '#';
    r->splice = true;
    forward ahead = {0};
    if (!pass_counts(r)) return false;
    while (text_seek(r)) {
        word w = {"", 0};
        text_word(r, &w);
        // Keywords begin with a letter; anything else is a sign of another format.
        const bool ok = word_is(w, "v")   ? read_vertex(r)
                        : word_is(w, "f") ? read_face(r, &ahead)
                        : word_is(w, "o") ? read_object(r, false)
                        : word_is(w, "g") ? read_object(r, true)
                                          : is_letter(w.text[0]) || fail_word(r, "a keyword such as v or f", w);
        if (!ok || !reader_tell(r)) return false;
        text_next_line(r);
    }
    if (ahead.index <= (int64_t)r->mesh->vertex_count) return true;
    r->line = ahead.line;
    return fail_here(r, APART_FILE, "vertex %lld does not exist; the file has %zu", (long long)ahead.index,
                     r->mesh->vertex_count);
}

// The header of PLY: lines of words, from "ply" to "end_header".
#include "ply.h"
#include "text.h"

static bool read_type(reader* r, const char* what, uint8_t* out) {
    static const struct {
        const char* name;
        ply_type type;
    } names[] = {{"char", PLY_INT8},     {"int8", PLY_INT8},       {"uchar", PLY_UINT8},    {"uint8", PLY_UINT8},
                 {"short", PLY_INT16},   {"int16", PLY_INT16},     {"ushort", PLY_UINT16},  {"uint16", PLY_UINT16},
                 {"int", PLY_INT32},     {"int32", PLY_INT32},     {"uint", PLY_UINT32},    {"uint32", PLY_UINT32},
                 {"float", PLY_FLOAT32}, {"float32", PLY_FLOAT32}, {"double", PLY_FLOAT64}, {"float64", PLY_FLOAT64}};
    word w = {"", 0};
    text_word(r, &w);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (word_is(w, names[i].name)) {
            *out = (uint8_t)names[i].type;
            return true;
        }
    return fail_word(r, what, w);
}

static bool is_float(uint8_t type) { return type == PLY_FLOAT32 || type == PLY_FLOAT64; }

static ply_role role_of(ply_kind kind, bool list, word name) {
    if (kind == PLY_VERTEX && !list && name.length == 1 && name.text[0] >= 'x' && name.text[0] <= 'z')
        return (ply_role)(PLY_X + (name.text[0] - 'x'));
    if (kind == PLY_FACE && list && (word_is(name, "vertex_indices") || word_is(name, "vertex_index")))
        return PLY_CORNERS;
    return PLY_SKIP;
}

// "property TYPE NAME" or "property list COUNT_TYPE TYPE NAME".
static bool read_property(reader* r, ply_header* header) {
    if (header->elements == 0) return fail_here(r, APART_FILE, "a property before the first element");
    ply_element* element = &header->element[header->elements - 1];
    if (element->properties == PLY_PROPERTIES)
        return fail_here(r, APART_UNSUPPORTED, "more than %d properties in one element", PLY_PROPERTIES);
    ply_property* property = &element->property[element->properties++];
    word w = {"", 0};
    const reader before = *r;
    const bool list = text_word(r, &w) && word_is(w, "list");
    if (!list) *r = before;
    if (list && !read_type(r, "the type of the list's length", &property->count_type)) return false;
    if (!read_type(r, "the type of the property", &property->type)) return false;
    if (!text_word(r, &w)) return fail_here(r, APART_FILE, "the line ends where the property's name should be");
    property->role = (uint8_t)role_of(element->kind, list, w);
    if (list && is_float(property->count_type)) return fail_here(r, APART_FILE, "a list's length must be an integer");
    if (property->role == PLY_CORNERS && is_float(property->type))
        return fail_here(r, APART_FILE, "the indices of a face must be integers");
    return true;
}

// "element NAME COUNT".
static bool read_element(reader* r, ply_header* header) {
    if (header->elements == PLY_ELEMENTS) return fail_here(r, APART_UNSUPPORTED, "more than %d elements", PLY_ELEMENTS);
    ply_element* element = &header->element[header->elements++];
    word name = {"", 0};
    text_word(r, &name);
    if (word_is(name, "tristrips"))
        return fail_here(r, APART_UNSUPPORTED, "triangle strips are not read; write the file again with faces");
    element->kind = word_is(name, "vertex") ? PLY_VERTEX : word_is(name, "face") ? PLY_FACE : PLY_OTHER;
    if (!read_count(r, "the number of items", &element->count)) return false;
    for (size_t i = 0; i + 1 < header->elements; i++)
        if (element->kind != PLY_OTHER && header->element[i].kind == element->kind)
            return fail_here(r, APART_FILE, "a second element of the same name");
    if (element->kind == PLY_VERTEX) header->vertices = element->count;
    return true;
}

// "format ENCODING 1.0".
static bool read_format(reader* r, ply_header* header) {
    word w = {"", 0};
    text_word(r, &w);
    if (word_is(w, "ascii"))
        header->encoding = PLY_ASCII;
    else if (word_is(w, "binary_little_endian"))
        header->encoding = PLY_LITTLE_ENDIAN;
    else if (word_is(w, "binary_big_endian"))
        header->encoding = PLY_BIG_ENDIAN;
    else
        return fail_word(r, "ascii, binary_little_endian or binary_big_endian", w);
    return true;
}

// Every item must take room, and a vertex must have a place.
static bool check_header(reader* r, const ply_header* header) {
    bool found = false;
    for (size_t i = 0; i < header->elements; i++) {
        const ply_element* element = &header->element[i];
        if (element->count > 0 && element->properties == 0)
            return fail_here(r, APART_FILE, "an element without properties");
        unsigned roles = 0;
        for (size_t p = 0; p < element->properties; p++) roles |= 1u << element->property[p].role;
        const unsigned place = 1u << PLY_X | 1u << PLY_Y | 1u << PLY_Z;
        if (element->kind == PLY_VERTEX && (roles & place) != place)
            return fail_here(r, APART_FILE, "the vertices lack a property x, y or z");
        if (element->kind == PLY_FACE && element->count > 0 && !(roles & 1u << PLY_CORNERS))
            return fail_here(r, APART_FILE, "the faces lack a list vertex_indices");
        found = found || element->kind == PLY_VERTEX;
    }
    return found || fail_here(r, APART_EMPTY, "the header has no element vertex: the file holds no points");
}

// The line after "end_header" is the data. Its first byte may look like the second half of a line end, so that files
// whose lines end with \r alone must be recognised by their first line.
static void pass_to_data(reader* r, bool lone_return) {
    while (r->at < r->end && *r->at != '\n' && *r->at != '\r') r->at++;
    if (lone_return && r->at < r->end) {
        r->at++;
        r->line++;
    } else {
        text_next_line(r);
    }
}

bool ply_read_header(reader* r, ply_header* header) {
    word w = {"", 0};
    text_word(r, &w);
    if (!word_is(w, "ply")) return fail_word(r, "'ply'", w);
    const bool lone_return = reader_left(r) > 1 && r->at[0] == '\r' && r->at[1] != '\n';
    bool has_format = false;
    while (text_next_line(r)) {
        if (!text_word(r, &w)) continue;
        bool ok = true;
        if (word_is(w, "end_header")) {
            pass_to_data(r, lone_return);
            return has_format ? check_header(r, header) : fail_here(r, APART_FILE, "the header has no line 'format'");
        }
        if (word_is(w, "format"))
            ok = has_format = read_format(r, header);
        else if (word_is(w, "element"))
            ok = read_element(r, header);
        else if (word_is(w, "property"))
            ok = read_property(r, header);
        else if (!word_is(w, "comment") && !word_is(w, "obj_info"))
            ok = fail_word(r, "a line of the PLY header", w);
        if (!ok) return false;
    }
    return fail_here(r, APART_FILE, "the file ends in the header; it may be cut off");
}

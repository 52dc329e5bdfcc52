// Text points: x y z on each line, separated by blanks, commas or semicolons. Further columns (colour, normal) are
// passed over, and so is everything after #. A first line of one whole number is the count of points (.pts); one of
// names that begin with x, y and z is passed over.
//
// A comma may also be the decimal sign of whoever wrote the file. "1,5 2,5 3,5" must not become the point (1, 5, 2).
#include "text.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------- the first line ----

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

// Whether the word names this axis: x, "X", //X, x(m), but not xylophone.
static bool names_axis(word w, char axis) {
    while (w.length > 0 && !is_letter(*w.text)) {
        w.text++;
        w.length--;
    }
    const char name[2] = {axis, '\0'};
    return w.length > 0 && word_is((word){w.text, 1}, name) && (w.length == 1 || !is_letter(w.text[1]));
}

bool points_names_row(reader line) {
    word w = {"", 0};
    for (int i = 0; i < 3; i++)
        if (!text_word(&line, &w) || !names_axis(w, "xyz"[i])) return false;
    return true;
}

// Passes over a count or a row of names.
static bool pass_first_line(reader* r, int64_t* count) {
    *count = -1;
    if (!text_seek(r)) return true;
    if (points_names_row(*r)) {
        if (!note_odd(r, "line %zu names the columns and is not read", r->line)) return false;
        text_next_line(r);
    } else if (take_count(r, count)) {
        text_next_line(r);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------- the commas ----

// How a line uses commas.
typedef struct comma_use {
    bool inside; // one stands between two digits, like a decimal sign
    bool others; // blanks alone or semicolons separate, too
    bool more;   // more than three numbers: perhaps three, some of them with decimal commas
    bool points; // there is a decimal point, so that the comma is none
} comma_use;

static comma_use look_at_commas(const char* at, const char* end) {
    comma_use use = {0};
    size_t numbers = 0;
    char last = ','; // the last character that is no blank
    for (const char* c = at; c < end && *c != '#' && *c != '\n' && *c != '\r'; c++) {
        if (is_blank(*c)) continue;
        const bool separates = *c == ',' || *c == ';';
        use.others |= *c == ';' || (c > at && is_blank(c[-1]) && !separates && last != ',' && last != ';');
        use.inside |= *c == ',' && c > at && is_digit(c[-1]) && c + 1 < end && is_digit(c[1]);
        use.points |= *c == '.';
        numbers += last == ',' && (is_digit(*c) || *c == '-' || *c == '+');
        last = *c;
    }
    use.more = numbers > 3;
    return use;
}

// Most lines with commas have nothing else that separates, and need no closer look once a decimal point was seen.
static bool has_commas_only(const char* at, const char* end) {
    bool others = false;
    for (; at < end; at++) others |= is_blank(*at) || *at == ';';
    return !others;
}

// Refuses a line whose commas may be decimal signs. Whether 1,5,2,5,3 is five numbers or three, other lines may tell:
// the first such line goes to *doubt, until a decimal point is seen.
static bool check_commas(reader* r, const char* line, size_t number, size_t* doubt) {
    if (!memchr(line, ',', (size_t)(r->at - line))) return true;
    if (*doubt == SIZE_MAX && has_commas_only(line, r->at)) return true;
    const comma_use use = look_at_commas(line, r->at);
    if (use.inside && use.others) {
        r->line = number;
        return fail_here(r, APART_FILE,
                         "commas beside blanks or semicolons; if 1,5 is one number, write 1.5, if it is two, use one "
                         "separator");
    }
    if (use.points) *doubt = SIZE_MAX;
    if (use.inside && use.more && *doubt == 0) *doubt = number;
    return true;
}

// --------------------------------------------------------------------------------------------------------- points ----

bool read_points(reader* r) {
    r->mesh->format = "text points";
    r->comment = '#';
    r->commas = true;
    int64_t count = -1;
    size_t doubt = 0; // a line of which only the others tell what its commas are; SIZE_MAX = they did
    if (!pass_first_line(r, &count)) return false;
    while (text_seek(r)) {
        const char* line = r->at;
        const size_t number = r->line;
        apart_vec3 point;
        if (count >= 0 && r->mesh->vertex_count == (size_t)count) break;
        if (!read_point(r, &point) || !mesh_add_vertex(r, point)) return false;
        text_next_line(r);
        if (!check_commas(r, line, number, &doubt)) return false;
    }
    if (doubt > 0 && doubt < SIZE_MAX) {
        r->line = doubt;
        return fail_here(r, APART_FILE,
                         "commas between whole numbers only; if 1,5 is one number, write 1.5, if it is two, separate "
                         "them by blanks");
    }
    if (count >= 0 && (size_t)count > r->mesh->vertex_count)
        return fail_here(r, APART_FILE, "the first line promises %lld points, the file has %zu; it may be cut off",
                         (long long)count, r->mesh->vertex_count);
    return r->at == r->end ||
           note_odd(r, "line %zu and what follows are more than the first line counts, and not read", r->line);
}

// The scanner of the text formats.
//
// A line ends with \n, \r\n or \r. Numbers take a short way when it is exact (Clinger 1990: at most 53 bits of digits
// and a power of ten that is a double need one rounding only), a longer one for the 17 digits that a double needs (one
// division of integers), and strtod on a copy otherwise. All three give the nearest double.
#include "text.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static bool is_line_end(char c) { return c == '\n' || c == '\r'; }
static bool is_comma(const reader* r, char c) { return r->commas && (c == ',' || c == ';'); }
static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool starts_comment(const reader* r) { return r->comment && *r->at == r->comment; }

// Steps over one line end.
static void pass_line_end(reader* r) {
    const char first = *r->at++;
    if (first == '\r' && r->at < r->end && *r->at == '\n') r->at++;
    r->line++;
}

// Steps over "backslash, line end" if it is next.
static bool pass_splice(reader* r) {
    if (!r->splice || *r->at != '\\' || reader_left(r) < 2 || !is_line_end(r->at[1])) return false;
    r->at++;
    pass_line_end(r);
    return true;
}

static void pass_blanks(reader* r) {
    while (r->at < r->end)
        if (is_blank(*r->at))
            r->at++;
        else if (!pass_splice(r))
            return;
}

// Whether a word ends here: at a blank, a comma, the end of the line, or a continued line.
static bool ends_word(const reader* r) {
    const char c = *r->at;
    if (is_blank(c) || is_line_end(c) || is_comma(r, c) || starts_comment(r)) return true;
    return r->splice && c == '\\' && reader_left(r) > 1 && is_line_end(r->at[1]);
}

// Letters, digits, '-', '.' and '/' end a word in no format: most characters need no closer look.
static bool is_ordinary(char c) { return c > ',' && c != ';' && c != '\\'; }

// One comma belongs to the word before it; a second one makes an empty word, which is no number.
static void pass_comma(reader* r) {
    if (!r->commas) return;
    pass_blanks(r);
    if (r->at < r->end && is_comma(r, *r->at)) r->at++;
}

bool text_word(reader* r, word* out) {
    pass_blanks(r);
    if (r->at == r->end || is_line_end(*r->at) || starts_comment(r)) return false;
    out->text = r->at;
    while (r->at < r->end && (is_ordinary(*r->at) || !ends_word(r))) r->at++;
    out->length = (size_t)(r->at - out->text);
    pass_comma(r);
    return true;
}

bool text_next_line(reader* r) {
    bool comment = false;
    while (r->at < r->end && !is_line_end(*r->at)) {
        comment = comment || starts_comment(r);
        // A comment ends with its line, whatever its last character.
        if (comment || !pass_splice(r)) r->at++;
    }
    if (r->at == r->end) return false;
    pass_line_end(r);
    return true;
}

bool text_seek(reader* r) {
    do {
        pass_blanks(r);
        if (r->at == r->end) return false;
        if (!is_line_end(*r->at) && !starts_comment(r)) return true;
    } while (text_next_line(r));
    return false;
}

bool word_is(word w, const char* text) {
    size_t i = 0;
    while (i < w.length && text[i] && lower(w.text[i]) == text[i]) i++;
    return i == w.length && !text[i];
}

excerpt word_excerpt(word w) {
    excerpt out = {{0}};
    const size_t room = 24;
    const size_t shown = w.length < room ? w.length : room;
    for (size_t i = 0; i < shown; i++) out.text[i] = w.text[i] >= ' ' && w.text[i] <= '~' ? w.text[i] : '?';
    if (w.length > room) memcpy(out.text + room, "...", 4);
    return out;
}

// ---------------------------------------------------------------------------------------------------- numbers ----

// A decimal number, taken apart: sign, digits as an integer, power of ten.
typedef struct decimal {
    bool negative;
    bool exact; // `digits` holds all of them
    uint64_t digits;
    int64_t exponent;
} decimal;

// Takes digits from *at into d, each of them moving the exponent by `shift`. Returns how many there were.
static size_t take_digits(const char** at, const char* end, int shift, decimal* d) {
    const char* start = *at;
    const char* c = start;
    uint64_t digits = d->digits;
    while (c < end && is_digit(*c) && digits <= (UINT64_MAX - 9) / 10) digits = 10 * digits + (uint64_t)(*c++ - '0');
    d->digits = digits;
    d->exponent += shift * (c - start);
    // The rest does not fit.
    for (; c < end && is_digit(*c); c++) d->exact = false;
    *at = c;
    return (size_t)(c - start);
}

// Takes "e-12". True if there is none or it is well formed; a huge one makes the number inexact.
static bool take_exponent(const char** at, const char* end, decimal* d) {
    if (*at == end || lower(**at) != 'e') return true;
    ++*at;
    const bool negative = *at < end && **at == '-';
    if (*at < end && (**at == '-' || **at == '+')) ++*at;
    decimal power = {.exact = true};
    if (take_digits(at, end, 0, &power) == 0) return false;
    if (!power.exact || power.digits > 1000)
        d->exact = false;
    else
        d->exponent += negative ? -(int64_t)power.digits : (int64_t)power.digits;
    return true;
}

// Takes all of a number: its digits, with a point or without, and an exponent.
static bool take_decimal(const char** at, const char* end, decimal* d) {
    d->exact = true;
    d->negative = *at < end && **at == '-';
    if (*at < end && (**at == '-' || **at == '+')) ++*at;
    size_t count = take_digits(at, end, 0, d);
    if (*at < end && **at == '.') {
        ++*at;
        count += take_digits(at, end, -1, d);
    }
    return count > 0 && take_exponent(at, end, d);
}

// One rounding: digits and the power of ten are both doubles. Needs arithmetic in double precision.
static bool short_way(const decimal* d, double* out) {
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (FLT_EVAL_METHOD != 0 || !d->exact || d->digits >> 53 || d->exponent > 22 || d->exponent < -22) return false;
    const double digits = (double)d->digits;
    const double size = d->exponent < 0 ? digits / power[-d->exponent] : digits * power[d->exponent];
    *out = d->negative ? -size : size;
    return true;
}

#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 wide;

// digits / 10^k = digits / 5^k * 2^-k: the quotient of two integers, both moved up to 64 bits, has at least 63 of them.
// A remainder only matters as "a little more", which the last bit can say; the conversion to double rounds once.
static bool long_way(const decimal* d, double* out) {
    // 5^27 is the last one below 2^64.
    if (FLT_EVAL_METHOD != 0 || !d->exact || d->digits == 0 || d->exponent > 0 || d->exponent < -27) return false;
    const int k = (int)-d->exponent;
    uint64_t power = 1;
    for (int i = 0; i < k; i++) power *= 5;
    const int up = __builtin_clzll(d->digits);
    const int power_up = __builtin_clzll(power);
    const wide numerator = (wide)(d->digits << up) << 63;
    const uint64_t denominator = power << power_up;
    const uint64_t quotient = (uint64_t)(numerator / denominator);
    const uint64_t more = numerator % denominator != 0;
    const double size = ldexp((double)(quotient | more), power_up - up - 63 - k);
    *out = d->negative ? -size : size;
    return true;
}
#else
static bool long_way(const decimal* d, double* out) {
    (void)d, (void)out;
    return false;
}
#endif

// The words that C reads as numbers and that are not finite.
static bool names_infinity_or_nan(word w) {
    if (w.length > 0 && (w.text[0] == '-' || w.text[0] == '+')) {
        w.text++;
        w.length--;
    }
    return word_is(w, "nan") || word_is(w, "inf") || word_is(w, "infinity") ||
           (w.length > 4 && word_is((word){w.text, 4}, "nan(")) || word_is(w, "-nan(ind)") || word_is(w, "1.#inf") ||
           word_is(w, "1.#qnan") || word_is(w, "1.#ind");
}

number_kind text_to_number(word w, double* out) {
    decimal d = {0};
    char copy[512];
    const char* at = w.text;
    const char* end = w.text + w.length;
    if (!take_decimal(&at, end, &d) || at != end) return names_infinity_or_nan(w) ? NUMBER_NOT_FINITE : NUMBER_NOT;
    if (short_way(&d, out) || long_way(&d, out)) return NUMBER_OK;
    if (w.length >= sizeof copy) return NUMBER_NOT;
    memcpy(copy, w.text, w.length);
    copy[w.length] = '\0';
    *out = strtod(copy, NULL);
    return fabs(*out) <= APART_LIMIT ? NUMBER_OK : NUMBER_TOO_LARGE;
}

bool text_to_integer(word w, int64_t* out) {
    const bool negative = w.length > 0 && w.text[0] == '-';
    size_t i = w.length > 0 && (w.text[0] == '-' || w.text[0] == '+');
    if (i == w.length || w.length - i > 18) return false;
    int64_t value = 0;
    for (; i < w.length; i++) {
        if (!is_digit(w.text[i])) return false;
        value = 10 * value + (w.text[i] - '0');
    }
    *out = negative ? -value : value;
    return true;
}

bool text_is_integers(reader line) {
    word w = {"", 0};
    int64_t value = 0;
    if (!text_word(&line, &w)) return false;
    do
        if (!text_to_integer(w, &value)) return false;
    while (text_word(&line, &w));
    return true;
}

// ---------------------------------------------------------------------------------------- reading, with reasons ----

bool fail_word(reader* r, const char* what, word found) {
    return fail_here(r, APART_FILE, "expected %s, found '%s'", what, word_excerpt(found).text);
}

// Whether a word that reaches to `at` ends there, beyond doubt in any format.
static bool surely_ends(const reader* r, const char* at) { return at == r->end || is_blank(*at) || is_line_end(*at); }

// A number in ordinary spelling, without looking for the end of the word first. False leaves it for read_number.
static bool quick_number(reader* r, double* out) {
    pass_blanks(r);
    decimal d = {0};
    const char* at = r->at;
    if (!take_decimal(&at, r->end, &d) || !surely_ends(r, at)) return false;
    if (!short_way(&d, out) && !long_way(&d, out)) return false;
    r->at = at;
    pass_comma(r);
    return true;
}

bool read_number(reader* r, const char* what, double* out) {
    if (quick_number(r, out)) return true;
    word w = {"", 0};
    if (!text_word(r, &w)) return fail_here(r, APART_FILE, "the line ends where %s should be", what);
    switch (text_to_number(w, out)) {
    case NUMBER_OK:
        return true;
    case NUMBER_NOT:
        return fail_word(r, what, w);
    case NUMBER_NOT_FINITE:
        return fail_here(r, APART_NOT_FINITE, "%s is '%s'; every coordinate must be finite", what,
                         word_excerpt(w).text);
    case NUMBER_TOO_LARGE:
        break;
    }
    return fail_here(r, APART_OUT_OF_RANGE, "%s is larger than 1e300; choose a larger unit", what);
}

bool read_point(reader* r, apart_vec3* out) {
    return read_number(r, "the x coordinate", &out->x) && read_number(r, "the y coordinate", &out->y) &&
           read_number(r, "the z coordinate", &out->z);
}

bool read_count(reader* r, const char* what, size_t* out) {
    word w = {"", 0};
    int64_t value = 0;
    if (!text_word(r, &w)) return fail_here(r, APART_FILE, "the line ends where %s should be", what);
    if (!text_to_integer(w, &value) || value < 0) return fail_word(r, what, w);
    *out = (size_t)value;
    return true;
}

bool expect_line_end(reader* r) {
    word w = {"", 0};
    return !text_word(r, &w) || fail_word(r, "the end of the line", w);
}

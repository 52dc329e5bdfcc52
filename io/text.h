// Scanning text: lines, words and numbers, within bounds and without a terminating zero.
#ifndef APART_IO_TEXT_H
#define APART_IO_TEXT_H

#include "reader.h"

/// Characters, whatever the language of the program is.
static inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

/// Some bytes of the file, not terminated.
typedef struct word {
    const char* text;
    size_t length;
} word;

/// The next word on this line; false at the end of the line.
bool text_word(reader* r, word* out);
/// Goes to the start of the next line; false if there is none (the data may end with or without a line end).
bool text_next_line(reader* r);
/// Goes to the next line that holds a word, starting with this one; false at the end of the data.
bool text_seek(reader* r);
/// Whether all words of this line are integers. The reader is a copy.
bool text_is_integers(reader line);
/// Whether the word is `text`, upper and lower case being the same.
bool word_is(word w, const char* text);

/// What a word is as a number.
typedef enum number_kind { NUMBER_OK, NUMBER_NOT, NUMBER_NOT_FINITE, NUMBER_TOO_LARGE } number_kind;
/// Decimal text to the nearest double. Anything above APART_LIMIT is too large; nan and inf are not finite.
number_kind text_to_number(word w, double* out);
/// Decimal text of at most 18 digits, with or without a sign, to an integer.
bool text_to_integer(word w, int64_t* out);

/// The next word on this line as a number; `what` names it in the sentence on failure ("the x coordinate").
bool read_number(reader* r, const char* what, double* out);
/// x, y and z on this line.
bool read_point(reader* r, apart_vec3* out);
/// The next word on this line as a count, 0 or more.
bool read_count(reader* r, const char* what, size_t* out);
/// Fails if there is another word on this line.
bool expect_line_end(reader* r);
/// The sentence for a word that is not what it should be: "expected WHAT, found 'word'".
bool fail_word(reader* r, const char* what, word found);

/// A word for a sentence: at most 24 bytes, odd ones as '?'.
typedef struct excerpt {
    char text[28];
} excerpt;
excerpt word_excerpt(word w);

#endif

// Answers side by side: whether two agree, are the same but for the unit or with the bodies exchanged; and a hash of
// every bit of many.
#ifndef APART_TESTS_ANSWERS_H
#define APART_TESTS_ANSWERS_H

#include "apart/apart.h"

/// Two answers to the same question up to `slack`: their brackets meet, and neither is wide.
bool answers_agree(const apart_result* r, const apart_result* s, double slack);
/// s is r in another unit, a power of two, bit by bit; its work included.
bool answers_same_but_unit(const apart_result* r, const apart_result* s, double unit);
/// s has the points, the normal and the witnesses of r with the bodies exchanged, bit by bit.
bool answers_mirrored(const apart_result* r, const apart_result* s);
/// Says that two answers differ: how they were asked, of what, by which seed.
void answers_complain(const char* how, const char* of, uint64_t seed, const apart_result* r, const apart_result* s);

/// FNV-1a over whole words: begin with HASH_START.
#define HASH_START 0xcbf29ce484222325u
void hash_doubles(uint64_t* hash, const double* x, size_t count);
/// All of an answer: numbers, witnesses, counts.
void hash_answer(uint64_t* hash, const apart_result* r);

#endif

// What the certificate takes for granted of the compiler: an operation on doubles gives the double next to its result,
// in the order written. Every file of the core sees this header.
#ifndef APART_BASE_ARITHMETIC_H
#define APART_BASE_ARITHMETIC_H

#include <float.h>

#if DBL_MANT_DIG != 53 || FLT_RADIX != 2
#error "apart needs IEEE 754 double precision."
#endif
// The x87 unit keeps 64 bits and rounds once more when it stores.
#if FLT_EVAL_METHOD != 0
#error "apart needs arithmetic in double precision: on 32-bit x86, compile with -msse2 -mfpmath=sse."
#endif
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) ||                         \
    defined(__NO_SIGNED_ZEROS__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "apart needs arithmetic as it is written: compile without -ffast-math and the options that are parts of it."
#endif

#endif

// Sine, cosine and arctangent from + - * / alone: the same bits everywhere, which no libm promises. u is 2^-53.
#ifndef APART_BASE_TRIG_H
#define APART_BASE_TRIG_H

#include "base/vec.h"

/// Sine and cosine of any x, each off by at most 2 u of itself as long as |x| <= TRIG_MOST. Beyond that a double is no
/// angle any more (half a unit in its last place is 1/64 and more): they are then 0 and 1.
void apart_sine_cosine(double x, double* sine, double* cosine);
#define TRIG_MOST 0x1p48

/// The angle of the point (x, y), where x, y >= 0 are not both 0 and neither is below 2^-1000 but 0: from 0 to pi/2,
/// off by at most 4 u of itself and by at most 2.5 u.
double apart_arctangent(double y, double x);

#endif

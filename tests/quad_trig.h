// Sine, cosine and the angle of a point in quadruple precision, from series: what the library's own are compared with.
#ifndef APART_TESTS_QUAD_TRIG_H
#define APART_TESTS_QUAD_TRIG_H

#include "oracle.h"

/// Sine and cosine of |x| < 2^50, to about 2^-108.
void quad_sine_cosine(quad x, quad* sine, quad* cosine);
/// The angle of the point (x, y), y >= 0, from 0 to pi, to about 2^-108 of it.
quad quad_angle(quad y, quad x);
quad quad_pi(void);

#endif
